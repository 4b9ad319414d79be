/* SPDX-License-Identifier: MIT */
/* Staggered rods that touch an obstacle, in all forms, kinds and ends, against all shapes, standing and moving, with
   and without friction: the Jacobian is the derivative of the right-hand side, linear systems are solved with it, the
   power balance holds at every state, and a scene that is turned or mirrored gives the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "scheme/contacts.h"
#include "support/scheme_checks.h"

/* ---- Scenes ---- */

/* An obstacle, and where one point of the rod's axis is, seen from it: in the skin. Radius of the rod 0.2. */
typedef struct obstacle_case {
  const char *name;
  wy_obstacle_shape shape;
  double radius, thickness, length, dimensions[3], y[3];
  bool at_end; /* the point is the end of the rod, else in its middle */
} obstacle_case;

static const obstacle_case obstacles[] = {
    {"plane", WY_OBSTACLE_PLANE, 0, 0, 0, {0}, {0, 0, 0.14}, false},
    {"plane at the end", WY_OBSTACLE_PLANE, 0, 0, 0, {0}, {0, 0, 0.14}, true},
    {"sphere", WY_OBSTACLE_SPHERE, 0.3, 0, 0, {0}, {0.35, 0.2, 0.1}, false},
    {"sphere at the end", WY_OBSTACLE_SPHERE, 0.3, 0, 0, {0}, {0.25, 0.3, -0.15}, true},
    {"side of a cylinder", WY_OBSTACLE_CYLINDER, 0.3, 0, 1.3, {0}, {0.35, 0.25, 0.1}, false},
    {"face of a cylinder", WY_OBSTACLE_CYLINDER, 0.5, 0, 0.6, {0}, {0.1, 0.15, 0.43}, true},
    {"edge of a cylinder", WY_OBSTACLE_CYLINDER, 0.3, 0, 0.6, {0}, {0.3, 0.25, 0.37}, false},
    {"side of a capsule", WY_OBSTACLE_CAPSULE, 0.3, 0, 0.7, {0}, {0.35, 0.25, 0.1}, false},
    {"cap of a capsule", WY_OBSTACLE_CAPSULE, 0.3, 0, 0.7, {0}, {0.25, 0.15, 0.67}, true},
    {"face of a box", WY_OBSTACLE_BOX, 0, 0, 0, {1.2, 1.1, 0.9}, {0.73, 0.1, 0.2}, false},
    {"edge of a box", WY_OBSTACLE_BOX, 0, 0, 0, {0.6, 0.8, 0.9}, {0.38, -0.47, 0.1}, false},
    {"corner of a box", WY_OBSTACLE_BOX, 0, 0, 0, {0.6, 0.8, 0.4}, {0.36, -0.46, 0.28}, true},
    {"torus", WY_OBSTACLE_TORUS, 0.6, 0.15, 0, {0}, {0.56, 0.42, 0.26}, false},
    {"torus at the end", WY_OBSTACLE_TORUS, 0.6, 0.15, 0, {0}, {0.26, 0.32, 0.16}, true},
    {"tube", WY_OBSTACLE_TUBE, 3, 0, 9, {0}, {2.288, 1.716, 0.1}, false},
};
enum { OBSTACLES = sizeof obstacles / sizeof *obstacles };

typedef enum friction_case { NONE, SPRING, DAMPER, FRICTIONS } friction_case;

typedef struct turned_by {
  double q[4], shift[3];
} turned_by;

typedef struct scene {
  const obstacle_case *obstacle;
  wy_rod_kind kind;
  wy_coordinates coordinates;
  int ends; /* of hold_ends */
  friction_case friction;
  bool moves, explicitly;
  const turned_by *turn; /* all of it, but for the rod's undeformed shape; or NULL */
  bool mirrored;         /* y to -y */
} scene;

/* A straight way: place at t = 0 and velocity. */
static void go_on(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const double *way = context;
  (void)s, (void)wrt;
  jet[0] = way[0] + way[1] * t, jet[1] = way[1], jet[2] = 0;
}

static wy_v3 mirror(wy_v3 v) {
  return (wy_v3){v.x, -v.y, v.z};
}

/* What scenes are placed with: a vector of the scene as it is, turned or mirrored; `spins`: an axis of rotation. */
static wy_v3 seen(const scene *at, wy_v3 v, bool spins) {
  if (at->mirrored)
    return wy_times(spins ? -1 : 1, mirror(v));
  return at->turn ? wy_apply(wy_rotation(wy_at4(at->turn->q)), v) : v;
}

/* The definitions with what they point to. */
typedef struct draft_of_scene {
  wy_rod_def rod;
  wy_obstacle_def obstacle;
  wy_load_def loads[RICH_LOADS];
  wy_contact_def contact;
  double ways[4][2];
} draft_of_scene;

static wy_rod_def rod_of(const scene *at) {
  wy_rod_def rod = rich_rod(at->ends % 2 ? 6 : 9);
  hold_ends(&rod, at->ends);
  rod.kind = at->kind;
  rod.contact.radius = wy_constant(0.2);
  rod.contact.stiffness = 8;
  rod.contact.blend = 0.4;
  if (at->mirrored) /* curvatures are rotations */
    rod.shape.curvature[0] = wy_constant(-0.3), rod.shape.curvature[2] = wy_constant(-0.5);
  return rod;
}

/* Where the undeformed rod is, from its origin. The mirrored rod is the mirror image of this one. */
static wy_v3 point_of_rod(const scene *at, wy_q4 *frame) {
  wy_model_def def = wy_default_model_def();
  wy_model *model;
  wy_message message = {0};
  scene plain = *at;
  plain.mirrored = false;
  const wy_rod_def rod = rod_of(&plain);
  double x[3], q[4];
  def.rods = &rod, def.rod_count = 1;
  must(wy_model_create(&def, &model, &message), &message);
  wy_model_reference(model, 0, at->obstacle->at_end ? rod.length : 0.5 * rod.length, x, q);
  wy_model_destroy(model);
  *frame = wy_at4(q);
  return wy_at3(x);
}

static void put(double out[3], wy_v3 v) {
  wy_put3(out, v);
}

static void draw_obstacle(const scene *at, draft_of_scene *draft) {
  const obstacle_case *c = at->obstacle;
  wy_obstacle_def *def = &draft->obstacle;
  const wy_q4 raw = {0.6, -0.3, 0.5, 0.7}, askew = wy_qtimes(1 / sqrt(wy_qsquare(raw)), raw);
  wy_q4 along;
  const wy_v3 point = point_of_rod(at, &along);
  /* a tube has the rod inside, which bends away from its wall; everything else stands askew */
  const wy_m3 r = wy_rotation(c->shape == WY_OBSTACLE_TUBE ? along : askew);
  *def = wy_default_obstacle_def();
  def->shape = c->shape, def->radius = c->radius, def->thickness = c->thickness, def->length = c->length;
  memcpy(def->dimensions, c->dimensions, sizeof def->dimensions);
  put(def->axis, seen(at, r.c, false));
  put(def->d1, seen(at, r.a, false));
  const wy_v3 x = seen(at, wy_minus(point, wy_apply(r, wy_at3(c->y))), false);
  const wy_v3 v = seen(at, (wy_v3){0.2, -0.3, 0.1}, false),
              shift = at->turn ? wy_at3(at->turn->shift) : (wy_v3){0, 0, 0};
  const double place[3] = {x.x + shift.x, x.y + shift.y, x.z + shift.z}, velocity[3] = {v.x, v.y, v.z};
  for (int k = 0; k < 3; k++) {
    def->position[k] = wy_constant(place[k]);
    if (!at->moves)
      continue;
    draft->ways[k][0] = place[k], draft->ways[k][1] = velocity[k];
    def->position[k] = (wy_signal){0, go_on, draft->ways[k], WY_TIME};
  }
  if (!at->moves)
    return;
  draft->ways[3][0] = 0, draft->ways[3][1] = 0.4;
  put(def->rotation_axis, seen(at, (wy_v3){0.6, 0, 0.8}, true));
  def->angle = (wy_signal){0, go_on, draft->ways[3], WY_TIME};
  /* a belt runs along a plane */
  const wy_v3 belt = c->shape == WY_OBSTACLE_PLANE ? r.a : c->shape == WY_OBSTACLE_TUBE ? r.c : (wy_v3){0, 0, 0};
  put(def->surface_velocity, seen(at, wy_times(0.3, belt), false));
}

static test_system make_scene(const scene *at, draft_of_scene *draft) {
  wy_model_def def = wy_default_model_def();
  wy_solver_def solver = wy_default_solver_def();
  draft->rod = rod_of(at);
  draw_obstacle(at, draft);
  rich_loads(draft->loads);
  def.rods = &draft->rod, def.rod_count = 1;
  def.obstacles = &draft->obstacle, def.obstacle_count = 1;
  if (!at->turn && !at->mirrored) {
    def.gravity[0] = 0.4, def.gravity[2] = -1.1;
    def.loads = draft->loads, def.load_count = RICH_LOADS;
  }
  if (at->turn || at->mirrored) /* of what has no drag, scenes with obstacles have no other axes */
    draft->rod.drag = (wy_drag){0, 0};
  draft->contact = wy_default_contact_def();
  draft->contact.friction = at->friction == NONE ? 0 : 0.6;
  draft->contact.stick = at->friction == SPRING;
  draft->contact.slip = 0.1, draft->contact.speed = 0.3, draft->contact.restitution = 0.4;
  def.contact = &draft->contact;
  solver.staggered.coordinates = at->coordinates;
  return at->explicitly ? make_explicit_system(&def, &solver) : make_system(&def, &solver);
}

static void name_scene(const scene *at, size_t size, char *name) {
  static const char *const kinds[] = {"cosserat", "kirchhoff", "inextensible"};
  static const char *const frictions[] = {"smooth", "spring", "damper"};
  snprintf(name, size, "%s, %s, %s, %s, %s, %s, %s", at->obstacle->name, kinds[at->kind],
           at->coordinates == WY_ABSOLUTE ? "absolute" : "null space", end_pair_names[at->ends],
           frictions[at->friction], at->moves ? "moving" : "standing", at->explicitly ? "explicit" : "implicit");
}

/* How many stations touch. */
static int touching(const test_system *made, double t, const double *u) {
  wy_contact_walk walk = {0};
  int count = 0;
  if (!wy_contacts_find(made->system, t, u, 0))
    return 0;
  while (wy_contacts_walk(made->system->contacts, &walk))
    count++;
  return count;
}

static const double t_before = 0.21, t_now = 0.23;

/* An image of a scene: turned or mirrored. NULL: the scene itself. */
typedef void image_of(const wy_system *system, const double *from, double *to);

/* Friction remembers a state nearby, at which it was stretched. */
static void remember(const test_system *made, const double *u, unsigned seed, image_of *image) {
  double *before = state_array(made), *seen_there = state_array(made);
  for (int step = 0; step < 2; step++) {
    memcpy(before, u, (size_t)made->system->size * sizeof *u);
    for (int i = 0; i < made->system->size; i++)
      before[i] += 0.02 * made->system->weight[i] * noise(&seed);
    if (image)
      image(made->system, before, seen_there);
    const double *then = image ? seen_there : before;
    if (step)
      wy_system_accepted(made->system, t_before, then);
    else
      wy_system_start_contact(made->system, t_before - 0.01, then);
  }
  free(before), free(seen_there);
}

/* A state off the undeformed one in which something touches, on the manifold where there is one. */
static void touching_state(const test_system *made, const char *name, unsigned seed, bool projected, double *u) {
  for (int tries = 0; tries < 20; tries++, seed += 101) {
    if (projected)
      near_state(made, 0.06, t_now, seed, u);
    else
      disturbed_state(made, 0.06, seed, u);
    if (touching(made, t_now, u) > 0) {
      remember(made, u, 7, NULL);
      return;
    }
  }
  fail_msg("%s: nothing touches", name);
}

typedef void scene_check(const scene *at, const test_system *made, const char *name);

static void for_scenes(scene_check *check, bool constrained, bool with_explicit) {
  int done = 0;
  for (int i = 0; i < OBSTACLES; i++)
    for (int form = 0; form < 2; form++)
      for (int friction = NONE; friction < FRICTIONS; friction++)
        for (int moves = 0; moves < 2; moves++)
          for (int e = 0; e <= with_explicit; e++) {
            scene at = {.obstacle = &obstacles[i], .friction = (friction_case)friction, .moves = moves};
            if (constrained)
              at.kind = form ? WY_INEXTENSIBLE : WY_KIRCHHOFF;
            else
              at.coordinates = form ? WY_ABSOLUTE : WY_NULLSPACE;
            at.ends = obstacles[i].at_end ? (done % 2 ? 1 : 0) : done % END_PAIRS;
            at.explicitly = e;
            done++;
            draft_of_scene draft;
            char name[192];
            name_scene(&at, sizeof name, name);
            test_system made = make_scene(&at, &draft);
            check(&at, &made, name);
            free_system(&made);
          }
}

/* ---- Linear algebra ---- */

/* Differences of order 4 over 1e-4: wrong by 1e-16 of fifth derivatives and by 1e-12 of the largest f; where the load's
   second derivative has a kink within them, by 1e-8 of its jump, which is of order 1e3 over masses of order 1e-1. */
static void check_jacobian(const scene *at, const test_system *made, const char *name) {
  (void)at;
  double *u = state_array(made), *x = state_array(made), *want = state_array(made), *got = state_array(made);
  touching_state(made, name, 7, false, u);
  made->system->type->jacobian(made->system, t_now, u);
  for (unsigned seed = 1; seed < 4; seed++) {
    random_vector(made, seed, x);
    made->system->type->multiply(made->system, x, got);
    differentiate(made, t_now, u, x, 1e-4, want);
    compare_vectors(name, "Jacobian", got, want, made->system->size, 1e-7);
  }
  free(u), free(x), free(want), free(got);
}

static void jacobian_is_the_derivative(void **state) {
  (void)state;
  for_scenes(check_jacobian, false, false);
}

static void check_solve(const scene *at, const test_system *made, const char *name) {
  static const unsigned seeds[2] = {5, 6};
  (void)at;
  double *u = state_array(made);
  touching_state(made, name, 11, false, u);
  check_solves(made, name, t_now, u, seeds, &(solve_check){.least = 1e-11});
  free(u);
}

static void linear_systems_are_solved(void **state) {
  (void)state;
  for_scenes(check_solve, false, false);
}

static void check_constrained_solve(const scene *at, const test_system *made, const char *name) {
  static const unsigned seeds[2] = {5, 6};
  (void)at;
  double *u = state_array(made);
  touching_state(made, name, 11, true, u);
  check_solves(made, name, t_now, u, seeds, &(solve_check){.step = 1e-4, .least = 1e-6});
  free(u);
}

static void saddle_systems_are_solved_with_the_derivative(void **state) {
  (void)state;
  for_scenes(check_constrained_solve, true, false);
}

/* ---- Mechanics ---- */

static void check_power(const scene *at, const test_system *made, const char *name) {
  (void)at;
  double *u = state_array(made);
  touching_state(made, name, 13, true, u);
  check_power_balance(made, name, t_now, u, 1e-5);
  free(u);
}

static void power_balances(void **state) {
  (void)state;
  for_scenes(check_power, false, false);
  for_scenes(check_power, true, true);
}

/* The image of a scene has the image of its right-hand side. Depths of 0.1 at places of order 10: to 1e-13 of loads,
   and of accelerations, which are larger. */
static void check_image(const scene *first, const scene *second, const char *name, image_of *image,
                        image_of *of_rates) {
  draft_of_scene drafts[2];
  test_system made = make_scene(first, &drafts[0]), other = make_scene(second, &drafts[1]);
  wy_system *system = made.system;
  double *u = state_array(&made), *f = state_array(&made), *want = state_array(&made), *there = state_array(&made);
  touching_state(&made, name, 17, true, u);
  remember(&other, u, 7, image);
  assert_int_equal(system->type->rhs(system, t_now, u, f, NULL), WY_OK);
  of_rates(system, f, want);
  image(system, u, there);
  assert_int_equal(other.system->type->rhs(other.system, t_now, there, f, NULL), WY_OK);
  compare_vectors(name, "image of the right-hand side", f, want, system->size, 1e-11);
  free(u), free(f), free(want), free(there);
  free_system(&made), free_system(&other);
}

static const turned_by no_turn = {{1, 0, 0, 0}, {0, 0, 0}};
/* q is a unit */
static const turned_by some_turn = {{0.5, -0.5, 0.1, 0.7}, {3, -2, 5}};

static void turn_all(const wy_system *system, const double *from, double *to) {
  turn_state(system, some_turn.q, some_turn.shift, from, to);
}

static void turn_rates(const wy_system *system, const double *from, double *to) {
  turn_state(system, some_turn.q, no_turn.shift, from, to);
}

/* The same rod with an obstacle that is turned and shifted with it. */
static void check_objectivity(const scene *at, const test_system *unused, const char *name) {
  scene here = *at, there = *at;
  (void)unused;
  here.ends = there.ends = 0;
  here.turn = &no_turn, there.turn = &some_turn;
  check_image(&here, &there, name, turn_all, turn_rates);
}

static void scenes_may_be_turned(void **state) {
  (void)state;
  for_scenes(check_objectivity, false, false);
  for_scenes(check_objectivity, true, false);
}

/* Positions and velocities by mirror; rotations are turned the other way about what the mirror keeps. */
static void mirror_state(const wy_system *system, const double *from, double *to) {
  memset(to, 0, (size_t)system->size * sizeof *to);
  for (int d = 0; d < 4; d++) {
    const wy_field *field = &system->fields[d];
    for (int k = 0; k < field->components; k++)
      for (int i = 0; i < field->stride; i++) {
        const int at = field->offset + k * field->stride + i;
        const bool polar = d == 0 || d == 2, flips = field->components == 4 ? k % 2 == 1 : polar ? k == 1 : k != 1;
        to[at] = flips ? -from[at] : from[at];
      }
  }
}

static void check_mirror(const scene *at, const test_system *unused, const char *name) {
  scene here = *at, there = *at;
  (void)unused;
  here.ends = there.ends = 0;
  here.turn = &no_turn, there.mirrored = true;
  check_image(&here, &there, name, mirror_state, mirror_state);
}

static void scenes_may_be_mirrored(void **state) {
  (void)state;
  for_scenes(check_mirror, false, false);
  for_scenes(check_mirror, true, false);
}

/* ---- Equilibria ---- */

/* Where the core's load goes on as a straight line it has a kink. */
static bool is_deep(const test_system *made, const double *config) {
  int ignored;
  return wy_contacts_gap(made->system, 0, config, &ignored) < -0.085;
}

/* What is out of balance and its derivative, at a configuration near the undeformed one in which something touches. */
static void check_rest(const scene *at, const test_system *made, const char *name) {
  wy_system *system = made->system;
  const wy_statics_type *type = system->type->statics;
  const double mu = -7; /* a rod that is free has neutral directions */
  double *config = doubles(system->config_size), *d = doubles(system->dofs);
  unsigned seed = 5;
  int tries = 0, ignored;
  type->apply(system, true, 1, 1);
  do {
    type->undeformed(system, config);
    for (int i = 0; i < system->dofs; i++)
      d[i] = 0.01 * noise(&seed);
    type->displace(system, config, d, 1, config);
  } while ((touching(made, 0, config) == 0 || is_deep(made, config)) && ++tries < 50);
  if (tries == 50) /* the rod bends into the obstacle */
    goto done;
  wy_system_rest_begin(system, 0, config);
  system->contacts->meetings[0].shift = (wy_v3){0, 0, 0};
  for (int i = 0; i < system->dofs; i++)
    d[i] = noise(&seed);
  type->displace(system, config, d, 0.005, config);
  assert_int_equal(type->tangent(system, 0, config), 0);
  assert_int_equal(type->factor(system, mu), 0);
  check_tangent_along(system, name, 0, mu, config, d);
  if (at->friction == SPRING && touching(made, 0, config) > 0)
    assert_int_equal(type->negative(system, 0, &ignored), WY_NO_POTENTIAL);
done:
  free(config), free(d);
}

static void tangents_of_equilibria_are_derivatives(void **state) {
  (void)state;
  for_scenes(check_rest, false, false);
  for_scenes(check_rest, true, false);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tangents_of_equilibria_are_derivatives),
                                     cmocka_unit_test(jacobian_is_the_derivative),
                                     cmocka_unit_test(linear_systems_are_solved),
                                     cmocka_unit_test(saddle_systems_are_solved_with_the_derivative),
                                     cmocka_unit_test(power_balances),
                                     cmocka_unit_test(scenes_may_be_turned),
                                     cmocka_unit_test(scenes_may_be_mirrored)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
