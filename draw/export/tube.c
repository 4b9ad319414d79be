/* SPDX-License-Identifier: MIT */
/* The surface of a rod: its section at every point, joined by quadrilaterals. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "draw/export/export.h"

wy_export_outline wy_export_outline_of(const wy_export_job *job, const wy_scene_rod *rod) {
  static const double box[] = {1, -1, 1, 1, -1, 1, -1, -1};
  if (strcmp(rod->section, "rectangle") == 0)
    return (wy_export_outline){4, true, box};
  int sides = job->def.sides;
  double *corner = wy_memory_take(job->memory, 2 * (size_t)sides, sizeof *corner);
  for (int j = 0; j < sides; j++) {
    double angle = 2 * acos(-1) * j / sides;
    corner[2 * j] = cos(angle);
    corner[2 * j + 1] = sin(angle);
  }
  return (wy_export_outline){sides, false, corner};
}

void wy_export_tube(const wy_export_pose *pose, const wy_export_outline *outline, double *out) {
  for (int i = 0; i < pose->points; i++) {
    const double *half = pose->half + 2 * (size_t)i, *x = pose->position + 3 * (size_t)i;
    for (int j = 0; j < outline->corners; j++, out += 3) {
      const double local[3] = {half[0] * outline->corner[2 * j], half[1] * outline->corner[2 * j + 1], 0};
      wy_turn_vector(pose->rotation + 4 * (size_t)i, local, out);
      for (int c = 0; c < 3; c++)
        out[c] += x[c];
    }
  }
}

void wy_export_faces(int points, const wy_export_outline *outline, wy_export_face face, void *context) {
  int count = outline->corners, ring[WY_EXPORT_MOST_SIDES] = {0};
  assert(count <= WY_EXPORT_MOST_SIDES);
  for (int i = 0; i + 1 < points; i++)
    for (int j = 0; j < count; j++) {
      int a = i * count + j, b = i * count + (j + 1) % count;
      const int corners[4] = {a, b, b + count, a + count};
      face(context, corners, 4);
    }
  for (int j = 0; j < count; j++)
    ring[j] = count - 1 - j;
  face(context, ring, count);
  for (int j = 0; j < count; j++)
    ring[j] = (points - 1) * count + j;
  face(context, ring, count);
}
