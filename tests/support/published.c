#include "support/published.h"

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "support/uniform.h"

static const double pi = 3.14159265358979323846;

wy_signal example_signal(example *e, const char *text, double factor) {
  char whole[512];
  wy_expr_error error = {0};
  check_below(e->expression_count, MOST_EXPRESSIONS);
  snprintf(whole, sizeof whole, "%.17g*(%s)", factor, text);
  wy_expr **expr = &e->expressions[e->expression_count++];
  if (wy_expr_compile(NULL, whole, WY_TIME | WY_ARC, expr, &error))
    fail_msg("%s: column %d: %s", whole, error.column, error.text);
  return wy_expr_signal(*expr);
}

void free_example(example *e) {
  for (int i = 0; i < e->expression_count; i++)
    wy_expr_destroy(e->expressions[i]);
}

/* A load at the end, with the course in time of both its force and its moment. */
static void add_end_load(example *e, const char *course, const double force[3], const double moment[3]) {
  wy_load_def *load = &e->loads[e->load_count++];
  *load = wy_default_load_def();
  load->place = WY_AT_END;
  for (int i = 0; i < 3; i++) {
    if (force[i] != 0)
      load->force[i] = example_signal(e, course, force[i]);
    if (moment[i] != 0)
      load->moment[i] = example_signal(e, course, moment[i]);
  }
}

example flying_spaghetti(int elements) {
  static const double stiffness[6] = {1e4, 1e4, 1e4, 1e3, 1e3, 1e3}, inertia[4] = {1, 10, 10, 20};
  static const double force[3] = {0.1, 0, 0}, moment[3] = {0, 1, 0.5};
  example e = {.rod = given_rod(elements, 10, stiffness, inertia)};
  e.rod.ends[WY_START] = wy_end_free();
  e.rod.shape = (wy_shape){.origin = {6, 0, 0}, .direction = {-0.6, 0, 0.8}, .d1 = {0.8, 0, 0.6}};
  add_end_load(&e, "t <= 2.5 ? 80*t : t <= 5 ? 400 - 80*t : 0", force, moment);
  return e;
}

static wy_rod_def round_rod(int elements, double length, double diameter, double density, double young, double shear) {
  wy_rod_def rod = wy_default_rod_def();
  rod.segments = elements;
  rod.length = length;
  rod.section.shape = WY_CIRCLE;
  rod.section.radius = wy_constant(0.5 * diameter);
  rod.material.given = rod.material.has_shear = true;
  rod.material.density = wy_constant(density);
  rod.material.young = wy_constant(young);
  rod.material.shear = wy_constant(shear);
  rod.ends[WY_START] = wy_end_clamped();
  return rod;
}

example aluminium_cantilever(int elements, bool maxwell) {
  static const wy_maxwell branch = {.share = 0.75, .time = 0.08};
  static const double force[3] = {0, 1, 1}, moment[3] = {0.25, 0, 0};
  example e = {.rod = round_rod(elements, 1, 4e-3, 2850, 7.2e10, 7.2e10 / 2.7)};
  e.rod.kind = WY_INEXTENSIBLE;
  e.rod.shape = (wy_shape){.direction = {1, 0, 0}, .d1 = {0, 1, 0}};
  e.rod.maxwell = &branch;
  e.rod.maxwell_count = maxwell ? 1 : 0;
  add_end_load(&e, "t <= 0.05 ? 0.5*(1 - cos(40*pi*t)) : 0", force, moment);
  return e;
}

example bent_cantilever(int elements, bool constrained) {
  static const double stiffness[6] = {1, 1, 5, 2, 2, 0.5}, inertia[4] = {1, 1, 1, 2};
  const double length = 2 * pi, load = 10 * 2 / (length * length);
  const double force[3] = {0, -load, 0}, moment[3] = {0, 0, 2.5 * load};
  example e = {.rod = given_rod(elements, length, stiffness, inertia)};
  e.rod.kind = constrained ? WY_INEXTENSIBLE : WY_COSSERAT;
  e.rod.shape = (wy_shape){.direction = {1, 0, 0}, .d1 = {0, 1, 0}};
  add_end_load(&e, "t", force, moment);
  return e;
}

example soft_arm(int elements) {
  example e = {.rod = round_rod(elements, 0.1755, 0.03, 1080, 6e5, 2e5)};
  e.rod.shape = (wy_shape){.direction = {0, 0, 1}, .d1 = {1, 0, 0}};
  return e;
}

/* The chamber at angle a pushes with f (1 + cos(phi - a)) / 2. The heart has f = f_max r / 2 and
   phi = atan2(y, x), so that r cos(phi - a) = x cos a + y sin a. */
example actuated_arm(int elements, manoeuvre path) {
  example e = soft_arm(elements);
  for (int k = 0; k < 3; k++) {
    double angle = (1 + 4 * k) * pi / 6, c = cos(angle), s = sin(angle);
    char text[400];
    if (path == CIRCLE)
      snprintf(text, sizeof text,
               "(t <= 0.5 ? 0.5*(1 - cos(2*pi*t)) : t <= 3.5 ? 1 : 0.5*(1 + cos(2*pi*(t - 3.5))))*0.5*(1 + cos("
               "(t <= 0.5 ? 0 : t <= 3.5 ? pi*(1 - cos(pi*(t - 0.5)/3)) : 2*pi) - %.17g))",
               angle);
    else
      snprintf(text, sizeof text,
               "0.25*(sqrt(sin(pi*t/2)^6 + (cos(pi*t/2) - cos(pi*t))^2) + %.17g*sin(pi*t/2)^3"
               " + %.17g*(cos(pi*t/2) - cos(pi*t)))",
               c, s);
    wy_actuator_def *chamber = &e.actuators[e.actuator_count++];
    *chamber = wy_default_actuator_def();
    chamber->kind = WY_PNEUMATIC;
    chamber->offset[0] = wy_constant(6.5e-3 * c);
    chamber->offset[1] = wy_constant(6.5e-3 * s);
    chamber->force = example_signal(&e, text, -50);
  }
  return e;
}

wy_solver_def mixed_solver(int order, double step) {
  wy_solver_def solver = wy_default_solver_def();
  solver.scheme = "mixed";
  solver.mixed.order = order;
  solver.first_step = step;
  return solver;
}

wy_model_def example_model(const example *e) {
  wy_model_def def = wy_default_model_def();
  memcpy(def.gravity, e->gravity, sizeof def.gravity);
  def.rods = &e->rod;
  def.rod_count = 1;
  def.loads = e->loads;
  def.load_count = e->load_count;
  def.actuators = e->actuators;
  def.actuator_count = e->actuator_count;
  return def;
}

test_sim simulate(const example *e, const wy_solver_def *solver) {
  test_sim made = {0};
  wy_message message = {0};
  const wy_model_def def = example_model(e);
  must(wy_model_create(&def, &made.model, &message), &message);
  wy_sim_def sim = wy_default_sim_def();
  sim.statics = true;
  sim.solver = *solver;
  must(wy_sim_create(made.model, &sim, &made.sim, &message), &message);
  return made;
}

void probe(const test_sim *made, wy_quantity quantity, double s, double out[4]) {
  wy_message message = {0};
  must(wy_sim_probe(made->sim, quantity, 0, s, out, &message), &message);
}
