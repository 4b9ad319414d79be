/* SPDX-License-Identifier: MIT */
#include "run/scenario/distances.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "run/scenario/reader.h"

static const char title[] = "withy distances 1\n";
static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Bytes of what stands before the values: three numbers of points, origin and steps. */
enum { HEAD = 3 * 4 + 6 * 8 };

/* ---- Out ---- */

/* Bytes, the lowest of a number first, on their way into base 64. */
typedef struct writer {
  char *at;
  uint32_t bits;
  int count;
} writer;

static void put_number(writer *out, uint64_t number, int bytes) {
  for (int k = 0; k < bytes; k++) {
    out->bits = out->bits << 8 | (uint32_t)(number >> 8 * k & 255);
    if (++out->count % 3)
      continue;
    for (int shift = 18; shift >= 0; shift -= 6)
      *out->at++ = digits[out->bits >> shift & 63];
    out->bits = 0;
  }
}

static void put_double(writer *out, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  put_number(out, bits, 8);
}

static size_t count_of(const wy_distance_grid *grid) {
  return (size_t)grid->points[0] * (size_t)grid->points[1] * (size_t)grid->points[2];
}

char *wy_grid_write(const wy_distance_grid *grid) {
  const size_t count = count_of(grid), bytes = HEAD + 4 * count;
  char *text = malloc(sizeof title + (bytes + 2) / 3 * 4);
  if (!text)
    return NULL;
  memcpy(text, title, sizeof title);
  writer out = {.at = text + sizeof title - 1};
  for (int k = 0; k < 3; k++)
    put_number(&out, (uint64_t)grid->points[k], 4);
  for (int k = 0; k < 6; k++)
    put_double(&out, k < 3 ? grid->origin[k] : grid->step[k - 3]);
  for (size_t i = 0; i < count; i++) {
    uint32_t bits;
    memcpy(&bits, &grid->values[i], sizeof bits);
    put_number(&out, bits, 4);
  }
  if (out.count % 3)
    put_number(&out, 0, 3 - out.count % 3);
  *out.at = '\0';
  return text;
}

/* ---- In ---- */

typedef struct scanner {
  const char *at;
  unsigned char bytes[3];
  int left; /* of them */
} scanner;

/* What is no digit counts as 0: the length of the text has been looked at. */
static unsigned char next_byte(scanner *in) {
  if (in->left == 0) {
    uint32_t bits = 0;
    for (int k = 0; k < 4; k++) {
      const char *digit = strchr(digits, *in->at++);
      bits = bits << 6 | (digit ? (uint32_t)(digit - digits) & 63 : 0);
    }
    for (int k = 0; k < 3; k++)
      in->bytes[k] = (unsigned char)(bits >> (16 - 8 * k));
    in->left = 3;
  }
  return in->bytes[3 - in->left--];
}

static uint64_t next_number(scanner *in, int bytes) {
  uint64_t number = 0;
  for (int k = 0; k < bytes; k++)
    number |= (uint64_t)next_byte(in) << 8 * k;
  return number;
}

static double next_double(scanner *in) {
  const uint64_t bits = next_number(in, 8);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

int wy_grid_read_head(const char *text, wy_distance_grid *out) {
  const size_t begin = sizeof title - 1, length = strlen(text);
  if (length < begin + HEAD / 3 * 4 || memcmp(text, title, begin) != 0)
    return 0;
  scanner in = {.at = text + begin};
  double count = 1;
  for (int k = 0; k < 3; k++) {
    const uint64_t points = next_number(&in, 4);
    out->points[k] = points <= WY_GRID_MOST ? (int)points : 0;
    count *= out->points[k];
  }
  for (int k = 0; k < 6; k++)
    *(k < 3 ? &out->origin[k] : &out->step[k - 3]) = next_double(&in);
  if (!(count >= 1 && count <= WY_GRID_MOST) || length != begin + (HEAD + 4 * (size_t)count + 2) / 3 * 4)
    return 0;
  return (int)count;
}

void wy_grid_read_values(const char *text, int count, float *values) {
  scanner in = {.at = text + sizeof title - 1};
  for (int k = 0; k < HEAD; k++)
    next_byte(&in);
  for (int i = 0; i < count; i++) {
    const uint32_t bits = (uint32_t)next_number(&in, 4);
    memcpy(&values[i], &bits, sizeof bits);
  }
}

/* ---- Of a scenario ---- */

void wy_read_grid(wy_reader *r, const wy_node *node, wy_distance_grid *out) {
  const char *path = "", *text = node ? wy_read_grid_text(r, node, &path) : NULL;
  if (r->failed || !text)
    return;
  const int count = wy_grid_read_head(text, out);
  float *values = count ? wy_read_take(r, (size_t)count * sizeof *values) : NULL;
  if (count == 0)
    wy_read_fail(r, node, "%s: found another text; expected one that wy_distance_file has made of a file", path);
  if (r->failed)
    return;
  wy_grid_read_values(text, count, values);
  out->values = values;
}
