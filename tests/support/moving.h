/* SPDX-License-Identifier: MIT */
/* The rods of the published examples of the conserving scheme (Fuetterer, Klar, Wegener) and of the box scheme
   (Sobottka, Lay, Weber; docs/theory/box.md), and simulations of motions only: neither needs room for equilibria. */
#ifndef WY_TESTS_SUPPORT_MOVING_H
#define WY_TESTS_SUPPORT_MOVING_H

#include "support/published.h"

/* wy_scene_cylinder. */
example dimensionless_rod(int segments, double slenderness, double gravity);
wy_solver_def conserving_solver(int order, const char *integrator, double step);

/* wy_scene_cantilever. */
example falling_cantilever(int segments);
/* wy_scene_coil without its load and without drag. */
example coil(int segments);
static const double coil_height = 0.14943813247359922; /* sin(0.15) */
/* The default set of coefficients. */
wy_solver_def box_solver(double step);
/* With coefficients of its own, without transport: as published. */
wy_solver_def plain_box_solver(double alpha, double beta, double gamma, wy_section_force force, double step);

/* Ways to run the box scheme, for tests of what all of them owe. */
typedef struct box_form {
  double rho;
  bool transport;
  wy_section_force force;
} box_form;
enum { BOX_FORMS = 5 };
extern const box_form box_forms[BOX_FORMS];
void set_box_form(wy_solver_def *solver, const box_form *form);

test_sim start_moving(const example *e, const wy_solver_def *solver);
/* Exactly to time t. */
void move_to(const test_sim *made, double t);
void step_once(const test_sim *made);
/* |x - want|, x the position at arc length s. */
double distance(const test_sim *made, double s, const double want[3]);
double apart(const double a[3], const double b[3]);
/* All that the view shows, and the energies, bit for bit. */
void same_state(const test_sim *first, const test_sim *second);

#endif
