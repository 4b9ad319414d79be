/* SPDX-License-Identifier: MIT */
/* Rods that share datasets: the copies of an entry of `rods`, which have the same points. What changes from rod to rod
   is one array for all of them, [rods][points][components]. Inner header of run/results/. */
#ifndef WY_RUN_RESULTS_SETS_H
#define WY_RUN_RESULTS_SETS_H

#include "run/scenario/scenario.h"
#include "run/tree/pool.h"

/* Rods first ... first + count - 1 of the model. `name` is that of the entry, to which each copy adds its number, from
   1 on; of a rod alone its own. */
typedef struct wy_rod_set {
  const char *name;
  int first, count;
} wy_rod_set;

typedef struct wy_rod_sets {
  const wy_rod_set *list;
  int count;
  bool shared; /* is any of more than one rod? Then files have format 2 */
} wy_rod_sets;

/* All rods, in their order: copies together, others alone. Copies with actuators, and copies of a scenario whose rods
   were edited and differ now, count as rods alone. */
wy_rod_sets wy_rod_sets_find(const wy_scenario *scenario, const wy_model *model, wy_sim *sim, wy_pool *pool);

/* The integrator of a set, or the continuation of its equilibria: "radau5", or "radau5, dopri5" where its rods differ.
 */
void wy_rod_set_methods(const wy_rod_set *set, const wy_scenario *scenario, const wy_sim *sim, char *out, size_t size);

/* The points of a quantity along a rod: of its view, or of its contact; NULL: it cannot touch anything. */
const wy_points *wy_rod_points(wy_sim *sim, int rod, const wy_quantity_info *info);
/* Are there as many of them, at the same arc lengths? */
bool wy_same_points(const wy_points *a, const wy_points *b);

#endif
