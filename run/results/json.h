/* SPDX-License-Identifier: MIT */
/* A JSON document, written piece by piece into a text: indented or dense, strings escaped, numbers with all their
   digits. */
#ifndef WY_RUN_RESULTS_JSON_H
#define WY_RUN_RESULTS_JSON_H

#include "run/results/file.h"

/* Start with {.text = ...}. Within an object every piece has a key, within a list and at the top it is NULL. Several
   pieces at the top are separated by commas. */
typedef struct wy_json {
  wy_text *text;
  int depth;
  bool filled; /* the object or list that is open has something in it */
  bool dense;  /* without spaces and line breaks; set by the caller */
} wy_json;

void wy_json_object(wy_json *json, const char *key);
void wy_json_end_object(wy_json *json);
void wy_json_list(wy_json *json, const char *key);
void wy_json_end_list(wy_json *json);

void wy_json_string(wy_json *json, const char *key, const char *value);
void wy_json_boolean(wy_json *json, const char *key, bool value);
void wy_json_integer(wy_json *json, const char *key, long long value);
/* 17 digits, so that reading gives back the same number; null where the value is not finite, which JSON cannot say. */
void wy_json_number(wy_json *json, const char *key, double value);
/* A text that is JSON already: a value, or within a list several, separated by commas. */
void wy_json_raw(wy_json *json, const char *key, const wy_text *value);

#endif
