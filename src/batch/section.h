/* SPDX-License-Identifier: MIT */
/* Forces of segments and moments of vertices, and their derivatives, in units of the segment: docs/theory/batch.md,
   docs/theory/staggered.md. For batch/rod.h; included a second time where derivatives have a lower precision. */

/* A segment: edge, frame, velocity of the vertex behind it, angular velocity. */
typedef struct node {
  vec e;
  quat p;
  vec v, om;
} node;

/* The numbers of a rod that forces need. */
typedef struct stiff {
  vec cg, dg, ck, dk, inertia, spin_drag;
} stiff;

/* What a solve does not have as an unknown, de and theta as far as they are known, and P = be - ga [Om]x with theta = P
   dOm + known (S41). */
typedef struct known {
  vec e, theta;
  REAL be, ga;
} known;

/* m P */
FN mat times_turn(mat m, vec om, known k) {
  return mat_minus(mat_times(k.be, m), mat_times(k.ga, times_skew(m, om)));
}

/* ---- Segments ---- */

/* X = R^T e, U = R^T dv, F = C (X - e3) + D (U + X x Om) (S10), (S11). */
typedef struct strained {
  mat r;
  vec x, u, force;
} strained;

FN vec elastic_force(const stiff *s, vec x) {
  return each(s->cg, vec_of(x.x, x.y, x.z - (RS)1));
}

FN strained strain_at(const stiff *s, vec e, quat p, vec dv, vec om) {
  strained at;
  at.r = rotation(p);
  at.x = apply_transposed(at.r, e);
  at.u = apply_transposed(at.r, dv);
  at.force = plus(elastic_force(s, at.x), each(s->dg, plus(at.u, cross(at.x, om))));
  return at;
}

/* Force on the vertices of a segment, in space, and torque on it, with what the known parts change; `held` is the
   section force of the geometric terms (B11). */
typedef struct pulled {
  vec n, tau;
} pulled;

FN pulled segment_forces(const stiff *s, const strained *at, vec om, known k, vec held) {
  const vec dx = plus(apply_transposed(at->r, k.e), cross(at->x, k.theta));
  const vec df = plus(each(s->cg, dx), each(s->dg, minus(cross(at->u, k.theta), cross(om, dx))));
  pulled to;
  to.n = apply(at->r, plus(at->force, minus(df, cross(held, k.theta))));
  to.tau = plus(cross(at->x, at->force), plus(cross(dx, held), cross(at->x, df)));
  to.tau = plus(to.tau, minus(cross(each(s->inertia, om), om), each(s->spin_drag, om)));
  return to;
}

/* Force and torque by dv and by dOm, sigma in them (S42). */
typedef struct segment_by {
  mat force_v, force_w, torque_v, torque_w;
} segment_by;

FN segment_by segment_derivatives(const stiff *s, const strained *at, vec om, known k, vec held, RS sigma) {
  const RS inv = (RS)1 / sigma;
  const mat rt = transposed(at->r), x = skew(at->x);
  const mat fv =
      mat_minus(rows_scaled(plus(scaled(inv, s->cg), s->dg), rt), rows_scaled(scaled(inv, s->dg), skew_times(om, rt)));
  const mat ft = mat_plus(rows_scaled(s->cg, x), rows_scaled(s->dg, mat_minus(skew(at->u), skew_times(om, x))));
  const mat turn = times_turn(diagonal(vec_of(SPLAT(1), SPLAT(1), SPLAT(1))), om, k);
  const mat fw = mat_plus(times_turn(ft, om, k), rows_scaled(s->dg, x));
  const vec spin = each(s->inertia, om);
  segment_by by;
  by.force_v = product(at->r, fv);
  by.torque_v = mat_minus(skew_times(at->x, fv), mat_scaled(inv, skew_times(held, rt)));
  by.force_w = product(at->r, mat_minus(fw, skew_times(held, turn)));
  by.torque_w = mat_minus(skew_times(at->x, fw), skew_times(held, skew_times(at->x, turn)));
  /* the gyroscopic moment -Om x I Om, and drag */
  by.torque_w = mat_plus(by.torque_w, mat_minus(skew(spin), skew_times(om, diagonal(s->inertia))));
  by.torque_w = add_diagonal(by.torque_w, scaled((RS)-1, s->spin_drag));
  return by;
}

/* ---- Vertices, measure tan2 ---- */

/* k = W / w, K = 2 k; A = 1 + k k^T, B = [k]x; dK/dt = Q Om+ - Q^T Om- with Q = A + B; tau- = Q M, tau+ = -Q^T M (B3).
 */
typedef struct bent {
  vec k, alpha, beta, moment;
} bent;

FN bent bend_at(const stiff *s, quat minus_p, quat plus_p, vec minus_om, vec plus_om, vec natural) {
  const quat w = between(minus_p, plus_p);
  bent at;
  at.k = times(INV(w.w), pure(w));
  at.alpha = minus(plus_om, minus_om);
  at.beta = plus(plus_om, minus_om);
  const vec rate = plus(plus(at.alpha, times(inner(at.k, at.alpha), at.k)), cross(at.k, at.beta));
  at.moment = plus(each(s->ck, minus(scaled((RS)2, at.k), natural)), each(s->dk, rate));
  return at;
}

/* Torques on the segments before and after a vertex. */
typedef struct twisted {
  vec minus, plus;
} twisted;

FN twisted bend_torques(const vec *k, vec moment) {
  const vec along = plus(moment, times(inner(*k, moment), *k)), across = cross(*k, moment);
  twisted to;
  to.minus = plus(along, across);
  to.plus = minus(across, along);
  return to;
}

/* With what the known rotations change: dk = (Q theta+ - Q^T theta-) / 2 (B4). */
FN twisted vertex_forces(const stiff *s, const bent *at, vec minus_theta, vec plus_theta) {
  const vec a = minus(plus_theta, minus_theta), b = plus(plus_theta, minus_theta), k = at->k, m = at->moment;
  const vec dk = scaled((RS)0.5, plus(plus(a, times(inner(k, a), k)), cross(k, b)));
  const vec dalpha = plus(times(inner(dk, at->alpha), k), times(inner(k, at->alpha), dk));
  const vec dm = plus(scaled((RS)2, each(s->ck, dk)), each(s->dk, plus(dalpha, cross(dk, at->beta))));
  const vec along = plus(times(inner(k, m), dk), times(inner(dk, m), k)), across = cross(dk, m);
  const twisted own = bend_torques(&k, plus(m, dm));
  twisted to;
  to.minus = plus(own.minus, plus(along, across));
  to.plus = plus(own.plus, minus(across, along));
  return to;
}

/* Torques by dOm of both segments; `minus_plus`: of the segment before, by that after. */
typedef struct vertex_by {
  mat minus_minus, minus_plus, plus_minus, plus_plus;
} vertex_by;

FN vertex_by vertex_derivatives(const stiff *s, const bent *at, vec minus_om, vec plus_om, known minus_k,
                                known plus_k) {
  const vec k = at->k, m = at->moment;
  const vec one = vec_of(SPLAT(1), SPLAT(1), SPLAT(1));
  const mat q = mat_plus(add_diagonal(outer(k, k), one), skew(k)), qt = transposed(q);
  const REAL km = inner(k, m), ka = inner(k, at->alpha);
  const mat along = add_diagonal(outer(k, m), vec_of(km, km, km)), across = skew(m);
  mat t = rows_scaled(s->dk, mat_minus(add_diagonal(outer(k, at->alpha), vec_of(ka, ka, ka)), skew(at->beta)));
  t = add_diagonal(t, scaled((RS)2, s->ck));
  const mat by_minus = mat_scaled((RS)0.5, mat_plus(mat_minus(along, across), product(q, t)));
  const mat by_plus = mat_scaled((RS)-0.5, mat_plus(mat_plus(along, across), product(qt, t)));
  const mat to_plus = times_turn(q, plus_om, plus_k);
  const mat to_minus = mat_scaled((RS)-1, times_turn(qt, minus_om, minus_k));
  const mat dq = rows_scaled(s->dk, q), dqt = rows_scaled(s->dk, qt);
  vertex_by by;
  by.minus_plus = mat_plus(product(by_minus, to_plus), product(q, dq));
  by.minus_minus = mat_minus(product(by_minus, to_minus), product(q, dqt));
  by.plus_plus = mat_minus(product(by_plus, to_plus), product(qt, dq));
  by.plus_minus = mat_plus(product(by_plus, to_minus), product(qt, dqt));
  return by;
}

/* ---- Vertices, any measure ---- */

/* zeta(w) and its derivatives (S12). */
typedef struct zeta {
  REAL value, first, second;
} zeta;

/* psi / sin(psi) by y = sin^2(psi/2), and its derivatives by w = 1 - 2 y (S13). */
FN zeta angle_series(REAL y) {
  RS c = (RS)1;
  RS all[ZETA_TERMS + 1];
  for (int k = 1; k <= ZETA_TERMS; k++) {
    c = c * (RS)(2 * k) / (RS)(2 * k + 1);
    all[k] = c;
  }
  zeta z;
  z.value = SPLAT(0);
  z.first = SPLAT(0);
  z.second = SPLAT(0);
  for (int k = ZETA_TERMS; k >= 1; k--) {
    z.value = all[k] + y * z.value;
    z.first = (RS)k * all[k] + y * z.first;
    if (k > 1)
      z.second = (RS)(k * (k - 1)) * all[k] + y * z.second;
  }
  z.value = (RS)1 + y * z.value;
  z.first = (RS)-0.5 * z.first;
  z.second = (RS)0.25 * z.second;
  return z;
}

/* Near w = 1 by the series; else three halvings bring the angle into its range, and derivatives in closed form. */
FN zeta angle_zeta(REAL w) {
  const RS half = (RS)0.5;
  const REAL c1 = SQRT(half + half * w), c2 = SQRT(half + half * c1), c3 = SQRT(half + half * c2);
  const REAL value = angle_series(half - half * c3).value * INV(c1 * c2 * c3);
  const zeta near = angle_series(half - half * w);
  const REAL is_near = STEP((RS)0.05 - ((RS)1 - w)); /* 1 or 0 */
  const REAL rest = INV((RS)1 - w * w + is_near);
  const REAL first = (w * value - (RS)1) * rest, second = (value + (RS)3 * w * first) * rest;
  zeta z;
  z.value = value;
  z.first = first + is_near * (near.first - first);
  z.second = second + is_near * (near.second - second);
  return z;
}

FN zeta zeta_at(int measure, REAL w) {
  zeta z;
  z.value = SPLAT(1);
  z.first = SPLAT(0);
  z.second = SPLAT(0);
  if (measure == MEASURE_SIN2)
    return z;
  if (measure == MEASURE_ANGLE)
    return angle_zeta(w);
  if (measure == MEASURE_TAN2) {
    z.value = INV(w);
    z.first = -z.value * z.value;
    z.second = (RS)-2 * z.value * z.first;
    return z;
  }
  const REAL inv = INV((RS)1 + w);
  if (measure == MEASURE_SIN4) {
    z.value = SQRT((RS)2 * inv);
    z.first = (RS)-0.5 * z.value * inv;
    z.second = (RS)0.75 * z.value * inv * inv;
  } else {
    z.value = (RS)2 * inv;
    z.first = -z.value * inv;
    z.second = (RS)-2 * z.first * inv;
  }
  return z;
}

/* Torques at a vertex, and their derivatives by theta and by Om: of both segments, by both. */
typedef struct vertex_all {
  twisted torque;
  vertex_by by_theta, by_om;
} vertex_all;

/* Derivatives of A y and B y for fixed y, by a = theta+ - theta- and b = theta+ + theta- (S34). */
typedef struct varied {
  mat by_a, by_b;
} varied;

FN varied vary(vec by_w, mat by_im, REAL w, vec im) {
  varied v;
  v.by_a = mat_scaled((RS)0.5, mat_minus(mat_times(w, by_im), outer(by_w, im)));
  v.by_b = mat_scaled((RS)0.5, times_skew(by_im, im));
  return v;
}

FN varied vary_along(zeta z, REAL w, vec im, vec y) {
  const REAL iy = inner(im, y);
  const vec by_w = minus(times(z.first * w + z.value, y), times(z.second * iy, im));
  const mat by_im = mat_times(-z.first, add_diagonal(outer(im, y), vec_of(iy, iy, iy)));
  return vary(by_w, by_im, w, im);
}

FN varied vary_across(zeta z, REAL w, vec im, vec y) {
  return vary(times(z.first, cross(im, y)), mat_times(-z.value, skew(y)), w, im);
}

/* By a and b into by minus and plus. */
FN void split(mat by_a, mat by_b, mat *by_minus, mat *by_plus) {
  *by_minus = mat_minus(by_b, by_a);
  *by_plus = mat_plus(by_b, by_a);
}

FN vertex_all vertex_at(const stiff *s, int measure, quat minus_p, quat plus_p, vec minus_om, vec plus_om,
                        vec natural) {
  const quat between_p = between(minus_p, plus_p);
  const vec im = pure(between_p), alpha = minus(plus_om, minus_om), beta = plus(plus_om, minus_om);
  const REAL w = between_p.w;
  const zeta z = zeta_at(measure, w);
  const REAL zw = z.value * w;
  const mat along = add_diagonal(mat_times(-z.first, outer(im, im)), vec_of(zw, zw, zw));
  const mat across = mat_times(z.value, skew(im));
  const mat to_minus = mat_plus(along, across), to_plus = mat_minus(across, along);
  const vec rate = plus(apply(along, alpha), apply(across, beta));
  const vec moment = plus(each(s->ck, minus(times((RS)2 * z.value, im), natural)), each(s->dk, rate));
  /* the moment by a and b */
  varied a = vary_along(z, w, im, alpha), b = vary_across(z, w, im, beta);
  const mat moment_a = mat_plus(rows_scaled(s->ck, along), rows_scaled(s->dk, mat_plus(a.by_a, b.by_a)));
  const mat moment_b = mat_plus(rows_scaled(s->ck, across), rows_scaled(s->dk, mat_plus(a.by_b, b.by_b)));
  a = vary_along(z, w, im, moment);
  b = vary_across(z, w, im, moment);
  vertex_all v;
  v.torque.minus = apply(to_minus, moment);
  v.torque.plus = apply(to_plus, moment);
  split(mat_plus(mat_plus(a.by_a, b.by_a), product(to_minus, moment_a)),
        mat_plus(mat_plus(a.by_b, b.by_b), product(to_minus, moment_b)), &v.by_theta.minus_minus,
        &v.by_theta.minus_plus);
  split(mat_plus(mat_minus(b.by_a, a.by_a), product(to_plus, moment_a)),
        mat_plus(mat_minus(b.by_b, a.by_b), product(to_plus, moment_b)), &v.by_theta.plus_minus, &v.by_theta.plus_plus);
  const mat rate_plus = rows_scaled(s->dk, to_minus), rate_minus = rows_scaled(s->dk, to_plus);
  v.by_om.minus_minus = product(to_minus, rate_minus);
  v.by_om.minus_plus = product(to_minus, rate_plus);
  v.by_om.plus_minus = product(to_plus, rate_minus);
  v.by_om.plus_plus = product(to_plus, rate_plus);
  return v;
}

/* ---- Clamped ends ---- */

/* The torque on the end segment, and its derivatives by theta and Om. */
typedef struct clamped {
  vec torque;
  mat by_theta, by_om;
} clamped;

/* The support, its angular velocity in its own axes. `end`: that of the last segment. The ghost mirrors the segment
   (S21); what it feels comes back by its dependence on it (S22), the cell counts half. */
FN clamped clamp_at(const stiff *s, int measure, int end, quat support, vec support_om, quat p, vec om, vec natural) {
  const quat relative = between(support, p), ghost = quat_product(support, conjugate(relative));
  const mat turn = rotation(relative);
  const vec ghost_om = minus(support_om, apply(turn, minus(om, support_om)));
  const vertex_all v = end ? vertex_at(s, measure, p, ghost, om, ghost_om, natural)
                           : vertex_at(s, measure, ghost, p, ghost_om, om, natural);
  const vertex_by t = v.by_theta, w = v.by_om;
  const mat own_own = end ? t.minus_minus : t.plus_plus, own_ghost = end ? t.minus_plus : t.plus_minus;
  const mat ghost_own = end ? t.plus_minus : t.minus_plus, ghost_ghost = end ? t.plus_plus : t.minus_minus;
  const mat own_own_w = end ? w.minus_minus : w.plus_plus, own_ghost_w = end ? w.minus_plus : w.plus_minus;
  const mat ghost_own_w = end ? w.plus_minus : w.minus_plus, ghost_ghost_w = end ? w.plus_plus : w.minus_minus;
  const vec own_torque = end ? v.torque.minus : v.torque.plus;
  const vec returned = apply_transposed(turn, end ? v.torque.plus : v.torque.minus);
  const mat rate_turn = times_skew(turn, minus(om, support_om));
  const mat own_t = mat_plus(mat_minus(own_own, product(own_ghost, turn)), product(own_ghost_w, rate_turn));
  const mat ghost_t = mat_plus(mat_minus(ghost_own, product(ghost_ghost, turn)), product(ghost_ghost_w, rate_turn));
  const mat own_w = mat_minus(own_own_w, product(own_ghost_w, turn));
  const mat ghost_w = mat_minus(ghost_own_w, product(ghost_ghost_w, turn));
  clamped to;
  to.torque = scaled((RS)0.5, minus(own_torque, returned));
  to.by_theta = mat_scaled((RS)0.5, mat_minus(mat_minus(own_t, transposed_product(turn, ghost_t)), skew(returned)));
  to.by_om = mat_scaled((RS)0.5, mat_minus(own_w, transposed_product(turn, ghost_w)));
  return to;
}
