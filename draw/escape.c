/* SPDX-License-Identifier: MIT */
#include "draw/escape.h"

/* The length of the UTF-8 character that begins here, 1 to 4; 0 where none does. */
static size_t character(const unsigned char *text, size_t length) {
  const unsigned char first = text[0];
  const size_t size = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (size > length)
    return 0;
  for (size_t i = 1; i < size; i++)
    if ((text[i] & 0xc0) != 0x80)
      return 0;
  /* Longer forms of short characters, surrogates, what is beyond the last character. */
  if ((first == 0xe0 && text[1] < 0xa0) || (first == 0xed && text[1] > 0x9f) || (first == 0xf0 && text[1] < 0x90) ||
      (first == 0xf4 && text[1] > 0x8f))
    return 0;
  return size;
}

static void escape_ascii(FILE *out, int c) {
  const char *mark = c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : NULL;
  if (mark)
    fputs(mark, out);
  else
    fputc((c < ' ' && c != '\n' && c != '\t') || c == 0x7f ? ' ' : c, out);
}

void wy_escape(FILE *out, const char *text, size_t length) {
  size_t size = 0;
  while (size < length && text[size])
    size++;
  for (size_t i = 0; i < size;) {
    const size_t next = character((const unsigned char *)text + i, size - i);
    if (next > 1)
      fwrite(text + i, 1, next, out);
    else
      escape_ascii(out, next == 0 ? '?' : text[i]);
    i += next > 0 ? next : 1;
  }
}
