/* SPDX-License-Identifier: MIT */
/* Every scheme with each of its integrators moves a rod for a while: prints steps and the place of its tip. The program
   is compiled for Windows and for this machine, and scripts/windows compares. With error control, rounding decides some
   steps, so that their number is about the same. A saved state is restored on the way. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "withy/withy.h"

static wy_status move(const wy_model_def *world, const wy_sim_def *def, wy_message *message) {
  wy_model *model = NULL;
  wy_sim *sim = NULL;
  wy_status status = wy_model_create(world, &model, message);
  if (status == WY_OK)
    status = wy_sim_create(model, def, &sim, message);
  if (status == WY_OK)
    status = wy_sim_advance(sim, 0.05, message);
  const size_t size = status == WY_OK ? wy_sim_save_size(sim) : 0;
  void *saved = malloc(size + 1);
  if (status == WY_OK)
    status = saved ? wy_sim_save(sim, saved, size, message) : WY_ERROR_MEMORY;
  wy_sim_destroy(sim);
  sim = NULL;
  if (status == WY_OK)
    status = wy_sim_create(model, def, &sim, message);
  if (status == WY_OK)
    status = wy_sim_restore(sim, saved, size, message);
  if (status == WY_OK)
    status = wy_sim_advance(sim, 0.1, message);
  double tip[4];
  if (status == WY_OK)
    status = wy_sim_probe(sim, WY_POSITION, 0, 1, tip, message);
  if (status == WY_OK)
    printf("%s %s %s %ld steps, tip at %.7f %.7f\n", def->solver.scheme, def->solver.integrator,
           wy_method_has_fixed_step(&def->solver) ? "exactly" : "about", wy_sim_statistics(sim, 0).steps, tip[0],
           tip[2]);
  free(saved);
  wy_sim_destroy(sim);
  wy_model_destroy(model);
  return status;
}

int main(void) {
  wy_rod_def rod = wy_default_rod_def();
  wy_model_def world = wy_default_model_def();
  wy_message message;
  wy_status status = WY_OK;
  rod.length = 1;
  rod.segments = 11;
  rod.section.shape = WY_CIRCLE;
  rod.section.radius = wy_constant(5e-3);
  rod.material.given = true;
  rod.material.density = wy_constant(1100);
  rod.material.young = wy_constant(5e6);
  rod.material.poisson = wy_constant(0.5);
  rod.ends[WY_START] = wy_end_clamped();
  world.gravity[2] = -9.81;
  world.rods = &rod;
  world.rod_count = 1;
  for (int s = 0; status == WY_OK && wy_scheme_name(s); s++)
    for (int i = -1; status == WY_OK && (i < 0 || wy_integrator_name(NULL, i)); i++) {
      wy_sim_def def = wy_default_sim_def();
      def.solver.scheme = wy_scheme_name(s);
      def.solver.integrator = i < 0 ? "auto" : wy_integrator_name(NULL, i);
      rod.kind = WY_COSSERAT; /* or the next kind that the method can have */
      while (rod.kind <= WY_INEXTENSIBLE && wy_method_possible(&def.solver, rod.kind, NULL) != WY_OK)
        rod.kind++;
      if (rod.kind <= WY_INEXTENSIBLE)
        status = move(&world, &def, &message);
    }
  if (status != WY_OK)
    fprintf(stderr, "%s %s\n", message.path, message.text);
  return status != WY_OK;
}
