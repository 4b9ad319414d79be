/* SPDX-License-Identifier: MIT */
/* Batches at random: grooms whose roots are shaken, hair that falls on a head, rods that are thrown at obstacles. No
   number is ever not finite; rods that fail are reported, once, and stay as they were; the others keep their roots, and
   the length of their segments; nothing passes through an obstacle; and where roots come to rest no rod is moved again
   for ever. batch [--seed S] [--runs N] [--frames N] [--only I] [--verbose] Run I of a seed is the same whatever else
   runs. Exit 1: some run is wrong; its number is printed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "random/chance.h"
#include "withy/withy.h"

enum { MOST_RODS = 24, MOST_SEGMENTS = 25, VERTEX_NUMBERS = 3 * (MOST_SEGMENTS + 1), LAST = 30 };

typedef enum kind { SHAKEN, HEAD, THROWN, KINDS } kind;
static const char *const kind_names[] = {"shaken", "head", "thrown"};

/* Ends swing: size and rate of place and turn. */
typedef struct scene {
  kind kind;
  wy_rod_def rod;
  wy_obstacle_def obstacle;
  wy_contact_def contact;
  wy_batch_def batch;
  double gravity[3], frame, rate, size[3], turn, axis[3];
  bool with_rates;
  double values[WY_BATCH_VELOCITY + 1][7 * MOST_RODS];
  double drift[3], drift_rate; /* of the obstacle */
} scene;

/* ---- What is drawn ---- */

static void draw_hair(chance *c, scene *s) {
  wy_rod_def *rod = &s->rod;
  *rod = wy_default_rod_def();
  rod->name = "rod";
  rod->segments = 4 + one_of(c, MOST_SEGMENTS - 3);
  rod->section.shape = WY_CIRCLE;
  rod->material.given = true;
  rod->material.density = wy_constant(between(c, 900, 2000));
  rod->material.poisson = wy_constant(between(c, 0.2, 0.5));
  rod->drag.translation = between(c, 0, 20);
  const bool thick = s->kind == THROWN;
  rod->length = thick ? between(c, 0.2, 0.8) : spread(c, 0.03, 0.5);
  rod->section.radius = wy_constant(thick ? spread(c, 2e-3, 1.2e-2) : spread(c, 2e-5, 3e-4));
  rod->material.young = wy_constant(thick ? spread(c, 1e6, 1e9) : spread(c, 1e8, 1e10));
  if (any(c) < 0.9) {
    rod->damping.kind = WY_DAMPING_TIME;
    rod->damping.time = wy_constant(thick ? spread(c, 1e-4, 1e-2) : spread(c, 1e-5, 1e-3));
  }
  if (s->kind != THROWN)
    rod->ends[WY_START] = any(c) < 0.85 ? wy_end_clamped() : wy_end_pinned();
  wy_put3(s->gravity, wy_times(9.81, direction(c)));
}

static void draw_batch(chance *c, scene *s) {
  s->batch = wy_default_batch_def();
  s->batch.count = 8 + one_of(c, MOST_RODS - 7);
  s->batch.precision = (wy_batch_precision)one_of(c, 3);
  s->batch.substeps = any(c) < 0.6 ? 0 : 8 + one_of(c, 17);
  s->batch.integrator = WY_BATCH_BDF2;
  s->batch.staggered.curvature_measure = (wy_curvature_measure)(any(c) < 0.6 ? WY_TAN2 : one_of(c, 5));
  s->frame = between(c, 1.0 / 120, 1.0 / 50);
}

/* A frame whose third axis is d3. */
static void frame_of(chance *c, wy_v3 d3, double q[4]) {
  const wy_v3 any_way = direction(c), across = wy_cross(d3, any_way);
  const wy_v3 d1 = wy_times(1 / wy_norm(across), across);
  const wy_m3 columns = {d1, wy_cross(d3, d1), d3};
  double rows[9];
  wy_to_rows(columns, rows);
  wy_qfrom_matrix(rows, q);
}

static void draw_numbers(chance *c, scene *s) {
  const double usual[] = {s->rod.material.young.value,
                          s->rod.material.density.value,
                          s->rod.section.radius.value,
                          1,
                          s->rod.drag.translation,
                          1,
                          s->rod.length};
  for (int i = 0; i < s->batch.count; i++) {
    for (int number = 0; number <= WY_BATCH_LENGTH; number++)
      s->values[number][i] = usual[number] * between(c, 0.7, 1.4);
    const double most = (s->kind == SHAKEN ? 0.2 : 0.03) * s->rod.segments / s->values[WY_BATCH_LENGTH][i];
    wy_put3(s->values[WY_BATCH_CURVATURE] + (size_t)3 * (size_t)i, wy_times(any(c) * most, direction(c)));
    double *root = s->values[WY_BATCH_ROOT] + (size_t)7 * (size_t)i;
    const wy_v3 out = direction(c);
    wy_v3 d3 = wy_plus(wy_times(1.2, out), direction(c));
    d3 = wy_times(1 / wy_norm(d3), d3);
    frame_of(c, d3, root + 3);
    const double from = s->obstacle.radius + 1.4 * s->values[WY_BATCH_RADIUS][i];
    wy_put3(root, s->kind == HEAD ? wy_times(from, out) : wy_times(between(c, 0, 0.2), out));
    wy_put3(s->values[WY_BATCH_VELOCITY] + (size_t)3 * (size_t)i,
            s->kind == SHAKEN ? wy_times(0, out) : wy_times(between(c, 0, 0.5), direction(c)));
  }
}

static void draw_shaking(chance *c, scene *s) {
  s->rate = between(c, 3, 40);
  const double size = fmin(0.1, 150 / (s->rate * s->rate)) * any(c); /* 15 times gravity at most */
  wy_put3(s->size, wy_times(size, direction(c)));
  s->turn = fmin(1, 20 / s->rate) * any(c);
  wy_put3(s->axis, direction(c));
  s->with_rates = any(c) < 0.7;
}

static void drifting(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const double *from = context;
  (void)wrt, (void)s;
  jet[0] = from[0] + from[1] * t, jet[1] = from[1], jet[2] = 0;
}

/* A head in the middle, or something in the way of rods that are thrown. */
static void draw_obstacle(chance *c, scene *s) {
  wy_obstacle_def *def = &s->obstacle;
  static const wy_obstacle_shape shapes[] = {WY_OBSTACLE_PLANE, WY_OBSTACLE_SPHERE, WY_OBSTACLE_CAPSULE,
                                             WY_OBSTACLE_CYLINDER};
  *def = wy_default_obstacle_def();
  def->name = "obstacle";
  s->contact = wy_default_contact_def();
  s->contact.friction = any(c) < 0.5 ? 0 : between(c, 0.05, 0.9);
  s->contact.stick = false;
  s->contact.restitution = any(c);
  def->shape = s->kind == HEAD ? WY_OBSTACLE_SPHERE : shapes[one_of(c, 4)];
  def->radius = between(c, 0.08, 0.2);
  def->length = def->shape == WY_OBSTACLE_CYLINDER ? (double)INFINITY : between(c, 0.05, 0.4);
  wy_v3 axis = direction(c);
  if (s->kind == THROWN) {
    const wy_v3 to = wy_times(1 / 9.81, wy_at3(s->gravity));
    const double reach = 0.3 + 1.5 * s->rod.length;
    const double clear = def->shape == WY_OBSTACLE_PLANE ? reach : reach + def->radius;
    axis = def->shape == WY_OBSTACLE_PLANE ? wy_times(-1, to) : axis;
    wy_v3 centre = wy_times(clear + (def->shape == WY_OBSTACLE_CAPSULE ? def->length : 0), to);
    if (def->shape == WY_OBSTACLE_CYLINDER) { /* across the way, so that its length does not begin at the rods */
      axis = wy_cross(to, axis);
      axis = wy_times(1 / wy_norm(axis), axis);
    }
    const double place[3] = {centre.x, centre.y, centre.z};
    for (int k = 0; k < 3; k++)
      def->position[k] = wy_constant(place[k]);
    if (any(c) < 0.4) {
      s->drift[0] = centre.x, s->drift[1] = between(c, -0.5, 0.5);
      def->position[0] = (wy_signal){0, drifting, s->drift, WY_TIME};
    }
  }
  wy_put3(def->axis, axis);
}

static void draw(chance *c, scene *s) {
  memset(s, 0, sizeof *s);
  s->kind = (kind)one_of(c, KINDS);
  draw_hair(c, s);
  draw_obstacle(c, s);
  draw_batch(c, s);
  draw_numbers(c, s);
  draw_shaking(c, s);
  if (s->kind == THROWN) {
    const wy_v3 v = wy_times(between(c, 0, 3) / 9.81, wy_at3(s->gravity));
    s->rod.initial.velocity[0] = wy_constant(v.x);
    s->rod.initial.velocity[1] = wy_constant(v.y);
    s->rod.initial.velocity[2] = wy_constant(v.z);
  }
}

/* ---- One run ---- */

typedef struct outcome {
  bool wrong;
  long failed;
  double refined, frames, late; /* late: frames of rods moved again among the last */
  double nearest;               /* of an axis to an obstacle, in radii */
  char text[2048];
} outcome;

#define SAY(result, ...)                                                                                               \
  do {                                                                                                                 \
    (result)->wrong = true;                                                                                            \
    snprintf((result)->text, sizeof(result)->text, __VA_ARGS__);                                                       \
  } while (0)

/* Where roots are at the end of a frame; they rest after two thirds of all. */
static void move_roots(const scene *s, wy_batch *batch, double t, double until, double *poses, outcome *result) {
  double rates[6 * MOST_RODS];
  wy_message message = {0};
  const double on = t < until ? 1 : 0, at = fmin(t, until), w = s->rate;
  const double angle = s->turn * sin(w * at), spin = on * s->turn * w * cos(w * at);
  double turn[3], q[4];
  for (int k = 0; k < 3; k++)
    turn[k] = angle * s->axis[k];
  wy_qexp(turn, q);
  for (int i = 0; i < s->batch.count; i++) {
    const double *root = s->values[WY_BATCH_ROOT] + (size_t)7 * (size_t)i;
    double *pose = poses + (size_t)7 * (size_t)i, *rate = rates + (size_t)6 * (size_t)i;
    for (int k = 0; k < 3; k++) {
      pose[k] = root[k] + s->size[k] * sin(w * at);
      rate[k] = on * s->size[k] * w * cos(w * at), rate[3 + k] = spin * s->axis[k];
    }
    wy_qmul(q, root + 3, pose + 3);
  }
  if (wy_batch_roots(batch, poses, s->with_rates ? rates : NULL, &message))
    SAY(result, "roots: %s", message.text);
}

static double distance_to(const scene *s, double t, const double *x) {
  const wy_obstacle_def *def = &s->obstacle;
  wy_v3 y = wy_at3(x);
  y.x -= wy_signal_value(&def->position[0], 0, t), y.y -= wy_signal_value(&def->position[1], 0, t);
  y.z -= wy_signal_value(&def->position[2], 0, t);
  const wy_v3 axis = wy_at3(def->axis);
  const double along = wy_inner(axis, y);
  if (def->shape == WY_OBSTACLE_PLANE)
    return along;
  const double half = def->shape == WY_OBSTACLE_SPHERE ? 0 : 0.5 * def->length;
  return wy_norm(wy_minus(y, wy_times(fmax(-half, fmin(half, along)), axis))) - def->radius;
}

/* One rod that has not failed, as it is after a frame. */
static void check_rod(const scene *s, int rod, double t, const double *x, const double *pose, outcome *result) {
  const int n = s->rod.segments;
  const double h = s->values[WY_BATCH_LENGTH][rod] / n;
  for (int i = 0; i < n; i++) {
    const double length = wy_norm(wy_minus(wy_at3(x + (size_t)3 * (size_t)(i + 1)), wy_at3(x + (size_t)3 * (size_t)i)));
    if (!(fabs(length / h - 1) < 0.5))
      SAY(result, "segment %d of rod %d is %.3g of its length at t = %g", i, rod, length / h, t);
  }
  if (s->kind == SHAKEN && !(wy_norm(wy_minus(wy_at3(x), wy_at3(pose))) < 1e-6 + 1e-6 * h))
    SAY(result, "the root of rod %d is not on its support at t = %g", rod, t);
}

/* A substep takes the normal of a round surface as it is at the prediction, so that what goes along it ends too deep;
   it is led back by the next ones. Nothing passes: not a hundredth of the way to the middle of what is round. */
static void check_depth(const scene *s, int rod, double t, const double *x, outcome *result) {
  const double radius = s->values[WY_BATCH_RADIUS][rod];
  const double round = s->obstacle.shape == WY_OBSTACLE_PLANE ? 0 : 0.01 * s->obstacle.radius;
  const double allowed = fmin(0.5, 1 - round / radius);
  for (int i = 0; i <= s->rod.segments; i++) {
    const double near = distance_to(s, t, x + (size_t)3 * (size_t)i) / radius;
    result->nearest = fmin(result->nearest, near);
    if (!(near >= allowed))
      SAY(result, "vertex %d of rod %d is in the obstacle at t = %g: its axis is %.3g radii from it, allowed %.3g", i,
          rod, t, near, allowed);
  }
}

static void watch(const scene *s, wy_batch *batch, int frames, outcome *result) {
  static double x[MOST_RODS * VERTEX_NUMBERS], before[MOST_RODS * VERTEX_NUMBERS], v[MOST_RODS * VERTEX_NUMBERS];
  double poses[7 * MOST_RODS];
  wy_batch_rod rods[MOST_RODS];
  bool failed[MOST_RODS] = {false};
  wy_message message = {0};
  const int count = s->batch.count, one = 3 * (s->rod.segments + 1);
  for (int frame = 0; frame < frames && !result->wrong; frame++) {
    const double end = (frame + 1) * s->frame;
    memcpy(before, x, sizeof x);
    if (s->kind == SHAKEN)
      move_roots(s, batch, end, 2.0 / 3 * frames * s->frame, poses, result);
    const wy_status status = wy_batch_advance(batch, s->frame, &message);
    if (status < 0)
      SAY(result, "frame %d: %s", frame, message.text);
    if (result->wrong || wy_batch_positions(batch, 0, count, x, &message) ||
        wy_batch_velocities(batch, 0, count, v, &message) || wy_batch_status(batch, 0, count, rods, &message))
      return;
    int news = 0;
    for (int i = 0; i < count; i++) {
      const size_t at = (size_t)i * (size_t)one;
      for (size_t k = at; k < at + (size_t)one; k++)
        if (!isfinite(x[k]) || !isfinite(v[k]))
          SAY(result, "rod %d has numbers that are not finite at t = %g", i, end);
      news += rods[i].failed && !failed[i];
      if (failed[i] && !rods[i].failed)
        SAY(result, "rod %d has failed, and says so no more at t = %g", i, end);
      if (rods[i].failed && frame && memcmp(x + at, before + at, (size_t)one * sizeof *x) != 0)
        SAY(result, "rod %d has failed and moves on at t = %g", i, end);
      failed[i] = rods[i].failed;
      if (!failed[i])
        check_rod(s, i, end, x + at, poses + (size_t)7 * (size_t)i, result);
      if (!failed[i] && s->kind != SHAKEN)
        check_depth(s, i, end, x + at, result);
      result->late += frame >= frames - LAST && !failed[i] && rods[i].refined;
    }
    if ((news > 0) != (status > 0))
      SAY(result, "%d rods failed in frame %d, whose status is %d", news, frame, (int)status);
  }
}

static outcome run(scene *s, int frames) {
  outcome result = {.nearest = INFINITY};
  wy_message message = {0};
  wy_model *model = NULL;
  wy_batch *batch = NULL;
  wy_model_def def = wy_default_model_def();
  def.rods = &s->rod, def.rod_count = 1;
  def.obstacles = &s->obstacle, def.obstacle_count = s->kind != SHAKEN;
  def.contact = &s->contact;
  memcpy(def.gravity, s->gravity, sizeof def.gravity);
  wy_status status = wy_model_create(&def, &model, &message);
  if (!status)
    status = wy_batch_create(model, &s->batch, &batch, &message);
  for (int number = 0; number <= WY_BATCH_VELOCITY && !status; number++)
    if (number != WY_BATCH_DAMPING || s->rod.damping.kind == WY_DAMPING_TIME)
      status = wy_batch_set(batch, (wy_batch_number)number, s->values[number], &message);
  if (status)
    SAY(&result, "%s", message.text);
  else
    watch(s, batch, frames, &result);
  const wy_batch_statistics work = wy_batch_work(batch);
  result.failed = work.failed, result.refined = work.refined, result.frames = (double)work.frames * s->batch.count;
  /* of rods that hang or lie still not one in a hundred is moved again */
  if (!result.wrong && s->kind == SHAKEN && result.late > 0.01 * LAST * s->batch.count)
    SAY(&result, "%.0f of the last %d frames are still moved again", result.late, LAST * s->batch.count);
  wy_batch_destroy(batch);
  wy_model_destroy(model);
  return result;
}

int main(int argc, char **argv) {
  long seed = 1, runs = 60, frames = 300, only = -1;
  bool verbose = false;
  for (int i = 1; i < argc; i++) {
    const bool more = i + 1 < argc;
    if (strcmp(argv[i], "--verbose") == 0)
      verbose = true;
    else if (more && strcmp(argv[i], "--seed") == 0)
      seed = strtol(argv[++i], NULL, 10);
    else if (more && strcmp(argv[i], "--runs") == 0)
      runs = strtol(argv[++i], NULL, 10);
    else if (more && strcmp(argv[i], "--frames") == 0)
      frames = strtol(argv[++i], NULL, 10);
    else if (more && strcmp(argv[i], "--only") == 0)
      only = strtol(argv[++i], NULL, 10);
    else {
      fprintf(stderr, "batch: found '%s'; expected --seed S, --runs N, --frames N, --only I, --verbose\n", argv[i]);
      return 2;
    }
  }
  int wrong = 0;
  double failed = 0, rods = 0, refined = 0, all = 0, nearest = INFINITY;
  for (long i = only >= 0 ? only : 0; i < (only >= 0 ? only + 1 : runs); i++) {
    static scene s;
    chance c = {(uint64_t)seed * 1000003u + (uint64_t)i * 7919u};
    any(&c);
    draw(&c, &s);
    const outcome o = run(&s, (int)frames);
    wrong += o.wrong, failed += (double)o.failed, rods += s.batch.count, refined += o.refined, all += o.frames;
    nearest = fmin(nearest, o.nearest);
    if (verbose || o.wrong)
      printf("%ld: %s, %d rods of %d segments, precision %d, substeps %d: %ld failed, %.0f of %.0f frames again, "
             "nearest %.3f radii%s%s\n",
             i, kind_names[s.kind], s.batch.count, s.rod.segments, (int)s.batch.precision, s.batch.substeps, o.failed,
             o.refined, o.frames, o.nearest, o.wrong ? ", WRONG: " : "", o.text);
    fflush(stdout);
  }
  printf("seed %ld: %.0f of %.0f rods failed and are reported, %.0f of %.0f frames moved again, nearest %.3f radii, "
         "%d wrong\n",
         seed, failed, rods, refined, all, nearest, wrong);
  return wrong > 0;
}
