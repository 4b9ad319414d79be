/* SPDX-License-Identifier: MIT */
/* The balance of forces and moments of an equilibrium (docs/theory/judgement.md, "Forces"): gravity, loads and
   reactions add up to nothing. They are added here from the model and from what the view shows, by none of the formulas
   of a scheme. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "judge/judge.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "network/group.h"
#include "record/probe.h"
#include "scheme/applied.h"
#include "scheme/fluid.h"

/* Forces, moments about the centre of mass, and their sizes; `blur`: by how much the sum of forces may be off since
   loads need frames where the scheme has none, or vary within a piece. */
typedef struct sums {
  double force[3], moment[3];
  double force_size, moment_size;
  double blur;
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

static void load_value(const wy_judged *self, int place, double s, double force[3], double moment[3]) {
  static const wy_load_override none = {0};
  const wy_load_override *overrides = self->system->load_overrides;
  const wy_load_def *load = wy_model_rod_load(self->model, self->rod, place);
  wy_load_value(load, overrides ? &overrides[place] : &none, s, self->view->time, force, moment);
}

/* A frame of the view that lies on an end is that of the scheme. Elsewhere a scheme may share a load out to the pieces
   beside it, and its frame is off by no more than these turn against each other. */
static double frame_blur(const wy_judged *self, double s) {
  const wy_points *q = &self->view->frame;
  const double near = 1e-9 * wy_model_rod(self->model, self->rod)->length;
  double blur = 0;
  int i = 0;
  if (q->count < 2)
    return 1;
  if (s <= near ? fabs(q->s[0] - s) <= near : fabs(q->s[q->count - 1] - s) <= near)
    return 0;
  while (i + 2 < q->count && q->s[i + 1] <= s)
    i++;
  for (int k = i > 0 ? i - 1 : 0; k <= i + 1 && k + 1 < q->count; k++) {
    double relative[4], turn[3];
    wy_qrelative(q->values + 4 * k, q->values + 4 * (k + 1), relative);
    wy_qlog(relative, turn);
    blur += wy_norm3(turn);
  }
  return blur;
}

/* A share of a load, at s. */
static void add_load_at(const wy_judged *self, int place, double s, double share, sums *out) {
  const wy_load_def *load = wy_model_rod_load(self->model, self->rod, place);
  const double length = wy_model_rod(self->model, self->rod)->length;
  double force[3], moment[3], x[4], q[4], r[9], turned[3];
  load_value(self, place, s, force, moment);
  wy_probe_view(self->view, length, WY_POSITION, s, x, NULL);
  const bool turns = load->axes == WY_BODY_AXES; /* and moments act through frames in any axes */
  if (turns || wy_norm3(moment) > 0)
    out->blur += share * frame_blur(self, s) * (turns * wy_norm3(force) + wy_norm3(moment) / length);
  if (turns) {
    wy_probe_view(self->view, length, WY_ROTATION, s, q, NULL);
    wy_qmatrix(q, r);
    wy_mul3(r, force, turned), wy_copy3(turned, force);
    wy_mul3(r, moment, turned), wy_copy3(turned, moment);
  }
  for (int i = 0; i < 3; i++)
    force[i] *= share, moment[i] *= share;
  add(self, out, x, force, moment);
}

/* What a load changes by within a piece: rules of integration may differ by so much. */
static double piece_blur(const wy_judged *self, int place, double low, double high) {
  const double length = wy_model_rod(self->model, self->rod)->length;
  double force[2][3], moment[2][3];
  load_value(self, place, low, force[0], moment[0]);
  load_value(self, place, high, force[1], moment[1]);
  wy_add3(force[0], -1, force[1]);
  wy_add3(moment[0], -1, moment[1]);
  return (high - low) * (wy_norm3(force[0]) + wy_norm3(moment[0]) / length);
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
    out->blur += half > 0 ? piece_blur(self, place, low, high) : 0;
    begin = end;
  }
}

/* Drag per length at s. */
static void drag_at(const wy_judged *self, double s, double x[4], double force[3]) {
  const wy_rod_def *rod = wy_model_rod(self->model, self->rod);
  double q[4], r[9], velocity[3], gradient[9], rate[3];
  wy_probe_view(self->view, rod->length, WY_POSITION, s, x, NULL);
  wy_probe_view(self->view, rod->length, WY_ROTATION, s, q, NULL);
  wy_qmatrix(q, r);
  wy_flow_at(&rod->fluid.velocity, x, self->view->time, velocity, gradient, rate);
  const wy_fluid_section section = wy_fluid_section_at(rod, s);
  wy_put3(force, wy_fluid_drag(&section, wy_at3(velocity), (wy_v3){r[2], r[5], r[8]}));
}

/* A fluid: drag by the trapezoidal rule in each piece, buoyancy of the section in its middle. What they change by
   within a piece is what rules of integration, and frames beside each other, may differ by. */
static void add_fluid(const wy_judged *self, sums *out) {
  static const double nothing[3] = {0};
  const wy_rod_def *rod = wy_model_rod(self->model, self->rod);
  const double *g = wy_model_gravity(self->model);
  double begin = 0;
  for (int i = 0; (wy_fluid_drags(rod) || wy_fluid_lifts(rod)) && i < rod->segments; i++) {
    const double h = wy_segment_length(rod, i), lift = wy_fluid_lifts(rod);
    const double displaced = wy_fluid_section_at(rod, begin + 0.5 * h).displaced;
    double force[2][3], x[4];
    for (int end = 0; end < 2; end++) {
      const double s = fmin(begin + end * h, rod->length);
      drag_at(self, s, x, force[end]);
      wy_add3(force[end], -lift * displaced, g);
      for (int k = 0; k < 3; k++)
        force[end][k] *= 0.5 * h;
      add(self, out, x, force[end], nothing);
      out->blur += 0.5 * h * lift * wy_norm3(g) * fabs(wy_fluid_section_at(rod, s).displaced - displaced);
    }
    wy_add3(force[0], -1, force[1]);
    out->blur += wy_norm3(force[0]);
    begin += h;
  }
}

/* What hubs exert where they hold inner points. */
static void add_inner(const wy_judged *self, sums *out) {
  const wy_network *network = wy_model_network(self->model);
  const double length = wy_model_rod(self->model, self->rod)->length;
  for (int i = network->rod_pieces[self->rod]; i < network->rod_pieces[self->rod + 1] - 1; i++) {
    const double s = network->pieces[i].to;
    double x[4], force[3], moment[3];
    wy_probe_view(self->view, length, WY_POSITION, s, x, NULL);
    wy_group_reaction(self->integrator->system, self->view->time, self->state, self->rod, s, force, moment);
    add(self, out, x, force, moment);
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
  add_fluid(self, out);
  add_inner(self, out);
  add(self, out, wy_model_rod(self->model, self->rod)->shape.origin, self->contact_force, self->contact_moment);
  out->force_size += self->contact_size - wy_norm3(self->contact_force);
  for (int end = 0; end < 2; end++) {
    double x[4];
    wy_probe_view(self->view, length, WY_POSITION, end == 0 ? 0 : length, x, NULL);
    add(self, out, x, self->view->ends[end].reaction_force, self->view->ends[end].reaction_moment);
  }
}

/* Forces that mean nothing: those of strains and angles of 1e-10, which Newton's method for equilibria leaves by
   default. Where it is told to leave more, that is to be seen. */
static double floor_of(const wy_judged *self) {
  const wy_rod_def *rod = wy_model_rod(self->model, self->rod);
  const wy_section_values section = wy_model_section(self->model, self->rod, 0.5 * rod->length);
  const double stretch = rod->kind == WY_INEXTENSIBLE ? 0 : section.stiffness[2];
  const double h = rod->length / rod->segments;
  return 1e-10 * fmax(stretch, section.stiffness[3] / (h * h));
}

wy_imbalance wy_judge_imbalance(const wy_judged *self) {
  const double length = wy_model_rod(self->model, self->rod)->length, floor = floor_of(self);
  sums all = {.blur = floor};
  add_all(self, &all);
  /* A rod that is bent by moments alone has forces of round-off: moments over the length are forces, too. */
  const double forces = fmax(all.force_size, all.moment_size / length) + floor;
  const double moments = all.moment_size + length * (all.force_size + floor);
  return (wy_imbalance){
      .force = wy_norm3(all.force) / forces, .moment = wy_norm3(all.moment) / moments, .blur = all.blur / forces};
}

/* Sums of schemes whose equilibria balance are off by round-off, 1e-11 and less: 1e-6 leaves as much again for badly
   conditioned rods, and by 1e-4 digits are wrong that a reader takes for right. Others balance in the limit of fine
   grids, so that nothing is known to be wrong. */
bool wy_judge_forces(const wy_judged *self, wy_finding *finding) {
  if (!self->resting || self->disturbed || wy_model_rod_actuator_count(self->model, self->rod) > 0)
    return false;
  const wy_rod_def *rod = wy_model_rod(self->model, self->rod);
  const bool exact = self->scheme->balances_forces;
  const wy_imbalance left = wy_judge_imbalance(self);
  const double worst = fmax(left.force, left.moment), doubtful = left.blur + (exact ? 1e-6 : 0.1);
  const double wrong = exact ? left.blur + 1e-4 : (double)INFINITY;
  if (!wy_judge_above(finding, "force_balance", worst, doubtful, wrong))
    return false;
  wy_judge_text(
      finding,
      "rod '%s': loads, gravity and reactions of the equilibrium at t = %.9g do not add up: %.2g of the forces and "
      "%.2g of the moments are left over",
      rod->name, self->view->time, left.force, left.moment);
  if (exact)
    wy_judge_remedy(finding, "try a smaller solver.newton.tolerance");
  else
    wy_judge_remedy(finding, "use more %ss (rods.%s.segments)", self->scheme->piece, rod->name);
  return true;
}
