/* SPDX-License-Identifier: MIT */
/* The help of a verb and of the command, printed from their descriptions. */
#include <string.h>

#include "cli/verb.h"

enum { WIDTH = 100, MOST_LEFT = 30, SHORT_USAGE = 5 /* as many options stand in the line of usage */ };

/* ---- lines that are broken ---- */

/* The end of a word: what stands in `...` is one. */
static const char *end_of_word(const char *text, const char *end) {
  bool quoted = false;
  for (; text < end && (quoted || *text != ' '); text++)
    quoted = quoted != (*text == '`');
  return text;
}

/* Prints words up to `end` from column `at` on; further lines begin in column `indent`. */
static void wrap(FILE *out, const char *text, const char *end, int at, int indent) {
  bool first = true;
  while (text < end && *text == ' ')
    text++;
  while (text < end) {
    const char *stop = end_of_word(text, end);
    const int length = (int)(stop - text);
    if (!first && at + 1 + length > WIDTH) {
      fprintf(out, "\n%*s", indent, "");
      at = indent;
    } else if (!first) {
      fputc(' ', out);
      at++;
    }
    fprintf(out, "%.*s", length, text);
    at += length;
    first = false;
    for (text = stop; text < end && *text == ' ';)
      text++;
  }
  fputc('\n', out);
}

static const char *end_of_line(const char *line) {
  return line + strcspn(line, "\n");
}

/* Length of NAME where the line is "- NAME: text", else -1. */
static int row_name(const char *line) {
  const char *colon = strncmp(line, "- ", 2) == 0 ? strstr(line, ": ") : NULL;
  return colon && colon < end_of_line(line) ? (int)(colon - line) - 2 : -1;
}

/* The longest name of the table that begins here. */
static int longest_name(const char *line) {
  int longest = 0, length;
  while ((length = row_name(line)) >= 0) {
    longest = length > longest ? length : longest;
    line = end_of_line(line);
    line += *line == '\n';
  }
  return longest;
}

static void print_text(FILE *out, const char *text) {
  int column = -1;
  for (const char *line = text; *line;) {
    const char *end = end_of_line(line);
    const int name = row_name(line);
    if (name < 0)
      column = -1;
    else if (column < 0)
      column = longest_name(line) + 4;
    if (name >= 0) {
      fprintf(out, "  %.*s%*s", name, line + 2, column - 2 - name, "");
      wrap(out, line + 2 + name + 2, end, column, column);
    } else if (strncmp(line, "$ ", 2) == 0) {
      fprintf(out, "  %.*s\n", (int)(end - line) - 2, line + 2);
    } else {
      wrap(out, line, end, 0, 0);
    }
    line = *end ? end + 1 : end;
  }
}

/* ---- a verb ---- */

static int count_options(const wy_verb *verb) {
  int count = 0;
  while (verb->options[count].name)
    count++;
  return count;
}

static void print_usage_option(const wy_option *option, FILE *out) {
  fprintf(out, option->required ? " --%s" : " [--%s", option->name);
  if (option->argument.name)
    fprintf(out, " %s", option->argument.name);
  fprintf(out, "%s%s", option->required ? "" : "]", option->many ? "..." : "");
}

void wy_verb_print_usage(const wy_verb *verb, FILE *out) {
  const bool is_short = count_options(verb) <= SHORT_USAGE;
  fprintf(out, "usage: withy %s", verb->name);
  for (const wy_argument *operand = verb->operands; operand->name; operand++)
    fprintf(out, " %s", operand->name);
  for (const wy_option *o = verb->options; o->name; o++)
    if (is_short || o->required)
      print_usage_option(o, out);
  fputs(is_short ? "" : " [OPTION]...", out);
}

/* "  -o, --output DIR" */
static int option_head(const wy_option *option, char *out, size_t size) {
  char letter[5] = "    ";
  if (wy_option_has_letter(option))
    snprintf(letter, sizeof letter, "-%c, ", (char)option->code);
  return snprintf(out, size, "  %s--%s%s%s", letter, option->name, option->argument.name ? " " : "",
                  option->argument.name ? option->argument.name : "");
}

static void print_option(const wy_option *option, int column, FILE *out) {
  char head[80];
  const int length = option_head(option, head, sizeof head);
  fputs(head, out);
  if (length + 2 > column)
    fputc('\n', out);
  fprintf(out, "%*s", length + 2 > column ? column : column - length, "");
  wrap(out, option->text, option->text + strlen(option->text), column, column);
}

static void print_options(const wy_verb *verb, FILE *out) {
  char head[80];
  int column = option_head(&wy_option_help, head, sizeof head);
  for (const wy_option *o = verb->options; o->name; o++) {
    const int length = option_head(o, head, sizeof head);
    column = length > column && length <= MOST_LEFT ? length : column;
  }
  fputs("\noptions:\n", out);
  for (const wy_option *o = verb->options; o->name; o++)
    print_option(o, column + 2, out);
  print_option(&wy_option_help, column + 2, out);
}

static void print_exits(const wy_verb *verb, FILE *out) {
  fputs("\nExit status:\n", out);
  for (int i = 0; i < WY_EXITS; i++)
    if (verb->exits[i]) {
      fprintf(out, "  %d  ", i);
      wrap(out, verb->exits[i], verb->exits[i] + strlen(verb->exits[i]), 5, 5);
    }
}

static void print_notes(const wy_verb *verb, FILE *out) {
  if (verb->notes) {
    fputc('\n', out);
    print_text(out, verb->notes);
  }
}

void wy_verb_help(const wy_verb *verb, FILE *out) {
  wy_verb_print_usage(verb, out);
  fputs("\n\n", out);
  print_text(out, verb->text);
  print_options(verb, out);
  print_exits(verb, out);
  print_notes(verb, out);
}

/* ---- the command ---- */

/* "run SCENARIO" */
static int verb_head(const wy_verb *verb, char *out, size_t size) {
  int length = snprintf(out, size, "%s", verb->name);
  for (const wy_argument *operand = verb->operands; operand->name; operand++)
    length += snprintf(out + length, size - (size_t)length, " %s", operand->name);
  return length;
}

static void print_verbs(FILE *out) {
  char head[80];
  int column = 0;
  for (int i = 0; wy_verbs[i]; i++) {
    const int length = verb_head(wy_verbs[i], head, sizeof head);
    column = length > column ? length : column;
  }
  fputs("\ncommands:\n", out);
  for (int i = 0; wy_verbs[i]; i++) {
    verb_head(wy_verbs[i], head, sizeof head);
    fprintf(out, "  %-*s  %s\n", column, head, wy_verbs[i]->summary);
  }
}

void wy_command_help(FILE *out) {
  fputs("usage: withy COMMAND [OPTION]... [OPERAND]...\n\n", out);
  print_text(out, wy_whole_command.text);
  print_verbs(out);
  fputs("\nwithy COMMAND --help   explains a command\n"
        "withy --version        prints the version\n",
        out);
  print_exits(&wy_whole_command, out);
}
