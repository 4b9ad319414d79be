/* SPDX-License-Identifier: MIT */
#include "support/rods.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "scenes/published.h"

static test_system make_with(const wy_model_def *def, const wy_solver_def *solver, wy_factor_needs needs) {
  test_system made = {0};
  wy_message message = {0};
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

test_system make_system(const wy_model_def *def, const wy_solver_def *solver) {
  return make_with(def, solver, (wy_factor_needs){.real = 1, .complex = 1, .equilibria = true});
}

test_system make_explicit_system(const wy_model_def *def, const wy_solver_def *solver) {
  return make_with(def, solver, (wy_factor_needs){0});
}

void free_system(test_system *made) {
  wy_arena_release(&made->memory.saved);
  wy_arena_release(&made->memory.scratch);
  wy_model_destroy(made->model);
}

static double taper(double s) {
  return 1 + 0.3 * s;
}

static void tapered(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)t;
  double value = *(const double *)context;
  jet[0] = value * taper(s), jet[1] = wrt == WY_ARC ? 0.3 * value : 0, jet[2] = 0;
}

static wy_signal tapering(const double *value) {
  return (wy_signal){0, tapered, value, WY_ARC};
}

wy_rod_def rich_rod(int segments) {
  static const double stiffness[6] = {4, 5, 9, 0.5, 0.7, 0.4}, damping[6] = {0.2, 0.3, 0.25, 0.05, 0.03, 0.04};
  static const double inertia[4] = {1.3, 0.11, 0.17, 0.25}, lengths[] = {0.2, 0.3, 0.25, 0.35, 0.15, 0.3};
  wy_rod_def rod = wy_default_rod_def();
  rod.segments = segments;
  rod.length = 2;
  if (segments == 6) {
    rod.segment_lengths = lengths;
    rod.length = 1.55;
  }
  rod.has_stiffness = rod.has_inertia = true;
  rod.damping.kind = WY_DAMPING_COEFFICIENTS;
  for (int i = 0; i < 6; i++)
    rod.stiffness[i] = tapering(&stiffness[i]), rod.damping.coefficient[i] = tapering(&damping[i]);
  for (int i = 0; i < 4; i++)
    rod.inertia[i] = tapering(&inertia[i]);
  rod.drag = (wy_drag){0.1, 0.2};
  rod.shape.curvature[0] = wy_constant(0.3);
  rod.shape.curvature[1] = wy_constant(-0.4);
  rod.shape.curvature[2] = wy_constant(0.5);
  return rod;
}

void rich_loads(wy_load_def loads[RICH_LOADS]) {
  static const wy_load_place places[RICH_LOADS] = {WY_AT_END, WY_AT_END, WY_AT_ARC, WY_AT_ARC, WY_ALONG, WY_ALONG};
  for (int i = 0; i < RICH_LOADS; i++) {
    loads[i] = wy_default_load_def();
    loads[i].place = places[i];
    loads[i].axes = i % 2 ? WY_BODY_AXES : WY_SPACE_AXES;
    loads[i].from = i < 4 ? 0.6 : 0.1;
    loads[i].to = 1.2;
    for (int k = 0; k < 3; k++) {
      loads[i].force[k] = wy_constant(0.3 * k - 0.2 * i + 0.1);
      loads[i].moment[k] = wy_constant(0.1 * k * k - 0.05 * i);
    }
  }
}

static void swing(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)s;
  (void)wrt;
  double size = *(const double *)context;
  jet[0] = size * sin(2 * t), jet[1] = 2 * size * cos(2 * t), jet[2] = -4 * size * sin(2 * t);
}

wy_end driven_end(void) {
  static const double path = 0.3, angle = 0.8;
  wy_end end = wy_end_free();
  end.position[0] = end.position[2] = WY_DRIVEN;
  end.path[0] = end.path[2] = (wy_signal){0, swing, &path, WY_TIME};
  end.rotation = WY_DRIVEN;
  end.axis[0] = end.axis[1] = 1;
  end.angle = (wy_signal){0, swing, &angle, WY_TIME};
  return end;
}

void actuator_pair(wy_actuator_def actuators[ACTUATOR_PAIR]) {
  for (int i = 0; i < ACTUATOR_PAIR; i++) {
    actuators[i] = wy_default_actuator_def();
    actuators[i].kind = i ? WY_TENDON : WY_PNEUMATIC;
    actuators[i].offset[0] = wy_constant(i ? -0.15 : 0.2);
    actuators[i].offset[1] = wy_constant(0.1);
    actuators[i].force = wy_constant(i ? 1.1 : -0.9);
  }
}

const char *const end_pair_names[END_PAIRS] = {"free-free", "pinned-free", "clamped-clamped", "driven-free"};

void hold_ends(wy_rod_def *rod, int pair) {
  if (pair == 1)
    rod->ends[WY_START] = wy_end_pinned();
  if (pair == 2)
    rod->ends[WY_START] = rod->ends[WY_END] = wy_end_clamped();
  if (pair == 3)
    rod->ends[WY_START] = driven_end();
}

test_system make_rich_system(const wy_rod_def *rod, const rich_surroundings *with, const wy_solver_def *solver) {
  wy_load_def loads[RICH_LOADS];
  wy_actuator_def actuators[ACTUATOR_PAIR];
  wy_model_def model = wy_default_model_def();
  rich_loads(loads);
  actuator_pair(actuators);
  model.rods = rod, model.rod_count = 1;
  if (with->loaded)
    model.gravity[0] = 0.4, model.gravity[2] = -1.1, model.loads = loads, model.load_count = RICH_LOADS;
  model.actuators = actuators, model.actuator_count = with->actuators;
  return with->implicit ? make_system(&model, solver) : make_explicit_system(&model, solver);
}

double noise(unsigned *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / (double)(1u << 23) - 1;
}

double *doubles(int count) {
  double *out = calloc((size_t)count, sizeof *out);
  assert_non_null(out);
  return out;
}

double *state_array(const test_system *made) {
  return doubles(made->system->size + WY_LANES);
}

void random_vector(const test_system *made, unsigned seed, double *x) {
  for (int i = 0; i < made->system->size; i++)
    x[i] = made->system->weight[i] * noise(&seed);
}

double largest(const double *a, int n) {
  double out = 0;
  for (int i = 0; i < n; i++)
    out = fmax(out, fabs(a[i]));
  return out;
}

void compare_vectors(const char *name, const char *what, const double *got, const double *want, int n,
                     double relative) {
  double scale = fmax(largest(want, n), 1e-30);
  for (int i = 0; i < n; i++)
    if (!(fabs(got[i] - want[i]) <= relative * scale))
      fail_msg("%s: %s: entry %d: got %.15g, want %.15g, tolerance %.3g", name, what, i, got[i], want[i],
               relative * scale);
}

void nth_order(const char *name, error_at *error, const void *context, int first, double bound, double want) {
  double coarse = error(first, context), fine = error(2 * first, context), finest = error(4 * first, context);
  double order = log2(fine / finest);
  print_message("%s: errors %.2e %.2e %.2e, order %.2f\n", name, coarse, fine, finest, order);
  if (!(fabs(coarse) < bound) || !(fabs(order - want) < 0.05 * want))
    fail_msg("%s: error %.3g (bound %.3g), order %.3f (%g wanted)", name, coarse, bound, order, want);
}

void second_order(const char *name, error_at *error, const void *context, int first, double bound) {
  nth_order(name, error, context, first, bound, 2);
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

static void evaluate_nan(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)wrt, (void)s;
  jet[0] = t > 0.5 ? (double)NAN : 0.01 * t, jet[1] = 0.01, jet[2] = 0;
}

wy_signal turns_nan(void) {
  return (wy_signal){0, evaluate_nan, NULL, WY_TIME};
}

wy_rod_def rubber_rod(int segments) {
  return wy_scene_rubber_rod(segments);
}

wy_rod_def steel_rod(int segments) {
  return wy_scene_steel_rod(segments);
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
  sim.statics = true;
  sim.solver = *solver;
  if (wy_model_create(&def, &made.model, &message) || wy_sim_create(made.model, &sim, &made.sim, &message))
    fail_msg("%s: %s", message.path, message.text);
  return made;
}

void free_sim(test_sim *made) {
  wy_sim_destroy(made->sim);
  wy_model_destroy(made->model);
}

void must(wy_status status, const wy_message *message) {
  if (status)
    fail_msg("status %d: %s: %s", (int)status, message->path, message->text);
}

void read_save_and_restore(wy_sim *sim) {
  static char snapshot[1 << 20];
  wy_message message = {0};
  size_t size = wy_sim_save_size(sim);
  assert_true(size < sizeof snapshot);
  wy_sim_view(sim, 0);
  wy_sim_energy(sim, WY_ALL_RODS);
  wy_sim_momentum(sim, WY_ALL_RODS);
  must(wy_sim_save(sim, snapshot, size, &message), &message);
  must(wy_sim_restore(sim, snapshot, size, &message), &message);
}

wound_helix two_turns(void) {
  return (wound_helix){.length = 135.2455804888, .curvature = 0.08633235015, .torsion = 0.03435055069};
}

double helix_tip_error(const wound_helix *helix, const test_sim *made) {
  const double norm = sqrt(helix->curvature * helix->curvature + helix->torsion * helix->torsion);
  double tip[4], origin[3], frame[4], r[9], worst = 0;
  wy_message message = {0};
  must(wy_sim_probe(made->sim, WY_POSITION, 0, helix->length, tip, &message), &message);
  wy_model_reference(made->model, 0, 0, origin, frame);
  wy_qmatrix(frame, r);
  /* After two whole turns the tip stands above the start, at height 50 along the axis (curvature, 0, torsion). */
  for (int i = 0; i < 3; i++) {
    double along = (helix->curvature * r[3 * i] + helix->torsion * r[3 * i + 2]) / norm;
    worst = fmax(worst, fabs(tip[i] - origin[i] - 50 * along));
  }
  return worst;
}

const wy_integrator_type *ode_integrator_at(int index) {
  for (int i = 0; wy_integrator_at(NULL, i); i++) {
    const wy_integrator_type *type = wy_integrator_at(NULL, i);
    if (type->motion == WY_ODE && !type->info->fixed_step && index-- == 0)
      return type;
  }
  return NULL;
}

const char *ode_integrator(int index) {
  const wy_integrator_type *type = ode_integrator_at(index);
  return type ? type->info->name : NULL;
}

static wy_solver_def pair(const char *scheme, const char *integrator) {
  wy_solver_def solver = wy_default_solver_def();
  solver.scheme = scheme;
  solver.integrator = integrator;
  return solver;
}

wy_status method_possible(const char *scheme, wy_rod_kind kind, const char *integrator) {
  wy_solver_def solver = pair(scheme, integrator);
  return wy_method_possible(&solver, kind, NULL);
}

bool has_fixed_step(const char *scheme, const char *integrator) {
  wy_solver_def solver = pair(scheme, integrator);
  return wy_method_has_fixed_step(&solver);
}
