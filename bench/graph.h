/* SPDX-License-Identifier: MIT */
/* Networks of straight rods between points, as models: a joint wherever rods meet. */
#ifndef WY_BENCH_GRAPH_H
#define WY_BENCH_GRAPH_H

#include "bench/bench.h"

typedef struct wy_bench_graph {
  const char *name;
  int point_count, rod_count, segments;
  double (*points)[3];
  bool *held;     /* points that are on the ground */
  int (*rods)[2]; /* points from which and to which they go */
} wy_bench_graph;

/* The networks of the linear algebra as they stand in space: a hexagon; a flat grid, a corner of which is held; a tree,
   the foot of which is held. */
int wy_bench_graph_of(wy_bench_net kind, wy_bench_graph *graph);
/* A flat square net of side x side points and meshes of size 1, its rim held. */
int wy_bench_graph_net(int side, int segments, wy_bench_graph *graph);
void wy_bench_graph_close(wy_bench_graph *graph);

/* Rods like the given one, welded where they meet, or each alone. */
wy_status wy_bench_graph_model(const wy_bench_graph *graph, const wy_rod_def *like, bool joined, wy_model **model);

#endif
