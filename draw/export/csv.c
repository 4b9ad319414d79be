/* SPDX-License-Identifier: MIT */
/* Tables: a file for each rod with t, s, position, rotation and radius of its points, one for each group of strands. */
#include "draw/export/export.h"

/* Each with a comma before it. */
static void write_numbers(FILE *out, const double *numbers, int count) {
  for (int c = 0; c < count; c++)
    fprintf(out, ",%.17g", numbers[c]);
}

static wy_status write_rod(wy_export_job *job, wy_export_pose *pose, wy_message *message) {
  wy_status status = WY_OK;
  fputs("t,s,x,y,z,qw,qx,qy,qz,radius\n", job->out);
  for (int k = 0; k < job->snapshots && status == WY_OK; k++) {
    status = wy_export_read(job, pose, k, message);
    for (int i = 0; i < pose->points && status == WY_OK; i++) {
      fprintf(job->out, "%.17g,%.17g", wy_export_time(job, k), job->def.scale * pose->rod->position->s[i]);
      write_numbers(job->out, pose->position + 3 * (size_t)i, 3);
      write_numbers(job->out, pose->rotation + 4 * (size_t)i, 4);
      fprintf(job->out, ",%.17g\n", wy_export_radius(pose, i));
    }
  }
  return status;
}

/* Strands that follow guides are counted from 1 and stored in single precision; rods of a batch have their numbers. */
static wy_status write_strands(wy_export_job *job, const wy_scene_strands *strands, wy_message *message) {
  const wy_stored_field *field = strands->position;
  wy_status status = WY_OK;
  fputs("t,strand,x,y,z\n", job->out);
  for (int k = 0; k < job->snapshots && status == WY_OK; k++) {
    status = wy_export_read_strands(job, strands, k, message);
    const double *x = job->strands, *rods = strands->batch ? strands->batch->of->recorded : NULL;
    const int digits = rods ? 17 : 9;
    for (long long i = 0; i < (long long)field->lines * field->points && status == WY_OK; i++, x += 3) {
      const long long line = i / field->points;
      fprintf(job->out, "%.17g,%.0f,%.*g,%.*g,%.*g\n", wy_export_time(job, k), rods ? rods[line] : (double)line + 1,
              digits, x[0], digits, x[1], digits, x[2]);
    }
  }
  return status;
}

wy_status wy_export_csv(wy_export_job *job, wy_message *message) {
  int rods = job->run.rod_count, files = rods + job->run.strands_count;
  wy_status status = WY_OK;
  for (int i = 0; i < files && status == WY_OK; i++) {
    const wy_scene_strands *strands = i < rods ? NULL : &job->run.strands[i - rods];
    const char *name = strands ? wy_memory_print(job->memory, "%s.strands", strands->name) : job->poses[i].rod->name;
    status = wy_export_begin(job, files > 1 ? wy_export_path(job, name) : job->def.path, message);
    if (status == WY_OK)
      status = strands ? write_strands(job, strands, message) : write_rod(job, &job->poses[i], message);
    status = wy_export_end(job, status, message);
  }
  return status;
}
