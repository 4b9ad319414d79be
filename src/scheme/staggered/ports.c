/* SPDX-License-Identifier: MIT */
/* Ports of a staggered rod: what it gives to its hubs, where they put its ends, and what it does to them (N1)-(N6). */
#include "scheme/staggered/ports.h"

#include <string.h>

#include "base/message.h"
#include "math/quat.h"
#include "scheme/staggered/rod.h"

static const double kappa = 0.25; /* of the end segment's rotary inertia, to the frame of the hub (N6) */

/* ---- Creation ---- */

wy_status wy_staggered_check_ports(const wy_staggered *self, wy_message *message) {
  const wy_rod_def *rod = self->grid.rod;
  const char *what = self->form == &wy_absolute_form ? "coordinates other than nullspace in this version"
                     : rod->maxwell_count > 0        ? "maxwell in this version; use mixed"
                     : self->actuators.count > 0     ? "actuators in this version; use mixed"
                     : rod->fluid.given              ? "a fluid in this version; use mixed"
                                                     : NULL;
  if (!what)
    return WY_OK;
  char path[WY_ENTRY_PATH];
  wy_entry_path("rods", rod->name, 0, path);
  wy_fail_at(message, path, "the scheme 'staggered' has no %s for rods with %s",
             self->ports.any ? "joints" : "obstacles on bodies that they may push", what);
  return WY_ERROR_SUPPORT;
}

void wy_staggered_begin_ports(wy_staggered *self) {
  for (int end = 0; end < 2; end++) {
    if (!wy_is_port(self, end))
      continue;
    for (int k = 0; k < 3; k++)
      self->ends[end].position[k] = WY_HELD;
    self->ends[end].rotation = self->ports.ends[end].holds == WY_PORT_FRAME ? WY_HELD : WY_FREE;
  }
}

static bool is_curved(const wy_rod_def *rod) {
  bool curved = false;
  for (int k = 0; k < 2; k++) {
    const wy_signal *curvature = &rod->shape.curvature[k];
    curved = curved || wy_signal_depends(curvature, WY_ARC) || wy_signal_value(curvature, 0, 0) != 0;
  }
  return curved;
}

void wy_staggered_layout_ports(wy_staggered *self, wy_arena *arena, wy_factor_needs needs) {
  const size_t columns = (size_t)wy_staggered_order(self) * WY_PORT_COLUMNS, size = (size_t)self->base.size;
  const size_t rest = (size_t)self->base.dofs * WY_PORT_COLUMNS;
  for (int end = 0; end < 2; end++) {
    wy_staggered_port *port = &self->ports.ends[end];
    if (wy_is_port(self, end) && needs.equilibria)
      port->rest = wy_arena_doubles(arena, rest);
    for (int i = 0; wy_is_port(self, end) && i < needs.real; i++)
      port->real[i] = wy_arena_doubles(arena, columns);
    for (int i = 0; wy_is_port(self, end) && i < needs.complex; i++) {
      port->complex[i] = wy_arena_doubles(arena, columns);
      port->complex_im[i] = wy_arena_doubles(arena, columns);
    }
  }
  if (needs.real + needs.complex > 0) {
    self->ports.known = wy_arena_doubles(arena, size);
    self->ports.known_im = wy_arena_doubles(arena, size);
  }
  if (self->ports.any)
    self->ports.seated = wy_arena_doubles(arena, needs.equilibria ? (size_t)self->base.config_size : size);
  if (self->ports.any && is_curved(self->grid.rod))
    self->grid.gamma_zero = wy_arena_doubles(arena, 3 * (size_t)self->grid.stride);
}

/* The share of the frame, in the axes of the support: part of the inertia of the section, which the segment loses, and
   a term of third order that keeps the frame of a thin rod from being the fastest thing of the grid (N6). */
static void give_inertia(wy_staggered *self, int end) {
  wy_staggered_port *port = &self->ports.ends[end];
  const int segment = wy_end_segment(&self->grid, end), n = self->grid.stride;
  const wy_section_values section = wy_section_at(self->grid.rod, self->grid.s_segment[segment]);
  const double h = self->grid.h[segment];
  for (int k = 0; k < 3; k++) {
    const int at = k * n + segment;
    const double given = kappa * h * section.rotary[k];
    port->share[k] = given + (k < 2 ? section.mass * h * h * h / 24 : 0);
    self->grid.inertia[at] -= given;
    self->grid.inv_inertia[at] = 1 / self->grid.inertia[at];
    port->drag_share[k] = kappa * self->grid.drag_inertia[at];
    self->grid.drag_inertia[at] -= port->drag_share[k];
  }
}

void wy_staggered_give_to_hubs(wy_staggered *self) {
  assert(self->grid.weighed == self->grid.mass); /* no fluid */
  for (int end = 0; end < 2; end++) {
    wy_staggered_port *port = &self->ports.ends[end];
    const int vertex = wy_end_vertex(&self->grid, end);
    if (!wy_is_port(self, end))
      continue;
    wy_support_reference_pose(&self->supports, end, &port->pose);
    port->mass = port->weighed = self->grid.mass[vertex];
    self->grid.mass[vertex] = self->grid.inv_mass[vertex] = 0;
    if (port->holds == WY_PORT_FRAME)
      give_inertia(self, end);
  }
}

/* ---- Where the supports are ---- */

void wy_staggered_find_pose(wy_staggered *self, int end, double t) {
  if (wy_is_port(self, end))
    self->eval.pose[end] = self->ports.ends[end].pose;
  else
    wy_support_pose(&self->supports, end, t, &self->eval.pose[end]);
}

static bool is_seated(const wy_staggered *self, int end, const double *u) {
  const wy_end_pose *pose = &self->ports.ends[end].pose;
  const int n = self->grid.stride, vertex = wy_end_vertex(&self->grid, end);
  bool same = true;
  for (int k = 0; k < 3; k++)
    same = same && u[self->grid.x + k * n + vertex] == pose->x[k] && u[self->grid.v + k * n + vertex] == pose->v[k];
  return same;
}

static void write(wy_system *system, int piece, wy_end_name end, const double x[3], const double v[3], double *u) {
  (void)piece;
  const wy_staggered *self = (const wy_staggered *)system;
  const int n = self->grid.stride, vertex = wy_end_vertex(&self->grid, (int)end);
  wy_store3(u + self->grid.x, n, vertex, wy_at3(x));
  wy_store3(u + self->grid.v, n, vertex, wy_at3(v));
}

const double *wy_staggered_seat(wy_staggered *self, const double *u, bool at_rest) {
  if (!self->ports.any || u == self->ports.seated)
    return u;
  bool seated = true;
  for (int end = 0; end < 2; end++)
    seated = seated && (!wy_is_port(self, end) || is_seated(self, end, u));
  if (seated)
    return u;
  memcpy(self->ports.seated, u, (size_t)(at_rest ? self->base.config_size : self->base.size) * sizeof *u);
  for (int end = 0; end < 2; end++)
    if (wy_is_port(self, end))
      write(&self->base, 0, (wy_end_name)end, self->ports.ends[end].pose.x, self->ports.ends[end].pose.v,
            self->ports.seated);
  return self->ports.seated;
}

static void move(wy_system *system, int piece, wy_end_name end, const wy_port_motion *motion) {
  (void)piece;
  wy_staggered *self = (wy_staggered *)system;
  wy_staggered_port *port = &self->ports.ends[end];
  assert(wy_is_port(self, (int)end));
  wy_copy3(motion->x, port->pose.x);
  wy_copy3(motion->v, port->pose.v);
  wy_copy3(motion->a, port->pose.a);
  if (port->holds != WY_PORT_FRAME)
    return;
  memcpy(port->pose.q, motion->q, sizeof port->pose.q);
  wy_copy3(motion->w, port->pose.w);
}

/* ---- What the hub gets ---- */

static void inertia(const wy_system *system, int piece, wy_end_name end, double *mass, double *weighed,
                    double share[3]) {
  (void)piece;
  const wy_staggered_port *port = &((const wy_staggered *)system)->ports.ends[end];
  *mass = port->mass, *weighed = port->weighed;
  wy_copy3(port->share, share);
}

/* What loads put straight into the support, in its axes. */
static wy_v3 support_load(const wy_staggered *self, int end) {
  const struct wy_end_moments *at = &self->loads.now.ends[end];
  return wy_plus(wy_turn_back(wy_at4(self->eval.pose[end].q), wy_at3(at->support_space)), wy_at3(at->support_body));
}

static void wrench(wy_system *system, int piece, wy_end_name end, wy_port_wrench *out) {
  (void)piece;
  const wy_staggered *self = (const wy_staggered *)system;
  const wy_staggered_port *port = &self->ports.ends[end];
  const int vertex = wy_end_vertex(&self->grid, (int)end), segment = wy_end_segment(&self->grid, (int)end);
  assert(wy_is_port(self, (int)end));
  wy_v3 force = wy_times(end == WY_START ? 1 : -1, wy_load3(self->eval.section_force, self->grid.halo_stride, segment));
  force = wy_plus(force, wy_load3(self->loads.total, self->grid.stride, vertex));
  wy_put3(out->force, wy_minus(force, wy_times(self->grid.drag_translation * port->mass, wy_at3(port->pose.v))));
  wy_v3 torque = {0, 0, 0};
  if (port->holds == WY_PORT_FRAME) {
    torque = wy_plus(wy_at3(port->torque), support_load(self, (int)end));
    torque = wy_minus(torque, wy_each(wy_at3(port->drag_share), wy_at3(port->pose.w)));
  }
  wy_put3(out->torque, torque);
}

double wy_staggered_port_load_power(const wy_staggered *self) {
  double power = 0;
  for (int end = 0; end < 2; end++)
    if (self->ports.ends[end].holds == WY_PORT_FRAME)
      power += wy_inner(support_load(self, end), wy_at3(self->ports.ends[end].pose.w));
  return power;
}

double wy_staggered_port_drag_power(const wy_staggered *self) {
  double power = 0;
  for (int end = 0; end < 2; end++) {
    const wy_staggered_port *port = &self->ports.ends[end];
    if (!wy_is_port(self, end))
      continue;
    power += self->grid.drag_translation * port->mass * wy_dot3(port->pose.v, port->pose.v);
    for (int k = 0; k < 3; k++)
      power += port->drag_share[k] * port->pose.w[k] * port->pose.w[k];
  }
  return power;
}

static void react(wy_system *system, int piece, wy_end_name end, const double force[3], const double moment[3]) {
  (void)piece;
  wy_staggered_port *port = &((wy_staggered *)system)->ports.ends[end];
  wy_copy3(force, port->reaction_force);
  wy_copy3(moment, port->reaction_moment);
}

const wy_port_type wy_staggered_port_type = {.piece_size = wy_staggered_piece_size,
                                             .piece_config_size = wy_staggered_piece_config_size,
                                             .create_piece = wy_staggered_create_piece,
                                             .move = move,
                                             .inertia = inertia,
                                             .wrench = wrench,
                                             .write = write,
                                             .articulate = wy_staggered_articulate,
                                             .restrain = wy_staggered_restrain_port,
                                             .respond = wy_staggered_respond_port,
                                             .react = react,
                                             .blocks = wy_staggered_port_blocks,
                                             .condense = wy_staggered_condense,
                                             .condense_rhs = wy_staggered_condense_rhs,
                                             .expand = wy_staggered_expand,
                                             .rest_blocks = wy_staggered_rest_blocks,
                                             .rest_condense = wy_staggered_rest_condense,
                                             .rest_condense_rhs = wy_staggered_rest_condense_rhs,
                                             .rest_expand = wy_staggered_rest_expand,
                                             .rest_write = wy_staggered_rest_write,
                                             .cells = wy_staggered_cells,
                                             .press = wy_staggered_press,
                                             .touch_blocks = wy_staggered_touch_blocks,
                                             .load = wy_staggered_load,
                                             .motion = wy_staggered_motion,
                                             .rest_motion = wy_staggered_rest_motion,
                                             .rest_load = wy_staggered_rest_load};
