/* SPDX-License-Identifier: MIT */
/* The files of numbers that a scenario names: handed over with its text, or found beside it. All that were read stay
   with the scenario, so that results can keep them. */
#include <stdlib.h>
#include <string.h>

#include "run/scenario/reader.h"
#include "run/tree/build.h"
#include "run/tree/bytes.h"

static const wy_scenario_file *find(const wy_scenario_file *files, int count, const char *name) {
  for (int i = 0; i < count; i++)
    if (strcmp(files[i].name, name) == 0)
      return &files[i];
  return NULL;
}

/* UTF-8 without odd control characters, as scenarios are: it goes into result files. */
static void check_text(wy_reader *r, const wy_node *node, const char *path, const char *text, size_t size) {
  wy_yaml_error reason = {.text = ""};
  wy_builder check = {.pool = r->pool, .error = &reason, .text = text};
  if (strlen(text) != size)
    wy_read_fail(r, node, "%s: found the byte 0x00; expected UTF-8 text", path);
  else if (!wy_build_check_text(&check))
    wy_read_fail(r, node, "%s:%d: %s", path, reason.line, reason.text);
}

/* The text of a file on disk, in the memory of the scenario; "" after a failure. */
static const char *load(wy_reader *r, const wy_node *node, const char *path) {
  const char *reason = "", *copy = "";
  char *text = NULL;
  size_t size = 0;
  const wy_status status = wy_bytes_read(path, &text, &size, &reason);
  if (status == WY_ERROR_MEMORY)
    wy_read_no_memory(r);
  if (status == WY_ERROR_FILE && !r->failed) {
    wy_read_fail(r, node, "%s: %s", path, reason);
    r->status = WY_ERROR_FILE;
  }
  if (!r->failed)
    check_text(r, node, path, text, size);
  if (!r->failed)
    copy = wy_read_copy(r, text, size);
  free(text);
  return copy;
}

/* The text that a file of another kind becomes, likewise. */
static const char *convert(wy_reader *r, const wy_node *node, const char *path) {
  wy_message message = {.text = "found a file of distances; expected a program that reads scenarios with "
                                "wy_scenario_read_using, or the text that wy_distance_file makes of it"};
  const char *copy = "";
  char *text = NULL;
  const wy_status status = r->distances ? r->distances(path, &text, &message) : WY_ERROR_INPUT;
  if (status == WY_ERROR_MEMORY)
    wy_read_no_memory(r);
  else if (status) {
    wy_read_fail(r, node, "%s: %s", path, message.text);
    r->status = status;
  }
  if (text && !r->failed)
    copy = wy_read_copy(r, text, strlen(text));
  free(text);
  return copy;
}

static void keep(wy_reader *r, const wy_scenario_file *file) {
  wy_scenario *scenario = r->scenario;
  wy_scenario_file *grown = wy_read_take(r, ((size_t)scenario->file_count + 1) * sizeof *grown);
  if (!grown)
    return;
  if (scenario->file_count > 0)
    memcpy(grown, scenario->files, (size_t)scenario->file_count * sizeof *grown);
  grown[scenario->file_count++] = *file;
  scenario->files = grown;
}

/* The text of the file that a node names, and where it lies; NULL after a failure. */
static const char *text_of(wy_reader *r, const wy_node *node, bool distances, const char **path) {
  const char *name = wy_read_text(r, node);
  if (!r->failed && !name[0])
    wy_read_refuse(r, node);
  if (r->failed)
    return NULL;
  const wy_scenario_file *known = find(r->scenario->files, r->scenario->file_count, name);
  const wy_scenario_file *given = find(r->given, r->given_count, name);
  *path = given ? given->name : wy_csv_path(r->pool, r->label, name);
  if (!*path)
    wy_read_no_memory(r);
  if (!known && !r->failed) {
    const bool other = distances && !given;
    const wy_scenario_file file = {wy_read_copy(r, name, strlen(name)),
                                   given   ? wy_read_copy(r, given->text, strlen(given->text))
                                   : other ? convert(r, node, *path)
                                           : load(r, node, *path)};
    if (given && !r->failed)
      check_text(r, node, *path, file.text, strlen(file.text));
    keep(r, &file);
    known = r->failed ? NULL : &r->scenario->files[r->scenario->file_count - 1];
  }
  return r->failed ? NULL : known->text;
}

/* The lines `v x y z` of an OBJ file as rows; the others become empty, so that numbers of lines stay. */
static const char *vertices_of(wy_reader *r, const char *text) {
  text += strncmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; /* a mark of the encoding is no part of the first line */
  char *rows = wy_read_take(r, strlen(text) + 1);
  bool vertex = false, begins = true;
  for (size_t i = 0; rows && text[i]; i++) {
    if (begins)
      vertex = text[i] == 'v' && (text[i + 1] == ' ' || text[i + 1] == '\t');
    rows[i] = text[i] == '\n' || (vertex && !begins) ? text[i] : ' ';
    begins = text[i] == '\n';
  }
  return rows;
}

const wy_csv *wy_read_columns(wy_reader *r, const wy_node *node, bool vertices) {
  const char *path = "", *text = text_of(r, node, false, &path);
  if (vertices && text)
    text = vertices_of(r, text);
  wy_yaml_error reason = {.text = ""};
  const wy_csv *csv = r->failed || !text ? NULL : wy_csv_read(r->pool, text, strlen(text), &reason);
  if (!csv && r->pool->failed)
    wy_read_no_memory(r);
  else if (!csv && reason.line > 0)
    wy_read_fail(r, node, "%s:%d: %s", path, reason.line, reason.text);
  else if (!csv && !r->failed)
    wy_read_fail(r, node, "%s: %s", path, reason.text);
  return csv;
}

const char *wy_read_grid_text(wy_reader *r, const wy_node *node, const char **path) {
  return text_of(r, node, true, path);
}
