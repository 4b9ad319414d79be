/* SPDX-License-Identifier: MIT */
/* A report as files: converge.json has everything, converge.csv a row per result and run. */
#include <math.h>
#include <stdlib.h>

#include "run/converge/inside.h"
#include "run/results/json.h"

static void write_numbers(wy_json *json, const char *key, const double *values, int count) {
  wy_json_list(json, key);
  for (int i = 0; i < count; i++)
    wy_json_number(json, NULL, values[i]);
  wy_json_end_list(json);
}

static void write_run(wy_json *json, const wy_converge_run *run) {
  wy_json_object(json, NULL);
  if (run->level >= 0)
    wy_json_integer(json, "level", run->level);
  else
    wy_json_string(json, "level", "check");
  wy_json_integer(json, "segments", run->segments);
  if (run->step > 0)
    wy_json_number(json, "step", run->step);
  if (run->tolerance > 0)
    wy_json_number(json, "tolerance", run->tolerance);
  wy_json_number(json, "work", run->work);
  wy_json_number(json, "seconds", run->seconds);
  wy_json_list(json, "settings");
  for (int i = 0; i < run->setting_count; i++)
    wy_json_string(json, NULL, run->settings[i]);
  wy_json_end_list(json);
  wy_json_end_object(json);
}

static void write_result(wy_json *json, const wy_converge_report *report, const wy_converge_result *r) {
  wy_json_object(json, NULL);
  wy_json_string(json, "name", r->name);
  wy_json_string(json, "unit", r->unit);
  wy_json_string(json, "components", r->letters);
  wy_json_string(json, "verdict", wy_convergence_name(r->verdict));
  wy_json_boolean(json, "trusted", r->trusted);
  wy_json_number(json, "order", r->order);
  wy_json_number(json, "promised", r->promised);
  wy_json_number(json, "agreement", r->agreement);
  wy_json_number(json, "scale", r->scale);
  write_numbers(json, "differences", r->differences, report->level_count - 1);
  write_numbers(json, "errors", r->errors, report->run_count);
  write_numbers(json, "end_errors", r->end_errors, report->run_count);
  wy_json_number(json, "time_error", r->time_error);
  wy_json_list(json, "values");
  for (int i = 0; i < report->run_count; i++)
    write_numbers(json, NULL, r->values + i * r->components, r->components);
  wy_json_end_list(json);
  write_numbers(json, "extrapolated", r->extrapolated, r->components);
  write_numbers(json, "component_orders", r->component_orders, r->components);
  wy_json_end_object(json);
}

void wy_converge_json(const wy_converge_report *report, wy_text *out) {
  wy_json json = {.text = out};
  wy_json_object(&json, NULL);
  wy_json_integer(&json, "format", 1);
  wy_json_string(&json, "version", wy_version());
  wy_json_string(&json, "scenario", report->scenario);
  wy_json_string(&json, "title", report->title);
  wy_json_string(&json, "analysis", wy_analysis_name(report->analysis));
  wy_json_string(&json, "refine", wy_refinement_name(report->refine));
  wy_json_boolean(&json, "trusted", report->trusted);
  wy_json_list(&json, "runs");
  for (int i = 0; i < report->run_count; i++)
    write_run(&json, &report->runs[i]);
  wy_json_end_list(&json);
  wy_json_list(&json, "results");
  for (int i = 0; i < report->result_count; i++)
    write_result(&json, report, &report->results[i]);
  wy_json_end_list(&json);
  wy_json_end_object(&json);
  wy_text_add(out, "\n");
}

/* A number, or nothing where there is none. */
static void add_number(wy_text *out, double value) {
  if (isfinite(value))
    wy_text_add(out, ",%.17g", value);
  else
    wy_text_add(out, ",");
}

/* Names of probes have neither commas nor quotes. */
static void write_csv(const wy_converge_report *report, wy_text *out) {
  wy_text_add(out, "probe,level,segments,step,tolerance,difference,error,relative,end_error,order,promised,verdict,"
                   "trusted\n");
  for (int i = 0; i < report->result_count; i++) {
    const wy_converge_result *r = &report->results[i];
    for (int k = 0; k < report->run_count; k++) {
      const wy_converge_run *run = &report->runs[k];
      wy_text_add(out, "%s,", r->name);
      if (run->level < 0)
        wy_text_add(out, "check");
      else
        wy_text_add(out, "%d", run->level);
      wy_text_add(out, ",%d", run->segments);
      add_number(out, run->step > 0 ? run->step : (double)NAN);
      add_number(out, run->tolerance > 0 ? run->tolerance : (double)NAN);
      add_number(out, run->level > 0 ? r->differences[run->level - 1] : (double)NAN);
      add_number(out, r->errors[k]);
      add_number(out, r->scale > 0 ? r->errors[k] / r->scale : (double)NAN);
      add_number(out, r->end_errors[k]);
      add_number(out, r->order);
      add_number(out, r->promised);
      wy_text_add(out, ",%s,%s\n", wy_convergence_name(r->verdict), r->trusted ? "true" : "false");
    }
  }
}

typedef void writer(const wy_converge_report *report, wy_text *out);

static wy_status write_file(const wy_converge_report *report, writer *write, const char *folder, const char *name,
                            wy_message *message) {
  wy_text path = {0}, text = {0};
  wy_text_add(&path, "%s/%s", folder, name);
  write(report, &text);
  const wy_status status = path.failed || text.failed
                               ? wy_results_fail(message, WY_ERROR_MEMORY, "out of memory for %s", name)
                               : wy_text_replace(path.data, &text, message);
  wy_text_free(&path);
  wy_text_free(&text);
  return status;
}

wy_status wy_converge_write(const wy_converge_report *report, const char *folder, wy_message *message) {
  wy_message unread;
  message = message ? message : &unread;
  *message = (wy_message){{0}, {0}};
  if (!report || !report->results || !folder || !*folder)
    return wy_results_fail(message, WY_ERROR_INPUT, "found %s; expected a report with results and the name of a folder",
                           !folder || !*folder ? "no folder" : "no results");
  wy_status status = wy_folder_make(folder, message);
  if (status == WY_OK)
    status = write_file(report, wy_converge_json, folder, "converge.json", message);
  if (status == WY_OK)
    status = write_file(report, write_csv, folder, "converge.csv", message);
  return status;
}
