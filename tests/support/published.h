/* SPDX-License-Identifier: MIT */
/* One rod with all that acts on it, made here or taken from a published scene, and a simulation of it. */
#ifndef WY_TESTS_SUPPORT_PUBLISHED_H
#define WY_TESTS_SUPPORT_PUBLISHED_H

#include "scenes/published.h"
#include "support/rods.h"

enum { MOST_LOADS = 8, MOST_ACTUATORS = 3, MOST_EXPRESSIONS = 64 };

/* One rod with all that acts on it. The expressions are those of its signals; they live until free_example. */
typedef struct example {
  wy_rod_def rod;
  wy_load_def loads[MOST_LOADS];
  wy_actuator_def actuators[MOST_ACTUATORS];
  int load_count, actuator_count;
  double gravity[3];
  wy_expr *expressions[MOST_EXPRESSIONS];
  int expression_count;
} example;

/* factor * text, of t or s. */
wy_signal example_signal(example *e, const char *text, double factor);
void free_example(example *e);

/* A published scene (scenes/published.h) as an example; takes the case over. Fails the test where it cannot be read. */
example example_of(wy_case c);

/* The mixed scheme with a fixed step. */
wy_solver_def mixed_solver(int order, double step);
/* The model of the example, which must outlive it. */
wy_model_def example_model(const example *e);
/* A simulation with room for equilibria; fails the test where it cannot be made. */
test_sim simulate(const example *e, const wy_solver_def *solver);

/* Must succeed. */
void probe(const test_sim *made, wy_quantity quantity, double s, double out[4]);

#endif
