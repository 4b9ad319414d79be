/* SPDX-License-Identifier: MIT */
/* The rows of this part in the table of integrators (withy/sim.h): they are known whether or not SUNDIALS is there. */
#ifndef WY_SUNDIALS_ROWS_H
#define WY_SUNDIALS_ROWS_H

#include "withy/sim.h"

extern const wy_integrator_info wy_ida_row, wy_cvode_row, wy_bs23_row;

#endif
