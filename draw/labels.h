/* SPDX-License-Identifier: MIT */
/* What pictures and pages call things: quantities, energies with their colours, and the facts of a run. */
#ifndef WY_DRAW_LABELS_H
#define WY_DRAW_LABELS_H

#include "draw/memory.h"
#include "run/folder/folder.h"

/* A quantity as an axis says it: "angular velocity"; `otherwise` where it is not known (-1). */
const char *wy_label_quantity(int quantity, const char *otherwise);
/* What the course of a run goes along: "time" or "pseudotime". */
const char *wy_label_time(wy_analysis analysis);

/* The probes that curves are drawn of, never NULL: every equilibrium of a path where they were written down, since they
   show more than the rows at output times; without those of batches where there are bands of them (draw/bands.h). */
wy_status wy_probes_drawn(wy_folder *folder, const wy_probes **out, wy_message *message);

/* The energies of a run, in the order in which they are drawn. */
enum {
  WY_ENERGY_KINETIC,
  WY_ENERGY_ELASTIC,
  WY_ENERGY_GRAVITY,
  WY_ENERGY_CONTACT, /* only with obstacles */
  WY_ENERGY_TOTAL,
  WY_ENERGY_WORK,
  WY_ENERGY_DISSIPATED,
  WY_ENERGIES
};
typedef struct wy_energy_style {
  const char *colour; /* of Okabe and Ito */
  double width;
  wy_quantity quantity;
  int dash;
} wy_energy_style;
extern const wy_energy_style wy_energy_styles[WY_ENERGIES];
/* "kinetic", ..., "total", as in result.h5. */
const char *wy_energy_name(int energy);

/* All of them in all snapshots; NULL where one is not stored as it should be. */
typedef struct wy_energies {
  const double *values[WY_ENERGIES];
} wy_energies;
wy_status wy_energies_read(wy_folder *folder, wy_energies *out, wy_message *message);

/* A line of the table on a page. */
typedef struct wy_fact {
  const char *name, *value;
} wy_fact;
typedef struct wy_facts {
  int count;
  wy_fact *list;
} wy_facts;

/* From the summary, and the probes of a single state. */
wy_status wy_facts_read(wy_folder *folder, wy_memory *memory, wy_facts *out, wy_message *message);
/* The value of a fact, or NULL. */
const char *wy_facts_find(const wy_facts *facts, const char *name);

#endif
