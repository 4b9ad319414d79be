/* SPDX-License-Identifier: MIT */
/* The kernel of batches, one lane in double precision: its derivatives against differences, its elimination against the
   library's band LU, its substep against the equations that it solves. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "check.h"
#include "linalg/band.h"
#include "support/rods.h"

#define LANES 1
#include "batch/lanes/double.h"

enum { SEGMENTS = 7, CELLS = SEGMENTS + 1, UNKNOWNS = 6 * SEGMENTS };

/* A rod in random shape and motion, with unlike numbers. `size`: how far from straight and at rest. */
typedef struct scene {
  double par[WY_PAR_COUNT], natural[3 * CELLS], ends[WY_ENDS];
  double now[WY_CELL * CELLS], before[WY_CELL * CELLS], next[WY_CELL * CELLS], factors[CELL_FACTORS * SEGMENTS];
  rod rod;
} scene;

static vec random_vec(double size, unsigned *seed) {
  const double x = noise(seed), y = noise(seed), z = noise(seed);
  return scaled(size, vec_of(x, y, z));
}

static quat random_quat(double size, unsigned *seed) {
  const vec v = random_vec(size, seed);
  return unit(quat_of(1, v.x, v.y, v.z));
}

static void set(scene *it, int measure, double size, double damping, unsigned seed) {
  memset(it, 0, sizeof *it);
  for (int k = 0; k < 3; k++) {
    it->par[WY_PAR_CG + k] = 300 + 50 * k, it->par[WY_PAR_DG + k] = damping * (3 + k);
    it->par[WY_PAR_CK + k] = 5 + k, it->par[WY_PAR_DK + k] = damping * (0.5 + 0.1 * k);
    it->par[WY_PAR_INERTIA + k] = 0.2 + 0.1 * k, it->par[WY_PAR_GRAVITY + k] = size * (0.1 + 0.2 * k);
    it->par[WY_PAR_SPIN_DRAG + k] = 0.03;
  }
  it->par[WY_PAR_DRAG] = 0.2;
  for (int end = 0; end < 4; end++)
    it->ends[end * WY_END_POSE + WY_END_Q] = 1;
  for (int i = 0; i < CELLS; i++) {
    node n = {.p = random_quat(size, &seed)};
    n.e = plus(rotation(n.p).c, random_vec(0.1 * size, &seed));
    n.v = random_vec(size, &seed), n.om = random_vec(size, &seed);
    put_node(it->now, i, n);
    put_node(it->before, i, n);
    put_vec(it->natural, 3 * i, random_vec(size, &seed));
  }
  it->rod = (rod){.segments = SEGMENTS, .measure = measure, .par = it->par, .natural = it->natural, .ends = it->ends};
}

static const double sigma = 3;

static moment_of_frame moment(void) {
  return (moment_of_frame){.sigma = sigma, .behind = sigma / 3, .ratio = 1, .begin = 0, .share = 1, .frame = 0.5};
}

/* P of (S41), and no known parts. */
static known turning(vec om) {
  const double inv = 1 / (sigma * sigma + 0.25 * inner(om, om));
  return (known){.be = sigma * inv, .ga = 0.5 * inv};
}

/* ---- Derivatives ---- */

/* The segment after a change of v or Om by `by` in direction `column`, with the edge and the frame that follow it. */
static node changed(node n, int column, double by) {
  double d[6] = {0};
  d[column] = by;
  const vec dom = vec_of(d[0], d[1], d[2]), dv = vec_of(d[3], d[4], d[5]);
  const vec theta = apply(times_turn(diagonal(vec_of(1, 1, 1)), n.om, turning(n.om)), dom);
  n.om = plus(n.om, dom), n.v = plus(n.v, dv), n.e = plus(n.e, scaled(1 / sigma, dv));
  const vec half = scaled(0.5, theta);
  n.p = unit(quat_product(n.p, quat_of(1, half.x, half.y, half.z)));
  return n;
}

/* Force and torque of a segment, and the torques of the vertex before it and, if held, of its ghost. */
static void forces(const scene *it, node lo, node me, double out[12]) {
  const stiff s = stiff_of(it->par);
  const strained at = strain_at(&s, me.e, me.p, minus(me.v, lo.v), me.om);
  const known none = {.be = 0};
  const pulled own = segment_forces(&s, &at, me.om, none, at.force);
  twisted torque;
  if (it->rod.measure == MEASURE_TAN2) {
    const bent bend = bend_at(&s, lo.p, me.p, lo.om, me.om, vec_at(it->natural, 3));
    torque = vertex_forces(&s, &bend, no_vec(), no_vec());
  } else {
    torque = vertex_at(&s, it->rod.measure, lo.p, me.p, lo.om, me.om, vec_at(it->natural, 3)).torque;
  }
  const clamped clamp = clamp_at(&s, it->rod.measure, 1, lo.p, lo.om, me.p, me.om, vec_at(it->natural, 3));
  put_vec(out, 0, own.n);
  put_vec(out, 3, plus(own.tau, torque.plus));
  put_vec(out, 6, torque.minus);
  put_vec(out, 9, clamp.torque);
}

static vec column_of(mat m, int k) {
  return k == 0 ? m.a : k == 1 ? m.b : m.c;
}

/* The columns of the upper segment: what the kernel has for them. */
static void derivatives(const scene *it, node lo, node me, int column, double out[12]) {
  const stiff s = stiff_of(it->par);
  const known lk = turning(lo.om), mk = turning(me.om);
  const strained at = strain_at(&s, me.e, me.p, minus(me.v, lo.v), me.om);
  const segment_by own = segment_derivatives(&s, &at, me.om, mk, at.force, sigma);
  const vec natural = vec_at(it->natural, 3);
  mat before, after;
  if (it->rod.measure == MEASURE_TAN2) {
    const bent bend = bend_at(&s, lo.p, me.p, lo.om, me.om, natural);
    const vertex_by by = vertex_derivatives(&s, &bend, lo.om, me.om, lk, mk);
    before = by.minus_plus, after = by.plus_plus;
  } else {
    const vertex_all v = vertex_at(&s, it->rod.measure, lo.p, me.p, lo.om, me.om, natural);
    before = mat_plus(times_turn(v.by_theta.minus_plus, me.om, mk), v.by_om.minus_plus);
    after = mat_plus(times_turn(v.by_theta.plus_plus, me.om, mk), v.by_om.plus_plus);
  }
  const clamped clamp = clamp_at(&s, it->rod.measure, 1, lo.p, lo.om, me.p, me.om, natural);
  const mat held = mat_plus(times_turn(clamp.by_theta, me.om, mk), clamp.by_om), none = no_mat();
  const bool turn = column < 3;
  const int k = column % 3;
  put_vec(out, 0, column_of(turn ? own.force_w : own.force_v, k));
  put_vec(out, 3, column_of(turn ? mat_plus(own.torque_w, after) : own.torque_v, k));
  put_vec(out, 6, column_of(turn ? before : none, k));
  put_vec(out, 9, column_of(turn ? held : none, k));
}

/* A central difference with step h has the error h^2 times a third derivative, and round-off over h. */
static void derivatives_are_differences(void **state) {
  (void)state;
  const double h = 1e-5;
  for (int measure = MEASURE_SIN2; measure <= MEASURE_ANGLE; measure++)
    for (unsigned seed = 1; seed < 6; seed++) {
      scene it;
      set(&it, measure, 0.3, 1, seed);
      const node lo = node_at(it.now, 0), me = node_at(it.now, 1);
      for (int column = 0; column < 6; column++) {
        double up[12], down[12], want[12];
        forces(&it, lo, changed(me, column, h), up);
        forces(&it, lo, changed(me, column, -h), down);
        derivatives(&it, lo, me, column, want);
        for (int i = 0; i < 12; i++)
          check_close(want[i], (up[i] - down[i]) / (2 * h), 1e-6);
      }
    }
}

/* ---- The elimination ---- */

/* One cell as the sweep makes it. */
typedef struct cell {
  cell_forces f;
  cell_blocks b;
  double d[6][6], y[6][7];
} cell;

static void make_cell(const scene *it, const moment_of_frame *m, int i, cell *c) {
  const stiff s = stiff_of(it->par);
  const vec none = no_vec();
  const predicted me = predict_segment(&it->rod, m, &s, it->now, it->before, i, none);
  const predicted lo = i ? predict_segment(&it->rod, m, &s, it->now, it->before, i - 1, none) : me;
  const vec before_v = i ? lo.s.v : none;
  const known mk = known_of(m, me.s, me.d, before_v), lk = known_of(m, lo.s, lo.d, lo.s.v);
  const carried from = {.r = {0}};
  own_segment(&it->rod, m, &s, &s, i, me.s, before_v, me.held, mk, &c->f, &c->b);
  c->f.tau_before = none;
  c->b.before_before = c->b.before_own = c->b.own_before = no_mat();
  if (i > 0) {
    const neighbours both = {lo.s, me.s, lk, mk};
    tan2_vertex(&it->rod, &s, &s, i, &both, &c->f, &c->b);
  }
  assemble(&it->rod, m, &s, i, me.s, me.d, &c->f, &c->b, &from, c->d, c->y);
}

static void add_entry(wy_band *band, int row, int column, double value) {
  wy_band_row(band, row)[column - row + band->kl] += value;
}

static void add_mat(wy_band *band, int row, int column, double factor, mat m) {
  for (int k = 0; k < 3; k++) {
    const vec v = column_of(m, k);
    add_entry(band, row, column + k, factor * v.x);
    add_entry(band, row + 1, column + k, factor * v.y);
    add_entry(band, row + 2, column + k, factor * v.z);
  }
}

/* The whole matrix, cell by cell, and its right-hand side. */
static void assemble_band(const scene *it, const moment_of_frame *m, wy_band *band, double *r) {
  for (int i = 0; i < SEGMENTS; i++) {
    cell c;
    const int at = 6 * i;
    make_cell(it, m, i, &c);
    for (int a = 0; a < 6; a++) {
      r[at + a] += c.y[a][6];
      for (int k = 0; k < 6; k++) {
        add_entry(band, at + a, at + k, c.d[a][k]);
        if (i > 0)
          add_entry(band, at + a, at - 6 + k, c.y[a][k]);
      }
    }
    if (i == 0)
      continue;
    add_mat(band, at - 6, at - 6, -1, c.b.before_before);
    add_mat(band, at - 6, at, -1, c.b.before_own);
    add_mat(band, at - 3, at - 3, 1, c.b.force_v);
    add_mat(band, at - 3, at, -1, c.b.force_w);
    add_mat(band, at - 3, at + 3, -1, c.b.force_v);
    const double left[6] = {c.f.tau_before.x, c.f.tau_before.y, c.f.tau_before.z, c.f.n.x, c.f.n.y, c.f.n.z};
    for (int a = 0; a < 6; a++)
      r[at - 6 + a] += left[a];
  }
}

static void elimination_is_that_of_the_band(void **state) {
  (void)state;
  wy_arena arena = {.used = 0};
  wy_band band;
  wy_band_layout(&band, &arena, UNKNOWNS, 11, 11);
  assert_int_equal(wy_arena_allocate(&arena), 0);
  wy_band_layout(&band, &arena, UNKNOWNS, 11, 11);
  scene it;
  set(&it, MEASURE_TAN2, 0.2, 1, 3);
  for (int k = 0; k < 3; k++)
    it.rod.held[0][k] = 1;
  const moment_of_frame m = moment();
  double r[UNKNOWNS] = {0}, error = 0, least = 1, most = 0;
  assemble_band(&it, &m, &band, r);
  assert_int_equal(wy_band_factor(&band), 0);
  wy_band_solve(&band, r);
  implicit_step(&it.rod, &m, it.now, it.before, it.next, it.factors, &error, &least);
  check_above(least, 0);
  for (int i = 0; i < SEGMENTS; i++) {
    const node want = node_at(it.next, i), from = predict(&m, node_at(it.now, i), node_at(it.before, i));
    const vec dom = minus(want.om, from.om), dv = minus(want.v, from.v);
    const double z[6] = {dom.x, dom.y, dom.z, dv.x, dv.y, dv.z};
    for (int a = 0; a < 6; a++)
      most = fmax(most, fabs(z[a] - r[6 * i + a]));
  }
  check_below(most, 1e-12);
  wy_arena_release(&arena);
}

/* ---- The substep ---- */

/* The equations of motion at the state that the substep has found, with the rates of its formula: what is left. */
static double left_over(const scene *it, const moment_of_frame *m) {
  const stiff s = stiff_of(it->par);
  double most = 0;
  for (int i = 0; i < SEGMENTS; i++) {
    const node x = node_at(it->next, i);
    const node d = rate_of(m, x, node_at(it->now, i), node_at(it->before, i));
    const vec lo_v = node_at(it->next, i ? i - 1 : SEGMENTS).v;
    const known none = {.be = 0};
    const strained at = strain_at(&s, x.e, x.p, minus(x.v, lo_v), x.om);
    const pulled own = segment_forces(&s, &at, x.om, none, at.force);
    vec turn = own.tau, pull = scaled(-1, own.n);
    if (i > 0) {
      const node lo = node_at(it->next, i - 1);
      const bent b = bend_at(&s, lo.p, x.p, lo.om, x.om, vec_at(it->natural, 3 * i));
      turn = plus(turn, bend_torques(&b.k, b.moment).plus);
    }
    if (i < SEGMENTS - 1) {
      const node up = node_at(it->next, i + 1);
      const bent b = bend_at(&s, x.p, up.p, x.om, up.om, vec_at(it->natural, 3 * i + 3));
      const strained above = strain_at(&s, up.e, up.p, minus(up.v, x.v), up.om);
      turn = plus(turn, bend_torques(&b.k, b.moment).minus);
      pull = plus(pull, apply(above.r, above.force));
    }
    const double mass = i == SEGMENTS - 1 ? 0.5 : 1;
    turn = plus(turn, each(s.inertia, d.om));
    pull = plus(pull, plus(scaled(mass, d.v), outer_force(&it->rod, i + 1, mass, x.v)));
    const vec edge = plus(d.e, minus(x.v, lo_v));
    most = fmax(most, fmax(sqrt(inner(turn, turn)), fmax(sqrt(inner(pull, pull)), sqrt(inner(edge, edge)))));
  }
  return most;
}

/* One Newton iteration leaves the square of what it corrects: a tenth of the motion, a hundredth of what is left. The
   elastic force of the geometric terms is that of the prediction here. */
static void a_substep_solves_the_equations(void **state) {
  (void)state;
  const moment_of_frame m = moment();
  double left[2];
  for (int k = 0; k < 2; k++) {
    scene it;
    set(&it, MEASURE_TAN2, k ? 1e-4 : 1e-3, 1, 5);
    double error = 0, least = 1;
    implicit_step(&it.rod, &m, it.now, it.before, it.next, it.factors, &error, &least);
    left[k] = left_over(&it, &m);
  }
  check_below(left[1], left[0] / 80);
}

/* The cubic of a support begins and ends where it is told, with the rates that it is told; in between its angular
   velocity is that of its frame. */
static void supports_move_by_cubics(void **state) {
  (void)state;
  unsigned seed = 7;
  double ends[WY_ENDS] = {0};
  const double frame = 0.7;
  for (int k = 0; k < 4; k++) {
    double *pose = ends + k * WY_END_POSE;
    const quat q = random_quat(0.5, &seed);
    const vec half = random_vec(0.4, &seed);
    const quat rate = quat_product(q, quat_of(0, half.x, half.y, half.z));
    put_vec(pose, WY_END_X, random_vec(1, &seed));
    put_vec(pose, WY_END_V, random_vec(1, &seed));
    pose[WY_END_Q] = q.w, pose[WY_END_R] = rate.w;
    put_vec(pose, WY_END_Q + 1, pure(q));
    put_vec(pose, WY_END_R + 1, pure(rate));
  }
  for (int end = 0; end < 2; end++)
    for (int k = 0; k <= 4; k++) {
      const double z = 0.25 * k, h = 1e-5;
      const support at = support_at(ends, end, z, frame), up = support_at(ends, end, z + h, frame);
      const support down = support_at(ends, end, z - h, frame);
      const vec v = scaled(0.5 / (h * frame), minus(up.x, down.x));
      const vec om = scaled(1 / (h * frame), pure(between(at.q, quat_minus(up.q, down.q))));
      check_below(sqrt(inner(minus(at.v, v), minus(at.v, v))), 1e-8);
      check_below(sqrt(inner(minus(at.om, om), minus(at.om, om))), 1e-8);
      const double *pose = ends + end * WY_END_MOTION + (k == 4 ? WY_END_POSE : 0);
      if (k % 4 == 0) {
        const vec x = minus(at.x, vec_at(pose, WY_END_X)), q = minus(pure(at.q), vec_at(pose, WY_END_Q + 1));
        const vec given = minus(at.v, vec_at(pose, WY_END_V));
        check_below(inner(x, x) + inner(q, q) + inner(given, given), 1e-28);
      }
    }
}

/* ---- Leapfrog ---- */

/* A straight rod whose extension is faster than all else, in random vibration, so small that it stays linear: moved by
   `substeps` of length h. Returns the largest strain at the end, and what the monitor has seen. */
static double vibrate(double damping, double h, int substeps, double *error) {
  scene it;
  unsigned seed = 3;
  set(&it, MEASURE_TAN2, 0, 0, 1);
  const double slow[3] = {1, 1, 300};
  for (int k = 0; k < 3; k++) {
    it.par[WY_PAR_CG + k] = slow[k], it.par[WY_PAR_DG + k] = k == 2 ? damping : 0;
    it.par[WY_PAR_CK + k] = 1, it.par[WY_PAR_DK + k] = 0, it.par[WY_PAR_INERTIA + k] = 1;
    it.par[WY_PAR_SPIN_DRAG + k] = it.par[WY_PAR_GRAVITY + k] = 0;
  }
  it.par[WY_PAR_DRAG] = 0;
  it.rod.damped = 1;
  for (int i = 0; i < SEGMENTS; i++) {
    node n = node_at(it.now, i);
    n.e = vec_of(0, 0, 1 + 1e-6 * noise(&seed));
    put_node(it.now, i, n);
  }
  memcpy(it.before, it.now, sizeof it.now);
  leap m = {.kick = h, .drift = 0.5 * h, .frame = 1};
  *error = 0;
  for (int i = 0; i < substeps; i++) {
    leap_step(&it.rod, &m, it.now, it.before, error);
    m.drift = h, m.ahead = 0.5;
  }
  double most = 0;
  for (int i = 0; i < SEGMENTS; i++)
    most = fmax(most, fabs(node_at(it.now, i).e.z - 1));
  return most;
}

/* The fastest vibration of a chain whose ends have half the mass: w^2 = 4 c, damped by 4 d. It is stable below
   (w h)^2 + 4 (4 d) h = 4 (B18), and grows above, until the monitor sees it. */
static void leaps_are_stable_up_to_their_limit(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    const double c = 300, d = 5.0 * k, limit = 2 / (sqrt(4 * c + 16 * d * d) + 4 * d);
    double error;
    check_below(vibrate(d, 0.995 * limit, 2000, &error), 2e-5);
    check_below(error, 0.05);
    vibrate(d, 1.02 * limit, 2000, &error);
    print_message("damping %g: limit %g, beyond it the estimate comes to %g\n", d, limit, sqrt(error));
    assert_false(sqrt(error) <= 0.05);
  }
}

int main(void) {
  (void)frame_of_tile;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivatives_are_differences),        cmocka_unit_test(elimination_is_that_of_the_band),
      cmocka_unit_test(a_substep_solves_the_equations),     cmocka_unit_test(supports_move_by_cubics),
      cmocka_unit_test(leaps_are_stable_up_to_their_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
