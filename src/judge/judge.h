/* SPDX-License-Identifier: MIT */
/* The judgement of one rod: rules that look at a state and at what was noted on the way to it. Each rule is a function
   that adds a finding or none. docs/theory/judgement.md has the limits and their reasons. */
#ifndef WY_JUDGE_JUDGE_H
#define WY_JUDGE_JUDGE_H

#include "integrate/integrator.h"
#include "withy/statics.h"

/* What is before the judge: one rod of a simulation, as it stands. */
typedef struct wy_judged {
  const wy_model *model;
  int rod;
  const wy_scheme *scheme;
  const wy_solver_def *solver;
  const wy_integrator *integrator; /* of its group, as balance, statistics and equilibrium are */
  const wy_system *system;         /* its own */
  const wy_view *view;
  const double *state; /* of the group, at the time of the view */
  wy_balance balance;  /* only with the first rod of a group */
  double mass;         /* of the group, likewise */
  wy_statistics statistics;
  wy_momentum momentum;
  wy_equilibrium_info equilibrium;                          /* the last one, without increments where there was none */
  double contact_force[3], contact_moment[3], contact_size; /* of all obstacles, the moment about the rod's origin */
  bool resting;                                             /* in an equilibrium */
  bool disturbed;                                           /* whose loads or ends have been changed since */
} wy_judged;

/* Findings in descending severity; those beyond `room` are counted only. */
typedef struct wy_judgement {
  wy_finding *list;
  int room, count;
  wy_finding worst; /* the first one of the highest severity */
} wy_judgement;

void wy_judgement_add(wy_judgement *self, const wy_finding *finding);

/* Is a value above what is in order? Then the finding says so: doubtful, or wrong above `wrong`. */
bool wy_judge_above(wy_finding *finding, const char *code, double value, double doubtful, double wrong);
/* And in words. */
void wy_judge_text(wy_finding *finding, const char *format, ...) __attribute__((format(printf, 2, 3)));
void wy_judge_remedy(wy_finding *finding, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* All rules; those that are about the group are asked with its first rod only. */
void wy_judge_rod(const wy_judged *self, wy_judgement *findings);

/* Of bodies that no rods are joined to, at time t; `rod` is -1, and there is no view. */
void wy_judge_bodies(const wy_judged *self, double t, wy_judgement *findings);

/* ---- Energy (energy.c) ---- */
wy_drift_limits wy_judge_drift_limits(const wy_judged *self);
double wy_judge_drift(const wy_judged *self);
/* A violation over the largest energy that has changed hands, or over the floor where that is larger. */
double wy_balance_drift(const wy_balance *balance, double floor);
/* Energy of errors that mean nothing: angles of the size of the tolerance, strains of the size of round-off. */
double wy_judge_floor(const wy_judged *self);
/* Energy that the residuals of Newton's method may bring in: the forces at work times the length times its tolerance
   (or round-off where that is larger) and the strains that it has left where there should be none. A tolerance above
   the usual one counts as the usual one: it gives up accuracy, and its drift is to be seen. */
double wy_judge_residual(const wy_judged *self);
bool wy_judge_energy(const wy_judged *self, wy_finding *finding);

/* ---- Places (places.c) ---- */
bool wy_judge_ends(const wy_judged *self, wy_finding *finding);
bool wy_judge_chords(const wy_judged *self, wy_finding *finding);
bool wy_judge_kinks(const wy_judged *self, wy_finding *finding);

/* ---- Forces (forces.c) ---- */
/* What loads, gravity and reactions of an equilibrium leave over, of the sizes of all of them. */
typedef struct wy_imbalance {
  double force, moment; /* relative */
  double blur;          /* of it may be due to frames and positions between nodes, which loads are added up with */
} wy_imbalance;
wy_imbalance wy_judge_imbalance(const wy_judged *self);
bool wy_judge_forces(const wy_judged *self, wy_finding *finding);

/* ---- Stability of equilibria (stability.c) ---- */
bool wy_judge_stability(const wy_judged *self, wy_finding *finding);

#endif
