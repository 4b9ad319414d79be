/* SPDX-License-Identifier: MIT */
/* Eigenvalues of K phi = lambda M phi for the tangent that the system keeps, and of small symmetric matrices. */
#ifndef WY_EQUILIBRIUM_EIGEN_H
#define WY_EQUILIBRIUM_EIGEN_H

#include "equilibrium/equilibrium.h"

/* Eigenvalues and orthonormal eigenvectors of a symmetric matrix of order n, by Jacobi's rotations: the values stand on
   the diagonal of a afterwards, descending, the vectors in the rows of v. */
void wy_symmetric_eigen(double *a, double *v, int n);

/* Where the eigenvalues are. */
typedef struct wy_spectrum {
  int count;    /* of eigenvalues */
  double low;   /* the lowest that is neither unstable nor, at most six, a rigid motion; within a factor of four */
  double noise; /* what is smaller is zero, within round-off */
} wy_spectrum;

/* False where K is not symmetric: loads that follow the rod. */
bool wy_spectrum_find(const wy_equilibrium *self, wy_spectrum *out);

/* The lowest eigenpairs, ascending, multiple ones as often as they occur; vectors have length 1 in the product of M.
 *count: wanted, and found, which is less where there are no more. values [count], vectors [count][degrees of freedom].
 */
wy_status wy_eigen_lowest(wy_equilibrium *self, const wy_spectrum *spectrum, int *count, double *values,
                          double *vectors, wy_message *message);

/* What round-off in K may do to the eigenvalue of a vector of length 1 at a configuration. With the signs of its
   entries mixed up nothing cancels any more in phi.K.phi; round-off is that times the machine's. */
double wy_eigen_noise(wy_equilibrium *self, const wy_stretch *stretch, double tau, const double *config,
                      const double *phi);

#endif
