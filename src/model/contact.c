/* SPDX-License-Identifier: MIT */
/* Contact from definitions: what a rod's skin is, which laws hold between a rod and an obstacle, and what may be wrong
   with them. */
#include "model/contact.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/message.h"
#include "math/vec3.h"
#include "model/parts.h"
#include "model/rotation.h"

/* Times of the run at which motions are looked at, spread by the golden ratio, so that no period falls in with them. */
enum { TIMES = 256 };
static const double pi = 3.14159265358979323846, golden = 0.6180339887498949;

/* A tube must be wider than a rod by this share of the rod's radius. */
static const double tube_play = 0.02;

static bool is_positive(double value) {
  return isfinite(value) && value > 0;
}

const wy_contact_def *wy_model_contact_def(const wy_model *model) {
  return &model->contact;
}

bool wy_rod_touches(const wy_model *model, int rod) {
  return model->obstacle_count > 0 && !model->rods[rod].contact.none;
}

/* ---- The skin of a rod ---- */

static bool has_radius(const wy_rod_def *rod) {
  return rod->contact.radius.evaluate || rod->contact.radius.value != 0;
}

double wy_contact_radius(const wy_rod_def *rod, double s) {
  const wy_section *section = &rod->section;
  if (has_radius(rod))
    return wy_signal_value(&rod->contact.radius, s, 0);
  switch (section->shape) {
  case WY_CIRCLE:
    return wy_signal_value(&section->radius, s, 0);
  case WY_ANNULUS:
    return wy_signal_value(&section->outer, s, 0);
  case WY_RECTANGLE:
    return 0.5 * fmin(wy_signal_value(&section->width, s, 0), wy_signal_value(&section->height, s, 0));
  default:
    return 0;
  }
}

/* E / (1 - nu^2). Where the shear modulus is given by itself, nu follows from it, as far as a material can have it. */
static double plane_modulus(const wy_material *material, double s) {
  const double young = wy_signal_value(&material->young, s, 0);
  const double nu = material->has_shear
                        ? fmax(-0.5, fmin(0.5, young / (2 * wy_signal_value(&material->shear, s, 0)) - 1))
                        : wy_signal_value(&material->poisson, s, 0);
  return young / (1 - nu * nu);
}

/* A cylinder squeezed between plates has 4/pi over E/(1 - nu^2); the wall of an annulus bends in series with it, as a
   ring between two line loads. */
double wy_contact_stiffness(const wy_rod_def *rod, double s) {
  const wy_section *section = &rod->section;
  double softness = 4 / pi;
  if (rod->contact.stiffness > 0)
    return rod->contact.stiffness;
  if (!rod->material.given)
    return 0;
  if (section->shape == WY_ANNULUS) {
    const double outer = wy_signal_value(&section->outer, s, 0), inner = wy_signal_value(&section->inner, s, 0);
    const double slenderness = 0.5 * (outer + inner) / (outer - inner);
    softness += 0.893 * slenderness * slenderness * slenderness;
  }
  return plane_modulus(&rod->material, s) / softness;
}

/* The arc length of place i of 2 n + 1: ends and middles of segments. `at` goes along. */
static double next_place(const wy_rod_def *rod, int i, double *at) {
  const double s = fmin(*at, rod->length);
  if (i < 2 * rod->segments)
    *at += 0.5 * wy_segment_length(rod, i / 2);
  return s;
}

double wy_contact_largest_radius(const wy_rod_def *rod) {
  double largest = 0, at = 0;
  for (int i = 0; i <= 2 * rod->segments; i++)
    largest = fmax(largest, wy_contact_radius(rod, next_place(rod, i, &at)));
  return largest;
}

double wy_contact_smallest_radius(const wy_rod_def *rod) {
  double smallest = INFINITY, at = 0;
  for (int i = 0; i <= 2 * rod->segments; i++)
    smallest = fmin(smallest, wy_contact_radius(rod, next_place(rod, i, &at)));
  return smallest;
}

/* ---- Speeds of what is moved ---- */

/* The largest length of the rate of a vector of signals up to `end`. */
static double fastest(const wy_signal *signals, int count, double end) {
  double largest = 0;
  bool moves = false;
  for (int i = 0; i < count; i++)
    moves = moves || wy_signal_depends(&signals[i], WY_TIME);
  for (int k = 0; moves && k < TIMES; k++) {
    const double turns = golden * k, t = end * (turns - floor(turns));
    double squares = 0;
    for (int i = 0; i < count; i++) {
      double jet[3];
      wy_signal_rates(&signals[i], 0, t, jet);
      squares += jet[1] * jet[1];
    }
    if (isfinite(squares))
      largest = fmax(largest, sqrt(squares));
  }
  return largest;
}

static double fastest_end(const wy_end *end, double last) {
  wy_signal path[3];
  int driven = 0;
  for (int i = 0; i < 3; i++)
    if (end->position[i] == WY_DRIVEN)
      path[driven++] = end->path[i];
  return fastest(path, driven, fmin(last, end->release));
}

/* To the farthest corner of its grid. */
static double reach_of_grid(const wy_distance_grid *grid) {
  double square = 0;
  for (int k = 0; k < 3; k++) {
    const double low = grid->origin[k], high = low + (grid->points[k] - 1) * grid->step[k];
    square += pow(fmax(fabs(low), fabs(high)), 2);
  }
  return sqrt(square);
}

/* How far from its place the surface of an obstacle reaches, across the axis about which it turns; of one without end
   as far as the rod is long. */
static double lever(const wy_obstacle_def *obstacle, double length) {
  double across[3];
  const double half = isfinite(obstacle->length) ? 0.5 * obstacle->length : length;
  wy_cross3(obstacle->axis, obstacle->rotation_axis, across);
  switch (obstacle->shape) {
  case WY_OBSTACLE_PLANE:
    return length * wy_norm3(across);
  case WY_OBSTACLE_SPHERE:
    return obstacle->radius;
  case WY_OBSTACLE_BOX:
    return 0.5 * wy_norm3(obstacle->dimensions);
  case WY_OBSTACLE_TORUS:
    return obstacle->radius + obstacle->thickness;
  case WY_OBSTACLE_DISTANCE:
    return reach_of_grid(&obstacle->grid);
  default:
    return obstacle->radius + half * wy_norm3(across);
  }
}

static double fastest_body(const wy_body_def *body, const double arm[3], double size, double end) {
  wy_signal path[3];
  int driven = 0;
  for (int i = 0; i < 3; i++)
    if (body->position[i] == WY_DRIVEN)
      path[driven++] = body->path[i];
  const double last = fmin(end, body->release),
               turning = body->rotation == WY_DRIVEN ? fastest(&body->angle, 1, last) : 0;
  return fastest(path, driven, last) + turning * (wy_norm3(arm) + size);
}

static double fastest_obstacle(const wy_model *model, const wy_obstacle_def *obstacle, double length, double end) {
  double arm[3];
  for (int i = 0; i < 3; i++)
    arm[i] = wy_signal_value(&obstacle->position[i], 0, 0);
  const double size = lever(obstacle, length);
  if (obstacle->body >= 0)
    return fastest_body(&model->bodies[obstacle->body], arm, size, end);
  return fastest(obstacle->position, 3, end) + size * fastest(&obstacle->angle, 1, end) +
         wy_norm3(obstacle->surface_velocity);
}

/* A speed that is small beside those of the run. Without an end it is compared with a vibration of the rod. */
static double usual_speed(const wy_model *model, int rod, int obstacle, const wy_pair_laws *laws, double end) {
  const wy_rod_def *def = &model->rods[rod];
  const double gravity = wy_norm3(model->gravity), until = isfinite(end) ? end : wy_model_period(model, rod);
  double speed = fmax(sqrt(gravity * def->length), def->length / (100 * until));
  for (int e = 0; e < 2; e++)
    speed = fmax(speed, fastest_end(&def->ends[e], until));
  speed = fmax(speed, fastest_obstacle(model, &model->obstacles[obstacle], def->length, until));
  /* In stick a rod that slid at it under its own weight comes to rest within z_s and does not ring. */
  const double settles = 0.5 * sqrt(laws->friction * gravity * laws->slip);
  return settles > 0 ? fmin(1e-3 * speed, settles) : 1e-3 * speed;
}

/* ---- The laws of a pair ---- */

static void override(double value, double *law) {
  if (!isnan(value))
    *law = value;
}

wy_pair_laws wy_model_pair_laws(const wy_model *model, int rod, int obstacle, double end) {
  const wy_contact_def *contact = &model->contact;
  const wy_obstacle_def *with = &model->obstacles[obstacle];
  const double radius = wy_contact_smallest_radius(&model->rods[rod]);
  wy_pair_laws laws = {.friction = contact->friction, .restitution = contact->restitution, .stick = contact->stick};
  override(with->friction, &laws.friction);
  override(with->restitution, &laws.restitution);
  for (int i = 0; i < contact->pair_count; i++)
    if (contact->pairs[i].rod == rod && contact->pairs[i].obstacle == obstacle) {
      override(contact->pairs[i].friction, &laws.friction);
      override(contact->pairs[i].restitution, &laws.restitution);
    }
  laws.slip = contact->slip > 0 ? contact->slip : radius / 100;
  laws.slip_rest = contact->slip > 0 ? contact->slip : radius / 10000;
  laws.speed = contact->speed > 0 ? contact->speed : usual_speed(model, rod, obstacle, &laws, end);
  return laws;
}

/* ---- Checks ---- */

#define TRY(call)                                                                                                      \
  do {                                                                                                                 \
    wy_status try_status = (call);                                                                                     \
    if (try_status)                                                                                                    \
      return try_status;                                                                                               \
  } while (0)

static wy_status refuse_rod(int index, wy_message *message, const char *key, const char *format, ...) WY_PRINTF(4, 5);

static wy_status refuse_rod(int index, wy_message *message, const char *key, const char *format, ...) {
  char path[128], text[512];
  snprintf(path, sizeof path, "rods[%d].contact.%s", index, key);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return wy_fail_at(message, path, "%s", text);
}

/* What is given is right, whether there is something to touch or not. */
static wy_status check_given(const wy_rod_def *rod, int index, wy_message *message) {
  const wy_rod_contact *contact = &rod->contact;
  double at = 0;
  for (int i = 0; has_radius(rod) && i <= 2 * rod->segments; i++) {
    const double s = next_place(rod, i, &at), radius = wy_contact_radius(rod, s);
    if (is_positive(radius))
      continue;
    return wy_signal_depends(&contact->radius, WY_ARC)
               ? refuse_rod(index, message, "radius", "found %g at s = %g; expected a positive number", radius, s)
               : refuse_rod(index, message, "radius", "found %g; expected a positive number", radius);
  }
  if (contact->stiffness != 0 && !is_positive(contact->stiffness))
    return refuse_rod(index, message, "stiffness", "found %g; expected a positive number", contact->stiffness);
  if (!(contact->blend >= 0 && contact->blend <= 0.5))
    return refuse_rod(index, message, "blend", "found %g; expected 0 to 0.5, a share of the radius", contact->blend);
  return WY_OK;
}

/* A rod that touches has a radius and a skin. */
static wy_status check_skin(const wy_rod_def *rod, int index, wy_message *message) {
  if (!has_radius(rod) && rod->section.shape == WY_EXPLICIT)
    return refuse_rod(index, message, "radius", "missing; expected a number, because the section is explicit");
  if (!has_radius(rod) && rod->section.shape == WY_SECTION_NONE)
    return refuse_rod(index, message, "radius", "missing; expected a number, because the rod has no section");
  if (rod->contact.stiffness == 0 && !rod->material.given)
    return refuse_rod(index, message, "stiffness", "missing; expected a number, because the rod has no material");
  double at = 0;
  for (int i = 0; i <= 2 * rod->segments; i++) {
    const double s = next_place(rod, i, &at), stiffness = wy_contact_stiffness(rod, s);
    if (!is_positive(stiffness))
      return refuse_rod(index, message, "stiffness",
                        "follows from the material as %g at s = %g; expected a positive number", stiffness, s);
  }
  return WY_OK;
}

/* Rods that touch fit into every tube. */
static wy_status check_tubes(const wy_model *model, int rod, wy_message *message) {
  const wy_rod_def *def = &model->rods[rod];
  char path[128], entry[WY_ENTRY_PATH];
  for (int i = 0; i < model->obstacle_count; i++) {
    const wy_obstacle_def *obstacle = &model->obstacles[i];
    const double needed = (1 + tube_play) * wy_contact_largest_radius(def);
    if (obstacle->shape != WY_OBSTACLE_TUBE || obstacle->radius >= needed)
      continue;
    wy_entry_path("obstacles", obstacle->name, i, entry);
    snprintf(path, sizeof path, "%s.radius", entry);
    return wy_fail_at(message, path, "%g is less than the rod '%.63s' needs (%g)", obstacle->radius, def->name, needed);
  }
  return WY_OK;
}

static wy_status check_friction(const char *path, double value, wy_message *message) {
  if (isfinite(value) && value >= 0)
    return WY_OK;
  return wy_fail_at(message, path, "found %g; expected a number that is not negative", value);
}

static wy_status check_restitution(const char *path, double value, wy_message *message) {
  if (value >= 0 && value <= 1)
    return WY_OK;
  return wy_fail_at(message, path, "found %g; expected 0 to 1, speed after over speed before a hit", value);
}

wy_status wy_contact_check_laws(const char *entry, double friction, double restitution, wy_message *message) {
  char path[128];
  snprintf(path, sizeof path, "%s.friction", entry);
  if (!isnan(friction))
    TRY(check_friction(path, friction, message));
  snprintf(path, sizeof path, "%s.restitution", entry);
  return isnan(restitution) ? WY_OK : check_restitution(path, restitution, message);
}

static wy_status check_number(const char *part, int number, int count, const char *path, wy_message *message) {
  if (number >= 0 && number < count)
    return WY_OK;
  if (count == 0)
    return wy_fail_at(message, path, "found %s number %d, and there is none", part, number);
  return wy_fail_at(message, path, "found %s number %d; expected 0 to %d", part, number, count - 1);
}

static wy_status check_pair(const wy_model *model, int index, wy_message *message) {
  const wy_contact_pair *pair = &model->contact.pairs[index];
  char entry[64], path[96];
  snprintf(entry, sizeof entry, "contact.pairs[%d]", index);
  snprintf(path, sizeof path, "%s.between", entry);
  TRY(check_number("rod", pair->rod, model->rod_count, path, message));
  TRY(check_number("obstacle", pair->obstacle, model->obstacle_count, path, message));
  const char *rod = model->rods[pair->rod].name, *obstacle = model->obstacles[pair->obstacle].name;
  if (model->rods[pair->rod].contact.none)
    return wy_fail_at(message, path, "found rod '%.63s', which touches nothing (contact: false)", rod);
  for (int i = 0; i < index; i++)
    if (model->contact.pairs[i].rod == pair->rod && model->contact.pairs[i].obstacle == pair->obstacle)
      return wy_fail_at(message, path, "found rod '%.63s' and obstacle '%.63s' a second time; expected one entry", rod,
                        obstacle);
  if (isnan(pair->friction) && isnan(pair->restitution))
    return wy_fail_at(message, entry, "has neither friction nor restitution; expected one of them, or both");
  return wy_contact_check_laws(entry, pair->friction, pair->restitution, message);
}

static wy_status check_contact(const wy_model *model, wy_message *message) {
  const wy_contact_def *contact = &model->contact;
  TRY(check_friction("contact.friction", contact->friction, message));
  TRY(check_restitution("contact.restitution", contact->restitution, message));
  if (contact->slip != 0 && !is_positive(contact->slip))
    return wy_fail_at(message, "contact.friction.slip", "found %g; expected a positive length", contact->slip);
  if (contact->speed != 0 && !is_positive(contact->speed))
    return wy_fail_at(message, "contact.friction.speed", "found %g; expected a positive speed", contact->speed);
  for (int i = 0; i < contact->pair_count; i++)
    TRY(check_pair(model, i, message));
  return WY_OK;
}

wy_status wy_contact_resolve(const wy_model *model, wy_message *message) {
  for (int i = 0; i < model->rod_count; i++) {
    TRY(check_given(&model->rods[i], i, message));
    if (wy_rod_touches(model, i)) {
      TRY(check_skin(&model->rods[i], i, message));
      TRY(check_tubes(model, i, message));
    }
  }
  return check_contact(model, message);
}
