/* SPDX-License-Identifier: MIT */
/* Files that are part of the library; cmake/embed_file.cmake makes them. */
#ifndef WY_DRAW_EMBEDDED_H
#define WY_DRAW_EMBEDDED_H

#include <stddef.h>

/* `size` bytes in pieces of `piece` each, the last of which may be shorter. */
typedef struct wy_embedded_file {
  const char *const *pieces;
  size_t piece, size;
} wy_embedded_file;

/* The 3D page without a run: web/dist/view.html. */
extern const wy_embedded_file wy_view_page;

#endif
