/* SPDX-License-Identifier: MIT */
/* Linear systems of networks made at random: trees, loops, grids, with welds, balls, hinges, bodies, joints between
   bodies and springs. The resolvents R(sigma) = (sigma - J)^-1 of one J at two shifts satisfy R(a) b - R(b) b = (b - a)
   R(a) R(b) b to round-off; that J itself is right test_group shows. Counts of negative eigenvalues against dense ones.
   And a member that is critical while the rest of the frame holds its ends. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/group_checks.h"

enum { POINTS = 16 };

typedef enum shape { TREE, LOOP, GRID, SHAPES } shape;

typedef struct graph {
  double points[POINTS][3];
  int count, edges[NETWORK_RODS][2], edge_count;
} graph;

static void connect(graph *g, int a, int b) {
  g->edges[g->edge_count][0] = a, g->edges[g->edge_count++][1] = b;
}

static graph draw_graph(shape kind, bool small, unsigned *seed) {
  const int side = small ? 2 : 4;
  graph g = {.count = kind == TREE ? (small ? 7 : 14) : kind == LOOP ? (small ? 5 : 10) : (small ? 6 : POINTS)};
  for (int i = 0; i < g.count; i++)
    for (int k = 0; k < 3; k++) {
      const double place = kind != GRID ? 1.5 * noise(seed) : k == 0 ? i % side : k == 1 ? (double)(i / side) : 0;
      g.points[i][k] = place + 0.2 * noise(seed);
    }
  for (int i = 1; i < g.count; i++) {
    if (kind == TREE)
      connect(&g, (int)((i - 0.01) * (0.5 + 0.5 * noise(seed))), i);
    if (kind == LOOP)
      connect(&g, i - 1, i);
    if (kind == GRID && i % side)
      connect(&g, i - 1, i);
    if (kind == GRID && i >= side)
      connect(&g, i - side, i);
  }
  if (kind == LOOP) {
    connect(&g, g.count - 1, 0);
    for (int i = 0; i < (small ? 1 : 3); i++)
      connect(&g, i, i + (small ? 2 : 4));
  }
  return g;
}

static int add_heavy(test_network *net, const double near[3], unsigned *seed) {
  static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
  const int index = net->model.body_count++;
  wy_body_def *body = &net->bodies[index];
  *body = wy_default_body_def();
  body->name = names[index];
  body->mass = 0.7;
  for (int k = 0; k < 3; k++) {
    body->inertia[k] = 0.2 + 0.05 * noise(seed);
    body->origin[k] = near[k] + 0.1 * noise(seed);
  }
  return index;
}

/* Without balls nothing falls far before it rests. */
static int add_some_joint(test_network *net, bool balls, unsigned *seed) {
  const double draw = noise(seed);
  const int joint = add_joint(net, draw < 0 ? WY_WELD : draw < 0.5 || !balls ? WY_HINGE : WY_BALL);
  wy_joint_def *def = &net->joints[joint];
  for (int k = 0; def->kind == WY_HINGE && k < 3; k++)
    def->axis[k] = noise(seed) + (k == 1);
  if (def->kind == WY_HINGE)
    def->has_spring = true, def->stiffness = 0.5, def->damping = 0.1, def->rest_angle = 0.05;
  return joint;
}

/* At a point: a body in some places, a joint of all that is there; the first one is on the ground. A second body is
   joined to every other body: conditions, as many as are returned. */
static int join_point(test_network *net, const graph *g, int point, bool balls, unsigned *seed) {
  const double *place = g->points[point];
  int ends = 0, conditions = 0;
  for (int i = 0; i < g->edge_count; i++)
    ends += (g->edges[i][0] == point) + (g->edges[i][1] == point);
  const bool heavy = point % 4 == 1 && net->model.body_count < 4;
  if (ends + heavy + (point == 0) < 2)
    return 0;
  const int joint = add_some_joint(net, balls, seed);
  if (heavy) {
    const int body = add_heavy(net, place, seed);
    add_port(net, joint, port_at(net, body, place));
    if (point % 8 == 1) {
      const double beside[3] = {place[0] + 0.2, place[1], place[2] - 0.3};
      const int other = add_heavy(net, beside, seed), link = add_some_joint(net, true, seed);
      add_port(net, link, port_at(net, body, beside)), add_port(net, link, port_at(net, other, beside));
      conditions = net->joints[link].kind == WY_WELD ? 6 : net->joints[link].kind == WY_HINGE ? 5 : 3;
    }
  }
  for (int i = 0; i < g->edge_count; i++)
    for (int end = 0; end < 2; end++)
      if (g->edges[i][end] == point)
        add_end(net, joint, i, end ? WY_END : WY_START);
  if (point == 0)
    add_ground(net, joint);
  return conditions;
}

static void add_springs(test_network *net) {
  for (int i = 0; i + 1 < net->model.body_count && i < 3; i++) {
    wy_spring_def *spring = &net->springs[net->model.spring_count++];
    *spring = wy_default_spring_def();
    spring->ports[0] = wy_port_on_body(i, 0.1, 0, -0.1);
    spring->ports[1] = i ? wy_port_on_body(i + 1, 0, 0.1, 0) : wy_port_in_space(0.3, -2, 1);
    spring->stiffness = 2, spring->length = 0.5, spring->damping = 0.1;
  }
}

/* `small`: for dense matrices, and so light that it comes to rest near how it is drawn. */
static test_system draw_network(shape kind, unsigned seed, bool small, int *rods, int *conditions) {
  static test_network net;
  wy_solver_def solver = wy_default_solver_def();
  wy_rod_def rod = rich_rod(small ? 2 : 4);
  for (int k = 0; k < 3; k++)
    rod.shape.curvature[k] = wy_constant(0);
  rod.segment_lengths = NULL;
  const graph g = draw_graph(kind, small, &seed);
  begin_network(&net);
  net.model.gravity[2] = small ? -0.02 : -1;
  for (int i = 0; i < g.edge_count; i++)
    add_rod(&net, &rod, g.points[g.edges[i][0]], g.points[g.edges[i][1]]);
  *rods = g.edge_count, *conditions = 0;
  for (int i = 0; i < g.count; i++)
    *conditions += join_point(&net, &g, i, !small, &seed);
  if (!small)
    add_springs(&net);
  return make_group(network_model(&net), &solver);
}

/* ---- Resolvents ---- */

typedef struct shifted {
  double re, im;
} shifted;

static void resolve(wy_system *system, shifted s, double *re, double *im) {
  if (s.im == 0) {
    assert_int_equal(system->type->factor(system, 0, s.re), 0);
    system->type->solve(system, 0, re);
    system->type->solve(system, 0, im);
    return;
  }
  assert_int_equal(system->type->factor_complex(system, 0, s.re, s.im), 0);
  system->type->solve_complex(system, 0, re, im);
}

static void check_resolvents(const test_system *made, shifted a, shifted b) {
  wy_system *system = made->system;
  double *vectors[6], size = 0, worst = 0;
  for (int i = 0; i < 6; i++)
    vectors[i] = state_array(made);
  double *x = vectors[0], *x_im = vectors[1], *y = vectors[2], *y_im = vectors[3], *z = vectors[4], *z_im = vectors[5];
  random_vector(made, 3, x), random_vector(made, 4, x_im);
  memcpy(y, x, (size_t)system->size * sizeof *x), memcpy(y_im, x_im, (size_t)system->size * sizeof *x);
  resolve(system, b, y, y_im);
  memcpy(z, y, (size_t)system->size * sizeof *x), memcpy(z_im, y_im, (size_t)system->size * sizeof *x);
  resolve(system, a, x, x_im);
  resolve(system, a, z, z_im);
  const double d_re = b.re - a.re, d_im = b.im - a.im;
  for (int i = 0; i < system->size; i++) {
    if (!(system->weight[i] > 0))
      continue;
    size = fmax(size, fmax(fabs(x[i]) + fabs(y[i]), fabs(x_im[i]) + fabs(y_im[i])));
    worst = fmax(worst, fabs(x[i] - y[i] - d_re * z[i] + d_im * z_im[i]));
    worst = fmax(worst, fabs(x_im[i] - y_im[i] - d_re * z_im[i] - d_im * z[i]));
  }
  check_below(worst, 1e-11 * size);
  for (int i = 0; i < 6; i++)
    free(vectors[i]);
}

static void test_random_networks(void **state) {
  (void)state;
  for (int kind = 0; kind < SHAPES; kind++)
    for (unsigned seed = 1; seed <= 4; seed++) {
      int rods, conditions;
      test_system made = draw_network((shape)kind, 17 * seed, false, &rods, &conditions);
      double *u = state_array(&made), drift[WY_DRIFTS] = {0};
      disturbed_state(&made, 0.05, seed, u);
      made.system->type->project(made.system, 0, u, NULL, drift);
      assert_int_equal(made.system->type->jacobian(made.system, 0, u), 0);
      check_resolvents(&made, (shifted){30, 0}, (shifted){9, 0});
      check_resolvents(&made, (shifted){12, 20}, (shifted){25, 0});
      check_resolvents(&made, (shifted){8, 11}, (shifted){20, -6});
      free(u);
      free_system(&made);
    }
}

/* ---- Counts ---- */

static void test_random_counts(void **state) {
  (void)state;
  int multipliers = 0;
  for (int kind = 0; kind < SHAPES; kind++)
    for (unsigned seed = 1; seed <= 5; seed++) {
      int rods, conditions;
      test_system made = draw_network((shape)kind, 31 * seed, true, &rods, &conditions);
      check_group_counts(&made, 2 * rods, conditions);
      multipliers += conditions;
      free_system(&made);
    }
  assert_true(multipliers > 10);
}

/* ---- A member at its own critical load ---- */

/* The configuration with a force of -P along the first rod, undeformed otherwise. */
static void press(const test_system *made, int segments, double load, double *config) {
  wy_system *system = made->system;
  double *d = doubles(system->dofs);
  system->type->statics->apply(system, true, 0, 1);
  system->type->statics->undeformed(system, config);
  for (int i = 0; i < segments; i++)
    d[9 * i + 8] = -load;
  system->type->statics->displace(system, config, d, 1, config);
  free(d);
}

static int count_held(const test_system *made, const double *config) {
  wy_system *member = made->system->parts[0];
  int count = -1;
  assert_int_equal(made->system->type->statics->tangent(made->system, 0, config), 0);
  return member->type->statics->negative(member, 0, &count) ? -1 : count;
}

static void test_critical_member(void **state) {
  (void)state;
  enum { SEGMENTS = 4 };
  static const double at[4][3] = {{0, 0, 1}, {1, 0, 1}, {0, 0, 0}, {1, 0.2, 0}};
  test_network net;
  wy_solver_def solver = wy_default_solver_def();
  wy_rod_def rod = rich_rod(SEGMENTS);
  for (int k = 0; k < 3; k++)
    rod.shape.curvature[k] = wy_constant(0);
  rod.segment_lengths = NULL;
  begin_network(&net);
  add_rod(&net, &rod, at[0], at[1]);
  for (int foot = 0; foot < 2; foot++) {
    add_rod(&net, &rod, at[2 + foot], at[foot]);
    const int ground = add_joint(&net, WY_WELD);
    add_end(&net, ground, 1 + foot, WY_START), add_ground(&net, ground);
  }
  join_all(&net, WY_WELD);
  test_system made = make_group(network_model(&net), &solver);
  double *config = doubles(made.system->config_size), low = 0, high = 1;
  press(&made, SEGMENTS, low, config);
  const int stable = count_held(&made, config);
  for (press(&made, SEGMENTS, high, config); count_held(&made, config) == stable; press(&made, SEGMENTS, high, config))
    high *= 2;
  for (double middle = 0.5 * (low + high); middle > low && middle < high; middle = 0.5 * (low + high)) {
    press(&made, SEGMENTS, middle, config);
    *(count_held(&made, config) == stable ? &low : &high) = middle;
  }
  press(&made, SEGMENTS, low, config);
  check_group_tangent_at(&made, config, 0, 1e-6);
  int below, above;
  assert_int_equal(made.system->type->statics->negative(made.system, 0, &below), 0);
  press(&made, SEGMENTS, high, config);
  assert_int_equal(made.system->type->statics->tangent(made.system, 0, config), 0);
  assert_int_equal(made.system->type->statics->negative(made.system, 0, &above), 0);
  assert_int_equal(above, below); /* the frame as a whole notices nothing */
  free(config);
  free_system(&made);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_networks), cmocka_unit_test(test_random_counts),
                                     cmocka_unit_test(test_critical_member)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
