#include "io/results_summary.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/json.h"

void wy_balance_add(wy_balance *balance, wy_energy energy, bool first) {
  if (first)
    *balance = (wy_balance){.start = energy.total};
  balance->end = energy.total;
  balance->work = energy.work;
  balance->dissipated = energy.dissipated;
  balance->violation = fmax(balance->violation, fabs(energy.total - balance->start - energy.work + energy.dissipated));
  balance->scale = fmax(balance->scale, fmax(energy.kinetic, energy.elastic));
}

double wy_balance_drift(const wy_balance *balance, double round_off) {
  return balance->scale > round_off ? balance->violation / balance->scale : 0;
}

double wy_energy_round_off(const wy_model *model, int rod) {
  double round_off = 0;
  for (int i = 0; i < wy_model_rod_count(model); i++)
    if (rod == WY_ALL_RODS || rod == i) {
      /* A rod that cannot stretch bends: strains of 1e-13 at a radius of the length. */
      double length = wy_model_rod(model, i)->length;
      wy_section_values section = wy_model_section(model, i, 0.5 * length);
      round_off += 0.5e-26 * fmax(section.stiffness[2] * length, section.stiffness[3] / length);
    }
  return round_off;
}

/* ---- Equilibria ---- */

/* Whose first bifurcation came earlier? Settling is before everything else. */
static bool is_earlier(const wy_equilibrium_info *a, const wy_equilibrium_info *b) {
  if (isnan(a->first_bifurcation) || isnan(b->first_bifurcation))
    return !isnan(a->first_bifurcation);
  if (a->first_while_settling != b->first_while_settling)
    return a->first_while_settling;
  return a->first_bifurcation < b->first_bifurcation;
}

wy_equilibrium_info wy_results_equilibrium(const wy_results_def *def, int rod) {
  if (rod != WY_ALL_RODS)
    return wy_sim_equilibrium(def->sim, rod);
  wy_equilibrium_info sum = {.first_bifurcation = NAN};
  for (int i = 0; i < wy_model_rod_count(def->model); ++i) {
    wy_equilibrium_info one = wy_sim_equilibrium(def->sim, i);
    sum.increments += one.increments;
    sum.rejected += one.rejected;
    sum.newton_iterations += one.newton_iterations;
    sum.unstable = sum.unstable < 0 || one.unstable < 0 ? -1 : sum.unstable + one.unstable;
    sum.odd = sum.odd || one.odd;
    sum.bifurcations += one.bifurcations;
    sum.limit_points += one.limit_points;
    sum.way = one.way > sum.way ? one.way : sum.way;
    sum.ways_tried += one.ways_tried;
    sum.relaxation_steps += one.relaxation_steps;
    if (is_earlier(&one, &sum)) {
      sum.first_bifurcation = one.first_bifurcation;
      sum.first_while_settling = one.first_while_settling;
    }
  }
  return sum;
}

double wy_summary_drift(const wy_results_def *def, int rod, const wy_balance *balance) {
  if (def->scenario->analysis != WY_DYNAMICS)
    return NAN;
  return wy_balance_drift(balance, wy_energy_round_off(def->model, rod));
}

wy_statistics wy_summary_statistics(const wy_results_def *def, int rod) {
  wy_statistics statistics = wy_sim_statistics(def->sim, rod);
  if (def->scenario->analysis != WY_DYNAMICS) {
    wy_equilibrium_info equilibrium = wy_results_equilibrium(def, rod);
    statistics.steps = equilibrium.increments;
    statistics.rejected = equilibrium.rejected;
    statistics.newton_iterations = equilibrium.newton_iterations;
  }
  return statistics;
}

/* ---- Warnings ---- */

static bool is_scheme(const wy_solver_def *solver, const char *name) {
  return strcmp(solver->scheme, name) == 0;
}

const char *wy_results_piece(const wy_solver_def *solver) {
  return is_scheme(solver, "mixed") ? "element" : is_scheme(solver, "box") ? "cell" : "segment";
}

double wy_results_turn_limit(const wy_solver_def *solver) {
  if (is_scheme(solver, "mixed"))
    return solver->mixed.order == 1 ? 0.5 : 1.5;
  if (is_scheme(solver, "box"))
    return solver->box.transport ? 1.5 : 0.6;
  return 0;
}

/* Pieces that turned further than the scheme carries. */
static bool warn_turn(const wy_results_def *def, int rod, char *text, size_t size) {
  const wy_rod_def *rod_def = wy_model_rod(def->model, rod);
  const wy_solver_def *solver = wy_results_solver(def->scenario, rod);
  const char *piece = wy_results_piece(solver);
  wy_statistics statistics = wy_sim_statistics(def->sim, rod);
  double turn = statistics.piece_turn, limit = wy_results_turn_limit(solver);
  const double snaps = 1.45; /* the limit points of docs/theory/mixed.md: 0.79 rad, or 2.17 rad */
  if (!(turn > 1))
    return false;
  bool box = is_scheme(solver, "box");
  snprintf(text, size,
           "rod '%s': %s %d %s%s turns by up to %.3g rad (first at t = %.6g by more than the %.3g rad that the "
           "%s carries): %s; use %.0f %ss or more (rods.%s.segments)",
           rod_def->name, rod_def->segments == 1 ? "its" : "one of its", rod_def->segments, piece,
           rod_def->segments == 1 ? "" : "s", turn * limit, statistics.piece_turn_time, limit,
           box ? "scheme" : "interpolation",
           box            ? "the result is coarse"
           : turn > snaps ? "it has lost its stiffness, and the result is wrong"
                          : "the result is too soft",
           ceil(rod_def->segments * turn), piece, rod_def->name);
  return true;
}

/* Strains are unknowns beside positions and frames, and nothing but accuracy keeps them together. While they differ by
   less than a fifth in every segment, the tips of the published falling rod and of a cantilever that falls on its clamp
   are right to half a percent of the length. */
static bool warn_compatibility(const wy_results_def *def, int rod, char *text, size_t size) {
  const wy_rod_def *rod_def = wy_model_rod(def->model, rod);
  double drift = wy_sim_statistics(def->sim, rod).compatibility_drift;
  if (!(drift > 0.2))
    return false;
  snprintf(
      text, size,
      "rod '%s': its strains and its positions differ by up to %.2g: they no longer describe the same rod, which the "
      "energy does not show; use more segments (rods.%s.segments)%s",
      rod_def->name, drift, rod_def->name,
      wy_results_solver(def->scenario, rod)->conserving.order == 4 ? "" : " or solver.order: 4");
  return true;
}

/* Where every other node goes its own way, most of what is seen between neighbours is not the rod: 0.8 to 1 with an
   even number of segments and order 2, at most 0.13 where the grids keep together. */
static bool warn_sawtooth(const wy_results_def *def, int rod, char *text, size_t size) {
  const wy_rod_def *rod_def = wy_model_rod(def->model, rod);
  double sawtooth = wy_sim_statistics(def->sim, rod).sawtooth;
  if (!(sawtooth > 0.5))
    return false;
  bool fourth = wy_results_solver(def->scenario, rod)->conserving.order == 4;
  snprintf(
      text, size,
      "rod '%s': up to %.0f %% of what its strains change from node to node is a sawtooth: even and odd nodes have "
      "come apart; use %s segments (rods.%s.segments)%s",
      rod_def->name, 100 * sawtooth, fourth || rod_def->segments % 2 == 1 ? "more" : "an odd number of", rod_def->name,
      fourth ? "" : " or solver.order: 4");
  return true;
}

/* The curvatures of a box rod and its velocities say where it is, each for itself (B10). The built-in scenarios and a
   cantilever of 10 cells that falls under its weight stay within 0.03 of the length and have the right motion; steps or
   cells that miss it go beyond 0.05. */
static bool warn_position(const wy_results_def *def, int rod, char *text, size_t size) {
  const wy_rod_def *rod_def = wy_model_rod(def->model, rod);
  double drift = wy_sim_statistics(def->sim, rod).position_drift;
  if (!(drift > 0.05))
    return false;
  snprintf(
      text, size,
      "rod '%s': its curvatures and its velocities put it up to %.2g of its length apart: the motion is coarse, and "
      "an end that is held or driven may be off its place; use more cells (rods.%s.segments) or a smaller "
      "solver.step",
      rod_def->name, drift, rod_def->name);
  return true;
}

/* Coefficients of the user's: stable, and of which order? (docs/theory/box.md, B5) */
bool wy_results_box_coefficients(const wy_rod_def *rod, const wy_solver_def *solver, char *text, size_t size) {
  const wy_box_options *box = &solver->box;
  const double slack = 1e-9, order = box->alpha - box->beta + box->gamma - 0.5;
  if (!is_scheme(solver, "box") || !box->coefficients_given)
    return false;
  if (box->alpha > 0.5 + slack || box->beta > 0.5 + slack || box->gamma < 0.5 - slack || order < -slack) {
    snprintf(text, size,
             "rods.%s: steps with alpha %g, beta %g, gamma %g are not stable; expected alpha and beta of at most 1/2, "
             "gamma and alpha - beta + gamma of at least 1/2",
             rod->name, box->alpha, box->beta, box->gamma);
    return true;
  }
  if (order > slack)
    snprintf(
        text, size,
        "rods.%s: steps with alpha %g, beta %g, gamma %g are of first order, since alpha - beta + gamma is %g, not "
        "1/2, and damp strongly%s; rho_inf makes coefficients of second order",
        rod->name, box->alpha, box->beta, box->gamma, order + 0.5,
        fabs(box->gamma + box->alpha - 1) < slack && fabs(box->beta) < slack ? ": they are backward Euler" : "");
  return order > slack;
}

static bool warn_coefficients(const wy_results_def *def, int rod, char *text, size_t size) {
  return def->scenario->analysis == WY_DYNAMICS &&
         wy_results_box_coefficients(wy_model_rod(def->model, rod), wy_results_solver(def->scenario, rod), text, size);
}

bool wy_results_warning(const wy_results_def *def, int rod, int kind, char *text, size_t size) {
  static bool (*const warnings[WY_RESULT_WARNINGS])(const wy_results_def *, int, char *, size_t) = {
      warn_turn, warn_compatibility, warn_sawtooth, warn_position, warn_coefficients};
  return warnings[kind](def, rod, text, size);
}

static void write_warnings(wy_json *json, const wy_results_def *def) {
  char text[400];
  wy_json_list(json, "warnings");
  for (int i = 0; i < def->doubt_count; ++i)
    wy_json_string(json, NULL, def->doubts[i]);
  for (int rod = 0; rod < wy_model_rod_count(def->model); ++rod)
    for (int kind = 0; kind < WY_RESULT_WARNINGS; ++kind)
      if (wy_results_warning(def, rod, kind, text, sizeof text))
        wy_json_string(json, NULL, text);
  wy_json_end_list(json);
}

/* ---- Names ---- */

const char *wy_results_model_name(wy_rod_kind kind) {
  static const char *const names[] = {"cosserat", "kirchhoff", "inextensible"};
  return names[kind];
}

double wy_results_signal(const wy_signal *signal, double s, double t) {
  double jet[3] = {signal->value, 0, 0};
  if (signal->evaluate)
    signal->evaluate(signal->context, WY_TIME, s, t, jet);
  return jet[0];
}

const wy_solver_def *wy_results_solver(const wy_scenario *scenario, int rod) {
  return scenario->sim.rod_solvers ? &scenario->sim.rod_solvers[rod] : &scenario->sim.solver;
}

const char *wy_results_method_name(const wy_scenario *scenario, const wy_sim *sim, int rod) {
  if (scenario->analysis == WY_DYNAMICS)
    return wy_sim_describe(sim, rod).integrator;
  return wy_results_solver(scenario, rod)->statics.continuation == WY_ARC_LENGTH ? "arc_length" : "load_stepping";
}

static const char *const end_names[] = {"done", "failed", "interrupted"};

static void write_statistics(wy_json *json, const wy_statistics *statistics) {
  wy_json_integer(json, "steps", statistics->steps);
  wy_json_integer(json, "rejected", statistics->rejected);
  wy_json_integer(json, "rhs", statistics->rhs);
  wy_json_integer(json, "jacobians", statistics->jacobians);
  wy_json_integer(json, "factorisations", statistics->factorisations);
  wy_json_integer(json, "newton_iterations", statistics->newton_iterations);
  wy_json_integer(json, "quadrature", statistics->quadrature);
}

/* A path of equilibria takes work that is not followed: null. */
static void write_drifts(wy_json *json, const wy_results_def *def, int rod, const wy_balance *balance,
                         const wy_statistics *statistics) {
  wy_json_object(json, "energy");
  wy_json_number(json, "start", balance->start);
  wy_json_number(json, "end", balance->end);
  wy_json_number(json, "work", def->scenario->analysis == WY_QUASISTATICS ? (double)NAN : balance->work);
  wy_json_number(json, "dissipated", balance->dissipated);
  wy_json_number(json, "drift", wy_summary_drift(def, rod, balance));
  wy_json_end_object(json);
  wy_json_object(json, "constraint_drift");
  wy_json_number(json, "quaternion", statistics->quaternion_drift);
  wy_json_number(json, "velocity", statistics->velocity_drift);
  wy_json_number(json, "strain", statistics->strain_drift);
  wy_json_number(json, "strain_rate", statistics->strain_rate_drift);
  wy_json_number(json, "position", statistics->position_drift);
  wy_json_number(json, "compatibility", statistics->compatibility_drift);
  wy_json_number(json, "sawtooth", statistics->sawtooth);
  wy_json_end_object(json);
}

static void write_equilibrium(wy_json *json, const wy_results_def *def, int rod) {
  if (!def->scenario->sim.statics)
    return;
  wy_equilibrium_info info = wy_results_equilibrium(def, rod);
  bool known = !isnan(info.first_bifurcation);
  wy_json_object(json, "equilibrium");
  wy_json_integer(json, "increments", info.increments);
  wy_json_integer(json, "rejected", info.rejected);
  wy_json_integer(json, "newton_iterations", info.newton_iterations);
  wy_json_number(json, "unstable", info.unstable < 0 ? (double)NAN : info.unstable);
  wy_json_integer(json, "bifurcations", info.bifurcations);
  wy_json_number(json, "first_bifurcation", info.first_bifurcation);
  wy_json_string(json, "first_bifurcation_in", !known ? "" : info.first_while_settling ? "load factor" : "time");
  wy_json_integer(json, "limit_points", info.limit_points);
  wy_json_string(json, "way", wy_equilibrium_way_name(info.way));
  wy_json_integer(json, "ways_tried_before", info.ways_tried);
  wy_json_integer(json, "relaxation_steps", info.relaxation_steps);
  wy_json_end_object(json);
}

/* The words of all rods, each once: "radau5", or "radau5, dopri5" where they differ. */
typedef const char *word_of(const wy_results_def *def, int rod);

static const char *scheme_of(const wy_results_def *def, int rod) {
  return wy_sim_describe(def->sim, rod).scheme;
}

static const char *integrator_of(const wy_results_def *def, int rod) {
  return wy_results_method_name(def->scenario, def->sim, rod);
}

static const char *model_of(const wy_results_def *def, int rod) {
  return wy_results_model_name(wy_model_rod(def->model, rod)->kind);
}

static void write_words(wy_json *json, const char *key, const wy_results_def *def, word_of *word) {
  wy_text words = {0};
  for (int rod = 0; rod < wy_model_rod_count(def->model); ++rod) {
    bool known = false;
    for (int before = 0; before < rod && !known; ++before)
      known = strcmp(word(def, before), word(def, rod)) == 0;
    if (!known)
      wy_text_add(&words, "%s%s", rod ? ", " : "", word(def, rod));
  }
  wy_json_string(json, key, words.data);
  wy_text_free(&words);
}

static void write_rod(wy_json *json, const wy_results_def *def, int rod, const wy_balance *balance) {
  const wy_rod_def *rod_def = wy_model_rod(def->model, rod);
  wy_sim_info info = wy_sim_describe(def->sim, rod);
  wy_statistics statistics = wy_summary_statistics(def, rod);
  bool moves = def->scenario->analysis == WY_DYNAMICS;
  wy_json_object(json, NULL);
  wy_json_string(json, "name", rod_def->name);
  wy_json_string(json, "scheme", info.scheme);
  wy_json_string(json, "model", model_of(def, rod));
  wy_json_string(json, "integrator", integrator_of(def, rod));
  wy_json_string(json, "reason", moves ? info.reason : "");
  wy_json_integer(json, "segments", rod_def->segments);
  wy_json_integer(json, "unknowns", info.unknowns);
  write_statistics(json, &statistics);
  wy_json_number(json, "last_step", statistics.last_step);
  wy_json_number(json, "piece_turn", statistics.piece_turn);
  write_drifts(json, def, rod, balance, &statistics);
  write_equilibrium(json, def, rod);
  wy_json_end_object(json);
}

/* Only where there are any. */
static void write_strands(wy_json *json, const wy_scenario *scenario) {
  if (scenario->strands_count == 0)
    return;
  wy_json_list(json, "strands");
  for (int i = 0; i < scenario->strands_count; ++i) {
    wy_json_object(json, NULL);
    wy_json_string(json, "name", scenario->strands[i].name);
    wy_json_integer(json, "count", scenario->strands[i].count);
    wy_json_end_object(json);
  }
  wy_json_end_list(json);
}

static void write_all(wy_json *json, const wy_results_def *def, uint64_t identity, const wy_balance *balances,
                      const wy_run_report *report) {
  int rods = wy_model_rod_count(def->model);
  int unknowns = 0;
  for (int rod = 0; rod < rods; ++rod)
    unknowns += wy_sim_describe(def->sim, rod).unknowns;
  char hash[20];
  snprintf(hash, sizeof hash, "%016" PRIx64, identity);

  wy_json_object(json, NULL);
  wy_json_integer(json, "format", WY_RESULTS_FORMAT);
  wy_json_string(json, "scenario", def->scenario->name);
  wy_json_string(json, "title", def->scenario->title);
  wy_json_string(json, "version", wy_version());
  wy_json_list(json, "settings");
  for (int i = 0; i < def->setting_count; ++i)
    wy_json_string(json, NULL, def->settings[i]);
  wy_json_end_list(json);
  wy_json_string(json, "identity", hash);
  wy_json_string(json, "analysis", wy_analysis_name(def->scenario->analysis));
  wy_json_string(json, "status", end_names[report->end]);
  write_words(json, "scheme", def, scheme_of);
  write_words(json, "model", def, model_of);
  write_words(json, "integrator", def, integrator_of);
  wy_json_integer(json, "unknowns", unknowns);
  wy_json_number(json, "t_end", report->t_end);
  wy_json_integer(json, "rows", report->rows);
  wy_json_integer(json, "frames", report->frames);
  write_statistics(json, &report->statistics);
  wy_json_number(json, "wall_seconds", report->wall_seconds);
  wy_json_number(json, "realtime_factor", report->realtime_factor);
  write_drifts(json, def, WY_ALL_RODS, &balances[0], &report->statistics);
  write_equilibrium(json, def, WY_ALL_RODS);
  wy_json_list(json, "rods");
  for (int rod = 0; rod < rods; ++rod)
    write_rod(json, def, rod, &balances[1 + rod]);
  wy_json_end_list(json);
  write_strands(json, def->scenario);
  write_warnings(json, def);
  wy_json_string(json, "message", report->message);
  wy_json_end_object(json);
}

wy_status wy_summary_write(const char *path, const wy_results_def *def, uint64_t identity, const wy_balance *balances,
                           const wy_run_report *report, wy_message *message) {
  wy_text text = {0};
  wy_json json = {.text = &text};
  write_all(&json, def, identity, balances, report);
  wy_status status = wy_file_replace(path, text.data, text.length, message);
  wy_text_free(&text);
  return status;
}

/* Looks for the lines as they were written: within a string their quotes would be escaped. */
wy_status wy_summary_look(const char *path, uint64_t identity, wy_summary_state *state, wy_message *message) {
  *state = (wy_summary_state){0};
  char *text;
  size_t size;
  wy_status status = wy_file_read(path, &text, &size, message);
  if (status != WY_OK || !text)
    return status;
  char line[40];
  snprintf(line, sizeof line, "\"identity\": \"%016" PRIx64 "\"", identity);
  state->exists = true;
  state->same_run = strstr(text, line) != NULL;
  state->done = strstr(text, "\"status\": \"done\"") != NULL;
  free(text);
  return WY_OK;
}
