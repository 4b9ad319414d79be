/* SPDX-License-Identifier: MIT */
/* See report.h. What the forms of the report share, the terminal, and the files. */
#include "cli/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- values ---- */

void wy_format_value(char text[32], double value, double tolerance) {
  int digits = 4;
  if (isnan(value)) {
    text[0] = '\0';
    return;
  }
  if (value == floor(value) && fabs(value) < 1e12) {
    snprintf(text, 32, "%.0f", value);
    return;
  }
  if (tolerance > 0 && value != 0) { /* so that the tolerance's first digit can be seen */
    const double size = log10(fabs(value)), whole = size < 6 ? floor(size) + 1 : 0;
    digits = (int)fmin(fmax(fmax(ceil(size - log10(tolerance)) + 2, whole), 3), 11);
  }
  snprintf(text, 32, "%.*g", digits, value);
}

void wy_format_seconds(char text[16], double seconds) {
  const unsigned s = (unsigned)lround(fmin(fmax(seconds, 0), 1e5));
  snprintf(text, 16, "%u:%02u", s / 60, s % 60);
}

/* ---- verdicts ---- */

wy_verdict wy_row_verdict(const wy_table *table, const wy_table_row *row) {
  static const int rank[] = {[WY_MEASURED] = 0, [WY_AGREES] = 1, [WY_EXPLAINED] = 2, [WY_DIFFERS] = 3};
  wy_verdict worst = WY_MEASURED;
  for (int c = 0; c < table->columns; c++)
    worst = rank[row->cell[c].verdict] > rank[worst] ? row->cell[c].verdict : worst;
  return worst;
}

bool wy_row_is_of(const wy_figure *row, int part, bool of_paper) {
  return row->part == part && (row->where[0] != '\0') == of_paper;
}

bool wy_table_compared(const wy_table *table) {
  for (int c = 0; c < table->columns; c++)
    if (table->column[c].compared)
      return true;
  return false;
}

wy_tally wy_outcome_tally(const wy_outcome *outcome, bool of_paper) {
  const wy_findings *f = &outcome->findings;
  wy_tally tally = {{0}};
  for (int i = 0; i < f->count; i++)
    if (wy_row_is_of(&f->row[i], f->row[i].part, of_paper))
      tally.count[f->row[i].verdict]++;
  for (int i = 0; i < f->tables && of_paper; i++)
    for (int k = 0; k < f->table[i].rows; k++)
      for (int c = 0; c < f->table[i].columns; c++)
        if (!isnan(f->table[i].row[k].cell[c].published))
          tally.count[f->table[i].row[k].cell[c].verdict]++;
  return tally;
}

int wy_outcome_omissions(const wy_outcome *outcome) {
  int count = 0;
  while (outcome->experiment->omitted[count].what)
    count++;
  return count;
}

double wy_outcome_seconds(const wy_outcome *outcome) {
  double sum = 0;
  for (int i = 0; i < WY_MAX_PARTS; i++)
    sum += outcome->part[i].seconds;
  return sum;
}

bool wy_outcome_good(const wy_outcome *outcome) {
  for (int i = 0; i < WY_MAX_PARTS; i++)
    if (outcome->part[i].status != WY_OK)
      return false;
  return !wy_findings_differ(&outcome->findings);
}

/* ---- terminal ---- */

static void print_table(const wy_table *table) {
  printf("\n  %s%s\n  %-20s", table->title, wy_table_compared(table) ? " (published, ours)" : "", table->label);
  for (int c = 0; c < table->columns; c++)
    printf(table->column[c].compared ? " %19s" : " %15s", table->column[c].name);
  putchar('\n');
  for (int k = 0; k < table->rows; k++) {
    const wy_table_row *row = &table->row[k];
    wy_verdict verdict = wy_row_verdict(table, row);
    printf("  %-20s", row->label);
    for (int c = 0; c < table->columns; c++) {
      char published[32], ours[32];
      wy_format_value(published, row->cell[c].published, NAN);
      wy_format_value(ours, row->cell[c].ours, NAN);
      if (table->column[c].compared)
        printf(" %9s %9s", published, ours);
      else
        printf(" %15s", ours);
    }
    printf("  %s\n", wy_verdict_name(verdict));
    if ((verdict == WY_DIFFERS || verdict == WY_EXPLAINED) && row->note[0])
      printf("  %-20s   %s\n", "", row->note);
  }
}

static void print_line(const char *what, const char *wanted, const char *ours, const char *unit, const char *verdict) {
  printf("  %-72s %14s %14s %-4s %s\n", what, wanted, ours, unit, verdict);
}

/* Those of the paper, or the further checks, below a heading of their own. */
static void print_rows(const wy_findings *f, int part, bool of_paper) {
  bool has_heading = false;
  for (int i = 0; i < f->count; i++) {
    const wy_figure *row = &f->row[i];
    char wanted[32], ours[32];
    if (!wy_row_is_of(row, part, of_paper))
      continue;
    if (!has_heading) {
      putchar('\n');
      print_line(of_paper ? "of the paper" : "further checks", of_paper ? "published" : "expected", "ours", "unit",
                 "verdict");
    }
    has_heading = true;
    wy_format_value(wanted, row->published, row->tolerance);
    wy_format_value(ours, row->ours, row->tolerance);
    print_line(row->what, of_paper && !wanted[0] ? "statement" : wanted, ours, row->unit,
               wy_verdict_name(row->verdict));
  }
}

static void print_part(const wy_outcome *o, int part) {
  const wy_findings *f = &o->findings;
  printf("%s\n", o->experiment->part[part].title);
  print_rows(f, part, true);
  for (int i = 0; i < f->tables; i++)
    if (f->table[i].part == part)
      print_table(&f->table[i]);
  print_rows(f, part, false);
  if (o->part[part].status != WY_OK)
    printf("  failed: %s\n", o->part[part].message.text);
  putchar('\n');
}

void wy_report_print(const wy_outcome *o) {
  const wy_experiment *e = o->experiment;
  printf("%s: %s\n%s\n\n", e->name, e->title, e->source);
  bool is_whole = true;
  for (int i = 0; e->part[i].name; i++) {
    is_whole = is_whole && o->part[i].run;
    if (o->part[i].run)
      print_part(o, i);
  }
  if (!is_whole) /* what is not remade concerns the paper */
    return;
  puts("Not remade");
  for (int i = 0; e->omitted[i].what; i++)
    printf("  %s: %s\n", e->omitted[i].what, e->omitted[i].reason);
  putchar('\n');
}

void wy_report_summary(const wy_outcome *outcomes, int count) {
  printf("%-24s %8s %10s %8s %9s %7s %11s %7s\n", "", "agree", "explained", "differ", "measured", "checks",
         "not remade", "time");
  for (int i = 0; i < count; i++) {
    const wy_tally of = wy_outcome_tally(&outcomes[i], true), more = wy_outcome_tally(&outcomes[i], false);
    char checks[32], time[16];
    snprintf(checks, sizeof checks, "%d/%d", more.count[WY_AGREES], more.count[WY_AGREES] + more.count[WY_DIFFERS]);
    wy_format_seconds(time, wy_outcome_seconds(&outcomes[i]));
    printf("%-24s %8d %10d %8d %9d %7s %11d %7s\n", outcomes[i].experiment->name, of.count[WY_AGREES],
           of.count[WY_EXPLAINED], of.count[WY_DIFFERS], of.count[WY_MEASURED], checks,
           wy_outcome_omissions(&outcomes[i]), time);
  }
  putchar('\n');
}

/* ---- files ---- */

/* Writes one file of the report; frees its text. */
static bool save(const char *folder, const char *name, const char *ending, wy_text *text) {
  wy_text path = {0};
  wy_message message;
  wy_text_add(&path, "%s/%s%s", folder, name, ending);
  bool good = wy_file_replace(path.data, text->data, text->length, &message) == WY_OK;
  if (!good)
    fprintf(stderr, "withy reproduce: %s\n", message.text);
  wy_text_free(&path);
  wy_text_free(text);
  return good;
}

/* What is written to a stream, as text, for one table or one chart. */
static bool save_csv(const char *folder, const wy_table *table, const wy_chart *chart) {
  wy_text text = {0};
  char *data = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&data, &size);
  if (!out) {
    fputs("withy reproduce: out of memory\n", stderr);
    return false;
  }
  if (table)
    wy_table_csv(table, out);
  else
    wy_chart_csv(chart, out);
  if (fclose(out) == 0)
    wy_text_append(&text, data, size);
  free(data);
  return save(folder, table ? table->name : chart->name, ".csv", &text);
}

bool wy_report_save(const char *folder, const wy_outcome *outcomes, int count) {
  wy_text json = {0}, html = {0};
  const wy_findings *last = &outcomes[count - 1].findings;
  wy_report_json(&json, outcomes, count);
  wy_report_html(&html, outcomes, count);
  bool good = save(folder, "report", ".json", &json);
  good = save(folder, "report", ".html", &html) && good;
  for (int i = 0; i < last->tables; i++)
    good = save_csv(folder, &last->table[i], NULL) && good;
  for (int i = 0; i < last->charts; i++)
    good = save_csv(folder, NULL, &last->chart[i]) && good;
  return good;
}
