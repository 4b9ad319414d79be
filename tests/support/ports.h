/* SPDX-License-Identifier: MIT */
/* Staggered rods whose ends hubs hold, by themselves: for tests of ports. */
#ifndef WY_TESTS_SUPPORT_PORTS_H
#define WY_TESTS_SUPPORT_PORTS_H

#include "scheme/staggered/rod.h"
#include "support/scheme_checks.h"

/* A rod with ports, where their supports are, and a state. */
typedef struct port_case {
  test_system made;
  const wy_port_type *ports;
  wy_port_hold holds[2];
  wy_port_motion at[2];
  double *u;
  char name[128];
} port_case;

typedef struct surroundings {
  bool straight, conservative, loaded;
} surroundings;

static const double port_time = 0.3;

enum { X, P, V, W };     /* fields */
enum { STIFFENING = 7 }; /* so many segments have a law that is not linear */

typedef void case_check(port_case *it);

test_system make_ports(const wy_model_def *def, const wy_solver_def *solver, const wy_port_hold holds[2]);
bool is_port(const port_case *it, int end);
void move_supports(const port_case *it);
/* By a rotation vector in body axes. */
void turn_by(double q[4], const double turn[3], double factor);
/* Supports near where the undeformed rod ends, or exactly there and at rest. */
void place_supports(port_case *it, double size, unsigned seed);
int port_vertex(const port_case *it, int end, int inwards);
int port_segment(const port_case *it, int end);
double *port_entry(const port_case *it, int field, int k, int point, double *u);
void write_port_ends(const port_case *it, double *u);
port_case make_port_case(int segments, surroundings with, wy_port_hold start, wy_port_hold end,
                         wy_curvature_measure measure);
void free_port_case(port_case *it);
void port_close(const port_case *it, const char *what, double got, double want, double tolerance);
void for_all_port_cases(case_check *check, bool conservative, bool loaded);
/* Component j of a motion (dx, theta, dv, dOmega) of the support of an end, or of what is next to it. */
void move_port(port_case *it, int end, int j, double by);
void fill_noise(double *a, size_t count, unsigned *seed);

#endif
