/* SPDX-License-Identifier: MIT */
/* withy bench peers: the two cantilevers of `withy bench single` by withy, and by other programs that are installed for
   python3 (bench/peers.py). */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/bench_integrators.h"
#include "cli/bench_measure.h"
#include "draw/embedded.h"

extern const wy_embedded_file wy_bench_peers;

static bool write_script(const char *path) {
  FILE *file = fopen(path, "w");
  size_t written = 0;
  for (size_t at = 0; file && at < wy_bench_peers.size; at += wy_bench_peers.piece) {
    const size_t left = wy_bench_peers.size - at, size = left < wy_bench_peers.piece ? left : wy_bench_peers.piece;
    written += fwrite(wy_bench_peers.pieces[at / wy_bench_peers.piece], 1, size, file);
  }
  const bool closed = file && fclose(file) == 0;
  if (!closed || written != wy_bench_peers.size)
    perror("withy bench: peers");
  return closed && written == wy_bench_peers.size;
}

/* What the others say goes to the same output. */
static bool run_script(const char *path, bool json) {
  fflush(stdout);
  const pid_t child = fork();
  int status = 0;
  if (child == 0) {
    execlp("python3", "python3", path, json ? "--json" : (char *)NULL, (char *)NULL);
    _exit(127);
  }
  if (child < 0 || waitpid(child, &status, 0) < 0) {
    perror("withy bench: peers");
    return false;
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    fputs("withy bench: peers: python3 is not there, and the other programs are called from it\n", stderr);
  return WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 127);
}

bool wy_cli_bench_peers(bool json) {
  char folder[WY_BENCH_FOLDER], script[WY_BENCH_FOLDER + 16];
  if (!wy_bench_folder_make("peers", folder))
    return false;
  if (!json)
    printf("a second of motion: processor time of computing, and how far the tip is off at t = 0.5 and 1, in m\n\n"
           "%-12s %-8s %9s %8s %13s %10s\n",
           "", "rod", "elements", "steps", "computing/ms", "error");
  bool good = wy_bench_single_cantilevers(folder, json);
  snprintf(script, sizeof script, "%s/peers.py", folder);
  good = good && write_script(script) && run_script(script, json);
  unlink(script);
  wy_bench_folder_remove(folder);
  if (good && json)
    printf("\n]");
  return good;
}
