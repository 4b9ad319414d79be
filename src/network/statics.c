/* SPDX-License-Identifier: MIT */
/* Equilibria of a group. A configuration is the state at rest, followed by what the rods add to theirs (section
   forces). Degrees of freedom are those of the rods, one after the other, then displacement and rotation of each hub
   whose motion is not known; those of end vertices follow from their hub. Solves and counts by (N8): rods with their
   hubs held, then the hubs. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "linalg/product.h"
#include "math/quat.h"
#include "network/inside.h"
#include "network/mixed.h"

/* ---- Configurations ---- */

static int extra_of(const wy_group_rod_part *rod) {
  return rod->system->config_size - rod->system->size;
}

/* The configuration of a rod, which its scheme wants in one piece. */
static double *config_of(const wy_group *self, const wy_group_rod_part *rod) {
  return self->rest_config + rod->offset + (rod->config - self->base.size);
}

static const double *take_rod(wy_group *self, int i, const double *config) {
  const wy_group_rod_part *rod = &self->rods[i];
  double *own = config_of(self, rod);
  memcpy(own, config + rod->offset, (size_t)rod->system->size * sizeof *config);
  memcpy(own + rod->system->size, config + rod->config, (size_t)extra_of(rod) * sizeof *config);
  return own;
}

static void put_rod(wy_group *self, int i, double *config) {
  const wy_group_rod_part *rod = &self->rods[i];
  const double *own = config_of(self, rod);
  memcpy(config + rod->offset, own, (size_t)rod->system->size * sizeof *config);
  memcpy(config + rod->config, own + rod->system->size, (size_t)extra_of(rod) * sizeof *config);
}

static const wy_statics_type *rest_of(const wy_group_rod_part *rod) {
  return rod->system->type->statics;
}

static void apply(wy_system *system, bool rest, double loads, double ends) {
  wy_group *self = (wy_group *)system;
  for (int i = 0; i < self->rod_count; i++)
    rest_of(&self->rods[i])->apply(self->rods[i].system, rest, loads, ends);
  for (int i = 0; i < system->part_count; i++)
    if (self->parts[i].whole)
      wy_whole_refresh(self->parts[i].whole);
  self->shows = false;
  self->load_factor = rest ? loads : 1;
  self->end_factor = rest ? ends : 1, self->at_rest = rest;
  for (int i = 0; i < self->drive_count; i++) {
    self->drives[i].supports.rest = rest;
    self->drives[i].supports.factor = rest ? ends : 1;
  }
  for (int k = 0; k < 3; k++)
    self->gravity[k] = self->load_factor * wy_model_gravity(system->model)[k];
}

static void undeformed(wy_system *system, double *config) {
  wy_group *self = (wy_group *)system;
  if (self->assembled) {
    memcpy(config, self->assembly, (size_t)system->config_size * sizeof *config);
    return;
  }
  memset(config, 0, (size_t)system->config_size * sizeof *config);
  for (int i = 0; i < self->rod_count; i++) {
    rest_of(&self->rods[i])->undeformed(self->rods[i].system, config_of(self, &self->rods[i]));
    put_rod(self, i, config);
  }
  wy_group_rest_hubs(self, config);
}

/* (N1), (N2) on the way: c and q as the ends are drawn at share 0, as the joint wants them at 1. */
static void close_joints(wy_system *system, double share) {
  wy_group *self = (wy_group *)system;
  self->shows = false;
  for (int i = 0; i < self->port_count; i++) {
    wy_group_port *port = &self->ports[i];
    double left[3], step[4];
    wy_put3(left, wy_times(share - 1, wy_at3(port->def->turn)));
    wy_qexp(left, step);
    port->hold.c = wy_plus(wy_at3(port->def->c), wy_times(1 - share, wy_at3(port->def->gap)));
    port->hold.q = wy_qproduct(wy_at4(port->def->q), wy_at4(step));
  }
}

static void keep(wy_system *system, const double *config) {
  wy_group *self = (wy_group *)system;
  memcpy(self->assembly, config, (size_t)system->config_size * sizeof *config);
  self->assembled = true;
}

/* ---- Balance ---- */

/* End vertices at ports have no freedom of their own. */
static void clear_ends(const wy_group *self, double *d) {
  static const double none[3] = {0, 0, 0};
  for (int i = 0; i < self->port_count; i++) {
    const wy_group_port *port = &self->ports[i];
    const wy_group_rod_part *rod = &self->rods[port->rod];
    rod->ports->rest_write(rod->system, port->piece, port->end, none, d + rod->dof);
  }
}

static double *hub_dofs(const wy_group *self, int hub, double *d) {
  return d + self->hub_dof + 6 * (size_t)self->hubs[hub].block;
}

/* Multipliers of conditions come last, in both. */
static double *multipliers(const wy_group *self, double *d) {
  return d + self->base.dofs - self->multipliers;
}

static double *config_multipliers(const wy_group *self, double *config) {
  return config + self->base.config_size - self->multipliers;
}

static void clear_held(const wy_group *self, int hub, double *d) {
  for (int k = 0; k < 6; k++)
    d[k] = self->hubs[hub].inertia.held[k] ? 0 : d[k];
}

/* The load on a hub, as loads on the degrees of freedom that move it. */
static void add_load(const wy_group *self, int i, const double load[6], double *r) {
  const wy_group_hub *hub = &self->hubs[i];
  double by_parent[6][6], by_own[6][3];
  if (hub->parent >= 0)
    wy_sub_velocities(&hub->sub, &self->hubs[hub->parent].at, by_parent, by_own);
  for (int n = 0; n < hub->reach.count; n++) {
    const int to = hub->reach.hub[n];
    double *dofs = hub_dofs(self, to, r);
    for (int k = 0; k < self->hubs[to].order; k++)
      for (int row = 0; row < 6; row++)
        dofs[k] += load[row] * (hub->parent < 0 ? row == k : to == i ? by_own[row][k] : by_parent[row][k]);
  }
  if (hub->def->kind == WY_HUB_HINGE && hub->block >= 0)
    *hub_dofs(self, i, r) += hub->sub.torque;
}

/* Nanoseconds a segment, by which it is decided whether rods are computed at the same time (tasks.c). */
static const double residual_work = 30, tangent_work = 150, factor_work = 400, solve_work = 80, count_work = 300;

/* Where residual and tangent are taken; also what a solve is about. */
typedef struct visit {
  double t;
  const double *config;
  double *r;
  int first; /* of the batch */
} visit;

static int rod_residual(wy_group *self, int i, void *context) {
  const visit *at = context;
  const wy_group_rod_part *rod = &self->rods[i];
  return rest_of(rod)->residual(rod->system, at->t, take_rod(self, i, at->config), at->r + rod->dof);
}

static int residual(wy_system *system, double t, const double *config, double *r) {
  wy_group *self = (wy_group *)system;
  visit at = {.t = t, .config = config, .r = r};
  wy_group_place(self, t, config);
  const int status = wy_group_each(self, 0, self->rod_count, residual_work, rod_residual, &at);
  if (status)
    return status;
  wy_group_sum_loads(self, t, NULL);
  wy_conditions_rest_loads(self, config_multipliers(self, (double *)config));
  wy_conditions_rest_missed(self, multipliers(self, r));
  clear_ends(self, r);
  for (int i = 0; i < self->hub_count; i++) {
    const wy_group_hub *hub = &self->hubs[i];
    double load[6];
    if (hub->block >= 0)
      memset(hub_dofs(self, i, r), 0, 6 * sizeof *r);
    wy_put3(load, hub->load.force);
    wy_put3(load + 3, hub->inertia.has_frame ? hub->load.torque : (wy_v3){0, 0, 0});
    add_load(self, i, load, r);
  }
  for (int i = 0; i < self->hub_count; i++)
    if (self->hubs[i].block >= 0)
      clear_held(self, i, hub_dofs(self, i, r));
  return WY_OK;
}

/* ---- The tangent ---- */

/* How the support moves with the hub, without rates. */
static void outer_of(const wy_hub_motion *at, const wy_hold_on *hold, double out[6][6]) {
  double outer[12][12];
  wy_hub_outer(at, hold, outer);
  for (int i = 0; i < 36; i++)
    out[i / 6][i % 6] = outer[i / 6][i % 6];
}

static void port_blocks(wy_group *self, wy_group_port *port) {
  const wy_group_rod_part *rod = &self->rods[port->rod];
  wy_group_hub *hub = &self->hubs[port->hub];
  wy_port_rest_blocks blocks;
  double outer[6][6], carried[6][6], moved[6][6], own[6][6], turn[9];
  rod->ports->rest_blocks(rod->system, port->piece, port->end, &blocks);
  outer_of(&hub->at, &port->hold, outer);
  for (int i = 0; i < 36; i++)
    carried[i / 6][i % 6] = outer[i % 6][i / 6];
  wy_product(9, 6, 6, &blocks.inner_by_outer[0][0], &outer[0][0], &port->rest_inner_by_hub[0][0]);
  wy_product(6, 6, 9, &carried[0][0], &blocks.wrench_by_inner[0][0], &port->rest_hub_by_inner[0][0]);
  wy_product(6, 6, 6, &blocks.wrench_by_outer[0][0], &outer[0][0], &moved[0][0]);
  wy_product(6, 6, 6, &carried[0][0], &moved[0][0], &own[0][0]);
  wy_to_rows(wy_hub_carried_turn(&hub->at, port->hold.c, wy_at3(port->wrench.force)), turn);
  for (int i = 0; i < 9; i++)
    own[3 + i / 3][3 + i % 3] += turn[i];
  for (int i = 0; i < 36; i++)
    hub->by_motion[i / 6][i % 6] -= own[i / 6][i % 6];
}

static int rod_tangent(wy_group *self, int i, void *context) {
  const visit *at = context;
  return rest_of(&self->rods[i])->tangent(self->rods[i].system, at->t, take_rod(self, i, at->config));
}

static int tangent(wy_system *system, double t, const double *config) {
  wy_group *self = (wy_group *)system;
  visit at = {.t = t, .config = config};
  const wy_v3 none = {0, 0, 0};
  wy_group_place(self, t, config);
  const int status = wy_group_each(self, 0, self->rod_count, tangent_work, rod_tangent, &at);
  if (status)
    return status;
  for (int i = 0; i < self->rod_count; i++) /* nothing accelerates */
    memset(self->rods[i].masses, 0, sizeof self->rods[i].masses);
  wy_group_gather(self, t, NULL);
  for (int i = 0; i < self->hub_count; i++) {
    wy_group_hub *hub = &self->hubs[i];
    hub->kept = hub->at;
    wy_hub_mass_matrix(&hub->inertia, &hub->at, hub->mass);
    wy_hub_inertia_blocks(&hub->inertia, &hub->at, self->gravity, none, none, hub->by_motion);
  }
  wy_group_outside_blocks(self, t);
  wy_conditions_rest_guess(self, config_multipliers(self, (double *)config));
  wy_conditions_jacobian(self);
  for (int i = 0; i < self->port_count; i++)
    port_blocks(self, &self->ports[i]);
  for (int i = 0; i < self->hub_count; i++)
    self->hubs[i].a = self->hubs[i].alpha = none;
  wy_reach_linearise(self);
  self->rest_state = WY_REST_TANGENT;
  return WY_OK;
}

/* ---- K - mu M ---- */

static void add_block(wy_group *self, int row, int column, double block[6][6]) {
  wy_hub_hold(&self->hubs[row].inertia, &self->hubs[column].inertia, block);
  wy_hub_matrix_add(&self->rest, self->hubs[row].block, self->hubs[column].block, &block[0][0], 6);
}

/* Subtracts what a hub feels of the unknowns that another one reaches from the blocks of all of them. */
static void add_felt(wy_group *self, int on, int by, wy_port_row felt[6]) {
  const wy_hub_reach *rows = &self->hubs[on].reach, *columns = &self->hubs[by].reach;
  for (int n = 0; n < rows->count; n++) {
    wy_port_row carried[6];
    wy_reach_carry(self, on, n, WY_PORT_COLUMNS, &felt[0][0], &carried[0][0]);
    for (int k = 0; k < columns->count; k++) {
      double block[6][6] = {{0}};
      for (int i = 0; i < 6; i++)
        for (int j = 0; j < columns->width[k]; j++)
          block[i][j] = -carried[i][columns->first[k] + j];
      add_block(self, rows->hub[n], columns->hub[k], block);
    }
  }
}

/* A hub with its parent. */
static void sub_blocks(wy_group *self, int i, double mu) {
  const wy_group_hub *hub = &self->hubs[i];
  const wy_sub_blocks *from = hub->blocks;
  for (int n = 0; n < hub->reach.count; n++)
    for (int k = 0; k < hub->reach.count; k++) {
      const int on = hub->reach.hub[n], by = hub->reach.hub[k];
      double one[6][6] = {{0}};
      for (int r = 0; r < (on == i ? 3 : 6); r++)
        for (int c = 0; c < (by == i ? 3 : 6); c++)
          one[r][c] =
              on == i
                  ? (by == i ? from->oo[r][c] - mu * from->mass_oo[r][c] : from->op[r][c] - mu * from->mass_po[c][r])
                  : (by == i ? from->po[r][c] - mu * from->mass_po[r][c] : from->pp[r][c] - mu * from->mass_pp[r][c]);
      for (int r = 0; mu == 0 && on == i && by == i && r < 3; r++)
        one[r][r] += self->foundation;
      add_block(self, on, by, one);
    }
}

/* Springs of joints between two hubs. */
static void joint_blocks(wy_group *self) {
  for (int i = 0; i < self->joint_spring_count; i++) {
    const wy_group_joint_spring *spring = &self->joint_springs[i];
    for (int on = 0; on < 2; on++) {
      const int row = spring->hub[on], column = spring->hub[1 - on];
      double by_hub[6][6], one[6][6] = {{-spring->def->stiffness}};
      wy_port_row felt[6];
      if (spring->def->kind == WY_HINGE) {
        if (self->hubs[row].def->kind == WY_HUB_HINGE && self->hubs[column].def->kind == WY_HUB_HINGE)
          add_block(self, row, column, one);
        continue;
      }
      for (int k = 0; k < 36; k++)
        by_hub[k / 6][k % 6] = spring->by_motion[on][1 - on][k / 6][k % 6];
      wy_reach_rest(self, column, 6, &by_hub[0][0], felt);
      add_felt(self, row, column, felt);
    }
  }
}

/* Hubs and springs. Without a shift rotations have a weak foundation, as those of rods do. */
static void hub_blocks(wy_group *self, double mu) {
  for (int i = 0; i < self->hub_count; i++) {
    double own[6][6];
    if (self->hubs[i].parent >= 0)
      sub_blocks(self, i, mu);
    if (self->hubs[i].parent >= 0 || self->hubs[i].block < 0)
      continue;
    for (int k = 0; k < 36; k++)
      own[k / 6][k % 6] = self->hubs[i].by_motion[k / 6][k % 6] - mu * self->hubs[i].mass[k / 6][k % 6];
    for (int k = 3; mu == 0 && k < 6; k++)
      own[k][k] += self->foundation;
    add_block(self, i, i, own);
    if (self->hubs[i].inertia.any_held) {
      double ones[6][6] = {{0}};
      wy_hub_hold_diagonal(&self->hubs[i].inertia, ones);
      wy_hub_matrix_add(&self->rest, self->hubs[i].block, self->hubs[i].block, &ones[0][0], 6);
    }
  }
  for (int i = 0; i < self->spring_count; i++) {
    wy_group_spring *spring = &self->springs[i];
    for (int on = 0; on < 2; on++) {
      double other[6][6];
      if (wy_is_known(self, spring->hub[on]) || wy_is_known(self, spring->hub[1 - on]))
        continue;
      for (int k = 0; k < 36; k++)
        other[k / 6][k % 6] = -spring->by_motion[on][1 - on][k / 6][k % 6];
      add_block(self, spring->hub[on], spring->hub[1 - on], other);
    }
  }
  joint_blocks(self);
}

/* The largest entry of what moves next to an end by the place and by the rotation of its hub: some 1, but where the rod
   with its hubs held is next to a critical load, or to one of its own frequencies. */
static double largest_motion(wy_port_row inner[9]) {
  double largest = 0;
  for (int r = 0; r < 6; r++)
    for (int c = r < 3 ? 0 : 3; c < (r < 3 ? 3 : WY_PORT_COLUMNS); c++)
      largest = fmax(largest, fabs(inner[r][c]));
  return largest;
}

static double condense_end(wy_group *self, const wy_group_rod_part *rod, int end, wy_reach_rows felt[2]) {
  wy_group_port *port = rod->port[end] >= 0 ? &self->ports[rod->port[end]] : NULL;
  wy_port_row inner[2][9], forces[9];
  if (!port || wy_is_known(self, port->hub))
    return 0;
  wy_reach_rest(self, port->hub, 9, &port->rest_inner_by_hub[0][0], forces);
  rod->ports->rest_condense(rod->system, port->piece, port->end, forces, inner);
  for (int on = 0; on < 2; on++) {
    const wy_group_port *other = rod->port[on] >= 0 ? &self->ports[rod->port[on]] : NULL;
    if (other && !wy_is_known(self, other->hub))
      wy_product(6, 9, WY_PORT_COLUMNS, &other->rest_hub_by_inner[0][0], &inner[on][0][0], &felt[on].re[0][0]);
  }
  return largest_motion(inner[end]);
}

/* Motions beyond which a rod with its hubs held is singular: for a solution, and for a count, which needs no more than
   the right sign. Then its shift is moved by so much of its lowest eigenvalue. */
static const double most_motion[2] = {1e7, 1e12}, least_move[2] = {1e-8, 1e-9};

/* Roughly the lowest eigenvalue of a rod that is clamped at both ends. */
static double eigenvalue_of(const wy_group *self, const wy_group_rod_part *rod) {
  const wy_rod_def *def = wy_model_rod(self->base.model, rod->rod);
  double length = def->length;
  if (rod->port[0] >= 0 && rod->port[1] >= 0)
    length = self->ports[rod->port[1]].s - self->ports[rod->port[0]].s;
  const wy_section_values section = wy_section_at(def, 0.5 * def->length);
  return 500 * fmin(section.stiffness[3], section.stiffness[4]) / (section.mass * pow(length, 4));
}

/* What the rods of a batch go through. */
typedef struct passage {
  double mu;
  bool counts;
  int first; /* of the batch */
} passage;

/* Factors and condenses a rod with its hubs held; *largest is infinite if it has no factors. */
static int try_rod(wy_group *self, int i, double mu, wy_rod_felt *felt, double *largest) {
  const wy_group_rod_part *rod = &self->rods[i];
  const int status = rest_of(rod)->factor(rod->system, mu);
  *largest = status ? INFINITY : 0;
  for (int end = 0; end < 2 && !status; end++)
    *largest = fmax(*largest, condense_end(self, rod, end, felt->rows[end]));
  return status < 0 ? status : WY_OK;
}

/* A rod that is singular while its hubs are held need not be so with them: its shift is moved by what changes the
   solution of the whole as little as rounding does then. Newton's corrections are exact but for that. A count has to be
   taken elsewhere. */
static int factor_rod(wy_group *self, int i, void *context) {
  const passage *way = context;
  wy_rod_felt *felt = &self->felt[i - way->first];
  double largest;
  int status = try_rod(self, i, way->mu, felt, &largest);
  if (status || largest <= most_motion[way->counts])
    return status;
  if (way->counts)
    return WY_RETRY;
  status = try_rod(self, i, way->mu - least_move[0] * eigenvalue_of(self, &self->rods[i]), felt, &largest);
  return !status && !isfinite(largest) ? WY_RETRY : status;
}

static void add_rod(wy_group *self, const wy_group_rod_part *rod, wy_rod_felt *felt) {
  for (int by = 0; by < 2; by++)
    for (int on = 0; on < 2; on++) {
      const int row = rod->port[on] >= 0 ? self->ports[rod->port[on]].hub : -1,
                column = rod->port[by] >= 0 ? self->ports[rod->port[by]].hub : -1;
      if (!wy_is_known(self, row) && !wy_is_known(self, column))
        add_felt(self, row, column, felt->rows[by][on].re);
    }
}

/* Factors the rods, and leaves their hubs' matrix to be factored or counted. Batch by batch: rods at the same time,
   then what they leave, in their order. */
static int condense(wy_group *self, double mu, bool counts) {
  const int batch = wy_group_batch(self, factor_work);
  if (self->block_count > 0)
    wy_hub_matrix_clear(&self->rest);
  hub_blocks(self, mu);
  wy_conditions_add_rest_blocks(self);
  for (int first = 0, count; first < self->rod_count; first += count) {
    passage way = {mu, counts, first};
    count = self->rod_count - first < batch ? self->rod_count - first : batch;
    const int status = wy_group_each(self, first, count, factor_work, factor_rod, &way);
    if (status)
      return status;
    for (int i = first; i < first + count; i++)
      add_rod(self, &self->rods[i], &self->felt[i - first]);
  }
  return WY_OK;
}

static int factor(wy_system *system, double mu) {
  wy_group *self = (wy_group *)system;
  const int status = condense(self, mu, false);
  self->rest_mu = mu;
  self->rest_state = WY_REST_FACTORED;
  if (status)
    return status;
  return self->block_count > 0 && wy_hub_matrix_factor(&self->rest) ? WY_RETRY : WY_OK;
}

/* A count has used the memory of the factors: once more. */
static void need_factors(wy_group *self) {
  if (self->rest_state == WY_REST_COUNTED)
    factor(&self->base, self->rest_mu);
}

/* Displacement and rotation of a hub, at the configuration of the tangent. */
static void moved_hub(const wy_group *self, int i, const double *d, double out[6]) {
  const wy_group_hub *hub = &self->hubs[i];
  memset(out, 0, 6 * sizeof *out);
  for (int n = 0; n < hub->reach.count; n++) {
    const int by = hub->reach.hub[n];
    const double *dofs = hub_dofs(self, by, (double *)d);
    for (int row = 0; row < 6; row++)
      for (int k = 0; k < self->hubs[by].order; k++)
        out[row] += dofs[k] * (hub->parent < 0 ? row == k
                               : by == i       ? hub->blocks->by_own[6 + row][3 + k]
                                               : hub->blocks->by_parent[6 + row][6 + k]);
  }
}

/* End vertices move with their hubs. */
static void fill_ends(const wy_group *self, double *d) {
  for (int i = 0; i < self->port_count; i++) {
    const wy_group_port *port = &self->ports[i];
    const wy_group_rod_part *rod = &self->rods[port->rod];
    const wy_hub_motion *at = &self->hubs[port->hub].kept;
    double dx[3];
    if (wy_is_known(self, port->hub))
      continue;
    double hub[6];
    moved_hub(self, port->hub, d, hub);
    wy_put3(dx, wy_plus(wy_at3(hub), wy_apply(at->r, wy_cross(wy_at3(hub + 3), port->hold.c))));
    rod->ports->rest_write(rod->system, port->piece, port->end, dx, d + rod->dof);
  }
}

static int condense_rod(wy_group *self, int i, void *context) {
  const visit *at = context;
  const wy_group_rod_part *rod = &self->rods[i];
  double inner[2][9];
  rod->ports->rest_condense_rhs(rod->system, at->r + rod->dof, &inner);
  for (int end = 0; end < 2; end++)
    if (rod->port[end] >= 0)
      memcpy(self->felt[i - at->first].inner[0][end], inner[end], sizeof inner[end]);
  return 0;
}

/* What the inner motion at the ends of a rod does to its hubs. */
static void add_inner(wy_group *self, const wy_group_rod_part *rod, double inner[2][WY_PORT_MOTION]) {
  for (int end = 0; end < 2; end++) {
    const wy_group_port *port = rod->port[end] >= 0 ? &self->ports[rod->port[end]] : NULL;
    if (!port || wy_is_known(self, port->hub))
      continue;
    double sum[6] = {0};
    for (int k = 0; k < 6; k++)
      for (int j = 0; j < 9; j++)
        sum[k] += port->rest_hub_by_inner[k][j] * inner[end][j];
    wy_reach_add(self, port->hub, sum, self->y);
  }
}

/* NOLINTNEXTLINE(readability-non-const-parameter): `at` serves other visits, too, which write it */
static void condense_rods(wy_group *self, double *b) {
  const int batch = wy_group_batch(self, solve_work);
  for (int first = 0, count; first < self->rod_count; first += count) {
    visit at = {.r = b, .first = first};
    count = self->rod_count - first < batch ? self->rod_count - first : batch;
    wy_group_each(self, first, count, solve_work, condense_rod, &at);
    for (int i = first; i < first + count; i++)
      add_inner(self, &self->rods[i], self->felt[i - first].inner[0]);
  }
}

static int expand_rod(wy_group *self, int i, void *context) {
  const visit *at = context;
  const wy_group_rod_part *rod = &self->rods[i];
  wy_port_row hubs[2] = {{0}};
  assert(self->ports);
  for (int end = 0; end < 2; end++)
    if (rod->port[end] >= 0 && !wy_is_known(self, self->ports[rod->port[end]].hub))
      wy_reach_take(self, self->ports[rod->port[end]].hub, self->y, hubs[end]);
  rod->ports->rest_expand(rod->system, &hubs, at->r + rod->dof);
  return 0;
}

static void solve(wy_system *system, double *b) {
  wy_group *self = (wy_group *)system;
  need_factors(self);
  clear_ends(self, b);
  for (int i = 0; i < self->hub_count; i++)
    if (self->hubs[i].block >= 0)
      memcpy(wy_hub_entries(self, i, self->y), hub_dofs(self, i, b), (size_t)wy_hub_order(self, i) * sizeof *b);
  condense_rods(self, b);
  for (int i = 0; i < self->hub_count; i++)
    if (self->hubs[i].block >= 0 && self->hubs[i].inertia.any_held)
      clear_held(self, i, wy_hub_entries(self, i, self->y));
  wy_conditions_rest_pack(self, multipliers(self, b), self->y);
  if (self->block_count > 0)
    wy_hub_matrix_solve(&self->rest, self->y);
  for (int i = 0; i < self->hub_count; i++) {
    if (self->hubs[i].block < 0)
      continue;
    memset(hub_dofs(self, i, b), 0, 6 * sizeof *b);
    memcpy(hub_dofs(self, i, b), wy_hub_entries(self, i, self->y), (size_t)wy_hub_order(self, i) * sizeof *b);
  }
  wy_conditions_rest_take(self, self->y, multipliers(self, b));
  visit at = {.r = b};
  wy_group_each(self, 0, self->rod_count, solve_work, expand_rod, &at);
  fill_ends(self, b);
}

static int sign(wy_system *system) {
  wy_group *self = (wy_group *)system;
  need_factors(self);
  int product_of = self->block_count > 0 ? wy_hub_matrix_sign(&self->rest) : 1;
  for (int i = 0; i < self->rod_count; i++)
    product_of *= rest_of(&self->rods[i])->sign(self->rods[i].system);
  return product_of;
}

/* Moments on bodies, and forces that turn with them, have no potential while they act. */
static bool has_potential(const wy_group *self) {
  for (int i = 0; i < self->load_count; i++) {
    const wy_load_def *load = self->loads[i].def;
    if (self->hubs[self->loads[i].hub].block >= 0 && self->load_factor != 0 &&
        (wy_load_has(load, &self->overrides[i], true) ||
         (load->axes == WY_BODY_AXES && wy_load_has(load, &self->overrides[i], false))))
      return false;
  }
  return true;
}

static int count_rod(wy_group *self, int i, void *context) {
  wy_group_rod_part *rod = &self->rods[i];
  return rest_of(rod)->negative(rod->system, *(const double *)context, &rod->negative);
}

/* (N8): negative directions of the rods with their hubs held, and of what is left of the hubs. */
static int count_at(wy_group *self, double mu, int *count, bool *held_singular) {
  *held_singular = false;
  int status = wy_group_each(self, 0, self->rod_count, count_work, count_rod, &mu), part = 0;
  if (status) {
    *held_singular = status == WY_RETRY;
    return status;
  }
  *count = 0;
  for (int i = 0; i < self->rod_count; i++)
    *count += self->rods[i].negative;
  if (self->block_count == 0)
    return WY_OK;
  if (self->rest_state == WY_REST_FACTORED)
    self->rest_state = WY_REST_COUNTED;
  status = condense(self, mu, true);
  *held_singular = status == WY_RETRY;
  if (status || wy_hub_negative(&self->rest, &part))
    return WY_RETRY;
  *count += part - wy_conditions_rank(self, &self->rest);
  return WY_OK;
}

/* Where a rod is singular with its hubs held, next to it. */
static int negative(wy_system *system, double mu, int *count) {
  wy_group *self = (wy_group *)system;
  bool held_singular;
  if (!has_potential(self))
    return WY_NO_POTENTIAL;
  int status = count_at(self, mu, count, &held_singular);
  if (status != WY_RETRY || !held_singular)
    return status;
  double lowest = INFINITY;
  for (int i = 0; i < self->rod_count; i++)
    lowest = fmin(lowest, eigenvalue_of(self, &self->rods[i]));
  return count_at(self, mu - least_move[1] * lowest, count, &held_singular);
}

static int directions(const wy_system *system) {
  const wy_group *self = (const wy_group *)system;
  int sum = 0;
  for (int i = 0; i < self->rod_count; i++)
    sum += rest_of(&self->rods[i])->directions(self->rods[i].system);
  for (int i = 0; i < self->hub_count; i++)
    for (int k = 0; self->hubs[i].block >= 0 && k < wy_hub_order(self, i); k++)
      sum += !self->hubs[i].inertia.held[k];
  return sum - (self->condition_count > 0 ? wy_conditions_rank(self, &self->mass) : 0);
}

/* ---- Displacements ---- */

static void displace_hub(const wy_group *self, int i, const double *given, double factor, double *config) {
  const int n = self->hub_stride;
  double d[6];
  memcpy(d, given, sizeof d);
  clear_held(self, i, d);
  double *hubs = config + self->hub_offset, theta[3], step[4], p[4], turned[4];
  const wy_group_hub *hub = &self->hubs[i];
  if (hub->def->kind == WY_HUB_HINGE) {
    config[self->angle_offset + hub->angle] += factor * d[0];
    return;
  }
  if (hub->def->kind == WY_HUB_OWN)
    wy_store3(hubs, n, i, wy_plus(wy_load3(hubs, n, i), wy_times(factor, wy_at3(d))));
  wy_put3(theta, wy_times(factor, wy_at3(hub->def->kind == WY_HUB_OWN ? d + 3 : d)));
  wy_put4(p, wy_load4(hubs + WY_HUB_FRAME * n, n, i));
  wy_qexp(theta, step);
  wy_qmul(p, step, turned);
  wy_qnormalise(turned);
  wy_store4(hubs + WY_HUB_FRAME * n, n, i, wy_at4(turned));
}

static void displace(wy_system *system, const double *from, const double *d, double factor, double *to) {
  wy_group *self = (wy_group *)system;
  if (to != from)
    memcpy(to, from, (size_t)system->config_size * sizeof *to);
  for (int i = 0; i < self->rod_count; i++) {
    double *config = (double *)take_rod(self, i, to);
    rest_of(&self->rods[i])->displace(self->rods[i].system, config, d + self->rods[i].dof, factor, config);
    put_rod(self, i, to);
  }
  for (int i = 0; i < self->hub_count; i++)
    if (self->hubs[i].block >= 0)
      displace_hub(self, i, d + self->hub_dof + 6 * (size_t)self->hubs[i].block, factor, to);
  for (int i = 0; i < self->multipliers; i++)
    config_multipliers(self, to)[i] += factor * d[system->dofs - self->multipliers + i];
  wy_group_place(self, self->time, to);
  wy_group_seat(self, to);
}

static void relax(wy_system *system, double t, double *u) {
  wy_group *self = (wy_group *)system;
  wy_group_place(self, t, u);
  for (int i = 0; i < self->rod_count; i++)
    if (rest_of(&self->rods[i])->relax)
      rest_of(&self->rods[i])->relax(self->rods[i].system, t, u + self->rods[i].offset);
}

/* Of a hub on its parent, which has its own share already. */
static void sub_mass_times(const wy_group *self, int i, const double *d, double *out) {
  const wy_group_hub *hub = &self->hubs[i];
  const wy_sub_blocks *from = hub->blocks;
  double parent[6] = {0}, own[3] = {0};
  if (self->hubs[hub->parent].block >= 0) {
    memcpy(parent, hub_dofs(self, hub->parent, (double *)d), (size_t)self->hubs[hub->parent].order * sizeof *d);
    clear_held(self, hub->parent, parent);
  }
  if (hub->block >= 0)
    memcpy(own, hub_dofs(self, i, (double *)d), (size_t)hub->order * sizeof *d);
  for (int n = 0; n < hub->reach.count; n++) {
    const bool is_own = hub->reach.hub[n] == i;
    double *to = hub_dofs(self, hub->reach.hub[n], out);
    for (int r = 0; is_own && r < 6; r++)
      to[r] = 0;
    for (int r = 0; r < self->hubs[hub->reach.hub[n]].order; r++) {
      for (int k = 0; k < 6; k++)
        to[r] += (is_own ? from->mass_po[k][r] : from->mass_pp[r][k]) * parent[k];
      for (int k = 0; k < 3; k++)
        to[r] += (is_own ? from->mass_oo[r][k] : from->mass_po[r][k]) * own[k];
    }
  }
}

static void mass_times(wy_system *system, const double *d, double *out) {
  wy_group *self = (wy_group *)system;
  for (int i = 0; i < self->rod_count; i++)
    rest_of(&self->rods[i])->mass_times(self->rods[i].system, d + self->rods[i].dof, out + self->rods[i].dof);
  clear_ends(self, out);
  memset(multipliers(self, out), 0, (size_t)self->multipliers * sizeof *out);
  for (int i = 0; i < self->hub_count; i++) {
    if (self->hubs[i].parent >= 0)
      sub_mass_times(self, i, d, out);
    if (self->hubs[i].parent >= 0 || self->hubs[i].block < 0)
      continue;
    const double *motion = hub_dofs(self, i, (double *)d);
    double *to = hub_dofs(self, i, out);
    const int order = wy_hub_order(self, i);
    for (int k = 0; k < 6; k++) {
      to[k] = 0;
      for (int j = 0; j < order && k < order; j++)
        to[k] += self->hubs[i].inertia.held[j] ? 0 : self->hubs[i].mass[k][j] * motion[j];
    }
    clear_held(self, i, to);
  }
  for (int i = 0; self->sub_count > 0 && i < self->hub_count; i++)
    if (self->hubs[i].block >= 0)
      clear_held(self, i, hub_dofs(self, i, out));
}

/* Rates of the hubs, from a vector of velocities, at the configuration of the tangent. */
static wy_hub_motion moving(const wy_group *self, int hub, const double *d) {
  wy_hub_motion at = self->hubs[hub].kept;
  at.v = at.omega = (wy_v3){0, 0, 0};
  double rates[6];
  moved_hub(self, hub, d, rates);
  at.v = wy_at3(rates), at.omega = wy_at3(rates + 3);
  return at;
}

static double dissipation(wy_system *system, const double *d) {
  wy_group *self = (wy_group *)system;
  double power = 0;
  for (int i = 0; i < self->port_count; i++) {
    const wy_group_port *port = &self->ports[i];
    const wy_group_rod_part *rod = &self->rods[port->rod];
    const wy_hub_motion at = moving(self, port->hub, d);
    wy_port_motion motion;
    wy_hub_support(&at, &port->hold, rod->origin, &motion);
    rod->ports->move(rod->system, port->piece, port->end, &motion);
  }
  for (int i = 0; i < self->rod_count; i++)
    power += rest_of(&self->rods[i])->dissipation(self->rods[i].system, d + self->rods[i].dof);
  for (int i = 0; i < self->spring_count; i++) {
    const wy_group_spring *spring = &self->springs[i];
    wy_v3 place[2], velocity[2];
    for (int end = 0; end < 2; end++) {
      const wy_v3 c = spring->at[end].c;
      place[end] = c, velocity[end] = (wy_v3){0, 0, 0};
      if (spring->hub[end] < 0)
        continue;
      const wy_hub_motion at = moving(self, spring->hub[end], d);
      place[end] = wy_hub_point(&at, c), velocity[end] = wy_hub_point_velocity(&at, c);
    }
    const wy_spring_pull pull =
        wy_spring_at(spring->def, wy_minus(place[1], place[0]), wy_minus(velocity[1], velocity[0]));
    power += wy_spring_dissipation(spring->def, &pull);
  }
  for (int i = 0; self->joint_spring_count > 0 && i < self->hub_count; i++) {
    wy_group_hub *hub = &self->hubs[i];
    hub->at = moving(self, i, d);
    hub->sub.rate = hub->def->kind == WY_HUB_HINGE && hub->block >= 0 ? *hub_dofs(self, i, (double *)d) : 0;
  }
  return power + wy_group_joint_dissipation(self);
}

static void show(wy_system *system, int part, const double *d, double *translation, double *rotation) {
  const wy_group *self = (const wy_group *)system;
  const wy_group_part *of = &self->parts[part];
  for (int i = 0; i < of->count; i++) { /* neighbours share a vertex, which both move as their hub */
    const wy_group_rod_part *rod = &self->rods[of->first + i];
    rest_of(rod)->show(rod->system, 0, d + rod->dof, translation, rotation);
    translation += 3 * (rod->system->view.position.count - 1);
    rotation += 3 * rod->system->view.frame.count;
  }
}

void wy_group_show_body(const wy_system *system, int body, const double *d, double translation[3], double rotation[3]) {
  if (wy_is_mixed_group(system)) {
    wy_mixed_group_show_body(system, body, d, translation, rotation);
    return;
  }
  const wy_group *self = (const wy_group *)system;
  memset(translation, 0, 3 * sizeof *translation), memset(rotation, 0, 3 * sizeof *rotation);
  for (int i = 0; i < self->hub_count; i++)
    if (self->hubs[i].def->body == body && !wy_is_known(self, i)) {
      const double *moves = d + self->hub_dof + 6 * (size_t)self->hubs[i].block;
      wy_copy3(moves, translation), wy_copy3(moves + 3, rotation);
    }
}

/* ---- Creation ---- */

/* End vertices do not count by themselves. */
void wy_group_begin_statics(wy_group *self) {
  const wy_model *model = self->base.model;
  double length = 0, torsion = INFINITY;
  int extra = self->base.size;
  for (int i = 0; i < self->rod_count; i++) {
    wy_group_rod_part *rod = &self->rods[i];
    const wy_rod_def *def = wy_model_rod(model, rod->rod);
    length = fmax(length, def->length);
    torsion = fmin(torsion, wy_section_at(def, 0.5 * def->length).stiffness[5] / def->length);
    rod->config = extra;
    extra += extra_of(rod);
    memcpy(self->dof_weight + rod->dof, rod->system->dof_weight, (size_t)rod->system->dofs * sizeof(double));
  }
  clear_ends(self, self->dof_weight);
  self->foundation = isfinite(torsion) ? 1e-9 * torsion : 1e-9 * wy_conditions_stiffness(self);
  memset(multipliers(self, self->dof_weight), 0, (size_t)self->multipliers * sizeof *self->dof_weight);
  self->base.dof_weight = self->dof_weight;
  self->length = length;
}

void wy_group_weigh_hubs(wy_group *self) {
  const double length = self->length;
  for (int i = 0; i < self->hub_count; i++) {
    if (self->hubs[i].block < 0)
      continue;
    double *weight = hub_dofs(self, i, self->dof_weight);
    const bool turns = self->hubs[i].parent >= 0;
    for (int k = 0; k < 6; k++)
      weight[k] = k >= wy_hub_order(self, i) ? 0 : turns || k >= 3 || !(length > 0) ? 1 : 1 / length;
    clear_held(self, i, weight);
  }
}

const wy_statics_type wy_group_statics = {
    .apply = apply,
    .undeformed = undeformed,
    .close = close_joints,
    .keep = keep,
    .residual = residual,
    .tangent = tangent,
    .factor = factor,
    .solve = solve,
    .sign = sign,
    .negative = negative,
    .directions = directions,
    .displace = displace,
    .relax = relax,
    .mass_times = mass_times,
    .dissipation = dissipation,
    .show = show,
};
