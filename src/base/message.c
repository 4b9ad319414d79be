/* SPDX-License-Identifier: MIT */
#include "base/message.h"

#include <stdarg.h>
#include <stdio.h>

wy_status wy_fail(wy_message *message, wy_status status, const char *format, ...) {
  if (message) {
    message->path[0] = '\0';
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message->text, sizeof message->text, format, arguments);
    va_end(arguments);
  }
  return status;
}

wy_status wy_fail_at(wy_message *message, const char *path, const char *format, ...) {
  if (message) {
    snprintf(message->path, sizeof message->path, "%s", path);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message->text, sizeof message->text, format, arguments);
    va_end(arguments);
  }
  return WY_ERROR_INPUT;
}

const char *wy_version(void) {
  return WY_VERSION;
}
