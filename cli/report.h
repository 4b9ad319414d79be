/* The report of withy reproduce: on the terminal, as JSON, as one HTML page. */
#ifndef WY_CLI_REPORT_H
#define WY_CLI_REPORT_H

#include "experiments/experiments.h"

/* What came of one experiment. */
typedef struct wy_outcome {
  const char *name, *title, *source;
  wy_status status;
  wy_message message;
  wy_findings findings;
} wy_outcome;

void wy_report_print(const wy_outcome *outcome);
/* report.json, report.html, and a CSV file for each table and chart; false after a message on stderr. */
bool wy_report_save(const char *folder, const wy_outcome *outcomes, int count);

#endif
