/* SPDX-License-Identifier: MIT */
/* batch/rod.h in single precision, on LANES lanes. */
#define HAS_DOUBLES 0
#define HAS_FLOATS 1
#include "batch/lanes/lanes.h"
#include "batch/lanes/vector.h"

#define LOW 0
#define RS float
#define REAL lane_floats
#define STORE lane_floats
#define FACTORS lane_floats
#define SPLAT FLOAT_SPLAT
#define INV FLOAT_INV
#define SQRT float_sqrt
#define INV_SQRT(x) FLOAT_INV(float_sqrt(x))
#define STEP(x) LESS_OF(float_mask, FLOAT_SPLAT(0), x, FLOAT_SPLAT(1), FLOAT_SPLAT(0))
#define LESSER(a, b) LESS_OF(float_mask, a, b, a, b)
#define GREATER(a, b) LESS_OF(float_mask, b, a, a, b)
#define AT(array, k) (array)[k]
#define FACTOR(array, k) (array)[k]
#define KEEP_PREDICTION 1

#include "batch/lanes/frame.h"
