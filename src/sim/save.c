/* SPDX-License-Identifier: MIT */
/* Saved states: all that a simulation needs to go on bit for bit, in one block of memory. */
#include <string.h>

#include "base/message.h"
#include "sim/sim.h"

typedef struct saved_header {
  char magic[8];
  uint64_t bytes, identity[WY_SIM_PARTS];
} saved_header;

static const char saved_magic[8] = "withy 3";

size_t wy_sim_save_size(const wy_sim *sim) {
  return sim ? sizeof(saved_header) + sim->memory.saved.used : 0;
}

wy_status wy_sim_save(const wy_sim *sim, void *buffer, size_t size, wy_message *message) {
  if (!sim || !buffer)
    return wy_fail_missing(message, sim ? "buffer" : "sim");
  if (size < wy_sim_save_size(sim))
    return wy_fail(message, WY_ERROR_INPUT, "found room for %zu bytes; expected %zu", size, wy_sim_save_size(sim));
  saved_header header = {.bytes = sim->memory.saved.used};
  memcpy(header.identity, sim->identity, sizeof header.identity);
  memcpy(header.magic, saved_magic, sizeof header.magic);
  memcpy(buffer, &header, sizeof header);
  memcpy((char *)buffer + sizeof header, sim->memory.saved.block, sim->memory.saved.used);
  return WY_OK;
}

wy_status wy_sim_restore(wy_sim *sim, const void *buffer, size_t size, wy_message *message) {
  saved_header header;
  if (!sim || !buffer)
    return wy_fail_missing(message, sim ? "buffer" : "sim");
  if (size < sizeof header)
    return wy_fail(message, WY_ERROR_INPUT, "found a saved state of %zu bytes; expected %zu", size,
                   wy_sim_save_size(sim));
  memcpy(&header, buffer, sizeof header);
  if (memcmp(header.magic, saved_magic, sizeof header.magic) != 0)
    return wy_fail(message, WY_ERROR_INPUT, "this is not a saved state, or it is from another version");
  char differs[160];
  if (!wy_sim_is_same(sim, header.identity, differs, sizeof differs))
    return wy_fail(message, WY_ERROR_INPUT, "the saved state belongs to another simulation, which differs in: %s",
                   differs);
  if (header.bytes != sim->memory.saved.used || size < wy_sim_save_size(sim))
    return wy_fail(
        message, WY_ERROR_INPUT,
        "the saved state is incomplete or from another build: found %zu bytes, %llu of them state; expected %zu, %zu",
        size, (unsigned long long)header.bytes, wy_sim_save_size(sim), sim->memory.saved.used);
  memcpy(sim->memory.saved.block, (const char *)buffer + sizeof header, sim->memory.saved.used);
  for (int i = 0; i < sim->group_count; i++) {
    wy_sim_group *group = &sim->groups[i];
    group->system->type->refresh(group->system);
    wy_sim_resume_statics(group);
    wy_integrator_resume(group->integrator);
    wy_sim_outdate(group);
  }
  return WY_OK;
}
