/* SPDX-License-Identifier: MIT */
#include "judge/beam.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

double wy_bending_frequency(double root, double length, double bending, double mass) {
  return root * root / (length * length) * sqrt(bending / mass);
}

double wy_wave_frequency(bool start_held, bool end_held, double length, double stiffness, double inertia) {
  return (start_held != end_held ? 0.5 : 1) * pi / length * sqrt(stiffness / inertia);
}

double wy_shear_frequency(double shear, double rotary) {
  return sqrt(shear / rotary);
}

double wy_euler_load(wy_beam_end start, wy_beam_end end, double length, double bending) {
  /* (pi/2)^2, pi^2, the first root of tan(x) = x squared, 4 pi^2. */
  static const double table[4][4] = {{0, 0, 0, 2.4674011002723395},
                                     {0, 9.869604401089358, 2.4674011002723395, 20.190728556426629},
                                     {0, 2.4674011002723395, 9.869604401089358, 9.869604401089358},
                                     {2.4674011002723395, 20.190728556426629, 9.869604401089358, 39.478417604357432}};
  return table[start][end] * bending / (length * length);
}

double wy_sag(wy_beam_end start, wy_beam_end end, double length, double bending, double w) {
  /* Coefficients of w L^4 / EI; 0 where the beam is not held. */
  static const double table[4][4] = {{0, 0, 0, 1.0 / 8},
                                     {0, 5.0 / 384, 5.0 / 24, 0.0054161},
                                     {0, 5.0 / 24, 0, 1.0 / 24},
                                     {1.0 / 8, 0.0054161, 1.0 / 24, 1.0 / 384}};
  double k = table[start][end];
  return k > 0 ? k * w * pow(length, 4) / bending : -1;
}

double wy_sag_stretching(double linear_sag, double length, double extension, double w) {
  if (!(linear_sag > 0))
    return linear_sag;
  /* w = a d + b d^3 by Newton's method from above; the left side is convex, so that it converges from there. */
  double a = w / linear_sag, b = 64 * extension / (3 * pow(length, 4));
  double d = fmin(linear_sag, cbrt(w / b));
  for (int i = 0; i < 60; i++)
    d -= (a * d + b * d * d * d - w) / (a + 3 * b * d * d);
  return d;
}

double wy_sag_moment(wy_beam_end start, wy_beam_end end, double length, double bending, double w) {
  /* Coefficients of w L^2. */
  static const double table[4][4] = {{0, 0, 0, 1.0 / 2},
                                     {0, 1.0 / 8, 1.0 / 2, 1.0 / 8},
                                     {0, 1.0 / 2, 0, 1.0 / 3},
                                     {1.0 / 2, 1.0 / 8, 1.0 / 3, 1.0 / 12}};
  return fmin(table[start][end] * w * length * length, sqrt(2 * w * length * bending));
}

double wy_axial_sag(bool start_held, bool end_held, double length, double extension, double w) {
  if (!start_held && !end_held)
    return 0;
  return w * length * length / (start_held && end_held ? 8 : 2) / extension;
}

wy_catenary wy_catenary_of(double length, double across, double drop) {
  wy_catenary out = {0, 0.5 * (length - drop), 0.5 * pi};
  double ratio = sqrt(fmax(length * length - drop * drop, 0)) / across;
  if (!(ratio > 1) || !(ratio < 1e6))
    return out;
  /* sinh(x) / x = ratio, x = across / (2 a), by halving: x is below 20 for the largest ratio. */
  double low = 0, high = 20;
  for (int i = 0; i < 100; i++) {
    double x = 0.5 * (low + high);
    *(sinh(x) < ratio * x ? &low : &high) = x;
  }
  double x = 0.5 * (low + high);
  out.a = across / (2 * x);
  out.sag = out.a * (cosh(x) - 1);
  out.slope = atan(sinh(x));
  return out;
}

double wy_catenary_frequency(const wy_catenary *line, double across, double g) {
  /* Swinging about the chord a parabola has the mean square distance 8/15 sag^2 over the mean distance 2/3 sag. */
  return line->sag < 0.25 * across ? pi / across * sqrt(g * line->a) : sqrt(g / (0.8 * line->sag));
}

double wy_curvature_at_clamp(double angle, double force, double bending) {
  return 2 * sin(0.5 * fmin(angle, pi)) * sqrt(force / bending);
}

double wy_swing_curvature(double length, double bending, double w) {
  return fmin(w * length * length / bending, wy_curvature_at_clamp(pi, 2.5 * w * length, bending));
}

double wy_swing_period(double length, double g) {
  return 2 * pi * sqrt(2 * length / (3 * g));
}
