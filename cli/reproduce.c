/* withy reproduce: runs published experiments again and writes a report, published values beside ours. What is run is
   in experiments/. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "cli/report.h"
#include "experiments/experiments.h"

static const char help[] =
    "usage: withy reproduce [NAME] [-o DIR] [--list]\n"
    "\n"
    "Runs published experiments again, all of them or the one called NAME, prints the published value beside\n"
    "ours and writes DIR/report.html and DIR/report.json, and each table and the points of each chart as\n"
    "DIR/NAME.csv. The exit status is 1 if an experiment failed or a value differs by more than its tolerance.\n"
    "\n"
    "  -o, --output DIR   where the report goes (default: reproduce.out)\n"
    "      --list         list the experiments, run nothing\n"
    "  -h, --help         show this help\n";

typedef struct experiment {
  const char *name, *title, *source;
  wy_status (*run)(wy_findings *findings, wy_message *message);
} experiment;

static const experiment experiments[] = {
    {"lang-linn-arnold", "Swinging rubber rod and steel string: solver statistics, work and precision, order",
     "Lang, Linn, Arnold: Multi-body dynamics simulation of geometrically exact Cosserat rods. Multibody System "
     "Dynamics 25 (2011) 285-312",
     wy_experiment_lang_linn_arnold},
    {"lang-arnold", "Three models of a rod: stiffness, drift; null space against absolute coordinates",
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
  wy_outcome *outcomes = calloc((size_t)count, sizeof *outcomes);
  if (!outcomes) {
    fputs("withy reproduce: out of memory\n", stderr);
    return WY_EXIT_FAILED;
  }
  bool good = true;
  for (int i = 0; i < count; i++) {
    wy_outcome *o = &outcomes[i];
    const experiment *e = only ? only : &experiments[i];
    o->name = e->name, o->title = e->title, o->source = e->source;
    o->status = e->run(&o->findings, &o->message);
    good = good && o->status == WY_OK && !wy_findings_differ(&o->findings);
    wy_report_print(o);
    fflush(stdout);
  }
  good = wy_report_save(folder, outcomes, count) && good;
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
