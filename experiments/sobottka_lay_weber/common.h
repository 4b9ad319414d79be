/* What the examples of Sobottka, Lay and Weber share: coefficient sets and two rods. */
#ifndef WY_EXPERIMENTS_SOBOTTKA_LAY_WEBER_COMMON_H
#define WY_EXPERIMENTS_SOBOTTKA_LAY_WEBER_COMMON_H

#include "experiments/rod_case.h"

/* How a rod is solved: cells, step, and the coefficients of generalised alpha. */
typedef struct wy_slw_method {
  int cells;
  double step;
  wy_box_options box;
} wy_slw_method;

/* The set of a spectral radius at infinity, and one by its coefficients. */
wy_slw_method wy_slw_radius(int cells, double step, double rho_inf);
wy_slw_method wy_slw_coefficients(int cells, double step, double alpha, double beta, double gamma);

/* Both have the solver set, and room for equilibria. */
/* A cantilever of length 1 and mass 1 along x, EI = GJ = 0.02; its weight acts along -y unless it is taken away. */
wy_case wy_slw_cantilever(const wy_slw_method *method);
/* The same with a weight that sets in smoothly until t = 1, for clean orders. */
wy_case wy_slw_laden(const wy_slw_method *method);
/* A coil of five turns about z, clamped at its start, wire of length 1, EI = 1e-3, drag 0.2; a force along z at its
   end is a signal to be set. */
wy_case wy_slw_coil(const wy_slw_method *method);
/* The height of its end without load. */
double wy_slw_coil_height(void);

wy_status wy_slw_sets(wy_findings *findings, wy_message *message);
wy_status wy_slw_falling(wy_findings *findings, wy_message *message);
wy_status wy_slw_resting(wy_findings *findings, wy_message *message);
wy_status wy_slw_buckling(wy_findings *findings, wy_message *message);
wy_status wy_slw_spring(wy_findings *findings, wy_message *message);
wy_status wy_slw_hair(wy_findings *findings, wy_message *message);

#endif
