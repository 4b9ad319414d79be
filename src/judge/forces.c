/* The balance of forces and moments of an equilibrium (docs/theory/judgement.md, "Forces"): gravity, loads and
   reactions add up to nothing. They are added here from the model and from what the view shows, by none of the formulas
   of a scheme. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "judge/judge.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "record/probe.h"
#include "scheme/applied.h"

/* Forces, moments about the centre of mass, and their sizes; `turning`: loads in body axes are among them, which need
   frames at places where a scheme may have none. */
typedef struct sums {
  double force[3], moment[3];
  double force_size, moment_size;
  bool turning;
} sums;

static void add(const wy_judged *self, sums *out, const double x[3], const double force[3], const double moment[3]) {
  double arm[3], turn[3];
  wy_copy3(x, arm);
  wy_add3(arm, -1, self->momentum.centre_of_mass);
  wy_cross3(arm, force, turn);
  wy_add3(out->force, 1, force);
  wy_add3(out->moment, 1, turn);
  wy_add3(out->moment, 1, moment);
  out->force_size += wy_norm3(force);
  out->moment_size += wy_norm3(turn) + wy_norm3(moment);
}

/* A share of a load, at s. */
static void add_load_at(const wy_judged *self, int place, double s, double share, sums *out) {
  static const wy_load_override none = {0};
  const wy_system *system = self->integrator->system;
  const wy_load_def *load = wy_model_rod_load(self->model, self->rod, place);
  const wy_load_override *override = system->load_overrides ? &system->load_overrides[place] : &none;
  const double length = wy_model_rod(self->model, self->rod)->length;
  double force[3], moment[3], x[4], q[4], r[9], turned[3];
  wy_load_value(load, override, s, self->view->time, force, moment);
  wy_probe_view(self->view, length, WY_POSITION, s, x, NULL);
  if (load->axes == WY_BODY_AXES) {
    out->turning = true;
    wy_probe_view(self->view, length, WY_ROTATION, s, q, NULL);
    wy_qmatrix(q, r);
    wy_mul3(r, force, turned), wy_copy3(turned, force);
    wy_mul3(r, moment, turned), wy_copy3(turned, moment);
  }
  for (int i = 0; i < 3; i++)
    force[i] *= share, moment[i] *= share;
  add(self, out, x, force, moment);
}

/* Along the rod by Gauss's rule of two points in each of its pieces. */
static void add_load(const wy_judged *self, int place, sums *out) {
  const wy_load_def *load = wy_model_rod_load(self->model, self->rod, place);
  const wy_rod_def *rod = wy_model_rod(self->model, self->rod);
  if (load->place != WY_ALONG) {
    add_load_at(self, place, wy_load_arc(rod, load), 1, out);
    return;
  }
  const double root = 0.57735026918962576451;
  double begin = 0;
  for (int i = 0; i < rod->segments; i++) {
    const double end = begin + wy_segment_length(rod, i);
    const double low = fmax(begin, load->from), high = fmin(end, load->to), half = 0.5 * (high - low);
    for (int side = -1; half > 0 && side <= 1; side += 2)
      add_load_at(self, place, 0.5 * (low + high) + side * root * half, half, out);
    begin = end;
  }
}

static void add_all(const wy_judged *self, sums *out) {
  static const double nothing[3] = {0};
  const double length = wy_model_rod(self->model, self->rod)->length;
  double weight[3] = {0};
  wy_add3(weight, self->momentum.mass, wy_model_gravity(self->model));
  add(self, out, self->momentum.centre_of_mass, weight, nothing);
  for (int i = 0; i < wy_model_rod_load_count(self->model, self->rod); i++)
    add_load(self, i, out);
  for (int end = 0; end < 2; end++) {
    double x[4];
    wy_probe_view(self->view, length, WY_POSITION, end == 0 ? 0 : length, x, NULL);
    add(self, out, x, self->view->ends[end].reaction_force, self->view->ends[end].reaction_moment);
  }
}

/* Forces that mean nothing: those of strains and angles that Newton's method for equilibria leaves, 1e-10. */
static double floor_of(const wy_judged *self) {
  const wy_rod_def *rod = wy_model_rod(self->model, self->rod);
  const wy_section_values section = wy_model_section(self->model, self->rod, 0.5 * rod->length);
  const double tolerance = fmax(self->solver->statics.newton_tolerance, 1e-10), length = rod->length;
  const double stretch = rod->kind == WY_INEXTENSIBLE ? 0 : section.stiffness[2];
  return 1e3 * tolerance * fmax(stretch, section.stiffness[3] / (length * length));
}

bool wy_judge_forces(const wy_judged *self, wy_finding *finding) {
  if (!self->resting || self->disturbed || wy_model_rod_actuator_count(self->model, self->rod) > 0)
    return false;
  const wy_rod_def *rod = wy_model_rod(self->model, self->rod);
  sums all = {.turning = false};
  add_all(self, &all);
  const double floor = floor_of(self), force = wy_norm3(all.force) / (all.force_size + floor);
  const double moment = wy_norm3(all.moment) / (all.moment_size + rod->length * all.force_size + rod->length * floor);
  const double worst = fmax(force, moment), doubtful = 0.1;
  const double wrong = self->scheme->balances_forces ? 0.25 : (double)INFINITY;
  if (!(worst > doubtful))
    return false;
  finding->severity = worst > wrong ? WY_WRONG : WY_WARNING;
  finding->code = "force_balance";
  finding->value = worst;
  finding->limit = worst > wrong ? wrong : doubtful;
  snprintf(
      finding->text, sizeof finding->text,
      "rod '%s': loads, gravity and reactions of the equilibrium at t = %.9g do not add up: %.2g of the forces and "
      "%.2g of the moments are left over",
      rod->name, self->view->time, force, moment);
  snprintf(finding->remedy, sizeof finding->remedy, "use more %ss (rods.%s.segments)", self->scheme->piece, rod->name);
  return true;
}
