/* SPDX-License-Identifier: MIT */
/* The curvature measure that `auto` takes: `angle` for rods whose undeformed shape is curved or twisted, `tan2` for
   straight ones, in simulations and in batches; and what that is worth to a spring, against its closed form. */
#include <string.h>

#include "check.h"
#include "support/rods.h"
#include "support/uniform.h"
#include "withy/batch.h"
#include "withy/statics.h"

static const double pi = 3.14159265358979323846, stiff[6] = {1e3, 1e3, 1e3, 1.3, 1.3, 1.0};

/* ---- What is taken ---- */

static void check_measure(const wy_rod_def *rod, wy_curvature_measure asked, const char *want) {
  wy_solver_def solver = wy_default_solver_def();
  assert_int_equal(solver.staggered.curvature_measure, WY_AUTO_MEASURE);
  solver.staggered.curvature_measure = asked;
  const char *got = wy_curvature_measure_of(&solver, rod);
  if (strcmp(got, want) != 0)
    fail_msg("found the measure '%s', wanted '%s'", got, want);
}

static void curved_rods_take_the_angle_and_straight_ones_do_not(void **state) {
  (void)state;
  for (int component = 0; component < 3; component++) {
    example e = uniform_rod(WY_COSSERAT, 10, 2, stiff);
    check_measure(&e.rod, WY_AUTO_MEASURE, "tan2");
    e.rod.shape.curvature[component] = wy_constant(1e-9); /* round-off of a centreline */
    check_measure(&e.rod, WY_AUTO_MEASURE, "tan2");
    e.rod.shape.curvature[component] = wy_constant(-0.3);
    check_measure(&e.rod, WY_AUTO_MEASURE, "angle");
    check_measure(&e.rod, WY_SIN4, "sin4");
  }
  example e = uniform_rod(WY_COSSERAT, 10, 2, stiff);
  wy_solver_def box = wy_default_solver_def();
  box.scheme = "box";
  assert_string_equal(wy_curvature_measure_of(&box, &e.rod), "");
  assert_string_equal(wy_curvature_measure_of(NULL, &e.rod), "");
  assert_string_equal(wy_curvature_measure_of(&box, NULL), "");
}

/* The default runs as the measure that it takes, bit for bit. */
static void the_default_is_the_measure_that_it_takes(void **state) {
  (void)state;
  for (int curved = 0; curved < 2; curved++) {
    double tip[2][4];
    for (int named = 0; named < 2; named++) {
      example e = uniform_rod(WY_COSSERAT, 10, 2, stiff);
      e.rod.shape.curvature[1] = wy_constant(curved ? 1.5 : 0);
      load_tip(&e, (const double[3]){0, 0, 0.4}, NULL, WY_SPACE_AXES);
      wy_solver_def solver = wy_default_solver_def();
      if (named)
        solver.staggered.curvature_measure = curved ? WY_ANGLE : WY_TAN2;
      test_sim made = settled(&e, &solver);
      wy_sim_probe(made.sim, WY_POSITION, 0, 2, tip[named], NULL);
      free_sim(&made);
    }
    assert_memory_equal(tip[0], tip[1], sizeof(double[3]));
  }
}

/* The tip of a batch of one rod after three frames. */
static void batch_tip(bool curved, wy_curvature_measure measure, double tip[3]) {
  example e = uniform_rod(WY_COSSERAT, 10, 2, stiff);
  e.rod.shape.curvature[1] = wy_constant(curved ? 1.5 : 0);
  e.rod.damping.kind = WY_DAMPING_TIME;
  e.rod.damping.time = wy_constant(0.01);
  wy_model_def model = example_model(&e);
  model.gravity[2] = -1;
  wy_message message = {0};
  wy_model *made = NULL;
  must(wy_model_create(&model, &made, &message), &message);
  wy_batch_def def = wy_default_batch_def();
  def.count = 1;
  def.staggered.curvature_measure = measure;
  wy_batch *batch = NULL;
  must(wy_batch_create(made, &def, &batch, &message), &message);
  double places[3 * 11];
  for (int frame = 0; frame < 3; frame++)
    must(wy_batch_advance(batch, 0.05, &message), &message);
  must(wy_batch_positions(batch, 0, 1, places, &message), &message);
  memcpy(tip, places + 30, 3 * sizeof *tip);
  wy_batch_destroy(batch);
  wy_model_destroy(made);
}

static void batches_take_what_their_pattern_takes(void **state) {
  (void)state;
  for (int curved = 0; curved < 2; curved++) {
    double own[3], named[3], other[3];
    batch_tip(curved, WY_AUTO_MEASURE, own);
    batch_tip(curved, curved ? WY_ANGLE : WY_TAN2, named);
    batch_tip(curved, curved ? WY_TAN2 : WY_ANGLE, other);
    assert_memory_equal(own, named, sizeof own);
    assert_memory_not_equal(own, other, sizeof own);
  }
}

/* ---- A spring ---- */

typedef struct lids {
  double radius, pitch, turns; /* of the unloaded helix */
} lids;

static void drive(wy_end *end, double x, double z, double angle) {
  const double place[3] = {x, 0, z};
  for (int k = 0; k < 3; k++) {
    end->position[k] = WY_DRIVEN;
    end->path[k] = wy_constant(place[k]);
  }
  end->rotation = WY_DRIVEN;
  end->axis[0] = 1;
  end->angle = wy_constant(angle);
}

/* The force on lids that keep the number of turns, pulled until the pitch angle is `a`: 10 segments a turn. The wire
   stays a helix of curvature c cos(a) and twist c sin(a), c = cos(a0)/R0, and its height is L sin(a), so that the force
   is the derivative of its energy by the height, c^2 ( GJ (sin a - sin a0) - EI tan a (cos a - cos a0) ). */
static double force_error(wy_curvature_measure measure) {
  const lids spring = {10, 10 * pi / 180, 5};
  const double a0 = spring.pitch, a = 12 * pi / 180, length = 2 * pi * spring.radius * spring.turns / cos(a0);
  const double radius = spring.radius * cos(a) / cos(a0), c = cos(a0) / spring.radius;
  const double want = c * c * (stiff[5] * (sin(a) - sin(a0)) - stiff[3] * tan(a) * (cos(a) - cos(a0)));
  example e = uniform_rod(WY_INEXTENSIBLE, 10 * (int)spring.turns, length, stiff);
  wy_shape *shape = &e.rod.shape;
  memset(shape->direction, 0, sizeof shape->direction);
  shape->origin[0] = spring.radius;
  shape->direction[1] = cos(a0), shape->direction[2] = sin(a0);
  shape->d1[0] = -1, shape->d1[1] = shape->d1[2] = 0;
  shape->helix.radius = spring.radius;
  shape->helix.pitch = 2 * pi * spring.radius * tan(a0);
  shape->helix.turns = spring.turns;
  e.rod.length = 0;
  drive(&e.rod.ends[WY_START], radius, 0, a - a0);
  drive(&e.rod.ends[WY_END], radius, length * sin(a), a - a0);
  wy_solver_def solver = wy_default_solver_def();
  solver.staggered.curvature_measure = measure;
  test_sim made = settled(&e, &solver);
  const double got = wy_sim_view(made.sim, 0)->ends[WY_END].reaction_force[2];
  free_sim(&made);
  return got / want - 1;
}

/* `angle` leaves the polygon alone, whose corners are off the helix by phi^2/24 of its radius, phi the angle between
   segments. The forces of the ends that bring them to the lids act on the height in the second power. Curvature and
   twist exchange at constant size, which `tan2` stiffens by the square of tan(phi/2)/(phi/2), or phi^2/6. */
static void a_spring_of_ten_segments_a_turn_has_its_stiffness(void **state) {
  (void)state;
  const double phi = 2 * pi / 10, corner = phi * phi / 24, stiffened = pow(tan(phi / 2) / (phi / 2), 2) - 1;
  const double own = force_error(WY_AUTO_MEASURE), tangent = force_error(WY_TAN2);
  print_message("spring, 10 segments a turn: force off by %.2e, with tan2 by %.2e\n", own, tangent);
  check_close(own, 0, 4 * corner * corner);
  check_close(tangent, stiffened, 4 * corner * corner + stiffened * stiffened);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(curved_rods_take_the_angle_and_straight_ones_do_not),
      cmocka_unit_test(the_default_is_the_measure_that_it_takes),
      cmocka_unit_test(batches_take_what_their_pattern_takes),
      cmocka_unit_test(a_spring_of_ten_segments_a_turn_has_its_stiffness),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
