/* SPDX-License-Identifier: MIT */
#include "model/centreline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/message.h"
#include "math/vec3.h"
#include "model/model.h"

/* Parts between two points: places at which the curvature is taken, and pieces of the integral for the arc length. */
enum { PARTS = 16 };

/* ---- The points ---- */

static void difference(const double a[3], const double b[3], double out[3]) {
  wy_copy3(a, out);
  wy_add3(out, -1, b);
}

static double distance(const double a[3], const double b[3]) {
  double apart[3];
  difference(a, b, apart);
  return wy_norm3(apart);
}

static wy_status check_points(const wy_shape *shape, const char *path, wy_message *message) {
  double all = 0;
  if (shape->point_count < 2)
    return wy_fail_at(message, path, "found %d point%s; expected at least 2", shape->point_count,
                      shape->point_count == 1 ? "" : "s");
  for (int i = 0; i < shape->point_count; i++) {
    const double *x = shape->points + 3 * (size_t)i;
    if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]))
      return wy_fail_at(message, path, "point %d: found [%g, %g, %g]; expected finite numbers", i + 1, x[0], x[1],
                        x[2]);
    all += i > 0 ? distance(x, x - 3) : 0;
  }
  if (!isfinite(all))
    return wy_fail_at(message, path, "the distances of the points are outside the range of double precision");
  for (int i = 1; i < shape->point_count; i++) {
    const double *x = shape->points + 3 * (size_t)i;
    if (!(distance(x, x - 3) > 1e-9 * all))
      return wy_fail_at(message, path, "point %d: found [%.9g, %.9g, %.9g] a second time; expected points that differ",
                        i + 1, x[0], x[1], x[2]);
  }
  return WY_OK;
}

/* A twice differentiable curve through the points, by the sum of their distances. */
static wy_status fit(const wy_shape *shape, const char *path, wy_spline **curve, wy_message *message) {
  wy_spline_def def = wy_default_spline_def();
  *curve = NULL;
  wy_status status = check_points(shape, path, message);
  if (status)
    return status;
  double *chord = malloc((size_t)shape->point_count * sizeof *chord);
  if (!chord)
    return wy_fail(message, WY_ERROR_MEMORY, "out of memory for %d points", shape->point_count);
  chord[0] = 0;
  for (int i = 1; i < shape->point_count; i++) {
    const double *x = shape->points + 3 * (size_t)i;
    chord[i] = chord[i - 1] + distance(x, x - 3);
  }
  def.name = "points";
  def.of = WY_ARC;
  def.rows = shape->point_count;
  def.argument = chord;
  def.columns = 3;
  def.values = shape->points;
  status = wy_spline_create(&def, curve, message);
  free(chord);
  return status;
}

/* ---- Along the curve ---- */

/* A place on the curve. */
typedef struct place {
  double x[3], tangent[3];
  double bend[3]; /* change of the tangent per arc length */
  double speed;   /* arc length per unit of the curve's own parameter */
} place;

static place place_at(const wy_spline *curve, double u) {
  place at;
  double first[3], second[3];
  for (int i = 0; i < 3; i++) {
    double jet[3];
    wy_spline_evaluate(curve, i, u, jet);
    at.x[i] = jet[0], first[i] = jet[1], second[i] = jet[2];
  }
  at.speed = wy_norm3(first);
  for (int i = 0; i < 3; i++)
    at.tangent[i] = first[i] / at.speed;
  const double along = wy_dot3(second, at.tangent);
  for (int i = 0; i < 3; i++)
    at.bend[i] = (second[i] - along * at.tangent[i]) / (at.speed * at.speed);
  return at;
}

/* Arc length between two values of the parameter, by Gauss' rule with 4 points. */
static double arc_between(const wy_spline *curve, double from, double to) {
  static const double offset[2] = {0.33998104358485626, 0.86113631159405258},
                      weight[2] = {0.65214515486254614, 0.34785484513745386};
  double sum = 0;
  for (int i = 0; i < 2; i++)
    for (int side = -1; side <= 1; side += 2)
      sum += weight[i] * place_at(curve, 0.5 * (from + to) + 0.5 * (to - from) * side * offset[i]).speed;
  return 0.5 * (to - from) * sum;
}

/* The parameter at part `k` of the whole curve. */
static double parameter(const wy_spline *curve, int k) {
  const double *u = wy_spline_definition(curve)->argument;
  const int i = k / PARTS;
  return k % PARTS ? u[i] + (u[i + 1] - u[i]) * (k % PARTS) / PARTS : u[i];
}

static int part_count(const wy_shape *shape) {
  return PARTS * (shape->point_count - 1);
}

/* Where points turn back sharply, the curve through them stops there, at this part or since the one before. */
static wy_status check_course(const place *before, const place *at, int part, const char *path, wy_message *message) {
  static const double slowest = 0.05; /* it is 1 where the points are close enough to each other */
  if (at->speed > slowest && wy_dot3(before->tangent, at->tangent) > 0)
    return WY_OK;
  return wy_fail_at(message, path,
                    "the points turn back near point %d: no smooth line goes through them; expected points in their "
                    "order along the rod, closer to each other where it is bent",
                    (part + PARTS / 2) / PARTS + 1);
}

/* The length, and the unit tangent at the first point. */
static wy_status measure(const wy_shape *shape, const char *path, double *length, double tangent[3],
                         wy_message *message) {
  wy_spline *curve;
  wy_status status = fit(shape, path, &curve, message);
  double sum = 0;
  place before = {.speed = 0};
  for (int k = 0; k <= part_count(shape) && !status; k++) {
    const place at = place_at(curve, parameter(curve, k));
    status = check_course(k == 0 ? &at : &before, &at, k, path, message);
    if (k == 0)
      wy_copy3(at.tangent, tangent);
    else
      sum += arc_between(curve, parameter(curve, k - 1), parameter(curve, k));
    before = at;
  }
  *length = sum;
  wy_spline_destroy(curve);
  return status;
}

/* ---- Frames that turn least ---- */

/* Reflects a vector in the plane normal to `v`. */
static void reflect(const double v[3], const double a[3], double out[3]) {
  const double square = wy_dot3(v, v);
  wy_copy3(a, out);
  if (square > 0)
    wy_add3(out, -2 * wy_dot3(v, a) / square, v);
}

/* Carries d1 from one place to the next without turning about the tangent: two reflections, of order 4. */
static void carry(const place *from, const place *to, double d1[3]) {
  double chord[3], back[3], mirrored[3], correction[3];
  difference(to->x, from->x, chord);
  reflect(chord, d1, mirrored);
  reflect(chord, from->tangent, back);
  difference(to->tangent, back, correction);
  reflect(correction, mirrored, d1);
}

/* R' = R [K]x: d3' = K2 d1 - K1 d2. */
static void bend_of(const place *at, const double d1[3], double k[2]) {
  double d2[3];
  wy_cross3(at->tangent, d1, d2);
  k[0] = -wy_dot3(at->bend, d2);
  k[1] = wy_dot3(at->bend, d1);
}

static void fill(const wy_shape *shape, const wy_spline *curve, double *s, double *k) {
  place before = place_at(curve, 0);
  double d1[3];
  wy_copy3(shape->d1, d1);
  s[0] = 0;
  bend_of(&before, d1, k);
  for (int i = 1; i <= part_count(shape); i++) {
    const place at = place_at(curve, parameter(curve, i));
    s[i] = s[i - 1] + arc_between(curve, parameter(curve, i - 1), parameter(curve, i));
    carry(&before, &at, d1);
    bend_of(&at, d1, k + 2 * (size_t)i);
    before = at;
  }
}

/* Bending about d1 and about d2 as a table of s. */
static wy_status tabulate(const wy_shape *shape, const char *path, wy_spline **curvature, wy_message *message) {
  wy_spline_def def = wy_default_spline_def();
  wy_spline *curve;
  wy_status status = fit(shape, path, &curve, message);
  if (status)
    return status;
  const size_t rows = (size_t)part_count(shape) + 1;
  double *s = malloc(rows * sizeof *s), *k = malloc(2 * rows * sizeof *k);
  if (s && k) {
    fill(shape, curve, s, k);
    def.name = "points";
    def.of = WY_ARC;
    def.rows = (int)rows;
    def.argument = s;
    def.columns = 2;
    def.values = k;
    status = wy_spline_create(&def, curvature, message);
  } else {
    status = wy_fail(message, WY_ERROR_MEMORY, "out of memory for %d points", shape->point_count);
  }
  free(s);
  free(k);
  wy_spline_destroy(curve);
  return status;
}

/* ---- The rod ---- */

enum { PATH = 64 };

static void path_of(int index, const char *key, char path[PATH]) {
  snprintf(path, PATH, "rods[%d].%s", index, key);
}

/* Are the vectors the same, or is the first one left out? */
static bool agrees(const double given[3], const double wanted[3], double scale) {
  return wy_norm3(given) == 0 || distance(given, wanted) <= 1e-9 * scale;
}

/* What does not go with the points, or NULL. */
static const char *find_other(const wy_rod_def *rod, double length, const double tangent[3]) {
  const wy_shape *shape = &rod->shape;
  double direction[3];
  wy_copy3(shape->direction, direction);
  wy_add3(direction, 1 / wy_norm3(direction) - 1, shape->direction);
  if (shape->helix.turns != 0 || shape->helix.radius != 0 || shape->helix.pitch != 0)
    return "shape.helix";
  if (!agrees(shape->origin, shape->points, length))
    return "shape.origin";
  if (wy_norm3(shape->direction) != 0 && !agrees(direction, tangent, 1))
    return "shape.direction";
  for (int i = 0; i < 3; i++)
    if (!shape->curvature[i].evaluate && shape->curvature[i].value != 0)
      return "shape.curvature";
  return NULL;
}

wy_status wy_centreline_resolve(wy_rod_def *rod, int index, wy_message *message) {
  wy_shape *shape = &rod->shape;
  char path[PATH];
  double length, tangent[3];
  if (shape->point_count == 0)
    return WY_OK;
  path_of(index, "shape.points", path);
  wy_status status = measure(shape, path, &length, tangent, message);
  if (status)
    return status;
  const char *other = find_other(rod, length, tangent);
  if (other) {
    path_of(index, other, path);
    return wy_fail_at(message, path, "stands beside points, from which it follows; expected it to be left out");
  }
  path_of(index, "length", path);
  if (rod->length != 0 && !(fabs(rod->length - length) <= 1e-9 * length))
    return wy_fail_at(message, path, "found %.12g, but the line through the points has length %.12g; leave length out",
                      rod->length, length);
  rod->length = length;
  wy_copy3(shape->points, shape->origin);
  wy_copy3(tangent, shape->direction);
  return WY_OK;
}

wy_status wy_centreline_bend(wy_rod_def *rod, int index, wy_spline **curvature, wy_message *message) {
  wy_shape *shape = &rod->shape;
  char path[PATH];
  *curvature = NULL;
  if (shape->point_count == 0)
    return WY_OK;
  path_of(index, "shape.points", path);
  wy_status status = tabulate(shape, path, curvature, message);
  shape->curvature[0] = wy_spline_signal(*curvature, 0);
  shape->curvature[1] = wy_spline_signal(*curvature, 1);
  shape->curvature[2] = wy_constant(0);
  return status;
}

wy_status wy_shape_length(const wy_shape *shape, double *length, wy_message *message) {
  double tangent[3], found;
  if (length)
    *length = NAN;
  if (!shape || !length)
    return wy_fail_missing(message, shape ? "length" : "shape");
  if (!shape->points || shape->point_count > WY_MOST_POINTS)
    return wy_fail_at(message, "shape.points", "found %d points%s; expected 2 to %d", shape->point_count,
                      shape->points ? "" : " without an array of them", WY_MOST_POINTS);
  wy_status status = measure(shape, "shape.points", &found, tangent, message);
  if (status == WY_OK)
    *length = found;
  return status;
}
