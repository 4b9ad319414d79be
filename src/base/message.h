/* SPDX-License-Identifier: MIT */
/* Filling of a wy_message: every fatal status leaves through one of these. */
#ifndef WY_BASE_MESSAGE_H
#define WY_BASE_MESSAGE_H

#include "withy/base.h"

#if defined(__GNUC__)
#define WY_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define WY_PRINTF(text, first)
#endif

/* Writes the text (cut to fit) and returns `status`, so that a caller can `return wy_fail(...)`. */
wy_status wy_fail(wy_message *message, wy_status status, const char *format, ...) WY_PRINTF(3, 4);

/* The same for a wrong definition: `path` in the words of a scenario file; the status is WY_ERROR_INPUT. */
wy_status wy_fail_at(wy_message *message, const char *path, const char *format, ...) WY_PRINTF(3, 4);

/* For an argument that may not be NULL, by its name. */
static inline wy_status wy_fail_missing(wy_message *message, const char *name) {
  return wy_fail(message, WY_ERROR_INPUT, "found NULL for `%s`; expected it to be given", name);
}

#endif
