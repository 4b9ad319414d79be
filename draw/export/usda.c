/* SPDX-License-Identifier: MIT */
/* USD as text: a curve with widths and frames for each rod, or a closed surface; strands as curves; bodies as surfaces.
 */
#include <ctype.h>
#include <string.h>

#include "draw/export/export.h"

enum { CODES = 24 /* time codes in a second */ };

/* The place of an attribute in the file. */
static const char indent[] = "        ";

/* ---- Words ---- */

/* A text in quotes. */
static void write_text(FILE *out, const char *text) {
  fputc('"', out);
  wy_export_words(out, text, "\"\\");
  fputc('"', out);
}

/* A name made of letters, digits and underscores, which no earlier one of `names` is. */
static char *name_of(wy_export_job *job, const char *name, char **names, int count) {
  char *made = wy_memory_copy(job->memory, wy_memory_print(job->memory, "_%s", name), strlen(name) + 1);
  for (char *c = made; *c; c++)
    if (!isalnum((unsigned char)*c) || (unsigned char)*c > 127)
      *c = '_';
  if (!isdigit((unsigned char)made[1]))
    made++;
  for (int i = 0; i < count; i++)
    if (strcmp(names[i], made) == 0)
      return name_of(job, wy_memory_print(job->memory, "%s_%d", name, count), names, count);
  return made;
}

/* In single precision, which nine digits hold. */
static void write_vector(FILE *out, const double *numbers, int components) {
  for (int c = 0; c < components; c++)
    fprintf(out, "%s%.9g", c ? ", " : "(", (double)(float)numbers[c]);
  fputs(")", out);
}

static void write_vectors(FILE *out, const double *numbers, int components, long long count) {
  fputs("[", out);
  for (long long i = 0; i < count; i++, numbers += components) {
    fputs(i ? ", " : "", out);
    write_vector(out, numbers, components);
  }
  fputs("]", out);
}

/* ---- What changes in time ---- */

/* Something that moves: wy_status read(...) brings snapshot k into `numbers`. */
typedef struct track {
  const char *declaration; /* "point3f[] points" */
  const double *numbers;
  int components;
  long long count;
  wy_status (*read)(wy_export_job *job, const struct track *of, int k, wy_message *message);
  wy_export_pose *pose;             /* of a rod */
  const wy_export_outline *outline; /* of a tube */
  double *corners;                  /* the same as `numbers`, of a tube */
  const wy_scene_strands *strands;
} track;

static wy_status read_pose(wy_export_job *job, const track *of, int k, wy_message *message) {
  return wy_export_read(job, of->pose, k, message);
}

static wy_status read_tube(wy_export_job *job, const track *of, int k, wy_message *message) {
  wy_status status = wy_export_read(job, of->pose, k, message);
  if (status == WY_OK)
    wy_export_tube(of->pose, of->outline, of->corners);
  return status;
}

static wy_status read_strands(wy_export_job *job, const track *of, int k, wy_message *message) {
  return wy_export_read_strands(job, of->strands, k, message);
}

/* The only snapshot as a value, several as samples in time. */
static wy_status write_track(wy_export_job *job, const track *of, wy_message *message) {
  bool moves = job->snapshots > 1;
  wy_status status = WY_OK;
  fprintf(job->out, "%s%s%s = ", indent, of->declaration, moves ? ".timeSamples" : "");
  if (moves)
    fputs("{\n", job->out);
  for (int k = 0; k < job->snapshots && status == WY_OK; k++) {
    status = of->read(job, of, k, message);
    if (moves)
      fprintf(job->out, "%s    %.17g: ", indent, CODES * wy_export_time(job, k) / job->def.speed);
    write_vectors(job->out, of->numbers, of->components, of->count);
    fputs(moves ? ",\n" : "\n", job->out);
  }
  if (moves)
    fprintf(job->out, "%s}\n", indent);
  return status;
}

/* ---- Prims ---- */

static void begin_prim(wy_export_job *job, const char *type, const char *name, const char *own_name, int colour) {
  double rgb[3];
  wy_export_colour(colour, rgb);
  fprintf(job->out, "\n    def %s \"%s\" (\n%scustomData = {\n%s    string name = ", type, name, indent, indent);
  write_text(job->out, own_name);
  fprintf(job->out, "\n%s}\n    )\n    {\n", indent);
  fprintf(job->out, "%scolor3f[] primvars:displayColor = ", indent);
  write_vectors(job->out, rgb, 3, 1);
  fputs("\n", job->out);
}

static void begin_curves(wy_export_job *job, long long lines, int points) {
  fprintf(job->out, "%suniform token type = \"linear\"\n%sint[] curveVertexCounts = [", indent, indent);
  for (long long i = 0; i < lines; i++)
    fprintf(job->out, "%s%d", i ? ", " : "", points);
  fputs("]\n", job->out);
}

static void write_extent(wy_export_job *job, const wy_export_pose *pose) {
  const double corners[6] = {pose->low[0], pose->low[1], pose->low[2], pose->high[0], pose->high[1], pose->high[2]};
  fprintf(job->out, "%sfloat3[] extent = ", indent);
  write_vectors(job->out, corners, 3, 2);
  fputs("\n", job->out);
}

static wy_status write_curve(wy_export_job *job, wy_export_pose *pose, wy_message *message) {
  track points = {.declaration = "point3f[] points",
                  .numbers = pose->position,
                  .components = 3,
                  .count = pose->points,
                  .read = read_pose,
                  .pose = pose};
  track frames = points;
  frames.declaration = "quatf[] primvars:frame";
  frames.numbers = pose->rotation;
  frames.components = 4;
  begin_curves(job, 1, pose->points);
  write_extent(job, pose);
  fprintf(job->out, "%sfloat[] widths = [", indent);
  for (int i = 0; i < pose->points; i++) {
    fprintf(job->out, "%s%.9g", i ? ", " : "", 2 * wy_export_radius(pose, i));
  }
  fprintf(job->out, "] (\n%s    interpolation = \"vertex\"\n%s)\n", indent, indent);
  wy_status status = write_track(job, &points, message);
  fprintf(job->out, "%squatf[] primvars:frame (\n%s    interpolation = \"vertex\"\n%s)\n", indent, indent, indent);
  return status == WY_OK ? write_track(job, &frames, message) : status;
}

/* Faces are written twice: the numbers of their corners, and the corners. */
typedef struct faces {
  FILE *out;
  bool counts, begun;
} faces;

static void write_face(void *context, const int *corners, int count) {
  faces *to = context;
  for (int i = 0; i < (to->counts ? 1 : count); i++) {
    fprintf(to->out, "%s%d", to->begun ? ", " : "", to->counts ? count : corners[i]);
    to->begun = true;
  }
}

static wy_status write_tube(wy_export_job *job, wy_export_pose *pose, wy_message *message) {
  wy_export_outline outline = wy_export_outline_of(job, pose->rod);
  long long count = (long long)pose->points * outline.corners;
  double *corners = wy_memory_take(job->memory, 3 * (size_t)count, sizeof *corners);
  track points = {.declaration = "point3f[] points",
                  .numbers = corners,
                  .components = 3,
                  .count = count,
                  .read = read_tube,
                  .pose = pose,
                  .outline = &outline,
                  .corners = corners};
  for (int i = 0; i < 2; i++) {
    faces to = {.out = job->out, .counts = i == 0};
    fprintf(job->out, "%sint[] %s = [", indent, i ? "faceVertexIndices" : "faceVertexCounts");
    wy_export_faces(pose->points, &outline, write_face, &to);
    fputs("]\n", job->out);
  }
  fprintf(job->out, "%suniform token subdivisionScheme = \"none\"\n", indent);
  write_extent(job, pose);
  return write_track(job, &points, message);
}

static wy_status write_strands(wy_export_job *job, const wy_scene_strands *strands, wy_message *message) {
  const wy_stored_field *field = strands->position;
  track points = {.declaration = "point3f[] points",
                  .numbers = job->strands,
                  .components = 3,
                  .count = (long long)field->lines * field->points,
                  .read = read_strands,
                  .strands = strands};
  begin_curves(job, field->lines, field->points);
  fprintf(job->out, "%sfloat[] widths = [%.9g] (\n%s    interpolation = \"constant\"\n%s)\n", indent,
          2 * job->def.scale * strands->radius, indent, indent);
  return write_track(job, &points, message);
}

/* A body: its surface, in a place and a rotation that change with time. */
static wy_status write_body(wy_export_job *job, const wy_scene_body *body, wy_message *message) {
  wy_export_surface surface = wy_export_solid(job, body);
  double pose[7] = {0, 0, 0, 1, 0, 0, 0};
  wy_status status = WY_OK;
  for (int i = 0; i < 2; i++) {
    faces to = {.out = job->out, .counts = i == 0};
    fprintf(job->out, "%sint[] %s = [", indent, i ? "faceVertexIndices" : "faceVertexCounts");
    wy_export_faces(surface.rings, &surface.outline, write_face, &to);
    fputs("]\n", job->out);
  }
  fprintf(job->out, "%suniform token subdivisionScheme = \"none\"\n%spoint3f[] points = ", indent, indent);
  write_vectors(job->out, surface.corners, 3, (long long)surface.rings * surface.outline.corners);
  fputs("\n", job->out);
  for (int i = 0; i < 2 && status == WY_OK; i++) {
    fprintf(job->out, "%s%s%s = ", indent, i ? "quatf xformOp:orient" : "double3 xformOp:translate",
            job->snapshots > 1 ? ".timeSamples" : "");
    if (job->snapshots > 1)
      fputs("{\n", job->out);
    for (int k = 0; k < job->snapshots && status == WY_OK; k++) {
      status = wy_export_read_body(job, body, k, pose, pose + 3, message);
      if (job->snapshots > 1)
        fprintf(job->out, "%s    %.17g: ", indent, CODES * wy_export_time(job, k) / job->def.speed);
      write_vector(job->out, i ? pose + 3 : pose, i ? 4 : 3);
      fputs(job->snapshots > 1 ? ",\n" : "\n", job->out);
    }
    if (job->snapshots > 1)
      fprintf(job->out, "%s}\n", indent);
  }
  fprintf(job->out, "%suniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"]\n", indent);
  return status;
}

/* ---- The file ---- */

/* USD knows y and z up. Another direction is turned to y. */
static void write_head(wy_export_job *job) {
  bool plain = job->up[1] > 0 || job->up[2] > 0;
  double rate = CODES / job->def.speed;
  fputs("#usda 1.0\n(\n    defaultPrim = \"run\"\n    doc = ", job->out);
  write_text(job->out, wy_memory_print(job->memory, "%s (withy %s)", wy_folder_title(job->run.folder), wy_version()));
  if (job->snapshots > 1)
    fprintf(
        job->out,
        "\n    endTimeCode = %.17g\n    framesPerSecond = %d\n    startTimeCode = %.17g\n    timeCodesPerSecond = %d",
        rate * wy_export_time(job, job->snapshots - 1), CODES, rate * wy_export_time(job, 0), CODES);
  fprintf(job->out, "\n    metersPerUnit = %.17g\n    upAxis = \"%s\"\n)\n\ndef Xform \"run\"\n{\n", 1 / job->def.scale,
          job->up[2] > 0 ? "Z" : "Y");
  if (!plain)
    fprintf(job->out,
            "    quatf xformOp:orient = (%.9g, %.9g, %.9g, %.9g)\n    uniform token[] xformOpOrder = "
            "[\"xformOp:orient\"]\n",
            job->turn[0], job->turn[1], job->turn[2], job->turn[3]);
}

wy_status wy_export_usda(wy_export_job *job, wy_message *message) {
  int rods = job->run.rod_count, bodies = job->run.body_count, count = rods + bodies + job->run.strands_count;
  char **names = wy_memory_take(job->memory, (size_t)count, sizeof *names);
  bool tubes = job->def.shape == WY_EXPORT_TUBES;
  wy_status status = wy_export_begin(job, job->def.path, message);
  if (status != WY_OK)
    return status;
  write_head(job);
  for (int i = 0; i < count && status == WY_OK; i++) {
    const wy_scene_body *body = i >= rods && i < rods + bodies ? &job->run.bodies[i - rods] : NULL;
    const wy_scene_strands *strands = i < rods + bodies ? NULL : &job->run.strands[i - rods - bodies];
    const char *own_name = strands ? strands->name : body ? body->name : job->poses[i].rod->name;
    names[i] = name_of(job, own_name, names, i);
    begin_prim(job, body || (tubes && !strands) ? "Mesh" : "BasisCurves", names[i], own_name, i);
    status = strands ? write_strands(job, strands, message)
             : body  ? write_body(job, body, message)
             : tubes ? write_tube(job, &job->poses[i], message)
                     : write_curve(job, &job->poses[i], message);
    fputs("    }\n", job->out);
  }
  fputs("}\n", job->out);
  return wy_export_end(job, status, message);
}
