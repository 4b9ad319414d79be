/* SPDX-License-Identifier: MIT */
/* Published experiments, run again: each has parts, functions that fill tables of findings, published value beside
   ours, and charts. What is run is in scenes/, each scene once. A new paper is one file here, or one folder, and one
   line in experiments.c. */
#ifndef WY_EXPERIMENTS_EXPERIMENTS_H
#define WY_EXPERIMENTS_EXPERIMENTS_H

#include <stdio.h>

#include "draw/chart/chart.h"
#include "withy/withy.h"

typedef enum wy_verdict {
  WY_AGREES,   /* within the tolerance that the note names */
  WY_DIFFERS,  /* outside of it */
  WY_MEASURED, /* nothing to compare with, or something else was published */
  WY_EXPLAINED /* outside of the tolerance, and the note says why: most often, what was printed cannot be right */
} wy_verdict;

typedef struct wy_figure {
  char what[96];
  char where[48];         /* its place in the paper; "" where the paper does not have it */
  double published;       /* or expected; NAN where there is none */
  double ours, tolerance; /* NAN where there is none */
  bool bound;             /* ours is to be at most what was published */
  char unit[16];          /* "" for a pure number */
  wy_verdict verdict;
  char note[256];
  int part; /* of the experiment */
} wy_figure;

enum {
  WY_MAX_FINDINGS = 192,
  WY_MAX_CHARTS = 40,
  WY_MAX_TABLES = 4,
  WY_MAX_ROWS = 64,
  WY_MAX_COLUMNS = 8,
  WY_MAX_PARTS = 9,
  WY_MAX_OMISSIONS = 12,
  WY_MAX_REMARKS = 4
};

/* A published table beside ours. A column that is not compared has one number, ours. */
typedef struct wy_cell {
  double published, ours; /* NAN where there is none */
  wy_verdict verdict;
} wy_cell;

typedef struct wy_table_row {
  char label[32], note[256];
  wy_cell cell[WY_MAX_COLUMNS];
} wy_table_row;

typedef struct wy_table {
  char name[32]; /* of its file */
  char title[128], label[24];
  int part; /* of the experiment */
  int columns, rows;
  struct {
    char name[24];
    bool compared;
  } column[WY_MAX_COLUMNS];
  wy_table_row row[WY_MAX_ROWS];
} wy_table;

/* Large: to be allocated, and all zero in the beginning. */
typedef struct wy_findings {
  int part;  /* whose findings come next */
  bool full; /* something had no room and is missing */
  int count;
  wy_figure row[WY_MAX_FINDINGS];
  int tables;
  wy_table table[WY_MAX_TABLES];
  int charts;
  wy_chart chart[WY_MAX_CHARTS];
} wy_findings;

/* Appends a row. It agrees if |ours - published| <= tolerance; without a published value (NAN) it is only measured. */
void wy_findings_add(wy_findings *findings, const char *what, double published, double ours, double tolerance,
                     const char *unit, const char *note);

/* A row that agrees if ours <= published. */
void wy_findings_bound(wy_findings *findings, const char *what, double published, double ours, const char *unit,
                       const char *note);

/* A row without published number, for a statement that holds or does not. */
void wy_findings_state(wy_findings *findings, const char *what, double ours, bool holds, const char *unit,
                       const char *note);

/* The row that was added last is about a number or a statement of the paper, which stands there: "Figure 5". All others
   are further checks: closed forms, independent programs, limits. */
void wy_findings_where(wy_findings *findings, const char *where);
/* If that row differs, its note says why. */
void wy_findings_explain(wy_findings *findings);
/* Does a row or a cell of a table differ? */
bool wy_findings_differ(const wy_findings *findings);

/* A new, empty table, or NULL where there is no room (the functions below then do nothing); its next column; its next
   row, whose cells are empty; one of them, judged like a row of wy_findings_add (a tolerance of NAN: only measured). */
wy_table *wy_table_new(wy_findings *findings, const char *name, const char *title, const char *label);
void wy_table_column(wy_table *table, const char *name, bool compared);
wy_table_row *wy_table_add(wy_table *table, const char *label, const char *note);
void wy_table_set(wy_table_row *row, int column, double published, double ours, double tolerance);
/* All cells, a row each: label, column, published, ours, verdict. Names should have no commas. */
void wy_table_csv(const wy_table *table, FILE *out);
const char *wy_verdict_name(wy_verdict verdict);

/* A new, empty chart, or NULL where there is no room or are no findings: the functions of draw/chart/chart.h then do
   nothing. */
wy_chart *wy_chart_new(wy_findings *findings, const char *name, const char *title, const char *x, const char *y,
                       const char *caption);

/* ---- experiments ---- */

/* What can be run by itself. */
typedef struct wy_part {
  const char *name;     /* `withy reproduce PAPER/NAME`; NULL ends a list */
  const char *title;    /* with the sections, tables and figures of the paper that it remakes */
  const char *scenario; /* built-in scenario that shows the same, or NULL */
  wy_status (*run)(wy_findings *findings, wy_message *message);
} wy_part;

/* A published figure, table or number that is not remade. */
typedef struct wy_omission {
  const char *what, *reason;
} wy_omission;

/* One paper. Lists end with NULL. */
typedef struct wy_experiment {
  const char *name, *title;
  const char *source;                     /* authors, title, where it appeared */
  const char *remark[WY_MAX_REMARKS + 1]; /* paragraphs for the reader, in front of all numbers */
  wy_part part[WY_MAX_PARTS + 1];
  wy_omission omitted[WY_MAX_OMISSIONS + 1];
} wy_experiment;

/* Solver statistics of the rubber rod and the steel string, work and precision, step sizes, the comparison tests, order
   of convergence, curvature measures. */
extern const wy_experiment wy_lang_linn_arnold;
/* Stiffness of the three models, drift of the constrained ones, null space against absolute coordinates and
   multipliers. */
extern const wy_experiment wy_lang_arnold;
/* Flying spaghetti, knocked cantilever, bent cantilever, soft arm. */
extern const wy_experiment wy_kinon_eugster_betsch;
/* Torsional wave, transversal oscillation, twisted falling rod; energies and orders. */
extern const wy_experiment wy_fuetterer_klar_wegener;
/* Coefficient sets, cantilever, circle, buckling, coil spring, hair tress. */
extern const wy_experiment wy_sobottka_lay_weber;

/* All of them. */
enum { WY_EXPERIMENTS = 5 };
extern const wy_experiment *const wy_experiments[WY_EXPERIMENTS];

#endif
