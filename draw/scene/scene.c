#include "draw/scene/scene.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "draw/scene/run.h"
#include "run/results/file.h"

/* What changes in time may take 80 MB before it is deflated; a motion packs to about half of that, and base 64 makes
   4/3 of it. Where it packs badly and the page becomes larger than browsers like, less is shown. */
static const double budget = 80e6, largest_page = 60e6;
enum { TRIES = 4 };

static wy_status write_run(const wy_scene_run *run, FILE *out, wy_message *message) {
  wy_text header = {0};
  wy_scene_header(run, &header);
  fputs("<script id=\"withy-scene\" type=\"application/json\">", out);
  fwrite(header.data, 1, header.length, out);
  fputs("</script>\n<script id=\"withy-data\" type=\"application/octet-stream\">", out);
  wy_text_free(&header);
  wy_status status = wy_scene_data(run, out, message);
  fputs("</script>", out);
  return status;
}

/* The whole page; *size gets its length. */
static wy_status write_page(const wy_scene_run *run, const wy_scene_def *def, const char *path, long *size,
                            wy_message *message) {
  const char *marker = strstr(def->page, WY_SCENE_MARKER);
  FILE *out = fopen(path, "wb");
  if (!out)
    return wy_file_error(message, errno, "writing", def->path);
  fwrite(def->page, 1, (size_t)(marker - def->page), out);
  wy_status status = write_run(run, out, message);
  fputs(marker + strlen(WY_SCENE_MARKER), out);
  *size = ftell(out);
  bool good = fflush(out) == 0 && !ferror(out);
  int error = errno;
  if (fclose(out) != 0 && good) {
    good = false;
    error = errno;
  }
  if (status == WY_OK && !good)
    status = wy_file_error(message, error, "writing", def->path);
  return status;
}

static wy_status try_page(const wy_scene_def *def, double bytes, const char *path, long *size, wy_message *message) {
  wy_scene_run run;
  wy_status status = wy_scene_open(def->folder, &run, message);
  if (status == WY_OK) {
    wy_scene_plan(&run, def->frames, bytes);
    status = wy_scene_build(&run, message);
  }
  if (status == WY_OK)
    status = write_page(&run, def, path, size, message);
  wy_scene_close(&run);
  return status;
}

wy_status wy_scene_write(const wy_scene_def *def, wy_message *message) {
  if (!strstr(def->page, WY_SCENE_MARKER))
    return wy_results_fail(message, WY_ERROR_INPUT, "the template of the page has no line %s", WY_SCENE_MARKER);
  wy_text part = {0};
  wy_text_add(&part, "%s.part", def->path);
  wy_status status = WY_OK;
  double bytes = budget;
  long size = 0;
  for (int k = 0; k < TRIES && status == WY_OK && (k == 0 || (double)size > largest_page); k++) {
    bytes *= k == 0 ? 1 : 0.9 * largest_page / (double)size;
    status = try_page(def, bytes, part.data, &size, message);
  }
  if (status == WY_OK && rename(part.data, def->path) != 0)
    status = wy_file_error(message, errno, "writing", def->path);
  if (status != WY_OK)
    unlink(part.data);
  wy_text_free(&part);
  return status;
}
