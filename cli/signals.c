/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "cli/signals.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int signal_seen; /* threads ask for it */

static void on_signal(int number) {
  signal_seen = number;
}

void wy_cli_watch_signal(int number) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART | (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, NULL);
}

void wy_cli_watch_signals(void) {
  struct sigaction hangup;
  wy_cli_watch_signal(SIGINT);
  wy_cli_watch_signal(SIGTERM);
  if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
    wy_cli_watch_signal(SIGHUP);
  signal(SIGXFSZ, SIG_IGN);
}

bool wy_cli_interrupted(void *context) {
  (void)context;
  return signal_seen != 0;
}
