/* SPDX-License-Identifier: MIT */
/* A whole file into memory. */
#ifndef WY_RUN_TREE_BYTES_H
#define WY_RUN_TREE_BYTES_H

#include "withy/base.h"

/* All bytes of a file with a zero behind them; the caller frees them. More than WY_YAML_BYTES are not read. On failure
 *text is NULL: WY_ERROR_FILE with the reason of the system in `reason`, or WY_ERROR_MEMORY. */
wy_status wy_bytes_read(const char *path, char **text, size_t *size, const char **reason);

#endif
