/* SPDX-License-Identifier: MIT */
/* Paths of equilibria: increments of load or time with automatic size, or of arc length, which passes limit points
   (Keller's pseudo-arclength). An increment is a guess along the path, by the rates at the last two points, and
   Newton's corrections from there. docs/theory/continuation.md. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "equilibrium/equilibrium.h"
#include "scheme/contacts.h"

enum { MANY_ITERATIONS = 6 /* above, the next increment is smaller */ };

static const double good_guess = 0.1;               /* first correction, in radians, that increments aim at */
static const double bad_guess = 0.35;               /* more may lead to another path ... */
static const double short_share = 1.0 / 1024;       /* ... but for increments below this part of the span */
static const double reach = 1;                      /* sum of corrections, in radians, that is still the same branch */
static const double smallest_share = 1.0 / 1048576; /* of the span: below, an increment makes no sense */
static const double finest_contact = 1.0 / 64;      /* of the first increment: as short because of contact */
static const double largest_arc = 0.15;             /* radians, root mean square: small against a turn of the path */

/* Of (P5). */
static const double most_of_mean = 1.25, most_excess = 0.25, least_leap = 1e-6;

static bool arc(const wy_equilibrium *self) {
  return self->options.continuation == WY_ARC_LENGTH && !self->now->stretch.easing;
}

/* What increments are compared with. */
static double scale(const wy_equilibrium *self) {
  return arc(self) ? 1 : self->now->stretch.span;
}

double wy_path_smallest(const wy_equilibrium *self) {
  return smallest_share * scale(self);
}

/* The distance between two configurations, and how far a displacement leads. Units are mixed, the same way in both. */
static double distance(const wy_equilibrium *self, const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < self->system->config_size; i++)
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sqrt(sum);
}

static double extent(wy_equilibrium *self, const double *from, const double *d, double factor) {
  self->system->type->statics->displace(self->system, from, d, factor, self->trial);
  return distance(self, from, self->trial);
}

/* INFINITY: the path does not look as if it ended. */
static double rest_of(const wy_equilibrium_state *at) {
  const double grown = at->pace * at->pace - at->last_pace * at->last_pace;
  return at->last_pace > 0 && grown > 0 ? at->h_last * at->last_pace * at->last_pace / grown : (double)INFINITY;
}

double wy_path_rest(const wy_equilibrium *self, const wy_equilibrium_state *at) {
  return fmin(2 * wy_path_smallest(self), rest_of(at));
}

bool wy_path_meets(wy_equilibrium *self, double rest, const double *there, double beyond) {
  const double first = extent(self, self->before, self->last, rest);
  return distance(self, self->before, there) <= 4 * (first + extent(self, there, self->rate, beyond));
}

/* ---- The rate ---- */

/* Turns d configuration / d tau into the rate along the path: per arc length, in the direction in which the path was
 * going. */
static void measure_by_arc(wy_equilibrium *self, bool keep) {
  wy_equilibrium_state *now = self->now;
  const double span = now->stretch.span;
  double rate_tau = span / sqrt(1 + span * span * wy_freedom_product(self, self->rate, self->rate));
  double along = now->stretch.end - now->stretch.start;
  if (keep)
    along = wy_freedom_product(self, self->rate, self->last) + now->last_tau / (span * span);
  now->rate_tau = copysign(rate_tau, along);
  for (int i = 0; i < self->system->dofs; i++)
    self->rate[i] *= now->rate_tau;
}

wy_trouble wy_path_rate(wy_equilibrium *self, bool keep) {
  wy_equilibrium_state *now = self->now;
  wy_system *system = self->system;
  now->has_rate = false;
  memcpy(self->last, self->rate, (size_t)system->dofs * sizeof *self->last);
  now->last_tau = now->rate_tau;
  if (wy_stretch_slope(self, &now->stretch, now->tau, self->config, self->rate))
    return WY_NOT_FINITE;
  int neutral = now->neutral;
  wy_trouble trouble = wy_stretch_tangent(self, &now->stretch, now->tau, self->config);
  if (trouble != WY_NOT_FINITE)
    wy_stability_count(self);
  if (now->neutral != neutral)
    trouble = wy_stretch_tangent(self, &now->stretch, now->tau, self->config);
  if (trouble)
    return trouble;
  wy_stretch_solve(self, self->rate);
  if (!isfinite(wy_freedom_size(system, self->rate)))
    return WY_NOT_FINITE;
  now->rate_tau = 1;
  if (arc(self))
    measure_by_arc(self, keep);
  now->last_pace = keep ? sqrt(wy_freedom_product(self, self->last, self->last)) : 0;
  now->pace = sqrt(wy_freedom_product(self, self->rate, self->rate));
  now->has_rate = true;
  return WY_NO_TROUBLE;
}

wy_trouble wy_path_begin(wy_equilibrium *self, const wy_stretch *stretch) {
  wy_equilibrium_state *now = self->now;
  now->stretch = *stretch;
  now->tau = stretch->start;
  now->has_last = false;
  wy_trouble trouble = wy_path_rate(self, false);
  now->h = stretch->span / self->options.increments / fabs(now->rate_tau);
  if (arc(self))
    now->h = fmin(now->h, largest_arc);
  return trouble;
}

/* ---- One increment ---- */

/* The point a step of h further: by the rate here, and how it has changed since the last point. */
static double guess_at(wy_equilibrium *self, double h, bool lands) {
  wy_equilibrium_state *now = self->now;
  wy_system *system = self->system;
  double *d = self->work, bend = now->has_last ? fmin(h / now->h_last, 2) / 2 : 0;
  double tau = now->tau + h * now->rate_tau + h * bend * (now->rate_tau - now->last_tau);
  for (int i = 0; i < system->dofs; i++)
    d[i] = h * self->rate[i] + h * bend * (self->rate[i] - self->last[i]);
  system->type->statics->displace(system, self->config, d, 1, self->guess);
  memcpy(self->way, d, (size_t)system->dofs * sizeof *d);
  return lands ? now->stretch.end : tau;
}

typedef struct attempt {
  double h;     /* tried */
  bool lands;   /* exactly at the end of the stretch, by load control */
  bool changes; /* the set of touching stations */
  wy_trouble trouble;
  wy_newton_report newton;
} attempt;

/* Does a step of h reach the end, nearly so, or beyond? Then the step that does exactly. */
static attempt choose_step(const wy_equilibrium *self) {
  const wy_equilibrium_state *now = self->now;
  double rest = (now->stretch.end - now->tau) / now->rate_tau; /* negative: the path leads away from the end */
  attempt out = {.h = now->h};
  if (rest > 0 && rest <= 1.1 * now->h)
    out.h = rest, out.lands = true;
  else if (rest > 0 && rest < 2 * now->h)
    out.h = 0.5 * rest;
  return out;
}

static bool beyond(const wy_stretch *stretch, double tau) {
  return (tau - stretch->end) * (stretch->end - stretch->start) > 0;
}

/* Increments this short are not halved because of contact. */
static bool is_fine(const wy_equilibrium *self, double h) {
  const double first = self->now->stretch.span / self->options.increments;
  return h <= finest_contact * (arc(self) ? fmin(first, largest_arc) : first);
}

/* Does a guess throw the rod through an obstacle? */
static bool leads_astray(const wy_equilibrium *self, double tau, double h) {
  wy_system *system = self->system;
  if (!wy_system_touches(system) || is_fine(self, h))
    return false;
  wy_stretch_apply(self, &self->now->stretch, tau);
  return wy_system_rest_reach(system, wy_stretch_time(&self->now->stretch, tau), self->config, self->guess) < 1;
}

/* Many stations that touch or let go in one increment may have skipped what lies between, which friction remembers. */
static void judge_contact(const wy_equilibrium *self, double tau, attempt *step) {
  wy_system *system = self->system;
  if (!wy_system_touches(system))
    return;
  const wy_touching now = wy_system_touching(system, wy_stretch_time(&self->now->stretch, tau), self->guess);
  step->changes = now.changed > 0;
  if (now.changed > fmax(4, 0.1 * now.count) && !is_fine(self, step->h))
    step->trouble = WY_TOO_FAR;
}

/* Tries one increment; the new point is then `guess`, *tau. */
static attempt try_step(wy_equilibrium *self, double *tau) {
  wy_equilibrium_state *now = self->now;
  attempt step = choose_step(self);
  bool bordered = arc(self) && !step.lands;
  wy_newton_task task = {.stretch = &now->stretch, .bordered = bordered, .reach = reach, .way = self->way};
  *tau = guess_at(self, step.h, step.lands);
  if (leads_astray(self, *tau, step.h)) {
    step.trouble = WY_TOO_FAR;
    return step;
  }
  step.trouble = wy_newton(self, &task, tau, self->guess, &step.newton);
  /* A path that turns sharply has others beside it: those with smaller increments stay on their own. */
  if (!step.trouble && step.newton.first > bad_guess && step.h > short_share * scale(self))
    step.trouble = WY_TOO_FAR;
  /* An increment of arc length that went past the end has to be made again, shorter. */
  if (!step.trouble && bordered && beyond(&now->stretch, *tau))
    step.trouble = WY_TOO_FAR;
  if (!step.trouble)
    judge_contact(self, *tau, &step);
  return step;
}

/* The next step from how this one went: its first correction is an error of third order. */
static void adapt(wy_equilibrium *self, const attempt *step) {
  wy_equilibrium_state *now = self->now;
  double change = step->newton.first > 0 ? cbrt(good_guess / step->newton.first) : 2;
  change = fmin(fmax(change, 0.5), 2);
  if (step->newton.iterations > MANY_ITERATIONS)
    change = fmin(change, 0.7);
  if (step->h < now->h && change > 1) /* cut short: says nothing against the step that was wanted */
    now->h = fmax(now->h, change * step->h);
  else
    now->h = change * step->h;
  if (arc(self))
    now->h = fmin(now->h, largest_arc);
}

/* ---- Failure ---- */

static const char *what_happened(wy_trouble trouble) {
  switch (trouble) {
  case WY_SINGULAR:
    return "the tangent stiffness is singular";
  case WY_NOT_FINITE:
    return "the forces are not finite: does an expression of a load or a driven end give NaN or infinity?";
  case WY_TOO_FAR:
    return "the next equilibrium is too far away";
  default:
    return "Newton's method does not converge";
  }
}

static const char *what_to_try(const wy_equilibrium *self, wy_trouble trouble) {
  const wy_equilibrium_state *now = self->now;
  if (now->tau == now->stretch.start && trouble == WY_SINGULAR)
    return "do its supports prevent motions as a rigid body?";
  /* Near a limit point the rate grows like one over the square root of what is left. Settling tries arc length itself.
   */
  if (now->has_rate && !arc(self) && wy_freedom_size(self->system, self->rate) * now->stretch.span > 100)
    return now->stretch.settling
               ? "this looks like a limit point, beyond which no equilibrium is near: try smaller loads, or other "
                 "supports"
               : "this looks like a limit point, beyond which no equilibrium is near: try continuation: arc_length";
  if (now->info.unstable > 0 || now->info.odd)
    return "the equilibrium is unstable here: try branch: switch, or more segments";
  return arc(self) || now->stretch.settling ? "try more segments, or more increments"
                                            : "try more segments, more increments, or continuation: arc_length";
}

/* Says where, why, and what to try, where the rod does not say itself what is wrong. */
static wy_status give_up(wy_equilibrium *self, wy_trouble trouble, wy_message *message) {
  const wy_equilibrium_state *now = self->now;
  wy_system *system = self->system;
  double t = wy_stretch_time(&now->stretch, now->tau);
  char place[64], diagnosis[300] = "";
  if (now->stretch.settling)
    snprintf(place, sizeof place, "load factor %.6g (t = %.6g)", now->tau, t);
  else
    snprintf(place, sizeof place, "t = %.9g", t);
  if (now->tau != now->stretch.start || !wy_system_floats(system, t, self->config, diagnosis, sizeof diagnosis))
    system->type->diagnose(system, t, self->config, diagnosis, sizeof diagnosis);
  if (trouble == WY_NOT_FINITE && diagnosis[0]) /* the scheme refuses, and says why */
    trouble = WY_NOT_CONVERGING;
  self->trouble = trouble;
  return wy_fail(message, WY_ERROR_SOLVER, "%s '%s': no equilibrium found beyond %s: %s; %s", wy_system_noun(system),
                 wy_system_name(system), place, what_happened(trouble),
                 diagnosis[0] ? diagnosis : what_to_try(self, trouble));
}

/* ---- Going ---- */

static void arrive(wy_equilibrium *self, const attempt *step, double tau) {
  wy_equilibrium_state *now = self->now;
  size_t bytes = (size_t)self->system->config_size * sizeof *self->config;
  memcpy(self->before, self->config, bytes);
  memcpy(self->config, self->guess, bytes);
  now->tau = tau;
  now->h_last = step->h;
  now->has_last = !step->changes; /* the path has a kink there */
  wy_equilibrium_accept(self);
}

static void reject(wy_equilibrium *self, double h) {
  self->now->h = h;
  self->now->info.rejected++;
  self->statistics->rejected++;
}

/* ---- Leaps ---- */

/* Do the loads themselves leap from `old` to here? Their change is then not that of their rate. */
static bool loads_leap(wy_equilibrium *self, const wy_equilibrium_state *old) {
  const wy_equilibrium_state *now = self->now;
  double off = 0, all = 0;
  if (wy_stretch_slope(self, &now->stretch, old->tau, self->before, self->slope) ||
      wy_stretch_residual(self, &now->stretch, old->tau, self->before, self->residual) ||
      wy_stretch_residual(self, &now->stretch, now->tau, self->before, self->simplified))
    return false;
  for (int i = 0; i < self->system->dofs; i++) {
    const double change = self->simplified[i] - self->residual[i];
    const double rest = change - (now->tau - old->tau) * self->slope[i];
    off += rest * rest;
    all += change * change;
  }
  return off > 0.25 * all;
}

/* The largest of the components by which the way is longer than the rates explain, the one at the old point for a
   share of the increment. */
static double excess(const wy_equilibrium *self, double h, double share) {
  double largest = 0;
  for (int i = 0; i < self->system->dofs; i++) {
    const double mean = 0.5 * h * (share * fabs(self->last[i]) + fabs(self->rate[i]));
    largest = fmax(largest, self->system->dof_weight[i] * (fabs(self->way[i]) - most_of_mean * mean));
  }
  return largest;
}

/* Has the increment from `old` to here left its path (P5)? With contact the path has kinks, and friction slips. What
   settles may take any path. */
static bool leapt(wy_equilibrium *self, const wy_equilibrium_state *old, const attempt *step) {
  const wy_system *system = self->system;
  const double longest = wy_freedom_size(system, self->way), missed = step->newton.first;
  const bool turns = self->now->rate_tau * old->rate_tau < 0; /* round a limit point */
  if (self->now->stretch.settling || wy_system_touches(system) || turns || longest <= least_leap)
    return false;
  const double share = missed > 0.1 * longest ? fmin(1, 4 * rest_of(old) / step->h) : 1;
  const bool peak = old->pace > old->last_pace && self->now->pace < 0.5 * old->pace; /* of the rate */
  if (excess(self, step->h, share) <= most_excess * longest && !(peak && missed > 0.5 * longest))
    return false;
  if (step->h <= 2 * wy_path_smallest(self) && wy_path_meets(self, wy_path_rest(self, old), self->config, step->h))
    return false;
  return step->h > short_share * scale(self) || !loads_leap(self, old);
}

/* What the increment has changed is as it was, and the next one is half as long. */
static void go_back(wy_equilibrium *self, const wy_equilibrium_state *old, const attempt *step) {
  wy_equilibrium_state *now = self->now;
  wy_equilibrium_info info = old->info;
  info.newton_iterations = now->info.newton_iterations;
  info.rejected = now->info.rejected;
  *now = *old;
  now->info = info;
  now->has_last = false;
  memcpy(self->config, self->before, (size_t)self->system->config_size * sizeof *self->config);
  memcpy(self->rate, self->last, (size_t)self->system->dofs * sizeof *self->rate);
  reject(self, 0.5 * step->h);
}

/* The next point, now the present one with its rate, that an increment from `old` leads to. */
static wy_status find_next(wy_equilibrium *self, attempt *step, double *tau, wy_message *message) {
  const wy_equilibrium_state *now = self->now;
  const double smallest = wy_path_smallest(self);
  for (*step = try_step(self, tau); step->trouble; *step = try_step(self, tau)) {
    reject(self, (step->trouble == WY_SINGULAR ? 0.7 : 0.5) * step->h);
    if (now->h < smallest)
      return give_up(self, step->trouble, message);
  }
  return WY_OK;
}

wy_status wy_path_step(wy_equilibrium *self, wy_message *message) {
  wy_equilibrium_state *now = self->now;
  if (!now->has_rate)
    return give_up(self, WY_SINGULAR, message);
  const wy_equilibrium_state old = *now;
  attempt step;
  double tau;
  wy_trouble trouble;
  for (;;) {
    const wy_status status = find_next(self, &step, &tau, message);
    if (status)
      return status;
    arrive(self, &step, tau);
    trouble = wy_path_rate(self, true);
    if (trouble || !leapt(self, &old, &step))
      break;
    go_back(self, &old, &step);
    if (now->h < wy_path_smallest(self))
      return give_up(self, WY_TOO_FAR, message);
  }
  now->info.increments++;
  self->statistics->steps++;
  self->statistics->last_step = step.h;
  adapt(self, &step);
  if (trouble == WY_NO_TROUBLE)
    wy_stability_passed(self, &old);
  else if (now->tau != now->stretch.end)
    return give_up(self, trouble, message);
  return WY_OK;
}

wy_status wy_path_run(wy_equilibrium *self, wy_message *message) {
  wy_equilibrium_state *now = self->now;
  for (int steps = 0; now->tau != now->stretch.end; steps++) {
    wy_status status = wy_path_step(self, message);
    if (status)
      return status;
    bool back = (now->tau - now->stretch.floor) * (now->stretch.end - now->stretch.start) < 0;
    if (back || steps >= self->most_steps) {
      char diagnosis[300] = "";
      self->system->type->diagnose(self->system, wy_equilibrium_time(self), self->config, diagnosis, sizeof diagnosis);
      return wy_fail(message, WY_ERROR_SOLVER, "%s '%s': the path of equilibria %s before it reaches %s %.9g%s%s",
                     wy_system_noun(self->system), wy_system_name(self->system),
                     back ? "runs back beyond its start" : "takes too many increments",
                     now->stretch.settling ? "load factor" : "t =", now->stretch.end, diagnosis[0] ? ": " : "",
                     diagnosis);
    }
  }
  return WY_OK;
}
