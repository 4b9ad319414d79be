/* SPDX-License-Identifier: MIT */
/* A new HDF5 file, written without the HDF5 library: groups, attributes, contiguous datasets with their places. The
   numbers of datasets come first, what describes them last, when the file is closed. The format is the one that every
   version of the library reads (superblock 0, symbol tables). No times of creation: equal runs make equal files. Inner
   header of run/results/. */
#ifndef WY_RUN_RESULTS_H5_MAKING_H
#define WY_RUN_RESULTS_H5_MAKING_H

#include "run/results/h5_layout.h"

typedef enum wy_h5_type { WY_H5_DOUBLE, WY_H5_FLOAT, WY_H5_INT, WY_H5_INT64, WY_H5_TEXT } wy_h5_type;

/* Numbers, or a list of texts (value: const char *const *) of which the first is text number `first_text` of the file.
 */
typedef struct wy_h5_attribute_made {
  struct wy_h5_attribute_made *next;
  const char *name;
  wy_h5_type type;
  uint64_t count; /* 0: a single value */
  const void *value;
  size_t first_text;
} wy_h5_attribute_made;

/* A group, or a dataset: that one has a type and a size. */
typedef struct wy_h5_object {
  struct wy_h5_object *parent, *next_child, *next_in_bucket;
  struct wy_h5_object *children; /* the last one first */
  const char *name;
  size_t child_count;
  wy_h5_attribute_made *attributes, **attributes_end;
  bool is_dataset;
  wy_h5_type type;
  int rank;
  uint64_t size[4];
  uint64_t offset, bytes; /* of its content in the file */
} wy_h5_object;

/* A text of the file: attributes refer to it by its number. */
typedef struct wy_h5_text_made {
  struct wy_h5_text_made *next;
  const char *text;
  size_t length;
} wy_h5_text_made;

enum { WY_H5_BUCKETS = 512, WY_H5_HEAD = 96 /* bytes of the superblock */ };

/* A file in the making. The first failure is kept, an errno or -1, and everything after it does nothing. */
typedef struct wy_h5_making {
  int file;
  int error;
  uint64_t end; /* where the next content goes; always a multiple of 8 */
  wy_pool pool;
  wy_h5_object *root;
  wy_h5_object *buckets[WY_H5_BUCKETS]; /* all objects, by their parents and names */
  wy_h5_text_made *texts, **texts_end;
  size_t text_count;
} wy_h5_making;

void wy_h5_open(wy_h5_making *m, const char *path);
/* Writes what describes the datasets, and closes the file. */
void wy_h5_close_making(wy_h5_making *m);

/* What was made of a pool without memory is no part of a file. */
bool wy_h5_complete(wy_h5_making *m, const wy_pool *pool);

/* The group at a path, made where it is missing, with those above it; NULL after a failure. */
wy_h5_object *wy_h5_group(wy_h5_making *m, const char *path);

/* A list of values, or a single one where `count` is 0. Nothing happens where the object is NULL. */
void wy_h5_attributes(wy_h5_making *m, wy_h5_object *object, const char *name, wy_h5_type type, uint64_t count,
                      const void *value);
void wy_h5_attribute(wy_h5_making *m, wy_h5_object *object, const char *name, wy_h5_type type, const void *value);
void wy_h5_text(wy_h5_making *m, wy_h5_object *object, const char *name, const char *text);
/* A dataset and its place in the file, with its content where there is one already; numbers that are not written read
   as zero. */
uint64_t wy_h5_dataset(wy_h5_making *m, const char *path, int rank, const uint64_t *size, wy_h5_type type,
                       const void *content);
/* What a batch has that does not change with time, and how its rods have fared up to now. */
void wy_h5_add_batch(wy_h5_making *m, const wy_h5_def *def, int index);

/* Bytes of a value in memory. */
size_t wy_h5_type_size(wy_h5_type type);
/* What describes all objects of a file, as it stands from byte m->end on, and the superblock. False: a group or an
   attribute is too large for the format. */
bool wy_h5_describe(const wy_h5_making *m, wy_text *out, unsigned char head[WY_H5_HEAD]);

/* Writes a seal behind both: 0, or an errno. Is the seal of a file there, and not that of what the file has? */
int wy_h5_seal(int file, const unsigned char head[WY_H5_HEAD], uint64_t start, const void *described, size_t size);
bool wy_h5_broken(int file);
/* WY_ERROR_INPUT where it is not: before the library looks at the file. */
wy_status wy_h5_look(const char *path, wy_message *message);

#endif
