/* SPDX-License-Identifier: MIT */
/* Rank 0 reads the scenario, computes what is not a batch, and owns all files: it is `withy run`, whose batches have
   parts on the other ranks. */
#include "mpi/batch.h"

#include <stdio.h>

#include "cli/pool.h"
#include "cli/run.h"
#include "cli/signals.h"
#include "mpi/ranks.h"
#include "mpi/share.h"

static MPI_Comm world = MPI_COMM_WORLD;

/* Reads options and scenario; WY_EXIT_DONE and no scenario: there was nothing to run. */
static int prepare(int argc, char **argv, wy_run_request *asked, wy_scenario **scenario) {
  int result = wy_run_arguments(argc, argv, asked);
  if (result >= 0)
    return result;
  result = wy_run_load(asked, scenario);
  if (result != WY_EXIT_DONE || (*scenario)->batch_count > 0)
    return result;
  fprintf(stderr, "withy: %s: found no `batches`; expected some, which ranks can share: `withy run` runs the rest\n",
          asked->scenario);
  wy_scenario_destroy(*scenario);
  *scenario = NULL;
  return WY_EXIT_INPUT;
}

int wy_batch_lead(int argc, char **argv, const char **settings) {
  char command[60];
  wy_message message;
  const wy_ranks ranks = wy_ranks_on(&world);
  snprintf(command, sizeof command, "mpirun -n %d withy-mpi batch", ranks.count);
  wy_run_request asked = {.settings = settings, .ranks = &ranks, .command = command};
  wy_scenario *scenario = NULL;
  int result = prepare(argc, argv, &asked, &scenario);
  asked.threads = asked.threads ? asked.threads : 1;
  wy_shared shared = {.scenario = scenario,
                      .label = asked.scenario,
                      .settings = asked.settings,
                      .setting_count = asked.setting_count,
                      .threads = asked.threads,
                      .status = result};
  if (wy_share(world, &shared, &message)) {
    result = wy_run_start(&asked, scenario);
    fflush(stdout);
    MPI_Bcast(&result, 1, MPI_INT, 0, world);
  } else if (message.text[0]) {
    fprintf(stderr, "withy: %s\n", message.text);
    result = WY_EXIT_INPUT;
  }
  wy_scenario_destroy(scenario);
  return result;
}

int wy_batch_follow(void) {
  wy_message message;
  wy_shared shared = {.scenario = NULL};
  int result;
  if (wy_share(world, &shared, &message)) {
    const wy_ranks ranks = wy_ranks_on(&world);
    wy_pool *pool = wy_pool_create(shared.threads);
    shared.scenario->sim.tasks = wy_pool_tasks(pool);
    wy_cli_watch_signals();
    wy_run_serve(shared.scenario, &ranks, wy_cli_interrupted, NULL, &message);
    MPI_Bcast(&result, 1, MPI_INT, 0, world);
    wy_pool_destroy(pool);
  } else {
    result = shared.status;
  }
  wy_scenario_destroy(shared.scenario);
  return result;
}
