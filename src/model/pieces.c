/* SPDX-License-Identifier: MIT */
/* Inner points of rods that sit on hubs: they become vertices of the grid, and cut the rod into pieces. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "model/parts.h"

/* An inner point on a hub. */
typedef struct cut {
  int rod, end; /* `end`: in the list of ends */
  double s;
} cut;

static int compare_cuts(const void *a, const void *b) {
  const cut *one = a, *other = b;
  if (one->rod != other->rod)
    return one->rod < other->rod ? -1 : 1;
  return one->s < other->s ? -1 : one->s > other->s;
}

/* The inner points of all rods, along each rod; their number, or -1 without memory. */
static int list_cuts(const wy_hub_end *ends, int count, cut **out) {
  cut *cuts = *out = calloc((size_t)count + 1, sizeof *cuts);
  int found = 0;
  for (int i = 0; cuts && i < count; i++)
    if (ends[i].inner)
      cuts[found++] = (cut){ends[i].rod, i, ends[i].s};
  if (!cuts)
    return -1;
  qsort(cuts, (size_t)found, sizeof *cuts, compare_cuts);
  return found;
}

/* ---- The grid ---- */

/* The number of segments before s, of which the last may be a part; a whole number at a vertex. */
static double segments_before(const wy_rod_def *rod, double s) {
  double at = 0;
  for (int i = 0; i < rod->segments; i++) {
    const double h = wy_segment_length(rod, i);
    if (fabs(s - at) <= WY_SAME_PLACE * rod->length)
      return i;
    if (s < at + h - WY_SAME_PLACE * rod->length)
      return i + (s - at) / h;
    at += h;
  }
  return rod->segments;
}

/* The arc length that has so many segments before it. */
static double arc_after(const wy_rod_def *rod, double segments) {
  double at = 0;
  int i = 0;
  for (; i < rod->segments - 1 && i + 1 <= segments; i++)
    at += wy_segment_length(rod, i);
  return at + (segments - i) * wy_segment_length(rod, i);
}

/* What is at a place of a rod, for messages. */
static void name_place(const wy_model *model, const wy_hub_end *ends, const cut *at, bool start, char out[128]) {
  if (!at) {
    snprintf(out, 128, "its %s", start ? "start" : "end");
    return;
  }
  const int joint = ends[at->end].joint;
  char entry[WY_ENTRY_PATH] = "a spring";
  if (joint >= 0)
    wy_entry_path("joints", model->joints[joint].name, joint, entry);
  snprintf(out, 128, "%.90s at s = %.6g", entry, at->s);
}

/* `before` and `after` bound the piece: NULL is an end of the rod. */
static wy_status refuse_piece(const wy_model *model, const wy_hub_end *ends, int rod, const cut *before,
                              const cut *after, double segments, wy_message *message) {
  char path[64], one[128], other[128];
  snprintf(path, sizeof path, "rods[%d].segments", rod);
  name_place(model, ends, after ? after : before, false, one);
  name_place(model, ends, after ? before : NULL, after != NULL, other);
  return wy_fail_at(message, path,
                    "found %d; expected %.0f or more for rod '%.63s': %s is less than two segments from %s",
                    model->rods[rod].segments, ceil(2 * model->rods[rod].segments / segments - 1e-9),
                    model->rods[rod].name, one, other);
}

/* Whole numbers of segments for the pieces, as many in all as before: those that lose most by rounding get one more. */
static void share_segments(const double *bounds, int pieces, int *counts) {
  int left = (int)lround(bounds[pieces]);
  for (int i = 0; i < pieces; i++)
    left -= counts[i] = (int)floor(bounds[i + 1] - bounds[i] + 1e-9);
  for (; left > 0; left--) {
    int most = 0;
    for (int i = 1; i < pieces; i++)
      if (bounds[i + 1] - bounds[i] - counts[i] > bounds[most + 1] - bounds[most] - counts[most] + 1e-9)
        most = i;
    counts[most]++;
  }
}

/* Segments of a rod whose inner points are no vertices yet: as its grid is graded, equal where it was. */
static void fill_lengths(const wy_rod_def *rod, const cut *cuts, const double *bounds, const int *counts, int pieces,
                         double *lengths) {
  double from = 0;
  for (int i = 0, n = 0; i < pieces; i++) {
    const double to = i < pieces - 1 ? cuts[i].s : rod->length, share = (bounds[i + 1] - bounds[i]) / counts[i];
    double last = from;
    for (int k = 1; k <= counts[i]; k++) {
      const bool graded = rod->segment_lengths != NULL;
      const double next = k == counts[i] || !graded ? to : arc_after(rod, bounds[i] + k * share);
      lengths[n++] = graded ? next - last : (to - from) / counts[i];
      last = next;
    }
    from = to;
  }
}

static wy_status grid_rod(wy_model *model, const wy_hub_end *ends, const cut *cuts, int count, wy_message *message) {
  const int index = cuts[0].rod, pieces = count + 1;
  wy_rod_def *rod = &model->rods[index];
  double *bounds = calloc((size_t)count + 2, sizeof *bounds);
  double *lengths = calloc((size_t)rod->segments + 1, sizeof *lengths);
  int *counts = calloc((size_t)pieces, sizeof *counts);
  wy_status status = bounds && lengths && counts ? WY_OK : WY_ERROR_MEMORY;
  bool fits = true;
  for (int i = 0; !status && i < count; i++) {
    bounds[i + 1] = segments_before(rod, cuts[i].s);
    fits = fits && bounds[i + 1] == floor(bounds[i + 1]);
  }
  if (!status)
    bounds[pieces] = rod->segments;
  for (int i = 0; !status && i < pieces; i++)
    if (bounds[i + 1] - bounds[i] < 2 - 1e-9)
      status = refuse_piece(model, ends, index, i > 0 ? &cuts[i - 1] : NULL, i < count ? &cuts[i] : NULL,
                            bounds[i + 1] - bounds[i], message);
  if (!status && !fits) {
    share_segments(bounds, pieces, counts);
    fill_lengths(rod, cuts, bounds, counts, pieces, lengths);
    free((double *)rod->segment_lengths);
    rod->segment_lengths = lengths;
    lengths = NULL;
  }
  free(bounds);
  free(lengths);
  free(counts);
  return status;
}

/* How many of them are on the same rod as the first. */
static int on_same_rod(const cut *cuts, int count) {
  int same = 0;
  while (same < count && cuts[same].rod == cuts[0].rod)
    same++;
  return same;
}

wy_status wy_pieces_grid(wy_model *model, const wy_hub_end *ends, int count, wy_message *message) {
  cut *cuts = NULL;
  const int found = list_cuts(ends, count, &cuts);
  wy_status status = found < 0 ? WY_ERROR_MEMORY : WY_OK;
  for (int i = 0, same = 0; !status && i < found; i += same) {
    same = on_same_rod(cuts + i, found - i);
    status = grid_rod(model, ends, cuts + i, same, message);
  }
  free(cuts);
  return status;
}

/* ---- The pieces ---- */

wy_status wy_pieces_list(const wy_model *model, wy_network *net) {
  cut *cuts = NULL;
  const int found = list_cuts(net->ends, net->end_count, &cuts), count = model->rod_count + (found > 0 ? found : 0);
  wy_piece *pieces = calloc((size_t)count + 1, sizeof *pieces);
  int *first = calloc((size_t)model->rod_count + 1, sizeof *first);
  net->pieces = pieces, net->rod_pieces = first, net->piece_count = count;
  int n = 0;
  for (int rod = 0, at = 0; found >= 0 && pieces && first && rod < model->rod_count; rod++) {
    const wy_rod_def *def = &model->rods[rod];
    first[rod] = n;
    wy_piece *piece = &pieces[n++];
    *piece = (wy_piece){.rod = rod, .ends = {net->rod_ends[2 * rod], -1}};
    for (; at < found && cuts[at].rod == rod; at++) {
      piece->count = (int)lround(segments_before(def, cuts[at].s)) - piece->first;
      piece->to = cuts[at].s, piece->ends[WY_END] = cuts[at].end;
      pieces[n] = (wy_piece){
          .rod = rod, .first = piece->first + piece->count, .from = piece->to, .ends = {piece->ends[WY_END], -1}};
      piece = &pieces[n++];
    }
    piece->count = def->segments - piece->first;
    piece->to = def->length, piece->ends[WY_END] = net->rod_ends[2 * rod + 1];
  }
  free(cuts);
  if (found < 0 || !pieces || !first)
    return WY_ERROR_MEMORY;
  first[model->rod_count] = n;
  return WY_OK;
}
