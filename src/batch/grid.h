/* SPDX-License-Identifier: MIT */
/* Distance from an obstacle that is a grid of numbers (B21), (B22). For batch/rod.h, which says what is defined before,
   and for batch/grid.c. */

/* A coordinate among the points of an axis, in steps: the first of the three points around it, their weights and the
   slopes of these, and how far it is beyond what the spline has. */
typedef struct knots {
  int first[LANE_COUNT];
  REAL weight[3], slope[3], beyond;
} knots;

FN knots knots_at(REAL u, int points) {
  const REAL half = SPLAT(0.5), last = SPLAT(points - 1.5), below = LESSER(u, last), on = GREATER(below, half);
  REAL middle = half;
  knots k;
  UNROLL_LANES for (int lane = 0; lane < LANE_COUNT; lane++) {
    const int nearest = (int)(LANE(on, lane) + (RS)0.5), point = nearest < points - 1 ? nearest : points - 2;
    k.first[lane] = point - 1;
    LANE(middle, lane) = (RS)point;
  }
  const REAL t = on - middle, before = half - t, behind = half + t;
  k.weight[0] = (RS)0.5 * before * before, k.weight[1] = (RS)0.75 - t * t, k.weight[2] = (RS)0.5 * behind * behind;
  k.slope[0] = -before, k.slope[1] = (RS)-2 * t, k.slope[2] = behind;
  k.beyond = u - on;
  return k;
}

/* Of each rod a number behind its own corner. */
FN REAL gather(const float *const corner[LANE_COUNT], size_t offset) {
  REAL out = SPLAT(0);
  UNROLL_LANES for (int lane = 0; lane < LANE_COUNT; lane++) LANE(out, lane) = (RS)corner[lane][offset];
  return out;
}

/* The spline at a place in the axes of the grid, and its gradient. */
FN REAL spline_at(const wy_batch_grid *grid, vec place, vec *gradient) {
  const size_t row = (size_t)grid->points[2], plane = row * (size_t)grid->points[1];
  const vec from = minus(place, vec_of(SPLAT(grid->origin[0]), SPLAT(grid->origin[1]), SPLAT(grid->origin[2])));
  const vec per = vec_of(SPLAT(grid->per_step[0]), SPLAT(grid->per_step[1]), SPLAT(grid->per_step[2]));
  const vec u = each(per, from);
  const knots x = knots_at(u.x, grid->points[0]), y = knots_at(u.y, grid->points[1]),
              z = knots_at(u.z, grid->points[2]);
  const float *corner[LANE_COUNT];
  UNROLL_LANES for (int lane = 0; lane < LANE_COUNT; lane++) corner[lane] =
      grid->values + ((size_t)x.first[lane] * plane + (size_t)y.first[lane] * row + (size_t)z.first[lane]);
  REAL value = SPLAT(0);
  vec slope = no_vec();
  UNROLL for (int i = 0; i < 3; i++) {
    REAL sum = SPLAT(0), across = SPLAT(0), along = SPLAT(0);
    UNROLL for (int j = 0; j < 3; j++) {
      const size_t at = (size_t)i * plane + (size_t)j * row;
      const REAL a = gather(corner, at), b = gather(corner, at + 1), c = gather(corner, at + 2);
      const REAL line = z.weight[0] * a + z.weight[1] * b + z.weight[2] * c;
      const REAL rise = z.slope[0] * a + z.slope[1] * b + z.slope[2] * c;
      sum = sum + y.weight[j] * line;
      across = across + y.slope[j] * line;
      along = along + y.weight[j] * rise;
    }
    value = value + x.weight[i] * sum;
    slope = plus(slope, vec_of(x.slope[i] * sum, x.weight[i] * across, x.weight[i] * along));
  }
  *gradient = each(per, slope);
  return value + (slope.x * x.beyond + slope.y * y.beyond + slope.z * z.beyond);
}

/* Distance of a point in metres, which is `y` from the place of the obstacle, and the normal there. */
FN REAL distance_by_grid(const wy_batch_grid *grid, const RS *row, vec y, vec *normal) {
  const RS *a = row + WY_OBST_D1, *b = row + WY_OBST_D2, *c = row + WY_OBST_AXIS;
  const vec d1 = vec_of(SPLAT(a[0]), SPLAT(a[1]), SPLAT(a[2])), d2 = vec_of(SPLAT(b[0]), SPLAT(b[1]), SPLAT(b[2]));
  const vec axis = vec_of(SPLAT(c[0]), SPLAT(c[1]), SPLAT(c[2]));
  vec slope;
  const REAL distance = spline_at(grid, vec_of(inner(d1, y), inner(d2, y), inner(axis, y)), &slope);
  const REAL inv = INV_SQRT(inner(slope, slope) + (RS)1e-20);
  *normal = plus(times(inv * slope.x, d1), plus(times(inv * slope.y, d2), times(inv * slope.z, axis)));
  return distance;
}
