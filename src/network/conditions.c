/* SPDX-License-Identifier: MIT */
/* Joints between hubs in motion (N7): multipliers, projection, release. */
#include "network/conditions.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/quat.h"
#include "network/inside.h"

/* Relative size of what may be left of a condition that is dropped, and of all conditions after projection. */
static const double consistent = 1e-9, kept = 1e-12;
enum { PROJECTIONS = 8 };

static const wy_hub_motion ground = {.p = {1, 0, 0, 0}, .unit = {1, 0, 0, 0}, .r = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

/* ---- Where the hubs are ---- */

/* Both hubs with their accelerations: before these are solved for, those of held components alone. */
wy_condition_at wy_conditions_at(const wy_group *self, const wy_group_condition *condition) {
  wy_condition_at at = {{&ground, &ground}, {{0, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {0, 0, 0}}};
  for (int side = 0; side < 2; side++)
    if (condition->hub[side] >= 0) {
      const wy_group_hub *hub = &self->hubs[condition->hub[side]];
      at.hub[side] = &hub->at, at.a[side] = hub->a, at.alpha[side] = hub->alpha;
    }
  return at;
}

/* The angle with its whole turns: the one next to that after the last step. */
static double angle_of(const wy_group_condition *condition, const wy_condition_at *at, double *rate) {
  const double angle = wy_condition_angle(&condition->law, at, rate), turn = 2 * acos(-1);
  return angle + turn * round((condition->state->angle - angle) / turn);
}

void wy_conditions_place(wy_group *self, double t) {
  for (int i = 0; i < self->condition_count; i++) {
    wy_group_condition *condition = &self->conditions[i];
    const wy_condition_at at = wy_conditions_at(self, condition);
    if (condition->law.driven) {
      double jet[3];
      wy_angle_at(&condition->state->drive, &condition->joint->angle, t, jet);
      condition->drive.angle = (self->at_rest ? self->end_factor : 1) * jet[0];
      condition->drive.rate = self->at_rest ? 0 : jet[1], condition->drive.acceleration = self->at_rest ? 0 : jet[2];
    }
    wy_condition_gradient(&condition->law, &at, &condition->drive, condition->gradient);
  }
}

void wy_conditions_add_springs(wy_group *self, double *power) {
  for (int i = 0; i < self->condition_count; i++) {
    wy_group_condition *condition = &self->conditions[i];
    const wy_joint_def *joint = condition->joint;
    const wy_condition_at at = wy_conditions_at(self, condition);
    wy_hub_load none, *on[2];
    double rate;
    condition->moment = 0;
    if (!wy_condition_springs(condition))
      continue;
    for (int side = 0; side < 2; side++)
      on[side] = condition->hub[side] >= 0 ? &self->hubs[condition->hub[side]].load : &none;
    memset(&none, 0, sizeof none);
    const double angle = angle_of(condition, &at, &rate);
    condition->moment = -joint->stiffness * (angle - joint->rest_angle) - joint->damping * rate;
    wy_condition_add_moment(&condition->law, &at, condition->moment, on[0], on[1]);
    if (power)
      power[WY_DISSIPATION_INTEGRAL] += joint->damping * rate * rate;
  }
}

double wy_conditions_energy(const wy_group *self) {
  double sum = 0;
  for (int i = 0; i < self->condition_count; i++) {
    const wy_group_condition *condition = &self->conditions[i];
    const wy_condition_at at = wy_conditions_at(self, condition);
    if (!wy_condition_springs(condition))
      continue;
    const double beyond = angle_of(condition, &at, NULL) - condition->joint->rest_angle;
    sum += 0.5 * condition->joint->stiffness * beyond * beyond;
  }
  return sum;
}

double wy_conditions_dissipation(const wy_group *self, const wy_hub_motion *moving) {
  double sum = 0;
  for (int i = 0; i < self->condition_count; i++) {
    const wy_group_condition *condition = &self->conditions[i];
    wy_condition_at at = wy_conditions_at(self, condition);
    double rate;
    if (!wy_condition_springs(condition))
      continue;
    for (int side = 0; side < 2; side++)
      at.hub[side] = condition->hub[side] >= 0 ? &moving[condition->hub[side]] : &ground;
    wy_condition_angle(&condition->law, &at, &rate);
    sum += condition->joint->damping * rate * rate;
  }
  return sum;
}

/* ---- The saddle ---- */

void wy_conditions_add_gradient(const wy_group *self, wy_hub_matrix *matrix) {
  for (int i = 0; i < self->condition_count; i++) {
    const wy_group_condition *condition = &self->conditions[i];
    double ones[6][6] = {{0}};
    for (int k = 0; k < 6; k++)
      ones[k][k] = 1;
    if (!wy_condition_holds(condition))
      wy_hub_matrix_add(matrix, condition->block, condition->block, &ones[0][0], 6);
    for (int side = 0; wy_condition_holds(condition) && side < 2; side++) {
      double row[6][6], column[6][6];
      if (wy_is_known(self, condition->hub[side]))
        continue;
      const wy_group_hub *hub = &self->hubs[condition->hub[side]];
      for (int k = 0; k < 36; k++) {
        const double entry = hub->inertia.held[k % 6] ? 0 : -condition->gradient[side][k / 6][k % 6];
        row[k / 6][k % 6] = column[k % 6][k / 6] = entry;
      }
      wy_hub_matrix_add(matrix, condition->block, hub->block, &row[0][0], 6);
      wy_hub_matrix_add(matrix, hub->block, condition->block, &column[0][0], 6);
    }
  }
}

void wy_conditions_add_right(const wy_group *self, double *y) {
  for (int i = 0; i < self->condition_count; i++) {
    const wy_group_condition *condition = &self->conditions[i];
    const wy_condition_at at = wy_conditions_at(self, condition);
    double second[6] = {0};
    if (wy_condition_holds(condition))
      wy_condition_values(&condition->law, &at, &condition->drive, NULL, NULL, second);
    memcpy(wy_condition_entries(self, condition, y), second, (size_t)condition->count * sizeof *second);
  }
}

/* The load of one side. */
static wy_hub_load load_of(const wy_group_condition *condition, int side, const double lambda[6]) {
  double load[6] = {0};
  for (int k = 0; k < condition->count; k++)
    for (int j = 0; j < 6; j++)
      load[j] += condition->gradient[side][k][j] * lambda[k];
  return (wy_hub_load){wy_at3(load), wy_at3(load + 3)};
}

static void add_load(wy_group *self, const wy_group_condition *condition, const double lambda[6], double *power) {
  for (int side = 0; side < 2; side++) {
    const int index = condition->hub[side];
    if (index < 0)
      continue;
    wy_group_hub *hub = &self->hubs[index];
    const wy_hub_load load = load_of(condition, side, lambda);
    hub->load.force = wy_plus(hub->load.force, load.force);
    hub->load.torque = wy_plus(hub->load.torque, load.torque);
    if (power && condition->law.driven) /* that of all others is 0 */
      power[WY_WORK_INTEGRAL] += wy_inner(load.force, hub->at.v) + wy_inner(load.torque, hub->at.omega);
  }
}

/* The size of accelerations: of those there are, and of those that there would be without joints. */
static double acceleration_of(const wy_group *self) {
  double size = 0;
  for (int i = 0; i < self->hub_count; i++) {
    const wy_group_hub *hub = &self->hubs[i];
    const double spin = wy_norm(hub->at.omega);
    size = fmax(size, wy_norm(hub->a) + self->span * (wy_norm(hub->alpha) + spin * spin));
    if (hub->block >= 0 && hub->inertia.mass > 0)
      size = fmax(size, wy_norm(hub->load.force) / hub->inertia.mass);
  }
  return size;
}

/* Do the conditions that were dropped hold? */
static int check_dropped(wy_group *self, double size) {
  for (int i = 0; i < self->condition_count; i++) {
    const wy_group_condition *condition = &self->conditions[i];
    const wy_condition_at at = wy_conditions_at(self, condition);
    double second[6];
    wy_condition_values(&condition->law, &at, &condition->drive, NULL, NULL, second);
    for (int k = 0; wy_condition_holds(condition) && k < condition->count; k++)
      if (!(fabs(second[k]) * (k < 3 ? 1 : self->span) <= consistent * size)) {
        self->worst = i;
        return WY_RETRY;
      }
  }
  return WY_OK;
}

int wy_conditions_take(wy_group *self, const wy_hub_matrix *matrix, double *y, double *power) {
  const double size = acceleration_of(self);
  self->dropped = wy_hub_matrix_dropped(matrix, -1);
  for (int i = 0; i < self->condition_count; i++) {
    wy_group_condition *condition = &self->conditions[i];
    memset(condition->lambda, 0, sizeof condition->lambda);
    if (!wy_condition_holds(condition))
      continue;
    memcpy(condition->lambda, wy_condition_entries(self, condition, y), (size_t)condition->count * sizeof *y);
    add_load(self, condition, condition->lambda, power);
  }
  return self->dropped > 0 ? check_dropped(self, size) : WY_OK;
}

void wy_conditions_rest_loads(wy_group *self, const double *lambda) {
  for (int i = 0; i < self->condition_count; i++) {
    const wy_group_condition *condition = &self->conditions[i];
    if (wy_condition_holds(condition))
      add_load(self, condition, lambda + condition->first, NULL);
  }
}

void wy_conditions_rest_missed(const wy_group *self, double *r) {
  for (int i = 0; i < self->condition_count; i++) {
    const wy_group_condition *condition = &self->conditions[i];
    const wy_condition_at at = wy_conditions_at(self, condition);
    double g[6] = {0};
    if (wy_condition_holds(condition))
      wy_condition_values(&condition->law, &at, &condition->drive, g, NULL, NULL);
    memcpy(r + condition->first, g, (size_t)condition->count * sizeof *g);
  }
}

/* ---- Joints ---- */

void wy_conditions_add_joint(const wy_group *self, int joint, int part, double force[3], double moment[3]) {
  for (int i = 0; i < self->condition_count; i++) {
    const wy_group_condition *condition = &self->conditions[i];
    const wy_condition_at at = wy_conditions_at(self, condition);
    for (int side = 0; condition->def->joint == joint && wy_condition_holds(condition) && side < 2; side++) {
      if (condition->def->part[side] != part)
        continue;
      double turn[6] = {0};
      for (int k = 3; k < condition->count; k++)
        for (int j = 3; j < 6; j++)
          turn[j] += condition->gradient[side][k][j] * condition->lambda[k];
      const wy_v3 spring =
          wy_times(side ? condition->moment : -condition->moment, wy_apply(at.hub[0]->r, condition->law.axis));
      const wy_v3 push = wy_times(side ? -1 : 1, wy_at3(condition->lambda));
      wy_put3(force, wy_plus(wy_at3(force), push));
      wy_put3(moment, wy_plus(wy_at3(moment), wy_plus(wy_apply(at.hub[side]->r, wy_at3(turn + 3)), spring)));
    }
  }
}

bool wy_conditions_angle(const wy_group *self, int joint, int part, double *angle, double *rate) {
  for (int i = 0; i < self->condition_count; i++) {
    const wy_group_condition *condition = &self->conditions[i];
    if (condition->def->joint != joint || condition->def->part[1] != part || condition->joint->kind != WY_HINGE)
      continue;
    const wy_condition_at at = wy_conditions_at(self, condition);
    *angle = angle_of(condition, &at, rate);
    return true;
  }
  return false;
}

void wy_conditions_set_angle(const wy_group *self, int joint, double t, double angle, double rate, double duration) {
  for (int i = 0; i < self->condition_count; i++) {
    const wy_group_condition *condition = &self->conditions[i];
    double jet[3];
    if (condition->def->joint != joint || !condition->law.driven)
      continue;
    wy_angle_at(&condition->state->drive, &condition->joint->angle, t, jet);
    condition->state->drive = (wy_angle_state){.moved = true,
                                               .start = t,
                                               .duration = duration,
                                               .angle0 = jet[0],
                                               .rate0 = jet[1],
                                               .angle1 = angle,
                                               .rate1 = rate};
  }
}

/* ---- Projection ---- */

/* The matrix with the inertia that hubs have of their own: the metric of projections. Hubs that stand on others keep
   what they have of their own, and so does one whose mass is all theirs. */
static int factor_metric(wy_group *self) {
  wy_hub_matrix_clear(&self->mass);
  for (int i = 0; i < self->hub_count; i++) {
    const wy_group_hub *hub = &self->hubs[i];
    double m[6][6] = {{0}};
    if (hub->block < 0)
      continue;
    for (int k = 0; k < 6; k++)
      m[k][k] = 1;
    if (hub->def->kind == WY_HUB_OWN && hub->inertia.mass > 0)
      wy_hub_mass_matrix(&hub->inertia, &hub->at, m);
    wy_hub_hold(&hub->inertia, &hub->inertia, m);
    wy_hub_hold_diagonal(&hub->inertia, m);
    wy_hub_matrix_add(&self->mass, hub->block, hub->block, &m[0][0], 6);
  }
  wy_conditions_add_gradient(self, &self->mass);
  return wy_hub_matrix_factor(&self->mass);
}

void wy_conditions_rest_guess(wy_group *self, const double *lambda) {
  bool none = true;
  for (int i = 0; i < self->multipliers; i++)
    none = none && lambda[i] == 0;
  if (self->condition_count == 0 || factor_metric(self))
    return;
  memset(self->y, 0, (size_t)self->pattern.unknowns * sizeof *self->y);
  for (int i = 0; i < self->hub_count; i++) {
    const wy_group_hub *hub = &self->hubs[i];
    double load[6];
    if (hub->block < 0 || hub->def->kind != WY_HUB_OWN)
      continue;
    wy_put3(load, hub->load.force);
    wy_put3(load + 3, hub->load.torque);
    for (int k = 0; k < wy_hub_order(self, i); k++)
      wy_hub_entries(self, i, self->y)[k] = hub->inertia.held[k] ? 0 : load[k];
  }
  wy_hub_matrix_solve(&self->mass, self->y);
  for (int i = 0; i < self->condition_count; i++) {
    wy_group_condition *condition = &self->conditions[i];
    const double *found = none ? wy_condition_entries(self, condition, self->y) : lambda + condition->first;
    memcpy(condition->lambda, found, (size_t)condition->count * sizeof *lambda);
  }
}

/* What is missed, of places and rotations: over the length of the group, and by the rates if asked to. Into y, and the
   largest; `worst` is the condition that misses most. */
static double missed(wy_group *self, bool rates, double *y, int *worst) {
  double largest = 0;
  memset(y, 0, (size_t)self->pattern.unknowns * sizeof *y);
  for (int i = 0; i < self->condition_count; i++) {
    const wy_group_condition *condition = &self->conditions[i];
    const wy_condition_at at = wy_conditions_at(self, condition);
    double g[6];
    if (!wy_condition_holds(condition))
      continue;
    wy_condition_values(&condition->law, &at, &condition->drive, rates ? NULL : g, rates ? g : NULL, NULL);
    memcpy(wy_condition_entries(self, condition, y), g, (size_t)condition->count * sizeof *g);
    for (int k = 0; k < condition->count; k++) {
      const double size = fabs(g[k]) / (k < 3 ? self->span : 1);
      if (!(size <= largest))
        largest = size, *worst = i;
    }
  }
  return largest;
}

static void move_hub(wy_group *self, int i, bool rates, double *hubs) {
  const int n = self->hub_stride;
  double d[6] = {0};
  memcpy(d, wy_hub_entries(self, i, self->y), (size_t)wy_hub_order(self, i) * sizeof *d);
  double *first = hubs + (rates ? WY_HUB_VELOCITY : WY_HUB_PLACE) * n;
  wy_store3(first, n, i, wy_plus(wy_load3(first, n, i), wy_at3(d)));
  if (rates) {
    double *spin = hubs + WY_HUB_SPIN * n;
    wy_store3(spin, n, i, wy_plus(wy_load3(spin, n, i), wy_at3(d + 3)));
    return;
  }
  double *frame = hubs + WY_HUB_FRAME * n, p[4], step[4], turned[4];
  wy_put4(p, wy_load4(frame, n, i));
  wy_qexp(d + 3, step);
  wy_qmul(p, step, turned);
  wy_qnormalise(turned);
  wy_store4(frame, n, i, wy_at4(turned));
}

static void place_hubs(wy_group *self, double t, const double *u) {
  for (int i = 0; i < self->hub_count; i++)
    if (self->hubs[i].def->kind == WY_HUB_OWN)
      self->hubs[i].at = wy_group_hub_at(self, t, u, i);
  wy_conditions_place(self, t);
}

/* One correction, of places or of velocities. */
static int correct(wy_group *self, bool rates, double *u) {
  if (factor_metric(self))
    return WY_ERROR_SOLVER;
  wy_hub_matrix_solve(&self->mass, self->y);
  for (int i = 0; i < self->hub_count; i++)
    if (self->hubs[i].block >= 0 && self->hubs[i].def->kind == WY_HUB_OWN)
      move_hub(self, i, rates, u + self->hub_offset);
  return WY_OK;
}

/* Round-off of places far from the origin of the group is no fault of its joints. */
static double least_gap(const wy_group *self) {
  double far = 0;
  for (int i = 0; i < self->hub_count; i++)
    far = fmax(far, wy_norm(self->hubs[i].at.x));
  return 8 * DBL_EPSILON * fmax(1, far / self->span);
}

int wy_conditions_project(wy_group *self, double t, double *u, double *drift) {
  int worst = 0;
  double gap = INFINITY;
  place_hubs(self, t, u);
  const double least = least_gap(self);
  for (int tries = 0; tries < PROJECTIONS; tries++) {
    const double before = gap;
    gap = missed(self, false, self->y, &worst);
    if (gap <= least || !(gap < 0.5 * before))
      break;
    if (correct(self, false, u))
      return WY_ERROR_SOLVER;
    place_hubs(self, t, u);
  }
  for (int tries = 0; tries < 2; tries++) {
    int other;
    missed(self, true, self->y, &other);
    if (correct(self, true, u))
      return WY_ERROR_SOLVER;
    place_hubs(self, t, u);
  }
  for (int i = 0; i < self->condition_count; i++) {
    wy_group_condition *condition = &self->conditions[i];
    const wy_condition_at at = wy_conditions_at(self, condition);
    if (condition->joint->kind == WY_HINGE)
      condition->state->angle = angle_of(condition, &at, NULL);
  }
  drift[WY_DRIFT_JOINT] = fmax(drift[WY_DRIFT_JOINT], gap);
  self->gap = gap, self->worst = worst;
  return gap <= fmax(kept, least) ? 1 : WY_ERROR_SOLVER;
}

/* ---- Release ---- */

void wy_conditions_enter(wy_group *self, double t) {
  for (int i = 0; i < self->condition_count; i++)
    if (self->conditions[i].joint->release <= t)
      self->conditions[i].state->released = true;
}

double wy_conditions_next_break(const wy_group *self) {
  double next = INFINITY;
  for (int i = 0; i < self->condition_count; i++)
    if (wy_condition_holds(&self->conditions[i]))
      next = fmin(next, self->conditions[i].joint->release);
  return next;
}

bool wy_conditions_hold(const wy_group *self) {
  for (int i = 0; i < self->condition_count; i++)
    if (wy_condition_holds(&self->conditions[i]))
      return true;
  return false;
}

/* ---- In words ---- */

static const char *name_of(const wy_group_condition *condition, char text[32]) {
  if (condition->joint->name)
    return condition->joint->name;
  snprintf(text, 32, "joints[%d]", condition->def->joint);
  return text;
}

bool wy_conditions_describe(const wy_group *self, char *text, size_t size) {
  int total = 0, used;
  for (int i = 0; i < self->condition_count; i++)
    total += wy_condition_holds(&self->conditions[i]) ? self->conditions[i].count : 0;
  if (size > 0)
    text[0] = 0;
  if (self->dropped == 0)
    return false;
  used = snprintf(text, size, "%d of the %d conditions of joints", self->dropped, total);
  for (int i = 0, named = -1; i < self->condition_count && used > 0 && (size_t)used < size; i++) {
    const wy_group_condition *condition = &self->conditions[i];
    char number[32];
    if (!wy_condition_holds(condition) || condition->def->joint == named)
      continue; /* released, or of more than two parts */
    used += snprintf(text + used, size - (size_t)used, "%s %s", named < 0 ? "" : ",", name_of(condition, number));
    named = condition->def->joint;
  }
  if (used > 0 && (size_t)used < size)
    snprintf(text + used, size - (size_t)used, " %s from the others: their forces are one of many choices",
             self->dropped > 1 ? "follow" : "follows");
  return true;
}

bool wy_conditions_blame(const wy_group *self, char *text, size_t size) {
  char number[32];
  if (!wy_conditions_hold(self) || !(self->contradicts || self->gap > kept))
    return false;
  const char *name = name_of(&self->conditions[self->worst], number);
  if (self->gap > kept)
    snprintf(text, size, "joint %s cannot be kept: its parts are %.3g apart", name, self->gap * self->span);
  else
    snprintf(text, size, "joint %s cannot be kept: the other joints move its parts against it", name);
  return true;
}

double wy_conditions_stiffness(const wy_group *self) {
  double largest = self->weight * self->span;
  if (self->condition_count == 0)
    return 0;
  for (int i = 0; i < self->spring_count; i++)
    largest = fmax(largest, self->springs[i].def->stiffness * self->span * self->span);
  for (int i = 0; i < self->condition_count; i++)
    largest = fmax(largest, wy_condition_springs(&self->conditions[i]) ? self->conditions[i].joint->stiffness : 0);
  return largest > 0 ? largest : 1;
}
