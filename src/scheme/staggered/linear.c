/* SPDX-License-Identifier: MIT */
/* Linear systems of the staggered rod as a wy_system: Jacobian, factors, solves, in the form of the rod. */
#include <string.h>

#include "scheme/staggered/door.h"
#include "scheme/staggered/rod.h"

/* Where the Jacobian is taken, for the solves. */
static void keep_state(wy_staggered *self, const double *u) {
  wy_linearisation *linear = &self->linear;
  const int hs = self->grid.halo_stride;
  const size_t bytes = sizeof(double) * (size_t)self->grid.stride;
  for (int k = 0; k < 3; k++)
    memcpy(linear->omega + k * hs, self->eval.omega + k * hs, bytes);
  memcpy(linear->p, u + self->grid.p, 4 * bytes);
  for (int end = 0; end < 2; end++)
    for (int k = 0; k < 3; k++)
      linear->held[end][k] = wy_is_held(self, end, k);
}

void wy_staggered_linearise(wy_staggered *self, const wy_form *form, const double *u, const double *f) {
  assert(form->assemble && form->hold);
  self->linear.into = form;
  form->assemble(self, u, f);
  wy_staggered_load_blocks(self);
  if (self->actuators.has_tendons)
    wy_staggered_tendon_blocks(self, u);
  if (self->fluid.drags)
    wy_staggered_fluid_blocks(self, u, f != NULL);
  if (self->fluid.adds && f)
    wy_staggered_added_blocks(self, u, f);
  if (self->base.contacts)
    wy_staggered_contact_blocks(self, u, f != NULL);
  if (self->ports.any)
    wy_staggered_keep_end_rows(self, f == NULL);
  form->hold(self, f != NULL);
}

void wy_staggered_take_blocks(wy_staggered *self, const double *u) {
  assert(self->linear.segments && self->linear.vertices); /* factors were asked for at creation */
  keep_state(self, u);
  self->form->section_blocks(self, u);
  wy_staggered_torque_blocks(self);
  if (self->branches.count)
    wy_staggered_branch_blocks(self, u);
}

int wy_staggered_jacobian(wy_system *system, double t, const double *u) {
  wy_staggered *self = (wy_staggered *)system;
  u = wy_staggered_seat(self, u, false);
  const int status = wy_staggered_evaluate(self, t, u, self->eval.work, NULL);
  wy_staggered_take_blocks(self, u);
  wy_staggered_linearise(self, self->form, u, self->eval.work);
  return status;
}

void wy_staggered_slope(const wy_system *system, double *f) {
  const wy_staggered *self = (const wy_staggered *)system;
  memcpy(f, self->eval.work, (size_t)system->size * sizeof *f);
}

static wy_m3 block_of(const wy_chain_blocks *blocks, int which, int lane) {
  const double *at = &blocks->at[which][0][lane];
  return (wy_m3){wy_load3(at, WY_LANES, 0), wy_load3(at + 3 * WY_LANES, WY_LANES, 0),
                 wy_load3(at + 6 * WY_LANES, WY_LANES, 0)};
}

void wy_staggered_add_chain(wy_staggered *self, int first, int count, const wy_chain_blocks *by_x,
                            const wy_chain_blocks *by_v) {
  for (int lane = 0; lane < count; lane++)
    for (int a = 0; a < 2; a++)
      for (int b = 0; b < 2; b++) {
        const wy_place on = wy_at_vertex(first + lane + a), by = wy_at_vertex(first + lane + b);
        wy_door_block(self, on, by, 1, block_of(by_x, a + b, lane));
        if (by_v)
          wy_door_rate_block(self, on, by, block_of(by_v, a + b, lane));
      }
}

int wy_staggered_order(const wy_staggered *self) {
  return self->form->cell * self->grid.n + 3;
}

/* ---- Slots ---- */

int wy_slot_factor(wy_slot *slot) {
  int failed = slot->is_complex ? wy_band_complex_factor(&slot->band_complex) : wy_band_factor(&slot->band);
  return failed ? WY_RETRY : WY_OK;
}

void wy_slot_solve(wy_slot *slot, double *re, double *im) {
  assert(slot->is_complex == (im != NULL));
  if (slot->is_complex)
    wy_band_complex_solve(&slot->band_complex, re, im);
  else
    wy_band_solve(&slot->band, re);
}

double *wy_slot_row(wy_slot *slot, int row, double **im) {
  *im = slot->is_complex ? wy_band_complex_row_im(&slot->band_complex, row) : NULL;
  return slot->is_complex ? wy_band_complex_row_re(&slot->band_complex, row) : wy_band_row(&slot->band, row);
}

void wy_staggered_solve_held(const wy_staggered *self, const wy_slot *slot, int cell, const double *re,
                             const double *im, double *packed, double *packed_im) {
  assert(slot->re != 0 || slot->im != 0);
  double inv = 1 / (slot->re * slot->re + slot->im * slot->im), inv_re = slot->re * inv, inv_im = -slot->im * inv;
  for (int end = 0; end < 2; end++)
    for (int k = 0; k < 3; k++)
      if (self->linear.held[end][k]) {
        int vertex = end ? self->grid.n : 0, from = self->grid.v + k * self->grid.stride + vertex,
            to = cell * vertex + k;
        packed[to] = inv_re * re[from] - (im ? inv_im * im[from] : 0);
        if (im)
          packed_im[to] = inv_re * im[from] + inv_im * re[from];
      }
}

/* ---- The system's verbs ---- */

int wy_staggered_factor(wy_system *system, int index, double sigma) {
  wy_staggered *self = (wy_staggered *)system;
  assert(index >= 0 && index < WY_MAX_SLOTS && sigma != 0);
  wy_slot *slot = &self->linear.real[index];
  slot->re = sigma, slot->im = 0;
  return self->form->factor(self, slot);
}

int wy_staggered_factor_complex(wy_system *system, int index, double re, double im) {
  wy_staggered *self = (wy_staggered *)system;
  assert(index >= 0 && index < WY_MAX_SLOTS && (re != 0 || im != 0));
  wy_slot *slot = &self->linear.complex[index];
  slot->re = re, slot->im = im;
  return self->form->factor(self, slot);
}

void wy_staggered_solve(wy_system *system, int index, double *b) {
  wy_staggered *self = (wy_staggered *)system;
  self->form->solve(self, &self->linear.real[index], b, NULL);
}

void wy_staggered_solve_complex(wy_system *system, int index, double *re, double *im) {
  wy_staggered *self = (wy_staggered *)system;
  self->form->solve(self, &self->linear.complex[index], re, im);
}

void wy_staggered_multiply(wy_system *system, const double *x, double *y) {
  wy_staggered *self = (wy_staggered *)system;
  assert(self->form->multiply);
  self->form->multiply(self, x, y);
}
