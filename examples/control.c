/* SPDX-License-Identifier: MIT */
/* A rod under control: a thousand times a second its tip is measured and the force on it corrected, until the tip is
   held 50 mm above the clamp. The scenario is read from a text; the loop is the program's own. */
#include <math.h>
#include <stdio.h>

#include "withy/scenario.h"

static const char text[] = "{\"withy\": 1, \"time\": {\"end\": 2, \"output\": 0.001}, \"gravity\": [0, 0, -9.81],"
                           " \"rods\": [{\"name\": \"arm\", \"length\": 0.5, \"segments\": 10,"
                           "   \"section\": {\"shape\": \"circle\", \"radius\": 0.004},"
                           "   \"material\": {\"density\": 1100, \"young\": 1e9, \"poisson\": 0.4},"
                           "   \"damping\": {\"time\": 0.001}, \"ends\": {\"start\": \"clamped\"}}],"
                           " \"loads\": [{\"at\": \"end\", \"force\": [0, 0, 0]}],"
                           " \"probes\": [{\"name\": \"tip\", \"at\": \"end\", \"quantity\": \"position\"},"
                           "            {\"name\": \"speed\", \"at\": \"end\", \"quantity\": \"velocity\"}]}";

int main(void) {
  wy_scenario *scenario = NULL;
  wy_scenario_error error;
  if (wy_scenario_read("arm.json", "arm", text, NULL, 0, &scenario, &error) != WY_OK) {
    fprintf(stderr, "%s\n%s", error.text, error.excerpt);
    return 2;
  }
  wy_model *model = NULL;
  wy_sim *sim = NULL;
  wy_message message;
  wy_status status = wy_scenario_build(scenario, &model, &sim, &message);

  const double target = 0.050, stiffness = 20, damping = 0.5, integral = 100, period = 1e-3;
  const wy_probe *tip = &scenario->probes[0], *speed = &scenario->probes[1];
  double force[3] = {0, 0, 0}, sum = 0, x[4] = {0}, v[4] = {0};
  for (int k = 1; k <= 2000 && status == WY_OK; k++) {
    status = wy_sim_set_load(sim, 0, force, NULL, &message);
    if (status == WY_OK)
      status = wy_sim_advance(sim, k * period, &message);
    if (status == WY_OK)
      status = wy_sim_probe(sim, tip->quantity, tip->rod, tip->s, x, &message);
    if (status == WY_OK)
      status = wy_sim_probe(sim, speed->quantity, speed->rod, speed->s, v, &message);
    sum += (target - x[2]) * period;
    force[2] = stiffness * (target - x[2]) - damping * v[2] + integral * sum;
    if (status == WY_OK && k % 200 == 0)
      printf("t = %.1f   tip at z = %.2f mm   force %.3f N\n", wy_sim_time(sim), 1e3 * x[2], force[2]);
  }
  if (status != WY_OK)
    fprintf(stderr, "%s %s\n", message.path, message.text);
  wy_sim_destroy(sim);
  wy_model_destroy(model);
  wy_scenario_destroy(scenario);
  return status != WY_OK || fabs(x[2] - target) > 1e-3;
}
