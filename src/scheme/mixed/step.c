/* SPDX-License-Identifier: MIT */
/* The midpoint step (X10)-(X18): where it begins, how far its end is from balance, what it did. */
#include <math.h>
#include <string.h>

#include "base/target.h"
#include "math/quat.h"
#include "scheme/mixed/rod.h"
#include "scheme/system.h"

double wy_mixed_straighten(double *q) {
  double error = 0;
  for (int i = 0; i < 20; i++) { /* Newton's iteration for the nearest rotation: D (3 - D^T D) / 2 */
    double products[3][3], largest = 0, old[9];
    memcpy(old, q + 3, sizeof old);
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++) {
        products[a][b] = wy_dot3(old + 3 * a, old + 3 * b) - (a == b);
        largest = fmax(largest, fabs(products[a][b]));
      }
    error = i == 0 ? largest : error;
    if (!(largest > 1e-15))
      break;
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++)
        wy_add3(q + 3 + 3 * a, -0.5 * products[a][b], old + 3 * b);
    if (largest < 1e-8) /* the next error is its square */
      break;
  }
  return error;
}

void wy_mixed_place_end(const wy_mixed *self, int end, double t, double *q) {
  wy_end_pose pose;
  double r[9];
  wy_support_pose(&self->supports, end, t, &pose);
  for (int i = 0; i < 3; i++)
    if (self->ends[end].position[i] != WY_FREE)
      q[i] = pose.x[i];
  if (!wy_support_holds_rotation(&self->supports, end))
    return;
  wy_qmatrix(pose.q, r);
  for (int i = 0; i < 9; i++)
    q[3 + i] = r[3 * (i % 3) + i / 3];
}

/* ---- Beginning ---- */

static double branch_factor(const wy_mixed *self, int branch) {
  return 2 + self->h / self->rod->maxwell[branch].time;
}

/* Stresses in the middle of the step: what is known of them at its beginning (X16). */
static void set_stress_base(wy_mixed *self, const double *u, int element) {
  const int order = wy_mixed_order(self);
  const wy_mixed_element *constants = &self->element[element];
  double strain[WY_STRESSES], elastic[WY_STRESSES];
  wy_mixed_strains(self, element, self->from, strain);
  for (int i = 0; i < 6 * order; i++) {
    *wy_mixed_lane(self->strain_base, WY_STRESSES, element, i) = strain[i];
    elastic[i] = self->long_term * (strain[i] - constants->reference[i]);
  }
  for (int i = 0; i < 6; i++) {
    double part[2];
    wy_sym_times(order, &constants->stiffness[i], elastic + i, 6, part);
    for (int b = 0; b < order; b++) {
      const int at = 6 * b + i;
      double stress = part[b];
      for (int j = 0; j < self->branches; j++)
        stress += 2 * u[wy_mixed_branch(self, j, element) + (size_t)at] / branch_factor(self, j);
      /* Forces begin as they are, reactions as they were in the middle of the last step. */
      if (i < 3)
        *wy_mixed_lane(self->axial, WY_FORCES, element, 3 * b + i) =
            i < self->constrained ? u[wy_mixed_kept_force(self, element, 3 * b + i)] : stress;
      *wy_mixed_lane(self->stress_base, WY_STRESSES, element, at) = stress;
    }
  }
}

/* First guess of the end. `stretch`: over that of the step remembered. */
static void guess_node(const wy_mixed *self, int node, wy_guess guess, double stretch) {
  const double *q = self->from + WY_NODE * node, *v = self->velocity + WY_NODE * node;
  double *end = self->end + WY_NODE * node, spin[3] = {0};
  if (guess == WY_GUESS_LONGER || guess == WY_GUESS_AGAIN) {
    memcpy(end, self->known_end + WY_NODE * node, WY_NODE * sizeof *end);
    for (int i = 0; i < 3; i++)
      end[i] = q[i] + stretch * (end[i] - q[i]);
    wy_mixed_turn_on(spin, stretch, q, end);
    return;
  }
  memcpy(end, q, WY_NODE * sizeof *end);
  if (guess == WY_GUESS_STILL)
    return;
  wy_mixed_spin(self, q, v, spin);
  for (int i = 0; i < 3; i++) {
    end[i] += self->h * v[i];
    spin[i] *= self->h;
  }
  wy_mixed_turn(spin, q, end);
}

bool wy_mixed_turns_far(const wy_mixed *self, const double *u, double h) {
  const double far = 1;
  for (int i = 0; i < self->nodes; i++) {
    double spin[3];
    wy_mixed_spin(self, u + self->q + WY_NODE * i, u + self->v + WY_NODE * i, spin);
    if (h * wy_norm3(spin) > far)
      return true;
  }
  return false;
}

static void begin(wy_system *system, double t, double h, const double *u, wy_guess guess) {
  wy_mixed *self = (wy_mixed *)system;
  const size_t bytes = (size_t)self->nodes * WY_NODE * sizeof(double);
  if (guess == WY_GUESS_LONGER) {
    memcpy(self->known_end, self->end, bytes);
    self->known_h = self->h;
  }
  self->t = t;
  self->h = h;
  memcpy(self->from, u + self->q, bytes);
  memcpy(self->velocity, u + self->v, bytes);
  double elastic = 0.5 * self->long_term;
  for (int j = 0; j < self->branches; j++)
    elastic += self->rod->maxwell[j].share / branch_factor(self, j);
  self->task = (wy_mixed_task){.left = self->middle,
                               .right = self->end,
                               .share = 0.5,
                               .elastic = elastic,
                               .viscous = 1 / h,
                               .inertia = {2 / (h * h) + self->drag[0] / h, 2 / (h * h) + self->drag[1] / h},
                               .t = t + 0.5 * h,
                               .rate = 1 / h,
                               .fluid = 1,
                               .form = wy_mixed_step_form(self)};
  self->band = &self->narrow;
  self->load_factor = 1;
  self->corrected = 0;
  wy_mixed_update_loads(self, t + 0.5 * h);
  wy_mixed_update_actuators(self, t + 0.5 * h);
  for (int e = 0; e < self->elements; e++)
    set_stress_base(self, u, e);
  if (guess == WY_GUESS_MOVING && wy_mixed_turns_far(self, u, h))
    guess = WY_GUESS_STILL;
  for (int i = 0; i < self->nodes; i++)
    guess_node(self, i, guess, h / self->known_h);
  for (int end = 0; end < 2; end++) {
    double *q = self->end + WY_NODE * wy_mixed_end_node(self, end);
    wy_mixed_place_end(self, end, t + h, q);
    wy_mixed_end_velocity(self, end, t + h, q, self->end_velocity[end]);
  }
}

/* ---- Balance ---- */

/* Is this one of a node's numbers held at an end, by a support? */
static bool holds(const wy_mixed *self, int end, int x) {
  return wy_mixed_is_supported(self, end, x < 3 ? x : 3);
}

/* Where an end is driven its velocity is known at both ends of the step. By the rule it would swing about that for ever
   after a kink of the path; so its acceleration is the difference of the velocities (X31). */
static void drive_ends(wy_mixed *self) {
  for (int end = 0; end < 2; end++)
    for (int x = 0; x < WY_NODE; x++) {
      const int i = WY_NODE * wy_mixed_end_node(self, end) + x;
      const double before = self->velocity[i], after = self->end_velocity[end][x];
      if (holds(self, end, x))
        self->acceleration[i] =
            (after - before) / self->h + 0.5 * self->drag[x >= 3] * (before + after) - (x < 3 ? self->gravity[x] : 0);
    }
}

WY_CLONES
void wy_mixed_update_middle(wy_mixed *self) {
  const double h = self->h;
  for (int node = 0; node < self->nodes; node++)
    for (int x = 0; x < WY_NODE; x++) {
      const int i = WY_NODE * node + x;
      const double change = self->end[i] - self->from[i];
      self->middle[i] = self->from[i] + 0.5 * change;
      self->acceleration[i] = self->task.inertia[x >= 3] * change - 2 / h * self->velocity[i];
      if (x < 3)
        self->acceleration[i] -= self->gravity[x];
    }
  drive_ends(self);
}

static int residual(wy_system *system, double *r, double *misfit) {
  wy_mixed *self = (wy_mixed *)system;
  wy_mixed_update_middle(self);
  const wy_mixed_misfit found = wy_mixed_balance(self, r);
  *misfit = wy_mixed_relative(&found);
  return WY_OK;
}

static int linearise(wy_system *system) {
  return wy_mixed_linearise((wy_mixed *)system);
}

static void solve(wy_system *system, double *r) {
  wy_mixed_solve((const wy_mixed *)system, r);
}

static void apply(wy_system *system, const double *d, double *change) {
  wy_mixed *self = (wy_mixed *)system;
  const double scale = wy_mixed_shortened(wy_mixed_turned(self, d));
  double share = 1;
  if (self->correction) {
    wy_mixed_swing swing = {0};
    wy_mixed_compare(self, self->correction, d, &swing);
    share = wy_mixed_steadied(&swing, self->corrected);
    memcpy(self->correction, d, (size_t)system->step_size * sizeof *d);
    self->corrected = share * scale;
  }
  *change = 0;
  wy_mixed_apply(self, d, share * scale, change);
  *change /= share; /* one that is cut is no sign of convergence */
}

static void retreat(wy_system *system, double share) {
  wy_mixed *self = (wy_mixed *)system;
  double change = 0;
  wy_mixed_apply(self, self->correction, -share * self->corrected, &change);
  self->corrected *= 1 - share;
}

static void peek(wy_system *system, double *u) {
  const wy_mixed *self = (const wy_mixed *)system;
  memcpy(u + self->q, self->end, (size_t)self->nodes * WY_NODE * sizeof *u);
}

/* ---- End ---- */

static double node_work(const wy_mixed *self, int node, const double f[WY_NODE]) {
  double work = 0;
  for (int x = 0; x < WY_NODE; x++)
    work += f[x] * (self->end[WY_NODE * node + x] - self->from[WY_NODE * node + x]);
  return work;
}

/* Loads, tendons and chambers on one element. */
static double element_work(const wy_mixed *self, int element, const double change[WY_STRESSES]) {
  double q[WY_MOST_NODES][WY_NODE], f[WY_MOST_NODES][WY_NODE] = {{0}}, work = 0;
  const double *offset = self->offset + (size_t)element * WY_STRESSES;
  for (int i = 0; i < 6 * self->basis.order; i++)
    work -= offset[i] * change[i];
  if (!self->has_tendon && self->first_site[element] == self->first_site[element + 1])
    return work;
  for (int a = 0; a < self->basis.nodes; a++)
    memcpy(q[a], self->middle + WY_NODE * wy_mixed_node(self, element, a), sizeof q[a]);
  wy_mixed_tendon_forces(self, element, q, f);
  wy_mixed_load_forces(self, element, q, f);
  for (int a = 0; a < self->basis.nodes; a++)
    work -= node_work(self, wy_mixed_node(self, element, a), f[a]);
  return work;
}

/* Maxwell branches move on; what they and Kelvin-Voigt damping dissipate (X17). */
static double relax(const wy_mixed *self, int element, const double change[WY_STRESSES], double *u) {
  const int order = wy_mixed_order(self);
  const wy_mixed_element *constants = &self->element[element];
  double lost = 0;
  for (int i = self->constrained; i < 6; i++) {
    lost += wy_sym_product(order, &constants->damping[i], change + i, 6) / self->h;
    wy_sym compliance = self->branches ? wy_sym_inverse(order, constants->stiffness[i]) : (wy_sym){{0}};
    for (int j = 0; j < self->branches; j++) {
      const wy_maxwell *branch = &self->rod->maxwell[j];
      double *stress = u + wy_mixed_branch(self, j, element), elastic[2], middle[7] = {0};
      wy_sym_times(order, &constants->stiffness[i], change + i, 6, elastic);
      for (int b = 0; b < order; b++) {
        middle[6 * b] = (2 * stress[6 * b + i] + branch->share * elastic[b]) / branch_factor(self, j);
        stress[6 * b + i] = 2 * middle[6 * b] - stress[6 * b + i];
      }
      lost += self->h / branch->time / branch->share * wy_sym_product(order, &compliance, middle, 6);
    }
  }
  return lost;
}

/* A row of the mass matrix at an end, times something of the nodes. */
static double end_mass_times(const wy_mixed *self, int end, int x, const double *values) {
  const int element = end ? self->elements - 1 : 0;
  double sum = 0;
  for (int c = 0; c < self->basis.nodes; c++)
    sum += wy_mixed_mass(self, element, x / 3, end, c) * values[WY_NODE * wy_mixed_node(self, element, c) + x];
  return sum;
}

/* The work of a support: its force times what the end moves, of inertia and drag times what its velocities make of it.
   The second difference is a moment, too: angular momentum is balanced exactly with it in the reaction. */
static double support_work(const wy_mixed *self, int end, const double *mean, double reaction[WY_NODE_UNKNOWNS]) {
  const int node = wy_mixed_end_node(self, end);
  const double *force = self->support + WY_NODE * end;
  double work = 0, slip[WY_NODE], momentum[WY_NODE], moment[3];
  for (int x = 0; x < WY_NODE; x++) {
    const double way = self->end[WY_NODE * node + x] - self->from[WY_NODE * node + x];
    double inertia = end_mass_times(self, end, x, self->acceleration);
    for (int c = 0; x < 3 && c < self->basis.nodes; c++)
      inertia += wy_mixed_mass(self, end ? self->elements - 1 : 0, 0, end, c) * self->gravity[x];
    slip[x] = way - self->h * mean[WY_NODE * node + x];
    momentum[x] = end_mass_times(self, end, x, mean);
    if (holds(self, end, x))
      work += way * force[x] - slip[x] * inertia;
  }
  for (int part = 0; part < WY_NODE; part += 3) {
    wy_cross3(slip + part, momentum + part, moment);
    wy_add3(reaction + 3, 1 / self->h, moment);
  }
  return work;
}

/* Damped strains: rates at the end of a step swing; their stresses are carried on from the middles of this step and the
   one before. */
static void keep_damped(const wy_mixed *self, int element, double *u) {
  double stress[WY_STRESSES];
  double *shown = u + wy_mixed_kept_stress(self, element),
         *last = u + self->middle_stress + (size_t)element * WY_STRESSES;
  const double before = u[self->stepped] == 1 ? 0.5 : 0;
  wy_mixed_stresses(self, element, stress);
  for (int i = 0; i < 6 * self->basis.order; i++) {
    if (i % 6 >= self->constrained)
      shown[i] = (1 + before) * stress[i] - before * last[i];
    last[i] = stress[i];
  }
}

void wy_mixed_keep_forces(const wy_mixed *self, double *u) {
  for (int end = 0; end < 2; end++)
    wy_mixed_project(self->middle + WY_NODE * wy_mixed_end_node(self, end), self->support + WY_NODE * end,
                     u + self->reaction + WY_NODE_UNKNOWNS * end);
  wy_mixed_multipliers(self, u + self->multiplier);
  for (int e = 0; e < self->elements; e++) {
    for (int i = 0; i < 3 * self->basis.order; i++)
      u[wy_mixed_kept_force(self, e, i)] = *wy_mixed_lane(self->axial, WY_FORCES, e, i);
    if (self->damped)
      keep_damped(self, e, u);
  }
}

static void finish(wy_system *system, double *u, double integrals[WY_INTEGRALS]) {
  wy_mixed *self = (wy_mixed *)system;
  double work = 0, lost = 0, *mean = self->middle; /* no longer needed after the forces */
  const bool drags = self->drag[0] > 0 || self->drag[1] > 0;
  const bool strained = self->branches || self->damped || self->actuator_count > 0;
  for (int e = 0; e < self->elements; e++) {
    double change[WY_STRESSES] = {0};
    if (strained) {
      wy_mixed_strains(self, e, self->end, change);
      for (int i = 0; i < 6 * self->basis.order; i++)
        change[i] -= *wy_mixed_lane(self->strain_base, WY_STRESSES, e, i);
      lost += relax(self, e, change, u);
    }
    if (self->actuator_count > 0 || self->site_count > 0)
      work += element_work(self, e, change);
  }
  if (self->fluid) {
    double dragged;
    work += self->h * wy_mixed_fluid_power(self, &dragged);
    lost += self->h * dragged;
  }
  if (self->contact.found) {
    work += self->h * self->contact.work;
    lost += self->h * (self->contact.friction + self->contact.impact);
    integrals[WY_FRICTION_INTEGRAL] += self->h * self->contact.friction;
    integrals[WY_IMPACT_INTEGRAL] += self->h * self->contact.impact;
  }
  wy_mixed_keep_forces(self, u);
  for (int i = 0; i < WY_NODE * self->nodes; i++)
    u[self->v + i] = 2 * (self->end[i] - self->from[i]) / self->h - self->velocity[i];
  for (int end = 0; end < 2; end++)
    for (int x = 0; x < WY_NODE; x++)
      if (holds(self, end, x))
        u[self->v + WY_NODE * wy_mixed_end_node(self, end) + x] = self->end_velocity[end][x];
  for (int i = 0; i < WY_NODE * self->nodes; i++)
    mean[i] = 0.5 * (self->velocity[i] + u[self->v + i]);
  for (int e = 0; drags && e < self->elements; e++)
    lost += self->h * wy_mixed_mass_product(self, e, self->drag, mean);
  for (int end = 0; end < 2; end++)
    if (wy_support_moves(&self->supports, end))
      work += support_work(self, end, mean, u + self->reaction + WY_NODE_UNKNOWNS * end);
  memcpy(u + self->q, self->end, (size_t)self->nodes * WY_NODE * sizeof *u);
  u[self->stepped] = 1;
  integrals[WY_WORK_INTEGRAL] += work;
  integrals[WY_DISSIPATION_INTEGRAL] += lost;
}

/* Newton's method with its own tangent leaves the square of the misfit, a kept one just what is asked for; energy would
   be conserved less well. */
const wy_step_type wy_mixed_midpoint = {.begin = begin,
                                        .residual = residual,
                                        .linearise = linearise,
                                        .solve = solve,
                                        .apply = apply,
                                        .retreat = retreat,
                                        .peek = peek,
                                        .finish = finish,
                                        .kept = {.fall = 1e-3, .leaves = 0.1}};

/* ---- To begin with ---- */

void wy_mixed_first_forces(wy_mixed *self, double t, double *u) {
  const double very_short = 1e-5; /* of the slowest vibration: round-off of forces and lag are both below 1e-5 */
  double misfit, change, last = INFINITY;
  begin(&self->base, t, very_short * wy_model_period(self->base.model, self->base.rod), u, WY_GUESS_MOVING);
  for (int i = 0; i < 10; i++) {
    if (residual(&self->base, self->rhs, &misfit) || !(misfit < last)) /* it no longer falls */
      break;
    wy_mixed_keep_forces(self, u);
    last = misfit;
    if (wy_step_correct(&self->base, true, self->rhs, &change))
      break;
  }
}

/* The least change of velocity, weighed by mass, after which constrained strains do not change: the equations
   with masses in place of stiffness (X24). */
void wy_mixed_project_velocities(wy_mixed *self, double *u) {
  const double no_stiffness = 1e-30; /* forces of other strains then vanish, and their rows stay regular */
  double largest = 0;
  self->load_factor = 0;
  wy_mixed_rest(self, 0, u);
  self->load_factor = 1;
  self->task.form = WY_FORM_FORCES;
  self->task.elastic = no_stiffness;
  self->band = &self->narrow;
  self->task.inertia[0] = self->task.inertia[1] = 1;
  for (int e = 0; e < self->elements; e++)
    for (int i = 0; i < 3 * self->basis.order; i++)
      *wy_mixed_lane(self->axial, WY_FORCES, e, i) = 0;
  for (int bundle = 0; bundle < wy_mixed_bundles(self); bundle++)
    wy_mixed_bundle_forces(self, bundle, &largest);
  memset(self->rhs, 0, (size_t)self->base.step_size * sizeof *self->rhs);
  for (int e = 0; e < self->elements; e++) {
    double rate[WY_STRESSES], *missing = wy_mixed_part(self, self->rhs, e) + WY_LOCAL_FORCES;
    wy_mixed_strain_rates(self, e, u + self->q, u + self->v, rate);
    for (int i = 0; i < 3 * self->basis.order; i++)
      missing[i] = i % 3 < self->constrained ? -rate[6 * (i / 3) + i % 3] : 0;
  }
  if (wy_mixed_linearise(self))
    return; /* nothing can move: velocities stay as given, and the first step fails with a message */
  wy_mixed_solve(self, self->rhs);
  for (int e = 0; e < self->elements; e++) {
    const double *d = wy_mixed_part(self, self->rhs, e);
    for (int a = e == 0 ? 0 : 1; a < self->basis.nodes; a++) {
      int node = wy_mixed_node(self, e, a);
      const double *change = d + wy_mixed_local(self->basis.order, a), *q = u + self->q + WY_NODE * node;
      double *v = u + self->v + WY_NODE * node, turned[3];
      wy_add3(v, 1, change);
      for (int i = 3; i < WY_NODE; i += 3) {
        wy_cross3(change + 3, q + i, turned);
        wy_add3(v + i, 1, turned);
      }
    }
  }
}
