/* Scenarios: a YAML or JSON text that describes rods, loads, probes, times and methods, read into the definitions of
   withy/model.h and withy/sim.h. A part of its own, libwithy_scenario; docs/guide/scenario.md explains the keys.

     wy_scenario *scenario;
     wy_scenario_error error;
     const char *settings[] = {"rods.arm.segments=40"};
     if (wy_scenario_read_file("arm.yaml", settings, 1, &scenario, &error) != WY_OK)
       fprintf(stderr, "%s\n%s", error.text, error.excerpt);

   Nothing here prints, ends the process or keeps global state: threads may read scenarios at the same time. */
#ifndef WITHY_SCENARIO_H
#define WITHY_SCENARIO_H

#include "withy/judge.h"
#include "withy/sim.h"
#include "withy/strands.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A quantity that is written down at every output time. */
typedef struct wy_probe {
  const char *name;
  wy_quantity quantity;
  int rod; /* WY_ALL_RODS where the quantity is a sum over all */
  double s;
} wy_probe;

/* A key of the file without effect, such as "solver.newton", and on what it has none: "dynamics". */
typedef struct wy_unused {
  const char *key, *on;
} wy_unused;

/* A scenario as read. It owns everything that it points to. Models made of it must be destroyed first: their signals
   are expressions of the scenario.

   The definitions may be edited before a model is made of them: model.gravity, sim.end, and the entries of `rods`,
   `loads`, `actuators` and `solvers`. These are the arrays that `model` and `sim` point to. The library checks them
   again when it makes model and simulation. Results show the text and the settings of the scenario, which know nothing
   of such an edit; wy_scenario_set changes both. */
typedef struct wy_scenario {
  const char *name;            /* the file's name without folder and ending, or the name that was given */
  const char *text;            /* as it was read */
  const char *const *settings; /* the PATH=VALUE that were applied to it, in order */
  int setting_count;
  const char *title; /* "" where there is none */
  wy_analysis analysis;
  int modes;                /* how many modes or buckling factors */
  bool from_statics;        /* dynamics begins at the equilibrium under the loads of t = 0 */
  bool follows_path;        /* quasistatics by arc length of one rod: every equilibrium is written down */
  double end;               /* of the run, or the time whose loads count */
  double output, snapshots; /* distances of rows and of snapshots in time; 0 where there is only one, at `end` */
  wy_model_def model;
  wy_sim_def sim;
  wy_rod_def *rods;           /* [model.rod_count] */
  wy_load_def *loads;         /* [model.load_count] */
  wy_actuator_def *actuators; /* [model.actuator_count] */
  wy_solver_def *solvers;     /* [model.rod_count]: the methods of each rod */
  const wy_probe *probes;
  int probe_count;
  const wy_strands_def *strands;
  int strands_count;
  const wy_unused *unused;
  int unused_count;
  const bool *step_chosen; /* per rod: it moves with a fixed step that the file does not give */
} wy_scenario;

/* Why a scenario was refused, ready to print: "file:line: key: what was found; what is expected", without an end of
   line. Of broken YAML or JSON also the lines to look at, each with its end of line; else "". */
typedef struct wy_scenario_error {
  char text[2048];
  char excerpt[1024];
} wy_scenario_error;

/* Reads a text. `label` is what messages call it, `name` becomes the scenario's name, `settings` are PATH=VALUE as
   after
   --set, applied in order: "rods.arm.length=2", "loads[0].force=[0, 0, 1]". A label that ends in ".json" stands for
   JSON; anything else is YAML, of which JSON is a part. Where withy was built without libfyaml every text is JSON.

   The scenario is checked completely: keys and values, definitions by wy_model_create, methods by wy_sim_create,
   expressions at the start, at all output times and at the end. WY_OK; WY_ERROR_INPUT or WY_ERROR_MEMORY with the
   reason and *scenario NULL. `error` may be NULL. */
WY_API wy_status wy_scenario_read(const char *label, const char *name, const char *text, const char *const *settings,
                                  int setting_count, wy_scenario **scenario, wy_scenario_error *error);
/* The same of a file, whose path is the label. WY_ERROR_FILE where it cannot be read. */
WY_API wy_status wy_scenario_read_file(const char *path, const char *const *settings, int setting_count,
                                       wy_scenario **scenario, wy_scenario_error *error);

/* Applies one more PATH=VALUE: the text is read again with all settings. Pointers into the scenario and edits of its
   definitions are gone then. A setting that is refused changes nothing. */
WY_API wy_status wy_scenario_set(wy_scenario *scenario, const char *setting, wy_scenario_error *error);

/* The model and the simulation of the definitions as they are now. Reading has made both for its checks: the first call
   hands those over, unless a definition was edited, so that a run builds them once. The caller destroys them, before
   the scenario. */
WY_API wy_status wy_scenario_build(wy_scenario *scenario, wy_model **model, wy_sim **sim, wy_message *message);

/* What looks like a mistake before the scenario runs: what wy_check finds in model and simulation, then what concerns
   the file: numbers that look like millimetres or degrees, too few rows, keys without effect. As wy_check fills the
   list. */
WY_API wy_status wy_scenario_check(const wy_scenario *scenario, const wy_model *model, wy_finding *findings, int room,
                                   int *count, wy_message *message);

/* Destroying NULL does nothing. */
WY_API void wy_scenario_destroy(wy_scenario *scenario);

/* The number of the rod of this name, or -1. */
WY_API int wy_scenario_rod(const wy_scenario *scenario, const char *name);

/* "dynamics", "quasistatics", "statics", "modes", "buckling"; NULL for another number. */
WY_API const char *wy_analysis_name(wy_analysis analysis);
/* Does time pass (dynamics, quasistatics), or is there one state at `end`? */
WY_API bool wy_scenario_has_course(const wy_scenario *scenario);

/* The rows of probes.csv and the snapshots of result.h5: how many there are, and the time of number k. */
WY_API int wy_scenario_row_count(const wy_scenario *scenario);
WY_API double wy_scenario_row_time(const wy_scenario *scenario, int k);
WY_API int wy_scenario_snapshot_count(const wy_scenario *scenario);
WY_API double wy_scenario_snapshot_time(const wy_scenario *scenario, int k);

#ifdef __cplusplus
}
#endif
#endif
