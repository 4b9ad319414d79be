/* SPDX-License-Identifier: MIT */
/* The scenarios of scenarios/, embedded when withy is built: the command lists and runs them, and what they publish is
   defined by them for experiments, tests and benchmarks as well (published.h). */
#ifndef WY_SCENES_BUILTIN_H
#define WY_SCENES_BUILTIN_H

#include "withy/scenario.h"

typedef struct {
  const char *name; /* file name without .yaml */
  const char *text; /* the whole file */
} wy_builtin_scenario;

/* Sorted by name; an entry without name follows the last one. */
extern const wy_builtin_scenario wy_builtin_scenarios[];
extern const int wy_builtin_scenario_count;

/* The tables that they name, likewise. */
extern const wy_scenario_file wy_builtin_files[];
extern const int wy_builtin_file_count;

#endif
