/* SPDX-License-Identifier: MIT */
/* A rod in a program that draws sixty pictures a second: in every frame its held end is taken to where a hand is, and
   the rod gets 4 ms to come along. With the integrator `stride` steps are all of one length and take about the same
   time. */
#include <math.h>
#include <stdio.h>

#include "withy/withy.h"

enum { FRAMES = 180, STEPS_A_FRAME = 4 };
static const double frame = 1.0 / 60, budget = 4e-3;

/* Where the hand is, and how fast. */
static void hand(double t, double x[3], double v[3]) {
  const double size = 0.15, w = 8;
  x[0] = 0, x[1] = size * sin(w * t) * sin(w * t), x[2] = 0;
  v[0] = 0, v[1] = 2 * size * w * sin(w * t) * cos(w * t), v[2] = 0;
}

int main(void) {
  wy_rod_def rod = wy_default_rod_def();
  rod.name = "whip", rod.length = 0.8, rod.segments = 24;
  rod.section.shape = WY_CIRCLE;
  rod.section.radius = wy_constant(0.004);
  rod.material.given = true;
  rod.material.young = wy_constant(5e7), rod.material.poisson = wy_constant(0.4);
  rod.material.density = wy_constant(1100);
  rod.damping = (wy_damping){.kind = WY_DAMPING_TIME, .time = wy_constant(1e-3)};
  rod.ends[WY_START] = wy_end_clamped();
  wy_model_def def = wy_default_model_def();
  def.rods = &rod, def.rod_count = 1;
  def.gravity[2] = -9.81;
  wy_sim_def how = wy_default_sim_def();
  how.solver.integrator = "stride", how.solver.first_step = frame / STEPS_A_FRAME;

  wy_model *model = NULL;
  wy_sim *sim = NULL;
  wy_message message = {.text = ""};
  wy_status status = wy_model_create(&def, &model, &message);
  if (status == WY_OK)
    status = wy_sim_create(model, &how, &sim, &message);

  int late = 0;
  double x[3], v[3], reached = 0;
  for (int k = 1; k <= FRAMES && status == WY_OK; k++) {
    hand(k * frame, x, v);
    const wy_pose pose = {.position = x, .velocity = v};
    status = wy_sim_move_end(sim, 0, WY_START, &pose, k * frame - reached, &message);
    if (status == WY_OK)
      status = wy_sim_advance_within(sim, k * frame, budget, &reached, &message);
    late += reached < k * frame; /* the picture shows the time that was reached; the next frame goes on from there */
    if (status == WY_OK && k % 30 == 0) {
      const wy_points *points = &wy_sim_view(sim, 0)->position;
      const double *tip = points->values + 3 * (points->count - 1);
      printf("t = %.3f   hand at y = %6.3f   tip at (%6.3f, %6.3f, %6.3f)\n", reached, x[1], tip[0], tip[1], tip[2]);
    }
  }
  if (status != WY_OK)
    fprintf(stderr, "%s %s\n", message.path, message.text);
  else
    printf("%d of %d pictures were late\n", late, FRAMES);
  wy_sim_destroy(sim);
  wy_model_destroy(model);
  return status != WY_OK;
}
