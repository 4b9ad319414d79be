/* SPDX-License-Identifier: MIT */
/* GLB, the binary form of glTF 2.0: a header, the JSON document, the binary chunk. */
#include "draw/export/glb.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { BINARY = WY_GLB_LISTS, DOCUMENT, TEXTS };
_Static_assert((int)TEXTS <= (int)WY_EXPORT_TEXTS, "the texts of a GLB file have room");

static const char *const list_names[WY_GLB_LISTS] = {
    [WY_GLB_ACCESSORS] = "accessors", [WY_GLB_VIEWS] = "bufferViews", [WY_GLB_NODES] = "nodes",
    [WY_GLB_MESHES] = "meshes",       [WY_GLB_SKINS] = "skins",       [WY_GLB_MATERIALS] = "materials",
    [WY_GLB_SAMPLERS] = "samplers",   [WY_GLB_CHANNELS] = "channels", [WY_GLB_ROOTS] = "nodes",
    [WY_GLB_CHILDREN] = "children"};

/* ---- Lists ---- */

int wy_glb_begin(wy_glb *glb, wy_glb_list list) {
  wy_json_object(&glb->lists[list], NULL);
  return glb->counts[list]++;
}

void wy_glb_number(wy_glb *glb, wy_glb_list list, int number) {
  wy_json_integer(&glb->lists[list], NULL, number);
  glb->counts[list]++;
}

void wy_glb_floats(wy_json *json, const char *key, const float *numbers, int count) {
  wy_json_list(json, key);
  for (int i = 0; i < count; i++)
    wy_json_number(json, NULL, (double)numbers[i]);
  wy_json_end_list(json);
}

/* ---- The binary chunk: little endian ---- */

static void add_number(wy_text *binary, uint32_t bits, int bytes) {
  char text[4];
  for (int i = 0; i < bytes; i++)
    text[i] = (char)(bits >> 8 * i & 255);
  wy_text_append(binary, text, (size_t)bytes);
}

/* The view of all bytes from `begin` on. Every view begins at a multiple of 4. */
static int end_view(wy_glb *glb, size_t begin, wy_glb_target target) {
  wy_json *json = &glb->lists[WY_GLB_VIEWS];
  int view = wy_glb_begin(glb, WY_GLB_VIEWS);
  wy_json_integer(json, "buffer", 0);
  wy_json_integer(json, "byteOffset", (long long)begin);
  wy_json_integer(json, "byteLength", (long long)(glb->binary->length - begin));
  if (target != WY_GLB_OTHER)
    wy_json_integer(json, "target", target);
  wy_json_end_object(json);
  while (glb->binary->length % 4 != 0 && !glb->binary->failed)
    add_number(glb->binary, 0, 1);
  return view;
}

int wy_glb_view(wy_glb *glb, const float *numbers, size_t count, wy_glb_target target) {
  size_t begin = glb->binary->length;
  for (size_t i = 0; i < count; i++) {
    uint32_t bits;
    memcpy(&bits, &numbers[i], sizeof bits);
    add_number(glb->binary, bits, 4);
  }
  return end_view(glb, begin, target);
}

int wy_glb_integers(wy_glb *glb, const uint32_t *numbers, size_t count, wy_glb_type type, wy_glb_target target) {
  size_t begin = glb->binary->length;
  int bytes = type == WY_GLB_U8 ? 1 : type == WY_GLB_U16 ? 2 : 4;
  for (size_t i = 0; i < count; i++)
    add_number(glb->binary, numbers[i], bytes);
  return end_view(glb, begin, target);
}

static void add_bounds(wy_json *json, const wy_glb_access *access) {
  float low[16], high[16];
  assert(access->components <= 16 && access->count > 0);
  for (int c = 0; c < access->components; c++)
    low[c] = high[c] = access->numbers[c];
  for (size_t i = 0; i < access->count * (size_t)access->components; i++) {
    int c = (int)(i % (size_t)access->components);
    low[c] = fminf(low[c], access->numbers[i]);
    high[c] = fmaxf(high[c], access->numbers[i]);
  }
  wy_glb_floats(json, "min", low, access->components);
  wy_glb_floats(json, "max", high, access->components);
}

int wy_glb_accessor(wy_glb *glb, wy_glb_access access) {
  wy_json *json = &glb->lists[WY_GLB_ACCESSORS];
  int number = wy_glb_begin(glb, WY_GLB_ACCESSORS);
  wy_json_integer(json, "bufferView", access.view);
  if (access.offset > 0)
    wy_json_integer(json, "byteOffset", (long long)access.offset);
  wy_json_integer(json, "componentType", access.type);
  if (access.normalized)
    wy_json_boolean(json, "normalized", true);
  wy_json_integer(json, "count", (long long)access.count);
  wy_json_string(json, "type", access.shape);
  if (access.numbers)
    add_bounds(json, &access);
  wy_json_end_object(json);
  return number;
}

int wy_glb_vectors(wy_glb *glb, const float *numbers, size_t count, bool bounds) {
  int view = wy_glb_view(glb, numbers, 3 * count, WY_GLB_VERTICES);
  return wy_glb_accessor(glb, (wy_glb_access){.view = view,
                                              .count = count,
                                              .type = WY_GLB_F32,
                                              .shape = "VEC3",
                                              .components = 3,
                                              .numbers = bounds ? numbers : NULL});
}

/* ---- Motion and colour ---- */

void wy_glb_animate(wy_glb *glb, int node, const char *path, int output) {
  wy_json *samplers = &glb->lists[WY_GLB_SAMPLERS], *channels = &glb->lists[WY_GLB_CHANNELS];
  int sampler = wy_glb_begin(glb, WY_GLB_SAMPLERS);
  wy_json_integer(samplers, "input", glb->time);
  wy_json_integer(samplers, "output", output);
  wy_json_end_object(samplers);
  wy_glb_begin(glb, WY_GLB_CHANNELS);
  wy_json_integer(channels, "sampler", sampler);
  wy_json_object(channels, "target");
  wy_json_integer(channels, "node", node);
  wy_json_string(channels, "path", path);
  wy_json_end_object(channels);
  wy_json_end_object(channels);
}

int wy_glb_material(wy_glb *glb, const char *name, int colour) {
  wy_json *json = &glb->lists[WY_GLB_MATERIALS];
  int material = wy_glb_begin(glb, WY_GLB_MATERIALS);
  double rgb[3];
  wy_export_colour(colour, rgb);
  wy_json_string(json, "name", name);
  wy_json_object(json, "pbrMetallicRoughness");
  wy_json_list(json, "baseColorFactor");
  for (int c = 0; c < 3; c++)
    wy_json_number(json, NULL, rgb[c]);
  wy_json_integer(json, NULL, 1);
  wy_json_end_list(json);
  wy_json_integer(json, "metallicFactor", 0);
  wy_json_number(json, "roughnessFactor", 0.5);
  wy_json_end_object(json);
  wy_json_end_object(json);
  return material;
}

/* Times must increase in single precision, too. */
static wy_status add_times(wy_glb *glb, wy_message *message) {
  const wy_export_job *job = glb->job;
  glb->time = -1;
  if (job->snapshots < 2)
    return WY_OK;
  float *time = wy_memory_take(job->memory, (size_t)job->snapshots, sizeof *time);
  for (int k = 0; k < job->snapshots; k++) {
    time[k] = (float)(wy_export_time(job, k) / job->def.speed);
    if (time[k] < 0 || !isfinite(time[k]) || (k > 0 && !(time[k] > time[k - 1])))
      return wy_results_fail(message, WY_ERROR_INPUT,
                             "%s/result.h5: /time is %.9g in snapshot %d: a GLB file has no such time in single "
                             "precision, or the snapshot before has the same; export fewer snapshots, or slower",
                             wy_folder_path(job->run.folder), wy_export_time(job, k), k);
  }
  int view = wy_glb_view(glb, time, (size_t)job->snapshots, WY_GLB_OTHER);
  glb->time = wy_glb_accessor(glb, (wy_glb_access){.view = view,
                                                   .count = (size_t)job->snapshots,
                                                   .type = WY_GLB_F32,
                                                   .shape = "SCALAR",
                                                   .components = 1,
                                                   .numbers = time});
  return WY_OK;
}

/* ---- The document ---- */

/* The entries of a list that was made before. */
static void put_entries(const wy_glb *glb, wy_json *json, wy_glb_list list) {
  if (glb->counts[list] > 0)
    wy_json_raw(json, NULL, glb->lists[list].text);
}

static void put_list(const wy_glb *glb, wy_json *json, wy_glb_list list) {
  wy_json_list(json, list_names[list]);
  put_entries(glb, json, list);
  wy_json_end_list(json);
}

/* Its node comes after all others. */
static void put_scene(const wy_glb *glb, wy_json *json) {
  wy_json_integer(json, "scene", 0);
  wy_json_list(json, "scenes");
  wy_json_object(json, NULL);
  wy_json_string(json, "name", wy_folder_title(glb->job->run.folder));
  wy_json_list(json, "nodes");
  wy_json_integer(json, NULL, glb->counts[WY_GLB_NODES]);
  put_entries(glb, json, WY_GLB_ROOTS);
  wy_json_end_list(json);
  wy_json_end_object(json);
  wy_json_end_list(json);
}

/* The root turns the run so that y is up. */
static void put_nodes(const wy_glb *glb, wy_json *json) {
  const double *q = glb->job->turn;
  const float rotation[4] = {(float)q[1], (float)q[2], (float)q[3], (float)q[0]};
  wy_json_list(json, "nodes");
  put_entries(glb, json, WY_GLB_NODES);
  wy_json_object(json, NULL);
  wy_json_string(json, "name", "run");
  if (q[0] < 1)
    wy_glb_floats(json, "rotation", rotation, 4);
  put_list(glb, json, WY_GLB_CHILDREN);
  wy_json_end_object(json);
  wy_json_end_list(json);
}

static void put_animation(const wy_glb *glb, wy_json *json) {
  if (glb->time < 0)
    return;
  wy_json_list(json, "animations");
  wy_json_object(json, NULL);
  wy_json_string(json, "name", wy_folder_title(glb->job->run.folder));
  put_list(glb, json, WY_GLB_SAMPLERS);
  put_list(glb, json, WY_GLB_CHANNELS);
  wy_json_end_object(json);
  wy_json_end_list(json);
}

static void put_document(const wy_glb *glb, wy_text *out) {
  static const wy_glb_list plain[] = {WY_GLB_MESHES, WY_GLB_SKINS, WY_GLB_MATERIALS, WY_GLB_ACCESSORS, WY_GLB_VIEWS};
  wy_json json = {.text = out, .dense = true};
  wy_json_object(&json, NULL);
  wy_json_object(&json, "asset");
  wy_json_string(&json, "version", "2.0");
  wy_json_string(&json, "generator", "withy " WY_VERSION);
  wy_json_end_object(&json);
  put_scene(glb, &json);
  put_nodes(glb, &json);
  for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
    if (glb->counts[plain[i]] > 0)
      put_list(glb, &json, plain[i]);
  put_animation(glb, &json);
  wy_json_list(&json, "buffers");
  wy_json_object(&json, NULL);
  wy_json_integer(&json, "byteLength", (long long)glb->binary->length);
  wy_json_end_object(&json);
  wy_json_end_list(&json);
  wy_json_end_object(&json);
  while (out->length % 4 != 0 && !out->failed)
    wy_text_append(out, " ", 1);
}

/* ---- The file ---- */

static void put_words(FILE *out, const uint32_t *words, int count) {
  for (int i = 0; i < 4 * count; i++)
    fputc((int)(words[i / 4] >> 8 * (i % 4) & 255), out);
}

static wy_status write_file(const wy_glb *glb, const wy_text *document, wy_message *message) {
  wy_export_job *job = glb->job;
  const wy_text *binary = glb->binary;
  uint64_t length = 12 + 8 + (uint64_t)document->length + 8 + (uint64_t)binary->length;
  if (length > UINT32_MAX)
    return wy_results_fail(message, WY_ERROR_INPUT,
                           "%s would have %.3g GB, and a GLB file cannot have more than 4; export fewer snapshots",
                           job->def.path, 1e-9 * (double)length);
  wy_status status = wy_export_begin(job, job->def.path, message);
  if (status != WY_OK)
    return status;
  const uint32_t head[] = {0x46546c67 /* glTF */, 2, (uint32_t)length, (uint32_t)document->length,
                           0x4e4f534a /* JSON */};
  const uint32_t between[] = {(uint32_t)binary->length, 0x004e4942 /* BIN */};
  put_words(job->out, head, 5);
  fwrite(document->data, 1, document->length, job->out);
  put_words(job->out, between, 2);
  fwrite(binary->data, 1, binary->length, job->out);
  return wy_export_end(job, WY_OK, message);
}

wy_status wy_export_glb(wy_export_job *job, wy_message *message) {
  wy_glb glb = {.job = job, .binary = &job->texts[BINARY]};
  wy_text *document = &job->texts[DOCUMENT];
  int rods = job->run.rod_count;
  for (int i = 0; i < WY_GLB_LISTS; i++)
    glb.lists[i] = (wy_json){.text = &job->texts[i], .dense = true};
  wy_status status = add_times(&glb, message);
  for (int r = 0; r < rods && status == WY_OK; r++)
    status = wy_glb_add_rod(&glb, r, message);
  for (int i = 0; i < job->run.body_count && status == WY_OK; i++)
    status = wy_glb_add_body(&glb, &job->run.bodies[i], rods + i, message);
  for (int i = 0; i < job->run.strands_count && status == WY_OK; i++)
    status = wy_glb_add_strands(&glb, &job->run.strands[i], rods + i, message);
  if (status != WY_OK)
    return status;
  put_document(&glb, document);
  for (int i = 0; i < TEXTS; i++)
    if (job->texts[i].failed)
      return wy_memory_failed(message);
  return write_file(&glb, document, message);
}
