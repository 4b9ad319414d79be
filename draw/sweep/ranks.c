/* SPDX-License-Identifier: MIT */
/* What quantities depend on, where points are drawn at random: rank correlations. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/escape.h"
#include "draw/sweep/sweep.h"

enum { FEWEST = 8 }; /* points */

typedef struct entry {
  double value;
  int place;
} entry;

static int compare_entries(const void *a, const void *b) {
  const double x = ((const entry *)a)->value, y = ((const entry *)b)->value;
  return (x > y) - (x < y);
}

/* Ranks of the values of some rows, less their mean; equal values share the mean of their ranks. */
static double *ranks_of(const wy_swept_column *column, const int *rows, int count, wy_memory *memory) {
  entry *sorted = wy_memory_take(memory, (size_t)count, sizeof *sorted);
  double *ranks = wy_memory_take(memory, (size_t)count, sizeof *ranks);
  for (int i = 0; i < count; i++)
    sorted[i] = (entry){column->value[rows[i]], i};
  qsort(sorted, (size_t)count, sizeof *sorted, compare_entries);
  for (int i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && sorted[end].value == sorted[i].value;)
      end++;
    for (int k = i; k < end; k++)
      ranks[sorted[k].place] = 0.5 * (i + end - 1) - 0.5 * (count - 1);
  }
  return ranks;
}

/* Spearman's coefficient; NAN where one of them has a single value. */
static double correlation(const double *a, const double *b, int count) {
  double ab = 0, aa = 0, bb = 0;
  for (int i = 0; i < count; i++) {
    ab += a[i] * b[i];
    aa += a[i] * a[i];
    bb += b[i] * b[i];
  }
  return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : (double)NAN;
}

static void write_row(const wy_swept *data, const wy_swept_column *quantity, FILE *out) {
  int *rows = wy_memory_take(data->memory, (size_t)data->rows, sizeof *rows), count = 0;
  for (int i = 0; i < data->rows; i++)
    if (wy_swept_is_good(data, quantity, i))
      rows[count++] = i;
  if (count < FEWEST)
    return;
  const double *own = ranks_of(quantity, rows, count, data->memory);
  fputs("<tr><td>", out);
  wy_escape(out, quantity->name, strlen(quantity->name));
  fputs("</td>", out);
  for (int k = 0; k < data->varied; k++) {
    if (!data->vary[k]->numeric)
      continue;
    const double r = correlation(own, ranks_of(data->vary[k], rows, count, data->memory), count);
    if (isnan(r))
      fputs("<td></td>", out);
    else
      fprintf(out, fabs(r) >= 0.5 ? "<td><b>%.2f</b></td>" : "<td>%.2f</td>", r);
  }
  fputs("</tr>\n", out);
}

void wy_swept_correlations(const wy_swept *data, FILE *out) {
  int numbers = 0;
  for (int k = 0; k < data->varied; k++)
    numbers += data->vary[k]->numeric;
  if (!wy_swept_is_random(data) || data->count[WY_POINT_DONE] < FEWEST || numbers == 0 || data->quantities == 0)
    return;
  fputs(
      "<section>\n<h2>What depends on what</h2>\n<p>Rank correlation of each quantity with each parameter: 1 where it "
      "rises with the parameter, -1 where it falls, whatever the shape of the curve; near 0 where the parameter does "
      "not matter, or where the quantity rises and falls with it.</p>\n<div class=\"scroll\">\n"
      "<table id=\"correlations\">\n<tr><th>quantity</th>",
      out);
  for (int k = 0; k < data->varied; k++)
    if (data->vary[k]->numeric) {
      fputs("<th>", out);
      wy_escape(out, data->vary[k]->name, strlen(data->vary[k]->name));
      fputs("</th>", out);
    }
  fputs("</tr>\n", out);
  for (int i = 0; i < data->quantities; i++)
    write_row(data, &data->quantity[i], out);
  fputs("</table>\n</div>\n</section>\n", out);
}
