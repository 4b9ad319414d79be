/* withy view: one page that plays a run in 3D. What is in it is made by draw/scene/. */
#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/embedded.h"
#include "cli/gnuplot.h"
#include "draw/scene/scene.h"

static const char help[] =
    "usage: withy view DIR [-o FILE.html] [--frames N]\n"
    "\n"
    "Makes one HTML page that plays a run in 3D in any browser, offline. DIR is the folder that `withy run` wrote.\n"
    "The run may have failed, been interrupted, or still be going on: what is complete is shown.\n"
    "\n"
    "  -o, --output FILE   the page (default: DIR/view.html)\n"
    "      --frames N      show at most N frames, 2 or more (default: all, or as many as fit into a page of 60 MB)\n"
    "  -h, --help          show this help\n";

static char *join_pieces(const wy_embedded_file *file) {
  char *text = malloc(file->size + 1);
  if (!text) {
    fputs("withy: out of memory\n", stderr);
    exit(WY_EXIT_FAILED);
  }
  for (size_t at = 0; at < file->size; at += file->piece) {
    size_t left = file->size - at;
    memcpy(text + at, file->pieces[at / file->piece], left < file->piece ? left : file->piece);
  }
  text[file->size] = '\0';
  return text;
}

static int view(const char *folder, const char *path, long long frames) {
  char *page = join_pieces(&wy_view_page);
  wy_scene_def def = {.folder = folder, .page = page, .path = path, .frames = frames};
  wy_message message = {.text = ""};
  wy_status status = wy_scene_write(&def, &message);
  if (status == WY_OK)
    printf("%s\n", path);
  else
    fprintf(stderr, "withy view: %s\n", message.text);
  free(page);
  return status == WY_OK ? WY_EXIT_DONE : status == WY_ERROR_INPUT ? WY_EXIT_INPUT : WY_EXIT_FAILED;
}

/* A whole number of at least 2, or 0 where the text is none. */
static long long read_frames(const char *text) {
  char *end;
  errno = 0;
  long long number = strtoll(text, &end, 10);
  return errno || end == text || *end || number < 2 ? 0 : number;
}

/* Can the page be written there? Prints why not. */
static bool is_place(const char *path) {
  char *copy = wy_cli_text("%s%s", path, ""), *folder = dirname(copy);
  bool has_folder = wy_cli_is_folder(folder), is_folder = wy_cli_is_folder(path);
  if (!has_folder)
    fprintf(stderr, "withy view: there is no folder %s for the page\n", folder);
  if (is_folder)
    fprintf(stderr, "withy view: %s is a folder; -o takes the name of the page\n", path);
  free(copy);
  return has_folder && !is_folder;
}

int wy_cli_view(int argc, char **argv) {
  static const struct option options[] = {
      {"output", required_argument, NULL, 'o'}, {"frames", required_argument, NULL, 'F'}, {NULL, 0, NULL, 0}};
  const char *file = NULL;
  long long frames = 0;
  for (int option; (option = wy_cli_option(argc, argv, help, "o:", options)) != -1;) {
    switch (option) {
    case 'o':
      file = optarg;
      break;
    case 'F':
      frames = read_frames(optarg);
      if (frames == 0)
        return wy_cli_usage(help, "--frames is '%s'; expected a whole number of at least 2", optarg);
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
  if (file && !is_place(file))
    return WY_EXIT_INPUT;
  const char *folder = argv[optind];
  char *path = file ? wy_cli_text("%s%s", file, "") : wy_cli_path(folder, "view.html");
  int status = view(folder, path, frames);
  free(path);
  return status;
}
