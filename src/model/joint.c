/* SPDX-License-Identifier: MIT */
/* The definitions of joints and springs, one by one: every value checked, directions of unit length. Whether parts meet
   is for the network (network.c). */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/message.h"
#include "math/vec3.h"
#include "model/parts.h"

/* ---- Ports ---- */

static bool is_among(int number, int count) {
  return number >= 0 && number < count;
}

bool wy_port_end(const wy_model *model, const wy_port *port, wy_end_name *end) {
  const double length = model->rods[port->index].length, near = WY_SAME_PLACE * length;
  *end = port->s <= near ? WY_START : WY_END;
  return port->s <= near || port->s >= length - near;
}

void wy_port_name(const wy_model *model, const wy_port *port, char out[WY_PORT_NAME]) {
  wy_end_name end;
  if (port->kind == WY_PORT_GROUND)
    snprintf(out, WY_PORT_NAME, "ground");
  else if (port->kind == WY_PORT_BODY)
    snprintf(out, WY_PORT_NAME, "%.63s", model->bodies[port->index].name);
  else if (wy_port_end(model, port, &end))
    snprintf(out, WY_PORT_NAME, "%.63s.%s", model->rods[port->index].name, end == WY_START ? "start" : "end");
  else
    snprintf(out, WY_PORT_NAME, "%.63s at s = %.6g", model->rods[port->index].name, port->s);
}

void wy_port_path(const char *list, const char *name, int index, int port, char out[WY_ENTRY_PATH]) {
  char entry[WY_ENTRY_PATH];
  wy_entry_path(list, name, index, entry);
  snprintf(out, WY_ENTRY_PATH, "%.*s.of[%d]", WY_ENTRY_PATH - 20, entry, port);
}

/* The joint or spring under check; its name stands in every path. */
typedef struct subject {
  const wy_model *model;
  const char *list, *name;
  int index;
  wy_message *message;
} subject;

static wy_status refuse(const subject *in, const char *key, const char *format, ...) WY_PRINTF(3, 4);

static wy_status refuse(const subject *in, const char *key, const char *format, ...) {
  char path[128], text[512], entry[WY_ENTRY_PATH];
  wy_entry_path(in->list, in->name, in->index, entry);
  snprintf(path, sizeof path, "%s.%s", entry, key);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return wy_fail_at(in->message, path, "%s", text);
}

#define TRY(call)                                                                                                      \
  do {                                                                                                                 \
    wy_status try_status = (call);                                                                                     \
    if (try_status)                                                                                                    \
      return try_status;                                                                                               \
  } while (0)

static wy_status check_part(const subject *in, const char *key, const wy_port *port) {
  const bool rod = port->kind == WY_PORT_ROD;
  const int count = rod ? in->model->rod_count : in->model->body_count;
  if (count == 0)
    return refuse(in, key, "found %s number %d, and there is none", rod ? "rod" : "body", port->index);
  if (!is_among(port->index, count))
    return refuse(in, key, "found %s number %d; expected 0 to %d", rod ? "rod" : "body", port->index, count - 1);
  const double length = rod ? in->model->rods[port->index].length : 0, near = WY_SAME_PLACE * length;
  if (rod && !(port->s >= -near && port->s <= length + near))
    return refuse(in, key, "found arc length %g on rod %s; expected 0 to its length %g", port->s,
                  in->model->rods[port->index].name, length);
  return WY_OK;
}

static wy_status check_port(const subject *in, int number, const wy_port *port) {
  char key[24];
  snprintf(key, sizeof key, "of[%d]", number);
  if ((int)port->kind < 0 || port->kind > WY_PORT_BODY)
    return refuse(in, key, "found kind number %d; expected one of wy_port_kind", (int)port->kind);
  if (port->kind != WY_PORT_GROUND)
    TRY(check_part(in, key, port));
  for (int i = 0; i < 3; i++)
    if ((port->kind == WY_PORT_BODY || port->placed) && !isfinite(port->point[i]))
      return refuse(in, key, "component %d of the point is not a finite number", i + 1);
  return WY_OK;
}

/* Makes a vector one of unit length. */
static wy_status resolve_direction(const subject *in, const char *key, double direction[3]) {
  const double norm = wy_norm3(direction);
  if (!(isfinite(norm) && norm > 0))
    return refuse(in, key, "found [%g, %g, %g]; expected a direction in space", direction[0], direction[1],
                  direction[2]);
  for (int i = 0; i < 3; i++)
    direction[i] /= norm;
  return WY_OK;
}

static wy_status check_not_negative(const subject *in, const char *key, double value) {
  return isfinite(value) && value >= 0 ? WY_OK
                                       : refuse(in, key, "found %g; expected a number that is not negative", value);
}

/* ---- Joints ---- */

/* The ground and each body are in a joint once; places of rods are compared by the network, over all joints. */
static wy_status check_joint_ports(const subject *in, const wy_joint_def *joint) {
  char key[24], name[WY_PORT_NAME];
  if (joint->port_count < 2 || !joint->ports)
    return refuse(in, "of", "found %d parts%s; expected two or more", joint->port_count,
                  joint->ports || joint->port_count < 1 ? "" : " without an array of them");
  for (int i = 0; i < joint->port_count; i++) {
    const wy_port *port = &joint->ports[i];
    TRY(check_port(in, i, port));
    for (int k = 0; k < i; k++) {
      const wy_port *other = &joint->ports[k];
      if (port->kind == WY_PORT_ROD || other->kind != port->kind ||
          (port->kind == WY_PORT_BODY && other->index != port->index))
        continue;
      snprintf(key, sizeof key, "of[%d]", i);
      wy_port_name(in->model, port, name);
      return refuse(in, key, "found %s a second time; expected different parts", name);
    }
  }
  return WY_OK;
}

static bool has_ground(const wy_joint_def *joint) {
  for (int i = 0; i < joint->port_count; i++)
    if (joint->ports[i].kind == WY_PORT_GROUND)
      return true;
  return false;
}

static wy_status check_position(const subject *in, const wy_joint_def *joint) {
  char key[24];
  for (int i = 0; i < 3; i++) {
    snprintf(key, sizeof key, "position[%d]", i);
    if (joint->position[i] != WY_HELD && joint->position[i] != WY_FREE)
      return refuse(in, key, "found number %d; expected WY_HELD or WY_FREE", (int)joint->position[i]);
    if (joint->position[i] == WY_FREE && joint->kind == WY_HINGE)
      return refuse(in, key, "found free in a hinge; expected a weld or ball with the ground, or WY_HELD");
    if (joint->position[i] == WY_FREE && !has_ground(joint))
      return refuse(in, key, "found free in a joint without the ground; expected WY_HELD");
  }
  return WY_OK;
}

static wy_status check_hinge(const subject *in, wy_joint_def *joint) {
  const double *axis = joint->axis;
  if (joint->kind == WY_HINGE)
    TRY(resolve_direction(in, "axis", joint->axis));
  else if (axis[0] != 0 || axis[1] != 0 || axis[2] != 0)
    return refuse(in, "axis", "found [%g, %g, %g] in a %s; expected an axis in hinges only", axis[0], axis[1], axis[2],
                  joint->kind == WY_WELD ? "weld" : "ball");
  if (joint->has_angle && joint->kind != WY_HINGE)
    return refuse(in, "angle", "found an angle in a %s; expected one in hinges only",
                  joint->kind == WY_WELD ? "weld" : "ball");
  const double angle = wy_signal_value(&joint->angle, 0, 0);
  if (joint->has_angle && !(fabs(angle) <= 1e-9))
    return refuse(in, "angle", "found %g at t = 0; expected 0, since the angle is measured from how parts are drawn",
                  angle);
  return WY_OK;
}

static wy_status check_joint_spring(const subject *in, const wy_joint_def *joint) {
  TRY(check_not_negative(in, "spring.stiffness", joint->stiffness));
  TRY(check_not_negative(in, "spring.damping", joint->damping));
  if (!isfinite(joint->rest_angle))
    return refuse(in, "spring.angle", "found %g; expected a finite number", joint->rest_angle);
  if (joint->has_spring && joint->kind == WY_WELD)
    return refuse(in, "spring", "found a spring in a weld; expected one in a hinge or ball");
  if (!joint->has_spring && (joint->stiffness > 0 || joint->damping > 0))
    return refuse(in, "spring", "found stiffness %g and damping %g, but has_spring is false; expected true",
                  joint->stiffness, joint->damping);
  if (joint->kind != WY_HINGE && joint->rest_angle != 0)
    return refuse(in, "spring.angle", "found %g; expected an angle in hinges only", joint->rest_angle);
  return WY_OK;
}

static wy_status check_weld(const subject *in, wy_joint_def *joint) {
  if ((int)joint->rotation < 0 || joint->rotation > WY_WELD_TURNED)
    return refuse(in, "rotation", "found number %d; expected one of wy_weld_rotation", (int)joint->rotation);
  if (joint->rotation == WY_WELD_DRAWN)
    return WY_OK;
  if (joint->kind != WY_WELD || joint->port_count != 2)
    return refuse(in, "rotation", "found a rotation in a %s of %d parts; expected a weld of two",
                  joint->kind == WY_WELD   ? "weld"
                  : joint->kind == WY_BALL ? "ball"
                                           : "hinge",
                  joint->port_count);
  if (!joint->assemble)
    return refuse(in, "rotation", "found a rotation that parts do not have as drawn; set assemble to bring them there");
  if (joint->rotation == WY_WELD_EQUAL)
    return WY_OK;
  if (!isfinite(joint->turn_angle))
    return refuse(in, "rotation.angle", "found %g; expected a finite number", joint->turn_angle);
  return resolve_direction(in, "rotation.axis", joint->turn_axis);
}

wy_status wy_joint_resolve(const wy_model *model, wy_joint_def *joint, int index, wy_message *message) {
  const subject in = {model, "joints", joint->name, index, message};
  if ((int)joint->kind < 0 || joint->kind > WY_HINGE)
    return refuse(&in, "kind", "found number %d; expected weld, ball or hinge", (int)joint->kind);
  TRY(check_joint_ports(&in, joint));
  TRY(check_position(&in, joint));
  TRY(check_hinge(&in, joint));
  TRY(check_joint_spring(&in, joint));
  TRY(check_weld(&in, joint));
  if (!(joint->release > 0))
    return refuse(&in, "release", "found %g; expected a positive time", joint->release);
  return WY_OK;
}

/* ---- Springs ---- */

static bool is_same_part(const wy_port *a, const wy_port *b) {
  return a->kind == b->kind && (a->kind == WY_PORT_GROUND || a->index == b->index);
}

static wy_status check_spring_ports(const subject *in, const wy_spring_def *spring) {
  const wy_port *a = &spring->ports[0], *b = &spring->ports[1];
  TRY(check_port(in, 0, a));
  TRY(check_port(in, 1, b));
  if (!is_same_part(a, b))
    return WY_OK;
  if (a->kind == WY_PORT_GROUND)
    return refuse(in, "of", "found the ground twice; expected a rod or body");
  if (a->kind == WY_PORT_BODY)
    return refuse(in, "of", "found two points of body %s, whose distance is fixed; expected different parts",
                  in->model->bodies[a->index].name);
  if (fabs(a->s - b->s) <= WY_SAME_PLACE * in->model->rods[a->index].length)
    return refuse(in, "of[1]", "found one place of rod %s twice; expected different places",
                  in->model->rods[a->index].name);
  return WY_OK;
}

wy_status wy_spring_resolve(const wy_model *model, wy_spring_def *spring, int index, wy_message *message) {
  const subject in = {model, "springs", spring->name, index, message};
  if ((int)spring->kind < 0 || spring->kind > WY_CABLE)
    return refuse(&in, "kind", "found number %d; expected spring or cable", (int)spring->kind);
  TRY(check_spring_ports(&in, spring));
  if (!(isfinite(spring->stiffness) && spring->stiffness > 0))
    return refuse(&in, "stiffness", "found %g; expected a positive number", spring->stiffness);
  TRY(check_not_negative(&in, "length", spring->length));
  return check_not_negative(&in, "damping", spring->damping);
}
