/* SPDX-License-Identifier: MIT */
/* What an obstacle does to a rod at one station, a point of its axis with the section there: force and couple per
   length, energy, what is lost, and all derivatives. docs/theory/contact.md, (K1) to (K8). Knows places and motions, no
   scheme. Everything is in space axes. */
#ifndef WY_CONTACT_STATION_H
#define WY_CONTACT_STATION_H

#include "contact/law.h"
#include "contact/shape.h"

/* The motion of a point of the axis with its section. */
typedef struct wy_spot {
  wy_v3 x, v;
  wy_q4 frame;
  wy_v3 spin; /* angular velocity, space axes */
} wy_spot;

/* The motion of an obstacle: of its position, and of its material. */
typedef struct wy_carrier {
  wy_v3 x, v;
  wy_q4 frame;
  wy_v3 spin; /* angular velocity, space axes */
  wy_v3 belt; /* velocity of its material along its surface */
  /* Since the last accepted step: the material that is at c now has moved by way + turn (c - x). */
  wy_v3 way;
  wy_m3 turn;
} wy_carrier;

/* How a rod touches an obstacle at a station. */
typedef struct wy_touch_law {
  wy_skin skin;
  double radius;
  double loss, normal_speed;    /* q and v_n of (K3) */
  double friction, slip, speed; /* mu_c, z_s and v_e of (K7) */
  bool stick;                   /* friction has a spring; else it is a damper alone */
  bool rest;                    /* an equilibrium: no velocities, a straight spring */
  /* Slopes are those about an equilibrium, with a potential: what sticks is held by its spring, what slides by nothing;
     what the load, the normal and the lever change of friction is left out. */
  bool held;
} wy_touch_law;

/* What friction remembers of the last accepted step: the spring, and where the station was. */
typedef struct wy_anchor {
  wy_v3 stretch;
  wy_v3 x;
  wy_q4 frame;
} wy_anchor;

typedef struct wy_push {
  wy_v3 force, couple;           /* per length */
  double energy, load;           /* of the skin; p_total */
  double friction, impact, work; /* per length and time: lost by friction and by restitution, done by the obstacle */
  wy_v3 stretch;                 /* of the spring of friction now */
  double slip;                   /* |w| of (K7): slides above 1 */
} wy_push;

/* Of an accepted equilibrium, whose springs are cut at the cone. */
static inline bool wy_push_slides(const wy_push *push) {
  return push->slip > 1 - 1e-6;
}

/* Derivatives of force and couple by the displacement, the rotation (space axes), the velocity and the angular velocity
   (space axes) of the spot. */
typedef struct wy_push_slopes {
  wy_m3 force_x, force_turn, force_v, force_spin;
  wy_m3 couple_x, couple_turn, couple_v, couple_spin;
  wy_v3 held; /* the couple of a spring that is held, which is then not in the push */
} wy_push_slopes;

/* The couple that turns with a section where torques are in its axes. It adds its [c] to the tangent, whose other parts
   have -[c] / 2 in balance with it, since rotations do not commute: half of it makes the tangent symmetric. */
static inline wy_v3 wy_push_turning(const wy_push *push, const wy_push_slopes *slopes) {
  return wy_plus(push->couple, wy_times(0.5, slopes->held));
}

/* A place in space, seen from an obstacle; normal and bend are in space axes. */
wy_near wy_carrier_near(const wy_form_of *form, const wy_carrier *carrier, wy_v3 x);

/* The velocity of the obstacle as a rigid body at x. */
wy_v3 wy_carrier_velocity(const wy_carrier *carrier, wy_v3 x);

/* The push at a state. `anchor` is used where there is friction with a spring; `slopes` may be NULL. */
void wy_push_at(const wy_touch_law *law, const wy_near *near, const wy_carrier *carrier, const wy_spot *spot,
                const wy_anchor *anchor, wy_push *push, wy_push_slopes *slopes);

/* Derivatives of force and couple by the motion of a body that carries the obstacle: by its displacement, its rotation,
   its velocity and its angular velocity, all in space axes and of its origin. A rotation turns the angular velocity. */
typedef struct wy_carried_slopes {
  wy_m3 force[4], couple[4];
} wy_carried_slopes;

/* From the push and its slopes by the spot. Of the body place and velocity of its origin are used. */
void wy_push_carried(const wy_touch_law *law, const wy_near *near, const wy_carrier *obstacle, const wy_spot *body,
                     const wy_spot *spot, const wy_anchor *anchor, const wy_push *push, const wy_push_slopes *slopes,
                     wy_carried_slopes *out);

/* The two states of a step from the last accepted one, and the middle between them. */
typedef struct wy_push_step {
  double h;
  wy_spot before, middle, after; /* of the first two the places count, and the spin of the middle */
  wy_near near_before, near_middle, near_after;
  wy_carrier between, carrier; /* in the middle and at the end of the step */
  bool pushed;                 /* the obstacle is on a body that the rod pushes */
} wy_push_step;

/* The push over a step, a discrete gradient (K8): its work is the change of the skin's energy and what is lost.
   Derivatives are by the state in the middle, with the end of the step moving twice as far. */
void wy_push_between(const wy_touch_law *law, const wy_push_step *step, const wy_anchor *anchor, wy_push *push,
                     wy_push_slopes *slopes);

/* The spring of friction after an accepted step, cut at the cone. True: something was cut. */
bool wy_stretch_accept(const wy_touch_law *law, wy_v3 *stretch);

/* The cap at the end of a rod: its station at the end vertex has the weight radius (n . t)^2, t the direction of the
   chord of the end segment, and this weight is a part of the potential. What beside the weighted push acts on the end
   vertex and on the vertex before it. */
typedef struct wy_cap {
  double weight;         /* radius (n . t)^2 */
  wy_v3 by_end, by_next; /* derivatives of the weight */
  wy_v3 on_end, on_next; /* forces: minus the energy times these */
} wy_cap;

wy_cap wy_cap_at(double radius, const wy_near *near, double energy, wy_v3 end, wy_v3 next);

/* The derivatives of on_end and on_next by the displacements of both. */
typedef struct wy_cap_slopes {
  wy_m3 end_end, end_next, next_end, next_next;
} wy_cap_slopes;

wy_cap_slopes wy_cap_slopes_at(double radius, const wy_form_of *form, const wy_carrier *carrier, const wy_skin *skin,
                               wy_v3 end, wy_v3 next);

/* A cap over a step: the end vertex and the one before it at both ends of the step, the obstacle there and in the
   middle. */
typedef struct wy_cap_step {
  double h, radius;
  const wy_form_of *form;
  const wy_skin *skin;
  wy_carrier carriers[3]; /* before, between, after */
  wy_v3 end[2], next[2];
} wy_cap_step;

/* The cap by a discrete gradient: the change of weight times energy is the work of the mean weight's push and of on_end
   and on_next (K8). The derivatives of the weight are by the end of the step. `work`: the power of the obstacle in
   on_end and on_next. */
wy_cap wy_cap_between(const wy_cap_step *step, double *work);
/* The derivatives of on_end and on_next by the end of the step. */
wy_cap_slopes wy_cap_slopes_between(const wy_cap_step *step);

#endif
