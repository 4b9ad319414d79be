#include "record/probe.h"

#include <math.h>
#include <string.h>

#include "base/message.h"
#include "math/quat.h"
#include "model/model.h"

typedef struct quantity_row {
  const char *name;
  int components;
  bool needs_rod;
} quantity_row;

static const quantity_row quantities[WY_QUANTITY_COUNT] = {
    [WY_POSITION] = {"position", 3, true},
    [WY_VELOCITY] = {"velocity", 3, true},
    [WY_ROTATION] = {"rotation", 4, true},
    [WY_ANGULAR_VELOCITY] = {"angular_velocity", 3, true},
    [WY_DIRECTOR1] = {"director1", 3, true},
    [WY_DIRECTOR2] = {"director2", 3, true},
    [WY_DIRECTOR3] = {"director3", 3, true},
    [WY_STRAIN] = {"strain", 3, true},
    [WY_CURVATURE] = {"curvature", 3, true},
    [WY_FORCE] = {"force", 3, true},
    [WY_MOMENT] = {"moment", 3, true},
    [WY_REACTION_FORCE] = {"reaction_force", 3, true},
    [WY_REACTION_MOMENT] = {"reaction_moment", 3, true},
    [WY_ENERGY] = {"energy", 1, false},
    [WY_KINETIC] = {"kinetic", 1, false},
    [WY_ELASTIC] = {"elastic", 1, false},
    [WY_GRAVITY] = {"gravity", 1, false},
    [WY_WORK] = {"work", 1, false},
    [WY_DISSIPATED] = {"dissipated", 1, false},
    [WY_LINEAR_MOMENTUM] = {"linear_momentum", 3, false},
    [WY_ANGULAR_MOMENTUM] = {"angular_momentum", 3, false},
    [WY_CENTRE_OF_MASS] = {"centre_of_mass", 3, false},
};

const char *wy_quantity_name(wy_quantity quantity) {
  return quantity < WY_QUANTITY_COUNT ? quantities[quantity].name : NULL;
}

int wy_quantity_components(wy_quantity quantity) {
  return quantity < WY_QUANTITY_COUNT ? quantities[quantity].components : 0;
}

bool wy_quantity_needs_rod(wy_quantity quantity) {
  return quantity < WY_QUANTITY_COUNT && quantities[quantity].needs_rod;
}

/* The pair of points to interpolate between, and the share of the second (outside 0..1 beyond the ends). */
static int find_pair(const wy_points *points, double s, double *share) {
  int low = 0, high = points->count - 2;
  while (low < high) {
    int middle = (low + high + 1) / 2;
    if (points->s[middle] <= s)
      low = middle;
    else
      high = middle - 1;
  }
  *share = (s - points->s[low]) / (points->s[low + 1] - points->s[low]);
  return low;
}

/* The three points of a parabola: the first of them, and how much each counts at s. */
static int find_triple(const wy_points *points, double s, double weight[3]) {
  double share;
  int i = find_pair(points, s, &share) / 2 * 2;
  const double *at = points->s + i;
  weight[0] = (s - at[1]) * (s - at[2]) / ((at[0] - at[1]) * (at[0] - at[2]));
  weight[1] = (s - at[0]) * (s - at[2]) / ((at[1] - at[0]) * (at[1] - at[2]));
  weight[2] = (s - at[0]) * (s - at[1]) / ((at[2] - at[0]) * (at[2] - at[1]));
  return i;
}

static void interpolate(const wy_points *points, double s, double *out) {
  const int n = points->components;
  if (points->degree == 2) {
    double weight[3];
    const double *values = points->values + (size_t)n * (size_t)find_triple(points, s, weight);
    for (int k = 0; k < n; k++)
      out[k] = weight[0] * values[k] + weight[1] * values[n + k] + weight[2] * values[2 * n + k];
    return;
  }
  double share = 0;
  int i = points->count > 1 ? find_pair(points, s, &share) : 0;
  for (int k = 0; k < n; k++) {
    double a = points->values[i * n + k];
    out[k] = share == 0 ? a : a + share * (points->values[(i + 1) * n + k] - a);
  }
}

/* Adds `share` of the rotation from a to b, seen from a, to a rotation vector. */
static void add_turn(const double a[4], const double b[4], double share, double vector[3]) {
  double turn[4], part[3];
  wy_qrelative(a, b, turn);
  wy_qlog(turn, part);
  wy_add3(vector, share, part);
}

/* The end that s is, or -1. */
static int end_at(double length, double s) {
  return fabs(s) <= WY_SAME_PLACE * length ? 0 : fabs(s - length) <= WY_SAME_PLACE * length ? 1 : -1;
}

/* Between frames by rotation vectors: from the first of a pair, or from the middle one of three. */
static void rotation_at(const wy_view *view, double length, double s, double q[4]) {
  int end = end_at(length, s);
  if (end >= 0 && view->ends[end].rotation_held) {
    memcpy(q, view->ends[end].frame, 4 * sizeof *q);
    return;
  }
  double vector[3] = {0}, part[4];
  const double *from;
  if (view->frame.degree == 2) {
    double weight[3];
    from = view->frame.values + 4 * (size_t)(find_triple(&view->frame, s, weight) + 1);
    add_turn(from, from - 4, weight[0], vector);
    add_turn(from, from + 4, weight[2], vector);
  } else {
    double share;
    from = view->frame.values + 4 * (size_t)find_pair(&view->frame, s, &share);
    add_turn(from, from + 4, share, vector);
  }
  wy_qexp(vector, part);
  wy_qmul(from, part, q);
}

wy_status wy_probe_view(const wy_view *view, double length, wy_quantity quantity, double s, double out[4],
                        wy_message *message) {
  double q[4], r[9];
  switch (quantity) {
  case WY_POSITION:
    interpolate(&view->position, s, out);
    return WY_OK;
  case WY_VELOCITY:
    interpolate(&view->velocity, s, out);
    return WY_OK;
  case WY_ANGULAR_VELOCITY:
    interpolate(&view->angular_velocity, s, out);
    return WY_OK;
  case WY_STRAIN:
    interpolate(&view->strain, s, out);
    return WY_OK;
  case WY_CURVATURE:
    interpolate(&view->curvature, s, out);
    return WY_OK;
  case WY_FORCE:
    interpolate(&view->force, s, out);
    return WY_OK;
  case WY_MOMENT:
    interpolate(&view->moment, s, out);
    return WY_OK;
  case WY_ROTATION:
    rotation_at(view, length, s, out);
    return WY_OK;
  case WY_DIRECTOR1:
  case WY_DIRECTOR2:
  case WY_DIRECTOR3:
    rotation_at(view, length, s, q);
    wy_qmatrix(q, r);
    for (int k = 0; k < 3; k++)
      out[k] = r[3 * k + (int)(quantity - WY_DIRECTOR1)];
    return WY_OK;
  case WY_REACTION_FORCE:
  case WY_REACTION_MOMENT: {
    int end = end_at(length, s);
    if (end < 0)
      return wy_fail(message, WY_ERROR_INPUT, "a reaction exists at the start or the end of a rod, not at s = %g", s);
    wy_copy3(quantity == WY_REACTION_FORCE ? view->ends[end].reaction_force : view->ends[end].reaction_moment, out);
    return WY_OK;
  }
  default:
    return wy_fail(message, WY_ERROR_INPUT, "%s is not a quantity of a place on a rod", wy_quantity_name(quantity));
  }
}
