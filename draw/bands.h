/* SPDX-License-Identifier: MIT */
/* The probes of batches: how the values of all rods are spread over the course of a run. */
#ifndef WY_DRAW_BANDS_H
#define WY_DRAW_BANDS_H

#include "draw/memory.h"
#include "run/folder/folder.h"

enum { WY_BAND_QUANTILES = 5, WY_BAND_COURSES = 4 };
extern const double wy_band_shares[WY_BAND_QUANTILES]; /* 0.05, 0.25, 0.5, 0.75, 0.95 */

/* One component of a probe. */
typedef struct wy_band {
  const char *title; /* "tip z of head" */
  const char *label; /* of its axis */
  int rods;          /* those of the batch that have not failed */
  int count;         /* of times */
  const double *time;
  double *quantile[WY_BAND_QUANTILES]; /* [count]; NAN where no rod has a finite value */
  int courses;
  double *course[WY_BAND_COURSES]; /* of single rods, evenly spread over the batch */
} wy_band;

typedef struct wy_bands {
  int count;
  wy_band *list;
} wy_bands;

/* All of them at no more than `most` of the snapshots, evenly spread, the first and the last included. Values that are
   not numbers are left out. WY_ERROR_INPUT: a dataset is damaged. */
wy_status wy_bands_read(wy_folder *folder, wy_memory *memory, int most, wy_bands *out, wy_message *message);

/* The value below which a share of `count` numbers lies, between two of them on the straight line; NAN of none. Changes
   their order. */
double wy_quantile(double *values, int count, double share);

#endif
