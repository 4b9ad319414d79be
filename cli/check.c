/* SPDX-License-Identifier: MIT */
/* The verb check: reads and validates a scenario, runs nothing, prints what would run and a plausibility report. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/check_batches.h"
#include "cli/cli.h"
#include "run/results/results.h"

static int enter(int argc, char **argv);

const wy_verb wy_verb_check = {
    .name = "check",
    .summary = "check a scenario: errors, methods, plausibility of its values",
    .operands = {WY_SCENARIO_OPERAND},
    .text = "Reads and validates a scenario, runs nothing, and prints what would run and a plausibility report: mass, "
            "stiffnesses and where they come from, Maxwell branches, lowest frequencies and their damping, sag under "
            "gravity, actuators and how far they bend the rods, bodies, joints and groups, fixed steps, resolution of "
            "the segments or elements, "
            "keys without effect, and what looks like a mistake, for every analysis. SCENARIO is a file, or the name "
            "of a built-in one. The report assumes SI units.\n",
    .options = {{.code = 's',
                 .name = "set",
                 .argument = {.name = "PATH=VALUE"},
                 .many = true,
                 .text = "change a value: rods.arm.segments=20, loads.pull.force=[0, 0, -1]"}},
    .exits = {"the scenario is valid", "there is not enough memory", "the scenario is not valid"},
    .run = enter,
};

enum { MOST_SETTINGS = 256 };

static void print_size(const char *name, double bytes) {
  if (bytes < 1e6)
    printf("%s about %.0f kB", name, bytes / 1e3 < 1 ? 1 : bytes / 1e3);
  else if (bytes < 1e9)
    printf("%s about %.1f MB", name, bytes / 1e6);
  else
    printf("%s about %.1f GB", name, bytes / 1e9);
}

/* Numbers of one frame of a rod. */
static double frame_size(const wy_view *view) {
  const wy_points *parts[] = {&view->position, &view->velocity, &view->frame,     &view->angular_velocity,
                              &view->strain,   &view->force,    &view->curvature, &view->moment};
  double count = 0;
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
    count += (double)parts[i]->count * parts[i]->components;
  return count;
}

/* The analysis in words, and its times. */
static void report_course(const wy_scenario *scenario, int columns) {
  int rows = wy_scenario_row_count(scenario), frames = wy_scenario_snapshot_count(scenario), modes = scenario->modes;
  const char *name = wy_analysis_name(scenario->analysis);
  printf("  analysis   %s: ", name);
  switch (scenario->analysis) {
  case WY_DYNAMICS:
    printf("the motion%s\n", scenario->from_statics ? " from the equilibrium under the loads of t = 0" : "");
    break;
  case WY_QUASISTATICS:
    printf("the equilibrium under the loads of t = 0, then those of later times\n");
    break;
  case WY_STATICS:
    printf("the equilibrium under the loads of t = %g\n", scenario->end);
    break;
  case WY_MODES:
    printf("%d vibration%s about the equilibrium under the loads of t = %g (modes.csv)\n", modes, modes == 1 ? "" : "s",
           scenario->end);
    break;
  case WY_BUCKLING:
    printf("%d critical factor%s of the loads of t = %g (buckling.csv)\n", modes, modes == 1 ? "" : "s", scenario->end);
  }
  if (wy_scenario_has_course(scenario)) {
    printf("  time       0 to %g\n", scenario->end);
    printf("  rows       %d, every %g, %d column%s (probes.csv)\n", rows, scenario->output, columns,
           columns == 1 ? "" : "s");
    printf("  frames     %d, every %g (result.h5)\n", frames, scenario->snapshots);
  } else {
    printf("  rows       1, %d column%s (probes.csv)\n", columns, columns == 1 ? "" : "s");
    printf("  frames     1 (result.h5)\n");
  }
}

/* The fixed step of a rod and how its equations are solved, where it has one. */
static void report_step(const wy_scenario *scenario, const wy_model *model, int rod) {
  const wy_solver_def *solver = wy_results_solver(scenario, rod);
  if (!wy_method_has_fixed_step(solver))
    return;
  printf("  step       %.12g, fixed: %.0f steps", solver->first_step, scenario->end / solver->first_step);
  if (scenario->step_chosen[rod])
    printf(" (chosen: divides time.output, for 100 steps or more in the time scale %.3g of the motion)",
           wy_model_time_scale(model, rod, scenario->end));
  printf("\n");
  const wy_scheme_info info = wy_scheme_describe(solver);
  if (info.options[0])
    printf("  method     %s\n", info.options);
  if (info.uses_newton)
    printf("  Newton     to %g, at most %d iterations a step\n", solver->newton.tolerance, solver->newton.iterations);
}

/* How neighbouring segments make a curvature, and why. */
static void report_measure(const wy_scenario *scenario, const wy_rod_def *rod, int index) {
  const wy_solver_def *solver = wy_results_solver(scenario, index);
  const char *measure = wy_curvature_measure_of(solver, rod);
  if (measure[0] && solver->staggered.curvature_measure == WY_AUTO_MEASURE)
    printf("  curvature  measured by %s (auto: the undeformed rod is %s)\n", measure,
           strcmp(measure, "angle") == 0 ? "curved or twisted" : "straight");
  else if (measure[0])
    printf("  curvature  measured by %s\n", measure);
}

/* What was chosen for the accuracy that the file asks for. */
static void report_space(const wy_scenario *scenario, int rod) {
  if (scenario->spaces && scenario->spaces[rod].segments > 0)
    printf("  accuracy   %s\n", scenario->spaces[rod].reason);
}

/* How a rod is moved, or brought to equilibrium. */
static void report_method(const wy_scenario *scenario, const wy_model *model, wy_sim *sim, int rod) {
  wy_sim_info info = wy_sim_describe(sim, rod);
  const wy_statics_options *statics = &wy_results_solver(scenario, rod)->statics;
  if (scenario->analysis == WY_DYNAMICS)
    printf("  integrator %s%s%s%s\n", info.integrator, info.reason[0] ? " (" : "", info.reason,
           info.reason[0] ? ")" : "");
  if (scenario->analysis == WY_DYNAMICS) {
    report_step(scenario, model, rod);
    const wy_scheme_info scheme = wy_scheme_describe_rod(model, rod, wy_results_solver(scenario, rod), info.integrator);
    if (scheme.constraints[0])
      printf("  constraints kept by %s\n", scheme.constraints);
  }
  if (scenario->sim.statics)
    printf("  equilibria %s in about %d increments, %s at bifurcations, Newton's method to %g\n",
           statics->continuation == WY_ARC_LENGTH ? "arc_length" : "load_stepping", statics->increments,
           statics->branch == WY_SWITCH_BRANCH ? "branch is switched" : "path is followed", statics->newton_tolerance);
}

/* Returns how many numbers of single precision they add to a frame. */
static double report_strands(const wy_scenario *scenario, const wy_model *model, wy_sim *sim) {
  double numbers = 0;
  for (int i = 0; i < scenario->strands_count; i++) {
    const wy_strands_def *def = &scenario->strands[i];
    wy_strands *strands = NULL;
    if (wy_strands_create(model, sim, def, &strands, NULL) != WY_OK)
      continue;
    int points = wy_strands_points(strands);
    printf("  strands    %s: %d of %d points, after %d guide%s\n", def->name, def->count, points, def->guide_count,
           def->guide_count == 1 ? "" : "s");
    numbers += 3.0 * def->count * points;
    wy_strands_destroy(strands);
  }
  return numbers;
}

/* How many there are, and the names of those that have one. */
static void report_entries(const char *what, const wy_model *model, int count,
                           const char *(*name_of)(const wy_model *, int)) {
  bool any = false;
  printf("  %-10s %d", what, count);
  for (int i = 0; i < count; i++)
    if (name_of(model, i)) {
      printf("%s%s", any ? ", " : ": ", name_of(model, i));
      any = true;
    }
  printf("\n");
}

static const char *body_name(const wy_model *model, int body) {
  return wy_model_body(model, body)->name;
}

static const char *joint_name(const wy_model *model, int joint) {
  return wy_model_joint(model, joint)->name;
}

static const char *spring_name(const wy_model *model, int spring) {
  return wy_model_spring(model, spring)->name;
}

static const char *obstacle_name(const wy_model *model, int obstacle) {
  return wy_model_obstacle(model, obstacle)->name;
}

static const char *load_name(const wy_model *model, int load) {
  return wy_model_load(model, load)->name;
}

static const char *actuator_name(const wy_model *model, int actuator) {
  return wy_model_actuator(model, actuator)->name;
}

static void report_run(const wy_scenario *scenario, const wy_model *model, wy_sim *sim) {
  const int columns = 1 + scenario->column_count;
  double numbers = 13 + 13.0 * wy_model_body_count(model) + 9.0 * wy_model_joint_count(model) +
                   8.0 * wy_model_spring_count(model) +
                   (wy_model_obstacle_count(model) > 0 ? 3 + 10.0 * wy_model_obstacle_count(model) : 0);
  printf("What would run\n");
  report_course(scenario, columns);
  for (int i = 0; i < wy_model_rod_count(model); i++) {
    const wy_rod_def *rod = wy_model_rod(model, i);
    wy_sim_info info = wy_sim_describe(sim, i);
    numbers += frame_size(wy_sim_view(sim, i)) + (wy_sim_contact(sim, i) ? 4.0 * rod->segments : 0);
    printf("  rod        %s: %s, %d %s, scheme %s, %d unknowns\n", rod->name, wy_rod_kind_name(rod->kind),
           rod->segments, wy_scheme_describe(wy_results_solver(scenario, i)).pieces, info.scheme, info.unknowns);
    report_measure(scenario, rod, i);
    report_space(scenario, i);
    report_method(scenario, model, sim, i);
  }
  if (wy_model_body_count(model) > 0)
    report_entries("bodies", model, wy_model_body_count(model), body_name);
  if (wy_model_joint_count(model) > 0)
    report_entries("joints", model, wy_model_joint_count(model), joint_name);
  if (wy_model_spring_count(model) > 0)
    report_entries("springs", model, wy_model_spring_count(model), spring_name);
  if (wy_model_obstacle_count(model) > 0)
    report_entries("obstacles", model, wy_model_obstacle_count(model), obstacle_name);
  report_entries("loads", model, wy_model_load_count(model), load_name);
  report_entries("actuators", model, wy_model_actuator_count(model), actuator_name);
  wy_check_report_batches(scenario);
  double singles = report_strands(scenario, model, sim);
  printf("  results    ");
  print_size("probes.csv", 22.0 * wy_scenario_row_count(scenario) * columns);
  print_size(", result.h5",
             wy_scenario_snapshot_count(scenario) * (8 * numbers + 4 * singles) + wy_check_batch_bytes(scenario));
  printf("\n");
}

/* The report on one rod, or on what connects all of them, as the library gives it. */
static void report_part(const wy_scenario *scenario, const wy_model *model, int rod) {
  const wy_sim_def sim = wy_scenario_checked(scenario);
  int count = 0;
  wy_check_report(model, &sim, scenario->analysis, rod, NULL, 0, &count, NULL);
  wy_report_line *lines = calloc((size_t)count + 1, sizeof *lines);
  if (lines)
    wy_check_report(model, &sim, scenario->analysis, rod, lines, count, NULL, NULL);
  if (rod != WY_ALL_RODS)
    printf("\nrod %s\n", wy_model_rod(model, rod)->name);
  else if (count > 0)
    printf("\nnetwork\n");
  for (int i = 0; lines && i < count; i++)
    printf("  %-22s %s\n", lines[i].name, lines[i].text);
  free(lines);
}

static void report_findings(const wy_scenario *scenario, const wy_model *model) {
  int count = 0;
  wy_scenario_check(scenario, model, NULL, 0, &count, NULL);
  wy_finding *findings = calloc((size_t)count + 1, sizeof *findings);
  if (findings)
    wy_scenario_check(scenario, model, findings, count, NULL, NULL);
  printf(count ? "\nWarnings\n" : "\nNo warnings\n");
  for (int i = 0; findings && i < count; i++) {
    char line[WY_WARNING_SIZE];
    wy_finding_line(&findings[i], line, sizeof line);
    printf("  %s\n", line);
  }
  free(findings);
}

static void report(const wy_scenario *scenario, const wy_model *model, wy_sim *sim) {
  printf("%s%s%s: valid\n\n", scenario->name, scenario->title[0] ? ", " : "", scenario->title);
  report_run(scenario, model, sim);
  printf("\nPlausibility (estimates for straight rods of the section at mid-length; SI units assumed)\n");
  for (int i = 0; i < wy_model_rod_count(model); i++)
    report_part(scenario, model, i);
  report_part(scenario, model, WY_ALL_RODS);
  report_findings(scenario, model);
}

static int check_scenario(wy_scenario *scenario) {
  wy_model *model = NULL;
  wy_sim *sim = NULL;
  wy_message message = {0};
  wy_status status = wy_scenario_build(scenario, &model, &sim, &message);
  if (status == WY_OK)
    report(scenario, model, sim);
  else
    fprintf(stderr, "%s: %s: %s\n", scenario->name, message.path, message.text);
  wy_sim_destroy(sim);
  wy_model_destroy(model);
  return status == WY_OK ? WY_EXIT_DONE : WY_EXIT_INPUT;
}

static int enter(int argc, char **argv) {
  const char *settings[MOST_SETTINGS];
  int count = 0, option;
  while ((option = wy_verb_option(argc, argv, &wy_verb_check)) != -1) {
    if (option == WY_OPTION_HELP)
      return WY_EXIT_DONE;
    if (option == WY_OPTION_WRONG)
      return WY_EXIT_INPUT;
    if (count == MOST_SETTINGS)
      return wy_verb_usage(&wy_verb_check, "found more than %d settings", MOST_SETTINGS);
    settings[count++] = optarg;
  }
  if (argc - optind != 1)
    return wy_verb_usage(&wy_verb_check, "found %d scenarios; expected one", argc - optind);
  wy_scenario *scenario;
  int status = wy_cli_load(argv[optind], settings, count, NULL, &scenario);
  if (status == WY_EXIT_DONE)
    status = check_scenario(scenario);
  wy_scenario_destroy(scenario);
  return status;
}
