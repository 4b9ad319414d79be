/* withy run: a scenario from its file to a folder of results. The loop that drives the simulation, signals, and what
 * the user reads. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/progress.h"
#include "io/results.h"

static const char help[] =
    "usage: withy run SCENARIO [-o DIR] [--set PATH=VALUE]... [--quiet] [--resume]\n"
    "\n"
    "Runs a scenario: a file, or the name of a built-in one (withy list). Leaves in DIR:\n"
    "  probes.csv    the probes at the output times\n"
    "  result.h5     the whole state at the frame times (HDF5), result.xdmf beside it for ParaView\n"
    "  summary.json  what was run, how it ended, what it cost\n"
    "\n"
    "options:\n"
    "  -o, --output DIR      where the results go (default: the scenario's name and .out); results of an earlier run\n"
    "                        in DIR are replaced\n"
    "  -s, --set PATH=VALUE  changes a value of the scenario: rods.pendulum.segments=20, solver.tolerance=1e-8\n"
    "  -q, --quiet           prints errors only\n"
    "      --resume          goes on with a run in DIR that was interrupted or killed, to the same results\n"
    "  -h, --help            prints this\n"
    "\n"
    "Ctrl-C ends a run with everything computed until then on disk. Exit status: 0 done; 1 the run failed or was\n"
    "interrupted; 2 the input is wrong, nothing ran.\n";

/* Snapshots for --resume: at most so often in seconds, and never more than a small part of the time. */
static const double checkpoint_interval = 0.5, checkpoint_share = 0.02;
/* How long one call of the simulation should last, so that Ctrl-C and the progress line are answered soon. */
static const double shortest_call = 0.02, longest_call = 0.1;

typedef struct request {
  const char *scenario, *folder;
  const char **settings;
  int setting_count;
  bool quiet, resume;
} request;

static volatile sig_atomic_t signal_seen;

static void on_signal(int number) {
  signal_seen = number;
}

/* The first signal asks for an orderly end, a second one ends at once. A file that becomes too large is an error, not a
 * signal. */
static void watch_signals(void) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART | (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  struct sigaction hangup;
  if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
    sigaction(SIGHUP, &action, NULL);
  signal(SIGXFSZ, SIG_IGN);
}

typedef struct runner {
  wy_sim *sim;
  wy_results *results;
  wy_progress progress;
  double stride;          /* simulated time of one call */
  double next_checkpoint; /* wall time */
} runner;

static wy_status checkpoint_if_due(runner *r, wy_message *message) {
  double before = wy_wall_time();
  if (before < r->next_checkpoint)
    return WY_OK;
  wy_status status = wy_results_checkpoint(r->results, message);
  double after = wy_wall_time();
  r->next_checkpoint = after + fmax(checkpoint_interval, (after - before) / checkpoint_share);
  return status;
}

/* To time t in pieces of bounded wall time. Sampling does not change the steps of the simulation, so neither do the
 * pieces. */
static wy_status advance(runner *r, double t, bool *arrived, wy_message *message) {
  wy_status status = WY_OK;
  *arrived = false;
  while (status == WY_OK && !*arrived && !signal_seen) {
    double now = wy_sim_time(r->sim);
    bool last = !(now + r->stride < t);
    double before = wy_wall_time();
    status = wy_sim_sample(r->sim, last ? t : now + r->stride, message);
    double duration = wy_wall_time() - before;
    if (duration < shortest_call && !last)
      r->stride *= 2;
    else if (duration > longest_call)
      r->stride = fmax(r->stride / 2, 1e-9 * r->progress.end);
    wy_progress_update(&r->progress, wy_sim_time(r->sim));
    if (status == WY_OK && !last)
      status = checkpoint_if_due(r, message);
    *arrived = status == WY_OK && last;
  }
  return status;
}

static wy_status run_all(runner *r, wy_message *message) {
  wy_status status = WY_OK;
  double due = wy_results_due(r->results);
  while (status == WY_OK && isfinite(due) && !signal_seen) {
    bool arrived;
    status = advance(r, due, &arrived, message);
    if (arrived) {
      status = wy_results_record(r->results, message);
      due = wy_results_due(r->results);
      if (status == WY_OK && isfinite(due))
        status = checkpoint_if_due(r, message);
    }
  }
  if (status == WY_OK && isfinite(due))
    status = wy_results_checkpoint(r->results, message);
  return status;
}

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

static void print_resume_command(FILE *out, const request *asked) {
  fputs("withy run ", out);
  print_word(out, asked->scenario);
  fputs(" -o ", out);
  print_word(out, asked->folder);
  for (int i = 0; i < asked->setting_count; ++i) {
    fputs(" --set ", out);
    print_word(out, asked->settings[i]);
  }
  fputs(" --resume\n", out);
}

static void print_methods(const wy_model *model, const wy_sim *sim) {
  int rods = wy_model_rod_count(model);
  const int most = 5;
  for (int rod = 0; rod < rods && rod < most; ++rod) {
    wy_sim_info info = wy_sim_describe(sim, rod);
    printf("  %s: %s, %s, %s", wy_model_rod(model, rod)->name, info.scheme,
           wy_results_model_name(wy_model_rod(model, rod)->kind), info.integrator);
    if (info.reason[0])
      printf(" (%s)", info.reason);
    printf(", %d unknowns\n", info.unknowns);
  }
  if (rods > most)
    printf("  and %d more rods\n", rods - most);
}

static void print_report(const request *asked, const wy_run_report *report, const wy_model *model, const wy_sim *sim,
                         const char *name) {
  printf("%s: done, t = %.6g in %.3g s (%.3g x real time)\n", name, report->t_end, report->wall_seconds,
         report->realtime_factor);
  print_methods(model, sim);
  printf("  %ld steps, %ld rejected; energy drift %.2g\n", report->statistics.steps, report->statistics.rejected,
         report->drift);
  printf("  %ld rows in probes.csv, %ld frames in result.h5\n", report->rows, report->frames);
  fputs("results are in ", stdout);
  print_word(stdout, asked->folder);
  fputs("; pictures of them: withy plot ", stdout);
  print_word(stdout, asked->folder);
  fputc('\n', stdout);
}

static void print_early_end(const request *asked, const wy_run_report *report) {
  fprintf(stderr, "withy: %s\n", report->message);
  fprintf(stderr, "withy: what was computed until then is in %s: %ld rows and %ld frames, the last at t = %.9g\n",
          asked->folder, report->rows, report->frames, report->t_end);
  if (report->resumable) {
    fputs(report->end == WY_RUN_INTERRUPTED ? "withy: to continue: " : "withy: to continue when that is mended: ",
          stderr);
    print_resume_command(stderr, asked);
  }
}

static int refuse(wy_status status, const wy_message *message) {
  if (message->path[0])
    fprintf(stderr, "withy: %s: %s\n", message->path, message->text);
  else
    fprintf(stderr, "withy: %s\n", message->text);
  return status == WY_ERROR_INPUT || status == WY_ERROR_SUPPORT ? WY_EXIT_INPUT : WY_EXIT_FAILED;
}

static int run_to_end(const request *asked, const wy_results_def *def) {
  wy_message message = {{0}, {0}};
  runner r = {.sim = def->sim, .stride = def->scenario->end / 1000};
  watch_signals();
  wy_status status =
      asked->resume ? wy_results_resume(def, &r.results, &message) : wy_results_create(def, &r.results, &message);
  if (status != WY_OK)
    return refuse(status, &message);
  if (!r.results) {
    if (!asked->quiet)
      printf("%s: the run in %s is complete already\n", def->scenario->name, asked->folder);
    return WY_EXIT_DONE;
  }
  wy_progress_begin(&r.progress, asked->quiet, wy_sim_time(def->sim), def->scenario->end);
  r.next_checkpoint = wy_wall_time() + checkpoint_interval;
  status = run_all(&r, &message);
  wy_progress_end(&r.progress);

  wy_run_report report = {.end = WY_RUN_DONE};
  if (status != WY_OK) {
    report.end = WY_RUN_FAILED;
    report.resumable = status == WY_ERROR_FILE;
    snprintf(report.message, sizeof report.message, "%s", message.text);
  } else if (isfinite(wy_results_due(r.results))) {
    report.end = WY_RUN_INTERRUPTED;
    report.resumable = true;
    snprintf(report.message, sizeof report.message, "interrupted at t = %.9g of %.9g", wy_sim_time(def->sim),
             def->scenario->end);
  }
  wy_results_finish(r.results, &report);
  if (report.end != WY_RUN_DONE) {
    print_early_end(asked, &report);
    return WY_EXIT_FAILED;
  }
  if (!asked->quiet)
    print_report(asked, &report, def->model, def->sim, def->scenario->name);
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
    wy_results_def def = {asked->folder, scenario, asked->settings, asked->setting_count, model, sim};
    result = run_to_end(asked, &def);
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
