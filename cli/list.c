/* SPDX-License-Identifier: MIT */
/* The verbs list and show: the built-in scenarios. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "run/tree/yaml.h"
#include "scenes/builtin.h"

static int enter_list(int argc, char **argv);
static int enter_show(int argc, char **argv);

const wy_verb wy_verb_list = {
    .name = "list",
    .summary = "list the built-in scenarios, one line each",
    .text = "Prints the built-in scenarios, one line each: name and title. `withy run NAME` runs a scenario, `withy "
            "show NAME` prints its YAML.\n",
    .exits = {"done", "standard output cannot be written", "an operand or an option is wrong"},
    .run = enter_list,
};

/* The scenarios, then the tables that they name. */
static const char *shown_name(int number) {
  const int table = number - wy_builtin_scenario_count;
  return table < 0                       ? wy_builtin_scenarios[number].name
         : table < wy_builtin_file_count ? wy_builtin_files[table].name
                                         : NULL;
}

const wy_verb wy_verb_show = {
    .name = "show",
    .summary = "print the YAML of a built-in scenario, to copy and change",
    .operands = {{.name = "NAME", .word = shown_name}},
    .text = "Prints the YAML of a built-in scenario, to copy and change:\n"
            "$ withy show rubber-pendulum > mine.yaml\n"
            "NAME may also be a table that one of them names: hose-path.csv.\n",
    .exits = {"done", "standard output cannot be written", "there is no such scenario"},
    .run = enter_show,
};

/* The first line of the title, copied; "" where there is none. */
static void find_title(const char *text, char *out, size_t size) {
  wy_pool pool = {0};
  wy_yaml_error error;
  const wy_node *root = wy_yaml_read(&pool, text, &error);
  const wy_node *title = wy_yaml_find(root, "title");
  snprintf(out, size, "%s", title && title->kind == WY_SCALAR ? title->text : "");
  out[strcspn(out, "\n")] = '\0';
  wy_pool_release(&pool);
}

/* Reads options of a verb that has none; the number of operands must be `operands`. -1: go on. */
static int read_operands(int argc, char **argv, const wy_verb *verb, int operands) {
  int option = wy_verb_option(argc, argv, verb);
  if (option == WY_OPTION_HELP)
    return WY_EXIT_DONE;
  if (option == WY_OPTION_WRONG)
    return WY_EXIT_INPUT;
  if (argc - optind != operands)
    return wy_verb_usage(verb, "found %d operands; expected %d", argc - optind, operands);
  return -1;
}

static int enter_list(int argc, char **argv) {
  int stop = read_operands(argc, argv, &wy_verb_list, 0);
  if (stop >= 0)
    return stop;
  for (int i = 0; i < wy_builtin_scenario_count; i++) {
    char title[200];
    find_title(wy_builtin_scenarios[i].text, title, sizeof title);
    printf("%-34s %s\n", wy_builtin_scenarios[i].name, title);
  }
  return WY_EXIT_DONE;
}

static int enter_show(int argc, char **argv) {
  int stop = read_operands(argc, argv, &wy_verb_show, 1);
  if (stop >= 0)
    return stop;
  const char *name = argv[optind];
  for (int i = 0; i < wy_builtin_scenario_count; i++)
    if (strcmp(wy_builtin_scenarios[i].name, name) == 0) {
      fputs(wy_builtin_scenarios[i].text, stdout);
      return WY_EXIT_DONE;
    }
  for (int i = 0; i < wy_builtin_file_count; i++)
    if (strcmp(wy_builtin_files[i].name, name) == 0) {
      fputs(wy_builtin_files[i].text, stdout);
      return WY_EXIT_DONE;
    }
  const char *close = wy_cli_closest_builtin(name);
  if (close)
    fprintf(stderr, "withy: unknown scenario '%s'; did you mean '%s'?\n", name, close);
  else
    fprintf(stderr, "withy: unknown scenario '%s'; withy list shows the names\n", name);
  return WY_EXIT_INPUT;
}
