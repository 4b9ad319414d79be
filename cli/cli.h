/* SPDX-License-Identifier: MIT */
/* What the verbs of the command share: exit statuses, loading of scenarios. verb.h says what a verb is; its function
   gets argv[0] = its own name and returns the exit status. */
#ifndef WY_CLI_CLI_H
#define WY_CLI_CLI_H

#include <getopt.h>

#include "cli/verb.h"
#include "run/scenario/scenario.h"
#include "run/tree/suggest.h"

enum {
  WY_EXIT_DONE = 0,
  WY_EXIT_FAILED = 1, /* the run failed, was interrupted or gave a wrong result: what was computed is on disk */
  WY_EXIT_INPUT = 2   /* the input is wrong: nothing ran */
};

/* The verbs, one file each; list.c has two. */
extern const wy_verb wy_verb_run, wy_verb_check, wy_verb_list, wy_verb_show, wy_verb_keys, wy_verb_methods;
extern const wy_verb wy_verb_sweep, wy_verb_plot, wy_verb_view, wy_verb_export, wy_verb_compare, wy_verb_converge;
extern const wy_verb wy_verb_reproduce, wy_verb_bench, wy_verb_completion, wy_verb_man;

/* Reads a scenario: a file, or the name of a built-in one where no such file exists. `settings` are the PATH=VALUE of
   --set. `resumed` is the folder of a run that goes on, or NULL: files that the scenario names and that are not there
   any more are taken from it. Returns WY_EXIT_DONE and *out (wy_scenario_destroy frees it), or prints the reason to
   stderr and returns WY_EXIT_INPUT, without memory WY_EXIT_FAILED. */
int wy_cli_load(const char *argument, const char *const *settings, int count, const char *resumed, wy_scenario **out);

/* The name of the built-in scenario closest to `name`, or NULL if none is close. */
const char *wy_cli_closest_builtin(const char *name);

/* The names of the built-in scenarios, counted from 0; NULL after the last one. */
const char *wy_cli_builtin_name(int number);
/* The operand of verbs that take a scenario. */
#define WY_SCENARIO_OPERAND                                                                                            \
  { "SCENARIO", .kind = WY_ARGUMENT_SCENARIO, .word = wy_cli_builtin_name }

#endif
