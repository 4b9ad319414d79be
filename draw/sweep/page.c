/* SPDX-License-Identifier: MIT */
/* The page of a sweep, and its files. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "draw/escape.h"
#include "draw/file.h"
#include "draw/gnuplot.h"
#include "draw/html.h"
#include "draw/sweep/sweep.h"
#include "run/results/file.h"
#include "withy/draw.h"

static void fact(FILE *out, const char *name, const char *value) {
  if (!value[0])
    return;
  fprintf(out, "<div><dt>%s</dt><dd>", name);
  wy_escape(out, value, strlen(value));
  fputs("</dd></div>\n", out);
}

static void count_fact(FILE *out, const char *name, int count, bool bad) {
  fprintf(out, "<div><dt>%s</dt><dd%s>%d</dd></div>\n", name, bad ? " class=\"alarm\"" : "", count);
}

static void write_facts(const wy_swept *data, FILE *out) {
  fputs("<dl>\n", out);
  fact(out, "scenario", data->scenario);
  fact(out, "combine", data->combine);
  count_fact(out, "points", data->rows, false);
  if (data->points > data->rows)
    count_fact(out, "points of the plan without a row", data->points - data->rows, true);
  for (int i = 0; i < WY_SWEPT_STATES; i++)
    if (data->count[i] > 0 || i == WY_POINT_DONE)
      count_fact(out, wy_point_status_name((wy_point_status)i), data->count[i], i != WY_POINT_DONE);
  fact(out, "withy version", data->version);
  for (int i = 0; i < data->settings; i++)
    fact(out, "set", data->setting[i]);
  fputs("</dl>\n", out);
}

static void write_level(const wy_swept_column *p, int level, FILE *out) {
  if (p->numeric)
    fprintf(out, "%.7g", p->level[level]);
  else
    wy_escape(out, p->names[level], 60);
}

/* What varied: a line for each parameter, with all of its values or the ends. */
static void write_parameters(const wy_swept *data, FILE *out) {
  enum { FEW = 10 };
  fputs("<section>\n<h2>What varies</h2>\n<table>\n<tr><th>parameter</th><th>different values</th>"
        "<th class=\"text\">values</th></tr>\n",
        out);
  for (int i = 0; i < data->parameters; i++) {
    const wy_swept_column *p = &data->parameter[i];
    fputs("<tr><td>", out);
    wy_escape(out, p->label, strlen(p->label));
    fprintf(out, "</td><td>%d</td><td class=\"text\">", p->levels);
    for (int level = 0; level < p->levels; level += p->levels <= FEW ? 1 : p->levels - 1) {
      fputs(level == 0 ? "" : p->levels <= FEW ? ", " : " to ", out);
      write_level(p, level, out);
    }
    fputs("</td></tr>\n", out);
  }
  fputs("</table>\n</section>\n", out);
}

static void write_page(wy_swept_figures *figures) {
  const wy_swept *data = figures->data;
  FILE *out = figures->out;
  wy_html_begin_charts(out,
                       wy_memory_print(data->memory, "Sweep of %s", data->scenario[0] ? data->scenario : "a scenario"));
  write_facts(data, out);
  write_parameters(data, out);
  wy_swept_bad_rows(data, out);
  wy_swept_notes(data, out);
  wy_swept_convergence(figures);
  wy_swept_curves(figures);
  wy_swept_maps(figures);
  wy_swept_correlations(data, out);
  wy_swept_clouds(figures);
  wy_swept_histograms(figures);
  wy_swept_parallels(figures);
  wy_swept_rows(data, out);
  fprintf(out, "<script>\n%s</script>\n", wy_swept_script);
  wy_html_end(out);
}

/* Where the pictures go: the folder of the page. */
static const char *folder_of(wy_memory *memory, const char *path) {
  const char *slash = strrchr(path, '/');
  return !slash ? "." : slash == path ? "/" : wy_memory_copy(memory, path, (size_t)(slash - path));
}

/* What must be given back also where memory runs out. */
typedef struct job {
  wy_memory memory;
  wy_swept data;
  FILE *out;
  const char *part; /* the page while it grows; NULL before it is opened */
} job;

static wy_status draw(job *j, const char *folder, const char *path, wy_message *message) {
  if (setjmp(j->memory.begin) != 0)
    return wy_memory_failed(message);
  wy_status status = wy_swept_read(folder, &j->memory, &j->data, message);
  if (status != WY_OK)
    return status;
  const char *page = path ? path : wy_draw_join(&j->memory, folder, "index.html");
  wy_swept_figures figures = {.data = &j->data,
                              .folder = folder_of(&j->memory, page),
                              .chart = wy_memory_take(&j->memory, 1, sizeof(wy_chart)),
                              .status = WY_OK,
                              .message = message};
  const char *part = wy_memory_print(&j->memory, "%s.part", page);
  figures.out = j->out = fopen(part, "w");
  if (!j->out)
    return wy_file_error(message, errno, "writing", page);
  j->part = part;
  wy_swept_remove_pictures(figures.folder);
  write_page(&figures);
  FILE *out = j->out;
  j->out = NULL;
  j->part = NULL;
  return wy_draw_replace(part, page, wy_draw_close(out, figures.status, page, message), message);
}

wy_status wy_draw_sweep(const char *folder, const char *path, wy_message *message) {
  if (!folder || !*folder || (path && !*path))
    return wy_results_fail(message, WY_ERROR_INPUT,
                           "wy_draw_sweep: expected the folder of a sweep and the path of a page");
  job *j = calloc(1, sizeof *j);
  if (!j)
    return wy_memory_failed(message);
  wy_status status = draw(j, folder, path, message);
  if (j->out)
    fclose(j->out);
  if (j->part)
    remove(j->part);
  for (int i = 0; i < 2; i++)
    free(j->data.text[i]);
  wy_memory_release(&j->memory);
  free(j);
  return status;
}
