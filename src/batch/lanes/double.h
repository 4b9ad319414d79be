/* SPDX-License-Identifier: MIT */
/* batch/rod.h in double precision, on LANES lanes. */
#define HAS_DOUBLES 1
#define HAS_FLOATS 0
#include "batch/lanes/lanes.h"
#include "batch/lanes/vector.h"

#define LOW 0
#define RS double
#define REAL lane_doubles
#define STORE lane_doubles
#define FACTORS lane_doubles
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

#include "batch/lanes/frame.h"
