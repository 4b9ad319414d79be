/* SPDX-License-Identifier: MIT */
#include "draw/labels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *wy_label_quantity(int quantity, const char *otherwise) {
  return quantity < 0 ? otherwise : wy_quantity_describe((wy_quantity)quantity)->label;
}

const char *wy_label_time(wy_analysis analysis) {
  return analysis == WY_QUASISTATICS ? "pseudotime" : "time";
}

/* Is it a mean, a least or a largest value of a batch? */
static bool is_of_batch(wy_folder *folder, const char *probe) {
  return strchr(probe, '.') && wy_folder_batch_probe(folder, probe) >= 0;
}

/* Those of rods, bodies and the like. */
static wy_status leave_out_batches(wy_folder *folder, const wy_probes **probes, wy_message *message) {
  int snapshots = 0, batched = 0;
  const double *time = NULL;
  wy_status status = wy_folder_snapshots(folder, &snapshots, &time, message);
  for (int i = 0; i < (*probes)->count; i++)
    batched += is_of_batch(folder, (*probes)->list[i].name);
  if (status != WY_OK || batched == 0 || snapshots < 2)
    return status;
  wy_probes *others = wy_folder_take(folder, 1, sizeof *others);
  wy_probe_values *list = wy_folder_take(folder, (size_t)(*probes)->count, sizeof *list);
  if (!others || !list)
    return wy_folder_out_of_memory(message);
  *others = **probes;
  others->count = 0;
  others->list = list;
  for (int i = 0; i < (*probes)->count; i++)
    if (!is_of_batch(folder, (*probes)->list[i].name))
      list[others->count++] = (*probes)->list[i];
  *probes = others;
  return WY_OK;
}

wy_status wy_probes_drawn(wy_folder *folder, const wy_probes **out, wy_message *message) {
  static const wy_probes none = {0};
  wy_status status = wy_folder_path_probes(folder, out, message);
  if (status == WY_OK && !*out)
    status = wy_folder_probes(folder, out, message);
  if (!*out)
    *out = &none;
  return status == WY_OK ? leave_out_batches(folder, out, message) : status;
}

/* ---- Energies ---- */

const wy_energy_style wy_energy_styles[WY_ENERGIES] = {
    [WY_ENERGY_KINETIC] = {"#0072b2", 1.6, WY_KINETIC, 1},      [WY_ENERGY_ELASTIC] = {"#d55e00", 1.6, WY_ELASTIC, 1},
    [WY_ENERGY_GRAVITY] = {"#009e73", 1.6, WY_GRAVITY, 1},      [WY_ENERGY_CONTACT] = {"#56b4e9", 1.6, WY_CONTACT, 1},
    [WY_ENERGY_TOTAL] = {"#222222", 2.2, WY_ENERGY, 1},         [WY_ENERGY_WORK] = {"#e69f00", 1.6, WY_WORK, 2},
    [WY_ENERGY_DISSIPATED] = {"#cc79a7", 1.6, WY_DISSIPATED, 2}};

const char *wy_energy_name(int energy) {
  return wy_quantity_describe(wy_energy_styles[energy].quantity)->dataset;
}

wy_status wy_energies_read(wy_folder *folder, wy_energies *out, wy_message *message) {
  wy_status status = WY_OK;
  for (int i = 0; i < WY_ENERGIES && status != WY_ERROR_MEMORY; i++) {
    char path[40];
    snprintf(path, sizeof path, "/energy/%s", wy_energy_name(i));
    status = wy_folder_history(folder, path, 1, &out->values[i], message);
  }
  return status == WY_ERROR_MEMORY ? status : WY_OK;
}

/* ---- Facts ---- */

/* Fewer digits for people. */
static const char *shorten(wy_memory *memory, const char *value) {
  char *end;
  double number = strtod(value, &end);
  return *end == '\0' && strpbrk(value, ".eE") ? wy_memory_print(memory, "%.4g", number)
                                               : wy_memory_copy(memory, value, strlen(value));
}

/* Motions, equilibria or both have a fact. */
enum { MOVING = 1, RESTING = 2, ANY = MOVING | RESTING };

/* Facts while they are read. */
typedef struct reading {
  wy_folder *folder;
  wy_memory *memory;
  int analyses;
  wy_facts *facts;
  wy_status status;
  wy_message *message;
} reading;

static void add_fact(reading *in, const char *name, const char *entry, int analyses) {
  const char *value = NULL;
  if ((analyses & in->analyses) && in->status == WY_OK)
    in->status = wy_folder_summary(in->folder, entry, &value, in->message);
  if (value)
    in->facts->list[in->facts->count++] = (wy_fact){name, shorten(in->memory, value)};
}

/* Of equilibria a step is one of them, and there is nothing that depends on time. */
static void add_costs(reading *in) {
  const wy_statistic_info *info;
  for (int i = 0; (info = wy_statistic_describe(i)); i++) {
    bool step = info->key && strcmp(info->key, "steps") == 0, rhs = info->key && strcmp(info->key, "rhs") == 0;
    if (info->kind == WY_STATISTIC_COST && info->key && strcmp(info->key, "quadrature") != 0)
      add_fact(in, step && in->analyses == RESTING ? "equilibria" : info->label, info->key, rhs ? MOVING : ANY);
  }
}

static void add_drifts(reading *in) {
  const wy_statistic_info *info;
  for (int i = 0; (info = wy_statistic_describe(i)); i++)
    if (info->kind == WY_STATISTIC_DRIFT && info->key)
      add_fact(in, info->label, wy_memory_print(in->memory, "constraint_drift.%s", info->key), MOVING);
}

static wy_status read_summary(wy_folder *folder, wy_memory *memory, wy_facts *out, wy_message *message) {
  enum { MOST = 100 };
  reading in = {folder, memory, wy_folder_analysis(folder) == WY_DYNAMICS ? MOVING : RESTING, out, WY_OK, message};
  out->list = wy_memory_take(memory, MOST, sizeof *out->list);
  add_fact(&in, "analysis", "analysis", ANY);
  add_fact(&in, "status", "status", ANY);
  add_fact(&in, "message", "message", ANY);
  add_fact(&in, "scheme", "scheme", ANY);
  add_fact(&in, "model", "model", ANY);
  add_fact(&in, "integrator", "integrator", MOVING);
  add_fact(&in, "continuation", "integrator", RESTING);
  add_fact(&in, "unknowns", "unknowns", ANY);
  add_fact(&in, "simulated time", "t_end", MOVING);
  add_fact(&in, "loads of t =", "t_end", RESTING);
  add_costs(&in);
  add_fact(&in, "unstable directions", "equilibrium.unstable", ANY);
  add_fact(&in, "bifurcations passed", "equilibrium.bifurcations", ANY);
  add_fact(&in, "first bifurcation", "equilibrium.first_bifurcation", ANY);
  add_fact(&in, "limit points passed", "equilibrium.limit_points", ANY);
  add_fact(&in, "wall time in seconds", "wall_seconds", ANY);
  add_fact(&in, "real-time factor", "realtime_factor", MOVING);
  add_fact(&in, "energy at the start", "energy.start", MOVING);
  add_fact(&in, "energy at the end", "energy.end", ANY);
  add_fact(&in, "work", "energy.work", MOVING);
  add_fact(&in, "dissipated", "energy.dissipated", MOVING);
  add_fact(&in, "energy drift", "energy.drift", MOVING);
  add_drifts(&in);
  add_fact(&in, "withy version", "version", ANY);
  return in.status;
}

/* The probes of a single state are a table, not curves. */
static void add_probes(const wy_probes *probes, wy_memory *memory, wy_facts *out) {
  wy_fact *list = wy_memory_take(memory, (size_t)out->count + 4 * (size_t)probes->count, sizeof *list);
  memcpy(list, out->list, (size_t)out->count * sizeof *list);
  out->list = list;
  for (int i = 0; i < probes->count; i++)
    for (int k = 0; k < probes->list[i].components; k++) {
      const wy_probe_values *probe = &probes->list[i];
      list[out->count++] =
          (wy_fact){wy_memory_print(memory, "%.80s%s%s", probe->name, probe->label[k][0] ? "." : "", probe->label[k]),
                    wy_memory_print(memory, "%.7g", probe->values[k][probes->rows - 1])};
    }
}

wy_status wy_facts_read(wy_folder *folder, wy_memory *memory, wy_facts *out, wy_message *message) {
  const wy_probes *probes = NULL;
  wy_status status = read_summary(folder, memory, out, message);
  if (status == WY_OK && wy_folder_has_one_state(folder))
    status = wy_folder_probes(folder, &probes, message);
  if (status == WY_OK && probes && probes->rows > 0)
    add_probes(probes, memory, out);
  return status;
}

const char *wy_facts_find(const wy_facts *facts, const char *name) {
  for (int i = 0; i < facts->count; i++)
    if (strcmp(facts->list[i].name, name) == 0)
      return facts->list[i].value;
  return NULL;
}
