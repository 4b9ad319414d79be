/* SPDX-License-Identifier: MIT */
/* Files that grow beside the one that they will replace. */
#ifndef WY_DRAW_FILE_H
#define WY_DRAW_FILE_H

#include <stdio.h>

#include "withy/base.h"

/* Closes a file that was written. Returns `status`, or WY_ERROR_FILE with a message that names `path` if something of
   it could not be written. */
wy_status wy_draw_close(FILE *out, wy_status status, const char *path, wy_message *message);

/* Ends the writing of path.part: if `status` is WY_OK it takes the place of `path`, else it is removed. */
wy_status wy_draw_replace(const char *part, const char *path, wy_status status, wy_message *message);

#endif
