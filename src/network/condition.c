/* SPDX-License-Identifier: MIT */
#include "network/condition.h"

#include <math.h>
#include <string.h>

/* ---- The kinds ---- */

static wy_v3 into(const double frame[4], wy_v3 v) {
  return wy_turn_back(wy_at4(frame), v);
}

wy_condition wy_condition_ball(const double c_a[3], const double c_b[3]) {
  return (wy_condition){.c = {wy_at3(c_a), wy_at3(c_b)}};
}

wy_condition wy_condition_weld(const double c_a[3], const double c_b[3], const double frame_a[4],
                               const double frame_b[4]) {
  static const wy_v3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  wy_condition made = wy_condition_ball(c_a, c_b);
  made.turns = 3;
  for (int k = 0; k < 3; k++) {
    made.u[k] = into(frame_a, axes[k]);
    made.w[k] = into(frame_b, axes[(k + 1) % 3]);
  }
  return made;
}

wy_condition wy_condition_hinge(const double c_a[3], const double c_b[3], const double frame_a[4],
                                const double frame_b[4], const double axis[3], bool driven) {
  wy_condition made = wy_condition_ball(c_a, c_b);
  const wy_v3 along = wy_times(1 / wy_norm(wy_at3(axis)), wy_at3(axis));
  const wy_v3 other = fabs(along.x) > 0.6 ? (wy_v3){0, 1, 0} : (wy_v3){1, 0, 0};
  const wy_v3 normal = wy_minus(other, wy_times(wy_inner(other, along), along));
  wy_v3 across[2] = {wy_times(1 / wy_norm(normal), normal)};
  across[1] = wy_cross(along, across[0]);
  made.turns = driven ? 3 : 2;
  made.driven = driven;
  made.axis = into(frame_a, along);
  for (int k = 0; k < 2; k++) {
    made.u[k] = made.across[k] = into(frame_a, across[k]);
    made.across_b[k] = into(frame_b, across[k]);
    made.w[k] = into(frame_b, along);
  }
  made.w[2] = made.across_b[1];
  return made;
}

/* ---- Rotation: one condition U . W = 0 in space axes ---- */

/* U turns with A, and by itself in a driven hinge; W with B. Each with its first two derivatives by time. */
typedef struct directions {
  wy_v3 u[3], w[3], own; /* own: what u[1] has of its own turn */
} directions;

static wy_v3 second_of(wy_v3 v, wy_v3 omega, wy_v3 alpha) {
  return wy_plus(wy_cross(alpha, v), wy_cross(omega, wy_cross(omega, v)));
}

static directions turn_pair(const wy_condition *self, int k, const wy_condition_at *at,
                            const wy_condition_drive *drive) {
  const wy_hub_motion *a = at->hub[0], *b = at->hub[1];
  const wy_v3 om_a = wy_apply(a->r, a->omega), om_b = wy_apply(b->r, b->omega);
  const wy_v3 al_a = wy_apply(a->r, at->alpha[0]), al_b = wy_apply(b->r, at->alpha[1]);
  directions of;
  of.u[0] = wy_apply(a->r, self->u[k]), of.w[0] = wy_apply(b->r, self->w[k]);
  of.own = (wy_v3){0, 0, 0};
  wy_v3 own_second = of.own;
  if (k == 2 && self->driven) {
    const double c = cos(drive->angle), s = sin(drive->angle);
    const wy_v3 first = wy_apply(a->r, self->across[0]), second = wy_apply(a->r, self->across[1]);
    const wy_v3 normal = wy_plus(wy_times(-s, first), wy_times(c, second));
    of.u[0] = wy_plus(wy_times(c, first), wy_times(s, second));
    of.own = wy_times(drive->rate, normal);
    own_second = wy_minus(wy_times(drive->acceleration, normal), wy_times(drive->rate * drive->rate, of.u[0]));
  }
  of.u[1] = wy_plus(wy_cross(om_a, of.u[0]), of.own);
  of.u[2] = wy_plus(second_of(of.u[0], om_a, al_a), wy_plus(wy_times(2, wy_cross(om_a, of.own)), own_second));
  of.w[1] = wy_cross(om_b, of.w[0]);
  of.w[2] = second_of(of.w[0], om_b, al_b);
  return of;
}

/* ---- Values ---- */

void wy_condition_values(const wy_condition *self, const wy_condition_at *at, const wy_condition_drive *drive,
                         double g[6], double rate[6], double second[6]) {
  double values[6], rates[6], seconds[6];
  const wy_hub_motion *a = at->hub[0], *b = at->hub[1];
  wy_put3(values, wy_minus(wy_hub_point(a, self->c[0]), wy_hub_point(b, self->c[1])));
  wy_put3(rates, wy_minus(wy_hub_point_velocity(a, self->c[0]), wy_hub_point_velocity(b, self->c[1])));
  wy_put3(seconds, wy_minus(wy_hub_point_acceleration(a, self->c[0], at->a[0], at->alpha[0]),
                            wy_hub_point_acceleration(b, self->c[1], at->a[1], at->alpha[1])));
  for (int k = 0; k < self->turns; k++) {
    const directions of = turn_pair(self, k, at, drive);
    values[3 + k] = wy_inner(of.u[0], of.w[0]);
    rates[3 + k] = wy_inner(of.u[1], of.w[0]) + wy_inner(of.u[0], of.w[1]);
    seconds[3 + k] = wy_inner(of.u[2], of.w[0]) + 2 * wy_inner(of.u[1], of.w[1]) + wy_inner(of.u[0], of.w[2]);
  }
  const int count = wy_condition_count(self);
  for (int k = 0; k < 6; k++) {
    const bool has = k < count;
    if (g)
      g[k] = has ? values[k] : 0;
    if (rate)
      rate[k] = has ? rates[k] : 0;
    if (second)
      second[k] = has ? seconds[k] + drive->twice_r * rates[k] + drive->omega2 * values[k] : 0;
  }
}

/* ---- Derivatives ---- */

enum { X, TURN = 3, V = 6, SPIN = 9 }; /* columns of the motion */

static void put_row(double *row, wy_m3 r, wy_v3 v) {
  wy_put3(row, wy_apply_transposed(r, v));
}

static void put_rows(double *at, int width, wy_m3 m, double factor) {
  double rows[9];
  wy_to_rows(m, rows);
  for (int i = 0; i < 9; i++)
    at[i / 3 * width + i % 3] = factor * rows[i];
}

void wy_condition_gradient(const wy_condition *self, const wy_condition_at *at, const wy_condition_drive *drive,
                           double gradient[2][6][6]) {
  memset(gradient, 0, 72 * sizeof(double));
  for (int side = 0; side < 2; side++) {
    put_rows(&gradient[side][0][0], 6, wy_diagonal(1), side ? -1 : 1);
    put_rows(&gradient[side][0][3], 6, wy_times_skew(at->hub[side]->r, self->c[side]), side ? 1 : -1);
  }
  for (int k = 0; k < self->turns; k++) {
    const directions of = turn_pair(self, k, at, drive);
    const wy_v3 normal = wy_cross(of.u[0], of.w[0]);
    put_row(&gradient[0][3 + k][3], at->hub[0]->r, normal);
    put_row(&gradient[1][3 + k][3], at->hub[1]->r, wy_times(-1, normal));
  }
}

/* g'' of the place: of a point of each hub. */
static void place_blocks(const wy_condition *self, const wy_condition_at *at, const wy_condition_drive *drive, int side,
                         double second[6][12]) {
  const wy_hub_motion *hub = at->hub[side];
  const double sign = side ? -1 : 1;
  const wy_m3 arm = wy_mtimes(-1, wy_times_skew(hub->r, self->c[side])); /* of the point by theta */
  const wy_m3 swept = wy_mtimes(-1, wy_times_skew(hub->r, wy_cross(hub->omega, self->c[side])));
  wy_m3 by_theta, by_omega;
  wy_hub_point_blocks(hub, self->c[side], at->alpha[side], &by_theta, &by_omega);
  by_theta = wy_mplus(by_theta, wy_mplus(wy_mtimes(drive->twice_r, swept), wy_mtimes(drive->omega2, arm)));
  by_omega = wy_mplus(by_omega, wy_mtimes(drive->twice_r, arm));
  put_rows(&second[0][X], 12, wy_diagonal(drive->omega2), sign);
  put_rows(&second[0][TURN], 12, by_theta, sign);
  put_rows(&second[0][V], 12, wy_diagonal(drive->twice_r), sign);
  put_rows(&second[0][SPIN], 12, by_omega, sign);
}

/* g'' of a condition on the rotation. When A turns by theta, all that is fixed in it turns with it; so does B's. */
static void turn_rows(const wy_condition *self, const wy_condition_at *at, const wy_condition_drive *drive, int k,
                      double second[2][6][12]) {
  const wy_hub_motion *a = at->hub[0], *b = at->hub[1];
  const directions of = turn_pair(self, k, at, drive);
  const wy_v3 om_a = wy_apply(a->r, a->omega), om_b = wy_apply(b->r, b->omega), u = of.u[0], w = of.w[0];
  const wy_v3 none = wy_cross(u, w), first = wy_plus(wy_cross(of.u[1], w), wy_cross(u, of.w[1]));
  wy_v3 turn = wy_plus(wy_plus(wy_cross(of.u[2], w), wy_cross(u, of.w[2])), wy_times(2, wy_cross(of.u[1], of.w[1])));
  turn = wy_plus(turn, wy_plus(wy_times(drive->twice_r, first), wy_times(drive->omega2, none)));
  /* of (d x (om x U) + om x (d x U) + 2 d x own) . W + 2 (d x U) . W', by d; the same with both exchanged for B */
  wy_v3 spin_a = wy_plus(wy_cross(wy_cross(om_a, u), w), wy_cross(u, wy_cross(w, om_a)));
  spin_a = wy_plus(spin_a, wy_times(2, wy_plus(wy_cross(of.own, w), wy_cross(u, of.w[1]))));
  wy_v3 spin_b = wy_plus(wy_cross(wy_cross(om_b, w), u), wy_cross(w, wy_cross(u, om_b)));
  spin_b = wy_plus(spin_b, wy_times(2, wy_cross(w, of.u[1])));
  put_row(&second[0][3 + k][TURN], a->r, turn);
  put_row(&second[1][3 + k][TURN], b->r, wy_times(-1, turn));
  put_row(&second[0][3 + k][SPIN], a->r, wy_plus(spin_a, wy_times(drive->twice_r, none)));
  put_row(&second[1][3 + k][SPIN], b->r, wy_minus(spin_b, wy_times(drive->twice_r, none)));
}

static void add_turn(double loads[6][12], wy_m3 m, double factor) {
  double rows[9];
  wy_to_rows(m, rows);
  for (int i = 0; i < 9; i++)
    loads[3 + i / 3][TURN + i % 3] += factor * rows[i];
}

/* Torques lambda u x W and lambda w x U, each in the axes of its hub. */
static void turn_loads(const directions *of, const wy_condition_at *at, double lambda, double loads[2][2][6][12]) {
  const wy_v3 own[2] = {of->u[0], of->w[0]};
  for (int on = 0; on < 2; on++) {
    const wy_m3 r = at->hub[on]->r, relative = wy_mproduct(wy_mtransposed(r), at->hub[1 - on]->r);
    const wy_v3 mine = wy_apply_transposed(r, own[on]), other = wy_apply_transposed(r, own[1 - on]);
    const wy_m3 twice = wy_skew_times(mine, wy_skew(other));
    add_turn(loads[on][on], twice, lambda);
    add_turn(loads[on][1 - on], wy_mproduct(twice, relative), -lambda);
  }
}

void wy_condition_blocks(const wy_condition *self, const wy_condition_at *at, const wy_condition_drive *drive,
                         const double lambda[6], double second[2][6][12], double loads[2][2][6][12]) {
  memset(second, 0, 144 * sizeof(double));
  memset(loads, 0, 288 * sizeof(double));
  for (int side = 0; side < 2; side++) {
    place_blocks(self, at, drive, side, second[side]);
    const wy_v3 force = wy_times(side ? -1 : 1, wy_at3(lambda));
    add_turn(loads[side][side], wy_hub_carried_turn(at->hub[side], self->c[side], force), 1);
  }
  for (int k = 0; k < self->turns; k++) {
    const directions of = turn_pair(self, k, at, drive);
    turn_rows(self, at, drive, k, second);
    turn_loads(&of, at, lambda[3 + k], loads);
  }
}

/* ---- The angle of a hinge ---- */

double wy_condition_angle(const wy_condition *self, const wy_condition_at *at, double *rate) {
  const wy_hub_motion *a = at->hub[0], *b = at->hub[1];
  const wy_v3 seen = wy_apply_transposed(a->r, wy_apply(b->r, self->across_b[0]));
  const wy_v3 turning = wy_minus(wy_apply(b->r, b->omega), wy_apply(a->r, a->omega));
  if (rate)
    *rate = wy_inner(turning, wy_apply(a->r, self->axis));
  return atan2(wy_inner(seen, self->across[1]), wy_inner(seen, self->across[0]));
}

/* The angle by a small turn of B, space axes: the axis where the hinge holds. */
static wy_v3 angle_by_turn(const wy_condition *self, const wy_condition_at *at) {
  const wy_m3 r = at->hub[0]->r;
  const wy_v3 turned = wy_apply(at->hub[1]->r, self->across_b[0]), seen = wy_apply_transposed(r, turned);
  const double x = wy_inner(seen, self->across[0]), y = wy_inner(seen, self->across[1]);
  const wy_v3 normal = wy_minus(wy_times(x, self->across[1]), wy_times(y, self->across[0]));
  return wy_times(1 / (x * x + y * y), wy_cross(turned, wy_apply(r, normal)));
}

void wy_condition_add_moment(const wy_condition *self, const wy_condition_at *at, double moment, wy_hub_load *on_a,
                             wy_hub_load *on_b) {
  const wy_v3 seen = wy_apply_transposed(at->hub[1]->r, wy_apply(at->hub[0]->r, self->axis));
  on_a->torque = wy_plus(on_a->torque, wy_times(-moment, self->axis));
  on_b->torque = wy_plus(on_b->torque, wy_times(moment, seen));
}

static void add_outer(double loads[6][12], int column, wy_v3 along, wy_v3 by) {
  double rows[9];
  wy_to_rows(wy_outer(along, by), rows);
  for (int i = 0; i < 9; i++)
    loads[3 + i / 3][column + i % 3] += rows[i];
}

void wy_condition_moment_blocks(const wy_condition *self, const wy_condition_at *at, double moment, double stiffness,
                                double damping, double loads[2][2][6][12]) {
  const wy_hub_motion *a = at->hub[0], *b = at->hub[1];
  const wy_v3 axis = wy_apply(a->r, self->axis), spun = wy_cross(wy_apply(b->r, b->omega), axis);
  /* The moment by a small turn of B, and by its angular velocity, space axes; by those of A the opposite. */
  const wy_v3 by_turn = wy_times(-1, wy_plus(wy_times(stiffness, angle_by_turn(self, at)), wy_times(damping, spun)));
  const wy_v3 by_spin = wy_times(-damping, axis);
  memset(loads, 0, 288 * sizeof(double));
  for (int on = 0; on < 2; on++)
    for (int of = 0; of < 2; of++) {
      const wy_m3 r = at->hub[of]->r;
      const wy_v3 along = wy_times(on ? 1 : -1, wy_apply_transposed(at->hub[on]->r, axis));
      add_outer(loads[on][of], TURN, along, wy_times(of ? 1 : -1, wy_apply_transposed(r, by_turn)));
      add_outer(loads[on][of], SPIN, along, wy_times(of ? 1 : -1, wy_apply_transposed(r, by_spin)));
    }
  const wy_v3 seen = wy_apply_transposed(b->r, axis); /* which turns against B */
  add_turn(loads[1][1], wy_skew(seen), moment);
  add_turn(loads[1][0], wy_mproduct(wy_skew(seen), wy_mproduct(wy_mtransposed(b->r), a->r)), -moment);
}
