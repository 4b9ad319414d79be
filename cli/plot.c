/* SPDX-License-Identifier: MIT */
/* withy plot: pictures of a run's folder, by draw/plot/. */
#include <stdio.h>
#include <unistd.h>

#include "cli/cli.h"
#include "withy/draw.h"

static int enter(int argc, char **argv);

enum { SCRIPT = WY_LONG_ONLY };

const wy_verb wy_verb_plot = {
    .name = "plot",
    .summary = "draw pictures of a run or a sweep",
    .operands = {{.name = "DIR", .kind = WY_ARGUMENT_FOLDER}},
    .text = "Draws a run. DIR is the folder of its results. The run may have failed, or it may have been interrupted. "
            "If DIR is the folder of a sweep, its page is drawn again: DIR/index.html, and each picture as .svg.\n"
            "\n"
            "Without -o, the pictures are written into DIR, each as .svg and .png:\n"
            "- snapshots: centrelines at several times\n"
            "- strands: strands of hair at several times\n"
            "- curvature: bending and twist as functions of arc length and time\n"
            "- moment: bending moment and torque as functions of arc length and time\n"
            "- energy: the energies, and the error of the energy balance\n"
            "- probes: the probes as functions of time\n"
            "- steps: step sizes, rejected steps and Newton iterations of the solver\n"
            "- shape: the centrelines of a single equilibrium\n"
            "- forces: forces and moments along the rods of a single equilibrium\n"
            "- modes: vibration or buckling modes\n"
            "\n"
            "The page DIR/index.html shows all pictures, the summary and the scenario in any browser. It has a link to "
            "the 3D page if `withy view DIR` has made one.\n",
    .options = {{.code = 'o',
                 .name = "output",
                 .argument = {.name = "FILE", .kind = WY_ARGUMENT_FILE},
                 .text = "draw one picture with everything and no page. If FILE ends in .svg or .png only this format "
                         "is written, else both"},
                {.code = SCRIPT,
                 .name = "script",
                 .text = "also write the gnuplot script, which contains the data: plot.gnuplot, or FILE.gnuplot with "
                         "-o"}},
    .exits = {"the pictures are drawn", "gnuplot is missing, or a file cannot be written",
              "DIR contains no run and no sweep, or a file in it is damaged"},
    .notes = "Needs gnuplot (Debian package gnuplot-nox).\n",
    .run = enter,
};

static void print_file(void *context, const char *path) {
  (void)context;
  puts(path);
}

static int exit_status(wy_status status, const wy_message *message) {
  if (status != WY_OK)
    fprintf(stderr, "withy plot: %s\n", message->text);
  return status == WY_OK ? WY_EXIT_DONE : status == WY_ERROR_INPUT ? WY_EXIT_INPUT : WY_EXIT_FAILED;
}

static bool is_sweep(const char *folder) {
  char path[4096];
  return snprintf(path, sizeof path, "%s/sweep.json", folder) < (int)sizeof path && access(path, F_OK) == 0;
}

static int plot_sweep(const char *folder) {
  wy_message message = {.text = ""};
  const wy_status status = wy_draw_sweep(folder, NULL, &message);
  if (status == WY_OK)
    printf("%s/index.html\n", folder);
  return exit_status(status, &message);
}

static int plot(const char *path, const char *file, bool keep_script) {
  wy_folder *folder = NULL;
  wy_message message = {.text = ""};
  wy_plots_def def = wy_default_plots_def();
  def.file = file;
  def.keep_script = keep_script;
  def.wrote = print_file;
  wy_status status = wy_folder_open(path, &folder, &message);
  if (status == WY_OK)
    status = wy_draw_plots(folder, &def, &message);
  wy_folder_close(folder);
  return exit_status(status, &message);
}

static int enter(int argc, char **argv) {
  const char *file = NULL;
  bool keep_script = false;
  for (int option; (option = wy_verb_option(argc, argv, &wy_verb_plot)) != -1;) {
    switch (option) {
    case 'o':
      file = optarg;
      break;
    case SCRIPT:
      keep_script = true;
      break;
    case WY_OPTION_HELP:
      return WY_EXIT_DONE;
    default:
      return WY_EXIT_INPUT;
    }
  }
  if (argc - optind != 1)
    return wy_verb_usage(&wy_verb_plot, argc == optind ? "no run is given; expected its folder"
                                                       : "found several folders; expected one");
  if (file && !*file)
    return wy_verb_usage(&wy_verb_plot, "-o needs the name of a file");
  if (is_sweep(argv[optind]) && (file || keep_script))
    return wy_verb_usage(&wy_verb_plot, "%s is the folder of a sweep: its page takes no options", argv[optind]);
  return is_sweep(argv[optind]) ? plot_sweep(argv[optind]) : plot(argv[optind], file, keep_script);
}
