/* SPDX-License-Identifier: MIT */
/* Vectors of rods for the kernels: LANES doubles, floats or both. What the language has no operator
   for is one instruction of the processor; without vectors it is the C library's. */
#include <math.h>
#include <stdint.h>
#if LANES > 1
#include <immintrin.h>
#endif

#define FN WY_INLINE
#define FN_APART static __attribute__((noinline))
#define UNROLL _Pragma("GCC unroll 8")
/* The processor sees by itself what is read next. */
#define FETCH_DISTANCE 0
#define FETCH_CELL(array, i)
#define FETCH_FACTORS(array, i)

#define LANE_COUNT LANES
#define UNROLL_LANES _Pragma("GCC unroll 16")
#if LANES == 1
#define LANE(x, lane) (x)
#define VECTOR_TYPES(name, mask, number, integer) typedef number name;
#define LESS_OF(mask, a, b, yes, no) ((a) < (b) ? (yes) : (no))
#define CONVERT(x, type) ((type)(x))
#else
#define LANE(x, lane) ((x)[lane])
#define VECTOR_TYPES(name, mask, number, integer)                                                                      \
  typedef number name __attribute__((vector_size(LANES * sizeof(number))));                                            \
  typedef integer mask __attribute__((vector_size(LANES * sizeof(number))));
/* yes where a < b, else no */
#define LESS_OF(mask, a, b, yes, no)                                                                                   \
  ((__typeof__(yes))((((mask)((a) < (b))) & (mask)(yes)) | (~((mask)((a) < (b))) & (mask)(no))))
#define CONVERT(x, type) __builtin_convertvector(x, type)
#endif

#if HAS_DOUBLES
VECTOR_TYPES(lane_doubles, double_mask, double, int64_t)

FN lane_doubles double_sqrt(lane_doubles x) {
#if LANES == 1
  return sqrt(x);
#elif LANES == 4
  return (lane_doubles)_mm256_sqrt_pd((__m256d)x);
#else
  return (lane_doubles)_mm512_sqrt_pd((__m512d)x);
#endif
}
#endif

#if HAS_FLOATS
VECTOR_TYPES(lane_floats, float_mask, float, int32_t)

FN lane_floats float_sqrt(lane_floats x) {
#if LANES == 1
  return sqrtf(x);
#elif LANES == 4
  return (lane_floats)_mm_sqrt_ps((__m128)x);
#elif LANES == 8
  return (lane_floats)_mm256_sqrt_ps((__m256)x);
#else
  return (lane_floats)_mm512_sqrt_ps((__m512)x);
#endif
}
#endif

#define DOUBLE_SPLAT(x) ((lane_doubles){0} + (double)(x))
#define FLOAT_SPLAT(x) ((lane_floats){0} + (float)(x))
#define DOUBLE_INV(x) (1.0 / (x))
#define FLOAT_INV(x) (1.0f / (x))
