/* SPDX-License-Identifier: MIT */
/* Linear systems of a group, (N8): each rod with its hubs held is eliminated by its scheme, what remains is a system of
   the hubs with blocks of order 6. */
#include <assert.h>
#include <string.h>

#include "linalg/product.h"
#include "network/inside.h"

/* ---- Small matrices ---- */

static void subtract(int count, const double *a, double *from) {
  for (int i = 0; i < count; i++)
    from[i] -= a[i];
}

static void add_times(int rows, int inner, const double *a, const double *x, double sign, double *y) {
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < inner; k++)
      y[i] += sign * a[i * inner + k] * x[k];
}

/* ---- The Jacobian ---- */

static void add_turn(double by_motion[6][12], wy_m3 m) {
  double rows[9];
  wy_to_rows(m, rows);
  for (int i = 0; i < 9; i++)
    by_motion[3 + i / 3][3 + i % 3] += rows[i];
}

/* What loads on bodies lack by the turn of their hub: a force in space axes turns against it, one in the axes of the
   body with it. */
static void load_blocks(wy_group *self, double t) {
  for (int i = 0; i < self->load_count; i++) {
    const wy_group_load *load = &self->loads[i];
    wy_group_hub *hub = &self->hubs[load->hub];
    double force[3], moment[3];
    wy_load_value(load->def, &self->overrides[i], 0, t, force, moment);
    const wy_v3 f = wy_times(self->load_factor, wy_at3(force)), m = wy_times(self->load_factor, wy_at3(moment));
    if (load->def->axes == WY_BODY_AXES) {
      double rows[9];
      wy_to_rows(wy_times_skew(hub->at.r, f), rows); /* d(R f) = -R [f]x theta */
      for (int k = 0; k < 9; k++)
        hub->by_motion[k / 3][3 + k % 3] += rows[k];
      continue;
    }
    add_turn(hub->by_motion, wy_mtimes(-1, wy_hub_carried_turn(&hub->at, wy_at3(load->def->point), f)));
    add_turn(hub->by_motion, wy_mtimes(-1, wy_skew(wy_apply_transposed(hub->at.r, m))));
  }
}

/* Place and velocity of the end of a spring, by the motion of its hub. */
static void end_blocks(const wy_group *self, const wy_group_spring *spring, int end, double by_motion[6][12]) {
  double outer[12][12];
  wy_hub_outer(&self->hubs[spring->hub[end]].at, &spring->at[end], outer);
  memcpy(by_motion, outer, 3 * sizeof outer[0]);
  memcpy(by_motion + 3, outer + 6, 3 * sizeof outer[0]);
}

/* Force and torque on a hub by a force at c. */
static void carry(const wy_hub_motion *at, wy_v3 c, double out[6][3]) {
  double rows[9];
  wy_to_rows(wy_skew_times(c, wy_mtransposed(at->r)), rows);
  for (int i = 0; i < 9; i++)
    out[i / 3][i % 3] = i % 4 == 0, out[3 + i / 3][i % 3] = rows[i];
}

static void spring_blocks(wy_group *self, wy_group_spring *spring) {
  double by[3][6], ends[2][6][12], rows[9];
  wy_m3 by_line, by_rate;
  wy_spring_blocks(spring->def, &spring->pull, &by_line, &by_rate);
  wy_to_rows(by_line, rows);
  for (int i = 0; i < 9; i++)
    by[i / 3][i % 3] = rows[i];
  wy_to_rows(by_rate, rows);
  for (int i = 0; i < 9; i++)
    by[i / 3][3 + i % 3] = rows[i];
  for (int end = 0; end < 2; end++)
    if (spring->hub[end] >= 0)
      end_blocks(self, spring, end, ends[end]);
  for (int on = 0; on < 2; on++) {
    if (spring->hub[on] < 0)
      continue;
    wy_group_hub *hub = &self->hubs[spring->hub[on]];
    double carried[6][3], change[3][12];
    const wy_v3 force = wy_times(on ? -1 : 1, wy_spring_force(&spring->pull));
    carry(&hub->at, spring->at[on].c, carried);
    for (int of = 0; of < 2; of++) {
      if (spring->hub[of] < 0)
        continue;
      wy_product(3, 6, 12, &by[0][0], &ends[of][0][0], &change[0][0]);
      for (int i = 0; i < 36; i++)
        change[i / 12][i % 12] *= on == of ? -1 : 1;
      wy_product(6, 3, 12, &carried[0][0], &change[0][0], &spring->by_motion[on][of][0][0]);
    }
    add_turn(spring->by_motion[on][on], wy_hub_carried_turn(&hub->at, spring->at[on].c, force));
    subtract(72, &spring->by_motion[on][on][0][0], &hub->by_motion[0][0]);
  }
}

void wy_group_outside_blocks(wy_group *self, double t) {
  load_blocks(self, t);
  for (int i = 0; i < self->spring_count; i++)
    spring_blocks(self, &self->springs[i]);
  wy_group_joint_blocks(self);
}

/* Inner forces of a constrained rod by the acceleration of its end: by that of the hub, and by its motion. */
static void rate_blocks(wy_group_port *port, const wy_group_hub *hub, const wy_port_blocks *blocks,
                        double outer[12][12]) {
  double by_turn[9], by_spin[9];
  wy_m3 turn, spin;
  wy_hub_point_blocks(&hub->at, port->hold.c, hub->alpha, &turn, &spin);
  wy_to_rows(turn, by_turn);
  wy_to_rows(spin, by_spin);
  for (int i = 0; i < WY_PORT_FORCES; i++)
    for (int j = 0; j < 6; j++) {
      port->inner_by_rate[i][j] = 0;
      for (int k = 0; k < 3; k++)
        port->inner_by_rate[i][j] += blocks->inner_by_acceleration[i][k] * outer[6 + k][6 + j];
    }
  for (int i = 0; i < 3 * WY_PORT_FORCES; i++)
    for (int k = 0; k < 3; k++) {
      port->inner_by_hub[i / 3][3 + i % 3] += blocks->inner_by_acceleration[i / 3][k] * by_turn[3 * k + i % 3];
      port->inner_by_hub[i / 3][9 + i % 3] += blocks->inner_by_acceleration[i / 3][k] * by_spin[3 * k + i % 3];
    }
}

/* Inner forces of a rod: the row of the strain is one of constrained rods. */
static int inner_rows(const wy_group_rod_part *rod) {
  return rod->constrained ? WY_PORT_FORCES : 6;
}

static void port_blocks(wy_group *self, wy_group_port *port) {
  const wy_group_rod_part *rod = &self->rods[port->rod];
  wy_group_hub *hub = &self->hubs[port->hub];
  wy_port_blocks blocks;
  double outer[12][12], carried[6][6], by_motion[6][12], own[6][12];
  rod->ports->blocks(rod->system, port->piece, port->end, &blocks);
  wy_hub_outer(&hub->at, &port->hold, outer);
  for (int i = 0; i < 36; i++) /* the wrench is carried by the transpose of how the support moves */
    carried[i / 6][i % 6] = outer[i % 6][i / 6];
  wy_product(inner_rows(rod), 12, 12, &blocks.inner_by_outer[0][0], &outer[0][0], &port->inner_by_hub[0][0]);
  wy_product(6, 6, WY_PORT_MOTION, &carried[0][0], &blocks.wrench_by_inner[0][0], &port->hub_by_inner[0][0]);
  wy_product(6, 12, 12, &blocks.wrench_by_outer[0][0], &outer[0][0], &by_motion[0][0]);
  wy_product(6, 6, 12, &carried[0][0], &by_motion[0][0], &own[0][0]);
  add_turn(own, wy_hub_carried_turn(&hub->at, port->hold.c, wy_at3(port->wrench.force)));
  subtract(72, &own[0][0], &hub->by_motion[0][0]);
  if (rod->constrained)
    rate_blocks(port, hub, &blocks, outer);
}

/* Nanoseconds a segment, by which it is decided whether rods are computed at the same time (tasks.c). */
static const double jacobian_work = 60, factor_work = 200, solve_work = 60;

/* Where a Jacobian is taken. */
typedef struct visit {
  double t;
  const double *u;
  const double *held; /* section forces in its geometric terms; NULL: those of u */
} visit;

static int rod_jacobian(wy_group *self, int i, void *context) {
  const visit *at = context;
  wy_system *rod = self->rods[i].system;
  const int offset = self->rods[i].offset;
  const int status =
      at->held ? rod->type->stride->linearise(rod, at->t, at->u + offset, at->held + offset, self->work + offset)
               : rod->type->jacobian(rod, at->t, at->u + offset);
  wy_carriers_press(self, i, at->u + offset);
  wy_carriers_linearise_rod(self, i, at->u + offset);
  return status;
}

static int take_jacobian(wy_system *system, double t, const double *u, const double *held) {
  wy_group *self = (wy_group *)system;
  visit at = {t, u, held};
  int status = WY_OK;
  if (self->articulated) { /* rods ask for the accelerations of their ends */
    status = system->type->rhs(system, t, u, self->work, NULL);
    wy_group_swing_ends(self);
  } else {
    wy_group_place(self, t, u);
  }
  if (!status)
    status = wy_group_each(self, 0, self->rod_count, jacobian_work, rod_jacobian, &at);
  if (status)
    return status;
  if (self->articulated) {
    wy_group_sum_loads(self, t, NULL);
    if (self->condition_count > 0)
      wy_conditions_take(self, &self->mass, self->y, NULL);
  } else
    wy_group_gather(self, t, NULL);
  for (int i = 0; i < self->hub_count; i++) {
    wy_group_hub *hub = &self->hubs[i];
    hub->kept = hub->at, hub->kept_alpha = hub->alpha;
    wy_hub_mass_matrix(&hub->inertia, &hub->at, hub->mass);
    wy_hub_inertia_blocks(&hub->inertia, &hub->at, self->gravity, hub->a, hub->alpha, hub->by_motion);
  }
  wy_group_outside_blocks(self, t);
  wy_conditions_jacobian(self);
  for (int i = 0; i < self->port_count; i++)
    port_blocks(self, &self->ports[i]);
  wy_carriers_linearise(self);
  wy_reach_linearise(self);
  return WY_OK;
}

int wy_group_jacobian(wy_system *system, double t, const double *u) {
  return take_jacobian(system, t, u, NULL);
}

int wy_group_linearise(wy_system *system, double t, const double *u, const double *held, double *f) {
  const int status = take_jacobian(system, t, u, held);
  return status ? status : system->type->rhs(system, t, u, f, NULL);
}

/* ---- Factors ---- */

/* Real and imaginary part of a block of the hub matrix. */
typedef struct block {
  double re[6][6], im[6][6];
} block;

/* One shift: the slot of the hub matrix, and whether it is complex. */
typedef struct shift_slot {
  int index;
  bool is_complex;
  double re, im;
  wy_hub_shift *hubs;
  wy_hub_matrix *real;
  wy_hub_matrix_complex *complex;
} shift_slot;

static shift_slot slot_of(wy_group *self, int index, bool is_complex) {
  assert(index >= 0 && index < WY_HUB_SLOTS);
  return (shift_slot){.index = index,
                      .is_complex = is_complex,
                      .hubs = self->shifts[is_complex][index],
                      .real = &self->real[index],
                      .complex = &self->complex[index]};
}

static void add_block(const wy_group *self, const shift_slot *slot, int on, int by, block *b) {
  const int row = self->hubs[on].block, column = self->hubs[by].block;
  if (slot->is_complex)
    wy_hub_matrix_complex_add(slot->complex, row, column, &b->re[0][0], &b->im[0][0], 6);
  else
    wy_hub_matrix_add(slot->real, row, column, &b->re[0][0], 6);
}

/* Held components of bodies: sigma dv = r = 0 for them. */
static void hold(const wy_group *self, int on, int by, block *b) {
  wy_hub_hold(&self->hubs[on].inertia, &self->hubs[by].inertia, b->re);
  wy_hub_hold(&self->hubs[on].inertia, &self->hubs[by].inertia, b->im);
}

static void negate(block *b) {
  for (int i = 0; i < 36; i++)
    b->re[i / 6][i % 6] = -b->re[i / 6][i % 6], b->im[i / 6][i % 6] = -b->im[i / 6][i % 6];
}

static void reduce(const wy_group *self, const shift_slot *slot, int hub, double by_motion[6][12], block *out) {
  wy_hub_reduce(&slot->hubs[hub], &self->hubs[hub].kept, by_motion, out->re, out->im);
}

/* Subtracts what a hub feels of the unknowns that another one reaches from the blocks of all of them. */
static void add_felt(const wy_group *self, const shift_slot *slot, int on, int by, const wy_reach_rows *felt) {
  const wy_hub_reach *rows = &self->hubs[on].reach, *columns = &self->hubs[by].reach;
  for (int n = 0; n < rows->count; n++) {
    wy_reach_rows carried;
    wy_reach_carry(self, on, n, WY_PORT_COLUMNS, &felt->re[0][0], &carried.re[0][0]);
    if (slot->is_complex)
      wy_reach_carry(self, on, n, WY_PORT_COLUMNS, &felt->im[0][0], &carried.im[0][0]);
    for (int k = 0; k < columns->count; k++) {
      block one = {{{0}}, {{0}}};
      for (int i = 0; i < 6; i++)
        for (int j = 0; j < columns->width[k]; j++) {
          one.re[i][j] = -carried.re[i][columns->first[k] + j];
          one.im[i][j] = slot->is_complex ? -carried.im[i][columns->first[k] + j] : 0;
        }
      hold(self, rows->hub[n], columns->hub[k], &one);
      add_block(self, slot, rows->hub[n], columns->hub[k], &one);
    }
  }
}

/* A hub with its parent: what its balance lacks by the unknowns of both. */
static void sub_blocks(wy_group *self, const shift_slot *slot, int i) {
  const wy_group_hub *hub = &self->hubs[i];
  const wy_sub_blocks *from = hub->blocks;
  for (int n = 0; n < hub->reach.count; n++)
    for (int k = 0; k < hub->reach.count; k++) {
      const int on = hub->reach.hub[n], by = hub->reach.hub[k], rows = on == i ? 3 : 6, width = by == i ? 3 : 6;
      block one = {{{0}}, {{0}}};
      if (by == i) {
        wy_reach_reduce_own(self, i, &slot->hubs[i], rows, on == i ? &from->oo[0][0] : &from->po[0][0], one.re, one.im);
      } else {
        double by_motion[6][12] = {{0}};
        memcpy(by_motion, on == i ? &from->op[0][0] : &from->pp[0][0], 12 * (size_t)rows * sizeof(double));
        reduce(self, slot, by, by_motion, &one);
      }
      for (int r = 0; r < rows; r++)
        for (int c = 0; c < width; c++) {
          const double mass = on == i ? (by == i ? from->mass_oo[r][c] : from->mass_po[c][r])
                                      : (by == i ? from->mass_po[r][c] : from->mass_pp[r][c]);
          one.re[r][c] += slot->re * mass, one.im[r][c] += slot->im * mass;
        }
      hold(self, on, by, &one);
      add_block(self, slot, on, by, &one);
    }
}

/* Springs of joints between two hubs. */
static void joint_blocks(wy_group *self, const shift_slot *slot) {
  for (int i = 0; i < self->joint_spring_count; i++) {
    wy_group_joint_spring *spring = &self->joint_springs[i];
    for (int on = 0; on < 2; on++) {
      const int row = spring->hub[on], column = spring->hub[1 - on];
      if (spring->def->kind == WY_HINGE) {
        double by_own[6] = {-spring->def->stiffness, 0, 0, -spring->def->damping, 0, 0};
        block one;
        if (self->hubs[row].def->kind != WY_HUB_HINGE || self->hubs[column].def->kind != WY_HUB_HINGE)
          continue;
        wy_reach_reduce_own(self, column, &slot->hubs[column], 1, by_own, one.re, one.im);
        add_block(self, slot, row, column, &one);
        continue;
      }
      wy_reach_rows felt;
      wy_reach_reduce(self, column, slot->hubs, spring->by_motion[on][1 - on], &felt);
      add_felt(self, slot, row, column, &felt);
    }
  }
}

static void hub_blocks(wy_group *self, const shift_slot *slot) {
  for (int i = 0; i < self->hub_count; i++) {
    wy_group_hub *hub = &self->hubs[i];
    block own;
    if (hub->parent >= 0) {
      sub_blocks(self, slot, i);
      continue;
    }
    if (hub->block < 0)
      continue;
    reduce(self, slot, i, hub->by_motion, &own);
    for (int k = 0; k < 36; k++) {
      own.re[k / 6][k % 6] += slot->re * hub->mass[k / 6][k % 6];
      own.im[k / 6][k % 6] += slot->im * hub->mass[k / 6][k % 6];
    }
    hold(self, i, i, &own);
    wy_hub_hold_diagonal(&hub->inertia, own.re);
    add_block(self, slot, i, i, &own);
  }
  for (int i = 0; i < self->spring_count; i++) {
    wy_group_spring *spring = &self->springs[i];
    for (int on = 0; on < 2; on++) {
      const int row = spring->hub[on], column = spring->hub[1 - on];
      block other;
      if (wy_is_known(self, row) || wy_is_known(self, column))
        continue;
      reduce(self, slot, column, spring->by_motion[on][1 - on], &other);
      negate(&other);
      hold(self, row, column, &other);
      add_block(self, slot, row, column, &other);
    }
  }
  joint_blocks(self, slot);
}

/* Inner forces at a port by the unknowns that its hub reaches: six rows, then the last six of nine. */
static void find_inner_forces(const wy_group *self, const shift_slot *slot, const wy_group_rod_part *rod,
                              wy_group_port *port, wy_port_row re[WY_PORT_FORCES], wy_port_row im[WY_PORT_FORCES]) {
  for (int first = 0; first + 6 <= inner_rows(rod); first += 3) {
    wy_reach_rows rows;
    wy_reach_reduce(self, port->hub, slot->hubs, port->inner_by_hub + first, &rows);
    if (rod->constrained)
      wy_reach_add_rates(self, port->hub, slot->hubs, port->inner_by_rate + first, &rows);
    memcpy(re + first, rows.re, sizeof rows.re);
    memcpy(im + first, rows.im, sizeof rows.im);
  }
}

/* What the hubs of a rod feel of the motion of one of them, through the rod. */
static void condense_end(const wy_group *self, const shift_slot *slot, const wy_group_rod_part *rod, int end,
                         wy_reach_rows felt[2]) {
  wy_port_row forces_re[WY_PORT_FORCES], forces_im[WY_PORT_FORCES];
  wy_port_row inner_re[2][WY_PORT_MOTION], inner_im[2][WY_PORT_MOTION];
  wy_group_port *port = rod->port[end] >= 0 ? &self->ports[rod->port[end]] : NULL;
  if (!port || wy_is_known(self, port->hub))
    return;
  find_inner_forces(self, slot, rod, port, forces_re, forces_im);
  rod->ports->condense(rod->system, slot->index, port->piece, port->end, forces_re, slot->is_complex ? forces_im : NULL,
                       inner_re, slot->is_complex ? inner_im : NULL);
  for (int on = 0; on < 2; on++) {
    const wy_group_port *other = rod->port[on] >= 0 ? &self->ports[rod->port[on]] : NULL;
    if (!other || wy_is_known(self, other->hub))
      continue;
    wy_product(6, WY_PORT_MOTION, WY_PORT_COLUMNS, &other->hub_by_inner[0][0], &inner_re[on][0][0], &felt[on].re[0][0]);
    if (slot->is_complex)
      wy_product(6, WY_PORT_MOTION, WY_PORT_COLUMNS, &other->hub_by_inner[0][0], &inner_im[on][0][0],
                 &felt[on].im[0][0]);
  }
}

/* One batch of rods on its way through a factorisation or a solve. */
typedef struct passage {
  const shift_slot *slot;
  int first; /* of the batch */
  double *re, *im;
} passage;

static int factor_rod(wy_group *self, int i, void *context) {
  const passage *way = context;
  const shift_slot *slot = way->slot;
  const wy_group_rod_part *rod = &self->rods[i];
  const wy_system_type *type = rod->system->type;
  const int status = slot->is_complex ? type->factor_complex(rod->system, slot->index, slot->re, slot->im)
                                      : type->factor(rod->system, slot->index, slot->re);
  for (int end = 0; end < 2 && !status; end++)
    condense_end(self, slot, rod, end, self->felt[i - way->first].rows[end]);
  return status;
}

static void add_rod(const wy_group *self, const shift_slot *slot, const wy_group_rod_part *rod,
                    const wy_rod_felt *felt) {
  for (int by = 0; by < 2; by++)
    for (int on = 0; on < 2; on++) {
      const int row = rod->port[on] >= 0 ? self->ports[rod->port[on]].hub : -1,
                column = rod->port[by] >= 0 ? self->ports[rod->port[by]].hub : -1;
      if (!wy_is_known(self, row) && !wy_is_known(self, column))
        add_felt(self, slot, row, column, &felt->rows[by][on]);
    }
}

/* Batch by batch: rods at the same time, then what they leave, in their order. */
static int factor_rods(wy_group *self, const shift_slot *slot) {
  const int batch = wy_group_batch(self, factor_work);
  for (int first = 0, count; first < self->rod_count; first += count) {
    passage way = {.slot = slot, .first = first};
    count = self->rod_count - first < batch ? self->rod_count - first : batch;
    const int status = wy_group_each(self, first, count, factor_work, factor_rod, &way);
    if (status)
      return status;
    for (int i = first; i < first + count; i++)
      add_rod(self, slot, &self->rods[i], &self->felt[i - first]);
  }
  return WY_OK;
}

static int factor(wy_group *self, shift_slot *slot) {
  for (int i = 0; i < self->hub_count; i++)
    slot->hubs[i] = wy_hub_shift_of(&self->hubs[i].kept, slot->re, slot->im);
  if (slot->is_complex && self->block_count > 0)
    wy_hub_matrix_complex_clear(slot->complex);
  else if (self->block_count > 0)
    wy_hub_matrix_clear(slot->real);
  hub_blocks(self, slot);
  wy_conditions_add_blocks(self, slot->hubs, slot->real, slot->is_complex ? slot->complex : NULL);
  const int status = factor_rods(self, slot);
  if (status)
    return status;
  if (self->block_count == 0)
    return WY_OK;
  const int failed = slot->is_complex ? wy_hub_matrix_complex_factor(slot->complex) : wy_hub_matrix_factor(slot->real);
  if (failed)
    return WY_RETRY;
  return self->carriers.active > 0 ? wy_carriers_factor(self, slot->index, slot->is_complex) : WY_OK;
}

int wy_group_factor(wy_system *system, int index, double sigma) {
  wy_group *self = (wy_group *)system;
  shift_slot slot = slot_of(self, index, false);
  slot.re = sigma;
  return factor(self, &slot);
}

int wy_group_factor_complex(wy_system *system, int index, double re, double im) {
  wy_group *self = (wy_group *)system;
  shift_slot slot = slot_of(self, index, true);
  slot.re = re, slot.im = im;
  return factor(self, &slot);
}

/* ---- Solves ---- */

/* Held components are where they are, whatever the right-hand side says of them. */
static wy_v3 free_part(const wy_group_hub *hub, wy_v3 a) {
  const bool *held = hub->inertia.held;
  return (wy_v3){held[0] ? 0 : a.x, held[1] ? 0 : a.y, held[2] ? 0 : a.z};
}

/* The known part of the motion of hubs, from their right-hand sides. Known hubs do not move by them. */
static void know_hubs(wy_group *self, const shift_slot *slot, const double *re, const double *im) {
  const int n = self->hub_stride;
  const double *b = re + self->hub_offset, *b_im = im ? im + self->hub_offset : NULL;
  for (int i = 0; i < self->hub_count; i++) {
    wy_group_hub *hub = &self->hubs[i];
    const wy_v3 none = {0, 0, 0};
    const wy_q4 no_turn = {0, 0, 0, 0};
    if (hub->block < 0) {
      memset(hub->known, 0, sizeof hub->known);
      continue;
    }
    if (hub->def->kind == WY_HUB_HINGE) {
      wy_reach_know_angle(self, i, &slot->hubs[i], re, im);
      continue;
    }
    const bool turns = !hub->inertia.held[3];
    const wy_v3 moved = free_part(hub, wy_load3(b, n, i)),
                moved_im = b_im ? free_part(hub, wy_load3(b_im, n, i)) : none;
    wy_hub_know(&slot->hubs[i], &hub->kept, moved, moved_im, turns ? wy_load4(b + WY_HUB_FRAME * n, n, i) : no_turn,
                b_im && turns ? wy_load4(b_im + WY_HUB_FRAME * n, n, i) : no_turn, &hub->known[0], &hub->known[1]);
  }
}

/* The right-hand side of a hub: M r less what the known motion does. `part` is 0 for the real and 1 for the imaginary
   part of b. */
static void pack_hubs(wy_group *self, int part, const double *b, double *y) {
  const int n = self->hub_stride;
  for (int i = 0; i < self->hub_count; i++) {
    wy_group_hub *hub = &self->hubs[i];
    double rates[6], motion[12];
    if (hub->parent >= 0) {
      wy_reach_pack(self, i, part, b, y);
      continue;
    }
    if (hub->block < 0)
      continue;
    double to[6] = {0};
    wy_put3(rates, wy_load3(b + self->hub_offset + WY_HUB_VELOCITY * n, n, i));
    wy_put3(rates + 3, wy_load3(b + self->hub_offset + WY_HUB_SPIN * n, n, i));
    wy_reach_motion(self, i, part, motion);
    add_times(6, 6, &hub->mass[0][0], rates, 1, to);
    add_times(6, 12, &hub->by_motion[0][0], motion, -1, to);
    memcpy(wy_hub_entries(self, i, y), to, (size_t)wy_hub_order(self, i) * sizeof *to);
  }
  for (int i = 0; i < self->spring_count; i++) {
    wy_group_spring *spring = &self->springs[i];
    for (int on = 0; on < 2; on++) {
      const int row = spring->hub[on], other = spring->hub[1 - on];
      double motion[12];
      if (wy_is_known(self, row) || wy_is_known(self, other))
        continue;
      wy_reach_motion(self, other, part, motion);
      add_times(wy_hub_order(self, row), 12, &spring->by_motion[on][1 - on][0][0], motion, 1,
                wy_hub_entries(self, row, y));
    }
  }
  wy_reach_pack_springs(self, part, y);
}

/* A rod with its hubs where they are known to be. */
static int condense_rod(wy_group *self, int i, void *context) {
  const passage *way = context;
  const wy_group_rod_part *rod = &self->rods[i];
  const double *re = way->re + rod->offset, *im = way->im ? way->im + rod->offset : NULL;
  double forces[2][2][WY_PORT_FORCES] = {{{0}}}, (*inner)[2][WY_PORT_MOTION] = self->felt[i - way->first].inner;
  for (int end = 0; end < 2; end++) {
    const wy_group_port *port = rod->port[end] >= 0 ? &self->ports[rod->port[end]] : NULL;
    for (int part = 0; port && part < (im ? 2 : 1); part++) {
      double motion[12];
      wy_reach_motion(self, port->hub, part, motion);
      add_times(inner_rows(rod), 12, &port->inner_by_hub[0][0], motion, 1, forces[part][end]);
      if (!rod->constrained || wy_is_known(self, port->hub) || (part && !im))
        continue;
      wy_reach_known_rates(self, port->hub, part, part ? way->im : way->re, motion);
      add_times(WY_PORT_FORCES, 6, &port->inner_by_rate[0][0], motion, 1, forces[part][end]);
    }
  }
  rod->ports->condense_rhs(rod->system, way->slot->index, re, im, &forces[0], im ? &forces[1] : NULL, &inner[0],
                           im ? &inner[1] : NULL);
  return 0;
}

/* What that does to them, into their right-hand sides. */
static void add_inner(wy_group *self, const wy_group_rod_part *rod, wy_rod_felt *felt, int parts) {
  for (int end = 0; end < 2; end++) {
    const wy_group_port *port = rod->port[end] >= 0 ? &self->ports[rod->port[end]] : NULL;
    if (!port || wy_is_known(self, port->hub))
      continue;
    for (int part = 0; part < parts; part++) {
      double sum[6] = {0};
      add_times(6, WY_PORT_MOTION, &port->hub_by_inner[0][0], felt->inner[part][end], 1, sum);
      wy_reach_add(self, port->hub, sum, part ? self->y_im : self->y);
    }
  }
}

/* NOLINTNEXTLINE(readability-non-const-parameter): `way` serves the way back, too, which writes them */
static void condense_rods(wy_group *self, const shift_slot *slot, double *re, double *im) {
  const int batch = wy_group_batch(self, solve_work);
  for (int first = 0, count; first < self->rod_count; first += count) {
    passage way = {slot, first, re, im};
    count = self->rod_count - first < batch ? self->rod_count - first : batch;
    wy_group_each(self, first, count, solve_work, condense_rod, &way);
    for (int i = first; i < first + count; i++)
      add_inner(self, &self->rods[i], &self->felt[i - first], im ? 2 : 1);
  }
}

/* The unknowns of a hub, of which one without a frame has no more than three, and one that turns only the last three.
 */
static void take_entries(const wy_group *self, int hub, double *y, double out[6]) {
  const int first = self->hubs[hub].def->kind == WY_HUB_TURNS ? 3 : 0;
  memset(out, 0, 6 * sizeof *out);
  memcpy(out + first, wy_hub_entries(self, hub, y), (size_t)wy_hub_order(self, hub) * sizeof *out);
}

static int expand_rod(wy_group *self, int i, void *context) {
  const passage *way = context;
  const wy_group_rod_part *rod = &self->rods[i];
  wy_port_row hubs[2][2] = {{{0}}};
  for (int end = 0; end < 2; end++) {
    const wy_group_port *port = rod->port[end] >= 0 ? &self->ports[rod->port[end]] : NULL;
    if (!port || wy_is_known(self, port->hub))
      continue;
    wy_reach_take(self, port->hub, self->y, hubs[0][end]);
    wy_reach_take(self, port->hub, self->y_im, hubs[1][end]);
  }
  rod->ports->expand(rod->system, way->slot->index, &hubs[0], way->im ? &hubs[1] : NULL, way->re + rod->offset,
                     way->im ? way->im + rod->offset : NULL);
  return 0;
}

/* The increments of a hub. */
static void find_hub(wy_group *self, const shift_slot *slot, int index, double *re, double *im) {
  const int n = self->hub_stride;
  const wy_group_hub *hub = &self->hubs[index];
  double *parts[2] = {re + self->hub_offset, im ? im + self->hub_offset : NULL};
  wy_hub_found found[2];
  memset(found, 0, sizeof found);
  if (hub->block >= 0 && hub->def->kind != WY_HUB_HINGE) {
    double y[2][6];
    take_entries(self, index, self->y, y[0]);
    take_entries(self, index, self->y_im, y[1]);
    wy_hub_find(&slot->hubs[index], &hub->kept, &hub->known[0], &hub->known[1], y[0], y[1], &found[0], &found[1]);
  }
  for (int part = 0; part < 2; part++) {
    double *b = parts[part];
    if (!b)
      continue;
    wy_store3(b + WY_HUB_PLACE * n, n, index, found[part].dx);
    wy_store4(b + WY_HUB_FRAME * n, n, index, found[part].dp);
    wy_store3(b + WY_HUB_VELOCITY * n, n, index, found[part].dv);
    wy_store3(b + WY_HUB_SPIN * n, n, index, found[part].domega);
    if (hub->parent >= 0)
      wy_reach_find(self, index, part, &slot->hubs[index], part ? im : re);
  }
}

/* Ends of rods move as their hubs do, whatever the right-hand side of their own rows: nothing depends on them. */
static void expand_ends(wy_group *self, double *b) {
  const int n = self->hub_stride;
  const double *hubs = b + self->hub_offset;
  for (int i = 0; i < self->port_count; i++) {
    const wy_group_port *port = &self->ports[i];
    const wy_group_rod_part *rod = &self->rods[port->rod];
    const wy_hub_motion *at = &self->hubs[port->hub].kept;
    const wy_q4 dp = wy_load4(hubs + WY_HUB_FRAME * n, n, port->hub);
    const wy_v3 c = port->hold.c, theta = wy_times(2 / wy_qsquare(at->p), wy_pure(wy_between(at->p, dp)));
    const wy_v3 domega = wy_load3(hubs + WY_HUB_SPIN * n, n, port->hub);
    const wy_v3 swept = wy_plus(wy_cross(theta, wy_cross(at->omega, c)), wy_cross(domega, c));
    double dx[3], dv[3];
    wy_put3(dx, wy_plus(wy_load3(hubs + WY_HUB_PLACE * n, n, port->hub), wy_apply(at->r, wy_cross(theta, c))));
    wy_put3(dv, wy_plus(wy_load3(hubs + WY_HUB_VELOCITY * n, n, port->hub), wy_apply(at->r, swept)));
    rod->ports->write(rod->system, port->piece, port->end, dx, dv, b + rod->offset);
  }
}

static void solve(wy_group *self, const shift_slot *slot, double *re, double *im) {
  know_hubs(self, slot, re, im);
  pack_hubs(self, 0, re, self->y);
  wy_conditions_pack(self, 0, re, self->y);
  if (im) {
    pack_hubs(self, 1, im, self->y_im);
    wy_conditions_pack(self, 1, im, self->y_im);
  }
  if (self->carriers.count > 0)
    wy_carriers_push(self, slot->hubs, im ? 2 : 1);
  condense_rods(self, slot, re, im);
  for (int i = 0; i < self->hub_count; i++)
    for (int k = 0; self->hubs[i].block >= 0 && self->hubs[i].inertia.any_held && k < 6; k++)
      if (self->hubs[i].inertia.held[k])
        wy_hub_entries(self, i, self->y)[k] = wy_hub_entries(self, i, self->y_im)[k] = 0;
  if (im && self->block_count > 0)
    wy_hub_matrix_complex_solve(slot->complex, self->y, self->y_im);
  else if (self->block_count > 0)
    wy_hub_matrix_solve(slot->real, self->y);
  passage way = {slot, 0, re, im};
  wy_group_each(self, 0, self->rod_count, solve_work, expand_rod, &way);
  for (int i = 0; i < self->hub_count; i++)
    find_hub(self, slot, i, re, im);
  expand_ends(self, re);
  if (im)
    expand_ends(self, im);
}

void wy_group_solve_apart(wy_group *self, int index, double *re, double *im) {
  const shift_slot slot = slot_of(self, index, im != NULL);
  if (!im)
    memset(self->y_im, 0, (6 * (size_t)self->block_count + (size_t)self->multipliers) * sizeof *self->y_im);
  solve(self, &slot, re, im);
}

void wy_group_solve(wy_system *system, int index, double *b) {
  wy_group *self = (wy_group *)system;
  (self->carriers.active > 0 ? wy_carriers_solve : wy_group_solve_apart)(self, index, b, NULL);
}

void wy_group_solve_complex(wy_system *system, int index, double *re, double *im) {
  wy_group *self = (wy_group *)system;
  (self->carriers.active > 0 ? wy_carriers_solve : wy_group_solve_apart)(self, index, re, im);
}
