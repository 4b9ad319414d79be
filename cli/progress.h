/* SPDX-License-Identifier: MIT */
/* The progress line of a long run on a terminal: bar, percent, simulated time, speed against real time, time left. */
#ifndef WY_CLI_PROGRESS_H
#define WY_CLI_PROGRESS_H

#include <stdbool.h>

typedef struct wy_progress {
  bool shown;         /* stderr is a terminal and the user has not asked for quiet */
  bool drawn;         /* something is on the line */
  bool moves;         /* what passes is real time, which the speed is compared with */
  bool begun;         /* the first time is known */
  double from;        /* the first simulated time */
  double start, last; /* wall times: of the beginning, of the last drawing */
} wy_progress;

/* Of a run that `moves`: dynamics. */
wy_progress wy_progress_begin(bool quiet, bool moves);
/* Simulated time t of `end` was reached. Draws at most ten times a second. */
void wy_progress_update(wy_progress *progress, double t, double end);
/* The same for a sweep: so many points have a row, `bad` of them none of a run that is done. */
void wy_progress_points(wy_progress *progress, int ready, int points, int bad);
/* Clears the line. */
void wy_progress_end(wy_progress *progress);

#endif
