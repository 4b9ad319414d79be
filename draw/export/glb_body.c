/* SPDX-License-Identifier: MIT */
/* Bodies in a GLB file: a mesh each, in a node that moves. Without normals viewers shade its faces flat. */
#include "draw/export/glb.h"

/* Triangles in the making: a face is cut into a fan. */
typedef struct triangles {
  uint32_t *numbers;
  size_t count;
} triangles;

static void add_face(void *context, const int *corners, int count) {
  triangles *to = context;
  for (int i = 1; i + 1 < count; i++) {
    const int fan[3] = {corners[0], corners[i], corners[i + 1]};
    for (int c = 0; c < 3; c++)
      to->numbers[to->count++] = (uint32_t)fan[c];
  }
}

static int add_mesh(wy_glb *glb, const wy_scene_body *body, int colour) {
  wy_export_surface surface = wy_export_solid(glb->job, body);
  size_t count = (size_t)surface.rings * (size_t)surface.outline.corners;
  float *points = wy_memory_take(glb->job->memory, 3 * count, sizeof *points);
  triangles faces = {.numbers = wy_memory_take(glb->job->memory, 6 * count + 6 * (size_t)surface.outline.corners,
                                               sizeof *faces.numbers)};
  wy_json *json = &glb->lists[WY_GLB_MESHES];
  for (size_t i = 0; i < 3 * count; i++)
    points[i] = (float)surface.corners[i];
  wy_export_faces(surface.rings, &surface.outline, add_face, &faces);
  wy_glb_type type = count < 65535 ? WY_GLB_U16 : WY_GLB_U32;
  int material = wy_glb_material(glb, body->name, colour), positions = wy_glb_vectors(glb, points, count, true);
  int view = wy_glb_integers(glb, faces.numbers, faces.count, type, WY_GLB_INDICES);
  int indices =
      wy_glb_accessor(glb, (wy_glb_access){.view = view, .count = faces.count, .type = type, .shape = "SCALAR"});
  int mesh = wy_glb_begin(glb, WY_GLB_MESHES);
  wy_json_string(json, "name", body->name);
  wy_json_list(json, "primitives");
  wy_json_object(json, NULL);
  wy_json_object(json, "attributes");
  wy_json_integer(json, "POSITION", positions);
  wy_json_end_object(json);
  wy_json_integer(json, "indices", indices);
  wy_json_integer(json, "material", material);
  wy_json_end_object(json);
  wy_json_end_list(json);
  wy_json_end_object(json);
  return mesh;
}

wy_status wy_glb_add_body(wy_glb *glb, const wy_scene_body *body, int colour, wy_message *message) {
  size_t snapshots = (size_t)glb->job->snapshots;
  float *translation = wy_memory_take(glb->job->memory, 3 * snapshots, sizeof *translation);
  float *rotation = wy_memory_take(glb->job->memory, 4 * snapshots, sizeof *rotation);
  double x[3], q[4] = {1, 0, 0, 0};
  wy_status status = WY_OK;
  for (size_t k = 0; k < snapshots && status == WY_OK; k++) {
    status = wy_export_read_body(glb->job, body, (int)k, x, q, message);
    for (size_t c = 0; c < 3 && status == WY_OK; c++)
      translation[3 * k + c] = (float)x[c];
    for (size_t c = 0; c < 4 && status == WY_OK; c++)
      rotation[4 * k + c] = (float)q[(c + 1) % 4];
  }
  if (status != WY_OK)
    return status;
  wy_json *json = &glb->lists[WY_GLB_NODES];
  int mesh = add_mesh(glb, body, colour), node = wy_glb_begin(glb, WY_GLB_NODES);
  wy_json_string(json, "name", body->name);
  wy_json_integer(json, "mesh", mesh);
  wy_glb_floats(json, "translation", translation, 3);
  wy_glb_floats(json, "rotation", rotation, 4);
  wy_json_end_object(json);
  wy_glb_number(glb, WY_GLB_CHILDREN, node);
  if (glb->time < 0)
    return WY_OK;
  wy_glb_access access = {.count = snapshots, .type = WY_GLB_F32, .shape = "VEC3"};
  access.view = wy_glb_view(glb, translation, 3 * snapshots, WY_GLB_OTHER);
  wy_glb_animate(glb, node, "translation", wy_glb_accessor(glb, access));
  access.view = wy_glb_view(glb, rotation, 4 * snapshots, WY_GLB_OTHER);
  access.shape = "VEC4";
  wy_glb_animate(glb, node, "rotation", wy_glb_accessor(glb, access));
  return WY_OK;
}
