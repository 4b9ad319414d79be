/* SPDX-License-Identifier: MIT */
/* What the systems of all schemes have in common: fields of the state, points of the view, and what the user changes
   between steps. */
#ifndef WY_SCHEME_SYSTEM_H
#define WY_SCHEME_SYSTEM_H

#include "scheme/scheme.h"

/* Appends a field to the state; its offset. */
int wy_system_add_field(wy_system *system, wy_field field);
/* Was there room for all of them? Asked whenever a system has been made. */
wy_status wy_system_check_fields(const wy_system *system, wy_message *message);
/* Errors are measured at each point; once all fields are there, whose arrays have this stride. */
void wy_system_norm_by_points(wy_system *system, int stride);

/* How many points the view has of what it shows. */
typedef struct wy_view_counts {
  int positions, /* with velocities */
      frames,    /* with angular velocities */
      strains,   /* with forces */
      bends;     /* curvatures with moments */
} wy_view_counts;

void wy_points_layout(wy_points *points, wy_arena *arena, int count, int components);
void wy_view_layout(wy_view *view, wy_arena *arena, wy_view_counts counts);

/* What leaves: `energy`, `momentum` and `view` of the system's type, moved from the rod's origin to where it stands. */
void wy_system_energy(wy_system *system, double t, const double *u, wy_energy *energy);
void wy_system_momentum(wy_system *system, double t, const double *u, wy_momentum *momentum);
void wy_system_view(wy_system *system, double t, const double *u, wy_view *view);

/* One correction by Newton's method of a scheme's own step: r as `residual` has filled it, used up. `anew`: linearises
   there; else with the matrix of the last time. A status other than 0 as in scheme.h. */
int wy_step_correct(wy_system *system, bool anew, double *r, double *change);

/* Room in a saved state for what the user may put in the place of the rod's own loads and actuators; for a system whose
   model and rod are set. */
void wy_system_layout_overrides(wy_system *system, wy_arena *saved);

/* For wy_system_type, where the system's `supports` and overrides are set and nothing else follows from a change than
   what `refresh` does. */
double wy_system_next_break(const wy_system *system);
bool wy_system_depends_on_time(const wy_system *system);
void wy_system_enter(wy_system *system, double t);
void wy_system_set_load(wy_system *system, int load, const double force[3], const double moment[3]);
void wy_system_set_actuator(wy_system *system, int actuator, const double *force);
int wy_system_move_end(wy_system *system, wy_end_name end, double t, const wy_pose *target, double duration,
                       wy_message *message);

#endif
