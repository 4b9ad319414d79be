/* SPDX-License-Identifier: MIT */
/* Tables of numbers as smooth functions: measured motions, loads, curvatures. Each column becomes a cubic spline of the
   table's argument, time t or arc length s: twice continuously differentiable, with exact derivatives.

     wy_spline_def def = wy_default_spline_def();
     def.rows = 5, def.argument = time;
     def.columns = 3, def.values = positions; // row by row
     if (wy_spline_create(&def, &hand, &message) == WY_OK)
       rod.ends[WY_END].path[0] = wy_spline_signal(hand, 0);

   docs/theory/splines.md has the equations. */
#ifndef WITHY_SPLINE_H
#define WITHY_SPLINE_H

#include "withy/definition.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a table is before its first and after its last row. */
typedef enum wy_outside {
  WY_OUTSIDE_REFUSE, /* not defined: NAN; a run that would need it is refused before it starts */
  WY_OUTSIDE_HOLD    /* constant: the spline begins and ends there with zero first and second derivative */
} wy_outside;

/* The most rows and columns that a table may have. */
#define WY_SPLINE_ROWS 1000000
#define WY_SPLINE_COLUMNS 1000

/* A table. wy_spline_create copies it. */
typedef struct wy_spline_def {
  uint32_t cookie, size; /* set by wy_default_spline_def */
  const char *name;      /* of the table, in messages */
  wy_variable of;        /* WY_TIME or WY_ARC */
  wy_outside outside;
  int rows, columns;        /* at least 2 rows and one column */
  const double *argument;   /* [rows], strictly increasing */
  const double *values;     /* [rows * columns], row by row */
  const char *const *names; /* optional: [columns], each once */
} wy_spline_def;

/* Fills the first `size` bytes of a definition with defaults (withy/definition.h). */
WY_API void wy_init_spline_def(wy_spline_def *def, size_t size);
/* No rows and no columns; of time, refused outside. */
static inline wy_spline_def wy_default_spline_def(void) {
  wy_spline_def def;
  wy_init_spline_def(&def, sizeof def);
  return def;
}

/* The columns of a table as splines. It is immutable, so that threads may share it. */
typedef struct wy_spline wy_spline;

/* Four columns with the names qw, qx, qy, qz are a rotation: each row is divided by its length, and of q and -q, which
   are the same rotation, the one is taken that is nearer to the row before. Neighbouring rows must differ by less than
   half a turn.
   Checks and copies the definition. On failure *spline is NULL and the message says which row is wrong. */
WY_API wy_status wy_spline_create(const wy_spline_def *def, wy_spline **spline, wy_message *message);
WY_API void wy_spline_destroy(wy_spline *spline);

/* The definition as copied: rotations are unit quaternions with continuous signs. */
WY_API const wy_spline_def *wy_spline_definition(const wy_spline *spline);
/* The index of the column with this name, or -1. */
WY_API int wy_spline_column(const wy_spline *spline, const char *name);

/* Value, first and second derivative of a column. NAN outside the table where it is not held. */
WY_API void wy_spline_evaluate(const wy_spline *spline, int column, double at, double jet[3]);

/* A column as a signal of the table's variable; `spline` must outlive it. A constant NAN if there is no such column. */
WY_API wy_signal wy_spline_signal(const wy_spline *spline, int column);

#ifdef __cplusplus
}
#endif
#endif
