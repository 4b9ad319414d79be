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
      double length = wy_model_rod(model, i)->length;
      round_off += 0.5e-26 * wy_model_section(model, i, 0.5 * length).stiffness[2] * length;
    }
  return round_off;
}

const char *wy_results_model_name(wy_rod_kind kind) {
  static const char *const names[] = {"cosserat", "kirchhoff", "inextensible"};
  return names[kind];
}

static const char *const end_names[] = {"done", "failed", "interrupted"};

static void write_statistics(wy_json *json, const wy_statistics *statistics) {
  wy_json_integer(json, "steps", statistics->steps);
  wy_json_integer(json, "rejected", statistics->rejected);
  wy_json_integer(json, "rhs", statistics->rhs);
  wy_json_integer(json, "jacobians", statistics->jacobians);
  wy_json_integer(json, "factorisations", statistics->factorisations);
  wy_json_integer(json, "newton_iterations", statistics->newton_iterations);
}

static void write_drifts(wy_json *json, const wy_balance *balance, double drift, const wy_statistics *statistics) {
  wy_json_object(json, "energy");
  wy_json_number(json, "start", balance->start);
  wy_json_number(json, "end", balance->end);
  wy_json_number(json, "work", balance->work);
  wy_json_number(json, "dissipated", balance->dissipated);
  wy_json_number(json, "drift", drift);
  wy_json_end_object(json);
  wy_json_object(json, "constraint_drift");
  wy_json_number(json, "quaternion", statistics->quaternion_drift);
  wy_json_number(json, "velocity", statistics->velocity_drift);
  wy_json_end_object(json);
}

/* The words of all rods, each once: "radau5", or "radau5, dopri5" where they differ. */
typedef const char *word_of(const wy_results_def *def, int rod);

static const char *scheme_of(const wy_results_def *def, int rod) {
  return wy_sim_describe(def->sim, rod).scheme;
}

static const char *integrator_of(const wy_results_def *def, int rod) {
  return wy_sim_describe(def->sim, rod).integrator;
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
  wy_statistics statistics = wy_sim_statistics(def->sim, rod);
  wy_json_object(json, NULL);
  wy_json_string(json, "name", rod_def->name);
  wy_json_string(json, "scheme", info.scheme);
  wy_json_string(json, "model", model_of(def, rod));
  wy_json_string(json, "integrator", info.integrator);
  wy_json_string(json, "reason", info.reason);
  wy_json_integer(json, "segments", rod_def->segments);
  wy_json_integer(json, "unknowns", info.unknowns);
  write_statistics(json, &statistics);
  wy_json_number(json, "last_step", statistics.last_step);
  write_drifts(json, balance, wy_balance_drift(balance, wy_energy_round_off(def->model, rod)), &statistics);
  wy_json_end_object(json);
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
  write_drifts(json, &balances[0], report->drift, &report->statistics);
  wy_json_list(json, "rods");
  for (int rod = 0; rod < rods; ++rod)
    write_rod(json, def, rod, &balances[1 + rod]);
  wy_json_end_list(json);
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
