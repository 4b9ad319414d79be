/* SPDX-License-Identifier: MIT */
#include "draw/sweep/csv.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* A quoted field: `at` is behind the first quote. Returns what follows the last one, or NULL. The zero at the end of
   the field takes the place of the last quote at the latest, so that what follows stays. */
static char *unquote(char *at, int *line) {
  char *to = at;
  for (; *at; at++) {
    if (*at == '"' && at[1] != '"') {
      *to = '\0';
      return at + 1;
    }
    at += *at == '"';
    *line += *at == '\n';
    *to++ = *at;
  }
  return NULL;
}

int wy_records_next(wy_records *r, char **fields, int most) {
  int count = 0;
  char *at = r->next;
  if (!*at)
    return 0;
  for (;;) {
    const bool quoted = *at == '"';
    char *field = at + quoted;
    at = quoted ? unquote(field, &r->line) : at + strcspn(at, ",\r\n");
    if (!at)
      return -1;
    if (count < most)
      fields[count] = field;
    count++;
    const char end = *at;
    *at = '\0';
    if (end == ',') {
      at++;
      continue;
    }
    if (end == '\r' && at[1] == '\n')
      at++;
    r->next = end ? at + 1 : at;
    r->line++;
    return count;
  }
}
