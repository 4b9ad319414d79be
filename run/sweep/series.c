/* SPDX-License-Identifier: MIT */
/* Files of series: records of packed rows. A record is its magic, the number of bytes of the row, the row, a hash. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "run/sweep/journal.h"

typedef struct head {
  char magic[8];
  uint64_t bytes;
} head;

static const char magic[8] = {'w', 'i', 't', 'h', 'y', 's', 'r', '1'};

void wy_series_record(wy_text *out, const wy_sweep_row *row) {
  head first = {.bytes = wy_sweep_row_size(row)};
  memcpy(first.magic, magic, sizeof magic);
  char *packed = malloc((size_t)first.bytes + 1);
  if (!packed || wy_sweep_row_pack(row, packed, (size_t)first.bytes, NULL) != WY_OK) {
    out->failed = true;
  } else {
    const uint64_t hash = wy_hash(WY_HASH_START, packed, (size_t)first.bytes);
    wy_text_append(out, (const char *)&first, sizeof first);
    wy_text_append(out, packed, (size_t)first.bytes);
    wy_text_append(out, (const char *)&hash, sizeof hash);
  }
  free(packed);
}

wy_status wy_series_load(int file, const wy_series_place *place, wy_sweep_row *row, wy_message *message) {
  uint64_t hash;
  char *bytes = malloc((size_t)place->size + sizeof hash);
  *row = (wy_sweep_row){0};
  if (!bytes)
    return wy_results_fail(message, WY_ERROR_MEMORY, "out of memory for the series of a point");
  const int error = wy_file_read_at(file, bytes, (size_t)place->size + sizeof hash, place->offset);
  wy_status status = error ? wy_file_error(message, error, "reading", "series") : WY_OK;
  if (status == WY_OK) {
    memcpy(&hash, bytes + place->size, sizeof hash);
    if (hash != wy_hash(WY_HASH_START, bytes, (size_t)place->size))
      status = wy_results_fail(message, WY_ERROR_FILE, "the series of a point are damaged");
  }
  if (status == WY_OK)
    status = wy_sweep_row_unpack(bytes, (size_t)place->size, row, message);
  free(bytes);
  return status;
}

wy_status wy_series_scan(int file, int number, int points, wy_series_place *places, uint64_t *whole,
                         wy_message *message) {
  struct stat state;
  head first;
  uint64_t at = 0;
  *whole = 0;
  if (fstat(file, &state) != 0)
    return wy_file_error(message, errno, "reading", "series");
  const uint64_t end = (uint64_t)state.st_size;
  while (end - at >= sizeof first + sizeof(uint64_t)) {
    if (wy_file_read_at(file, &first, sizeof first, at) != 0 || memcmp(first.magic, magic, sizeof magic) != 0 ||
        first.bytes > end - at - sizeof first - sizeof(uint64_t))
      break;
    const wy_series_place place = {number, at + sizeof first, first.bytes};
    wy_sweep_row row;
    const wy_status status = wy_series_load(file, &place, &row, message);
    const int point = row.point;
    wy_sweep_row_free(&row);
    if (status == WY_ERROR_MEMORY)
      return status;
    if (status != WY_OK || point < 0 || point >= points)
      break;
    places[point] = place;
    at += sizeof first + first.bytes + sizeof(uint64_t);
    *whole = at;
  }
  return WY_OK;
}
