/* SPDX-License-Identifier: MIT */
/* Equilibria for pictures: what the rods bear, their modes, and where they were before. */
#include <math.h>
#include <string.h>

#include "draw/modes.h"
#include "draw/plot/gather.h"

enum { MOST_MODES = 6 };

static const double edge_distance = 0.1; /* of an edge from the centreline, over the size of the rod */

/* ---- Forces ---- */

static wy_plot_along gather_along(const wy_plot_run *run, const char *rod, const char *dataset) {
  const wy_stored_field *field = run->snapshots > 0 ? wy_plot_field(run, rod, dataset) : NULL;
  wy_plot_along out = {0};
  if (!field)
    return out;
  double *values = wy_memory_take(run->memory, 3 * (size_t)field->points, sizeof *values);
  if (!wy_plot_good(run, wy_folder_read(run->folder, field, run->snapshots - 1, 1, 1, values, NULL)))
    return out;
  out = (wy_plot_along){.count = field->points, .s = field->s};
  for (int c = 0; c < 3; c++) {
    out.values[c] = wy_memory_take(run->memory, (size_t)out.count, sizeof(double));
    for (int i = 0; i < out.count; i++)
      out.values[c][i] = values[3 * i + c];
  }
  return out;
}

void wy_plot_gather_forces(wy_plot_run *run) {
  for (int r = 0; r < run->rod_count; r++) {
    run->rods[r].force = gather_along(run, run->rods[r].name, "force");
    run->rods[r].moment = gather_along(run, run->rods[r].name, "moment");
  }
}

/* ---- Modes ---- */

static void point_at(const wy_stored_shapes *in, const double *line, double s, double out[3]) {
  int i = 0;
  while (i < in->points - 2 && in->s[i + 1] < s)
    i++;
  double part = (s - in->s[i]) / (in->s[i + 1] - in->s[i]);
  for (int c = 0; c < 3; c++)
    out[c] = line[3 * i + c] + part * (line[3 * i + 3 + c] - line[3 * i + c]);
}

/* d1 of a frame that a body rotation v has turned, to first order and of length 1. */
static void turned_director(const double q[4], const double v[3], double out[3]) {
  double w = q[0], x = q[1], y = q[2], z = q[3];
  double d1[3] = {1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)};
  double d2[3] = {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)};
  double d3[3] = {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)};
  double length = sqrt(1 + v[2] * v[2] + v[1] * v[1]);
  for (int c = 0; c < 3; c++)
    out[c] = (d1[c] + v[2] * d2[c] - v[1] * d3[c]) / length;
}

/* A rod that swings. */
typedef struct swing {
  const wy_stored_shapes *in;
  int k;
} swing;

/* Centreline, and the lines displaced by the mode one way and the other, at `at` of the mode. */
static int draw_displaced(const swing *of, double factor, wy_plot_mode *out, size_t at) {
  size_t values = 3 * (size_t)of->in->points;
  const double *d = of->in->displacement + (size_t)of->k * values;
  const double *position = of->in->position + (of->in->own ? (size_t)of->k : 0) * values;
  for (size_t i = 0; i < values; i++) {
    out->rest[at + i] = position[i];
    out->shape[at + i] = position[i] + factor * d[i];
    out->other[at + i] = position[i] - factor * d[i];
  }
  return of->in->points;
}

/* Centreline and an edge in the direction of d1, turned and at rest. */
static int draw_turned(const swing *of, double factor, double distance, wy_plot_mode *out, size_t at) {
  const wy_stored_shapes *in = of->in;
  size_t state = in->own ? (size_t)of->k : 0;
  const double *rotation = in->rotation + (size_t)of->k * 3 * (size_t)in->frames;
  const double *position = in->position + state * 3 * (size_t)in->points;
  const double *frame = in->frame + state * 4 * (size_t)in->frames;
  for (int i = 0; i < in->frames; i++, at += 3) {
    double director[3], turned[3], angle[3];
    const double none[3] = {0, 0, 0};
    for (int c = 0; c < 3; c++)
      angle[c] = factor * rotation[3 * i + c];
    turned_director(frame + 4 * (size_t)i, none, director);
    turned_director(frame + 4 * (size_t)i, angle, turned);
    point_at(in, position, in->frame_s[i], out->rest + at);
    for (int c = 0; c < 3; c++) {
      out->shape[at + (size_t)c] = out->rest[at + (size_t)c] + distance * turned[c];
      out->other[at + (size_t)c] = out->rest[at + (size_t)c] + distance * director[c];
    }
  }
  return in->frames;
}

static void draw_mode(wy_plot_run *run, const swing *swings, int count, wy_plot_mode *mode) {
  wy_mode_extent extent = {0};
  size_t room = 0, at = 0;
  for (int i = 0; i < count; i++) {
    wy_modes_widen(swings[i].in, swings[i].k, &extent);
    room += 3 * (size_t)(swings[i].in->points + swings[i].in->frames);
  }
  double factor = wy_modes_factor(&extent), distance = edge_distance * wy_modes_size(&extent);
  double **lines[] = {&mode->rest, &mode->shape, &mode->other};
  for (int i = 0; i < 3; i++)
    *lines[i] = wy_memory_take(run->memory, room, sizeof(double));
  mode->turning = extent.turning;
  mode->lines = count;
  mode->points = wy_memory_take(run->memory, (size_t)count, sizeof *mode->points);
  for (int i = 0; i < count; i++, at = 3 * (size_t)mode->count) {
    mode->points[i] = mode->turning ? draw_turned(&swings[i], factor, distance, mode, at)
                                    : draw_displaced(&swings[i], factor, mode, at);
    mode->count += mode->points[i];
  }
}

/* The first modes are drawn, but motions of the rod as a whole (omega = 0) only where there is nothing else. */
static bool is_drawn(const wy_stored_modes *modes, int number) {
  int before = 0, still = 0;
  for (int i = 0; i < modes->count; i++)
    still += modes->value[i] == 0;
  bool all_still = still == modes->count;
  for (int i = 0; i < number - 1; i++)
    before += all_still || modes->value[i] != 0;
  return before < MOST_MODES && (all_still || modes->value[number - 1] != 0);
}

/* All rods that have a mode. */
static void gather_mode(wy_plot_run *run, const wy_stored_modes *modes, const char *const *names, int names_count,
                        int number) {
  swing *swings = wy_memory_take(run->memory, (size_t)names_count, sizeof *swings);
  wy_plot_mode *mode = &run->modes[run->mode_count];
  int count = 0;
  for (int r = 0; r < names_count; r++) {
    const wy_stored_shapes *shapes = NULL;
    wy_plot_good(run, wy_folder_shapes(run->folder, names[r], &shapes, NULL));
    int k = 0;
    while (shapes && k < shapes->count && shapes->number[k] != number)
      k++;
    if (!shapes || k == shapes->count || shapes->points < 2) /* a body */
      continue;
    if (count == 0)
      mode->rod = names[r];
    swings[count++] = (swing){shapes, k};
  }
  if (count == 0)
    return;
  mode->number = number;
  mode->value = modes->value[number - 1];
  mode->damping_ratio = modes->damping_ratio ? modes->damping_ratio[number - 1] : 0;
  draw_mode(run, swings, count, mode);
  run->mode_count++;
}

void wy_plot_gather_modes(wy_plot_run *run) {
  const wy_stored_modes *modes = NULL;
  const char *const *names = NULL;
  int count = 0;
  if (!wy_plot_good(run, wy_folder_modes(run->folder, &modes, NULL)) || !modes ||
      !wy_plot_good(run, wy_folder_names(run->folder, "/modes", &count, &names, NULL)))
    return;
  run->modes = wy_memory_take(run->memory, MOST_MODES, sizeof *run->modes);
  for (int number = 1; number <= modes->count; number++)
    if (is_drawn(modes, number))
      gather_mode(run, modes, names, count, number);
}

/* ---- Before ---- */

/* Where a rod was undeformed, before its position now; `deformed` is set where they differ. */
static double *put_before(const wy_plot_run *run, const wy_plot_rod *rod, bool *deformed) {
  const wy_model *model = wy_folder_model(run->folder);
  int index = wy_scenario_rod(wy_folder_scenario(run->folder), rod->name);
  size_t size = 3 * (size_t)rod->points;
  double length = wy_model_rod(model, index)->length, frame[4];
  double *both = wy_memory_take(run->memory, 2 * size, sizeof *both), *now = both + size;
  memcpy(now, rod->position, size * sizeof *now);
  for (int i = 0; i < rod->points; i++) {
    double *x = both + 3 * (size_t)i;
    wy_model_reference(model, index, rod->s[i], x, frame);
    for (int c = 0; c < 3; c++)
      *deformed = *deformed || fabs(now[3 * i + c] - x[c]) > 1e-6 * length;
  }
  return both;
}

void wy_plot_add_undeformed(wy_plot_run *run) {
  bool known = run->shown == 1 && wy_folder_model(run->folder);
  for (int r = 0; r < run->rod_count; r++)
    known = known && wy_scenario_rod(wy_folder_scenario(run->folder), run->rods[r].name) >= 0;
  if (!known)
    return;
  for (int r = 0; r < run->rod_count; r++)
    run->rods[r].position = put_before(run, &run->rods[r], &run->deformed);
  run->undeformed_first = true;
  run->shown = 2;
  run->shown_time = wy_memory_take(run->memory, 2, sizeof(double));
}
