/* SPDX-License-Identifier: MIT */
/* Vectors for arrays whose rows are WY_LANES doubles: a whole row with AVX-512, else the part of it that fits. For
   files that are compiled for one instruction set each (see target.h). */
#ifndef WY_LINALG_WIDE_H
#define WY_LINALG_WIDE_H

#include <stdint.h>

#include "base/target.h"

/* Doubles in a vector; a divisor of WY_LANES. */
#if defined(__AVX512F__)
#define WIDE 8
#elif defined(__AVX__) || defined(__clang__)
#define WIDE 4
#else
#define WIDE 2
#endif

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpsabi" /* functions that take vectors are inlined: no call passes one */
#endif

typedef double wide __attribute__((vector_size(WIDE * 8)));
typedef int64_t wide_bits __attribute__((vector_size(WIDE * 8)));

typedef double memory_wide __attribute__((vector_size(WIDE * 8), may_alias, aligned(8)));
#define LOAD_WIDE(address) ((wide) * (const memory_wide *)(address))
#define STORE_WIDE(address, value) (*(memory_wide *)(address) = (value))

/* The same in every lane. */
#define SPLAT_WIDE(value) ((value) - (wide){0})

/* `a` where the mask has all bits, `b` where it has none. */
#define SELECT(mask, a, b) ((wide)(((mask) & (wide_bits)(a)) | (~(mask) & (wide_bits)(b))))

/* Numbers of two vectors, by their places in both. */
#if defined(__clang__)
#define PICK(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define PICK(a, b, ...) __builtin_shuffle(a, b, (wide_bits){__VA_ARGS__})
#endif

/* Rows become columns: numbers, then pairs, then fours change places with those across the diagonal. */
WY_INLINE void wide_transpose(wide rows[WIDE]) {
  wide one[WIDE];
#if WIDE == 8
  wide two[WIDE];
  for (int i = 0; i < WIDE; i += 2) {
    one[i] = PICK(rows[i], rows[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    one[i + 1] = PICK(rows[i], rows[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (int i = 0; i < WIDE; i += 4)
    for (int j = i; j < i + 2; j++) {
      two[j] = PICK(one[j], one[j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      two[j + 2] = PICK(one[j], one[j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  for (int i = 0; i < 4; i++) {
    rows[i] = PICK(two[i], two[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    rows[i + 4] = PICK(two[i], two[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
#elif WIDE == 4
  for (int i = 0; i < WIDE; i += 2) {
    one[i] = PICK(rows[i], rows[i + 1], 0, 4, 2, 6);
    one[i + 1] = PICK(rows[i], rows[i + 1], 1, 5, 3, 7);
  }
  for (int i = 0; i < 2; i++) {
    rows[i] = PICK(one[i], one[i + 2], 0, 1, 4, 5);
    rows[i + 2] = PICK(one[i], one[i + 2], 2, 3, 6, 7);
  }
#else
  one[0] = PICK(rows[0], rows[1], 0, 2);
  one[1] = PICK(rows[0], rows[1], 1, 3);
  rows[0] = one[0], rows[1] = one[1];
#endif
}

#endif
