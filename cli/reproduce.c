/* withy reproduce: runs published experiments again and writes a report, published values beside ours. What is run is
   in experiments/. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "experiments/experiments.h"
#include "io/json.h"
#include "io/results_file.h"

static const char help[] =
    "usage: withy reproduce [NAME] [-o DIR] [--list]\n"
    "\n"
    "Runs published experiments again, all of them or the one called NAME, prints the published value beside\n"
    "ours and writes DIR/report.html and DIR/report.json, and the points of each chart as DIR/CHART.csv. The exit\n"
    "status is 1 if an experiment failed or a value differs by more than its tolerance.\n"
    "\n"
    "  -o, --output DIR   where the report goes (default: reproduce.out)\n"
    "      --list         list the experiments, run nothing\n"
    "  -h, --help         show this help\n";

typedef struct experiment {
  const char *name, *title, *source;
  wy_status (*run)(wy_findings *findings, wy_message *message);
} experiment;

static const experiment experiments[] = {
    {"lang-linn-arnold", "Swinging rubber rod and steel string: step counts and order",
     "Lang, Linn, Arnold: Multi-body dynamics simulation of geometrically exact Cosserat rods. Multibody System "
     "Dynamics "
     "25 (2011) 285-312",
     wy_experiment_lang_linn_arnold},
    {"lang-arnold", "Three models of a rod: stiffness, drift, and the null space of the inextensible one",
     "Lang, Arnold: Numerical aspects in the dynamic simulation of geometrically exact rods",
     wy_experiment_lang_arnold},
    {"kinon-eugster-betsch", "Mixed finite elements: energy and momentum, viscoelasticity, statics, soft robots",
     "Kinon, Eugster, Betsch: director-based mixed finite elements for Cosserat rods as port-Hamiltonian systems",
     wy_experiment_kinon_eugster_betsch},
    {"fuetterer-klar-wegener", "Energy-conserving differences: torsion, bending, a twisted falling rod, materials",
     "Fütterer, Klar, Wegener: An energy conserving numerical scheme for the dynamics of hyperelastic rods. "
     "International Journal of Differential Equations (2012)",
     wy_experiment_fuetterer_klar_wegener},
    {"sobottka-lay-weber", "The box scheme: coefficients, cantilever, circle, buckling, coil spring, hair",
     "Sobottka, Lay, Weber: Stable integration of the dynamic Cosserat equations with application to hair modeling. "
     "Journal of WSCG 16 (2008) 73-80, and its slides",
     wy_experiment_sobottka_lay_weber},
};

enum { EXPERIMENTS = sizeof experiments / sizeof *experiments };

static const char *const verdicts[] = {[WY_AGREES] = "agrees", [WY_DIFFERS] = "differs", [WY_MEASURED] = "measured"};

/* What came of one experiment. */
typedef struct outcome {
  const experiment *experiment;
  wy_status status;
  wy_message message;
  wy_findings findings;
} outcome;

/* ---- the report ---- */

/* A value for people: whole numbers whole, others with five digits, nothing where there is none. */
static void format_value(char text[32], double value) {
  if (isnan(value))
    text[0] = '\0';
  else
    snprintf(text, 32, value == floor(value) && fabs(value) < 1e12 ? "%.0f" : "%.5g", value);
}

static void print_outcome(const outcome *o) {
  printf("%s: %s\n%s\n\n", o->experiment->name, o->experiment->title, o->experiment->source);
  if (o->findings.count > 0)
    printf("  %-52s %12s %12s  %s\n", "what", "published", "ours", "verdict");
  for (int i = 0; i < o->findings.count; i++) {
    const wy_finding *row = &o->findings.row[i];
    char published[32], ours[32];
    format_value(published, row->published);
    format_value(ours, row->ours);
    printf("  %-52s %12s %12s  %s%s%s\n", row->what, published, ours, verdicts[row->verdict], row->unit[0] ? ", " : "",
           row->unit);
  }
  if (o->status != WY_OK)
    printf("  failed: %s\n", o->message.text);
  putchar('\n');
}

static void write_json(wy_text *text, const outcome *outcomes, int count) {
  wy_json json = {.text = text};
  wy_json_object(&json, NULL);
  wy_json_integer(&json, "format", 1);
  wy_json_string(&json, "version", wy_version());
  wy_json_list(&json, "experiments");
  for (int i = 0; i < count; i++) {
    const outcome *o = &outcomes[i];
    wy_json_object(&json, NULL);
    wy_json_string(&json, "name", o->experiment->name);
    wy_json_string(&json, "title", o->experiment->title);
    wy_json_string(&json, "source", o->experiment->source);
    wy_json_string(&json, "status", o->status == WY_OK ? "done" : "failed");
    wy_json_string(&json, "message", o->status == WY_OK ? "" : o->message.text);
    wy_json_list(&json, "findings");
    for (int k = 0; k < o->findings.count; k++) {
      const wy_finding *row = &o->findings.row[k];
      wy_json_object(&json, NULL);
      wy_json_string(&json, "what", row->what);
      wy_json_number(&json, "published", row->published);
      wy_json_number(&json, "ours", row->ours);
      wy_json_string(&json, "unit", row->unit);
      wy_json_string(&json, "verdict", verdicts[row->verdict]);
      wy_json_string(&json, "note", row->note);
      wy_json_end_object(&json);
    }
    wy_json_end_list(&json);
    wy_json_end_object(&json);
  }
  wy_json_end_list(&json);
  wy_json_end_object(&json);
  wy_text_add(text, "\n");
}

static void add_escaped(wy_text *text, const char *plain) {
  for (; *plain; plain++) {
    if (*plain == '&' || *plain == '<' || *plain == '>')
      wy_text_add(text, "%s", *plain == '&' ? "&amp;" : *plain == '<' ? "&lt;" : "&gt;");
    else
      wy_text_append(text, plain, 1);
  }
}

/* A chart as text, in the form that `write` gives it. */
static void add_chart(wy_text *text, const wy_chart *chart, void (*write)(const wy_chart *, FILE *)) {
  char *data = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&data, &size);
  if (!out)
    return;
  write(chart, out);
  if (fclose(out) == 0)
    wy_text_append(text, data, size);
  free(data);
}

static void write_html(wy_text *text, const outcome *outcomes, int count) {
  wy_text_add(text,
              "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
              "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
              "<title>Published experiments, reproduced</title>\n<style>\n"
              ":root{color-scheme:light dark}\n"
              "body{margin:0 auto;padding:1.2rem 1rem 3rem;max-width:64rem;font:1rem/1.5 system-ui,sans-serif}\n"
              "h1{font-size:1.6rem}h2{font-size:1.2rem;margin:2rem 0 .2rem}p{margin:.2rem 0 .8rem;opacity:.75}\n"
              "div{overflow-x:auto}table{border-collapse:collapse;width:100%%}\n"
              "th,td{text-align:left;padding:.35rem .6rem;border-bottom:1px solid #8884;vertical-align:top}\n"
              ".n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\n"
              ".note{font-size:.85rem;opacity:.75}.differs{color:#d55e00;font-weight:600}\n"
              "</style>\n</head>\n<body>\n<h1>Published experiments, reproduced</h1>\n<p>withy %s</p>\n",
              wy_version());
  for (int i = 0; i < count; i++) {
    const outcome *o = &outcomes[i];
    wy_text_add(text, "<h2>");
    add_escaped(text, o->experiment->title);
    wy_text_add(text, "</h2>\n<p>");
    add_escaped(text, o->experiment->source);
    wy_text_add(text, "</p>\n");
    if (o->status != WY_OK) {
      wy_text_add(text, "<p class=\"differs\">failed: ");
      add_escaped(text, o->message.text);
      wy_text_add(text, "</p>\n");
    }
    wy_text_add(text, "<div><table>\n<tr><th>what<th class=\"n\">published or expected<th "
                      "class=\"n\">ours<th>verdict<th>note</tr>\n");
    for (int k = 0; k < o->findings.count; k++) {
      const wy_finding *row = &o->findings.row[k];
      char published[32], ours[32];
      format_value(published, row->published);
      format_value(ours, row->ours);
      wy_text_add(text, "<tr><td>");
      add_escaped(text, row->what);
      wy_text_add(text, "<td class=\"n\">%s<td class=\"n\">%s %s<td class=\"%s\">%s<td class=\"note\">", published,
                  ours, row->unit, verdicts[row->verdict], verdicts[row->verdict]);
      add_escaped(text, row->note);
      wy_text_add(text, "</tr>\n");
    }
    wy_text_add(text, "</table></div>\n");
    for (int k = 0; k < o->findings.charts; k++) {
      wy_text_add(text, "<div>\n");
      add_chart(text, &o->findings.chart[k], wy_chart_svg);
      wy_text_add(text, "</div>\n");
    }
  }
  wy_text_add(text, "</body>\n</html>\n");
}

/* Writes one file of the report; frees its text. */
static bool save(const char *folder, const char *name, const char *ending, wy_text *text) {
  wy_text path = {0};
  wy_message message;
  wy_text_add(&path, "%s/%s%s", folder, name, ending);
  bool good = wy_file_replace(path.data, text->data, text->length, &message) == WY_OK;
  if (good)
    printf("%s\n", path.data);
  else
    fprintf(stderr, "withy reproduce: %s\n", message.text);
  wy_text_free(&path);
  wy_text_free(text);
  return good;
}

static bool save_all(const char *folder, const outcome *outcomes, int count) {
  wy_text json = {0}, html = {0};
  write_json(&json, outcomes, count);
  write_html(&html, outcomes, count);
  bool good = save(folder, "report", ".json", &json);
  good = save(folder, "report", ".html", &html) && good;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < outcomes[i].findings.charts; k++) {
      wy_text csv = {0};
      add_chart(&csv, &outcomes[i].findings.chart[k], wy_chart_csv);
      good = save(folder, outcomes[i].findings.chart[k].name, ".csv", &csv) && good;
    }
  return good;
}

/* ---- the verb ---- */

static int list(void) {
  for (int i = 0; i < EXPERIMENTS; i++)
    printf("%-24s %s\n", experiments[i].name, experiments[i].title);
  return WY_EXIT_DONE;
}

static const experiment *find(const char *name) {
  const char *names[EXPERIMENTS];
  for (int i = 0; i < EXPERIMENTS; i++) {
    names[i] = experiments[i].name;
    if (strcmp(name, names[i]) == 0)
      return &experiments[i];
  }
  const char *near = wy_suggest(name, names, EXPERIMENTS);
  fprintf(stderr, "withy reproduce: there is no experiment \"%s\"", name);
  if (near)
    fprintf(stderr, "; did you mean \"%s\"?\n", near);
  else
    fputs("; `withy reproduce --list` shows them\n", stderr);
  return NULL;
}

static int reproduce(const experiment *only, const char *folder) {
  if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
    fprintf(stderr, "withy reproduce: cannot make the folder %s: %s\n", folder, strerror(errno));
    return WY_EXIT_INPUT;
  }
  int count = only ? 1 : EXPERIMENTS;
  outcome *outcomes = calloc((size_t)count, sizeof *outcomes);
  if (!outcomes) {
    fputs("withy reproduce: out of memory\n", stderr);
    return WY_EXIT_FAILED;
  }
  bool good = true;
  for (int i = 0; i < count; i++) {
    outcome *o = &outcomes[i];
    o->experiment = only ? only : &experiments[i];
    o->status = o->experiment->run(&o->findings, &o->message);
    good = good && o->status == WY_OK;
    for (int k = 0; k < o->findings.count; k++)
      good = good && o->findings.row[k].verdict != WY_DIFFERS;
    print_outcome(o);
    fflush(stdout);
  }
  good = save_all(folder, outcomes, count) && good;
  free(outcomes);
  return good ? WY_EXIT_DONE : WY_EXIT_FAILED;
}

int wy_cli_reproduce(int argc, char **argv) {
  static const struct option options[] = {
      {"output", required_argument, NULL, 'o'}, {"list", no_argument, NULL, 'l'}, {NULL, 0, NULL, 0}};
  const char *folder = "reproduce.out";
  bool only_list = false;
  for (int option; (option = wy_cli_option(argc, argv, help, "o:", options)) != -1;) {
    switch (option) {
    case 'o':
      folder = optarg;
      break;
    case 'l':
      only_list = true;
      break;
    case WY_OPTION_HELP:
      return WY_EXIT_DONE;
    default:
      return WY_EXIT_INPUT;
    }
  }
  if (argc - optind > 1)
    return wy_cli_usage(help, "one experiment at a time, or none for all");
  if (only_list)
    return list();
  const experiment *only = NULL;
  if (optind < argc && !(only = find(argv[optind])))
    return WY_EXIT_INPUT;
  return reproduce(only, folder);
}
