/* SPDX-License-Identifier: MIT */
/* What leaves the mixed rod: energies, momenta, the view, and words about a failure. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/quat.h"
#include "scheme/mixed/rod.h"

/* ---- Energy and momentum ---- */

static double elastic_energy(const wy_mixed *self, int element, const double *u) {
  const int order = wy_mixed_order(self);
  const wy_mixed_element *constants = &self->element[element];
  double e[WY_STRESSES], twice = 0;
  wy_mixed_strains(self, element, u + self->q, e);
  for (int i = 0; i < 6 * order; i++)
    e[i] -= constants->reference[i];
  for (int i = self->constrained; i < 6; i++) {
    twice += self->long_term * wy_sym_product(order, &constants->stiffness[i], e + i, 6);
    wy_sym compliance = self->branches ? wy_sym_inverse(order, constants->stiffness[i]) : (wy_sym){{0}};
    for (int j = 0; j < self->branches; j++)
      twice += wy_sym_product(order, &compliance, u + wy_mixed_branch(self, j, element) + i, 6) /
               self->rod->maxwell[j].share;
  }
  return 0.5 * twice;
}

double wy_mixed_mass_product(const wy_mixed *self, int element, const double factor[2], const double *v) {
  double sum = 0;
  for (int a = 0; a < self->basis.nodes; a++)
    for (int c = 0; c < self->basis.nodes; c++)
      for (int part = 0; part < 4; part++)
        sum += factor[part > 0] * wy_mixed_mass(self, element, part, a, c) *
               wy_dot3(v + WY_NODE * wy_mixed_node(self, element, a) + 3 * part,
                       v + WY_NODE * wy_mixed_node(self, element, c) + 3 * part);
  return sum;
}

void wy_mixed_energy(wy_system *system, double t, const double *u, wy_energy *energy) {
  const wy_mixed *self = (const wy_mixed *)system;
  const double halves[2] = {0.5, 0.5};
  energy->contact = system->contacts ? wy_contacts_energy(system, t, u) : 0;
  energy->kinetic = energy->elastic = energy->gravity = 0;
  for (int e = 0; e < self->elements; e++) {
    energy->elastic += elastic_energy(self, e, u);
    energy->kinetic += wy_mixed_mass_product(self, e, halves, u + self->v);
    energy->gravity += wy_mixed_fluid_gravity(self, e, u + self->q);
    for (int a = 0; a < self->basis.nodes; a++)
      for (int c = 0; c < self->basis.nodes; c++)
        energy->gravity -=
            wy_mixed_mass(self, e, 0, a, c) * wy_dot3(self->gravity, u + self->q + WY_NODE * wy_mixed_node(self, e, a));
  }
}

void wy_mixed_momentum(wy_system *system, double t, const double *u, wy_momentum *momentum) {
  const wy_mixed *self = (const wy_mixed *)system;
  (void)t;
  memset(momentum, 0, sizeof *momentum);
  for (int e = 0; e < self->elements; e++)
    for (int a = 0; a < self->basis.nodes; a++)
      for (int c = 0; c < self->basis.nodes; c++) {
        const double *q = u + self->q + WY_NODE * wy_mixed_node(self, e, a);
        const double *v = u + self->v + WY_NODE * wy_mixed_node(self, e, c);
        for (int part = 0; part < 4; part++) {
          double mass = wy_mixed_mass(self, e, part, a, c), spin[3];
          wy_cross3(q + 3 * part, v + 3 * part, spin);
          wy_add3(momentum->angular, mass, spin);
        }
        double mass = wy_mixed_mass(self, e, 0, a, c);
        momentum->mass += mass;
        wy_add3(momentum->linear, mass, v);
        wy_add3(momentum->centre_of_mass, mass, q);
      }
  for (int i = 0; i < 3; i++)
    momentum->centre_of_mass[i] /= momentum->mass;
}

/* ---- View ---- */

/* Stresses are shown where they are most accurate: in the middle, or at two Gauss points. */
static double stress_place(const wy_mixed *self, int b) {
  return self->basis.order == 1 ? 0 : (b ? 1 : -1) / sqrt(3.0);
}

void wy_mixed_place_view(wy_mixed *self) {
  wy_view *view = &self->base.view;
  const int order = wy_mixed_order(self);
  wy_points *at_nodes[] = {&view->position, &view->velocity, &view->frame, &view->angular_velocity, &view->multiplier};
  wy_points *at_stresses[] = {&view->strain, &view->force, &view->curvature, &view->moment};
  for (int k = 0; k < 5; k++) {
    memcpy((double *)at_nodes[k]->s, self->s_node, (size_t)self->nodes * sizeof(double));
    at_nodes[k]->degree = order;
  }
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < self->elements * order; i++)
      ((double *)at_stresses[k]->s)[i] = wy_mixed_arc(&self->element[i / order], stress_place(self, i % order));
}

static void frame_of(const double *q, double frame[4]) {
  const double r[9] = {q[3], q[6], q[9], q[4], q[7], q[10], q[5], q[8], q[11]};
  wy_qfrom_matrix(r, frame);
}

static void view_nodes(const wy_mixed *self, const double *u, wy_view *view) {
  for (int i = 0; i < self->nodes; i++) {
    const double *q = u + self->q + WY_NODE * i, *v = u + self->v + WY_NODE * i;
    double spin[3];
    wy_copy3(q, (double *)view->position.values + 3 * i);
    wy_copy3(v, (double *)view->velocity.values + 3 * i);
    frame_of(q, (double *)view->frame.values + 4 * i);
    wy_mixed_spin(self, q, v, spin);
    for (int k = 0; k < 3; k++)
      ((double *)view->angular_velocity.values)[3 * i + k] = wy_dot3(q + 3 + 3 * k, spin);
  }
}

/* Coefficients of a function from its integrals against psi. */
static void coefficients(const wy_mixed *self, int element, const double *integral, double *out) {
  const double length = self->element[element].length;
  for (int i = 0; i < 6; i++) {
    if (self->basis.order == 1)
      out[i] = integral[i] / length;
    for (int b = 0; self->basis.order == 2 && b < 2; b++)
      out[6 * b + i] = 2 / length * (2 * integral[6 * b + i] - integral[6 * (1 - b) + i]);
  }
}

/* Section forces and moments without actuators: elastic and Maxwell now; where strains are constrained, and in motions
   with damping, what the last step has left. */
static void material_stress(const wy_mixed *self, int element, const double *u, const double e[WY_STRESSES],
                            double stress[WY_STRESSES]) {
  const int order = wy_mixed_order(self);
  memcpy(stress, u + wy_mixed_kept_stress(self, element), WY_STRESSES * sizeof *stress);
  if (self->damped && !self->supports.rest)
    return;
  for (int i = self->constrained; i < 6; i++) {
    double part[WY_MOST_ORDER];
    wy_sym_times(order, &self->element[element].stiffness[i], e + i, 6, part);
    for (int b = 0; b < order; b++) {
      stress[6 * b + i] = self->long_term * part[b];
      for (int j = 0; j < self->branches; j++)
        stress[6 * b + i] += u[wy_mixed_branch(self, j, element) + (size_t)(6 * b + i)];
    }
  }
}

static void view_element(const wy_mixed *self, int element, const double *u, wy_view *view) {
  const int order = wy_mixed_order(self);
  double e[WY_STRESSES], strain[WY_STRESSES], stress[WY_STRESSES], q[WY_MOST_NODES][WY_NODE];
  wy_mixed_strains(self, element, u + self->q, e);
  for (int i = 0; i < 6 * order; i++)
    e[i] -= self->element[element].reference[i];
  coefficients(self, element, e, strain);
  material_stress(self, element, u, e, stress);
  for (int a = 0; a < self->basis.nodes; a++)
    memcpy(q[a], u + self->q + WY_NODE * wy_mixed_node(self, element, a), sizeof q[a]);
  for (int b = 0; b < order; b++) {
    const double xi = stress_place(self, b), s = wy_mixed_arc(&self->element[element], xi);
    const wy_mixed_place at = wy_mixed_at(order, xi);
    double pulled[6] = {0};
    int to = 3 * (order * element + b);
    if (self->has_tendon)
      wy_mixed_tendon_stress(self, element, xi, q, pulled);
    for (int i = 0; i < 6; i++) {
      double change = 0, total = pulled[i];
      for (int c = 0; c < order; c++) {
        change += at.psi[c] * strain[6 * c + i];
        total += at.psi[c] * (stress[6 * c + i] + self->offset[(size_t)element * WY_STRESSES + (size_t)(6 * c + i)]);
      }
      double natural = i < 3 ? 0 : wy_signal_value(&self->rod->shape.curvature[i - 3], s, 0);
      ((double *)(i < 3 ? view->strain.values : view->curvature.values))[to + i % 3] = natural + change;
      ((double *)(i < 3 ? view->force.values : view->moment.values))[to + i % 3] = total;
    }
  }
}

static void view_end(const wy_mixed *self, int end, const double *u, const double *reaction, wy_view *view) {
  int node = wy_mixed_end_node(self, end);
  view->ends[end].position_held = wy_support_holds_position(&self->supports, end) || wy_mixed_is_joined(self, end, 0);
  view->ends[end].rotation_held = wy_support_holds_rotation(&self->supports, end) || wy_mixed_is_joined(self, end, 3);
  wy_copy3(u + self->q + WY_NODE * node, view->ends[end].position);
  memcpy(view->ends[end].frame, view->frame.values + 4 * node, sizeof view->ends[end].frame);
  for (int x = 0; x < WY_NODE_UNKNOWNS; x++) {
    double *out = x < 3 ? view->ends[end].reaction_force : view->ends[end].reaction_moment;
    out[x % 3] = wy_mixed_is_held(self, end, x) ? reaction[x] : 0;
  }
}

void wy_mixed_view(wy_system *system, double t, const double *u, wy_view *view) {
  wy_mixed *self = (wy_mixed *)system;
  view->time = t;
  if (u[self->stepped] == 0) {
    if (!self->ports[0].there && !self->ports[1].there) { /* else the network has filled it in */
      memcpy(self->first, u, (size_t)system->size * sizeof *u);
      wy_mixed_first_forces(self, t, self->first);
    }
    u = self->first;
  }
  view_nodes(self, u, view);
  wy_mixed_update_actuators(self, t);
  memcpy((double *)view->multiplier.values, u + self->multiplier, 6 * (size_t)self->nodes * sizeof *u);
  for (int e = 0; e < self->elements; e++)
    view_element(self, e, u, view);
  for (int end = 0; end < 2; end++)
    view_end(self, end, u, u + self->reaction + WY_NODE_UNKNOWNS * end, view);
}

/* ---- Failure, and its forebodings ---- */

/* Largest rotation that an element carries well (X27). */
static double turn_limit(const wy_mixed *self) {
  return self->basis.order == 1 ? 0.5 : 1.5;
}

static double turn_between(const double *a, const double *b) {
  double trace = wy_dot3(a + 3, b + 3) + wy_dot3(a + 6, b + 6) + wy_dot3(a + 9, b + 9);
  return acos(fmin(fmax(0.5 * (trace - 1), -1), 1));
}

/* By the traces of relative rotations first: the angle is worked out where they are least. */
static double largest_turn(const wy_mixed *self, const double *q, int *element) {
  const int order = wy_mixed_order(self);
  double least = INFINITY;
  for (int e = 0; e < self->elements; e++) {
    double trace = 0;
    for (int i = order * e; i < order * (e + 1); i++)
      for (int k = 3; k < WY_NODE; k++)
        trace += q[WY_NODE * i + k] * q[WY_NODE * (i + 1) + k];
    if (trace < least)
      least = trace, *element = e;
  }
  double turn = 0;
  for (int i = order * *element; i < order * (*element + 1); i++)
    turn += turn_between(q + WY_NODE * i, q + WY_NODE * (i + 1));
  return turn;
}

double wy_mixed_piece_turn(wy_system *system, const double *u) {
  const wy_mixed *self = (const wy_mixed *)system;
  int element = 0;
  return largest_turn(self, u + self->q, &element) / turn_limit(self);
}

/* d3 . r' = 1 at Gauss's points, where interpolated directors are somewhat shorter than 1 and r' by as much longer. */
double wy_mixed_chord(wy_system *system, const double *u) {
  const wy_mixed *self = (const wy_mixed *)system;
  const int order = wy_mixed_order(self);
  double most = 0;
  for (int e = 0; self->rod->kind == WY_INEXTENSIBLE && e < self->elements; e++) {
    const wy_mixed_element *element = &self->element[e];
    const double h = (wy_mixed_arc(element, 1) - wy_mixed_arc(element, -1)) / order;
    for (int i = order * e; i < order * (e + 1); i++) {
      const double *a = u + self->q + WY_NODE * i, *b = a + WY_NODE;
      const double d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
      most = fmax(most, wy_dot3(d, d) / (h * h));
    }
  }
  return sqrt(most);
}

/* The state, and loads, actuators and supports of the step that begins at t. */
static bool is_finite(wy_mixed *self, double t, const double *q) {
  double sum = 0;
  for (int i = 0; i < WY_NODE * self->nodes; i++)
    sum += q[i];
  wy_mixed_update_loads(self, t + 0.5 * self->h);
  wy_mixed_update_actuators(self, t + 0.5 * self->h);
  for (size_t i = 0; i < self->site_count; i++)
    for (int k = 0; k < 3; k++)
      sum += self->sites[i].force[k] + self->sites[i].moment[k];
  for (int i = 0; i < self->actuator_count; i++)
    sum += self->actuators[i].force;
  for (int end = 0; end < 2; end++) {
    double held[WY_NODE] = {0};
    wy_mixed_place_end(self, end, t + self->h, held);
    for (int x = 0; x < WY_NODE; x++)
      sum += held[x];
  }
  return isfinite(sum);
}

bool wy_mixed_diagnose(wy_system *system, double t, const double *u, char *text, size_t size) {
  wy_mixed *self = (wy_mixed *)system;
  int element = 0;
  const double turn = largest_turn(self, u + self->q, &element), limit = turn_limit(self);
  const double s = wy_mixed_arc(&self->element[element], 0);
  if (!is_finite(self, t, u + self->q))
    snprintf(text, size,
             "the forces are not finite there: does an expression of a load, an actuator or a driven end give NaN or "
             "infinity?");
  else if (wy_mixed_is_taut(self, u + self->q))
    snprintf(text, size,
             "the inextensible rod is straight between its held ends: it cannot get longer, and transverse forces "
             "would need an infinite tension. Use the model kirchhoff, or leave some slack");
  else if (turn > limit)
    snprintf(text, size,
             "the rotation across element %d of %d (s = %.4g) is %.2f rad, above the limit of its interpolation "
             "(%.1f): try %d elements",
             element + 1, self->elements, s, turn, limit, (int)ceil(self->elements * turn / limit));
  else if (self->supports.rest)
    text[0] = 0; /* nothing stands out */
  else {
    snprintf(text, size, "the residual is largest at s = %.4g of %.4g", self->worst_place, self->rod->length);
    return false;
  }
  return true;
}
