/* SPDX-License-Identifier: MIT */
#include "judge/judge.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

void wy_judgement_add(wy_judgement *self, const wy_finding *finding) {
  self->count++;
  if (finding->severity > self->worst.severity)
    self->worst = *finding;
  int used = self->count <= self->room ? self->count - 1 : self->room, place = used;
  while (place > 0 && self->list[place - 1].severity < finding->severity)
    place--;
  if (place >= self->room)
    return;
  for (int i = used < self->room ? used : self->room - 1; i > place; i--)
    self->list[i] = self->list[i - 1];
  self->list[place] = *finding;
}

bool wy_judge_above(wy_finding *finding, const char *code, double value, double doubtful, double wrong) {
  assert(doubtful <= wrong);
  if (!(value > doubtful))
    return false;
  finding->severity = value > wrong ? WY_WRONG : WY_WARNING;
  finding->code = code;
  finding->value = value;
  finding->limit = value > wrong ? wrong : doubtful;
  return true;
}

void wy_judge_text(wy_finding *finding, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(finding->text, sizeof finding->text, format, arguments);
  va_end(arguments);
}

void wy_judge_remedy(wy_finding *finding, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(finding->remedy, sizeof finding->remedy, format, arguments);
  va_end(arguments);
}

int wy_finding_line(const wy_finding *finding, char *out, size_t size) {
  if (!finding || !out)
    return 0;
  return snprintf(out, size, "%s%s%s%s%s", finding->path, finding->path[0] ? ": " : "", finding->text,
                  finding->remedy[0] ? "; " : "", finding->remedy);
}

static const wy_rod_def *rod_of(const wy_judged *self) {
  return wy_model_rod(self->model, self->rod);
}

static int pieces_of(const wy_judged *self) {
  const wy_system *system = self->integrator->system;
  int pieces = 0;
  for (int i = 0; i < wy_part_count(system); i++)
    pieces += wy_model_rod(self->model, wy_part(system, i)->rod)->segments;
  return pieces;
}

/* Pieces that turned further than the scheme carries. */
static bool judge_turn(const wy_judged *self, wy_finding *finding) {
  if (!self->scheme->turns)
    return false;
  const wy_rod_def *rod = rod_of(self);
  const wy_system *system = self->integrator->system;
  const int pieces = pieces_of(self);
  const wy_turn_limits limits = self->scheme->turns(self->solver);
  const double turn = self->statistics.piece_turn;
  const char *piece = self->scheme->piece;
  if (!(turn > 1))
    return false;
  finding->severity = turn > limits.snaps ? WY_WRONG : WY_WARNING;
  finding->code = turn > limits.torn ? "torn" : "turn";
  finding->value = turn * limits.carried;
  finding->limit = limits.carried;
  finding->when = self->statistics.piece_turn_time;
  wy_judge_text(finding,
                "%s '%s': %s %d %s%s turns by up to %.3g rad (first at t = %.6g by more than the %.3g rad that the %s "
                "carries): %s",
                wy_system_noun(system), rod->name, pieces == 1 ? "its" : "one of its", pieces, piece,
                pieces == 1 ? "" : "s", turn * limits.carried, self->statistics.piece_turn_time, limits.carried,
                isfinite(limits.snaps) ? "interpolation" : "scheme",
                !isfinite(limits.snaps) ? "the result is coarse"
                : turn > limits.snaps   ? "it has lost its stiffness, and the result is wrong"
                                        : "the result is too soft");
  if (system->parts)
    wy_judge_remedy(finding, "use %.2g times as many %ss (segments) where it bends most", turn, piece);
  else
    wy_judge_remedy(finding, "use %.0f %ss or more (rods.%s.segments)", ceil(pieces * turn), piece, rod->name);
  return true;
}

/* Strains are unknowns beside positions and frames, and nothing but accuracy keeps them together. While they differ by
   less than a fifth in every segment, the tips of the published falling rod and of a cantilever that falls on its clamp
   are right to half a percent of the length. Where they differ by as much as the rod is long they have nothing to do
   with each other. */
static bool judge_compatibility(const wy_judged *self, wy_finding *finding) {
  const wy_rod_def *rod = rod_of(self);
  const double drift = self->statistics.compatibility_drift, doubtful = 0.2, wrong = 1;
  if (!wy_judge_above(finding, "compatibility", drift, doubtful, wrong))
    return false;
  wy_judge_text(
      finding,
      "rod '%s': its strains and its positions differ by up to %.2g: they no longer describe the same rod, which "
      "the energy does not show",
      rod->name, drift);
  wy_judge_remedy(finding, "use more segments (rods.%s.segments)%s", rod->name,
                  self->solver->conserving.order == 4 ? "" : " or solver.order: 4");
  return true;
}

/* Where every other node goes its own way, most of what is seen between neighbours is not the rod: 0.8 to 1 with an
   even number of segments and order 2, at most 0.13 where the grids keep together. */
static bool judge_sawtooth(const wy_judged *self, wy_finding *finding) {
  const wy_rod_def *rod = rod_of(self);
  const double sawtooth = self->statistics.sawtooth, doubtful = 0.5;
  const bool fourth = self->solver->conserving.order == 4;
  if (!wy_judge_above(finding, "sawtooth", sawtooth, doubtful, (double)INFINITY))
    return false;
  wy_judge_text(
      finding,
      "rod '%s': up to %.0f %% of what its strains change from node to node is a sawtooth: even and odd nodes have "
      "come apart",
      rod->name, 100 * sawtooth);
  wy_judge_remedy(finding, "use %s segments (rods.%s.segments)%s",
                  fourth || rod->segments % 2 == 1 ? "more" : "an odd number of", rod->name,
                  fourth ? "" : " or solver.order: 4");
  return true;
}

/* The curvatures of a box rod and its velocities say where it is, each for itself (B10). The built-in scenarios and a
   cantilever of 10 cells that falls under its weight stay within 0.03 of the length and have the right motion; steps or
   cells that miss it go beyond 0.05. By half its length it is at two places. */
static bool judge_position(const wy_judged *self, wy_finding *finding) {
  const wy_rod_def *rod = rod_of(self);
  const double drift = self->statistics.position_drift, doubtful = 0.05, wrong = 0.5;
  if (!wy_judge_above(finding, "position", drift, doubtful, wrong))
    return false;
  wy_judge_text(
      finding,
      "rod '%s': its curvatures and its velocities put it up to %.2g of its length apart: the motion is %s, and an "
      "end that is held or driven may be off its place",
      rod->name, drift, drift > wrong ? "wrong" : "coarse");
  wy_judge_remedy(finding, "use more cells (rods.%s.segments) or a smaller solver.step", rod->name);
  return true;
}

/* What projection, multipliers or Baumgarte's terms leave of strains that the model holds at zero. */
static bool judge_strain(const wy_judged *self, wy_finding *finding) {
  const wy_rod_def *rod = rod_of(self);
  const double strain = self->statistics.strain_drift, doubtful = 1e-3, wrong = 1e-2;
  if (!wy_judge_above(finding, "constraint", strain, doubtful, wrong))
    return false;
  wy_judge_text(finding, "%s '%s': strains that its model holds at zero are up to %.2g: the constraints are not met",
                wy_system_noun(self->integrator->system), rod->name, strain);
  wy_judge_remedy(finding, "try %s",
                  self->integrator->type->info->fixed_step ? "a smaller solver.step" : "a smaller solver.tolerance");
  return true;
}

static bool judge_options(const wy_judged *self, wy_finding *finding) {
  const wy_option_type *options = wy_scheme_options(self->scheme);
  return !self->resting && options->doubt && options->doubt(rod_of(self), self->solver, finding);
}

void wy_judge_rod(const wy_judged *self, wy_judgement *findings) {
  static const struct {
    bool (*rule)(const wy_judged *, wy_finding *);
    bool of_group;
  } rules[] = {{judge_turn, true},       {wy_judge_energy, true},  {judge_compatibility, true},
               {judge_sawtooth, true},   {judge_position, true},   {judge_strain, true},
               {wy_judge_ends, false},   {wy_judge_chords, false}, {wy_judge_kinks, false},
               {wy_judge_forces, false}, {judge_options, false},   {wy_judge_stability, true}};
  const bool first = self->integrator->system->rod == self->rod;
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
    wy_finding finding = {.rod = self->rod, .where = NAN, .when = self->view->time};
    if ((first || !rules[i].of_group) && rules[i].rule(self, &finding))
      wy_judgement_add(findings, &finding);
  }
}

void wy_judge_bodies(const wy_judged *self, double t, wy_judgement *findings) {
  bool (*const rules[])(const wy_judged *, wy_finding *) = {wy_judge_energy, wy_judge_stability};
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
    wy_finding finding = {.rod = WY_ALL_RODS, .where = NAN, .when = t};
    if (rules[i](self, &finding))
      wy_judgement_add(findings, &finding);
  }
}
