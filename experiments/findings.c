/* The table that an experiment fills. */
#include <math.h>
#include <stdio.h>

#include "experiments/experiments.h"

void wy_findings_add(wy_findings *findings, const char *what, double published, double ours, double tolerance,
                     const char *unit, const char *note) {
  if (findings->count == WY_MAX_FINDINGS)
    return;
  wy_finding *row = &findings->row[findings->count++];
  snprintf(row->what, sizeof row->what, "%s", what);
  snprintf(row->unit, sizeof row->unit, "%s", unit);
  snprintf(row->note, sizeof row->note, "%s", note);
  row->published = published;
  row->ours = ours;
  row->verdict = isnan(published) ? WY_MEASURED : fabs(ours - published) <= tolerance ? WY_AGREES : WY_DIFFERS;
}

void wy_findings_state(wy_findings *findings, const char *what, double ours, bool holds, const char *unit,
                       const char *note) {
  wy_findings_add(findings, what, NAN, ours, 0, unit, note);
  findings->row[findings->count - 1].verdict = holds ? WY_AGREES : WY_DIFFERS;
}
