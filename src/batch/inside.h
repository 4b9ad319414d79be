/* SPDX-License-Identifier: MIT */
/* The inside of a batch, for the files of this folder. */
#ifndef WY_BATCH_INSIDE_H
#define WY_BATCH_INSIDE_H

#include "base/arena.h"
#include "base/message.h"
#include "batch/backend.h"
#include "model/model.h"
#include "scheme/supports.h"

enum { WY_BATCH_NUMBERS = WY_BATCH_VELOCITY + 1, WY_BATCH_MOST_RETRIES = 4, WY_BATCH_MOST_TASKS = 64 };
/* Substeps that `0` may choose; pieces of a first substep (advance.c). */
enum { WY_BATCH_MOST_CHOSEN = 256, WY_BATCH_MOST_LEAPS = 1024, WY_BATCH_START_STEPS = 5 };
/* Calm frames before there are fewer substeps: to begin with, and at most. */
enum { WY_BATCH_PATIENCE = 16, WY_BATCH_MOST_PATIENCE = 1024, WY_BATCH_CHOICE = 154 };

struct wy_batch {
  wy_arena arena;
  const wy_model *model;
  const wy_rod_def *rod; /* the pattern */
  wy_batch_def def;
  wy_batch_kind kind;
  const wy_batch_backend *backend;
  void *machine;
  const char *machine_name;
  const char *reason; /* why it is not the device that was asked for, or "" */
  int lanes;

  double *numbers[WY_BATCH_NUMBERS];  /* [count][size], in SI units */
  bool given[WY_BATCH_NUMBERS];       /* set by the user; else they are the pattern's */
  bool stale_parameters, stale_start; /* numbers were set, and what follows from them is not yet made */

  wy_supports supports; /* of the pattern */
  wy_end_state support_state[2];
  wy_end_pose begin[2]; /* its ends at t = 0 */
  double *ends;         /* [count][WY_ENDS] as the machine has them: motions of the present frame */
  double *undeformed;   /* [count][7]: place and frame of the end of each undeformed rod */
  bool moved[2];        /* wy_batch_move was called for the next frame */
  bool by_user[2];      /* it was called once: signals of the pattern move it no more */
  bool placed;          /* wy_batch_place was called */

  double *row;                /* of one rod: states, frames and more */
  double *loads;              /* by wy_batch_place_loads: [WY_LOAD_ROW of each vertex] for each substep, or once */
  double *obstacles;          /* likewise: [WY_OBST_ROW of each] for each substep, or once */
  wy_batch_grid *grids;       /* of each obstacle, or NULL: none has one */
  float *grid_values;         /* of all of them, one grid behind the other */
  wy_batch_substep *substeps; /* of the longest frame */
  int substeps_room;

  double time;
  double spacing;               /* from the state before to the present one, in ticks; 0: there is none */
  double stable;                /* the longest substep with which leapfrog is stable, in ticks */
  double stable_of_all;         /* that of all parts of a larger batch */
  int side;                     /* where the present states are */
  int now;                      /* substeps of the last frame */
  int wanted;                   /* of the next one, for accuracy; 0: not yet chosen */
  int most;                     /* before a rod is moved again */
  int calm, patience;           /* frames without doubt, and how many of them make substeps longer (choose.c) */
  bool leaps;                   /* leapfrog, else backward differences */
  bool halved;                  /* substeps were made longer last, not shorter */
  char choice[WY_BATCH_CHOICE]; /* why it is this integrator, where it was chosen */
  wy_batch_rod *rods;
  wy_batch_statistics work;

  /* Rods that are moved again, in a small batch of their own on the same machine. */
  void *again;
  int again_room;
  int *list; /* of rods to be moved again */
  int *good; /* places there and rods of those that are good now: 2 again_room */
};

/* tasks.c: [0, count) in pieces, at the same time where the caller has tasks. `task` < WY_BATCH_MOST_TASKS is the
   number of a piece. */
typedef void (*wy_batch_piece)(void *context, int task, int from, int to);
void wy_batch_divide(const wy_batch *self, int count, wy_batch_piece piece, void *context);
/* The same of rods, in pieces that are worth a task. */
void wy_batch_divide_rods(const wy_batch *self, wy_batch_piece piece, void *context);

/* numbers.c */
void wy_batch_begin_numbers(wy_batch *self);
wy_rod_def wy_batch_rod_def(const wy_batch *self, int rod);
void wy_batch_refresh(wy_batch *self);
static inline double wy_batch_segment(const wy_batch *self, int rod) {
  return self->numbers[WY_BATCH_LENGTH][rod] / self->kind.segments;
}

/* choose.c: leapfrog or backward differences, and the substeps of the next frame. */
double wy_batch_stable_step(const wy_batch *self, int rod);
wy_status wy_batch_choose(wy_batch *self, double frame_time, wy_message *message);
int wy_batch_most_substeps(const wy_batch_def *def);
void wy_batch_choose_next(wy_batch *self, int bad, int warm);

/* start.c: the undeformed rod and the state at the start. */
void wy_batch_begin_supports(wy_batch *self);
void wy_batch_start(wy_batch *self);

/* ends.c: where the ends are during the next frame. */
void wy_batch_begin_ends(wy_batch *self, int rod);
void wy_batch_plan_ends(wy_batch *self, double frame_time);
void wy_batch_finish_ends(wy_batch *self);

/* check.c: may the next frame be? */
wy_status wy_batch_check_frame(wy_batch *self, double frame_time, wy_message *message);

/* loads.c */
wy_status wy_batch_check_loads(const wy_model *model, int rod, wy_message *message);
bool wy_batch_loads_change(const wy_batch *self);
void wy_batch_place_loads(const wy_batch *self, double t, double *rows);

/* obstacles.c */
int wy_batch_count_obstacles(const wy_model *model, int rod);
bool wy_batch_sticks(const wy_model *model, int rod);
wy_status wy_batch_check_obstacles(const wy_model *model, int rod, wy_message *message);
bool wy_batch_obstacles_change(const wy_batch *self);
void wy_batch_place_obstacles(const wy_batch *self, double t, double *rows);
size_t wy_batch_count_grid_values(const wy_model *model, int rod);
void wy_batch_make_grids(wy_batch *self);

/* grid.c: a spline, whose coefficients are written to `values`; the distance from it of what is `y` from the place of
   the obstacle with this row of layout.h. */
void wy_batch_make_grid(const wy_distance_grid *from, wy_batch_grid *grid, float *values);
double wy_batch_grid_distance(const wy_batch_grid *grid, const double *row, const double y[3]);

/* state.c */
wy_status wy_batch_check_range(const wy_batch *self, int first, int count, const void *array, wy_message *message);

/* Can what the machine gives be trusted? */
wy_status wy_batch_check_machine(const wy_batch *self, wy_message *message);

/* Are all values finite? So they are where there are none. */
bool wy_batch_finite(const double *values, size_t count);

/* share.c: what the parts of a larger batch decide together; a batch that is whole does so alone. */
typedef enum wy_batch_tally {
  WY_TALLY_BAD,    /* rods that were moved again */
  WY_TALLY_WARM,   /* rods that came near to it */
  WY_TALLY_SOLVES, /* of a rod, in all substeps */
  WY_TALLY_FAILED, /* rods that are still bad */
  WY_TALLY_BROKEN, /* parts whose machine cannot be trusted */
  WY_TALLIES
} wy_batch_tally;
wy_status wy_batch_agree_to_begin(wy_batch *self, wy_status status, wy_message *message);
wy_status wy_batch_agree_on_frame(const wy_batch *self, double tally[WY_TALLIES], wy_message *message);

/* Rods of the whole, of which this may be a part. */
static inline int wy_batch_total(const wy_batch *self) {
  return self->def.share.total ? self->def.share.total : self->kind.count;
}

/* Entries of a state. */
static inline size_t wy_batch_state_entries(const wy_batch *self) {
  return (size_t)wy_batch_entries(&self->kind, WY_ARRAY_STATE);
}

/* The arrays of the present states. */
static inline wy_batch_array wy_batch_state_array(const wy_batch *self, bool before) {
  const wy_batch_array array = before ? WY_ARRAY_BEFORE : WY_ARRAY_STATE;
  return self->side ? (wy_batch_array)(array + WY_ARRAY_NEW_STATE - WY_ARRAY_STATE) : array;
}

#endif
