/* SPDX-License-Identifier: MIT */
/* Text between elements of HTML and SVG, or in one of their attributes. */
#ifndef WY_DRAW_ESCAPE_H
#define WY_DRAW_ESCAPE_H

#include <stdio.h>

/* At most `length` bytes of the text. Characters that HTML would read are replaced, control characters become spaces,
   and bytes that are no UTF-8 (a name that was cut off within a character) become question marks. */
void wy_escape(FILE *out, const char *text, size_t length);

#endif
