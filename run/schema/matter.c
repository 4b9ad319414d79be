/* SPDX-License-Identifier: MIT */
/* The schema of what a rod is made of: section, material, stiffness, inertia, damping, laws, branches, drag. */
#include "run/schema/schema.h"

/* A number that may vary along the rod. */
#define ALONG .forms = WY_FORM_NUMBER, .of = WY_ARC

/* ---- Section and material ---- */

static const wy_word section_shapes[] = {
    {.name = "circle", .meaning = "a full circle", .value = WY_CIRCLE},
    {.name = "annulus", .meaning = "a tube", .value = WY_ANNULUS},
    {.name = "rectangle", .meaning = "a strip or bar", .value = WY_RECTANGLE},
    {.name = "explicit", .meaning = "any other, by its area and moments", .value = WY_EXPLICIT},
    {0}};

#define SIZE(key, shape, symbol, text)                                                                                 \
  {                                                                                                                    \
    .name = (key), ALONG, .sign = WY_POSITIVE, .unit = (symbol), .required = true, .with = {(shape)},                  \
    .meaning = (text)                                                                                                  \
  }

static const wy_key section_keys[] = {
    {.name = "shape", .forms = WY_FORM_WORD, .words = section_shapes, .required = true, .meaning = "Its shape."},
    SIZE("radius", "circle", "m", "Radius of the circle."),
    SIZE("outer", "annulus", "m", "Outer radius of the tube."),
    {.name = "inner",
     ALONG,
     .sign = WY_NOT_NEGATIVE,
     .unit = "m",
     .required = true,
     .with = {"annulus"},
     .meaning = "Inner radius of the tube, less than `outer`."},
    SIZE("width", "rectangle", "m", "Width, along d1."),
    SIZE("height", "rectangle", "m", "Height, along d2."),
    SIZE("area", "explicit", "m^2", "Area."),
    SIZE("I1", "explicit", "m^4", "Integral of y2^2: bending about d1."),
    SIZE("I2", "explicit", "m^4", "Integral of y1^2: bending about d2."),
    SIZE("J", "explicit", "m^4", "Torsion constant."),
    {0}};

static const wy_example section_examples[] = {
    {"{shape: circle, radius: 0.005}", NULL},
    {"{shape: circle, radius: \"0.005*(1 - 0.3*s)\"}", "tapered"},
    {"{shape: annulus, outer: 0.006, inner: 0.004}", "a tube"},
    {"{shape: rectangle, width: 0.02, height: 0.001}", "a strip that bends easily about d1"},
    {"{shape: explicit, area: 5.0e-5, I1: 2.0e-10, I2: 3.0e-10, J: 4.0e-10}", NULL},
    {0}};

const wy_mapping wy_schema_section = {.path = "rods[].section",
                                      .what = "a section",
                                      .summary =
                                          "The cross-section. Its sizes may vary with s, so that a rod may taper.",
                                      .selector = "shape",
                                      .strict = true,
                                      .keys = section_keys,
                                      .examples = section_examples};

static const wy_key material_keys[] = {
    {.name = "density", ALONG, .sign = WY_POSITIVE, .unit = "kg/m^3", .required = true, .meaning = "Mass per volume."},
    {.name = "young", ALONG, .sign = WY_POSITIVE, .unit = "Pa", .required = true, .meaning = "Young's modulus E."},
    {.name = "poisson",
     ALONG,
     .range = "> -1, <= 0.5",
     .fallback = "one of `poisson`, `shear`",
     .expected = "Poisson's ratio (or shear: the shear modulus)",
     .meaning = "Poisson's ratio. The shear modulus is G = E/(2 (1 + poisson))."},
    {.name = "shear",
     ALONG,
     .sign = WY_POSITIVE,
     .unit = "Pa",
     .fallback = "one of `poisson`, `shear`",
     .meaning = "Shear modulus G, instead of `poisson`."},
    {0}};

static const wy_example material_examples[] = {{"{density: 1100, young: 5.0e6, poisson: 0.5}", "rubber"},
                                               {"{density: 7850, young: 2.1e11, shear: 8.1e10}", "steel"},
                                               {0}};

const wy_mapping wy_schema_material = {.path = "rods[].material",
                                       .what = "a material",
                                       .summary =
                                           "What the rod is made of: an elastic material, alike in all directions.",
                                       .keys = material_keys,
                                       .examples = material_examples};

/* ---- Stiffness, inertia, damping ---- */

static const wy_key stiffness_keys[] = {{.name = "shear",
                                         .forms = WY_FORM_VECTOR,
                                         .of = WY_ARC,
                                         .count = 2,
                                         .unit = "N",
                                         .fallback = "required for `cosserat`",
                                         .expected = "a list of 2 shear stiffnesses",
                                         .meaning = "`[GA1, GA2]`: against shear along d1 and d2."},
                                        {.name = "extension",
                                         ALONG,
                                         .sign = WY_POSITIVE,
                                         .unit = "N",
                                         .fallback = "required but for `inextensible`",
                                         .expected = "the stiffness against extension",
                                         .meaning = "EA: against extension."},
                                        {.name = "bending",
                                         .forms = WY_FORM_VECTOR,
                                         .of = WY_ARC,
                                         .count = 2,
                                         .unit = "N m^2",
                                         .required = true,
                                         .expected = "a list of 2 bending stiffnesses",
                                         .meaning = "`[EI1, EI2]`: against bending about d1 and d2."},
                                        {.name = "torsion",
                                         ALONG,
                                         .sign = WY_POSITIVE,
                                         .unit = "N m^2",
                                         .required = true,
                                         .expected = "the torsional stiffness",
                                         .meaning = "GJ: against twist."},
                                        {0}};

static const wy_example stiffness_examples[] = {
    {"{shear: [1.0e4, 1.0e4], extension: 1.0e4, bending: [500, 500], torsion: 500}", NULL}, {0}};

const wy_mapping wy_schema_stiffness = {
    .path = "rods[].stiffness",
    .what = "the stiffness",
    .summary = "Stiffnesses instead of what follows from section and material, for example measured ones.",
    .keys = stiffness_keys,
    .examples = stiffness_examples};

static const wy_key inertia_keys[] = {
    {.name = "mass", ALONG, .sign = WY_POSITIVE, .unit = "kg/m", .required = true, .meaning = "Mass per unit length."},
    {.name = "rotary",
     .forms = WY_FORM_VECTOR,
     .of = WY_ARC,
     .count = 3,
     .unit = "kg m",
     .required = true,
     .expected = "a list of 3 rotary inertias",
     .meaning = "`[rhoI1, rhoI2, rhoI3]` per unit length, about d1, d2, d3."},
    {0}};

static const wy_example inertia_examples[] = {{"{mass: 1, rotary: [0.01, 0.01, 0.02]}", NULL}, {0}};

const wy_mapping wy_schema_inertia = {.path = "rods[].inertia",
                                      .what = "the inertia",
                                      .summary = "Inertia per unit length instead of what follows from section and "
                                                 "material.",
                                      .keys = inertia_keys,
                                      .examples = inertia_examples};

static const wy_key damping_keys[] = {
    {.name = "shear",
     .forms = WY_FORM_VECTOR,
     .of = WY_ARC,
     .count = 2,
     .unit = "N s",
     .fallback = "`[0, 0]`",
     .meaning = "Of shear along d1 and d2."},
    {.name = "extension", ALONG, .sign = WY_NOT_NEGATIVE, .unit = "N s", .fallback = "`0`", .meaning = "Of extension."},
    {.name = "bending",
     .forms = WY_FORM_VECTOR,
     .of = WY_ARC,
     .count = 2,
     .unit = "N m^2 s",
     .fallback = "`[0, 0]`",
     .meaning = "Of bending about d1 and d2."},
    {.name = "torsion", ALONG, .sign = WY_NOT_NEGATIVE, .unit = "N m^2 s", .fallback = "`0`", .meaning = "Of twist."},
    {.name = "time",
     ALONG,
     .sign = WY_NOT_NEGATIVE,
     .unit = "s",
     .fallback = "the other keys",
     .meaning = "Instead of all others: damping = time * stiffness."},
    {0}};

static const wy_example damping_examples[] = {
    {"{time: 0.01}", "proportional to the stiffness"},
    {"{shear: [0.2, 0.2], extension: 4.0, bending: [4.0e-4, 4.0e-4], torsion: 1.6e-5}", "one by one"},
    {0}};

const wy_mapping wy_schema_damping = {.path = "rods[].damping",
                                      .what = "the damping",
                                      .summary = "Damping in the material (Kelvin-Voigt): force = stiffness * strain + "
                                                 "damping * strain rate.",
                                      .keys = damping_keys,
                                      .examples = damping_examples};

/* ---- Laws, branches, drag ---- */

static const wy_word no_words[] = {{0}};

static bool law_at(int index, wy_word *word) {
  const wy_law_info *info = wy_law_describe((wy_law_kind)index);
  if (info)
    *word = (wy_word){.name = info->name, .meaning = info->meaning, .value = index};
  return info != NULL;
}

static const wy_word compressions[] = {
    {.name = "false", .meaning = "the axial force is EA*(v - 1) at a stretch v", .value = 0},
    {.name = "true", .meaning = "it is EA*(v - 1/v)/2, which no finite force compresses to zero length", .value = 1},
    {0}};

static const wy_key law_keys[] = {{.name = "kind",
                                   .forms = WY_FORM_WORD,
                                   .words = no_words,
                                   .more_words = law_at,
                                   .required = true,
                                   .meaning = "The kind of law."},
                                  {.name = "bending",
                                   .forms = WY_FORM_NUMBER,
                                   .sign = WY_NOT_NEGATIVE,
                                   .unit = "m^2",
                                   .fallback = "`0`",
                                   .with = {"stiffening"},
                                   .meaning = "Moment = EI*k*(1 + bending*k^2) at a curvature change k."},
                                  {.name = "compression",
                                   .forms = WY_FORM_CHOICE,
                                   .words = compressions,
                                   .fallback = "`false`",
                                   .with = {"stiffening"},
                                   .meaning = "How the rod resists compression."},
                                  {0}};

static const wy_example law_examples[] = {{"{kind: stiffening, bending: 1.0e-2, compression: true}", NULL}, {0}};

const wy_mapping wy_schema_law = {
    .path = "rods[].law",
    .what = "a law",
    .summary = "A material that becomes stiffer. Not for the scheme `mixed`, and not beside `maxwell`.",
    .more = "[What a law does](scenario.md#a-rod), [its theory](../theory/laws.md)",
    .selector = "kind",
    .strict = true,
    .keys = law_keys,
    .examples = law_examples};

static const wy_key branch_keys[] = {
    {.name = "share",
     .forms = WY_FORM_NUMBER,
     .range = "between 0 and 1",
     .required = true,
     .expected = "its part of the stiffness, between 0 and 1",
     .meaning = "Share of the stiffness in this branch. The sum of all shares is less than 1."},
    {.name = "time",
     .forms = WY_FORM_NUMBER,
     .sign = WY_POSITIVE,
     .unit = "s",
     .required = true,
     .expected = "its time of relaxation, a number > 0",
     .meaning = "Relaxation time of this branch."},
    {0}};

static const wy_example branch_examples[] = {{"{share: 0.75, time: 0.08}", "three quarters relax, a quarter stays"},
                                             {0}};

const wy_mapping wy_schema_branch = {.path = "rods[].maxwell[]",
                                     .what = "a branch",
                                     .plural = "branches",
                                     .summary = "A part of the stiffness that relaxes (generalised Maxwell material).",
                                     .more = "[What branches do](scenario.md#a-rod)",
                                     .keys = branch_keys,
                                     .examples = branch_examples};

static const wy_key drag_keys[] = {{.name = "translation",
                                    .forms = WY_FORM_NUMBER,
                                    .sign = WY_NOT_NEGATIVE,
                                    .unit = "1/s",
                                    .fallback = "`0`",
                                    .meaning = "Force = -translation * mass * velocity. Per unit length."},
                                   {.name = "rotation",
                                    .forms = WY_FORM_NUMBER,
                                    .sign = WY_NOT_NEGATIVE,
                                    .unit = "1/s",
                                    .fallback = "`0`",
                                    .meaning = "Moment = -rotation * rotary * angular velocity. Per unit length."},
                                   {0}};

static const wy_example drag_examples[] = {{"{translation: 0.1, rotation: 0.1}", NULL}, {0}};

const wy_mapping wy_schema_drag = {.path = "rods[].drag",
                                   .what = "the drag",
                                   .summary = "Damping by the surroundings, such as air.",
                                   .keys = drag_keys,
                                   .examples = drag_examples};
