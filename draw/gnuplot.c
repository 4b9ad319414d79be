/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "draw/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/results/file.h"

const char *wy_draw_join(wy_memory *memory, const char *folder, const char *name) {
  bool ends = *folder && folder[strlen(folder) - 1] == '/';
  return wy_memory_print(memory, ends ? "%s%s" : "%s/%s", folder, name);
}

wy_status wy_draw_write(wy_memory *memory, const char *folder, const char *name, wy_draw_writer write, const void *what,
                        wy_message *message) {
  const char *path = wy_draw_join(memory, folder, name);
  FILE *out = fopen(path, "w");
  bool good = out != NULL;
  if (out) {
    write(out, what);
    good = !ferror(out);
    good = fclose(out) == 0 && good;
  }
  return good ? WY_OK : wy_results_fail(message, WY_ERROR_FILE, "cannot write %s: %s", path, strerror(errno));
}

/* The child: gnuplot in the pictures' folder, without the user's own settings, its complaints going to `complaints`. */
static void become_gnuplot(const char *folder, const char *script, int complaints) {
  char gnuplot[] = "gnuplot", defaults[] = "-d", name[4096];
  char *arguments[] = {gnuplot, defaults, name, NULL};
  int nothing = open("/dev/null", O_RDWR);
  snprintf(name, sizeof name, "./%s", script);
  if (chdir(folder) == 0) {
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    dup2(complaints, STDERR_FILENO);
    execvp("gnuplot", arguments);
  }
  _exit(errno == ENOENT ? 127 : 126);
}

/* What gnuplot complains about, as far as there is room. */
static void listen(int from, char *said, size_t size) {
  char spill[4096];
  size_t length = 0;
  ssize_t got = 0;
  while ((got = read(from, spill, sizeof spill)) > 0 || (got < 0 && errno == EINTR)) {
    size_t keep = got < 0 ? 0 : (size_t)got < size - 1 - length ? (size_t)got : size - 1 - length;
    memcpy(said + length, spill, keep);
    length += keep;
  }
  said[length] = '\0';
}

static wy_status run_gnuplot(const char *folder, const char *script, wy_message *message) {
  int pipe_ends[2], status = -1;
  char said[900] = ""; /* fits into a message */
  if (pipe(pipe_ends) != 0)
    return wy_results_fail(message, WY_ERROR_FILE, "cannot start gnuplot: %s", strerror(errno));
  pid_t child = fork();
  if (child == 0) {
    close(pipe_ends[0]);
    become_gnuplot(folder, script, pipe_ends[1]);
  }
  close(pipe_ends[1]);
  if (child > 0)
    listen(pipe_ends[0], said, sizeof said);
  close(pipe_ends[0]);
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return WY_OK;
  if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 127)
    return wy_results_fail(message, WY_ERROR_SUPPORT,
                           "gnuplot is not installed; install the package gnuplot-nox (or gnuplot)");
  return wy_results_fail(message, WY_ERROR_FILE, "gnuplot failed%s%s", said[0] ? ":\n" : "", said);
}

wy_status wy_gnuplot_draw(wy_memory *memory, const char *folder, const char *script, bool keep, wy_draw_writer write,
                          const void *what, wy_message *message) {
  const char *path = wy_draw_join(memory, folder, script);
  wy_status status = wy_draw_write(memory, folder, script, write, what, message);
  if (status == WY_OK)
    status = run_gnuplot(folder, script, message);
  if (!keep)
    unlink(path);
  return status;
}

wy_status wy_gnuplot_picture(wy_memory *memory, const char *folder, const char *name, char **svg, wy_message *message) {
  const char *path = wy_draw_join(memory, folder, wy_memory_print(memory, "%s.svg", name));
  char *text = NULL;
  size_t size = 0;
  wy_status status = wy_file_read(path, &text, &size, message);
  if (status != WY_OK)
    return status;
  if (!text)
    return wy_results_fail(message, WY_ERROR_FILE, "%s: gnuplot left no picture", path);
  *svg = wy_memory_copy(memory, text, size);
  free(text);
  return WY_OK;
}
