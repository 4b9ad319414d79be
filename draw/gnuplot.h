/* SPDX-License-Identifier: MIT */
/* Files that pictures are made of, and gnuplot, which makes them. */
#ifndef WY_DRAW_GNUPLOT_H
#define WY_DRAW_GNUPLOT_H

#include <stdio.h>

#include "draw/memory.h"

/* folder/name, with one slash also where the folder's name ends with one. */
const char *wy_draw_join(wy_memory *memory, const char *folder, const char *name);

/* Writes folder/name by `write`, which gets `what`. */
typedef void (*wy_draw_writer)(FILE *out, const void *what);
wy_status wy_draw_write(wy_memory *memory, const char *folder, const char *name, wy_draw_writer write, const void *what,
                        wy_message *message);

/* Writes the script folder/script by `write`, runs gnuplot in the folder on it and removes the script unless `keep`.
   WY_ERROR_SUPPORT: gnuplot is not installed, the message says what to do; WY_ERROR_FILE: it fails. */
wy_status wy_gnuplot_draw(wy_memory *memory, const char *folder, const char *script, bool keep, wy_draw_writer write,
                          const void *what, wy_message *message);

/* The text of the picture folder/name.svg, for a page. */
wy_status wy_gnuplot_picture(wy_memory *memory, const char *folder, const char *name, char **svg, wy_message *message);

#endif
