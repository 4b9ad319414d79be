/* SPDX-License-Identifier: MIT */
#include "run/tree/bytes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/tree/yaml.h"

/* NULL without memory. */
static char *read_stream(FILE *stream, size_t *size) {
  size_t capacity = 1 << 16;
  char *text = malloc(capacity + 1);
  *size = 0;
  for (size_t got = 1; text && got > 0 && *size <= WY_YAML_BYTES;) {
    got = fread(text + *size, 1, capacity - *size, stream);
    *size += got;
    if (*size == capacity) {
      capacity *= 2;
      char *grown = realloc(text, capacity + 1);
      if (!grown)
        free(text);
      text = grown;
    }
  }
  if (text)
    text[*size] = '\0';
  return text;
}

wy_status wy_bytes_read(const char *path, char **text, size_t *size, const char **reason) {
  FILE *stream = fopen(path, "rb");
  *text = NULL;
  *reason = stream ? "out of memory" : strerror(errno);
  if (!stream)
    return WY_ERROR_FILE;
  *text = read_stream(stream, size);
  const bool failed = ferror(stream) != 0;
  fclose(stream);
  if (!*text || !failed)
    return *text ? WY_OK : WY_ERROR_MEMORY;
  free(*text);
  *text = NULL;
  *reason = "reading failed";
  return WY_ERROR_FILE;
}
