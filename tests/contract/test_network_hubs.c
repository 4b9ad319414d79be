/* SPDX-License-Identifier: MIT */
/* The hubs, ends, pieces and groups that bodies, joints and springs of a model amount to, against values by hand. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "model/model.h"
#include "model/network.h"
#include "support/draft.h"

static const double pi = 3.14159265358979323846;

/* The end of a straight rod of length 1 is found in 80 steps, each with a rounding of 1.1e-16. */
static const double rounding = 1e-14;

/* ---- Hubs and ends ---- */

static void check_vector(const double got[3], double x, double y, double z, double tolerance) {
  check_close(got[0], x, tolerance);
  check_close(got[1], y, tolerance);
  check_close(got[2], z, tolerance);
}

/* The directors of a frame in the axes in which it is given. */
static void check_directors(const double q[4], const double d1[3], const double d3[3], double tolerance) {
  double r[9];
  wy_qmatrix(q, r);
  check_vector(POINT(r[0], r[3], r[6]), d1[0], d1[1], d1[2], tolerance);
  check_vector(POINT(r[2], r[5], r[8]), d3[0], d3[1], d3[2], tolerance);
}

static void the_example(void **state) {
  (void)state;
  draft it;
  draft_example(&it);
  wy_model *model = make_draft(&it);
  const wy_network *net = wy_model_network(model);
  assert_int_equal(net->hub_count, 3); /* the body, the corner, the foot of the post that has a spring */
  assert_int_equal(net->end_count, 4);
  assert_int_equal(net->group_count, 1);
  const wy_hub *body = &net->hubs[0], *corner = &net->hubs[1], *foot = &net->hubs[2];
  assert_true(body->body == 0 && body->joint == -1 && body->has_frame && !body->known && body->end_count == 1);
  assert_true(corner->body == -1 && corner->joint == 0 && corner->has_frame && !corner->known);
  assert_true(foot->body == -1 && foot->joint == -1 && !foot->has_frame && !foot->known && foot->end_count == 1);
  check_vector(corner->origin, 1, 0, 0, rounding);
  check_vector(foot->origin, 1, 0, -1, rounding);
  const wy_hub_end *at = &net->ends[wy_network_end(model, 0, WY_START)];
  assert_true(at->hub == 0 && at->joint == 1 && !at->turns && !at->inner && at->rod == 0 && at->end == WY_START);
  check_vector(at->c, 0, 0, -0.5, rounding);
  at = &net->ends[wy_network_end(model, 1, WY_END)];
  assert_true(at->hub == 1 && at->joint == 0 && at->turns && at->end == WY_END);
  check_close(at->s, 1, 0);
  check_vector(at->c, 0, 0, 0, rounding);
  check_directors(at->q, POINT(1, 0, 0), POINT(0, 0, 1), rounding);
  assert_int_equal(corner->first_end, 1);
  assert_int_equal(corner->end_count, 2);
  assert_int_equal(net->ends[corner->first_end].rod, 0); /* in the order of the ports */
  assert_int_equal(net->springs[0][0].hub, 0);
  check_vector(net->springs[0][0].c, 0.1, 0, 0, 0);
  assert_int_equal(net->springs[0][1].hub, 2);
  check_vector(net->springs[0][1].c, 0, 0, 0, 0);
  const wy_group_def *group = &net->groups[0];
  assert_true(group->rod_count == 2 && group->hub_count == 3 && group->spring_count == 1);
  for (int i = 0; i < 3; i++)
    assert_int_equal(group->hubs[i], i);
  wy_model_destroy(model);
}

/* Three rods at a body that is turned by a quarter about z: by a weld, by a ball, and two by one weld. */
static void a_body_with_rods(void **state) {
  (void)state;
  draft it;
  empty_draft(&it);
  wy_body_def *body = draft_body(&it, "hub", POINT(5, 6, 7));
  wy_copy3(POINT(0, 0, 3), body->frame + 1); /* of any length: normalised to a half turn in w, z */
  body->frame[0] = 3;
  draft_rod(&it, "a", POINT(4, 6, 7.5), POINT(0, 0, 1)); /* body axes: x is +y of space, y is -x of space */
  draft_rod(&it, "b", POINT(5, 7, 7), POINT(0, 1, 0));
  draft_rod(&it, "c", POINT(5, 6, 5), POINT(0, 0, 1));
  draft_rod(&it, "d", POINT(5, 6, 6), POINT(1, 0, 0));
  wy_joint_def *one = draft_joint(&it, NULL, WY_WELD), *two = draft_joint(&it, NULL, WY_BALL),
               *three = draft_joint(&it, NULL, WY_WELD);
  draft_port(&it, one, wy_port_on_rod(0, 0)), draft_port(&it, one, wy_port_on_body(0, 0, 1, 0.5));
  draft_port(&it, two, wy_port_on_body(0, 1, 0, 0)), draft_port(&it, two, wy_port_on_rod(1, 0));
  draft_port(&it, three, wy_port_on_rod(2, 1)), draft_port(&it, three, wy_port_on_rod(3, 0));
  draft_port(&it, three, wy_port_on_body(0, 0, 0, -1));
  wy_model *model = make_draft(&it);
  const wy_network *net = wy_model_network(model);
  assert_int_equal(net->hub_count, 1);
  assert_int_equal(net->hubs[0].end_count, 4);
  const double tolerance = 4e-15; /* round-off of numbers up to 7 */
  for (int i = 0; i < 4; i++)
    assert_int_equal(net->ends[i].rod, i);
  check_vector(net->ends[0].c, 0, 1, 0.5, tolerance);
  check_vector(net->ends[1].c, 1, 0, 0, tolerance);
  check_vector(net->ends[2].c, 0, 0, -1, tolerance);
  check_vector(net->ends[3].c, 0, 0, -1, tolerance);
  /* d3 = z: d1 is the axis with the largest angle to it, x of space, which is -y of the body. */
  check_directors(net->ends[0].q, POINT(0, -1, 0), POINT(0, 0, 1), tolerance);
  check_directors(net->ends[1].q, POINT(0, -1, 0), POINT(1, 0, 0), tolerance); /* d1 is x of space again */
  check_directors(net->ends[3].q, POINT(1, 0, 0), POINT(0, -1, 0), tolerance); /* d3 is x, d1 y of space */
  assert_true(net->ends[0].turns && !net->ends[1].turns && net->ends[2].turns);
  wy_model_destroy(model);
}

/* Four quarter circles of radius 1 are a ring. The end of a curved rod is found by Simpson's rule with four steps a
   segment, L h^4 / 2880 = 8e-11. */
static void a_ring_of_arcs(void **state) {
  (void)state;
  const double tolerance = 1e-10;
  draft it;
  empty_draft(&it);
  for (int i = 0; i < 4; i++) {
    const double x = cos(i * pi / 2), y = sin(i * pi / 2);
    static const char *const names[] = {"east", "north", "west", "south"};
    draft_rod(&it, names[i], POINT(x, y, 0), POINT(-y, x, 0));
    wy_copy3(POINT(-x, -y, 0), it.rods[i].shape.d1);
    it.rods[i].shape.curvature[1] = wy_constant(1);
    it.rods[i].length = pi / 2;
  }
  for (int i = 0; i < 4; i++) {
    wy_joint_def *joint = draft_joint(&it, NULL, i % 2 ? WY_BALL : WY_WELD);
    draft_port(&it, joint, wy_port_on_rod(i, pi / 2)), draft_port(&it, joint, wy_port_on_rod((i + 1) % 4, 0));
  }
  wy_model *model = make_draft(&it);
  const wy_network *net = wy_model_network(model);
  assert_int_equal(net->hub_count, 4);
  assert_int_equal(net->end_count, 8);
  assert_int_equal(net->group_count, 1);
  for (int i = 0; i < 4; i++) {
    const double x = cos((i + 1) * pi / 2), y = sin((i + 1) * pi / 2);
    const wy_hub *hub = &net->hubs[i];
    check_vector(hub->origin, x, y, 0, tolerance);
    assert_int_equal(hub->has_frame, i % 2 == 0);
    check_directors(hub->frame, POINT(1, 0, 0), POINT(0, 0, 1), 0);
    for (int k = 0; k < 2; k++) {
      const wy_hub_end *end = &net->ends[hub->first_end + k];
      check_vector(end->c, 0, 0, 0, hub->has_frame ? tolerance : 0);
      check_directors(end->q, POINT(-x, -y, 0), POINT(-y, x, 0), rounding);
      assert_int_equal(end->rod, (i + k) % 4);
      assert_int_equal(end->end, k ? WY_START : WY_END);
      assert_int_equal(wy_network_end(model, end->rod, end->end), hub->first_end + k);
    }
  }
  wy_model_destroy(model);
}

/* A trunk with three branches, one of which has two twigs: hubs where they fork. */
static void a_tree(void **state) {
  (void)state;
  draft it;
  empty_draft(&it);
  draft_rod(&it, "trunk", POINT(0, 0, 0), POINT(0, 0, 1));
  draft_rod(&it, "left", POINT(0, 0, 1), POINT(-0.6, 0, 0.8));
  draft_rod(&it, "right", POINT(0, 0, 1), POINT(0.6, 0, 0.8));
  draft_rod(&it, "back", POINT(0, 0, 1), POINT(0, 1, 0));
  draft_rod(&it, "twig", POINT(0.6, 0, 1.8), POINT(0, 0, 1));
  draft_rod(&it, "leaf", POINT(0.6, 0, 1.8), POINT(0, 1, 0));
  wy_joint_def *twigs = draft_joint(&it, "twigs", WY_WELD), *fork = draft_joint(&it, "fork", WY_WELD),
               *root = draft_joint(&it, "root", WY_WELD);
  draft_port(&it, twigs, wy_port_on_rod(2, 1)), draft_port(&it, twigs, wy_port_on_rod(4, 0));
  draft_port(&it, twigs, wy_port_on_rod(5, 0));
  draft_port(&it, fork, wy_port_on_rod(0, 1));
  for (int i = 1; i < 4; i++)
    draft_port(&it, fork, wy_port_on_rod(i, 0));
  draft_port(&it, root, wy_port_on_ground()), draft_port(&it, root, wy_port_on_rod(0, 0));
  wy_model *model = make_draft(&it);
  const wy_network *net = wy_model_network(model);
  assert_int_equal(net->group_count, 1);
  assert_int_equal(net->hub_count, 3);
  static const int counts[] = {3, 4, 1};
  for (int i = 0; i < 3; i++) {
    assert_int_equal(net->hubs[i].end_count, counts[i]);
    assert_int_equal(net->hubs[i].known, i == 2);
  }
  check_vector(net->hubs[0].origin, 0.6, 0, 1.8, rounding);
  assert_int_equal(wy_network_end(model, 3, WY_END), -1);
  const wy_port *ground = &wy_model_joint(model, 2)->ports[0]; /* has its place now */
  assert_true(ground->placed);
  check_vector(ground->point, 0, 0, 0, 0);
  wy_model_destroy(model);
}

/* The ground does not connect, and neither does a body that is attached to nothing. */
static void groups_apart(void **state) {
  (void)state;
  draft it;
  empty_draft(&it);
  draft_rod(&it, "a", POINT(0, 0, 0), POINT(1, 0, 0));
  draft_rod(&it, "b", POINT(0, 0, 0), POINT(0, 1, 0)); /* stands at the same place of the ground */
  draft_rod(&it, "c", POINT(1, 0, 0), POINT(0, 0, 1));
  draft_rod(&it, "alone", POINT(9, 0, 0), POINT(0, 0, 1));
  draft_rod(&it, "swing", POINT(20, 0, 0), POINT(0, 0, 1));
  draft_body(&it, "stone", POINT(0, 0, 99));
  wy_body_def *held = draft_body(&it, "wall", POINT(20, 0, 1));
  held->rotation = held->position[0] = held->position[1] = held->position[2] = WY_HELD;
  wy_joint_def *first = draft_joint(&it, NULL, WY_WELD), *second = draft_joint(&it, NULL, WY_WELD),
               *corner = draft_joint(&it, NULL, WY_BALL), *wall = draft_joint(&it, NULL, WY_BALL);
  draft_port(&it, first, wy_port_on_ground()), draft_port(&it, first, wy_port_on_rod(0, 0));
  draft_port(&it, second, wy_port_on_rod(1, 0)), draft_port(&it, second, wy_port_in_space(0, 0, 0));
  draft_port(&it, corner, wy_port_on_rod(2, 0)), draft_port(&it, corner, wy_port_on_rod(0, 1));
  draft_port(&it, wall, wy_port_on_rod(4, 1)), draft_port(&it, wall, wy_port_on_body(1, 0, 0, 0));
  wy_model *model = make_draft(&it);
  const wy_network *net = wy_model_network(model);
  static const int groups[] = {0, 1, 0, 2, 3};
  assert_int_equal(net->group_count, 5);
  for (int i = 0; i < 5; i++)
    assert_int_equal(net->rod_groups[i], groups[i]);
  assert_true(net->groups[4].rod_count == 0 && net->groups[4].hub_count == 1 && net->groups[4].hubs[0] == 0);
  assert_true(net->groups[2].rod_count == 1 && net->groups[2].rods[0] == 3 && net->groups[2].hub_count == 0);
  assert_true(net->groups[0].rod_count == 2 && net->groups[0].rods[1] == 2 && net->groups[0].hub_count == 2);
  static const bool known[] = {false, true, true, true, false}; /* stone, wall, two on the ground, corner */
  for (int i = 0; i < 5; i++)
    assert_int_equal(net->hubs[i].known, known[i]);
  wy_model_destroy(model);
  held->release = 3; /* its motion is not known for ever */
  model = make_draft(&it);
  assert_false(wy_model_network(model)->hubs[1].known);
  wy_model_destroy(model);
}

/* Springs connect, share hubs, and may stand at inner points. */
static void springs(void **state) {
  (void)state;
  draft it;
  empty_draft(&it);
  draft_rod(&it, "a", POINT(0, 0, 0), POINT(1, 0, 0));
  draft_rod(&it, "b", POINT(0, 1, 0), POINT(1, 0, 0));
  draft_rod(&it, "c", POINT(0, 2, 0), POINT(1, 0, 0));
  wy_joint_def *pin = draft_joint(&it, NULL, WY_BALL);
  draft_port(&it, pin, wy_port_on_rod(1, 0.25)), draft_port(&it, pin, wy_port_on_ground());
  draft_spring(&it, NULL, wy_port_on_rod(0, 1), wy_port_on_ground());
  draft_spring(&it, NULL, wy_port_on_rod(1, 0.25), wy_port_on_rod(0, 1));
  draft_spring(&it, NULL, wy_port_on_rod(1, 0.5), wy_port_in_space(0.5, 1, 3));
  draft_spring(&it, NULL, wy_port_on_rod(1, 0.5), wy_port_in_space(0.5, 1, -3));
  wy_model *model = make_draft(&it);
  const wy_network *net = wy_model_network(model);
  assert_int_equal(net->hub_count, 4); /* the inner point turns on a hub of its own, at that of the ground */
  assert_true(net->hubs[1].kind == WY_HUB_TURNS && net->hubs[1].parent == 0 && !net->hubs[1].known);
  assert_true(net->ends[0].hub == 1 && net->ends[0].turns && net->hubs[0].known && net->hubs[0].end_count == 0);
  assert_int_equal(net->group_count, 2);
  assert_true(net->groups[0].rod_count == 2 && net->groups[0].spring_count == 4 && net->groups[1].rods[0] == 2);
  const wy_spring_end(*ends)[2] = net->springs;
  assert_true(ends[0][0].hub == 2 && ends[1][1].hub == 2 && ends[1][0].hub == 0); /* one hub for both springs */
  assert_true(ends[0][1].hub == -1);
  check_vector(ends[0][1].c, 1, 0, 0, rounding); /* where the rod was */
  assert_true(ends[2][0].hub == 3 && ends[3][0].hub == 3 && ends[2][1].hub == -1);
  assert_true(net->hubs[3].has_frame && net->hubs[3].end_count == 1);
  assert_true(net->ends[0].inner && !net->ends[1].inner && net->ends[2].inner && net->ends[2].turns);
  assert_int_equal(wy_network_end(model, 1, WY_START), -1);
  wy_model_destroy(model);
}

/* A rod of length 1 with inner points on the ground, at places that are given. */
static void pinned_inside(draft *it, int segments, const double *lengths, const double *places, int count) {
  empty_draft(it);
  draft_rod(it, "beam", POINT(0, 0, 0), POINT(1, 0, 0));
  it->rods[0].segments = segments, it->rods[0].segment_lengths = lengths;
  for (int i = 0; i < count; i++) {
    wy_joint_def *joint = draft_joint(it, NULL, WY_WELD);
    draft_port(it, joint, wy_port_on_rod(0, places[i])), draft_port(it, joint, wy_port_on_ground());
  }
}

static void check_pieces(const wy_model *model, const int *counts, int count) {
  const wy_network *net = wy_model_network(model);
  const wy_rod_def *rod = wy_model_rod(model, 0);
  double s = 0;
  assert_int_equal(net->piece_count, count);
  assert_true(net->rod_pieces[0] == 0 && net->rod_pieces[1] == count);
  for (int i = 0, first = 0; i < count; i++) {
    const wy_piece *piece = &net->pieces[i];
    assert_int_equal(piece->count, counts[i]);
    assert_int_equal(piece->first, first);
    check_close(piece->from, s, rounding);
    for (int k = 0; k < piece->count; k++)
      s += wy_segment_length(rod, first + k);
    check_close(piece->to, s, rounding);
    first += counts[i];
    assert_int_equal(piece->ends[0] < 0, i == 0);
    assert_int_equal(piece->ends[1] < 0, i == count - 1);
  }
}

/* Inner points become vertices; segments are shared out in proportion, as the grid is graded. */
static void pieces(void **state) {
  (void)state;
  draft it;
  pinned_inside(&it, 8, NULL, (const double[]){0.75, 0.25}, 2); /* vertices already: nothing changes */
  wy_model *model = make_draft(&it);
  assert_null(wy_model_rod(model, 0)->segment_lengths);
  check_pieces(model, (const int[]){2, 4, 2}, 3);
  wy_model_destroy(model);
  pinned_inside(&it, 10, NULL, (const double[]){0.33, 0.61}, 2); /* 3.3, 2.8, 3.9 */
  model = make_draft(&it);
  assert_int_equal(wy_model_rod(model, 0)->segments, 10);
  check_pieces(model, (const int[]){3, 3, 4}, 3);
  check_close(wy_segment_length(wy_model_rod(model, 0), 4), 0.28 / 3, rounding);
  wy_model_destroy(model);
  static const double graded[6] = {0.05, 0.1, 0.15, 0.2, 0.25, 0.25}; /* 0.4 is half way along the fourth segment */
  pinned_inside(&it, 6, graded, (const double[]){0.4}, 1);
  model = make_draft(&it);
  check_pieces(model, (const int[]){4, 2}, 2);
  const double *lengths = wy_model_rod(model, 0)->segment_lengths;
  for (int i = 0; i < 3; i++)
    assert_true(lengths[i] < lengths[i + 1]);
  wy_model_destroy(model);
}

/* A piece has room for two of the rod's segments, or it is said how many would do. */
static void short_pieces(void **state) {
  (void)state;
  draft it;
  wy_message message;
  pinned_inside(&it, 10, NULL, (const double[]){0.5, 0.65}, 2);
  it.joints[1].name = "near";
  assert_int_equal(wy_model_create(&it.model, &(wy_model *){NULL}, &message), WY_ERROR_INPUT);
  assert_non_null(strstr(message.text, "expected 14 or more"));
  assert_non_null(strstr(message.text, "joints.near at s = 0.65 is less than two segments from joints[0] at s = 0.5"));
  pinned_inside(&it, 10, NULL, (const double[]){0.85}, 1);
  assert_int_equal(wy_model_create(&it.model, &(wy_model *){NULL}, &message), WY_ERROR_INPUT);
  assert_non_null(strstr(message.text, "from its end"));
}

/* A joint that is to bring its parts together has them where they will be. */
static void assembled(void **state) {
  (void)state;
  draft it;
  draft_example(&it);
  it.rods[1].shape.origin[1] = 0.25;
  it.joints[0].assemble = true;
  wy_model *model = make_draft(&it);
  const wy_network *net = wy_model_network(model);
  check_vector(net->hubs[1].origin, 1, 0, 0, rounding);
  check_vector(net->ends[wy_network_end(model, 1, WY_END)].c, 0, 0, 0, rounding);
  wy_model_destroy(model);
}

/* Without joints every rod is a group, as it was. */
static void rods_alone(void **state) {
  (void)state;
  draft it;
  draft_example(&it);
  it.model.joint_count = it.model.spring_count = it.model.body_count = it.model.load_count = 0;
  it.rods[0].name = "ground"; /* which is a name like any other where nothing can be on the ground */
  wy_model *model = make_draft(&it);
  const wy_network *net = wy_model_network(model);
  assert_int_equal(net->group_count, 2);
  assert_int_equal(net->hub_count + net->end_count + net->spring_count, 0);
  for (int i = 0; i < 2; i++) {
    assert_true(net->groups[i].rod_count == 1 && net->groups[i].rods[0] == i && net->rod_groups[i] == i);
    assert_int_equal(wy_network_end(model, i, WY_START) + wy_network_end(model, i, WY_END), -2);
  }
  wy_model_destroy(model);
}

/* Estimates take what a joint holds for held. */
static void joints_are_supports(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    draft it;
    empty_draft(&it);
    draft_rod(&it, "beam", POINT(0, 0, 0), POINT(1, 0, 0));
    it.rods[0].ends[0] = k ? wy_end_clamped() : wy_end_pinned();
    wy_model *held = make_draft(&it);
    it.rods[0].ends[0] = wy_end_free();
    wy_model *loose = make_draft(&it);
    wy_joint_def *foot = draft_joint(&it, "foot", k ? WY_WELD : WY_BALL);
    draft_port(&it, foot, wy_port_on_rod(0, 0)), draft_port(&it, foot, wy_port_on_ground());
    wy_model *joined = make_draft(&it);
    const double want = wy_model_time_scale(held, 0, 1);
    check_close(wy_model_time_scale(joined, 0, 1), want, 0);
    check_above(fabs(wy_model_time_scale(loose, 0, 1) - want), 0.1 * want);
    wy_model_destroy(held), wy_model_destroy(loose), wy_model_destroy(joined);
  }
}

/* ---- Many ---- */

enum { MANY = 60, TIES = 10 };

/* Rods that all begin at one place, joined at random there and by springs between their ends. */
typedef struct crowd {
  wy_rod_def rods[MANY];
  wy_joint_def joints[MANY];
  wy_spring_def ties[TIES];
  wy_port ports[MANY];
  char names[MANY][8];
  wy_model_def model;
} crowd;

static void gather(crowd *it, int trial, unsigned *seed) {
  it->model = wy_default_model_def();
  for (int i = 0; i < MANY; i++) {
    it->rods[i] = rubber_rod(2);
    it->rods[i].ends[0] = it->rods[i].ends[1] = wy_end_free();
    snprintf(it->names[i], sizeof it->names[i], "r%d", i);
    it->rods[i].name = it->names[i];
    it->rods[i].shape = (wy_shape){.direction = {cos(i), sin(i), 0}};
    it->ports[i] = wy_port_on_rod((7 * i + trial) % MANY, 0); /* each once */
  }
  for (int used = 0; used < MANY - 4;) {
    wy_joint_def *joint = &it->joints[it->model.joint_count++];
    *joint = wy_default_joint_def();
    joint->kind = WY_BALL;
    joint->ports = &it->ports[used], joint->port_count = 2 + (int)(1.5 + 1.4 * noise(seed)); /* 2 to 4 */
    used += joint->port_count;
  }
  for (int i = 0; i < TIES; i++) {
    const int a = (int)(MANY / 2 * (1 + 0.999 * noise(seed))), b = (a + 1 + i) % MANY;
    it->ties[i] = wy_default_spring_def();
    it->ties[i].stiffness = 1;
    it->ties[i].ports[0] = wy_port_on_rod(a, it->rods[a].length);
    it->ties[i].ports[1] = wy_port_on_rod(b, it->rods[b].length);
  }
  it->model.rods = it->rods, it->model.rod_count = MANY, it->model.joints = it->joints;
  it->model.springs = it->ties, it->model.spring_count = TIES;
}

/* The first rod of each rod's group, by repeated search. */
static void label_by_search(const crowd *it, int label[MANY]) {
  const int joints = it->model.joint_count;
  for (int i = 0; i < MANY; i++)
    label[i] = i;
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < joints + TIES; i++) {
      const wy_port *of = i < joints ? it->joints[i].ports : it->ties[i - joints].ports;
      const int count = i < joints ? it->joints[i].port_count : 2;
      int least = MANY;
      for (int k = 0; k < count; k++)
        least = label[of[k].index] < least ? label[of[k].index] : least;
      for (int k = 0; k < count; k++) {
        changed = changed || label[of[k].index] != least;
        label[of[k].index] = least;
      }
    }
  }
}

static void groups_of_many(void **state) {
  (void)state;
  static crowd it;
  unsigned seed = 3;
  for (int trial = 0; trial < 20; trial++) {
    int label[MANY], numbers[MANY], next = 0, listed = 0;
    wy_model *model = NULL;
    wy_message message = {.text = ""};
    gather(&it, trial, &seed);
    label_by_search(&it, label);
    must(wy_model_create(&it.model, &model, &message), &message);
    const wy_network *net = wy_model_network(model);
    for (int i = 0; i < MANY; i++) { /* groups are numbered by their first rods */
      numbers[i] = label[i] == i ? next++ : numbers[label[i]];
      assert_int_equal(net->rod_groups[i], numbers[i]);
    }
    assert_int_equal(net->group_count, next);
    check_above(next, 1);
    for (int g = 0; g < next; g++) {
      listed += net->groups[g].rod_count;
      for (int k = 0; k < net->groups[g].hub_count; k++)
        assert_int_equal(net->hubs[net->groups[g].hubs[k]].group, g);
    }
    assert_int_equal(listed, MANY);
    wy_model_destroy(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_example), cmocka_unit_test(a_body_with_rods),    cmocka_unit_test(a_ring_of_arcs),
      cmocka_unit_test(a_tree),      cmocka_unit_test(groups_apart),        cmocka_unit_test(springs),
      cmocka_unit_test(pieces),      cmocka_unit_test(short_pieces),        cmocka_unit_test(assembled),
      cmocka_unit_test(rods_alone),  cmocka_unit_test(joints_are_supports), cmocka_unit_test(groups_of_many),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
