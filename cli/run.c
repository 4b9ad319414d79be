/* withy run: a scenario from its file to a folder of results, and what the user reads. The loop is in runner.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/check.h"
#include "cli/cli.h"
#include "cli/runner.h"

static const char help[] =
    "usage: withy run SCENARIO [-o DIR] [--set PATH=VALUE]... [--quiet] [--resume]\n"
    "\n"
    "Runs a scenario: a file, or the name of a built-in one (withy list). Its `analysis` says what is computed:\n"
    "  dynamics      the motion from 0 to time.end (default), with steps that adapt or a fixed one, as solver says\n"
    "  quasistatics  the equilibria from 0 to time.end, without inertia and damping\n"
    "  statics       the equilibrium under the loads of time.end\n"
    "  modes         vibrations about that equilibrium\n"
    "  buckling      factors by which the loads must be multiplied for the rods to buckle\n"
    "\n"
    "Leaves in DIR:\n"
    "  probes.csv    the probes at the output times\n"
    "  steps.csv     what the solver has done up to them: step size, steps, rejected ones and more (dynamics)\n"
    "  result.h5     the whole state at the frame times (HDF5), result.xdmf beside it for ParaView\n"
    "  modes.csv     of modes; buckling.csv of buckling; the shapes are in result.h5\n"
    "  path.csv      the probes at all equilibria, of quasistatics of one rod by arc length\n"
    "  summary.json  what was run, how it ended, what it cost, warnings\n"
    "\n"
    "options:\n"
    "  -o, --output DIR      where the results go (default: the scenario's name and .out); results of an earlier run\n"
    "                        in DIR are replaced\n"
    "  -s, --set PATH=VALUE  changes a value of the scenario: rods.pendulum.segments=20, solver.tolerance=1e-8\n"
    "  -q, --quiet           prints errors only\n"
    "      --resume          goes on with a run in DIR that was interrupted or killed, to the same results\n"
    "  -h, --help            prints this\n"
    "\n"
    "Ctrl-C ends a run with everything computed until then on disk. Exit status: 0 done, with\n"
    "warnings where the result is doubtful; 1 the run failed or was interrupted, or its result is known to be wrong\n"
    "(it is kept); 2 the input is wrong, nothing ran.\n";

typedef struct request {
  const char *scenario, *folder;
  const char **settings;
  int setting_count;
  bool quiet, resume;
} request;

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

static void print_resume_command(FILE *out, const request *asked) {
  fputs("withy run ", out);
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

static void print_methods(const wy_results_def *def) {
  int rods = wy_model_rod_count(def->model);
  const int most = 5;
  for (int rod = 0; rod < rods && rod < most; ++rod) {
    wy_sim_info info = wy_sim_describe(def->sim, rod);
    const wy_rod_def *rod_def = wy_model_rod(def->model, rod);
    printf("  %s: %s, %s, %s", rod_def->name, info.scheme, wy_rod_kind_name(rod_def->kind),
           wy_results_method_name(def->scenario, def->sim, rod));
    if (info.reason[0] && def->scenario->analysis == WY_DYNAMICS)
      printf(" (%s)", info.reason);
    print_step(def->scenario, rod);
    printf(", %d unknowns\n", info.unknowns);
  }
  if (rods > most)
    printf("  and %d more rods\n", rods - most);
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

static void print_costs(const wy_results_def *def, const wy_run_report *report) {
  const wy_statistics *cost = &report->statistics;
  if (def->scenario->analysis == WY_DYNAMICS) {
    printf("  %ld steps, %ld rejected; energy drift %.2g\n", cost->steps, cost->rejected, report->drift);
    return;
  }
  wy_equilibrium_info info = wy_results_equilibrium(def, WY_ALL_RODS);
  printf("  %ld equilibria, %ld increments rejected, %ld Newton iterations", cost->steps, cost->rejected,
         cost->newton_iterations);
  if (info.limit_points > 0)
    printf("; %d limit points", info.limit_points);
  bool judged = def->scenario->analysis != WY_BUCKLING && info.unstable >= 0;
  printf("%s\n", !judged ? "" : info.unstable == 0 ? "; stable" : "; unstable");
  if (info.way != WY_WAY_STRAIGHT)
    printf("  found %s, after %d other way%s\n", wy_equilibrium_way_name(info.way), info.ways_tried,
           info.ways_tried == 1 ? "" : "s");
  if (info.snaps > 0)
    printf("  snapped %d time%s, first at t = %.6g\n", info.snaps, info.snaps == 1 ? "" : "s", info.first_snap);
}

/* The first rows of modes.csv or buckling.csv, for people. */
static void print_modes(const wy_mode_table *modes, const wy_model *model) {
  const double turn = 6.28318530717958647692;
  const int most = 10;
  if (modes->count == 0)
    printf(modes->buckling ? "  no critical factor was found\n" : "  no modes\n");
  else
    printf(modes->buckling ? "  mode      factor\n" : "  mode     omega  frequency    damping\n");
  for (int i = 0; i < modes->count && i < most; ++i) {
    const wy_mode_row *row = &modes->rows[i];
    printf("  %4d %10.5g", i + 1, row->value);
    if (!modes->buckling)
      printf(" %10.5g %10.3g", row->value / turn, row->damping_ratio);
    else if (row->limit_point)
      printf("  limit point: the loads cannot grow any further");
    printf("%s%s\n", modes->rod_count > 1 ? "  " : "", modes->rod_count > 1 ? wy_model_rod(model, row->rod)->name : "");
  }
  if (modes->count > most)
    printf("  and %d more\n", modes->count - most);
}

static void print_report(const request *asked, const wy_run_report *report, const wy_runner *runner) {
  const wy_results_def *def = runner->def;
  print_done(def->scenario, report);
  print_methods(def);
  print_costs(def, report);
  if (runner->modes)
    print_modes(runner->modes, def->model);
  for (int i = 0; i < def->scenario->strands_count; ++i)
    printf("  %s: %d strand%s\n", def->scenario->strands[i].name, def->scenario->strands[i].count,
           def->scenario->strands[i].count == 1 ? "" : "s");
  printf("  %ld row%s in probes.csv, %ld frame%s in result.h5\n", report->rows, report->rows == 1 ? "" : "s",
         report->frames, report->frames == 1 ? "" : "s");
  fputs("results are in ", stdout);
  print_path(stdout, asked->folder);
  fputs("; to see them: withy view ", stdout);
  print_path(stdout, asked->folder);
  fputs(" (in 3D), withy plot ", stdout);
  print_path(stdout, asked->folder);
  fputc('\n', stdout);
}

static void print_early_end(const request *asked, const wy_run_report *report) {
  fprintf(stderr, "withy: %s%s\n", report->end == WY_RUN_WRONG ? "the result is wrong: " : "", report->message);
  if (report->rows + report->frames > 0)
    fprintf(stderr, "withy: what was computed%s is in %s: %ld row%s and %ld frame%s, the last at t = %.9g\n",
            report->end == WY_RUN_WRONG ? "" : " until then", asked->folder, report->rows, report->rows == 1 ? "" : "s",
            report->frames, report->frames == 1 ? "" : "s", report->t_end);
  else
    fprintf(stderr, "withy: there is nothing in %s but the summary\n", asked->folder);
  if (report->resumable) {
    fputs(report->end == WY_RUN_INTERRUPTED ? "withy: to continue: " : "withy: to continue when that is mended: ",
          stderr);
    print_resume_command(stderr, asked);
  }
}

/* What makes the result wrong has been said already by the report. */
static void print_warnings(const wy_results_def *def, const wy_run_report *report) {
  char text[WY_WARNING_SIZE];
  for (int i = 0; i < def->doubt_count; ++i)
    fprintf(stderr, "withy: warning: %s\n", def->doubts[i]);
  wy_findings_list found = wy_results_findings(def->sim);
  for (int i = 0; i < found.count; ++i)
    if (wy_results_warning(&found.list[i], text) && strcmp(text, report->message) != 0)
      fprintf(stderr, "withy: %s: %s\n", found.list[i].severity == WY_WRONG ? "wrong" : "warning", text);
  free(found.list);
}

static int refuse(wy_status status, const wy_message *message) {
  if (message->path[0])
    fprintf(stderr, "withy: %s: %s\n", message->path, message->text);
  else
    fprintf(stderr, "withy: %s\n", message->text);
  return status == WY_ERROR_INPUT || status == WY_ERROR_SUPPORT ? WY_EXIT_INPUT : WY_EXIT_FAILED;
}

/* How the run ended, as far as that is known before its files are complete. */
static wy_run_report judge(const wy_runner *runner, wy_status status, const wy_message *message) {
  const wy_results_def *def = runner->def;
  wy_run_report report = {.end = WY_RUN_DONE};
  wy_message verdict = {{0}, {0}};
  if (status != WY_OK) {
    report.end = status == WY_ERROR_RESULT ? WY_RUN_WRONG : WY_RUN_FAILED;
    report.resumable = status == WY_ERROR_FILE;
    snprintf(report.message, sizeof report.message, "%s", message->text);
  } else if (!runner->complete) {
    report.end = WY_RUN_INTERRUPTED;
    report.resumable = true;
    snprintf(report.message, sizeof report.message, "interrupted at t = %.9g of %.9g", wy_sim_time(def->sim),
             def->scenario->end);
  } else if (wy_sim_verify(def->sim, NULL, 0, NULL, &verdict) != WY_OK) {
    report.end = WY_RUN_WRONG;
    snprintf(report.message, sizeof report.message, "%s", verdict.text);
  } else {
    snprintf(report.message, sizeof report.message, "%s", runner->note);
  }
  return report;
}

static int run_to_end(const request *asked, wy_runner *runner) {
  const wy_results_def *def = runner->def;
  wy_message message = {{0}, {0}};
  wy_watch_signals();
  wy_status status = asked->resume ? wy_results_resume(def, &runner->results, &message)
                                   : wy_results_create(def, &runner->results, &message);
  if (status != WY_OK)
    return refuse(status, &message);
  if (!runner->results) {
    if (!asked->quiet)
      printf("%s: the run in %s is complete already\n", def->scenario->name, asked->folder);
    return WY_EXIT_DONE;
  }
  wy_progress_begin(&runner->progress, asked->quiet, wy_sim_time(def->sim), def->scenario->end);
  runner->progress.timeless = def->scenario->analysis != WY_DYNAMICS;
  status = wy_run_analysis(runner, &message);
  wy_progress_end(&runner->progress);
  wy_run_report report = judge(runner, status, &message);
  wy_results_finish(runner->results, &report);
  if (report.end != WY_RUN_DONE) {
    print_early_end(asked, &report);
    print_warnings(def, &report);
    return WY_EXIT_FAILED;
  }
  if (!asked->quiet) {
    print_report(asked, &report, runner);
    print_warnings(def, &report);
  }
  if (!asked->quiet && report.message[0])
    fprintf(stderr, "withy: note: %s\n", report.message);
  return WY_EXIT_DONE;
}

static int run_scenario(request *asked, const wy_scenario *scenario) {
  wy_message message = {{0}, {0}};
  wy_model *model = NULL;
  wy_sim *sim = NULL;
  wy_status status = wy_model_create(&scenario->model, &model, &message);
  if (status == WY_OK)
    status = wy_sim_create(model, &scenario->sim, &sim, &message);
  int result;
  if (status == WY_OK) {
    wy_warnings doubts = {.silent = true};
    wy_judge_scenario(scenario, model, &doubts);
    wy_results_def def = {asked->folder, scenario, asked->settings, asked->setting_count,
                          model,         sim,      doubts.text,     doubts.count};
    wy_runner runner = {.def = &def};
    result = run_to_end(asked, &runner);
    wy_mode_table_destroy(runner.modes);
  } else {
    result = refuse(status, &message);
  }
  wy_sim_destroy(sim);
  wy_model_destroy(model);
  return result;
}

static int run_request(request *asked) {
  wy_scenario *scenario = NULL;
  int result = wy_cli_load(asked->scenario, asked->settings, asked->setting_count, &scenario);
  if (result != WY_EXIT_DONE)
    return result;
  char *folder = NULL;
  if (!asked->folder) {
    size_t size = strlen(scenario->name) + sizeof ".out";
    folder = malloc(size);
    if (!folder) {
      fputs("withy: out of memory\n", stderr);
      wy_scenario_destroy(scenario);
      return WY_EXIT_FAILED;
    }
    snprintf(folder, size, "%s.out", scenario->name);
    asked->folder = folder;
  }
  result = run_scenario(asked, scenario);
  free(folder);
  wy_scenario_destroy(scenario);
  return result;
}

/* Fills the request; returns a negative number, or the exit status where there is nothing to run. */
static int read_arguments(int argc, char **argv, request *asked) {
  enum { RESUME = 256 };
  static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                          {"set", required_argument, NULL, 's'},
                                          {"quiet", no_argument, NULL, 'q'},
                                          {"resume", no_argument, NULL, RESUME},
                                          {NULL, 0, NULL, 0}};
  int option;
  while ((option = wy_cli_option(argc, argv, help, "o:s:q", options)) != -1) {
    switch (option) {
    case 'o':
      asked->folder = optarg;
      break;
    case 's':
      asked->settings[asked->setting_count++] = optarg;
      break;
    case 'q':
      asked->quiet = true;
      break;
    case RESUME:
      asked->resume = true;
      break;
    default:
      return option == WY_OPTION_HELP ? WY_EXIT_DONE : WY_EXIT_INPUT;
    }
  }
  if (argc - optind != 1)
    return wy_cli_usage(help, argc == optind ? "no scenario is given; withy list shows the built-in ones"
                                             : "one scenario at a time");
  if (asked->folder && !*asked->folder)
    return wy_cli_usage(help, "the name of the folder is empty");
  asked->scenario = argv[optind];
  return -1;
}

int wy_cli_run(int argc, char **argv) {
  request asked = {0};
  asked.settings = calloc((size_t)argc, sizeof *asked.settings);
  if (!asked.settings) {
    fputs("withy: out of memory\n", stderr);
    return WY_EXIT_FAILED;
  }
  int result = read_arguments(argc, argv, &asked);
  if (result < 0)
    result = run_request(&asked);
  free(asked.settings);
  return result;
}
