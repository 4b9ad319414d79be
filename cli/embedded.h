/* Files that are part of the command; cmake/embed_file.cmake makes them. */
#ifndef WY_CLI_EMBEDDED_H
#define WY_CLI_EMBEDDED_H

#include <stddef.h>

/* `size` bytes in pieces of `piece` each, the last of which may be shorter. */
typedef struct wy_embedded_file {
  const char *const *pieces;
  size_t piece, size;
} wy_embedded_file;

/* The page of `withy view` without a run: web/dist/view.html. */
extern const wy_embedded_file wy_view_page;

#endif
