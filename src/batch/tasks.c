/* SPDX-License-Identifier: MIT */
/* Work that pieces of a batch do not share: tiles of a frame, ends of rods. */
#include "batch/inside.h"

typedef struct division {
  wy_batch_piece piece;
  void *context;
  int count, size;
} division;

static void do_piece(void *context, int index) {
  const division *it = context;
  const int from = index * it->size, to = from + it->size < it->count ? from + it->size : it->count;
  it->piece(it->context, index, from, to);
}

static void divide(const wy_batch *self, int count, int least, wy_batch_piece piece, void *context) {
  division it = {piece, context, count, (count + WY_BATCH_MOST_TASKS - 1) / WY_BATCH_MOST_TASKS};
  if (it.size < least)
    it.size = least;
  if (!self->def.tasks.run || count <= it.size)
    piece(context, 0, 0, count);
  else
    self->def.tasks.run(self->def.tasks.pool, (count + it.size - 1) / it.size, do_piece, &it);
}

void wy_batch_divide(const wy_batch *self, int count, wy_batch_piece piece, void *context) {
  divide(self, count, 1, piece, context);
}

void wy_batch_divide_rods(const wy_batch *self, wy_batch_piece piece, void *context) {
  enum { WORTH = 512 }; /* rods: some 20 microseconds */
  divide(self, self->kind.count, WORTH, piece, context);
}
