/* SPDX-License-Identifier: MIT */
/* Definitions of any size are filled and read: withy/definition.h. */
#include "withy/definition.h"

#include "base/message.h"

static wy_def_head head_of(const void *def) {
  wy_def_head head;
  memcpy(&head, def, sizeof head);
  return head;
}

void wy_def_fill(void *def, size_t size, const void *usual) {
  if (!def || !usual || size < sizeof(wy_def_head) || size > WY_DEF_LARGEST)
    return;
  wy_def_head head = head_of(usual);
  memset(def, 0, size);
  memcpy(def, usual, head.size < size ? head.size : size);
  head.size = (uint32_t)size;
  memcpy(def, &head, sizeof head);
}

/* Of newer headers: nothing beyond the members that are known here is used. */
static bool rest_is_zero(const void *def, size_t known, size_t size) {
  for (size_t i = known; i < size; i++)
    if (((const unsigned char *)def)[i])
      return false;
  return true;
}

const void *wy_def_read(const void *def, void *own, const char *name, const char *path, wy_message *message) {
  if (!def || !own || !name || !path) {
    wy_fail_missing(message, !def ? "def" : !own ? "own" : name ? "path" : "name");
    return NULL;
  }
  const wy_def_head given = head_of(def), known = head_of(own);
  if (given.cookie != known.cookie || given.size < sizeof given || given.size > WY_DEF_LARGEST) {
    wy_fail_at(message, path, "the definition was not made by wy_default_%s_def of this version", name);
    return NULL;
  }
  if (given.size == known.size)
    return def;
  if (!rest_is_zero(def, known.size, given.size)) {
    wy_fail_at(message, path,
               "the definition uses members of a newer version of withy: found %u bytes; expected %u, or zeros beyond",
               (unsigned)given.size, (unsigned)known.size);
    return NULL;
  }
  const size_t size = given.size < known.size ? given.size : known.size;
  memcpy((char *)own + sizeof given, (const char *)def + sizeof given, size - sizeof given);
  return own;
}

const void *wy_def_read_at(const void *array, int index, void *own, const char *name, const char *path,
                           wy_message *message) {
  const void *def = wy_def_at(array, index), *read = wy_def_read(def, own, name, path, message);
  if (read && head_of(def).size != head_of(array).size) {
    wy_fail_at(message, path, "found a definition of %u bytes after one of %u; expected one size in an array",
               (unsigned)head_of(def).size, (unsigned)head_of(array).size);
    return NULL;
  }
  return read;
}
