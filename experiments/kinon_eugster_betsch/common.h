/* SPDX-License-Identifier: MIT */
/* What the examples of Kinon, Eugster and Betsch share: a run with the mixed scheme that keeps every step, and lines of
   the rod in charts. */
#ifndef WY_EXPERIMENTS_KINON_EUGSTER_BETSCH_COMMON_H
#define WY_EXPERIMENTS_KINON_EUGSTER_BETSCH_COMMON_H

#include "experiments/case.h"

typedef struct wy_keb_method {
  int elements, order;
  double step;
  wy_end_moment end_moment;
  int increments; /* of load; 0: the default */
} wy_keb_method;

/* Model and simulation, solved by the mixed scheme. On failure the case still wants to be destroyed. */
wy_status wy_keb_create(wy_case *c, const wy_keb_method *method, wy_message *message);

/* The rod after a step. */
typedef struct wy_keb_state {
  double t;
  double start[4], end[4], start_velocity[4], end_velocity[4]; /* three components each */
  double director[3][4];                                       /* at the end */
  wy_energy energy;
  wy_momentum momentum;
  long tangents; /* of the step: published iterations of Newton's method have one each */
} wy_keb_state;

/* All steps of a run, the start included. */
typedef struct wy_keb_history {
  int count;
  wy_keb_state *state;
} wy_keb_history;

wy_status wy_keb_run(wy_case *c, double step, double end, wy_keb_history *history, wy_message *message);
void wy_keb_free(wy_keb_history *history);

/* Energy that step i made or lost beside work and dissipation. */
double wy_keb_violation(const wy_keb_history *h, int i);
/* The largest of it, and the most tangents of a step. */
double wy_keb_largest_violation(const wy_keb_history *h);
long wy_keb_most_tangents(const wy_keb_history *h);

/* The centreline as a curve, seen as in the paper (azimuth 55, elevation 15 degrees). */
void wy_keb_draw_line(wy_case *c, wy_chart *chart, int curve);

/* The examples: sections 6.1 to 6.4. */
wy_status wy_keb_spaghetti(wy_findings *findings, wy_message *message);
wy_status wy_keb_cantilever(wy_findings *findings, wy_message *message);
wy_status wy_keb_bent(wy_findings *findings, wy_message *message);
wy_status wy_keb_arm(wy_findings *findings, wy_message *message);

#endif
