/* SPDX-License-Identifier: MIT */
/* A group of mixed rods that touches obstacles, as a system: linear equations of steps and of equilibria against
   what is out of balance, with every kind of joint that mixed rods have. All laws are soft, so that differences are
   good and Newton's method converges from afar. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "scheme/contacts.h"
#include "scheme/system.h"
#include "support/network.h"
#include "support/published.h"
#include "support/scheme_checks.h"

typedef struct ramp {
  double from, rate;
} ramp;

static void along_ramp(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const ramp *on = context;
  (void)s;
  jet[0] = on->from + on->rate * t, jet[1] = wrt == WY_TIME ? on->rate : 0, jet[2] = 0;
}

static wy_signal moving(const ramp *on) {
  return (wy_signal){0, along_ramp, on, WY_TIME};
}

enum { BELT, BALL, DRUM, WALL, OBSTACLES };

typedef struct scene {
  test_network net;
  wy_obstacle_def obstacles[OBSTACLES];
  wy_contact_def contact;
} scene;

/* How one differs from another. */
typedef struct setting {
  int order;
  wy_rod_kind kind;
  bool held; /* the body cannot turn, nor move along y */
  double friction;
  bool stick;
} setting;

/* The network with everything, but for the spring at the last rod's end, which has a cap instead. The first rod lies on
   a belt, under a drum that turns; a ball comes down on the ball joint; the end with the cap stands on a wall. */
static void set_scene(scene *out, const setting *c) {
  static const ramp fall = {0.6, -0.3}, turn = {0, 0.4};
  test_network *net = &out->net;
  memset(out, 0, sizeof *out);
  rich_network(net, 3);
  net->springs[0] = net->springs[1];
  net->model.spring_count = 1;
  for (int i = 0; i < net->model.rod_count; i++) {
    net->rods[i].kind = c->kind;
    net->rods[i].contact.radius.value = 0.1, net->rods[i].contact.stiffness = 60, net->rods[i].contact.blend = 0.5;
  }
  if (c->held)
    net->bodies[0].position[1] = net->bodies[0].rotation = WY_HELD;
  wy_obstacle_def *belt = &out->obstacles[BELT], *ball = &out->obstacles[BALL], *drum = &out->obstacles[DRUM],
                  *wall = &out->obstacles[WALL];
  for (int i = 0; i < OBSTACLES; i++)
    out->obstacles[i] = wy_default_obstacle_def();
  belt->name = "belt";
  belt->axis[0] = 0.02, belt->axis[1] = 1, belt->axis[2] = 0;
  belt->position[1].value = -0.07;
  belt->surface_velocity[0] = 0.2, belt->surface_velocity[1] = -0.004;
  ball->name = "ball", ball->shape = WY_OBSTACLE_SPHERE, ball->radius = 0.2;
  ball->position[0].value = 1.5, ball->position[1].value = 1.35, ball->position[2] = moving(&fall);
  drum->name = "drum", drum->shape = WY_OBSTACLE_CYLINDER, drum->radius = 0.15, drum->length = INFINITY;
  drum->position[0].value = 0.6, drum->position[2].value = 0.35;
  drum->axis[0] = 0.2, drum->axis[1] = 1, drum->axis[2] = 0;
  drum->rotation_axis[1] = 1, drum->angle = moving(&turn);
  wall->name = "wall";
  wall->axis[0] = -0.3, wall->axis[1] = 0.7, wall->axis[2] = -0.7;
  wall->position[0].value = 2.32, wall->position[1].value = 0.55, wall->position[2].value = 0.55;
  out->contact = wy_default_contact_def();
  out->contact.friction = c->friction, out->contact.stick = c->stick;
  out->contact.slip = 0.3, out->contact.speed = 0.8;
  net->model.obstacles = out->obstacles, net->model.obstacle_count = OBSTACLES;
  net->model.contact = &out->contact;
}

static test_system make(scene *with, const setting *c, char name[128]) {
  const wy_solver_def solver = mixed_solver(c->order, 0);
  set_scene(with, c);
  snprintf(name, 128, "order %d, rods %d%s, friction %g%s", c->order, c->kind, c->held ? ", held" : "", c->friction,
           c->stick ? " and stick" : "");
  return make_group(network_model(&with->net), &solver);
}

/* Do all obstacles touch, one of them the cap? */
static void check_touches(wy_system *system, double t, const double *u) {
  bool touched[OBSTACLES] = {false}, cap = false;
  wy_system *part;
  for (int i = 0, at = 0; (part = wy_contacts_part(system, &i, &at)); at += part->size) {
    wy_contact_walk walk = {0};
    if (!wy_contacts_find(part, t, u + at, 0))
      continue;
    while (wy_contacts_walk(part->contacts, &walk)) {
      touched[walk.at->obstacle] = true;
      cap = cap || walk.station >= part->contacts->cap;
    }
  }
  assert_true(cap && touched[BELT] && touched[BALL] && touched[DRUM] && touched[WALL]);
}

/* ---- Steps ---- */

/* From a first guess that is some way off, what is out of balance falls like its square: a tangent that lacks a term
   shows. (The rows of an end are those of its hub by way of arms that turn, so that differences of them alone say
   less.) */
static void check_step(const setting *c) {
  scene with;
  char name[128];
  test_system made = make(&with, c, name);
  wy_system *system = made.system;
  const wy_step_type *step = system->type->step;
  double *u = state_array(&made), *r = system->step_vector, misfit, change;
  system->type->initial(system, u);
  wy_system_start_contact(system, 0, u);
  near_state(&made, 0.02, 0, 3, u);
  check_touches(system, 0, u);
  for (int h = 0; h < 3; h++) {
    double last = INFINITY;
    int falls = 0;
    step->begin(system, 0, 0.01 * pow(4, h), u, WY_GUESS_STILL);
    for (int i = 0; i < 12; i++) {
      assert_int_equal(step->residual(system, r, &misfit), 0);
      if (last < 1e-2 && last > 1e-6) {
        if (!(misfit <= 10 * last * last + 1e-11))
          fail_msg("%s, step %d: %.3g out of balance after %.3g", name, h, misfit, last);
        falls++;
      }
      last = misfit;
      if (misfit < 1e-13)
        break;
      assert_int_equal(wy_step_correct(system, true, r, &change), 0);
    }
    assert_true(falls > 0);
    check_below(misfit, 1e-11);
  }
  free(u);
  free_system(&made);
}

/* ---- Equilibria ---- */

/* (K - mu M) d by differences of the residual, then solved for: d again, but for what follows from hubs. */
static void check_rest(const setting *c) {
  static const double weights[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12}, at[4] = {-2, -1, 1, 2};
  const double t = 0.2, mu = -0.7, h = 5e-5;
  scene with;
  char name[128];
  unsigned seed = 5;
  test_system made = make(&with, c, name);
  wy_system *system = made.system;
  const wy_statics_type *type = system->type->statics;
  const int n = system->dofs;
  double *config = doubles(system->config_size), *d = doubles(n), *b = doubles(n), *r = doubles(n), *m = doubles(n),
         *there = doubles(system->config_size);
  type->apply(system, true, 0.8, 0.9);
  type->undeformed(system, config);
  wy_system_rest_begin(system, t, config);
  for (int i = 0; i < n; i++)
    d[i] = 0.01 * noise(&seed);
  type->displace(system, config, d, 1, config);
  check_touches(system, t, config);
  for (int i = 0; i < n; i++)
    d[i] = system->dof_weight[i] > 0 ? noise(&seed) : 0;
  for (int k = 0; k < 4; k++) {
    type->displace(system, config, d, at[k] * h, there);
    assert_int_equal(type->residual(system, t, there, r), 0);
    for (int i = 0; i < n; i++)
      b[i] -= weights[k] / h * r[i];
  }
  assert_int_equal(type->tangent(system, t, config), 0);
  type->mass_times(system, d, m);
  for (int i = 0; i < n; i++)
    b[i] -= mu * m[i];
  assert_int_equal(type->factor(system, mu), 0);
  type->solve(system, b);
  for (int i = 0; i < n; i++)
    if (system->dof_weight[i] > 0 && !(fabs(b[i] - d[i]) <= 1e-6))
      fail_msg("%s: entry %d of %d: got %.12g, want %.12g", name, i, n, b[i], d[i]);
  free(config), free(d), free(b), free(r), free(m), free(there);
  free_system(&made);
}

static void for_all(void (*check)(const setting *c)) {
  for (int i = 0; i < 8; i++) {
    setting c = {.order = 1 + i % 2, .kind = i / 2 % 2 ? WY_KIRCHHOFF : WY_COSSERAT, .held = i / 4 % 2};
    check(&c);
    c.friction = 0.4;
    check(&c);
    c.stick = true;
    check(&c);
  }
}

static void steps_have_exact_tangents(void **state) {
  (void)state;
  for_all(check_step);
}

static void equilibria_have_exact_tangents(void **state) {
  (void)state;
  for_all(check_rest);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(steps_have_exact_tangents),
                                     cmocka_unit_test(equilibria_have_exact_tangents)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
