/* SPDX-License-Identifier: MIT */
/* Leapfrog: one substep of a rod without a solve, in place, in one sweep from the root to the tip (B16) to (B18). For
   batch/rod.h, which says what is defined before. */

/* What a substep of leapfrog is about. */
typedef struct leap {
  RS kick;     /* its length h */
  RS drift;    /* from the forces before, or the beginning of the frame, to those in the middle of the substep */
  RS ahead;    /* h / (2 h') with the substep h' before; 0: there is none */
  RS from, to; /* shares of the frame at the beginning and at the end of the drift */
  RS frame;    /* its length */
} leap;

/* What kicks are divided by: 2/h + drag, and d = 2 I/h + drag of rotation (B17). */
typedef struct kicks {
  RS twice;                      /* 2/h */
  REAL push, per_push, all_spin; /* all_spin: 1 / (d1 d2 d3) */
  vec inertia, spin, per_spin;
} kicks;

FN kicks kicks_of(const rod *r, const stiff *s, const leap *m) {
  kicks k;
  k.twice = (RS)2 / m->kick;
  k.push = k.twice + AT(r->par, WY_PAR_DRAG);
  k.per_push = INV(k.push);
  k.inertia = scaled(k.twice, s->inertia);
  k.spin = plus(k.inertia, s->spin_drag);
  k.per_spin = vec_of(INV(k.spin.x), INV(k.spin.y), INV(k.spin.z));
  k.all_spin = k.per_spin.x * k.per_spin.y * k.per_spin.z;
  return k;
}

/* A segment and the vertex behind it between drift and kick. */
typedef struct flying {
  vec v, om;             /* at the beginning */
  vec v_ahead, om_ahead; /* half a substep ahead */
  vec n, tau;            /* what acts so far */
} flying;

/* What the sweep carries from segment to segment: the one before, the vertex between, and how far its predictions were
   wrong. */
typedef struct behind {
  flying segment;
  quat p;
  vec shift; /* of the vertex in the drift */
  vec x;     /* its place */
  vec wrong; /* its mean velocity over the one ahead */
} behind;

/* u_n + w/2 (u_n - u_n-1) */
FN vec ahead_of(const leap *m, vec now, vec before) {
  return plus(now, scaled(m->ahead, minus(now, before)));
}

/* The frame turned by (B16), not yet divided by `size`. */
FN quat turned(quat p, vec om, RS way, REAL *size) {
  const vec t = scaled((RS)0.25 * way, om);
  const REAL square = inner(t, t);
  *size = (RS)1 + square;
  return quat_product(p, quat_of((RS)1 - square, t.x + t.x, t.y + t.y, t.z + t.z));
}

/* ---- Torques of vertices ---- */

/* Torques at a vertex for any measure. */
FN_APART void any_torques(const stiff *s, int measure, const quat *lo_p, const quat *p, const vec *lo_om, const vec *om,
                          const vec *natural, twisted *to) {
  *to = vertex_at(s, measure, *lo_p, *p, *lo_om, *om, *natural).torque;
}

/* Torque of a support that holds the rotation (S21), (S22). */
FN_APART void clamp_torque(const rod *r, const stiff *s, int end, const support *at, const quat *own_p,
                           const vec *own_om, vec *torque) {
  const quat relative = between(at->q, *own_p), ghost = quat_product(at->q, conjugate(relative));
  const mat turn = rotation(relative);
  const vec om = *own_om, ghost_om = minus(at->om, apply(turn, minus(om, at->om)));
  const vec natural = vec_at(r->natural, end ? 3 * r->segments : 0);
  twisted t;
  if (end)
    any_torques(s, r->measure, own_p, &ghost, own_om, &ghost_om, &natural, &t);
  else
    any_torques(s, r->measure, &ghost, own_p, &ghost_om, own_om, &natural, &t);
  const vec own = end ? t.minus : t.plus, returned = apply_transposed(turn, end ? t.plus : t.minus);
  *torque = scaled((RS)0.5, minus(own, returned));
}

/* Torques at the vertex for the measure tan2 (B3), from the product W of the frames, k = `inv` Im W. */
FN twisted leap_bend(const stiff *s, int damped, quat w, REAL inv, vec lo_om, vec om, vec natural) {
  const vec k = times(inv, pure(w));
  vec moment = each(s->ck, minus(scaled((RS)2, k), natural));
  if (damped) {
    const vec a = minus(om, lo_om), b = plus(om, lo_om);
    moment = plus(moment, each(s->dk, plus(plus(a, times(inner(k, a), k)), cross(k, b))));
  }
  return bend_torques(&k, moment);
}

/* ---- Forces ---- */

/* The force of a segment on its vertices, in space, and its torque, with the moments of loads. */
FN void leap_segment(const rod *r, const stiff *s, int damped, int i, vec e, quat p, vec dv, flying *me) {
  const mat turn = rotation(p);
  const vec x = apply_transposed(turn, e);
  vec force = elastic_force(s, x);
  if (damped)
    force = plus(force, each(s->dg, plus(apply_transposed(turn, dv), cross(x, me->om_ahead))));
  me->n = apply(turn, force);
  me->tau = cross(x, force);
  if (r->loads) {
    const RS *row = r->loads + i * WY_LOAD_ROW;
    const REAL point = AT(r->par, WY_PAR_MOMENT), line = AT(r->par, WY_PAR_MOMENT + 1);
    const vec moment = apply_transposed(turn, load_vec(row, WY_LOAD_SPACE, point, line));
    me->tau = plus(me->tau, plus(moment, load_vec(row, WY_LOAD_BODY, point, line)));
  }
}

/* ---- Kicks ---- */

/* Cramer's rule. */
FN vec solve_small(mat m, vec r) {
  const vec bc = cross(m.b, m.c);
  const REAL inv = INV(inner(m.a, bc));
  return vec_of(inv * inner(r, bc), inv * inner(m.a, cross(r, m.c)), inv * inner(m.a, cross(m.b, r)));
}

/* The mean velocity of vertex i in the substep, under `pull` (B17). What obstacles do is linear about the velocity
   ahead. */
FN vec pushed(const rod *r, const leap *m, const kicks *k, int i, RS mass, const behind *lo, vec pull, STORE *cells) {
  const vec v = lo->segment.v, v_ahead = lo->segment.v_ahead;
  vec force = plus(scaled(mass, plus(scaled(k->twice, v), vec_at(r->par, WY_PAR_GRAVITY))), pull);
  if (r->loads)
    force = plus(force, load_vec(r->loads + i * WY_LOAD_ROW, WY_LOAD_FORCE, AT(r->par, WY_PAR_FORCE),
                                 AT(r->par, WY_PAR_FORCE + 1)));
  if (!r->obstacle_count)
    return times(((RS)1 / mass) * k->per_push, force);
  place here;
  touch touched;
  here.x = lo->x;
  here.way = lo->shift;
  here.step = m->drift;
  here.state = cells;
  here.springs = springs_of(r, i);
  here.dx = no_vec();
  here.v = v_ahead;
  here.weight = mass;
  touch_all(r, (RS)0, &here, cells, &touched);
  const REAL push = mass * k->push;
  return solve_small(add_diagonal(touched.d, vec_of(push, push, push)),
                     plus(force, plus(touched.force, apply(touched.d, v_ahead))));
}

/* The determinant of the kick of a rotation over d1 d2 d3, from the spin a = I Om ahead. */
FN REAL spin_size(const kicks *k, vec a) {
  return (RS)1 + k->all_spin * inner(a, each(k->spin, a));
}

/* The mean angular velocity in the substep: (d - [a]x) y = torque + 2 I/h Om (B17). */
FN vec spun(const kicks *k, REAL inv, vec a, vec om, vec torque) {
  const vec r = plus(torque, each(k->inertia, om));
  const vec rest = plus(times(inner(a, r), a), cross(each(k->spin, a), r));
  return times(inv, plus(each(k->per_spin, r), times(k->all_spin, rest)));
}

/* Velocities at the end of the substep; those of its beginning become the ones before. */
FN void put_rates(STORE *cells, STORE *before, int cell, vec old, vec mean, int entry) {
  const int k = cell * WY_CELL + entry;
  put_vec(before, k, old);
  put_vec(cells, k, minus(scaled((RS)2, mean), old));
}

/* ---- The sweep ---- */

/* Kicks segment i and the vertex behind it; `pull`: the force on it from segment i + 1. */
FN void kick_cell(const rod *r, const leap *m, const kicks *k, int i, REAL inv, vec a, vec pull, const vec *held_v,
                  behind *lo, STORE *cells, STORE *before, REAL *error) {
  const flying *f = &lo->segment;
  const int last = i == r->segments - 1;
  vec v = pushed(r, m, k, i + 1, last ? (RS)0.5 : (RS)1, lo, minus(pull, f->n), cells);
  if (last)
    v = chosen(r->held[1], *held_v, v);
  const vec om = spun(k, inv, a, f->om, f->tau);
  const vec wrong = minus(v, f->v_ahead), edge = minus(wrong, lo->wrong), angle = minus(om, f->om_ahead);
  const REAL missed = (m->kick * m->kick) * (inner(edge, edge) + inner(angle, angle));
  *error = GREATER(*error, missed);
  lo->wrong = wrong;
  put_rates(cells, before, i, f->v, v, WY_CELL_V);
  put_rates(cells, before, i, f->om, om, WY_CELL_W);
}

/* The first vertex: it drifts; its kick waits for the force of the first segment. */
FN behind leap_head(const rod *r, const leap *m, const support *at, STORE *cells, const STORE *before) {
  const int k = r->segments * WY_CELL;
  const vec x = vec_at(cells, k + WY_CELL_E), v = vec_at(cells, k + WY_CELL_V);
  behind lo;
  lo.segment.v = v;
  lo.segment.v_ahead = chosen(r->held[0], at->v, ahead_of(m, v, vec_at(before, k + WY_CELL_V)));
  lo.shift = chosen(r->held[0], minus(at->x, x), scaled(m->drift, v));
  lo.x = plus(x, lo.shift);
  lo.wrong = no_vec();
  put_vec(cells, k + WY_CELL_E, lo.x);
  return lo;
}

FN void kick_head(const rod *r, const leap *m, const kicks *k, const support *at, vec pull, behind *lo, STORE *cells,
                  STORE *before) {
  if (r->held[0][0] + r->held[0][1] + r->held[0][2] == (RS)3)
    return;
  const vec v = chosen(r->held[0], at->v, pushed(r, m, k, 0, (RS)0.5, lo, pull, cells));
  lo->wrong = minus(v, lo->segment.v_ahead);
  put_rates(cells, before, r->segments, lo->segment.v, v, WY_CELL_V);
}

FN int is_held(const rod *r, int end) {
  return r->held[end][0] + r->held[end][1] + r->held[end][2] > (RS)0;
}

/* The share of the gap at a held end that a drift takes away: small, since sums of edges have more round-off than
   edges. */
FN vec tip_shift(const rod *r, const leap *m, const support *at, vec shift) {
  if (!is_held(r, 1))
    return shift;
  const support was = support_at(r->ends, 1, m->from, m->frame);
  return chosen(r->held[1], minus(at->x, was.x), shift);
}

/* One substep; `damped` is a constant. */
FN void leap_sweep(const rod *r, const leap *m, int damped, STORE *cells, STORE *before, REAL *error) {
  const int n = r->segments;
  const stiff s = stiff_of(r->par);
  const kicks k = kicks_of(r, &s, m);
  support at[2];
  at[0] = support_at(r->ends, 0, m->to, m->frame);
  at[1] = support_at(r->ends, 1, m->to, m->frame);
  behind lo = leap_head(r, m, &at[0], cells, before);
  for (int i = 0; i < n; i++) {
    const int cell = i * WY_CELL, last = i == n - 1;
    flying me;
    REAL size;
    twisted torque;
    me.v = vec_at(cells, cell + WY_CELL_V);
    me.om = vec_at(cells, cell + WY_CELL_W);
    me.v_ahead = ahead_of(m, me.v, vec_at(before, cell + WY_CELL_V));
    me.om_ahead = ahead_of(m, me.om, vec_at(before, cell + WY_CELL_W));
    vec shift = scaled(m->drift, me.v);
    if (last) {
      me.v_ahead = chosen(r->held[1], at[1].v, me.v_ahead);
      shift = tip_shift(r, m, &at[1], shift);
    }
    vec e = plus(vec_at(cells, cell + WY_CELL_E), minus(shift, lo.shift)), x = plus(lo.x, e);
    if (last) {
      const vec gap = chosen(r->held[1], minus(at[1].x, x), no_vec());
      e = plus(e, scaled((RS)0.125, gap));
      x = plus(x, scaled((RS)0.125, gap));
    }
    quat p = turned(quat_at(cells, cell + WY_CELL_P), me.om, m->drift, &size);
    const vec natural = vec_at(r->natural, 3 * i), a = each(s.inertia, lo.segment.om_ahead);
    REAL inv = SPLAT(0);
    torque.minus = no_vec();
    torque.plus = torque.minus;
    if (i == 0) {
      p = quat_times(INV(size), p);
      if (r->clamped[0])
        clamp_torque(r, &s, 0, &at[0], &p, &me.om_ahead, &torque.plus);
    } else if (r->measure == MEASURE_TAN2) { /* one division for three */
      const quat w = between(lo.p, p);
      const REAL spin = spin_size(&k, a), both = w.w * spin, one = INV(size * both);
      p = quat_times(one * both, p);
      inv = one * size * w.w;
      torque = leap_bend(&s, damped, w, one * size * spin, lo.segment.om_ahead, me.om_ahead, natural);
    } else {
      p = quat_times(INV(size), p);
      inv = INV(spin_size(&k, a));
      any_torques(&s, r->measure, &lo.p, &p, &lo.segment.om_ahead, &me.om_ahead, &natural, &torque);
    }
    put_vec(cells, cell + WY_CELL_E, e);
    AT(cells, cell + WY_CELL_P) = p.w;
    put_vec(cells, cell + WY_CELL_P + 1, pure(p));
    leap_segment(r, &s, damped, i, e, p, minus(me.v_ahead, lo.segment.v_ahead), &me);
    me.tau = plus(me.tau, torque.plus);
    if (i == 0) {
      kick_head(r, m, &k, &at[0], me.n, &lo, cells, before);
    } else {
      lo.segment.tau = plus(lo.segment.tau, torque.minus);
      kick_cell(r, m, &k, i - 1, inv, a, me.n, &at[1].v, &lo, cells, before, error);
    }
    lo.segment = me;
    lo.p = p;
    lo.shift = shift;
    lo.x = x;
  }
  if (r->clamped[1]) {
    vec torque;
    clamp_torque(r, &s, 1, &at[1], &lo.p, &lo.segment.om_ahead, &torque);
    lo.segment.tau = plus(lo.segment.tau, torque);
  }
  const vec a = each(s.inertia, lo.segment.om_ahead);
  kick_cell(r, m, &k, n - 1, INV(spin_size(&k, a)), a, no_vec(), &at[1].v, &lo, cells, before, error);
}

/* One substep, from the forces before it, or the beginning of the frame, to its own kick. */
FN void leap_step(const rod *r, const leap *m, STORE *cells, STORE *before, REAL *error) {
  if (r->damped)
    leap_sweep(r, m, 1, cells, before, error);
  else
    leap_sweep(r, m, 0, cells, before, error);
}

/* The last drift, to the end of the frame; `was`: a copy of the cells before it, for springs. Returns 1, or NaN where
 * any number is not finite. */
FN REAL leap_end(const rod *r, const leap *m, const STORE *was, STORE *cells) {
  const int n = r->segments, head = n * WY_CELL;
  support at[2];
  at[0] = support_at(r->ends, 0, m->to, m->frame);
  at[1] = support_at(r->ends, 1, m->to, m->frame);
  const vec x = vec_at(cells, head + WY_CELL_E), v = vec_at(cells, head + WY_CELL_V);
  vec lo = chosen(r->held[0], minus(at[0].x, x), scaled(m->drift, v));
  REAL sum = inner(x, x) + inner(v, v);
  put_vec(cells, head + WY_CELL_E, plus(x, lo));
  put_vec(cells, head + WY_CELL_V, chosen(r->held[0], at[0].v, v));
  for (int i = 0; i < n; i++) {
    node me = node_at(cells, i);
    REAL size;
    vec shift = scaled(m->drift, me.v);
    if (i == n - 1) {
      shift = tip_shift(r, m, &at[1], shift);
      me.v = chosen(r->held[1], at[1].v, me.v);
    }
    me.e = plus(me.e, minus(shift, lo));
    me.p = unit(turned(me.p, me.om, m->drift, &size));
    sum = sum + (inner(me.e, me.e) + inner(me.v, me.v)) + (inner(me.om, me.om) + quat_inner(me.p, me.p));
    put_node(cells, i, me);
    lo = shift;
  }
  if (r->springs)
    settle_springs(r, m->drift, was, cells);
  return (RS)1 + (RS)0 * sum;
}
