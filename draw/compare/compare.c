/* SPDX-License-Identifier: MIT */
/* The differences of two runs. Rows with the same time are compared as they are; where one run was written down more
   finely, it is interpolated at the rows of the other. */
#include "draw/compare/compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw/compare/differences.h"
#include "run/results/file.h"

static wy_status compare_results(wy_comparison *c, wy_message *message) {
  const wy_compare_run *a = &c->run[0], *b = &c->run[1];
  if (a->snapshots == 0 || b->snapshots == 0) {
    if (a->snapshots != b->snapshots)
      wy_compare_note_add(c, true, "only in %s: result.h5 with energies and centrelines", c->label[a->snapshots == 0]);
    return WY_OK;
  }
  wy_match match;
  wy_match_times(&c->memory, a->time, a->snapshots, b->time, b->snapshots, &match);
  if (match.rows == 0) {
    wy_compare_note_add(c, true, "the snapshots of result.h5 have no time in common");
    return WY_OK;
  }
  wy_compare_energies(c, &match);
  wy_compare_momenta(c, &match);
  wy_status status = wy_compare_centrelines(c, &match, message);
  if (status == WY_OK)
    status = wy_compare_batches(c, &match, message);
  wy_compare_note_times(c, &match, "snapshots");
  return status;
}

/* ---- Modes ---- */

/* A line per mode: each is measured by itself, zero ones by the largest. */
static void compare_modes(wy_comparison *c) {
  const wy_table *a = c->run[0].modes, *b = c->run[1].modes;
  int rows = a->rows < b->rows ? a->rows : b->rows, columns = (int)fmin(c->run[0].mode_columns, c->run[1].mode_columns);
  for (int column = 1; column < columns; column++) {
    bool ratio = strcmp(a->name[column], "damping_ratio") == 0;
    double floor = ratio ? 1e-9 : 0;
    for (int i = 0; i < rows; i++)
      floor = fmax(floor, (ratio ? 1e-3 : 1e-6) * fmax(fabs(a->values[column][i]), fabs(b->values[column][i])));
    for (int i = 0; i < rows; i++) {
      char name[64];
      snprintf(name, sizeof name, "%.30s %d", ratio ? "damping ratio" : a->name[column], i + 1);
      wy_difference *d = wy_difference_add(c, WY_COMPARED_MODE, name, 1, 1);
      d->t[0] = i + 1;
      d->index[0] = d->index[1] = column;
      d->value[0][0][0] = a->values[column][i];
      d->value[1][0][0] = b->values[column][i];
      d->scale = fmax(floor, fmax(fabs(d->value[0][0][0]), fabs(d->value[1][0][0])));
      wy_difference_measure(d);
    }
  }
  if (a->rows != b->rows)
    wy_compare_note_add(c, true, "%s has %d modes, %s has %d: the first %d are compared", c->label[0], a->rows,
                        c->label[1], b->rows, rows);
}

/* ---- All of it ---- */

static void note_end(wy_comparison *c, int side) {
  const wy_compare_run *run = &c->run[side];
  const char *status = wy_facts_find(&run->facts, "status"), *message = wy_facts_find(&run->facts, "message");
  if (!status)
    wy_compare_note_add(c, true, "%s has no summary: it was stopped before its end, or is still in progress",
                        c->label[side]);
  else if (strcmp(status, "done") != 0)
    wy_compare_note_add(c, true, "%s %s: %s%s%s", c->label[side],
                        strcmp(status, "wrong") ? "did not reach its end" : "has a wrong result", status,
                        message ? ": " : "", message ? message : "");
  if (c->run[side].probes->cut)
    wy_compare_note_add(c, true, "the last line of %s's probes.csv is incomplete and was ignored", c->label[side]);
}

static bool has_modes(const wy_compare_run *run) {
  return run->analysis == WY_MODES || run->analysis == WY_BUCKLING;
}

static void make_room(wy_comparison *c) {
  enum { OTHERS = WY_ENERGIES + 2 + 1, NOTES = 24 };
  const wy_compare_run *a = &c->run[0];
  const size_t batches = (size_t)wy_compare_count_batches(c); /* two differences each, and a note */
  size_t modes = a->modes ? (size_t)a->modes->rows * (size_t)a->mode_columns : 0;
  c->differences =
      wy_memory_take(&c->memory, (size_t)a->probes->count + OTHERS + modes + 2 * batches, sizeof *c->differences);
  c->notes = wy_memory_take(&c->memory, NOTES + (size_t)a->probes->count + batches, sizeof *c->notes);
}

static wy_status compare_all(wy_comparison *c, wy_message *message) {
  const wy_compare_run *a = &c->run[0], *b = &c->run[1];
  if (a->analysis != b->analysis && (has_modes(a) || has_modes(b)))
    return wy_results_fail(message, WY_ERROR_INPUT, "%s is a run of %s, %s of %s: there is nothing to compare",
                           c->label[0], wy_analysis_name(a->analysis), c->label[1], wy_analysis_name(b->analysis));
  make_room(c);
  note_end(c, 0);
  note_end(c, 1);
  if (a->modes && b->modes)
    compare_modes(c);
  else if (has_modes(a))
    wy_compare_note_add(c, true, "only in %s: the table of modes", c->label[!a->modes]);
  wy_compare_probes(c);
  wy_status status = compare_results(c, message);
  if (status == WY_OK && c->count == 0)
    status = wy_results_fail(message, WY_ERROR_INPUT, "%s and %s have nothing in common to compare%s%s",
                             wy_folder_path(a->folder), wy_folder_path(b->folder), c->note_count ? ": " : "",
                             c->note_count ? c->notes[c->note_count - 1].text : "");
  return status;
}

wy_status wy_compare(const char *const folders[2], const char *const labels[2], wy_comparison *c, wy_message *message) {
  memset(c, 0, sizeof *c);
  memcpy(c->label, labels, sizeof c->label);
  if (setjmp(c->memory.begin) != 0)
    return wy_memory_failed(message);
  wy_status status = WY_OK;
  for (int side = 0; side < 2 && status == WY_OK; side++)
    status = wy_compare_read(c, folders[side], &c->run[side], message);
  return status == WY_OK ? compare_all(c, message) : status;
}

void wy_compare_close(wy_comparison *c) {
  for (int side = 0; side < 2; side++)
    wy_folder_close(c->run[side].folder);
  wy_memory_release(&c->memory);
}

/* ---- Judgement ---- */

bool wy_compare_judged(const wy_comparison *c) {
  return c->relative >= 0 || c->absolute >= 0;
}

bool wy_compare_well(const wy_comparison *c) {
  return !wy_compare_judged(c) || (c->beyond == 0 && (c->common || c->lacking == 0));
}

double wy_compare_limit(const wy_comparison *c, const wy_difference *d) {
  return fmax(fmax(c->relative, 0) * d->scale, fmax(c->absolute, 0));
}

void wy_compare_judge(wy_comparison *c, double relative, double absolute, bool common) {
  c->relative = relative;
  c->absolute = absolute;
  c->common = common;
  for (int i = 0; i < c->count && wy_compare_judged(c); i++) {
    wy_difference *d = &c->differences[i];
    d->judged = d->kind != WY_COMPARED_MOMENTUM && d->kind != WY_COMPARED_CENTRELINE;
    d->beyond = d->judged && !(d->largest <= wy_compare_limit(c, d));
    c->judged += d->judged;
    c->beyond += d->beyond;
  }
  for (int i = 0; i < c->note_count; i++)
    c->lacking += c->notes[i].lacking;
}
