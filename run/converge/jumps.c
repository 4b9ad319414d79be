/* SPDX-License-Identifier: MIT */
/* Jumps along a rod of what is given as a function of the arc length: natural curvature, section, material, loads. A
   jump between two nodes makes an error whose constant is another one at each level. */
#include <math.h>

#include "run/converge/inside.h"
#include "run/scenario/scenario.h"

static double value_at(const wy_signal *signal, double s, double t) {
  double jet[3] = {signal->value, 0, 0};
  if (signal->evaluate)
    signal->evaluate(signal->context, WY_ARC, s, t, jet);
  return jet[0];
}

static bool varies(const wy_signal *signal) {
  return signal->evaluate && (signal->depends_on == 0 || (signal->depends_on & WY_ARC));
}

/* Where the larger part of the change between two places is, and the change that is left at a single place. */
static double close_in(const wy_signal *signal, double t, double low, double high, double *change) {
  double before = value_at(signal, low, t), after = value_at(signal, high, t);
  for (int i = 0; i < 48; i++) {
    const double middle = 0.5 * (low + high), here = value_at(signal, middle, t);
    if (fabs(here - before) > fabs(after - here)) {
      high = middle;
      after = here;
    } else {
      low = middle;
      before = here;
    }
  }
  *change = fabs(after - before);
  return 0.5 * (low + high);
}

static bool jumps_between(const wy_converge *c, int rod, const wy_signal *signal, double t) {
  enum { CELLS = 1024 };
  const double length = wy_rod_length(&c->scenario->rods[rod]), steep = 0.02, left = 1e-3;
  double low = INFINITY, high = -INFINITY, values[CELLS + 1];
  if (!varies(signal))
    return false;
  for (int i = 0; i <= CELLS; i++) {
    values[i] = value_at(signal, length * i / CELLS, t);
    low = fmin(low, values[i]);
    high = fmax(high, values[i]);
  }
  for (int i = 0; i < CELLS; i++) {
    double change;
    if (!(fabs(values[i + 1] - values[i]) > steep * (high - low)))
      continue;
    const double s = close_in(signal, t, length * i / CELLS, length * (i + 1) / CELLS, &change);
    if (change > left * (high - low) && !wy_is_always_node(c, rod, s))
      return true;
  }
  return false;
}

static bool any_jumps(const wy_converge *c, int rod, const wy_signal *signals, int count, double t) {
  for (int i = 0; i < count; i++)
    if (jumps_between(c, rod, &signals[i], t))
      return true;
  return false;
}

bool wy_rod_jumps_between(const wy_converge *c, int rod) {
  const wy_rod_def *def = &c->scenario->rods[rod];
  const wy_section *section = &def->section;
  const wy_material *material = &def->material;
  const wy_signal single[] = {section->radius, section->outer,  section->inner,   section->width, section->height,
                              section->area,   section->I1,     section->I2,      section->J,     material->density,
                              material->young, material->shear, material->poisson};
  return any_jumps(c, rod, single, sizeof single / sizeof single[0], 0) ||
         any_jumps(c, rod, def->shape.curvature, 3, 0) || any_jumps(c, rod, def->stiffness, 6, 0) ||
         any_jumps(c, rod, def->inertia, 4, 0) || any_jumps(c, rod, &def->initial.twist, 1, 0) ||
         any_jumps(c, rod, def->initial.velocity, 3, 0) || any_jumps(c, rod, def->initial.angular_velocity, 3, 0);
}

bool wy_load_jumps_between(const wy_converge *c, const wy_load_def *load) {
  return any_jumps(c, load->rod, load->force, 3, c->scenario->end) ||
         any_jumps(c, load->rod, load->moment, 3, c->scenario->end);
}
