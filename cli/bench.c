/* withy bench: the benchmarks, as a table or as JSON. */
#include "bench/bench.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

static const char help[] =
    "usage: withy bench [NAME] [--json]\n"
    "\n"
    "Runs the benchmarks and prints their figures.\n"
    "\n"
    "  kernels   nanoseconds per segment of one right-hand side, Jacobian, factorisation and solve (null-space form,\n"
    "            real and complex), against a vectorised loop of as many multiply-adds in the same run\n"
    "\n"
    "options:\n"
    "  --json      print JSON instead of a table\n"
    "  -h, --help  print this text\n";

static int run_kernels(bool json) {
  static const int sizes[] = {10, 100, 1000, 10000};
  enum { SIZES = sizeof sizes / sizeof sizes[0] };
  wy_kernel_figures all[SIZES];
  for (int i = 0; i < SIZES; i++)
    if (wy_bench_kernels(sizes[i], &all[i])) {
      fprintf(stderr, "withy: bench kernels: not enough memory for %d segments\n", sizes[i]);
      return WY_EXIT_FAILED;
    }
  if (json) {
    printf("{\"kernels\": [");
    for (int i = 0; i < SIZES; i++)
      printf("%s\n  {\"segments\": %d, \"rhs\": %.2f, \"jacobian\": %.2f, \"factor\": %.2f, \"solve\": %.2f, "
             "\"factor_complex\": %.2f, \"solve_complex\": %.2f, \"floor_rhs\": %.2f, \"floor_600\": %.2f}",
             i ? "," : "", all[i].segments, all[i].rhs, all[i].jacobian, all[i].factor, all[i].solve,
             all[i].factor_complex, all[i].solve_complex, all[i].floor_rhs, all[i].floor_600);
    printf("\n]}\n");
    return WY_EXIT_DONE;
  }
  printf("ns per segment (null-space form, damped rod; smallest of 9 repetitions)\n\n");
  printf("%9s %8s %9s %8s %8s %10s %9s %10s %10s\n", "segments", "rhs", "Jacobian", "factor", "solve", "factor (c)",
         "solve (c)", "floor rhs", "floor 600");
  for (int i = 0; i < SIZES; i++)
    printf("%9d %8.1f %9.1f %8.1f %8.1f %10.1f %9.1f %10.1f %10.1f\n", all[i].segments, all[i].rhs, all[i].jacobian,
           all[i].factor, all[i].solve, all[i].factor_complex, all[i].solve_complex, all[i].floor_rhs,
           all[i].floor_600);
  const wy_kernel_figures *at = &all[1], *large = &all[SIZES - 1];
  printf("\nat N = %d: rhs / floor of its %d flops %.2f, rhs / floor of 600 flops %.2f, Jacobian / rhs %.2f, factor + "
         "solve %.0f ns\n",
         at->segments, WY_RHS_FLOPS, at->rhs / at->floor_rhs, at->rhs / at->floor_600, at->jacobian / at->rhs,
         at->factor + at->solve);
  printf("N = %d against N = %d: rhs %.2f, Jacobian %.2f, factor %.2f, solve %.2f\n", large->segments, at->segments,
         large->rhs / at->rhs, large->jacobian / at->jacobian, large->factor / at->factor, large->solve / at->solve);
  printf("(c): complex. The floor is a loop of fused multiply-adds that does nothing else.\n");
  return WY_EXIT_DONE;
}

int wy_cli_bench(int argc, char **argv) {
  static const struct option options[] = {{"json", no_argument, NULL, 'j'}, {NULL, 0, NULL, 0}};
  bool json = false;
  for (int c; (c = wy_cli_option(argc, argv, help, "", options)) != -1;) {
    if (c == WY_OPTION_HELP)
      return WY_EXIT_DONE;
    if (c == WY_OPTION_WRONG)
      return WY_EXIT_INPUT;
    json = json || c == 'j';
  }
  if (argc - optind > 1)
    return wy_cli_usage(help, "found %d names; expected at most one", argc - optind);
  if (optind < argc && strcmp(argv[optind], "kernels") != 0)
    return wy_cli_usage(help, "there is no benchmark '%s'; available: kernels", argv[optind]);
  return run_kernels(json);
}
