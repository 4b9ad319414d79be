/* SPDX-License-Identifier: MIT */
#include "model/rotation.h"

#include <math.h>

#include "math/quat.h"

/* A vector with its first and second time derivative. */
typedef struct vector_jet {
  double value[3], first[3], second[3];
} vector_jet;

static vector_jet jet_of(const wy_signal signals[3], double t) {
  vector_jet v;
  for (int i = 0; i < 3; i++) {
    double jet[3];
    wy_signal_rates(&signals[i], 0, t, jet);
    v.value[i] = jet[0], v.first[i] = jet[1], v.second[i] = jet[2];
  }
  return v;
}

/* u = v / n with n = |v|: n' = u v', n u' = v' - n' u, n'' = u' v' + u v'', n u'' = v'' - n'' u - 2 n' u'. */
static void normalise(vector_jet *v) {
  const double n = wy_norm3(v->value);
  vector_jet u;
  for (int i = 0; i < 3; i++)
    u.value[i] = v->value[i] / n;
  const double n1 = wy_dot3(u.value, v->first);
  for (int i = 0; i < 3; i++)
    u.first[i] = (v->first[i] - n1 * u.value[i]) / n;
  const double n2 = wy_dot3(u.first, v->first) + wy_dot3(u.value, v->second);
  for (int i = 0; i < 3; i++)
    u.second[i] = (v->second[i] - n2 * u.value[i] - 2 * n1 * u.first[i]) / n;
  *v = u;
}

/* v without its part along the unit vector u: v - (v u) u. */
static void take_away(vector_jet *v, const vector_jet *u) {
  const double c = wy_dot3(v->value, u->value);
  const double c1 = wy_dot3(v->first, u->value) + wy_dot3(v->value, u->first);
  const double c2 = wy_dot3(v->second, u->value) + 2 * wy_dot3(v->first, u->first) + wy_dot3(v->value, u->second);
  for (int i = 0; i < 3; i++) {
    v->value[i] -= c * u->value[i];
    v->first[i] -= c1 * u->value[i] + c * u->first[i];
    v->second[i] -= c2 * u->value[i] + 2 * c1 * u->first[i] + c * u->second[i];
  }
}

/* w = (-d3' d2, d3' d1, d1' d2): what the directors say of R' = R [w]x (Y7). */
static void by_directors(const wy_end *end, double t, wy_rotation_motion *out) {
  vector_jet d3 = jet_of(end->d3, t), d1 = jet_of(end->d1, t);
  normalise(&d3);
  take_away(&d1, &d3);
  normalise(&d1);
  double d2[3], d2_first[3], part[3], r[9];
  wy_cross3(d3.value, d1.value, d2);
  wy_cross3(d3.first, d1.value, d2_first);
  wy_cross3(d3.value, d1.first, part);
  wy_add3(d2_first, 1, part);
  out->w[0] = -wy_dot3(d3.first, d2);
  out->w[1] = wy_dot3(d3.first, d1.value);
  out->w[2] = wy_dot3(d1.first, d2);
  out->rate[0] = -wy_dot3(d3.second, d2) - wy_dot3(d3.first, d2_first);
  out->rate[1] = wy_dot3(d3.second, d1.value) + wy_dot3(d3.first, d1.first);
  out->rate[2] = wy_dot3(d1.second, d2) + wy_dot3(d1.first, d2_first);
  for (int i = 0; i < 3; i++)
    r[3 * i] = d1.value[i], r[3 * i + 1] = d2[i], r[3 * i + 2] = d3.value[i];
  wy_qfrom_matrix(r, out->q);
}

/* q = p / |p|: w = 2 Im(conj(p) p') / |p|^2, and since conj(p') p' is real, its rate is 2 Im(conj(p) p'') / |p|^2 less
   2 (p p') / |p|^2 w (Y6). */
static void by_quaternion(const wy_end *end, double t, wy_rotation_motion *out) {
  double p[4], first[4], second[4], turn[4], turn_first[4], square = 0, grows = 0;
  for (int i = 0; i < 4; i++) {
    double jet[3];
    wy_signal_rates(&end->quaternion[i], 0, t, jet);
    p[i] = jet[0], first[i] = jet[1], second[i] = jet[2];
    square += p[i] * p[i], grows += p[i] * first[i];
  }
  wy_qrelative(p, first, turn);
  wy_qrelative(p, second, turn_first);
  for (int i = 0; i < 4; i++)
    out->q[i] = p[i] / sqrt(square);
  for (int i = 0; i < 3; i++) {
    out->w[i] = 2 * turn[i + 1] / square;
    out->rate[i] = 2 * turn_first[i + 1] / square - 2 * grows / square * out->w[i];
  }
}

static void by_angle(const wy_end *end, double t, wy_rotation_motion *out) {
  double jet[3], turn[3];
  wy_signal_rates(&end->angle, 0, t, jet);
  for (int i = 0; i < 3; i++) {
    turn[i] = jet[0] * end->axis[i];
    out->w[i] = jet[1] * end->axis[i];
    out->rate[i] = jet[2] * end->axis[i];
  }
  wy_qexp(turn, out->q);
}

void wy_end_rotation(const wy_end *end, double t, wy_rotation_motion *out) {
  switch (end->rotation_by) {
  case WY_BY_QUATERNION:
    by_quaternion(end, t, out);
    break;
  case WY_BY_DIRECTORS:
    by_directors(end, t, out);
    break;
  default:
    by_angle(end, t, out);
  }
}

int wy_end_rotation_signals(const wy_end *end, const wy_signal *signals[WY_ROTATION_SIGNALS]) {
  int count = 0;
  if (end->rotation_by == WY_BY_ANGLE)
    signals[count++] = &end->angle;
  for (int i = 0; i < 4 && end->rotation_by == WY_BY_QUATERNION; i++)
    signals[count++] = &end->quaternion[i];
  for (int i = 0; i < 3 && end->rotation_by == WY_BY_DIRECTORS; i++) {
    signals[count++] = &end->d3[i];
    signals[count++] = &end->d1[i];
  }
  return count;
}
