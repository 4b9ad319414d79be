/* SPDX-License-Identifier: MIT */
/* Twenty random states in 3D, five curvature measures, several ends: every intermediate quantity of the staggered
   scheme against an independent program (tests/data/rhs_samples.txt). 1e-12 relative to the largest entry of each
   quantity. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/quat.h"
#include "scheme/staggered/rod.h"
#include "support/rods.h"

enum { MOST = 64 };

typedef struct values {
  int count;
  double v[MOST];
} values;

static values read_line(FILE *file, const char *name) {
  static char line[65536];
  values out = {0};
  do
    assert_non_null(fgets(line, sizeof line, file));
  while (line[0] == '#');
  char *at = strchr(line, ' ');
  assert_non_null(at);
  *at = '\0';
  assert_string_equal(line, name);
  out.count = (int)strtol(at + 1, &at, 10);
  check_at_most(out.count, MOST);
  for (int i = 0; i < out.count; i++)
    out.v[i] = strtod(at, &at);
  return out;
}

/* Points of an array (components with a stride) against a list of points. */
static void compare(const char *what, const double *array, int stride, int components, int from, int count,
                    const values *want) {
  double scale = 1e-300;
  for (int i = 0; i < want->count; i++)
    scale = fmax(scale, fabs(want->v[i]));
  for (int i = 0; i < count; i++)
    for (int k = 0; k < components; k++) {
      double got = array[k * stride + from + i], wanted = want->v[(from + i) * components + k];
      if (!(fabs(got - wanted) <= 1e-12 * scale))
        fail_msg("%s, point %d, component %d: got %.17g, want %.17g, tolerance %.3g", what, from + i, k, got, wanted,
                 1e-12 * scale);
    }
}

static wy_end end_of(double kind) {
  return kind == 0 ? wy_end_free() : kind == 1 ? wy_end_pinned() : wy_end_clamped();
}

/* The clamp of a sample has a frame and a rate of its own. */
static void set_support(wy_staggered *rod, int end, const double *p, const double *rate) {
  wy_end_state *state = &rod->ends[end];
  double turned[4];
  state->moved_rotation = true;
  state->rotation_duration = 1;
  memcpy(state->q0, p, sizeof state->q0);
  wy_qrelative(p, rate, turned);
  for (int k = 0; k < 3; k++)
    state->turn0[k] = 2 * turned[k + 1];
}

/* Nothing is left of what was evaluated before. */
static void forget_frames(wy_staggered *rod) {
  for (int i = -1; i < rod->grid.stride; i++)
    for (int k = 0; k < 4; k++) {
      rod->eval.unit[k * rod->grid.halo_stride + i] = NAN;
      if (k < 3)
        rod->eval.omega[k * rod->grid.halo_stride + i] = NAN;
    }
}

/* The angular momentum of vertices at x and of segments that turn, of a rod with frames p. */
static void check_momentum(const test_system *made, const double *u, const values *x, const values *v, const values *p,
                           const values *omega) {
  const wy_staggered *rod = (const wy_staggered *)made->system;
  double linear[3] = {0}, angular[3] = {0}, size = 0;
  wy_momentum got;
  forget_frames((wy_staggered *)made->system);
  made->system->type->momentum(made->system, 0, u, &got);
  for (int i = 0; i <= rod->grid.n; i++) {
    double spin[3];
    wy_cross3(x->v + 3 * i, v->v + 3 * i, spin);
    wy_add3(linear, rod->grid.mass[i], v->v + 3 * i);
    wy_add3(angular, rod->grid.mass[i], spin);
    size += rod->grid.mass[i] * (wy_norm3(x->v + 3 * i) + 1) * wy_norm3(v->v + 3 * i);
  }
  for (int i = 0; i < rod->grid.n; i++) {
    double body[3], space[3], r[9];
    for (int k = 0; k < 3; k++)
      body[k] = rod->grid.inertia[k * rod->grid.stride + i] * omega->v[3 * i + k];
    wy_qmatrix(p->v + 4 * i, r);
    wy_mul3(r, body, space);
    wy_add3(angular, 1, space);
    size += wy_norm3(body);
  }
  for (int k = 0; k < 3; k++) {
    check_close(got.linear[k], linear[k], 1e-12 * size);
    check_close(got.angular[k], angular[k], 1e-12 * size);
  }
}

static void check_sample(FILE *file, wy_coordinates coordinates) {
  values curvature = read_line(file, "curvature"), start = read_line(file, "bc0"), stop = read_line(file, "bcN");
  values segments = read_line(file, "N"), length = read_line(file, "L");
  values cg = read_line(file, "CG"), ck = read_line(file, "CK"), dg = read_line(file, "DG_full");
  values dk = read_line(file, "DK_full"), mass = read_line(file, "rhoA"), rotary = read_line(file, "rhoI");
  values gravity = read_line(file, "grav"), natural = read_line(file, "K0");
  values boundary = read_line(file, "p_boundary"), boundary_rate = read_line(file, "pdot_boundary");
  values x = read_line(file, "x"), p = read_line(file, "p"), v = read_line(file, "v"), omega = read_line(file, "Omega");
  values strain = read_line(file, "Gamma"), strain_rate = read_line(file, "dGamma");
  values bend = read_line(file, "K"), bend_rate = read_line(file, "dK");
  values force = read_line(file, "F"), moment = read_line(file, "M");
  read_line(file, "f_x");
  read_line(file, "f_p_tangential");
  values acceleration = read_line(file, "xddot"), spin = read_line(file, "dOmega"), second = read_line(file, "pddot");
  values kinetic = read_line(file, "kinetic"), shear_energy = read_line(file, "V_SE"),
         bend_energy = read_line(file, "V_BT");
  values height = read_line(file, "U_grav"), dissipated = read_line(file, "dissipated_power");

  wy_rod_def def = wy_default_rod_def();
  def.segments = (int)segments.v[0];
  def.length = length.v[0];
  def.has_stiffness = def.has_inertia = true;
  def.damping.kind = WY_DAMPING_COEFFICIENTS;
  def.inertia[0] = wy_constant(mass.v[0]);
  for (int k = 0; k < 3; k++) {
    def.stiffness[k] = wy_constant(cg.v[k]), def.stiffness[k + 3] = wy_constant(ck.v[k]);
    def.damping.coefficient[k] = wy_constant(dg.v[k]), def.damping.coefficient[k + 3] = wy_constant(dk.v[k]);
    def.inertia[k + 1] = wy_constant(rotary.v[k]);
  }
  def.ends[0] = end_of(start.v[0]);
  def.ends[1] = end_of(stop.v[0]);
  wy_model_def model = wy_default_model_def();
  memcpy(model.gravity, gravity.v, sizeof model.gravity);
  model.rods = &def;
  model.rod_count = 1;
  wy_solver_def solver = wy_default_solver_def();
  solver.staggered.curvature_measure = (wy_curvature_measure)((int)curvature.v[0] - 1);
  solver.staggered.coordinates = coordinates;
  test_system made = make_system(&model, &solver);
  wy_staggered *rod = (wy_staggered *)made.system;

  const int n = rod->grid.n, stride = rod->grid.stride;
  for (int end = 0; end < 2; end++)
    if (wy_support_holds_rotation(&rod->supports, end))
      set_support(rod, end, boundary.v + 4 * end, boundary_rate.v + 4 * end);
  for (int i = 0; i <= n; i++)
    for (int k = 0; k < 3; k++) {
      rod->grid.k_zero[k * stride + i] = natural.v[3 * i + k];
      rod->eval.m_zero[k * stride + i] = rod->stiffness.c_kappa[k * stride + i] * natural.v[3 * i + k];
    }
  double *u = calloc((size_t)made.system->size, sizeof *u), *f = calloc((size_t)made.system->size, sizeof *f);
  made.system->type->initial(made.system, u);
  for (int i = 0; i <= n; i++)
    for (int k = 0; k < 3; k++)
      u[rod->grid.x + k * stride + i] = x.v[3 * i + k], u[rod->grid.v + k * stride + i] = v.v[3 * i + k];
  for (int i = 0; i < n; i++) {
    double body[4] = {0, omega.v[3 * i], omega.v[3 * i + 1], omega.v[3 * i + 2]}, rate[4];
    wy_qmul(p.v + 4 * i, body, rate);
    for (int k = 0; k < 4; k++) {
      u[rod->grid.p + k * stride + i] = p.v[4 * i + k];
      if (coordinates == WY_ABSOLUTE)
        u[rod->grid.w + k * stride + i] = 0.5 * rate[k];
      else if (k)
        u[rod->grid.w + (k - 1) * stride + i] = body[k];
    }
  }
  double power[WY_INTEGRALS];
  made.system->type->rhs(made.system, 0, u, f, power);

  compare("acceleration", f + rod->grid.v, stride, 3, 0, n + 1, &acceleration);
  if (coordinates == WY_ABSOLUTE)
    compare("second derivative of the quaternion", f + rod->grid.w, stride, 4, 0, n, &second);
  else
    compare("angular acceleration", f + rod->grid.w, stride, 3, 0, n, &spin);
  check_close(power[WY_DISSIPATION_INTEGRAL], dissipated.v[0], 1e-12 * dissipated.v[0]);

  wy_energy energy;
  forget_frames(rod);
  made.system->type->energy(made.system, 0, u, &energy);
  double elastic = shear_energy.v[0] + bend_energy.v[0];
  check_close(energy.kinetic, kinetic.v[0], 1e-12 * kinetic.v[0]);
  check_close(energy.elastic, elastic, 1e-12 * elastic);
  check_close(energy.gravity, height.v[0], 1e-12 * fabs(height.v[0]));

  check_momentum(&made, u, &x, &v, &p, &omega);
  wy_view *view = &made.system->view;
  made.system->type->view(made.system, 0, u, view);
  int first = wy_support_holds_rotation(&rod->supports, 0) ? 0 : 1;
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < n; i++) {
      check_close(view->strain.values[3 * i + k], strain.v[3 * i + k], 1e-12);
      check_close(view->force.values[3 * i + k], force.v[3 * i + k], 1e-12 * cg.v[2]);
    }
  for (int i = 0; i < view->curvature.count; i++) {
    wy_v3 rate = wy_staggered_curvature_rate(rod, first + i);
    double rates[3] = {rate.x, rate.y, rate.z};
    for (int k = 0; k < 3; k++) {
      int at = 3 * (first + i) + k;
      check_close(view->curvature.values[3 * i + k], bend.v[at], 1e-11);
      check_close(rates[k], bend_rate.v[at], 1e-10);
      check_close(view->moment.values[3 * i + k], moment.v[at], 1e-11);
    }
  }
  (void)strain_rate;
  free(u);
  free(f);
  free_system(&made);
}

static void all_samples(wy_coordinates coordinates) {
  FILE *file = fopen(WY_TEST_DATA "/rhs_samples.txt", "r");
  assert_non_null(file);
  values count = read_line(file, "samples");
  for (int i = 0; i < (int)count.v[0]; i++)
    check_sample(file, coordinates);
  fclose(file);
}

static void nullspace_form_matches_the_samples(void **state) {
  (void)state;
  all_samples(WY_NULLSPACE);
}

static void absolute_form_matches_the_samples(void **state) {
  (void)state;
  all_samples(WY_ABSOLUTE);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(nullspace_form_matches_the_samples),
                                     cmocka_unit_test(absolute_form_matches_the_samples)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
