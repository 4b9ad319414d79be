/* SPDX-License-Identifier: MIT */
/* Loads on conserving rods where differences of order 2 see two separate grids: forces, moments and loads per length
   anywhere on the rod bend and stretch it as in the theory of small displacements. And a rod is made in a time that
   grows with the number of its nodes. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "support/moving.h"
#include "support/uniform.h"

/* EI = 1; loads are so small that geometry does not matter: the square of rotations is 1e-6. */
static const double shear = 1e3, stretch = 2e3, size = 1e-3;

/* From nothing to the whole load until t = 4. */
static void grow(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  static const double quarter = 0.78539816339744831; /* pi / 4 */
  (void)context, (void)wrt, (void)s;
  jet[0] = t < 4 ? 0.5 * size * (1 - cos(quarter * t)) : size;
  jet[1] = t < 4 ? 0.5 * size * quarter * sin(quarter * t) : 0;
  jet[2] = t < 4 ? 0.5 * size * quarter * quarter * cos(quarter * t) : 0;
}

/* Loads grow slowly, so that only the lowest vibration is seen, 3.5 rad/s and critically damped: what is left of it at
   t = 8 is exp(-14) of the little that there was. */
static test_sim at_rest(const wy_load_def *load, int segments, int order) {
  const double stiffness[6] = {shear, shear, stretch, 1, 1, 1};
  example e = uniform_rod(WY_COSSERAT, segments, 1, stiffness);
  e.rod.shape = (wy_shape){.direction = {1, 0, 0}, .d1 = {0, 1, 0}};
  e.rod.drag = (wy_drag){.translation = 7, .rotation = 7};
  e.loads[e.load_count++] = *load;
  wy_solver_def solver = conserving_solver(order, "gauss4", 0.05);
  test_sim made = start_moving(&e, &solver);
  move_to(&made, 8);
  return made;
}

typedef enum action { PULL, PUSH, TURN } action; /* a force along x, a force along y, a moment about z */

static wy_load_def load_by(action how, wy_load_place place, double from, double to) {
  wy_load_def load = wy_default_load_def();
  load.place = place, load.from = from, load.to = to;
  if (how == TURN)
    load.moment[2] = (wy_signal){.evaluate = grow, .depends_on = WY_TIME};
  else
    load.force[how == PULL ? 0 : 1] = (wy_signal){.evaluate = grow, .depends_on = WY_TIME};
  return load;
}

/* Displacement at s, along x or y, by a unit action at a, of a clamped beam that bends and shears. */
static double influence(action how, double a, double s) {
  const double near = fmin(a, s), far = fmax(a, s);
  if (how == PULL)
    return near / stretch;
  if (how == PUSH)
    return near * near * (3 * far - near) / 6 + near / shear;
  return s <= a ? 0.5 * s * s : a * (s - 0.5 * a);
}

static double displacement(const test_sim *made, action how, double s) {
  double x[4];
  probe(made, WY_POSITION, s, x);
  return how == PULL ? x[0] - s : x[1];
}

static void check_displacement(const char *what, int segments, int order, double got, double want, double bound) {
  if (!(fabs(got - want) <= bound))
    fail_msg("%s, %d segments, order %d: got %.9g, want %.9g, bound %.2g", what, segments, order, got, want, bound);
}

/* A load is shared by nodes two segments apart, on each of the two grids, so that the sum and the first moment of the
   shares are right. Influences that are linear are exact, then: the pulled tip. Else the rule of the lever is off by
   (2 h)^2 / 8 of the second derivative, which is at most 1 for a force and for a moment here, and the differences have
   as much of their own: 2 h^2 in all. Where the pull acts the influence has a kink: (2 h) / 4, and h in all. */
static void point_loads_act_in_full_wherever_they_are(void **state) {
  (void)state;
  static const double places[] = {0, 0.25, 0.5, 0.75};
  static const char *const names[] = {"pull", "push", "turn"};
  for (int order = 2; order <= 4; order += 2)
    for (int how = PULL; how <= TURN; how++)
      for (int k = 0; k < 8; k++) {
        const int segments = k < 4 ? 20 : 25;
        const double h = 1.0 / segments, a = (segments / 2 + places[k % 4]) * h;
        char what[64];
        const wy_load_def load = load_by((action)how, WY_AT_ARC, a, a);
        test_sim made = at_rest(&load, segments, order);
        const double at = displacement(&made, (action)how, a), tip = displacement(&made, (action)how, 1);
        snprintf(what, sizeof what, "%s at %g segments", names[how], a * segments);
        check_displacement(what, segments, order, tip, size * influence((action)how, a, 1),
                           size * (how == PULL ? 1e-6 / stretch : 2 * h * h));
        check_displacement(what, segments, order, at, size * influence((action)how, a, a),
                           size * (how == PULL ? h / stretch : 2 * h * h));
        free_sim(&made);
      }
}

/* The sum of point loads: what each is off by at most, 2 h^2 times the length that is loaded. A pull is off by what the
   edges are: at most h^2 of the stretch. */
static void line_loads_end_where_they_should(void **state) {
  (void)state;
  static const double from[] = {0.33, 0.5, 0}, to[] = {0.77, 1, 0.415};
  enum { PIECES = 2000 };
  for (int order = 2; order <= 4; order += 2)
    for (int how = PULL; how <= TURN; how++)
      for (int k = 0; k < 6; k++) {
        const int segments = k < 3 ? 40 : 41;
        const double h = 1.0 / segments, a = from[k % 3], b = to[k % 3];
        const wy_load_def load = load_by((action)how, WY_ALONG, a, b);
        test_sim made = at_rest(&load, segments, order);
        double want = 0;
        for (int i = 0; i < PIECES; i++)
          want += size * (b - a) / PIECES * influence((action)how, a + (i + 0.5) * (b - a) / PIECES, 1);
        check_displacement("load per length", segments, order, displacement(&made, (action)how, 1), want,
                           size * h * h * (how == PULL ? 1 / stretch : 2 * (b - a)));
        free_sim(&made);
      }
}

/* ---- Creation ---- */

static long evaluations;

static void count(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)wrt, (void)t;
  evaluations++;
  jet[0] = 1 + s, jet[1] = 1, jet[2] = 0;
}

/* What a rod evaluates of its configuration when it is made and begins to move: as much for each node, whatever their
   number. Ends are found from the start of the rod, a few times in all. */
static void rods_are_made_node_by_node(void **state) {
  (void)state;
  for (int order = 2; order <= 4; order += 2) {
    double per_node[2];
    for (int k = 0; k < 2; k++) {
      const int segments = k ? 400 : 50;
      example e = dimensionless_rod(segments, 0.1, 0);
      e.rod.shape.curvature[1] = (wy_signal){.evaluate = count, .depends_on = WY_ARC};
      wy_solver_def solver = conserving_solver(order, "auto", 0.01);
      evaluations = 0;
      test_sim made = start_moving(&e, &solver);
      per_node[k] = (double)evaluations / segments;
      free_sim(&made);
    }
    print_message("order %d: %.1f and %.1f evaluations a segment\n", order, per_node[0], per_node[1]);
    check_at_most(per_node[1], 1.1 * per_node[0]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(point_loads_act_in_full_wherever_they_are),
      cmocka_unit_test(line_loads_end_where_they_should),
      cmocka_unit_test(rods_are_made_node_by_node),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
