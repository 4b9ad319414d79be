/* SPDX-License-Identifier: MIT */
/* The files of a sweep as they are read: journals, whose lines are those of sweep.csv, and series.

   journal-I-of-N.csv begins with "# withy sweep journal 1 IDENTITY POINTS I/N" and the header of sweep.csv. A line is
   written at once when its point is done; a line without its end was cut by a kill and does not count.
   series-I-of-N.bin has a record for each point with series, which is written before the line of the point. */
#ifndef WY_RUN_SWEEP_JOURNAL_H
#define WY_RUN_SWEEP_JOURNAL_H

#include "run/sweep/row.h"

/* A file "KIND-I-of-N.END" of the folder. */
typedef struct wy_part_file {
  char path[4096];
  int part, parts;
} wy_part_file;

enum { WY_SWEEP_MOST_PARTS = 1000000 };

/* The path of a file in a folder; false if it is too long. */
bool wy_sweep_path(char path[4096], const char *folder, const char *name);
/* The files of that kind ("journal", "csv"), sorted, in *files, to be freed. A folder that is not there has none. */
wy_status wy_sweep_list(const char *folder, const char *kind, const char *ending, wy_part_file **files, int *count,
                        wy_message *message);

/* The first line of a journal. */
typedef struct wy_journal_head {
  uint64_t identity;
  int points, part, parts;
} wy_journal_head;
void wy_journal_begin(wy_text *text, const wy_journal_head *head);
/* The head of the file; false if it has none. */
bool wy_journal_peek(const char *path, wy_journal_head *head);
/* Takes the lock of a journal, which is held until the file is closed; true if another process has it. Who starts or
   removes a part has it for a moment only: try again WY_JOURNAL_WAITS times. */
bool wy_journal_busy(int file);
void wy_journal_wait(void);
enum { WY_JOURNAL_WAITS = 200 }; /* a second */

/* The rows of all journals that were read. Start with {0}, and points, identity and header where they are known. */
typedef struct wy_rows {
  uint64_t identity;
  int points;            /* 0: not known yet; then the first journal says it all */
  char *header;          /* with its newline; owned; NULL: not known yet */
  int fields;            /* of a line */
  const char **lines;    /* [points]; NULL where there is no row; each ends with a newline */
  unsigned char *states; /* [points]: status + 1, or 0 */
  char **texts;          /* what the lines point into */
  int text_count;
  int parts; /* of the journals; 0: none was read; -1: they differ */
} wy_rows;

/* Adds the rows of a journal. *whole is where its last complete line ends. WY_ERROR_INPUT: it belongs to another plan,
   or a line is damaged. A file that is not there or has no complete first two lines has no rows: *whole is 0. */
wy_status wy_rows_read(wy_rows *rows, const char *path, uint64_t *whole, wy_message *message);
void wy_rows_free(wy_rows *rows);

/* The next field of a line, unquoted, into `out`; returns what follows it, or NULL after the last one. */
const char *wy_csv_next(const char *line, wy_text *out);

/* ---- Series ---- */

/* Where the record of a point is. */
typedef struct wy_series_place {
  int file; /* from 1; 0: there is none */
  uint64_t offset, size;
} wy_series_place;

/* Adds a record to `out`. */
void wy_series_record(wy_text *out, const wy_sweep_row *row);
/* Looks through a file of records and puts down where they are ([points]); *whole is where the last complete one ends.
 */
wy_status wy_series_scan(int file, int number, int points, wy_series_place *places, uint64_t *whole,
                         wy_message *message);
/* The row of a record. */
wy_status wy_series_load(int file, const wy_series_place *place, wy_sweep_row *row, wy_message *message);

#endif
