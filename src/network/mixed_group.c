/* SPDX-License-Identifier: MIT */
/* A group of mixed rods: its states, and what leaves it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "math/quat.h"
#include "network/mixed_inside.h"
#include "scheme/system.h"

/* ---- Ends on hubs ---- */

void wy_mixed_carry(const wy_mixed_seat *seat, const double *hub, bool place, double *node) {
  double arm[3];
  wy_mixed_arm(hub, seat->c, arm);
  for (int x = 0; x < 3; x++) {
    node[x] = hub[x] + arm[x] - (place ? seat->origin[x] : 0);
    for (int k = 0; seat->turns && k < 3; k++)
      node[3 + 3 * k + x] =
          seat->turn[k] * hub[3 + x] + seat->turn[3 + k] * hub[6 + x] + seat->turn[6 + k] * hub[9 + x];
  }
}

void wy_mixed_write_ends(const wy_mixed_group *self, double *u) {
  for (int i = 0; i < self->seat_count; i++) {
    const wy_mixed_seat *seat = &self->seats[i];
    const wy_mixed_member *part = &self->parts[seat->part];
    double *state = u + part->offset;
    wy_mixed_carry(seat, wy_mixed_hub_q(self, u, seat->hub), true, wy_mixed_end_of(self, seat, state + part->rod->q));
    wy_mixed_carry(seat, wy_mixed_hub_v(self, u, seat->hub), false, wy_mixed_end_of(self, seat, state + part->rod->v));
  }
}

/* Hubs of the undeformed model. */
static void place_hubs(const wy_mixed_group *self, double *u) {
  memset(u + self->q, 0, (size_t)(self->base.size - self->q) * sizeof *u);
  for (int i = 0; i < self->hub_count; i++) {
    const wy_hub *def = self->hubs[i].def;
    double *q = u + self->q + WY_NODE * (size_t)i, r[9];
    wy_qmatrix(def->frame, r);
    for (int k = 0; k < 9; k++)
      q[3 + k] = r[3 * (k % 3) + k / 3];
    wy_put3(q, wy_minus(wy_at3(def->origin), wy_at3(self->origin)));
  }
}

void wy_mixed_rest_hubs(const wy_mixed_group *self, double *u) {
  place_hubs(self, u);
  wy_mixed_write_ends(self, u);
}

/* ---- States ---- */

/* Directors that turn with a body angular velocity. */
void wy_mixed_set_rates(const double *q, const double velocity[3], const double omega[3], double *v) {
  double spin[3];
  wy_mixed_arm(q, omega, spin);
  wy_copy3(velocity, v);
  for (int i = 3; i < WY_NODE; i += 3)
    wy_cross3(spin, q + i, v + i);
}

/* m x = p for a matrix that is symmetric and not negative, by Gauss and Jordan; 0 in what has no mass. */
static void solve_positive(int order, wy_block6 m, double p[WY_NODE_UNKNOWNS], double x[WY_NODE_UNKNOWNS]) {
  double least[WY_NODE_UNKNOWNS];
  for (int k = 0; k < order; k++)
    least[k] = 1e-12 * m[k][k];
  for (int k = 0; k < order; k++)
    for (int i = 0; m[k][k] > least[k] && i < order; i++) {
      const double factor = i == k ? 0 : m[i][k] / m[k][k];
      for (int j = 0; j < order; j++)
        m[i][j] -= factor * m[k][j];
      p[i] -= factor * p[k];
    }
  for (int k = 0; k < order; k++)
    x[k] = m[k][k] > least[k] ? p[k] / m[k][k] : 0;
}

/* The velocities of a hub without a body that are nearest to those of the rod ends on it, in the metric of the masses
   of the end nodes: normal equations in the unknowns (X10). */
static void fit_rates(const wy_mixed_group *self, int index, const double *u, const double *q, double *v) {
  wy_block6 m = {{0}};
  double p[WY_NODE_UNKNOWNS] = {0};
  for (int i = 0; i < self->seat_count; i++) {
    const wy_mixed_seat *seat = &self->seats[i];
    const wy_mixed_member *part = &self->parts[seat->part];
    const wy_mixed *rod = part->rod;
    const int element = seat->end ? rod->elements - 1 : 0;
    const double *rate = wy_mixed_end_of(self, seat, (double *)u + part->offset + rod->v);
    double columns[WY_NODE_UNKNOWNS][WY_NODE] = {{0}}, mass;
    if (seat->hub != index)
      continue;
    for (int k = 0; k < WY_NODE_UNKNOWNS; k++) { /* what the end does while the hub moves by a unit */
      double unit[3] = {k == 0, k == 1, k == 2}, turn[3] = {k == 3, k == 4, k == 5}, moved[WY_NODE];
      wy_copy3(unit, moved);
      for (int d = 3; d < WY_NODE; d += 3)
        wy_cross3(turn, q + d, moved + d);
      wy_mixed_carry(seat, moved, false, columns[k]);
    }
    for (int x = 0; x < WY_NODE; x++) {
      mass = wy_mixed_mass(rod, element, x / 3, seat->end, seat->end);
      for (int k = 0; k < WY_NODE_UNKNOWNS; k++) {
        p[k] += mass * columns[k][x] * rate[x];
        for (int j = 0; j < WY_NODE_UNKNOWNS; j++)
          m[k][j] += mass * columns[k][x] * columns[j][x];
      }
    }
  }
  double motion[WY_NODE_UNKNOWNS] = {0};
  solve_positive(wy_mixed_hub_order(&self->hubs[index]), m, p, motion);
  wy_copy3(motion, v);
  for (int d = 3; d < WY_NODE; d += 3)
    wy_cross3(motion + 3, q + d, v + d);
}

/* What constrained strains allow moves with the ends. */
static void fit_rods(const wy_mixed_group *self, double *u) {
  for (int i = 0; i < self->part_count; i++)
    if (self->parts[i].rod->constrained)
      wy_mixed_project_velocities(self->parts[i].rod, u + self->parts[i].offset);
}

static void initial(wy_system *system, double *u) {
  wy_mixed_group *self = (wy_mixed_group *)system;
  memset(u, 0, (size_t)system->size * sizeof *u);
  for (int i = 0; i < self->part_count; i++)
    self->parts[i].rod->base.type->initial(&self->parts[i].rod->base, u + self->parts[i].offset);
  place_hubs(self, u);
  for (int i = 0; i < self->hub_count; i++) { /* while the ends still have their own velocities */
    const wy_mixed_hub *hub = &self->hubs[i];
    const double *q = wy_mixed_hub_q(self, u, i);
    double *v = u + self->v + WY_NODE * (size_t)i;
    if (hub->block >= 0 && hub->def->body >= 0) {
      const wy_body_def *body = wy_model_body(system->model, hub->def->body);
      double velocity[3], omega[3];
      for (int k = 0; k < 3; k++) {
        velocity[k] = hub->held[k] ? 0 : body->velocity[k];
        omega[k] = hub->held[3] ? 0 : body->angular_velocity[k];
      }
      wy_mixed_set_rates(q, velocity, omega, v);
    } else if (hub->block >= 0) {
      fit_rates(self, i, u, q, v);
    }
  }
  wy_mixed_write_ends(self, u);
  fit_rods(self, u);
  if (self->mover)
    wy_mixed_mover_at(self, 0, u + self->q, u + self->v);
}

/* Directors exactly orthonormal again, after round-off or interpolation, and ends where their hubs are. */
static int project(wy_system *system, double t, double *u, double *f, double drift[WY_DRIFTS]) {
  wy_mixed_group *self = (wy_mixed_group *)system;
  for (int i = 0; i < self->hub_count; i++)
    drift[WY_DRIFT_QUATERNION] =
        fmax(drift[WY_DRIFT_QUATERNION], wy_mixed_straighten(u + self->q + WY_NODE * (size_t)i));
  wy_mixed_write_ends(self, u);
  for (int i = 0; i < self->part_count; i++) {
    wy_system *rod = &self->parts[i].rod->base;
    rod->type->project(rod, t, u + self->parts[i].offset, f, drift);
  }
  return WY_OK;
}

/* Driven ends of rods, and a body that is moved, take up their velocities. */
static void depart(wy_system *system, double t, double *u) {
  wy_mixed_group *self = (wy_mixed_group *)system;
  if (self->mover)
    wy_mixed_mover_at(self, t, u + self->q, u + self->v);
  for (int i = 0; i < self->part_count; i++)
    self->parts[i].rod->base.type->depart(&self->parts[i].rod->base, t, u + self->parts[i].offset);
}

static double next_break(const wy_system *system) {
  const wy_mixed_group *self = (const wy_mixed_group *)system;
  double next = INFINITY;
  for (int i = 0; i < self->part_count; i++)
    next = fmin(next, self->parts[i].rod->base.type->next_break(&self->parts[i].rod->base));
  return next;
}

static void enter(wy_system *system, double t) {
  const wy_mixed_group *self = (const wy_mixed_group *)system;
  for (int i = 0; i < self->part_count; i++)
    self->parts[i].rod->base.type->enter(&self->parts[i].rod->base, t);
}

/* Everything that depends on the saved part is read anew in every step. */
static void refresh(wy_system *system) {
  (void)system;
}

void wy_mixed_group_set_load(wy_system *system, int load, const double force[3], const double moment[3]) {
  wy_mixed_group *self = (wy_mixed_group *)system;
  for (int i = 0; i < self->load_count; i++)
    if (self->loads[i].number == load)
      wy_override_load(&self->overrides[i], force, moment);
}

wy_status wy_mixed_group_move_body(wy_system *system, int body, double t, const wy_pose *target, double duration,
                                   wy_message *message) {
  wy_mixed_group *self = (wy_mixed_group *)system;
  if (self->mover)
    return wy_support_move(&self->mover->supports, WY_START, t, target, duration, message);
  return wy_fail(message, WY_ERROR_SUPPORT,
                 "body '%s': the scheme 'mixed' cannot move bodies that are joined or free; use staggered",
                 wy_model_body(system->model, body)->name);
}

int wy_mixed_group_model_load(const wy_system *system, int index) {
  const wy_mixed_group *self = (const wy_mixed_group *)system;
  if (index >= self->load_count)
    return -2;
  return self->overrides[index].set ? -1 : self->loads[index].number;
}

/* ---- What leaves ---- */

const double *wy_mixed_with_forces(wy_mixed_group *self, double t, const double *u) {
  if (u[self->stepped] != 0)
    return u;
  memcpy(self->first, u, (size_t)self->base.size * sizeof *u);
  wy_mixed_group_first_forces(self, t, self->first);
  return self->first;
}

/* Views of rods show forces: before the first step the group finds them. */
static void place_ports(wy_system *system, int part, double t, const double *u) {
  wy_mixed_group *self = (wy_mixed_group *)system;
  const wy_mixed_member *of = &self->parts[part];
  if (u[self->stepped] == 0)
    memcpy(of->rod->first, wy_mixed_with_forces(self, t, u) + of->offset, (size_t)of->rod->base.size * sizeof *u);
}

double wy_mixed_body_kinetic(const wy_mixed_hub *hub, const double *v) {
  double twice = hub->mass * wy_dot3(v, v);
  for (int i = 0; i < 9; i++)
    twice += hub->euler[i] * wy_dot3(v + 3 + 3 * (i / 3), v + 3 + 3 * (i % 3));
  return 0.5 * twice;
}

double wy_mixed_group_level(const wy_system *system) {
  const wy_mixed_group *self = (const wy_mixed_group *)system;
  double mass = 0;
  for (int i = 0; i < self->hub_count; i++)
    mass += self->hubs[i].mass;
  return -mass * wy_dot3(wy_model_gravity(system->model), self->origin);
}

/* A point of a hub, or of the ground, in a state: its place and velocity. */
static void point_of(const wy_mixed_group *self, const double *u, int hub, const double c[3], double place[3],
                     double velocity[3]) {
  wy_copy3(c, place);
  memset(velocity, 0, 3 * sizeof *velocity);
  if (hub < 0)
    return;
  wy_mixed_arm(wy_mixed_hub_q(self, u, hub), c, place);
  wy_mixed_arm(wy_mixed_hub_v(self, u, hub), c, velocity);
  wy_add3(place, 1, wy_mixed_hub_q(self, u, hub));
  wy_add3(velocity, 1, wy_mixed_hub_v(self, u, hub));
}

static wy_spring_pull pull_of(const wy_mixed_group *self, const double *u, const wy_mixed_spring *spring) {
  double place[2][3], velocity[2][3];
  for (int end = 0; end < 2; end++)
    point_of(self, u, spring->hub[end], spring->c[end], place[end], velocity[end]);
  return wy_spring_at(spring->def, wy_minus(wy_at3(place[1]), wy_at3(place[0])),
                      wy_minus(wy_at3(velocity[1]), wy_at3(velocity[0])));
}

wy_spring_pull wy_mixed_group_pull(const wy_system *system, const double *u, int spring) {
  const wy_mixed_group *self = (const wy_mixed_group *)system;
  int index = 0;
  while (self->def->springs[index] != spring)
    index++;
  return pull_of(self, u, &self->springs[index]);
}

void wy_mixed_group_hub_energy(wy_system *system, const double *u, wy_energy *energy) {
  const wy_mixed_group *self = (const wy_mixed_group *)system;
  memset(energy, 0, sizeof *energy);
  for (int i = 0; i < self->hub_count; i++) {
    const wy_mixed_hub *hub = &self->hubs[i];
    energy->kinetic += wy_mixed_body_kinetic(hub, wy_mixed_hub_v(self, u, i));
    energy->gravity -= hub->mass * wy_dot3(wy_model_gravity(system->model), wy_mixed_hub_q(self, u, i));
  }
  for (int i = 0; i < self->spring_count; i++) {
    const wy_spring_pull pull = pull_of(self, u, &self->springs[i]);
    energy->elastic += wy_spring_energy(self->springs[i].def, &pull);
  }
}

static void energy_of(wy_system *system, double t, const double *u, wy_energy *energy) {
  wy_mixed_group *self = (wy_mixed_group *)system;
  wy_mixed_group_hub_energy(system, u, energy);
  for (int i = 0; i < self->part_count; i++) {
    wy_energy part = {0};
    wy_mixed_energy(&self->parts[i].rod->base, t, u + self->parts[i].offset, &part);
    energy->kinetic += part.kinetic, energy->elastic += part.elastic;
    energy->gravity += part.gravity, energy->work += part.work;
    energy->contact += part.contact;
  }
}

/* The angular momentum of a body about its centre of mass. */
static void body_spin(const wy_mixed_hub *hub, const double *q, const double *v, double spin[3]) {
  memset(spin, 0, 3 * sizeof *spin);
  for (int i = 0; i < 9; i++) {
    double one[3];
    wy_cross3(q + 3 + 3 * (i / 3), v + 3 + 3 * (i % 3), one);
    wy_add3(spin, hub->euler[i], one);
  }
}

void wy_mixed_group_hub_momentum(wy_system *system, const double *u, wy_momentum *momentum) {
  const wy_mixed_group *self = (const wy_mixed_group *)system;
  memset(momentum, 0, sizeof *momentum);
  for (int i = 0; i < self->hub_count; i++) {
    const wy_mixed_hub *hub = &self->hubs[i];
    const double *q = wy_mixed_hub_q(self, u, i), *v = wy_mixed_hub_v(self, u, i);
    double place[3], turn[3], spin[3];
    wy_put3(place, wy_plus(wy_at3(q), wy_at3(self->origin)));
    wy_cross3(place, v, turn);
    body_spin(hub, q, v, spin);
    momentum->mass += hub->mass;
    wy_add3(momentum->linear, hub->mass, v);
    wy_add3(momentum->centre_of_mass, hub->mass, place);
    wy_add3(momentum->angular, hub->mass, turn);
    wy_add3(momentum->angular, 1, spin);
  }
  if (momentum->mass > 0)
    wy_put3(momentum->centre_of_mass, wy_times(1 / momentum->mass, wy_at3(momentum->centre_of_mass)));
}

/* The first rod that has something to say, by its name. */
static bool diagnose(wy_system *system, double t, const double *u, char *text, size_t size) {
  wy_mixed_group *self = (wy_mixed_group *)system;
  text[0] = 0;
  for (int i = 0; i < self->part_count; i++) {
    wy_system *rod = &self->parts[i].rod->base;
    const int used = snprintf(text, size, "rod '%s': ", wy_model_rod(system->model, rod->rod)->name);
    if (used < 0 || (size_t)used >= size)
      break;
    if (rod->type->diagnose(rod, t, u + self->parts[i].offset, text + used, size - (size_t)used) && text[used])
      return true;
    if (text[used] == 0)
      text[0] = 0;
  }
  return false;
}

static double piece_turn(wy_system *system, const double *u) {
  const wy_mixed_group *self = (const wy_mixed_group *)system;
  double most = 0;
  for (int i = 0; i < self->part_count; i++)
    most = fmax(most, wy_mixed_piece_turn(&self->parts[i].rod->base, u + self->parts[i].offset));
  return most;
}

static double chord(wy_system *system, const double *u) {
  const wy_mixed_group *self = (const wy_mixed_group *)system;
  double most = 0;
  for (int i = 0; i < self->part_count; i++)
    most = fmax(most, wy_mixed_chord(&self->parts[i].rod->base, u + self->parts[i].offset));
  return most;
}

/* Solves a x = b for a symmetric positive 3x3 matrix, row by row. */
static void solve3(const double a[9], const double b[3], double x[3]) {
  double rows[3][3];
  wy_cross3(a + 3, a + 6, rows[0]);
  wy_cross3(a + 6, a, rows[1]);
  wy_cross3(a, a + 3, rows[2]);
  for (int i = 0; i < 3; i++)
    x[i] = (rows[0][i] * b[0] + rows[1][i] * b[1] + rows[2][i] * b[2]) / wy_dot3(a, rows[0]);
}

/* The angular velocity is that of the angular momentum: rates of directors without mass are not smooth. */
void wy_mixed_group_body(const wy_system *system, const double *u, int body, double place[3], double frame[4],
                         double velocity[3], double omega[3]) {
  const wy_mixed_group *self = (const wy_mixed_group *)system;
  for (int i = 0; i < self->hub_count; i++) {
    const wy_mixed_hub *hub = &self->hubs[i];
    const double *q = wy_mixed_hub_q(self, u, i), *v = wy_mixed_hub_v(self, u, i);
    const double r[9] = {q[3], q[6], q[9], q[4], q[7], q[10], q[5], q[8], q[11]};
    double spin[3], own[3];
    if (hub->def->body != body)
      continue;
    wy_put3(place, wy_plus(wy_at3(q), wy_at3(self->origin)));
    wy_qfrom_matrix(r, frame);
    wy_copy3(v, velocity);
    body_spin(hub, q, v, spin);
    wy_tmul3(r, spin, own);
    solve3(hub->inertia, own, omega);
  }
}

void wy_mixed_group_holding(wy_system *system, double t, const double *u, int body, double force[3], double moment[3]) {
  wy_mixed_group *self = (wy_mixed_group *)system;
  const double *with = wy_mixed_with_forces(self, t, u);
  for (int i = 0; i < self->hub_count; i++) {
    const wy_mixed_hub *hub = &self->hubs[i];
    const double *reaction = with + self->reaction + WY_NODE_UNKNOWNS * (size_t)i;
    for (int k = 0; hub->def->body == body && k < 3; k++) {
      force[k] = hub->held[k] ? reaction[k] : 0;
      moment[k] = hub->held[3] ? reaction[3 + k] : 0;
    }
  }
}

const wy_system_type wy_mixed_group_type = {.name = "mixed group",
                                            .initial = initial,
                                            .project = project,
                                            .depart = depart,
                                            .next_break = next_break,
                                            .enter = enter,
                                            .refresh = refresh,
                                            .place_ports = place_ports,
                                            .energy = energy_of,
                                            .diagnose = diagnose,
                                            .piece_turn = piece_turn,
                                            .chord = chord,
                                            .step = &wy_mixed_group_midpoint,
                                            .statics = &wy_mixed_group_statics};
