/* SPDX-License-Identifier: MIT */
/* A table with open addressing. The pool keeps the smaller tables that it has grown out of: as much again in all. */
#include "run/tree/names.h"

#include <stdint.h>
#include <string.h>

struct wy_names_slot {
  const char *name; /* NULL: free */
  size_t length;
  int number;
};

/* FNV-1a, whose low bits are mixed well enough for a table of this kind. */
static size_t hash(const char *name, size_t length) {
  uint64_t value = 14695981039346656037U;
  for (size_t i = 0; i < length; i++)
    value = (value ^ (unsigned char)name[i]) * 1099511628211U;
  return (size_t)(value ^ value >> 32);
}

/* The slot of the name, or the free one where it belongs. */
static struct wy_names_slot *slot_of(const wy_names *names, const char *name, size_t length) {
  size_t at = hash(name, length) & (names->capacity - 1);
  while (names->slots[at].name &&
         (names->slots[at].length != length || memcmp(names->slots[at].name, name, length) != 0))
    at = (at + 1) & (names->capacity - 1);
  return &names->slots[at];
}

static bool grow(wy_names *names, wy_pool *pool) {
  wy_names grown = {.capacity = names->capacity ? 2 * names->capacity : 16, .count = names->count};
  grown.slots = wy_pool_take(pool, grown.capacity * sizeof *grown.slots);
  if (!grown.slots)
    return false;
  for (size_t i = 0; i < names->capacity; i++)
    if (names->slots[i].name)
      *slot_of(&grown, names->slots[i].name, names->slots[i].length) = names->slots[i];
  *names = grown;
  return true;
}

bool wy_names_add(wy_names *names, wy_pool *pool, const char *name, int number) {
  if (4 * (names->count + 1) > 3 * names->capacity && !grow(names, pool))
    return false;
  struct wy_names_slot *slot = slot_of(names, name, strlen(name));
  if (!slot->name) {
    *slot = (struct wy_names_slot){name, strlen(name), number};
    names->count++;
  }
  return true;
}

int wy_names_find(const wy_names *names, const char *name, size_t length) {
  if (names->capacity == 0)
    return -1;
  const struct wy_names_slot *slot = slot_of(names, name, length);
  return slot->name ? slot->number : -1;
}
