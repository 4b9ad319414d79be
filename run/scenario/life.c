/* SPDX-License-Identifier: MIT */
/* The life of a wy_scenario: from a text or a file, changed by settings, built, destroyed. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/scenario/reader.h"
#include "run/tree/bytes.h"
#include "withy/sundials.h"

_Static_assert(sizeof(wy_model_def) <= sizeof(((wy_scenario *)0)->room_for_model) &&
                   sizeof(wy_sim_def) <= sizeof(((wy_scenario *)0)->room_for_sim),
               "wy_scenario must keep its layout");
_Static_assert(sizeof(wy_batch_def) <= sizeof(((wy_scenario_batch *)0)->room_for_def), "likewise");

/* The bytes of what may be edited, as numbers. */
typedef struct mark {
  uint64_t whole;   /* model and simulation, with the places of their arrays */
  uint64_t entries; /* of these arrays */
} mark;

/* What a caller gets, and what it owns behind the scenes. */
typedef struct owner {
  wy_scenario scenario; /* first, so that the pointer to it is the pointer to the owner */
  wy_pool pool;
  const char *label;
  wy_names rod_names;
  int *entry_rods; /* how many rods each entry of `rods` stands for, more than one with `copies` */
  wy_expr **exprs;
  int expr_count;
  wy_spline **tables;
  int table_count;
  wy_model *model; /* of the checks, for the first wy_scenario_build; NULL afterwards */
  wy_sim *sim;     /* likewise */
  wy_distance_reader distances;
  mark as_read; /* of the definitions, to know whether they were edited since */
} owner;

/* What a scenario is made of. */
typedef struct source {
  const char *label, *name, *text;
  const char *const *settings;
  int setting_count;
  const char *last; /* one more setting, or NULL */
  const wy_scenario_file *files;
  int file_count;
  wy_distance_reader distances;
} source;

/* ---- Reading ---- */

static bool ends_in(const char *text, const char *ending) {
  size_t length = strlen(text), end = strlen(ending);
  return length >= end && strcmp(text + length - end, ending) == 0;
}

static wy_node *read_text(wy_pool *pool, const char *label, const char *text, wy_yaml_error *reason) {
  return ends_in(label, ".json") ? wy_json_read(pool, text, reason) : wy_yaml_read(pool, text, reason);
}

wy_node *wy_read_tree(wy_reader *r, const char *text, const char *const *settings, int count) {
  wy_scenario_error *error = r->error;
  wy_yaml_error reason = {0};
  wy_node *root = read_text(r->pool, r->label, text, &reason);
  for (int i = 0; root && i < count; i++)
    if (!wy_yaml_set(r->pool, root, settings[i], &reason))
      root = NULL;
  r->failed = !root;
  if (r->failed && r->pool->failed) {
    r->failed = false;
    wy_read_no_memory(r);
  }
  if (root || r->pool->failed)
    return root;
  r->status = WY_ERROR_INPUT;
  if (reason.line > 0)
    snprintf(error->text, sizeof error->text, "%s:%d: %s", r->label, reason.line, reason.text);
  else
    snprintf(error->text, sizeof error->text, "%s: %s", r->label, reason.text);
  if (reason.line > 0)
    snprintf(error->excerpt, sizeof error->excerpt, "%s", reason.excerpt);
  for (char *p = error->text; *p; p++)
    if (iscntrl((unsigned char)*p))
      *p = ' ';
  return NULL;
}

/* Fills the owner, whose name, text and settings are there; what it holds belongs to it in any case. */
static wy_status fill(owner *own, const source *from, wy_scenario_error *error) {
  wy_scenario *scenario = &own->scenario;
  scenario->model = wy_default_model_def();
  scenario->sim = wy_default_sim_def();
  scenario->sim.solver.more = wy_sundials();
  wy_reader r = {.label = own->label,
                 .pool = &own->pool,
                 .scenario = scenario,
                 .error = error,
                 .given = from->files,
                 .given_count = from->file_count,
                 .distances = from->distances,
                 .rod_names = &own->rod_names,
                 .entry_rods = &own->entry_rods,
                 .rod = -1};
  r.root = wy_read_tree(&r, scenario->text, scenario->settings, scenario->setting_count);
  if (!r.failed && !(r.scope = wy_expr_scope_create()))
    wy_read_no_memory(&r);
  if (!r.failed)
    wy_read_top(&r);
  if (!r.failed)
    wy_check_top(&r);
  wy_expr_scope_destroy(r.scope);
  own->exprs = r.exprs;
  own->expr_count = r.expr_count;
  own->tables = r.tables;
  own->table_count = r.table_count;
  own->model = r.model;
  own->sim = r.sim;
  return r.failed ? r.status : WY_OK;
}

static uint64_t mix(uint64_t value, const void *from, size_t bytes) {
  const unsigned char *byte = from;
  for (size_t i = 0; i < bytes; i++)
    value = (value ^ byte[i]) * 1099511628211U;
  return value;
}

static uint64_t mark_whole(const wy_scenario *scenario) {
  const uint64_t start = 14695981039346656037U;
  return mix(mix(start, &scenario->model, sizeof scenario->model), &scenario->sim, sizeof scenario->sim);
}

/* Of the arrays of this library, with its sizes and the counts that it has read. */
static uint64_t mark_entries(const wy_scenario *scenario) {
  const wy_model_def *model = &scenario->model;
  uint64_t value = 14695981039346656037U;
  value = mix(value, scenario->rods, (size_t)model->rod_count * sizeof *scenario->rods);
  value = mix(value, scenario->bodies, (size_t)model->body_count * sizeof *scenario->bodies);
  value = mix(value, scenario->joints, (size_t)model->joint_count * sizeof *scenario->joints);
  for (int i = 0; i < model->joint_count; i++)
    value = mix(value, scenario->joints[i].ports,
                (size_t)scenario->joints[i].port_count * sizeof *scenario->joints[i].ports);
  value = mix(value, scenario->springs, (size_t)model->spring_count * sizeof *scenario->springs);
  value = mix(value, scenario->obstacles, (size_t)model->obstacle_count * sizeof *scenario->obstacles);
  value = mix(value, scenario->contact, sizeof *scenario->contact);
  value =
      mix(value, scenario->contact->pairs, (size_t)scenario->contact->pair_count * sizeof *scenario->contact->pairs);
  value = mix(value, scenario->loads, (size_t)model->load_count * sizeof *scenario->loads);
  value = mix(value, scenario->actuators, (size_t)model->actuator_count * sizeof *scenario->actuators);
  return mix(value, scenario->solvers, (size_t)model->rod_count * sizeof *scenario->solvers);
}

/* Counts and arrays are looked at first: where they were replaced, the entries are others. */
static bool is_as_read(const owner *own) {
  return own->as_read.whole == mark_whole(&own->scenario) && own->as_read.entries == mark_entries(&own->scenario);
}

static const char *copy(owner *own, const char *text) {
  return wy_pool_copy(&own->pool, text, strlen(text));
}

/* Everything that reading begins with, copied; false without memory. */
static bool prepare(owner *own, const source *from) {
  wy_scenario *scenario = &own->scenario;
  const int count = from->setting_count;
  const char **copies = wy_pool_take(&own->pool, ((size_t)count + 1) * sizeof *copies);
  own->label = copy(own, from->label);
  scenario->name = copy(own, from->name);
  scenario->text = copy(own, from->text);
  for (int i = 0; i < count && copies; i++)
    copies[i] = copy(own, from->settings[i]);
  if (from->last && copies)
    copies[count] = copy(own, from->last);
  scenario->settings = copies;
  scenario->setting_count = count + (from->last != NULL);
  return !own->pool.failed;
}

static wy_status fail(wy_scenario_error *error, wy_status status, const char *label, const char *text) {
  snprintf(error->text, sizeof error->text, "%s: %s", label, text);
  return status;
}

static wy_status make(const source *from, owner **made, wy_scenario_error *error) {
  error->text[0] = error->excerpt[0] = '\0';
  owner *own = calloc(1, sizeof *own);
  *made = NULL;
  if (!own || !prepare(own, from)) {
    wy_scenario_destroy(own ? &own->scenario : NULL);
    return fail(error, WY_ERROR_MEMORY, from->label, "out of memory");
  }
  wy_status status = fill(own, from, error);
  if (status != WY_OK) {
    wy_scenario_destroy(&own->scenario);
    return status;
  }
  own->distances = from->distances;
  own->as_read = (mark){mark_whole(&own->scenario), mark_entries(&own->scenario)};
  *made = own;
  return WY_OK;
}

static bool are_there(const char *const *settings, int count) {
  bool there = count == 0 || (count > 0 && settings);
  for (int i = 0; i < count && there; i++)
    there = settings[i] != NULL;
  return there;
}

static bool have_texts(const wy_scenario_file *files, int count) {
  bool there = count == 0 || (count > 0 && files);
  for (int i = 0; i < count && there; i++)
    there = files[i].name && files[i].text;
  return there;
}

static wy_status read_given(wy_distance_reader distances, const char *label, const char *name, const char *text,
                            const char *const *settings, int setting_count, const wy_scenario_file *files,
                            int file_count, wy_scenario **scenario, wy_scenario_error *error) {
  wy_scenario_error unread;
  owner *own = NULL;
  error = error ? error : &unread;
  error->excerpt[0] = '\0';
  if (scenario)
    *scenario = NULL;
  if (!label || !name || !text || !scenario || !are_there(settings, setting_count) || !have_texts(files, file_count))
    return fail(error, WY_ERROR_INPUT, label ? label : "scenario", "found NULL; expected texts and a place to put it");
  const source from = {label, name, text, settings, setting_count, NULL, files, file_count, distances};
  wy_status status = make(&from, &own, error);
  *scenario = own ? &own->scenario : NULL;
  return status;
}

wy_status wy_scenario_read_with(const char *label, const char *name, const char *text, const char *const *settings,
                                int setting_count, const wy_scenario_file *files, int file_count,
                                wy_scenario **scenario, wy_scenario_error *error) {
  return read_given(NULL, label, name, text, settings, setting_count, files, file_count, scenario, error);
}

wy_status wy_scenario_read(const char *label, const char *name, const char *text, const char *const *settings,
                           int setting_count, wy_scenario **scenario, wy_scenario_error *error) {
  return wy_scenario_read_with(label, name, text, settings, setting_count, NULL, 0, scenario, error);
}

wy_status wy_scenario_set(wy_scenario *scenario, const char *setting, wy_scenario_error *error) {
  wy_scenario_error unread;
  owner *own = (owner *)scenario, *changed = NULL;
  error = error ? error : &unread;
  error->excerpt[0] = '\0';
  if (!scenario || !setting)
    return fail(error, WY_ERROR_INPUT, "scenario", "found NULL; expected a scenario and PATH=VALUE");
  const source from = {own->label, scenario->name,  scenario->text,       scenario->settings, scenario->setting_count,
                       setting,    scenario->files, scenario->file_count, own->distances};
  wy_status status = make(&from, &changed, error);
  if (status != WY_OK)
    return status;
  owner before = *own;
  *own = *changed;
  *changed = before;
  wy_scenario_destroy(&changed->scenario);
  return WY_OK;
}

wy_status wy_scenario_again(const wy_scenario *scenario, const char *const *settings, int count, wy_scenario **out,
                            wy_scenario_error *error) {
  const owner *own = (const owner *)scenario;
  const int before = scenario->setting_count;
  const char **all = calloc((size_t)before + (size_t)count + 1, sizeof *all);
  *out = NULL;
  if (!all)
    return fail(error, WY_ERROR_MEMORY, own->label, "out of memory");
  for (int i = 0; i < before + count; i++)
    all[i] = i < before ? scenario->settings[i] : settings[i - before];
  const wy_status status = read_given(own->distances, own->label, scenario->name, scenario->text, all, before + count,
                                      scenario->files, scenario->file_count, out, error);
  free(all);
  return status;
}

/* ---- Files ---- */

void wy_scenario_name(const char *file, char *out, size_t size) {
  static const char *const endings[] = {".yaml", ".yml", ".json"};
  const char *slash = strrchr(file, '/');
  snprintf(out, size, "%s", slash ? slash + 1 : file);
  for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
    if (ends_in(out, endings[i]) && strlen(out) > strlen(endings[i])) {
      out[strlen(out) - strlen(endings[i])] = '\0';
      return;
    }
}

/* What is wrong with the bytes of a file, before anybody looks at their meaning. */
static wy_status check_bytes(const char *path, const char *text, size_t size, wy_scenario_error *error) {
  const char *nul = memchr(text, '\0', size);
  int line = 1;
  for (const char *p = text; nul && p < nul; p++)
    line += *p == '\n';
  if (size > WY_YAML_BYTES)
    snprintf(error->text, sizeof error->text, "%s: found more than %d bytes; expected a smaller file", path,
             WY_YAML_BYTES);
  else if (nul)
    snprintf(error->text, sizeof error->text, "%s:%d: found the byte 0x00; expected UTF-8 text", path, line);
  return size > WY_YAML_BYTES || nul ? WY_ERROR_INPUT : WY_OK;
}

wy_status wy_scenario_load(const char *path, char **text, wy_scenario_error *error) {
  size_t size;
  const char *reason;
  wy_status status = wy_bytes_read(path, text, &size, &reason);
  if (status != WY_OK)
    return fail(error, status, path, reason);
  status = check_bytes(path, *text, size, error);
  if (status != WY_OK) {
    free(*text);
    *text = NULL;
  }
  return status;
}

wy_status wy_scenario_read_using(wy_distance_reader distances, const char *label, const char *name, const char *text,
                                 const char *const *settings, int setting_count, const wy_scenario_file *files,
                                 int file_count, wy_scenario **scenario, wy_scenario_error *error) {
  wy_scenario_error unread;
  error = error ? error : &unread;
  error->excerpt[0] = '\0';
  if (scenario)
    *scenario = NULL;
  if (!label || !scenario)
    return fail(error, WY_ERROR_INPUT, label ? label : "scenario", "found NULL; expected a path and a place to put it");
  char *own = NULL, own_name[256];
  wy_status status = text ? WY_OK : wy_scenario_load(label, &own, error);
  if (status != WY_OK)
    return status;
  wy_scenario_name(label, own_name, sizeof own_name);
  status = read_given(distances, label, name ? name : own_name, text ? text : own, settings, setting_count, files,
                      file_count, scenario, error);
  free(own);
  return status;
}

wy_status wy_scenario_read_file(const char *path, const char *const *settings, int setting_count,
                                wy_scenario **scenario, wy_scenario_error *error) {
  return wy_scenario_read_using(NULL, path, NULL, NULL, settings, setting_count, NULL, 0, scenario, error);
}

/* ---- Use ---- */

wy_status wy_scenario_build(wy_scenario *scenario, wy_model **model, wy_sim **sim, wy_message *message) {
  if (model)
    *model = NULL;
  if (sim)
    *sim = NULL;
  if (!scenario || !model || !sim) {
    if (message)
      *message = (wy_message){.text = "found NULL; expected a scenario and places for model and simulation"};
    return WY_ERROR_INPUT;
  }
  owner *own = (owner *)scenario;
  if (own->sim && is_as_read(own)) {
    *model = own->model;
    *sim = own->sim;
    own->model = NULL;
    own->sim = NULL;
    return WY_OK;
  }
  wy_status status = wy_model_create(&scenario->model, model, message);
  if (status == WY_OK)
    status = wy_sim_create(*model, &scenario->sim, sim, message);
  if (status != WY_OK) {
    wy_model_destroy(*model);
    *model = NULL;
  }
  return status;
}

int wy_scenario_rod(const wy_scenario *scenario, const char *name) {
  const int rod = scenario && name ? wy_names_find(&((const owner *)scenario)->rod_names, name, strlen(name)) : -1;
  return rod < (scenario ? scenario->model.rod_count : 0) ? rod : -1; /* the others are patterns */
}

int wy_scenario_entry(const wy_scenario *scenario, int rod) {
  const int *rods = ((const owner *)scenario)->entry_rods;
  int entry = 0;
  for (int before = rods[0]; before <= rod; before += rods[entry])
    entry++;
  return entry;
}

void wy_scenario_destroy(wy_scenario *scenario) {
  if (!scenario)
    return;
  owner *own = (owner *)scenario;
  wy_sim_destroy(own->sim);
  wy_model_destroy(own->model);
  for (int i = 0; i < own->expr_count; i++)
    wy_expr_destroy(own->exprs[i]);
  for (int i = 0; i < own->table_count; i++)
    wy_spline_destroy(own->tables[i]);
  wy_pool_release(&own->pool);
  free(own);
}
