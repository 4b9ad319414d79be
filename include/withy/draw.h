/* SPDX-License-Identifier: MIT */
/* Pictures, pages and files for other programs of a run, from the folder that it wrote (withy/folder.h). Part of
   libwithy_draw.

     wy_folder *folder;
     if (wy_folder_open("pendulum.out", &folder, &message) == WY_OK)
       wy_draw_page(folder, "pendulum.html", 0, &message);
     wy_folder_close(folder);

   Nothing here prints. */
#ifndef WITHY_DRAW_H
#define WITHY_DRAW_H

#include "withy/converge.h"
#include "withy/folder.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes one HTML page that plays the run in 3D in any browser, offline. If the function fails, no page is left. The
   page shows at most `snapshots` snapshots; this number is 2 or more, or 0 for all snapshots, or as many as fit into a
   page of 60 MB, of batches 30 MB.
   WY_ERROR_INPUT: the run has no snapshots, or a file of it is damaged; WY_ERROR_FILE: a file cannot be read, or the
   page cannot be written. */
WY_API wy_status wy_draw_page(wy_folder *folder, const char *path, long long snapshots, wy_message *message);

/* Which files wy_draw_plots writes. */
typedef struct wy_plots_def {
  uint32_t cookie, size; /* set by wy_default_plots_def */
  /* One picture with everything: its path with the ending .svg or .png, or without one for both. NULL: a picture of
     each kind, as .svg and .png, and index.html with all of them, in the folder of the run. */
  const char *file;
  bool keep_script; /* also write the gnuplot script, which contains the data, into the folder of the pictures */
  void (*wrote)(void *context, const char *path); /* called for every file after all files are written; may be NULL */
  void *context;
} wy_plots_def;

/* Fills the first `size` bytes of a definition with defaults (withy/definition.h). */
WY_API void wy_init_plots_def(wy_plots_def *def, size_t size);
/* Pictures in the folder of the run, no script. */
static inline wy_plots_def wy_default_plots_def(void) {
  wy_plots_def def;
  wy_init_plots_def(&def, sizeof def);
  return def;
}

/* Draws the run with gnuplot. WY_ERROR_SUPPORT: gnuplot is not installed. WY_ERROR_INPUT: there is nothing to draw, or
   the folder of `file` does not exist. WY_ERROR_FILE: a file cannot be read or written, or gnuplot fails. */
WY_API wy_status wy_draw_plots(wy_folder *folder, const wy_plots_def *def, wy_message *message);

/* ---- Sweeps ---- */

/* Writes one HTML page of a sweep, from sweep.json and sweep.csv in its folder: curves, maps, parallel coordinates,
   scatter, histograms and convergence, as the plan calls for; what failed, with messages; all rows with the commands
   that repeat them. Each picture is also an SVG file beside the page. A page has at most 40 pictures and 2000 rows, and
   says what it leaves out. `path` may be NULL: FOLDER/index.html. If the function fails, no page is left.
   WY_ERROR_INPUT: it is not the folder of a sweep, sweep.csv is missing, or a file is damaged; WY_ERROR_FILE: a file
   cannot be read or written. */
WY_API wy_status wy_draw_sweep(const char *folder, const char *path, wy_message *message);

/* ---- Convergence ---- */

/* Writes a page with the table of an examination and charts of the errors against the resolution.
   WY_ERROR_INPUT: the report has no results, or there is no folder for the file. WY_ERROR_FILE: it cannot be written.
 */
WY_API wy_status wy_draw_converge(const wy_converge_report *report, const char *path, wy_message *message);

/* ---- Files for other programs ---- */

/* The formats of wy_export. */
typedef enum wy_export_format {
  WY_EXPORT_GLB, /* glTF 2.0, binary: tubes that move, strands as lines */
  WY_EXPORT_OBJ, /* Wavefront: tubes or lines, one file for each snapshot */
  WY_EXPORT_CSV, /* tables of centrelines with frames, one file for each rod and for each group of strands */
  WY_EXPORT_USDA /* USD as text: curves or tubes that move */
} wy_export_format;

/* What rods become. */
typedef enum wy_export_shape {
  WY_EXPORT_USUAL, /* tubes in GLB and OBJ, lines in CSV and USDA */
  WY_EXPORT_TUBES, /* not in CSV */
  WY_EXPORT_LINES  /* not in GLB */
} wy_export_shape;

/* What wy_export writes. */
typedef struct wy_export_def {
  uint32_t cookie, size; /* set by wy_default_export_def */
  wy_export_format format;
  /* The file; NULL: result.FORMAT in the folder of the run. Where there are several files, their number or the name of
     their rod stands before the ending: result.0012.obj, result.arm.csv. */
  const char *path;
  wy_export_shape shape;
  const char *rod; /* only this rod, without strands; NULL: everything */
  double at;       /* only the snapshot nearest to this time; NAN: all */
  int snapshots;   /* at most so many, 2 or more; 0: all */
  int sides;       /* of tubes with round sections: 3 to 256 */
  char up;         /* the axis of the run that points up: 'x', 'y' or 'z'; 0: against gravity, without it z, or y for
                      motions in the x-y plane */
  double scale;    /* all lengths are multiplied by it */
  double speed;    /* of the motion: time in the file is time of the run / speed. Not in CSV */
  void (*wrote)(void *context, const char *path); /* called for every file after it is written; may be NULL */
  void *context;
} wy_export_def;

/* Fills the first `size` bytes of a definition with defaults (withy/definition.h). */
WY_API void wy_init_export_def(wy_export_def *def, size_t size);
/* GLB, all snapshots, 16 sides, scale and speed 1. */
static inline wy_export_def wy_default_export_def(void) {
  wy_export_def def;
  wy_init_export_def(&def, sizeof def);
  return def;
}
/* "glb", "obj", "csv", "usda": also the endings of the files. NULL for any other value. */
WY_API const char *wy_export_format_name(wy_export_format format);

/* Writes a run for other programs. A file that cannot be written to its end is not left behind, and an older file of
   this name stays. Positions are those of result.h5, in single precision except for CSV; frames are taken to the places
   of the positions, and their quaternions do not change sign in the course of time.
   WY_ERROR_INPUT: the definition is wrong, there is no such rod or no snapshot, a file of the run is damaged, or there
   is no folder for the file. WY_ERROR_FILE: a file cannot be read or written. */
WY_API wy_status wy_export(wy_folder *folder, const wy_export_def *def, wy_message *message);

#ifdef __cplusplus
}
#endif
#endif
