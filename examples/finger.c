/* SPDX-License-Identifier: MIT */
/* A silicone finger, closed by a tendon under control: a hundred times a second the tip is measured and the tension
   corrected, until the tip has moved sideways by 40 mm. */
#include <math.h>
#include <stdio.h>

#include "withy/withy.h"

int main(void) {
  const wy_maxwell branch = {0.3, 0.2}; /* 30 % of the stiffness relaxes within 0.2 s */
  wy_rod_def finger = wy_default_rod_def();
  finger.length = 0.09;
  finger.segments = 6;
  finger.section.shape = WY_RECTANGLE;
  finger.section.width = wy_constant(0.010);
  finger.section.height = wy_constant(0.018);
  finger.material.given = true;
  finger.material.density = wy_constant(1080);
  finger.material.young = wy_constant(6e5);
  finger.material.poisson = wy_constant(0.49);
  finger.damping.kind = WY_DAMPING_TIME;
  finger.damping.time = wy_constant(0.01);
  finger.maxwell = &branch;
  finger.maxwell_count = 1;
  finger.shape.direction[2] = -1; /* hangs down, */
  finger.shape.d1[0] = 1;         /* the tendon on the side of +x */
  finger.ends[WY_START] = wy_end_clamped();

  wy_actuator_def tendon = wy_default_actuator_def();
  tendon.kind = WY_TENDON;
  tendon.offset[0] = wy_constant(0.004);

  wy_model_def world = wy_default_model_def();
  world.gravity[2] = -9.81;
  world.rods = &finger;
  world.rod_count = 1;
  world.actuators = &tendon;
  world.actuator_count = 1;

  wy_sim_def how = wy_default_sim_def();
  how.solver.scheme = "mixed";
  how.solver.first_step = 0.005;

  wy_model *model = NULL;
  wy_sim *sim = NULL;
  wy_message message;
  wy_status status = wy_model_create(&world, &model, &message);
  if (status == WY_OK)
    status = wy_sim_create(model, &how, &sim, &message);

  const double target = 0.040, period = 0.01;
  double tension = 0, sum = 0, tip[4] = {0};
  for (int k = 1; k <= 400 && status == WY_OK; k++) {
    status = wy_sim_set_actuator(sim, 0, &tension, &message);
    if (status == WY_OK)
      status = wy_sim_advance(sim, k * period, &message);
    if (status == WY_OK)
      status = wy_sim_probe(sim, WY_POSITION, 0, finger.length, tip, &message);
    double error = target - tip[0];
    sum += error * period;
    tension = fmax(0, 20 * error + 120 * sum); /* a tendon cannot push */
    if (status == WY_OK && k % 50 == 0)
      printf("t = %.1f   tip at x = %.2f mm   tension %.3f N\n", wy_sim_time(sim), 1e3 * tip[0], tension);
  }
  if (status != WY_OK)
    fprintf(stderr, "%s %s\n", message.path, message.text);
  wy_sim_destroy(sim);
  wy_model_destroy(model);
  return status != WY_OK || fabs(tip[0] - target) > 1e-3;
}
