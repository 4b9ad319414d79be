/* SPDX-License-Identifier: MIT */
/* Reading the options of a verb by its description, and the words of its arguments. */
#include "cli/verb.h"

#include <getopt.h>
#include <stdarg.h>
#include <string.h>

#include "cli/cli.h"

const wy_option wy_option_help = {.code = 'h', .name = "help", .text = "print this text"};

bool wy_option_has_letter(const wy_option *option) {
  return option->code < WY_LONG_ONLY;
}

const wy_verb *wy_verb_find(const char *name) {
  for (int i = 0; wy_verbs[i]; i++)
    if (strcmp(wy_verbs[i]->name, name) == 0)
      return wy_verbs[i];
  return NULL;
}

bool wy_argument_repeats(const wy_argument *operand) {
  return operand->name && strstr(operand->name, "...");
}

bool wy_argument_word(const wy_argument *argument, int number, char *out, size_t size) {
  const char *word = argument->words ? argument->words : "";
  for (word += strspn(word, " "); *word && number > 0; number--) {
    word += strcspn(word, " ");
    word += strspn(word, " ");
  }
  if (*word) {
    snprintf(out, size, "%.*s", (int)strcspn(word, " "), word);
    return true;
  }
  word = argument->word ? argument->word(number) : NULL;
  if (word)
    snprintf(out, size, "%s", word);
  return word != NULL;
}

int wy_verb_usage(const wy_verb *verb, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("withy: ", stderr);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  wy_verb_print_usage(verb, stderr);
  fputc('\n', stderr);
  return WY_EXIT_INPUT;
}

static int refuse_option(const char *word, const wy_verb *verb) {
  const char *names[WY_MOST_OPTIONS + 1] = {"help"};
  char name[64];
  int count = 1;
  snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
  for (const wy_option *o = verb->options; o->name; o++)
    names[count++] = o->name;
  const char *close = wy_suggest(name + strspn(name, "-"), names, count);
  if (close)
    wy_verb_usage(verb, "unknown option '%s'; did you mean '--%s'?", name, close);
  else
    wy_verb_usage(verb, "unknown option '%s'", name);
  return WY_OPTION_WRONG;
}

/* For getopt_long; a table without names ends each of them. */
typedef struct wy_getopt {
  struct option names[WY_MOST_OPTIONS + 2];
  char letters[2 * WY_MOST_OPTIONS + 4];
} wy_getopt;

static void add_option(wy_getopt *table, int place, const wy_option *option) {
  const bool takes = option->argument.name != NULL;
  table->names[place] = (struct option){option->name, takes ? required_argument : no_argument, NULL, option->code};
  if (wy_option_has_letter(option)) {
    const size_t length = strlen(table->letters);
    snprintf(table->letters + length, sizeof table->letters - length, "%c%s", option->code, takes ? ":" : "");
  }
}

int wy_verb_option(int argc, char **argv, const wy_verb *verb) {
  wy_getopt table = {.letters = ":"};
  int count = 0;
  add_option(&table, count++, &wy_option_help);
  for (const wy_option *o = verb->options; o->name; o++)
    add_option(&table, count++, o);
  opterr = 0;
  optopt = 0;
  int option = getopt_long(argc, argv, table.letters, table.names, NULL);
  if (option == 'h') {
    wy_verb_help(verb, stdout);
    return WY_OPTION_HELP;
  }
  if (option == ':') {
    wy_verb_usage(verb, "the option '%s' needs a value", argv[optind - 1]);
    return WY_OPTION_WRONG;
  }
  if (option != '?')
    return option;
  bool is_long = strncmp(argv[optind - 1], "--", 2) == 0;
  char letter[3] = {'-', (char)optopt, '\0'};
  return refuse_option(is_long || !optopt ? argv[optind - 1] : letter, verb);
}
