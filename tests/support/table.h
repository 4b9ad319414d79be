/* SPDX-License-Identifier: MIT */
/* Tables of reference values: CSV files of tests/data with a header line, columns by name. */
#ifndef WY_TESTS_SUPPORT_TABLE_H
#define WY_TESTS_SUPPORT_TABLE_H

typedef struct table {
  char header[1024];
  int rows, columns;
  double *values; /* [rows][columns] */
} table;

/* All of a file; fails the test where it cannot be read or has another number of rows than expected. */
table read_table(const char *path, int rows);
void free_table(table *t);

/* The first of `count` neighbouring columns, by its name. */
int table_column(const table *t, const char *name);
static inline const double *table_at(const table *t, int row, int column) {
  return t->values + row * t->columns + column;
}

/* The largest length of the vector in `count` columns: what "relative" means for one quantity. */
double table_scale(const table *t, int column, int count);

#endif
