/* The command: one table of verbs. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

static const struct verb {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *operands;
  const char *summary;
} verbs[] = {
    {"run", wy_cli_run, "SCENARIO", "run a scenario: a file, or the name of a built-in one"},
    {"check", wy_cli_check, "SCENARIO", "check a scenario: errors, methods, plausibility of its values"},
    {"list", wy_cli_list, "", "list the built-in scenarios, one line each"},
    {"show", wy_cli_show, "NAME", "print the YAML of a built-in scenario, to copy and change"},
    {"keys", wy_cli_keys, "[PATH]", "print the keys of a scenario file: meanings and examples"},
    {"methods", wy_cli_methods, "", "list schemes and integrators, and their combinations"},
    {"plot", wy_cli_plot, "DIR", "draw pictures of a run"},
    {"view", wy_cli_view, "DIR", "make a page that plays a run in 3D in any browser"},
    {"export", wy_cli_export, "DIR", "write a run for other programs: glb, obj, csv or usda"},
    {"compare", wy_cli_compare, "DIR1 DIR2", "print the differences between two runs"},
    {"reproduce", wy_cli_reproduce, "[NAME]", "repeat published experiments and compare the results"},
    {"bench", wy_cli_bench, "[NAME]", "run the benchmarks"},
};

enum { VERBS = sizeof verbs / sizeof verbs[0], MOST_OPTIONS = 24 };

static void print_help(FILE *out) {
  fputs(
      "usage: withy COMMAND [OPTION]... [OPERAND]...\n\n"
      "withy computes dynamics, statics, vibrations and buckling of slender rods. A scenario (a YAML file) describes\n"
      "the rods, their supports, loads and actuators.\n\n"
      "commands:\n",
      out);
  for (int i = 0; i < VERBS; i++) {
    char left[32];
    snprintf(left, sizeof left, "%s %s", verbs[i].name, verbs[i].operands);
    fprintf(out, "  %-18s %s\n", left, verbs[i].summary);
  }
  fputs("\nwithy COMMAND --help   explains a command\n"
        "withy --version        prints the version\n\n"
        "Exit status:\n"
        "  0  done\n"
        "  1  the run failed, was interrupted, or its result is wrong; the results so far are on disk\n"
        "  2  the input is wrong; nothing was computed\n",
        out);
}

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
  const char *names[VERBS];
  for (int i = 0; i < VERBS; i++)
    names[i] = verbs[i].name;
  const char *close = wy_suggest(word, names, VERBS);
  if (close)
    fprintf(stderr, "withy: unknown command '%s'; did you mean '%s'?\n", word, close);
  else
    fprintf(stderr, "withy: unknown command '%s'; withy --help lists the commands\n", word);
  return WY_EXIT_INPUT;
}

static int run_verb(int argc, char **argv) {
  if (argc < 2) {
    print_help(stderr);
    return WY_EXIT_INPUT;
  }
  if (strcmp(argv[1], "--version") == 0) {
    printf("withy %s\n", wy_version());
    return WY_EXIT_DONE;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    print_help(stdout);
    return WY_EXIT_DONE;
  }
  for (int i = 0; i < VERBS; i++)
    if (strcmp(argv[1], verbs[i].name) == 0)
      return verbs[i].run(argc - 1, argv + 1);
  return refuse_verb(argv[1]);
}

int main(int argc, char **argv) {
  int status = run_verb(argc, argv);
  if (fflush(stdout) != 0 && status == WY_EXIT_DONE) {
    perror("withy: standard output");
    status = WY_EXIT_FAILED;
  }
  return status;
}
