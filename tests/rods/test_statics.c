/* SPDX-License-Identifier: MIT */
/* Equilibria with known solutions (elliptic integrals, shooting, closed forms: tests/data/statics.md says which). The
   scheme is of second order: errors must be small and fall by four when the segments are halved. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "support/rods.h"

static const double pi = 3.14159265358979323846;

static wy_rod_def plain_rod(wy_rod_kind kind, int segments, double length, double bending, double torsion) {
  wy_rod_def rod = wy_default_rod_def();
  rod.kind = kind;
  rod.segments = segments;
  rod.length = length;
  rod.has_stiffness = rod.has_inertia = true;
  const double stiffness[6] = {1e4, 1e4, 1e4, bending, bending, torsion}, inertia[4] = {1, 1e-4, 1e-4, 2e-4};
  for (int i = 0; i < 6; i++)
    rod.stiffness[i] = wy_constant(stiffness[i]);
  for (int i = 0; i < 4; i++)
    rod.inertia[i] = wy_constant(inertia[i]);
  rod.ends[0] = wy_end_clamped();
  return rod;
}

static wy_load_def tip_load(const double force[3], const double moment[3], wy_axes axes) {
  wy_load_def load = wy_default_load_def();
  load.place = WY_AT_END;
  load.axes = axes;
  for (int i = 0; i < 3; i++) {
    load.force[i] = wy_constant(force ? force[i] : 0);
    load.moment[i] = wy_constant(moment ? moment[i] : 0);
  }
  return load;
}

static test_sim settled(const wy_rod_def *rod, const wy_load_def *load, const double gravity[3]) {
  wy_solver_def solver = wy_default_solver_def();
  test_sim made = make_sim(rod, load, load ? 1 : 0, &solver, gravity);
  wy_message message = {0};
  if (wy_sim_settle(made.sim, 0, &message))
    fail_msg("%s", message.text);
  return made;
}

static void tip_of(const test_sim *made, double tip[4]) {
  double length = wy_model_rod(made->model, 0)->length;
  wy_sim_probe(made->sim, WY_POSITION, 0, length, tip, NULL);
}

/* ---- Elastica ---- */

typedef struct elastica_row {
  double load, shortening, deflection, angle;
  wy_rod_kind kind;
} elastica_row;

static double elastica_error(int segments, const void *context) {
  const elastica_row *row = context;
  wy_rod_def rod = plain_rod(row->kind, segments, 1, 1, 1);
  for (int i = 0; i < 3; i++) /* so stiff that shear and extension are below what is compared */
    rod.stiffness[i] = wy_constant(1e9);
  const double force[3] = {0, 0, row->load};
  wy_load_def load = tip_load(force, NULL, WY_SPACE_AXES);
  test_sim made = settled(&rod, &load, NULL);
  double tip[4], d3[4];
  tip_of(&made, tip);
  wy_sim_probe(made.sim, WY_DIRECTOR3, 0, 1, d3, NULL);
  double errors[3] = {1 - tip[0] - row->shortening, tip[2] - row->deflection, atan2(d3[2], d3[0]) - row->angle};
  free_sim(&made);
  return fmax(fabs(errors[0]), fmax(fabs(errors[1]), fabs(errors[2])));
}

static void elastica_under_a_dead_force(void **state) {
  (void)state;
  elastica_row rows[] = {{0.5, 0.01591896, 0.16214358, 0.24453365, WY_INEXTENSIBLE},
                         {1, 0.05643324, 0.30172077, 0.46135195, WY_KIRCHHOFF},
                         {2, 0.16064172, 0.49345748, 0.78174983, WY_COSSERAT},
                         {5, 0.38762836, 0.71379152, 1.21536812, WY_INEXTENSIBLE},
                         {10, 0.55499560, 0.81060902, 1.43028554, WY_KIRCHHOFF}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    char name[64];
    snprintf(name, sizeof name, "elastica, P = %g, model %d", rows[i].load, (int)rows[i].kind);
    second_order(name, elastica_error, &rows[i], 10, 0.02 * rows[i].load);
  }
}

/* ---- Bars and beams with shear and extension ---- */

static wy_rod_def timoshenko_rod(int segments) {
  wy_rod_def rod = wy_default_rod_def();
  rod.segments = segments;
  rod.length = 3;
  rod.section.shape = WY_CIRCLE;
  rod.section.radius = wy_constant(0.25);
  rod.material.given = rod.material.has_shear = true;
  rod.material.density = wy_constant(1);
  rod.material.young = wy_constant(1e6);
  rod.material.shear = wy_constant(1e4);
  rod.shear_factors[0] = rod.shear_factors[1] = 27.0 / 28;
  rod.ends[0] = wy_end_clamped();
  return rod;
}

static double timoshenko_error(int segments, const void *context) {
  (void)context;
  wy_rod_def rod = timoshenko_rod(segments);
  const double force[3] = {0, 15, 0};
  wy_load_def load = tip_load(force, NULL, WY_SPACE_AXES);
  test_sim made = settled(&rod, &load, NULL);
  double tip[4];
  tip_of(&made, tip);
  free_sim(&made);
  return fmax(fabs(tip[1] - 0.067748421), fabs(tip[0] - 2.999267928));
}

static void thick_cantilever_shears(void **state) {
  (void)state;
  second_order("Timoshenko cantilever", timoshenko_error, NULL, 5, 1e-3);
}

static void a_bar_gets_longer_by_force_over_stiffness(void **state) {
  (void)state;
  for (int kind = WY_COSSERAT; kind <= WY_KIRCHHOFF; kind++) {
    wy_rod_def rod = wy_default_rod_def();
    rod.kind = (wy_rod_kind)kind;
    rod.segments = 4;
    rod.length = 1;
    rod.section.shape = WY_CIRCLE;
    rod.section.radius = wy_constant(0.025);
    rod.material.given = true;
    rod.material.density = wy_constant(1000);
    rod.material.young = wy_constant(1e4);
    rod.ends[0] = wy_end_clamped();
    const double force[3] = {1, 0, 0};
    wy_load_def load = tip_load(force, NULL, WY_SPACE_AXES);
    test_sim made = settled(&rod, &load, NULL);
    double tip[4];
    tip_of(&made, tip);
    check_close(tip[0] - 1, 0.0509295818, 1e-10); /* constant strain: exact */
    free_sim(&made);
  }
}

/* ---- Moments ---- */

/* Constant curvature is exact in the measure `angle`: the tip comes back to the clamp after every whole turn, whatever
   shear and extension. */
static void roll_up_closes_after_every_turn(void **state) {
  (void)state;
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++)
    for (int turns = 1; turns <= 10; turns += 3) {
      wy_rod_def rod = plain_rod((wy_rod_kind)kind, 40, 1, 1, 1);
      const double moment[3] = {0, 2 * pi * turns, 0};
      wy_load_def load = tip_load(NULL, moment, WY_SPACE_AXES);
      wy_solver_def solver = wy_default_solver_def();
      solver.staggered.curvature_measure = WY_ANGLE;
      test_sim made = make_sim(&rod, &load, 1, &solver, NULL);
      wy_message message = {0};
      if (wy_sim_settle(made.sim, 0, &message))
        fail_msg("model %d, %d turns: %s", kind, turns, message.text);
      double tip[4];
      tip_of(&made, tip);
      for (int i = 0; i < 3; i++)
        check_close(tip[i], 0, 1e-9);
      const double *k = wy_sim_view(made.sim, 0)->curvature.values;
      check_close(sqrt(k[0] * k[0] + k[1] * k[1]), 2 * pi * turns, 1e-8);
      free_sim(&made);
    }
}

/* A moment in the body frame with a part along the axis winds a straight rod into a helix. */
static double helix_error(int segments, const void *context) {
  const wy_rod_kind *kind = context;
  const wound_helix helix = two_turns();
  const double moment[3] = {helix.curvature, 0, helix.torsion};
  wy_rod_def rod = plain_rod(*kind, segments, helix.length, 1, 1);
  wy_load_def load = tip_load(NULL, moment, WY_BODY_AXES);
  test_sim made = settled(&rod, &load, NULL);
  double error = helix_tip_error(&helix, &made);
  free_sim(&made);
  return error;
}

static void a_moment_in_the_body_winds_a_helix(void **state) {
  (void)state;
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
    wy_rod_kind k = (wy_rod_kind)kind;
    /* 2 (t + t^3) / h is the moment of t = tan(angle / 2): the turns lost, 4 pi (h k)^2 / 3, times the radius */
    second_order("pure-moment helix", helix_error, &k, 40, 4.2);
  }
}

/* ---- A hanging chain ---- */

static double catenary_error(int segments, const void *context) {
  const wy_rod_kind *kind = context;
  wy_rod_def rod = plain_rod(*kind, segments, 1.2, 1e-5, 1e-5);
  rod.ends[0] = rod.ends[1] = wy_end_pinned();
  const double gravity[3] = {0, 0, -1};
  wy_solver_def solver = wy_default_solver_def();
  test_sim made = make_sim(&rod, NULL, 0, &solver, gravity);
  const double there[3] = {1, 0, 0};
  wy_message message = {0};
  wy_pose pose = {.position = there};
  if (wy_sim_move_end(made.sim, 0, WY_END, &pose, 1, &message) || wy_sim_settle(made.sim, 2, &message))
    fail_msg("model %d: %s", (int)*kind, message.text);
  double middle[4], force[4];
  wy_sim_probe(made.sim, WY_POSITION, 0, 0.6, middle, NULL);
  wy_sim_probe(made.sim, WY_REACTION_FORCE, 0, 0, force, NULL);
  double tension = sqrt(force[0] * force[0] + force[2] * force[2]);
  free_sim(&made);
  return fmax(fabs(-middle[2] - 0.2923437976), fabs(tension - 0.7618853207));
}

static void a_thin_rod_hangs_as_a_catenary(void **state) {
  (void)state;
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
    wy_rod_kind k = (wy_rod_kind)kind;
    double error = catenary_error(48, &k); /* EI is small, not zero: it lifts the middle by some EI / T */
    print_message("catenary, model %d: error %.2e\n", kind, error);
    check_below(error, 5e-4);
  }
}

/* ---- Beyond critical points ---- */

/* A clamped column under 3 EI / L^2, above its critical 2.4674: the buckled branch, by elliptic integrals. */
static double buckled_error(int segments, const void *context) {
  const wy_rod_kind *kind = context;
  wy_rod_def rod = plain_rod(*kind, segments, 1, 1, 1);
  for (int i = 0; i < 3; i++)
    rod.stiffness[i] = wy_constant(1e8);
  const double force[3] = {-3, 0, 0};
  wy_load_def load = tip_load(force, NULL, WY_SPACE_AXES);
  wy_solver_def solver = wy_default_solver_def();
  solver.statics.branch = WY_SWITCH_BRANCH;
  test_sim made = make_sim(&rod, &load, 1, &solver, NULL);
  wy_message message = {0};
  if (wy_sim_settle(made.sim, 0, &message))
    fail_msg("model %d: %s", (int)*kind, message.text);
  wy_equilibrium_info info = wy_sim_equilibrium(made.sim, 0);
  assert_int_equal(info.unstable, 0);
  check_at_least(info.bifurcations, 1);
  check_close(info.first_bifurcation * 3, 2.4674011, 2.4674011 * 2 / (segments * segments));
  double tip[4];
  tip_of(&made, tip);
  free_sim(&made);
  return fmax(fabs(tip[0] - 0.653178057399), fabs(hypot(tip[1], tip[2]) - 0.663629349449));
}

static void a_column_goes_over_to_its_buckled_branch(void **state) {
  (void)state;
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
    wy_rod_kind k = (wy_rod_kind)kind;
    second_order("buckled column", buckled_error, &k, 20, 0.02);
  }
}

/* Unless it is asked to, a path does not leave its branch: the column stays straight, and says so. */
static void a_path_stays_on_its_branch(void **state) {
  (void)state;
  wy_rod_def rod = plain_rod(WY_KIRCHHOFF, 20, 1, 1, 1);
  const double force[3] = {-3, 0, 0};
  wy_load_def load = tip_load(force, NULL, WY_SPACE_AXES);
  test_sim made = settled(&rod, &load, NULL);
  double tip[4];
  tip_of(&made, tip);
  check_close(tip[1], 0, 1e-9);
  check_close(tip[2], 0, 1e-9);
  assert_int_equal(wy_sim_equilibrium(made.sim, 0).unstable, 2);
  free_sim(&made);
}

/* A shallow arch between two pins, pushed down at its crown, snaps through: the load falls between two limit points.
   It cannot leave its plane. */
static void growing(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)s, (void)wrt;
  double size = *(const double *)context;
  jet[0] = size * t, jet[1] = size, jet[2] = 0;
}

static test_sim arch(wy_continuation continuation) {
  static const double push = -40;
  wy_rod_def rod = plain_rod(WY_KIRCHHOFF, 40, 1, 1, 100);
  rod.stiffness[2] = wy_constant(1e4);
  rod.stiffness[3] = wy_constant(1000); /* about d1, which lies in the plane */
  const double rise = 0.7;              /* angle of the tangent at the pins */
  rod.shape.direction[0] = cos(0.5 * rise), rod.shape.direction[2] = sin(0.5 * rise);
  rod.shape.d1[0] = -sin(0.5 * rise), rod.shape.d1[2] = cos(0.5 * rise);
  rod.shape.curvature[1] = wy_constant(-rise);
  rod.ends[0] = rod.ends[1] = wy_end_pinned();
  wy_load_def load = wy_default_load_def();
  load.place = WY_AT_ARC;
  load.from = 0.5;
  load.force[2] = (wy_signal){0, growing, &push, WY_TIME};
  wy_solver_def solver = wy_default_solver_def();
  solver.statics.continuation = continuation;
  return make_sim(&rod, &load, 1, &solver, NULL);
}

static void an_arch_snaps_through(void **state) {
  (void)state;
  wy_message message = {0};
  double crown[4], before[4];
  test_sim made = arch(WY_ARC_LENGTH);
  if (wy_sim_settle(made.sim, 0, &message))
    fail_msg("%s", message.text);
  wy_sim_probe(made.sim, WY_POSITION, 0, 0.5, before, NULL);
  if (wy_sim_follow(made.sim, 1, &message))
    fail_msg("%s", message.text);
  wy_equilibrium_info info = wy_sim_equilibrium(made.sim, 0);
  wy_sim_probe(made.sim, WY_POSITION, 0, 0.5, crown, NULL);
  assert_true(info.limit_points >= 2 && info.limit_points % 2 == 0);
  assert_int_equal(info.unstable, 0);
  check_above(before[2], 0.05);
  check_below(crown[2], -before[2]);
  double up = wy_sim_view(made.sim, 0)->ends[0].reaction_force[2] + wy_sim_view(made.sim, 0)->ends[1].reaction_force[2];
  check_close(up, 40, 1e-6);
  free_sim(&made);
  assert_int_equal(info.snaps, 0);
  /* Load stepping jumps from the first limit point to the same branch; both know it to Newton's tolerance of 1e-10. */
  double jumped[4];
  made = arch(WY_LOAD_STEPPING);
  if (wy_sim_settle(made.sim, 0, &message) || wy_sim_follow(made.sim, 1, &message))
    fail_msg("%s", message.text);
  info = wy_sim_equilibrium(made.sim, 0);
  wy_sim_probe(made.sim, WY_POSITION, 0, 0.5, jumped, NULL);
  assert_int_equal(info.snaps, 1);
  check_above(info.first_snap, 0);
  check_below(info.first_snap, 1);
  assert_int_equal(info.unstable, 0);
  for (int k = 0; k < 3; k++)
    check_close(jumped[k], crown[k], 1e-9);
  free_sim(&made);
}

/* ---- Straight between held ends ---- */

static test_sim taut(wy_rod_kind kind, double goal, wy_branch branch) {
  wy_rod_def rod = plain_rod(kind, 20, 1, 1, 1);
  rod.ends[1] = wy_end_clamped();
  rod.ends[1].position[0] = WY_DRIVEN; /* an equilibrium may have its ends anywhere */
  rod.ends[1].path[0] = wy_constant(goal);
  wy_solver_def solver = wy_default_solver_def();
  solver.statics.branch = branch;
  return make_sim(&rod, NULL, 0, &solver, NULL);
}

/* Without slack an inextensible rod cannot follow; with extension it can, and pushed together it buckles. */
static void an_inextensible_rod_does_not_get_longer(void **state) {
  (void)state;
  wy_message message = {0};
  test_sim made = taut(WY_INEXTENSIBLE, 1.05, WY_FOLLOW_BRANCH);
  assert_int_equal(wy_sim_settle(made.sim, 0, &message), WY_ERROR_SOLVER);
  assert_non_null(strstr(message.text, "straight"));
  free_sim(&made);
  made = taut(WY_KIRCHHOFF, 1.05, WY_FOLLOW_BRANCH);
  assert_int_equal(wy_sim_settle(made.sim, 0, &message), WY_OK);
  check_close(wy_sim_view(made.sim, 0)->ends[1].reaction_force[0], 0.05 * 1e4, 1e-7);
  free_sim(&made);
  made = taut(WY_INEXTENSIBLE, 0.95, WY_SWITCH_BRANCH);
  if (wy_sim_settle(made.sim, 0, &message))
    fail_msg("%s", message.text);
  double middle[4];
  wy_sim_probe(made.sim, WY_POSITION, 0, 0.5, middle, NULL);
  /* half a cosine wave of height a shortens by (pi a)^2 / 4 / L, to second order in a */
  check_close(hypot(middle[1], middle[2]), 2 * sqrt(0.05) / pi, 0.01);
  check_above(wy_sim_view(made.sim, 0)->ends[0].reaction_force[0], 30); /* about 4 pi^2 EI / L^2 */
  free_sim(&made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elastica_under_a_dead_force),
      cmocka_unit_test(thick_cantilever_shears),
      cmocka_unit_test(a_bar_gets_longer_by_force_over_stiffness),
      cmocka_unit_test(roll_up_closes_after_every_turn),
      cmocka_unit_test(a_moment_in_the_body_winds_a_helix),
      cmocka_unit_test(a_thin_rod_hangs_as_a_catenary),
      cmocka_unit_test(a_column_goes_over_to_its_buckled_branch),
      cmocka_unit_test(a_path_stays_on_its_branch),
      cmocka_unit_test(an_arch_snaps_through),
      cmocka_unit_test(an_inextensible_rod_does_not_get_longer),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
