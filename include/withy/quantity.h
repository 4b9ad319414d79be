/* What a simulation tells about its rods, each thing described once: quantities, which probes follow and result files
   hold; statistics of a run; extremes over a run. Scenarios, tables, plots and the reference are made of these
   descriptions. */
#ifndef WITHY_QUANTITY_H
#define WITHY_QUANTITY_H

#include "withy/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Quantities ---- */

/* A number, vector or rotation to follow (wy_sim_probe). */
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
  WY_REACTION_FORCE,
  WY_REACTION_MOMENT,
  WY_LENGTH,
  WY_ENERGY,
  WY_KINETIC,
  WY_ELASTIC,
  WY_GRAVITY,
  WY_WORK,
  WY_DISSIPATED,
  WY_LINEAR_MOMENTUM,
  WY_ANGULAR_MOMENTUM,
  WY_CENTRE_OF_MASS,
  WY_QUANTITY_COUNT,                 /* of those that a probe can follow */
  WY_MULTIPLIER = WY_QUANTITY_COUNT, /* along a rod in result.h5, where its scheme has one; too large for a probe */
  WY_STORED_COUNT                    /* of all */
} wy_quantity;

/* Where a quantity is found. */
typedef enum wy_quantity_place {
  WY_AT_PLACE, /* at an arc length of a rod */
  WY_AT_ENDS,  /* at the start or the end of a rod */
  WY_OF_ROD,   /* of a rod as a whole */
  WY_OF_ALL    /* summed over all rods */
} wy_quantity_place;

/* The struct that a quantity is a member of. */
typedef enum wy_quantity_home {
  WY_IN_NONE, /* it is computed from the members of wy_view */
  WY_IN_VIEW, /* wy_points of wy_view */
  WY_IN_ENERGY,
  WY_IN_MOMENTUM
} wy_quantity_home;

/* A row of the table of quantities. */
typedef struct wy_quantity_info {
  const char *name; /* in scenarios and messages: "angular_velocity" */
  const char *unit; /* in SI: "N m"; "1" where there is none */
  int components;
  const char
      *letters; /* of its components, one each: "xyz" for columns NAME.x, NAME.y, NAME.z; "" of a single number */
  wy_quantity_place place;
  wy_quantity_home home;
  size_t offset;       /* of the member in its home */
  const char *dataset; /* its last name in result.h5; NULL where it is not stored */
  bool rests;          /* 0 at every equilibrium */
  bool unbounded;      /* INFINITY is one of its values, and no sign of a failure */
  const char *label;   /* for plots and messages: "angular velocity" */
  const char *meaning; /* a line without the unit */
} wy_quantity_info;

/* NULL where there is no such quantity; its name alone. */
WY_API const wy_quantity_info *wy_quantity_describe(wy_quantity quantity);
WY_API const char *wy_quantity_name(wy_quantity quantity);

/* ---- Statistics ---- */

/* How the numbers of several rods become one. */
typedef enum wy_combination {
  WY_SUM,
  WY_LARGEST,
  WY_SMALLEST,
  WY_FIRST_ABOVE_ONE /* the earliest time of the rods whose number in the next row is above 1 */
} wy_combination;

/* What kind of number it is. */
typedef enum wy_statistic_kind {
  WY_STATISTIC_STEP,  /* where the steps are */
  WY_STATISTIC_COST,  /* how often something was done: a `long`, all others are a `double` */
  WY_STATISTIC_DRIFT, /* what would be 0 if all were exact */
  WY_STATISTIC_ENERGY,
  WY_STATISTIC_TURN /* of the pieces of a rod */
} wy_statistic_kind;

/* A row of the table of statistics: a member of wy_statistics. */
typedef struct wy_statistic_info {
  const char *name; /* of the member */
  const char *unit; /* in SI; "1" where there is none */
  wy_statistic_kind kind;
  wy_combination combination;
  size_t offset;      /* in wy_statistics */
  const char *key;    /* in summary.json, and */
  const char *column; /* in steps.csv; NULL where it is not there */
  const char *label;  /* for plots and tables: "rejected steps" */
} wy_statistic_info;

/* NULL past the last one. */
WY_API const wy_statistic_info *wy_statistic_describe(int index);

/* ---- Extremes ---- */

/* What a rod has met so far in a run (wy_sim_extreme). */
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
  wy_quantity quantity; /* whose size it is; it has the unit of that */
  bool smallest;        /* of the values; else the largest one */
  const char *label;    /* "largest moment" */
  const char *meaning;  /* a line without the unit */
} wy_extreme_info;

/* NULL where there is no such extreme. */
WY_API const wy_extreme_info *wy_extreme_describe(wy_extreme extreme);

#ifdef __cplusplus
}
#endif
#endif
