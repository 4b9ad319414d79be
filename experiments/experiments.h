/* Published experiments, run again: each is one function that fills a table of findings, published value beside ours,
   and charts. They use the public headers only. A new paper is one file here, or one folder, and one line in the
   table of cli/reproduce.c. */
#ifndef WY_EXPERIMENTS_EXPERIMENTS_H
#define WY_EXPERIMENTS_EXPERIMENTS_H

#include <stdio.h>

#include "withy/withy.h"

typedef enum wy_verdict {
  WY_AGREES,   /* within the tolerance that the note names */
  WY_DIFFERS,  /* outside of it */
  WY_MEASURED, /* nothing to compare with, or something else was published */
  WY_EXPLAINED /* outside of the tolerance, and the note says why: most often, what was printed cannot be right */
} wy_verdict;

typedef struct wy_finding {
  char what[96];
  double published; /* NAN where there is none */
  double ours;
  char unit[16]; /* "" for a pure number */
  wy_verdict verdict;
  char note[256];
} wy_finding;

enum {
  WY_MAX_FINDINGS = 128,
  WY_MAX_CHARTS = 32,
  WY_MAX_CURVES = 16,
  WY_MAX_POINTS = 512,
  WY_MAX_TABLES = 4,
  WY_MAX_ROWS = 64,
  WY_MAX_COLUMNS = 8,
  WY_MAX_REMARKS = 8
};

typedef struct wy_curve {
  char name[48];
  int count;
  double x[WY_MAX_POINTS], y[WY_MAX_POINTS];
} wy_curve;

typedef struct wy_chart {
  char name[32]; /* of its file */
  char title[96], x[48], y[48];
  bool log_x, log_y, marks; /* axes; a mark at each point */
  bool equal;               /* the same scale on both axes, for shapes and paths */
  bool ramp;                /* curves are states one after the other: colours run from the first to the last */
  int count;
  wy_curve curve[WY_MAX_CURVES];
} wy_chart;

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
  int columns, rows;
  struct {
    char name[24];
    bool compared;
  } column[WY_MAX_COLUMNS];
  wy_table_row row[WY_MAX_ROWS];
} wy_table;

/* Large: to be allocated, and all zero in the beginning. */
typedef struct wy_findings {
  int remarks;
  char remark[WY_MAX_REMARKS][640];
  int count;
  wy_finding row[WY_MAX_FINDINGS];
  int tables;
  wy_table table[WY_MAX_TABLES];
  int charts;
  wy_chart chart[WY_MAX_CHARTS];
} wy_findings;

/* Appends a row. It agrees if |ours - published| <= tolerance; without a published value (NAN) it is only measured. */
void wy_findings_add(wy_findings *findings, const char *what, double published, double ours, double tolerance,
                     const char *unit, const char *note);

/* A row without published number, for a statement that holds or does not. */
void wy_findings_state(wy_findings *findings, const char *what, double ours, bool holds, const char *unit,
                       const char *note);

/* A paragraph for the reader of the report, in front of all numbers. */
void wy_findings_remark(wy_findings *findings, const char *text);
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

/* A new, empty chart, or NULL where there is no room (the functions below then do nothing); the next of its curves; a
   point of one of them. */
wy_chart *wy_chart_new(wy_findings *findings, const char *name, const char *title, const char *x, const char *y);
int wy_chart_curve(wy_chart *chart, const char *name);
void wy_chart_point(wy_chart *chart, int curve, double x, double y);
/* All points, a row each: curve, x, y. And a picture, as an element of a page. */
void wy_chart_csv(const wy_chart *chart, FILE *out);
void wy_chart_svg(const wy_chart *chart, FILE *out);

/* Lang, Linn, Arnold: solver statistics of the rubber rod and the steel string, work and precision, step sizes, the
   dynamic comparison test, order of convergence. */
wy_status wy_experiment_lang_linn_arnold(wy_findings *findings, wy_message *message);

/* Lang, Arnold: stiffness of the three models, drift of the constrained ones, null space against absolute coordinates
   and multipliers. */
wy_status wy_experiment_lang_arnold(wy_findings *findings, wy_message *message);

/* Kinon, Eugster, Betsch: flying spaghetti, knocked cantilever, bent cantilever, soft arm. */
wy_status wy_experiment_kinon_eugster_betsch(wy_findings *findings, wy_message *message);

/* Fütterer, Klar, Wegener: torsional wave, transversal oscillation, twisted falling rod; energies and orders. */
wy_status wy_experiment_fuetterer_klar_wegener(wy_findings *findings, wy_message *message);

/* Sobottka, Lay, Weber: coefficient sets, cantilever, circle, buckling, coil spring, hair tress. */
wy_status wy_experiment_sobottka_lay_weber(wy_findings *findings, wy_message *message);

#endif
