/* SPDX-License-Identifier: MIT */
/* What every scheme owes its users, for all schemes of the registry and every kind of rod that they carry: a new scheme
   is tested here without a further line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "scheme/scheme.h"
#include "support/allocations.h"
#include "support/moving.h"
#include "support/registry.h"
#include "support/sim_checks.h"

static const double down[3] = {0, 0, -1.5}, nowhere[3] = {0};

/* ---- The row of the registry ---- */

static void every_row_is_complete(void **state) {
  (void)state;
  for (int i = 0; wy_scheme_at(i); i++) {
    const wy_scheme *scheme = wy_scheme_at(i);
    int kinds = 0;
    assert_ptr_equal(wy_scheme_find(scheme->name), scheme); /* the name stands once */
    assert_non_null(scheme->piece);
    assert_non_null(scheme->integrator);
    assert_non_null(scheme->reason);
    for (int kind = 0; kind < ROD_KINDS; kind++) {
      wy_message message = {0};
      const wy_status status = scheme->supports((wy_rod_kind)kind, &message);
      kinds += status == WY_OK;
      if (status != WY_OK && (status != WY_ERROR_SUPPORT || !message.text[0]))
        fail_msg("%s refuses %s without a reason", scheme->name, wy_rod_kind_name((wy_rod_kind)kind));
    }
    check_above(kinds, 0);
  }
}

/* ---- Mechanics ---- */

static void rests(const char *scheme, wy_rod_kind kind, const char *name) {
  const wy_rod_def rod = plain_rod(kind);
  const wy_solver_def solver = solver_of(scheme);
  wy_message message = {0};
  test_sim made = moving_sim(&rod, &solver, nowhere);
  must(wy_sim_advance(made.sim, 0.5, &message), &message);
  const wy_energy energy = wy_sim_energy(made.sim, 0);
  /* Error control lets motions of 1e-9 through, with stiffnesses up to 100. */
  if (!(energy.kinetic + energy.elastic < 1e-16))
    fail_msg("%s: an undeformed rod without loads moves: energy %g", name, energy.kinetic + energy.elastic);
  free_sim(&made);
}

static void an_undeformed_rod_without_loads_stays_at_rest(void **state) {
  (void)state;
  for_all_schemes(rests);
}

/* A free rod in gravity: no strain, the centre of mass on its parabola, momentum m g t. */
static void falls(const char *scheme, wy_rod_kind kind, const char *name) {
  const wy_rod_def rod = plain_rod(kind);
  const wy_solver_def solver = solver_of(scheme);
  const double t = 0.4;
  wy_message message = {0};
  test_sim made = moving_sim(&rod, &solver, down);
  const wy_momentum before = wy_sim_momentum(made.sim, 0);
  must(wy_sim_advance(made.sim, t, &message), &message);
  const wy_momentum after = wy_sim_momentum(made.sim, 0);
  print_message("%s\n", name);
  check_close(after.mass, 1.3, 1e-14);
  check_close(after.linear[2], after.mass * down[2] * t, 1e-10);
  check_close(after.centre_of_mass[2] - before.centre_of_mass[2], 0.5 * down[2] * t * t, 1e-10);
  check_close(wy_sim_energy(made.sim, 0).elastic, 0, 1e-16);
  free_sim(&made);
}

static void a_free_rod_falls_as_a_point_does(void **state) {
  (void)state;
  for_all_schemes(falls);
}

static test_sim swinging_rod(wy_rod_kind kind, const wy_solver_def *solver, const double turn[4],
                             const double shift[3]) {
  wy_rod_def rod = plain_rod(kind);
  double r[9], gravity[3];
  const double along[3] = {1, 0, 0}, across[3] = {0, 1, 0};
  wy_qmatrix(turn, r);
  wy_mul3(r, along, rod.shape.direction);
  wy_mul3(r, across, rod.shape.d1);
  wy_mul3(r, down, gravity);
  wy_copy3(shift, rod.shape.origin);
  rod.ends[WY_START] = wy_end_clamped();
  return moving_sim(&rod, solver, gravity);
}

/* A clamped rod swings the same wherever it stands and however it is turned. */
static void is_objective(const char *scheme, wy_rod_kind kind, const char *name) {
  const wy_solver_def solver = solver_of(scheme);
  const double axis[3] = {0.7, -1.1, 0.4}, still[4] = {1, 0, 0, 0}, shift[3] = {3, -2, 5};
  double turn[4], r[9], want[3];
  wy_message message = {0};
  wy_qexp(axis, turn);
  wy_qmatrix(turn, r);
  test_sim plain = swinging_rod(kind, &solver, still, nowhere), turned = swinging_rod(kind, &solver, turn, shift);
  must(wy_sim_advance(plain.sim, 0.6, &message), &message);
  must(wy_sim_advance(turned.sim, 0.6, &message), &message);
  const wy_view *a = wy_sim_view(plain.sim, 0), *b = wy_sim_view(turned.sim, 0);
  double largest = 0, moved = 0;
  for (int i = 0; i < a->position.count; i++) {
    wy_mul3(r, a->position.values + 3 * i, want);
    for (int k = 0; k < 3; k++)
      largest = fmax(largest, fabs(b->position.values[3 * i + k] - want[k] - shift[k]));
    moved = fmax(moved, fabs(a->position.values[3 * i + 2]));
  }
  print_message("%s\n", name);
  check_above(moved, 0.1);
  /* Error control sees components, and lets through 1e-9 a step: some hundred steps. */
  check_close(largest, 0, 1e-7);
  free_sim(&plain);
  free_sim(&turned);
}

static void a_turned_and_shifted_rod_moves_alike(void **state) {
  (void)state;
  for_all_schemes(is_objective);
}

/* The library itself finds nothing doubtful in the motion of a resolved elastic rod. */
static void keeps_the_books(const char *scheme, wy_rod_kind kind, const char *name) {
  const wy_solver_def solver = solver_of(scheme);
  const double still[4] = {1, 0, 0, 0};
  wy_message message = {0};
  wy_finding finding = {0};
  int count = 0;
  test_sim made = swinging_rod(kind, &solver, still, nowhere);
  must(wy_sim_advance(made.sim, 1, &message), &message);
  must(wy_sim_verify(made.sim, &finding, 1, &count, &message), &message);
  if (wy_sim_verdict(made.sim) > WY_NOTE)
    fail_msg("%s: %s", name, finding.text);
  free_sim(&made);
}

static void energy_is_balanced(void **state) {
  (void)state;
  for_all_schemes(keeps_the_books);
}

/* ---- Views ---- */

static void check_points(const char *name, const char *what, const wy_points *points, double length) {
  for (int i = 0; i < points->count; i++) {
    if (!(points->s[i] >= 0 && points->s[i] <= length && (i == 0 || points->s[i] > points->s[i - 1])))
      fail_msg("%s: arc length %d of %s is %g", name, i, what, points->s[i]);
    for (int k = 0; k < points->components; k++)
      if (!isfinite(points->values[points->components * i + k]))
        fail_msg("%s: %s has no number at s = %g", name, what, points->s[i]);
  }
}

static void shows_itself(const char *scheme, wy_rod_kind kind, const char *name) {
  const wy_solver_def solver = solver_of(scheme);
  const double still[4] = {1, 0, 0, 0};
  wy_message message = {0};
  test_sim made = swinging_rod(kind, &solver, still, nowhere);
  must(wy_sim_sample(made.sim, 0.237, &message), &message);
  const wy_view *v = wy_sim_view(made.sim, 0);
  check_close(v->time, 0.237, 0);
  check_points(name, "position", &v->position, 1);
  check_points(name, "velocity", &v->velocity, 1);
  check_points(name, "frame", &v->frame, 1);
  check_points(name, "angular velocity", &v->angular_velocity, 1);
  check_points(name, "strain", &v->strain, 1);
  check_points(name, "force", &v->force, 1);
  check_points(name, "curvature", &v->curvature, 1);
  check_points(name, "moment", &v->moment, 1);
  check_close(v->position.s[0], 0, 0);
  check_close(v->position.s[v->position.count - 1], 1, 1e-14);
  for (int i = 0; i < v->frame.count; i++) {
    const double *p = v->frame.values + 4 * i;
    check_close(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3], 1, 1e-9);
  }
  assert_true(v->ends[0].position_held && v->ends[0].rotation_held && !v->ends[1].position_held);
  free_sim(&made);
}

static void views_are_complete(void **state) {
  (void)state;
  for_all_schemes(shows_itself);
}

/* Where a view is, and how large. */
typedef struct places {
  const wy_view *view;
  wy_points points[9];
} places;

static places places_of(wy_sim *sim) {
  const wy_view *v = wy_sim_view(sim, 0);
  return (places){v,
                  {v->position, v->velocity, v->frame, v->angular_velocity, v->strain, v->force, v->curvature,
                   v->moment, v->multiplier}};
}

static void check_places(const char *name, const char *call, wy_sim *sim, const places *want) {
  const places found = places_of(sim);
  bool same = found.view == want->view;
  for (int i = 0; i < 9; i++) {
    const wy_points *a = &found.points[i], *b = &want->points[i];
    same = same && a->values == b->values && a->s == b->s && a->count == b->count && a->components == b->components;
  }
  if (!same)
    fail_msg("%s: the view is somewhere else after %s", name, call);
}

/* Bindings give out arrays in the memory of views: it stays where it is through all that may happen in a motion. */
static void stays_in_motion(const char *scheme, wy_rod_kind kind, const char *name) {
  const wy_solver_def solver = solver_of(scheme);
  const double still[4] = {1, 0, 0, 0}, there[3] = {0, 0.01, 0};
  const wy_pose pose = {there, NULL, NULL, NULL};
  wy_message message = {0};
  test_sim made = swinging_rod(kind, &solver, still, nowhere);
  wy_sim *sim = made.sim;
  const size_t size = wy_sim_save_size(sim);
  void *saved = malloc(size);
  assert_non_null(saved);
  const places start = places_of(sim);
  must(wy_sim_save(sim, saved, size, &message), &message);
  must(wy_sim_step(sim, &message), &message);
  check_places(name, "a step", sim, &start);
  must(wy_sim_sample(sim, 0.0537, &message), &message);
  check_places(name, "a sample", sim, &start);
  must(wy_sim_advance(sim, 0.1, &message), &message);
  check_places(name, "advancing", sim, &start);
  must(wy_sim_move_end(sim, 0, WY_START, &pose, 0.05, &message), &message);
  must(wy_sim_advance(sim, 0.2, &message), &message);
  check_places(name, "moving an end", sim, &start);
  must(wy_sim_restore(sim, saved, size, &message), &message);
  check_places(name, "restoring", sim, &start);
  must(wy_sim_advance(sim, 0.1, &message), &message);
  check_places(name, "going on", sim, &start);
  free(saved);
  free_sim(&made);
}

/* And from one equilibrium to the next. */
static void stays_in_statics(const char *scheme, wy_rod_kind kind, const char *name) {
  const wy_solver_def solver = solver_of(scheme);
  wy_rod_def rod = plain_rod(kind);
  wy_message message = {0};
  wy_mode_set *modes = NULL;
  if (!wy_scheme_has_equilibria(scheme))
    return;
  rod.ends[WY_START] = wy_end_clamped();
  test_sim made = make_sim(&rod, NULL, 0, &solver, down);
  wy_sim *sim = made.sim;
  const places start = places_of(sim);
  must(wy_sim_settle(sim, 0, &message), &message);
  check_places(name, "settling", sim, &start);
  must(wy_sim_follow(sim, 1, &message), &message);
  check_places(name, "following", sim, &start);
  must(wy_sim_modes(sim, 0, 2, &modes, &message), &message);
  wy_mode_set_destroy(modes);
  check_places(name, "modes", sim, &start);
  const wy_status status = wy_sim_buckling(sim, 0, 1, 1, &modes, &message); /* there need not be a factor */
  assert_true(status == WY_OK || status == WY_ERROR_SOLVER);
  wy_mode_set_destroy(modes);
  check_places(name, "buckling", sim, &start);
  free_sim(&made);
}

static void views_stay_where_they_are(void **state) {
  (void)state;
  for_all_schemes(stays_in_motion);
  for_all_schemes(stays_in_statics);
}

/* ---- Running ---- */

static void push(const test_sim *made) {
  (void)made;
}

static void continues(const char *scheme, wy_rod_kind kind, const char *name) {
  const wy_solver_def solver = solver_of(scheme);
  const double still[4] = {1, 0, 0, 0};
  print_message("%s\n", name);
  test_sim first = swinging_rod(kind, &solver, still, nowhere), second = swinging_rod(kind, &solver, still, nowhere);
  check_snapshot_continues(&first, &second, push, 3);
}

static void saved_states_continue_bit_for_bit(void **state) {
  (void)state;
  for_all_schemes(continues);
}

static void steps_without_allocation(const char *scheme, wy_rod_kind kind, const char *name) {
#ifdef COUNTS_ALLOCATIONS
  const wy_solver_def solver = solver_of(scheme);
  const double still[4] = {1, 0, 0, 0};
  test_sim made = swinging_rod(kind, &solver, still, nowhere);
  const long before = allocations;
  use_everything(&made, push);
  if (allocations != before)
    fail_msg("%s: %ld allocations in steps", name, allocations - before);
  free_sim(&made);
#else
  (void)scheme, (void)kind, (void)name;
#endif
}

static void nothing_is_allocated_in_a_step(void **state) {
  (void)state;
  for_all_schemes(steps_without_allocation);
}

/* ---- Equilibria ---- */

/* A stiff cantilever under its weight sags by mu g L^4 / (8 EI) at the tip, and in shear by mu g L^2 / (2 GA): beams of
   order 2 on PLAIN_PIECES pieces are off by no more than twice 1 / PLAIN_PIECES^2 of it. */
static void sags(const char *scheme, wy_rod_kind kind, const char *name) {
  wy_solver_def solver = solver_of(scheme);
  wy_rod_def rod = plain_rod(kind);
  wy_message message = {0};
  if (!wy_scheme_has_equilibria(scheme))
    return;
  const double g[3] = {0, 0, -1e-4}, d1[3] = {0, 1, 0};
  wy_copy3(d1, rod.shape.d1); /* d2 = z: the weight bends about d1 */
  rod.ends[WY_START] = wy_end_clamped();
  test_sim made = make_sim(&rod, NULL, 0, &solver, g);
  must(wy_sim_settle(made.sim, 0, &message), &message);
  double tip[4], reaction[4];
  must(wy_sim_probe(made.sim, WY_POSITION, 0, 1, tip, &message), &message);
  must(wy_sim_probe(made.sim, WY_REACTION_FORCE, 0, 0, reaction, &message), &message);
  const double weight = 1.3 * 1e-4, want = -weight / (8 * 0.5) - (kind == WY_COSSERAT ? weight / (2 * 50) : 0);
  print_message("%s\n", name);
  check_close(tip[2], want, 2 * fabs(want) / (PLAIN_PIECES * PLAIN_PIECES));
  check_close(reaction[2], weight, 2 * weight / (PLAIN_PIECES * PLAIN_PIECES));
  free_sim(&made);
}

static void a_cantilever_sags_as_a_beam_does(void **state) {
  (void)state;
  for_all_schemes(sags);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_row_is_complete),
      cmocka_unit_test(an_undeformed_rod_without_loads_stays_at_rest),
      cmocka_unit_test(a_free_rod_falls_as_a_point_does),
      cmocka_unit_test(a_turned_and_shifted_rod_moves_alike),
      cmocka_unit_test(energy_is_balanced),
      cmocka_unit_test(views_are_complete),
      cmocka_unit_test(views_stay_where_they_are),
      cmocka_unit_test(saved_states_continue_bit_for_bit),
      cmocka_unit_test(nothing_is_allocated_in_a_step),
      cmocka_unit_test(a_cantilever_sags_as_a_beam_does),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
