/* SPDX-License-Identifier: MIT */
/* The swinging rods of Lang, Linn and Arnold, which two papers run with many integrators: the rods, one run with its
   cost and its last state, all steps of a run, and the integrators that are compared. */
#ifndef WY_EXPERIMENTS_SWING_H
#define WY_EXPERIMENTS_SWING_H

#include "experiments/case.h"

typedef enum wy_swing_rod { WY_SWING_RUBBER, WY_SWING_STEEL } wy_swing_rod;

enum {
  WY_SWING_SEGMENTS = 10,
  WY_SWING_STATE = 3 * (WY_SWING_SEGMENTS + 1) + 4 * WY_SWING_SEGMENTS,
  WY_SWING_METHODS = 9,
  WY_SWING_TOLERANCES = 7
};

/* The performance example of that rod, to be solved with null space and projection; integrators of SUNDIALS may be
   chosen, too. */
wy_case wy_swing_case(wy_swing_rod which, int segments);

typedef struct wy_swing_method {
  const char *name, *title;
  bool stiff;        /* made for stiff equations */
  bool sets_first;   /* its first step is 1e-6 */
  bool published;    /* it is in the tables */
  const char *likes; /* the published code that it stands for where that is another one, or NULL */
} wy_swing_method;

extern const wy_swing_method wy_swing_methods[WY_SWING_METHODS];
/* 1e-2 ... 1e-8 */
extern const double wy_swing_tolerances[WY_SWING_TOLERANCES];

/* Sets method and tolerance; false with the reason where this build cannot do it. */
bool wy_swing_choose(wy_case *c, const wy_swing_method *method, double tolerance, wy_message *message);

/* The state of ten segments: vertices and quaternions. */
typedef struct wy_swing {
  wy_statistics statistics;
  double time; /* of the processor, without making the simulation */
  double state[WY_SWING_STATE];
} wy_swing;

/* Makes the simulation of a case, runs it until `end` and destroys the case. */
wy_status wy_swing_run(wy_case c, double end, wy_swing *result, wy_message *message);
/* Largest difference of an entry. */
double wy_swing_apart(const wy_swing *a, const wy_swing *b);

/* Every step of a run. */
typedef struct wy_swing_steps {
  int count, room;
  double *end, *step;
} wy_swing_steps;

/* Creates, runs and destroys the case. The steps want to be freed in any case. */
wy_status wy_swing_step_sizes(wy_case c, double end, wy_swing_steps *steps, wy_message *message);
void wy_swing_free(wy_swing_steps *steps);
/* The step that is under way at evenly spaced times until `end`. */
void wy_swing_draw_steps(wy_chart *chart, int curve, const wy_swing_steps *steps, double end);

/* Standard deviation of a step, over the mean. */
double wy_swing_spread(const wy_swing_steps *steps);

/* A run of a series with falling tolerance. And the least time of a series that reaches an error: of a run, or in
   between two runs that follow each other; INFINITY where none does. */
typedef struct wy_swing_cost {
  double error, time;
} wy_swing_cost;
double wy_swing_time_at(const wy_swing_cost *series, int count, double error);

/* Orders from successive differences under bisection of the segments, with a chart; where the paper claims them. */
wy_status wy_swing_convergence(wy_findings *findings, const char *chart, const char *title, const char *where,
                               wy_message *message);

#endif
