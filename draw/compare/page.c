/* SPDX-License-Identifier: MIT */
/* The page of a comparison: how the runs were made, the table of differences, notes, the pictures. */
#include <string.h>

#include "draw/compare/many.h"
#include "draw/html.h"

static void write_run(FILE *out, const char *label, const wy_compare_run *run) {
  wy_text made = {0};
  wy_compare_made(run, &made);
  fprintf(out, "<p><b>%s</b> ", label);
  wy_html_escape(out, wy_folder_path(run->folder));
  fputs(": ", out);
  wy_html_escape(out, wy_folder_title(run->folder));
  fputs("<br>", out);
  wy_html_escape(out, made.data ? made.data : "");
  fputs("</p>\n", out);
  wy_text_free(&made);
}

static void write_verdict(FILE *out, const wy_comparison *c) {
  if (!wy_compare_judged(c))
    return;
  fprintf(out, "<p%s>", wy_compare_well(c) ? "" : " class=\"alarm\"");
  if (c->beyond > 0)
    fprintf(out, "%d of %d probes, energies, batches and modes are beyond the tolerance", c->beyond, c->judged);
  else
    fprintf(out, "All %d probes, energies, batches and modes are within the tolerance", c->judged);
  if (c->relative >= 0)
    fprintf(out, ": %g of the scale", c->relative);
  if (c->absolute >= 0)
    fprintf(out, "%s %g", c->relative >= 0 ? " or" : ":", c->absolute);
  fputs(c->lacking > 0 && !c->common ? "; the runs do not have the same content.</p>\n" : ".</p>\n", out);
}

/* Narrow screens leave out the columns of the class extra. */
static void write_row(FILE *out, const wy_difference *d) {
  fprintf(out, "<tr%s><td>", d->beyond ? " class=\"alarm\"" : "");
  wy_html_escape(out, d->name);
  if (d->kind == WY_COMPARED_MODE)
    fprintf(out, "</td><td>%.5g</td><td>%.5g</td><td>%.3g</td><td class=\"extra\">%.3g</td><td class=\"extra\"></td>",
            d->value[0][0][0], d->value[1][0][0], wy_difference_relative(d), d->largest);
  else
    fprintf(out,
            "</td><td>%.3g</td><td>%.4g</td><td>%.3g</td><td class=\"extra\">%.3g</td><td class=\"extra\">%.3g</td>",
            d->largest, d->at, wy_difference_relative(d), d->scale, d->rms);
  fputs("</tr>\n", out);
}

static void write_table(FILE *out, const wy_comparison *c) {
  fputs("<table>\n", out);
  for (int i = 0; i < c->count; i++) {
    const wy_difference *d = &c->differences[i];
    bool mode = d->kind == WY_COMPARED_MODE;
    if (i == 0 || d->kind != d[-1].kind)
      fprintf(out,
              "<tr><th>%s</th><th>%s</th><th>%s</th><th>relative</th><th class=\"extra\">%s</th>"
              "<th class=\"extra\">%s</th></tr>\n",
              d->kind == WY_COMPARED_CENTRELINE ? "" : wy_compared_name(d->kind), mode ? "A" : "largest",
              mode ? "B" : "at t", mode ? "difference" : "scale", mode ? "" : "rms");
    write_row(out, d);
  }
  fputs("</table>\n", out);
}

static void write_notes(FILE *out, const wy_comparison *c) {
  for (int i = 0; i < c->note_count; i++) {
    fputs(wy_compare_judged(c) && !c->common && c->notes[i].lacking ? "<p class=\"alarm\">" : "<p>", out);
    wy_html_escape(out, c->notes[i].text);
    fputs("</p>\n", out);
  }
}

void wy_compare_page(FILE *out, const wy_comparison *c, char *const *svg) {
  const char *names[WY_COMPARE_PICTURES], *captions[WY_COMPARE_PICTURES];
  int pictures = wy_compare_pictures(c, names, captions);
  const char *titles[2] = {wy_folder_title(c->run[0].folder), wy_folder_title(c->run[1].folder)};
  wy_text title = {0};
  wy_text_add(&title, "%s", titles[0]);
  if (strcmp(titles[0], titles[1]) == 0)
    wy_text_add(&title, ": two runs");
  else
    wy_text_add(&title, " and %s", titles[1]);
  wy_html_begin(out, title.data);
  wy_text_free(&title);
  for (int side = 0; side < 2; side++)
    write_run(out, c->label[side], &c->run[side]);
  write_verdict(out, c);
  fputs("<h2>Differences</h2>\n", out);
  write_table(out, c);
  write_notes(out, c);
  fputs("<p><a href=\"compare.csv\">compare.csv</a> has every value, <a href=\"compare.json\">compare.json</a> the "
        "table. "
        "In the pictures A is thick and light, B thin and dark.</p>\n",
        out);
  for (int i = 0; i < pictures; i++)
    if (svg[i])
      wy_html_picture(out, svg[i], captions[i]);
  wy_html_end(out);
}

/* ---- Many runs ---- */

static void write_line(FILE *out, const wy_comparisons *c, const wy_compare_line *line) {
  fputs("<tr><td>", out);
  wy_html_escape(out, line->name);
  fputs("</td>", out);
  for (int p = 0; p < c->count; p++)
    if (line->of[p])
      fprintf(out, "<td%s>%.3g</td>", line->of[p]->beyond ? " class=\"alarm\"" : "",
              wy_difference_relative(line->of[p]));
    else
      fputs("<td></td>", out);
  fputs("</tr>\n", out);
}

static void write_lines(FILE *out, const wy_comparisons *c) {
  fputs("<div style=\"overflow-x:auto\">\n<table>\n", out);
  for (int i = 0; i < c->line_count; i++) {
    const wy_compare_line *line = &c->lines[i];
    if (i == 0 || line->kind != line[-1].kind) {
      fprintf(out, "<tr><th>%s</th>", line->kind == WY_COMPARED_CENTRELINE ? "" : wy_compared_name(line->kind));
      for (int p = 0; p < c->count; p++)
        fprintf(out, "<th>%s</th>", c->label[p + 1]);
      fputs("</tr>\n", out);
    }
    write_line(out, c, line);
  }
  fputs("</table>\n</div>\n", out);
}

static void write_runs(FILE *out, const wy_comparisons *c) {
  for (int run = 0; run <= c->count; run++) {
    write_run(out, c->label[run], wy_compare_many_run(c, run));
    if (run > 0)
      write_verdict(out, &c->pair[run - 1]);
  }
}

void wy_compare_many_page(FILE *out, const wy_comparisons *c, char *const *svg) {
  const char *names[WY_COMPARE_PICTURES], *captions[WY_COMPARE_PICTURES];
  int pictures = wy_compare_many_pictures(c, names, captions);
  wy_text title = {0};
  wy_text_add(&title, "%s: %d runs", wy_folder_title(wy_compare_many_run(c, 0)->folder), c->count + 1);
  wy_html_begin(out, title.data);
  wy_text_free(&title);
  write_runs(out, c);
  fputs("<h2>Differences from A</h2>\n<p>The largest difference of each run, divided by the scale.</p>\n", out);
  write_lines(out, c);
  for (int p = 0; p < c->count; p++)
    write_notes(out, &c->pair[p]);
  fputs("<p><a href=\"compare.csv\">compare.csv</a> has every value, <a href=\"compare.json\">compare.json</a> the "
        "differences. In the pictures A is thick and grey.</p>\n",
        out);
  for (int i = 0; i < pictures; i++)
    if (svg[i])
      wy_html_picture(out, svg[i], captions[i]);
  wy_html_end(out);
}
