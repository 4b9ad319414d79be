/* SPDX-License-Identifier: MIT */
/* Wavefront OBJ: a file for each snapshot, y up. Tubes are closed surfaces, one object a rod, and so are bodies
   beside them; lines and strands are polylines. */
#include "draw/export/export.h"

/* A file being written. */
typedef struct obj {
  wy_export_job *job;
  const wy_export_outline *outlines; /* of the rods; NULL: lines */
  double *corners;                   /* room for those of any tube */
  long long written;                 /* vertices of the objects before */
} obj;

static void write_name(const obj *to, const char *before, const char *name) {
  fputs(before, to->job->out);
  wy_export_words(to->job->out, name, "");
  fputs("\n", to->job->out);
}

static void write_vertices(const obj *to, const double *points, long long count) {
  for (long long i = 0; i < count; i++, points += 3) {
    double x[3];
    wy_export_upright(to->job, points, x);
    fprintf(to->job->out, "v %.9g %.9g %.9g\n", x[0], x[1], x[2]);
  }
}

static void write_face(void *context, const int *corners, int count) {
  const obj *to = context;
  fputs("f", to->job->out);
  for (int i = 0; i < count; i++)
    fprintf(to->job->out, " %lld", to->written + corners[i] + 1);
  fputs("\n", to->job->out);
}

static void write_tube(obj *to, const wy_export_pose *pose, const wy_export_outline *outline) {
  long long count = (long long)pose->points * outline->corners;
  wy_export_tube(pose, outline, to->corners);
  write_vertices(to, to->corners, count);
  fprintf(to->job->out, "s %s\n", outline->sharp ? "off" : "1");
  wy_export_faces(pose->points, outline, write_face, to);
  to->written += count;
}

static wy_status write_body(obj *to, const wy_scene_body *body, int k, wy_message *message) {
  wy_export_surface surface = wy_export_solid(to->job, body);
  long long count = (long long)surface.rings * surface.outline.corners;
  double *corners = wy_memory_take(to->job->memory, 3 * (size_t)count, sizeof *corners), x[3], q[4] = {1, 0, 0, 0};
  wy_status status = wy_export_read_body(to->job, body, k, x, q, message);
  for (long long i = 0; i < 3 * count && status == WY_OK; i += 3) {
    wy_turn_vector(q, surface.corners + i, corners + i);
    for (int c = 0; c < 3; c++)
      corners[i + c] += x[c];
  }
  if (status != WY_OK)
    return status;
  write_name(to, "o ", body->name);
  write_vertices(to, corners, count);
  fprintf(to->job->out, "s %s\n", body->solid.shape == WY_BODY_SPHERE ? "1" : "off");
  wy_export_faces(surface.rings, &surface.outline, write_face, to);
  to->written += count;
  return WY_OK;
}

static void write_line(obj *to, int points) {
  fputs("l", to->job->out);
  for (int i = 0; i < points; i++)
    fprintf(to->job->out, " %lld", ++to->written);
  fputs("\n", to->job->out);
}

static wy_status write_strands(obj *to, const wy_scene_strands *strands, int k, wy_message *message) {
  const wy_stored_field *field = strands->position;
  wy_status status = wy_export_read_strands(to->job, strands, k, message);
  if (status != WY_OK)
    return status;
  write_name(to, "o ", strands->name);
  write_vertices(to, to->job->strands, (long long)field->lines * field->points);
  for (int line = 0; line < field->lines; line++)
    write_line(to, field->points);
  return WY_OK;
}

static wy_status write_snapshot(obj *to, int k, wy_message *message) {
  wy_export_job *job = to->job;
  wy_status status = WY_OK;
  to->written = 0;
  write_name(to, "# ", wy_folder_title(job->run.folder));
  fprintf(job->out, "# withy %s, t = %.9g\n", wy_version(), wy_export_time(job, k));
  for (int r = 0; r < job->run.rod_count && status == WY_OK; r++) {
    wy_export_pose *pose = &job->poses[r];
    status = wy_export_read(job, pose, k, message);
    write_name(to, "o ", pose->rod->name);
    if (to->outlines) {
      write_tube(to, pose, &to->outlines[r]);
    } else {
      write_vertices(to, pose->position, pose->points);
      write_line(to, pose->points);
    }
  }
  for (int i = 0; i < job->run.body_count && to->outlines && status == WY_OK; i++)
    status = write_body(to, &job->run.bodies[i], k, message);
  for (int i = 0; i < job->run.strands_count && status == WY_OK; i++)
    status = write_strands(to, &job->run.strands[i], k, message);
  return status;
}

static void prepare_tubes(obj *to) {
  wy_export_job *job = to->job;
  wy_export_outline *outlines = wy_memory_take(job->memory, (size_t)job->run.rod_count, sizeof *outlines);
  size_t most = 0;
  for (int r = 0; r < job->run.rod_count; r++) {
    outlines[r] = wy_export_outline_of(job, &job->run.rods[r]);
    size_t size = 3 * (size_t)job->poses[r].points * (size_t)outlines[r].corners;
    most = size > most ? size : most;
  }
  to->outlines = outlines;
  to->corners = wy_memory_take(job->memory, most, sizeof *to->corners);
}

/* So many digits that the files of all snapshots are in the order of the alphabet. */
static int digits_of(int count) {
  int digits = 4;
  for (long long most = 10000; most < count; most *= 10)
    digits++;
  return digits;
}

wy_status wy_export_obj(wy_export_job *job, wy_message *message) {
  obj to = {.job = job};
  wy_status status = WY_OK;
  int digits = digits_of(job->snapshots);
  if (job->def.shape == WY_EXPORT_TUBES)
    prepare_tubes(&to);
  for (int k = 0; k < job->snapshots && status == WY_OK; k++) {
    const char *number = job->snapshots > 1 ? wy_memory_print(job->memory, "%0*d", digits, k) : NULL;
    status = wy_export_begin(job, number ? wy_export_path(job, number) : job->def.path, message);
    if (status == WY_OK)
      status = wy_export_end(job, write_snapshot(&to, k, message), message);
  }
  return status;
}
