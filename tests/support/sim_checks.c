/* SPDX-License-Identifier: MIT */
#include "support/sim_checks.h"

#include <stdlib.h>

#include "check.h"

void use_everything(const test_sim *made, sim_change *change) {
  wy_message message = {0};
  for (int i = 0; i < 5; i++)
    must(wy_sim_step(made->sim, &message), &message);
  must(wy_sim_advance(made->sim, 0.28, &message), &message);
  change(made);
  must(wy_sim_sample(made->sim, 0.52, &message), &message);
  read_save_and_restore(made->sim);
}

void check_snapshot_continues(test_sim *first, test_sim *second, sim_change *change, int times) {
  wy_message message = {0};
  must(wy_sim_advance(first->sim, 0.17, &message), &message);
  change(first);
  must(wy_sim_sample(first->sim, 0.33, &message), &message);
  size_t size = wy_sim_save_size(first->sim);
  void *snapshot = malloc(size);
  must(wy_sim_save(first->sim, snapshot, size, &message), &message);
  must(wy_sim_restore(second->sim, snapshot, size, &message), &message);
  same_state(first, second);
  for (int k = 0; k < times; k++) {
    must(wy_sim_sample(first->sim, 0.35 + 0.04 * k, &message), &message);
    must(wy_sim_sample(second->sim, 0.35 + 0.04 * k, &message), &message);
    same_state(first, second);
  }
  assert_int_equal(wy_sim_statistics(first->sim, 0).newton_iterations,
                   wy_sim_statistics(second->sim, 0).newton_iterations);
  free(snapshot);
  free_sim(first);
  free_sim(second);
}

wy_status creation(const example *e, const wy_solver_def *solver, bool statics, wy_message *message) {
  wy_model_def def = example_model(e);
  wy_model *model = NULL;
  wy_sim *sim = NULL;
  wy_sim_def sim_def = wy_default_sim_def();
  sim_def.solver = *solver;
  sim_def.statics = statics;
  *message = (wy_message){0};
  must(wy_model_create(&def, &model, message), message);
  wy_status status = wy_sim_create(model, &sim_def, &sim, message);
  print_message("%d: %s: %s\n", (int)status, message->path, message->text);
  wy_sim_destroy(sim);
  wy_model_destroy(model);
  return status;
}
