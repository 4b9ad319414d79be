/* SPDX-License-Identifier: MIT */
/* The report of withy reproduce: on the terminal, as JSON, as one HTML page, and CSV files. */
#ifndef WY_CLI_REPORT_H
#define WY_CLI_REPORT_H

#include "experiments/experiments.h"
#include "run/results/file.h"

/* What came of one experiment, of those of its parts that were run. */
typedef struct wy_part_outcome {
  bool run;
  wy_status status;
  wy_message message; /* where it failed */
  double seconds;     /* on the clock */
} wy_part_outcome;

typedef struct wy_outcome {
  const wy_experiment *experiment;
  wy_part_outcome part[WY_MAX_PARTS];
  bool unfinished; /* some of the parts that were asked for are still to come */
  wy_findings findings;
} wy_outcome;

/* How many values have which verdict: those of the paper (rows that name a place in it, cells of published tables), or
   further checks. */
typedef struct wy_tally {
  int count[4]; /* by wy_verdict */
} wy_tally;

/* Is the row one of that part, and of the paper, or else a further check? */
bool wy_row_is_of(const wy_figure *row, int part, bool of_paper);
wy_tally wy_outcome_tally(const wy_outcome *outcome, bool of_paper);
int wy_outcome_omissions(const wy_outcome *outcome);
double wy_outcome_seconds(const wy_outcome *outcome);
/* All parts that were run were done, and nothing differs. */
bool wy_outcome_good(const wy_outcome *outcome);
/* The worst of its cells: differs, explained, agrees, measured. */
wy_verdict wy_row_verdict(const wy_table *table, const wy_table_row *row);
bool wy_table_compared(const wy_table *table);
/* A value for people, with the digits that `tolerance` asks for (NAN: four); nothing where there is none. And a time:
   "0:07". */
void wy_format_value(char text[32], double value, double tolerance);
void wy_format_seconds(char text[16], double seconds);

void wy_report_print(const wy_outcome *outcome);
/* What came of all of them, a line each. */
void wy_report_summary(const wy_outcome *outcomes, int count);
/* report.json and report.html of the outcomes so far, and the CSV files of tables and charts of the last one; false
   after a message on stderr. */
bool wy_report_save(const char *folder, const wy_outcome *outcomes, int count);

/* report_json.c, report_html.c */
void wy_report_json(wy_text *text, const wy_outcome *outcomes, int count);
void wy_report_html(wy_text *text, const wy_outcome *outcomes, int count);

/* report_progress.c: a line on stderr that tells what is running and for how long, where stderr is a terminal. */
void wy_report_progress(const char *what);
void wy_report_progress_end(void);

#endif
