/* The plausibility report of one rod: numbers from the model, formulas from plausibility.c. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/check.h"
#include "cli/plausibility.h"
#include "run/results/results.h"

static const double pi = 3.14159265358979323846;
static const double degrees = 180 / 3.14159265358979323846;

/* Everything that the parts of the report share. */
typedef struct subject {
  const wy_scenario *scenario;
  const wy_model *model;
  int index;
  const wy_rod_def *rod;
  wy_warnings *warnings;
  const wy_solver_def *solver;
  const char *piece;         /* "segment", "element" or "cell" */
  double turn_limit;         /* of a piece, where the scheme has one; else 0 */
  wy_section_values section; /* at mid-length */
  double long_term;          /* share of the stiffness that Maxwell branches leave */
  double length, mass, spacing;
  double frame[3][3];        /* d1, d2, d3 at mid-length */
  wy_support plane[2][2];    /* [plane of d1, of d2][start, end] */
  bool axial[2], turning[2]; /* [start, end]: held along d3, held against torsion */
  double turn;               /* angle of the undeformed rod over its length */
  double slowest;            /* longest period met */
  double slack;              /* length over the distance of held ends, less 1; 0 where they are free or taut */
  bool cable;                /* slack, and so soft that its weight shapes it */
  double across, strength;   /* horizontal distance of its ends; gravity */
  wy_catenary line;          /* of a cable */
  double swing; /* curvature by which gravity bends a rod that swings from where it begins; 0: it does not */
} subject;

static void line(const subject *in, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void line(const subject *in, const char *name, const char *format, ...) {
  va_list arguments;
  if (in->warnings->silent)
    return;
  va_start(arguments, format);
  printf("  %-22s ", name);
  vprintf(format, arguments);
  printf("\n");
  va_end(arguments);
}

static bool is_scheme(const subject *in, const char *name) {
  return strcmp(in->solver->scheme, name) == 0;
}

static double segment_length(const wy_rod_def *rod, int i) {
  return rod->segment_lengths ? rod->segment_lengths[i] : rod->length / rod->segments;
}

/* ---- What the rod is ---- */

static void directors(const double q[4], double out[3][3]) {
  double w = q[0], x = q[1], y = q[2], z = q[3];
  double d[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
                    {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
                    {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      out[i][j] = d[i][j];
}

/* How much of the direction d an end holds: 1 all, 0 nothing. */
static bool holds(const wy_end *end, const double d[3]) {
  double part = 0;
  for (int i = 0; i < 3; i++)
    part += end->position[i] != WY_FREE ? d[i] * d[i] : 0;
  return part > 0.5;
}

static subject describe(const wy_scenario *scenario, const wy_model *model, int index, wy_warnings *warnings) {
  subject in = {.scenario = scenario, .model = model, .index = index, .warnings = warnings};
  const wy_rod_def *rod = in.rod = wy_model_rod(model, index);
  in.solver = wy_results_solver(scenario, index);
  in.turn_limit = wy_scheme_describe(in.solver).turn_limit;
  in.piece = wy_scheme_describe(in.solver).piece;
  in.long_term = 1;
  for (int i = 0; i < rod->maxwell_count; i++)
    in.long_term -= rod->maxwell[i].share;
  in.length = rod->length;
  in.section = wy_model_section(model, index, 0.5 * in.length);
  in.spacing = in.length;
  double s = 0, position[3], frame[4];
  for (int i = 0; i < rod->segments; i++) {
    double h = segment_length(rod, i), squared = 0;
    for (int k = 0; k < 3; k++)
      squared += pow(wy_results_signal(&rod->shape.curvature[k], s + 0.5 * h, 0), 2);
    in.mass += h * wy_model_section(model, index, s + 0.5 * h).mass;
    in.turn += h * sqrt(squared);
    in.spacing = fmin(in.spacing, h);
    s += h;
  }
  wy_model_reference(model, index, 0.5 * in.length, position, frame);
  directors(frame, in.frame);
  for (int e = 0; e < 2; e++) {
    double local[3][3];
    wy_model_reference(model, index, e ? in.length : 0, position, frame);
    directors(frame, local);
    bool rotation = rod->ends[e].rotation != WY_FREE;
    for (int p = 0; p < 2; p++)
      in.plane[p][e] =
          (wy_support)((holds(&rod->ends[e], local[p]) ? WY_SUPPORT_PINNED : 0) | (rotation ? WY_SUPPORT_GUIDED : 0));
    in.axial[e] = holds(&rod->ends[e], local[2]);
    in.turning[e] = rotation;
  }
  return in;
}

/* Where the held ends are at a time, against each other; false where a component of one is free. */
static bool ends_apart(const subject *in, double time, double difference[3]) {
  for (int k = 0; k < 3; k++)
    difference[k] = 0;
  for (int e = 0; e < 2; e++) {
    const wy_end *end = &in->rod->ends[e];
    double rest[3], frame[4];
    wy_model_reference(in->model, in->index, e ? in->length : 0, rest, frame);
    for (int k = 0; k < 3; k++) {
      if (end->position[k] == WY_FREE || time >= end->release)
        return false;
      double place = end->position[k] == WY_DRIVEN ? wy_results_signal(&end->path[k], 0, time) : rest[k];
      difference[k] += e ? place : -place;
    }
  }
  return true;
}

/* Lines that are longer than the distance of their ends, where these come to: a bend in them is longer than
   (EI/w)^(1/3). */
static void describe_cable(subject *in) {
  const double *g = wy_model_gravity(in->model);
  double apart[3], distance2 = 0, drop = 0;
  in->strength = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  if (!ends_apart(in, in->scenario->end, apart))
    return;
  for (int k = 0; k < 3; k++) {
    distance2 += apart[k] * apart[k];
    drop += in->strength > 0 ? apart[k] * g[k] / in->strength : 0;
  }
  if (in->turn > 0.5 || !(sqrt(distance2) < (1 - 1e-6) * in->length))
    return;
  double weight = in->section.mass * in->strength, bending = in->long_term * in->section.stiffness[3];
  in->slack = in->length / sqrt(distance2) - 1;
  in->across = sqrt(fmax(distance2 - drop * drop, 0));
  in->cable = weight > 0 && cbrt(bending / weight) < 0.2 * in->length;
  in->line = wy_catenary_of(in->length, in->across, fabs(drop));
}

/* Shear and extension, where the model has them. */
static void report_stretch(const subject *in) {
  const wy_rod_def *rod = in->rod;
  const wy_section_values *v = &in->section;
  bool derived = !rod->has_stiffness;
  if (rod->kind == WY_COSSERAT)
    line(in, "shear stiffness", "%.4g, %.4g N (%s)", v->stiffness[0], v->stiffness[1],
         derived ? "shear_factors*G*area" : "stiffness.shear");
  else
    line(in, "shear stiffness", "none needed: the model has no shear");
  if (derived)
    line(in, "", "G = %s", rod->material.has_shear ? "material.shear" : "young/(2*(1 + poisson))");
  if (rod->kind == WY_INEXTENSIBLE)
    line(in, "extension stiffness", "none needed: the model has no extension");
  else
    line(in, "extension stiffness", "%.4g N (%s)", v->stiffness[2], derived ? "young*area" : "stiffness.extension");
}

/* The radius of gyration of the section by its stiffness, or by its inertia where that is not known. */
static double gyration_of(const wy_section_values *v) {
  double inertial = sqrt(fmax(v->rotary[0], v->rotary[1]) / v->mass);
  return v->stiffness[2] > 0 ? sqrt(fmax(v->stiffness[3], v->stiffness[4]) / v->stiffness[2]) : inertial;
}

static void report_section(const subject *in) {
  const wy_rod_def *rod = in->rod;
  const wy_section_values *v = &in->section;
  bool derived = !rod->has_stiffness;
  wy_section_values first = wy_model_section(in->model, in->index, 0);
  wy_section_values last = wy_model_section(in->model, in->index, in->length);
  line(in, "length", "%.6g m, %d %s%s of %s%.4g m", in->length, rod->segments, in->piece, rod->segments == 1 ? "" : "s",
       rod->segment_lengths ? "at least " : "", in->spacing);
  line(in, "mass", "%.6g kg (%.6g kg/m, %s)", in->mass, v->mass, rod->has_inertia ? "inertia.mass" : "density*area");
  line(in, "rotary inertia", "%.4g, %.4g, %.4g kg m (%s)", v->rotary[0], v->rotary[1], v->rotary[2],
       rod->has_inertia ? "inertia.rotary" : "density*(I1, I2, I1 + I2)");
  if (v->area > 0)
    line(in, "section", "area %.4g m^2, I1 %.4g, I2 %.4g, J %.4g m^4", v->area, v->second_moment[0],
         v->second_moment[1], v->second_moment[2]);
  report_stretch(in);
  line(in, "bending stiffness", "%.4g, %.4g N m^2 (%s)", v->stiffness[3], v->stiffness[4],
       derived ? "young*I1, young*I2" : "stiffness.bending");
  line(in, "torsional stiffness", "%.4g N m^2 (%s)", v->stiffness[5], derived ? "G*J" : "stiffness.torsion");
  double gyration = gyration_of(v);
  line(in, "slenderness", "%.4g (length/%s)", in->length / gyration,
       v->stiffness[2] > 0 ? "sqrt(EI/EA)" : "sqrt(rotary/mass)");
  if (fabs(first.stiffness[3] - last.stiffness[3]) > 1e-6 * v->stiffness[3])
    line(in, "taper", "EI1 from %.4g to %.4g N m^2; the estimates use mid-length", first.stiffness[3],
         last.stiffness[3]);
  if (in->length / gyration < 8)
    wy_warn(in->warnings, "rods.%s: slenderness %.3g: a rod is much longer than it is thick; check length and section",
            rod->name, in->length / gyration);
  double inertial = sqrt(fmax(v->rotary[0], v->rotary[1]) / v->mass);
  bool moves = in->scenario->analysis == WY_DYNAMICS || in->scenario->analysis == WY_MODES;
  if (moves && (inertial > 10 * gyration || gyration > 10 * inertial))
    wy_warn(in->warnings,
            "rods.%s: sqrt(rotary/mass) = %.3g and sqrt(bending/extension) = %.3g should be close: both are the radius "
            "of gyration of the section",
            rod->name, inertial, gyration);
}

/* The material law, where it is not the linear one. */
static void report_law(const subject *in) {
  const wy_law *law = &in->rod->law;
  if (law->kind == WY_LINEAR_LAW)
    return;
  line(in, "law", "stiffening: moments are EI*k*(1 + %g*k^2)%s", law->bending,
       law->compression && in->rod->kind != WY_INEXTENSIBLE ? ", forces EA*(v3 - 1/v3)/2" : "");
}

/* The stiffnesses are those at once; equilibria, and slow motions, see what is left in the long term. */
static void report_maxwell(const subject *in) {
  const wy_rod_def *rod = in->rod;
  const wy_section_values *v = &in->section;
  for (int i = 0; i < rod->maxwell_count; i++)
    line(in, i ? "" : "Maxwell branches", "share %.4g of the stiffness relaxes with %.4g s", rod->maxwell[i].share,
         rod->maxwell[i].time);
  if (rod->maxwell_count > 0)
    line(in, "", "at once bending %.4g, %.4g, torsion %.4g N m^2; long-term (%.4g) %.4g, %.4g, %.4g N m^2",
         v->stiffness[3], v->stiffness[4], v->stiffness[5], in->long_term, in->long_term * v->stiffness[3],
         in->long_term * v->stiffness[4], in->long_term * v->stiffness[5]);
}

/* Values that look like GPa, g/cm^3 or mm. */
static void report_units(const subject *in) {
  const wy_rod_def *rod = in->rod;
  if (!rod->material.given)
    return;
  double density = wy_results_signal(&rod->material.density, 0.5 * in->length, 0);
  double young = wy_results_signal(&rod->material.young, 0.5 * in->length, 0);
  if (density < 20)
    wy_warn(in->warnings,
            "rods.%s.material.density: %g kg/m^3 is less than any solid; %g if that is in g/cm^3 (messages assume SI)",
            rod->name, density, density * 1e3);
  if (density > 25000)
    wy_warn(in->warnings, "rods.%s.material.density: %g kg/m^3 is more than any solid (messages assume SI)", rod->name,
            density);
  if (young < 1e3)
    wy_warn(in->warnings,
            "rods.%s.material.young: %g Pa is softer than a gel; %g if that is in GPa, %g in MPa (messages assume SI)",
            rod->name, young, young * 1e9, young * 1e6);
  if (young > 2e12)
    wy_warn(in->warnings, "rods.%s.material.young: %g Pa is stiffer than diamond (messages assume SI)", rod->name,
            young);
  if (!rod->material.has_shear && wy_results_signal(&rod->material.poisson, 0.5 * in->length, 0) < 0)
    wy_warn(in->warnings, "rods.%s.material.poisson: negative; right only for auxetic materials", rod->name);
}

/* ---- Frequencies ---- */

static void mode(subject *in, const char *name, double omega, double ratio, double drag, const char *formula, ...)
    __attribute__((format(printf, 6, 7)));

/* `ratio`: damping by the material. */
static void mode(subject *in, const char *name, double omega, double ratio, double drag, const char *formula, ...) {
  char text[160];
  va_list arguments;
  va_start(arguments, formula);
  vsnprintf(text, sizeof text, formula, arguments);
  va_end(arguments);
  if (!in->warnings->silent)
    printf("  %-22s %10.4g %10.4g %10.4g %9.3g   %s\n", name, omega / (2 * pi), omega, 2 * pi / omega,
           ratio + 0.5 * drag / omega, text);
  in->slowest = fmax(in->slowest, 2 * pi / omega);
}

/* Half the loss over the stiffness at once, of strain number i: Kelvin-Voigt damping and Maxwell branches. */
static double material_damping(const subject *in, int i, double omega) {
  double loss = in->section.stiffness[i] > 0 ? omega * in->section.damping[i] / in->section.stiffness[i] : 0;
  for (int k = 0; k < in->rod->maxwell_count; k++) {
    double x = omega * in->rod->maxwell[k].time;
    loss += in->rod->maxwell[k].share * x / (1 + x * x);
  }
  return 0.5 * loss;
}

static void report_bending(subject *in, int plane) {
  static const char *const names[2] = {"bending along d1", "bending along d2"};
  const wy_section_values *v = &in->section;
  wy_support start = in->plane[plane][0], end = in->plane[plane][1];
  int component = 4 - plane; /* deflection along d1 bends about d2: EI2 */
  for (int n = 1; n <= 2; n++) {
    double root = wy_bending_root(start, end, n);
    double omega = wy_bending_frequency(root, in->length, v->stiffness[component], v->mass);
    mode(in, n == 1 ? names[plane] : "  second", omega, material_damping(in, component, omega),
         in->rod->drag.translation,
         n == 1 ? "x^2/L^2*sqrt(EI%d/rhoA), %s, %s-%s: x = %.5f" : "EI%d, %s, %s-%s: x = %.5f", 2 - plane,
         wy_bending_equation(start, end), wy_support_name(start), wy_support_name(end), root);
  }
}

static void report_stretching(subject *in) {
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

/* The fastest motion on the grid, which limits explicit integrators. */
static void report_fastest(const subject *in) {
  const bool staggered = is_scheme(in, "staggered");
  const bool cylinder = staggered && in->solver->staggered.segment_inertia == WY_CYLINDER;
  /* Differences across two segments see waves of at most 1/h, those of order 4 of 1.37/h. */
  const double wave = staggered ? 2 : in->solver->conserving.order == 4 ? 1.372 : 1, spacing = in->spacing * 2 / wave;
  wy_fastest fastest = in->rod->kind == WY_COSSERAT
                           ? wy_fastest_of(&in->section, spacing, cylinder)
                           : wy_fastest_without_shear(&in->section, spacing, cylinder, in->rod->kind == WY_KIRCHHOFF);
  line(in, "highest on the grid", "%.4g Hz, %.4g rad/s (%s at wave number %.3g/h, undamped)", fastest.omega / (2 * pi),
       fastest.omega, fastest.kind, wave);
  double step = wy_method_explicit_step(in->model, in->index, in->solver);
  line(in, "explicit step", "%s is stable up to about %.2g s: %.2g steps for the run", step > 0 ? "dop853" : "dopri5",
       step > 0 ? step : fastest.explicit_step, in->scenario->end / (step > 0 ? step : fastest.explicit_step));
}

static void report_frequencies(subject *in) {
  const wy_section_values *v = &in->section;
  const wy_drag *drag = &in->rod->drag;
  const double *g = wy_model_gravity(in->model);
  double strength = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  bool one_turning = in->turning[0] != in->turning[1];
  if (!in->warnings->silent)
    printf("  %-22s %10s %10s %10s %9s\n", "frequencies", "Hz", "rad/s", "period s", "damping");
  if (in->axial[0] != in->axial[1] && !in->turning[0] && !in->turning[1] && strength > 0)
    mode(in, "swinging, rigid", 2 * pi / wy_swing_period(in->length, strength), 0, drag->translation,
         "sqrt(3*g/(2*L))");
  if (in->cable)
    mode(in, "as a cable", wy_catenary_frequency(&in->line, in->across, in->strength), 0, drag->translation,
         in->line.sag < 0.25 * in->across ? "pi/x*sqrt(H/rhoA), ends x = %.4g m apart, H = %.4g N"
                                          : "sqrt(g/(0.8*sag))",
         in->across, in->line.a * v->mass * in->strength);
  else
    report_bending(in, 0);
  if (in->cable)
    line(in, "", "its weight shapes the line, which is longer than the distance of its ends: bending matters little");
  else if (v->stiffness[3] != v->stiffness[4] || in->plane[0][0] != in->plane[1][0] ||
           in->plane[0][1] != in->plane[1][1])
    report_bending(in, 1);
  double torsion = wy_wave_frequency(in->turning[0], in->turning[1], in->length, v->stiffness[5], v->rotary[2]);
  mode(in, "torsion", torsion, material_damping(in, 5, torsion), drag->rotation, "pi/%sL*sqrt(GJ/rhoI3)",
       one_turning ? "2" : "");
  report_stretching(in);
  if (in->scenario->analysis == WY_DYNAMICS && !wy_method_has_fixed_step(in->solver))
    report_fastest(in);
  if (isfinite(in->rod->ends[0].release) || isfinite(in->rod->ends[1].release))
    line(in, "", "the frequencies are those before the release");
}

/* ---- Loads and resolution ---- */

/* What a straight column of these ends carries; the smaller of the two planes. */
static void report_euler_load(const subject *in) {
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
    line(in, "Euler load", "%.4g N (%.5g*EI%d/L^2, straight, %s-%s)", least,
         wy_euler_load(in->plane[plane][0], in->plane[plane][1], 1, 1), 2 - plane, wy_support_name(in->plane[plane][0]),
         wy_support_name(in->plane[plane][1]));
}

/* A slack line: the catenary, and what its ends bend where they are clamped. */
static double report_cable(const subject *in) {
  double weight = in->section.mass * in->strength, bending = in->long_term * in->section.stiffness[3];
  double tension = weight * hypot(in->line.a, 0.5 * in->length), stiffest = cbrt(weight / bending);
  double curvature = in->line.a > 0 ? fmin(1 / in->line.a, stiffest) : stiffest;
  line(in, "static sag", "%.4g m (catenary 2*a*sinh(x/(2*a)) = L, horizontal tension %.4g N)", in->line.sag,
       weight * in->line.a);
  if (in->turning[0] || in->turning[1])
    curvature = fmax(curvature, wy_curvature_at_clamp(in->line.slope, tension, bending));
  return curvature;
}

/* Sag in the plane in which gravity is strongest. Returns the curvature that it bends the rod to. */
static double report_sag(subject *in) {
  const wy_section_values *v = &in->section;
  const double *g = wy_model_gravity(in->model);
  double component[3];
  for (int k = 0; k < 3; k++)
    component[k] = fabs(g[0] * in->frame[k][0] + g[1] * in->frame[k][1] + g[2] * in->frame[k][2]) * v->mass;
  if (component[0] + component[1] + component[2] == 0)
    return 0;
  if (in->turn > 0.5) {
    line(in, "static sag", "no estimate: the undeformed rod is curved");
    return 0;
  }
  if (in->cable)
    return report_cable(in);
  if (in->slack > 0) {
    line(in, "static sag", "no estimate: the ends come closer than the rod is long, and it bends out between them");
    return 0;
  }
  int plane = component[1] > component[0];
  double w = component[plane], bending = in->long_term * v->stiffness[4 - plane], curvature = 0;
  double extension = in->long_term * v->stiffness[2];
  wy_support start = in->plane[plane][0], end = in->plane[plane][1];
  double linear = wy_sag(start, end, in->length, bending, w);
  bool stretching = in->axial[0] && in->axial[1];
  if (stretching && in->rod->kind == WY_INEXTENSIBLE) {
    line(in, "static sag", "none: the ends hold a straight rod that cannot stretch");
    return 0;
  }
  double sag = stretching ? wy_sag_stretching(linear, in->length, extension, w) : linear;
  if (w > 0 && linear < 0) {
    line(in, "static sag", "none: %s-%s is not held against gravity; the rod falls or swings", wy_support_name(start),
         wy_support_name(end));
  } else if (w > 0) {
    curvature = wy_sag_moment(start, end, in->length, bending, w) / bending;
    if (in->scenario->analysis == WY_DYNAMICS && !in->scenario->from_statics && start + end == WY_SUPPORT_CLAMPED &&
        (start == WY_SUPPORT_CLAMPED || end == WY_SUPPORT_CLAMPED))
      in->swing = wy_swing_curvature(in->length, bending, w);
    line(in, "static sag", "%.4g m (%s-%s, %s)", sag, wy_support_name(start), wy_support_name(end),
         stretching ? "w = EI*d/(k*L^4) + 64*EA*d^3/(3*L^4)" : "k*w*L^4/EI");
    if (sag > 0.5 * in->length)
      line(in, "", "more than half of the length: linear theory has no meaning here, the rod will %s",
           stretching ? "hang as a cable" : "hang down");
    else if (sag > 0.1 * in->length)
      line(in, "", "%.0f %% of the length: a large deflection, for which linear theory is only a guide",
           100 * sag / in->length);
  }
  if (component[2] > 0 && in->rod->kind != WY_INEXTENSIBLE)
    line(in, "stretch by weight", "%.4g m",
         wy_axial_sag(in->axial[0], in->axial[1], in->length, extension, component[2]));
  return curvature;
}

/* The largest moment that loads can make anywhere in the rod at any output time, roughly: |M| + |F| L. */
static double load_moment(const subject *in) {
  enum { TIMES = 200 };
  double total[TIMES + 1] = {0}, largest = 0;
  for (int i = 0; i < wy_model_load_count(in->model); i++) {
    const wy_load_def *load = wy_model_load(in->model, i);
    double span = load->place == WY_ALONG ? load->to - load->from : 1;
    double s = load->place == WY_ALONG ? 0.5 * (load->from + load->to) : load->from;
    for (int k = 0; load->rod == in->index && k <= TIMES; k++) {
      double t = in->scenario->end * k / TIMES, force = 0, moment = 0;
      for (int c = 0; c < 3; c++) {
        force += pow(wy_results_signal(&load->force[c], s, t), 2);
        moment += pow(wy_results_signal(&load->moment[c], s, t), 2);
      }
      total[k] += span * (sqrt(moment) + sqrt(force) * in->length);
    }
  }
  for (int k = 0; k <= TIMES; k++)
    largest = fmax(largest, total[k]);
  return largest;
}

/* ---- Actuators ---- */

enum { MOST_TIMES = 1000, MOST_PLACES = 100 };

/* The output times, thinned out where there are very many. */
static int time_count(const subject *in) {
  int rows = wy_scenario_row_count(in->scenario);
  return rows < MOST_TIMES ? rows : MOST_TIMES;
}

static double time_at(const subject *in, int k) {
  int rows = wy_scenario_row_count(in->scenario), count = time_count(in);
  return wy_scenario_row_time(in->scenario, count < rows ? (int)((double)k * (rows - 1) / (count - 1)) : k);
}

/* What forces at the offsets bend the rod to: F*rho/EI, both planes. */
static double bent_to(const subject *in, double moment1, double moment2) {
  const double *stiffness = in->section.stiffness;
  return hypot(moment1 / stiffness[3], moment2 / stiffness[4]) / in->long_term;
}

/* The largest distance from the centre line; a warning where that is outside of the section. */
static double reach_of(const subject *in, int index, double offset[2]) {
  const wy_actuator_def *actuator = wy_model_actuator(in->model, index);
  double largest = -1;
  bool warned = false;
  for (int i = 0; i <= MOST_PLACES; i++) {
    double s = in->length * i / MOST_PLACES, radius = wy_model_section(in->model, in->index, s).radius;
    double a = wy_results_signal(&actuator->offset[0], s, 0), b = wy_results_signal(&actuator->offset[1], s, 0);
    if (hypot(a, b) > largest) {
      largest = hypot(a, b);
      offset[0] = a;
      offset[1] = b;
    }
    if (warned || !(radius > 0) || hypot(a, b) <= radius * (1 + 1e-9))
      continue;
    wy_warn(in->warnings,
            "actuators[%d].offset: %.4g m from the centre line at s = %.4g, outside of the section of "
            "radius %.4g m",
            index, hypot(a, b), s, radius);
    warned = true;
  }
  return largest;
}

static void report_actuator(const subject *in, int index) {
  const wy_actuator_def *actuator = wy_model_actuator(in->model, index);
  bool tendon = actuator->kind == WY_TENDON;
  double least = INFINITY, most = -INFINITY, offset[2] = {0, 0};
  for (int k = 0; k < time_count(in); k++) {
    double force = wy_results_signal(&actuator->force, 0, time_at(in, k));
    least = fmin(least, force);
    most = fmax(most, force);
  }
  double largest = fmax(fabs(least), fabs(most)), reach = reach_of(in, index, offset);
  char name[32];
  snprintf(name, sizeof name, "%s %d", tendon ? "tendon" : "chamber", index);
  line(in, name, "%.4g m from the centre line (%.4g, %.4g), %s %.4g to %.4g N", reach, offset[0], offset[1],
       tendon ? "tension" : "force", least + 0.0, most + 0.0);
  line(in, "", "alone it bends the rod to %.4g 1/m (%s*rho/EI)", bent_to(in, largest * offset[1], largest * offset[0]),
       tendon ? "T" : "F");
}

/* Returns the largest curvature that all of them bend the rod to together. */
static double report_actuators(const subject *in) {
  double largest = 0;
  int count = wy_model_actuator_count(in->model);
  for (int i = 0; i < count; i++)
    if (wy_model_actuator(in->model, i)->rod == in->index)
      report_actuator(in, i);
  for (int k = 0; k < time_count(in) && count > 0; k++)
    for (int place = 0; place <= MOST_PLACES; place++) {
      double t = time_at(in, k), s = in->length * place / MOST_PLACES, moment[2] = {0, 0};
      for (int i = 0; i < count; i++) {
        const wy_actuator_def *actuator = wy_model_actuator(in->model, i);
        double force = actuator->rod == in->index ? wy_results_signal(&actuator->force, 0, t) : 0;
        for (int c = 0; c < 2; c++)
          moment[1 - c] += force != 0 ? force * wy_results_signal(&actuator->offset[c], s, 0) : 0;
      }
      largest = fmax(largest, bent_to(in, moment[0], moment[1]));
    }
  return largest;
}

/* ---- Turns ---- */

/* Largest turn from one segment to the next: undeformed and by the initial twist. */
static double largest_turn(const subject *in) {
  const wy_rod_def *rod = in->rod;
  double s = 0, largest = 0;
  for (int i = 0; i < rod->segments; i++) {
    double h = segment_length(rod, i), squared = 0;
    for (int k = 0; k < 3; k++)
      squared += pow(wy_results_signal(&rod->shape.curvature[k], s, 0), 2);
    double twist = wy_results_signal(&rod->initial.twist, s + h, 0) - wy_results_signal(&rod->initial.twist, s, 0);
    largest = fmax(largest, sqrt(squared) * h + fabs(twist));
    s += h;
  }
  return largest;
}

/* Beyond what the interpolation carries an element is too soft; there is a largest moment that it can take at all. The
   box scheme is coarse beyond its limit. */
static void judge_limited_turn(const subject *in, const char *cause, double angle) {
  char kind[32] = "";
  if (is_scheme(in, "mixed"))
    snprintf(kind, sizeof kind, " of order %d", in->solver->mixed.order);
  const bool one = in->rod->segments == 1;
  line(in, cause, "%.3g rad per %s%s", angle, in->piece, angle > in->turn_limit ? ": too much" : "");
  if (angle > in->turn_limit && angle < 1e4 && !in->warnings->silent) /* a run measures it */
    wy_warn(
        in->warnings,
        "rods.%s.segments: %d %s%s%s turn%s up to %.3g rad%s (%s), more than the %.3g rad that %s; use %.0f or more",
        in->rod->name, in->rod->segments, in->piece, one ? "" : "s", kind, one ? "s" : "", angle, one ? "" : " each",
        cause, in->turn_limit,
        is_scheme(in, "mixed")      ? "the interpolation carries"
        : in->solver->box.transport ? "the scheme carries"
                                    : "the scheme carries without transport",
        ceil(in->rod->segments * angle / in->turn_limit));
}

/* More than 25 degrees from segment to segment is coarse; 12 is fine. */
static void judge_turn(const subject *in, const char *cause, double angle) {
  double most = 25 / degrees, fine = 12 / degrees;
  if (in->turn_limit > 0) {
    judge_limited_turn(in, cause, angle);
    return;
  }
  line(in, cause, "%.3g degrees per segment%s", angle * degrees, angle > most ? ": coarse" : "");
  if (angle > most && angle < 1e4)
    wy_warn(in->warnings, "rods.%s.segments: %d turns up to %.0f degrees per segment (%s); use %.0f or more",
            in->rod->name, in->rod->segments, angle * degrees, cause, ceil(in->rod->segments * angle / fine));
}

static void report_resolution(const subject *in, double sag_curvature, double actuated_curvature) {
  const wy_section_values *v = &in->section;
  double bending = in->long_term * fmin(v->stiffness[3], v->stiffness[4]), moment = load_moment(in);
  double turn = largest_turn(in), h = in->length / in->rod->segments;
  /* Bent out between its ends by slack e: y = A (1 - cos(2 pi x/L))/2 of a clamped rod has k = 4 pi sqrt(e)/L at most.
   */
  double pushed = in->slack > 0 && !in->cable ? 4 * pi * sqrt(fmin(in->slack, 1)) / in->length : 0;
  if (turn > 0)
    judge_turn(in, "undeformed and twisted", turn);
  if (sag_curvature > 0)
    judge_turn(in, "bent by gravity", sag_curvature * h);
  if (in->swing > 0 && in->turn_limit > 0)
    judge_turn(in, "swinging in gravity", in->swing * h);
  if (pushed > 0)
    judge_turn(in, "bent by its ends", pushed * h);
  if (actuated_curvature > 0)
    judge_turn(in, "bent by actuators", actuated_curvature * h);
  if (moment > 0)
    line(in, "bent by loads", "%.3g degrees per %s at most (|M| + |F|*L <= %.3g N m)", moment / bending * h * degrees,
         in->piece, moment);
  bool elements = is_scheme(in, "mixed");
  int points = in->rod->segments * (elements ? in->solver->mixed.order : 1);
  const int modes = (int)(points / 5.0 + 0.5);
  line(in, "bending waves", "about %d mode%s 10 %ss or more per wave", modes, modes == 1 ? " has" : "s have",
       elements ? "node" : in->piece);
}

/* An end that starts with another velocity than the rod hits it: a shock that excites the fastest vibrations. */
static void judge_start(const subject *in) {
  static const char *const names[2] = {"start", "end"};
  const bool fixed = wy_method_has_fixed_step(in->solver);
  for (int e = 0; e < 2; e++) {
    const wy_end *end = &in->rod->ends[e];
    double squared = 0;
    for (int k = 0; k < 3; k++) {
      double jet[3] = {0, 0, 0}, velocity = wy_results_signal(&in->rod->initial.velocity[k], e ? in->length : 0, 0);
      if (end->position[k] == WY_DRIVEN && end->path[k].evaluate)
        end->path[k].evaluate(end->path[k].context, WY_TIME, 0, 0, jet);
      if (end->position[k] != WY_FREE)
        squared += (jet[1] - velocity) * (jet[1] - velocity);
    }
    if (squared > 0)
      wy_warn(in->warnings,
              "rods.%s.ends.%s: begins to move with a velocity that differs by %.3g m/s from the rod's own: a shock, "
              "which excites fast vibrations%s; let motions start smoothly, e.g. a*(1 - cos(w*t)), or set "
              "initial.velocity",
              in->rod->name, names[e], sqrt(squared), fixed ? "" : " and takes many steps");
  }
}

/* How far apart the path of the ends takes them at a time, or 0 where a component of one is free. */
static double distance_of_ends(const subject *in, double time) {
  double d[3];
  return ends_apart(in, time, d) ? sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) : 0;
}

/* Ends that move sideways and may not slip pull the rod: with steel, thousands of newtons for a thousandth. */
static void judge_stretch(const subject *in) {
  static const double unnoticed = 1e-4;
  double largest = 0, at = 0;
  for (int k = 0; k < time_count(in); k++) {
    double time = time_at(in, k), distance = distance_of_ends(in, time);
    if (distance > largest) {
      largest = distance;
      at = time;
    }
  }
  double strain = largest / in->length - 1;
  if (strain > unnoticed && in->rod->kind != WY_INEXTENSIBLE)
    wy_warn(in->warnings,
            "rods.%s.ends: they are %.3g m apart at t = %.3g, and the rod is %.3g m long: it is stretched by %.2g %%, "
            "with an "
            "axial force of about %.3g N; leave the coordinate along the rod free at one end if it may slip there",
            in->rod->name, largest, at, in->length, 100 * strain, in->long_term * in->section.stiffness[2] * strain);
}

double wy_report_rod(const wy_scenario *scenario, const wy_model *model, int rod, wy_warnings *warnings) {
  subject in = describe(scenario, model, rod, warnings);
  describe_cable(&in);
  if (!warnings->silent)
    printf("\nrod %s\n", in.rod->name);
  report_section(&in);
  report_law(&in);
  report_maxwell(&in);
  report_units(&in);
  if (in.turn > 0.5)
    line(&in, "curved", "turns %.4g degrees from start to end; the estimates are for straight rods", in.turn * degrees);
  report_frequencies(&in);
  if (scenario->sim.statics)
    report_euler_load(&in);
  double sag_curvature = report_sag(&in);
  report_resolution(&in, sag_curvature, report_actuators(&in));
  if (scenario->analysis == WY_DYNAMICS)
    judge_start(&in);
  judge_stretch(&in);
  return in.turn > 0.5 ? 0 : in.slowest; /* of a straight rod */
}
