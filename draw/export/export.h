/* SPDX-License-Identifier: MIT */
/* What the formats of wy_export share. Inner header of draw/export/: export.c checks the definition and chooses rods
   and snapshots, pose.c reads them, tube.c and body.c make surfaces; glb*.c, obj.c, csv.c and usda.c write the files.
 */
#ifndef WY_DRAW_EXPORT_EXPORT_H
#define WY_DRAW_EXPORT_EXPORT_H

#include "draw/body.h"
#include "draw/scene/run.h"
#include "run/results/file.h"
#include "withy/draw.h"

/* A rod in one snapshot, in the axes of the run, with def.scale. */
typedef struct wy_export_pose {
  const wy_scene_rod *rod;
  int points;             /* of the rod */
  wy_scene_places frames; /* where the points are among the frames of the file */
  const double *half;     /* [points][2] half extents of the section along d1 and d2 */
  double low[3], high[3]; /* of the rod in all exported snapshots; wy_export_bounds fills them in */
  double *stored;         /* room for the frames of the file */
  /* Filled in by wy_export_read: [points][3], and [points][4] unit quaternions. */
  double *position, *rotation;
} wy_export_pose;

enum { WY_EXPORT_TEXTS = 12, WY_EXPORT_MOST_SIDES = 256 };

/* An export in the making. export.c fills it in before a format sees it. */
typedef struct wy_export_job {
  wy_export_def def; /* shape and path are chosen: neither WY_EXPORT_USUAL nor NULL */
  wy_memory *memory;
  wy_scene_run run;               /* rods and strands: those that are exported */
  wy_export_pose *poses;          /* of the rods */
  double *strands;                /* room for the points of any strands in one snapshot */
  int first;                      /* the only snapshot, counted in the file, if def.at chooses one; else 0 */
  int snapshots;                  /* to be exported: 1 or more */
  double up[3];                   /* unit vector along an axis of the run */
  double turn[4];                 /* quaternion of the rotation that takes `up` to y */
  wy_text texts[WY_EXPORT_TEXTS]; /* of the format; export.c frees them */
  /* The file that is being written; `out` is NULL between files. */
  FILE *out;
  const char *path, *part;
} wy_export_job;

/* ---- Files: export.c ---- */

/* def.path with a dot and `between` before its ending. */
const char *wy_export_path(wy_export_job *job, const char *between);
/* Begins a file, and ends it: job->out is open between the two. Where `status` is not WY_OK, nothing is left of it. */
wy_status wy_export_begin(wy_export_job *job, const char *path, wy_message *message);
wy_status wy_export_end(wy_export_job *job, wy_status status, wy_message *message);

/* Writes a text that a file of a run has, with spaces for control characters, so that it stays on its line, and a
   backslash before each character of `special`. */
void wy_export_words(FILE *out, const char *text, const char *special);

/* ---- Snapshots: pose.c ---- */

/* The time of the k-th exported snapshot, in the run. */
double wy_export_time(const wy_export_job *job, int k);

/* Makes job->poses and job->strands, with nothing read yet. */
void wy_export_prepare(wy_export_job *job);
/* Reads snapshot k of a rod. Where k is not 0, the pose must hold an earlier snapshot: of the two quaternions of a
   rotation the one that is nearer to it is taken. */
wy_status wy_export_read(const wy_export_job *job, wy_export_pose *pose, int k, wy_message *message);
/* Reads snapshot k of strands into job->strands, [lines][points][3]. */
wy_status wy_export_read_strands(const wy_export_job *job, const wy_scene_strands *strands, int k, wy_message *message);
/* A field in snapshot k; lengths are multiplied by `scale`. */
wy_status wy_export_field(const wy_export_job *job, const wy_stored_field *field, int k, double scale, double *out,
                          wy_message *message);
/* The pose of a body in snapshot k, likewise: `rotation` is that of the snapshot before where k is not 0. */
wy_status wy_export_read_body(const wy_export_job *job, const wy_scene_body *body, int k, double position[3],
                              double rotation[4], wy_message *message);
/* The bounds of each rod, and those of the run (without scale). */
wy_status wy_export_bounds(wy_export_job *job, wy_message *message);

/* The radius of the section at point i; half the smaller side of a rectangle. */
double wy_export_radius(const wy_export_pose *pose, int i);

/* A vector of the run with y up, as job->turn makes it, without rounding. */
void wy_export_upright(const wy_export_job *job, const double in[3], double out[3]);
/* Red, green and blue of a rod, linear. */
void wy_export_colour(int rod, double rgb[3]);

/* ---- Surfaces: tube.c ---- */

/* The outline of a section. */
typedef struct wy_export_outline {
  int corners;
  bool sharp;           /* the edges along the rod are seen */
  const double *corner; /* [corners][2] in half extents along d1 and d2, in the sense from d1 to d2 */
} wy_export_outline;

wy_export_outline wy_export_outline_of(const wy_export_job *job, const wy_scene_rod *rod);
/* The corners of all sections, [points][corners][3]. */
void wy_export_tube(const wy_export_pose *pose, const wy_export_outline *outline, double *out);
/* The quadrilaterals between sections, then the first and the last section. Each is handed to `face` with its corners,
   counted from 0 along the tube, anticlockwise as seen from outside. */
typedef void (*wy_export_face)(void *context, const int *corners, int count);
void wy_export_faces(int points, const wy_export_outline *outline, wy_export_face face, void *context);

/* The surface of a body in its own axes, with def.scale: rings of corners, joined as wy_export_faces does. */
typedef struct wy_export_surface {
  wy_export_outline outline;
  int rings;
  const double *corners; /* [rings][outline.corners][3] */
} wy_export_surface;

wy_export_surface wy_export_solid(wy_export_job *job, const wy_scene_body *body);

/* ---- Formats ---- */

wy_status wy_export_glb(wy_export_job *job, wy_message *message);
wy_status wy_export_obj(wy_export_job *job, wy_message *message);
wy_status wy_export_csv(wy_export_job *job, wy_message *message);
wy_status wy_export_usda(wy_export_job *job, wy_message *message);

#endif
