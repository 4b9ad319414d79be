/* SPDX-License-Identifier: MIT */
/* Random numbers and values of ranges, equal to the last bit on every machine: only IEEE additions, multiplications,
   divisions and roots, compiled without contraction, and whole numbers. No function of the C library whose last digit
   may differ. */
#ifndef WY_RUN_TREE_NUMBERS_H
#define WY_RUN_TREE_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 64 random bits of a seed and two numbers. */
uint64_t wy_random_bits(uint64_t seed, uint64_t a, uint64_t b);
/* From bits to (0, 1), never 0 or 1. */
double wy_random_unit(uint64_t bits);

/* Value number k of 0 to n between two ends: equal distances, or equal ratios for ends > 0. The ends are met exactly.
 */
#define WY_SPREAD_MOST 1e280 /* size of the ends */
double wy_spread(double from, double to, double k, double n, bool ratios);

/* The number below which a part u of the standard normal distribution lies; 0 < u < 1. Relative error below 1e-15. */
double wy_normal(double u);

/* e^x and the natural logarithm of x > 0, rounded correctly but for rare cases. */
double wy_exact_exp(double x);
double wy_exact_log(double x);

/* The shortest of the texts with 15, 16 and 17 digits that reads back as the same number. Works like snprintf. */
size_t wy_number_text(double value, char *text, size_t size);

#endif
