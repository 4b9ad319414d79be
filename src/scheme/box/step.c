/* SPDX-License-Identifier: MIT */
/* A step of generalised alpha (B4): where it begins, what supports ask of it, its end, and what it did. */
#include <math.h>
#include <string.h>

#include "scheme/box/cell.h"

/* ---- Beginning ---- */

/* How an end goes back to its support (B10), for two reasons. A step takes the velocities at its ends for those in
   between, which is wrong where a path has a kink: what is lost there is known, and a third of it is made good in each
   step. And places rebuilt from the curvatures are not quite those that velocities lead to: the end far from the base
   goes back with a time constant in the order of the slowest vibrations. Faster ones would be fed by it; and so would
   all, were cells to turn further than they carry. */
static const double made_good = 1.0 / 3, slow_way_back = 1.0 / 10;

/* Of the integrator, never of one that was cut short: what is lost in long steps, over the time of a short one, would
   be a velocity that loses more than there was. */
static double usual_step(const wy_box *self) {
  return isfinite(self->usual) ? fmax(self->h, self->usual) : self->h;
}

static double time_back(const wy_box *self) {
  return fmax(slow_way_back * self->scales.time, 3 * usual_step(self));
}

/* 1, but 0 where cells turn as far as they carry; between them it fades, since velocities must not jump. */
static double share_back(wy_box *self, const double *u) {
  const double fades = 0.1, left = 1 - wy_box_piece_turn(&self->base, u);
  return fmin(fmax(left / fades, 0), 1);
}

/* What supports ask for at the end of the step: velocity in space, angular velocity in the body. */
static void set_end_velocities(wy_box *self, const double *u, int end) {
  const int node = wy_box_end_node(self, end);
  const bool base = end == wy_box_base(self);
  const double usual = usual_step(self), back = share_back(self, u) / time_back(self);
  const double *lost = u + self->way + WY_BOX_WAY * end, *change = lost + WY_BOX_END, *offset = self->saved->offset;
  double asked[WY_BOX_END], between[4], *way = self->end_way[end];
  wy_end_pose now, next;
  wy_support_pose(&self->supports, end, self->t, &now);
  wy_support_pose(&self->supports, end, self->t + self->h, &next);
  wy_box_way_to_support(self, u, end, &now, self->astray[end]);
  wy_qrelative(now.q, next.q, between);
  wy_qlog(between, way + 3);
  for (int i = 0; i < WY_BOX_END; i++) {
    const double speed = base ? -offset[i] / time_back(self) : back * (self->astray[end][i] + self->h * change[i]);
    asked[i] = (i < 3 ? next.v[i] : next.w[i - 3]) + made_good * lost[i] / usual + speed;
    way[i] = i < 3 ? next.x[i] - now.x[i] : way[i];
    self->back[end][i] = speed;
  }
  self->end_velocity[end] = wy_at3(asked);
  self->end_spin[end] = wy_at3(asked + 3);
  if (self->starting) { /* accelerations only */
    const double *x = self->x0 + WY_BOX_NODE * node;
    const wy_v3 faster = wy_minus(wy_at3(next.v), wy_at3(now.v)), turn = wy_minus(wy_at3(next.w), wy_at3(now.w));
    self->end_velocity[end] = wy_plus(wy_apply(self->frame0[node], wy_at3(x)), faster);
    self->end_spin[end] = wy_plus(wy_at3(x + WY_BOX_OMEGA), turn);
  }
}

static bool is_zero(wy_v3 a) {
  return a.x == 0 && a.y == 0 && a.z == 0;
}

void wy_box_open_step(wy_box *self, double t, double h, const double *u, const wy_box_weights *task) {
  self->t = t;
  self->h = h;
  self->task = *task;
  self->load_factor = 1;
  for (int level = 0; level < 2; level++)
    wy_box_update_loads(self, t + level * h, &self->loads[level]);
  self->turned = !is_zero(self->gravity) || self->loads[0].on_cells || self->loads[1].on_cells || self->base.contacts;
  self->turning = 0.5 * h;
  for (int j = 0; j < self->nodes; j++) {
    memcpy(self->x0 + WY_BOX_NODE * j, wy_box_motion(self, u, j), WY_BOX_MOTION * sizeof *u);
    memcpy(self->x0 + WY_BOX_NODE * j + WY_BOX_N, u + self->force + 3 * j, 3 * sizeof *u);
    memcpy(self->rate0 + WY_BOX_MOTION * j, u + self->rates + WY_BOX_NODE * j, WY_BOX_MOTION * sizeof *u);
    self->frame0[j] = wy_rotation(wy_load4(u + self->frame + 4 * j, 1, 0));
  }
  for (int cell = 0; task->beta != 0 && cell < self->cells; cell++)
    wy_box_keep_before(self, cell);
  if (self->base.contacts)
    wy_box_contact_open(self, u);
  for (int end = 0; end < 2; end++) {
    set_end_velocities(self, u, end);
    self->end_rate0[end] = wy_at3(u + self->rates + WY_BOX_NODE * wy_box_end_node(self, end) + WY_BOX_MOTION);
    wy_box_keep_end_moment(self, end);
  }
}

/* On with the present rates, unless that leads far. */
static void guess_moving(wy_box *self) {
  const double far = 1;
  double largest = 0;
  for (int j = 0; j < self->nodes; j++) {
    const double *rate = self->rate0 + WY_BOX_MOTION * j;
    for (int i = 0; i < WY_BOX_MOTION; i++) {
      self->x[WY_BOX_NODE * j + i] = self->x0[WY_BOX_NODE * j + i] + self->h * rate[i];
      if (i >= WY_BOX_KAPPA)
        largest = fmax(largest, fabs(self->h * rate[i]) * self->rod->length);
    }
  }
  if (largest > far)
    memcpy(self->x, self->x0, (size_t)self->nodes * WY_BOX_NODE * sizeof *self->x);
}

static int complete(wy_system *system, double t, double h, double *u) {
  wy_box *self = (wy_box *)system;
  self->usual = h;
  if (!self->saved->begins)
    return 0;
  wy_box_keep_base(self, t, u);
  const int factored = wy_box_first_forces(self, t, u);
  self->saved->begins = factored < 0;
  return factored;
}

static void begin(wy_system *system, double t, double h, const double *u, wy_guess guess) {
  wy_box *self = (wy_box *)system;
  const size_t bytes = (size_t)self->nodes * WY_BOX_NODE * sizeof(double);
  if (guess == WY_GUESS_LONGER) {
    memcpy(self->known_x, self->x, bytes);
    self->known_h = self->h;
  }
  wy_box_open_step(self, t, h, u, &self->weights);
  memcpy(self->x, self->x0, bytes);
  if (guess == WY_GUESS_MOVING && !self->contact.remembers) /* a push does not go on */
    guess_moving(self);
  const double stretch = h / self->known_h;
  for (int i = 0; (guess == WY_GUESS_LONGER || guess == WY_GUESS_AGAIN) && i < WY_BOX_NODE * self->nodes; i++)
    self->x[i] = self->x0[i] + stretch * (self->known_x[i] - self->x0[i]);
}

/* ---- Newton's method ---- */

/* The balance sees velocities only; places of supports that are not finite would be found after the step. */
static bool ends_are_finite(const wy_box *self) {
  double sum = 0;
  for (int i = 0; i < 2 * WY_BOX_END; i++)
    sum += self->end_way[i / WY_BOX_END][i % WY_BOX_END];
  return isfinite(sum);
}

static int residual(wy_system *system, double *r, double *misfit) {
  wy_box *self = (wy_box *)system;
  *misfit = wy_box_balance(self);
  for (int i = 0; i < system->step_size; i++)
    r[i] = -self->residual[i];
  return ends_are_finite(self) ? WY_OK : WY_RETRY;
}

static int linearise(wy_system *system) {
  return wy_box_linearise((wy_box *)system);
}

static void solve(wy_system *system, double *r) {
  wy_staircase_solve(&((wy_box *)system)->tangent, r);
}

/* Of velocities, angular velocities, curvatures and forces. */
typedef struct units {
  double of[4];
} units;

static units units_of(const wy_box *self) {
  const wy_box_scales *s = &self->scales;
  return (units){{s->length / s->time, 1 / s->time, 1 / s->length, s->force}};
}

static void apply(wy_system *system, const double *d, double *change) {
  wy_box *self = (wy_box *)system;
  const wy_box_scales *s = &self->scales;
  const units unit = units_of(self);
  const double length = self->rod->length;
  /* What a correction turns: by velocities in this step, by curvatures over the rod, by forces as accelerations. */
  double angle[4] = {self->h / length, self->h, length, s->force * self->h * self->h / (s->moment * s->time)};
  if (self->contact.acts) /* or presses into the skin, in parts of its onset */
    angle[0] = self->h / self->contact.onset;
  *change = 0;
  for (int i = 0; i < WY_BOX_NODE * self->nodes; i++) {
    const int kind = i % WY_BOX_NODE / 3;
    const double step = unit.of[kind] * d[i], size = fabs(step) * angle[kind];
    self->x[i] += step;
    if (!(size <= *change))
      *change = size;
  }
  if (self->contact.correction) {
    memcpy(self->contact.correction, d, (size_t)system->step_size * sizeof *d);
    self->contact.corrected = 1;
  }
}

static void retreat(wy_system *system, double share) {
  wy_box *self = (wy_box *)system;
  wy_box_contact *contact = &self->contact;
  const units unit = units_of(self);
  const double taken = share * contact->corrected;
  for (int i = 0; i < WY_BOX_NODE * self->nodes; i++)
    self->x[i] -= taken * unit.of[i % WY_BOX_NODE / 3] * contact->correction[i];
  contact->corrected -= taken;
}

static void peek(wy_system *system, double *u) {
  const wy_box *self = (const wy_box *)system;
  if (system->contacts)
    memcpy(u + self->contact.place, self->contact.to, 3 * (size_t)self->nodes * sizeof *u);
}

/* ---- End ---- */

/* Power per length of the loads on a cell (B12). */
static double load_power(const wy_box *self, int cell, const wy_box_load *load, const double *x, const wy_m3 *frame) {
  wy_v3 force[2], moment[2];
  double power = 0;
  for (int end = 0; end < 2; end++) {
    const double *at = x + WY_BOX_NODE * end;
    load_in_body(load, frame[end], &force[end], &moment[end]);
    power += 0.5 * (wy_inner(force[end], wy_at3(at)) + wy_inner(moment[end], wy_at3(at + WY_BOX_OMEGA)));
  }
  if (!self->options.transport)
    return power;
  const wy_box_middle m = middle_of(self, cell, x);
  const wy_v3 f = wy_times(0.5, join(m.e, force[1], force[0])), l = wy_times(0.5, join(m.e, moment[1], moment[0]));
  return wy_inner(f, mean_of(m.e, x, WY_BOX_U)) + wy_inner(l, wy_apply(m.c, middle_value(x, WY_BOX_OMEGA)));
}

/* Power of loads and supports in a state: motion and n of all nodes, moments at the ends. */
static double power_of(const wy_box *self, const wy_box_loads *loads, const double *x, const wy_m3 *frame,
                       const wy_v3 couple[2]) {
  double power = 0;
  for (int cell = 0; loads->on_cells && cell < self->cells; cell++)
    power += self->length[cell] * load_power(self, cell, &loads->cell[cell], x + WY_BOX_NODE * cell, frame + cell);
  for (int end = 0; end < 2; end++) { /* what the sections at the ends carry comes from loads and supports there */
    const double *at = x + WY_BOX_NODE * wy_box_end_node(self, end);
    const wy_v3 u = wy_at3(at), omega = wy_at3(at + WY_BOX_OMEGA);
    power += wy_box_sign(end) * (wy_inner(wy_at3(at + WY_BOX_N), u) + wy_inner(couple[end], omega));
  }
  return power;
}

static double drag_power(const wy_box *self, const wy_box_spot *at) {
  return self->drag[0] * at->mass * wy_inner(at->u, at->u) +
         self->drag[1] * wy_inner(wy_each(at->rotary, at->omega), at->omega);
}

/* The moment in the section at an end: of the load where the rotation is free, else by the law. */
static wy_v3 section_couple(const wy_box *self, int end, const wy_box_loads *loads, const double *x, wy_m3 frame,
                            wy_v3 rate) {
  const int node = wy_box_end_node(self, end);
  wy_v3 force, moment;
  load_in_body(&loads->end[end], frame, &force, &moment);
  if (!wy_support_holds_rotation(&self->supports, end))
    return wy_times(wy_box_sign(end), moment);
  const wy_v3 elastic = wy_box_moment(self, node, wy_at3(x + WY_BOX_NODE * node + WY_BOX_KAPPA));
  return wy_plus(elastic, wy_each(self->node[node].damping, rate));
}

/* By the trapezoidal rule; contact forces without history belong to the step as a whole. Uses up frame0. */
static double step_work(wy_box *self, const double *u) {
  wy_v3 couple[2];
  for (int end = 0; end < 2; end++) {
    const int node = wy_box_end_node(self, end), n = WY_BOX_NODE * node + WY_BOX_N;
    couple[end] = section_couple(self, end, &self->loads[0], self->x0, self->frame0[node], self->end_rate0[end]);
    if (self->task.stage)
      wy_copy3(self->x + n, self->x0 + n);
  }
  const double before = power_of(self, &self->loads[0], self->x0, self->frame0, couple);
  for (int j = 0; j < self->nodes; j++)
    self->frame0[j] = wy_rotation(wy_load4(u + self->frame + 4 * j, 1, 0));
  for (int end = 0; end < 2; end++) {
    const int node = wy_box_end_node(self, end);
    const wy_v3 rate = wy_at3(u + self->rates + WY_BOX_NODE * node + WY_BOX_MOTION);
    couple[end] = section_couple(self, end, &self->loads[1], self->x, self->frame0[node], rate);
  }
  return 0.5 * self->h * (before + power_of(self, &self->loads[1], self->x, self->frame0, couple));
}

static double step_loss(const wy_box *self) {
  const bool dragged = self->drag[0] > 0 || self->drag[1] > 0;
  double lost = 0;
  for (int i = 0; (dragged || self->damped) && i < wy_box_spots(self); i++) {
    const wy_box_spot from = wy_box_spot_at(self, i, self->x0 + WY_BOX_NODE * i, WY_BOX_NODE);
    const wy_box_spot to = wy_box_spot_at(self, i, self->x + WY_BOX_NODE * i, WY_BOX_NODE);
    const wy_v3 change = wy_minus(to.kappa, from.kappa);
    const double viscous = wy_inner(wy_each(to.damping, change), change) / self->h;
    lost += to.weight * (viscous + 0.5 * self->h * (drag_power(self, &from) + drag_power(self, &to)));
  }
  return lost;
}

/* The base of the next frames: with its support, else by its velocities, which are those of both ends of the step. */
static void move_base(const wy_box *self, double *u) {
  const int node = wy_box_end_node(self, wy_box_base(self));
  const double *x = self->x + WY_BOX_NODE * node, *x0 = self->x0 + WY_BOX_NODE * node;
  const wy_m3 frame = self->terms[node].frame;
  const wy_v3 sum = wy_plus(wy_apply(self->frame0[node], wy_at3(x0)), wy_apply(frame, wy_at3(x)));
  const wy_v3 way = self->base.contacts ? wy_box_contact_way(self, node, u) : wy_times(0.5 * self->h, sum);
  const wy_box_turn turn = wy_box_turn_of(self->terms[node].turn);
  double *q = u + self->frame + 4 * node, *r = u + self->position + 3 * node;
  wy_store4(q, 1, 0, wy_qproduct(wy_load4(q, 1, 0), wy_box_quaternion(&turn)));
  wy_put3(r, wy_plus(wy_at3(r), way));
  for (int i = 0; i < WY_BOX_END; i++)
    self->saved->offset[i] *= 1 - self->h / time_back(self);
  wy_box_place_base(self, self->t + self->h, u);
}

static void carry(const wy_box *self, double *u) {
  for (int j = 0; j < self->nodes; j++) {
    const wy_m3 frame = wy_rotation(wy_load4(u + self->frame + 4 * j, 1, 0));
    const wy_v3 before = wy_apply(self->frame0[j], wy_at3(self->x0 + WY_BOX_NODE * j));
    const wy_v3 sum = wy_plus(before, wy_apply(frame, wy_at3(self->x + WY_BOX_NODE * j)));
    double *r = u + self->carried + 3 * j;
    wy_put3(r, wy_plus(wy_at3(r), wy_times(0.5 * self->h, sum)));
  }
}

/* The way of a support in this step, less that of the end, which is what the weights of its velocities amount to; and
   how fast the end has gone astray. */
static void sum_lost_way(const wy_box *self, int end, double *u) {
  const int node = wy_box_end_node(self, end);
  const double *x = self->x + WY_BOX_NODE * node, *x0 = self->x0 + WY_BOX_NODE * node;
  const double now = self->task.alpha - self->task.beta + self->task.gamma;
  double before[WY_BOX_END], after[WY_BOX_END], astray[WY_BOX_END];
  double *lost = u + self->way + WY_BOX_WAY * end, *change = lost + WY_BOX_END, *back = change + WY_BOX_END;
  wy_end_pose support;
  wy_support_pose(&self->supports, end, self->t + self->h, &support);
  wy_box_way_to_support(self, u, end, &support, astray);
  wy_put3(before, wy_apply(self->frame0[node], wy_at3(x0)));
  wy_put3(after, wy_apply(self->terms[node].frame, wy_at3(x)));
  wy_copy3(x0 + WY_BOX_OMEGA, before + 3);
  wy_copy3(x + WY_BOX_OMEGA, after + 3);
  for (int i = 0; i < WY_BOX_END; i++) {
    const double moved = self->h * (now * (after[i] - self->back[end][i]) + (1 - now) * (before[i] - back[i]));
    const bool held = wy_box_holds(self, end, i);
    lost[i] = held ? lost[i] + self->end_way[end][i] - moved : 0;
    change[i] = held ? (astray[i] - self->astray[end][i]) / usual_step(self) : 0;
    back[i] = held ? self->back[end][i] : 0;
  }
}

static double energy_of(wy_system *system, double t, const double *u) {
  wy_energy energy;
  wy_box_energy(system, t, u, &energy);
  return energy.kinetic + energy.elastic + energy.gravity + energy.contact;
}

static void finish(wy_system *system, double *u, double integrals[WY_INTEGRALS]) {
  wy_box *self = (wy_box *)system;
  const double gamma = self->task.gamma, before = self->saved->relaxes ? energy_of(system, self->t, u) : 0;
  for (int j = 0; j < self->nodes; j++) {
    const double *x = self->x + WY_BOX_NODE * j, *x0 = self->x0 + WY_BOX_NODE * j;
    double *rate = u + self->rates + WY_BOX_NODE * j, *rate0 = self->rate0 + WY_BOX_MOTION * j;
    memcpy(u + self->motion + WY_BOX_MOTION * j, x, WY_BOX_MOTION * sizeof *u);
    memcpy(u + self->force + 3 * j, x + WY_BOX_N, 3 * sizeof *u);
    for (int i = 0; i < WY_BOX_MOTION; i++)
      rate[i] = (x[i] - x0[i]) / (gamma * self->h) - (1 - gamma) / gamma * rate0[i];
    wy_put3(rate + WY_BOX_MOTION, wy_box_end_rate(self, j));
  }
  move_base(self, u);
  wy_box_rebuild(self, u);
  if (self->base.contacts)
    wy_box_contact_close(self, u);
  for (int end = 0; end < 2; end++)
    sum_lost_way(self, end, u);
  carry(self, u);
  const wy_box_contact *contact = &self->contact;
  const double worn = contact->found ? self->h * (contact->friction + contact->impact) : 0;
  const double pushed = contact->found ? self->h * contact->work : 0;
  const double loss = step_loss(self) + worn, work = step_work(self, u) + pushed;
  double relaxed = 0;
  if (self->saved->relaxes) /* the curvature that a support had held is gone at once, whatever the step (B12a) */
    relaxed = fmax(before + work - loss - energy_of(system, self->t + self->h, u), 0);
  self->saved->relaxes = false;
  integrals[WY_DISSIPATION_INTEGRAL] += loss + relaxed;
  integrals[WY_WORK_INTEGRAL] += work;
  if (!contact->found)
    return;
  integrals[WY_FRICTION_INTEGRAL] += self->h * contact->friction;
  integrals[WY_IMPACT_INTEGRAL] += self->h * contact->impact;
}

const wy_step_type wy_box_galpha = {.complete = complete,
                                    .begin = begin,
                                    .residual = residual,
                                    .linearise = linearise,
                                    .solve = solve,
                                    .apply = apply,
                                    .retreat = retreat,
                                    .peek = peek,
                                    .finish = finish,
                                    .kept = {.fall = 0.1, .leaves = 1, .in_contact = true}};
