/* Loads: shares on the nodes, whose parts of the rod are as long as the norm H says (C5). */
#include <math.h>
#include <string.h>

#include "scheme/conserving/rod.h"

static double load_place(const wy_rod_def *rod, const wy_load_def *load) {
  return load->place == WY_AT_START ? 0 : load->place == WY_AT_END ? rod->length : load->from;
}

static bool at_end(const wy_rod_def *rod, const wy_load_def *load, int end) {
  return load->place != WY_ALONG && load_place(rod, load) == (end == WY_START ? 0 : rod->length);
}

bool wy_conserving_is_end_load(const wy_conserving *self, const wy_load_def *load, int end) {
  return load->rod == self->base.rod && at_end(self->rod, load, end);
}

size_t wy_conserving_count_sites(const wy_model *model, int rod, int nodes) {
  size_t count = 0;
  for (int i = 0; i < wy_model_load_count(model); i++) {
    const wy_load_def *load = wy_model_load(model, i);
    if (load->rod == rod)
      count += load->place == WY_ALONG ? (size_t)nodes : 2;
  }
  return count;
}

static void add_site(wy_conserving *self, int load, int node, double share, double s) {
  if (share > 0)
    self->sites[self->site_count++] = (wy_conserving_site){.load = load, .node = node, .share = share, .s = s};
}

/* A load per length, on what the part of a node and the loaded stretch have in common. */
static void place_along(wy_conserving *self, int index, const wy_load_def *load) {
  double from = 0;
  for (int j = 0; j < self->nodes; j++) {
    double to = from + self->norm[j];
    double first = fmax(from, load->from), last = j == self->nodes - 1 ? load->to : fmin(to, load->to);
    if (last > first)
      add_site(self, index, j, (last - first) / self->norm[j], fmin(fmax(self->s[j], load->from), load->to));
    from = to;
  }
}

/* A force at a place between two nodes, on both by the rule of the lever. */
static void place_between(wy_conserving *self, int index, double s) {
  int j = 0;
  while (j < self->nodes - 2 && self->s[j + 1] < s)
    j++;
  double share = (s - self->s[j]) / (self->s[j + 1] - self->s[j]);
  add_site(self, index, j, (1 - share) / self->norm[j], s);
  add_site(self, index, j + 1, share / self->norm[j + 1], s);
}

void wy_conserving_place_loads(wy_conserving *self) {
  for (int i = 0; i < wy_model_load_count(self->base.model); i++) {
    const wy_load_def *load = wy_model_load(self->base.model, i);
    if (load->rod != self->base.rod)
      continue;
    if (load->place == WY_ALONG)
      place_along(self, i, load);
    else
      place_between(self, i, load_place(self->rod, load));
  }
}

void wy_conserving_load(wy_conserving *self, double t) {
  for (int k = 0; k < 4; k++)
    memset(self->load[k], 0, (size_t)self->nodes * 3 * sizeof(double));
  for (size_t i = 0; i < self->site_count; i++) {
    const wy_conserving_site *site = &self->sites[i];
    const wy_load_def *load = wy_model_load(self->base.model, site->load);
    const int body = load->axes == WY_BODY_AXES ? 2 : 0;
    double force[3], moment[3];
    wy_load_value(load, &self->overrides[site->load], site->s, t, force, moment);
    for (int c = 0; c < 3; c++) {
      self->load[body][3 * site->node + c] += site->share * force[c];
      self->load[body + 1][3 * site->node + c] += site->share * moment[c];
    }
  }
}
