/* SPDX-License-Identifier: MIT */
/* Chambers and tendons against solutions that no scheme owns. Without other loads the sections of a cantilever carry
   nothing, so that strains follow pointwise from the balance of material and actuator: circles, and curves that are
   integrated here. And what a simulation owes its users: work, reactions, probes, changes between steps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "support/published.h"

static const double pi = 3.14159265358979323846;

/* ---- The soft arm: a silicone cylinder, clamped at its start, along z, d1 along x ---- */

static const double arm_length = 0.1755, arm_young = 6e5, arm_shear = 2e5, arm_radius = 0.015;

static wy_rod_def soft_arm(wy_rod_kind kind, int segments) {
  wy_rod_def rod = example_of(wy_scene_arm(segments, WY_ARM_AT_REST)).rod;
  rod.kind = kind;
  return rod;
}

static void arm_stiffness(double stiffness[6]) {
  double area = pi * arm_radius * arm_radius, second = pi * pow(arm_radius, 4) / 4;
  stiffness[0] = stiffness[1] = arm_shear * area, stiffness[2] = arm_young * area;
  stiffness[3] = stiffness[4] = arm_young * second, stiffness[5] = arm_shear * 2 * second;
}

static wy_actuator_def straight(wy_actuator_kind kind, double x, double y, double force) {
  wy_actuator_def actuator = wy_default_actuator_def();
  actuator.kind = kind;
  actuator.offset[0] = wy_constant(x), actuator.offset[1] = wy_constant(y);
  actuator.force = wy_constant(force);
  return actuator;
}

/* Around the rod at the distance of the context, by 30 radians a metre: almost once. */
static const double winding = 30;

static void helix_x(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const double a = *(const double *)context;
  (void)t, (void)wrt;
  jet[0] = a * cos(winding * s), jet[1] = -a * winding * sin(winding * s), jet[2] = -winding * winding * jet[0];
}

static void helix_y(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const double a = *(const double *)context;
  (void)t, (void)wrt;
  jet[0] = a * sin(winding * s), jet[1] = a * winding * cos(winding * s), jet[2] = -winding * winding * jet[0];
}

static wy_actuator_def helical_tendon(double tension) {
  static const double distance = 0.008;
  wy_actuator_def actuator = straight(WY_TENDON, 0, 0, tension);
  actuator.offset[0] = (wy_signal){0, helix_x, &distance, WY_ARC};
  actuator.offset[1] = (wy_signal){0, helix_y, &distance, WY_ARC};
  return actuator;
}

typedef struct setting {
  wy_rod_kind kind;
  const wy_actuator_def *actuators;
  int actuator_count;
  const wy_load_def *load;
  bool clamped_tip;
} setting;

static test_sim make_arm(const wy_rod_def *rod, const setting *with, const wy_solver_def *solver) {
  test_sim made = {0};
  wy_message message = {0};
  wy_model_def def = wy_default_model_def();
  def.rods = rod, def.rod_count = 1;
  def.actuators = with->actuators, def.actuator_count = with->actuator_count;
  def.loads = with->load, def.load_count = with->load ? 1 : 0;
  wy_sim_def sim = wy_default_sim_def();
  sim.statics = true;
  sim.solver = *solver;
  if (wy_model_create(&def, &made.model, &message) || wy_sim_create(made.model, &sim, &made.sim, &message))
    fail_msg("%s: %s", message.path, message.text);
  return made;
}

static test_sim settled_arm(const setting *with, int segments) {
  wy_rod_def rod = soft_arm(with->kind, segments);
  wy_solver_def solver = wy_default_solver_def();
  if (with->clamped_tip)
    rod.ends[1] = wy_end_clamped();
  test_sim made = make_arm(&rod, with, &solver);
  wy_message message = {0};
  if (wy_sim_settle(made.sim, 0, &message))
    fail_msg("%s", message.text);
  return made;
}

/* ---- Curves without loads ---- */

/* Position and d3 of the tip. */
typedef struct tip {
  double x[3], d3[3];
} tip;

typedef struct known_tip {
  setting with;
  tip tip;
} known_tip;

static tip tip_of(const test_sim *made) {
  double x[4], d3[4];
  tip out;
  wy_sim_probe(made->sim, WY_POSITION, 0, arm_length, x, NULL);
  wy_sim_probe(made->sim, WY_DIRECTOR3, 0, arm_length, d3, NULL);
  memcpy(out.x, x, sizeof out.x), memcpy(out.d3, d3, sizeof out.d3);
  return out;
}

/* The larger of the distance over the length and the angle. */
static double difference(const tip *a, const tip *b) {
  double far = 0, turned = 0;
  for (int k = 0; k < 3; k++) {
    far += (a->x[k] - b->x[k]) * (a->x[k] - b->x[k]);
    turned += (a->d3[k] - b->d3[k]) * (a->d3[k] - b->d3[k]);
  }
  return fmax(sqrt(far) / arm_length, sqrt(turned));
}

static double tip_error(int segments, const void *context) {
  const known_tip *known = context;
  test_sim made = settled_arm(&known->with, segments);
  tip got = tip_of(&made);
  free_sim(&made);
  return difference(&got, &known->tip);
}

/* A circle of curvature (k1, k2, 0), stretched: it bends about (k1, k2), towards (k2, -k1). */
static tip circle_tip(double stretch, double k1, double k2) {
  double k = sqrt(k1 * k1 + k2 * k2), angle = k * arm_length, out = stretch * (1 - cos(angle)) / k;
  return (tip){{out * k2 / k, -out * k1 / k, stretch * sin(angle) / k},
               {sin(angle) * k2 / k, -sin(angle) * k1 / k, cos(angle)}};
}

/* The published number (0.06023936, 0, 0.15631857) is the circle of 1 - T / EA and T rho / EI. */
static void a_straight_tendon_makes_a_circle(void **state) {
  (void)state;
  double stiffness[6];
  arm_stiffness(stiffness);
  wy_actuator_def tendon = straight(WY_TENDON, 0.01, 0, 10);
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
    known_tip known = {.with = {.kind = (wy_rod_kind)kind, .actuators = &tendon, .actuator_count = 1}};
    known.tip = circle_tip(kind == WY_INEXTENSIBLE ? 1 : 1 - 10 / stiffness[2], 0, 0.1 / stiffness[4]);
    if (kind != WY_INEXTENSIBLE) {
      check_close(known.tip.x[0], 0.06023936, 1e-8);
      check_close(known.tip.x[2], 0.15631857, 1e-8);
    }
    second_order("tendon, circle", tip_error, &known, 5, 0.02);
  }
}

static void a_chamber_makes_a_circle(void **state) {
  (void)state;
  double stiffness[6];
  arm_stiffness(stiffness);
  const double force = -12, x = 0.004, y = -0.009;
  wy_actuator_def chamber = straight(WY_PNEUMATIC, x, y, force);
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
    known_tip known = {.with = {.kind = (wy_rod_kind)kind, .actuators = &chamber, .actuator_count = 1}};
    double stretch = kind == WY_INEXTENSIBLE ? 1 : 1 - force / stiffness[2];
    known.tip = circle_tip(stretch, -force * y / stiffness[3], force * x / stiffness[4]);
    check_below(known.tip.x[0], 0);
    check_above(known.tip.x[1], 0); /* away from the chamber */
    second_order("chamber, circle", tip_error, &known, 5, 0.02);
  }
}

/* Strains where the material carries what the tendon's pull needs, C (X - e3) = -T t, C K = -rho x T t, by iteration;
   the curve by steps that are exact for constant strains, of second order: its error is 1e-6 of that of 20 segments. */
static tip integrated_tip(const wy_actuator_def *tendon, wy_rod_kind kind) {
  enum { STEPS = 20000 };
  double stiffness[6], q[4] = {1, 0, 0, 0}, r[9];
  tip out = {{0}, {0}};
  arm_stiffness(stiffness);
  for (int i = 0; i < STEPS; i++) {
    double s = (i + 0.5) * arm_length / STEPS, step = arm_length / STEPS, rho[3] = {0}, slope[3] = {0};
    double x[3] = {0, 0, 1}, k[3] = {0}, moment[3], turn[3], next[4], half[4], dx[3];
    for (int j = 0; j < 2; j++) {
      double jet[3] = {tendon->offset[j].value, 0, 0};
      if (tendon->offset[j].evaluate)
        tendon->offset[j].evaluate(tendon->offset[j].context, WY_ARC, s, 0, jet);
      rho[j] = jet[0], slope[j] = jet[1];
    }
    for (int round = 0; round < 60; round++) {
      double pull[3];
      wy_cross3(k, rho, pull);
      for (int j = 0; j < 3; j++)
        pull[j] += x[j] + slope[j];
      double scale = tendon->force.value / wy_norm3(pull);
      for (int j = 0; j < 3; j++)
        pull[j] *= scale;
      wy_cross3(rho, pull, moment);
      for (int j = 0; j < 3; j++) {
        bool held = kind == WY_INEXTENSIBLE || (kind == WY_KIRCHHOFF && j < 2);
        x[j] = (j == 2) - (held ? 0 : pull[j] / stiffness[j]);
        k[j] = -moment[j] / stiffness[3 + j];
      }
    }
    for (int j = 0; j < 3; j++)
      turn[j] = 0.5 * step * k[j];
    wy_qexp(turn, half);
    wy_qmul(q, half, next);
    wy_qmatrix(next, r);
    wy_mul3(r, x, dx);
    wy_add3(out.x, step, dx);
    wy_qmul(next, half, q);
  }
  wy_qmatrix(q, r);
  for (int j = 0; j < 3; j++)
    out.d3[j] = r[3 * j + 2];
  return out;
}

static void a_tendon_around_the_rod_makes_the_integrated_curve(void **state) {
  (void)state;
  wy_actuator_def plain = straight(WY_TENDON, 0.01, 0, 10), tendon = helical_tendon(25);
  double stiffness[6];
  arm_stiffness(stiffness);
  tip circle = circle_tip(1 - 10 / stiffness[2], 0, 0.1 / stiffness[4]), curve = integrated_tip(&plain, WY_COSSERAT);
  check_close(difference(&curve, &circle), 0, 1e-9); /* the curve is exact for constant strains, to round-off */
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
    known_tip known = {.with = {.kind = (wy_rod_kind)kind, .actuators = &tendon, .actuator_count = 1}};
    known.tip = integrated_tip(&tendon, (wy_rod_kind)kind);
    check_above(fabs(known.tip.x[0]) + fabs(known.tip.x[1]), 0.02 * arm_length); /* far from straight */
    second_order("tendon, helix", tip_error, &known, 20, 0.02);
  }
}

/* ---- With other loads: the difference of two grids falls by four ---- */

static double grid_difference(int segments, const void *context) {
  tip tips[2];
  for (int k = 0; k < 2; k++) {
    test_sim made = settled_arm(context, segments << k);
    double middle[4];
    tips[k] = tip_of(&made);
    if (((const setting *)context)->clamped_tip) { /* whose tip stays: the middle instead */
      wy_sim_probe(made.sim, WY_POSITION, 0, 0.5 * arm_length, middle, NULL);
      memcpy(tips[k].x, middle, sizeof tips[k].x);
      wy_sim_probe(made.sim, WY_DIRECTOR3, 0, 0.5 * arm_length, middle, NULL);
      memcpy(tips[k].d3, middle, sizeof tips[k].d3);
    }
    free_sim(&made);
  }
  return difference(&tips[0], &tips[1]);
}

static wy_load_def tip_load(wy_axes axes, const double force[3], const double moment[3]) {
  wy_load_def load = wy_default_load_def();
  load.place = WY_AT_END;
  load.axes = axes;
  for (int k = 0; k < 3; k++)
    load.force[k] = wy_constant(force[k]), load.moment[k] = wy_constant(moment[k]);
  return load;
}

static void second_order_with_loads_at_the_tip(void **state) {
  (void)state;
  const double force[3] = {0.2, -0.3, 0.1}, moment[3] = {0.02, 0.01, -0.015}, none[3] = {0, 0, 0};
  wy_actuator_def actuators[3] = {helical_tendon(20), straight(WY_TENDON, 0.01, 0, 5),
                                  straight(WY_PNEUMATIC, -0.006, 0.007, -8)};
  for (int axes = WY_SPACE_AXES; axes <= WY_BODY_AXES; axes++)
    for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
      wy_load_def load = tip_load((wy_axes)axes, force, axes == WY_SPACE_AXES ? moment : none);
      setting with = {.kind = (wy_rod_kind)kind, .actuators = actuators, .actuator_count = 3, .load = &load};
      second_order(axes == WY_SPACE_AXES ? "tip load in space" : "tip load on the rod", grid_difference, &with, 20,
                   0.02);
    }
  /* Bent strongly by the actuators alone: the force would point elsewhere with another frame at the tip. */
  const double across[3] = {0.6, 0, 0};
  wy_actuator_def bending[2] = {straight(WY_PNEUMATIC, 0, 0.01, -15), straight(WY_TENDON, 0.003, -0.01, 10)};
  wy_load_def follower = tip_load(WY_BODY_AXES, across, none);
  setting bent = {.kind = WY_COSSERAT, .actuators = bending, .actuator_count = 2, .load = &follower};
  second_order("tip force on the bent rod", grid_difference, &bent, 10, 0.05);
  setting between = {.kind = WY_COSSERAT, .actuators = actuators, .actuator_count = 3, .clamped_tip = true};
  second_order("between two clamps", grid_difference, &between, 20, 0.02);
}

/* ---- Sections and supports ---- */

/* What the sections carry in all is what acts beyond them, whatever the actuators do. */
static void sections_and_supports_carry_the_loads_only(void **state) {
  (void)state;
  const double force[3] = {0.2, -0.3, 0.1}, none[3] = {0, 0, 0};
  wy_actuator_def actuators[3] = {helical_tendon(20), straight(WY_TENDON, 0.01, 0, 5),
                                  straight(WY_PNEUMATIC, -0.006, 0.007, -8)};
  for (int loaded = 0; loaded < 2; loaded++)
    for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
      wy_load_def load = tip_load(WY_SPACE_AXES, force, none);
      setting with = {.kind = (wy_rod_kind)kind, .actuators = actuators, .actuator_count = 3};
      with.load = loaded ? &load : NULL;
      test_sim made = settled_arm(&with, 12);
      const wy_view *view = wy_sim_view(made.sim, 0);
      const double *x = view->position.values;
      /* Equilibria are found to 1e-10 in angle or so: forces of 30 N to 1e-8, moments to 1e-9. */
      for (int i = 0; i < view->force.count; i++) {
        double r[9], space[3];
        wy_qmatrix(view->frame.values + 4 * i, r);
        wy_mul3(r, view->force.values + 3 * i, space);
        for (int k = 0; k < 3; k++)
          check_close(space[k], loaded ? force[k] : 0, 1e-7);
      }
      if (!loaded)
        for (int i = 0; i < 3 * view->moment.count; i++)
          check_close(view->moment.values[i], 0, 1e-8);
      double arm[3], want[3];
      for (int k = 0; k < 3; k++)
        arm[k] = x[3 * 12 + k] - x[k];
      wy_cross3(arm, force, want);
      for (int k = 0; k < 3; k++) {
        check_close(view->ends[0].reaction_force[k], loaded ? -force[k] : 0, 1e-7);
        check_close(view->ends[0].reaction_moment[k], loaded ? -want[k] : 0, 1e-8);
      }
      free_sim(&made);
    }
}

/* ---- Stability ---- */

/* A tendon in the centre line presses the rod together but always along it: far beyond Euler's load (pi^2 EI / 4 L^2 =
   1.9 N) a rod that keeps its length does not buckle, and vibrates as without it. */
static void a_central_tendon_does_not_buckle_the_rod(void **state) {
  (void)state;
  enum { MODES = 6 };
  double omega[2][MODES];
  for (int pulled = 0; pulled < 2; pulled++) {
    wy_actuator_def tendon = straight(WY_TENDON, 0, 0, 40);
    setting with = {.kind = WY_INEXTENSIBLE, .actuators = &tendon, .actuator_count = pulled};
    test_sim made = settled_arm(&with, 16);
    wy_message message = {0};
    wy_mode_set *modes = NULL;
    must(wy_sim_modes(made.sim, 0, MODES, &modes, &message), &message);
    memcpy(omega[pulled], modes->omega, sizeof omega[pulled]);
    wy_mode_set_destroy(modes);
    free_sim(&made);
  }
  for (int k = 0; k < MODES; k++) /* an eigenvalue of the sixth part of a condition of 1e6 */
    check_close(omega[1][k] / omega[0][k], 1, 1e-8);
}

/* ---- Motion ---- */

static wy_rod_def damped_arm(wy_rod_kind kind, int segments) {
  wy_rod_def rod = soft_arm(kind, segments);
  double stiffness[6];
  arm_stiffness(stiffness);
  rod.damping.kind = WY_DAMPING_COEFFICIENTS;
  for (int k = 0; k < 6; k++)
    rod.damping.coefficient[k] = wy_constant(2e-3 * stiffness[k]);
  return rod;
}

static void rising(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const double most = *(const double *)context, rate = 8 * pi;
  (void)s, (void)wrt;
  jet[0] = 0.5 * most * (1 - cos(rate * t));
  jet[1] = 0.5 * most * rate * sin(rate * t), jet[2] = 0.5 * most * rate * rate * cos(rate * t);
}

static const double strongest_pull = 8, strongest_push = -10;

static void moving_actuators(wy_actuator_def actuators[2]) {
  actuators[0] = helical_tendon(0);
  actuators[0].force = (wy_signal){0, rising, &strongest_pull, WY_TIME};
  actuators[1] = straight(WY_PNEUMATIC, 0.005, 0.006, 0);
  actuators[1].force = (wy_signal){0, rising, &strongest_push, WY_TIME};
}

static wy_solver_def solver_of(const char *integrator, wy_coordinates form, double tolerance) {
  wy_solver_def solver = wy_default_solver_def();
  solver.integrator = integrator;
  solver.relative_tolerance = solver.absolute_tolerance = tolerance;
  solver.staggered.coordinates = form;
  return solver;
}

/* All integrators and forms move alike, and the books of energy are kept. */
static void motion_is_the_same_for_all_methods_and_its_work_is_kept(void **state) {
  (void)state;
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
    tip first = {{0}, {0}};
    for (int m = 0; ode_integrator(m); m++)
      for (int form = WY_NULLSPACE; form <= WY_ABSOLUTE; form++) {
        wy_actuator_def actuators[2];
        moving_actuators(actuators);
        wy_rod_def rod = damped_arm((wy_rod_kind)kind, 8);
        setting with = {.kind = (wy_rod_kind)kind, .actuators = actuators, .actuator_count = 2};
        wy_solver_def solver = solver_of(ode_integrator(m), (wy_coordinates)form, 1e-7);
        test_sim made = make_arm(&rod, &with, &solver);
        wy_message message = {0};
        double before = wy_sim_energy(made.sim, 0).total;
        must(wy_sim_advance(made.sim, 0.1, &message), &message);
        wy_energy energy = wy_sim_energy(made.sim, 0);
        tip now = tip_of(&made);
        if (m == 0 && form == WY_NULLSPACE)
          first = now;
        else
          check_close(difference(&now, &first), 0, 1e-5); /* a hundred times the tolerance of a step */
        assert_true(energy.work > 1e-3 && energy.dissipated > 1e-4);
        check_close(energy.total - before, energy.work - energy.dissipated, 1e-5 * energy.work);
        free_sim(&made);
      }
  }
}

static double moving_difference(int segments, const void *context) {
  tip tips[2];
  for (int k = 0; k < 2; k++) {
    wy_actuator_def actuators[2];
    moving_actuators(actuators);
    wy_rod_def rod = damped_arm(*(const wy_rod_kind *)context, segments << k);
    setting with = {.kind = rod.kind, .actuators = actuators, .actuator_count = 2};
    wy_solver_def solver = solver_of("radau5", WY_NULLSPACE, 1e-7);
    test_sim made = make_arm(&rod, &with, &solver);
    wy_message message = {0};
    must(wy_sim_advance(made.sim, 0.08, &message), &message);
    tips[k] = tip_of(&made);
    free_sim(&made);
  }
  return difference(&tips[0], &tips[1]);
}

static void motion_converges_with_second_order(void **state) {
  (void)state;
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++)
    second_order("motion", moving_difference, &(wy_rod_kind){(wy_rod_kind)kind}, 10, 0.05);
}

/* The Jacobian with tendons is exact: RADAU5 needs about as many iterations a step as it does without them. */
static void tendons_do_not_cost_iterations(void **state) {
  (void)state;
  for (int form = WY_NULLSPACE; form <= WY_ABSOLUTE; form++) {
    double each[2];
    for (int pulled = 0; pulled < 2; pulled++) {
      wy_actuator_def actuators[2];
      moving_actuators(actuators);
      wy_rod_def rod = soft_arm(WY_COSSERAT, 20);
      setting with = {.actuators = actuators + (pulled ? 0 : 1), .actuator_count = pulled ? 2 : 1};
      wy_solver_def solver = solver_of("radau5", (wy_coordinates)form, 1e-5);
      test_sim made = make_arm(&rod, &with, &solver);
      wy_message message = {0};
      must(wy_sim_advance(made.sim, 0.1, &message), &message);
      wy_statistics statistics = wy_sim_statistics(made.sim, 0);
      each[pulled] = (double)statistics.newton_iterations / (double)(statistics.steps + statistics.rejected);
      free_sim(&made);
    }
    if (!(each[1] < 1.25 * each[0]))
      fail_msg("%.3g iterations a step with tendons, %.3g without", each[1], each[0]);
  }
}

/* A tension set between steps acts as one of the model's own, is part of a snapshot, and goes again. */
static void actuators_are_set_between_steps(void **state) {
  (void)state;
  wy_actuator_def own = straight(WY_TENDON, 0.01, 0.002, 3), other = straight(WY_TENDON, 0.01, 0.002, 0.5);
  wy_rod_def rod = soft_arm(WY_COSSERAT, 8);
  wy_message message = {0};
  for (int m = 0; ode_integrator(m); m++) {
    wy_solver_def solver = solver_of(ode_integrator(m), WY_NULLSPACE, 1e-6);
    test_sim model = make_arm(&rod, &(setting){.actuators = &own, .actuator_count = 1}, &solver);
    test_sim set = make_arm(&rod, &(setting){.actuators = &other, .actuator_count = 1}, &solver);
    must(wy_sim_set_actuator(set.sim, 0, &(double){3}, &message), &message);
    must(wy_sim_advance(model.sim, 0.02, &message), &message);
    must(wy_sim_advance(set.sim, 0.02, &message), &message);
    tip want = tip_of(&model), got = tip_of(&set);
    check_close(difference(&got, &want), 0, 1e-4); /* a hundred times the tolerance of a step: the first ones differ */
    size_t size = wy_sim_save_size(set.sim);
    void *snapshot = malloc(size);
    assert_non_null(snapshot);
    must(wy_sim_save(set.sim, snapshot, size, &message), &message);
    must(wy_sim_advance(set.sim, 0.04, &message), &message);
    tip pulled = tip_of(&set), again, slack;
    must(wy_sim_set_actuator(set.sim, 0, NULL, &message), &message);
    must(wy_sim_restore(set.sim, snapshot, size, &message), &message);
    must(wy_sim_advance(set.sim, 0.04, &message), &message);
    again = tip_of(&set);
    assert_memory_equal(&again, &pulled, sizeof again);
    must(wy_sim_restore(set.sim, snapshot, size, &message), &message);
    must(wy_sim_set_actuator(set.sim, 0, NULL, &message), &message);
    must(wy_sim_advance(set.sim, 0.04, &message), &message);
    slack = tip_of(&set);
    check_above(difference(&slack, &pulled), 0.01);
    assert_int_not_equal(wy_sim_set_actuator(set.sim, 0, &(double){-1}, &message), WY_OK);
    free(snapshot);
    free_sim(&model), free_sim(&set);
  }
}

/* Equilibria go along with what is set, and back. */
static void equilibria_follow_what_is_set(void **state) {
  (void)state;
  wy_actuator_def weak = straight(WY_TENDON, 0.01, 0, 2), strong = straight(WY_TENDON, 0.01, 0, 3);
  test_sim made = settled_arm(&(setting){.actuators = &weak, .actuator_count = 1}, 10);
  test_sim want = settled_arm(&(setting){.actuators = &strong, .actuator_count = 1}, 10);
  wy_message message = {0};
  tip at_first = tip_of(&made), aim = tip_of(&want);
  must(wy_sim_set_actuator(made.sim, 0, &(double){3}, &message), &message);
  must(wy_sim_follow(made.sim, 0, &message), &message);
  tip now = tip_of(&made);
  check_close(difference(&now, &aim), 0, 1e-9);
  must(wy_sim_set_actuator(made.sim, 0, NULL, &message), &message);
  must(wy_sim_follow(made.sim, 0, &message), &message);
  now = tip_of(&made);
  check_close(difference(&now, &at_first), 0, 1e-9);
  free_sim(&made), free_sim(&want);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_straight_tendon_makes_a_circle),
      cmocka_unit_test(a_chamber_makes_a_circle),
      cmocka_unit_test(a_tendon_around_the_rod_makes_the_integrated_curve),
      cmocka_unit_test(second_order_with_loads_at_the_tip),
      cmocka_unit_test(sections_and_supports_carry_the_loads_only),
      cmocka_unit_test(a_central_tendon_does_not_buckle_the_rod),
      cmocka_unit_test(motion_is_the_same_for_all_methods_and_its_work_is_kept),
      cmocka_unit_test(motion_converges_with_second_order),
      cmocka_unit_test(tendons_do_not_cost_iterations),
      cmocka_unit_test(actuators_are_set_between_steps),
      cmocka_unit_test(equilibria_follow_what_is_set),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
