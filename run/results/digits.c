/* SPDX-License-Identifier: MIT */
/* Numbers as text, with the 17 digits from which each of them can be read back: what "%.17g" prints, for a tenth of its
   time. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/results/file.h"

enum { DIGITS = 17, LEAST = -11, LARGEST_POWER = 27 /* of 5 in 64 bits */ };
__extension__ typedef unsigned __int128 wide;

/* m * 2^e * 10^k as an integer, rounded to the nearest, to the even one where two are as near. Exact before that:
   m < 2^53 and 5^k < 2^63. */
static uint64_t scaled(uint64_t m, int e, int k) {
  uint64_t five = 1;
  for (int i = 0; i < k; i++)
    five *= 5;
  const wide product = (wide)m * five;
  const int down = -(e + k); /* 2^-down */
  if (down <= 0)
    return (uint64_t)(product << -down);
  const wide whole = product >> down, rest = product - (whole << down), half = (wide)1 << (down - 1);
  return (uint64_t)whole + (rest > half || (rest == half && (whole & 1)));
}

/* The digits of a positive number as an integer of DIGITS digits, and the power of ten of the first. False: it is too
   large or too small for this. */
static bool find_digits(double value, uint64_t *digits, int *power) {
  static const uint64_t least = UINT64_C(10000000000000000), most = UINT64_C(100000000000000000);
  int e;
  const double fraction = frexp(value, &e);
  const uint64_t m = (uint64_t)ldexp(fraction, 53);
  int ten = (int)floor((e - 1) * 0.30102999566398120); /* that power, or one less */
  if (ten < LEAST || ten >= DIGITS - 1)
    return false;
  *digits = scaled(m, e - 53, DIGITS - 1 - ten);
  if (*digits >= most)
    *digits = scaled(m, e - 53, DIGITS - 1 - ++ten);
  *power = ten;
  return *digits >= least && *digits < most;
}

/* Digits from the first on, without zeros at the end; their number. */
static int write_digits(uint64_t digits, char out[DIGITS]) {
  int count = DIGITS;
  for (int i = DIGITS - 1; i >= 0; i--, digits /= 10)
    out[i] = (char)('0' + digits % 10);
  while (count > 1 && out[count - 1] == '0')
    count--;
  return count;
}

/* A whole number below 2^53. */
static void add_whole(wy_text *text, double value) {
  char out[20];
  int at = sizeof out;
  uint64_t left = (uint64_t)fabs(value);
  do
    out[--at] = (char)('0' + left % 10);
  while ((left /= 10) > 0);
  if (signbit(value))
    out[--at] = '-';
  wy_text_append(text, out + at, sizeof out - (size_t)at);
}

/* With their point, or with an exponent below 1e-4. */
static void add_digits(wy_text *text, bool negative, uint64_t number, int power) {
  char out[40], digits[DIGITS];
  const int count = write_digits(number, digits);
  int at = 0;
  if (negative)
    out[at++] = '-';
  if (power < -4) {
    out[at++] = digits[0];
    if (count > 1)
      out[at++] = '.';
    memcpy(out + at, digits + 1, (size_t)(count - 1));
    at += count - 1;
    out[at++] = 'e', out[at++] = '-';
    out[at++] = (char)('0' + -power / 10), out[at++] = (char)('0' + -power % 10);
  } else if (power < 0) {
    memcpy(out + at, "0.000", (size_t)(1 - power));
    at += 1 - power;
    memcpy(out + at, digits, (size_t)count);
    at += count;
  } else {
    for (int i = 0; i < count || i <= power; i++) {
      if (i == power + 1)
        out[at++] = '.';
      out[at++] = i < count ? digits[i] : '0';
    }
  }
  wy_text_append(text, out, (size_t)at);
}

void wy_text_number(wy_text *text, double value) {
  uint64_t digits;
  int power;
  if (fabs(value) < 9007199254740992.0 && value == trunc(value))
    add_whole(text, value);
  else if (isfinite(value) && find_digits(fabs(value), &digits, &power))
    add_digits(text, value < 0, digits, power);
  else
    wy_text_add(text, "%.17g", value);
}
