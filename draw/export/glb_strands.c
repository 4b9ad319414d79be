/* SPDX-License-Identifier: MIT */
/* Strands in a GLB file: lines where the first snapshot has them, and a morph target with the displacements to each
   other snapshot. One weight at a time is 1, so that strands move on straight lines between snapshots. */
#include "draw/export/glb.h"

/* Pairs of neighbouring points. */
static int add_lines(wy_glb *glb, const wy_stored_field *field) {
  size_t lines = (size_t)field->lines, points = (size_t)field->points, count = 2 * lines * (points - 1), at = 0;
  uint32_t *pairs = wy_memory_take(glb->job->memory, count, sizeof *pairs);
  for (size_t line = 0; line < lines; line++)
    for (size_t i = 0; i + 1 < points; i++) {
      pairs[at++] = (uint32_t)(line * points + i);
      pairs[at++] = (uint32_t)(line * points + i + 1);
    }
  wy_glb_type type = lines * points < 65535 ? WY_GLB_U16 : WY_GLB_U32;
  int view = wy_glb_integers(glb, pairs, count, type, WY_GLB_INDICES);
  return wy_glb_accessor(glb, (wy_glb_access){.view = view, .count = count, .type = type, .shape = "SCALAR"});
}

/* Accessors of the points and of their displacements in all snapshots: [snapshots], the points first. */
static wy_status add_targets(wy_glb *glb, const wy_scene_strands *strands, int *accessors, wy_message *message) {
  wy_export_job *job = glb->job;
  size_t count = (size_t)strands->position->lines * (size_t)strands->position->points;
  float *first = wy_memory_take(job->memory, 3 * count, sizeof *first);
  float *moved = wy_memory_take(job->memory, 3 * count, sizeof *moved);
  wy_status status = WY_OK;
  for (int k = 0; k < job->snapshots && status == WY_OK; k++) {
    status = wy_export_read_strands(job, strands, k, message);
    for (size_t i = 0; i < 3 * count; i++)
      *(k == 0 ? &first[i] : &moved[i]) = (float)(job->strands[i] - (k == 0 ? 0 : (double)first[i]));
    if (status == WY_OK)
      accessors[k] = wy_glb_vectors(glb, k == 0 ? first : moved, count, true);
  }
  return status;
}

static int add_mesh(wy_glb *glb, const wy_scene_strands *strands, const int *accessors, int colour) {
  wy_json *json = &glb->lists[WY_GLB_MESHES];
  int material = wy_glb_material(glb, strands->name, colour), lines = add_lines(glb, strands->position);
  int mesh = wy_glb_begin(glb, WY_GLB_MESHES);
  wy_json_string(json, "name", strands->name);
  wy_json_list(json, "primitives");
  wy_json_object(json, NULL);
  wy_json_object(json, "attributes");
  wy_json_integer(json, "POSITION", accessors[0]);
  wy_json_end_object(json);
  wy_json_integer(json, "indices", lines);
  wy_json_integer(json, "mode", 1); /* lines */
  wy_json_integer(json, "material", material);
  if (glb->job->snapshots > 1)
    wy_json_list(json, "targets");
  for (int k = 1; k < glb->job->snapshots; k++) {
    wy_json_object(json, NULL);
    wy_json_integer(json, "POSITION", accessors[k]);
    wy_json_end_object(json);
  }
  if (glb->job->snapshots > 1)
    wy_json_end_list(json);
  wy_json_end_object(json);
  wy_json_end_list(json);
  wy_json_end_object(json);
  return mesh;
}

/* Weights of all targets at all times: in the first snapshot all are 0. */
static int add_weights(wy_glb *glb) {
  size_t snapshots = (size_t)glb->job->snapshots, targets = snapshots - 1;
  float *weights = wy_memory_take(glb->job->memory, snapshots, targets * sizeof *weights);
  for (size_t k = 1; k < snapshots; k++)
    weights[k * targets + k - 1] = 1;
  int view = wy_glb_view(glb, weights, snapshots * targets, WY_GLB_OTHER);
  return wy_glb_accessor(
      glb, (wy_glb_access){.view = view, .count = snapshots * targets, .type = WY_GLB_F32, .shape = "SCALAR"});
}

wy_status wy_glb_add_strands(wy_glb *glb, const wy_scene_strands *strands, int colour, wy_message *message) {
  wy_json *json = &glb->lists[WY_GLB_NODES];
  int *accessors = wy_memory_take(glb->job->memory, (size_t)glb->job->snapshots, sizeof *accessors);
  wy_status status = add_targets(glb, strands, accessors, message);
  if (status != WY_OK)
    return status;
  int mesh = add_mesh(glb, strands, accessors, colour), node = wy_glb_begin(glb, WY_GLB_NODES);
  wy_json_string(json, "name", strands->name);
  wy_json_integer(json, "mesh", mesh);
  wy_json_end_object(json);
  wy_glb_number(glb, WY_GLB_CHILDREN, node);
  if (glb->time >= 0)
    wy_glb_animate(glb, node, "weights", add_weights(glb));
  return WY_OK;
}
