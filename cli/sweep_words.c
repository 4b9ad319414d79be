/* SPDX-License-Identifier: MIT */
/* The request of `withy sweep`, and what is said of the result. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/sweep.h"
#include "scenes/builtin.h"
#include "withy/draw.h"

/* ---- Arguments ---- */

/* A whole number from `least` on, or -1; `end` is the first character behind it. */
static int read_whole(const char *text, int least, const char **end) {
  char *behind;
  const long value = strtol(text, &behind, 10);
  *end = behind;
  return behind > text && value >= least && value <= 1000000000 ? (int)value : -1;
}

static int read_number(const char *text, int least) {
  const char *end;
  const int value = read_whole(text, least, &end);
  return *end == '\0' ? value : -1;
}

int wy_read_threads(const char *text) {
  const int threads = read_number(text, 1);
  return threads <= WY_MOST_THREADS ? threads : -1;
}

/* "I/N". */
static bool read_part(const char *text, int *part, int *parts) {
  const char *end;
  *part = read_whole(text, 1, &end);
  if (*part < 0 || *end != '/')
    return false;
  *parts = read_number(end + 1, 1);
  return *part <= *parts;
}

static int take_option(int option, wy_sweep_request *asked) {
  switch (option) {
  case 'o':
    asked->folder = optarg;
    break;
  case 's':
    asked->settings[asked->setting_count++] = optarg;
    break;
  case 'q':
    asked->quiet = true;
    break;
  case 'j':
    asked->threads = wy_read_threads(optarg);
    if (asked->threads < 0)
      return wy_verb_usage(&wy_verb_sweep, "found -j '%s'; expected a number of threads from 1 to %d", optarg,
                           WY_MOST_THREADS);
    break;
  case WY_SWEEP_PART:
    if (!read_part(optarg, &asked->part, &asked->parts))
      return wy_verb_usage(&wy_verb_sweep, "found --part '%s'; expected I/N with I from 1 to N, such as 2/8", optarg);
    break;
  case WY_SWEEP_RESUME:
    asked->resume = true;
    break;
  case WY_SWEEP_COLLECT:
    asked->collect = optarg;
    break;
  case WY_SWEEP_LIST:
    asked->list = true;
    break;
  case WY_SWEEP_POINT:
    asked->point = read_number(optarg, 0);
    if (asked->point < 0)
      return wy_verb_usage(&wy_verb_sweep, "found --point '%s'; expected the number of a point, from 0", optarg);
    break;
  case WY_SWEEP_HDF5:
    asked->hdf5 = true;
    break;
  case WY_SWEEP_NO_PAGE:
    asked->no_page = true;
    break;
  default:
    return option == WY_OPTION_HELP ? WY_EXIT_DONE : WY_EXIT_INPUT;
  }
  return -1;
}

/* Options that would have no effect beside another one; returns a negative number, or the exit status. */
static int refuse_pairs(const wy_sweep_request *asked) {
  const bool points = asked->parts > 1 || asked->resume || asked->hdf5 || asked->no_page || asked->threads > 0;
  if (asked->collect && (asked->folder || asked->parts > 1 || asked->resume || asked->list || asked->point >= 0 ||
                         asked->threads > 0 || asked->setting_count > 0))
    return wy_verb_usage(&wy_verb_sweep, "found --collect DIR together with an option for computing; expected "
                                         "--quiet, --hdf5 or --no-page beside it");
  if (asked->list && (points || asked->point >= 0 || asked->folder))
    return wy_verb_usage(&wy_verb_sweep,
                         "found --list together with an option for computing; expected --set beside it");
  if (asked->point >= 0 && points)
    return wy_verb_usage(
        &wy_verb_sweep,
        "found --point together with an option for all points; expected -o, --set or --quiet beside it");
  return -1;
}

int wy_sweep_arguments(int argc, char **argv, wy_sweep_request *asked) {
  int option, result = -1;
  asked->part = asked->parts = 1;
  asked->point = -1;
  while (result < 0 && (option = wy_verb_option(argc, argv, &wy_verb_sweep)) != -1)
    result = take_option(option, asked);
  if (result >= 0)
    return result;
  if (argc - optind != (asked->collect ? 0 : 1))
    return wy_verb_usage(&wy_verb_sweep, asked->collect   ? "found a plan together with --collect DIR; expected one"
                                         : argc == optind ? "no plan is given; expected a YAML file"
                                                          : "found several plans; expected one");
  if ((asked->folder && !*asked->folder) || (asked->collect && !*asked->collect))
    return wy_verb_usage(&wy_verb_sweep, "the name of the folder is empty");
  result = refuse_pairs(asked);
  if (result >= 0)
    return result;
  asked->plan = asked->collect ? NULL : argv[optind];
  if (!asked->folder && asked->plan) {
    char name[256];
    wy_scenario_name(asked->plan, name, sizeof name);
    snprintf(asked->name, sizeof asked->name, "%s.out", name);
    asked->folder = asked->name;
  }
  return -1;
}

int wy_sweep_load(const wy_sweep_request *asked, wy_plan **plan) {
  enum { MOST = 256 };
  wy_scenario_file scenarios[MOST];
  wy_plan_def def = wy_default_plan_def();
  wy_scenario_error error;
  for (int i = 0; i < wy_builtin_scenario_count && i < MOST; i++)
    scenarios[def.scenario_count++] = (wy_scenario_file){wy_builtin_scenarios[i].name, wy_builtin_scenarios[i].text};
  def.label = asked->plan;
  def.settings = asked->settings;
  def.setting_count = asked->setting_count;
  def.scenarios = scenarios;
  def.files = wy_builtin_files;
  def.file_count = wy_builtin_file_count;
  const wy_status status = wy_plan_read(&def, plan, &error);
  if (status == WY_OK)
    return WY_EXIT_DONE;
  fprintf(stderr, "%s\n%s", error.text, error.excerpt);
  return status == WY_ERROR_MEMORY ? WY_EXIT_FAILED : WY_EXIT_INPUT;
}

/* ---- What is said ---- */

int wy_sweep_refuse(wy_status status, const wy_message *message) {
  fprintf(stderr, "withy: %s\n", message->text);
  return status == WY_ERROR_INPUT || status == WY_ERROR_SUPPORT ? WY_EXIT_INPUT : WY_EXIT_FAILED;
}

static void add_count(char *text, size_t size, int count, const char *what) {
  const size_t used = strlen(text);
  if (count > 0)
    snprintf(text + used, size - used, "%s%d %s", used ? ", " : "", count, what);
}

/* The page of all rows; a sweep without it has its rows all the same. */
static bool draw_page(const char *folder) {
  wy_message message;
  if (wy_draw_sweep(folder, NULL, &message) == WY_OK)
    return true;
  fprintf(stderr, "withy: there is no page: %s\n", message.text);
  return false;
}

int wy_sweep_print(const wy_sweep_request *asked, const wy_sweep_counts *counts, double seconds, const char *workers) {
  const char *folder = asked->collect ? asked->collect : asked->folder;
  const bool all = counts->missing == 0, part = asked->parts > 1 && !asked->collect;
  /* An interrupted sweep and a part of one have no sweep.csv. */
  const bool sorted = asked->collect || (all && !part), wanted = sorted && !asked->no_page;
  const bool drawn = wanted && draw_page(folder);
  char words[200] = "", when[100] = "";
  add_count(words, sizeof words, counts->done, "done");
  add_count(words, sizeof words, counts->wrong, "wrong");
  add_count(words, sizeof words, counts->failed, "failed");
  add_count(words, sizeof words, counts->refused, "refused");
  add_count(words, sizeof words, counts->missing, "missing");
  if (workers)
    snprintf(when, sizeof when, ", %.3g s with %s", seconds, workers);
  if (!asked->quiet)
    printf("%d point%s: %s%s\n", counts->points, counts->points == 1 ? "" : "s", words, when);
  if (!asked->quiet && part && all)
    printf("the rows of part %d/%d are in %s; when all parts are there: withy sweep --collect %s\n", asked->part,
           asked->parts, folder, folder);
  else if (!asked->quiet && sorted)
    printf("rows are in %s/sweep.csv%s%s%s\n", folder, drawn ? "; pictures: " : "", drawn ? folder : "",
           drawn ? "/index.html" : "");
  if (counts->wrong + counts->failed + counts->refused > 0)
    fprintf(stderr, "withy: %d of %d points are not done; the column message of %s/%s says why\n",
            counts->wrong + counts->failed + counts->refused, counts->points, folder,
            part ? "sweep.csv, after --collect," : "sweep.csv");
  return counts->done == counts->points && drawn == wanted ? WY_EXIT_DONE : WY_EXIT_FAILED;
}
