/* SPDX-License-Identifier: MIT */
/* Is the grid fine enough? How far pieces turn against each other, and how many waves they resolve. */
#include <math.h>
#include <stdio.h>

#include "judge/subject.h"

static const double pi = 3.14159265358979323846;
static const double degrees = 180 / 3.14159265358979323846;

double wy_subject_load_moment(const wy_subject *in, double lever) {
  enum { TIMES = 200 };
  double total[TIMES + 1] = {0}, largest = 0;
  for (int i = 0; i < wy_model_load_count(in->model); i++) {
    const wy_load_def *load = wy_model_load(in->model, i);
    double span = load->place == WY_ALONG ? load->to - load->from : 1;
    double s = load->place == WY_ALONG ? 0.5 * (load->from + load->to) : load->from;
    for (int k = 0; load->rod == in->index && k <= TIMES; k++) {
      double t = in->end * k / TIMES, force = 0, moment = 0;
      for (int c = 0; c < 3; c++) {
        force += pow(wy_signal_value(&load->force[c], s, t), 2);
        moment += pow(wy_signal_value(&load->moment[c], s, t), 2);
      }
      total[k] += span * (sqrt(moment) + sqrt(force) * lever);
    }
  }
  for (int k = 0; k <= TIMES; k++)
    largest = fmax(largest, total[k]);
  return largest;
}

/* Largest turn from one segment to the next: undeformed and by the initial twist. */
static double largest_turn(const wy_subject *in) {
  const wy_rod_def *rod = in->rod;
  double s = 0, largest = 0;
  for (int i = 0; i < rod->segments; i++) {
    double h = wy_segment_length(rod, i), squared = 0;
    for (int k = 0; k < 3; k++)
      squared += pow(wy_signal_value(&rod->shape.curvature[k], s, 0), 2);
    double twist = wy_signal_value(&rod->initial.twist, s + h, 0) - wy_signal_value(&rod->initial.twist, s, 0);
    largest = fmax(largest, sqrt(squared) * h + fabs(twist));
    s += h;
  }
  return largest;
}

/* Beyond what the scheme carries a piece is too soft, or the result coarse. A run measures it. */
static void judge_limited_turn(const wy_subject *in, const char *cause, double angle) {
  const wy_scheme_info *info = &in->info;
  const int pieces = in->rod->segments;
  const bool one = pieces == 1;
  char kind[32] = "", remedy[60];
  if (info->nodes_per_piece > 0 && info->orders[0] > 0)
    snprintf(kind, sizeof kind, " of order %d", info->nodes_per_piece);
  wy_say(in, cause, "%.3g rad per %s%s", angle, info->piece, angle > info->turn_limit ? ": too much" : "");
  snprintf(remedy, sizeof remedy, "use %.0f or more", ceil(pieces * angle / info->turn_limit));
  if (angle > info->turn_limit && angle < 1e4)
    wy_warn(in,
            &(wy_doubt){.code = "turn",
                        .key = ".segments",
                        .value = angle,
                        .limit = info->turn_limit,
                        .remedy = remedy,
                        .expected = true},
            "%d %s%s%s turn%s up to %.3g rad%s (%s), more than the %.3g rad that %s", pieces, info->piece,
            one ? "" : "s", kind, one ? "s" : "", angle, one ? "" : " each", cause, info->turn_limit, info->carrier);
}

/* More than 25 degrees from segment to segment is coarse; 12 is fine. */
static void judge_turn(const wy_subject *in, const char *cause, double angle) {
  double most = 25 / degrees, fine = 12 / degrees;
  if (in->info.turn_limit > 0) {
    judge_limited_turn(in, cause, angle);
    return;
  }
  wy_say(in, cause, "%.3g degrees per segment%s", angle * degrees, angle > most ? ": coarse" : "");
  char remedy[60];
  snprintf(remedy, sizeof remedy, "use %.0f or more", ceil(in->rod->segments * angle / fine));
  if (angle > most && angle < 1e4)
    wy_warn(in, &(wy_doubt){.code = "coarse", .key = ".segments", .value = angle, .limit = most, .remedy = remedy},
            "%d turns up to %.0f degrees per segment (%s)", in->rod->segments, angle * degrees, cause);
}

void wy_check_resolution(wy_subject *in) {
  const wy_section_values *v = &in->section;
  double bending = in->long_term * fmin(v->stiffness[3], v->stiffness[4]),
         moment = wy_subject_load_moment(in, in->length);
  double turn = largest_turn(in), h = in->length / in->rod->segments;
  /* Bent out between its ends by slack e: y = A (1 - cos(2 pi x/L))/2 of a clamped rod has k = 4 pi sqrt(e)/L at most.
   */
  double pushed = in->slack > 0 && !in->cable ? 4 * pi * sqrt(fmin(in->slack, 1)) / in->length : 0;
  if (turn > 0)
    judge_turn(in, "undeformed and twisted", turn);
  if (in->sag > 0)
    judge_turn(in, "bent by gravity", in->sag * h);
  if (in->swing > 0 && in->info.turn_limit > 0)
    judge_turn(in, "swinging in gravity", in->swing * h);
  if (pushed > 0)
    judge_turn(in, "bent by its ends", pushed * h);
  if (in->pull > 0)
    judge_turn(in, "bent by actuators", in->pull * h);
  if (moment > 0)
    wy_say(in, "bent by loads", "%.3g degrees per %s at most (|M| + |F|*L <= %.3g N m)", moment / bending * h * degrees,
           in->info.piece, moment);
  const int modes = (int)(in->rod->segments * in->info.nodes_per_piece / 5.0 + 0.5);
  wy_say(in, "bending waves", "about %d mode%s 10 %ss or more per wave", modes, modes == 1 ? " has" : "s have",
         in->info.node);
}
