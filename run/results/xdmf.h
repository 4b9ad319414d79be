/* SPDX-License-Identifier: MIT */
/* result.xdmf: tells ParaView and others what is in result.h5. Per rod a series in time of one polyline through its
   positions, with velocity and radius at its points; per set of rods one of all their lines; per entry of `strands` one
   of all their lines; per body one of a point with its velocity and frame; per obstacle one of a point with its frame
   and the force that it exerts. */
#ifndef WY_RUN_RESULTS_XDMF_H
#define WY_RUN_RESULTS_XDMF_H

#include "run/results/file.h"

typedef struct wy_xdmf_lines {
  const char *name;
  int strands;       /* 0 for rods, bodies and obstacles */
  int rods;          /* of a set that shares datasets; 0 for others */
  int points;        /* of one line */
  bool has_velocity; /* at the same arc lengths as the positions */
  bool body;         /* one point, and a frame */
  bool obstacle;     /* likewise, and a force */
  bool single;       /* rods in single precision */
} wy_xdmf_lines;

typedef struct wy_xdmf_def {
  const wy_xdmf_lines *lines;
  int count;
  const double *times;
  long snapshots; /* to show */
  long capacity;  /* first dimension of the datasets */
} wy_xdmf_def;

/* Replaces the file at `path`; result.h5 is beside it. */
wy_status wy_xdmf_write(const char *path, const wy_xdmf_def *def, wy_message *message);

#endif
