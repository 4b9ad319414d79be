/* SPDX-License-Identifier: MIT */
/* What joints do to hubs that turn against each other: springs of hinges and balls, and driven angles. */
#include <math.h>
#include <string.h>

#include "network/inside.h"

/* ---- Angles of hinges ---- */

static bool is_hinge(const wy_group_hub *hub) {
  return hub->parent >= 0 && hub->sub.kind == WY_HUB_HINGE;
}

static double angle_of(const wy_group_hub *hub) {
  return is_hinge(hub) ? hub->sub.angle : 0;
}

static double rate_of(const wy_group_hub *hub) {
  return is_hinge(hub) ? hub->sub.rate : 0;
}

/* The angle of a driven hinge. In equilibria it stands still on its way. */
void wy_group_drive(const wy_group *self, const wy_group_hub *hub, double t, wy_sub_hub *sub) {
  const wy_joint_def *joint = wy_model_joint(self->base.model, hub->def->joint);
  double jet[3];
  wy_angle_at(&self->angle_states[hub->angle], &joint->angle, t, jet);
  const double share = hub->def->sign * (self->at_rest ? self->end_factor : 1),
               rates = self->at_rest ? 0 : hub->def->sign;
  sub->angle = share * jet[0], sub->rate = rates * jet[1], sub->acceleration = rates * jet[2];
}

void wy_group_joint_angle(const wy_system *system, double t, const double *u, int joint, int part, double *angle,
                          double *rate) {
  const wy_group *self = (const wy_group *)system;
  const int hubs[2] = {wy_network_part(system->model, joint, 0), wy_network_part(system->model, joint, part)};
  *angle = *rate = 0;
  for (int i = 0; i < self->hub_count; i++) {
    wy_sub_hub sub = self->hubs[i].sub;
    const double sign = self->hubs[i].number == hubs[1] ? 1 : -1;
    if ((self->hubs[i].number != hubs[0] && self->hubs[i].number != hubs[1]) || !is_hinge(&self->hubs[i]))
      continue;
    wy_group_turn_sub(self, &self->hubs[i], t, u, &sub);
    *angle += sign * sub.angle, *rate += sign * sub.rate;
  }
  if (part == 0)
    *angle = *rate = 0;
}

void wy_group_set_angle(wy_system *system, int joint, double t, double angle, double rate, double duration) {
  const wy_group *self = (const wy_group *)system;
  for (int i = 0; i < self->hub_count; i++) {
    const wy_group_hub *hub = &self->hubs[i];
    wy_sub_hub now = hub->sub;
    if (!is_hinge(hub) || !hub->def->driven || hub->def->joint != joint)
      continue;
    wy_group_drive(self, hub, t, &now);
    self->angle_states[hub->angle] = (wy_angle_state){.moved = true,
                                                      .start = t,
                                                      .duration = duration,
                                                      .angle0 = hub->def->sign * now.angle,
                                                      .rate0 = hub->def->sign * now.rate,
                                                      .angle1 = angle,
                                                      .rate1 = rate};
  }
  wy_conditions_set_angle(self, joint, t, angle, rate, duration);
}

/* What inertia and loads of a hub lack of a balance: force in space axes, torque in those of the hub. */
void wy_group_lacking(const wy_group_hub *hub, wy_v3 *force, wy_v3 *torque) {
  const wy_hub_inertia *inertia = &hub->inertia;
  const wy_v3 first = wy_at3(inertia->first), om = hub->at.omega;
  const wy_m3 second = wy_from_rows(inertia->second);
  const wy_v3 inner = wy_plus(wy_cross(hub->alpha, first), wy_cross(om, wy_cross(om, first)));
  const wy_v3 spin = wy_plus(wy_apply(second, hub->alpha), wy_cross(om, wy_apply(second, om)));
  const wy_v3 moved = wy_plus(wy_times(inertia->mass, hub->a), wy_apply(hub->at.r, inner));
  const wy_v3 turned = wy_plus(wy_cross(first, wy_apply_transposed(hub->at.r, hub->a)), spin);
  *force = wy_minus(moved, hub->load.force);
  *torque = wy_minus(turned, hub->load.torque);
}

/* The drive turns the hub against its parent with what spring, inertia and loads lack about the axis. */
double wy_group_drive_power(const wy_group *self) {
  double power = 0;
  for (int i = 0; i < self->hub_count; i++) {
    const wy_group_hub *hub = &self->hubs[i];
    wy_v3 force, torque;
    if (!is_hinge(hub) || !hub->def->driven)
      continue;
    wy_group_lacking(hub, &force, &torque);
    power += hub->sub.rate * (wy_inner(hub->sub.axis, torque) - hub->sub.torque);
  }
  return power;
}

/* ---- Springs ---- */

/* Where the springs of joints stand. */
static void turn_springs(wy_group *self) {
  for (int i = 0; i < self->joint_spring_count; i++) {
    wy_group_joint_spring *spring = &self->joint_springs[i];
    const wy_group_hub *first = &self->hubs[spring->hub[0]], *other = &self->hubs[spring->hub[1]];
    if (spring->def->kind == WY_HINGE)
      spring->angle = angle_of(other) - angle_of(first), spring->rate = rate_of(other) - rate_of(first);
    else
      spring->turn = wy_turn_between(&first->at, &other->at, spring->def->stiffness, spring->def->damping);
  }
}

void wy_group_add_joint_springs(wy_group *self, double *power) {
  for (int i = 0; i < self->hub_count; i++)
    self->hubs[i].sub.torque = 0;
  turn_springs(self);
  for (int i = 0; i < self->joint_spring_count; i++) {
    const wy_group_joint_spring *spring = &self->joint_springs[i];
    const wy_joint_def *def = spring->def;
    wy_group_hub *first = &self->hubs[spring->hub[0]], *other = &self->hubs[spring->hub[1]];
    double slid = spring->rate * spring->rate;
    if (def->kind == WY_HINGE) {
      const double torque = def->stiffness * (spring->angle - def->rest_angle) + def->damping * spring->rate;
      other->sub.torque -= torque, first->sub.torque += torque;
    } else {
      const wy_v3 moment = spring->turn.moment;
      other->load.torque = wy_minus(other->load.torque, moment);
      first->load.torque = wy_plus(first->load.torque, wy_apply(spring->turn.frame, moment));
      slid = wy_inner(spring->turn.w, spring->turn.w);
    }
    if (power)
      power[WY_DISSIPATION_INTEGRAL] += def->damping * slid;
  }
}

double wy_group_joint_energy(wy_group *self) {
  double energy = 0;
  turn_springs(self);
  for (int i = 0; i < self->joint_spring_count; i++) {
    const wy_group_joint_spring *spring = &self->joint_springs[i];
    const double turned = spring->angle - spring->def->rest_angle;
    energy += 0.5 * spring->def->stiffness *
              (spring->def->kind == WY_HINGE ? turned * turned : wy_inner(spring->turn.r, spring->turn.r));
  }
  return energy;
}

double wy_group_joint_dissipation(wy_group *self) {
  double power = 0;
  turn_springs(self);
  for (int i = 0; i < self->joint_spring_count; i++) {
    const wy_group_joint_spring *spring = &self->joint_springs[i];
    power += spring->def->damping *
             (spring->def->kind == WY_HINGE ? spring->rate * spring->rate : wy_inner(spring->turn.w, spring->turn.w));
  }
  return power;
}

/* ---- Derivatives of springs of balls ---- */

static void put_block(double *at, wy_m3 m) {
  double rows[9];
  wy_to_rows(m, rows);
  for (int i = 0; i < 9; i++)
    at[12 * (i / 3) + i % 3] = rows[i];
}

/* Load on one hub by the motion of another; what is by its own is subtracted from what its balance lacks. */
void wy_group_joint_blocks(wy_group *self) {
  for (int i = 0; i < self->joint_spring_count; i++) {
    wy_group_joint_spring *spring = &self->joint_springs[i];
    wy_m3 by_theta[2][2], by_omega[2][2];
    if (spring->def->kind == WY_HINGE)
      continue;
    wy_turn_blocks(&spring->turn, &self->hubs[spring->hub[0]].at, spring->def->stiffness, spring->def->damping,
                   by_theta, by_omega);
    memset(spring->by_motion, 0, sizeof spring->by_motion);
    for (int on = 0; on < 2; on++)
      for (int of = 0; of < 2; of++) {
        put_block(&spring->by_motion[on][of][3][3], by_theta[on][of]);
        put_block(&spring->by_motion[on][of][3][9], by_omega[on][of]);
      }
    for (int on = 0; on < 2; on++)
      for (int k = 0; k < 72; k++)
        self->hubs[spring->hub[on]].by_motion[k / 12][k % 12] -= spring->by_motion[on][on][k / 12][k % 12];
  }
}
