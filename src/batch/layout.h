/* SPDX-License-Identifier: MIT */
/* How rods stand in memory, on every machine: tiles of W rods, entry k of all of them side by side,
   [tile][entry][W]. Numbers are in units of the rod's own segment length, its segment's mass, and WY_BATCH_TICK. */
#ifndef WY_BATCH_LAYOUT_H
#define WY_BATCH_LAYOUT_H

/* The unit of time in seconds: a frame of a film, so that what is solved for is of the order of 1, and a power of 2. */
#define WY_BATCH_TICK 0.015625

/* The state: for each segment a cell of its edge e = x_i+1 - x_i, frame p, velocity v_i+1 of the vertex behind it and
   angular velocity Om; at last a cell with place (from the rod's origin) and velocity of the first vertex in e and v.
   Where friction holds at rest, for each vertex and obstacle a spring (K7) behind the cells. */
enum { WY_CELL = 13, WY_CELL_E = 0, WY_CELL_P = 3, WY_CELL_V = 7, WY_CELL_W = 10 };

/* Numbers of a rod. */
enum {
  WY_PAR_CG = 0,         /* C_G */
  WY_PAR_DG = 3,         /* D_G */
  WY_PAR_CK = 6,         /* C_K */
  WY_PAR_DK = 9,         /* D_K */
  WY_PAR_INERTIA = 12,   /* of a segment */
  WY_PAR_GRAVITY = 15,   /* acceleration */
  WY_PAR_DRAG = 18,      /* of translation */
  WY_PAR_SPIN_DRAG = 19, /* of rotation, times inertia */
  WY_PAR_FORCE = 22,     /* factors on point and line forces, */
  WY_PAR_MOMENT = 24,    /* on point and line moments */
  WY_PAR_PER_METRE = 26, /* segments in a metre */
  WY_PAR_ORIGIN = 27,    /* its origin in space */
  WY_PAR_SKIN = 30,      /* radius, stiffness, onset and core of the skin (K1), (K2) */
  WY_PAR_COUNT = 34
};

/* An end with a support, at the beginning and at the end of a frame: place, frame, and the rates of both. */
enum { WY_END_X = 0, WY_END_Q = 3, WY_END_V = 7, WY_END_R = 10, WY_END_POSE = 14, WY_END_MOTION = 28, WY_ENDS = 56 };

/* What a frame leaves for the choice of what is moved again: the square of the largest error estimate, and the smallest
   pivot. */
enum { WY_MONITOR_ERROR, WY_MONITOR_PIVOT, WY_MONITOR_COUNT };

/* Loads of the pattern at one time, a row for each vertex and the segment behind it: point and line force on the vertex
   (space), point and line moment on the segment in space axes, and in body axes. */
enum { WY_LOAD_FORCE = 0, WY_LOAD_SPACE = 6, WY_LOAD_BODY = 12, WY_LOAD_ROW = 18 };

/* An obstacle at one time, in metres and ticks: plane or not, place, axis, half its length, radius, velocity of the
   place, angular velocity, velocity of the material along the surface; loss and speed of (K3), friction and speed of
   (K7); the length at which springs of friction slide, as a length and as a share of the radius. */
enum {
  WY_OBST_PLANE = 0,
  WY_OBST_PLACE = 1,
  WY_OBST_AXIS = 4,
  WY_OBST_HALF = 7,
  WY_OBST_RADIUS = 8,
  WY_OBST_VELOCITY = 9,
  WY_OBST_SPIN = 12,
  WY_OBST_BELT = 15,
  WY_OBST_LAWS = 18,
  WY_OBST_SLIP = 22,
  WY_OBST_GRID = 24, /* its distance is that of a grid, whose other two axes follow */
  WY_OBST_D1 = 25,
  WY_OBST_D2 = 28,
  WY_OBST_ROW = 31
};

/* The grid of an obstacle: coefficients of a spline, [points[0]][points[1]][points[2]] (B21). In metres. */
typedef struct wy_batch_grid {
  int points[3];
  double origin[3], per_step[3];
  const float *values;
} wy_batch_grid;

#endif
