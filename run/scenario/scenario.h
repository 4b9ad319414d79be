/* A scenario file read into definitions: YAML in, wy_model_def and wy_sim_def out. No physics, no running. */
#ifndef WY_RUN_SCENARIO_SCENARIO_H
#define WY_RUN_SCENARIO_SCENARIO_H

#include "withy/withy.h"

typedef struct wy_probe {
  const char *name;
  wy_quantity quantity;
  int rod; /* WY_ALL_RODS where the quantity is a sum over all */
  double s;
} wy_probe;

typedef enum wy_analysis { WY_DYNAMICS, WY_QUASISTATICS, WY_STATICS, WY_MODES, WY_BUCKLING } wy_analysis;

/* A key of the file without effect, such as "solver.newton", and on what: "dynamics". */
typedef struct wy_unused {
  const char *key, *on;
} wy_unused;

/* Everything here is owned by the scenario and lives until wy_scenario_destroy; a model made from it must go first. */
typedef struct wy_scenario {
  const char *name;  /* the file's name without folder and .yaml, or the built-in's name */
  const char *text;  /* the YAML as read */
  const char *title; /* "" where there is none */
  wy_analysis analysis;
  int modes;             /* how many modes or buckling factors */
  bool from_statics;     /* dynamics begins at the equilibrium under the loads of t = 0 */
  bool follows_path;     /* quasistatics by arc length of one rod: every equilibrium is written down */
  double end;            /* of the run, or the time whose loads count */
  double output, frames; /* distances of rows and frames; 0 where there is only one, at `end` */
  wy_model_def model;
  wy_sim_def sim;
  const wy_probe *probes;
  int probe_count;
  const wy_strands_def *strands;
  int strands_count;
  const wy_unused *unused;
  int unused_count;
  const bool *step_chosen; /* per rod: it moves with a fixed step that the file does not give */
} wy_scenario;

/* Why a scenario was refused: one line, ready to print: "file:line: key: what was found; what is expected". Of broken
   YAML also the lines to look at, each with its end of line; else "". */
typedef struct wy_scenario_error {
  char text[2048];
  char excerpt[1024];
} wy_scenario_error;

/* Reads `text`; `label` is what messages call the file; `settings` are the PATH=VALUE of --set, in order.
   The scenario is validated completely: definitions by wy_model_create, methods by wy_sim_create, expressions sampled
   at the start, at all output times and at the end. WY_OK, or WY_ERROR_INPUT with the reason. */
wy_status wy_scenario_read(const char *label, const char *name, const char *text, const char *const *settings,
                           int setting_count, wy_scenario **scenario, wy_scenario_error *error);
void wy_scenario_destroy(wy_scenario *scenario);

/* "dynamics", "quasistatics", "statics", "modes", "buckling". */
const char *wy_analysis_name(wy_analysis analysis);
/* Do fixed steps follow solver.newton? Those of schemes that take them on their own. */
bool wy_scenario_steps_use_newton(const wy_solver_def *solver);
/* Does time pass (dynamics, quasistatics), or is there one state at `end`? */
bool wy_scenario_has_course(const wy_scenario *scenario);

/* The rows of probes.csv and the frames of result.h5: how many there are, and the time of the k-th. */
int wy_scenario_row_count(const wy_scenario *scenario);
double wy_scenario_row_time(const wy_scenario *scenario, int k);
int wy_scenario_frame_count(const wy_scenario *scenario);
double wy_scenario_frame_time(const wy_scenario *scenario, int k);

/* The k-th of the times 0, step, 2 step, ..., end (a shorter last interval where step does not divide end), and how
   many there are. Multiples within 1e-9 of end count as end. */
int wy_scenario_time_count(double end, double step);
double wy_scenario_time(double end, double step, int k);

#endif
