/* SPDX-License-Identifier: MIT */
/* Vectors of SUNDIALS over states of withy, with kernels compiled here: Debian's library is not optimised. Norms count
   what withy counts. */
#ifndef WY_SUNDIALS_VECTOR_H
#define WY_SUNDIALS_VECTOR_H

#include <sundials/sundials_nvector.h>

#include "integrate/integrator.h"

/* A state with the integrals behind it, zeroed; freed with N_VDestroy. NULL without memory. */
N_Vector wy_vector_new(const wy_integrator *integrator, SUNContext context);
double *wy_vector_data(N_Vector vector);

/* 1 / (absolute + relative |y|), for every entry: norms leave out what does not count. */
void wy_vector_weights(const wy_integrator *integrator, N_Vector y, N_Vector weights);

/* z = sum of c[k] x[k] over n entries; z may be one of x. As many terms as a formula of order 5 has at most, and one.
 */
enum { WY_VECTOR_TERMS = 7 };
void wy_combine(int count, const double *c, double *const *x, int n, double *z);

#endif
