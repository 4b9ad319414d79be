/* Timing of the mixed scheme: the flying spaghetti through the public interface, and what one Newton iteration of a
   step costs by the number of elements. The smallest of several repetitions, as in kernels.c. */
#include "bench/bench.h"
#include "bench/timing.h"
#include "scheme/scheme.h"

/* ---- The flying spaghetti ---- */

static const double end_load[6] = {0.1, 0, 0, 0, 1, 0.5}; /* force, moment, times the hat below */

static void hat(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)wrt, (void)s;
  double factor = *(const double *)context, slope = t <= 2.5 ? 80 : t <= 5 ? -80 : 0;
  jet[0] = factor * (t <= 2.5 ? 80 * t : t <= 5 ? 400 - 80 * t : 0), jet[1] = factor * slope, jet[2] = 0;
}

static wy_status make_spaghetti(int elements, wy_model **model) {
  static const double inertia[4] = {1, 10, 10, 20};
  wy_rod_def rod = wy_default_rod_def();
  rod.length = 10;
  rod.segments = elements;
  rod.has_stiffness = rod.has_inertia = true;
  for (int i = 0; i < 6; i++)
    rod.stiffness[i] = wy_constant(i < 3 ? 1e4 : 1e3);
  for (int i = 0; i < 4; i++)
    rod.inertia[i] = wy_constant(inertia[i]);
  rod.shape = (wy_shape){.origin = {6, 0, 0}, .direction = {-0.6, 0, 0.8}, .d1 = {0.8, 0, 0.6}};
  wy_load_def load = wy_default_load_def();
  load.place = WY_AT_END;
  for (int i = 0; i < 3; i++) {
    load.force[i] = (wy_signal){0, hat, &end_load[i], WY_TIME};
    load.moment[i] = (wy_signal){0, hat, &end_load[3 + i], WY_TIME};
  }
  wy_model_def def = wy_default_model_def();
  def.rods = &rod;
  def.rod_count = 1;
  def.loads = &load;
  def.load_count = 1;
  return wy_model_create(&def, model, NULL);
}

int wy_bench_flight(int elements, wy_flight_figures *figures) {
  wy_model *model = NULL;
  wy_sim *sim = NULL;
  *figures = (wy_flight_figures){.elements = elements};
  wy_sim_def def = wy_default_sim_def();
  def.solver.scheme = "mixed";
  def.solver.first_step = 0.1;
  wy_status status = make_spaghetti(elements, &model);
  if (!status)
    status = wy_sim_create(model, &def, &sim, NULL);
  if (!status)
    status = wy_bench_way(sim, 15, 3 * REPETITIONS, &figures->milliseconds);
  if (!status) {
    wy_statistics statistics = wy_sim_statistics(sim, 0);
    figures->steps = statistics.steps;
    figures->iterations = statistics.newton_iterations;
  }
  wy_sim_destroy(sim);
  wy_model_destroy(model);
  return status;
}

/* ---- One Newton iteration ---- */

enum { WORK = 5000 }; /* elements that one timing goes over */

typedef struct subject {
  wy_memory memory;
  wy_arena vectors;
  wy_system *system;
  double *u;
  int status;
} subject;

static void run_residual(void *context) {
  subject *s = context;
  double misfit;
  s->status |= s->system->type->step->residual(s->system, &misfit);
}

static void run_correct(void *context) {
  subject *s = context;
  double change;
  s->status |= s->system->type->step->correct(s->system, true, &change);
}

static void run_iteration(void *context) {
  run_residual(context);
  run_correct(context);
}

/* A rubber cantilever in its first steps under gravity: one correction of the next step after the other. */
static wy_status measure(const wy_model *model, const wy_solver_def *solver, wy_midpoint_figures *figures) {
  const wy_scheme *scheme = wy_scheme_find(solver->scheme);
  subject s = {.status = WY_OK};
  wy_status status = scheme->create(model, 0, solver, (wy_factor_needs){0}, &s.memory, &s.system, NULL);
  for (int pass = 0; pass < 2 && !status; pass++) {
    s.u = wy_arena_doubles(&s.vectors, (size_t)scheme->size(model, 0, solver));
    if (pass == 0 &&
        (wy_arena_allocate(&s.vectors) || wy_arena_allocate(&s.memory.saved) || wy_arena_allocate(&s.memory.scratch)))
      status = WY_ERROR_MEMORY;
  }
  if (!status)
    status = scheme->create(model, 0, solver, (wy_factor_needs){0}, &s.memory, &s.system, NULL);
  if (!status) {
    int n = figures->elements;
    double integrals[WY_INTEGRALS] = {0}, h = 1e-3;
    s.system->type->initial(s.system, s.u);
    for (int k = 0; k < 4; k++) {
      s.system->type->step->begin(s.system, k * h, h, s.u, WY_GUESS_MOVING);
      for (int i = 0; i < 4; i++)
        run_iteration(&s);
      s.system->type->step->finish(s.system, s.u, integrals);
    }
    s.system->type->step->begin(s.system, 4 * h, h, s.u, WY_GUESS_MOVING);
    figures->residual = wy_bench_time(run_residual, &s, n, WORK);
    figures->iteration = wy_bench_time(run_iteration, &s, n, WORK);
    status = s.status ? WY_ERROR_SOLVER : WY_OK;
  }
  wy_arena_release(&s.vectors);
  wy_arena_release(&s.memory.saved);
  wy_arena_release(&s.memory.scratch);
  return status;
}

int wy_bench_midpoint(int elements, int order, wy_rod_kind kind, wy_midpoint_figures *figures) {
  wy_model *model = NULL;
  *figures = (wy_midpoint_figures){.elements = elements, .order = order, .kind = kind};
  wy_rod_def rod = wy_bench_rod(elements, 5e6);
  rod.kind = kind;
  rod.ends[WY_START] = wy_end_clamped();
  wy_solver_def solver = wy_default_solver_def();
  solver.scheme = "mixed";
  solver.mixed.order = order;
  wy_status status = wy_bench_model(&rod, &model);
  if (!status)
    status = measure(model, &solver, figures);
  wy_model_destroy(model);
  return status;
}
