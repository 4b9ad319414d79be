/* SPDX-License-Identifier: MIT */
/* Springs of balls: their moment is the derivative of their energy, and its derivatives are those of differences. */
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "network/turn.h"

enum { ENTRIES = 12 }; /* theta of A and B, then angular velocities of both */
static const double stiffness = 1.7, damping = 0.4;

/* Two hubs, turned and faster by x. */
static void hubs_at(const double x[ENTRIES], wy_hub_motion at[2]) {
  static const double frames[2][4] = {{0.8, 0.3, -0.4, 0.2}, {0.3, 0.7, 0.1, 0.6}};
  static const double omega[2][3] = {{0.4, -0.7, 0.2}, {-0.3, 0.5, 0.9}};
  for (int i = 0; i < 2; i++) {
    double frame[4], step[4], turned[4];
    memcpy(frame, frames[i], sizeof frame);
    wy_qnormalise(frame);
    wy_qexp(x + 3 * i, step);
    wy_qmul(frame, step, turned);
    at[i] = (wy_hub_motion){.p = wy_at4(turned), .unit = wy_at4(turned), .r = wy_rotation(wy_at4(turned))};
    at[i].omega = wy_plus(wy_at3(omega[i]), wy_at3(x + 6 + 3 * i));
  }
}

/* Energy, then torques on A and B. */
static void act(const double x[ENTRIES], double out[7]) {
  wy_hub_motion at[2];
  hubs_at(x, at);
  const wy_ball_turn turn = wy_turn_between(&at[0], &at[1], stiffness, damping);
  out[0] = 0.5 * stiffness * wy_inner(turn.r, turn.r);
  wy_put3(out + 1, wy_apply(turn.frame, turn.moment));
  wy_put3(out + 4, wy_times(-1, turn.moment));
}

static void test_blocks(void **state) {
  (void)state;
  const double h = 1e-5, still[ENTRIES] = {0};
  wy_hub_motion at[2];
  wy_m3 by_theta[2][2], by_omega[2][2];
  hubs_at(still, at);
  const wy_ball_turn turn = wy_turn_between(&at[0], &at[1], stiffness, damping);
  check_above(wy_norm(turn.r), 1);
  wy_turn_blocks(&turn, &at[0], stiffness, damping, by_theta, by_omega);
  for (int c = 0; c < ENTRIES; c++) {
    double x[ENTRIES] = {0}, more[7], less[7], rows[9];
    x[c] = h, act(x, more);
    x[c] = -h, act(x, less);
    for (int on = 0; on < 2; on++) {
      wy_to_rows((c < 6 ? by_theta : by_omega)[on][c / 3 % 2], rows);
      for (int k = 0; k < 3; k++) /* differences: h^2 and round-off / h */
        check_close(rows[3 * k + c % 3], (more[1 + 3 * on + k] - less[1 + 3 * on + k]) / (2 * h), 1e-8);
    }
    if (c >= 6)
      continue;
    double torque[3]; /* of the spring alone: r has the same components in both frames */
    wy_put3(torque, wy_times(c < 3 ? stiffness : -stiffness, turn.r));
    check_close(-torque[c % 3], (more[0] - less[0]) / (2 * h), 1e-8);
  }
}

/* The inverse of the exponential's differential, also where its series is taken. */
static void test_inverse(void **state) {
  (void)state;
  static const double sizes[] = {0, 1e-3, 9.9e-3, 1.01e-2, 1, 3};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const double a[3] = {0.6 * sizes[i], -0.64 * sizes[i], 0.48 * sizes[i]};
    double forth[9], back[9], both[9];
    wy_so3_right_jacobian(a, forth);
    wy_so3_right_inverse(a, back);
    wy_matmul3(forth, back, both);
    for (int k = 0; k < 9; k++)
      check_close(both[k], k % 4 == 0, 1e-14);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_blocks), cmocka_unit_test(test_inverse)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
