/* SPDX-License-Identifier: MIT */
/* How rods of the mixed scheme begin to move: under a moment alone, with an end that moves at once, out of an
   equilibrium, spinning without any force; what a kink of a driven end's path does; loads that are not numbers; the
   smallest rod, of one element; and a taut rod that can only slide.

   Sizes are of order 1 and steps 0.01 to 0.1, so that round-off of energies and momenta is some 1e-14 (forces of 100
   over places with an error of 1e-16) times what is said where it is used. */
#include <string.h>

#include "check.h"
#include "support/published.h"

static const double round_off = 1e-12;

typedef void course(const void *context, wy_variable wrt, double s, double t, double jet[3]);

/* Straight along e1, soft, undamped, free. */
static example straight_rod(int elements, wy_rod_kind kind) {
  static const double stiffness[6] = {100, 120, 300, 2, 3, 1.5}, inertia[4] = {1, 0.02, 0.03, 0.04};
  example e = {.rod = wy_default_rod_def()};
  e.rod.name = "straight";
  e.rod.kind = kind;
  e.rod.length = 1;
  e.rod.segments = elements;
  e.rod.has_stiffness = e.rod.has_inertia = true;
  for (int i = 0; i < 6; i++)
    e.rod.stiffness[i] = wy_constant(stiffness[i]);
  for (int i = 0; i < 4; i++)
    e.rod.inertia[i] = wy_constant(inertia[i]);
  return e;
}

static wy_load_def *add_load(example *e, wy_load_place place) {
  wy_load_def *load = &e->loads[e->load_count++];
  *load = wy_default_load_def();
  load->place = place;
  load->to = 1;
  return load;
}

static void for_all(void (*check)(int order, wy_rod_kind kind)) {
  for (int order = 1; order <= 2; order++)
    for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++)
      check(order, (wy_rod_kind)kind);
}

/* One step that must succeed and balance: energy(t) - energy(start) = work - dissipated from the start. */
static wy_energy step_with_books(const test_sim *made, const wy_energy *start, double tolerance) {
  wy_message message = {0};
  must(wy_sim_step(made->sim, &message), &message);
  wy_energy now = wy_sim_energy(made->sim, 0);
  check_close(now.total - start->total, now.work - start->work - now.dissipated + start->dissipated, tolerance);
  return now;
}

/* ---- A moment alone ---- */

/* On a free rod angular momentum is what the moment has given; a clamped one is bent. No force is anywhere at work in
   the first step: it has to be measured by what the moment asks for. */
static void begins_to_turn(int order, wy_rod_kind kind) {
  static const wy_load_place places[3] = {WY_AT_END, WY_AT_ARC, WY_ALONG};
  for (int i = 0; i < 6; i++) {
    const bool clamped = i >= 3;
    example e = straight_rod(4, kind);
    wy_load_def *load = add_load(&e, places[i % 3]);
    load->moment[1] = wy_constant(0.1);
    load->moment[0] = wy_constant(i % 3 == 1 ? 0.05 : 0);
    load->from = places[i % 3] == WY_AT_ARC ? 0.6 : 0;
    if (clamped)
      e.rod.ends[WY_START] = wy_end_clamped();
    wy_solver_def solver = mixed_solver(order, 0.01);
    solver.newton.tolerance = 1e-13;
    test_sim made = simulate(&e, &solver);
    wy_energy start = wy_sim_energy(made.sim, 0), now = start;
    for (int n = 1; n <= 10; n++) {
      now = step_with_books(&made, &start, round_off);
      wy_momentum momentum = wy_sim_momentum(made.sim, 0);
      for (int k = 0; k < 3 && !clamped; k++) {
        check_close(momentum.angular[k], 0.01 * n * load->moment[k].value, round_off);
        check_close(momentum.linear[k], 0, round_off);
      }
    }
    check_above(now.kinetic, 1e-6);
    check_above(now.work, 1e-6);
    free_sim(&made);
  }
}

static void a_moment_alone_sets_a_rod_in_motion(void **state) {
  (void)state;
  for_all(begins_to_turn);
}

/* ---- Driven ends ---- */

static void straight_on(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)wrt, (void)s;
  const double v = *(const double *)context;
  jet[0] = v * t, jet[1] = v, jet[2] = 0;
}

/* Rests until t = 0.5, then moves with velocity 1. */
static void set_off(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)wrt, (void)s;
  jet[0] = t >= 0.5 ? t - 0.5 : 0, jet[1] = t >= 0.5, jet[2] = 0;
}

/* To and fro with velocities +-1, turning every 0.5. */
static void zigzag(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)wrt, (void)s;
  double x = t - floor(t);
  jet[0] = x < 0.5 ? x : 1 - x, jet[1] = x < 0.5 ? 1 : -1, jet[2] = 0;
}

static void swing(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)wrt, (void)s;
  jet[0] = 0.1 * sin(6 * t), jet[1] = 0.6 * cos(6 * t), jet[2] = -3.6 * sin(6 * t);
}

static void drive(example *e, int axis, course *path, const void *context) {
  e->rod.ends[WY_START].position[axis] = WY_DRIVEN;
  e->rod.ends[WY_START].path[axis] = (wy_signal){0, path, context, WY_TIME};
}

/* The velocity at the end is that of its path in every step, however far from rest that is; in energies, up to 200
   where the whole rod has v = 4 and is stopped, round-off is that of forces of 1e4 in steps of 0.01. */
static void moves_at_once(int order, wy_rod_kind kind) {
  static const double velocities[3] = {0.25, 1, 4}, steps[2] = {0.1, 0.01};
  for (int i = 0; i < 12; i++) {
    const double *v = &velocities[i % 3], h = steps[i / 3 % 2];
    example e = straight_rod(4, kind);
    e.rod.ends[WY_START] = wy_end_clamped();
    drive(&e, 1, straight_on, v);
    if (i >= 6)
      e.rod.damping = (wy_damping){.kind = WY_DAMPING_TIME, .time = wy_constant(0.02)};
    wy_solver_def solver = mixed_solver(order, h);
    solver.newton.tolerance = 1e-13;
    test_sim made = simulate(&e, &solver);
    wy_energy start = wy_sim_energy(made.sim, 0);
    for (int n = 1; n <= 20; n++) {
      double x[4], rate[4];
      step_with_books(&made, &start, round_off * fmax(1, *v * *v) * 10);
      probe(&made, WY_POSITION, 0, x);
      probe(&made, WY_VELOCITY, 0, rate);
      check_close(x[1], *v * n * h, 1e-13);
      check_close(rate[1], *v, 1e-13);
    }
    free_sim(&made);
  }
}

static void an_end_may_move_at_once(void **state) {
  (void)state;
  for_all(moves_at_once);
}

/* The amplitude with which a sequence swings from step to step: that of x = A (-1)^i. Second differences are 4 A there,
   and hardly anything where a sequence is smooth; their signs alternate, so that in the sum only the ends are left. */
static double ringing(const double *x, int count) {
  double sum = 0;
  for (int i = 1; i < count - 1; i++)
    sum += (i % 2 ? 1 : -1) * (x[i + 1] - 2 * x[i] + x[i - 1]);
  return fabs(sum) / (4 * (count - 2));
}

/* After a kink the velocity of the end is the new one at once, its reaction does not go on to swing by what stopping
   the end's own mass in every step would take, and no energy is lost or gained. */
static void follows_kinks(int order, bool pinned, course *path) {
  enum { STEPS = 64 };
  const double h = 1.0 / 32; /* kinks are at the ends of steps */
  example e = straight_rod(4, WY_COSSERAT);
  e.rod.ends[WY_START] = pinned ? wy_end_pinned() : wy_end_clamped();
  drive(&e, 1, path, NULL);
  e.rod.damping = (wy_damping){.kind = WY_DAMPING_TIME, .time = wy_constant(0.02)};
  e.gravity[2] = pinned ? -1 : 0;
  wy_solver_def solver = mixed_solver(order, h);
  solver.newton.tolerance = 1e-13;
  test_sim made = simulate(&e, &solver);
  wy_energy start = wy_sim_energy(made.sim, 0);
  double reaction[STEPS];
  for (int n = 1; n <= STEPS; n++) {
    double rate[4], force[4], jet[3];
    step_with_books(&made, &start, 10 * round_off);
    probe(&made, WY_VELOCITY, 0, rate);
    probe(&made, WY_REACTION_FORCE, 0, force);
    path(NULL, WY_TIME, 0, wy_sim_time(made.sim), jet);
    check_close(rate[1], jet[1], 1e-12);
    reaction[n - 1] = force[1];
  }
  /* The end's row of the mass matrix (an element has the mass 1/4) times a change of velocity by 1 within h. */
  const double stop = (order == 1 ? 0.5 : 1.0 / 6) * 0.25 / h;
  double swings = fmax(ringing(reaction + 20, 12), ringing(reaction + 52, 12));
  print_message("kink, order %d, %s: reaction swings by %.3g, %.3g with the end's mass\n", order,
                pinned ? "pinned" : "clamped", swings, stop);
  check_below(swings, 0.5 * stop); /* velocities of 1, -3, 1, -3 take 4 times that */
  free_sim(&made);
}

static void kinks_of_a_path_leave_no_trace(void **state) {
  (void)state;
  for (int order = 1; order <= 2; order++)
    for (int pinned = 0; pinned < 2; pinned++) {
      follows_kinks(order, pinned, set_off);
      follows_kinks(order, pinned, zigzag);
    }
}

/* ---- From an equilibrium into motion ---- */

/* Without loads the equilibrium is the undeformed rod: what follows must be the motion that begins there by itself,
   with an end that moves at once. Along the rod and across it. */
static void departs_like_from_the_start(int order, wy_rod_kind kind) {
  for (int axis = 0; axis < 2; axis++) {
    example e = straight_rod(4, kind);
    e.rod.ends[WY_START] = wy_end_clamped();
    drive(&e, axis, swing, NULL);
    wy_solver_def solver = mixed_solver(order, 0.01);
    solver.newton.tolerance = 1e-13;
    test_sim settled = simulate(&e, &solver), given = simulate(&e, &solver);
    wy_message message = {0};
    must(wy_sim_settle(settled.sim, 0, &message), &message);
    for (int n = 0; n < 20; n++) {
      must(wy_sim_step(settled.sim, &message), &message);
      must(wy_sim_step(given.sim, &message), &message);
      const wy_view *a = wy_sim_view(settled.sim, 0), *b = wy_sim_view(given.sim, 0);
      compare_vectors("settled", "positions", a->position.values, b->position.values, 3 * b->position.count, 1e-9);
      compare_vectors("settled", "velocities", a->velocity.values, b->velocity.values, 3 * b->velocity.count, 1e-9);
      compare_vectors("settled", "reactions", a->ends[0].reaction_force, b->ends[0].reaction_force, 3, 1e-6);
    }
    free_sim(&settled);
    free_sim(&given);
  }
}

/* A rod that hangs in gravity and is moved along: constrained rods move as a whole at once. Their tips have the
   velocity of the end, but for what the swinging of a sagging rod adds: its slope, 1/6 of L^3 / EI = 0.06 for the
   weight 1, times velocities of order 1. And the work that set them in motion is in the books. */
static void departs_as_a_whole(int order, wy_rod_kind kind) {
  example e = straight_rod(4, kind);
  e.rod.ends[WY_START] = wy_end_clamped();
  e.gravity[2] = -1;
  drive(&e, 0, swing, NULL);
  wy_solver_def solver = mixed_solver(order, 0.01);
  solver.newton.tolerance = 1e-13;
  solver.statics.newton_tolerance = 1e-12;
  test_sim made = simulate(&e, &solver);
  wy_message message = {0};
  must(wy_sim_settle(made.sim, 0, &message), &message);
  wy_energy start = wy_sim_energy(made.sim, 0);
  check_close(start.kinetic, 0, 0);
  for (int n = 1; n <= 20; n++) {
    double tip[4];
    step_with_books(&made, &start, 10 * round_off);
    probe(&made, WY_VELOCITY, 1, tip);
    if (kind == WY_INEXTENSIBLE)
      check_close(tip[0], 0.6 * cos(6 * wy_sim_time(made.sim)), 0.06);
  }
  free_sim(&made);
}

static void a_settled_rod_moves_with_its_end(void **state) {
  (void)state;
  for_all(departs_like_from_the_start);
  for_all(departs_as_a_whole);
}

/* A rod in balance stays as it is: what is shown between its first steps is what is shown at their ends. */
static void shows_the_same_at_any_time(int order, wy_rod_kind kind) {
  enum { NODES = 9 };
  example e = straight_rod(4, kind);
  e.rod.ends[WY_START] = wy_end_clamped();
  e.gravity[2] = -1;
  e.gravity[0] = 0.5;
  wy_solver_def solver = mixed_solver(order, 0.01);
  solver.statics.newton_tolerance = 1e-12;
  test_sim made = simulate(&e, &solver);
  wy_message message = {0};
  must(wy_sim_settle(made.sim, 0, &message), &message);
  double force[3], moment[3], multiplier[6 * NODES], stress[6 * NODES];
  for (int i = 0; i < 8; i++) {
    must(wy_sim_sample(made.sim, 0.003 * i, &message), &message);
    const wy_view *view = wy_sim_view(made.sim, 0);
    check_at_most(view->multiplier.count, NODES);
    check_at_most(view->force.count, 2 * NODES);
    if (i == 0) {
      memcpy(force, view->ends[0].reaction_force, sizeof force);
      memcpy(moment, view->ends[0].reaction_moment, sizeof moment);
      memcpy(multiplier, view->multiplier.values, sizeof(double) * 6 * (size_t)view->multiplier.count);
      memcpy(stress, view->force.values, sizeof(double) * 3 * (size_t)view->force.count);
      check_close(force[2], 1, 1e-9);
      check_close(force[0], -0.5, 1e-9);
    }
    /* what the tolerance of the equilibrium leaves, 1e-12, times stiffness over h */
    compare_vectors("rest", "reaction", view->ends[0].reaction_force, force, 3, 1e-7);
    compare_vectors("rest", "moment", view->ends[0].reaction_moment, moment, 3, 1e-7);
    compare_vectors("rest", "multipliers", view->multiplier.values, multiplier, 6 * view->multiplier.count, 1e-7);
    compare_vectors("rest", "forces", view->force.values, stress, 3 * view->force.count, 1e-7);
  }
  free_sim(&made);
}

static void a_rod_in_balance_shows_the_same_at_any_time(void **state) {
  (void)state;
  for_all(shows_the_same_at_any_time);
}

/* ---- Free rods ---- */

/* About its axis a rod spins on with all that it has; about another axis its momenta stay. Hardly any force is at work:
   round-off must not be taken for something out of balance. */
static void spins_on(int order, wy_rod_kind kind) {
  static const double spins[3][3] = {{0, 0, 7}, {1, 0, 0}, {0, 0.3, 0.2}}, steps[3] = {0.001, 0.01, 0.1};
  for (int i = 0; i < 9; i++) {
    const double *spin = spins[i % 3], h = steps[i / 3];
    example e = straight_rod(12, kind);
    for (int k = 0; k < 3; k++)
      e.rod.initial.angular_velocity[k] = wy_constant(spin[k]);
    wy_solver_def solver = mixed_solver(order, h);
    test_sim made = simulate(&e, &solver);
    wy_energy start = wy_sim_energy(made.sim, 0);
    wy_momentum before = wy_sim_momentum(made.sim, 0);
    wy_message message = {0};
    for (int n = 0; n < 20; n++)
      must(wy_sim_step(made.sim, &message), &message);
    wy_momentum after = wy_sim_momentum(made.sim, 0);
    wy_energy end = wy_sim_energy(made.sim, 0);
    check_above(start.kinetic, 1e-3);
    /* steps are solved to 1e-11 of the forces at work */
    check_close(end.total, start.total, 1e-9 * start.total);
    for (int k = 0; k < 3; k++) {
      check_close(after.angular[k], before.angular[k], 1e-9);
      check_close(after.linear[k], before.linear[k], 1e-9);
    }
    double rate[4];
    probe(&made, WY_ANGULAR_VELOCITY, 0.3, rate);
    if (i % 3 == 0)
      for (int k = 0; k < 3; k++)
        check_close(rate[k], spin[k], 1e-7);
    free_sim(&made);
  }
}

static void a_free_rod_spins_on(void **state) {
  (void)state;
  for_all(spins_on);
}

/* ---- Loads that are not numbers ---- */

static void nan_after_a_while(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)wrt, (void)s;
  jet[0] = t > 0.31 ? (double)NAN : 0, jet[1] = jet[2] = 0;
}

/* On a rod at rest, where nothing else tells that a force is not finite: three components of the force, of the moment,
   of a load along the rod, a tendon, a chamber. */
static void says_not_finite(int order, wy_rod_kind kind) {
  const wy_signal signal = {0, nan_after_a_while, NULL, WY_TIME};
  for (int c = 0; c < 9; c++) {
    example e = straight_rod(4, kind);
    e.rod.ends[WY_START] = wy_end_clamped();
    if (c < 3)
      add_load(&e, WY_AT_END)->force[c] = signal;
    else if (c < 6)
      add_load(&e, WY_AT_END)->moment[c - 3] = signal;
    else if (c == 6)
      add_load(&e, WY_ALONG)->force[1] = signal;
    else {
      e.actuator_count = 1;
      e.actuators[0] = wy_default_actuator_def();
      e.actuators[0].kind = c == 7 ? WY_TENDON : WY_PNEUMATIC;
      e.actuators[0].offset[0] = wy_constant(0.05);
      e.actuators[0].force = signal;
    }
    wy_solver_def solver = mixed_solver(order, 0.1);
    test_sim made = simulate(&e, &solver);
    wy_message message = {0};
    wy_status status = wy_sim_advance(made.sim, 1, &message);
    if (status != WY_ERROR_SOLVER || !strstr(message.text, "not finite") || !strstr(message.text, "straight"))
      fail_msg("order %d, model %d, component %d: status %d: %s", order, kind, c, (int)status, message.text);
    check_close(wy_sim_time(made.sim), 0.3, 1e-12); /* the middle of the next step is at 0.35 */
    check_close(wy_sim_energy(made.sim, 0).total, 0, 0);
    free_sim(&made);
  }
}

static void loads_that_are_not_numbers_are_errors(void **state) {
  (void)state;
  for_all(says_not_finite);
}

/* ---- One element ---- */

/* Statically determinate: forces and moments of a cantilever of one element are those of the load, and extension is
   that of the law. */
static void one_element_stands(int order, wy_rod_kind kind) {
  example e = straight_rod(1, kind);
  e.rod.stiffness[4] = e.rod.stiffness[3]; /* 2 */
  e.rod.ends[WY_START] = wy_end_clamped();
  wy_load_def *load = add_load(&e, WY_AT_END);
  load->force[0] = wy_constant(3);
  wy_solver_def solver = mixed_solver(order, 0.01);
  test_sim made = simulate(&e, &solver);
  wy_message message = {0};
  must(wy_sim_settle(made.sim, 0, &message), &message);
  double x[4], force[4], moment[4], reaction[4];
  probe(&made, WY_POSITION, 1, x);
  probe(&made, WY_FORCE, 0.5, force);
  check_close(x[0], kind == WY_INEXTENSIBLE ? 1 : 1 + 3.0 / 300, 1e-12);
  check_close(force[2], 3, 1e-11);
  static const double turning[3] = {0, 0.2, 0};
  must(wy_sim_set_load(made.sim, 0, NULL, turning, &message), &message);
  must(wy_sim_follow(made.sim, 0, &message), &message);
  probe(&made, WY_MOMENT, 0.5, moment);
  probe(&made, WY_REACTION_MOMENT, 0, reaction);
  probe(&made, WY_DIRECTOR3, 1, x);
  for (int k = 0; k < 3; k++)
    check_close(reaction[k], -turning[k], 1e-9);
  /* Order 1: the curvature of frames that differ by an angle is its sine, so that M = 2 sin(angle) and M cos(angle) =
     0.2 balance. Order 2 is two orders better than that, 1 - cos(0.1) = 5e-3: its terms of angle^4 are 1e-4. */
  const double angle = order == 1 ? 0.5 * asin(0.2) : 0.1, bent = order == 1 ? 0.2 / cos(angle) : 0.2;
  check_close(asin(-x[2]), angle, order == 1 ? 1e-9 : 0.1 * 1e-4);
  check_close(hypot(moment[0], moment[1]), bent, order == 1 ? 1e-9 : 0.2 * 1e-4);
  free_sim(&made);
}

static void one_element_moves(int order, wy_rod_kind kind) {
  example e = straight_rod(1, kind);
  e.rod.ends[WY_START] = wy_end_clamped();
  e.gravity[2] = -1;
  add_load(&e, WY_AT_END)->moment[0] = wy_constant(0.1);
  wy_solver_def solver = mixed_solver(order, 0.02);
  solver.newton.tolerance = 1e-13;
  test_sim made = simulate(&e, &solver);
  wy_energy start = wy_sim_energy(made.sim, 0), now = start;
  for (int n = 0; n < 20; n++)
    now = step_with_books(&made, &start, round_off);
  check_above(now.kinetic, 1e-3);
  free_sim(&made);
  memset(e.gravity, 0, sizeof e.gravity); /* free: its momentum is what the load gives */
  e.rod.ends[WY_START] = wy_end_free();
  made = simulate(&e, &solver);
  start = wy_sim_energy(made.sim, 0);
  for (int n = 0; n < 20; n++)
    step_with_books(&made, &start, round_off);
  check_close(wy_sim_momentum(made.sim, 0).angular[0], 0.04, round_off);
  free_sim(&made);
}

/* However few directions are left to it: under a force across it a rod of elements of order 1 bends by F L^3 / EI
   (1/3 - 1/(12 n^2)), the sum of rotations in the middles of elements (and shears by F L / 120), of order 2 by 1/3.
   Squares of the slope 0.005 are left out, and of what they shorten. */
static void few_elements_bend(int order, wy_rod_kind kind) {
  for (int n = 1; n <= 3; n++) {
    example e = straight_rod(n, kind);
    e.rod.stiffness[4] = e.rod.stiffness[3];
    e.rod.stiffness[1] = e.rod.stiffness[0];
    e.rod.ends[WY_START] = wy_end_clamped();
    add_load(&e, WY_AT_END)->force[1] = wy_constant(0.02);
    wy_solver_def solver = mixed_solver(order, 0.01);
    test_sim made = simulate(&e, &solver);
    wy_message message = {0};
    must(wy_sim_settle(made.sim, 0, &message), &message);
    double x[4], reaction[4];
    double want = 0.01 * (1.0 / 3 - (order == 1 ? 1.0 / (12 * n * n) : 0)) + (kind == WY_COSSERAT ? 2e-4 : 0);
    probe(&made, WY_POSITION, 1, x);
    probe(&made, WY_REACTION_FORCE, 0, reaction);
    if (!(fabs(x[1] - want) <= 1e-4 * want) || !(fabs(reaction[1] + 0.02) <= 1e-9))
      fail_msg("order %d, model %d, %d elements: tip at %.9g, want %.9g; reaction %.9g, want -0.02", order, kind, n,
               x[1], want, reaction[1]);
    free_sim(&made);
  }
}

static void one_element_is_a_rod_in_balance(void **state) {
  (void)state;
  for_all(one_element_stands);
}

static void few_elements_are_a_rod_that_bends(void **state) {
  (void)state;
  for_all(few_elements_bend);
}

static void one_element_is_a_rod_in_motion(void **state) {
  (void)state;
  for_all(one_element_moves);
}

/* ---- Taut rods ---- */

/* Straight and inextensible between two ends that are held across: it moves where one of them may slide. */
static void a_taut_rod_slides(void **state) {
  (void)state;
  for (int order = 1; order <= 2; order++)
    for (int loaded = 0; loaded < 2; loaded++) {
      example e = straight_rod(6, WY_INEXTENSIBLE);
      e.rod.ends[WY_START] = wy_end_clamped();
      e.rod.ends[WY_END] = wy_end_pinned();
      e.rod.ends[WY_END].position[0] = WY_FREE;
      e.gravity[2] = -9.81;
      wy_load_def *load = add_load(&e, WY_AT_ARC);
      load->from = 0.4;
      load->force[2] = wy_constant(loaded ? 5 : 0);
      wy_solver_def solver = mixed_solver(order, 0.01);
      solver.newton.tolerance = 1e-13;
      test_sim made = simulate(&e, &solver);
      wy_energy start = wy_sim_energy(made.sim, 0);
      double most = 0, x[4];
      for (int n = 0; n < 50; n++)
        most = fmax(most, step_with_books(&made, &start, 10 * round_off).kinetic);
      check_above(most, 5e-3); /* the weight of 1 sinks by 1e-3 and more */
      probe(&made, WY_POSITION, 1, x);
      check_below(x[0], 1);
      check_above(x[0], 0.9);
      check_close(x[2], 0, 1e-14);
      free_sim(&made);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_moment_alone_sets_a_rod_in_motion),
      cmocka_unit_test(an_end_may_move_at_once),
      cmocka_unit_test(kinks_of_a_path_leave_no_trace),
      cmocka_unit_test(a_settled_rod_moves_with_its_end),
      cmocka_unit_test(a_rod_in_balance_shows_the_same_at_any_time),
      cmocka_unit_test(a_free_rod_spins_on),
      cmocka_unit_test(loads_that_are_not_numbers_are_errors),
      cmocka_unit_test(one_element_is_a_rod_in_balance),
      cmocka_unit_test(few_elements_are_a_rod_that_bends),
      cmocka_unit_test(one_element_is_a_rod_in_motion),
      cmocka_unit_test(a_taut_rod_slides),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
