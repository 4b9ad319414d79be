/* SPDX-License-Identifier: MIT */
/* Springs and cables between points of hubs or of the ground (docs/theory/network.md). */
#ifndef WY_NETWORK_SPRING_H
#define WY_NETWORK_SPRING_H

#include "network/hub.h"
#include "withy/network.h"

/* One spring now: its length and what it pulls with. */
typedef struct wy_spring_pull {
  wy_v3 line, rate; /* from its first end to the second, and how that changes */
  wy_v3 along;      /* unit vector; 0 where both ends are at one place */
  double length, lengthening, tension;
  bool acts; /* false: a slack cable */
} wy_spring_pull;

/* `line` is that between its ends, `rate` the difference of their velocities. */
wy_spring_pull wy_spring_at(const wy_spring_def *def, wy_v3 line, wy_v3 rate);
/* The force on its first end; that on the second is the opposite. */
wy_v3 wy_spring_force(const wy_spring_pull *pull);
double wy_spring_energy(const wy_spring_def *def, const wy_spring_pull *pull);
double wy_spring_dissipation(const wy_spring_def *def, const wy_spring_pull *pull);
/* Derivatives of that force by `line` and by `rate`. */
void wy_spring_blocks(const wy_spring_def *def, const wy_spring_pull *pull, wy_m3 *by_line, wy_m3 *by_rate);

#endif
