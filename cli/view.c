/* withy view: one page that plays a run in 3D. What is in it is made by draw/scene/. */
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "run/results/file.h"
#include "withy/draw.h"

static const char help[] =
    "usage: withy view DIR [-o FILE.html] [--frames N]\n"
    "\n"
    "Makes an HTML page that plays a run in 3D in any browser, offline. DIR is the folder of its results. The run may\n"
    "have failed, it may have been interrupted, or it may still be in progress: the page shows the snapshots so far.\n"
    "\n"
    "  -o, --output FILE   the page (default: DIR/view.html)\n"
    "      --frames N      show at most N snapshots, 2 or more (default: all, or as many as fit into 60 MB)\n"
    "  -h, --help          print this text\n";

static int view(const char *path, const char *page, long long frames) {
  wy_folder *folder = NULL;
  wy_message message = {.text = ""};
  wy_status status = wy_folder_open(path, &folder, &message);
  if (status == WY_OK)
    status = wy_draw_page(folder, page, frames, &message);
  if (status == WY_OK)
    printf("%s\n", page);
  else
    fprintf(stderr, "withy view: %s\n", message.text);
  wy_folder_close(folder);
  return status == WY_OK ? WY_EXIT_DONE : status == WY_ERROR_INPUT ? WY_EXIT_INPUT : WY_EXIT_FAILED;
}

/* A whole number of at least 2, or 0 where the text is none. */
static long long read_frames(const char *text) {
  char *end;
  errno = 0;
  long long number = strtoll(text, &end, 10);
  return errno || end == text || *end || number < 2 ? 0 : number;
}

static bool is_folder(const char *path) {
  struct stat place;
  return stat(path, &place) == 0 && S_ISDIR(place.st_mode);
}

/* Can the page be written there? Prints why not. */
static bool is_place(const char *path) {
  wy_text copy = {0};
  wy_text_append(&copy, path, strlen(path));
  const char *folder = dirname(copy.data);
  bool within = is_folder(folder), taken = is_folder(path);
  if (!within)
    fprintf(stderr, "withy view: there is no folder %s for the page\n", folder);
  if (taken)
    fprintf(stderr, "withy view: %s is a folder; -o takes the name of the page\n", path);
  wy_text_free(&copy);
  return within && !taken;
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
    return wy_cli_usage(help, argc == optind ? "no run is given; expected its folder"
                                             : "found several folders; expected one");
  if (file && !*file)
    return wy_cli_usage(help, "-o needs the name of a file");
  if (file && !is_place(file))
    return WY_EXIT_INPUT;
  const char *folder = argv[optind];
  bool ends = *folder && folder[strlen(folder) - 1] == '/';
  wy_text page = {0};
  if (file)
    wy_text_add(&page, "%s", file);
  else
    wy_text_add(&page, "%s%sview.html", folder, ends ? "" : "/");
  int status = view(folder, page.data, frames);
  wy_text_free(&page);
  return status;
}
