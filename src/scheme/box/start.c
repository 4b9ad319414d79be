/* SPDX-License-Identifier: MIT */
/* How a motion begins (B11): velocities that the constraint and the ends allow, contact forces and rates. */
#include <math.h>
#include <string.h>

#include "scheme/box/rod.h"
#include "scheme/system.h"

/* ---- Velocities ---- */

/* The change of velocities that is least, weighed by the mass of the nodes, and meets constraint and supports: nine
   unknowns a node, changes of u and omega and the impulse in the cell that follows. Masses of nodes, not of cells:
   their mean values would let a jump at one end come back as a sawtooth all along the rod. */
enum { NODE = WY_BOX_KEPT_NODE, WIDTH = 2 * WY_BOX_KEPT + 1 };

typedef struct wy_box_units {
  double u, omega, impulse; /* of unknowns */
} wy_box_units;

static double *entry(wy_box *self, int row, int column) {
  return wy_band_row(&self->kept, row) + column - row + WY_BOX_KEPT;
}

static void add_block(wy_box *self, int row, int column, double factor, wy_m3 block) {
  const wy_v3 columns[3] = {block.a, block.b, block.c};
  for (int j = 0; j < 3; j++) {
    *entry(self, row, column + j) += factor * columns[j].x;
    *entry(self, row + 1, column + j) += factor * columns[j].y;
    *entry(self, row + 2, column + j) += factor * columns[j].z;
  }
}

static wy_m3 diagonal(wy_v3 d) {
  return (wy_m3){{d.x, 0, 0}, {0, d.y, 0}, {0, 0, d.z}};
}

/* Symmetric, every row multiplied by the unit of its unknown. */
static void fill(wy_box *self, const wy_box_units *unit, const double *motion) {
  for (int j = 0; j < self->nodes; j++) {
    const wy_box_node *at = &self->node[j];
    add_block(self, NODE * j, NODE * j, at->weight * at->mass * unit->u * unit->u, wy_diagonal(1));
    add_block(self, NODE * j + 3, NODE * j + 3, at->weight * unit->omega * unit->omega, diagonal(at->rotary));
  }
  for (int cell = 0; cell < self->cells; cell++) {
    wy_m3 by_u[2], by_omega[2];
    const int row = NODE * cell + 6;
    const wy_v3 gap = wy_box_gap(self, cell, motion, by_u, by_omega);
    for (int end = 0; end < 2; end++) {
      const int node = NODE * (cell + end);
      add_block(self, row, node, unit->impulse * unit->u, by_u[end]);
      add_block(self, row, node + 3, unit->impulse * unit->omega, by_omega[end]);
      add_block(self, node, row, unit->impulse * unit->u, wy_mtransposed(by_u[end]));
      add_block(self, node + 3, row, unit->impulse * unit->omega, wy_mtransposed(by_omega[end]));
    }
    wy_put3(self->rhs + row, wy_times(-unit->impulse, gap));
  }
}

/* Rows first ... first + 2 times the matrix m, which is what a support sees of them. */
static void turn_rows(wy_box *self, int first, wy_m3 m) {
  const int from = first - WY_BOX_KEPT + 2 > 0 ? first - WY_BOX_KEPT + 2 : 0;
  const int last = self->kept.n - 1, upto = first + WY_BOX_KEPT < last ? first + WY_BOX_KEPT : last;
  for (int column = from; column <= upto; column++) {
    const wy_v3 old = {*entry(self, first, column), *entry(self, first + 1, column), *entry(self, first + 2, column)};
    const wy_v3 now = wy_apply(m, old);
    *entry(self, first, column) = now.x, *entry(self, first + 1, column) = now.y,
                        *entry(self, first + 2, column) = now.z;
  }
}

/* A row that says what the unknowns first ... first + 2, times `direction`, are. */
static void hold_row(wy_box *self, int row, int first, const double direction[3], double value, double factor) {
  memset(wy_band_row(&self->kept, row), 0, WIDTH * sizeof(double));
  for (int i = 0; i < 3; i++)
    *entry(self, row, first + i) = factor * direction[i];
  self->rhs[row] = factor * value;
}

static void hold_end(wy_box *self, const wy_box_units *unit, double t, const double *u, int end) {
  const int node = wy_box_end_node(self, end), first = NODE * node;
  const double *motion = wy_box_motion(self, u, node);
  const wy_m3 frame = wy_rotation(wy_load4(u + self->frame + 4 * node, 1, 0)), rows = wy_mtransposed(frame);
  const double direction[3][3] = {
      {rows.a.x, rows.a.y, rows.a.z}, {rows.b.x, rows.b.y, rows.b.z}, {rows.c.x, rows.c.y, rows.c.z}};
  const double axis[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const double mass = self->node[node].weight * self->node[node].mass * unit->u * unit->u;
  wy_end_pose pose;
  wy_support_pose(&self->supports, end, t, &pose);
  turn_rows(self, first, frame);
  for (int i = 0; i < 3; i++) {
    const double velocity = wy_dot3(direction[i], motion);
    if (self->ends[end].position[i] != WY_FREE)
      hold_row(self, first + i, first, direction[i], (pose.v[i] - velocity) / unit->u, mass);
    if (wy_support_holds_rotation(&self->supports, end))
      hold_row(self, first + 3 + i, first + 3, axis[i], (pose.w[i] - motion[WY_BOX_OMEGA + i]) / unit->omega, mass);
  }
}

void wy_box_project_velocities(wy_box *self, double t, double *u) {
  const wy_box_scales *s = &self->scales;
  const double mass = s->force * s->time * s->time / s->length; /* of the rod */
  const wy_box_units unit = {s->length / s->time, 1 / s->time, mass * s->length / s->time};
  const int n = self->kept.n;
  double *motion = u + self->motion;
  memset(self->kept.rows, 0, (size_t)n * WIDTH * sizeof(double));
  memset(self->rhs, 0, (size_t)n * sizeof(double));
  fill(self, &unit, motion);
  for (int end = 0; end < 2; end++)
    hold_end(self, &unit, t, u, end);
  if (wy_band_factor(&self->kept))
    return; /* nothing can move: velocities stay as given, and the first step fails with a message */
  wy_band_solve(&self->kept, self->rhs);
  for (int j = 0; j < self->nodes; j++) {
    wy_add3(motion + WY_BOX_MOTION * j, unit.u, self->rhs + NODE * j);
    wy_add3(motion + WY_BOX_MOTION * j + WY_BOX_OMEGA, unit.omega, self->rhs + NODE * j + 3);
  }
}

/* ---- Forces and rates ---- */

/* The equations are nearly linear: two corrections always, as the misfit of a rod without forces is noise over noise.
 */
enum { LEAST_CORRECTIONS = 2, MOST_CORRECTIONS = 10 };

int wy_box_first_forces(wy_box *self, double t, double *u) {
  const wy_box_weights backward_euler = {.alpha = 0, .beta = 0, .gamma = 1};
  /* Of the time scale of the rod: rates are then off by that share of what they change in it, and by 1e-16 over it. A
     soft rod has a long one: there it is the step that must resolve the motion. */
  const double very_short = 1e-6, shorter = 1e-3, h = fmin(very_short * self->scales.time, shorter * self->usual);
  double misfit, change, last = INFINITY;
  int factored = 0;
  self->starting = true;
  wy_box_open_step(self, t, h, u, &backward_euler);
  memcpy(self->x, self->x0, (size_t)self->nodes * WY_BOX_NODE * sizeof *self->x);
  for (int i = 0; i < MOST_CORRECTIONS; i++) {
    self->base.type->step->residual(&self->base, self->rhs, &misfit);
    if (!isfinite(misfit) || (i > LEAST_CORRECTIONS && !(misfit < last))) { /* it no longer falls */
      factored = i == 0 ? -1 : factored;
      break;
    }
    for (int j = 0; j < self->nodes; j++) {
      const double *x = self->x + WY_BOX_NODE * j, *x0 = self->x0 + WY_BOX_NODE * j;
      double *rate = u + self->rates + WY_BOX_NODE * j;
      memcpy(u + self->force + 3 * j, x + WY_BOX_N, 3 * sizeof *u);
      for (int k = 0; k < WY_BOX_MOTION; k++)
        rate[k] = (x[k] - x0[k]) / h;
      wy_copy3(rate + WY_BOX_KAPPA, rate + WY_BOX_MOTION);
    }
    if (self->base.contacts)
      wy_box_contact_keep(self, u);
    last = misfit;
    if (misfit == 0)
      break;
    if (wy_step_correct(&self->base, true, self->rhs, &change)) {
      factored = i == 0 ? -1 : factored;
      break;
    }
    factored++;
  }
  self->starting = false;
  return factored;
}
