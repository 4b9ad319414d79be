/* The verb methods: the matrix scheme x model x integrator, as the library tells it. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "withy/sundials.h"

static const char help[] =
    "usage: withy methods\n\n"
    "Prints which scheme (how a rod becomes equations), model (what a rod can do) and integrator (how the equations "
    "move\n"
    "in time) go together, and why where they do not; which schemes find equilibria; and the analyses.\n\n"
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

/* Everything that this command can be asked for. */
static wy_solver_def pair(const char *scheme, const char *integrator) {
  wy_solver_def solver = wy_default_solver_def();
  solver.more = wy_sundials();
  solver.scheme = scheme;
  solver.integrator = integrator;
  return solver;
}

static const char *integrator_at(int index) {
  return wy_integrator_name(wy_sundials(), index);
}

static bool possible(const char *scheme, wy_rod_kind kind, const char *integrator, wy_message *message) {
  wy_solver_def solver = pair(scheme, integrator);
  return wy_method_possible(&solver, kind, message) == WY_OK;
}

/* The integrators that move with a fixed step. */
static void print_fixed_steps(void) {
  int count = 0;
  printf("\nFixed steps (solver.step, which must divide time.output): ");
  for (int k = 0; integrator_at(k); k++) {
    bool fixed = false;
    for (int i = 0; wy_scheme_name(i); i++) {
      wy_solver_def solver = pair(wy_scheme_name(i), integrator_at(k));
      fixed = fixed || wy_method_has_fixed_step(&solver);
    }
    if (fixed)
      printf("%s%s", count++ ? ", " : "", integrator_at(k));
  }
  printf(".\nThe others adapt their steps to solver.tolerance.\n");
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
  printf(
      "\nAll but dynamics need equilibria, and no integrator: solver.continuation is load_stepping (the default) or\n"
      "arc_length.\n");
}

static int width_of(const char *name) {
  return strlen(name) > 8 ? (int)strlen(name) : 8;
}

/* Why the integrator does not go with the scheme: the library's reason where no integrator would do for this model,
   else those that do, the same for all that do not. */
static void reason_of(const char *scheme, wy_rod_kind kind, char *out, size_t size) {
  wy_message message = {0};
  if (!possible(scheme, kind, "auto", &message)) {
    snprintf(out, size, "%.255s", message.text);
    return;
  }
  size_t used = (size_t)snprintf(out, size, "the scheme '%s' goes with ", scheme);
  for (int k = 0, count = 0; integrator_at(k) && used < size; k++)
    if (possible(scheme, kind, integrator_at(k), NULL))
      used += (size_t)snprintf(out + used, size - used, "%s%s", count++ ? ", " : "", integrator_at(k));
}

/* One line for a scheme and a model: every integrator, and whether there are equilibria. */
static void print_line(const char *scheme, const char *model, wy_rod_kind kind, char reasons[MOST_REASONS][256],
                       int *count) {
  const bool any = possible(scheme, kind, "auto", NULL);
  printf("%-11s %-13s", scheme, model);
  for (int k = 0; integrator_at(k); k++) {
    char cell[16] = "yes", reason[256];
    if (!possible(scheme, kind, integrator_at(k), NULL)) {
      reason_of(scheme, kind, reason, sizeof reason);
      snprintf(cell, sizeof cell, "no [%d]", footnote(reasons, count, reason));
    }
    printf(" %-*s", width_of(integrator_at(k)), cell);
  }
  if (any && wy_scheme_has_equilibria(scheme)) {
    puts(" yes");
    return;
  }
  char reason[256];
  if (any)
    snprintf(reason, sizeof reason, "the scheme '%s' is for motions only: it has no equations of equilibrium", scheme);
  else
    reason_of(scheme, kind, reason, sizeof reason);
  printf(" no [%d]\n", footnote(reasons, count, reason));
}

static void print_matrix(char reasons[MOST_REASONS][256], int *count) {
  printf("%-11s %-13s", "scheme", "model");
  for (int k = 0; integrator_at(k); k++)
    printf(" %-*s", width_of(integrator_at(k)), integrator_at(k));
  printf(" equilibria\n");
  for (int i = 0; wy_scheme_name(i); i++)
    for (size_t j = 0; j < sizeof models / sizeof models[0]; j++)
      print_line(wy_scheme_name(i), models[j].name, models[j].kind, reasons, count);
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

  print_matrix(reasons, &reason_count);
  for (int i = 0; i < reason_count; i++)
    printf("%s[%d] %s\n", i ? "" : "\n", i + 1, reasons[i]);
  print_fixed_steps();
  printf(
      "\nWith integrator: auto (the default) withy picks one of these; `withy check SCENARIO` says which and why.\n");
  print_analyses();
  return WY_EXIT_DONE;
}
