/* SPDX-License-Identifier: MIT */
#include "run/results/checkpoint.h"

#include <stdlib.h>
#include <string.h>

/* The file: this head, the saved states of the simulation and of batches, or nothing where the run has not begun, a
   hash of all before it. In the byte order of the machine, as the state. */
typedef struct head {
  char magic[8];
  uint64_t identity;
  int64_t rows, snapshots;
  uint64_t csv_bytes, steps_bytes;
  int64_t path_rows;
  uint64_t path_bytes;
  double last_time, wall_seconds;
  uint64_t state_bytes, batch_bytes;
} head;

static const char magic[8] = {'w', 'i', 't', 'h', 'y', 'c', 'p', '6'};

wy_status wy_checkpoint_write(const char *path, const wy_checkpoint *checkpoint, const wy_sim *sim, wy_batches *batches,
                              wy_message *message) {
  head first = {.identity = checkpoint->identity,
                .rows = checkpoint->rows,
                .snapshots = checkpoint->snapshots,
                .csv_bytes = checkpoint->csv_bytes,
                .steps_bytes = checkpoint->steps_bytes,
                .path_rows = checkpoint->path_rows,
                .path_bytes = checkpoint->path_bytes,
                .last_time = checkpoint->last_time,
                .wall_seconds = checkpoint->wall_seconds,
                .state_bytes = sim ? wy_sim_save_size(sim) : 0,
                .batch_bytes = sim ? wy_batches_save_size(batches) : 0};
  memcpy(first.magic, magic, sizeof magic);
  const size_t states = sizeof first + (size_t)first.state_bytes, size = states + (size_t)first.batch_bytes;
  char *data = malloc(size + sizeof(uint64_t));
  if (!data)
    return wy_results_fail(message, WY_ERROR_MEMORY, "out of memory while writing %s", path);
  memcpy(data, &first, sizeof first);
  wy_status status = sim ? wy_sim_save(sim, data + sizeof first, (size_t)first.state_bytes, message) : WY_OK;
  if (status == WY_OK && sim)
    status = wy_batches_save(batches, data + states, (size_t)first.batch_bytes, message);
  if (status == WY_OK) {
    uint64_t hash = wy_hash_words(WY_HASH_START, data, size);
    memcpy(data + size, &hash, sizeof hash);
    status = wy_file_replace(path, data, size + sizeof hash, message);
  }
  free(data);
  return status;
}

static wy_status check(const char *path, const char *data, size_t size, uint64_t identity, wy_message *message) {
  head first;
  uint64_t hash;
  bool whole = size >= sizeof first + sizeof hash;
  if (whole) {
    memcpy(&first, data, sizeof first);
    memcpy(&hash, data + size - sizeof hash, sizeof hash);
    whole =
        memcmp(first.magic, magic, sizeof magic) == 0 && hash == wy_hash_words(WY_HASH_START, data, size - sizeof hash);
  }
  if (!whole)
    return wy_results_fail(message, WY_ERROR_INPUT, "%s is damaged or of another version; start again without --resume",
                           path);
  if (first.identity != identity)
    return wy_results_fail(message, WY_ERROR_INPUT,
                           "%s belongs to a run of another scenario, of other files that it names, other --set values "
                           "or another version of withy; give the same ones, or start again without --resume",
                           path);
  if (size != sizeof first + first.state_bytes + first.batch_bytes + sizeof hash)
    return wy_results_fail(message, WY_ERROR_INPUT, "%s does not fit this scenario; start again without --resume",
                           path);
  return WY_OK;
}

wy_status wy_checkpoint_read(const char *path, uint64_t identity, wy_checkpoint *checkpoint, wy_sim *sim,
                             wy_batches *batches, bool *exists, wy_message *message) {
  char *data;
  size_t size;
  *exists = false;
  wy_status status = wy_file_read(path, &data, &size, message);
  if (status != WY_OK || !data)
    return status;
  *exists = true;
  status = check(path, data, size, identity, message);
  if (status == WY_OK) {
    head first;
    memcpy(&first, data, sizeof first);
    checkpoint->identity = first.identity;
    checkpoint->rows = first.rows;
    checkpoint->snapshots = first.snapshots;
    checkpoint->csv_bytes = first.csv_bytes;
    checkpoint->steps_bytes = first.steps_bytes;
    checkpoint->path_rows = first.path_rows;
    checkpoint->path_bytes = first.path_bytes;
    checkpoint->last_time = first.last_time;
    checkpoint->wall_seconds = first.wall_seconds;
    char *states = data + sizeof first;
    if (first.state_bytes > 0)
      status = wy_sim_restore(sim, states, (size_t)first.state_bytes, message);
    if (status == WY_OK && first.state_bytes > 0)
      status = wy_batches_restore(batches, states + first.state_bytes, (size_t)first.batch_bytes, message);
  }
  free(data);
  return status;
}
