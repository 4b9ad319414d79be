/* SPDX-License-Identifier: MIT */
/* A station without friction, for loops over many of them: the load alone, without energy and slopes, and the normal
   alone. docs/theory/contact.md, (K1) to (K4). */
#ifndef WY_CONTACT_PLAIN_H
#define WY_CONTACT_PLAIN_H

#include "contact/law.h"
#include "contact/shape.h"

/* p of (K1), (K2) at a depth > 0. */
WY_INLINE double wy_skin_pressure(const wy_skin *skin, double depth) {
  const double b = skin->onset, c = skin->core, ratio = depth / c, x = ratio < WY_CORE_END ? ratio : WY_CORE_END;
  const double y = x * x, rest = 1 / (1 - y), core = x * y * rest, beyond = ratio - x;
  double own = depth - 0.5 * b;
  if (depth < b) {
    const double z = depth / b;
    own = b * z * z * z * (1 - 0.5 * z);
  }
  return skin->stiffness * (own + c * (core + beyond * ((3 - y) * y * rest * rest)));
}

/* The normal at a point near a form, in its own axes. What most rods lie on comes first. */
WY_INLINE wy_v3 wy_form_normal(const wy_form_of *form, wy_v3 y) {
  if (form->shape == WY_OBSTACLE_PLANE)
    return (wy_v3){0, 0, 1};
  const double square = y.x * y.x + y.y * y.y, size = square + y.z * y.z;
  if (form->shape == WY_OBSTACLE_SPHERE && size > 0)
    return wy_times(1 / sqrt(size), y);
  const bool round = form->shape == WY_OBSTACLE_CYLINDER || form->shape == WY_OBSTACLE_CAPSULE;
  if (round && fabs(y.z) <= form->half[2] && square > form->radius * form->radius)
    return wy_times(1 / sqrt(square), (wy_v3){y.x, y.y, 0});
  return wy_form_near(form, y).normal;
}

#endif
