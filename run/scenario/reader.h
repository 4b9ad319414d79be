/* SPDX-License-Identifier: MIT */
/* What the parts of the scenario reader share: values out of the tree, and messages that name file, line and key.
   The first failure is kept; after it every call returns at once, so that a part reads all its keys and asks `failed`
   once. A NULL node stands for a key that is not there. What a node may be follows from its place in the tree and the
   schema (run/schema/schema.h). */
#ifndef WY_RUN_SCENARIO_READER_H
#define WY_RUN_SCENARIO_READER_H

#include "run/schema/schema.h"
#include "run/tree/csv.h"
#include "run/tree/json.h"
#include "run/tree/names.h"
#include "run/tree/yaml.h"

/* An expression that depends on t or s, to be sampled before the scenario is accepted. */
typedef struct wy_sample {
  const wy_expr *expr;
  const wy_node *node;
  int rod;          /* whose arc length s is; -1 where there is none */
  double from, to;  /* range of s for a load along a part of the rod; to < 0: the whole rod */
  bool derivatives; /* the run needs velocity and acceleration of it */
  bool slope;       /* the run needs its derivative along the rod */
  bool tension;     /* must not be negative */
  double until;     /* the run does not ask for it after this time */
  double cost;      /* of one evaluation, in characters of text */
} wy_sample;

typedef struct wy_reader {
  const char *label; /* of the file, in messages */
  wy_pool *pool;
  wy_node *root;
  wy_scenario *scenario; /* being filled */
  wy_scenario_error *error;
  bool failed;
  wy_status status; /* of the failure: WY_ERROR_INPUT or WY_ERROR_MEMORY */

  const wy_scenario_file *given; /* files that come with the text */
  int given_count;
  wy_distance_reader distances; /* reads others, or NULL */
  wy_spline **tables;           /* all that were made; the scenario owns them */
  int table_count;

  wy_expr_scope *scope;
  wy_names functions;     /* of the file, with their numbers */
  double *function_costs; /* of each, in characters of text */
  wy_expr **exprs;        /* all that were compiled; the scenario owns them */
  int expr_count, expr_capacity;
  wy_sample *samples;
  int sample_count, sample_capacity;

  wy_rod_def *rods;         /* scenario->rods, while being filled; the last ones are patterns of batches */
  int ordinary;             /* how many of them are not */
  const wy_node **patterns; /* of each entry of `batches` its rod in the tree */
  int pattern_count;
  wy_names *rod_names; /* the scenario's: names of the rods that have been read */
  int **entry_rods;    /* likewise: how many rods each entry of `rods` stands for */
  wy_body_def *bodies; /* scenario->bodies, likewise */
  wy_names body_names;
  wy_solver_def *solvers; /* scenario->solvers, likewise; without rods that of the file */
  const wy_node **steps;  /* for each of them: where its step is given, or NULL */
  int solver_count;       /* of rods, or 1 without any */
  double *accuracies;     /* of rods; 0: none is asked for */
  wy_fluid fluid;         /* of the file: that of rods without one of their own */
  int rod;                /* whose keys are being read, for samples; -1 outside of rods and loads */

  wy_model *model; /* made by the last check, or NULL; the scenario owns both */
  wy_sim *sim;
} wy_reader;

enum { WY_MOST_PROBES = 1000, WY_MOST_GUIDES = 1000 };

/* Limits of a scenario. */
typedef struct wy_limits {
  double rows;  /* of output */
  double bytes; /* of memory */
  double work;  /* of sampling its expressions before the run, in characters of text: seconds */
} wy_limits;
extern wy_limits wy_scenario_limits; /* constant, except that the fuzzer lowers them */

/* Keeps "label:line: key: ..." as the reason. */
void wy_read_fail(wy_reader *r, const wy_node *node, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* "found <what the node is>; expected ...". */
void wy_read_expected(wy_reader *r, const wy_node *node, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The same for a path that the library names. */
void wy_read_fail_path(wy_reader *r, const char *path, const char *text);

/* Without memory: the reason is that, the status WY_ERROR_MEMORY. */
void wy_read_no_memory(wy_reader *r);
/* Zeroed memory of the scenario; NULL after a failure, which is kept as the reason. */
void *wy_read_take(wy_reader *r, size_t bytes);
/* `length` characters of `text`, terminated; "" after a failure. */
const char *wy_read_copy(wy_reader *r, const char *text, size_t length);

/* The key of a node in the schema, NULL for what it does not know; `*entry`: is the node an entry of a list that the
   key has, or of a mapping of one's own names? It may be NULL. */
const wy_key *wy_read_key(const wy_node *node, bool *entry);
/* For messages: adds a word of the schema that looks like the one at the node. `whole`: what the schema has there takes
   the place of the text first. */
void wy_read_say_expected(const wy_node *node, bool whole, char *out, size_t size);

/* "found <what the node is>; expected <what the schema has there>". */
void wy_read_refuse(wy_reader *r, const wy_node *node);

/* A mapping with the keys of the schema only. Nothing (NULL, or a key without value) is an empty mapping. False if the
   node is not usable. */
bool wy_read_mapping(wy_reader *r, const wy_node *node);
/* A list; nothing is an empty one. False if the node is something else. */
bool wy_read_list(wy_reader *r, const wy_node *node);
/* An entry of a list of mappings: nothing is none. */
bool wy_read_entry(wy_reader *r, const wy_node *node);
/* The value of a key that must be there. */
const wy_node *wy_read_need(wy_reader *r, const wy_node *mapping, const char *key);

/* One scalar. */
const char *wy_read_text(wy_reader *r, const wy_node *node);
/* A name that can stand in paths of --set and of result files. */
const char *wy_read_name(wy_reader *r, const wy_node *node);
/* The one of the key `name`; NULL where there is none. */
const char *wy_read_name_of(wy_reader *r, const wy_node *mapping);
/* One of the words of the schema; NULL after a failure, or if there is no node. */
const wy_word *wy_read_word(wy_reader *r, const wy_node *node);
/* The same where some of the words come from a table of the library: the name, which lives as long as the library. */
const char *wy_read_word_name(wy_reader *r, const wy_node *node);
/* Its value, or `otherwise` if there is no node. */
int wy_read_choice(wy_reader *r, const wy_node *node, int otherwise);
/* The word of the key's own that a node is, or NULL: no failure. */
const wy_word *wy_read_which(const wy_node *node);
int wy_read_rod_name(wy_reader *r, const wy_node *node);
int wy_read_body_name(wy_reader *r, const wy_node *node);
/* A table by its name; NULL after a failure. */
const wy_spline *wy_read_table_name(wy_reader *r, const wy_node *node);
/* The rod that a load, actuator or probe names; it may be left out where there is only one. `patterns`: it may be the
   pattern of a batch. */
int wy_read_rod_of(wy_reader *r, const wy_node *mapping, bool patterns);

/* What a number that is not finite is called in messages. */
const char *wy_read_not_finite(double value);

/* Numbers: expressions of the file's constants, with the sign and in the range of the schema. */
double wy_read_number(wy_reader *r, const wy_node *node);
double wy_read_positive(wy_reader *r, const wy_node *node); /* whatever the schema allows */
double wy_read_optional(wy_reader *r, const wy_node *node, double otherwise);
int wy_read_integer(wy_reader *r, const wy_node *node, int otherwise);
void wy_read_vector(wy_reader *r, const wy_node *node, double *out);

/* The columns of a file that a node names; the scenario keeps its text. Of an OBJ file they are those of its vertices.
   NULL after a failure. */
const wy_csv *wy_read_columns(wy_reader *r, const wy_node *node, bool vertices);

/* Likewise the grid of a file of distances (distances.h). */
void wy_read_grid(wy_reader *r, const wy_node *node, wy_distance_grid *out);
/* The text that such a file is or becomes, and where it lies; NULL after a failure. */
const char *wy_read_grid_text(wy_reader *r, const wy_node *node, const char **path);

/* A vector that is not zero. */
void wy_read_direction(wy_reader *r, const wy_node *node, double out[3]);

/* Signals: expressions that may use the variables of the schema as well. The sample is the last one added. */
wy_signal wy_read_signal(wy_reader *r, const wy_node *node);
void wy_read_signals(wy_reader *r, const wy_node *node, wy_signal *out);
/* Likewise with the variables `allowed` (WY_TIME | WY_ARC) alone. */
void wy_read_signals_of(wy_reader *r, const wy_node *node, unsigned allowed, wy_signal *out);

/* An expression of the variables of the schema, which is not sampled; NULL after a failure. */
const wy_expr *wy_read_expression(wy_reader *r, const wy_node *node);

/* A signal of time that the run differentiates twice. */
wy_signal wy_read_motion(wy_reader *r, const wy_node *node);
/* Held, free, or three of these words and motions; nothing is changed if there is no node. */
void wy_read_position(wy_reader *r, const wy_node *node, wy_hold position[3], wy_signal path[3]);

/* Three expressions of time and place; nothing is changed if there is no node. */
void wy_read_flow(wy_reader *r, const wy_node *node, wy_flow *out);

/* The tree of a text with the settings applied, or NULL with the reason. */
wy_node *wy_read_tree(wy_reader *r, const char *text, const char *const *settings, int count);

/* The whole: all keys, then all checks, until something fails. */
void wy_read_top(wy_reader *r);
void wy_check_top(wy_reader *r);

/* The parts. */
void wy_read_names(wy_reader *r);                      /* constants, tables and functions */
void wy_read_table(wy_reader *r, const wy_node *node); /* an entry of `tables` */
/* Over what `out` has already. */
void wy_read_fluid(wy_reader *r, const wy_node *node, wy_fluid *out);
/* Entries that stand for several, in their place: copies of rods, joints wherever rods meet. */
void wy_expand_copies(wy_reader *r);
void wy_expand_meetings(wy_reader *r);
void wy_read_rods(wy_reader *r);
void wy_read_points(wy_reader *r, const wy_node *shape, wy_rod_def *out); /* of a measured centreline, and the length */
void wy_read_ends(wy_reader *r, const wy_node *node, wy_end out[2]);      /* of one rod */
void wy_read_network(wy_reader *r);                                       /* bodies, joints and springs */
void wy_read_contact(wy_reader *r);                                       /* obstacles and the laws of contact */
void wy_read_skin(wy_reader *r, const wy_node *node, wy_rod_contact *out); /* of one rod */
void wy_read_loads(wy_reader *r);
void wy_read_actuators(wy_reader *r);
void wy_read_probes(wy_reader *r);
/* A rod that touches nothing has no gap. */
void wy_check_gap(wy_reader *r, const wy_node *node, const wy_probe *probe);
/* A probe of a body, joint, spring or obstacle; false: it is of a rod or of all. */
bool wy_read_probe_part(wy_reader *r, const wy_node *node, wy_probe *probe, wy_probe_part *out);
void wy_read_strands(wy_reader *r);
void wy_read_solvers(wy_reader *r);
/* Rods of the file that are patterns of batches go to the end of the list, and so do their loads. */
void wy_part_patterns(wy_reader *r);
/* Takes what has been read of patterns out of the model. */
void wy_take_patterns(wy_reader *r);
void wy_read_batches(wy_reader *r);
/* The roots of a batch of `count` rods: values of WY_BATCH_ROOT, or NULL; count 0: only how many there must be. */
const double *wy_read_roots(wy_reader *r, const wy_node *node, const wy_rod_def *pattern, int count, uint64_t seed);
int wy_read_root_rows(wy_reader *r, const wy_node *node);
/* A probe of a batch; false: it is none. */
bool wy_read_batch_probe(wy_reader *r, const wy_node *node, wy_quantity quantity, wy_batch_probe *out);
void wy_check_batches(wy_reader *r);  /* the library accepts them */
void wy_check_methods(wy_reader *r);  /* scheme, kind and integrator of every rod can be combined */
void wy_check_steps(wy_reader *r);    /* output times are multiples of the given fixed steps */
void wy_check_sizes(wy_reader *r);    /* refuses runs that are too large for any machine */
void wy_check_analysis(wy_reader *r); /* refuses keys that make no sense for the analysis */
void wy_check_samples(wy_reader *r);  /* every expression at all output times */
/* A table that is needed where it is not defined. */
void wy_refuse_outside(wy_reader *r, const wy_node *node, const wy_spline *table, double at);
void wy_check_library(wy_reader *r); /* wy_model_create and wy_sim_create accept it */
void wy_find_unused(wy_reader *r);   /* keys that have no effect */
/* Chooses grids and methods of rods with an accuracy. */
void wy_choose_spaces(wy_reader *r);
/* The grading of a rod whose number of segments is known. */
void wy_read_grading(wy_reader *r, const wy_node *node, wy_rod_def *out);
/* The key of the rod's solver, or else of the file's; `rod` may be NULL. */
const wy_node *wy_read_solver_key(const wy_reader *r, const wy_node *rod, const char *key);
/* Chooses the fixed steps that are not given; it needs the model. */
void wy_choose_steps(wy_reader *r, const wy_model *model);

#endif
