/* SPDX-License-Identifier: MIT */
/* What the parts of a comparison share: notes, and differences as they are made. Inner header of draw/compare/. */
#ifndef WY_DRAW_COMPARE_DIFFERENCES_H
#define WY_DRAW_COMPARE_DIFFERENCES_H

#include "draw/compare/compare.h"
#include "draw/compare/match.h"

void wy_compare_note_add(wy_comparison *c, bool lacking, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* "only in A: WHAT NAMES", unless there are no names. */
void wy_compare_note_lacking(wy_comparison *c, int has, const char *what, const char *names);
/* How the times of both runs went together; `what` are "rows" or "snapshots". */
void wy_compare_note_times(wy_comparison *c, const wy_match *match, const char *what);

/* A new difference, with room for its values. */
wy_difference *wy_difference_add(wy_comparison *c, wy_compared kind, const char *name, int rows, int components);
/* Distances, the largest one and the mean square, from the values of both runs. */
void wy_difference_measure(wy_difference *d);

/* A vector in either run, at all times of its file. */
typedef struct wy_compare_series {
  const double *part[4];
  int count; /* of rows */
} wy_compare_series;

/* Nothing is stored, or nothing but zeros: kinetic energies of equilibria, work without loads. */
bool wy_compare_nothing(const wy_compare_series both[2], int components);
wy_difference *wy_difference_add_series(wy_comparison *c, wy_compared kind, const char *name, const wy_match *match,
                                        const wy_compare_series both[2], int components);

/* The parts. */
void wy_compare_probes(wy_comparison *c);
void wy_compare_energies(wy_comparison *c, const wy_match *match);
void wy_compare_momenta(wy_comparison *c, const wy_match *match);
wy_status wy_compare_centrelines(wy_comparison *c, const wy_match *match, wy_message *message);
wy_status wy_compare_batches(wy_comparison *c, const wy_match *match, wy_message *message);
/* How many entries of /batches both runs have, together. */
int wy_compare_count_batches(const wy_comparison *c);

/* Reads a run completely, and finds by what its values are measured. */
wy_status wy_compare_read(wy_comparison *c, const char *folder, wy_compare_run *run, wy_message *message);
wy_status wy_compare_measure(wy_compare_run *run, wy_memory *memory, wy_message *message);

#endif
