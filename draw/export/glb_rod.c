/* SPDX-License-Identifier: MIT */
/* A rod in a GLB file: a tube whose sections follow one joint each. The vertices stand where the first snapshot has
   them, so that a program that knows no joints shows that one. */
#include <assert.h>
#include <math.h>

#include "draw/export/glb.h"

/* The vertices of a tube in the making. Vertex k belongs to section `section[k]` and sits there at `local`, with a
   normal; both along d1, d2, d3. */
typedef struct tube {
  size_t vertices, triangles, room;
  uint32_t *section, *corner; /* [vertices], [3 * triangles] */
  double (*local)[3], (*normal)[3];
} tube;

static uint32_t add_vertex(tube *t, int section, const double local[3], const double normal[3]) {
  double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
  for (int c = 0; c < 3; c++) {
    t->local[t->vertices][c] = local[c];
    t->normal[t->vertices][c] = normal[c] / length;
  }
  t->section[t->vertices] = (uint32_t)section;
  return (uint32_t)t->vertices++;
}

static void add_triangle(tube *t, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t *corner = t->corner + 3 * t->triangles++;
  corner[0] = a;
  corner[1] = b;
  corner[2] = c;
}

/* How fast the half extent along d1 (0) or d2 (1) grows along the rod. */
static double slope_at(const wy_export_pose *pose, double scale, int i, int along) {
  int before = i > 0 ? i - 1 : i, after = i + 1 < pose->points ? i + 1 : i;
  const double *s = pose->rod->position->s;
  return (pose->half[2 * after + along] - pose->half[2 * before + along]) / (scale * (s[after] - s[before]));
}

/* Corner j of section i, with the normal that belongs to direction `out` of the section. */
static uint32_t add_corner(tube *t, const wy_export_pose *pose, const wy_export_outline *outline, double scale, int i,
                           int j, const double out[2]) {
  const double *half = pose->half + 2 * (size_t)i, *corner = outline->corner + 2 * j;
  const double local[3] = {half[0] * corner[0], half[1] * corner[1], 0};
  const double normal[3] = {out[0], out[1], -slope_at(pose, scale, i, fabs(out[1]) > fabs(out[0]))};
  return add_vertex(t, i, local, normal);
}

/* The strip between corners j and j + 1, with vertices of its own where the edges are sharp; else its right side is the
   left side of the next strip. */
static void add_sides(tube *t, const wy_export_pose *pose, const wy_export_outline *outline, double scale) {
  int corners = outline->corners, ring = outline->sharp ? 2 * corners : corners;
  for (int i = 0; i < pose->points; i++)
    for (int j = 0; j < corners; j++) {
      int next = (j + 1) % corners;
      const double *a = outline->corner + 2 * j, *b = outline->corner + 2 * next;
      const double middle[2] = {a[0] + b[0], a[1] + b[1]};
      add_corner(t, pose, outline, scale, i, j, outline->sharp ? middle : a);
      if (outline->sharp)
        add_corner(t, pose, outline, scale, i, next, middle);
    }
  for (int i = 0; i + 1 < pose->points; i++)
    for (int j = 0; j < corners; j++) {
      int left = outline->sharp ? 2 * j : j, right = outline->sharp ? 2 * j + 1 : (j + 1) % corners;
      uint32_t a = (uint32_t)(i * ring + left), b = (uint32_t)(i * ring + right);
      uint32_t c = b + (uint32_t)ring, d = a + (uint32_t)ring;
      add_triangle(t, a, b, c);
      add_triangle(t, a, c, d);
    }
}

/* The section at an end as a fan of triangles; `side` is 1 at the end of the rod, -1 at its start. */
static void add_cap(tube *t, const wy_export_pose *pose, const wy_export_outline *outline, int side) {
  const double normal[3] = {0, 0, side};
  int i = side > 0 ? pose->points - 1 : 0;
  const double *half = pose->half + 2 * (size_t)i;
  uint32_t first = (uint32_t)t->vertices;
  for (int j = 0; j < outline->corners; j++) {
    const double local[3] = {half[0] * outline->corner[2 * j], half[1] * outline->corner[2 * j + 1], 0};
    add_vertex(t, i, local, normal);
  }
  for (uint32_t j = 1; j + 1 < (uint32_t)outline->corners; j++)
    add_triangle(t, first, first + j + (side < 0), first + j + (side > 0));
}

static tube make_tube(wy_export_job *job, const wy_export_pose *pose) {
  wy_export_outline outline = wy_export_outline_of(job, pose->rod);
  size_t corners = (size_t)outline.corners, points = (size_t)pose->points;
  size_t vertices = (points * (outline.sharp ? 2 : 1) + 2) * corners;
  size_t triangles = 2 * (points - 1) * corners + 2 * (corners - 2);
  tube t = {.section = wy_memory_take(job->memory, vertices, sizeof *t.section),
            .corner = wy_memory_take(job->memory, 3 * triangles, sizeof *t.corner),
            .local = wy_memory_take(job->memory, vertices, sizeof *t.local),
            .normal = wy_memory_take(job->memory, vertices, sizeof *t.normal)};
  add_sides(&t, pose, &outline, job->def.scale);
  add_cap(&t, pose, &outline, -1);
  add_cap(&t, pose, &outline, 1);
  assert(t.vertices == vertices && t.triangles == triangles);
  return t;
}

/* ---- Attributes of the vertices ---- */

/* Positions or normals of the tube in the pose, y up. */
static int add_placed(wy_glb *glb, const tube *t, const wy_export_pose *pose, bool normals) {
  float *placed = wy_memory_take(glb->job->memory, 3 * t->vertices, sizeof *placed);
  for (size_t k = 0; k < t->vertices; k++) {
    double x[3];
    wy_turn_vector(pose->rotation + 4 * (size_t)t->section[k], normals ? t->normal[k] : t->local[k], x);
    for (int c = 0; c < 3 && !normals; c++)
      x[c] += pose->position[3 * (size_t)t->section[k] + (size_t)c];
    wy_export_upright(glb->job, x, x);
    for (int c = 0; c < 3; c++)
      placed[3 * k + (size_t)c] = (float)x[c];
  }
  return wy_glb_vectors(glb, placed, t->vertices, !normals);
}

/* Four joints with weights: the one of the section, and three that are not used. */
static int add_fours(wy_glb *glb, const tube *t, bool weights, wy_glb_type type) {
  uint32_t *fours = wy_memory_take(glb->job->memory, 4 * t->vertices, sizeof *fours);
  for (size_t k = 0; k < t->vertices; k++)
    fours[4 * k] = weights ? 255 : t->section[k];
  int view = wy_glb_integers(glb, fours, 4 * t->vertices, type, WY_GLB_VERTICES);
  return wy_glb_accessor(
      glb, (wy_glb_access){.view = view, .count = t->vertices, .type = type, .shape = "VEC4", .normalized = weights});
}

static int add_mesh(wy_glb *glb, const tube *t, const wy_export_pose *pose, int colour) {
  wy_glb_type joints = pose->points <= 256 ? WY_GLB_U8 : WY_GLB_U16;
  wy_glb_type indices = t->vertices < 65535 ? WY_GLB_U16 : WY_GLB_U32;
  int material = wy_glb_material(glb, pose->rod->name, colour);
  int position = add_placed(glb, t, pose, false), normal = add_placed(glb, t, pose, true);
  int joint = add_fours(glb, t, false, joints), weight = add_fours(glb, t, true, WY_GLB_U8);
  int view = wy_glb_integers(glb, t->corner, 3 * t->triangles, indices, WY_GLB_INDICES);
  int corner = wy_glb_accessor(
      glb, (wy_glb_access){.view = view, .count = 3 * t->triangles, .type = indices, .shape = "SCALAR"});
  wy_json *json = &glb->lists[WY_GLB_MESHES];
  int mesh = wy_glb_begin(glb, WY_GLB_MESHES);
  wy_json_string(json, "name", pose->rod->name);
  wy_json_list(json, "primitives");
  wy_json_object(json, NULL);
  wy_json_object(json, "attributes");
  wy_json_integer(json, "POSITION", position);
  wy_json_integer(json, "NORMAL", normal);
  wy_json_integer(json, "JOINTS_0", joint);
  wy_json_integer(json, "WEIGHTS_0", weight);
  wy_json_end_object(json);
  wy_json_integer(json, "indices", corner);
  wy_json_integer(json, "material", material);
  wy_json_end_object(json);
  wy_json_end_list(json);
  wy_json_end_object(json);
  return mesh;
}

/* ---- Joints ---- */

/* Translations and rotations of the joints, [points][snapshots][3] and [points][snapshots][4], scalar last. */
typedef struct tracks {
  float *translation, *rotation;
  size_t snapshots;
} tracks;

static wy_status read_tracks(wy_glb *glb, wy_export_pose *pose, tracks *out, wy_message *message) {
  const wy_export_job *job = glb->job;
  size_t points = (size_t)pose->points, snapshots = (size_t)job->snapshots;
  wy_status status = WY_OK;
  out->snapshots = snapshots;
  out->translation = wy_memory_take(job->memory, points, 3 * snapshots * sizeof(float));
  out->rotation = wy_memory_take(job->memory, points, 4 * snapshots * sizeof(float));
  for (size_t k = 0; k < snapshots && status == WY_OK; k++) {
    status = wy_export_read(job, pose, (int)k, message);
    for (size_t i = 0; i < points && status == WY_OK; i++) {
      const double *x = pose->position + 3 * i, *q = pose->rotation + 4 * i;
      for (size_t c = 0; c < 3; c++)
        out->translation[3 * (i * snapshots + k) + c] = (float)x[c];
      for (size_t c = 0; c < 4; c++)
        out->rotation[4 * (i * snapshots + k) + c] = (float)q[(c + 1) % 4];
    }
  }
  return status;
}

/* Matrices that take a vertex, y up, into the axes of its joint: first turned back, then as the joint in the first
   snapshot. By columns. */
static int add_matrices(wy_glb *glb, const wy_export_pose *pose) {
  size_t points = (size_t)pose->points;
  float *matrices = wy_memory_take(glb->job->memory, 16 * points, sizeof *matrices);
  for (size_t i = 0; i < points; i++) {
    const double *x = pose->position + 3 * i, *q = pose->rotation + 4 * i;
    float *m = matrices + 16 * i;
    for (int axis = 0; axis < 3; axis++) { /* of the joint: a row of the matrix */
      double d[3] = {axis == 0, axis == 1, axis == 2};
      wy_turn_vector(q, d, d);
      m[12 + axis] = (float)-(d[0] * x[0] + d[1] * x[1] + d[2] * x[2]);
      wy_export_upright(glb->job, d, d);
      for (int c = 0; c < 3; c++)
        m[4 * c + axis] = (float)d[c];
    }
    m[15] = 1;
  }
  int view = wy_glb_view(glb, matrices, 16 * points, WY_GLB_OTHER);
  return wy_glb_accessor(glb, (wy_glb_access){.view = view, .count = points, .type = WY_GLB_F32, .shape = "MAT4"});
}

/* A node for each point, in the pose of the first snapshot. Returns the first; the others follow it. */
static int add_joints(wy_glb *glb, const wy_export_pose *pose, const tracks *t) {
  wy_json *json = &glb->lists[WY_GLB_NODES];
  int first = glb->counts[WY_GLB_NODES];
  for (size_t i = 0; i < (size_t)pose->points; i++) {
    wy_glb_begin(glb, WY_GLB_NODES);
    wy_json_string(json, "name", wy_memory_print(glb->job->memory, "%s.%zu", pose->rod->name, i));
    wy_glb_floats(json, "translation", t->translation + 3 * i * t->snapshots, 3);
    wy_glb_floats(json, "rotation", t->rotation + 4 * i * t->snapshots, 4);
    wy_json_end_object(json);
  }
  return first;
}

static void list_joints(wy_json *json, const char *key, int first, int count) {
  wy_json_list(json, key);
  for (int i = 0; i < count; i++)
    wy_json_integer(json, NULL, first + i);
  wy_json_end_list(json);
}

/* A skin with its joints, which lie in a node of their own. */
static int add_skin(wy_glb *glb, const wy_export_pose *pose, int first) {
  wy_json *nodes = &glb->lists[WY_GLB_NODES], *skins = &glb->lists[WY_GLB_SKINS];
  const char *name = wy_memory_print(glb->job->memory, "%s.joints", pose->rod->name);
  int matrices = add_matrices(glb, pose), group = wy_glb_begin(glb, WY_GLB_NODES);
  wy_json_string(nodes, "name", name);
  list_joints(nodes, "children", first, pose->points);
  wy_json_end_object(nodes);
  wy_glb_number(glb, WY_GLB_CHILDREN, group);
  int skin = wy_glb_begin(glb, WY_GLB_SKINS);
  wy_json_string(skins, "name", pose->rod->name);
  wy_json_integer(skins, "inverseBindMatrices", matrices);
  wy_json_integer(skins, "skeleton", group);
  list_joints(skins, "joints", first, pose->points);
  wy_json_end_object(skins);
  return skin;
}

static void animate_joints(wy_glb *glb, const wy_export_pose *pose, const tracks *t, int first) {
  size_t points = (size_t)pose->points;
  int translations = wy_glb_view(glb, t->translation, 3 * points * t->snapshots, WY_GLB_OTHER);
  int rotations = wy_glb_view(glb, t->rotation, 4 * points * t->snapshots, WY_GLB_OTHER);
  for (size_t i = 0; i < points; i++) {
    wy_glb_access access = {.count = t->snapshots, .type = WY_GLB_F32};
    access.view = translations;
    access.shape = "VEC3";
    access.offset = 3 * i * t->snapshots * sizeof(float);
    wy_glb_animate(glb, first + (int)i, "translation", wy_glb_accessor(glb, access));
    access.view = rotations;
    access.shape = "VEC4";
    access.offset = 4 * i * t->snapshots * sizeof(float);
    wy_glb_animate(glb, first + (int)i, "rotation", wy_glb_accessor(glb, access));
  }
}

wy_status wy_glb_add_rod(wy_glb *glb, int rod, wy_message *message) {
  wy_export_pose *pose = &glb->job->poses[rod];
  wy_json *json = &glb->lists[WY_GLB_NODES];
  tracks t;
  if (pose->points > 65536)
    return wy_results_fail(message, WY_ERROR_INPUT, "%s/result.h5: rod '%s' has %d points; a GLB file can have 65536",
                           wy_folder_path(glb->job->run.folder), pose->rod->name, pose->points);
  wy_status status = read_tracks(glb, pose, &t, message);
  if (status == WY_OK)
    status = wy_export_read(glb->job, pose, 0, message);
  if (status != WY_OK)
    return status;
  tube surface = make_tube(glb->job, pose);
  int mesh = add_mesh(glb, &surface, pose, rod), first = add_joints(glb, pose, &t), skin = add_skin(glb, pose, first);
  int node = wy_glb_begin(glb, WY_GLB_NODES);
  wy_json_string(json, "name", pose->rod->name);
  wy_json_integer(json, "mesh", mesh);
  wy_json_integer(json, "skin", skin);
  wy_json_end_object(json);
  wy_glb_number(glb, WY_GLB_ROOTS, node); /* what moves it are its joints, not a parent */
  if (glb->time >= 0)
    animate_joints(glb, pose, &t, first);
  return WY_OK;
}
