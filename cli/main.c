/* SPDX-License-Identifier: MIT */
/* The command: finds the verb and runs it. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

enum { MOST_VERBS = 32 };

static int refuse_verb(const char *word) {
  const char *names[MOST_VERBS];
  int count = 0;
  for (; wy_verbs[count] && count < MOST_VERBS; count++)
    names[count] = wy_verbs[count]->name;
  const char *close = wy_suggest(word, names, count);
  if (close)
    fprintf(stderr, "withy: unknown command '%s'; did you mean '%s'?\n", word, close);
  else
    fprintf(stderr, "withy: unknown command '%s'; withy --help lists the commands\n", word);
  return WY_EXIT_INPUT;
}

static int run_verb(int argc, char **argv) {
  if (argc < 2) {
    wy_command_help(stderr);
    return WY_EXIT_INPUT;
  }
  if (strcmp(argv[1], "--version") == 0) {
    printf("withy %s\n", wy_version());
    return WY_EXIT_DONE;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    wy_command_help(stdout);
    return WY_EXIT_DONE;
  }
  const wy_verb *verb = wy_verb_find(argv[1]);
  return verb ? verb->run(argc - 1, argv + 1) : refuse_verb(argv[1]);
}

int main(int argc, char **argv) {
  int status = run_verb(argc, argv);
  const bool before = ferror(stdout); /* long output is written in pieces; the last one may fit */
  const bool last = fflush(stdout) != 0;
  if ((before || last) && status == WY_EXIT_DONE) {
    fprintf(stderr, "withy: standard output: %s\n", last ? strerror(errno) : "a part of it could not be written");
    status = WY_EXIT_FAILED;
  }
  return status;
}
