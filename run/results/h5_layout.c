/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/results/h5_making.h"
#include "run/results/results.h"

static void add_field_datasets(wy_h5_making *m, wy_h5_field *field, long capacity) {
  const uint64_t of_snapshot[3] = {(uint64_t)field->lines, (uint64_t)field->count, (uint64_t)field->components};
  uint64_t size[4] = {(uint64_t)capacity};
  for (int i = 0; i < field->rank; ++i)
    size[1 + i] = of_snapshot[3 - field->rank + i];
  if (field->rank == 1 && field->components == 1) /* a number at each point */
    size[1] = (uint64_t)field->count;
  wy_h5_type type = field->single ? WY_H5_FLOAT : WY_H5_DOUBLE;
  field->offset = wy_h5_dataset(m, field->path, 1 + field->rank, size, type, NULL);
  if (field->s_name) {
    wy_text path = {0};
    wy_text_append(&path, field->path, strlen(field->path) - strlen(field->name));
    wy_text_add(&path, "%s", field->s_name);
    m->error = path.failed ? ENOMEM : m->error;
    const uint64_t points = (uint64_t)field->count;
    wy_h5_dataset(m, path.data, 1, &points, WY_H5_DOUBLE, field->s);
    wy_text_free(&path);
  }
}

/* What helps to draw and to understand a rod, or the rods of a set: radius at the positions, their order as lines,
   attributes. */
static void add_rod(wy_h5_making *m, const wy_h5_def *def, const wy_h5_field *position) {
  const wy_rod_def *rod = wy_model_rod(def->model, position->rod);
  const bool shared = position->lines > 1;
  const int points = position->lines * position->count;
  uint64_t size[2] = {(uint64_t)position->lines, (uint64_t)position->count};
  wy_pool pool = {0};
  const char *folder = wy_pool_copy(&pool, position->path, strlen(position->path) - sizeof "position"); /* its home */
  char integrators[256];
  double *radius = wy_pool_take(&pool, (size_t)points * sizeof *radius);
  int *line = wy_pool_take(&pool, (size_t)points * sizeof *line);
  double largest = 0;
  for (int i = 0; wy_h5_complete(m, &pool) && i < points; ++i) {
    radius[i] =
        wy_model_section(def->model, position->rod + i / position->count, position->s[i % position->count]).radius;
    if (radius[i] > largest)
      largest = radius[i];
    line[i] = i;
  }
  if (wy_h5_complete(m, &pool)) {
    wy_h5_dataset(m, wy_h5_join(&pool, folder, "radius", ""), shared ? 2 : 1, shared ? size : &size[1], WY_H5_DOUBLE,
                  radius);
    wy_h5_dataset(m, wy_h5_join(&pool, folder, "line", ""), 2, size, WY_H5_INT, line);
  }
  wy_h5_object *group = wy_h5_group(m, folder);
  if (group) {
    wy_rod_set_methods(&(wy_rod_set){"", position->rod, position->lines}, def->scenario, def->sim, integrators,
                       sizeof integrators);
    wy_h5_text(m, group, "model", wy_rod_kind_name(rod->kind));
    wy_h5_text(m, group, "scheme", wy_sim_describe(def->sim, position->rod).scheme);
    wy_h5_text(m, group, "integrator", integrators);
    wy_h5_attribute(m, group, "length", WY_H5_DOUBLE, &rod->length);
    wy_h5_attribute(m, group, "radius", WY_H5_DOUBLE, &largest);
    wy_h5_attribute(m, group, "segments", WY_H5_INT, &rod->segments);
    if (shared)
      wy_h5_attribute(m, group, "count", WY_H5_INT, &position->lines);
  }
  wy_h5_complete(m, &pool);
  wy_pool_release(&pool);
}

/* What helps to draw an actuator: its kind, and its offset at the positions. The force comes snapshot by snapshot. */
static void add_actuator(wy_h5_making *m, const wy_h5_def *def, int index) {
  static const char *const kinds[] = {[WY_PNEUMATIC] = "pneumatic", [WY_TENDON] = "tendon"};
  const wy_actuator_def *actuator = wy_model_actuator(def->model, index);
  wy_points points = wy_sim_view(def->sim, actuator->rod)->position;
  uint64_t size[2] = {(uint64_t)points.count, 2};
  wy_pool pool = {0};
  const char *folder = wy_h5_actuator_folder(&pool, def->model, index);
  double *offset = wy_pool_take(&pool, 2 * (size_t)points.count * sizeof *offset);
  for (int i = 0; wy_h5_complete(m, &pool) && i < 2 * points.count; ++i)
    offset[i] = wy_results_signal(&actuator->offset[i % 2], points.s[i / 2], 0);
  wy_h5_dataset(m, wy_h5_join(&pool, folder, "offset", ""), 2, size, WY_H5_DOUBLE, offset);
  wy_h5_object *group = wy_h5_group(m, folder);
  if (group) {
    wy_h5_text(m, group, "kind", kinds[actuator->kind]);
    if (actuator->name)
      wy_h5_text(m, group, "name", actuator->name);
  }
  wy_h5_complete(m, &pool);
  wy_pool_release(&pool);
}

/* The lines for ParaView, which rods they follow, and how thick to draw them. */
static void add_strands(wy_h5_making *m, const wy_h5_def *def, int index) {
  const wy_strands_def *strands = wy_def_at(def->scenario->strands, index);
  uint64_t guides = (uint64_t)strands->guide_count;
  uint64_t size[2] = {(uint64_t)wy_strands_count(def->strands[index]),
                      (uint64_t)wy_strands_points(def->strands[index])};
  wy_pool pool = {0};
  const char *folder = wy_h5_join(&pool, "/strands", strands->name, "");
  int *line = wy_pool_take(&pool, (size_t)(size[0] * size[1]) * sizeof *line);
  const char **names = wy_pool_take(&pool, (size_t)guides * sizeof *names);
  double radius = 0;
  for (size_t i = 0; wy_h5_complete(m, &pool) && i < size[0] * size[1]; ++i)
    line[i] = (int)i;
  for (int i = 0; !m->error && i < strands->guide_count; ++i) {
    names[i] = wy_model_rod(def->model, strands->guides[i])->name;
    double of_guide = wy_model_section(def->model, strands->guides[i], 0).radius;
    radius = of_guide > radius ? of_guide : radius;
  }
  wy_h5_dataset(m, wy_h5_join(&pool, folder, "line", ""), 2, size, WY_H5_INT, line);
  wy_h5_object *group = wy_h5_group(m, folder);
  if (group) {
    wy_h5_attributes(m, group, "guides", WY_H5_TEXT, guides, names);
    wy_h5_attribute(m, group, "radius", WY_H5_DOUBLE, &radius);
  }
  wy_h5_complete(m, &pool);
  wy_pool_release(&pool);
}

/* ---- Networks ---- */

/* The radius of the thickest rod at a joint; 0 where there is none. */
static double radius_at(const wy_model *model, const wy_joint_def *joint) {
  double radius = 0;
  for (int i = 0; i < joint->port_count; ++i)
    if (joint->ports[i].kind == WY_PORT_ROD)
      radius = fmax(radius, wy_model_section(model, joint->ports[i].index, joint->ports[i].s).radius);
  return radius;
}

static void describe_body(wy_h5_making *m, wy_h5_object *group, const wy_body_def *body) {
  static const char *const shapes[] = {
      [WY_BODY_SHAPELESS] = "", [WY_BODY_BOX] = "box", [WY_BODY_SPHERE] = "sphere", [WY_BODY_CYLINDER] = "cylinder"};
  wy_h5_text(m, group, "shape", shapes[body->shape]);
  wy_h5_attributes(m, group, "dimensions", WY_H5_DOUBLE, 3, body->dimensions);
  wy_h5_attribute(m, group, "mass", WY_H5_DOUBLE, &body->mass);
  wy_h5_attributes(m, group, "inertia", WY_H5_DOUBLE, 6, body->inertia);
}

static void describe_joint(wy_h5_making *m, wy_h5_object *group, const wy_model *model, const wy_joint_def *joint) {
  static const char *const kinds[] = {[WY_WELD] = "weld", [WY_BALL] = "ball", [WY_HINGE] = "hinge"};
  const double radius = radius_at(model, joint);
  wy_h5_text(m, group, "kind", kinds[joint->kind]);
  wy_h5_attribute(m, group, "radius", WY_H5_DOUBLE, &radius);
  if (isfinite(joint->release))
    wy_h5_attribute(m, group, "release", WY_H5_DOUBLE, &joint->release);
}

static void describe_spring(wy_h5_making *m, wy_h5_object *group, const wy_spring_def *spring) {
  wy_h5_text(m, group, "kind", spring->kind == WY_CABLE ? "cable" : "spring");
  wy_h5_attribute(m, group, "stiffness", WY_H5_DOUBLE, &spring->stiffness);
  wy_h5_attribute(m, group, "damping", WY_H5_DOUBLE, &spring->damping);
  wy_h5_attribute(m, group, "rest_length", WY_H5_DOUBLE, &spring->length);
}

/* Its sizes, as far as its shape has them and they are finite. */
static void describe_obstacle(wy_h5_making *m, wy_h5_object *group, const wy_obstacle_def *obstacle) {
  static const char *const shapes[] = {
      [WY_OBSTACLE_PLANE] = "plane",     [WY_OBSTACLE_SPHERE] = "sphere",    [WY_OBSTACLE_CYLINDER] = "cylinder",
      [WY_OBSTACLE_CAPSULE] = "capsule", [WY_OBSTACLE_BOX] = "box",          [WY_OBSTACLE_TORUS] = "torus",
      [WY_OBSTACLE_TUBE] = "tube",       [WY_OBSTACLE_DISTANCE] = "distance"};
  const wy_obstacle_shape shape = obstacle->shape;
  const bool long_one = shape == WY_OBSTACLE_CYLINDER || shape == WY_OBSTACLE_CAPSULE || shape == WY_OBSTACLE_TUBE;
  wy_h5_text(m, group, "shape", shapes[shape]);
  if (shape == WY_OBSTACLE_BOX)
    wy_h5_attributes(m, group, "size", WY_H5_DOUBLE, 3, obstacle->dimensions);
  else if (shape != WY_OBSTACLE_PLANE && shape != WY_OBSTACLE_DISTANCE)
    wy_h5_attribute(m, group, "radius", WY_H5_DOUBLE, &obstacle->radius);
  if (long_one && isfinite(obstacle->length))
    wy_h5_attribute(m, group, "length", WY_H5_DOUBLE, &obstacle->length);
  if (shape == WY_OBSTACLE_TORUS)
    wy_h5_attribute(m, group, "thickness", WY_H5_DOUBLE, &obstacle->thickness);
}

/* What helps to draw and to understand a body, joint, spring or obstacle, whose first dataset this is. */
static void describe_part(wy_h5_making *m, const wy_model *model, const wy_h5_field *field) {
  wy_pool pool = {0};
  const char *folder = wy_h5_part_folder(&pool, model, field->part, field->index);
  wy_h5_object *group = wy_h5_complete(m, &pool) ? wy_h5_group(m, folder) : NULL;
  if (group) {
    if (field->part == WY_H5_BODY)
      describe_body(m, group, wy_model_body(model, field->index));
    else if (field->part == WY_H5_JOINT)
      describe_joint(m, group, model, wy_model_joint(model, field->index));
    else if (field->part == WY_H5_SPRING)
      describe_spring(m, group, wy_model_spring(model, field->index));
    else
      describe_obstacle(m, group, wy_model_obstacle(model, field->index));
  }
  wy_pool_release(&pool);
}

static void add_root_attributes(wy_h5_making *m, const wy_h5_def *def, bool shared) {
  int format = wy_results_format(shared || def->scenario->batch_count > 0);
  wy_h5_attribute(m, m->root, "format", WY_H5_INT, &format);
  wy_h5_text(m, m->root, "version", wy_version());
  wy_h5_text(m, m->root, "name", def->scenario->name);
  wy_h5_text(m, m->root, "title", def->scenario->title);
  wy_h5_text(m, m->root, "scenario", def->scenario->text);
  wy_h5_text(m, m->root, "settings", def->settings);
  if (def->files[0])
    wy_h5_text(m, m->root, "files", def->files);
  wy_h5_text(m, m->root, "analysis", wy_analysis_name(def->scenario->analysis));
}

/* ---- Modes ---- */

/* Whose shapes are added: a rod or body of a group. */
typedef struct shaped {
  const wy_mode_table *modes;
  const wy_mode_set *set;
  int group;
  int count; /* of its modes in the table */
} shaped;

/* Of `values` numbers per mode, those of the modes that are in the table, one after the other. */
static double *pick(wy_pool *pool, const shaped *of, const double *from, size_t values) {
  double *picked = wy_pool_take(pool, ((size_t)of->count * values + 1) * sizeof *picked), *to = picked;
  for (int i = 0; picked && i < of->modes->count; ++i)
    if (of->modes->rows[i].group == of->group) {
      memcpy(to, from + (size_t)of->modes->rows[i].index * values, values * sizeof *to);
      to += values;
    }
  return picked;
}

/* A dataset [k][count][components] of the shapes of a rod or body. */
static void add_shapes(wy_h5_making *m, wy_pool *pool, const shaped *of, const char *path, const double *from,
                       int count, int components) {
  uint64_t size[3] = {(uint64_t)of->count, (uint64_t)count, (uint64_t)components};
  const double *picked = pick(pool, of, from, (size_t)count * (size_t)components);
  if (wy_h5_complete(m, pool))
    wy_h5_dataset(m, path, 3, size, WY_H5_DOUBLE, picked);
}

static void add_part_modes(wy_h5_making *m, const wy_mode_table *modes, const wy_mode_set *set, const char *name,
                           int group) {
  if (!set) /* it does not buckle */
    return;
  wy_pool pool = {0};
  shaped of = {modes, set, group, 0};
  const char *folder = wy_h5_join(&pool, "/modes", name, "");
  int *numbers = wy_pool_take(&pool, ((size_t)modes->count + 1) * sizeof *numbers);
  for (int i = 0; wy_h5_complete(m, &pool) && i < modes->count; ++i)
    if (modes->rows[i].group == group)
      numbers[of.count++] = i + 1;
  uint64_t size = (uint64_t)of.count, points = (uint64_t)set->points, frames = (uint64_t)set->frames;
  wy_h5_dataset(m, wy_h5_join(&pool, folder, "mode", ""), 1, &size, WY_H5_INT, numbers);
  wy_h5_dataset(m, wy_h5_join(&pool, folder, "s", ""), 1, &points, WY_H5_DOUBLE, set->s);
  wy_h5_dataset(m, wy_h5_join(&pool, folder, "frame_s", ""), 1, &frames, WY_H5_DOUBLE, set->frame_s);
  add_shapes(m, &pool, &of, wy_h5_join(&pool, folder, "displacement", ""), set->displacement, set->points, 3);
  add_shapes(m, &pool, &of, wy_h5_join(&pool, folder, "rotation", ""), set->rotation, set->frames, 3);
  if (modes->buckling) { /* the states that become unstable; vibrations are about the snapshot in /rods and /bodies */
    add_shapes(m, &pool, &of, wy_h5_join(&pool, folder, "position", ""), set->position, set->points, 3);
    add_shapes(m, &pool, &of, wy_h5_join(&pool, folder, "frame", ""), set->frame, set->frames, 4);
  }
  wy_h5_complete(m, &pool);
  wy_pool_release(&pool);
}

static void add_modes(wy_h5_making *m, const wy_h5_def *def, const wy_mode_table *modes) {
  wy_pool pool = {0};
  uint64_t size = (uint64_t)modes->count;
  double *values = wy_pool_take(&pool, ((size_t)size + 1) * sizeof *values);
  double *damping = wy_pool_take(&pool, ((size_t)size + 1) * sizeof *damping);
  for (int i = 0; wy_h5_complete(m, &pool) && i < modes->count; ++i) {
    values[i] = modes->rows[i].value;
    damping[i] = modes->rows[i].damping_ratio;
  }
  wy_h5_dataset(m, modes->buckling ? "/modes/factor" : "/modes/omega", 1, &size, WY_H5_DOUBLE, values);
  if (!modes->buckling)
    wy_h5_dataset(m, "/modes/damping_ratio", 1, &size, WY_H5_DOUBLE, damping);
  for (int i = 0; i < modes->rod_count; ++i)
    add_part_modes(m, modes, modes->rods[i], wy_model_rod(def->model, i)->name,
                   wy_sim_group_of(def->sim, WY_PORT_ROD, i));
  for (int i = 0; i < modes->body_count; ++i)
    add_part_modes(m, modes, modes->bodies[i], wy_model_body(def->model, i)->name,
                   wy_sim_group_of(def->sim, WY_PORT_BODY, i));
  wy_pool_release(&pool);
}

/* ---- The file ---- */

int wy_h5_lay_out(const char *path, const wy_h5_def *def, long capacity, const wy_mode_table *modes,
                  wy_h5_layout *layout) {
  wy_h5_making m = {0};
  wy_h5_open(&m, path);
  int64_t snapshots = 0;
  if (!m.error)
    add_root_attributes(&m, def, layout->shared);
  layout->counter = wy_h5_dataset(&m, "/frames", 0, NULL, WY_H5_INT64, &snapshots);
  for (int i = 0; i < layout->field_count; ++i) {
    wy_h5_field *field = &layout->fields[i];
    add_field_datasets(&m, field, capacity);
    if (field->quantity == wy_quantity_describe(WY_POSITION) && !field->batch)
      add_rod(&m, def, field);
    if (field->part && (field[-1].part != field->part || field[-1].index != field->index))
      describe_part(&m, def->model, field);
  }
  for (int i = 0; i < wy_model_actuator_count(def->model); ++i)
    add_actuator(&m, def, i);
  for (int i = 0; i < def->strands_count; ++i)
    add_strands(&m, def, i);
  for (int i = 0; i < wy_batches_count(def->batches); ++i)
    wy_h5_add_batch(&m, def, i);
  if (modes)
    add_modes(&m, def, modes);
  wy_h5_close_making(&m);
  layout->capacity = capacity;
  return m.error;
}
