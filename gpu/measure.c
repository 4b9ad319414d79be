/* SPDX-License-Identifier: MIT */
/* What a GPU computes, and how fast: scripts/device_gpu compiles and runs it on a machine that has one.

     measure strict FILE     bits against one lane of the CPU; writes those of the GPU for tests/data/batch_strict.csv
     measure accuracy        each precision against double precision on the CPU, hair of one second
     measure solve COUNT PRECISION SUBSTEPS    a frame of COUNT strands of 25 segments, in milliseconds; with the
                                               curvature measure tan2, or, with one more word, `angle`
     measure warps LIBRARY   few strands by two libraries, LIBRARY and then that of WITHY_CUDA: tips and times
     measure frame COUNT SUBSTEPS              the same by the public interface, with all that goes with a frame */
#define _GNU_SOURCE /* clock_gettime */
#include <dlfcn.h>
#include <stdio.h>
#include <time.h>

#include "batch/inside.h"
#include "gpu/strict.h"
#include "withy/gpu.h"

enum { SEGMENTS = 25, VERTICES = SEGMENTS + 1, SAMPLES = 1024, TIMED = 7, SECOND = 60 };
static const double length = 0.25;

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int complain(const char *what) {
  fprintf(stderr, "%s\n", what);
  return 1;
}

static const wy_batch_backend *find_gpu(void) {
  const wy_batch_gpu gpu = wy_gpu();
  if (!gpu.backend)
    complain(gpu.reason);
  return gpu.backend;
}

/* ---- Bits ---- */

static int compare_bits(const char *path) {
  const wy_batch_backend *gpu = find_gpu();
  FILE *file = gpu ? fopen(path, "w") : NULL;
  if (!file)
    return complain("no GPU, or no file to write");
  int wrong = 0;
  fprintf(file, "# What a GPU computed of the rods of gpu/strict.h: scene, precision, bits\n");
  for (int n = 0; n < 3 * STRICT_SCENES; n++) {
    const strict_scene *scene = &strict_scenes[n / 3];
    const uint64_t want = strict_hash(&wy_batch_lanes, scene, (wy_batch_precision)(n % 3));
    const uint64_t got = strict_hash(gpu, scene, (wy_batch_precision)(n % 3));
    const bool same = want && want == got;
    wrong += !same;
    printf("bits, %-12s %-7s cpu %016llx gpu %016llx %s\n", scene->name, strict_precisions[n % 3],
           (unsigned long long)want, (unsigned long long)got, same ? "same" : "DIFFERENT");
    fprintf(file, "%s,%s,%016llx\n", scene->name, strict_precisions[n % 3], (unsigned long long)got);
  }
  fclose(file);
  return wrong > 0;
}

/* ---- Hair ---- */

static wy_model *make_hair(double curvature) {
  wy_rod_def rod = wy_default_rod_def();
  rod.length = length, rod.segments = SEGMENTS;
  rod.section.shape = WY_CIRCLE, rod.section.radius = wy_constant(35e-6);
  rod.material.given = true, rod.material.young = wy_constant(4e9), rod.material.poisson = wy_constant(0.48);
  rod.material.density = wy_constant(1300);
  rod.damping.kind = WY_DAMPING_TIME, rod.damping.time = wy_constant(1e-4);
  rod.drag.translation = 5;
  rod.shape.curvature[1] = wy_constant(curvature);
  rod.shape.direction[0] = 1, rod.shape.direction[1] = rod.shape.direction[2] = 0;
  rod.shape.d1[0] = rod.shape.d1[1] = 0, rod.shape.d1[2] = -1;
  rod.ends[0] = wy_end_clamped();
  wy_model_def def = wy_default_model_def();
  def.rods = &rod, def.rod_count = 1;
  def.gravity[2] = -9.81;
  wy_model *model = NULL;
  wy_model_create(&def, &model, NULL);
  return model;
}

/* Strands of unlike length and radius. */
static wy_batch *make_strands(const wy_model *model, wy_batch_def *def) {
  wy_message message = {.text = ""};
  wy_batch *batch = NULL;
  if (def->staggered.curvature_measure == WY_AUTO_MEASURE)
    def->staggered.curvature_measure = WY_TAN2;
  if (wy_batch_create(model, def, &batch, &message)) {
    complain(message.text);
    return NULL;
  }
  double *lengths = calloc((size_t)def->count, sizeof *lengths), *radii = calloc((size_t)def->count, sizeof *radii);
  uint32_t seed = 99;
  for (int i = 0; i < def->count && lengths && radii; i++)
    lengths[i] = length * (1 + 0.2 * strict_noise(&seed)), radii[i] = 35e-6 * (1 + 0.2 * strict_noise(&seed));
  if (!lengths || !radii || wy_batch_set(batch, WY_BATCH_LENGTH, lengths, &message) ||
      wy_batch_set(batch, WY_BATCH_RADIUS, radii, &message))
    complain(message.text);
  free(lengths), free(radii);
  return batch;
}

/* All roots at t, which swing by 5 mm and turn by 0.3 rad about the x axis, along which the strands begin. */
static void place_roots(int count, double t, double *poses, double *rates) {
  const double w = 6, share = 0.5 * (1 - cos(w * t)), rate_of_share = 0.5 * w * sin(w * t);
  const double half = 0.15 * share, c = cos(half) * sqrt(0.5), s = sin(half) * sqrt(0.5);
  for (int i = 0; i < count; i++) {
    const double pose[7] = {5e-3 * share, 5e-3 * share, 0, c, s, c, s};
    const double rate[6] = {5e-3 * rate_of_share, 5e-3 * rate_of_share, 0, 0.3 * rate_of_share, 0, 0};
    memcpy(poses + 7 * (size_t)i, pose, sizeof pose);
    memcpy(rates + 6 * (size_t)i, rate, sizeof rate);
  }
}

static int move_roots(wy_batch *batch, double t, double *poses, double *rates) {
  wy_message message = {.text = ""};
  place_roots(wy_batch_describe(batch).count, t, poses, rates);
  return wy_batch_roots(batch, poses, rates, &message) ? complain(message.text) : 0;
}

/* The processor's threads, for what a frame leaves to the processor. */
static void run_tasks(void *pool, int count, void (*task)(void *context, int index), void *context) {
  (void)pool;
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic)
#endif
  for (int i = 0; i < count; i++)
    task(context, i);
}

/* ---- Accuracy ---- */

enum { STRANDS = 128 };

/* Tips after each frame of a second. */
static int record_tips(const wy_model *model, wy_batch_def def, double *tips) {
  static double x[3 * VERTICES * STRANDS], poses[7 * STRANDS], rates[6 * STRANDS];
  wy_message message = {.text = ""};
  def.count = STRANDS;
  wy_batch *batch = make_strands(model, &def);
  int failed = !batch;
  for (int n = 0; n < SECOND && !failed; n++) {
    failed = move_roots(batch, (n + 1) / 60.0, poses, rates) || wy_batch_advance(batch, 1 / 60.0, &message) < 0 ||
             wy_batch_positions(batch, 0, STRANDS, x, &message);
    for (int i = 0; i < STRANDS; i++)
      memcpy(tips + 3 * (n * STRANDS + i), x + 3 * (VERTICES * i + SEGMENTS), 3 * sizeof *tips);
  }
  if (failed)
    complain(message.text);
  if (batch && wy_batch_work(batch).failed)
    printf("accuracy: %ld of %d strands failed\n", wy_batch_work(batch).failed, STRANDS);
  wy_batch_destroy(batch);
  return failed;
}

static double most_apart(const double *a, const double *b) {
  double most = 0;
  for (int i = 0; i < 3 * SECOND * STRANDS; i++)
    most = !(fabs(a[i] - b[i]) <= most) ? fabs(a[i] - b[i]) : most; /* a NaN stays */
  return most / length;
}

static int compare_tips(void) {
  static double want[3 * SECOND * STRANDS], got[3 * SECOND * STRANDS];
  int failed = !find_gpu();
  for (int curly = 0; curly < 2 && !failed; curly++) {
    wy_model *model = make_hair(curly ? 10 : 0);
    for (int substeps = 8; substeps <= 16 && !failed; substeps += 4) {
      wy_batch_def def = wy_default_batch_def();
      def.substeps = substeps, def.device = WY_BATCH_CPU, def.gpu = wy_gpu();
      def.retries = curly ? 4 : 0; /* so few substeps lose some curls */
      def.tolerance = curly ? 0.05 : (double)INFINITY;
      failed = record_tips(model, def, want);
      for (int p = 0; p < 3 && !failed; p++) {
        double apart[2] = {0};
        for (int gpu = 0; gpu < 2 && !failed; gpu++) {
          def.precision = (wy_batch_precision)p, def.device = gpu ? WY_BATCH_GPU : WY_BATCH_CPU;
          failed = record_tips(model, def, got);
          apart[gpu] = most_apart(got, want);
        }
        printf("accuracy, %-8s %2d solves a frame, %-7s tip / L off double on the CPU: cpu %.2e gpu %.2e\n",
               curly ? "curled" : "straight", substeps, strict_precisions[p], apart[0], apart[1]);
      }
    }
    wy_model_destroy(model);
  }
  return failed;
}

/* ---- The time of a solve ---- */

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Rods of the machine: those of a batch on the CPU, again and again. */
static void fill(const wy_batch *samples, const wy_batch_backend *gpu, void *machine, int count) {
  const wy_batch_array arrays[] = {WY_ARRAY_PARAMETERS, WY_ARRAY_NATURAL, WY_ARRAY_ENDS, WY_ARRAY_STATE,
                                   WY_ARRAY_BEFORE};
  for (int a = 0; a < 5; a++) {
    const wy_batch_array from = arrays[a] == WY_ARRAY_STATE    ? wy_batch_state_array(samples, false)
                                : arrays[a] == WY_ARRAY_BEFORE ? wy_batch_state_array(samples, true)
                                                               : arrays[a];
    double *rows = calloc((size_t)SAMPLES * (size_t)wy_batch_entries(&samples->kind, arrays[a]), sizeof *rows);
    samples->backend->download(samples->machine, from, 0, SAMPLES, rows);
    for (int first = 0; first < count; first += SAMPLES)
      gpu->upload(machine, arrays[a], first, count - first < SAMPLES ? count - first : SAMPLES, rows);
    free(rows);
  }
}

static int time_steps(const wy_batch_backend *gpu, void *machine, int count, int substeps, const char *precision) {
  wy_batch_substep steps[64];
  double times[TIMED];
  const double frame = 1 / 60.0 / WY_BATCH_TICK;
  for (int i = 0; i < substeps; i++)
    steps[i] = (wy_batch_substep){frame / substeps, 1, (double)(i + 1) / substeps};
  for (int n = 0; n <= TIMED; n++) {
    const wy_batch_plan plan = {.side = n % 2,
                                .first = n == 0,
                                .frame = frame,
                                .count = substeps,
                                .substeps = steps,
                                .kept = substeps - 1,
                                .loads_stand = true,
                                .obstacles_stand = true};
    const double start = seconds();
    gpu->step(machine, 0, 0, (count + 31) / 32, &plan);
    if (gpu->error(machine))
      return complain(gpu->error(machine));
    if (n > 0)
      times[n - 1] = 1e3 * (seconds() - start);
  }
  qsort(times, TIMED, sizeof *times, by_size);
  printf("solve, %7d x %d, %-7s %2d solves: %8.4f ms a solve, frame %8.3f ms (median of %d; least %.3f)\n", count,
         SEGMENTS, precision, substeps, times[TIMED / 2] / substeps, times[TIMED / 2], TIMED, times[0]);
  return 0;
}

static int time_solves(const wy_batch_backend *gpu, int count, const char *precision, int substeps,
                       wy_curvature_measure measure) {
  int p = 0, lanes;
  while (p < 3 && strcmp(strict_precisions[p], precision) != 0)
    p++;
  if (!gpu || p == 3 || substeps < 1 || substeps > 64)
    return complain("expected: measure solve COUNT double|mixed|single SUBSTEPS");
  wy_model *model = make_hair(10);
  wy_batch_def def = wy_default_batch_def();
  def.count = SAMPLES, def.substeps = 16, def.device = WY_BATCH_CPU; /* with retries: all are well */
  def.staggered.curvature_measure = measure;
  wy_batch *samples = make_strands(model, &def);
  for (int n = 0; n < 5; n++)
    wy_batch_advance(samples, 1 / 60.0, NULL);
  wy_batch_kind kind = samples->kind;
  kind.count = count, kind.precision = (wy_batch_precision)p, kind.most_substeps = 64;
  const char *name;
  void *machine = gpu->create(&kind, &lanes, &name);
  int failed = !machine;
  if (machine) {
    fill(samples, gpu, machine, count);
    failed = time_steps(gpu, machine, count, substeps, precision);
    gpu->destroy(machine);
  }
  wy_batch_destroy(samples);
  wy_model_destroy(model);
  return failed ? complain("the GPU failed, or has no memory") : 0;
}

/* ---- A warp for each rod against a thread for each ---- */

/* The backend of another library than that of WITHY_CUDA, such as one that has no warps. */
static const wy_batch_backend *load_backend(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL), *symbol = library ? dlsym(library, WY_BATCH_BACKEND_NAME) : NULL;
  wy_batch_find_backend find;
  memcpy(&find, &symbol, sizeof find); /* a function behind a pointer to an object, as POSIX has it */
  const char *reason = "";
  return symbol ? find(WY_VERSION, &reason) : NULL;
}

/* Tips of straight hair in single precision against double precision on the CPU, and against each other. */
static int compare_libraries(const wy_batch_backend *const backends[2]) {
  static double want[3 * SECOND * STRANDS], got[2][3 * SECOND * STRANDS];
  wy_model *model = make_hair(0);
  int failed = 0;
  for (int substeps = 8; substeps <= 16 && !failed; substeps += 8) {
    wy_batch_def def = wy_default_batch_def();
    def.substeps = substeps, def.device = WY_BATCH_CPU;
    def.retries = 0, def.tolerance = (double)INFINITY;
    failed = record_tips(model, def, want);
    def.device = WY_BATCH_GPU, def.precision = WY_BATCH_SINGLE;
    for (int i = 0; i < 2 && !failed; i++) {
      def.gpu.backend = backends[i];
      failed = record_tips(model, def, got[i]);
    }
    if (!failed)
      printf("tips, %2d solves a frame, tip / L off double on the CPU: first %.2e, second %.2e; off each other %.2e\n",
             substeps, most_apart(got[0], want), most_apart(got[1], want), most_apart(got[1], got[0]));
  }
  wy_model_destroy(model);
  return failed;
}

static int compare_warps(const char *path) {
  static const int counts[] = {32, 128, 500, 1000, 1500, 2000, 2500, 3000, 4000, 6000, 8000};
  const wy_batch_backend *const backends[2] = {load_backend(path), find_gpu()};
  if (!backends[0] || !backends[1])
    return complain("expected: a library for CUDA that can be loaded, and a GPU");
  int failed = compare_libraries(backends);
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
    for (int k = 0; k < 2 && !failed; k++) {
      printf("%s ", k ? "second" : "first ");
      failed = time_solves(backends[k], counts[i], "single", 16, WY_TAN2);
    }
  return failed;
}

/* ---- A frame with all that goes with it ---- */

/* Times of roots, advance, positions and all of them, in seconds. Returns false where something fails. */
static bool time_frame(wy_batch *batch, const double *poses, const double *rates, double times[4]) {
  wy_message message = {.text = ""};
  const void *there;
  const double a = seconds();
  int failed = poses && wy_batch_roots(batch, poses, rates, &message);
  const double b = seconds();
  failed = failed || wy_batch_advance(batch, 1 / 60.0, &message) < 0;
  const double c = seconds();
  failed = failed || wy_batch_device_positions(batch, &there, &message);
  const double d = seconds();
  times[0] = b - a, times[1] = c - b, times[2] = d - c, times[3] = d - a;
  return failed ? complain(message.text) == 0 : true;
}

static bool time_some_frames(wy_batch *batch, double *poses, double *rates, bool moving) {
  const wy_batch_info info = wy_batch_describe(batch);
  const wy_batch_statistics before = wy_batch_work(batch);
  double times[4][TIMED], own[4];
  for (int n = 0; n < TIMED; n++) {
    place_roots(info.count, (n + 1) / 60.0, poses, rates);
    if (!time_frame(batch, moving ? poses : NULL, rates, own))
      return false;
    for (int k = 0; k < 4; k++)
      times[k][n] = own[k];
  }
  for (int k = 0; k < 4; k++)
    qsort(times[k], TIMED, sizeof times[k][0], by_size);
  printf("frame, %7d x %d, single, %2d solves, roots that %s: %.3f ms (roots %.3f, advance %.3f, positions %.3f); "
         "%.2g %% moved again\n",
         info.count, SEGMENTS, info.substeps, moving ? "move " : "stand", 1e3 * times[3][TIMED / 2],
         1e3 * times[0][TIMED / 2], 1e3 * times[1][TIMED / 2], 1e3 * times[2][TIMED / 2],
         100 * (wy_batch_work(batch).refined - before.refined) / info.count / TIMED);
  return true;
}

static int time_frames(int count, int substeps) {
  wy_model *model = make_hair(10);
  wy_batch_def def = wy_default_batch_def();
  def.count = count, def.substeps = substeps, def.device = WY_BATCH_GPU, def.precision = WY_BATCH_SINGLE;
  def.gpu = wy_gpu();
  def.tasks.run = run_tasks;
  wy_batch *batch = make_strands(model, &def);
  double *poses = calloc((size_t)count, 7 * sizeof *poses), *rates = calloc((size_t)count, 6 * sizeof *rates);
  bool good = batch && poses && rates;
  if (!good || wy_batch_describe(batch).device != WY_BATCH_GPU)
    good = complain("no GPU, or no memory") == 0;
  for (int moving = 0; good && moving < 2; moving++)
    good = time_some_frames(batch, poses, rates, moving);
  free(poses), free(rates);
  wy_batch_destroy(batch);
  wy_model_destroy(model);
  return good ? 0 : 1;
}

int main(int count, char **words) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (count == 3 && strcmp(words[1], "strict") == 0)
    return compare_bits(words[2]);
  if (count == 2 && strcmp(words[1], "accuracy") == 0)
    return compare_tips();
  if (count == 5 && strcmp(words[1], "solve") == 0)
    return time_solves(find_gpu(), atoi(words[2]), words[3], atoi(words[4]), WY_TAN2);
  if (count == 6 && strcmp(words[1], "solve") == 0 && strcmp(words[5], "angle") == 0)
    return time_solves(find_gpu(), atoi(words[2]), words[3], atoi(words[4]), WY_ANGLE);
  if (count == 3 && strcmp(words[1], "warps") == 0)
    return compare_warps(words[2]);
  if (count == 4 && strcmp(words[1], "frame") == 0)
    return time_frames(atoi(words[2]), atoi(words[3]));
  return complain("expected: measure strict FILE | accuracy | solve COUNT PRECISION SUBSTEPS [angle] | warps LIBRARY | "
                  "frame COUNT SUBSTEPS");
}
