/* SPDX-License-Identifier: MIT */
/* Rods that share datasets, in /batches. To readers copies are rods like all others; of the rods of a batch some are
   recorded, and have numbers. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/folder/folder.h"

/* A batch says which of its rods are recorded, copies are all there. */
static wy_status read_batch(wy_folder *folder, const char *name, wy_folder_batch *batch, wy_message *message) {
  const char *path = wy_folder_print(folder, "/batches/%s", name);
  const char *numbers = wy_folder_print(folder, "/batches/%s/rods", name);
  const wy_stored_numbers *found = NULL;
  if (!path || !numbers)
    return wy_folder_out_of_memory(message);
  const double rods = wy_folder_number(folder, path, "count", 0);
  *batch = (wy_folder_batch){.name = name, .count = rods >= 1 && rods < INT_MAX ? (int)rods : 0};
  wy_status status = wy_folder_numbers(folder, numbers, &found, message);
  batch->copies = !found;
  if (status != WY_OK || !found)
    return status;
  batch->recorded_count = found->size[0];
  batch->recorded = found->values;
  for (int i = 0; i < batch->recorded_count; i++) {
    const double number = found->values[i], before = i > 0 ? found->values[i - 1] : -1;
    if (!(number > before && number < batch->count && number == floor(number)))
      return wy_folder_damaged(folder, numbers, message);
  }
  return WY_OK;
}

static wy_status read_batches(wy_folder *folder, wy_message *message) {
  int count = 0;
  const char *const *names = NULL;
  wy_status status = wy_folder_names(folder, "/batches", &count, &names, message);
  wy_folder_batch *list = status == WY_OK ? wy_folder_take(folder, (size_t)count, sizeof *list) : NULL;
  if (status == WY_OK && !list)
    return wy_folder_out_of_memory(message);
  for (int i = 0; status == WY_OK && i < count; i++)
    status = read_batch(folder, names[i], &list[i], message);
  if (status == WY_OK)
    folder->batches = list, folder->batch_count = count;
  folder->has_batches = status == WY_OK;
  return status;
}

wy_status wy_folder_batches(wy_folder *folder, int *count, const wy_folder_batch **list, wy_message *message) {
  const wy_status status = folder->has_batches ? WY_OK : read_batches(folder, message);
  *count = folder->batch_count;
  *list = folder->batches;
  return status;
}

static bool describe_batch(wy_folder *folder, const wy_folder_batch *from, wy_stored_batch *out) {
  const char *group = wy_folder_print(folder, "/batches/%s", from->name);
  if (!group)
    return false;
  *out = (wy_stored_batch){.name = from->name,
                           .count = from->count,
                           .recorded = from->recorded_count,
                           .rods = from->recorded,
                           .segments = (int)wy_folder_number(folder, group, "segments", 0),
                           .radius = wy_folder_number(folder, group, "radius", 0)};
  return true;
}

wy_status wy_folder_batched(wy_folder *folder, int *count, const wy_stored_batch **list, wy_message *message) {
  const void *kept = NULL;
  const wy_folder_batch *all;
  int all_count = 0;
  if (!folder || !count || !list)
    return wy_results_fail(message, WY_ERROR_INPUT, "no folder is given");
  *count = 0;
  *list = NULL;
  wy_status status = wy_folder_batches(folder, &all_count, &all, message);
  if (status == WY_OK && !wy_folder_recall(folder, "batched", "", &kept)) {
    wy_stored_batch *found = wy_folder_take(folder, (size_t)all_count, sizeof *found);
    bool good = found != NULL;
    for (int i = 0, k = 0; good && i < all_count; i++)
      if (!all[i].copies)
        good = describe_batch(folder, &all[i], &found[k++]);
    status = good ? wy_folder_keep(folder, "batched", "", found, message) : wy_folder_out_of_memory(message);
    kept = found;
  }
  for (int i = 0; status == WY_OK && i < all_count; i++)
    *count += !all[i].copies;
  *list = status == WY_OK ? kept : NULL;
  return status;
}

/* The number of a rod in a batch, from 0 on, by its name, which has `length` characters; -1: it is not in it. */
static int number_in(const wy_folder_batch *batch, const char *name, size_t length) {
  const size_t stem = strlen(batch->name);
  long long number = 0;
  if (length <= stem || length - stem > 9 || memcmp(name, batch->name, stem) != 0 || name[stem] == '0')
    return -1;
  for (size_t i = stem; i < length; i++) {
    if (name[i] < '0' || name[i] > '9')
      return -1;
    number = 10 * number + (name[i] - '0');
  }
  return number <= batch->count ? (int)number - 1 : -1;
}

/* "/rods/x7/position" is number 6 of "/batches/x/position". */
static const wy_folder_place *find_place(wy_folder *folder, const char *path) {
  static const size_t before = sizeof "/rods/" - 1;
  wy_folder_place *place = wy_folder_take(folder, 1, sizeof *place);
  if (!place)
    return NULL;
  *place = (wy_folder_place){path, -1};
  const char *name = path + before, *slash = strchr(name, '/');
  const size_t length = slash ? (size_t)(slash - name) : strlen(name);
  for (int i = 0; i < folder->batch_count && place->rod < 0; i++)
    place->rod = folder->batches[i].copies ? number_in(&folder->batches[i], name, length) : -1,
    place->path =
        place->rod < 0 ? path : wy_folder_print(folder, "/batches/%s%s", folder->batches[i].name, name + length);
  return place->path && wy_folder_keep(folder, "place", path, place, NULL) == WY_OK ? place : NULL;
}

wy_folder_place wy_folder_find(wy_folder *folder, const char *path) {
  const void *kept = NULL;
  int count = 0;
  const wy_folder_batch *list;
  const wy_folder_place itself = {path, -1};
  if (strncmp(path, "/rods/", 6) != 0 || wy_folder_batches(folder, &count, &list, NULL) != WY_OK || count == 0)
    return itself;
  const wy_folder_place *place = wy_folder_recall(folder, "place", path, &kept) ? kept : find_place(folder, path);
  return place ? *place : itself;
}
