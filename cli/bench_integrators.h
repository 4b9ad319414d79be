/* SPDX-License-Identifier: MIT */
/* Some of the benchmarks of `withy bench`: each prints a table or a member of a JSON object; false where it fails. */
#ifndef WY_CLI_BENCH_INTEGRATORS_H
#define WY_CLI_BENCH_INTEGRATORS_H

#include <stdbool.h>

bool wy_cli_bench_integrators(bool json);
bool wy_cli_bench_auto(bool json);
bool wy_cli_bench_stride(bool json); /* bench_stride.c */
bool wy_cli_bench_files(bool json);  /* bench_files.c */
bool wy_cli_bench_single(bool json); /* bench_single.c */
bool wy_cli_bench_peers(bool json);  /* bench_peers.c */
/* withy's rows of that benchmark; with JSON its beginning. */
bool wy_bench_single_cantilevers(const char *folder, bool json);
bool wy_cli_bench_space(bool json);   /* bench_space.c */
bool wy_cli_bench_sweep(bool json);   /* bench_sweep.c */
bool wy_cli_bench_network(bool json); /* bench_network.c */
bool wy_cli_bench_contact(bool json); /* bench_contact.c */
bool wy_cli_bench_rods(bool json);
bool wy_cli_bench_batch(bool json); /* bench_rods.c */

#endif
