/* SPDX-License-Identifier: MIT */
/* Rods on obstacles in motion, against closed forms: rest, bounces, slopes, stick, belts and drums, and the wave of a
   sudden pull. The values are those of tests/data/contact/README.md. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "support/rods.h"

static const double pi = 3.14159265358979323846, gravity = 9.81;
/* The standard rod: radius, mass per length, stiffness of its skin. */
static const double radius = 5e-3, mass = 0.086393797973719, skin = 5.2359877559829887e6;

/* ---- Scenes ---- */

/* A rod on obstacles, with what they point to. */
typedef struct scene {
  wy_rod_def rod;
  wy_obstacle_def obstacles[2];
  int obstacle_count;
  wy_contact_def contact;
  wy_load_def load;
  bool loaded;
  wy_solver_def solver;
  double gravity[3], end;
} scene;

static wy_rod_def standard_rod(double length, int segments) {
  wy_rod_def rod = wy_default_rod_def();
  rod.length = length;
  rod.segments = segments;
  rod.section.shape = WY_CIRCLE;
  rod.section.radius = wy_constant(radius);
  rod.material.given = true;
  rod.material.density = wy_constant(1100);
  rod.material.young = wy_constant(5e6);
  rod.material.poisson = wy_constant(0.5);
  return rod;
}

/* The standard rod over the floor z = 0, the surface of the rod at a height above it. */
static scene on_floor(double length, int segments, double gap) {
  scene s = {.rod = standard_rod(length, segments), .obstacle_count = 1, .gravity = {0, 0, -gravity}, .end = INFINITY};
  s.obstacles[0] = wy_default_obstacle_def();
  s.contact = wy_default_contact_def();
  s.solver = wy_default_solver_def();
  s.solver.integrator = "radau5";
  s.solver.relative_tolerance = s.solver.absolute_tolerance = 1e-7;
  s.rod.shape.origin[2] = radius + gap;
  return s;
}

/* The depth at which the skin carries a load per length (K1), below the onset; the core is far away. */
static double depth_of(double load) {
  const double b = radius / 20, c = radius / 2;
  double low = 0, high = b;
  for (int i = 0; i < 200; i++) {
    const double d = 0.5 * (low + high), y = d / b, x = d / c;
    const double p = skin * (b * (y * y * y - 0.5 * y * y * y * y) + c * x * x * x / (1 - x * x));
    *(p < load ? &low : &high) = d;
  }
  return low;
}

/* Gravity turned against the floor, which is then a slope down towards x; the rod lies in the skin that carries it. */
static void lie_on_slope(scene *s, double degrees) {
  const double angle = degrees * pi / 180;
  s->gravity[0] = gravity * sin(angle), s->gravity[2] = -gravity * cos(angle);
  s->rod.shape.origin[2] = radius - depth_of(mass * gravity * cos(angle));
}

/* The same in a linear skin, so thin under its weight, 3e-5 of the radius, that the lever of friction is the radius. */
static void lie_on_hard_slope(scene *s, double degrees, double mass_per_length) {
  lie_on_slope(s, degrees);
  s->rod.contact.blend = 0;
  s->rod.contact.stiffness = skin;
  s->rod.shape.origin[2] = radius + s->gravity[2] * mass_per_length / skin;
}

static test_sim make(const scene *s) {
  test_sim made = {0};
  wy_message message = {0};
  wy_model_def def = wy_default_model_def();
  wy_sim_def sim = wy_default_sim_def();
  def.rods = &s->rod, def.rod_count = 1;
  def.obstacles = s->obstacles, def.obstacle_count = s->obstacle_count;
  def.contact = &s->contact;
  def.loads = &s->load, def.load_count = s->loaded;
  memcpy(def.gravity, s->gravity, sizeof def.gravity);
  sim.solver = s->solver;
  sim.end = s->end;
  must(wy_model_create(&def, &made.model, &message), &message);
  must(wy_sim_create(made.model, &sim, &made.sim, &message), &message);
  return made;
}

static void advance(const test_sim *made, double t) {
  wy_message message = {0};
  must(wy_sim_advance(made->sim, t, &message), &message);
}

/* The mean over all points of the centreline, and of the velocities. */
static double mean_of(const wy_points *points, int component) {
  double sum = 0;
  for (int i = 0; i < points->count; i++)
    sum += points->values[i * points->components + component];
  return sum / points->count;
}

static double mean_place(const test_sim *made, int component) {
  return mean_of(&wy_sim_view(made->sim, 0)->position, component);
}

static double mean_velocity(const test_sim *made, int component) {
  return mean_of(&wy_sim_view(made->sim, 0)->velocity, component);
}

/* energy - energy(0) = work - dissipated, relative to `scale`. */
static void check_balance(const test_sim *made, double first, double scale, double tolerance) {
  const wy_energy e = wy_sim_energy(made->sim, 0);
  check_close(e.total - first, e.work - e.dissipated, tolerance * scale);
  check_at_least(e.impact, -tolerance * scale);
}

static long steps_of(const test_sim *made) {
  const wy_statistics s = wy_sim_statistics(made->sim, 0);
  return s.steps + s.rejected;
}

/* ---- Rest and bounces ---- */

static void rod_rests_at_its_depth(void **state) {
  (void)state;
  scene s = on_floor(0.5, 10, 0);
  const double depth = depth_of(mass * gravity);
  check_close(depth, 2.187668639e-05, 1e-12);
  s.rod.shape.origin[2] = radius - depth;
  test_sim made = make(&s);
  advance(&made, 0.2);
  check_close(mean_place(&made, 2), radius - depth, 1e-12);
  free_sim(&made);
}

/* Times and heights of apexes, dropped flat from a gap of 0.1: height and vertical speed at the time of each. */
typedef struct apex {
  double e, time, gap;
} apex;
static const apex apexes[] = {{1, 0.2861462842, 0.1000000001},     {1, 0.5722925685, 0.1000000002},
                              {0.8, 0.2575305407, 0.06390038199},  {0.8, 0.4635405504, 0.04080922285},
                              {0.8, 0.6283362832, 0.02604148726},  {0.5, 0.2146452993, 0.02480898845},
                              {0.5, 0.3219390219, 0.006073888282}, {0.5, 0.3755659825, 0.001430371082}};

static void flat_drop_of(double e, int segments, const char *integrator) {
  scene s = on_floor(0.5, segments, 0.1);
  s.contact.restitution = e;
  s.contact.speed = 1e-4;
  s.solver.integrator = integrator;
  s.solver.relative_tolerance = s.solver.absolute_tolerance = 1e-10;
  test_sim made = make(&s);
  const double first = wy_sim_energy(made.sim, 0).total;
  for (unsigned i = 0; i < sizeof apexes / sizeof *apexes; i++)
    if (apexes[i].e == e) {
      advance(&made, apexes[i].time);
      const double gap = mean_place(&made, 2) - radius, speed = mean_velocity(&made, 2);
      if (!(fabs(gap - apexes[i].gap) < 1e-6 && fabs(speed) < 1e-6 * gravity))
        fail_msg("e = %g, %d segments, %s, apex %.4f: gap %.10f, want %.10f; time off by %.3g", e, segments, integrator,
                 apexes[i].time, gap, apexes[i].gap, speed / gravity);
    }
  check_balance(&made, first, mass * 0.5 * gravity * 0.1, 1e-6);
  print_message("e = %g, %d segments, %s: %ld steps\n", e, segments, integrator, steps_of(&made));
  free_sim(&made);
}

static void flat_drop(void **state) {
  (void)state;
  flat_drop_of(1, 10, "radau5");
  flat_drop_of(0.8, 10, "radau5");
  flat_drop_of(0.5, 10, "radau5");
  flat_drop_of(0.5, 10, "dop853");
}

static void bounce_does_not_depend_on_segments(void **state) {
  (void)state;
  flat_drop_of(0.8, 20, "radau5");
  flat_drop_of(0.8, 50, "radau5");
  flat_drop_of(0.8, 100, "radau5");
}

/* ---- Slopes ---- */

static double spin_of(const test_sim *made) {
  return fabs(mean_of(&wy_sim_view(made->sim, 0)->angular_velocity, 2));
}

/* Accelerations once friction has built up, between t = 0.1 and 0.2. */
static void slope_across(double mu, double inner, double want, double want_spin) {
  scene s = on_floor(0.3, 6, 0);
  s.rod.shape.direction[1] = 1;
  s.contact.friction = mu;
  lie_on_hard_slope(&s, 30, mass * (1 - inner * inner));
  if (inner > 0) {
    s.rod.section.shape = WY_ANNULUS;
    s.rod.section.outer = wy_constant(radius);
    s.rod.section.inner = wy_constant(inner * radius);
  }
  test_sim made = make(&s);
  advance(&made, 0.1);
  const double speed = mean_velocity(&made, 0), spin = spin_of(&made);
  advance(&made, 0.2);
  const double faster = (mean_velocity(&made, 0) - speed) / 0.1, turns = radius * (spin_of(&made) - spin) / 0.1;
  print_message("slope, mu %g, inner %g: acceleration %.6f (%.6f), of spin %.6f (%.6f), %ld steps\n", mu, inner, faster,
                want, turns, want_spin, steps_of(&made));
  check_close(faster, want, 1e-4 * want);
  check_close(turns, want_spin, 1e-4 * want_spin);
  free_sim(&made);
}

static void rods_roll_and_slip_across_a_slope(void **state) {
  (void)state;
  slope_across(0.3, 0, 3.27, 3.27);
  slope_across(0.15, 0, 3.630643618, 2.548712763);
  slope_across(0.3, 0.8, 2.695054945, 2.695054945);
}

static void rod_slides_along_a_slope(void **state) {
  (void)state;
  scene s = on_floor(0.3, 6, 0);
  s.contact.friction = 0.3;
  lie_on_slope(&s, 30);
  test_sim made = make(&s);
  const double first = wy_sim_energy(made.sim, 0).total;
  advance(&made, 0.1);
  const double before = mean_velocity(&made, 0);
  advance(&made, 0.2);
  check_close((mean_velocity(&made, 0) - before) / 0.1, 2.356287237, 1e-4 * 2.356287237);
  const wy_energy e = wy_sim_energy(made.sim, 0);
  check_close(e.friction, 0.3 * mass * 0.3 * gravity * cos(pi / 6) * (mean_place(&made, 0) - 0.15), 1e-3 * e.friction);
  check_balance(&made, first, e.friction, 1e-5);
  free_sim(&made);
}

static void thrown_rod_begins_to_roll(void **state) {
  (void)state;
  scene s = on_floor(0.3, 6, 0);
  s.rod.shape.direction[1] = 1;
  s.rod.initial.velocity[0] = wy_constant(1);
  s.contact.friction = 0.2;
  lie_on_hard_slope(&s, 0, mass);
  test_sim made = make(&s);
  advance(&made, 0.1698946653);
  print_message("thrown: place %.6f (0.141579), speed %.6f, ", mean_place(&made, 0), mean_velocity(&made, 0));
  check_close(mean_place(&made, 0), 0.1415788878, 1e-4);
  check_close(mean_velocity(&made, 0), 2.0 / 3, 1e-3);
  advance(&made, 0.3);
  print_message("then %.6f (0.666667)\n", mean_velocity(&made, 0));
  check_close(mean_velocity(&made, 0), 2.0 / 3, 1e-4);
  check_close(spin_of(&made) * radius, 2.0 / 3, 1e-4);
  free_sim(&made);
}

/* ---- Stick ---- */

static scene on_gentle_slope(bool stick) {
  scene s = on_floor(0.3, 6, 0);
  s.contact.friction = 0.5;
  s.contact.slip = radius / 100;
  s.contact.speed = 3e-3;
  s.contact.stick = stick;
  lie_on_slope(&s, 10);
  return s;
}

static void rod_sticks_to_a_slope(void **state) {
  (void)state;
  scene s = on_gentle_slope(true);
  test_sim made = make(&s);
  const double before = mean_place(&made, 0), slip = s.contact.slip;
  advance(&made, 1);
  const double way = mean_place(&made, 0) - before;
  print_message("stick: moved %.6f z_s (0.195422), %ld steps\n", way / slip, steps_of(&made));
  check_close(way / slip, 0.1954218257, 2e-3);
  advance(&made, 101);
  print_message("100 s later: moved %.3g z_s, %ld steps\n", (mean_place(&made, 0) - before - way) / slip,
                steps_of(&made));
  check_close(mean_place(&made, 0) - before, way, 1e-3 * slip);
  free_sim(&made);
}

static void damper_alone_creeps(void **state) {
  (void)state;
  scene s = on_gentle_slope(false);
  test_sim made = make(&s);
  advance(&made, 0.5);
  const double before = mean_place(&made, 0);
  advance(&made, 1.5);
  check_close((mean_place(&made, 0) - before) / s.contact.speed, 0.1954218257, 2e-4);
  free_sim(&made);
}

/* The wave of a sudden pull: a front that runs at the speed of sound, behind it one speed that falls, until all stops.
   The skin holds a rod down with little room, and grids are coarse: 2 %. */
static void sudden_pull(void **state) {
  (void)state;
  const double stops = 0.01312565636, moved = 0.0001690094806, reached = 0.8849315713;
  scene s = on_floor(1, 200, 0);
  s.contact.friction = 0.4;
  s.contact.slip = 5e-7;
  s.contact.speed = 2.5e-5;
  lie_on_slope(&s, 0);
  s.load = wy_default_load_def();
  s.load.force[0] = wy_constant(0.15);
  s.loaded = true;
  s.solver.relative_tolerance = s.solver.absolute_tolerance = 1e-7;
  test_sim made = make(&s);
  double place[4];
  wy_message message = {0};
  advance(&made, 0.5 * stops); /* all that moves has had a speed that fell evenly to a half */
  must(wy_sim_probe(made.sim, WY_POSITION, 0, 1, place, &message), &message);
  check_close(place[0] - 1, 0.75 * moved, 0.02 * moved);
  advance(&made, 1.02 * stops);
  must(wy_sim_probe(made.sim, WY_POSITION, 0, 1, place, &message), &message);
  const double stopped = place[0];
  advance(&made, 1.5 * stops);
  must(wy_sim_probe(made.sim, WY_POSITION, 0, 1, place, &message), &message);
  check_close(place[0], stopped, 0.02 * moved);
  must(wy_sim_probe(made.sim, WY_POSITION, 0, 0.98 - reached, place, &message), &message); /* beyond the front */
  check_close(place[0], 0.98 - reached, 0.02 * moved);
  must(wy_sim_probe(made.sim, WY_POSITION, 0, 1, place, &message), &message);
  print_message("sudden pull: %.6g, want %.6g (%.2f %%), %ld steps\n", place[0] - 1, moved,
                100 * ((place[0] - 1) / moved - 1), steps_of(&made));
  check_close(place[0] - 1, moved, 0.02 * moved);
  free_sim(&made);
}

/* ---- What moves rods ---- */

static void belt_carries_a_rod(void **state) {
  (void)state;
  scene s = on_floor(0.3, 6, 0);
  s.contact.friction = 0.3;
  s.obstacles[0].surface_velocity[0] = 0.2;
  lie_on_slope(&s, 0);
  test_sim made = make(&s);
  const double early = 0.05, first = wy_sim_energy(made.sim, 0).total;
  advance(&made, early);
  check_close(mean_velocity(&made, 0), 0.3 * gravity * early, 2e-3 * 0.2);
  advance(&made, 0.3);
  check_close(mean_velocity(&made, 0), 0.2, 1e-5);
  /* half of the work is lost in slip */
  const wy_energy e = wy_sim_energy(made.sim, 0);
  check_close(e.work, mass * 0.3 * 0.04, 1e-2 * e.work);
  check_close(e.friction, 0.5 * e.work, 1e-2 * e.work);
  check_balance(&made, first, e.work, 1e-4);
  free_sim(&made);
}

static void turn_steadily(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)s, (void)wrt;
  jet[0] = *(const double *)context * t, jet[1] = *(const double *)context, jet[2] = 0;
}

/* A stiff rod on two drums that turn the same way moves with their surface. */
static void drums_carry_a_rod(void **state) {
  (void)state;
  static const double rate = 2;
  scene s = on_floor(0.6, 30, 0);
  s.rod.material.young = wy_constant(5e8);
  s.rod.damping.kind = WY_DAMPING_TIME;
  s.rod.damping.time = wy_constant(1e-4);
  s.rod.shape.origin[0] = -0.3;
  s.contact.friction = 0.5;
  s.contact.restitution = 0.2;
  s.obstacle_count = 2;
  for (int i = 0; i < 2; i++) {
    wy_obstacle_def *drum = &s.obstacles[i];
    *drum = wy_default_obstacle_def();
    drum->shape = WY_OBSTACLE_CYLINDER;
    drum->name = i ? "right" : "left";
    drum->radius = 0.05, drum->length = 0.1;
    drum->axis[0] = drum->axis[2] = 0, drum->axis[1] = 1;
    drum->position[0] = wy_constant(i ? 0.15 : -0.15), drum->position[2] = wy_constant(-0.05);
    drum->rotation_axis[0] = drum->rotation_axis[2] = 0, drum->rotation_axis[1] = 1;
    drum->angle = (wy_signal){0, turn_steadily, &rate, WY_TIME};
  }
  s.solver.relative_tolerance = s.solver.absolute_tolerance = 1e-6;
  test_sim made = make(&s);
  const double first = wy_sim_energy(made.sim, 0).total;
  advance(&made, 0.4);
  print_message("drums: speed %.6f (0.1), %ld steps\n", mean_velocity(&made, 0), steps_of(&made));
  /* the rod sags a little between the drums and turns on them, with less than a radius of its own */
  check_close(mean_velocity(&made, 0), rate * 0.05, 0.03 * rate * 0.05);
  check_balance(&made, first, wy_sim_energy(made.sim, 0).work, 1e-2);
  free_sim(&made);
}

/* ---- Kinds and sizes ---- */

/* Rods without shear or extension fall askew, by an implicit method and by an explicit one, which has a form of its own
   for inextensible rods: both find the same. */
static void constrained_rods_fall(void **state) {
  (void)state;
  for (int kind = WY_KIRCHHOFF; kind <= WY_INEXTENSIBLE; kind++) {
    double tips[2][3];
    for (int explicitly = 0; explicitly < 2; explicitly++) {
      scene s = on_floor(0.3, 8, 0.01);
      s.rod.kind = (wy_rod_kind)kind;
      s.rod.shape.direction[0] = cos(0.1), s.rod.shape.direction[2] = sin(0.1);
      s.contact.restitution = 0.3;
      s.contact.speed = 1e-2;
      s.solver.integrator = explicitly ? "dopri5" : "radau5";
      s.solver.relative_tolerance = s.solver.absolute_tolerance = 1e-8;
      test_sim made = make(&s);
      const double first = wy_sim_energy(made.sim, 0).total;
      advance(&made, 0.12);
      double place[4];
      wy_message message = {0};
      must(wy_sim_probe(made.sim, WY_POSITION, 0, 0.3, place, &message), &message);
      memcpy(tips[explicitly], place, sizeof tips[explicitly]);
      check_balance(&made, first, mass * 0.3 * gravity * 0.03, 1e-5);
      check_above(wy_sim_energy(made.sim, 0).impact, 0.1 * mass * 0.3 * gravity * 0.01);
      print_message("kind %d, %s: tip %.8f %.8f, %ld steps\n", kind, s.solver.integrator, place[0], place[2],
                    steps_of(&made));
      free_sim(&made);
    }
    for (int k = 0; k < 3; k++)
      check_close(tips[0][k], tips[1][k], 1e-6);
  }
}

/* They come to rest, too. */
static void constrained_rods_rest(void **state) {
  (void)state;
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
    scene s = on_floor(0.3, 8, 0.005);
    s.rod.kind = (wy_rod_kind)kind;
    s.rod.shape.direction[0] = cos(0.05), s.rod.shape.direction[2] = sin(0.05);
    s.rod.damping.kind = WY_DAMPING_TIME;
    s.rod.damping.time = wy_constant(1e-3);
    s.contact.restitution = 0.2;
    s.contact.friction = 0.3;
    s.solver.relative_tolerance = s.solver.absolute_tolerance = 1e-5;
    test_sim made = make(&s);
    advance(&made, 2);
    const double moving = wy_sim_energy(made.sim, 0).kinetic;
    print_message("kind %d: depth %.4g, kinetic energy %.3g, %ld steps\n", kind, radius - mean_place(&made, 2), moving,
                  steps_of(&made));
    check_close(radius - mean_place(&made, 2), depth_of(mass * gravity), 0.05 * depth_of(mass * gravity));
    check_below(moving, 1e-9 * mass * 0.3 * gravity * 0.005);
    free_sim(&made);
  }
}

/* A soft thick rod falls around a wide soft drum: contact is spread over many segments, and the grid has order 2. */
static double tip_error(int segments, const void *context) {
  double tips[3][3];
  (void)context;
  for (int i = 0; i < 3; i++) { /* the grid, and two finer ones to find the limit with */
    scene s = on_floor(0.5, i == 0 ? segments : i * 64, 0);
    s.obstacles[0].shape = WY_OBSTACLE_SPHERE;
    s.obstacles[0].radius = 0.2;
    s.obstacles[0].position[0] = wy_constant(0.25);
    s.obstacles[0].position[2] = wy_constant(-0.2);
    s.rod.contact.radius = wy_constant(0.05);
    s.rod.contact.stiffness = 400;
    s.rod.contact.blend = 0.5;
    s.rod.shape.origin[2] = 0.05;
    s.contact.restitution = 1;
    s.solver.relative_tolerance = s.solver.absolute_tolerance = 1e-10;
    test_sim made = make(&s);
    double place[4];
    wy_message message = {0};
    advance(&made, 0.1);
    must(wy_sim_probe(made.sim, WY_POSITION, 0, 0.5, place, &message), &message);
    memcpy(tips[i], place, sizeof tips[i]);
    free_sim(&made);
  }
  double error = 0;
  for (int k = 0; k < 3; k++)
    error += pow(tips[0][k] - (4 * tips[2][k] - tips[1][k]) / 3, 2);
  return sqrt(error);
}

static void order_two_where_contact_is_resolved(void **state) {
  (void)state;
  second_order("on a sphere", tip_error, NULL, 8, 6e-3);
}

/* A hundred thousand segments lie on a floor. */
static void long_rod(void **state) {
  (void)state;
  scene s = on_floor(1000, 100000, 0);
  s.contact.friction = 0.3;
  s.solver.relative_tolerance = s.solver.absolute_tolerance = 1e-3;
  lie_on_slope(&s, 0);
  test_sim made = make(&s);
  wy_message message = {0};
  for (int i = 0; i < 3; i++)
    must(wy_sim_step(made.sim, &message), &message);
  check_above(wy_sim_time(made.sim), 0);
  check_close(mean_place(&made, 2), s.rod.shape.origin[2], 1e-9);
  free_sim(&made);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rod_rests_at_its_depth),
                                     cmocka_unit_test(flat_drop),
                                     cmocka_unit_test(bounce_does_not_depend_on_segments),
                                     cmocka_unit_test(rods_roll_and_slip_across_a_slope),
                                     cmocka_unit_test(rod_slides_along_a_slope),
                                     cmocka_unit_test(thrown_rod_begins_to_roll),
                                     cmocka_unit_test(rod_sticks_to_a_slope),
                                     cmocka_unit_test(damper_alone_creeps),
                                     cmocka_unit_test(sudden_pull),
                                     cmocka_unit_test(belt_carries_a_rod),
                                     cmocka_unit_test(drums_carry_a_rod),
                                     cmocka_unit_test(constrained_rods_fall),
                                     cmocka_unit_test(constrained_rods_rest),
                                     cmocka_unit_test(order_two_where_contact_is_resolved),
                                     cmocka_unit_test(long_rod)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
