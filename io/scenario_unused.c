/* Keys that have no effect: no error, so that a file serves for several analyses and schemes, but `withy check` names
   them. */
#include <stdio.h>
#include <string.h>

#include "io/reader.h"

/* Analyses as bits. */
enum {
  MOVING = 1 << WY_DYNAMICS,
  COURSE = MOVING | 1 << WY_QUASISTATICS,
  SHAPES = 1 << WY_MODES | 1 << WY_BUCKLING,
  ALL = COURSE | 1 << WY_STATICS | SHAPES,
  RESTING = ALL & ~MOVING
};

/* A key of `solver`: which analyses use it, for rods with steps that adapt and with fixed ones; its schemes. */
static const struct {
  const char *key;
  int adaptive, fixed;
  const char *schemes[2]; /* none: of all */
} solver_keys[] = {{"integrator", MOVING, MOVING, {NULL}},
                   {"tolerance", MOVING, 0, {NULL}},
                   {"step", MOVING, MOVING, {NULL}},
                   {"continuation", RESTING, RESTING, {NULL}},
                   {"increments", RESTING, RESTING, {NULL}},
                   {"branch", RESTING, RESTING, {NULL}},
                   {"newton", RESTING, ALL, {NULL}},
                   {"modes", SHAPES, SHAPES, {NULL}},
                   {"curvature_measure", ALL, ALL, {"staggered"}},
                   {"curvature", ALL, ALL, {"staggered"}},
                   {"coordinates", ALL, ALL, {"staggered"}},
                   {"segment_inertia", ALL, ALL, {"staggered"}},
                   {"stabilisation", ALL, ALL, {"staggered"}},
                   {"order", ALL, ALL, {"mixed", "conserving"}},
                   {"end_moment", ALL, ALL, {"mixed"}},
                   {"rho_inf", MOVING, MOVING, {"box"}},
                   {"alpha", MOVING, MOVING, {"box"}},
                   {"beta", MOVING, MOVING, {"box"}},
                   {"gamma", MOVING, MOVING, {"box"}},
                   {"transport", ALL, ALL, {"box"}},
                   {"contact_force", MOVING, MOVING, {"box"}}};
enum { SOLVER_KEYS = sizeof solver_keys / sizeof solver_keys[0] };

typedef struct finding {
  wy_reader *r;
  int uses; /* what the run does */
  wy_unused *list;
  int count;
} finding;

static void add(finding *f, const char *key, const char *on) {
  f->list[f->count++] = (wy_unused){wy_pool_copy(f->r->pool, key, strlen(key)), on};
}

bool wy_scenario_steps_use_newton(const wy_solver_def *solver) {
  return strcmp(solver->scheme, "mixed") == 0 || strcmp(solver->scheme, "box") == 0;
}

static bool is_of_scheme(int k, const char *scheme) {
  const char *const *schemes = solver_keys[k].schemes;
  bool found = !schemes[0];
  for (int i = 0; i < 2; i++)
    found = found || (schemes[i] && strcmp(schemes[i], scheme) == 0);
  return found;
}

/* What the key number k has no effect on, of this rod, or NULL if it has one. */
static const char *without_effect(const finding *f, int k, int rod) {
  const wy_solver_def *solver = &f->r->solvers[rod];
  bool fixed = wy_method_has_fixed_step(solver);
  if (!((solver_keys[k].adaptive | solver_keys[k].fixed) & f->uses))
    return wy_analysis_name(f->r->scenario->analysis);
  if (!is_of_scheme(k, solver->scheme)) {
    char scheme[64];
    int length = snprintf(scheme, sizeof scheme, "the scheme %.40s", solver->scheme);
    return wy_pool_copy(f->r->pool, scheme, (size_t)length);
  }
  if (!((fixed ? solver_keys[k].fixed : solver_keys[k].adaptive) & f->uses))
    return fixed ? "dynamics with fixed steps" : "dynamics with steps that adapt";
  if (strcmp(solver_keys[k].key, "newton") == 0 && !(f->uses & RESTING) && !wy_scenario_steps_use_newton(solver))
    return "Gauss methods, which go on until round-off";
  return NULL;
}

/* Of one rod, or of the whole file (rod < 0), where a key counts if it has an effect on any rod. */
static void find_in_solver(finding *f, const wy_node *solver, int rod) {
  for (int k = 0; solver && k < SOLVER_KEYS; k++) {
    const wy_node *node = wy_yaml_find(solver, solver_keys[k].key);
    const char *on = node ? without_effect(f, k, rod < 0 ? 0 : rod) : NULL;
    for (int i = 1; rod < 0 && on && i < f->r->scenario->model.rod_count; i++)
      on = without_effect(f, k, i) ? on : NULL;
    char path[200];
    wy_yaml_path(node, path, sizeof path);
    if (on)
      add(f, path, on);
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

void wy_find_unused(wy_reader *r) {
  wy_scenario *scenario = r->scenario;
  const wy_node *time = wy_yaml_find(r->root, "time"), *rods = wy_yaml_find(r->root, "rods");
  finding f = {.r = r, .uses = 1 << scenario->analysis | (scenario->from_statics ? 1 << WY_STATICS : 0)};
  f.list = wy_pool_take(r->pool, ((size_t)(rods->count + 1) * (SOLVER_KEYS + 1) + 3) * sizeof *f.list);
  if (wy_yaml_find(time, "output") && !(COURSE & f.uses))
    add(&f, "time.output", wy_analysis_name(scenario->analysis));
  if (wy_yaml_find(time, "frames") && !(COURSE & f.uses))
    add(&f, "time.frames", wy_analysis_name(scenario->analysis));
  find_in_solver(&f, wy_yaml_find(r->root, "solver"), -1);
  bool initial = false;
  for (const wy_node *rod = rods->first; rod; rod = rod->next) {
    find_in_solver(&f, wy_yaml_find(rod, "solver"), rod->index);
    find_in_law(&f, wy_yaml_find(rod, "law"), rod->index);
    initial = initial || wy_yaml_find(rod, "initial");
  }
  if (initial && scenario->analysis != WY_DYNAMICS)
    add(&f, "rods[].initial", wy_analysis_name(scenario->analysis));
  scenario->unused = f.list;
  scenario->unused_count = f.count;
}
