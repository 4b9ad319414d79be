/* SPDX-License-Identifier: MIT */
/* Batches that several tests use, and the same rods as simulations of their own. */
#ifndef WY_TESTS_SUPPORT_BATCHES_H
#define WY_TESTS_SUPPORT_BATCHES_H

#include "support/rods.h"

enum { SOFT_SEGMENTS = 8, SOFT_VERTICES = SOFT_SEGMENTS + 1, SOFT_NUMBERS = 3 * SOFT_VERTICES, SOFT_LOADS = 4 };

/* One rod with what acts on it. */
typedef struct batch_scene {
  wy_rod_def rod;
  wy_load_def loads[SOFT_LOADS];
  wy_model_def def;
  wy_model *model;
} batch_scene;

/* A soft rod that is bent and twisted by nature, damped, with drag, in gravity, with a force and a moment at its free
   end; its start is clamped. */
void set_soft(batch_scene *it);
/* Ways to hold both ends; where nothing holds the rod it starts with a velocity, a spin and a twist, and driven ends
   are shaken and turned. */
typedef enum batch_held {
  CLAMPED_FREE,
  PINNED_FREE,
  FREE_FREE,
  FREE_CLAMPED,
  CLAMPED_CLAMPED,
  PINNED_PINNED,
  GUIDED,
  DRIVEN,
  HELD_KINDS
} batch_held;
const char *batch_held_name(batch_held held);
void hold_scene(batch_scene *it, batch_held held);
/* Makes the model of the scene as it is; free it with wy_model_destroy. */
void make_scene(batch_scene *it);

/* Backward differences with fixed substeps, without retries. */
wy_batch_def fixed_batch(int substeps);
wy_batch *batch_of(const wy_model *model, const wy_batch_def *def);
void run_batch(wy_batch *batch, int frames, double frame_time);
/* Positions of one rod. */
void batch_positions(wy_batch *batch, int rod, double *x);

/* The first rod of a model by itself to a time, with so small a tolerance that its own error does not count: its
   positions. */
void lone_positions(const wy_model *model, const wy_staggered_options *options, double time, double *x);

/* The largest difference. */
double batch_distance(const double *a, const double *b, int count);

#endif
