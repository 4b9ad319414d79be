/* SPDX-License-Identifier: MIT */
/* Units written behind numbers: "500 mm", "200 GPa", "2*L mm", "1.2 g/cm^3". A unit is a product, quotient and power of
   names from one table, some of them with prefixes; it has a dimension and a factor to SI. Numbers without a unit are
   in the unit of their key in the schema. */
#ifndef WY_RUN_SCHEMA_UNIT_H
#define WY_RUN_SCHEMA_UNIT_H

#include <stdbool.h>
#include <stddef.h>

/* Exponents of metre, kilogram, second and radian. Angles count, so that 5 Hz is no angular velocity. */
typedef struct wy_dimension {
  int length, mass, time, angle;
} wy_dimension;

/* In SI a number has the value number * over / under * 10^ten * pi^pi. Powers of ten are kept apart, so that 500 mm is
   0.5 to the last digit. */
typedef struct wy_unit {
  wy_dimension dimension;
  double over, under;
  int ten, pi;
} wy_unit;

/* What is wrong with the text of a unit. */
typedef enum wy_unit_fault {
  WY_UNIT_GOOD,
  WY_UNIT_UNKNOWN,   /* a name that is no unit: `name` */
  WY_UNIT_MALFORMED, /* something else than names, * / ^ and parentheses */
  WY_UNIT_AMBIGUOUS  /* a product behind a quotient: "N/m s" */
} wy_unit_fault;

/* Reads a unit. `name` is the name that is unknown, cut if it is long; it may be NULL. */
wy_unit_fault wy_unit_read(const char *text, wy_unit *unit, char name[24]);

/* Where the unit of an expression begins: at the first operand that follows another one without an operator between
   them, which no expression has. The length of the text if there is none. `*inside`: it begins within parentheses. */
size_t wy_unit_begin(const char *text, bool *inside);

/* The expression, `length` characters of `text`, times the factor of the unit, as a text that gives the SI value. False
   if it does not fit into `size` characters. */
bool wy_unit_apply(const wy_unit *unit, const char *text, size_t length, char *out, size_t size);

/* May a number in the unit `found` stand where `wanted` is asked for? Their dimensions are the same; a curvature may be
   an angle per length, too. */
bool wy_unit_fits(const wy_unit *found, const wy_unit *wanted);

/* What a dimension is called and units that it is often given in: "a length", "m, mm, cm or in". */
typedef struct wy_unit_kind {
  const char *unit; /* in SI; "": none */
  const char *name;
  const char *examples;
} wy_unit_kind;

/* NULL for a dimension that has no name. */
const wy_unit_kind *wy_unit_kind_of(const wy_dimension *dimension);
/* "kg m^2 s^-2". */
void wy_unit_write(const wy_dimension *dimension, char *out, size_t size);

#endif
