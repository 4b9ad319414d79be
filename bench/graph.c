/* SPDX-License-Identifier: MIT */
#include "bench/graph.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int open_graph(wy_bench_graph *graph, const char *name, int points, int rods, int segments) {
  *graph = (wy_bench_graph){.name = name, .point_count = points, .segments = segments};
  graph->points = calloc((size_t)points, sizeof *graph->points);
  graph->held = calloc((size_t)points, sizeof *graph->held);
  graph->rods = calloc((size_t)rods, sizeof *graph->rods);
  return graph->points && graph->held && graph->rods ? WY_OK : WY_ERROR_MEMORY;
}

void wy_bench_graph_close(wy_bench_graph *graph) {
  free(graph->points);
  free(graph->held);
  free(graph->rods);
  *graph = (wy_bench_graph){0};
}

static void join(wy_bench_graph *graph, int from, int to) {
  graph->rods[graph->rod_count][0] = from;
  graph->rods[graph->rod_count++][1] = to;
}

static void put(wy_bench_graph *graph, int point, double x, double y, double z) {
  graph->points[point][0] = x, graph->points[point][1] = y, graph->points[point][2] = z;
}

static int make_ring(wy_bench_graph *graph) {
  enum { SIDES = 6 };
  const double pi = acos(-1);
  const int status = open_graph(graph, "ring", SIDES, SIDES, 40);
  for (int i = 0; !status && i < SIDES; i++) {
    put(graph, i, cos(2 * pi * i / SIDES), sin(2 * pi * i / SIDES), 0);
    join(graph, i, (i + 1) % SIDES);
  }
  return status;
}

static int make_grid(wy_bench_graph *graph, const char *name, int side, int segments) {
  const int status = open_graph(graph, name, side * side, 2 * side * (side - 1), segments);
  for (int i = 0; !status && i < side * side; i++) {
    put(graph, i, i % side, i / side, 0); // NOLINT(bugprone-integer-division): the row
    if (i % side)
      join(graph, i - 1, i);
    if (i >= side)
      join(graph, i - side, i);
  }
  return status;
}

/* Every rod but the last ones ends in two more. Point i + 1 is the end of rod i. */
static int make_tree(wy_bench_graph *graph) {
  enum { RODS = 255 };
  const int status = open_graph(graph, "tree", RODS + 1, RODS, 20);
  double angles[RODS] = {0}, spread = 0.5;
  for (int i = 0; !status && i < RODS; i++) {
    const int from = i == 0 ? 0 : (i - 1) / 2 + 1;
    spread = ((i + 1) & i) == 0 ? 0.7 * spread : spread; /* less on each level */
    angles[i] = i == 0 ? 0 : angles[(i - 1) / 2] + (i % 2 ? -spread : spread);
    const double *foot = graph->points[from];
    put(graph, i + 1, foot[0] + sin(angles[i]), foot[1] + 0.1 * sin(7.0 * i), foot[2] + cos(angles[i]));
    join(graph, from, i + 1);
  }
  return status;
}

int wy_bench_graph_of(wy_bench_net kind, wy_bench_graph *graph) {
  const int status = kind == WY_NET_RING   ? make_ring(graph)
                     : kind == WY_NET_TREE ? make_tree(graph)
                                           : make_grid(graph, "gridshell", 30, 6);
  if (!status)
    graph->held[0] = kind != WY_NET_RING;
  return status;
}

int wy_bench_graph_net(int side, int segments, wy_bench_graph *graph) {
  const int status = make_grid(graph, "net", side, segments);
  for (int i = 0; !status && i < side * side; i++)
    graph->held[i] = i < side || i >= side * (side - 1) || i % side == 0 || i % side == side - 1;
  return status;
}

/* ---- Models ---- */

typedef struct parts {
  wy_rod_def *rods;
  char (*names)[16];
  wy_joint_def *joints;
  wy_port *ports;
  int *first; /* of the ports of each point, and the end of the last ones */
} parts;

static void make_rods(const wy_bench_graph *graph, const wy_rod_def *like, parts *to) {
  for (int i = 0; i < graph->rod_count; i++) {
    const double *from = graph->points[graph->rods[i][0]], *end = graph->points[graph->rods[i][1]];
    wy_rod_def *rod = &to->rods[i];
    *rod = *like;
    snprintf(to->names[i], sizeof to->names[i], "r%d", i);
    rod->name = to->names[i];
    rod->segments = graph->segments;
    double square = 0;
    for (int k = 0; k < 3; k++) {
      rod->shape.origin[k] = from[k], rod->shape.direction[k] = end[k] - from[k];
      square += (end[k] - from[k]) * (end[k] - from[k]);
    }
    rod->length = sqrt(square);
  }
}

/* Of each point where two rods meet, or one and the ground. */
static int make_joints(const wy_bench_graph *graph, parts *to) {
  int count = 0;
  for (int i = 0; i < 2 * graph->rod_count; i++)
    to->first[graph->rods[i / 2][i % 2] + 2]++;
  for (int i = 0; i < graph->point_count; i++)
    to->first[i + 2] += to->first[i + 1] + graph->held[i];
  for (int i = 0; i < 2 * graph->rod_count; i++)
    to->ports[to->first[graph->rods[i / 2][i % 2] + 1]++] = wy_port_on_rod(i / 2, i % 2 ? to->rods[i / 2].length : 0);
  for (int i = 0; i < graph->point_count; i++) {
    if (graph->held[i])
      to->ports[to->first[i + 1]++] = wy_port_on_ground();
    const int ports = to->first[i + 1] - to->first[i];
    if (ports < 2)
      continue;
    to->joints[count] = wy_default_joint_def();
    to->joints[count].ports = to->ports + to->first[i];
    to->joints[count++].port_count = ports;
  }
  return count;
}

wy_status wy_bench_graph_model(const wy_bench_graph *graph, const wy_rod_def *like, bool joined, wy_model **model) {
  const size_t rods = (size_t)graph->rod_count, points = (size_t)graph->point_count;
  parts made = {.rods = calloc(rods, sizeof *made.rods),
                .names = calloc(rods, sizeof *made.names),
                .joints = calloc(points, sizeof *made.joints),
                .ports = calloc(2 * rods + points, sizeof *made.ports),
                .first = calloc(points + 2, sizeof *made.first)};
  wy_status status = WY_ERROR_MEMORY;
  if (made.rods && made.names && made.joints && made.ports && made.first) {
    wy_model_def def = wy_default_model_def();
    def.gravity[2] = -9.81;
    make_rods(graph, like, &made);
    def.rods = made.rods;
    def.rod_count = graph->rod_count;
    if (joined) {
      def.joint_count = make_joints(graph, &made);
      def.joints = made.joints;
    }
    status = wy_model_create(&def, model, NULL);
  }
  free(made.rods);
  free(made.names);
  free(made.joints);
  free(made.ports);
  free(made.first);
  return status;
}
