/* SPDX-License-Identifier: MIT */
/* Differences of probes, energies and momenta. */
#include <math.h>
#include <string.h>

#include "draw/compare/differences.h"
#include "run/results/file.h"

/* ---- Probes ---- */

static int find_probe(const wy_compare_run *run, const char *name) {
  for (int i = 0; i < run->probes->count; i++)
    if (strcmp(run->probes->list[i].name, name) == 0)
      return i;
  return -1;
}

static const char *kind_of_probe(const wy_probe_values *probe) {
  static const char *const sizes[5] = {"", "a scalar", "a pair", "a vector", "a rotation"};
  return probe->quantity >= 0 ? wy_quantity_name((wy_quantity)probe->quantity) : sizes[probe->components];
}

static bool is_energy(int quantity) {
  return quantity >= 0 && wy_quantity_describe((wy_quantity)quantity)->home == WY_IN_ENERGY;
}

/* What may be infinite is compared by its reciprocal, which may not. */
static const double *reciprocals(wy_memory *memory, const double *values, int count) {
  double *out = wy_memory_take(memory, (size_t)count, sizeof *out);
  for (int i = 0; i < count; i++)
    out[i] = 1 / values[i];
  return out;
}

static void compare_probe(wy_comparison *c, const wy_match *match, int i, int j) {
  const wy_compare_run *a = &c->run[0], *b = &c->run[1];
  const wy_probe_values *one = &a->probes->list[i], *two = &b->probes->list[j];
  if (one->components != two->components ||
      (one->quantity >= 0 && two->quantity >= 0 && one->quantity != two->quantity)) {
    wy_compare_note_add(c, true, "the probe %s is %s in %s, but %s in %s: not compared", one->name, kind_of_probe(one),
                        c->label[0], kind_of_probe(two), c->label[1]);
    return;
  }
  wy_compare_series both[2] = {{.count = a->probes->rows}, {.count = b->probes->rows}};
  int quantity = one->quantity >= 0 ? one->quantity : two->quantity;
  const bool unbounded = quantity >= 0 && wy_quantity_describe((wy_quantity)quantity)->unbounded;
  for (int k = 0; k < one->components; k++) {
    both[0].part[k] = unbounded ? reciprocals(&c->memory, one->values[k], both[0].count) : one->values[k];
    both[1].part[k] = unbounded ? reciprocals(&c->memory, two->values[k], both[1].count) : two->values[k];
  }
  const char *name = unbounded ? wy_memory_print(&c->memory, "1 / %s", one->name) : one->name;
  wy_difference *d = wy_difference_add_series(c, WY_COMPARED_PROBE, name, match, both, one->components);
  memcpy(d->label, one->label, sizeof d->label);
  d->index[0] = i;
  d->index[1] = j;
  if (is_energy(quantity) && fmax(a->energy, b->energy) > 0)
    d->scale = fmax(a->energy, b->energy);
  else if (quantity >= 0)
    d->scale = fmax(d->scale, fmax(a->least[quantity], b->least[quantity]));
}

void wy_compare_probes(wy_comparison *c) {
  const wy_compare_run *a = &c->run[0], *b = &c->run[1];
  wy_text only[2] = {{0}, {0}};
  wy_match match;
  wy_match_times(&c->memory, a->probes->time, a->probes->rows, b->probes->time, b->probes->rows, &match);
  for (int i = 0; i < a->probes->count; i++) {
    int j = find_probe(b, a->probes->list[i].name);
    if (j < 0)
      wy_text_add(&only[0], "%s%s", only[0].length ? ", " : "", a->probes->list[i].name);
    else if (match.rows > 0)
      compare_probe(c, &match, i, j);
  }
  for (int j = 0; j < b->probes->count; j++)
    if (find_probe(a, b->probes->list[j].name) < 0)
      wy_text_add(&only[1], "%s%s", only[1].length ? ", " : "", b->probes->list[j].name);
  for (int side = 0; side < 2; side++) {
    wy_compare_note_lacking(c, side, "probes ", only[side].data);
    wy_text_free(&only[side]);
  }
  if (a->probes->count > 0 && b->probes->count > 0 && match.rows == 0)
    wy_compare_note_add(c, true, "the rows of probes.csv have no time in common");
  else if (a->probes->count > 0 && b->probes->count > 0)
    wy_compare_note_times(c, &match, "rows");
}

/* ---- Energies and momenta ---- */

void wy_compare_energies(wy_comparison *c, const wy_match *match) {
  const wy_compare_run *a = &c->run[0], *b = &c->run[1];
  for (int k = 0; k < WY_ENERGIES; k++) {
    wy_compare_series both[2] = {{{a->energies.values[k]}, a->snapshots}, {{b->energies.values[k]}, b->snapshots}};
    if (wy_compare_nothing(both, 1))
      continue;
    const char *name = wy_memory_print(&c->memory, "%s%s", wy_energy_name(k), k == WY_ENERGY_WORK ? "" : " energy");
    wy_difference *d = wy_difference_add_series(c, WY_COMPARED_ENERGY, name, match, both, 1);
    d->scale = fmax(a->energy, b->energy);
    d->index[0] = d->index[1] = k;
  }
}

void wy_compare_momenta(wy_comparison *c, const wy_match *match) {
  static const char *const names[2] = {"linear momentum", "angular momentum"};
  const wy_compare_run *a = &c->run[0], *b = &c->run[1];
  for (int k = 0; k < 2; k++) {
    wy_compare_series both[2] = {{.count = a->snapshots}, {.count = b->snapshots}};
    int quantity = k == 0 ? WY_LINEAR_MOMENTUM : WY_ANGULAR_MOMENTUM;
    for (int i = 0; i < 3; i++) {
      both[0].part[i] = a->momentum[k][i];
      both[1].part[i] = b->momentum[k][i];
    }
    if (wy_compare_nothing(both, 3))
      continue;
    wy_difference *d = wy_difference_add_series(c, WY_COMPARED_MOMENTUM, names[k], match, both, 3);
    memcpy(d->label, (char[4][2]){"x", "y", "z", ""}, sizeof d->label);
    d->scale = fmax(d->scale, fmax(a->least[quantity], b->least[quantity]));
  }
}
