/* SPDX-License-Identifier: MIT */
/* A rod as a substep sees it: its arrays, its ends during a frame, where it is predicted, and forces from outside. For
   batch/rod.h, which says what is defined before. */

/* ---- A rod ---- */

/* What a substep is about. */
typedef struct moment_of_frame {
  RS sigma, behind; /* (B6): du/dt = sigma (u - u_n) - behind (u_n - u_n-1) */
  RS ratio;         /* of this substep to the one before */
  RS begin, share;  /* of the frame, where it begins and ends */
  RS frame;         /* its length */
} moment_of_frame;

typedef struct rod {
  int segments, measure;
  int damped, clamped[2];
  RS held[2][3];
  const STORE *par, *natural, *ends;
  const RS *loads; /* rows of layout.h, or none */
  const RS *obstacles;
  const wy_batch_grid *grids;  /* of each of them, or none */
  int obstacle_count, springs; /* springs: friction holds at rest */
} rod;

FN vec vec_at(const STORE *a, int k) {
  return vec_of(AT(a, k), AT(a, k + 1), AT(a, k + 2));
}

FN quat quat_at(const STORE *a, int k) {
  return quat_of(AT(a, k), AT(a, k + 1), AT(a, k + 2), AT(a, k + 3));
}

FN void put_vec(STORE *a, int k, vec v) {
  AT(a, k) = v.x;
  AT(a, k + 1) = v.y;
  AT(a, k + 2) = v.z;
}

FN node node_at(const STORE *cells, int i) {
  node n;
  n.e = vec_at(cells, i * WY_CELL + WY_CELL_E);
  n.p = quat_at(cells, i * WY_CELL + WY_CELL_P);
  n.v = vec_at(cells, i * WY_CELL + WY_CELL_V);
  n.om = vec_at(cells, i * WY_CELL + WY_CELL_W);
  return n;
}

FN void put_node(STORE *cells, int i, node n) {
  const int k = i * WY_CELL;
  put_vec(cells, k + WY_CELL_E, n.e);
  AT(cells, k + WY_CELL_P) = n.p.w;
  put_vec(cells, k + WY_CELL_P + 1, pure(n.p));
  put_vec(cells, k + WY_CELL_V, n.v);
  put_vec(cells, k + WY_CELL_W, n.om);
}

FN stiff stiff_of(const STORE *par) {
  stiff s;
  s.cg = vec_at(par, WY_PAR_CG);
  s.dg = vec_at(par, WY_PAR_DG);
  s.ck = vec_at(par, WY_PAR_CK);
  s.dk = vec_at(par, WY_PAR_DK);
  s.inertia = vec_at(par, WY_PAR_INERTIA);
  s.spin_drag = vec_at(par, WY_PAR_SPIN_DRAG);
  return s;
}

/* ---- Supports ---- */

/* Where an end is: place, velocity, frame, angular velocity in its own axes. */
typedef struct support {
  vec x, v;
  quat q;
  vec om;
} support;

/* The cubic of a frame at its share z (B5). Of the quaternion it is taken by components, and brought to length one. */
FN support support_at(const STORE *ends, int end, RS z, RS frame) {
  const int from = end * WY_END_MOTION, to = from + WY_END_POSE;
  const RS one = (RS)1, two = (RS)2, three = (RS)3, six = (RS)6;
  const RS a = (one + two * z) * (one - z) * (one - z), b = z * (one - z) * (one - z) * frame;
  const RS c = z * z * (three - two * z), d = z * z * (z - one) * frame;
  const RS da = six * z * (z - one) / frame, db = (one - z) * (one - three * z), dd = z * (three * z - two);
  const vec x0 = vec_at(ends, from + WY_END_X), x1 = vec_at(ends, to + WY_END_X);
  const vec v0 = vec_at(ends, from + WY_END_V), v1 = vec_at(ends, to + WY_END_V);
  const quat q0 = quat_at(ends, from + WY_END_Q), q1 = quat_at(ends, to + WY_END_Q);
  const quat r0 = quat_at(ends, from + WY_END_R), r1 = quat_at(ends, to + WY_END_R);
  support at;
  at.x = plus(plus(scaled(a, x0), scaled(c, x1)), plus(scaled(b, v0), scaled(d, v1)));
  at.v = plus(scaled(da, minus(x0, x1)), plus(scaled(db, v0), scaled(dd, v1)));
  const quat q =
      quat_plus(quat_plus(quat_scaled(a, q0), quat_scaled(c, q1)), quat_plus(quat_scaled(b, r0), quat_scaled(d, r1)));
  const quat r = quat_plus(quat_scaled(da, quat_minus(q0, q1)), quat_plus(quat_scaled(db, r0), quat_scaled(dd, r1)));
  const REAL inv = INV_SQRT(quat_inner(q, q));
  at.q = quat_times(inv, q);
  at.om = times((RS)2 * inv, pure(between(at.q, r)));
  return at;
}

/* `held` components of a, the others of b. */
FN vec chosen(const RS held[3], vec a, vec b) {
  return vec_of(b.x + held[0] * (a.x - b.x), b.y + held[1] * (a.y - b.y), b.z + held[2] * (a.z - b.z));
}

/* ---- Prediction (B7) ---- */

/* The velocity of the first vertex: of the support, or by a line. */
FN vec predict_head(const rod *r, const moment_of_frame *m, const STORE *now, const STORE *before, vec of_support) {
  const int k = r->segments * WY_CELL + WY_CELL_V;
  const vec v = vec_at(now, k);
  return chosen(r->held[0], of_support, plus(v, scaled(m->ratio, minus(v, vec_at(before, k)))));
}

/* Turned on as it turned, with the strain that it has. */
FN node predict(const moment_of_frame *m, node n, node b) {
  quat turn = between(b.p, n.p);
  node s;
  turn = quat_scaled(m->ratio, turn);
  turn.w = turn.w + ((RS)1 - m->ratio);
  s.p = unit(quat_product(n.p, turn));
  s.e = apply(rotation(s.p), apply_transposed(rotation(n.p), n.e));
  s.v = plus(n.v, scaled(m->ratio, minus(n.v, b.v)));
  s.om = plus(n.om, scaled(m->ratio, minus(n.om, b.om)));
  return s;
}

FN vec difference(const moment_of_frame *m, vec s, vec n, vec b) {
  return minus(scaled(m->behind, minus(n, b)), scaled(m->sigma, minus(s, n)));
}

/* -du/dt of the difference formula at the prediction. */
FN node rate_of(const moment_of_frame *m, node s, node n, node b) {
  node d;
  d.e = difference(m, s.e, n.e, b.e);
  d.v = difference(m, s.v, n.v, b.v);
  d.om = difference(m, s.om, n.om, b.om);
  d.p = quat_minus(quat_scaled(m->behind, quat_minus(n.p, b.p)), quat_scaled(m->sigma, quat_minus(s.p, n.p)));
  return d;
}

/* (S40), (S41) */
FN known known_of(const moment_of_frame *m, node s, node d, vec before_v) {
  const quat rho = between(s.p, d.p);
  const vec rv = plus(scaled((RS)0.5, s.om), pure(rho));
  const REAL inv = INV(m->sigma * m->sigma + (RS)0.25 * inner(s.om, s.om));
  known k;
  k.e = scaled((RS)1 / m->sigma, plus(minus(s.v, before_v), d.e));
  k.theta = times(inv, plus(plus(scaled((RS)2 * m->sigma, rv), times(rho.w, s.om)), cross(rv, s.om)));
  k.be = m->sigma * inv;
  k.ga = (RS)0.5 * inv;
  return k;
}

/* ---- Forces from outside ---- */

FN vec load_vec(const RS *row, int k, REAL point, REAL line) {
  return vec_of(point * row[k] + line * row[k + 3], point * row[k + 1] + line * row[k + 4],
                point * row[k + 2] + line * row[k + 5]);
}

/* On vertex i, over its mass but for loads. */
FN vec outer_force(const rod *r, int i, RS mass, vec v) {
  vec f = scaled(mass, minus(vec_at(r->par, WY_PAR_GRAVITY), times(AT(r->par, WY_PAR_DRAG), v)));
  if (r->loads)
    f = plus(
        f, load_vec(r->loads + i * WY_LOAD_ROW, WY_LOAD_FORCE, AT(r->par, WY_PAR_FORCE), AT(r->par, WY_PAR_FORCE + 1)));
  return f;
}
