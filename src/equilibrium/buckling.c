/* SPDX-License-Identifier: MIT */
/* Buckling: the loads grow from nothing along the nonlinear path; where the number of unstable directions rises, the
   eigenvalue of K phi = lambda M phi that passes zero is interpolated between points around it. Near the critical point
   itself round-off pushes the rod off its path, so no equilibrium is sought there. A limit
   point is found by arc length. docs/theory/modes.md. */
#include "equilibrium/buckling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "equilibrium/eigen.h"
#include "scheme/contacts.h"

enum { NODES = 6, MOST_TRIALS = 100, MOST_BISECTIONS = 60, MOST_ARCS = 60 };

static const double narrow = 0.02;        /* relative width from which on the eigenvalue is interpolated */
static const double node = 1e-4;          /* relative half distance of the last nodes */
static const double same_factor = 1e-6;   /* relative difference of factors that are one multiple factor */
static const double farthest = 1e6;       /* in units of the first load that is felt */
static const double shortest_arc = 1e-10; /* radians: how well a limit point is known, and its load to the square */
static const double limit_reach = 1.1;    /* times the factor at which load steps have ended */

typedef struct search {
  wy_equilibrium *self;
  wy_spectrum spectrum;
  bool symmetric, rubs; /* rubs: friction may act; tangents that count hold what sticks by its spring */
  int before, neutral;  /* where the path stood before the change: unstable directions, neutral ones */
  int rigid;            /* neutral ones among those that are counted */
  double *low, *middle; /* configurations */
  double *values;       /* eigenpairs */
  double *vectors;      /* [room][degrees of freedom] */
  int room;
  double *rate; /* of degrees of freedom: along the path before a limit point */
} search;

/* ---- Points on the path ---- */

/* The number of unstable directions, or whether it is odd, at an equilibrium whose tangent is at hand; that is then the
   one that counts. -1: it has none. Leaves the number of neutral directions in now->neutral. */
static int count_here(search *s, double tau, const double *config) {
  wy_equilibrium *self = s->self;
  wy_trouble trouble = WY_NO_TROUBLE;
  self->now->neutral = s->rigid;
  wy_system_hold(self->system, s->rubs);
  if (s->rubs)
    trouble = wy_stretch_tangent(self, &self->now->stretch, tau, config);
  if (!trouble)
    wy_stability_count(self);
  wy_system_hold(self->system, false);
  return trouble ? -1 : s->symmetric ? self->now->info.unstable : self->now->info.odd;
}

/* The same at the present point of the path, and its neutral directions. */
static int count_present(search *s, int *rigid) {
  wy_equilibrium_state *now = s->self->now;
  const wy_equilibrium_state present = *now;
  int count = s->symmetric ? now->info.unstable : now->info.odd;
  if (s->rubs)
    count = count_here(s, now->tau, s->self->config);
  *rigid = now->neutral;
  *now = present;
  return count;
}

/* The equilibrium at tau, from the configuration `low`, left in `middle`; then the number of unstable directions (or
   whether it is odd), -1 where there is no equilibrium. */
static int unstable_at(search *s, double tau) {
  wy_equilibrium *self = s->self;
  const wy_newton_task task = {.stretch = &self->now->stretch, .reach = 1};
  const wy_equilibrium_state present = *self->now;
  wy_newton_report report;
  int count = -1;
  self->now->neutral = s->neutral;
  memcpy(s->middle, s->low, (size_t)self->system->config_size * sizeof *s->middle);
  if (!wy_newton(self, &task, &tau, s->middle, &report) && !wy_stretch_tangent(self, task.stretch, tau, s->middle))
    count = count_here(s, tau, s->middle);
  *self->now = present;
  return count;
}

/* Has the change that is looked for, the one to `order` unstable directions, happened at this count? */
static bool happened(const search *s, int count, int order) {
  return s->symmetric ? count >= order : count != s->before;
}

/* Eigenpairs for the tangent at hand, without neutral ones: the number of them. */
static int eigenpairs(search *s, int wanted) {
  int count = wanted + s->rigid, n = s->self->system->dofs;
  if (count > s->room || wy_eigen_lowest(s->self, &s->spectrum, &count, s->values, s->vectors, NULL))
    return 0;
  for (int k = 0; k < s->rigid && count > 0; k++) {
    int least = 0;
    for (int i = 1; i < count; i++)
      least = fabs(s->values[i]) < fabs(s->values[least]) ? i : least;
    count--;
    memmove(s->values + least, s->values + least + 1, (size_t)(count - least) * sizeof *s->values);
    memmove(s->vectors + (size_t)least * n, s->vectors + (size_t)(least + 1) * n,
            (size_t)(count - least) * n * sizeof *s->vectors);
  }
  return count;
}

/* The eigenvalue number `order` at tau, which is negative beyond the critical factor; NAN where there is none. */
static double eigenvalue_at(search *s, double tau, int order) {
  if (unstable_at(s, tau) < 0 || eigenpairs(s, order) < order)
    return NAN;
  return s->values[order - 1];
}

/* ---- One critical factor ---- */

/* Where the eigenvalue is zero, by inverse interpolation through nodes left and right of `centre`; NAN where it does
   not fall from node to node: eigenvalues that cross each other are not smooth. */
static double interpolate(search *s, double centre, double half, int order) {
  double tau[NODES], value[NODES];
  for (int i = 0; i < NODES; i++) {
    tau[i] = centre + half * (2 * i - NODES + 1);
    value[i] = eigenvalue_at(s, tau[i], order);
    if (isnan(value[i]) || (i > 0 && value[i] >= value[i - 1]))
      return NAN;
  }
  for (int step = 1; step < NODES; step++) /* Neville's scheme for tau at value 0 */
    for (int i = 0; i < NODES - step; i++)
      tau[i] = (value[i + step] * tau[i] - value[i] * tau[i + 1]) / (value[i + step] - value[i]);
  return tau[0];
}

/* Halves the interval until it is narrow; `low` follows its lower end. */
static void bisect(search *s, double *from, double *to, double width, int order) {
  for (int k = 0; k < MOST_BISECTIONS; k++) {
    double size = *to - *from;
    if (size <= width * *to)
      return;
    double middle = 0.5 * (*from + *to);
    int count = unstable_at(s, middle);
    if (count < 0)
      return;
    if (happened(s, count, order)) {
      *to = middle;
    } else {
      *from = middle;
      memcpy(s->low, s->middle, (size_t)s->self->system->config_size * sizeof *s->low);
    }
  }
}

/* The factor between `from`, whose configuration is `low`, and `to` at which the number of unstable directions becomes
 * `order`.
 */
static double refine(search *s, double from, double to, int order) {
  bisect(s, &from, &to, narrow, order);
  if (s->symmetric) {
    double rough = interpolate(s, 0.5 * (from + to), (to - from) / (NODES - 1), order);
    double factor = isnan(rough) ? rough : interpolate(s, rough, node * rough, order);
    if (fabs(factor - rough) < node * rough)
      return factor;
  }
  bisect(s, &from, &to, same_factor, order);
  return 0.5 * (from + to);
}

/* The direction that becomes unstable where K is not symmetric: the inverse is by far largest there. */
static void invert(search *s, double *d) {
  wy_system *system = s->self->system;
  const wy_statics_type *type = system->type->statics;
  uint64_t seed = 1;
  wy_freedom_scatter(system, &seed, d);
  for (int k = 0; k < 4; k++) {
    double *image = s->vectors, length = 0;
    type->mass_times(system, d, image);
    for (int i = 0; i < system->dofs; i++)
      length += d[i] * image[i];
    for (int i = 0; i < system->dofs; i++)
      d[i] = image[i] / sqrt(length);
    wy_stretch_solve(s->self, d);
  }
}

/* How the parts are held by what they touch. */
static void note_grip(const search *s, const wy_buckling *out, const double *config) {
  wy_system *part;
  const double t = wy_equilibrium_time(s->self);
  for (int i = 0, at = 0; (part = wy_contacts_part(s->self->system, &i, &at)); at += part->size)
    out->grip[i - 1] = wy_contacts_grip(part, t, config + at);
}

/* Shapes and directions of the factors number first .. last - 1, which are equal: one order after the other. */
static void describe(search *s, const wy_buckling *out, int first, int last, int order) {
  wy_system *system = s->self->system;
  size_t n = (size_t)system->dofs, size = (size_t)system->config_size;
  bool found = unstable_at(s, out->factor[first] * (1 - node)) >= 0;
  if (first == 0)
    note_grip(s, out, found ? s->middle : s->low);
  if (found && s->symmetric)
    found = eigenpairs(s, order + last - first - 1) >= order + last - first - 1;
  for (int i = first; i < last; i++) {
    double *direction = out->direction + (size_t)i * n;
    memcpy(out->config + (size_t)i * size, found ? s->middle : s->low, size * sizeof *out->config);
    memset(direction, 0, n * sizeof *direction);
    if (found && s->symmetric)
      memcpy(direction, s->vectors + (size_t)(order - 1 + i - first) * n, n * sizeof *direction);
    else if (found)
      invert(s, direction);
  }
}

/* All changes between the last point, `before`, and the present one, which has `count` unstable directions. Friction is
   for so long what it was before. */
static void collect(search *s, const wy_equilibrium_state *old, int count, int wanted, wy_buckling *out) {
  wy_equilibrium *self = s->self;
  size_t bytes = (size_t)self->system->config_size * sizeof *s->low;
  int first = out->count, changes = s->symmetric ? count - s->before : 1;
  wy_system_recall(self->system);
  for (int k = 1; k <= changes && out->count < wanted; k++) {
    memcpy(s->low, self->before, bytes);
    out->limit[out->count] = false;
    out->factor[out->count++] = refine(s, old->tau, self->now->tau, s->before + k);
  }
  for (int i = first, j; i < out->count; i = j) {
    for (j = i + 1; j < out->count && out->factor[j] - out->factor[i] < same_factor * out->factor[j]; j++)
      ;
    memcpy(s->low, self->before, bytes);
    describe(s, out, i, j, s->before + 1 + i - first);
  }
  wy_system_recall(self->system);
}

/* After an increment from `old`. */
static void go_on(search *s, const wy_equilibrium_state *old, int wanted, wy_buckling *out) {
  int rigid;
  const int count = count_present(s, &rigid);
  if (count < 0)
    return;
  if (s->symmetric ? count > s->before : count != s->before)
    collect(s, old, count, wanted, out);
  s->before = count;
  s->rigid = rigid;
}

/* ---- The way up ---- */

/* How much the loads at tau change the answer to a push `b`, whose answer without loads is `x`; NAN without
 * equilibrium.
 */
static double change_at(search *s, double tau, const double *b, const double *x) {
  wy_equilibrium *self = s->self;
  double *d = s->vectors;
  if (unstable_at(s, tau) < 0)
    return NAN;
  memcpy(d, b, (size_t)self->system->dofs * sizeof *d);
  wy_stretch_solve(self, d);
  for (int i = 0; i < self->system->dofs; i++)
    d[i] -= x[i];
  return sqrt(wy_freedom_product(self, d, d) / wy_freedom_product(self, x, x));
}

/* A load factor that is felt, but little: the scale of the search. 0 if there is none. */
static double find_scale(search *s) {
  wy_equilibrium *self = s->self;
  wy_system *system = self->system;
  double *b = self->leftover, *x = self->critical, tau = 1;
  uint64_t seed = 1;
  wy_freedom_scatter(system, &seed, x);
  system->type->statics->mass_times(system, x, b);
  memcpy(x, b, (size_t)system->dofs * sizeof *x);
  memcpy(s->low, self->config, (size_t)system->config_size * sizeof *s->low);
  if (unstable_at(s, 0) < 0)
    return 0;
  wy_stretch_solve(self, x);
  for (int k = 0; k < MOST_TRIALS; k++) {
    double change = change_at(s, tau, b, x);
    if (change > 1e-4 && change < 0.1)
      return tau;
    tau *= change <= 1e-4 ? 16 : 1.0 / 8;
  }
  return 0;
}

/* ---- Limit points ---- */

/* The rate along the path at the present point, which goes on from the one kept; how tau changes by it, NAN where K is
   singular to the last digit. The direction that is about to lose its hold is not a neutral one. */
static double rate_here(search *s, const wy_equilibrium_state *from) {
  wy_equilibrium *self = s->self;
  wy_equilibrium_state *now = self->now;
  const double span = now->stretch.span;
  double *rate = self->rate;
  if (wy_stretch_slope(self, &now->stretch, now->tau, self->config, rate) ||
      wy_stretch_tangent(self, &now->stretch, now->tau, self->config))
    return NAN;
  wy_stretch_solve(self, rate);
  const double along = wy_freedom_product(self, rate, s->rate) + from->rate_tau / (span * span);
  const double size = span / sqrt(1 + span * span * wy_freedom_product(self, rate, rate));
  for (int i = 0; i < self->system->dofs; i++)
    rate[i] *= copysign(size, along);
  return isfinite(size) ? copysign(size, along) : (double)NAN;
}

/* The equilibrium an arc of h further than the configuration `low` becomes the present point, and what `out` says of
   it: its factor, its configuration and the direction of the path. How tau changes along the path there; NAN where
   there is none, or where K is singular to the last digit, which leaves the direction as it was. */
static double arc_at(search *s, const wy_equilibrium_state *from, double h, wy_buckling *out) {
  wy_equilibrium *self = s->self;
  wy_system *system = self->system;
  const size_t n = (size_t)system->dofs, size = (size_t)system->config_size, k = (size_t)out->count;
  const wy_newton_task task = {.stretch = &self->now->stretch, .bordered = true, .reach = 1};
  wy_newton_report report;
  double tau = from->tau + h * from->rate_tau;
  *self->now = *from;
  memcpy(self->rate, s->rate, n * sizeof *self->rate);
  system->type->statics->displace(system, s->low, self->rate, h, self->guess);
  if (wy_newton(self, &task, &tau, self->guess, &report))
    return NAN;
  self->now->tau = out->factor[k] = tau;
  memcpy(self->config, self->guess, size * sizeof *self->config);
  memcpy(out->config + k * size, self->guess, size * sizeof *out->config);
  const double change = rate_here(s, from);
  if (!isnan(change))
    memcpy(out->direction + k * n, self->rate, n * sizeof *out->direction);
  return change;
}

/* The limit point lies within an arc of h of `low`, at whose end tau changes by `last`: where it does not change
   (Illinois method). There the path runs in the direction that K does not hold. */
static void locate_limit(search *s, const wy_equilibrium_state *from, double h, double last, wy_buckling *out) {
  wy_system *system = s->self->system;
  const size_t n = (size_t)system->dofs, size = (size_t)system->config_size;
  const double flat = shortest_arc * from->stretch.span;
  double *direction = out->direction + (size_t)out->count * n;
  double a = 0, b = h, rise = from->rate_tau, fall = last;
  out->factor[out->count] = from->tau;
  memcpy(out->config + (size_t)out->count * size, s->low, size * sizeof *out->config);
  memcpy(direction, s->rate, n * sizeof *direction);
  for (int k = 0, side = 0; k < MOST_BISECTIONS && b - a > shortest_arc; k++) {
    const double c = (rise * b - fall * a) / (rise - fall), here = arc_at(s, from, c, out);
    if (isnan(here) || fabs(here) < flat)
      break;
    if (here > 0) {
      fall *= side > 0 ? 0.5 : 1;
      a = c, rise = here, side = 1;
    } else {
      rise *= side < 0 ? 0.5 : 1;
      b = c, fall = here, side = -1;
    }
  }
  system->type->statics->mass_times(system, direction, s->vectors);
  const double length = sqrt(wy_dot(direction, s->vectors, system->dofs));
  for (size_t i = 0; i < n; i++)
    direction[i] /= length;
  out->limit[out->count++] = true;
}

/* Load steps have come to an end: on by arc length, and if the path turns round soon, that is a limit point. */
static void pass_limit(search *s, int wanted, wy_buckling *out) {
  wy_equilibrium *self = s->self;
  wy_equilibrium_state *now = self->now;
  wy_system *system = self->system;
  const double most = limit_reach * now->tau;
  now->stretch.span = now->tau;
  self->options.continuation = WY_ARC_LENGTH;
  if (!(now->tau > 0) || wy_path_rate(self, false))
    return;
  now->has_last = false;
  now->h = 0.01;
  for (int k = 0; k < MOST_ARCS && out->count < wanted && now->tau < most; k++) {
    const wy_equilibrium_state old = *now;
    wy_message ignored;
    memcpy(s->low, self->config, (size_t)system->config_size * sizeof *s->low);
    memcpy(s->rate, self->rate, (size_t)system->dofs * sizeof *s->rate);
    s->neutral = old.neutral;
    wy_system_keep(system);
    if (wy_path_step(self, &ignored))
      return;
    if (now->rate_tau < 0) {
      wy_system_recall(system);
      locate_limit(s, &old, now->h_last, now->rate_tau, out);
      wy_system_recall(system);
      return;
    }
    go_on(s, &old, wanted, out);
  }
}

static wy_status nothing(const search *s, const wy_message *why, wy_message *message) {
  const wy_equilibrium *self = s->self;
  const char *unseen = s->symmetric ? ""
                                    : "; under moments and loads in body axes it may still flutter, or buckle in two "
                                      "directions at once; this was not checked";
  return wy_fail(message, WY_ERROR_SOLVER, "%s '%s': no buckling found up to load factor %.6g%s%s%s",
                 wy_system_noun(self->system), wy_system_name(self->system), self->now->tau, why->text[0] ? ": " : "",
                 why->text, unseen);
}

/* Follows the path until enough factors are found, or it ends. */
static wy_status climb(search *s, double scale, int wanted, wy_buckling *out, wy_message *message) {
  wy_equilibrium *self = s->self;
  wy_equilibrium_state *now = self->now;
  wy_message why = {0};
  /* the skin of what is hardly pressed feels much less than the loads as they are given */
  const double end = farthest * (wy_system_touches(self->system) ? fmax(scale, 1) : scale);
  now->h = scale;
  s->before = count_present(s, &s->rigid);
  while (out->count < wanted && now->tau < end) {
    wy_equilibrium_state old = *now;
    s->neutral = old.neutral;
    now->stretch.span = fmax(16 * scale, now->tau);
    now->h = fmin(now->h, fmax(scale, now->tau));
    wy_system_keep(self->system);
    if (wy_path_step(self, &why))
      break;
    go_on(s, &old, wanted, out);
  }
  if (out->count < wanted && now->tau < end)
    pass_limit(s, wanted, out);
  return out->count > 0 ? WY_OK : nothing(s, &why, message);
}

/* The driven ends where they are at time t, without loads. */
static wy_status bring_ends(wy_equilibrium *self, double t, wy_message *message) {
  wy_stretch stretch = {.t = {t, 0}, .ends = {0, 1}, .end = 1, .span = 1, .settling = true};
  wy_equilibrium_reset(self, &stretch);
  return wy_path_run(self, message);
}

static wy_status find(search *s, double t, int wanted, wy_buckling *out, wy_message *message) {
  wy_equilibrium *self = s->self;
  wy_stretch stretch = {.t = {t, 0}, .loads = {0, 1}, .ends = {1, 0}, .end = INFINITY, .span = 1, .settling = true};
  wy_status status = bring_ends(self, t, message);
  if (status)
    return status;
  s->rubs = wy_system_remembers(self->system);
  wy_system_hold(self->system, s->rubs);
  s->symmetric =
      (!s->rubs || wy_stretch_tangent(self, &self->now->stretch, self->now->tau, self->config) != WY_NOT_FINITE) &&
      wy_spectrum_find(self, &s->spectrum);
  wy_system_hold(self->system, false);
  wy_path_begin(self, &stretch);
  double scale = find_scale(s);
  if (scale == 0 && wy_system_touches(self->system))
    return wy_fail(message, WY_ERROR_SOLVER,
                   "%s '%s': the smallest load changes how it lies on what it touches; hold it by its ends, too, or "
                   "press it against obstacles that are closer",
                   wy_system_noun(self->system), wy_system_name(self->system));
  if (scale == 0)
    return wy_fail(message, WY_ERROR_SOLVER, "%s '%s': the loads do not change its stiffness, so it does not buckle",
                   wy_system_noun(self->system), wy_system_name(self->system));
  stretch.span = scale;
  wy_path_begin(self, &stretch);
  return climb(s, scale, wanted, out, message);
}

wy_status wy_buckling_find(wy_equilibrium *self, double t, wy_buckling *out, wy_message *message) {
  const wy_statics_options options = self->options;
  size_t size = (size_t)self->system->config_size, n = (size_t)self->system->dofs;
  search s = {.self = self, .room = out->count + 2 * WY_MOST_NEUTRAL + 4};
  double *block = malloc((2 * size + n + (size_t)s.room * (n + 1)) * sizeof *block);
  if (!block)
    return wy_fail(message, WY_ERROR_MEMORY, "out of memory for %d buckling shapes", out->count);
  s.low = block;
  s.middle = s.low + size;
  s.rate = s.middle + size;
  s.values = s.rate + n;
  s.vectors = s.values + s.room;
  self->options.continuation = WY_LOAD_STEPPING;
  self->options.branch = WY_FOLLOW_BRANCH;
  int wanted = out->count;
  out->count = 0;
  wy_status status = find(&s, t, wanted, out, message);
  self->options = options;
  free(block);
  return status;
}
