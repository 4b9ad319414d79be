/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "run/results/h5_making.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static void fail(wy_h5_making *m, int error) {
  if (!m->error)
    m->error = error;
}

bool wy_h5_complete(wy_h5_making *m, const wy_pool *pool) {
  if (pool->failed)
    fail(m, ENOMEM);
  return !m->error;
}

size_t wy_h5_type_size(wy_h5_type type) {
  static const size_t sizes[] = {[WY_H5_DOUBLE] = sizeof(double),
                                 [WY_H5_FLOAT] = sizeof(float),
                                 [WY_H5_INT] = sizeof(int32_t),
                                 [WY_H5_INT64] = sizeof(int64_t),
                                 [WY_H5_TEXT] = sizeof(char *)};
  return sizes[type];
}

/* ---- Objects ---- */

/* The object of a name in a group, whose place in the table is *bucket; NULL where there is none yet. */
static wy_h5_object *find(wy_h5_making *m, const wy_h5_object *parent, const char *name, size_t length,
                          wy_h5_object ***bucket) {
  const uint64_t hash = wy_hash(wy_hash(WY_HASH_START, &parent, sizeof parent), name, length);
  *bucket = &m->buckets[hash % WY_H5_BUCKETS];
  wy_h5_object *object = **bucket;
  while (object && (object->parent != parent || strncmp(object->name, name, length) != 0 || object->name[length]))
    object = object->next_in_bucket;
  return object;
}

static wy_h5_object *add_object(wy_h5_making *m, wy_h5_object *parent, const char *name, size_t length,
                                wy_h5_object **bucket) {
  wy_h5_object *object = wy_pool_take(&m->pool, sizeof *object);
  char *copy = wy_pool_copy(&m->pool, name, length);
  if (!wy_h5_complete(m, &m->pool))
    return NULL;
  object->name = copy;
  object->parent = parent;
  object->attributes_end = &object->attributes;
  if (parent) {
    object->next_child = parent->children;
    parent->children = object;
    parent->child_count += 1;
    object->next_in_bucket = *bucket;
    *bucket = object;
  }
  return object;
}

/* The object at a path, with the groups above it; *made tells whether it is new. */
static wy_h5_object *reach(wy_h5_making *m, const char *path, bool *made) {
  wy_h5_object *object = m->root;
  *made = false;
  while (!m->error && object && *path) {
    const size_t length = strcspn(path, "/");
    wy_h5_object **bucket, *group = object;
    if (group->is_dataset)
      fail(m, -1);
    if (length > 0 && !m->error) {
      object = find(m, group, path, length, &bucket);
      *made = !object;
      if (!object)
        object = add_object(m, group, path, length, bucket);
    }
    path += length + (path[length] == '/');
  }
  return m->error ? NULL : object;
}

wy_h5_object *wy_h5_group(wy_h5_making *m, const char *path) {
  bool made;
  return reach(m, path, &made);
}

/* ---- Attributes ---- */

/* Puts copies of the texts in their places; the number of the first. */
static size_t add_texts(wy_h5_making *m, uint64_t count, const char **texts) {
  const size_t first = m->text_count;
  for (uint64_t i = 0; i < count && !m->error; i++) {
    const size_t length = strlen(texts[i]);
    wy_h5_text_made *made = wy_pool_take(&m->pool, sizeof *made);
    const char *copy = wy_pool_copy(&m->pool, texts[i], length);
    if (!wy_h5_complete(m, &m->pool))
      return first;
    *made = (wy_h5_text_made){.text = copy, .length = length};
    texts[i] = copy;
    *m->texts_end = made;
    m->texts_end = &made->next;
    m->text_count += 1;
  }
  return first;
}

void wy_h5_attributes(wy_h5_making *m, wy_h5_object *object, const char *name, wy_h5_type type, uint64_t count,
                      const void *value) {
  if (m->error || !object)
    return;
  const uint64_t values = count ? count : 1;
  const size_t size = (size_t)values * wy_h5_type_size(type);
  wy_h5_attribute_made *made = wy_pool_take(&m->pool, sizeof *made);
  char *own_name = wy_pool_copy(&m->pool, name, strlen(name));
  void *own = wy_pool_take(&m->pool, size);
  if (!wy_h5_complete(m, &m->pool))
    return;
  memcpy(own, value, size);
  *made = (wy_h5_attribute_made){.name = own_name, .type = type, .count = count, .value = own};
  if (type == WY_H5_TEXT)
    made->first_text = add_texts(m, values, own);
  *object->attributes_end = made;
  object->attributes_end = &made->next;
}

void wy_h5_attribute(wy_h5_making *m, wy_h5_object *object, const char *name, wy_h5_type type, const void *value) {
  wy_h5_attributes(m, object, name, type, 0, value);
}

void wy_h5_text(wy_h5_making *m, wy_h5_object *object, const char *name, const char *text) {
  wy_h5_attribute(m, object, name, WY_H5_TEXT, &text);
}

/* ---- Datasets ---- */

uint64_t wy_h5_dataset(wy_h5_making *m, const char *path, int rank, const uint64_t *size, wy_h5_type type,
                       const void *content) {
  bool made;
  wy_h5_object *set = reach(m, path, &made);
  if (!set)
    return 0;
  if (!made) /* there is something of that name */
    fail(m, -1);
  set->is_dataset = true;
  set->type = type;
  set->rank = rank;
  set->bytes = wy_h5_type_size(type);
  for (int i = 0; i < rank; i++) {
    set->size[i] = size[i];
    set->bytes *= size[i];
  }
  set->offset = m->end;
  m->end += (set->bytes + 7) / 8 * 8;
  if (content && !m->error && set->bytes > 0)
    fail(m, wy_file_write_at(m->file, content, (size_t)set->bytes, set->offset));
  return set->bytes > 0 ? set->offset : 0;
}

/* ---- The file ---- */

void wy_h5_open(wy_h5_making *m, const char *path) {
  *m = (wy_h5_making){.end = WY_H5_HEAD};
  m->texts_end = &m->texts;
  m->root = add_object(m, NULL, "", 0, NULL);
  m->file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (m->file < 0)
    fail(m, errno);
}

/* The superblock comes last: a file without it is none. */
void wy_h5_close_making(wy_h5_making *m) {
  wy_text text = {0};
  unsigned char head[WY_H5_HEAD];
  if (!m->error && !wy_h5_describe(m, &text, head))
    fail(m, -1);
  if (text.failed)
    m->error = ENOMEM;
  if (!m->error)
    fail(m, wy_file_write_at(m->file, text.data, text.length, m->end));
  if (!m->error)
    fail(m, wy_h5_seal(m->file, head, m->end, text.data, text.length));
  if (!m->error)
    fail(m, wy_file_write_at(m->file, head, sizeof head, 0));
  if (m->file >= 0 && close(m->file) != 0)
    fail(m, errno);
  wy_text_free(&text);
  wy_pool_release(&m->pool);
}
