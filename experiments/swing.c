/* SPDX-License-Identifier: MIT */
/* See swing.h. */
#define _POSIX_C_SOURCE 199309L
#include "experiments/swing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "withy/sundials.h"

const wy_swing_method wy_swing_methods[WY_SWING_METHODS] = {
    {"radau5", "RADAU5", true, true, true, NULL},   {"seulex", "SEULEX", true, true, true, NULL},
    {"rodas", "RODAS", true, true, true, NULL},     {"ida", "IDA", true, false, true, "DASPK"},
    {"dopri5", "DOPRI5", false, false, true, NULL}, {"dop853", "DOP853", false, false, false, NULL},
    {"cvode", "CVODE", true, false, false, NULL},   {"bs23", "BS23", false, false, false, NULL},
    {"ndf", "NDF", true, false, false, NULL},
};

const double wy_swing_tolerances[WY_SWING_TOLERANCES] = {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};

/* Time of the processor: what else the machine does counts less than on a clock. */
static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- rods ---- */

wy_case wy_swing_case(wy_swing_rod which, int segments) {
  wy_case c = which == WY_SWING_STEEL ? wy_scene_steel(segments) : wy_scene_rubber(segments);
  c.solver.more = wy_sundials();
  return c;
}

bool wy_swing_choose(wy_case *c, const wy_swing_method *method, double tolerance, wy_message *message) {
  c->solver.integrator = method->name;
  c->solver.relative_tolerance = c->solver.absolute_tolerance = tolerance;
  c->solver.first_step = method->sets_first ? 1e-6 : 0;
  return wy_method_possible(&c->solver, c->rod.kind, message) == WY_OK;
}

/* ---- runs ---- */

wy_status wy_swing_run(wy_case c, double end, wy_swing *result, wy_message *message) {
  wy_status status = wy_case_create(&c, message);
  if (status == WY_OK) {
    double start = seconds();
    status = wy_sim_advance(c.sim, end, message);
    result->time = seconds() - start;
  }
  if (status == WY_OK) {
    const wy_view *view = wy_sim_view(c.sim, 0);
    const size_t vertices = sizeof(double[3 * (WY_SWING_SEGMENTS + 1)]);
    memset(result->state, 0, sizeof result->state);
    if (c.rod.segments == WY_SWING_SEGMENTS) {
      memcpy(result->state, view->position.values, vertices);
      memcpy((char *)result->state + vertices, view->frame.values, sizeof result->state - vertices);
    }
    result->statistics = wy_sim_statistics(c.sim, 0);
  }
  wy_case_destroy(&c);
  return status;
}

double wy_swing_apart(const wy_swing *a, const wy_swing *b) {
  double largest = 0;
  for (int i = 0; i < WY_SWING_STATE; i++)
    largest = fmax(largest, fabs(a->state[i] - b->state[i]));
  return largest;
}

double wy_swing_time_at(const wy_swing_cost *series, int count, double error) {
  double best = INFINITY;
  for (int k = 0; k < count; k++) {
    const wy_swing_cost *now = &series[k], *before = &series[k > 0 ? k - 1 : 0];
    if (now->error <= error)
      best = fmin(best, now->time);
    if (!(now->error <= error && before->error > error))
      continue;
    double share = log(error / before->error) / log(now->error / before->error);
    best = fmin(best, before->time * pow(now->time / before->time, share));
  }
  return best;
}

/* ---- steps ---- */

static bool note_step(wy_swing_steps *s, double end, double step) {
  if (s->count == s->room) {
    int room = s->room ? 2 * s->room : 4096;
    double *ends = realloc(s->end, (size_t)room * sizeof *ends);
    s->end = ends ? ends : s->end;
    double *steps = realloc(s->step, (size_t)room * sizeof *steps);
    s->step = steps ? steps : s->step;
    if (!ends || !steps)
      return false;
    s->room = room;
  }
  s->end[s->count] = end;
  s->step[s->count++] = step;
  return true;
}

wy_status wy_swing_step_sizes(wy_case c, double end, wy_swing_steps *steps, wy_message *message) {
  *steps = (wy_swing_steps){0};
  wy_status status = wy_case_create(&c, message);
  for (double t = 0; status == WY_OK && t < end;) {
    status = wy_sim_step(c.sim, message);
    if (status != WY_OK)
      break;
    double now = wy_sim_time(c.sim);
    if (!note_step(steps, now, now - t)) {
      snprintf(message->text, sizeof message->text, "no memory for the history of steps");
      status = WY_ERROR_MEMORY;
    }
    t = now;
  }
  wy_case_destroy(&c);
  return status;
}

void wy_swing_free(wy_swing_steps *steps) {
  free(steps->end);
  free(steps->step);
}

void wy_swing_draw_steps(wy_chart *chart, int curve, const wy_swing_steps *steps, double end) {
  for (int k = 0, i = 0; k < WY_MAX_POINTS && steps->count > 0; k++) {
    double t = end * k / (WY_MAX_POINTS - 1);
    while (i + 1 < steps->count && steps->end[i] < t)
      i++;
    wy_chart_point(chart, curve, t, steps->step[i]);
  }
}

double wy_swing_spread(const wy_swing_steps *steps) {
  double mean = steps->end[steps->count - 1] / steps->count, square = 0;
  for (int i = 0; i < steps->count; i++)
    square += (steps->step[i] - mean) * (steps->step[i] - mean) / steps->count;
  return sqrt(square) / mean;
}

/* ---- order in the number of segments ---- */

enum { GRIDS = 6, COARSEST = 5, QUANTITIES = 4 };

static const char *const quantities[QUANTITIES] = {"the tip's position", "the tip's velocity", "the tip's acceleration",
                                                   "d1 at s = 3/4"};

/* At t = 0.4. The acceleration is a mean over 2 ms: what converges does so in the mean, too. */
static wy_status sample(int segments, double value[QUANTITIES][4], wy_message *message) {
  const double t = 0.4, half = 1e-3;
  wy_case c = wy_swing_case(WY_SWING_RUBBER, segments);
  c.solver.integrator = "radau5";
  c.solver.relative_tolerance = c.solver.absolute_tolerance = 1e-11;
  double before[4] = {0}, after[4] = {0};
  wy_status status = wy_case_create(&c, message);
  if (status == WY_OK)
    status = wy_sim_advance(c.sim, t - half, message);
  if (status == WY_OK)
    status = wy_sim_probe(c.sim, WY_VELOCITY, 0, 1, before, message);
  if (status == WY_OK)
    status = wy_sim_advance(c.sim, t, message);
  if (status == WY_OK)
    status = wy_sim_probe(c.sim, WY_POSITION, 0, 1, value[0], message);
  if (status == WY_OK)
    status = wy_sim_probe(c.sim, WY_VELOCITY, 0, 1, value[1], message);
  if (status == WY_OK)
    status = wy_sim_probe(c.sim, WY_DIRECTOR1, 0, 0.75, value[3], message);
  if (status == WY_OK)
    status = wy_sim_advance(c.sim, t + half, message);
  if (status == WY_OK)
    status = wy_sim_probe(c.sim, WY_VELOCITY, 0, 1, after, message);
  for (int k = 0; k < 3; k++)
    value[2][k] = (after[k] - before[k]) / (2 * half);
  wy_case_destroy(&c);
  return status;
}

wy_status wy_swing_convergence(wy_findings *findings, const char *chart_name, const char *title, const char *where,
                               wy_message *message) {
  double value[GRIDS][QUANTITIES][4] = {0};
  for (int i = 0; i < GRIDS; i++) {
    wy_status status = sample(COARSEST << i, value[i], message);
    if (status != WY_OK)
      return status;
  }
  wy_chart *chart =
      wy_chart_new(findings, chart_name, title, "segments N", "difference of N and 2N",
                   "Published: asymptotic slopes of two for positions, velocities and accelerations, without "
                   "numbers. Look for: all lines parallel to the dotted one, order 2.");
  if (chart)
    chart->log_x = chart->log_y = chart->marks = true, chart->guide[0].slope = -2;
  for (int q = 0; q < QUANTITIES; q++) {
    double apart[GRIDS - 1];
    int curve = wy_chart_curve(chart, quantities[q]);
    for (int i = 0; i + 1 < GRIDS; i++) {
      apart[i] = wy_distance(value[i][q], value[i + 1][q]);
      wy_chart_point(chart, curve, COARSEST << i, apart[i]);
    }
    for (int i = 0; i + 2 < GRIDS; i++) {
      bool finest = i + 3 == GRIDS;
      char what[96], note[128];
      snprintf(what, sizeof what, "order of %s, N = %d, %d, %d", quantities[q], COARSEST << i, COARSEST << (i + 1),
               COARSEST << (i + 2));
      snprintf(note, sizeof note, "damped rubber rod at t = 0.4, from successive differences%s",
               finest ? "; tolerance 0.1" : "");
      wy_findings_add(findings, what, finest ? 2 : NAN, wy_order(apart[i], apart[i + 1]), 0.1, "", note);
      if (finest)
        wy_findings_where(findings, where);
    }
  }
  return WY_OK;
}
