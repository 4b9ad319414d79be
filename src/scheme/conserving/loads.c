/* SPDX-License-Identifier: MIT */
/* Loads: shares on the nodes, whose parts of the rod are as long as the norm H says (C5). */
#include <math.h>
#include <string.h>

#include "scheme/conserving/rod.h"

static bool at_end(const wy_rod_def *rod, const wy_load_def *load, int end) {
  return load->place != WY_ALONG && wy_load_arc(rod, load) == (end == WY_START ? 0 : rod->length);
}

bool wy_conserving_is_end_load(const wy_conserving *self, const wy_load_def *load, int end) {
  return at_end(self->rod, load, end);
}

size_t wy_conserving_count_sites(const wy_model *model, int rod, int nodes) {
  size_t count = 0;
  for (int i = 0; i < wy_model_rod_load_count(model, rod); i++) {
    const wy_load_def *load = wy_model_rod_load(model, rod, i);
    count += load->place == WY_ALONG ? (size_t)nodes + 8 : 4;
  }
  return count;
}

static void add_site(wy_conserving *self, int load, int node, double share, double s) {
  if (share != 0)
    self->sites[self->site_count++] = (wy_conserving_site){.load = load, .node = node, .share = share, .s = s};
}

/* By the rule of the lever on the nodes a and b; it may extrapolate. */
static void place_lever(wy_conserving *self, int index, double s, int a, int b, double share) {
  const double x = (s - self->s[a]) / (self->s[b] - self->s[a]);
  add_site(self, index, a, share * (1 - x) / self->norm[a], s);
  add_site(self, index, b, share * x / self->norm[b], s);
}

/* A force at a place between two nodes. Differences of order 2 join every second node: each of the two grids that they
   make carries its half, or a load on a node would pull one of them with twice its force, and the other with none. */
static void place_between(wy_conserving *self, int index, double s, double size) {
  const int last = self->nodes - 1;
  int j = 0;
  while (j < last - 1 && self->s[j + 1] < s)
    j++;
  if (last < 3) {
    place_lever(self, index, s, j, j + 1, size);
    return;
  }
  for (int first = j - 1; first <= j; first++) { /* beside an end the nearest two of a grid serve */
    const int a = first < 0 ? first + 2 : first + 2 > last ? first - 2 : first;
    place_lever(self, index, s, a, a + 2, 0.5 * size);
  }
}

/* A load per length: from the first to the last node of the stretch on what their parts of the rod have of it, so that
   both grids carry the same; what is left at the edges are forces between nodes. A node that is at an edge but for
   round-off belongs to the stretch, from whichever end the rod is described. */
static void place_along(wy_conserving *self, int index, const wy_load_def *load) {
  const double from = fmax(load->from, 0), to = fmin(load->to, self->rod->length);
  const double near = WY_SAME_PLACE * self->rod->length;
  int first = 0, last = self->nodes - 1;
  while (self->s[first] < from - near)
    first++;
  while (self->s[last] > to + near)
    last--;
  if (first > last) {
    place_between(self, index, 0.5 * (from + to), to - from);
    return;
  }
  place_between(self, index, 0.5 * (from + self->s[first]), self->s[first] - from);
  place_between(self, index, 0.5 * (self->s[last] + to), to - self->s[last]);
  double start = 0;
  for (int j = 0; j <= last; j++) {
    const double stop = start + self->norm[j];
    const double length = fmin(stop, self->s[last]) - fmax(start, self->s[first]);
    if (j >= first)
      add_site(self, index, j, length / self->norm[j], self->s[j]);
    start = stop;
  }
}

void wy_conserving_place_loads(wy_conserving *self) {
  for (int i = 0; i < wy_model_rod_load_count(self->base.model, self->base.rod); i++) {
    const wy_load_def *load = wy_model_rod_load(self->base.model, self->base.rod, i);
    const double s = wy_load_arc(self->rod, load);
    if (load->place == WY_ALONG)
      place_along(self, i, load);
    else if (s == 0 || s == self->rod->length)
      add_site(self, i, wy_end_node(self, s > 0), 1 / self->norm[wy_end_node(self, s > 0)], s);
    else
      place_between(self, i, s, 1);
  }
}

void wy_conserving_load(wy_conserving *self, double t) {
  for (int k = 0; k < 4; k++)
    memset(self->load[k], 0, (size_t)self->nodes * 3 * sizeof(double));
  for (size_t i = 0; i < self->site_count; i++) {
    const wy_conserving_site *site = &self->sites[i];
    const wy_load_def *load = wy_model_rod_load(self->base.model, self->base.rod, site->load);
    const int body = load->axes == WY_BODY_AXES ? 2 : 0;
    double force[3], moment[3];
    wy_load_value(load, &self->base.load_overrides[site->load], site->s, t, force, moment);
    for (int c = 0; c < 3; c++) {
      self->load[body][3 * site->node + c] += site->share * force[c];
      self->load[body + 1][3 * site->node + c] += site->share * moment[c];
    }
  }
}
