#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE /* TIOCGWINSZ */
#include "cli/progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "run/results/clock.h"

enum { BAR = 24, LINE = 512 };
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

void wy_progress_update(wy_progress *progress, double t, double end) {
  if (!progress->shown)
    return;
  double now = wy_wall_time();
  if (!progress->begun) {
    progress->begun = true;
    progress->from = t;
    progress->start = progress->last = now;
  }
  if (now - progress->last < interval)
    return;
  progress->last = now;
  progress->drawn = true;

  double part = end > 0 ? fmin(fmax(t / end, 0), 1) : 1;
  double speed = (t - progress->from) / (now - progress->start);
  char left[32];
  format_duration(left, sizeof left, (end - t) / speed);
  char bar[BAR + 1];
  int filled = (int)(part * BAR);
  memset(bar, '=', (size_t)filled);
  memset(bar + filled, ' ', (size_t)(BAR - filled));
  bar[BAR] = '\0';
  char line[LINE];
  char factor[40] = "";
  if (progress->moves)
    snprintf(factor, sizeof factor, "%.3g x real time  ", speed);
  snprintf(line, sizeof line, "[%s] %3.0f %%  t = %.4g of %.4g  %s%s left", bar, 100 * part, t, end, factor, left);
  fprintf(stderr, "\r%.*s\033[K", columns() - 1, line);
  fflush(stderr);
}

void wy_progress_end(wy_progress *progress) {
  if (progress->drawn)
    fputs("\r\033[K", stderr);
  progress->drawn = false;
}
