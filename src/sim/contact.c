/* SPDX-License-Identifier: MIT */
/* What cannot touch yet: integrators without contact, obstacles on bodies whose motion is not known. */
#include "model/contact.h"

#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "scheme/contacts.h"
#include "scheme/port.h"
#include "sim/sim.h"

static void add_name(const char *name, char *out, size_t size) {
  const size_t used = strlen(out);
  snprintf(out + used, size - used, "%s%s", used ? ", " : "", name);
}

static wy_status check_integrator(const wy_solver_def *solver, const wy_scheme *scheme, wy_message *message) {
  const wy_integrator_type *type = wy_integrator_find(solver, scheme);
  char able[256] = "";
  if (!type->no_contact)
    return WY_OK;
  for (int i = 0; wy_integrator_at(solver->more, i); i++) {
    const wy_integrator_type *other = wy_integrator_at(solver->more, i);
    if (wy_integrator_fits(other, scheme) && !other->no_contact)
      add_name(other->info->name, able, sizeof able);
  }
  wy_fail_at(message, "solver.integrator", "integrator %s has no contact; possible: %s", type->info->name, able);
  return WY_ERROR_SUPPORT;
}

/* Where a rod may push a body, the body's motion is not known: both are one group. */
static wy_status check_bodies(const wy_model *model, const wy_scheme *scheme, wy_message *message) {
  char entry[WY_ENTRY_PATH], path[WY_ENTRY_PATH + sizeof ".body"];
  for (int i = 0; i < wy_model_obstacle_count(model); i++) {
    const wy_obstacle_def *obstacle = wy_model_obstacle(model, i);
    if (!wy_obstacle_is_pushed(model, i) || (scheme->ports && scheme->ports->press))
      continue;
    wy_entry_path("obstacles", obstacle->name, i, entry);
    snprintf(path, sizeof path, "%s.body", entry);
    wy_fail_at(message, path,
               "found the body '%.63s', which rods may push; expected one whose position and rotation are held or "
               "driven for ever: the scheme '%s' cannot compute obstacles on others; use staggered",
               wy_model_body(model, obstacle->body)->name, scheme->name);
    return WY_ERROR_SUPPORT;
  }
  return WY_OK;
}

/* Grids of distances are for the kernels of batches: no scheme has them. */
static wy_status check_shapes(const wy_model *model, int rod, wy_message *message) {
  char entry[WY_ENTRY_PATH], path[WY_ENTRY_PATH + sizeof ".shape"];
  for (int i = 0; i < wy_model_obstacle_count(model); i++) {
    const wy_obstacle_def *obstacle = wy_model_obstacle(model, i);
    if (obstacle->shape != WY_OBSTACLE_DISTANCE)
      continue;
    wy_entry_path("obstacles", obstacle->name, i, entry);
    snprintf(path, sizeof path, "%s.shape", entry);
    wy_fail_at(
        message, path,
        "found a grid of distances, which batches alone can touch, and rod '%.63s', which would meet it; expected "
        "another shape, or contact: none of that rod",
        wy_model_rod(model, rod)->name);
    return WY_ERROR_SUPPORT;
  }
  return WY_OK;
}

wy_status wy_sim_check_contact(const wy_model *model, int rod, const wy_solver_def *solver, wy_message *message) {
  const wy_scheme *scheme = wy_scheme_find(solver->scheme);
  if (!wy_rod_touches(model, rod))
    return WY_OK;
  wy_status status = check_shapes(model, rod, message);
  status = status ? status : check_bodies(model, scheme, message);
  return status ? status : check_integrator(solver, scheme, message);
}
