/* SPDX-License-Identifier: MIT */
/* The header of the 3D page: everything but the long arrays, as JSON (docs/dev/scene.md). */
#include <math.h>

#include "draw/scene/run.h"

enum { FORMAT = 1 };

void wy_scene_put_numbers(wy_json *json, const char *key, const double *numbers, int count) {
  wy_json_list(json, key);
  for (int i = 0; i < count; i++)
    wy_json_number(json, NULL, numbers[i]);
  wy_json_end_list(json);
}

void wy_scene_put_array(wy_json *json, const char *key, const wy_scene_array *array) {
  static const char *const types[] = {
      [WY_SCENE_F64] = "f64", [WY_SCENE_F32] = "f32", [WY_SCENE_U16] = "u16", [WY_SCENE_I16] = "i16"};
  if (!array)
    return;
  bool rounded = array->type == WY_SCENE_U16 || array->type == WY_SCENE_I16;
  wy_json_object(json, key);
  wy_json_string(json, "type", types[array->type]);
  wy_json_integer(json, "offset", (long long)array->offset);
  wy_json_integer(json, "count", (long long)array->snapshots * (long long)array->values);
  if (array->components > 1)
    wy_json_integer(json, "components", array->components);
  if (rounded) {
    wy_json_integer(json, "delta", (long long)array->values);
    wy_json_boolean(json, "split", true);
    if (array->components > 1) {
      wy_scene_put_numbers(json, "scale", array->scale, array->components);
      wy_scene_put_numbers(json, "shift", array->shift, array->components);
    } else {
      wy_json_number(json, "scale", array->scale[0]);
      wy_json_number(json, "shift", array->shift[0]);
    }
  }
  wy_json_end_object(json);
}

static void add_rod(wy_json *json, const wy_scene_rod *rod) {
  wy_json_object(json, NULL);
  wy_json_string(json, "name", rod->name);
  wy_json_string(json, "model", rod->model);
  wy_json_string(json, "scheme", rod->scheme);
  wy_json_string(json, "integrator", rod->integrator);
  wy_json_integer(json, "segments", rod->segments);
  wy_json_number(json, "length", rod->length);
  if (rod->ends[0]) {
    wy_json_list(json, "ends");
    wy_json_string(json, NULL, rod->ends[0]);
    wy_json_string(json, NULL, rod->ends[1]);
    wy_json_end_list(json);
  }
  wy_scene_put_array(json, "s", rod->s);
  wy_json_string(json, "section", rod->section);
  wy_scene_put_array(json, "half", rod->half);
  wy_json_boolean(json, "thin", rod->thin);
  wy_scene_put_array(json, "position", rod->positions);
  wy_scene_put_array(json, "d1", rod->d1);
  wy_scene_put_array(json, "d2", rod->d2);
  wy_scene_put_array(json, "rest", rod->rest);
  wy_json_object(json, "quantities");
  for (int q = 0; q < WY_SCENE_QUANTITIES; q++)
    wy_scene_put_array(json, wy_scene_quantities[q], rod->quantities[q]);
  wy_json_end_object(json);
  wy_json_list(json, "actuators");
  for (int i = 0; i < rod->actuator_count; i++) {
    wy_json_object(json, NULL);
    wy_json_string(json, "kind", rod->actuators[i].kind);
    wy_scene_put_array(json, "offset", rod->actuators[i].offset);
    wy_scene_put_array(json, "force", rod->actuators[i].force);
    wy_json_end_object(json);
  }
  wy_json_end_list(json);
  wy_json_end_object(json);
}

static void add_rods(wy_json *json, const wy_scene_run *run) {
  wy_json_list(json, "rods");
  for (int r = 0; r < run->rod_count; r++)
    add_rod(json, &run->rods[r]);
  wy_json_end_list(json);
}

static void add_modes(wy_json *json, const wy_scene_run *run) {
  wy_json_list(json, "modes");
  for (int i = 0; i < run->mode_count; i++) {
    const wy_scene_mode *mode = &run->modes[i];
    wy_json_object(json, NULL);
    wy_json_integer(json, mode->rod >= 0 ? "rod" : "body", mode->rod >= 0 ? mode->rod : mode->body);
    wy_json_integer(json, "number", mode->number);
    wy_json_string(json, "label", mode->label);
    wy_scene_put_array(json, "displacement", mode->displacement);
    wy_scene_put_array(json, "d1", mode->d1);
    wy_scene_put_array(json, "rotation", mode->rotation);
    wy_scene_put_array(json, "position", mode->position);
    wy_scene_put_array(json, "frame", mode->frame);
    wy_scene_put_array(json, "director", mode->director);
    wy_json_end_object(json);
  }
  wy_json_end_list(json);
}

static void add_charts(wy_json *json, const wy_scene_run *run) {
  wy_json_list(json, "charts");
  for (int i = 0; i < run->chart_count; i++) {
    const wy_scene_chart *chart = &run->charts[i];
    wy_json_object(json, NULL);
    wy_json_string(json, "title", chart->title);
    wy_json_string(json, "quantity", chart->quantity);
    if (chart->bands)
      wy_json_boolean(json, "bands", true);
    wy_json_list(json, "columns");
    for (int c = 0; c < chart->columns; c++)
      wy_json_string(json, NULL, chart->labels[c]);
    wy_json_end_list(json);
    wy_scene_put_array(json, "time", chart->time);
    wy_json_list(json, "values");
    for (int c = 0; c < chart->columns; c++)
      wy_scene_put_array(json, NULL, chart->values[c]);
    wy_json_end_list(json);
    wy_json_end_object(json);
  }
  wy_json_end_list(json);
}

static void add_notes(wy_json *json, const wy_scene_run *run) {
  wy_json_list(json, "notes");
  for (int i = 0; i < run->note_count; i++)
    wy_json_string(json, NULL, run->notes[i]);
  wy_json_end_list(json);
}

static void add_facts(wy_json *json, const wy_scene_run *run) {
  wy_json_list(json, "facts");
  for (int i = 0; i < run->facts.count; i++) {
    wy_json_list(json, NULL);
    wy_json_string(json, NULL, run->facts.list[i].name);
    wy_json_string(json, NULL, run->facts.list[i].value);
    wy_json_end_list(json);
  }
  wy_json_end_list(json);
}

static const double *gravity_of(const wy_scene_run *run) {
  static const double nothing[3] = {0, 0, 0};
  return run->model ? wy_model_gravity(run->model) : nothing;
}

void wy_scene_up(const wy_scene_run *run, double up[3]) {
  const double *gravity = gravity_of(run);
  double size = 0, largest_half = 0, strength = hypot(hypot(gravity[0], gravity[1]), gravity[2]);
  for (int c = 0; c < 3; c++)
    size = fmax(size, run->bounds[1][c] - run->bounds[0][c]);
  for (int r = 0; r < run->rod_count; r++)
    largest_half = fmax(largest_half, run->rods[r].largest_half);
  for (int i = 0; i < run->body_count; i++)
    largest_half = fmax(largest_half, run->bodies[i].solid.reach);
  bool flat = run->bounds[1][2] - run->bounds[0][2] - 2 * largest_half < 1e-6 * size;
  up[0] = 0;
  up[1] = flat;
  up[2] = !flat;
  for (int c = 0; c < 3 && strength > 0; c++)
    up[c] = gravity[c] == 0 ? 0 : -gravity[c] / strength;
}

static void add_directions(wy_json *json, const wy_scene_run *run) {
  double up[3];
  wy_scene_up(run, up);
  wy_scene_put_numbers(json, "gravity", gravity_of(run), 3);
  wy_scene_put_numbers(json, "up", up, 3);
  wy_json_list(json, "bounds");
  wy_scene_put_numbers(json, NULL, run->bounds[0], 3);
  wy_scene_put_numbers(json, NULL, run->bounds[1], 3);
  wy_json_end_list(json);
}

void wy_scene_header(const wy_scene_run *run, wy_text *out) {
  const char *title = wy_folder_title(run->folder), *scenario = wy_folder_scenario_text(run->folder);
  const char *settings = wy_folder_settings(run->folder);
  wy_text text = {0};
  wy_json json = {.text = &text};
  wy_json_object(&json, NULL);
  wy_json_integer(&json, "format", FORMAT);
  wy_json_string(&json, "version", wy_version());
  wy_json_string(&json, "name", run->name[0] ? run->name : title);
  wy_json_string(&json, "title", title);
  wy_json_string(&json, "analysis", wy_analysis_name(run->analysis));
  if (run->status)
    wy_json_string(&json, "status", run->status);
  else
    wy_json_number(&json, "status", NAN);
  wy_json_string(&json, "message", run->message ? run->message : "");
  wy_json_integer(&json, "bytes", (long long)run->bytes);
  add_notes(&json, run);
  add_directions(&json, run);
  wy_scene_put_array(&json, "time", run->time);
  add_rods(&json, run);
  wy_scene_put_strands(&json, run);
  wy_scene_put_network(&json, run);
  wy_scene_put_obstacles(&json, run);
  add_modes(&json, run);
  add_charts(&json, run);
  add_facts(&json, run);
  wy_json_string(&json, "scenario", scenario ? scenario : "");
  wy_json_string(&json, "settings", settings ? settings : "");
  wy_json_end_object(&json);
  /* Within a script element `<` might begin the end of it; in JSON it stands in texts only, and has another form. */
  for (const char *c = text.data; *c; c++)
    wy_text_append(out, *c == '<' ? "\\u003c" : c, *c == '<' ? 6 : 1);
  out->failed = out->failed || text.failed;
  wy_text_free(&text);
}
