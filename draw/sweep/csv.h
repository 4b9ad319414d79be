/* SPDX-License-Identifier: MIT */
/* The rows of a CSV file with texts (RFC 4180), one after the other, within the memory of the file's text. */
#ifndef WY_DRAW_SWEEP_CSV_H
#define WY_DRAW_SWEEP_CSV_H

/* Start with the text and line 1. */
typedef struct wy_records {
  char *next; /* where the next row begins; at the zero behind the text there is none */
  int line;   /* of it, from 1 */
} wy_records;

/* Reads the next row: its first `most` fields in `fields`. Returns how many fields the row has, 0 at the end of the
   text, or -1 where a quoted field has no end. Changes the text: fields are unquoted and end with a zero. */
int wy_records_next(wy_records *records, char **fields, int most);

#endif
