/* SPDX-License-Identifier: MIT */
#include "support/ports.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"

test_system make_ports(const wy_model_def *def, const wy_solver_def *solver, const wy_port_hold holds[2]) {
  const wy_factor_needs needs = {.real = 1, .complex = 1, .equilibria = true};
  test_system made = {0};
  wy_message message = {0};
  must(wy_model_create(def, &made.model, &message), &message);
  must(wy_staggered_create(made.model, 0, solver, needs, holds, &made.memory, &made.system, &message), &message);
  assert_int_equal(wy_arena_allocate(&made.memory.saved), 0);
  assert_int_equal(wy_arena_allocate(&made.memory.scratch), 0);
  must(wy_staggered_create(made.model, 0, solver, needs, holds, &made.memory, &made.system, &message), &message);
  return made;
}

bool is_port(const port_case *it, int end) {
  return it->holds[end] != WY_NO_PORT;
}

void move_supports(const port_case *it) {
  for (int end = 0; end < 2; end++)
    if (is_port(it, end))
      it->ports->move(it->made.system, 0, (wy_end_name)end, &it->at[end]);
}

void turn_by(double q[4], const double turn[3], double factor) {
  double scaled[3] = {factor * turn[0], factor * turn[1], factor * turn[2]}, step[4], out[4];
  wy_qexp(scaled, step);
  wy_qmul(q, step, out);
  memcpy(q, out, sizeof out);
}

void place_supports(port_case *it, double size, unsigned seed) {
  double *initial = state_array(&it->made);
  const wy_field *x = &it->made.system->fields[0];
  it->made.system->type->initial(it->made.system, initial);
  for (int end = 0; end < 2; end++) {
    const wy_rod_def *rod = wy_model_rod(it->made.model, 0);
    wy_port_motion *at = &it->at[end];
    double place[3], turn[3];
    memset(at, 0, sizeof *at);
    wy_model_reference(it->made.model, 0, end ? rod->length : 0, place, at->q);
    for (int k = 0; k < 3; k++) {
      at->x[k] = initial[x->offset + k * x->stride + (end ? rod->segments : 0)] + size * noise(&seed);
      at->v[k] = size * noise(&seed), at->w[k] = size * noise(&seed), turn[k] = size * noise(&seed);
    }
    turn_by(at->q, turn, 1);
  }
  free(initial);
}

int port_vertex(const port_case *it, int end, int inwards) {
  const int n = it->made.system->fields[0].count - 1;
  return end ? n - inwards : inwards;
}

int port_segment(const port_case *it, int end) {
  return end ? it->made.system->fields[1].count - 1 : 0;
}

double *port_entry(const port_case *it, int field, int k, int point, double *u) {
  const wy_field *f = &it->made.system->fields[field];
  return &u[f->offset + k * f->stride + point];
}

void write_port_ends(const port_case *it, double *u) {
  for (int end = 0; end < 2; end++)
    if (is_port(it, end))
      it->ports->write(it->made.system, 0, (wy_end_name)end, it->at[end].x, it->at[end].v, u);
}

port_case make_port_case(int segments, surroundings with, wy_port_hold start, wy_port_hold end,
                         wy_curvature_measure measure) {
  port_case it = {.ports = &wy_staggered_port_type, .holds = {start, end}};
  wy_rod_def rod = rich_rod(segments);
  wy_load_def loads[RICH_LOADS + 2];
  wy_model_def model = wy_default_model_def();
  wy_solver_def solver = wy_default_solver_def();
  rich_loads(loads);
  for (int i = RICH_LOADS; i < RICH_LOADS + 2; i++) { /* the other end: one at it, one within the first half cell */
    loads[i] = loads[i - RICH_LOADS];
    loads[i].place = i % 2 ? WY_AT_START : WY_AT_ARC;
    loads[i].from = 0.05;
  }
  for (int k = 0; with.straight && k < 3; k++)
    rod.shape.curvature[k] = wy_constant(0);
  for (int k = 0; with.conservative && k < 6; k++)
    rod.damping.coefficient[k] = wy_constant(0);
  if (with.conservative)
    rod.drag = (wy_drag){0, 0};
  if (segments == STIFFENING)
    rod.law = (wy_law){.kind = WY_STIFFENING_LAW, .compression = true, .bending = 0.8};
  model.rods = &rod, model.rod_count = 1;
  model.loads = loads, model.load_count = with.loaded ? RICH_LOADS + 2 : 0;
  if (with.loaded)
    model.gravity[0] = 0.4, model.gravity[2] = -1.1;
  solver.staggered.curvature_measure = measure;
  it.made = make_ports(&model, &solver, it.holds);
  snprintf(it.name, sizeof it.name, "%d segments, %s%s%s, start %d, end %d, measure %d", segments,
           with.straight ? "straight" : "curved", with.conservative ? ", conservative" : "",
           with.loaded ? ", loaded" : "", (int)start, (int)end, (int)measure);
  it.u = state_array(&it.made);
  disturbed_state(&it.made, 0.15, 7, it.u);
  place_supports(&it, 0.15, 21);
  move_supports(&it);
  write_port_ends(&it, it.u);
  return it;
}

void free_port_case(port_case *it) {
  free(it->u);
  free_system(&it->made);
}

void port_close(const port_case *it, const char *what, double got, double want, double tolerance) {
  if (!(fabs(got - want) <= tolerance))
    fail_msg("%s: %s is %.12g instead of %.12g", it->name, what, got, want);
}

void for_all_port_cases(case_check *check, bool conservative, bool loaded) {
  static const wy_port_hold holds[][2] = {{WY_PORT_FRAME, WY_NO_PORT},    {WY_NO_PORT, WY_PORT_FRAME},
                                          {WY_PORT_PLACE, WY_NO_PORT},    {WY_NO_PORT, WY_PORT_PLACE},
                                          {WY_PORT_FRAME, WY_PORT_FRAME}, {WY_PORT_PLACE, WY_PORT_FRAME}};
  static const int segments[] = {2, 6, STIFFENING, 9};
  int measure = WY_SIN2;
  for (size_t i = 0; i < sizeof holds / sizeof holds[0]; i++)
    for (int straight = 0; straight < 2; straight++)
      for (int n = 0; n < 4; n++) {
        port_case it = make_port_case(segments[n], (surroundings){straight, conservative, loaded}, holds[i][0],
                                      holds[i][1], (wy_curvature_measure)measure);
        check(&it);
        free_port_case(&it);
        measure = measure == WY_ANGLE ? WY_SIN2 : measure + 1;
      }
}

void move_port(port_case *it, int end, int j, double by) {
  wy_port_motion *at = &it->at[end];
  double turn[3] = {0, 0, 0};
  turn[j % 3] = 1;
  if (j / 3 == 0)
    at->x[j % 3] += by;
  else if (j / 3 == 1)
    turn_by(at->q, turn, by);
  else
    (j / 3 == 2 ? at->v : at->w)[j % 3] += by;
  move_supports(it);
}

void fill_noise(double *a, size_t count, unsigned *seed) {
  for (size_t i = 0; i < count; i++)
    a[i] = noise(seed);
}
