/* SPDX-License-Identifier: MIT */
/* What schemes ask of a model beyond the public interface: signals, section values and the undeformed curve. */
#ifndef WY_MODEL_MODEL_H
#define WY_MODEL_MODEL_H

#include "withy/model.h"
#include "withy/spline.h"

enum { WY_MOST_SEGMENTS = 1000000, WY_MOST_POINTS = 50000 };

/* Arc lengths that differ by less than this share of the rod's length are one place: a length that follows from a helix
   is not always the same to the last digit. */
#define WY_SAME_PLACE 1e-9

static inline double wy_signal_value(const wy_signal *signal, double s, double t) {
  if (!signal->evaluate)
    return signal->value;
  double jet[3];
  signal->evaluate(signal->context, WY_TIME, s, t, jet);
  return jet[0];
}

/* Value, first and second time derivative. */
static inline void wy_signal_rates(const wy_signal *signal, double s, double t, double jet[3]) {
  jet[0] = signal->value, jet[1] = 0, jet[2] = 0;
  if (signal->evaluate)
    signal->evaluate(signal->context, WY_TIME, s, t, jet);
}

static inline bool wy_signal_depends(const wy_signal *signal, wy_variable variable) {
  return signal->evaluate && (signal->depends_on == 0 || (signal->depends_on & (unsigned)variable));
}

/* What a rod's section amounts to at s (as wy_model_section, from the definition alone). */
wy_section_values wy_section_at(const wy_rod_def *rod, double s);

/* Is there a fluid around the rod? One without density is none. */
static inline bool wy_fluid_acts(const wy_rod_def *rod) {
  return rod->fluid.given && rod->fluid.density > 0;
}

/* The diameter that a fluid sees at s (fluid.c); 0 where there is none. */
double wy_fluid_diameter(const wy_rod_def *rod, double s);

static inline bool wy_flow_depends(const wy_flow *flow, unsigned variables) {
  return flow->evaluate && (flow->depends_on == 0 || (flow->depends_on & variables));
}

/* The velocity of a flow at a place, with its derivatives as wy_flow has them. */
void wy_flow_at(const wy_flow *flow, const double place[3], double t, double velocity[3], double gradient[9],
                double rate[3]);

/* Carries a frame of the undeformed curve from arc length `from` to `to`: R' = R skew(K0(s)). */
void wy_reference_turn(const wy_rod_def *rod, double from, double to, double frame[4]);
/* The same with its position. */
void wy_reference_advance(const wy_rod_def *rod, double from, double to, double position[3], double frame[4]);
/* The frame of the undeformed curve at s = 0. */
void wy_reference_start(const wy_rod_def *rod, double frame[4]);
/* The undeformed curve at s, with its position from the rod's origin. */
void wy_reference_at(const wy_rod_def *rod, double s, double position[3], double frame[4]);

/* What is known of the motion of a rod from its data alone: its longest period as a beam, the square of the speed that
   the energy at hand can give it, the part of that which comes from loads at single points, and the square of the
   highest frequency that something prescribes, in turns. False if there is no such rod or the end is not positive
   (time_scale.c). */
typedef struct wy_rod_motion {
  double period, speed2, point2, frequency2;
} wy_rod_motion;
bool wy_model_motion(const wy_model *model, int rod, double end, wy_rod_motion *out);

/* Lengths and arc lengths of the segments of a resolved rod. */
double wy_segment_length(const wy_rod_def *rod, int segment);

/* The loads on one rod or body, numbered from 0 in the order of the definition, with their numbers in the model; and
   the other way, the number that a load has on its rod or body. Actuators likewise. */
int wy_model_rod_load_count(const wy_model *model, int rod);
int wy_model_rod_load_number(const wy_model *model, int rod, int k);
int wy_model_body_load_count(const wy_model *model, int body);
int wy_model_body_load_number(const wy_model *model, int body, int k);
int wy_model_load_place(const wy_model *model, int load);
int wy_model_rod_actuator_count(const wy_model *model, int rod);
int wy_model_rod_actuator_number(const wy_model *model, int rod, int k);
int wy_model_actuator_place(const wy_model *model, int actuator);

/* What an entry of a list is called in messages: "loads.pull", or "loads[2]" where it has no name. */
enum { WY_ENTRY_PATH = 96 };
void wy_entry_path(const char *list, const char *name, int index, char out[WY_ENTRY_PATH]);
void wy_model_load_path(const wy_model *model, int load, char out[WY_ENTRY_PATH]);
void wy_model_actuator_path(const wy_model *model, int actuator, char out[WY_ENTRY_PATH]);

static inline const wy_load_def *wy_model_rod_load(const wy_model *model, int rod, int k) {
  return wy_model_load(model, wy_model_rod_load_number(model, rod, k));
}

static inline const wy_load_def *wy_model_body_load(const wy_model *model, int body, int k) {
  return wy_model_load(model, wy_model_body_load_number(model, body, k));
}

static inline const wy_actuator_def *wy_model_rod_actuator(const wy_model *model, int rod, int k) {
  return wy_model_actuator(model, wy_model_rod_actuator_number(model, rod, k));
}

/* Where on the rod a point load acts: at an end exactly, where it is one. */
static inline double wy_load_arc(const wy_rod_def *rod, const wy_load_def *load) {
  const double near = WY_SAME_PLACE * rod->length;
  if (load->place == WY_AT_START || (load->place == WY_AT_ARC && load->from <= near))
    return 0;
  return load->place == WY_AT_END || load->from >= rod->length - near ? rod->length : load->from;
}

/* What tells models apart: a number for each of their parts (identity.c). Signals that call back are asked for values
   up to `end`. */
enum {
  WY_MODEL_GRAVITY,
  WY_MODEL_RODS,
  WY_MODEL_BODIES,
  WY_MODEL_JOINTS,
  WY_MODEL_SPRINGS,
  WY_MODEL_OBSTACLES,
  WY_MODEL_LOADS,
  WY_MODEL_ACTUATORS,
  WY_MODEL_PARTS
};
void wy_model_identify(const wy_model *model, double end, uint64_t parts[WY_MODEL_PARTS]);

/* Checks one resolved rod; loads are checked by wy_model_create. `index` is for messages. Where the rod's curvature
   follows from points, it is made of `*curvature`, which then belongs to the caller; else that is NULL. */
wy_status wy_rod_resolve(wy_rod_def *rod, int index, wy_spline **curvature, wy_message *message);
/* Of a resolved rod: `key` and `text` say what is wrong with its fluid; true if nothing is (fluid.c). */
bool wy_fluid_check(const wy_rod_def *rod, const char **key, char *text, size_t size);
/* Are the tables that move and load the model defined from 0 to `end` (reach.c)? */
wy_status wy_model_check_reach(const wy_model *model, double end, wy_message *message);
/* The part of it that concerns the ends (ends.c). */
wy_status wy_rod_check_ends(wy_rod_def *rod, int index, wy_message *message);
/* Do driven ends begin where the undeformed rod has them? What may differ is wy_end_slack. */
wy_status wy_rod_check_start(const wy_rod_def *rod, int index, wy_message *message);
double wy_end_slack(const wy_rod_def *rod);
double wy_end_turn_slack(const wy_rod_def *rod); /* likewise of the frame, in radians */

#endif
