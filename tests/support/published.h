/* The rods, loads and actuators of the published examples of the mixed scheme (Kinon, Eugster, Betsch, section 6), for
   any scheme, and a simulation of such an example. */
#ifndef WY_TESTS_SUPPORT_PUBLISHED_H
#define WY_TESTS_SUPPORT_PUBLISHED_H

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

/* 6.1: a free rod, kicked by a force and a moment at its end until t = 5. */
example flying_spaghetti(int elements);
/* 6.2: slender, inextensible, clamped, a pulse at the tip; elastic, or with one Maxwell branch. */
example aluminium_cantilever(int elements, bool maxwell);
/* 6.3: clamped, dead force and moment at the tip, both growing with t; with shear and extension, or without. */
example bent_cantilever(int elements, bool constrained);
/* 6.4: a soft arm, clamped, straight up; without actuators, and with its three chambers (errata 20) for the circle or
   the heart. */
example soft_arm(int elements);
typedef enum manoeuvre { CIRCLE, HEART } manoeuvre;
example actuated_arm(int elements, manoeuvre path);

/* The mixed scheme with a fixed step. */
wy_solver_def mixed_solver(int order, double step);
/* The model of the example, which must outlive it. */
wy_model_def example_model(const example *e);
/* A simulation with room for equilibria; fails the test where it cannot be made. */
test_sim simulate(const example *e, const wy_solver_def *solver);

/* Must succeed. */
void probe(const test_sim *made, wy_quantity quantity, double s, double out[4]);

#endif
