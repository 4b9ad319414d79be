/* SPDX-License-Identifier: MIT */
#include "sundials/rows.h"

const wy_integrator_info wy_ida_row = {.name = "ida",
                                       .family = "implicit multistep, BDF (as DASSL)",
                                       .use = "comparisons on damped, smooth motions",
                                       .source = "SUNDIALS: Hindmarsh et al. 2005",
                                       .lowest_order = 1,
                                       .highest_order = 5,
                                       .implicit = true,
                                       .multistep = true,
                                       .vectors = 30};

const wy_integrator_info wy_cvode_row = {.name = "cvode",
                                         .family = "implicit multistep, BDF",
                                         .use = "comparisons on damped, smooth motions",
                                         .source = "SUNDIALS: Hindmarsh et al. 2005",
                                         .lowest_order = 1,
                                         .highest_order = 5,
                                         .implicit = true,
                                         .multistep = true,
                                         .vectors = 30};

const wy_integrator_info wy_bs23_row = {.name = "bs23",
                                        .family = "explicit Runge-Kutta (as ode23)",
                                        .use = "comparisons on soft rods, loosely",
                                        .source = "Bogacki and Shampine 1989, by SUNDIALS",
                                        .lowest_order = 3,
                                        .highest_order = 3,
                                        .vectors = 20};
