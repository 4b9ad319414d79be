/* SPDX-License-Identifier: MIT */
/* The key `tables`: files or rows of numbers into wy_spline, known to expressions by their names. */
#include <string.h>

#include "run/scenario/reader.h"

/* A table while it is read: all columns, the argument first. */
typedef struct columns {
  const wy_node *node;
  int rows, count;
  const double *values;     /* [rows * count] */
  const char *const *names; /* [count]; NULL: the file has none */
} columns;

/* ---- Numbers ---- */

/* In the file's own words, which know its lines. */
static void check_order(wy_reader *r, const wy_node *node, const wy_csv *csv) {
  for (int i = 1; i < csv->rows && !r->failed; i++) {
    const double before = csv->values[(size_t)(i - 1) * (size_t)csv->columns];
    const double now = csv->values[(size_t)i * (size_t)csv->columns];
    if (!(now > before))
      wy_read_fail(r, node, "%s:%d: column 1: found %.9g after %.9g; expected increasing numbers", node->text,
                   csv->lines[i], now, before);
  }
}

static void read_file(wy_reader *r, const wy_node *node, columns *out) {
  const wy_csv *csv = wy_read_columns(r, node, false);
  if (!csv)
    return;
  check_order(r, node, csv);
  out->rows = csv->rows;
  out->count = csv->columns;
  out->values = csv->values;
  out->names = csv->names;
}

static void read_rows(wy_reader *r, const wy_node *list, columns *out) {
  if (list->kind != WY_LIST || list->count == 0) {
    wy_read_refuse(r, list);
    return;
  }
  out->rows = list->count;
  out->count = list->first->count;
  double *values = wy_read_take(r, ((size_t)out->rows * (size_t)out->count + 1) * sizeof *values), *value = values;
  for (const wy_node *row = list->first; row && !r->failed; row = row->next) {
    if (row->kind != WY_LIST)
      wy_read_expected(r, row, "a list of numbers: a row of the table");
    else if (row->count != out->count)
      wy_read_expected(r, row, "a list of %d, as the first row is", out->count);
    for (const wy_node *cell = row->first; cell && !r->failed; cell = cell->next)
      *value++ = wy_read_number(r, cell);
  }
  out->values = values;
}

/* ---- Names ---- */

/* Those that the scenario gives replace those of the file. */
static void read_given_names(wy_reader *r, const wy_node *list, columns *out) {
  if (list->kind != WY_LIST || list->count == 0) {
    wy_read_refuse(r, list);
    return;
  }
  if (list->count != out->count - 1) {
    wy_read_expected(r, list, "%d name%s, one for each column after the first", out->count - 1,
                     out->count == 2 ? "" : "s");
    return;
  }
  const char **names = wy_read_take(r, (size_t)out->count * sizeof *names);
  for (const wy_node *node = list->first; node && !r->failed; node = node->next)
    names[node->index + 1] = wy_read_text(r, node);
  out->names = names;
}

static bool is_name(const char *text) {
  const char *letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  if (!*text || !strchr(letters, *text))
    return false;
  while (*text && (strchr(letters, *text) || strchr("0123456789", *text)))
    text++;
  return !*text;
}

static void check_names(wy_reader *r, const wy_node *list, const columns *in) {
  for (int i = 1; in->names && i < in->count && !r->failed; i++) {
    if (is_name(in->names[i]))
      continue;
    if (list)
      wy_read_expected(r, wy_yaml_at(list, i - 1), "a name: letters, digits and '_', no digit first");
    else
      wy_read_fail(r, in->node,
                   "found the column '%.60s', which is no name: letters, digits and '_', no digit first; "
                   "expected names in the file that are, or columns: [...]",
                   in->names[i]);
  }
}

static void read_names(wy_reader *r, columns *out) {
  const wy_node *list = wy_yaml_find(out->node, "columns");
  if (r->failed)
    return;
  if (out->count < 2)
    wy_read_fail(r, out->node, "found %d column%s; expected an argument and at least one column after it", out->count,
                 out->count == 1 ? "" : "s");
  else if (list)
    read_given_names(r, list, out);
  else if (!out->names)
    wy_read_fail(r, out->node,
                 "found no names of columns; expected columns: a list of %d name%s, one for each column "
                 "after the first",
                 out->count - 1, out->count == 2 ? "" : "s");
  if (!r->failed)
    check_names(r, list, out);
}

/* ---- Tables ---- */

/* Values without the argument, as the library takes them. */
static wy_spline *make(wy_reader *r, const columns *in, wy_variable of, wy_outside outside) {
  wy_spline_def def = wy_default_spline_def();
  wy_spline *spline = NULL;
  wy_message message = {.text = ""};
  const size_t width = (size_t)in->count - 1;
  double *argument = wy_read_take(r, (size_t)in->rows * sizeof *argument);
  double *values = wy_read_take(r, (size_t)in->rows * width * sizeof *values);
  if (r->failed)
    return NULL;
  for (int i = 0; i < in->rows; i++) {
    const double *row = in->values + (size_t)i * (size_t)in->count;
    argument[i] = row[0];
    memcpy(values + (size_t)i * width, row + 1, width * sizeof *values);
  }
  def.name = in->node->key;
  def.of = of;
  def.outside = outside;
  def.rows = in->rows;
  def.columns = (int)width;
  def.argument = argument;
  def.values = values;
  def.names = in->names + 1;
  const wy_status status = wy_spline_create(&def, &spline, &message);
  if (status == WY_ERROR_MEMORY)
    wy_read_no_memory(r);
  else if (status != WY_OK)
    wy_read_fail(r, in->node, "%s", message.text);
  return spline;
}

/* The scenario owns the table, and expressions know it. */
static void add(wy_reader *r, const wy_node *node, wy_spline *spline) {
  wy_expr_error error;
  wy_spline **grown = wy_read_take(r, ((size_t)r->table_count + 1) * sizeof(wy_spline *));
  if (!grown) {
    wy_spline_destroy(spline);
    return;
  }
  if (r->table_count > 0)
    memcpy(grown, r->tables, (size_t)r->table_count * sizeof(wy_spline *));
  grown[r->table_count++] = spline;
  r->tables = grown;
  const wy_status status = wy_expr_scope_table(r->scope, node->key, spline, &error);
  if (status == WY_ERROR_MEMORY)
    wy_read_no_memory(r);
  else if (status != WY_OK)
    wy_read_fail(r, node, "%s", error.text);
}

void wy_read_table(wy_reader *r, const wy_node *node) {
  if (!wy_read_entry(r, node))
    return;
  const wy_node *file = wy_yaml_find(node, "file"), *rows = wy_yaml_find(node, "rows");
  columns in = {.node = node};
  if (file && rows)
    wy_read_fail(r, rows, "found rows together with file; expected one of them");
  else if (!file && !rows)
    wy_read_fail(r, node, "found neither file nor rows; expected one of them");
  else if (file)
    read_file(r, file, &in);
  else
    read_rows(r, rows, &in);
  read_names(r, &in);
  const wy_variable of = (wy_variable)wy_read_choice(r, wy_yaml_find(node, "of"), WY_TIME);
  const wy_outside outside = (wy_outside)wy_read_choice(r, wy_yaml_find(node, "outside"), WY_OUTSIDE_REFUSE);
  wy_read_word(r, wy_yaml_find(node, "interpolation"));
  wy_spline *spline = r->failed ? NULL : make(r, &in, of, outside);
  if (spline)
    add(r, node, spline);
}
