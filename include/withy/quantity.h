/* SPDX-License-Identifier: MIT */
/* The tables of all quantities (recorded by probes and stored in result files), of the statistics of a run, and of the
   extremes over a run. Scenarios, result files, plots and the reference use these tables. */
#ifndef WITHY_QUANTITY_H
#define WITHY_QUANTITY_H

#include "withy/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Quantities ---- */

/* A number, vector or rotation that can be recorded (wy_sim_probe). */
typedef enum wy_quantity {
  WY_POSITION,
  WY_VELOCITY,
  WY_ROTATION,
  WY_ANGULAR_VELOCITY,
  WY_DIRECTOR1,
  WY_DIRECTOR2,
  WY_DIRECTOR3,
  WY_STRAIN,
  WY_CURVATURE,
  WY_FORCE,
  WY_MOMENT,
  WY_TENSION,
  WY_BEND_RADIUS,
  WY_TWIST,
  WY_CONTACT_LOAD,
  WY_REACTION_FORCE,
  WY_REACTION_MOMENT,
  WY_LENGTH,
  WY_GAP,
  WY_ENERGY,
  WY_KINETIC,
  WY_ELASTIC,
  WY_GRAVITY,
  WY_WORK,
  WY_DISSIPATED,
  WY_CONTACT,
  WY_FRICTION,
  WY_IMPACT,
  WY_LINEAR_MOMENTUM,
  WY_ANGULAR_MOMENTUM,
  WY_CENTRE_OF_MASS,
  WY_HINGE_ANGLE,
  WY_HINGE_RATE,
  WY_CONTACT_FORCE,
  WY_CONTACT_MOMENT,
  WY_CONTACT_LENGTH,
  WY_QUANTITY_COUNT, /* number of quantities that a probe can record */
  WY_MULTIPLIER =
      WY_QUANTITY_COUNT, /* stored in result.h5 if the scheme has multipliers; a probe has too few components for it */
  WY_STORED_COUNT        /* number of all quantities */
} wy_quantity;

/* Where a quantity is defined. */
typedef enum wy_quantity_place {
  WY_AT_PLACE,   /* at an arc length of a rod */
  WY_AT_ENDS,    /* at the start or the end of a rod */
  WY_OF_ROD,     /* of a rod as a whole */
  WY_OF_ALL,     /* summed over all rods */
  WY_OF_JOINT,   /* of a joint, and of none else (wy_sim_joint_angle) */
  WY_OF_OBSTACLE /* of an obstacle with all rods, or with one (wy_sim_obstacle) */
} wy_quantity_place;

/* The struct of which a quantity is a member. */
typedef enum wy_quantity_home {
  WY_IN_NONE, /* it is computed from the members of wy_view */
  WY_IN_VIEW, /* wy_points of wy_view */
  WY_IN_ENERGY,
  WY_IN_MOMENTUM,
  WY_IN_CONTACT /* wy_points of wy_contact_view */
} wy_quantity_home;

/* A row of the table of quantities. */
typedef struct wy_quantity_info {
  const char *name; /* in scenarios and messages: "angular_velocity" */
  const char *unit; /* in SI: "N m"; "1" if it has no unit */
  int components;
  const char *letters; /* one letter per component: "xyz" for columns NAME.x, NAME.y, NAME.z; "" for a scalar */
  wy_quantity_place place;
  wy_quantity_home home;
  size_t offset;       /* of the member in the struct `home` */
  const char *dataset; /* the name of its dataset in result.h5; NULL if it is not stored */
  bool rests;          /* it is 0 at every equilibrium */
  bool unbounded;      /* INFINITY is a valid value */
  bool touches;        /* it is of contact: it exists where there are obstacles */
  const char *label;   /* for plots and messages: "angular velocity" */
  const char *meaning; /* one line, without the unit */
} wy_quantity_info;

/* The row of a quantity, and its name alone. NULL if there is no such quantity. */
WY_API const wy_quantity_info *wy_quantity_describe(wy_quantity quantity);
WY_API const char *wy_quantity_name(wy_quantity quantity);

/* ---- Statistics ---- */

/* How the numbers of several rods are combined into one. */
typedef enum wy_combination {
  WY_SUM,
  WY_LARGEST,
  WY_SMALLEST,
  WY_FIRST_ABOVE_ONE /* the earliest time among the rods whose statistic in the next row of the table is above 1 */
} wy_combination;

/* The kinds of statistics. */
typedef enum wy_statistic_kind {
  WY_STATISTIC_STEP,  /* step size and time reached */
  WY_STATISTIC_COST,  /* a count of operations; the member is a `long`, all others are `double` */
  WY_STATISTIC_DRIFT, /* an error: it is 0 for the exact solution */
  WY_STATISTIC_ENERGY,
  WY_STATISTIC_TURN /* rotation across segments, elements or cells */
} wy_statistic_kind;

/* A row of the table of statistics: a member of wy_statistics. */
typedef struct wy_statistic_info {
  const char *name; /* of the member */
  const char *unit; /* in SI; "1" if it has no unit */
  wy_statistic_kind kind;
  wy_combination combination;
  size_t offset;      /* in wy_statistics */
  const char *key;    /* in summary.json; NULL if it is not there */
  const char *column; /* in steps.csv; NULL if it is not there */
  const char *label;  /* for plots and tables: "rejected steps" */
} wy_statistic_info;

/* A row of the table; NULL after the last one. */
WY_API const wy_statistic_info *wy_statistic_describe(int index);

/* ---- Extremes ---- */

/* The extremes of a rod over a run (wy_sim_extreme). */
typedef enum wy_extreme {
  WY_LARGEST_CURVATURE,
  WY_SMALLEST_BEND_RADIUS,
  WY_LARGEST_TENSION,
  WY_LARGEST_MOMENT,
  WY_EXTREME_COUNT
} wy_extreme;

/* A row of the table of extremes. */
typedef struct wy_extreme_info {
  const char *name;     /* in summary.json: "largest_moment" */
  wy_quantity quantity; /* the quantity of which it is an extreme; both have the same unit */
  bool smallest;        /* it is the smallest value; else the largest one */
  const char *label;    /* "largest moment" */
  const char *meaning;  /* a line without the unit */
} wy_extreme_info;

/* NULL if there is no such extreme. */
WY_API const wy_extreme_info *wy_extreme_describe(wy_extreme extreme);

#ifdef __cplusplus
}
#endif
#endif
