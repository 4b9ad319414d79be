/* SPDX-License-Identifier: MIT */
#include "network/turn.h"

#include "math/quat.h"

wy_ball_turn wy_turn_between(const wy_hub_motion *a, const wy_hub_motion *b, double stiffness, double damping) {
  double between[4], r[3];
  wy_ball_turn self;
  wy_put4(between, wy_between(a->unit, b->unit));
  wy_qlog(between, r);
  self.r = wy_at3(r);
  self.frame = wy_rotation(wy_at4(between));
  self.w = wy_minus(b->omega, wy_apply_transposed(self.frame, a->omega));
  self.moment = wy_plus(wy_times(stiffness, self.r), wy_times(damping, self.w));
  return self;
}

/* With psi = theta_B - R^T theta_A: dR = R [psi]x, dr = T(r)^-1 psi, dw = dOm_B - R^T dOm_A - [R^T Om_A]x psi. */
void wy_turn_blocks(const wy_ball_turn *self, const wy_hub_motion *a, double stiffness, double damping,
                    wy_m3 by_theta[2][2], wy_m3 by_omega[2][2]) {
  double r[3], inverse[9];
  wy_put3(r, self->r);
  wy_so3_right_inverse(r, inverse);
  const wy_m3 back = wy_mtransposed(self->frame), forth = self->frame;
  const wy_m3 swept = wy_skew(wy_times(damping, wy_apply(back, a->omega)));
  const wy_m3 moment = wy_mminus(wy_mtimes(stiffness, wy_from_rows(inverse)), swept); /* of B, by psi */
  const wy_m3 carried = wy_mproduct(forth, wy_mminus(moment, wy_skew(self->moment))); /* d(R m) = R (psi x m + dm) */
  by_theta[1][1] = wy_mtimes(-1, moment);
  by_theta[1][0] = wy_mproduct(moment, back);
  by_theta[0][1] = carried;
  by_theta[0][0] = wy_mtimes(-1, wy_mproduct(carried, back));
  by_omega[1][1] = by_omega[0][0] = wy_diagonal(-damping);
  by_omega[1][0] = wy_mtimes(damping, back);
  by_omega[0][1] = wy_mtimes(damping, forth);
}
