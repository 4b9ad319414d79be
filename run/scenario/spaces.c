/* SPDX-License-Identifier: MIT */
/* The key `accuracy` of a solver: grids and methods of rods are chosen by the library, but for what the file gives. */
#include <stdio.h>

#include "run/scenario/reader.h"
#include "withy/method.h"

/* What the file gives of a rod. */
static unsigned given_of(const wy_reader *r, const wy_node *rod) {
  static const struct {
    const char *key;
    unsigned bit;
  } keys[] = {{"scheme", WY_GIVEN_SCHEME},
              {"order", WY_GIVEN_SCHEME},
              {"coordinates", WY_GIVEN_SCHEME},
              {"segment_inertia", WY_GIVEN_SCHEME},
              {"stabilisation", WY_GIVEN_SCHEME},
              {"integrator", WY_GIVEN_INTEGRATOR},
              {"tolerance", WY_GIVEN_TOLERANCE},
              {"curvature", WY_GIVEN_MEASURE},
              {"curvature_measure", WY_GIVEN_MEASURE},
              {"clamp", WY_GIVEN_CLAMP}};
  unsigned given = r->scenario->from_statics ? WY_GIVEN_START : 0;
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
    if (wy_read_solver_key(r, rod, keys[i].key))
      given |= keys[i].bit;
  const wy_node *segments = wy_yaml_find(rod, "segments");
  if (segments)
    given |= WY_GIVEN_SEGMENTS;
  if (wy_yaml_find(rod, "grading") || (segments && segments->kind == WY_LIST))
    given |= WY_GIVEN_GRADING;
  return given;
}

/* The chosen grid, with the grading of the file where it has one. */
static void take_grid(wy_reader *r, const wy_node *node, const wy_space_choice *choice, const wy_rod_def *resolved,
                      wy_rod_def *out) {
  const bool given = wy_yaml_find(node, "segments") != NULL, equal = choice->finer[0] == 1 && choice->finer[1] == 1;
  const wy_node *grading = wy_yaml_find(node, "grading");
  if (!given) {
    out->segments = choice->segments;
    out->segment_lengths = NULL;
    wy_read_grading(r, grading, out);
  }
  if (out->segment_lengths || grading || equal || r->failed)
    return;
  double *lengths = wy_read_take(r, (size_t)out->segments * sizeof *lengths);
  if (lengths && !wy_graded_lengths(out->segments, resolved->length, choice->finer, choice->over, lengths, NULL))
    out->segment_lengths = lengths;
}

static void refuse(wy_reader *r, int rod, const wy_message *message) {
  const char *rest;
  char path[64];
  snprintf(path, sizeof path, "rods[%d].%.40s", rod, message->path);
  wy_yaml_follow(r->root, path, &rest);
  wy_read_fail_path(r, *rest ? message->path : path, message->text);
}

static void choose(wy_reader *r, const wy_model *model, const wy_node *node, wy_space_choice *choice) {
  const wy_scenario *scenario = r->scenario;
  const int rod = node->index;
  wy_message message = {0};
  const wy_status status = wy_space_choose(model, rod, scenario->analysis, scenario->end, r->accuracies[rod],
                                           given_of(r, node), &r->solvers[rod], choice, &message);
  if (status != WY_OK)
    refuse(r, rod, &message);
  else
    take_grid(r, node, choice, wy_model_rod(model, rod), &r->rods[rod]);
}

static bool has_effect(const wy_reader *r) {
  const wy_analysis analysis = r->scenario->analysis;
  bool any = false;
  for (int i = 0; i < r->scenario->model.rod_count; i++)
    any = any || r->accuracies[i] > 0;
  return any && (analysis == WY_DYNAMICS || analysis == WY_QUASISTATICS || analysis == WY_STATICS);
}

/* The model has the default grid, which the choice does not look at. What is wrong with it is found later. */
void wy_choose_spaces(wy_reader *r) {
  const int rods = r->scenario->model.rod_count;
  wy_model *model = NULL;
  if (!has_effect(r) || wy_model_create(&r->scenario->model, &model, NULL) != WY_OK)
    return;
  wy_space_choice *choices = wy_read_take(r, (size_t)rods * sizeof *choices);
  for (const wy_node *node = wy_yaml_find(r->root, "rods")->first; choices && node && !r->failed; node = node->next)
    if (node->index < rods && r->accuracies[node->index] > 0)
      choose(r, model, node, &choices[node->index]);
  r->scenario->spaces = choices;
  wy_model_destroy(model);
  if (!r->failed)
    wy_check_sizes(r);
}
