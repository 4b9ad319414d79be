/* SPDX-License-Identifier: MIT */
/* The mixed rod from inside: elements, parameters, workspace. Equation labels (X..) are those of docs/theory/mixed.md.

   Letters: a node has a place phi and directors d1, d2, d3, together q (12 numbers); v is its rate. Strains are
   eps = (Gamma, K), their integrals over an element against the functions psi of the stresses are E [order][6].
   Stresses sigma = (N, M) have the same layout. N and M are director components.

   A node has six unknowns: the change of its place and a space rotation theta of its directors. Rows of the equations
   are forces and, projected by xi x d, moments about the node (X10). Local nodes of an element are ordered first, last,
   inner. */
#ifndef WY_SCHEME_MIXED_ROD_H
#define WY_SCHEME_MIXED_ROD_H

#include <math.h>

#include "linalg/band.h"
#include "math/vec3.h"
#include "scheme/applied.h"
#include "scheme/contacts.h"
#include "scheme/fluid.h"
#include "scheme/scheme.h"
#include "scheme/supports.h"

enum {
  WY_NODE = 12,         /* numbers of a node: phi, d1, d2, d3 */
  WY_NODE_UNKNOWNS = 6, /* translation, rotation */
  WY_MOST_ORDER = 2,    /* of the polynomials */
  WY_MOST_NODES = 3,    /* of an element */
  WY_GAUSS = 3,         /* quadrature points of an element: exact for every integral but those of tendons */
  WY_STRESSES = 12,     /* most stress coefficients of an element: [order][6] */
  WY_ELEMENT_ROWS = 18, /* most unknowns of an element's nodes */
  WY_FORCES = 6,        /* most force coefficients of an element that are kept as unknowns: [order][3] */
  /* All unknowns of an element: first node, N, last node, inner node. The first three stand as they do in the band. */
  WY_LOCAL_FORCES = 6,
  WY_LOCAL_ROWS = WY_ELEMENT_ROWS + WY_FORCES
};

/* Shape functions at one place of an element: values and derivatives by xi, stress functions. */
typedef struct wy_mixed_place {
  double n[WY_MOST_NODES], slope[WY_MOST_NODES], psi[WY_MOST_ORDER];
} wy_mixed_place;

/* Tables of one order (X3): g[b][a][c] = integral of psi_b N_a N_c', and half of it less its transpose. */
typedef struct wy_mixed_basis {
  int order, nodes;
  double g[WY_MOST_ORDER][WY_MOST_NODES][WY_MOST_NODES], skew[WY_MOST_ORDER][WY_MOST_NODES][WY_MOST_NODES];
  wy_mixed_place gauss[WY_GAUSS];
  double weight[WY_GAUSS]; /* on -1..1 */
  double xi[WY_GAUSS];
} wy_mixed_basis;

/* A symmetric matrix of the order of the stresses: 00, 01, 11. */
typedef struct wy_sym {
  double m[3];
} wy_sym;

/* Constants of an element. */
typedef struct wy_mixed_element {
  double length, start;          /* arc length where it begins */
  double reference[WY_STRESSES]; /* E of the undeformed rod */
  wy_sym stiffness[6]; /* stress = stiffness (E - reference): inverse of the compliance; 0 where constrained */
  wy_sym damping[6];   /* Kelvin-Voigt, the same for rates */
  double mass[4][6];   /* of phi, d1, d2, d3: node pairs 00, 11, 22, 01, 02, 12 */
} wy_mixed_element;

/* Some of them for a bundle of WY_LANES elements, side by side. */
typedef struct wy_mixed_lanes {
  double length[WY_LANES], stiffness[6][3][WY_LANES], damping[6][3][WY_LANES], mass[4][6][WY_LANES];
} wy_mixed_lanes;

/* What the forces and the tangent of a guess have in common. */
typedef struct wy_mixed_guess {
  double left[WY_MOST_NODES][WY_NODE][WY_LANES],
      right[WY_MOST_NODES][WY_NODE][WY_LANES]; /* places less the first one's */
  double stress[WY_STRESSES][WY_LANES];
} wy_mixed_guess;

/* Where a load acts: local place, weight (1, or a length), arc length. */
typedef struct wy_mixed_site {
  int load; /* its number on the rod */
  int element;
  double weight, s;
  wy_mixed_place at;
  double force[3], moment[3]; /* now, in the load's axes, weight included */
} wy_mixed_site;

/* An actuator on all elements, [elements][WY_STRESSES]. Tendons: offset and its slope at the quadrature points;
   chambers: the stresses of a unit force. */
typedef struct wy_mixed_actuator {
  bool tendon;
  double force; /* now */
  double *values;
} wy_mixed_actuator;

/* What is left as unknown of the linear equations, besides the nodes between elements. */
typedef enum wy_mixed_form {
  WY_FORM_NODES,  /* nothing: for strains with a compliance */
  WY_FORM_FORCES, /* the forces N: for constrained strains */
  WY_FORM_ALL     /* forces and inner nodes: for equilibria, which have no mass to eliminate an inner node by */
} wy_mixed_form;

/* What an evaluation of the elements is about: a time step, seen from its middle, or an equilibrium. */
typedef struct wy_mixed_task {
  const double *left;  /* q in the forces: at the middle of the step (X10) */
  const double *right; /* q to be found: at its end */
  double share;        /* d left / d right: 1/2, or 1 in an equilibrium */
  double elastic;      /* d stress / d E = elastic * stiffness + viscous * damping (X16) */
  double viscous;
  double inertia[2]; /* mass times this is d force / d right; of phi and of the directors, drag included */
  double t;          /* of the flow of a fluid */
  double rate;       /* d velocity / d right: one over the step, or 0 in an equilibrium */
  double fluid;      /* factor of what a fluid does */
  wy_mixed_form form;
} wy_mixed_task;

/* What the linearisation of a step keeps of a bundle, to bring right-hand sides to the unknowns of the band and back.
   Unknowns of an element: first node, last node, inner node; and N, where it is not eliminated, after the last one. */
typedef struct wy_mixed_kept {
  /* Where N is eliminated: how it acts on the nodes, and the changes of strain that it follows. */
  double acting[WY_FORCES][WY_ELEMENT_ROWS][WY_LANES], changing[WY_FORCES][WY_ELEMENT_ROWS][WY_LANES];
  /* Of the inner node: the inverse of its own equations, how it follows the other unknowns by them, and how it acts on
     the other equations. */
  double inverse[WY_NODE_UNKNOWNS][WY_NODE_UNKNOWNS][WY_LANES];
  double follows[WY_NODE_UNKNOWNS][WY_ELEMENT_ROWS][WY_LANES], acts[WY_ELEMENT_ROWS][WY_NODE_UNKNOWNS][WY_LANES];
} wy_mixed_kept;

/* An end that sits on a hub of a network: unknowns that the linear equations hold at what the hub moves them by. Its
   rows, which the hub has, are kept by the last factorisation: over the unknowns of the end element, first to last
   node.
 */
typedef struct wy_mixed_port {
  bool there, turns; /* is it one, and are its directors the hub's, too? */
  double rows[WY_NODE_UNKNOWNS][WY_LOCAL_ROWS];
} wy_mixed_port;

/* Contact with obstacles. */
typedef struct wy_mixed_contact {
  wy_contacts contacts; /* base.contacts where the rod touches anything */
  /* At creation: stations of each element, shape functions there and at the ends of the rod. */
  int per_element;
  wy_mixed_place place[WY_MOST_STATIONS], ends[2];
  /* By the last balance: is an obstacle within reach; in a motion; does friction act; which stations touch, [obstacles]
     [stations]; forces on the nodes of elements as element_force; power of obstacles, and what is lost. */
  bool found, moving, rubs;
  unsigned char *touching;
  double *force;
  double work, friction, impact;
} wy_mixed_contact;

/* How far a guess is from balance: what is missing, the largest of the forces at work, and what constrained strains
   miss. */
typedef struct wy_mixed_misfit {
  double missed, largest, strain;
} wy_mixed_misfit;

struct wy_mixed_kernels;

typedef struct wy_mixed {
  wy_system base;
  const struct wy_mixed_kernels *kernels; /* for this processor */
  const wy_rod_def *rod;
  wy_mixed_options options;
  wy_mixed_basis basis;
  int elements, nodes;
  int q, v, stress, branch, middle_stress, reaction, multiplier, stepped; /* offsets of the fields in u */
  int constrained; /* strains that are zero: 0, 2 (shear), 3 (and extension) */
  int branches;
  double long_term; /* share of the stiffness that does not relax */
  bool damped;
  double gravity[3], drag[2]; /* drag of translation and rotation */
  int lightest;               /* director */
  wy_mixed_element *element;
  wy_mixed_lanes *lanes; /* [bundles] */
  double *s_node;
  wy_fluid_section *fluid; /* [nodes], or NULL: there is none that acts */

  /* Loads and actuators now. */
  wy_mixed_site *sites; /* sorted by element */
  size_t site_count;
  int *first_site; /* [elements + 1] */
  wy_mixed_actuator *actuators;
  int actuator_count;
  bool has_tendon, has_follower; /* forces and moments that turn with the frames, or do not derive from a potential */
  double load_factor;

  /* The step, or the equilibrium, in hand. */
  wy_mixed_task task;
  double t, h;                       /* where the step begins, and its length */
  double *from, *middle, *end;       /* q at the beginning of the step, in its middle and at its end */
  double *known_end, known_h;        /* the end and the length of a shorter step that was solved */
  double end_velocity[2][WY_NODE];   /* of held components, at the end of the step */
  double *velocity;                  /* v at the beginning of the step */
  double *acceleration;              /* [nodes][12] with drag, less what gravity gives */
  double *strain_base, *stress_base; /* lanes of WY_STRESSES: stress = stress_base + d stress / d E (E - strain_base) */
  double *offset;                    /* [elements][WY_STRESSES]: what chambers add to it */
  double *axial;                     /* lanes of WY_FORCES: forces N, unknowns of Newton's method */
  wy_mixed_guess *guess;             /* [bundles] of the last residual */
  double *correction, corrected;     /* with contact: the last one, and how much of it is in the guess */
  double worst_place;                /* arc length of the node that is most out of balance */
  double *element_force;             /* [elements][WY_MOST_NODES][WY_NODE] of the last residual */
  double *element_law;               /* lanes of WY_FORCES: what the law of N misses there */

  /* Linear equations: those of steps, and of equilibria. */
  wy_band narrow, wide, *band; /* the one in hand */
  double *rhs;                 /* [step_size] for the scheme's own use, and that of who drives its steps */
  wy_mixed_kept *kept;         /* [bundles] by the last linearisation of a step */
  double *matrices;            /* of the bundle in hand, [width][width][WY_LANES] (wy_mixed_matrix) */
  double *first;               /* a state with its forces, before the first step */
  double *support;             /* [2][WY_NODE] forces that the ends' supports have to give, directors and all */

  /* Equilibria: the saddle matrix and the mass matrix as bands. */
  double *statics_matrix, *statics_mass, *dof_weight, hold_stiffness;
  double foundation[2]; /* weak stiffness of rotations, and weak compliance of constrained strains */
  double slack;         /* compliance that constrained strains have for the time being */
  bool starts_taut;
  double rod_stiffness; /* bending stiffness over the square of the length: the scale of forces */

  wy_supports supports;
  wy_end_state *ends; /* supports.state; this and what the user has put on are in the saved state */
  wy_mixed_port ports[2];
  wy_mixed_contact contact;
} wy_mixed;

static inline int wy_mixed_local(int order, int node) {
  return node == 0 ? 0 : node == 1 ? WY_LOCAL_FORCES + 3 * order : WY_LOCAL_ROWS - 6;
}

/* An element's share of the linear equations: rows and columns of its first, last and inner node, and of N where it is
   not eliminated. The entries of a bundle's elements stand side by side. */
typedef struct wy_mixed_matrix {
  double *entries;
  int width;
} wy_mixed_matrix;

static inline double *wy_mixed_entry(const wy_mixed_matrix *matrix, int row, int column) {
  return matrix->entries + (size_t)WY_LANES * (size_t)(matrix->width * row + column);
}

/* ---- basis.c ---- */
void wy_mixed_set_basis(wy_mixed_basis *basis, int order);
wy_mixed_place wy_mixed_at(int order, double xi);
double wy_mixed_arc(const wy_mixed_element *element, double xi);
wy_sym wy_sym_inverse(int order, wy_sym a);
/* 1 or 2, and nothing else as far as compilers can see. */
static inline int wy_mixed_order(const wy_mixed *self) {
  return self->basis.order == 1 ? 1 : 2;
}

/* The coefficients of x are `step` apart. */
static inline void wy_sym_times(int order, const wy_sym *a, const double *x, int step, double out[WY_MOST_ORDER]) {
  out[0] = a->m[0] * x[0], out[1] = 0;
  if (order == 2) {
    out[0] += a->m[1] * x[step];
    out[1] = a->m[1] * x[0] + a->m[2] * x[step];
  }
}
static inline double wy_sym_product(int order, const wy_sym *a, const double *x, int step) {
  double product[WY_MOST_ORDER];
  wy_sym_times(order, a, x, step, product);
  return product[0] * x[0] + (order == 2 ? product[1] * x[step] : 0);
}

/* Stresses of a Maxwell branch in a state. */
static inline size_t wy_mixed_branch(const wy_mixed *self, int branch, int element) {
  return (size_t)self->branch + ((size_t)branch * (size_t)self->elements + (size_t)element) * WY_STRESSES;
}

/* What the last step leaves to be shown, [elements][WY_STRESSES]: of constrained strains the stresses in its middle,
   among them the forces N, which are unknowns of equilibria; where there is damping all stresses. */
static inline size_t wy_mixed_kept_stress(const wy_mixed *self, int element) {
  return (size_t)self->stress + (size_t)element * WY_STRESSES;
}
static inline size_t wy_mixed_kept_force(const wy_mixed *self, int element, int force) {
  return wy_mixed_kept_stress(self, element) + (size_t)(6 * (force / 3) + force % 3);
}

/* The mass between two nodes of an element, of phi (0) or director `part`. */
static inline double wy_mixed_mass(const wy_mixed *self, int element, int part, int a, int c) {
  const double *mass = self->element[element].mass[part];
  return a == c ? mass[a] : mass[2 + a + c];
}

/* Elements in bundles of WY_LANES. */
static inline int wy_mixed_bundles(const wy_mixed *self) {
  return (self->elements + WY_LANES - 1) / WY_LANES;
}
static inline int wy_mixed_bundle_size(const wy_mixed *self, int bundle) {
  const int left = self->elements - WY_LANES * bundle;
  return left < WY_LANES ? left : WY_LANES;
}

/* Number i of an element, of `count` that stand in lanes: [bundles][count][WY_LANES]. */
static inline double *wy_mixed_lane(double *of, int count, int element, int i) {
  return of + (element / WY_LANES * count + i) * WY_LANES + element % WY_LANES;
}

static inline int wy_mixed_node(const wy_mixed *self, int element, int local) {
  return self->basis.order == 1 ? element + local : 2 * element + (local == 2 ? 1 : 2 * local);
}

/* ---- element.c ---- */

/* E of an element at q. */
void wy_mixed_strains(const wy_mixed *self, int element, const double *q, double e[WY_STRESSES]);
/* dE / dt where q changes with v: a difference that is exact, E being quadratic. */
void wy_mixed_strain_rates(const wy_mixed *self, int element, const double *q, const double *v,
                           double rate[WY_STRESSES]);
/* d stress / d E of the task. */
wy_sym wy_mixed_modulus(const wy_mixed *self, int element, int component);
/* Stresses of the task, without actuators: N as it is, moments by their law. */
void wy_mixed_stresses(const wy_mixed *self, int element, double stress[WY_STRESSES]);
/* Full forces on the nodes of a bundle's elements: inertia, drag, stresses, actuators less loads; what the law of N
   misses (stress, or for constrained strains and where N is kept, E); the largest of the forces. */
void wy_mixed_bundle_forces(wy_mixed *self, int bundle, double *largest);
/* Adds what acts on an element besides, its loads, tendons, fluid and contact: to its tangent. */
void wy_mixed_add_slopes(const wy_mixed *self, int element, const wy_mixed_matrix *matrix);
/* Forces and moments about the node: (X10). */
static inline void wy_mixed_project(const double *q, const double *f, double r[WY_NODE_UNKNOWNS]) {
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    r[i] = f[i];
    r[3 + i] = 0;
    for (int d = 3; d < WY_NODE; d += 3)
      r[3 + i] += q[d + j] * f[d + k] - q[d + k] * f[d + j];
  }
}

/* ---- loads.c ---- */
size_t wy_mixed_count_sites(const wy_model *model, int rod);
void wy_mixed_place_loads(wy_mixed *self);
/* Values at time t. */
void wy_mixed_update_loads(wy_mixed *self, double t);
/* Adds what loads and tendons do to an element: to its forces, and to its tangent. */
void wy_mixed_load_forces(const wy_mixed *self, int element, double q[WY_MOST_NODES][WY_NODE],
                          double f[WY_MOST_NODES][WY_NODE]);
void wy_mixed_load_tangent(const wy_mixed *self, int element, double left[WY_MOST_NODES][WY_NODE],
                           double right[WY_MOST_NODES][WY_NODE], const wy_mixed_matrix *matrix);
/* ---- fluid.c ---- */
void wy_mixed_place_fluid(wy_mixed *self);
/* Adds what a fluid does to an element: to its forces, and to its tangent. */
void wy_mixed_fluid_forces(const wy_mixed *self, int element, double f[WY_MOST_NODES][WY_NODE]);
void wy_mixed_fluid_tangent(const wy_mixed *self, int element, const wy_mixed_matrix *matrix);
/* The power that the fluid's motion puts in, and what drag takes (U6). */
double wy_mixed_fluid_power(const wy_mixed *self, double *lost);
/* What drag takes of small velocities v of an element's nodes about the equilibrium of the task. */
double wy_mixed_fluid_damping(const wy_mixed *self, int element, const double *v);
/* What buoyancy adds to the energy of an element in gravity. */
double wy_mixed_fluid_gravity(const wy_mixed *self, int element, const double *q);
/* ---- contact.c ---- */
void wy_mixed_layout_contact(wy_mixed *self, wy_memory *memory);
void wy_mixed_begin_contact(wy_mixed *self);
/* All pushes of obstacles in the task; what they do to an element, to its forces and to its tangent. */
void wy_mixed_contact_forces(wy_mixed *self);
void wy_mixed_add_contact(const wy_mixed *self, int element, double f[WY_MOST_NODES][WY_NODE]);
void wy_mixed_contact_tangent(const wy_mixed *self, int element, const wy_mixed_matrix *matrix);
/* ---- actuators.c ---- */
void wy_mixed_place_actuators(wy_mixed *self);
void wy_mixed_update_actuators(wy_mixed *self, double t);
void wy_mixed_tendon_forces(const wy_mixed *self, int element, double q[WY_MOST_NODES][WY_NODE],
                            double f[WY_MOST_NODES][WY_NODE]);
void wy_mixed_tendon_tangent(const wy_mixed *self, int element, double left[WY_MOST_NODES][WY_NODE],
                             double right[WY_MOST_NODES][WY_NODE], const wy_mixed_matrix *matrix);
/* Director components of all tendons' force and moment at a place of an element. */
void wy_mixed_tendon_stress(const wy_mixed *self, int element, double xi, double q[WY_MOST_NODES][WY_NODE],
                            double stress[6]);

/* ---- Unknowns ---- */

/* Unknowns of one element and the node that it begins with; where those of a local node begin in the form in hand (the
   inner one where it is not eliminated). N follows the first node. */
static inline int wy_mixed_cell(int order, wy_mixed_form form) {
  int forces = form == WY_FORM_NODES ? 0 : 3 * order;
  return WY_NODE_UNKNOWNS + forces + (form == WY_FORM_ALL && order == 2 ? WY_NODE_UNKNOWNS : 0);
}
static inline int wy_mixed_unknown(const wy_mixed *self, int element, int local) {
  int cell = wy_mixed_cell(self->basis.order, self->task.form);
  return local < 2 ? cell * (element + local) : cell * element + WY_NODE_UNKNOWNS + WY_FORCES;
}
/* Unknowns of an element's matrix. */
static inline int wy_mixed_width(int order, wy_mixed_form form) {
  return WY_NODE_UNKNOWNS * (order + 1) + (form == WY_FORM_NODES ? 0 : 3 * order);
}
static inline wy_mixed_form wy_mixed_step_form(const wy_mixed *self) {
  return self->constrained ? WY_FORM_FORCES : WY_FORM_NODES;
}
static inline int wy_mixed_end_node(const wy_mixed *self, int end) {
  return end ? self->nodes - 1 : 0;
}
/* Is the unknown x of an end node held by its support? By that or by a hub? */
static inline bool wy_mixed_is_supported(const wy_mixed *self, int end, int x) {
  return x < 3 ? self->ends[end].position[x] != WY_FREE : self->ends[end].rotation != WY_FREE;
}
static inline bool wy_mixed_is_joined(const wy_mixed *self, int end, int x) {
  return self->ports[end].there && (x < 3 || self->ports[end].turns);
}
static inline bool wy_mixed_is_held(const wy_mixed *self, int end, int x) {
  return wy_mixed_is_supported(self, end, x) || wy_mixed_is_joined(self, end, x);
}
/* Where the unknowns of an end node begin in the form in hand, and those of its element. */
static inline int wy_mixed_end_unknown(const wy_mixed *self, int end) {
  return wy_mixed_unknown(self, end ? self->elements - 1 : 0, end);
}
static inline int wy_mixed_end_element(const wy_mixed *self, int end) {
  return wy_mixed_unknown(self, end ? self->elements - 1 : 0, 0);
}

/* The vector of a step's unknowns, for right-hand sides and corrections: first what the band has, then for each element
   all its unknowns, as in its own equations. A right-hand side is the sum of both; a correction has the same in both.
 */
static inline int wy_mixed_part_size(int order) {
  return WY_NODE_UNKNOWNS * (order + 1) + 3 * order;
}
static inline int wy_mixed_step_size(const wy_mixed *self) {
  return self->narrow.n + self->elements * wy_mixed_part_size(self->basis.order);
}
static inline double *wy_mixed_part(const wy_mixed *self, double *r, int element) {
  return r + self->narrow.n + (size_t)element * (size_t)wy_mixed_part_size(self->basis.order);
}

/* ---- balance.c ---- */

/* The larger one; NaN stays. */
static inline double wy_larger(double largest, double x) {
  return isnan(largest) || fabs(x) <= largest ? largest : fabs(x);
}

/* Element by element: forces and what the law of N misses. Forces on the supports are kept. r, a vector of a step's
   unknowns, gets what is missing to balance; NULL for equilibria. */
wy_mixed_misfit wy_mixed_balance(wy_mixed *self, double *r);
/* What is missing relative to the forces at work. */
static inline double wy_mixed_relative(const wy_mixed_misfit *of) {
  return (of->missed > 0 || isnan(of->missed) ? of->missed / fmax(of->largest, of->missed) : 0) + of->strain;
}
/* What keeps the directors of all nodes orthonormal there, [nodes][6]. */
void wy_mixed_multipliers(const wy_mixed *self, double *out);
/* The same, negative, in the order of all unknowns. */
void wy_mixed_out_of_balance(const wy_mixed *self, double *r);

/* ---- linear.c ---- */

/* The matrix of all unknowns where the balance was taken, into the band. Held unknowns do not change. */
void wy_mixed_fill(wy_mixed *self);
/* That of a step, factored; WY_RETRY if it is singular. */
int wy_mixed_linearise(wy_mixed *self);
/* After that: from a right-hand side to the solution, in place, also at later guesses of the step. */
void wy_mixed_solve(const wy_mixed *self, double *r);
/* The same in parts: brings a right-hand side to the unknowns of the band, with the rows of end nodes as if they were
   free; says where held ones are to be; and after the band has been solved adds what was eliminated. */
void wy_mixed_reduce(const wy_mixed *self, double *r);
void wy_mixed_hold(const wy_mixed *self, double *r, double ends[2][WY_NODE_UNKNOWNS]);
void wy_mixed_expand(const wy_mixed *self, double *r);

/* ---- ports.c ---- */

/* Keeps the rows of an end on a hub, which begin with row `first` of the band at `rows`, before they are held. */
void wy_mixed_keep_port(wy_mixed *self, int end, const double *rows);
/* What the kept rows of an end are for a solution of the band: forces and moments. */
void wy_mixed_port_rows(const wy_mixed *self, int end, const double *d, double f[WY_NODE_UNKNOWNS]);
/* After a factorisation of `band`: the rows of both ends by the motion of end `by`, with all else in balance (N8):
   columns of what a hub does not hold are 0. `work` has WY_LANES entries for each unknown. */
void wy_mixed_condense(const wy_mixed *self, int by, double *work, double out[2][WY_NODE_UNKNOWNS][WY_NODE_UNKNOWNS]);

/* ---- apply.c ---- */

/* Adds `scale` times a correction d to `end` and `axial`; the largest that was added becomes that of `change`. */
void wy_mixed_apply(wy_mixed *self, const double *d, double scale, double *change);
/* The largest rotation in a correction, and the part of such a one that is added. */
double wy_mixed_turned(const wy_mixed *self, const double *d);
double wy_mixed_shortened(double turn);
/* With contact: two corrections in a row, their squares and their product, as those of angles; added to `swing`. */
typedef struct wy_mixed_swing {
  double last, now, product;
} wy_mixed_swing;
void wy_mixed_compare(const wy_mixed *self, const double *last, const double *now, wy_mixed_swing *swing);
/* Friction that is whole on both sides has no slope: Newton's method goes to and fro between them, for ever. Where a
   correction goes back on the last one, of which `corrected` is in the guess, it is to go where a straight line between
   the two guesses is in balance: the part of it that does. Else 1. */
double wy_mixed_steadied(const wy_mixed_swing *swing, double corrected);
/* The rotation of a whole step is d_end = d_from + turn x d_middle (Cayley). Its vector `turn` is stretched and then
   moves on a straight line, with a small space rotation theta: Newton's iterates stay within half a turn of the
   beginning, however far they go. */
void wy_mixed_turn_on(const double theta[3], double stretch, const double *from, double *end);
/* Turns the directors of a node by a space rotation. */
void wy_mixed_turn(const double theta[3], const double *from, double *to);

/* ---- step.c ---- */
/* Do the velocities of u turn the rod far in a step h? Straight on is no good guess then: it would be stretched. */
bool wy_mixed_turns_far(const wy_mixed *self, const double *u, double h);
/* The middle of the step for the guess in hand, ready for wy_mixed_balance. */
void wy_mixed_update_middle(wy_mixed *self);
/* Writes what is known in the middle of the step only: reactions, multipliers, forces of constrained strains. */
void wy_mixed_keep_forces(const wy_mixed *self, double *u);
/* The q of an end node where its support is at time t. */
void wy_mixed_place_end(const wy_mixed *self, int end, double t, double *q);
/* Forces of constrained strains, reactions and multipliers of a state that no step has led to: those of a very short
 * one. */
void wy_mixed_first_forces(wy_mixed *self, double t, double *u);
/* Velocities that constrained strains allow, nearest to those in u. */
void wy_mixed_project_velocities(wy_mixed *self, double *u);
/* Exactly orthonormal directors, from nearly orthonormal ones; how far they were from it. */
double wy_mixed_straighten(double *q);

/* The space angular velocity of a node, from the two directors that have most mass: that of one without mass is not
   smooth. */
static inline void wy_mixed_spin(const wy_mixed *self, const double *q, const double *v, double spin[3]) {
  const int light = self->lightest, one = (light + 1) % 3, two = (light + 2) % 3;
  const double *d[3] = {q + 3, q + 6, q + 9}, *rate[3] = {v + 3, v + 6, v + 9};
  double turn[3];
  turn[one] = wy_dot3(rate[two], d[light]);
  turn[two] = -wy_dot3(rate[one], d[light]);
  turn[light] = 0.5 * (wy_dot3(rate[one], d[two]) - wy_dot3(rate[two], d[one]));
  for (int i = 0; i < 3; i++)
    spin[i] = turn[0] * d[0][i] + turn[1] * d[1][i] + turn[2] * d[2][i];
}

/* ---- mixed.c ---- */
/* q of the undeformed rod. */
void wy_mixed_reference(const wy_mixed *self, double *q);
/* The velocity of an end node whose directors are those of q: its held components move with their support. */
void wy_mixed_end_velocity(const wy_mixed *self, int end, double t, const double *q, double v[WY_NODE]);

/* ---- statics.c, output.c ---- */
/* Is it an inextensible rod, straight between two held ends? */
bool wy_mixed_is_taut(const wy_mixed *self, const double *q);
/* v^T M v of an element, with factors for places and for directors. */
double wy_mixed_mass_product(const wy_mixed *self, int element, const double factor[2], const double *v);
/* Loads, actuators, stresses and forces of a rod at rest in a configuration, ready for wy_mixed_balance. */
void wy_mixed_rest(wy_mixed *self, double t, const double *config);
extern const wy_step_type wy_mixed_midpoint;
extern const wy_statics_type wy_mixed_statics;
void wy_mixed_energy(wy_system *system, double t, const double *u, wy_energy *energy);
void wy_mixed_momentum(wy_system *system, double t, const double *u, wy_momentum *momentum);
void wy_mixed_place_view(wy_mixed *self);
void wy_mixed_view(wy_system *system, double t, const double *u, wy_view *view);
double wy_mixed_piece_turn(wy_system *system, const double *u);
double wy_mixed_chord(wy_system *system, const double *u);
bool wy_mixed_diagnose(wy_system *system, double t, const double *u, char *text, size_t size);

#endif
