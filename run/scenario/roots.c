/* SPDX-License-Identifier: MIT */
/* The key `roots` of a batch: place and frame of each rod at s = 0. */
#include <math.h>
#include <string.h>

#include "run/scenario/batches.h"

#define PI 3.14159265358979323846

typedef double vec[3];

static double dot(const vec a, const vec b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const vec a, const vec b, vec out) {
  for (int i = 0; i < 3; i++)
    out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static void normalise(vec v) {
  const double length = sqrt(dot(v, v));
  for (int i = 0; i < 3; i++)
    v[i] /= length;
}

/* Some direction across a unit vector: as near as possible to `near`, or to the space axis that makes the largest angle
   with it. */
static void across(const vec axis, const vec near, vec out) {
  vec from = {0, 0, 0};
  int least = 0;
  for (int i = 1; i < 3; i++)
    least = fabs(axis[i]) < fabs(axis[least]) ? i : least;
  from[least] = 1;
  const double along = near ? dot(near, axis) : 0;
  if (near && dot(near, near) - along * along > 1e-12 * dot(near, near))
    memcpy(from, near, sizeof from);
  const double part = dot(from, axis);
  for (int i = 0; i < 3; i++)
    out[i] = from[i] - part * axis[i];
  normalise(out);
}

static void multiply(const double a[4], const double b[4], double out[4]) {
  vec c;
  cross(a + 1, b + 1, c);
  const double w = a[0] * b[0] - dot(a + 1, b + 1);
  for (int i = 0; i < 3; i++)
    c[i] += a[0] * b[i + 1] + b[0] * a[i + 1];
  out[0] = w;
  memcpy(out + 1, c, sizeof c);
}

/* Turns a frame about a unit vector of space. */
static void turn_frame(const vec axis, double angle, double frame[4]) {
  const double half = sin(0.5 * angle);
  const double turn[4] = {cos(0.5 * angle), half * axis[0], half * axis[1], half * axis[2]};
  multiply(turn, frame, frame);
}

/* The shortest way that brings d3 of the frame to a unit vector. */
static void aim_frame(const vec at, double frame[4]) {
  static const vec e3 = {0, 0, 1};
  vec d3, axis, other;
  wy_rotate(frame, e3, d3);
  cross(d3, at, axis);
  const double s = sqrt(dot(axis, axis)), c = dot(d3, at);
  across(d3, NULL, other);
  if (s > 1e-12)
    normalise(axis);
  turn_frame(s > 1e-12 ? axis : other, atan2(s, c), frame);
}

/* ---- What the file says ---- */

typedef struct spec {
  const wy_node *surface, *file, *position, *direction, *lean, *turn;
  wy_patch patch;
  vec centre, axis, d1, d2;
  double radius, angle, sides[2];
  bool even;
  double frame[4]; /* of the pattern */
} spec;

/* Keys of patches that do not belong to this one. */
static void check_patch_keys(wy_reader *r, const wy_node *roots, const spec *it) {
  static const struct {
    const char *key;
    unsigned patches;
  } keys[] = {{"centre", ~0U},
              {"axis", ~0U},
              {"spread", ~0U},
              {"radius", 1 << WY_PATCH_DISC | 1 << WY_PATCH_CAP},
              {"angle", 1 << WY_PATCH_CAP},
              {"sides", 1 << WY_PATCH_RECTANGLE},
              {"d1", 1 << WY_PATCH_RECTANGLE}};
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
    const wy_node *node = wy_yaml_find(roots, keys[i].key);
    if (node && !it->surface)
      wy_read_fail(r, node, "found %s without `surface`; expected it with surface: disc, rectangle or cap",
                   keys[i].key);
    else if (node && !(keys[i].patches >> it->patch & 1))
      wy_read_fail(r, node, "found %s together with surface: %s; expected it with another one", keys[i].key,
                   it->surface->text);
  }
}

static void read_patch(wy_reader *r, const wy_node *roots, spec *it) {
  const wy_node *angle = wy_yaml_find(roots, "angle"), *d1 = wy_yaml_find(roots, "d1");
  it->patch = (wy_patch)wy_read_choice(r, it->surface, WY_PATCH_DISC);
  check_patch_keys(r, roots, it);
  if (r->failed || !it->surface)
    return;
  vec near = {0, 0, 0};
  wy_read_vector(r, wy_yaml_find(roots, "centre"), it->centre);
  wy_read_direction(r, wy_yaml_find(roots, "axis"), it->axis);
  wy_read_direction(r, d1, near);
  it->even = wy_read_choice(r, wy_yaml_find(roots, "spread"), false);
  if (it->patch == WY_PATCH_RECTANGLE) {
    const wy_node *sides = wy_read_need(r, roots, "sides");
    wy_read_vector(r, sides, it->sides);
    if (!r->failed && !(it->sides[0] > 0 && it->sides[1] > 0))
      wy_read_refuse(r, sides);
  } else {
    it->radius = wy_read_positive(r, wy_read_need(r, roots, "radius"));
  }
  it->angle = angle ? wy_read_number(r, angle) : 0.5 * PI;
  if (angle && !r->failed && !(it->angle > 0 && it->angle <= PI))
    wy_read_expected(r, angle, "an angle > 0, at most pi");
  if (r->failed)
    return;
  normalise(it->axis);
  across(it->axis, near, it->d1);
  cross(it->axis, it->d1, it->d2);
}

/* The frame at the start of the undeformed pattern; what is wrong with the pattern is said later. */
static void find_frame(const wy_rod_def *pattern, double frame[4]) {
  wy_model_def def = wy_default_model_def();
  wy_model *model = NULL;
  vec origin;
  def.rods = pattern;
  def.rod_count = 1;
  frame[0] = 1, frame[1] = frame[2] = frame[3] = 0;
  if (wy_model_create(&def, &model, NULL) == WY_OK)
    wy_model_reference(model, 0, 0, origin, frame);
  wy_model_destroy(model);
}

static spec read_spec(wy_reader *r, const wy_node *roots, const wy_rod_def *pattern) {
  spec it = {.surface = wy_yaml_find(roots, "surface"),
             .file = wy_yaml_find(roots, "file"),
             .position = wy_yaml_find(roots, "position"),
             .direction = wy_yaml_find(roots, "direction"),
             .lean = wy_yaml_find(roots, "lean"),
             .turn = wy_yaml_find(roots, "turn"),
             .axis = {0, 0, 1}};
  const int ways = (it.surface != NULL) + (it.file != NULL) + (it.position != NULL);
  if (!r->failed && ways != 1)
    wy_read_fail(r, roots, "found %s of surface, file and position; expected one of them", ways ? "several" : "none");
  read_patch(r, roots, &it);
  find_frame(pattern, it.frame);
  return it;
}

/* ---- Places and directions ---- */

/* Root number i of a patch, and the normal there. Discs and caps have the turns of a sunflower, rectangles the
   sequence of the plastic number, where roots are even. */
static void place_on(const spec *it, int i, int count, uint64_t seed, vec place, vec normal) {
  double a = wy_random_unit(wy_random_bits(seed, (uint64_t)i, WY_RANDOM_OTHERS));
  double b = wy_random_unit(wy_random_bits(seed, (uint64_t)i, WY_RANDOM_OTHERS + 1));
  double whole;
  if (it->even && it->patch == WY_PATCH_RECTANGLE)
    a = modf(0.5 + i * 0.75487766624669276, &whole), b = modf(0.5 + i * 0.56984029099805327, &whole);
  else if (it->even)
    a = (i + 0.5) / count, b = modf(i * 0.61803398874989485, &whole);
  double u = (a - 0.5) * it->sides[0], v = (b - 0.5) * it->sides[1], w = 0;
  if (it->patch != WY_PATCH_RECTANGLE) {
    const double c = 1 - a * (1 - cos(it->angle)); /* of the angle from the axis of a cap */
    const double out = it->patch == WY_PATCH_DISC ? it->radius * sqrt(a) : it->radius * sqrt(fmax(0, 1 - c * c));
    u = out * cos(2 * PI * b), v = out * sin(2 * PI * b);
    w = it->patch == WY_PATCH_CAP ? it->radius * c : 0;
  }
  for (int k = 0; k < 3; k++) {
    const double arm = u * it->d1[k] + v * it->d2[k] + w * it->axis[k];
    place[k] = it->centre[k] + arm;
    normal[k] = it->patch == WY_PATCH_CAP ? arm / it->radius : it->axis[k];
  }
}

/* The columns of a file of roots: by their names, or the first three or six. */
static int find_column(const wy_csv *csv, const char *name, int place) {
  for (int i = 0; csv->names && i < csv->columns; i++)
    if (strcmp(csv->names[i], name) == 0)
      return i;
  return csv->names || place >= csv->columns ? -1 : place;
}

static void read_file(wy_reader *r, const spec *it, int count, double *values, double *directions) {
  static const char *const names[6] = {"x", "y", "z", "dx", "dy", "dz"};
  const wy_csv *csv = wy_read_columns(r, it->file, false);
  int columns[6], directed = 0;
  if (!csv)
    return;
  for (int k = 0; k < 6; k++) {
    columns[k] = find_column(csv, names[k], k);
    directed += k >= 3 && columns[k] >= 0;
  }
  if (columns[0] < 0 || columns[1] < 0 || columns[2] < 0 || (directed != 0 && directed != 3))
    wy_read_fail(r, it->file,
                 "found a file without the column%s; expected x, y, z, and either all of dx, dy, dz or "
                 "none of them",
                 columns[0] < 0   ? " x"
                 : columns[1] < 0 ? " y"
                 : columns[2] < 0 ? " z"
                                  : "s");
  else if (csv->rows != count)
    wy_read_fail(r, it->file, "found a file of %d rows; expected %d, one for each rod", csv->rows, count);
  for (int i = 0; i < count && !r->failed; i++)
    for (int k = 0; k < 3; k++) {
      const double *row = csv->values + (size_t)i * (size_t)csv->columns;
      values[7 * (size_t)i + (size_t)k] = row[columns[k]];
      directions[3 * (size_t)i + (size_t)k] = directed ? row[columns[3 + k]] : 0;
    }
}

static void read_vector(wy_reader *r, const wy_node *list, uint64_t seed, int count, int stride, double *out) {
  if (!r->failed && (list->kind != WY_LIST || list->count != 3))
    wy_read_refuse(r, list);
  for (const wy_node *child = r->failed ? NULL : list->first; child && !r->failed; child = child->next)
    wy_read_per_rod(r, child, seed, count, stride, out + child->index);
}

/* Frames from directions (a zero vector: that of the pattern), leanings and turns. */
static void make_frame(wy_reader *r, const spec *it, int i, uint64_t seed, const vec direction, const double tilts[2],
                       double *root) {
  static const vec e3 = {0, 0, 1};
  vec at, side, other;
  double *frame = root + 3;
  memcpy(frame, it->frame, sizeof it->frame);
  wy_rotate(frame, e3, at);
  if (dot(direction, direction) > 0)
    memcpy(at, direction, sizeof at), normalise(at);
  else if (it->direction)
    wy_read_fail(r, it->direction, "found a vector of length 0 for rod %d; expected a direction", i);
  const double phi = 2 * PI * wy_random_unit(wy_random_bits(seed, (uint64_t)i, WY_RANDOM_OTHERS + 2));
  across(at, NULL, side);
  cross(at, side, other);
  for (int k = 0; k < 3; k++)
    at[k] = cos(tilts[0]) * at[k] + sin(tilts[0]) * (cos(phi) * side[k] + sin(phi) * other[k]);
  aim_frame(at, frame);
  turn_frame(at, tilts[1], frame);
  const double length = sqrt(frame[0] * frame[0] + dot(frame + 1, frame + 1));
  for (int k = 0; k < 4; k++)
    frame[k] /= length;
}

int wy_read_root_rows(wy_reader *r, const wy_node *node) {
  const wy_node *file = wy_yaml_find(node, "file");
  const wy_csv *csv = file ? wy_read_columns(r, file, false) : NULL;
  return csv ? csv->rows : 0;
}

const double *wy_read_roots(wy_reader *r, const wy_node *node, const wy_rod_def *pattern, int count, uint64_t seed) {
  if (r->failed || !node || node->kind == WY_NULL)
    return NULL;
  const spec it = read_spec(r, node, pattern);
  double *values = wy_read_take(r, 7 * (size_t)count * sizeof *values);
  double *directions = wy_read_take(r, 3 * (size_t)count * sizeof *directions);
  double *tilts = wy_read_take(r, 2 * (size_t)count * sizeof *tilts);
  for (int i = 0; i < count && it.surface && !r->failed; i++)
    place_on(&it, i, count, seed, values + 7 * (size_t)i, directions + 3 * (size_t)i);
  if (it.file && !r->failed)
    read_file(r, &it, count, values, directions);
  if (it.position && !r->failed)
    read_vector(r, it.position, seed, count, 7, values);
  if (it.direction && !r->failed)
    read_vector(r, it.direction, seed, count, 3, directions);
  if (it.lean && !r->failed)
    wy_read_per_rod(r, it.lean, seed, count, 2, tilts);
  if (it.turn && !r->failed)
    wy_read_per_rod(r, it.turn, seed, count, 2, tilts + 1);
  for (int i = 0; i < count && !r->failed; i++)
    make_frame(r, &it, i, seed, directions + 3 * (size_t)i, tilts + 2 * (size_t)i, values + 7 * (size_t)i);
  return r->failed ? NULL : values;
}
