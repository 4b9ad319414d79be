/* SPDX-License-Identifier: MIT */
/* What is said where a file has numbers that look like millimetres or degrees. */
#ifndef WY_RUN_SCENARIO_DOUBTS_H
#define WY_RUN_SCENARIO_DOUBTS_H

#include "run/scenario/scenario.h"

/* Findings of a scenario; those beyond `room` are counted only. */
typedef struct wy_scenario_findings {
  wy_finding *list;
  int room, count;
} wy_scenario_findings;
void wy_add_finding(wy_scenario_findings *to, const char *code, const char *path, const char *remedy,
                    const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Sizes that look like millimetres for metres and angles that look like degrees for radians. */
void wy_find_units(const wy_scenario *scenario, wy_scenario_findings *to);

/* Grids of obstacles that are no distances, or end where their surface does not. */
void wy_find_distances(const wy_scenario *scenario, wy_scenario_findings *to);

#endif
