/* SPDX-License-Identifier: MIT */
/* What is asked of a plan. */
#include "run/sweep/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void wy_plan_destroy(wy_plan *plan) {
  if (!plan)
    return;
  wy_pool_release(&plan->pool);
  free(plan);
}

uint64_t wy_plan_identity(const wy_plan *plan) {
  return plan ? plan->identity : 0;
}

const char *wy_plan_scenario(const wy_plan *plan) {
  return plan ? plan->scenario : NULL;
}

bool wy_plan_is_batch(const wy_plan *plan) {
  return plan && plan->batch;
}

int wy_plan_point_count(const wy_plan *plan) {
  return plan ? plan->points.count : 0;
}

/* ---- Parameters ---- */

int wy_plan_parameter_count(const wy_plan *plan) {
  return plan ? plan->points.axis_count : 0;
}

static bool has_parameter(const wy_plan *plan, int parameter) {
  return plan && parameter >= 0 && parameter < plan->points.axis_count;
}

const char *wy_plan_parameter(const wy_plan *plan, int parameter) {
  return has_parameter(plan, parameter) ? plan->points.axes[parameter].path : NULL;
}

static bool has_point(const wy_plan *plan, int point) {
  return plan && point >= 0 && point < plan->points.count;
}

size_t wy_plan_value(const wy_plan *plan, int point, int parameter, char *text, size_t size) {
  if (text && size > 0)
    text[0] = '\0';
  if (!has_parameter(plan, parameter) || !has_point(plan, point))
    return 0;
  return wy_points_text(&plan->points, point, parameter, text, text ? size : 0);
}

double wy_plan_number(const wy_plan *plan, int point, int parameter) {
  const double none = NAN;
  return has_parameter(plan, parameter) && has_point(plan, point) ? wy_points_number(&plan->points, point, parameter)
                                                                  : none;
}

int wy_plan_setting_count(const wy_plan *plan) {
  return plan ? plan->setting_count + plan->points.axis_count : 0;
}

size_t wy_plan_setting(const wy_plan *plan, int point, int setting, char *text, size_t size) {
  size = text ? size : 0;
  if (size > 0)
    text[0] = '\0';
  if (!has_point(plan, point) || setting < 0 || setting >= wy_plan_setting_count(plan))
    return 0;
  if (setting < plan->setting_count)
    return (size_t)snprintf(text, size, "%s", plan->settings[setting]);
  const int parameter = setting - plan->setting_count;
  const size_t path = (size_t)snprintf(text, size, "%s=", plan->points.axes[parameter].path);
  return path + wy_points_text(&plan->points, point, parameter, path < size ? text + path : NULL,
                               path < size ? size - path : 0);
}

/* ---- What is kept ---- */

int wy_plan_quantity_count(const wy_plan *plan) {
  return plan ? plan->kept_count : 0;
}

static bool has_quantity(const wy_plan *plan, int quantity) {
  return plan && quantity >= 0 && quantity < plan->kept_count;
}

const char *wy_plan_quantity(const wy_plan *plan, int quantity) {
  return has_quantity(plan, quantity) ? plan->kept[quantity].name : NULL;
}

const char *wy_plan_quantity_unit(const wy_plan *plan, int quantity) {
  return has_quantity(plan, quantity) ? plan->kept[quantity].unit : NULL;
}

int wy_plan_series_count(const wy_plan *plan) {
  return plan ? plan->series_count : 0;
}

static bool has_series(const wy_plan *plan, int series) {
  return plan && series >= 0 && series < plan->series_count;
}

const char *wy_plan_series(const wy_plan *plan, int series) {
  return has_series(plan, series) ? plan->series[series].name : NULL;
}

int wy_plan_series_column_count(const wy_plan *plan, int series) {
  return has_series(plan, series) ? plan->series[series].column_count : 0;
}

const char *wy_plan_series_column(const wy_plan *plan, int series, int column) {
  return column >= 0 && column < wy_plan_series_column_count(plan, series) ? plan->series[series].columns[column]
                                                                           : NULL;
}

/* ---- The scenario of a point ---- */

/* All settings of a point in one block, or NULL without memory. */
static char **settings_of(const wy_plan *plan, int point) {
  const int count = wy_plan_setting_count(plan);
  size_t size = (size_t)count * sizeof(char *);
  for (int i = 0; i < count; i++)
    size += wy_plan_setting(plan, point, i, NULL, 0) + 1;
  char **settings = malloc(size + 1);
  char *at = settings ? (char *)(settings + count) : NULL;
  for (int i = 0; i < count && settings; i++) {
    settings[i] = at;
    at += wy_plan_setting(plan, point, i, at, size - (size_t)(at - (char *)settings)) + 1;
  }
  return settings;
}

static wy_status no_memory(const wy_plan *plan, wy_scenario_error *error) {
  snprintf(error->text, sizeof error->text, "%s: out of memory", plan->scenario_label);
  return WY_ERROR_MEMORY;
}

static wy_status open_with(const wy_plan *plan, const char *const *settings, int count, wy_scenario **scenario,
                           wy_scenario_error *error) {
  return wy_scenario_read_using(wy_distance_file, plan->scenario_label, plan->scenario_name, plan->scenario_text,
                                settings, count, plan->files, plan->file_count, scenario, error);
}

wy_status wy_plan_open(const wy_plan *plan, int point, wy_scenario **scenario, wy_scenario_error *error) {
  char **settings = settings_of(plan, point);
  if (!settings)
    return no_memory(plan, error);
  const wy_status status = open_with(plan, (const char *const *)settings, wy_plan_setting_count(plan), scenario, error);
  free(settings);
  return status;
}

wy_status wy_plan_open_batch(const wy_plan *plan, wy_scenario **scenario, wy_scenario_error *error) {
  const int own = wy_plan_setting_count(plan), count = own + plan->batch_count;
  char **settings = settings_of(plan, 0);
  const char **all = settings ? calloc((size_t)count, sizeof *all) : NULL;
  for (int i = 0; i < count && all; i++)
    all[i] = i < own ? settings[i] : plan->batch[i - own];
  const wy_status status = all ? open_with(plan, all, count, scenario, error) : no_memory(plan, error);
  free(all);
  free(settings);
  return status;
}
