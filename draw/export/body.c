/* SPDX-License-Identifier: MIT */
/* Bodies as surfaces: rings of corners, joined as those of a tube. */
#include <math.h>

#include "draw/export/export.h"

/* From end to end of the shape: two rings, or the circles of latitude of a ball, the first and last of which are small.
 */
static int ring_count(const wy_export_job *job, const wy_solid *solid) {
  return solid->shape == WY_BODY_SPHERE ? job->def.sides / 2 + 1 : 2;
}

wy_export_surface wy_export_solid(wy_export_job *job, const wy_scene_body *body) {
  const wy_solid *solid = &body->solid;
  const wy_scene_rod like = {.section = solid->shape == WY_BODY_BOX ? "rectangle" : "circle"};
  wy_export_surface out = {.outline = wy_export_outline_of(job, &like), .rings = ring_count(job, solid)};
  int corners = out.outline.corners;
  double *corner = wy_memory_take(job->memory, 3 * (size_t)(out.rings * corners), sizeof *corner), *at = corner;
  const double pole = 0.02; /* the first circle of latitude, as an angle: a face closes it */
  for (int i = 0; i < out.rings; i++) {
    double part = (double)i / (out.rings - 1), angle = pole + (acos(-1) - 2 * pole) * part;
    double width = solid->shape == WY_BODY_SPHERE ? sin(angle) : 1;
    double height = solid->shape == WY_BODY_SPHERE ? -cos(angle) : 2 * part - 1;
    for (int j = 0; j < corners; j++, at += 3) {
      const double local[3] = {width * solid->half[0] * out.outline.corner[2 * j],
                               width * solid->half[1] * out.outline.corner[2 * j + 1], height * solid->half[2]};
      wy_turn_vector(solid->turn, local, at);
      for (int c = 0; c < 3; c++)
        at[c] *= job->def.scale;
    }
  }
  out.corners = corner;
  return out;
}

wy_status wy_export_read_body(const wy_export_job *job, const wy_scene_body *body, int k, double position[3],
                              double rotation[4], wy_message *message) {
  double q[4], cosine = 0;
  wy_status status = wy_export_field(job, body->position, k, job->def.scale, position, message);
  if (status == WY_OK)
    status = wy_export_field(job, body->frame, k, 1, q, message);
  for (int c = 0; c < 4 && status == WY_OK; c++)
    cosine += k == 0 ? 0 : q[c] * rotation[c];
  for (int c = 0; c < 4 && status == WY_OK; c++)
    rotation[c] = cosine < 0 ? -q[c] : q[c];
  return status;
}
