/* SPDX-License-Identifier: MIT */
/* Timing of whole time steps of the box and of the conserving scheme, through the public interface: the smallest of
   several runs over the same steps, as in kernels.c. */
#include "bench/bench.h"
#include "bench/timing.h"
#include "scenes/published.h"

typedef struct run {
  wy_statistics statistics; /* of all steps */
  double milliseconds;      /* of one step */
} run;

/* Steps from t = 0 to `end`; destroys the case. */
static wy_status measure(wy_case c, double end, run *out) {
  wy_status status = wy_case_create(&c, NULL);
  if (!status)
    status = wy_bench_way(c.sim, end, REPETITIONS, &out->milliseconds);
  if (!status) {
    out->statistics = wy_sim_statistics(c.sim, 0);
    out->milliseconds /= (double)out->statistics.steps;
  }
  wy_case_destroy(&c);
  return status;
}

/* With the default set of coefficients. */
int wy_bench_box(wy_box_motion motion, int cells, wy_box_figures *figures) {
  run r = {0};
  wy_case c = motion == WY_BOX_COIL ? wy_scene_coil(cells) : wy_scene_cantilever(cells);
  c.solver.first_step = motion == WY_BOX_COIL ? 1.0 / 30 : 0.01;
  c.solver.box = wy_default_solver_def().box;
  wy_status status = measure(c, 2, &r);
  *figures = (wy_box_figures){.motion = motion,
                              .cells = cells,
                              .steps = r.statistics.steps,
                              .iterations = r.statistics.newton_iterations,
                              .factorisations = r.statistics.factorisations,
                              .milliseconds = r.milliseconds};
  return status;
}

int wy_bench_conserving(const char *integrator, int segments, wy_conserving_figures *figures) {
  run r = {0};
  wy_case c = wy_scene_twisted(segments);
  c.solver.integrator = integrator;
  c.solver.conserving.order = 2;
  c.solver.first_step = 1.0 / segments;
  wy_status status = measure(c, 100.0 / segments, &r);
  *figures = (wy_conserving_figures){.integrator = integrator,
                                     .segments = segments,
                                     .steps = r.statistics.steps,
                                     .iterations = r.statistics.newton_iterations,
                                     .factorisations = r.statistics.factorisations,
                                     .milliseconds = r.milliseconds};
  return status;
}
