/* SPDX-License-Identifier: MIT */
#include "integrate/implicit.h"

#include <assert.h>
#include <string.h>

#include "scheme/contacts.h"

/* ---- f ---- */

void wy_know_f(wy_integrator *self, wy_kept_f *kept, bool power) {
  assert(self->f);
  if (!kept->valid)
    wy_integrator_rhs(self, self->now->t, self->u, self->f, power);
  *kept = (wy_kept_f){.valid = true};
}

void wy_forget_f(const wy_integrator *self, wy_kept_f *kept) {
  if (kept->unused)
    wy_count_as_quadrature(self, self->now->statistics.rhs - 1);
  *kept = (wy_kept_f){.valid = false};
}

/* ---- Matrices ---- */

int wy_take_jacobian(wy_integrator *self, wy_kept_matrices *kept, double t, const double *u, double *copy) {
  kept->has_jacobian = kept->fresh = kept->has_factor = false;
  int status = self->system->type->jacobian(self->system, t, u);
  if (status)
    return status;
  if (copy)
    memcpy(copy, u, (size_t)self->size * sizeof *copy);
  kept->t = t;
  kept->has_jacobian = kept->fresh = true;
  self->now->statistics.jacobians++;
  return 0;
}

static int factor(wy_system *system, wy_shifts shifts) {
  int status = shifts.real != 0 ? system->type->factor(system, 0, shifts.real) : 0;
  if (!status && (shifts.complex_re != 0 || shifts.complex_im != 0))
    status = system->type->factor_complex(system, 0, shifts.complex_re, shifts.complex_im);
  return status;
}

int wy_take_factors(wy_integrator *self, wy_kept_matrices *kept, double made_for, wy_shifts shifts) {
  assert(kept->has_jacobian);
  self->now->statistics.factorisations++;
  int status = factor(self->system, shifts);
  kept->has_factor = status == 0;
  kept->made_for = made_for;
  return status;
}

void wy_restore_matrices(wy_integrator *self, const wy_kept_matrices *kept, const double *u, wy_shifts shifts) {
  if (!kept->has_jacobian)
    return;
  wy_system_recall(self->system);
  const int status = self->system->type->jacobian(self->system, kept->t, u);
  wy_system_recall(self->system);
  if (!status && kept->has_factor)
    factor(self->system, shifts);
}

/* ---- Failed attempts ---- */

wy_outcome wy_reject(wy_integrator *self, double h, wy_rejection rejection) {
  self->rejection = rejection;
  self->now->h = h;
  return WY_REJECTED;
}

wy_outcome wy_reject_singular(wy_integrator *self, double h, int status) {
  wy_reject(self, h, WY_BY_SINGULARITY);
  return wy_outcome_of(status);
}
