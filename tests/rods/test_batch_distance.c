/* SPDX-License-Identifier: MIT */
/* Obstacles of batches that are grids of distances: the spline against what it is made of, and rods on it against rods
   on planes and spheres. */
#include <string.h>

#include "batch/inside.h"
#include "check.h"
#include "support/batches.h"
#include "support/grids.h"

static wy_message message;

/* ---- The spline (B21) ---- */

enum { LOOKS = 20000 };
static const double ball = 0.1, half = 0.16;

static double of_ball(const double y[3]) {
  return sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]) - ball;
}

static double of_plane(const double y[3]) {
  return y[2];
}

static double of_slope(const double y[3]) {
  return 0.5 * y[0] - 0.25 * y[1] + 0.75 * y[2] + 0.125;
}

static double of_square(const double y[3]) {
  return y[0] * y[0] - 2 * y[1] * y[1] + y[2] * y[1] + y[0] - 0.5 * y[2] * y[2];
}

typedef struct spline {
  wy_batch_grid grid;
  float *values;
  double row[WY_OBST_ROW];
} spline;

static void make(spline *it, double (*distance)(const double y[3]), int points, double size) {
  const wy_distance_grid from = grid_of(distance, points, size);
  it->values = malloc((size_t)points * (size_t)points * (size_t)points * sizeof *it->values);
  memset(it->row, 0, sizeof it->row);
  it->row[WY_OBST_GRID] = it->row[WY_OBST_D1] = it->row[WY_OBST_D2 + 1] = it->row[WY_OBST_AXIS + 2] = 1;
  wy_batch_make_grid(&from, &it->grid, it->values);
  free((float *)from.values);
}

/* The error of a quadratic spline with these coefficients is h^3/(72 sqrt(3)) of each third derivative along an axis,
   by half a step's way as much more as the fourth derivative makes of it, and at most (9/16)/24 h^4 of the fourth. Of a
   sphere in the distance rho the third is 3 n (1 - n^2)/rho^2, and the fourths add up to less than 6/rho^3. */
static double bound_on_ball(const double y[3], double h) {
  const double rho = of_ball(y) + ball, near = rho - 2 * h;
  double third = 0;
  for (int k = 0; k < 3; k++)
    third += 3 * fabs(y[k]) / rho * (1 - y[k] * y[k] / (rho * rho)) / (rho * rho);
  const double fourth = 6 / (near * near * near);
  return h * h * h / (72 * sqrt(3)) * (third + 0.5 * h * fourth) + 9.0 / 16 / 24 * h * h * h * h * fourth;
}

static void splines_follow_spheres(void **state) {
  (void)state;
  for (int points = 33; points <= 129; points = 2 * points - 1) {
    const double h = 2 * half / (points - 1), rounding = 16 * 6e-8 * 0.06;
    double most = 0, allowed = 0;
    unsigned seed = 5;
    spline it;
    make(&it, of_ball, points, half);
    for (int i = 0; i < LOOKS; i++) {
      double y[3];
      for (int k = 0; k < 3; k++)
        y[k] = 0.14 * noise(&seed);
      if (fabs(of_ball(y)) > 0.02)
        continue;
      const double error = fabs(wy_batch_grid_distance(&it.grid, it.row, y) - of_ball(y)), bound = bound_on_ball(y, h);
      if (!(error <= bound + rounding))
        fail_msg("%d points: error %.3g at %g %g %g, expected at most %.3g", points, error, y[0], y[1], y[2], bound);
      most = fmax(most, error), allowed = fmax(allowed, bound);
    }
    check_above(most, 0.3 * allowed - rounding); /* the bound is no loose one */
    free(it.values);
  }
}

/* Polynomials of second order inside of the grid, and of first order everywhere, are what they are, but for the
   rounding of numbers: those here have few digits. */
static void splines_have_polynomials(void **state) {
  (void)state;
  double (*const functions[])(const double y[3]) = {of_plane, of_slope, of_square};
  for (int f = 0; f < 3; f++) {
    unsigned seed = 9;
    spline it;
    make(&it, functions[f], 17, 2);
    for (int i = 0; i < LOOKS; i++) {
      double y[3];
      for (int k = 0; k < 3; k++)
        y[k] = (f == 2 ? 1.5 : 8) * noise(&seed); /* the outer two points of a line have no differences */
      check_close(wy_batch_grid_distance(&it.grid, it.row, y), functions[f](y), 1e-13);
    }
    free(it.values);
  }
}

/* Value and gradient go on without a jump from cell to cell, and where the spline ends. */
static void splines_are_smooth(void **state) {
  (void)state;
  const double h = 2 * half / 32, d = 1e-7;
  unsigned seed = 3;
  spline it;
  make(&it, of_ball, 33, half);
  for (int i = 0; i < 2000; i++) {
    double y[3], value[5];
    const int axis = i % 3;
    for (int k = 0; k < 3; k++)
      y[k] = 0.15 * noise(&seed);
    const double edge = i % 4 == 0 ? half - h / 2 : h * (floor(y[axis] / h) + 0.5); /* where pieces meet */
    for (int k = 0; k < 5; k++) {
      y[axis] = edge + (k - 2) * d;
      value[k] = wy_batch_grid_distance(&it.grid, it.row, y);
    }
    const double before = (value[1] - value[0]) / d, behind = (value[4] - value[3]) / d;
    /* Second differences of coefficients are 2/h at most, where distances have a kink. */
    check_close(behind, before, 3 * d * 4 / h + 1e-8);
    check_close(value[3] - value[1], d * (before + behind), 1e-14 + 4 * d * d * 4 / h);
  }
  free(it.values);
}

/* ---- Rods ---- */

enum { N = 6, VERTICES = N + 1 };
static const double radius = 5e-3;

typedef struct scene {
  wy_rod_def rod;
  wy_obstacle_def obstacle;
  wy_contact_def contact;
  wy_model_def def;
  wy_model *model;
  wy_batch *batch;
} scene;

static void set(scene *it) {
  *it =
      (scene){.rod = wy_default_rod_def(), .obstacle = wy_default_obstacle_def(), .contact = wy_default_contact_def()};
  it->rod.length = 0.3, it->rod.segments = N;
  it->rod.section.shape = WY_CIRCLE, it->rod.section.radius = wy_constant(radius);
  it->rod.material.given = true, it->rod.material.density = wy_constant(1100);
  it->rod.material.young = wy_constant(5e6), it->rod.material.poisson = wy_constant(0.5);
  it->rod.damping.kind = WY_DAMPING_TIME, it->rod.damping.time = wy_constant(2e-3);
  it->def = wy_default_model_def();
  it->def.gravity[2] = -9.81;
}

static void begin(scene *it, const wy_batch_def *def) {
  it->def.rods = &it->rod, it->def.rod_count = 1;
  it->def.obstacles = &it->obstacle, it->def.obstacle_count = 1;
  it->def.contact = &it->contact;
  must(wy_model_create(&it->def, &it->model, &message), &message);
  must(wy_batch_create(it->model, def, &it->batch, &message), &message);
}

static wy_batch_def steps(wy_batch_integrator integrator, int substeps) {
  wy_batch_def def = wy_default_batch_def();
  def.substeps = substeps, def.retries = 0, def.tolerance = INFINITY, def.integrator = integrator;
  return def;
}

static void run(scene *it, int frames, double frame_time, double *x) {
  for (int i = 0; i < frames; i++)
    must(wy_batch_advance(it->batch, frame_time, &message), &message);
  must(wy_batch_positions(it->batch, 0, 1, x, &message), &message);
}

static void end(scene *it) {
  wy_batch_destroy(it->batch);
  wy_model_destroy(it->model);
}

static void rising(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)wrt, (void)s;
  jet[0] = 0.1 * t, jet[1] = 0.1, jet[2] = 0;
}

static void turning(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)wrt, (void)s;
  jet[0] = 0.5 * t, jet[1] = 0.5, jet[2] = 0;
}

/* A tilted floor that rises and turns, once as a plane and once as a grid of it with axes of its own, with springs of
   friction and hits: the numbers of the grid are exact, so that both motions are the same up to what round-off grows to
   in 60 * 200 substeps. The rod leaves the grid and goes on lying on its plane. */
static void grids_of_planes_are_planes(void **state) {
  (void)state;
  for (int integrator = WY_BATCH_BDF2; integrator <= WY_BATCH_EXPLICIT; integrator++) {
    double x[2][3 * VERTICES], free_fall[3 * VERTICES];
    const wy_distance_grid grid = grid_of(of_plane, 9, 0.0625);
    const wy_batch_def def = steps((wy_batch_integrator)integrator, 200);
    for (int k = 0; k < 3; k++) {
      scene it;
      set(&it);
      it.rod.damping.time = wy_constant(0);
      it.rod.shape.origin[2] = radius + 0.1;
      it.rod.shape.direction[0] = 1, it.rod.shape.direction[1] = 0.3, it.rod.shape.direction[2] = 0;
      it.rod.initial.velocity[1] = wy_constant(0.8);
      it.rod.contact.none = k == 2;
      it.obstacle.axis[0] = 0.1, it.obstacle.axis[1] = -0.2, it.obstacle.axis[2] = 1;
      it.obstacle.position[2] = (wy_signal){0, rising, NULL, WY_TIME};
      it.obstacle.rotation_axis[0] = 1, it.obstacle.angle = (wy_signal){0, turning, NULL, WY_TIME};
      it.contact.friction = 0.3;
      if (k == 1) {
        it.obstacle.shape = WY_OBSTACLE_DISTANCE, it.obstacle.grid = grid;
        it.obstacle.d1[0] = 1, it.obstacle.d1[1] = 2;
      }
      begin(&it, &def);
      run(&it, 60, 0.005, k == 2 ? free_fall : x[k]);
      end(&it);
    }
    for (int i = 0; i < 3 * VERTICES; i++)
      check_close(x[1][i], x[0][i], 1e-9);
    check_above(x[0][2] - free_fall[2], 0.05); /* it has touched */
    free((float *)grid.values);
  }
}

/* A rod that is clamped beside a ball and hangs over it, at rest. Of the ball: its radius, or its grid if there are
   points; `turn`: gravity is turned by as much towards e2. */
static void hang(double size, int points, double turn, double x[3 * VERTICES]) {
  const wy_batch_def def = steps(WY_BATCH_BDF2, 50);
  wy_distance_grid grid = {.values = NULL};
  scene it;
  set(&it);
  it.obstacle.shape = WY_OBSTACLE_SPHERE, it.obstacle.radius = size;
  if (points) {
    grid = grid_of(of_ball, points, half);
    it.obstacle.shape = WY_OBSTACLE_DISTANCE, it.obstacle.grid = grid;
    it.obstacle.axis[0] = 0.2, it.obstacle.axis[1] = 0.4;
  }
  it.def.gravity[1] = 9.81 * sin(turn), it.def.gravity[2] = -9.81 * cos(turn);
  it.rod.drag.translation = 20;
  it.rod.ends[0] = wy_end_clamped();
  it.rod.shape.origin[0] = -0.1, it.rod.shape.origin[1] = 0.01, it.rod.shape.origin[2] = 0.12;
  it.rod.shape.direction[0] = 1, it.rod.shape.direction[2] = 0;
  begin(&it, &def);
  run(&it, 60, 0.05, x);
  free((float *)grid.values);
  end(&it);
}

/* The surface of the grid is off by e and its normal by a turn a, (B21). How much of both the rod shows, rods on balls
   of another size and under another gravity say: what is pushed aside by a normal that is turned, and no more than the
   whole load, is pushed as by gravity. */
static void grids_of_spheres_are_spheres(void **state) {
  (void)state;
  double want[3 * VERTICES], larger[3 * VERTICES], turned[3 * VERTICES];
  const double small = 1e-4, side[3] = {ball, 0, 0}, corner[3] = {ball / sqrt(3), ball / sqrt(3), ball / sqrt(3)};
  hang(ball, 0, 0, want);
  hang(ball + small, 0, 0, larger);
  hang(ball, 0, small, turned);
  double by_size = 0, by_turn = 0;
  for (int i = 0; i < 3 * VERTICES; i++) {
    by_size = fmax(by_size, fabs(larger[i] - want[i]) / small);
    by_turn = fmax(by_turn, fabs(turned[i] - want[i]) / small);
  }
  for (int points = 17; points <= 65; points = 2 * points - 1) {
    double x[3 * VERTICES], most = 0;
    const double h = 2 * half / (points - 1), e = fmax(bound_on_ball(side, h), bound_on_ball(corner, h));
    const double a = h * h / 12 * 2 / (sqrt(3) * ball * ball); /* 3 n (1 - n^2) is at most 2/sqrt(3) */
    hang(ball, points, 0, x);
    for (int i = 0; i < 3 * VERTICES; i++)
      most = fmax(most, fabs(x[i] - want[i]));
    print_message("%d points: off by %.3g, allowed %.3g\n", points, most, by_size * e + by_turn * a);
    check_at_most(most, by_size * e + by_turn * a + 1e-8);
  }
}

/* Saved states go on bit for bit, and not with another grid. */
static void states_belong_to_their_grid(void **state) {
  (void)state;
  double x[2][3 * VERTICES];
  const wy_distance_grid grid = grid_of(of_ball, 17, 0.16);
  const wy_batch_def def = steps(WY_BATCH_BDF2, 50);
  scene it[3];
  for (int k = 0; k < 3; k++) {
    set(&it[k]);
    it[k].rod.shape.origin[0] = -0.1, it[k].rod.shape.origin[2] = 0.12;
    it[k].rod.shape.direction[0] = 1, it[k].rod.shape.direction[2] = 0;
    it[k].contact.friction = 0.3;
    it[k].obstacle.shape = WY_OBSTACLE_DISTANCE, it[k].obstacle.grid = grid;
    ((float *)grid.values)[100] += k == 2 ? 1e-6f : 0;
    begin(&it[k], &def);
  }
  const size_t size = wy_batch_save_size(it[0].batch);
  void *saved = malloc(size);
  run(&it[0], 10, 0.01, x[0]);
  must(wy_batch_save(it[0].batch, saved, size, &message), &message);
  must(wy_batch_restore(it[1].batch, saved, size, &message), &message);
  assert_int_equal(wy_batch_restore(it[2].batch, saved, size, &message), WY_ERROR_INPUT);
  for (int k = 0; k < 2; k++)
    run(&it[k], 10, 0.01, x[k]);
  assert_memory_equal(x[0], x[1], sizeof x[0]);
  for (int k = 0; k < 3; k++)
    end(&it[k]);
  free(saved);
  free((float *)grid.values);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(splines_follow_spheres),       cmocka_unit_test(splines_have_polynomials),
      cmocka_unit_test(splines_are_smooth),           cmocka_unit_test(grids_of_planes_are_planes),
      cmocka_unit_test(grids_of_spheres_are_spheres), cmocka_unit_test(states_belong_to_their_grid),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
