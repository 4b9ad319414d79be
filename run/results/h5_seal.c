/* SPDX-License-Identifier: MIT */
/* A hash of what describes the datasets of a file, behind the end that the HDF5 library knows. The library trusts what
   it reads: a size that was changed makes it read and write beyond its memory. Programs that change a file by the
   library cut the seal off; the file is then as good as they made it. */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "run/results/h5_making.h"

typedef struct seal {
  uint64_t magic; /* of machines with the same order of bytes */
  uint64_t start, size, hash;
} seal;

#define MAGIC UINT64_C(0x31356c6165736877)

static uint64_t hash_of(const unsigned char head[WY_H5_HEAD], const void *described, size_t size) {
  return wy_hash_words(wy_hash_words(WY_HASH_START, head, WY_H5_HEAD), described, size);
}

int wy_h5_seal(int file, const unsigned char head[WY_H5_HEAD], uint64_t start, const void *described, size_t size) {
  const seal made = {MAGIC, start, size, hash_of(head, described, size)};
  return wy_file_write_at(file, &made, sizeof made, start + size);
}

/* Without memory the library is left to find out. */
bool wy_h5_broken(int file) {
  const off_t end = lseek(file, 0, SEEK_END);
  unsigned char head[WY_H5_HEAD];
  seal found;
  if (end < (off_t)(sizeof head + sizeof found) ||
      wy_file_read_at(file, &found, sizeof found, (uint64_t)end - sizeof found) != 0 || found.magic != MAGIC)
    return false;
  if (found.size > (uint64_t)end || found.start > (uint64_t)end ||
      found.start + found.size + sizeof found != (uint64_t)end)
    return true;
  void *described = malloc((size_t)found.size + 1);
  const bool read = described && wy_file_read_at(file, described, (size_t)found.size, found.start) == 0 &&
                    wy_file_read_at(file, head, sizeof head, 0) == 0;
  const bool broken = read && hash_of(head, described, (size_t)found.size) != found.hash;
  free(described);
  return broken;
}

wy_status wy_h5_look(const char *path, wy_message *message) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  const bool broken = file >= 0 && wy_h5_broken(file);
  if (file >= 0)
    close(file);
  return broken
             ? wy_results_fail(message, WY_ERROR_INPUT, "%s is damaged: what describes its datasets was changed", path)
             : WY_OK;
}
