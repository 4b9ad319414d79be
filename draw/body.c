/* SPDX-License-Identifier: MIT */
#include "draw/body.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 10 };                /* each squares the error */
static const double thinnest = 0.02; /* of the largest extent: a plate without thickness is seen, too */

void wy_turn_vector(const double q[4], const double in[3], double out[3]) {
  /* a + w t + v x t with t = 2 v x a */
  const double w = q[0], *v = q + 1, a[3] = {in[0], in[1], in[2]};
  double t[3] = {2 * (v[1] * a[2] - v[2] * a[1]), 2 * (v[2] * a[0] - v[0] * a[2]), 2 * (v[0] * a[1] - v[1] * a[0])};
  out[0] = a[0] + w * t[0] + v[1] * t[2] - v[2] * t[1];
  out[1] = a[1] + w * t[1] + v[2] * t[0] - v[0] * t[2];
  out[2] = a[2] + w * t[2] + v[0] * t[1] - v[1] * t[0];
}

void wy_turn_product(const double a[4], const double b[4], double out[4]) {
  double product[4] = {
      a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
      a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
  memcpy(out, product, sizeof product);
}

/* ---- The box of the same inertia ---- */

/* One rotation of Jacobi's method: the axis p and the next one, r, are turned in their plane, by at most pi/4, so that
   A[p][r] becomes 0. */
static void rotate(double A[3][3], double turn[4], int p) {
  int r = (p + 1) % 3, other = (p + 2) % 3;
  if (A[p][r] == 0)
    return;
  double angle = 0.5 * atan(2 * A[p][r] / (A[p][p] - A[r][r])), c = cos(angle), s = sin(angle);
  for (int k = 0; k < 3; k++) {
    double x = A[k][p], y = A[k][r];
    A[k][p] = c * x + s * y;
    A[k][r] = c * y - s * x;
  }
  for (int k = 0; k < 3; k++) {
    double x = A[p][k], y = A[r][k];
    A[p][k] = c * x + s * y;
    A[r][k] = c * y - s * x;
  }
  double step[4] = {cos(angle / 2), 0, 0, 0};
  step[1 + other] = sin(angle / 2);
  wy_turn_product(turn, step, turn);
}

/* A box of mass m and sides a, b, c has the inertia m (b^2 + c^2)/12, ... */
static void find_box(const wy_body_def *body, wy_solid *out) {
  const double *J = body->inertia;
  double A[3][3] = {{J[0], J[3], J[4]}, {J[3], J[1], J[5]}, {J[4], J[5], J[2]}}, largest = 0;
  for (int round = 0; round < ROUNDS; round++)
    for (int p = 0; p < 3; p++)
      rotate(A, out->turn, p);
  for (int c = 0; c < 3; c++) {
    double square = A[(c + 1) % 3][(c + 1) % 3] + A[(c + 2) % 3][(c + 2) % 3] - A[c][c];
    out->half[c] = square > 0 && body->mass > 0 ? sqrt(1.5 * square / body->mass) : 0;
    largest = fmax(largest, out->half[c]);
  }
  for (int c = 0; c < 3; c++)
    out->half[c] = fmax(out->half[c], thinnest * largest);
}

wy_solid wy_solid_of(const wy_body_def *body) {
  wy_solid out = {.shape = body->shape == WY_BODY_SHAPELESS ? WY_BODY_BOX : body->shape, .turn = {1, 0, 0, 0}};
  const double *size = body->dimensions, *half = out.half;
  if (body->shape == WY_BODY_SHAPELESS)
    find_box(body, &out);
  for (int c = 0; c < 3 && body->shape != WY_BODY_SHAPELESS; c++)
    out.half[c] = body->shape == WY_BODY_BOX                  ? size[c] / 2
                  : body->shape == WY_BODY_CYLINDER && c == 2 ? size[1] / 2
                                                              : size[0];
  out.reach = out.shape == WY_BODY_SPHERE     ? half[0]
              : out.shape == WY_BODY_CYLINDER ? hypot(half[0], half[2])
                                              : hypot(hypot(half[0], half[1]), half[2]);
  return out;
}

/* ---- Ports ---- */

void wy_port_rest(const wy_model *model, const wy_port *ports, int count, int port, double position[3],
                  double frame[4]) {
  static const double none[4] = {1, 0, 0, 0};
  const wy_port *at = &ports[port];
  for (int i = 0; i < count && at->kind == WY_PORT_GROUND && !at->placed; i++)
    if (ports[i].kind != WY_PORT_GROUND || ports[i].placed)
      at = &ports[i];
  memcpy(position, at->point, sizeof at->point);
  memcpy(frame, none, sizeof none);
  if (at->kind == WY_PORT_ROD)
    wy_model_reference(model, at->index, at->s, position, frame);
  if (at->kind == WY_PORT_BODY) {
    const wy_body_def *body = wy_model_body(model, at->index);
    double length = 0;
    for (int c = 0; c < 4; c++)
      length += body->frame[c] * body->frame[c];
    for (int c = 0; c < 4; c++)
      frame[c] = body->frame[c] / sqrt(length);
    wy_turn_vector(frame, at->point, position);
    for (int c = 0; c < 3; c++)
      position[c] += body->origin[c];
  }
  if (ports[port].kind == WY_PORT_GROUND)
    memcpy(frame, none, sizeof none);
}
