/* withy plot: pictures of a run's folder, by draw/plot/. */
#include <stdio.h>

#include "cli/cli.h"
#include "withy/draw.h"

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

static void print_file(void *context, const char *path) {
  (void)context;
  puts(path);
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
  if (status != WY_OK)
    fprintf(stderr, "withy plot: %s\n", message.text);
  wy_folder_close(folder);
  return status == WY_OK ? WY_EXIT_DONE : status == WY_ERROR_INPUT ? WY_EXIT_INPUT : WY_EXIT_FAILED;
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
