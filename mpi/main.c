/* SPDX-License-Identifier: MIT */
/* withy-mpi: `withy sweep`, and `withy run` of batches, over the ranks of MPI. Rank 0 reads the plan or the scenario
   and owns all files; every rank computes. */
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/progress.h"
#include "cli/signals.h"
#include "cli/sweep.h"
#include "mpi/batch.h"
#include "mpi/share.h"
#include "mpi/sweep.h"

static const char help[] =
    "usage: mpirun -n RANKS withy-mpi sweep PLAN [OPTION]...\n"
    "       mpirun -n RANKS withy-mpi batch SCENARIO [OPTION]...\n"
    "\n"
    "sweep computes the points of a plan as `withy sweep` does, with the same options, files and exit status, on all\n"
    "ranks of an MPI program. The results are the same. `withy sweep --help` explains the rest.\n"
    "\n"
    "batch runs a scenario with `batches` as `withy run` does. Each batch is divided over the ranks; rank 0 writes "
    "all\n"
    "files. The results are the same. `withy run --help` explains the rest.\n"
    "\n"
    "Of both only -j is another: the threads of each rank (default: 1).\n"
    "\n"
    "SIGINT, SIGTERM, SIGHUP or SIGUSR1 to any rank ends both in order; what was computed is on disk, and --resume "
    "goes\n"
    "on. It does so too after a rank was killed.\n";

/* How rank 0 gets its points computed. */
typedef struct wy_job {
  wy_study study; /* outlives the queue: a thread that does not end uses it to the last */
  int ranks, threads;
  bool quiet;
  bool lost; /* some rank does not answer */
} wy_job;

static void show(void *context, const wy_sweep_counts *now) {
  wy_progress_points(context, now->points - now->missing, now->points, now->wrong + now->failed + now->refused);
}

/* Serves the queue. */
static wy_status compute(void *context, wy_sweep *sweep, char who[60], wy_message *message) {
  wy_job *job = context;
  wy_progress progress = wy_progress_begin(job->quiet, false);
  job->study.sweep = sweep;
  job->study.context = &progress;
  const wy_queue_def def = wy_study_queue(&job->study, MPI_COMM_WORLD, job->threads);
  const wy_queue_end end = wy_queue_serve(&def, &job->lost);
  wy_progress_end(&progress);
  snprintf(who, 60, "%d rank%s of %d thread%s", job->ranks, job->ranks == 1 ? "" : "s", job->threads,
           job->threads == 1 ? "" : "s");
  *message = job->study.message;
  return end == WY_QUEUE_UNRECORDED ? WY_ERROR_FILE : end == WY_QUEUE_MEMORY ? WY_ERROR_MEMORY : WY_OK;
}

/* The sweep of a plan that all ranks have; they work until they are told to finish. */
static int perform(const wy_sweep_request *asked, const wy_plan *plan, int threads) {
  char command[60];
  const wy_study study = {.plan = plan,
                          .interrupted = wy_cli_interrupted,
                          .progress = show,
                          .message = {.text = "a rank has no memory for a point"}};
  wy_job job = {.study = study, .threads = threads, .quiet = asked->quiet};
  MPI_Comm_size(MPI_COMM_WORLD, &job.ranks);
  snprintf(command, sizeof command, "mpirun -n %d withy-mpi sweep", job.ranks);
  const wy_sweep_workers workers = {.command = command, .compute = compute, .context = &job};
  const int result = wy_sweep_perform(asked, plan, &workers);
  fflush(stdout);
  if (job.lost)
    MPI_Abort(MPI_COMM_WORLD, result);
  wy_queue_finish(MPI_COMM_WORLD, result);
  return result;
}

/* Open MPI ties a rank to one core where nobody says otherwise. */
static void warn_of_cores(int threads) {
  const int mine = wy_sweep_cores();
  const long all = sysconf(_SC_NPROCESSORS_ONLN);
  if (threads > mine && mine < all)
    fprintf(stderr,
            "withy: warning: each rank has %d threads, but rank 0 may use %d of %ld cores only; with Open MPI start "
            "it with mpirun --bind-to none\n",
            threads, mine, all);
}

/* Reads options and plan; returns a negative number, or the exit status where there is nothing to compute. */
static int prepare(int argc, char **argv, wy_sweep_request *asked, wy_plan **plan) {
  int result = wy_sweep_arguments(argc, argv, asked);
  if (result >= 0)
    return result;
  if (asked->collect || asked->list || asked->point >= 0)
    return wy_verb_usage(&wy_verb_sweep, "withy-mpi only computes; --collect, --list and --point are for withy sweep");
  result = wy_sweep_load(asked, plan);
  if (result != WY_EXIT_DONE || !wy_plan_is_batch(*plan))
    return result == WY_EXIT_DONE ? -1 : result;
  wy_plan_destroy(*plan);
  *plan = NULL;
  return wy_verb_usage(&wy_verb_sweep, "found a plan with `batch`, whose points are computed together; expected withy "
                                       "sweep, or a plan without it");
}

/* Rank 0. */
static int lead(int argc, char **argv, const char **settings) {
  wy_message message;
  wy_sweep_request asked = {.settings = settings};
  wy_shared shared = {.plan = NULL};
  shared.status = prepare(argc, argv, &asked, &shared.plan);
  shared.label = asked.plan;
  shared.settings = asked.settings;
  shared.setting_count = asked.setting_count;
  shared.threads = asked.threads ? asked.threads : 1;
  int result;
  if (wy_share(MPI_COMM_WORLD, &shared, &message)) {
    warn_of_cores(shared.threads);
    result = perform(&asked, shared.plan, shared.threads);
  } else {
    result = shared.status;
    if (message.text[0])
      wy_sweep_refuse(WY_ERROR_INPUT, &message);
  }
  wy_plan_destroy(shared.plan);
  return result;
}

/* Any other rank. */
static int follow(void) {
  wy_message message;
  wy_shared shared = {.plan = NULL};
  int result;
  if (wy_share(MPI_COMM_WORLD, &shared, &message)) {
    wy_study study = {.plan = shared.plan, .interrupted = wy_cli_interrupted};
    const wy_queue_def def = wy_study_queue(&study, MPI_COMM_WORLD, shared.threads);
    wy_cli_watch_signals();
    result = wy_queue_work(&def);
  } else {
    result = shared.status;
  }
  wy_plan_destroy(shared.plan);
  return result;
}

/* What needs no other rank; returns a negative number if there is more to do. */
static int answer(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
      fputs(help, stdout);
      return WY_EXIT_DONE;
    }
  if (argc > 1 && strcmp(argv[1], "--version") == 0) {
    printf("withy-mpi %s\n", wy_version());
    return WY_EXIT_DONE;
  }
  return -1;
}

static int refuse_verb(int rank) {
  if (rank == 0)
    fprintf(stderr, "withy-mpi: expected the command sweep or batch; withy-mpi --help explains them\n");
  return WY_EXIT_INPUT;
}

int main(int argc, char **argv) {
  int level, rank, result = answer(argc, argv);
  if (result >= 0)
    return result;
  const char **settings = calloc((size_t)argc, sizeof *settings);
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  wy_cli_watch_signal(SIGUSR1);
  if (!settings || level < MPI_THREAD_FUNNELED) {
    fprintf(stderr, "withy-mpi: %s\n", settings ? "this MPI does not allow threads" : "out of memory");
    MPI_Abort(MPI_COMM_WORLD, WY_EXIT_FAILED);
  }
  const char *verb = argc < 2 ? "" : argv[1];
  if (strcmp(verb, "sweep") == 0)
    result = rank == 0 ? lead(argc - 1, argv + 1, settings) : follow();
  else if (strcmp(verb, "batch") == 0)
    result = rank == 0 ? wy_batch_lead(argc - 1, argv + 1, settings) : wy_batch_follow();
  else
    result = refuse_verb(rank);
  free(settings);
  MPI_Finalize();
  return result;
}
