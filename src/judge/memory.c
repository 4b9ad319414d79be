/* SPDX-License-Identifier: MIT */
/* The memory that a simulation would need, from definitions alone: withy/method.h. */
#include <math.h>

#include "integrate/integrator.h"
#include "model/definitions.h"
#include "scheme/solver.h"
#include "withy/method.h"

/* Bytes of a segment, generously: of a vector of the size of the state; of a Maxwell branch; of a load along the rod,
   with two places in a segment; of an actuator. */
static const double vector_bytes = 200, branch_bytes = 2000, load_bytes = 100, actuator_bytes = 400;
/* Where a scheme says nothing. */
static const wy_segment_memory usual = {.implicit = 21000, .equilibria = 16000, .actuators = 12000};

static bool is_explicit(const wy_integrator_type *type) {
  return type && !type->info->implicit;
}

static double segment_bytes(const wy_rod_def *rod, const wy_solver_def *solver, bool statics, bool actuated) {
  const wy_scheme *scheme = solver->scheme ? wy_scheme_find(solver->scheme) : NULL;
  const wy_integrator_type *type = scheme && solver->integrator ? wy_integrator_find(solver, scheme) : NULL;
  const wy_segment_memory memory =
      scheme && wy_scheme_options(scheme)->memory ? wy_scheme_options(scheme)->memory(solver) : usual;
  const double moving = vector_bytes * (type ? type->info->vectors : 16) + memory.implicit * !is_explicit(type);
  return moving + memory.equilibria * statics + branch_bytes * rod->maxwell_count + memory.actuators * actuated;
}

static int actuators_of(const wy_model_def *model, int rod) {
  int count = 0;
  for (int i = 0; model->actuators && i < model->actuator_count; i++) {
    wy_actuator_def own;
    const wy_actuator_def *actuator = wy_actuator_def_read(model, i, &own, NULL);
    count += actuator && actuator->rod == rod;
  }
  return count;
}

/* NAN where a definition is wrong. */
static double rod_bytes(const wy_model_def *model, const wy_sim_def *def, int index) {
  wy_rod_def own;
  wy_solver_def own_solver;
  const wy_rod_def *rod = wy_rod_def_read(model, index, &own, NULL);
  const wy_solver_def *solver = wy_sim_def_solver(def, index, &own_solver, NULL);
  const int actuators = actuators_of(model, index);
  if (!rod || !solver)
    return NAN;
  return rod->segments * (segment_bytes(rod, solver, def->statics, actuators > 0) + actuator_bytes * actuators);
}

/* What a place of a joint or spring on a rod adds: columns of the hub along the rod, as real numbers, as complex ones,
   and of equilibria. An inner point has two ports, each on its piece of the rod. */
static double port_bytes(const wy_model_def *model, const wy_sim_def *def, const wy_port *port) {
  const double real = 48 * sizeof(double), resting = 72 * sizeof(double);
  wy_rod_def own;
  wy_solver_def own_solver;
  if (port->kind != WY_PORT_ROD || port->index < 0 || port->index >= model->rod_count)
    return 0;
  const wy_rod_def *rod = wy_rod_def_read(model, port->index, &own, NULL);
  const wy_solver_def *solver = wy_sim_def_solver(def, port->index, &own_solver, NULL);
  const wy_scheme *scheme = solver && solver->scheme ? wy_scheme_find(solver->scheme) : NULL;
  const wy_integrator_type *type = scheme && solver->integrator ? wy_integrator_find(solver, scheme) : NULL;
  const wy_factor_needs needs = type ? type->needs : (wy_factor_needs){.real = 1, .complex = 1};
  return rod ? rod->segments * (real * (needs.real + 2 * needs.complex) + resting * def->statics) : 0;
}

/* Of all joints and springs; NAN where a definition is wrong. */
static double network_bytes(const wy_model_def *model, const wy_sim_def *def) {
  double bytes = 0;
  for (int i = 0; model->joints && i < model->joint_count; i++) {
    wy_joint_def own;
    const wy_joint_def *joint = wy_joint_def_read(model, i, &own, NULL);
    if (!joint || (!joint->ports && joint->port_count > 0))
      return NAN;
    for (int k = 0; k < joint->port_count; k++)
      bytes += port_bytes(model, def, &joint->ports[k]);
  }
  for (int i = 0; model->springs && i < model->spring_count; i++) {
    wy_spring_def own;
    const wy_spring_def *spring = wy_spring_def_read(model, i, &own, NULL);
    if (!spring)
      return NAN;
    bytes += port_bytes(model, def, &spring->ports[0]) + port_bytes(model, def, &spring->ports[1]);
  }
  return bytes;
}

static double load_bytes_of(const wy_model_def *model, int index) {
  wy_load_def own;
  wy_rod_def own_rod;
  const wy_load_def *load = wy_load_def_read(model, index, &own, NULL);
  if (!load)
    return NAN;
  if (load->place != WY_ALONG || load->rod < 0 || load->rod >= model->rod_count)
    return 0;
  return load_bytes * wy_rod_def_read(model, load->rod, &own_rod, NULL)->segments;
}

double wy_memory_estimate(const wy_model_def *model, const wy_sim_def *def) {
  wy_model_def own_model;
  wy_sim_def own;
  double bytes = 0;
  if (!model || !def)
    return NAN;
  model = wy_model_def_read(model, &own_model, NULL);
  def = wy_sim_def_read(def, &own, NULL);
  if (!model || !def || (!model->rods && (model->rod_count > 0 || model->body_count == 0)))
    return NAN;
  for (int i = 0; i < model->rod_count; i++)
    bytes += rod_bytes(model, def, i);
  for (int i = 0; !isnan(bytes) && model->loads && i < model->load_count; i++)
    bytes += load_bytes_of(model, i);
  return isnan(bytes) ? bytes : bytes + network_bytes(model, def);
}
