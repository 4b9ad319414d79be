/* SPDX-License-Identifier: MIT */
/* Timing of the staggered rod's kernels, and of a loop of the same amount of arithmetic in the same run: the smallest
   of several repetitions, since anything else the machine does only adds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/target.h"
#include "bench/bench.h"
#include "bench/timing.h"
#include "scheme/scheme.h"
#include "scheme/staggered/rod.h"

/* The rubber pendulum, damped, pinned. */
static wy_status make_model(int segments, wy_model **model) {
  wy_rod_def rod = wy_bench_rod(segments, 5e6);
  rod.damping.kind = WY_DAMPING_TIME;
  rod.damping.time = wy_constant(1e-3);
  rod.ends[WY_START] = wy_end_pinned();
  return wy_bench_model(&rod, model);
}

/* Eight independent chains of fused multiply-adds per element, 16 operations a round: what the arithmetic costs when
 * nothing else does. */
WY_INLINE void chains(double *restrict out, const double *restrict in, int n, int rounds) {
#pragma omp simd
  for (int i = 0; i < n; i++) {
    double x = in[i], a = x, b = x + 1, c = x + 2, d = x + 3, e = x + 4, f = x + 5, g = x + 6, h = x + 7;
#pragma GCC unroll 64
    for (int k = 0; k < rounds; k++) {
      a = a * 0.999 + x, b = b * 0.999 + x, c = c * 0.999 + x, d = d * 0.999 + x;
      e = e * 0.999 + x, f = f * 0.999 + x, g = g * 0.999 + x, h = h * 0.999 + x;
    }
    out[i] = a + b + c + d + e + f + g + h;
  }
}

WY_CLONES
static void arithmetic_rhs(double *out, const double *in, int n) {
  chains(out, in, n, WY_RHS_FLOPS / 16);
}

WY_CLONES
static void arithmetic_600(double *out, const double *in, int n) {
  chains(out, in, n, 600 / 16);
}

enum { WORK = 200000 }; /* segments that one timing goes over */

/* What is timed, with all it needs. */
typedef struct subject {
  wy_system *system;
  double *u, *f, *b, *b_im;
  size_t bytes;
  int n;
} subject;

static void run_rhs(void *context) {
  subject *s = context;
  s->system->type->rhs(s->system, 0, s->u, s->f, NULL);
}
static void run_jacobian(void *context) {
  subject *s = context;
  s->system->type->jacobian(s->system, 0, s->u);
}
static void run_factor(void *context) {
  subject *s = context;
  s->system->type->factor(s->system, 0, 1e3);
}
static void run_solve(void *context) {
  subject *s = context;
  memcpy(s->b, s->f, s->bytes);
  s->system->type->solve(s->system, 0, s->b);
}
static void run_factor_complex(void *context) {
  subject *s = context;
  s->system->type->factor_complex(s->system, 0, 1e3, 1e3);
}
static void run_solve_complex(void *context) {
  subject *s = context;
  memcpy(s->b, s->f, s->bytes);
  memcpy(s->b_im, s->f, s->bytes);
  s->system->type->solve_complex(s->system, 0, s->b, s->b_im);
}
static void run_arithmetic_rhs(void *context) {
  subject *s = context;
  arithmetic_rhs(s->f, s->u, s->n);
}
static void run_arithmetic_600(void *context) {
  subject *s = context;
  arithmetic_600(s->f, s->u, s->n);
}

/* (sigma - J) z - r for sigma = 1, against r, field by field: the largest. */
static double residual(const subject *s) {
  double largest = 0;
  memcpy(s->b, s->f, s->bytes);
  s->system->type->factor(s->system, 0, 1);
  s->system->type->solve(s->system, 0, s->b);
  s->system->type->multiply(s->system, s->b, s->b_im);
  for (int field = 0; field < s->system->field_count; field++) {
    const wy_field *d = &s->system->fields[field];
    double missing = 0, size = 0;
    for (int k = 0; k < d->components; k++)
      for (int i = 0; i < d->count; i++) {
        const int at = d->offset + k * d->stride + i;
        missing = fmax(missing, fabs(s->b[at] - s->b_im[at] - s->f[at]));
        size = fmax(size, fabs(s->f[at]));
      }
    largest = size > 0 ? fmax(largest, missing / size) : largest;
  }
  return largest;
}

static void measure_exchanges(subject *s, wy_kernel_figures *figures) {
  wy_staggered *self = (wy_staggered *)s->system;
  figures->residual = residual(s);
  self->linear.exchanges = true;
  figures->exchanged_residual = residual(s);
  figures->exchanged_factor = wy_bench_time(run_factor, s, s->n, WORK);
  figures->exchanged_solve = wy_bench_time(run_solve, s, s->n, WORK);
  figures->exchanged_factor_complex = wy_bench_time(run_factor_complex, s, s->n, WORK);
  figures->exchanged_solve_complex = wy_bench_time(run_solve_complex, s, s->n, WORK);
  self->linear.exchanges = false;
}

static void measure(subject *s, wy_kernel_figures *figures) {
  /* A state that moves: every kernel sees ordinary numbers. */
  s->system->type->initial(s->system, s->u);
  for (int field = 0; field < s->system->field_count; field++) {
    const wy_field *d = &s->system->fields[field];
    for (int k = 0; k < d->components; k++)
      for (int i = 0; i < d->count; i++)
        s->u[d->offset + k * d->stride + i] += 0.1 / s->n * ((i * 7 + k * 3) % 11 - 5);
  }
  figures->rhs = wy_bench_time(run_rhs, s, s->n, WORK);
  figures->jacobian = wy_bench_time(run_jacobian, s, s->n, WORK);
  figures->factor = wy_bench_time(run_factor, s, s->n, WORK);
  figures->solve = wy_bench_time(run_solve, s, s->n, WORK);
  figures->factor_complex = wy_bench_time(run_factor_complex, s, s->n, WORK);
  figures->solve_complex = wy_bench_time(run_solve_complex, s, s->n, WORK);
  measure_exchanges(s, figures);
  figures->floor_rhs = wy_bench_time(run_arithmetic_rhs, s, s->n, WORK);
  figures->floor_600 = wy_bench_time(run_arithmetic_600, s, s->n, WORK);
}

int wy_bench_kernels(int segments, wy_kernel_figures *figures) {
  wy_model *model = NULL;
  wy_memory memory = {0};
  wy_system *system = NULL;
  wy_solver_def solver = wy_default_solver_def();
  const wy_scheme *scheme = wy_scheme_find("staggered");
  wy_factor_needs needs = {.real = 1, .complex = 1};
  *figures = (wy_kernel_figures){.segments = segments};
  int status = make_model(segments, &model);
  if (status)
    return status;
  subject s = {.n = segments};
  scheme->create(model, 0, &solver, needs, &memory, &system, NULL);
  wy_arena vectors = {0};
  for (int pass = 0; pass < 2 && !status; pass++) {
    size_t size = (size_t)scheme->size(model, 0, &solver);
    s.u = wy_arena_doubles(&vectors, size);
    s.f = wy_arena_doubles(&vectors, size);
    s.b = wy_arena_doubles(&vectors, size);
    s.b_im = wy_arena_doubles(&vectors, size);
    s.bytes = size * sizeof(double);
    if (pass == 0)
      status = wy_arena_allocate(&vectors) || wy_arena_allocate(&memory.saved) || wy_arena_allocate(&memory.scratch)
                   ? WY_ERROR_MEMORY
                   : WY_OK;
  }
  if (!status) {
    scheme->create(model, 0, &solver, needs, &memory, &s.system, NULL);
    measure(&s, figures);
  }
  wy_arena_release(&vectors);
  wy_arena_release(&memory.saved);
  wy_arena_release(&memory.scratch);
  wy_model_destroy(model);
  return status;
}
