/* Numbers are plain and in SI units. What is said where a file has something else: a number with a unit behind it, and
   numbers that look like millimetres or degrees. */
#ifndef WY_RUN_SCENARIO_UNITS_H
#define WY_RUN_SCENARIO_UNITS_H

#include "run/scenario/scenario.h"

/* Is the text a number with a unit, such as "5 mm" or "30*deg"? Then what to expect instead of it, where `unit` is
   that of the key (NULL: it has none): "a plain number in m: 0.005". */
bool wy_units_expected(const char *text, const char *unit, char *out, size_t size);

/* Findings of a scenario; those beyond `room` are counted only. */
typedef struct wy_scenario_findings {
  wy_finding *list;
  int room, count;
} wy_scenario_findings;
void wy_add_finding(wy_scenario_findings *to, const char *code, const char *path, const char *remedy,
                    const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Sizes that look like millimetres for metres and angles that look like degrees for radians. */
void wy_find_units(const wy_scenario *scenario, wy_scenario_findings *to);

#endif
