/* SPDX-License-Identifier: MIT */
/* What is known of a rod before a run, and what is said of it. */
#include "judge/subject.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "math/quat.h"
#include "scheme/fluid.h"

void wy_say(const wy_subject *in, const char *name, const char *format, ...) {
  wy_audience *to = in->audience;
  if (!to->reads)
    return;
  if (to->count < to->room) {
    wy_report_line *line = &to->lines[to->count];
    va_list arguments;
    va_start(arguments, format);
    snprintf(line->name, sizeof line->name, "%s", name);
    vsnprintf(line->text, sizeof line->text, format, arguments);
    va_end(arguments);
  }
  to->count++;
}

void wy_warn(const wy_subject *in, const wy_doubt *doubt, const char *format, ...) {
  assert(doubt->code && doubt->remedy && doubt->remedy[0] && (doubt->key || doubt->path));
  if (!in->audience->findings)
    return;
  wy_finding finding = {.severity = WY_WARNING,
                        .code = doubt->code,
                        .rod = doubt->path ? WY_ALL_RODS : in->index,
                        .where = NAN,
                        .when = NAN,
                        .value = doubt->value,
                        .limit = doubt->limit,
                        .expected = doubt->expected};
  if (doubt->path)
    snprintf(finding.path, sizeof finding.path, "%s", doubt->path);
  else
    snprintf(finding.path, sizeof finding.path, "rods.%s%s", in->rod->name, doubt->key);
  snprintf(finding.remedy, sizeof finding.remedy, "%s", doubt->remedy);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(finding.text, sizeof finding.text, format, arguments);
  va_end(arguments);
  wy_judgement_add(in->audience->findings, &finding);
}

bool wy_subject_has_course(const wy_subject *in) {
  return in->analysis == WY_DYNAMICS || in->analysis == WY_QUASISTATICS;
}

int wy_subject_time_count(const wy_subject *in) {
  return wy_subject_has_course(in) ? WY_SUBJECT_TIMES + 1 : 1;
}

double wy_subject_time(const wy_subject *in, int k) {
  return wy_subject_has_course(in) ? in->end * k / WY_SUBJECT_TIMES : in->end;
}

bool wy_ends_apart(const wy_subject *in, double time, double difference[3]) {
  for (int k = 0; k < 3; k++)
    difference[k] = 0;
  for (int e = 0; e < 2; e++) {
    const wy_end *end = &in->rod->ends[e];
    for (int k = 0; k < 3; k++) {
      if (end->position[k] == WY_FREE || time >= end->release)
        return false;
      double place = end->position[k] == WY_DRIVEN ? wy_signal_value(&end->path[k], 0, time) : in->rest[e][k];
      difference[k] += e ? place : -place;
    }
  }
  return true;
}

/* Lines that are longer than the distance of their ends, where these come to: a bend in them is longer than
   (EI/w)^(1/3). */
static void describe_cable(wy_subject *in) {
  const double *g = wy_model_gravity(in->model);
  double apart[3], distance2 = 0, drop = 0;
  in->strength = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  if (!wy_ends_apart(in, in->end, apart))
    return;
  for (int k = 0; k < 3; k++) {
    distance2 += apart[k] * apart[k];
    drop += in->strength > 0 ? apart[k] * g[k] / in->strength : 0;
  }
  if (in->turn > 0.5 || !(sqrt(distance2) < (1 - 1e-6) * in->length))
    return;
  double weight = in->weighed * in->strength, bending = in->long_term * in->section.stiffness[3];
  in->slack = in->length / sqrt(distance2) - 1;
  in->across = sqrt(fmax(distance2 - drop * drop, 0));
  in->cable = weight > 0 && cbrt(bending / weight) < 0.2 * in->length;
  in->line = wy_catenary_of(in->length, in->across, fabs(drop));
}

static void describe_ends(wy_subject *in) {
  for (int e = 0; e < 2; e++) {
    for (int p = 0; p < 2; p++)
      in->plane[p][e] = wy_end_in_plane(in->model, in->index, e, p);
    in->axial[e] = wy_end_holds(in->model, in->index, e, 2);
    in->turning[e] = (in->plane[0][e] & WY_BEAM_GUIDED) != 0; /* a slope is held with the rotation */
  }
}

static void describe_grid(wy_subject *in) {
  const wy_rod_def *rod = in->rod;
  double s = 0;
  in->spacing = in->length;
  for (int i = 0; i < rod->segments; i++) {
    double h = wy_segment_length(rod, i), squared = 0;
    for (int k = 0; k < 3; k++)
      squared += pow(wy_signal_value(&rod->shape.curvature[k], s + 0.5 * h, 0), 2);
    in->mass += h * wy_model_section(in->model, in->index, s + 0.5 * h).mass;
    in->turn += h * sqrt(squared);
    in->spacing = fmin(in->spacing, h);
    s += h;
  }
}

static double end_of(const wy_model *model, int rod, const wy_sim_def *def, wy_analysis analysis) {
  if (isfinite(def->end))
    return def->end;
  return analysis == WY_DYNAMICS || analysis == WY_QUASISTATICS ? 64 * wy_model_time_scale(model, rod, INFINITY) : 0;
}

wy_subject wy_subject_of(const wy_model *model, const wy_sim_def *def, const wy_solver_def *solver,
                         wy_analysis analysis, int rod, wy_audience *audience) {
  wy_subject in = {
      .model = model, .def = def, .solver = solver, .analysis = analysis, .index = rod, .audience = audience};
  double position[3], frame[4], r[9];
  in.rod = wy_model_rod(model, rod);
  assert(in.rod && solver && audience);
  in.scheme = in.solver->scheme ? wy_scheme_find(in.solver->scheme) : NULL;
  in.type = in.scheme && in.solver->integrator ? wy_integrator_find(in.solver, in.scheme) : NULL;
  in.fixed_step = in.type && in.type->info->fixed_step;
  in.info = wy_scheme_describe(in.solver);
  in.end = end_of(model, rod, def, analysis);
  in.long_term = 1;
  for (int i = 0; i < in.rod->maxwell_count; i++)
    in.long_term -= in.rod->maxwell[i].share;
  in.length = in.rod->length;
  in.section = wy_model_section(model, rod, 0.5 * in.length);
  wy_model_reference(model, rod, 0, in.rest[WY_START], NULL);
  wy_model_reference(model, rod, in.length, in.rest[WY_END], NULL);
  in.weighed = fabs(wy_fluid_weighed(in.rod, 0.5 * in.length, in.section.mass));
  wy_model_reference(model, rod, 0.5 * in.length, position, frame);
  wy_qmatrix(frame, r);
  for (int d = 0; d < 3; d++)
    for (int k = 0; k < 3; k++)
      in.frame[d][k] = r[3 * k + d];
  describe_grid(&in);
  describe_ends(&in);
  describe_cable(&in);
  return in;
}
