/* SPDX-License-Identifier: MIT */
/* A line on the terminal that counts the seconds of what is running. Experiments do not know of it: a timer's signal
   draws it, with functions that are allowed there. */
#define _DEFAULT_SOURCE /* setitimer */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "cli/report.h"

static struct {
  char text[128];
  volatile sig_atomic_t seconds; /* of what is running now */
  bool shown;
} line;

/* "\r" text " 1:05", and the rest of the line empty. */
static void draw(void) {
  char out[sizeof line.text + 32];
  size_t length = strlen(line.text);
  const int minutes = line.seconds / 60, seconds = line.seconds % 60;
  out[0] = '\r';
  memcpy(out + 1, line.text, length);
  length++;
  out[length++] = ' ';
  if (minutes >= 10)
    out[length++] = (char)('0' + minutes / 10 % 10);
  out[length++] = (char)('0' + minutes % 10);
  out[length++] = ':';
  out[length++] = (char)('0' + seconds / 10);
  out[length++] = (char)('0' + seconds % 10);
  memcpy(out + length, "\033[K", 3);
  if (write(STDERR_FILENO, out, length + 3) < 0)
    line.shown = false;
}

static void tick(int signal_number) {
  (void)signal_number;
  const int error = errno;
  line.seconds++;
  if (line.shown)
    draw();
  errno = error;
}

static void set_timer(int interval) {
  const struct itimerval every = {{interval, 0}, {interval, 0}};
  setitimer(ITIMER_REAL, &every, NULL);
}

void wy_report_progress(const char *what) {
  if (!isatty(STDERR_FILENO))
    return;
  struct sigaction action = {0};
  action.sa_handler = tick;
  action.sa_flags = SA_RESTART;
  set_timer(0);
  snprintf(line.text, sizeof line.text, "%s", what);
  line.seconds = 0;
  line.shown = true;
  draw();
  if (sigaction(SIGALRM, &action, NULL) == 0)
    set_timer(1);
}

void wy_report_progress_end(void) {
  if (!line.shown)
    return;
  set_timer(0);
  line.shown = false;
  fputs("\r\033[K", stderr);
  fflush(stderr);
}
