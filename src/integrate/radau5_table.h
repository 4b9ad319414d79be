/* SPDX-License-Identifier: MIT */
/* The coefficients of the three-stage Radau IIA method of order 5 as data; tests/unit/test_tables.c checks them against
   each other: the collocation conditions of a, and T^-1 a^-1 T = block diagonal of gamma and alpha +- i beta. */
#ifndef WY_INTEGRATE_RADAU5_TABLE_H
#define WY_INTEGRATE_RADAU5_TABLE_H

#define WY_SQRT6 2.4494897427831780982

static const double wy_radau5_c[3] = {(4 - WY_SQRT6) / 10, (4 + WY_SQRT6) / 10, 1};

static const double wy_radau5_a[3][3] = {
    {(88 - 7 * WY_SQRT6) / 360, (296 - 169 * WY_SQRT6) / 1800, (-2 + 3 * WY_SQRT6) / 225},
    {(296 + 169 * WY_SQRT6) / 1800, (88 + 7 * WY_SQRT6) / 360, (-2 - 3 * WY_SQRT6) / 225},
    {(16 - WY_SQRT6) / 36, (16 + WY_SQRT6) / 36, 1.0 / 9}};

/* Eigenvalues of a^-1: gamma, alpha +- i beta. */
static const double wy_radau5_gamma = 3.6378342527444957322, wy_radau5_alpha = 2.6810828736277521339,
                    wy_radau5_beta = 3.0504301992474105694;

static const double wy_radau5_t[3][3] = {
    {9.1232394870892942792e-02, -0.14125529502095420843, -3.0029194105147424492e-02},
    {0.24171793270710701896, 0.20412935229379993199, 0.38294211275726193779},
    {0.96604818261509293619, 1, 0}};

static const double wy_radau5_t_inverse[3][3] = {
    {4.3255798900631553510, 0.33919925181580986954, 0.54177053993587487119},
    {-4.1787185915519047273, -0.32768282076106238708, 0.47662355450055045196},
    {-0.50287263494578687595, 2.5719269498556054292, -0.59603920482822492497}};

/* Error estimate: (gamma - h J) err = h f(t,u) + e1 z1 + e2 z2 + e3 z3, here divided by h. */
static const double wy_radau5_error[3] = {-(13 + 7 * WY_SQRT6) / 3, (-13 + 7 * WY_SQRT6) / 3, -1.0 / 3};

#endif
