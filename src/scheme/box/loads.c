/* SPDX-License-Identifier: MIT */
/* Loads of the box scheme: densities over cells, forces and moments on ends. A point load between the ends belongs to
   the two cells between whose middles it acts, so that its moment is right, too; before the first middle, or after the
   last one, an end takes its share. */
#include <string.h>

#include "scheme/box/rod.h"

static void add_load(wy_box_load *to, wy_axes axes, double factor, const double force[3], const double moment[3]) {
  wy_v3 *forces = axes == WY_BODY_AXES ? &to->body_force : &to->space_force;
  wy_v3 *moments = axes == WY_BODY_AXES ? &to->body_moment : &to->space_moment;
  *forces = wy_plus(*forces, wy_times(factor, wy_at3(force)));
  *moments = wy_plus(*moments, wy_times(factor, wy_at3(moment)));
}

static bool varies_along(const wy_load_def *load, const wy_load_override *override) {
  bool varies = false;
  for (int i = 0; i < 3; i++)
    varies = varies || wy_signal_depends(&load->force[i], WY_ARC) || wy_signal_depends(&load->moment[i], WY_ARC);
  return varies && !override->set;
}

/* What one cell has of a line load: its mean over the cell, by two Gauss points in the part that is loaded. */
static void add_line(const wy_box *self, int index, int cell, double t, wy_box_load *to) {
  const wy_load_def *load = wy_model_rod_load(self->base.model, self->base.rod, index);
  const wy_load_override *override = &self->base.load_overrides[index];
  const double start = self->node[cell].s, end = self->node[cell + 1].s;
  const double from = fmax(load->from, start), upto = fmin(load->to, end);
  const int points = varies_along(load, override) ? 2 : 1;
  double force[3], moment[3];
  for (int g = 0; upto > from && g < points; g++) {
    const double place = points == 1 ? 0.5 : 0.5 + (g ? 0.5 : -0.5) / sqrt(3.0);
    wy_load_value(load, override, from + place * (upto - from), t, force, moment);
    add_load(to, load->axes, self->load_factor * (upto - from) / ((end - start) * points), force, moment);
  }
}

static double middle(const wy_box *self, int cell) {
  return 0.5 * (self->node[cell].s + self->node[cell + 1].s);
}

static void add_point(const wy_box *self, const wy_load_def *load, double s, const double force[3],
                      const double moment[3], wy_box_loads *loads) {
  int next = 0; /* the first cell whose middle lies beyond s */
  while (next < self->cells && middle(self, next) <= s)
    next++;
  const double before = next > 0 ? middle(self, next - 1) : 0;
  const double after = next < self->cells ? middle(self, next) : self->rod->length;
  const double share = (s - before) / (after - before);
  wy_box_load *one = next > 0 ? &loads->cell[next - 1] : &loads->end[0];
  wy_box_load *other = next < self->cells ? &loads->cell[next] : &loads->end[1];
  add_load(one, load->axes, self->load_factor * (1 - share) / (next > 0 ? self->length[next - 1] : 1), force, moment);
  add_load(other, load->axes, self->load_factor * share / (next < self->cells ? self->length[next] : 1), force, moment);
}

static bool acts(const wy_box *self, int index) {
  const wy_load_def *load = wy_model_rod_load(self->base.model, self->base.rod, index);
  const wy_load_override *override = &self->base.load_overrides[index];
  return wy_load_has(load, override, false) || wy_load_has(load, override, true);
}

static bool is_inside(const wy_load_def *load) {
  return load->place == WY_ALONG || load->place == WY_AT_ARC;
}

void wy_box_update_loads(const wy_box *self, double t, wy_box_loads *loads) {
  const wy_model *model = self->base.model;
  const int count = wy_model_rod_load_count(model, self->base.rod);
  loads->gravity = wy_times(self->load_factor, self->gravity);
  loads->on_cells = false;
  memset(loads->end, 0, sizeof loads->end);
  for (int i = 0; i < count; i++)
    loads->on_cells = loads->on_cells || (acts(self, i) && is_inside(wy_model_rod_load(model, self->base.rod, i)));
  if (loads->on_cells)
    memset(loads->cell, 0, (size_t)self->cells * sizeof *loads->cell);
  for (int i = 0; i < count; i++) {
    const wy_load_def *load = wy_model_rod_load(model, self->base.rod, i);
    double force[3], moment[3];
    if (!acts(self, i))
      continue;
    for (int cell = 0; load->place == WY_ALONG && cell < self->cells; cell++)
      add_line(self, i, cell, t, &loads->cell[cell]);
    if (load->place == WY_ALONG)
      continue;
    const double s = wy_load_arc(self->rod, load);
    wy_load_value(load, &self->base.load_overrides[i], s, t, force, moment);
    if (load->place == WY_AT_ARC)
      add_point(self, load, s, force, moment, loads);
    else
      add_load(&loads->end[load->place == WY_AT_END], load->axes, self->load_factor, force, moment);
  }
}
