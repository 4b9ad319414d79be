/* SPDX-License-Identifier: MIT */
/* Joints wherever rods meet: one entry of `joints` is written out in the tree as one for each place. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/scenario/crossings.h"
#include "run/scenario/nodes.h"

/* Places that are closer than this share of the longest rod meet, as in the library. */
#define MEETS 1e-6

/* A place of a rod, and whether it is in a joint of those that are being made. */
typedef struct meeting {
  double place[3];
  int rod;
  double s;
  bool taken, waits; /* waits: to be written into its joint */
} meeting;

/* All places that may be in joints. */
typedef struct places {
  meeting *list;
  int count, room;
} places;

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
    for (int i = 0; i < r->ordinary && !r->failed && !any; i++)
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
  if (one->rod != other->rod)
    return one->rod - other->rod;
  return one->s < other->s ? -1 : one->s > other->s;
}

static void add_place(wy_reader *r, const wy_model *model, int rod, double s, places *all) {
  if (all->count == all->room) {
    const int room = 2 * all->room + 64;
    meeting *list = wy_read_take(r, (size_t)room * sizeof *list);
    if (!list)
      return;
    if (all->count > 0)
      memcpy(list, all->list, (size_t)all->count * sizeof *list);
    all->list = list, all->room = room;
  }
  meeting *at = &all->list[all->count++];
  *at = (meeting){.rod = rod, .s = s};
  wy_model_reference(model, rod, s, at->place, NULL);
}

static bool is_at(double s, double place, double near) {
  return fabs(s - place) <= near;
}

/* The numbers of the rods whose names match, and the length of the longest. */
static int list_rods(const wy_reader *r, const wy_model *model, const wy_node *of, int *rods, double *longest) {
  int count = 0;
  for (int i = 0; i < wy_model_rod_count(model); i++) {
    bool wanted = false;
    for (const wy_node *node = of->first; node && !wanted; node = node->next)
      wanted = matches(node->text, r->rods[i].name);
    if (!wanted)
      continue;
    rods[count++] = i;
    *longest = fmax(*longest, wy_model_rod(model, i)->length);
  }
  return count;
}

/* Ends, and points where a rod meets another one. */
static void list_places(wy_reader *r, const wy_model *model, const int *rods, int count, double near, places *all) {
  wy_crossing *crossings = NULL;
  const int found = wy_find_crossings(model, rods, count, near, &crossings);
  if (found < 0)
    wy_read_no_memory(r);
  for (int i = 0; i < count && !r->failed; i++) {
    add_place(r, model, rods[i], 0, all);
    add_place(r, model, rods[i], wy_model_rod(model, rods[i])->length, all);
  }
  for (int i = 0; i < 2 * found && !r->failed; i++) {
    const int rod = crossings[i / 2].rod[i % 2];
    const double s = crossings[i / 2].s[i % 2];
    if (!is_at(s, 0, near) && !is_at(s, wy_model_rod(model, rod)->length, near))
      add_place(r, model, rod, s, all);
  }
  free(crossings);
  if (all->count > 0)
    qsort(all->list, (size_t)all->count, sizeof *all->list, compare_meetings);
}

/* ROD.start, ROD.end, or a mapping with the arc length. */
static void put_place(wy_reader *r, const meeting *at, double length, wy_node *of) {
  const char *name = r->rods[at->rod].name;
  const bool start = at->s == 0;
  char text[96];
  wy_node *node = wy_nodes_new(r, WY_SCALAR, NULL, NULL, of);
  if (!node)
    return;
  wy_nodes_append(of, node);
  if (start || at->s == length) {
    snprintf(text, sizeof text, "%.63s.%s", name, start ? "start" : "end");
    wy_nodes_put_text(r, node, text);
    return;
  }
  node->kind = WY_MAPPING;
  wy_node *rod = wy_nodes_key(r, node, "rod", WY_SCALAR), *s = wy_nodes_key(r, node, "at", WY_SCALAR);
  if (!rod || !s)
    return;
  wy_nodes_put_text(r, rod, name);
  snprintf(text, sizeof text, "%.17g", at->s);
  wy_nodes_put_text(r, s, text);
}

/* In the order of the rods. */
static meeting *first_waiting(meeting *at, int last) {
  meeting *first = NULL;
  for (int i = 0; i <= last; i++)
    if (at[i].waits && (!first || at[i].rod < first->rod || (at[i].rod == first->rod && at[i].s < first->s)))
      first = &at[i];
  return first;
}

/* The joint of all places that meet the first one, as an entry of `joints`; none if there are no others. */
static void add_meeting(wy_reader *r, const wy_model *model, const wy_node *joint, meeting *at, int count, double near,
                        wy_node *all) {
  wy_node *copy = wy_nodes_copy(r, joint, "where"), *of = copy ? wy_yaml_find(copy, "of") : NULL;
  if (!of)
    return;
  of->first = of->last = NULL;
  of->count = 0;
  int last = 0;
  for (int i = 0; i < count && at[i].place[0] - at[0].place[0] <= near; i++) {
    const double *a = at[0].place, *b = at[i].place;
    if (at[i].taken || hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]) > near)
      continue;
    bool twice = false; /* three rods that meet are found as three pairs */
    for (int k = 0; k < i; k++)
      twice = twice || (at[k].waits && at[k].rod == at[i].rod && is_at(at[k].s, at[i].s, 3 * near));
    at[i].taken = true;
    at[i].waits = !twice;
    last = i;
  }
  for (meeting *next = first_waiting(at, last); next && !r->failed; next = first_waiting(at, last)) {
    put_place(r, next, wy_model_rod(model, next->rod)->length, of);
    next->waits = false;
  }
  if (!r->failed && of->count > 1) {
    wy_nodes_append(all, copy);
    wy_nodes_number(r, copy, copy->index + 1);
  }
}

static void expand_meetings(wy_reader *r, wy_node *joint, const wy_model *model) {
  const wy_node *of = wy_read_need(r, joint, "of");
  if (!of || !check_patterns(r, of))
    return;
  int *rods = wy_read_take(r, (size_t)wy_model_rod_count(model) * sizeof *rods);
  wy_node all = {.kind = WY_LIST};
  places found = {0};
  double longest = 0;
  if (r->failed)
    return;
  const int count = list_rods(r, model, of, rods, &longest);
  const double near = MEETS * longest;
  list_places(r, model, rods, count, near, &found);
  for (int i = 0; i < found.count && !r->failed; i++)
    if (!found.list[i].taken)
      add_meeting(r, model, joint, found.list + i, found.count - i, near, &all);
  if (!r->failed && all.count == 0)
    wy_read_fail(r, joint, "found no places where these rods meet");
  if (!r->failed)
    wy_nodes_replace(joint, &all);
}

/* The rods must be there; the model knows where their ends are. */
static wy_model *model_of_rods(wy_reader *r) {
  wy_model_def def = r->scenario->model;
  wy_model *model = NULL;
  wy_message message = {0};
  def.body_count = 0;
  def.rod_count = r->ordinary;
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
