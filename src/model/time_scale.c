/* SPDX-License-Identifier: MIT */
/* How fast a rod will move, from its data alone: the time that steps, and the length of a run, are compared with. */
#include <math.h>

#include "math/vec3.h"
#include "model/beam.h"
#include "model/contact.h"
#include "model/rotation.h"

/* Places along the rod, and times of the run, at which things are looked at. Times are spread by the golden ratio, so
   that no period of a signal falls in with them. */
enum { PLACES = 8, TIMES = 512 };
static const double two_pi = 6.283185307179586, golden = 0.6180339887498949;

/* ---- Bending ---- */

/* The mean curvature of the undeformed rod. */
static double mean_curvature(const wy_rod_def *rod) {
  double sum = 0;
  for (int p = 0; p < PLACES; p++) {
    double s = rod->length * (p + 0.5) / PLACES;
    sum += hypot(wy_signal_value(&rod->shape.curvature[0], s, 0), wy_signal_value(&rod->shape.curvature[1], s, 0));
  }
  return sum / PLACES;
}

/* The longer period of both planes, with its ends or after their release. A rod that is curved by more than half a turn
   bends over a lever of its diameter instead of its length: a spring, a ring. */
static double bending_period(const wy_model *model, int index, bool released) {
  const wy_rod_def *rod = wy_model_rod(model, index);
  wy_section_values section = wy_section_at(rod, 0.5 * rod->length);
  double lever = fmin(rod->length, 2 / mean_curvature(rod)), longest = 0;
  for (int plane = 0; plane < 2; plane++) {
    wy_beam_end held[2];
    for (int e = 0; e < 2; e++)
      held[e] = released && isfinite(rod->ends[e].release) ? WY_BEAM_FREE : wy_end_in_plane(model, index, e, plane);
    double root = wy_bending_root(held[0], held[1], 1);
    double period = two_pi * rod->length * lever / (root * root) * sqrt(section.mass / section.stiffness[4 - plane]);
    longest = fmax(longest, period);
  }
  return longest;
}

/* ---- Speeds ---- */

static double time_at(int k, double end) {
  double turns = golden * k;
  return end * (turns - floor(turns));
}

static void watch_frequency(double rate2, double amplitude2, wy_rod_motion *out) {
  if (rate2 > 0 && amplitude2 > 0 && isfinite(rate2 / amplitude2))
    out->frequency2 = fmax(out->frequency2, rate2 / amplitude2 / (two_pi * two_pi));
}

/* The run, and how fast the rod answers. */
typedef struct course {
  double end, answer;
} course;

/* A vector of up to three signals at one time: its components, and the squares of its length and of those of its first
   and second rate. */
typedef struct vector_rates {
  double value[3], squared[3];
} vector_rates;

static vector_rates rates_at(const wy_signal *signals, int count, double s, double t) {
  vector_rates out = {{0, 0, 0}, {0, 0, 0}};
  for (int i = 0; i < count; i++) {
    double jet[3];
    wy_signal_rates(&signals[i], s, t, jet);
    out.value[i] = jet[0];
    for (int k = 0; k < 3; k++)
      out.squared[k] += jet[k] * jet[k];
  }
  return out;
}

/* How far the vector has gone from `from` at time t. */
static double distance(const wy_signal *signals, int count, double s, double t, const double from[3]) {
  double squared = 0;
  for (int i = 0; i < count; i++) {
    double change = wy_signal_value(&signals[i], s, t) - from[i];
    squared += change * change;
  }
  return sqrt(squared);
}

static bool depend_on_time(const wy_signal *signals, int count) {
  bool any = false;
  for (int i = 0; i < count; i++)
    any = any || wy_signal_depends(&signals[i], WY_TIME);
  return any;
}

/* The largest sudden change of a vector of signals over the run: what it begins with, or what it changes by before the
   rod has answered; slower changes it follows without swinging. The mean frequency, that of a sine, is noted. Lengths
   of vectors, not components: nothing depends on the directions of the axes. */
static double sudden_change(const wy_signal *signals, int count, double s, const course *over, wy_rod_motion *out) {
  double first = sqrt(rates_at(signals, count, s, 0).squared[0]);
  if (!depend_on_time(signals, count))
    return first;
  double largest = first, change = 0, squares = 0, rates = 0, sum[3] = {0, 0, 0};
  for (int k = 0; k < TIMES; k++) {
    double t = time_at(k, over->end);
    vector_rates at = rates_at(signals, count, s, t);
    largest = fmax(largest, sqrt(at.squared[0]));
    change = fmax(change, distance(signals, count, s, fmin(t + over->answer, over->end), at.value));
    squares += at.squared[0], rates += at.squared[1];
    for (int i = 0; i < 3; i++)
      sum[i] += at.value[i];
  }
  watch_frequency(rates, squares - (sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]) / TIMES, out);
  return fmin(largest, first + change);
}

/* A motion that an end prescribes: its speed, its acceleration over the size, and its frequency. `size` makes a
   displacement of the signals. */
static void add_driven(const wy_signal *signals, int count, double size, double end, double length,
                       wy_rod_motion *out) {
  double fastest = 0, hardest = 0, speeds = 0, accelerations = 0;
  for (int k = 0; k < TIMES; k++) {
    vector_rates at = rates_at(signals, count, 0, time_at(k, end));
    if (!isfinite(at.squared[1]) || !isfinite(at.squared[2]))
      continue;
    fastest = fmax(fastest, at.squared[1]), hardest = fmax(hardest, at.squared[2]);
    speeds += at.squared[1], accelerations += at.squared[2];
  }
  out->speed2 += size * size * fastest + 2 * size * sqrt(hardest) * length;
  watch_frequency(accelerations, speeds, out);
}

/* Likewise an orientation: by its angular velocity. */
static void add_turning(const wy_end *end, double last, double length, wy_rod_motion *out) {
  double fastest = 0, hardest = 0, speeds = 0, accelerations = 0;
  for (int k = 0; k < TIMES; k++) {
    wy_rotation_motion at;
    wy_end_rotation(end, time_at(k, last), &at);
    const double w2 = wy_dot3(at.w, at.w), rate2 = wy_dot3(at.rate, at.rate);
    if (!isfinite(w2) || !isfinite(rate2))
      continue;
    fastest = fmax(fastest, w2), hardest = fmax(hardest, rate2);
    speeds += w2, accelerations += rate2;
  }
  out->speed2 += length * length * (fastest + 2 * sqrt(hardest));
  watch_frequency(accelerations, speeds, out);
}

static void add_ends(const wy_rod_def *rod, double end, wy_rod_motion *out) {
  for (int e = 0; e < 2; e++) {
    const double last = fmin(end, rod->ends[e].release);
    wy_signal path[3];
    int driven = 0;
    for (int i = 0; i < 3; i++)
      if (rod->ends[e].position[i] == WY_DRIVEN)
        path[driven++] = rod->ends[e].path[i];
    if (driven > 0)
      add_driven(path, driven, 1, last, rod->length, out);
    if (rod->ends[e].rotation == WY_DRIVEN && rod->ends[e].rotation_by == WY_BY_ANGLE)
      add_driven(&rod->ends[e].angle, 1, rod->length, last, rod->length, out);
    else if (rod->ends[e].rotation == WY_DRIVEN)
      add_turning(&rod->ends[e], last, rod->length, out);
  }
}

/* An obstacle that moves takes the rod along. */
static void add_obstacles(const wy_model *model, int index, double end, wy_rod_motion *out) {
  for (int i = 0; i < wy_model_obstacle_count(model) && wy_rod_touches(model, index); i++)
    if (depend_on_time(wy_model_obstacle(model, i)->position, 3))
      add_driven(wy_model_obstacle(model, i)->position, 3, 1, end, wy_model_rod(model, index)->length, out);
}

/* Loads do at most the work |F| L + |M| on their way. */
static void add_loads(const wy_model *model, int index, double mass, const course *over, wy_rod_motion *out) {
  const wy_rod_def *rod = wy_model_rod(model, index);
  double length = rod->length, work = 0, at_points = 0;
  for (int i = 0; i < wy_model_rod_load_count(model, index); i++) {
    const wy_load_def *load = wy_model_rod_load(model, index, i);
    bool along = load->place == WY_ALONG;
    for (int p = 0; p < (along ? PLACES : 1); p++) {
      double span = along ? (load->to - load->from) / PLACES : 1;
      double s = along ? load->from + (p + 0.5) * span : wy_load_arc(rod, load);
      const double one =
          span * (length * sudden_change(load->force, 3, s, over, out) + sudden_change(load->moment, 3, s, over, out));
      work += one;
      at_points += along ? 0 : one;
    }
  }
  for (int i = 0; i < wy_model_rod_actuator_count(model, index); i++) {
    const wy_actuator_def *actuator = wy_model_rod_actuator(model, index, i);
    double offset = hypot(wy_signal_value(&actuator->offset[0], 0.5 * length, 0),
                          wy_signal_value(&actuator->offset[1], 0.5 * length, 0));
    work += offset * sudden_change(&actuator->force, 1, 0, over, out);
  }
  out->speed2 += 2 * work / mass;
  out->point2 += 2 * at_points / mass;
}

/* A flow carries the rod along at its own speed at most. */
static void add_flow(const wy_rod_def *rod, double end, wy_rod_motion *out) {
  const int times = wy_flow_depends(&rod->fluid.velocity, WY_TIME) ? TIMES : 1;
  double fastest = 0;
  for (int p = 0; wy_fluid_acts(rod) && p < PLACES; p++) {
    double place[3], frame[4], velocity[3], gradient[9], rate[3];
    wy_reference_at(rod, rod->length * (p + 0.5) / PLACES, place, frame);
    wy_add3(place, 1, rod->shape.origin);
    for (int k = 0; k < times; k++) {
      wy_flow_at(&rod->fluid.velocity, place, time_at(k, end), velocity, gradient, rate);
      fastest = fmax(fastest, wy_dot3(velocity, velocity));
    }
  }
  out->speed2 += fastest;
}

/* What the rod begins with: velocities, against those of the rod as a whole where nothing holds it, and the energy of a
   twist. */
static void add_start(const wy_rod_def *rod, bool held, wy_rod_motion *out) {
  double mean[3] = {0, 0, 0}, squares = 0, turning = 0, twist = 0, ds = rod->length / PLACES;
  for (int p = 0; p < PLACES; p++) {
    double s = ds * (p + 0.5), own = 0;
    wy_section_values section = wy_section_at(rod, s);
    for (int k = 0; k < 3; k++) {
      double v = wy_signal_value(&rod->initial.velocity[k], s, 0);
      double w = wy_signal_value(&rod->initial.angular_velocity[k], s, 0);
      mean[k] += v / PLACES, squares += v * v / PLACES, own += w * w;
    }
    double change =
        wy_signal_value(&rod->initial.twist, s + 0.5 * ds, 0) - wy_signal_value(&rod->initial.twist, s - 0.5 * ds, 0);
    twist += section.stiffness[5] * change * change / ds / (section.mass * rod->length);
    turning = fmax(turning, own);
  }
  for (int k = 0; k < 3 && !held; k++)
    squares -= mean[k] * mean[k];
  out->speed2 += fmax(squares, 0) + turning * rod->length * rod->length + twist;
}

bool wy_model_motion(const wy_model *model, int rod, double end, wy_rod_motion *out) {
  const wy_rod_def *def = wy_model_rod(model, rod);
  const double *g = wy_model_gravity(model);
  if (!def || !(end > 0))
    return false;
  double period = fmin(bending_period(model, rod, false), bending_period(model, rod, true));
  double length = def->length, mass = 0, gravity = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  bool held = false;
  for (int i = 0; i < 3; i++)
    held = held || def->ends[WY_START].position[i] != WY_FREE || def->ends[WY_END].position[i] != WY_FREE;
  for (int p = 0; p < PLACES; p++)
    mass += wy_section_at(def, length * (p + 0.5) / PLACES).mass * length / PLACES;
  *out = (wy_rod_motion){.period = period};
  if (held) /* what falls freely is not bent by it */
    out->speed2 += 2 * gravity * length;
  add_start(def, held, out);
  /* Without an end: as long as the rod itself lets expect something to happen. */
  double own_rate2 = 1 / (period * period) + out->speed2 / (length * length);
  double span = isfinite(end) ? end : 64 / sqrt(own_rate2);
  add_ends(def, span, out);
  add_obstacles(model, rod, span, out);
  add_loads(model, rod, mass, &(course){span, 0.25 * period}, out);
  add_flow(def, span, out);
  return true;
}

double wy_model_time_scale(const wy_model *model, int rod, double end) {
  wy_rod_motion own;
  if (!wy_model_motion(model, rod, end, &own))
    return NAN;
  const double length = wy_model_rod(model, rod)->length;
  return 1 / sqrt(1 / (own.period * own.period) + own.speed2 / (length * length) + own.frequency2);
}
