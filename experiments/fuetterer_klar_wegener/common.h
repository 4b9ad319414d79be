/* SPDX-License-Identifier: MIT */
/* What the examples of Fütterer, Klar and Wegener share: the rod of section 5 and how it is solved. */
#ifndef WY_EXPERIMENTS_FUETTERER_KLAR_WEGENER_COMMON_H
#define WY_EXPERIMENTS_FUETTERER_KLAR_WEGENER_COMMON_H

#include "experiments/case.h"

typedef struct wy_fkw_method {
  int segments, order;
  const char *integrator;
  double step;
} wy_fkw_method;

/* The paper's own: differences of order 2, midpoint rule, as many steps a unit of time as segments. */
wy_fkw_method wy_fkw_published(int segments);
/* Order 4 in space and time. */
wy_fkw_method wy_fkw_fourth(int segments, double step);

/* Order, integrator and step of a case, whose segments are those of the method. */
void wy_fkw_solve(wy_case *c, const wy_fkw_method *method);

/* The examples, and section 4's claims on energy and order. */
wy_status wy_fkw_torsion(wy_findings *findings, wy_message *message);
wy_status wy_fkw_transversal(wy_findings *findings, wy_message *message);
wy_status wy_fkw_falling(wy_findings *findings, wy_message *message);
wy_status wy_fkw_material(wy_findings *findings, wy_message *message);
wy_status wy_fkw_orders(wy_findings *findings, wy_message *message);

#endif
