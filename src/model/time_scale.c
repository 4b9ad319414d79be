/* How fast a rod will move, from its data alone: the time that steps, and the length of a run, are compared with. */
#include <math.h>

#include "math/quat.h"
#include "model/model.h"

/* Places along the rod, and times of the run, at which things are looked at. Times are spread by the golden ratio, so
   that no period of a signal falls in with them. */
enum { PLACES = 8, TIMES = 512 };
static const double two_pi = 6.283185307179586, golden = 0.6180339887498949;

/* ---- Bending ---- */

/* Along the director d1 or d2 of the frame r? */
static bool holds_across(const wy_end *end, const double r[9], int director) {
  double part = 0;
  for (int i = 0; i < 3; i++)
    part += end->position[i] != WY_FREE ? r[3 * i + director] * r[3 * i + director] : 0;
  return part > 0.5;
}

/* The first root, above 0, of the frequency equation of a beam; ends: 0 free, 1 pinned, 2 guided, 3 clamped. */
static double first_root(int start, int end) {
  static const double table[4][4] = {
      {4.730040744862704, 3.926602312047919, 2.365020372431352, 1.875104068711961},
      {3.926602312047919, 3.141592653589793, 1.570796326794897, 3.926602312047919},
      {2.365020372431352, 1.570796326794897, 3.141592653589793, 2.365020372431352},
      {1.875104068711961, 3.926602312047919, 2.365020372431352, 4.730040744862704},
  };
  return table[start][end];
}

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
    int support[2];
    for (int e = 0; e < 2; e++) {
      double position[3], frame[4], r[9];
      const wy_end *end = &rod->ends[e];
      wy_model_reference(model, index, e ? rod->length : 0, position, frame);
      wy_qmatrix(frame, r);
      support[e] = released && isfinite(end->release)
                       ? 0
                       : (holds_across(end, r, plane) ? 1 : 0) + (end->rotation != WY_FREE ? 2 : 0);
    }
    double root = first_root(support[0], support[1]);
    double period = two_pi * rod->length * lever / (root * root) * sqrt(section.mass / section.stiffness[4 - plane]);
    longest = fmax(longest, period);
  }
  return longest;
}

/* ---- Speeds ---- */

/* What is known of the motion: the square of the speed that the energy at hand can give the rod, and the square of the
   highest frequency that something prescribes, in turns. */
typedef struct motion {
  double speed2, frequency2;
} motion;

static double time_at(int k, double end) {
  double turns = golden * k;
  return end * (turns - floor(turns));
}

static void watch_frequency(double rate2, double amplitude2, motion *out) {
  if (rate2 > 0 && amplitude2 > 0 && isfinite(rate2 / amplitude2))
    out->frequency2 = fmax(out->frequency2, rate2 / amplitude2 / (two_pi * two_pi));
}

/* The run, and how fast the rod answers. */
typedef struct course {
  double end, answer;
} course;

/* The largest sudden change of a signal over the run: what it begins with, or what it changes by before the rod has
   answered; slower changes it follows without swinging. The signal's mean frequency, that of a sine, is noted. */
static double sudden_change(const wy_signal *signal, double s, const course *over, motion *out) {
  double first = wy_signal_value(signal, s, 0);
  if (!wy_signal_depends(signal, WY_TIME))
    return fabs(first);
  double largest = fabs(first), change = 0, sum = 0, squares = 0, rates = 0;
  for (int k = 0; k < TIMES; k++) {
    double jet[3], t = time_at(k, over->end);
    wy_signal_rates(signal, s, t, jet);
    largest = fmax(largest, fabs(jet[0]));
    change = fmax(change, fabs(wy_signal_value(signal, s, fmin(t + over->answer, over->end)) - jet[0]));
    sum += jet[0], squares += jet[0] * jet[0], rates += jet[1] * jet[1];
  }
  watch_frequency(rates, squares - sum * sum / TIMES, out);
  return fmin(largest, fabs(first) + change);
}

/* A motion that an end prescribes: its speed, its acceleration over the size, and its frequency. `size` makes a
   displacement of the signal. */
static void add_driven(const wy_signal *signal, double size, double end, double length, motion *out) {
  double fastest = 0, hardest = 0, speeds = 0, accelerations = 0;
  for (int k = 0; k < TIMES; k++) {
    double jet[3];
    wy_signal_rates(signal, 0, time_at(k, end), jet);
    if (!isfinite(jet[1]) || !isfinite(jet[2]))
      continue;
    fastest = fmax(fastest, fabs(jet[1])), hardest = fmax(hardest, fabs(jet[2]));
    speeds += jet[1] * jet[1], accelerations += jet[2] * jet[2];
  }
  out->speed2 += size * size * fastest * fastest + 2 * size * hardest * length;
  watch_frequency(accelerations, speeds, out);
}

static void add_ends(const wy_rod_def *rod, double end, motion *out) {
  for (int e = 0; e < 2; e++) {
    for (int i = 0; i < 3; i++)
      if (rod->ends[e].position[i] == WY_DRIVEN)
        add_driven(&rod->ends[e].path[i], 1, fmin(end, rod->ends[e].release), rod->length, out);
    if (rod->ends[e].rotation == WY_DRIVEN)
      add_driven(&rod->ends[e].angle, rod->length, fmin(end, rod->ends[e].release), rod->length, out);
  }
}

/* Loads do at most the work |F| L + |M| on their way. */
static void add_loads(const wy_model *model, int index, double mass, const course *over, motion *out) {
  const wy_rod_def *rod = wy_model_rod(model, index);
  double length = rod->length, work = 0;
  for (int i = 0; i < wy_model_rod_load_count(model, index); i++) {
    const wy_load_def *load = wy_model_rod_load(model, index, i);
    bool along = load->place == WY_ALONG;
    for (int k = 0; k < 3; k++)
      for (int p = 0; p < (along ? PLACES : 1); p++) {
        double span = along ? (load->to - load->from) / PLACES : 1;
        double s = along ? load->from + (p + 0.5) * span : wy_load_arc(rod, load);
        work += span *
                (length * sudden_change(&load->force[k], s, over, out) + sudden_change(&load->moment[k], s, over, out));
      }
  }
  for (int i = 0; i < wy_model_rod_actuator_count(model, index); i++) {
    const wy_actuator_def *actuator = wy_model_rod_actuator(model, index, i);
    double offset = hypot(wy_signal_value(&actuator->offset[0], 0.5 * length, 0),
                          wy_signal_value(&actuator->offset[1], 0.5 * length, 0));
    work += offset * sudden_change(&actuator->force, 0, over, out);
  }
  out->speed2 += 2 * work / mass;
}

/* What the rod begins with: velocities, against those of the rod as a whole where nothing holds it, and the energy of a
   twist. */
static void add_start(const wy_rod_def *rod, bool held, motion *out) {
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

double wy_model_time_scale(const wy_model *model, int rod, double end) {
  const wy_rod_def *def = wy_model_rod(model, rod);
  const double *g = wy_model_gravity(model);
  if (!def || !(end > 0))
    return NAN;
  double period = fmin(bending_period(model, rod, false), bending_period(model, rod, true));
  double length = def->length, mass = 0, gravity = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  bool held = false;
  for (int i = 0; i < 3; i++)
    held = held || def->ends[WY_START].position[i] != WY_FREE || def->ends[WY_END].position[i] != WY_FREE;
  for (int p = 0; p < PLACES; p++)
    mass += wy_section_at(def, length * (p + 0.5) / PLACES).mass * length / PLACES;
  motion own = {0, 0};
  if (held) /* what falls freely is not bent by it */
    own.speed2 += 2 * gravity * length;
  add_start(def, held, &own);
  /* Without an end: as long as the rod itself lets expect something to happen. */
  double own_rate2 = 1 / (period * period) + own.speed2 / (length * length);
  double span = isfinite(end) ? end : TIMES / 8 / sqrt(own_rate2);
  add_ends(def, span, &own);
  add_loads(model, rod, mass, &(course){span, 0.25 * period}, &own);
  return 1 / sqrt(1 / (period * period) + own.speed2 / (length * length) + own.frequency2);
}
