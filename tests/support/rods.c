#include "support/rods.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

test_system make_system(const wy_model_def *def, const wy_solver_def *solver) {
  test_system made = {0};
  wy_message message = {0};
  wy_factor_needs needs = {.real = 1, .complex = 1};
  if (wy_model_create(def, &made.model, &message))
    fail_msg("model: %s: %s", message.path, message.text);
  const wy_scheme *scheme = wy_scheme_find(solver->scheme);
  scheme->create(made.model, 0, solver, needs, &made.memory, &made.system, &message);
  assert_int_equal(wy_arena_allocate(&made.memory.saved), 0);
  assert_int_equal(wy_arena_allocate(&made.memory.scratch), 0);
  scheme->create(made.model, 0, solver, needs, &made.memory, &made.system, &message);
  assert_int_equal(made.system->size, scheme->size(made.model, 0, solver));
  return made;
}

void free_system(test_system *made) {
  wy_arena_release(&made->memory.saved);
  wy_arena_release(&made->memory.scratch);
  wy_model_destroy(made->model);
}

double noise(unsigned *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / (double)(1u << 23) - 1;
}

void disturbed_state(const test_system *made, double size, unsigned seed, double *u) {
  made->system->type->initial(made->system, u);
  for (int f = 0; f < made->system->field_count; f++) {
    const wy_field *field = &made->system->fields[f];
    for (int k = 0; k < field->components; k++)
      for (int i = 0; i < field->count; i++) {
        int at = field->offset + k * field->stride + i;
        u[at] += made->system->weight[at] * size * noise(&seed);
      }
  }
}

wy_rod_def rubber_rod(int segments) {
  wy_rod_def rod = wy_default_rod_def();
  rod.name = "pendulum";
  rod.length = 1;
  rod.segments = segments;
  rod.section.shape = WY_CIRCLE;
  rod.section.radius = wy_constant(5e-3);
  rod.material.given = true;
  rod.material.density = wy_constant(1100);
  rod.material.young = wy_constant(5e6);
  rod.material.poisson = wy_constant(0.5);
  rod.damping.kind = WY_DAMPING_COEFFICIENTS;
  static const double damping[6] = {0.2, 0.2, 4.0, 4e-4, 4e-4, 1.6e-5};
  for (int i = 0; i < 6; i++)
    rod.damping.coefficient[i] = wy_constant(damping[i]);
  rod.shape.direction[1] = 1;
  rod.shape.d1[2] = 1;
  rod.ends[WY_START] = wy_end_pinned();
  return rod;
}

wy_rod_def steel_rod(int segments) {
  wy_rod_def rod = rubber_rod(segments);
  rod.section.radius = wy_constant(1e-3);
  rod.material.density = wy_constant(7850);
  rod.material.young = wy_constant(2.1e11);
  rod.material.poisson = wy_constant(0.2);
  rod.ends[WY_START] = wy_end_clamped();
  return rod;
}

test_sim make_sim(const wy_rod_def *rod, const wy_load_def *loads, int load_count, const wy_solver_def *solver,
                  const double gravity[3]) {
  test_sim made = {0};
  wy_message message = {0};
  wy_model_def def = wy_default_model_def();
  def.rods = rod;
  def.rod_count = 1;
  def.loads = loads;
  def.load_count = load_count;
  if (gravity)
    memcpy(def.gravity, gravity, sizeof def.gravity);
  wy_sim_def sim = wy_default_sim_def();
  sim.solver = *solver;
  if (wy_model_create(&def, &made.model, &message) || wy_sim_create(made.model, &sim, &made.sim, &message))
    fail_msg("%s: %s", message.path, message.text);
  return made;
}

void free_sim(test_sim *made) {
  wy_sim_destroy(made->sim);
  wy_model_destroy(made->model);
}
