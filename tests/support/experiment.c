/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "support/experiment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

wy_findings *new_findings(void) {
  wy_findings *findings = calloc(1, sizeof *findings);
  assert_non_null(findings);
  return findings;
}

/* "time of a step", "Test 1, time of RADAU5": measured on a machine that does other things, too. */
static bool is_time(const char *what) {
  return strncmp(what, "time of ", 8) == 0 || strstr(what, ", time of ") != NULL;
}

/* Of one part, or of all: -1. */
static int look_at_rows(const wy_findings *findings, int part, int *differ) {
  int compared = 0;
  for (int i = 0; i < findings->count; i++) {
    const wy_figure *row = &findings->row[i];
    if (row->verdict == WY_MEASURED || is_time(row->what) || (part >= 0 && row->part != part))
      continue;
    compared++;
    if (row->verdict == WY_DIFFERS) {
      print_message("%s: got %.17g, want %.17g, tolerance %.3g; %s\n", row->what, row->ours, row->published,
                    row->tolerance, row->note);
      ++*differ;
    }
  }
  return compared;
}

static int look_at_tables(const wy_findings *findings, int part, int *differ) {
  int compared = 0;
  for (int t = 0; t < findings->tables; t++)
    for (int r = 0; r < findings->table[t].rows; r++)
      for (int c = 0; c < findings->table[t].columns; c++) {
        const wy_table *table = &findings->table[t];
        const wy_cell *cell = &table->row[r].cell[c];
        if (!table->column[c].compared || cell->verdict == WY_MEASURED || (part >= 0 && table->part != part))
          continue;
        compared++;
        if (cell->verdict == WY_DIFFERS) {
          print_message("%s, %s, %s: got %.17g, want %.17g; %s\n", table->title, table->row[r].label,
                        table->column[c].name, cell->ours, cell->published, table->row[r].note);
          ++*differ;
        }
      }
  return compared;
}

static void check_verdicts(const wy_findings *findings, int part, const char *name, int least) {
  int differ = 0;
  const int compared = look_at_rows(findings, part, &differ) + look_at_tables(findings, part, &differ);
  if (findings->full)
    fail_msg("%s: something had no room and is missing", name);
  if (differ > 0)
    fail_msg("%s: %d of %d comparisons differ", name, differ, compared);
  if (compared < least)
    fail_msg("%s: got %d comparisons, want %d or more", name, compared, least);
  print_message("%s: %d comparisons agree\n", name, compared);
}

void check_findings(const wy_findings *findings, const char *name, int least) {
  check_verdicts(findings, -1, name, least);
}

void check_part(wy_findings *findings, const wy_experiment *paper, const char *part, int least) {
  for (int i = 0; paper->part[i].name; i++) {
    wy_message message = {.text = ""};
    if (strcmp(paper->part[i].name, part) != 0)
      continue;
    findings->part = i;
    if (paper->part[i].run(findings, &message) != WY_OK)
      fail_msg("%s/%s: %s", paper->name, part, message.text);
    check_verdicts(findings, i, part, least);
    return;
  }
  fail_msg("%s has no part %s", paper->name, part);
}

static int count(const char *text, const char *word) {
  int found = 0;
  for (const char *at = text; (at = strstr(at, word)); at++)
    found++;
  return found;
}

void check_chart(const wy_findings *findings, const char *name, int curves) {
  const wy_chart *chart = NULL;
  for (int i = 0; i < findings->charts; i++)
    if (strcmp(findings->chart[i].name, name) == 0)
      chart = &findings->chart[i];
  if (!chart)
    fail_msg("no chart is called %s", name);
  assert_int_equal(chart->count, curves);
  for (int i = 0; i < chart->count; i++)
    check_at_least(chart->curve[i].count, 2);
  char *picture = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&picture, &size);
  assert_non_null(out);
  wy_chart_svg(chart, out);
  assert_int_equal(fclose(out), 0);
  assert_int_equal(count(picture, "<polyline"), curves);
  assert_int_equal(count(picture, "nan"), 0);
  free(picture);
}

void check_figures(const wy_findings *findings, int first, int last) {
  for (int figure = first; figure <= last; figure++) {
    char title[32];
    bool found = false;
    snprintf(title, sizeof title, "Figure %d:", figure);
    for (int i = 0; i < findings->charts; i++)
      found = found || strncmp(findings->chart[i].title, title, strlen(title)) == 0;
    if (!found)
      fail_msg("no chart remakes figure %d", figure);
  }
}
