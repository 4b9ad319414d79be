/* SPDX-License-Identifier: MIT */
/* Which scheme, grid and tolerance leave an error: wy_space_choose. The laws and their constants are derived and fitted
   in docs/theory/accuracy.md, (E1) to (E9). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "judge/subject.h"
#include "math/vec3.h"
#include "model/contact.h"
#include "model/network.h"
#include "scheme/fluid.h"
#include "scheme/solver.h"
#include "withy/method.h"

static const double pi = 3.14159265358979323846;
enum { LEAST = 5, LEAST_CONSERVING = 8, MOST = 2000, PLACES = 8 };

/* What is asked for, and what the rod is, without units. */
typedef struct task {
  const wy_model *model;
  const wy_rod_def *rod;
  int index;
  wy_analysis analysis;
  double end, accuracy;
  unsigned given;  /* bits WY_GIVEN_... */
  double softness; /* F L^2 / EI, F the force that moves or bends the rod (E1) */
  double span;     /* of the run, in the time sqrt(m L^2 / F) in which F moves the rod by its length (E2) */
  double slender;  /* L sqrt(EA / EI) */
  double turn;     /* angle of the undeformed rod from end to end */
  double bent;     /* angle by which the moments of loads bend it */
  double uneven;   /* by how much the slope of the velocities at the start changes along the rod, times the run (E5a) */
  double apart;    /* distance of its undeformed ends, over the length */
  bool held[2];    /* [start, end]: is the rotation held? */
  bool both;       /* are both ends held? */
  bool joined;
  const char *unknown; /* why no error is promised, or NULL */
} task;

/* One way to compute it. */
typedef struct way {
  bool conserving;
  int segments;
  double tolerance;
  double error; /* of grid and steps together */
  double work;  /* in microseconds */
} way;

/* ---- The rod ---- */

static bool is_released(const wy_rod_def *rod) {
  return isfinite(rod->ends[WY_START].release) || isfinite(rod->ends[WY_END].release);
}

static bool is_joined(const wy_model *model, int rod) {
  const wy_network *network = wy_model_network(model);
  for (int i = 0; i < network->group_count; i++)
    for (int k = 0; k < network->groups[i].rod_count; k++)
      if (network->groups[i].rods[k] == rod)
        return network->groups[i].rod_count > 1 || network->groups[i].hub_count > 0;
  return false;
}

/* The section where it is softest, and the mean mass per length. */
static wy_section_values softest_section(const task *of) {
  wy_section_values out = wy_model_section(of->model, of->index, 0.5 * of->rod->length);
  double mass = 0;
  for (int p = 0; p <= PLACES; p++) {
    const wy_section_values here = wy_model_section(of->model, of->index, of->rod->length * p / PLACES);
    mass += here.mass * (p == 0 || p == PLACES ? 0.5 : 1) / PLACES;
    for (int k = 3; k < 5; k++)
      out.stiffness[3] = fmin(out.stiffness[3], here.stiffness[k]);
    out.stiffness[2] = fmin(out.stiffness[2], here.stiffness[2]);
  }
  out.mass = mass;
  return out;
}

/* How fast vibrations die away, in 1/time: those of drag, and of bending at the frequency of the motion. */
static double decay_of(const task *of, const wy_section_values *section, const wy_rod_motion *motion) {
  const double bending = 2 * pi / motion->period;
  const double rate2 = bending * bending + motion->speed2 / (of->rod->length * of->rod->length);
  return 0.5 * of->rod->drag.translation + 0.5 * rate2 * section->damping[3] / section->stiffness[3];
}

/* Total variation of the slope of the initial velocities along the rod, in 1/time. */
static double uneven_start(const wy_rod_def *rod) {
  double before[3], here[3], sum = 0;
  const double ds = rod->length / PLACES;
  for (int p = 0; p <= PLACES; p++) {
    double second[3];
    for (int k = 0; k < 3; k++) {
      const double next = wy_signal_value(&rod->initial.velocity[k], p * ds, 0);
      second[k] = p < 2 ? 0 : next - 2 * here[k] + before[k];
      before[k] = p > 0 ? here[k] : next;
      here[k] = next;
    }
    sum += wy_norm3(second) / ds;
  }
  return sum;
}

/* Of equilibria: the weight, the largest moment of loads, and ends that are pushed together (as in resolution.c). */
static double softness_at_rest(const wy_subject *in, double bending) {
  const double weight = in->mass * wy_norm3(wy_model_gravity(in->model));
  const double pushed = in->slack > 0 && !in->cable ? 8 * pi * pi * fmin(in->slack, 1) : 0;
  return (weight * in->length + wy_subject_load_moment(in, in->length)) * in->length / bending + pushed;
}

static void set_scales(task *of, const wy_subject *in) {
  const wy_section_values section = softest_section(of);
  const double bending = in->long_term * section.stiffness[3], length = of->rod->length;
  wy_rod_motion motion = {0};
  of->bent = wy_subject_load_moment(in, 0) * length / bending;
  of->slender = length * sqrt(section.stiffness[2] / section.stiffness[3]);
  if (of->analysis != WY_DYNAMICS) {
    of->softness = softness_at_rest(in, bending);
    return;
  }
  of->bent *= 2; /* what is there at once bends twice as far */
  wy_model_motion(of->model, of->index, of->end, &motion);
  /* F = m speed^2 / 2; a force at the end bends a cantilever 8/3 times as far as one that is spread along it. */
  const double speed2 = motion.speed2 + (8.0 / 3 - 1) * motion.point2, rate = sqrt(0.5 * speed2) / length;
  of->softness = 0.5 * section.mass * speed2 * length * length / bending;
  if (rate == 0) /* nothing moves it, but as a whole */
    return;
  const double end = isfinite(of->end) ? of->end : 4 / rate;
  of->uneven = end * uneven_start(of->rod);
  const double decay = decay_of(of, &section, &motion);
  of->span = rate * fmin(end, decay > 0 ? 0.5 / decay : (double)INFINITY);
}

/* Soft rods that swing for long whip: neighbouring motions part, and no error can be told. */
static const double soft = 16, whips_after = 5;

static const char *find_unknown(const task *of) {
  const wy_rod_def *rod = of->rod;
  return of->joined                                                 ? "the rod is joined to others"
         : wy_rod_touches(of->model, of->index)                     ? "the rod may touch obstacles"
         : wy_model_rod_actuator_count(of->model, of->index)        ? "actuators move the rod"
         : of->analysis == WY_DYNAMICS && of->bent > 0              ? "moments of loads act on the rod"
         : wy_fluid_acts(rod)                                       ? "a fluid acts on the rod"
         : rod->maxwell_count > 0 || rod->law.kind != WY_LINEAR_LAW ? "its material is not linearly elastic"
         : of->softness > soft && of->span > whips_after
             ? "such a soft rod whips after so long a time, and nobody can tell its errors"
             : NULL;
}

static void look_at(task *of, const wy_solver_def *solver) {
  wy_sim_def def = wy_default_sim_def();
  wy_audience audience = {0};
  def.end = of->end;
  const wy_subject in = wy_subject_of(of->model, &def, solver, of->analysis, of->index, &audience);
  double ends[3];
  for (int k = 0; k < 3; k++)
    ends[k] = in.rest[WY_END][k] - in.rest[WY_START][k];
  of->rod = in.rod;
  of->turn = in.turn;
  of->apart = wy_norm3(ends) / in.length;
  of->held[WY_START] = in.turning[WY_START], of->held[WY_END] = in.turning[WY_END];
  of->both = in.plane[0][WY_START] && in.plane[0][WY_END];
  of->joined = is_joined(of->model, of->index);
  set_scales(of, &in);
  of->unknown = find_unknown(of);
}

/* ---- Staggered rods ---- */

static bool is_clamped(const task *of) {
  return of->held[WY_START] || of->held[WY_END];
}

/* As a whole, about a hinge or freely. */
static bool turns_freely(const task *of) {
  return !is_clamped(of) && !of->both;
}

static bool may_correct(const task *of) {
  return !of->joined && !is_released(of->rod) && wy_model_rod_actuator_count(of->model, of->index) == 0;
}

/* Beyond this softness rods bend so sharply at clamps that shorter segments there pay. */
static const double bends_sharply = 50;

static bool is_graded(const task *of) {
  return of->softness > bends_sharply && of->turn < 0.5 && is_clamped(of);
}

/* Of what is given, against the choice (E4). */
static double factor_of_options(const task *of, const wy_solver_def *solver) {
  const bool corrected = solver->clamp[WY_START] == WY_CLAMP_CORRECTED;
  const wy_curvature_measure measure = solver->staggered.curvature_measure;
  const bool close = measure == WY_TAN4 || measure == WY_ANGLE || (measure == WY_AUTO_MEASURE && of->turn > 0);
  return (corrected || !is_clamped(of) ? 1 : 1 + 1 / (1 + 0.07 * of->softness)) *
         (close ? 1 : 1 + 5 * of->softness / (20 + of->softness));
}

/* N^2 times the error over the length: (E3), (E5) to (E5b), and for equilibria (E6). */
static double staggered_law(const task *of, const wy_solver_def *solver) {
  const double natural = of->turn > 0 ? of->turn * of->turn / 24 * fmin(1, 2 / of->turn + of->apart) : 0;
  const double rigid = turns_freely(of) ? 0.5 * of->span : 0;
  const double curved = natural + 0.1 * of->bent * of->bent + 0.5 * of->uneven + rigid;
  const double factor = factor_of_options(of, solver), root = sqrt(of->softness);
  if (of->analysis != WY_DYNAMICS)
    return 0.1 * factor * root + curved;
  const double sharp = is_graded(of) ? fmax(fmin(0.2 * root, 2), 0.115 * root) : 0.2 * root;
  return (of->both ? 0.5 : 1) * sharp * factor * of->span + curved;
}

/* Error of the steps over the time and the tolerance (E7). */
static double staggered_steps(const task *of) {
  return turns_freely(of) ? 0.25 + 3 / (1 + of->softness) : fmin(0.25, 0.15 * sqrt(of->softness));
}

/* Steps of conserving rods are soon as long as a period, and their error grows faster than the tolerance. */
static const double conserving_steps = 0.16, conserving_steps_long = 4;

static double error_of_steps(const task *of, bool conserving, double tolerance) {
  const double rate =
      conserving ? fmax(conserving_steps, conserving_steps_long * sqrt(tolerance)) : staggered_steps(of);
  return rate * of->span * tolerance;
}

/* The tolerance that leaves an error, at most the accuracy, and for conserving rods one whose steps they survive. */
static double tolerance_for(const task *of, bool conserving, double share, const wy_solver_def *solver) {
  const double least = 1e-10, error = share * of->accuracy / of->span;
  if (of->given & WY_GIVEN_TOLERANCE)
    return solver->relative_tolerance;
  const double fit = conserving ? fmin(error / conserving_steps, pow(error / conserving_steps_long, 2.0 / 3))
                                : error / staggered_steps(of);
  return fmax(fmin(fit, conserving ? fmin(of->accuracy, 0.01) : of->accuracy), least);
}

static int segments_for(const task *of, double law, double order, double share, int least) {
  if (of->given & WY_GIVEN_SEGMENTS)
    return of->rod->segments;
  const double count = ceil(pow(law / (share * of->accuracy), 1 / order) * (1 - 1e-9));
  return (int)fmin(fmax(count, least), MOST);
}

static way staggered_way(const task *of, const wy_solver_def *solver) {
  const double share = of->analysis == WY_DYNAMICS ? 0.8 : 1, law = staggered_law(of, solver);
  way out = {.segments = segments_for(of, law, 2, share, LEAST)};
  out.tolerance = tolerance_for(of, false, 0.35, solver);
  out.error = law / ((double)out.segments * out.segments);
  if (of->analysis == WY_DYNAMICS)
    out.error = hypot(out.error, error_of_steps(of, false, out.tolerance));
  out.work = 0.56 * out.segments * 54 * of->span * pow(of->slender / 667, 0.7) * pow(0.01 / out.tolerance, 0.2);
  return out;
}

/* ---- Conserving rods ---- */

/* Softer rods need more segments than staggered ones. */
static const double stiff = 7;

static bool is_conserving(const wy_solver_def *solver) {
  return strcmp(solver->scheme, "conserving") == 0;
}

static bool is_uniform(const task *of) {
  const wy_section_values first = wy_model_section(of->model, of->index, 0);
  for (int p = 1; p <= PLACES; p++) {
    const wy_section_values here = wy_model_section(of->model, of->index, of->rod->length * p / PLACES);
    if (fabs(here.stiffness[3] / first.stiffness[3] - 1) > 1e-6 || fabs(here.mass / first.mass - 1) > 1e-6)
      return false;
  }
  return true;
}

/* Is it a cantilever of one section, to which the law was fitted? The scheme itself refuses what it cannot. Rods that
   hang from hinges, or fly, turn far in one step, by which strains and positions part; so do those that are held at
   both ends. */
static bool suits_conserving(const task *of) {
  const wy_rod_def *rod = of->rod;
  const int clamped = of->held[WY_START] ? WY_START : WY_END;
  const wy_end *clamp = &rod->ends[clamped], *other = &rod->ends[1 - clamped];
  for (int k = 0; k < 3; k++)
    if (clamp->position[k] == WY_FREE || other->position[k] != WY_FREE)
      return false;
  return !of->unknown && of->held[WY_START] != of->held[WY_END] && !wy_end_is_driven(clamp) && of->softness < stiff &&
         of->turn < 1e-6 && of->uneven == 0 && rod->damping.kind == WY_UNDAMPED && !is_released(rod) && is_uniform(of);
}

/* Does the user leave the choice, too? */
static bool may_conserve(const task *of, const wy_solver_def *solver) {
  const wy_rod_def *rod = of->rod;
  wy_solver_def other = *solver;
  other.scheme = "conserving";
  if (of->analysis != WY_DYNAMICS ||
      (of->given & (WY_GIVEN_SCHEME | WY_GIVEN_MEASURE | WY_GIVEN_CLAMP | WY_GIVEN_START)))
    return false;
  if ((of->given & WY_GIVEN_SEGMENTS) && (rod->segments < LEAST_CONSERVING || rod->segment_lengths))
    return false;
  return suits_conserving(of) && wy_method_possible(&other, rod->kind, NULL) == WY_OK;
}

/* N^3 times the error over the length is (E8). */
static way conserving_way(const task *of, const wy_solver_def *solver) {
  const double law = 1.2 * of->softness * (1 + of->span / 6);
  way out = {.conserving = true, .segments = segments_for(of, law, 3, 0.7, LEAST_CONSERVING)};
  out.tolerance = tolerance_for(of, true, 0.4, solver);
  out.error = hypot(law / pow(out.segments, 3), error_of_steps(of, true, out.tolerance));
  out.work = 4.9 * out.segments * 2.75 * of->span * pow(0.01 / out.tolerance, 0.9);
  return out;
}

/* ---- The choice ---- */

static wy_status check(const task *of, const wy_solver_def *solver, wy_message *message) {
  if (of->analysis > WY_BUCKLING)
    return wy_fail(message, WY_ERROR_INPUT, "there is no analysis number %d", (int)of->analysis);
  if (!(of->end >= 0))
    return wy_fail(message, WY_ERROR_INPUT, "found the end %g; expected a time of 0 or more", of->end);
  if (!(of->accuracy >= WY_ACCURACY_LEAST && of->accuracy <= WY_ACCURACY_MOST))
    return wy_fail_at(message, "solver.accuracy", "found %g; expected a number from %g to %g, in lengths of the rod",
                      of->accuracy, WY_ACCURACY_LEAST, WY_ACCURACY_MOST);
  const wy_scheme *scheme = solver->scheme ? wy_scheme_find(solver->scheme) : NULL;
  if (!scheme || scheme->motion != WY_ODE)
    return wy_fail_at(message, "solver.accuracy",
                      "found it with the scheme '%s', whose errors it does not know; expected no scheme, staggered or "
                      "conserving",
                      solver->scheme ? solver->scheme : "");
  if (of->analysis == WY_DYNAMICS && (of->given & WY_GIVEN_INTEGRATOR) && wy_method_has_fixed_step(solver))
    return wy_fail_at(message, "solver.accuracy",
                      "found it with the integrator '%s', whose steps are fixed; expected one with error control",
                      solver->integrator);
  return WY_OK;
}

/* What a staggered rod gets where the user leaves the choice. Parts of a network share their options. */
static void take_options(const task *of, wy_solver_def *solver) {
  if (of->joined)
    return;
  if (!(of->given & WY_GIVEN_MEASURE))
    solver->staggered.curvature_measure = of->turn > 1e-6 ? WY_ANGLE : WY_TAN4;
  if (!(of->given & WY_GIVEN_CLAMP) && may_correct(of))
    solver->clamp[WY_START] = solver->clamp[WY_END] = WY_CLAMP_CORRECTED;
}

static void take_grading(const task *of, const way *chosen, wy_space_choice *out) {
  out->finer[WY_START] = out->finer[WY_END] = 1;
  out->over = 0.1 * of->rod->length;
  if (chosen->conserving || (of->given & WY_GIVEN_GRADING) || !is_graded(of))
    return;
  out->over = fmin(3 / sqrt(of->softness), 1) * of->rod->length;
  for (int e = 0; e < 2; e++)
    out->finer[e] = of->held[e] ? 2 : 1;
}

static void take_method(const task *of, const way *chosen, wy_solver_def *solver) {
  if (chosen->conserving && !(of->given & WY_GIVEN_SCHEME)) {
    solver->scheme = "conserving";
    wy_solver_set_order(solver, 4, NULL);
  }
  if (chosen->conserving && !(of->given & WY_GIVEN_INTEGRATOR))
    solver->integrator = "rodas";
  if (of->analysis == WY_DYNAMICS && !(of->given & WY_GIVEN_TOLERANCE))
    solver->relative_tolerance = solver->absolute_tolerance = of->joined ? of->accuracy / 3 : chosen->tolerance;
}

static void explain(const task *of, const way *chosen, const wy_space_choice *choice, char *out, size_t size) {
  const char *kind = of->softness < stiff ? "stiff" : of->softness > bends_sharply ? "very soft" : "soft";
  char grid[64] = "", steps[64] = "", error[200];
  if (choice->finer[WY_START] > 1 || choice->finer[WY_END] > 1)
    snprintf(grid, sizeof grid, ", shorter where it is clamped");
  if (of->analysis == WY_DYNAMICS)
    snprintf(steps, sizeof steps, ", tolerance %.2g", of->joined ? of->accuracy / 3 : chosen->tolerance);
  if (of->unknown)
    snprintf(error, sizeof error, "no error is promised, since %s", of->unknown);
  else
    snprintf(error, sizeof error, "expected error %.2g%s", choice->error,
             choice->met ? "" : ", which is more, by what was given");
  snprintf(out, size, "for %g the rod is %s (F L^2/EI = %.2g): %d segments%s%s; %s", of->accuracy, kind, of->softness,
           choice->segments, grid, steps, error);
}

/* The way, and what the solver gets for it where that is its own. */
static way choose(task *of, wy_solver_def *solver) {
  wy_solver_def staggered = *solver;
  if (is_conserving(solver)) {
    if (!of->unknown && (solver->conserving.order != 4 || !suits_conserving(of)))
      of->unknown = "the law of conserving rods is for order 4 and other rods";
    return conserving_way(of, solver);
  }
  take_options(of, &staggered);
  const way plain = staggered_way(of, &staggered);
  if (may_conserve(of, solver)) {
    const way other = conserving_way(of, solver);
    if (other.work < plain.work)
      return other;
  }
  *solver = staggered;
  return plain;
}

wy_status wy_space_choose(const wy_model *model, int rod, wy_analysis analysis, double end, double accuracy,
                          unsigned given, wy_solver_def *solver, wy_space_choice *choice, wy_message *message) {
  task of = {.model = model, .index = rod, .analysis = analysis, .end = end, .accuracy = accuracy, .given = given};
  wy_solver_def own;
  if (!model || !wy_model_rod(model, rod) || !solver || !choice)
    return wy_fail_missing(message, !solver ? "solver" : !choice ? "choice" : "model");
  const wy_solver_def *read = wy_solver_def_read(solver, &own, message);
  wy_status status = read ? check(&of, read, message) : WY_ERROR_INPUT;
  if (status)
    return status;
  own = *read;
  of.rod = wy_model_rod(model, rod);
  look_at(&of, &own);
  const way chosen = choose(&of, &own);
  *choice = (wy_space_choice){.segments = chosen.segments, .known = !of.unknown};
  choice->error = of.unknown ? (double)NAN : chosen.error;
  choice->met = choice->error <= 1.001 * accuracy;
  take_grading(&of, &chosen, choice);
  take_method(&of, &chosen, &own);
  explain(&of, &chosen, choice, choice->reason, sizeof choice->reason);
  own.size = solver->size;
  memcpy(solver, &own, own.size < sizeof own ? own.size : sizeof own);
  return WY_OK;
}
