/* The scenarios of scenarios/, embedded into the command when it is built. */
#ifndef WY_CLI_BUILTIN_H
#define WY_CLI_BUILTIN_H

typedef struct {
  const char *name; /* file name without .yaml */
  const char *text; /* the whole file */
} wy_builtin_scenario;

/* Sorted by name; an entry without name follows the last one. */
extern const wy_builtin_scenario wy_builtin_scenarios[];
extern const int wy_builtin_scenario_count;

#endif
