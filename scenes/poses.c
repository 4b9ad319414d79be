/* SPDX-License-Identifier: MIT */
/* See poses.h. */
#include "scenes/poses.h"

#include <math.h>

#include "scenes/published.h"

static const double pi = 3.14159265358979323846;

/* In 0..1; the same on every machine (splitmix64). */
static double draw(uint64_t *seed) {
  uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static void draw_direction(uint64_t *seed, double out[3]) {
  double z = 2 * draw(seed) - 1, angle = 2 * pi * draw(seed), r = sqrt(1 - z * z);
  out[0] = r * cos(angle), out[1] = r * sin(angle), out[2] = z;
}

static void draw_pose(int number, wy_end *end) {
  uint64_t seed = (uint64_t)number * UINT64_C(1000003) + 15;
  double direction[3], distance = 0.1 + 0.85 * draw(&seed);
  draw_direction(&seed, direction);
  draw_direction(&seed, end->axis);
  end->rotation = WY_DRIVEN;
  end->angle = wy_constant(pi * draw(&seed));
  for (int i = 0; i < 3; i++) {
    end->position[i] = WY_DRIVEN;
    end->path[i] = wy_constant(distance * direction[i]);
  }
}

wy_rod_def wy_scene_posed(wy_rod_kind kind, int number) {
  wy_rod_def rod = wy_scene_rubber_rod(40);
  rod.kind = kind;
  rod.shape = (wy_shape){.direction = {1, 0, 0}, .d1 = {0, 0, 1}};
  rod.ends[WY_START] = rod.ends[WY_END] = wy_end_clamped();
  draw_pose(number, &rod.ends[WY_END]);
  return rod;
}
