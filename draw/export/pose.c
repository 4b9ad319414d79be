/* SPDX-License-Identifier: MIT */
/* Snapshots of rods and strands as exported files have them. */
#include <assert.h>
#include <float.h>
#include <math.h>

#include "draw/export/export.h"

static int snapshot_of(const wy_export_job *job, int k) {
  assert(k >= 0 && k < job->snapshots);
  return isnan(job->def.at) ? wy_scene_pick(job->run.snapshots, job->run.snapshot_step, k) : job->first;
}

double wy_export_time(const wy_export_job *job, int k) {
  return job->run.time_in_file[snapshot_of(job, k)];
}

static void prepare_rod(wy_export_job *job, const wy_scene_rod *rod, wy_export_pose *pose) {
  const wy_stored_field *position = rod->position, *frame = rod->frame;
  size_t points = (size_t)position->points;
  double *half = wy_memory_take(job->memory, 2 * points, sizeof *half);
  for (size_t i = 0; i < 2 * points; i++)
    half[i] = job->def.scale * rod->file_half[i];
  *pose = (wy_export_pose){
      .rod = rod,
      .points = position->points,
      .frames = wy_scene_locate(job->memory, frame->s, frame->points, position->s, position->points),
      .half = half,
      .stored = wy_memory_take(job->memory, 4 * (size_t)frame->points, sizeof(double)),
      .position = wy_memory_take(job->memory, 3 * points, sizeof(double)),
      .rotation = wy_memory_take(job->memory, 4 * points, sizeof(double)),
  };
}

void wy_export_prepare(wy_export_job *job) {
  size_t most = 0;
  job->poses = wy_memory_take(job->memory, (size_t)job->run.rod_count, sizeof *job->poses);
  for (int r = 0; r < job->run.rod_count; r++)
    prepare_rod(job, &job->run.rods[r], &job->poses[r]);
  for (int i = 0; i < job->run.strands_count; i++) {
    const wy_stored_field *field = job->run.strands[i].position;
    size_t size = 3 * (size_t)field->lines * (size_t)field->points;
    most = size > most ? size : most;
  }
  job->strands = wy_memory_take(job->memory, most, sizeof *job->strands);
}

/* The largest length: sums and squares of such lengths have a place in single precision. A table has all numbers. */
static double longest(const wy_export_job *job) {
  return job->def.format == WY_EXPORT_CSV ? DBL_MAX : 1e18;
}

wy_status wy_export_field(const wy_export_job *job, const wy_stored_field *field, int k, double scale, double *out,
                          wy_message *message) {
  int snapshot = snapshot_of(job, k);
  size_t count = (size_t)field->lines * (size_t)field->points * (size_t)field->components;
  wy_status status = wy_folder_read(job->run.folder, field, snapshot, 1, 1, out, message);
  if (status == WY_OK)
    status = wy_scene_finite(&job->run, field, snapshot, out, message);
  for (size_t i = 0; i < count && status == WY_OK; i++) {
    out[i] *= scale;
    if (!(fabs(out[i]) <= longest(job)))
      status = wy_results_fail(
          message, WY_ERROR_INPUT,
          "%s/result.h5: %s, t = %.9g: found a coordinate of %g with the scale %g; expected at most "
          "%g: choose a smaller scale",
          wy_folder_path(job->run.folder), field->path, wy_export_time(job, k), out[i], scale, longest(job));
  }
  return status;
}

wy_status wy_export_read(const wy_export_job *job, wy_export_pose *pose, int k, wy_message *message) {
  wy_status status = wy_export_field(job, pose->rod->position, k, job->def.scale, pose->position, message);
  if (status == WY_OK)
    status = wy_export_field(job, pose->rod->frame, k, 1, pose->stored, message);
  for (int i = 0; i < pose->points && status == WY_OK; i++) {
    double q[4], *old = pose->rotation + 4 * (size_t)i, cosine = 0;
    wy_scene_rotation(pose->stored, &pose->frames, i, q);
    for (int c = 0; c < 4; c++)
      cosine += k == 0 ? 0 : q[c] * old[c];
    for (int c = 0; c < 4; c++)
      old[c] = cosine < 0 ? -q[c] : q[c];
  }
  return status;
}

wy_status wy_export_read_strands(const wy_export_job *job, const wy_scene_strands *strands, int k,
                                 wy_message *message) {
  return wy_export_field(job, strands->position, k, job->def.scale, job->strands, message);
}

double wy_export_radius(const wy_export_pose *pose, int i) {
  return fmin(pose->half[2 * (size_t)i], pose->half[2 * (size_t)i + 1]);
}

/* ---- Bounds ---- */

static void extend(const double *points, size_t count, double margin, double low[3], double high[3]) {
  for (size_t i = 0; i < 3 * count; i++) {
    low[i % 3] = fmin(low[i % 3], points[i] - margin);
    high[i % 3] = fmax(high[i % 3], points[i] + margin);
  }
}

wy_status wy_export_bounds(wy_export_job *job, wy_message *message) {
  wy_scene_run *run = &job->run;
  wy_status status = WY_OK;
  for (int c = 0; c < 3; c++) {
    run->bounds[0][c] = INFINITY;
    run->bounds[1][c] = -INFINITY;
  }
  for (int r = 0; r < run->rod_count; r++) {
    wy_export_pose *pose = &job->poses[r];
    double margin = job->def.scale * pose->rod->largest_half;
    for (int c = 0; c < 3; c++) {
      pose->low[c] = INFINITY;
      pose->high[c] = -INFINITY;
    }
    for (int k = 0; k < job->snapshots && status == WY_OK; k++) {
      status = wy_export_read(job, pose, k, message);
      extend(pose->position, (size_t)pose->points, margin, pose->low, pose->high);
    }
    for (int c = 0; c < 3; c++) {
      run->bounds[0][c] = fmin(run->bounds[0][c], pose->low[c] / job->def.scale);
      run->bounds[1][c] = fmax(run->bounds[1][c], pose->high[c] / job->def.scale);
    }
  }
  for (int i = 0; i < run->body_count * job->snapshots && status == WY_OK; i++) {
    const wy_scene_body *body = &run->bodies[i / job->snapshots];
    double x[3];
    status = wy_export_field(job, body->position, i % job->snapshots, 1, x, message);
    extend(x, 1, body->solid.reach, run->bounds[0], run->bounds[1]);
  }
  return status;
}

/* ---- Vectors and colours ---- */

void wy_export_upright(const wy_export_job *job, const double in[3], double out[3]) {
  const double *up = job->up, x = in[0], y = in[1], z = in[2];
  out[0] = up[0] == 0 ? x : -up[0] * y;
  out[1] = up[0] * x + up[1] * y + up[2] * z;
  out[2] = up[2] != 0 ? -up[2] * y : up[1] < 0 ? -z : z;
}

/* Those of Okabe and Ito, which colour-blind people can tell apart. */
void wy_export_colour(int rod, double rgb[3]) {
  static const unsigned colours[] = {0x0072b2, 0xe69f00, 0x009e73, 0xd55e00, 0x56b4e9, 0xcc79a7, 0xf0e442};
  unsigned colour = colours[(size_t)rod % (sizeof colours / sizeof colours[0])];
  for (int c = 0; c < 3; c++) {
    double part = (double)(colour >> (16 - 8 * c) & 255) / 255;
    rgb[c] = part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4); /* sRGB */
  }
}
