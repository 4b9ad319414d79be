/* SPDX-License-Identifier: MIT */
#include "support/batches.h"

#include <string.h>

#include "check.h"

void set_soft(batch_scene *it) {
  it->rod = rubber_rod(SOFT_SEGMENTS);
  it->rod.drag = (wy_drag){0.3, 2};
  it->rod.damping = (wy_damping){.kind = WY_DAMPING_TIME, .time = wy_constant(2e-3)};
  it->rod.shape.curvature[1] = wy_constant(1.5), it->rod.shape.curvature[2] = wy_constant(1);
  it->rod.ends[0] = wy_end_clamped(), it->rod.ends[1] = wy_end_free();
  for (int i = 0; i < SOFT_LOADS; i++)
    it->loads[i] = wy_default_load_def();
  it->loads[0].force[1] = wy_constant(2e-3);
  it->loads[0].moment[2] = wy_constant(1e-4), it->loads[0].moment[0] = wy_constant(5e-5);
  it->def = wy_default_model_def();
  it->def.gravity[2] = -9.81;
  it->def.load_count = 1;
}

/* Position by a cubic, which is exact between frames; a turn about an axis, which a frame's cubic meets to fourth
   order. */
static void shaken(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const double *size = context;
  (void)wrt, (void)s;
  jet[0] = *size * t * t * (3 - 10 * t), jet[1] = *size * t * (6 - 30 * t), jet[2] = *size * (6 - 60 * t);
}

static const double place = 2, angle = 5;

static wy_end driven(int axis) {
  wy_end end = wy_end_clamped();
  end.rotation = WY_DRIVEN;
  end.axis[axis] = 1;
  end.angle = (wy_signal){0, shaken, &angle, WY_TIME};
  return end;
}

const char *batch_held_name(batch_held held) {
  static const char *const names[HELD_KINDS] = {"clamped and free",   "pinned and free",      "free at both ends",
                                                "free and clamped",   "clamped at both ends", "pinned at both ends",
                                                "clamped and guided", "driven at both ends"};
  return names[held];
}

void hold_scene(batch_scene *it, batch_held held) {
  wy_end *ends = it->rod.ends;
  if (held == PINNED_FREE || held == PINNED_PINNED)
    ends[0] = wy_end_pinned();
  if (held == FREE_FREE || held == FREE_CLAMPED)
    ends[0] = wy_end_free();
  if (held == CLAMPED_CLAMPED || held == FREE_CLAMPED)
    ends[1] = wy_end_clamped();
  if (held == PINNED_PINNED)
    ends[1] = wy_end_pinned();
  if (held == GUIDED)
    ends[1].position[1] = WY_HELD;
  if (held == DRIVEN) {
    ends[0] = driven(2), ends[1] = driven(1);
    ends[0].position[0] = WY_DRIVEN;
    ends[0].path[0] = (wy_signal){0, shaken, &place, WY_TIME};
  }
  if (held == FREE_FREE) {
    it->rod.initial.velocity[1] = wy_constant(0.2), it->rod.initial.angular_velocity[0] = wy_constant(1);
    it->rod.initial.twist = wy_constant(0.1);
  }
}

void make_scene(batch_scene *it) {
  wy_message message = {.text = ""};
  it->def.rods = &it->rod, it->def.rod_count = 1;
  it->def.loads = it->loads;
  must(wy_model_create(&it->def, &it->model, &message), &message);
}

wy_batch_def fixed_batch(int substeps) {
  wy_batch_def def = wy_default_batch_def();
  def.substeps = substeps, def.retries = 0, def.tolerance = INFINITY;
  def.integrator = WY_BATCH_BDF2;
  return def;
}

wy_batch *batch_of(const wy_model *model, const wy_batch_def *def) {
  wy_message message = {.text = ""};
  wy_batch *batch = NULL;
  must(wy_batch_create(model, def, &batch, &message), &message);
  return batch;
}

void run_batch(wy_batch *batch, int frames, double frame_time) {
  wy_message message = {.text = ""};
  for (int i = 0; i < frames; i++)
    must(wy_batch_advance(batch, frame_time, &message), &message);
}

void batch_positions(wy_batch *batch, int rod, double *x) {
  wy_message message = {.text = ""};
  must(wy_batch_positions(batch, rod, 1, x, &message), &message);
}

void lone_positions(const wy_model *model, const wy_staggered_options *options, double time, double *x) {
  wy_message message = {.text = ""};
  wy_sim_def def = wy_default_sim_def();
  def.solver.integrator = "radau5";
  def.solver.relative_tolerance = def.solver.absolute_tolerance = 1e-10;
  def.solver.staggered = *options;
  wy_sim *sim = NULL;
  must(wy_sim_create(model, &def, &sim, &message), &message);
  must(wy_sim_advance(sim, time, &message), &message);
  const wy_points *position = &wy_sim_view(sim, 0)->position;
  memcpy(x, position->values, 3 * (size_t)position->count * sizeof *x);
  wy_sim_destroy(sim);
}

double batch_distance(const double *a, const double *b, int count) {
  double most = 0;
  for (int i = 0; i < count; i++)
    most = fmax(most, fabs(a[i] - b[i]));
  return most;
}
