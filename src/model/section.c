/* SPDX-License-Identifier: MIT */
/* Sections: from shape and material to stiffness and inertia per unit length (docs/notation.md, "Section"). */
#include <math.h>

#include "model/model.h"

static const double pi = 3.14159265358979323846;

/* Torsion constant of a rectangle by the series of Saint-Venant; a >= b are the sides. Terms fall like n^-5. */
static double rectangle_torsion(double width, double height) {
  double a = fmax(width, height), b = fmin(width, height);
  double sum = 0;
  for (int n = 1; n < 60; n += 2)
    sum += tanh(n * pi * a / (2 * b)) / pow(n, 5);
  return a * b * b * b * (1.0 / 3 - 64 / pow(pi, 5) * (b / a) * sum);
}

static void geometry(const wy_section *section, double s, wy_section_values *out) {
  double *second = out->second_moment;
  switch (section->shape) {
  case WY_CIRCLE: {
    double r = wy_signal_value(&section->radius, s, 0);
    out->area = pi * r * r;
    second[0] = second[1] = pi * r * r * r * r / 4;
    second[2] = second[0] + second[1];
    out->radius = r;
    break;
  }
  case WY_ANNULUS: {
    double outer = wy_signal_value(&section->outer, s, 0), inner = wy_signal_value(&section->inner, s, 0);
    out->area = pi * (outer * outer - inner * inner);
    second[0] = second[1] = pi * (pow(outer, 4) - pow(inner, 4)) / 4;
    second[2] = second[0] + second[1];
    out->radius = outer;
    break;
  }
  case WY_RECTANGLE: {
    double width = wy_signal_value(&section->width, s, 0), height = wy_signal_value(&section->height, s, 0);
    out->area = width * height;
    second[0] = width * height * height * height / 12;
    second[1] = height * width * width * width / 12;
    second[2] = rectangle_torsion(width, height);
    out->radius = 0.5 * sqrt(width * width + height * height);
    break;
  }
  case WY_EXPLICIT:
    out->area = wy_signal_value(&section->area, s, 0);
    second[0] = wy_signal_value(&section->I1, s, 0);
    second[1] = wy_signal_value(&section->I2, s, 0);
    second[2] = wy_signal_value(&section->J, s, 0);
    out->radius = sqrt(out->area / pi);
    break;
  case WY_SECTION_NONE:
    break;
  }
}

wy_section_values wy_section_at(const wy_rod_def *rod, double s) {
  wy_section_values out = {0};
  geometry(&rod->section, s, &out);
  if (rod->material.given && rod->section.shape != WY_SECTION_NONE) {
    double density = wy_signal_value(&rod->material.density, s, 0);
    double young = wy_signal_value(&rod->material.young, s, 0);
    double shear = rod->material.has_shear ? wy_signal_value(&rod->material.shear, s, 0)
                                           : young / (2 * (1 + wy_signal_value(&rod->material.poisson, s, 0)));
    const double *second = out.second_moment;
    out.stiffness[0] = rod->shear_factors[0] * shear * out.area;
    out.stiffness[1] = rod->shear_factors[1] * shear * out.area;
    out.stiffness[2] = young * out.area;
    out.stiffness[3] = young * second[0];
    out.stiffness[4] = young * second[1];
    out.stiffness[5] = shear * second[2];
    out.mass = density * out.area;
    out.rotary[0] = density * second[0];
    out.rotary[1] = density * second[1];
    out.rotary[2] = density * (second[0] + second[1]);
  }
  if (rod->has_stiffness)
    for (int i = 0; i < 6; i++)
      out.stiffness[i] = wy_signal_value(&rod->stiffness[i], s, 0);
  if (rod->has_inertia) {
    out.mass = wy_signal_value(&rod->inertia[0], s, 0);
    for (int i = 0; i < 3; i++)
      out.rotary[i] = wy_signal_value(&rod->inertia[i + 1], s, 0);
  }
  for (int i = 0; i < 6; i++) {
    if (rod->damping.kind == WY_DAMPING_COEFFICIENTS)
      out.damping[i] = wy_signal_value(&rod->damping.coefficient[i], s, 0);
    else if (rod->damping.kind == WY_DAMPING_TIME)
      out.damping[i] = wy_signal_value(&rod->damping.time, s, 0) * out.stiffness[i];
  }
  return out;
}
