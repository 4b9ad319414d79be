/* SPDX-License-Identifier: MIT */
/* The pictures of many runs: one script for gnuplot, as for two runs. */
#include <math.h>
#include <string.h>

#include "draw/compare/many_draw.h"
#include "draw/picture.h"
#include "run/results/file.h"

wy_curve wy_compare_many_style(int run) {
  wy_curve curve = {.colour = "#90222222", .width = wy_compare_width(0), .dash = 1};
  if (run > 0)
    curve = (wy_curve){.colour = wy_compare_colour(run - 1, 1),
                       .width = wy_compare_width(1),
                       .dash = 1 + (run - 1) / WY_COMPARE_COLOURS};
  return curve;
}

/* Lines that the legend takes above the heading; 0 where it fits beside it. */
static double legend_height(const wy_comparisons *c) {
  enum { BESIDE = 10 };
  return c->count < BESIDE ? 0 : wy_legend_height(WY_PAGE_WIDTH - WY_PAGE_LEFT - WY_PAGE_RIGHT, c->count + 1, 2);
}

double wy_compare_many_head(const wy_comparisons *c) {
  return WY_PANEL_HEAD + legend_height(c);
}

void wy_compare_many_heading(const wy_page *p, wy_panel panel, const wy_comparisons *c, const char *text) {
  const wy_panel above = {panel.x, panel.y - 18, panel.width, panel.height};
  wy_panel_head(p, panel, text);
  if (legend_height(c) > 0)
    wy_legend_place(p, above, legend_height(c));
}

void wy_compare_many_legend(const wy_page *p, const wy_comparisons *c, int first_run) {
  for (int run = first_run; run <= c->count; run++) {
    const wy_curve s = wy_compare_many_style(run);
    fprintf(p->out, ", \\\n       NaN with lines lc rgb '%s' lw %g dt %d title '%s'", s.colour, s.width, s.dash,
            c->label[run]);
  }
}

/* ---- Pictures ---- */

static const struct picture {
  const char *name, *caption;
  wy_compared kind;
  void (*data)(FILE *out, const wy_comparisons *c, wy_compared kind);
  double (*height)(const wy_comparisons *c, wy_compared kind);
  void (*draw)(wy_page *page, const wy_comparisons *c, wy_compared kind);
} pictures[WY_COMPARE_PICTURES] = {{"centrelines", "Centrelines", WY_COMPARED_CENTRELINE, wy_compare_many_shapes_data,
                                    wy_compare_many_shapes_height, wy_compare_many_shapes_draw},
                                   {"modes", "Modes", WY_COMPARED_MODE, wy_compare_many_modes_data,
                                    wy_compare_many_modes_height, wy_compare_many_modes_draw},
                                   {"probes", "Probes", WY_COMPARED_PROBE, wy_compare_many_courses_data,
                                    wy_compare_many_courses_height, wy_compare_many_courses_draw},
                                   {"energies", "Energies", WY_COMPARED_ENERGY, wy_compare_many_courses_data,
                                    wy_compare_many_courses_height, wy_compare_many_courses_draw}};

/* A picture of two runs is one of many as well, where any pair has it. */
static bool has_picture(const wy_comparisons *c, const struct picture *picture) {
  for (int p = 0; p < c->count; p++) {
    const char *names[WY_COMPARE_PICTURES], *captions[WY_COMPARE_PICTURES];
    for (int i = wy_compare_pictures(&c->pair[p], names, captions); i > 0; i--)
      if (strcmp(names[i - 1], picture->name) == 0)
        return true;
  }
  return false;
}

int wy_compare_many_pictures(const wy_comparisons *c, const char *names[WY_COMPARE_PICTURES],
                             const char *captions[WY_COMPARE_PICTURES]) {
  int count = 0;
  for (int i = 0; i < WY_COMPARE_PICTURES; i++)
    if (has_picture(c, &pictures[i])) {
      names[count] = pictures[i].name;
      captions[count++] = pictures[i].caption;
    }
  return count;
}

static void draw_picture(FILE *out, const wy_comparisons *c, const struct picture *picture) {
  wy_page p = {out, ceil(WY_TITLE_HEIGHT + picture->height(c, picture->kind)), WY_TITLE_HEIGHT};
  wy_text title = {0};
  wy_compare_title_folder(&title, c->label[0], wy_folder_path(c->pair[0].run[0].folder));
  wy_text_add(&title, " and %d others", c->count);
  wy_picture_begin(&p, picture->name, title.data);
  wy_text_free(&title);
  picture->draw(&p, c, picture->kind);
  wy_picture_end(&p);
}

void wy_compare_many_script(FILE *out, const wy_comparisons *c) {
  wy_script_begin(out, "compare");
  for (int i = 0; i < WY_COMPARE_PICTURES; i++)
    if (has_picture(c, &pictures[i]))
      pictures[i].data(out, c, pictures[i].kind);
  wy_script_pictures(out, "svg png");
  for (int i = 0; i < WY_COMPARE_PICTURES; i++)
    if (has_picture(c, &pictures[i]))
      draw_picture(out, c, &pictures[i]);
  wy_script_end(out);
}
