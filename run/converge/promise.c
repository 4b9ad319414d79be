/* SPDX-License-Identifier: MIT */
/* What is known before the runs: the orders that methods promise, what lies between nodes, and sizes of quantities. */
#include <math.h>
#include <string.h>

#include "run/converge/inside.h"
#include "run/scenario/scenario.h"

/* Does the rod matter to the probe, or with NULL to the modes? */
static bool concerns(const wy_probe *probe, int rod) {
  return !probe || probe->rod == WY_ALL_RODS || probe->rod == rod;
}

/* Of section forces and strains, which schemes store between the nodes. */
static bool is_inside(wy_quantity quantity) {
  switch (quantity) {
  case WY_STRAIN:
  case WY_CURVATURE:
  case WY_FORCE:
  case WY_MOMENT:
  case WY_TENSION:
  case WY_BEND_RADIUS:
  case WY_TWIST:
    return true;
  default:
    return false;
  }
}

static double order_in_time(const wy_converge *c, int rod) {
  const wy_integrators *more = c->scenario->solvers[rod].more;
  const char *name = c->slots[0].integrators[rod];
  for (int i = 0; name && wy_integrator_describe(more, i); i++)
    if (strcmp(wy_integrator_describe(more, i)->name, name) == 0)
      return wy_integrator_describe(more, i)->lowest_order;
  return 2;
}

static double order_of_rod(const wy_converge *c, int rod, const wy_probe *probe, bool highest) {
  const wy_scheme_info info = wy_scheme_describe(&c->scenario->solvers[rod]);
  const double space = probe && is_inside(probe->quantity) ? info.accuracy_inside : info.accuracy;
  const bool steps = wy_has_steps(c->scenario, rod);
  switch (c->def.refine) {
  case WY_REFINE_TOLERANCE:
    return 1;
  case WY_REFINE_STEP:
    return steps ? order_in_time(c, rod) : (double)INFINITY;
  case WY_REFINE_SEGMENTS:
    return space;
  default:
    if (!steps)
      return space;
    return highest ? fmax(space, order_in_time(c, rod)) : fmin(space, order_in_time(c, rod));
  }
}

double wy_promised_order(const wy_converge *c, const wy_probe *probe, bool highest) {
  double least = INFINITY;
  for (int rod = 0; rod < c->scenario->model.rod_count; rod++)
    if (concerns(probe, rod))
      least = fmin(least, order_of_rod(c, rod, probe, highest));
  return isfinite(least) ? least : 1;
}

double wy_share_left(const wy_converge *c, const wy_probe *probe) {
  const double tighter = c->runs[c->check].tolerance / c->runs[0].tolerance;
  double share = pow(fmin(tighter, 1), 2.0 / 3);
  for (int rod = 0; rod < c->scenario->model.rod_count; rod++) {
    const double before = (double)c->slots[0].steps[rod], after = (double)c->slots[c->check].steps[rod];
    if (concerns(probe, rod) && after > 0) /* methods of variable order take at least the second where it matters */
      share = fmax(share, pow(fmin(before / after, 1), fmax(order_in_time(c, rod), 2)));
  }
  return share;
}

/* ---- Places ---- */

static bool is_node(const wy_rod_def *rod, double s) {
  const double length = wy_rod_length(rod), slack = 1e-9 * length;
  double at = 0;
  for (int i = 0; i < rod->segments; i++) {
    if (fabs(s - at) <= slack)
      return true;
    at += rod->segment_lengths ? rod->segment_lengths[i] : length / rod->segments;
  }
  return fabs(s - length) <= slack;
}

/* At a node of this rod at every level? */
bool wy_is_always_node(const wy_converge *c, int rod, double s) {
  for (int i = 0; i < c->level_count; i++)
    if (!is_node(&c->slots[i].scenario->rods[rod], s))
      return false;
  return true;
}

static bool is_load_between(const wy_converge *c, const wy_load_def *load) {
  if (load->place == WY_AT_ARC)
    return !wy_is_always_node(c, load->rod, load->from);
  return load->place == WY_ALONG && (!wy_is_always_node(c, load->rod, load->from) ||
                                     !wy_is_always_node(c, load->rod, load->to) || wy_load_jumps_between(c, load));
}

bool wy_lies_between(const wy_converge *c, const wy_probe *probe) {
  const wy_scenario *scenario = c->scenario;
  if (c->def.refine != WY_REFINE_ALL && c->def.refine != WY_REFINE_SEGMENTS)
    return false;
  if (probe && probe->rod != WY_ALL_RODS && wy_quantity_describe(probe->quantity)->place == WY_AT_PLACE &&
      !wy_is_always_node(c, probe->rod, probe->s))
    return true;
  for (int rod = 0; rod < scenario->model.rod_count; rod++)
    if (concerns(probe, rod) && wy_rod_jumps_between(c, rod))
      return true;
  for (int i = 0; i < scenario->model.load_count; i++)
    if (concerns(probe, scenario->loads[i].rod) && is_load_between(c, &scenario->loads[i]))
      return true;
  return false;
}

/* ---- Sizes ---- */

static double largest_energy(wy_sim *sim) {
  const wy_energy e = wy_sim_energy(sim, WY_ALL_RODS);
  const double all[] = {e.kinetic, e.elastic, e.gravity, e.contact, e.work, e.dissipated};
  double largest = 0;
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    largest = fmax(largest, fabs(all[i]));
  return largest;
}

void wy_measure_sizes(wy_sim *sim, const wy_model *model, double end, double sizes[WY_QUANTITY_COUNT]) {
  double length = 0, mass = 0, bending = 0;
  for (int i = 0; i < wy_model_rod_count(model); i++) {
    const double own = wy_model_rod(model, i)->length;
    const wy_section_values section = wy_model_section(model, i, 0.5 * own);
    length = fmax(length, own);
    mass += section.mass * own;
    bending = fmax(bending, fmax(section.stiffness[3], section.stiffness[4]));
  }
  for (int i = 0; i < wy_model_body_count(model); i++)
    mass += wy_model_body(model, i)->mass;
  length = length > 0 ? length : 1; /* of bodies without rods */
  const double moment = bending / length, rate = end > 0 ? 1 / end : 0;
  sizes[WY_POSITION] = sizes[WY_LENGTH] = sizes[WY_CENTRE_OF_MASS] = sizes[WY_GAP] = sizes[WY_CONTACT_LENGTH] = length;
  sizes[WY_ROTATION] = sizes[WY_HINGE_ANGLE] = sizes[WY_DIRECTOR1] = sizes[WY_DIRECTOR2] = sizes[WY_DIRECTOR3] = 1;
  sizes[WY_CURVATURE] = sizes[WY_TWIST] = sizes[WY_BEND_RADIUS] = 1 / length; /* radii by their reciprocals */
  sizes[WY_MOMENT] = sizes[WY_REACTION_MOMENT] = sizes[WY_CONTACT_MOMENT] = moment;
  sizes[WY_FORCE] = sizes[WY_TENSION] = sizes[WY_REACTION_FORCE] = sizes[WY_CONTACT_FORCE] = moment / length;
  sizes[WY_CONTACT_LOAD] = moment / (length * length);
  sizes[WY_VELOCITY] = length * rate;
  sizes[WY_ANGULAR_VELOCITY] = sizes[WY_HINGE_RATE] = rate;
  sizes[WY_LINEAR_MOMENTUM] = mass * length * rate;
  sizes[WY_ANGULAR_MOMENTUM] = mass * length * length * rate;
  for (int q = 0; q < WY_QUANTITY_COUNT; q++)
    if (wy_quantity_describe((wy_quantity)q)->home == WY_IN_ENERGY)
      sizes[q] = largest_energy(sim);
}
