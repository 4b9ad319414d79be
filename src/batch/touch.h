/* SPDX-License-Identifier: MIT */
/* What obstacles do to a vertex (B15). For batch/rod.h, which says what is defined before. */

/* A vertex: where it is predicted, the known part of its displacement, its velocity, the length of rod that it stands
   for; how it has come there in a step, and where the springs of its friction are in a state. */
typedef struct place {
  vec x, dx, v;
  RS weight;
  vec way;
  RS step;
  const STORE *state;
  int springs;
} place;

/* Force on a vertex, and what is added to D (B15). */
typedef struct touch {
  vec force;
  mat d;
} touch;

/* Where vertex i has its springs (K7), three numbers for each obstacle. */
FN int springs_of(const rod *r, int i) {
  return (r->segments + 1) * WY_CELL + 3 * i * r->obstacle_count;
}

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

/* Distance of a point from an obstacle and the normal there (K4): a grid, a plane, or what is round about a point or an
   axis. */
FN REAL distance_to(const rod *r, int k, REAL per, vec y, vec *normal) {
  const RS *row = r->obstacles + k * WY_OBST_ROW;
  if (row[WY_OBST_GRID] > (RS)0)
    return per * distance_by_grid(&r->grids[k], row, times(INV(per), y), normal);
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

/* A point near an obstacle: distance of the rod's surface, normal, velocity of the material there. */
typedef struct nearness {
  REAL gap;
  vec normal, ground;
} nearness;

FN nearness near_to(const rod *r, int k, vec x) {
  const RS *row = r->obstacles + k * WY_OBST_ROW;
  const REAL per = AT(r->par, WY_PAR_PER_METRE);
  const vec centre = vec_of(per * row[WY_OBST_PLACE], per * row[WY_OBST_PLACE + 1], per * row[WY_OBST_PLACE + 2]);
  const vec y = minus(plus(x, vec_at(r->par, WY_PAR_ORIGIN)), centre);
  const RS *v = row + WY_OBST_VELOCITY, *w = row + WY_OBST_SPIN, *belt = row + WY_OBST_BELT;
  const vec spin = vec_of(SPLAT(w[0]), SPLAT(w[1]), SPLAT(w[2]));
  nearness at;
  at.gap = distance_to(r, k, per, y, &at.normal) - AT(r->par, WY_PAR_SKIN);
  at.ground = plus(vec_of(per * (v[0] + belt[0]), per * (v[1] + belt[1]), per * (v[2] + belt[2])), cross(spin, y));
  return at;
}

FN vec without(vec n, vec v) {
  return minus(v, times(inner(n, v), n));
}

/* ---- Friction (K7) ---- */

/* The length of the spring at which it slides. */
FN REAL slip_length(const rod *r, const RS *row) {
  return AT(r->par, WY_PAR_PER_METRE) * row[WY_OBST_SLIP] + AT(r->par, WY_PAR_SKIN) * row[WY_OBST_SLIP + 1];
}

/* The spring of a vertex at the end of a step, before it is cut. */
FN vec stretched(const nearness *near, vec spring, vec way, RS step) {
  return without(near->normal, plus(spring, minus(way, scaled(step, near->ground))));
}

/* After the step: cut to the length at which it slides; none where nothing touches. */
FN vec left_of(const rod *r, const RS *row, const nearness *near, vec spring) {
  const REAL most = slip_length(r, row), size = SQRT(inner(spring, spring)), longer = GREATER(size, most);
  const REAL deep = -near->gap;
  return times(STEP(deep) * most * INV(longer), spring);
}

/* Friction as a force and a damper, under a load: of springs where it holds at rest, and of the slip. */
FN void rub(const rod *r, RS per_sigma, const RS *row, int k, const place *at, const nearness *near, REAL load,
            vec slip, touch *t) {
  const vec n = near->normal, along = without(n, slip);
  const REAL ease = INV(AT(r->par, WY_PAR_PER_METRE) * row[WY_OBST_LAWS + 3]), one = SPLAT(1);
  vec w = times(ease, along), more = no_vec();
  REAL slope = ease;
  if (r->springs && row[WY_OBST_LAWS + 2] > (RS)0) {
    const REAL per_slip = INV(slip_length(r, row));
    w = plus(w, times(per_slip, stretched(near, vec_at(at->state, at->springs + 3 * k), at->way, at->step)));
    more = times(per_slip, without(n, at->dx));
    slope = slope + per_sigma * per_slip;
  }
  const REAL size = SQRT(inner(w, w)), far = GREATER(size, one);
  const REAL ratio = where_less(size, one, (RS)2 - size, INV(far));
  const REAL rubs = at->weight * row[WY_OBST_LAWS + 2] * load * ratio, across = rubs * slope;
  t->force = minus(t->force, times(rubs, plus(w, more)));
  t->d = mat_plus(t->d, mat_minus(diagonal(vec_of(across, across, across)), outer(times(across, n), n)));
}

/* ---- All that touches ---- */

/* Load (K1), (K2), restitution (K3), and friction. Derivatives that would weaken the matrix are left out: of the
   normal, and of the size of friction by that of the slip. */
FN touch touch_obstacle(const rod *r, RS per_sigma, int k, const place *at, const nearness *near) {
  const REAL per = AT(r->par, WY_PAR_PER_METRE), one = SPLAT(1), none = SPLAT(0);
  const RS *row = r->obstacles + k * WY_OBST_ROW, *laws = row + WY_OBST_LAWS;
  const vec n = near->normal, slip = minus(at->v, near->ground);
  const REAL deep = -near->gap, depth = GREATER(deep, none);
  REAL load, slope;
  skin_load(r, depth, &load, &slope);
  const REAL approach = -inner(n, slip), calm = INV(per * laws[1]), s = approach * calm, minus_s = -s;
  const REAL size = GREATER(s, minus_s), sign = (RS)2 * STEP(s) - (RS)1;
  const REAL phi = where_less(size, one, s * ((RS)2 - size), sign);
  const REAL phi_slope = where_less(size, one, (RS)2 * (one - size), none);
  const REAL total = load * (one + laws[0] * phi), rigid = slope * (one + laws[0] * phi);
  const REAL across = (rigid * per_sigma + load * laws[0] * phi_slope * calm) * at->weight;
  touch t;
  t.force = times(at->weight * (total - rigid * inner(n, at->dx)), n);
  t.d = outer(times(across, n), n);
  if (laws[2] > (RS)0)
    rub(r, per_sigma, row, k, at, near, total, slip, &t);
  return t;
}

/* All of them; per_sigma: how far a velocity leads in the substep. `springs`: a state whose springs become those after
   the step, or none. */
FN_APART void touch_all(const rod *r, RS per_sigma, const place *at, STORE *springs, touch *sum) {
  sum->force = no_vec();
  sum->d = no_mat();
  for (int k = 0; k < r->obstacle_count; k++) {
    const RS *row = r->obstacles + k * WY_OBST_ROW;
    const nearness near = near_to(r, k, at->x);
    const touch t = touch_obstacle(r, per_sigma, k, at, &near);
    sum->force = plus(sum->force, t.force);
    sum->d = mat_plus(sum->d, t.d);
    if (springs && r->springs) {
      const int spring = at->springs + 3 * k;
      put_vec(springs, spring, left_of(r, row, &near, stretched(&near, vec_at(at->state, spring), at->way, at->step)));
    }
  }
}

/* The springs of all vertices after a step of length `step` from one state to another. */
FN_APART void settle_springs(const rod *r, RS step, const STORE *now, STORE *next) {
  const int n = r->segments;
  vec x = vec_at(next, n * WY_CELL + WY_CELL_E), way = minus(x, vec_at(now, n * WY_CELL + WY_CELL_E));
  for (int i = 0; i <= n; i++) {
    for (int k = 0; k < r->obstacle_count; k++) {
      const RS *row = r->obstacles + k * WY_OBST_ROW;
      const nearness near = near_to(r, k, x);
      const int spring = springs_of(r, i) + 3 * k;
      put_vec(next, spring, left_of(r, row, &near, stretched(&near, vec_at(now, spring), way, step)));
    }
    if (i < n) {
      const vec e = vec_at(next, i * WY_CELL + WY_CELL_E);
      x = plus(x, e);
      way = plus(way, minus(e, vec_at(now, i * WY_CELL + WY_CELL_E)));
    }
  }
}
