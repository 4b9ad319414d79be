/* SPDX-License-Identifier: MIT */
/* What rows and snapshots hold of batches, and what the other ranks do for it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/results/batches_inside.h"

/* ---- Probes ---- */

/* Values between the points of a rod, first, first + 1, ... in units of segments; beyond the ends by the line through
   the last two, as probes of single rods. */
static void between(const double *values, int count, int components, double first, double x, double *out) {
  int low = (int)floor(x - first);
  low = low < 0 ? 0 : low > count - 2 ? count - 2 : low;
  const double share = x - first - low;
  for (int k = 0; k < components; k++) {
    const double a = values[(size_t)low * (size_t)components + (size_t)k];
    out[k] = a + share * (values[((size_t)low + 1) * (size_t)components + (size_t)k] - a);
  }
}

static void director(const double frame[4], int axis, double *out) {
  const double w = frame[0], x = frame[1], y = frame[2], z = frame[3], square = w * w + x * x + y * y + z * z;
  const double columns[3][3] = {{w * w + x * x - y * y - z * z, 2 * (x * y + w * z), 2 * (x * z - w * y)},
                                {2 * (x * y - w * z), w * w - x * x + y * y - z * z, 2 * (y * z + w * x)},
                                {2 * (x * z + w * y), 2 * (y * z - w * x), w * w - x * x - y * y + z * z}};
  for (int k = 0; k < 3; k++)
    out[k] = columns[axis][k] / square;
}

/* Neighbouring frames may have opposite signs. */
static void align_frames(double *frames, int count) {
  for (int i = 1; i < count; i++) {
    double *q = frames + 4 * (size_t)i, inner = 0;
    for (int k = 0; k < 4; k++)
      inner += q[k] * q[k - 4];
    for (int k = 0; k < 4 && inner < 0; k++)
      q[k] = -q[k];
  }
}

static double length_of(const double *x, int segments) {
  double sum = 0;
  for (int i = 0; i < segments; i++, x += 3)
    sum += sqrt((x[3] - x[0]) * (x[3] - x[0]) + (x[4] - x[1]) * (x[4] - x[1]) + (x[5] - x[2]) * (x[5] - x[2]));
  return sum;
}

/* What the quantity is made of, of `count` rods from `first` on. */
static wy_status read_block(const wy_batches_one *it, wy_quantity quantity, int first, int count, wy_message *message) {
  double *block = it->block;
  switch (quantity) {
  case WY_POSITION:
  case WY_LENGTH:
    return wy_batch_positions(it->rods, first, count, block, message);
  case WY_VELOCITY:
    return wy_batch_velocities(it->rods, first, count, block, message);
  case WY_ANGULAR_VELOCITY:
    return wy_batch_spins(it->rods, first, count, block, message);
  case WY_DIRECTOR1:
  case WY_DIRECTOR2:
  case WY_DIRECTOR3:
    return wy_batch_frames(it->rods, first, count, block, message);
  case WY_STRAIN:
    return wy_batch_sections(it->rods, first, count, block, NULL, NULL, NULL, message);
  case WY_FORCE:
  case WY_TENSION:
    return wy_batch_sections(it->rods, first, count, NULL, block, NULL, NULL, message);
  case WY_CURVATURE:
  case WY_BEND_RADIUS:
    return wy_batch_sections(it->rods, first, count, NULL, NULL, block, NULL, message);
  default:
    return wy_batch_sections(it->rods, first, count, NULL, NULL, NULL, block, message);
  }
}

/* The value of one rod of the block at the place x, counted in segments. */
static void value_of(const wy_batches_one *it, wy_quantity quantity, double x, int rod, double *out) {
  const int n = it->segments;
  const size_t at = (size_t)rod * (size_t)n, vertices = (size_t)rod * (size_t)(n + 1);
  double value[4];
  switch (quantity) {
  case WY_POSITION:
  case WY_VELOCITY:
  case WY_CURVATURE:
  case WY_MOMENT:
    between(it->block + 3 * vertices, n + 1, 3, 0, x, out);
    return;
  case WY_ANGULAR_VELOCITY:
  case WY_STRAIN:
  case WY_FORCE:
    between(it->block + 3 * at, n, 3, 0.5, x, out);
    return;
  case WY_TENSION:
    between(it->block + 3 * at, n, 3, 0.5, x, value);
    out[0] = value[2];
    return;
  case WY_BEND_RADIUS:
    between(it->block + 3 * vertices, n + 1, 3, 0, x, value);
    out[0] = 1 / hypot(value[0], value[1]);
    return;
  case WY_LENGTH:
    out[0] = length_of(it->block + 3 * vertices, n);
    return;
  default:
    align_frames(it->block + 4 * at, n);
    between(it->block + 4 * at, n, 4, 0.5, x, value);
    director(value, (int)(quantity - WY_DIRECTOR1), out);
  }
}

static wy_status probe_own(const wy_batches_one *it, const wy_batch_probe *of, double *out, wy_message *message) {
  const int components = wy_quantity_describe(of->quantity)->components;
  wy_status status = WY_OK;
  if (!out)
    return wy_batches_no_room(message);
  for (int first = 0; first < it->own && status == WY_OK; first += WY_BATCH_BLOCK) {
    const int some = it->own - first < WY_BATCH_BLOCK ? it->own - first : WY_BATCH_BLOCK;
    status = read_block(it, of->quantity, first, some, message);
    for (int i = 0; i < some && status == WY_OK; i++, out += components)
      value_of(it, of->quantity, of->share * it->segments, i, out);
  }
  return status;
}

wy_status wy_batches_probe(wy_batches *batches, int probe, double *out, wy_message *message) {
  const wy_batch_probe *of = &batches->scenario->batch_probes[probe];
  const wy_batches_one *it = &batches->list[of->batch];
  const size_t size = (size_t)wy_quantity_describe(of->quantity)->components * sizeof *out;
  wy_parts_order(batches->ranks, (wy_order){.what = WY_ORDER_PROBE, .item = probe});
  return wy_batches_collect(batches, it, false, size, out, probe_own(it, of, out, message), message);
}

/* Mean, least, largest of one component. */
static void reduce(const wy_batches *batches, const wy_batch_rod *status, int count, int components, int k,
                   double *out) {
  double sum = 0, least = INFINITY, largest = -INFINITY;
  int used = 0;
  for (int i = 0; i < count; i++) {
    const double value = batches->values[(size_t)i * (size_t)components + (size_t)k];
    if (status && status[i].failed)
      continue;
    sum += value;
    least = fmin(least, value);
    largest = fmax(largest, value);
    used++;
  }
  out[k] = sum / used;
  out[components + k] = least;
  out[2 * components + k] = largest;
}

wy_status wy_batches_row(wy_batches *batches, double *values, wy_message *message) {
  const wy_scenario *scenario = batches ? batches->scenario : NULL;
  for (int i = 0; scenario && i < scenario->batch_probe_count; i++) {
    const wy_batch_probe *probe = &scenario->batch_probes[i];
    const wy_quantity_info *info = wy_quantity_describe(probe->quantity);
    const wy_batches_one *it = &batches->list[probe->batch];
    const int count = it->def->def.count;
    const bool any = wy_batch_work(it->rods).failed > 0;
    const wy_status status = wy_batches_probe(batches, i, batches->values, message);
    const wy_batch_rod *rods = status == WY_OK && any ? wy_batches_status(batches, probe->batch, message) : NULL;
    if (status != WY_OK || (any && !rods))
      return status != WY_OK ? status : WY_ERROR_SOLVER;
    for (int k = 0; k < info->components; k++)
      reduce(batches, rods, count, info->components, k, values);
    for (int k = 0; k < 3 * info->components; k++)
      if (isnan(values[k]) || (isinf(values[k]) && !info->unbounded))
        return wy_results_fail(message, WY_ERROR_SOLVER,
                               "t = %.9g: batch '%s': probe '%s' (%s) is %g: the solution has broken down",
                               wy_batch_time(it->rods), it->def->name, probe->name, info->name, values[k]);
    values += 3 * (size_t)info->components;
  }
  return WY_OK;
}

/* ---- What snapshots hold ---- */

typedef wy_status reader(wy_batch *batch, int first, int count, double *out, wy_message *message);

static wy_status read_tips(const wy_batches_one *it, double *out, wy_message *message) {
  const size_t row = 3 * ((size_t)it->segments + 1);
  wy_status status = WY_OK;
  if (!out)
    return wy_batches_no_room(message);
  for (int first = 0; first < it->own && status == WY_OK; first += WY_BATCH_BLOCK) {
    const int some = it->own - first < WY_BATCH_BLOCK ? it->own - first : WY_BATCH_BLOCK;
    status = wy_batch_positions(it->rods, first, some, it->block, message);
    for (int i = 0; i < some && status == WY_OK; i++, out += 3)
      memcpy(out, it->block + (size_t)i * row + row - 3, 3 * sizeof *out);
  }
  return status;
}

wy_status wy_batches_tips(wy_batches *batches, int batch, double *out, wy_message *message) {
  const wy_batches_one *it = &batches->list[batch];
  wy_parts_order(batches->ranks, (wy_order){.what = WY_ORDER_TIPS, .item = batch});
  return wy_batches_collect(batches, it, false, 3 * sizeof *out, out, read_tips(it, out, message), message);
}

static wy_status read_recorded(const wy_batches *batches, const wy_batches_one *it, reader *read, size_t size,
                               double *out, wy_message *message) {
  int from;
  const int many = wy_parts_chosen(batches->ranks, batches->ranks ? batches->ranks->rank : 0, it->def->def.count,
                                   it->def->recorded, it->def->recorded_count, &from);
  wy_status status = out ? WY_OK : wy_batches_no_room(message);
  for (int i = 0; i < many && status == WY_OK; i++, out += size)
    status = read(it->rods, it->def->recorded[from + i] - it->first, 1, out, message);
  return status;
}

wy_status wy_batches_recorded(wy_batches *batches, int batch, wy_batches_item item, size_t size, double *out,
                              wy_message *message) {
  static reader *const readers[] = {wy_batch_positions, wy_batch_frames, wy_batch_velocities};
  const wy_batches_one *it = &batches->list[batch];
  wy_parts_order(batches->ranks, (wy_order){.what = WY_ORDER_RECORDED, .item = batch, .read = (int)item, .size = size});
  const wy_status status = read_recorded(batches, it, readers[item], size, out, message);
  return wy_batches_collect(batches, it, true, size * sizeof *out, out, status, message);
}

/* ---- The other ranks ---- */

/* One order. What fails is told to rank 0 there. */
static void carry_out(wy_batches *self, const wy_order *order, wy_message *message) {
  const wy_batches_one *it = order->what == WY_ORDER_PROBE ? NULL : &self->list[order->item];
  switch (order->what) {
  case WY_ORDER_MOVE:
    wy_batches_move_one(self, order->item, order->t, &order->motion, message);
    break;
  case WY_ORDER_PROBE:
    wy_batches_probe(self, order->item, self->values, message);
    break;
  case WY_ORDER_STATUS:
    wy_batches_status(self, order->item, message);
    break;
  case WY_ORDER_TIPS:
    wy_batches_tips(self, order->item, self->values, message);
    break;
  case WY_ORDER_RECORDED:
    wy_batches_recorded(self, order->item, (wy_batches_item)order->read, order->size,
                        wy_batches_room(self, ((size_t)it->own + 1) * order->size * sizeof(double)), message);
    break;
  case WY_ORDER_SAVE:
    wy_batches_save(self, NULL, order->size, message);
    break;
  default:
    wy_batches_restore(self, NULL, order->size, message);
  }
}

wy_status wy_batches_serve(const wy_scenario *scenario, const wy_ranks *ranks, bool (*interrupted)(void *context),
                           void *context, wy_message *message) {
  wy_batches *self = NULL;
  wy_status status = WY_OK;
  for (wy_order order; (order = wy_parts_await(ranks)).what != WY_ORDER_END;) {
    if (order.what == WY_ORDER_MAKE) {
      status = wy_batches_create(scenario, ranks, &self, message);
    } else if (self) {
      self->stop = self->stop || (interrupted && interrupted(context));
      carry_out(self, &order, message);
    }
  }
  wy_batches_destroy(self);
  return status;
}

void wy_batches_dismiss(wy_batches *batches, const wy_ranks *ranks) {
  wy_parts_order(ranks, (wy_order){.what = WY_ORDER_END});
  if (batches)
    batches->ranks = NULL;
}
