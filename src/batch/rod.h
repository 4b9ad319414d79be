/* SPDX-License-Identifier: MIT */
/* One substep of one rod, or of several rods side by side: docs/theory/batch.md. One source for the lanes of a CPU and
   the threads of a GPU, in C11 and C++14, without a branch on data.

   Whoever includes this defines
     RS, REAL        a number; a number of each rod side by side (RS again, or a vector of RS)
     FN, FN_APART    how functions are declared: inlined; not inlined by a CPU, since they are large and seldom called
     UNROLL          what stands before a loop that is to be unrolled
     SPLAT(x)        a REAL of one number
     INV, SQRT, INV_SQRT, STEP(x) (1 where x > 0, else 0), LESSER, GREATER (where either is NaN: the second)
     LANE_COUNT, UNROLL_LANES, LANE(x, lane)
                     how many numbers a REAL has; what stands before a loop over them; one of them
     AT(array, k)    entry k of the rod in an array of STORE; FACTOR(array, k) likewise of factors, of FACTORS
     KEEP_PREDICTION 1: the first sweep leaves the prediction in the new state, for the second; 0: the second makes it
                     again, which moves less memory; then the new state may take the place of the one before
     FETCH_CELL(array, i), FETCH_FACTORS(array, i)
                     cell i of a state, or its factors, will be read, FETCH_DISTANCE cells from now; it may not exist
   and for mixed precision LOW (1), with LOW_RS, LOW_REAL, LOWER(x), HIGHER(x) and the functions for it. */
#include "batch/layout.h"

enum { MEASURE_SIN2, MEASURE_SIN4, MEASURE_TAN2, MEASURE_TAN4, MEASURE_ANGLE, ZETA_TERMS = 12, CELL_FACTORS = 42 };

#include "batch/algebra.h"
#include "batch/section.h"
#if LOW
#include "batch/low_names.h"
#define low(name) low_##name
#else
#define LOW_RS RS
#define LOW_REAL REAL
#define LOW_SPLAT SPLAT
#define LOW_INV INV
#define LOW_LESSER LESSER
#define LOWER(x) (x)
#define HIGHER(x) (x)
#define low(name) name
#endif

#include "batch/grid.h"
#include "batch/predict.h"
#include "batch/touch.h"

/* Behind those, whose types it has. */
#include "batch/leap.h"
#include "batch/moment.h"

/* ---- The solve ---- */

/* What the cell nearer to the tip leaves to the next one: its part of D and of the right-hand side. */
typedef struct carried {
  LOW_REAL d[6][6], r[6];
} carried;

FN void set_block(LOW_REAL d[6][6], int row, int column, low(mat) m) {
  d[row][column] = d[row][column] + m.a.x;
  d[row + 1][column] = d[row + 1][column] + m.a.y;
  d[row + 2][column] = d[row + 2][column] + m.a.z;
  d[row][column + 1] = d[row][column + 1] + m.b.x;
  d[row + 1][column + 1] = d[row + 1][column + 1] + m.b.y;
  d[row + 2][column + 1] = d[row + 2][column + 1] + m.b.z;
  d[row][column + 2] = d[row][column + 2] + m.c.x;
  d[row + 1][column + 2] = d[row + 1][column + 2] + m.c.y;
  d[row + 2][column + 2] = d[row + 2][column + 2] + m.c.z;
}

FN void set_rows(LOW_REAL y[6][7], int row, int column, low(mat) m) {
  y[row][column] = m.a.x;
  y[row + 1][column] = m.a.y;
  y[row + 2][column] = m.a.z;
  y[row][column + 1] = m.b.x;
  y[row + 1][column + 1] = m.b.y;
  y[row + 2][column + 1] = m.b.z;
  y[row][column + 2] = m.c.x;
  y[row + 1][column + 2] = m.c.y;
  y[row + 2][column + 2] = m.c.z;
}

/* Y := D^-1 Y without pivoting (B13); returns the smallest pivot. */
FN LOW_REAL eliminate(LOW_REAL d[6][6], LOW_REAL y[6][7]) {
  LOW_REAL least = d[0][0];
  UNROLL for (int k = 0; k < 6; k++) {
    const LOW_REAL inv = LOW_INV(d[k][k]);
    least = LOW_LESSER(least, d[k][k]);
    UNROLL for (int j = k + 1; j < 6; j++) d[k][j] = d[k][j] * inv;
    UNROLL for (int j = 0; j < 7; j++) y[k][j] = y[k][j] * inv;
    UNROLL for (int a = k + 1; a < 6; a++) {
      const LOW_REAL f = d[a][k];
      UNROLL for (int j = k + 1; j < 6; j++) d[a][j] = d[a][j] - f * d[k][j];
      UNROLL for (int j = 0; j < 7; j++) y[a][j] = y[a][j] - f * y[k][j];
    }
  }
  UNROLL for (int k = 5; k > 0; k--) {
    UNROLL for (int a = 0; a < k; a++) {
      const LOW_REAL f = d[a][k];
      UNROLL for (int j = 0; j < 7; j++) y[a][j] = y[a][j] - f * y[k][j];
    }
  }
  return least;
}

/* Components of the last vertex that a support holds: their rows say dv = 0. */
FN void hold_rows(const RS held[3], LOW_REAL d[6][6], LOW_REAL y[6][7]) {
  UNROLL for (int k = 0; k < 3; k++) {
    const LOW_RS free_share = (LOW_RS)1 - (LOW_RS)held[k];
    UNROLL for (int j = 0; j < 6; j++) d[3 + k][j] = d[3 + k][j] * free_share;
    UNROLL for (int j = 0; j < 7; j++) y[3 + k][j] = y[3 + k][j] * free_share;
    d[3 + k][3 + k] = d[3 + k][3 + k] + (LOW_RS)held[k];
  }
}

/* dv of the first vertex, whose own cell has three unknowns. */
FN vec solve_head(const RS held[3], LOW_REAL d[3][3], LOW_REAL r[3], REAL *least) {
  UNROLL for (int k = 0; k < 3; k++) {
    const LOW_RS free_share = (LOW_RS)1 - (LOW_RS)held[k];
    UNROLL for (int j = 0; j < 3; j++) d[k][j] = d[k][j] * free_share;
    r[k] = r[k] * free_share;
    d[k][k] = d[k][k] + (LOW_RS)held[k];
  }
  UNROLL for (int k = 0; k < 3; k++) {
    const LOW_REAL inv = LOW_INV(d[k][k]);
    const REAL pivot = HIGHER(d[k][k]);
    *least = LESSER(*least, pivot);
    UNROLL for (int a = k + 1; a < 3; a++) {
      const LOW_REAL f = d[a][k] * inv;
      UNROLL for (int j = k + 1; j < 3; j++) d[a][j] = d[a][j] - f * d[k][j];
      r[a] = r[a] - f * r[k];
    }
  }
  r[2] = r[2] * LOW_INV(d[2][2]);
  r[1] = (r[1] - d[1][2] * r[2]) * LOW_INV(d[1][1]);
  r[0] = (r[0] - d[0][1] * r[1] - d[0][2] * r[2]) * LOW_INV(d[0][0]);
  return vec_of(HIGHER(r[0]), HIGHER(r[1]), HIGHER(r[2]));
}

FN low(vec) lower_vec(vec v) {
  return low(vec_of)(LOWER(v.x), LOWER(v.y), LOWER(v.z));
}

#if LOW
FN low(quat) lower_quat(quat q) {
  return low(quat_of)(LOWER(q.w), LOWER(q.x), LOWER(q.y), LOWER(q.z));
}

FN low(known) lower_known(known k) {
  low(known) l;
  l.e = lower_vec(k.e);
  l.theta = lower_vec(k.theta);
  l.be = LOWER(k.be);
  l.ga = LOWER(k.ga);
  return l;
}

FN low(stiff) lower_stiff(stiff s) {
  low(stiff) l;
  l.cg = lower_vec(s.cg);
  l.dg = lower_vec(s.dg);
  l.ck = lower_vec(s.ck);
  l.dk = lower_vec(s.dk);
  l.inertia = lower_vec(s.inertia);
  l.spin_drag = lower_vec(s.spin_drag);
  return l;
}
#else
#define lower_quat(q) (q)
#define lower_known(k) (k)
#define lower_stiff(s) (s)
#endif

/* Section forces and derivatives of a segment and of the vertex before it. */
typedef struct cell_forces {
  vec n, tau; /* on the segment, with the moment of the vertex */
  vec tau_before;
} cell_forces;

typedef struct cell_blocks {
  low(mat) force_v, force_w, torque_v, torque_w; /* torque_w with the vertex */
  low(mat) before_before, before_own, own_before;
} cell_blocks;

/* Two segments, the vertex between them, and what follows from it. */
typedef struct neighbours {
  node lo, me;
  known lo_known, me_known;
} neighbours;

/* The vertex between two segments, for the measure tan2. */
FN void tan2_vertex(const rod *r, const stiff *s, const low(stiff) * ls, int i, const neighbours *at, cell_forces *f,
                    cell_blocks *b) {
  const vec natural = vec_at(r->natural, 3 * i);
  const bent own = bend_at(s, at->lo.p, at->me.p, at->lo.om, at->me.om, natural);
  const twisted t = vertex_forces(s, &own, at->lo_known.theta, at->me_known.theta);
  const low(vec) lo_om = lower_vec(at->lo.om), me_om = lower_vec(at->me.om);
#if LOW
  const low(bent) lower =
      low(bend_at)(ls, lower_quat(at->lo.p), lower_quat(at->me.p), lo_om, me_om, lower_vec(natural));
#else
  const bent lower = own;
#endif
  const low(vertex_by) by =
      low(vertex_derivatives)(ls, &lower, lo_om, me_om, lower_known(at->lo_known), lower_known(at->me_known));
  f->tau = plus(f->tau, t.plus);
  f->tau_before = t.minus;
  b->before_before = by.minus_minus;
  b->before_own = by.minus_plus;
  b->own_before = by.plus_minus;
  b->torque_w = low(mat_plus)(b->torque_w, by.plus_plus);
}

FN low(mat) lower_mat(mat m) {
  return low(mat_of)(lower_vec(m.a), lower_vec(m.b), lower_vec(m.c));
}

/* The same for any measure. */
FN_APART void any_vertex(const rod *r, const stiff *s, int i, const neighbours *at, cell_forces *f, cell_blocks *b) {
  const known lk = at->lo_known, mk = at->me_known;
  const vec lo_om = at->lo.om, me_om = at->me.om;
  const vertex_all v = vertex_at(s, r->measure, at->lo.p, at->me.p, lo_om, me_om, vec_at(r->natural, 3 * i));
  const vertex_by t = v.by_theta, w = v.by_om;
  f->tau = plus(f->tau, plus(v.torque.plus, plus(apply(t.plus_minus, lk.theta), apply(t.plus_plus, mk.theta))));
  f->tau_before = plus(v.torque.minus, plus(apply(t.minus_minus, lk.theta), apply(t.minus_plus, mk.theta)));
  b->before_before = lower_mat(mat_plus(times_turn(t.minus_minus, lo_om, lk), w.minus_minus));
  b->before_own = lower_mat(mat_plus(times_turn(t.minus_plus, me_om, mk), w.minus_plus));
  b->own_before = lower_mat(mat_plus(times_turn(t.plus_minus, lo_om, lk), w.plus_minus));
  b->torque_w = low(mat_plus)(b->torque_w, lower_mat(mat_plus(times_turn(t.plus_plus, me_om, mk), w.plus_plus)));
}

/* What an end with a support that holds the rotation adds to its segment: the torque, and its derivative by Om. */
typedef struct end_share {
  vec torque;
  low(mat) by_om;
} end_share;

FN_APART end_share end_vertex(const rod *r, const stiff *s, int end, const support *at, node me, known k) {
  const vec natural = vec_at(r->natural, end ? 3 * r->segments : 0);
  const clamped c = clamp_at(s, r->measure, end, at->q, at->om, me.p, me.om, natural);
  end_share share;
  share.torque = plus(c.torque, apply(c.by_theta, k.theta));
  share.by_om = lower_mat(mat_plus(times_turn(c.by_theta, me.om, k), c.by_om));
  return share;
}

/* The segment itself. */
FN void own_segment(const rod *r, const moment_of_frame *m, const stiff *s, const low(stiff) * ls, int i, node me,
                    vec before_v, vec held, known k, cell_forces *f, cell_blocks *b) {
  const vec dv = minus(me.v, before_v);
  const strained at = strain_at(s, me.e, me.p, dv, me.om);
  const pulled p = segment_forces(s, &at, me.om, k, held);
#if LOW
  const low(strained) lat = low(strain_at)(ls, lower_vec(me.e), lower_quat(me.p), lower_vec(dv), lower_vec(me.om));
#else
  const strained lat = at;
#endif
  const low(segment_by) by =
      low(segment_derivatives)(ls, &lat, lower_vec(me.om), lower_known(k), lower_vec(held), (LOW_RS)m->sigma);
  f->n = p.n;
  f->tau = p.tau;
  b->force_v = by.force_v;
  b->force_w = by.force_w;
  b->torque_v = by.torque_v;
  b->torque_w = by.torque_w;
  if (r->loads) {
    const RS *row = r->loads + i * WY_LOAD_ROW;
    const REAL point = AT(r->par, WY_PAR_MOMENT), line = AT(r->par, WY_PAR_MOMENT + 1);
    const vec moment = apply_transposed(at.r, load_vec(row, WY_LOAD_SPACE, point, line));
    f->tau = plus(f->tau, plus(moment, plus(cross(moment, k.theta), load_vec(row, WY_LOAD_BODY, point, line))));
    b->torque_w =
        low(mat_plus)(b->torque_w, low(times_turn)(low(skew)(lower_vec(moment)), lower_vec(me.om), lower_known(k)));
  }
}

/* D and [L | r] of a cell, from its blocks and from what the tip side has left. */
FN void assemble(const rod *r, const moment_of_frame *m, const stiff *s, int i, node me, node d, const cell_forces *f,
                 const cell_blocks *b, const carried *from, LOW_REAL dd[6][6], LOW_REAL y[6][7]) {
  const RS mass = i == r->segments - 1 ? (RS)0.5 : (RS)1;
  const REAL push = mass * (m->sigma + AT(r->par, WY_PAR_DRAG));
  UNROLL for (int a = 0; a < 6; a++) {
    UNROLL for (int c = 0; c < 6; c++) dd[a][c] = from->d[a][c];
  }
  const low(mat) negative_v = low(mat_scaled)((LOW_RS)-1, b->force_v);
  set_block(dd, 0, 0,
            low(add_diagonal)(low(mat_scaled)((LOW_RS)-1, b->torque_w), lower_vec(scaled(m->sigma, s->inertia))));
  set_block(dd, 0, 3, low(mat_scaled)((LOW_RS)-1, b->torque_v));
  set_block(dd, 3, 0, b->force_w);
  set_block(dd, 3, 3, low(add_diagonal)(b->force_v, lower_vec(vec_of(push, push, push))));
  const vec turn = plus(f->tau, each(s->inertia, d.om));
  const vec pull = plus(minus(scaled(mass, d.v), f->n), outer_force(r, i + 1, mass, me.v));
  const low(mat) none = low(no_mat)();
  set_rows(y, 0, 0, low(mat_scaled)((LOW_RS)-1, b->own_before));
  set_rows(y, 0, 3, b->torque_v);
  set_rows(y, 3, 0, none);
  set_rows(y, 3, 3, negative_v);
  y[0][6] = LOWER(turn.x) + from->r[0];
  y[1][6] = LOWER(turn.y) + from->r[1];
  y[2][6] = LOWER(turn.z) + from->r[2];
  y[3][6] = LOWER(pull.x) + from->r[3];
  y[4][6] = LOWER(pull.y) + from->r[4];
  y[5][6] = LOWER(pull.z) + from->r[5];
}

FN void rows_of(LOW_REAL out[3][3], low(mat) m) {
  out[0][0] = m.a.x;
  out[1][0] = m.a.y;
  out[2][0] = m.a.z;
  out[0][1] = m.b.x;
  out[1][1] = m.b.y;
  out[2][1] = m.b.z;
  out[0][2] = m.c.x;
  out[1][2] = m.c.y;
  out[2][2] = m.c.z;
}

/* What this cell leaves to the one before it: -U Y of (B13), and its own part of that cell's blocks and forces. U has
   rows Om_i-1 (by Om_i) and v_i (by Om_i, v_i+1). */
FN void carry(const cell_forces *f, const cell_blocks *b, LOW_REAL y[6][7], carried *to) {
  LOW_REAL turn[3][3], push[3][3], slide[3][3];
  rows_of(turn, b->before_own);
  rows_of(push, b->force_w);
  rows_of(slide, b->force_v);
  UNROLL for (int j = 0; j < 7; j++) {
    UNROLL for (int a = 0; a < 3; a++) {
      const LOW_REAL t = turn[a][0] * y[0][j] + turn[a][1] * y[1][j] + turn[a][2] * y[2][j];
      const LOW_REAL w = push[a][0] * y[0][j] + push[a][1] * y[1][j] + push[a][2] * y[2][j] + slide[a][0] * y[3][j] +
                         slide[a][1] * y[4][j] + slide[a][2] * y[5][j];
      if (j < 6) {
        to->d[a][j] = t;
        to->d[3 + a][j] = w;
      } else {
        to->r[a] = t;
        to->r[3 + a] = w;
      }
    }
  }
  set_block(to->d, 0, 0, low(mat_scaled)((LOW_RS)-1, b->before_before));
  set_block(to->d, 3, 3, b->force_v);
  to->r[0] = to->r[0] + LOWER(f->tau_before.x);
  to->r[1] = to->r[1] + LOWER(f->tau_before.y);
  to->r[2] = to->r[2] + LOWER(f->tau_before.z);
  to->r[3] = to->r[3] + LOWER(f->n.x);
  to->r[4] = to->r[4] + LOWER(f->n.y);
  to->r[5] = to->r[5] + LOWER(f->n.z);
}

/* A segment at the prediction, with what goes with it. */
typedef struct predicted {
  node s, d; /* the state, and what the difference formula adds */
  vec held;  /* its section force of the last accepted step */
} predicted;

FN predicted predict_segment(const rod *r, const moment_of_frame *m, const stiff *s, const STORE *now,
                             const STORE *before, int i, vec tip_v) {
  const node n = node_at(now, i), b = node_at(before, i);
  predicted p;
  p.s = predict(m, n, b);
  if (i == r->segments - 1)
    p.s.v = chosen(r->held[1], tip_v, p.s.v);
  p.d = rate_of(m, p.s, n, b);
  const vec behind_v = vec_at(now, (i > 0 ? i - 1 : r->segments) * WY_CELL + WY_CELL_V);
  p.held = strain_at(s, n.e, n.p, minus(n.v, behind_v), n.om).force;
  return p;
}

/* The velocity of a last vertex that is held and stands at x: it is led back to its support, from which the sum of the
   edges drifts by what one step misses (B9). */
FN vec led_back(const rod *r, const moment_of_frame *m, vec v, vec x) {
  const vec gap = minus(support_at(r->ends, 1, m->begin, m->frame).x, x);
  return plus(v, scaled(m->sigma / (RS)6, gap));
}

/* The ends at the end of a substep. */
FN void find_supports(const rod *r, const moment_of_frame *m, const STORE *now, support at[2]) {
  at[0] = support_at(r->ends, 0, m->share, m->frame);
  at[1] = support_at(r->ends, 1, m->share, m->frame);
  if (is_held(r, 1)) {
    vec x = vec_at(now, r->segments * WY_CELL + WY_CELL_E);
    for (int i = 0; i < r->segments; i++)
      x = plus(x, vec_at(now, i * WY_CELL + WY_CELL_E));
    at[1].v = led_back(r, m, at[1].v, x);
  }
}

/* The first vertex as it is predicted, and what is known of its displacement. */
FN place predict_first(const rod *r, const moment_of_frame *m, const support *at, vec v, const STORE *now,
                       const STORE *before) {
  const int k = r->segments * WY_CELL + WY_CELL_E;
  const vec x = vec_at(now, k), b = vec_at(before, k), on = plus(x, scaled(m->ratio, minus(x, b)));
  const vec known_dx = scaled((RS)1 / m->sigma, plus(v, difference(m, on, x, b)));
  place p;
  p.x = chosen(r->held[0], at->x, on);
  p.way = minus(p.x, x);
  p.step = m->frame * (m->share - m->begin);
  p.state = now;
  p.springs = springs_of(r, 0);
  p.dx = chosen(r->held[0], no_vec(), known_dx);
  p.v = v;
  p.weight = (RS)0.5;
  return p;
}

/* The last vertex likewise: the sums of all edges, and of what is known of them. */
FN_APART void predict_last(const rod *r, const moment_of_frame *m, const stiff *s, const STORE *now,
                           const STORE *before, const vec *tip_v, place *p) {
  for (int i = 0; i < r->segments; i++) {
    const predicted one = predict_segment(r, m, s, now, before, i, *tip_v);
    p->x = plus(p->x, one.s.e);
    p->way = plus(p->way, minus(one.s.e, vec_at(now, i * WY_CELL + WY_CELL_E)));
    p->dx = plus(p->dx, known_of(m, one.s, one.d, p->v).e);
    p->v = one.s.v;
  }
}

/* What obstacles do to the vertex behind segment i, which then becomes the one before it. */
FN void touch_cell(const rod *r, const moment_of_frame *m, int i, node me, vec known_e, const STORE *now, place *here,
                   LOW_REAL d[6][6], LOW_REAL y[6][7]) {
  touch touched;
  here->v = me.v;
  here->weight = i == r->segments - 1 ? (RS)0.5 : (RS)1;
  here->springs = springs_of(r, i + 1);
  touch_all(r, (RS)1 / m->sigma, here, 0, &touched);
  set_block(d, 3, 3, lower_mat(touched.d));
  y[3][6] = y[3][6] + LOWER(touched.force.x);
  y[4][6] = y[4][6] + LOWER(touched.force.y);
  y[5][6] = y[5][6] + LOWER(touched.force.z);
  here->x = minus(here->x, me.e);
  here->dx = minus(here->dx, known_e);
  here->way = minus(here->way, minus(me.e, vec_at(now, i * WY_CELL + WY_CELL_E)));
}

/* What the tip side leaves to the last cell: nothing, or the share of its support. */
FN void begin_at_tip(const rod *r, const moment_of_frame *m, const stiff *s, const support at[2], const predicted *last,
                     carried *from) {
  UNROLL for (int a = 0; a < 6; a++) {
    from->r[a] = LOW_SPLAT(0);
    UNROLL for (int c = 0; c < 6; c++) from->d[a][c] = LOW_SPLAT(0);
  }
  if (r->clamped[1]) {
    const end_share tip =
        end_vertex(r, s, 1, &at[1], last->s, known_of(m, last->s, last->d, last->s.v)); /* its rotation alone */
    set_block(from->d, 0, 0, low(mat_scaled)((LOW_RS)-1, tip.by_om));
    from->r[0] = LOWER(tip.torque.x);
    from->r[1] = LOWER(tip.torque.y);
    from->r[2] = LOWER(tip.torque.z);
  }
}

/* Cell i of the first sweep, between the segments `lo` and `me`; before the first one there is the support. */
FN void sweep_cell(const rod *r, const moment_of_frame *m, const stiff *s, const low(stiff) * ls, const support at[2],
                   int i, bool is_first, const predicted *lo, const predicted *me, vec before_v, const STORE *now,
                   FACTORS *factors, place *here, carried *from, REAL *least) {
  cell_forces f;
  cell_blocks b;
  LOW_REAL d[6][6], y[6][7];
  const known me_known = known_of(m, me->s, me->d, before_v);
  own_segment(r, m, s, ls, i, me->s, before_v, me->held, me_known, &f, &b);
  f.tau_before = no_vec();
  b.before_before = b.before_own = b.own_before = low(no_mat)();
  if (!is_first) {
    const neighbours both = {lo->s, me->s, known_of(m, lo->s, lo->d, lo->s.v), me_known}; /* its rotation alone */
    if (r->measure == MEASURE_TAN2)
      tan2_vertex(r, s, ls, i, &both, &f, &b);
    else
      any_vertex(r, s, i, &both, &f, &b);
  } else if (r->clamped[0]) {
    const end_share root = end_vertex(r, s, 0, &at[0], me->s, me_known);
    f.tau = plus(f.tau, root.torque);
    b.torque_w = low(mat_plus)(b.torque_w, root.by_om);
  }
  assemble(r, m, s, i, me->s, me->d, &f, &b, from, d, y);
  if (r->obstacle_count)
    touch_cell(r, m, i, me->s, me_known.e, now, here, d, y);
  if (i == r->segments - 1)
    hold_rows(r->held[1], d, y);
  const REAL pivot = HIGHER(eliminate(d, y));
  *least = LESSER(*least, pivot);
  UNROLL for (int a = 0; a < 6; a++) {
    UNROLL for (int j = 0; j < 7; j++) FACTOR(factors, i * CELL_FACTORS + a * 7 + j) = y[a][j];
  }
  carry(&f, &b, y, from);
}

/* First sweep, from the tip to the root: leaves D^-1 [L | r] in `factors`, and the prediction in `next` where it is
   kept; returns dv of the first vertex. */
FN vec sweep_to_root(const rod *r, const moment_of_frame *m, const support at[2], vec head_v, const STORE *now,
                     const STORE *before, STORE *next, FACTORS *factors, REAL *least) {
  const int n = r->segments;
  const stiff s = stiff_of(r->par);
  const low(stiff) ls = lower_stiff(s);
  predicted me = predict_segment(r, m, &s, now, before, n - 1, at[1].v);
  const place first = predict_first(r, m, &at[0], head_v, now, before);
  place here = first;
  if (r->obstacle_count)
    predict_last(r, m, &s, now, before, &at[1].v, &here);
  carried from;
  begin_at_tip(r, m, &s, at, &me, &from);
  for (int i = n - 1; i > 0; i--) {
    FETCH_CELL(now, i - 1 - FETCH_DISTANCE);
    FETCH_CELL(before, i - 1 - FETCH_DISTANCE);
    if (KEEP_PREDICTION)
      put_node(next, i, me.s);
    const predicted lo = predict_segment(r, m, &s, now, before, i - 1, at[1].v);
    sweep_cell(r, m, &s, &ls, at, i, false, &lo, &me, lo.s.v, now, factors, &here, &from, least);
    me = lo;
  }
  if (KEEP_PREDICTION)
    put_node(next, 0, me.s);
  sweep_cell(r, m, &s, &ls, at, 0, true, &me, &me, head_v, now, factors, &here, &from, least);
  if (r->held[0][0] + r->held[0][1] + r->held[0][2] == (RS)3)
    return no_vec();
  LOW_REAL d[3][3], c[3];
  const int k = n * WY_CELL + WY_CELL_V;
  const vec dv = difference(m, head_v, vec_at(now, k), vec_at(before, k));
  vec pull = plus(scaled((RS)0.5, dv), outer_force(r, 0, (RS)0.5, head_v));
  const REAL push = (RS)0.5 * (m->sigma + AT(r->par, WY_PAR_DRAG));
  UNROLL for (int a = 0; a < 3; a++) {
    UNROLL for (int j = 0; j < 3; j++) d[a][j] = from.d[3 + a][3 + j];
    d[a][a] = d[a][a] + LOWER(push);
  }
  if (r->obstacle_count) {
    LOW_REAL rows[3][3];
    touch touched;
    touch_all(r, (RS)1 / m->sigma, &first, 0, &touched);
    pull = plus(pull, touched.force);
    rows_of(rows, lower_mat(touched.d));
    UNROLL for (int a = 0; a < 3; a++) {
      UNROLL for (int j = 0; j < 3; j++) d[a][j] = d[a][j] + rows[a][j];
    }
  }
  c[0] = from.r[3] + LOWER(pull.x);
  c[1] = from.r[4] + LOWER(pull.y);
  c[2] = from.r[5] + LOWER(pull.z);
  return solve_head(r->held[0], d, c, least);
}

/* The prediction of the first sweep, for the second. */
FN predicted predicted_again(const rod *r, const moment_of_frame *m, const stiff *s, const STORE *now,
                             const STORE *before, const STORE *next, int i, vec tip_v) {
  if (!KEEP_PREDICTION)
    return predict_segment(r, m, s, now, before, i, tip_v);
  predicted p;
  p.s = node_at(next, i);
  p.d = rate_of(m, p.s, node_at(now, i), node_at(before, i));
  p.held = no_vec();
  return p;
}

/* What a solve has found: corrections of angular velocity, of velocity, and of the vertex before. */
typedef struct found {
  vec dom, dv, before_dv;
} found;

/* The segment s behind a vertex of velocity before_v with them; `missed`: the square of the correction of its edge and
   frame (B14). */
FN node corrected(const moment_of_frame *m, node s, node d, vec before_v, const found *by, REAL *missed) {
  const vec de = scaled((RS)1 / m->sigma, plus(plus(minus(s.v, before_v), d.e), minus(by->dv, by->before_dv)));
  quat rho = between(s.p, d.p);
  const vec half = scaled((RS)0.5, s.om), v = plus(pure(rho), plus(half, scaled((RS)0.5, by->dom)));
  rho = quat_of(rho.w, v.x, v.y, v.z);
  const quat shift = quat_of(SPLAT(m->sigma), half.x, half.y, half.z);
  const quat turn = quat_times(INV(m->sigma * m->sigma + inner(half, half)), quat_product(rho, shift));
  *missed = inner(de, de) + (RS)4 * quat_inner(turn, turn);
  s.e = plus(s.e, de);
  s.p = unit(quat_plus(s.p, quat_product(s.p, turn)));
  s.v = plus(s.v, by->dv);
  s.om = plus(s.om, by->dom);
  return s;
}

/* Second sweep, from the root to the tip: z_i = y_i - Y_i z_i-1, and the new state into `next`. Returns the square of
   the largest correction of edges and frames (B14). */
FN REAL sweep_to_tip(const rod *r, const moment_of_frame *m, vec tip_v, vec head_v, vec head_dv, const STORE *now,
                     const STORE *before, STORE *next, const FACTORS *factors) {
  const stiff of_rod = stiff_of(r->par);
  LOW_REAL z[6], y[6];
  vec before_v = head_v, before_dv = head_dv;
  REAL error = SPLAT(0);
  z[0] = z[1] = z[2] = LOW_SPLAT(0);
  z[3] = LOWER(head_dv.x);
  z[4] = LOWER(head_dv.y);
  z[5] = LOWER(head_dv.z);
  for (int i = 0; i < r->segments; i++) {
    FETCH_CELL(now, i + FETCH_DISTANCE);
    FETCH_CELL(before, i + FETCH_DISTANCE);
    FETCH_FACTORS(factors, i + FETCH_DISTANCE);
    UNROLL for (int a = 0; a < 6; a++) {
      LOW_REAL t = FACTOR(factors, i * CELL_FACTORS + a * 7 + 6);
      UNROLL for (int j = 0; j < 6; j++) t = t - FACTOR(factors, i * CELL_FACTORS + a * 7 + j) * z[j];
      y[a] = t;
    }
    UNROLL for (int a = 0; a < 6; a++) z[a] = y[a];
    const predicted p = predicted_again(r, m, &of_rod, now, before, next, i, tip_v);
    const found by = {vec_of(HIGHER(y[0]), HIGHER(y[1]), HIGHER(y[2])),
                      vec_of(HIGHER(y[3]), HIGHER(y[4]), HIGHER(y[5])), before_dv};
    REAL missed;
    const node s = corrected(m, p.s, p.d, before_v, &by, &missed);
    error = GREATER(error, missed);
    before_v = p.s.v;
    before_dv = by.dv;
    put_node(next, i, s);
  }
  return error;
}

/* Where the first vertex goes with velocity v, from x and what was before. */
FN vec moved_place(const rod *r, const moment_of_frame *m, const support *at, vec v, vec x, vec before) {
  const vec history = scaled(m->behind, minus(x, before));
  return chosen(r->held[0], at->x, plus(x, scaled((RS)1 / m->sigma, plus(v, history))));
}

/* Place and velocity of the first vertex. */
FN void move_head(const rod *r, const moment_of_frame *m, const support *at, vec v, const STORE *now,
                  const STORE *before, STORE *next) {
  const int k = r->segments * WY_CELL;
  node head = node_at(now, r->segments);
  head.e = moved_place(r, m, at, v, head.e, vec_at(before, k));
  head.v = v;
  put_node(next, r->segments, head);
}

/* One substep from `now` and `before` to `next`. error, least: kept over the substeps of a frame. */
FN void implicit_step(const rod *r, const moment_of_frame *m, const STORE *now, const STORE *before, STORE *next,
                      FACTORS *factors, REAL *error, REAL *least) {
  support at[2];
  find_supports(r, m, now, at);
  const vec head_v = predict_head(r, m, now, before, at[0].v);
  const vec dv = sweep_to_root(r, m, at, head_v, now, before, next, factors, least);
  const REAL missed = sweep_to_tip(r, m, at[1].v, head_v, dv, now, before, next, factors);
  *error = GREATER(*error, missed);
  move_head(r, m, &at[0], plus(head_v, dv), now, before, next);
  if (r->springs)
    settle_springs(r, m->frame * (m->share - m->begin), now, next);
}

/* A cell turned back by what it turns in a step of this length. */
FN node turned_back(RS length, node n) {
  const vec half = scaled((RS)-0.5 * length, n.om);
  n.p = unit(quat_product(n.p, quat_of(SPLAT(1), half.x, half.y, half.z)));
  return n;
}

/* The state before the first one: turned back by what it turns, so that the prediction turns on; the first step is
   Euler's, which does not need more of it (B8). */
FN void turn_back(int segments, RS length, const STORE *now, STORE *before) {
  for (int i = 0; i <= segments; i++)
    put_node(before, i, turned_back(length, node_at(now, i)));
}
