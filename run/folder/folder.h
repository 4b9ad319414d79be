/* SPDX-License-Identifier: MIT */
/* What the files of run/folder share. Inner header of run/folder/; the last section is for draw/, too. */
#ifndef WY_RUN_FOLDER_FOLDER_H
#define WY_RUN_FOLDER_FOLDER_H

#include "run/results/file.h"
#include "run/results/hdf5.h"
#include "run/scenario/scenario.h"
#include "run/tree/pool.h"
#include "withy/folder.h"

/* Content that was read, with the name under which it was requested. */
typedef struct wy_folder_entry {
  struct wy_folder_entry *next;
  const char *kind, *name; /* "table" and "probes.csv", ... */
  const void *content;     /* NULL: it does not exist */
} wy_folder_entry;

/* Rods that share datasets: the copies NAME1, NAME2, ..., which are rods of the run like others, or the rods of a batch
   (withy/batch.h), of which some are recorded. */
typedef struct wy_folder_batch {
  const char *name;
  int count; /* of rods */
  bool copies;
  int recorded_count;
  const double *recorded; /* of a batch: the numbers of these rods, ascending, counted from 0 */
} wy_folder_batch;

/* Where something of a rod is in result.h5: the path of its dataset or group, and the number of the rod in it; -1: it
   has that for itself. */
typedef struct wy_folder_place {
  const char *path;
  int rod;
} wy_folder_place;

enum { WY_FOLDER_LISTS = 256 };

struct wy_folder {
  wy_pool pool; /* of everything that was read */
  const char *path;
  wy_folder_entry *entries[WY_FOLDER_LISTS]; /* by the hash of their names */
  /* result.h5 */
  bool opened;  /* or known to be missing */
  hid_t file;   /* negative where there is none */
  bool counted; /* the snapshots are known */
  int snapshots;
  const double *time;
  bool has_batches; /* they were read */
  int batch_count;
  const wy_folder_batch *batches;
  /* The scenario in it. */
  bool has_files; /* reading them was attempted */
  const wy_scenario_file *files;
  int file_count;
  bool has_scenario; /* reading it was attempted, and the model too */
  bool no_memory;    /* it is missing because there was not enough memory */
  wy_scenario *scenario;
  wy_model *model;
  /* summary.json */
  bool has_summary; /* reading it was attempted */
  const struct wy_node *summary;
};

/* Zeroed memory that belongs to the folder; NULL if there is not enough memory. */
void *wy_folder_take(wy_folder *folder, size_t count, size_t size);
char *wy_folder_copy(wy_folder *folder, const char *text, size_t length);
/* A path of the folder: "FOLDER/file", or any other formatted text. NULL without memory. */
const char *wy_folder_print(wy_folder *folder, const char *format, ...) __attribute__((format(printf, 2, 3)));
wy_status wy_folder_out_of_memory(wy_message *message);

/* True if it was read before; then *content is the stored content. */
bool wy_folder_recall(const wy_folder *folder, const char *kind, const char *name, const void **content);
/* Stores it; WY_OK or WY_ERROR_MEMORY. */
wy_status wy_folder_keep(wy_folder *folder, const char *kind, const char *name, const void *content,
                         wy_message *message);

/* Opens result.h5 where that has not been done. WY_OK also where there is no such file: folder->file is negative. */
wy_status wy_folder_open_result(wy_folder *folder, wy_message *message);
/* batch.c: where a path of a rod, "/rods/NAME/...", leads; other paths lead to themselves. */
wy_folder_place wy_folder_find(wy_folder *folder, const char *path);
/* A dataset of one to three dimensions, or one entry of its first one where `entry` is not negative, without keeping
   it. *values is NULL where there is no such dataset, or it cannot be read. */
wy_status wy_folder_block(wy_folder *folder, const char *path, int entry, int size[3], double **values,
                          wy_message *message);

/* Reads a CSV file. Everything lives in the pool; *out is NULL where there is no such file. */
wy_status wy_table_read(wy_pool *pool, const char *path, bool has_probes, const wy_table **out, wy_message *message);

/* ---- For draw/ ---- */

/* Is the analysis one of a single state, without a course in time? */
bool wy_folder_has_one_state(wy_folder *folder);
/* The copies and batches in the file, in alphabetical order. */
wy_status wy_folder_batches(wy_folder *folder, int *count, const wy_folder_batch **list, wy_message *message);
/* The quantity of the probe NAME of a batch, by "NAME" or "NAME.mean", "NAME.least", "NAME.largest"; -1: there is none.
 */
int wy_folder_batch_probe(wy_folder *folder, const char *name);
/* Reads every step-th of the lines of a field in one snapshot, `count` of them from number `first` on:
   numbers[count][points][components]. */
wy_status wy_folder_read_lines(wy_folder *folder, const wy_stored_field *field, int snapshot, int first, int step,
                               int count, double *numbers, wy_message *message);
/* How many components the numbers of a dataset have: its last dimension; 0 where there is none. */
int wy_folder_components(wy_folder *folder, const char *path);
/* "FOLDER/result.h5: PATH is missing or not of the expected size". */
wy_status wy_folder_damaged(const wy_folder *folder, const char *path, wy_message *message);

#endif
