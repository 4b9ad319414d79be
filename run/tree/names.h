/* SPDX-License-Identifier: MIT */
/* Names with a number each, found in a time that does not grow with how many there are. */
#ifndef WY_RUN_TREE_NAMES_H
#define WY_RUN_TREE_NAMES_H

#include "run/tree/pool.h"

typedef struct wy_names {
  struct wy_names_slot *slots; /* start with {NULL}: no names */
  size_t capacity;             /* of slots, a power of 2 or 0; less than 3/4 of them are taken */
  size_t count;
} wy_names;

/* Adds a name, which must stay where it is, with a number >= 0. A name that is there already keeps its first number.
   False without memory. */
bool wy_names_add(wy_names *names, wy_pool *pool, const char *name, int number);

/* Its number, or -1. `length` characters of `name` count. */
int wy_names_find(const wy_names *names, const char *name, size_t length);

#endif
