/* SPDX-License-Identifier: MIT */
/* Joined mixed rods that touch obstacles: they move as one rod where a weld makes them one, keep energy and momentum to
   round-off with steps of any length, agree with staggered rods, and rest with their whole weight on a floor. The rods
   are rubber, radius 5 mm. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/allocations.h"
#include "support/moving.h"
#include "support/network_scenes.h"

static const double radius = 5e-3, gravity = 9.81;
static const double hit = 4.035449e-4; /* pi sqrt(mass / k'), the duration of a flat hit with a linear skin */

typedef struct scene {
  test_network net;
  wy_obstacle_def floor;
  wy_contact_def contact;
} scene;

static wy_rod_def rubber(int segments) {
  wy_rod_def rod = wy_default_rod_def();
  rod.segments = segments;
  rod.section.shape = WY_CIRCLE;
  rod.section.radius.value = radius;
  rod.material.given = true;
  rod.material.density.value = 1100, rod.material.young.value = 5e6, rod.material.poisson.value = 0.5;
  return rod;
}

/* A floor below nothing yet. Slip and speed of friction are given: their defaults know the length of a rod. */
static void begin_scene(scene *out, double friction, double restitution) {
  memset(out, 0, sizeof *out);
  begin_network(&out->net);
  out->floor = wy_default_obstacle_def();
  out->floor.name = "floor";
  out->contact = wy_default_contact_def();
  out->contact.friction = friction, out->contact.restitution = restitution;
  out->contact.slip = 5e-5, out->contact.speed = 3e-3;
  out->net.model.gravity[2] = -gravity;
  out->net.model.obstacles = &out->floor, out->net.model.obstacle_count = 1;
  out->net.model.contact = &out->contact;
}

static void throw(scene * at, const double velocity[3]) {
  for (int i = 0; i < at->net.model.rod_count; i++)
    for (int k = 0; k < 3; k++)
      at->net.rods[i].initial.velocity[k].value = velocity[k];
  for (int i = 0; i < at->net.model.body_count; i++)
    memcpy(at->net.bodies[i].velocity, velocity, sizeof at->net.bodies[i].velocity);
}

/* ---- A weld in line ---- */

/* One rod of length 0.5, or pieces of it, thrown at a slant of 20 degrees: both of its ends after a hit. */
static void throw_pieces(int pieces, int order, wy_rod_kind kind, double ends[2][3]) {
  const double x = cos(0.35), z = sin(0.35), velocity[3] = {0.5, 0.2, -0.2};
  scene at;
  begin_scene(&at, 0.3, 0.5);
  wy_rod_def like = rubber(12 / pieces);
  like.kind = kind;
  for (int i = 0; i < pieces; i++) {
    const double s = 0.5 * i / pieces, e = 0.5 * (i + 1) / pieces;
    const double from[3] = {s * x, 0, 0.02 + s * z}, to[3] = {e * x, 0, 0.02 + e * z};
    add_rod(&at.net, &like, from, to);
  }
  join_all(&at.net, WY_WELD);
  throw(&at, velocity);
  const wy_solver_def solver = mixed_solver(order, 1e-4);
  test_sim made = make_network(&at.net, &solver, false, 1);
  move_to(&made, 0.1);
  place_of(&made, 0, WY_START, ends[0]), place_of(&made, pieces - 1, WY_END, ends[1]);
  const wy_energy energy = wy_sim_energy(made.sim, WY_ALL_RODS);
  check_above(energy.friction, 1e-5);
  check_above(energy.impact, 1e-5);
  free_sim(&made);
}

/* The elements of the pieces are those of the whole, and so are their stations: no cap acts at the weld. A straight
   inextensible piece between two joints is refused, so that there are two. */
static void a_weld_is_an_inner_node(void **state) {
  (void)state;
  for (int order = 1; order <= 2; order++)
    for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
      double want[2][3], got[2][3];
      throw_pieces(1, order, (wy_rod_kind)kind, want);
      for (int pieces = 2; pieces <= (kind == WY_INEXTENSIBLE ? 2 : 3); pieces++) {
        throw_pieces(pieces, order, (wy_rod_kind)kind, got);
        /* what Newton's method leaves, 1e-10 of forces, and the hits that it is carried through */
        check_below(apart(got[0], want[0]), 1e-9);
        check_below(apart(got[1], want[1]), 1e-9);
      }
    }
}

/* ---- What steps keep ---- */

/* Three rods: an elbow, a ball joint, and at its end a body with a spring back to the elbow's rod. */
static void set_chain(scene *at, double friction, double restitution, int segments) {
  const double a[3] = {0, 0, 0.03}, b[3] = {0.2, 0, 0.06}, c[3] = {0.22, 0.2, 0.05}, d[3] = {0.3, 0.25, 0.2},
               velocity[3] = {0.5, 0.2, -0.5};
  const wy_rod_def like = rubber(segments);
  begin_scene(at, friction, restitution);
  wy_body_def *body = add_body(&at->net, 0.02);
  body->name = "bob";
  memcpy(body->origin, d, sizeof body->origin);
  body->origin[2] += 0.01;
  for (int k = 0; k < 3; k++)
    body->inertia[k] = (1.5 - 0.2 * k) * 1e-6;
  add_rod(&at->net, &like, a, b), add_rod(&at->net, &like, b, c), add_rod(&at->net, &like, c, d);
  const int elbow = add_joint(&at->net, WY_WELD), ball = add_joint(&at->net, WY_BALL),
            top = add_joint(&at->net, WY_WELD);
  add_end(&at->net, elbow, 0, WY_END), add_end(&at->net, elbow, 1, WY_START);
  add_end(&at->net, ball, 1, WY_END), add_end(&at->net, ball, 2, WY_START);
  add_end(&at->net, top, 2, WY_END), add_port(&at->net, top, port_at(&at->net, 0, d));
  wy_spring_def *spring = &at->net.springs[at->net.model.spring_count++];
  *spring = wy_default_spring_def();
  spring->ports[0] = wy_port_on_body(0, 0, 0, 0), spring->ports[1] = wy_port_on_rod(0, at->net.rods[0].length);
  spring->stiffness = 5, spring->length = 0.3;
  throw(at, velocity);
}

static void rise(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const double *rate = context;
  (void)s;
  jet[0] = *rate * t, jet[1] = wrt == WY_TIME ? *rate : 0, jet[2] = 0;
}

static void rise_from_floor(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  rise(context, wrt, s, t, jet);
  jet[0] += radius;
}

/* A floor that comes up, and moves along itself as a belt. */
static void set_moving(scene *at) {
  static const double rate = 0.05;
  at->floor.position[2] = (wy_signal){0, rise, &rate, WY_TIME};
  at->floor.surface_velocity[0] = -0.3;
}

/* How far round-off may take the balance, over the energy. 1e-16 of a place near the floor, times stiffness times
   depth, is 1e-13. Velocities are known to 1e-16 of 0.4 m over the step: to 1e-12 of them where it is 0.04 ms, which
   adds up like the root of 2500 steps. */
static double round_off(double step) {
  return step < 0.5 * hit ? 5e-11 : 1e-11;
}

static void check_balance(int order, double step, double friction, double restitution, bool moving, double end) {
  scene at;
  wy_message message = {0};
  double worst = 0, most = 0;
  set_chain(&at, friction, restitution, 5);
  wy_solver_def solver = mixed_solver(order, step);
  solver.newton.tolerance = 1e-13; /* what Newton's method leaves would add up, too */
  if (moving)
    set_moving(&at);
  test_sim made = make_network(&at.net, &solver, false, 1);
  const wy_energy start = wy_sim_energy(made.sim, WY_ALL_RODS);
  const wy_momentum thrown = wy_sim_momentum(made.sim, WY_ALL_RODS);
  while (wy_sim_time(made.sim) < end) {
    must(wy_sim_step(made.sim, &message), &message);
    const wy_energy now = wy_sim_energy(made.sim, WY_ALL_RODS);
    worst = fmax(worst, fabs(now.total - now.work + now.dissipated - start.total));
    most = fmax(most, now.contact);
  }
  const wy_energy now = wy_sim_energy(made.sim, WY_ALL_RODS);
  check_below(worst, round_off(step) * start.total);
  check_above(most, 1e-5 * start.total);
  check_close(now.friction + now.impact, now.dissipated, 1e-12);
  if (friction > 0)
    check_above(now.friction, 1e-3 * start.total);
  if (moving)
    check_above(fabs(now.work), 1e-3 * start.total);
  const wy_momentum last = wy_sim_momentum(made.sim, WY_ALL_RODS);
  for (int k = 0; friction == 0 && k < 2; k++) /* a floor without friction leaves it alone along itself */
    check_close(last.linear[k], thrown.linear[k], 1e-10 * thrown.linear[0]);
  free_sim(&made);
}

static void steps_keep_energy_and_momentum(void **state) {
  (void)state;
  for (int order = 1; order <= 2; order++)
    for (int k = 0; k < 3; k++) {
      const double step = hit * (k == 0 ? 0.1 : k == 1 ? 1 : 10), end = k == 0 ? 0.1 : 0.2;
      check_balance(order, step, 0, 1, false, end);
      check_balance(order, step, 0.3, 0.5, false, end);
      check_balance(order, step, 0.3, 0.5, true, end);
    }
}

/* ---- Bodies that carry obstacles ---- */

static void sway(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const double *size = context, rate = 25;
  (void)s;
  jet[0] = *size * sin(rate * t);
  jet[1] = wrt == WY_TIME ? *size * rate * cos(rate * t) : 0;
  jet[2] = wrt == WY_TIME ? -*size * rate * rate * sin(rate * t) : 0;
}

static void sway_from_drum(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  sway(context, wrt, s, t, jet);
  jet[0] -= 0.185;
}

/* The chain on a drum that goes up and down and turns: by itself, or carried by a body that does. */
static void set_drum(scene *at, bool carried) {
  static const double height = 4e-3, turn = 0.3;
  const wy_signal about = {0, sway, &turn, WY_TIME};
  set_chain(at, 0.3, 0.5, 5);
  wy_obstacle_def *drum = &at->floor;
  drum->shape = WY_OBSTACLE_CYLINDER, drum->radius = 0.2, drum->length = INFINITY;
  drum->axis[0] = 0, drum->axis[1] = 1, drum->axis[2] = 0;
  drum->position[0].value = 0.1, drum->position[2].value = -0.185;
  if (!carried) {
    drum->position[2] = (wy_signal){0, sway_from_drum, &height, WY_TIME};
    drum->rotation_axis[1] = 1, drum->rotation_axis[2] = 0, drum->angle = about;
    return;
  }
  drum->body = at->net.model.body_count;
  drum->position[0].value = drum->position[2].value = 0;
  wy_body_def *body = add_body(&at->net, 2);
  body->name = "axle";
  body->origin[0] = 0.1, body->origin[2] = -0.185;
  body->position[0] = body->position[1] = WY_HELD;
  body->position[2] = body->rotation = WY_DRIVEN;
  body->path[2] = (wy_signal){0, sway_from_drum, &height, WY_TIME};
  body->axis[1] = 1, body->axis[2] = 0, body->angle = about;
  for (int k = 0; k < 3; k++)
    body->inertia[k] = 0.03 + 0.01 * k;
}

/* A driven body takes the drum along, exactly; what it needs for itself is known, and in the balance. */
static void driven_bodies_carry_obstacles(void **state) {
  (void)state;
  double tip[2][3];
  for (int carried = 0; carried < 2; carried++) {
    scene at;
    wy_message message = {0};
    wy_body_state axle, before;
    double worst = 0;
    set_drum(&at, carried);
    wy_solver_def solver = mixed_solver(2, 2e-4);
    solver.newton.tolerance = 1e-13;
    test_sim made = make_network(&at.net, &solver, false, 1);
    const wy_energy start = wy_sim_energy(made.sim, WY_ALL_RODS);
    for (int i = 0; i < 400; i++) {
      if (carried)
        must(wy_sim_body(made.sim, 1, &before, &message), &message);
      move_to(&made, 2e-4 * (i + 1)); /* both groups */
      const wy_energy now = wy_sim_energy(made.sim, WY_ALL_RODS);
      worst = fmax(worst, fabs(now.total - now.work + now.dissipated - start.total));
      if (!carried)
        continue;
      const double t = wy_sim_time(made.sim), w = 25;
      must(wy_sim_body(made.sim, 1, &axle, &message), &message);
      check_close(axle.position[2], 4e-3 * sin(w * t) - 0.185, 1e-14);
      check_close(axle.velocity[2], 4e-3 * w * cos(w * t), 1e-13);
      check_close(axle.angular_velocity[1], 0.3 * w * cos(w * t), 1e-12);
      /* in the middle of the step, which is shown */
      check_close(axle.reaction_force[2], 2 * ((axle.velocity[2] - before.velocity[2]) / 2e-4 + gravity), 1e-9);
    }
    check_below(worst, 1e-11 * start.kinetic);
    check_above(wy_sim_energy(made.sim, WY_ALL_RODS).friction, 1e-3 * start.kinetic);
    place_of(&made, 2, WY_END, tip[carried]);
    free_sim(&made);
  }
  check_below(apart(tip[0], tip[1]), 1e-9); /* what Newton's method leaves */
}

/* A body that is held, and moved on demand, takes rods along. */
static void bodies_are_moved(void **state) {
  (void)state;
  scene at;
  wy_message message = {0};
  wy_body_state lift;
  double place[3];
  begin_scene(&at, 0.3, 0.5);
  const double from[3] = {0, 0, radius - 2e-5}, to[3] = {0.2, 0, radius - 2e-5}, end[3] = {0.4, 0, radius - 2e-5};
  const wy_rod_def like = rubber(4);
  add_rod(&at.net, &like, from, to), add_rod(&at.net, &like, to, end);
  join_all(&at.net, WY_WELD);
  wy_body_def *body = add_body(&at.net, 2);
  body->name = "lift";
  for (int k = 0; k < 3; k++)
    body->inertia[k] = 1, body->position[k] = WY_HELD;
  body->rotation = WY_HELD;
  at.floor.body = 0;
  const wy_solver_def solver = mixed_solver(2, 1e-3);
  test_sim made = make_network(&at.net, &solver, false, 1);
  const double target[3] = {0, 0, 0.05};
  const wy_pose pose = {.position = target};
  move_to(&made, 0.05);
  must(wy_sim_move_body(made.sim, 0, &pose, 0.2, &message), &message);
  move_to(&made, 0.15);
  must(wy_sim_body(made.sim, 0, &lift, &message), &message);
  check_close(lift.position[2], 0.025, 1e-12); /* half way: a cubic */
  check_close(lift.velocity[2], 1.5 * 0.05 / 0.2, 1e-12);
  move_to(&made, 0.4);
  must(wy_sim_body(made.sim, 0, &lift, &message), &message);
  check_close(lift.position[2], 0.05, 1e-15);
  place_of(&made, 1, WY_END, place);
  check_close(place[2], 0.05 + radius - 2.187668639e-05, 1e-6);
  free_sim(&made);
}

/* ---- Two schemes ---- */

/* The chain bounces without losses: its elbow and its body. */
static void drop(const wy_solver_def *solver, int segments, double t, double places[2][3]) {
  scene at;
  wy_body_state body;
  wy_message message = {0};
  set_chain(&at, 0, 1, segments);
  test_sim made = make_network(&at.net, solver, false, 1);
  move_to(&made, t);
  place_of(&made, 0, WY_END, places[0]);
  must(wy_sim_body(made.sim, 0, &body, &message), &message);
  memcpy(places[1], body.position, sizeof body.position);
  free_sim(&made);
}

/* Elements and segments cut rods in different ways: what a floor does to them is the same in the limit. */
static void mixed_and_staggered_rods_agree(void **state) {
  (void)state;
  double far[2] = {0, 0};
  for (int fine = 0; fine < 2; fine++) {
    wy_solver_def staggered = wy_default_solver_def();
    const wy_solver_def mixed = mixed_solver(2, 2e-5);
    double a[2][3], b[2][3];
    staggered.integrator = "radau5";
    staggered.relative_tolerance = staggered.absolute_tolerance = 1e-7;
    drop(&staggered, fine ? 24 : 8, 0.06, a);
    drop(&mixed, fine ? 24 : 8, 0.06, b);
    for (int k = 0; k < 2; k++)
      far[fine] = fmax(far[fine], apart(a[k], b[k]));
  }
  check_below(far[1], far[0] / 6); /* both are of second order: about a ninth */
}

/* ---- Snapshots ---- */

static void snapshots_continue_bit_for_bit(void **state) {
  (void)state;
  for (int order = 1; order <= 2; order++) {
    scene at;
    wy_message message = {0};
    set_chain(&at, 0.3, 0.5, 4);
    const wy_solver_def solver = mixed_solver(order, 2e-4);
    test_sim made = make_network(&at.net, &solver, false, 1), again = make_network(&at.net, &solver, false, 1);
    const size_t size = wy_sim_save_size(made.sim);
    void *saved = malloc(size);
    while (wy_sim_energy(made.sim, WY_ALL_RODS).friction < 1e-6) /* springs of friction are stretched */
      must(wy_sim_step(made.sim, &message), &message);
    check_above(wy_sim_energy(made.sim, WY_ALL_RODS).contact, 0);
    must(wy_sim_save(made.sim, saved, size, &message), &message);
    must(wy_sim_restore(again.sim, saved, size, &message), &message);
#ifdef COUNTS_ALLOCATIONS
    const long before = allocations;
#endif
    for (int i = 0; i < 40; i++) {
      must(wy_sim_step(made.sim, &message), &message);
      must(wy_sim_step(again.sim, &message), &message);
    }
#ifdef COUNTS_ALLOCATIONS
    assert_int_equal(allocations - before, 0);
#endif
    same_state(&made, &again);
    free(saved);
    free_sim(&made), free_sim(&again);
  }
}

/* ---- Nothing passes ---- */

/* A step that would carry the chain through the floor: it bounces, or, much faster than its own waves, the run ends
   with a message. Never is a node on the other side. */
static void nothing_passes(void **state) {
  (void)state;
  for (int fast = 0; fast < 2; fast++) {
    scene at;
    wy_message message = {0};
    wy_status status = WY_OK;
    const double velocity[3] = {0, 0, fast ? -100 : -1.5};
    set_chain(&at, 0.3, 0.5, 4);
    throw(&at, velocity);
    const wy_solver_def solver = mixed_solver(2, 5e-3);
    test_sim made = make_network(&at.net, &solver, false, 1);
    while (!status && wy_sim_time(made.sim) < 0.05) {
      status = wy_sim_step(made.sim, &message);
      for (int i = 0; i < 3; i++) {
        const wy_view *view = wy_sim_view(made.sim, i);
        for (int k = 0; k < view->position.count; k++)
          check_above(view->position.values[3 * k + 2], 0);
      }
    }
    assert_int_equal(status != WY_OK, fast);
    assert_true(!fast || strstr(message.text, "obstacle 'floor'"));
    free_sim(&made);
  }
}

/* ---- At rest ---- */

/* Three rods in a row on a floor, with a weld and a ball. */
static void set_row(scene *at, double friction, double height) {
  begin_scene(at, friction, 0.5);
  const wy_rod_def like = rubber(6);
  for (int i = 0; i < 3; i++) {
    const double from[3] = {0.2 * i, 0, height}, to[3] = {0.2 * (i + 1), 0, height};
    add_rod(&at->net, &like, from, to);
  }
  const int weld = add_joint(&at->net, WY_WELD), ball = add_joint(&at->net, WY_BALL);
  add_end(&at->net, weld, 0, WY_END), add_end(&at->net, weld, 1, WY_START);
  add_end(&at->net, ball, 1, WY_END), add_end(&at->net, ball, 2, WY_START);
}

static void a_chain_lies_on_a_floor(void **state) {
  (void)state;
  for (int order = 1; order <= 2; order++)
    for (int i = 0; i < 4; i++) { /* with and without friction, on the floor and above it */
      scene at;
      wy_message message = {0};
      wy_obstacle_state all, one;
      set_row(&at, i % 2 ? 0.3 : 0, i / 2 ? 0.03 : radius);
      at.contact.settle = i / 2 > 0;
      const wy_solver_def solver = mixed_solver(order, 0);
      test_sim made = make_network(&at.net, &solver, true, INFINITY);
      must(wy_sim_settle(made.sim, 0, &message), &message);
      const double weight = 1100 * 3.14159265358979323846 * 25e-6 * 0.6 * gravity;
      must(wy_sim_obstacle(made.sim, 0, WY_ALL_RODS, &all, &message), &message);
      check_close(all.force[2], weight, 1e-9 * weight);
      check_close(all.force[0], 0, 1e-9 * weight);
      for (int k = 0; k < 3; k++) {
        double place[3];
        must(wy_sim_obstacle(made.sim, 0, k, &one, &message), &message);
        check_close(one.force[2], weight / 3, 1e-7 * weight);
        place_of(&made, k, WY_END, place);
        check_close(radius - place[2], 2.187668639e-05, 1e-11);
      }
      free_sim(&made);
    }
}

/* Vibrations of a rod that lies on a floor, clamped at one end: of one piece, or of three. */
static void lying_modes(int pieces, int order, double omega[5]) {
  scene at;
  wy_message message = {0};
  wy_mode_set *modes;
  begin_scene(&at, 0, 0.5);
  const wy_rod_def like = rubber(12 / pieces);
  for (int i = 0; i < pieces; i++) {
    const double from[3] = {0.3 * i / pieces, 0, radius - 2e-5}, to[3] = {0.3 * (i + 1) / pieces, 0, radius - 2e-5};
    add_rod(&at.net, &like, from, to);
  }
  join_all(&at.net, WY_WELD);
  at.net.rods[0].ends[WY_START] = wy_end_clamped();
  const wy_solver_def solver = mixed_solver(order, 0);
  test_sim made = make_network(&at.net, &solver, true, INFINITY);
  must(wy_sim_settle(made.sim, 0, &message), &message);
  must(wy_sim_modes(made.sim, 0, 5, &modes, &message), &message);
  assert_int_equal(modes->count, 5);
  memcpy(omega, modes->omega, 5 * sizeof *omega);
  wy_mode_set_destroy(modes);
  free_sim(&made);
}

static void pieces_on_a_floor_vibrate_as_one(void **state) {
  (void)state;
  for (int order = 1; order <= 2; order++) {
    double one[5], three[5];
    lying_modes(1, order, one), lying_modes(3, order, three);
    check_above(one[0], 1);
    for (int i = 0; i < 5; i++)
      check_close(three[i] / one[i], 1, 1e-7);
  }
}

/* Its first end is lifted, and pulled away until all that touches slides: friction is 0.3 of what the floor carries,
   and what it does not carry hangs on the end. */
static void a_chain_is_dragged(void **state) {
  (void)state;
  static const double up = 0.03, along = -0.02, weight = 1100 * 3.14159265358979323846 * 25e-6 * 0.6 * gravity;
  for (int order = 1; order <= 2; order++) {
    scene at;
    wy_message message = {0};
    wy_obstacle_state floor;
    double pull[4];
    set_row(&at, 0.3, radius);
    wy_end *end = &at.net.rods[0].ends[WY_START];
    end->position[0] = end->position[2] = WY_DRIVEN, end->position[1] = WY_HELD;
    end->path[0] = (wy_signal){0, rise, &along, WY_TIME};
    end->path[2] = (wy_signal){0, rise_from_floor, &up, WY_TIME};
    const wy_solver_def solver = mixed_solver(order, 0);
    test_sim made = make_network(&at.net, &solver, true, 1);
    must(wy_sim_settle(made.sim, 0, &message), &message);
    must(wy_sim_follow(made.sim, 1, &message), &message);
    must(wy_sim_obstacle(made.sim, 0, WY_ALL_RODS, &floor, &message), &message);
    must(wy_sim_probe(made.sim, WY_REACTION_FORCE, 0, 0, pull, &message), &message);
    check_close(floor.force[2] + pull[2], weight, 1e-8 * weight);
    check_close(floor.force[0] + pull[0], 0, 1e-8 * weight);
    check_close(floor.force[0], 0.3 * floor.force[2], 1e-4 * weight); /* all but the last of the springs is stretched */
    check_above(pull[2], 0.05 * weight);
    free_sim(&made);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_weld_is_an_inner_node),
                                     cmocka_unit_test(steps_keep_energy_and_momentum),
                                     cmocka_unit_test(driven_bodies_carry_obstacles),
                                     cmocka_unit_test(bodies_are_moved),
                                     cmocka_unit_test(mixed_and_staggered_rods_agree),
                                     cmocka_unit_test(snapshots_continue_bit_for_bit),
                                     cmocka_unit_test(nothing_passes),
                                     cmocka_unit_test(a_chain_lies_on_a_floor),
                                     cmocka_unit_test(a_chain_is_dragged),
                                     cmocka_unit_test(pieces_on_a_floor_vibrate_as_one)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
