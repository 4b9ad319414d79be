/* SPDX-License-Identifier: MIT */
/* Published experiments in tests: their verdicts are asserted, their numbers are not repeated. */
#ifndef WY_TESTS_SUPPORT_EXPERIMENT_H
#define WY_TESTS_SUPPORT_EXPERIMENT_H

#include "experiments/experiments.h"

/* Large; all zero. */
wy_findings *new_findings(void);

/* Runs one part of a paper, and fails the test unless it runs, makes `least` comparisons or more, and all of them agree
   or are explained. What differs is printed with what was got, wanted and tolerated. Times are left to the benchmarks:
   rows and cells that compare them are not looked at. */
void check_part(wy_findings *findings, const wy_experiment *paper, const char *part, int least);
/* The same of all findings that are there already. */
void check_findings(const wy_findings *findings, const char *name, int least);

/* A chart with so many curves, each of 2 points or more, and a picture with a line for each of them. */
void check_chart(const wy_findings *findings, const char *name, int curves);
/* Is there a chart for each of the published figures, by its title? */
void check_figures(const wy_findings *findings, int first, int last);

#endif
