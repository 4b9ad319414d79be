/* SPDX-License-Identifier: MIT */
/* Keys that have no effect: no error, so that a file serves for several analyses and schemes, but `withy check` names
   them. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "run/scenario/reader.h"

enum { MOVING = 1 << WY_DYNAMICS };

typedef struct finding {
  wy_reader *r;
  unsigned uses;   /* what the run does: analyses as bits */
  wy_unused *list; /* grows: few keys of many rods are without effect */
  int count, capacity;
} finding;

static void add(finding *f, const char *key, const char *on) {
  if (f->count == f->capacity) {
    f->capacity = 2 * f->capacity + 16;
    wy_unused *grown = wy_read_take(f->r, (size_t)f->capacity * sizeof *grown);
    if (!grown)
      return;
    if (f->count)
      memcpy(grown, f->list, (size_t)f->count * sizeof *grown);
    f->list = grown;
  }
  const char *copy = wy_read_copy(f->r, key, strlen(key));
  assert(f->list);
  f->list[f->count++] = (wy_unused){copy, on};
}

/* The analyses that a key has an effect on, as bits. */
static unsigned analyses_of(const wy_key *key) {
  return key->analyses ? key->analyses : ~0U;
}

/* Those among them, for a rod with error control or with fixed steps. */
static unsigned analyses_with(const wy_key *key, bool fixed) {
  bool fits = key->steps == WY_ANY_STEPS || (key->steps == WY_FIXED_STEPS) == fixed;
  return analyses_of(key) & (fits ? ~0U : ~(unsigned)MOVING);
}

/* What the key has no effect on, of this rod, or NULL if it has one. */
static const char *without_effect(const finding *f, const wy_key *key, int rod) {
  const wy_solver_def *solver = &f->r->solvers[rod];
  bool fixed = wy_method_has_fixed_step(solver);
  if (!(analyses_of(key) & f->uses))
    return wy_analysis_name(f->r->scenario->analysis);
  if (!wy_schema_goes_with(key, solver->scheme)) {
    char scheme[64];
    int length = snprintf(scheme, sizeof scheme, "the scheme %.40s", solver->scheme);
    return wy_read_copy(f->r, scheme, (size_t)length);
  }
  if (!(analyses_with(key, fixed) & f->uses))
    return fixed ? "dynamics with fixed steps" : "dynamics with error control";
  if (strcmp(key->name, "newton") == 0 && f->uses == MOVING && !wy_scheme_describe(solver).uses_newton)
    return "Gauss methods, which always iterate down to round-off";
  return NULL;
}

/* Of one rod, or of the whole file (rod < 0), where a key counts if it has an effect on any rod. */
static void find_in_solver(finding *f, const wy_node *solver, int rod) {
  for (const wy_key *key = wy_schema_solver.keys; solver && key->name; key++) {
    const wy_node *node = wy_yaml_find(solver, key->name);
    const char *on = node ? without_effect(f, key, rod < 0 ? 0 : rod) : NULL;
    for (int i = 1; rod < 0 && on && i < f->r->scenario->model.rod_count; i++)
      on = without_effect(f, key, i) ? on : NULL;
    char path[200];
    wy_yaml_path(node, path, sizeof path);
    if (on)
      add(f, path, on);
  }
}

/* Keys of one mapping that the analysis does not look at. */
static void find_in_time(finding *f, const wy_node *time) {
  for (const wy_key *key = wy_schema_time.keys; key->name; key++) {
    char path[64];
    snprintf(path, sizeof path, "time.%s", key->name);
    if (wy_yaml_find(time, key->name) && !(analyses_of(key) & f->uses))
      add(f, path, wy_analysis_name(f->r->scenario->analysis));
  }
}

/* What cannot be compressed has no law for it. */
static void find_in_law(finding *f, const wy_node *law, int rod) {
  const wy_node *compression = wy_yaml_find(law, "compression");
  char path[200];
  wy_yaml_path(compression, path, sizeof path);
  if (compression && f->r->rods[rod].kind == WY_INEXTENSIBLE)
    add(f, path, "the model inextensible");
}

/* The laws of contact, where there is something to touch. */
static void find_in_contact(finding *f, const wy_node *contact) {
  const wy_node *friction = wy_yaml_find(contact, "friction");
  const wy_mapping *mappings[] = {&wy_schema_contact, wy_schema_key(&wy_schema_contact, "friction")->mapping};
  const wy_node *nodes[] = {contact, friction && friction->kind == WY_MAPPING ? friction : NULL};
  if (contact && f->r->scenario->model.obstacle_count == 0) {
    add(f, "contact", "a scenario without obstacles");
    return;
  }
  for (int i = 0; i < 2; i++)
    for (const wy_key *key = mappings[i]->keys; nodes[i] && key->name; key++) {
      char path[64];
      snprintf(path, sizeof path, "%s.%s", mappings[i]->path, key->name);
      if (wy_yaml_find(nodes[i], key->name) && !(analyses_of(key) & f->uses))
        add(f, path, wy_analysis_name(f->r->scenario->analysis));
    }
}

void wy_find_unused(wy_reader *r) {
  wy_scenario *scenario = r->scenario;
  const wy_node *rods = wy_yaml_find(r->root, "rods");
  finding f = {.r = r, .uses = 1U << scenario->analysis | (scenario->from_statics ? 1U << WY_STATICS : 0)};
  find_in_time(&f, wy_yaml_find(r->root, "time"));
  find_in_solver(&f, wy_yaml_find(r->root, "solver"), -1);
  find_in_contact(&f, wy_yaml_find(r->root, "contact"));
  bool initial = false;
  for (const wy_node *rod = rods ? rods->first : NULL; rod; rod = rod->next) {
    find_in_solver(&f, wy_yaml_find(rod, "solver"), rod->index);
    find_in_law(&f, wy_yaml_find(rod, "law"), rod->index);
    initial = initial || wy_yaml_find(rod, "initial");
  }
  if (initial && !(analyses_of(wy_schema_key(&wy_schema_rod, "initial")) & 1U << scenario->analysis))
    add(&f, "rods[].initial", wy_analysis_name(scenario->analysis));
  const wy_node *bodies = wy_yaml_find(r->root, "bodies");
  initial = false;
  for (const wy_node *body = bodies ? bodies->first : NULL; body; body = body->next)
    initial = initial || wy_yaml_find(body, "initial");
  if (initial && !(analyses_of(wy_schema_key(&wy_schema_body, "initial")) & 1U << scenario->analysis))
    add(&f, "bodies[].initial", wy_analysis_name(scenario->analysis));
  scenario->unused = f.list;
  scenario->unused_count = f.count;
}
