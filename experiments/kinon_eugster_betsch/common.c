/* SPDX-License-Identifier: MIT */
/* See common.h. */
#include "experiments/kinon_eugster_betsch/common.h"

#include <math.h>
#include <stdlib.h>

/* ---- making and running ---- */

wy_status wy_keb_create(wy_case *c, const wy_keb_method *method, wy_message *message) {
  c->statics = true;
  c->solver.scheme = "mixed";
  c->solver.integrator = "midpoint";
  c->solver.first_step = method->step;
  c->solver.mixed = (wy_mixed_options){method->order, method->end_moment};
  if (method->increments > 0)
    c->solver.statics.increments = method->increments;
  return wy_case_create(c, message);
}

static wy_status read_state(wy_case *c, wy_keb_state *state, wy_message *message) {
  const double length = c->rod.length;
  const struct {
    wy_quantity quantity;
    double s, *out;
  } probes[] = {{WY_POSITION, 0, state->start},
                {WY_POSITION, length, state->end},
                {WY_VELOCITY, 0, state->start_velocity},
                {WY_VELOCITY, length, state->end_velocity},
                {WY_DIRECTOR1, length, state->director[0]},
                {WY_DIRECTOR2, length, state->director[1]},
                {WY_DIRECTOR3, length, state->director[2]}};
  state->t = wy_sim_time(c->sim);
  state->energy = wy_sim_energy(c->sim, 0);
  state->momentum = wy_sim_momentum(c->sim, 0);
  state->tangents = wy_sim_statistics(c->sim, 0).jacobians;
  wy_status status = WY_OK;
  for (size_t i = 0; i < sizeof probes / sizeof *probes && status == WY_OK; i++)
    status = wy_sim_probe(c->sim, probes[i].quantity, 0, probes[i].s, probes[i].out, message);
  return status;
}

wy_status wy_keb_run(wy_case *c, double step, double end, wy_keb_history *history, wy_message *message) {
  const int steps = (int)lround(end / step);
  *history = (wy_keb_history){.state = calloc((size_t)steps + 1, sizeof *history->state)};
  if (!history->state) {
    snprintf(message->text, sizeof message->text, "no memory for %d steps", steps);
    return WY_ERROR_MEMORY;
  }
  wy_status status = read_state(c, &history->state[0], message);
  while (status == WY_OK && history->count < steps) {
    status = wy_sim_step(c->sim, message);
    if (status == WY_OK)
      status = read_state(c, &history->state[++history->count], message);
  }
  history->count++;
  for (int i = history->count - 1; i > 0; i--) /* the simulation counts from its start */
    history->state[i].tangents -= history->state[i - 1].tangents;
  return status;
}

void wy_keb_free(wy_keb_history *history) {
  free(history->state);
  *history = (wy_keb_history){0};
}

/* ---- what comes out ---- */

double wy_keb_violation(const wy_keb_history *h, int i) {
  const wy_energy *a = &h->state[i - 1].energy, *b = &h->state[i].energy;
  return b->total - a->total - (b->work - a->work) + (b->dissipated - a->dissipated);
}

double wy_keb_largest_violation(const wy_keb_history *h) {
  double largest = 0;
  for (int i = 1; i < h->count; i++)
    largest = fmax(largest, fabs(wy_keb_violation(h, i)));
  return largest;
}

long wy_keb_most_tangents(const wy_keb_history *h) {
  long most = 0;
  for (int i = 1; i < h->count; i++)
    most = h->state[i].tangents > most ? h->state[i].tangents : most;
  return most;
}

void wy_keb_draw_line(wy_case *c, wy_chart *chart, int curve) {
  const double degree = 3.14159265358979323846 / 180, azimuth = 55 * degree, elevation = 15 * degree;
  const wy_points line = wy_sim_view(c->sim, 0)->position;
  for (int i = 0; i < line.count; i++) {
    const double *x = line.values + 3 * (size_t)i;
    wy_chart_point(chart, curve, cos(azimuth) * x[0] + sin(azimuth) * x[1],
                   sin(elevation) * (cos(azimuth) * x[1] - sin(azimuth) * x[0]) + cos(elevation) * x[2]);
  }
}
