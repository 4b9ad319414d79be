/* SPDX-License-Identifier: MIT */
/* Patterns of batches are rods of the file that are no rods of the model. In the tree they go to the end of `rods`, and
   their loads to the end of `loads`, so that numbers in paths of the library stay those of the tree; once all is read
   they are cut off. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/scenario/batches.h"
#include "run/scenario/nodes.h"

/* ---- In the tree ---- */

static wy_node *find_by_name(const wy_node *list, const char *name) {
  for (wy_node *entry = list && list->kind == WY_LIST ? list->first : NULL; entry; entry = entry->next) {
    const wy_node *node = wy_yaml_find(entry, "name");
    if (node && node->kind == WY_SCALAR && strcmp(node->text, name) == 0)
      return entry;
  }
  return NULL;
}

static bool is_pattern(const wy_reader *r, const wy_node *rod) {
  const wy_node *batches = wy_yaml_find(r->root, "batches");
  for (int i = 0; r->patterns && i < batches->count; i++)
    if (r->patterns[i] == rod)
      return true;
  return false;
}

/* Does the load, an entry of the tree, act on a pattern? */
static bool loads_pattern(const wy_reader *r, const wy_node *load) {
  const wy_node *rods = wy_yaml_find(r->root, "rods"), *rod = wy_yaml_find(load, "rod");
  if (load->kind != WY_MAPPING || wy_yaml_find(load, "body"))
    return false;
  if (rod && rod->kind == WY_SCALAR) {
    const wy_node *entry = find_by_name(rods, rod->text);
    return entry && is_pattern(r, entry);
  }
  return !rod && rods && rods->kind == WY_LIST && rods->count == 1 && is_pattern(r, rods->first);
}

/* Entries for which `last` is true follow the others. */
static void reorder(const wy_reader *r, wy_node *list, bool (*last)(const wy_reader *r, const wy_node *entry)) {
  wy_node *entries = list->first, *kept = NULL, **end = &kept;
  list->first = list->last = NULL;
  list->count = 0;
  while (entries) {
    wy_node *entry = entries;
    entries = entry->next;
    entry->next = NULL;
    if (last(r, entry)) {
      *end = entry;
      end = &entry->next;
    } else {
      wy_nodes_append(list, entry);
    }
  }
  while (kept) {
    wy_node *entry = kept;
    kept = entry->next;
    wy_nodes_append(list, entry);
  }
}

/* The rod in the tree that an entry of `batches` names; NULL where the reader will refuse it. */
static const wy_node *pattern_of(const wy_node *rods, const wy_node *batch) {
  const wy_node *rod = wy_yaml_find(batch, "rod");
  if (batch->kind != WY_MAPPING || !rods || rods->kind != WY_LIST)
    return NULL;
  if (!rod)
    return rods->count == 1 ? rods->first : NULL;
  return rod->kind == WY_SCALAR ? find_by_name(rods, rod->text) : NULL;
}

static void refuse_shared(wy_reader *r, const wy_node *batches, int index) {
  const wy_node *batch = wy_yaml_at(batches, index), *rod = wy_yaml_find(batch, "rod");
  for (int i = 0; i < index && !r->failed; i++)
    if (r->patterns[index] && r->patterns[i] == r->patterns[index])
      wy_read_fail(r, rod ? rod : batch,
                   "found the rod that is the pattern of batch number %d already; expected a rod for each batch",
                   i + 1);
  if (r->patterns[index] && !r->failed && wy_yaml_find(r->patterns[index], "copies"))
    wy_read_fail(
        r, wy_yaml_find(r->patterns[index], "copies"),
        "found copies in the pattern of a batch; expected a rod without them, since `count` and `roots` of the "
        "batch say how many there are, and where");
}

/* In `vary` the key `section.radius` may also stand as `radius` in a mapping `section`, as paths of --set have it. */
static void flatten_vary(wy_reader *r, wy_node *vary) {
  wy_batch_number number;
  const char *key;
  for (int k = 0; vary && vary->kind == WY_MAPPING && (key = wy_vary_key(k, &number)); k++) {
    const char *point = strchr(key, '.');
    char stem[32] = "";
    if (point)
      snprintf(stem, sizeof stem, "%.*s", (int)(point - key), key);
    wy_node *above = point ? wy_yaml_find(vary, stem) : NULL;
    wy_node *node = above && above->kind == WY_MAPPING ? wy_yaml_find(above, point + 1) : NULL;
    wy_node *same = wy_yaml_find(vary, key);
    if (!node)
      continue;
    if (same && !node->setting)
      wy_read_fail(r, node, "found %s, which is there already; expected it once", key);
    if (same)
      wy_nodes_remove(same);
    if (above->count == 1)
      wy_nodes_remove(above);
    else
      wy_nodes_remove(node);
    node->key = key;
    wy_nodes_append(vary, node);
  }
}

void wy_part_patterns(wy_reader *r) {
  const wy_node *batches = r->failed ? NULL : wy_yaml_find(r->root, "batches");
  wy_node *rods = wy_yaml_find(r->root, "rods"), *loads = wy_yaml_find(r->root, "loads");
  if (!batches || !wy_read_list(r, batches) || batches->count == 0)
    return;
  if (r->scenario->analysis != WY_DYNAMICS) {
    wy_read_fail(r, batches, "found batches together with analysis: %s; expected analysis: dynamics",
                 wy_analysis_name(r->scenario->analysis));
    return;
  }
  r->patterns = wy_read_take(r, (size_t)batches->count * sizeof *r->patterns);
  for (const wy_node *batch = batches->first; batch && !r->failed; batch = batch->next) {
    r->patterns[batch->index] = pattern_of(rods, batch);
    refuse_shared(r, batches, batch->index);
    flatten_vary(r, wy_yaml_find(batch, "vary"));
  }
  if (r->failed || !rods || rods->kind != WY_LIST)
    return;
  if (loads && loads->kind == WY_LIST)
    reorder(r, loads, loads_pattern);
  reorder(r, rods, is_pattern);
  for (const wy_node *rod = rods->first; rod; rod = rod->next)
    r->pattern_count += is_pattern(r, rod);
}

/* ---- Out of the model ---- */

/* Rods `first` and those behind them are patterns: their pairs, or those of the others. */
static void part_pairs(wy_reader *r, const wy_contact_def *all, int first, bool patterns, wy_contact_def *out) {
  wy_contact_pair *pairs = wy_read_take(r, ((size_t)all->pair_count + 1) * sizeof *pairs);
  const wy_contact_pair *given = all->pairs;
  const int count = all->pair_count;
  if (!pairs)
    return;
  *out = *all;
  out->pair_count = 0;
  for (int i = 0; i < count; i++)
    if ((given[i].rod >= first) == patterns) {
      pairs[out->pair_count] = given[i];
      pairs[out->pair_count++].rod -= patterns ? first : 0;
    }
  out->pairs = pairs;
}

static void part_loads(wy_reader *r, int first, wy_model_def *model, wy_model_def *patterns) {
  wy_load_def *own = wy_read_take(r, ((size_t)model->load_count + 1) * sizeof *own);
  int kept = 0, count = 0;
  for (int i = 0; own && i < model->load_count; i++) {
    const wy_load_def *load = &r->scenario->loads[i];
    if (load->place != WY_AT_BODY && load->rod >= first) {
      own[count] = *load;
      own[count++].rod -= first;
    } else {
      kept++;
    }
  }
  model->load_count = kept;
  patterns->loads = own;
  patterns->load_count = count;
}

static void refuse_ports(wy_reader *r, const char *list, int index, const wy_port *ports, int count) {
  char path[64];
  for (int i = 0; i < count && !r->failed; i++)
    if (ports[i].kind == WY_PORT_ROD && ports[i].index >= r->ordinary) {
      snprintf(path, sizeof path, "%s[%d].of", list, index);
      wy_read_fail_path(r, path,
                        "found the pattern of a batch; expected rods that are no patterns, since batches have "
                        "no joints and springs");
    }
}

void wy_take_patterns(wy_reader *r) {
  wy_scenario *scenario = r->scenario;
  const int first = r->ordinary, count = scenario->model.rod_count - first;
  if (r->failed || count <= 0)
    return;
  for (int i = 0; i < scenario->model.joint_count; i++)
    refuse_ports(r, "joints", i, scenario->joints[i].ports, scenario->joints[i].port_count);
  for (int i = 0; i < scenario->model.spring_count; i++)
    refuse_ports(r, "springs", i, scenario->springs[i].ports, 2);
  wy_model_def *patterns = &scenario->patterns;
  wy_contact_def *laws = wy_read_take(r, sizeof *laws);
  if (r->failed)
    return;
  *patterns = scenario->model;
  patterns->rods = scenario->rods + first;
  patterns->rod_count = count;
  patterns->joints = NULL, patterns->springs = NULL, patterns->actuators = NULL;
  patterns->joint_count = patterns->spring_count = patterns->actuator_count = 0;
  part_loads(r, first, &scenario->model, patterns);
  part_pairs(r, scenario->contact, first, true, laws);
  part_pairs(r, scenario->contact, first, false, scenario->contact);
  patterns->contact = laws;
  scenario->model.rod_count = first;
}
