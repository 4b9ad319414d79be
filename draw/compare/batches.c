/* SPDX-License-Identifier: MIT */
/* Differences of batches: the tips of all rods, and the rods that both runs have recorded. Snapshots are read one by
   one. */
#include <math.h>
#include <string.h>

#include "draw/compare/differences.h"
#include "run/results/file.h"

/* Lines of one field in both runs: the k-th pair are line[0][k] of A and line[1][k] of B, and likewise points. */
typedef struct pairs {
  wy_comparison *c;
  const wy_match *match;
  const wy_stored_field *field[2];
  int lines, points;
  int *line[2], *point[2];
  const double *rods; /* the numbers of the rods of the pairs; NULL: 0, 1, ... */
  const char *of;     /* "head" */
} pairs;

static wy_status read_both(const pairs *in, int row, double *const room[2], wy_message *message) {
  wy_status status = WY_OK;
  for (int side = 0; side < 2 && status == WY_OK; side++)
    status = wy_folder_read(in->c->run[side].folder, in->field[side], in->match->index[side][row], 1, 1, room[side],
                            message);
  return status;
}

static const double *place_of(const pairs *in, int side, const double *room, int line, int point) {
  const size_t points = (size_t)in->field[side]->points;
  return room + 3 * ((size_t)in->line[side][line] * points + (size_t)in->point[side][point]);
}

static wy_status refuse(const pairs *in, int side, double rod, wy_message *message) {
  return wy_results_fail(message, WY_ERROR_INPUT,
                         "%s/result.h5: a position of rod %.0f of %s is not a finite number; the file is damaged",
                         wy_folder_path(in->c->run[side].folder), rod, in->of);
}

/* The distances at one time. */
static wy_status compare_row(const pairs *in, int row, double *const room[2], wy_difference *d, double *squares,
                             wy_message *message) {
  wy_status status = read_both(in, row, room, message);
  for (int i = 0; i < in->lines && status == WY_OK; i++)
    for (int j = 0; j < in->points; j++) {
      const double *x = place_of(in, 0, room[0], i, j), *y = place_of(in, 1, room[1], i, j);
      const double distance = hypot(hypot(y[0] - x[0], y[1] - x[1]), y[2] - x[2]), rod = in->rods ? in->rods[i] : i;
      if (!isfinite(distance))
        return refuse(in, isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]), rod, message);
      *squares += distance * distance;
      d->distance[row] = fmax(d->distance[row], distance);
      if (distance > d->largest || !d->where[0]) {
        d->largest = distance;
        d->at = d->t[row];
        d->where = wy_memory_print(&in->c->memory, "rod %.0f", rod);
      }
    }
  return status;
}

static wy_status compare_pairs(const pairs *in, const char *what, double scale, wy_message *message) {
  wy_comparison *c = in->c;
  const wy_match *match = in->match;
  double *room[2], squares = 0;
  long compared = 0;
  if (in->lines == 0 || in->points == 0)
    return WY_OK;
  for (int side = 0; side < 2; side++)
    room[side] = wy_memory_take(&c->memory, 3 * (size_t)in->field[side]->lines * (size_t)in->field[side]->points,
                                sizeof(double));
  const char *name = wy_memory_print(&c->memory, "%s of %s", what, in->of);
  wy_difference *d = wy_difference_add(c, WY_COMPARED_BATCH, name, match->rows, 0);
  memcpy(d->t, match->t, (size_t)match->rows * sizeof(double));
  d->scale = scale;
  wy_status status = WY_OK;
  for (int k = 0; k < match->rows && status == WY_OK; k++)
    if (match->index[0][k] >= 0 && match->index[1][k] >= 0) {
      status = compare_row(in, k, room, d, &squares, message);
      compared++;
    }
  d->rms = compared > 0 ? sqrt(squares / ((double)compared * in->lines * in->points)) : 0;
  c->count -= compared == 0;
  return status;
}

/* ---- What both have ---- */

static const wy_stored_field *find(const wy_comparison *c, int side, const char *name, const char *dataset,
                                   wy_status *status, wy_message *message) {
  const wy_stored_field *field = NULL;
  wy_memory *memory = (wy_memory *)&c->memory;
  const char *path = wy_memory_print(memory, "/batches/%s/%s", name, dataset);
  if (*status == WY_OK)
    *status = wy_folder_field(c->run[side].folder, path, 3, &field, message);
  if (*status == WY_OK && !field)
    *status = wy_folder_damaged(c->run[side].folder, path, message);
  return field;
}

static int *count_up(wy_comparison *c, int count) {
  int *list = wy_memory_take(&c->memory, (size_t)count, sizeof *list);
  for (int i = 0; i < count; i++)
    list[i] = i;
  return list;
}

/* Numbers that two ascending lists have in common, but for a share of the last one; their places in both. Returns how
   many. */
static int join(const double *a, int count_a, const double *b, int count_b, double share, int *in_a, int *in_b) {
  int found = 0;
  for (int i = 0, j = 0; i < count_a; i++) {
    const double close = share * fabs(a[count_a - 1]);
    while (j < count_b && b[j] < a[i] - close)
      j++;
    if (j < count_b && b[j] <= a[i] + close) {
      in_a[found] = i;
      in_b[found++] = j;
    }
  }
  return found;
}

static wy_status compare_tips(pairs *in, const wy_folder_batch *const both[2], double scale, wy_message *message) {
  wy_status status = WY_OK;
  in->lines = both[0]->count < both[1]->count ? both[0]->count : both[1]->count;
  in->points = 1;
  for (int side = 0; side < 2; side++) {
    in->field[side] = find(in->c, side, in->of, "tip", &status, message);
    if (status == WY_OK && (in->field[side]->lines != both[side]->count || in->field[side]->points != 1))
      status = wy_folder_damaged(in->c->run[side].folder, in->field[side]->path, message);
    in->line[side] = count_up(in->c, in->lines);
    in->point[side] = count_up(in->c, 1);
  }
  return status == WY_OK ? compare_pairs(in, "tips", scale, message) : status;
}

static wy_status compare_recorded(pairs *in, const wy_folder_batch *const both[2], double *scale, wy_message *message) {
  wy_memory *memory = &in->c->memory;
  wy_status status = WY_OK;
  for (int side = 0; side < 2; side++) {
    in->field[side] = find(in->c, side, in->of, "position", &status, message);
    if (status == WY_OK && in->field[side]->lines != both[side]->recorded_count)
      status = wy_folder_damaged(in->c->run[side].folder, in->field[side]->path, message);
    if (status != WY_OK)
      return status;
    const wy_stored_field *field = in->field[side];
    in->line[side] = wy_memory_take(memory, (size_t)both[0]->recorded_count, sizeof(int));
    in->point[side] = wy_memory_take(memory, (size_t)in->field[0]->points, sizeof(int));
    *scale = fmax(*scale, field->s[field->points - 1]);
  }
  in->lines = join(both[0]->recorded, both[0]->recorded_count, both[1]->recorded, both[1]->recorded_count, 0,
                   in->line[0], in->line[1]);
  in->points = join(in->field[0]->s, in->field[0]->points, in->field[1]->s, in->field[1]->points, 1e-9, in->point[0],
                    in->point[1]);
  double *rods = wy_memory_take(memory, (size_t)in->lines, sizeof *rods);
  for (int i = 0; i < in->lines; i++)
    rods[i] = both[0]->recorded[in->line[0][i]];
  in->rods = rods;
  status = compare_pairs(in, "recorded rods", *scale, message);
  in->rods = NULL;
  return status;
}

static const wy_folder_batch *find_batch(const wy_folder_batch *list, int count, const char *name) {
  for (int i = 0; i < count; i++)
    if (!list[i].copies && strcmp(list[i].name, name) == 0)
      return &list[i];
  return NULL;
}

static wy_status compare_batch(wy_comparison *c, const wy_match *match, const wy_folder_batch *const both[2],
                               wy_message *message) {
  pairs in = {.c = c, .match = match, .of = both[0]->name};
  double scale = 0;
  if (both[0]->count != both[1]->count)
    wy_compare_note_add(c, true, "the batch %s has %d rods in %s and %d in %s: those that both have are compared",
                        in.of, both[0]->count, c->label[0], both[1]->count, c->label[1]);
  const wy_status status = compare_recorded(&in, both, &scale, message);
  return status == WY_OK ? compare_tips(&in, both, scale, message) : status;
}

wy_status wy_compare_batches(wy_comparison *c, const wy_match *match, wy_message *message) {
  const wy_folder_batch *list[2] = {NULL};
  int count[2] = {0};
  wy_status status = WY_OK;
  for (int side = 0; side < 2 && status == WY_OK; side++)
    status = wy_folder_batches(c->run[side].folder, &count[side], &list[side], message);
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < count[side] && status == WY_OK; i++) {
      const wy_folder_batch *one = &list[side][i], *other = find_batch(list[!side], count[!side], one->name);
      const wy_folder_batch *const both[2] = {one, other};
      if (!one->copies && !other)
        wy_compare_note_lacking(c, side, "the batch ", one->name);
      else if (!one->copies && side == 0)
        status = compare_batch(c, match, both, message);
    }
  return status;
}

int wy_compare_count_batches(const wy_comparison *c) {
  const wy_folder_batch *list = NULL;
  int all = 0;
  for (int side = 0; side < 2; side++) {
    int count = 0;
    if (wy_folder_batches(c->run[side].folder, &count, &list, NULL) == WY_OK)
      all += count;
  }
  return all;
}
