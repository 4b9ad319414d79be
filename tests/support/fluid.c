/* SPDX-License-Identifier: MIT */
#include "support/fluid.h"

#include <math.h>

#include "math/vec3.h"

const stirred stirring = {.turn = {1, 0, 0, 0, 1, 0, 0, 0, 1}},
              steady = {.turn = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .still = true},
              swaying = {.turn = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .uniform = true};

/* U_i = a_i + b_i sin(k_i . x + phase_i + t): every component by every coordinate, no symmetry. */
static void evaluate(const void *context, const double place[3], double t, double velocity[3], double gradient[9],
                     double rate[3]) {
  static const double a[3] = {0.9, -0.4, 0.3}, b[3] = {0.5, 0.6, -0.4};
  static const double k[3][3] = {{0.7, -0.5, 1.1}, {-0.4, 0.8, 0.6}, {0.9, 0.3, -0.6}};
  const stirred *flow = context;
  double x[3], own[3], slope[9], own_rate[3], turned[9], back[9], from[3];
  wy_copy3(place, from);
  wy_add3(from, -1, flow->shift);
  wy_tmul3(flow->turn, from, x);
  for (int i = 0; i < 3; i++) {
    const double phase = (flow->uniform ? 0 : wy_dot3(k[i], x)) + 0.3 * i + (flow->still ? 0 : t);
    own[i] = a[i] + b[i] * sin(phase);
    own_rate[i] = flow->still ? 0 : b[i] * cos(phase);
    for (int j = 0; j < 3; j++)
      slope[3 * i + j] = flow->uniform ? 0 : b[i] * cos(phase) * k[i][j];
  }
  wy_mul3(flow->turn, own, velocity);
  wy_mul3(flow->turn, own_rate, rate);
  wy_matmul3(flow->turn, slope, turned);
  wy_transpose3(flow->turn, back);
  wy_matmul3(turned, back, gradient);
}

wy_flow stirred_flow(const stirred *flow) {
  return (wy_flow){.evaluate = evaluate,
                   .context = flow,
                   .depends_on = flow->still     ? WY_X | WY_Y | WY_Z
                                 : flow->uniform ? WY_TIME
                                                 : 0};
}

static void tapering(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)t;
  jet[0] = 0.4 - 0.1 * s, jet[1] = wrt == WY_ARC ? -0.1 : 0, jet[2] = 0;
}

void surround(wy_rod_def *rod, const stirred *flow) {
  rod->fluid = (wy_fluid){.given = true,
                          .buoyancy = true,
                          .density = 1.7,
                          .normal = 1.3,
                          .tangential = 0.4,
                          .diameter = {0, tapering, 0, WY_ARC},
                          .velocity = stirred_flow(flow)};
}
