/* SPDX-License-Identifier: MIT */
#include "network/hub.h"

#include <math.h>
#include <string.h>

/* ---- Inertia ---- */

void wy_hub_add_mass(wy_hub_inertia *self, double mass, double weighed, const double at[3]) {
  const wy_v3 c = wy_at3(at);
  self->mass += mass;
  self->weighed += weighed;
  wy_put3(self->first, wy_plus(wy_at3(self->first), wy_times(mass, c)));
  wy_put3(self->weighed_first, wy_plus(wy_at3(self->weighed_first), wy_times(weighed, c)));
  wy_m3 more = wy_mtimes(mass, wy_mminus(wy_diagonal(wy_inner(c, c)), wy_outer(c, c)));
  wy_to_rows(wy_mplus(wy_from_rows(self->second), more), self->second);
}

void wy_hub_add_share(wy_hub_inertia *self, const double share[3], const double q[4]) {
  const wy_m3 r = wy_rotation(wy_at4(q));
  wy_m3 turned = wy_mproduct(wy_scale_columns(r, wy_at3(share)), wy_mtransposed(r));
  wy_to_rows(wy_mplus(wy_from_rows(self->second), turned), self->second);
}

void wy_hub_add_inertia(wy_hub_inertia *self, const double inertia[6]) {
  static const int where[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2};
  for (int i = 0; i < 9; i++)
    self->second[i] += inertia[where[i]];
}

/* Inverts a symmetric positive definite matrix in place, by Gauss and Jordan. */
static int invert(double a[6][6]) {
  for (int k = 0; k < 6; k++) {
    if (!(a[k][k] > 0) || !isfinite(a[k][k]))
      return 1;
    const double inv = 1 / a[k][k];
    a[k][k] = 1;
    for (int j = 0; j < 6; j++)
      a[k][j] *= inv;
    for (int i = 0; i < 6; i++) {
      const double factor = a[i][k];
      if (i == k)
        continue;
      a[i][k] = 0;
      for (int j = 0; j < 6; j++)
        a[i][j] -= factor * a[k][j];
    }
  }
  return 0;
}

static void put_block(double *at, int width, wy_m3 m) {
  wy_put3(at, (wy_v3){m.a.x, m.b.x, m.c.x});
  wy_put3(at + width, (wy_v3){m.a.y, m.b.y, m.c.y});
  wy_put3(at + 2 * (size_t)width, (wy_v3){m.a.z, m.b.z, m.c.z});
}

static wy_m3 get_block(const double *at, int width) {
  const double *second = at + width, *third = second + width;
  return (wy_m3){{at[0], second[0], third[0]}, {at[1], second[1], third[1]}, {at[2], second[2], third[2]}};
}

void wy_hub_mass_matrix(const wy_hub_inertia *self, const wy_hub_motion *at, double m[6][6]) {
  const wy_m3 coupling = wy_skew_times(wy_at3(self->first), wy_mtransposed(at->r)); /* m [b]x R^T */
  put_block(&m[0][0], 6, wy_diagonal(self->mass));
  put_block(&m[0][3], 6, wy_mtransposed(coupling));
  put_block(&m[3][0], 6, coupling);
  put_block(&m[3][3], 6, self->has_frame ? wy_from_rows(self->second) : wy_diagonal(1));
}

int wy_hub_factor(wy_hub_inertia *self) {
  const wy_hub_motion still = {.p = {1, 0, 0, 0}, .unit = {1, 0, 0, 0}, .r = wy_diagonal(1)};
  wy_hub_mass_matrix(self, &still, self->inverse);
  return invert(self->inverse);
}

/* ---- Motion ---- */

wy_hub_motion wy_hub_at(const double *u, int stride, int hub) {
  wy_hub_motion at = {.x = wy_load3(u, stride, hub),
                      .p = wy_load4(u + 3 * (size_t)stride, stride, hub),
                      .v = wy_load3(u + 7 * (size_t)stride, stride, hub),
                      .omega = wy_load3(u + 10 * (size_t)stride, stride, hub)};
  at.unit = wy_qtimes(1 / sqrt(wy_qsquare(at.p)), at.p);
  at.r = wy_rotation(at.unit);
  return at;
}

wy_v3 wy_hub_point(const wy_hub_motion *at, wy_v3 c) {
  return wy_plus(at->x, wy_apply(at->r, c));
}

wy_v3 wy_hub_point_velocity(const wy_hub_motion *at, wy_v3 c) {
  return wy_plus(at->v, wy_apply(at->r, wy_cross(at->omega, c)));
}

/* alpha x c + Om x (Om x c), hub axes */
static wy_v3 swing(const wy_hub_motion *at, wy_v3 c, wy_v3 alpha) {
  return wy_plus(wy_cross(alpha, c), wy_cross(at->omega, wy_cross(at->omega, c)));
}

wy_v3 wy_hub_point_acceleration(const wy_hub_motion *at, wy_v3 c, wy_v3 a, wy_v3 alpha) {
  return wy_plus(a, wy_apply(at->r, swing(at, c, alpha)));
}

void wy_hub_support(const wy_hub_motion *at, const wy_hold_on *hold, const double origin[3], wy_port_motion *motion) {
  wy_put3(motion->x, wy_minus(wy_hub_point(at, hold->c), wy_at3(origin)));
  wy_put3(motion->v, wy_hub_point_velocity(at, hold->c));
  wy_put4(motion->q, wy_qproduct(at->unit, hold->q));
  wy_put3(motion->w, wy_apply_transposed(wy_rotation(hold->q), at->omega));
}

/* ---- Forces ---- */

void wy_hub_add_force(const wy_hub_motion *at, wy_v3 c, wy_v3 force, wy_hub_load *sum) {
  sum->force = wy_plus(sum->force, force);
  sum->torque = wy_plus(sum->torque, wy_cross(c, wy_apply_transposed(at->r, force)));
}

void wy_hub_add_wrench(const wy_hub_motion *at, const wy_hold_on *hold, const wy_port_wrench *wrench,
                       wy_hub_load *sum) {
  wy_hub_add_force(at, hold->c, wy_at3(wrench->force), sum);
  if (hold->turns)
    sum->torque = wy_plus(sum->torque, wy_apply(wy_rotation(hold->q), wy_at3(wrench->torque)));
}

void wy_hub_add_weight(const wy_hub_inertia *self, const wy_hub_motion *at, const double gravity[3], wy_hub_load *sum) {
  const wy_v3 g = wy_at3(gravity);
  sum->force = wy_plus(sum->force, wy_times(self->weighed, g));
  sum->torque = wy_plus(sum->torque, wy_cross(wy_at3(self->weighed_first), wy_apply_transposed(at->r, g)));
}

void wy_hub_hold(const wy_hub_inertia *rows, const wy_hub_inertia *columns, double block[6][6]) {
  for (int i = 0; (rows->any_held || columns->any_held) && i < 36; i++)
    if (rows->held[i / 6] || columns->held[i % 6])
      block[i / 6][i % 6] = 0;
}

void wy_hub_hold_diagonal(const wy_hub_inertia *self, double block[6][6]) {
  for (int k = 0; k < 6; k++)
    block[k][k] = self->held[k] ? 1 : block[k][k];
}

/* Forces in space axes, torques in hub axes. Held components move as `a` and `alpha` say, the others as follows. */
static void accelerate_free(const wy_hub_inertia *self, const wy_hub_motion *at, wy_v3 force, wy_v3 torque, wy_v3 *a,
                            wy_v3 *alpha) {
  double m[6][6], out[6] = {0}, f[6];
  wy_put3(f, force);
  wy_put3(f + 3, torque);
  const double given[6] = {a->x, a->y, a->z, alpha->x, alpha->y, alpha->z};
  wy_hub_mass_matrix(self, at, m);
  for (int i = 0; i < 36; i++)
    f[i / 6] -= self->held[i % 6] ? m[i / 6][i % 6] * given[i % 6] : 0;
  wy_hub_hold(self, self, m);
  wy_hub_hold_diagonal(self, m);
  invert(m);
  for (int i = 0; i < 36; i++)
    out[i / 6] += m[i / 6][i % 6] * (self->held[i % 6] ? given[i % 6] : f[i % 6]);
  *a = wy_at3(out);
  *alpha = wy_at3(out + 3);
}

void wy_hub_accelerate(const wy_hub_inertia *self, const wy_hub_motion *at, const wy_hub_load *load, wy_v3 *a,
                       wy_v3 *alpha) {
  const wy_v3 om = at->omega, first = wy_at3(self->first);
  const wy_v3 force = wy_minus(wy_apply_transposed(at->r, load->force), wy_cross(om, wy_cross(om, first)));
  const wy_v3 torque = wy_minus(load->torque, wy_cross(om, wy_apply(wy_from_rows(self->second), om)));
  if (self->any_held) {
    accelerate_free(self, at, wy_apply(at->r, force), torque, a, alpha);
    return;
  }
  const double f[6] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
  double out[6] = {0};
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      out[i] += self->inverse[i][j] * f[j];
  *a = wy_apply(at->r, wy_at3(out));
  *alpha = self->has_frame ? wy_at3(out + 3) : (wy_v3){0, 0, 0};
}

/* ---- Energy and momenta ---- */

double wy_hub_kinetic(const wy_hub_inertia *self, const wy_hub_motion *at) {
  const wy_v3 spin = wy_apply(wy_from_rows(self->second), at->omega);
  const wy_v3 along = wy_apply(at->r, wy_cross(at->omega, wy_at3(self->first)));
  return 0.5 * self->mass * wy_inner(at->v, at->v) + wy_inner(at->v, along) + 0.5 * wy_inner(at->omega, spin);
}

double wy_hub_gravity(const wy_hub_inertia *self, const wy_hub_motion *at, const double gravity[3]) {
  const wy_v3 moment = wy_plus(wy_times(self->weighed, at->x), wy_apply(at->r, wy_at3(self->weighed_first)));
  return -wy_inner(moment, wy_at3(gravity));
}

void wy_hub_add_momentum(const wy_hub_inertia *self, const wy_hub_motion *at, wy_momentum *sum) {
  const wy_v3 first = wy_apply(at->r, wy_at3(self->first));
  const wy_v3 linear = wy_plus(wy_times(self->mass, at->v), wy_apply(at->r, wy_cross(at->omega, wy_at3(self->first))));
  const wy_v3 spin = wy_apply(at->r, wy_apply(wy_from_rows(self->second), at->omega));
  const wy_v3 angular = wy_plus(wy_plus(wy_cross(at->x, linear), wy_cross(first, at->v)), spin);
  const wy_v3 moment = wy_plus(wy_times(self->mass, at->x), first);
  sum->mass += self->mass;
  wy_put3(sum->linear, wy_plus(wy_at3(sum->linear), linear));
  wy_put3(sum->angular, wy_plus(wy_at3(sum->angular), angular));
  wy_put3(sum->centre_of_mass, wy_plus(wy_at3(sum->centre_of_mass), moment));
}

/* ---- Derivatives ---- */

enum { X, TURN = 3, V = 6, SPIN = 9 }; /* columns of the motion */

void wy_hub_inertia_blocks(const wy_hub_inertia *self, const wy_hub_motion *at, const double gravity[3], wy_v3 a,
                           wy_v3 alpha, double by_motion[6][12]) {
  const wy_v3 om = at->omega, first = wy_at3(self->first);
  const wy_m3 second = wy_from_rows(self->second);
  memset(by_motion, 0, 72 * sizeof(double));
  if (!self->has_frame)
    return;
  put_block(&by_motion[0][TURN], 12, wy_mtimes(-1, wy_times_skew(at->r, swing(at, first, alpha))));
  put_block(
      &by_motion[0][SPIN], 12,
      wy_mtimes(-1, wy_mproduct(at->r, wy_mplus(wy_skew(wy_cross(om, first)), wy_skew_times(om, wy_skew(first))))));
  const wy_m3 swung = wy_skew_times(first, wy_skew(wy_apply_transposed(at->r, a)));
  const wy_m3 weight = wy_skew_times(wy_at3(self->weighed_first), wy_skew(wy_apply_transposed(at->r, wy_at3(gravity))));
  put_block(&by_motion[3][TURN], 12, wy_mminus(swung, weight));
  put_block(&by_motion[3][SPIN], 12, wy_mminus(wy_skew_times(om, second), wy_skew(wy_apply(second, om))));
}

void wy_hub_outer(const wy_hub_motion *at, const wy_hold_on *hold, double by_motion[12][12]) {
  const wy_m3 arm = wy_mtimes(-1, wy_times_skew(at->r, hold->c));
  const wy_m3 swept = wy_mtimes(-1, wy_times_skew(at->r, wy_cross(at->omega, hold->c)));
  memset(by_motion, 0, 144 * sizeof(double));
  put_block(&by_motion[X][X], 12, wy_diagonal(1));
  put_block(&by_motion[X][TURN], 12, arm);
  put_block(&by_motion[V][TURN], 12, swept);
  put_block(&by_motion[V][V], 12, wy_diagonal(1));
  put_block(&by_motion[V][SPIN], 12, arm);
  if (!hold->turns)
    return;
  const wy_m3 frame = wy_mtransposed(wy_rotation(hold->q));
  put_block(&by_motion[TURN][TURN], 12, frame);
  put_block(&by_motion[SPIN][SPIN], 12, frame);
}

wy_m3 wy_hub_carried_turn(const wy_hub_motion *at, wy_v3 c, wy_v3 force) {
  return wy_skew_times(c, wy_skew(wy_apply_transposed(at->r, force)));
}

void wy_hub_point_blocks(const wy_hub_motion *at, wy_v3 c, wy_v3 alpha, wy_m3 *by_theta, wy_m3 *by_omega) {
  const wy_v3 om = at->omega;
  *by_theta = wy_mtimes(-1, wy_times_skew(at->r, swing(at, c, alpha)));
  *by_omega = wy_mtimes(-1, wy_mproduct(at->r, wy_mplus(wy_skew(wy_cross(om, c)), wy_skew_times(om, wy_skew(c)))));
}

/* ---- Elimination of place and quaternion ---- */

wy_hub_shift wy_hub_shift_of(const wy_hub_motion *at, double re, double im) {
  wy_hub_shift shift = {.re = re, .im = im};
  const double size = 1 / (re * re + im * im);
  shift.inverse_re = re * size, shift.inverse_im = -im * size;
  const double den = re * re - im * im + 0.25 * wy_inner(at->omega, at->omega), den_im = 2 * re * im;
  const double inv = 1 / (den * den + den_im * den_im);
  shift.scale_re = den * inv, shift.scale_im = -den_im * inv;
  shift.beta_re = re * shift.scale_re - im * shift.scale_im;
  shift.beta_im = re * shift.scale_im + im * shift.scale_re;
  shift.gamma_re = 0.5 * shift.scale_re, shift.gamma_im = 0.5 * shift.scale_im;
  return shift;
}

void wy_hub_reduce(const wy_hub_shift *shift, const wy_hub_motion *at, double by_motion[6][12], double re[6][6],
                   double im[6][6]) {
  for (int row = 0; row < 6; row += 3) {
    const wy_m3 x = get_block(&by_motion[row][X], 12), turn = get_block(&by_motion[row][TURN], 12);
    const wy_m3 turned = wy_times_skew(turn, at->omega);
    put_block(&re[row][0], 6, wy_mplus(wy_mtimes(shift->inverse_re, x), get_block(&by_motion[row][V], 12)));
    put_block(&re[row][3], 6,
              wy_mplus(wy_mminus(wy_mtimes(shift->beta_re, turn), wy_mtimes(shift->gamma_re, turned)),
                       get_block(&by_motion[row][SPIN], 12)));
    if (!im)
      continue;
    put_block(&im[row][0], 6, wy_mtimes(shift->inverse_im, x));
    put_block(&im[row][3], 6, wy_mminus(wy_mtimes(shift->beta_im, turn), wy_mtimes(shift->gamma_im, turned)));
  }
}

typedef struct pair {
  wy_v3 re, im;
} pair;

static pair product(double re, double im, pair a) {
  return (pair){wy_minus(wy_times(re, a.re), wy_times(im, a.im)), wy_plus(wy_times(re, a.im), wy_times(im, a.re))};
}

/* 2 sigma rho + rho0 Om + rho x Om, without the denominator of (S41) */
static pair turn_of(const wy_hub_shift *shift, wy_v3 om, wy_q4 rho_re, wy_q4 rho_im) {
  const pair pure = {wy_pure(rho_re), wy_pure(rho_im)};
  pair sum = product(2 * shift->re, 2 * shift->im, pure);
  sum.re = wy_plus(sum.re, wy_plus(wy_times(rho_re.w, om), wy_cross(pure.re, om)));
  sum.im = wy_plus(sum.im, wy_plus(wy_times(rho_im.w, om), wy_cross(pure.im, om)));
  return product(shift->scale_re, shift->scale_im, sum);
}

void wy_hub_know(const wy_hub_shift *shift, const wy_hub_motion *at, wy_v3 rx_re, wy_v3 rx_im, wy_q4 rp_re, wy_q4 rp_im,
                 wy_hub_known *re, wy_hub_known *im) {
  const double inv = 1 / wy_qsquare(at->p);
  re->rho = wy_qtimes(inv, wy_between(at->p, rp_re)), im->rho = wy_qtimes(inv, wy_between(at->p, rp_im));
  const pair dx = product(shift->inverse_re, shift->inverse_im, (pair){rx_re, rx_im});
  const pair theta = turn_of(shift, at->omega, re->rho, im->rho);
  re->dx = dx.re, im->dx = dx.im;
  re->theta = theta.re, im->theta = theta.im;
}

/* p (rho + dOm/2)(sigma + Om/2) times `scale`: the increment of the quaternion (S41). */
static void turn_quaternion(const wy_hub_shift *shift, const wy_hub_motion *at, wy_q4 sum_re, wy_q4 sum_im, wy_q4 *re,
                            wy_q4 *im) {
  const wy_v3 half = wy_times(0.5, at->omega);
  const wy_q4 top_re =
      wy_qplus(wy_times_pure(sum_re, half), wy_qplus(wy_qtimes(shift->re, sum_re), wy_qtimes(-shift->im, sum_im)));
  const wy_q4 top_im =
      wy_qplus(wy_times_pure(sum_im, half), wy_qplus(wy_qtimes(shift->re, sum_im), wy_qtimes(shift->im, sum_re)));
  *re = wy_qproduct(at->p, wy_qplus(wy_qtimes(shift->scale_re, top_re), wy_qtimes(-shift->scale_im, top_im)));
  *im = wy_qproduct(at->p, wy_qplus(wy_qtimes(shift->scale_re, top_im), wy_qtimes(shift->scale_im, top_re)));
}

static wy_q4 with_half(wy_q4 rho, wy_v3 domega) {
  return (wy_q4){rho.w, rho.x + 0.5 * domega.x, rho.y + 0.5 * domega.y, rho.z + 0.5 * domega.z};
}

void wy_hub_find(const wy_hub_shift *shift, const wy_hub_motion *at, const wy_hub_known *known_re,
                 const wy_hub_known *known_im, const double y_re[6], const double y_im[6], wy_hub_found *re,
                 wy_hub_found *im) {
  re->dv = wy_at3(y_re), re->domega = wy_at3(y_re + 3);
  im->dv = wy_at3(y_im), im->domega = wy_at3(y_im + 3);
  const pair moved = product(shift->inverse_re, shift->inverse_im, (pair){re->dv, im->dv});
  const pair spin = {re->domega, im->domega};
  const pair turned = {wy_cross(at->omega, spin.re), wy_cross(at->omega, spin.im)};
  const pair with = product(shift->beta_re, shift->beta_im, spin),
             less = product(shift->gamma_re, shift->gamma_im, turned);
  re->dx = wy_plus(known_re->dx, moved.re), im->dx = wy_plus(known_im->dx, moved.im);
  re->theta = wy_plus(known_re->theta, wy_minus(with.re, less.re));
  im->theta = wy_plus(known_im->theta, wy_minus(with.im, less.im));
  turn_quaternion(shift, at, with_half(known_re->rho, re->domega), with_half(known_im->rho, im->domega), &re->dp,
                  &im->dp);
}
