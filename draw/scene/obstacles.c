/* SPDX-License-Identifier: MIT */
/* Obstacles of the 3D page: their shapes from the model, their motion and forces from result.h5. */
#include <math.h>

#include "draw/scene/run.h"
#include "run/results/file.h"

/* A field that obstacles have in every file. */
static wy_status find_field(wy_scene_run *run, const char *name, const char *set, int components,
                            const wy_stored_field **out, wy_message *message) {
  const char *path = wy_memory_print(run->memory, "/obstacles/%s/%s", name, set);
  wy_status status = wy_folder_field(run->folder, path, components, out, message);
  if (status == WY_OK && (!*out || (*out)->points != 1 || (*out)->lines != 1))
    status = wy_folder_damaged(run->folder, path, message);
  return status;
}

/* Of a grid of distances; a fine one is drawn more coarsely than rods feel it. */
static void find_surface(wy_scene_run *run, wy_scene_obstacle *obstacle) {
  const int *points = obstacle->def->grid.points;
  obstacle->surface = wy_surface_of(run->memory, &obstacle->def->grid);
  if (points[0] > WY_SURFACE_CELLS + 1 || points[1] > WY_SURFACE_CELLS + 1 || points[2] > WY_SURFACE_CELLS + 1)
    wy_scene_note(run, "The surface of %s is drawn with %d cells along an axis; rods feel all of its grid.",
                  obstacle->def->name, WY_SURFACE_CELLS);
}

wy_status wy_scene_find_obstacles(wy_scene_run *run, wy_message *message) {
  const int count = run->model ? wy_model_obstacle_count(run->model) : 0;
  wy_status status = WY_OK;
  run->obstacles = wy_memory_take(run->memory, (size_t)count, sizeof *run->obstacles);
  for (int i = 0; i < count && status == WY_OK; i++) {
    const wy_obstacle_def *def = wy_model_obstacle(run->model, i);
    wy_scene_obstacle *obstacle = &run->obstacles[run->obstacle_count++];
    obstacle->def = def;
    if (def->shape == WY_OBSTACLE_DISTANCE)
      find_surface(run, obstacle);
    status = find_field(run, def->name, "position", 3, &obstacle->position, message);
    if (status == WY_OK)
      status = find_field(run, def->name, "frame", 4, &obstacle->frame, message);
    if (status == WY_OK)
      status = find_field(run, def->name, "force", 3, &obstacle->force, message);
  }
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

/* The farthest that it is from its position; INFINITY where it is endless. */
static double reach_of(const wy_scene_obstacle *obstacle) {
  const wy_obstacle_def *def = obstacle->def;
  switch (def->shape) {
  case WY_OBSTACLE_PLANE:
    return INFINITY;
  case WY_OBSTACLE_SPHERE:
    return def->radius;
  case WY_OBSTACLE_BOX:
    return 0.5 * hypot(hypot(def->dimensions[0], def->dimensions[1]), def->dimensions[2]);
  case WY_OBSTACLE_TORUS:
    return def->radius + def->thickness;
  case WY_OBSTACLE_DISTANCE:
    return obstacle->surface.reach;
  case WY_OBSTACLE_CAPSULE:
    return 0.5 * def->length + def->radius;
  default:
    return hypot(0.5 * def->length, def->radius);
  }
}

/* What is no larger than the rods and their ways, and near them, belongs into the picture as a whole. */
static bool belongs(const wy_scene_array *positions, double reach, double rods[2][3]) {
  double size = 0;
  bool near = true;
  for (int c = 0; c < 3; c++)
    size = fmax(size, rods[1][c] - rods[0][c]);
  for (int c = 0; c < 3; c++)
    near = near && positions->low[c] + reach > rods[0][c] - size && positions->high[c] - reach < rods[1][c] + size;
  return near && reach <= size;
}

static void add_surface(wy_scene_run *run, wy_scene_obstacle *obstacle) {
  const wy_surface *surface = &obstacle->surface;
  if (!surface->triangles)
    return;
  double *corners = wy_memory_take(run->memory, 3 * (size_t)surface->triangles, sizeof *corners);
  for (int i = 0; i < surface->triangles; i++)
    for (int k = 0; k < 3; k++)
      corners[3 * i + k] = surface->triangle[i][k];
  obstacle->vertices = wy_scene_add_fixed(run, WY_SCENE_F32, surface->vertex[0], surface->vertices, 3);
  obstacle->triangles = wy_scene_add_fixed(run, WY_SCENE_F32, corners, surface->triangles, 3);
}

wy_status wy_scene_build_obstacles(wy_scene_run *run, wy_message *message) {
  wy_status status = WY_OK;
  double rods[2][3];
  for (int c = 0; c < 6; c++)
    rods[c / 3][c % 3] = run->bounds[c / 3][c % 3];
  for (int i = 0; i < run->obstacle_count && status == WY_OK; i++) {
    wy_scene_obstacle *obstacle = &run->obstacles[i];
    const double reach = reach_of(obstacle);
    obstacle->positions = add_motion(run, obstacle->position);
    obstacle->frames = add_motion(run, obstacle->frame);
    obstacle->forces = add_motion(run, obstacle->force);
    add_surface(run, obstacle);
    status = wy_scene_range(run, obstacle->positions, message);
    if (status == WY_OK && belongs(obstacle->positions, reach, rods))
      wy_scene_extend(run, obstacle->positions->low, obstacle->positions->high, reach);
  }
  return status;
}

/* ---- The header ---- */

static void put_obstacle(wy_json *json, const wy_scene_obstacle *obstacle) {
  static const char *const shapes[] = {
      [WY_OBSTACLE_PLANE] = "plane",     [WY_OBSTACLE_SPHERE] = "sphere",    [WY_OBSTACLE_CYLINDER] = "cylinder",
      [WY_OBSTACLE_CAPSULE] = "capsule", [WY_OBSTACLE_BOX] = "box",          [WY_OBSTACLE_TORUS] = "torus",
      [WY_OBSTACLE_TUBE] = "tube",       [WY_OBSTACLE_DISTANCE] = "distance"};
  const wy_obstacle_def *def = obstacle->def;
  const wy_obstacle_shape shape = def->shape;
  const bool long_one = shape == WY_OBSTACLE_CYLINDER || shape == WY_OBSTACLE_CAPSULE || shape == WY_OBSTACLE_TUBE;
  wy_json_object(json, NULL);
  wy_json_string(json, "name", def->name);
  wy_json_string(json, "shape", shapes[shape]);
  if (shape == WY_OBSTACLE_BOX)
    wy_scene_put_numbers(json, "size", def->dimensions, 3);
  else if (shape != WY_OBSTACLE_PLANE && shape != WY_OBSTACLE_DISTANCE)
    wy_json_number(json, "radius", def->radius);
  if (long_one && isfinite(def->length))
    wy_json_number(json, "length", def->length);
  if (shape == WY_OBSTACLE_TORUS)
    wy_json_number(json, "thickness", def->thickness);
  wy_scene_put_array(json, "vertices", obstacle->vertices);
  wy_scene_put_array(json, "triangles", obstacle->triangles);
  wy_scene_put_array(json, "position", obstacle->positions);
  wy_scene_put_array(json, "frame", obstacle->frames);
  wy_scene_put_array(json, "force", obstacle->forces);
  wy_json_end_object(json);
}

void wy_scene_put_obstacles(wy_json *json, const wy_scene_run *run) {
  if (run->obstacle_count == 0)
    return;
  wy_json_list(json, "obstacles");
  for (int i = 0; i < run->obstacle_count; i++)
    put_obstacle(json, &run->obstacles[i]);
  wy_json_end_list(json);
}
