/* SPDX-License-Identifier: MIT */
/* What leaves the rod of the box scheme: energies (B12), momenta, the view, and words about a failure. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scheme/box/rod.h"

/* ---- Energy and momentum ---- */

static wy_v3 mean(wy_v3 a, wy_v3 b) {
  return wy_times(0.5, wy_plus(a, b));
}

wy_box_spot wy_box_spot_at(const wy_box *self, int i, const double *motion, int stride) {
  const wy_box_node *a = &self->node[i], *b = a + (self->options.transport ? 1 : 0);
  const double *next = motion + (self->options.transport ? stride : 0);
  wy_box_spot spot = {.weight = a->weight,
                      .mass = 0.5 * (a->mass + b->mass),
                      .rotary = mean(a->rotary, b->rotary),
                      .damping = mean(a->damping, b->damping),
                      .natural = mean(a->natural, b->natural),
                      .u = wy_at3(motion),
                      .omega = mean(wy_at3(motion + WY_BOX_OMEGA), wy_at3(next + WY_BOX_OMEGA)),
                      .kappa = mean(wy_at3(motion + WY_BOX_KAPPA), wy_at3(next + WY_BOX_KAPPA))};
  for (int k = 0; k < 6; k++)
    spot.stiffness[k] = 0.5 * (a->stiffness[k] + b->stiffness[k]);
  if (self->options.transport) {
    const wy_box_turn turn = wy_box_turn_of(wy_times(self->length[i], spot.kappa));
    const wy_m3 e = wy_box_e(&turn), c = wy_box_c(&turn);
    spot.weight = self->length[i];
    spot.u = mean(wy_apply_transposed(e, wy_at3(motion)), wy_apply(e, wy_at3(next)));
    spot.omega = wy_apply(c, spot.omega);
  }
  return spot;
}

void wy_box_energy(wy_system *system, double t, const double *u, wy_energy *energy) {
  const wy_box *self = (const wy_box *)system;
  energy->kinetic = energy->elastic = energy->gravity = 0;
  energy->contact = system->contacts ? wy_contacts_energy(system, t, u) : 0;
  for (int i = 0; i < wy_box_spots(self); i++) {
    const wy_box_spot at = wy_box_spot_at(self, i, wy_box_motion(self, u, i), WY_BOX_MOTION);
    const double *here = u + self->position + 3 * i, *next = here + (self->options.transport ? 3 : 0);
    const wy_v3 strain = wy_minus(at.kappa, at.natural), place = mean(wy_at3(here), wy_at3(next));
    const double e[6] = {0, 0, 0, strain.x, strain.y, strain.z};
    const double twice = at.mass * wy_inner(at.u, at.u) + wy_inner(wy_each(at.rotary, at.omega), at.omega);
    energy->kinetic += 0.5 * at.weight * twice;
    energy->elastic += at.weight * wy_law_energy(&self->rod->law, at.stiffness, e);
    energy->gravity -= at.weight * at.mass * wy_inner(self->gravity, place);
  }
}

void wy_box_momentum(wy_system *system, double t, const double *u, wy_momentum *momentum) {
  const wy_box *self = (const wy_box *)system;
  wy_v3 linear = {0, 0, 0}, angular = {0, 0, 0}, centre = {0, 0, 0};
  double mass = 0;
  (void)t;
  for (int j = 0; j < self->nodes; j++) {
    const wy_box_node *at = &self->node[j];
    const double *motion = wy_box_motion(self, u, j), part = at->weight * at->mass;
    const wy_m3 frame = wy_box_frame(self, u, j);
    const wy_v3 r = wy_at3(u + self->position + 3 * j), v = wy_apply(frame, wy_at3(motion));
    const wy_v3 spin = wy_apply(frame, wy_each(at->rotary, wy_at3(motion + WY_BOX_OMEGA)));
    mass += part;
    linear = wy_plus(linear, wy_times(part, v));
    centre = wy_plus(centre, wy_times(part, r));
    angular = wy_plus(angular, wy_plus(wy_times(part, wy_cross(r, v)), wy_times(at->weight, spin)));
  }
  momentum->mass = mass;
  wy_put3(momentum->linear, linear);
  wy_put3(momentum->angular, angular);
  wy_put3(momentum->centre_of_mass, wy_times(1 / mass, centre));
}

/* ---- View ---- */

void wy_box_place_view(wy_box *self) {
  wy_view *view = &self->base.view;
  wy_points *all[] = {&view->position, &view->velocity, &view->frame,     &view->angular_velocity,
                      &view->strain,   &view->force,    &view->curvature, &view->moment};
  for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
    all[k]->degree = 1;
    for (int j = 0; j < self->nodes; j++)
      ((double *)all[k]->s)[j] = self->node[j].s;
  }
}

static void show(const wy_points *points, int node, wy_v3 value) {
  wy_put3((double *)points->values + 3 * node, value);
}

static wy_v3 moment_at(const wy_box *self, const double *u, int node) {
  const wy_v3 rate = wy_at3(u + self->rates + WY_BOX_NODE * node + WY_BOX_MOTION);
  const wy_v3 elastic = wy_box_moment(self, node, wy_box_kappa(self, u, node));
  return self->supports.rest ? elastic : wy_plus(elastic, wy_each(self->node[node].damping, rate));
}

static void view_node(const wy_box *self, const double *u, int node, wy_view *view) {
  const double *motion = wy_box_motion(self, u, node);
  show(&view->position, node, wy_at3(u + self->position + 3 * node));
  show(&view->velocity, node, wy_apply(wy_box_frame(self, u, node), wy_at3(motion)));
  show(&view->angular_velocity, node, wy_at3(motion + WY_BOX_OMEGA));
  show(&view->strain, node, (wy_v3){0, 0, 0});
  show(&view->force, node, wy_at3(u + self->force + 3 * node));
  show(&view->curvature, node, wy_at3(motion + WY_BOX_KAPPA));
  show(&view->moment, node, moment_at(self, u, node));
  memcpy((double *)view->frame.values + 4 * node, u + self->frame + 4 * node, 4 * sizeof *u);
}

/* What the section carries, less the load, comes from the support. */
static void view_end(wy_box *self, int end, const double *u, wy_view *view) {
  const int node = wy_box_end_node(self, end);
  const wy_box_load *load = &self->loads[0].end[end];
  const wy_m3 frame = wy_box_frame(self, u, node);
  const double sign = wy_box_sign(end);
  const wy_v3 pull = wy_plus(load->space_force, wy_apply(frame, load->body_force));
  const wy_v3 turn = wy_plus(load->space_moment, wy_apply(frame, load->body_moment));
  const wy_v3 force = wy_minus(wy_times(sign, wy_apply(frame, wy_at3(u + self->force + 3 * node))), pull);
  const wy_v3 moment = wy_minus(wy_times(sign, wy_apply(frame, moment_at(self, u, node))), turn);
  const double forces[3] = {force.x, force.y, force.z};
  const bool holds = wy_support_holds_rotation(&self->supports, end);
  wy_end_pose pose;
  wy_support_pose(&self->supports, end, view->time, &pose);
  view->ends[end].position_held = wy_support_holds_position(&self->supports, end);
  view->ends[end].rotation_held = holds;
  for (int i = 0; i < 3; i++) {
    const bool held = self->ends[end].position[i] != WY_FREE;
    view->ends[end].position[i] = held ? pose.x[i] : u[self->position + 3 * node + i];
    view->ends[end].reaction_force[i] = held ? forces[i] : 0;
  }
  memcpy(view->ends[end].frame, holds ? pose.q : u + self->frame + 4 * node, sizeof view->ends[end].frame);
  wy_put3(view->ends[end].reaction_moment, wy_times(holds ? 1 : 0, moment));
}

void wy_box_view(wy_system *system, double t, const double *u, wy_view *view) {
  wy_box *self = (wy_box *)system;
  view->time = t;
  if (self->saved->begins && !self->supports.rest) {
    memcpy(self->first, u, (size_t)system->size * sizeof *u);
    wy_box_first_forces(self, t, self->first);
    u = self->first;
  }
  for (int j = 0; j < self->nodes; j++)
    view_node(self, u, j, view);
  wy_box_update_loads(self, t, &self->loads[0]);
  for (int end = 0; end < 2; end++)
    view_end(self, end, u, view);
}

/* ---- Failure, and its forebodings ---- */

/* Largest rotation that a cell carries well. */
static double turn_limit(const wy_box *self) {
  return self->options.transport ? 1.5 : 0.6;
}

static double largest_turn(const wy_box *self, const double *u, int *cell) {
  double most = 0;
  for (int c = 0; c < self->cells; c++) {
    const wy_v3 sum = wy_plus(wy_box_kappa(self, u, c), wy_box_kappa(self, u, c + 1));
    const double square = 0.25 * self->length[c] * self->length[c] * wy_inner(sum, sum);
    if (square > most)
      most = square, *cell = c;
  }
  return sqrt(most);
}

double wy_box_piece_turn(wy_system *system, const double *u) {
  const wy_box *self = (const wy_box *)system;
  int cell = 0;
  return largest_turn(self, u, &cell) / turn_limit(self);
}

static double sum_of(wy_v3 a) {
  return a.x + a.y + a.z;
}

static double sum_of_load(const wy_box_load *load) {
  return sum_of(load->space_force) + sum_of(load->body_force) + sum_of(load->space_moment) + sum_of(load->body_moment);
}

/* The state, and loads and supports of the step that begins at t. */
static bool is_finite(wy_box *self, double t, const double *u) {
  double sum = 0;
  for (int i = 0; i < self->base.size; i++)
    sum += u[i];
  for (int level = 0; level < 2; level++) {
    wy_box_loads *loads = &self->loads[level];
    wy_box_update_loads(self, t + level * self->h, loads);
    for (int cell = 0; loads->on_cells && cell < self->cells; cell++)
      sum += sum_of_load(&loads->cell[cell]);
    for (int end = 0; end < 2; end++) {
      wy_end_pose pose;
      wy_support_pose(&self->supports, end, t + level * self->h, &pose);
      sum += sum_of_load(&loads->end[end]);
      for (int i = 0; i < 3; i++)
        sum += pose.x[i] + pose.v[i] + pose.q[i] + pose.w[i];
    }
  }
  return isfinite(sum);
}

bool wy_box_diagnose(wy_system *system, double t, const double *u, char *text, size_t size) {
  wy_box *self = (wy_box *)system;
  int cell = 0, row = self->worst - WY_BOX_END;
  const double turn = largest_turn(self, u, &cell), limit = turn_limit(self);
  const int worst = row < 0 ? 0 : row / WY_BOX_NODE;
  if (!is_finite(self, t, u))
    snprintf(text, size,
             "the forces are not finite there: does an expression of a load or a driven end give NaN or infinity?");
  else if (wy_box_is_taut(self, u))
    snprintf(text, size,
             "the inextensible rod is straight between its held ends: it cannot get longer, and transverse forces "
             "would need an infinite tension. Leave some slack");
  else if (turn > limit)
    snprintf(text, size,
             "the rotation across cell %d of %d (s = %.4g) is %.2f rad, above the limit of the scheme (%.1f): try %d "
             "segments",
             cell + 1, self->cells, self->node[cell].s + 0.5 * self->length[cell], turn, limit,
             (int)ceil(self->cells * turn / limit));
  else if (self->supports.rest)
    text[0] = 0; /* nothing stands out */
  else {
    snprintf(text, size, "the residual is largest at node %d of %d (s = %.4g)", worst + 1, self->nodes,
             self->node[worst < self->nodes ? worst : self->cells].s);
    return false;
  }
  return true;
}
