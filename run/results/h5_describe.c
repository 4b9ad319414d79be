/* SPDX-License-Identifier: MIT */
/* What describes the objects of an HDF5 file, in the first version of its format: heaps of texts, then every group
   behind its children. Numbers are stored with the least significant byte first. */
#include <stdlib.h>
#include <string.h>

#include "run/results/h5_making.h"

/* Of the superblock: a leaf has twice LEAF names, a node of the tree twice NODE children. */
enum { LEAF = 4, NODE = 16, TEXTS_OF_HEAP = 65535, SMALLEST_HEAP = 4096, LARGEST_MESSAGE = 65528 };
#define NOWHERE UINT64_MAX

typedef struct describing {
  const wy_h5_making *m;
  wy_text *out;
  uint64_t *heaps; /* where the heaps of texts are */
  bool failed;     /* something is too large */
} describing;

static uint64_t here(const describing *d) {
  return d->m->end + d->out->length;
}

static void put(wy_text *out, uint64_t value, int bytes) {
  char stored[8];
  for (int i = 0; i < bytes; i++)
    stored[i] = (char)(value >> (8 * i) & 255);
  wy_text_append(out, stored, (size_t)bytes);
}

static void put_zeros(wy_text *out, size_t count) {
  static const char zeros[64];
  for (size_t size; count > 0; count -= size) {
    size = count < sizeof zeros ? count : sizeof zeros;
    wy_text_append(out, zeros, size);
  }
}

/* Zeros up to a multiple of 8 bytes, counted from `start`. */
static void pad(wy_text *out, size_t start) {
  put_zeros(out, (8 - (out->length - start) % 8) % 8);
}

static size_t padded(size_t size) {
  return (size + 7) / 8 * 8;
}

/* Writes a number into bytes that were left for it. */
static void fill_in(wy_text *out, size_t at, uint64_t value, int bytes) {
  for (int i = 0; i < bytes && at + (size_t)bytes <= out->length; i++)
    out->data[at + (size_t)i] = (char)(value >> (8 * i) & 255);
}

/* ---- Types and sizes ---- */

static bool big_endian(void) {
  const uint16_t one = 1;
  unsigned char first;
  memcpy(&first, &one, 1);
  return first == 0;
}

/* Class and version, the bits of the class, size; then for numbers bit offset and precision, for floating point also
   where exponent and mantissa are, with the bias; for texts of any length the type of a character. */
static void put_type(wy_text *out, wy_h5_type type) {
  static const struct {
    unsigned char length, bytes[20];
  } types[] = {[WY_H5_DOUBLE] = {20, {0x11, 0x20, 63, 0, 8, 0, 0, 0, 0, 0, 64, 0, 52, 11, 0, 52, 0xff, 0x03, 0, 0}},
               [WY_H5_FLOAT] = {20, {0x11, 0x20, 31, 0, 4, 0, 0, 0, 0, 0, 32, 0, 23, 8, 0, 23, 0x7f, 0, 0, 0}},
               [WY_H5_INT] = {12, {0x10, 0x08, 0, 0, 4, 0, 0, 0, 0, 0, 32, 0}},
               [WY_H5_INT64] = {12, {0x10, 0x08, 0, 0, 8, 0, 0, 0, 0, 0, 64, 0}},
               [WY_H5_TEXT] = {20, {0x19, 0x01, 0x01, 0, 16, 0, 0, 0, 0x10, 0, 0, 0, 1, 0, 0, 0, 0, 0, 8, 0}}};
  const size_t at = out->length, length = types[type].length;
  wy_text_append(out, (const char *)types[type].bytes, length);
  if (type != WY_H5_TEXT && big_endian())
    fill_in(out, at + 1, types[type].bytes[1] | 1U, 1);
}

/* A single value, or the sizes of an array, which are the largest that it can have. */
static void put_space(wy_text *out, int rank, const uint64_t *size) {
  put(out, 1, 1);
  put(out, (uint64_t)rank, 1);
  put(out, rank > 0, 1);
  put_zeros(out, 5);
  for (int most = 0; most < 2; most++)
    for (int i = 0; i < rank; i++)
      put(out, size[i], 8);
}

/* ---- Messages of an object ---- */

enum { SPACE = 0x1, TYPE = 0x3, FILL = 0x5, PLACE = 0x8, ATTRIBUTE = 0xc, TABLE = 0x11 };

/* Where the message starts. */
static size_t begin_message(describing *d, int kind, bool constant) {
  put(d->out, (uint64_t)kind, 2);
  put(d->out, 0, 2);
  put(d->out, constant, 1);
  put_zeros(d->out, 3);
  return d->out->length;
}

static void end_message(describing *d, size_t start) {
  pad(d->out, start);
  const size_t size = d->out->length - start;
  d->failed |= size > LARGEST_MESSAGE;
  fill_in(d->out, start - 6, size, 2);
}

/* Length of each text, and its number in one of the heaps. */
static void put_texts(describing *d, const wy_h5_attribute_made *attribute) {
  const char *const *texts = attribute->value;
  const uint64_t count = attribute->count ? attribute->count : 1;
  for (uint64_t i = 0; i < count; i++) {
    const size_t number = attribute->first_text + (size_t)i;
    put(d->out, strlen(texts[i]), 4);
    put(d->out, d->heaps[number / TEXTS_OF_HEAP], 8);
    put(d->out, number % TEXTS_OF_HEAP + 1, 4);
  }
}

/* Name, type and size, each up to a multiple of 8 bytes; then the value. */
static void put_attribute(describing *d, const wy_h5_attribute_made *attribute) {
  wy_text *out = d->out;
  const uint64_t count = attribute->count ? attribute->count : 1;
  const size_t start = begin_message(d, ATTRIBUTE, false), name = strlen(attribute->name) + 1;
  const int rank = attribute->count > 0;
  put(out, 1, 2);
  put(out, name, 2);
  put(out, 0, 2);
  put(out, 8 + 16 * (uint64_t)rank, 2);
  wy_text_append(out, attribute->name, name);
  pad(out, start);
  const size_t type = out->length;
  put_type(out, attribute->type);
  fill_in(out, start + 4, out->length - type, 2);
  pad(out, start);
  put_space(out, rank, &attribute->count);
  if (attribute->type == WY_H5_TEXT)
    put_texts(d, attribute);
  else
    wy_text_append(out, attribute->value, (size_t)count * wy_h5_type_size(attribute->type));
  end_message(d, start);
}

/* What comes before the messages; `count` of them are the caller's, attributes follow. */
static size_t begin_object(describing *d, const wy_h5_object *object, int count) {
  uint64_t messages = (uint64_t)count;
  for (const wy_h5_attribute_made *a = object->attributes; a; a = a->next)
    messages++;
  d->failed |= messages > UINT16_MAX;
  put(d->out, 1, 2);
  put(d->out, messages, 2);
  put(d->out, 1, 4); /* it has one name */
  put(d->out, 0, 8); /* filled in at the end */
  return d->out->length;
}

static void end_object(describing *d, const wy_h5_object *object, size_t start) {
  for (const wy_h5_attribute_made *a = object->attributes; a; a = a->next)
    put_attribute(d, a);
  fill_in(d->out, start - 8, d->out->length - start, 4);
}

/* ---- Datasets ---- */

static uint64_t put_dataset(describing *d, const wy_h5_object *set) {
  const uint64_t address = here(d);
  const size_t start = begin_object(d, set, 4);
  size_t message = begin_message(d, SPACE, false);
  put_space(d->out, set->rank, set->size);
  end_message(d, message);
  message = begin_message(d, TYPE, true);
  put_type(d->out, set->type);
  end_message(d, message);
  message = begin_message(d, FILL, true); /* version 2: its place is there, it is never filled, the usual value */
  put(d->out, 0x01010102, 4);
  put(d->out, 0, 4);
  end_message(d, message);
  message = begin_message(d, PLACE, true); /* version 3: contiguous */
  put(d->out, 0x0103, 2);
  put(d->out, set->bytes > 0 ? set->offset : NOWHERE, 8);
  put(d->out, set->bytes, 8);
  end_message(d, message);
  end_object(d, set, start);
  return address;
}

/* ---- Groups ---- */

/* A part of a group's tree: where it is, and its last name, as its place in the heap of names. */
typedef struct branch {
  uint64_t address, last;
} branch;

/* A child: where its name is in the heap, itself, and for groups their tree and heap. */
typedef struct symbol {
  const wy_h5_object *object;
  uint64_t name, address, tree, heap;
} symbol;

/* Of a group: itself, its tree and its heap of names. */
typedef struct described {
  uint64_t address, tree, heap;
} described;

static int compare_names(const void *a, const void *b) {
  const symbol *one = a, *other = b;
  return strcmp(one->object->name, other->object->name);
}

/* The names one after the other; the place 0 is that of the empty name. */
static uint64_t put_names(describing *d, symbol *symbols, size_t count) {
  const uint64_t address = here(d);
  uint64_t size = 8;
  for (size_t i = 0; i < count; i++) {
    symbols[i].name = size;
    size += padded(strlen(symbols[i].object->name) + 1);
  }
  wy_text_append(d->out, "HEAP\0\0\0\0", 8);
  put(d->out, size, 8);
  put(d->out, 1, 8); /* nothing is free */
  put(d->out, address + 32, 8);
  put_zeros(d->out, 8);
  for (size_t i = 0; i < count; i++) {
    const size_t start = d->out->length;
    wy_text_append(d->out, symbols[i].object->name, strlen(symbols[i].object->name) + 1);
    pad(d->out, start);
  }
  return address;
}

static void put_symbol(wy_text *out, const symbol *of) {
  put(out, of->name, 8);
  put(out, of->address, 8);
  put(out, !of->object->is_dataset, 4);
  put(out, 0, 4);
  put(out, of->tree, 8);
  put(out, of->heap, 8);
}

/* A leaf of the tree, which has room for 2*LEAF names. */
static branch put_leaf(describing *d, const symbol *symbols, size_t count) {
  const branch made = {here(d), symbols[count - 1].name};
  wy_text_append(d->out, "SNOD\1\0", 6);
  put(d->out, count, 2);
  for (size_t i = 0; i < count; i++)
    put_symbol(d->out, &symbols[i]);
  put_zeros(d->out, 40 * (2 * LEAF - count));
  return made;
}

/* One level of the tree over `count` branches, which become those of the level: their new number. */
static size_t put_level(describing *d, branch *branches, size_t count, int level) {
  const uint64_t first = here(d), bytes = 24 + 8 * (4 * NODE + 1);
  const size_t nodes = count > 0 ? (count + 2 * NODE - 1) / (2 * NODE) : 1;
  uint64_t last = 0;
  for (size_t node = 0; node < nodes; node++) {
    const size_t from = node * 2 * NODE, left = count - from, own = left < 2 * NODE ? left : 2 * NODE;
    wy_text_append(d->out, "TREE\0", 5);
    put(d->out, (uint64_t)level, 1);
    put(d->out, own, 2);
    put(d->out, node > 0 ? first + (node - 1) * bytes : NOWHERE, 8);
    put(d->out, node + 1 < nodes ? first + (node + 1) * bytes : NOWHERE, 8);
    put(d->out, last, 8);
    for (size_t i = from; i < from + own; i++) {
      put(d->out, branches[i].address, 8);
      put(d->out, last = branches[i].last, 8);
    }
    put_zeros(d->out, 16 * (2 * NODE - own));
    branches[node] = (branch){first + node * bytes, last};
  }
  return nodes;
}

static uint64_t put_tree(describing *d, const symbol *symbols, branch *branches, size_t count) {
  size_t left = 0;
  for (size_t i = 0; i < count; i += 2 * LEAF)
    branches[left++] = put_leaf(d, &symbols[i], count - i < 2 * LEAF ? count - i : 2 * LEAF);
  left = put_level(d, branches, left, 0);
  for (int level = 1; left > 1; level++)
    left = put_level(d, branches, left, level);
  return branches[0].address;
}

static described put_group(describing *d, const wy_h5_object *group) {
  const size_t count = group->child_count;
  described made = {0};
  symbol *symbols = calloc(count + 1, sizeof *symbols);
  branch *branches = calloc(count / (2 * LEAF) + 2, sizeof *branches);
  if (!symbols || !branches) {
    d->out->failed = true;
  } else {
    size_t next = 0;
    for (const wy_h5_object *child = group->children; child; child = child->next_child)
      symbols[next++].object = child;
    qsort(symbols, count, sizeof *symbols, compare_names);
    for (size_t i = 0; i < count; i++) {
      const wy_h5_object *child = symbols[i].object;
      const described of = child->is_dataset ? (described){put_dataset(d, child), 0, 0} : put_group(d, child);
      symbols[i] = (symbol){child, 0, of.address, of.tree, of.heap};
    }
    made.heap = put_names(d, symbols, count);
    made.tree = put_tree(d, symbols, branches, count);
    made.address = here(d);
    const size_t start = begin_object(d, group, 1), message = begin_message(d, TABLE, false);
    put(d->out, made.tree, 8);
    put(d->out, made.heap, 8);
    end_message(d, message);
    end_object(d, group, start);
  }
  free(symbols);
  free(branches);
  return made;
}

/* ---- Texts ---- */

/* Up to TEXTS_OF_HEAP texts with their numbers, from 1 on, then free space; returns the text behind them. */
static const wy_h5_text_made *put_heap(describing *d, const wy_h5_text_made *text) {
  const size_t start = d->out->length;
  wy_text_append(d->out, "GCOL\1\0\0\0", 8);
  put(d->out, 0, 8); /* filled in at the end */
  for (uint64_t number = 1; text && number <= TEXTS_OF_HEAP; number++, text = text->next) {
    put(d->out, number, 8);
    put(d->out, text->length, 8);
    wy_text_append(d->out, text->text, text->length);
    pad(d->out, start);
  }
  const size_t used = d->out->length - start, least = used + 16;
  const size_t size = least > SMALLEST_HEAP ? least : SMALLEST_HEAP;
  put(d->out, 0, 8);
  put(d->out, size - used, 8);
  put_zeros(d->out, size - least);
  fill_in(d->out, start + 8, size, 8);
  return text;
}

/* ---- The file ---- */

static void put_head(const describing *d, const described *root, unsigned char head[WY_H5_HEAD]) {
  wy_text out = {0};
  wy_text_append(&out, "\211HDF\r\n\032\n\0\0\0\0\0\10\10\0", 16);
  put(&out, LEAF, 2);
  put(&out, NODE, 2);
  put(&out, 0, 4);
  put(&out, 0, 8);
  put(&out, NOWHERE, 8);
  put(&out, here(d), 8); /* the end of the file */
  put(&out, NOWHERE, 8);
  put(&out, 0, 8); /* the root has no name */
  put(&out, root->address, 8);
  put(&out, 1, 8);
  put(&out, root->tree, 8);
  put(&out, root->heap, 8);
  if (!out.failed)
    memcpy(head, out.data, WY_H5_HEAD);
  d->out->failed |= out.failed;
  wy_text_free(&out);
}

bool wy_h5_describe(const wy_h5_making *m, wy_text *out, unsigned char head[WY_H5_HEAD]) {
  describing d = {.m = m, .out = out};
  const wy_h5_text_made *text = m->texts;
  d.heaps = calloc(m->text_count / TEXTS_OF_HEAP + 1, sizeof *d.heaps);
  if (!d.heaps) {
    out->failed = true;
    return true;
  }
  for (size_t heap = 0; text; heap++) {
    d.heaps[heap] = here(&d);
    text = put_heap(&d, text);
  }
  const described root = put_group(&d, m->root);
  put_head(&d, &root, head);
  free(d.heaps);
  return !d.failed;
}
