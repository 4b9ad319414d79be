/* SPDX-License-Identifier: MIT */
/* withy run: arguments, signals and the progress line of a run. The run itself is wy_run of withy/run.h. */
#include "cli/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/pool.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "cli/sweep.h"

static int enter(int argc, char **argv);

enum { RESUME = WY_LONG_ONLY };

const wy_verb wy_verb_run = {
    .name = "run",
    .summary = "run a scenario: a file, or the name of a built-in one",
    .operands = {WY_SCENARIO_OPERAND},
    .text =
        "Runs a scenario. SCENARIO is a file, or the name of a built-in scenario (`withy list`). The key `analysis` "
        "selects what is computed:\n"
        "- dynamics: the motion from t = 0 to time.end (default), with error control or a fixed step\n"
        "- quasistatics: equilibria from t = 0 to time.end, without inertia and damping\n"
        "- statics: the equilibrium under the loads at time.end\n"
        "- modes: vibration modes about this equilibrium\n"
        "- buckling: load factors at which the rods buckle\n"
        "\n"
        "Writes these files into DIR:\n"
        "- probes.csv: the probes at the output times\n"
        "- steps.csv: statistics of the solver at the output times: step size, steps, rejected steps (dynamics)\n"
        "- result.h5: snapshots of the whole state (HDF5), and result.xdmf for ParaView\n"
        "- modes.csv: frequencies (modes), or buckling.csv with load factors (buckling); mode shapes are in result.h5\n"
        "- path.csv: the probes at all equilibria (quasistatics of one rod with arc-length continuation)\n"
        "- summary.json: settings, status, statistics and warnings\n",
    .options = {{.code = 'o',
                 .name = "output",
                 .argument = {.name = "DIR", .kind = WY_ARGUMENT_FOLDER},
                 .text = "folder of the results (default: the name of the scenario with .out); results of an earlier "
                         "run in DIR are replaced"},
                {.code = 's',
                 .name = "set",
                 .argument = {.name = "PATH=VALUE"},
                 .many = true,
                 .text = "change a value of the scenario: rods.pendulum.segments=20, solver.tolerance=1e-8"},
                {.code = 'j',
                 .name = "threads",
                 .argument = {.name = "N"},
                 .text = "compute N rods, or parts of a batch, at the same time (default: as many as there are cores); "
                         "the results do not "
                         "depend on it"},
                {.code = 'q', .name = "quiet", .text = "print errors only"},
                {.code = RESUME,
                 .name = "resume",
                 .text = "continue an interrupted or killed run in DIR; the results are the same as without a break"}},
    .exits = {"done; there is a warning if the result is doubtful",
              "the run failed or was interrupted, or its result is known to be wrong; the results are kept",
              "the input is wrong; nothing was computed"},
    .notes =
        "Ctrl-C ends a run; the results so far are on disk.\n"
        "\n"
        "`mpirun -n RANKS withy-mpi batch SCENARIO` divides the rods of `batches` over the ranks of MPI, with the same "
        "options, files and results, where withy was built with MPI.\n",
    .run = enter,
};

/* ---- Progress ---- */

static void show_progress(void *context, double t, double end) {
  wy_progress_update(context, t, end);
}

/* ---- The run ---- */

static int refuse(wy_status status, const wy_message *message) {
  if (message->path[0])
    fprintf(stderr, "withy: %s: %s\n", message->path, message->text);
  else
    fprintf(stderr, "withy: %s\n", message->text);
  return status == WY_ERROR_INPUT || status == WY_ERROR_SUPPORT ? WY_EXIT_INPUT : WY_EXIT_FAILED;
}

int wy_run_start(const wy_run_request *asked, wy_scenario *scenario) {
  wy_progress progress = wy_progress_begin(asked->quiet, scenario->analysis == WY_DYNAMICS);
  wy_run_def def = wy_default_run_def();
  const bool several = scenario->model.rod_count + scenario->model.body_count > 1 || scenario->batch_count > 0;
  wy_pool *pool = several ? wy_pool_create(asked->threads ? asked->threads : wy_sweep_cores()) : NULL;
  scenario->sim.tasks = wy_pool_tasks(pool);
  def.scenario = scenario;
  def.folder = asked->folder;
  def.resume = asked->resume;
  def.ranks = asked->ranks;
  def.context = &progress;
  def.progress = show_progress;
  def.interrupted = wy_cli_interrupted;
  wy_run_report report;
  wy_message message;
  wy_cli_watch_signals();
  wy_status status = wy_run(&def, &report, &message);
  wy_progress_end(&progress);
  int result = report.end == WY_RUN_REFUSED ? refuse(status, &message) : wy_run_print(asked, &def, &report);
  wy_run_report_free(&report);
  wy_pool_destroy(pool);
  return result;
}

int wy_run_load(wy_run_request *asked, wy_scenario **scenario) {
  char name[256];
  wy_scenario_name(asked->scenario, name, sizeof name);
  snprintf(asked->usual, sizeof asked->usual, "%s.out", name);
  if (!asked->folder)
    asked->folder = asked->usual;
  return wy_cli_load(asked->scenario, asked->settings, asked->setting_count, asked->resume ? asked->folder : NULL,
                     scenario);
}

static int run_request(wy_run_request *asked) {
  wy_scenario *scenario = NULL;
  int result = wy_run_load(asked, &scenario);
  if (result != WY_EXIT_DONE)
    return result;
  result = wy_run_start(asked, scenario);
  wy_scenario_destroy(scenario);
  return result;
}

int wy_run_arguments(int argc, char **argv, wy_run_request *asked) {
  int option;
  while ((option = wy_verb_option(argc, argv, &wy_verb_run)) != -1) {
    switch (option) {
    case 'o':
      asked->folder = optarg;
      break;
    case 's':
      asked->settings[asked->setting_count++] = optarg;
      break;
    case 'j':
      asked->threads = wy_read_threads(optarg);
      if (asked->threads < 0)
        return wy_verb_usage(&wy_verb_run, "found -j '%s'; expected a number of threads from 1 to %d", optarg,
                             WY_MOST_THREADS);
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
    return wy_verb_usage(&wy_verb_run, argc == optind ? "no scenario is given; withy list shows the built-in ones"
                                                      : "found several scenarios; expected one");
  if (asked->folder && !*asked->folder)
    return wy_verb_usage(&wy_verb_run, "the name of the folder is empty");
  asked->scenario = argv[optind];
  return -1;
}

static int enter(int argc, char **argv) {
  wy_run_request asked = {0};
  asked.settings = calloc((size_t)argc, sizeof *asked.settings);
  if (!asked.settings) {
    fputs("withy: out of memory\n", stderr);
    return WY_EXIT_FAILED;
  }
  int result = wy_run_arguments(argc, argv, &asked);
  if (result < 0)
    result = run_request(&asked);
  free(asked.settings);
  return result;
}
