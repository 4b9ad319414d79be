/* SPDX-License-Identifier: MIT */
#include "draw/file.h"

#include <errno.h>
#include <unistd.h>

#include "run/results/file.h"

wy_status wy_draw_close(FILE *out, wy_status status, const char *path, wy_message *message) {
  bool good = fflush(out) == 0 && !ferror(out);
  int error = errno;
  if (fclose(out) != 0 && good) {
    good = false;
    error = errno;
  }
  return status == WY_OK && !good ? wy_file_error(message, error, "writing", path) : status;
}

wy_status wy_draw_replace(const char *part, const char *path, wy_status status, wy_message *message) {
  if (status == WY_OK && rename(part, path) != 0)
    status = wy_file_error(message, errno, "writing", path);
  if (status != WY_OK)
    unlink(part);
  return status;
}
