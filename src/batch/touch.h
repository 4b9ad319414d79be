/* SPDX-License-Identifier: MIT */
/* What obstacles do to a vertex (B15). For batch/rod.h, which says what is defined before. */

/* A vertex: where it is predicted, the known part of its displacement, its velocity, the length of rod that it stands
 * for.
 */
typedef struct place {
  vec x, dx, v;
  RS weight;
} place;

/* Force on a vertex, and what is added to D (B15). */
typedef struct touch {
  vec force;
  mat d;
} touch;

/* yes where a < b, else no */
FN REAL where_less(REAL a, REAL b, REAL yes, REAL no) {
  const REAL t = STEP(b - a);
  return no + t * (yes - no);
}

/* Load of the skin and its slope at a depth >= 0 (K1), (K2). */
FN void skin_load(const rod *r, REAL depth, REAL *load, REAL *slope) {
  const REAL k = AT(r->par, WY_PAR_SKIN + 1), b = AT(r->par, WY_PAR_SKIN + 2), c = AT(r->par, WY_PAR_SKIN + 3);
  const REAL inside = LESSER(depth, b), y = inside * INV(b), yy = y * y, ratio = depth * INV(c);
  const REAL limit = SPLAT(0.9), x = LESSER(ratio, limit), xx = x * x, rest = INV((RS)1 - xx);
  const REAL core = ((RS)3 - xx) * xx * rest * rest;
  *load = k * (b * yy * y * ((RS)1 - (RS)0.5 * y) + (depth - inside) + c * (x * xx * rest + (ratio - x) * core));
  *slope = k * (yy * ((RS)3 - (RS)2 * y) + core);
}

/* Distance of a point from an obstacle and the normal there (K4): a plane, or what is round about a point or an axis.
 */
FN REAL distance_to(const RS *row, REAL per, vec y, vec *normal) {
  const vec axis = vec_of(SPLAT(row[WY_OBST_AXIS]), SPLAT(row[WY_OBST_AXIS + 1]), SPLAT(row[WY_OBST_AXIS + 2]));
  const REAL along = inner(axis, y);
  *normal = axis;
  if (row[WY_OBST_PLANE] > (RS)0)
    return along;
  const REAL half = per * row[WY_OBST_HALF], low_end = -half;
  const REAL below = LESSER(along, half), on = GREATER(below, low_end);
  const vec out = minus(y, times(on, axis));
  const REAL square = inner(out, out) + (RS)1e-20, inv = INV_SQRT(square);
  *normal = times(inv, out);
  return square * inv - per * row[WY_OBST_RADIUS];
}

/* Load (K1), (K2), restitution (K3), and friction as a damper (K7). Derivatives that would weaken the matrix are left
   out: of the normal, and of the size of friction by that of the slip. */
FN touch touch_obstacle(const rod *r, RS per_sigma, const RS *row, const place *at) {
  const REAL per = AT(r->par, WY_PAR_PER_METRE), one = SPLAT(1), none = SPLAT(0);
  const RS *laws = row + WY_OBST_LAWS;
  const vec centre = vec_of(per * row[WY_OBST_PLACE], per * row[WY_OBST_PLACE + 1], per * row[WY_OBST_PLACE + 2]);
  const vec y = minus(plus(at->x, vec_at(r->par, WY_PAR_ORIGIN)), centre);
  vec n;
  const REAL gap = distance_to(row, per, y, &n) - AT(r->par, WY_PAR_SKIN);
  const REAL deep = -gap, depth = GREATER(deep, none);
  REAL load, slope;
  skin_load(r, depth, &load, &slope);
  const RS *v = row + WY_OBST_VELOCITY, *w = row + WY_OBST_SPIN, *belt = row + WY_OBST_BELT;
  const vec spin = vec_of(SPLAT(w[0]), SPLAT(w[1]), SPLAT(w[2]));
  const vec ground =
      plus(vec_of(per * (v[0] + belt[0]), per * (v[1] + belt[1]), per * (v[2] + belt[2])), cross(spin, y));
  const vec slip = minus(at->v, ground);
  const REAL approach = -inner(n, slip), calm = INV(per * laws[1]), s = approach * calm, minus_s = -s;
  const REAL size = GREATER(s, minus_s), sign = (RS)2 * STEP(s) - (RS)1;
  const REAL phi = where_less(size, one, s * ((RS)2 - size), sign);
  const REAL phi_slope = where_less(size, one, (RS)2 * (one - size), none);
  const REAL total = load * (one + laws[0] * phi), rigid = slope * (one + laws[0] * phi);
  const REAL across = (rigid * per_sigma + load * laws[0] * phi_slope * calm) * at->weight;
  touch t;
  t.force = times(at->weight * (total - rigid * inner(n, at->dx)), n);
  t.d = outer(times(across, n), n);
  if (laws[2] > (RS)0) {
    const vec along = plus(slip, times(approach, n));
    const REAL ease = INV(per * laws[3]), way = SQRT(inner(along, along)) * ease;
    const REAL far = GREATER(way, one), ratio = where_less(way, one, (RS)2 - way, INV(far));
    const REAL rub = at->weight * laws[2] * total * ratio * ease;
    t.force = minus(t.force, times(rub, along));
    t.d = mat_plus(t.d, mat_minus(diagonal(vec_of(rub, rub, rub)), outer(times(rub, n), n)));
  }
  return t;
}

/* All of them; per_sigma: how far a velocity leads in the substep. */
FN_APART void touch_all(const rod *r, RS per_sigma, const place *at, touch *sum) {
  sum->force = no_vec();
  sum->d = no_mat();
  for (int k = 0; k < r->obstacle_count; k++) {
    const touch t = touch_obstacle(r, per_sigma, r->obstacles + k * WY_OBST_ROW, at);
    sum->force = plus(sum->force, t.force);
    sum->d = mat_plus(sum->d, t.d);
  }
}
