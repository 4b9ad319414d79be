/* withy plot: pictures of a run's folder. Reads it, writes a gnuplot script, runs gnuplot on it and puts a page around
   the pictures. What the pictures look like is in io/plot_script.c. */
#include "io/plot.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "io/results_file.h"

static const char help[] =
    "usage: withy plot DIR [-o FILE] [--script]\n"
    "\n"
    "Draws a run. DIR is the folder that `withy run` wrote; the run may have failed or been interrupted.\n"
    "\n"
    "Without -o, the pictures go to DIR, each as .svg and .png: snapshots, strands, energy and probes of a run in\n"
    "time, shape and forces of an equilibrium, modes of vibration or buckling. With them index.html, a page with all\n"
    "of them, the run's summary and its scenario, for any browser.\n"
    "\n"
    "  -o, --output FILE   one picture with everything instead: FILE.svg or FILE.png alone if FILE has that\n"
    "                      ending, both if it has none; no page\n"
    "      --script        keep the gnuplot script, with the data inside, beside the pictures: plot.gnuplot,\n"
    "                      or FILE.gnuplot with -o\n"
    "  -h, --help          show this help\n"
    "\n"
    "Needs gnuplot (Debian package gnuplot-nox).\n";

enum { KINDS = 6 };

static const struct {
  wy_plot_kind kind;
  const char *name, *caption;
} kinds[KINDS] = {{WY_PLOT_MODES, "modes", "Modes"},       {WY_PLOT_SNAPSHOTS, "snapshots", "Motion"},
                  {WY_PLOT_STRANDS, "strands", "Strands"}, {WY_PLOT_FORCES, "forces", "Forces and moments"},
                  {WY_PLOT_ENERGY, "energy", "Energy"},    {WY_PLOT_PROBES, "probes", "Probes"}};

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

/* A new string from a format; ends the program without memory. */
static char *text(const char *format, const char *one, const char *two) {
  size_t size = strlen(format) + strlen(one) + strlen(two) + 1;
  char *result = malloc(size);
  if (!result) {
    fputs("withy plot: out of memory\n", stderr);
    exit(WY_EXIT_FAILED);
  }
  snprintf(result, size, format, one, two);
  return result;
}

static void free_job(job *j) {
  free(j->folder);
  free(j->script);
  free(j->base);
}

/* The pictures in the run's own folder: one of each kind. */
static job folder_job(const char *folder, const wy_plot_run *run) {
  unsigned present = wy_plot_kinds(run);
  job j = {.folder = text("%s%s", folder, ""), .script = text("%s%s", "plot.gnuplot", ""), .formats = "svg png"};
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
  char *copy = text("%s%s", file, ""), *again = text("%s%s", file, "");
  job j = {.folder = text("%s%s", dirname(copy), ""), .base = text("%s%s", basename(again), ""), .formats = "svg png"};
  free(copy);
  free(again);
  char *ending = strrchr(j.base, '.');
  if (ending && ending != j.base && (strcmp(ending, ".svg") == 0 || strcmp(ending, ".png") == 0)) {
    j.formats = ending[1] == 's' ? "svg" : "png";
    *ending = '\0';
  }
  j.script = text("%s%s", j.base, ".gnuplot");
  j.picture[0] = (wy_plot_picture){present, j.base};
  j.count = 1;
  return j;
}

static int write_script(const job *j, const wy_plot_run *run) {
  char *path = text("%s/%s", j->folder, j->script);
  FILE *out = fopen(path, "w");
  bool good = out != NULL;
  if (out) {
    wy_plot_script(out, run, j->picture, j->count, j->formats);
    good = !ferror(out);
    good = fclose(out) == 0 && good;
  }
  if (!good)
    fprintf(stderr, "withy plot: cannot write %s: %s\n", path, strerror(errno));
  free(path);
  return good ? WY_EXIT_DONE : WY_EXIT_FAILED;
}

/* The child: gnuplot in the pictures' folder, without the user's own settings, its complaints going to `complaints`. */
static void become_gnuplot(const job *j, int complaints) {
  char *script = text("./%s%s", j->script, "");
  char *arguments[] = {"gnuplot", "-d", script, NULL};
  int nothing = open("/dev/null", O_RDWR);
  if (chdir(j->folder) == 0) {
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    dup2(complaints, STDERR_FILENO);
    execvp("gnuplot", arguments);
  }
  _exit(errno == ENOENT ? 127 : 126);
}

static int run_gnuplot(const job *j) {
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) {
    fprintf(stderr, "withy plot: cannot start gnuplot: %s\n", strerror(errno));
    return WY_EXIT_FAILED;
  }
  pid_t child = fork();
  if (child == 0) {
    close(pipe_ends[0]);
    become_gnuplot(j, pipe_ends[1]);
  }
  close(pipe_ends[1]);
  char said[4096], spill[4096];
  size_t length = 0;
  ssize_t got = 0;
  while (child > 0 && ((got = read(pipe_ends[0], spill, sizeof spill)) > 0 || (got < 0 && errno == EINTR))) {
    size_t keep = got < 0 ? 0 : (size_t)got < sizeof said - 1 - length ? (size_t)got : sizeof said - 1 - length;
    memcpy(said + length, spill, keep);
    length += keep;
  }
  said[length] = '\0';
  close(pipe_ends[0]);
  int status = -1;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return WY_EXIT_DONE;
  if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 127)
    fputs("withy plot: gnuplot is not installed; install the package gnuplot-nox (or gnuplot)\n", stderr);
  else
    fprintf(stderr, "withy plot: gnuplot failed%s%s\n", length ? ":\n" : "", said);
  return WY_EXIT_FAILED;
}

static int write_page(const job *j, const wy_plot_run *run) {
  char *svg[KINDS] = {0};
  int status = WY_EXIT_DONE;
  for (int i = 0; i < j->count && status == WY_EXIT_DONE; i++) {
    char *name = text("%s%s", j->picture[i].name, ".svg"), *path = text("%s/%s", j->folder, name);
    wy_message message = {.text = "gnuplot left no picture"};
    size_t size;
    if (wy_file_read(path, &svg[i], &size, &message) != WY_OK || !svg[i]) {
      fprintf(stderr, "withy plot: %s: %s\n", path, message.text);
      status = WY_EXIT_FAILED;
    }
    free(path);
    free(name);
  }
  if (status == WY_EXIT_DONE) {
    char *path = text("%s/%s", j->folder, "index.html");
    FILE *out = fopen(path, "w");
    bool good = out != NULL;
    if (out) {
      wy_plot_page(out, run, (const char *const *)svg, j->caption, j->count);
      good = !ferror(out);
      good = fclose(out) == 0 && good;
    }
    if (!good) {
      fprintf(stderr, "withy plot: cannot write %s: %s\n", path, strerror(errno));
      status = WY_EXIT_FAILED;
    }
    free(path);
  }
  for (int i = 0; i < KINDS; i++)
    free(svg[i]);
  return status;
}

static void report(const job *j, bool page, bool script) {
  for (int i = 0; i < j->count; i++)
    for (const char *format = "svg png"; *format; format += format[3] ? 4 : 3)
      if (strstr(j->formats, format[0] == 's' ? "svg" : "png"))
        printf("%s/%s.%.3s\n", j->folder, j->picture[i].name, format);
  if (script)
    printf("%s/%s\n", j->folder, j->script);
  if (page)
    printf("%s/index.html\n", j->folder);
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
  struct stat place;
  int status;
  if (stat(j.folder, &place) != 0 || !S_ISDIR(place.st_mode)) {
    fprintf(stderr, "withy plot: there is no folder %s for the picture\n", j.folder);
    status = WY_EXIT_INPUT;
  } else {
    status = write_script(&j, &run);
    if (status == WY_EXIT_DONE)
      status = run_gnuplot(&j);
    if (!keep_script) {
      char *path = text("%s/%s", j.folder, j.script);
      unlink(path);
      free(path);
    }
    if (status == WY_EXIT_DONE && !file)
      status = write_page(&j, &run);
    if (status == WY_EXIT_DONE)
      report(&j, !file, keep_script);
  }
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
