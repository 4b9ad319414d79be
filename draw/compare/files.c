/* SPDX-License-Identifier: MIT */
/* The files of `withy compare`. */
#include "draw/compare/compare.h"
#include "draw/compare/many.h"
#include "draw/gnuplot.h"

/* What is written: two runs, or many where this is not NULL. */
typedef struct drawing {
  const wy_comparison *two;
  const wy_comparisons *many;
  char *svg[WY_COMPARE_PICTURES];
} drawing;

static void write_csv(FILE *out, const void *what) {
  const drawing *d = what;
  if (d->many)
    wy_compare_many_csv(out, d->many);
  else
    wy_compare_csv(out, d->two);
}

static void write_json(FILE *out, const void *what) {
  const drawing *d = what;
  if (d->many)
    wy_compare_many_json(out, d->many);
  else
    wy_compare_json(out, d->two);
}

static void write_script(FILE *out, const void *what) {
  const drawing *d = what;
  if (d->many)
    wy_compare_many_script(out, d->many);
  else
    wy_compare_script(out, d->two);
}

static void write_page(FILE *out, const void *what) {
  const drawing *d = what;
  if (d->many)
    wy_compare_many_page(out, d->many, d->svg);
  else
    wy_compare_page(out, d->two, d->svg);
}

/* Without gnuplot the page has no pictures. */
static wy_status draw(wy_memory *memory, drawing *d, const char *folder, bool keep_script, wy_message *no_pictures,
                      wy_message *message) {
  const char *names[WY_COMPARE_PICTURES], *captions[WY_COMPARE_PICTURES];
  int count =
      d->many ? wy_compare_many_pictures(d->many, names, captions) : wy_compare_pictures(d->two, names, captions);
  if (count == 0)
    return WY_OK;
  wy_status status = wy_gnuplot_draw(memory, folder, "compare.gnuplot", keep_script, write_script, d, message);
  if (status == WY_ERROR_SUPPORT) {
    *no_pictures = *message;
    return WY_OK;
  }
  for (int i = 0; i < count && status == WY_OK; i++)
    status = wy_gnuplot_picture(memory, folder, names[i], &d->svg[i], message);
  return status;
}

wy_status wy_compare_files(wy_comparisons *c, const char *folder, bool keep_script, wy_message *no_pictures,
                           wy_message *message) {
  wy_memory *memory = &c->memory;
  *no_pictures = (wy_message){.text = ""};
  if (setjmp(memory->begin) != 0)
    return wy_memory_failed(message);
  drawing d = {.two = &c->pair[0], .many = c->count > 1 ? c : NULL};
  wy_status status = wy_draw_write(memory, folder, "compare.csv", write_csv, &d, message);
  if (status == WY_OK)
    status = wy_draw_write(memory, folder, "compare.json", write_json, &d, message);
  if (status == WY_OK)
    status = draw(memory, &d, folder, keep_script, no_pictures, message);
  return status == WY_OK ? wy_draw_write(memory, folder, "index.html", write_page, &d, message) : status;
}
