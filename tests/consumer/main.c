/* A user of the installed library, in C and C++: prints the version, fails if header and library differ, and swings a
 * rod. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <withy/withy.h>

int main(void) {
  printf("withy %s\n", wy_version());
  if (strcmp(wy_version(), WY_VERSION) != 0)
    return 1;

  wy_rod_def rod = wy_default_rod_def();
  rod.length = 1;
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
  wy_model *model;
  wy_sim *sim;
  wy_message message;
  if (wy_model_create(&world, &model, &message) || wy_sim_create(model, &how, &sim, &message) ||
      wy_sim_advance(sim, 0.1, &message)) {
    printf("%s\n", message.text);
    return 1;
  }
  /* For the first tenth of a second the tip falls freely to within a few per cent. */
  double tip[4];
  wy_sim_probe(sim, WY_POSITION, 0, 1, tip, &message);
  printf("tip at %g\n", tip[2]);
  wy_sim_destroy(sim);
  wy_model_destroy(model);
  return fabs(tip[2] + 0.5 * 9.81 * 0.01) > 0.003;
}
