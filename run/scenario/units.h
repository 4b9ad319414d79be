/* Numbers are plain and in SI units. What is said where a file has something else: a number with a unit behind it, and
   numbers that look like millimetres or degrees. */
#ifndef WY_RUN_SCENARIO_UNITS_H
#define WY_RUN_SCENARIO_UNITS_H

#include "run/scenario/scenario.h"

/* Is the text a number with a unit, such as "5 mm" or "30*deg"? Then what to expect instead of it, where `unit` is
   that of the key (NULL: it has none): "a plain number in m: 0.005". */
bool wy_units_expected(const char *text, const char *unit, char *out, size_t size);

/* Sizes that look like millimetres for metres and angles that look like degrees for radians, one sentence each:
   "rods.arm.section.radius: ...". Returns how many there are, at most `most`. */
enum { WY_UNITS_TEXT = 320 };
int wy_units_notice(const wy_scenario *scenario, char texts[][WY_UNITS_TEXT], int most);

#endif
