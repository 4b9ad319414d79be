/* SPDX-License-Identifier: MIT */
/* A rod moved by an integrator of SUNDIALS; where withy was built without, it must say so. */
#include <stdio.h>
#include <withy/sundials.h>
#include <withy/withy.h>

int main(void) {
  wy_message message;
  wy_model *model;
  wy_sim *sim;
  wy_rod_def rod = wy_default_rod_def();
  rod.length = 1;
  rod.section.shape = WY_CIRCLE;
  rod.section.radius = wy_constant(0.005);
  rod.material.given = true;
  rod.material.density = wy_constant(1100);
  rod.material.young = wy_constant(5e6);
  rod.material.poisson = wy_constant(0.5);
  rod.ends[WY_START] = wy_end_clamped();
  wy_model_def model_def = wy_default_model_def();
  model_def.rods = &rod;
  model_def.rod_count = 1;
  model_def.gravity[2] = -9.81;
  wy_sim_def sim_def = wy_default_sim_def();
  sim_def.solver.more = wy_sundials();
  sim_def.solver.integrator = "ida";
  if (wy_model_create(&model_def, &model, &message))
    return 1;
  wy_status status = wy_sim_create(model, &sim_def, &sim, &message);
  if (status == WY_ERROR_SUPPORT) {
    printf("%s\n", message.text);
    return 0;
  }
  if (status || wy_sim_advance(sim, 0.01, &message)) {
    printf("%s\n", message.text);
    return 1;
  }
  printf("ida: %ld steps\n", wy_sim_statistics(sim, 0).steps);
  wy_sim_destroy(sim);
  wy_model_destroy(model);
  return 0;
}
