/* SPDX-License-Identifier: MIT */
/* Strands of hair follow their guides: weights, places in the sections, triangles between roots, and what result.h5
   holds of them. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "record/triangles.h"
#include "run/results/results.h"
#include "support/allocations.h"
#include "support/rods.h"
#include "withy/folder.h"

/* Positions are of order 1, and a strand is a sum of at most nine products of numbers of order 1. */
static const double round_off = 1e-14;
/* Guides are stepped apart from each other, with tolerances of 1e-6 a step. */
static const double steps_apart = 1e-5;

/* ---- Guides ---- */

enum { MOST_GUIDES = 9 };

/* Soft, curved rods with given roots, that gravity and a spin set in motion. */
static wy_rod_def guide_at(double x, double y, double z) {
  wy_rod_def rod = wy_default_rod_def();
  static const double stiffness[6] = {40, 40, 90, 0.5, 0.7, 0.4};
  rod.length = 1;
  rod.segments = 6;
  rod.has_stiffness = rod.has_inertia = true;
  for (int i = 0; i < 6; i++)
    rod.stiffness[i] = wy_constant(stiffness[i]);
  for (int i = 0; i < 4; i++)
    rod.inertia[i] = wy_constant(i == 0 ? 1 : 0.01);
  rod.shape.origin[0] = x, rod.shape.origin[1] = y, rod.shape.origin[2] = z;
  rod.shape.direction[2] = -1;
  rod.shape.curvature[1] = wy_constant(2);
  rod.shape.curvature[2] = wy_constant(1);
  rod.ends[WY_START] = wy_end_clamped();
  return rod;
}

static test_sim simulate(wy_rod_def *rods, int count, const char *scheme) {
  static const double gravity[3] = {1, 2, -9.81};
  static const char *const names[MOST_GUIDES] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
  test_sim made = {0};
  wy_message message = {0};
  wy_model_def def = wy_default_model_def();
  wy_sim_def sim = wy_default_sim_def();
  for (int i = 0; i < count; i++)
    rods[i].name = names[i];
  def.rods = rods;
  def.rod_count = count;
  memcpy(def.gravity, gravity, sizeof gravity);
  sim.solver.scheme = scheme;
  sim.solver.first_step = strcmp(scheme, "mixed") == 0 ? 0.01 : 0;
  if (wy_model_create(&def, &made.model, &message) || wy_sim_create(made.model, &sim, &made.sim, &message))
    fail_msg("%s: %s", message.path, message.text);
  return made;
}

static const int in_order[MOST_GUIDES] = {0, 1, 2, 3, 4, 5, 6, 7, 8};

static wy_strands_def after(int guides, int count, double radius) {
  wy_strands_def def = wy_default_strands_def();
  def.guides = in_order;
  def.guide_count = guides;
  def.count = count;
  def.radius = radius;
  return def;
}

static wy_strands *create(const test_sim *made, wy_strands_def def) {
  wy_strands *strands = NULL;
  wy_message message = {0};
  if (wy_strands_create(made->model, made->sim, &def, &strands, &message))
    fail_msg("%s: %s", message.path, message.text);
  return strands;
}

static double *place(wy_strands *strands) {
  double *x = doubles(3 * wy_strands_count(strands) * wy_strands_points(strands));
  wy_strands_place(strands, x);
  return x;
}

static const double *point_of(const wy_strands *strands, const double *x, int k, int i) {
  return x + 3 * (k * wy_strands_points(strands) + i);
}

/* Weights are not negative, add up to 1, and belong to guides that exist. */
static void check_weights(const wy_strands *strands, int guides) {
  for (int k = 0; k < wy_strands_count(strands); k++) {
    int rods[3];
    double weights[3], sum = 0;
    int corners = wy_strands_weights(strands, k, rods, weights);
    assert_in_range(corners, 1, 3);
    for (int c = 0; c < corners; c++) {
      assert_in_range(rods[c], 0, guides - 1);
      check_at_least(weights[c], 0);
      sum += weights[c];
    }
    check_close(sum, 1, 4e-16); /* three roundings of numbers up to 1 */
  }
}

/* ---- One guide ---- */

static void strands_of_one_guide_keep_their_places_in_its_sections(void **state) {
  (void)state;
  wy_rod_def rod = guide_at(0.1, -0.2, 0.3);
  test_sim made = simulate(&rod, 1, "staggered");
  wy_strands *strands = create(&made, after(1, 50, 0.2));
  check_weights(strands, 1);
  assert_int_equal(wy_strands_points(strands), 7);
  for (int step = 0; step < 3; step++) {
    double *x = place(strands);
    for (int i = 0; i < 7; i++) {
      double centre[4], q[4], r[9];
      must(wy_sim_probe(made.sim, WY_POSITION, 0, i / 6.0, centre, NULL), NULL);
      must(wy_sim_probe(made.sim, WY_ROTATION, 0, i / 6.0, q, NULL), NULL);
      wy_qmatrix(q, r);
      for (int k = 0; k < 50; k++) {
        /* The sunflower of the header's promise: rings of equal area, the golden angle apart. */
        double ring = 0.2 * sqrt((k + 0.5) / 50), angle = k * 2.399963229728653, away[3], in_frame[3];
        wy_copy3(point_of(strands, x, k, i), away);
        wy_add3(away, -1, centre);
        wy_tmul3(r, away, in_frame);
        check_close(in_frame[0], ring * cos(angle), round_off);
        check_close(in_frame[1], ring * sin(angle), round_off);
        check_close(in_frame[2], 0, round_off);
        check_close(wy_norm3(away), ring, round_off);
      }
    }
    free(x);
    must(wy_sim_advance(made.sim, 0.2 * (step + 1), NULL), NULL);
  }
  wy_strands_destroy(strands);
  free_sim(&made);
}

/* The mean over the disc is its centre and the mean square of the distance radius^2/2, up to what 400 places leave:
   their mean distance is radius sqrt(pi/400), and errors of neighbours cancel. */
static void the_disc_is_filled_evenly(void **state) {
  (void)state;
  enum { COUNT = 400 };
  wy_rod_def rod = guide_at(0, 0, 0);
  test_sim made = simulate(&rod, 1, "staggered");
  wy_strands *strands = create(&made, after(1, COUNT, 1));
  double *x = place(strands), mean[3] = {0}, square = 0, closest = INFINITY;
  for (int k = 0; k < COUNT; k++) {
    wy_add3(mean, 1.0 / COUNT, point_of(strands, x, k, 0));
    square += wy_dot3(point_of(strands, x, k, 0), point_of(strands, x, k, 0)) / COUNT;
    for (int j = 0; j < k; j++) {
      double away[3];
      wy_copy3(point_of(strands, x, k, 0), away);
      wy_add3(away, -1, point_of(strands, x, j, 0));
      closest = fmin(closest, wy_norm3(away));
    }
  }
  check_close(wy_norm3(mean), 0, 0.01);
  check_close(square, 0.5, round_off); /* rings at (k + 1/2)/n: exact */
  check_above(closest, 0.5 * sqrt(3.14159 / COUNT));
  free(x);
  wy_strands_destroy(strands);
  free_sim(&made);
}

/* ---- Several guides ---- */

/* Guides that are copies of each other move alike, so every strand is one more copy, at the mean of the roots. */
static void check_copies(const test_sim *made, wy_strands *strands, double tolerance) {
  double *x = place(strands);
  int points = wy_strands_points(strands);
  for (int k = 0; k < wy_strands_count(strands); k++) {
    int rods[3];
    double weights[3], root[3] = {0};
    int corners = wy_strands_weights(strands, k, rods, weights);
    for (int c = 0; c < corners; c++)
      wy_add3(root, weights[c], wy_model_rod(made->model, rods[c])->shape.origin);
    for (int i = 0; i < points; i++) {
      double of_guide[4];
      must(wy_sim_probe(made->sim, WY_POSITION, 0, i / (points - 1.0), of_guide, NULL), NULL);
      wy_add3(of_guide, -1, wy_model_rod(made->model, 0)->shape.origin);
      for (int c = 0; c < 3; c++)
        check_close(point_of(strands, x, k, i)[c], root[c] + of_guide[c], tolerance);
    }
  }
  free(x);
}

static void between_two_guides_strands_go_evenly_from_one_to_the_other(void **state) {
  (void)state;
  wy_rod_def rods[2] = {guide_at(0, 0, 0), guide_at(1, 0.5, -0.2)};
  test_sim made = simulate(rods, 2, "staggered");
  wy_strands *strands = create(&made, after(2, 11, 0));
  check_weights(strands, 2);
  for (int k = 0; k < 11; k++) {
    int of[3];
    double weights[3];
    assert_int_equal(wy_strands_weights(strands, k, of, weights), 2);
    assert_int_equal(of[0], 0);
    assert_int_equal(of[1], 1);
    check_close(weights[1], k / 10.0, round_off);
  }
  check_copies(&made, strands, round_off);
  must(wy_sim_advance(made.sim, 0.3, NULL), NULL);
  check_copies(&made, strands, steps_apart);
  wy_strands_destroy(strands);
  strands = create(&made, after(2, 1, 0)); /* a single one is in the middle */
  int of[3];
  double weights[3];
  wy_strands_weights(strands, 0, of, weights);
  check_close(weights[0], 0.5, 0);
  wy_strands_destroy(strands);
  free_sim(&made);
}

/* Two hairs may grow from one place. */
static void two_guides_may_share_their_root(void **state) {
  (void)state;
  wy_rod_def rods[2] = {guide_at(0, 0, 0), guide_at(0, 0, 0)};
  test_sim made = simulate(rods, 2, "staggered");
  wy_strands *strands = create(&made, after(2, 5, 0));
  check_weights(strands, 2);
  wy_strands_destroy(strands);
  free_sim(&made);
}

/* Is a point of the plane within the unit square and the triangle on its right side? */
static bool in_house(double x, double y) {
  double slack = round_off;
  return x > -slack && y > -slack && y < 1 + slack && (x < 1 + slack || x - 1 < 2 * fmin(y, 1 - y) + slack);
}

static void strands_fill_the_hull_of_the_roots_and_stay_within(void **state) {
  (void)state;
  enum { COUNT = 600, GUIDES = 6 };
  /* A unit square with a point inside, and a roof of area 1/2 on its right side; in a tilted plane. */
  static const double roots[GUIDES][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0.3, 0.6}, {2, 0.5}};
  wy_rod_def rods[GUIDES];
  for (int i = 0; i < GUIDES; i++)
    rods[i] = guide_at(roots[i][0], roots[i][1], 0.5 * roots[i][0] - 0.2 * roots[i][1] + 3);
  test_sim made = simulate(rods, GUIDES, "staggered");
  wy_strands *strands = create(&made, after(GUIDES, COUNT, 0));
  double *x = place(strands);
  int in_roof = 0, low = 0;
  check_weights(strands, GUIDES);
  for (int k = 0; k < COUNT; k++) {
    const double *root = point_of(strands, x, k, 0);
    if (!in_house(root[0], root[1]))
      fail_msg("strand %d is at %g, %g, outside of the roots", k, root[0], root[1]);
    check_close(root[2], 0.5 * root[0] - 0.2 * root[1] + 3, round_off);
    in_roof += root[0] > 1;
    low += root[1] < 0.5;
  }
  /* By area: the roof has a third. Strands are dealt out to whole triangles, of which there are six: each within one.
   */
  check_close(in_roof, COUNT / 3.0, 6);
  check_close(low, COUNT / 2.0, 6 * 5);
  check_copies(&made, strands, round_off);
  must(wy_sim_advance(made.sim, 0.3, NULL), NULL);
  check_copies(&made, strands, steps_apart);
  free(x);
  wy_strands_destroy(strands);
  free_sim(&made);
}

/* Of a square of guides, in any unit: no two strands share their root. */
static void no_two_strands_coincide(void **state) {
  (void)state;
  enum { GUIDES = 9, COUNT = 100 };
  static const double units[] = {1, 1e160, 1e-160};
  for (int unit = 0; unit < 3; unit++) {
    wy_rod_def rods[GUIDES];
    for (int i = 0; i < GUIDES; i++)
      rods[i] = guide_at(0, units[unit] * (i % 3), units[unit] * (i / 3)); // NOLINT(bugprone-integer-division)
    test_sim made = simulate(rods, GUIDES, "staggered");
    wy_strands *strands = create(&made, after(GUIDES, COUNT, 0));
    int rod[COUNT][3];
    double weight[COUNT][3], at[COUNT][2] = {{0}};
    for (int k = 0; k < COUNT; k++) {
      assert_int_equal(wy_strands_weights(strands, k, rod[k], weight[k]), 3);
      for (int c = 0; c < 3; c++) {
        at[k][0] += weight[k][c] * (rod[k][c] % 3);
        at[k][1] += weight[k][c] * (rod[k][c] / 3); // NOLINT(bugprone-integer-division)
      }
      for (int i = 0; i < k; i++)
        if (fmax(fabs(at[i][0] - at[k][0]), fabs(at[i][1] - at[k][1])) < 1e-6)
          fail_msg("strands %d and %d are both at %g, %g", i, k, at[k][0], at[k][1]);
    }
    wy_strands_destroy(strands);
    free_sim(&made);
  }
}

static void guides_on_a_line_are_joined_to_their_neighbours(void **state) {
  (void)state;
  static const double along[4] = {0.4, 0, 1, 0.7}; /* in no order */
  wy_rod_def rods[4];
  for (int i = 0; i < 4; i++)
    rods[i] = guide_at(along[i], 2 * along[i], -along[i]);
  test_sim made = simulate(rods, 4, "staggered");
  wy_strands *strands = create(&made, after(4, 21, 0));
  double *x = place(strands);
  bool upwards = point_of(strands, x, 0, 0)[0] < 0.5;
  check_weights(strands, 4);
  for (int k = 0; k < 21; k++)
    check_close(point_of(strands, x, k, 0)[0], upwards ? k / 20.0 : 1 - k / 20.0, round_off);
  check_copies(&made, strands, round_off);
  free(x);
  wy_strands_destroy(strands);
  free_sim(&made);
}

/* Straight guides: a strand between them is straight, and as long as its share. */
static void lengths_and_segments_may_differ(void **state) {
  (void)state;
  wy_rod_def rods[3] = {guide_at(0, 0, 0), guide_at(1, 0, 0), guide_at(0, 1, 0)};
  for (int i = 0; i < 3; i++) {
    rods[i].length = 1 + i;
    rods[i].segments = 4 + 3 * i;
    rods[i].shape.curvature[1] = rods[i].shape.curvature[2] = wy_constant(0);
  }
  test_sim made = simulate(rods, 3, "staggered");
  wy_strands *strands = create(&made, after(3, 20, 0));
  assert_int_equal(wy_strands_points(strands), 11);
  double *x = place(strands);
  for (int k = 0; k < 20; k++) {
    int of[3];
    double weights[3], length = 0;
    assert_int_equal(wy_strands_weights(strands, k, of, weights), 3);
    for (int c = 0; c < 3; c++)
      length += weights[c] * (1 + of[c]);
    for (int i = 0; i < 11; i++)
      check_close(point_of(strands, x, k, i)[2], -length * i / 10, round_off);
  }
  free(x);
  wy_strands_destroy(strands);
  free_sim(&made);
}

/* With a radius, strands leave the lines between guides by no more than it. */
static void a_radius_moves_strands_off_the_line(void **state) {
  (void)state;
  wy_rod_def rods[2] = {guide_at(0, 0, 0), guide_at(1, 0, 0)};
  test_sim made = simulate(rods, 2, "staggered");
  wy_strands *on = create(&made, after(2, 40, 0)), *off = create(&made, after(2, 40, 0.1));
  double *x = place(on), *y = place(off), farthest = 0;
  for (int i = 0; i < 40 * 7; i++) {
    double away[3];
    wy_copy3(y + 3 * (size_t)i, away);
    wy_add3(away, -1, x + 3 * (size_t)i);
    farthest = fmax(farthest, wy_norm3(away));
  }
  check_at_most(farthest, 0.1 + round_off);
  check_above(farthest, 0.09);
  free(x);
  free(y);
  wy_strands_destroy(on);
  wy_strands_destroy(off);
  free_sim(&made);
}

/* Elements of order 2 have nodes inside, and strands have points there. */
static void points_are_the_nodes_of_every_scheme(void **state) {
  (void)state;
  wy_rod_def rods[2] = {guide_at(0, 0, 0), guide_at(1, 0, 0)};
  test_sim made = simulate(rods, 2, "mixed");
  wy_strands *strands = create(&made, after(2, 3, 0));
  must(wy_sim_advance(made.sim, 0.1, NULL), NULL);
  wy_points nodes = wy_sim_view(made.sim, 0)->position;
  assert_int_equal(nodes.count, 13);
  assert_int_equal(wy_strands_points(strands), 13);
  double *x = place(strands);
  for (int i = 0; i < 3 * 13; i++)
    check_close(x[i], nodes.values[i], round_off);
  free(x);
  wy_strands_destroy(strands);
  free_sim(&made);
}

/* ---- All of them ---- */

static void equal_definitions_make_equal_strands_and_placing_allocates_nothing(void **state) {
  (void)state;
  wy_rod_def rods[5];
  for (int i = 0; i < 5; i++)
    rods[i] = guide_at(cos(1.2566 * i), sin(1.2566 * i), 0);
  test_sim made = simulate(rods, 5, "staggered");
  wy_strands *one = create(&made, after(5, 100, 0.05)), *two = create(&made, after(5, 100, 0.05));
  double *x = place(one), *y = place(two);
  assert_memory_equal(x, y, 3 * 100 * 7 * sizeof *x);
#ifdef COUNTS_ALLOCATIONS
  long before = allocations;
  wy_strands_place(one, x);
  assert_int_equal(allocations, before);
#endif
  free(x);
  free(y);
  wy_strands_destroy(one);
  wy_strands_destroy(two);
  wy_strands_destroy(NULL);
  free_sim(&made);
}

static void check_refused(const test_sim *made, wy_strands_def def, const char *path, const char *part) {
  wy_strands *strands = NULL;
  wy_message message = {0};
  assert_int_equal(wy_strands_create(made->model, made->sim, &def, &strands, &message), WY_ERROR_INPUT);
  assert_null(strands);
  assert_string_equal(message.path, path);
  if (!strstr(message.text, part))
    fail_msg("got '%s', want '%s' in it", message.text, part);
  assert_int_equal(wy_strands_create(made->model, made->sim, &def, &strands, NULL), WY_ERROR_INPUT);
}

static void what_makes_no_sense_is_refused(void **state) {
  (void)state;
  static const int twice[] = {0, 1, 0}, beyond[] = {0, 7}, below[] = {-1};
  wy_rod_def rods[4] = {guide_at(0, 0, 0), guide_at(1, 0, 0), guide_at(0, 1, 0), guide_at(1, 0, 0)};
  test_sim made = simulate(rods, 4, "staggered");
  wy_strands_def def = after(3, 10, 0);
  check_refused(&made, (wy_strands_def){0}, "strands", "wy_default_strands_def");
  check_refused(&made, after(0, 10, 1), "strands.guides", "at least one");
  check_refused(&made, after(3, 0, 0), "strands.count", "found 0");
  check_refused(&made, after(3, -5, 0), "strands.count", "found -5");
  check_refused(&made, after(3, 5, -1), "strands.radius", "found -1");
  check_refused(&made, after(3, 5, NAN), "strands.radius", "nan");
  check_refused(&made, after(3, 5, INFINITY), "strands.radius", "inf");
  check_refused(&made, after(1, 5, 0), "strands.radius", "one guide only");
  check_refused(&made, after(4, 5, 0), "strands.guides", "'b' and 'd' are at the same place");
  def.guides = twice;
  check_refused(&made, def, "strands.guides", "'a' twice");
  def.guides = beyond;
  def.guide_count = 2;
  check_refused(&made, def, "strands.guides", "no rod number 7");
  def.guides = below;
  def.guide_count = 1;
  check_refused(&made, def, "strands.guides", "no rod number -1");
  def.guides = NULL;
  check_refused(&made, def, "strands.guides", "at least one");
  def = after(3, 10, 0);
  def.name = "";
  check_refused(&made, def, "strands.name", "no name");
  free_sim(&made);
}

/* ---- Triangles ---- */

static double turn(const wy_grid_point *a, const wy_grid_point *b, const wy_grid_point *c) {
  return (double)((b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x));
}

/* Twice the area of the convex hull, by walking around it. */
static double hull_area(const wy_grid_point *p, int count) {
  double area = 0;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < count; k++) { /* a side: all others on its left, or on it between its ends */
      bool side = i != k;
      for (int j = 0; side && j < count; j++)
        side = j == i || j == k || turn(&p[i], &p[k], &p[j]) > 0 ||
               (turn(&p[i], &p[k], &p[j]) == 0 &&
                (p[j].x - p[i].x) * (p[j].x - p[k].x) + (p[j].y - p[i].y) * (p[j].y - p[k].y) < 0);
      area += side ? (double)(p[i].x * p[k].y - p[i].y * p[k].x) : 0;
    }
  return area;
}

/* Triangles turn left, cover the hull once, use every point, and no point is within the circle of another's. Circles
   are compared by distances from their centres: the grid's points are exact, centres have 1e-9. */
static void check_triangles(wy_grid_point *p, int count) {
  wy_triangle triangles[200];
  int outline[100];
  bool used[100] = {false};
  check_at_most(count, 100);
  int found = wy_triangulate(p, count, triangles, outline);
  double area = 0;
  for (int t = 0; t < found; t++) {
    const wy_grid_point *a = &p[triangles[t].corner[0]], *b = &p[triangles[t].corner[1]],
                        *c = &p[triangles[t].corner[2]];
    double twice = turn(a, b, c);
    check_above(twice, 0);
    area += twice;
    double bx = (double)(b->x - a->x), by = (double)(b->y - a->y), cx = (double)(c->x - a->x),
           cy = (double)(c->y - a->y);
    double ux = (cy * (bx * bx + by * by) - by * (cx * cx + cy * cy)) / (2 * twice);
    double uy = (bx * (cx * cx + cy * cy) - cx * (bx * bx + by * by)) / (2 * twice);
    for (int i = 0; i < count; i++)
      check_above(hypot((double)(p[i].x - a->x) - ux, (double)(p[i].y - a->y) - uy), hypot(ux, uy) * (1 - 1e-9) - 1e-6);
    for (int k = 0; k < 3; k++)
      used[triangles[t].corner[k]] = true;
  }
  check_close(area, hull_area(p, count), 0);
  for (int i = 0; i < count; i++)
    assert_true(used[i]);
}

static void triangles_have_empty_circles_and_cover_the_hull(void **state) {
  (void)state;
  wy_grid_point p[100];
  unsigned seed = 7;
  for (int trial = 0; trial < 40; trial++) { /* anywhere */
    int count = 3 + 2 * trial;
    for (int i = 0; i < count; i++)
      p[i] = (wy_grid_point){(int64_t)(8192 * (1 + noise(&seed))), (int64_t)(8192 * (1 + noise(&seed))), i};
    check_triangles(p, count);
  }
  for (int n = 2; n <= 9; n++) { /* squares, whose corners are on one circle */
    for (int i = 0; i < n * n; i++)
      p[i] = (wy_grid_point){i % n * (WY_GRID / (n - 1)), i / n * (WY_GRID / (n - 1)), i};
    check_triangles(p, n * n);
  }
  for (int i = 0; i < 60; i++) /* a round head with its crown, far corners of the grid included */
    p[i] = (wy_grid_point){8192 + llround(8192 * cos(0.10471975512 * i)), 8192 + llround(8192 * sin(0.10471975512 * i)),
                           i};
  p[60] = (wy_grid_point){8192, 8192, 60};
  check_triangles(p, 61);
  for (int i = 0; i < 12; i++) /* a row, and one beside it: first, last or between */
    p[i] = (wy_grid_point){100 * i, 200 * i, i};
  for (int beside = 0; beside < 3; beside++) {
    p[12] = (wy_grid_point){beside * 600, 100 + 1000 * (beside == 1), 12};
    wy_grid_point copy[13];
    memcpy(copy, p, sizeof copy);
    check_triangles(copy, 13);
  }
  wy_triangle triangles[24];
  int outline[12];
  assert_int_equal(wy_triangulate(p, 12, triangles, outline), 0);
  assert_int_equal(wy_triangulate(p, 2, triangles, outline), 0);
}

/* ---- Files ---- */

static const char text[] = "withy: 1\ntime: {end: 0.2, output: 0.05}\ngravity: [0, 0, -9.81]\nrods:\n"
                           "  - name: a\n    length: 1\n    segments: 5\n"
                           "    section: {shape: circle, radius: 0.01}\n"
                           "    material: {density: 1000, young: 1e6, poisson: 0.3}\n"
                           "    ends: {start: clamped}\n"
                           "strands:\n  - {name: tuft, guides: [a], count: 20, radius: 0.1}\n"
                           "  - {guides: [a], count: 3, radius: 0.2}\n";

/* What pictures are made of is, frame by frame, what the strands are, rounded to single precision. */
static void the_file_holds_what_is_placed(void **state) {
  (void)state;
  char folder[] = "/tmp/withy-strands-XXXXXX", remove[64];
  wy_scenario *scenario = NULL;
  wy_scenario_error error = {.text = ""};
  wy_message message = {0};
  wy_model *model = NULL;
  wy_sim *sim = NULL;
  wy_results *results = NULL;
  double kept[5][2][20 * 6 * 3] = {{{0}}};
  assert_non_null(mkdtemp(folder));
  if (wy_scenario_read("test.yaml", "test", text, NULL, 0, &scenario, &error))
    fail_msg("%s", error.text);
  assert_int_equal(scenario->strands_count, 2);
  assert_string_equal(scenario->strands[0].name, "tuft");
  assert_string_equal(scenario->strands[1].name, "strands2");
  must(wy_model_create(&scenario->model, &model, &message), &message);
  must(wy_sim_create(model, &scenario->sim, &sim, &message), &message);
  test_sim made = {model, sim};
  wy_strands *strands[2] = {create(&made, scenario->strands[0]), create(&made, scenario->strands[1])};
  wy_results_def def = {.folder = folder, .scenario = scenario, .model = model, .sim = sim};
  must(wy_results_create(&def, &results, &message), &message);
  for (int frame = 0; isfinite(wy_results_due(results)); frame++) {
    must(wy_sim_sample(sim, wy_results_due(results), &message), &message);
    must(wy_results_record(results, &message), &message);
    for (int i = 0; i < 2; i++)
      wy_strands_place(strands[i], kept[frame][i]);
  }
  wy_run_report report = {.end = WY_RUN_DONE};
  wy_results_finish(results, &report);
  assert_int_equal(report.snapshots, 5);
  wy_folder *read = NULL;
  must(wy_folder_open(folder, &read, &message), &message);
  for (int i = 0; i < 2; i++) {
    const wy_stored_field *field = NULL;
    const double *position = NULL;
    const char *path = i == 0 ? "/strands/tuft/position" : "/strands/strands2/position";
    int count = i == 0 ? 20 : 3;
    must(wy_folder_field(read, path, 3, &field, &message), &message);
    must(wy_folder_history(read, path, 3, &position, &message), &message);
    assert_int_equal(field->lines, count);
    assert_int_equal(field->points, 6);
    for (int frame = 0; frame < 5; frame++)
      for (int k = 0; k < count * 18; k++)
        check_close(position[frame * count * 18 + k], (double)(float)kept[frame][i][k], 0);
  }
  wy_folder_close(read);
  for (int i = 0; i < 2; i++)
    wy_strands_destroy(strands[i]);
  free_sim(&made);
  wy_scenario_destroy(scenario);
  snprintf(remove, sizeof remove, "rm -r %s", folder);
  assert_int_equal(system(remove), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(strands_of_one_guide_keep_their_places_in_its_sections),
      cmocka_unit_test(the_disc_is_filled_evenly),
      cmocka_unit_test(between_two_guides_strands_go_evenly_from_one_to_the_other),
      cmocka_unit_test(two_guides_may_share_their_root),
      cmocka_unit_test(strands_fill_the_hull_of_the_roots_and_stay_within),
      cmocka_unit_test(no_two_strands_coincide),
      cmocka_unit_test(guides_on_a_line_are_joined_to_their_neighbours),
      cmocka_unit_test(lengths_and_segments_may_differ),
      cmocka_unit_test(a_radius_moves_strands_off_the_line),
      cmocka_unit_test(points_are_the_nodes_of_every_scheme),
      cmocka_unit_test(equal_definitions_make_equal_strands_and_placing_allocates_nothing),
      cmocka_unit_test(what_makes_no_sense_is_refused),
      cmocka_unit_test(triangles_have_empty_circles_and_cover_the_hull),
      cmocka_unit_test(the_file_holds_what_is_placed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
