/* SPDX-License-Identifier: MIT */
/* withy compare: the differences between runs. Prints a table and writes pictures and a page. The exit status says
   whether the differences are within a tolerance. The comparison itself is in draw/compare/. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "draw/compare/many.h"

static int enter(int argc, char **argv);

enum { JSON = WY_LONG_ONLY, SCRIPT };

const wy_verb wy_verb_compare = {
    .name = "compare",
    .summary = "print the differences between runs",
    .operands = {{.name = "DIR1", .kind = WY_ARGUMENT_FOLDER}, {.name = "DIR2...", .kind = WY_ARGUMENT_FOLDER}},
    .text = "Compares two runs or more. DIR1, DIR2, ... are the folders of their results; the output calls the first "
            "run A and the others B, C, ... Each of them is compared with A. The runs may have different schemes, "
            "integrators, tolerances, numbers of segments and output times. They may have failed or been "
            "interrupted.\n"
            "\n"
            "For every probe, energy, momentum, centreline and mode it prints the largest difference and its time, the "
            "difference relative to a scale, and the root mean square. For vectors and rotations it uses the norm of "
            "the difference; the quaternions q and -q are the same rotation. If the times of the rows differ, the run "
            "with more rows is interpolated by cubic polynomials at the times of the other.\n"
            "\n"
            "Of three runs or more it prints a table of the relative differences only: a column for each run. The "
            "files have the rest.\n",
    .options =
        {{.code = 't',
          .name = "tolerance",
          .argument = {.name = "X"},
          .text = "probes, energies, batches and modes may differ by X times a scale. The scale of a probe is its "
                  "largest norm in both runs, but at least 1/1000 of the largest value of its quantity on the "
                  "rods. The scale of an energy is the largest kinetic or elastic energy. The scale of a mode "
                  "is its value. Momenta and centrelines are printed, but not judged"},
         {.code = 'a',
          .name = "absolute",
          .argument = {.name = "X"},
          .text = "probes, energies, batches and modes may differ by X, in the units of the scenario. If both options "
                  "are given, the larger tolerance applies"},
         {.code = 'c',
          .name = "common",
          .text = "judge only the content that both runs have. Without this option, a missing probe, an early "
                  "end and a failed run exceed every tolerance"},
         {.code = 'o',
          .name = "output",
          .argument = {.name = "DIR", .kind = WY_ARGUMENT_FOLDER},
          .text = "folder for pictures (.svg, .png), index.html, compare.csv with all values and compare.json "
                  "(default: compare.out)"},
         {.code = 'n', .name = "no-files", .text = "write no files: only print the table and set the exit status"},
         {.code = JSON, .name = "json", .text = "print the content of compare.json instead of the table"},
         {.code = SCRIPT,
          .name = "script",
          .text = "also write the gnuplot script, which contains the data: compare.gnuplot"}},
    .exits = {"all differences are within the tolerance, or no tolerance was given",
              "a difference exceeds the tolerance, or a file cannot be written",
              "the runs cannot be compared: a folder contains no run, a file is damaged, a value is not a finite "
              "number, or the runs have nothing in common"},
    .notes = "Pictures need gnuplot (Debian package gnuplot-nox). Without it, all other files are still written.\n",
    .run = enter,
};

typedef struct options {
  double relative, absolute; /* negative: not given */
  bool common, files, json, script;
  const char *output;
} options;

/* ---- the table ---- */

static void print_run(const char *label, const wy_compare_run *run) {
  wy_text made = {0};
  wy_compare_made(run, &made);
  printf("%-2s %s: %s\n   %s\n", label, wy_folder_path(run->folder), wy_folder_title(run->folder), made.data);
  wy_text_free(&made);
}

static void print_heading(wy_compared kind) {
  const char *name = kind == WY_COMPARED_CENTRELINE ? "" : wy_compared_name(kind);
  if (kind == WY_COMPARED_MODE)
    printf("\n  %-24s %12s %12s %12s %12s\n", name, "A", "B", "difference", "relative");
  else
    printf("\n  %-24s %12s %10s %12s %12s %12s\n", name, "largest", "at t", "relative", "scale", "rms");
}

static void print_difference(const wy_difference *d) {
  double relative = wy_difference_relative(d);
  if (d->kind == WY_COMPARED_MODE)
    printf("  %-24s %12.6g %12.6g %12.4g %12.3g", d->name, d->value[0][0][0], d->value[1][0][0], d->largest, relative);
  else
    printf("  %-24s %12.4g %10.5g %12.3g %12.4g %12.4g", d->name, d->largest, d->at, relative, d->scale, d->rms);
  if (d->judged)
    printf("  %s", d->beyond ? "BEYOND" : "within");
  printf("%s%s\n", d->where[0] ? "  " : "", d->where);
}

static void print_notes(const wy_comparison *c) {
  for (int i = 0; i < c->note_count; i++)
    printf("  %s: %s\n", wy_compare_judged(c) && !c->common && c->notes[i].lacking ? "BEYOND" : "note",
           c->notes[i].text);
}

static void print_table(const wy_comparison *c) {
  for (int side = 0; side < 2; side++)
    print_run(c->label[side], &c->run[side]);
  for (int i = 0; i < c->count; i++) {
    const wy_difference *d = &c->differences[i];
    if (i == 0 || d->kind != d[-1].kind)
      print_heading(d->kind);
    print_difference(d);
  }
  if (c->note_count > 0)
    putchar('\n');
  print_notes(c);
  putchar('\n');
}

static void print_verdict(const wy_comparison *c) {
  if (!wy_compare_judged(c))
    return;
  char limit[80] = "";
  if (c->relative >= 0)
    snprintf(limit, sizeof limit, "%g of the scale", c->relative);
  if (c->absolute >= 0)
    snprintf(limit + strlen(limit), sizeof limit - strlen(limit), "%s%g", limit[0] ? " or " : "", c->absolute);
  if (c->beyond > 0)
    printf("beyond the tolerance of %s: %d of %d that are judged\n", limit, c->beyond, c->judged);
  else
    printf("all %d probes, energies, batches and modes are within %s\n", c->judged, limit);
  if (c->lacking > 0 && !c->common)
    puts("the runs do not have the same content; --common judges what both have");
}

/* ---- the table of many runs ---- */

/* A line of the table: what exceeds the tolerance has a mark. */
static void print_line(const wy_compare_line *line, int first, int end) {
  printf("  %-24s", line->name);
  for (int p = first; p < end; p++) {
    const wy_difference *d = line->of[p];
    if (d)
      printf(" %11.3g%s", wy_difference_relative(d), d->beyond ? "!" : p + 1 < end ? " " : "");
    else
      printf(" %11s%s", "-", p + 1 < end ? " " : "");
  }
  putchar('\n');
}

/* As many columns as fit a line. */
static void print_lines(const wy_comparisons *c) {
  enum { COLUMNS = 7 };
  for (int first = 0; first < c->count; first += COLUMNS) {
    const int end = first + COLUMNS < c->count ? first + COLUMNS : c->count;
    printf("\nlargest difference from A, over the scale%s\n",
           wy_compare_judged(&c->pair[0]) ? "; ! is beyond the tolerance" : "");
    for (int i = 0; i < c->line_count; i++) {
      const wy_compared kind = c->lines[i].kind;
      if (i == 0 || kind != c->lines[i - 1].kind) {
        printf("%s  %-24s", i == 0 ? "" : "\n", kind == WY_COMPARED_CENTRELINE ? "" : wy_compared_name(kind));
        for (int p = first; p < end; p++)
          printf(" %11s%s", c->label[p + 1], p + 1 < end ? " " : "");
        putchar('\n');
      }
      print_line(&c->lines[i], first, end);
    }
  }
}

static void print_many(const wy_comparisons *c) {
  for (int run = 0; run <= c->count; run++)
    print_run(c->label[run], wy_compare_many_run(c, run));
  print_lines(c);
  putchar('\n');
  for (int p = 0; p < c->count; p++)
    print_notes(&c->pair[p]);
  for (int p = 0; p < c->count && wy_compare_judged(&c->pair[p]); p++) {
    printf("%s: ", c->label[p + 1]);
    print_verdict(&c->pair[p]);
  }
}

/* ---- files ---- */

static int write_files(wy_comparisons *c, const options *o) {
  wy_message message = {.text = ""}, no_pictures = {.text = ""};
  wy_status status = wy_compare_files(c, o->output, o->script, &no_pictures, &message);
  const char *slash = o->output[strlen(o->output) - 1] == '/' ? "" : "/";
  if (no_pictures.text[0])
    fprintf(stderr, "withy compare: there are no pictures: %s\n", no_pictures.text);
  if (status != WY_OK)
    fprintf(stderr, "withy compare: %s\n", message.text);
  else if (!o->json)
    printf("%s%sindex.html shows the differences, %s%scompare.csv has all values\n", o->output, slash, o->output,
           slash);
  return status == WY_OK ? WY_EXIT_DONE : WY_EXIT_FAILED;
}

/* ---- the command ---- */

static bool same_folder(const char *one, const char *two) {
  struct stat a, b;
  return stat(one, &a) == 0 && stat(two, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static void print_result(const wy_comparisons *c, const options *o) {
  if (o->json && c->count == 1) {
    wy_compare_json(stdout, &c->pair[0]);
  } else if (o->json) {
    wy_compare_many_json(stdout, c);
  } else if (c->count > 1) {
    print_many(c);
  } else {
    print_table(&c->pair[0]);
    print_verdict(&c->pair[0]);
  }
}

static int compare(const char *const *folders, int count, const options *o) {
  wy_comparisons c;
  wy_message message = {.text = ""};
  wy_status ready = wy_compare_many(folders, count, &c, &message);
  int status = WY_EXIT_INPUT;
  if (ready == WY_OK && o->files)
    ready = wy_folder_make(o->output, &message);
  if (ready == WY_OK) {
    wy_compare_many_judge(&c, o->relative, o->absolute, o->common);
    print_result(&c, o);
    status = o->files ? write_files(&c, o) : WY_EXIT_DONE;
    if (!wy_compare_many_well(&c))
      status = WY_EXIT_FAILED;
  } else {
    fprintf(stderr, "withy compare: %s\n", message.text);
  }
  wy_compare_many_close(&c);
  return status;
}

/* A limit is a number that is not negative. */
static bool read_limit(const char *text, double *limit) {
  char *end;
  *limit = strtod(text, &end);
  return end != text && *end == '\0' && isfinite(*limit) && *limit >= 0;
}

static int check_operands(const char *const *folders, int count, const options *o) {
  for (int i = 0; i < count && o->files; i++)
    if (same_folder(folders[i], o->output))
      return wy_verb_usage(&wy_verb_compare, "-o %s: the pictures would mix with those of the run; give another folder",
                           o->output);
  return WY_EXIT_DONE;
}

static int enter(int argc, char **argv) {
  options o = {.relative = -1, .absolute = -1, .files = true, .output = "compare.out"};
  for (int option; (option = wy_verb_option(argc, argv, &wy_verb_compare)) != -1;) {
    switch (option) {
    case 't':
    case 'a':
      if (!read_limit(optarg, option == 't' ? &o.relative : &o.absolute))
        return wy_verb_usage(&wy_verb_compare, "--%s: found '%s'; expected a number that is not negative, such as 1e-3",
                             option == 't' ? "tolerance" : "absolute", optarg);
      break;
    case 'c':
      o.common = true;
      break;
    case 'o':
      o.output = optarg;
      break;
    case 'n':
      o.files = false;
      break;
    case JSON:
      o.json = true;
      break;
    case SCRIPT:
      o.script = true;
      break;
    case WY_OPTION_HELP:
      return WY_EXIT_DONE;
    default:
      return WY_EXIT_INPUT;
    }
  }
  const int count = argc - optind;
  if (count < 2)
    return wy_verb_usage(&wy_verb_compare, "expected the folders of two runs or more");
  if (!*o.output)
    return wy_verb_usage(&wy_verb_compare, "-o needs the name of a folder");
  const char *const *folders = (const char *const *)argv + optind;
  int status = check_operands(folders, count, &o);
  return status == WY_EXIT_DONE ? compare(folders, count, &o) : status;
}
