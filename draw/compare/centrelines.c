/* SPDX-License-Identifier: MIT */
/* Differences of centrelines. */
#include <math.h>
#include <string.h>

#include "draw/compare/differences.h"
#include "run/results/file.h"

/* All positions of a rod, in all snapshots. */
typedef struct rod_course {
  int points;
  const double *s, *position;
} rod_course;

static wy_status read_course(const wy_compare_run *run, const char *rod, wy_memory *memory, rod_course *course,
                             wy_message *message) {
  const wy_stored_field *field = NULL;
  *course = (rod_course){0};
  wy_status status = wy_folder_rod_field(run->folder, rod, "position", 3, &field, message);
  if (status == WY_OK && field)
    status = wy_folder_history(run->folder, wy_memory_print(memory, "/rods/%s/position", rod), 3, &course->position,
                               message);
  if (status == WY_OK && field)
    *course = (rod_course){field->points, field->s, course->position};
  return status;
}

/* Distances of the points that both runs have at the same arc length: interpolating between others would measure how
   coarse the pieces are. */
typedef struct sweep {
  double squares, where_s;
  long points;
  const char *where_rod;
  int damaged; /* whose position is not a finite number, or -1 */
} sweep;

static void compare_courses(wy_difference *d, const wy_match *match, const char *rod, const rod_course course[2],
                            sweep *all) {
  int j = 0;
  for (int i = 0; i < course[0].points; i++) {
    double s = course[0].s[i], close = 1e-9 * course[0].s[course[0].points - 1];
    while (j < course[1].points && course[1].s[j] < s - close)
      j++;
    if (j == course[1].points || course[1].s[j] > s + close)
      continue;
    for (int k = 0; k < match->rows; k++) {
      if (match->index[0][k] < 0 || match->index[1][k] < 0)
        continue;
      const double *x = course[0].position + 3 * ((size_t)match->index[0][k] * (size_t)course[0].points + (size_t)i);
      const double *y = course[1].position + 3 * ((size_t)match->index[1][k] * (size_t)course[1].points + (size_t)j);
      double distance = hypot(hypot(y[0] - x[0], y[1] - x[1]), y[2] - x[2]);
      if (!isfinite(distance)) {
        all->damaged = isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
        return;
      }
      all->squares += distance * distance;
      all->points++;
      d->distance[k] = fmax(d->distance[k], distance);
      if (distance > d->largest) {
        d->largest = distance;
        d->at = d->t[k];
        all->where_rod = rod;
        all->where_s = s;
      }
    }
  }
}

static void keep_shapes(wy_comparison *c, const rod_course course[2], int *const snapshots[2]) {
  wy_compare_rod *rod = &c->rods[c->rod_count++];
  for (int side = 0; side < 2; side++) {
    size_t size = 3 * (size_t)course[side].points;
    rod->points[side] = course[side].points;
    rod->position[side] = wy_memory_take(&c->memory, (size_t)c->moments * size, sizeof(double));
    for (int k = 0; k < c->moments; k++)
      memcpy(rod->position[side] + (size_t)k * size, course[side].position + (size_t)snapshots[side][k] * size,
             size * sizeof(double));
  }
}

/* The snapshots that both runs have, spread evenly: they are drawn. */
static void choose_moments(wy_comparison *c, const wy_match *match, int *const snapshots[2]) {
  int exact = match->rows - match->interpolated;
  c->moments = exact < WY_COMPARE_MOMENTS ? exact : WY_COMPARE_MOMENTS;
  for (int k = 0, row = 0, met = 0; k < c->moments; row++) {
    int wanted = c->moments < 2 ? 0 : (int)((long long)k * (exact - 1) / (c->moments - 1));
    if (match->index[0][row] < 0 || match->index[1][row] < 0)
      continue;
    if (met++ == wanted) {
      c->moment[k] = match->t[row];
      snapshots[0][k] = match->index[0][row];
      snapshots[1][k++] = match->index[1][row];
    }
  }
}

/* The names of the rods of both runs. */
typedef struct rods {
  int count[2];
  const char *const *name[2];
} rods;

static bool has_rod(const rods *all, int side, const char *name) {
  bool found = false;
  for (int i = 0; i < all->count[side] && !found; i++)
    found = strcmp(all->name[side][i], name) == 0;
  return found;
}

static wy_status compare_rod(wy_comparison *c, const wy_match *match, const char *name, int *const snapshots[2],
                             wy_difference *d, sweep *all, wy_message *message) {
  rod_course course[2];
  wy_status status = WY_OK;
  for (int side = 0; side < 2 && status == WY_OK; side++)
    status = read_course(&c->run[side], name, &c->memory, &course[side], message);
  if (status != WY_OK || course[0].points == 0 || course[1].points == 0)
    return status;
  d->scale = fmax(d->scale, fmax(course[0].s[course[0].points - 1], course[1].s[course[1].points - 1]));
  compare_courses(d, match, name, course, all);
  keep_shapes(c, course, snapshots);
  if (all->damaged >= 0)
    return wy_results_fail(message, WY_ERROR_INPUT,
                           "%s/result.h5: a position of the rod %s is not a finite number; the file is damaged",
                           wy_folder_path(c->run[all->damaged].folder), name);
  return WY_OK;
}

static void note_rods(wy_comparison *c, const rods *all) {
  for (int side = 0; side < 2; side++) {
    wy_text only = {0};
    for (int i = 0; i < all->count[side]; i++)
      if (!has_rod(all, !side, all->name[side][i]))
        wy_text_add(&only, "%s%s", only.length ? ", " : "", all->name[side][i]);
    wy_compare_note_lacking(c, side, "rods ", only.data);
    wy_text_free(&only);
  }
}

static void end_difference(wy_comparison *c, wy_difference *d, const sweep *all) {
  d->rms = all->points > 0 ? sqrt(all->squares / (double)all->points) : 0;
  if (all->points == 0)
    c->count--;
  if (all->where_rod)
    d->where = wy_memory_print(&c->memory, "%s, s = %g", all->where_rod, all->where_s);
}

wy_status wy_compare_centrelines(wy_comparison *c, const wy_match *match, wy_message *message) {
  int one[WY_COMPARE_MOMENTS] = {0}, two[WY_COMPARE_MOMENTS] = {0}, *const snapshots[2] = {one, two};
  rods names = {{0}, {NULL}};
  wy_status status = WY_OK;
  for (int side = 0; side < 2 && status == WY_OK; side++)
    status = wy_folder_rods(c->run[side].folder, &names.count[side], &names.name[side], message);
  choose_moments(c, match, snapshots);
  wy_difference *d = wy_difference_add(c, WY_COMPARED_CENTRELINE, "centreline", match->rows, 0);
  memcpy(d->t, match->t, (size_t)match->rows * sizeof(double));
  c->rods = wy_memory_take(&c->memory, (size_t)names.count[0], sizeof *c->rods);
  sweep all = {.damaged = -1};
  for (int i = 0; i < names.count[0] && c->moments > 0 && status == WY_OK; i++)
    if (has_rod(&names, 1, names.name[0][i]))
      status = compare_rod(c, match, names.name[0][i], snapshots, d, &all, message);
  end_difference(c, d, &all);
  note_rods(c, &names);
  return status;
}
