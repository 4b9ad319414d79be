/* SPDX-License-Identifier: MIT */
/* The 3D page of a run: a template with the run in the place of one line (docs/dev/scene.md). */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "draw/embedded.h"
#include "draw/file.h"
#include "draw/scene/run.h"
#include "run/results/file.h"
#include "withy/draw.h"

/* The line of the template that the run takes the place of. */
static const char marker[] = "<!--withy-scene-->";

/* What changes in time may take 80 MB before it is deflated; a motion packs to about half of that, and base 64 makes
   4/3 of it. Where it packs badly and the page becomes larger than browsers like, less is shown. */
typedef struct limits {
  double bytes, page;
} limits;
static const limits usual = {80e6, 60e6},
                    of_batches = {40e6, 30e6}; /* a part of many rods shows as much as more would */
enum { TRIES = 4 };

/* The page to be written. */
typedef struct target {
  const char *path, *part;    /* where it grows before it takes the place of an older page */
  const char *before, *after; /* the template around the run */
  size_t before_size;
  long long most; /* snapshots, or 0 */
  double largest; /* page */
} target;

static void split_template(wy_memory *memory, target *to) {
  const wy_embedded_file *file = &wy_view_page;
  char *text = wy_memory_take(memory, file->size + 1, 1);
  for (size_t at = 0; at < file->size; at += file->piece) {
    size_t left = file->size - at;
    memcpy(text + at, file->pieces[at / file->piece], left < file->piece ? left : file->piece);
  }
  const char *place = strstr(text, marker);
  to->before = text;
  to->before_size = place ? (size_t)(place - text) : file->size;
  to->after = place ? place + strlen(marker) : "";
}

static wy_status write_run(const wy_scene_run *run, FILE *out, wy_message *message) {
  wy_text header = {0};
  wy_scene_header(run, &header);
  fputs("<script id=\"withy-scene\" type=\"application/json\">", out);
  fwrite(header.data, 1, header.length, out);
  fputs("</script>\n<script id=\"withy-data\" type=\"application/octet-stream\">", out);
  const bool failed = header.failed;
  wy_text_free(&header);
  if (failed)
    return wy_results_fail(message, WY_ERROR_MEMORY, "out of memory for the page");
  wy_status status = wy_scene_data(run, out, message);
  fputs("</script>", out);
  return status;
}

/* The whole page; *size gets its length. */
static wy_status write_page(const wy_scene_run *run, const target *to, long *size, wy_message *message) {
  FILE *out = fopen(to->part, "wb");
  if (!out)
    return wy_file_error(message, errno, "writing", to->path);
  fwrite(to->before, 1, to->before_size, out);
  wy_status status = write_run(run, out, message);
  fputs(to->after, out);
  *size = ftell(out);
  return wy_draw_close(out, status, to->path, message);
}

/* With a share of the bytes that there may be. */
static wy_status try_page(wy_folder *folder, wy_memory *memory, target *to, double share, long *size,
                          wy_message *message) {
  wy_scene_run run;
  wy_status status = wy_scene_find(folder, memory, &run, message);
  if (status == WY_OK) {
    const limits *most = wy_scene_has_batches(&run) ? &of_batches : &usual;
    to->largest = most->page;
    wy_scene_plan(&run, to->most, share * most->bytes);
    status = wy_scene_build(&run, message);
  }
  return status == WY_OK ? write_page(&run, to, size, message) : status;
}

static wy_status make_page(wy_folder *folder, wy_memory *memory, target *to, wy_message *message) {
  if (setjmp(memory->begin) != 0)
    return wy_memory_failed(message);
  wy_status status = WY_OK;
  double share = 1;
  long size = 0;
  split_template(memory, to);
  for (int k = 0; k < TRIES && status == WY_OK && (k == 0 || (double)size > to->largest); k++) {
    share *= k == 0 ? 1 : 0.9 * to->largest / (double)size;
    status = try_page(folder, memory, to, share, &size, message);
  }
  return status;
}

wy_status wy_draw_page(wy_folder *folder, const char *path, long long snapshots, wy_message *message) {
  if (!folder || !path || !path[0] || snapshots < 0 || snapshots == 1)
    return wy_results_fail(message, WY_ERROR_INPUT, "no folder, no path, or fewer than 2 snapshots are given");
  wy_text part = {0};
  wy_memory memory = {0};
  wy_text_add(&part, "%s.part", path);
  target to = {.path = path, .part = part.data, .most = snapshots};
  wy_status status = part.failed ? wy_results_fail(message, WY_ERROR_MEMORY, "out of memory for the page")
                                 : make_page(folder, &memory, &to, message);
  if (!part.failed)
    status = wy_draw_replace(part.data, path, status, message);
  wy_memory_release(&memory);
  wy_text_free(&part);
  return status;
}
