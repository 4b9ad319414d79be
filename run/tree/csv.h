/* SPDX-License-Identifier: MIT */
/* Numbers in columns, as measuring devices, spreadsheets and programs write them: a line of names, where there is one,
   then a row of numbers per line. Fields are separated by commas, semicolons, tabs or blanks; `#` begins a comment;
   empty lines do not count. Decimal commas are refused. */
#ifndef WY_RUN_TREE_CSV_H
#define WY_RUN_TREE_CSV_H

#include "run/tree/yaml.h"
#include "withy/base.h"

enum { WY_CSV_COLUMNS = 1000, WY_CSV_ROWS = 1000000, WY_CSV_NAME = 63 };

/* Owned by the pool. */
typedef struct wy_csv {
  int columns, rows;        /* at least one of each */
  const char *const *names; /* [columns], each once and not empty; NULL if the text has no line of names */
  const double *values;     /* [rows * columns], row by row, finite */
  const int *lines;         /* [rows]: where each row stands in the text, from 1 */
} wy_csv;

/* Reads a text of `size` bytes. NULL with the reason if it cannot be read. */
const wy_csv *wy_csv_read(wy_pool *pool, const char *text, size_t size, wy_yaml_error *error);

/* Where the file `name` lies that is named in the file `base`: relative names are relative to the folder of `base`.
   NULL without memory. */
const char *wy_csv_path(wy_pool *pool, const char *base, const char *name);

/* Reads a file. WY_ERROR_FILE: it cannot be opened or read; WY_ERROR_INPUT: something is wrong with its text;
   WY_ERROR_MEMORY. The reason begins with the path, and has the line where there is one. */
wy_status wy_csv_read_file(wy_pool *pool, const char *path, const wy_csv **out, char *reason, size_t size);

#endif
