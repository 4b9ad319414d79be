/* SPDX-License-Identifier: MIT */
/* Rods and systems that several tests use. */
#ifndef WY_TESTS_SUPPORT_RODS_H
#define WY_TESTS_SUPPORT_RODS_H

#include "integrate/integrator.h"
#include "scheme/scheme.h"
#include "withy/withy.h"

/* A system on its own, without an integrator: memory, model and system together. */
typedef struct test_system {
  wy_model *model;
  wy_memory memory;
  wy_system *system;
} test_system;

test_system make_system(const wy_model_def *def, const wy_solver_def *solver);
/* As for an explicit integrator: nothing is ever factored, and an inextensible rod may know its centreline by its
 * frames. */
test_system make_explicit_system(const wy_model_def *def, const wy_solver_def *solver);
void free_system(test_system *made);

/* A soft rod with all sizes of order 1, so that differences of f are accurate: anisotropic, tapered, precurved and
   twisted, damped, with drag. Six segments are of unequal length. */
wy_rod_def rich_rod(int segments);
/* Loads of all kinds: body-axes forces and moments at the end and at an arc length, line loads in both axes. */
enum { RICH_LOADS = 6 };
void rich_loads(wy_load_def loads[RICH_LOADS]);
/* A chamber and a tendon beside the centre line. */
enum { ACTUATOR_PAIR = 2 };
void actuator_pair(wy_actuator_def actuators[ACTUATOR_PAIR]);
/* Driven in x and z and turned about a skew axis, free in y. */
wy_end driven_end(void);
/* Four ways to hold a rod that is free: free-free, pinned-free, clamped-clamped, driven-free. */
enum { END_PAIRS = 4 };
extern const char *const end_pair_names[END_PAIRS];
void hold_ends(wy_rod_def *rod, int pair);

/* A rod in gravity with the rich loads, or without any of them, and some of the actuators. */
typedef struct rich_surroundings {
  bool loaded, implicit;
  int actuators;
} rich_surroundings;
test_system make_rich_system(const wy_rod_def *rod, const rich_surroundings *with, const wy_solver_def *solver);

/* Numbers in -1..1, the same on every machine. */
double noise(unsigned *seed);

/* Zeroed. */
double *doubles(int count);
/* Room for a state and what integrators put behind it, zeroed. */
double *state_array(const test_system *made);
/* Noise in the entries that count. */
void random_vector(const test_system *made, unsigned seed, double *x);
double largest(const double *a, int n);
/* All entries within `relative` of the largest wanted one. */
void compare_vectors(const char *name, const char *what, const double *got, const double *want, int n, double relative);

/* The error of something for a number of segments: below `bound` for the first, and of second order between twice and
   four times as many. */
typedef double error_at(int segments, const void *context);
void second_order(const char *name, error_at *error, const void *context, int first, double bound);
/* The same for any order. */
void nth_order(const char *name, error_at *error, const void *context, int first, double bound, double want);

/* The system's initial state disturbed by `size` in every entry that may differ from zero; quaternions stay near
 * length 1. */
void disturbed_state(const test_system *made, double size, unsigned seed, double *u);

/* The rods of the published performance examples: length 1, along e2; rubber pinned, steel clamped. */
wy_rod_def rubber_rod(int segments);
wy_rod_def steel_rod(int segments);

/* 0.01 t up to t = 0.5, then NaN: the run has to end there, with the last good state shown. */
wy_signal turns_nan(void);

/* A simulation of one rod under gravity with the given solver; fails the test where that is not possible. */
typedef struct test_sim {
  wy_model *model;
  wy_sim *sim;
} test_sim;

test_sim make_sim(const wy_rod_def *rod, const wy_load_def *loads, int load_count, const wy_solver_def *solver,
                  const double gravity[3]);
void free_sim(test_sim *made);

/* A call that must succeed. */
void must(wy_status status, const wy_message *message);
/* Reads the view, energies and momenta, and restores what it saves: all without an allocation of its own. */
void read_save_and_restore(wy_sim *sim);

/* A straight rod of bending stiffness 1 that a moment (curvature, 0, torsion) in the body frame at its tip winds into a
   helix of two whole turns. */
typedef struct wound_helix {
  double length, curvature, torsion;
} wound_helix;

wound_helix two_turns(void);
/* Where the tip should be and where it is: the largest difference of coordinates. */
double helix_tip_error(const wound_helix *helix, const test_sim *made);

/* The integrators that take a right-hand side, by number; NULL past the last one. */
const wy_integrator_type *ode_integrator_at(int index);
const char *ode_integrator(int index);

/* What the library says of a pair of methods. */
wy_status method_possible(const char *scheme, wy_rod_kind kind, const char *integrator);
bool has_fixed_step(const char *scheme, const char *integrator);

#endif
