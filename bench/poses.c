/* Equilibria of a rod clamped at both ends for random poses of its end: how many are found, and how. */
#include <math.h>

#include "bench/bench.h"
#include "bench/timing.h"

static const double pi = 3.14159265358979323846;

/* ---- Poses ---- */

/* In 0..1; the same on every machine (splitmix64). */
static double draw(uint64_t *seed) {
  uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static void draw_direction(uint64_t *seed, double out[3]) {
  double z = 2 * draw(seed) - 1, angle = 2 * pi * draw(seed), r = sqrt(1 - z * z);
  out[0] = r * cos(angle), out[1] = r * sin(angle), out[2] = z;
}

/* The end of the rod, which began at the origin, somewhere else and turned. */
static void draw_pose(int number, wy_end *end) {
  uint64_t seed = (uint64_t)number * UINT64_C(1000003) + 15;
  double direction[3], distance = 0.1 + 0.85 * draw(&seed);
  draw_direction(&seed, direction);
  draw_direction(&seed, end->axis);
  end->rotation = WY_DRIVEN;
  end->angle = wy_constant(pi * draw(&seed));
  for (int i = 0; i < 3; i++) {
    end->position[i] = WY_DRIVEN;
    end->path[i] = wy_constant(distance * direction[i]);
  }
}

/* ---- One of them ---- */

static wy_status make_rod(wy_rod_kind kind, int number, wy_model **model) {
  wy_model_def def = wy_default_model_def();
  wy_rod_def rod = wy_bench_rod(40, 5e6);
  rod.kind = kind;
  rod.ends[WY_START] = rod.ends[WY_END] = wy_end_clamped();
  draw_pose(number, &rod.ends[WY_END]);
  def.rods = &rod;
  def.rod_count = 1;
  return wy_model_create(&def, model, NULL);
}

int wy_bench_pose(const char *scheme, wy_rod_kind kind, int number, wy_pose_figures *figures) {
  wy_sim_def def = wy_default_sim_def();
  wy_model *model = NULL;
  wy_sim *sim = NULL;
  def.statics = true;
  def.solver.scheme = scheme;
  *figures = (wy_pose_figures){0};
  wy_status status = make_rod(kind, number, &model);
  if (!status)
    status = wy_sim_create(model, &def, &sim, NULL);
  if (!status) {
    double start = wy_bench_seconds();
    figures->found = wy_sim_settle(sim, 0, &figures->message) == WY_OK;
    figures->seconds = wy_bench_seconds() - start;
    figures->info = wy_sim_equilibrium(sim, 0);
    wy_sim_probe(sim, WY_POSITION, 0, 0.5, figures->middle, NULL);
  }
  wy_sim_destroy(sim);
  wy_model_destroy(model);
  return status;
}
