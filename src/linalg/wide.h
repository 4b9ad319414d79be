/* SPDX-License-Identifier: MIT */
/* Vectors for arrays whose rows are WY_LANES doubles: a whole row with AVX-512, else the part of it that fits. For
   files that are compiled for one instruction set each (see target.h). */
#ifndef WY_LINALG_WIDE_H
#define WY_LINALG_WIDE_H

#include <stdint.h>

/* Doubles in a vector; a divisor of WY_LANES. */
#if defined(__AVX512F__)
#define WIDE 8
#elif defined(__AVX__) || defined(__clang__)
#define WIDE 4
#else
#define WIDE 2
#endif

typedef double wide __attribute__((vector_size(WIDE * 8)));
typedef int64_t wide_bits __attribute__((vector_size(WIDE * 8)));

typedef double memory_wide __attribute__((vector_size(WIDE * 8), may_alias, aligned(8)));
#define LOAD_WIDE(address) ((wide) * (const memory_wide *)(address))
#define STORE_WIDE(address, value) (*(memory_wide *)(address) = (value))

/* `a` where the mask has all bits, `b` where it has none. */
#define SELECT(mask, a, b) ((wide)(((mask) & (wide_bits)(a)) | (~(mask) & (wide_bits)(b))))

#endif
