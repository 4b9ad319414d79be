/* SPDX-License-Identifier: MIT */
/* Timing of networks as simulations have them: groups of staggered rods that are welded, and the same rods alone. */
#include <string.h>

#include "bench/graph.h"
#include "bench/timing.h"
#include "network/group.h"
#include "scheme/scheme.h"

/* All groups of a model, one after the other. */
typedef struct subject {
  wy_model *model;
  wy_memory memory;
  wy_arena vectors;
  wy_system **systems;
  int count;
  double *u, *f, *b, *b_im;
  size_t size;
} subject;

static const wy_factor_needs needs = {.real = 1, .complex = 1};

static wy_status create_systems(subject *s, const wy_solver_def *solver, bool joined) {
  const wy_scheme *scheme = wy_scheme_find("staggered");
  wy_status status = WY_OK;
  s->systems = wy_arena_take(&s->memory.scratch, (size_t)s->count * sizeof *s->systems);
  s->size = 0;
  for (int i = 0; !status && i < s->count; i++) {
    wy_system *system = NULL;
    status = joined ? wy_group_create(s->model, i, solver, needs, &s->memory, &system, NULL)
                    : scheme->create(s->model, i, solver, needs, &s->memory, &system, NULL);
    s->size += (size_t)(joined ? wy_group_size(s->model, i, solver) : scheme->size(s->model, i, solver));
    if (s->systems)
      s->systems[i] = system;
  }
  s->u = wy_arena_doubles(&s->vectors, s->size);
  s->f = wy_arena_doubles(&s->vectors, s->size);
  s->b = wy_arena_doubles(&s->vectors, s->size);
  s->b_im = wy_arena_doubles(&s->vectors, s->size);
  return status;
}

static void close_subject(subject *s) {
  wy_arena_release(&s->memory.saved);
  wy_arena_release(&s->memory.scratch);
  wy_arena_release(&s->vectors);
  wy_model_destroy(s->model);
}

/* A state that moves: every kernel sees ordinary numbers. */
static void shake(wy_system *system, double *u) {
  system->type->initial(system, u);
  for (int field = 0; field < system->field_count; field++) {
    const wy_field *d = &system->fields[field];
    for (int k = 0; k < d->components; k++)
      for (int i = 0; i < d->count; i++)
        u[d->offset + k * d->stride + i] += 1e-4 * ((i * 7 + k * 3) % 11 - 5);
  }
}

static wy_status open_subject(subject *s, const wy_bench_graph *graph, bool joined) {
  const wy_rod_def rod = wy_bench_rod(graph->segments, 5e6);
  const wy_solver_def solver = wy_default_solver_def();
  *s = (subject){.count = joined ? 1 : graph->rod_count};
  wy_status status = wy_bench_graph_model(graph, &rod, joined, &s->model);
  if (!status)
    status = create_systems(s, &solver, joined);
  if (!status &&
      (wy_arena_allocate(&s->vectors) || wy_arena_allocate(&s->memory.saved) || wy_arena_allocate(&s->memory.scratch)))
    status = WY_ERROR_MEMORY;
  if (!status)
    status = create_systems(s, &solver, joined);
  double *u = s->u;
  for (int i = 0; !status && i < s->count; u += s->systems[i++]->size)
    shake(s->systems[i], u);
  return status;
}

/* ---- What is timed ---- */

static void run_rhs(void *context) {
  subject *s = context;
  size_t at = 0;
  for (int i = 0; i < s->count; at += (size_t)s->systems[i++]->size)
    s->systems[i]->type->rhs(s->systems[i], 0, s->u + at, s->f + at, NULL);
}
static void run_jacobian(void *context) {
  subject *s = context;
  size_t at = 0;
  for (int i = 0; i < s->count; at += (size_t)s->systems[i++]->size)
    s->systems[i]->type->jacobian(s->systems[i], 0, s->u + at);
}
static void run_factor(void *context) {
  subject *s = context;
  for (int i = 0; i < s->count; i++)
    s->systems[i]->type->factor(s->systems[i], 0, 1e3);
}
static void run_factor_complex(void *context) {
  subject *s = context;
  for (int i = 0; i < s->count; i++)
    s->systems[i]->type->factor_complex(s->systems[i], 0, 1e3, 1e3);
}
static void run_solve(void *context) {
  subject *s = context;
  size_t at = 0;
  memcpy(s->b, s->f, s->size * sizeof *s->b);
  for (int i = 0; i < s->count; at += (size_t)s->systems[i++]->size)
    s->systems[i]->type->solve(s->systems[i], 0, s->b + at);
}
static void run_solve_complex(void *context) {
  subject *s = context;
  size_t at = 0;
  memcpy(s->b, s->f, s->size * sizeof *s->b);
  memcpy(s->b_im, s->f, s->size * sizeof *s->b);
  for (int i = 0; i < s->count; at += (size_t)s->systems[i++]->size)
    s->systems[i]->type->solve_complex(s->systems[i], 0, s->b + at, s->b_im + at);
}

static void measure(subject *s, int segments, wy_group_times *times) {
  enum { WORK = 10000 }; /* segments that one timing goes over */
  const double scale = 1e-3 * segments;
  times->rhs = scale * wy_bench_time(run_rhs, s, segments, WORK);
  times->jacobian = scale * wy_bench_time(run_jacobian, s, segments, WORK);
  times->factor = scale * wy_bench_time(run_factor, s, segments, WORK);
  times->solve = scale * wy_bench_time(run_solve, s, segments, WORK);
  times->factor_complex = scale * wy_bench_time(run_factor_complex, s, segments, WORK);
  times->solve_complex = scale * wy_bench_time(run_solve_complex, s, segments, WORK);
}

int wy_bench_group(wy_bench_net kind, wy_group_figures *figures) {
  wy_bench_graph graph = {0};
  int status = wy_bench_graph_of(kind, &graph);
  *figures = (wy_group_figures){.name = graph.name, .rods = graph.rod_count, .segments = graph.segments};
  for (int joined = 0; !status && joined < 2; joined++) {
    subject s;
    status = open_subject(&s, &graph, joined);
    if (!status)
      measure(&s, graph.rod_count * graph.segments, joined ? &figures->joined : &figures->alone);
    close_subject(&s);
  }
  wy_bench_graph_close(&graph);
  return status;
}
