/* SPDX-License-Identifier: MIT */
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

static int enter(int argc, char **argv);

enum { FRAMES = WY_LONG_ONLY };

const wy_verb wy_verb_view = {
    .name = "view",
    .summary = "make a page that plays a run in 3D in any browser",
    .operands = {{.name = "DIR", .kind = WY_ARGUMENT_FOLDER}},
    .text = "Makes an HTML page that plays a run in 3D in any browser, offline. DIR is the folder of its results. The "
            "run may have failed, it may have been interrupted, or it may still be in progress: the page shows the "
            "snapshots so far.\n",
    .options =
        {{.code = 'o',
          .name = "output",
          .argument = {.name = "FILE", .kind = WY_ARGUMENT_FILE},
          .text = "the page (default: DIR/view.html)"},
         {.code = FRAMES,
          .name = "frames",
          .argument = {.name = "N"},
          .text =
              "show at most N snapshots, 2 or more (default: all, or as many as fit into 60 MB; of batches 30 MB)"}},
    .exits = {"the page is written", "the page cannot be written",
              "DIR contains no run, a file in it is damaged, or an option is wrong"},
    .run = enter,
};

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

static int enter(int argc, char **argv) {
  const char *file = NULL;
  long long frames = 0;
  for (int option; (option = wy_verb_option(argc, argv, &wy_verb_view)) != -1;) {
    switch (option) {
    case 'o':
      file = optarg;
      break;
    case FRAMES:
      frames = read_frames(optarg);
      if (frames == 0)
        return wy_verb_usage(&wy_verb_view, "--frames is '%s'; expected a whole number of at least 2", optarg);
      break;
    case WY_OPTION_HELP:
      return WY_EXIT_DONE;
    default:
      return WY_EXIT_INPUT;
    }
  }
  if (argc - optind != 1)
    return wy_verb_usage(&wy_verb_view, argc == optind ? "no run is given; expected its folder"
                                                       : "found several folders; expected one");
  if (file && !*file)
    return wy_verb_usage(&wy_verb_view, "-o needs the name of a file");
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
