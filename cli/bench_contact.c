/* SPDX-License-Identifier: MIT */
/* withy bench contact: rods and obstacles. */
#include <stdio.h>

#include "bench/bench.h"
#include "cli/bench_integrators.h"

enum { SEGMENTS = 100, DROPS = 3 };

/* Nanoseconds more than without obstacles, for each of `count` things. */
static double more(double with, double without, int count) {
  return (with - without) / count;
}

static void print_evaluations(const wy_contact_figures all[WY_CONTACT_SHAPES]) {
  printf(
      "a rod of %d segments, two stations on each, and one obstacle: ns more than without it\n\n%-10s %14s %14s %14s "
      "%14s %14s %14s %14s\n",
      SEGMENTS, "obstacle", "far / segment", "ratio of rhs", "near / station", "force", "with slopes", "rubs",
      "with slopes");
  for (int i = 0; i < WY_CONTACT_SHAPES; i++) {
    const wy_contact_figures *f = &all[i];
    printf("%-10s %14.2f %14.3f %14.2f %14.1f %14.1f %14.1f %14.1f\n", f->shape,
           more(f->far.rhs, f->none.rhs, f->segments), f->far.rhs / f->none.rhs,
           more(f->near.rhs, f->none.rhs, f->near.stations), more(f->touching.rhs, f->none.rhs, f->touching.stations),
           more(f->touching.jacobian, f->none.jacobian, f->touching.stations),
           more(f->rubbing.rhs, f->none.rhs, f->rubbing.stations),
           more(f->rubbing.jacobian, f->none.jacobian, f->rubbing.stations));
  }
  printf("\nWithout obstacles: right-hand side %.1f ns a segment, Jacobian %.1f. force, with slopes: a station that "
         "touches, in a right-hand side and in a Jacobian; rubs: with friction and its spring.\n",
         all[0].none.rhs / SEGMENTS, all[0].none.jacobian / SEGMENTS);
}

static void print_drops(const wy_drop_figures all[DROPS]) {
  static const char *const names[DROPS] = {"falls, no floor", "on a floor, smooth", "on a floor, friction 0.3"};
  printf("\na rod of 20 segments falls askew for 1 s, tolerance 1e-3\n\n%-26s %10s %8s %8s %8s %8s %s\n", "", "ms",
         "steps", "rejected", "rhs", "jacobian", "integrator");
  for (int i = 0; i < DROPS; i++)
    printf("%-26s %10.2f %8ld %8ld %8ld %8ld %s\n", names[i], all[i].milliseconds, all[i].steps, all[i].rejected,
           all[i].rhs, all[i].jacobians, all[i].integrator);
}

static void print_json_times(const char *key, const wy_contact_times *t) {
  printf(", \"%s\": {\"stations\": %d, \"rhs_ns\": %.1f, \"jacobian_ns\": %.1f}", key, t->stations, t->rhs,
         t->jacobian);
}

static void print_json(const wy_contact_figures all[WY_CONTACT_SHAPES], const wy_drop_figures drops[DROPS]) {
  printf("\"contact\": [");
  for (int i = 0; i < WY_CONTACT_SHAPES; i++) {
    printf("%s\n  {\"obstacle\": \"%s\", \"segments\": %d", i ? "," : "", all[i].shape, all[i].segments);
    print_json_times("none", &all[i].none);
    print_json_times("far", &all[i].far);
    print_json_times("near", &all[i].near);
    print_json_times("touching", &all[i].touching);
    print_json_times("rubbing", &all[i].rubbing);
    printf("}");
  }
  printf("\n],\n\"drop\": [");
  for (int i = 0; i < DROPS; i++)
    printf("%s\n  {\"floor\": %s, \"friction\": %g, \"ms\": %.3f, \"steps\": %ld, \"rejected\": %ld, \"rhs\": %ld, "
           "\"jacobians\": %ld, \"integrator\": \"%s\"}",
           i ? "," : "", drops[i].floor ? "true" : "false", drops[i].friction, drops[i].milliseconds, drops[i].steps,
           drops[i].rejected, drops[i].rhs, drops[i].jacobians, drops[i].integrator);
  printf("\n]");
}

bool wy_cli_bench_contact(bool json) {
  wy_contact_figures all[WY_CONTACT_SHAPES];
  wy_drop_figures drops[DROPS];
  int status = 0;
  for (int i = 0; i < WY_CONTACT_SHAPES && !status; i++)
    status = wy_bench_contact(i, SEGMENTS, &all[i]);
  for (int i = 0; i < DROPS && !status; i++)
    status = wy_bench_drop(i > 0, i > 1 ? 0.3 : 0, &drops[i]);
  if (status) {
    fprintf(stderr, "withy bench: contact: failed with status %d; is there enough memory?\n", status);
    return false;
  }
  if (json) {
    print_json(all, drops);
    return true;
  }
  print_evaluations(all);
  print_drops(drops);
  return true;
}
