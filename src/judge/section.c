/* SPDX-License-Identifier: MIT */
/* What a rod is made of: mass, stiffness, material, and numbers that look like other units than SI. */
#include <math.h>
#include <stdio.h>

#include "judge/subject.h"
#include "math/vec3.h"

/* Shear and extension, where the model has them. */
static void report_stretch(const wy_subject *in) {
  const wy_rod_def *rod = in->rod;
  const wy_section_values *v = &in->section;
  bool derived = !rod->has_stiffness;
  if (rod->kind == WY_COSSERAT)
    wy_say(in, "shear stiffness", "%.4g, %.4g N (%s)", v->stiffness[0], v->stiffness[1],
           derived ? "shear_factors*G*area" : "stiffness.shear");
  else
    wy_say(in, "shear stiffness", "none needed: the model has no shear");
  if (derived)
    wy_say(in, "", "G = %s", rod->material.has_shear ? "material.shear" : "young/(2*(1 + poisson))");
  if (rod->kind == WY_INEXTENSIBLE)
    wy_say(in, "extension stiffness", "none needed: the model has no extension");
  else
    wy_say(in, "extension stiffness", "%.4g N (%s)", v->stiffness[2], derived ? "young*area" : "stiffness.extension");
}

/* The radius of gyration of the section by its stiffness, or by its inertia where that is not known. */
static double gyration_of(const wy_section_values *v) {
  double inertial = sqrt(fmax(v->rotary[0], v->rotary[1]) / v->mass);
  return v->stiffness[2] > 0 ? sqrt(fmax(v->stiffness[3], v->stiffness[4]) / v->stiffness[2]) : inertial;
}

static void report_section(const wy_subject *in) {
  const wy_rod_def *rod = in->rod;
  const wy_section_values *v = &in->section;
  bool derived = !rod->has_stiffness;
  wy_section_values first = wy_model_section(in->model, in->index, 0);
  wy_section_values last = wy_model_section(in->model, in->index, in->length);
  wy_say(in, "length", "%.6g m, %d %s%s of %s%.4g m", in->length, rod->segments, in->info.piece,
         rod->segments == 1 ? "" : "s", rod->segment_lengths ? "at least " : "", in->spacing);
  wy_say(in, "mass", "%.6g kg (%.6g kg/m, %s)", in->mass, v->mass, rod->has_inertia ? "inertia.mass" : "density*area");
  wy_say(in, "rotary inertia", "%.4g, %.4g, %.4g kg m (%s)", v->rotary[0], v->rotary[1], v->rotary[2],
         rod->has_inertia ? "inertia.rotary" : "density*(I1, I2, I1 + I2)");
  if (v->area > 0)
    wy_say(in, "section", "area %.4g m^2, I1 %.4g, I2 %.4g, J %.4g m^4", v->area, v->second_moment[0],
           v->second_moment[1], v->second_moment[2]);
  report_stretch(in);
  wy_say(in, "bending stiffness", "%.4g, %.4g N m^2 (%s)", v->stiffness[3], v->stiffness[4],
         derived ? "young*I1, young*I2" : "stiffness.bending");
  wy_say(in, "torsional stiffness", "%.4g N m^2 (%s)", v->stiffness[5], derived ? "G*J" : "stiffness.torsion");
  double gyration = gyration_of(v);
  wy_say(in, "slenderness", "%.4g (length/%s)", in->length / gyration,
         v->stiffness[2] > 0 ? "sqrt(EI/EA)" : "sqrt(rotary/mass)");
  if (fabs(first.stiffness[3] - last.stiffness[3]) > 1e-6 * v->stiffness[3])
    wy_say(in, "taper", "EI1 from %.4g to %.4g N m^2; the estimates use mid-length", first.stiffness[3],
           last.stiffness[3]);
  if (in->length / gyration < 8)
    wy_warn(in,
            &(wy_doubt){.code = "slenderness",
                        .key = "",
                        .value = in->length / gyration,
                        .limit = 8,
                        .remedy = "check length and section"},
            "slenderness %.3g: a rod is much longer than it is thick", in->length / gyration);
  double inertial = sqrt(fmax(v->rotary[0], v->rotary[1]) / v->mass);
  bool moves = in->analysis == WY_DYNAMICS || in->analysis == WY_MODES;
  if (moves && (inertial > 10 * gyration || gyration > 10 * inertial))
    wy_warn(in,
            &(wy_doubt){.code = "gyration",
                        .key = "",
                        .value = inertial / gyration,
                        .limit = 10,
                        .remedy = "check inertia and stiffness"},
            "sqrt(rotary/mass) = %.3g and sqrt(bending/extension) = %.3g should be close: both are the radius of "
            "gyration of the section",
            inertial, gyration);
}

/* The material law, where it is not the linear one. */
static void report_law(const wy_subject *in) {
  const wy_law *law = &in->rod->law;
  if (law->kind == WY_LINEAR_LAW)
    return;
  wy_say(in, "law", "stiffening: moments are EI*k*(1 + %g*k^2)%s", law->bending,
         law->compression && in->rod->kind != WY_INEXTENSIBLE ? ", forces EA*(v3 - 1/v3)/2" : "");
}

/* The stiffnesses are those at once; equilibria, and slow motions, see what is left in the long term. */
static void report_maxwell(const wy_subject *in) {
  const wy_rod_def *rod = in->rod;
  const wy_section_values *v = &in->section;
  for (int i = 0; i < rod->maxwell_count; i++)
    wy_say(in, i ? "" : "Maxwell branches", "share %.4g of the stiffness relaxes with %.4g s", rod->maxwell[i].share,
           rod->maxwell[i].time);
  if (rod->maxwell_count > 0)
    wy_say(in, "", "at once bending %.4g, %.4g, torsion %.4g N m^2; long-term (%.4g) %.4g, %.4g, %.4g N m^2",
           v->stiffness[3], v->stiffness[4], v->stiffness[5], in->long_term, in->long_term * v->stiffness[3],
           in->long_term * v->stiffness[4], in->long_term * v->stiffness[5]);
}

/* Values that look like GPa, g/cm^3 or mm. */
static void check_material(const wy_subject *in) {
  const wy_rod_def *rod = in->rod;
  if (!rod->material.given)
    return;
  double density = wy_signal_value(&rod->material.density, 0.5 * in->length, 0);
  double young = wy_signal_value(&rod->material.young, 0.5 * in->length, 0);
  char remedy[120];
  snprintf(remedy, sizeof remedy, "%g if that is in g/cm^3 (messages assume SI)", density * 1e3);
  if (density < 20)
    wy_warn(in,
            &(wy_doubt){.code = "density", .key = ".material.density", .value = density, .limit = 20, .remedy = remedy},
            "%g kg/m^3 is less than any solid", density);
  if (density > 25000)
    wy_warn(in,
            &(wy_doubt){.code = "density",
                        .key = ".material.density",
                        .value = density,
                        .limit = 25000,
                        .remedy = "check the unit (messages assume SI)"},
            "%g kg/m^3 is more than any solid", density);
  snprintf(remedy, sizeof remedy, "%g if that is in GPa, %g in MPa (messages assume SI)", young * 1e9, young * 1e6);
  if (young < 1e3)
    wy_warn(in, &(wy_doubt){.code = "young", .key = ".material.young", .value = young, .limit = 1e3, .remedy = remedy},
            "%g Pa is softer than a gel", young);
  if (young > 2e12)
    wy_warn(in,
            &(wy_doubt){.code = "young",
                        .key = ".material.young",
                        .value = young,
                        .limit = 2e12,
                        .remedy = "check the unit (messages assume SI)"},
            "%g Pa is stiffer than diamond", young);
  const double poisson = wy_signal_value(&rod->material.poisson, 0.5 * in->length, 0);
  if (!rod->material.has_shear && poisson < 0)
    wy_warn(in,
            &(wy_doubt){.code = "poisson",
                        .key = ".material.poisson",
                        .value = poisson,
                        .limit = 0,
                        .remedy = "expected 0 to 0.5 for all others"},
            "negative: right only for auxetic materials");
}

void wy_check_section(wy_subject *in) {
  report_section(in);
  report_law(in);
  report_maxwell(in);
  check_material(in);
  if (in->turn > 0.5)
    wy_say(in, "curved", "turns %.4g degrees from start to end; the estimates are for straight rods",
           in->turn * (180 / 3.14159265358979323846));
}

/* Mistakes of units that the whole model shows. */
void wy_check_gravity(wy_subject *in) {
  const double strength = wy_norm3(wy_model_gravity(in->model));
  if (strength > 100)
    wy_warn(in,
            &(wy_doubt){.code = "gravity",
                        .path = "gravity",
                        .value = strength,
                        .limit = 100,
                        .remedy = "9.81 is usual (messages assume SI)"},
            "more than 100 m/s^2");
}
