/* SPDX-License-Identifier: MIT */
/* The modes in result.h5: the table of all, and the shapes of each rod and body. */
#include "run/folder/folder.h"

wy_status wy_folder_modes(wy_folder *folder, const wy_stored_modes **out, wy_message *message) {
  const void *kept = NULL;
  if (out)
    *out = NULL;
  if (!folder || !out)
    return wy_results_fail(message, WY_ERROR_INPUT, "no folder is given");
  if (wy_folder_recall(folder, "modes", "", &kept)) {
    *out = kept;
    return WY_OK;
  }
  const wy_stored_numbers *value = NULL, *damping = NULL;
  bool buckling = wy_folder_analysis(folder) == WY_BUCKLING;
  wy_status status = wy_folder_numbers(folder, buckling ? "/modes/factor" : "/modes/omega", &value, message);
  if (status == WY_OK && !buckling)
    status = wy_folder_numbers(folder, "/modes/damping_ratio", &damping, message);
  if (status != WY_OK)
    return status;
  wy_stored_modes *modes = value ? wy_folder_take(folder, 1, sizeof *modes) : NULL;
  if (value && !modes)
    return wy_folder_out_of_memory(message);
  if (modes)
    *modes = (wy_stored_modes){.buckling = buckling,
                               .count = value->size[0],
                               .value = value->values,
                               .damping_ratio = damping && damping->size[0] == value->size[0] ? damping->values : NULL};
  status = wy_folder_keep(folder, "modes", "", modes, message);
  *out = status == WY_OK ? modes : NULL;
  return status;
}

/* ---- Shapes ---- */

/* A part of the shapes while they are read. */
typedef struct part {
  const char *group, *name;
  int entry; /* of the first dimension, or -1: all */
  int size[3];
  double *values;
} part;

enum { NUMBER, S, FRAME_S, DISPLACEMENT, ROTATION, POSITION, FRAME, PARTS };

static bool has_size(const part *p, int first, int second, int third) {
  return p->size[0] == first && p->size[1] == second && p->size[2] == third;
}

static bool fits(const part *p, bool own) {
  for (int i = 0; i < PARTS; i++)
    if (!p[i].values)
      return false;
  int count = p[NUMBER].size[0], points = p[S].size[0], frames = p[FRAME_S].size[0], states = own ? count : 1;
  return points >= 1 && frames >= 1 && has_size(&p[DISPLACEMENT], count, points, 3) &&
         has_size(&p[ROTATION], count, frames, 3) && has_size(&p[POSITION], states, points, 3) &&
         has_size(&p[FRAME], states, frames, 4);
}

static bool has_body(wy_folder *folder, const char *name) {
  const wy_stored_field *field = NULL;
  const char *path = wy_folder_print(folder, "/bodies/%s/position", name);
  return path && wy_folder_field(folder, path, 3, &field, NULL) == WY_OK && field;
}

/* A body is one point, which the size of its snapshots does not say. */
static void count_point(part *p) {
  if (p->values && p->size[2] == 1) {
    p->size[2] = p->size[1];
    p->size[1] = 1;
  }
}

/* Of vibrations the configuration is the last snapshot. */
static wy_status read_shapes(wy_folder *folder, const char *name, wy_stored_shapes *out, bool *whole,
                             wy_message *message) {
  const bool own = wy_folder_analysis(folder) == WY_BUCKLING, is_body = has_body(folder, name);
  const char *home = own ? "modes" : is_body ? "bodies" : "rods";
  int last = -1;
  const double *time;
  wy_status status = wy_folder_snapshots(folder, &last, &time, message);
  last--;
  part p[PARTS] = {{.group = "modes", .name = "mode", .entry = -1},
                   {.group = "modes", .name = "s", .entry = -1},
                   {.group = "modes", .name = "frame_s", .entry = -1},
                   {.group = "modes", .name = "displacement", .entry = -1},
                   {.group = "modes", .name = "rotation", .entry = -1},
                   {.group = home, .name = "position", .entry = own ? -1 : last},
                   {.group = home, .name = "frame", .entry = own ? -1 : last}};
  for (int i = 0; i < PARTS && status == WY_OK && (own || last >= 0); i++) {
    const char *path = wy_folder_print(folder, "/%s/%s/%s", p[i].group, name, p[i].name);
    status = path ? wy_folder_block(folder, path, p[i].entry, p[i].size, &p[i].values, message)
                  : wy_folder_out_of_memory(message);
  }
  if (is_body && !own)
    count_point(&p[POSITION]), count_point(&p[FRAME]);
  *whole = status == WY_OK && fits(p, own) && (is_body || p[S].size[0] >= 2);
  *out = (wy_stored_shapes){.count = p[NUMBER].size[0],
                            .number = p[NUMBER].values,
                            .points = p[S].size[0],
                            .frames = p[FRAME_S].size[0],
                            .s = p[S].values,
                            .frame_s = p[FRAME_S].values,
                            .displacement = p[DISPLACEMENT].values,
                            .rotation = p[ROTATION].values,
                            .own = own,
                            .position = p[POSITION].values,
                            .frame = p[FRAME].values};
  return status;
}

wy_status wy_folder_shapes(wy_folder *folder, const char *name, const wy_stored_shapes **out, wy_message *message) {
  const void *kept = NULL;
  bool whole = false;
  if (out)
    *out = NULL;
  if (!folder || !name || !out)
    return wy_results_fail(message, WY_ERROR_INPUT, "no folder or no name of a rod or body is given");
  if (wy_folder_recall(folder, "shapes", name, &kept)) {
    *out = kept;
    return WY_OK;
  }
  wy_stored_shapes *shapes = wy_folder_take(folder, 1, sizeof *shapes);
  if (!shapes)
    return wy_folder_out_of_memory(message);
  wy_status status = read_shapes(folder, name, shapes, &whole, message);
  if (status == WY_OK)
    status = wy_folder_keep(folder, "shapes", name, whole ? shapes : NULL, message);
  *out = status == WY_OK && whole ? shapes : NULL;
  return status;
}
