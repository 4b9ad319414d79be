/* SPDX-License-Identifier: MIT */
/* Small vectors for the band kernels. They are the compiler's own vectors, because loops
   this short are unrolled before they can be vectorised. */
#ifndef WY_LINALG_BAND_VECTOR_H
#define WY_LINALG_BAND_VECTOR_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "linalg/band_kernels.h"
#include "linalg/pivot.h"

/* Doubles in a vector. Four are the best with AVX2 and with AVX-512 (measured: eight are slower); gcc makes bad code of
   four where the processor has only two. */
#if defined(__AVX__) || defined(__clang__)
#define VECTOR 4
#else
#define VECTOR 2
#endif

typedef double vector __attribute__((vector_size(VECTOR * 8)));
typedef int64_t bits __attribute__((vector_size(VECTOR * 8)));

/* Arrays of doubles read and written as vectors, at any address. */
typedef double memory_vector __attribute__((vector_size(VECTOR * 8), may_alias, aligned(8)));
#define LOAD(address) ((vector) * (const memory_vector *)(address))
#define STORE(address, value) (*(memory_vector *)(address) = (value))

/* Subtracting zero changes no value, so nothing is left of it; adding would have to turn -0 into 0. */
#define BROADCAST(value) ((value) - (vector){0})

/* All bits of lane `lane` in a vector that begins with lane `first`. */
#if VECTOR == 4
#define LANE_NUMBERS(first) ((vector){(first), (first) + 1, (first) + 2, (first) + 3})
#else
#define LANE_NUMBERS(first) ((vector){(first), (first) + 1})
#endif
#define LANE_MASK(first, lane) ((bits)(LANE_NUMBERS(first) == (double)(lane)))

/* `entering` in the lane of the mask, the old value elsewhere. */
#define ENTER_LANE(mask, entering, old) ((vector)(((mask) & (bits)BROADCAST(entering)) | (~(mask) & (bits)(old))))

/* Put before each elimination. gcc would carry the window from one to the next in registers, and spill what does not
   fit: only AVX-512 has enough of them. */
#if defined(__AVX512F__)
#define KEEP_IN_MEMORY(window) ((void)(window))
#else
#define KEEP_IN_MEMORY(window) __asm__ volatile("" : : "r"(window) : "memory")
#endif

enum {
  LANES_MAX = (WY_BAND_MAX + BAND_PAD - 1) / BAND_PAD * BAND_PAD,
  WIDTH_MAX = 2 * WY_BAND_MAX,        /* columns of the window */
  VECTORS_MAX = LANES_MAX / VECTOR,   /* vectors in a window column */
  BLOCKS_MAX = WIDTH_MAX / VECTOR + 1 /* vectors that a column of the upper factor reaches */
};

#endif
