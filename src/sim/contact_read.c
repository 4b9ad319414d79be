/* SPDX-License-Identifier: MIT */
/* What a simulation shows of contact: along rods, and of obstacles, which the user may move. */
#include <math.h>
#include <string.h>

#include "base/message.h"
#include "math/quat.h"
#include "model/contact.h"
#include "network/group.h"
#include "scheme/system.h"
#include "sim/sim.h"

/* ---- Room ---- */

static void lay_out_line(wy_sim *sim, int rod) {
  const wy_rod_def *def = wy_model_rod(sim->model, rod);
  wy_arena *arena = &sim->memory.scratch;
  wy_contact_view *view = &sim->rods[rod].contact;
  wy_points *const lists[3] = {&view->load, &view->gap, &view->slip};
  static const int components[3] = {3, 1, 1};
  for (int k = 0; k < 3; k++)
    wy_points_layout(lists[k], arena, def->segments, components[k]);
  double *edge = wy_arena_doubles(arena, (size_t)def->segments + 1);
  if (!edge)
    return;
  sim->rods[rod].contact_line = (wy_contact_line){.count = def->segments,
                                                  .edge = edge,
                                                  .load = (double *)view->load.values,
                                                  .gap = (double *)view->gap.values,
                                                  .slip = (double *)view->slip.values};
  edge[0] = 0;
  for (int i = 0; i < def->segments; i++) {
    edge[i + 1] = i + 1 < def->segments ? edge[i] + wy_segment_length(def, i) : def->length;
    for (int k = 0; k < 3; k++)
      ((double *)lists[k]->s)[i] = 0.5 * (edge[i] + edge[i + 1]);
  }
}

void wy_sim_lay_out_contact(wy_sim *sim) {
  for (int i = 0; i < sim->rod_count; i++)
    if (wy_rod_touches(sim->model, i))
      lay_out_line(sim, i);
}

/* ---- Pieces of rods ---- */

wy_system *wy_sim_piece(const wy_sim_rod *rod, int index, int *offset) {
  *offset = 0;
  if (rod->group->system->parts)
    return wy_group_piece(rod->group->system, rod->part, index, offset);
  return index == 0 ? rod->system : NULL;
}

/* Adds what a rod sees, at the time that is shown: along itself, or of one obstacle. */
static void measure(const wy_sim *sim, int rod, wy_contact_line *line, int obstacle, wy_contact_sum *sum) {
  const wy_sim_rod *of = &sim->rods[rod];
  const double *u = wy_sim_part(of, *sim->time, wy_sim_shown(of->group));
  wy_system *piece;
  int offset;
  for (int i = 0; (piece = wy_sim_piece(of, i, &offset)); i++)
    if (piece->contacts && line)
      wy_contacts_measure(piece, *sim->time, u + offset, line);
    else if (piece->contacts)
      wy_contacts_measure_one(piece, *sim->time, u + offset, obstacle, sum);
}

/* ---- Along a rod ---- */

static void show_record(const wy_sim_rod *rod, wy_contact_view *view) {
  const wy_system *piece;
  int offset;
  view->deepest = view->deepest_over_radius = view->put_down = 0;
  view->first_time = NAN;
  for (int i = 0; (piece = wy_sim_piece(rod, i, &offset)); i++) {
    const wy_contact_record *record = piece->contacts ? piece->contacts->record : NULL;
    if (record)
      view->put_down = fmax(view->put_down, record->put_down);
    if (!record || !record->touched)
      continue;
    view->deepest = fmax(view->deepest, record->deepest);
    view->deepest_over_radius = fmax(view->deepest_over_radius, record->deepest_over_radius);
    view->first_time = fmin(view->first_time, record->first_time); /* NAN gives way */
  }
}

const wy_contact_view *wy_sim_contact(wy_sim *sim, int rod) {
  if (!sim || rod < 0 || rod >= sim->rod_count || !sim->rods[rod].contact_line.edge)
    return NULL;
  wy_sim_rod *of = &sim->rods[rod];
  if (!of->contact_ready) {
    wy_contact_line_clear(&of->contact_line);
    measure(sim, rod, &of->contact_line, -1, NULL);
    show_record(of, &of->contact);
    of->contact.time = *sim->time;
    of->contact_ready = true;
  }
  return &of->contact;
}

/* ---- Obstacles ---- */

/* Where an obstacle is as rods see it; false: no rod can touch it. */
static bool place_by_rods(const wy_sim *sim, int obstacle, wy_carrier *carrier) {
  wy_system *piece;
  int offset;
  for (int rod = 0; rod < sim->rod_count; rod++)
    for (int i = 0; (piece = wy_sim_piece(&sim->rods[rod], i, &offset)); i++)
      if (piece->contacts) {
        *carrier = wy_contacts_carrier(piece, *sim->time, obstacle);
        return true;
      }
  return false;
}

/* The body that carries an obstacle, as it is shown. */
static wy_spot body_of(wy_sim *sim, int obstacle) {
  const int body = wy_model_obstacle(sim->model, obstacle)->body;
  wy_body_state state = {0};
  if (body >= 0)
    wy_sim_body(sim, body, &state, NULL);
  const wy_q4 frame = wy_at4(state.frame);
  return (wy_spot){wy_at3(state.position), wy_at3(state.velocity), frame,
                   wy_apply(wy_rotation(frame), wy_at3(state.angular_velocity))};
}

static wy_carrier place_of(wy_sim *sim, int obstacle) {
  wy_carrier carrier = {0};
  if (!place_by_rods(sim, obstacle, &carrier)) {
    const wy_spot on = body_of(sim, obstacle);
    carrier = wy_obstacle_alone(sim->model, obstacle, *sim->time, &on);
  }
  return carrier;
}

wy_status wy_sim_obstacle(wy_sim *sim, int obstacle, int rod, wy_obstacle_state *out, wy_message *message) {
  if (!sim || !out)
    return wy_fail_missing(message, sim ? "out" : "sim");
  const int count = wy_model_obstacle_count(sim->model);
  if (obstacle < 0 || obstacle >= count)
    return wy_fail(message, WY_ERROR_INPUT, "there is no obstacle number %d", obstacle);
  if (rod < WY_ALL_RODS || rod >= sim->rod_count)
    return wy_fail(message, WY_ERROR_INPUT, "there is no rod number %d", rod);
  wy_contact_sum sum = {.gap = INFINITY};
  for (int i = 0; i < sim->rod_count; i++)
    if (rod == WY_ALL_RODS || rod == i)
      measure(sim, i, NULL, obstacle, &sum);
  const wy_carrier at = place_of(sim, obstacle);
  *out = (wy_obstacle_state){.contact_length = sum.length, .gap = sum.gap};
  wy_put3(out->position, at.x), wy_put3(out->velocity, at.v);
  wy_put4(out->frame, at.frame), wy_put3(out->angular_velocity, at.spin);
  wy_put3(out->force, sum.force), wy_put3(out->moment, sum.moment);
  return WY_OK;
}

bool wy_sim_meets(const wy_sim *sim) {
  bool any = false;
  for (int i = 0; i < sim->rod_count; i++)
    any = any || sim->rods[i].contact_line.edge;
  return any;
}

void wy_sim_move_carried(const wy_sim *sim, int body, const wy_pose *target, double duration) {
  for (int i = 0; i < wy_model_obstacle_count(sim->model); i++)
    for (int k = 0; wy_model_obstacle(sim->model, i)->body == body && k < sim->group_count; k++)
      wy_sim_move_met(&sim->groups[k], i, target, duration, NULL); /* as the body, which has been moved */
}

wy_status wy_sim_move_met(const wy_sim_group *group, int obstacle, const wy_pose *target, double duration,
                          wy_message *message) {
  const wy_sim *sim = group->sim;
  wy_status status = WY_OK;
  wy_system *piece;
  int offset;
  for (int k = 0; k < group->rod_count; k++)
    for (int i = 0; !status && (piece = wy_sim_piece(&sim->rods[group->rods[k]], i, &offset)); i++)
      if (piece->contacts)
        status = wy_contacts_move(piece, obstacle, *sim->time, target, duration, message);
  return status;
}
