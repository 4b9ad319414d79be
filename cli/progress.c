/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE /* TIOCGWINSZ */
#include "cli/progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "run/results/clock.h"

enum { BAR = 16, LINE = 512 };
static const double interval = 0.1;

wy_progress wy_progress_begin(bool quiet, bool moves) {
  return (wy_progress){.shown = !quiet && isatty(STDERR_FILENO), .moves = moves};
}

static int columns(void) {
  struct winsize size;
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/* "0:07", "12:30", "3:05:00". */
static void format_duration(char *text, size_t size, double seconds) {
  if (!(seconds < 1e7)) {
    snprintf(text, size, "long");
    return;
  }
  long s = (long)ceil(seconds);
  if (s >= 3600)
    snprintf(text, size, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
  else
    snprintf(text, size, "%ld:%02ld", s / 60, s % 60);
}

/* Is it time to draw? Then *speed is how much of the whole passes in a second. */
static bool is_due(wy_progress *progress, double reached, double *speed) {
  if (!progress->shown)
    return false;
  double now = wy_wall_time();
  if (!progress->begun) {
    progress->begun = true;
    progress->from = reached;
    progress->start = progress->last = now;
  }
  if (now - progress->last < interval)
    return false;
  progress->last = now;
  progress->drawn = true;
  *speed = (reached - progress->from) / (now - progress->start);
  return true;
}

/* Bar, percent, `text`, time left. */
static void draw(double reached, double end, double speed, const char *text) {
  char bar[BAR + 1], left[32], line[LINE];
  double part = end > 0 ? fmin(fmax(reached / end, 0), 1) : 1;
  int filled = (int)(part * BAR);
  memset(bar, '=', (size_t)filled);
  memset(bar + filled, ' ', (size_t)(BAR - filled));
  bar[BAR] = '\0';
  format_duration(left, sizeof left, (end - reached) / speed);
  snprintf(line, sizeof line, "[%s] %3.0f %%  %s%s left", bar, 100 * part, text, left);
  fprintf(stderr, "\r%.*s\033[K", columns() - 1, line);
  fflush(stderr);
}

void wy_progress_update(wy_progress *progress, double t, double end) {
  double speed;
  char text[128], factor[40] = "";
  if (!is_due(progress, t, &speed))
    return;
  if (progress->moves)
    snprintf(factor, sizeof factor, "%.3g x real time  ", speed);
  snprintf(text, sizeof text, "t = %.4g of %.4g  %s", t, end, factor);
  draw(t, end, speed, text);
}

void wy_progress_points(wy_progress *progress, int ready, int points, int bad) {
  double speed;
  char text[128], worse[40] = "";
  if (!is_due(progress, ready, &speed))
    return;
  if (bad > 0)
    snprintf(worse, sizeof worse, "%d not done  ", bad);
  snprintf(text, sizeof text, "%d of %d points  %s%.3g/s  ", ready, points, worse, speed);
  draw(ready, points, speed, text);
}

void wy_progress_end(wy_progress *progress) {
  if (progress->drawn)
    fputs("\r\033[K", stderr);
  progress->drawn = false;
}
