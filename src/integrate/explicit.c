/* SPDX-License-Identifier: MIT */
#include "integrate/explicit.h"

#include <math.h>

#include "base/target.h"

static const double safety = 0.9;

/* For as many terms as there are, all by name: arrays of pointers would be filled and read again in memory. */
WY_INLINE void combine(const double *restrict u, double h, const double *a, double *const *k, int terms, int n,
                       double *restrict out) {
  const double *restrict k0 = k[0];
  const double a0 = h * a[0];
  const double *restrict k1 = k[terms > 1 ? 1 : 0];
  const double a1 = h * a[terms > 1 ? 1 : 0];
  const double *restrict k2 = k[terms > 2 ? 2 : 0];
  const double a2 = h * a[terms > 2 ? 2 : 0];
  const double *restrict k3 = k[terms > 3 ? 3 : 0];
  const double a3 = h * a[terms > 3 ? 3 : 0];
  const double *restrict k4 = k[terms > 4 ? 4 : 0];
  const double a4 = h * a[terms > 4 ? 4 : 0];
  const double *restrict k5 = k[terms > 5 ? 5 : 0];
  const double a5 = h * a[terms > 5 ? 5 : 0];
  const double *restrict k6 = k[terms > 6 ? 6 : 0];
  const double a6 = h * a[terms > 6 ? 6 : 0];
  const double *restrict k7 = k[terms > 7 ? 7 : 0];
  const double a7 = h * a[terms > 7 ? 7 : 0];
  const double *restrict k8 = k[terms > 8 ? 8 : 0];
  const double a8 = h * a[terms > 8 ? 8 : 0];
#pragma omp simd
  for (int i = 0; i < n; i++) {
    double sum = a0 * k0[i];
    if (terms > 1)
      sum += a1 * k1[i];
    if (terms > 2)
      sum += a2 * k2[i];
    if (terms > 3)
      sum += a3 * k3[i];
    if (terms > 4)
      sum += a4 * k4[i];
    if (terms > 5)
      sum += a5 * k5[i];
    if (terms > 6)
      sum += a6 * k6[i];
    if (terms > 7)
      sum += a7 * k7[i];
    if (terms > 8)
      sum += a8 * k8[i];
    out[i] = u[i] + sum;
  }
}

WY_CLONES
void wy_stage_sum(const double *u, double h, const double *a, double *const *k, int terms, int n, double *out) {
  switch (terms) {
  case 1:
    combine(u, h, a, k, 1, n, out);
    break;
  case 2:
    combine(u, h, a, k, 2, n, out);
    break;
  case 3:
    combine(u, h, a, k, 3, n, out);
    break;
  case 4:
    combine(u, h, a, k, 4, n, out);
    break;
  case 5:
    combine(u, h, a, k, 5, n, out);
    break;
  case 6:
    combine(u, h, a, k, 6, n, out);
    break;
  case 7:
    combine(u, h, a, k, 7, n, out);
    break;
  case 8:
    combine(u, h, a, k, 8, n, out);
    break;
  default:
    combine(u, h, a, k, WY_MOST_TERMS, n, out);
  }
}

void wy_forget_steps(wy_step_history *history) {
  *history = (wy_step_history){.last_error = 1e-4};
}

bool wy_judge_step(wy_integrator *self, const wy_step_control *control, wy_step_history *history, double h,
                   const double *after, double error, double *next) {
  double most = 1 / control->smallest_factor, least = 1 / control->largest_factor;
  double raw = pow(error, control->exponent);
  if (!isfinite(error)) {
    self->rejection = WY_BY_NAN;
    self->now->h = 0.1 * h;
  } else if (error > 1) {
    self->rejection = WY_BY_ERROR;
    self->now->h = h / fmin(most, raw / safety);
  } else if (!wy_step_allowed(self, h, after)) {
    self->rejection = WY_BY_CONTACT;
    self->now->h = 0.5 * h;
  } else {
    *next = h / fmax(least, fmin(most, raw / pow(history->last_error, control->beta) / safety));
    if (history->last_rejected)
      *next = fmin(*next, h);
    history->last_error = fmax(error, 1e-4);
    history->last_rejected = false;
    return true;
  }
  history->last_rejected = true;
  return false;
}

static const double noisy_share = 0.02;

bool wy_rates_are_noisy(const wy_integrator *self, double stage, double end, double largest, double gain) {
  return self->system->has_power && (!(fabs(stage - end) <= noisy_share * largest) || !(gain >= 0));
}

void wy_books_keep(wy_integrator *self, wy_books *books, const double before[WY_INTEGRALS], const double *rates) {
  double *integrals = self->u + self->system->size, h = self->now->t - self->now->t_old;
  books->even = rates != NULL;
  for (int q = 0; q < WY_INTEGRALS; q++) {
    books->before[q] = before[q];
    if (rates)
      integrals[q] = before[q] + h * rates[q];
    books->gain[q] = integrals[q] - before[q];
  }
}

void wy_books_at(const wy_books *books, double theta, double integrals[WY_INTEGRALS]) {
  for (int q = 0; q < WY_INTEGRALS && books->even; q++)
    integrals[q] = books->before[q] + theta * books->gain[q];
  double *dissipated = &integrals[WY_DISSIPATION_INTEGRAL], from = books->before[WY_DISSIPATION_INTEGRAL];
  *dissipated = fmin(fmax(*dissipated, from), from + books->gain[WY_DISSIPATION_INTEGRAL]);
}
