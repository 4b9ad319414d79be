/* SPDX-License-Identifier: MIT */
/* What the pictures of a run show, from its folder: probes, energies, centrelines. */
#include "draw/plot/gather.h"

#include <string.h>

enum { MOST_SHOWN = 25, FEWEST_SHOWN = 5, MOST_LINES = 150 }; /* of many rods fewer snapshots are drawn */
enum { MOST_TIMES = 1000 };                                   /* of a band */

bool wy_plot_good(const wy_plot_run *run, wy_status status) {
  if (status == WY_ERROR_MEMORY)
    longjmp(run->memory->begin, 1);
  return status == WY_OK;
}

const wy_stored_field *wy_plot_field(const wy_plot_run *run, const char *rod, const char *dataset) {
  const wy_stored_field *field = NULL;
  wy_plot_good(run, wy_folder_rod_field(run->folder, rod, dataset, 3, &field, NULL));
  return field;
}

/* ---- Probes and energies ---- */

static wy_status gather_probes(wy_plot_run *run, wy_message *message) {
  wy_status status = wy_probes_drawn(run->folder, &run->probes, message);
  run->probe_labels = wy_memory_take(run->memory, (size_t)run->probes->count, sizeof *run->probe_labels);
  for (int i = 0; i < run->probes->count; i++)
    run->probe_labels[i] = wy_label_quantity(run->probes->list[i].quantity, "value");
  return status;
}

/* The error of the energy balance: energy(t) - energy(0) - work + dissipated. */
static void find_balance(wy_plot_run *run) {
  const double *const *energy = run->energies.values, *total = energy[WY_ENERGY_TOTAL];
  const double *work = energy[WY_ENERGY_WORK], *dissipated = energy[WY_ENERGY_DISSIPATED];
  if (!total)
    return;
  run->balance = wy_memory_take(run->memory, (size_t)run->snapshots, sizeof *run->balance);
  for (int i = 0; i < run->snapshots; i++)
    run->balance[i] = total[i] - total[0] - (work ? work[i] : 0) + (dissipated ? dissipated[i] : 0);
}

/* ---- Centrelines ---- */

int wy_plot_shown_snapshot(const wy_plot_run *run, int k) {
  return run->shown < 2 ? 0 : (int)((long long)k * (run->snapshots - 1) / (run->shown - 1));
}

static void choose_shown(wy_plot_run *run) {
  int rods = 0;
  const char *const *names = NULL;
  wy_plot_good(run, wy_folder_rods(run->folder, &rods, &names, NULL));
  int most = rods * MOST_SHOWN <= MOST_LINES ? MOST_SHOWN : MOST_LINES / rods;
  most = most < FEWEST_SHOWN ? FEWEST_SHOWN : most;
  run->shown = run->snapshots < most ? run->snapshots : most;
  run->shown_time = wy_memory_take(run->memory, (size_t)run->shown, sizeof(double));
  for (int k = 0; k < run->shown; k++)
    run->shown_time[k] = run->time[wy_plot_shown_snapshot(run, k)];
}

static bool gather_rod(wy_plot_run *run, const char *name, wy_plot_rod *rod) {
  const wy_stored_field *field = wy_plot_field(run, name, "position");
  if (!field)
    return false;
  *rod = (wy_plot_rod){.name = name, .points = field->points, .s = field->s};
  size_t size = 3 * (size_t)rod->points;
  rod->position = wy_memory_take(run->memory, (size_t)run->shown * size, sizeof(double));
  bool good = true;
  for (int k = 0; k < run->shown && good; k++)
    good = wy_plot_good(run, wy_folder_read(run->folder, field, wy_plot_shown_snapshot(run, k), 1, 1,
                                            rod->position + (size_t)k * size, NULL));
  return good;
}

static void gather_rods(wy_plot_run *run) {
  int count = 0;
  const char *const *names = NULL;
  wy_plot_good(run, wy_folder_rods(run->folder, &count, &names, NULL));
  run->rods = wy_memory_take(run->memory, (size_t)count, sizeof *run->rods);
  for (int i = 0; i < count; i++)
    run->rod_count += gather_rod(run, names[i], &run->rods[run->rod_count]);
}

static wy_status gather_result(wy_plot_run *run, wy_message *message) {
  wy_status status = wy_folder_snapshots(run->folder, &run->snapshots, &run->time, message);
  if (status != WY_OK)
    return status;
  run->analysis = wy_folder_analysis(run->folder);
  if (run->snapshots > 0) {
    status = wy_energies_read(run->folder, &run->energies, message);
    find_balance(run);
    choose_shown(run);
    gather_rods(run);
    wy_plot_gather_network(run);
    wy_plot_gather_strands(run);
    wy_plot_gather_maps(run);
  }
  if (status == WY_OK)
    status = wy_bands_read(run->folder, run->memory, MOST_TIMES, &run->bands, message);
  if (status == WY_OK && wy_folder_has_one_state(run->folder)) {
    wy_plot_gather_forces(run);
    wy_plot_gather_modes(run);
    wy_plot_add_undeformed(run);
  }
  return status;
}

wy_status wy_plot_gather(wy_folder *folder, wy_memory *memory, wy_plot_run *run, wy_message *message) {
  *run = (wy_plot_run){.folder = folder, .memory = memory};
  wy_status status = wy_folder_check(folder, message);
  if (status == WY_OK)
    status = gather_probes(run, message);
  if (status == WY_OK)
    status = gather_result(run, message);
  run->title = wy_folder_title(folder);
  if (status == WY_OK)
    status = wy_plot_gather_steps(run, message);
  if (status == WY_OK)
    status = wy_facts_read(folder, memory, &run->facts, message);
  return status;
}
