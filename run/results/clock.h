/* SPDX-License-Identifier: MIT */
/* Wall time. */
#ifndef WY_RUN_RESULTS_CLOCK_H
#define WY_RUN_RESULTS_CLOCK_H

/* Seconds of a clock that never jumps. */
double wy_wall_time(void);

#endif
