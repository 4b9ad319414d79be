/* SPDX-License-Identifier: MIT */
/* Textbook formulas for straight, uniform rods: what a model is compared with before it runs. Pure functions; SI is
   assumed nowhere but in the limits of the checks. Derivations: docs/guide/scenario.md, "The report of withy check". */
#ifndef WY_JUDGE_BEAM_H
#define WY_JUDGE_BEAM_H

#include "model/beam.h"

/* root^2 / L^2 sqrt(EI / mass), mass per unit length. */
double wy_bending_frequency(double root, double length, double bending, double mass);

/* First frequency of torsion or extension: pi c / (2 L) if one end is held, else pi c / L, with c = sqrt(stiffness /
 * inertia). */
double wy_wave_frequency(bool start_held, bool end_held, double length, double stiffness, double inertia);

/* Sections shearing against their rotary inertia: sqrt(GA / rhoI). */
double wy_shear_frequency(double shear, double rotary);

/* Static deflection under a transverse load w per unit length by linear beam theory, or -1 where no equilibrium exists.
 */
double wy_sag(wy_beam_end start, wy_beam_end end, double length, double bending, double w);
/* The same where both ends are held along the rod as well, so that it stretches: w = EI d / (k L^4) + 64 EA d^3 / (3
 * L^4). */
double wy_sag_stretching(double linear_sag, double length, double extension, double w);
/* Largest bending moment of that load, at most what the weight w L can keep up: EI sqrt(2 w L / EI). */
double wy_sag_moment(wy_beam_end start, wy_beam_end end, double length, double bending, double w);

/* Stretch under an axial load w per unit length, the largest displacement along the rod. */
double wy_axial_sag(bool start_held, bool end_held, double length, double extension, double w);

/* The axial force at which a straight column buckles in one plane: c EI / L^2, c by its supports. 0 where it only moves
   away. */
double wy_euler_load(wy_beam_end start, wy_beam_end end, double length, double bending);

/* A line of this length between ends that are `across` apart horizontally and `drop` vertically, heavy and without
   stiffness: the catenary y = a cosh(x / a), whose tension is w a at its lowest point. */
typedef struct wy_catenary {
  double a;     /* 0 where the ends are above each other */
  double sag;   /* below the straight line between them, about */
  double slope; /* angle at the ends against the horizontal, of level ends */
} wy_catenary;
wy_catenary wy_catenary_of(double length, double across, double drop);
/* The angular frequency of its slowest vibration under g: as a string in its tension, or swinging about its ends. */
double wy_catenary_frequency(const wy_catenary *line, double across, double g);

/* The curvature near a clamp that turns by `angle` against a force F: EI k^2 / 2 = F (1 - cos angle). */
double wy_curvature_at_clamp(double angle, double force, double bending);

/* The curvature at the clamp of a cantilever that falls from where it is straight, under w per unit length: twice that
   of rest, or where it is so soft that it swings through, that of half a turn against the force of a rod that swings
   from level, 5/2 of its weight. */
double wy_swing_curvature(double length, double bending, double w);

/* Period of a rigid rod that swings about its pinned end: 2 pi sqrt(2 L / (3 g)). */
double wy_swing_period(double length, double g);

#endif
