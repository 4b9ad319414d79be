/* SPDX-License-Identifier: MIT */
/* A fluid for rods whose sizes are of order 1: it moves everywhere differently, and with time. */
#ifndef WY_TESTS_SUPPORT_FLUID_H
#define WY_TESTS_SUPPORT_FLUID_H

#include "withy/model.h"

/* A velocity field, turned and shifted with a rod: of the place it sees R^T (x - shift), and it gives R U. */
typedef struct stirred {
  double turn[9], shift[3];
  bool still, uniform; /* it does not change with time, or not in space */
} stirred;

/* Neither turned nor shifted; the same without time, or without place. */
extern const stirred stirring, steady, swaying;

/* Puts the rod into it: drag across and along, buoyancy, a diameter that tapers. */
void surround(wy_rod_def *rod, const stirred *flow);
wy_flow stirred_flow(const stirred *flow);

#endif
