/* SPDX-License-Identifier: MIT */
/* What the scripts of the shells have in common. */
#ifndef WY_CLI_COMPLETION_H
#define WY_CLI_COMPLETION_H

#include "cli/verb.h"

enum { WY_SHORT_SIZE = 96 };

/* The first words of a text, up to a dot, semicolon, bracket or default: what a list of options has room for. */
void wy_completion_short(const char *text, char out[WY_SHORT_SIZE]);
/* All words of an argument, with blanks between. */
void wy_completion_words(const wy_argument *argument, FILE *out);
bool wy_completion_has_words(const wy_argument *argument);

void wy_completion_bash(FILE *out);
void wy_completion_zsh(FILE *out);
void wy_completion_fish(FILE *out);

#endif
