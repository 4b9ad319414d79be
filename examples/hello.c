/* SPDX-License-Identifier: MIT */
/* A rubber rod swings for one second; prints where its tip is. */
#include <stdio.h>

#include "withy/withy.h"

int main(void) {
  wy_rod_def rod = wy_default_rod_def();
  rod.length = 1.0;
  rod.segments = 20;
  rod.section.shape = WY_CIRCLE;
  rod.section.radius = wy_constant(5e-3);
  rod.material.given = true;
  rod.material.density = wy_constant(1100);
  rod.material.young = wy_constant(5e6);
  rod.material.poisson = wy_constant(0.5);
  rod.ends[WY_START] = wy_end_pinned();

  wy_model_def world = wy_default_model_def();
  world.gravity[2] = -9.81;
  world.rods = &rod;
  world.rod_count = 1;

  wy_sim_def how = wy_default_sim_def();
  wy_model *model = NULL;
  wy_sim *sim = NULL;
  wy_message message;
  wy_status status = wy_model_create(&world, &model, &message);
  if (status == WY_OK)
    status = wy_sim_create(model, &how, &sim, &message);
  for (int k = 0; k <= 10 && status == WY_OK; k++) {
    double tip[4];
    status = wy_sim_sample(sim, 0.1 * k, &message);
    if (status == WY_OK)
      status = wy_sim_probe(sim, WY_POSITION, 0, rod.length, tip, &message);
    if (status == WY_OK)
      printf("t = %.1f   tip = (%.4f, %.4f, %.4f)\n", wy_sim_time(sim), tip[0], tip[1], tip[2]);
  }
  if (status != WY_OK)
    fprintf(stderr, "%s %s\n", message.path, message.text);
  wy_sim_destroy(sim);
  wy_model_destroy(model);
  return status != WY_OK;
}
