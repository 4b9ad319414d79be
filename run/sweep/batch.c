/* SPDX-License-Identifier: MIT */
/* The key `batch` of a plan: settings that make of the scenario of point 0 one whose only rod is the pattern of a batch
   with a rod for each point. The reader of scenarios refuses what batches cannot do. */
#include <stdio.h>
#include <string.h>

#include "run/results/json.h"
#include "run/sweep/plan.h"

/* Keys of a rod that a batch can vary, and by what name. `own`: what the pattern has instead, so that the numbers of
   the batch, which are factors on those of the pattern or are added to them, are those of the plan. */
static const struct {
  const char *key, *number, *own;
  bool vector;
} known[] = {{"length", "length", NULL, false},
             {"section.radius", "section.radius", NULL, false},
             {"material.young", "material.young", NULL, false},
             {"material.density", "material.density", NULL, false},
             {"damping.time", "damping", "1", false},
             {"drag.translation", "drag.translation", NULL, false},
             {"shape.curvature", "shape.curvature", NULL, true},
             {"initial.velocity", "initial.velocity", "[0, 0, 0]", true},
             {"loads[0].force", "loads", "1", false}}; /* a component of the only load */
enum { KNOWN = sizeof known / sizeof known[0], LOADS = KNOWN - 1, WHOLE = -1, MOST_SETTINGS = KNOWN + 2 };

/* Which axis gives a number: of all components, or of each. */
typedef struct source {
  const wy_axis *whole, *components[3];
} source;

/* A batch in the making. */
typedef struct making {
  wy_reader *r;
  wy_plan *plan;
  const wy_scenario *scenario; /* of point 0 */
  const wy_node *at;           /* the key `batch` */
  wy_node *tree;               /* the scenario */
  source sources[KNOWN];
  const char **settings; /* [MOST_SETTINGS] */
} making;

static const wy_node *axis_node(const making *m, const wy_axis *axis) {
  return wy_yaml_find(wy_yaml_find(m->r->root, "vary"), axis->path);
}

/* ---- What may vary ---- */

static void refuse_axis(making *m, const wy_axis *axis) {
  char list[256];
  const char *names[KNOWN];
  for (int k = 0; k < LOADS; k++)
    names[k] = known[k].key;
  wy_schema_join(names, LOADS, list, sizeof list);
  wy_read_fail(m->r, axis_node(m, axis),
               "found a key that a batch cannot vary; expected one of %s, of rods.%.60s, the only component of the "
               "force of the only load, or a plan without `batch`",
               list, m->scenario->rods[0].name);
}

/* "[0]" to "[2]", or -1. */
static int component_at(const char *text) {
  return text[0] == '[' && text[1] >= '0' && text[1] <= '2' && strcmp(text + 2, "]") == 0 ? text[1] - '0' : -1;
}

/* Which number a key behind that of the rod means, and which component of it; -1: none. */
static int find_number(const char *key, int *component) {
  for (int k = 0; k < LOADS; k++) {
    const size_t length = strlen(known[k].key);
    const char *rest = key + length;
    if (strncmp(key, known[k].key, length) != 0)
      continue;
    *component = WHOLE;
    if (!*rest)
      return k;
    *component = component_at(rest);
    if (known[k].vector && *component >= 0)
      return k;
  }
  return -1;
}

/* Does a key behind that of the load mean all that there is of forces and moments? Then it is a factor on them. */
static bool is_all_load(const making *m, const char *key) {
  const wy_load_def *load = &m->scenario->loads[0];
  const int varied = strncmp(key, "force", 5) == 0 ? component_at(key + 5) : -1;
  bool all = varied >= 0 && m->scenario->model.load_count == 1;
  for (int k = 0; k < 3 && all; k++)
    all = !load->force[k].evaluate && !load->moment[k].evaluate && load->moment[k].value == 0 &&
          (k == varied || load->force[k].value == 0);
  return all;
}

/* What is left of the path of a node behind that of the first entry of a list; NULL: it is none of it. */
static const char *behind_first(const making *m, const char *list, const char *path) {
  char first[256];
  const wy_node *entry = wy_yaml_at(wy_yaml_find(m->tree, list), 0);
  if (!entry)
    return NULL;
  wy_yaml_path(entry, first, sizeof first);
  const size_t length = strlen(first);
  return strncmp(path, first, length) == 0 && path[length] == '.' ? path + length + 1 : NULL;
}

static void take_axis(making *m, const wy_axis *axis) {
  char path[512] = "";
  wy_yaml_error error;
  const wy_node *node = wy_yaml_reach(m->r->pool, m->tree, axis->path, &error);
  if (node)
    wy_yaml_path(node, path, sizeof path);
  const char *of_rod = behind_first(m, "rods", path), *of_load = behind_first(m, "loads", path);
  int component = WHOLE, number = of_rod ? find_number(of_rod, &component) : -1;
  if (of_load && is_all_load(m, of_load))
    number = LOADS;
  if (number < 0)
    refuse_axis(m, axis);
  else if (component == WHOLE)
    m->sources[number].whole = axis;
  else
    m->sources[number].components[component] = axis;
}

/* The number of another component, which all rods share. */
static double own_number(making *m, int number, int component) {
  const wy_rod_def *rod = &m->scenario->rods[0];
  const bool curvature = strcmp(known[number].key, "shape.curvature") == 0;
  const wy_signal *signal = curvature ? &rod->shape.curvature[component] : &rod->initial.velocity[component];
  if (signal->evaluate)
    wy_read_fail(m->r, m->at, "found %s that changes along the rod, and varies from point to point; expected numbers",
                 known[number].key);
  return signal->value;
}

/* ---- Where a batch is not the same ---- */

static const wy_axis *axis_of(const making *m, const char *key) {
  for (int k = 0; k < KNOWN; k++)
    if (strcmp(known[k].key, key) == 0)
      return m->sources[k].whole;
  return NULL;
}

/* In a batch a place is a share of the length, in a scenario a distance from the start. */
static void check_places(making *m, const wy_axis *length) {
  const wy_scenario *scenario = m->scenario;
  const double end = scenario->rods[0].length;
  bool inside = false;
  for (int i = 0; i < scenario->probe_count; i++)
    inside = inside || (scenario->probes[i].s > 0 && scenario->probes[i].s < end);
  for (int i = 0; i < scenario->model.load_count; i++)
    inside = inside || scenario->loads[i].place == WY_AT_ARC || scenario->loads[i].place == WY_ALONG;
  for (int k = 0; k < 3; k++)
    inside = inside || scenario->rods[0].shape.curvature[k].evaluate;
  if (inside)
    wy_read_fail(
        m->r, axis_node(m, length),
        "found a length that varies, and a probe, load or curvature at an arc length, which a batch would move "
        "with it; expected places start and end, or a plan without `batch`");
}

static void check_numbers(making *m) {
  const wy_axis *length = axis_of(m, "length"), *young = axis_of(m, "material.young");
  if (length)
    check_places(m, length);
  if (young && m->scenario->rods[0].material.has_shear && !m->r->failed)
    wy_read_fail(m->r, axis_node(m, young),
                 "found Young's modulus varied beside a shear modulus, which a batch would change in proportion; "
                 "expected poisson in the scenario, or a plan without `batch`");
}

static void check_scenario(making *m) {
  const wy_scenario *scenario = m->scenario;
  const wy_model_def *model = &scenario->model;
  if (scenario->analysis != WY_DYNAMICS)
    wy_read_fail(m->r, m->at, "found a batch, but the analysis is %s; expected it with dynamics",
                 wy_analysis_name(scenario->analysis));
  else if (scenario->batch_count > 0)
    wy_read_fail(m->r, m->at, "found a scenario that has batches; expected one with one rod and none");
  else if (model->rod_count != 1 || model->body_count > 0 || model->joint_count > 0 || model->spring_count > 0)
    wy_read_fail(m->r, m->at,
                 "found a scenario of %d rods, %d bodies, %d joints and %d springs; expected one rod alone, of which "
                 "the batch is made",
                 model->rod_count, model->body_count, model->joint_count, model->spring_count);
}

static void check_kept(making *m) {
  const wy_node *keep = wy_yaml_find(m->r->root, "keep");
  for (int i = 0; i < m->plan->kept_count; i++) {
    const wy_kept *kept = &m->plan->kept[i];
    if (kept->kind == WY_KEPT_RUN)
      wy_read_fail(m->r, wy_yaml_find(keep, kept->name),
                   "found what a run costs, which the points of a batch share; expected probes");
  }
}

/* ---- The settings ---- */

static void set(making *m, wy_text *text) {
  if (text->failed)
    wy_read_no_memory(m->r);
  else
    m->settings[m->plan->batch_count++] = wy_read_copy(m->r, text->data, text->length);
  wy_text_free(text);
}

/* What is no list is quoted: an expression may have commas. */
static void write_value(wy_json *json, const char *key, const char *value) {
  wy_text raw = {0};
  if (value[0] != '[') {
    wy_json_string(json, key, value);
    return;
  }
  wy_text_add(&raw, "%s", value);
  wy_json_raw(json, key, &raw);
  json->text->failed = json->text->failed || raw.failed;
  wy_text_free(&raw);
}

static void write_point(making *m, wy_json *json, const wy_axis *axis, int point) {
  const wy_point_set *points = &m->plan->points;
  const int index = (int)(axis - points->axes);
  char room[128], *text = room;
  const size_t length = wy_points_text(points, point, index, room, sizeof room);
  if (length >= sizeof room) {
    text = wy_read_take(m->r, length + 1);
    if (text)
      wy_points_text(points, point, index, text, length + 1);
  }
  write_value(json, NULL, text ? text : "");
}

static void write_row(making *m, wy_json *json, int number, int point) {
  wy_json_list(json, NULL);
  for (int k = 0; k < 3; k++) {
    const wy_axis *axis = m->sources[number].components[k];
    if (axis)
      write_point(m, json, axis, point);
    else
      wy_json_number(json, NULL, own_number(m, number, k));
  }
  wy_json_end_list(json);
}

static bool varies(const source *from) {
  return from->whole || from->components[0] || from->components[1] || from->components[2];
}

static void write_numbers(making *m, wy_json *json) {
  wy_json_object(json, "vary");
  for (int k = 0; k < KNOWN; k++) {
    if (!varies(&m->sources[k]))
      continue;
    wy_json_list(json, known[k].number);
    for (int point = 0; point < m->plan->points.count && !m->r->failed; point++)
      if (m->sources[k].whole)
        write_point(m, json, m->sources[k].whole, point);
      else
        write_row(m, json, k, point);
    wy_json_end_list(json);
  }
  wy_json_end_object(json);
}

/* A name that the rod does not have. */
static const char *name_of(const making *m) {
  return strcmp(m->scenario->rods[0].name, "points") == 0 ? "rods" : "points";
}

static void set_batch(making *m) {
  wy_text text = {0};
  wy_json json = {.text = &text, .dense = true};
  wy_text_add(&text, "batches=");
  wy_json_list(&json, NULL);
  wy_json_object(&json, NULL);
  wy_json_string(&json, "name", name_of(m));
  wy_json_integer(&json, "count", m->plan->points.count);
  for (const wy_node *how = m->at->first; how && !m->r->failed; how = how->next)
    write_value(&json, how->key, wy_plan_value_text(m->r, how));
  write_numbers(m, &json);
  wy_json_end_object(&json);
  wy_json_end_list(&json);
  if (text.length >= WY_YAML_BYTES)
    wy_read_fail(m->r, m->at,
                 "found %d points, whose numbers are %zu bytes of text; expected less than %d, with fewer "
                 "points or fewer keys that vary",
                 m->plan->points.count, text.length, WY_YAML_BYTES);
  set(m, &text);
}

/* Those of the rod become those of the batch. */
static void set_probes(making *m) {
  const wy_node *probes = wy_yaml_find(m->tree, "probes");
  wy_text text = {0};
  wy_json json = {.text = &text, .dense = true};
  if (!probes || probes->kind != WY_LIST)
    return;
  wy_text_add(&text, "probes=");
  wy_json_list(&json, NULL);
  for (const wy_node *probe = probes->first; probe && !m->r->failed; probe = probe->next) {
    wy_json_object(&json, NULL);
    for (const wy_node *key = probe->first; key && !m->r->failed; key = key->next)
      if (strcmp(key->key, "rod") != 0)
        write_value(&json, key->key, wy_plan_value_text(m->r, key));
    wy_json_string(&json, "batch", name_of(m));
    wy_json_end_object(&json);
  }
  wy_json_end_list(&json);
  set(m, &text);
}

static void set_pattern(making *m) {
  for (int k = 0; k < KNOWN && !m->r->failed; k++) {
    wy_text text = {0};
    if (!known[k].own || !varies(&m->sources[k]))
      continue;
    if (m->sources[k].whole)
      wy_text_add(&text, "%s=%s", m->sources[k].whole->path, known[k].own);
    else
      wy_text_add(&text, "rods[0].%s=%s", known[k].key, known[k].own);
    set(m, &text);
  }
}

/* ---- The whole ---- */

/* The complaint of the reader with the line of what it is about: a number that varies, else the key `batch`. */
static void pass_on(making *m, const char *text) {
  for (int k = 0; k < KNOWN; k++) {
    char word[64];
    const source *from = &m->sources[k];
    const wy_axis *axis = from->whole;
    for (int i = 0; i < 3 && !axis; i++)
      axis = from->components[i];
    snprintf(word, sizeof word, ".vary.%s", known[k].number);
    const char *at = strstr(text, word), *rest = at ? strstr(at, ": ") : NULL;
    if (axis && rest)
      wy_read_fail(m->r, axis_node(m, axis), "%s", rest + 2);
  }
  wy_read_fail(m->r, m->at, "%s", text);
}

/* The reader takes the scenario that was made? */
static void check_made(making *m) {
  wy_scenario *made = NULL;
  wy_scenario_error error;
  const wy_status status = wy_plan_open_batch(m->plan, &made, &error);
  if (status == WY_ERROR_MEMORY)
    wy_read_no_memory(m->r);
  else if (status != WY_OK)
    pass_on(m, error.text);
  wy_scenario_destroy(made);
}

static void make(making *m) {
  wy_plan *plan = m->plan;
  m->tree = wy_plan_tree(m->r, plan);
  m->settings = wy_read_take(m->r, MOST_SETTINGS * sizeof *m->settings);
  check_scenario(m);
  check_kept(m);
  for (int i = 0; i < plan->points.axis_count && m->tree && !m->r->failed; i++)
    take_axis(m, &plan->points.axes[i]);
  if (!m->r->failed)
    check_numbers(m);
  if (!m->r->failed)
    set_pattern(m);
  if (!m->r->failed)
    set_batch(m);
  if (!m->r->failed)
    set_probes(m);
  plan->batch = m->settings;
  if (!m->r->failed)
    check_made(m);
}

void wy_plan_read_batch(wy_reader *r, wy_plan *plan) {
  const wy_node *node = wy_yaml_find(r->root, "batch");
  wy_scenario *scenario = NULL;
  wy_scenario_error error;
  const bool how = node && node->kind == WY_MAPPING;
  if (how ? !wy_read_mapping(r, node) : !wy_read_choice(r, node, false))
    return;
  if (plan->points.count > WY_MOST_BATCHED) {
    wy_read_fail(r, node, "found %d points; expected at most %d in a batch", plan->points.count, WY_MOST_BATCHED);
    return;
  }
  const wy_status status = wy_plan_open(plan, 0, &scenario, &error);
  if (status == WY_ERROR_MEMORY)
    wy_read_no_memory(r);
  else if (status != WY_OK)
    wy_read_fail(r, node, "found a batch whose point 0 is refused: %s", error.text);
  making m = {.r = r, .plan = plan, .scenario = scenario, .at = node};
  if (scenario)
    make(&m);
  wy_scenario_destroy(scenario);
}
