/* The report of `withy check`: about one rod (check_rod.c), about its scheme (check_scheme.c), about equilibria
   (check_statics.c); check.c prints the rest. */
#ifndef WY_CLI_CHECK_H
#define WY_CLI_CHECK_H

#include "run/scenario/scenario.h"

/* Warnings are gathered while the report is printed and shown after it; or without a report. */
typedef struct wy_warnings {
  bool silent;
  char text[32][400];
  int count;
} wy_warnings;

/* All that looks like a mistake in the scenario; where not silent, with the report on its rods. */
void wy_judge_scenario(const wy_scenario *scenario, const wy_model *model, wy_warnings *warnings);

void wy_warn(wy_warnings *warnings, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints mass, stiffness, frequencies, damping, sag and resolution of a rod. Returns its longest period of interest,
   0 where that is not known. */
double wy_report_rod(const wy_scenario *scenario, const wy_model *model, int rod, wy_warnings *warnings);

/* Warns of options of the rod's scheme that do less than they seem to. */
void wy_report_scheme(const wy_scenario *scenario, const wy_model *model, int rod, wy_warnings *warnings);

/* Warns of what equilibria of the scenario may stumble over: rods that nothing holds, or that cannot move at all. */
void wy_report_statics(const wy_scenario *scenario, const wy_model *model, wy_warnings *warnings);

#endif
