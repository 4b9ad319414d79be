/* SPDX-License-Identifier: MIT */
/* What tells models apart: every member of every definition, as wy_model_create has copied it (base/identity.h). */
#include "base/identity.h"

#include "model/contact.h"
#include "model/expr_internal.h"
#include "model/model.h"

/* ---- Signals ---- */

/* Points at which a callback is looked at; a handful, spread unevenly, so that periods do not hide between them. */
enum { PLACES = 5, TIMES = 16 };
static const double golden = 0.6180339887498949;

static double share(int i, int count) {
  return i == 0 ? 0 : i == count - 1 ? 1 : fmod(i * golden, 1);
}

/* The rows that the column of a table passes through, and what it is outside of them. */
static void identify_column(wy_identity *identity, const wy_spline *table, int column) {
  const wy_spline_def *def = wy_spline_definition(table);
  const int words[] = {(int)def->of, (int)def->outside, def->rows};
  wy_identify_bytes(identity, words, sizeof words);
  for (int i = 0; i < def->rows; i++) {
    wy_identify_number(identity, def->argument[i]);
    wy_identify_number(identity, def->values[(size_t)i * (size_t)def->columns + (size_t)column]);
  }
}

static void identify_expression(wy_identity *identity, const wy_expr *expr) {
  for (int i = 0; i < expr->count; i++) {
    const wy_expr_op *op = &expr->program[i];
    const int words[] = {(int)op->code, op->jump, op->immediate};
    wy_identify_bytes(identity, words, sizeof words);
    if (op->code == WY_EXPR_COLUMN)
      identify_column(identity, op->table, op->jump);
    else
      wy_identify_number(identity, op->value);
  }
}

static void identify_callback(wy_identity *identity, const wy_signal *signal) {
  const bool along = wy_signal_depends(signal, WY_ARC), in_time = wy_signal_depends(signal, WY_TIME);
  for (int i = 0; i < (along ? PLACES : 1); i++)
    for (int k = 0; k < (in_time ? TIMES : 1); k++) {
      double s = identity->from + share(i, PLACES) * (identity->to - identity->from);
      wy_identify_number(identity, wy_signal_value(signal, s, share(k, TIMES) * identity->until));
    }
}

/* Constants, expressions and tables by what they are. Of another callback there is nothing to compare but its values:
   those at some points. Where its code and data lie in memory says nothing. */
static void identify_signal(wy_identity *identity, const wy_signal *signal) {
  const unsigned what[] = {signal->evaluate != NULL, signal->evaluate ? signal->depends_on : 0};
  wy_identify_bytes(identity, what, sizeof what);
  int column;
  const wy_spline *table = wy_spline_of_signal(signal, &column);
  if (!signal->evaluate)
    wy_identify_number(identity, signal->value);
  else if (table)
    identify_column(identity, table, column);
  else if (wy_expr_of_signal(signal))
    identify_expression(identity, wy_expr_of_signal(signal));
  else
    identify_callback(identity, signal);
}

/* ---- Parts of a rod ---- */

#define SECTION(ONE, MANY)                                                                                             \
  ONE(value, shape)                                                                                                    \
  ONE(signal, radius)                                                                                                  \
  ONE(signal, outer)                                                                                                   \
  ONE(signal, inner)                                                                                                   \
  ONE(signal, width) ONE(signal, height) ONE(signal, area) ONE(signal, I1) ONE(signal, I2) ONE(signal, J)

static void identify_section(wy_identity *identity, const wy_section *of) {
  WY_IDENTIFY_ALL(wy_section, SECTION);
}

#define MATERIAL(ONE, MANY)                                                                                            \
  ONE(value, given)                                                                                                    \
  ONE(signal, density) ONE(signal, young) ONE(signal, poisson) ONE(value, has_shear) ONE(signal, shear)

static void identify_material(wy_identity *identity, const wy_material *of) {
  WY_IDENTIFY_ALL(wy_material, MATERIAL);
}

#define DAMPING(ONE, MANY) ONE(value, kind) MANY(signal, coefficient) ONE(signal, time)

static void identify_damping(wy_identity *identity, const wy_damping *of) {
  WY_IDENTIFY_ALL(wy_damping, DAMPING);
}

#define LAW(ONE, MANY) ONE(value, kind) ONE(value, compression) ONE(value, bending)

static void identify_law(wy_identity *identity, const wy_law *of) {
  WY_IDENTIFY_ALL(wy_law, LAW);
}

#define BRANCH(ONE, MANY) ONE(value, share) ONE(value, time)

static void identify_branch(wy_identity *identity, const wy_maxwell *of) {
  WY_IDENTIFY_ALL(wy_maxwell, BRANCH);
}

#define DRAG(ONE, MANY) ONE(value, translation) ONE(value, rotation)

static void identify_drag(wy_identity *identity, const wy_drag *of) {
  WY_IDENTIFY_ALL(wy_drag, DRAG);
}

/* The places at which the callback of a flow is looked at: about the origin, unevenly, as far away as a rod is long. */
static void identify_flow(wy_identity *identity, const wy_flow *flow) {
  const unsigned what[] = {flow->evaluate != NULL, flow->evaluate ? flow->depends_on : 0};
  const wy_expr *const *components = wy_expr_of_flow(flow);
  wy_identify_bytes(identity, what, sizeof what);
  for (int i = 0; i < 3 && (components || !flow->evaluate); i++)
    if (components)
      identify_expression(identity, components[i]);
    else
      wy_identify_number(identity, flow->value[i]);
  for (int k = 0; k < TIMES && flow->evaluate && !components; k++) {
    double place[3], velocity[3], gradient[9], rate[3];
    for (int i = 0; i < 3; i++)
      place[i] = (2 * share((k + 5 * i) % TIMES, TIMES) - 1) * identity->to;
    flow->evaluate(flow->context, place, share(k, TIMES) * identity->until, velocity, gradient, rate);
    for (int i = 0; i < 3; i++)
      wy_identify_number(identity, velocity[i]);
  }
}

#define FLUID(ONE, MANY)                                                                                               \
  ONE(value, given)                                                                                                    \
  ONE(value, buoyancy)                                                                                                 \
  ONE(value, density)                                                                                                  \
  ONE(value, normal)                                                                                                   \
  ONE(value, tangential) ONE(value, added_mass) ONE(signal, diameter) ONE(flow, velocity)

static void identify_fluid(wy_identity *identity, const wy_fluid *of) {
  WY_IDENTIFY_ALL(wy_fluid, FLUID);
}

#define SHAPE(ONE, MANY)                                                                                               \
  MANY(value, origin)                                                                                                  \
  MANY(value, direction)                                                                                               \
  MANY(value, d1) MANY(signal, curvature) ONE(value, helix) ONE(apart, points) ONE(value, point_count)

static void identify_shape(wy_identity *identity, const wy_shape *of) {
  _Static_assert(sizeof of->helix == 3 * sizeof(double), "numbers without gaps");
  WY_IDENTIFY_ALL(wy_shape, SHAPE);
  for (int i = 0; i < 3 * of->point_count; i++)
    wy_identify_number(identity, of->points[i]);
}

#define INITIAL(ONE, MANY) ONE(signal, twist) MANY(signal, velocity) MANY(signal, angular_velocity)

static void identify_initial(wy_identity *identity, const wy_initial *of) {
  WY_IDENTIFY_ALL(wy_initial, INITIAL);
}

#define END(ONE, MANY)                                                                                                 \
  MANY(value, position)                                                                                                \
  MANY(signal, path)                                                                                                   \
  ONE(value, rotation)                                                                                                 \
  ONE(value, rotation_by)                                                                                              \
  ONE(value, rotation_from)                                                                                            \
  MANY(value, axis) ONE(signal, angle) MANY(signal, quaternion) MANY(signal, d3) MANY(signal, d1) ONE(value, release)

static void identify_end(wy_identity *identity, const wy_end *of) {
  const double until = identity->until;
  identity->until = fmin(until, of->release); /* nobody asks where a released end would be */
  WY_IDENTIFY_ALL(wy_end, END);
  identity->until = until;
}

#define identify_number(identity, pointer) wy_identify_number(identity, *(pointer))

#define SKIN(ONE, MANY) ONE(value, none) ONE(signal, radius) ONE(value, stiffness) ONE(value, blend)

static void identify_skin(wy_identity *identity, const wy_rod_contact *of) {
  WY_IDENTIFY_ALL(wy_rod_contact, SKIN);
}

/* ---- Rods, loads, actuators ---- */

#define ROD(ONE, MANY)                                                                                                 \
  ONE(value, cookie)                                                                                                   \
  ONE(apart, size)                                                                                                     \
  ONE(text, name)                                                                                                      \
  ONE(value, kind)                                                                                                     \
  ONE(value, length)                                                                                                   \
  ONE(value, segments)                                                                                                 \
  ONE(value, maxwell_count)                                                                                            \
  ONE(apart, segment_lengths)                                                                                          \
  ONE(section, section)                                                                                                \
  ONE(material, material)                                                                                              \
  MANY(value, shear_factors)                                                                                           \
  ONE(value, has_stiffness)                                                                                            \
  MANY(signal, stiffness)                                                                                              \
  ONE(value, has_inertia)                                                                                              \
  MANY(signal, inertia)                                                                                                \
  ONE(damping, damping)                                                                                                \
  ONE(law, law)                                                                                                        \
  ONE(apart, maxwell)                                                                                                  \
  ONE(drag, drag) ONE(fluid, fluid) ONE(shape, shape) ONE(initial, initial) MANY(end, ends) ONE(skin, contact)

static void identify_rod(wy_identity *identity, const wy_rod_def *of) {
  identity->from = 0, identity->to = of->length;
  WY_IDENTIFY_ALL(wy_rod_def, ROD);
  for (int i = 0; i < of->segments; i++)
    wy_identify_number(identity, wy_segment_length(of, i));
  for (int i = 0; i < of->maxwell_count; i++)
    identify_branch(identity, &of->maxwell[i]);
}

#define LOAD(ONE, MANY)                                                                                                \
  ONE(value, cookie)                                                                                                   \
  ONE(apart, size)                                                                                                     \
  ONE(text, name)                                                                                                      \
  ONE(value, rod)                                                                                                      \
  ONE(value, place)                                                                                                    \
  ONE(value, axes)                                                                                                     \
  ONE(value, from)                                                                                                     \
  ONE(value, to) MANY(signal, force) MANY(signal, moment) ONE(value, body) ONE(apart, reserved) MANY(value, point)

/* `rod` is NULL where it acts on a body. */
static void identify_load(wy_identity *identity, const wy_load_def *of, const wy_rod_def *rod) {
  const bool along = of->place == WY_ALONG;
  identity->from = along ? of->from : rod ? wy_load_arc(rod, of) : 0;
  identity->to = along ? of->to : identity->from;
  WY_IDENTIFY_ALL(wy_load_def, LOAD);
}

#define ACTUATOR(ONE, MANY)                                                                                            \
  ONE(value, cookie)                                                                                                   \
  ONE(apart, size)                                                                                                     \
  ONE(text, name) ONE(value, rod) ONE(value, kind) MANY(signal, offset) ONE(signal, force)

static void identify_actuator(wy_identity *identity, const wy_actuator_def *of, double length) {
  identity->from = 0, identity->to = length;
  WY_IDENTIFY_ALL(wy_actuator_def, ACTUATOR);
}

/* ---- Parts of a network ---- */

#define BODY(ONE, MANY)                                                                                                \
  ONE(value, cookie)                                                                                                   \
  ONE(apart, size)                                                                                                     \
  ONE(text, name)                                                                                                      \
  ONE(value, shape)                                                                                                    \
  ONE(apart, reserved)                                                                                                 \
  MANY(value, dimensions)                                                                                              \
  ONE(value, density)                                                                                                  \
  ONE(value, mass)                                                                                                     \
  MANY(value, inertia)                                                                                                 \
  MANY(value, origin)                                                                                                  \
  MANY(value, frame)                                                                                                   \
  MANY(value, position)                                                                                                \
  ONE(value, rotation)                                                                                                 \
  MANY(signal, path)                                                                                                   \
  MANY(value, axis) ONE(signal, angle) ONE(value, release) MANY(value, velocity) MANY(value, angular_velocity)

static void identify_body(wy_identity *identity, const wy_body_def *of) {
  WY_IDENTIFY_ALL(wy_body_def, BODY);
}

#define PORT(ONE, MANY) ONE(value, kind) ONE(value, index) ONE(value, s) MANY(value, point) ONE(value, placed)

static void identify_port(wy_identity *identity, const wy_port *of) {
  WY_IDENTIFY_ALL(wy_port, PORT);
}

#define JOINT(ONE, MANY)                                                                                               \
  ONE(value, cookie)                                                                                                   \
  ONE(apart, size)                                                                                                     \
  ONE(text, name)                                                                                                      \
  ONE(value, kind)                                                                                                     \
  ONE(value, port_count)                                                                                               \
  ONE(apart, ports)                                                                                                    \
  MANY(value, axis)                                                                                                    \
  ONE(value, rotation)                                                                                                 \
  MANY(value, position)                                                                                                \
  ONE(value, has_spring)                                                                                               \
  ONE(value, has_angle)                                                                                                \
  ONE(value, assemble)                                                                                                 \
  MANY(apart, reserved)                                                                                                \
  MANY(value, turn_axis)                                                                                               \
  ONE(value, turn_angle)                                                                                               \
  ONE(value, stiffness) ONE(value, damping) ONE(value, rest_angle) ONE(signal, angle) ONE(value, release)

static void identify_joint(wy_identity *identity, const wy_joint_def *of) {
  WY_IDENTIFY_ALL(wy_joint_def, JOINT);
  for (int i = 0; i < of->port_count; i++)
    identify_port(identity, &of->ports[i]);
}

#define SPRING(ONE, MANY)                                                                                              \
  ONE(value, cookie)                                                                                                   \
  ONE(apart, size)                                                                                                     \
  ONE(text, name)                                                                                                      \
  ONE(value, kind)                                                                                                     \
  ONE(apart, reserved) MANY(port, ports) ONE(value, stiffness) ONE(value, length) ONE(value, damping)

static void identify_spring(wy_identity *identity, const wy_spring_def *of) {
  WY_IDENTIFY_ALL(wy_spring_def, SPRING);
}

/* ---- Obstacles and contact ---- */

#define GRID(ONE, MANY) MANY(value, points) MANY(value, origin) MANY(value, step) ONE(apart, values)

static void identify_grid(wy_identity *identity, const wy_distance_grid *of) {
  WY_IDENTIFY_ALL(wy_distance_grid, GRID);
  const size_t count = (size_t)of->points[0] * (size_t)of->points[1] * (size_t)of->points[2];
  if (of->values)
    wy_identify_bytes(identity, of->values, count * sizeof *of->values);
}

#define OBSTACLE(ONE, MANY)                                                                                            \
  ONE(value, cookie)                                                                                                   \
  ONE(apart, size)                                                                                                     \
  ONE(text, name)                                                                                                      \
  ONE(value, shape)                                                                                                    \
  ONE(value, body)                                                                                                     \
  ONE(value, radius)                                                                                                   \
  ONE(value, length)                                                                                                   \
  ONE(value, thickness)                                                                                                \
  MANY(value, dimensions)                                                                                              \
  MANY(value, axis)                                                                                                    \
  MANY(value, d1)                                                                                                      \
  MANY(signal, position)                                                                                               \
  MANY(value, rotation_axis)                                                                                           \
  ONE(signal, angle) MANY(value, surface_velocity) ONE(number, friction) ONE(number, restitution) ONE(grid, grid)

static void identify_obstacle(wy_identity *identity, const wy_obstacle_def *of) {
  WY_IDENTIFY_ALL(wy_obstacle_def, OBSTACLE);
}

#define PAIR(ONE, MANY) ONE(value, rod) ONE(value, obstacle) ONE(number, friction) ONE(number, restitution)

static void identify_pair(wy_identity *identity, const wy_contact_pair *of) {
  WY_IDENTIFY_ALL(wy_contact_pair, PAIR);
}

#define CONTACT(ONE, MANY)                                                                                             \
  ONE(value, cookie)                                                                                                   \
  ONE(apart, size)                                                                                                     \
  ONE(value, friction)                                                                                                 \
  ONE(value, slip)                                                                                                     \
  ONE(value, speed)                                                                                                    \
  ONE(value, restitution)                                                                                              \
  ONE(value, stick) ONE(value, settle) MANY(apart, reserved) ONE(value, pair_count) ONE(apart, pairs)

static void identify_contact(wy_identity *identity, const wy_contact_def *of) {
  WY_IDENTIFY_ALL(wy_contact_def, CONTACT);
  for (int i = 0; i < of->pair_count; i++)
    identify_pair(identity, &of->pairs[i]);
}

/* ---- The whole ---- */

/* Callbacks are asked for what a run may ask for, too: not beyond its end. Without an end, within one vibration
   of the rod, or of the first one. */
static double until(const wy_model *model, int rod, double end) {
  const double period = wy_model_period(model, rod < 0 ? 0 : rod);
  return isfinite(end) ? end : isfinite(period) ? period : 1;
}

/* The definition that a model is a copy of; positional, so that the compiler counts its members, too. */
static wy_model_def definition(const wy_model *model) {
  const double *g = wy_model_gravity(model);
  const wy_model_def def = {0,
                            sizeof def,
                            {g[0], g[1], g[2]},
                            wy_model_rod_count(model),
                            wy_model_rod(model, 0),
                            wy_model_load_count(model),
                            wy_model_load(model, 0),
                            wy_model_actuator_count(model),
                            wy_model_actuator(model, 0),
                            wy_model_body_count(model),
                            wy_model_joint_count(model),
                            wy_model_spring_count(model),
                            0,
                            wy_model_body(model, 0),
                            wy_model_joint(model, 0),
                            wy_model_spring(model, 0),
                            wy_model_obstacle_count(model),
                            0,
                            wy_model_obstacle(model, 0),
                            wy_model_contact_def(model)};
  return def;
}

/* Bodies, joints and springs; obstacles, with the laws of contact where there are any. */
static void identify_network(const wy_model_def *def, double end, uint64_t parts[WY_MODEL_PARTS]) {
  const wy_identity start = {.hash = WY_IDENTITY_START, .until = end};
  wy_identity bodies = start, joints = start, springs = start, obstacles = start;
  for (int i = 0; i < def->body_count; i++)
    identify_body(&bodies, &def->bodies[i]);
  for (int i = 0; i < def->joint_count; i++)
    identify_joint(&joints, &def->joints[i]);
  for (int i = 0; i < def->spring_count; i++)
    identify_spring(&springs, &def->springs[i]);
  for (int i = 0; i < def->obstacle_count; i++)
    identify_obstacle(&obstacles, &def->obstacles[i]);
  if (def->obstacle_count > 0)
    identify_contact(&obstacles, def->contact);
  parts[WY_MODEL_OBSTACLES] = obstacles.hash;
  parts[WY_MODEL_BODIES] = bodies.hash;
  parts[WY_MODEL_JOINTS] = joints.hash;
  parts[WY_MODEL_SPRINGS] = springs.hash;
}

void wy_model_identify(const wy_model *model, double end, uint64_t parts[WY_MODEL_PARTS]) {
  const wy_model_def def = definition(model);
  const wy_identity start = {.hash = WY_IDENTITY_START};
  wy_identity gravity = start, rods = start, loads = start, actuators = start;
  for (int i = 0; i < 3; i++)
    wy_identify_number(&gravity, def.gravity[i]);
  for (int i = 0; i < def.rod_count; i++) {
    rods.until = until(model, i, end);
    identify_rod(&rods, &def.rods[i]);
  }
  for (int i = 0; i < def.load_count; i++) {
    loads.until = until(model, def.loads[i].rod, end);
    identify_load(&loads, &def.loads[i], wy_model_rod(model, def.loads[i].rod));
  }
  for (int i = 0; i < def.actuator_count; i++) {
    actuators.until = until(model, def.actuators[i].rod, end);
    identify_actuator(&actuators, &def.actuators[i], def.rods[def.actuators[i].rod].length);
  }
  identify_network(&def, until(model, 0, end), parts);
  parts[WY_MODEL_GRAVITY] = gravity.hash;
  parts[WY_MODEL_RODS] = rods.hash;
  parts[WY_MODEL_LOADS] = loads.hash;
  parts[WY_MODEL_ACTUATORS] = actuators.hash;
}
