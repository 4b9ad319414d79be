/* SPDX-License-Identifier: MIT */
/* withy sweep: what a sweep is asked for, and what it says. The sweep itself is that of withy/sweep.h. */
#include "cli/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run.h"
#include "cli/signals.h"
#include "run/results/clock.h"
#include "run/sweep/plan.h"

static int enter(int argc, char **argv);

const wy_verb wy_verb_sweep = {
    .name = "sweep",
    .summary = "run a scenario with many values: a plan says which",
    .operands = {{.name = "PLAN", .kind = WY_ARGUMENT_SCENARIO}},
    .text =
        "Computes a plan: a YAML file that says which scenario to run, which of its values vary, and what to keep of "
        "each run.\n"
        "$ withy: 1\n"
        "$ scenario: rubber-pendulum\n"
        "$ vary:\n"
        "$   rods.pendulum.segments: [5, 10, 20]\n"
        "$   solver.tolerance: {from: 1e-6, to: 1e-3, count: 4, scale: log}\n"
        "$ keep:\n"
        "$   sag: {probe: tip.z, of: min}\n"
        "\n"
        "Every row equals that of `withy run --set`, unless the plan says `batch: true`: then all points are computed "
        "at once, as the rods of a batch. A run that fails is a row, the others go on. Writes these files into DIR:\n"
        "- sweep.csv: a row per point: its values, what is kept, status, message\n"
        "- index.html: a page with pictures, for any browser; each picture is also a file (.svg)\n"
        "- sweep.h5: the same with whole courses (HDF5), if the plan keeps `series`\n"
        "- journal-1-of-1.csv: the rows as they come; `--resume` goes on from it\n"
        "- plan.yaml, sweep.json: what was computed\n",
    .options = {{.code = 'o',
                 .name = "output",
                 .argument = {.name = "DIR", .kind = WY_ARGUMENT_FOLDER},
                 .text = "folder of the results (default: the name of the plan with .out); an earlier sweep in DIR is "
                         "replaced"},
                {.code = 'j',
                 .name = "threads",
                 .argument = {.name = "N"},
                 .text = "compute N points at the same time, a batch with N threads (default: as many as there are "
                         "cores)"},
                {.code = 's',
                 .name = "set",
                 .argument = {.name = "PATH=VALUE"},
                 .many = true,
                 .text = "change a value of the scenario for all points"},
                {.code = 'q', .name = "quiet", .text = "print errors only"},
                {.code = WY_SWEEP_RESUME, .name = "resume", .text = "keep the rows that DIR has, compute the others"},
                {.code = WY_SWEEP_PART,
                 .name = "part",
                 .argument = {.name = "I/N"},
                 .text = "compute part I of N only: for job arrays; all parts share DIR"},
                {.code = WY_SWEEP_COLLECT,
                 .name = "collect",
                 .argument = {.name = "DIR", .kind = WY_ARGUMENT_FOLDER},
                 .text = "put the rows of all parts in DIR together, without a plan"},
                {.code = WY_SWEEP_LIST, .name = "list", .text = "print the points, compute nothing"},
                {.code = WY_SWEEP_POINT,
                 .name = "point",
                 .argument = {.name = "K"},
                 .text = "compute point K alone, with all files of a run, into DIR/point-K"},
                {.code = WY_SWEEP_HDF5, .name = "hdf5", .text = "write sweep.h5 also if the plan keeps no series"},
                {.code = WY_SWEEP_NO_PAGE, .name = "no-page", .text = "draw no page; `withy plot DIR` draws it later"}},
    .exits = {"all points are done",
              "a point failed, is wrong or was refused, the sweep was interrupted, or rows are "
              "missing; the other rows are kept",
              "the plan or an option is wrong; nothing was computed"},
    .notes =
        "Ctrl-C ends a sweep; the rows so far are in the journal, and --resume goes on.\n"
        "\n"
        "`mpirun -n RANKS withy-mpi sweep PLAN` computes the same plan over the ranks of MPI, with the same options, "
        "files and results, where withy was built with MPI.\n",
    .run = enter,
};

/* ---- The points ---- */

static int print_points(const wy_plan *plan) {
  const int parameters = wy_plan_parameter_count(plan), points = wy_plan_point_count(plan);
  int *widths = calloc((size_t)parameters, sizeof *widths);
  char text[256];
  if (!widths)
    return WY_EXIT_FAILED;
  for (int i = 0; i < parameters; i++) {
    widths[i] = (int)strlen(wy_plan_parameter(plan, i));
    for (int point = 0; point < points; point++) {
      const int length = (int)wy_plan_value(plan, point, i, NULL, 0);
      widths[i] = length > widths[i] ? length : widths[i];
    }
  }
  printf("point");
  for (int i = 0; i < parameters; i++)
    printf("  %*s", widths[i], wy_plan_parameter(plan, i));
  for (int point = 0; point < points; point++) {
    printf("\n%5d", point);
    for (int i = 0; i < parameters; i++) {
      wy_plan_value(plan, point, i, text, sizeof text);
      printf("  %*s", widths[i], text);
    }
  }
  printf("\n");
  free(widths);
  return WY_EXIT_DONE;
}

/* A whole run, as `withy run --set` makes it. */
static int run_point(const wy_sweep_request *asked, const wy_plan *plan) {
  wy_scenario *scenario;
  wy_scenario_error error;
  char folder[4096];
  if (asked->point >= wy_plan_point_count(plan))
    return wy_verb_usage(&wy_verb_sweep, "found --point %d; the plan has the points 0 to %d", asked->point,
                         wy_plan_point_count(plan) - 1);
  if (wy_plan_is_batch(plan))
    return wy_verb_usage(&wy_verb_sweep,
                         "found --point %d of a plan with `batch`, whose points are computed together; "
                         "expected the whole sweep, or a plan without it",
                         asked->point);
  const wy_status status = wy_plan_open(plan, asked->point, &scenario, &error);
  if (status != WY_OK) {
    fprintf(stderr, "%s\n%s", error.text, error.excerpt);
    return status == WY_ERROR_MEMORY ? WY_EXIT_FAILED : WY_EXIT_INPUT;
  }
  snprintf(folder, sizeof folder, "%s/point-%d", asked->folder, asked->point);
  const wy_run_request run = {.scenario = wy_plan_scenario(plan), .folder = folder, .quiet = asked->quiet};
  const int result = wy_run_start(&run, scenario);
  wy_scenario_destroy(scenario);
  return result;
}

/* ---- The sweep ---- */

static void print_resume(const wy_sweep_request *asked, const char *command, const wy_sweep_counts *counts) {
  fprintf(stderr, "withy: %d of %d points have a row in %s; to continue: %s %s -o %s", counts->points - counts->missing,
          counts->points, asked->folder, command, asked->plan, asked->folder);
  for (int i = 0; i < asked->setting_count; i++)
    fprintf(stderr, " --set '%s'", asked->settings[i]);
  if (asked->parts > 1)
    fprintf(stderr, " --part %d/%d", asked->part, asked->parts);
  fprintf(stderr, " --resume\n");
}

int wy_sweep_perform(const wy_sweep_request *asked, const wy_plan *plan, const wy_sweep_workers *workers) {
  wy_sweep_def def = wy_default_sweep_def();
  wy_sweep *sweep;
  wy_sweep_counts counts;
  wy_message message, closing;
  char who[60] = "";
  def.plan = plan;
  def.folder = asked->folder;
  def.part = asked->part;
  def.parts = asked->parts;
  def.resume = asked->resume;
  def.hdf5 = asked->hdf5;
  wy_status status = wy_sweep_open(&def, &sweep, &message);
  if (status != WY_OK)
    return wy_sweep_refuse(status, &message);
  const double before = wy_wall_time();
  wy_cli_watch_signals();
  status = workers->compute(workers->context, sweep, who, &message);
  const double seconds = wy_wall_time() - before;
  const wy_status closed = wy_sweep_close(sweep, &counts, &closing);
  if (status != WY_OK || closed != WY_OK)
    wy_sweep_refuse(WY_ERROR_FILE, status != WY_OK ? &message : &closing);
  if (status != WY_OK || counts.missing > 0) {
    print_resume(asked, workers->command, &counts);
    return WY_EXIT_FAILED;
  }
  return closed == WY_OK ? wy_sweep_print(asked, &counts, seconds, who) : WY_EXIT_FAILED;
}

static int collect(const wy_sweep_request *asked) {
  wy_sweep_counts counts;
  wy_message message;
  const wy_status status = wy_sweep_collect(asked->collect, asked->hdf5, &counts, &message);
  if (status != WY_OK && status != WY_ERROR_RESULT)
    return wy_sweep_refuse(status, &message);
  const int result = wy_sweep_print(asked, &counts, 0, NULL);
  if (status != WY_OK)
    fprintf(stderr, "withy: %s\n", message.text);
  return result;
}

static int run_request(wy_sweep_request *asked) {
  wy_plan *plan;
  const wy_sweep_workers workers = {.command = "withy sweep", .compute = wy_sweep_compute, .context = asked};
  if (asked->collect)
    return collect(asked);
  int result = wy_sweep_load(asked, &plan);
  if (result != WY_EXIT_DONE)
    return result;
  asked->batch = wy_plan_is_batch(plan);
  if (asked->list)
    result = print_points(plan);
  else if (asked->point >= 0)
    result = run_point(asked, plan);
  else
    result = wy_sweep_perform(asked, plan, &workers);
  wy_plan_destroy(plan);
  return result;
}

static int enter(int argc, char **argv) {
  wy_sweep_request asked = {0};
  asked.settings = calloc((size_t)argc, sizeof *asked.settings);
  if (!asked.settings) {
    fputs("withy: out of memory\n", stderr);
    return WY_EXIT_FAILED;
  }
  int result = wy_sweep_arguments(argc, argv, &asked);
  if (result < 0)
    result = run_request(&asked);
  free(asked.settings);
  return result;
}
