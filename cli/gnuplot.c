#include "cli/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "run/results/file.h"

const char wy_gnuplot_advice[] = "gnuplot is not installed; install the package gnuplot-nox (or gnuplot)";

char *wy_cli_text(const char *format, const char *one, const char *two) {
  size_t size = strlen(format) + strlen(one) + strlen(two) + 1;
  char *result = malloc(size);
  if (!result) {
    fputs("withy: out of memory\n", stderr);
    exit(WY_EXIT_FAILED);
  }
  snprintf(result, size, format, one, two);
  return result;
}

char *wy_cli_path(const char *folder, const char *name) {
  bool ends = *folder && folder[strlen(folder) - 1] == '/';
  return wy_cli_text(ends ? "%s%s" : "%s/%s", folder, name);
}

bool wy_cli_is_folder(const char *folder) {
  struct stat place;
  return stat(folder, &place) == 0 && S_ISDIR(place.st_mode);
}

int wy_cli_write(const char *verb, const char *folder, const char *name, wy_cli_writer write, const void *what) {
  char *path = wy_cli_path(folder, name);
  FILE *out = fopen(path, "w");
  bool good = out != NULL;
  if (out) {
    write(out, what);
    good = !ferror(out);
    good = fclose(out) == 0 && good;
  }
  if (!good)
    fprintf(stderr, "withy %s: cannot write %s: %s\n", verb, path, strerror(errno));
  free(path);
  return good ? WY_EXIT_DONE : WY_EXIT_FAILED;
}

/* The child: gnuplot in the pictures' folder, without the user's own settings, its complaints going to `complaints`. */
static void become_gnuplot(const char *folder, const char *script, int complaints) {
  char *name = wy_cli_text("./%s%s", script, "");
  char *arguments[] = {"gnuplot", "-d", name, NULL};
  int nothing = open("/dev/null", O_RDWR);
  if (chdir(folder) == 0) {
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    dup2(complaints, STDERR_FILENO);
    execvp("gnuplot", arguments);
  }
  _exit(errno == ENOENT ? 127 : 126);
}

static wy_gnuplot_status run_gnuplot(const char *verb, const char *folder, const char *script) {
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) {
    fprintf(stderr, "withy %s: cannot start gnuplot: %s\n", verb, strerror(errno));
    return WY_GNUPLOT_FAILED;
  }
  pid_t child = fork();
  if (child == 0) {
    close(pipe_ends[0]);
    become_gnuplot(folder, script, pipe_ends[1]);
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
    return WY_GNUPLOT_DONE;
  if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 127)
    return WY_GNUPLOT_MISSING;
  fprintf(stderr, "withy %s: gnuplot failed%s%s\n", verb, length ? ":\n" : "", said);
  return WY_GNUPLOT_FAILED;
}

wy_gnuplot_status wy_gnuplot_draw(const char *verb, const char *folder, const char *script, bool keep,
                                  wy_cli_writer write, const void *what) {
  wy_gnuplot_status status = WY_GNUPLOT_FAILED;
  if (wy_cli_write(verb, folder, script, write, what) == WY_EXIT_DONE)
    status = run_gnuplot(verb, folder, script);
  if (!keep) {
    char *path = wy_cli_path(folder, script);
    unlink(path);
    free(path);
  }
  return status;
}

char *wy_gnuplot_picture(const char *verb, const char *folder, const char *name) {
  char *file = wy_cli_text("%s%s", name, ".svg"), *path = wy_cli_path(folder, file), *svg = NULL;
  wy_message message = {.text = "gnuplot left no picture"};
  size_t size;
  if (wy_file_read(path, &svg, &size, &message) != WY_OK || !svg)
    fprintf(stderr, "withy %s: %s: %s\n", verb, path, message.text);
  free(path);
  free(file);
  return svg;
}

void wy_gnuplot_report(const char *folder, const char *name, const char *formats) {
  char *path = wy_cli_path(folder, name);
  if (strstr(formats, "svg"))
    printf("%s.svg\n", path);
  if (strstr(formats, "png"))
    printf("%s.png\n", path);
  free(path);
}
