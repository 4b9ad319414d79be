/* SPDX-License-Identifier: MIT */
/* The probes of a run: columns of a table that belong together. "tip.x", "tip.y", "tip.z" are the vector tip,
   "tip.w", ... a rotation; any other name is a scalar. Of a probe of a batch there are "tip.mean.x", ... */
#include <math.h>
#include <string.h>

#include "run/folder/folder.h"

/* The length of the probe's name in that of a column, and the label of the component. */
static size_t split_column(const char *column, char label[2]) {
  size_t length = strlen(column);
  bool part = length > 2 && column[length - 2] == '.' && strchr("wxyz", column[length - 1]);
  label[0] = '\0';
  if (part)
    label[0] = column[length - 1];
  label[1] = '\0';
  return part ? length - 2 : length;
}

int wy_folder_batch_probe(wy_folder *folder, const char *name) {
  const wy_scenario *scenario = wy_folder_scenario(folder);
  for (int i = 0; scenario && i < scenario->batch_probe_count; i++) {
    const char *probe = scenario->batch_probes[i].name;
    const size_t length = strlen(probe);
    if (strncmp(probe, name, length) == 0 && (name[length] == '\0' || name[length] == '.'))
      return scenario->batch_probes[i].quantity;
  }
  return -1;
}

static int quantity_of(wy_folder *folder, const char *probe) {
  const wy_scenario *scenario = wy_folder_scenario(folder);
  for (int i = 0; scenario && i < scenario->probe_count; i++)
    if (strcmp(scenario->probes[i].name, probe) == 0)
      return scenario->probes[i].quantity;
  return wy_folder_batch_probe(folder, probe);
}

/* Does this column go on with the probe? Labels ascend within a probe, so that a probe may follow another one of the
   same name. */
static bool continues(const wy_probe_values *last, const char *column, size_t length, char label) {
  char before = last->label[last->components - 1][0];
  return label && last->components < 4 && before && before < label && strlen(last->name) == length &&
         memcmp(last->name, column, length) == 0;
}

/* Groups the columns from `first` on. */
static bool group(wy_folder *folder, const wy_table *table, int first, wy_probes *probes) {
  wy_probe_values *list = wy_folder_take(folder, (size_t)table->columns, sizeof *list), *last = NULL;
  for (int c = first; list && c < table->columns; c++) {
    char label[2];
    size_t length = split_column(table->name[c], label);
    if (!last || !continues(last, table->name[c], length, label[0])) {
      char *name = wy_folder_copy(folder, table->name[c], length);
      if (!name)
        return false;
      last = &list[probes->count++];
      last->name = name;
      last->quantity = quantity_of(folder, name);
    }
    memcpy(last->label[last->components], label, sizeof label);
    last->values[last->components++] = table->values[c];
  }
  probes->list = list;
  return list != NULL;
}

/* Are values finite but where the quantity may be without bound? */
static wy_status check_values(const wy_folder *folder, const char *file, const wy_probes *probes, wy_message *message) {
  for (int i = 0; i < probes->count; i++) {
    const wy_probe_values *probe = &probes->list[i];
    const bool unbounded = probe->quantity >= 0 && wy_quantity_describe((wy_quantity)probe->quantity)->unbounded;
    for (int c = 0; c < probe->components && !unbounded; c++)
      for (int row = 0; row < probes->rows; row++)
        if (isinf(probe->values[c][row]))
          return wy_results_fail(message, WY_ERROR_INPUT, "%s/%s:%d: %s%s%s is infinite; expected a finite number",
                                 folder->path, file, row + 2, probe->name, probe->label[c][0] ? "." : "",
                                 probe->label[c]);
  }
  return WY_OK;
}

/* The probes of a table whose column `time` is the first that counts. */
static wy_status read_probes(wy_folder *folder, const char *file, int time, const wy_probes **out,
                             wy_message *message) {
  const void *kept = NULL;
  const wy_table *table = NULL;
  if (out)
    *out = NULL;
  if (!folder || !out)
    return wy_results_fail(message, WY_ERROR_INPUT, "no folder is given");
  if (wy_folder_recall(folder, "probes", file, &kept)) {
    *out = kept;
    return WY_OK;
  }
  wy_status status = wy_folder_table(folder, file, &table, message);
  if (status != WY_OK || !table)
    return status;
  if (table->columns > 0 && (table->columns <= time || strcmp(table->name[time], "t") != 0))
    return wy_results_fail(message, WY_ERROR_INPUT, "%s/%s:1: the %s column is '%.40s'; expected t", folder->path, file,
                           time == 0 ? "first" : "second", table->columns > time ? table->name[time] : "");
  wy_probes *probes = wy_folder_take(folder, 1, sizeof *probes);
  if (!probes)
    return wy_folder_out_of_memory(message);
  *probes = (wy_probes){.rows = table->rows, .cut = table->cut};
  if (table->columns > 0)
    probes->time = table->values[time];
  if (!group(folder, table, time + 1, probes))
    return wy_folder_out_of_memory(message);
  status = check_values(folder, file, probes, message);
  if (status == WY_OK)
    status = wy_folder_keep(folder, "probes", file, probes, message);
  *out = status == WY_OK ? probes : NULL;
  return status;
}

wy_status wy_folder_probes(wy_folder *folder, const wy_probes **out, wy_message *message) {
  return read_probes(folder, "probes.csv", 0, out, message);
}

wy_status wy_folder_path_probes(wy_folder *folder, const wy_probes **out, wy_message *message) {
  return read_probes(folder, "path.csv", 1, out, message);
}
