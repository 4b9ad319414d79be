/* SPDX-License-Identifier: MIT */
/* What an experiment fills: rows and tables. */
#include <math.h>
#include <stdio.h>

#include "experiments/experiments.h"

const char *wy_verdict_name(wy_verdict verdict) {
  static const char *const names[] = {
      [WY_AGREES] = "agrees", [WY_DIFFERS] = "differs", [WY_MEASURED] = "measured", [WY_EXPLAINED] = "explained"};
  return names[verdict];
}

static wy_verdict judge(double published, double ours, double tolerance) {
  if (isnan(published) || isnan(tolerance))
    return WY_MEASURED;
  return fabs(ours - published) <= tolerance ? WY_AGREES : WY_DIFFERS;
}

void wy_findings_add(wy_findings *findings, const char *what, double published, double ours, double tolerance,
                     const char *unit, const char *note) {
  if (findings->count == WY_MAX_FINDINGS) {
    findings->full = true;
    return;
  }
  wy_figure *row = &findings->row[findings->count++];
  row->part = findings->part;
  snprintf(row->what, sizeof row->what, "%s", what);
  snprintf(row->unit, sizeof row->unit, "%s", unit);
  snprintf(row->note, sizeof row->note, "%s", note);
  row->published = published;
  row->ours = ours;
  row->tolerance = isnan(published) ? (double)NAN : tolerance;
  row->verdict = judge(published, ours, tolerance);
}

void wy_findings_bound(wy_findings *findings, const char *what, double published, double ours, const char *unit,
                       const char *note) {
  wy_findings_add(findings, what, published, ours, NAN, unit, note);
  findings->row[findings->count - 1].bound = true;
  findings->row[findings->count - 1].verdict = ours <= published ? WY_AGREES : WY_DIFFERS;
}

void wy_findings_state(wy_findings *findings, const char *what, double ours, bool holds, const char *unit,
                       const char *note) {
  wy_findings_add(findings, what, NAN, ours, 0, unit, note);
  findings->row[findings->count - 1].verdict = holds ? WY_AGREES : WY_DIFFERS;
}

void wy_findings_explain(wy_findings *findings) {
  wy_figure *row = &findings->row[findings->count - 1];
  row->verdict = row->verdict == WY_DIFFERS ? WY_EXPLAINED : row->verdict;
}

void wy_findings_where(wy_findings *findings, const char *where) {
  snprintf(findings->row[findings->count - 1].where, sizeof findings->row[0].where, "%s", where);
}

bool wy_findings_differ(const wy_findings *findings) {
  for (int i = 0; i < findings->count; i++)
    if (findings->row[i].verdict == WY_DIFFERS)
      return true;
  for (int i = 0; i < findings->tables; i++)
    for (int k = 0; k < findings->table[i].rows; k++)
      for (int c = 0; c < findings->table[i].columns; c++)
        if (findings->table[i].row[k].cell[c].verdict == WY_DIFFERS)
          return true;
  return false;
}

/* ---- tables ---- */

wy_table *wy_table_new(wy_findings *findings, const char *name, const char *title, const char *label) {
  if (findings->tables == WY_MAX_TABLES) {
    findings->full = true;
    return NULL;
  }
  wy_table *table = &findings->table[findings->tables++];
  table->part = findings->part;
  snprintf(table->name, sizeof table->name, "%s", name);
  snprintf(table->title, sizeof table->title, "%s", title);
  snprintf(table->label, sizeof table->label, "%s", label);
  return table;
}

void wy_table_column(wy_table *table, const char *name, bool compared) {
  if (!table || table->columns == WY_MAX_COLUMNS)
    return;
  snprintf(table->column[table->columns].name, sizeof table->column[0].name, "%s", name);
  table->column[table->columns++].compared = compared;
}

wy_table_row *wy_table_add(wy_table *table, const char *label, const char *note) {
  if (!table || table->rows == WY_MAX_ROWS)
    return NULL;
  wy_table_row *row = &table->row[table->rows++];
  snprintf(row->label, sizeof row->label, "%s", label);
  snprintf(row->note, sizeof row->note, "%s", note);
  for (int c = 0; c < WY_MAX_COLUMNS; c++)
    row->cell[c] = (wy_cell){NAN, NAN, WY_MEASURED};
  return row;
}

void wy_table_set(wy_table_row *row, int column, double published, double ours, double tolerance) {
  if (row)
    row->cell[column] = (wy_cell){published, ours, judge(published, ours, tolerance)};
}

void wy_table_csv(const wy_table *table, FILE *out) {
  fprintf(out, "%s,column,published,ours,verdict\n", table->label);
  for (int k = 0; k < table->rows; k++)
    for (int c = 0; c < table->columns; c++) {
      const wy_cell *cell = &table->row[k].cell[c];
      if (!isnan(cell->published) || !isnan(cell->ours))
        fprintf(out, "%s,%s,%.9g,%.9g,%s\n", table->row[k].label, table->column[c].name, cell->published, cell->ours,
                wy_verdict_name(cell->verdict));
    }
}

wy_chart *wy_chart_new(wy_findings *findings, const char *name, const char *title, const char *x, const char *y,
                       const char *caption) {
  if (!findings)
    return NULL;
  if (findings->charts == WY_MAX_CHARTS) {
    findings->full = true;
    return NULL;
  }
  wy_chart *chart = &findings->chart[findings->charts++];
  snprintf(chart->name, sizeof chart->name, "%s", name);
  snprintf(chart->title, sizeof chart->title, "%s", title);
  snprintf(chart->x, sizeof chart->x, "%s", x);
  snprintf(chart->y, sizeof chart->y, "%s", y);
  snprintf(chart->caption, sizeof chart->caption, "%s", caption);
  chart->part = findings->part;
  return chart;
}
