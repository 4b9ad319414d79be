/* SPDX-License-Identifier: MIT */
/* Timing of the mixed scheme: the flying spaghetti through the public interface, and what one Newton iteration of a
   step costs by the number of elements. The smallest of several repetitions, as in kernels.c. */
#include "bench/bench.h"
#include "bench/timing.h"
#include "scenes/published.h"
#include "scheme/system.h"

/* ---- The flying spaghetti ---- */

int wy_bench_flight(int elements, wy_flight_figures *figures) {
  *figures = (wy_flight_figures){.elements = elements};
  wy_case c = wy_scene_spaghetti(elements);
  c.solver.first_step = 0.1;
  wy_status status = wy_case_create(&c, NULL);
  if (!status)
    status = wy_bench_way(c.sim, 15, 3 * REPETITIONS, &figures->milliseconds);
  if (!status) {
    wy_statistics statistics = wy_sim_statistics(c.sim, 0);
    figures->steps = statistics.steps;
    figures->iterations = statistics.newton_iterations;
  }
  wy_case_destroy(&c);
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
  s->status |= s->system->type->step->residual(s->system, s->system->step_vector, &misfit);
}

static void run_correct(void *context) {
  subject *s = context;
  double change;
  s->status |= wy_step_correct(s->system, true, s->system->step_vector, &change);
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
