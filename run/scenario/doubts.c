/* SPDX-License-Identifier: MIT */
/* Sizes that look like millimetres for metres, and angles that look like degrees for radians. */
#include "run/scenario/doubts.h"

#include <math.h>
#include <stdio.h>

#include "run/scenario/reader.h"

static double at(const wy_signal *signal, wy_variable wrt, double s, double t) {
  double jet[3] = {signal->value, 0, 0};
  if (signal->evaluate)
    signal->evaluate(signal->context, wrt, s, t, jet);
  return jet[0];
}

/* The largest size along the rod. */
static double largest(const wy_signal *size, double length) {
  double most = 0;
  for (int k = 0; k <= 20; k++)
    most = fmax(most, at(size, WY_ARC, length * k / 20, 0));
  return most;
}

/* The sizes of a section that are given as lengths: half of each is compared with the rod, of a radius all. */
typedef struct size {
  const char *key;
  double value, radius;
} size;

static int section_sizes(const wy_rod_def *rod, double length, size out[2]) {
  const wy_section *section = &rod->section;
  const double radius = largest(&section->radius, length), outer = largest(&section->outer, length);
  const double width = largest(&section->width, length), height = largest(&section->height, length);
  switch (section->shape) {
  case WY_CIRCLE:
    out[0] = (size){"radius", radius, radius};
    return 1;
  case WY_ANNULUS:
    out[0] = (size){"outer", outer, outer};
    return 1;
  case WY_RECTANGLE:
    out[0] = (size){"width", width, width / 2};
    out[1] = (size){"height", height, height / 2};
    return 2;
  default:
    return 0;
  }
}

/* A rod is much longer than thick, and nothing that bends is solid and meters thick. */
static void find_sizes(const wy_rod_def *rod, wy_scenario_findings *out) {
  const double length = wy_rod_length(rod);
  size sizes[2];
  const int count = rod->has_stiffness && rod->has_inertia ? 0 : section_sizes(rod, length, sizes);
  bool solid = rod->section.shape == WY_CIRCLE || rod->section.shape == WY_RECTANGLE;
  for (int i = 0; i < count; i++)
    solid = solid && sizes[i].radius >= 1;
  for (int i = 0; i < count; i++) {
    const bool wide = 2 * sizes[i].radius > length;
    char path[96], remedy[200];
    snprintf(path, sizeof path, "rods.%s.section.%s", rod->name, sizes[i].key);
    if (wide) {
      snprintf(remedy, sizeof remedy, "if millimetres are meant, write %g mm (a number without a unit is in m)",
               sizes[i].value);
      wy_add_finding(out, "millimetres", path, remedy, "%g m is thicker than the rod is long (%g m)", sizes[i].value,
                     length);
    } else if (solid) {
      snprintf(remedy, sizeof remedy,
               "if millimetres are meant, write %g mm, and the length as %g mm (a number without a unit is in m)",
               sizes[i].value, length);
      wy_add_finding(out, "millimetres", path, remedy, "%g m of solid material", sizes[i].value);
    }
  }
}

/* Degrees come in steps of 15 and up to two turns; an angle of so many radians is more than two turns. */
static void find_angle(const char *rod, const char *key, double angle, wy_scenario_findings *out) {
  const double step = 15, nearest = step * round(angle / step);
  if (!(nearest >= step && nearest <= 720 && fabs(angle - nearest) <= 1e-4 * nearest))
    return;
  char path[96];
  snprintf(path, sizeof path, "rods.%s.%s", rod, key);
  wy_add_finding(out, "degrees", path, "if degrees are meant, write deg behind it (an angle without a unit is in rad)",
                 "reaches %g rad, which are %.3g turns", nearest, nearest / 6.28318530717958648);
}

/* Angles of driven ends over the run, and of an initial twist along the rod. */
static void find_angles(const wy_scenario *scenario, const wy_rod_def *rod, wy_scenario_findings *out) {
  static const char *const keys[2] = {"ends.start.rotation.angle", "ends.end.rotation.angle"};
  enum { TIMES = 1000 };
  for (int e = 0; e < 2; e++) {
    double most = 0;
    for (int k = 0; k <= TIMES && rod->ends[e].rotation == WY_DRIVEN; k++)
      most = fmax(most, fabs(at(&rod->ends[e].angle, WY_TIME, 0, scenario->end * k / TIMES)));
    find_angle(rod->name, keys[e], most, out);
  }
  double twist = 0;
  for (int k = 0; k <= 20; k++)
    twist = fmax(twist, fabs(at(&rod->initial.twist, WY_ARC, wy_rod_length(rod) * k / 20, 0)));
  find_angle(rod->name, "initial.twist", twist, out);
}

void wy_find_units(const wy_scenario *scenario, wy_scenario_findings *to) {
  for (int i = 0; i < scenario->model.rod_count; i++) {
    wy_rod_def own = wy_default_rod_def();
    const wy_rod_def *rod = wy_def_read_at(scenario->model.rods, i, &own, "rod", "", NULL);
    if (rod) {
      find_sizes(rod, to);
      find_angles(scenario, rod, to);
    }
  }
}
