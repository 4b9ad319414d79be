#include "cli/plausibility.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* The pairs of supports fall into six frequency equations; a beam and its mirror or dual image share one. */
typedef enum equation { COS_IS_PLUS, COS_IS_MINUS, TAN_IS_TANH, TAN_IS_MINUS_TANH, SINE, COSINE } equation;

static equation equation_of(wy_support a, wy_support b) {
  static const equation table[4][4] = {/*            free               pinned       guided             clamped */
                                       /* free */ {COS_IS_PLUS, TAN_IS_TANH, TAN_IS_MINUS_TANH, COS_IS_MINUS},
                                       /* pinned */ {TAN_IS_TANH, SINE, COSINE, TAN_IS_TANH},
                                       /* guided */ {TAN_IS_MINUS_TANH, COSINE, SINE, TAN_IS_MINUS_TANH},
                                       /* clamped */ {COS_IS_MINUS, TAN_IS_TANH, TAN_IS_MINUS_TANH, COS_IS_PLUS}};
  return table[a][b];
}

const char *wy_support_name(wy_support support) {
  static const char *const names[] = {"free", "pinned", "guided", "clamped"};
  return names[support];
}

const char *wy_bending_equation(wy_support start, wy_support end) {
  static const char *const texts[] = {"cos(x)*cosh(x) = 1", "cos(x)*cosh(x) = -1", "tan(x) = tanh(x)",
                                      "tan(x) = -tanh(x)",  "sin(x) = 0",          "cos(x) = 0"};
  return texts[equation_of(start, end)];
}

/* The equations divided by cosh, so that they stay bounded. */
static double residual(equation kind, double x) {
  switch (kind) {
  case COS_IS_PLUS:
    return cos(x) - 1 / cosh(x);
  case COS_IS_MINUS:
    return cos(x) + 1 / cosh(x);
  case TAN_IS_TANH:
    return sin(x) - tanh(x) * cos(x);
  case TAN_IS_MINUS_TANH:
    return sin(x) + tanh(x) * cos(x);
  case SINE:
    return sin(x);
  default:
    return cos(x);
  }
}

double wy_bending_root(wy_support start, wy_support end, int n) {
  equation kind = equation_of(start, end);
  static const double offset[] = {0.5, -0.5, 0.25, -0.25, 0, -0.5};
  double low = (n + offset[kind] - 0.2) * pi, high = (n + offset[kind] + 0.2) * pi;
  double sign = residual(kind, low) > 0 ? 1 : -1;
  for (int i = 0; i < 80; i++) {
    double middle = 0.5 * (low + high);
    if (sign * residual(kind, middle) > 0)
      low = middle;
    else
      high = middle;
  }
  return 0.5 * (low + high);
}

double wy_bending_frequency(double root, double length, double bending, double mass) {
  return root * root / (length * length) * sqrt(bending / mass);
}

double wy_wave_frequency(bool start_held, bool end_held, double length, double stiffness, double inertia) {
  return (start_held != end_held ? 0.5 : 1) * pi / length * sqrt(stiffness / inertia);
}

double wy_shear_frequency(double shear, double rotary) {
  return sqrt(shear / rotary);
}

double wy_explicit_step(double omega, double damping_ratio) {
  if (damping_ratio < 1)
    return 1 / omega;
  return 3.3 / (omega * (damping_ratio + sqrt(damping_ratio * damping_ratio - 1)));
}

static void faster(wy_fastest *out, double squared, double rate, const char *kind) {
  double omega = sqrt(squared), step = wy_explicit_step(omega, rate / (2 * omega));
  if (omega > out->omega) {
    out->omega = omega;
    out->kind = kind;
  }
  if (out->explicit_step == 0 || step < out->explicit_step)
    out->explicit_step = step;
}

/* Extension or torsion at wave number k. */
static void faster_wave(wy_fastest *out, double k, double stiffness, double damping, double inertia, const char *kind) {
  faster(out, k * k * stiffness / inertia, k * k * damping / inertia, kind);
}

/* The symmetric matrix [a c; c b] of a plane at wave number k, for deflection and slope:
   a = GA k^2 / m, b = (EI k^2 + GA) / I, c = GA k / sqrt(m I); of stiffness or of damping. */
typedef struct plane_matrix {
  double a, b, c;
} plane_matrix;

static plane_matrix matrix_of(double shear, double bending, double mass, double rotary, double k) {
  plane_matrix m = {shear * k * k / mass, (bending * k * k + shear) / rotary, shear * k / sqrt(mass * rotary)};
  return m;
}

static double quadratic(plane_matrix m, const double v[2]) {
  return m.a * v[0] * v[0] + 2 * m.c * v[0] * v[1] + m.b * v[1] * v[1];
}

/* Unit eigenvector of the larger (index 0) or smaller eigenvalue. */
static void eigenvector(plane_matrix m, int index, double v[2]) {
  double angle = 0.5 * atan2(2 * m.c, m.a - m.b) + 0.5 * pi * index;
  v[0] = cos(angle);
  v[1] = sin(angle);
}

wy_fastest wy_fastest_of(const wy_section_values *v, double h, bool cylinder) {
  wy_fastest out = {0, "", 0};
  double k = 2 / h, extra = cylinder ? v->mass * h * h / 12 : 0;
  faster_wave(&out, k, v->stiffness[2], v->damping[2], v->mass, "extension");
  faster_wave(&out, k, v->stiffness[5], v->damping[5], v->rotary[2], "torsion");
  /* Plane of d1: shear 1 with bending 2 about d2; plane of d2: shear 2 with bending 1. The fastest oscillations belong
     to the stiffness, the fastest decay to the damping: try the eigenvectors of both. */
  for (int plane = 0; plane < 2; plane++) {
    double rotary = v->rotary[1 - plane] + extra;
    plane_matrix stiffness = matrix_of(v->stiffness[plane], v->stiffness[4 - plane], v->mass, rotary, k);
    plane_matrix damping = matrix_of(v->damping[plane], v->damping[4 - plane], v->mass, rotary, k);
    for (int i = 0; i < 4; i++) {
      double mode[2];
      eigenvector(i < 2 ? stiffness : damping, i % 2, mode);
      faster(&out, quadratic(stiffness, mode), quadratic(damping, mode), "shear with bending");
    }
  }
  return out;
}

wy_fastest wy_fastest_without_shear(const wy_section_values *v, double h, bool cylinder, bool stretches) {
  wy_fastest out = {0, "", 0};
  double k = 2 / h, extra = cylinder ? v->mass * h * h / 12 : 0;
  if (stretches)
    faster_wave(&out, k, v->stiffness[2], v->damping[2], v->mass, "extension");
  faster_wave(&out, k, v->stiffness[5], v->damping[5], v->rotary[2], "torsion");
  for (int i = 0; i < 2; i++) {
    double inertia = v->mass / (k * k) + v->rotary[i] + extra;
    faster_wave(&out, k, v->stiffness[3 + i], v->damping[3 + i], inertia, "bending");
  }
  return out;
}

double wy_euler_load(wy_support start, wy_support end, double length, double bending) {
  /* (pi/2)^2, pi^2, the first root of tan(x) = x squared, 4 pi^2. */
  static const double table[4][4] = {{0, 0, 0, 2.4674011002723395},
                                     {0, 9.869604401089358, 2.4674011002723395, 20.190728556426629},
                                     {0, 2.4674011002723395, 9.869604401089358, 9.869604401089358},
                                     {2.4674011002723395, 20.190728556426629, 9.869604401089358, 39.478417604357432}};
  return table[start][end] * bending / (length * length);
}

double wy_sag(wy_support start, wy_support end, double length, double bending, double w) {
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

double wy_sag_moment(wy_support start, wy_support end, double length, double bending, double w) {
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
