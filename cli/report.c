/* See report.h. */
#include "cli/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "io/json.h"
#include "io/results_file.h"

/* A value for people: whole numbers whole, others with five digits, nothing where there is none. */
static void format_value(char text[32], double value) {
  if (isnan(value))
    text[0] = '\0';
  else
    snprintf(text, 32, value == floor(value) && fabs(value) < 1e12 ? "%.0f" : "%.5g", value);
}

/* The verdict of a row is the worst of its cells: differs, explained, agrees, measured. */
static wy_verdict row_verdict(const wy_table *table, const wy_table_row *row) {
  static const int rank[] = {[WY_MEASURED] = 0, [WY_AGREES] = 1, [WY_EXPLAINED] = 2, [WY_DIFFERS] = 3};
  wy_verdict worst = WY_MEASURED;
  for (int c = 0; c < table->columns; c++)
    worst = rank[row->cell[c].verdict] > rank[worst] ? row->cell[c].verdict : worst;
  return worst;
}

static bool is_compared(const wy_table *table) {
  for (int c = 0; c < table->columns; c++)
    if (table->column[c].compared)
      return true;
  return false;
}

/* ---- terminal ---- */

static void print_table(const wy_table *table) {
  printf("\n  %s%s\n  %-20s", table->title, is_compared(table) ? " (published, ours)" : "", table->label);
  for (int c = 0; c < table->columns; c++)
    printf(table->column[c].compared ? " %19s" : " %15s", table->column[c].name);
  putchar('\n');
  for (int k = 0; k < table->rows; k++) {
    const wy_table_row *row = &table->row[k];
    wy_verdict verdict = row_verdict(table, row);
    printf("  %-20s", row->label);
    for (int c = 0; c < table->columns; c++) {
      char published[32], ours[32];
      format_value(published, row->cell[c].published);
      format_value(ours, row->cell[c].ours);
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

void wy_report_print(const wy_outcome *o) {
  const wy_findings *f = &o->findings;
  printf("%s: %s\n%s\n\n", o->name, o->title, o->source);
  for (int i = 0; i < f->remarks; i++)
    printf("  %s\n\n", f->remark[i]);
  if (f->count > 0)
    printf("  %-58s %12s %12s  %s\n", "what", "published", "ours", "verdict");
  for (int i = 0; i < f->count; i++) {
    const wy_finding *row = &f->row[i];
    char published[32], ours[32];
    format_value(published, row->published);
    format_value(ours, row->ours);
    printf("  %-58s %12s %12s  %s%s%s\n", row->what, published, ours, wy_verdict_name(row->verdict),
           row->unit[0] ? ", " : "", row->unit);
  }
  for (int i = 0; i < f->tables; i++)
    print_table(&f->table[i]);
  if (o->status != WY_OK)
    printf("  failed: %s\n", o->message.text);
  putchar('\n');
}

/* ---- JSON ---- */

static void json_finding(wy_json *json, const wy_finding *row) {
  wy_json_object(json, NULL);
  wy_json_string(json, "what", row->what);
  wy_json_number(json, "published", row->published);
  wy_json_number(json, "ours", row->ours);
  wy_json_string(json, "unit", row->unit);
  wy_json_string(json, "verdict", wy_verdict_name(row->verdict));
  wy_json_string(json, "note", row->note);
  wy_json_end_object(json);
}

static void json_row(wy_json *json, const wy_table *table, const wy_table_row *row) {
  wy_json_object(json, NULL);
  wy_json_string(json, "label", row->label);
  wy_json_string(json, "verdict", wy_verdict_name(row_verdict(table, row)));
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

static void json_outcome(wy_json *json, const wy_outcome *o) {
  wy_json_object(json, NULL);
  wy_json_string(json, "name", o->name);
  wy_json_string(json, "title", o->title);
  wy_json_string(json, "source", o->source);
  wy_json_string(json, "status", o->status == WY_OK ? "done" : "failed");
  wy_json_string(json, "message", o->status == WY_OK ? "" : o->message.text);
  wy_json_list(json, "remarks");
  for (int k = 0; k < o->findings.remarks; k++)
    wy_json_string(json, NULL, o->findings.remark[k]);
  wy_json_end_list(json);
  wy_json_list(json, "findings");
  for (int k = 0; k < o->findings.count; k++)
    json_finding(json, &o->findings.row[k]);
  wy_json_end_list(json);
  wy_json_list(json, "tables");
  for (int k = 0; k < o->findings.tables; k++) {
    const wy_table *table = &o->findings.table[k];
    wy_json_object(json, NULL);
    wy_json_string(json, "name", table->name);
    wy_json_string(json, "title", table->title);
    wy_json_list(json, "rows");
    for (int r = 0; r < table->rows; r++)
      json_row(json, table, &table->row[r]);
    wy_json_end_list(json);
    wy_json_end_object(json);
  }
  wy_json_end_list(json);
  wy_json_end_object(json);
}

static void write_json(wy_text *text, const wy_outcome *outcomes, int count) {
  wy_json json = {.text = text};
  wy_json_object(&json, NULL);
  wy_json_integer(&json, "format", 1);
  wy_json_string(&json, "version", wy_version());
  wy_json_list(&json, "experiments");
  for (int i = 0; i < count; i++)
    json_outcome(&json, &outcomes[i]);
  wy_json_end_list(&json);
  wy_json_end_object(&json);
  wy_text_add(text, "\n");
}

/* ---- HTML ---- */

static void add_escaped(wy_text *text, const char *plain) {
  for (; *plain; plain++) {
    if (*plain == '&' || *plain == '<' || *plain == '>')
      wy_text_add(text, "%s", *plain == '&' ? "&amp;" : *plain == '<' ? "&lt;" : "&gt;");
    else
      wy_text_append(text, plain, 1);
  }
}

/* An element with plain text in it, whose tag may have attributes. */
static void add_element(wy_text *text, const char *tag, const char *attributes, const char *plain) {
  wy_text_add(text, "<%s%s>", tag, attributes);
  add_escaped(text, plain);
  wy_text_add(text, "</%s>\n", tag);
}

/* What is written to a stream, as text. */
typedef struct stream {
  FILE *out;
  char *data;
  size_t size;
} stream;

static bool open_stream(stream *s) {
  s->out = open_memstream(&s->data, &s->size);
  return s->out;
}

static void close_stream(stream *s, wy_text *text) {
  if (fclose(s->out) == 0)
    wy_text_append(text, s->data, s->size);
  free(s->data);
}

static void add_chart(wy_text *text, const wy_chart *chart, void (*write)(const wy_chart *, FILE *)) {
  stream s = {0};
  if (!open_stream(&s))
    return;
  write(chart, s.out);
  close_stream(&s, text);
}

static void html_findings(wy_text *text, const wy_findings *findings) {
  wy_text_add(text, "<div><table>\n<tr><th>what<th class=\"n\">published or expected<th "
                    "class=\"n\">ours<th>verdict<th>note</tr>\n");
  for (int k = 0; k < findings->count; k++) {
    const wy_finding *row = &findings->row[k];
    const char *verdict = wy_verdict_name(row->verdict);
    char published[32], ours[32];
    format_value(published, row->published);
    format_value(ours, row->ours);
    wy_text_add(text, "<tr><td>");
    add_escaped(text, row->what);
    wy_text_add(text, "<td class=\"n\">%s<td class=\"n\">%s %s<td class=\"%s\">%s<td class=\"note\">", published, ours,
                row->unit, verdict, verdict);
    add_escaped(text, row->note);
    wy_text_add(text, "</tr>\n");
  }
  wy_text_add(text, "</table></div>\n");
}

/* Published and ours side by side below the name of a column. */
static void html_heading(wy_text *text, const wy_table *table) {
  int lines = is_compared(table) ? 2 : 1;
  wy_text_add(text, "<tr><th rowspan=\"%d\">%s", lines, table->label);
  for (int c = 0; c < table->columns; c++)
    if (table->column[c].compared)
      wy_text_add(text, "<th class=\"c\" colspan=\"2\">%s", table->column[c].name);
    else
      wy_text_add(text, "<th class=\"n\" rowspan=\"%d\">%s", lines, table->column[c].name);
  wy_text_add(text, "<th rowspan=\"%d\">verdict</tr>\n", lines);
  if (lines == 1)
    return;
  wy_text_add(text, "<tr>");
  for (int c = 0; c < table->columns; c++)
    if (table->column[c].compared)
      wy_text_add(text, "<th class=\"n\">published<th class=\"n\">ours");
  wy_text_add(text, "</tr>\n");
}

static void html_table(wy_text *text, const wy_table *table) {
  int columns = table->columns + 2; /* label and verdict */
  for (int c = 0; c < table->columns; c++)
    columns += table->column[c].compared;
  add_element(text, "h3", "", table->title);
  wy_text_add(text, "<div><table class=\"wide\">\n");
  html_heading(text, table);
  for (int k = 0; k < table->rows; k++) {
    const wy_table_row *row = &table->row[k];
    wy_text_add(text, "<tr><td>");
    add_escaped(text, row->label);
    for (int c = 0; c < table->columns; c++) {
      char published[32], ours[32];
      const char *verdict = wy_verdict_name(row->cell[c].verdict);
      format_value(published, row->cell[c].published);
      format_value(ours, row->cell[c].ours);
      if (table->column[c].compared)
        wy_text_add(text, "<td class=\"n p\">%s", published);
      wy_text_add(text, "<td class=\"n %s\">%s", verdict, ours);
    }
    const char *verdict = wy_verdict_name(row_verdict(table, row));
    wy_text_add(text, "<td class=\"%s\">%s</tr>\n", verdict, verdict);
    if (row->note[0]) {
      wy_text_add(text, "<tr><td class=\"note\" colspan=\"%d\">", columns);
      add_escaped(text, row->note);
      wy_text_add(text, "</tr>\n");
    }
  }
  wy_text_add(text, "</table></div>\n");
}

static void html_outcome(wy_text *text, const wy_outcome *o) {
  const wy_findings *f = &o->findings;
  add_element(text, "h2", "", o->title);
  add_element(text, "p", "", o->source);
  if (o->status != WY_OK) {
    wy_text_add(text, "<p class=\"differs\">failed: ");
    add_escaped(text, o->message.text);
    wy_text_add(text, "</p>\n");
  }
  for (int k = 0; k < f->remarks; k++)
    add_element(text, "p", " class=\"remark\"", f->remark[k]);
  html_findings(text, f);
  for (int k = 0; k < f->tables; k++)
    html_table(text, &f->table[k]);
  for (int k = 0; k < f->charts; k++) {
    wy_text_add(text, "<div>\n");
    add_chart(text, &f->chart[k], wy_chart_svg);
    wy_text_add(text, "</div>\n");
  }
}

static void write_html(wy_text *text, const wy_outcome *outcomes, int count) {
  wy_text_add(text,
              "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
              "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
              "<title>Published experiments, reproduced</title>\n<style>\n"
              ":root{color-scheme:light dark}\n"
              "body{margin:0 auto;padding:1.2rem 1rem 3rem;max-width:64rem;font:1rem/1.5 system-ui,sans-serif}\n"
              "h1{font-size:1.6rem}h2{font-size:1.2rem;margin:2rem 0 .2rem}h3{font-size:1rem;margin:1.6rem 0 .2rem}\n"
              "p{margin:.2rem 0 .8rem;opacity:.75}.remark{opacity:1;max-width:48rem}\n"
              "div{overflow-x:auto}table{border-collapse:collapse;width:100%%}\n"
              "th,td{text-align:left;padding:.35rem .6rem;border-bottom:1px solid #8884;vertical-align:top}\n"
              ".n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}.c{text-align:center}\n"
              ".wide{font-size:.85rem}.wide th,.wide td{padding:.2rem .45rem}.wide .note{padding:0 .45rem .4rem 2rem}\n"
              ".p{opacity:.75}.note{font-size:.85rem;opacity:.75}.differs{color:#d55e00;font-weight:600}\n"
              ".explained{color:#b8860b}\n"
              "</style>\n</head>\n<body>\n<h1>Published experiments, reproduced</h1>\n<p>withy %s</p>\n",
              wy_version());
  for (int i = 0; i < count; i++)
    html_outcome(text, &outcomes[i]);
  wy_text_add(text, "</body>\n</html>\n");
}

/* ---- files ---- */

/* Writes one file of the report; frees its text. */
static bool save(const char *folder, const char *name, const char *ending, wy_text *text) {
  wy_text path = {0};
  wy_message message;
  wy_text_add(&path, "%s/%s%s", folder, name, ending);
  bool good = wy_file_replace(path.data, text->data, text->length, &message) == WY_OK;
  if (good)
    printf("%s\n", path.data);
  else
    fprintf(stderr, "withy reproduce: %s\n", message.text);
  wy_text_free(&path);
  wy_text_free(text);
  return good;
}

static void add_table(wy_text *text, const wy_table *table) {
  stream s = {0};
  if (!open_stream(&s))
    return;
  wy_table_csv(table, s.out);
  close_stream(&s, text);
}

bool wy_report_save(const char *folder, const wy_outcome *outcomes, int count) {
  wy_text json = {0}, html = {0};
  write_json(&json, outcomes, count);
  write_html(&html, outcomes, count);
  bool good = save(folder, "report", ".json", &json);
  good = save(folder, "report", ".html", &html) && good;
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < outcomes[i].findings.tables; k++) {
      wy_text csv = {0};
      add_table(&csv, &outcomes[i].findings.table[k]);
      good = save(folder, outcomes[i].findings.table[k].name, ".csv", &csv) && good;
    }
    for (int k = 0; k < outcomes[i].findings.charts; k++) {
      wy_text csv = {0};
      add_chart(&csv, &outcomes[i].findings.chart[k], wy_chart_csv);
      good = save(folder, outcomes[i].findings.chart[k].name, ".csv", &csv) && good;
    }
  }
  return good;
}
