/* SPDX-License-Identifier: MIT */
/* Equilibria, frequencies and buckling loads with known values (tests/data/statics.md) by mixed elements of order 1 and
   2 in all models: errors fall with order 2 and 4, slender rods do not lock, and the limit moment of interpolated
   directors (docs/theory/mixed.md) is where it should be.

   labels: slow */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/uniform.h"

static const double pi = 3.14159265358979323846;

/* What an error function needs to know: the order, the model, and numbers of its own. */
typedef struct setting {
  int order;
  wy_rod_kind kind;
  double load, want[3];
  int number;
} setting;

static const char *label(const char *what, const setting *c) {
  static const char *const kinds[] = {"cosserat", "kirchhoff", "inextensible"};
  static char text[128];
  snprintf(text, sizeof text, "%s, order %d, %s", what, c->order, kinds[c->kind]);
  return text;
}

/* Elements of order 2 for the same error are fewer; the bound is that of order 1 with `first` elements. */
static void converges(const char *what, error_at *error, const setting *c, int first, double bound) {
  nth_order(label(what, c), error, c, c->order == 1 ? first : first / 4, bound, 2 * c->order);
}

static example plain_rod(const setting *c, int elements, double length, double stiff) {
  return uniform_rod(c->kind, elements, length, (const double[6]){stiff, stiff, stiff, 1, 1, 1});
}

static test_sim settled_by(const example *e, int order) {
  const wy_solver_def solver = mixed_solver(order, 0);
  return settled(e, &solver);
}

/* ---- Elastica ---- */

static double elastica_error(int elements, const void *context) {
  const setting *c = context;
  example e = plain_rod(c, elements, 1, 1e9); /* so stiff that shear and extension are below what is compared */
  const double force[3] = {0, 0, c->load};
  load_tip(&e, force, NULL, WY_SPACE_AXES);
  test_sim made = settled_by(&e, c->order);
  double tip[4], d3[4];
  probe(&made, WY_POSITION, 1, tip);
  probe(&made, WY_DIRECTOR3, 1, d3);
  free_sim(&made);
  return fmax(fabs(1 - tip[0] - c->want[0]), fmax(fabs(tip[2] - c->want[1]), fabs(atan2(d3[2], d3[0]) - c->want[2])));
}

static void elastica_under_a_dead_force(void **state) {
  (void)state;
  static const double rows[3][4] = {{2, 0.16064172, 0.49345748, 0.78174983},
                                    {5, 0.38762836, 0.71379152, 1.21536812},
                                    {10, 0.55499560, 0.81060902, 1.43028554}};
  for (int order = 1; order <= 2; order++)
    for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
      const double *row = rows[kind];
      setting c = {order, (wy_rod_kind)kind, row[0], {row[1], row[2], row[3]}, 0};
      converges("elastica", elastica_error, &c, 16, 0.005 * row[0]);
    }
}

/* A rod that is a hundred times more slender has the same error: forces that need no strain do not stiffen bending. */
static double cantilever_error(int elements, const void *context) {
  const setting *c = context;
  double tip[2][4];
  for (int i = 0; i < 2; i++) {
    example e = plain_rod(c, i ? 64 : elements, 1, 4 / (c->load * c->load)); /* EA = 4 EI / r^2 */
    const double force[3] = {0, 0, 4};
    load_tip(&e, force, NULL, WY_SPACE_AXES);
    test_sim made = settled_by(&e, 2 - (1 - i) * (2 - c->order));
    probe(&made, WY_POSITION, 1, tip[i]);
    free_sim(&made);
  }
  return hypot(tip[0][0] - tip[1][0], tip[0][2] - tip[1][2]);
}

static void slender_rods_do_not_lock(void **state) {
  (void)state;
  for (int order = 1; order <= 2; order++)
    for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
      setting thick = {.order = order, .kind = (wy_rod_kind)kind, .load = 1e-2}, thin = thick;
      thin.load = 1e-4; /* radius over length */
      double errors[2] = {cantilever_error(8, &thick), cantilever_error(8, &thin)};
      print_message("%s: thick %.3e, thin %.3e\n", label("error of a cantilever", &thick), errors[0], errors[1]);
      check_at_most(errors[1], 1.1 * errors[0]);
    }
}

/* ---- Bars and beams with shear and extension ---- */

static example timoshenko_rod(int elements) {
  example e = {.rod = wy_default_rod_def()};
  e.rod.segments = elements;
  e.rod.length = 3;
  e.rod.section.shape = WY_CIRCLE;
  e.rod.section.radius = wy_constant(0.25);
  e.rod.material.given = e.rod.material.has_shear = true;
  e.rod.material.density = wy_constant(1);
  e.rod.material.young = wy_constant(1e6);
  e.rod.material.shear = wy_constant(1e4);
  e.rod.shear_factors[0] = e.rod.shear_factors[1] = 27.0 / 28;
  e.rod.ends[WY_START] = wy_end_clamped();
  return e;
}

static double timoshenko_error(int elements, const void *context) {
  const setting *c = context;
  example e = timoshenko_rod(elements);
  const double force[3] = {0, 15, 0};
  load_tip(&e, force, NULL, WY_SPACE_AXES);
  test_sim made = settled_by(&e, c->order);
  double tip[4];
  probe(&made, WY_POSITION, 3, tip);
  free_sim(&made);
  return fmax(fabs(tip[1] - 0.067748421), fabs(tip[0] - 2.999267928));
}

static void thick_cantilever_shears(void **state) {
  (void)state;
  setting c = {.order = 1, .kind = WY_COSSERAT};
  converges("Timoshenko cantilever", timoshenko_error, &c, 4, 1e-3);
  /* Of order 2 the errors are soon below the digits of the reference: angles are below 0.03. */
  c.order = 2;
  double coarse = timoshenko_error(2, &c), fine = timoshenko_error(4, &c);
  print_message("Timoshenko cantilever, order 2: errors %.2e %.2e\n", coarse, fine);
  check_close(log2(coarse / fine), 4, 0.2);
  check_below(coarse, 1e-6 * 3);
}

static void a_bar_gets_longer_by_force_over_stiffness(void **state) {
  (void)state;
  for (int order = 1; order <= 2; order++)
    for (int kind = WY_COSSERAT; kind <= WY_KIRCHHOFF; kind++) {
      setting c = {.order = order, .kind = (wy_rod_kind)kind};
      example e = plain_rod(&c, 3, 1, 20);
      const double force[3] = {1, 0, 0};
      load_tip(&e, force, NULL, WY_SPACE_AXES);
      test_sim made = settled_by(&e, order);
      double tip[4], strain[4];
      probe(&made, WY_POSITION, 1, tip);
      probe(&made, WY_STRAIN, 0.4, strain);
      check_close(tip[0], 1.05, 1e-10); /* constant strain: exact */
      check_close(strain[2], 0.05, 1e-10);
      free_sim(&made);
    }
}

/* ---- Moments ---- */

static double roll_up_error(int elements, const void *context) {
  const setting *c = context;
  example e = plain_rod(c, elements, 1, 100);
  const double moment[3] = {0, 2 * pi, 0};
  load_tip(&e, NULL, moment, WY_SPACE_AXES);
  test_sim made = settled_by(&e, c->order);
  double tip[4];
  probe(&made, WY_POSITION, 1, tip);
  free_sim(&made);
  return sqrt(tip[0] * tip[0] + tip[1] * tip[1] + tip[2] * tip[2]);
}

static void roll_up_closes(void **state) {
  (void)state;
  for (int order = 1; order <= 2; order++)
    for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
      setting c = {.order = order, .kind = (wy_rod_kind)kind};
      /* angle lost, 2/3 (2 pi / n)^2 of a turn, times the radius */
      converges("roll-up", roll_up_error, &c, 48, 1.1 * 2.0 / 3 * pow(2 * pi / 48, 2));
    }
}

/* Two elements of length 1 under a moment: the ends of each turn against each other by alpha, m le / kb = sin(2 alpha)
   / 2 for order 1; tabulated for order 2 (errata 19, five digits). Beyond the limit there is no equilibrium. */
static double turn_of_element(int order, wy_rod_kind kind, double moment, wy_status *status) {
  setting c = {.order = order, .kind = kind};
  example e = plain_rod(&c, 2, 2, 100);
  const double vector[3] = {0, moment, 0};
  load_tip(&e, NULL, vector, WY_SPACE_AXES);
  wy_solver_def solver = mixed_solver(order, 0);
  test_sim made = simulate(&e, &solver);
  wy_message message = {0};
  *status = wy_sim_settle(made.sim, 0, &message);
  double d3[4];
  probe(&made, WY_DIRECTOR3, 1, d3); /* between the two */
  free_sim(&made);
  return fabs(atan2(-d3[2], d3[0]));
}

static void elements_soften_as_they_turn(void **state) {
  (void)state;
  static const double moments[3] = {0.5, 1, 1.5}, turns[3] = {0.50039, 1.01276, 1.62670};
  wy_status status;
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++)
    for (int i = 0; i < 3; i++) {
      double small = 0.15 * (i + 1), turn = turn_of_element(1, (wy_rod_kind)kind, small, &status);
      assert_int_equal(status, WY_OK);
      check_close(turn, 0.5 * asin(2 * small), 1e-9);
      turn = turn_of_element(2, (wy_rod_kind)kind, moments[i], &status);
      assert_int_equal(status, WY_OK);
      check_close(turn, turns[i], 5.1e-6);
    }
}

static void beyond_the_limit_moment_there_is_no_equilibrium(void **state) {
  (void)state;
  static const double limits[2] = {0.5, 1.688};
  for (int order = 1; order <= 2; order++)
    for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
      wy_status status;
      double turn = turn_of_element(order, (wy_rod_kind)kind, 0.999 * limits[order - 1], &status);
      assert_int_equal(status, WY_OK);
      print_message("order %d, model %d: %.3f rad just before the limit\n", order, kind, turn);
      check_below(turn, (order == 1 ? 0.25 * pi : 2.17));
      turn_of_element(order, (wy_rod_kind)kind, 1.002 * limits[order - 1], &status);
      assert_int_equal(status, WY_ERROR_SOLVER);
    }
}

/* A moment in the body frame with a part along the axis winds a straight rod into a helix. */
static double helix_error(int elements, const void *context) {
  const setting *c = context;
  const wound_helix helix = two_turns();
  const double moment[3] = {helix.curvature, 0, helix.torsion};
  example e = plain_rod(c, elements, helix.length, 10);
  load_tip(&e, NULL, moment, WY_BODY_AXES);
  test_sim made = settled_by(&e, c->order);
  double error = helix_tip_error(&helix, &made);
  free_sim(&made);
  return error;
}

static void a_moment_in_the_body_winds_a_helix(void **state) {
  (void)state;
  for (int order = 1; order <= 2; order++)
    for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
      setting c = {.order = order, .kind = (wy_rod_kind)kind};
      /* angle lost, 2/3 (4 pi / n)^2 of two turns, times the radius 10 */
      converges("pure-moment helix", helix_error, &c, 96, 1.1 * 40 * pi * 2 / 3 * pow(4 * pi / 96, 2));
    }
}

/* ---- Helical spring ---- */

/* Its ends stand on lids that move apart, so that it stays a helix of five turns and growing pitch angle. */
static double spring_error(int elements, const void *context) {
  const setting *c = context;
  const double start = pi / 18, length = 100 * pi / cos(start);
  example e = plain_rod(c, elements, length, 1e6);
  e.rod.length = 0;
  for (int i = 3; i < 5; i++)
    e.rod.stiffness[i] = wy_constant(1.3);
  e.rod.shape = (wy_shape){.origin = {10, 0, 0}, .direction = {0, cos(start), sin(start)}, .d1 = {-1, 0, 0}};
  e.rod.shape.helix.radius = 10;
  e.rod.shape.helix.pitch = 20 * pi * tan(start);
  e.rod.shape.helix.turns = 5;
  for (int end = 0; end < 2; end++) {
    wy_end *lid = &e.rod.ends[end];
    *lid = wy_end_clamped();
    lid->position[0] = lid->position[2] = lid->rotation = WY_DRIVEN;
    lid->path[0] = example_signal(&e, "cos(pi/18*(1 + t))/cos(pi/18)", 10);
    lid->path[2] = end ? example_signal(&e, "sin(pi/18*(1 + t))", length) : wy_constant(0);
    lid->axis[0] = 1;
    lid->angle = example_signal(&e, "t", start);
  }
  wy_solver_def solver = mixed_solver(c->order, 0);
  test_sim made = simulate(&e, &solver);
  wy_message message = {0};
  must(wy_sim_settle(made.sim, 0, &message), &message);
  must(wy_sim_follow(made.sim, c->load, &message), &message);
  double force[4];
  probe(&made, WY_REACTION_FORCE, length, force);
  free_sim(&made);
  free_example(&e);
  return fabs(force[2] / c->want[0] - 1);
}

static void a_spring_pulls_as_its_closed_form(void **state) {
  (void)state;
  for (int order = 1; order <= 2; order++)
    for (int i = 0; i < 2; i++) {
      setting c = {.order = order, .kind = WY_INEXTENSIBLE, .load = i ? 1 : 0.2};
      c.want[0] = i ? 1.839979817e-3 : 3.501520505e-4;
      converges("helical spring", spring_error, &c, 200, 0.05);
    }
}

/* ---- Columns ---- */

static example column_rod(const setting *c, int elements, bool shears) {
  example e = plain_rod(c, elements, 1, 1e8);
  if (shears)
    for (int i = 0; i < 3; i++)
      e.rod.stiffness[i] = wy_constant(i < 2 ? 100 : 1000);
  e.rod.ends[0] = c->number == 1 ? wy_end_pinned() : wy_end_clamped();
  e.rod.ends[1] = c->number == 0 ? wy_end_free() : c->number == 3 ? wy_end_clamped() : wy_end_pinned();
  e.rod.ends[1].position[0] = WY_FREE; /* guided: free along the axis */
  return e;
}

/* The number of `load` tells what acts: a force, a force on a rod that shears, its own weight. */
enum { FORCE, FORCE_AND_SHEAR, WEIGHT };

static double column_error(int elements, const void *context) {
  const setting *c = context;
  int what = (int)c->load;
  example e = column_rod(c, elements, what == FORCE_AND_SHEAR);
  const double force[3] = {-1, 0, 0};
  if (what == WEIGHT)
    memcpy(e.gravity, force, sizeof force);
  else
    load_tip(&e, force, NULL, WY_SPACE_AXES);
  wy_solver_def solver = mixed_solver(c->order, 0);
  test_sim made = simulate(&e, &solver);
  wy_message message = {0};
  wy_mode_set *modes = NULL;
  must(wy_sim_buckling(made.sim, 0, 0, 2, &modes, &message), &message);
  double error = modes->factor[0] / c->want[0] - 1;
  check_close(modes->factor[1] / modes->factor[0], 1, 1e-6); /* round: two planes */
  wy_mode_set_destroy(modes);
  free_sim(&made);
  return error;
}

static void columns_buckle_at_known_loads(void **state) {
  (void)state;
  static const double loads[4] = {2.4674011, 9.8696044, 20.1907286, 39.4784176};
  for (int order = 1; order <= 2; order++)
    for (int ends = 0; ends < 4; ends++) {
      setting c = {order, (wy_rod_kind)(ends % 3), FORCE, {loads[ends], 0, 0}, ends};
      /* half waves of length sqrt(pi^2 / P): elements soften by some (k h)^2 / 2, k^2 = P */
      converges("column", column_error, &c, 16, 0.5 * loads[ends] / 256);
    }
  for (int order = 1; order <= 2; order++) {
    setting shears = {order, WY_COSSERAT, FORCE_AND_SHEAR, {9.1208888761, 0, 0}, 1};
    converges("column with shear and extension", column_error, &shears, 16, 0.5 * 9.12 / 256);
    setting weight = {order, WY_INEXTENSIBLE, WEIGHT, {7.8373474389, 0, 0}, 0};
    converges("self-buckling", column_error, &weight, 16, 0.5 * 7.84 / 256);
  }
}

/* A moment has no potential; what is looked for then is a change of sign. The column has two stiffnesses, 1 and 2, so
   that it buckles in one plane at a time. A twisting moment m P takes some (m/2)^2 P of the load, 1.5e-5; elements
   soften as above by P h^2 / 2, of order 2 by the square of that. */
static void columns_buckle_under_moments_too(void **state) {
  (void)state;
  const double critical = 2.4674011, force[3] = {-1, 0, 0}, moment[3] = {0.005, 0, 0}, soft = 0.5 * critical / 256;
  for (int order = 1; order <= 2; order++)
    for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++)
      for (int elements = 16; elements <= 17; elements++) {
        setting c = {.order = order, .kind = (wy_rod_kind)kind};
        example e = plain_rod(&c, elements, 1, 1e6);
        e.rod.stiffness[4] = wy_constant(2);
        load_tip(&e, force, moment, WY_SPACE_AXES);
        wy_solver_def solver = mixed_solver(order, 0);
        test_sim made = simulate(&e, &solver);
        wy_message message = {0};
        wy_mode_set *modes = NULL;
        must(wy_sim_buckling(made.sim, 0, 0, 2, &modes, &message), &message);
        const double tolerance = 1e-4 + (order == 1 ? soft : soft * soft);
        check_close(modes->factor[0] / critical, 1, tolerance);
        check_close(modes->factor[1] / critical, 2, 2 * tolerance);
        wy_mode_set_destroy(modes);
        free_sim(&made);
      }
}

/* A clamped column under 3 EI / L^2, above its critical 2.4674: the buckled branch, by elliptic integrals. */
static double buckled_error(int elements, const void *context) {
  const setting *c = context;
  example e = plain_rod(c, elements, 1, 1e8);
  const double force[3] = {-3, 0, 0};
  load_tip(&e, force, NULL, WY_SPACE_AXES);
  wy_solver_def solver = mixed_solver(c->order, 0);
  solver.statics.branch = WY_SWITCH_BRANCH;
  test_sim made = simulate(&e, &solver);
  wy_message message = {0};
  must(wy_sim_settle(made.sim, 0, &message), &message);
  wy_equilibrium_info info = wy_sim_equilibrium(made.sim, 0);
  assert_int_equal(info.unstable, 0);
  check_at_least(info.bifurcations, 1);
  double tip[4];
  probe(&made, WY_POSITION, 1, tip);
  free_sim(&made);
  return fmax(fabs(tip[0] - 0.653178057399), fabs(hypot(tip[1], tip[2]) - 0.663629349449));
}

static void a_column_goes_over_to_its_buckled_branch(void **state) {
  (void)state;
  for (int order = 1; order <= 2; order++)
    for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
      setting c = {.order = order, .kind = (wy_rod_kind)kind};
      converges("buckled column", buckled_error, &c, 16, 0.03);
    }
}

/* ---- Vibrations ---- */

static example soft_rod(const setting *c, int elements, double radius) {
  example e = {.rod = wy_default_rod_def()};
  e.rod.kind = c->kind;
  e.rod.segments = elements;
  e.rod.length = 1;
  e.rod.section.shape = WY_CIRCLE;
  e.rod.section.radius = wy_constant(radius);
  e.rod.material.given = true;
  e.rod.material.density = wy_constant(2000);
  e.rod.material.young = wy_constant(1e5);
  e.rod.material.poisson = wy_constant(0.5); /* G = E/3 */
  e.rod.shear_factors[0] = e.rod.shear_factors[1] = 27.0 / 28;
  e.rod.ends[WY_START] = wy_end_clamped();
  return e;
}

static double frequency_error(int elements, const void *context) {
  const setting *c = context;
  example e = soft_rod(c, elements, 0.02);
  test_sim made = settled_by(&e, c->order);
  wy_message message = {0};
  wy_mode_set *modes = NULL;
  must(wy_sim_modes(made.sim, 0, 9, &modes, &message), &message);
  double error = modes->omega[c->number] / c->want[0] - 1;
  wy_mode_set_destroy(modes);
  free_sim(&made);
  return error;
}

/* Bending modes are double, torsion comes sixth (4.295 < 6.413 < 8.310). The error of the n-th bending mode is that of
   a wave of the same length: (k h)^2, k = (n - 1/2) pi. */
static void a_cantilever_has_the_frequencies_of_timoshenko(void **state) {
  (void)state;
  static const double omega[5] = {0.2483827029, 1.5478007540, 4.2951756161, 8.3101346546, 6.4127491508};
  static const int number[5] = {0, 2, 4, 7, 6};
  for (int order = 1; order <= 2; order++)
    for (int i = 0; i < 5; i++) {
      double k = i == 4 ? 0.5 * pi : fmax(1.875, (i + 0.5) * pi);
      setting c = {.order = order, .kind = WY_COSSERAT, .want = {omega[i]}, .number = number[i]};
      converges(i == 4 ? "torsion" : "bending mode", frequency_error, &c, 32, 0.5 * k * k / 1024);
    }
}

/* Without shear and with little rotary inertia: Euler and Bernoulli. Rotary inertia lowers omega by 0.5 (k r / 2)^2. */
static void constrained_rods_have_the_frequencies_of_euler_and_bernoulli(void **state) {
  (void)state;
  static const double beta[2] = {1.87510407, 4.69409113};
  for (int order = 1; order <= 2; order++)
    for (int kind = WY_KIRCHHOFF; kind <= WY_INEXTENSIBLE; kind++) {
      setting c = {.order = order, .kind = (wy_rod_kind)kind};
      example e = soft_rod(&c, 80, 1e-3);
      test_sim made = settled_by(&e, order);
      wy_message message = {0};
      wy_mode_set *modes = NULL;
      must(wy_sim_modes(made.sim, 0, 4, &modes, &message), &message);
      for (int i = 0; i < 2; i++) {
        double want = beta[i] * beta[i] * sqrt(1e5 * 1e-6 / 4 / 2000), kh = beta[i] / 80;
        check_close(modes->omega[2 * i] / want, 1, 0.5 * pow(kh, 2 * order) + 0.25 * beta[i] * beta[i] * 1e-6 + 1e-8);
        check_close(modes->omega[2 * i + 1] / modes->omega[2 * i], 1, 1e-8);
      }
      wy_mode_set_destroy(modes);
      free_sim(&made);
    }
}

static void a_free_rod_has_six_rigid_motions(void **state) {
  (void)state;
  for (int order = 1; order <= 2; order++)
    for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
      setting c = {.order = order, .kind = (wy_rod_kind)kind};
      example e = soft_rod(&c, 12, 0.02);
      e.rod.ends[0] = wy_end_free();
      test_sim made = settled_by(&e, order);
      wy_message message = {0};
      wy_mode_set *modes = NULL;
      must(wy_sim_modes(made.sim, 0, 8, &modes, &message), &message);
      for (int i = 0; i < 6; i++)
        check_close(modes->omega[i], 0, 0);
      check_close(modes->omega[6] / (4.730040745 * 4.730040745 * sqrt(1e5 * 1e-4 / 2000)), 1, 0.5 * 22.37 / 144);
      wy_mode_set_destroy(modes);
      free_sim(&made);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elastica_under_a_dead_force),
      cmocka_unit_test(slender_rods_do_not_lock),
      cmocka_unit_test(thick_cantilever_shears),
      cmocka_unit_test(a_bar_gets_longer_by_force_over_stiffness),
      cmocka_unit_test(roll_up_closes),
      cmocka_unit_test(elements_soften_as_they_turn),
      cmocka_unit_test(beyond_the_limit_moment_there_is_no_equilibrium),
      cmocka_unit_test(a_moment_in_the_body_winds_a_helix),
      cmocka_unit_test(a_spring_pulls_as_its_closed_form),
      cmocka_unit_test(columns_buckle_at_known_loads),
      cmocka_unit_test(columns_buckle_under_moments_too),
      cmocka_unit_test(a_column_goes_over_to_its_buckled_branch),
      cmocka_unit_test(a_cantilever_has_the_frequencies_of_timoshenko),
      cmocka_unit_test(constrained_rods_have_the_frequencies_of_euler_and_bernoulli),
      cmocka_unit_test(a_free_rod_has_six_rigid_motions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
