/* SPDX-License-Identifier: MIT */
/* A GLB file in the making: lists of the JSON document, which grow side by side, and the binary chunk. Inner header of
   draw/export/: glb.c collects and writes, glb_rod.c, glb_body.c and glb_strands.c fill in. The words are those of
   glTF 2.0. */
#ifndef WY_DRAW_EXPORT_GLB_H
#define WY_DRAW_EXPORT_GLB_H

#include "draw/export/export.h"
#include "run/results/json.h"

typedef enum wy_glb_list {
  WY_GLB_ACCESSORS,
  WY_GLB_VIEWS,
  WY_GLB_NODES,
  WY_GLB_MESHES,
  WY_GLB_SKINS,
  WY_GLB_MATERIALS,
  WY_GLB_SAMPLERS,
  WY_GLB_CHANNELS,
  WY_GLB_ROOTS,    /* numbers of nodes: those without a parent, after the root itself */
  WY_GLB_CHILDREN, /* those in the root, which turns the run so that y is up */
  WY_GLB_LISTS
} wy_glb_list;

typedef struct wy_glb {
  wy_export_job *job;
  wy_text *binary;
  wy_json lists[WY_GLB_LISTS];
  int counts[WY_GLB_LISTS];
  int time; /* accessor of the times; -1 if nothing moves */
} wy_glb;

/* What a view of the binary chunk is for; glTF's numbers. */
typedef enum wy_glb_target { WY_GLB_OTHER = 0, WY_GLB_VERTICES = 34962, WY_GLB_INDICES = 34963 } wy_glb_target;
/* Types of components; glTF's numbers. */
typedef enum wy_glb_type { WY_GLB_U8 = 5121, WY_GLB_U16 = 5123, WY_GLB_U32 = 5125, WY_GLB_F32 = 5126 } wy_glb_type;

/* Begins an entry of a list, an object, and returns its number; wy_json_end_object ends it. */
int wy_glb_begin(wy_glb *glb, wy_glb_list list);
/* Adds a number to a list of numbers. */
void wy_glb_number(wy_glb *glb, wy_glb_list list, int number);

/* Appends numbers to the binary chunk as a view of their own. Integers are whole numbers >= 0 that fit their type. */
int wy_glb_view(wy_glb *glb, const float *numbers, size_t count, wy_glb_target target);
int wy_glb_integers(wy_glb *glb, const uint32_t *numbers, size_t count, wy_glb_type type, wy_glb_target target);
/* An accessor of `count` elements from byte `offset` on; `shape` is "SCALAR", "VEC3", ... With `numbers` it gets the
   smallest and largest of each component. */
typedef struct wy_glb_access {
  int view;
  size_t offset, count;
  wy_glb_type type;
  const char *shape;
  int components;
  bool normalized;
  const float *numbers; /* [count][components] of type F32; NULL: without bounds */
} wy_glb_access;
int wy_glb_accessor(wy_glb *glb, wy_glb_access access);

/* Vectors of vertices, with or without bounds: a view and an accessor, which is returned. */
int wy_glb_vectors(wy_glb *glb, const float *numbers, size_t count, bool bounds);

/* Lets a node follow a track: `path` is "translation", "rotation" or "weights". */
void wy_glb_animate(wy_glb *glb, int node, const char *path, int output);
/* A list of numbers in single precision. */
void wy_glb_floats(wy_json *json, const char *key, const float *numbers, int count);

wy_status wy_glb_add_rod(wy_glb *glb, int rod, wy_message *message);
wy_status wy_glb_add_body(wy_glb *glb, const wy_scene_body *body, int colour, wy_message *message);
wy_status wy_glb_add_strands(wy_glb *glb, const wy_scene_strands *strands, int colour, wy_message *message);
/* A material of the colour with this number. */
int wy_glb_material(wy_glb *glb, const char *name, int colour);

#endif
