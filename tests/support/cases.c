/* SPDX-License-Identifier: MIT */
#include "support/cases.h"

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "support/fluid.h"

wy_load_def *add_load(example *e, wy_load_place place, wy_axes axes, double from, double to) {
  wy_load_def *load = &e->loads[e->load_count++];
  *load = wy_default_load_def();
  load->place = place;
  load->axes = axes;
  load->from = from;
  load->to = to;
  return load;
}

void swinging(example *e, wy_load_def *load, double force, double moment) {
  static const char *const courses[6] = {"cos(3*t)",         "0.5 + sin(2*t)", "cos(t) - 0.7",
                                         "sin(4*t) - 0.2*t", "cos(2*t)",       "0.3 + t"};
  for (int i = 0; i < 3; i++) {
    load->force[i] = force != 0 ? example_signal(e, courses[i], force) : wy_constant(0);
    load->moment[i] = moment != 0 ? example_signal(e, courses[3 + i], moment) : wy_constant(0);
  }
}

void set_gravity(example *e) {
  const double gravity[3] = {0.3, -0.4, -1};
  memcpy(e->gravity, gravity, sizeof gravity);
}

example plain_case(void) {
  example e = {.rod = rich_rod(6)};
  e.rod.damping.kind = WY_UNDAMPED;
  e.rod.drag = (wy_drag){0, 0};
  return e;
}

void end_loads(example *e) {
  swinging(e, add_load(e, WY_AT_END, WY_SPACE_AXES, 0, 0), 0.4, 0.2);
  swinging(e, add_load(e, WY_AT_START, WY_SPACE_AXES, 0, 0), -0.3, 0.1);
}

void body_end_loads(example *e) {
  swinging(e, add_load(e, WY_AT_END, WY_BODY_AXES, 0, 0), 0.4, 0.2);
  swinging(e, add_load(e, WY_AT_START, WY_BODY_AXES, 0, 0), -0.3, 0.1);
}

void loads_inside(example *e) {
  swinging(e, add_load(e, WY_AT_ARC, WY_SPACE_AXES, 0.6, 0), 0.4, 0.2);
  swinging(e, add_load(e, WY_AT_ARC, WY_BODY_AXES, 1.1, 0), -0.3, 0.1);
  swinging(e, add_load(e, WY_AT_ARC, WY_SPACE_AXES, 0.5, 0), 0.1, -0.1); /* on a node */
}

void loads_along(example *e) {
  swinging(e, add_load(e, WY_ALONG, WY_SPACE_AXES, 0.1, 1.2), 0.4, 0.2);
  swinging(e, add_load(e, WY_ALONG, WY_BODY_AXES, 0, 1.55), -0.3, 0.1);
  wy_load_def *load = add_load(e, WY_ALONG, WY_SPACE_AXES, 0.3, 1.55);
  load->force[1] = example_signal(e, "sin(3*s)*cos(t)", 0.3);
  load->moment[2] = example_signal(e, "s*t", 0.1);
}

void pinned_in_gravity(example *e) {
  e->rod.ends[WY_START] = wy_end_pinned();
  set_gravity(e);
}

void damped_with_drag(example *e) {
  e->rod = rich_rod(6);
  e->rod.ends[WY_START] = wy_end_clamped();
  set_gravity(e);
}

void maxwell_branches(example *e) {
  static const wy_maxwell branches[2] = {{0.4, 0.2}, {0.25, 0.03}};
  e->rod.maxwell = branches;
  e->rod.maxwell_count = 2;
  e->rod.ends[WY_START] = wy_end_clamped();
  set_gravity(e);
}

void everything_viscous(example *e) {
  maxwell_branches(e);
  wy_rod_def damped = rich_rod(6);
  e->rod.damping = damped.damping;
  e->rod.drag = damped.drag;
  end_loads(e);
}

static wy_actuator_def *add_actuator(example *e, wy_actuator_kind kind) {
  wy_actuator_def *actuator = &e->actuators[e->actuator_count++];
  *actuator = wy_default_actuator_def();
  actuator->kind = kind;
  return actuator;
}

void actuators(example *e) {
  wy_actuator_def *chamber = add_actuator(e, WY_PNEUMATIC);
  chamber->offset[0] = wy_constant(0.1);
  chamber->offset[1] = wy_constant(-0.05);
  chamber->force = example_signal(e, "sin(t)", -0.8);
  wy_actuator_def *tendon = add_actuator(e, WY_TENDON);
  tendon->offset[1] = wy_constant(0.1);
  tendon->force = example_signal(e, "t", 0.7);
  wy_actuator_def *routed = add_actuator(e, WY_TENDON);
  routed->offset[0] = example_signal(e, "cos(2*s)", 0.1);
  routed->offset[1] = example_signal(e, "sin(2*s)", 0.1);
  routed->force = example_signal(e, "1 - cos(3*t)", 0.3);
  e->rod.ends[WY_START] = wy_end_clamped();
}

void driven_start(example *e) {
  e->rod.ends[WY_START] = driven_end();
  set_gravity(e);
}

void held_at_both_ends(example *e) {
  e->rod.ends[WY_START] = wy_end_clamped();
  e->rod.ends[WY_END] = wy_end_pinned();
  e->rod.ends[WY_END].position[0] = WY_FREE;
  e->rod.ends[WY_END].rotation = WY_DRIVEN;
  e->rod.ends[WY_END].axis[2] = 1;
  e->rod.ends[WY_END].angle = example_signal(e, "t^2", 0.5);
  set_gravity(e);
}

void released(example *e) {
  e->rod.ends[WY_START] = wy_end_clamped();
  e->rod.ends[WY_START].release = 0.37; /* within a step */
  set_gravity(e);
  swinging(e, add_load(e, WY_AT_END, WY_SPACE_AXES, 0, 0), 0.4, 0.2);
}

void moving_from_the_start(example *e) {
  e->rod.initial.twist = example_signal(e, "s^2*(3 - s)", 0.2);
  for (int i = 0; i < 3; i++) { /* a rigid motion and a little more */
    static const char *const velocities[3] = {"0.3 + 0.05*s^2", "-0.2", "0.1 + 0.1*s"};
    e->rod.initial.velocity[i] = example_signal(e, velocities[i], 1);
    e->rod.initial.angular_velocity[i] = example_signal(e, velocities[2 - i], 1.5);
  }
}

void everything(example *e) {
  maxwell_branches(e);
  wy_rod_def damped = rich_rod(6);
  e->rod.damping = damped.damping;
  e->rod.drag = damped.drag;
  surround(&e->rod, &stirring);
  actuators(e);
  e->rod.ends[WY_START] = driven_end();
  wy_load_def loads[RICH_LOADS];
  rich_loads(loads);
  memcpy(e->loads, loads, sizeof loads);
  e->load_count = RICH_LOADS;
}

void in_a_fluid(example *e) {
  surround(&e->rod, &stirring);
  pinned_in_gravity(e);
}

void free_in_a_fluid(example *e) {
  surround(&e->rod, &stirring);
  moving_from_the_start(e);
  set_gravity(e);
}

void constant_loads(example *e) {
  damped_with_drag(e);
  wy_load_def loads[RICH_LOADS];
  rich_loads(loads);
  memcpy(e->loads, loads, sizeof loads);
  e->load_count = RICH_LOADS;
  e->rod.shape.direction[0] = 1;
  e->rod.shape.d1[1] = 1;
}

static const named_case cases[] = {{"end loads", end_loads},
                                   {"end loads in body axes", body_end_loads},
                                   {"loads at arc lengths", loads_inside},
                                   {"loads along", loads_along},
                                   {"pinned in gravity", pinned_in_gravity},
                                   {"damped, with drag", damped_with_drag},
                                   {"Maxwell branches", maxwell_branches},
                                   {"Maxwell, Kelvin-Voigt, drag, loads", everything_viscous},
                                   {"chamber and tendons", actuators},
                                   {"driven start", driven_start},
                                   {"held at both ends", held_at_both_ends},
                                   {"released", released},
                                   {"moving from the start", moving_from_the_start},
                                   {"fluid", in_a_fluid},
                                   {"fluid, free", free_in_a_fluid},
                                   {"everything", everything}};
enum { CASES = sizeof cases / sizeof cases[0] };

variant make_variant(const named_case *c, int order, wy_rod_kind kind, wy_end_moment moment, double step) {
  static const char *const kinds[] = {"cosserat", "kirchhoff", "inextensible"};
  variant v = {.e = plain_case(), .solver = mixed_solver(order, step)};
  c->build(&v.e);
  v.e.rod.kind = kind;
  v.solver.mixed.end_moment = moment;
  v.solver.newton.tolerance = 1e-14;
  snprintf(v.name, sizeof v.name, "%s, %s, order %d, %s moments", c->name, kinds[kind], order,
           moment == WY_CORRECTED_MOMENT ? "corrected" : "printed");
  return v;
}

void for_all_cases(void (*check)(variant *v)) {
  for (int i = 0; i < CASES; i++)
    for (int order = 1; order <= 2; order++)
      for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++)
        for (int moment = WY_CORRECTED_MOMENT; moment <= WY_PRINTED_MOMENT; moment++) {
          variant v = make_variant(&cases[i], order, (wy_rod_kind)kind, (wy_end_moment)moment, 0.05);
          check(&v);
          free_example(&v.e);
        }
}

void step_variant(const variant *v, const test_sim *made) {
  wy_message message = {0};
  if (wy_sim_step(made->sim, &message))
    fail_msg("%s: %s", v->name, message.text);
}
