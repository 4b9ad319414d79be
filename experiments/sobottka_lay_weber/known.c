/* SPDX-License-Identifier: MIT */
/* See known.h. */
#include "experiments/sobottka_lay_weber/known.h"

const double wy_slw_rest[3] = {0.2450147563, -0.9079171235, 0};
const double wy_slw_rest_error[WY_SLW_RESTS] = {4.66e-3, 1.20e-3, 3.04e-4, 7.6e-5};

const wy_slw_buckled wy_slw_elastica[WY_SLW_LOADS] = {
    {1.05, {0.9053356, 0.3799796}, 1.1e-3}, {1.2, {0.6739120, 0.6487836}, 7.2e-4}, {2, {0.0708618, 0.7969614}, 6.7e-4}};

const wy_slw_pulled wy_slw_coil_tip[WY_SLW_PULLS] = {{0.01, {0.0142175, 0.0018921, 0.1702079}},
                                                     {0.02, {0.0077151, 0.0027717, 0.1866449}}};
const double wy_slw_coil_error[2][WY_SLW_COILS] = {{4.8e-2, 3.5e-3, 4.6e-4}, {2.5e-3, 5.9e-4, 1.4e-4}};

const double wy_slw_drawn = 0.04483144;
const double wy_slw_drawn_force[3] = {0, -2.203198e-3, 3.149746e-2};
const double wy_slw_drawn_couple[3] = {2.140071e-4, 9.823557e-4, 1.02183e-5};
