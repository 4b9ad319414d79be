/* Lang, Arnold, "Numerical aspects in the dynamic simulation of geometrically exact rods": how stiff the three
   models of a rod are (figure 6 and the frequencies in the text), that projection keeps the constraints, and what the
   paper leaves as future work: the null space of the inextensible rod's constraints against the index-1 form. */
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "experiments/experiments.h"

enum { SEGMENTS = 10 };

static const char *const model_names[] = {
    [WY_COSSERAT] = "Cosserat", [WY_KIRCHHOFF] = "Kirchhoff", [WY_INEXTENSIBLE] = "inextensible"};

/* Of the processor: what else the machine does counts less than on a clock. */
static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- the rod ---- */

/* The undamped rubber rod of all examples of the paper, with the constants of its text: along e2, pinned. */
static wy_rod_def rubber_rod(wy_rod_kind kind, int segments) {
  wy_rod_def rod = wy_default_rod_def();
  rod.name = "pendulum";
  rod.kind = kind;
  rod.length = 1;
  rod.segments = segments;
  rod.section.shape = WY_CIRCLE;
  rod.section.radius = wy_constant(5e-3);
  rod.material.given = true;
  rod.material.density = wy_constant(1100);
  rod.material.young = wy_constant(5e6);
  rod.material.has_shear = true;
  rod.material.shear = wy_constant(1.67e6);
  rod.shear_factors[0] = rod.shear_factors[1] = 0.89;
  rod.shape.direction[1] = 1;
  rod.shape.d1[2] = 1;
  rod.ends[WY_START] = wy_end_pinned();
  return rod;
}

static wy_solver_def solver_of(const char *integrator, double tolerance, wy_coordinates coordinates) {
  wy_solver_def solver = wy_default_solver_def();
  solver.integrator = integrator;
  solver.relative_tolerance = solver.absolute_tolerance = tolerance;
  solver.staggered.curvature_measure = WY_SIN4;
  solver.staggered.coordinates = coordinates;
  return solver;
}

typedef struct pendulum {
  wy_model *model;
  wy_sim *sim;
} pendulum;

static wy_status make(wy_rod_def rod, double gravity, const wy_solver_def *solver, pendulum *out, wy_message *message) {
  wy_model_def model_def = wy_default_model_def();
  model_def.gravity[2] = -gravity;
  model_def.rods = &rod;
  model_def.rod_count = 1;
  wy_sim_def sim_def = wy_default_sim_def();
  sim_def.solver = *solver;
  *out = (pendulum){0};
  wy_status status = wy_model_create(&model_def, &out->model, message);
  return status == WY_OK ? wy_sim_create(out->model, &sim_def, &out->sim, message) : status;
}

static wy_status make_pendulum(wy_rod_kind kind, int segments, const wy_solver_def *solver, pendulum *out,
                               wy_message *message) {
  return make(rubber_rod(kind, segments), 9.81, solver, out, message);
}

static void destroy(pendulum *p) {
  wy_sim_destroy(p->sim);
  wy_model_destroy(p->model);
  *p = (pendulum){0};
}

/* ---- frequencies ---- */

/* The angular frequency of the paper's pure shear solution (28): a straight rod whose ends are held, all frames turning
   alike. From the first and the last change of sign of the angular velocity. */
static wy_status shear_frequency(double *omega, wy_message *message) {
  const double step = 1e-5;
  wy_rod_def rod = rubber_rod(WY_COSSERAT, SEGMENTS);
  rod.ends[WY_END] = wy_end_pinned();
  rod.initial.angular_velocity[1] = wy_constant(1);
  wy_solver_def solver = solver_of("dopri5", 1e-12, WY_NULLSPACE);
  pendulum p;
  wy_status status = make(rod, 0, &solver, &p, message);
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
  destroy(&p);
  return status;
}

/* The orders of magnitude in the text. G and kappa are printed with three and two digits: half a digit of them is
   0.15 % of a frequency of torsion, and 0.43 % of one of shear. */
static wy_status frequencies(wy_findings *findings, wy_message *message) {
  wy_solver_def solver = solver_of("dopri5", 1e-9, WY_NULLSPACE);
  pendulum p;
  double simulated;
  wy_status status = make_pendulum(WY_COSSERAT, SEGMENTS, &solver, &p, message);
  if (status == WY_OK)
    status = shear_frequency(&simulated, message);
  if (status == WY_OK) {
    wy_section_values s = wy_model_section(p.model, 0, 0);
    wy_findings_add(findings, "frequency of extension, sqrt(E/rho) / L", 67.42, sqrt(s.stiffness[2] / s.mass), 0.005,
                    "1/s", "printed digits");
    wy_findings_add(findings, "frequency of bending, sqrt(EI/rho A) / L^2", 0.17, sqrt(s.stiffness[3] / s.mass), 0.005,
                    "1/s", "printed digits");
    wy_findings_add(findings, "frequency of torsion, sqrt(G/rho) / L", 38.92, sqrt(s.stiffness[5] / s.rotary[2]),
                    0.0015 * 38.92 + 0.005, "1/s", "G = 1.67e6 as printed; G = E/3 gives 38.92; tolerance 0.16 %");
    wy_findings_add(findings, "frequency of shear, sqrt(kappa G A/rho I)", 14683, sqrt(s.stiffness[0] / s.rotary[0]),
                    0.0043 * 14683, "1/s",
                    "G = 1.67e6, kappa = 0.89 as printed; G = E/3 gives 14689; tolerance 0.43 %");
    wy_findings_add(findings, "frequency of the pure shear solution (28), run", 14683, simulated, 0.0043 * 14683, "1/s",
                    "small amplitude, ends held, disc inertia; tolerance 0.43 %");
  }
  destroy(&p);
  return status;
}

/* ---- figure 6: step sizes ---- */

/* Every step of a run. */
typedef struct history {
  int count, room;
  double *end, *step;
} history;

static bool note_step(history *h, double end, double step) {
  if (h->count == h->room) {
    int room = h->room ? 2 * h->room : 4096;
    double *ends = realloc(h->end, (size_t)room * sizeof *ends);
    h->end = ends ? ends : h->end;
    double *steps = realloc(h->step, (size_t)room * sizeof *steps);
    h->step = steps ? steps : h->step;
    if (!ends || !steps)
      return false;
    h->room = room;
  }
  h->end[h->count] = end;
  h->step[h->count++] = step;
  return true;
}

static void free_history(history *h) {
  free(h->end);
  free(h->step);
}

static wy_status run_history(wy_rod_kind kind, int segments, double end, history *h, wy_message *message) {
  wy_solver_def solver = solver_of("dopri5", 1e-3, kind == WY_COSSERAT ? WY_NULLSPACE : WY_ABSOLUTE);
  pendulum p;
  *h = (history){0};
  wy_status status = make_pendulum(kind, segments, &solver, &p, message);
  for (double t = 0; status == WY_OK && t < end;) {
    status = wy_sim_step(p.sim, message);
    if (status != WY_OK)
      break;
    double now = wy_sim_time(p.sim);
    if (!note_step(h, now, now - t)) {
      snprintf(message->text, sizeof message->text, "no memory for the history of steps");
      status = WY_ERROR_MEMORY;
    }
    t = now;
  }
  destroy(&p);
  return status;
}

static double mean_step(const history *h) {
  return h->count ? h->end[h->count - 1] / h->count : (double)NAN;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Sorts the steps. */
static double median_step(history *h) {
  if (h->count == 0)
    return NAN;
  qsort(h->step, (size_t)h->count, sizeof *h->step, ascending);
  return h->step[h->count / 2];
}

/* The step that is under way at evenly spaced times. */
static void draw_history(wy_chart *chart, int curve, const history *h, double end) {
  for (int k = 0, i = 0; k < WY_MAX_POINTS && h->count > 0; k++) {
    double t = end * k / (WY_MAX_POINTS - 1);
    while (i + 1 < h->count && h->end[i] < t)
      i++;
    wy_chart_point(chart, curve, t, h->step[i]);
  }
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
  }
}

static wy_status step_sizes(wy_findings *findings, wy_message *message) {
  const double end = 10, shown = 2;
  wy_chart *chart = wy_chart_new(findings, "lang-arnold-steps", "Figure 6: step sizes of DOPRI5, TOL = 1e-3, undamped",
                                 "t", "step size");
  double mean[3], median[3];
  if (chart)
    chart->log_y = true, chart->count = 3;
  for (int kind = WY_INEXTENSIBLE, curve = 0; kind >= WY_COSSERAT; kind--, curve++) {
    history h;
    wy_status status = run_history((wy_rod_kind)kind, SEGMENTS, end, &h, message);
    if (status == WY_OK) {
      if (chart)
        snprintf(chart->curve[curve].name, sizeof chart->curve[curve].name, "%s", model_names[kind]);
      draw_history(chart, curve, &h, shown);
      mean[kind] = mean_step(&h);
      median[kind] = median_step(&h);
    }
    free_history(&h);
    if (status != WY_OK)
      return status;
  }
  compare_steps(findings, "mean", mean);
  compare_steps(findings, "median", median);
  return WY_OK;
}

/* "The stepsizes for the Cosserat model do not depend on N." The highest frequency of the grid does a little:
   sqrt(1 + (r/h)^2 (1 + E/(kappa G))) times that of shear, 8 % more at N = 40. */
static wy_status step_and_segments(wy_findings *findings, wy_message *message) {
  static const int sizes[] = {10, 5, 20, 40};
  double first = NAN;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    char what[96];
    history h;
    wy_status status = run_history(WY_COSSERAT, sizes[i], 1, &h, message);
    double mean = mean_step(&h);
    free_history(&h);
    if (status != WY_OK)
      return status;
    if (i == 0) {
      first = mean;
      continue;
    }
    snprintf(what, sizeof what, "mean step, Cosserat, N = %d / N = %d", sizes[i], sizes[0]);
    wy_findings_add(findings, what, 1, mean / first, 0.1, "",
                    "first second; tolerance 10 %: the grid's highest frequency grows by 8 % up to N = 40");
  }
  return WY_OK;
}

/* ---- drift ---- */

typedef struct drift {
  double strain, rate, energy;
} drift;

/* Ten seconds with a look at every hundredth; the energy's drift is that over the largest kinetic energy met. */
static wy_status run_drift(wy_rod_kind kind, wy_coordinates coordinates, drift *out, wy_message *message) {
  wy_solver_def solver = solver_of("dopri5", 1e-9, coordinates);
  pendulum p;
  wy_status status = make_pendulum(kind, SEGMENTS, &solver, &p, message);
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
  destroy(&p);
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

/* ---- null space against multipliers ---- */

enum { FORMS = 3, TOLERANCES = 15, REPETITIONS = 15, POSITIONS = 3 * (SEGMENTS + 1) };

typedef struct form {
  const char *name, *integrator;
  wy_coordinates coordinates;
} form;

static const form forms[FORMS] = {{"DOPRI5 null space", "dopri5", WY_NULLSPACE},
                                  {"DOPRI5 index 1", "dopri5", WY_ABSOLUTE},
                                  {"RADAU5 index 1", "radau5", WY_ABSOLUTE}};

typedef struct run {
  double error, time;
} run;

/* The rod's vertices at t = 1 and how long that took. */
static wy_status swing(const form *f, double tolerance, double x[POSITIONS], double *time, wy_message *message) {
  wy_solver_def solver = solver_of(f->integrator, tolerance, f->coordinates);
  pendulum p;
  wy_status status = make_pendulum(WY_INEXTENSIBLE, SEGMENTS, &solver, &p, message);
  if (status == WY_OK) {
    double start = seconds();
    status = wy_sim_advance(p.sim, 1, message);
    *time = seconds() - start;
  }
  if (status == WY_OK)
    memcpy(x, wy_sim_view(p.sim, 0)->position.values, POSITIONS * sizeof *x);
  destroy(&p);
  return status;
}

static double difference(const double a[POSITIONS], const double b[POSITIONS]) {
  double largest = 0;
  for (int i = 0; i < POSITIONS; i++)
    largest = fmax(largest, fabs(a[i] - b[i]));
  return largest;
}

/* Forms take turns, so that what else the machine does hits all of them; the smallest time counts. */
static wy_status measure(const double reference[POSITIONS], run runs[FORMS][TOLERANCES], wy_message *message) {
  for (int k = 0; k < TOLERANCES; k++)
    for (int r = 0; r < REPETITIONS; r++)
      for (int f = 0; f < FORMS; f++) {
        double x[POSITIONS], time;
        wy_status status = swing(&forms[f], pow(10, -3 - 0.5 * k), x, &time, message);
        if (status != WY_OK)
          return status;
        runs[f][k].error = difference(x, reference);
        runs[f][k].time = r == 0 ? time : fmin(time, runs[f][k].time);
      }
  return WY_OK;
}

/* The least time that reaches an error: of a run, or in between two runs of neighbouring tolerance. */
static double time_at(const run runs[TOLERANCES], double error) {
  double best = INFINITY;
  for (int k = 0; k < TOLERANCES; k++) {
    if (runs[k].error <= error)
      best = fmin(best, runs[k].time);
    if (k == 0 || runs[k].error > error || runs[k - 1].error <= error)
      continue;
    double share = log(error / runs[k - 1].error) / log(runs[k].error / runs[k - 1].error);
    best = fmin(best, runs[k - 1].time * pow(runs[k].time / runs[k - 1].time, share));
  }
  return best;
}

static void draw_runs(wy_findings *findings, run runs[FORMS][TOLERANCES]) {
  wy_chart *chart = wy_chart_new(findings, "lang-arnold-null-space", "Inextensible pendulum: work and precision",
                                 "largest error of a vertex at t = 1", "time in ms");
  if (!chart)
    return;
  chart->log_x = chart->log_y = chart->marks = true;
  chart->count = FORMS;
  for (int f = 0; f < FORMS; f++) {
    snprintf(chart->curve[f].name, sizeof chart->curve[f].name, "%s", forms[f].name);
    for (int k = 0; k < TOLERANCES; k++)
      wy_chart_point(chart, f, runs[f][k].error, 1e3 * runs[f][k].time);
  }
}

static wy_status null_space(wy_findings *findings, wy_message *message) {
  static const double errors[] = {1e-6, 1e-7, 1e-8, 1e-9, 1e-10};
  enum { LEVELS = sizeof errors / sizeof *errors };
  double reference[2][POSITIONS], time;
  run runs[FORMS][TOLERANCES] = {0};
  for (int f = 0; f < 2; f++) {
    wy_status status = swing(&forms[f], 1e-13, reference[f], &time, message);
    if (status != WY_OK)
      return status;
  }
  double apart = difference(reference[0], reference[1]);
  wy_findings_state(findings, "null space against index 1, positions at t = 1", apart, apart < 1e-12, "m",
                    "both with TOL = 1e-13; limit 1e-12");
  wy_status status = measure(reference[0], runs, message);
  if (status != WY_OK)
    return status;
  draw_runs(findings, runs);
  for (int i = 0; i < LEVELS; i++) {
    char what[96];
    double own = time_at(runs[0], errors[i]), ratio = own / time_at(runs[1], errors[i]);
    snprintf(what, sizeof what, "time at error %.0e, null space / index 1", errors[i]);
    wy_findings_state(findings, what, ratio, ratio < 1, "",
                      "DOPRI5, least time of TOL = 1e-3 to 1e-10 that reaches the error, smallest of 15 runs; limit 1");
    snprintf(what, sizeof what, "time at error %.0e, null space / RADAU5", errors[i]);
    wy_findings_add(findings, what, NAN, own / time_at(runs[2], errors[i]), 0, "", "RADAU5 with index 1");
  }
  return WY_OK;
}

wy_status wy_experiment_lang_arnold(wy_findings *findings, wy_message *message) {
  wy_status (*const parts[])(wy_findings *, wy_message *) = {frequencies, step_sizes, step_and_segments, drifts,
                                                             null_space};
  wy_status status = WY_OK;
  for (size_t i = 0; i < sizeof parts / sizeof *parts && status == WY_OK; i++)
    status = parts[i](findings, message);
  return status;
}
