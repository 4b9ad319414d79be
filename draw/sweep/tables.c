/* SPDX-License-Identifier: MIT */
/* The tables of the page of a sweep. */
#include <string.h>

#include "draw/escape.h"
#include "draw/sweep/sweep.h"

static void cell(FILE *out, const char *open, const char *text) {
  fputs(open, out);
  wy_escape(out, text, strlen(text));
  fputs("</td>", out);
}

/* Numbers as they are read best; the file beside the page has all digits. */
static void value_cell(FILE *out, const wy_swept_column *column, int row) {
  if (column->numeric && strlen(column->text[row]) > 10 && !column->unit[0])
    fprintf(out, "<td>%.7g</td>", column->value[row]);
  else
    cell(out, "<td>", column->text[row]);
}

static void quantity_cell(FILE *out, const wy_swept_column *column, int row) {
  if (column->value[row] == column->value[row])
    fprintf(out, "<td>%.7g</td>", column->value[row]);
  else
    fputs("<td></td>", out);
}

static void heading(FILE *out, const char *text) {
  fputs("<th class=\"sort\">", out);
  wy_escape(out, text, strlen(text));
  fputs("</th>", out);
}

/* ---- Commands ---- */

/* One word of a shell: in single quotes nothing but the quote itself is special. */
static void write_word(FILE *out, const char *word) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+=/:,%@";
  const bool quote = word[strspn(word, plain)] != '\0' || !word[0];
  if (quote)
    fputc('\'', out);
  for (; *word; word++) {
    const size_t length = strcspn(word, "'");
    wy_escape(out, word, length);
    word += length;
    if (*word == '\'')
      fputs("'\\''", out);
    else
      break;
  }
  if (quote)
    fputc('\'', out);
}

static void write_setting(wy_memory *memory, FILE *out, const char *path, const char *value) {
  fputs(" --set ", out);
  write_word(out, wy_memory_print(memory, "%s=%s", path, value));
}

static void write_command(const wy_swept *data, int row, FILE *out) {
  fputs("withy run ", out);
  write_word(out, data->scenario);
  for (int i = 0; i < data->settings; i++) {
    fputs(" --set ", out);
    write_word(out, data->setting[i]);
  }
  for (int i = 0; i < data->parameters; i++)
    write_setting(data->memory, out, data->parameter[i].name, data->parameter[i].text[row]);
}

/* ---- Rows ---- */

void wy_swept_bad_rows(const wy_swept *data, FILE *out) {
  const int bad = data->rows - data->count[WY_POINT_DONE];
  int written = 0;
  if (bad == 0)
    return;
  fputs("<section>\n<h2>Points without a good result</h2>\n<div class=\"scroll\">\n<table>\n<tr><th>point</th>", out);
  for (int i = 0; i < data->varied; i++)
    heading(out, data->vary[i]->name);
  fputs("<th>status</th><th class=\"text\">message</th></tr>\n", out);
  for (int row = 0; row < data->rows && written < WY_SWEPT_BAD_ROWS; row++) {
    if (data->state[row] == WY_POINT_DONE)
      continue;
    written++;
    fprintf(out, "<tr><td>%d</td>", data->point[row]);
    for (int i = 0; i < data->varied; i++)
      value_cell(out, data->vary[i], row);
    cell(out, "<td class=\"alarm\">", wy_point_status_name(data->state[row]));
    cell(out, "<td class=\"text\">", data->message[row]);
    fputs("</tr>\n", out);
  }
  fputs("</table>\n</div>\n", out);
  if (written < bad)
    fprintf(out, "<p>These are the first %d of %d; <a href=\"sweep.csv\">sweep.csv</a> has all of them.</p>\n", written,
            bad);
  fputs("</section>\n", out);
}

/* The different messages of points that are done, with the first point and how many there are. */
void wy_swept_notes(const wy_swept *data, FILE *out) {
  enum { MOST = 20 };
  int first[MOST], count[MOST], found = 0, left_out = 0;
  for (int row = 0; row < data->rows; row++) {
    int i = 0;
    if (data->state[row] != WY_POINT_DONE || !data->message[row][0])
      continue;
    while (i < found && strcmp(data->message[first[i]], data->message[row]) != 0)
      i++;
    if (i == MOST) {
      left_out++;
      continue;
    }
    if (i == found)
      first[found] = row, count[found++] = 0;
    count[i]++;
  }
  if (found == 0)
    return;
  fputs("<section>\n<h2>Notes on points that are done</h2>\n<table>\n<tr><th>points</th><th>first</th>"
        "<th class=\"text\">message</th></tr>\n",
        out);
  for (int i = 0; i < found; i++) {
    fprintf(out, "<tr><td>%d</td><td>%d</td>", count[i], data->point[first[i]]);
    cell(out, "<td class=\"text\">", data->message[first[i]]);
    fputs("</tr>\n", out);
  }
  fputs("</table>\n", out);
  if (left_out > 0)
    fprintf(out, "<p>%d more points have other messages: see <a href=\"sweep.csv\">sweep.csv</a>.</p>\n", left_out);
  fputs("</section>\n", out);
}

static void write_row(const wy_swept *data, int row, FILE *out) {
  const bool good = data->state[row] == WY_POINT_DONE;
  fprintf(out, "<tr><td>%d</td>", data->point[row]);
  for (int i = 0; i < data->parameters; i++)
    value_cell(out, &data->parameter[i], row);
  for (int i = 0; i < data->quantities; i++)
    quantity_cell(out, &data->quantity[i], row);
  cell(out, good ? "<td>" : "<td class=\"alarm\">", wy_point_status_name(data->state[row]));
  fputs("<td class=\"text\"><details><summary>command</summary><code>", out);
  write_command(data, row, out);
  fputs("</code></details></td></tr>\n", out);
}

void wy_swept_rows(const wy_swept *data, FILE *out) {
  /* Of tables with very many columns fewer. */
  const int fit = WY_SWEPT_VALUES / (1 + data->parameters + data->quantities), room = fit > 10 ? fit : 10;
  const int most = room < WY_SWEPT_ROWS ? room : WY_SWEPT_ROWS, shown = data->rows < most ? data->rows : most;
  fputs("<section>\n<h2>All points</h2>\n<div class=\"scroll\">\n<table id=\"rows\">\n<thead><tr>", out);
  heading(out, "point");
  for (int i = 0; i < data->parameters; i++)
    heading(out, data->parameter[i].name);
  for (int i = 0; i < data->quantities; i++)
    heading(out, data->quantity[i].label);
  heading(out, "status");
  fputs("<th class=\"text\">repeat it</th></tr></thead>\n<tbody>\n", out);
  for (int row = 0; row < shown; row++)
    write_row(data, row, out);
  fputs("</tbody>\n</table>\n</div>\n", out);
  if (shown < data->rows)
    fprintf(out, "<p>These are the first %d of %d rows. ", shown, data->rows);
  else
    fputs("<p>", out);
  fputs("<a href=\"sweep.csv\">sweep.csv</a> has every row with all digits. ", out);
  fputs(data->batch
            ? "All points were computed together, as a batch; a command computes one of them with the methods of "
              "the scenario, in the folder of the plan.</p>\n</section>\n"
            : "A command repeats one run, in the folder of the plan; <code>withy sweep PLAN --point K</code> "
              "repeats point K with all its files.</p>\n</section>\n",
        out);
}
