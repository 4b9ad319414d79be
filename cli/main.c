/* The command: finds the verb and runs it. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

enum { MOST_OPTIONS = 24, MOST_VERBS = 32 };

int wy_cli_usage(const char *help, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("withy: ", stderr);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fprintf(stderr, "\n%.*s\n", (int)strcspn(help, "\n"), help);
  return WY_EXIT_INPUT;
}

static int refuse_option(const char *word, const char *help, const struct option *options) {
  const char *names[MOST_OPTIONS + 2];
  char name[64];
  int count = 0;
  snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
  for (; options && options[count].name && count < MOST_OPTIONS; count++)
    names[count] = options[count].name;
  const char *close = wy_suggest(name + strspn(name, "-"), names, count);
  if (close)
    wy_cli_usage(help, "unknown option '%s'; did you mean '--%s'?", name, close);
  else
    wy_cli_usage(help, "unknown option '%s'", name);
  return WY_OPTION_WRONG;
}

int wy_cli_option(int argc, char **argv, const char *help, const char *short_options,
                  const struct option *long_options) {
  struct option all[MOST_OPTIONS + 2] = {{"help", no_argument, NULL, 'h'}};
  char letters[2 * MOST_OPTIONS];
  for (int i = 0; long_options && long_options[i].name && i < MOST_OPTIONS; i++)
    all[i + 1] = long_options[i];
  snprintf(letters, sizeof letters, ":h%s", short_options ? short_options : "");
  opterr = 0;
  optopt = 0;
  int option = getopt_long(argc, argv, letters, all, NULL);
  if (option == 'h') {
    fputs(help, stdout);
    return WY_OPTION_HELP;
  }
  if (option == ':') {
    wy_cli_usage(help, "the option '%s' needs a value", argv[optind - 1]);
    return WY_OPTION_WRONG;
  }
  if (option != '?')
    return option;
  bool is_long = strncmp(argv[optind - 1], "--", 2) == 0;
  char letter[3] = {'-', (char)optopt, '\0'};
  return refuse_option(is_long || !optopt ? argv[optind - 1] : letter, help, all);
}

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
  if (fflush(stdout) != 0 && status == WY_EXIT_DONE) {
    perror("withy: standard output");
    status = WY_EXIT_FAILED;
  }
  return status;
}
