/* SPDX-License-Identifier: MIT */
/* Integrators on the staggered rod: the published examples, and a race over rods of three materials, dampings and
   models for what `auto` chooses. Errors are those of the tip against a run with a tight tolerance. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/timing.h"
#include "scenes/published.h"

/* ---- The rods ---- */

/* How long strain rates count as strains, for light and strong damping. */
static const struct {
  const char *name;
  double light, strong;
} materials[WY_RACE_MATERIALS + 1] = {[WY_RACE_THICK] = {"thick rubber", 1e-5, 1e-2},
                                      [WY_RACE_RUBBER] = {"rubber", 1e-5, 1e-2},
                                      [WY_RACE_STEEL] = {"steel", 1e-7, 1e-3},
                                      [WY_RACE_RANDOM] = {"random", NAN, NAN}};

const char *wy_race_material(const wy_race_rod *rod) {
  return materials[rod->material].name;
}

const char *wy_race_damping(const wy_race_rod *rod) {
  static const char *const names[] = {"none", "light", "strong", "published"};
  return rod->material == WY_RACE_RANDOM ? "random" : names[rod->damping];
}

static void shake(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)wrt, (void)s;
  const double size = 0.3, rate = 12;
  jet[0] = size * (1 - cos(rate * t));
  jet[1] = size * rate * sin(rate * t);
  jet[2] = size * rate * rate * cos(rate * t);
}

static void shake_end(wy_rod_def *rod) {
  rod->ends[WY_START].rotation = WY_DRIVEN;
  rod->ends[WY_START].axis[0] = 1;
  rod->ends[WY_START].angle = (wy_signal){0, shake, NULL, WY_TIME};
}

/* From 0 to 1: the next number of the seed's sequence (splitmix64). */
static double by_chance(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* By orders of magnitude. */
static double spread(uint64_t *state, double least, double most) {
  return least * pow(most / least, by_chance(state));
}

wy_race_rod wy_race_random(int seed) {
  uint64_t state = (uint64_t)seed;
  return (wy_race_rod){.material = WY_RACE_RANDOM,
                       .damping = WY_RACE_STRONG,
                       .kind = WY_COSSERAT,
                       .segments = 8 + (int)(22 * by_chance(&state)),
                       .seed = seed};
}

/* The first bending frequency of a cantilever of length 1, or a pendulum's. */
static double slow_rate(double radius, double young, double density) {
  return fmax(3.516 * sqrt(young * radius * radius / (4 * density)), sqrt(9.81));
}

/* Some are pinned, bent by nature or shaken at their clamp. */
static wy_rod_def random_rod(const wy_race_rod *race, double *slow) {
  uint64_t state = ~(uint64_t)race->seed;
  wy_rod_def rod = wy_default_rod_def();
  const double radius = spread(&state, 7e-4, 3e-2), young = spread(&state, 1e6, 2e11),
               density = spread(&state, 9e2, 8e3), decay = spread(&state, 3e-4, 0.3), end = by_chance(&state);
  *slow = slow_rate(radius, young, density);
  rod.length = 1;
  rod.segments = race->segments;
  rod.section.shape = WY_CIRCLE;
  rod.section.radius = wy_constant(radius);
  rod.material = (wy_material){
      .given = true, .density = wy_constant(density), .young = wy_constant(young), .poisson = wy_constant(0.3)};
  rod.damping.kind = WY_DAMPING_TIME;
  rod.damping.time = wy_constant(decay / *slow);
  rod.ends[WY_START] = end < 0.3 ? wy_end_pinned() : wy_end_clamped();
  if (end > 0.7)
    shake_end(&rod);
  if (by_chance(&state) < 0.3)
    rod.shape.curvature[0] = wy_constant(2 * by_chance(&state));
  return rod;
}

/* Rubber as thick as an arm, the published rubber rod, the published steel string. */
static wy_rod_def rod_of(const wy_race_rod *race) {
  double slow;
  if (race->material == WY_RACE_RANDOM)
    return random_rod(race, &slow);
  wy_rod_def rod =
      race->material == WY_RACE_STEEL ? wy_scene_steel_rod(race->segments) : wy_scene_rubber_rod(race->segments);
  rod.kind = race->kind;
  if (race->material == WY_RACE_THICK)
    rod.section.radius = wy_constant(5e-2);
  if (race->damping != WY_RACE_PUBLISHED) {
    rod.ends[WY_START] = wy_end_clamped();
    rod.damping.kind = race->damping == WY_RACE_UNDAMPED ? WY_UNDAMPED : WY_DAMPING_TIME;
    rod.damping.time = wy_constant(race->damping == WY_RACE_LIGHT ? materials[race->material].light
                                                                  : materials[race->material].strong);
  }
  if (race->bent) { /* a natural arc, shaken at its clamp */
    rod.shape.curvature[0] = wy_constant(2);
    shake_end(&rod);
  }
  return rod;
}

static double end_of(const wy_race_rod *race) {
  double slow;
  if (race->material == WY_RACE_RANDOM) {
    random_rod(race, &slow);
    return 8 / slow;
  }
  return race->damping == WY_RACE_PUBLISHED ? 10 : 1;
}

/* The published examples in null-space form; the others as anyone would run them. */
static wy_sim_def sim_of(const wy_race_rod *race, const char *integrator, const wy_integrators *more,
                         double tolerance) {
  wy_sim_def def = wy_default_sim_def();
  def.end = end_of(race);
  def.solver.integrator = integrator;
  def.solver.more = more;
  def.solver.relative_tolerance = def.solver.absolute_tolerance = tolerance;
  if (race->damping == WY_RACE_PUBLISHED) {
    def.solver.staggered.curvature_measure = WY_TAN2;
    def.solver.staggered.segment_inertia = WY_CYLINDER;
  }
  return def;
}

const char *wy_race_choice(const wy_race_rod *rod, double tolerance) {
  const char *name = NULL;
  wy_rod_def def = rod_of(rod);
  wy_sim_def sim_def = sim_of(rod, "auto", NULL, tolerance);
  wy_model *model = NULL;
  wy_sim *sim = NULL;
  if (wy_bench_model(&def, &model) == WY_OK && wy_sim_create(model, &sim_def, &sim, NULL) == WY_OK)
    name = wy_sim_describe(sim, 0).integrator;
  wy_sim_destroy(sim);
  wy_model_destroy(model);
  return name;
}

/* ---- Runs ---- */

/* The budget is looked at after a millionth, ... a thousandth of the way, then after each hundredth: methods may be
   slower than all patience. What is not shown is not interpolated and costs nothing. */
static wy_status run_once(const wy_model *model, const wy_sim_def *def, double end, double budget,
                          wy_race_figures *figures) {
  enum { FIRST = -3, LAST = 100, EACH = LAST / WY_RACE_SAMPLES };
  wy_sim *sim = NULL;
  wy_status status = wy_sim_create(model, def, &sim, NULL);
  double tip[4] = {0}, spent = 0;
  for (int i = FIRST; i <= LAST && !status; i++) {
    double from = wy_bench_seconds();
    status = wy_sim_sample(sim, i > 0 ? end * i / LAST : end * pow(10, i + FIRST), NULL);
    if (!status && i > 0 && i % EACH == 0) {
      status = wy_sim_probe(sim, WY_POSITION, 0, 1, tip, NULL);
      memcpy(figures->tips + (ptrdiff_t)3 * (i / EACH - 1), tip, 3 * sizeof *tip);
    }
    spent += wy_bench_seconds() - from;
    if (spent > budget)
      status = WY_ERROR_SOLVER;
  }
  figures->seconds = spent;
  if (sim) {
    wy_statistics statistics = wy_sim_statistics(sim, 0);
    figures->attempts = statistics.steps + statistics.rejected;
  }
  wy_sim_destroy(sim);
  return status;
}

int wy_bench_race(const wy_race_rod *rod, const char *integrator, const wy_integrators *more, double tolerance,
                  double budget, wy_race_figures *figures) {
  enum { RUNS = 5 };
  const double enough = 0.05; /* seconds, after which a run is not repeated */
  wy_rod_def def = rod_of(rod);
  wy_sim_def sim = sim_of(rod, integrator, more, tolerance);
  wy_model *model = NULL;
  *figures = (wy_race_figures){.integrator = integrator, .tolerance = tolerance};
  wy_status status = wy_bench_model(&def, &model);
  double best = INFINITY, spent = 0;
  for (int i = 0; i < RUNS && !status && spent < enough; i++) {
    status = run_once(model, &sim, end_of(rod), budget, figures);
    spent += figures->seconds;
    best = fmin(best, figures->seconds);
  }
  figures->seconds = best;
  wy_model_destroy(model);
  return status;
}

/* What is stiff by an implicit method, what swings by an explicit one. */
int wy_bench_race_reference(const wy_race_rod *rod, wy_race_figures *figures) {
  const double patience = 4;
  int status = WY_ERROR_SOLVER;
  if (rod->damping < WY_RACE_STRONG && rod->material != WY_RACE_STEEL)
    status = wy_bench_race(rod, "dop853", NULL, 1e-11, patience, figures);
  for (int exponent = 10; status && exponent > 8; exponent--)
    status = wy_bench_race(rod, "radau5", NULL, pow(10, -exponent), patience, figures);
  return status;
}

double wy_race_error(const wy_race_figures *figures, const wy_race_figures *reference) {
  double worst = 0;
  for (int i = 0; i < WY_RACE_TIPS; i += 3) {
    const double *a = figures->tips + i, *b = reference->tips + i, d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    worst = fmax(worst, sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
  }
  return worst;
}
