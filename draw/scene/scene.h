/* The page of `withy view`: a run's folder put into a template (docs/dev/scene.md describes what is in it). */
#ifndef WY_DRAW_SCENE_SCENE_H
#define WY_DRAW_SCENE_SCENE_H

#include "withy/base.h"

/* The line of the template that the run takes the place of. */
#define WY_SCENE_MARKER "<!--withy-scene-->"

typedef struct wy_scene_def {
  const char *folder; /* of the run */
  const char *page;   /* the template */
  const char *path;   /* of the page to be written */
  long long frames;   /* show at most so many, at least 2; 0: as many as the page can hold */
} wy_scene_def;

/* Writes the page, whole or not at all. WY_ERROR_INPUT: the folder is not that of a run, has no frames, or a file of it
   is damaged; WY_ERROR_FILE: a file cannot be read, or the page cannot be written. */
wy_status wy_scene_write(const wy_scene_def *def, wy_message *message);

#endif
