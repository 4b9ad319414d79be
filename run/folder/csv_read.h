/* Reading the tables that a run leaves: probes.csv, path.csv, modes.csv, buckling.csv. */
#ifndef WY_RUN_FOLDER_CSV_READ_H
#define WY_RUN_FOLDER_CSV_READ_H

#include <stdbool.h>

#include "run/tree/pool.h"
#include "withy/base.h"

/* Columns of finite numbers with their names. */
typedef struct wy_csv_table {
  int columns, rows;
  const char **name;
  double **values; /* [columns][rows] */
  bool exists;     /* false: there is no such file */
  bool cut;        /* the last line has no end, as after a kill, and was left out */
} wy_csv_table;

/* Everything read lives in the pool. WY_OK also where there is no such file. WY_ERROR_INPUT: a row is damaged; the
   message names file, line and column. */
wy_status wy_csv_read(wy_pool *pool, const char *path, wy_csv_table *table, wy_message *message);

/* The columns of one probe: "tip.x", "tip.y", "tip.z" are the vector tip, "tip.w", ... a rotation, any other name is a
   scalar. */
typedef struct wy_csv_probe {
  const char *name;
  int first, count;
  char label[4][2]; /* "x", "y", ...; "" for a scalar */
} wy_csv_probe;

/* Groups the columns from `first` on; returns how many probes there are. The names live in the pool. */
int wy_csv_probes(wy_pool *pool, const wy_csv_table *table, int first, wy_csv_probe **probes);

#endif
