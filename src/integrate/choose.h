/* SPDX-License-Identifier: MIT */
/* What `integrator: auto` means for a group. */
#ifndef WY_INTEGRATE_CHOOSE_H
#define WY_INTEGRATE_CHOOSE_H

#include "integrate/integrator.h"

enum { WY_REASON_SIZE = 240 };

/* The method that `solver` names, with an empty reason; for "auto" the one that suits the group, with the reason in
   one sentence. Only the library's own are chosen from: what else is there differs from build to build. `end` of the
   run; INFINITY: not known, so that a program may change loads and ends between steps. */
const wy_integrator_type *wy_integrator_choose(const wy_model *model, int group, const wy_solver_def *solver,
                                               double end, char reason[WY_REASON_SIZE]);

/* The choice by rates, tolerance and the longest step allowed (0: any) alone: the name of a method. */
const char *wy_choose_by_rates(const wy_rates *rates, double tolerance, double largest_step,
                               char reason[WY_REASON_SIZE]);

#endif
