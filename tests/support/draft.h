/* SPDX-License-Identifier: MIT */
/* Definitions of small networks for tests of models. */
#ifndef WY_TESTS_SUPPORT_DRAFT_H
#define WY_TESTS_SUPPORT_DRAFT_H

#include "support/rods.h"

enum { DRAFT_RODS = 8, DRAFT_BODIES = 3, DRAFT_JOINTS = 6, DRAFT_SPRINGS = 3, DRAFT_PORTS = 6 };

/* A definition with room, so that one thing can be changed. */
typedef struct draft {
  wy_rod_def rods[DRAFT_RODS];
  wy_body_def bodies[DRAFT_BODIES];
  wy_port ports[DRAFT_JOINTS][DRAFT_PORTS];
  wy_joint_def joints[DRAFT_JOINTS];
  wy_spring_def springs[DRAFT_SPRINGS];
  wy_load_def load;
  wy_model_def model;
} draft;

#define POINT(x, y, z)                                                                                                 \
  (const double[3]) {                                                                                                  \
    x, y, z                                                                                                            \
  }

/* A straight free rod of length 1. */
void draft_rod(draft *it, const char *name, const double origin[3], const double direction[3]);
wy_body_def *draft_body(draft *it, const char *name, const double origin[3]);
wy_joint_def *draft_joint(draft *it, const char *name, wy_joint_kind kind);
void draft_port(draft *it, wy_joint_def *joint, wy_port port);
wy_spring_def *draft_spring(draft *it, const char *name, wy_port one, wy_port other);
void empty_draft(draft *it);
/* A beam and a post are welded to a corner; the beam hangs at a body by a ball; a spring leads from the body to the
   foot of the post. */
void draft_example(draft *it);
wy_model *make_draft(const draft *it);

#endif
