/* SPDX-License-Identifier: MIT */
/* Numbers at random, the same on every machine. */
#ifndef WY_TESTS_RANDOM_CHANCE_H
#define WY_TESTS_RANDOM_CHANCE_H

#include <math.h>
#include <stdint.h>

#include "math/quat.h"

static const double pi = 3.14159265358979323846;

typedef struct chance {
  uint64_t state;
} chance;

static inline double any(chance *c) { /* 0 to 1 */
  c->state += 0x9e3779b97f4a7c15u;
  uint64_t z = c->state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

static inline double between(chance *c, double low, double high) {
  return low + (high - low) * any(c);
}

static inline double spread(chance *c, double low, double high) { /* by orders of magnitude */
  return low * pow(high / low, any(c));
}

static inline int one_of(chance *c, int count) {
  return (int)(any(c) * count);
}

static inline wy_v3 direction(chance *c) {
  const double z = between(c, -1, 1), angle = between(c, 0, 2 * pi), r = sqrt(1 - z * z);
  return (wy_v3){r * cos(angle), r * sin(angle), z};
}

#endif
