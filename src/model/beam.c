/* SPDX-License-Identifier: MIT */
#include "model/beam.h"

#include <assert.h>
#include <math.h>

#include "math/quat.h"
#include "model/network.h"

static const double pi = 3.14159265358979323846;

/* The end on its hub that a joint holds; NULL if none does. */
static const wy_hub_end *joined(const wy_model *model, int rod, int end) {
  const int number = wy_network_end(model, rod, (wy_end_name)end);
  const wy_hub_end *at = number < 0 ? NULL : &wy_model_network(model)->ends[number];
  return at && at->joint >= 0 ? at : NULL;
}

bool wy_end_holds(const wy_model *model, int rod, int end, int director) {
  const wy_rod_def *def = wy_model_rod(model, rod);
  double position[3], frame[4], r[9], part = 0;
  int held = 0;
  assert(def && director >= 0 && director < 3);
  if (joined(model, rod, end))
    return true;
  for (int i = 0; i < 3; i++)
    held += def->ends[end].position[i] != WY_FREE;
  if (held == 0 || held == 3) /* whichever way it points */
    return held == 3;
  wy_model_reference(model, rod, end ? def->length : 0, position, frame);
  wy_qmatrix(frame, r);
  for (int i = 0; i < 3; i++)
    part += def->ends[end].position[i] != WY_FREE ? r[3 * i + director] * r[3 * i + director] : 0;
  return part > 0.5;
}

wy_beam_end wy_end_in_plane(const wy_model *model, int rod, int end, int plane) {
  const wy_hub_end *at = joined(model, rod, end);
  const bool slope = wy_model_rod(model, rod)->ends[end].rotation != WY_FREE || (at && at->turns);
  return (wy_beam_end)((wy_end_holds(model, rod, end, plane) ? WY_BEAM_PINNED : 0) | (slope ? WY_BEAM_GUIDED : 0));
}

/* The pairs of supports fall into six frequency equations; a beam and its mirror or dual image share one. */
typedef enum equation { COS_IS_PLUS, COS_IS_MINUS, TAN_IS_TANH, TAN_IS_MINUS_TANH, SINE, COSINE } equation;

static equation equation_of(wy_beam_end a, wy_beam_end b) {
  static const equation table[4][4] = {/*            free               pinned       guided             clamped */
                                       /* free */ {COS_IS_PLUS, TAN_IS_TANH, TAN_IS_MINUS_TANH, COS_IS_MINUS},
                                       /* pinned */ {TAN_IS_TANH, SINE, COSINE, TAN_IS_TANH},
                                       /* guided */ {TAN_IS_MINUS_TANH, COSINE, SINE, TAN_IS_MINUS_TANH},
                                       /* clamped */ {COS_IS_MINUS, TAN_IS_TANH, TAN_IS_MINUS_TANH, COS_IS_PLUS}};
  return table[a][b];
}

const char *wy_beam_end_name(wy_beam_end end) {
  static const char *const names[] = {"free", "pinned", "guided", "clamped"};
  assert(end <= WY_BEAM_CLAMPED);
  return names[end];
}

const char *wy_bending_equation(wy_beam_end start, wy_beam_end end) {
  static const char *const texts[] = {"cos(x)*cosh(x) = 1", "cos(x)*cosh(x) = -1", "tan(x) = tanh(x)",
                                      "tan(x) = -tanh(x)",  "sin(x) = 0",          "cos(x) = 0"};
  return texts[equation_of(start, end)];
}

/* The equations divided by cosh, so that they stay bounded. */
static double residual(equation kind, double x) {
  switch (kind) {
  case COS_IS_PLUS:
    return cos(x) - 1 / cosh(x);
  case COS_IS_MINUS:
    return cos(x) + 1 / cosh(x);
  case TAN_IS_TANH:
    return sin(x) - tanh(x) * cos(x);
  case TAN_IS_MINUS_TANH:
    return sin(x) + tanh(x) * cos(x);
  case SINE:
    return sin(x);
  default:
    return cos(x);
  }
}

double wy_bending_root(wy_beam_end start, wy_beam_end end, int n) {
  equation kind = equation_of(start, end);
  static const double offset[] = {0.5, -0.5, 0.25, -0.25, 0, -0.5};
  double low = (n + offset[kind] - 0.2) * pi, high = (n + offset[kind] + 0.2) * pi;
  double sign = residual(kind, low) > 0 ? 1 : -1;
  for (double middle = 0.5 * (low + high); middle > low && middle < high; middle = 0.5 * (low + high)) {
    if (sign * residual(kind, middle) > 0)
      low = middle;
    else
      high = middle;
  }
  return 0.5 * (low + high);
}
