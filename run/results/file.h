/* SPDX-License-Identifier: MIT */
/* Writing files so that every failure is seen and no reader meets half of one: growing text, complete writes,
   replacement of a whole file at once, error texts. Used by everything that leaves something in a result folder. */
#ifndef WY_RUN_RESULTS_FILE_H
#define WY_RUN_RESULTS_FILE_H

#include "withy/base.h"

/* Text that grows. Start with {0}. */
typedef struct wy_text {
  char *data; /* terminated, or NULL while nothing was added */
  size_t length, capacity;
  bool failed; /* there was not enough memory for a text that was added: it is missing */
} wy_text;

void wy_text_add(wy_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void wy_text_append(wy_text *text, const char *bytes, size_t length);
/* What "%.17g" prints: a number that is read back as it was. */
void wy_text_number(wy_text *text, double value);
void wy_text_free(wy_text *text);

/* Fills the message and returns `status`. */
wy_status wy_results_fail(wy_message *message, wy_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "no space left on device while writing PATH", from an errno; `action` is "writing". Returns WY_ERROR_FILE, or
   WY_ERROR_MEMORY where the errno says that. */
wy_status wy_file_error(wy_message *message, int error, const char *action, const char *path);

/* Writes all of `size` bytes at `offset`, or reads them. 0, or an errno (EIO where a file ends early). */
int wy_file_write_at(int file, const void *data, size_t size, uint64_t offset);
int wy_file_read_at(int file, void *data, size_t size, uint64_t offset);

/* Replaces the file by `data`: a reader sees the old file or the new one, whole. The old one stays where writing fails.
 */
wy_status wy_file_replace(const char *path, const void *data, size_t size, wy_message *message);
/* The same by a text, unless it is not complete for want of memory. */
wy_status wy_text_replace(const char *path, const wy_text *text, wy_message *message);

/* The whole file in *data (to be freed), with a zero byte after it. Where there is no such file, WY_OK and *data =
 * NULL. */
wy_status wy_file_read(const char *path, char **data, size_t *size, wy_message *message);

/* Makes the folder and those above it; it may be there already. WY_ERROR_INPUT: there cannot be such a folder, or
   nothing can be written into it; WY_ERROR_FILE: no space. */
wy_status wy_folder_make(const char *folder, wy_message *message);

/* Continues a 64-bit FNV-1a hash; start with WY_HASH_START. Recognises changes, not attacks. */
#define WY_HASH_START UINT64_C(14695981039346656037)
uint64_t wy_hash(uint64_t hash, const void *data, size_t size);
/* Likewise for many bytes, eight at a time: another number than that of wy_hash. */
uint64_t wy_hash_words(uint64_t hash, const void *data, size_t size);

#endif
