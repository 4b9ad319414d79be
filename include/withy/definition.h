/* SPDX-License-Identifier: MIT */
/* How definitions may grow without breaking programs that were compiled before (docs/dev/abi.md).

   A definition (wy_rod_def, wy_run_def, ...) begins with a cookie and its size in the headers of the program. Later
   versions of withy append members. The library fills and reads only the bytes that the program has, and members that
   the program does not know have their defaults. A definition of newer headers is accepted if all members that the
   library does not know are zero.

   Programs fill definitions with wy_default_..._def and need nothing else from here. Other languages call
   wy_init_..._def with the size of their struct. */
#ifndef WITHY_DEFINITION_H
#define WITHY_DEFINITION_H

#include <string.h>

#include "withy/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What every definition begins with. */
typedef struct wy_def_head {
  uint32_t cookie; /* which definition it is; wrong where it was not filled by the default function */
  uint32_t size;   /* in bytes, in the headers of the program that filled it; the distance of entries in an array */
} wy_def_head;

/* Checks, where a definition is made, that `last` fills it to its end. Programs leave bytes behind it undefined, in
   which a later member must not lie. */
#define WY_DEF_ENDS_WITH(type, last)                                                                                   \
  _Static_assert(offsetof(type, last) + sizeof(((type *)0)->last) == sizeof(type), "padding at the end of " #type)

/* The largest size of a definition, so that a wrong size is found. */
#define WY_DEF_LARGEST 65536

/* Entry `index` of an array of definitions, whose size may differ from the size in the headers of the caller. NULL if
   `array` is NULL or if the index is negative. */
static inline void *wy_def_at(const void *array, int index) {
  wy_def_head head;
  if (!array || index < 0)
    return NULL;
  memcpy(&head, array, sizeof head);
  return (char *)array + (size_t)index * head.size;
}

/* Fills `size` bytes with the default `usual`, a whole definition; what it does not have becomes zero. Nothing happens
   if an argument is NULL, or if `size` is too small for the head or above WY_DEF_LARGEST. */
WY_API void wy_def_fill(void *def, size_t size, const void *usual);

/* Reads a definition of any size. `own` is a whole default definition of the reader. Returns `def` itself if it has the
   same size; else `own`, with the members of `def` copied into it. Returns NULL if the definition is refused; the
   message says why. `name` is the name of the definition ("rod"), `path` that of the message. */
WY_API const void *wy_def_read(const void *def, void *own, const char *name, const char *path, wy_message *message);
/* The same for an entry of an array. All entries have one size. */
WY_API const void *wy_def_read_at(const void *array, int index, void *own, const char *name, const char *path,
                                  wy_message *message);

#ifdef __cplusplus
}
#endif
#endif
