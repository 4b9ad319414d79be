/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "run/results/file.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Stands for a text that there was never memory for; nobody writes into it, since it has no capacity. */
static char nothing[1];

/* Room for `length` characters more. */
static bool reserve(wy_text *text, size_t length) {
  if (text->length + length + 1 <= text->capacity)
    return true;
  size_t capacity = 2 * (text->length + length + 1);
  char *larger = realloc(text->capacity ? text->data : NULL, capacity);
  if (larger) {
    text->data = larger;
    text->capacity = capacity;
    return true;
  }
  text->failed = true;
  text->data = text->data ? text->data : nothing;
  return false;
}

/* Written where there is room, which is nearly always; else once more with the room it needs. */
void wy_text_add(wy_text *text, const char *format, ...) {
  enum { USUAL = 64 };
  int length = USUAL;
  size_t room = 0;
  for (bool fits = false; !fits && length >= 0; fits = (size_t)length < room) {
    if (!reserve(text, (size_t)length))
      return;
    room = text->capacity - text->length;
    va_list arguments;
    va_start(arguments, format);
    length = vsnprintf(text->data + text->length, room, format, arguments);
    va_end(arguments);
  }
  if (length > 0)
    text->length += (size_t)length;
}

void wy_text_append(wy_text *text, const char *bytes, size_t length) {
  if (!reserve(text, length))
    return;
  memcpy(text->data + text->length, bytes, length);
  text->length += length;
  text->data[text->length] = '\0';
}

void wy_text_free(wy_text *text) {
  free(text->capacity ? text->data : NULL);
  *text = (wy_text){0};
}

wy_status wy_results_fail(wy_message *message, wy_status status, const char *format, ...) {
  if (message) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message->text, sizeof message->text, format, arguments);
    va_end(arguments);
    message->path[0] = '\0';
  }
  return status;
}

wy_status wy_file_error(wy_message *message, int error, const char *action, const char *path) {
  char reason[128];
  snprintf(reason, sizeof reason, "%s", strerror(error));
  reason[0] = (char)tolower((unsigned char)reason[0]);
  if (error == ENOMEM)
    return wy_results_fail(message, WY_ERROR_MEMORY, "out of memory while %s %s", action, path);
  return wy_results_fail(message, WY_ERROR_FILE, "%s while %s %s", reason, action, path);
}

int wy_file_write_at(int file, const void *data, size_t size, uint64_t offset) {
  const char *from = data;
  while (size > 0) {
    ssize_t written = pwrite(file, from, size, (off_t)offset);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return written < 0 ? errno : EIO;
    from += written;
    size -= (size_t)written;
    offset += (uint64_t)written;
  }
  return 0;
}

int wy_file_read_at(int file, void *data, size_t size, uint64_t offset) {
  char *to = data;
  while (size > 0) {
    ssize_t got = pread(file, to, size, (off_t)offset);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return got < 0 ? errno : EIO;
    to += got;
    size -= (size_t)got;
    offset += (uint64_t)got;
  }
  return 0;
}

wy_status wy_file_replace(const char *path, const void *data, size_t size, wy_message *message) {
  wy_text part = {0};
  wy_text_add(&part, "%s.part", path);
  int error = 0;
  int file = part.failed ? -1 : open(part.data, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (part.failed) {
    error = ENOMEM;
  } else if (file < 0) {
    error = errno;
  } else {
    error = wy_file_write_at(file, data, size, 0);
    if (close(file) != 0 && !error)
      error = errno;
    if (!error && rename(part.data, path) != 0)
      error = errno;
    if (error)
      unlink(part.data);
  }
  wy_text_free(&part);
  return error ? wy_file_error(message, error, "writing", path) : WY_OK;
}

wy_status wy_text_replace(const char *path, const wy_text *text, wy_message *message) {
  return text->failed ? wy_file_error(message, ENOMEM, "writing", path)
                      : wy_file_replace(path, text->data, text->length, message);
}

wy_status wy_file_read(const char *path, char **data, size_t *size, wy_message *message) {
  *data = NULL;
  *size = 0;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return errno == ENOENT || errno == ENOTDIR ? WY_OK : wy_file_error(message, errno, "reading", path);
  struct stat status;
  int error = fstat(file, &status) == 0 ? 0 : errno;
  if (!error && !S_ISREG(status.st_mode))
    error = EISDIR;
  if (!error) {
    *size = (size_t)status.st_size;
    *data = malloc(*size + 1);
    error = *data ? wy_file_read_at(file, *data, *size, 0) : ENOMEM;
    if (*data)
      (*data)[*size] = '\0';
  }
  close(file);
  if (error) {
    free(*data);
    *data = NULL;
    return wy_file_error(message, error, "reading", path);
  }
  return WY_OK;
}

wy_status wy_folder_make(const char *folder, wy_message *message) {
  wy_text copy = {0};
  wy_text_append(&copy, folder, strlen(folder));
  char *path = copy.data;
  int error = copy.failed ? ENOMEM : 0;
  for (char *at = path + 1; !error && at[-1]; ++at) {
    if (*at != '/' && *at != '\0')
      continue;
    char kept = *at;
    *at = '\0';
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
      error = errno;
    *at = kept;
  }
  wy_text_free(&copy);
  struct stat status;
  if (!error && stat(folder, &status) != 0)
    error = errno;
  if (!error && !S_ISDIR(status.st_mode))
    return wy_results_fail(message, WY_ERROR_INPUT, "%s is a file; the results need a folder (-o DIR)", folder);
  if (!error && access(folder, W_OK | X_OK) != 0)
    error = errno;
  if (error == ENOSPC || error == EDQUOT || error == EIO || error == ENOMEM)
    return wy_file_error(message, error, "making the folder", folder);
  if (error)
    return wy_results_fail(message, WY_ERROR_INPUT,
                           "cannot write into the folder %s: %s; choose another one with -o DIR", folder,
                           strerror(error));
  return WY_OK;
}

uint64_t wy_hash(uint64_t hash, const void *data, size_t size) {
  const unsigned char *bytes = data;
  for (size_t i = 0; i < size; ++i)
    hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
  return hash;
}

/* Each step can be undone, so that a change of one word is always seen; the shift carries high bits down. */
uint64_t wy_hash_words(uint64_t hash, const void *data, size_t size) {
  const char *bytes = data;
  for (size_t at = 0; at < size; at += sizeof hash) {
    uint64_t word = 0;
    memcpy(&word, bytes + at, size - at < sizeof word ? size - at : sizeof word);
    hash = (hash ^ word) * UINT64_C(1099511628211);
    hash ^= hash >> 32;
  }
  return hash;
}
