/* SPDX-License-Identifier: MIT */
#include "support/network_scenes.h"

#include <string.h>

#include "check.h"
#include "math/quat.h"

static const double pi = 3.14159265358979323846;

wy_rod_def section_of(const double stiffness[6], const double inertia[4], int segments) {
  wy_rod_def rod = wy_default_rod_def();
  rod.segments = segments;
  rod.has_stiffness = rod.has_inertia = true;
  for (int i = 0; i < 6; i++)
    rod.stiffness[i] = wy_constant(stiffness[i]);
  for (int i = 0; i < 4; i++)
    rod.inertia[i] = wy_constant(inertia[i]);
  return rod;
}

test_sim make_network(test_network *net, const wy_solver_def *solver, bool statics, double end) {
  test_sim made = {0};
  wy_message message = {0};
  wy_sim_def def = wy_default_sim_def();
  def.solver = *solver;
  def.statics = statics;
  def.end = end;
  must(wy_model_create(network_model(net), &made.model, &message), &message);
  must(wy_sim_create(made.model, &def, &made.sim, &message), &message);
  return made;
}

void place_of(const test_sim *made, int rod, wy_end_name end, double place[3]) {
  const wy_view *view = wy_sim_view(made->sim, rod);
  memcpy(place, view->position.values + (end == WY_END ? 3 * (view->position.count - 1) : 0), 3 * sizeof *place);
}

/* The extremum of the polynomial through six points (s, y). */
static double extremum(const double s[6], const double y[6], double sign) {
  double best = -INFINITY;
  for (int k = 0; k <= 1000; k++) {
    const double at = s[2] + (s[3] - s[2]) * (k / 500.0 - 0.5);
    double sum = 0;
    for (int i = 0; i < 6; i++) {
      double part = y[i];
      for (int j = 0; j < 6; j++)
        part *= j == i ? 1 : (at - s[j]) / (s[i] - s[j]);
      sum += part;
    }
    best = fmax(best, sign * sum);
  }
  return sign * best;
}

int limits_on_path(const test_sim *made, int rod, wy_end_name end, double until, int most, double *limits) {
  enum { POINTS = 200 };
  double way[POINTS], t[POINTS], before[3] = {0, 0, 0};
  wy_message message = {0};
  int count = 0, found = 0;
  while (count < POINTS && found < most && wy_sim_time(made->sim) < until) {
    double place[3], step[3];
    must(wy_sim_follow_step(made->sim, until, &message), &message);
    place_of(made, rod, end, place);
    for (int k = 0; k < 3; k++)
      step[k] = place[k] - before[k];
    way[count] = count == 0 ? 0 : way[count - 1] + wy_norm3(step);
    t[count] = wy_sim_time(made->sim);
    memcpy(before, place, sizeof before);
    const int i = count++ - 3; /* three points before it and three after */
    const double sign = found % 2 ? -1 : 1;
    if (i >= 3 && sign * t[i] > sign * t[i - 1] && sign * t[i] > sign * t[i + 1]) {
      const int first = i - 3 + (sign * t[i + 1] > sign * t[i - 1]);
      limits[found++] = extremum(way + first, t + first, sign);
    }
  }
  return found;
}

static const double soft[6] = {40, 40, 80, 0.5, 0.7, 0.4}, light[4] = {1, 2e-3, 3e-3, 5e-3};

/* Velocity om x (x - about) along a straight rod. */
typedef struct turning {
  double at[3], along[3];
} turning;

static turning turns[NETWORK_RODS];

static void turning_x(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const double *c = context;
  (void)wrt, (void)t;
  jet[0] = c[0] + c[3] * s, jet[1] = wrt == WY_ARC ? c[3] : 0, jet[2] = 0;
}

void throw_network(test_network *net, const double v[3], const double om[3]) {
  for (int i = 0; i < net->model.rod_count; i++) {
    wy_rod_def *rod = &net->rods[i];
    double unit[3], velocity[3], slope[3], frame[9], length = wy_norm3(rod->shape.direction);
    for (int k = 0; k < 3; k++)
      unit[k] = rod->shape.direction[k] / length;
    wy_cross3(om, rod->shape.origin, velocity);
    wy_cross3(om, unit, slope);
    for (int k = 0; k < 3; k++) {
      turns[i].at[k] = velocity[k] + v[k], turns[i].along[k] = slope[k];
      rod->initial.velocity[k] = (wy_signal){0, turning_x, &turns[i].at[k], WY_ARC};
    }
    const double *d1 = rod->shape.d1;
    double d2[3];
    wy_cross3(unit, d1, d2);
    for (int k = 0; k < 3; k++)
      frame[k] = d1[k], frame[3 + k] = d2[k], frame[6 + k] = unit[k];
    for (int k = 0; k < 3; k++)
      rod->initial.angular_velocity[k] = wy_constant(wy_dot3(frame + 3 * k, om));
  }
  for (int i = 0; i < net->model.body_count; i++) {
    wy_body_def *body = &net->bodies[i];
    double r[9], velocity[3];
    wy_cross3(om, body->origin, velocity);
    for (int k = 0; k < 3; k++)
      body->velocity[k] = velocity[k] + v[k];
    wy_qnormalise(body->frame);
    wy_qmatrix(body->frame, r);
    wy_tmul3(r, om, body->angular_velocity);
  }
}

void set_normal(wy_rod_def *rod) {
  const double *d = rod->shape.direction;
  const double other[3] = {fabs(d[0]) > 0.6 * wy_norm3(d) ? 0 : 1, fabs(d[0]) > 0.6 * wy_norm3(d) ? 1 : 0, 0};
  const double along = wy_dot3(other, d) / wy_dot3(d, d);
  for (int k = 0; k < 3; k++)
    rod->shape.d1[k] = other[k] - along * d[k];
  const double length = wy_norm3(rod->shape.d1);
  for (int k = 0; k < 3; k++)
    rod->shape.d1[k] /= length;
}

void flying_network(test_network *net, int segments) {
  static const double a[3] = {0, 0, 0}, b[3] = {1, 0, 0}, c[3] = {0.4, 0.8, 0.1}, d[3] = {-0.6, 0.9, 0.2},
                      e[3] = {-0.5, 0.2, 0.9};
  const wy_rod_def rod = section_of(soft, light, segments);
  begin_network(net);
  add_rod(net, &rod, a, b);
  add_rod(net, &rod, b, c);
  add_rod(net, &rod, c, a);
  add_rod(net, &rod, c, d);
  add_rod(net, &rod, e, d);
  for (int i = 0; i < net->model.rod_count; i++)
    set_normal(&net->rods[i]);
  wy_body_def *body = &net->bodies[net->model.body_count++];
  *body = wy_default_body_def();
  body->name = "body";
  body->mass = 0.5;
  const double inertia[6] = {0.02, 0.03, 0.04, 0.005, 0, 0}, origin[3] = {0.45, 0.9, 0.2},
               frame[4] = {0.9, 0.1, 0.3, 0.2};
  memcpy(body->inertia, inertia, sizeof inertia);
  memcpy(body->origin, origin, sizeof origin);
  memcpy(body->frame, frame, sizeof frame);
  const int weld = add_joint(net, WY_WELD), ball = add_joint(net, WY_BALL), loose = add_joint(net, WY_BALL);
  add_port(net, weld, port_at(net, 0, c)), add_end(net, weld, 1, WY_END), add_end(net, weld, 2, WY_START);
  add_port(net, ball, port_at(net, 0, c)), add_end(net, ball, 3, WY_START);
  add_end(net, loose, 3, WY_END), add_end(net, loose, 4, WY_END);
  join_all(net, WY_WELD);
  net->model.spring_count = 1;
  net->springs[0] = wy_default_spring_def();
  net->springs[0].ports[0] = wy_port_on_body(0, 0.1, 0, 0);
  net->springs[0].ports[1] = wy_port_on_rod(4, 0);
  net->springs[0].stiffness = 3, net->springs[0].length = 1;
}

static void triangle_pulse(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  (void)context, (void)wrt, (void)s;
  jet[0] = t < 1 ? 50 * t : t < 2 ? 50 * (2 - t) : 0;
  jet[1] = t < 1 ? 50 : t < 2 ? -50 : 0;
  jet[2] = 0;
}

wy_body_def *add_body(test_network *net, double mass) {
  wy_body_def *body = &net->bodies[net->model.body_count++];
  *body = wy_default_body_def();
  body->name = "body";
  body->mass = mass;
  return body;
}

const double cantilever[6] = {1e3, 1e3, 2e3, 1, 1, 0.8}, unit_inertia[4] = {1, 1e-3, 1e-3, 1e-3};

void add_force(test_network *net, int rod, wy_end_name end, double x, double y, double z) {
  wy_load_def *load = &net->loads[net->model.load_count++];
  *load = wy_default_load_def();
  load->rod = rod;
  load->place = end == WY_START ? WY_AT_START : WY_AT_END;
  load->force[0] = wy_constant(x), load->force[1] = wy_constant(y), load->force[2] = wy_constant(z);
}

void set_d1(test_network *net, double x, double y, double z) {
  for (int i = 0; i < net->model.rod_count; i++) {
    double *d1 = net->rods[i].shape.d1;
    d1[0] = x, d1[1] = y, d1[2] = z;
  }
}

void pieces_of_cantilever(test_network *net, int pieces, int segments) {
  const wy_rod_def rod = section_of(cantilever, unit_inertia, segments / pieces);
  begin_network(net);
  for (int i = 0; i < pieces; i++) {
    const double from[3] = {(double)i / pieces, 0, 0}, to[3] = {(double)(i + 1) / pieces, 0, 0};
    add_rod(net, &rod, from, to);
  }
  net->rods[0].ends[WY_START] = wy_end_clamped();
  join_all(net, WY_WELD);
}

static void branch(double length, double azimuth, double to[3]) {
  const double degree = 3.14159265358979323846 / 180;
  to[0] = length * sin(40 * degree) * cos(azimuth * degree);
  to[1] = length * sin(40 * degree) * sin(azimuth * degree);
  to[2] = 1 + length * cos(40 * degree);
}

void ring(test_network *net, const double stiffness[6], const double inertia[4], int segments, bool grounded) {
  wy_rod_def rod = section_of(stiffness, inertia, segments);
  begin_network(net);
  rod.shape.curvature[0] = wy_constant(1);
  for (int i = 0; i < 4; i++) {
    const double c = cos(0.5 * pi * i), s = sin(0.5 * pi * i), from[3] = {c, s, 0}, to[3] = {c - s, s + c, 0};
    add_rod(net, &rod, from, to);
    net->rods[i].length = 0.5 * pi;
  }
  set_d1(net, 0, 0, 1);
  for (int i = 0; i < 4; i++) {
    const int weld = add_joint(net, WY_WELD);
    add_end(net, weld, i, WY_START), add_end(net, weld, (i + 3) % 4, WY_END);
    if (i == 0 && grounded)
      add_ground(net, weld);
  }
}

void right_angle(test_network *net, int segments) {
  static const double stiffness[6] = {1e6, 1e6, 1e6, 1e3, 1e3, 1e3}, inertia[4] = {1, 10, 10, 20};
  static const double a[3] = {0, 0, 0}, b[3] = {10, 0, 0}, c[3] = {10, 10, 0};
  const wy_rod_def rod = section_of(stiffness, inertia, segments);
  begin_network(net);
  add_rod(net, &rod, a, b);
  add_rod(net, &rod, b, c);
  net->rods[0].ends[WY_START] = wy_end_clamped();
  join_all(net, WY_WELD);
  net->loads[0] = wy_default_load_def();
  net->loads[0].place = WY_AT_END;
  net->loads[0].force[2] = (wy_signal){0, triangle_pulse, NULL, WY_TIME};
  net->model.load_count = 1;
}

const double tip_body_omega[5] = {0.99697559, 1.39158782, 5.15538693, 8.2913698, 9.976434};

void tip_body(test_network *net, int segments) {
  static const double stiffness[6] = {1e3, 1e3, 2e3, 1, 2, 0.8}, inertia[4] = {1, 1e-4, 2e-4, 3e-4};
  static const double from[3] = {0, 0, 0}, to[3] = {1, 0, 0}, centre[3] = {1.1, 0, 0};
  const wy_rod_def rod = section_of(stiffness, inertia, segments);
  begin_network(net);
  add_rod(net, &rod, from, to);
  set_d1(net, 0, 1, 0);
  net->rods[0].ends[WY_START] = wy_end_clamped();
  wy_body_def *body = add_body(net, 2);
  const double about[6] = {0.03, 0.05, 0.08, 0, 0, 0}; /* space axes: x is d3, y is d1, z is d2 */
  memcpy(body->inertia, about, sizeof about);
  memcpy(body->origin, centre, sizeof centre);
  const int weld = add_joint(net, WY_WELD);
  add_end(net, weld, 0, WY_END), add_port(net, weld, port_at(net, 0, to));
}

const double tree_omega[5] = {1.69681231, 1.70943279, 4.78167974, 7.41858788, 9.28280546};

void tree(test_network *net, int segments) {
  static const double trunk[6] = {5e3, 5e3, 1e4, 4, 4, 3}, trunk_inertia[4] = {2, 2e-3, 2e-3, 4e-3};
  static const double thin[6] = {2e3, 2e3, 4e3, 1, 1, 0.75}, thin_inertia[4] = {1, 5e-4, 5e-4, 1e-3};
  static const double root[3] = {0, 0, 0}, fork[3] = {0, 0, 1}, lengths[3] = {0.7, 0.6, 0.5};
  wy_rod_def rod = section_of(trunk, trunk_inertia, segments), twig = section_of(thin, thin_inertia, segments);
  begin_network(net);
  add_rod(net, &rod, root, fork);
  for (int i = 0; i < 3; i++) {
    double to[3];
    branch(lengths[i], 120 * i, to);
    add_rod(net, &twig, fork, to);
  }
  net->rods[0].ends[WY_START] = wy_end_clamped();
  join_all(net, WY_WELD);
}

void right_angle_frame(test_network *net, int segments, double force) {
  const double young = 71240, shear = young / (2 * 1.31);
  const double stiffness[6] = {18 * shear, 18 * shear, 18 * young, 1350 * young, 0.54 * young, 2.16 * shear};
  static const double a[3] = {0, 0, 0}, b[3] = {240, 0, 0}, c[3] = {240, 0, -240};
  const wy_rod_def rod = section_of(stiffness, unit_inertia, segments);
  begin_network(net);
  add_rod(net, &rod, a, b);
  add_rod(net, &rod, b, c);
  set_d1(net, 0, 1, 0);
  net->rods[0].ends[WY_START] = wy_end_clamped();
  join_all(net, WY_WELD);
  add_force(net, 1, WY_END, force, 0, 0);
}
