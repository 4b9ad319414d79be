/* SPDX-License-Identifier: MIT */
/* Where the rod is (docs/theory/judgement.md, "Places"): its ends, and what its nodes say of strains. */
#include <math.h>
#include <stdio.h>

#include "judge/judge.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "model/network.h"
#include "scheme/supports.h"

static const wy_rod_def *rod_of(const wy_judged *self) {
  return wy_model_rod(self->model, self->rod);
}

/* The point of a view that lies on an end, or NULL where none does. */
static const double *end_point(const wy_points *points, int end, double length) {
  const int i = end == 0 ? 0 : points->count - 1;
  const double s = end == 0 ? 0 : length;
  return points->count > 0 && fabs(points->s[i] - s) <= 1e-9 * length ? points->values + i * points->components : NULL;
}

/* How far an end is from its support: of the length, and as an angle. */
static void measure_end(const wy_judged *self, int end, double *distance, double *angle) {
  const wy_supports *supports = self->system->supports;
  const double length = rod_of(self)->length, *origin = rod_of(self)->shape.origin; /* of what supports say */
  const double *x = end_point(&self->view->position, end, length), *q = end_point(&self->view->frame, end, length);
  wy_end_pose pose;
  wy_support_pose(supports, end, self->view->time, &pose);
  *distance = *angle = 0;
  for (int i = 0; x && i < 3; i++)
    if (supports->state[end].position[i] != WY_FREE)
      *distance = hypot(*distance, (x[i] - origin[i] - pose.x[i]) / length);
  if (q && wy_support_holds_rotation(supports, end)) {
    double relative[4], turn[3];
    wy_qrelative(pose.q, q, relative);
    wy_qlog(relative, turn);
    *angle = wy_norm3(turn);
  }
}

/* Equilibria put their ends where they belong to the tolerance of Newton's method, 1e-10; a motion may be less exact,
   but an end that is off by a twentieth of the length or of a radian is not held. */
bool wy_judge_ends(const wy_judged *self, wy_finding *finding) {
  const double limit = self->resting ? 1e-6 : 0.05;
  double worst = 0, distance[2] = {0, 0}, angle[2] = {0, 0};
  int at = 0;
  if (!self->system->supports || self->disturbed)
    return false;
  for (int end = 0; end < 2; end++) {
    if (wy_network_end(self->model, self->rod, (wy_end_name)end) >= 0) /* its hub holds it by construction */
      continue;
    measure_end(self, end, &distance[end], &angle[end]);
    const double off = fmax(distance[end], angle[end]);
    if (off > worst)
      worst = off, at = end;
  }
  if (!wy_judge_above(finding, "end_pose", worst, limit, limit))
    return false;
  finding->where = at == 0 ? 0 : rod_of(self)->length;
  wy_judge_text(finding, "rod '%s': its %s is not where it is held at t = %.9g: off by %.2g of the length and %.2g rad",
                rod_of(self)->name, at == 0 ? "start" : "end", self->view->time, distance[at], angle[at]);
  wy_judge_remedy(finding, "use more %ss (rods.%s.segments)%s", self->scheme->piece, rod_of(self)->name,
                  self->resting ? " or a smaller solver.newton.tolerance" : " or a smaller solver.step");
  return true;
}

/* Largest |Gamma| between two arc lengths; `*from` moves along. */
static double strain_between(const wy_points *strain, double low, double high, int *from) {
  double most = 0;
  while (*from < strain->count && strain->s[*from] < low)
    ++*from;
  for (int i = *from; i < strain->count && strain->s[i] <= high; i++)
    most = fmax(most, wy_norm3(strain->values + 3 * i));
  return most;
}

/* A chord is never longer than the piece of the rod that it spans: |x1 - x0| <= h (1 + |Gamma|). Strains are those of
   the piece and of its neighbours, and none where the model holds them at zero. Interpolated directors are shorter than
   1 where an element turns, and r' by as much longer: there a chord may be too long by some percent, elsewhere not. */
bool wy_judge_chords(const wy_judged *self, wy_finding *finding) {
  const wy_rod_def *rod = rod_of(self);
  const wy_points *x = &self->view->position;
  const bool held = rod->kind == WY_INEXTENSIBLE;
  const bool interpolates = self->scheme->turns && isfinite(self->scheme->turns(self->solver).snaps);
  const double doubtful = held ? 0.05 : 0.5, wrong = held && !interpolates ? 0.05 : 0.5;
  double worst = 0, where = 0;
  int from = 0;
  for (int i = 0; i + 1 < x->count; i++) {
    const double h = x->s[i + 1] - x->s[i];
    double chord[3];
    for (int k = 0; k < 3; k++)
      chord[k] = x->values[3 * (i + 1) + k] - x->values[3 * i + k];
    const double strain = held ? 0 : strain_between(&self->view->strain, x->s[i] - h, x->s[i + 1] + h, &from);
    const double excess = wy_norm3(chord) / h - 1 - strain;
    if (excess > worst)
      worst = excess, where = 0.5 * (x->s[i] + x->s[i + 1]);
  }
  if (!wy_judge_above(finding, "chord", worst, doubtful, wrong))
    return false;
  finding->where = where;
  wy_judge_text(
      finding,
      "rod '%s': at s = %.4g its nodes are farther apart by %.2g of their distance along the rod than its strains "
      "say: %s",
      rod->name, where, worst, worst > wrong ? "the rod has come apart" : "the result is coarse");
  wy_judge_remedy(finding, "use more %ss (rods.%s.segments)", self->scheme->piece, rod->name);
  return true;
}

/* Two neighbouring frames that are half a turn apart: which way the rod bends between them is not known. Where the
   scheme has no limit of its own. */
bool wy_judge_kinks(const wy_judged *self, wy_finding *finding) {
  const wy_rod_def *rod = rod_of(self);
  const wy_points *q = &self->view->frame;
  const double limit = 0.95 * 3.14159265358979323846;
  double worst = 0, where = 0;
  for (int i = 0; !self->scheme->turns && i + 1 < q->count; i++) {
    double relative[4], turn[3];
    wy_qrelative(q->values + 4 * i, q->values + 4 * (i + 1), relative);
    wy_qlog(relative, turn);
    const double angle = wy_norm3(turn);
    if (angle > worst)
      worst = angle, where = 0.5 * (q->s[i] + q->s[i + 1]);
  }
  if (!wy_judge_above(finding, "kink", worst, limit, limit))
    return false;
  finding->where = where;
  wy_judge_text(finding,
                "rod '%s': at s = %.4g neighbouring %ss are turned by %.3g rad against each other, almost half a turn: "
                "which way the rod bends there is lost",
                rod->name, where, self->scheme->piece, worst);
  wy_judge_remedy(finding, "use %d %ss or more (rods.%s.segments)", 4 * rod->segments, self->scheme->piece, rod->name);
  return true;
}
