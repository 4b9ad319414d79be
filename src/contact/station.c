/* SPDX-License-Identifier: MIT */
#include "contact/station.h"

#include <assert.h>
#include <float.h>
#include <math.h>

#include "base/target.h"
#include "math/quat.h"

wy_near wy_carrier_near(const wy_form_of *form, const wy_carrier *carrier, wy_v3 x) {
  const wy_m3 r = wy_rotation(carrier->frame);
  return wy_form_seen(form, r, wy_apply_transposed(r, wy_minus(x, carrier->x)));
}

wy_v3 wy_carrier_velocity(const wy_carrier *carrier, wy_v3 x) {
  return wy_plus(carrier->v, wy_cross(carrier->spin, wy_minus(x, carrier->x)));
}

/* ---- Friction (K7) ---- */

/* A load and its derivatives by place and velocity of the spot. */
typedef struct load_rows {
  double load;
  wy_v3 by_x, by_v;
} load_rows;

/* How the station slips: lever from the axis to the surface, velocity and spring there, with derivatives. */
typedef struct slipping {
  wy_v3 lever, velocity, stretch;  /* l n; v_t and z across the normal */
  wy_v3 raw_velocity, raw_stretch; /* before the normal part is taken out */
  wy_v3 turn;                      /* rotation vector since the anchor */
} slipping;

WY_INLINE wy_v3 without_normal(wy_v3 n, wy_v3 v) {
  return wy_minus(v, wy_times(wy_inner(n, v), n));
}

WY_INLINE wy_v3 turn_since(const wy_anchor *anchor, wy_q4 frame) {
  double q[4], turn[3];
  wy_put4(q, wy_qproduct(frame, wy_qconjugate(anchor->frame)));
  wy_qlog(q, turn);
  return wy_at3(turn);
}

WY_INLINE slipping slip_of(const wy_touch_law *law, const wy_near *near, const wy_carrier *carrier, const wy_spot *spot,
                           const wy_anchor *anchor) {
  const wy_v3 n = near->normal;
  slipping s = {.lever = wy_times(near->distance, n)};
  const wy_v3 surface = wy_minus(spot->x, s.lever);
  if (!law->rest) {
    const wy_v3 own = wy_minus(spot->v, wy_cross(spot->spin, s.lever));
    s.raw_velocity = wy_minus(own, wy_plus(wy_carrier_velocity(carrier, surface), carrier->belt));
    s.velocity = without_normal(n, s.raw_velocity);
  }
  if (law->stick) {
    s.turn = turn_since(anchor, spot->frame);
    const wy_v3 own = wy_minus(wy_minus(spot->x, anchor->x), wy_cross(s.turn, s.lever));
    const wy_v3 other = wy_plus(carrier->way, wy_apply(carrier->turn, wy_minus(surface, carrier->x)));
    s.raw_stretch = wy_plus(anchor->stretch, wy_minus(own, other));
    s.stretch = without_normal(n, s.raw_stretch);
  }
  return s;
}

/* w of (K7) */
WY_INLINE wy_v3 slip_ratio(const wy_touch_law *law, const slipping *s) {
  wy_v3 w = {0, 0, 0};
  if (law->stick)
    w = wy_times(1 / law->slip, s->stretch);
  if (!law->rest)
    w = wy_plus(w, wy_times(1 / law->speed, s->velocity));
  return w;
}

/* The derivative of P a, where a changes by `by` and the normal by S dx. */
WY_INLINE wy_m3 tangential(const wy_near *near, wy_v3 a, wy_m3 by) {
  const wy_v3 n = near->normal;
  const wy_m3 flat = wy_mminus(by, wy_outer(n, wy_apply_transposed(by, n)));
  const wy_m3 turned = wy_mplus(wy_mtimes(wy_inner(n, a), near->bend), wy_outer(n, wy_apply(near->bend, a)));
  return wy_mminus(flat, turned);
}

/* The same where only `by` changes. */
static wy_m3 flattened(wy_v3 n, wy_m3 by) {
  return wy_mminus(by, wy_outer(n, wy_apply_transposed(by, n)));
}

/* The derivative of w by place. */
WY_INLINE wy_m3 slip_by_place(const wy_touch_law *law, const wy_near *near, const wy_carrier *carrier,
                              const wy_spot *spot, const slipping *s, wy_m3 lever_x) {
  const wy_m3 surface_x = wy_mminus(wy_diagonal(1), lever_x);
  wy_m3 by = wy_diagonal(0);
  wy_v3 raw = {0, 0, 0};
  if (law->stick) {
    wy_m3 x = wy_mminus(wy_diagonal(1), wy_skew_times(s->turn, lever_x));
    x = wy_mminus(x, wy_mproduct(carrier->turn, surface_x));
    by = wy_mtimes(1 / law->slip, x);
    raw = wy_times(1 / law->slip, s->raw_stretch);
  }
  if (!law->rest) {
    const wy_m3 x = wy_mplus(wy_skew_times(spot->spin, lever_x), wy_skew_times(carrier->spin, surface_x));
    by = wy_mminus(by, wy_mtimes(1 / law->speed, x));
    raw = wy_plus(raw, wy_times(1 / law->speed, s->raw_velocity));
  }
  return tangential(near, raw, by);
}

/* Of the rotation vector since the anchor, by a rotation: the inverse of the left Jacobian of the exponential. */
WY_INLINE wy_m3 turn_by_turn(const slipping *s) {
  double turn[3], inverse[9];
  wy_put3(turn, s->turn);
  wy_so3_right_inverse(turn, inverse);
  return wy_mtransposed(wy_from_rows(inverse));
}

/* How the force follows w: -mu p (F + F' w w^T / |w|) */
WY_INLINE wy_m3 friction_stiffness(const wy_touch_law *law, double load, wy_v3 w, double ratio, double bend) {
  const double size = wy_norm(w);
  wy_m3 stiffness = wy_diagonal(ratio);
  if (size > 0)
    stiffness = wy_mplus(stiffness, wy_mtimes(bend / size, wy_outer(w, w)));
  return wy_mtimes(-law->friction * load, stiffness);
}

/* Adds the derivatives of force and couple: df = -mu F w dp - mu p (F + F' w w^T / |w|) dw, d(-L x f) = [f] dL - L x
   df. The lever L is along n, so that P [L] is [L]. */
WY_INLINE void add_friction_slopes(const wy_touch_law *law, const wy_near *near, const load_rows *load, wy_v3 w,
                                   double ratio, double bend, wy_m3 slip_x, wy_v3 force, const slipping *s,
                                   wy_m3 lever_x, wy_push_slopes *slopes) {
  const wy_v3 per_load = wy_times(-law->friction * ratio, w);
  const wy_m3 stiffness = friction_stiffness(law, load->load, w, ratio, bend);
  const wy_m3 swept = wy_times_skew(stiffness, s->lever);
  const wy_m3 x = wy_mplus(wy_outer(per_load, load->by_x), wy_mproduct(stiffness, slip_x));
  slopes->force_x = wy_mplus(slopes->force_x, x);
  slopes->couple_x = wy_mminus(wy_skew_times(force, lever_x), wy_skew_times(s->lever, x));
  if (law->stick) {
    slopes->force_turn = wy_mtimes(1 / law->slip, wy_mproduct(swept, turn_by_turn(s)));
    slopes->couple_turn = wy_mtimes(-1, wy_skew_times(s->lever, slopes->force_turn));
  }
  if (!law->rest) {
    const wy_v3 n = near->normal;
    const wy_m3 flat = wy_mminus(stiffness, wy_outer(wy_apply(stiffness, n), n)); /* K P */
    const wy_m3 v = wy_mplus(wy_outer(per_load, load->by_v), wy_mtimes(1 / law->speed, flat));
    slopes->force_v = wy_mplus(slopes->force_v, v);
    slopes->couple_v = wy_mtimes(-1, wy_skew_times(s->lever, v));
    slopes->force_spin = wy_mtimes(1 / law->speed, swept);
    slopes->couple_spin = wy_mtimes(-1, wy_skew_times(s->lever, slopes->force_spin));
  }
}

/* Adds friction under a load. Returns its force. */
WY_INLINE wy_v3 add_friction(const wy_touch_law *law, const wy_near *near, const wy_carrier *carrier,
                             const wy_spot *spot, const wy_anchor *anchor, const load_rows *load, wy_push *push,
                             wy_push_slopes *slopes) {
  const slipping s = slip_of(law, near, carrier, spot, anchor);
  const wy_v3 w = slip_ratio(law, &s);
  double bend;
  push->slip = wy_norm(w);
  push->stretch = s.stretch;
  const double ratio = wy_friction_ratio(push->slip, law->rest, &bend);
  const wy_v3 force = wy_times(-law->friction * load->load * ratio, w);
  push->force = wy_plus(push->force, force);
  push->couple = wy_cross(force, s.lever);
  push->friction = 0 - wy_inner(force, s.velocity);
  if (slopes) {
    const wy_m3 lever_x = wy_mplus(wy_outer(near->normal, near->normal), wy_mtimes(near->distance, near->bend));
    const wy_m3 slip_x = slip_by_place(law, near, carrier, spot, &s, lever_x);
    add_friction_slopes(law, near, load, w, ratio, bend, slip_x, force, &s, lever_x, slopes);
  }
  return force;
}

/* Friction about an equilibrium: a spring whose energy is k |P (dx - dtheta x L)|^2 / 2 with k = mu p / z_s. With
   slopes the push is left without the force that it has. */
static void add_held_friction(const wy_touch_law *law, const wy_near *near, const wy_carrier *carrier,
                              const wy_spot *spot, const wy_anchor *anchor, wy_push *push, wy_push_slopes *slopes) {
  wy_push whole = *push;
  const load_rows load = {.load = push->load};
  add_friction(law, near, carrier, spot, anchor, &load, &whole, NULL);
  if (!slopes) {
    *push = whole;
    return;
  }
  push->slip = whole.slip;
  slopes->held = whole.couple;
  if (wy_push_slides(&whole))
    return;
  const double stiffness = law->friction * push->load / law->slip;
  const wy_v3 n = near->normal, lever = wy_times(near->distance, n);
  const wy_m3 turn = wy_mtimes(-stiffness, wy_skew(lever));
  slopes->force_x = wy_mminus(slopes->force_x, wy_mtimes(stiffness, flattened(n, wy_diagonal(1))));
  slopes->force_turn = turn;
  slopes->couple_x = wy_mtransposed(turn);
  slopes->couple_turn = wy_mtimes(-1, wy_skew_times(lever, turn));
}

static bool rubs(const wy_touch_law *law) {
  return law->friction > 0 && (law->stick || !law->rest);
}

bool wy_stretch_accept(const wy_touch_law *law, wy_v3 *stretch) {
  const double size = wy_norm(*stretch);
  if (!(size > law->slip))
    return false;
  *stretch = wy_times(law->slip / size, *stretch);
  return true;
}

/* ---- At a state ---- */

WY_CLONES
void wy_push_at(const wy_touch_law *law, const wy_near *near, const wy_carrier *carrier, const wy_spot *spot,
                const wy_anchor *anchor, wy_push *push, wy_push_slopes *slopes) {
  const wy_v3 n = near->normal;
  const wy_skin_load skin = wy_skin_at(&law->skin, law->radius - near->distance);
  const wy_v3 rigid = law->rest ? (wy_v3){0, 0, 0} : wy_carrier_velocity(carrier, spot->x);
  const wy_v3 relative = law->rest ? (wy_v3){0, 0, 0} : wy_minus(spot->v, rigid);
  const double rate = 0 - wy_inner(n, relative), loss = law->rest ? 0 : law->loss;
  double steep;
  const double phi = wy_saturated(rate / law->normal_speed, &steep), more = 1 + loss * phi;
  const double damper = loss * skin.load * steep / law->normal_speed;
  *push = (wy_push){.energy = skin.energy, .load = skin.load * more};
  push->force = wy_times(push->load, n);
  push->impact = skin.load * loss * phi * rate;
  load_rows load = {.load = push->load};
  if (slopes) {
    const wy_v3 rate_x =
        wy_minus(wy_cross(n, law->rest ? (wy_v3){0, 0, 0} : carrier->spin), wy_apply(near->bend, relative));
    load.by_x = wy_plus(wy_times(-skin.slope * more, n), wy_times(damper, rate_x));
    load.by_v = wy_times(-damper, n);
    const wy_m3 none = wy_diagonal(0);
    *slopes = (wy_push_slopes){none, none, none, none, none, none, none, none, {0, 0, 0}};
    slopes->force_x = wy_mplus(wy_outer(n, load.by_x), wy_mtimes(push->load, near->bend));
    slopes->force_v = wy_outer(n, load.by_v);
  }
  if (rubs(law) && law->held)
    add_held_friction(law, near, carrier, spot, anchor, push, slopes);
  else if (rubs(law))
    add_friction(law, near, carrier, spot, anchor, &load, push, slopes);
  /* Of the normal force and of friction, at the surface, whose material may move along it. */
  const wy_v3 surface = wy_minus(spot->x, wy_times(near->distance, n));
  push->work = law->rest ? 0 : wy_inner(push->force, wy_plus(wy_carrier_velocity(carrier, surface), carrier->belt));
  if (!law->rest) /* a belt does no work on what is pressed against it */
    push->work -= push->load * wy_inner(n, carrier->belt);
}

/* ---- By the motion of a body that carries the obstacle ---- */

/* How the force changes where the body turns and the memory of friction does not: by d(force)/d(stretch) and how far
   the stretch is left behind, z_n - x_n + c_n and Theta being fixed in space; c_n: where the material was that is at
   the surface now. */
static wy_m3 left_behind(const wy_touch_law *law, const wy_near *near, const wy_carrier *obstacle, const wy_spot *spot,
                         const wy_anchor *anchor, double load) {
  if (!rubs(law) || !law->stick)
    return wy_diagonal(0);
  const slipping s = slip_of(law, near, obstacle, spot, anchor);
  const wy_v3 w = slip_ratio(law, &s);
  double bend;
  const double ratio = wy_friction_ratio(wy_norm(w), law->rest, &bend);
  const wy_m3 flat = flattened(near->normal, wy_diagonal(1 / law->slip));
  const wy_m3 by_stretch = wy_mproduct(friction_stiffness(law, load, w, ratio, bend), flat);
  const wy_v3 arm = wy_minus(wy_minus(spot->x, s.lever), obstacle->x);
  const wy_v3 before = wy_minus(wy_plus(obstacle->x, wy_minus(arm, wy_apply(obstacle->turn, arm))), obstacle->way);
  const wy_v3 kept = wy_plus(wy_minus(anchor->stretch, anchor->x), before);
  return wy_mproduct(by_stretch, wy_mplus(wy_skew(kept), wy_skew_times(s.lever, wy_skew(s.turn))));
}

/* Nothing changes, but for directions, where body, rod and memory move together as one rigid body: so the slopes by the
   body are those by the spot with the opposite sign, what turns everything, and the memory, which does not move. */
void wy_push_carried(const wy_touch_law *law, const wy_near *near, const wy_carrier *obstacle, const wy_spot *body,
                     const wy_spot *spot, const wy_anchor *anchor, const wy_push *push, const wy_push_slopes *slopes,
                     wy_carried_slopes *out) {
  const wy_v3 arm = wy_minus(spot->x, body->x), relative = wy_minus(spot->v, body->v);
  const wy_m3 left = left_behind(law, near, obstacle, spot, anchor, push->load);
  const wy_m3 left_couple = wy_mtimes(-near->distance, wy_skew_times(near->normal, left));
  const struct {
    const wy_m3 *x, *v, *spin, *left;
    wy_v3 value;
    wy_m3 *to;
  } parts[2] = {{&slopes->force_x, &slopes->force_v, &slopes->force_spin, &left, push->force, out->force},
                {&slopes->couple_x, &slopes->couple_v, &slopes->couple_spin, &left_couple, push->couple, out->couple}};
  for (int k = 0; k < 2; k++) {
    wy_m3 turn = wy_mminus(wy_times_skew(*parts[k].x, arm), wy_skew(parts[k].value));
    turn = wy_mplus(turn, wy_mplus(wy_times_skew(*parts[k].v, relative), wy_times_skew(*parts[k].spin, spot->spin)));
    parts[k].to[0] = wy_mtimes(-1, *parts[k].x);
    parts[k].to[1] = wy_mplus(turn, *parts[k].left);
    parts[k].to[2] = wy_mtimes(-1, *parts[k].v);
    parts[k].to[3] = wy_mminus(wy_times_skew(*parts[k].v, arm), *parts[k].spin);
  }
}

/* ---- Over a step (K8) ---- */

/* The way of the station relative to the obstacle, whose material is taken where it touches in the middle of the step:
   an obstacle that turns about its own axis then moves along its surface. On a body that the rod pushes it is taken at
   the station, where the push is, so that what the rod loses is what the body gets. By the end of the step, too. */
typedef struct passing {
  wy_v3 way, moved;
  wy_m3 way_x;
} passing;

static passing passing_of(const wy_push_step *step) {
  const wy_near *near = &step->near_middle;
  const wy_v3 n = near->normal, at = step->middle.x;
  const wy_v3 surface = step->pushed ? at : wy_minus(at, wy_times(near->distance, n));
  passing out = {.moved = wy_times(step->h, wy_carrier_velocity(&step->between, surface))};
  out.way = wy_minus(wy_minus(step->after.x, step->before.x), out.moved);
  const wy_m3 none = wy_diagonal(0);
  const wy_m3 lever_x = step->pushed ? none : wy_mplus(wy_outer(n, n), wy_mtimes(near->distance, near->bend));
  const wy_m3 surface_x = wy_mtimes(0.5, wy_mminus(wy_diagonal(1), lever_x));
  out.way_x = wy_mminus(wy_diagonal(1), wy_mtimes(step->h, wy_skew_times(step->between.spin, surface_x)));
  return out;
}

/* The normal whose product with the way is the change of the gap, and its derivative by the end of the step. Where the
   normal in the middle misses that by no more than round-off it is the one. */
static wy_v3 mean_normal(const wy_push_step *step, const passing *by, double deeper, wy_m3 *slope) {
  const wy_near *near = &step->near_middle;
  const wy_v3 n = near->normal;
  const double missed = -deeper - wy_inner(n, by->way), square = wy_inner(by->way, by->way);
  const double noise = 16 * DBL_EPSILON * (wy_norm(step->after.x) + fabs(step->near_after.distance));
  *slope = wy_mtimes(0.5, near->bend);
  if (!(fabs(missed) > noise && square > 0))
    return n;
  const double beside = missed / square;
  const wy_v3 turned = wy_plus(wy_times(0.5, wy_apply(near->bend, by->way)),
                               wy_apply_transposed(by->way_x, wy_plus(n, wy_times(2 * beside, by->way))));
  const wy_v3 beside_x = wy_times(1 / square, wy_minus(step->near_after.normal, turned));
  *slope = wy_mplus(*slope, wy_mplus(wy_mtimes(beside, by->way_x), wy_outer(by->way, beside_x)));
  return wy_plus(n, wy_times(beside, by->way));
}

void wy_push_between(const wy_touch_law *law, const wy_push_step *step, const wy_anchor *anchor, wy_push *push,
                     wy_push_slopes *slopes) {
  assert(step->h > 0 && !law->rest);
  const double h = step->h;
  const double before = law->radius - step->near_before.distance, after = law->radius - step->near_after.distance;
  const double deeper = after - before;
  const passing by = passing_of(step);
  double by_after, steep;
  wy_m3 normal_x;
  const wy_v3 normal = mean_normal(step, &by, deeper, &normal_x);
  const double mean = wy_skin_mean(&law->skin, before, after, &by_after);
  const double rate = deeper / (h * law->normal_speed), phi = wy_saturated(rate, &steep), more = 1 + law->loss * phi;
  *push = (wy_push){.energy = wy_skin_at(&law->skin, after).energy, .load = mean * more};
  push->force = wy_times(push->load, normal);
  push->impact = mean * law->loss * phi * deeper / h;
  load_rows load = {.load = push->load};
  if (slopes) {
    const double stiff = by_after * more + mean * law->loss * steep / (h * law->normal_speed);
    const wy_m3 none = wy_diagonal(0);
    load.by_x = wy_times(-stiff, step->near_after.normal);
    *slopes = (wy_push_slopes){none, none, none, none, none, none, none, none, {0, 0, 0}};
    slopes->force_x = wy_mplus(wy_outer(normal, load.by_x), wy_mtimes(push->load, normal_x));
  }
  wy_v3 rubbed = {0, 0, 0};
  if (rubs(law)) {
    rubbed = add_friction(law, &step->near_after, &step->carrier, &step->after, anchor, &load, push, slopes);
    /* what it takes from the motion between the two states */
    const wy_v3 spin = step->pushed ? wy_minus(step->middle.spin, step->between.spin) : step->middle.spin;
    push->friction = wy_inner(rubbed, step->carrier.belt) - wy_inner(rubbed, by.way) / h - wy_inner(push->couple, spin);
  }
  if (slopes) { /* the end of the step moves twice as far as its middle */
    wy_m3 *all[] = {&slopes->force_x,  &slopes->force_turn,  &slopes->force_v,  &slopes->force_spin,
                    &slopes->couple_x, &slopes->couple_turn, &slopes->couple_v, &slopes->couple_spin};
    for (int k = 0; k < 8; k++)
      *all[k] = wy_mtimes(2, *all[k]);
  }
  push->work = wy_inner(push->force, by.moved) / h + wy_inner(rubbed, step->carrier.belt);
  if (step->pushed)
    push->work += wy_inner(push->couple, step->between.spin);
}

/* ---- Caps ---- */

wy_cap wy_cap_at(double radius, const wy_near *near, double energy, wy_v3 end, wy_v3 next) {
  const wy_v3 chord = wy_minus(end, next), n = near->normal;
  const double length = wy_norm(chord);
  const wy_v3 t = wy_times(1 / length, chord);
  const double c = wy_inner(n, t), twice = 2 * radius * c;
  const wy_v3 turned = wy_times(1 / length, wy_minus(n, wy_times(c, t)));
  wy_cap cap = {.weight = radius * c * c};
  cap.by_end = wy_times(twice, wy_plus(wy_apply(near->bend, t), turned));
  cap.by_next = wy_times(-twice, turned);
  cap.on_end = wy_times(-energy, cap.by_end);
  cap.on_next = wy_times(-energy, cap.by_next);
  return cap;
}

/* Column k of a matrix. */
static void set_column(wy_m3 *m, int k, wy_v3 v) {
  *(k == 0 ? &m->a : k == 1 ? &m->b : &m->c) = v;
}

/* The weight has the shape operator in it, whose derivatives no form gives: differences of the forces themselves, which
   are small beside the weighted push. The step is a share of the distance, over which normals turn. */
wy_cap_slopes wy_cap_slopes_at(double radius, const wy_form_of *form, const wy_carrier *carrier, const wy_skin *skin,
                               wy_v3 end, wy_v3 next) {
  const double step = 1e-5 * radius;
  const wy_near at_end = wy_carrier_near(form, carrier, end);
  wy_cap_slopes out = {0};
  for (int k = 0; k < 3; k++)
    for (int which = 0; which < 2; which++) {
      const wy_v3 way = {k == 0 ? step : 0, k == 1 ? step : 0, k == 2 ? step : 0};
      wy_cap side[2];
      for (int i = 0; i < 2; i++) {
        const wy_v3 moved = wy_times(i ? 1 : -1, way);
        const wy_v3 here = which ? end : wy_plus(end, moved), there = which ? wy_plus(next, moved) : next;
        const wy_near near = which ? at_end : wy_carrier_near(form, carrier, here);
        side[i] = wy_cap_at(radius, &near, wy_skin_at(skin, radius - near.distance).energy, here, there);
      }
      const double inverse = 0.5 / step;
      set_column(which ? &out.end_next : &out.end_end, k, wy_times(inverse, wy_minus(side[1].on_end, side[0].on_end)));
      set_column(which ? &out.next_next : &out.next_end, k,
                 wy_times(inverse, wy_minus(side[1].on_next, side[0].on_next)));
    }
  return out;
}

/* ---- Caps over a step ---- */

/* Weight and energy of a cap at one of the three states of a step. */
typedef struct cap_state {
  wy_near near;
  wy_cap cap;
  double energy;
} cap_state;

static cap_state cap_state_at(const wy_cap_step *step, int state, wy_v3 end, wy_v3 next) {
  cap_state at = {.near = wy_carrier_near(step->form, &step->carriers[state], end)};
  at.energy = wy_skin_at(step->skin, step->radius - at.near.distance).energy;
  at.cap = wy_cap_at(step->radius, &at.near, 0, end, next);
  return at;
}

wy_cap wy_cap_between(const wy_cap_step *step, double *work) {
  const wy_v3 end = wy_times(0.5, wy_plus(step->end[0], step->end[1])),
              next = wy_times(0.5, wy_plus(step->next[0], step->next[1]));
  const cap_state before = cap_state_at(step, 0, step->end[0], step->next[0]),
                  middle = cap_state_at(step, 1, end, next), after = cap_state_at(step, 2, step->end[1], step->next[1]);
  const wy_v3 moved[2] = {wy_times(step->h, wy_carrier_velocity(&step->carriers[1], end)),
                          wy_times(step->h, wy_carrier_velocity(&step->carriers[1], next))};
  const wy_v3 way[2] = {wy_minus(wy_minus(step->end[1], step->end[0]), moved[0]),
                        wy_minus(wy_minus(step->next[1], step->next[0]), moved[1])};
  const double energy = 0.5 * (before.energy + after.energy);
  const double missed =
      after.cap.weight - before.cap.weight - wy_inner(middle.cap.by_end, way[0]) - wy_inner(middle.cap.by_next, way[1]);
  /* on a plane the chord alone counts: what both forces add up to then has no part along it */
  const bool flat = step->form->shape == WY_OBSTACLE_PLANE;
  const wy_v3 turned = wy_minus(way[0], way[1]);
  const wy_v3 along[2] = {flat ? turned : way[0], flat ? wy_times(-1, turned) : way[1]};
  const double square = wy_inner(along[0], way[0]) + wy_inner(along[1], way[1]);
  const double beside = fabs(missed) > 16 * DBL_EPSILON * step->radius ? missed / square : 0;
  wy_cap cap = {.weight = 0.5 * (before.cap.weight + after.cap.weight),
                .by_end = wy_times(0.5, after.cap.by_end),
                .by_next = wy_times(0.5, after.cap.by_next)};
  cap.on_end = wy_times(-energy, wy_plus(middle.cap.by_end, wy_times(beside, along[0])));
  cap.on_next = wy_times(-energy, wy_plus(middle.cap.by_next, wy_times(beside, along[1])));
  *work = (wy_inner(cap.on_end, moved[0]) + wy_inner(cap.on_next, moved[1])) / step->h;
  return cap;
}

wy_cap_slopes wy_cap_slopes_between(const wy_cap_step *step) {
  const double small = 1e-5 * step->radius;
  wy_cap_slopes out = {0};
  for (int k = 0; k < 3; k++)
    for (int which = 0; which < 2; which++) {
      wy_cap side[2];
      for (int i = 0; i < 2; i++) {
        wy_cap_step moved = *step;
        wy_v3 *place = which ? &moved.next[1] : &moved.end[1];
        double work, to[3];
        wy_put3(to, *place);
        to[k] += i ? small : -small;
        *place = wy_at3(to);
        side[i] = wy_cap_between(&moved, &work);
      }
      const double inverse = 0.5 / small;
      set_column(which ? &out.end_next : &out.end_end, k, wy_times(inverse, wy_minus(side[1].on_end, side[0].on_end)));
      set_column(which ? &out.next_next : &out.next_end, k,
                 wy_times(inverse, wy_minus(side[1].on_next, side[0].on_next)));
    }
  return out;
}
