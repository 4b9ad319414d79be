/* SPDX-License-Identifier: MIT */
/* The lowest frequencies of a straight rod and their damping, the highest on its grid, and the load at which it
   buckles. They show what the slowest motion is that a run has to see. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "judge/subject.h"

static const double pi = 3.14159265358979323846;

/* What a straight column of these ends carries; the smaller of the two planes. */
static void report_euler_load(const wy_subject *in) {
  double least = INFINITY;
  int plane = 0;
  for (int p = 0; p < 2; p++) {
    double bending = in->long_term * in->section.stiffness[4 - p];
    double load = wy_euler_load(in->plane[p][0], in->plane[p][1], in->length, bending);
    if (load > 0 && load < least) {
      least = load;
      plane = p;
    }
  }
  if (isfinite(least) && in->turn <= 0.5)
    wy_say(in, "Euler load", "%.4g N (%.5g*EI%d/L^2, straight, %s-%s)", least,
           wy_euler_load(in->plane[plane][0], in->plane[plane][1], 1, 1), 2 - plane,
           wy_beam_end_name(in->plane[plane][0]), wy_beam_end_name(in->plane[plane][1]));
}

static void mode(wy_subject *in, const char *name, double omega, double ratio, double drag, const char *formula, ...)
    __attribute__((format(printf, 6, 7)));

/* `ratio`: damping by the material. */
static void mode(wy_subject *in, const char *name, double omega, double ratio, double drag, const char *formula, ...) {
  char text[160];
  va_list arguments;
  va_start(arguments, formula);
  vsnprintf(text, sizeof text, formula, arguments);
  va_end(arguments);
  wy_say(in, name, "%10.4g %10.4g %10.4g %9.3g   %s", omega / (2 * pi), omega, 2 * pi / omega,
         ratio + 0.5 * drag / omega, text);
  in->slowest = fmax(in->slowest, 2 * pi / omega);
}

/* Half the loss over the stiffness at once, of strain number i: Kelvin-Voigt damping and Maxwell branches. */
static double material_damping(const wy_subject *in, int i, double omega) {
  double loss = in->section.stiffness[i] > 0 ? omega * in->section.damping[i] / in->section.stiffness[i] : 0;
  for (int k = 0; k < in->rod->maxwell_count; k++) {
    double x = omega * in->rod->maxwell[k].time;
    loss += in->rod->maxwell[k].share * x / (1 + x * x);
  }
  return 0.5 * loss;
}

static void report_bending(wy_subject *in, int plane) {
  static const char *const names[2] = {"bending along d1", "bending along d2"};
  const wy_section_values *v = &in->section;
  wy_beam_end start = in->plane[plane][0], end = in->plane[plane][1];
  int component = 4 - plane; /* deflection along d1 bends about d2: EI2 */
  for (int n = 1; n <= 2; n++) {
    double root = wy_bending_root(start, end, n);
    double omega = wy_bending_frequency(root, in->length, v->stiffness[component], v->mass);
    mode(in, n == 1 ? names[plane] : "  second", omega, material_damping(in, component, omega),
         in->rod->drag.translation,
         n == 1 ? "x^2/L^2*sqrt(EI%d/rhoA), %s, %s-%s: x = %.5f" : "EI%d, %s, %s-%s: x = %.5f", 2 - plane,
         wy_bending_equation(start, end), wy_beam_end_name(start), wy_beam_end_name(end), root);
  }
}

static void report_stretching(wy_subject *in) {
  const wy_section_values *v = &in->section;
  const wy_drag *drag = &in->rod->drag;
  bool one_held = in->axial[0] != in->axial[1];
  if (in->rod->kind != WY_INEXTENSIBLE) {
    double omega = wy_wave_frequency(in->axial[0], in->axial[1], in->length, v->stiffness[2], v->mass);
    mode(in, "extension", omega, material_damping(in, 2, omega), drag->translation, "pi/%sL*sqrt(EA/rhoA)",
         one_held ? "2" : "");
  }
  if (in->rod->kind == WY_COSSERAT) {
    double omega = wy_shear_frequency(v->stiffness[0], v->rotary[1]);
    mode(in, "shear", omega, material_damping(in, 0, omega), drag->rotation, "sqrt(GA1/rhoI2)");
  }
}

/* The fastest motion on the grid, which limits explicit integrators: the same estimate by which `auto` chooses. */
static void report_fastest(const wy_subject *in) {
  if (!in->audience->reads)
    return;
  const double step = wy_method_explicit_step(in->model, in->index, in->solver);
  wy_rates rates;
  if (!in->scheme || !in->scheme->rates || !(step > 0))
    return;
  in->scheme->rates(in->model, in->index, in->solver, &rates);
  wy_say(in, "highest on the grid", "%.4g Hz, %.4g rad/s (%s at wave number %.3g/h, undamped)", rates.fast / (2 * pi),
         rates.fast, rates.kind, rates.wave);
  wy_say(in, "explicit step", "dop853 is stable up to about %.2g s: %.2g steps for the run", step, in->end / step);
}

void wy_check_frequencies(wy_subject *in) {
  const wy_section_values *v = &in->section;
  const wy_drag *drag = &in->rod->drag;
  const double *g = wy_model_gravity(in->model);
  double strength = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  bool one_turning = in->turning[0] != in->turning[1];
  wy_say(in, "frequencies", "%10s %10s %10s %9s", "Hz", "rad/s", "period s", "damping");
  if (in->axial[0] != in->axial[1] && !in->turning[0] && !in->turning[1] && strength > 0)
    mode(in, "swinging, rigid", 2 * pi / wy_swing_period(in->length, strength), 0, drag->translation,
         "sqrt(3*g/(2*L))");
  if (in->cable)
    mode(in, "as a cable", wy_catenary_frequency(&in->line, in->across, in->strength), 0, drag->translation,
         in->line.sag < 0.25 * in->across ? "pi/x*sqrt(H/rhoA), ends x = %.4g m apart, H = %.4g N"
                                          : "sqrt(g/(0.8*sag))",
         in->across, in->line.a * in->weighed * in->strength);
  else
    report_bending(in, 0);
  if (in->cable)
    wy_say(in, "", "its weight shapes the line, which is longer than the distance of its ends: bending matters little");
  else if (v->stiffness[3] != v->stiffness[4] || in->plane[0][0] != in->plane[1][0] ||
           in->plane[0][1] != in->plane[1][1])
    report_bending(in, 1);
  double torsion = wy_wave_frequency(in->turning[0], in->turning[1], in->length, v->stiffness[5], v->rotary[2]);
  mode(in, "torsion", torsion, material_damping(in, 5, torsion), drag->rotation, "pi/%sL*sqrt(GJ/rhoI3)",
       one_turning ? "2" : "");
  report_stretching(in);
  if (in->analysis == WY_DYNAMICS && !in->fixed_step)
    report_fastest(in);
  if (isfinite(in->rod->ends[0].release) || isfinite(in->rod->ends[1].release))
    wy_say(in, "", "the frequencies are those before the release");
  if (in->def->statics)
    report_euler_load(in);
}
