/* SPDX-License-Identifier: MIT */
/* withy bench network: the linear algebra of networks. */
#include <stdio.h>

#include "bench/bench.h"
#include "cli/bench_integrators.h"

static const int lengths[] = {6, 20, 40, 100};
static const double goals[WY_NETS] = {[WY_NET_RING] = 2.26, [WY_NET_GRIDSHELL] = 4.7, [WY_NET_TREE] = 2.06};
enum { NET_SIDE = 71 }; /* 9940 ropes */
enum { LENGTHS = sizeof lengths / sizeof lengths[0] };

static double total(const wy_network_figures *f) {
  return f->alone + f->condense + f->on_hubs;
}

static void print_rods(const wy_rod_figures all[LENGTHS]) {
  printf("one rod: us (smallest of 9 repetitions)\n\n%9s %8s %8s %12s %10s %11s %10s %16s %14s\n", "segments", "factor",
         "solve", "hub at start", "hub at end", "factor (c)", "solve (c)", "hub at start (c)", "hub at end (c)");
  for (int i = 0; i < LENGTHS; i++)
    printf("%9d %8.2f %8.2f %12.2f %10.2f %11.2f %10.2f %16.2f %14.2f\n", all[i].segments, all[i].factor, all[i].solve,
           all[i].start, all[i].end, all[i].factor_complex, all[i].solve_complex, all[i].start_complex,
           all[i].end_complex);
  printf("\nhub: the eight columns of a hub at an end of the rod at once. (c): complex.\n\n");
}

static void print_networks(const wy_network_figures all[WY_NETS]) {
  printf("factoring a network: us\n\n%-10s %6s %5s %9s %9s %9s %9s %9s %9s %7s %6s %9s %11s %10s\n", "network", "hubs",
         "rods", "segments", "unknowns", "rods", "condense", "hubs", "all", "/ rods", "goal", "solve", "KLU refactor",
         "KLU solve");
  for (int i = 0; i < WY_NETS; i++) {
    const wy_network_figures *f = &all[i];
    printf("%-10s %6d %5d %9d %9d %9.1f %9.1f %9.1f %9.1f %7.2f %6.2f %9.1f", f->name, f->hubs, f->rods, f->segments,
           f->unknowns, f->alone, f->condense, f->on_hubs, total(f), total(f) / f->alone, goals[i], f->solve);
    if (f->klu_refactor > 0)
      printf(" %11.1f %10.1f\n", f->klu_refactor, f->klu_solve);
    else
      printf(" %11s %10s\n", "-", "-");
  }
  if (all[0].klu_refactor > 0)
    printf("\nSolutions differ from KLU's by %.1e, %.1e, %.1e.\n", all[0].difference, all[1].difference,
           all[2].difference);
  else
    printf("\nKLU is not built in (cmake -DWITHY_KLU=ON, needs SuiteSparse).\n");
}

static void print_times(const char *name, const char *of, const wy_group_times *t) {
  printf("%-10s %-8s %9.1f %9.1f %9.1f %9.1f %11.1f %10.1f\n", name, of, t->rhs, t->jacobian, t->factor, t->solve,
         t->factor_complex, t->solve_complex);
}

static void print_groups(const wy_group_figures all[WY_NETS]) {
  printf("\na group of staggered rods: us\n\n%-10s %-8s %9s %9s %9s %9s %11s %10s\n", "network", "", "rhs", "jacobian",
         "factor", "solve", "factor (c)", "solve (c)");
  for (int i = 0; i < WY_NETS; i++) {
    print_times(all[i].name, "alone", &all[i].alone);
    print_times("", "joined", &all[i].joined);
  }
}

static void print_settle(const wy_settle_figures *f) {
  printf("\na net of %d ropes of %d segments, %d unknowns, settles in %.1f s (made in %.1f s): %d increments (%d more "
         "rejected), %ld iterations, sag %.4f m\n",
         f->rods, f->segments, f->unknowns, f->settle, f->create, f->increments, f->rejected, f->iterations, f->sag);
}

static void print_json_settle(const wy_settle_figures *f) {
  printf(",\n\"net\": {\"rods\": %d, \"segments\": %d, \"unknowns\": %d, \"create_s\": %.3f, \"settle_s\": %.3f, "
         "\"increments\": %d, \"rejected\": %d, \"iterations\": %ld, \"sag\": %.6f}",
         f->rods, f->segments, f->unknowns, f->create, f->settle, f->increments, f->rejected, f->iterations, f->sag);
}

static void print_json_times(const char *key, const wy_group_times *t) {
  printf(", \"%s\": {\"rhs_us\": %.2f, \"jacobian_us\": %.2f, \"factor_us\": %.2f, \"solve_us\": %.2f, "
         "\"factor_complex_us\": %.2f, \"solve_complex_us\": %.2f}",
         key, t->rhs, t->jacobian, t->factor, t->solve, t->factor_complex, t->solve_complex);
}

static void print_json_groups(const wy_group_figures all[WY_NETS]) {
  printf(",\n\"group\": [");
  for (int i = 0; i < WY_NETS; i++) {
    printf("%s\n  {\"network\": \"%s\", \"rods\": %d, \"segments\": %d", i ? "," : "", all[i].name, all[i].rods,
           all[i].segments);
    print_json_times("alone", &all[i].alone);
    print_json_times("joined", &all[i].joined);
    printf("}");
  }
  printf("\n]");
}

static void print_json(const wy_rod_figures rods[LENGTHS], const wy_network_figures nets[WY_NETS]) {
  printf("\"rod_solver\": [");
  for (int i = 0; i < LENGTHS; i++)
    printf("%s\n  {\"segments\": %d, \"factor\": %.3f, \"solve\": %.3f, \"start\": %.3f, \"end\": %.3f, "
           "\"factor_complex\": %.3f, \"solve_complex\": %.3f, \"start_complex\": %.3f, \"end_complex\": %.3f}",
           i ? "," : "", rods[i].segments, rods[i].factor, rods[i].solve, rods[i].start, rods[i].end,
           rods[i].factor_complex, rods[i].solve_complex, rods[i].start_complex, rods[i].end_complex);
  printf("\n],\n\"network\": [");
  for (int i = 0; i < WY_NETS; i++) {
    printf("%s\n  {\"network\": \"%s\", \"hubs\": %d, \"rods\": %d, \"segments\": %d, \"unknowns\": %d, "
           "\"rods_us\": %.2f, \"condense_us\": %.2f, \"hubs_us\": %.2f, \"ratio\": %.3f, \"solve_us\": %.2f",
           i ? "," : "", nets[i].name, nets[i].hubs, nets[i].rods, nets[i].segments, nets[i].unknowns, nets[i].alone,
           nets[i].condense, nets[i].on_hubs, total(&nets[i]) / nets[i].alone, nets[i].solve);
    if (nets[i].klu_refactor > 0)
      printf(", \"klu_refactor_us\": %.2f, \"klu_solve_us\": %.2f, \"difference\": %.3g", nets[i].klu_refactor,
             nets[i].klu_solve, nets[i].difference);
    printf("}");
  }
  printf("\n]");
}

bool wy_cli_bench_network(bool json) {
  wy_rod_figures rods[LENGTHS];
  wy_network_figures nets[WY_NETS];
  wy_group_figures groups[WY_NETS];
  wy_settle_figures net;
  int status = 0;
  for (int i = 0; i < LENGTHS && !status; i++)
    status = wy_bench_rod_solver(lengths[i], &rods[i]);
  for (int i = 0; i < WY_NETS && !status; i++)
    status = wy_bench_network((wy_bench_net)i, &nets[i]);
  for (int i = 0; i < WY_NETS && !status; i++)
    status = wy_bench_group((wy_bench_net)i, &groups[i]);
  if (!status)
    status = wy_bench_settle(NET_SIDE, &net);
  if (status) {
    fprintf(stderr, "withy bench: network: failed with status %d; is there enough memory?\n", status);
    return false;
  }
  if (json) {
    print_json(rods, nets);
    print_json_groups(groups);
    print_json_settle(&net);
    return true;
  }
  print_rods(rods);
  print_networks(nets);
  print_groups(groups);
  print_settle(&net);
  return true;
}
