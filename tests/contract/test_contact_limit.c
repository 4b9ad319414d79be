/* SPDX-License-Identifier: MIT */
/* How long steps may be near an obstacle: where a station comes down, where its hit turns, and where neither is near.
   A level rod that comes down without gravity is one mass on one skin, whose motion is computed here by itself. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "contact/law.h"
#include "scheme/contacts.h"
#include "support/rods.h"

static const double radius = 5e-3;

typedef struct level {
  double gap, speed; /* downwards */
  double restitution;
} level;

/* The step that contact allows, at most `longest`; with the rod's skin, its mass per length and the law. */
typedef struct limit {
  double step, hit, mass;
  wy_skin skin;
  wy_touch_law law;
} limit;

static limit limit_of(const level *at, double longest, bool with_f) {
  wy_model_def def = wy_default_model_def();
  wy_obstacle_def floor = wy_default_obstacle_def();
  wy_contact_def contact = wy_default_contact_def();
  wy_rod_def rod = wy_default_rod_def();
  wy_solver_def solver = wy_default_solver_def();
  rod.length = 0.5, rod.segments = 4;
  rod.section.shape = WY_CIRCLE, rod.section.radius.value = radius;
  rod.material.given = true, rod.material.density.value = 1100;
  rod.material.young.value = 5e6, rod.material.poisson.value = 0.5;
  rod.shape.origin[2] = radius + at->gap;
  rod.initial.velocity[2].value = -at->speed;
  contact.restitution = at->restitution, contact.speed = 1e-3;
  def.rods = &rod, def.rod_count = 1;
  def.obstacles = &floor, def.obstacle_count = 1;
  def.contact = &contact;
  test_system made = make_system(&def, &solver);
  wy_system *system = made.system;
  double *u = calloc((size_t)system->size + WY_INTEGRALS, sizeof *u);
  double *f = calloc((size_t)system->size + WY_INTEGRALS, sizeof *f);
  system->type->initial(system, u);
  wy_system_start_contact(system, 0, u);
  assert_int_equal(system->type->rhs(system, 0, u, f, NULL), 0);
  limit out = {.step = wy_system_step_limit(system, 0, u, with_f ? f : NULL, longest),
               .mass = system->contacts->mass[0],
               .skin = system->contacts->skin[0],
               .law = system->contacts->meetings[0].law};
  out.hit = 3.14159265358979323846 * sqrt(out.mass / out.skin.stiffness);
  free(u), free(f);
  free_system(&made);
  return out;
}

/* The time in which the same mass turns, by (K1) to (K3) and the classical Runge-Kutta method; and how deep it is then.
 */
static double turns_after(const level *at, const limit *of, double *deepest) {
  const double h = 1e-5 * of->hit;
  double depth = -at->gap, speed = at->speed, t = 0;
  while (speed > 0) {
    static const double share[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    double rate[2] = {0, 0}, sum[2] = {0, 0}, slope;
    for (int k = 0; k < 4; k++) {
      const double d = depth + share[k] * h * rate[0], v = speed + share[k] * h * rate[1];
      const double more = 1 + of->law.loss * wy_saturated(v / of->law.normal_speed, &slope);
      rate[0] = v, rate[1] = -more * wy_skin_at(&of->skin, d).load / of->mass;
      sum[0] += weight[k] * rate[0] / 6, sum[1] += weight[k] * rate[1] / 6;
    }
    depth += h * sum[0], speed += h * sum[1], t += h;
  }
  *deepest = depth;
  return t;
}

/* Foreseen with the stiffness that the skin has now. It goes on rising, and times fall with its root; Runge's steps are
   a 1e-5 of a hit, and the last part of the load is lost within v_n. */
static void steps_end_where_a_hit_turns(void **state) {
  (void)state;
  static const double depths[] = {0.06, 0.1, 0.2}, speeds[] = {0.05, 0.5, 2};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      const level at = {-depths[i] * radius, speeds[k], 0.5};
      const limit got = limit_of(&at, 1, true);
      double deepest;
      const double want = turns_after(&at, &got, &deepest), foreseen = got.step - 0.01 * got.hit;
      print_message("depth %g, speed %g: turns after %g of a hit, foreseen %g\n", depths[i], speeds[k], want / got.hit,
                    foreseen / got.hit);
      const double stiffer = wy_skin_at(&got.skin, deepest).slope / wy_skin_at(&got.skin, -at.gap).slope;
      check_close(foreseen, want, (0.5 * (stiffer - 1) + got.law.normal_speed / at.speed) * want + 1e-5 * got.hit);
    }
}

static void other_steps_are_not_shorter(void **state) {
  (void)state;
  const double longest = 1e-3;
  const level elastic = {-0.1 * radius, 0.5, 1}, leaving = {-0.1 * radius, -0.5, 0.5},
              slow = {-0.1 * radius, 5e-4, 0.5}, deeper = {-0.1 * radius, 0.5, 0.5};
  check_close(limit_of(&elastic, longest, true).step, longest, 0); /* its load does not jump */
  check_close(limit_of(&leaving, longest, true).step, longest, 0);
  check_close(limit_of(&slow, longest, true).step, longest, 0); /* within the jump */
  check_close(limit_of(&deeper, longest, false).step, longest, 0);
  check_below(limit_of(&deeper, longest, true).step, longest);
}

static void steps_are_short_where_it_comes_down(void **state) {
  (void)state;
  const level near = {0.5 * radius, 0.5, 0.5}, far = {100 * radius, 0.5, 0.5}, away = {0.5 * radius, -0.5, 0.5};
  const limit got = limit_of(&near, 1, true);
  check_close(got.step, near.gap / near.speed + 0.25 * got.hit, 1e-12);
  check_close(limit_of(&far, 0.1, true).step, 0.1, 0);
  check_close(limit_of(&away, 0.1, true).step, 0.1, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(steps_end_where_a_hit_turns),
                                     cmocka_unit_test(other_steps_are_not_shorter),
                                     cmocka_unit_test(steps_are_short_where_it_comes_down)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
