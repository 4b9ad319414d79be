/* SPDX-License-Identifier: MIT */
/* The table of statistics, and how it adds up over rods. A new statistic is a member of wy_statistics and a row here;
   a new drift also has its place in the list that schemes keep (scheme/scheme.h). */
#include "record/statistics.h"

#include <assert.h>
#include <math.h>

#include "scheme/scheme.h"

enum { NO_DRIFT = -1 };

typedef struct row {
  wy_statistic_info info;
  int drift; /* where schemes note it, or NO_DRIFT */
} row;

#define MEMBER(member) .name = #member, .offset = offsetof(wy_statistics, member)
#define COST(member) MEMBER(member), .unit = "1", .kind = WY_STATISTIC_COST, .combination = WY_SUM, .key = #member
#define DRIFT(member, in_summary)                                                                                      \
  MEMBER(member), .kind = WY_STATISTIC_DRIFT, .combination = WY_LARGEST, .key = (in_summary)

static const row rows[] = {
    {{MEMBER(reached), .unit = "s", .kind = WY_STATISTIC_STEP, .combination = WY_SMALLEST, .column = "reached",
      .label = "time reached"},
     NO_DRIFT},
    {{MEMBER(last_step), .unit = "s", .kind = WY_STATISTIC_STEP, .combination = WY_SMALLEST, .key = "last_step",
      .column = "step", .label = "step size"},
     NO_DRIFT},
    {{COST(steps), .column = "steps", .label = "steps"}, NO_DRIFT},
    {{COST(rejected), .column = "rejected", .label = "rejected steps"}, NO_DRIFT},
    {{COST(rhs), .column = "rhs", .label = "right-hand sides"}, NO_DRIFT},
    {{COST(jacobians), .column = "jacobians", .label = "Jacobians"}, NO_DRIFT},
    {{COST(factorisations), .label = "factorisations"}, NO_DRIFT},
    {{COST(newton_iterations), .column = "newton_iterations", .label = "Newton iterations"}, NO_DRIFT},
    {{COST(quadrature), .label = "evaluations for work and output"}, NO_DRIFT},
    {{DRIFT(quaternion_drift, "quaternion"), .unit = "1", .label = "quaternion drift"}, WY_DRIFT_QUATERNION},
    {{DRIFT(velocity_drift, "velocity"), .unit = "1/s", .label = "velocity drift"}, WY_DRIFT_VELOCITY},
    {{DRIFT(strain_drift, "strain"), .unit = "1", .label = "strain drift"}, WY_DRIFT_STRAIN},
    {{DRIFT(strain_rate_drift, "strain_rate"), .unit = "1/s", .label = "strain rate drift"}, WY_DRIFT_STRAIN_RATE},
    {{DRIFT(joint_drift, "joint"), .unit = "1", .label = "joint drift"}, WY_DRIFT_JOINT},
    {{DRIFT(position_drift, "position"), .unit = "1", .label = "position drift"}, WY_DRIFT_POSITION},
    {{DRIFT(compatibility_drift, "compatibility"), .unit = "1", .label = "compatibility drift"},
     WY_DRIFT_COMPATIBILITY},
    {{DRIFT(sawtooth, "sawtooth"), .unit = "1", .label = "sawtooth"}, WY_DRIFT_SAWTOOTH},
    {{MEMBER(projection_energy), .unit = "J", .kind = WY_STATISTIC_ENERGY, .combination = WY_SUM,
      .label = "energy added by projection"},
     WY_DRIFT_ENERGY},
    {{MEMBER(piece_turn_time), .unit = "s", .kind = WY_STATISTIC_TURN, .combination = WY_FIRST_ABOVE_ONE,
      .label = "time when the relative rotation first exceeded 1"},
     NO_DRIFT},
    {{MEMBER(piece_turn), .unit = "1", .kind = WY_STATISTIC_TURN, .combination = WY_LARGEST, .key = "piece_turn",
      .label = "largest rotation across a segment, relative to its limit"},
     NO_DRIFT},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

const wy_statistic_info *wy_statistic_describe(int index) {
  return index >= 0 && index < ROWS ? &rows[index].info : NULL;
}

double wy_statistic_value(const wy_statistics *statistics, const wy_statistic_info *info) {
  if (!statistics || !info)
    return NAN;
  const char *member = (const char *)statistics + info->offset;
  return info->kind == WY_STATISTIC_COST ? (double)*(const long *)(const void *)member
                                         : *(const double *)(const void *)member;
}

/* Members by their rows. */
static double *number(wy_statistics *of, const row *r) {
  return (double *)(void *)((char *)of + r->info.offset);
}

static long *count(wy_statistics *of, const row *r) {
  return (long *)(void *)((char *)of + r->info.offset);
}

void wy_statistics_take_drifts(wy_statistics *one, const double *drift) {
  for (const row *r = rows; r < rows + ROWS; r++)
    if (r->drift != NO_DRIFT)
      *number(one, r) = drift[r->drift];
}

/* `first`: nothing has been added to the sum so far. */
static void combine(const row *r, double *sum, double one, bool first, bool earlier) {
  switch (r->info.combination) {
  case WY_SUM:
    *sum += one;
    break;
  case WY_LARGEST:
    *sum = fmax(*sum, one);
    break;
  case WY_SMALLEST:
    *sum = first ? one : fmin(*sum, one);
    break;
  case WY_FIRST_ABOVE_ONE:
    *sum = earlier ? one : *sum;
  }
}

void wy_statistics_add(wy_statistics *sum, wy_statistics *one, bool first) {
  for (const row *r = rows; r < rows + ROWS; r++) {
    if (r->info.kind == WY_STATISTIC_COST) {
      *count(sum, r) += *count(one, r);
      continue;
    }
    const double value = *number(one, r);
    bool earlier = false;
    if (r->info.combination == WY_FIRST_ABOVE_ONE) {
      assert(r + 1 < rows + ROWS);
      earlier = *number(one, r + 1) > 1 && (*number(sum, r + 1) <= 1 || value < *number(sum, r));
    }
    combine(r, number(sum, r), value, first, earlier);
  }
}
