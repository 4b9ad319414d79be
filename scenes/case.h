/* SPDX-License-Identifier: MIT */
/* One rod with what acts on it and how it is solved: what most published examples amount to. Read from a built-in
   scenario, changed, made, moved, read. */
#ifndef WY_SCENES_CASE_H
#define WY_SCENES_CASE_H

#include "run/scenario/scenario.h"

enum { WY_CASE_SIGNALS = 8, WY_CASE_ACTUATORS = 3 };

typedef struct wy_case {
  wy_rod_def rod;
  double gravity[3];
  wy_load_def load;
  bool loaded;
  wy_actuator_def actuator[WY_CASE_ACTUATORS];
  int actuators;
  bool statics; /* equilibria are wanted */
  wy_solver_def solver;
  wy_scenario *scenario; /* where the definitions come from, and what they point to; NULL where they are made here */
  wy_message trouble;    /* why the scenario cannot be read; wy_case_create passes it on */
  wy_expr *expr[WY_CASE_SIGNALS];
  int exprs;
  wy_model *model; /* set by wy_case_create, as is sim */
  wy_sim *sim;
} wy_case;

/* Definitions as by default. */
wy_case wy_case_new(void);
/* One rod of a built-in scenario, with its load, its actuators and gravity; `settings` are PATH=VALUE as with --set. Of
   the solver the scheme, its options and those of equilibria are taken; integrator, tolerances and steps are as by
   default: experiments compare them. What is wrong is found by wy_case_create. */
wy_case wy_case_load(const char *scenario, const char *rod, const char *const *settings, int count);
/* Stiffness and inertia that do not vary along the rod. */
void wy_case_section(wy_case *c, const double stiffness[6], const double inertia[4]);
/* An expression of time and arc length, and of a constant a, as a signal that lives as long as the case. */
wy_signal wy_case_signal(wy_case *c, const char *text, double a);
/* The definition of the model, which points into the case. */
wy_model_def wy_case_model(const wy_case *c);
/* Model and simulation. On failure the case still wants to be destroyed. */
wy_status wy_case_create(wy_case *c, wy_message *message);
void wy_case_destroy(wy_case *c);

/* Steps of the method until time t is reached, which is a multiple of them; the position of the end there. */
wy_status wy_case_move(wy_case *c, double t, double tip[4], wy_message *message);
wy_status wy_case_tip(wy_case *c, double tip[4], wy_message *message);

#endif
