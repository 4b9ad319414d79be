/* SPDX-License-Identifier: MIT */
/* What connects rods, before a run: bodies, joints, springs and groups, and what looks like a mistake in them. */
#include "judge/network.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "math/vec3.h"
#include "model/contact.h"
#include "model/network.h"
#include "model/parts.h"
#include "scheme/solver.h"

/* Lines of one kind in the report; of more than that the number is said. */
enum { MOST_LINES = 20 };

/* Adds to a text as far as it has room. */
static void add(char *out, size_t size, const char *text) {
  const size_t used = strlen(out);
  snprintf(out + used, size - used, "%s", text);
}

/* ---- The report ---- */

static const char *hold_of(const wy_body_def *body) {
  bool free = body->rotation == WY_FREE, held = body->rotation == WY_HELD;
  for (int i = 0; i < 3; i++) {
    free = free && body->position[i] == WY_FREE;
    held = held && body->position[i] == WY_HELD;
  }
  return free ? "free" : held ? "held" : "held or driven in part";
}

static void say_bodies(const wy_subject *in) {
  const int count = wy_model_body_count(in->model);
  for (int i = 0; i < count && i < MOST_LINES; i++) {
    const wy_body_def *body = wy_model_body(in->model, i);
    wy_say(in, i ? "" : "bodies", "%s: %.4g kg, moments of inertia %.3g, %.3g, %.3g kg m^2, at (%.4g, %.4g, %.4g), %s",
           body->name, body->mass, body->inertia[0], body->inertia[1], body->inertia[2], body->origin[0],
           body->origin[1], body->origin[2], hold_of(body));
  }
  if (count > MOST_LINES)
    wy_say(in, "", "and %d more", count - MOST_LINES);
}

static void list_ports(const wy_model *model, const wy_port *ports, int count, char *out, size_t size) {
  char name[WY_PORT_NAME];
  out[0] = '\0';
  for (int i = 0; i < count; i++) {
    wy_port_name(model, &ports[i], name);
    add(out, size, i ? ", " : "");
    add(out, size, name);
  }
}

static void say_joints(const wy_subject *in) {
  static const char *const kinds[] = {[WY_WELD] = "weld", [WY_BALL] = "ball", [WY_HINGE] = "hinge"};
  const int count = wy_model_joint_count(in->model);
  for (int i = 0; i < count && i < MOST_LINES; i++) {
    const wy_joint_def *joint = wy_model_joint(in->model, i);
    char ports[160];
    list_ports(in->model, joint->ports, joint->port_count, ports, sizeof ports);
    wy_say(in, i ? "" : "joints", "%s%s%s of %s", joint->name ? joint->name : "", joint->name ? ": " : "",
           kinds[joint->kind], ports);
  }
  if (count > MOST_LINES)
    wy_say(in, "", "and %d more", count - MOST_LINES);
}

/* Segments of rods that joints or springs cut. */
static void say_pieces(const wy_subject *in) {
  const wy_network *net = wy_model_network(in->model);
  int said = 0, rods = 0;
  for (int i = 0; i < wy_model_rod_count(in->model); i++) {
    char counts[160] = "";
    if (net->rod_pieces[i + 1] - net->rod_pieces[i] < 2 || ++rods > MOST_LINES)
      continue;
    for (int k = net->rod_pieces[i]; k < net->rod_pieces[i + 1]; k++) {
      char text[64];
      snprintf(text, sizeof text, "%s%d to s = %.4g", k > net->rod_pieces[i] ? ", " : "", net->pieces[k].count,
               net->pieces[k].to);
      add(counts, sizeof counts, text);
    }
    wy_say(in, said++ ? "" : "pieces", "%s: segments %s", wy_model_rod(in->model, i)->name, counts);
  }
  if (rods > MOST_LINES)
    wy_say(in, "", "and %d more", rods - MOST_LINES);
}

static void say_springs(const wy_subject *in) {
  static const char *const kinds[] = {[WY_SPRING] = "spring", [WY_CABLE] = "cable"};
  const int count = wy_model_spring_count(in->model);
  for (int i = 0; i < count && i < MOST_LINES; i++) {
    const wy_spring_def *spring = wy_model_spring(in->model, i);
    char ports[160];
    list_ports(in->model, spring->ports, 2, ports, sizeof ports);
    wy_say(in, i ? "" : "springs", "%s%s%s of %s, %.4g N/m, length %.4g m", spring->name ? spring->name : "",
           spring->name ? ": " : "", kinds[spring->kind], ports, spring->stiffness, spring->length);
  }
  if (count > MOST_LINES)
    wy_say(in, "", "and %d more", count - MOST_LINES);
}

/* What is free of a rod of which vertices and segments move: an end on a hub is the hub's. -1: not known. */
static int freedoms_of_rod(const wy_subject *in, int index) {
  const wy_rod_def *rod = wy_model_rod(in->model, index);
  wy_solver_def own;
  const wy_solver_def *solver = wy_sim_def_solver(in->def, index, &own, NULL);
  const int constraints = rod->kind == WY_COSSERAT ? 0 : rod->kind == WY_KIRCHHOFF ? 2 : 3;
  int freedoms = 3 * (rod->segments + 1) + (3 - constraints) * rod->segments;
  if (!solver || !solver->scheme || strcmp(solver->scheme, "staggered") != 0)
    return -1;
  for (int end = 0; end < 2; end++) {
    const bool on_hub = wy_network_end(in->model, index, (wy_end_name)end) >= 0;
    for (int i = 0; i < 3; i++)
      freedoms -= on_hub || rod->ends[end].position[i] != WY_FREE;
  }
  const int *first = &wy_model_network(in->model)->rod_pieces[index];
  return freedoms - 3 * (first[1] - first[0] - 1); /* so is an inner point */
}

static int freedoms_of_hub(const wy_subject *in, const wy_hub *hub) {
  const wy_body_def *body = hub->body >= 0 ? wy_model_body(in->model, hub->body) : NULL;
  if (hub->kind != WY_HUB_OWN) /* on another one */
    return hub->kind == WY_HUB_TURNS ? 3 : !hub->driven;
  int freedoms = hub->known ? 0 : hub->has_frame ? 6 : 3;
  for (int i = 0; i < 3 && !hub->known; i++)
    freedoms -= body ? body->position[i] != WY_FREE : hub->held[i];
  const bool turn_held = body ? body->rotation != WY_FREE : hub->held[3];
  return freedoms - (!hub->known && hub->has_frame && turn_held ? 3 : 0);
}

/* 6 a hub, less the conditions that do not follow from others. */
static int freedoms_of(const wy_subject *in, int index) {
  const wy_network *net = wy_model_network(in->model);
  const wy_group_def *group = &net->groups[index];
  int all = 0, sum = 0;
  wy_dependent_conditions(in->model, index, &all, &sum, NULL);
  for (int i = 0; i < group->condition_count; i++)
    sum -= wy_condition_count(wy_model_joint(in->model, net->conditions[group->conditions[i]].joint));
  for (int i = 0; i < group->rod_count; i++) {
    const int freedoms = freedoms_of_rod(in, group->rods[i]);
    if (freedoms < 0)
      return -1;
    sum += freedoms;
  }
  for (int i = 0; i < group->hub_count; i++)
    sum += freedoms_of_hub(in, &net->hubs[group->hubs[i]]);
  return sum;
}

/* The group of a joint is that of any of its parts. */
static int group_of_port(const wy_model *model, const wy_port *port) {
  const wy_network *net = wy_model_network(model);
  return port->kind == WY_PORT_ROD ? net->rod_groups[port->index] : net->hubs[port->index].group;
}

static int group_of_joint(const wy_model *model, const wy_joint_def *joint) {
  return group_of_port(model, &joint->ports[joint->ports[0].kind == WY_PORT_GROUND]);
}

static void say_group(const wy_subject *in, int index) {
  const wy_group_def *group = &wy_model_network(in->model)->groups[index];
  char names[96] = "", freedoms[32] = "";
  int bodies = 0, joints = 0;
  for (int i = 0; i < group->rod_count; i++) {
    add(names, sizeof names, i ? ", " : " (");
    add(names, sizeof names, wy_model_rod(in->model, group->rods[i])->name);
  }
  if (strlen(names) + 1 == sizeof names) /* cut off */
    snprintf(names + sizeof names - sizeof ", ...", sizeof ", ...", ", ...");
  for (int i = 0; i < group->hub_count; i++)
    bodies += wy_model_network(in->model)->hubs[group->hubs[i]].body >= 0;
  for (int i = 0; i < wy_model_joint_count(in->model); i++)
    joints += group_of_joint(in->model, wy_model_joint(in->model, i)) == index;
  const int free = freedoms_of(in, index);
  if (free >= 0)
    snprintf(freedoms, sizeof freedoms, ", %d freedom%s", free, free == 1 ? "" : "s");
  wy_say(in, index ? "" : "groups", "%d rod%s%s%s, %d bod%s, %d joint%s, %d spring%s%s", group->rod_count,
         group->rod_count == 1 ? "" : "s", names, names[0] ? ")" : "", bodies, bodies == 1 ? "y" : "ies", joints,
         joints == 1 ? "" : "s", group->spring_count, group->spring_count == 1 ? "" : "s", freedoms);
}

static void say_groups(const wy_subject *in) {
  const int count = wy_model_network(in->model)->group_count;
  for (int i = 0; i < count && i < MOST_LINES; i++)
    say_group(in, i);
  if (count > MOST_LINES)
    wy_say(in, "", "and %d more", count - MOST_LINES);
}

/* ---- Bodies that nothing holds ---- */

static bool is_on_body(const wy_port *ports, int count, int body) {
  bool found = false;
  for (int i = 0; i < count; i++)
    found = found || (ports[i].kind == WY_PORT_BODY && ports[i].index == body);
  return found;
}

static bool is_attached(const wy_model *model, int body) {
  bool attached = false;
  for (int i = 0; i < wy_model_joint_count(model) && !attached; i++)
    attached = is_on_body(wy_model_joint(model, i)->ports, wy_model_joint(model, i)->port_count, body);
  for (int i = 0; i < wy_model_spring_count(model) && !attached; i++)
    attached = is_on_body(wy_model_spring(model, i)->ports, 2, body);
  for (int i = 0; i < wy_model_obstacle_count(model) && !attached; i++)
    attached = wy_model_obstacle(model, i)->body == body;
  return attached;
}

static void find_loose_bodies(const wy_subject *in) {
  for (int i = 0; i < wy_model_body_count(in->model); i++) {
    char path[WY_ENTRY_PATH];
    wy_entry_path("bodies", wy_model_body(in->model, i)->name, i, path);
    if (wy_model_rod_count(in->model) > 0 && !is_attached(in->model, i))
      wy_warn(in,
              &(wy_doubt){.code = "loose_body",
                          .path = path,
                          .remedy = "add a joint or a spring, or leave it out",
                          .value = NAN,
                          .limit = NAN},
              "it is in no joint and in no spring and carries no obstacle: it has no effect on rods");
  }
}

/* ---- Groups that nothing holds ---- */

static bool is_free(const wy_hold position[3]) {
  return position[0] == WY_FREE && position[1] == WY_FREE && position[2] == WY_FREE;
}

static bool has_ground(const wy_port *ports, int count) {
  bool found = false;
  for (int i = 0; i < count; i++)
    found = found || ports[i].kind == WY_PORT_GROUND;
  return found;
}

/* By the ground, at the end of a rod, or by a body that is held. */
static bool is_held(const wy_model *model, int index) {
  const wy_network *net = wy_model_network(model);
  const wy_group_def *group = &net->groups[index];
  bool held = false;
  for (int i = 0; i < group->rod_count; i++) {
    const wy_end *ends = wy_model_rod(model, group->rods[i])->ends;
    held = held || !is_free(ends[WY_START].position) || !is_free(ends[WY_END].position);
  }
  for (int i = 0; i < group->hub_count; i++) {
    const wy_hub *hub = &net->hubs[group->hubs[i]];
    held = held || (hub->body >= 0 && !is_free(wy_model_body(model, hub->body)->position));
  }
  for (int i = 0; i < group->spring_count; i++)
    held = held || has_ground(wy_model_spring(model, group->springs[i])->ports, 2);
  for (int i = 0; i < wy_model_joint_count(model) && !held; i++) {
    const wy_joint_def *joint = wy_model_joint(model, i);
    held = has_ground(joint->ports, joint->port_count) && group_of_joint(model, joint) == index;
  }
  return held;
}

/* Obstacles may carry a group with rods that touch. */
static bool may_be_carried(const wy_model *model, const wy_group_def *group) {
  bool any = false;
  for (int i = 0; i < group->rod_count; i++)
    any = any || wy_rod_touches(model, group->rods[i]);
  return any;
}

/* A group that can move as a whole has an equilibrium only if its loads happen to balance; as for a rod alone
   (equilibria.c), which is judged there. */
static void path_of_group(const wy_model *model, int index, char path[WY_ENTRY_PATH]) {
  const wy_network *net = wy_model_network(model);
  const wy_group_def *group = &net->groups[index];
  if (group->rod_count > 0)
    wy_entry_path("rods", wy_model_rod(model, group->rods[0])->name, group->rods[0], path);
  else /* without rods the first hub is a body */
    wy_entry_path("bodies", wy_model_body(model, net->hubs[group->hubs[0]].body)->name, group->hubs[0], path);
}

static void find_loose_groups(const wy_subject *in) {
  const wy_network *net = wy_model_network(in->model);
  for (int i = 0; i < net->group_count; i++) {
    const wy_group_def *group = &net->groups[i];
    char path[WY_ENTRY_PATH];
    if (group->hub_count == 0 || is_held(in->model, i) || may_be_carried(in->model, group))
      continue;
    path_of_group(in->model, i, path);
    const wy_doubt doubt = {
        .code = "not_held", .path = path, .remedy = "join one of its parts with ground", .value = NAN, .limit = NAN};
    if (in->analysis == WY_MODES)
      wy_warn(in, &doubt, "nothing holds its group: the first modes are motions of the group as a whole");
    else
      wy_warn(in, &doubt, "nothing holds its group, and equilibria need loads that balance");
  }
}

/* As of a rod that turns freely about its end (equilibria.c). */
static wy_status find_mechanisms(const wy_subject *in, wy_message *message) {
  const wy_network *net = wy_model_network(in->model);
  wy_status status = WY_OK;
  for (int i = 0; !status && i < net->group_count && in->analysis != WY_MODES; i++) {
    int count = 0;
    char path[WY_ENTRY_PATH];
    if (net->groups[i].hub_count == 0 || !is_held(in->model, i))
      continue;
    status = wy_mechanisms_of(in->model, i, &count, message);
    if (status || count == 0)
      continue;
    path_of_group(in->model, i, path);
    wy_warn(in,
            &(wy_doubt){.code = "mechanism",
                        .path = path,
                        .remedy = "weld what shall not turn, or add a support or a spring",
                        .value = count,
                        .limit = NAN,
                        .expected = true},
            "its group moves in %d way%s without being deformed: without stiffness there, an equilibrium may not be "
            "found",
            count, count == 1 ? "" : "s");
  }
  return status;
}

/* ---- Conditions that follow from others ---- */

/* Joints of a group that hold conditions, by name. */
static void list_conditions(const wy_model *model, int group, char *out, size_t size) {
  const wy_network *net = wy_model_network(model);
  const wy_group_def *def = &net->groups[group];
  out[0] = 0;
  for (int i = 0; i < def->condition_count; i++) {
    const int joint = net->conditions[def->conditions[i]].joint;
    const char *name = wy_model_joint(model, joint)->name;
    char number[16];
    if (i > 0 && joint == net->conditions[def->conditions[i - 1]].joint) /* of more than two parts */
      continue;
    snprintf(number, sizeof number, "[%d]", joint);
    add(out, size, i ? ", " : "");
    add(out, size, name ? name : number);
  }
  if (strlen(out) + 1 == size) /* cut off */
    snprintf(out + size - sizeof ", ...", sizeof ", ...", ", ...");
}

static wy_status find_dependent(const wy_subject *in, wy_message *message) {
  const wy_network *net = wy_model_network(in->model);
  wy_status status = WY_OK;
  for (int i = 0; !status && i < net->group_count; i++) {
    int all = 0, dependent = 0;
    char path[WY_ENTRY_PATH], names[96];
    status = wy_dependent_conditions(in->model, i, &all, &dependent, message);
    if (status || dependent == 0)
      continue;
    list_conditions(in->model, i, names, sizeof names);
    const int joint = net->conditions[net->groups[i].conditions[0]].joint;
    wy_entry_path("joints", wy_model_joint(in->model, joint)->name, joint, path);
    wy_warn(in,
            &(wy_doubt){.code = "dependent",
                        .path = path,
                        .remedy = "use ball for a joint of each ring of bodies, or leave it if only the motion matters",
                        .value = dependent,
                        .limit = NAN},
            "%d of the %d conditions of joints %s %s from the others: their forces are one of many choices", dependent,
            all, names, dependent == 1 ? "follows" : "follow");
  }
  return status;
}

/* ---- Parts that share a place, but no joint ---- */

/* An end of a rod, or the centre of mass of a body. */
typedef struct spot {
  double place[3];
  wy_port port;
  int hub;   /* -1: none */
  bool free; /* nothing holds it yet */
} spot;

static int compare_spots(const void *a, const void *b) {
  const spot *one = a, *other = b;
  if (one->place[0] != other->place[0])
    return one->place[0] < other->place[0] ? -1 : 1;
  if (one->port.kind != other->port.kind)
    return one->port.kind < other->port.kind ? -1 : 1;
  if (one->port.index != other->port.index)
    return one->port.index < other->port.index ? -1 : 1;
  return one->port.s < other->port.s ? -1 : one->port.s > other->port.s;
}

static spot spot_of_end(const wy_model *model, int rod, wy_end_name name) {
  const wy_rod_def *def = wy_model_rod(model, rod);
  const wy_end *end = &def->ends[name];
  const int on = wy_network_end(model, rod, name);
  spot at = {.port = wy_port_on_rod(rod, name == WY_START ? 0 : def->length), .hub = -1, .free = on < 0};
  if (on >= 0)
    at.hub = wy_model_network(model)->ends[on].hub;
  for (int i = 0; i < 3; i++)
    at.free = at.free && end->position[i] == WY_FREE;
  at.free = at.free && end->rotation == WY_FREE;
  wy_model_reference(model, rod, at.port.s, at.place, NULL);
  return at;
}

static spot spot_of_body(const wy_model *model, int body) {
  spot at = {.port = wy_port_on_body(body, 0, 0, 0), .hub = body, .free = false};
  wy_copy3(wy_model_body(model, body)->origin, at.place);
  return at;
}

/* Do they meet, and nothing holds one of them? Parts of one group are connected elsewhere where one is a body. */
static bool lack_joint(const wy_model *model, const spot *a, const spot *b, double near) {
  const double apart[3] = {a->place[0] - b->place[0], a->place[1] - b->place[1], a->place[2] - b->place[2]};
  const bool bodies = a->port.kind == WY_PORT_BODY || b->port.kind == WY_PORT_BODY;
  return (a->free || b->free) && wy_norm3(apart) <= near &&
         !(bodies && group_of_port(model, &a->port) == group_of_port(model, &b->port));
}

static void warn_of_spots(const wy_subject *in, const spot *a, const spot *b) {
  const bool first = a->free && (!b->free || a->port.index <= b->port.index);
  const spot *open = first ? a : b, *other = first ? b : a;
  char names[2][WY_PORT_NAME], path[WY_ENTRY_PATH];
  wy_port_name(in->model, &open->port, names[0]);
  wy_port_name(in->model, &other->port, names[1]);
  wy_entry_path("rods", wy_model_rod(in->model, open->port.index)->name, open->port.index, path);
  wy_warn(in,
          &(wy_doubt){.code = "no_joint",
                      .path = path,
                      .remedy = "add a joint of both, or move one of them",
                      .value = NAN,
                      .limit = NAN},
          "%s and %s meet at (%.6g, %.6g, %.6g), and no joint holds them together", names[0], names[1], open->place[0],
          open->place[1], open->place[2]);
}

/* One warning for each end that has no joint; spots are sorted by x. */
static void find_in_spots(const wy_subject *in, const spot *spots, int count, double near) {
  for (int i = 0; i < count; i++)
    for (int k = i + 1; k < count && spots[k].place[0] - spots[i].place[0] <= near; k++)
      if (lack_joint(in->model, &spots[i], &spots[k], near)) {
        warn_of_spots(in, &spots[i], &spots[k]);
        break;
      }
}

/* Only where there are joints at all: rods that are computed side by side often begin at one place. */
static wy_status find_missing_joints(const wy_subject *in, wy_message *message) {
  const int rods = wy_model_rod_count(in->model), bodies = wy_model_body_count(in->model);
  double longest = 0;
  int count = 0;
  if (wy_model_joint_count(in->model) == 0)
    return WY_OK;
  spot *spots = malloc((2 * (size_t)rods + (size_t)bodies + 1) * sizeof *spots);
  if (!spots)
    return wy_fail(message, WY_ERROR_MEMORY, "out of memory for the places of %d parts", rods + bodies);
  for (int i = 0; i < rods; i++) {
    longest = fmax(longest, wy_model_rod(in->model, i)->length);
    spots[count++] = spot_of_end(in->model, i, WY_START);
    spots[count++] = spot_of_end(in->model, i, WY_END);
  }
  for (int i = 0; i < bodies; i++)
    spots[count++] = spot_of_body(in->model, i);
  qsort(spots, (size_t)count, sizeof *spots, compare_spots);
  find_in_spots(in, spots, count, 1e-6 * longest);
  free(spots);
  return WY_OK;
}

/* ---- The whole ---- */

static bool has_network(const wy_model *model) {
  return wy_model_body_count(model) + wy_model_joint_count(model) + wy_model_spring_count(model) > 0;
}

wy_status wy_check_network(const wy_model *model, const wy_sim_def *def, wy_analysis analysis, wy_audience *audience,
                           wy_message *message) {
  const wy_subject in = {.model = model, .def = def, .analysis = analysis, .audience = audience};
  if (!has_network(model))
    return WY_OK;
  say_bodies(&in);
  say_joints(&in);
  say_springs(&in);
  say_pieces(&in);
  say_groups(&in);
  if (!audience->findings)
    return WY_OK;
  find_loose_bodies(&in);
  if (def->statics)
    find_loose_groups(&in);
  wy_status status = def->statics ? find_mechanisms(&in, message) : WY_OK;
  if (!status)
    status = find_dependent(&in, message);
  wy_check_start(&in);
  return status ? status : find_missing_joints(&in, message);
}
