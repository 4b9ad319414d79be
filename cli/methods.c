/* The verb methods: the matrix scheme x model x integrator, as the library tells it. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

static const char help[] = "usage: withy methods\n\n"
                           "Prints the analyses, and which scheme (how a rod becomes equations), model (what a rod can "
                           "do) and integrator (how the\n"
                           "equations move in time) go together, and why where they do not.\n\n"
                           "options:\n"
                           "  -h, --help   this text\n";

enum { MOST_REASONS = 32 };

static const struct {
  const char *name;
  wy_rod_kind kind;
} models[] = {{"cosserat", WY_COSSERAT}, {"kirchhoff", WY_KIRCHHOFF}, {"inextensible", WY_INEXTENSIBLE}};

/* Reasons are footnotes: the same text has the same number. */
static int footnote(char reasons[MOST_REASONS][256], int *count, const char *text) {
  for (int i = 0; i < *count; i++)
    if (strncmp(reasons[i], text, sizeof reasons[i] - 1) == 0)
      return i + 1;
  if (*count < MOST_REASONS)
    snprintf(reasons[(*count)++], sizeof reasons[0], "%.255s", text);
  return *count;
}

/* The integrators that move with a fixed step. */
static void print_fixed_steps(void) {
  for (int k = 0; wy_integrator_name(k); k++) {
    bool fixed = false;
    for (int i = 0; wy_scheme_name(i); i++)
      fixed = fixed || wy_method_has_fixed_step(wy_scheme_name(i), wy_integrator_name(k));
    if (fixed)
      printf("\n%s moves with a fixed step, solver.step, which must divide time.output; the others adapt their steps "
             "to\nsolver.tolerance.\n",
             wy_integrator_name(k));
  }
}

static void print_analyses(void) {
  static const struct {
    const char *name, *text;
  } analyses[] = {{"dynamics", "the motion in time, with one of the integrators above"},
                  {"quasistatics", "equilibria along a pseudotime, without inertia and damping"},
                  {"statics", "one equilibrium"},
                  {"modes", "vibrations about an equilibrium: frequencies, damping ratios, shapes"},
                  {"buckling", "factors of the loads at which equilibria become unstable, and the shapes"}};
  printf("\n%-13s %s\n", "analysis", "what it computes");
  for (size_t i = 0; i < sizeof analyses / sizeof analyses[0]; i++)
    printf("%-13s %s\n", analyses[i].name, analyses[i].text);
  printf("\nAll but dynamics need no integrator: equilibria are found by solver.continuation, load_stepping (the "
         "default)\n"
         "or arc_length.\n");
}

int wy_cli_methods(int argc, char **argv) {
  char reasons[MOST_REASONS][256];
  int reason_count = 0;
  int option = wy_cli_option(argc, argv, help, "", NULL);
  if (option == WY_OPTION_HELP)
    return WY_EXIT_DONE;
  if (option == WY_OPTION_WRONG)
    return WY_EXIT_INPUT;
  if (argc > optind)
    return wy_cli_usage(help, "found the operand '%s'; expected none", argv[optind]);

  printf("%-12s %-14s", "scheme", "model");
  for (int k = 0; wy_integrator_name(k); k++)
    printf(" %-10s", wy_integrator_name(k));
  printf("\n");
  for (int i = 0; wy_scheme_name(i); i++) {
    for (size_t j = 0; j < sizeof models / sizeof models[0]; j++) {
      printf("%-12s %-14s", wy_scheme_name(i), models[j].name);
      for (int k = 0; wy_integrator_name(k); k++) {
        wy_message message = {0};
        char cell[16] = "yes";
        if (wy_method_possible(wy_scheme_name(i), models[j].kind, wy_integrator_name(k), &message) != WY_OK)
          snprintf(cell, sizeof cell, "no [%d]", footnote(reasons, &reason_count, message.text));
        printf(" %-10s", cell);
      }
      printf("\n");
    }
  }
  for (int i = 0; i < reason_count; i++)
    printf("%s[%d] %s\n", i ? "" : "\n", i + 1, reasons[i]);
  print_fixed_steps();
  printf(
      "\nWith integrator: auto (the default) withy picks one of these; `withy check SCENARIO` says which and why.\n");
  print_analyses();
  return WY_EXIT_DONE;
}
