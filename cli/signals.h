/* SPDX-License-Identifier: MIT */
/* An orderly end of long commands: Ctrl-C and the like ask for it. */
#ifndef WY_CLI_SIGNALS_H
#define WY_CLI_SIGNALS_H

#include <stdbool.h>

/* From now on the first SIGINT, SIGTERM or SIGHUP asks for an orderly end, a second one ends at once. A file that
   becomes too large is an error, not a signal. */
void wy_cli_watch_signals(void);
/* The same for another signal. */
void wy_cli_watch_signal(int number);
/* Was an end asked for? A callback of wy_run and its relatives; the context is not used. */
bool wy_cli_interrupted(void *context);

#endif
