/* SPDX-License-Identifier: MIT */
/* The page of an examination of convergence: the table of errors, charts of them against the resolution, the runs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "draw/chart/chart.h"
#include "draw/file.h"
#include "draw/html.h"
#include "run/results/file.h"
#include "withy/draw.h"

/* ---- Charts ---- */

/* What is refined: the number of segments, one over the step, or one over the tolerance. */
static double resolution(const wy_converge_report *report, const wy_converge_run *run) {
  if (report->refine == WY_REFINE_STEP)
    return 1 / run->step;
  return report->refine == WY_REFINE_TOLERANCE ? 1 / run->tolerance : run->segments;
}

static const char *resolution_name(const wy_converge_report *report) {
  if (report->refine == WY_REFINE_STEP)
    return "1/step";
  return report->refine == WY_REFINE_TOLERANCE ? "1/tolerance" : "segments";
}

/* The curves of one chart: results from `first` on that can be shown relative to their size. Returns the number of the
   first one that had no room. */
static int fill_chart(const wy_converge_report *report, int first, wy_chart *chart) {
  int i = first;
  for (; i < report->result_count && chart->count < WY_MAX_CURVES / 2; i++) {
    const wy_converge_result *r = &report->results[i];
    if (!(r->scale > 0) || r->verdict == WY_ROUNDING || r->verdict == WY_NOT_FINITE)
      continue;
    const int curve = wy_chart_curve(chart, r->name);
    for (int level = 0; level < report->level_count; level++)
      wy_chart_point(chart, curve, resolution(report, &report->runs[level]), r->errors[level] / r->scale);
    if (isfinite(r->order))
      snprintf(chart->curve[curve].note, sizeof chart->curve[curve].note, "%.2f", r->order);
    chart->guide[0].curve = curve;
    chart->guide[0].slope = -(int)lround(r->promised);
  }
  return i;
}

static void write_charts(FILE *out, const wy_converge_report *report) {
  wy_chart *chart = malloc(sizeof *chart);
  fputs("<div class=\"charts\">\n", out);
  for (int first = 0; chart && first < report->result_count;) {
    *chart = (wy_chart){.log_x = true, .log_y = true, .marks = true};
    snprintf(chart->title, sizeof chart->title, "Estimated errors, relative to the largest value of the probe");
    snprintf(chart->x, sizeof chart->x, "%s", resolution_name(report));
    snprintf(chart->y, sizeof chart->y, "relative error");
    first = fill_chart(report, first, chart);
    if (chart->count == 0)
      continue;
    fputs("<figure class=\"chart\">", out);
    wy_chart_svg(chart, out);
    fputs("<figcaption>The number behind a curve is the observed order; the straight line has the promised one."
          "</figcaption></figure>\n",
          out);
  }
  fputs("</div>\n", out);
  free(chart);
}

/* ---- Tables ---- */

static void write_number(FILE *out, double value) {
  if (isfinite(value))
    fprintf(out, "<td>%.3g</td>", value);
  else
    fputs("<td></td>", out);
}

static void write_runs(FILE *out, const wy_converge_report *report) {
  fputs("<table>\n<tr><th>level</th><th>segments</th><th>step</th><th>tolerance</th><th>seconds</th></tr>\n", out);
  for (int i = 0; i < report->run_count; i++) {
    const wy_converge_run *run = &report->runs[i];
    if (run->level < 0)
      fputs("<tr><td>check in time</td>", out);
    else
      fprintf(out, "<tr><td>%d</td>", run->level);
    fprintf(out, "<td>%d</td>", run->segments);
    write_number(out, run->step > 0 ? run->step : (double)NAN);
    write_number(out, run->tolerance > 0 ? run->tolerance : (double)NAN);
    write_number(out, run->seconds);
    fputs("</tr>\n", out);
  }
  fputs("</table>\n", out);
}

static void write_results(FILE *out, const wy_converge_report *report) {
  fputs("<table>\n<tr><th>probe</th><th>order</th><th class=\"extra\">promised</th><th>error</th><th>relative</th>"
        "<th>finest</th><th class=\"extra\">in time</th><th>verdict</th></tr>\n",
        out);
  for (int i = 0; i < report->result_count; i++) {
    const wy_converge_result *r = &report->results[i];
    fprintf(out, "<tr%s><td>", r->trusted ? "" : " class=\"alarm\"");
    wy_html_escape(out, r->name);
    fputs("</td>", out);
    write_number(out, r->order);
    fprintf(out, "<td class=\"extra\">%g</td>", r->promised);
    write_number(out, r->errors[0]);
    write_number(out, r->errors[0] / r->scale);
    write_number(out, r->errors[report->finest]);
    fputs("<td class=\"extra\">", out);
    if (isfinite(r->time_error))
      fprintf(out, "%.2g", r->time_error);
    fprintf(out, "</td><td>%s</td></tr>\n", wy_convergence_name(r->verdict));
  }
  fputs("</table>\n", out);
}

static void write_page(FILE *out, const wy_converge_report *report) {
  wy_text title = {0};
  wy_text_add(&title, "%s: convergence", report->title[0] ? report->title : report->scenario);
  wy_html_begin_charts(out, title.data ? title.data : "Convergence");
  wy_text_free(&title);
  fprintf(out, "<p%s>%s</p>\n", report->trusted ? "" : " class=\"alarm\"",
          report->trusted ? "All estimates can be trusted." : "Estimates in rows of this colour cannot be trusted.");
  fputs(
      "<p>Errors of the scenario and of the finest level are the largest over the course of time, in the units of the "
      "probe. Relative ones refer to its largest value. In time: the part that is due to steps or "
      "tolerance.</p>\n",
      out);
  write_results(out, report);
  fputs("<h2>Errors</h2>\n", out);
  write_charts(out, report);
  fputs("<h2>Runs</h2>\n", out);
  write_runs(out, report);
  wy_html_end(out);
}

wy_status wy_draw_converge(const wy_converge_report *report, const char *path, wy_message *message) {
  wy_message unread;
  message = message ? message : &unread;
  *message = (wy_message){{0}, {0}};
  if (!report || !report->results || !path || !*path)
    return wy_results_fail(message, WY_ERROR_INPUT, "found NULL or nothing; expected a report with results and a path");
  wy_text part = {0};
  wy_text_add(&part, "%s.part", path);
  if (!part.data || part.failed)
    return wy_results_fail(message, WY_ERROR_MEMORY, "out of memory for %.900s", path);
  FILE *out = fopen(part.data, "w");
  wy_status status = WY_OK;
  if (out) {
    write_page(out, report);
    status = wy_draw_close(out, WY_OK, part.data, message);
    status = wy_draw_replace(part.data, path, status, message);
  } else {
    status = wy_results_fail(message, WY_ERROR_INPUT, "%.900s cannot be created", path);
  }
  wy_text_free(&part);
  return status;
}
