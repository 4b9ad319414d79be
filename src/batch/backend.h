/* SPDX-License-Identifier: MIT */
/* What calculates a batch: the lanes of a CPU, the threads of a GPU. batch/advance.c knows it through this table. */
#ifndef WY_BATCH_BACKEND_H
#define WY_BATCH_BACKEND_H

#include <stdbool.h>
#include <stddef.h>

#include "batch/layout.h"
#include "withy/batch.h"

/* What does not change from rod to rod. */
typedef struct wy_batch_kind {
  int count, segments;
  wy_batch_precision precision;
  wy_curvature_measure measure;
  bool damped;
  bool clamped[2];                               /* the rotation of an end is held */
  double held[2][3];                             /* 1: this component of its position is held, else 0 */
  int obstacles;                                 /* that the rods may touch */
  bool springs;                                  /* friction of some holds at rest */
  const wy_batch_grid *grids;                    /* of each obstacle, or NULL: none has one; they live as long */
  size_t grid_values;                            /* of all of them */
  int lanes;                                     /* 0: the most that there are */
  int most_tasks;                                /* that step at the same time */
  int most_substeps, most_loads, most_obstacles; /* of a plan: substeps; times of loads and of obstacles */
  bool keeps; /* plans may leave an older state than the last but one as the one before */
} wy_batch_kind;

/* Arrays of a rod. States stand twice: a step reads those of one side and writes those of the other. BEFORE is the
   state one step earlier. */
typedef enum wy_batch_array {
  WY_ARRAY_PARAMETERS,
  WY_ARRAY_NATURAL, /* natural curvatures of the vertices, times the length of a segment */
  WY_ARRAY_ENDS,
  WY_ARRAY_STATE,      /* of side 0 */
  WY_ARRAY_BEFORE,     /* of side 0 */
  WY_ARRAY_NEW_STATE,  /* of side 1 */
  WY_ARRAY_NEW_BEFORE, /* of side 1 */
  WY_ARRAY_MONITOR,
  WY_ARRAYS
} wy_batch_array;

/* One substep of a frame. */
typedef struct wy_batch_substep {
  double length; /* h, in ticks */
  double ratio;  /* h over that of the step before */
  double share;  /* of the frame at its end, 0 to 1 */
} wy_batch_substep;

/* How a frame is stepped. */
typedef struct wy_batch_plan {
  int side;     /* where the states at its beginning are */
  bool leaps;   /* leapfrog, else backward differences */
  bool first;   /* there is no state before: the first substep is one of Euler's */
  double frame; /* its length in ticks */
  int count;
  const wy_batch_substep *substeps;
  int kept; /* the state that is left as the one before: after so many substeps */
  const double
      *loads; /* [count][segments + 1][WY_LOAD_ROW] at the end of each substep (leapfrog: in its middle), or NULL */
  bool loads_stand;        /* one row of them for all substeps */
  const double *obstacles; /* [count][kind.obstacles][WY_OBST_ROW] at the end of each substep; one row if they stand */
  bool obstacles_stand;
} wy_batch_plan;

/* Apart from `step`, functions of one machine are called one at a time. */
typedef struct wy_batch_backend {
  wy_batch_device device;
  bool whole; /* a call of `step` has all tiles, which the machine shares out itself */
  /* NULL: out of memory. `lanes` is set to what is used, `machine` to its name. */
  void *(*create)(const wy_batch_kind *kind, int *lanes, const char **machine);
  /* Values of `count` rods from `first` on, rod by rod. */
  void (*upload)(void *self, wy_batch_array array, int first, int count, const double *values);
  void (*download)(const void *self, wy_batch_array array, int first, int count, double *values);
  /* An array of `count` rods, from[i] of one machine to to[i] of another one of this backend, or of itself; no list: 0,
     1, 2, ... */
  void (*copy)(const void *source, wy_batch_array array, const int *from, void *target, wy_batch_array as,
               const int *to, int count);
  /* Tiles [from, to); `task` < most_tasks: no two calls at the same time have the same. */
  void (*step)(void *self, int task, int from, int to, const wy_batch_plan *plan);
  /* Where the machine has positions of the vertices in a state, [count][segments + 1][3] in numbers of the batch's
     precision; NULL: out of memory. No function: on the CPU. */
  const void *(*positions)(void *self, wy_batch_array state);
  /* Why nothing that the machine gives can be trusted any more; NULL: it can. No function: always. */
  const char *(*error)(const void *self);
  void (*destroy)(void *self);
  size_t (*memory)(const wy_batch_kind *kind);
} wy_batch_backend;

/* Entries of an array for one rod. */
static inline int wy_batch_entries(const wy_batch_kind *kind, wy_batch_array array) {
  const int vertices = kind->segments + 1;
  switch (array) {
  case WY_ARRAY_PARAMETERS:
    return WY_PAR_COUNT;
  case WY_ARRAY_NATURAL:
    return 3 * vertices;
  case WY_ARRAY_ENDS:
    return WY_ENDS;
  case WY_ARRAY_MONITOR:
    return WY_MONITOR_COUNT;
  default:
    return (WY_CELL + (kind->springs ? 3 * kind->obstacles : 0)) * vertices;
  }
}

extern const wy_batch_backend wy_batch_lanes;

/* What a library with a backend exports, by the name WY_BATCH_BACKEND_NAME: the backend, or NULL and the reason.
   `version` is WY_VERSION of the caller, whose structures it must have. */
#define WY_BATCH_BACKEND_NAME "wy_batch_backend_of"
typedef const wy_batch_backend *(*wy_batch_find_backend)(const char *version, const char **reason);

#endif
