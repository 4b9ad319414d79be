/* SPDX-License-Identifier: MIT */
/* What the benchmarks share: the clock, runs of simulations, the round rubber rod, and a model of one rod under
 * gravity.
 */
#ifndef WY_BENCH_TIMING_H
#define WY_BENCH_TIMING_H

#include "withy/sim.h"

/* Of each timing the smallest counts, since anything else the machine does only adds. */
enum { REPETITIONS = 9 };

double wy_bench_seconds(void);
/* Smallest time of one call, in nanoseconds per segment; each timing goes over some `work` segments. */
double wy_bench_time(void (*run)(void *context), void *context, int segments, long work);

/* Smallest time, in milliseconds, of the way of a simulation from where it stands to t, where it is left. */
wy_status wy_bench_way(wy_sim *sim, double t, int repetitions, double *milliseconds);

/* The published rubber rod (scenes/published.h) but for Young's modulus: undamped, along x, both ends free. */
wy_rod_def wy_bench_rod(int segments, double young);
wy_status wy_bench_model(const wy_rod_def *rod, wy_model **model);

#endif
