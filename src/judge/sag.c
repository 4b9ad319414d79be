/* SPDX-License-Identifier: MIT */
/* How far a rod sags under its weight, and how far that bends it. */
#include <math.h>

#include "judge/subject.h"
#include "model/contact.h"

/* A slack line: the catenary, and what its ends bend where they are clamped. */
static double report_cable(const wy_subject *in) {
  double weight = in->weighed * in->strength, bending = in->long_term * in->section.stiffness[3];
  double tension = weight * hypot(in->line.a, 0.5 * in->length), stiffest = cbrt(weight / bending);
  double curvature = in->line.a > 0 ? fmin(1 / in->line.a, stiffest) : stiffest;
  wy_say(in, "static sag", "%.4g m (catenary 2*a*sinh(x/(2*a)) = L, horizontal tension %.4g N)", in->line.sag,
         weight * in->line.a);
  if (in->turning[0] || in->turning[1])
    curvature = fmax(curvature, wy_curvature_at_clamp(in->line.slope, tension, bending));
  return curvature;
}

/* Sag in the plane in which gravity is strongest. Returns the curvature that it bends the rod to. */
static double bent_by_gravity(wy_subject *in) {
  const wy_section_values *v = &in->section;
  const double *g = wy_model_gravity(in->model);
  double component[3];
  for (int k = 0; k < 3; k++)
    component[k] = fabs(g[0] * in->frame[k][0] + g[1] * in->frame[k][1] + g[2] * in->frame[k][2]) * in->weighed;
  if (component[0] + component[1] + component[2] == 0)
    return 0;
  if (in->turn > 0.5) {
    wy_say(in, "static sag", "no estimate: the undeformed rod is curved");
    return 0;
  }
  if (wy_rod_touches(in->model, in->index)) {
    wy_say(in, "static sag", "no estimate: obstacles may carry the rod");
    return 0;
  }
  if (in->cable)
    return report_cable(in);
  if (in->slack > 0) {
    wy_say(in, "static sag", "no estimate: the ends come closer than the rod is long, and it bends out between them");
    return 0;
  }
  int plane = component[1] > component[0];
  double w = component[plane], bending = in->long_term * v->stiffness[4 - plane], curvature = 0;
  double extension = in->long_term * v->stiffness[2];
  wy_beam_end start = in->plane[plane][0], end = in->plane[plane][1];
  double linear = wy_sag(start, end, in->length, bending, w);
  bool stretching = in->axial[0] && in->axial[1];
  if (stretching && in->rod->kind == WY_INEXTENSIBLE) {
    wy_say(in, "static sag", "none: the ends hold a straight rod that cannot stretch");
    return 0;
  }
  double sag = stretching ? wy_sag_stretching(linear, in->length, extension, w) : linear;
  if (w > 0 && linear < 0) {
    wy_say(in, "static sag", "none: %s-%s is not held against gravity; the rod falls or swings",
           wy_beam_end_name(start), wy_beam_end_name(end));
  } else if (w > 0) {
    curvature = wy_sag_moment(start, end, in->length, bending, w) / bending;
    if (in->analysis == WY_DYNAMICS && !in->def->statics && start + end == WY_BEAM_CLAMPED &&
        (start == WY_BEAM_CLAMPED || end == WY_BEAM_CLAMPED))
      in->swing = wy_swing_curvature(in->length, bending, w);
    wy_say(in, "static sag", "%.4g m (%s-%s, %s)", sag, wy_beam_end_name(start), wy_beam_end_name(end),
           stretching ? "w = EI*d/(k*L^4) + 64*EA*d^3/(3*L^4)" : "k*w*L^4/EI");
    if (sag > 0.5 * in->length)
      wy_say(in, "", "more than half of the length: linear theory has no meaning here, the rod will %s",
             stretching ? "hang as a cable" : "hang down");
    else if (sag > 0.1 * in->length)
      wy_say(in, "", "%.0f %% of the length: a large deflection, for which linear theory is only a guide",
             100 * sag / in->length);
  }
  if (component[2] > 0 && in->rod->kind != WY_INEXTENSIBLE)
    wy_say(in, "stretch by weight", "%.4g m",
           wy_axial_sag(in->axial[0], in->axial[1], in->length, extension, component[2]));
  return curvature;
}

void wy_check_sag(wy_subject *in) {
  in->sag = bent_by_gravity(in);
}
