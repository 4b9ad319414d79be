/* SPDX-License-Identifier: MIT */
/* batch/rod.h with states and forces in double precision, derivatives and the elimination in single, on LANES lanes. */
#define HAS_DOUBLES 1
#define HAS_FLOATS 1
#include "batch/lanes/lanes.h"
#include "batch/lanes/vector.h"

#define LOW 1
#define RS double
#define REAL lane_doubles
#define STORE lane_doubles
#define FACTORS lane_floats
#define SPLAT DOUBLE_SPLAT
#define INV DOUBLE_INV
#define SQRT double_sqrt
#define INV_SQRT(x) DOUBLE_INV(double_sqrt(x))
#define STEP(x) LESS_OF(double_mask, DOUBLE_SPLAT(0), x, DOUBLE_SPLAT(1), DOUBLE_SPLAT(0))
#define LESSER(a, b) LESS_OF(double_mask, a, b, a, b)
#define GREATER(a, b) LESS_OF(double_mask, b, a, a, b)
#define AT(array, k) (array)[k]
#define FACTOR(array, k) (array)[k]
#define KEEP_PREDICTION 1

#define LOW_RS float
#define LOW_REAL lane_floats
#define LOW_SPLAT FLOAT_SPLAT
#define LOW_INV FLOAT_INV
#define LOW_SQRT float_sqrt
#define LOW_INV_SQRT(x) FLOAT_INV(float_sqrt(x))
#define LOW_STEP(x) LESS_OF(float_mask, FLOAT_SPLAT(0), x, FLOAT_SPLAT(1), FLOAT_SPLAT(0))
#define LOW_LESSER(a, b) LESS_OF(float_mask, a, b, a, b)
#define LOWER(x) CONVERT(x, lane_floats)
#define HIGHER(x) CONVERT(x, lane_doubles)

#include "batch/lanes/frame.h"
