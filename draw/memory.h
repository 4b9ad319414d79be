/* SPDX-License-Identifier: MIT */
/* Memory of a drawing, freed all at once. Where there is none left, taking some does not return: it jumps to where the
   drawing began, so that what draws need not ask every time.

     wy_memory memory = {0};
     if (setjmp(memory.begin) != 0) {
       wy_memory_release(&memory);
       return wy_memory_failed(message);
     }
     ... wy_memory_take(&memory, count, sizeof *list) ...
     wy_memory_release(&memory);
 */
#ifndef WY_DRAW_MEMORY_H
#define WY_DRAW_MEMORY_H

#include <setjmp.h>

#include "run/tree/pool.h"
#include "withy/base.h"

typedef struct wy_memory {
  wy_pool pool;
  jmp_buf begin;
} wy_memory;

/* `count` zeroed things of `size` bytes each. */
void *wy_memory_take(wy_memory *memory, size_t count, size_t size);
char *wy_memory_copy(wy_memory *memory, const char *text, size_t length);
/* A formatted text. */
const char *wy_memory_print(wy_memory *memory, const char *format, ...) __attribute__((format(printf, 2, 3)));
void wy_memory_release(wy_memory *memory);
/* WY_ERROR_MEMORY, with a message. */
wy_status wy_memory_failed(wy_message *message);

#endif
