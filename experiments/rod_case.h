/* One rod with what acts on it and how it is solved: what most published examples amount to. Made, moved, read, drawn.
 */
#ifndef WY_EXPERIMENTS_ROD_CASE_H
#define WY_EXPERIMENTS_ROD_CASE_H

#include "experiments/experiments.h"

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
  wy_expr *expr[WY_CASE_SIGNALS];
  int exprs;
  wy_model *model;
  wy_sim *sim;
} wy_case;

/* Definitions as by default. */
wy_case wy_case_new(void);
/* Stiffness and inertia that do not vary along the rod. */
void wy_case_section(wy_case *c, const double stiffness[6], const double inertia[4]);
/* An expression of time and arc length, and of a constant a, as a signal that lives as long as the case. */
wy_signal wy_case_signal(wy_case *c, const char *text, double a);
/* Model and simulation. On failure the case still wants to be destroyed. */
wy_status wy_case_create(wy_case *c, wy_message *message);
void wy_case_destroy(wy_case *c);

/* Steps of the method until time t is reached, which is a multiple of them; the position of the end there. */
wy_status wy_case_move(wy_case *c, double t, double tip[4], wy_message *message);
wy_status wy_case_tip(wy_case *c, double tip[4], wy_message *message);
/* The centreline as a curve in the plane of two axes. */
void wy_case_draw(wy_case *c, wy_chart *chart, int curve, int x, int y);

double wy_distance(const double a[3], const double b[3]);
/* log2 of the ratio of two successive errors. */
double wy_order(double coarse, double fine);

#endif
