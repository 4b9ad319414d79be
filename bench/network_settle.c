/* SPDX-License-Identifier: MIT */
/* Timing of an equilibrium of many short rods. */
#include <math.h>

#include "bench/graph.h"
#include "bench/timing.h"

enum { SEGMENTS = 2 };

/* Nylon, 10 mm thick, meshes of 10 cm. */
static wy_status make_net(int side, wy_bench_graph *graph, wy_model **model) {
  wy_rod_def rope = wy_default_rod_def();
  rope.section.shape = WY_CIRCLE;
  rope.section.radius = wy_constant(0.005);
  rope.material.given = true;
  rope.material.density = wy_constant(1000);
  rope.material.young = wy_constant(1e9);
  rope.material.poisson = wy_constant(0.3);
  wy_status status = wy_bench_graph_net(side, SEGMENTS, graph);
  for (int i = 0; !status && i < graph->point_count; i++)
    for (int k = 0; k < 3; k++)
      graph->points[i][k] *= 0.1;
  return status ? status : wy_bench_graph_model(graph, &rope, true, model);
}

static double lowest(wy_sim *sim, int rods) {
  double low = 0;
  for (int i = 0; i < rods; i++)
    low = fmin(low, wy_sim_view(sim, i)->ends[WY_END].position[2]);
  return low;
}

int wy_bench_settle(int side, wy_settle_figures *figures) {
  wy_bench_graph graph = {0};
  wy_model *model = NULL;
  wy_sim *sim = NULL;
  wy_sim_def def = wy_default_sim_def();
  def.statics = true;
  double start = wy_bench_seconds();
  wy_status status = make_net(side, &graph, &model);
  if (!status)
    status = wy_sim_create(model, &def, &sim, NULL);
  const double made = wy_bench_seconds();
  if (!status)
    status = wy_sim_settle(sim, 0, NULL);
  if (!status) {
    const wy_equilibrium_info info = wy_sim_equilibrium(sim, 0);
    *figures = (wy_settle_figures){.rods = graph.rod_count,
                                   .segments = SEGMENTS,
                                   .unknowns = wy_sim_group_describe(sim, 0).unknowns,
                                   .increments = (int)info.increments,
                                   .rejected = (int)info.rejected,
                                   .iterations = info.newton_iterations,
                                   .create = made - start,
                                   .settle = wy_bench_seconds() - made,
                                   .sag = -lowest(sim, graph.rod_count)};
  }
  wy_sim_destroy(sim);
  wy_model_destroy(model);
  wy_bench_graph_close(&graph);
  return status;
}
