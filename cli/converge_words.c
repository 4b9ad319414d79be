/* SPDX-License-Identifier: MIT */
/* What `withy converge` prints. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/converge.h"

void wy_converge_print_plan(const wy_converge *converge) {
  const int count = wy_converge_run_count(converge);
  double work = 0;
  for (int i = 0; i < count; i++)
    work += wy_converge_describe(converge, i)->work;
  printf("%d runs with up to %d segments: about %.0f times the work of the scenario alone\n", count,
         wy_converge_describe(converge, count - 1)->level < 0 ? wy_converge_describe(converge, count - 2)->segments
                                                              : wy_converge_describe(converge, count - 1)->segments,
         work);
  fflush(stdout);
}

static void print_number(double value, const char *format) {
  char text[40];
  snprintf(text, sizeof text, format, value);
  printf(" %12s", isfinite(value) ? text : "-");
}

static void print_runs(const wy_converge_report *report) {
  printf("\n  %-8s %10s %12s %12s %10s\n", "level", "segments", "step", "tolerance", "seconds");
  for (int i = 0; i < report->run_count; i++) {
    const wy_converge_run *run = &report->runs[i];
    if (run->level < 0)
      printf("  %-8s", "check");
    else
      printf("  %-8d", run->level);
    printf(" %10d", run->segments);
    print_number(run->step > 0 ? run->step : (double)NAN, "%.4g");
    print_number(run->tolerance > 0 ? run->tolerance : (double)NAN, "%.3g");
    printf(" %10.3f\n", run->seconds);
  }
}

/* An error as it is or, where it is not known to be one, at least that. */
static void print_error(const wy_converge_result *r, double value) {
  char text[40];
  snprintf(text, sizeof text, "%s%.3g", r->trusted ? "" : "> ", value);
  printf(" %12s", isfinite(value) ? text : "-");
}

static void print_errors(const wy_converge_report *report) {
  const bool time = report->run_count > report->level_count;
  printf("\n  %-20s %6s %8s %12s %12s %12s%s  %s\n", "largest errors", "order", "promised", "scenario", "relative",
         "finest", time ? "      in time" : "", "verdict");
  for (int i = 0; i < report->result_count; i++) {
    const wy_converge_result *r = &report->results[i];
    char order[16];
    snprintf(order, sizeof order, "%.2f", r->order);
    printf("  %-20s %6s %8g", r->name, isfinite(r->order) ? order : "-", r->promised);
    print_error(r, r->errors[0]);
    print_number(r->scale > 0 ? r->errors[0] / r->scale : (double)NAN, "%.2g");
    print_error(r, r->errors[report->finest]);
    if (time)
      print_number(r->time_error, "%.2g");
    printf("  %s%s\n", wy_convergence_name(r->verdict), r->trusted ? "" : " !");
  }
}

static void print_values(const wy_converge_report *report) {
  if (report->row_count > 1)
    printf("\n  %-20s %16s %16s %16s %8s\n", "at the end", "scenario", "finest", "limit", "order");
  else
    printf("\n  %-20s %16s %16s %16s %8s\n", "values", "scenario", "finest", "limit", "order");
  for (int i = 0; i < report->result_count; i++) {
    const wy_converge_result *r = &report->results[i];
    for (int k = 0; k < r->components; k++) {
      char name[96], order[16];
      snprintf(name, sizeof name, r->letters[0] ? "%s.%c" : "%s", r->name, r->letters[0] ? r->letters[k] : ' ');
      snprintf(order, sizeof order, "%.2f", r->component_orders[k]);
      printf("  %-20s %16.9g %16.9g %16.9g %8s\n", name, 0.0 + r->values[k],
             0.0 + r->values[report->finest * r->components + k], 0.0 + r->extrapolated[k],
             isfinite(r->component_orders[k]) ? order : "-");
    }
  }
}

/* What a verdict means, said once for all probes that have it; NULL where all is well. */
static const char *meaning(wy_convergence verdict) {
  switch (verdict) {
  case WY_FASTER:
    return "faster than promised; the limit is taken with the promised order, to be on the safe side";
  case WY_SLOWER:
    return "slower than promised: something is not smooth (a jump in time or along the rod), or N is still too small";
  case WY_IRREGULAR:
    return "differences shrink but change their shape from level to level: no limit is extrapolated";
  case WY_BETWEEN_NODES:
    return "the probe, a load or a jump along the rod lies between nodes: no limit is extrapolated, errors are upper "
           "limits";
  case WY_TIME_NOISE:
    return "differences are as small as the errors that error control leaves: errors are upper limits";
  case WY_BY_CHANCE:
    return "differences vanish faster than the methods can: maybe by chance; --levels 4 tells";
  case WY_NOT_CONVERGING:
    return "differences do not shrink: the result depends on the resolution, or is not determined by the scenario";
  case WY_NOT_FINITE:
    return "a value is not a finite number";
  default:
    return NULL;
  }
}

static void print_meanings(const wy_converge_report *report) {
  bool any = false;
  for (int v = 0; wy_convergence_name((wy_convergence)v); v++) {
    int count = 0;
    for (int i = 0; i < report->result_count; i++) {
      const wy_converge_result *r = &report->results[i];
      if ((int)r->verdict != v || !meaning(r->verdict))
        continue;
      printf("%s%s", count > 0 ? ", " : any ? "  " : "\n  ", r->name);
      count++;
    }
    if (count > 0)
      printf(": %s\n", meaning((wy_convergence)v));
    any = any || count > 0;
  }
}

static void print_target(const wy_converge_report *report, double target) {
  double factor = 1;
  int worst = -1, unknown = 0;
  for (int i = 0; i < report->result_count; i++) {
    const double needed = wy_converge_needed(report, i, target);
    unknown += isnan(needed);
    if (needed > factor) {
      factor = needed;
      worst = i;
    }
  }
  const bool space = report->refine == WY_REFINE_ALL || report->refine == WY_REFINE_SEGMENTS;
  if (worst < 0)
    printf("  a relative error of %g: the scenario as it is will do", target);
  else if (space && factor * report->runs[0].segments > 1e9)
    printf("  a relative error of %g: out of reach (%s decides)", target, report->results[worst].name);
  else if (space)
    printf("  a relative error of %g needs about %.0f segments (%s decides)", target,
           ceil(factor * report->runs[0].segments), report->results[worst].name);
  else
    printf("  a relative error of %g needs a %s %.3g times as small (%s decides)", target,
           wy_refinement_name(report->refine), factor, report->results[worst].name);
  if (unknown > 0)
    printf("; for %d of %d results it cannot be said", unknown, report->result_count);
  putchar('\n');
}

void wy_converge_print(const wy_converge_request *asked, const wy_converge_report *report) {
  int doubtful = 0;
  for (int i = 0; i < report->result_count; i++)
    doubtful += !report->results[i].trusted;
  print_runs(report);
  print_errors(report);
  print_values(report);
  print_meanings(report);
  putchar('\n');
  if (asked->target > 0)
    print_target(report, asked->target);
  if (doubtful > 0)
    printf("  %d of %d estimates cannot be trusted, marked by !\n", doubtful, report->result_count);
  else
    printf("  all %d estimates can be trusted\n", report->result_count);
}
