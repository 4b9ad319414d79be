/* SPDX-License-Identifier: MIT */
/* A JSON document, written piece by piece into a text: indented or dense, strings escaped, numbers with all their
   digits. */
#ifndef WY_RUN_RESULTS_JSON_H
#define WY_RUN_RESULTS_JSON_H

#include "run/results/file.h"

/* The numbers of several objects that have the same keys, folded into one: of each number the least and the largest
   value, and in which object the largest is. */
typedef struct wy_json_folded {
  const char *object, *key; /* object: the inner one that it is in, or NULL */
  double least, largest;    /* NAN where none is finite */
  int of;
} wy_json_folded;
enum { WY_JSON_FOLDED = 64 };
typedef struct wy_json_fold {
  int of, place; /* the object that is being folded, and how many of its numbers have been */
  const char *object;
  int count;
  wy_json_folded numbers[WY_JSON_FOLDED];
} wy_json_fold;

/* Start with {.text = ...}. Within an object every piece has a key, within a list and at the top it is NULL. Several
   pieces at the top are separated by commas. */
typedef struct wy_json {
  wy_text *text;
  int depth;
  bool filled;        /* the object or list that is open has something in it */
  bool dense;         /* without spaces and line breaks; set by the caller */
  wy_json_fold *fold; /* set by the caller: nothing is written, numbers go there, all else is passed over */
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
/* The next object is folded. */
void wy_json_fold_next(wy_json_fold *fold);
/* A number of a fold as {"min": , "max": , "rod": }, `name` that of the object with the largest. */
void wy_json_minmax(wy_json *json, const wy_json_folded *number, const char *name);
/* A text that is JSON already: a value, or within a list several, separated by commas. */
void wy_json_raw(wy_json *json, const char *key, const wy_text *value);

#endif
