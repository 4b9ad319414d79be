/* SPDX-License-Identifier: MIT */
/* The supports of a rod's ends, which all schemes share, or of a rigid body: where they stand at time t, motions asked
   for between steps, releases. All positions in here, as in states, are taken from the rod's origin, or from that of
   the body's group. */
#ifndef WY_SCHEME_SUPPORTS_H
#define WY_SCHEME_SUPPORTS_H

#include "model/model.h"
#include "withy/sim.h"

/* One end at one time. */
typedef struct wy_end_pose {
  double x[3], v[3], a[3]; /* of the held components */
  double q[4];             /* frame of the support */
  double w[3];             /* its body angular velocity */
  double rate[3];          /* the time derivative of that */
} wy_end_pose;

/* What may change between steps; part of a saved state. */
typedef struct wy_end_state {
  wy_hold position[3], rotation; /* all WY_FREE after a release */
  bool released;
  /* By wy_sim_move_end: these motions replace path and angle. */
  bool moved_position, moved_rotation;
  double position_start, position_duration, rotation_start, rotation_duration;
  double x0[3], v0[3], x1[3], v1[3];
  double q0[4], turn0[3], turn1[3], rate1[3]; /* q = q0 exp(turn(t)), turn from 0 with rate turn0 to turn1 with rate1 */
} wy_end_state;

enum { WY_DETOURS = 6 };

typedef struct wy_supports {
  const wy_end *ends;                        /* how they are defined */
  int count;                                 /* 2 of a rod, 1 of a body */
  const char *name;                          /* of the rod or body, for messages */
  double origin[3];                          /* what positions are taken from */
  double length;                             /* of the rod, or of the longest one that the body is connected with */
  double slack;                              /* how far a path may begin from there and mean the undeformed end */
  double reference[2][3], reference_q[2][4]; /* the ends of the discrete undeformed rod, or the body */
  double path_offset[2][3];                  /* what a path is moved by so that it begins there */
  double turn_offset[2][4];                  /* what a given orientation is multiplied by on its right: the frame of the
                                                undeformed end, and what it is turned by so that it begins there */
  /* Equilibria: supports stand still, on a share `factor` of their way. */
  bool rest;
  double factor;
  int detour;          /* 0: straight there; 1 .. WY_DETOURS: another way to the same place, with the same turns */
  wy_end_state *state; /* [2] */
} wy_supports;

/* Begins as the rod is defined; then, with the ends of the discrete undeformed rod known, where paths begin. */
void wy_support_begin(wy_supports *self, const wy_rod_def *rod);
void wy_support_set_offsets(wy_supports *self);
/* Both for a body. `end` is memory for its definition, as that of an end. */
void wy_support_begin_body(wy_supports *self, const wy_body_def *body, const double origin[3], double length,
                           wy_end *end);

void wy_support_pose(const wy_supports *self, int end, double t, wy_end_pose *pose);
/* How far the supports stand apart at t, in the directions that both hold. */
double wy_support_chord(const wy_supports *self, double t);
/* Where the support of an undeformed rod at rest would be: natural curvatures are measured from there, wherever a
   driven end begins. */
void wy_support_reference_pose(const wy_supports *self, int end, wy_end_pose *pose);
/* The end of a body is WY_START. */
wy_status wy_support_move(wy_supports *self, wy_end_name end, double t, const wy_pose *target, double duration,
                          wy_message *message);
/* The motion that a user asks for: cubic from (0, v0) at time 0 to (d, v1) at `duration`, then straight on with v1:
   value, first and second derivative at tau. */
void wy_support_cubic(double v0, double d, double v1, double duration, double tau, double jet[3]);
/* The next release, or INFINITY; and all that are due by t. */
double wy_support_next_release(const wy_supports *self);
void wy_support_release(wy_supports *self, double t);

static inline bool wy_support_holds_rotation(const wy_supports *self, int end) {
  return self->state[end].rotation != WY_FREE;
}

static inline bool wy_support_holds_position(const wy_supports *self, int end) {
  const wy_hold *position = self->state[end].position;
  return position[0] != WY_FREE || position[1] != WY_FREE || position[2] != WY_FREE;
}

/* How many of the components of all ends are held. */
static inline int wy_support_held(const wy_supports *self) {
  int held = 0;
  for (int end = 0; end < self->count; end++) {
    held += wy_support_holds_rotation(self, end) ? 3 : 0;
    for (int i = 0; i < 3; i++)
      held += self->state[end].position[i] != WY_FREE;
  }
  return held;
}

static inline bool wy_support_moves(const wy_supports *self, int end) {
  const wy_end_state *state = &self->state[end];
  bool driven = state->rotation == WY_DRIVEN || state->moved_position || state->moved_rotation;
  for (int i = 0; i < 3; i++)
    driven = driven || state->position[i] == WY_DRIVEN;
  return driven;
}

#endif
