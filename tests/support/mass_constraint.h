/* SPDX-License-Identifier: MIT */
/* An oracle for constrained rods: the equations of Lang and Arnold in absolute coordinates, written down from the paper
   (quaternion products, generalised forces on p, one multiplier for each constraint) and solved with the whole
   mass-constraint matrix

     [ M  G^T ] [ q''    ]   [ psi   ]         q = (x_0, p_0, x_1, p_1, ... x_N)
     [ G   0  ] [ lambda ] = [ -g_II ]         g = (|p|^2 - 1)/2, Gamma1, Gamma2 (, Gamma3) for each segment

   It shares no formula with src/scheme/staggered: no body torques, no elimination. For uniform rods; quaternions must
   have length one, strains may be anything. Unknowns are ordered cell by cell, x_i, p_i, lambda_i; held components have
   a row of the identity. */
#ifndef WY_TESTS_SUPPORT_MASS_CONSTRAINT_H
#define WY_TESTS_SUPPORT_MASS_CONSTRAINT_H

#include "base/arena.h"
#include "linalg/band.h"
#include "withy/withy.h"

enum { CONSTRAINED_MOST = 24 };

typedef struct constrained_end {
  bool held[3], clamped;
  double a[3];          /* of the held components */
  double p[4], rate[4]; /* of the support's frame where clamped */
} constrained_end;

typedef struct constrained_rod {
  wy_rod_kind kind;
  wy_curvature_measure measure;
  int segments;
  double h;
  double c_gamma[3], c_kappa[3], d_gamma[3], d_kappa[3];
  double mass, rotary[3]; /* per length */
  double drag[2];         /* c_u, c_w */
  double gravity[3];
  double natural[CONSTRAINED_MOST + 1][3];                                           /* K0 at the vertices */
  double vertex_force[CONSTRAINED_MOST + 1][3], segment_moment[CONSTRAINED_MOST][3]; /* loads, space axes */
  constrained_end ends[2];
} constrained_rod;

/* The rate of p is p Om / 2: the norm of p needs no care. */
typedef struct constrained_state {
  double x[CONSTRAINED_MOST + 1][3], v[CONSTRAINED_MOST + 1][3];
  double p[CONSTRAINED_MOST][4], omega[CONSTRAINED_MOST][3];
} constrained_state;

/* Accelerations, section forces (body components; multipliers where constrained), forces of the supports. `error` is
   what one unit of round-off does to each kind: the largest entry of |A^-1| (|A| |z| + |b|), z the solution, times the
   unit round-off. */
typedef struct constrained_motion {
  double a[CONSTRAINED_MOST + 1][3], dom[CONSTRAINED_MOST][3], force[CONSTRAINED_MOST][3], reaction[2][3];
  struct {
    double a, dom, force, reaction;
  } error;
} constrained_motion;

typedef struct mass_constraint {
  int constraints, cell, order; /* constraints in a segment; unknowns in a cell; all unknowns */
  double *matrix;               /* by rows */
  wy_arena arena;
  wy_band band;
} mass_constraint;

/* Half bandwidth that the paper gives for the matrix: 9 and 10. */
int mass_constraint_bandwidth(wy_rod_kind kind);

mass_constraint mass_constraint_make(const constrained_rod *rod, const constrained_state *state);
void mass_constraint_free(mass_constraint *self);

/* Entries that would be lost in a band of the half bandwidth given. */
int mass_constraint_lost(const mass_constraint *self, int half);

/* Solves in place with the band; false if the matrix is singular. */
bool mass_constraint_solve(mass_constraint *self, double *b);

/* The right-hand side (psi, -g_II). */
void mass_constraint_forces(const constrained_rod *rod, const constrained_state *state, double *b);

/* All of it: false if the matrix is singular. */
bool mass_constraint_motion(const constrained_rod *rod, const constrained_state *state, constrained_motion *motion);

/* Strains and their rates, straight from positions and quaternions. */
void constrained_strain(const constrained_rod *rod, const constrained_state *state, int segment, double strain[3],
                        double rate[3]);

/* A state that satisfies the constraints, made from its frames: they turn by about `turn` from segment to segment, the
   first one from p; the vertices follow from x and v of the first. Kirchhoff rods are stretched by up to a tenth. */
constrained_state constrained_bent(const constrained_rod *rod, const double x[3], const double v[3], const double p[4],
                                   double turn, unsigned seed);

/* Sets K0 of every vertex to what the measure makes of frames with the constant curvature given. */
void constrained_set_natural(constrained_rod *rod, const double curvature[3]);

/* Kinetic, elastic and gravity energy together. */
double constrained_energy(const constrained_rod *rod, const constrained_state *state);

#endif
