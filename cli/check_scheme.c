/* What `withy check` warns of in the options of a scheme. */
#include "cli/check.h"
#include "run/results/results.h"

void wy_report_scheme(const wy_scenario *scenario, const wy_model *model, int rod, wy_warnings *warnings) {
  enum { ROOM = 16 };
  wy_finding findings[ROOM];
  int count = 0;
  wy_check(model, &scenario->sim, scenario->analysis, findings, ROOM, &count, NULL);
  for (int i = 0; i < count && i < ROOM && !warnings->silent; i++) { /* else the run says it */
    char line[WY_WARNING_SIZE];
    wy_finding_line(&findings[i], line, sizeof line);
    if (findings[i].rod == rod)
      wy_warn(warnings, "%s", line);
  }
}
