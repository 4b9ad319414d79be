/* SPDX-License-Identifier: MIT */
/* The verb methods: the matrix integrator x scheme x model, as the library tells it, and what the
   integrators are. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "withy/sundials.h"

static int enter(int argc, char **argv);

const wy_verb wy_verb_methods = {
    .name = "methods",
    .summary = "list schemes and integrators, and their combinations",
    .text =
        "Prints which integrator (how equations move in time), scheme (how a rod becomes equations) and model (what "
        "a rod can do) go together, and why where they do not; which schemes find equilibria; what each integrator "
        "is and when to use it; and the analyses. Integrators that this build does not have are listed with what "
        "to install.\n",
    .exits = {"done", "standard output cannot be written", "an operand or an option is wrong"},
    .run = enter,
};

enum { MOST_REASONS = 32, COLUMN = 15, NAME_COLUMN = 17 };

static const struct {
  const char *name, *letter;
  wy_rod_kind kind;
} models[] = {{"cosserat", "C", WY_COSSERAT}, {"kirchhoff", "K", WY_KIRCHHOFF}, {"inextensible", "I", WY_INEXTENSIBLE}};
enum { MODELS = sizeof models / sizeof models[0] };

/* Reasons are footnotes: the same text has the same number. */
typedef struct footnotes {
  char text[MOST_REASONS][256];
  int count;
} footnotes;

static int footnote(footnotes *notes, const char *text) {
  for (int i = 0; i < notes->count; i++)
    if (strncmp(notes->text[i], text, sizeof notes->text[i] - 1) == 0)
      return i + 1;
  if (notes->count < MOST_REASONS)
    snprintf(notes->text[notes->count++], sizeof notes->text[0], "%.255s", text);
  return notes->count;
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

/* The letters of the models that scheme and integrator carry. */
static void letters_of(const char *scheme, const char *integrator, char *out, size_t size) {
  out[0] = '\0';
  for (int j = 0; j < MODELS; j++)
    if (possible(scheme, models[j].kind, integrator, NULL))
      snprintf(out + strlen(out), size - strlen(out), "%s%s", out[0] ? " " : "", models[j].letter);
}

/* Some scheme that the integrator goes with, or NULL: then it was not built. */
static const char *scheme_with(const char *integrator) {
  char letters[16];
  for (int i = 0; wy_scheme_name(i); i++) {
    letters_of(wy_scheme_name(i), integrator, letters, sizeof letters);
    if (letters[0])
      return wy_scheme_name(i);
  }
  return NULL;
}

/* What stands between two marks of a message. */
static void cut_out(const char *text, const char *from, const char *to, char *out, size_t size) {
  const char *start = strstr(text, from), *end = start ? strstr(start, to) : NULL;
  start = start ? start + strlen(from) : text;
  snprintf(out, size, "%.*s", end ? (int)(end - start) : 200, start);
}

/* Why an integrator goes with no model of a scheme: it was not built, or the library's reason. */
static void reason_of(const char *scheme, const char *integrator, char *out, size_t size) {
  wy_message message = {0};
  char why[120], with[200];
  for (int j = 0; j < MODELS && !message.text[0]; j++)
    if (possible(scheme, models[j].kind, "auto", NULL))
      possible(scheme, models[j].kind, integrator, &message);
  if (!scheme_with(integrator)) {
    cut_out(message.text, ": ", "; possible", out, size);
    return;
  }
  cut_out(message.text, " (", ")", why, sizeof why);
  cut_out(message.text, "possible: auto, ", " (", with, sizeof with);
  if (strchr(with, ','))
    snprintf(out, size, "'%s' does not go with the scheme '%s': %s", integrator, scheme, why);
  else
    snprintf(out, size, "the scheme '%s' goes with %.40s: %s", scheme, with, why);
}

static void print_cell(const char *letters, const char *reason, footnotes *notes) {
  char cell[16];
  if (letters[0])
    snprintf(cell, sizeof cell, "%.12s", letters);
  else
    snprintf(cell, sizeof cell, "no [%d]", footnote(notes, reason));
  printf(" %-*s", COLUMN, cell);
}

/* The schemes, with a note where they do not carry all models. */
static void print_head(footnotes *notes) {
  printf("%-*s", NAME_COLUMN, "integrator");
  for (int i = 0; wy_scheme_name(i); i++) {
    char cell[32];
    wy_message message = {0};
    snprintf(cell, sizeof cell, "%.20s", wy_scheme_name(i));
    for (int j = 0; j < MODELS && !message.text[0]; j++)
      if (!possible(wy_scheme_name(i), models[j].kind, "auto", &message))
        snprintf(cell, sizeof cell, "%.20s [%d]", wy_scheme_name(i), footnote(notes, message.text));
    printf(" %-*s", COLUMN, cell);
  }
  printf("\n");
}

/* One line for an integrator; the last one says where equilibria are found. */
static void print_matrix(footnotes *notes) {
  char letters[16], reason[256];
  print_head(notes);
  for (int k = 0; integrator_at(k); k++) {
    printf("%-*s", NAME_COLUMN, integrator_at(k));
    for (int i = 0; wy_scheme_name(i); i++) {
      letters_of(wy_scheme_name(i), integrator_at(k), letters, sizeof letters);
      reason_of(wy_scheme_name(i), integrator_at(k), reason, sizeof reason);
      print_cell(letters, reason, notes);
    }
    printf("\n");
  }
  printf("%-*s", NAME_COLUMN, "equilibria");
  for (int i = 0; wy_scheme_name(i); i++) {
    letters_of(wy_scheme_name(i), "auto", letters, sizeof letters);
    snprintf(reason, sizeof reason, "the scheme '%s' is for motions only: it has no equations of equilibrium",
             wy_scheme_name(i));
    print_cell(wy_scheme_has_equilibria(wy_scheme_name(i)) ? letters : "", reason, notes);
  }
  printf("\n\n");
  for (int j = 0; j < MODELS; j++)
    printf("%s %s%s", models[j].letter, models[j].name, j + 1 < MODELS ? ", " : "\n");
  for (int i = 0; i < notes->count; i++)
    printf("[%d] %s\n", i + 1, notes->text[i]);
}

/* ---- What they are ---- */

static void print_integrator(const wy_integrator_info *info) {
  const char *scheme = scheme_with(info->name);
  wy_solver_def solver = pair(scheme ? scheme : wy_scheme_name(0), info->name);
  const char *steps = !scheme ? "-" : info->fixed_step ? "fixed" : "adapt";
  const char *kept_by = scheme ? wy_scheme_describe(&solver).kept_by : "";
  char order[16];
  if (info->lowest_order == info->highest_order)
    snprintf(order, sizeof order, "%d", info->highest_order);
  else
    snprintf(order, sizeof order, "%d to %d", info->lowest_order, info->highest_order);
  printf("%-*s %-7s %-5s %-36s %-10s %s\n", NAME_COLUMN, info->name, order, steps, info->family,
         kept_by[0] ? kept_by : "-", info->use);
}

static void print_integrators(void) {
  printf("\n%-*s %-7s %-5s %-36s %-10s %s\n", NAME_COLUMN, "integrator", "order", "steps", "what it is", "kept by",
         "when to use it");
  const wy_integrator_info *info;
  for (int k = 0; (info = wy_integrator_describe(wy_sundials(), k)); k++)
    print_integrator(info);
  printf(
      "\nSteps adapt to solver.tolerance, or are fixed: solver.step, which must divide time.output. With integrator: "
      "auto\n(the default) withy picks one by the stiffness and damping of the rod and the tolerance; `withy check "
      "SCENARIO`\nsays which and why. Constraints of the scheme staggered are kept by projection after every step, or, "
      "where\nsolver.stabilisation says so and with multistep methods always, by Baumgarte's method.\n");
}

static void print_schemes(void) {
  printf("\n%-13s %-9s %s\n", "scheme", "piece", "what it is");
  for (int i = 0; wy_scheme_name(i); i++) {
    const wy_solver_def solver = pair(wy_scheme_name(i), "auto");
    const wy_scheme_info info = wy_scheme_describe(&solver);
    printf("%-13s %-9s %s\n", info.name, info.piece, info.summary);
    if (info.cannot[0])
      printf("%-13s %-9s not: %s\n", "", "", info.cannot);
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
  printf(
      "\nAll but dynamics need equilibria, and no integrator: solver.continuation is load_stepping (the default) or\n"
      "arc_length.\n");
}

static int enter(int argc, char **argv) {
  footnotes notes = {.count = 0};
  int option = wy_verb_option(argc, argv, &wy_verb_methods);
  if (option == WY_OPTION_HELP)
    return WY_EXIT_DONE;
  if (option == WY_OPTION_WRONG)
    return WY_EXIT_INPUT;
  if (argc > optind)
    return wy_verb_usage(&wy_verb_methods, "found the operand '%s'; expected none", argv[optind]);

  print_matrix(&notes);
  print_integrators();
  print_schemes();
  print_analyses();
  return WY_EXIT_DONE;
}
