/* SPDX-License-Identifier: MIT */
/* Ways to hold, load, actuate and damp one soft rod, for tests of everything that a step must keep. All sizes are of
   order 1. */
#ifndef WY_TESTS_SUPPORT_CASES_H
#define WY_TESTS_SUPPORT_CASES_H

#include "support/published.h"

/* Tapered, precurved, of unequal pieces, with six general inertias; elastic, without drag, free. */
example plain_case(void);
wy_load_def *add_load(example *e, wy_load_place place, wy_axes axes, double from, double to);
/* Force and moment that swing, different in every component. */
void swinging(example *e, wy_load_def *load, double force, double moment);
void set_gravity(example *e);

/* What a plain case may be made into. */
void end_loads(example *e);
void body_end_loads(example *e);
void loads_inside(example *e);
void loads_along(example *e);
void pinned_in_gravity(example *e);
void damped_with_drag(example *e);
void maxwell_branches(example *e);
void everything_viscous(example *e);
void actuators(example *e);
void driven_start(example *e);
void held_at_both_ends(example *e);
void released(example *e);
void moving_from_the_start(example *e);
void everything(example *e);
void in_a_fluid(example *e);
void free_in_a_fluid(example *e);
void constant_loads(example *e);

typedef struct named_case {
  const char *name;
  void (*build)(example *e);
} named_case;

/* One way to solve one case; Newton's method goes as far as double precision does. */
typedef struct variant {
  char name[128];
  example e;
  wy_solver_def solver;
} variant;

variant make_variant(const named_case *c, int order, wy_rod_kind kind, wy_end_moment moment, double step);
/* All cases, orders, models and forms of moments, one after the other. */
void for_all_cases(void (*check)(variant *v));
/* One step that must succeed. */
void step_variant(const variant *v, const test_sim *made);

#endif
