/* SPDX-License-Identifier: MIT */
/* The differences as files: compare.csv for programs that draw, compare.json for programs that judge. */
#include "draw/compare/compare.h"
#include "draw/compare/many.h"
#include "run/results/json.h"

const char *wy_compared_name(wy_compared kind) {
  static const char *const names[] = {
      [WY_COMPARED_PROBE] = "probe",           [WY_COMPARED_ENERGY] = "energy", [WY_COMPARED_MOMENTUM] = "momentum",
      [WY_COMPARED_CENTRELINE] = "centreline", [WY_COMPARED_BATCH] = "batch",   [WY_COMPARED_MODE] = "mode"};
  return names[kind];
}

/* A field of a CSV file; quoted where it has to be. */
static void write_field(FILE *out, const char *text) {
  bool quote = false;
  for (const char *c = text; *c; c++)
    quote = quote || *c == ',' || *c == '"';
  if (quote)
    fputc('"', out);
  for (; *text; text++) {
    if (*text == '"')
      fputc('"', out);
    fputc(*text, out);
  }
  if (quote)
    fputc('"', out);
}

/* Each row begins with `run`, where there is one. The distance of centrelines has no values of A and B. */
static void write_rows(FILE *out, const wy_comparison *c, const char *run) {
  for (int n = 0; n < c->count; n++) {
    const wy_difference *d = &c->differences[n];
    for (int k = 0; k < (d->components ? d->components : 1); k++)
      for (int i = 0; i < d->rows; i++) {
        fprintf(out, "%s%s%s,", run, run[0] ? "," : "", wy_compared_name(d->kind));
        write_field(out, d->name);
        if (d->components)
          fprintf(out, ",%s,%.17g,%.17g,%.17g,%.17g\n", d->label[k], d->t[i], d->value[0][k][i], d->value[1][k][i],
                  d->value[1][k][i] - d->value[0][k][i]);
        else
          fprintf(out, ",,%.17g,,,%.17g\n", d->t[i], d->distance[i]);
      }
  }
}

void wy_compare_csv(FILE *out, const wy_comparison *c) {
  fputs("kind,name,component,t,a,b,difference\n", out);
  write_rows(out, c, "");
}

void wy_compare_many_csv(FILE *out, const wy_comparisons *c) {
  fputs("run,kind,name,component,t,a,b,difference\n", out);
  for (int p = 0; p < c->count; p++)
    write_rows(out, &c->pair[p], c->label[p + 1]);
}

static void add_facts(wy_json *json, const wy_compare_run *run) {
  wy_text made = {0};
  wy_compare_made(run, &made);
  wy_json_string(json, "folder", wy_folder_path(run->folder));
  wy_json_string(json, "title", wy_folder_title(run->folder));
  wy_json_string(json, "made", made.data ? made.data : "");
  wy_text_free(&made);
}

static void add_run(wy_json *json, const char *key, const wy_compare_run *run) {
  wy_json_object(json, key);
  add_facts(json, run);
  wy_json_end_object(json);
}

static void add_difference(wy_json *json, const wy_difference *d) {
  wy_json_object(json, NULL);
  wy_json_string(json, "kind", wy_compared_name(d->kind));
  wy_json_string(json, "name", d->name);
  wy_json_integer(json, "rows", d->rows);
  wy_json_number(json, "largest", d->largest);
  wy_json_number(json, d->kind == WY_COMPARED_MODE ? "mode" : "t", d->at);
  wy_json_number(json, "scale", d->scale);
  wy_json_number(json, "relative", wy_difference_relative(d));
  wy_json_number(json, "rms", d->rms);
  if (d->judged)
    wy_json_string(json, "verdict", d->beyond ? "beyond" : "within");
  wy_json_end_object(json);
}

static void add_limits(wy_json *json, const wy_comparison *c) {
  if (c->relative >= 0)
    wy_json_number(json, "tolerance", c->relative);
  if (c->absolute >= 0)
    wy_json_number(json, "absolute", c->absolute);
}

static void add_verdict(wy_json *json, const wy_comparison *c) {
  if (!wy_compare_judged(c))
    return;
  wy_json_integer(json, "beyond", c->beyond);
  wy_json_string(json, "verdict", wy_compare_well(c) ? "within" : "beyond");
}

static void add_differences(wy_json *json, const wy_comparison *c) {
  wy_json_list(json, "differences");
  for (int i = 0; i < c->count; i++)
    add_difference(json, &c->differences[i]);
  wy_json_end_list(json);
  wy_json_list(json, "notes");
  for (int i = 0; i < c->note_count; i++)
    wy_json_string(json, NULL, c->notes[i].text);
  wy_json_end_list(json);
}

void wy_compare_json(FILE *out, const wy_comparison *c) {
  wy_text text = {0};
  wy_json json = {.text = &text};
  wy_json_object(&json, NULL);
  wy_json_integer(&json, "format", 1);
  add_run(&json, "a", &c->run[0]);
  add_run(&json, "b", &c->run[1]);
  add_limits(&json, c);
  add_verdict(&json, c);
  add_differences(&json, c);
  wy_json_end_object(&json);
  fprintf(out, "%s\n", text.data);
  wy_text_free(&text);
}

void wy_compare_many_json(FILE *out, const wy_comparisons *c) {
  wy_text text = {0};
  wy_json json = {.text = &text};
  wy_json_object(&json, NULL);
  wy_json_integer(&json, "format", 1);
  add_run(&json, "a", wy_compare_many_run(c, 0));
  add_limits(&json, &c->pair[0]);
  if (wy_compare_judged(&c->pair[0]))
    wy_json_string(&json, "verdict", wy_compare_many_well(c) ? "within" : "beyond");
  wy_json_list(&json, "runs");
  for (int p = 0; p < c->count; p++) {
    wy_json_object(&json, NULL);
    wy_json_string(&json, "run", c->label[p + 1]);
    add_facts(&json, wy_compare_many_run(c, p + 1));
    add_verdict(&json, &c->pair[p]);
    add_differences(&json, &c->pair[p]);
    wy_json_end_object(&json);
  }
  wy_json_end_list(&json);
  wy_json_end_object(&json);
  fprintf(out, "%s\n", text.data);
  wy_text_free(&text);
}
