/* SPDX-License-Identifier: MIT */
/* By what the values of a run are measured, where they are too small to be measured by themselves. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw/compare/differences.h"
#include "run/results/summary.h"

/* Vectors along rods, of which result.h5 knows what they are everywhere. */
static bool is_along_rods(int quantity) {
  const wy_quantity_info *info = wy_quantity_describe((wy_quantity)quantity);
  return (info->home == WY_IN_VIEW || info->home == WY_IN_CONTACT) && info->components == 3;
}

/* Have they the same unit, as they are compared? Angles have none, and what may be infinite is compared by its
   reciprocal. */
static bool are_alike(const wy_quantity_info *one, const wy_quantity_info *along) {
  char unit[40];
  if (one->unbounded)
    snprintf(unit, sizeof unit, "1/%s", one->unit);
  else if (strncmp(one->unit, "rad", 3) == 0)
    snprintf(unit, sizeof unit, "1%s", one->unit + 3);
  else
    snprintf(unit, sizeof unit, "%s", one->unit);
  return strcmp(unit, along->unit) == 0;
}

/* What is not along rods is measured as what is and has the same unit: a reaction as a force, a length as a position.
 */
static void measure_alike(double values[WY_QUANTITY_COUNT]) {
  for (int q = 0; q < WY_QUANTITY_COUNT; q++)
    for (int along = 0; along < WY_QUANTITY_COUNT && !is_along_rods(q); along++)
      if (is_along_rods(along) &&
          are_alike(wy_quantity_describe((wy_quantity)q), wy_quantity_describe((wy_quantity)along)))
        values[q] = values[along];
}

/* The largest norm of a vector along one rod, in all snapshots; 0 where it is not stored as it should be. */
static wy_status find_largest(const wy_compare_run *run, wy_memory *memory, const char *rod, const char *dataset,
                              double *largest, wy_message *message) {
  const double *values = NULL;
  const wy_stored_field *field = NULL;
  const char *path = wy_memory_print(memory, "/rods/%s/%s", rod, dataset);
  if (wy_folder_field(run->folder, path, 3, &field, message) == WY_ERROR_MEMORY ||
      wy_folder_history(run->folder, path, 3, &values, message) == WY_ERROR_MEMORY)
    return WY_ERROR_MEMORY;
  size_t count = values ? (size_t)run->snapshots * (size_t)field->points : 0;
  for (size_t i = 0; i < count; i++)
    *largest = fmax(*largest, hypot(hypot(values[3 * i], values[3 * i + 1]), values[3 * i + 2]));
  return WY_OK;
}

/* A probe that should be zero is noise of the solver. It is not measured by itself, but by a share of what the same
   quantity is elsewhere on the rods. Momenta have no elsewhere: what moves with the largest speed at the largest
   distance takes its place. */
static wy_status measure_by_others(wy_compare_run *run, wy_memory *memory, wy_message *message) {
  const double share = 1e-3, *kinetic = run->energies.values[WY_ENERGY_KINETIC];
  double largest[WY_QUANTITY_COUNT] = {0}, most = 0;
  int rods = 0;
  const char *const *names = NULL;
  wy_status status = wy_folder_rods(run->folder, &rods, &names, message);
  for (int q = 0; q < WY_QUANTITY_COUNT; q++)
    for (int r = 0; r < rods && status == WY_OK && is_along_rods(q); r++)
      status = find_largest(run, memory, names[r], wy_quantity_describe((wy_quantity)q)->dataset, &largest[q], message);
  measure_alike(largest);
  for (int i = 0; i < run->snapshots && kinetic; i++)
    most = fmax(most, kinetic[i]);
  if (largest[WY_VELOCITY] > 0)
    largest[WY_LINEAR_MOMENTUM] = 2 * most / largest[WY_VELOCITY];
  largest[WY_ANGULAR_MOMENTUM] = largest[WY_LINEAR_MOMENTUM] * largest[WY_POSITION];
  for (int q = 0; q < WY_QUANTITY_COUNT; q++)
    run->least[q] = fmax(run->least[q], share * largest[q]);
  return status;
}

/* Of a rod at rest all values are noise. They are measured by what turns or displaces a rod by a millionth (of its
   length, during the run), by strains of 1e-9, and energies by strains of 1e-10. */
static void measure_by_rods(wy_compare_run *run, const wy_model *model, double end) {
  double length = 0, mass = 0, extension = 0, bending = 0, small = 1e-6;
  for (int i = 0; i < wy_model_rod_count(model); i++) {
    double own = wy_model_rod(model, i)->length;
    wy_section_values section = wy_model_section(model, i, 0.5 * own);
    length = fmax(length, own);
    mass += section.mass * own;
    extension = fmax(extension, section.stiffness[2]);
    bending = fmax(bending, fmax(section.stiffness[3], section.stiffness[4]));
  }
  length = length > 0 ? length : 1; /* of bodies without rods */
  run->least[WY_POSITION] = small * length;
  run->least[WY_CURVATURE] = small / length;
  run->least[WY_MOMENT] = small * bending / length;
  run->least[WY_STRAIN] = 1e-9;
  run->least[WY_FORCE] = fmax(1e-9 * extension, small * bending / (length * length));
  run->least[WY_CONTACT_LOAD] = run->least[WY_FORCE] / length;
  measure_alike(run->least);
  if (end > 0) {
    run->least[WY_VELOCITY] = small * length / end;
    run->least[WY_ANGULAR_VELOCITY] = small / end;
    run->least[WY_LINEAR_MOMENTUM] = mass * run->least[WY_VELOCITY];
    run->least[WY_ANGULAR_MOMENTUM] = length * run->least[WY_LINEAR_MOMENTUM];
  }
  run->energy = 1e6 * wy_energy_round_off(model, WY_ALL_RODS);
}

wy_status wy_compare_measure(wy_compare_run *run, wy_memory *memory, wy_message *message) {
  const wy_model *model = wy_folder_model(run->folder);
  wy_status status = WY_OK;
  if (model)
    measure_by_rods(run, model, wy_folder_scenario(run->folder)->end);
  if (run->snapshots > 0)
    status = measure_by_others(run, memory, message);
  for (int k = WY_ENERGY_KINETIC; k <= WY_ENERGY_ELASTIC; k++)
    for (int i = 0; i < run->snapshots && run->energies.values[k]; i++)
      run->energy = fmax(run->energy, run->energies.values[k][i]);
  return status;
}
