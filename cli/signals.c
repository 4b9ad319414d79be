#define _POSIX_C_SOURCE 200809L
#include "cli/signals.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int signal_seen; /* threads ask for it */

static void on_signal(int number) {
  signal_seen = number;
}

void wy_cli_watch_signals(void) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART | (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  struct sigaction hangup;
  if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
    sigaction(SIGHUP, &action, NULL);
  signal(SIGXFSZ, SIG_IGN);
}

bool wy_cli_interrupted(void *context) {
  (void)context;
  return signal_seen != 0;
}
