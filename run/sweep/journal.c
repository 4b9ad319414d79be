/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE /* flock */
#include "run/sweep/journal.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>

/* ---- Files of a folder ---- */

bool wy_sweep_path(char path[4096], const char *folder, const char *name) {
  const size_t length = strlen(folder);
  const bool slash = length > 0 && folder[length - 1] == '/';
  return snprintf(path, 4096, "%s%s%s", folder, slash ? "" : "/", name) < 4096;
}

static bool is_part_file(const char *name, const char *kind, const char *ending, int *part, int *parts) {
  char again[128];
  const size_t length = strlen(kind);
  if (strncmp(name, kind, length) != 0 || sscanf(name + length, "-%d-of-%d.", part, parts) != 2)
    return false;
  snprintf(again, sizeof again, "%s-%d-of-%d.%s", kind, *part, *parts, ending);
  return strcmp(name, again) == 0 && *part >= 1 && *part <= *parts && *parts <= WY_SWEEP_MOST_PARTS;
}

static int compare_parts(const void *left, const void *right) {
  const wy_part_file *a = left, *b = right;
  return a->parts != b->parts ? (a->parts < b->parts ? -1 : 1) : a->part < b->part ? -1 : a->part > b->part;
}

/* Room for one more. */
static bool grow(wy_part_file **files, int count, int *capacity) {
  if (count < *capacity)
    return true;
  *capacity = 2 * *capacity + 16;
  wy_part_file *grown = realloc(*files, (size_t)*capacity * sizeof *grown);
  *files = grown ? grown : *files;
  return grown != NULL;
}

wy_status wy_sweep_list(const char *folder, const char *kind, const char *ending, wy_part_file **files, int *count,
                        wy_message *message) {
  int capacity = 0, part, parts;
  bool failed = false;
  *files = NULL;
  *count = 0;
  DIR *open = opendir(folder);
  if (!open)
    return errno == ENOENT    ? WY_OK
           : errno == ENOTDIR ? wy_results_fail(message, WY_ERROR_INPUT, "%s is not a folder", folder)
                              : wy_file_error(message, errno, "reading", folder);
  for (struct dirent *entry = readdir(open); entry && !failed; entry = readdir(open)) {
    if (!is_part_file(entry->d_name, kind, ending, &part, &parts))
      continue;
    failed = !grow(files, *count, &capacity);
    if (!failed && wy_sweep_path((*files)[*count].path, folder, entry->d_name)) {
      (*files)[*count].part = part;
      (*files)[(*count)++].parts = parts;
    }
  }
  closedir(open);
  if (!failed && *count > 0)
    qsort(*files, (size_t)*count, sizeof **files, compare_parts);
  if (!failed)
    return WY_OK;
  free(*files);
  *files = NULL;
  *count = 0;
  return wy_results_fail(message, WY_ERROR_MEMORY, "out of memory while reading %s", folder);
}

/* ---- Heads ---- */

void wy_journal_begin(wy_text *text, const wy_journal_head *head) {
  wy_text_add(text, "# withy sweep journal 1 %016" PRIx64 " %d %d/%d\n", head->identity, head->points, head->part,
              head->parts);
}

static bool read_head(const char *text, wy_journal_head *head) {
  int read = 0;
  const int fields = sscanf(text, "# withy sweep journal 1 %16" SCNx64 " %d %d/%d%n", &head->identity, &head->points,
                            &head->part, &head->parts, &read);
  return fields == 4 && text[read] == '\n' && head->points > 0 && head->points <= WY_PLAN_MOST_POINTS;
}

bool wy_journal_peek(const char *path, wy_journal_head *head) {
  char line[128] = "";
  FILE *file = fopen(path, "r");
  const bool good = file && fgets(line, sizeof line, file) && read_head(line, head);
  if (file)
    fclose(file);
  return good;
}

bool wy_journal_busy(int file) {
  return flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

void wy_journal_wait(void) {
  nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
}

/* ---- Lines ---- */

const char *wy_csv_next(const char *line, wy_text *out) {
  if (out)
    out->length = 0;
  const bool quoted = *line == '"';
  line += quoted;
  while (*line && (quoted || (*line != ',' && *line != '\n'))) {
    if (quoted && *line == '"' && *++line != '"')
      break;
    if (out)
      wy_text_append(out, line, 1);
    line++;
  }
  return *line == ',' ? line + 1 : NULL;
}

static int count_fields(const char *line) {
  int count = 1;
  while ((line = wy_csv_next(line, NULL)))
    count++;
  return count;
}

/* The status of a line: the last field but one. */
static int status_of(const char *line, int fields) {
  for (int i = 0; i < fields - 2 && line; i++)
    line = wy_csv_next(line, NULL);
  for (int status = WY_POINT_DONE; line && status < WY_POINT_INTERRUPTED; status++) {
    const char *name = wy_point_status_name((wy_point_status)status);
    if (strncmp(line, name, strlen(name)) == 0 && line[strlen(name)] == ',')
      return status;
  }
  return -1;
}

/* ---- Rows ---- */

void wy_rows_free(wy_rows *rows) {
  for (int i = 0; i < rows->text_count; i++)
    free(rows->texts[i]);
  free(rows->texts);
  free(rows->lines);
  free(rows->states);
  free(rows->header);
  *rows = (wy_rows){0};
}

static bool keep_text(wy_rows *rows, char *text) {
  char **grown = realloc(rows->texts, ((size_t)rows->text_count + 1) * sizeof *grown);
  if (!grown)
    return false;
  rows->texts = grown;
  rows->texts[rows->text_count++] = text;
  return true;
}

/* Takes over what the first journal says; false without memory. */
static bool prepare(wy_rows *rows, const wy_journal_head *head, const char *header, size_t length) {
  if (rows->points == 0) {
    rows->points = head->points;
    rows->identity = head->identity;
  }
  if (!rows->header && (rows->header = malloc(length + 1))) {
    memcpy(rows->header, header, length);
    rows->header[length] = '\0';
  }
  if (!rows->lines)
    rows->lines = calloc((size_t)rows->points, sizeof *rows->lines);
  if (!rows->states)
    rows->states = calloc((size_t)rows->points, sizeof *rows->states);
  if (!rows->header || !rows->lines || !rows->states)
    return false;
  rows->fields = count_fields(rows->header);
  return true;
}

static wy_status add_lines(wy_rows *rows, const char *path, char *text, size_t begin, size_t end, wy_message *message) {
  int number = 3;
  for (char *line = text + begin; line < text + end; number++) {
    char *stop = memchr(line, '\n', (size_t)(text + end - line)), *after;
    const long point = strtol(line, &after, 10);
    const char kept = stop[1];
    stop[1] = '\0';
    const int fields = memchr(line, '\0', (size_t)(stop - line)) ? 0 : count_fields(line);
    const int status = fields == rows->fields ? status_of(line, fields) : -1;
    stop[1] = kept;
    if (status < 0 || *after != ',' || after == line || point < 0 || point >= rows->points)
      return wy_results_fail(message, WY_ERROR_INPUT,
                             "%s:%d: found a damaged line; remove it, or start again without --resume", path, number);
    rows->lines[point] = line;
    rows->states[point] = (unsigned char)(status + 1);
    line = stop + 1;
  }
  return WY_OK;
}

wy_status wy_rows_read(wy_rows *rows, const char *path, uint64_t *whole, wy_message *message) {
  char *text;
  size_t size;
  wy_journal_head head;
  *whole = 0;
  const wy_status status = wy_file_read(path, &text, &size, message);
  if (status != WY_OK || !text)
    return status;
  size_t end = size;
  while (end > 0 && text[end - 1] != '\n')
    end--;
  const char *first = memchr(text, '\n', end);
  const char *header = first ? first + 1 : NULL;
  const char *second = header ? memchr(header, '\n', end - (size_t)(header - text)) : NULL;
  if (!second) { /* killed before the first point */
    free(text);
    return WY_OK;
  }
  const size_t length = (size_t)(second + 1 - header);
  const bool ours = read_head(text, &head) &&
                    (rows->points == 0 || (head.points == rows->points && head.identity == rows->identity)) &&
                    (!rows->header || (strlen(rows->header) == length && memcmp(rows->header, header, length) == 0));
  if (!ours) {
    free(text);
    return wy_results_fail(message, WY_ERROR_INPUT,
                           "%s belongs to another plan, scenario or version of withy; remove it, start again without "
                           "--resume, or choose another folder with -o DIR",
                           path);
  }
  if (!prepare(rows, &head, header, length) || !keep_text(rows, text)) {
    free(text);
    return wy_results_fail(message, WY_ERROR_MEMORY, "out of memory while reading %s", path);
  }
  rows->parts = rows->parts == 0 || rows->parts == head.parts ? head.parts : -1;
  *whole = end;
  return add_lines(rows, path, text, (size_t)(second + 1 - text), end, message);
}
