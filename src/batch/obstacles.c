/* SPDX-License-Identifier: MIT */
/* Obstacles that the rods of a batch touch: which there can be, and where they are at a time (B15). */
#include <math.h>
#include <string.h>

#include "batch/inside.h"
#include "math/quat.h"
#include "model/contact.h"

int wy_batch_count_obstacles(const wy_model *model, int rod) {
  return wy_rod_touches(model, rod) ? wy_model_obstacle_count(model) : 0;
}

bool wy_batch_sticks(const wy_model *model, int rod) {
  for (int i = 0; i < wy_batch_count_obstacles(model, rod); i++) {
    const wy_pair_laws laws = wy_model_pair_laws(model, rod, i, INFINITY);
    if (laws.friction > 0 && laws.stick)
      return true;
  }
  return false;
}

/* Of one without a grid they are none. */
static size_t values_of(const wy_obstacle_def *obstacle) {
  const int *points = obstacle->grid.points;
  return obstacle->shape == WY_OBSTACLE_DISTANCE ? (size_t)points[0] * (size_t)points[1] * (size_t)points[2] : 0;
}

size_t wy_batch_count_grid_values(const wy_model *model, int rod) {
  size_t count = 0;
  for (int i = 0; i < wy_batch_count_obstacles(model, rod); i++)
    count += values_of(wy_model_obstacle(model, i));
  return count;
}

void wy_batch_make_grids(wy_batch *self) {
  float *values = self->grid_values;
  for (int i = 0; self->grids && i < self->kind.obstacles; i++) {
    const wy_obstacle_def *obstacle = wy_model_obstacle(self->model, i);
    if (obstacle->shape == WY_OBSTACLE_DISTANCE)
      wy_batch_make_grid(&obstacle->grid, &self->grids[i], values);
    values += values_of(obstacle);
  }
}

static wy_status refuse(const wy_obstacle_def *obstacle, const char *what, wy_message *message) {
  return wy_fail(message, WY_ERROR_SUPPORT, "batches do not touch obstacle '%s': %s", obstacle->name, what);
}

wy_status wy_batch_check_obstacles(const wy_model *model, int rod, wy_message *message) {
  for (int i = 0; i < wy_batch_count_obstacles(model, rod); i++) {
    const wy_obstacle_def *obstacle = wy_model_obstacle(model, i);
    const bool round = obstacle->shape == WY_OBSTACLE_SPHERE || obstacle->shape == WY_OBSTACLE_CAPSULE;
    const bool endless = obstacle->shape == WY_OBSTACLE_CYLINDER && isinf(obstacle->length);
    if (obstacle->body >= 0)
      return refuse(obstacle, "a body carries it", message);
    if (!round && !endless && obstacle->shape != WY_OBSTACLE_PLANE && obstacle->shape != WY_OBSTACLE_DISTANCE)
      return refuse(obstacle, "it is no plane, sphere, capsule, endless cylinder or grid of distances", message);
  }
  if (wy_batch_count_obstacles(model, rod) && wy_signal_depends(&wy_model_rod(model, rod)->contact.radius, WY_ARC))
    return wy_fail(message, WY_ERROR_SUPPORT, "the contact radius of rod '%s' varies along it",
                   wy_model_rod(model, rod)->name);
  return WY_OK;
}

bool wy_batch_obstacles_change(const wy_batch *self) {
  for (int i = 0; i < self->kind.obstacles; i++) {
    const wy_obstacle_def *obstacle = wy_model_obstacle(self->model, i);
    if (wy_signal_depends(&obstacle->angle, WY_TIME))
      return true;
    for (int k = 0; k < 3; k++)
      if (wy_signal_depends(&obstacle->position[k], WY_TIME))
        return true;
  }
  return false;
}

static void place_one(const wy_batch *self, int index, double t, double *row) {
  const wy_obstacle_def *obstacle = wy_model_obstacle(self->model, index);
  const wy_pair_laws laws = wy_model_pair_laws(self->model, self->def.rod, index, INFINITY);
  double angle[3], turn[3], q[4], r[9];
  wy_signal_rates(&obstacle->angle, 0, t, angle);
  for (int k = 0; k < 3; k++) {
    double jet[3];
    wy_signal_rates(&obstacle->position[k], 0, t, jet);
    row[WY_OBST_PLACE + k] = jet[0];
    row[WY_OBST_VELOCITY + k] = jet[1] * WY_BATCH_TICK;
    row[WY_OBST_SPIN + k] = angle[1] * obstacle->rotation_axis[k] * WY_BATCH_TICK;
    turn[k] = angle[0] * obstacle->rotation_axis[k];
  }
  wy_qexp(turn, q);
  wy_qmatrix(q, r);
  wy_mul3(r, obstacle->axis, row + WY_OBST_AXIS);
  wy_mul3(r, obstacle->surface_velocity, row + WY_OBST_BELT);
  for (int k = 0; k < 3; k++)
    row[WY_OBST_BELT + k] *= WY_BATCH_TICK;
  wy_mul3(r, obstacle->d1, row + WY_OBST_D1);
  wy_cross3(row + WY_OBST_AXIS, row + WY_OBST_D1, row + WY_OBST_D2);
  row[WY_OBST_GRID] = obstacle->shape == WY_OBSTACLE_DISTANCE;
  const bool ball = obstacle->shape == WY_OBSTACLE_SPHERE;
  const double endless = 1e6; /* metres: as good as without end, and finite in every unit */
  row[WY_OBST_PLANE] = obstacle->shape == WY_OBSTACLE_PLANE;
  row[WY_OBST_HALF] = ball ? 0 : fmin(0.5 * obstacle->length, endless);
  row[WY_OBST_RADIUS] = obstacle->radius;
  row[WY_OBST_LAWS] = (1 - laws.restitution * laws.restitution) / (1 + laws.restitution * laws.restitution);
  row[WY_OBST_LAWS + 1] = row[WY_OBST_LAWS + 3] = laws.speed * WY_BATCH_TICK;
  row[WY_OBST_LAWS + 2] = laws.friction;
  const bool usual = !(wy_model_contact_def(self->model)->slip > 0); /* then it follows the radius of each rod */
  row[WY_OBST_SLIP] = usual ? 0 : laws.slip;
  row[WY_OBST_SLIP + 1] = usual ? laws.slip / wy_contact_smallest_radius(self->rod) : 0;
}

void wy_batch_place_obstacles(const wy_batch *self, double t, double *rows) {
  for (int i = 0; i < self->kind.obstacles; i++)
    place_one(self, i, t, rows + (size_t)i * WY_OBST_ROW);
}
