/* SPDX-License-Identifier: MIT */
/* Loads on the staggered grid: where they act and what they add up to. loads.c places and sums them, frame_loads.c adds
   what depends on the frames. */
#ifndef WY_SCHEME_STAGGERED_LOADS_H
#define WY_SCHEME_STAGGERED_LOADS_H

#include "scheme/staggered/grid.h"

/* Where a load acts: on a vertex (point force), or on a segment (moment, line load). `weight` is a share or a length;
   `held_weight` stands for it while the rotation of the end nearby is held, the rest then goes into the support. A
   moment `at_end` acts with the frame of the end itself while it turns freely. */
typedef struct wy_load_site {
  int load; /* its number on the rod */
  int index;
  double weight, held_weight, s;
  bool at_end;
  enum { WY_SITE_VERTEX_FORCE, WY_SITE_SEGMENT_FORCE, WY_SITE_SEGMENT_MOMENT } kind;
} wy_load_site;

/* What loads add up to. Forces on vertices and torques on segments, in the axes named; a body-axes line load acts on
   the vertex before and after its segment. A moment close to an end whose rotation is held goes in part straight into
   the support; one at an end that turns freely acts by way of the half cell beyond the last midpoint (S24a). */
typedef struct wy_load_arrays {
  double *force;                    /* space, on vertices, gravity included */
  double *torque;                   /* body, on segments */
  double *space_moment;             /* space, on segments */
  double *body_before, *body_after; /* body, on the vertices of a segment */
  double *vertex_body_force;        /* body, on vertices */
  struct wy_end_moments {
    double support_space[3], support_body[3]; /* into the supports */
    double space[3], body[3];                 /* at ends that turn freely */
  } ends[2];
} wy_load_arrays;

typedef struct wy_staggered_loads {
  wy_load_site *sites; /* by wy_staggered_place_loads, at creation */
  size_t site_count;
  double factor; /* loads are multiplied by it: 1, but for equilibria (statics.c) */
  /* By wy_staggered_refresh_loads, as the user's loads are: which kinds there are, and the part that does not depend on
     time. What depends on the frames is used only where its flag is set. */
  bool change, has_space_moment, has_body_moment, has_end_moment, has_body_force, has_vertex_body_force;
  wy_load_arrays still;
  wy_load_arrays now; /* by wy_staggered_update_loads: at the time of the evaluation */
  /* By wy_staggered_frame_loads. `total` is now.force, or the buffer with what depends on the frames added. */
  double *total, *buffer;
  double end_torque[2][3]; /* body, on the end segments, of moments at ends that turn freely */
} wy_staggered_loads;

/* loads.c */
size_t wy_staggered_count_sites(const wy_model *model, int rod, int segments);
void wy_staggered_place_loads(wy_staggered *self);
void wy_staggered_refresh_loads(wy_staggered *self);
void wy_staggered_update_loads(wy_staggered *self, double t);
double wy_staggered_load_power(const wy_staggered *self, const double *u);

/* frame_loads.c. Where forces add up; `touches`: obstacles push, too. */
void wy_staggered_choose_total(wy_staggered *self, bool touches);
/* Is there anything that depends on the frames? */
bool wy_staggered_loads_follow(const wy_staggered *self);
void wy_staggered_frame_loads(wy_staggered *self);
/* The derivatives of the same, by the door (door.h): first those of a segment's own torque, then the others. */
void wy_staggered_load_own_blocks(wy_staggered *self);
void wy_staggered_load_blocks(wy_staggered *self);
/* The moment of loads at an end that turns freely, in the frame of its segment, and of it what has space axes. */
wy_v3 wy_staggered_end_moment(const wy_staggered *self, int end, wy_v3 *from_space);
/* What the half cell at an end that turns freely stores, from the frames of the last evaluation (S24b). */
double wy_staggered_end_energy(const wy_staggered *self, int end);

#endif
