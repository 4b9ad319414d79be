/* SPDX-License-Identifier: MIT */
/* The numbers of the 3D page as text: little endian bytes, deflated, in base 64, straight into the file. */
#define ZLIB_CONST
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "draw/scene/run.h"
#include "run/results/file.h"

enum { LEVEL = 6, PIECE = 1 << 16 };

typedef struct stream {
  FILE *out;
  z_stream deflater;
  unsigned char rest[3]; /* bytes that are not written yet: less than three */
  int rest_count;
} stream;

/* ---- Base 64 ---- */

static void put_group(FILE *out, const unsigned char in[3], int count) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  unsigned bits = (unsigned)in[0] << 16 | (unsigned)in[1] << 8 | in[2];
  char text[4];
  for (int i = 0; i < 4; i++)
    text[i] = i <= count ? digits[bits >> (18 - 6 * i) & 63] : '=';
  fwrite(text, 1, sizeof text, out);
}

static void put_bytes(stream *to, const unsigned char *bytes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    to->rest[to->rest_count++] = bytes[i];
    if (to->rest_count == 3) {
      put_group(to->out, to->rest, 3);
      to->rest_count = 0;
    }
  }
}

static void put_end(stream *to) {
  for (int i = to->rest_count; i < 3; i++)
    to->rest[i] = 0;
  if (to->rest_count > 0)
    put_group(to->out, to->rest, to->rest_count);
}

/* ---- Deflate ---- */

static void deflate_bytes(stream *to, const void *bytes, size_t count, int flush) {
  unsigned char piece[PIECE];
  const unsigned char *from = bytes;
  do {
    uInt now = count < PIECE ? (uInt)count : PIECE;
    bool last = now == count;
    to->deflater.next_in = from;
    to->deflater.avail_in = now;
    do {
      to->deflater.next_out = piece;
      to->deflater.avail_out = PIECE;
      deflate(&to->deflater, last ? flush : Z_NO_FLUSH);
      put_bytes(to, piece, PIECE - to->deflater.avail_out);
    } while (to->deflater.avail_out == 0);
    from += now;
    count -= now;
  } while (count > 0);
}

/* ---- Numbers ---- */

static void write_plain(stream *to, const double *numbers, size_t count, wy_scene_type type) {
  unsigned char bytes[8 * 1024];
  size_t size = type == WY_SCENE_F64 ? 8 : 4, at = 0;
  for (size_t i = 0; i < count; i++) {
    uint64_t bits = 0;
    uint32_t single_bits = 0;
    float single = (float)numbers[i];
    memcpy(&bits, &numbers[i], sizeof bits);
    memcpy(&single_bits, &single, sizeof single_bits);
    bits = size == 8 ? bits : single_bits;
    for (size_t b = 0; b < size; b++)
      bytes[at++] = (unsigned char)(bits >> (8 * b) & 255);
    if (at == sizeof bytes || i == count - 1) {
      deflate_bytes(to, bytes, at, Z_NO_FLUSH);
      at = 0;
    }
  }
}

/* A number as 16 bits: what is left of it after shift and scale. */
static uint16_t round_number(const wy_scene_array *array, double value, int component) {
  double scale = array->scale[component];
  double number = scale > 0 ? rint((value - array->shift[component]) / scale) : 0;
  if (array->type == WY_SCENE_I16)
    return (uint16_t)(int16_t)fmax(-32767, fmin(32767, number));
  return (uint16_t)fmax(0, fmin(65535, number));
}

/* 16-bit numbers, as differences to the snapshot before: their low bytes go out at once, the high ones are kept until
   all snapshots have passed. */
typedef struct halves {
  uint16_t *before;    /* [values] */
  unsigned char *low;  /* [values] */
  unsigned char *high; /* [snapshots][values] */
} halves;

static void write_rounded(stream *to, const wy_scene_array *array, const double *numbers, int snapshot, halves *work) {
  unsigned char *high = work->high + (size_t)snapshot * array->values;
  for (size_t i = 0, c = 0; i < array->values; i++) {
    uint16_t number = round_number(array, numbers[i], (int)c);
    uint16_t difference = (uint16_t)(number - work->before[i]);
    work->before[i] = number;
    work->low[i] = (unsigned char)(difference & 255);
    high[i] = (unsigned char)(difference >> 8);
    c = c + 1 == (size_t)array->components ? 0 : c + 1;
  }
  deflate_bytes(to, work->low, array->values, Z_NO_FLUSH);
}

static wy_status write_array(const wy_scene_run *run, stream *to, const wy_scene_array *array, wy_message *message) {
  bool rounded = array->type == WY_SCENE_U16 || array->type == WY_SCENE_I16;
  size_t all = (size_t)array->snapshots * array->values, size = array->type == WY_SCENE_F64 ? 8 : rounded ? 2 : 4;
  wy_scene_reader reader = wy_scene_begin(run, array);
  halves work = {0};
  int count = 0, at = 0;
  if (rounded)
    work = (halves){calloc(array->values + 1, sizeof *work.before), calloc(array->values + 1, 1), calloc(all + 1, 1)};
  bool room = !rounded || (work.before && work.low && work.high);
  while (room && (count = wy_scene_next(&reader, message)) > 0 && !ferror(to->out)) {
    for (int k = 0; rounded && k < count; k++)
      write_rounded(to, array, reader.numbers + (size_t)k * array->values, at + k, &work);
    if (!rounded)
      write_plain(to, reader.numbers, (size_t)count * array->values, array->type);
    at += count;
  }
  if (rounded && room)
    deflate_bytes(to, work.high, all, Z_NO_FLUSH);
  static const unsigned char zero[8] = {0};
  deflate_bytes(to, zero, (8 - all * size % 8) % 8, Z_NO_FLUSH);
  free(work.before);
  free(work.low);
  free(work.high);
  wy_scene_end(&reader);
  if (!room)
    return wy_memory_failed(message);
  return count < 0 ? WY_ERROR_INPUT : WY_OK;
}

wy_status wy_scene_data(const wy_scene_run *run, FILE *out, wy_message *message) {
  stream to = {.out = out};
  if (deflateInit(&to.deflater, LEVEL) != Z_OK)
    return wy_results_fail(message, WY_ERROR_MEMORY, "out of memory");
  wy_status status = WY_OK;
  for (const wy_scene_array *array = run->first; array && status == WY_OK; array = array->next)
    status = write_array(run, &to, array, message);
  deflate_bytes(&to, "", 0, Z_FINISH);
  put_end(&to);
  deflateEnd(&to.deflater);
  return status;
}
