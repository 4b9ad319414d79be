/* SPDX-License-Identifier: MIT */
/* The key `rods`: one mapping per rod into a wy_rod_def. What values are possible is the library's business. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/scenario/reader.h"

static void read_name(wy_reader *r, const wy_node *rod, int index, int count, wy_rod_def *out) {
  const wy_node *node = wy_yaml_find(rod, "name");
  if (node) {
    out->name = wy_read_name(r, node);
  } else if (count > 1) {
    char name[32];
    int length = snprintf(name, sizeof name, "rod%d", index + 1);
    out->name = wy_read_copy(r, name, (size_t)length);
  }
}

static void read_segments(wy_reader *r, const wy_node *node, wy_rod_def *out) {
  if (!node)
    return;
  if (node->kind != WY_LIST) {
    out->segments = wy_read_integer(r, node, 1);
    return;
  }
  double *lengths = wy_read_take(r, ((size_t)node->count + 1) * sizeof *lengths);
  double sum = 0;
  for (const wy_node *child = node->first; child && !r->failed; child = child->next) {
    lengths[child->index] = wy_read_number(r, child);
    sum += lengths[child->index];
  }
  out->segments = node->count;
  out->segment_lengths = lengths;
  if (out->length == 0)
    out->length = sum;
}

/* Where `segments` is a number. */
void wy_read_grading(wy_reader *r, const wy_node *node, wy_rod_def *out) {
  if (!node || !wy_read_mapping(r, node) || out->segment_lengths)
    return;
  if (out->length == 0)
    wy_read_expected(r, node, "it with `length`, since helices and points have their length only later");
  const double finer[2] = {wy_read_optional(r, wy_yaml_find(node, "start"), 1),
                           wy_read_optional(r, wy_yaml_find(node, "end"), 1)};
  const double over = wy_read_optional(r, wy_yaml_find(node, "over"), out->length / 10);
  double *lengths = wy_read_take(r, ((size_t)out->segments + 1) * sizeof *lengths);
  if (r->failed || wy_graded_lengths(out->segments, out->length, finer, over, lengths, NULL))
    return;
  out->segment_lengths = lengths;
}

static void read_length(wy_reader *r, const wy_node *rod, wy_rod_def *out) {
  const wy_node *node = wy_yaml_find(rod, "length");
  const wy_node *segments = wy_yaml_find(rod, "segments");
  const wy_node *shape = wy_yaml_find(rod, "shape");
  const wy_node *helix = wy_yaml_find(shape, "helix"), *points = wy_yaml_find(shape, "points");
  if (node && (helix || points))
    wy_read_expected(r, node, "no length, since shape.%s sets it", helix ? "helix" : "points");
  else if (node || (!helix && !points && !(segments && segments->kind == WY_LIST)))
    out->length = wy_read_number(r, wy_read_need(r, rod, "length"));
}

/* ---- Section and material ---- */

static wy_signal need_signal(wy_reader *r, const wy_node *mapping, const char *key) {
  return wy_read_signal(r, wy_read_need(r, mapping, key));
}

static void read_section(wy_reader *r, const wy_node *node, wy_section *out) {
  if (!node || !wy_read_mapping(r, node))
    return;
  out->shape = (wy_section_shape)wy_read_choice(r, wy_read_need(r, node, "shape"), WY_CIRCLE);
  switch (out->shape) {
  case WY_CIRCLE:
    out->radius = need_signal(r, node, "radius");
    break;
  case WY_ANNULUS:
    out->outer = need_signal(r, node, "outer");
    out->inner = need_signal(r, node, "inner");
    break;
  case WY_RECTANGLE:
    out->width = need_signal(r, node, "width");
    out->height = need_signal(r, node, "height");
    break;
  default:
    out->area = need_signal(r, node, "area");
    out->I1 = need_signal(r, node, "I1");
    out->I2 = need_signal(r, node, "I2");
    out->J = need_signal(r, node, "J");
  }
}

static void read_material(wy_reader *r, const wy_node *node, wy_material *out) {
  if (!node || !wy_read_mapping(r, node))
    return;
  out->given = true;
  out->density = need_signal(r, node, "density");
  out->young = need_signal(r, node, "young");
  const wy_node *shear = wy_yaml_find(node, "shear"), *poisson = wy_yaml_find(node, "poisson");
  if (shear && poisson)
    wy_read_fail(r, shear, "found both shear and poisson; expected one of them, since the other follows");
  out->has_shear = shear != NULL;
  if (shear)
    out->shear = wy_read_signal(r, shear);
  else
    out->poisson = need_signal(r, node, "poisson");
}

/* The six-vectors: shear [2], extension, bending [2], torsion. */
static void read_six(wy_reader *r, const wy_node *node, wy_signal out[6]) {
  wy_read_signals(r, wy_yaml_find(node, "shear"), out);
  const wy_node *extension = wy_yaml_find(node, "extension"), *torsion = wy_yaml_find(node, "torsion");
  if (extension)
    out[2] = wy_read_signal(r, extension);
  wy_read_signals(r, wy_yaml_find(node, "bending"), out + 3);
  if (torsion)
    out[5] = wy_read_signal(r, torsion);
}

static void read_stiffness(wy_reader *r, const wy_node *node, wy_rod_def *out) {
  if (!node || !wy_read_mapping(r, node))
    return;
  out->has_stiffness = true;
  if (out->kind == WY_COSSERAT)
    wy_read_need(r, node, "shear");
  if (out->kind != WY_INEXTENSIBLE)
    wy_read_need(r, node, "extension");
  wy_read_need(r, node, "bending");
  wy_read_need(r, node, "torsion");
  read_six(r, node, out->stiffness);
}

static void read_inertia(wy_reader *r, const wy_node *node, wy_rod_def *out) {
  if (!node || !wy_read_mapping(r, node))
    return;
  out->has_inertia = true;
  out->inertia[0] = need_signal(r, node, "mass");
  wy_read_signals(r, wy_read_need(r, node, "rotary"), out->inertia + 1);
}

static void read_damping(wy_reader *r, const wy_node *node, wy_rod_def *out) {
  if (!node || !wy_read_mapping(r, node) || node->count == 0)
    return;
  const wy_node *time = wy_yaml_find(node, "time");
  if (time && node->count > 1)
    wy_read_fail(r, time,
                 "found time together with coefficients; expected either time alone (damping = time*stiffness) or "
                 "shear, extension, bending, torsion");
  out->damping.kind = time ? WY_DAMPING_TIME : WY_DAMPING_COEFFICIENTS;
  if (time)
    out->damping.time = wy_read_signal(r, time);
  else
    read_six(r, node, out->damping.coefficient);
}

static void read_maxwell(wy_reader *r, const wy_node *list, wy_rod_def *out) {
  if (!list || !wy_read_list(r, list))
    return;
  wy_maxwell *branches = wy_read_take(r, ((size_t)list->count + 1) * sizeof *branches);
  for (const wy_node *node = list->first; node && !r->failed; node = node->next) {
    if (!wy_read_entry(r, node))
      return;
    branches[node->index].share = wy_read_number(r, wy_read_need(r, node, "share"));
    branches[node->index].time = wy_read_number(r, wy_read_need(r, node, "time"));
  }
  out->maxwell = branches;
  out->maxwell_count = list->count;
}

static void read_law(wy_reader *r, const wy_node *node, wy_law *out) {
  if (!node || !wy_read_mapping(r, node))
    return;
  out->kind = (wy_law_kind)wy_read_choice(r, wy_read_need(r, node, "kind"), WY_LINEAR_LAW);
  out->bending = wy_read_optional(r, wy_yaml_find(node, "bending"), 0);
  out->compression = wy_read_choice(r, wy_yaml_find(node, "compression"), false);
}

static void read_drag(wy_reader *r, const wy_node *node, wy_rod_def *out) {
  if (!node || !wy_read_mapping(r, node))
    return;
  out->drag.translation = wy_read_optional(r, wy_yaml_find(node, "translation"), 0);
  out->drag.rotation = wy_read_optional(r, wy_yaml_find(node, "rotation"), 0);
}

/* ---- Shape and start ---- */

void wy_read_direction(wy_reader *r, const wy_node *node, double out[3]) {
  wy_read_vector(r, node, out);
  if (node && !r->failed && out[0] == 0 && out[1] == 0 && out[2] == 0)
    wy_read_fail(r, node, "found a vector of length 0; expected a direction");
}

static void read_helix(wy_reader *r, const wy_node *node, wy_shape *out) {
  if (!wy_read_mapping(r, node))
    return;
  out->helix.radius = wy_read_number(r, wy_read_need(r, node, "radius"));
  out->helix.pitch = wy_read_number(r, wy_read_need(r, node, "pitch"));
  out->helix.turns = wy_read_number(r, wy_read_need(r, node, "turns"));
}

static void read_shape(wy_reader *r, const wy_node *node, wy_shape *out) {
  if (!node || !wy_read_mapping(r, node))
    return;
  const wy_node *curvature = wy_yaml_find(node, "curvature"), *helix = wy_yaml_find(node, "helix");
  wy_read_vector(r, wy_yaml_find(node, "origin"), out->origin);
  wy_read_direction(r, wy_yaml_find(node, "direction"), out->direction);
  wy_read_direction(r, wy_yaml_find(node, "d1"), out->d1);
  if (curvature && helix)
    wy_read_fail(r, curvature,
                 "found curvature together with helix; expected one of them, since a helix sets the curvature");
  wy_read_signals(r, curvature, out->curvature);
  if (helix)
    read_helix(r, helix, out);
}

static void read_from(wy_reader *r, const wy_node *from, const wy_node *initial) {
  wy_read_word(r, from);
  if (!r->failed && initial->count > 1)
    wy_read_fail(r, from,
                 "found from: statics together with other keys; expected it alone, since an equilibrium is at rest and "
                 "begins from the undeformed rod");
  r->scenario->from_statics = true;
}

static void read_initial(wy_reader *r, const wy_node *node, wy_initial *out) {
  if (!node || !wy_read_mapping(r, node))
    return;
  const wy_node *from = wy_yaml_find(node, "from");
  if (from)
    read_from(r, from, node);
  out->twist = wy_read_signal(r, wy_yaml_find(node, "twist"));
  wy_read_signals(r, wy_yaml_find(node, "velocity"), out->velocity);
  wy_read_signals(r, wy_yaml_find(node, "angular_velocity"), out->angular_velocity);
}

/* ---- Rods ---- */

static void read_rod(wy_reader *r, const wy_node *node, int count, wy_rod_def *out) {
  if (!wy_read_entry(r, node))
    return;
  out->kind = (wy_rod_kind)wy_read_choice(r, wy_yaml_find(node, "model"), WY_COSSERAT);
  read_name(r, node, node->index, count, out);
  read_length(r, node, out);
  read_segments(r, wy_yaml_find(node, "segments"), out);
  wy_read_grading(r, wy_yaml_find(node, "grading"), out);
  read_section(r, wy_yaml_find(node, "section"), &out->section);
  read_material(r, wy_yaml_find(node, "material"), &out->material);
  wy_read_vector(r, wy_yaml_find(node, "shear_factors"), out->shear_factors);
  read_stiffness(r, wy_yaml_find(node, "stiffness"), out);
  read_inertia(r, wy_yaml_find(node, "inertia"), out);
  read_damping(r, wy_yaml_find(node, "damping"), out);
  read_law(r, wy_yaml_find(node, "law"), &out->law);
  read_maxwell(r, wy_yaml_find(node, "maxwell"), out);
  read_drag(r, wy_yaml_find(node, "drag"), out);
  out->fluid = r->fluid;
  wy_read_fluid(r, wy_yaml_find(node, "fluid"), &out->fluid);
  wy_read_skin(r, wy_yaml_find(node, "contact"), &out->contact);
  read_shape(r, wy_yaml_find(node, "shape"), &out->shape);
  wy_read_points(r, wy_yaml_find(node, "shape"), out);
  read_initial(r, wy_yaml_find(node, "initial"), &out->initial);
  wy_read_ends(r, wy_yaml_find(node, "ends"), out->ends);
}

void wy_read_rods(wy_reader *r) {
  const wy_node *bodies = wy_yaml_find(r->root, "bodies");
  if (!wy_yaml_find(r->root, "rods") && bodies && bodies->kind == WY_LIST && bodies->count > 0)
    return;
  const wy_node *list = wy_read_need(r, r->root, "rods");
  if (!list || !wy_read_list(r, list))
    return;
  if (list->count == 0) {
    wy_read_refuse(r, list);
    return;
  }
  r->rods = wy_read_take(r, (size_t)list->count * sizeof *r->rods);
  if (r->failed)
    return;
  r->scenario->model.rods = r->scenario->rods = r->rods;
  r->scenario->model.rod_count = list->count;
  r->ordinary = list->count - r->pattern_count;
  for (const wy_node *node = list->first; node && !r->failed; node = node->next) {
    wy_rod_def *rod = &r->rods[node->index];
    r->rod = node->index;
    *rod = wy_default_rod_def();
    read_rod(r, node, list->count, rod);
    if (!r->failed && !wy_names_add(r->rod_names, r->pool, rod->name, node->index))
      wy_read_no_memory(r);
  }
  r->rod = -1;
}
