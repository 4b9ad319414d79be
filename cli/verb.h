/* SPDX-License-Identifier: MIT */
/* A verb of the command, told once: its help, its manual page, the completion of shells and what getopt_long reads are
   all made of its wy_verb. A new verb is a file of cli/ with a wy_verb and its function, and a line in verbs.c. */
#ifndef WY_CLI_VERB_H
#define WY_CLI_VERB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { WY_MOST_OPERANDS = 3, WY_MOST_OPTIONS = 24, WY_EXITS = 3 };

/* Codes of options without a letter start here. */
enum { WY_LONG_ONLY = 256 };

/* Which files a shell offers for an argument. */
typedef enum wy_argument_kind {
  WY_ARGUMENT_TEXT,     /* none */
  WY_ARGUMENT_FILE,     /* all */
  WY_ARGUMENT_SCENARIO, /* those that end in .yaml, .yml or .json */
  WY_ARGUMENT_FOLDER    /* folders */
} wy_argument_kind;

/* What an option takes, or an operand. */
typedef struct wy_argument {
  const char *name; /* for people: "DIR". An operand may be "[NAME]", which may be left out, or "DIR...", one or more */
  wy_argument_kind kind;
  const char *words;               /* what shells offer beside files, with blanks between: "tubes lines"; may be NULL */
  const char *(*word)(int number); /* further words, counted from 0, NULL after the last one; may be NULL */
} wy_argument;

typedef struct wy_option {
  int code;             /* what wy_verb_option returns: a letter that users may write, -o, or WY_LONG_ONLY and above */
  const char *name;     /* without --; NULL ends the options */
  wy_argument argument; /* without a name: the option takes none */
  bool required, many;  /* it must be given; it may be given several times */
  const char *text;     /* what it does, a sentence without the dot at its end */
} wy_option;

/* Texts are lines. A plain line is a paragraph, broken where it is printed. "- NAME: text" is a line of a table,
   "$ line" is printed as it is, an empty line stays empty. `word` is a command or a name. */
typedef struct wy_verb {
  const char *name;
  const char *summary; /* for the list of verbs, without a dot */
  wy_argument operands[WY_MOST_OPERANDS + 1];
  const char *text;
  wy_option options[WY_MOST_OPTIONS + 1];
  const char *exits[WY_EXITS]; /* what each exit status means, the first is that of 0; NULL: there is none */
  const char *notes;           /* at the end; may be NULL */
  int (*run)(int argc, char **argv);
} wy_verb;

/* All verbs in the order of `withy --help`, NULL after the last one. */
extern const wy_verb *const wy_verbs[];
/* NULL where there is none. */
const wy_verb *wy_verb_find(const char *name);
/* What `withy --help` says of the command as a whole. */
extern const wy_verb wy_whole_command;

/* ---- for verbs ---- */

/* getopt_long for a verb, with -h/--help added and messages of our own on stderr. Returns the code of an option, whose
   argument is in optarg, -1 after the last one, or WY_OPTION_HELP (help was printed to stdout: return WY_EXIT_DONE) or
   WY_OPTION_WRONG (an error was printed: return WY_EXIT_INPUT). Operands follow from argv[optind] on. */
enum { WY_OPTION_HELP = -2, WY_OPTION_WRONG = -3 };
int wy_verb_option(int argc, char **argv, const wy_verb *verb);
/* Prints what is wrong and how the verb is used to stderr, returns WY_EXIT_INPUT. */
int wy_verb_usage(const wy_verb *verb, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- what is made of them ---- */

/* help.c: "usage: withy run SCENARIO ...", without a newline; the whole help. */
void wy_verb_print_usage(const wy_verb *verb, FILE *out);
void wy_verb_help(const wy_verb *verb, FILE *out);
void wy_command_help(FILE *out);

/* The word of that number which a shell offers for an argument, of `words` and `word`; false after the last one. */
bool wy_argument_word(const wy_argument *argument, int number, char *out, size_t size);
/* The operand may be given again and again. */
bool wy_argument_repeats(const wy_argument *operand);
/* The option is also a letter. */
bool wy_option_has_letter(const wy_option *option);
/* The option -h, which all verbs have. */
extern const wy_option wy_option_help;

#endif
