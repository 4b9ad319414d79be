/* SPDX-License-Identifier: MIT */
#include "run/results/summary.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/results/json.h"
#include "run/results/sets.h"

double wy_summary_drift(const wy_results_def *def, int rod) {
  return def->scenario->analysis == WY_DYNAMICS ? wy_sim_drift(def->sim, rod) : (double)NAN;
}

static wy_statistics told(const wy_results_def *def, wy_statistics statistics, const wy_equilibrium_info *equilibrium) {
  if (def->scenario->analysis != WY_DYNAMICS) {
    statistics.steps = equilibrium->increments;
    statistics.rejected = equilibrium->rejected;
    statistics.newton_iterations = equilibrium->newton_iterations;
  }
  return statistics;
}

wy_statistics wy_summary_statistics(const wy_results_def *def, int rod) {
  const wy_equilibrium_info equilibrium = wy_sim_equilibrium(def->sim, rod);
  return told(def, wy_sim_statistics(def->sim, rod), &equilibrium);
}

/* ---- Warnings ---- */

static int rank_of(const wy_finding *finding) {
  return -(int)finding->severity;
}

/* Worst first; of equal ones the first stays first. */
static void sort_findings(wy_findings_list *found) {
  for (int i = 1; i < found->count; i++) {
    const wy_finding one = found->list[i];
    int place = i;
    for (; place > 0 && rank_of(&found->list[place - 1]) > rank_of(&one); place--)
      found->list[place] = found->list[place - 1];
    found->list[place] = one;
  }
}

/* The findings of both kinds in lists with room for so many, and how many there are. */
typedef struct both {
  wy_finding *before, *after;
  int room, count_before, count_after;
} both;

/* Rules are asked once for their findings and their number, and again only where there are more than expected. */
static both find_both(const wy_results_def *def, int room) {
  both found = {.room = room};
  assert(room > 0);
  found.before = malloc(2 * (size_t)room * sizeof *found.before);
  found.after = found.before ? found.before + room : NULL;
  if (!found.before)
    return found;
  wy_scenario_check(def->scenario, def->model, found.before, room, &found.count_before, NULL);
  wy_sim_verify(def->sim, found.after, room, &found.count_after, NULL);
  return found;
}

wy_findings_list wy_results_findings(const wy_results_def *def) {
  const int usual = 8 + 2 * wy_model_rod_count(def->model);
  wy_findings_list found = {0};
  both all = find_both(def, usual);
  const int most = all.count_before > all.count_after ? all.count_before : all.count_after;
  if (most > usual) {
    free(all.before);
    all = find_both(def, most);
  }
  if (!all.before)
    return found;
  for (int i = 0; i < all.count_before; i++)
    if (!all.before[i].expected) /* else the result shows whether it came to that */
      all.before[found.count++] = all.before[i];
  memmove(all.before + found.count, all.after, (size_t)all.count_after * sizeof *all.after);
  found.list = all.before;
  found.count += all.count_after;
  sort_findings(&found);
  return found;
}

bool wy_results_warning(const wy_finding *finding, char text[WY_WARNING_SIZE]) {
  wy_finding_line(finding, text, WY_WARNING_SIZE);
  return finding->severity >= WY_WARNING;
}

static void write_warnings(wy_json *json, const wy_results_def *def, const wy_run_report *report) {
  char text[WY_WARNING_SIZE];
  wy_json_list(json, "warnings");
  for (int i = 0; i < report->finding_count; ++i)
    if (wy_results_warning(&report->findings[i], text))
      wy_json_string(json, NULL, text);
  for (int i = 0; i < wy_batches_count(def->batches); ++i)
    if (wy_batches_doubt(def->batches, i, text, sizeof text))
      wy_json_string(json, NULL, text);
  wy_json_end_list(json);
}

/* ---- Names ---- */

static const char *const end_names[] = {"done", "failed", "interrupted", "wrong"};

/* Those of one kind that have a key. */
static void write_statistics(wy_json *json, const wy_statistics *statistics, wy_statistic_kind kind) {
  const wy_statistic_info *info;
  for (int i = 0; (info = wy_statistic_describe(i)); ++i)
    if (info->kind == kind && info->key)
      wy_json_number(json, info->key, wy_statistic_value(statistics, info));
}

/* A path of equilibria takes work that is not followed: null. */
static void write_drifts(wy_json *json, const wy_results_def *def, int rod, const wy_statistics *statistics) {
  const wy_balance sum = wy_sim_balance(def->sim, rod);
  wy_json_object(json, "energy");
  wy_json_number(json, "start", sum.start);
  wy_json_number(json, "end", wy_sim_energy(def->sim, rod).total);
  wy_json_number(json, "work", def->scenario->analysis == WY_QUASISTATICS ? (double)NAN : sum.work);
  wy_json_number(json, "dissipated", sum.dissipated);
  wy_json_number(json, "drift", wy_summary_drift(def, rod));
  wy_json_end_object(json);
  wy_json_object(json, "constraint_drift");
  write_statistics(json, statistics, WY_STATISTIC_DRIFT);
  wy_json_end_object(json);
}

/* What the rod has met over the run, with places and times. */
static void write_extremes(wy_json *json, const wy_results_def *def, int rod) {
  for (int i = 0; i < WY_EXTREME_COUNT; ++i) {
    const wy_extreme_value met = wy_sim_extreme(def->sim, rod, (wy_extreme)i);
    wy_json_object(json, wy_extreme_describe((wy_extreme)i)->name);
    wy_json_number(json, "value", met.value);
    wy_json_number(json, "s", met.s);
    wy_json_number(json, "time", met.time);
    wy_json_end_object(json);
  }
}

/* Only of a rod that can touch something. */
static void write_contact(wy_json *json, const wy_results_def *def, int rod) {
  const wy_contact_view *contact = wy_sim_contact(def->sim, rod);
  if (!contact)
    return;
  const wy_energy energy = wy_sim_energy(def->sim, rod);
  wy_json_object(json, "contact");
  wy_json_number(json, "deepest", contact->deepest);
  wy_json_number(json, "deepest_over_radius", contact->deepest_over_radius);
  wy_json_number(json, "first_time", contact->first_time);
  wy_json_number(json, "put_down", contact->put_down);
  wy_json_number(json, "friction", energy.friction);
  wy_json_number(json, "impact", energy.impact);
  if (def->modes) {
    const wy_mode_set *set = def->modes->rods[rod]; /* none where nothing buckles */
    wy_json_number(json, "touching", set ? set->touching : (double)NAN);
    wy_json_number(json, "sticking", set ? set->sticking : (double)NAN);
  }
  wy_json_end_object(json);
}

static void write_equilibrium(wy_json *json, const wy_results_def *def, int rod) {
  if (!def->scenario->sim.statics)
    return;
  wy_equilibrium_info info = wy_sim_equilibrium(def->sim, rod);
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
  wy_json_integer(json, "snaps", info.snaps);
  wy_json_number(json, "first_snap", info.first_snap);
  wy_json_end_object(json);
}

/* A word of a rod or group. */
typedef const char *word_of(const wy_results_def *def, int index);

static const char *scheme_of(const wy_results_def *def, int group) {
  return wy_sim_group_describe(def->sim, group).scheme;
}

/* All rods of a group have the same. */
static const char *integrator_of(const wy_results_def *def, int group) {
  int rod = wy_model_rod_count(def->model) - 1;
  while (rod >= 0 && wy_sim_group_of(def->sim, WY_PORT_ROD, rod) != group)
    rod--;
  return rod >= 0 || def->scenario->analysis != WY_DYNAMICS ? wy_results_method_name(def->scenario, def->sim, rod)
                                                            : wy_sim_group_describe(def->sim, group).integrator;
}

static const char *model_of(const wy_results_def *def, int rod) {
  return wy_rod_kind_name(wy_model_rod(def->model, rod)->kind);
}

/* The words of all, each once: "radau5", or "radau5, dopri5" where they differ. */
static void write_words(wy_json *json, const char *key, const wy_results_def *def, int first, int count,
                        word_of *word) {
  enum { MOST = 16 }; /* there are not so many different ones */
  const char *known[MOST];
  int knows = 0;
  wy_text words = {0};
  for (int i = 0; i < count; ++i) {
    const char *one = word(def, first + i);
    int k = 0;
    while (k < knows && strcmp(known[k], one) != 0)
      k++;
    if (k < knows || knows == MOST)
      continue;
    wy_text_add(&words, "%s%s", knows ? ", " : "", one);
    known[knows++] = one;
  }
  wy_json_string(json, key, words.data ? words.data : "");
  wy_text_free(&words);
}

/* How its run was, but for extremes. */
static void write_course(wy_json *json, const wy_results_def *def, int rod) {
  const wy_statistics statistics = wy_summary_statistics(def, rod);
  write_statistics(json, &statistics, WY_STATISTIC_COST);
  write_statistics(json, &statistics, WY_STATISTIC_STEP);
  write_statistics(json, &statistics, WY_STATISTIC_TURN);
  write_drifts(json, def, rod, &statistics);
}

static const char *measure_of(const wy_results_def *def, int rod) {
  return wy_curvature_measure_of(wy_results_solver(def->scenario, rod), wy_model_rod(def->model, rod));
}

/* Of schemes that have one. */
static void write_measure(wy_json *json, const wy_results_def *def, int first, int count) {
  if (measure_of(def, first)[0])
    write_words(json, "curvature_measure", def, first, count, measure_of);
}

/* What was chosen for the accuracy that the scenario asks for. */
static void write_space(wy_json *json, const wy_results_def *def, int rod) {
  const wy_space_choice *spaces = def->scenario->spaces;
  if (!spaces || spaces[rod].segments == 0)
    return;
  wy_json_object(json, "accuracy");
  wy_json_number(json, "expected_error", spaces[rod].error);
  wy_json_string(json, "reason", spaces[rod].reason);
  wy_json_end_object(json);
}

static void write_rod(wy_json *json, const wy_results_def *def, int rod) {
  const wy_rod_def *rod_def = wy_model_rod(def->model, rod);
  wy_sim_info info = wy_sim_describe(def->sim, rod);
  bool moves = def->scenario->analysis == WY_DYNAMICS;
  wy_json_object(json, NULL);
  wy_json_string(json, "name", rod_def->name);
  wy_json_string(json, "scheme", info.scheme);
  write_measure(json, def, rod, 1);
  wy_json_string(json, "model", model_of(def, rod));
  wy_json_string(json, "integrator", wy_results_method_name(def->scenario, def->sim, rod));
  wy_json_string(json, "reason", moves ? info.reason : "");
  wy_json_integer(json, "segments", rod_def->segments);
  write_space(json, def, rod);
  wy_json_integer(json, "unknowns", info.unknowns);
  write_course(json, def, rod);
  write_extremes(json, def, rod);
  write_contact(json, def, rod);
  write_equilibrium(json, def, rod);
  wy_json_end_object(json);
}

/* ---- Rods that share an entry ---- */

/* The least and the largest of all numbers of its rods. */
static void write_folded(wy_json *json, const wy_results_def *def, const wy_rod_set *set) {
  wy_json_fold fold = {0};
  wy_json folding = {.fold = &fold};
  for (int i = 0; i < set->count; ++i) {
    wy_json_fold_next(&fold);
    write_course(&folding, def, set->first + i);
    write_contact(&folding, def, set->first + i);
    write_equilibrium(&folding, def, set->first + i);
  }
  const char *object = NULL;
  for (int i = 0; i < fold.count; ++i) {
    const wy_json_folded *number = &fold.numbers[i];
    if (object && number->object != object)
      wy_json_end_object(json);
    if (number->object && number->object != object)
      wy_json_object(json, number->object);
    object = number->object;
    wy_json_minmax(json, number, wy_model_rod(def->model, set->first + number->of)->name);
  }
  if (object)
    wy_json_end_object(json);
}

/* What any of its rods has met, and which. */
static void write_set_extremes(wy_json *json, const wy_results_def *def, const wy_rod_set *set) {
  for (int i = 0; i < WY_EXTREME_COUNT; ++i) {
    const wy_extreme_info *info = wy_extreme_describe((wy_extreme)i);
    wy_extreme_value met = wy_sim_extreme(def->sim, set->first, (wy_extreme)i);
    int rod = set->first;
    for (int k = set->first + 1; k < set->first + set->count; ++k) {
      const wy_extreme_value other = wy_sim_extreme(def->sim, k, (wy_extreme)i);
      if (isnan(met.value) || (info->smallest ? other.value < met.value : other.value > met.value))
        met = other, rod = k;
    }
    wy_json_object(json, info->name);
    wy_json_number(json, "value", met.value);
    wy_json_number(json, "s", met.s);
    wy_json_number(json, "time", met.time);
    wy_json_string(json, "rod", wy_model_rod(def->model, rod)->name);
    wy_json_end_object(json);
  }
}

static void write_set(wy_json *json, const wy_results_def *def, const wy_rod_set *set) {
  const wy_sim_info info = wy_sim_describe(def->sim, set->first);
  wy_json_object(json, NULL);
  wy_json_string(json, "name", set->name);
  wy_json_integer(json, "count", set->count);
  wy_json_string(json, "scheme", info.scheme);
  write_measure(json, def, set->first, set->count);
  wy_json_string(json, "model", model_of(def, set->first));
  char methods[256];
  wy_rod_set_methods(set, def->scenario, def->sim, methods, sizeof methods);
  wy_json_string(json, "integrator", methods);
  wy_json_integer(json, "segments", wy_model_rod(def->model, set->first)->segments);
  wy_json_integer(json, "unknowns", info.unknowns);
  write_folded(json, def, set);
  write_set_extremes(json, def, set);
  wy_json_end_object(json);
}

/* ---- Batches ---- */

/* Numbers of rods that have failed, a few of them, and since when. */
static void write_failed(wy_json *json, const wy_batch_rod *rods, int count) {
  enum { FEW = 20 };
  int told = 0;
  wy_json_list(json, "failed_rods");
  for (int i = 0; rods && i < count && told < FEW; ++i) {
    if (!rods[i].failed)
      continue;
    wy_json_object(json, NULL);
    wy_json_integer(json, "rod", i);
    wy_json_number(json, "time", rods[i].time);
    wy_json_end_object(json);
    told++;
  }
  wy_json_end_list(json);
}

static void write_batch(wy_json *json, const wy_results_def *def, int index) {
  const wy_batch *rods = wy_batches_at(def->batches, index);
  const wy_scenario_batch *batch = wy_batches_def(def->batches, index);
  const wy_batch_info info = wy_batch_describe(rods);
  const wy_batch_statistics work = wy_batch_work(rods);
  wy_json_object(json, NULL);
  wy_json_string(json, "name", batch->name);
  wy_json_integer(json, "count", batch->def.count);
  wy_json_integer(json, "segments", info.segments);
  wy_json_integer(json, "recorded", batch->recorded_count);
  wy_json_integer(json, "seed", (long long)batch->seed);
  wy_json_string(json, "integrator", wy_batch_integrator_word(info.integrator));
  wy_json_string(json, "precision", wy_batch_precision_word(info.precision));
  wy_json_string(json, "device", wy_batch_device_word(info.device));
  wy_json_string(json, "machine", info.machine);
  wy_json_string(json, "reason", info.reason);
  wy_json_integer(json, "lanes", info.lanes);
  wy_json_integer(json, "memory", (long long)wy_batches_memory_of(def->batches, index));
  wy_json_integer(json, "substeps", info.substeps);
  wy_json_integer(json, "frames", work.frames);
  wy_json_number(json, "solves", work.solves);
  wy_json_number(json, "refined", work.refined);
  wy_json_integer(json, "failed", work.failed);
  write_failed(json, work.failed ? wy_batches_status(def->batches, index, NULL) : NULL, batch->def.count);
  wy_json_end_object(json);
}

/* Rods alone, then those that share entries and batches, if there are any. */
static void write_rods(wy_json *json, const wy_results_def *def, const wy_rod_sets *sets) {
  wy_json_list(json, "rods");
  for (int i = 0; i < sets->count; ++i)
    if (sets->list[i].count == 1)
      write_rod(json, def, sets->list[i].first);
  wy_json_end_list(json);
  const bool any = sets->shared || def->batches;
  if (any)
    wy_json_list(json, "batches");
  for (int i = 0; i < sets->count; ++i)
    if (sets->list[i].count > 1)
      write_set(json, def, &sets->list[i]);
  for (int i = 0; i < wy_batches_count(def->batches); ++i)
    write_batch(json, def, i);
  if (any)
    wy_json_end_list(json);
}

/* Only where there are any. */
static void write_strands(wy_json *json, const wy_scenario *scenario) {
  if (scenario->strands_count == 0)
    return;
  wy_json_list(json, "strands");
  for (int i = 0; i < scenario->strands_count; ++i) {
    wy_json_object(json, NULL);
    const wy_strands_def *strands = wy_def_at(scenario->strands, i);
    wy_json_string(json, "name", strands->name);
    wy_json_integer(json, "count", strands->count);
    wy_json_end_object(json);
  }
  wy_json_end_list(json);
}

/* ---- Groups ---- */

static bool is_in(const wy_results_def *def, const wy_joint_def *joint, int group) {
  for (int i = 0; i < joint->port_count; ++i)
    if (joint->ports[i].kind != WY_PORT_GROUND)
      return wy_sim_group_of(def->sim, joint->ports[i].kind, joint->ports[i].index) == group;
  return false;
}

/* Joints without a name by their numbers, as in paths of the scenario. */
static void write_joints(wy_json *json, const wy_results_def *def, int group) {
  wy_json_list(json, "joints");
  for (int i = 0; i < wy_model_joint_count(def->model); ++i) {
    const wy_joint_def *joint = wy_model_joint(def->model, i);
    char number[16];
    snprintf(number, sizeof number, "[%d]", i);
    if (is_in(def, joint, group))
      wy_json_string(json, NULL, joint->name ? joint->name : number);
  }
  wy_json_end_list(json);
}

/* How it was moved. */
static void write_group(wy_json *json, const wy_results_def *def, int group) {
  const wy_sim_info info = wy_sim_group_describe(def->sim, group);
  const wy_equilibrium_info equilibrium = wy_sim_group_equilibrium(def->sim, group);
  const wy_statistics statistics = told(def, wy_sim_group_statistics(def->sim, group), &equilibrium);
  wy_json_string(json, "scheme", info.scheme);
  wy_json_string(json, "integrator", integrator_of(def, group));
  wy_json_integer(json, "unknowns", info.unknowns);
  char dependent[512];
  if (wy_sim_group_dependent(def->sim, group, dependent, sizeof dependent))
    wy_json_string(json, "dependent_conditions", dependent);
  write_statistics(json, &statistics, WY_STATISTIC_COST);
  write_statistics(json, &statistics, WY_STATISTIC_STEP);
  write_statistics(json, &statistics, WY_STATISTIC_TURN);
  wy_json_object(json, "constraint_drift");
  write_statistics(json, &statistics, WY_STATISTIC_DRIFT);
  wy_json_end_object(json);
}

/* Only where something connects rods, or where there are bodies. */
static void write_groups(wy_json *json, const wy_results_def *def) {
  const wy_model *model = def->model;
  if (wy_model_body_count(model) + wy_model_joint_count(model) + wy_model_spring_count(model) == 0)
    return;
  wy_json_list(json, "groups");
  for (int group = 0; group < wy_sim_group_count(def->sim); ++group) {
    wy_json_object(json, NULL);
    wy_json_list(json, "rods");
    for (int i = 0; i < wy_model_rod_count(model); ++i)
      if (wy_sim_group_of(def->sim, WY_PORT_ROD, i) == group)
        wy_json_string(json, NULL, wy_model_rod(model, i)->name);
    wy_json_end_list(json);
    wy_json_list(json, "bodies");
    for (int i = 0; i < wy_model_body_count(model); ++i)
      if (wy_sim_group_of(def->sim, WY_PORT_BODY, i) == group)
        wy_json_string(json, NULL, wy_model_body(model, i)->name);
    wy_json_end_list(json);
    write_joints(json, def, group);
    write_group(json, def, group);
    wy_json_end_object(json);
  }
  wy_json_end_list(json);
}

static void write_all(wy_json *json, const wy_results_def *def, const wy_rod_sets *sets, uint64_t identity,
                      const wy_run_report *report) {
  int rods = wy_model_rod_count(def->model), groups = wy_sim_group_count(def->sim);
  int unknowns = 0;
  for (int group = 0; group < groups; ++group)
    unknowns += wy_sim_group_describe(def->sim, group).unknowns;
  char hash[20];
  snprintf(hash, sizeof hash, "%016" PRIx64, identity);

  wy_json_object(json, NULL);
  wy_json_integer(json, "format", wy_results_format(sets->shared || def->batches));
  wy_json_string(json, "scenario", def->scenario->name);
  wy_json_string(json, "title", def->scenario->title);
  wy_json_string(json, "version", wy_version());
  wy_json_list(json, "settings");
  for (int i = 0; i < def->scenario->setting_count; ++i)
    wy_json_string(json, NULL, def->scenario->settings[i]);
  wy_json_end_list(json);
  wy_json_string(json, "identity", hash);
  wy_json_string(json, "analysis", wy_analysis_name(def->scenario->analysis));
  wy_json_string(json, "status", end_names[report->end]);
  write_words(json, "scheme", def, 0, groups, scheme_of);
  write_words(json, "model", def, 0, rods, model_of);
  write_words(json, "integrator", def, 0, groups, integrator_of);
  wy_json_integer(json, "unknowns", unknowns);
  wy_json_number(json, "t_end", report->t_end);
  wy_json_integer(json, "rows", report->rows);
  wy_json_integer(json, "frames", report->snapshots);
  write_statistics(json, &report->statistics, WY_STATISTIC_COST);
  wy_json_number(json, "wall_seconds", report->wall_seconds);
  wy_json_number(json, "realtime_factor", report->realtime_factor);
  write_drifts(json, def, WY_ALL_RODS, &report->statistics);
  write_equilibrium(json, def, WY_ALL_RODS);
  write_rods(json, def, sets);
  write_groups(json, def);
  write_strands(json, def->scenario);
  write_warnings(json, def, report);
  wy_json_string(json, "message", report->message);
  wy_json_end_object(json);
}

wy_status wy_summary_write(const char *path, const wy_results_def *def, uint64_t identity, const wy_run_report *report,
                           wy_message *message) {
  wy_text text = {0};
  wy_json json = {.text = &text};
  wy_pool pool = {0};
  const wy_rod_sets sets = wy_rod_sets_find(def->scenario, def->model, def->sim, &pool);
  text.failed = pool.failed;
  write_all(&json, def, &sets, identity, report);
  wy_pool_release(&pool);
  wy_status status = wy_text_replace(path, &text, message);
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
  state->wrong = strstr(text, "\"status\": \"wrong\"") != NULL;
  state->done = state->wrong || strstr(text, "\"status\": \"done\"") != NULL;
  free(text);
  return WY_OK;
}
