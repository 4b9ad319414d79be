/* SPDX-License-Identifier: MIT */
/* Timing of rods without shear and without extension beside the Cosserat rod: the smallest of several repetitions, as
   in kernels.c. */
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/timing.h"
#include "scheme/scheme.h"

/* Velocity of a rod along e2 that turns about e3. */
static const double turning = 3;

static void turn(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)t;
  jet[0] = -turning * s, jet[1] = wrt == WY_ARC ? -turning : 0, jet[2] = 0;
}

/* The undamped rubber pendulum, turning about its pinned end. */
static wy_status make_model(int form, int segments, wy_model **model) {
  static const wy_rod_kind kinds[WY_FORMS] = {[WY_FORM_COSSERAT] = WY_COSSERAT,
                                              [WY_FORM_KIRCHHOFF] = WY_KIRCHHOFF,
                                              [WY_FORM_KIRCHHOFF_NULL] = WY_KIRCHHOFF,
                                              [WY_FORM_INDEX_1] = WY_INEXTENSIBLE,
                                              [WY_FORM_NULL_SPACE] = WY_INEXTENSIBLE};
  wy_rod_def rod = wy_bench_rod(segments, 5e6);
  rod.kind = kinds[form];
  rod.shape.direction[1] = rod.shape.d1[2] = 1;
  rod.initial.velocity[0] = (wy_signal){0, turn, NULL, WY_ARC};
  rod.initial.angular_velocity[0] = wy_constant(turning);
  rod.ends[WY_START] = wy_end_pinned();
  return wy_bench_model(&rod, model);
}

static wy_solver_def solver_of(int form, const char *integrator) {
  const bool index_1 = form == WY_FORM_KIRCHHOFF || form == WY_FORM_INDEX_1;
  wy_solver_def solver = wy_default_solver_def();
  solver.integrator = integrator;
  solver.relative_tolerance = solver.absolute_tolerance = 1e-6;
  solver.staggered.coordinates = index_1 ? WY_ABSOLUTE : WY_NULLSPACE;
  return solver;
}

/* ---- Right-hand side and projection ---- */

/* A system as an explicit integrator has it, a state that meets its constraints, and one that nearly does. */
enum { WORK = 50000 }; /* segments that one timing goes over */

typedef struct subject {
  wy_memory memory;
  wy_arena vectors;
  wy_system *system;
  double *u, *near, *work, *f;
  size_t bytes;
  int n;
} subject;

static void release(subject *s) {
  wy_arena_release(&s->vectors);
  wy_arena_release(&s->memory.saved);
  wy_arena_release(&s->memory.scratch);
}

static wy_status make_subject(const wy_model *model, const wy_solver_def *solver, subject *s) {
  const wy_scheme *scheme = wy_scheme_find("staggered");
  const wy_factor_needs needs = {0};
  wy_status status = scheme->create(model, 0, solver, needs, &s->memory, &s->system, NULL);
  for (int pass = 0; pass < 2 && !status; pass++) {
    size_t size = (size_t)scheme->size(model, 0, solver);
    s->u = wy_arena_doubles(&s->vectors, size);
    s->near = wy_arena_doubles(&s->vectors, size);
    s->work = wy_arena_doubles(&s->vectors, size);
    s->f = wy_arena_doubles(&s->vectors, size);
    s->bytes = size * sizeof(double);
    if (pass == 0 && (wy_arena_allocate(&s->vectors) || wy_arena_allocate(&s->memory.saved) ||
                      wy_arena_allocate(&s->memory.scratch)))
      status = WY_ERROR_MEMORY;
  }
  return status ? status : scheme->create(model, 0, solver, needs, &s->memory, &s->system, NULL);
}

/* Moves all that counts: frames, positions and their velocities, in parts of a segment. */
static void disturb(const wy_system *system, int segments, double size, double *u) {
  for (int field = 0; field < system->field_count; field++) {
    const wy_field *d = &system->fields[field];
    double scale = field == 0 ? size / segments : size;
    for (int k = 0; k < d->components; k++)
      for (int i = 0; i < d->count; i++) {
        int at = d->offset + k * d->stride + i;
        u[at] += system->weight[at] * scale * ((i * 7 + k * 3) % 11 - 5);
      }
  }
}

static void prepare(subject *s) {
  double drift[WY_DRIFTS] = {0};
  s->system->type->initial(s->system, s->u);
  disturb(s->system, s->n, 1e-4, s->u);
  s->system->type->project(s->system, 0, s->u, NULL, drift);
  memcpy(s->near, s->u, s->bytes);
  disturb(s->system, s->n, 1e-8, s->near);
}

static void run_rhs(void *context) {
  subject *s = context;
  s->system->type->rhs(s->system, 0, s->u, s->f, NULL);
}

static void run_projection(void *context) {
  subject *s = context;
  double drift[WY_DRIFTS] = {0};
  memcpy(s->work, s->near, s->bytes);
  s->system->type->project(s->system, 0, s->work, NULL, drift);
}

static wy_status measure_system(const wy_model *model, int form, wy_constrained_figures *figures) {
  wy_solver_def solver = solver_of(form, "dopri5");
  subject s = {.n = figures->segments};
  wy_status status = make_subject(model, &solver, &s);
  if (!status) {
    prepare(&s);
    figures->rhs[form] = wy_bench_time(run_rhs, &s, s.n, WORK);
    figures->projection[form] = wy_bench_time(run_projection, &s, s.n, WORK);
  }
  release(&s);
  return status;
}

/* ---- Steps ---- */

static wy_status run_steps(wy_sim *sim, int count, double *attempt) {
  wy_statistics before = wy_sim_statistics(sim, 0);
  double start = wy_bench_seconds();
  for (int i = 0; i < count; i++) {
    wy_status status = wy_sim_step(sim, NULL);
    if (status)
      return status;
  }
  double spent = wy_bench_seconds() - start;
  wy_statistics after = wy_sim_statistics(sim, 0);
  *attempt = spent / (double)(after.steps + after.rejected - before.steps - before.rejected);
  return WY_OK;
}

/* The same steps over and over, after some that find the step size. */
static wy_status measure_steps(const wy_model *model, const wy_solver_def *solver, int segments, double *figure) {
  wy_sim_def def = wy_default_sim_def();
  wy_sim *sim = NULL;
  double attempt, best = 1e300;
  def.solver = *solver;
  wy_status status = wy_sim_create(model, &def, &sim, NULL);
  if (!status)
    status = run_steps(sim, 50, &attempt);
  size_t size = status ? 0 : wy_sim_save_size(sim);
  void *snapshot = malloc(size + 1);
  if (!status)
    status = snapshot ? wy_sim_save(sim, snapshot, size, NULL) : WY_ERROR_MEMORY;
  for (int r = 0; r < REPETITIONS && !status; r++) {
    status = wy_sim_restore(sim, snapshot, size, NULL);
    if (!status)
      status = run_steps(sim, 10000 / segments + 3, &attempt);
    best = attempt < best ? attempt : best;
  }
  *figure = 1e9 * best / segments;
  free(snapshot);
  wy_sim_destroy(sim);
  return status;
}

int wy_bench_constrained(int segments, wy_constrained_figures *figures) {
  *figures = (wy_constrained_figures){.segments = segments};
  wy_status status = WY_OK;
  for (int form = 0; form < WY_FORMS && !status; form++) {
    wy_model *model = NULL;
    status = make_model(form, segments, &model);
    if (!status)
      status = measure_system(model, form, figures);
    const wy_solver_def explicit = solver_of(form, "dopri5"), implicit = solver_of(form, "rodas");
    if (!status)
      status = measure_steps(model, &explicit, segments, &figures->step[form]);
    if (!status)
      status = measure_steps(model, &implicit, segments, &figures->implicit[form]);
    wy_model_destroy(model);
  }
  return status;
}
