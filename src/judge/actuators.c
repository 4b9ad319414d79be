/* SPDX-License-Identifier: MIT */
/* What actuators can do: their forces over the run, where they run, and how far they bend the rod. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "judge/subject.h"

enum { MOST_PLACES = 100 };

/* What forces at the offsets bend the rod to: F*rho/EI, both planes. */
static double bent_to(const wy_subject *in, double moment1, double moment2) {
  const double *stiffness = in->section.stiffness;
  return hypot(moment1 / stiffness[3], moment2 / stiffness[4]) / in->long_term;
}

/* The largest distance from the centre line; a warning where that is outside of the section. */
static double reach_of(const wy_subject *in, int index, double offset[2]) {
  const wy_actuator_def *actuator = wy_model_actuator(in->model, index);
  double largest = -1;
  bool warned = false;
  for (int i = 0; i <= MOST_PLACES; i++) {
    double s = in->length * i / MOST_PLACES, radius = wy_model_section(in->model, in->index, s).radius;
    double a = wy_signal_value(&actuator->offset[0], s, 0), b = wy_signal_value(&actuator->offset[1], s, 0);
    if (hypot(a, b) > largest) {
      largest = hypot(a, b);
      offset[0] = a;
      offset[1] = b;
    }
    if (warned || !(radius > 0) || hypot(a, b) <= radius * (1 + 1e-9))
      continue;
    char entry[WY_ENTRY_PATH], path[WY_ENTRY_PATH + 8];
    wy_model_actuator_path(in->model, index, entry);
    snprintf(path, sizeof path, "%s.offset", entry);
    wy_warn(in,
            &(wy_doubt){.code = "offset",
                        .path = path,
                        .value = hypot(a, b),
                        .limit = radius,
                        .remedy = "check the unit and the section"},
            "%.4g m from the centre line at s = %.4g, outside of the section of radius %.4g m", hypot(a, b), s, radius);
    warned = true;
  }
  return largest;
}

static void report_actuator(const wy_subject *in, int index) {
  const wy_actuator_def *actuator = wy_model_actuator(in->model, index);
  bool tendon = actuator->kind == WY_TENDON;
  double least = INFINITY, most = -INFINITY, offset[2] = {0, 0};
  for (int k = 0; k < wy_subject_time_count(in); k++) {
    double force = wy_signal_value(&actuator->force, 0, wy_subject_time(in, k));
    least = fmin(least, force);
    most = fmax(most, force);
  }
  double largest = fmax(fabs(least), fabs(most)), reach = reach_of(in, index, offset);
  const char *own = actuator->name ? actuator->name : "";
  char name[32];
  snprintf(name, sizeof name, "%s %d", tendon ? "tendon" : "chamber", index);
  wy_say(in, name, "%.63s%s%.4g m from the centre line (%.4g, %.4g), %s %.4g to %.4g N", own, own[0] ? ": " : "", reach,
         offset[0], offset[1], tendon ? "tension" : "force", least + 0.0, most + 0.0);
  wy_say(in, "", "alone it bends the rod to %.4g 1/m (%s*rho/EI)",
         bent_to(in, largest * offset[1], largest * offset[0]), tendon ? "T" : "F");
}

/* Are all actuators of the rod where they are all along it? */
static bool even(const wy_subject *in) {
  bool same = true;
  for (int i = 0; i < wy_model_actuator_count(in->model); i++) {
    const wy_actuator_def *actuator = wy_model_actuator(in->model, i);
    same = same && (actuator->rod != in->index || (!actuator->offset[0].evaluate && !actuator->offset[1].evaluate));
  }
  return same;
}

/* Adds what an actuator does at time t to the moments at `count` places. */
static void add_moments(const wy_subject *in, const wy_actuator_def *actuator, double t, int count,
                        double moment[][2]) {
  const double force = actuator->rod == in->index ? wy_signal_value(&actuator->force, 0, t) : 0;
  for (int place = 0; place < count && force != 0; place++)
    for (int c = 0; c < 2; c++)
      moment[place][1 - c] += force * wy_signal_value(&actuator->offset[c], in->length * place / MOST_PLACES, 0);
}

/* Returns the largest curvature that all of them bend the rod to together. */
static double bent_by_actuators(const wy_subject *in) {
  double largest = 0, moment[MOST_PLACES + 1][2];
  const int count = wy_model_actuator_count(in->model), places = even(in) ? 1 : MOST_PLACES + 1;
  for (int i = 0; i < count; i++)
    if (wy_model_actuator(in->model, i)->rod == in->index)
      report_actuator(in, i);
  for (int k = 0; k < wy_subject_time_count(in) && count > 0; k++) {
    memset(moment, 0, sizeof moment);
    for (int i = 0; i < count; i++)
      add_moments(in, wy_model_actuator(in->model, i), wy_subject_time(in, k), places, moment);
    for (int place = 0; place < places; place++)
      largest = fmax(largest, bent_to(in, moment[place][0], moment[place][1]));
  }
  return largest;
}

void wy_check_actuators(wy_subject *in) {
  in->pull = bent_by_actuators(in);
}
