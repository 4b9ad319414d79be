/* SPDX-License-Identifier: MIT */
/* What a group has beside its rods: hubs with the ends of rods on them, springs, loads, conditions. */
#include <math.h>

#include "base/message.h"
#include "network/create.h"
#include "network/mixed.h"
#include "scheme/system.h"

/* ---- Rods ---- */

wy_system *wy_group_piece(const wy_system *system, int part, int index, int *offset) {
  const wy_group *self = (const wy_group *)system;
  *offset = 0;
  if (wy_is_mixed_group(system) || !self->parts[part].whole)
    return index == 0 ? system->parts[part] : NULL;
  const wy_group_part *of = &self->parts[part];
  if (index >= of->count)
    return NULL;
  *offset = self->rods[of->first + index].offset - self->rods[of->first].offset;
  return self->rods[of->first + index].system;
}

/* ---- Hubs ---- */

/* The least unit of a field of the rods: where nothing turns but rods are pulled, what hubs turn by is round-off of
   that, too. */
static double unit_of_rods(const wy_group *self, int kind) {
  double unit = 0;
  for (int i = 0; i < self->rod_count; i++)
    unit = i == 0 ? self->rods[i].system->fields[kind].unit : fmin(unit, self->rods[i].system->fields[kind].unit);
  return unit;
}

/* The hubs' fields, of the kinds that rods have; angles are measured as quaternions are. Bodies alone are points of the
   error norm. */
void wy_group_add_hub_fields(wy_group *self) {
  static const struct {
    const char *name;
    int components;
    bool local;
  } kinds[4] = {{"position", 3, true}, {"quaternion", 4, true}, {"velocity", 3, false}, {"angular_velocity", 3, false}};
  wy_system *base = &self->base;
  int offset = self->hub_offset;
  for (int k = 0; k < 4; k++) {
    base->fields[base->field_count++] = (wy_field){.name = kinds[k].name,
                                                   .offset = offset,
                                                   .components = kinds[k].components,
                                                   .count = self->hub_count,
                                                   .stride = self->hub_stride,
                                                   .cell_local = kinds[k].local,
                                                   .unit = unit_of_rods(self, k),
                                                   .kind = k};
    offset += kinds[k].components * self->hub_stride;
  }
  for (int k = 0; self->angle_count > 0 && k < 2; k++) {
    base->fields[base->field_count++] = (wy_field){.name = k ? "rate" : "angle",
                                                   .offset = offset,
                                                   .components = 1,
                                                   .count = self->angle_count,
                                                   .stride = self->angle_stride,
                                                   .cell_local = k == 0,
                                                   .unit = k ? unit_of_rods(self, 3) : 0,
                                                   .kind = k ? 3 : 1};
    offset += self->angle_stride;
  }
  if (self->rod_count == 0) /* else the mean, as of rods: a rod in pieces takes the steps of the whole rod */
    wy_system_norm_by_points(base, self->hub_stride);
}

static wy_hold_on hold_of(const double c[3], const double q[4], bool turns) {
  return (wy_hold_on){.c = wy_at3(c), .q = wy_at4(q), .turns = turns};
}

/* The end `name` of a piece. */
static void add_port(wy_group *self, int hub, const wy_hub_end *end, int rod, wy_end_name name) {
  const int index = self->port_count++;
  wy_group_port *port = &self->ports[index];
  wy_hub_inertia *inertia = &self->hubs[hub].inertia;
  *port = (wy_group_port){
      .rod = rod, .hub = hub, .end = name, .def = end, .s = end->s, .hold = hold_of(end->c, end->q, end->turns)};
  self->rods[rod].port[name] = index;
  self->rods[rod].ports->inertia(self->rods[rod].system, port->piece, name, &port->mass, &port->weighed, port->share);
  wy_hub_add_mass(inertia, port->mass, port->weighed, end->c);
  if (end->turns)
    wy_hub_add_share(inertia, port->share, end->q);
}

/* One that turns moves with the place of its parent only. */
static void reach_hub(wy_group *self, int i) {
  wy_group_hub *hub = &self->hubs[i];
  wy_hub_reach *reach = &hub->reach;
  if (hub->parent >= 0) {
    *reach = self->hubs[hub->parent].reach;
    if (hub->def->kind == WY_HUB_TURNS)
      reach->width[0] = 3;
  }
  if (hub->order == 0)
    return;
  const int n = reach->count++;
  reach->hub[n] = i;
  reach->first[n] = n ? reach->first[n - 1] + reach->width[n - 1] : 0;
  reach->width[n] = hub->order;
}

/* The mass of a hub that others stand on may be all theirs. */
static bool has_children(const wy_group *self, int i) {
  for (int k = i + 1; k < self->hub_count; k++)
    if (wy_group_hub_def(self->base.model, self->def, k)->parent == self->def->hubs[i])
      return true;
  return false;
}

static double longest_rod(const wy_group *self) {
  double length = 0;
  for (int i = 0; i < self->rod_count; i++)
    length = fmax(length, wy_model_rod(self->base.model, self->rods[i].rod)->length);
  return length;
}

/* A place of a rod: the end of one piece, or where two of them meet. */
static void add_ports(wy_group *self, int hub, int number) {
  const wy_network *network = wy_model_network(self->base.model);
  const wy_hub_end *end = &network->ends[number];
  const wy_group_part *part = &self->parts[wy_find_number(self->def->rods, self->def->rod_count, end->rod)];
  for (int i = 0; i < 2 * part->count; i++) {
    const int rod = part->first + i / 2;
    if (network->pieces[self->rods[rod].number].ends[i % 2] == number)
      add_port(self, hub, end, rod, (wy_end_name)(i % 2));
  }
}

/* Components that the ground holds. */
static void hold_by_ground(wy_hub_inertia *inertia, const wy_hub *def) {
  for (int k = 0; k < (def->has_frame ? 6 : 3); k++) {
    inertia->held[k] = def->held[k < 3 ? k : 3];
    inertia->any_held = inertia->any_held || inertia->held[k];
  }
}

wy_status wy_group_add_hub(wy_group *self, int i, wy_message *message) {
  const wy_model *model = self->base.model;
  const wy_hub *def = wy_group_hub_def(model, self->def, i);
  wy_group_hub *hub = &self->hubs[i];
  *hub = (wy_group_hub){.def = def,
                        .number = self->def->hubs[i],
                        .order = wy_hub_unknowns(def),
                        .block = wy_hub_unknowns(def) > 0 ? self->block_count : -1,
                        .parent = wy_find_number(self->def->hubs, self->hub_count, def->parent),
                        .drive = -1};
  self->block_count += hub->order > 0;
  reach_hub(self, i);
  if (hub->parent >= 0) {
    hub->sub = (wy_sub_hub){.kind = def->kind, .c = wy_at3(def->c), .axis = wy_at3(def->axis)};
    hub->angle = def->kind == WY_HUB_HINGE ? self->angle_count++ : -1;
    hub->blocks = &self->subs[self->sub_count++];
  }
  hub->inertia.has_frame = def->has_frame;
  if (def->body >= 0) {
    static const double centre[3] = {0, 0, 0};
    const wy_body_def *body = wy_model_body(model, def->body);
    wy_hub_add_mass(&hub->inertia, body->mass, body->mass, centre);
    wy_hub_add_inertia(&hub->inertia, body->inertia);
    if (wy_drive_holds(body)) {
      hub->drive = self->drive_count++;
      self->base.body_supports[hub->drive] = &self->drives[hub->drive].supports;
      wy_drive_begin(&self->drives[hub->drive], i, body, self->origin, longest_rod(self),
                     &self->drive_states[hub->drive]);
    }
  }
  if (def->body < 0 && !def->known)
    hold_by_ground(&hub->inertia, def);
  for (int k = 0; k < def->end_count; k++)
    add_ports(self, i, def->first_end + k);
  if (def->known || hub->parent >= 0 || wy_hub_factor(&hub->inertia) == 0 || has_children(self, i))
    return WY_OK;
  return wy_fail(message, WY_ERROR_INPUT, "%s has no mass, or no inertia",
                 def->body >= 0 ? wy_model_body(model, def->body)->name : "the hub of a joint");
}

/* ---- Springs, loads, conditions ---- */

void wy_group_make_springs(wy_group *self) {
  static const double none[4] = {1, 0, 0, 0};
  const wy_model *model = self->base.model;
  for (int i = 0; i < self->spring_count; i++) {
    wy_group_spring *spring = &self->springs[i];
    const int number = self->def->springs[i];
    spring->def = wy_model_spring(model, number);
    for (int end = 0; end < 2; end++) {
      const wy_spring_end *at = &wy_model_network(model)->springs[number][end];
      spring->hub[end] = wy_find_number(self->def->hubs, self->hub_count, at->hub);
      spring->at[end] = hold_of(at->c, none, false);
      if (spring->hub[end] < 0)
        spring->at[end].c = wy_minus(wy_at3(at->c), wy_at3(self->origin));
    }
  }
}

void wy_group_make_loads(wy_group *self) {
  const wy_model *model = self->base.model;
  int count = 0;
  for (int i = 0; i < wy_model_load_count(model); i++) {
    const int hub = wy_group_load_hub(model, self->def, i);
    if (hub >= 0)
      self->loads[count++] = (wy_group_load){.def = wy_model_load(model, i), .number = i, .hub = hub};
  }
}

/* Of the second hub of each against the first. */
void wy_group_make_conditions(wy_group *self, const wy_solver_def *solver) {
  static const double space[4] = {1, 0, 0, 0};
  const bool baumgarte = solver->staggered.stabilisation == WY_BAUMGARTE;
  const double omega = baumgarte ? solver->staggered.baumgarte_omega : 0;
  for (int i = 0, first = 0; i < self->condition_count; i++) {
    const wy_condition_def *def = &wy_model_network(self->base.model)->conditions[self->def->conditions[i]];
    const wy_joint_def *joint = wy_model_joint(self->base.model, def->joint);
    const double *frames[2];
    double c[2][3];
    wy_group_condition *made = &self->conditions[i];
    *made = (wy_group_condition){.def = def, .joint = joint, .first = first, .block = self->block_count + i};
    for (int side = 0; side < 2; side++) {
      const int hub = made->hub[side] = wy_find_number(self->def->hubs, self->hub_count, def->hub[side]);
      frames[side] = hub >= 0 ? self->hubs[hub].def->frame : space;
      wy_put3(c[side], hub >= 0 ? wy_at3(def->c[side]) : wy_minus(wy_at3(def->c[side]), wy_at3(self->origin)));
      self->span = hub >= 0 ? fmax(self->span, wy_norm(wy_at3(c[side]))) : self->span;
    }
    made->law = joint->kind == WY_BALL ? wy_condition_ball(c[0], c[1])
                : joint->kind == WY_WELD
                    ? wy_condition_weld(c[0], c[1], frames[0], frames[1])
                    : wy_condition_hinge(c[0], c[1], frames[0], frames[1], joint->axis, joint->has_angle);
    made->count = wy_condition_count(&made->law);
    made->state = &self->joint_states[i];
    made->drive =
        (wy_condition_drive){.twice_r = baumgarte ? 2 * solver->staggered.baumgarte_r : 0, .omega2 = omega * omega};
    first += made->count;
  }
}
