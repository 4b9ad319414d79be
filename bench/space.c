/* SPDX-License-Identifier: MIT */
/* The error in space: two cantilevers that are let go horizontally, by schemes, curvature measures, clamps and grids.
 */
#include <math.h>

#include "bench/bench.h"
#include "bench/timing.h"
#include "withy/method.h"

/* ---- The ways ---- */

#define STAGGERED(text, of, at, by)                                                                                    \
  {                                                                                                                    \
    .name = (text), .scheme = "staggered", .integrator = "rodas", .measure = (of), .clamp = (at), .finer = (by),       \
    .tolerance = 3e-3                                                                                                  \
  }
#define MIXED(text, degree, by, each)                                                                                  \
  { .name = (text), .scheme = "mixed", .integrator = "midpoint", .order = (degree), .finer = (by), .step = (each) }
#define CONSERVING(text, of, tol)                                                                                      \
  { .name = (text), .scheme = "conserving", .integrator = "rodas", .order = (of), .finer = 1, .tolerance = (tol) }

#define CHOSEN(text, asked)                                                                                            \
  { .name = (text), .scheme = "chosen", .accuracy = (asked) }

static const wy_space_way ways[WY_SPACE_RODS][16] = {
    [WY_SPACE_RUBBER] = {STAGGERED("tan2", WY_TAN2, WY_CLAMP_HALF_CELL, 1),
                         STAGGERED("tan4", WY_TAN4, WY_CLAMP_HALF_CELL, 1),
                         STAGGERED("angle", WY_ANGLE, WY_CLAMP_HALF_CELL, 1),
                         STAGGERED("angle, corrected", WY_ANGLE, WY_CLAMP_CORRECTED, 1),
                         STAGGERED("tan2, graded 4", WY_TAN2, WY_CLAMP_HALF_CELL, 4),
                         STAGGERED("tan4, graded 2", WY_TAN4, WY_CLAMP_HALF_CELL, 2),
                         STAGGERED("angle, graded 2", WY_ANGLE, WY_CLAMP_HALF_CELL, 2), CONSERVING("order 2", 2, 3e-3),
                         CONSERVING("order 4", 4, 3e-3), MIXED("order 2", 2, 1, 0.01),
                         MIXED("order 1, graded 4", 1, 4, 0.01), MIXED("order 2, graded 4", 2, 4, 0.01),
                         CHOSEN("accuracy: 1e-2", 1e-2)},
    [WY_SPACE_STEEL] = {STAGGERED("tan2", WY_TAN2, WY_CLAMP_HALF_CELL, 1),
                        STAGGERED("tan2, corrected", WY_TAN2, WY_CLAMP_CORRECTED, 1),
                        STAGGERED("angle", WY_ANGLE, WY_CLAMP_HALF_CELL, 1),
                        STAGGERED("tan2, graded 2", WY_TAN2, WY_CLAMP_HALF_CELL, 2), CONSERVING("order 2", 2, 1e-2),
                        CONSERVING("order 4", 4, 1e-2), MIXED("order 1", 1, 1, 0.0125), MIXED("order 2", 2, 1, 0.0125),
                        MIXED("order 2, short steps", 2, 1, 0.005), CHOSEN("accuracy: 5e-3", 5e-3)},
};

const wy_space_way *wy_space_way_at(wy_space_rod rod, int index) {
  const wy_space_way *way = index >= 0 && index < 16 ? &ways[rod][index] : NULL;
  return way && way->name ? way : NULL;
}

/* ---- The rods ---- */

/* x and z of the tip at t = 0.5 and 1. Rubber: 320 segments, graded, by tan4 and angle, and elements of order 2 agree
   to 5e-5; steel: 128 segments and 8 elements to 1e-4. */
static const double reference[WY_SPACE_RODS][2][2] = {
    [WY_SPACE_RUBBER] = {{-0.16703, -0.91246}, {-0.63225, -0.04121}},
    [WY_SPACE_STEEL] = {{0.98002, -0.18732}, {0.92587, -0.34939}},
};

static wy_rod_def rod_of(wy_space_rod which, int segments) {
  const bool steel = which == WY_SPACE_STEEL;
  wy_rod_def rod = wy_default_rod_def();
  rod.length = 1;
  rod.segments = segments;
  rod.section.shape = WY_CIRCLE;
  rod.section.radius = wy_constant(steel ? 1e-3 : 5e-3);
  rod.material.given = true;
  rod.material.density = wy_constant(steel ? 7850 : 1100);
  rod.material.young = wy_constant(steel ? 2.1e11 : 5e6);
  rod.material.poisson = wy_constant(steel ? 0.2 : 0.5);
  rod.ends[WY_START] = wy_end_clamped();
  return rod;
}

/* ---- Runs ---- */

static wy_status solver_of(const wy_space_way *way, wy_solver_def *solver) {
  *solver = wy_default_solver_def();
  solver->scheme = way->scheme;
  solver->integrator = way->integrator;
  solver->staggered.curvature_measure = way->measure;
  solver->clamp[WY_START] = way->clamp;
  solver->first_step = way->step;
  solver->newton.tolerance = 1e-5;
  if (way->tolerance > 0)
    solver->relative_tolerance = solver->absolute_tolerance = way->tolerance;
  return way->order ? wy_solver_set_order(solver, way->order, NULL) : WY_OK;
}

static wy_status run_once(const wy_model *model, const wy_sim_def *def, wy_space_rod rod, wy_space_figures *figures) {
  wy_sim *sim = NULL;
  wy_status status = wy_sim_create(model, def, &sim, NULL);
  *figures = (wy_space_figures){0};
  for (int k = 0; k < 2 && !status; k++) {
    double tip[4] = {0};
    const double from = wy_bench_seconds();
    status = wy_sim_advance(sim, 0.5 * (k + 1), NULL);
    figures->milliseconds += 1e3 * (wy_bench_seconds() - from);
    if (!status)
      status = wy_sim_probe(sim, WY_POSITION, 0, 1, tip, NULL);
    figures->error = fmax(figures->error, hypot(tip[0] - reference[rod][k][0], tip[2] - reference[rod][k][1]));
  }
  if (sim) {
    const wy_statistics statistics = wy_sim_statistics(sim, 0);
    figures->attempts = statistics.steps + statistics.rejected;
  }
  wy_sim_destroy(sim);
  return status;
}

enum { MOST = 256 };

/* What withy chooses for an accuracy, from a model with any grid. */
static wy_status choose_way(double accuracy, wy_rod_def *def, wy_solver_def *solver, double lengths[MOST]) {
  wy_model *model = NULL;
  wy_space_choice choice;
  wy_status status = wy_bench_model(def, &model);
  *solver = wy_default_solver_def();
  if (!status)
    status = wy_space_choose(model, 0, WY_DYNAMICS, 1, accuracy, 0, solver, &choice, NULL);
  wy_model_destroy(model);
  if (status || choice.segments > MOST)
    return WY_ERROR_INPUT;
  def->segments = choice.segments;
  if (choice.finer[WY_START] == 1 && choice.finer[WY_END] == 1)
    return WY_OK;
  def->segment_lengths = lengths;
  return wy_graded_lengths(choice.segments, def->length, choice.finer, choice.over, lengths, NULL);
}

/* What a way says by itself. */
static wy_status take_way(const wy_space_way *way, wy_rod_def *def, wy_solver_def *solver, double lengths[MOST]) {
  /* Three times sqrt(EI / weight): rubber hangs, steel hardly bends. */
  const double finer[2] = {way->finer, 1}, over = 0.15;
  wy_status status = def->segments <= MOST ? solver_of(way, solver) : WY_ERROR_INPUT;
  if (!status && way->finer > 1) {
    status = wy_graded_lengths(def->segments, def->length, finer, over, lengths, NULL);
    def->segment_lengths = lengths;
  }
  return status;
}

int wy_bench_space(wy_space_rod rod, const wy_space_way *way, int segments, wy_space_figures *figures) {
  enum { RUNS = 5 };
  double lengths[MOST], best = INFINITY;
  wy_rod_def def = rod_of(rod, way->accuracy > 0 ? 20 : segments);
  wy_sim_def sim = wy_default_sim_def();
  wy_model *model = NULL;
  wy_status status = way->accuracy > 0 ? choose_way(way->accuracy, &def, &sim.solver, lengths)
                                       : take_way(way, &def, &sim.solver, lengths);
  if (!status)
    status = wy_bench_model(&def, &model);
  for (int i = 0; i < RUNS && !status; i++) {
    status = run_once(model, &sim, rod, figures);
    best = fmin(best, figures->milliseconds);
  }
  figures->milliseconds = best;
  figures->segments = def.segments;
  wy_model_destroy(model);
  return status;
}
