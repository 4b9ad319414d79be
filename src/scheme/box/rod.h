/* SPDX-License-Identifier: MIT */
/* The rod of the box scheme from inside: nodes, cells, loads, the step in hand. Equation labels (B..) are those of
   docs/theory/box.md.

   Letters: u and omega are velocity and angular velocity of a node, kappa its curvature, n the force in its section,
   all in body components; frames are unit quaternions q, places r. A cell lies between the nodes a and b = a + 1. The
   twelve unknowns of a node are ordered u, omega, kappa, n; the twelve equations of a cell are balances of momentum and
   of angular momentum, the rate of the curvature, and the constraint. */
#ifndef WY_SCHEME_BOX_ROD_H
#define WY_SCHEME_BOX_ROD_H

#include <math.h>

#include "linalg/band.h"
#include "linalg/staircase.h"
#include "math/lane.h"
#include "math/quat.h"
#include "model/law.h"
#include "scheme/applied.h"
#include "scheme/contacts.h"
#include "scheme/scheme.h"
#include "scheme/supports.h"

enum {
  WY_BOX_NODE = 12,  /* unknowns of a node in a step */
  WY_BOX_MOTION = 9, /* of which u, omega, kappa have rates */
  WY_BOX_U = 0,      /* where they begin */
  WY_BOX_OMEGA = 3,
  WY_BOX_KAPPA = 6,
  WY_BOX_N = 9,
  WY_BOX_END = 6,        /* equations of an end */
  WY_BOX_WAY = 18,       /* what is known of the way of an end */
  WY_BOX_TOUCH_RATE = 6, /* rates of place and rotation of a node, as contact has them */
  WY_BOX_TOUCH_PUSH = 6, /* force and moment of contact on a cell */
  WY_BOX_KEPT_NODE = 9,  /* unknowns of the projection of velocities: 6 of a node, 3 of a cell */
  WY_BOX_KEPT = 8        /* and half its bandwidth */
};

/* Constants of a node: values of the section at s. */
typedef struct wy_box_node {
  double s, weight; /* half the lengths of the cells beside it: the trapezoidal rule */
  double mass;      /* per length */
  wy_v3 rotary;
  wy_v3 natural; /* kappa of the undeformed rod */
  wy_v3 damping; /* Kelvin-Voigt, of kappa */
  double stiffness[6];
} wy_box_node;

/* What loads amount to at one time, without gravity: densities over cells, forces and moments on ends. */
typedef struct wy_box_load {
  wy_v3 space_force, body_force, space_moment, body_moment;
} wy_box_load;

typedef struct wy_box_loads {
  wy_v3 gravity;
  wy_box_load *cell; /* [cells], meaningless without on_cells */
  wy_box_load end[2];
  bool on_cells; /* is there any load but those on ends? */
} wy_box_loads;

/* What a cell was like where the step began. */
typedef struct wy_box_before {
  wy_m3 e;        /* exp(h [kappa_m] / 2), the identity without transport */
  wy_m3 s, c;     /* S and C^-1 */
  wy_v3 force;    /* right-hand sides of the balances, without what belongs to the step as a whole: rates, and */
  wy_v3 moment;   /* the contact force where that is a value of the stage */
  wy_v3 rotation; /* right-hand side of the rate of kappa */
} wy_box_before;

/* What a node has for both cells beside it, at the end of the step. */
typedef struct wy_box_terms {
  wy_m3 frame;         /* R (B8) */
  wy_v3 turn;          /* R = R0 exp(turn) */
  wy_v3 force, moment; /* per length, without inertia and loads on cells; with transport the moment is the cell's */
  wy_v3 couple;        /* moment in the section, elastic and viscous */
  wy_v3 inertia;       /* minus the rate of momentum, as the step weighs it */
  wy_v3 viscous;       /* moment, likewise */
  wy_v3 rate, spin;    /* rates of kappa and omega, likewise */
} wy_box_terms;

/* The coefficients of generalised alpha (B4). */
typedef struct wy_box_weights {
  double alpha, beta, gamma;
  bool stage; /* the contact force has no history */
} wy_box_weights;

/* What obstacles do to the rod (B16)-(B18). Stations lie on the chords of cells, from node to node. */
typedef struct wy_box_contact {
  wy_contacts contacts; /* base.contacts where the rod touches anything */
  /* At creation: stations of each cell, where on its chord they are. */
  int per_cell;
  double share[WY_MOST_STATIONS];
  double onset; /* the smallest depth up to which a skin stiffens, or of a core */
  /* Offsets in u: places of nodes as contact sees them [3]; rates of places, in space, and of rotations, in the body
     [6]; what the rates of the method have of the contact of each cell, force and moment per length, in space [6]. */
  int place, rate, kept;
  /* The step in hand: places at its beginning and its end [nodes][3]; what of places and rotations at its end does not
     depend on the velocities there [nodes]; how much these move a node. */
  double *from, *to;
  wy_v3 *known_place, *known_turn;
  double reach;
  bool remembers;    /* rates have a part of contact */
  bool loaded;       /* there are loads on cells beside contact, */
  wy_box_load *load; /* [cells] these, without contact */
  /* By the last balance: does contact act; does friction; does it move; which stations touch, [obstacles][stations];
     what it does to cells, and what the step has of that (B18); power of obstacles, and what is lost. */
  bool acts, found, rubs, moving;
  const double *config; /* at rest */
  unsigned char *touching;
  wy_box_load *push, *weighed;
  wy_box_load *before; /* what rates had of it where the step began */
  double work, friction, impact;
  double *correction, corrected; /* the last correction, and how much of it is in the guess */
} wy_box_contact;

/* What may change between steps beside ends and loads; part of a saved state. */
typedef struct wy_box_saved {
  bool begins;  /* no step has led to the state, loads have changed or an end was released: forces and rates are not
                   known (B11) */
  bool relaxes; /* an end was released: the next step lets go of the curvature that its support had held (B12a) */
  int base;     /* the end from which frames and places were rebuilt last (B7) */
  double offset[WY_BOX_END]; /* from its support to it, in space and in the support's frame: not 0 after the former base
                                was released (B10) */
} wy_box_saved;

/* The scales of unknowns and equations: bending stiffness B in the middle of the rod, length L, T = L^2 sqrt(mass / B).
 */
typedef struct wy_box_scales {
  double length, time, force, moment; /* L, T, B / L^2, B / L */
} wy_box_scales;

typedef struct wy_box {
  wy_system base;
  const wy_rod_def *rod;
  wy_box_options options;
  wy_box_weights weights;
  int cells, nodes;
  /* Offsets of the fields in u, each by nodes: u, omega, kappa [9]; n [3]; rates of the former [9] and the rate of
     kappa at the time of the state [3]; q [4]; r [3]; r by the velocities, for the drift only [3]. And by ends: what of
     the way of its support an end has lost, the rate at which it has gone astray, and the velocity back, each in space
     and in the body [18]. */
  int motion, force, rates, frame, position, carried, way;
  wy_box_node *node;
  double *length; /* [cells] */
  wy_v3 gravity;
  double drag[2];
  double load_factor; /* equilibria: of loads and gravity */
  bool damped;        /* by Kelvin and Voigt */
  wy_box_scales scales;

  /* The step in hand. */
  wy_box_weights task; /* its coefficients */
  double t, h;
  double usual;                  /* the integrator's step, before any was cut; infinite where it chooses one itself */
  bool starting;                 /* it is a very short one, for forces and rates to begin with (B11) */
  wy_box_loads loads[2];         /* where it begins and where it ends */
  bool turned;                   /* do frames between the ends matter? */
  double turning;                /* how much omega at the end of the step turns a frame */
  double *x0, *rate0;            /* [nodes][12] where it begins: with n; [nodes][9] rates */
  wy_m3 *frame0;                 /* [nodes] frames there */
  double *x;                     /* [nodes][12] the present guess */
  double *known_x;               /* the end of a shorter step that was solved, */
  double known_h;                /* and its length */
  wy_box_before *before;         /* [cells] */
  wy_box_terms *terms;           /* [nodes] at the present guess */
  wy_v3 end_velocity[2];         /* that supports ask for at the end of the step, in space */
  wy_v3 end_spin[2];             /* and angular velocities, in the body */
  double end_way[2][WY_BOX_END]; /* of the supports in the step, space and body */
  double astray[2][WY_BOX_END];  /* from the ends to them, where the step begins */
  double back[2][WY_BOX_END];    /* the part of velocities that leads there */
  wy_v3 end_rate0[2];            /* rates of kappa at the ends, where the step begins */
  wy_v3 end_moment[2];           /* while starting: what moments of free ends miss */
  double *residual;              /* [12 nodes] of the present guess, scaled */
  int worst;                     /* its row that is most out of balance */
  wy_staircase tangent;          /* of steps: rows [6 of the start | 12 of each cell | 6 of the end] */
  wy_band kept;                  /* of projections of velocities */
  double *rhs;
  double *first; /* a state with its forces, before the first step */

  wy_box_contact contact;
  wy_supports supports;
  wy_end_state *ends; /* supports.state; this and what follows are in the saved state */
  wy_box_saved *saved;

  /* Equilibria (statics.c). */
  struct wy_box_statics *statics; /* NULL where no room was asked for */
} wy_box;

/* ---- Rotations across a cell ---- */

/* Of x = (angle / 2)^2: f = (1 - cos) / x, g = (1 - sin / angle) / x of the half angle, and their derivatives by x. */
typedef struct wy_box_series {
  double f, g, f_slope, g_slope;
} wy_box_series;

static inline wy_box_series wy_box_large_series(double x) {
  double angle = sqrt(x), sinc = sin(angle) / angle, c = cos(angle), f = (1 - c) / x, g = (1 - sinc) / x;
  return (wy_box_series){f, g, (0.5 * sinc - f) / x, (0.5 * (sinc - c) / x - g) / x};
}

/* Without calls for rotations of the cell up to two radians: the next terms are below the last digit. */
WY_INLINE wy_box_series wy_box_series_at(double x) {
  if (!(x <= 1))
    return wy_box_large_series(x);
  wy_box_series sum = {0, 0, 0, 0};
  const double factorial[10] = {2.0,
                                24.0,
                                720.0,
                                40320.0,
                                3628800.0,
                                479001600.0,
                                87178291200.0,
                                20922789888000.0,
                                6402373705728000.0,
                                2432902008176640000.0};
  for (int i = 9; i >= 0; i--) {
    const double even = (i % 2 ? -1 : 1) / factorial[i], odd = even / (2 * i + 3);
    sum.f = sum.f * x + even;
    sum.g = sum.g * x + odd;
    if (i > 0) {
      sum.f_slope = sum.f_slope * x + i * even;
      sum.g_slope = sum.g_slope * x + i * odd;
    }
  }
  return sum;
}

/* The rotation k = h kappa_m from one end of a cell to the other, seen from its middle (B3). */
typedef struct wy_box_turn {
  wy_v3 k;
  double e1, e2;       /* E = exp([k] / 2) = 1 + e1 [k] + e2 [k]^2 */
  double s2, slope2;   /* S = 1 + s2 [k]^2; d s2 = slope2 k.dk */
  double c2, c_slope2; /* the same of C^-1, C = (E + E^T) / 2 */
} wy_box_turn;

WY_INLINE wy_box_turn wy_box_turn_of(wy_v3 k) {
  const double x = 0.25 * wy_inner(k, k);
  const wy_box_series at = wy_box_series_at(x);
  const double sinc = 1 - x * at.g, secant = 1 / (1 - x * at.f);
  return (wy_box_turn){.k = k,
                       .e1 = 0.5 * sinc,
                       .e2 = 0.25 * at.f,
                       .s2 = 0.25 * at.g,
                       .slope2 = 0.125 * at.g_slope,
                       .c2 = -0.25 * at.f * secant,
                       .c_slope2 = -0.125 * secant * (at.f_slope + 0.5 * at.f * secant * sinc)};
}

/* 1 + a [k] + b [k]^2 */
WY_INLINE wy_m3 wy_box_function(wy_v3 k, double a, double b) {
  const double xx = b * k.x * k.x, yy = b * k.y * k.y, zz = b * k.z * k.z;
  const double xy = b * k.x * k.y, xz = b * k.x * k.z, yz = b * k.y * k.z;
  return (wy_m3){{1 - yy - zz, xy + a * k.z, xz - a * k.y},
                 {xy - a * k.z, 1 - xx - zz, yz + a * k.x},
                 {xz + a * k.y, yz - a * k.x, 1 - xx - yy}};
}

/* E: components at b seen from the middle; its transpose does that for a. */
WY_INLINE wy_m3 wy_box_e(const wy_box_turn *turn) {
  return wy_box_function(turn->k, turn->e1, turn->e2);
}

/* S: the mean of exp(tau [k]) over -1/2 < tau < 1/2. */
WY_INLINE wy_m3 wy_box_s(const wy_box_turn *turn) {
  return wy_box_function(turn->k, 0, turn->s2);
}

/* C^-1: what makes a mean value of a vector that both ends have of it. */
WY_INLINE wy_m3 wy_box_c(const wy_box_turn *turn) {
  return wy_box_function(turn->k, 0, turn->c2);
}

/* d(E y) = -[E y] T dk / 2, d(E^T y) = [E^T y] T^T dk / 2. */
WY_INLINE wy_m3 wy_box_tangent(const wy_box_turn *turn) {
  return wy_box_function(turn->k, 2 * turn->e2, turn->s2);
}

/* d(v + f k x (k x v)) / dk, where df = slope k.dk */
WY_INLINE wy_m3 wy_box_square_change(wy_v3 k, double f, double slope, wy_v3 v) {
  const wy_v3 once = wy_cross(k, v);
  const wy_m3 twice = wy_mplus(wy_skew(once), wy_skew_times(k, wy_skew(v)));
  return wy_mminus(wy_outer(wy_times(slope, wy_cross(k, once)), k), wy_mtimes(f, twice));
}

/* d(S v) / dk, d(C^-1 v) / dk */
WY_INLINE wy_m3 wy_box_s_change(const wy_box_turn *turn, wy_v3 v) {
  return wy_box_square_change(turn->k, turn->s2, turn->slope2, v);
}
WY_INLINE wy_m3 wy_box_c_change(const wy_box_turn *turn, wy_v3 v) {
  return wy_box_square_change(turn->k, turn->c2, turn->c_slope2, v);
}

/* The unit quaternion of exp([k]). */
WY_INLINE wy_q4 wy_box_quaternion(const wy_box_turn *turn) {
  const double x = 0.25 * wy_inner(turn->k, turn->k), e1 = turn->e1;
  return (wy_q4){1 - 4 * turn->e2 * x, e1 * turn->k.x, e1 * turn->k.y, e1 * turn->k.z};
}

/* ---- States ---- */

WY_INLINE const double *wy_box_motion(const wy_box *self, const double *u, int node) {
  return u + self->motion + WY_BOX_MOTION * node;
}
WY_INLINE wy_v3 wy_box_kappa(const wy_box *self, const double *u, int node) {
  return wy_at3(wy_box_motion(self, u, node) + WY_BOX_KAPPA);
}

static inline int wy_box_end_node(const wy_box *self, int end) {
  return end ? self->nodes - 1 : 0;
}

/* Component i of position and rotation. */
static inline bool wy_box_holds(const wy_box *self, int end, int i) {
  return i < 3 ? self->ends[end].position[i] != WY_FREE : wy_support_holds_rotation(&self->supports, end);
}

/* Of what a section carries, the part of the end beside it. */
static inline double wy_box_sign(int end) {
  return end ? 1 : -1;
}

static inline wy_m3 wy_box_frame(const wy_box *self, const double *u, int node) {
  return wy_rotation(wy_load4(u + self->frame + 4 * (size_t)node, 1, 0));
}

/* Moments by the law, elastic only, and their derivative by kappa. */
static inline wy_v3 wy_box_moment(const wy_box *self, int node, wy_v3 kappa) {
  const wy_box_node *at = &self->node[node];
  const wy_v3 strain = wy_minus(kappa, at->natural);
  if (self->rod->law.kind == WY_LINEAR_LAW)
    return wy_each(wy_at3(at->stiffness + 3), strain);
  const double e[6] = {0, 0, 0, strain.x, strain.y, strain.z};
  double stress[6];
  wy_law_stress(&self->rod->law, at->stiffness, e, stress);
  return wy_at3(stress + 3);
}

static inline wy_m3 wy_box_moment_tangent(const wy_box *self, int node, wy_v3 kappa) {
  const wy_box_node *at = &self->node[node];
  if (self->rod->law.kind == WY_LINEAR_LAW)
    return (wy_m3){{at->stiffness[3], 0, 0}, {0, at->stiffness[4], 0}, {0, 0, at->stiffness[5]}};
  const wy_v3 strain = wy_minus(kappa, at->natural);
  const double e[6] = {0, 0, 0, strain.x, strain.y, strain.z};
  wy_law_stiffness k;
  wy_law_tangent(&self->rod->law, at->stiffness, e, &k);
  return (wy_m3){{k.moment[0][0], k.moment[1][0], k.moment[2][0]},
                 {k.moment[0][1], k.moment[1][1], k.moment[2][1]},
                 {k.moment[0][2], k.moment[1][2], k.moment[2][2]}};
}

/* ---- frames.c ---- */

/* The end from which frames and places are rebuilt (B7): the one that holds more of them. */
int wy_box_base(const wy_box *self);
/* The base is chosen anew, on its support. */
void wy_box_reset_base(const wy_box *self);
/* The same after a release, without moving the rod. */
void wy_box_keep_base(const wy_box *self, double t, const double *u);
/* Frames and places from the curvatures and the pose of the base in u. */
void wy_box_rebuild(const wy_box *self, double *u);
/* From an end to its support, in space and in the body. */
void wy_box_way_to_support(const wy_box *self, const double *u, int end, const wy_end_pose *support,
                           double way[WY_BOX_END]);
/* The held components of the base go where their support is at t, or as far from it as saved. */
void wy_box_place_base(const wy_box *self, double t, double *u);
/* The undeformed rod: at rest, free of forces. */
void wy_box_undeformed(const wy_box *self, double *u);
/* Is it straight between two held ends? One that may slide a little along the rod lets it move. */
bool wy_box_is_taut(const wy_box *self, const double *u);

/* ---- loads.c ---- */

/* All loads at time t, times load_factor; gravity, too. */
void wy_box_update_loads(const wy_box *self, double t, wy_box_loads *loads);

/* ---- cell.c, tangent.c ---- */

/* Keeps what a cell, and the moment of a free end, are like where the step begins. */
void wy_box_keep_before(wy_box *self, int cell);
void wy_box_keep_end_moment(wy_box *self, int end);
/* Residuals of all rows of the step at the guess x, scaled, into `residual`; the largest relative to what is at work.
 */
double wy_box_balance(wy_box *self);
/* Their derivatives by x, factored: WY_RETRY if there is no solution. */
int wy_box_linearise(wy_box *self);
/* The rate of kappa at the end of the step. */
wy_v3 wy_box_end_rate(const wy_box *self, int node);
/* The constraint at a cell, and its derivatives by u and omega of both ends (a, b): for projections. */
wy_v3 wy_box_gap(const wy_box *self, int cell, const double *motion, wy_m3 by_u[2], wy_m3 by_omega[2]);

/* ---- step.c ---- */
extern const wy_step_type wy_box_galpha;
/* A step from the state u begins, with coefficients `task`. */
void wy_box_open_step(wy_box *self, double t, double h, const double *u, const wy_box_weights *task);

/* ---- start.c ---- */

/* Velocities nearest to those in u that ends and constraint allow (B11). */
void wy_box_project_velocities(wy_box *self, double t, double *u);
/* n and rates of a state that no step has led to: of a very short one (B11). Returns how many matrices were factored;
   < 0 if there is no such step. */
int wy_box_first_forces(wy_box *self, double t, double *u);

/* ---- contact.c ---- */

/* Fields of the state, and room for stations: both while memory is laid out. */
void wy_box_layout_contact(wy_box *self, wy_memory *memory);
void wy_box_begin_contact(wy_box *self);
/* Contact sees the nodes where they are. */
void wy_box_touch_here(const wy_box *self, double *u);
/* What obstacles do to the cells: at a configuration at rest, over the step in hand. */
void wy_box_contact_at_rest(wy_box *self, double t, const double *config);
void wy_box_contact_in_step(wy_box *self);
/* Adds it to the loads on cells. */
void wy_box_load_contact(const wy_box *self, const wy_box_load *push, wy_box_loads *loads);

/* Derivatives of force and moment on a cell, per length, by places of its nodes, by the rotation of the section in its
   middle, and by angular velocity there; all in space. */
enum { WY_BOX_PUSH_FORCE = 0, WY_BOX_PUSH_MOMENT, WY_BOX_PUSHES };
typedef struct wy_box_push_slopes {
  wy_m3 place[WY_BOX_PUSHES][2], turn[WY_BOX_PUSHES], spin[WY_BOX_PUSHES];
} wy_box_push_slopes;

/* Of the last balance. False: nothing touches the cell. */
bool wy_box_contact_slopes(const wy_box *self, int cell, wy_box_push_slopes *out);

/* ---- contact_step.c ---- */

/* A step begins: what of its end is known. */
void wy_box_contact_open(wy_box *self, const double *u);
/* Places at its end by the present guess, pushes, and what the step has of them (B17), (B18). */
void wy_box_contact_forces(wy_box *self);
/* Adds the pushes where the step began: they belong to the step as a whole (B18). A function of its own, so that rods
   without obstacles do not wait for it. */
void wy_box_contact_before(const wy_box *self, int cell, wy_v3 *force, wy_v3 *moment);
/* The derivatives of what the step has of them by u and omega of both nodes: in the order u_a, omega_a, u_b, omega_b.
 */
bool wy_box_contact_by_motion(const wy_box *self, int cell, wy_m3 out[WY_BOX_PUSHES][4]);
/* What is kept of a step, and the state after it. The very short one that begins a motion leaves rates alone. */
void wy_box_contact_keep(const wy_box *self, double *u);
void wy_box_contact_close(wy_box *self, double *u);
/* The way of a node in the step by its own velocities. */
wy_v3 wy_box_contact_way(const wy_box *self, int node, const double *u);

/* ---- output.c ---- */

/* Where energies and losses are summed (B12): cells, by the means that their balances have; nodes of the plain box. */
typedef struct wy_box_spot {
  double weight, mass; /* length, mass per length */
  wy_v3 rotary, damping, natural;
  double stiffness[6];
  wy_v3 u, omega, kappa;
} wy_box_spot;

static inline int wy_box_spots(const wy_box *self) {
  return self->options.transport ? self->cells : self->nodes;
}
/* Spot i; `motion` is u, omega, kappa of node i, of the next one `stride` further on. */
wy_box_spot wy_box_spot_at(const wy_box *self, int i, const double *motion, int stride);
void wy_box_energy(wy_system *system, double t, const double *u, wy_energy *energy);
void wy_box_momentum(wy_system *system, double t, const double *u, wy_momentum *momentum);
void wy_box_place_view(wy_box *self);
void wy_box_view(wy_system *system, double t, const double *u, wy_view *view);
double wy_box_piece_turn(wy_system *system, const double *u);
bool wy_box_diagnose(wy_system *system, double t, const double *u, char *text, size_t size);

/* ---- statics.c ---- */

/* Room for equilibria: called while memory is laid out (first counting, with an arena without a block), after cells and
   nodes are known; sets `configurations`, and base.config_size, degrees of freedom and freedom_weight. */
void wy_box_lay_out_statics(wy_box *self, wy_arena *arena);
/* Fills what it laid out, once nodes, lengths and scales are set. */
void wy_box_prepare_statics(wy_box *self);
void wy_box_config_size(const wy_box *self, int *config_size, int *dofs);
extern const wy_statics_type wy_box_statics_type;

#endif
