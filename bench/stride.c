/* SPDX-License-Identifier: MIT */
/* Motions that are shown at sixty pictures a second: `stride` with a number of steps a picture, and integrators with
   error control, on hair and on a rubber cantilever that falls. */
#include <math.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/timing.h"

static const struct {
  const char *name;
  double length, radius, young, poisson, density, damping, drag, curvature;
  int segments;
} scenes[WY_SHOWN_SCENES] = {
    {"hair", 0.25, 35e-6, 4e9, 0.48, 1300, 1e-4, 5, 0, 25},
    {"curled hair", 0.25, 35e-6, 4e9, 0.48, 1300, 1e-4, 5, 10, 25},
    {"rubber", 1, 5e-3, 5e6, 0.5, 1100, 0, 0, 0, 80},
};

const char *wy_shown_name(int scene) {
  return scenes[scene].name;
}

/* Clamped horizontally, and let go. */
static wy_rod_def rod_of(int scene) {
  wy_rod_def rod = wy_default_rod_def();
  rod.length = scenes[scene].length, rod.segments = scenes[scene].segments;
  rod.section.shape = WY_CIRCLE, rod.section.radius = wy_constant(scenes[scene].radius);
  rod.material.given = true;
  rod.material.young = wy_constant(scenes[scene].young), rod.material.poisson = wy_constant(scenes[scene].poisson);
  rod.material.density = wy_constant(scenes[scene].density);
  rod.damping.kind = scenes[scene].damping > 0 ? WY_DAMPING_TIME : WY_UNDAMPED;
  rod.damping.time = wy_constant(scenes[scene].damping);
  rod.drag.translation = scenes[scene].drag;
  rod.shape.direction[0] = 1, rod.shape.direction[1] = rod.shape.direction[2] = 0;
  rod.shape.d1[0] = 0, rod.shape.d1[1] = 1, rod.shape.d1[2] = 0;
  rod.shape.curvature[0] = wy_constant(scenes[scene].curvature); /* up or down */
  rod.ends[WY_START] = wy_end_clamped();
  return rod;
}

static wy_status show(const wy_model *model, const wy_sim_def *def, wy_shown_figures *figures) {
  wy_sim *sim = NULL;
  wy_status status = wy_sim_create(model, def, &sim, NULL);
  const double length = wy_model_rod(model, 0)->length, from = wy_bench_seconds();
  for (int i = 0; i < WY_SHOWN_PICTURES && !status; i++) {
    double tip[4] = {0};
    status = wy_sim_sample(sim, (i + 1) / 60.0, NULL);
    if (!status)
      status = wy_sim_probe(sim, WY_POSITION, 0, length, tip, NULL);
    memcpy(figures->tips[i], tip, sizeof figures->tips[i]);
  }
  figures->seconds = wy_bench_seconds() - from;
  if (sim)
    figures->steps = wy_sim_statistics(sim, 0).steps, figures->rejected = wy_sim_statistics(sim, 0).rejected;
  wy_sim_destroy(sim);
  return status;
}

int wy_bench_shown(int scene, const char *integrator, double tolerance, int steps, wy_shown_figures *figures) {
  enum { RUNS = 5 };
  const wy_rod_def rod = rod_of(scene);
  wy_sim_def def = wy_default_sim_def();
  wy_model_def world = wy_default_model_def();
  wy_model *model = NULL;
  def.solver.integrator = integrator;
  if (steps > 0)
    def.solver.first_step = 1.0 / 60 / steps;
  else
    def.solver.relative_tolerance = def.solver.absolute_tolerance = tolerance;
  world.rods = &rod, world.rod_count = 1, world.gravity[2] = -9.81;
  wy_status status = wy_model_create(&world, &model, NULL);
  double best = INFINITY;
  for (int i = 0; i < RUNS && !status; i++) {
    status = show(model, &def, figures);
    best = fmin(best, figures->seconds);
  }
  figures->seconds = best;
  wy_model_destroy(model);
  return status;
}

double wy_shown_error(int scene, const wy_shown_figures *figures, const wy_shown_figures *reference) {
  double worst = 0;
  for (int i = 0; i < WY_SHOWN_PICTURES; i++) {
    const double *a = figures->tips[i], *b = reference->tips[i], d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    worst = fmax(worst, sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
  }
  return worst / scenes[scene].length;
}
