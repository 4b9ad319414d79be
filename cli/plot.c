/* withy plot: pictures of a run's folder. Reads it, writes a gnuplot script, runs gnuplot on it and puts a page around
   the pictures. What the pictures look like is in draw/plot/script.c. */
#include "draw/plot/plot.h"

#include <libgen.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/gnuplot.h"

static const char help[] =
    "usage: withy plot DIR [-o FILE] [--script]\n"
    "\n"
    "Draws a run. DIR is the folder that `withy run` wrote; the run may have failed or been interrupted.\n"
    "\n"
    "Without -o, the pictures go to DIR, each as .svg and .png:\n"
    "  snapshots   centrelines of a motion or of a path of equilibria\n"
    "  strands     the strands of hair at some moments\n"
    "  curvature   maps of bending and twist along the rods over time\n"
    "  moment      the same for the moments that they bear\n"
    "  energy      kinetic, elastic and so on, and the error of their balance\n"
    "  probes      their course in time\n"
    "  steps       of the solver: sizes, rejected ones, Newton iterations\n"
    "  shape       of a single equilibrium\n"
    "  forces      forces and moments along its rods\n"
    "  modes       of vibration or buckling\n"
    "With them index.html, a page with all of them, the run's summary and its scenario, for any browser. It leads to\n"
    "the 3D page where `withy view DIR` has made one.\n"
    "\n"
    "  -o, --output FILE   one picture with everything instead: FILE.svg or FILE.png alone if FILE has that\n"
    "                      ending, both if it has none; no page\n"
    "      --script        keep the gnuplot script, with the data inside, beside the pictures: plot.gnuplot,\n"
    "                      or FILE.gnuplot with -o\n"
    "  -h, --help          show this help\n"
    "\n"
    "Needs gnuplot (Debian package gnuplot-nox).\n";

enum { KINDS = 9 };

static const struct {
  wy_plot_kind kind;
  const char *name, *caption;
} kinds[KINDS] = {{WY_PLOT_MODES, "modes", "Modes"},
                  {WY_PLOT_SNAPSHOTS, "snapshots", "Motion"},
                  {WY_PLOT_STRANDS, "strands", "Strands"},
                  {WY_PLOT_FORCES, "forces", "Forces and moments"},
                  {WY_PLOT_CURVATURE, "curvature", "Curvature over time"},
                  {WY_PLOT_MOMENT, "moment", "Moment over time"},
                  {WY_PLOT_ENERGY, "energy", "Energy"},
                  {WY_PLOT_PROBES, "probes", "Probes"},
                  {WY_PLOT_STEPS, "steps", "Steps of the solver"}};

/* What is drawn and where: all names are relative to `folder`. */
typedef struct job {
  char *folder;
  char *script;
  const char *formats;
  wy_plot_picture picture[KINDS];
  const char *caption[KINDS];
  int count;
  char *base; /* owns the name of the single picture of -o */
} job;

static void free_job(job *j) {
  free(j->folder);
  free(j->script);
  free(j->base);
}

/* The pictures in the run's own folder: one of each kind. */
static job folder_job(const char *folder, const wy_plot_run *run) {
  unsigned present = wy_plot_kinds(run);
  job j = {.folder = wy_cli_text("%s%s", folder, ""),
           .script = wy_cli_text("%s%s", "plot.gnuplot", ""),
           .formats = "svg png"};
  for (int i = 0; i < KINDS; i++) {
    if (!(present & kinds[i].kind))
      continue;
    bool equilibria = kinds[i].kind == WY_PLOT_SNAPSHOTS && run->analysis != WY_DYNAMICS;
    const char *name = run->undeformed_first && equilibria ? "shape" : kinds[i].name;
    j.caption[j.count] = !equilibria ? kinds[i].caption : run->undeformed_first ? "Shape" : "Equilibria";
    j.picture[j.count++] = (wy_plot_picture){kinds[i].kind, name};
  }
  return j;
}

/* One picture of all kinds, with the name that the user gave. */
static job file_job(const char *file, unsigned present) {
  char *copy = wy_cli_text("%s%s", file, ""), *again = wy_cli_text("%s%s", file, "");
  job j = {.folder = wy_cli_text("%s%s", dirname(copy), ""),
           .base = wy_cli_text("%s%s", basename(again), ""),
           .formats = "svg png"};
  free(copy);
  free(again);
  char *ending = strrchr(j.base, '.');
  if (ending && ending != j.base && (strcmp(ending, ".svg") == 0 || strcmp(ending, ".png") == 0)) {
    j.formats = ending[1] == 's' ? "svg" : "png";
    *ending = '\0';
  }
  j.script = wy_cli_text("%s%s", j.base, ".gnuplot");
  j.picture[0] = (wy_plot_picture){present, j.base};
  j.count = 1;
  return j;
}

/* What the writers of script and page need. */
typedef struct drawing {
  const job *job;
  const wy_plot_run *run;
  char *svg[KINDS]; /* for the page */
} drawing;

static void write_script(FILE *out, const void *what) {
  const drawing *d = what;
  wy_plot_script(out, d->run, d->job->picture, d->job->count, d->job->formats);
}

static void write_html(FILE *out, const void *what) {
  const drawing *d = what;
  wy_plot_page(out, d->run, (const char *const *)d->svg, d->job->caption, d->job->count);
}

static int write_page(drawing *d) {
  int status = WY_EXIT_DONE;
  for (int i = 0; i < d->job->count && status == WY_EXIT_DONE; i++) {
    d->svg[i] = wy_gnuplot_picture("plot", d->job->folder, d->job->picture[i].name);
    status = d->svg[i] ? WY_EXIT_DONE : WY_EXIT_FAILED;
  }
  if (status == WY_EXIT_DONE)
    status = wy_cli_write("plot", d->job->folder, "index.html", write_html, d);
  for (int i = 0; i < KINDS; i++)
    free(d->svg[i]);
  return status;
}

static void report_file(const char *folder, const char *name) {
  char *path = wy_cli_path(folder, name);
  puts(path);
  free(path);
}

static int draw(const job *j, const wy_plot_run *run, bool page, bool keep_script) {
  drawing d = {.job = j, .run = run};
  wy_gnuplot_status drawn = wy_gnuplot_draw("plot", j->folder, j->script, keep_script, write_script, &d);
  if (drawn == WY_GNUPLOT_MISSING)
    fprintf(stderr, "withy plot: %s\n", wy_gnuplot_advice);
  if (drawn != WY_GNUPLOT_DONE || (page && write_page(&d) != WY_EXIT_DONE))
    return WY_EXIT_FAILED;
  for (int i = 0; i < j->count; i++)
    wy_gnuplot_report(j->folder, j->picture[i].name, j->formats);
  if (keep_script)
    report_file(j->folder, j->script);
  if (page)
    report_file(j->folder, "index.html");
  return WY_EXIT_DONE;
}

static int plot(const char *folder, const char *file, bool keep_script) {
  wy_plot_run run;
  wy_message message = {.text = ""};
  wy_status read = wy_plot_read(folder, &run, &message);
  if (read != WY_OK) {
    fprintf(stderr, "withy plot: %s\n", message.text);
    wy_plot_free(&run);
    return read == WY_ERROR_INPUT ? WY_EXIT_INPUT : WY_EXIT_FAILED;
  }
  job j = file ? file_job(file, wy_plot_kinds(&run)) : folder_job(folder, &run);
  int status = WY_EXIT_INPUT;
  if (wy_cli_is_folder(j.folder))
    status = draw(&j, &run, !file, keep_script);
  else
    fprintf(stderr, "withy plot: there is no folder %s for the picture\n", j.folder);
  free_job(&j);
  wy_plot_free(&run);
  return status;
}

int wy_cli_plot(int argc, char **argv) {
  static const struct option options[] = {
      {"output", required_argument, NULL, 'o'}, {"script", no_argument, NULL, 'S'}, {NULL, 0, NULL, 0}};
  const char *file = NULL;
  bool keep_script = false;
  for (int option; (option = wy_cli_option(argc, argv, help, "o:", options)) != -1;) {
    switch (option) {
    case 'o':
      file = optarg;
      break;
    case 'S':
      keep_script = true;
      break;
    case WY_OPTION_HELP:
      return WY_EXIT_DONE;
    default:
      return WY_EXIT_INPUT;
    }
  }
  if (argc - optind != 1)
    return wy_cli_usage(help, argc == optind ? "which run? give its folder" : "one folder at a time");
  if (file && !*file)
    return wy_cli_usage(help, "-o needs the name of a file");
  return plot(argv[optind], file, keep_script);
}
