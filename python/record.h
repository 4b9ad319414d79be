/* SPDX-License-Identifier: MIT */
/* Loops that the Python package makes in C, so that a row of numbers costs one call. Part of the extension module alone
   (python/bind.py). */
#ifndef WITHY_PYTHON_RECORD_H
#define WITHY_PYTHON_RECORD_H

#include <stdatomic.h>

#include "cli/pool.h"
#include "withy/scenario.h"

/* Takes a simulation to a time: wy_sim_advance, wy_sim_sample, wy_sim_follow or wy_sim_settle. */
typedef wy_status withy_going(wy_sim *sim, double t, wy_message *message);

/* Goes to time t, then brings the views of `count` rods up to date: their memory shows the present. */
static wy_status withy_go(wy_sim *sim, withy_going *go, double t, const int *rods, int count, wy_message *message) {
  const wy_status status = go(sim, t, message);
  for (int i = 0; i < count; i++)
    wy_sim_view(sim, rods[i]);
  return status;
}

/* Time and probes now, as in a row of probes.csv. */
static wy_status withy_row(wy_sim *sim, const wy_scenario *scenario, double *row, wy_message *message) {
  *row++ = wy_sim_time(sim);
  for (int i = 0; i < scenario->probe_count; i++) {
    double values[4];
    wy_status status = wy_scenario_probe(scenario, sim, i, values, message);
    if (status != WY_OK)
      return status;
    const int components = wy_quantity_describe(scenario->probes[i].quantity)->components;
    for (int k = 0; k < components; k++)
      *row++ = values[k];
  }
  return WY_OK;
}

/* Goes to `count` times one after the other and writes a row of `columns` numbers at each. */
static wy_status withy_record(wy_sim *sim, withy_going *go, const double *times, int count, const wy_scenario *scenario,
                              double *rows, int columns, wy_message *message) {
  wy_status status = WY_OK;
  for (int k = 0; k < count && status == WY_OK; k++) {
    status = go(sim, times[k], message);
    if (status == WY_OK)
      status = withy_row(sim, scenario, rows + (size_t)k * (size_t)columns, message);
  }
  return status;
}

/* Asks computations of other threads to stop: those that were given withy_stopped and this flag. */
static void withy_stop(int *flag) {
  atomic_store((atomic_int *)flag, 1);
}

static bool withy_stopped(void *flag) {
  return atomic_load((atomic_int *)flag) != 0;
}

/* How far run number `run` is, in thousandths, behind such a flag. */
static void withy_share(void *flag, int run, double share) {
  atomic_store((atomic_int *)flag + 1 + run, (int)(1000 * share));
}

#endif
