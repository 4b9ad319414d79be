#include "integrate/driver.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"

/* Rejections in a row, without progress, after which nothing will help. */
enum { MOST_REJECTIONS = 60 };

static bool finite_at(wy_integrator *self, double t) {
  wy_system *system = self->system;
  double sum = 0, *f = self->f;
  system->type->rhs(system, t, self->u, f, NULL);
  for (int i = 0; i < system->size; i++)
    sum += system->weight[i] * f[i];
  self->type->invalidate(self, true);
  return isfinite(sum);
}

/* What the method could not do, where steps adapt: those of a fixed step say it by themselves. */
static const char *rejection_text(const wy_integrator *self) {
  if (self->type->fixed_step)
    return "";
  switch (self->rejection) {
  case WY_BY_NEWTON:
    return "Newton's method does not converge, however short the step; ";
  case WY_BY_SINGULARITY:
    return "the matrix of the step is singular, however short the step; ";
  case WY_BY_NAN:
    return "forces or states become infinite; ";
  default:
    return "the error stays above the tolerance, however short the step; ";
  }
}

/* Says when, where on the rod, why, and what to try. */
static wy_status give_up(wy_integrator *self, double h, wy_message *message) {
  wy_system *system = self->system;
  const char *name = wy_model_rod(system->model, system->rod)->name;
  char where[400];
  double t = self->now->t;
  bool finite = !system->type->rhs || (finite_at(self, t) && finite_at(self, t + 0.5 * h) && finite_at(self, t + h));
  if (!finite)
    snprintf(where, sizeof where,
             "the forces are not finite there: does an expression of a load, an actuator or a driven end give NaN or "
             "infinity, or does a strain leave what the material law is made for?");
  else
    system->type->diagnose(system, t, self->u, where, sizeof where);
  return wy_fail(message, WY_ERROR_SOLVER, "rod '%s': %s cannot go on at t = %.9g (step %.3g): %s%s", name,
                 self->type->name, t, h, finite ? rejection_text(self) : "", where);
}

void wy_drive_watch(wy_integrator *self) {
  wy_system *system = self->system;
  wy_statistics *statistics = &self->now->statistics;
  if (!system->type->piece_turn)
    return;
  double turn = system->type->piece_turn(system, self->u);
  if (turn > 1 && statistics->piece_turn <= 1)
    statistics->piece_turn_time = self->now->t;
  statistics->piece_turn = fmax(statistics->piece_turn, turn);
}

wy_status wy_drive_step(wy_integrator *self, double limit, wy_message *message) {
  wy_system *system = self->system;
  wy_progress *now = self->now;
  if (now->t >= system->type->next_break(system)) {
    system->type->enter(system, now->t);
    self->type->start(self);
  }
  double stop = fmin(limit, system->type->next_break(system));
  for (int tries = 0;; tries++) {
    double h = now->h;
    wy_outcome outcome = self->type->attempt(self, stop);
    if (outcome == WY_ACCEPTED)
      break;
    now->statistics.rejected++;
    if (outcome == WY_HOPELESS || tries >= MOST_REJECTIONS || self->type->fixed_step ||
        now->h <= 8 * DBL_EPSILON * fabs(now->t))
      return give_up(self, h, message);
  }
  now->moved = true;
  now->statistics.steps++;
  now->statistics.last_step = now->t - now->t_old;
  wy_drive_watch(self);
  if (self->type->multistep) /* its history goes on where it is; what leaves is projected (wy_drive_state) */
    return WY_OK;
  int stale = system->type->project(system, now->t, self->u, self->f, now->drift);
  if (stale < 0)
    return give_up(self, now->statistics.last_step, message);
  if (stale)
    self->type->invalidate(self, true);
  return WY_OK;
}

/* Times on the grid of a fixed step are reached up to round-off. */
static double slack_of(const wy_integrator *self) {
  return self->type->fixed_step ? 1e-9 * self->now->h : 0;
}

wy_status wy_drive_to(wy_integrator *self, double t, double limit, wy_message *message) {
  while (self->now->t < t - slack_of(self)) {
    wy_status status = wy_drive_step(self, limit, message);
    if (status)
      return status;
  }
  return WY_OK;
}

void wy_drive_snap(wy_integrator *self, double t) {
  if (fabs(self->now->t - t) <= slack_of(self))
    self->now->t = t;
}

void wy_drive_state(wy_integrator *self, double t, double *u) {
  double drift[WY_DRIFTS] = {0};
  t = fmax(t, self->now->t_old);
  if (t >= self->now->t - slack_of(self) || !self->now->moved) {
    memcpy(u, self->u, (size_t)self->size * sizeof *u);
    if (!self->type->multistep)
      return;
  } else {
    self->type->dense(self, t, u);
  }
  self->system->type->project(self->system, t, u, NULL, self->type->multistep ? self->now->drift : drift);
  if (self->type->fixed_step) /* whose states between steps are not solutions */
    return;
  for (int i = WY_DRIFT_STRAIN; i <= WY_DRIFT_STRAIN_RATE; i++) /* what is left after projection counts here, too */
    self->now->drift[i] = fmax(self->now->drift[i], drift[i]);
}
