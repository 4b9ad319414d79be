/* SPDX-License-Identifier: MIT */
/* What one entry of the file stands for: `copies` of a rod, and joints wherever rods meet. Both are written out in the
   tree, so that what reads rods and joints sees entries like all others, with the lines of the one in the file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/scenario/reader.h"

enum { MOST_COPIES = 100000 };

/* ---- Nodes ---- */

static void append(wy_node *to, wy_node *node) {
  node->parent = to;
  node->next = NULL;
  node->index = to->count++;
  if (to->last)
    to->last->next = node;
  else
    to->first = node;
  to->last = node;
}

static wy_node *new_node(wy_reader *r, wy_node_kind kind, const char *key, const char *text, const wy_node *like) {
  wy_node *node = wy_read_take(r, sizeof *node);
  if (node)
    *node = (wy_node){.kind = kind, .key = key, .text = text, .line = like->line, .setting = like->setting};
  return node;
}

/* All of it but the child `without`; NULL after a failure. */
static wy_node *copy_node(wy_reader *r, const wy_node *of, const char *without) {
  wy_node *node = new_node(r, of->kind, of->key, of->text, of);
  for (const wy_node *child = of->first; child && !r->failed; child = child->next)
    if (!without || !child->key || strcmp(child->key, without) != 0) {
      wy_node *copy = copy_node(r, child, NULL);
      if (copy)
        append(node, copy);
    }
  return r->failed ? NULL : node;
}

/* The value of a key, which is added where it is missing. */
static wy_node *key_of(wy_reader *r, wy_node *mapping, const char *key, wy_node_kind kind) {
  wy_node *node = wy_yaml_find(mapping, key);
  if (node)
    return node;
  node = new_node(r, kind, key, NULL, mapping);
  if (node)
    append(mapping, node);
  return node;
}

static void put_text(wy_reader *r, wy_node *node, const char *text) {
  node->kind = WY_SCALAR;
  node->text = wy_read_copy(r, text, strlen(text));
}

static void put_vector(wy_reader *r, wy_node *mapping, const char *key, const double value[3]) {
  wy_node *list = r->failed ? NULL : key_of(r, mapping, key, WY_LIST);
  if (!list)
    return;
  list->kind = WY_LIST;
  list->first = list->last = NULL;
  list->count = 0;
  for (int i = 0; i < 3 && !r->failed; i++) {
    char text[32];
    snprintf(text, sizeof text, "%.17g", value[i]);
    wy_node *node = new_node(r, WY_SCALAR, NULL, NULL, list);
    if (node) {
      put_text(r, node, text);
      append(list, node);
    }
  }
}

/* Puts the entries of `with` in the place of one entry of a list. */
static void replace(wy_node *entry, const wy_node *with) {
  wy_node *list = entry->parent, *next = list->first;
  list->first = list->last = NULL;
  list->count = 0;
  while (next) {
    wy_node *node = next;
    next = node->next;
    if (node != entry)
      append(list, node);
    for (wy_node *copy = node == entry ? with->first : NULL; copy;) {
      wy_node *after = copy->next;
      append(list, copy);
      copy = after;
    }
  }
}

/* A number behind the name, from 1, where there is a name. */
static void number_name(wy_reader *r, wy_node *entry, int number) {
  wy_node *name = wy_yaml_find(entry, "name");
  char text[96];
  if (!name || name->kind != WY_SCALAR)
    return;
  snprintf(text, sizeof text, "%.63s%d", name->text, number);
  put_text(r, name, text);
}

/* ---- Places of copies ---- */

typedef struct placing {
  int count, columns; /* columns: of a grid */
  const wy_node *origins, *directions;
  double origin[3], direction[3], d1[3]; /* of the definition */
  double steps[2][3];
  double centre[3], axis[3];
} placing;

/* Rodrigues' rotation of a vector about a unit axis. */
static void rotate(const double axis[3], double angle, double v[3]) {
  const double c = cos(angle), s = sin(angle), along = axis[0] * v[0] + axis[1] * v[1] + axis[2] * v[2];
  double out[3];
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    out[i] = c * v[i] + s * (axis[j] * v[k] - axis[k] * v[j]) + (1 - c) * along * axis[i];
  }
  memcpy(v, out, sizeof out);
}

/* A list of vectors; false if it is none. */
static bool check_rows(wy_reader *r, const wy_node *list) {
  if (!r->failed && (list->kind != WY_LIST || list->count == 0))
    wy_read_refuse(r, list);
  for (const wy_node *row = list->first; row && !r->failed; row = row->next)
    if (row->kind != WY_LIST || row->count != 3)
      wy_read_expected(r, row, "a list of 3 numbers");
  return !r->failed;
}

static void read_row(wy_reader *r, const wy_node *list, int index, double out[3]) {
  const wy_node *row = wy_yaml_at(list, index);
  for (const wy_node *cell = row->first; cell && !r->failed; cell = cell->next)
    out[cell->index] = wy_read_number(r, cell);
}

static void read_origins(wy_reader *r, const wy_node *copies, const wy_node *shape, placing *out) {
  const wy_node *origin = wy_yaml_find(shape, "origin"), *direction = wy_yaml_find(shape, "direction");
  out->origins = wy_yaml_find(copies, "origins");
  out->directions = wy_yaml_find(copies, "directions");
  if (!check_rows(r, out->origins) || (out->directions && !check_rows(r, out->directions)))
    return;
  out->count = out->origins->count;
  if (origin)
    wy_read_fail(r, origin, "found origin together with copies.origins; expected one of them");
  else if (direction && out->directions)
    wy_read_fail(r, direction, "found direction together with copies.directions; expected one of them");
  else if (out->directions && out->directions->count != out->count)
    wy_read_expected(r, out->directions, "as many directions as there are origins, %d", out->count);
}

static void read_grid(wy_reader *r, const wy_node *copies, placing *out) {
  const wy_node *grid = wy_yaml_find(copies, "grid"), *steps = wy_read_need(r, copies, "steps");
  double size[2] = {0};
  wy_read_vector(r, grid, size);
  for (int i = 0; i < 2 && !r->failed; i++)
    if (!(size[i] >= 1 && size[i] <= MOST_COPIES) || size[i] != floor(size[i]))
      wy_read_refuse(r, grid);
  if (r->failed || !check_rows(r, steps))
    return;
  if (steps->count != 2)
    wy_read_expected(r, steps, "a list of 2 steps, each a list of 3 numbers");
  for (int i = 0; i < 2 && !r->failed; i++)
    read_row(r, steps, i, out->steps[i]);
  out->columns = (int)size[0];
  out->count = size[0] * size[1] <= MOST_COPIES ? (int)(size[0] * size[1]) : MOST_COPIES + 1;
}

/* The directions of the definition turn, too: those that it does not give are the defaults. */
static void read_circle(wy_reader *r, const wy_node *copies, const wy_node *shape, placing *out) {
  out->count = wy_read_integer(r, wy_yaml_find(copies, "circle"), 1);
  wy_read_vector(r, wy_yaml_find(copies, "centre"), out->centre);
  wy_read_direction(r, wy_yaml_find(copies, "axis"), out->axis);
  const double length = hypot(hypot(out->axis[0], out->axis[1]), out->axis[2]);
  int least = 0;
  for (int i = 0; i < 3; i++) {
    out->axis[i] /= length;
    least = fabs(out->direction[i]) < fabs(out->direction[least]) ? i : least;
  }
  out->d1[least] = 1;
  const wy_node *d1 = wy_yaml_find(shape, "d1");
  if (d1) {
    memset(out->d1, 0, sizeof out->d1);
    wy_read_direction(r, d1, out->d1);
  }
}

static void place_copy(wy_reader *r, wy_node *shape, const placing *p, int index) {
  double at[3], direction[3], d1[3];
  memcpy(at, p->origin, sizeof at);
  memcpy(direction, p->direction, sizeof direction);
  memcpy(d1, p->d1, sizeof d1);
  if (p->origins) {
    read_row(r, p->origins, index, at);
    if (p->directions)
      read_row(r, p->directions, index, direction);
  } else if (p->columns) {
    const int row = index / p->columns, column = index % p->columns;
    for (int i = 0; i < 3; i++)
      at[i] += column * p->steps[0][i] + row * p->steps[1][i];
  } else {
    const double angle = 6.28318530717958647692 * index / p->count;
    for (int i = 0; i < 3; i++)
      at[i] -= p->centre[i];
    rotate(p->axis, angle, at);
    rotate(p->axis, angle, direction);
    rotate(p->axis, angle, d1);
    for (int i = 0; i < 3; i++)
      at[i] += p->centre[i];
    put_vector(r, shape, "d1", d1);
  }
  put_vector(r, shape, "origin", at);
  if (!p->columns)
    put_vector(r, shape, "direction", direction);
}

/* ---- Copies ---- */

static placing read_placing(wy_reader *r, const wy_node *copies, const wy_node *shape) {
  placing p = {.direction = {1, 0, 0}, .axis = {0, 0, 1}};
  const wy_node *origins = wy_yaml_find(copies, "origins"), *grid = wy_yaml_find(copies, "grid"),
                *circle = wy_yaml_find(copies, "circle"), *points = wy_yaml_find(shape, "points");
  const int ways = (origins != NULL) + (grid != NULL) + (circle != NULL);
  if (ways != 1)
    wy_read_fail(r, copies, "found %s of origins, grid and circle; expected one of them", ways ? "several" : "none");
  else if (points)
    wy_read_fail(r, points, "found points in a rod with copies; expected a shape without them");
  wy_read_vector(r, wy_yaml_find(shape, "origin"), p.origin);
  wy_read_direction(r, wy_yaml_find(shape, "direction"), p.direction);
  if (r->failed)
    return p;
  if (origins)
    read_origins(r, copies, shape, &p);
  else if (grid)
    read_grid(r, copies, &p);
  else
    read_circle(r, copies, shape, &p);
  if (!r->failed && p.count > MOST_COPIES)
    wy_read_expected(r, copies, "at most %d copies", MOST_COPIES);
  return p;
}

static void expand_copies(wy_reader *r, wy_node *rod, const wy_node *copies) {
  if (copies->kind != WY_MAPPING)
    wy_read_refuse(r, copies);
  if (r->failed || !wy_read_mapping(r, copies))
    return;
  wy_read_name(r, wy_read_need(r, rod, "name"));
  const wy_node *shape = wy_yaml_find(rod, "shape");
  if (!r->failed && shape && shape->kind != WY_MAPPING)
    wy_read_refuse(r, shape);
  const placing p = r->failed ? (placing){0} : read_placing(r, copies, shape);
  wy_node all = {.kind = WY_LIST};
  for (int i = 0; i < p.count && !r->failed; i++) {
    wy_node *copy = copy_node(r, rod, "copies");
    if (!copy)
      return;
    append(&all, copy);
    number_name(r, copy, i + 1);
    wy_node *own = key_of(r, copy, "shape", WY_MAPPING);
    if (own)
      place_copy(r, own, &p, i);
  }
  if (!r->failed)
    replace(rod, &all);
}

void wy_expand_copies(wy_reader *r) {
  const wy_node *list = r->failed ? NULL : wy_yaml_find(r->root, "rods");
  wy_node *next = list && list->kind == WY_LIST ? list->first : NULL;
  while (next && !r->failed) {
    wy_node *rod = next;
    const wy_node *copies = wy_yaml_find(rod, "copies");
    next = rod->next;
    if (copies)
      expand_copies(r, rod, copies);
  }
}

/* ---- Joints wherever rods meet ---- */

/* An end of a rod, and whether it is in a joint of those that are being made. */
typedef struct meeting {
  double place[3];
  int rod;
  wy_end_name end;
  bool taken;
} meeting;

/* Does a name match a pattern with stars, each for any letters? */
static bool matches(const char *pattern, const char *name) {
  const char *star = NULL, *after = NULL;
  while (*name)
    if (*pattern == '*')
      star = pattern++, after = name;
    else if (*pattern == *name)
      pattern++, name++;
    else if (star)
      pattern = star + 1, name = ++after;
    else
      return false;
  return pattern[strspn(pattern, "*")] == '\0';
}

/* Each pattern is one of rods; false after a failure. */
static bool check_patterns(wy_reader *r, const wy_node *of) {
  if (of && (of->kind != WY_LIST || of->count == 0))
    wy_read_expected(r, of, "a list of names of rods, with * for any letters");
  for (const wy_node *node = of ? of->first : NULL; node && !r->failed; node = node->next) {
    bool any = false;
    if (node->kind != WY_SCALAR)
      wy_read_expected(r, node, "the name of a rod, with * for any letters");
    for (int i = 0; i < r->scenario->model.rod_count && !r->failed && !any; i++)
      any = matches(node->text, r->rods[i].name);
    if (!r->failed && !any)
      wy_read_expected(r, node, "the name of a rod, with * for any letters; no rod has such a name");
  }
  return !r->failed;
}

static int compare_meetings(const void *a, const void *b) {
  const meeting *one = a, *other = b;
  if (one->place[0] != other->place[0])
    return one->place[0] < other->place[0] ? -1 : 1;
  return one->rod != other->rod ? one->rod - other->rod : (int)one->end - (int)other->end;
}

/* The ends of all rods whose names match, sorted by x. Returns how many, and the length of the longest. */
static int list_ends(const wy_reader *r, const wy_model *model, const wy_node *of, meeting *out, double *longest) {
  int count = 0;
  for (int i = 0; i < wy_model_rod_count(model); i++) {
    const double length = wy_model_rod(model, i)->length;
    bool wanted = false;
    for (const wy_node *node = of->first; node && !wanted; node = node->next)
      wanted = matches(node->text, r->rods[i].name);
    for (int end = 0; end < 2 && wanted; end++) {
      out[count] = (meeting){.rod = i, .end = (wy_end_name)end};
      wy_model_reference(model, i, end ? length : 0, out[count++].place, NULL);
    }
    *longest = wanted ? fmax(*longest, length) : *longest;
  }
  qsort(out, (size_t)count, sizeof *out, compare_meetings);
  return count;
}

/* The joint of all ends that meet the first one, as an entry of `joints`; none if there are no others. */
static void add_meeting(wy_reader *r, const wy_node *joint, meeting *ends, int count, double near, wy_node *all) {
  wy_node *copy = copy_node(r, joint, "where"), *of = copy ? wy_yaml_find(copy, "of") : NULL;
  if (!of)
    return;
  of->first = of->last = NULL;
  of->count = 0;
  for (int i = 0; i < count && ends[i].place[0] - ends[0].place[0] <= near && !r->failed; i++) {
    const double *a = ends[0].place, *b = ends[i].place;
    char text[80];
    if (ends[i].taken || hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]) > near)
      continue;
    ends[i].taken = true;
    snprintf(text, sizeof text, "%.63s.%s", r->rods[ends[i].rod].name, ends[i].end == WY_START ? "start" : "end");
    wy_node *node = new_node(r, WY_SCALAR, NULL, NULL, of);
    if (node) {
      put_text(r, node, text);
      append(of, node);
    }
  }
  if (!r->failed && of->count > 1) {
    append(all, copy);
    number_name(r, copy, copy->index + 1);
  }
}

static void expand_meetings(wy_reader *r, wy_node *joint, const wy_model *model) {
  const wy_node *of = wy_read_need(r, joint, "of");
  if (!of || !check_patterns(r, of))
    return;
  meeting *ends = wy_read_take(r, 2 * (size_t)wy_model_rod_count(model) * sizeof *ends);
  wy_node all = {.kind = WY_LIST};
  double longest = 0;
  if (r->failed)
    return;
  const int count = list_ends(r, model, of, ends, &longest);
  for (int i = 0; i < count && !r->failed; i++)
    if (!ends[i].taken)
      add_meeting(r, joint, ends + i, count - i, 1e-6 * longest, &all);
  if (!r->failed && all.count == 0)
    wy_read_fail(r, joint, "found no ends of these rods that meet; this version does not look at points between ends");
  if (!r->failed)
    replace(joint, &all);
}

/* The rods must be there; the model knows where their ends are. */
static wy_model *model_of_rods(wy_reader *r) {
  wy_model_def def = r->scenario->model;
  wy_model *model = NULL;
  wy_message message = {0};
  def.body_count = 0;
  const wy_status status = wy_model_create(&def, &model, &message);
  if (status == WY_ERROR_MEMORY)
    wy_read_no_memory(r);
  else if (status != WY_OK)
    wy_read_fail_path(r, message.path, message.text);
  return model;
}

void wy_expand_meetings(wy_reader *r) {
  const wy_node *list = r->failed ? NULL : wy_yaml_find(r->root, "joints");
  wy_node *next = list && list->kind == WY_LIST ? list->first : NULL;
  wy_model *model = NULL;
  while (next && !r->failed) {
    wy_node *joint = next;
    const wy_node *where = wy_yaml_find(joint, "where");
    next = joint->next;
    if (!where)
      continue;
    wy_read_word(r, where);
    if (!r->failed && !model)
      model = model_of_rods(r);
    if (!r->failed)
      expand_meetings(r, joint, model);
  }
  wy_model_destroy(model);
}
