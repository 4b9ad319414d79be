/* SPDX-License-Identifier: MIT */
/* Figures of the page of a sweep: each picture stands in the page and in a file of its own beside it. */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "draw/escape.h"
#include "draw/gnuplot.h"
#include "draw/sweep/sweep.h"
#include "run/results/file.h"

wy_chart *wy_swept_chart(wy_swept_figures *f, const char *title, const char *x, const char *y) {
  memset(f->chart, 0, sizeof *f->chart);
  snprintf(f->chart->title, sizeof f->chart->title, "%s", title);
  snprintf(f->chart->x, sizeof f->chart->x, "%s", x);
  snprintf(f->chart->y, sizeof f->chart->y, "%s", y);
  return f->chart;
}

void wy_swept_axis(wy_chart *chart, const wy_swept_column *x) {
  chart->names = x->names;
  chart->ticks = wy_swept_ticks(x);
  chart->name_count = chart->tick_count = x->levels;
  chart->log_x = wy_swept_is_log(x);
}

void wy_swept_add_bad(const wy_swept *data, const wy_swept_column *x, const wy_swept_column *y, wy_chart *chart) {
  static const struct {
    const char *name;
    wy_line_style style;
  } kinds[] = {{"wrong", WY_LINE_RINGS}, {"failed or refused", WY_LINE_CROSSES}};
  const int bad = data->rows - data->count[WY_POINT_DONE], step = (bad + WY_MAX_POINTS - 1) / WY_MAX_POINTS;
  for (int kind = 0; kind < 2; kind++) {
    int curve = -1, met = 0;
    for (int i = 0; i < data->rows; i++) {
      const bool wrong = data->state[i] == WY_POINT_WRONG && !isnan(y->value[i]);
      if (data->state[i] == WY_POINT_DONE || wrong != (kind == 0) || met++ % step != 0)
        continue;
      if (curve < 0)
        curve = wy_chart_curve(chart, kinds[kind].name);
      chart->curve[curve].style = kinds[kind].style;
      wy_chart_row(chart, curve, x->value[i], y->value[i], data->point[i]);
    }
  }
}

/* A name of a file: letters, digits and a few signs that mean nothing to a shell or a page. */
static const char *file_name(wy_swept_figures *f, const char *name, const char *quantity) {
  char safe[64];
  size_t length = 0;
  for (const char *c = quantity; *c && length + 1 < sizeof safe; c++)
    safe[length++] = (char)(isalnum((unsigned char)*c) || *c == '.' || *c == '_' ? *c : '-');
  safe[length] = '\0';
  return wy_memory_print(f->data->memory, "%02d-%s%s%s.svg", f->count, name, length ? "-" : "", safe);
}

/* Is it the name of a picture that this file writes? */
static bool is_picture(const char *name) {
  static const char *const kinds[] = {"convergence", "curves", "map", "scatter", "histogram", "parallel"};
  const size_t length = strlen(name);
  if (length < 7 || !isdigit((unsigned char)name[0]) || !isdigit((unsigned char)name[1]) || name[2] != '-' ||
      strcmp(name + length - 4, ".svg") != 0)
    return false;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    const size_t size = strlen(kinds[i]);
    if (strncmp(name + 3, kinds[i], size) == 0 && (name[3 + size] == '-' || name[3 + size] == '.'))
      return true;
  }
  return false;
}

void wy_swept_remove_pictures(const char *folder) {
  DIR *list = opendir(folder);
  for (const struct dirent *entry; list && (entry = readdir(list));)
    if (is_picture(entry->d_name)) {
      char path[4096];
      if (snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < (int)sizeof path)
        unlink(path);
    }
  if (list)
    closedir(list);
}

/* As a file the picture needs letters of its own: those of the page are not around it. */
static void write_file(FILE *out, const void *what) {
  const char *svg = what;
  fprintf(out, "<svg font-family=\"system-ui, sans-serif\"%s", svg + strlen("<svg"));
}

void wy_swept_figure(wy_swept_figures *f, const char *name, const char *quantity, bool wide, wy_swept_writer write,
                     const void *what, const char *caption) {
  if (f->count == WY_SWEPT_FIGURES) {
    f->left_out++;
    return;
  }
  char *svg = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&svg, &size);
  if (out)
    write(out, what);
  if (!out || fclose(out) != 0) {
    free(svg);
    longjmp(f->data->memory->begin, 1);
  }
  f->count++;
  const char *file = file_name(f, name, quantity), *picture = wy_memory_copy(f->data->memory, svg, size);
  free(svg);
  if (f->status == WY_OK)
    f->status = wy_draw_write(f->data->memory, f->folder, file, write_file, picture, f->message);
  fprintf(f->out, "<figure class=\"chart%s\">\n%s<figcaption>", wide ? " wide" : "", picture);
  wy_escape(f->out, caption, strlen(caption));
  fprintf(f->out, "%s<a href=\"%s\">%s</a></figcaption>\n</figure>\n", caption[0] ? " " : "", file, file);
}

static void write_chart(FILE *out, const void *what) {
  wy_chart_svg(what, out);
}

void wy_swept_chart_figure(wy_swept_figures *f, const char *name, const char *quantity, const char *caption) {
  wy_swept_figure(f, name, quantity, false, write_chart, f->chart, caption);
}

void wy_swept_section(wy_swept_figures *f, const char *heading, const char *text) {
  fprintf(f->out, "<section>\n<h2>%s</h2>\n", heading);
  if (text[0]) {
    fputs("<p>", f->out);
    wy_escape(f->out, text, strlen(text));
    fputs("</p>\n", f->out);
  }
  fputs("<div class=\"charts\">\n", f->out);
  f->left_out = 0;
}

void wy_swept_section_end(wy_swept_figures *f) {
  fputs("</div>\n", f->out);
  if (f->left_out > 0)
    fprintf(f->out, "<p>%d more pictures of this kind are left out: a page has at most %d.</p>\n", f->left_out,
            WY_SWEPT_FIGURES);
  fputs("</section>\n", f->out);
}
