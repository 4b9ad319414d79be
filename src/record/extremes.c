/* SPDX-License-Identifier: MIT */
/* The table of extremes. A new one is an enumerator of wy_extreme, a row here, and the function that it is the extreme
   of, where there is none yet. */
#include "record/extremes.h"

#include "math/vec3.h"
#include "record/probe.h"

typedef struct row {
  wy_extreme_info info;
  size_t offset;                     /* of the points in a view */
  double (*size)(const double of[]); /* of the values at one of them */
} row;

static const row rows[WY_EXTREME_COUNT] = {
    [WY_LARGEST_CURVATURE] = {{.name = "largest_curvature",
                               .quantity = WY_CURVATURE,
                               .label = "largest curvature",
                               .meaning = "of bending, without twist"},
                              offsetof(wy_view, curvature),
                              wy_bending},
    [WY_SMALLEST_BEND_RADIUS] = {{.name = "smallest_bend_radius",
                                  .quantity = WY_BEND_RADIUS,
                                  .smallest = true,
                                  .label = "smallest bend radius",
                                  .meaning = "1 / largest curvature; none if the rod is straight"},
                                 offsetof(wy_view, curvature),
                                 wy_bend_radius},
    [WY_LARGEST_TENSION] = {{.name = "largest_tension",
                             .quantity = WY_TENSION,
                             .label = "largest tension",
                             .meaning = "axial force; negative if the rod was always compressed"},
                            offsetof(wy_view, force),
                            wy_tension},
    [WY_LARGEST_MOMENT] = {{.name = "largest_moment",
                            .quantity = WY_MOMENT,
                            .label = "largest moment",
                            .meaning = "norm of the moment in the section, torsion included"},
                           offsetof(wy_view, moment),
                           wy_norm3},
};

const wy_extreme_info *wy_extreme_describe(wy_extreme extreme) {
  return extreme < WY_EXTREME_COUNT ? &rows[extreme].info : NULL;
}

void wy_extremes_begin(wy_extreme_value so_far[WY_EXTREME_COUNT]) {
  for (int i = 0; i < WY_EXTREME_COUNT; i++)
    so_far[i] = (wy_extreme_value){NAN, NAN, NAN};
}

/* Of equal values the first one stays; what is not a number does not count. */
static void compare(const row *r, double value, double s, double t, wy_extreme_value *so_far) {
  const bool beyond = r->info.smallest ? value < so_far->value : value > so_far->value;
  if (beyond || (isnan(so_far->value) && !isnan(value)))
    *so_far = (wy_extreme_value){value, s, t};
}

/* Where nothing is held the outermost point is as good, and no extrapolation can go astray. */
static void look_at_end(const row *r, const wy_points *points, double s, double t, wy_extreme_value *so_far) {
  double value[3];
  wy_points_at(points, s, value);
  compare(r, r->size(value), s, t, so_far);
}

void wy_extremes_look(const wy_view *view, double length, double t, wy_extreme_value so_far[WY_EXTREME_COUNT]) {
  for (int i = 0; i < WY_EXTREME_COUNT; i++) {
    const wy_points *points = (const wy_points *)((const char *)view + rows[i].offset);
    for (int k = 0; k < points->count; k++)
      compare(&rows[i], rows[i].size(points->values + 3 * (size_t)k), points->s[k], t, &so_far[i]);
    for (int end = 0; end < 2; end++)
      if (view->ends[end].position_held || view->ends[end].rotation_held)
        look_at_end(&rows[i], points, end ? length : 0, t, &so_far[i]);
  }
}
