/* SPDX-License-Identifier: MIT */
/* Where the strands of hair are: their weights and places are chosen once, their points follow the guides. */
#include "withy/strands.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/message.h"
#include "equilibrium/eigen.h"
#include "math/quat.h"
#include "record/probe.h"
#include "record/triangles.h"

enum { STRANDS_COOKIE = 0x57590801 };
WY_DEF_ENDS_WITH(wy_strands_def, radius);

typedef struct strand {
  int guide[3]; /* places in the list of guides */
  double weight[3];
  double offset[2]; /* along d1, d2 of each */
} strand;

struct wy_strands {
  wy_arena arena;
  const wy_model *model;
  wy_sim *sim;
  char *name;
  int *guides;
  int guide_count, count, points;
  bool turning; /* strands have places in the sections, so frames are needed */
  strand *strands;
  double *lines;     /* [guide][points][3] */
  double *directors; /* [guide][points][d1, d2][3] where turning */
};

void wy_init_strands_def(wy_strands_def *def, size_t size) {
  const wy_strands_def usual = {.cookie = STRANDS_COOKIE, .size = sizeof usual, .name = "strands", .count = 1};
  wy_def_fill(def, size, &usual);
}

/* ---- Checks ---- */

static wy_status check_guides(const wy_model *model, const wy_strands_def *def, wy_message *message) {
  if (def->guide_count < 1 || !def->guides)
    return wy_fail_at(message, "strands.guides", "found none; expected at least one rod");
  for (int i = 0; i < def->guide_count; i++) {
    if (def->guides[i] < 0 || def->guides[i] >= wy_model_rod_count(model))
      return wy_fail_at(message, "strands.guides", "there is no rod number %d", def->guides[i]);
    for (int k = 0; k < i; k++)
      if (def->guides[k] == def->guides[i])
        return wy_fail_at(message, "strands.guides", "found rod '%s' twice; expected different rods",
                          wy_model_rod(model, def->guides[i])->name);
  }
  return WY_OK;
}

static wy_status check(const wy_model *model, const wy_strands_def *def, wy_message *message) {
  if (!def->name || !def->name[0])
    return wy_fail_at(message, "strands.name", "found no name");
  wy_status status = check_guides(model, def, message);
  if (status)
    return status;
  if (def->count < 1)
    return wy_fail_at(message, "strands.count", "found %d; expected at least 1", def->count);
  if (!(def->radius >= 0) || !isfinite(def->radius))
    return wy_fail_at(message, "strands.radius", "found %g; expected a number >= 0", def->radius);
  if (def->guide_count == 1 && def->radius == 0)
    return wy_fail_at(message, "strands.radius", "found 0; expected a number > 0, since there is one guide only");
  return WY_OK;
}

/* ---- Spreading ---- */

static double fraction(double value) {
  return value - floor(value);
}

/* Places on the disc: rings of equal area, each the golden angle further, as the seeds of a sunflower. Between several
   guides the rings come in mixed order, so that a strand's ring does not follow from its weights. */
static void spread_over_disc(wy_strands *self, double radius) {
  const double golden = 2.39996322972865332223, mix = 1.41421356237309504880;
  for (int k = 0; k < self->count; k++) {
    double share = self->guide_count == 1 ? (k + 0.5) / self->count : fraction((k + 0.5) * mix);
    double ring = radius * sqrt(share), angle = golden * k;
    self->strands[k].offset[0] = ring * cos(angle);
    self->strands[k].offset[1] = ring * sin(angle);
  }
}

/* Pieces that strands are spread over, with 1 to 3 corners each: a guide, lines between two, triangles. */
typedef struct pieces {
  int count, corners;
  const int (*corner)[3]; /* places in the list of guides */
  const double *size;     /* lengths or areas */
} pieces;

/* Evenly over a line from its one end to the other, by length. */
static void spread_over_lines(wy_strands *self, const pieces *from, double total) {
  double before = 0;
  for (int k = 0, piece = 0; k < self->count; k++) {
    double at = self->count > 1 ? total * k / (self->count - 1) : 0.5 * total;
    while (piece < from->count - 1 && at > before + from->size[piece])
      before += from->size[piece++];
    double share = fmin(fmax((at - before) / from->size[piece], 0), 1);
    self->strands[k] =
        (strand){.guide = {from->corner[piece][0], from->corner[piece][1]}, .weight = {1 - share, share}};
  }
}

/* By area, and evenly within a triangle by the sequence of multiples of the powers of 1/p, p^3 = p + 1, which fills
   the square without gaps; half of it is folded over. It begins in the middle of the triangle, not on a side, which is
   its neighbour's, too. */
static void spread_over_triangles(wy_strands *self, const pieces *from, double total) {
  const double p1 = 0.75487766624669276005, p2 = 0.56984029099805326591;
  double before = 0;
  for (int k = 0, piece = 0, within = 0; k < self->count; k++, within++) {
    double at = total * (k + 0.5) / self->count;
    for (; piece < from->count - 1 && at > before + from->size[piece]; within = 0)
      before += from->size[piece++];
    double u = fraction(1.0 / 3 + p1 * within), v = fraction(1.0 / 3 + p2 * within);
    if (u + v > 1) {
      u = 1 - u;
      v = 1 - v;
    }
    const int *corner = from->corner[piece];
    self->strands[k] = (strand){.guide = {corner[0], corner[1], corner[2]}, .weight = {fmax(1 - u - v, 0), u, v}};
  }
}

/* ---- Roots of three guides and more ---- */

typedef struct roots {
  wy_arena arena;
  double (*x)[3];
  wy_grid_point *grid;
  wy_triangle *triangles;
  int *outline;
  int (*corner)[3];
  double *size;
} roots;

static void lay_out_roots(roots *r, size_t count) {
  r->x = wy_arena_take(&r->arena, count * sizeof *r->x);
  r->grid = wy_arena_take(&r->arena, count * sizeof *r->grid);
  r->triangles = wy_arena_take(&r->arena, 2 * count * sizeof *r->triangles);
  r->outline = wy_arena_take(&r->arena, count * sizeof *r->outline);
  r->corner = wy_arena_take(&r->arena, 2 * count * sizeof *r->corner);
  r->size = wy_arena_doubles(&r->arena, 2 * count);
}

/* In units of their extent, from the corner of the box around them: squares of lengths overflow, or vanish, long before
   lengths do. */
static void scale_roots(const roots *r, int count) {
  double low[3], extent = 0;
  for (int c = 0; c < 3; c++) {
    double high = -INFINITY;
    low[c] = INFINITY;
    for (int i = 0; i < count; i++) {
      low[c] = fmin(low[c], r->x[i][c]);
      high = fmax(high, r->x[i][c]);
    }
    extent = fmax(extent, high - low[c]);
  }
  for (int i = 0; i < count && extent > 0; i++)
    for (int c = 0; c < 3; c++)
      r->x[i][c] = (r->x[i][c] - low[c]) / extent;
}

/* The two directions in which the roots are spread most. */
static void find_plane(const roots *r, int count, double axes[9]) {
  double mean[3] = {0}, spread[9] = {0};
  for (int i = 0; i < count; i++)
    wy_add3(mean, 1.0 / count, r->x[i]);
  for (int i = 0; i < count; i++)
    for (int j = 0; j < 9; j++)
      spread[j] += (r->x[i][j / 3] - mean[j / 3]) * (r->x[i][j % 3] - mean[j % 3]);
  wy_symmetric_eigen(spread, axes, 3);
}

/* The roots in that plane, on the grid. */
static void place_on_grid(const roots *r, int count) {
  double axes[9], low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  find_plane(r, count, axes);
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 2; k++) {
      low[k] = fmin(low[k], wy_dot3(axes + 3 * (size_t)k, r->x[i]));
      high[k] = fmax(high[k], wy_dot3(axes + 3 * (size_t)k, r->x[i]));
    }
  double extent = fmax(high[0] - low[0], high[1] - low[1]), scale = extent > 0 ? WY_GRID / extent : 0;
  for (int i = 0; i < count; i++) {
    int64_t x = llround(scale * (wy_dot3(axes, r->x[i]) - low[0]));
    int64_t y = llround(scale * (wy_dot3(axes + 3, r->x[i]) - low[1]));
    r->grid[i] = (wy_grid_point){x, y, i};
  }
}

static wy_status check_apart(const wy_strands *self, const roots *r, wy_message *message) {
  for (int i = 0; i < self->guide_count; i++)
    for (int k = 0; k < i; k++)
      if (r->grid[i].x == r->grid[k].x && r->grid[i].y == r->grid[k].y)
        return wy_fail_at(message, "strands.guides",
                          "the roots of '%s' and '%s' are at the same place, or very close compared with the extent of "
                          "all roots; three or more guides need different roots",
                          wy_model_rod(self->model, self->guides[k])->name,
                          wy_model_rod(self->model, self->guides[i])->name);
  return WY_OK;
}

/* Length of a line, area of a triangle. */
static double piece_size(const roots *r, const int *corner, int corners) {
  double a[3], b[3], n[3];
  wy_copy3(r->x[corner[1]], a);
  wy_add3(a, -1, r->x[corner[0]]);
  if (corners == 2)
    return wy_norm3(a);
  wy_copy3(r->x[corner[2]], b);
  wy_add3(b, -1, r->x[corner[0]]);
  wy_cross3(a, b, n);
  return 0.5 * wy_norm3(n);
}

static wy_status spread_between(wy_strands *self, roots *r, wy_message *message) {
  int count = self->guide_count;
  double frame[4], total = 0;
  for (int i = 0; i < count; i++)
    wy_model_reference(self->model, self->guides[i], 0, r->x[i], frame);
  scale_roots(r, count);
  place_on_grid(r, count);
  wy_status status = count > 2 ? check_apart(self, r, message) : WY_OK;
  if (status)
    return status;
  int triangles = count > 2 ? wy_triangulate(r->grid, count, r->triangles, r->outline) : 0;
  pieces from = {triangles ? triangles : count - 1, triangles ? 3 : 2, (const int(*)[3])r->corner, r->size};
  for (int i = 0; i < from.count; i++) {
    for (int k = 0; k < from.corners; k++)
      r->corner[i][k] = r->grid[triangles ? r->triangles[i].corner[k] : i + k].index;
    r->size[i] = piece_size(r, r->corner[i], from.corners);
    if (count == 2 && r->size[i] == 0) /* two guides may have the same root */
      r->size[i] = 1;
    total += r->size[i];
  }
  if (triangles)
    spread_over_triangles(self, &from, total);
  else
    spread_over_lines(self, &from, total);
  return WY_OK;
}

static wy_status choose_weights(wy_strands *self, wy_message *message) {
  roots r = {0};
  for (int k = 0; k < self->count && self->guide_count == 1; k++)
    self->strands[k] = (strand){.weight = {1}};
  if (self->guide_count == 1)
    return WY_OK;
  lay_out_roots(&r, (size_t)self->guide_count);
  if (wy_arena_allocate(&r.arena))
    return wy_fail(message, WY_ERROR_MEMORY, "out of memory");
  lay_out_roots(&r, (size_t)self->guide_count);
  wy_status status = spread_between(self, &r, message);
  wy_arena_release(&r.arena);
  return status;
}

/* ---- Life ---- */

/* Runs twice, first counting. */
static wy_strands *lay_out(wy_arena *arena, const wy_strands_def *def, int points) {
  size_t guides = (size_t)def->guide_count, of_guides = guides * (size_t)points;
  wy_strands *self = wy_arena_take(arena, sizeof *self);
  char *name = wy_arena_take(arena, strlen(def->name) + 1);
  int *copy = wy_arena_take(arena, guides * sizeof *copy);
  strand *strands = wy_arena_take(arena, (size_t)def->count * sizeof *strands);
  double *lines = wy_arena_doubles(arena, 3 * of_guides);
  double *directors = wy_arena_doubles(arena, def->radius > 0 ? 6 * of_guides : 0);
  if (!self)
    return NULL;
  memcpy(name, def->name, strlen(def->name) + 1);
  memcpy(copy, def->guides, guides * sizeof *copy);
  *self = (wy_strands){.name = name,
                       .guides = copy,
                       .guide_count = def->guide_count,
                       .count = def->count,
                       .points = points,
                       .turning = def->radius > 0,
                       .strands = strands,
                       .lines = lines,
                       .directors = directors};
  return self;
}

wy_status wy_strands_create(const wy_model *model, wy_sim *sim, const wy_strands_def *def, wy_strands **strands,
                            wy_message *message) {
  if (!strands)
    return wy_fail_missing(message, "strands");
  *strands = NULL;
  if (!model || !sim || !def)
    return wy_fail_missing(message, !model ? "model" : !sim ? "sim" : "def");
  wy_strands_def own = wy_default_strands_def();
  def = wy_def_read(def, &own, "strands", "strands", message);
  wy_status status = def ? check(model, def, message) : WY_ERROR_INPUT;
  if (status)
    return status;
  int points = 2;
  for (int i = 0; i < def->guide_count; i++) {
    const wy_view *view = wy_sim_view(sim, def->guides[i]);
    if (!view)
      return wy_fail_at(message, "strands.guides", "the simulation is of another model: it has no rod number %d",
                        def->guides[i]);
    points = view->position.count > points ? view->position.count : points;
  }
  wy_arena arena = {0};
  lay_out(&arena, def, points);
  if (wy_arena_allocate(&arena))
    return wy_fail(message, WY_ERROR_MEMORY, "out of memory");
  wy_strands *self = lay_out(&arena, def, points);
  self->arena = arena;
  self->model = model;
  self->sim = sim;
  status = choose_weights(self, message);
  if (status) {
    wy_strands_destroy(self);
    return status;
  }
  if (self->turning)
    spread_over_disc(self, def->radius);
  *strands = self;
  return WY_OK;
}

void wy_strands_destroy(wy_strands *strands) {
  if (!strands)
    return;
  wy_arena arena = strands->arena; /* which holds the strands themselves */
  wy_arena_release(&arena);
}

const char *wy_strands_name(const wy_strands *strands) {
  return strands ? strands->name : NULL;
}

int wy_strands_count(const wy_strands *strands) {
  return strands ? strands->count : 0;
}

int wy_strands_points(const wy_strands *strands) {
  return strands ? strands->points : 0;
}

int wy_strands_weights(const wy_strands *strands, int k, int rods[3], double weights[3]) {
  if (!strands || !rods || !weights || k < 0 || k >= strands->count)
    return 0;
  int corners = 0;
  for (; corners < 3 && corners < strands->guide_count; corners++) {
    rods[corners] = strands->guides[strands->strands[k].guide[corners]];
    weights[corners] = strands->strands[k].weight[corners];
  }
  return corners;
}

/* ---- Following ---- */

static void follow_guide(wy_strands *self, int guide) {
  const wy_view *view = wy_sim_view(self->sim, self->guides[guide]);
  double length = wy_model_rod(self->model, self->guides[guide])->length;
  for (int i = 0; i < self->points; i++) {
    size_t at = (size_t)guide * (size_t)self->points + (size_t)i;
    double s = length * i / (self->points - 1), x[4], q[4], r[9];
    wy_probe_view(view, length, WY_POSITION, s, x, NULL);
    wy_copy3(x, self->lines + 3 * at);
    if (!self->turning)
      continue;
    wy_probe_view(view, length, WY_ROTATION, s, q, NULL);
    wy_qmatrix(q, r);
    for (int k = 0; k < 6; k++)
      self->directors[6 * at + (size_t)k] = r[3 * (k % 3) + k / 3];
  }
}

void wy_strands_place(wy_strands *self, double *positions) {
  if (!self || !positions)
    return;
  int corners = self->guide_count < 3 ? self->guide_count : 3;
  for (int guide = 0; guide < self->guide_count; guide++)
    follow_guide(self, guide);
  for (int k = 0; k < self->count; k++) {
    const strand *one = &self->strands[k];
    for (int i = 0; i < self->points; i++) {
      double *x = positions + 3 * ((size_t)k * (size_t)self->points + (size_t)i);
      x[0] = x[1] = x[2] = 0;
      for (int c = 0; c < corners; c++) {
        size_t at = (size_t)one->guide[c] * (size_t)self->points + (size_t)i;
        wy_add3(x, one->weight[c], self->lines + 3 * at);
        for (int d = 0; d < 2 && self->turning; d++)
          wy_add3(x, one->weight[c] * one->offset[d], self->directors + 6 * at + 3 * (size_t)d);
      }
    }
  }
}
