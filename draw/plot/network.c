/* SPDX-License-Identifier: MIT */
#include "draw/plot/network.h"

#include <math.h>
#include <string.h>

enum { ROUND = 48, SAG = 16, TEETH = 8, HALVINGS = 40 };

static const double turn = 6.283185307179586;
static const double lead = 0.15, tooth = 0.06; /* straight ends of a zigzag and its half width, over its length */

static void put(FILE *out, const double x[3]) {
  fprintf(out, "%.7g %.7g %.7g\n", x[0], x[1], x[2]);
}

/* ---- Bodies ---- */

/* A point of the solid, in half extents along its axes. */
static void put_corner(FILE *out, const wy_plot_body *body, const double *centre, double x, double y, double z) {
  double axes[4], at[3] = {x * body->solid.half[0], y * body->solid.half[1], z * body->solid.half[2]};
  wy_turn_product(body->frame, body->solid.turn, axes);
  wy_turn_vector(axes, at, at);
  for (int c = 0; c < 3; c++)
    at[c] += centre[c];
  put(out, at);
}

static void put_box(FILE *out, const wy_plot_body *body, const double *centre) {
  static const int round[5][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}};
  for (int side = -1; side <= 1; side += 2) {
    for (int k = 0; k < 5; k++)
      put_corner(out, body, centre, round[k][0], round[k][1], side);
    fputs("\n", out);
  }
  for (int k = 0; k < 4; k++) {
    put_corner(out, body, centre, round[k][0], round[k][1], -1);
    put_corner(out, body, centre, round[k][0], round[k][1], 1);
    fputs("\n", out);
  }
}

static void put_cylinder(FILE *out, const wy_plot_body *body, const double *centre) {
  for (int side = -1; side <= 1; side += 2) {
    for (int k = 0; k <= ROUND; k++)
      put_corner(out, body, centre, cos(turn * k / ROUND), sin(turn * k / ROUND), side);
    fputs("\n", out);
  }
  for (int k = 0; k < ROUND; k += ROUND / 4) {
    put_corner(out, body, centre, cos(turn * k / ROUND), sin(turn * k / ROUND), -1);
    put_corner(out, body, centre, cos(turn * k / ROUND), sin(turn * k / ROUND), 1);
    fputs("\n", out);
  }
}

/* As it is seen along an axis of space. */
static void put_sphere(FILE *out, const wy_plot_body *body, const double *centre, int axis) {
  for (int k = 0; k <= ROUND; k++) {
    double at[3] = {centre[0], centre[1], centre[2]};
    at[(axis + 1) % 3] += body->solid.half[0] * cos(turn * k / ROUND);
    at[(axis + 2) % 3] += body->solid.half[0] * sin(turn * k / ROUND);
    put(out, at);
  }
  fputs("\n", out);
}

static void put_body(FILE *out, const wy_plot_body *body, int axis) {
  const double *centre = body->position + 3 * (size_t)(body->count - 1);
  if (body->solid.shape == WY_BODY_SPHERE)
    put_sphere(out, body, centre, axis);
  else if (body->solid.shape == WY_BODY_CYLINDER)
    put_cylinder(out, body, centre);
  else
    put_box(out, body, centre);
}

/* ---- Springs ---- */

/* Seen along an axis, its teeth are in the plane of the picture. */
static void put_zigzag(FILE *out, const wy_plot_spring *spring, int axis) {
  const double *a = spring->ends[0], *b = spring->ends[1];
  int first = (axis + 1) % 3, second = (axis + 2) % 3;
  double x = b[first] - a[first], y = b[second] - a[second], seen = hypot(x, y);
  double width = tooth * (spring->length > 0 ? spring->length : seen);
  put(out, a);
  for (int k = -1; k <= 2 * TEETH; k++) {
    double part = lead + (1 - 2 * lead) * fmin(fmax((k + 0.5) / (2 * TEETH), 0), 1), at[3];
    double aside = k < 0 || k == 2 * TEETH || seen == 0 ? 0 : k % 2 ? -width : width;
    for (int c = 0; c < 3; c++)
      at[c] = a[c] + part * (b[c] - a[c]);
    at[first] -= seen > 0 ? aside * y / seen : 0;
    at[second] += seen > 0 ? aside * x / seen : 0;
    put(out, at);
  }
  put(out, b);
  fputs("\n", out);
}

/* Point i of a line between the ends that hangs down by `sag` in its middle. */
static void hanging(const wy_plot_spring *spring, const double down[3], double sag, int i, double out[3]) {
  double u = (double)i / SAG;
  for (int c = 0; c < 3; c++)
    out[c] = spring->ends[0][c] + u * (spring->ends[1][c] - spring->ends[0][c]) + 4 * sag * u * (1 - u) * down[c];
}

static double hanging_length(const wy_plot_spring *spring, const double down[3], double sag) {
  double sum = 0, before[3], at[3];
  hanging(spring, down, sag, 0, before);
  for (int i = 1; i <= SAG; i++) {
    hanging(spring, down, sag, i, at);
    sum += hypot(hypot(at[0] - before[0], at[1] - before[1]), at[2] - before[2]);
    memcpy(before, at, sizeof at);
  }
  return sum;
}

/* As long as it is where it is slack, else straight. */
static double find_sag(const wy_plot_spring *spring, const double down[3]) {
  double low = 0, high = hanging_length(spring, down, 0) < spring->length ? spring->length : 0;
  for (int k = 0; k < HALVINGS && high > 0; k++) {
    double middle = (low + high) / 2;
    *(hanging_length(spring, down, middle) < spring->length ? &low : &high) = middle;
  }
  return (low + high) / 2;
}

static void put_cable(FILE *out, const wy_plot_spring *spring, const double down[3]) {
  double sag = find_sag(spring, down), at[3];
  for (int i = 0; i <= SAG; i++) {
    hanging(spring, down, sag, i, at);
    put(out, at);
  }
  fputs("\n", out);
}

/* ---- The picture ---- */

static bool has_paths(const wy_plot_run *run) {
  return run->body_count > 0 && run->bodies[0].count > 2;
}

void wy_plot_network_data(FILE *out, const wy_plot_run *run) {
  for (int axis = 0; axis < 3 && run->body_count + run->spring_count > 0; axis++) {
    fprintf(out, "# bodies and springs as seen along %c: lines of points x y z\n$parts%d << EOD\n", "xyz"[axis], axis);
    for (int i = 0; i < run->body_count; i++)
      put_body(out, &run->bodies[i], axis);
    for (int i = 0; i < run->spring_count; i++) {
      if (run->springs[i].cable)
        put_cable(out, &run->springs[i], run->down);
      else
        put_zigzag(out, &run->springs[i], axis);
    }
    fputs("EOD\n", out);
  }
  if (has_paths(run)) {
    fputs("# paths of bodies: lines of points x y z\n$paths << EOD\n", out);
    for (int i = 0; i < run->body_count; i++, fputs("\n", out))
      for (int k = 0; k < run->bodies[i].count; k++)
        put(out, run->bodies[i].position + 3 * (size_t)k);
    fputs("EOD\n", out);
  }
  if (run->joint_count > 0) {
    fputs("# joints: x y z, and the type of the point\n$joints << EOD\n", out);
    for (int i = 0; i < run->joint_count; i++) {
      const double *x = run->joints[i].position;
      fprintf(out, "%.7g %.7g %.7g %d\n", x[0], x[1], x[2], run->joints[i].hinge ? 4 : 6);
    }
    fputs("EOD\n", out);
  }
}

wy_range wy_plot_network_extent(const wy_plot_run *run, wy_range extent, int axis) {
  for (int i = 0; i < run->body_count; i++) {
    const wy_plot_body *body = &run->bodies[i];
    wy_range own = wy_range_widen(wy_range_empty(), body->position + axis, body->count, 3);
    double ends[2] = {own.low - body->solid.reach, own.high + body->solid.reach};
    extent = wy_range_widen(extent, ends, 2, 1);
  }
  for (int i = 0; i < run->spring_count; i++) {
    const wy_plot_spring *spring = &run->springs[i];
    for (int k = 0; k <= SAG; k += SAG / 2) {
      double at[3];
      hanging(spring, run->down, spring->cable ? find_sag(spring, run->down) : 0, k, at);
      extent = wy_range_widen(extent, at + axis, 1, 3);
    }
  }
  return extent;
}

void wy_plot_network_curves(const wy_page *p, const wy_plot_run *run, int across, int up) {
  int x = across + 1, y = up + 1, axis = 3 - across - up;
  if (has_paths(run))
    fprintf(p->out, ", \\\n       $paths using %d:%d with lines lc rgb '%s' lw 0.8 notitle", x, y, wy_soft);
  if (run->body_count + run->spring_count > 0)
    fprintf(p->out, ", \\\n       $parts%d using %d:%d with lines lc rgb '%s' lw 1.4 notitle", axis, x, y, wy_ink);
  if (run->joint_count > 0)
    fprintf(p->out, ", \\\n       $joints using %d:%d:4 with points pt variable ps 0.8 lw 1.4 lc rgb '%s' notitle", x,
            y, wy_ink);
}
