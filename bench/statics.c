/* SPDX-License-Identifier: MIT */
/* Timing of equilibria: the published quasistatic test through the public interface, and what one Newton iteration
   costs for rods of many segments. The smallest of several repetitions, as in kernels.c. */
#include "withy/statics.h"

#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/timing.h"
#include "scenes/published.h"
#include "scheme/scheme.h"

/* ---- The rods ---- */

/* at + slope t */
typedef struct line {
  double at, slope;
} line;

static void along(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const line *l = context;
  (void)s, (void)wrt;
  jet[0] = l->at + l->slope * t, jet[1] = l->slope, jet[2] = 0;
}

/* A stiff cantilever that sags a little under gravity while its clamp turns up. */
static wy_status make_turned(int segments, wy_model **model) {
  static const line angle = {0, -0.5};
  wy_rod_def rod = wy_bench_rod(segments, 5e9);
  rod.ends[WY_START] = wy_end_clamped();
  rod.ends[WY_START].rotation = WY_DRIVEN;
  rod.ends[WY_START].axis[1] = 1;
  rod.ends[WY_START].angle = (wy_signal){0, along, &angle, WY_TIME};
  return wy_bench_model(&rod, model);
}

/* ---- A path of equilibria ---- */

/* What the way from t = 0 to 1 took, without the one to t = 0. */
typedef struct path {
  long increments, rejected, iterations;
  double time; /* the smallest */
} path;

/* From the snapshot at t = 0 to t = 1, over and over. */
static wy_status follow(wy_sim *sim, const void *snapshot, size_t size, int repetitions, path *out) {
  wy_equilibrium_info before = wy_sim_equilibrium(sim, 0);
  out->time = 1e300;
  for (int r = 0; r < repetitions; r++) {
    wy_status status = wy_sim_restore(sim, snapshot, size, NULL);
    double start = wy_bench_seconds();
    if (!status)
      status = wy_sim_follow(sim, 1, NULL);
    double spent = wy_bench_seconds() - start;
    if (status)
      return status;
    out->time = spent < out->time ? spent : out->time;
  }
  wy_equilibrium_info after = wy_sim_equilibrium(sim, 0);
  out->increments = after.increments - before.increments;
  out->rejected = after.rejected - before.rejected;
  out->iterations = after.newton_iterations - before.newton_iterations;
  return WY_OK;
}

static wy_status measure_path(const wy_model *model, wy_curvature_measure measure, int repetitions, path *out) {
  wy_sim_def def = wy_default_sim_def();
  wy_sim *sim = NULL;
  def.statics = true;
  def.solver.staggered.curvature_measure = measure;
  def.solver.statics.newton_tolerance = 1e-8;
  wy_status status = wy_sim_create(model, &def, &sim, NULL);
  if (!status)
    status = wy_sim_settle(sim, 0, NULL);
  size_t size = status ? 0 : wy_sim_save_size(sim);
  void *snapshot = malloc(size + 1);
  if (!status)
    status = snapshot ? wy_sim_save(sim, snapshot, size, NULL) : WY_ERROR_MEMORY;
  if (!status)
    status = follow(sim, snapshot, size, repetitions, out);
  free(snapshot);
  wy_sim_destroy(sim);
  return status;
}

/* Lang, Linn, Arnold 2011, test 2. */
int wy_bench_quasistatic(int segments, wy_quasistatic_figures *figures) {
  path p = {0};
  *figures = (wy_quasistatic_figures){.segments = segments};
  wy_case c = wy_scene_pushed(segments);
  wy_status status = wy_case_create(&c, NULL);
  if (!status)
    status = measure_path(c.model, c.solver.staggered.curvature_measure, 300, &p);
  if (!status) {
    figures->increments = p.increments;
    figures->rejected = p.rejected;
    figures->iterations = p.iterations;
    figures->equilibrium = 1e6 * p.time / (double)p.increments;
    figures->iteration = 1e6 * p.time / (double)p.iterations;
  }
  wy_case_destroy(&c);
  return status;
}

/* ---- One Newton iteration ---- */

/* A system with room for equilibria, its undeformed shape and vectors of degrees of freedom. */
enum { WORK = 20000 }; /* segments that one timing goes over */

typedef struct subject {
  wy_memory memory;
  wy_arena vectors;
  wy_system *system;
  const wy_statics_type *type;
  double *config, *moved, *r, *d;
  size_t bytes;
  int n;
} subject;

static wy_status make_subject(const wy_model *model, subject *s) {
  const wy_scheme *scheme = wy_scheme_find("staggered");
  const wy_factor_needs needs = {.equilibria = true};
  const wy_solver_def solver = wy_default_solver_def();
  int config_size, dofs;
  scheme->config_size(model, 0, &solver, &config_size, &dofs);
  wy_status status = scheme->create(model, 0, &solver, needs, &s->memory, &s->system, NULL);
  for (int pass = 0; pass < 2 && !status; pass++) {
    s->config = wy_arena_doubles(&s->vectors, (size_t)config_size);
    s->moved = wy_arena_doubles(&s->vectors, (size_t)config_size);
    s->r = wy_arena_doubles(&s->vectors, (size_t)dofs);
    s->d = wy_arena_doubles(&s->vectors, (size_t)dofs);
    s->bytes = (size_t)dofs * sizeof(double);
    if (pass == 0 && (wy_arena_allocate(&s->vectors) || wy_arena_allocate(&s->memory.saved) ||
                      wy_arena_allocate(&s->memory.scratch)))
      status = WY_ERROR_MEMORY;
  }
  return status ? status : scheme->create(model, 0, &solver, needs, &s->memory, &s->system, NULL);
}

static void run_residual(void *context) {
  subject *s = context;
  s->type->residual(s->system, 0, s->config, s->r);
}
static void run_tangent(void *context) {
  subject *s = context;
  s->type->tangent(s->system, 0, s->config);
}
static void run_factor(void *context) {
  subject *s = context;
  s->type->factor(s->system, 0);
}
static void run_solve(void *context) {
  subject *s = context;
  memcpy(s->d, s->r, s->bytes);
  s->type->solve(s->system, s->d);
}
static void run_displace(void *context) {
  subject *s = context;
  s->type->displace(s->system, s->config, s->d, 1e-3, s->moved);
}
static void run_inertia(void *context) {
  subject *s = context;
  int count;
  s->type->negative(s->system, 0, &count);
}

static wy_status measure_parts(const wy_model *model, wy_newton_figures *figures) {
  subject s = {.n = figures->segments};
  wy_status status = make_subject(model, &s);
  if (!status) {
    s.type = s.system->type->statics;
    s.type->apply(s.system, true, 1, 1);
    s.type->undeformed(s.system, s.config);
    figures->residual = wy_bench_time(run_residual, &s, s.n, WORK);
    figures->tangent = wy_bench_time(run_tangent, &s, s.n, WORK);
    figures->factor = wy_bench_time(run_factor, &s, s.n, WORK);
    figures->solve = wy_bench_time(run_solve, &s, s.n, WORK);
    figures->displace = wy_bench_time(run_displace, &s, s.n, WORK);
    figures->inertia = wy_bench_time(run_inertia, &s, s.n, WORK);
  }
  wy_arena_release(&s.vectors);
  wy_arena_release(&s.memory.saved);
  wy_arena_release(&s.memory.scratch);
  return status;
}

int wy_bench_newton(int segments, wy_newton_figures *figures) {
  wy_model *model = NULL;
  path p = {0};
  *figures = (wy_newton_figures){.segments = segments};
  wy_status status = make_turned(segments, &model);
  if (!status)
    status = measure_path(model, WY_TAN2, 5000 / segments + REPETITIONS, &p);
  if (!status) {
    figures->increments = p.increments;
    figures->iterations = p.iterations;
    figures->path = 1e9 * p.time / (double)p.iterations / segments;
    status = measure_parts(model, figures);
  }
  wy_model_destroy(model);
  return status;
}
