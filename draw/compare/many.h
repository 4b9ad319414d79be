/* SPDX-License-Identifier: MIT */
/* `withy compare` of two runs and more: the first is the reference, and each other one is compared with it. What is
   written of two runs is that of compare.h. */
#ifndef WY_DRAW_COMPARE_MANY_H
#define WY_DRAW_COMPARE_MANY_H

#include "draw/compare/compare.h"

/* What at least one of the runs has in common with the reference: a line of the table. */
typedef struct wy_compare_line {
  wy_compared kind;
  const char *name;
  const wy_difference **of; /* [count]: the difference of each run, or NULL */
} wy_compare_line;

typedef struct wy_comparisons {
  wy_memory memory;    /* of what is here beside the pairs */
  int count;           /* of runs beside the reference */
  wy_comparison *pair; /* [count]: the reference and each of them */
  const char **label;  /* [count + 1]: "A" for the reference, then "B", ..., "Z", "AA", ... */
  wy_compare_line *lines;
  int line_count;
} wy_comparisons;

/* All differences of the runs in `count` folders, 2 or more. Returns as wy_compare; close it in any case. */
wy_status wy_compare_many(const char *const *folders, int count, wy_comparisons *comparisons, wy_message *message);
void wy_compare_many_close(wy_comparisons *comparisons);

/* As for two runs: each pair is judged. */
void wy_compare_many_judge(wy_comparisons *comparisons, double relative, double absolute, bool common);
bool wy_compare_many_well(const wy_comparisons *comparisons);
/* The run of a number; 0 is the reference. */
const wy_compare_run *wy_compare_many_run(const wy_comparisons *comparisons, int run);

/* compare.csv has a first column `run`, compare.json a list of runs; both have the values of two runs otherwise. */
void wy_compare_many_csv(FILE *out, const wy_comparisons *comparisons);
void wy_compare_many_json(FILE *out, const wy_comparisons *comparisons);

int wy_compare_many_pictures(const wy_comparisons *comparisons, const char *names[WY_COMPARE_PICTURES],
                             const char *captions[WY_COMPARE_PICTURES]);
void wy_compare_many_script(FILE *out, const wy_comparisons *comparisons);
void wy_compare_many_page(FILE *out, const wy_comparisons *comparisons, char *const *svg);

/* Writes compare.csv, compare.json, the pictures and index.html into a folder; of two runs as compare.h has them. Where
   gnuplot is not installed there are no pictures, and `no_pictures` says so; it is "" else. */
wy_status wy_compare_files(wy_comparisons *comparisons, const char *folder, bool keep_script, wy_message *no_pictures,
                           wy_message *message);

#endif
