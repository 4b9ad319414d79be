/* SPDX-License-Identifier: MIT */
/* What to say of a text that is no YAML: the parser's complaint, where to look, and the lines themselves. */
#ifndef WY_RUN_TREE_BROKEN_H
#define WY_RUN_TREE_BROKEN_H

#include "run/tree/yaml.h"

/* Lines and columns count from 1, columns in characters. */
typedef struct wy_yaml_place {
  int line, column;
} wy_yaml_place;

/* Fills line, text and excerpt. `at` is where the parser gave up, `open` where the innermost list or mapping in
   brackets begins that has no end yet (line 0: there is none). */
void wy_yaml_broken(const char *text, const char *complaint, wy_yaml_place at, wy_yaml_place open,
                    wy_yaml_error *error);

/* A parser notices an open bracket at the end of the text only: the place is then after the last line that says
   something. */
wy_yaml_place wy_broken_last(const char *text, wy_yaml_place at);

/* Adds "  12 | the line" to `out`, and a caret below it where there is a column. A part of it where it is long. */
void wy_broken_line(const char *text, wy_yaml_place place, char *out, size_t size);

#endif
