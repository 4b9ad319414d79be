/* SPDX-License-Identifier: MIT */
/* Bodies, joints, springs and obstacles for pictures. */
#include <math.h>
#include <string.h>

#include "draw/plot/gather.h"

/* Numbers of a part in a snapshot. False where they are missing or damaged. */
static bool read_part(const wy_plot_run *run, const char *path, int components, int snapshot, int count, double *out) {
  const wy_stored_field *field = NULL;
  wy_plot_good(run, wy_folder_field(run->folder, path, components, &field, NULL));
  if (!field || field->lines * field->points * field->components != count)
    return false;
  return wy_plot_good(run, wy_folder_read(run->folder, field, snapshot, 1, 1, out, NULL));
}

static void gather_bodies(wy_plot_run *run, const wy_model *model) {
  int count = wy_model_body_count(model), last = wy_plot_shown_snapshot(run, run->shown - 1);
  run->bodies = wy_memory_take(run->memory, (size_t)count, sizeof *run->bodies);
  for (int i = 0; i < count; i++) {
    const wy_body_def *def = wy_model_body(model, i);
    wy_plot_body *body = &run->bodies[run->body_count];
    const char *place = wy_memory_print(run->memory, "/bodies/%s/position", def->name);
    bool good = read_part(run, wy_memory_print(run->memory, "/bodies/%s/frame", def->name), 4, last, 4, body->frame);
    body->solid = wy_solid_of(def);
    body->count = run->shown;
    body->position = wy_memory_take(run->memory, 3 * (size_t)run->shown, sizeof(double));
    for (int k = 0; k < run->shown && good; k++)
      good = read_part(run, place, 3, wy_plot_shown_snapshot(run, k), 3, body->position + 3 * (size_t)k);
    run->body_count += good;
  }
}

/* "/joints/NAME/position", or with "[K]" for one without name. */
static const char *part_path(const wy_plot_run *run, const char *group, const char *name, int index, const char *set) {
  return name ? wy_memory_print(run->memory, "/%s/%s/%s", group, name, set)
              : wy_memory_print(run->memory, "/%s/[%d]/%s", group, index, set);
}

static void gather_joints(wy_plot_run *run, const wy_model *model) {
  int count = wy_model_joint_count(model), last = wy_plot_shown_snapshot(run, run->shown - 1);
  run->joints = wy_memory_take(run->memory, (size_t)count, sizeof *run->joints);
  for (int i = 0; i < count; i++) {
    const wy_joint_def *def = wy_model_joint(model, i);
    wy_plot_joint *joint = &run->joints[run->joint_count];
    joint->hinge = def->kind == WY_HINGE;
    if (def->kind != WY_WELD && run->shown_time[run->shown - 1] < def->release)
      run->joint_count +=
          read_part(run, part_path(run, "joints", def->name, i, "position"), 3, last, 3, joint->position);
  }
}

static void gather_springs(wy_plot_run *run, const wy_model *model) {
  int count = wy_model_spring_count(model), last = wy_plot_shown_snapshot(run, run->shown - 1);
  run->springs = wy_memory_take(run->memory, (size_t)count, sizeof *run->springs);
  for (int i = 0; i < count; i++) {
    const wy_spring_def *def = wy_model_spring(model, i);
    wy_plot_spring *spring = &run->springs[run->spring_count];
    spring->cable = def->kind == WY_CABLE;
    spring->length = def->length;
    run->spring_count += read_part(run, part_path(run, "springs", def->name, i, "ends"), 3, last, 6, spring->ends[0]);
  }
}

static void gather_obstacles(wy_plot_run *run, const wy_model *model) {
  const int count = wy_model_obstacle_count(model), last = wy_plot_shown_snapshot(run, run->shown - 1);
  run->obstacles = wy_memory_take(run->memory, (size_t)count, sizeof *run->obstacles);
  for (int i = 0; i < count; i++) {
    wy_plot_obstacle *obstacle = &run->obstacles[run->obstacle_count];
    const char *name = (obstacle->def = wy_model_obstacle(model, i))->name;
    if (obstacle->def->shape == WY_OBSTACLE_DISTANCE)
      obstacle->surface = wy_surface_of(run->memory, &obstacle->def->grid);
    run->obstacle_count +=
        read_part(run, part_path(run, "obstacles", name, i, "position"), 3, last, 3, obstacle->position) &&
        read_part(run, part_path(run, "obstacles", name, i, "frame"), 4, last, 4, obstacle->frame);
  }
}

void wy_plot_gather_network(wy_plot_run *run) {
  const wy_model *model = wy_folder_model(run->folder);
  if (!model)
    return;
  const double *gravity = wy_model_gravity(model), pull = hypot(hypot(gravity[0], gravity[1]), gravity[2]);
  run->down[2] = -1;
  for (int c = 0; c < 3 && pull > 0; c++)
    run->down[c] = gravity[c] / pull;
  gather_bodies(run, model);
  gather_joints(run, model);
  gather_springs(run, model);
  gather_obstacles(run, model);
}
