/* SPDX-License-Identifier: MIT */
/* Rods beside many obstacles: distances are found for those groups of stations that may touch. Whatever a rod does,
   what is found is what all distances say, to the last bit, and what is left out is far. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "scheme/contacts.h"
#include "support/rods.h"

enum { OBSTACLES = 12 };

static const double radius = 5e-3;

/* Pegs, balls, blocks, rings and short tubes beneath a rod along x; the last one is a floor. */
static void line_up(wy_obstacle_def obstacles[OBSTACLES]) {
  static const wy_obstacle_shape shapes[] = {WY_OBSTACLE_CYLINDER, WY_OBSTACLE_SPHERE, WY_OBSTACLE_BOX,
                                             WY_OBSTACLE_TORUS,    WY_OBSTACLE_TUBE,   WY_OBSTACLE_CAPSULE};
  static const char *const names[OBSTACLES] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
  for (int i = 0; i < OBSTACLES; i++) {
    wy_obstacle_def *def = &obstacles[i];
    *def = wy_default_obstacle_def();
    def->name = names[i];
    if (i == OBSTACLES - 1) {
      def->position[2] = wy_constant(-0.03);
      continue;
    }
    def->shape = shapes[i % 6];
    def->position[0] = wy_constant(0.1 * i);
    def->position[2] = wy_constant(def->shape == WY_OBSTACLE_TUBE ? 0.01 : -0.015);
    def->axis[0] = def->shape == WY_OBSTACLE_TUBE, def->axis[1] = !def->axis[0], def->axis[2] = 0;
    def->radius = def->shape == WY_OBSTACLE_TUBE ? 0.03 : def->shape == WY_OBSTACLE_TORUS ? 0.02 : 0.008;
    def->thickness = 0.004;
    def->length = 0.06;
    for (int k = 0; k < 3; k++)
      def->dimensions[k] = 0.02;
  }
}

/* `few`: how many stations were left out. */
static void compare(wy_contacts *contacts, wy_meeting *at, double margin, int *few) {
  double *all = malloc((size_t)contacts->count * sizeof *all);
  wy_contacts_distances(contacts, at);
  memcpy(all, contacts->distance, (size_t)contacts->count * sizeof *all);
  wy_contacts_close_distances(contacts, at, margin);
  for (int k = 0; k < contacts->count; k++) {
    const double found = contacts->distance[k];
    const bool out = found == (double)INFINITY;
    if (out ? all[k] < contacts->radius[k] + margin : found != all[k])
      fail_msg("obstacle %d, station %d: got %.17g, want %.17g", at->obstacle, k, found, all[k]);
    if (!wy_contacts_group_near(contacts, k - k % WY_LANES) && wy_contacts_touches(contacts, k))
      fail_msg("obstacle %d, station %d touches, and its group is not near", at->obstacle, k);
    *few += out;
  }
  free(all);
}

/* Rods that creep and jump, far from any equilibrium. */
static void same_distances(void **state) {
  (void)state;
  wy_model_def def = wy_default_model_def();
  wy_obstacle_def obstacles[OBSTACLES];
  wy_rod_def rod = wy_default_rod_def();
  wy_solver_def solver = wy_default_solver_def();
  line_up(obstacles);
  rod.length = 1.2, rod.segments = 60;
  rod.section.shape = WY_CIRCLE, rod.section.radius.value = radius;
  rod.material.given = true, rod.material.density.value = 1100;
  rod.material.young.value = 5e6, rod.material.poisson.value = 0.5;
  rod.shape.origin[0] = -0.05, rod.shape.origin[2] = 0.01;
  def.rods = &rod, def.rod_count = 1;
  def.obstacles = obstacles, def.obstacle_count = OBSTACLES;
  test_system made = make_system(&def, &solver);
  wy_system *system = made.system;
  wy_contacts *contacts = system->contacts;
  double *u = calloc((size_t)system->size + WY_INTEGRALS, sizeof *u);
  unsigned seed = 3;
  int few = 0, touched = 0;
  system->type->initial(system, u);
  wy_system_start_contact(system, 0, u);
  for (int step = 0; step < 400; step++) {
    static const double ways[] = {1e-4, 3e-3, 0.02, 0.1, 1e-3}, margins[] = {0, 0.004, 0.05};
    const double way = ways[step % 5];
    for (int i = 0; i < system->size; i++)
      u[i] += way * noise(&seed) * (i % 7 == 0);
    if (step % 50 == 49)
      system->type->initial(system, u);
    wy_contacts_place(contacts, 0);
    wy_contacts_search(contacts, (wy_v3){-10, -10, -10}, (wy_v3){10, 10, 10}, 0);
    wy_contacts_look_at(system, u);
    for (int i = 0; i < OBSTACLES; i++) {
      compare(contacts, &contacts->meetings[(i * 5 + step) % OBSTACLES], margins[step % 3], &few);
      for (int k = 0; k < contacts->count; k++)
        touched += wy_contacts_touches(contacts, k);
    }
  }
  if (few < 100000 || touched < 1000)
    fail_msg("%d stations were left out and %d touched: want many of both", few, touched);
  free(u);
  free_system(&made);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(same_distances)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
