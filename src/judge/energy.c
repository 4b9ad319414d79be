/* SPDX-License-Identifier: MIT */
/* The balance of energy (docs/theory/judgement.md, "Energy"). */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "judge/judge.h"
#include "math/vec3.h"
#include "scheme/applied.h"

static bool conserves(const wy_judged *self) {
  const wy_integrator_type *type = self->integrator->type;
  const wy_system *system = self->integrator->system;
  bool linear = true;
  for (int i = 0; i < wy_part_count(system); i++)
    linear = linear && wy_model_rod(self->model, wy_part(system, i)->rod)->law.kind == WY_LINEAR_LAW;
  return self->scheme->energy == WY_ENERGY_BY_LAW && (type->discrete_gradient || (type->info->keeps_energy && linear));
}

wy_drift_limits wy_judge_drift_limits(const wy_judged *self) {
  wy_drift_limits limits = {0.01, 0.2, conserves(self)};
  if (limits.conserves)
    limits.doubtful = limits.wrong = 1e-6;
  if (self->solver->allow_drift > 0)
    limits.doubtful = limits.wrong = self->solver->allow_drift;
  return limits;
}

static double largest(const wy_balance *balance) {
  double change = fmax(balance->elastic[1] - balance->elastic[0], balance->gravity[1] - balance->gravity[0]);
  return fmax(fmax(balance->kinetic, change), fmax(balance->most_work, balance->most_dissipated));
}

/* Sums of energies are rounded; an energy that does not change may be much larger than those that do. */
static double round_off(const wy_balance *balance) {
  double level = fmax(fabs(balance->gravity[0]), fabs(balance->gravity[1])) + fabs(balance->elastic[1]);
  return 16 * DBL_EPSILON * (level + balance->kinetic + balance->most_work + balance->most_dissipated);
}

double wy_balance_drift(const wy_balance *balance, double floor) {
  double violation = balance->violation - round_off(balance), scale = fmax(largest(balance), floor);
  return violation > 0 ? violation / scale : 0;
}

/* Explicit methods work at their limit of stability, where they keep vibrations alive as long as positions and
   velocities are within the absolute tolerance: strains of neighbours that differ by it, and its speed. */
static double energy_of_noise(const wy_rod_def *rod, const wy_section_values *section, double tolerance) {
  const double strain = 2 * tolerance * rod->segments / rod->length;
  double energy = 0.5 * rod->length * section->mass * tolerance * tolerance;
  for (int k = 0; k < 3; k++)
    energy += 0.5 * rod->length * section->stiffness[k] * strain * strain;
  return energy;
}

static double floor_of(const wy_integrator *integrator, const wy_model *model, int index) {
  const wy_rod_def *rod = wy_model_rod(model, index);
  const double length = rod->length;
  const double tolerance = integrator->type->info->fixed_step ? integrator->newton.tolerance : integrator->relative;
  /* Squares of errors: tens of them for angles, and thousands for strains, so that what is left is below the limits. */
  const double angle = 10 * tolerance, strain = 1e3 * (1e-11 + 16 * DBL_EPSILON * rod->segments);
  const wy_section_values section = wy_model_section(model, index, 0.5 * length);
  double energy = 0.5 * section.stiffness[3] / length * (angle * angle + strain * strain);
  if (rod->kind != WY_INEXTENSIBLE)
    energy += 0.5 * section.stiffness[2] * length * strain * strain;
  if (!integrator->type->info->implicit)
    energy += energy_of_noise(rod, &section, integrator->absolute);
  return energy;
}

double wy_judge_floor(const wy_judged *self) {
  const wy_system *system = self->integrator->system;
  double energy = 0;
  for (int i = 0; i < wy_part_count(system); i++)
    energy += floor_of(self->integrator, self->model, wy_part(system, i)->rod);
  if (self->rod < 0) { /* bodies without rods: speeds of tens of the tolerance */
    const double speed = 10 * self->integrator->absolute;
    energy = 0.5 * self->mass * speed * speed;
  }
  return energy;
}

/* Forces at work on a rod: loads and weight when the violation was largest, and no more than what the elastic energy
   can be the energy of, m = sqrt(2 U EI/L) and n = sqrt(2 U EA/L). Times the length, since this is what they could do.
 */
static double energy_of_forces(const wy_judged *self, const wy_system *part, double mass) {
  static const wy_load_override none = {0};
  const wy_rod_def *rod = wy_model_rod(self->model, part->rod);
  const wy_load_override *overrides = part->load_overrides;
  const wy_section_values section = wy_model_section(self->model, part->rod, 0.5 * rod->length);
  const double length = rod->length, elastic = fmax(self->balance.elastic[1], 0);
  double energy = mass * wy_norm3(wy_model_gravity(self->model)) * length;
  for (int i = 0; i < wy_model_rod_load_count(self->model, part->rod); i++) {
    const wy_load_def *load = wy_model_rod_load(self->model, part->rod, i);
    const bool line = load->place == WY_ALONG;
    const double s = line ? 0.5 * (load->from + load->to) : wy_load_arc(rod, load);
    double force[3], moment[3];
    wy_load_value(load, overrides ? &overrides[i] : &none, s, self->balance.violation_time, force, moment);
    energy += (line ? load->to - load->from : 1) * (wy_norm3(force) * length + wy_norm3(moment));
  }
  energy += sqrt(2 * elastic * section.stiffness[3] / length);
  return rod->kind == WY_INEXTENSIBLE ? energy : energy + sqrt(2 * elastic * section.stiffness[2] * length);
}

/* What steps that are solved as well as can be leave out of balance, and what forces have done along strains that
   should be zero: residuals of single steps, which add up (J3). */
double wy_judge_residual(const wy_judged *self) {
  const double usual = 1e-11; /* the tolerance that solvers have where none is given */
  if (!self->integrator->type->info->fixed_step)
    return 0;
  const wy_system *system = self->integrator->system;
  double energy = 0;
  int segments = 0;
  for (int i = 0; i < wy_part_count(system); i++) {
    const wy_system *part = wy_part(system, i);
    energy += energy_of_forces(self, part, self->mass / wy_part_count(system));
    segments += wy_model_rod(self->model, part->rod)->segments;
  }
  const double rounded = 16 * DBL_EPSILON * segments;
  const double step = fmax(fmin(self->integrator->newton.tolerance, usual), rounded);
  const double strain = fmin(self->statistics.strain_drift, step * (double)self->statistics.steps);
  return (step + strain) * energy;
}

double wy_judge_drift(const wy_judged *self) {
  wy_balance balance = self->balance;
  if (balance.looks == 0)
    return 0;
  balance.violation -= wy_judge_residual(self);
  return wy_balance_drift(&balance, wy_judge_floor(self));
}

/* What to do about it. */
static void advise(const wy_judged *self, const wy_drift_limits *limits, double drift, wy_finding *finding) {
  const bool fixed = self->integrator->type->info->fixed_step;
  const char *cure = limits->conserves && self->scheme->motion != WY_ODE ? "a smaller solver.newton.tolerance"
                     : fixed                                             ? "a smaller solver.step"
                                                                         : "a smaller solver.tolerance";
  if (finding->severity == WY_WRONG)
    wy_judge_remedy(finding, "try %s, or allow it by solver.allow_drift: %.2g", cure, 1.1 * drift);
  else
    wy_judge_remedy(finding, "try %s", cure);
}

bool wy_judge_energy(const wy_judged *self, wy_finding *finding) {
  const wy_drift_limits limits = wy_judge_drift_limits(self);
  const double drift = wy_judge_drift(self);
  /* And NaN is no finding: the solution has broken down, which the driver says. */
  if (!wy_judge_above(finding, "energy_drift", drift, limits.doubtful, limits.wrong))
    return false;
  char why[160] = "";
  const bool meant = self->scheme->dissipates && self->scheme->dissipates(self->solver, why, sizeof why);
  finding->when = self->balance.violation_time;
  wy_judge_text(
      finding,
      "%s '%s': its energy has drifted by %.2g of the largest energy met (most at t = %.6g), more than %g%s%s%s",
      wy_system_noun(self->integrator->system), wy_system_name(self->integrator->system), drift,
      self->balance.violation_time, finding->limit,
      limits.conserves ? ", although scheme and integrator keep the energy" : "", meant ? ": " : "", meant ? why : "");
  advise(self, &limits, drift, finding);
  return true;
}
