/* SPDX-License-Identifier: MIT */
/* withy converge: options, threads, signals and the progress line. The examination itself is that of withy/converge.h.
 */
#include "cli/converge.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/progress.h"
#include "cli/signals.h"
#include "cli/sweep.h"
#include "run/converge/inside.h"
#include "run/results/file.h"
#include "withy/draw.h"

static int enter(int argc, char **argv);

enum { LEVELS = WY_LONG_ONLY, JSON };

const wy_verb wy_verb_converge = {
    .name = "converge",
    .summary = "how wrong is a result: runs at finer resolutions",
    .operands = {WY_SCENARIO_OPERAND},
    .text =
        "Runs a scenario at its own resolution and at finer ones: N, 2N and 4N segments. Prints for every probe, "
        "and for every mode, the observed order of convergence, the value that the runs tend to, and an estimate "
        "of the error at N and at the finest level. Every rod is refined. In dynamics fixed steps are halved "
        "with the segments, error control gets a tighter tolerance, and one more run tells errors in time from "
        "those in space.\n"
        "\n"
        "The finest of three levels takes 4 times the work of the scenario, with fixed steps 16 times. Errors are the "
        "largest over the course of time; relative errors refer to the largest value of the probe.\n",
    .options = {{.code = LEVELS,
                 .name = "levels",
                 .argument = {.name = "K"},
                 .text = "number of levels, from 3 (the default) to 8; each one doubles the number of segments"},
                {.code = 'r',
                 .name = "refine",
                 .argument = {.name = "WHAT", .words = "all segments step tolerance"},
                 .text = "what is made finer: `all` (the default), `segments` with steps and tolerance as they are, or "
                         "`step` or `tolerance` with segments as they are"},
                {.code = 't',
                 .name = "target",
                 .argument = {.name = "X"},
                 .text = "say how many segments a relative error of X takes"},
                {.code = 's',
                 .name = "set",
                 .argument = {.name = "PATH=VALUE"},
                 .many = true,
                 .text = "change a value of the scenario: rods.pendulum.segments=20"},
                {.code = 'j',
                 .name = "threads",
                 .argument = {.name = "N"},
                 .text = "make N runs at the same time (default: as many as there are cores)"},
                {.code = 'o',
                 .name = "output",
                 .argument = {.name = "DIR", .kind = WY_ARGUMENT_FOLDER},
                 .text = "write converge.json, converge.csv and a page with pictures, index.html, into DIR"},
                {.code = JSON, .name = "json", .text = "print the content of converge.json instead of the table"},
                {.code = 'q', .name = "quiet", .text = "no progress and no table: errors only"}},
    .exits =
        {"every probe has an estimate that can be trusted",
         "an estimate cannot be trusted, a run failed or is wrong, it was interrupted, or a file cannot be written",
         "the input is wrong; nothing was computed"},
    .notes = "docs/guide/convergence.md explains the table, docs/theory/convergence.md where it comes from.\n",
    .run = enter,
};

/* ---- Threads ---- */

/* What the threads share. */
typedef struct crew {
  wy_converge *converge;
  pthread_mutex_t mutex;
  wy_progress progress;
  double shares[WY_CONVERGE_MOST + 1];
} crew;

static void *work(void *context) {
  wy_converge_work(((crew *)context)->converge);
  return NULL;
}

static void show_progress(void *context, int run, double share) {
  crew *all = context;
  double done = 0, whole = 0;
  pthread_mutex_lock(&all->mutex);
  all->shares[run] = share;
  for (int i = 0; all->converge && i < wy_converge_run_count(all->converge); i++) {
    const double part = wy_converge_describe(all->converge, i)->work;
    done += part * all->shares[i];
    whole += part;
  }
  wy_progress_update(&all->progress, done, whole);
  pthread_mutex_unlock(&all->mutex);
}

/* This thread works too; others that cannot be started are done without. */
static void compute(crew *all, int threads) {
  pthread_t *ids = calloc((size_t)threads, sizeof *ids);
  int started = 0;
  while (ids && started < threads - 1 && pthread_create(&ids[started], NULL, work, all) == 0)
    started++;
  work(all);
  for (int i = 0; i < started; i++)
    pthread_join(ids[i], NULL);
  free(ids);
  wy_progress_end(&all->progress);
}

/* ---- The examination ---- */

static int refuse(wy_status status, const wy_message *message) {
  fprintf(stderr, "withy: %s\n", message->text);
  return status == WY_ERROR_INPUT || status == WY_ERROR_SUPPORT ? WY_EXIT_INPUT : WY_EXIT_FAILED;
}

static int print_json(const wy_converge_report *report) {
  wy_text text = {0};
  wy_converge_json(report, &text);
  const bool whole = !text.failed;
  fputs(whole ? text.data : "", stdout);
  wy_text_free(&text);
  return whole ? WY_EXIT_DONE : WY_EXIT_FAILED;
}

static int write_files(const wy_converge_request *asked, const wy_converge_report *report) {
  wy_message message;
  char path[4096];
  wy_status status = wy_converge_write(report, asked->folder, &message);
  snprintf(path, sizeof path, "%s/index.html", asked->folder);
  if (status == WY_OK)
    status = wy_draw_converge(report, path, &message);
  if (status != WY_OK)
    return refuse(WY_ERROR_FILE, &message);
  if (!asked->quiet && !asked->json)
    printf("\n%s has pictures; converge.json and converge.csv have the numbers\n", path);
  return WY_EXIT_DONE;
}

static int show(const wy_converge_request *asked, const wy_converge_report *report) {
  int result = WY_EXIT_DONE;
  if (asked->json)
    result = print_json(report);
  else if (!asked->quiet)
    wy_converge_print(asked, report);
  if (asked->folder && result == WY_EXIT_DONE)
    result = write_files(asked, report);
  return result == WY_EXIT_DONE && !report->trusted ? WY_EXIT_FAILED : result;
}

static int examine(const wy_converge_request *asked, wy_converge_def *def) {
  crew all = {.mutex = PTHREAD_MUTEX_INITIALIZER, .progress = wy_progress_begin(asked->quiet || asked->json, false)};
  wy_converge_report report;
  wy_message message;
  def->context = &all;
  def->progress = show_progress;
  def->interrupted = wy_cli_interrupted;
  wy_status status = wy_converge_create(def, &all.converge, &message);
  if (status != WY_OK)
    return refuse(status, &message);
  if (!asked->quiet && !asked->json)
    wy_converge_print_plan(all.converge);
  wy_cli_watch_signals();
  compute(&all, asked->threads);
  status = wy_converge_judge(all.converge, &report, &message);
  wy_converge_destroy(all.converge);
  int result = WY_EXIT_FAILED;
  if (status != WY_OK)
    refuse(WY_ERROR_SOLVER, &message);
  else if (report.end == WY_RUN_INTERRUPTED)
    fputs("withy: interrupted; there are no results, since all levels are needed\n", stderr);
  else
    result = show(asked, &report);
  wy_converge_report_free(&report);
  return result;
}

static int run_request(const wy_converge_request *asked) {
  wy_scenario *scenario = NULL;
  int result = wy_cli_load(asked->scenario, asked->settings, asked->setting_count, NULL, &scenario);
  wy_message message;
  /* before the runs, so that a wrong name does not cost them */
  const wy_status made = result == WY_EXIT_DONE && asked->folder ? wy_folder_make(asked->folder, &message) : WY_OK;
  if (made != WY_OK)
    result = refuse(made, &message);
  if (result != WY_EXIT_DONE) {
    wy_scenario_destroy(scenario);
    return result;
  }
  wy_converge_def def = wy_default_converge_def();
  def.scenario = scenario;
  def.levels = asked->levels;
  def.refine = asked->refine;
  result = examine(asked, &def);
  wy_scenario_destroy(scenario);
  return result;
}

/* ---- Options ---- */

static bool read_count(const char *text, int least, int most, int *out) {
  char *end;
  errno = 0;
  const long value = strtol(text, &end, 10);
  *out = (int)value;
  return *text && !*end && errno == 0 && value >= least && value <= most;
}

static bool read_refinement(const char *text, wy_refinement *out) {
  for (int i = 0; wy_refinement_name((wy_refinement)i); i++)
    if (strcmp(text, wy_refinement_name((wy_refinement)i)) == 0) {
      *out = (wy_refinement)i;
      return true;
    }
  return false;
}

static bool read_target(const char *text, double *out) {
  char *end;
  *out = strtod(text, &end);
  return *text && !*end && *out > 0 && *out < 1;
}

/* Fills the request from one option; returns a negative number, or the exit status. */
static int read_option(int option, wy_converge_request *asked) {
  const wy_verb *verb = &wy_verb_converge;
  switch (option) {
  case LEVELS:
    return read_count(optarg, WY_CONVERGE_LEAST, WY_CONVERGE_MOST, &asked->levels)
               ? -1
               : wy_verb_usage(verb, "found --levels %s; expected a number from %d to %d", optarg, WY_CONVERGE_LEAST,
                               WY_CONVERGE_MOST);
  case 'r':
    return read_refinement(optarg, &asked->refine)
               ? -1
               : wy_verb_usage(verb, "found --refine %s; expected all, segments, step or tolerance", optarg);
  case 't':
    return read_target(optarg, &asked->target)
               ? -1
               : wy_verb_usage(verb, "found --target %s; expected a relative error between 0 and 1", optarg);
  case 'j':
    return read_count(optarg, 1, 1024, &asked->threads)
               ? -1
               : wy_verb_usage(verb, "found --threads %s; expected a number from 1 to 1024", optarg);
  case 's':
    asked->settings[asked->setting_count++] = optarg;
    return -1;
  case 'o':
    asked->folder = optarg;
    return *optarg ? -1 : wy_verb_usage(verb, "the name of the folder is empty");
  case JSON:
    asked->json = true;
    return -1;
  case 'q':
    asked->quiet = true;
    return -1;
  default:
    return option == WY_OPTION_HELP ? WY_EXIT_DONE : WY_EXIT_INPUT;
  }
}

static int read_arguments(int argc, char **argv, wy_converge_request *asked) {
  int option, result = -1;
  while (result < 0 && (option = wy_verb_option(argc, argv, &wy_verb_converge)) != -1)
    result = read_option(option, asked);
  if (result < 0 && argc - optind != 1)
    return wy_verb_usage(&wy_verb_converge, argc == optind ? "no scenario is given; withy list shows the built-in ones"
                                                           : "found several scenarios; expected one");
  asked->scenario = argv[optind];
  return result;
}

static int enter(int argc, char **argv) {
  wy_converge_request asked = {.levels = WY_CONVERGE_LEAST, .threads = wy_sweep_cores()};
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
