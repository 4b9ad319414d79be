/* SPDX-License-Identifier: MIT */
/* The Rosenbrock method of order 4(3) with six stages of the code RODAS in the form it is computed in (I11): the
   coefficients of Hairer and Wanner as data. tests/unit/test_rodas_table.c checks the conditions that make it a method
   of its order. docs/theory/integrators.md. */
#ifndef WY_INTEGRATE_RODAS_TABLE_H
#define WY_INTEGRATE_RODAS_TABLE_H

enum { WY_RODAS_STAGES = 6 };

extern const double wy_rodas_gamma;                       /* on the diagonal of every stage */
extern const double wy_rodas_time[WY_RODAS_STAGES];       /* alpha_i: where in the step f is taken */
extern const double wy_rodas_time_slope[WY_RODAS_STAGES]; /* gamma_i: how much of h df/dt a stage takes */
/* Stages before stage i: in its state, and over h in its right-hand side. The last row of `a`, with a one for the last
   stage itself, is the new state; that one is also the error. */
extern const double wy_rodas_a[WY_RODAS_STAGES][WY_RODAS_STAGES - 1];
extern const double wy_rodas_c[WY_RODAS_STAGES][WY_RODAS_STAGES - 1];
/* Continuous output (I13): the two coefficients beside both ends of the step, from the first five stages. */
extern const double wy_rodas_dense[2][WY_RODAS_STAGES - 1];

#endif
