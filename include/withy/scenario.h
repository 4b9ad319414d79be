/* SPDX-License-Identifier: MIT */
/* Scenarios: a YAML or JSON text that describes rods, loads, probes, times and methods, read into the definitions of
   withy/model.h and withy/sim.h. This is a separate library, libwithy_scenario. docs/guide/scenario.md explains the
   keys.

     wy_scenario *scenario;
     wy_scenario_error error;
     const char *settings[] = {"rods.arm.segments=40"};
     if (wy_scenario_read_file("arm.yaml", settings, 1, &scenario, &error) != WY_OK)
       fprintf(stderr, "%s\n%s", error.text, error.excerpt);

   Nothing here prints, ends the process or keeps global state: threads may read scenarios at the same time. */
#ifndef WITHY_SCENARIO_H
#define WITHY_SCENARIO_H

#include "withy/batch.h"
#include "withy/judge.h"
#include "withy/method.h"
#include "withy/sim.h"
#include "withy/strands.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A quantity that is recorded at every output time. */
typedef struct wy_probe {
  const char *name;
  wy_quantity quantity;
  int rod; /* index, or WY_ALL_RODS if the quantity is a sum over all rods, or of a part (wy_probe_part) */
  double s;
} wy_probe;

/* The body, joint, spring or obstacle that a probe is of; all four are -1 for a probe of a rod or of a sum. The
   quantities of a joint are WY_FORCE and WY_MOMENT on one of its parts, in space axes, and of a hinge WY_HINGE_ANGLE
   and WY_HINGE_RATE of a part; those of a spring WY_TENSION and WY_LENGTH; those of an obstacle WY_CONTACT_FORCE,
   WY_CONTACT_MOMENT, WY_CONTACT_LENGTH and WY_GAP, with the rod of the probe or with all. */
typedef struct wy_probe_part {
  int body, joint, spring; /* index */
  int part;                /* of the joint: 0 is the first of its ports */
  double point[3];         /* of the body: from its centre of mass, axes of the body */
  int obstacle;            /* index */
} wy_probe_part;

/* A file of numbers that a scenario names: a table or a measured shape. */
typedef struct wy_scenario_file {
  const char *name; /* as the scenario has it */
  const char *text; /* its content */
} wy_scenario_file;

/* A rigid motion of the roots of a batch: with an obstacle, with a body, or as functions of t. It is the motion since
   t = 0: the roots begin where the numbers WY_BATCH_ROOT put them. */
typedef struct wy_scenario_motion {
  bool moves;
  int body;                /* whose motion it is; -1: that of the members below */
  wy_signal position[3];   /* of a point that takes the roots with it */
  double rotation_axis[3]; /* unit vector through that point, and the angle about it */
  wy_signal angle;
} wy_scenario_motion;

/* More than there are numbers of batches. */
#define WY_SCENARIO_NUMBERS 16

/* Many rods of one kind: an entry of `batches`. */
typedef struct wy_scenario_batch {
  const char *name;
  union {
    wy_batch_def def; /* `rod` is one of wy_scenario.patterns; without tasks */
    uint64_t room_for_def[64];
  };
  uint64_t seed;
  const double *numbers[WY_SCENARIO_NUMBERS]; /* by wy_batch_number: [count][size], NULL where they do not vary */
  wy_scenario_motion motion;
  const int *recorded; /* [recorded_count] numbers of the rods of which everything is recorded, ascending */
  int recorded_count;
} wy_scenario_batch;

/* A quantity that is recorded of each rod of a batch. Its columns are NAME.mean, NAME.least and NAME.largest, behind
   those of other probes. */
typedef struct wy_batch_probe {
  const char *name;
  wy_quantity quantity;
  int batch;
  double share; /* of the length, from 0 to 1 */
} wy_batch_probe;

/* A key of the file that has no effect, such as "solver.newton", and the computation on which it has none: "dynamics".
 */
typedef struct wy_unused {
  const char *key, *on;
} wy_unused;

/* A scenario that was read. It owns all memory to which it points. Destroy models that were made from it first: their
   signals are expressions of the scenario.

   You may edit the definitions before you make a model from them: model.gravity, sim.end, and the entries of `rods`,
   `bodies`, `joints`, `springs`, `obstacles`, `loads`, `actuators` and `solvers`, and `contact`. These are the arrays
   to which `model` and `sim` point. The library checks them again when it makes the model and the simulation. The
   entries are as large as the definitions of the library that is linked: in a program that shall work with later
   versions too, entry i is wy_def_at(scenario->rods, i), of which members are changed, never the whole. Result files
   contain the text and the settings of the scenario, which do not show such edits. wy_scenario_set changes the
   definitions and the settings. */
typedef struct wy_scenario {
  const char *name;            /* the file's name without folder and ending, or the name that was given */
  const char *text;            /* the text that was read */
  const char *const *settings; /* the settings PATH=VALUE that were applied, in order */
  int setting_count;
  const char *title; /* "" if there is none */
  wy_analysis analysis;
  int modes;         /* number of modes or buckling factors to compute */
  bool from_statics; /* dynamics begins at the equilibrium under the loads of t = 0 */
  bool follows_path; /* quasistatics of one rod or group with arc-length continuation: every equilibrium is recorded */
  double end;        /* end time of the run; for statics, modes and buckling the time at which loads are evaluated */
  double output, snapshots; /* time between two rows and between two snapshots; 0 if there is only one, at `end` */
  union {
    wy_model_def model;
    uint64_t room_for_model[32]; /* the members behind it keep their places when it grows */
  };
  union {
    wy_sim_def sim;
    uint64_t room_for_sim[128]; /* likewise */
  };
  wy_rod_def *rods;           /* [model.rod_count] */
  wy_load_def *loads;         /* [model.load_count] */
  wy_actuator_def *actuators; /* [model.actuator_count] */
  wy_solver_def *solvers;     /* [model.rod_count]: the methods of each rod */
  const wy_probe *probes;
  int probe_count;
  const char *const *columns; /* of probes.csv after t: "tip.x", "tip.y", "tip.z", ... */
  int column_count;
  const wy_strands_def *strands;
  int strands_count;
  const wy_unused *unused;
  int unused_count;
  const bool *step_chosen;       /* per rod: withy chose the fixed step because the file does not give one */
  const wy_scenario_file *files; /* those that the scenario names, as they were read */
  int file_count;
  wy_body_def *bodies;              /* [model.body_count] */
  wy_joint_def *joints;             /* [model.joint_count] */
  wy_spring_def *springs;           /* [model.spring_count] */
  const wy_probe_part *probe_parts; /* [probe_count] */
  wy_obstacle_def *obstacles;       /* [model.obstacle_count] */
  wy_contact_def *contact;          /* the laws of contact */
  /* The patterns of batches: rods of which nothing but batches is made, with their loads and what they touch. They are
     not in `model`. */
  union {
    wy_model_def patterns;
    uint64_t room_for_patterns[32];
  };
  const wy_scenario_batch *batches;   /* [batch_count] */
  const wy_batch_probe *batch_probes; /* [batch_probe_count] */
  int batch_count, batch_probe_count;
  /* [model.rod_count], or NULL where no rod has an accuracy: what was chosen for it; `segments` is 0 of rods without.
   */
  const wy_space_choice *spaces;
} wy_scenario;

/* Why a scenario was refused. `text` is one line without a newline: "file:line: key: what was found; what is expected".
   For syntax errors of YAML or JSON, `excerpt` contains the lines in question, each with a newline; else it is "". */
typedef struct wy_scenario_error {
  char text[2048];
  char excerpt[1024];
} wy_scenario_error;

/* The value of probe number `probe` at wy_sim_time of a simulation of the scenario. */
WY_API wy_status wy_scenario_probe(const wy_scenario *scenario, wy_sim *sim, int probe, double out[4],
                                   wy_message *message);

/* Reads a text. `label` is the name of the text in messages; `name` becomes the name of the scenario. `settings` have
   the form PATH=VALUE, like the option --set, and are applied in order: "rods.arm.length=2", "loads[0].force=[0, 0,
   1]". If the label ends in ".json" the text is JSON, else it is YAML, which includes JSON. If withy was built without
   libfyaml every text must be JSON.

   The scenario is checked completely: keys and values, definitions (by wy_model_create), methods (by wy_sim_create),
   and the values of expressions at the start, at all output times and at the end. Returns WY_OK, WY_ERROR_INPUT,
   WY_ERROR_FILE if a file that the scenario names cannot be read, or WY_ERROR_MEMORY; then `error` contains the reason
   and *scenario is NULL. `error` may be NULL.

   Files that the scenario names are looked for in the folder of `label`. */
WY_API wy_status wy_scenario_read(const char *label, const char *name, const char *text, const char *const *settings,
                                  int setting_count, wy_scenario **scenario, wy_scenario_error *error);
/* The same with files that are in memory: a file that the scenario names is looked for among these first. */
WY_API wy_status wy_scenario_read_with(const char *label, const char *name, const char *text,
                                       const char *const *settings, int setting_count, const wy_scenario_file *files,
                                       int file_count, wy_scenario **scenario, wy_scenario_error *error);
/* The same for a file. Its path is the label. WY_ERROR_FILE: the file cannot be read. */
WY_API wy_status wy_scenario_read_file(const char *path, const char *const *settings, int setting_count,
                                       wy_scenario **scenario, wy_scenario_error *error);

/* The same for either, with files of distances, which obstacles of the shape `distance` name: `distances` turns such a
   file into a text that the scenario keeps and result files contain, freed by free(); wy_distance_file (withy/run.h)
   does so with HDF5 files, which this library does not read. NULL: such texts are among the files. `text` NULL is that
   of the file `label`, and `name` NULL its name. */
WY_API wy_status wy_scenario_read_using(wy_status (*distances)(const char *path, char **text, wy_message *message),
                                        const char *label, const char *name, const char *text,
                                        const char *const *settings, int setting_count, const wy_scenario_file *files,
                                        int file_count, wy_scenario **scenario, wy_scenario_error *error);

/* Applies one more setting PATH=VALUE: the text is read again with all settings. This invalidates pointers into the
   scenario and discards edits of its definitions. Files that were read are not read again. If the setting is refused,
   nothing changes. */
WY_API wy_status wy_scenario_set(wy_scenario *scenario, const char *setting, wy_scenario_error *error);

/* Makes a model and a simulation from the present definitions. The checks of wy_scenario_read already needed both: the
   first call returns these, unless a definition was edited, so that a run builds them only once. The caller must
   destroy them before the scenario. */
WY_API wy_status wy_scenario_build(wy_scenario *scenario, wy_model **model, wy_sim **sim, wy_message *message);

/* What looks like a mistake before the scenario runs: what wy_check finds in model and simulation, then what concerns
   the file: numbers that look like millimetres or degrees, too few rows, keys without effect. As wy_check fills the
   list. */
WY_API wy_status wy_scenario_check(const wy_scenario *scenario, const wy_model *model, wy_finding *findings, int room,
                                   int *count, wy_message *message);

/* The model of the patterns, of which the batches are made. It must be destroyed after them and before the scenario.
 *model is NULL if there are no batches. */
WY_API wy_status wy_scenario_patterns(const wy_scenario *scenario, wy_model **model, wy_message *message);
/* Makes a batch with all its numbers, of the model of the patterns. `tasks` may be NULL. */
WY_API wy_status wy_scenario_batch_create(const wy_scenario *scenario, const wy_model *patterns, int batch,
                                          const wy_tasks *tasks, wy_batch **out, wy_message *message);
/* Makes `count` rods of it as a part of a batch that other processes have the other parts of. */
WY_API wy_status wy_scenario_batch_part(const wy_scenario *scenario, const wy_model *patterns, int batch, int count,
                                        const wy_batch_share *share, const wy_tasks *tasks, wy_batch **out,
                                        wy_message *message);
/* A rigid motion since t = 0, in space axes: the point x goes to position + turn x, where `turn` is a unit quaternion;
   it is there with the velocity `velocity` + `spin` x that place. */
typedef struct wy_rigid_motion {
  double position[3], turn[4], velocity[3], spin[3];
} wy_rigid_motion;

/* That of the roots of a batch at time t. `sim` may be NULL if no body is followed; else it must show time t. */
WY_API wy_status wy_scenario_batch_motion(const wy_scenario *scenario, int batch, double t, wy_sim *sim,
                                          wy_rigid_motion *out, wy_message *message);
/* Tells a batch where its roots will be at the end of its next frame. `room`: 20 numbers for each rod. */
WY_API wy_status wy_scenario_batch_move(const wy_scenario *scenario, int batch, const wy_rigid_motion *motion,
                                        wy_batch *rods, double *room, wy_message *message);

/* Destroying NULL does nothing. */
WY_API void wy_scenario_destroy(wy_scenario *scenario);

/* The index of the rod with this name, or -1. */
WY_API int wy_scenario_rod(const wy_scenario *scenario, const char *name);

/* "dynamics", "quasistatics", "statics", "modes", "buckling"; NULL for another number. */
WY_API const char *wy_analysis_name(wy_analysis analysis);
/* True for dynamics and quasistatics, which have a course in time; false for analyses of one state at `end`. */
WY_API bool wy_scenario_has_course(const wy_scenario *scenario);

/* The number of rows of probes.csv and of snapshots of result.h5, and the time of row or snapshot k, from 0. */
WY_API int wy_scenario_row_count(const wy_scenario *scenario);
WY_API double wy_scenario_row_time(const wy_scenario *scenario, int k);
WY_API int wy_scenario_snapshot_count(const wy_scenario *scenario);
WY_API double wy_scenario_snapshot_time(const wy_scenario *scenario, int k);

#ifdef __cplusplus
}
#endif
#endif
