/* SPDX-License-Identifier: MIT */
/* report.json: all that the page shows, for programs. */
#include <math.h>

#include "cli/report.h"
#include "run/results/json.h"

static void add_finding(wy_json *json, const wy_outcome *o, const wy_figure *row) {
  wy_json_object(json, NULL);
  wy_json_string(json, "part", o->experiment->part[row->part].name);
  wy_json_string(json, "what", row->what);
  wy_json_string(json, "where", row->where);
  wy_json_number(json, "published", row->published);
  wy_json_number(json, "ours", row->ours);
  wy_json_number(json, "tolerance", row->tolerance);
  wy_json_string(json, "unit", row->unit);
  wy_json_string(json, "verdict", wy_verdict_name(row->verdict));
  wy_json_string(json, "note", row->note);
  wy_json_end_object(json);
}

static void add_row(wy_json *json, const wy_table *table, const wy_table_row *row) {
  wy_json_object(json, NULL);
  wy_json_string(json, "label", row->label);
  wy_json_string(json, "verdict", wy_verdict_name(wy_row_verdict(table, row)));
  wy_json_string(json, "note", row->note);
  wy_json_list(json, "cells");
  for (int c = 0; c < table->columns; c++) {
    wy_json_object(json, NULL);
    wy_json_string(json, "column", table->column[c].name);
    wy_json_number(json, "published", row->cell[c].published);
    wy_json_number(json, "ours", row->cell[c].ours);
    wy_json_string(json, "verdict", wy_verdict_name(row->cell[c].verdict));
    wy_json_end_object(json);
  }
  wy_json_end_list(json);
  wy_json_end_object(json);
}

static void add_tables(wy_json *json, const wy_outcome *o) {
  wy_json_list(json, "tables");
  for (int k = 0; k < o->findings.tables; k++) {
    const wy_table *table = &o->findings.table[k];
    wy_json_object(json, NULL);
    wy_json_string(json, "part", o->experiment->part[table->part].name);
    wy_json_string(json, "name", table->name);
    wy_json_string(json, "title", table->title);
    wy_json_list(json, "rows");
    for (int r = 0; r < table->rows; r++)
      add_row(json, table, &table->row[r]);
    wy_json_end_list(json);
    wy_json_end_object(json);
  }
  wy_json_end_list(json);
}

static void add_charts(wy_json *json, const wy_outcome *o) {
  wy_json_list(json, "charts");
  for (int k = 0; k < o->findings.charts; k++) {
    const wy_chart *chart = &o->findings.chart[k];
    wy_json_object(json, NULL);
    wy_json_string(json, "part", o->experiment->part[chart->part].name);
    wy_json_string(json, "name", chart->name);
    wy_json_string(json, "title", chart->title);
    wy_json_string(json, "caption", chart->caption);
    wy_json_end_object(json);
  }
  wy_json_end_list(json);
}

static void add_parts(wy_json *json, const wy_outcome *o) {
  wy_json_list(json, "parts");
  for (int i = 0; i < WY_MAX_PARTS; i++) {
    const wy_part *part = &o->experiment->part[i];
    if (!o->part[i].run)
      continue;
    wy_json_object(json, NULL);
    wy_json_string(json, "name", part->name);
    wy_json_string(json, "title", part->title);
    wy_json_string(json, "scenario", part->scenario ? part->scenario : "");
    wy_json_string(json, "status", o->part[i].status == WY_OK ? "done" : "failed");
    wy_json_number(json, "seconds", o->part[i].seconds);
    wy_json_end_object(json);
  }
  wy_json_end_list(json);
}

static void add_tally(wy_json *json, const char *key, wy_tally tally) {
  static const wy_verdict order[] = {WY_AGREES, WY_EXPLAINED, WY_DIFFERS, WY_MEASURED};
  wy_json_object(json, key);
  for (int i = 0; i < 4; i++)
    wy_json_integer(json, wy_verdict_name(order[i]), tally.count[order[i]]);
  wy_json_end_object(json);
}

static void add_outcome(wy_json *json, const wy_outcome *o) {
  const wy_experiment *e = o->experiment;
  const char *failure = NULL;
  for (int i = WY_MAX_PARTS - 1; i >= 0; i--)
    failure = o->part[i].status != WY_OK ? o->part[i].message.text : failure;
  wy_json_object(json, NULL);
  wy_json_string(json, "name", e->name);
  wy_json_string(json, "title", e->title);
  wy_json_string(json, "source", e->source);
  wy_json_string(json, "status", failure ? "failed" : o->unfinished ? "unfinished" : "done");
  wy_json_string(json, "message", failure ? failure : "");
  wy_json_number(json, "seconds", wy_outcome_seconds(o));
  add_tally(json, "published", wy_outcome_tally(o, true));
  add_tally(json, "checks", wy_outcome_tally(o, false));
  wy_json_list(json, "remarks");
  for (int k = 0; e->remark[k]; k++)
    wy_json_string(json, NULL, e->remark[k]);
  wy_json_end_list(json);
  add_parts(json, o);
  wy_json_list(json, "findings");
  for (int k = 0; k < o->findings.count; k++)
    add_finding(json, o, &o->findings.row[k]);
  wy_json_end_list(json);
  add_tables(json, o);
  add_charts(json, o);
  wy_json_list(json, "not_remade");
  for (int k = 0; e->omitted[k].what; k++) {
    wy_json_object(json, NULL);
    wy_json_string(json, "what", e->omitted[k].what);
    wy_json_string(json, "reason", e->omitted[k].reason);
    wy_json_end_object(json);
  }
  wy_json_end_list(json);
  wy_json_end_object(json);
}

void wy_report_json(wy_text *text, const wy_outcome *outcomes, int count) {
  wy_json json = {.text = text};
  wy_json_object(&json, NULL);
  wy_json_integer(&json, "format", 1);
  wy_json_string(&json, "version", wy_version());
  wy_json_list(&json, "experiments");
  for (int i = 0; i < count; i++)
    add_outcome(&json, &outcomes[i]);
  wy_json_end_list(&json);
  wy_json_end_object(&json);
  wy_text_add(text, "\n");
}
