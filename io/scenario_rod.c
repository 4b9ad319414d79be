/* The key `rods`: one mapping per rod into a wy_rod_def. What values are possible is the library's business. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/reader.h"

static void read_name(wy_reader *r, const wy_node *rod, int index, int count, wy_rod_def *out) {
  const wy_node *node = wy_yaml_find(rod, "name");
  if (node) {
    out->name = wy_read_name(r, node);
  } else if (count > 1) {
    char name[32];
    int length = snprintf(name, sizeof name, "rod%d", index + 1);
    out->name = wy_pool_copy(r->pool, name, (size_t)length);
  }
}

static void read_segments(wy_reader *r, const wy_node *node, wy_rod_def *out) {
  if (!node)
    return;
  if (node->kind != WY_LIST) {
    r->expected = "a whole number or a list of lengths";
    out->segments = wy_read_integer(r, node, 1, 1000000);
    r->expected = NULL;
    return;
  }
  double *lengths = wy_pool_take(r->pool, ((size_t)node->count + 1) * sizeof *lengths);
  double sum = 0;
  for (const wy_node *child = node->first; child && !r->failed; child = child->next) {
    lengths[child->index] = wy_read_positive(r, child);
    sum += lengths[child->index];
  }
  out->segments = node->count;
  out->segment_lengths = lengths;
  if (out->length == 0)
    out->length = sum;
}

static void read_length(wy_reader *r, const wy_node *rod, wy_rod_def *out) {
  const wy_node *node = wy_yaml_find(rod, "length");
  const wy_node *segments = wy_yaml_find(rod, "segments");
  const wy_node *helix = wy_yaml_find(wy_yaml_find(rod, "shape"), "helix");
  if (node && helix)
    wy_read_expected(r, node, "no length, since shape.helix sets it");
  else if (node || (!helix && !(segments && segments->kind == WY_LIST)))
    out->length = wy_read_positive(r, wy_read_need(r, rod, "length", "the rod's length, a number > 0"));
}

/* ---- Section and material ---- */

static wy_signal need_along(wy_reader *r, const wy_node *mapping, const char *key) {
  return wy_read_signal(r, wy_read_need(r, mapping, key, "a number or an expression of s"), WY_ARC);
}

static void read_section(wy_reader *r, const wy_node *node, wy_section *out) {
  static const char *const shapes[] = {"circle", "annulus", "rectangle", "explicit", NULL};
  static const char *const of_none[] = {"shape", "radius", "outer", "inner", "width", "height",
                                        "area",  "I1",     "I2",    "J",     NULL};
  static const char *const of_circle[] = {"shape", "radius", NULL};
  static const char *const of_annulus[] = {"shape", "outer", "inner", NULL};
  static const char *const of_rectangle[] = {"shape", "width", "height", NULL};
  static const char *const of_explicit[] = {"shape", "area", "I1", "I2", "J", NULL};
  if (!node || !wy_read_mapping(r, node, of_none, NULL))
    return;
  const wy_node *shape = wy_read_need(r, node, "shape", "one of circle, annulus, rectangle, explicit");
  switch (wy_read_word(r, shape, shapes)) {
  case 0:
    out->shape = WY_CIRCLE;
    if (wy_read_mapping(r, node, of_circle, NULL))
      out->radius = need_along(r, node, "radius");
    break;
  case 1:
    out->shape = WY_ANNULUS;
    if (wy_read_mapping(r, node, of_annulus, NULL)) {
      out->outer = need_along(r, node, "outer");
      out->inner = need_along(r, node, "inner");
    }
    break;
  case 2:
    out->shape = WY_RECTANGLE;
    if (wy_read_mapping(r, node, of_rectangle, NULL)) {
      out->width = need_along(r, node, "width");
      out->height = need_along(r, node, "height");
    }
    break;
  default:
    out->shape = WY_EXPLICIT;
    if (wy_read_mapping(r, node, of_explicit, NULL)) {
      out->area = need_along(r, node, "area");
      out->I1 = need_along(r, node, "I1");
      out->I2 = need_along(r, node, "I2");
      out->J = need_along(r, node, "J");
    }
  }
}

static void read_material(wy_reader *r, const wy_node *node, wy_material *out) {
  static const char *const keys[] = {"density", "young", "poisson", "shear", NULL};
  if (!node || !wy_read_mapping(r, node, keys, NULL))
    return;
  out->given = true;
  out->density = need_along(r, node, "density");
  out->young = need_along(r, node, "young");
  const wy_node *shear = wy_yaml_find(node, "shear"), *poisson = wy_yaml_find(node, "poisson");
  if (shear && poisson)
    wy_read_fail(r, shear, "found both shear and poisson; expected one of them, since the other follows");
  out->has_shear = shear != NULL;
  if (shear)
    out->shear = wy_read_signal(r, shear, WY_ARC);
  else
    out->poisson =
        wy_read_signal(r, wy_read_need(r, node, "poisson", "Poisson's ratio (or shear: the shear modulus)"), WY_ARC);
}

/* The six-vectors: shear [2], extension, bending [2], torsion. */
static void read_six(wy_reader *r, const wy_node *node, wy_signal out[6]) {
  wy_read_signals(r, wy_yaml_find(node, "shear"), 2, WY_ARC, out);
  const wy_node *extension = wy_yaml_find(node, "extension"), *torsion = wy_yaml_find(node, "torsion");
  if (extension)
    out[2] = wy_read_signal(r, extension, WY_ARC);
  wy_read_signals(r, wy_yaml_find(node, "bending"), 2, WY_ARC, out + 3);
  if (torsion)
    out[5] = wy_read_signal(r, torsion, WY_ARC);
}

static void read_stiffness(wy_reader *r, const wy_node *node, wy_rod_def *out) {
  static const char *const keys[] = {"shear", "extension", "bending", "torsion", NULL};
  if (!node || !wy_read_mapping(r, node, keys, NULL))
    return;
  out->has_stiffness = true;
  if (out->kind == WY_COSSERAT)
    wy_read_need(r, node, "shear", "a list of 2 shear stiffnesses");
  if (out->kind != WY_INEXTENSIBLE)
    wy_read_need(r, node, "extension", "the stiffness against extension");
  wy_read_need(r, node, "bending", "a list of 2 bending stiffnesses");
  wy_read_need(r, node, "torsion", "the torsional stiffness");
  read_six(r, node, out->stiffness);
}

static void read_inertia(wy_reader *r, const wy_node *node, wy_rod_def *out) {
  static const char *const keys[] = {"mass", "rotary", NULL};
  if (!node || !wy_read_mapping(r, node, keys, NULL))
    return;
  out->has_inertia = true;
  out->inertia[0] = need_along(r, node, "mass");
  wy_read_signals(r, wy_read_need(r, node, "rotary", "a list of 3 rotary inertias"), 3, WY_ARC, out->inertia + 1);
}

static void read_damping(wy_reader *r, const wy_node *node, wy_rod_def *out) {
  static const char *const keys[] = {"shear", "extension", "bending", "torsion", "time", NULL};
  if (!node || !wy_read_mapping(r, node, keys, NULL) || node->count == 0)
    return;
  const wy_node *time = wy_yaml_find(node, "time");
  if (time && node->count > 1)
    wy_read_fail(r, time,
                 "found time beside coefficients; expected either time alone (damping = time*stiffness) or "
                 "shear, extension, bending, torsion");
  out->damping.kind = time ? WY_DAMPING_TIME : WY_DAMPING_COEFFICIENTS;
  if (time)
    out->damping.time = wy_read_signal(r, time, WY_ARC);
  else
    read_six(r, node, out->damping.coefficient);
}

static void read_maxwell(wy_reader *r, const wy_node *list, wy_rod_def *out) {
  static const char *const keys[] = {"share", "time", NULL};
  if (!list || !wy_read_list(r, list, "branches, each {share: , time: }"))
    return;
  wy_maxwell *branches = wy_pool_take(r->pool, ((size_t)list->count + 1) * sizeof *branches);
  for (const wy_node *node = list->first; node && !r->failed; node = node->next) {
    if (node->kind != WY_MAPPING)
      wy_read_expected(r, node, "a branch: {share: , time: }");
    if (!wy_read_mapping(r, node, keys, NULL))
      return;
    wy_maxwell *branch = &branches[node->index];
    branch->share = wy_read_number(r, wy_read_need(r, node, "share", "its part of the stiffness, between 0 and 1"));
    branch->time = wy_read_number(r, wy_read_need(r, node, "time", "its time of relaxation, a number > 0"));
  }
  out->maxwell = branches;
  out->maxwell_count = list->count;
}

static void read_law(wy_reader *r, const wy_node *node, wy_law *out) {
  static const char *const keys[] = {"kind", "bending", "compression", NULL};
  static const char *const kinds[] = {"linear", "stiffening", NULL};
  if (!node || !wy_read_mapping(r, node, keys, NULL))
    return;
  const wy_node *bending = wy_yaml_find(node, "bending"), *compression = wy_yaml_find(node, "compression");
  const wy_node *extra = bending ? bending : compression;
  out->kind = wy_read_word(r, wy_read_need(r, node, "kind", "linear or stiffening"), kinds) == 1 ? WY_STIFFENING_LAW
                                                                                                 : WY_LINEAR_LAW;
  if (out->kind == WY_LINEAR_LAW && extra)
    wy_read_fail(r, extra, "found %s beside kind: linear; expected it with kind: stiffening", extra->key);
  out->bending = wy_read_optional(r, bending, 0);
  out->compression = wy_read_choice(r, compression, false);
}

static void read_drag(wy_reader *r, const wy_node *node, wy_rod_def *out) {
  static const char *const keys[] = {"translation", "rotation", NULL};
  if (!node || !wy_read_mapping(r, node, keys, NULL))
    return;
  out->drag.translation = wy_read_optional(r, wy_yaml_find(node, "translation"), 0);
  out->drag.rotation = wy_read_optional(r, wy_yaml_find(node, "rotation"), 0);
}

/* ---- Shape and start ---- */

static void read_direction(wy_reader *r, const wy_node *node, double out[3]) {
  wy_read_vector(r, node, 3, out);
  if (node && !r->failed && out[0] == 0 && out[1] == 0 && out[2] == 0)
    wy_read_fail(r, node, "found a vector of length 0; expected a direction");
}

static void read_helix(wy_reader *r, const wy_node *node, wy_shape *out) {
  static const char *const keys[] = {"radius", "pitch", "turns", NULL};
  if (!wy_read_mapping(r, node, keys, NULL))
    return;
  out->helix.radius = wy_read_positive(r, wy_read_need(r, node, "radius", "a number > 0"));
  out->helix.pitch = wy_read_number(r, wy_read_need(r, node, "pitch", "the rise per turn"));
  out->helix.turns = wy_read_positive(r, wy_read_need(r, node, "turns", "a number > 0"));
}

static void read_shape(wy_reader *r, const wy_node *node, wy_shape *out) {
  static const char *const keys[] = {"origin", "direction", "d1", "curvature", "helix", NULL};
  if (!node || !wy_read_mapping(r, node, keys, NULL))
    return;
  const wy_node *curvature = wy_yaml_find(node, "curvature"), *helix = wy_yaml_find(node, "helix");
  wy_read_vector(r, wy_yaml_find(node, "origin"), 3, out->origin);
  read_direction(r, wy_yaml_find(node, "direction"), out->direction);
  read_direction(r, wy_yaml_find(node, "d1"), out->d1);
  if (curvature && helix)
    wy_read_fail(r, curvature, "found curvature beside helix; expected one of them, since a helix sets the curvature");
  wy_read_signals(r, curvature, 3, WY_ARC, out->curvature);
  if (helix)
    read_helix(r, helix, out);
}

static void read_from(wy_reader *r, const wy_node *from, const wy_node *initial) {
  static const char *const words[] = {"statics", NULL};
  wy_read_word(r, from, words);
  if (!r->failed && initial->count > 1)
    wy_read_fail(r, from,
                 "found from: statics beside other keys; expected it alone, since an equilibrium is at rest and "
                 "begins from the undeformed rod");
  r->scenario->from_statics = true;
}

static void read_initial(wy_reader *r, const wy_node *node, wy_initial *out) {
  static const char *const keys[] = {"from", "twist", "velocity", "angular_velocity", NULL};
  if (!node || !wy_read_mapping(r, node, keys, NULL))
    return;
  const wy_node *from = wy_yaml_find(node, "from");
  if (from)
    read_from(r, from, node);
  out->twist = wy_read_signal(r, wy_yaml_find(node, "twist"), WY_ARC);
  wy_read_signals(r, wy_yaml_find(node, "velocity"), 3, WY_ARC, out->velocity);
  wy_read_signals(r, wy_yaml_find(node, "angular_velocity"), 3, WY_ARC, out->angular_velocity);
}

/* ---- Ends ---- */

/* A signal of time that the run differentiates twice. */
static wy_signal read_motion(wy_reader *r, const wy_node *node) {
  int before = r->sample_count;
  wy_signal signal = wy_read_signal(r, node, WY_TIME);
  if (r->sample_count > before)
    r->samples[before].derivatives = true;
  return signal;
}

static void read_position(wy_reader *r, const wy_node *node, wy_end *out) {
  if (!node || wy_read_is(node, "free"))
    return;
  if (node->kind != WY_LIST && !wy_read_is(node, "held")) {
    wy_read_expected(r, node, "held, or a list of 3, each an expression of t or free");
    return;
  }
  if (node->kind == WY_LIST && node->count != 3) {
    wy_read_expected(r, node, "a list of 3, each an expression of t or free");
    return;
  }
  const wy_node *child = node->first;
  for (int i = 0; i < 3; i++, child = child ? child->next : NULL) {
    if (!child || wy_read_is(child, "held")) {
      out->position[i] = WY_HELD;
    } else if (!wy_read_is(child, "free")) {
      out->position[i] = WY_DRIVEN;
      out->path[i] = read_motion(r, child);
    }
  }
}

static void read_rotation(wy_reader *r, const wy_node *node, wy_end *out) {
  static const char *const keys[] = {"axis", "angle", NULL};
  if (!node || wy_read_is(node, "free"))
    return;
  if (wy_read_is(node, "held")) {
    out->rotation = WY_HELD;
    return;
  }
  if (node->kind != WY_MAPPING) {
    wy_read_expected(r, node, "held, or {axis: [x, y, z], angle: an expression of t}");
    return;
  }
  if (!wy_read_mapping(r, node, keys, NULL))
    return;
  out->rotation = WY_DRIVEN;
  read_direction(r, wy_read_need(r, node, "axis", "a direction in space, a list of 3"), out->axis);
  out->angle = read_motion(r, wy_read_need(r, node, "angle", "an angle, an expression of t"));
}

static void read_end(wy_reader *r, const wy_node *node, wy_end *out) {
  static const char *const keys[] = {"position", "rotation", "release", NULL};
  static const char *const words[] = {"free", "pinned", "clamped", NULL};
  if (!node)
    return;
  if (node->kind == WY_MAPPING) {
    if (!wy_read_mapping(r, node, keys, NULL))
      return;
    read_position(r, wy_yaml_find(node, "position"), out);
    read_rotation(r, wy_yaml_find(node, "rotation"), out);
    out->release = wy_read_optional(r, wy_yaml_find(node, "release"), INFINITY);
  } else if (node->kind == WY_SCALAR) {
    int kind = wy_read_word(r, node, words);
    *out = kind == 2 ? wy_end_clamped() : kind == 1 ? wy_end_pinned() : wy_end_free();
  } else {
    wy_read_expected(r, node, "free, pinned, clamped, or a mapping with position, rotation, release");
  }
}

static void read_ends(wy_reader *r, const wy_node *node, wy_end out[2]) {
  static const char *const keys[] = {"start", "end", NULL};
  if (!node || !wy_read_mapping(r, node, keys, NULL))
    return;
  read_end(r, wy_yaml_find(node, "start"), &out[WY_START]);
  read_end(r, wy_yaml_find(node, "end"), &out[WY_END]);
}

/* ---- Rods ---- */

static void read_rod(wy_reader *r, const wy_node *node, int count, wy_rod_def *out) {
  static const char *const keys[] = {"name",          "model",     "length",  "segments", "section", "material",
                                     "shear_factors", "stiffness", "inertia", "damping",  "law",     "maxwell",
                                     "drag",          "shape",     "initial", "ends",     "solver",  NULL};
  static const char *const models[] = {"cosserat", "kirchhoff", "inextensible", NULL};
  static const wy_rod_kind kinds[] = {WY_COSSERAT, WY_KIRCHHOFF, WY_INEXTENSIBLE};
  if (node->kind != WY_MAPPING) {
    wy_read_expected(r, node, "a rod: a mapping with name, length, section, material, ends, ...");
    return;
  }
  if (!wy_read_mapping(r, node, keys, NULL))
    return;
  const wy_node *model = wy_yaml_find(node, "model");
  if (model)
    out->kind = kinds[wy_read_word(r, model, models)];
  read_name(r, node, node->index, count, out);
  read_length(r, node, out);
  read_segments(r, wy_yaml_find(node, "segments"), out);
  read_section(r, wy_yaml_find(node, "section"), &out->section);
  read_material(r, wy_yaml_find(node, "material"), &out->material);
  wy_read_vector(r, wy_yaml_find(node, "shear_factors"), 2, out->shear_factors);
  read_stiffness(r, wy_yaml_find(node, "stiffness"), out);
  read_inertia(r, wy_yaml_find(node, "inertia"), out);
  read_damping(r, wy_yaml_find(node, "damping"), out);
  read_law(r, wy_yaml_find(node, "law"), &out->law);
  read_maxwell(r, wy_yaml_find(node, "maxwell"), out);
  read_drag(r, wy_yaml_find(node, "drag"), out);
  read_shape(r, wy_yaml_find(node, "shape"), &out->shape);
  read_initial(r, wy_yaml_find(node, "initial"), &out->initial);
  read_ends(r, wy_yaml_find(node, "ends"), out->ends);
}

void wy_read_rods(wy_reader *r) {
  const wy_node *list = wy_read_need(r, r->root, "rods", "a list of at least one rod");
  if (!list || !wy_read_list(r, list, "rods"))
    return;
  if (list->count == 0) {
    wy_read_expected(r, list, "a list of at least one rod");
    return;
  }
  r->rods = wy_pool_take(r->pool, (size_t)list->count * sizeof *r->rods);
  r->scenario->model.rods = r->rods;
  r->scenario->model.rod_count = list->count;
  for (const wy_node *node = list->first; node && !r->failed; node = node->next) {
    r->rod = node->index;
    r->rods[node->index] = wy_default_rod_def();
    read_rod(r, node, list->count, &r->rods[node->index]);
  }
  r->rod = -1;
}
