/* SPDX-License-Identifier: MIT */
/* What `withy run` says of a run that has ended. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/run.h"

/* A word as a shell takes it. */
static void print_word(FILE *out, const char *word) {
  if (*word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./+,:@%")]) {
    fputs(word, out);
    return;
  }
  fputc('\'', out);
  for (; *word; ++word) {
    if (*word == '\'')
      fputs("'\\''", out);
    else
      fputc(*word, out);
  }
  fputc('\'', out);
}

/* A file or folder as a shell and a command take it: without "./" a leading hyphen would begin an option. */
static void print_path(FILE *out, const char *path) {
  if (*path == '-')
    fputs("./", out);
  print_word(out, path);
}

static void print_resume_command(FILE *out, const wy_run_request *asked) {
  fprintf(out, "%s ", asked->command ? asked->command : "withy run");
  print_path(out, asked->scenario);
  fputs(" -o ", out);
  print_path(out, asked->folder);
  for (int i = 0; i < asked->setting_count; ++i) {
    fputs(" --set ", out);
    print_word(out, asked->settings[i]);
  }
  fputs(" --resume\n", out);
}

/* The fixed step, where the rod moves with one. */
static void print_step(const wy_scenario *scenario, int rod) {
  const wy_solver_def *solver = wy_results_solver(scenario, rod);
  if (scenario->analysis == WY_DYNAMICS && wy_method_has_fixed_step(solver))
    printf(", steps of %.12g%s", solver->first_step, scenario->step_chosen[rod] ? " (chosen)" : "");
}

/* Of bodies that no rods are joined to. */
static void print_methods_of_bodies(const wy_scenario *scenario, const wy_run_report *report) {
  const wy_sim_info info = wy_sim_group_describe(report->sim, 0);
  const int groups = wy_sim_group_count(report->sim);
  printf("  %s: body, %s", wy_model_body(report->model, 0)->name,
         scenario->analysis == WY_DYNAMICS ? info.integrator : wy_results_method_name(scenario, report->sim, -1));
  if (info.reason[0] && scenario->analysis == WY_DYNAMICS)
    printf(" (%s)", info.reason);
  printf(", %d unknowns\n", info.unknowns);
  if (groups > 1)
    printf("  and %d more groups of bodies\n", groups - 1);
}

static void print_methods(const wy_scenario *scenario, const wy_run_report *report) {
  int rods = wy_model_rod_count(report->model);
  const int most = 5;
  if (rods == 0 && wy_model_body_count(report->model) > 0)
    print_methods_of_bodies(scenario, report);
  for (int rod = 0; rod < rods && rod < most; ++rod) {
    wy_sim_info info = wy_sim_describe(report->sim, rod);
    const wy_rod_def *rod_def = wy_model_rod(report->model, rod);
    printf("  %s: %s, %s, %s", rod_def->name, info.scheme, wy_rod_kind_name(rod_def->kind),
           wy_results_method_name(scenario, report->sim, rod));
    if (info.reason[0] && scenario->analysis == WY_DYNAMICS)
      printf(" (%s)", info.reason);
    print_step(scenario, rod);
    printf(", %d unknowns\n", info.unknowns);
    if (scenario->spaces && scenario->spaces[rod].segments > 0)
      printf("    accuracy: %s\n", scenario->spaces[rod].reason);
  }
  if (rods > most)
    printf("  and %d more rods\n", rods - most);
}

/* What the batches were calculated with, and the work. */
static void print_batches(const wy_scenario *scenario, const wy_run_report *report) {
  for (int i = 0; i < report->batch_count; ++i) {
    const wy_batch_info info = wy_batch_describe(report->batches[i]);
    const wy_batch_statistics work = wy_batch_work(report->batches[i]);
    printf("  %s: %d rods of %d segments, %s, %s precision, %s, %d substeps\n", scenario->batches[i].name,
           scenario->batches[i].def.count, info.segments, wy_batch_integrator_word(info.integrator),
           wy_batch_precision_word(info.precision), info.machine, info.substeps);
    printf("  %.4g solves of a rod, %.4g frames of rods were moved again\n", work.solves, work.refined);
  }
}

static void print_done(const wy_scenario *scenario, const wy_run_report *report) {
  double end = scenario->end, seconds = report->wall_seconds;
  printf("%s: done, ", scenario->name);
  switch (scenario->analysis) {
  case WY_DYNAMICS:
    printf("t = %.6g in %.3g s (%.3g x real time)\n", report->t_end, seconds, report->realtime_factor);
    break;
  case WY_QUASISTATICS:
    printf("equilibria up to t = %.6g in %.3g s\n", report->t_end, seconds);
    break;
  case WY_STATICS:
    printf("equilibrium under the loads of t = %.6g in %.3g s\n", end, seconds);
    break;
  case WY_MODES:
    printf("vibrations about the equilibrium under the loads of t = %.6g in %.3g s\n", end, seconds);
    break;
  case WY_BUCKLING:
    printf("critical factors of the loads of t = %.6g in %.3g s\n", end, seconds);
  }
}

static void print_costs(const wy_scenario *scenario, const wy_run_report *report) {
  const wy_statistics *cost = &report->statistics;
  if (scenario->analysis == WY_DYNAMICS) {
    printf("  %ld steps, %ld rejected; energy drift %.2g\n", cost->steps, cost->rejected, report->drift);
    return;
  }
  wy_equilibrium_info info = report->equilibrium;
  printf("  %ld equilibria, %ld increments rejected, %ld Newton iterations", cost->steps, cost->rejected,
         cost->newton_iterations);
  if (info.limit_points > 0)
    printf("; %d limit points", info.limit_points);
  bool judged = scenario->analysis != WY_BUCKLING && info.unstable >= 0;
  printf("%s\n", !judged ? "" : info.unstable == 0 ? "; stable" : "; unstable");
  if (info.way != WY_WAY_STRAIGHT)
    printf("  found %s, after %d other way%s\n", wy_equilibrium_way_name(info.way), info.ways_tried,
           info.ways_tried == 1 ? "" : "s");
  if (info.snaps > 0)
    printf("  snapped %d time%s, first at t = %.6g\n", info.snaps, info.snaps == 1 ? "" : "s", info.first_snap);
}

/* Rods that were brought to obstacles before the loads grew. */
static void print_put_down(const wy_run_report *report) {
  for (int i = 0; i < wy_model_rod_count(report->model); ++i) {
    const wy_contact_view *contact = wy_sim_contact(report->sim, i);
    if (contact && contact->put_down > 0)
      printf("  %s was put down first, over a distance of %.4g m (contact.settle)\n",
             wy_model_rod(report->model, i)->name, contact->put_down);
  }
}

/* The rod that has met the most, or the least. */
static int worst_rod(const wy_run_report *report, wy_extreme extreme, wy_extreme_value *worst) {
  int rod = 0;
  *worst = wy_sim_extreme(report->sim, 0, extreme);
  for (int i = 1; i < wy_model_rod_count(report->model); ++i) {
    wy_extreme_value one = wy_sim_extreme(report->sim, i, extreme);
    bool smallest = wy_extreme_describe(extreme)->smallest;
    if (smallest ? one.value < worst->value : one.value > worst->value) {
      *worst = one;
      rod = i;
    }
  }
  return rod;
}

/* What the rods have met, those of all in summary.json; nothing of a bend radius where all are straight. */
static void print_extremes(const wy_scenario *scenario, const wy_run_report *report) {
  for (int i = 0; i < WY_EXTREME_COUNT && wy_model_rod_count(report->model) > 0; ++i) {
    const wy_extreme_info *info = wy_extreme_describe((wy_extreme)i);
    wy_extreme_value worst;
    int rod = worst_rod(report, (wy_extreme)i, &worst);
    if (!isfinite(worst.value))
      continue;
    printf("  %s %.4g %s at s = %.4g", info->label, worst.value, wy_quantity_describe(info->quantity)->unit, worst.s);
    if (wy_model_rod_count(report->model) > 1)
      printf(" of %s", wy_model_rod(report->model, rod)->name);
    if (wy_scenario_has_course(scenario))
      printf(", t = %.4g", worst.time);
    putchar('\n');
  }
}

/* The first rows of modes.csv or buckling.csv, for people. */
static void print_modes(bool buckling, const wy_run_report *report) {
  const double turn = 6.28318530717958647692;
  const int most = 10;
  bool several = wy_model_rod_count(report->model) > 1;
  if (report->mode_count == 0)
    printf(buckling ? "  no critical factor was found\n" : "  no modes\n");
  else
    printf(buckling ? "  mode      factor\n" : "  mode     omega  frequency    damping\n");
  for (int i = 0; i < report->mode_count && i < most; ++i) {
    const wy_run_mode *mode = &report->modes[i];
    printf("  %4d %10.5g", i + 1, mode->value);
    if (!buckling)
      printf(" %10.5g %10.3g", mode->value / turn, mode->damping_ratio);
    else if (mode->limit_point)
      printf("  limit point: the loads cannot grow any further");
    printf("%s%s\n", several ? "  " : "", several ? wy_model_rod(report->model, mode->rod)->name : "");
  }
  if (report->mode_count > most)
    printf("  and %d more\n", report->mode_count - most);
}

static void print_results(const wy_run_request *asked, const wy_scenario *scenario, const wy_run_report *report) {
  print_done(scenario, report);
  print_methods(scenario, report);
  print_batches(scenario, report);
  if (wy_sim_group_count(report->sim) > 0)
    print_costs(scenario, report);
  print_put_down(report);
  print_extremes(scenario, report);
  if (scenario->analysis == WY_MODES || scenario->analysis == WY_BUCKLING)
    print_modes(scenario->analysis == WY_BUCKLING, report);
  for (int i = 0; i < scenario->strands_count; ++i)
    printf("  %s: %d strand%s\n", scenario->strands[i].name, scenario->strands[i].count,
           scenario->strands[i].count == 1 ? "" : "s");
  printf("  %ld row%s in probes.csv, %ld snapshot%s in result.h5\n", report->rows, report->rows == 1 ? "" : "s",
         report->snapshots, report->snapshots == 1 ? "" : "s");
  fputs("results are in ", stdout);
  print_path(stdout, asked->folder);
  fputs("; to see them: withy view ", stdout);
  print_path(stdout, asked->folder);
  fputs(" (in 3D), withy plot ", stdout);
  print_path(stdout, asked->folder);
  fputc('\n', stdout);
}

static void print_early_end(const wy_run_request *asked, const wy_run_report *report) {
  fprintf(stderr, "withy: %s%s\n", report->end == WY_RUN_WRONG ? "the result is wrong: " : "", report->message);
  if (report->rows + report->snapshots > 0)
    fprintf(stderr, "withy: what was computed%s is in %s: %ld row%s and %ld snapshot%s, the last at t = %.9g\n",
            report->end == WY_RUN_WRONG ? "" : " until then", asked->folder, report->rows, report->rows == 1 ? "" : "s",
            report->snapshots, report->snapshots == 1 ? "" : "s", report->t_end);
  else
    fprintf(stderr, "withy: %s contains only the summary\n", asked->folder);
  if (report->resumable) {
    fputs(report->end == WY_RUN_INTERRUPTED ? "withy: to continue: "
                                            : "withy: to continue after the problem is solved: ",
          stderr);
    print_resume_command(stderr, asked);
  }
}

/* What makes the result wrong has been said already by the report. */
static void print_warnings(const wy_run_report *report) {
  char text[WY_WARNING_SIZE];
  for (int i = 0; i < report->finding_count; ++i)
    if (wy_results_warning(&report->findings[i], text) && strcmp(text, report->message) != 0)
      fprintf(stderr, "withy: %s: %s\n", report->findings[i].severity == WY_WRONG ? "wrong" : "warning", text);
  for (int i = 0; i < report->batch_count; ++i)
    if (wy_batches_doubt(report->kept, i, text, sizeof text))
      fprintf(stderr, "withy: warning: %s\n", text);
}

int wy_run_print(const wy_run_request *asked, const wy_run_def *def, const wy_run_report *report) {
  if (report->end == WY_RUN_COMPLETE) {
    if (!asked->quiet)
      printf("%s: the run in %s is already complete\n", def->scenario->name, asked->folder);
    return WY_EXIT_DONE;
  }
  if (report->end != WY_RUN_DONE) {
    print_early_end(asked, report);
    print_warnings(report);
    return WY_EXIT_FAILED;
  }
  if (!asked->quiet) {
    print_results(asked, def->scenario, report);
    print_warnings(report);
  }
  if (!asked->quiet && report->message[0])
    fprintf(stderr, "withy: note: %s\n", report->message);
  return WY_EXIT_DONE;
}
