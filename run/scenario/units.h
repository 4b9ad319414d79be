/* SPDX-License-Identifier: MIT */
/* Numbers with a unit behind them in a scenario, and what is said of a wrong one (run/schema/unit.h). */
#ifndef WY_RUN_SCENARIO_UNITS_H
#define WY_RUN_SCENARIO_UNITS_H

#include "run/scenario/reader.h"

/* The text of a number in SI: that of the node, times the factor of its unit where it has one. `*bare` is the text
   without unit and factor; it is the same pointer where there is no unit. NULL after a failure: an unknown unit, or one
   whose dimension is not that of the key. */
const char *wy_units_text(wy_reader *r, const wy_node *node, const char **bare);

/* Is the error in column `column` a unit that is multiplied by, as in "5*mm"? Then what to expect instead. */
bool wy_units_multiplied(const char *text, int column, char *out, size_t size);

#endif
