/* SPDX-License-Identifier: MIT */
/* The forms of obstacles (K4): distances and normals against values found elsewhere, the normal as the gradient of the
   distance, its derivative, and the loop over many points. */
#include <string.h>

#include "check.h"
#include "contact/station.h"
#include "math/quat.h"
#include "support/rods.h"
#include "support/table.h"

static wy_form_of form_of(wy_obstacle_shape shape, double radius, double thickness, double length,
                          const double dimensions[3]) {
  wy_obstacle_def def = wy_default_obstacle_def();
  def.shape = shape;
  def.radius = radius, def.thickness = thickness, def.length = length;
  for (int k = 0; dimensions && k < 3; k++)
    def.dimensions[k] = dimensions[k];
  return wy_form_from(&def);
}

/* The turn that brings z to a direction. */
static wy_q4 turn_to(wy_v3 to) {
  const wy_v3 axis = {-to.y, to.x, 0};
  const wy_q4 q = {1 + to.z, axis.x, axis.y, axis.z};
  return wy_qtimes(1 / sqrt(wy_qsquare(q)), q);
}

static void forms_have_the_sampled_values(void **state) {
  (void)state;
  table want = read_table(WY_TEST_DATA "/contact/geometry_obstacles.csv", 46);
  const int plane = table_column(&want, "plane_x"), point = table_column(&want, "point_x");
  const int distance = table_column(&want, "distance"), normal = table_column(&want, "normal_x");
  for (int i = 0; i < want.rows; i++) {
    const double *row = table_at(&want, i, 0);
    const wy_obstacle_shape shape = (wy_obstacle_shape)(int)row[0];
    const wy_form_of form = form_of(shape, row[1], row[2], row[3], row + 4);
    const wy_carrier carrier = {.frame = turn_to(wy_at3(row + plane))};
    const wy_near near = wy_carrier_near(&form, &carrier, wy_at3(row + point));
    /* those found by minimising over the surface are known to 1e-8 */
    const double exact = shape == WY_OBSTACLE_SPHERE || shape == WY_OBSTACLE_TORUS ? 1e-8 : 1e-14;
    const wy_v3 n = wy_at3(row + normal);
    check_close(near.distance, row[distance], exact);
    check_below(wy_norm(wy_minus(near.normal, n)), 10 * exact);
  }
  free_table(&want);
}

/* A form with points on each of its parts. */
enum { MOST_POINTS = 8 };
typedef struct form_case {
  const char *name;
  wy_obstacle_shape shape;
  double radius, thickness, length, dimensions[3];
  int count;
  double points[MOST_POINTS][3];
} form_case;

static const form_case cases[] = {
    {"plane", WY_OBSTACLE_PLANE, 0, 0, 0, {0}, 2, {{0.3, -2, 0.1}, {0.3, 7, -0.01}}},
    {"sphere", WY_OBSTACLE_SPHERE, 0.4, 0, 0, {0}, 3, {{0.3, 0.2, 0.25}, {-0.1, -0.41, 0}, {0.1, 0.2, -0.3}}},
    {"side of a cylinder",
     WY_OBSTACLE_CYLINDER,
     0.3,
     0,
     0.8,
     {0},
     3,
     {{0.3, 0.1, 0.2}, {-0.2, 0.25, -0.39}, {0.2, -0.2, 0.1}}},
    {"face of a cylinder", WY_OBSTACLE_CYLINDER, 0.3, 0, 0.8, {0}, 2, {{0.1, 0.1, 0.45}, {-0.2, 0.1, -0.41}}},
    {"edge of a cylinder", WY_OBSTACLE_CYLINDER, 0.3, 0, 0.8, {0}, 2, {{0.3, 0.1, 0.45}, {-0.3, 0.25, -0.41}}},
    {"endless cylinder", WY_OBSTACLE_CYLINDER, 0.3, 0, INFINITY, {0}, 1, {{0.3, 0.1, 45}}},
    {"side of a capsule", WY_OBSTACLE_CAPSULE, 0.2, 0, 0.7, {0}, 2, {{0.2, 0.1, 0.3}, {-0.2, 0.1, -0.34}}},
    {"cap of a capsule", WY_OBSTACLE_CAPSULE, 0.2, 0, 0.7, {0}, 2, {{0.1, 0.1, 0.55}, {-0.2, 0.1, -0.36}}},
    {"face of a box",
     WY_OBSTACLE_BOX,
     0,
     0,
     0,
     {0.6, 0.8, 0.4},
     4,
     {{0.31, 0.1, 0.05}, {-0.1, -0.45, 0.1}, {0.1, 0.2, 0.25}, {0.1, 0.2, -0.19}}},
    {"edge of a box",
     WY_OBSTACLE_BOX,
     0,
     0,
     0,
     {0.6, 0.8, 0.4},
     3,
     {{0.31, 0.42, 0.05}, {-0.1, -0.45, 0.23}, {-0.35, 0.2, -0.22}}},
    {"corner of a box", WY_OBSTACLE_BOX, 0, 0, 0, {0.6, 0.8, 0.4}, 2, {{0.31, 0.42, 0.25}, {-0.32, -0.45, -0.23}}},
    {"torus",
     WY_OBSTACLE_TORUS,
     0.5,
     0.1,
     0,
     {0},
     4,
     {{0.5, 0.3, 0.1}, {-0.3, 0.2, 0.03}, {0.4, 0.3, -0.12}, {0.02, 0.5, 0.07}}},
    {"tube", WY_OBSTACLE_TUBE, 0.3, 0, 0.9, {0}, 3, {{0.2, 0.15, 0.4}, {-0.28, 0.05, -0.1}, {0.31, 0.01, 0.1}}},
    {"rim of a tube",
     WY_OBSTACLE_TUBE,
     0.3,
     0,
     0.9,
     {0},
     3,
     {{0.2, 0.15, 0.47}, {-0.25, 0.05, -0.5}, {0.33, 0.01, 0.48}}},
};
enum { CASES = sizeof cases / sizeof *cases };

static wy_form_of form_from(const form_case *c) {
  return form_of(c->shape, c->radius, c->thickness, c->length, c->dimensions);
}

static wy_v3 unit(int k, double size) {
  return (wy_v3){k == 0 ? size : 0, k == 1 ? size : 0, k == 2 ? size : 0};
}

/* Some carrier that stands askew. */
static wy_carrier askew(void) {
  const wy_q4 q = {0.6, -0.3, 0.5, 0.7};
  return (wy_carrier){.x = {0.2, -0.7, 1.1}, .frame = wy_qtimes(1 / sqrt(wy_qsquare(q)), q)};
}

static wy_v3 placed(const wy_carrier *carrier, const double point[3]) {
  return wy_plus(carrier->x, wy_apply(wy_rotation(carrier->frame), wy_at3(point)));
}

/* Distances are more than 0.01 from where parts meet; differences over 1e-5 of order 4 are then wrong by 1e-12 of the
   derivatives, and by 1e-11 of round-off. */
static void normal_is_the_gradient_and_bend_its_derivative(void **state) {
  (void)state;
  const double step = 1e-5;
  static const double factor[4] = {1, -8, 8, -1}, at[4] = {-2, -1, 1, 2};
  const wy_carrier carrier = askew();
  for (int i = 0; i < CASES; i++)
    for (int p = 0; p < cases[i].count; p++) {
      const wy_form_of form = form_from(&cases[i]);
      const wy_v3 x = placed(&carrier, cases[i].points[p]);
      const wy_near near = wy_carrier_near(&form, &carrier, x);
      double gradient[3];
      wy_m3 bend = wy_diagonal(0);
      for (int k = 0; k < 3; k++) {
        wy_v3 column = {0, 0, 0};
        gradient[k] = 0;
        for (int j = 0; j < 4; j++) {
          const wy_near moved = wy_carrier_near(&form, &carrier, wy_plus(x, unit(k, at[j] * step)));
          gradient[k] += factor[j] * moved.distance / (12 * step);
          column = wy_plus(column, wy_times(factor[j] / (12 * step), moved.normal));
        }
        *(k == 0 ? &bend.a : k == 1 ? &bend.b : &bend.c) = column;
      }
      const wy_m3 wrong = wy_mminus(bend, near.bend), skewed = wy_mminus(near.bend, wy_mtransposed(near.bend));
      const double size = wy_norm(near.bend.a) + wy_norm(near.bend.b) + wy_norm(near.bend.c);
      const double off = wy_norm(wrong.a) + wy_norm(wrong.b) + wy_norm(wrong.c);
      if (!(wy_norm(wy_minus(wy_at3(gradient), near.normal)) < 1e-9 && off < 1e-8 * (1 + size)))
        fail_msg("%s, point %d: normal off by %.3g, bend by %.3g of %.3g", cases[i].name, p,
                 wy_norm(wy_minus(wy_at3(gradient), near.normal)), off, size);
      check_close(wy_norm(near.normal), 1, 1e-14);
      check_below(wy_norm(wy_apply(near.bend, near.normal)), 1e-12 * (1 + size));
      check_below(wy_norm(skewed.a) + wy_norm(skewed.b) + wy_norm(skewed.c), 1e-13 * (1 + size));
    }
}

/* Distance and normal are continuous where the parts of a form meet. */
static void parts_meet(void **state) {
  (void)state;
  static const struct {
    int form; /* of `cases` */
    double at[3], across[3];
  } seams[] = {{3, {0.3, 0, 0.44}, {1, 0, 0}},     {2, {0.35, 0, 0.4}, {0, 0, 1}},    {6, {0.2, 0.1, 0.35}, {0, 0, 1}},
               {8, {0.3, 0.1, 0.25}, {1, 0, 0}},   {8, {0.3, -0.45, 0.1}, {1, 0, 0}}, {9, {0.35, 0.4, 0.25}, {0, 1, 0}},
               {9, {-0.35, -0.45, 0.2}, {0, 0, 1}}};
  const double way = 1e-9;
  for (unsigned i = 0; i < sizeof seams / sizeof *seams; i++) {
    const wy_form_of form = form_from(&cases[seams[i].form]);
    const wy_v3 at = wy_at3(seams[i].at), step = wy_times(way, wy_at3(seams[i].across));
    const wy_near a = wy_form_near(&form, wy_minus(at, step)), b = wy_form_near(&form, wy_plus(at, step));
    check_close(a.distance, b.distance, 3 * way);
    check_below(wy_norm(wy_minus(a.normal, b.normal)), 2 * way / 0.03);
  }
}

/* Loop and single point agree, whatever the alignment; distances inside of solids are negative. */
static void loops_agree(void **state) {
  (void)state;
  enum { POINTS = 37, STRIDE = 41 };
  double y[3 * STRIDE], distance[POINTS];
  unsigned seed = 5;
  for (int i = 0; i < CASES; i++) {
    const wy_form_of form = form_from(&cases[i]);
    for (int k = 0; k < 3 * STRIDE; k++)
      y[k] = 0.6 * noise(&seed);
    wy_form_distances(&form, POINTS, STRIDE, y, distance);
    for (int k = 0; k < POINTS; k++) {
      const wy_v3 point = wy_load3(y, STRIDE, k);
      check_close(distance[k], wy_form_near(&form, point).distance, 1e-15);
    }
  }
  const form_case *solid[] = {&cases[0], &cases[1], &cases[2], &cases[6], &cases[8], &cases[11]};
  static const double inside[][3] = {{0, 0, -1},     {0.1, 0, 0},     {0.1, 0, 0.1},
                                     {0, 0.1, 0.36}, {0.1, 0, -0.05}, {0.5, 0.05, 0.01}};
  for (int i = 0; i < 6; i++) {
    const wy_form_of form = form_from(solid[i]);
    check_below(wy_form_near(&form, wy_at3(inside[i])).distance, 0);
  }
}

/* No point of a ball is closer than its clearance, and where distances change as fast as places, that of the nearest
   one is not much more; endless tubes and rims among them. */
static void balls_are_clear(void **state) {
  (void)state;
  enum { BALLS = 40, POINTS = 50 };
  unsigned seed = 11;
  for (int i = 0; i < CASES; i++) {
    const wy_form_of form = form_from(&cases[i]);
    double y[3 * BALLS], size[BALLS], clearance[BALLS], centre[BALLS];
    for (int k = 0; k < BALLS; k++) {
      wy_store3(y, BALLS, k, (wy_v3){0.8 * noise(&seed), 0.8 * noise(&seed), 0.8 * noise(&seed)});
      size[k] = 0.3 * fabs(noise(&seed));
    }
    wy_form_clearances(&form, BALLS, BALLS, y, size, clearance);
    wy_form_distances(&form, BALLS, BALLS, y, centre);
    for (int k = 0; k < BALLS; k++) {
      if (form.shape != WY_OBSTACLE_TUBE)
        check_close(clearance[k], centre[k] - size[k], 1e-15);
      for (int p = 0; p < POINTS; p++) {
        const wy_v3 out = {noise(&seed), noise(&seed), noise(&seed)};
        const wy_v3 at = wy_plus(wy_load3(y, BALLS, k), wy_times(size[k] / wy_norm(out), out));
        const double distance = wy_form_near(&form, at).distance;
        check_below(clearance[k] > 0 ? clearance[k] - distance : 0, 1e-14);
      }
    }
  }
}

/* Beyond its length the rim of a tube is what is nearest, and where it begins the distance and the normal are those of
   the wall; endless tubes are everywhere. Nowhere is anything no number. */
static void ends_and_axes(void **state) {
  (void)state;
  const wy_form_of tube = form_of(WY_OBSTACLE_TUBE, 0.3, 0, 0.9, NULL);
  check_close(wy_form_near(&tube, (wy_v3){0.26, 0, 0.48}).distance, 0.05, 1e-15);
  const wy_near inside = wy_form_near(&tube, (wy_v3){0.29, 0, 0.45 - 1e-9}),
                beyond = wy_form_near(&tube, (wy_v3){0.29, 0, 0.45 + 1e-9});
  check_close(beyond.distance, inside.distance, 1e-15); /* a circle of 0.01 leaves its tangent by 5e-17 */
  check_close(wy_norm(wy_minus(beyond.normal, inside.normal)), 0, 1.01e-7);
  check_close(wy_form_near(&tube, (wy_v3){0.29, 0, 0.44}).distance, 0.01, 1e-15);
  const wy_form_of endless = form_of(WY_OBSTACLE_TUBE, 0.3, 0, INFINITY, NULL);
  check_close(wy_form_near(&endless, (wy_v3){0.29, 0, 1e9}).distance, 0.01, 1e-15);
  static const double medial[][3] = {{0, 0, 0}, {0, 0, 0.4}, {0.5, 0, 0}, {0.3, 0.4, 0.2}};
  for (int i = 0; i < CASES; i++)
    for (int k = 0; k < 4; k++) {
      const wy_form_of form = form_from(&cases[i]);
      const wy_near near = wy_form_near(&form, wy_at3(medial[k]));
      check_close(wy_norm(near.normal), 1, 1e-14);
      assert_false(isnan(near.distance));
      assert_true(isfinite(wy_norm(near.bend.a) + wy_norm(near.bend.b) + wy_norm(near.bend.c)));
    }
}

static void smallest_radius(void **state) {
  (void)state;
  static const double want[CASES] = {INFINITY, 0.4,      0.3,      0.3,      0.3, 0.3,      0.2,
                                     0.2,      INFINITY, INFINITY, INFINITY, 0.1, INFINITY, INFINITY};
  for (int i = 0; i < CASES; i++) {
    const wy_form_of form = form_from(&cases[i]);
    check_close(wy_form_smallest_radius(&form), want[i], 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(forms_have_the_sampled_values),
                                     cmocka_unit_test(normal_is_the_gradient_and_bend_its_derivative),
                                     cmocka_unit_test(parts_meet),
                                     cmocka_unit_test(loops_agree),
                                     cmocka_unit_test(balls_are_clear),
                                     cmocka_unit_test(ends_and_axes),
                                     cmocka_unit_test(smallest_radius)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
