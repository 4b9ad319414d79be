/* SPDX-License-Identifier: MIT */
/* How stiff the three models of a rod are (figure 6 and the frequencies in the text), and that projection keeps the
   constraints. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "experiments/lang_arnold/common.h"

enum { SEGMENTS = WY_SWING_SEGMENTS };

static const char *const model_names[] = {
    [WY_COSSERAT] = "Cosserat", [WY_KIRCHHOFF] = "Kirchhoff", [WY_INEXTENSIBLE] = "inextensible"};

/* ---- frequencies ---- */

/* The angular frequency of the paper's pure shear solution (28): a straight rod whose ends are held, all frames turning
   alike. From the first and the last change of sign of the angular velocity. */
static wy_status shear_frequency(double *omega, wy_message *message) {
  const double step = 1e-5;
  wy_case p = wy_scene_pendulum(WY_COSSERAT, SEGMENTS);
  p.rod.ends[WY_END] = wy_end_pinned();
  p.rod.initial.angular_velocity[1] = wy_constant(1);
  p.gravity[2] = 0;
  wy_la_solve(&p, "dopri5", 1e-12, WY_NULLSPACE);
  wy_status status = wy_case_create(&p, message);
  double before = 1, first = 0, last = 0;
  int changes = 0;
  for (int i = 1; status == WY_OK && i <= 4000; i++) {
    double spin[4];
    status = wy_sim_sample(p.sim, i * step, message);
    if (status == WY_OK)
      status = wy_sim_probe(p.sim, WY_ANGULAR_VELOCITY, 0, 0.5, spin, message);
    if (status != WY_OK)
      break;
    if (before * spin[1] <= 0) {
      last = (i - spin[1] / (spin[1] - before)) * step;
      first = changes++ ? first : last;
    }
    before = spin[1];
  }
  *omega = changes > 1 ? (changes - 1) * 3.14159265358979323846 / (last - first) : (double)NAN;
  wy_case_destroy(&p);
  return status;
}

/* The orders of magnitude in the text. G and kappa are printed with three and two digits: half a digit of them is
   0.15 % of a frequency of torsion, and 0.43 % of one of shear. */
wy_status wy_la_frequencies(wy_findings *findings, wy_message *message) {
  static const char text[] = "section 4 (d), text";
  wy_case p = wy_scene_pendulum(WY_COSSERAT, SEGMENTS);
  wy_la_solve(&p, "dopri5", 1e-9, WY_NULLSPACE);
  double simulated;
  wy_status status = wy_case_create(&p, message);
  if (status == WY_OK)
    status = shear_frequency(&simulated, message);
  if (status == WY_OK) {
    wy_section_values s = wy_model_section(p.model, 0, 0);
    wy_findings_add(findings, "frequency of extension, sqrt(E/rho) / L", 67.42, sqrt(s.stiffness[2] / s.mass), 0.005,
                    "1/s", "printed digits");
    wy_findings_where(findings, text);
    wy_findings_add(findings, "frequency of bending, sqrt(EI/rho A) / L^2", 0.17, sqrt(s.stiffness[3] / s.mass), 0.005,
                    "1/s", "printed digits");
    wy_findings_where(findings, text);
    wy_findings_add(findings, "frequency of torsion, sqrt(G/rho) / L", 38.92, sqrt(s.stiffness[5] / s.rotary[2]),
                    0.0015 * 38.92 + 0.005, "1/s", "G = 1.67e6 as printed; G = E/3 gives 38.92; tolerance 0.16 %");
    wy_findings_where(findings, text);
    wy_findings_add(findings, "frequency of shear, sqrt(kappa G A/rho I)", 14683, sqrt(s.stiffness[0] / s.rotary[0]),
                    0.0043 * 14683, "1/s",
                    "G = 1.67e6, kappa = 0.89 as printed; G = E/3 gives 14689; tolerance 0.43 %");
    wy_findings_where(findings, text);
    wy_findings_add(findings, "frequency of the pure shear solution (28), run", 14683, simulated, 0.0043 * 14683, "1/s",
                    "small amplitude, ends held, disc inertia; tolerance 0.43 %");
    wy_findings_where(findings, "section 4 (d), (28) and (29)");
  }
  wy_case_destroy(&p);
  return status;
}

/* ---- figure 6: step sizes ---- */

static wy_status run_history(wy_rod_kind kind, int segments, double end, wy_swing_steps *h, wy_message *message) {
  wy_case p = wy_scene_pendulum(kind, segments);
  wy_la_solve(&p, "dopri5", 1e-3, kind == WY_COSSERAT ? WY_NULLSPACE : WY_ABSOLUTE);
  return wy_swing_step_sizes(p, end, h, message);
}

static double mean_step(const wy_swing_steps *h) {
  return h->count ? h->end[h->count - 1] / h->count : (double)NAN;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Sorts the steps. */
static double median_step(wy_swing_steps *h) {
  if (h->count == 0)
    return NAN;
  qsort(h->step, (size_t)h->count, sizeof *h->step, ascending);
  return h->step[h->count / 2];
}

static void compare_steps(wy_findings *findings, const char *what, const double values[3]) {
  char title[96], note[160];
  for (int kind = WY_INEXTENSIBLE; kind >= WY_COSSERAT; kind--) {
    snprintf(title, sizeof title, "%s step, %s", what, model_names[kind]);
    wy_findings_add(findings, title, NAN, values[kind], 0, "s", "DOPRI5, TOL = 1e-3, N = 10, 10 s");
  }
  for (int kind = WY_INEXTENSIBLE; kind > WY_COSSERAT; kind--) {
    double ratio = values[kind] / values[kind - 1];
    bool small = kind == WY_INEXTENSIBLE;
    snprintf(title, sizeof title, "%s step, %s / %s", what, model_names[kind], model_names[kind - 1]);
    snprintf(note, sizeof note, "%s",
             small ? "published: larger, by a small ratio; here: 1 to 10"
                   : "published: Cosserat steps are extremely small; here: > 10");
    wy_findings_state(findings, title, ratio, small ? ratio > 1 && ratio < 10 : ratio > 10, "", note);
    wy_findings_where(findings, "section 4 (d); Figure 6");
  }
}

static wy_status step_sizes(wy_findings *findings, wy_message *message) {
  const double end = 10, shown = 2;
  wy_chart *chart = wy_chart_new(
      findings, "lang-arnold-steps", "Figure 6: step sizes of DOPRI5, TOL = 1e-3, undamped", "t", "step size",
      "Published: the same, without numbers. Look for: largest steps of the inextensible rod, "
      "somewhat smaller ones of the extensible Kirchhoff rod, and by far the smallest of the "
      "Cosserat rod, whose shear vibrates with 14683/s.");
  double mean[3], median[3];
  if (chart)
    chart->log_y = true;
  for (int kind = WY_INEXTENSIBLE; kind >= WY_COSSERAT; kind--) {
    wy_swing_steps h;
    wy_status status = run_history((wy_rod_kind)kind, SEGMENTS, end, &h, message);
    if (status == WY_OK) {
      wy_swing_draw_steps(chart, wy_chart_curve(chart, model_names[kind]), &h, shown);
      mean[kind] = mean_step(&h);
      median[kind] = median_step(&h);
    }
    wy_swing_free(&h);
    if (status != WY_OK)
      return status;
  }
  compare_steps(findings, "mean", mean);
  compare_steps(findings, "median", median);
  return WY_OK;
}

/* "The stepsizes for the Cosserat model do not depend on N." The highest frequency of the grid does a little:
   sqrt(1 + (r/h)^2 (1 + E/(kappa G))) times that of shear, 8 % more at N = 40. */
static wy_status vary_segments(wy_findings *findings, wy_message *message) {
  static const int sizes[] = {10, 5, 20, 40};
  double first = NAN;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    char what[96];
    wy_swing_steps h;
    wy_status status = run_history(WY_COSSERAT, sizes[i], 1, &h, message);
    double mean = mean_step(&h);
    wy_swing_free(&h);
    if (status != WY_OK)
      return status;
    if (i == 0) {
      first = mean;
      continue;
    }
    snprintf(what, sizeof what, "mean step, Cosserat, N = %d / N = %d", sizes[i], sizes[0]);
    wy_findings_add(findings, what, 1, mean / first, 0.1, "",
                    "first second; tolerance 10 %: the grid's highest frequency grows by 8 % up to N = 40");
    wy_findings_where(findings, "section 4 (d), text");
  }
  return WY_OK;
}

wy_status wy_la_steps(wy_findings *findings, wy_message *message) {
  wy_status status = step_sizes(findings, message);
  return status == WY_OK ? vary_segments(findings, message) : status;
}

/* ---- drift ---- */

typedef struct drift {
  double strain, rate, energy;
} drift;

/* Ten seconds with a look at every hundredth; the energy's drift is that over the largest kinetic energy met. */
static wy_status run_drift(wy_rod_kind kind, wy_coordinates coordinates, drift *out, wy_message *message) {
  wy_case p = wy_scene_pendulum(kind, SEGMENTS);
  wy_la_solve(&p, "dopri5", 1e-9, coordinates);
  wy_status status = wy_case_create(&p, message);
  double start = status == WY_OK ? wy_sim_energy(p.sim, 0).total : 0, away = 0, scale = 0;
  for (int i = 1; status == WY_OK && i <= 1000; i++) {
    status = wy_sim_sample(p.sim, 0.01 * i, message);
    if (status != WY_OK)
      break;
    wy_energy energy = wy_sim_energy(p.sim, 0);
    away = fmax(away, fabs(energy.total - start));
    scale = fmax(scale, energy.kinetic);
  }
  if (status == WY_OK) {
    wy_statistics statistics = wy_sim_statistics(p.sim, 0);
    *out = (drift){statistics.strain_drift, statistics.strain_rate_drift, away / scale};
  }
  wy_case_destroy(&p);
  return status;
}

static wy_status drifts(wy_findings *findings, wy_message *message) {
  static const struct {
    wy_rod_kind kind;
    wy_coordinates coordinates;
    const char *name, *note;
  } rods[] = {{WY_KIRCHHOFF, WY_ABSOLUTE, "Kirchhoff, index 1", "after projection"},
              {WY_INEXTENSIBLE, WY_ABSOLUTE, "inextensible, index 1", "after projection"},
              {WY_INEXTENSIBLE, WY_NULLSPACE, "inextensible, null space", "without projection"}};
  for (size_t i = 0; i < sizeof rods / sizeof *rods; i++) {
    char what[96], note[160];
    drift d;
    wy_status status = run_drift(rods[i].kind, rods[i].coordinates, &d, message);
    if (status != WY_OK)
      return status;
    snprintf(note, sizeof note, "largest over all outputs of 10 s, DOPRI5, TOL = 1e-9, %s; limit 1e-12", rods[i].note);
    snprintf(what, sizeof what, "constraint drift, %s", rods[i].name);
    wy_findings_state(findings, what, d.strain, d.strain < 1e-12, "", note);
    snprintf(what, sizeof what, "drift of its rate, %s", rods[i].name);
    wy_findings_state(findings, what, d.rate, d.rate < 1e-12, "1/s", note);
    snprintf(what, sizeof what, "energy drift, %s", rods[i].name);
    wy_findings_state(findings, what, d.energy, d.energy < 1e-7, "",
                      "over the largest kinetic energy, 10 s, DOPRI5, TOL = 1e-9; limit 1e-7");
  }
  return WY_OK;
}

/* ---- Baumgarte's method ---- */

static wy_status count_steps(wy_rod_kind kind, double omega, double *steps, wy_message *message) {
  wy_case p = wy_scene_pendulum(kind, SEGMENTS);
  wy_swing swing;
  wy_la_solve(&p, "dopri5", 1e-3, WY_ABSOLUTE);
  if (omega > 0) {
    p.solver.staggered.stabilisation = WY_BAUMGARTE;
    p.solver.staggered.baumgarte_omega = p.solver.staggered.baumgarte_r = omega;
  }
  wy_status status = wy_swing_run(p, 1, &swing, message);
  if (status == WY_OK)
    *steps = (double)(swing.statistics.steps + swing.statistics.rejected);
  return status;
}

/* "For the Kirchhoff models the Baumgarte method cannot be recommended, as the solver performance is strongly decreased
   if the parameters are tightened"; for the Cosserat model, which is stiff already, it "works surprisingly good". */
static wy_status tighten(wy_findings *findings, wy_message *message) {
  for (int kind = WY_COSSERAT; kind <= WY_INEXTENSIBLE; kind++) {
    double projected, tight;
    wy_status status = count_steps((wy_rod_kind)kind, 0, &projected, message);
    if (status == WY_OK)
      status = count_steps((wy_rod_kind)kind, 1e4, &tight, message);
    if (status != WY_OK)
      return status;
    char what[96];
    const bool stiff = kind == WY_COSSERAT;
    snprintf(what, sizeof what, "steps with Baumgarte, omega = r = 1e4 / with projection, %s", model_names[kind]);
    wy_findings_state(findings, what, tight / projected, stiff ? tight < 1.5 * projected : tight > 2 * projected, "",
                      stiff ? "DOPRI5, TOL = 1e-3, 1 s; published: hardly stiffer; below 1.5"
                            : "DOPRI5, TOL = 1e-3, 1 s; published: performance is strongly decreased; above 2");
    wy_findings_where(findings, "section 4 (c), text");
  }
  return WY_OK;
}

wy_status wy_la_drift(wy_findings *findings, wy_message *message) {
  wy_status status = drifts(findings, message);
  return status == WY_OK ? tighten(findings, message) : status;
}
