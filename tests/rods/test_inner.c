/* SPDX-License-Identifier: MIT */
/* Rods that are joined at inner points: what they are when cut there and welded, closed forms of beams on more than two
   supports, the cross of spectral finite elements (tests/data/network), energies and momenta in flight. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "support/network.h"

static wy_rod_def section_of(const double stiffness[6], const double inertia[4], int segments) {
  wy_rod_def rod = wy_default_rod_def();
  rod.segments = segments;
  rod.has_stiffness = rod.has_inertia = true;
  for (int i = 0; i < 6; i++)
    rod.stiffness[i] = wy_constant(stiffness[i]);
  for (int i = 0; i < 4; i++)
    rod.inertia[i] = wy_constant(inertia[i]);
  return rod;
}

static test_sim make_network(test_network *net, const char *integrator, double tolerance, bool statics) {
  test_sim made = {0};
  wy_message message = {0};
  wy_sim_def def = wy_default_sim_def();
  def.solver = wy_default_solver_def();
  def.solver.integrator = integrator;
  def.solver.relative_tolerance = def.solver.absolute_tolerance = tolerance;
  def.solver.staggered.curvature_measure = WY_TAN2;
  def.statics = statics;
  def.end = statics ? INFINITY : 2;
  must(wy_model_create(network_model(net), &made.model, &message), &message);
  must(wy_sim_create(made.model, &def, &made.sim, &message), &message);
  return made;
}

static test_sim settled(test_network *net) {
  wy_message message = {0};
  test_sim made = make_network(net, "radau5", 1e-6, true);
  must(wy_sim_settle(made.sim, 0, &message), &message);
  return made;
}

static void place_at(const test_sim *made, int rod, double s, double place[3]) {
  wy_message message = {0};
  double out[4];
  must(wy_sim_probe(made->sim, WY_POSITION, rod, s, out, &message), &message);
  memcpy(place, out, 3 * sizeof *place);
}

static void frequencies(test_network *net, int count, double *omega) {
  wy_message message = {0};
  wy_mode_set *modes;
  test_sim made = settled(net);
  must(wy_sim_modes(made.sim, 0, count, &modes, &message), &message);
  assert_int_equal(modes->count, count);
  memcpy(omega, modes->omega, (size_t)count * sizeof *omega);
  wy_mode_set_destroy(modes);
  free_sim(&made);
}

static double apart(const double a[3], const double b[3]) {
  const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return wy_norm3(d);
}

static void add_force(test_network *net, int rod, double s, double x, double y, double z) {
  wy_load_def *load = &net->loads[net->model.load_count++];
  *load = wy_default_load_def();
  load->rod = rod;
  load->place = WY_AT_ARC, load->from = s;
  load->force[0] = wy_constant(x), load->force[1] = wy_constant(y), load->force[2] = wy_constant(z);
}

static void add_inner(test_network *net, int joint, int rod, double s) {
  add_port(net, joint, wy_port_on_rod(rod, s));
}

static const double cantilever[6] = {1e3, 1e3, 2e3, 1, 1, 0.8}, unit_inertia[4] = {1, 1e-3, 1e-3, 1e-3};

/* ---- A rod that is cut and joined with nothing ---- */

/* A cantilever along x that a spring without any force to speak of takes hold of at some places. */
static void cut_cantilever(test_network *net, int segments, const double *places, int count) {
  const wy_rod_def rod = section_of(cantilever, unit_inertia, segments);
  begin_network(net);
  add_rod(net, &rod, (const double[3]){0, 0, 0}, (const double[3]){1, 0, 0});
  net->rods[0].ends[WY_START] = wy_end_clamped();
  for (int i = 0; i < count; i++) {
    wy_spring_def *spring = &net->springs[net->model.spring_count++];
    *spring = wy_default_spring_def();
    spring->ports[0] = wy_port_on_rod(0, places[i]), spring->ports[1] = wy_port_in_space(places[i], 1, 0);
    spring->length = 1, spring->stiffness = 1e-13;
  }
}

static const double thirds[3] = {0.25, 0.5, 0.75};

/* In a plane two half cells in series are the vertex. */
static void test_planar(void **state) {
  (void)state;
  double tip[2][3], middle[2][3];
  for (int cut = 0; cut < 2; cut++) {
    test_network net;
    cut_cantilever(&net, 8, thirds, cut ? 3 : 0);
    add_force(&net, 0, 1, 0, 0, -3);
    add_force(&net, 0, 0.5, 0, 0, 1); /* on the hub where there is one */
    test_sim made = settled(&net);
    place_at(&made, 0, 1, tip[cut]), place_at(&made, 0, 0.5, middle[cut]);
    free_sim(&made);
  }
  check_below(apart(tip[1], tip[0]), 1e-10);
  check_below(apart(middle[1], middle[0]), 1e-10);
}

/* The frame has a term of third order (N6). */
static double cut_frequency_error(int segments, const void *context) {
  double whole[6], cut[6], worst = 0;
  test_network net;
  (void)context;
  cut_cantilever(&net, segments, NULL, 0);
  frequencies(&net, 6, whole);
  cut_cantilever(&net, segments, thirds, 3);
  frequencies(&net, 6, cut);
  for (int i = 0; i < 6; i++)
    worst = fmax(worst, fabs(cut[i] / whole[i] - 1));
  return worst;
}

static void test_frequencies(void **state) {
  (void)state;
  nth_order("cut", cut_frequency_error, NULL, 12, 1e-2, 3);
}

/* ---- A rod in pieces is the pieces welded ---- */

typedef enum shape { STRAIGHT, CURVED, UNEVEN, KIRCHHOFF, INEXTENSIBLE, SHAPES } shape;

static const double uneven[9] = {0.12, 0.1, 0.08, 0.09, 0.11, 0.1, 0.13, 0.12, 0.15};

static wy_rod_def shaped(shape kind) {
  static const double stiffness[6] = {40, 60, 80, 0.5, 0.7, 0.4}, inertia[4] = {1, 2e-3, 3e-3, 5e-3};
  wy_rod_def rod = section_of(stiffness, inertia, 9);
  rod.length = 1;
  rod.kind = kind == KIRCHHOFF ? WY_KIRCHHOFF : kind == INEXTENSIBLE ? WY_INEXTENSIBLE : WY_COSSERAT;
  rod.shape.direction[0] = 1, rod.shape.d1[1] = 1;
  rod.shape.curvature[1] = wy_constant(kind == CURVED || kind >= KIRCHHOFF ? 0.9 : 0);
  rod.shape.curvature[2] = wy_constant(kind == CURVED ? -0.6 : 0);
  rod.segment_lengths = kind == UNEVEN ? uneven : NULL;
  return rod;
}

/* Rods beside it at two of its inner points, clamped at their far ends; a joint for each point. */
static void add_sides(test_network *net, const double places[2][3], double first[2]) {
  const wy_rod_def side = section_of(cantilever, unit_inertia, 4);
  for (int i = 0; i < 2; i++) {
    const double to[3] = {places[i][0] + 0.1, places[i][1] - 0.5, places[i][2] + 0.4};
    const int rod = add_rod(net, &side, places[i], to), joint = add_joint(net, WY_WELD);
    net->rods[rod].ends[WY_END] = wy_end_clamped();
    add_end(net, joint, rod, WY_START);
    first[i] = joint;
  }
}

static void cut_places(const wy_rod_def *rod, double s[2], double place[2][3], double frame[2][4]) {
  test_network net;
  wy_model *model = NULL;
  begin_network(&net);
  net.rods[net.model.rod_count++] = *rod;
  net.rods[0].name = "rod";
  assert_int_equal(wy_model_create(network_model(&net), &model, NULL), 0);
  for (int i = 0; i < 2; i++) {
    s[i] = 0;
    for (int k = 0; k < 3 * (i + 1); k++)
      s[i] += rod->segment_lengths ? rod->segment_lengths[k] : rod->length / rod->segments;
    wy_model_reference(model, 0, s[i], place[i], frame[i]);
  }
  wy_model_destroy(model);
}

/* As one rod with two inner points, or as three rods. A force at the free end, another on the first joint. */
static void joined(test_network *net, shape kind, bool apart_from_start) {
  const wy_rod_def rod = shaped(kind);
  double s[2], place[2][3], frame[2][4], joints[2];
  cut_places(&rod, s, place, frame);
  begin_network(net);
  for (int i = 0; i < (apart_from_start ? 3 : 1); i++) {
    wy_rod_def *piece = &net->rods[net->model.rod_count++];
    *piece = rod;
    piece->name = (const char *[]){"a", "b", "c"}[i];
    if (!apart_from_start)
      continue;
    piece->segments = 3;
    piece->length = i == 0 ? s[0] : i == 1 ? s[1] - s[0] : rod.length - s[1];
    piece->segment_lengths = rod.segment_lengths ? rod.segment_lengths + 3 * i : NULL;
    double r[9];
    if (i > 0)
      wy_qmatrix(frame[i - 1], r);
    for (int k = 0; i > 0 && k < 3; k++) {
      piece->shape.origin[k] = place[i - 1][k];
      piece->shape.d1[k] = r[3 * k], piece->shape.direction[k] = r[3 * k + 2];
    }
  }
  net->rods[0].ends[WY_START] = wy_end_clamped();
  add_sides(net, (const double(*)[3])place, joints);
  for (int i = 0; i < 2; i++) {
    if (apart_from_start)
      add_end(net, (int)joints[i], i, WY_END), add_end(net, (int)joints[i], i + 1, WY_START);
    else
      add_inner(net, (int)joints[i], 0, s[i]);
  }
  add_force(net, apart_from_start ? 2 : 0, net->rods[apart_from_start ? 2 : 0].length, 0.02, 0.05, -0.1);
  add_force(net, 0, s[0], 0.1, 0.2, -0.3);
}

static void test_welded(void **state) {
  (void)state;
  for (int kind = 0; kind < SHAPES; kind++) {
    double omega[2][8], tip[2][3];
    for (int three = 0; three < 2; three++) {
      test_network net;
      joined(&net, (shape)kind, three);
      frequencies(&net, 8, omega[three]);
      test_sim made = settled(&net);
      place_at(&made, three ? 2 : 0, net.rods[three ? 2 : 0].length, tip[three]);
      free_sim(&made);
    }
    for (int i = 0; i < 8; i++)
      check_close(omega[1][i], omega[0][i], 1e-8 * omega[0][i]);
    check_below(apart(tip[0], tip[1]), 1e-9);
  }
}

/* Driven ends, a release, loads that are set and ends that are moved while it runs: all reach the right pieces. */
static void swing(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const double *c = context;
  (void)s;
  jet[0] = c[0] + 0.1 * (1 - cos(3 * t)), jet[1] = wrt == WY_TIME ? 0.3 * sin(3 * t) : 0;
  jet[2] = wrt == WY_TIME ? 0.9 * cos(3 * t) : 0;
}

static void check_driven(shape kind) {
  static const double home[3] = {0, 0, 0};
  const double tolerance = kind >= KIRCHHOFF ? 1e-7 : 1e-9;
  double tip[2][3], far[2][3];
  for (int three = 0; three < 2; three++) {
    test_network net;
    wy_message message = {0};
    joined(&net, kind, three);
    const int last = three ? 2 : 0;
    wy_end *start = &net.rods[0].ends[WY_START];
    for (int k = 0; k < 3; k++)
      start->position[k] = WY_DRIVEN, start->path[k] = (wy_signal){0, swing, &home[k], WY_TIME};
    net.rods[last].ends[WY_END] = wy_end_clamped();
    net.rods[last].ends[WY_END].release = 0.4;
    test_sim made = make_network(&net, "radau5", tolerance, false);
    must(wy_sim_advance(made.sim, 0.2, &message), &message);
    const double force[3] = {0, 0.4, -0.2}, moment[3] = {0, 0, 0}, target[3] = {0.05, -0.1, 0.05};
    must(wy_sim_set_load(made.sim, 1, force, moment, &message), &message);
    must(wy_sim_move_end(made.sim, 0, WY_START, &(wy_pose){.position = target}, 0.5, &message), &message);
    must(wy_sim_advance(made.sim, 0.8, &message), &message);
    place_at(&made, last, net.rods[last].length, tip[three]);
    place_at(&made, 0, 0, far[three]);
    check_below(apart(far[three], target), 1e-9);
    free_sim(&made);
  }
  check_below(apart(tip[0], tip[1]), 100 * tolerance);
}

static void test_driven(void **state) {
  (void)state;
  check_driven(STRAIGHT);
  check_driven(CURVED);
  check_driven(INEXTENSIBLE);
}

/* In a plane the view of a rod in pieces is that of the rod: as many points, the same values. */
static void test_view(void **state) {
  (void)state;
  test_network nets[2];
  test_sim made[2];
  for (int cut = 0; cut < 2; cut++) {
    cut_cantilever(&nets[cut], 8, thirds, cut ? 3 : 0);
    add_force(&nets[cut], 0, 1, 0, 0, -3);
    made[cut] = settled(&nets[cut]);
  }
  const wy_view *one = wy_sim_view(made[0].sim, 0), *other = wy_sim_view(made[1].sim, 0);
  const wy_points *lists[4][2] = {{&one->position, &other->position},
                                  {&one->frame, &other->frame},
                                  {&one->strain, &other->strain},
                                  {&one->force, &other->force}};
  for (int k = 0; k < 4; k++) {
    const wy_points *a = lists[k][0], *b = lists[k][1];
    assert_int_equal(a->count, b->count);
    for (int i = 0; i < a->count; i++)
      check_close(b->s[i], a->s[i], 1e-14);
    for (int i = 0; i < a->count * a->components; i++)
      check_close(b->values[i], a->values[i], 1e-8);
  }
  assert_int_equal(other->moment.count, one->moment.count + 3); /* both sides of three places */
  for (int i = 0; i < one->moment.count; i++) {
    double moment[4];
    wy_message message = {0};
    must(wy_sim_probe(made[1].sim, WY_MOMENT, 0, one->moment.s[i], moment, &message), &message);
    for (int k = 0; k < 3; k++)
      check_close(moment[k], one->moment.values[3 * i + k], 1e-8);
  }
  free_sim(&made[0]), free_sim(&made[1]);
}

/* A support in the middle takes all of the moment that comes from one side. */
static void test_jump(void **state) {
  (void)state;
  test_network net;
  const wy_rod_def rod = section_of(cantilever, unit_inertia, 8);
  begin_network(&net);
  add_rod(&net, &rod, (const double[3]){0, 0, 0}, (const double[3]){1, 0, 0});
  const int weld = add_joint(&net, WY_WELD);
  add_inner(&net, weld, 0, 0.5), add_ground(&net, weld);
  add_force(&net, 0, 1, 0, 0, -1e-4);
  test_sim made = settled(&net);
  const wy_points *moment = &wy_sim_view(made.sim, 0)->moment;
  int jumps = 0;
  for (int i = 0; i + 1 < moment->count; i++) {
    if (moment->s[i + 1] - moment->s[i] > 1e-8)
      continue;
    check_below(wy_norm3(moment->values + 3 * i), 1e-12);
    check_close(wy_norm3(moment->values + 3 * (i + 1)), 0.5e-4, 1e-10);
    jumps++;
  }
  assert_int_equal(jumps, 1);
  free_sim(&made);
}

/* ---- The cross ---- */

static const double cross_stiffness[6] = {2e3, 2e3, 4e3, 1, 1, 0.6};

static void cross(test_network *net, int segments, wy_joint_kind kind, bool reversed) {
  const wy_rod_def rod = section_of(cross_stiffness, unit_inertia, segments);
  const double ends[4][3] = {{-0.5, 0, 0}, {0.5, 0, 0}, {0, -0.5, 0}, {0, 0.5, 0}};
  begin_network(net);
  add_rod(net, &rod, ends[reversed], ends[!reversed]);
  add_rod(net, &rod, ends[2], ends[3]);
  for (int i = 0; i < 4; i++)
    net->rods[i / 2].ends[i % 2] = wy_end_clamped();
  net->rods[0].shape.d1[2] = net->rods[1].shape.d1[2] = 1;
  const int joint = add_joint(net, kind);
  add_inner(net, joint, 0, 0.5), add_inner(net, joint, 1, 0.5);
  add_force(net, 0, reversed ? 0.75 : 0.25, 0, 6, -12);
}

typedef struct cross_case {
  wy_joint_kind kind;
  double loaded[3], crossing[3]; /* displacements */
} cross_case;

static double cross_error(int segments, const void *context) {
  const cross_case *want = context;
  double loaded[3], crossing[3];
  test_network net;
  cross(&net, segments, want->kind, false);
  test_sim made = settled(&net);
  place_at(&made, 0, 0.25, loaded), place_at(&made, 1, 0.5, crossing);
  loaded[0] += 0.25;
  free_sim(&made);
  return fmax(apart(loaded, want->loaded), apart(crossing, want->crossing)) / wy_norm3(want->loaded);
}

static void test_cross(void **state) {
  (void)state;
  static const cross_case weld = {
      WY_WELD, {-4.46920e-4, 4.935020e-3, -1.8035921e-2}, {-3.17568e-4, 1.847765e-4, -1.4732950e-2}};
  static const cross_case ball = {
      WY_BALL, {-4.60914e-4, 5.591056e-3, -1.8320995e-2}, {-3.44186e-4, 1.854264e-4, -1.4680082e-2}};
  second_order("cross, weld", cross_error, &weld, 16, 0.1);
  second_order("cross, ball", cross_error, &ball, 16, 0.1);
}

/* ---- Beams on more supports ---- */

static const double thin[6] = {1e6, 1e6, 1e6, 1, 1, 1}, thin_inertia[4] = {1, 1e-6, 1e-6, 2e-6};

/* A beam of length 2 on a ball at its start and on sliding ones in the middle and at its end. */
static void two_spans(test_network *net, int segments) {
  const wy_rod_def rod = section_of(thin, thin_inertia, segments);
  begin_network(net);
  add_rod(net, &rod, (const double[3]){0, 0, 0}, (const double[3]){2, 0, 0});
  for (int i = 0; i < 3; i++) {
    const int joint = add_joint(net, WY_BALL);
    add_inner(net, joint, 0, i), add_ground(net, joint);
    if (i > 0)
      net->joints[joint].position[0] = WY_FREE;
  }
}

/* A force in the middle of the first span: the supports carry 13/32, 11/16 and -3/32 of it. */
static double span_error(int segments, const void *context) {
  (void)context;
  test_network net;
  wy_message message = {0};
  const double want[3] = {13.0 / 32, 11.0 / 16, -3.0 / 32}, force_size = 0.1; /* deflections of 1e-3 */
  double worst = 0;
  two_spans(&net, segments);
  add_force(&net, 0, 0.5, 0, 0, -force_size);
  test_sim made = settled(&net);
  for (int i = 0; i < 3; i++) {
    double force[3], moment[3], ground[3];
    must(wy_sim_joint(made.sim, i, 0, force, moment, &message), &message);
    must(wy_sim_joint(made.sim, i, 1, ground, moment, &message), &message);
    worst = fmax(worst, fabs(force[2] / force_size - want[i]));
    check_below(fabs(force[0]) + fabs(force[1]), 1e-10 * thin[2]); /* strains that Newton's method leaves */
    check_below(fabs(force[2] + ground[2]), 1e-12);
    check_below(wy_norm3(moment), 1e-8);
  }
  free_sim(&made);
  return worst;
}

static void test_spans(void **state) {
  (void)state;
  second_order("two spans, supports", span_error, NULL, 8, 0.05);
}

/* Each span as one on two supports, then as one that is clamped in the middle; both across, and about the axis a spin
   that nothing holds. */
static double span_frequency_error(int segments, const void *context) {
  (void)context;
  const double pi = 3.14159265358979323846, want[4] = {pi * pi, pi * pi, 15.418205716980, 15.418205716980};
  double got[5], worst = 0;
  test_network net;
  two_spans(&net, segments);
  frequencies(&net, 5, got);
  check_below(got[0], 1e-2);
  for (int i = 0; i < 4; i++)
    worst = fmax(worst, fabs(got[i + 1] / want[i] - 1));
  return worst;
}

static void test_span_frequencies(void **state) {
  (void)state;
  second_order("two spans, frequencies", span_frequency_error, NULL, 16, 0.1);
}

/* ---- Motion ---- */

static double turning[8][6];

static void along_rod(const void *context, wy_variable wrt, double s, double t, double jet[3]) {
  const double *c = context;
  (void)t;
  jet[0] = c[0] + c[3] * s, jet[1] = wrt == WY_ARC ? c[3] : 0, jet[2] = 0;
}

/* All rods turn and fly like one rigid body. */
static void throw_rods(test_network *net, const double v[3], const double om[3]) {
  for (int i = 0; i < net->model.rod_count; i++) {
    wy_rod_def *rod = &net->rods[i];
    double unit[3], velocity[3], slope[3], d2[3], length = wy_norm3(rod->shape.direction);
    const double *d1 = rod->shape.d1;
    for (int k = 0; k < 3; k++)
      unit[k] = rod->shape.direction[k] / length;
    wy_cross3(om, rod->shape.origin, velocity);
    wy_cross3(om, unit, slope);
    wy_cross3(unit, d1, d2);
    for (int k = 0; k < 3; k++) {
      turning[i][k] = velocity[k] + v[k], turning[i][3 + k] = slope[k];
      rod->initial.velocity[k] = (wy_signal){0, along_rod, &turning[i][k], WY_ARC};
      rod->initial.angular_velocity[k] = wy_constant(wy_dot3(k == 0 ? d1 : k == 1 ? d2 : unit, om));
    }
  }
}

/* A ladder: two rods with two rungs welded to inner points, a rod on a ball in the middle of a rung, and a spring
   from there to an inner point of the first rod. */
static void ladder(test_network *net, int segments) {
  static const double soft[6] = {40, 40, 80, 0.5, 0.7, 0.4}, light[4] = {1, 2e-3, 3e-3, 5e-3};
  const wy_rod_def rod = section_of(soft, light, segments), rung = section_of(soft, light, 4);
  begin_network(net);
  add_rod(net, &rod, (const double[3]){0, 0, 0}, (const double[3]){1, 0, 0});
  add_rod(net, &rod, (const double[3]){0, 0.4, 0}, (const double[3]){1, 0.4, 0});
  add_rod(net, &rung, (const double[3]){0.3, 0, 0}, (const double[3]){0.3, 0.4, 0});
  add_rod(net, &rung, (const double[3]){0.7, 0, 0}, (const double[3]){0.7, 0.4, 0});
  add_rod(net, &rung, (const double[3]){0.3, 0.2, 0}, (const double[3]){0.3, 0.2, 0.5});
  for (int i = 0; i < 5; i++)
    net->rods[i].shape.d1[i < 4 ? 2 : 0] = 1;
  for (int i = 0; i < 4; i++) {
    const int joint = add_joint(net, WY_WELD);
    add_inner(net, joint, i % 2, i < 2 ? 0.3 : 0.7), add_end(net, joint, 2 + i / 2, i % 2 ? WY_END : WY_START);
  }
  const int ball = add_joint(net, WY_BALL);
  add_inner(net, ball, 2, 0.2), add_end(net, ball, 4, WY_START);
  net->model.spring_count = 1;
  net->springs[0] = wy_default_spring_def();
  net->springs[0].ports[0] = wy_port_on_rod(4, 0.25), net->springs[0].ports[1] = wy_port_on_rod(0, 0.5);
  net->springs[0].stiffness = 3, net->springs[0].length = 0.3;
}

static void check_flight(const char *integrator) {
  static const double v[3] = {0.3, -0.2, 0.5}, om[3] = {0.7, -1.1, 0.9};
  test_network net;
  wy_message message = {0};
  ladder(&net, 12);
  throw_rods(&net, v, om);
  test_sim made = make_network(&net, integrator, 1e-10, false);
  const wy_energy start = wy_sim_energy(made.sim, WY_ALL_RODS);
  const wy_momentum before = wy_sim_momentum(made.sim, WY_ALL_RODS);
  check_close(before.mass, 2 + 0.4 + 0.4 + 0.5, 1e-12);
  check_above(start.kinetic, 0.5);
  for (int i = 1; i <= 4; i++) {
    must(wy_sim_sample(made.sim, 0.25 * i, &message), &message);
    const wy_energy energy = wy_sim_energy(made.sim, WY_ALL_RODS);
    const wy_momentum now = wy_sim_momentum(made.sim, WY_ALL_RODS);
    double parts = 0, one[3], other[3];
    check_close(energy.total, start.total, 1e-8 * start.total);
    check_below(apart(now.linear, before.linear), 1e-8 * wy_norm3(before.linear));
    check_below(apart(now.angular, before.angular), 1e-8 * wy_norm3(before.angular));
    for (int k = 0; k < 5; k++)
      parts += wy_sim_energy(made.sim, k).kinetic;
    check_close(parts, energy.kinetic, 1e-12 * energy.kinetic);
    place_at(&made, 0, 0.3, one), place_at(&made, 2, 0, other);
    check_below(apart(one, other), 1e-12);
    place_at(&made, 2, 0.2, one), place_at(&made, 4, 0, other);
    check_below(apart(one, other), 1e-12);
  }
  free_sim(&made);
}

static void test_flight(void **state) {
  (void)state;
  check_flight("dop853");
  check_flight("radau5");
  check_flight("ndf");
}

/* A run that goes on from a saved state is the same run, to the bit. */
static void test_saved(void **state) {
  (void)state;
  static const double v[3] = {0.3, -0.2, 0.5}, om[3] = {0.7, -1.1, 0.9};
  double place[2][3];
  test_network net;
  wy_message message = {0};
  ladder(&net, 12);
  throw_rods(&net, v, om);
  test_sim first = make_network(&net, "radau5", 1e-6, false), second = make_network(&net, "radau5", 1e-6, false);
  must(wy_sim_advance(first.sim, 0.5, &message), &message);
  const size_t size = wy_sim_save_size(first.sim);
  void *saved = malloc(size);
  must(wy_sim_save(first.sim, saved, size, &message), &message);
  must(wy_sim_restore(second.sim, saved, size, &message), &message);
  must(wy_sim_advance(first.sim, 1, &message), &message);
  must(wy_sim_advance(second.sim, 1, &message), &message);
  place_at(&first, 1, 0.6, place[0]), place_at(&second, 1, 0.6, place[1]);
  assert_memory_equal(place[0], place[1], sizeof place[0]);
  free(saved);
  free_sim(&first), free_sim(&second);
}

/* ---- What must not matter ---- */

static void turn_all(test_network *net, const double q[4], const double by[3]) {
  double r[9];
  wy_qmatrix(q, r);
  for (int i = 0; i < net->model.rod_count; i++) {
    double *vectors[3] = {net->rods[i].shape.origin, net->rods[i].shape.direction, net->rods[i].shape.d1};
    for (int k = 0; k < 3; k++) {
      double old[3];
      memcpy(old, vectors[k], sizeof old);
      wy_mul3(r, old, vectors[k]);
    }
    wy_add3(net->rods[i].shape.origin, 1, by);
  }
  for (int i = 0; i < net->model.load_count; i++) {
    double old[3], turned[3];
    for (int k = 0; k < 3; k++)
      old[k] = net->loads[i].force[k].value;
    wy_mul3(r, old, turned);
    for (int k = 0; k < 3; k++)
      net->loads[i].force[k] = wy_constant(turned[k]);
  }
}

/* The scene turned in space; the first rod from its other end. */
static void test_turned(void **state) {
  (void)state;
  double q[4] = {0.5, 0.3, -0.6, 0.2}, r[9], plain[3], there[3], other[3], back[3];
  const double by[3] = {3, -1, 2};
  test_network net;
  wy_qnormalise(q);
  wy_qmatrix(q, r);
  cross(&net, 8, WY_WELD, false);
  test_sim made = settled(&net);
  place_at(&made, 0, 0.25, plain);
  free_sim(&made);
  cross(&net, 8, WY_WELD, true);
  made = settled(&net);
  place_at(&made, 0, 0.75, other);
  free_sim(&made);
  check_below(apart(plain, other), 1e-9);
  cross(&net, 8, WY_WELD, false);
  turn_all(&net, q, by);
  made = settled(&net);
  place_at(&made, 0, 0.25, there);
  free_sim(&made);
  wy_add3(there, -1, by);
  wy_tmul3(r, there, back);
  check_below(apart(plain, back), 1e-9);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_planar), cmocka_unit_test(test_frequencies), cmocka_unit_test(test_welded),
      cmocka_unit_test(test_cross),  cmocka_unit_test(test_driven),      cmocka_unit_test(test_view),
      cmocka_unit_test(test_jump),   cmocka_unit_test(test_spans),       cmocka_unit_test(test_span_frequencies),
      cmocka_unit_test(test_flight), cmocka_unit_test(test_saved),       cmocka_unit_test(test_turned)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
