/* SPDX-License-Identifier: MIT */
/* The table of integrators (wy_integrator_describe) says of each what its implementation does, and every list of
   integrators agrees with it. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "integrate/integrator.h"
#include "withy/sundials.h"

static const wy_integrator_info *row(int index) {
  return wy_integrator_describe(wy_sundials(), index);
}

/* Texts stand beside each other in columns and lists: one line, without a full stop. */
static void check_text(const char *name, const char *what, const char *text, size_t longest) {
  if (!text || !text[0] || strlen(text) > longest || strchr(text, '\n') || text[strlen(text) - 1] == '.')
    fail_msg("%s: its %s is '%s'; want one line of at most %zu characters without a full stop", name, what,
             text ? text : "(none)", longest);
}

static void rows_are_complete(void **state) {
  (void)state;
  for (int i = 0; row(i); i++) {
    check_text(row(i)->name, "name", row(i)->name, 18);
    check_text(row(i)->name, "family", row(i)->family, 36);
    check_text(row(i)->name, "use", row(i)->use, 48);
    check_text(row(i)->name, "source", row(i)->source, 80);
    assert_in_range(row(i)->lowest_order, 1, row(i)->highest_order);
    assert_false(row(i)->keeps_energy && !row(i)->implicit); /* no explicit method does */
    for (int k = 0; k < i; k++)
      assert_string_not_equal(row(k)->name, row(i)->name);
    assert_string_equal(wy_integrator_name(wy_sundials(), i), row(i)->name);
  }
}

/* Two methods of one name (midpoint) share a row. */
static void every_method_has_a_row(void **state) {
  (void)state;
  for (int i = 0; wy_integrator_at(wy_sundials(), i); i++) {
    const wy_integrator_info *info = wy_integrator_at(wy_sundials(), i)->info;
    int found = 0;
    for (int k = 0; row(k); k++)
      found += row(k) == info;
    if (found != 1)
      fail_msg("%s: %d rows of the table are its own; want 1", info->name, found);
  }
}

/* Those that solve equations ask for factorisations, or leave the step to the scheme. */
static void implicit_methods_solve_equations(void **state) {
  (void)state;
  for (int i = 0; wy_integrator_at(wy_sundials(), i); i++) {
    const wy_integrator_type *type = wy_integrator_at(wy_sundials(), i);
    const bool solves = type->needs.real + type->needs.complex > 0 || type->motion != WY_ODE;
    if (solves != type->info->implicit)
      fail_msg("%s: implicit is %d in the table; want %d", type->info->name, type->info->implicit, solves);
  }
}

/* Bytes of a method's memory for a state of `size` entries. */
static size_t counted(const wy_integrator_type *type, int size) {
  wy_memory memory = {0};
  wy_system system = {.size = size - WY_LANES};
  wy_integrator integrator = {.type = type, .system = &system, .size = size};
  type->layout(&integrator, &memory);
  return memory.saved.used + memory.scratch.used;
}

/* The most that a method of this row keeps. */
static int most_vectors(const wy_integrator_info *info) {
  const int size = 100 * WY_LANES;
  int most = 0;
  for (int i = 0; wy_integrator_at(wy_sundials(), i); i++) {
    const wy_integrator_type *type = wy_integrator_at(wy_sundials(), i);
    const int vectors = (int)((counted(type, 2 * size) - counted(type, size)) / ((size_t)size * sizeof(double)));
    most = type->info == info && vectors > most ? vectors : most;
  }
  return most;
}

/* Of SUNDIALS, which allocates more on its own, a part is seen here. */
static void vectors_are_those_of_the_layout(void **state) {
  (void)state;
  for (int i = 0; row(i); i++) {
    const bool own = wy_integrator_describe(NULL, i) != NULL;
    const int vectors = most_vectors(row(i));
    if (own ? row(i)->vectors != vectors : row(i)->vectors <= vectors)
      fail_msg("%s: %d vectors in the table; want %s%d", row(i)->name, row(i)->vectors, own ? "" : "more than ",
               vectors);
  }
}

/* Methods that were not built have rows all the same, behind the others. */
static void missing_methods_have_rows(void **state) {
  (void)state;
  static const wy_integrator_info lost_row = {.name = "lost"};
  static const wy_integrator_type *const none[] = {NULL};
  static const wy_integrator_info *const lost[] = {&lost_row, NULL};
  const wy_integrators more = {none, lost, "it was lost"};
  int own = 0;
  while (wy_integrator_describe(NULL, own))
    own++;
  assert_ptr_equal(wy_integrator_describe(&more, own), &lost_row);
  assert_null(wy_integrator_describe(&more, own + 1));
  wy_solver_def solver = wy_default_solver_def();
  wy_message message = {0};
  solver.more = &more, solver.integrator = "lost";
  assert_int_equal(wy_method_possible(&solver, WY_COSSERAT, &message), WY_ERROR_SUPPORT);
  assert_non_null(strstr(message.text, more.reason));
}

/* The line of the guide's table that has the integrator in its first column. */
static const char *guide_line(FILE *guide, const char *name, char *line, int size) {
  char quoted[40];
  snprintf(quoted, sizeof quoted, "`%s`", name);
  rewind(guide);
  while (fgets(line, size, guide)) {
    const char *found = strstr(line, quoted), *column = line[0] == '|' ? strchr(line + 1, '|') : NULL;
    if (found && column && found < column)
      return column;
  }
  return NULL;
}

static void the_guide_has_every_row(void **state) {
  (void)state;
  FILE *guide = fopen(WY_SCENARIOS "/../docs/guide/scenario.md", "r");
  char line[1000], order[32];
  assert_non_null(guide);
  for (int i = 0; row(i); i++) {
    const char *rest = guide_line(guide, row(i)->name, line, sizeof line);
    snprintf(order, sizeof order, row(i)->lowest_order < row(i)->highest_order ? "%d to %d" : "%d",
             row(i)->lowest_order, row(i)->highest_order);
    if (!rest || !strstr(rest, order) || !strstr(rest, row(i)->fixed_step ? "| fixed |" : "| adapt |"))
      fail_msg("%s: docs/guide/scenario.md says '%s'; want order %s, and whether steps are fixed", row(i)->name,
               rest ? rest : "nothing", order);
  }
  fclose(guide);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_are_complete),
      cmocka_unit_test(every_method_has_a_row),
      cmocka_unit_test(implicit_methods_solve_equations),
      cmocka_unit_test(vectors_are_those_of_the_layout),
      cmocka_unit_test(missing_methods_have_rows),
      cmocka_unit_test(the_guide_has_every_row),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
