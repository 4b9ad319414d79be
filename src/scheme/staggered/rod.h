/* SPDX-License-Identifier: MIT */
/* The staggered rod from inside: its parts, each in a header of its own that says who writes its members and when they
   are valid. Equation labels (S..) are those of docs/theory/staggered.md. */
#ifndef WY_SCHEME_STAGGERED_ROD_H
#define WY_SCHEME_STAGGERED_ROD_H

#include <assert.h>

#include "scheme/applied.h"
#include "scheme/scheme.h"
#include "scheme/staggered/actuators.h"
#include "scheme/staggered/constraint.h"
#include "scheme/staggered/contact.h"
#include "scheme/staggered/evaluation.h"
#include "scheme/staggered/fluid.h"
#include "scheme/staggered/form.h"
#include "scheme/staggered/grid.h"
#include "scheme/staggered/linearisation.h"
#include "scheme/staggered/loads.h"
#include "scheme/staggered/maxwell.h"
#include "scheme/staggered/ports.h"
#include "scheme/supports.h"

/* Equilibria. Arrays are laid out where they are asked for. */
typedef struct wy_staggered_rest {
  /* At creation: bending stiffness over the square of the length, the scale of forces; the stiffness that stands for a
     held component; weak stiffness of rotations, and weak compliance of constrained strains, of a segment; weights of
     degrees of freedom. */
  double rod_stiffness, hold_stiffness, foundation[2], *dof_weight;
  bool starts_taut; /* by `undeformed`: the undeformed rod leaves its ends no slack */
  double slack;     /* by `apply`: compliance that constrained strains have for the time being */
  /* By `tangent`: the band to factor, in which saddle.statics stands, and its diagonal. */
  wy_band band;
  double *diagonal;
  bool straight; /* its configuration leaves the ends no slack while they are held */
} wy_staggered_rest;

struct wy_staggered {
  wy_system base;
  const wy_form *form; /* chosen at creation */
  wy_staggered_grid grid;
  wy_staggered_stiffness stiffness;
  wy_staggered_loads loads;
  wy_staggered_actuators actuators;
  wy_staggered_fluid fluid;
  wy_staggered_contact contact;
  wy_branches branches;
  wy_evaluation eval;
  wy_links links;
  wy_linearisation linear;
  wy_staggered_rest rest;
  wy_staggered_ports ports;
  wy_supports supports;
  wy_end_state *ends; /* supports.state; with what the user has put on, part of a saved state */
  wy_rod_def cut;     /* of a piece of a rod: the rod, free where it is cut */
};

static inline bool wy_is_held(const wy_staggered *self, int end, int k) {
  return self->ends[end].position[k] != WY_FREE;
}

static inline bool wy_is_port(const wy_staggered *self, int end) {
  return self->ports.ends[end].holds != WY_NO_PORT;
}

/* Has an end a moment to be shown, held as it begins? */
static inline bool wy_end_bends(const wy_staggered *self, int end) {
  return self->grid.rod->ends[end].rotation != WY_FREE || self->ports.ends[end].holds == WY_PORT_FRAME;
}

/* Maxwell branches: stiffness of component k = 0 ... 5 of the strains; what it is multiplied by for forces and energies
   is the length of segment or vertex. */
static inline const double *wy_branch_stiffness(const wy_staggered *self, int k) {
  return (k < 3 ? self->stiffness.c_gamma : self->stiffness.c_kappa) + (size_t)(k % 3) * (size_t)self->grid.stride;
}

WY_INLINE double wy_branch_length(const wy_staggered *self, int i, bool vertex) {
  return vertex ? 2 / self->grid.twice_inv_l[i] : self->grid.h[i];
}

/* state.c: initial states and projection. */
void wy_staggered_initial(wy_system *system, double *u);
int wy_staggered_project(wy_system *system, double t, double *u, double *f, double drift[WY_DRIFTS]);
/* The undeformed rod's positions and frames into a state; positions alone, with the frames into eval.unit. */
void wy_staggered_reference(wy_staggered *self, double *u);
void wy_staggered_reference_shape(wy_staggered *self, double *x);

/* create.c: parameters from the model. */
void wy_staggered_set_parameters(wy_staggered *self);
void wy_staggered_set_freedoms(wy_staggered *self);
void wy_staggered_layout(wy_staggered *self, wy_memory *memory, wy_factor_needs needs);

/* statics.c */
extern const wy_statics_type wy_staggered_statics;

/* stride.c */
extern const wy_stride_type wy_staggered_stride;

/* output.c */
void wy_staggered_energy(wy_system *system, double t, const double *u, wy_energy *energy);
void wy_staggered_momentum(wy_system *system, double t, const double *u, wy_momentum *momentum);
void wy_staggered_place_view(wy_staggered *self); /* arc lengths of the view's points */
void wy_staggered_view(wy_system *system, double t, const double *u, wy_view *view);
/* Is it an inextensible rod between two held ends whose distance is more than `share` of its length? And do supports
   hold them, which do not give way? */
bool wy_staggered_is_straight(const wy_staggered *self, const double *u, double share);
bool wy_staggered_is_taut(const wy_staggered *self, const double *u, double share);
bool wy_staggered_diagnose(wy_system *system, double t, const double *u, char *text, size_t size);

#endif
