/* SPDX-License-Identifier: MIT */
/* withy reproduce: runs published experiments again and writes a report, published values beside ours. What is run is
   in experiments/. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/report.h"
#include "run/results/clock.h"
#include "run/results/file.h"

static int enter(int argc, char **argv);

static const char *paper_name(int number) {
  return number < WY_EXPERIMENTS ? wy_experiments[number]->name : NULL;
}

enum { LIST = WY_LONG_ONLY };

const wy_verb wy_verb_reproduce = {
    .name = "reproduce",
    .summary = "repeat published experiments and compare the results",
    .operands = {{.name = "[NAME]", .word = paper_name}},
    .text = "Repeats published experiments. NAME is a paper, or one part of a paper (PAPER/PART); without NAME all "
            "experiments are repeated. Prints the published and the computed values. Writes DIR/report.html and "
            "DIR/report.json, and each table and the points of each chart as DIR/*.csv. The files are written after "
            "every part, so that they are useful after an interruption too.\n",
    .options = {{.code = 'o',
                 .name = "output",
                 .argument = {.name = "DIR", .kind = WY_ARGUMENT_FOLDER},
                 .text = "folder of the report (default: reproduce.out)"},
                {.code = LIST, .name = "list", .text = "list papers and parts; nothing is computed"}},
    .exits = {"every value is within its tolerance",
              "an experiment failed, or a value differs by more than its tolerance",
              "there is no such paper or part; nothing was computed"},
    .run = enter,
};

static int list(void) {
  for (int i = 0; i < WY_EXPERIMENTS; i++) {
    const wy_experiment *e = wy_experiments[i];
    printf("%-38s %s\n", e->name, e->title);
    for (int k = 0; e->part[k].name; k++) {
      char name[64];
      snprintf(name, sizeof name, "  %s/%s", e->name, e->part[k].name);
      printf("%-38s   %s\n", name, e->part[k].title);
    }
  }
  return WY_EXIT_DONE;
}

/* ---- what is asked for ---- */

/* One paper and one part of it, or all of them: NULL, -1. */
typedef struct choice {
  const wy_experiment *paper;
  int part;
} choice;

static void suggest(const char *what, const char *name, const char *const *names, int count) {
  const char *near = wy_suggest(name, names, count);
  fprintf(stderr, "withy reproduce: there is no %s \"%s\"", what, name);
  if (near)
    fprintf(stderr, "; did you mean \"%s\"?\n", near);
  else
    fputs("; `withy reproduce --list` shows them\n", stderr);
}

static bool find_part(const wy_experiment *paper, const char *name, choice *out) {
  const char *names[WY_MAX_PARTS];
  int count = 0;
  for (; paper->part[count].name; count++) {
    names[count] = paper->part[count].name;
    if (strcmp(name, names[count]) == 0) {
      *out = (choice){paper, count};
      return true;
    }
  }
  char what[64];
  snprintf(what, sizeof what, "part of %s called", paper->name);
  suggest(what, name, names, count);
  return false;
}

static bool find(const char *name, choice *out) {
  const char *names[WY_EXPERIMENTS], *slash = strchr(name, '/');
  const size_t length = slash ? (size_t)(slash - name) : strlen(name);
  for (int i = 0; i < WY_EXPERIMENTS; i++) {
    const wy_experiment *e = wy_experiments[i];
    names[i] = e->name;
    if (strlen(e->name) != length || strncmp(name, e->name, length) != 0)
      continue;
    *out = (choice){e, -1};
    return slash ? find_part(e, slash + 1, out) : true;
  }
  char paper[64];
  snprintf(paper, sizeof paper, "%.*s", (int)length, name);
  suggest("experiment", paper, names, WY_EXPERIMENTS);
  return false;
}

/* ---- running ---- */

static void run_part(wy_outcome *o, int part, int paper, int of) {
  const wy_part *p = &o->experiment->part[part];
  wy_part_outcome *out = &o->part[part];
  char what[128];
  snprintf(what, sizeof what, "paper %d of %d: %s/%s", paper, of, o->experiment->name, p->name);
  wy_report_progress(what);
  const double start = wy_wall_time();
  o->findings.part = part;
  out->run = true;
  out->status = p->run(&o->findings, &out->message);
  out->seconds = wy_wall_time() - start;
  if (out->status == WY_OK && o->findings.full) {
    out->status = WY_ERROR_MEMORY;
    snprintf(out->message.text, sizeof out->message.text, "more rows, tables or charts than a report has room for");
  }
  wy_report_progress_end();
}

/* One line a part, wherever stderr goes: once it is there, the part is on disk. */
static void tell(const wy_outcome *o, int part, int paper, int of) {
  const wy_part_outcome *done = &o->part[part];
  char time[16];
  wy_format_seconds(time, done->seconds);
  fprintf(stderr, "paper %d of %d: %s/%s: %s, %s\n", paper, of, o->experiment->name, o->experiment->part[part].name,
          done->status == WY_OK ? "done" : "failed", time);
}

/* The last part that was asked for, so that the report can say whether some are still to come. */
static int last_part(const wy_experiment *paper, int asked) {
  int count = 0;
  while (paper->part[count].name)
    count++;
  return asked >= 0 ? asked : count - 1;
}

/* A part that fails leaves the others alone. The report is there after each part, so that a run that is stopped leaves
   what it has. */
static bool run(const choice *asked, wy_outcome *outcomes, int count, const char *folder) {
  bool good = true;
  for (int i = 0; i < count; i++) {
    wy_outcome *o = &outcomes[i];
    o->experiment = asked->paper ? asked->paper : wy_experiments[i];
    const int last = last_part(o->experiment, asked->part);
    for (int k = asked->part < 0 ? 0 : asked->part; k <= last; k++) {
      run_part(o, k, i + 1, count);
      o->unfinished = k < last;
      good = wy_report_save(folder, outcomes, i + 1) && good;
      tell(o, k, i + 1, count);
    }
    wy_report_print(o);
    fflush(stdout);
    good = wy_outcome_good(o) && good;
  }
  return good;
}

static int reproduce(const choice *asked, const char *folder) {
  wy_message message = {.text = ""};
  const wy_status ready = wy_folder_make(folder, &message);
  if (ready != WY_OK) {
    fprintf(stderr, "withy reproduce: %s\n", message.text);
    return ready == WY_ERROR_INPUT ? WY_EXIT_INPUT : WY_EXIT_FAILED;
  }
  const int count = asked->paper ? 1 : WY_EXPERIMENTS;
  wy_outcome *outcomes = calloc((size_t)count, sizeof *outcomes);
  if (!outcomes) {
    fputs("withy reproduce: out of memory\n", stderr);
    return WY_EXIT_FAILED;
  }
  const bool good = run(asked, outcomes, count, folder);
  wy_report_summary(outcomes, count);
  printf("%s/report.html\n%s/report.json\n", folder, folder);
  free(outcomes);
  return good ? WY_EXIT_DONE : WY_EXIT_FAILED;
}

static int enter(int argc, char **argv) {
  const char *folder = "reproduce.out";
  bool only_list = false;
  for (int option; (option = wy_verb_option(argc, argv, &wy_verb_reproduce)) != -1;) {
    switch (option) {
    case 'o':
      folder = optarg;
      break;
    case LIST:
      only_list = true;
      break;
    case WY_OPTION_HELP:
      return WY_EXIT_DONE;
    default:
      return WY_EXIT_INPUT;
    }
  }
  if (argc - optind > 1)
    return wy_verb_usage(&wy_verb_reproduce, "found several names; expected one name, or none for all experiments");
  if (only_list)
    return list();
  choice asked = {NULL, -1};
  if (optind < argc && !find(argv[optind], &asked))
    return WY_EXIT_INPUT;
  return reproduce(&asked, folder);
}
