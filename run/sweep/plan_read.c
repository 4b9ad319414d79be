/* SPDX-License-Identifier: MIT */
/* Reading a plan: its settings, the scenario that it names, a first look at that; what varies: vary.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "run/results/file.h"
#include "run/sweep/plan.h"
#include "run/tree/suggest.h"

enum { COOKIE = 0x77795031 }; /* "wyP1" */
enum { TRIES = 16 };          /* points whose settings are looked at before the sweep */

WY_DEF_ENDS_WITH(wy_plan_def, files);

void wy_init_plan_def(wy_plan_def *def, size_t size) {
  const wy_plan_def usual = {.cookie = COOKIE, .size = sizeof usual};
  wy_def_fill(def, size, &usual);
}

/* ---- Settings of all points ---- */

static const char *join(wy_reader *r, const char *path, const char *value) {
  const size_t size = strlen(path) + strlen(value) + 2;
  char *setting = wy_read_take(r, size);
  if (setting)
    snprintf(setting, size, "%s=%s", path, value);
  return setting ? setting : "";
}

static void read_settings(wy_reader *r, wy_plan *plan, const wy_plan_def *def) {
  const wy_node *set = wy_yaml_find(r->root, "set");
  if (set && set->kind != WY_NULL && set->kind != WY_MAPPING)
    wy_read_refuse(r, set);
  const int own = set && set->kind == WY_MAPPING ? set->count : 0;
  const char **settings = wy_read_take(r, (size_t)(own + def->setting_count) * sizeof *settings);
  for (const wy_node *node = own ? set->first : NULL; node && !r->failed; node = node->next) {
    wy_plan_check_path(r, node);
    settings[node->index] = join(r, node->key, wy_plan_value_text(r, node));
  }
  for (int i = 0; i < def->setting_count && !r->failed; i++)
    settings[own + i] = wy_read_copy(r, def->settings[i], strlen(def->settings[i]));
  plan->settings = settings;
  plan->setting_count = own + def->setting_count;
}

/* ---- The scenario ---- */

static const char *closest(const wy_plan_def *def, const char *name) {
  enum { MOST = 256 };
  const char *names[MOST];
  const int count = def->scenario_count < MOST ? def->scenario_count : MOST;
  for (int i = 0; i < count; i++)
    names[i] = def->scenarios[i].name;
  return wy_suggest(name, names, count);
}

/* One in memory, or NULL with a message. */
static const wy_scenario_file *find_scenario(wy_reader *r, const wy_node *node, const wy_plan_def *def,
                                             const char *path) {
  for (int i = 0; i < def->scenario_count; i++)
    if (strcmp(def->scenarios[i].name, node->text) == 0)
      return &def->scenarios[i];
  const char *close = closest(def, node->text);
  wy_read_fail(r, node, "found no file %.300s and no built-in scenario '%.100s'; expected one of them%s%s%s", path,
               node->text, close ? "; did you mean '" : "", close ? close : "", close ? "'?" : "");
  return NULL;
}

static void load_scenario(wy_reader *r, const wy_node *node, wy_plan *plan) {
  wy_scenario_error error = {.text = ""};
  char *text = NULL;
  const wy_status status = wy_scenario_load(plan->scenario_label, &text, &error);
  if (status == WY_ERROR_MEMORY)
    wy_read_no_memory(r);
  else if (status != WY_OK)
    wy_read_fail(r, node, "%s", error.text);
  else
    plan->scenario_text = wy_read_copy(r, text, strlen(text));
  if (status == WY_ERROR_FILE)
    r->status = WY_ERROR_FILE;
  free(text);
}

static void read_scenario(wy_reader *r, wy_plan *plan, const wy_plan_def *def) {
  const wy_node *node = wy_read_need(r, r->root, "scenario");
  const char *name = wy_read_text(r, node);
  char bare[256];
  struct stat status;
  if (!r->failed && !name[0])
    wy_read_refuse(r, node);
  if (r->failed)
    return;
  const char *path = wy_csv_path(r->pool, r->label, name);
  wy_scenario_name(name, bare, sizeof bare);
  plan->scenario = name;
  plan->scenario_name = wy_read_copy(r, bare, strlen(bare));
  if (!path) {
    wy_read_no_memory(r);
  } else if (stat(path, &status) == 0 && S_ISREG(status.st_mode)) {
    plan->scenario_label = path;
    load_scenario(r, node, plan);
  } else {
    const wy_scenario_file *memory = find_scenario(r, node, def, path);
    plan->scenario_label = name;
    plan->scenario_text = memory ? wy_read_copy(r, memory->text, strlen(memory->text)) : "";
    plan->files = def->files; /* until those that it names are known */
    plan->file_count = def->file_count;
  }
}

/* ---- A first look at the scenario with the settings of a point ---- */

/* What is behind "--set PATH: " in a message about the scenario, or NULL. */
static const char *behind_setting(const char *text, const char *path) {
  char word[600];
  snprintf(word, sizeof word, "--set %.500s: ", path);
  const char *at = strstr(text, word);
  return at ? at + strlen(word) : NULL;
}

/* The message about the scenario with the line of the plan that it is about. */
static void pass_on(wy_reader *r, const wy_scenario_error *error) {
  static const char *const parts[] = {"vary", "set"};
  for (int i = 0; i < 2; i++) {
    const wy_node *part = wy_yaml_find(r->root, parts[i]);
    for (const wy_node *node = part ? part->first : NULL; node && !r->failed; node = node->next) {
      const char *rest = behind_setting(error->text, node->key);
      if (rest)
        wy_read_fail(r, node, "%s", rest);
    }
  }
  wy_read_fail(r, wy_yaml_find(r->root, "scenario"), "%s", error->text);
}

/* Of a point whose settings are accepted: some may be refused, which becomes a row, but not all. */
static wy_scenario *open_some(wy_reader *r, const wy_plan *plan) {
  wy_scenario *scenario = NULL;
  wy_scenario_error first = {.text = ""}, error;
  const int count = plan->points.count, tries = count < TRIES ? count : TRIES;
  for (int i = 0; i < tries && !scenario; i++) {
    const int point = (int)((long long)i * (count - 1) / (tries > 1 ? tries - 1 : 1));
    const wy_status status = wy_plan_open(plan, point, &scenario, i == 0 ? &first : &error);
    if (status == WY_ERROR_MEMORY) {
      wy_read_no_memory(r);
      return NULL;
    }
  }
  if (!scenario)
    pass_on(r, &first);
  return scenario;
}

/* The text of a file that a value of a list names, or NULL: it names none. */
static const char *listed_file(wy_reader *r, const wy_plan *plan, const char *name) {
  struct stat status;
  wy_scenario_error error;
  char *text = NULL;
  const char *copy = NULL, *path = name[0] ? wy_csv_path(r->pool, plan->scenario_label, name) : NULL;
  if (path && stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
      (wy_scenario_load(path, &text, &error) == WY_OK || wy_distance_file(path, &text, NULL) == WY_OK))
    copy = wy_read_copy(r, text, strlen(text));
  free(text);
  return copy;
}

/* The files that the scenario names, and those that lists of the plan name: a row depends on them, too. They are read
   once. */
static void keep_files(wy_reader *r, wy_plan *plan, const wy_scenario *scenario) {
  int count = scenario->file_count;
  for (int i = 0; i < plan->points.axis_count; i++)
    count += plan->points.axes[i].kind == WY_AXIS_LIST ? plan->points.axes[i].count : 0;
  wy_scenario_file *files = wy_read_take(r, (size_t)count * sizeof *files);
  count = 0;
  for (; count < scenario->file_count && !r->failed; count++) {
    const wy_scenario_file *file = &scenario->files[count];
    files[count] = (wy_scenario_file){wy_read_copy(r, file->name, strlen(file->name)),
                                      wy_read_copy(r, file->text, strlen(file->text))};
  }
  for (int i = 0; i < plan->points.axis_count; i++) {
    const wy_axis *axis = &plan->points.axes[i];
    for (int k = 0; axis->kind == WY_AXIS_LIST && k < axis->count && !r->failed; k++) {
      const char *text = listed_file(r, plan, axis->texts[k]);
      if (text && !r->failed)
        files[count++] = (wy_scenario_file){axis->texts[k], text};
    }
  }
  plan->files = files;
  plan->file_count = count;
}

static uint64_t hash_text(uint64_t hash, const char *text) {
  return wy_hash(hash, text, strlen(text) + 1);
}

static uint64_t identity_of(const wy_plan *plan) {
  uint64_t hash = hash_text(hash_text(WY_HASH_START, plan->text), plan->scenario_text);
  for (int i = 0; i < plan->setting_count; i++)
    hash = hash_text(hash, plan->settings[i]);
  for (int i = 0; i < plan->file_count; i++)
    hash = hash_text(hash_text(hash, plan->files[i].name), plan->files[i].text);
  return hash_text(hash, wy_version());
}

/* ---- The whole ---- */

static void read_version(wy_reader *r) {
  const wy_node *node = wy_read_need(r, r->root, "withy");
  if (node && wy_read_number(r, node) != 1)
    wy_read_expected(r, node, "1, the format version that this program reads");
}

static void read_keys(wy_reader *r, wy_plan *plan, const wy_plan_def *def) {
  if (r->root->kind != WY_MAPPING)
    wy_read_refuse(r, r->root);
  wy_read_mapping(r, r->root);
  read_version(r);
  read_settings(r, plan, def);
  wy_plan_read_points(r, &plan->points);
  read_scenario(r, plan, def);
  wy_scenario *scenario = r->failed ? NULL : open_some(r, plan);
  if (scenario)
    wy_plan_check_places(r, plan);
  if (scenario && !r->failed)
    keep_files(r, plan, scenario);
  if (scenario && !r->failed)
    wy_plan_read_keep(r, plan, scenario);
  wy_scenario_destroy(scenario);
  if (!r->failed)
    wy_plan_read_batch(r, plan);
  if (!r->failed)
    plan->identity = identity_of(plan);
}

static wy_status fill(wy_plan *plan, const wy_plan_def *def, wy_scenario_error *error) {
  wy_reader r = {.label = def->label, .pool = &plan->pool, .error = error, .rod = -1};
  plan->text = wy_read_copy(&r, def->text, strlen(def->text));
  r.root = r.failed ? NULL : wy_read_tree(&r, plan->text, NULL, 0);
  if (!r.failed && !(r.scope = wy_expr_scope_create()))
    wy_read_no_memory(&r);
  if (!r.failed) {
    r.root->schema = &wy_schema_plan_root;
    read_keys(&r, plan, def);
  }
  wy_expr_scope_destroy(r.scope);
  for (int i = 0; i < r.expr_count; i++)
    wy_expr_destroy(r.exprs[i]);
  return r.failed ? r.status : WY_OK;
}

static wy_status make(const wy_plan_def *def, wy_plan **made, wy_scenario_error *error) {
  wy_plan *plan = calloc(1, sizeof *plan);
  if (!plan) {
    snprintf(error->text, sizeof error->text, "%s: out of memory", def->label);
    return WY_ERROR_MEMORY;
  }
  const wy_status status = fill(plan, def, error);
  if (status == WY_OK)
    *made = plan;
  else
    wy_plan_destroy(plan);
  return status;
}

static bool is_complete(const wy_plan_def *def) {
  bool good = def->label && def->setting_count >= 0 && def->scenario_count >= 0 && def->file_count >= 0;
  good = good && (def->setting_count == 0 || def->settings) && (def->scenario_count == 0 || def->scenarios) &&
         (def->file_count == 0 || def->files);
  for (int i = 0; good && i < def->setting_count; i++)
    good = def->settings[i] != NULL;
  for (int i = 0; good && i < def->scenario_count; i++)
    good = def->scenarios[i].name && def->scenarios[i].text;
  for (int i = 0; good && i < def->file_count; i++)
    good = def->files[i].name && def->files[i].text;
  return good;
}

wy_status wy_plan_read(const wy_plan_def *given, wy_plan **plan, wy_scenario_error *error) {
  wy_scenario_error unread;
  wy_message message;
  wy_plan_def own = wy_default_plan_def();
  const wy_plan_def *def = wy_def_read(given, &own, "plan", "", &message);
  error = error ? error : &unread;
  error->text[0] = error->excerpt[0] = '\0';
  if (plan)
    *plan = NULL;
  if (!plan || !def || !is_complete(def)) {
    snprintf(error->text, sizeof error->text, "%s",
             def ? "found NULL; expected a label, as many texts as the definition says, and a place for the plan"
                 : message.text);
    return WY_ERROR_INPUT;
  }
  if (def->text)
    return make(def, plan, error);
  wy_plan_def loaded = *def;
  char *text;
  wy_status status = wy_scenario_load(def->label, &text, error);
  if (status != WY_OK)
    return status;
  loaded.text = text;
  status = make(&loaded, plan, error);
  free(text);
  return status;
}
