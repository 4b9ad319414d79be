/* SPDX-License-Identifier: MIT */
/* Probes of batches. */
#include <math.h>
#include <string.h>

#include "run/scenario/batches.h"
#include "run/tree/suggest.h"

/* What a batch can tell at a place of its rods. */
static const wy_quantity known[] = {
    WY_POSITION,  WY_VELOCITY, WY_ANGULAR_VELOCITY, WY_DIRECTOR1, WY_DIRECTOR2,   WY_DIRECTOR3, WY_STRAIN,
    WY_CURVATURE, WY_FORCE,    WY_MOMENT,           WY_TENSION,   WY_BEND_RADIUS, WY_LENGTH};
enum { KNOWN = sizeof known / sizeof known[0] };

static int find_batch(wy_reader *r, const wy_node *node) {
  const wy_node *list = wy_yaml_find(r->root, "batches");
  const char *names[WY_SCHEMA_MOST], *wanted = wy_read_text(r, node);
  char text[512];
  int count = 0;
  if (r->failed)
    return 0;
  for (const wy_node *batch = list && list->kind == WY_LIST ? list->first : NULL; batch; batch = batch->next) {
    const wy_node *name = wy_yaml_find(batch, "name");
    if (name && name->kind == WY_SCALAR && strcmp(name->text, wanted) == 0)
      return batch->index;
    if (name && name->kind == WY_SCALAR && count < WY_SCHEMA_MOST)
      names[count++] = name->text;
  }
  const char *close = wy_suggest(wanted, names, count);
  wy_schema_join(names, count, text, sizeof text);
  if (count == 0)
    wy_read_expected(r, node, "the name of a batch; there are none in this scenario");
  else
    wy_read_expected(r, node, "the name of a batch: %s%s%s%s", text, close ? "; did you mean '" : "",
                     close ? close : "", close ? "'?" : "");
  return 0;
}

static void check_quantity(wy_reader *r, const wy_node *node, wy_quantity quantity) {
  const char *names[KNOWN];
  char list[512];
  bool is_known = false;
  for (int i = 0; i < KNOWN; i++) {
    names[i] = wy_quantity_name(known[i]);
    is_known = is_known || known[i] == quantity;
  }
  wy_schema_join(names, KNOWN, list, sizeof list);
  if (!is_known && !r->failed)
    wy_read_expected(r, node, "a quantity of a batch: %s", list);
}

/* The share of the length: rods of a batch may differ in theirs. */
static double read_share(wy_reader *r, const wy_node *probe, const wy_rod_def *pattern) {
  const wy_node *at = wy_read_need(r, probe, "at");
  const wy_word *place = wy_read_which(at);
  if (r->failed || place)
    return place && place->value == WY_AT_END ? 1 : 0;
  const double length = wy_rod_length(pattern), s = wy_read_number(r, at);
  if (!r->failed && !(s >= 0 && s <= length * (1 + 1e-12)))
    wy_read_expected(r, at, "start, end, or an arc length from 0 to the length %g of the pattern", length);
  return r->failed ? 0 : fmin(1, s / length);
}

bool wy_read_batch_probe(wy_reader *r, const wy_node *node, wy_quantity quantity, wy_batch_probe *out) {
  static const char *const others[] = {"rod", "body", "joint", "spring", "obstacle", "point", "part"};
  const wy_node *batch = wy_yaml_find(node, "batch"), *at = wy_yaml_find(node, "at");
  if (!batch || r->failed)
    return false;
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    const wy_node *other = wy_yaml_find(node, others[i]);
    if (other)
      wy_read_fail(r, other, "found %s together with batch; expected one of them", others[i]);
  }
  out->batch = find_batch(r, batch);
  out->quantity = quantity;
  check_quantity(r, wy_yaml_find(node, "quantity"), quantity);
  if (r->failed)
    return true;
  const wy_node *pattern = r->patterns ? r->patterns[out->batch] : NULL;
  if (quantity == WY_LENGTH && at)
    wy_read_fail(r, at, "found a place; expected none, since length belongs to the whole rod");
  else if (quantity != WY_LENGTH && pattern)
    out->share = read_share(r, node, &r->rods[pattern->index]);
  return true;
}
