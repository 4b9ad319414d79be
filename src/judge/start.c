/* SPDX-License-Identifier: MIT */
/* Initial velocities at joints: parts that meet get one motion there, the mean of what they are given in the metric of
   their masses, and what they lose of the kinetic energy is said (docs/theory/network.md, "Start"). */
#include <math.h>

#include "judge/network.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "model/model.h"
#include "model/network.h"

/* Of several motions: their sums, for a mean and for what is lost against it. */
typedef struct mean {
  double weight, sum[3], squares;
} mean;

static void add_motion(mean *of, double weight, const double v[3]) {
  of->weight += weight;
  wy_add3(of->sum, weight, v);
  of->squares += weight * wy_dot3(v, v);
}

/* Energy of the differences to the mean. */
static double lost_by(const mean *of) {
  return of->weight > 0 ? 0.5 * fmax(of->squares - wy_dot3(of->sum, of->sum) / of->weight, 0) : 0;
}

static void of_signals(const wy_signal signals[3], double s, double out[3]) {
  for (int k = 0; k < 3; k++)
    out[k] = wy_signal_value(&signals[k], s, 0);
}

/* The velocity of a rod, and its angular velocity in space axes. */
static void rod_motion(const wy_model *model, int rod, double s, double v[3], double om[3]) {
  const wy_rod_def *def = wy_model_rod(model, rod);
  double place[3], frame[4], r[9], own[3];
  of_signals(def->initial.velocity, s, v);
  of_signals(def->initial.angular_velocity, s, own);
  wy_model_reference(model, rod, s, place, frame);
  wy_qmatrix(frame, r);
  wy_mul3(r, own, om);
}

/* The velocity of a point of a body, c in its axes, and its angular velocity in space axes. */
static void body_motion(const wy_body_def *body, const double c[3], double v[3], double om[3]) {
  double r[9], turn[3], moved[3];
  wy_qmatrix(body->frame, r);
  wy_cross3(body->angular_velocity, c, turn);
  wy_mul3(r, turn, moved);
  wy_mul3(r, body->angular_velocity, om);
  for (int k = 0; k < 3; k++)
    v[k] = body->velocity[k] + moved[k];
}

static double rod_energy(const wy_model *model, int rod) {
  enum { PLACES = 32 };
  const double length = wy_model_rod(model, rod)->length;
  double energy = 0;
  for (int i = 0; i < PLACES; i++) {
    const double s = length * (i + 0.5) / PLACES;
    const wy_section_values section = wy_section_at(wy_model_rod(model, rod), s);
    double v[3], om[3];
    rod_motion(model, rod, s, v, om);
    energy += 0.5 * length / PLACES * (section.mass * wy_dot3(v, v) + section.rotary[0] * wy_dot3(om, om));
  }
  return energy;
}

static double body_energy(const wy_body_def *body) {
  const double *j = body->inertia, *om = body->angular_velocity;
  return 0.5 * body->mass * wy_dot3(body->velocity, body->velocity) +
         0.5 * (j[0] * om[0] * om[0] + j[1] * om[1] * om[1] + j[2] * om[2] * om[2]) + j[3] * om[0] * om[1] +
         j[4] * om[0] * om[2] + j[5] * om[1] * om[2];
}

/* Ends of rods on a hub: half a segment each, and the share of the frame (N6). A hub that turns on another one turns
   freely, and moves as that one does. */
static double lost_at_hub(const wy_model *model, int index) {
  const wy_network *network = wy_model_network(model);
  const wy_hub *hub = &network->hubs[index];
  static const double still[3] = {0, 0, 0};
  mean places = {0}, turns = {0};
  const double heavy = 1e12; /* what is known does not give way */
  for (int i = hub->first_end; i < hub->first_end + hub->end_count; i++) {
    const wy_hub_end *end = &network->ends[i];
    const wy_rod_def *rod = wy_model_rod(model, end->rod);
    const wy_section_values section = wy_section_at(rod, end->s);
    const double h = rod->length / rod->segments, mass = section.mass * h * (end->inner ? 1 : 0.5);
    const double share = section.mass * h * h * h / 24 + 0.25 * h * section.rotary[0];
    double v[3], om[3], body_v[3], body_om[3];
    rod_motion(model, end->rod, end->s, v, om);
    if (hub->body >= 0) { /* against its point of the body */
      body_motion(wy_model_body(model, hub->body), end->c, body_v, body_om);
      wy_add3(v, -1, body_v), wy_add3(om, -1, body_om);
    }
    add_motion(&places, mass, v);
    if (end->turns && hub->parent < 0)
      add_motion(&turns, share, om);
  }
  if (hub->body >= 0 || hub->known) {
    add_motion(&places, heavy * places.weight, still);
    add_motion(&turns, heavy * turns.weight, still);
  }
  return lost_by(&places) + lost_by(&turns);
}

/* Bodies that a joint holds to each other or to the ground. */
static double lost_at_condition(const wy_model *model, const wy_condition_def *condition) {
  double difference[3] = {0, 0, 0}, inverse = 0;
  for (int side = 0; side < 2; side++) {
    const int body = condition->hub[side] >= 0 ? wy_model_network(model)->hubs[condition->hub[side]].body : -1;
    double v[3], om[3];
    if (body < 0)
      continue;
    body_motion(wy_model_body(model, body), condition->c[side], v, om);
    wy_add3(difference, side ? -1 : 1, v);
    inverse += 1 / wy_model_body(model, body)->mass;
  }
  return inverse > 0 ? 0.5 * wy_dot3(difference, difference) / inverse : 0;
}

/* The joint where a group loses most, and all that it loses. */
typedef struct loss {
  double sum, most;
  int joint;
} loss;

static void add_loss(loss *of, double lost, int joint) {
  of->sum += lost;
  if (lost > of->most && joint >= 0) {
    of->most = lost;
    of->joint = joint;
  }
}

static int joint_of_hub(const wy_network *network, const wy_hub *hub) {
  return hub->joint >= 0 ? hub->joint : hub->end_count > 0 ? network->ends[hub->first_end].joint : -1;
}

static void check_group(const wy_subject *in, const wy_group_def *group) {
  const double most = 1e-6; /* of the kinetic energy */
  const wy_network *network = wy_model_network(in->model);
  double kinetic = 0;
  loss of = {0, 0, -1};
  for (int i = 0; i < group->rod_count; i++)
    kinetic += rod_energy(in->model, group->rods[i]);
  for (int i = 0; i < group->hub_count; i++) {
    const wy_hub *hub = &network->hubs[group->hubs[i]];
    kinetic += hub->body >= 0 ? body_energy(wy_model_body(in->model, hub->body)) : 0;
    add_loss(&of, lost_at_hub(in->model, group->hubs[i]), joint_of_hub(network, hub));
  }
  for (int i = 0; i < group->condition_count; i++) {
    const wy_condition_def *condition = &network->conditions[group->conditions[i]];
    add_loss(&of, lost_at_condition(in->model, condition), condition->joint);
  }
  if (!(of.sum > most * kinetic) || of.joint < 0)
    return;
  char path[WY_ENTRY_PATH];
  wy_entry_path("joints", wy_model_joint(in->model, of.joint)->name, of.joint, path);
  wy_warn(in,
          &(wy_doubt){.code = "velocities",
                      .path = path,
                      .remedy = "give parts that are joined the same velocity there (initial)",
                      .value = of.sum / kinetic,
                      .limit = most},
          "initial velocities do not fit here: what makes them fit takes about %.2g of the kinetic energy of the group",
          of.sum / kinetic);
}

void wy_check_start(const wy_subject *in) {
  const wy_network *network = wy_model_network(in->model);
  if (in->analysis != WY_DYNAMICS || in->def->statics) /* which begins at rest */
    return;
  for (int i = 0; i < network->group_count; i++)
    if (network->groups[i].hub_count > 0)
      check_group(in, &network->groups[i]);
}
