/* SPDX-License-Identifier: MIT */
/* The linear systems of a staggered rod in the null-space form, from soft to stiff, for shifts over eight decades:
   residuals against the sizes in their rows, without exchanges of rows, and with exchanges where these are needed. */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "scheme/scheme.h"
#include "scheme/staggered/rod.h"
#include "withy/sim.h"

typedef struct material {
  const char *name;
  double young, density, length, radius;
  int segments;
} material;

static const material materials[] = {
    {"rubber", 5e6, 1100, 1, 5e-3, 20},
    {"steel", 2.1e11, 7850, 1, 1e-3, 40},
    {"long and slender", 2.1e11, 7850, 10, 1e-4, 40},
};
enum { MATERIALS = sizeof materials / sizeof materials[0] };

static const char *const supports[] = {"free", "pinned", "clamped"};

/* A rod and its Jacobian, column by column. */
typedef struct subject {
  const char *name, *support;
  wy_model *model;
  wy_memory memory;
  wy_system *system;
  double *jacobian, *u, *r, *z, *z_im;
} subject;

static wy_model *make_model(const material *of, int support, bool damped) {
  wy_rod_def rod = wy_default_rod_def();
  wy_model_def def = wy_default_model_def();
  wy_message message = {0};
  wy_model *model = NULL;
  rod.length = of->length;
  rod.segments = of->segments;
  rod.section.shape = WY_CIRCLE;
  rod.section.radius = wy_constant(of->radius);
  rod.material.given = true;
  rod.material.young = wy_constant(of->young);
  rod.material.density = wy_constant(of->density);
  rod.material.poisson = wy_constant(0.3);
  if (damped) {
    rod.damping.kind = WY_DAMPING_TIME;
    rod.damping.time = wy_constant(1e-4);
  }
  if (support > 0)
    rod.ends[WY_START] = support == 1 ? wy_end_pinned() : wy_end_clamped();
  def.rods = &rod;
  def.rod_count = 1;
  if (wy_model_create(&def, &model, &message))
    fail_msg("%s", message.text);
  return model;
}

static subject open_subject(const material *of, int support, bool damped) {
  subject s = {.name = of->name, .support = supports[support], .model = make_model(of, support, damped)};
  const wy_scheme *scheme = wy_scheme_find("staggered");
  const wy_factor_needs needs = {.real = 1, .complex = 1};
  const wy_solver_def solver = wy_default_solver_def();
  scheme->create(s.model, 0, &solver, needs, &s.memory, &s.system, NULL);
  assert_int_equal(wy_arena_allocate(&s.memory.saved), 0);
  assert_int_equal(wy_arena_allocate(&s.memory.scratch), 0);
  scheme->create(s.model, 0, &solver, needs, &s.memory, &s.system, NULL);
  const size_t n = (size_t)s.system->size;
  double **arrays[] = {&s.u, &s.r, &s.z, &s.z_im};
  for (int k = 0; k < 4; k++)
    assert_non_null(*arrays[k] = calloc(n, sizeof(double)));
  assert_non_null(s.jacobian = calloc(n * n, sizeof(double)));
  s.system->type->initial(s.system, s.u);
  return s;
}

static void close_subject(subject *s) {
  free(s->u), free(s->r), free(s->z), free(s->z_im), free(s->jacobian);
  wy_arena_release(&s->memory.saved);
  wy_arena_release(&s->memory.scratch);
  wy_model_destroy(s->model);
}

/* Something smooth of the given size into all fields, or its sum with what is there. */
static void add_wave(const subject *s, double size, double *u) {
  for (int f = 0; f < s->system->field_count; f++) {
    const wy_field *d = &s->system->fields[f];
    for (int k = 0; k < d->components; k++)
      for (int i = 0; i < d->count; i++)
        u[d->offset + k * d->stride + i] += size * sin(3.0 * i / d->count + k + f);
  }
}

static void linearise(subject *s) {
  const int n = s->system->size;
  assert_int_equal(s->system->type->jacobian(s->system, 0, s->u), WY_OK);
  memset(s->z, 0, (size_t)n * sizeof *s->z);
  for (int c = 0; c < n; c++) {
    s->z[c] = 1;
    s->system->type->multiply(s->system, s->z, s->jacobian + (size_t)c * (size_t)n);
    s->z[c] = 0;
  }
}

/* One row of (sigma - J) z = r: what is missing, and the sum of the sizes of its terms. */
static double missing(const subject *s, double re, double im, int row, double *size) {
  const int n = s->system->size;
  double sum = re * s->z[row] - im * s->z_im[row] - s->r[row], sum_im = im * s->z[row] + re * s->z_im[row];
  *size = (re + im) * (fabs(s->z[row]) + fabs(s->z_im[row])) + fabs(s->r[row]);
  for (int c = 0; c < n; c++) {
    const double j = s->jacobian[(size_t)c * (size_t)n + (size_t)row];
    sum -= j * s->z[c];
    sum_im -= j * s->z_im[c];
    *size += fabs(j) * (fabs(s->z[c]) + fabs(s->z_im[c]));
  }
  return fabs(sum) + fabs(sum_im);
}

/* The largest residual of a field against the largest size in its rows, of all fields. */
static double backward_error(const subject *s, double re, double im) {
  double error = 0;
  for (int f = 0; f < s->system->field_count; f++) {
    const wy_field *d = &s->system->fields[f];
    double most = 0, scale = 0, size;
    for (int k = 0; k < d->components; k++)
      for (int i = 0; i < d->count; i++) {
        most = fmax(most, missing(s, re, im, d->offset + k * d->stride + i, &size));
        scale = fmax(scale, size);
      }
    error = scale > 0 ? fmax(error, most / scale) : error;
  }
  return error;
}

/* Without exchanges the bound is 51 roundings of |L| |U| |z| (test_band_plain.c), at most nine times |A| |z| by (S47);
   elimination of displacements and rotations, and the product with J, take some twenty roundings more; of size
   DBL_EPSILON / 2 all in all 240. Growth that (S48) allows comes on top, and exchanges of scaled rows have bounds of
   their own: 1000 is for all, and what rows of unlike units cost is 1e3 to 1e5 times that. */
static const double tolerance = 1000 * DBL_EPSILON;

static void check_error(const subject *s, const char *what, double sigma, double error) {
  if (!(error <= tolerance))
    fail_msg("%s, %s, %s, sigma = %g: residual %.3g of the terms in its rows, want at most %.3g", s->name, s->support,
             what, sigma, error, tolerance);
}

static void solve_real(subject *s, double sigma, const char *what) {
  const size_t n = (size_t)s->system->size;
  memcpy(s->z, s->r, n * sizeof *s->z);
  memset(s->z_im, 0, n * sizeof *s->z_im);
  assert_int_equal(s->system->type->factor(s->system, 0, sigma), WY_OK);
  s->system->type->solve(s->system, 0, s->z);
  check_error(s, what, sigma, backward_error(s, sigma, 0));
}

static void solve_complex(subject *s, double sigma, const char *what) {
  const size_t n = (size_t)s->system->size;
  memcpy(s->z, s->r, n * sizeof *s->z);
  memset(s->z_im, 0, n * sizeof *s->z_im);
  assert_int_equal(s->system->type->factor_complex(s->system, 0, sigma, sigma), WY_OK);
  s->system->type->solve_complex(s->system, 0, s->z, s->z_im);
  check_error(s, what, sigma, backward_error(s, sigma, sigma));
}

static void solves(subject *s) {
  wy_staggered *self = (wy_staggered *)s->system;
  for (double sigma = 1; sigma < 2e8; sigma *= 10)
    for (int exchanges = 0; exchanges < 2; exchanges++) {
      self->linear.exchanges = exchanges;
      solve_real(s, sigma, exchanges ? "real, exchanges" : "real");
      assert_int_equal(self->linear.real[0].band.plain, !exchanges);
      solve_complex(s, sigma, exchanges ? "complex, exchanges" : "complex");
      assert_int_equal(self->linear.complex[0].band_complex.plain, !exchanges);
    }
}

static void residuals_are_small_whatever_the_units(void **state) {
  (void)state;
  for (int m = 0; m < MATERIALS; m++)
    for (int support = 0; support < 3; support++)
      for (int damped = 0; damped < 2; damped++) {
        subject s = open_subject(&materials[m], support, damped);
        add_wave(&s, 1e-5, s.u);
        add_wave(&s, 1, s.r);
        linearise(&s);
        solves(&s);
        close_subject(&s);
      }
}

/* A rod pressed to less than its length is unstable in many ways: as the shift passes the growth rates of its parts,
   pivots pass zero. Some of these shifts need exchanges, and every solution is good. */
static void a_rod_that_buckles_takes_exchanges_where_it_must(void **state) {
  (void)state;
  subject s = open_subject(&materials[1], 1, false);
  wy_staggered *self = (wy_staggered *)s.system;
  int exchanged = 0, plain = 0;
  for (int i = 0; i <= self->grid.n; i++)
    for (int k = 0; k < 3; k++)
      s.u[self->grid.x + k * self->grid.stride + i] *= 0.3;
  add_wave(&s, 1e-5, s.u);
  add_wave(&s, 1, s.r);
  linearise(&s);
  for (int k = 0; k < 300; k++) {
    solve_real(&s, pow(10, 3 + 0.01 * k), "pressed");
    exchanged += !self->linear.real[0].band.plain;
    plain += self->linear.real[0].band.plain;
  }
  check_above(exchanged, 0);
  check_above(plain, 0);
  close_subject(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(residuals_are_small_whatever_the_units),
      cmocka_unit_test(a_rod_that_buckles_takes_exchanges_where_it_must),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
