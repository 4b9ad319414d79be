/* SPDX-License-Identifier: MIT */
/* Forces at the hubs of mixed rods and their derivatives: bodies (N21), springs (N22), loads, and the ends of rods
   (N20). Rows are what a support of the hub would have to give: force, and moment about its origin (X10). */
#include <math.h>
#include <string.h>

#include "network/mixed_inside.h"

/* ---- Ends ---- */

void wy_mixed_lift(const wy_mixed_seat *seat, const double end[WY_NODE_UNKNOWNS], double hub[WY_NODE_UNKNOWNS]) {
  double moment[3];
  wy_cross3(seat->left, end, moment);
  for (int x = 0; x < 3; x++) {
    hub[x] += end[x];
    hub[3 + x] += moment[x] + (seat->turns ? end[3 + x] : 0);
  }
}

void wy_mixed_follow(const wy_mixed_seat *seat, const double hub[WY_NODE_UNKNOWNS], double end[WY_NODE_UNKNOWNS]) {
  wy_cross3(hub + 3, seat->right, end);
  for (int x = 0; x < 3; x++) {
    end[x] += hub[x];
    end[3 + x] = seat->turns ? hub[3 + x] : 0;
  }
}

/* Rows and columns of a point, or of an end that turns with its hub, become those of the hubs. */
static void lift_block(bool row_turns, const double row_arm[3], bool column_turns, const double column_arm[3],
                       wy_block6 k) {
  for (int i = 0; i < WY_NODE_UNKNOWNS; i++) { /* d phi = theta x arm: k theta = arm x k, row by row */
    double turned[3];
    wy_cross3(column_arm, k[i], turned);
    for (int x = 0; x < 3; x++)
      k[i][3 + x] = turned[x] + (column_turns ? k[i][3 + x] : 0);
  }
  for (int j = 0; j < WY_NODE_UNKNOWNS; j++) {
    const double force[3] = {k[0][j], k[1][j], k[2][j]};
    double moment[3];
    wy_cross3(row_arm, force, moment);
    for (int x = 0; x < 3; x++)
      k[3 + x][j] = moment[x] + (row_turns ? k[3 + x][j] : 0);
  }
}

/* u x (theta x w) = ((u.w) 1 - w u^T) theta (X20). */
static void add_double_cross(double factor, const double u[3], const double w[3], wy_block6 k) {
  const double dot = factor * wy_dot3(u, w);
  for (int x = 0; x < 3; x++) {
    for (int y = 0; y < 3; y++)
      k[3 + x][3 + y] -= factor * w[x] * u[y];
    k[3 + x][3 + x] += dot;
  }
}

/* A force among the rows stays while its arm turns. */
static void add_arm(const wy_mixed_group *self, const double force[3], const double arm[3], wy_block6 k) {
  add_double_cross(-self->share, force, arm, k);
}

/* ---- Bodies ---- */

static void body_forces(const wy_mixed_hub *hub, double f[WY_NODE]) {
  for (int x = 0; x < 3; x++) {
    f[x] = hub->mass * hub->acceleration[x];
    for (int i = 0; i < 3; i++)
      f[3 + 3 * i + x] = hub->euler[3 * i] * hub->acceleration[3 + x] +
                         hub->euler[3 * i + 1] * hub->acceleration[6 + x] +
                         hub->euler[3 * i + 2] * hub->acceleration[9 + x];
  }
}

/* sum E_ij u_i x (theta x w_j) times a factor. */
static void add_euler(const wy_mixed_hub *hub, double factor, const double *left, const double *right, wy_block6 k) {
  for (int i = 0; i < 9; i++)
    add_double_cross(factor * hub->euler[i], left + 3 + 3 * (i / 3), right + 3 + 3 * (i % 3), k);
}

static void add_body_blocks(const wy_mixed_group *self, wy_mixed_hub *hub) {
  double f[WY_NODE];
  if (hub->def->body < 0)
    return;
  body_forces(hub, f);
  for (int x = 0; x < 3; x++)
    hub->own[x][x] += self->inertia * hub->mass;
  add_euler(hub, self->inertia, hub->left, hub->right, hub->own);
  for (int i = 3; i < WY_NODE; i += 3)
    add_double_cross(-self->share, f + i, hub->right + i, hub->own);
  memset(hub->inertia_block, 0, sizeof hub->inertia_block);
  for (int x = 0; x < 3; x++)
    hub->inertia_block[x][x] = hub->mass;
  add_euler(hub, 1, hub->right, hub->right, hub->inertia_block);
}

/* ---- Springs ---- */

static void spring_point(const wy_mixed_group *self, const wy_mixed_spring *spring, int end, wy_mixed_when when,
                         double place[3], double arm[3]) {
  memset(arm, 0, 3 * sizeof *arm);
  wy_copy3(spring->c[end], place);
  if (spring->hub[end] < 0)
    return;
  const wy_mixed_hub *hub = &self->hubs[spring->hub[end]];
  const double *q = when == WY_MIXED_LEFT ? hub->left : when == WY_MIXED_RIGHT ? hub->right : hub->from;
  wy_mixed_arm(q, spring->c[end], arm);
  for (int x = 0; x < 3; x++)
    place[x] = q[x] + arm[x];
}

void wy_mixed_line(const wy_mixed_group *self, const wy_mixed_spring *spring, wy_mixed_when when, double line[3]) {
  double first[3], arm[3];
  spring_point(self, spring, 0, when, first, arm);
  spring_point(self, spring, 1, when, line, arm);
  wy_add3(line, -1, first);
}

static double stretch_of(const wy_spring_def *def, double length) {
  return def->kind == WY_CABLE ? fmax(length - def->length, 0) : length - def->length;
}

/* (N22): along the line in the middle of the step, and so large that its work is the change of its energy. Damping acts
   where the spring does. */
static void pull_in_step(const wy_mixed_group *self, wy_mixed_spring *spring) {
  const wy_spring_def *def = spring->def;
  double middle[3], end[3];
  wy_mixed_line(self, spring, WY_MIXED_LEFT, middle);
  wy_mixed_line(self, spring, WY_MIXED_RIGHT, end);
  const double before = spring->before, after = wy_norm3(end), sum = before + after, longer = after - before;
  const double e0 = stretch_of(def, before), e1 = stretch_of(def, after);
  const bool taut = def->kind != WY_CABLE || after > def->length, was = def->kind != WY_CABLE || before > def->length;
  const double share = taut == was ? taut : (e1 - e0) / longer; /* of the way on which it pulls */
  const double share_slope = taut == was ? 0 : ((taut ? 1 : 0) - share) / longer;
  const double pull = 0.5 * def->stiffness * (e0 + e1) + def->damping * longer / self->h;
  const double slope = (taut ? 0.5 * def->stiffness : 0) + def->damping / self->h;
  const double factor = sum > 0 ? 2 * share * pull / sum : def->stiffness;
  const double by_length = sum > 0 ? 2 * (slope * share + pull * share_slope - share * pull / sum) / sum : 0;
  spring->lost = def->damping * share * longer * longer / (self->h * self->h);
  for (int x = 0; x < 3; x++) {
    spring->force[x] = factor * middle[x];
    for (int y = 0; y < 3; y++)
      spring->by_line[3 * x + y] =
          (x == y ? self->share * factor : 0) + (after > 0 ? by_length * middle[x] * end[y] / after : 0);
  }
}

static void pull_at_rest(const wy_mixed_group *self, wy_mixed_spring *spring) {
  double line[3];
  wy_m3 by_line, by_rate;
  wy_mixed_line(self, spring, WY_MIXED_RIGHT, line);
  const wy_spring_pull pull = wy_spring_at(spring->def, wy_at3(line), (wy_v3){0, 0, 0});
  wy_spring_blocks(spring->def, &pull, &by_line, &by_rate);
  wy_put3(spring->force, wy_spring_force(&pull));
  wy_to_rows(by_line, spring->by_line);
}

/* What a point of a hub needs against a force there. */
static void add_force(wy_mixed_hub *hub, double factor, const double arm[3], const double force[3]) {
  double moment[3];
  wy_cross3(arm, force, moment);
  wy_add3(hub->rows, factor, force);
  wy_add3(hub->rows + 3, factor, moment);
}

static void add_springs(wy_mixed_group *self) {
  for (int i = 0; i < self->spring_count; i++) {
    const wy_mixed_spring *spring = &self->springs[i];
    for (int end = 0; end < 2; end++) {
      double place[3], arm[3];
      spring_point(self, spring, end, WY_MIXED_LEFT, place, arm);
      if (spring->hub[end] >= 0)
        add_force(&self->hubs[spring->hub[end]], end ? 1 : -1, arm, spring->force);
    }
  }
}

/* ---- Loads ---- */

void wy_mixed_load_hubs(wy_mixed_group *self, double t) {
  for (int i = 0; i < self->load_count; i++) {
    wy_mixed_body_load *load = &self->loads[i];
    wy_load_value(load->def, &self->overrides[i], 0, t, load->force, load->moment);
    for (int x = 0; x < 3; x++)
      load->force[x] *= self->load_factor, load->moment[x] *= self->load_factor;
  }
}

/* A vector of the load in space, where the hub's directors are those of q. */
static void load_in_space(const wy_mixed_body_load *load, const double *q, const double given[3], double out[3]) {
  if (load->def->axes == WY_BODY_AXES)
    wy_mixed_arm(q, given, out);
  else
    wy_copy3(given, out);
}

/* Moments act as (X22) has them: directors in the middle of a step are too short, and what they get adds up to the
   moment all the same. */
static void add_loads(wy_mixed_group *self) {
  for (int i = 0; i < self->load_count; i++) {
    const wy_mixed_body_load *load = &self->loads[i];
    wy_mixed_hub *hub = &self->hubs[load->hub];
    double force[3], moment[3], arm[3];
    load_in_space(load, hub->left, load->force, force);
    load_in_space(load, hub->left, load->moment, moment);
    wy_mixed_arm(hub->left, load->def->point, arm);
    add_force(hub, -1, arm, force);
    wy_add3(hub->rows + 3, -1, moment);
  }
}

static void add_skew(double factor, const double a[3], int row, wy_block6 k) {
  double skew[9];
  wy_skew3(a, skew);
  for (int i = 0; i < 9; i++)
    k[row + i / 3][3 + i % 3] += factor * skew[i];
}

static void add_load_blocks(wy_mixed_group *self) {
  for (int i = 0; i < self->load_count; i++) {
    const wy_mixed_body_load *load = &self->loads[i];
    wy_mixed_hub *hub = &self->hubs[load->hub];
    double force[3], arm[3], turned[3];
    load_in_space(load, hub->left, load->force, force);
    wy_mixed_arm(hub->right, load->def->point, arm);
    add_double_cross(self->share, force, arm, hub->own);
    if (load->def->axes != WY_BODY_AXES)
      continue;
    wy_block6 follows = {{0}};
    wy_mixed_arm(hub->right, load->force, turned);
    add_skew(self->share, turned, 0, follows);
    wy_mixed_arm(hub->left, load->def->point, arm);
    for (int j = 3; j < WY_NODE_UNKNOWNS; j++) {
      const double column[3] = {follows[0][j], follows[1][j], follows[2][j]};
      double moment[3];
      wy_cross3(arm, column, moment);
      for (int x = 0; x < 3; x++)
        follows[3 + x][j] += moment[x];
    }
    wy_mixed_arm(hub->right, load->moment, turned);
    add_skew(self->share, turned, 3, follows);
    for (int k = 0; k < WY_NODE_UNKNOWNS * WY_NODE_UNKNOWNS; k++)
      hub->own[k / 6][k % 6] += follows[k / 6][k % 6];
  }
}

/* tau of (X30): d_end = d_from + tau x d_middle. */
static void turn_of_step(const wy_mixed_hub *hub, double tau[3]) {
  const double *to = hub->end, *from = hub->from;
  double r[9], trace = 0;
  for (int i = 0; i < 9; i++) {
    r[i] = to[3 + i / 3] * from[3 + i % 3] + to[6 + i / 3] * from[6 + i % 3] + to[9 + i / 3] * from[9 + i % 3];
    trace += i % 4 == 0 ? r[i] : 0;
  }
  tau[0] = 2 * (r[7] - r[5]) / (1 + trace);
  tau[1] = 2 * (r[2] - r[6]) / (1 + trace);
  tau[2] = 2 * (r[3] - r[1]) / (1 + trace);
}

double wy_mixed_load_work(const wy_mixed_group *self) {
  double work = 0;
  for (int i = 0; i < self->load_count; i++) {
    const wy_mixed_body_load *load = &self->loads[i];
    const wy_mixed_hub *hub = &self->hubs[load->hub];
    double force[3], moment[3], before[3], after[3], tau[3];
    load_in_space(load, hub->middle, load->force, force);
    load_in_space(load, hub->middle, load->moment, moment);
    wy_mixed_arm(hub->from, load->def->point, before);
    wy_mixed_arm(hub->end, load->def->point, after);
    turn_of_step(hub, tau);
    for (int x = 0; x < 3; x++)
      work += force[x] * (hub->end[x] + after[x] - hub->from[x] - before[x]) + moment[x] * tau[x];
  }
  return work;
}

/* ---- Together ---- */

void wy_mixed_set_arms(wy_mixed_group *self) {
  for (int i = 0; i < self->seat_count; i++) {
    wy_mixed_seat *seat = &self->seats[i];
    wy_mixed_arm(self->hubs[seat->hub].left, seat->c, seat->left);
    wy_mixed_arm(self->hubs[seat->hub].right, seat->c, seat->right);
  }
  for (int i = 0; i < self->spring_count; i++) {
    if (self->at_rest)
      pull_at_rest(self, &self->springs[i]);
    else
      pull_in_step(self, &self->springs[i]);
  }
}

void wy_mixed_gather(wy_mixed_group *self) {
  wy_mixed_set_arms(self);
  for (int i = 0; i < self->hub_count; i++) {
    wy_mixed_hub *hub = &self->hubs[i];
    double f[WY_NODE];
    body_forces(hub, f);
    wy_mixed_project(hub->left, f, hub->rows);
  }
  add_springs(self);
  add_loads(self);
  for (int i = 0; i < self->hub_count; i++)
    memcpy(self->hubs[i].total, self->hubs[i].rows, sizeof self->hubs[i].total);
  for (int i = 0; i < self->seat_count; i++) {
    const wy_mixed_seat *seat = &self->seats[i];
    const wy_mixed *rod = self->parts[seat->part].rod;
    wy_mixed_hub *hub = &self->hubs[seat->hub];
    double end[WY_NODE_UNKNOWNS];
    wy_mixed_project(rod->task.left + WY_NODE * wy_mixed_end_node(rod, seat->end), rod->support + WY_NODE * seat->end,
                     end);
    wy_mixed_lift(seat, end, hub->total);
  }
}

void wy_mixed_judge_hubs(const wy_mixed_group *self, wy_mixed_misfit *misfit) {
  for (int i = 0; i < self->hub_count; i++) {
    const wy_mixed_hub *hub = &self->hubs[i];
    for (int x = 0; hub->block >= 0 && x < wy_mixed_hub_order(hub); x++) {
      const double scale = x < 3 ? 1 : self->length;
      if (!hub->held[x])
        misfit->missed = wy_larger(misfit->missed, hub->total[x] / scale);
      misfit->largest = fmax(misfit->largest, fabs(hub->rows[x]) / scale);
    }
  }
}

void wy_mixed_hub_blocks(wy_mixed_group *self) {
  for (int i = 0; i < self->hub_count; i++) {
    memset(self->hubs[i].own, 0, sizeof self->hubs[i].own);
    add_body_blocks(self, &self->hubs[i]);
  }
  for (int i = 0; i < 2 * self->spring_count; i++) {
    const wy_mixed_spring *spring = &self->springs[i / 2];
    double place[3], arm[3], force[3];
    for (int x = 0; x < 3; x++)
      force[x] = i % 2 ? spring->force[x] : -spring->force[x];
    spring_point(self, spring, i % 2, WY_MIXED_RIGHT, place, arm);
    if (spring->hub[i % 2] >= 0)
      add_arm(self, force, arm, self->hubs[spring->hub[i % 2]].own);
  }
  for (int i = 0; i < self->seat_count; i++) {
    const wy_mixed_seat *seat = &self->seats[i];
    add_arm(self, self->parts[seat->part].rod->support + WY_NODE * seat->end, seat->right, self->hubs[seat->hub].own);
  }
  add_load_blocks(self);
}

/* ---- The matrix ---- */

void wy_mixed_clear_held(const wy_mixed_hub *hub, double *d) {
  for (int x = 0; hub->any_held && x < WY_NODE_UNKNOWNS; x++)
    d[x] = hub->held[x] ? 0 : d[x];
}

static void add_block(wy_mixed_group *self, int row, int column, wy_block6 k) {
  const wy_mixed_hub *rows = &self->hubs[row], *columns = &self->hubs[column];
  for (int i = 0; (rows->any_held || columns->any_held) && i < 36; i++)
    if (rows->held[i / 6] || columns->held[i % 6])
      k[i / 6][i % 6] = 0;
  wy_hub_matrix_add(&self->matrix, rows->block, columns->block, &k[0][0], WY_NODE_UNKNOWNS);
}

static void add_own(wy_mixed_group *self, int index, double mu) {
  const wy_mixed_hub *hub = &self->hubs[index];
  wy_block6 k, ones = {{0}};
  for (int i = 0; i < 36; i++)
    k[i / 6][i % 6] = hub->own[i / 6][i % 6] - mu * hub->inertia_block[i / 6][i % 6];
  for (int x = 3; self->at_rest && mu == 0 && x < WY_NODE_UNKNOWNS; x++)
    k[x][x] += self->rest_foundation;
  add_block(self, index, index, k);
  for (int x = 0; x < WY_NODE_UNKNOWNS; x++)
    ones[x][x] = hub->held[x];
  if (hub->any_held)
    wy_hub_matrix_add(&self->matrix, hub->block, hub->block, &ones[0][0], WY_NODE_UNKNOWNS);
}

static void add_spring_blocks(wy_mixed_group *self, const wy_mixed_spring *spring) {
  for (int pair = 0; pair < 4; pair++) {
    const int on = pair / 2, by = pair % 2;
    double place[3], left[3], right[3];
    wy_block6 k = {{0}};
    if (wy_mixed_hub_known(self, spring->hub[on]) || wy_mixed_hub_known(self, spring->hub[by]))
      continue;
    spring_point(self, spring, on, WY_MIXED_LEFT, place, left);
    spring_point(self, spring, by, WY_MIXED_RIGHT, place, right);
    for (int i = 0; i < 9; i++)
      k[i / 3][i % 3] = on == by ? spring->by_line[i] : -spring->by_line[i];
    lift_block(false, left, false, right, k);
    add_block(self, spring->hub[on], spring->hub[by], k);
  }
}

static void add_rod(wy_mixed_group *self, const wy_mixed_member *part) {
  for (int by = 0; by < 2; by++) {
    const wy_mixed_seat *mover = part->seat[by] >= 0 ? &self->seats[part->seat[by]] : NULL;
    wy_block6 felt[2];
    if (!mover || wy_mixed_hub_known(self, mover->hub))
      continue;
    wy_mixed_condense(part->rod, by, self->columns, felt);
    for (int on = 0; on < 2; on++) {
      const wy_mixed_seat *seat = part->seat[on] >= 0 ? &self->seats[part->seat[on]] : NULL;
      if (!seat || wy_mixed_hub_known(self, seat->hub))
        continue;
      lift_block(seat->turns, seat->left, mover->turns, mover->right, felt[on]);
      add_block(self, seat->hub, mover->hub, felt[on]);
    }
  }
}

void wy_mixed_assemble(wy_mixed_group *self, double mu) {
  if (self->block_count == 0)
    return;
  wy_hub_matrix_clear(&self->matrix);
  for (int i = 0; i < self->hub_count; i++)
    if (self->hubs[i].block >= 0)
      add_own(self, i, mu);
  for (int i = 0; i < self->spring_count; i++)
    add_spring_blocks(self, &self->springs[i]);
  for (int i = 0; i < self->part_count; i++)
    add_rod(self, &self->parts[i]);
}
