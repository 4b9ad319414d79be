/* SPDX-License-Identifier: MIT */
/* The files of `withy plot`: pictures by gnuplot, and a page around them. */
#include <libgen.h>
#include <string.h>
#include <sys/stat.h>

#include "draw/gnuplot.h"
#include "draw/plot/plot.h"
#include "run/results/file.h"
#include "withy/draw.h"

enum { KINDS = 11 };
static const uint32_t initialised = 0x706c6f32; /* "plo2" */
WY_DEF_ENDS_WITH(wy_plots_def, context);

static const struct {
  wy_plot_kind kind;
  const char *name, *caption;
} kinds[KINDS] = {{WY_PLOT_MODES, "modes", "Modes"},
                  {WY_PLOT_SNAPSHOTS, "snapshots", "Motion"},
                  {WY_PLOT_STRANDS, "strands", "Strands"},
                  {WY_PLOT_TIPS, "tips", "Tips"},
                  {WY_PLOT_BANDS, "bands", "Probes of batches"},
                  {WY_PLOT_FORCES, "forces", "Forces and moments"},
                  {WY_PLOT_CURVATURE, "curvature", "Curvature over time"},
                  {WY_PLOT_MOMENT, "moment", "Moment over time"},
                  {WY_PLOT_ENERGY, "energy", "Energy"},
                  {WY_PLOT_PROBES, "probes", "Probes"},
                  {WY_PLOT_STEPS, "steps", "Steps of the solver"}};

/* What is drawn and where: all names are relative to `folder`. */
typedef struct job {
  const wy_plots_def *def;
  wy_plot_run run;
  const char *folder, *script, *formats;
  wy_plot_picture picture[KINDS];
  const char *caption[KINDS];
  int count;
  char *svg[KINDS]; /* for the page */
} job;

/* The pictures in the run's own folder: one of each kind. */
static void plan_folder(job *j) {
  const wy_plot_run *run = &j->run;
  unsigned present = wy_plot_kinds(run);
  j->folder = wy_folder_path(run->folder);
  j->script = "plot.gnuplot";
  j->formats = "svg png";
  for (int i = 0; i < KINDS; i++) {
    if (!(present & kinds[i].kind))
      continue;
    bool equilibria = kinds[i].kind == WY_PLOT_SNAPSHOTS && run->analysis != WY_DYNAMICS;
    const char *name = run->undeformed_first && equilibria ? "shape" : kinds[i].name;
    j->caption[j->count] = !equilibria ? kinds[i].caption : run->undeformed_first ? "Shape" : "Equilibria";
    j->picture[j->count++] = (wy_plot_picture){kinds[i].kind, name};
  }
}

/* One picture of all kinds, with the name that the user gave. */
static void plan_file(wy_memory *memory, job *j) {
  const char *file = j->def->file;
  char *base = basename(wy_memory_copy(memory, file, strlen(file))), *ending = strrchr(base, '.');
  j->folder = dirname(wy_memory_copy(memory, file, strlen(file)));
  j->formats = "svg png";
  if (ending && ending != base && (strcmp(ending, ".svg") == 0 || strcmp(ending, ".png") == 0)) {
    j->formats = ending[1] == 's' ? "svg" : "png";
    *ending = '\0';
  }
  j->script = wy_memory_print(memory, "%s.gnuplot", base);
  j->picture[0] = (wy_plot_picture){wy_plot_kinds(&j->run), base};
  j->count = 1;
}

static void write_script(FILE *out, const void *what) {
  const job *j = what;
  wy_plot_script(out, &j->run, j->picture, j->count, j->formats);
}

static void write_html(FILE *out, const void *what) {
  const job *j = what;
  wy_plot_page(out, &j->run, j->svg, j->caption, j->count);
}

static wy_status write_page(wy_memory *memory, job *j, wy_message *message) {
  wy_status status = WY_OK;
  for (int i = 0; i < j->count && status == WY_OK; i++)
    status = wy_gnuplot_picture(memory, j->folder, j->picture[i].name, &j->svg[i], message);
  return status == WY_OK ? wy_draw_write(memory, j->folder, "index.html", write_html, j, message) : status;
}

static void report(wy_memory *memory, const job *j, const char *name, const char *ending) {
  const char *path = wy_draw_join(memory, j->folder, wy_memory_print(memory, "%s%s", name, ending));
  if (j->def->wrote)
    j->def->wrote(j->def->context, path);
}

static void report_all(wy_memory *memory, const job *j) {
  for (int i = 0; i < j->count; i++) {
    if (strstr(j->formats, "svg"))
      report(memory, j, j->picture[i].name, ".svg");
    if (strstr(j->formats, "png"))
      report(memory, j, j->picture[i].name, ".png");
  }
  if (j->def->keep_script)
    report(memory, j, j->script, "");
  if (!j->def->file)
    report(memory, j, "index.html", "");
}

static wy_status draw(wy_folder *folder, wy_memory *memory, job *j, wy_message *message) {
  struct stat place;
  if (setjmp(memory->begin) != 0)
    return wy_memory_failed(message);
  wy_status status = wy_plot_gather(folder, memory, &j->run, message);
  if (status != WY_OK)
    return status;
  if (j->def->file)
    plan_file(memory, j);
  else
    plan_folder(j);
  if (stat(j->folder, &place) != 0 || !S_ISDIR(place.st_mode))
    return wy_results_fail(message, WY_ERROR_INPUT, "there is no folder %s for the picture", j->folder);
  status = wy_gnuplot_draw(memory, j->folder, j->script, j->def->keep_script, write_script, j, message);
  if (status == WY_OK && !j->def->file)
    status = write_page(memory, j, message);
  if (status == WY_OK)
    report_all(memory, j);
  return status;
}

void wy_init_plots_def(wy_plots_def *def, size_t size) {
  const wy_plots_def usual = {.cookie = initialised, .size = sizeof usual};
  wy_def_fill(def, size, &usual);
}

wy_status wy_draw_plots(wy_folder *folder, const wy_plots_def *given, wy_message *message) {
  wy_plots_def own = wy_default_plots_def();
  const wy_plots_def *def = wy_def_read(given, &own, "plots", "", message);
  if (!def)
    return WY_ERROR_INPUT;
  if (!folder || (def->file && !def->file[0]))
    return wy_results_fail(message, WY_ERROR_INPUT, "found no %s; expected one",
                           folder ? "name of the picture" : "folder of a run");
  wy_memory memory = {0};
  job j = {.def = def};
  wy_status status = draw(folder, &memory, &j, message);
  wy_memory_release(&memory);
  return status;
}
