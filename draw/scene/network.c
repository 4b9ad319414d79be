/* SPDX-License-Identifier: MIT */
/* Bodies, joints and springs of the 3D page. Bodies have a motion of their own in result.h5; where joints and springs
   are follows from the rods and bodies that they hold. */
#include <math.h>
#include <string.h>

#include "draw/scene/run.h"
#include "run/results/file.h"

static const double joint_size = 1.5; /* radius of a joint over that of the thickest rod there */
/* Of a body, where a joint has no rod: over its smallest half extent, but at most over its reach. */
static const double beyond_half = 1.2, most_reach = 0.1;

/* ---- What there is ---- */

/* A field of a body, which has to be there, or of a joint. */
static wy_status find_field(wy_scene_run *run, const char *group, const char *name, const char *set, int components,
                            bool needed, const wy_stored_field **out, wy_message *message) {
  const char *path = wy_memory_print(run->memory, "/%s/%s/%s", group, name, set);
  wy_status status = wy_folder_field(run->folder, path, components, out, message);
  if (status == WY_OK && (*out ? (*out)->points != 1 || (*out)->lines != 1 : needed))
    status = wy_folder_damaged(run->folder, path, message);
  return status;
}

static wy_status find_bodies(wy_scene_run *run, wy_message *message) {
  int count = wy_model_body_count(run->model);
  wy_status status = WY_OK;
  run->bodies = wy_memory_take(run->memory, (size_t)count, sizeof *run->bodies);
  for (int i = 0; i < count && status == WY_OK; i++) {
    const wy_body_def *def = wy_model_body(run->model, i);
    wy_scene_body *body = &run->bodies[run->body_count++];
    body->name = def->name;
    body->solid = wy_solid_of(def);
    status = find_field(run, "bodies", def->name, "position", 3, true, &body->position, message);
    if (status == WY_OK)
      status = find_field(run, "bodies", def->name, "frame", 4, true, &body->frame, message);
  }
  return status;
}

/* The rod of the file that is a rod of the model, or -1. */
static int rod_of(const wy_scene_run *run, int index) {
  for (int r = 0; r < run->rod_count; r++)
    if (run->rods[r].index == index)
      return r;
  return -1;
}

/* A port of several, or false where its rod is not in the file. */
static bool find_hold(const wy_scene_run *run, const wy_port *ports, int count, int port, wy_scene_hold *out) {
  double frame[4];
  *out = (wy_scene_hold){.kind = ports[port].kind, .index = ports[port].index, .s = ports[port].s};
  memcpy(out->point, ports[port].point, sizeof out->point);
  if (out->kind == WY_PORT_GROUND)
    wy_port_rest(run->model, ports, count, port, out->point, frame);
  if (out->kind == WY_PORT_ROD)
    out->index = rod_of(run, out->index);
  return out->index >= 0;
}

/* Of the thickest rod; of bodies a small part of the smallest. */
static double joint_radius(const wy_scene_run *run, const wy_scene_joint *joint) {
  double thickest = 0, smallest = INFINITY;
  for (int i = 0; i < joint->hold_count; i++) {
    const wy_scene_hold *hold = &joint->holds[i];
    if (hold->kind == WY_PORT_ROD) {
      const wy_scene_rod *rod = &run->rods[hold->index];
      int point = 0, last = rod->position->points - 1;
      while (point < last && rod->position->s[point + 1] <= hold->s)
        point++;
      thickest = fmax(thickest, fmax(rod->file_half[2 * (size_t)point], rod->file_half[2 * (size_t)point + 1]));
    } else if (hold->kind == WY_PORT_BODY) {
      const wy_solid *solid = &run->bodies[hold->index].solid;
      double half = fmin(fmin(solid->half[0], solid->half[1]), solid->half[2]);
      smallest = fmin(smallest, fmin(beyond_half * half, most_reach * solid->reach));
    }
  }
  return thickest > 0 ? joint_size * thickest : isfinite(smallest) ? smallest : 0;
}

static void find_axis(const wy_scene_run *run, const wy_joint_def *def, double axis[3]) {
  double position[3], frame[4];
  wy_port_rest(run->model, def->ports, def->port_count, 0, position, frame);
  const double back[4] = {frame[0], -frame[1], -frame[2], -frame[3]};
  wy_turn_vector(back, def->axis, axis);
}

static wy_status find_joints(wy_scene_run *run, wy_message *message) {
  int count = wy_model_joint_count(run->model);
  wy_status status = WY_OK;
  run->joints = wy_memory_take(run->memory, (size_t)count, sizeof *run->joints);
  for (int i = 0; i < count && status == WY_OK; i++) {
    const wy_joint_def *def = wy_model_joint(run->model, i);
    wy_scene_joint *joint = &run->joints[run->joint_count];
    *joint = (wy_scene_joint){.name = def->name, .kind = def->kind, .release = def->release};
    joint->holds = wy_memory_take(run->memory, (size_t)def->port_count, sizeof *joint->holds);
    bool whole = true;
    for (int k = 0; k < def->port_count && whole; k++)
      whole = find_hold(run, def->ports, def->port_count, k, &joint->holds[joint->hold_count++]);
    if (!whole)
      continue;
    joint->radius = joint_radius(run, joint);
    if (def->kind == WY_HINGE)
      find_axis(run, def, joint->axis);
    const char *folder = def->name ? def->name : wy_memory_print(run->memory, "[%d]", i);
    status = find_field(run, "joints", folder, "force", 3, false, &joint->force, message);
    run->joint_count++;
  }
  return status;
}

static void find_springs(wy_scene_run *run) {
  int count = wy_model_spring_count(run->model);
  run->springs = wy_memory_take(run->memory, (size_t)count, sizeof *run->springs);
  for (int i = 0; i < count; i++) {
    const wy_spring_def *def = wy_model_spring(run->model, i);
    wy_scene_spring *spring = &run->springs[run->spring_count];
    *spring = (wy_scene_spring){.name = def->name, .cable = def->kind == WY_CABLE, .length = def->length};
    bool whole = true;
    for (int k = 0; k < 2 && whole; k++)
      whole = find_hold(run, def->ports, 2, k, &spring->holds[k]);
    run->spring_count += whole;
  }
}

wy_status wy_scene_find_network(wy_scene_run *run, wy_message *message) {
  if (!run->model)
    return WY_OK;
  wy_status status = find_bodies(run, message);
  if (status == WY_OK)
    status = find_joints(run, message);
  if (status == WY_OK)
    find_springs(run);
  return status;
}

/* ---- Arrays ---- */

static wy_scene_array *add_motion(wy_scene_run *run, const wy_stored_field *field) {
  return wy_scene_add(run, (wy_scene_array){.type = WY_SCENE_F32,
                                            .snapshots = run->shown,
                                            .values = (size_t)field->components,
                                            .components = field->components,
                                            .field = field});
}

wy_status wy_scene_build_network(wy_scene_run *run, wy_message *message) {
  wy_status status = WY_OK;
  for (int i = 0; i < run->body_count && status == WY_OK; i++) {
    wy_scene_body *body = &run->bodies[i];
    body->positions = add_motion(run, body->position);
    body->frames = add_motion(run, body->frame);
    status = wy_scene_range(run, body->positions, message);
    if (status == WY_OK)
      wy_scene_extend(run, body->positions->low, body->positions->high, body->solid.reach);
  }
  for (int i = 0; i < run->joint_count; i++)
    if (run->joints[i].force)
      run->joints[i].forces = add_motion(run, run->joints[i].force);
  for (int i = 0; i < 2 * run->spring_count; i++) {
    const wy_scene_hold *hold = &run->springs[i / 2].holds[i % 2];
    if (hold->kind == WY_PORT_GROUND)
      wy_scene_extend(run, hold->point, hold->point, 0);
  }
  return status;
}

/* ---- The header ---- */

static void put_hold(wy_json *json, const wy_scene_hold *hold) {
  wy_json_object(json, NULL);
  if (hold->kind == WY_PORT_ROD) {
    wy_json_integer(json, "rod", hold->index);
    wy_json_number(json, "s", hold->s);
  } else {
    if (hold->kind == WY_PORT_BODY)
      wy_json_integer(json, "body", hold->index);
    wy_scene_put_numbers(json, "point", hold->point, 3);
  }
  wy_json_end_object(json);
}

static void put_holds(wy_json *json, const char *name, const wy_scene_hold *holds, int count) {
  wy_json_string(json, "name", name ? name : "");
  wy_json_list(json, "of");
  for (int i = 0; i < count; i++)
    put_hold(json, &holds[i]);
  wy_json_end_list(json);
}

static void put_body(wy_json *json, const wy_scene_body *body) {
  static const char *const shapes[] = {
      [WY_BODY_BOX] = "box", [WY_BODY_SPHERE] = "sphere", [WY_BODY_CYLINDER] = "cylinder"};
  wy_json_object(json, NULL);
  wy_json_string(json, "name", body->name);
  wy_json_string(json, "shape", shapes[body->solid.shape]);
  wy_scene_put_numbers(json, "half", body->solid.half, 3);
  wy_scene_put_numbers(json, "turn", body->solid.turn, 4);
  wy_scene_put_array(json, "position", body->positions);
  wy_scene_put_array(json, "frame", body->frames);
  wy_json_end_object(json);
}

static void put_joint(wy_json *json, const wy_scene_joint *joint) {
  static const char *const kinds[] = {[WY_WELD] = "weld", [WY_BALL] = "ball", [WY_HINGE] = "hinge"};
  wy_json_object(json, NULL);
  wy_json_string(json, "kind", kinds[joint->kind]);
  put_holds(json, joint->name, joint->holds, joint->hold_count);
  wy_json_number(json, "radius", joint->radius);
  if (joint->kind == WY_HINGE)
    wy_scene_put_numbers(json, "axis", joint->axis, 3);
  if (isfinite(joint->release))
    wy_json_number(json, "release", joint->release);
  wy_scene_put_array(json, "force", joint->forces);
  wy_json_end_object(json);
}

void wy_scene_put_network(wy_json *json, const wy_scene_run *run) {
  wy_json_list(json, "bodies");
  for (int i = 0; i < run->body_count; i++)
    put_body(json, &run->bodies[i]);
  wy_json_end_list(json);
  wy_json_list(json, "joints");
  for (int i = 0; i < run->joint_count; i++)
    put_joint(json, &run->joints[i]);
  wy_json_end_list(json);
  wy_json_list(json, "springs");
  for (int i = 0; i < run->spring_count; i++) {
    const wy_scene_spring *spring = &run->springs[i];
    wy_json_object(json, NULL);
    wy_json_string(json, "kind", spring->cable ? "cable" : "spring");
    put_holds(json, spring->name, spring->holds, 2);
    wy_json_number(json, "length", spring->length);
    wy_json_end_object(json);
  }
  wy_json_end_list(json);
}
