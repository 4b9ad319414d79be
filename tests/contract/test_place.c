/* SPDX-License-Identifier: MIT */
/* Nothing depends on where a rod stands. The same rod in two places, with supports that move by the same way: in every
   scheme, and with every integrator, it takes the same steps to the same configurations, bit for bit. Shifts and places
   of supports have few binary digits, so that nothing is lost when they are added. */
#include <float.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "math/vec3.h"
#include "support/rods.h"
#include "withy/sundials.h"

static const double shift[3] = {1024, -512, 4096}, gravity[3] = {0.3, -0.2, -0.6};

/* Round-off of a coordinate out there, and what is left of it after a few sums. */
static const double place_noise = 4096 * DBL_EPSILON, energy_noise = 64 * 4096 * DBL_EPSILON;

/* base + 0.1 sin(2 t)^2, the second part rounded to 2^-38: exact with any base of up to 14 bits before the point. */
static void softly(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)s, (void)wrt;
  const double base = *(const double *)context, way = 0.1 * sin(2 * t) * sin(2 * t);
  jet[0] = base + ldexp(rint(ldexp(way, 38)), -38);
  jet[1] = 0.2 * sin(4 * t), jet[2] = 0.8 * cos(4 * t);
}

static void turning(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)s, (void)wrt;
  jet[0] = 0.2 * (1 - cos(2 * t)), jet[1] = 0.4 * sin(2 * t), jet[2] = 0.8 * cos(2 * t);
}

typedef struct method {
  const char *scheme, *integrator;
  wy_rod_kind kind;
  wy_coordinates coordinates;
} method;

typedef struct place {
  double at[3];
  test_sim made;
} place;

static wy_rod_def rod_at(const place *self, const method *by) {
  wy_rod_def rod = rich_rod(10);
  rod.kind = by->kind;
  if (strcmp(by->scheme, "conserving") == 0)
    rod.damping.kind = WY_UNDAMPED;
  wy_copy3(self->at, rod.shape.origin);
  return rod;
}

/* Driven along x and z and turned; held along y. */
static void drive(wy_rod_def *rod, const place *self) {
  wy_end *end = &rod->ends[WY_START];
  *end = wy_end_clamped();
  for (int k = 0; k < 3; k += 2) {
    end->position[k] = WY_DRIVEN;
    end->path[k] = (wy_signal){0, softly, &self->at[k], WY_TIME};
  }
  end->rotation = WY_DRIVEN;
  end->axis[1] = 1;
  end->angle = (wy_signal){0, turning, NULL, WY_TIME};
}

static void create(place *self, const wy_rod_def *rod, const method *by, bool statics) {
  wy_message message = {0};
  wy_model_def def = wy_default_model_def();
  wy_sim_def sim = wy_default_sim_def();
  def.rods = rod;
  def.rod_count = 1;
  memcpy(def.gravity, gravity, sizeof gravity);
  sim.statics = statics;
  sim.solver.scheme = by->scheme;
  sim.solver.integrator = by->integrator;
  sim.solver.staggered.coordinates = by->coordinates;
  sim.solver.more = wy_sundials();
  sim.solver.relative_tolerance = sim.solver.absolute_tolerance = 1e-5;
  sim.solver.first_step = wy_method_has_fixed_step(&sim.solver) ? 0.01 : 0;
  must(wy_model_create(&def, &self->made.model, &message), &message);
  must(wy_sim_create(self->made.model, &sim, &self->made.sim, &message), &message);
}

static void same_values(const char *name, const char *what, const wy_points *got, const wy_points *want) {
  assert_int_equal(got->count, want->count);
  for (int i = 0; i < got->count * got->components; i++)
    if (got->values[i] != want->values[i])
      fail_msg("%s: %s, value %d: got %.17g, want %.17g", name, what, i, got->values[i], want->values[i]);
}

static void same_shape(const char *name, const wy_view *there, const wy_view *here) {
  for (int i = 0; i < here->position.count * 3; i++)
    check_close(there->position.values[i], here->position.values[i] + shift[i % 3], place_noise);
  same_values(name, "velocity", &there->velocity, &here->velocity);
  same_values(name, "frame", &there->frame, &here->frame);
  same_values(name, "angular velocity", &there->angular_velocity, &here->angular_velocity);
  same_values(name, "strain", &there->strain, &here->strain);
  same_values(name, "force", &there->force, &here->force);
  same_values(name, "curvature", &there->curvature, &here->curvature);
  same_values(name, "moment", &there->moment, &here->moment);
  for (int end = 0; end < 2; end++)
    for (int k = 0; k < 3; k++) {
      check_close(there->ends[end].position[k], here->ends[end].position[k] + shift[k], place_noise);
      check_close(there->ends[end].reaction_force[k], here->ends[end].reaction_force[k], 0);
      check_close(there->ends[end].reaction_moment[k], here->ends[end].reaction_moment[k], 0);
    }
}

/* What counts from the origin of space changes as it must, and nothing else does. */
static void same_books(const place *there, const place *here) {
  const wy_energy a = wy_sim_energy(here->made.sim, 0), b = wy_sim_energy(there->made.sim, 0);
  const wy_momentum p = wy_sim_momentum(here->made.sim, 0), q = wy_sim_momentum(there->made.sim, 0);
  double turn[3];
  wy_cross3(shift, p.linear, turn);
  check_close(b.kinetic, a.kinetic, 0);
  check_close(b.elastic, a.elastic, 0);
  check_close(b.work, a.work, 0);
  check_close(b.dissipated, a.dissipated, 0);
  check_close(b.gravity, a.gravity - p.mass * wy_dot3(gravity, shift), energy_noise);
  check_close(b.total, b.kinetic + b.elastic + b.gravity, energy_noise);
  for (int k = 0; k < 3; k++) {
    check_close(q.linear[k], p.linear[k], 0);
    check_close(q.angular[k], p.angular[k] + turn[k], energy_noise);
    check_close(q.centre_of_mass[k], p.centre_of_mass[k] + shift[k], place_noise);
  }
}

static void same_cost(const char *name, const place *there, const place *here) {
  const wy_statistics a = wy_sim_statistics(here->made.sim, 0), b = wy_sim_statistics(there->made.sim, 0);
  if (a.steps != b.steps || a.rejected != b.rejected || a.rhs != b.rhs || a.newton_iterations != b.newton_iterations)
    fail_msg("%s: %ld steps, %ld rejected, %ld evaluations there; %ld, %ld, %ld here", name, b.steps, b.rejected, b.rhs,
             a.steps, a.rejected, a.rhs);
}

static void pull_start(const place *self) {
  wy_message message = {0};
  const double target[3] = {self->at[0] + 0.125, self->at[1] - 0.0625, self->at[2] + 0.25};
  must(wy_sim_move_end(self->made.sim, 0, WY_START, &(wy_pose){.position = target}, 0.5, &message), &message);
}

/* Along the path of its support, then by a move asked for on the way. */
static void moves_alike(const method *by) {
  place both[2] = {{.at = {0}}, {.at = {shift[0], shift[1], shift[2]}}};
  char name[96];
  snprintf(name, sizeof name, "%s, %s, kind %d", by->scheme, by->integrator, (int)by->kind);
  wy_message message = {0};
  for (int i = 0; i < 2; i++) {
    wy_rod_def rod = rod_at(&both[i], by);
    drive(&rod, &both[i]);
    create(&both[i], &rod, by, false);
    must(wy_sim_advance(both[i].made.sim, 0.3, &message), &message);
    pull_start(&both[i]);
    must(wy_sim_sample(both[i].made.sim, 0.6, &message), &message);
  }
  same_shape(name, wy_sim_view(both[1].made.sim, 0), wy_sim_view(both[0].made.sim, 0));
  same_books(&both[1], &both[0]);
  same_cost(name, &both[1], &both[0]);
  free_sim(&both[0].made);
  free_sim(&both[1].made);
}

static void every_integrator_takes_the_same_steps(void **state) {
  (void)state;
  for (int i = 0; wy_integrator_at(wy_sundials(), i); i++) {
    const wy_integrator_type *type = wy_integrator_at(wy_sundials(), i);
    if (wy_integrator_fits(type, wy_scheme_find("staggered")))
      moves_alike(&(method){"staggered", type->info->name, WY_COSSERAT, WY_NULLSPACE});
  }
}

static void every_scheme_takes_the_same_steps(void **state) {
  (void)state;
  const method methods[] = {
      {"staggered", "radau5", WY_COSSERAT, WY_ABSOLUTE},     {"staggered", "radau5", WY_KIRCHHOFF, WY_NULLSPACE},
      {"staggered", "rodas", WY_INEXTENSIBLE, WY_NULLSPACE}, {"staggered", "dop853", WY_INEXTENSIBLE, WY_NULLSPACE},
      {"mixed", "auto", WY_COSSERAT, WY_NULLSPACE},          {"mixed", "auto", WY_INEXTENSIBLE, WY_NULLSPACE},
      {"conserving", "auto", WY_COSSERAT, WY_NULLSPACE},     {"box", "auto", WY_INEXTENSIBLE, WY_NULLSPACE}};
  for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
    moves_alike(&methods[i]);
}

/* ---- Equilibria ---- */

static void same_modes(const place *there, const place *here) {
  wy_message message = {0};
  wy_mode_set *a, *b;
  must(wy_sim_modes(here->made.sim, 0, 4, &a, &message), &message);
  must(wy_sim_modes(there->made.sim, 0, 4, &b, &message), &message);
  for (int i = 0; i < a->count; i++)
    check_close(b->omega[i], a->omega[i], 0);
  for (int i = 0; i < a->count * a->points * 3; i++)
    check_close(b->displacement[i], a->displacement[i], 0);
  for (int i = 0; i < a->points * 3; i++)
    check_close(b->position[i], a->position[i] + shift[i % 3], place_noise);
  wy_mode_set_destroy(a);
  wy_mode_set_destroy(b);
}

/* Clamped at both ends, of which the one moves on the way to the equilibrium and then again. */
static void settles_alike(const method *by) {
  place both[2] = {{.at = {0}}, {.at = {shift[0], shift[1], shift[2]}}};
  char name[96];
  snprintf(name, sizeof name, "%s, kind %d", by->scheme, (int)by->kind);
  wy_message message = {0};
  for (int i = 0; i < 2; i++) {
    wy_rod_def rod = rod_at(&both[i], by);
    drive(&rod, &both[i]);
    rod.ends[WY_END] = wy_end_pinned();
    create(&both[i], &rod, by, true);
    must(wy_sim_settle(both[i].made.sim, 0.25, &message), &message);
    pull_start(&both[i]);
    must(wy_sim_follow(both[i].made.sim, 1, &message), &message);
  }
  const wy_equilibrium_info here = wy_sim_equilibrium(both[0].made.sim, 0),
                            there = wy_sim_equilibrium(both[1].made.sim, 0);
  assert_int_equal(there.increments, here.increments);
  assert_int_equal(there.newton_iterations, here.newton_iterations);
  assert_int_equal(there.unstable, here.unstable);
  same_shape(name, wy_sim_view(both[1].made.sim, 0), wy_sim_view(both[0].made.sim, 0));
  same_books(&both[1], &both[0]);
  same_modes(&both[1], &both[0]);
  free_sim(&both[0].made);
  free_sim(&both[1].made);
}

static void equilibria_and_modes_are_the_same(void **state) {
  (void)state;
  const method methods[] = {{"staggered", "auto", WY_COSSERAT, WY_NULLSPACE},
                            {"staggered", "auto", WY_INEXTENSIBLE, WY_NULLSPACE},
                            {"mixed", "auto", WY_COSSERAT, WY_NULLSPACE},
                            {"mixed", "auto", WY_KIRCHHOFF, WY_NULLSPACE},
                            {"box", "auto", WY_INEXTENSIBLE, WY_NULLSPACE}};
  for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
    settles_alike(&methods[i]);
}

/* ---- A small and stiff rod ---- */

/* Where round-off of positions, over the length of a segment and times EA, would be forces: 2 cm of steel wire. */
static long steps_of_wire(const char *integrator, double far) {
  place self = {.at = {far, far, far}};
  wy_message message = {0};
  wy_rod_def rod = steel_rod(20);
  rod.length = 0.02;
  rod.section.radius = wy_constant(0.0005);
  rod.damping.kind = WY_DAMPING_TIME;
  rod.damping.time = wy_constant(1e-6);
  rod.shape = (wy_shape){.direction = {1, 0, 0}};
  wy_copy3(self.at, rod.shape.origin);
  wy_model_def def = wy_default_model_def();
  wy_sim_def sim = wy_default_sim_def();
  def.rods = &rod;
  def.rod_count = 1;
  def.gravity[2] = -9.81;
  sim.solver.integrator = integrator;
  sim.solver.relative_tolerance = sim.solver.absolute_tolerance = 1e-8;
  must(wy_model_create(&def, &self.made.model, &message), &message);
  must(wy_sim_create(self.made.model, &sim, &self.made.sim, &message), &message);
  must(wy_sim_advance(self.made.sim, 2e-4, &message), &message);
  const long steps = wy_sim_statistics(self.made.sim, 0).steps;
  free_sim(&self.made);
  return steps;
}

static void a_stiff_wire_takes_its_steps_anywhere(void **state) {
  (void)state;
  static const char *const integrators[] = {"ndf", "rodas", "radau5", "dop853"};
  static const double places[] = {1, 10, 1000};
  for (size_t i = 0; i < sizeof integrators / sizeof integrators[0]; i++) {
    const long wanted = steps_of_wire(integrators[i], 0);
    for (size_t k = 0; k < sizeof places / sizeof places[0]; k++) {
      const long steps = steps_of_wire(integrators[i], places[k]);
      if (steps != wanted)
        fail_msg("%s: %ld steps at %g, %ld at the origin", integrators[i], steps, places[k], wanted);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_integrator_takes_the_same_steps), cmocka_unit_test(every_scheme_takes_the_same_steps),
      cmocka_unit_test(equilibria_and_modes_are_the_same), cmocka_unit_test(a_stiff_wire_takes_its_steps_anywhere)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
