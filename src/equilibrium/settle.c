/* SPDX-License-Identifier: MIT */
/* From the undeformed rod to the equilibrium under all loads. The straight path comes first: loads and ends in
   proportion. Where it ends before it arrives, other ways are tried, in the order of wy_equilibrium_way.
   docs/theory/continuation.md. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "equilibrium/equilibrium.h"
#include "scheme/contacts.h"
#include "scheme/supports.h"

enum {
  MOST_ARCS = 400, /* increments of the path by arc length, tried without being asked for */
  MOST_JUMPS = 12  /* relaxations on one way */
};

/* Load factor up to which a singular tangent is blamed on how the rod is held. */
static const double soft_start = 1e-3;

const char *wy_equilibrium_way_name(wy_equilibrium_way way) {
  static const char *const names[] = {[WY_WAY_STRAIGHT] = "along the straight path",
                                      [WY_WAY_ARC_LENGTH] = "by arc length",
                                      [WY_WAY_DETOUR] = "by another path of the ends",
                                      [WY_WAY_RELAXATION] = "by relaxation"};
  return way <= WY_WAY_RELAXATION ? names[way] : "";
}

/* ---- One way ---- */

static void begin(wy_equilibrium *self, double t) {
  wy_stretch stretch = {.t = {t, 0}, .loads = {0, 1}, .ends = {0, 1}, .end = 1, .floor = -10, .span = 1};
  stretch.settling = true;
  if (self->closing) {
    stretch.closing = true;
    stretch.loads[1] = stretch.ends[1] = 0;
  }
  wy_equilibrium_reset(self, &stretch);
}

/* From the end of the path a part of the rest of its way further: the rod snaps over, or swings down. */
static bool jump(wy_equilibrium *self) {
  static const double shares[] = {1.0 / 64, 1.0 / 8, 1};
  wy_equilibrium_state *now = self->now;
  const double tau = now->tau;
  for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
    now->tau = i + 1 < sizeof shares / sizeof *shares ? tau + shares[i] * (now->stretch.end - tau) : now->stretch.end;
    if (wy_relax(self))
      return !wy_snap_landed(self) || now->tau == now->stretch.end;
    if (self->trouble == WY_TOO_FAR) /* it falls for ever */
      break;
  }
  now->tau = tau;
  return false;
}

static wy_status ramp(wy_equilibrium *self, double t, wy_equilibrium_way way, wy_message *message) {
  begin(self, t);
  wy_status status = wy_path_run(self, message);
  for (int jumps = 0; status && way == WY_WAY_RELAXATION && jumps < MOST_JUMPS && jump(self); jumps++)
    status = wy_path_run(self, message);
  return status;
}

/* ---- All of them ---- */

/* What was tried, and how far it came. */
typedef struct trials {
  int count, detours;
  int unstable, unstable_detour;         /* the first way that led to an unstable equilibrium; 0: none */
  bool last_chance;                      /* that will do now */
  bool beyond;                           /* a way led to a configuration that the scheme does not carry */
  double reached[WY_WAY_RELAXATION + 1]; /* load factors */
  bool tried[WY_WAY_RELAXATION + 1];
} trials;

/* Where the straight path has ended only what would last in reality will do. The first way leaves it to the user, who
   is told, whether the scheme carries the configuration. */
static wy_status judge(const wy_equilibrium *self, wy_equilibrium_way way, int detour, trials *all,
                       wy_message *message) {
  if (!wy_snap_carried(self)) {
    all->beyond = true;
    return wy_fail(message, WY_ERROR_SOLVER, "a rotation exceeds the limit of the scheme");
  }
  if (self->now->info.unstable <= 0 || all->last_chance)
    return WY_OK;
  if (!all->unstable)
    all->unstable = (int)way, all->unstable_detour = detour;
  return wy_fail(message, WY_ERROR_SOLVER, "the equilibrium is unstable");
}

/* All supports: of the ends of rods, then of bodies. NULL: the scheme has none there. */
static int support_count(const wy_system *system) {
  return wy_part_count(system) + system->body_support_count;
}

static struct wy_supports *support_at(const wy_system *system, int i) {
  const int rods = wy_part_count(system);
  return i < rods ? wy_part(system, i)->supports : system->body_supports[i - rods];
}

static void set_detour(const wy_system *system, int detour) {
  for (int i = 0; i < support_count(system); i++)
    if (support_at(system, i))
      support_at(system, i)->detour = detour;
}

static wy_status try_way(wy_equilibrium *self, double t, wy_equilibrium_way way, int detour, trials *all,
                         wy_message *message) {
  const wy_continuation wanted = self->options.continuation;
  const wy_equilibrium_info before = self->now->info;
  if (way != WY_WAY_STRAIGHT)
    self->options.continuation = way == WY_WAY_ARC_LENGTH ? WY_ARC_LENGTH : WY_LOAD_STEPPING;
  self->most_steps = way == WY_WAY_STRAIGHT ? WY_MOST_STEPS : MOST_ARCS;
  set_detour(self->system, detour);
  self->trouble = WY_NO_TROUBLE;
  wy_status status = ramp(self, t, way, message);
  set_detour(self->system, 0);
  self->options.continuation = wanted;
  self->most_steps = WY_MOST_STEPS;
  wy_equilibrium_info *info = &self->now->info;
  info->way = way;
  if (way != WY_WAY_STRAIGHT) {
    info->ways_tried = all->count;
    info->newton_iterations += before.newton_iterations;
    info->rejected += before.rejected;
    info->relaxation_steps += before.relaxation_steps;
    if (!status)
      status = judge(self, way, detour, all, message);
  }
  all->count++;
  all->tried[way] = true;
  all->reached[way] = fmax(all->reached[way], self->now->tau);
  return status;
}

/* Do ends have to be moved? An inextensible rod whose ends would be farther apart than it is long has no
   equilibrium, whatever the way. */
static bool ends_move(const wy_equilibrium *self) {
  bool any = false;
  for (int i = 0; i < support_count(self->system); i++) {
    const struct wy_supports *supports = support_at(self->system, i);
    for (int end = 0; supports && end < supports->count; end++)
      any = any || wy_support_moves(supports, end);
  }
  return any;
}

static bool out_of_reach(const wy_equilibrium *self, double t) {
  bool any = false;
  for (int i = 0; i < wy_part_count(self->system) && !any; i++) {
    const wy_system *part = wy_part(self->system, i);
    const struct wy_supports *supports = part->supports;
    if (!supports || wy_model_rod(part->model, part->rod)->kind != WY_INEXTENSIBLE)
      continue;
    self->system->type->statics->apply(self->system, true, 1, 1);
    any = wy_support_chord(supports, t) > (1 - 1e-6) * supports->length;
  }
  return any;
}

/* To the message of the straight path: what else was tried. */
static void tell(const trials *all, wy_message *message) {
  size_t used = strlen(message->text), size = sizeof message->text;
  const char *before = used > 0 && message->text[used - 1] == '?' ? " Nor was one found" : ". Nor was one found";
  for (int way = WY_WAY_ARC_LENGTH; way <= WY_WAY_RELAXATION; way++) {
    if (!all->tried[way] || used >= size)
      continue;
    char count[32] = "";
    if (way == WY_WAY_DETOUR)
      snprintf(count, sizeof count, " (%d of them)", all->detours);
    used += (size_t)snprintf(message->text + used, size - used, "%s %s%s, up to load factor %.4g", before,
                             wy_equilibrium_way_name((wy_equilibrium_way)way), count, all->reached[way]);
    before = ",";
  }
  if (all->beyond && used < size)
    snprintf(message->text + used, size - used,
             ": in the configurations found there the rotation across a segment exceeds the limit of the scheme; use "
             "more segments");
}

wy_status wy_equilibrium_settle(wy_equilibrium *self, double t, wy_message *message) {
  trials all = {0};
  wy_message later;
  wy_status status = try_way(self, t, WY_WAY_STRAIGHT, 0, &all, message);
  /* What nothing but its loads holds has to find its place first: no path leads there. */
  const bool loose = self->trouble == WY_SINGULAR && self->now->tau < soft_start;
  char ignored[300];
  const bool floats = status && loose && wy_system_floats(self->system, t, self->config, ignored, sizeof ignored);
  bool hopeless = status && (self->trouble == WY_NOT_FINITE || floats || out_of_reach(self, t));
  if (status && !hopeless) {
    if (!loose && self->options.continuation != WY_ARC_LENGTH)
      status = try_way(self, t, WY_WAY_ARC_LENGTH, 0, &all, &later);
    for (all.detours = 0; status && !loose && ends_move(self) && all.detours < WY_DETOURS; all.detours++)
      status = try_way(self, t, WY_WAY_DETOUR, all.detours + 1, &all, &later);
    if (status && !self->closing) /* a rod that snaps over may lose a turn that a joint has given it */
      status = try_way(self, t, WY_WAY_RELAXATION, 0, &all, &later);
    all.last_chance = true;
    if (status && all.unstable)
      status = try_way(self, t, (wy_equilibrium_way)all.unstable, all.unstable_detour, &all, &later);
    if (status && message)
      tell(&all, message);
  }
  self->now->settled = status == WY_OK;
  return status;
}

wy_status wy_equilibrium_close(wy_equilibrium *self, wy_message *message) {
  const wy_statics_type *statics = self->system->type->statics;
  const wy_branch wanted = self->options.branch;
  self->closing = true;
  self->options.branch = WY_SWITCH_BRANCH; /* what is longer than its way gives way sideways */
  const wy_status status = wy_equilibrium_settle(self, 0, message);
  self->closing = false;
  self->options.branch = wanted;
  statics->close(self->system, 1);
  if (status)
    return status;
  statics->keep(self->system, self->config);
  wy_equilibrium_rest(self, false);
  *self->now = (wy_equilibrium_state){.info = {.unstable = -1, .first_bifurcation = NAN, .first_snap = NAN}};
  return WY_OK;
}
