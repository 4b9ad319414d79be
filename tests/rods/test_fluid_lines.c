/* SPDX-License-Identifier: MIT */
/* Lines in water and wind: the built-in scenarios against closed forms and an independent solution
   (tests/oracle/fluid.py), a mooring line as a catenary of its weight in water, and a tensioned beam in a weak current
   by linear theory. */
#include <stdio.h>

#include "check.h"
#include "support/rods.h"
#include "support/scenario.h"
#include "support/table.h"

static const double pi = 3.14159265358979323846;

typedef struct built_in {
  wy_scenario *scenario;
  test_sim made;
} built_in;

static built_in open_scenario(const char *path, const char *const *settings, int count) {
  static char text[20000];
  wy_message message = {0};
  built_in out;
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  out.scenario = read_with(text, settings, count);
  must(wy_model_create(&out.scenario->model, &out.made.model, &message), &message);
  must(wy_sim_create(out.made.model, &out.scenario->sim, &out.made.sim, &message), &message);
  return out;
}

static void close_scenario(built_in *b) {
  free_sim(&b->made);
  wy_scenario_destroy(b->scenario);
}

/* ---- Line in wind ---- */

/* After nine seconds of steady wind what is left of the swinging is below 1e-4 of the length: drag damps it with a rate
   of c*sin(phi)*U/mass = 0.75/s, exp(-9*0.75) = 1e-3, and with Radau5 by what it loses where the line has come nearly
   to rest. */
static void the_line_comes_to_rest_where_weight_and_drag_are_alike(void **state) {
  (void)state;
  const double area = pi * 0.004 * 0.004, weight = (1100 - 1.2) * area * 9.81, length = 2, speed = 10;
  const double across = 0.5 * 1.2 * 0.008 * 1.1, along = 0.5 * 1.2 * pi * 0.008 * 0.01;
  const double ratio = weight / (across * speed * speed), c = 0.5 * (sqrt(ratio * ratio + 4) - ratio),
               s = sqrt(1 - c * c);
  const double pull = length * (weight * s + along * speed * speed * c * c),
               stretched = length * (1 + 0.5 * pull / (5e7 * area));
  built_in b = open_scenario(WY_SCENARIOS "/line-in-wind.yaml", NULL, 0);
  double tip[4], pole[4];
  wy_message message = {0};
  must(wy_sim_advance(b.made.sim, 12, &message), &message);
  must(wy_sim_probe(b.made.sim, WY_POSITION, 0, length, tip, &message), &message);
  must(wy_sim_probe(b.made.sim, WY_REACTION_FORCE, 0, 0, pole, &message), &message);
  print_message("tip (%.6f, %.6f), want (%.6f, %.6f); pole (%.6f, %.6f), want (%.6f, %.6f)\n", tip[0], tip[2],
                stretched * c, -stretched * s, pole[0], pole[2], -pull * c, pull * s);
  check_close(tip[0], stretched * c, 2e-3);
  check_close(tip[2], -stretched * s, 2e-3);
  check_close(pole[0], -pull * c, 1e-3 * pull);
  check_close(pole[2], pull * s, 1e-3 * pull);
  close_scenario(&b);
}

/* ---- Riser ---- */

/* The largest differences to the table: place over the length, force over the pull. */
static double riser_error(int segments, const char *scheme) {
  char count[64], method[64];
  snprintf(count, sizeof count, "rods.riser.segments=%d", segments);
  snprintf(method, sizeof method, "solver.scheme=%s", scheme);
  built_in b = open_scenario(WY_SCENARIOS "/riser.yaml", (const char *const[]){count, method}, 2);
  table want = read_table(WY_TEST_DATA "/riser.csv", 11);
  const int x = table_column(&want, "x");
  wy_message message = {0};
  double worst = 0, reaction[4];
  must(wy_sim_settle(b.made.sim, 0, &message), &message);
  for (int row = 0; row < want.rows; row++) {
    const double *y = table_at(&want, row, x);
    double place[4];
    must(wy_sim_probe(b.made.sim, WY_POSITION, 0, table_at(&want, row, 0)[0], place, &message), &message);
    worst = fmax(worst, fmax(fabs(place[0] - y[0]), fabs(place[2] - y[1])) / 100);
    check_below(fabs(place[1]), 1e-9);
  }
  for (int end = 0; end < 2; end++) { /* the part above pulls with (horizontal, vertical) */
    const double *y = table_at(&want, end ? want.rows - 1 : 0, table_column(&want, "horizontal"));
    must(wy_sim_probe(b.made.sim, WY_REACTION_FORCE, 0, end ? 100 : 0, reaction, &message), &message);
    worst = fmax(worst, fabs(reaction[0] - (end ? 1 : -1) * y[0]) / 6e4);
    if (end == 0)
      worst = fmax(worst, fabs(reaction[2] + y[1]) / 6e4);
  }
  free_table(&want);
  close_scenario(&b);
  return worst;
}

static void the_riser_agrees_with_the_boundary_value_problem(void **state) {
  (void)state;
  const double coarse = riser_error(20, "staggered"), fine = riser_error(40, "staggered");
  const double mixed = riser_error(20, "mixed");
  print_message("staggered: %.2e with 20 segments, %.2e with 40, order %.2f; mixed, 20 elements of order 2: %.2e\n",
                coarse, fine, log2(coarse / fine), mixed);
  /* Of second order: 1.2 m of deflection over 100 m, (pi / 20)^2 / 12 of it, and a little more for the layer at the
     top, whose length sqrt(EI / T) is 10 m: 2 segments. */
  check_below(fine, 2e-4);
  check_above(log2(coarse / fine), 1.7);
  check_below(mixed, 2e-5);
}

/* ---- Mooring line ---- */

/* A heavy thin line between two points at the same level, in water: the middle of the catenary, 2 a sinh(x / (2 a)) =
   L, and the horizontal force a w with the weight w less buoyancy. */
static void a_mooring_line_hangs_as_a_catenary_of_its_weight_in_water(void **state) {
  (void)state;
  const double length = 1.2, apart = 1, radius = 0.004, density = 2000, water = 1000;
  const double area = pi * radius * radius, weight = (density - water) * area * 9.81, gravity[3] = {0, 0, -9.81};
  double low = 0.1, high = 10;
  for (int i = 0; i < 100; i++) {
    const double middle = 0.5 * (low + high);
    *(2 * middle * sinh(apart / (2 * middle)) > length ? &low : &high) = middle;
  }
  wy_rod_def rod = wy_default_rod_def();
  rod.kind = WY_INEXTENSIBLE;
  rod.length = length, rod.segments = 60;
  rod.section = (wy_section){.shape = WY_CIRCLE, .radius = wy_constant(radius)};
  rod.material = (wy_material){
      .given = true, .density = wy_constant(density), .young = wy_constant(2e4), .poisson = wy_constant(0.3)};
  rod.fluid = (wy_fluid){.given = true, .buoyancy = true, .density = water, .normal = 1.2};
  rod.ends[0] = rod.ends[1] = wy_end_pinned();
  rod.ends[1].position[0] = WY_DRIVEN;
  rod.ends[1].path[0] = wy_constant(apart);
  const wy_solver_def solver = wy_default_solver_def();
  wy_message message = {0};
  double middle[4], reaction[4];
  test_sim made = make_sim(&rod, NULL, 0, &solver, gravity);
  must(wy_sim_settle(made.sim, 0, &message), &message);
  must(wy_sim_probe(made.sim, WY_POSITION, 0, 0.5 * length, middle, &message), &message);
  must(wy_sim_probe(made.sim, WY_REACTION_FORCE, 0, 0, reaction, &message), &message);
  const double sag = low * (cosh(apart / (2 * low)) - 1), pull = low * weight;
  print_message("sag %.6f, want %.6f; pull %.6f, want %.6f\n", hypot(middle[1], middle[2]), sag, -reaction[0], pull);
  /* Bending stiffness lifts the middle by EI / (a T) of a, 1e-4, and the polygon is off by 1 / 60^2 of the sag. */
  check_close(hypot(middle[1], middle[2]), sag, 1e-3 * sag);
  check_close(reaction[0], -pull, 3e-3 * pull);
  check_close(hypot(reaction[1], reaction[2]), 0.5 * length * weight, 1e-9 * length * weight);
  free_sim(&made);
}

/* ---- Small deflections ---- */

/* A stretched beam between pins in a weak uniform current q = c U^2: EI y'''' - T y'' = q, whose middle is at q L^2 /
   (8 T) - q EI / T^2 (1 - 1 / cosh(k L / 2)), k = sqrt(T / EI). The current makes it deflect by 1e-4 of the length:
   what is left out is 1e-8. */
static void a_weak_current_bends_a_tensioned_beam_as_linear_theory_does(void **state) {
  (void)state;
  const double bending = 2, pull = 40, across = 0.5 * 1000 * 0.1 * 1.2, speed = 0.005, none[3] = {0};
  const double k = sqrt(pull / bending), q = across * speed * speed;
  const double want = q / (8 * pull) - q * bending / (pull * pull) * (1 - 1 / cosh(0.5 * k));
  double error[2];
  for (int n = 0; n < 2; n++) {
    wy_rod_def rod = wy_default_rod_def();
    rod.kind = WY_KIRCHHOFF;
    rod.length = 1, rod.segments = n ? 40 : 20;
    rod.has_stiffness = rod.has_inertia = true;
    const double stiffness[6] = {1, 1, 1e7, bending, bending, 1}, inertia[4] = {1, 1e-3, 1e-3, 1e-3};
    for (int i = 0; i < 6; i++)
      rod.stiffness[i] = wy_constant(stiffness[i]);
    for (int i = 0; i < 4; i++)
      rod.inertia[i] = wy_constant(inertia[i]);
    rod.fluid = (wy_fluid){.given = true,
                           .density = 1000,
                           .normal = 1.2,
                           .diameter = wy_constant(0.1),
                           .velocity = {.value = {0, 0, speed}}};
    rod.ends[0] = rod.ends[1] = wy_end_pinned();
    rod.ends[1].position[0] = WY_FREE;
    wy_load_def load = wy_default_load_def();
    load.force[0] = wy_constant(pull);
    const wy_solver_def solver = wy_default_solver_def();
    wy_message message = {0};
    double middle[4];
    test_sim made = make_sim(&rod, &load, 1, &solver, none);
    must(wy_sim_settle(made.sim, 0, &message), &message);
    must(wy_sim_probe(made.sim, WY_POSITION, 0, 0.5, middle, &message), &message);
    error[n] = fabs(middle[2] / want - 1);
    free_sim(&made);
  }
  print_message("error %.2e, %.2e of %.6g\n", error[0], error[1], want);
  check_below(error[1], 2.0 / (40 * 40));
  check_above(error[0] / error[1], 3.5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_line_comes_to_rest_where_weight_and_drag_are_alike),
      cmocka_unit_test(the_riser_agrees_with_the_boundary_value_problem),
      cmocka_unit_test(a_mooring_line_hangs_as_a_catenary_of_its_weight_in_water),
      cmocka_unit_test(a_weak_current_bends_a_tensioned_beam_as_linear_theory_does),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
