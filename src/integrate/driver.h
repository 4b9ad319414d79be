/* SPDX-License-Identifier: MIT */
/* The loop around a method: attempts, projection, breaks (driver.c), failure (failure.c). */
#ifndef WY_INTEGRATE_DRIVER_H
#define WY_INTEGRATE_DRIVER_H

#include "integrate/integrator.h"

/* One accepted step, not beyond `limit`. */
wy_status wy_drive_step(wy_integrator *self, double limit, wy_message *message);

/* Accepted steps until now.t >= t; none goes beyond `limit`. */
wy_status wy_drive_to(wy_integrator *self, double t, double limit, wy_message *message);
/* A present time that differs from t by round-off alone becomes t: times on the grid of a fixed step. */
void wy_drive_snap(wy_integrator *self, double t);

/* The message of a failure after the last good step, whose next one was of length h: when, where on the rod, why
   (`what`, or what the last attempt was rejected by), what to try. */
wy_status wy_drive_give_up(wy_integrator *self, double h, const char *what, wy_message *message);

/* Is a load, an actuator or a driven end not a number within the next h? */
bool wy_drive_meets_bad_signal(const wy_integrator *self, double h);

/* Does a load on the rod, an actuator or one of its ends follow a function of time? */
bool wy_watch_needed(const wy_model *model, int rod);
/* Is this load on a body, and a function of time? */
bool wy_watch_body_needed(const wy_model *model, int load);
/* The time beyond which a step might miss what such a function does: INFINITY where there is none. */
double wy_watch_ahead(wy_integrator *self);

/* The state at t, within the last accepted step or at its end, on the constraint manifold; before that step, the state
 * at its start. */
void wy_drive_state(wy_integrator *self, double t, double *u);

#endif
