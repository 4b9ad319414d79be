/* SPDX-License-Identifier: MIT */
/* What the examples of Sobottka, Lay and Weber share: coefficient sets, and rods with them. */
#ifndef WY_EXPERIMENTS_SOBOTTKA_LAY_WEBER_COMMON_H
#define WY_EXPERIMENTS_SOBOTTKA_LAY_WEBER_COMMON_H

#include "experiments/case.h"
#include "experiments/sobottka_lay_weber/known.h"

/* How a rod is solved: cells, step, and the coefficients of generalised alpha. */
typedef struct wy_slw_method {
  int cells;
  double step;
  wy_box_options box;
} wy_slw_method;

/* The set of a spectral radius at infinity, and one by its coefficients. */
wy_slw_method wy_slw_radius(int cells, double step, double rho_inf);
wy_slw_method wy_slw_coefficients(int cells, double step, double alpha, double beta, double gamma);

/* Step and coefficients of a case, whose cells are those of the method, and room for equilibria. */
void wy_slw_solve(wy_case *c, const wy_slw_method *method);
/* The cantilever under its weight, solved so. */
wy_case wy_slw_cantilever(const wy_slw_method *method);
/* The same with a weight that sets in smoothly until t = 1, for clean orders. */
wy_case wy_slw_laden(const wy_slw_method *method);
/* The coil, pulled at its end by a constant force. */
wy_case wy_slw_coil(const wy_slw_method *method, double pull);

wy_status wy_slw_sets(wy_findings *findings, wy_message *message);
wy_status wy_slw_falling(wy_findings *findings, wy_message *message);
wy_status wy_slw_resting(wy_findings *findings, wy_message *message);
wy_status wy_slw_buckling(wy_findings *findings, wy_message *message);
wy_status wy_slw_spring(wy_findings *findings, wy_message *message);
wy_status wy_slw_hair(wy_findings *findings, wy_message *message);

#endif
