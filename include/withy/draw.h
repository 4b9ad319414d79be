/* Pictures and pages of a run, from the folder that it wrote (withy/folder.h). Part of libwithy_draw.

     wy_folder *folder;
     if (wy_folder_open("pendulum.out", &folder, &message) == WY_OK)
       wy_draw_page(folder, "pendulum.html", 0, &message);
     wy_folder_close(folder);

   Nothing here prints. */
#ifndef WITHY_DRAW_H
#define WITHY_DRAW_H

#include "withy/folder.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes one HTML page that plays the run in 3D in any browser, offline. If the function fails, no page is left. The
   page shows at most `snapshots` snapshots; this number is 2 or more, or 0 for all snapshots, or as many as fit into a
   page of 60 MB.
   WY_ERROR_INPUT: the run has no snapshots, or a file of it is damaged; WY_ERROR_FILE: a file cannot be read, or the
   page cannot be written. */
WY_API wy_status wy_draw_page(wy_folder *folder, const char *path, long long snapshots, wy_message *message);

/* Which files wy_draw_plots writes. */
typedef struct wy_plots_def {
  uint32_t cookie;
  /* One picture with everything: its path with the ending .svg or .png, or without one for both. NULL: a picture of
     each kind, as .svg and .png, and index.html with all of them, in the folder of the run. */
  const char *file;
  bool keep_script; /* also write the gnuplot script, which contains the data, into the folder of the pictures */
  void (*wrote)(void *context, const char *path); /* called for every file after all files are written; may be NULL */
  void *context;
} wy_plots_def;

/* Pictures in the folder of the run, no script. */
WY_API wy_plots_def wy_default_plots_def(void);

/* Draws the run with gnuplot. WY_ERROR_SUPPORT: gnuplot is not installed. WY_ERROR_INPUT: there is nothing to draw, or
   the folder of `file` does not exist. WY_ERROR_FILE: a file cannot be read or written, or gnuplot fails. */
WY_API wy_status wy_draw_plots(wy_folder *folder, const wy_plots_def *def, wy_message *message);

#ifdef __cplusplus
}
#endif
#endif
