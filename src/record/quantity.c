/* SPDX-License-Identifier: MIT */
/* The table of quantities, and the functions that compute those which are no members of a view. A new quantity is an
   enumerator of wy_quantity, a row here, and a function where it is computed (docs/dev/adding-a-quantity.md). */
#include "withy/quantity.h"

#include <assert.h>
#include <string.h>

#include "base/message.h"
#include "math/quat.h"
#include "record/probe.h"

/* ---- Computed from a view ---- */

static void director(const wy_reading *r, int which, double out[3]) {
  double q[4], matrix[9];
  wy_rotation_at(r, q);
  wy_qmatrix(q, matrix);
  for (int k = 0; k < 3; k++)
    out[k] = matrix[3 * k + which];
}

static void director1(const wy_reading *r, double *out) {
  director(r, 0, out);
}

static void director2(const wy_reading *r, double *out) {
  director(r, 1, out);
}

static void director3(const wy_reading *r, double *out) {
  director(r, 2, out);
}

static void reaction_force(const wy_reading *r, double *out) {
  wy_copy3(r->view->ends[wy_end_at(r->length, r->s)].reaction_force, out);
}

static void reaction_moment(const wy_reading *r, double *out) {
  wy_copy3(r->view->ends[wy_end_at(r->length, r->s)].reaction_moment, out);
}

static void tension(const wy_reading *r, double *out) {
  double force[3];
  wy_points_at(&r->view->force, r->s, force);
  out[0] = wy_tension(force);
}

static void bend_radius(const wy_reading *r, double *out) {
  double curvature[3];
  wy_points_at(&r->view->curvature, r->s, curvature);
  out[0] = wy_bend_radius(curvature);
}

static void twist(const wy_reading *r, double *out) {
  double curvature[3];
  wy_points_at(&r->view->curvature, r->s, curvature);
  out[0] = curvature[2];
}

static void length(const wy_reading *r, double *out) {
  out[0] = wy_points_length(&r->view->position);
}

/* ---- The table ---- */

typedef struct row {
  wy_quantity_info info;
  void (*read)(const wy_reading *r, double *out); /* NULL: the member of its home, as it is */
} row;

/* Units and names of components. */
#define NUMBER(text) .unit = (text), .components = 1, .letters = ""
#define VECTOR(text) .unit = (text), .components = 3, .letters = "xyz"
/* Members of the structs of withy/sim.h, with their names in result.h5. */
#define IN_VIEW(member, name) .home = WY_IN_VIEW, .offset = offsetof(wy_view, member), .dataset = (name)
#define IN_ENERGY(member) .home = WY_IN_ENERGY, .offset = offsetof(wy_energy, member), .dataset = #member
#define IN_CONTACT(member, name)                                                                                       \
  .home = WY_IN_CONTACT, .offset = offsetof(wy_contact_view, member), .dataset = (name), .touches = true
#define IN_MOMENTUM(member, name) .home = WY_IN_MOMENTUM, .offset = offsetof(wy_momentum, member), .dataset = (name)

static const row rows[WY_STORED_COUNT] = {
    [WY_POSITION] = {.info = {.name = "position",
                              VECTOR("m"),
                              IN_VIEW(position, "position"),
                              .label = "position",
                              .meaning = "of the centreline, space axes"}},
    [WY_VELOCITY] = {.info = {.name = "velocity",
                              VECTOR("m/s"),
                              IN_VIEW(velocity, "velocity"),
                              .rests = true,
                              .label = "velocity",
                              .meaning = "of the centreline, space axes"}},
    [WY_ROTATION] = {.info = {.name = "rotation",
                              .unit = "1",
                              .components = 4,
                              .letters = "wxyz",
                              IN_VIEW(frame, "frame"),
                              .label = "rotation",
                              .meaning = "of the section: unit quaternion w, x, y, z"},
                     wy_rotation_at},
    [WY_ANGULAR_VELOCITY] = {.info = {.name = "angular_velocity",
                                      VECTOR("rad/s"),
                                      IN_VIEW(angular_velocity, "angular_velocity"),
                                      .rests = true,
                                      .label = "angular velocity",
                                      .meaning = "of the section, body axes"}},
    [WY_DIRECTOR1] =
        {{.name = "director1", VECTOR("1"), .label = "director1", .meaning = "d1, in the section; space axes"},
         director1},
    [WY_DIRECTOR2] =
        {{.name = "director2", VECTOR("1"), .label = "director2", .meaning = "d2, in the section; space axes"},
         director2},
    [WY_DIRECTOR3] = {.info = {.name = "director3",
                               VECTOR("1"),
                               .label = "director3",
                               .meaning = "d3, the normal of the section; space axes"},
                      director3},
    [WY_STRAIN] = {.info = {.name = "strain",
                            VECTOR("1"),
                            IN_VIEW(strain, "strain"),
                            .label = "strain",
                            .meaning = "shear along d1, shear along d2, stretch - 1"}},
    [WY_CURVATURE] = {.info = {.name = "curvature",
                               VECTOR("1/m"),
                               IN_VIEW(curvature, "curvature"),
                               .label = "curvature",
                               .meaning = "bending about d1, about d2, twist"}},
    [WY_FORCE] = {.info = {.name = "force",
                           VECTOR("N"),
                           IN_VIEW(force, "force"),
                           .label = "force",
                           .meaning = "in the section, body axes: exerted by the part beyond s on the part before s"}},
    [WY_MOMENT] = {.info = {.name = "moment",
                            VECTOR("N m"),
                            IN_VIEW(moment, "moment"),
                            .label = "moment",
                            .meaning = "in the section, body axes: exerted by the part beyond s on the part before s"}},
    [WY_TENSION] = {.info = {.name = "tension",
                             NUMBER("N"),
                             .label = "tension",
                             .meaning = "axial force: the third component of `force`; negative in compression"},
                    tension},
    [WY_BEND_RADIUS] = {.info = {.name = "bend_radius",
                                 NUMBER("m"),
                                 .unbounded = true,
                                 .label = "bend radius",
                                 .meaning = "1 / bending curvature, without twist; `inf` where the rod is straight"},
                        bend_radius},
    [WY_TWIST] = {.info = {.name = "twist",
                           NUMBER("rad/m"),
                           .label = "twist",
                           .meaning = "rotation about d3 per length: the third component of `curvature`"},
                  twist},
    [WY_CONTACT_LOAD] = {.info = {.name = "contact_load",
                                  VECTOR("N/m"),
                                  IN_CONTACT(load, "contact"),
                                  .label = "contact load",
                                  .meaning = "force per length of all obstacles that touch there, with friction, space "
                                             "axes"}},
    [WY_REACTION_FORCE] = {.info = {.name = "reaction_force",
                                    VECTOR("N"),
                                    .place = WY_AT_ENDS,
                                    .label = "reaction force",
                                    .meaning =
                                        "of the support on the rod, at an end, space axes; 0 in free components"},
                           reaction_force},
    [WY_REACTION_MOMENT] = {.info = {.name = "reaction_moment",
                                     VECTOR("N m"),
                                     .place = WY_AT_ENDS,
                                     .label = "reaction moment",
                                     .meaning =
                                         "of the support on the rod, at an end, space axes; 0 in free components"},
                            reaction_moment},
    [WY_LENGTH] = {.info = {.name = "length",
                            NUMBER("m"),
                            .place = WY_OF_ROD,
                            .label = "length",
                            .meaning = "of the deformed centreline of a rod"},
                   length},
    [WY_GAP] = {.info = {.name = "gap",
                         NUMBER("m"),
                         .place = WY_OF_ROD,
                         IN_CONTACT(gap, "gap"),
                         .label = "gap",
                         .meaning = "smallest of a rod to obstacles, or to one; negative: depth"}},
    [WY_ENERGY] = {.info = {.name = "energy",
                            NUMBER("J"),
                            .place = WY_OF_ALL,
                            IN_ENERGY(total),
                            .label = "energy",
                            .meaning = "kinetic + elastic + gravity + contact of all rods"}},
    [WY_KINETIC] = {.info = {.name = "kinetic",
                             NUMBER("J"),
                             .place = WY_OF_ALL,
                             IN_ENERGY(kinetic),
                             .rests = true,
                             .label = "kinetic",
                             .meaning = "kinetic energy of all rods"}},
    [WY_ELASTIC] = {.info = {.name = "elastic",
                             NUMBER("J"),
                             .place = WY_OF_ALL,
                             IN_ENERGY(elastic),
                             .label = "elastic",
                             .meaning = "elastic energy of all rods"}},
    [WY_GRAVITY] = {.info = {.name = "gravity",
                             NUMBER("J"),
                             .place = WY_OF_ALL,
                             IN_ENERGY(gravity),
                             .label = "gravity",
                             .meaning = "potential energy of gravity of all rods, 0 at the origin"}},
    [WY_WORK] =
        {.info = {.name = "work",
                  NUMBER("J"),
                  .place = WY_OF_ALL,
                  IN_ENERGY(work),
                  .rests = true,
                  .label = "work",
                  .meaning = "of loads, actuators, driven ends and moving obstacles since the start, without gravity"}},
    [WY_DISSIPATED] = {.info = {.name = "dissipated",
                                NUMBER("J"),
                                .place = WY_OF_ALL,
                                IN_ENERGY(dissipated),
                                .rests = true,
                                .label = "dissipated",
                                .meaning =
                                    "by damping, drag, contact, Maxwell branches and released ends since the start"}},
    [WY_CONTACT] = {.info = {.name = "contact",
                             NUMBER("J"),
                             .place = WY_OF_ALL,
                             IN_ENERGY(contact),
                             .touches = true,
                             .label = "contact",
                             .meaning = "energy in the skins of all rods where they are pressed in"}},
    [WY_FRICTION] = {.info = {.name = "friction",
                              NUMBER("J"),
                              .place = WY_OF_ALL,
                              IN_ENERGY(friction),
                              .rests = true,
                              .touches = true,
                              .label = "friction",
                              .meaning = "the part of `dissipated` that friction on obstacles has taken"}},
    [WY_IMPACT] = {.info = {.name = "impact",
                            NUMBER("J"),
                            .place = WY_OF_ALL,
                            IN_ENERGY(impact),
                            .rests = true,
                            .touches = true,
                            .label = "impact",
                            .meaning = "the part of `dissipated` that hits on obstacles have taken"}},
    [WY_LINEAR_MOMENTUM] = {.info = {.name = "linear_momentum",
                                     VECTOR("kg m/s"),
                                     .place = WY_OF_ALL,
                                     IN_MOMENTUM(linear, "linear"),
                                     .rests = true,
                                     .label = "linear momentum",
                                     .meaning = "of all rods, space axes"}},
    [WY_ANGULAR_MOMENTUM] = {.info = {.name = "angular_momentum",
                                      VECTOR("kg m^2/s"),
                                      .place = WY_OF_ALL,
                                      IN_MOMENTUM(angular, "angular"),
                                      .rests = true,
                                      .label = "angular momentum",
                                      .meaning = "of all rods about the origin, space axes"}},
    [WY_CENTRE_OF_MASS] = {.info = {.name = "centre_of_mass",
                                    VECTOR("m"),
                                    .place = WY_OF_ALL,
                                    IN_MOMENTUM(centre_of_mass, NULL),
                                    .label = "centre of mass",
                                    .meaning = "of all rods, space axes"}},
    [WY_HINGE_ANGLE] = {.info = {.name = "angle",
                                 NUMBER("rad"),
                                 .place = WY_OF_JOINT,
                                 .label = "angle",
                                 .meaning =
                                     "of a part of a hinge against the first one: 0 as drawn, whole turns count"}},
    [WY_HINGE_RATE] = {.info = {.name = "rate",
                                NUMBER("rad/s"),
                                .place = WY_OF_JOINT,
                                .rests = true,
                                .label = "rate",
                                .meaning = "how fast the angle of a hinge grows"}},
    [WY_CONTACT_FORCE] = {.info = {.name = "contact_force",
                                   VECTOR("N"),
                                   .place = WY_OF_OBSTACLE,
                                   .touches = true,
                                   .label = "contact force",
                                   .meaning = "of an obstacle on all rods, or on one, with friction, space axes"}},
    [WY_CONTACT_MOMENT] = {.info = {.name = "contact_moment",
                                    VECTOR("N m"),
                                    .place = WY_OF_OBSTACLE,
                                    .touches = true,
                                    .label = "contact moment",
                                    .meaning = "of an obstacle on all rods, or on one, about its position, space "
                                               "axes"}},
    [WY_CONTACT_LENGTH] = {.info = {.name = "contact_length",
                                    NUMBER("m"),
                                    .place = WY_OF_OBSTACLE,
                                    .touches = true,
                                    .label = "contact length",
                                    .meaning = "of all rods, or of one, that touches an obstacle"}},
    [WY_MULTIPLIER] = {.info = {.name = "multiplier",
                                .unit = "N",
                                .components = 6,
                                .letters = "123456",
                                IN_VIEW(multiplier, "multiplier"),
                                .label = "multiplier",
                                .meaning = "multipliers of the orthonormality of directors: 11, 22, 33, 12, 23, 31"}},
};

const wy_quantity_info *wy_quantity_describe(wy_quantity quantity) {
  return quantity < WY_STORED_COUNT ? &rows[quantity].info : NULL;
}

const char *wy_quantity_name(wy_quantity quantity) {
  return quantity < WY_STORED_COUNT ? rows[quantity].info.name : NULL;
}

wy_status wy_probe_view(const wy_view *view, double length, wy_quantity quantity, double s, double out[4],
                        wy_message *message) {
  const wy_quantity_info *info = &rows[quantity].info;
  const wy_reading reading = {view, length, s};
  if (info->place == WY_OF_ALL || info->place == WY_OF_JOINT || info->home == WY_IN_CONTACT)
    return wy_fail(message, WY_ERROR_INPUT, "%s is not a quantity of a place on a rod", info->name);
  if (info->place == WY_AT_ENDS && wy_end_at(length, s) < 0)
    return wy_fail(message, WY_ERROR_INPUT, "a reaction exists at the start or the end of a rod, not at s = %g", s);
  if (rows[quantity].read)
    rows[quantity].read(&reading, out);
  else
    wy_points_at((const wy_points *)((const char *)view + info->offset), s, out);
  return WY_OK;
}

/* Loads are those of segments: none goes on beyond the first and the last middle. */
void wy_probe_contact(const wy_contact_view *view, wy_quantity quantity, double s, double out[4]) {
  const wy_quantity_info *info = &rows[quantity].info;
  assert(info->home == WY_IN_CONTACT);
  for (int k = 0; k < info->components; k++)
    out[k] = info->place == WY_OF_ROD ? (double)INFINITY : 0;
  if (!view)
    return;
  const wy_points *points = (const wy_points *)((const char *)view + info->offset);
  if (info->place == WY_OF_ROD)
    for (int i = 0; i < points->count; i++)
      out[0] = fmin(out[0], points->values[i]);
  else
    wy_points_at(points, fmin(fmax(s, points->s[0]), points->s[points->count - 1]), out);
}
