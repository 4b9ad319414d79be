/* Timing of whole time steps of the box and of the conserving scheme, through the public interface: the smallest of
   several runs over the same steps, as in kernels.c. */
#include <math.h>

#include "bench/bench.h"
#include "bench/timing.h"

static wy_rod_def given_rod(int segments, const double stiffness[6], const double inertia[4]) {
  wy_rod_def rod = wy_default_rod_def();
  rod.length = 1;
  rod.segments = segments;
  rod.has_stiffness = rod.has_inertia = true;
  for (int i = 0; i < 6; i++)
    rod.stiffness[i] = wy_constant(stiffness[i]);
  for (int i = 0; i < 4; i++)
    rod.inertia[i] = wy_constant(inertia[i]);
  rod.shape = (wy_shape){.direction = {1, 0, 0}, .d1 = {0, 1, 0}};
  rod.ends[WY_START] = wy_end_clamped();
  return rod;
}

typedef struct run {
  wy_statistics statistics; /* of all steps */
  double milliseconds;      /* of one step */
} run;

/* Steps from t = 0 to `end`. */
static wy_status measure(const wy_model_def *def, const wy_solver_def *solver, double end, run *out) {
  wy_model *model = NULL;
  wy_sim *sim = NULL;
  wy_sim_def sim_def = wy_default_sim_def();
  sim_def.solver = *solver;
  wy_status status = wy_model_create(def, &model, NULL);
  if (!status)
    status = wy_sim_create(model, &sim_def, &sim, NULL);
  if (!status)
    status = wy_bench_way(sim, end, REPETITIONS, &out->milliseconds);
  if (!status) {
    out->statistics = wy_sim_statistics(sim, 0);
    out->milliseconds /= (double)out->statistics.steps;
  }
  wy_sim_destroy(sim);
  wy_model_destroy(model);
  return status;
}

/* ---- Box ---- */

static void pull(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)wrt, (void)s;
  jet[0] = t <= 0.1 ? 0.02 : 0, jet[1] = jet[2] = 0;
}

/* Five turns of length 1 about the third axis, with drag. */
static wy_rod_def coil(int cells) {
  static const double stiffness[6] = {1, 1, 1, 1e-3, 1e-3, 1e-3 / 1.5}, inertia[4] = {0.01, 2.5e-9, 2.5e-9, 5e-9};
  const double angle = 0.15, radius = cos(angle) / 31.415926535897932;
  wy_rod_def rod = given_rod(cells, stiffness, inertia);
  rod.shape = (wy_shape){.origin = {radius, 0, 0}, .direction = {0, cos(angle), sin(angle)}, .d1 = {-1, 0, 0}};
  rod.shape.curvature[1] = wy_constant(cos(angle) * cos(angle) / radius);
  rod.shape.curvature[2] = wy_constant(sin(angle) * cos(angle) / radius);
  rod.drag.translation = 0.2;
  return rod;
}

static wy_rod_def cantilever(int cells) {
  static const double stiffness[6] = {1, 1, 1, 0.02, 0.02, 0.02}, inertia[4] = {1, 1e-4, 1e-4, 2e-4};
  return given_rod(cells, stiffness, inertia);
}

int wy_bench_box(wy_box_motion motion, int cells, wy_box_figures *figures) {
  run r = {0};
  wy_rod_def rod = motion == WY_BOX_COIL ? coil(cells) : cantilever(cells);
  wy_load_def load = wy_default_load_def();
  wy_model_def def = wy_default_model_def();
  wy_solver_def solver = wy_default_solver_def();
  rod.kind = WY_INEXTENSIBLE;
  load.place = WY_AT_END;
  load.force[2] = (wy_signal){0, pull, NULL, WY_TIME};
  def.rods = &rod, def.rod_count = 1;
  def.loads = &load, def.load_count = motion == WY_BOX_COIL;
  def.gravity[1] = motion == WY_BOX_COIL ? 0 : -1;
  solver.scheme = "box";
  solver.first_step = motion == WY_BOX_COIL ? 1.0 / 30 : 0.01;
  wy_status status = measure(&def, &solver, 2, &r);
  *figures = (wy_box_figures){.motion = motion,
                              .cells = cells,
                              .steps = r.statistics.steps,
                              .iterations = r.statistics.newton_iterations,
                              .factorisations = r.statistics.factorisations,
                              .milliseconds = r.milliseconds};
  return status;
}

/* ---- Conserving ---- */

/* Three turns of twist, undone towards the free end. */
static void twist(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)t;
  const double turns = 18.849555921538759;
  jet[0] = turns * s * (2 - s);
  jet[1] = wrt == WY_ARC ? 2 * turns * (1 - s) : 0, jet[2] = wrt == WY_ARC ? -2 * turns : 0;
}

int wy_bench_conserving(const char *integrator, int segments, wy_conserving_figures *figures) {
  static const double bending = 6.25e-6; /* of a round rod 100 times as long as thick, with EA = mass = 1 */
  const double stiffness[6] = {1.0 / 3, 1.0 / 3, 1, bending, bending, 2 * bending / 3};
  const double inertia[4] = {1, bending, bending, 2 * bending};
  run r = {0};
  wy_rod_def rod = given_rod(segments, stiffness, inertia);
  wy_model_def def = wy_default_model_def();
  wy_solver_def solver = wy_default_solver_def();
  rod.initial.twist = (wy_signal){0, twist, NULL, WY_ARC};
  def.rods = &rod, def.rod_count = 1;
  def.gravity[1] = -1e-4;
  solver.scheme = "conserving";
  solver.integrator = integrator;
  solver.first_step = 1.0 / segments;
  wy_status status = measure(&def, &solver, 100.0 / segments, &r);
  *figures = (wy_conserving_figures){.integrator = integrator,
                                     .segments = segments,
                                     .steps = r.statistics.steps,
                                     .iterations = r.statistics.newton_iterations,
                                     .factorisations = r.statistics.factorisations,
                                     .milliseconds = r.milliseconds};
  return status;
}
