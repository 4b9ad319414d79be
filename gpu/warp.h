/* SPDX-License-Identifier: MIT */
/* A frame of a batch on the device where rods are few: a warp moves one rod, a lane each cell of its system (B12), the
   first vertex or a segment with the vertex behind it. All cells are solved at once, by parallel cyclic reduction
   (B23), and stay in registers from one substep to the next. For gpu/kernel.h, in its namespace.

   Lanes work in phases, EACH_LANE, between which they see what others have shown. On the host one thread does what the
   lanes do in a phase, one after the other. */

enum { LANES = 32, COLUMNS = 13 /* of L, U and the right-hand side */ };

/* Entry k of a lane that other lanes may see in the next phase. */
struct shown {
  REAL at[6 * COLUMNS][LANES];
};

/* A cell. */
struct warp_lane {
  int cell; /* 0: the first vertex; i + 1: segment i and the vertex behind it */
  node now, before, s, d;
  cell_forces f;
  cell_blocks b;
  REAL dd[6][6], y[6][7], u[6][6]; /* D; L and the right-hand side; U */
  REAL error, least;
};

/* Lanes of this thread, when all lanes have come so far. */
FN warp_lane *in_step(warp_lane *lanes) {
  sync_warp();
  return lanes;
}

#if OWN_LANES == 1
#define EACH_LANE(w, lanes) if (warp_lane *w = in_step(lanes))
#else
#define EACH_LANE(w, lanes) for (warp_lane *w = in_step(lanes); w < (lanes) + OWN_LANES; w++)
#endif

/* ---- What lanes show ---- */

FN void show(shown *all, int cell, int k, REAL x) {
  all->at[k][cell] = x;
}

FN void show_vec(shown *all, int cell, int k, vec v) {
  show(all, cell, k, v.x);
  show(all, cell, k + 1, v.y);
  show(all, cell, k + 2, v.z);
}

FN void show_mat(shown *all, int cell, int k, mat m) {
  show_vec(all, cell, k, m.a);
  show_vec(all, cell, k + 3, m.b);
  show_vec(all, cell, k + 6, m.c);
}

FN vec seen_vec(const shown *all, int cell, int k) {
  return vec_of(all->at[k][cell], all->at[k + 1][cell], all->at[k + 2][cell]);
}

FN mat seen_mat(const shown *all, int cell, int k) {
  return mat_of(seen_vec(all, cell, k), seen_vec(all, cell, k + 3), seen_vec(all, cell, k + 6));
}

/* The smaller one, or what is no number: a bad rod is not to be lost among the others. */
FN REAL worse_pivot(REAL a, REAL b) {
  return b < a || b != b ? b : a;
}

FN REAL worse_error(REAL a, REAL b) {
  return b > a || b != b ? b : a;
}

/* ---- The prediction ---- */

/* Entries that a cell shows to the one behind it. */
enum { SHOWN_V = 0, SHOWN_NOW_V = 3, SHOWN_P = 6, SHOWN_OM = 10, SHOWN_THETA = 13, SHOWN_BE = 16, SHOWN_GA = 17 };

/* The edges' sum, from which a held end is led back. */
FN vec last_place(const shown *all, int segments) {
  vec x = seen_vec(all, 0, 0);
  for (int i = 1; i <= segments; i++)
    x = plus(x, seen_vec(all, i, 0));
  return x;
}

/* Ends without a support have none. */
FN void find_supports_of_warp(const rod *r, const moment_of_frame *m, warp_lane *lanes, shown *all, support at[2]) {
  for (int end = 0; end < 2; end++) {
    at[end].x = at[end].v = at[end].om = no_vec();
    at[end].q = quat_of(SPLAT(1), SPLAT(0), SPLAT(0), SPLAT(0));
    if (r->clamped[end] || is_held(r, end))
      at[end] = support_at(r->ends, end, m->share, m->frame);
  }
  if (!is_held(r, 1))
    return;
  EACH_LANE(w, lanes) {
    show_vec(all, w->cell, 0, w->now.e);
  }
  sync_warp();
  at[1].v = led_back(r, m, at[1].v, last_place(all, r->segments));
}

FN_APART void predict_lane(const rod *r, const moment_of_frame *m, const support at[2], warp_lane *w, shown *all) {
  const int c = w->cell;
  w->s = predict(m, w->now, w->before);
  if (c == 0)
    w->s.v = chosen(r->held[0], at[0].v, w->s.v);
  if (c == r->segments)
    w->s.v = chosen(r->held[1], at[1].v, w->s.v);
  w->d = rate_of(m, w->s, w->now, w->before);
  const known own = known_of(m, w->s, w->d, w->s.v); /* its rotation alone */
  show_vec(all, c, SHOWN_V, w->s.v);
  show_vec(all, c, SHOWN_NOW_V, w->now.v);
  show(all, c, SHOWN_P, w->s.p.w);
  show_vec(all, c, SHOWN_P + 1, pure(w->s.p));
  show_vec(all, c, SHOWN_OM, w->s.om);
  show_vec(all, c, SHOWN_THETA, own.theta);
  show(all, c, SHOWN_BE, own.be);
  show(all, c, SHOWN_GA, own.ga);
}

/* ---- The cell's blocks ---- */

/* The vertex before a segment. */
FN void vertex_of_lane(const rod *r, const stiff *s, known own, warp_lane *w, const shown *all) {
  const int before = w->cell - 1;
  neighbours both;
  both.me = w->s;
  both.me_known = own;
  both.lo.e = both.lo.v = both.lo_known.e = no_vec(); /* nobody asks for them */
  both.lo.p = quat_of(all->at[SHOWN_P][before], all->at[SHOWN_P + 1][before], all->at[SHOWN_P + 2][before],
                      all->at[SHOWN_P + 3][before]);
  both.lo.om = seen_vec(all, before, SHOWN_OM);
  both.lo_known.theta = seen_vec(all, before, SHOWN_THETA);
  both.lo_known.be = all->at[SHOWN_BE][before];
  both.lo_known.ga = all->at[SHOWN_GA][before];
  tan2_vertex(r, s, s, before, &both, &w->f, &w->b);
}

/* Forces and blocks of a segment, of the vertex before it and of a clamped end; of other lanes none. */
FN_APART void fill_lane(const rod *r, const moment_of_frame *m, const support at[2], warp_lane *w, const shown *all) {
  const int c = w->cell;
  w->f.n = w->f.tau = w->f.tau_before = no_vec();
  w->b.force_v = w->b.force_w = w->b.torque_v = w->b.torque_w = no_mat();
  w->b.before_before = w->b.before_own = w->b.own_before = no_mat();
  if (c < 1 || c > r->segments)
    return;
  const stiff s = stiff_of(r->par);
  const vec before_v = seen_vec(all, c - 1, SHOWN_V), behind_v = seen_vec(all, c - 1, SHOWN_NOW_V);
  const vec held = strain_at(&s, w->now.e, w->now.p, minus(w->now.v, behind_v), w->now.om).force;
  const known own = known_of(m, w->s, w->d, before_v);
  own_segment(r, m, &s, &s, c - 1, w->s, before_v, held, own, &w->f, &w->b);
  if (c > 1)
    vertex_of_lane(r, &s, own, w, all);
  if ((c == 1 && r->clamped[0]) || (c == r->segments && r->clamped[1])) {
    const int end = c == r->segments;
    const support there = end ? at[1] : at[0];
    const end_share share = end_vertex(r, &s, end, &there, w->s, own);
    w->f.tau = plus(w->f.tau, share.torque);
    w->b.torque_w = mat_plus(w->b.torque_w, share.by_om);
  }
}

/* What a segment and the vertex before it do to the cell before. */
enum { PART_FORCE_V = 0, PART_FORCE_W = 9, PART_BEFORE = 18, PART_OWN = 27, PART_N = 36, PART_TAU = 39 };

FN void show_part(const warp_lane *w, shown *all) {
  const int c = w->cell;
  show_mat(all, c, PART_FORCE_V, w->b.force_v);
  show_mat(all, c, PART_FORCE_W, w->b.force_w);
  show_mat(all, c, PART_BEFORE, w->b.before_before);
  show_mat(all, c, PART_OWN, w->b.before_own);
  show_vec(all, c, PART_N, w->f.n);
  show_vec(all, c, PART_TAU, w->f.tau_before);
}

FN void see_part(int segments, const shown *all, warp_lane *w, carried *from) {
  UNROLL for (int a = 0; a < 6; a++) {
    from->r[a] = SPLAT(0);
    UNROLL for (int j = 0; j < 6; j++) from->d[a][j] = w->u[a][j] = SPLAT(0);
  }
  if (w->cell >= segments)
    return;
  const int next = w->cell + 1;
  const mat force_v = seen_mat(all, next, PART_FORCE_V);
  set_block(from->d, 0, 0, mat_scaled((RS)-1, seen_mat(all, next, PART_BEFORE)));
  set_block(from->d, 3, 3, force_v);
  set_block(w->u, 0, 0, mat_scaled((RS)-1, seen_mat(all, next, PART_OWN)));
  set_block(w->u, 3, 0, mat_scaled((RS)-1, seen_mat(all, next, PART_FORCE_W)));
  set_block(w->u, 3, 3, mat_scaled((RS)-1, force_v));
  const vec tau = seen_vec(all, next, PART_TAU), n = seen_vec(all, next, PART_N);
  from->r[0] = tau.x, from->r[1] = tau.y, from->r[2] = tau.z;
  from->r[3] = n.x, from->r[4] = n.y, from->r[5] = n.z;
}

/* A cell that says z = 0. */
FN void empty_cell(warp_lane *w) {
  UNROLL for (int a = 0; a < 6; a++) {
    UNROLL for (int j = 0; j < 6; j++) w->dd[a][j] = SPLAT(a == j);
    UNROLL for (int j = 0; j < 7; j++) w->y[a][j] = SPLAT(0);
  }
}

/* The cell of the first vertex, which has no rotation. */
FN void head_cell(const rod *r, const moment_of_frame *m, const carried *from, warp_lane *w) {
  const RS half = (RS)0.5;
  const REAL push = half * (m->sigma + AT(r->par, WY_PAR_DRAG));
  const vec pull = plus(scaled(half, w->d.v), outer_force(r, 0, half, w->s.v));
  empty_cell(w);
  UNROLL for (int a = 3; a < 6; a++) {
    UNROLL for (int j = 3; j < 6; j++) w->dd[a][j] = from->d[a][j];
    w->dd[a][a] = w->dd[a][a] + push;
  }
  w->y[3][6] = from->r[3] + pull.x;
  w->y[4][6] = from->r[4] + pull.y;
  w->y[5][6] = from->r[5] + pull.z;
  hold_rows(r->held[0], w->dd, w->y);
  UNROLL for (int k = 0; k < 3; k++) {
    UNROLL for (int j = 0; j < 6; j++) w->u[3 + k][j] = w->u[3 + k][j] * ((RS)1 - r->held[0][k]);
  }
}

FN_APART void assemble_lane(const rod *r, const moment_of_frame *m, warp_lane *w, const shown *all) {
  const int c = w->cell;
  carried from;
  see_part(r->segments, all, w, &from);
  if (c == 0) {
    head_cell(r, m, &from, w);
  } else if (c > r->segments) {
    empty_cell(w);
  } else {
    const stiff s = stiff_of(r->par);
    assemble(r, m, &s, c - 1, w->s, w->d, &w->f, &w->b, &from, w->dd, w->y);
    if (c == r->segments)
      hold_rows(r->held[1], w->dd, w->y);
  }
}

/* ---- Parallel cyclic reduction (B23) ---- */

/* Factors of a block in its place, inverses of pivots on the diagonal; returns the smallest pivot. */
FN REAL factorise(REAL d[6][6]) {
  REAL least = d[0][0];
  UNROLL for (int k = 0; k < 6; k++) {
    least = worse_pivot(least, d[k][k]);
    d[k][k] = INV(d[k][k]);
    UNROLL for (int j = k + 1; j < 6; j++) d[k][j] = d[k][j] * d[k][k];
    UNROLL for (int a = k + 1; a < 6; a++) {
      UNROLL for (int j = k + 1; j < 6; j++) d[a][j] = d[a][j] - d[a][k] * d[k][j];
    }
  }
  return least;
}

FN void solve_column(const REAL d[6][6], REAL x[6]) {
  UNROLL for (int k = 0; k < 6; k++) {
    x[k] = x[k] * d[k][k];
    UNROLL for (int a = k + 1; a < 6; a++) x[a] = x[a] - d[a][k] * x[k];
  }
  UNROLL for (int k = 5; k > 0; k--) {
    UNROLL for (int a = 0; a < k; a++) x[a] = x[a] - d[a][k] * x[k];
  }
}

/* D^-1 [L | r | U], a column after the other. */
FN_APART void show_solved(warp_lane *w, shown *all) {
  REAL d[6][6];
  UNROLL for (int a = 0; a < 6; a++) {
    UNROLL for (int j = 0; j < 6; j++) d[a][j] = w->dd[a][j];
  }
  w->least = worse_pivot(w->least, factorise(d));
  UNROLL for (int j = 0; j < COLUMNS; j++) {
    REAL x[6];
    UNROLL for (int a = 0; a < 6; a++) x[a] = j < 7 ? w->y[a][j < 7 ? j : 0] : w->u[a][j < 7 ? 0 : j - 7];
    solve_column(d, x);
    UNROLL for (int a = 0; a < 6; a++) show(all, w->cell, 6 * j + a, x[a]);
  }
}

/* to -= m (column j of what a lane shows) */
FN void take_column(const shown *all, int cell, int column, const REAL m[6][6], REAL to[6]) {
  REAL x[6];
  UNROLL for (int k = 0; k < 6; k++) x[k] = all->at[6 * column + k][cell];
  UNROLL for (int a = 0; a < 6; a++) {
    UNROLL for (int k = 0; k < 6; k++) to[a] = to[a] - m[a][k] * x[k];
  }
}

/* What is left of a cell without those `step` before and behind it. Where there is none, its block is zero. */
FN_APART void reduce_lane(int step, bool is_last, warp_lane *w, const shown *all) {
  const int c = w->cell, before = c < step ? c : c - step, after = c + step < LANES ? c + step : c;
  REAL l[6][6], to[6];
  UNROLL for (int a = 0; a < 6; a++) {
    UNROLL for (int j = 0; j < 6; j++) l[a][j] = w->y[a][j];
    to[a] = w->y[a][6];
  }
  take_column(all, before, 6, l, to);
  take_column(all, after, 6, w->u, to);
  UNROLL for (int a = 0; a < 6; a++) w->y[a][6] = to[a];
  UNROLL for (int j = 0; j < 6; j++) {
    UNROLL for (int a = 0; a < 6; a++) to[a] = w->dd[a][j];
    take_column(all, before, 7 + j, l, to);
    take_column(all, after, j, w->u, to);
    UNROLL for (int a = 0; a < 6; a++) w->dd[a][j] = to[a];
  }
  if (is_last)
    return;
  REAL u[6][6];
  UNROLL for (int a = 0; a < 6; a++) {
    UNROLL for (int j = 0; j < 6; j++) u[a][j] = w->u[a][j];
  }
  UNROLL for (int j = 0; j < 6; j++) {
    UNROLL for (int a = 0; a < 6; a++) to[a] = SPLAT(0);
    take_column(all, before, j, l, to);
    UNROLL for (int a = 0; a < 6; a++) w->y[a][j] = to[a], to[a] = SPLAT(0);
    take_column(all, after, 7 + j, u, to);
    UNROLL for (int a = 0; a < 6; a++) w->u[a][j] = to[a];
  }
}

/* Leaves the solution in the column of the right-hand side. */
FN void solve_warp(int segments, warp_lane *lanes, shown *all) {
  NO_UNROLL for (int step = 1; step <= segments; step *= 2) {
    EACH_LANE(w, lanes) {
      show_solved(w, all);
    }
    EACH_LANE(w, lanes) {
      reduce_lane(step, 2 * step > segments, w, all);
    }
  }
  EACH_LANE(w, lanes) {
    REAL x[6];
    UNROLL for (int a = 0; a < 6; a++) x[a] = w->y[a][6];
    w->least = worse_pivot(w->least, factorise(w->dd));
    solve_column(w->dd, x);
    UNROLL for (int a = 0; a < 6; a++) w->y[a][6] = x[a];
    show_vec(all, w->cell, SHOWN_V, w->s.v);
    show_vec(all, w->cell, SHOWN_NOW_V, vec_of(x[3], x[4], x[5]));
  }
}

/* ---- A substep, and a frame ---- */

FN_APART void correct_lane(const rod *r, const moment_of_frame *m, const support at[2], warp_lane *w,
                           const shown *all) {
  const int c = w->cell;
  const vec dv = vec_of(w->y[3][6], w->y[4][6], w->y[5][6]);
  node next = w->s;
  if (c == 0) {
    next.v = plus(w->s.v, dv);
    next.e = moved_place(r, m, &at[0], next.v, w->now.e, w->before.e);
  } else if (c <= r->segments) {
    const found by = {vec_of(w->y[0][6], w->y[1][6], w->y[2][6]), dv, seen_vec(all, c - 1, SHOWN_NOW_V)};
    REAL missed;
    next = corrected(m, w->s, w->d, seen_vec(all, c - 1, SHOWN_V), &by, &missed);
    w->error = worse_error(w->error, missed);
  }
  w->before = w->now;
  w->now = next;
}

FN void substep_of_warp(const rod *r, const moment_of_frame *m, warp_lane *lanes, shown *all) {
  support at[2];
  find_supports_of_warp(r, m, lanes, all, at);
  EACH_LANE(w, lanes) {
    predict_lane(r, m, at, w, all);
  }
  EACH_LANE(w, lanes) {
    fill_lane(r, m, at, w, all);
  }
  EACH_LANE(w, lanes) {
    show_part(w, all);
  }
  EACH_LANE(w, lanes) {
    assemble_lane(r, m, w, all);
  }
  solve_warp(r->segments, lanes, all);
  EACH_LANE(w, lanes) {
    correct_lane(r, m, at, w, all);
  }
}

/* The first vertex has the frame of the first segment, lanes without a cell the last segment, so that all can turn. */
FN node node_of_lane(const STORE *cells, int segments, int cell) {
  const int i = cell < 1 ? 0 : cell > segments ? segments - 1 : cell - 1;
  node n = node_at(cells, i);
  if (cell == 0) {
    n.e = vec_at(cells, segments * WY_CELL + WY_CELL_E);
    n.v = vec_at(cells, segments * WY_CELL + WY_CELL_V);
  }
  return n;
}

FN void begin_lane(const frame_job &job, int index, warp_lane *w) {
  w->now = node_of_lane(rod_of(job.state, job.cells, index), job.segments, w->cell);
  w->before = job.first ? turned_back(job.first_length, w->now)
                        : node_of_lane(rod_of(job.before, job.cells, index), job.segments, w->cell);
  w->error = SPLAT(0);
  w->least = SPLAT(1);
}

FN void put_lane(const frame_job &job, int index, const warp_lane *w, STORE *to) {
  STORE *cells = rod_of(to, job.cells, index);
  if (w->cell > job.segments)
    return;
  node n = w->now;
  if (w->cell == 0) {
    const node head = node_at(rod_of(job.state, job.cells, index), job.segments);
    n.p = head.p;
    n.om = head.om;
  }
  put_node(cells, w->cell == 0 ? job.segments : w->cell - 1, n);
}

/* The worst of all lanes. */
FN void end_warp(const frame_job &job, int index, warp_lane *lanes, shown *all) {
  EACH_LANE(w, lanes) {
    put_lane(job, index, w, job.work[0]);
    show(all, w->cell, 0, w->error);
    show(all, w->cell, 1, w->least);
  }
  sync_warp();
  if (lanes->cell > 0)
    return;
  REAL error = all->at[0][0], least = all->at[1][0];
  for (int i = 1; i < LANES; i++) {
    error = worse_error(error, all->at[0][i]);
    least = worse_pivot(least, all->at[1][i]);
  }
  put_monitor(job, index, error, least);
}

template <scope is> FN void frame_of_warp(const frame_job &job, int index, shown *all) {
  warp_lane lanes[OWN_LANES];
  rod r = describe_rod<is>(job, index);
  const int kept = job.keep < job.count - 1 ? job.keep : job.count - 1;
  EACH_LANE(w, lanes) {
    w->cell = first_lane() + (int)(w - lanes);
    begin_lane(job, index, w);
  }
  for (int i = 0; i < job.count; i++) {
    bring_rows<is>(job, i, &r);
    const moment_of_frame m = job.moments[i];
    if (i == kept)
      EACH_LANE(w, lanes) {
        put_lane(job, index, w, job.work[1]);
      }
    substep_of_warp(&r, &m, lanes, all);
  }
  end_warp(job, index, lanes, all);
}

template <scope is> __global__ void __launch_bounds__(GPU_THREADS, 1) move_few_rods(frame_job job) {
  __shared__ shown all[GPU_THREADS / LANES];
  const int warp = (int)(threadIdx.x / LANES), index = job.from + (int)(blockIdx.x * (blockDim.x / LANES)) + warp;
  if (index < job.to && leads_lanes())
    frame_of_warp<is>(job, index, &all[warp]);
}
