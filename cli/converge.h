/* SPDX-License-Identifier: MIT */
/* What the files of `withy converge` share: converge.c makes the runs, converge_words.c says what came out. */
#ifndef WY_CLI_CONVERGE_H
#define WY_CLI_CONVERGE_H

#include "cli/cli.h"
#include "withy/converge.h"

typedef struct wy_converge_request {
  const char *scenario, *folder;
  const char **settings;
  int setting_count;
  int levels, threads;
  wy_refinement refine;
  double target; /* relative error that is wished for; 0: none */
  bool quiet, json;
} wy_converge_request;

/* Before the runs: what they will cost. */
void wy_converge_print_plan(const wy_converge *converge);
/* The table, the values at the end, what is to be said of single probes, the verdict. */
void wy_converge_print(const wy_converge_request *asked, const wy_converge_report *report);

#endif
