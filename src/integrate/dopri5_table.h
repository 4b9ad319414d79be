/* SPDX-License-Identifier: MIT */
/* The coefficients of DOPRI5 as data; tests/unit/test_tables.c checks the order conditions. */
#ifndef WY_INTEGRATE_DOPRI5_TABLE_H
#define WY_INTEGRATE_DOPRI5_TABLE_H

#define WY_DOPRI5_STAGES 7

static const double wy_dopri5_c[WY_DOPRI5_STAGES] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};

/* The last row is also the weights of order 5. */
static const double wy_dopri5_a[WY_DOPRI5_STAGES][6] = {
    {0},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};

/* Weights of order 5 minus weights of order 4. */
static const double wy_dopri5_error[WY_DOPRI5_STAGES] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                                         -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

/* Continuous output of order 4 (Shampine). */
static const double wy_dopri5_dense[WY_DOPRI5_STAGES] = {-12715105075.0 / 11282082432.0,  0,
                                                         87487479700.0 / 32700410799.0,   -10690763975.0 / 1880347072.0,
                                                         701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0,
                                                         69997945.0 / 29380423.0};

/* Where in a step the continuous output of y' = z y vanishes at the limit of stability on the negative real axis,
   z = -3.3065678926..., with R(z) = 1; and weights that are exact for straight lines. */
#define WY_DOPRI5_QUIET 2

static const double wy_dopri5_quiet[WY_DOPRI5_QUIET] = {0.20513012161203997, 0.67112421110369201};
static const double wy_dopri5_quiet_weight[WY_DOPRI5_QUIET] = {0.3672239948158347, 0.6327760051841653};

#endif
