/* Published experiments, run again: each is one function that fills a table of findings, published value beside ours.
   They use the public headers only. A new paper is one file here and one line in the table of cli/reproduce.c. */
#ifndef WY_EXPERIMENTS_EXPERIMENTS_H
#define WY_EXPERIMENTS_EXPERIMENTS_H

#include "withy/withy.h"

typedef enum wy_verdict {
  WY_AGREES,  /* within the tolerance that the note names */
  WY_DIFFERS, /* outside of it */
  WY_MEASURED /* nothing published to compare with */
} wy_verdict;

typedef struct wy_finding {
  char what[96];
  double published; /* NAN where there is none */
  double ours;
  char unit[16]; /* "" for a pure number */
  wy_verdict verdict;
  char note[256];
} wy_finding;

enum { WY_MAX_FINDINGS = 64 };

typedef struct wy_findings {
  int count;
  wy_finding row[WY_MAX_FINDINGS];
} wy_findings;

/* Appends a row. It agrees if |ours - published| <= tolerance; without a published value (NAN) it is only measured. */
void wy_findings_add(wy_findings *findings, const char *what, double published, double ours, double tolerance,
                     const char *unit, const char *note);

/* Lang, Linn, Arnold: step counts of the rubber rod and the steel string, order of convergence. */
wy_status wy_experiment_lang_linn_arnold(wy_findings *findings, wy_message *message);

#endif
