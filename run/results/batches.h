/* SPDX-License-Identifier: MIT */
/* The batches of a run: made, moved beside the simulation, saved, and asked for what files hold of them. */
#ifndef WY_RUN_RESULTS_BATCHES_H
#define WY_RUN_RESULTS_BATCHES_H

#include "run/results/file.h"
#include "run/results/parts.h"

typedef struct wy_batches wy_batches;

/* Makes them with the tasks of the scenario; *out is NULL if there are none. NULL is allowed in all calls. With ranks
   each one makes its part of the rods. Calls with orders are those of rank 0 then, the others follow in
   wy_batches_serve: arrays of all rods are filled on rank 0. */
wy_status wy_batches_create(const wy_scenario *scenario, const wy_ranks *ranks, wy_batches **out, wy_message *message);
/* The ranks above 0 carry out orders until rank 0 dismisses them. */
wy_status wy_batches_serve(const wy_scenario *scenario, const wy_ranks *ranks, bool (*interrupted)(void *context),
                           void *context, wy_message *message);
void wy_batches_dismiss(wy_batches *batches, const wy_ranks *ranks);
/* Has another rank been interrupted? */
bool wy_batches_interrupted(const wy_batches *batches);
void wy_batches_destroy(wy_batches *batches);

int wy_batches_count(const wy_batches *batches);
wy_batch *wy_batches_at(const wy_batches *batches, int batch);
const wy_scenario_batch *wy_batches_def(const wy_batches *batches, int batch);
wy_model *wy_batches_patterns(const wy_batches *batches);
wy_batch **wy_batches_list(wy_batches *batches);
/* Bytes of all of them, with what is kept here; of one, on all ranks. */
double wy_batches_memory(const wy_batches *batches);
double wy_batches_memory_of(const wy_batches *batches, int batch);

/* Words of the schema. */
const char *wy_batch_integrator_word(wy_batch_integrator integrator);
const char *wy_batch_precision_word(wy_batch_precision precision);
const char *wy_batch_device_word(wy_batch_device device);

/* To time t, where the simulation is, by one frame. Rods that fail stay as they are. */
wy_status wy_batches_move(wy_batches *batches, double t, wy_sim *sim, wy_message *message);
/* WY_ERROR_RESULT with the first batch of which rods have failed; WY_OK if there are none. */
wy_status wy_batches_verify(wy_batches *batches, wy_message *message);
/* How all rods of a batch fare: [count], until the next call; NULL: that cannot be told. */
const wy_batch_rod *wy_batches_status(wy_batches *batches, int batch, wy_message *message);
/* A warning about a batch: it is not calculated where it was asked for. False: there is none. */
bool wy_batches_doubt(const wy_batches *batches, int batch, char *text, size_t size);
/* Have all rods of a batch failed? */
bool wy_batches_lost(const wy_batches *batches);

/* Saved states, one after the other; before the first frame there are none, since batches begin as they are made. */
size_t wy_batches_save_size(const wy_batches *batches);
wy_status wy_batches_save(wy_batches *batches, void *buffer, size_t size, wy_message *message);
wy_status wy_batches_restore(wy_batches *batches, void *buffer, size_t size, wy_message *message);

/* The columns of all probes of batches: mean, least and largest of the rods that have not failed. */
wy_status wy_batches_row(wy_batches *batches, double *values, wy_message *message);
/* Of all rods of a batch: [count][components] of a probe, or [count][3] of the tips. */
wy_status wy_batches_probe(wy_batches *batches, int probe, double *out, wy_message *message);
wy_status wy_batches_tips(wy_batches *batches, int batch, double *out, wy_message *message);
/* Of the recorded rods, `size` numbers each. */
typedef enum wy_batches_item { WY_RECORDED_POSITIONS, WY_RECORDED_FRAMES, WY_RECORDED_VELOCITIES } wy_batches_item;
wy_status wy_batches_recorded(wy_batches *batches, int batch, wy_batches_item item, size_t size, double *out,
                              wy_message *message);

#endif
