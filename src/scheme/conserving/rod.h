/* SPDX-License-Identifier: MIT */
/* The conserving rod from inside: nodes, difference operator, workspace. Equation labels (C..) are those of
   docs/theory/conserving.md.

   Letters: a node has its place r (space), its frame q, and in directors the strains v = e3 + gamma and u = u0 + kappa,
   the velocity p and the angular velocity w. Stresses are n (force) and m (moment). All fields are structure of arrays:
   component k of node j at [k * stride + j]. */
#ifndef WY_SCHEME_CONSERVING_ROD_H
#define WY_SCHEME_CONSERVING_ROD_H

#include "linalg/band.h"
#include "math/lane.h"
#include "model/law.h"
#include "scheme/applied.h"
#include "scheme/contacts.h"
#include "scheme/fluid.h"
#include "scheme/scheme.h"
#include "scheme/supports.h"

enum {
  WY_FIELDS = 19,   /* numbers of a node: r, q, gamma, kappa, p, w */
  WY_REACH = 3,     /* most nodes to each side that a difference takes in */
  WY_STENCIL = 7,   /* 2 WY_REACH + 1 */
  WY_INTERFACE = 6, /* unknowns of a node that are left after elimination (C15): p and w */
  WY_BLOCK = 36
};

/* What is known of one end for the equations: what is put in, what enters weakly. */
typedef struct wy_conserving_end {
  bool position, rotation; /* held (C8, C11) */
  bool weak;               /* loaded, or released: forces and moments enter through 1/H (C10), else by n = m = 0 (C9) */
} wy_conserving_end;

/* Where a load acts: a share of it, per length, on a node. Loads at the ends are kept apart. */
typedef struct wy_conserving_site {
  int load; /* its number on the rod */
  int node;
  double share, s;
} wy_conserving_site;

/* Saved for each end: the energy that its node had when it began to be held, and, once released, what its support had
   put into it until then (C12). Whether loads enter weakly is remembered across a release. */
typedef struct wy_conserving_books {
  double base, put_in;
  bool weak;
} wy_conserving_books;

/* Rates of p and w of one node by r of the same one or another, through a flow that varies in space and obstacles. */
typedef struct wy_conserving_by_place {
  double rates[2][9];
  double turned[2][2][9]; /* what is `turned` of a node on their way by the rate of r, over sigma once more */
} wy_conserving_by_place;

/* The Jacobian at one node, before the shift is known (C15). */
typedef struct wy_conserving_node {
  wy_v3 u, v, p, w, n, m;
  wy_q4 q;
  wy_law_stiffness law;
  double source[WY_BLOCK];   /* of the rows p, w by gamma, kappa, masses divided out */
  double local[WY_BLOCK];    /* of the rows p, w by p, w */
  double turned[2][2][9];    /* space loads on p and w by w through q: sigma [0] + [1], over sigma^2 + |w|^2 / 4 */
  double by_frame[2][12];    /* the same by q: 3 x 4 */
  double place_by_frame[12]; /* rate of r by q */
  double rotation[9];        /* rate of r by p */
  wy_conserving_by_place by_place;
} wy_conserving_node;

/* sigma - J factored: what was eliminated of each node, y = first + along D z + local z, and the band of the rest. */
typedef struct wy_conserving_factor {
  double sigma[2];              /* real and imaginary part */
  double *inverse[2];           /* [nodes][9]: (sigma + skew w)^-1 */
  double *along[2], *at[2];     /* [nodes][36]: gamma, kappa by differences and values of p, w */
  wy_band band;                 /* real shifts */
  wy_band_complex band_complex; /* complex ones */
} wy_conserving_factor;

/* Contact with obstacles. */
typedef struct wy_conserving_contact {
  wy_contacts contacts; /* base.contacts where the rod touches anything */
  /* By wy_conserving_contact_forces: is an obstacle within reach; power of all pushes, that of obstacles, losses. */
  bool found;
  double pushed, work, friction, impact;
  /* The Jacobian of a cap between the end and the node beside it, while it touches: rates of the first by r of the
     second, and the other way around. */
  struct {
    bool touches;
    wy_conserving_by_place on_end, on_next;
  } caps[2];
} wy_conserving_contact;

typedef struct wy_conserving {
  wy_system base;
  const wy_rod_def *rod;
  int order;
  int nodes, stride;
  int r, q, gamma, kappa, p, w; /* offsets of the fields in u */
  double gravity[3], drag[2];   /* drag of translation and rotation */
  double *s, *norm;             /* [nodes] arc lengths, H (C5) */
  double *difference;           /* [nodes][WY_STENCIL] D: columns j - WY_REACH ... (C6, C7) */
  double *stiffness;            /* [nodes][6] */
  double *inertia;              /* [nodes][4] mass, rotary */
  double *weighed;              /* [nodes] mass less that of the fluid that lifts */
  wy_fluid_section *fluid;      /* [nodes], or NULL: nothing drags */
  bool varies;                  /* forces depend on places: the flow varies, or there are obstacles */
  double t;                     /* by wy_conserving_evaluate: its time */
  double *u0;                   /* SoA: curvature of the undeformed rod */
  wy_conserving_site *sites;
  size_t site_count;
  wy_conserving_end ends[2];

  /* Put in and derived at one state, SoA. */
  double *velocity, *spin, *force, *moment;         /* p, w, n, m with what the ends put in */
  double *velocity_s, *spin_s, *force_s, *moment_s; /* their differences */
  double *load[4]; /* [nodes][3]: force and moment per length in space axes, the same in body axes */

  wy_conserving_node *node;        /* the Jacobian */
  double (*stressed)[2][WY_BLOCK]; /* [nodes] stresses by `along` and `at` while a matrix is assembled */
  wy_conserving_factor *real, *complex;
  double *rhs[2], *kept[2]; /* [nodes][6]: interface unknowns, and y before they are known */

  wy_supports supports;
  wy_end_state *end_state; /* supports.state; this, the books and what the user has put on are in the saved state */
  wy_conserving_books *books;
  wy_conserving_contact contact;
} wy_conserving;

WY_INLINE int wy_end_node(const wy_conserving *self, int end) {
  return end == WY_START ? 0 : self->nodes - 1;
}

WY_INLINE int wy_conserving_next_node(const wy_conserving *self, int end) {
  return end == WY_START ? 1 : self->nodes - 2;
}

/* Outward: n at the end of the rod pulls on what lies before it. */
WY_INLINE double wy_outward(int end) {
  return end == WY_START ? -1 : 1;
}

/* u and v of node j at a state. */
WY_INLINE wy_v3 wy_conserving_curvature(const wy_conserving *self, const double *u, int j) {
  return wy_plus(wy_load3(u + self->kappa, self->stride, j), wy_load3(self->u0, self->stride, j));
}

WY_INLINE wy_v3 wy_conserving_strain(const wy_conserving *self, const double *u, int j) {
  return wy_plus(wy_load3(u + self->gamma, self->stride, j), (wy_v3){0, 0, 1});
}

/* Of the stresses, per length, as evaluated last: n_s + u x n, m_s + u x m + v x n. */
typedef struct wy_conserving_balance {
  wy_v3 force, moment;
} wy_conserving_balance;

WY_INLINE wy_conserving_balance wy_conserving_stress_balance(const wy_conserving *self, int j, wy_v3 u, wy_v3 v) {
  const int stride = self->stride;
  wy_v3 n = wy_load3(self->force, stride, j), m = wy_load3(self->moment, stride, j);
  return (wy_conserving_balance){wy_plus(wy_load3(self->force_s, stride, j), wy_cross(u, n)),
                                 wy_plus(wy_plus(wy_load3(self->moment_s, stride, j), wy_cross(u, m)), wy_cross(v, n))};
}

/* operator.c: D and H on the rod's grid; 0, or the segment where a graded grid changes too fast for the order. */
int wy_conserving_set_operator(wy_conserving *self);
/* out = D a for the three components of a. */
void wy_conserving_differentiate(const wy_conserving *self, const double *a, double *out);

/* loads.c */
size_t wy_conserving_count_sites(const wy_model *model, int rod, int nodes);
void wy_conserving_place_loads(wy_conserving *self);
bool wy_conserving_is_end_load(const wy_conserving *self, const wy_load_def *load, int end);
/* Loads per length on all nodes at time t, gravity apart; those of weak ends included. */
void wy_conserving_load(wy_conserving *self, double t);

/* rhs.c */
int wy_conserving_rhs(wy_system *system, double t, const double *u, double *f, double *power);
int wy_conserving_rhs_between(wy_system *system, double t, const double *before, const double *middle, double *f,
                              double *power);
/* Fills p, w, n, m and their differences at a state: `before` is NULL, or where a step with a discrete gradient began.
 */
void wy_conserving_evaluate(wy_conserving *self, double t, const double *u, const double *before);
/* Loads in directors on node j, gravity included: force and moment per length. */
void wy_conserving_body_load(const wy_conserving *self, int j, wy_q4 q, wy_v3 *force, wy_v3 *moment);

/* fluid.c: the drag on node j at the state evaluated last, per length, in directors; the flow, and the velocity
   relative to the node. */
typedef struct wy_conserving_drag {
  wy_v3 force, velocity;
  wy_flow_here flow;
} wy_conserving_drag;
wy_conserving_drag wy_conserving_drag_at(const wy_conserving *self, const double *u, int j);
/* Its derivatives into those of the node. */
void wy_conserving_drag_slopes(const wy_conserving *self, const double *u, int j, wy_conserving_node *node);

/* contact.c */
void wy_conserving_layout_contact(wy_conserving *self, wy_memory *memory);
void wy_conserving_begin_contact(wy_conserving *self);
/* Which nodes obstacles push, after a change of what is held. */
void wy_conserving_refresh_contact(wy_conserving *self);
/* Adds pushes to the loads of nodes; what they are in the books; their derivatives into those of the nodes. */
void wy_conserving_contact_forces(wy_conserving *self, double t, const double *u);
void wy_conserving_book_contact(const wy_conserving *self, double power[WY_INTEGRALS]);
void wy_conserving_contact_slopes(wy_conserving *self, const double *u);

/* jacobian.c, linear.c */
void wy_conserving_turn_back_by_frame(wy_q4 q, wy_v3 a, double out[12]);
int wy_conserving_jacobian(wy_system *system, double t, const double *u);
int wy_conserving_factor_real(wy_system *system, int slot, double sigma);
int wy_conserving_factor_complex(wy_system *system, int slot, double sigma_re, double sigma_im);
void wy_conserving_solve(wy_system *system, int slot, double *b);
void wy_conserving_solve_complex(wy_system *system, int slot, double *b_re, double *b_im);
int wy_conserving_half_bandwidth(int order);

/* output.c */
void wy_conserving_energy(wy_system *system, double t, const double *u, wy_energy *energy);
void wy_conserving_momentum(wy_system *system, double t, const double *u, wy_momentum *momentum);
void wy_conserving_view(wy_system *system, double t, const double *u, wy_view *view);
void wy_conserving_place_view(wy_conserving *self);
bool wy_conserving_diagnose(wy_system *system, double t, const double *u, char *text, size_t size);
/* Kinetic energy and gravity of the node of an end, of the parts that its support moves. */
double wy_conserving_end_energy(const wy_conserving *self, int end, double t);
/* Measures of drift (C16). */
double wy_conserving_compatibility(const wy_conserving *self, const double *u);
void wy_conserving_sawtooth(const wy_conserving *self, const double *u, double drift[WY_DRIFTS]);
/* Is the rod compressed to nothing somewhere, where its law has no stresses? */
bool wy_conserving_leaves_law(const wy_conserving *self, const double *u);

#endif
