/* SPDX-License-Identifier: MIT */
/* What loads and actuators of a model amount to at a time, with what the user has put in their place; for all schemes.
   The overrides are part of a saved state. */
#ifndef WY_SCHEME_APPLIED_H
#define WY_SCHEME_APPLIED_H

#include <math.h>

#include "model/model.h"

typedef struct wy_load_override {
  bool set;
  double force[3], moment[3];
} wy_load_override;

typedef struct wy_actuator_override {
  bool set;
  double force;
} wy_actuator_override;

static inline void wy_load_value(const wy_load_def *load, const wy_load_override *override, double s, double t,
                                 double force[3], double moment[3]) {
  for (int i = 0; i < 3; i++) {
    force[i] = override->set ? override->force[i] : wy_signal_value(&load->force[i], s, t);
    moment[i] = override->set ? override->moment[i] : wy_signal_value(&load->moment[i], s, t);
  }
}

static inline bool wy_load_depends_on_time(const wy_load_def *load, const wy_load_override *override) {
  for (int i = 0; i < 3 && !override->set; i++)
    if (wy_signal_depends(&load->force[i], WY_TIME) || wy_signal_depends(&load->moment[i], WY_TIME))
      return true;
  return false;
}

/* Pressure times area, or tension. */
static inline double wy_actuator_value(const wy_actuator_def *actuator, const wy_actuator_override *override,
                                       double t) {
  return override->set ? override->force : wy_signal_value(&actuator->force, 0, t);
}

/* Offset in (d1, d2) at s, and its derivative by s. */
static inline void wy_actuator_offset(const wy_actuator_def *actuator, double s, double offset[2], double slope[2]) {
  for (int i = 0; i < 2; i++) {
    double jet[3] = {actuator->offset[i].value, 0, 0};
    if (actuator->offset[i].evaluate)
      actuator->offset[i].evaluate(actuator->offset[i].context, WY_ARC, s, 0, jet);
    offset[i] = jet[0], slope[i] = jet[1];
  }
}

/* What the user puts in place of the model's; NULL: the model's own again. */
static inline void wy_override_load(wy_load_override *override, const double force[3], const double moment[3]) {
  override->set = force != NULL;
  for (int i = 0; force && i < 3; i++)
    override->force[i] = force[i], override->moment[i] = moment[i];
}

static inline void wy_override_actuator(wy_actuator_override *override, const double *force) {
  override->set = force != NULL;
  override->force = force ? *force : 0;
}

/* Is there a force (or a moment), at any time? */
static inline bool wy_load_has(const wy_load_def *load, const wy_load_override *override, bool moment) {
  const wy_signal *signals = moment ? load->moment : load->force;
  const double *values = moment ? override->moment : override->force;
  for (int i = 0; i < 3; i++)
    if (override->set ? values[i] != 0 : signals[i].evaluate || signals[i].value != 0)
      return true;
  return false;
}

#endif
