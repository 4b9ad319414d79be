/* SPDX-License-Identifier: MIT */
/* What the parts of withy know of scenarios beyond withy/scenario.h. No physics, no running. */
#ifndef WY_RUN_SCENARIO_SCENARIO_H
#define WY_RUN_SCENARIO_SCENARIO_H

#include "withy/scenario.h"
#include "withy/withy.h"

/* The definition of the simulation as wy_check and wy_check_report want it: with the time whose loads count. */
wy_sim_def wy_scenario_checked(const wy_scenario *scenario);

/* Turns a file of distances into a text, as wy_scenario_read_using has it. */
typedef wy_status (*wy_distance_reader)(const char *path, char **text, wy_message *message);

/* The text of a file, which the caller frees; WY_ERROR_FILE, WY_ERROR_MEMORY, or WY_ERROR_INPUT if it is no text. */
wy_status wy_scenario_load(const char *path, char **text, wy_scenario_error *error);

/* The length of a rod, which a helix sets; points have set it already. */
double wy_rod_length(const wy_rod_def *rod);

/* The entry of `rods` in the file that a rod comes from, both counted from 0: `copies` make several rods of one. */
int wy_scenario_entry(const wy_scenario *scenario, int rod);

/* R v for the rotation of a unit quaternion. */
void wy_rotate(const double q[4], const double v[3], double out[3]);

/* The text of a scenario once more, with its settings and more of them. Threads may read the same scenario again at the
   same time. Files that it names are not read again. */
wy_status wy_scenario_again(const wy_scenario *scenario, const char *const *settings, int count, wy_scenario **out,
                            wy_scenario_error *error);

/* The name of the scenario in a file: without folder and ending. */
void wy_scenario_name(const char *file, char *out, size_t size);

/* The k-th of the times 0, step, 2 step, ..., end (a shorter last interval where step does not divide end), and how
   many there are. Multiples within 1e-9 of end count as end. */
int wy_scenario_time_count(double end, double step);
double wy_scenario_time(double end, double step, int k);

#endif
