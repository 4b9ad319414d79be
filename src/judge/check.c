/* What can be said before a run: wy_check, and the report on a rod. */
#include <math.h>

#include "base/message.h"
#include "judge/subject.h"

/* All that is said of one rod, in the order of the report. */
static void check_rod(wy_subject *in) {
  wy_check_section(in);
  wy_check_shape(in);
  wy_check_frequencies(in);
  wy_check_sag(in);
  wy_check_fluid(in);
  wy_check_actuators(in);
  wy_check_resolution(in);
  wy_check_motion(in);
  wy_check_options(in);
  if (in->def->statics)
    wy_check_equilibria(in);
  if (in->index == 0)
    wy_check_gravity(in);
}

static wy_status check_arguments(const wy_model *model, const wy_sim_def *def, wy_analysis analysis,
                                 wy_message *message) {
  if (!model || !def)
    return wy_fail_missing(message, model ? "def" : "model");
  if (analysis > WY_BUCKLING)
    return wy_fail(message, WY_ERROR_INPUT, "there is no analysis number %d", (int)analysis);
  return WY_OK;
}

wy_status wy_check(const wy_model *model, const wy_sim_def *def, wy_analysis analysis, wy_finding *findings, int room,
                   int *count, wy_message *message) {
  wy_judgement found = {.list = findings, .room = findings && room > 0 ? room : 0};
  wy_audience audience = {.findings = &found};
  wy_status status = check_arguments(model, def, analysis, message);
  if (status)
    return status;
  for (int i = 0; i < wy_model_rod_count(model); i++) {
    wy_subject in = wy_subject_of(model, def, analysis, i, &audience);
    check_rod(&in);
  }
  if (count)
    *count = found.count;
  return WY_OK;
}

wy_status wy_check_report(const wy_model *model, const wy_sim_def *def, wy_analysis analysis, int rod,
                          wy_report_line *lines, int room, int *count, wy_message *message) {
  wy_audience audience = {.lines = lines, .room = lines && room > 0 ? room : 0};
  wy_status status = check_arguments(model, def, analysis, message);
  if (status)
    return status;
  if (!wy_model_rod(model, rod))
    return wy_fail(message, WY_ERROR_INPUT, "there is no rod number %d", rod);
  wy_subject in = wy_subject_of(model, def, analysis, rod, &audience);
  check_rod(&in);
  if (count)
    *count = audience.count;
  return WY_OK;
}

double wy_check_period(const wy_model *model, const wy_sim_def *def, int rod) {
  wy_audience audience = {0};
  if (!model || !def || !wy_model_rod(model, rod))
    return NAN;
  wy_subject in = wy_subject_of(model, def, WY_DYNAMICS, rod, &audience);
  wy_check_frequencies(&in);
  return in.turn > 0.5 ? 0 : in.slowest; /* of a straight rod */
}
