/* The progress line of a long run on a terminal: bar, percent, simulated time, speed against real time, time left. */
#ifndef WY_CLI_PROGRESS_H
#define WY_CLI_PROGRESS_H

#include <stdbool.h>

typedef struct wy_progress {
  bool shown;         /* stderr is a terminal and the user has not asked for quiet */
  bool drawn;         /* something is on the line */
  bool timeless;      /* what passes is no real time: nothing to compare with */
  double from, end;   /* simulated times */
  double start, last; /* wall times: of the beginning, of the last drawing */
} wy_progress;

/* Seconds of a clock that never jumps. */
double wy_wall_time(void);

void wy_progress_begin(wy_progress *progress, bool quiet, double t, double end);
/* Draws at most ten times a second. */
void wy_progress_update(wy_progress *progress, double t);
/* Clears the line. */
void wy_progress_end(wy_progress *progress);

#endif
