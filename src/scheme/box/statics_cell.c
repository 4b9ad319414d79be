/* SPDX-License-Identifier: MIT */
/* One cell of the box scheme at rest (B13), with its curvatures and section forces eliminated: frames of both ends and
   the mean force F of the cell determine what is inside. Twelve unknowns kappa_a, kappa_b, n_a, n_b; twelve equations

     kappa_a + kappa_b = 2 k / h         R_b = R_a exp [k]
     R_a n_a + R_b n_b = 2 F
     balance of forces and of moments, of the transported box (B3) or of the plain one (B2)

   In this form the tangent of the whole rod pairs every equation with a degree of freedom; it is symmetric where the
   rod is straight, and up to terms of order h^2 elsewhere (B14). */
#include <float.h>
#include <math.h>
#include <string.h>

#include "scheme/box/statics.h"

enum {
  LOCAL = WY_BOX_LOCAL,
  GIVEN = 9, /* theta_a, theta_b, F */
  LOADS = 6, /* space force and space moment per length */
  MOST_CORRECTIONS = 30
};

static const double converged = 1e-9; /* relative correction: the next one would be its square */

/* Columns of the local unknowns, and of what is given. */
enum {
  KAPPA_A = 0,
  KAPPA_B = 3,
  N_A = 6,
  N_B = 9,
  THETA_A = LOCAL,
  THETA_B = LOCAL + 3,
  FORCE = LOCAL + 6,
  LOAD_FORCE = LOCAL + GIVEN,
  LOAD_MOMENT = LOAD_FORCE + 3
};
/* Rows. */
enum { CURVATURE = 0, MEAN_FORCE = 3, FORCES = 6, MOMENTS = 9 };

static const wy_v3 e3 = {0, 0, 1};

typedef double local_matrix[LOCAL][LOCAL + GIVEN + LOADS];

void wy_box_rest_at(const wy_box *self, int cell, const wy_box_loads *loads, const double *config, wy_box_rest *out) {
  const double *q = config + self->frame + 4 * (size_t)cell;
  const wy_q4 a = {q[0], q[1], q[2], q[3]}, b = {q[4], q[5], q[6], q[7]}, between = wy_between(a, b);
  const double relative[4] = {between.w, between.x, between.y, between.z};
  double k[3];
  wy_qlog(relative, k);
  *out = (wy_box_rest){.cell = cell, .h = self->length[cell], .turn = wy_box_turn_of(wy_at3(k))};
  out->e = wy_box_e(&out->turn);
  out->s3 = wy_box_s(&out->turn).c;
  out->frame[0] = wy_rotation(a);
  out->frame[1] = wy_rotation(b);
  out->middle = wy_mproduct(out->frame[0], out->e);
  out->force = wy_at3(config + self->base.size + 3 * (size_t)cell);
  if (loads->on_cells)
    out->load = loads->cell[cell];
  for (int i = 0; i < 2; i++)
    out->space_force[i] = wy_plus(out->load.space_force, wy_times(self->node[cell + i].mass, loads->gravity));
}

/* ---- The equations ---- */

static void put(local_matrix out, int row, int column, wy_m3 m) {
  const wy_v3 columns[3] = {m.a, m.b, m.c};
  for (int c = 0; c < 3; c++) {
    out[row][column + c] = columns[c].x;
    out[row + 1][column + c] = columns[c].y;
    out[row + 2][column + c] = columns[c].z;
  }
}

/* A row changes with the turn k, the rotations of the middle and of both ends, and the force, by these. */
typedef struct explicit_change {
  wy_m3 k, middle, ends[2], force;
} explicit_change;

static void put_given(local_matrix out, int row, const wy_box_rest *given, const explicit_change *d) {
  const wy_m3 step = wy_box_rest_step(&given->turn), back = wy_mtransposed(step);
  const wy_m3 half = wy_mtimes(0.5, wy_mtransposed(wy_box_tangent(&given->turn))); /* of k on the middle */
  const wy_m3 k = wy_mplus(d->k, wy_mproduct(d->middle, half));
  const wy_m3 a = wy_mminus(wy_mproduct(d->middle, wy_mtransposed(given->e)), wy_mproduct(k, back));
  put(out, row, THETA_A, wy_mplus(a, d->ends[0]));
  put(out, row, THETA_B, wy_mplus(wy_mproduct(k, step), d->ends[1]));
  put(out, row, FORCE, d->force);
}

/* J_r(k)^-1 */
wy_m3 wy_box_rest_step(const wy_box_turn *turn) {
  return wy_box_function(turn->k, 0.5, 0.5 * (turn->e2 - turn->s2) / turn->e1);
}

/* Curvatures, and what the force of the cell is. */
static void defining_rows(const wy_box_rest *given, const wy_box_inner *at, wy_v3 g[4], local_matrix out) {
  const wy_m3 e = given->e, et = wy_mtransposed(e), t = wy_box_tangent(&given->turn);
  const wy_v3 na = wy_apply(et, at->n[0]), nb = wy_apply(e, at->n[1]);
  const wy_v3 f = wy_apply_transposed(given->middle, given->force);
  g[0] = wy_minus(wy_plus(at->kappa[0], at->kappa[1]), wy_times(2 / given->h, given->turn.k));
  g[1] = wy_minus(wy_plus(na, nb), wy_times(2, f));
  put(out, CURVATURE, KAPPA_A, wy_diagonal(1));
  put(out, CURVATURE, KAPPA_B, wy_diagonal(1));
  put(out, MEAN_FORCE, N_A, et);
  put(out, MEAN_FORCE, N_B, e);
  put_given(out, CURVATURE, given, &(explicit_change){.k = wy_diagonal(-2 / given->h)});
  const wy_m3 turned = wy_mminus(wy_skew_times(na, wy_mtransposed(t)), wy_skew_times(nb, t));
  put_given(out, MEAN_FORCE, given,
            &(explicit_change){.k = wy_mtimes(0.5, turned),
                               .middle = wy_mtimes(-2, wy_skew(f)),
                               .force = wy_mtimes(-2, wy_mtransposed(given->middle))});
}

/* What one end gives to the balances: seen from the middle (B3), or with the change of its components along the rod
   (B2). */
static void balance_of_end(const wy_box_rest *given, const wy_box_inner *at, wy_m3 stiffness, int i, bool transport,
                           wy_v3 g[4], local_matrix out, explicit_change change[2]) {
  const double half = 0.5 * given->h, sign = i ? 1 : -1;
  const wy_v3 kappa = at->kappa[i], n = at->n[i], m = at->m[i], arm = wy_times(half, transport ? given->s3 : e3);
  const wy_v3 f = wy_times(half, wy_apply_transposed(given->frame[i], given->space_force[i]));
  const wy_v3 l = wy_times(half, wy_apply_transposed(given->frame[i], given->load.space_moment));
  const wy_m3 look = !transport ? wy_diagonal(1) : i ? given->e : wy_mtransposed(given->e);
  const wy_m3 across = wy_mplus(wy_diagonal(sign), wy_mtimes(transport ? 0 : half, wy_skew(kappa)));
  const wy_v3 force = wy_plus(wy_apply(across, n), wy_plus(f, wy_times(half, given->load.body_force)));
  const wy_v3 moment = wy_plus(wy_apply(across, m), wy_plus(l, wy_times(half, given->load.body_moment)));
  const wy_v3 seen_force = wy_apply(look, force), seen_moment = wy_apply(look, moment), seen_n = wy_apply(look, n);
  g[2] = wy_plus(g[2], seen_force);
  g[3] = wy_plus(g[3], wy_plus(seen_moment, wy_cross(arm, seen_n)));

  const int kappas = i ? KAPPA_B : KAPPA_A, ns = i ? N_B : N_A;
  const wy_m3 bends = wy_mproduct(look, wy_mproduct(across, stiffness));
  put(out, FORCES, ns, wy_mproduct(look, across));
  put(out, FORCES, kappas, wy_mtimes(transport ? 0 : -half, wy_skew(n)));
  put(out, MOMENTS, ns, wy_skew_times(arm, look));
  put(out, MOMENTS, kappas, wy_mminus(bends, wy_mtimes(transport ? 0 : half, wy_skew(m))));
  change[0].ends[i] = wy_mproduct(look, wy_skew(f));
  change[1].ends[i] = wy_mproduct(look, wy_skew(l));
  if (!transport)
    return;
  wy_m3 t = wy_box_tangent(&given->turn); /* d(look y) = [look y] t dk */
  t = i ? wy_mtimes(-0.5, t) : wy_mtimes(0.5, wy_mtransposed(t));
  const wy_m3 shift = wy_mtimes(-half, wy_box_s_change(&given->turn, e3));
  const wy_m3 turned = wy_mplus(wy_skew_times(seen_moment, t), wy_skew_times(arm, wy_skew_times(seen_n, t)));
  change[0].k = wy_mplus(change[0].k, wy_skew_times(seen_force, t));
  change[1].k = wy_mplus(change[1].k, wy_mplus(turned, wy_skew_times(seen_n, shift)));
}

/* What the equations leave, and their derivatives by the unknowns and by what is given. Moments of `at` follow from its
   curvatures. */
static void equations(const wy_box *self, const wy_box_rest *given, wy_box_inner *at, wy_v3 g[4], local_matrix out) {
  explicit_change change[2] = {0};
  memset(out, 0, sizeof(local_matrix));
  g[2] = g[3] = (wy_v3){0, 0, 0};
  defining_rows(given, at, g, out);
  for (int i = 0; i < 2; i++) {
    at->m[i] = wy_box_moment(self, given->cell + i, at->kappa[i]);
    const wy_m3 stiffness = wy_box_moment_tangent(self, given->cell + i, at->kappa[i]);
    balance_of_end(given, at, stiffness, i, self->options.transport, g, out, change);
  }
  put_given(out, FORCES, given, &change[0]);
  put_given(out, MOMENTS, given, &change[1]);
}

/* ---- Their solution ---- */

/* Gauss and Jordan: the columns from LOCAL on become solutions. */
static int eliminate(local_matrix a, int columns) {
  for (int k = 0; k < LOCAL; k++) {
    int best = k;
    for (int i = k + 1; i < LOCAL; i++)
      best = fabs(a[i][k]) > fabs(a[best][k]) ? i : best;
    const double pivot = a[best][k];
    if (pivot == 0 || !isfinite(pivot))
      return WY_RETRY;
    for (int j = k; j < columns; j++) {
      const double value = a[best][j] / pivot;
      a[best][j] = a[k][j];
      a[k][j] = value;
    }
    for (int i = 0; i < LOCAL; i++) {
      const double factor = a[i][k];
      for (int j = k; i != k && j < columns; j++)
        a[i][j] -= factor * a[k][j];
    }
  }
  return WY_OK;
}

static wy_v3 column_part(local_matrix a, int row, int column) {
  return (wy_v3){a[row][column], a[row + 1][column], a[row + 2][column]};
}

/* Newton's method; with the linear law the transported box needs one correction. */
int wy_box_rest_solve(const wy_box *self, const wy_box_rest *given, wy_box_inner *out) {
  const double force = wy_norm(given->force) + given->h * wy_norm(given->space_force[0]);
  for (int i = 0; i < 2; i++) {
    out->kappa[i] = wy_times(1 / given->h, given->turn.k);
    out->n[i] = wy_apply_transposed(given->frame[i], given->force);
  }
  double turned = INFINITY, pulled = INFINITY;
  for (int k = 0; k < MOST_CORRECTIONS && (turned > converged || pulled > converged); k++) {
    local_matrix matrix;
    wy_v3 g[4];
    equations(self, given, out, g, matrix);
    for (int i = 0; i < 4; i++) { /* in place of the first column of what is given */
      matrix[3 * i][LOCAL] = g[i].x;
      matrix[3 * i + 1][LOCAL] = g[i].y;
      matrix[3 * i + 2][LOCAL] = g[i].z;
    }
    if (eliminate(matrix, LOCAL + 1))
      return WY_RETRY;
    turned = pulled = 0;
    for (int i = 0; i < 2; i++) {
      const wy_v3 kappa = column_part(matrix, i ? KAPPA_B : KAPPA_A, LOCAL);
      const wy_v3 n = column_part(matrix, i ? N_B : N_A, LOCAL);
      out->kappa[i] = wy_minus(out->kappa[i], kappa);
      out->n[i] = wy_minus(out->n[i], n);
      turned = fmax(turned, wy_norm(kappa) / (1 / given->h + wy_norm(out->kappa[i])));
      pulled = fmax(pulled, wy_norm(n) / (force + wy_norm(out->n[i]) + DBL_MIN));
    }
  }
  for (int i = 0; i < 2; i++)
    out->m[i] = wy_box_moment(self, given->cell + i, out->kappa[i]);
  return turned <= converged && pulled <= converged ? WY_OK : WY_RETRY;
}

/* ---- The tangent (B14) ---- */

typedef double cell_matrix[WY_BOX_REST_CELL][WY_BOX_REST_CELL];

static void put_block(cell_matrix k, int row, int column, wy_m3 m) {
  const wy_v3 columns[3] = {m.a, m.b, m.c};
  for (int c = 0; c < 3; c++) {
    k[row][column + c] = columns[c].x;
    k[row + 1][column + c] = columns[c].y;
    k[row + 2][column + c] = columns[c].z;
  }
}

static wy_m3 block_at(local_matrix a, int row, int column) {
  return (wy_m3){column_part(a, row, column), column_part(a, row, column + 1), column_part(a, row, column + 2)};
}

/* Where a cell's degrees of freedom stand: x_a, theta_a, F, x_b, theta_b. */
enum { X_A = 0, T_A = 3, F = 6, X_B = 9, T_B = 12 };

/* The gap x_b - x_a - h R_m S e3. */
static void gap_rows(const wy_box_rest *given, cell_matrix k) {
  const wy_m3 step = wy_box_rest_step(&given->turn), back = wy_mtransposed(step);
  const wy_m3 half = wy_mtimes(0.5, wy_mtransposed(wy_box_tangent(&given->turn)));
  const wy_m3 turned = wy_mtimes(-1, wy_skew(given->s3)); /* with the middle, which itself turns with k */
  const wy_m3 change = wy_mplus(wy_box_s_change(&given->turn, e3), wy_mproduct(turned, half));
  const wy_m3 a = wy_mminus(wy_mproduct(turned, wy_mtransposed(given->e)), wy_mproduct(change, back));
  put_block(k, F, X_A, wy_diagonal(-1));
  put_block(k, F, X_B, wy_diagonal(1));
  put_block(k, F, T_A, wy_mtimes(-given->h, wy_mproduct(given->middle, a)));
  put_block(k, F, T_B, wy_mtimes(-given->h, wy_mproduct(given->middle, wy_mproduct(change, step))));
}

/* Half of a load acts beside either end, seen from the middle. */
static void load_columns(const wy_box_rest *given, bool transport, local_matrix out) {
  wy_m3 a = wy_mtransposed(given->frame[0]), b = wy_mtransposed(given->frame[1]);
  if (transport) {
    a = wy_mproduct(wy_mtransposed(given->e), a);
    b = wy_mproduct(given->e, b);
  }
  const wy_m3 look = wy_mtimes(0.5 * given->h, wy_mplus(a, b));
  put(out, FORCES, LOAD_FORCE, look);
  put(out, MOMENTS, LOAD_MOMENT, look);
}

static void add_block_to(cell_matrix k, int row, int column, wy_m3 m) {
  const wy_v3 columns[3] = {m.a, m.b, m.c};
  for (int c = 0; c < 3; c++) {
    k[row][column + c] += columns[c].x;
    k[row + 1][column + c] += columns[c].y;
    k[row + 2][column + c] += columns[c].z;
  }
}

/* How the loads of contact change with the nodes; the section in the middle turns as in put_given. */
static void load_changes(const wy_box_rest *given, const wy_box_push_slopes *push, wy_m3 out[WY_BOX_PUSHES][4]) {
  const wy_m3 step = wy_box_rest_step(&given->turn), back = wy_mtransposed(step);
  const wy_m3 half = wy_mtimes(0.5, wy_mtransposed(wy_box_tangent(&given->turn)));
  const wy_m3 a = wy_mproduct(given->middle, wy_mminus(wy_mtransposed(given->e), wy_mproduct(half, back)));
  const wy_m3 b = wy_mproduct(given->middle, wy_mproduct(half, step));
  for (int part = 0; part < WY_BOX_PUSHES; part++) {
    out[part][0] = push->place[part][0];
    out[part][1] = wy_mproduct(push->turn[part], a);
    out[part][2] = push->place[part][1];
    out[part][3] = wy_mproduct(push->turn[part], b);
  }
}

/* Contact: the loads of the cell change with its nodes, and with them what the nodes feel. */
static void add_contact(const wy_box *self, const wy_box_rest *given, const wy_box_inner *at, local_matrix matrix,
                        const wy_box_push_slopes *push, cell_matrix k) {
  static const int columns[4] = {X_A, T_A, X_B, T_B}, from[WY_BOX_PUSHES] = {LOAD_FORCE, LOAD_MOMENT};
  wy_m3 change[WY_BOX_PUSHES][4];
  load_changes(given, push, change);
  for (int i = 0; i < 2; i++) {
    const double sign = i ? -1 : 1;
    const wy_m3 stiffness = wy_mtimes(sign, wy_box_moment_tangent(self, given->cell + i, at->kappa[i]));
    const wy_m3 frame = wy_mtimes(sign, given->frame[i]);
    for (int part = 0; part < WY_BOX_PUSHES; part++) {
      const wy_m3 force = wy_mproduct(frame, block_at(matrix, i ? N_B : N_A, from[part]));
      const wy_m3 moment = wy_mproduct(stiffness, block_at(matrix, i ? KAPPA_B : KAPPA_A, from[part]));
      for (int c = 0; c < 4; c++) {
        add_block_to(k, i ? X_B : X_A, columns[c], wy_mproduct(force, change[part][c]));
        add_block_to(k, i ? T_B : T_A, columns[c], wy_mproduct(moment, change[part][c]));
      }
    }
  }
}

int wy_box_rest_tangent(const wy_box *self, const wy_box_rest *given, const wy_box_inner *inner,
                        const wy_box_push_slopes *push, cell_matrix k) {
  static const int columns[3] = {T_A, T_B, F}, from[3] = {THETA_A, THETA_B, FORCE};
  local_matrix matrix;
  wy_box_inner at = *inner;
  wy_v3 g[4];
  equations(self, given, &at, g, matrix);
  if (push)
    load_columns(given, self->options.transport, matrix);
  if (eliminate(matrix, LOCAL + GIVEN + (push ? LOADS : 0)))
    return WY_RETRY;
  memset(k, 0, sizeof(cell_matrix));
  gap_rows(given, k);
  for (int i = 0; i < 2; i++) {
    const double sign = i ? -1 : 1; /* of what is eliminated, and of node b once more */
    const wy_m3 stiffness = wy_mtimes(sign, wy_box_moment_tangent(self, given->cell + i, at.kappa[i]));
    const wy_m3 frame = wy_mtimes(sign, given->frame[i]);
    for (int p = 0; p < 3; p++) {
      wy_m3 force = wy_mproduct(frame, block_at(matrix, i ? N_B : N_A, from[p]));
      if (p == i) /* the force turns with its frame */
        force = wy_mplus(force, wy_mproduct(frame, wy_skew(at.n[i])));
      put_block(k, i ? X_B : X_A, columns[p], force);
      put_block(k, i ? T_B : T_A, columns[p], wy_mproduct(stiffness, block_at(matrix, i ? KAPPA_B : KAPPA_A, from[p])));
    }
  }
  if (push)
    add_contact(self, given, &at, matrix, push, k);
  return WY_OK;
}
