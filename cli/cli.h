/* What the verbs of the command share: their entry points, exit statuses, options with suggestions, loading of
   scenarios. A verb gets argv[0] = its own name and returns the exit status. */
#ifndef WY_CLI_CLI_H
#define WY_CLI_CLI_H

#include <getopt.h>

#include "run/scenario/scenario.h"
#include "run/tree/suggest.h"

enum {
  WY_EXIT_DONE = 0,
  WY_EXIT_FAILED = 1, /* the run failed, was interrupted or gave a wrong result: what was computed is on disk */
  WY_EXIT_INPUT = 2   /* the input is wrong: nothing ran */
};

int wy_cli_run(int argc, char **argv);
int wy_cli_check(int argc, char **argv);
int wy_cli_list(int argc, char **argv);
int wy_cli_show(int argc, char **argv);
int wy_cli_keys(int argc, char **argv);
int wy_cli_methods(int argc, char **argv);
int wy_cli_plot(int argc, char **argv);
int wy_cli_view(int argc, char **argv);
int wy_cli_export(int argc, char **argv);
int wy_cli_compare(int argc, char **argv);
int wy_cli_reproduce(int argc, char **argv);
int wy_cli_bench(int argc, char **argv);

/* getopt_long for a verb, with -h/--help added and messages of our own on stderr. `help` is the verb's complete help
   text: its first line is "usage: withy VERB ...". Returns what getopt_long returns for an option of the verb, -1 after
   the last one, or WY_OPTION_HELP (help was printed to stdout: return WY_EXIT_DONE) or WY_OPTION_WRONG (an error was
   printed: return WY_EXIT_INPUT). Operands follow from argv[optind] on. */
enum { WY_OPTION_HELP = -2, WY_OPTION_WRONG = -3 };
int wy_cli_option(int argc, char **argv, const char *help, const char *short_options,
                  const struct option *long_options);

/* Complains about the wrong number of operands: prints to stderr and returns WY_EXIT_INPUT. */
int wy_cli_usage(const char *help, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Reads a scenario: a file, or the name of a built-in one where no such file exists. `settings` are the PATH=VALUE of
   --set. `resumed` is the folder of a run that goes on, or NULL: files that the scenario names and that are not there
   any more are taken from it. Returns WY_EXIT_DONE and *out (wy_scenario_destroy frees it), or prints the reason to
   stderr and returns WY_EXIT_INPUT, without memory WY_EXIT_FAILED. */
int wy_cli_load(const char *argument, const char *const *settings, int count, const char *resumed, wy_scenario **out);

/* The name of the built-in scenario closest to `name`, or NULL if none is close. */
const char *wy_cli_closest_builtin(const char *name);

#endif
