/* SPDX-License-Identifier: MIT */
/* How a run begins and how its ends move: shocks, ends that stretch the rod, steps that are too long, options. */
#include <math.h>
#include <stdio.h>

#include "judge/subject.h"
#include "math/vec3.h"
#include "model/beam.h"
#include "model/rotation.h"
#include "model/spline.h"

/* An end that starts with another velocity than the rod hits it: a shock that excites the fastest vibrations. */
static void judge_start(const wy_subject *in) {
  static const char *const keys[2] = {".ends.start", ".ends.end"};
  for (int e = 0; e < 2; e++) {
    const wy_end *end = &in->rod->ends[e];
    double squared = 0;
    for (int k = 0; k < 3; k++) {
      double jet[3] = {0, 0, 0}, velocity = wy_signal_value(&in->rod->initial.velocity[k], e ? in->length : 0, 0);
      if (end->position[k] == WY_DRIVEN && end->path[k].evaluate)
        end->path[k].evaluate(end->path[k].context, WY_TIME, 0, 0, jet);
      if (end->position[k] != WY_FREE)
        squared += (jet[1] - velocity) * (jet[1] - velocity);
    }
    if (squared > 0)
      wy_warn(in,
              &(wy_doubt){.code = "shock",
                          .key = keys[e],
                          .value = sqrt(squared),
                          .limit = 0,
                          .remedy = "let motions start smoothly, e.g. a*(1 - cos(w*t)), or set initial.velocity"},
              "begins to move with a velocity that differs by %.3g m/s from the rod's own: a shock, which excites fast "
              "vibrations%s",
              sqrt(squared), in->fixed_step ? "" : " and takes many steps");
  }
}

/* Likewise of an orientation. */
static void judge_spin(const wy_subject *in) {
  static const char *const keys[2] = {".ends.start", ".ends.end"};
  for (int e = 0; e < 2; e++) {
    const wy_end *end = &in->rod->ends[e];
    wy_rotation_motion begin;
    if (end->rotation != WY_DRIVEN || !wy_end_is_oriented(end))
      continue;
    wy_end_rotation(end, 0, &begin);
    const double spin = sqrt(wy_dot3(begin.w, begin.w));
    if (spin > 0)
      wy_warn(in,
              &(wy_doubt){.code = "shock",
                          .key = keys[e],
                          .value = spin,
                          .limit = 0,
                          .remedy = "let rotations start smoothly; tables do with outside: hold"},
              "begins to turn with an angular velocity of %.3g rad/s: a shock, which excites fast vibrations%s", spin,
              in->fixed_step ? "" : " and takes many steps");
  }
}

/* Way-points far apart in orientation: of the two ways between them the shorter one is taken, perhaps not the one that
   was meant. */
static void judge_way_points(const wy_subject *in) {
  static const char *const keys[2] = {".ends.start", ".ends.end"};
  static const double most = 2.0944; /* 120 degrees */
  for (int e = 0; e < 2; e++) {
    const wy_end *end = &in->rod->ends[e];
    double largest = 0, when = 0;
    int columns[4];
    const wy_spline *path = NULL;
    for (int k = 0; k < 4 && end->rotation == WY_DRIVEN && end->rotation_by == WY_BY_QUATERNION; k++)
      path = wy_spline_of_signal(&end->quaternion[k], &columns[k]);
    const wy_spline_def *def = path ? wy_spline_definition(path) : NULL;
    for (int i = 1; def && i < def->rows; i++) {
      const double *row = def->values + (size_t)i * (size_t)def->columns, *before = row - def->columns;
      double along = 0;
      for (int k = 0; k < 4; k++)
        along += columns[k] >= 0 ? row[columns[k]] * before[columns[k]] : 0;
      const double angle = 2 * acos(fmin(fabs(along), 1));
      when = angle > largest ? def->argument[i] : when;
      largest = fmax(largest, angle);
    }
    if (largest > most)
      wy_warn(in,
              &(wy_doubt){.code = "far_way_points",
                          .key = keys[e],
                          .value = largest,
                          .limit = most,
                          .remedy = "add a row between them"},
              "turns by %.0f degrees up to the way-point of t = %.3g: the path takes the shorter way",
              57.29577951 * largest, when);
  }
}

/* How far apart the path of the ends takes them at a time, or 0 where a component of one is free. */
static double distance_of_ends(const wy_subject *in, double time) {
  double d[3];
  return wy_ends_apart(in, time, d) ? sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) : 0;
}

/* Ends that move sideways and may not slip pull the rod: with steel, thousands of newtons for a thousandth. */
static void judge_stretch(const wy_subject *in) {
  static const double unnoticed = 1e-4;
  const bool move = wy_end_is_driven(&in->rod->ends[WY_START]) || wy_end_is_driven(&in->rod->ends[WY_END]);
  const int times = move ? wy_subject_time_count(in) : 1; /* others stay where they are until they are released */
  double largest = 0, at = 0;
  for (int k = 0; k < times; k++) {
    double time = wy_subject_time(in, k), distance = distance_of_ends(in, time);
    if (distance > largest) {
      largest = distance;
      at = time;
    }
  }
  double strain = largest / in->length - 1;
  if (strain > unnoticed && in->rod->kind != WY_INEXTENSIBLE)
    wy_warn(in,
            &(wy_doubt){.code = "stretched",
                        .key = ".ends",
                        .value = strain,
                        .limit = unnoticed,
                        .remedy = "leave the coordinate along the rod free at one end if it may slip there"},
            "they are %.3g m apart at t = %.3g, and the rod is %.3g m long: it is stretched by %.2g %%, with an axial "
            "force of about %.3g N",
            largest, at, in->length, 100 * strain, in->long_term * in->section.stiffness[2] * strain);
}

/* Implicit fixed steps are stable however long they are, but then show little of the motion. */
static void judge_long_steps(const wy_subject *in) {
  if (!in->fixed_step)
    return;
  const double scale = wy_model_time_scale(in->model, in->index, in->def->end), step = in->solver->first_step;
  const double most = fmin(scale / 2, wy_model_period(in->model, in->index) / 6);
  char remedy[40];
  snprintf(remedy, sizeof remedy, "use %.2g or less", scale / 20);
  if (step > most)
    wy_warn(in, &(wy_doubt){.code = "long_step", .key = "", .value = step, .limit = most, .remedy = remedy},
            "the step %.3g makes %.2g steps in the time scale %.3g of its motion", step, scale / step, scale);
}

/* Options of the scheme that do less than they seem to; a run says the same. */
void wy_check_options(wy_subject *in) {
  wy_finding finding = {.rod = in->index, .where = NAN, .when = NAN, .expected = true};
  if (in->analysis == WY_DYNAMICS && in->scheme && in->audience->findings && wy_scheme_options(in->scheme)->doubt &&
      wy_scheme_options(in->scheme)->doubt(in->rod, in->solver, &finding))
    wy_judgement_add(in->audience->findings, &finding);
}

void wy_check_motion(wy_subject *in) {
  if (in->analysis == WY_DYNAMICS) {
    judge_start(in);
    judge_spin(in);
  }
  judge_way_points(in);
  judge_stretch(in);
  if (in->analysis == WY_DYNAMICS)
    judge_long_steps(in);
}
