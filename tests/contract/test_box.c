/* SPDX-License-Identifier: MIT */
/* What the box scheme owes: Newton's method with exact derivatives, rest, rigid motions, lengths, orders in time and
   along the rod, ends that follow their paths or are released, damping, stiffnesses of all sizes (docs/theory/box.md).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "scheme/system.h"
#include "support/cases.h"
#include "support/moving.h"
#include "support/scheme_checks.h"

/* ---- Cases ---- */

static void stiffening(example *e) {
  e->rod.law = (wy_law){.kind = WY_STIFFENING_LAW, .bending = 0.3};
  e->rod.ends[WY_START] = wy_end_clamped();
  set_gravity(e);
}

static void all_but_branches(example *e) {
  damped_with_drag(e);
  e->rod.ends[WY_START] = driven_end();
  wy_load_def loads[RICH_LOADS];
  rich_loads(loads);
  memcpy(e->loads, loads, sizeof loads);
  e->load_count = RICH_LOADS;
}

static const named_case cases[] = {{"end loads", end_loads},
                                   {"end loads in body axes", body_end_loads},
                                   {"loads at arc lengths", loads_inside},
                                   {"loads along", loads_along},
                                   {"pinned in gravity", pinned_in_gravity},
                                   {"damped, with drag", damped_with_drag},
                                   {"driven start", driven_start},
                                   {"held at both ends", held_at_both_ends},
                                   {"released", released},
                                   {"moving from the start", moving_from_the_start},
                                   {"stiffening", stiffening},
                                   {"everything", all_but_branches}};
enum { CASES = sizeof cases / sizeof cases[0] };

typedef struct subject {
  char name[128];
  example e;
  wy_solver_def solver;
} subject;

static subject make_subject(const named_case *c, const box_form *f, double step) {
  subject s = {.e = plain_case(), .solver = box_solver(step)};
  c->build(&s.e);
  s.e.rod.kind = WY_INEXTENSIBLE;
  set_box_form(&s.solver, f);
  snprintf(s.name, sizeof s.name, "%s, rho %g, %s, force of the %s", c->name, f->rho,
           f->transport ? "transported" : "plain", f->force == WY_FORCE_STAGE ? "stage" : "history");
  return s;
}

static void for_all(void (*check)(const subject *s)) {
  for (int i = 0; i < CASES; i++)
    for (int k = 0; k < BOX_FORMS; k++) {
      subject s = make_subject(&cases[i], &box_forms[k], 0.02);
      check(&s);
      free_example(&s.e);
    }
}

static void must_step(const subject *s, const test_sim *made) {
  wy_message message = {0};
  if (wy_sim_step(made->sim, &message))
    fail_msg("%s: t = %g: %s", s->name, wy_sim_time(made->sim), message.text);
}

/* ---- Newton's method ---- */

static const double smallest_misfit = 1e-12;

/* What is out of balance after each correction: squared by the last ones if the derivatives are exact. */
static void corrections_square(const subject *s, wy_system *system, double *u, double t, double h) {
  const wy_step_type *step = system->type->step;
  double misfit[20], change, integrals[WY_INTEGRALS] = {0};
  int count = 0;
  check_at_least(step->complete(system, t, h, u), 0);
  step->begin(system, t, h, u, WY_GUESS_MOVING);
  assert_int_equal(step->residual(system, system->step_vector, &misfit[count++]), 0);
  while (count < 20 && misfit[count - 1] > smallest_misfit) {
    assert_int_equal(wy_step_correct(system, true, system->step_vector, &change), 0);
    assert_int_equal(step->residual(system, system->step_vector, &misfit[count++]), 0);
    double before = misfit[count - 2], allowed = 100 * before * before + smallest_misfit;
    if (count >= 3 && before < 1e-3 && !(misfit[count - 1] <= allowed))
      fail_msg("%s, t = %g, h = %g: correction %d leaves %.3g of %.3g, %.3g allowed", s->name, t, h, count - 1,
               misfit[count - 1], before, allowed);
  }
  if (count - 1 > 9)
    fail_msg("%s, t = %g, h = %g: %d corrections", s->name, t, h, count - 1);
  step->finish(system, u, integrals);
}

/* And the derivatives along any direction, where the last step has ended. */
static void newton_is_quadratic(const subject *s) {
  wy_model_def def = wy_default_model_def();
  memcpy(def.gravity, s->e.gravity, sizeof def.gravity);
  def.rods = &s->e.rod, def.rod_count = 1;
  def.loads = s->e.loads, def.load_count = s->e.load_count;
  test_system made = make_system(&def, &s->solver);
  double *u = state_array(&made);
  made.system->type->initial(made.system, u);
  for (int n = 0; n < 5; n++)
    corrections_square(s, made.system, u, 0.02 * n, 0.02);
  corrections_square(s, made.system, u, 0.1, 0.1);
  check_step_solves(made.system, s->name, 0.2, 0.02, u, &(unsigned){5});
  free(u);
  free_system(&made);
}

static void newton_converges_quadratically(void **state) {
  (void)state;
  for_all(newton_is_quadratic);
}

/* ---- What a step keeps ---- */

/* The piece between two nodes is an arc of the curvature in between: its length is that of the cell, and the frames at
   its ends are turned against each other by that curvature, to round-off. */
static void cells_keep_their_length(const subject *s) {
  test_sim made = start_moving(&s->e, &s->solver);
  for (int n = 0; n < 30; n++)
    must_step(s, &made);
  const wy_view *view = wy_sim_view(made.sim, 0);
  for (int i = 0; i + 1 < view->position.count; i++) {
    const double *x = view->position.values + 3 * i, *k = view->curvature.values + 3 * i;
    const double *a = view->frame.values + 4 * i, *b = a + 4;
    double h = view->position.s[i + 1] - view->position.s[i], mean[3], turn[4], same = 0, wanted[4];
    for (int c = 0; c < 3; c++)
      mean[c] = 0.5 * (k[c] + k[c + 3]);
    double bend = hypot(mean[0], mean[1]), all = sqrt(bend * bend + mean[2] * mean[2]);
    /* Chord of a helix: what is along the axis of rotation stays, what is across becomes 2 sin(angle / 2) / angle. */
    double along = all > 0 ? mean[2] / all : 1, half = 0.5 * h * all, across = half > 1e-8 ? sin(half) / half : 1;
    double chord = h * sqrt(along * along + (1 - along * along) * across * across);
    check_close(sqrt(pow(x[3] - x[0], 2) + pow(x[4] - x[1], 2) + pow(x[5] - x[2], 2)), chord, 1e-12);
    for (int c = 0; c < 3; c++)
      mean[c] *= h;
    wy_qexp(mean, turn);
    wy_qmul(a, turn, wanted);
    for (int c = 0; c < 4; c++)
      same += wanted[c] * b[c];
    check_close(fabs(same), 1, 1e-12);
  }
  wy_statistics statistics = wy_sim_statistics(made.sim, 0);
  check_below(statistics.position_drift, 0.1);
  free_sim(&made);
}

static void every_cell_is_an_arc_of_its_length(void **state) {
  (void)state;
  for_all(cells_keep_their_length);
}

static void an_unloaded_rod_stays_at_rest(void **state) {
  (void)state;
  for (int k = 0; k < BOX_FORMS; k++)
    for (int held = 0; held < 3; held++) {
      example e = plain_case();
      e.rod.kind = WY_INEXTENSIBLE;
      if (held > 0)
        e.rod.ends[WY_START] = held > 1 ? wy_end_clamped() : wy_end_pinned();
      wy_solver_def solver = box_solver(0.1);
      set_box_form(&solver, &box_forms[k]);
      test_sim made = start_moving(&e, &solver);
      double x[3 * 7];
      const wy_view *view = wy_sim_view(made.sim, 0);
      assert_int_equal(view->position.count, 7);
      memcpy(x, view->position.values, sizeof x);
      for (int n = 0; n < 100; n++)
        step_once(&made);
      view = wy_sim_view(made.sim, 0);
      for (int i = 0; i < 3 * 7; i++)
        check_close(view->position.values[i], x[i], 1e-12);
      check_close(wy_sim_energy(made.sim, 0).kinetic, 0, 1e-24);
      free_sim(&made);
    }
}

/* A free rod that falls through a medium: v' = -g - c v, in closed form; nothing bends. */
static void a_free_rod_falls_against_drag(void **state) {
  (void)state;
  double error[2];
  for (int i = 0; i < 2; i++) {
    example e = falling_cantilever(10);
    e.rod.ends[WY_START] = wy_end_free();
    e.rod.drag.translation = 2;
    wy_solver_def solver = box_solver(0.05 / (1 + i));
    test_sim made = start_moving(&e, &solver);
    move_to(&made, 1);
    double want[3] = {1, -0.5 * (1 - 0.5 * (1 - exp(-2))), 0};
    error[i] = distance(&made, 1, want);
    wy_energy now = wy_sim_energy(made.sim, 0);
    check_close(now.elastic, 0, 1e-16);
    check_close(now.kinetic, 0.5 * pow(0.5 * (1 - exp(-2)), 2), 1e-3);
    free_sim(&made);
  }
  print_message("falling against drag: %.2e %.2e\n", error[0], error[1]);
  check_close(log2(error[0] / error[1]), 2, 0.2);
}

/* A free rod that turns about its middle: only its tension keeps it together. One turn in 2 pi / 3; velocities do not
   change in the body, so that the steps have no error. */
static void a_free_rod_spins(void **state) {
  (void)state;
  const double pi = 3.14159265358979323846;
  for (int k = 0; k < BOX_FORMS; k++) {
    example e = falling_cantilever(10);
    memset(e.gravity, 0, sizeof e.gravity);
    e.rod.ends[WY_START] = wy_end_free();
    e.rod.initial.velocity[1] = example_signal(&e, "3*(s - 0.5)", 1);
    e.rod.initial.angular_velocity[1] = wy_constant(3); /* d1 is along y, d3 along x: d2 = d3 x d1 along z */
    wy_solver_def solver = box_solver(2 * pi / 300);
    set_box_form(&solver, &box_forms[k]);
    test_sim made = start_moving(&e, &solver);
    wy_momentum start = wy_sim_momentum(made.sim, 0);
    move_to(&made, 2 * pi / 3);
    wy_momentum now = wy_sim_momentum(made.sim, 0);
    check_close(distance(&made, 1, (double[3]){1, 0, 0}), 0, 1e-9);
    check_close(now.angular[2], start.angular[2], 1e-9);
    check_close(now.linear[0], 0, 1e-9);
    check_close(now.linear[1], 0, 1e-9);
    check_close(start.angular[2], 3 * (1.0 / 12 + 1e-4), 3.0 / 6 * 0.01 + 1e-12); /* sums over nodes: h^2 / 6 */
    free_sim(&made);
    free_example(&e);
  }
}

/* About its own axis: nothing but its sections turns. */
static void a_rod_that_spins_about_its_axis_has_the_momentum_of_its_sections(void **state) {
  (void)state;
  for (int k = 0; k < BOX_FORMS; k++) {
    example e = falling_cantilever(10);
    memset(e.gravity, 0, sizeof e.gravity);
    e.rod.ends[WY_START] = wy_end_free();
    e.rod.initial.angular_velocity[2] = wy_constant(3); /* d3 is along x */
    wy_solver_def solver = box_solver(0.01);
    set_box_form(&solver, &box_forms[k]);
    test_sim made = start_moving(&e, &solver);
    const double want = 3 * e.rod.length * wy_model_section(made.model, 0, 0).rotary[2];
    for (int i = 0; i < 2; i++) {
      check_close(wy_sim_momentum(made.sim, 0).angular[0], want, 1e-9 * want);
      move_to(&made, 0.5);
    }
    free_sim(&made);
    free_example(&e);
  }
}

static void rigid_motions_change_nothing(void **state) {
  (void)state;
  const double q0[4] = {0.5, -0.5, 0.1, 0.7}, shift[3] = {3, -2, 5};
  double q[4], r[9];
  memcpy(q, q0, sizeof q);
  wy_qnormalise(q);
  wy_qmatrix(q, r);
  for (int k = 0; k < BOX_FORMS; k++) {
    example here = falling_cantilever(8), there = here;
    here.rod.initial.twist = there.rod.initial.twist = example_signal(&here, "s*(2 - s)", 0.5);
    for (int i = 0; i < 3; i++) {
      there.rod.shape.direction[i] = r[3 * i], there.rod.shape.d1[i] = r[3 * i + 1];
      there.gravity[i] = -r[3 * i + 1];
      there.rod.shape.origin[i] = shift[i];
    }
    wy_solver_def solver = box_solver(0.02);
    set_box_form(&solver, &box_forms[k]);
    test_sim a = start_moving(&here, &solver), b = start_moving(&there, &solver);
    move_to(&a, 1);
    move_to(&b, 1);
    double x[4], want[3];
    probe(&a, WY_POSITION, 1, x);
    for (int i = 0; i < 3; i++)
      want[i] = shift[i] + r[3 * i] * x[0] + r[3 * i + 1] * x[1] + r[3 * i + 2] * x[2];
    check_close(distance(&b, 1, want), 0, 1e-9);
    free_sim(&a);
    free_sim(&b);
    free_example(&here);
  }
}

/* ---- Orders ---- */

/* In space, bent and twisted, pushed softly by all kinds of loads. */
static example soft_case(int cells) {
  example e = {.rod = rich_rod(cells)};
  e.rod.kind = WY_INEXTENSIBLE;
  e.rod.ends[WY_START] = wy_end_clamped();
  static const char *const courses[2] = {"sin(2*t)^2", "1 - cos(3*t)"};
  for (int i = 0; i < 4; i++) {
    wy_load_def *load =
        add_load(&e, i < 2 ? WY_AT_END : WY_ALONG, i % 2 ? WY_BODY_AXES : WY_SPACE_AXES, 0, e.rod.length);
    for (int k = 0; k < 3; k++) {
      load->force[k] = example_signal(&e, courses[k % 2], 0.15 * k - 0.1 * i + 0.1);
      load->moment[k] = example_signal(&e, courses[(k + i) % 2], 0.05 * k * k - 0.03 * i);
    }
  }
  return e;
}

static void soft_tip(int cells, const box_form *f, double step, double tip[4]) {
  example e = soft_case(cells);
  wy_solver_def solver = box_solver(step);
  set_box_form(&solver, f);
  test_sim made = start_moving(&e, &solver);
  move_to(&made, 1);
  probe(&made, WY_POSITION, e.rod.length, tip);
  free_sim(&made);
  free_example(&e);
}

static void steps_and_cells_are_of_second_order(void **state) {
  (void)state;
  for (int k = 0; k < BOX_FORMS; k++)
    for (int time = 0; time < 2; time++) {
      double tip[3][4];
      for (int i = 0; i < 3; i++)
        soft_tip(time ? 10 : 12 << i, &box_forms[k], time ? 0.02 / (1 << i) : 0.01, tip[i]);
      double coarse = apart(tip[0], tip[1]), fine = apart(tip[1], tip[2]), order = log2(coarse / fine);
      print_message("rho %g, %s, in %s: differences %.2e %.2e, order %.2f\n", box_forms[k].rho,
                    box_forms[k].transport ? "transported" : "plain", time ? "time" : "space", coarse, fine, order);
      check_close(order, 2, 0.2);
      check_below(coarse, 0.05);
    }
}

/* Rods that are curved in space, with steps that resolve their fastest waves: nothing grows. Elastic energy is less
   than twice what the end force, put on at once, does quasistatically, 2e-4. */
static void small_steps_are_stable(void **state) {
  (void)state;
  static const double steps[3] = {1e-3, 1e-4, 1e-5};
  for (int transport = 0; transport < 2; transport++)
    for (int i = 0; i < 3; i++) {
      example e = coil(25);
      wy_load_def *load = add_load(&e, WY_AT_END, WY_SPACE_AXES, 0, 0);
      load->force[2] = wy_constant(0.01);
      wy_solver_def solver = box_solver(steps[i]);
      solver.box.transport = transport;
      test_sim made = start_moving(&e, &solver);
      wy_message message = {0};
      double most = 0;
      for (int n = 0; n < 300; n++) {
        if (wy_sim_step(made.sim, &message))
          fail_msg("%s box, steps of %g: %s", transport ? "transported" : "plain", steps[i], message.text);
        most = fmax(most, wy_sim_energy(made.sim, 0).elastic);
      }
      check_below(most, 1e-3);
      free_sim(&made);
      free_example(&e);
    }
}

/* The balance of energy is not exact: it is met with the order of steps and cells. */
static double defect_of_energy(int cells, double step) {
  example e = soft_case(cells);
  wy_solver_def solver = box_solver(step);
  test_sim made = start_moving(&e, &solver);
  double start = wy_sim_energy(made.sim, 0).total;
  move_to(&made, 1);
  wy_energy now = wy_sim_energy(made.sim, 0);
  print_message("%d cells: work %.6g, dissipated %.6g, energy %.6g\n", cells, now.work, now.dissipated,
                now.total - start);
  check_above(now.dissipated, 0);
  check_above(fabs(now.work), 0.01);
  free_sim(&made);
  free_example(&e);
  return fabs(now.total - start - now.work + now.dissipated);
}

static void energy_is_balanced_to_second_order(void **state) {
  (void)state;
  double coarse = defect_of_energy(12, 0.02), fine = defect_of_energy(24, 0.01), finest = defect_of_energy(48, 0.005);
  print_message("defect %.2e %.2e %.2e\n", coarse, fine, finest);
  check_below(finest, 1e-3);
  check_above(log2(coarse / finest), 3.2);
}

/* ---- Ends ---- */

/* Both ends held in place and turned: where the rod is built from, that is to round-off; on the other side, which is
   held by velocities, with the error of the cells: at most `far`, in place and rotation. */
static void follow_paths(const box_form *f, int cells, double far[2]) {
  const double step = 0.01;
  example e = falling_cantilever(cells);
  memset(e.gravity, 0, sizeof e.gravity);
  e.rod.shape.curvature[1] = wy_constant(1);
  for (int end = 0; end < 2; end++) {
    e.rod.ends[end] = wy_end_clamped();
    e.rod.ends[end].rotation = WY_DRIVEN;
    e.rod.ends[end].axis[0] = e.rod.ends[end].axis[2] = 1;
    e.rod.ends[end].angle = example_signal(&e, "sin(t)^2", end ? 0.4 : -0.3);
  }
  wy_solver_def solver = box_solver(step);
  set_box_form(&solver, f);
  test_sim made = start_moving(&e, &solver);
  double x0[2][4], q0[2][4];
  far[0] = far[1] = 0;
  for (int end = 0; end < 2; end++) {
    probe(&made, WY_POSITION, end, x0[end]);
    probe(&made, WY_ROTATION, end, q0[end]);
  }
  for (int n = 1; n * step <= 1.5; n++) {
    step_once(&made);
    for (int end = 0; end < 2; end++) {
      double half = 0.5 * (end ? 0.4 : -0.3) * pow(sin(n * step), 2), x[4], q[4], want[4], same = 0;
      double turn[4] = {cos(half), sin(half) / sqrt(2), 0, sin(half) / sqrt(2)};
      probe(&made, WY_POSITION, end, x);
      probe(&made, WY_ROTATION, end, q);
      wy_qmul(turn, q0[end], want);
      for (int c = 0; c < 4; c++)
        same += q[c] * want[c];
      double off[2] = {apart(x, x0[end]), 2 * sqrt(fmax(0, 2 - 2 * fabs(same)))};
      if (end == 0) {
        check_close(off[0], 0, 1e-12);
        check_close(off[1], 0, 1e-7); /* the root of round-off */
      }
      for (int c = 0; end == 1 && c < 2; c++)
        far[c] = fmax(far[c], off[c]);
    }
  }
  free_sim(&made);
  free_example(&e);
}

static void ends_follow_their_paths(void **state) {
  (void)state;
  for (int k = 0; k < BOX_FORMS; k++) {
    double coarse[2], fine[2];
    follow_paths(&box_forms[k], 12, coarse);
    follow_paths(&box_forms[k], 24, fine);
    print_message("far end, rho %g, %s: place off by %.1e %.1e, rotation by %.1e %.1e\n", box_forms[k].rho,
                  box_forms[k].transport ? "transported" : "plain", coarse[0], fine[0], coarse[1], fine[1]);
    check_below(coarse[0], 3e-3);
    check_below(coarse[1], 1e-2);
    check_below(fine[0], 0.35 * coarse[0]);
  }
}

/* A held rod in gravity that is let go falls freely: its centre as a point. */
static void a_released_rod_falls(void **state) {
  (void)state;
  for (int k = 0; k < BOX_FORMS; k++) {
    example e = falling_cantilever(32);
    e.rod.ends[WY_START].release = 0.5;
    wy_solver_def solver = box_solver(0.0025);
    set_box_form(&solver, &box_forms[k]);
    test_sim made = start_moving(&e, &solver);
    move_to(&made, 0.52);
    wy_momentum before = wy_sim_momentum(made.sim, 0);
    assert_false(wy_sim_view(made.sim, 0)->ends[0].position_held);
    move_to(&made, 1.02);
    wy_momentum after = wy_sim_momentum(made.sim, 0);
    print_message("released, rho %g, %s: momentum %.2e, %.2e off\n", box_forms[k].rho,
                  box_forms[k].transport ? "transported" : "plain", after.linear[0] - before.linear[0],
                  after.linear[1] - before.linear[1] + 0.5);
    /* The release makes waves, which nothing damps with rho 1; sums over nodes see them with an error of second order.
     */
    check_close(after.linear[0], before.linear[0], 3e-3);
    check_close(after.linear[1], before.linear[1] - 0.5, 3e-3);
    check_close(after.centre_of_mass[1], before.centre_of_mass[1] + 0.5 * before.linear[1] - 0.125, 1e-3);
    free_sim(&made);
  }
}

/* ---- Materials ---- */

/* A cantilever that swings a little about its rest, damped with the time tau: its slowest mode, omega = 3.516
   sqrt(EI / mass), decays like exp(-tau omega^2 / 2 t). */
static void damping_is_that_of_the_material(void **state) {
  (void)state;
  const double omega = 3.51602 * sqrt(0.02), tau = 0.5, half = 3.14159265358979323846 / omega;
  example e = falling_cantilever(40);
  e.gravity[1] = -1e-4;
  e.rod.damping.kind = WY_DAMPING_TIME;
  e.rod.damping.time = wy_constant(tau);
  wy_solver_def solver = box_solver(half / 200);
  solver.box.rho_inf = 1;
  test_sim made = start_moving(&e, &solver);
  double swing[4], rest = -1e-4 / (8 * 0.02), x[4];
  for (int n = 1; n <= 4; n++) {
    move_to(&made, half * n);
    probe(&made, WY_POSITION, 1, x);
    swing[n - 1] = fabs(x[1] - rest);
  }
  double rate = log(swing[1] / swing[3]) / (2 * half), want = 0.5 * tau * omega * omega;
  print_message("decay %.5f, of the continuous rod %.5f\n", rate, want);
  check_close(rate, want, 0.02 * want); /* rotary inertia, higher modes, cells: 1e-3; phase by damping: zeta^2 */
  wy_energy now = wy_sim_energy(made.sim, 0);
  check_above(now.dissipated, 0);
  free_sim(&made);
}

/* A hair (EI 1e-9) and a steel wire (EI 50), each with the step of its own vibrations: the same motion in other units
   gives the same configuration. mass = 1 -> mu, EI -> EI factor, gravity so that the configuration is the same, time
   scale. */
static void units_do_not_matter(void **state) {
  (void)state;
  static const double masses[3] = {1, 6.6e-6, 10}, bendings[3] = {0.02, 8e-9, 5e3}, lengths[3] = {1, 0.25, 5};
  double tips[3][4];
  for (int i = 0; i < 3; i++) {
    const double length = lengths[i], mass = masses[i], bending = bendings[i];
    /* B1 in units of length, mass per length and bending: time sqrt(mass L^4 / EI), gravity EI / (mass L^3). */
    const double time = sqrt(mass * pow(length, 4) / bending * 0.02);
    example e = falling_cantilever(20);
    e.rod.length = length;
    for (int k = 3; k < 6; k++)
      e.rod.stiffness[k] = wy_constant(bending);
    for (int k = 0; k < 4; k++)
      e.rod.inertia[k] = wy_constant(mass * (k == 0 ? 1 : k == 3 ? 2e-4 * length * length : 1e-4 * length * length));
    e.gravity[1] = -bending / 0.02 / (mass * pow(length, 3));
    wy_solver_def solver = box_solver(0.01 * time);
    test_sim made = start_moving(&e, &solver);
    move_to(&made, 2 * time);
    probe(&made, WY_POSITION, length, tips[i]);
    for (int k = 0; k < 3; k++)
      tips[i][k] /= length;
    free_sim(&made);
  }
  for (int i = 1; i < 3; i++)
    check_close(apart(tips[i], tips[0]), 0, 1e-8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(newton_converges_quadratically),
      cmocka_unit_test(every_cell_is_an_arc_of_its_length),
      cmocka_unit_test(an_unloaded_rod_stays_at_rest),
      cmocka_unit_test(a_free_rod_falls_against_drag),
      cmocka_unit_test(a_free_rod_spins),
      cmocka_unit_test(a_rod_that_spins_about_its_axis_has_the_momentum_of_its_sections),
      cmocka_unit_test(rigid_motions_change_nothing),
      cmocka_unit_test(steps_and_cells_are_of_second_order),
      cmocka_unit_test(small_steps_are_stable),
      cmocka_unit_test(energy_is_balanced_to_second_order),
      cmocka_unit_test(ends_follow_their_paths),
      cmocka_unit_test(a_released_rod_falls),
      cmocka_unit_test(damping_is_that_of_the_material),
      cmocka_unit_test(units_do_not_matter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
