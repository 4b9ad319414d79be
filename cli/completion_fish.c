/* SPDX-License-Identifier: MIT */
/* The script for fish. */
#include "cli/completion.h"

/* In 'quotes'. */
static void print_text(const char *text, FILE *out) {
  char brief[WY_SHORT_SIZE];
  wy_completion_short(text, brief);
  fputs(" -d '", out);
  for (const char *c = brief; *c; c++)
    fprintf(out, *c == '\'' || *c == '\\' ? "\\%c" : "%c", *c);
  fputc('\'', out);
}

/* Files, folders and words. An argument of an option comes after -r. */
static void print_argument(const wy_argument *argument, FILE *out) {
  const bool folders = argument->kind == WY_ARGUMENT_FOLDER;
  fputs(argument->kind == WY_ARGUMENT_TEXT || folders ? " -f" : " -F", out);
  if (!folders && !wy_completion_has_words(argument))
    return;
  fputs(" -a '", out);
  wy_completion_words(argument, out);
  fputs(folders ? " (__fish_complete_directories)'" : "'", out);
}

static void print_option(const wy_verb *verb, const wy_option *option, FILE *out) {
  fprintf(out, "complete -c withy -n '__withy_command %s' -l %s", verb->name, option->name);
  if (wy_option_has_letter(option))
    fprintf(out, " -s %c", option->code);
  if (option->argument.name) {
    fputs(" -r", out);
    print_argument(&option->argument, out);
  }
  print_text(option->text, out);
  fputc('\n', out);
}

static void print_verb(const wy_verb *verb, FILE *out) {
  fprintf(out, "complete -c withy -n __withy_no_command -a %s", verb->name);
  print_text(verb->summary, out);
  fputc('\n', out);
  for (int i = 0; verb->operands[i].name; i++) {
    fprintf(out, "complete -c withy -n '__withy_command %s'", verb->name);
    print_argument(&verb->operands[i], out);
    fputc('\n', out);
  }
  for (const wy_option *o = verb->options; o->name; o++)
    print_option(verb, o, out);
  print_option(verb, &wy_option_help, out);
}

void wy_completion_fish(FILE *out) {
  fputs("# Completion of withy for fish. Made by `withy completion fish`.\n\n"
        "function __withy_no_command\n"
        "    test (count (commandline -opc)) -eq 1\n"
        "end\n\n"
        "function __withy_command\n"
        "    set -l words (commandline -opc)\n"
        "    test (count $words) -gt 1; and test $words[2] = $argv[1]\n"
        "end\n\n"
        "complete -c withy -f\n"
        "complete -c withy -n __withy_no_command -l help -s h -d 'print the help'\n"
        "complete -c withy -n __withy_no_command -l version -d 'print the version'\n",
        out);
  for (int i = 0; wy_verbs[i]; i++)
    print_verb(wy_verbs[i], out);
}
