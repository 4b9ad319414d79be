/* SPDX-License-Identifier: MIT */
/* Buckling: load factors at which the equilibrium becomes unstable in one more direction. */
#ifndef WY_EQUILIBRIUM_BUCKLING_H
#define WY_EQUILIBRIUM_BUCKLING_H

#include "equilibrium/equilibrium.h"
#include "scheme/contacts.h"

typedef struct wy_buckling {
  int count;
  double *factor;    /* [count], ascending */
  bool *limit;       /* [count] it is a limit point: the loads cannot grow any further */
  double *config;    /* [count][config_size] the equilibrium there */
  double *direction; /* [count][degrees of freedom] in which it becomes unstable; length 1 in the product of M */
  wy_grip *grip;     /* [parts] of the system, at the first factor */
} wy_buckling;

/* The first `count` factors of all loads of time t, with driven ends where they are then. The arrays have room for that
   many; fewer may be found, but at least one. Changes the state of the solver. */
wy_status wy_buckling_find(wy_equilibrium *self, double t, wy_buckling *out, wy_message *message);

#endif
