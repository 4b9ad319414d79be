/* SPDX-License-Identifier: MIT */
/* A batch is made: its definition, what of a model can be batched, memory. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "batch/inside.h"
#include "scheme/scheme.h"
#include "scheme/staggered/staggered.h"

enum { COOKIE = 0x57590e01, MOST_RODS = 1000000000 };
WY_DEF_ENDS_WITH(wy_batch_def, share);

void wy_init_batch_def(wy_batch_def *def, size_t size) {
  const wy_batch_def usual = {.cookie = COOKIE,
                              .size = sizeof usual,
                              .count = 1,
                              .retries = WY_BATCH_MOST_RETRIES,
                              .tolerance = 0.05,
                              .staggered = wy_default_solver_def().staggered};
  wy_def_fill(def, size, &usual);
}

/* ---- What can be batched ---- */

static wy_status refuse(const wy_rod_def *rod, const char *what, wy_message *message) {
  return wy_fail(message, WY_ERROR_SUPPORT, "rod '%s' cannot be the pattern of a batch: %s", rod->name, what);
}

static bool any_varies(const wy_signal *const *signals, int count) {
  for (int i = 0; i < count; i++)
    if (wy_signal_depends(signals[i], WY_ARC))
      return true;
  return false;
}

/* Is the section, with its material, the same all along the rod? */
static bool is_uniform(const wy_rod_def *rod) {
  const wy_section *section = &rod->section;
  const wy_material *material = &rod->material;
  const wy_signal *const all[] = {&section->radius, &section->outer,    &section->inner,  &section->width,
                                  &section->height, &section->area,     &section->I1,     &section->I2,
                                  &section->J,      &material->density, &material->young, &material->poisson,
                                  &material->shear, &rod->damping.time};
  bool varies = any_varies(all, (int)(sizeof all / sizeof all[0]));
  for (int i = 0; i < 6 && !varies; i++) {
    const wy_signal *const six[] = {&rod->stiffness[i], &rod->damping.coefficient[i], &rod->inertia[i < 4 ? i : 0]};
    varies = any_varies(six, 3);
  }
  return !varies;
}

static bool has_equal_segments(const wy_rod_def *rod) {
  const double h = rod->length / rod->segments;
  for (int i = 0; i < rod->segments; i++)
    if (fabs(wy_segment_length(rod, i) - h) > 1e-12 * h)
      return false;
  return true;
}

static bool has_port(const wy_port *ports, int count, int rod) {
  for (int i = 0; i < count; i++)
    if (ports[i].kind == WY_PORT_ROD && ports[i].index == rod)
      return true;
  return false;
}

static bool is_joined(const wy_model *model, int rod) {
  for (int i = 0; i < wy_model_joint_count(model); i++)
    if (has_port(wy_model_joint(model, i)->ports, wy_model_joint(model, i)->port_count, rod))
      return true;
  for (int i = 0; i < wy_model_spring_count(model); i++)
    if (has_port(wy_model_spring(model, i)->ports, 2, rod))
      return true;
  return false;
}

static wy_status check_pattern(const wy_model *model, int index, wy_message *message) {
  const wy_rod_def *rod = wy_model_rod(model, index);
  if (rod->kind != WY_COSSERAT)
    return refuse(rod, "its strains are constrained (kirchhoff, inextensible); expected cosserat", message);
  if (rod->maxwell_count)
    return refuse(rod, "it has Maxwell branches", message);
  if (rod->law.kind != WY_LINEAR_LAW || rod->law.compression)
    return refuse(rod, "its material law is not linear", message);
  if (wy_fluid_acts(rod))
    return refuse(rod, "there is a fluid around it", message);
  if (wy_model_rod_actuator_count(model, index))
    return refuse(rod, "it has actuators", message);
  if (is_joined(model, index))
    return refuse(rod, "a joint or spring takes hold of it", message);
  if (isfinite(rod->ends[0].release) || isfinite(rod->ends[1].release))
    return refuse(rod, "an end is released", message);
  if (!is_uniform(rod))
    return refuse(rod, "its section, material or damping varies along it", message);
  if (rod->segments < 2 || !has_equal_segments(rod))
    return refuse(rod, "its segments are not of one length, or fewer than 2", message);
  const wy_status status = wy_batch_check_obstacles(model, index, message);
  if (status)
    return status;
  return wy_batch_check_loads(model, index, message);
}

static wy_status check_numbers(const wy_batch_def *def, wy_message *message) {
  if (def->count < 1)
    return wy_fail_at(message, "count", "found %d; expected at least 1", def->count);
  if (def->count > MOST_RODS)
    return wy_fail_at(message, "count", "found %d; expected at most %d", def->count, MOST_RODS);
  if (def->substeps < 0 || def->substeps > 1 << 16)
    return wy_fail_at(message, "substeps", "found %d; expected 0 (chosen) to 65536", def->substeps);
  if (def->retries < 0 || def->retries > WY_BATCH_MOST_RETRIES)
    return wy_fail_at(message, "retries", "found %d; expected 0 to %d", def->retries, WY_BATCH_MOST_RETRIES);
  if (!(def->tolerance > 0))
    return wy_fail_at(message, "tolerance", "found %g; expected a number > 0", def->tolerance);
  if ((unsigned)def->precision > WY_BATCH_SINGLE || (unsigned)def->device > WY_BATCH_GPU ||
      (unsigned)def->integrator > WY_BATCH_EXPLICIT)
    return wy_fail_at(message, "", "found a precision, device or integrator that does not exist");
  if (def->lanes != 0 && def->lanes != 1 && def->lanes != 4 && def->lanes != 8 && def->lanes != 16)
    return wy_fail_at(message, "lanes", "found %d; expected 0, 1, 4, 8 or 16", def->lanes);
  const wy_batch_share *share = &def->share;
  if (share->total && (share->first < 0 || share->first > share->total - def->count || !share->combine))
    return wy_fail_at(message, "share", "found %d rods from %d on, of %d%s; expected some of them, and `combine`",
                      def->count, share->first, share->total, share->combine ? "" : ", without `combine`");
  if ((unsigned)def->staggered.curvature_measure > WY_AUTO_MEASURE ||
      (unsigned)def->staggered.segment_inertia > WY_CYLINDER)
    return wy_fail_at(message, "staggered", "found an option that does not exist");
  if (def->staggered.coordinates != WY_NULLSPACE)
    return wy_fail(message, WY_ERROR_SUPPORT, "batches have the coordinates `nullspace` only");
  return WY_OK;
}

static wy_status read_def(const wy_model *model, const wy_batch_def *def, wy_batch_def *own, const wy_batch_def **read,
                          wy_message *message) {
  *own = wy_default_batch_def();
  *read = wy_def_read(def, own, "batch", "", message);
  if (!*read)
    return WY_ERROR_INPUT;
  if ((*read)->rod < 0 || (*read)->rod >= wy_model_rod_count(model))
    return wy_fail_at(message, "rod", "there is no rod number %d", (*read)->rod);
  return check_numbers(*read, message);
}

static wy_batch_kind kind_of(const wy_model *model, const wy_batch_def *def) {
  const wy_rod_def *rod = wy_model_rod(model, def->rod);
  const wy_section_values section = wy_section_at(rod, 0);
  wy_batch_kind kind = {.count = def->count,
                        .segments = rod->segments,
                        .precision = def->precision,
                        .measure = wy_staggered_measure(&def->staggered, rod),
                        .obstacles = wy_batch_count_obstacles(model, def->rod),
                        .springs = wy_batch_sticks(model, def->rod),
                        .grid_values = wy_batch_count_grid_values(model, def->rod),
                        .lanes = def->lanes,
                        .most_tasks = def->tasks.run ? WY_BATCH_MOST_TASKS : 1};
  for (int i = 0; i < 6; i++)
    kind.damped = kind.damped || section.damping[i] > 0;
  for (int end = 0; end < 2; end++) {
    kind.clamped[end] = rod->ends[end].rotation != WY_FREE;
    for (int i = 0; i < 3; i++)
      kind.held[end][i] = rod->ends[end].position[i] != WY_FREE;
  }
  return kind;
}

/* ---- Memory ---- */

/* Of a small batch for rods that are moved again: a hundredth of the whole, and so many as the machine moves in the
   time of a few. */
static int again_room(int count, const wy_batch_backend *backend) {
  const int few = backend->whole ? 8192 : 64, share = count / 100;
  return count < few ? count : share > few ? share : few;
}

static void layout(wy_batch *self) {
  wy_arena *arena = &self->arena;
  const size_t count = (size_t)self->kind.count, vertices = (size_t)self->kind.segments + 1;
  for (int i = 0; i < WY_BATCH_NUMBERS; i++)
    self->numbers[i] = wy_arena_doubles(arena, count * (size_t)wy_batch_number_size((wy_batch_number)i));
  self->ends = wy_arena_doubles(arena, count * WY_ENDS);
  self->undeformed = wy_arena_doubles(arena, count * 7);
  self->row = wy_arena_doubles(arena, 3 * (vertices * WY_CELL + WY_ENDS + WY_PAR_COUNT) + wy_batch_state_entries(self));
  self->loads = wy_arena_doubles(arena, (size_t)self->kind.most_loads * vertices * WY_LOAD_ROW);
  self->obstacles =
      wy_arena_doubles(arena, (size_t)self->kind.most_obstacles * (size_t)self->kind.obstacles * WY_OBST_ROW);
  if (self->kind.grid_values > 0) {
    self->grids = wy_arena_take(arena, (size_t)self->kind.obstacles * sizeof *self->grids);
    self->grid_values = wy_arena_take(arena, self->kind.grid_values * sizeof *self->grid_values);
    self->kind.grids = self->grids;
  }
  self->substeps = wy_arena_take(arena, (size_t)self->substeps_room * sizeof *self->substeps);
  self->rods = wy_arena_take(arena, count * sizeof *self->rods);
  self->list = wy_arena_take(arena, count * sizeof *self->list);
  self->good = wy_arena_take(arena, 2 * (size_t)self->again_room * sizeof *self->good);
}

/* The largest number of substeps of a frame, with those of its start and of retries. */
static int most_substeps(const wy_batch_def *def) {
  return (wy_batch_most_substeps(def) << def->retries) + WY_BATCH_START_STEPS;
}

/* Vertices of all rods from which on `auto` takes a GPU: below, one core is about as fast. */
enum { LARGE = 100000 };

static void choose_machine(wy_batch *self) {
  const wy_batch_def *def = &self->def;
  const bool is_large = (double)wy_batch_total(self) * (self->kind.segments + 1) >= LARGE;
  const bool wanted = def->device == WY_BATCH_GPU || (def->device == WY_BATCH_AUTO_DEVICE && is_large);
  self->backend = wanted && def->gpu.backend ? def->gpu.backend : &wy_batch_lanes;
  self->reason = "";
  if (def->device == WY_BATCH_GPU && !def->gpu.backend)
    self->reason = def->gpu.reason ? def->gpu.reason : "no GPU was given: see withy/gpu.h";
}

static void prepare(wy_batch *self, const wy_model *model, const wy_batch_def *def) {
  self->model = model;
  self->rod = wy_model_rod(model, def->rod);
  self->def = *def;
  self->kind = kind_of(model, def);
  self->most = wy_batch_most_substeps(def);
  self->substeps_room = most_substeps(def);
  self->kind.most_substeps = self->substeps_room;
  self->kind.most_loads = wy_batch_loads_change(self) ? self->substeps_room : 1;
  self->kind.most_obstacles = wy_batch_obstacles_change(self) ? self->substeps_room : 1;
  choose_machine(self);
  self->again_room = again_room(def->count, self->backend);
}

static wy_batch_kind again_kind(const wy_batch *self) {
  wy_batch_kind kind = self->kind;
  kind.count = self->again_room;
  kind.keeps = true;
  return kind;
}

static size_t machine_memory(const wy_batch *self) {
  const wy_batch_kind again = again_kind(self);
  return self->backend->memory(&self->kind) + self->backend->memory(&again);
}

/* The machine and the small one; false: out of memory. */
static bool make_machines(wy_batch *self) {
  const wy_batch_kind again = again_kind(self);
  int lanes;
  const char *name;
  self->machine = self->backend->create(&self->kind, &self->lanes, &self->machine_name);
  self->again = self->machine ? self->backend->create(&again, &lanes, &name) : NULL;
  return self->again;
}

static void destroy_machines(wy_batch *self) {
  if (self->machine)
    self->backend->destroy(self->machine);
  if (self->again)
    self->backend->destroy(self->again);
  self->machine = self->again = NULL;
}

/* On a GPU without memory for them, rods are left to the CPU. */
static bool make_some_machines(wy_batch *self) {
  if (make_machines(self))
    return true;
  destroy_machines(self);
  if (self->backend == &wy_batch_lanes)
    return false;
  self->backend = &wy_batch_lanes;
  self->reason = "the GPU has not enough memory for these rods";
  if (make_machines(self))
    return true;
  destroy_machines(self);
  return false;
}

wy_status wy_batch_create(const wy_model *model, const wy_batch_def *def, wy_batch **batch, wy_message *message) {
  if (batch)
    *batch = NULL;
  if (!model || !def || !batch)
    return wy_fail_missing(message, !model ? "model" : !def ? "def" : "batch");
  wy_batch_def own;
  wy_status status = read_def(model, def, &own, &def, message);
  if (!status)
    status = check_pattern(model, def->rod, message);
  if (status)
    return status;
  wy_batch counted = {.lanes = 0};
  prepare(&counted, model, def);
  layout(&counted);
  wy_arena arena = {.used = counted.arena.used};
  wy_batch *self = wy_arena_take(&arena, sizeof *self);
  (void)self;
  if (wy_arena_allocate(&arena))
    return wy_fail(message, WY_ERROR_MEMORY, "out of memory for a batch of %d rods", def->count);
  self = wy_arena_take(&arena, sizeof *self);
  self->arena = arena;
  prepare(self, model, def);
  layout(self);
  wy_batch_make_grids(self);
  if (!make_some_machines(self)) {
    wy_batch_destroy(self);
    return wy_fail(message, WY_ERROR_MEMORY, "out of memory for the states of %d rods, or no kernel with %d lanes",
                   def->count, def->lanes);
  }
  self->now = def->substeps;
  wy_batch_begin_numbers(self);
  wy_batch_begin_supports(self);
  wy_batch_refresh(self);
  *batch = self;
  return WY_OK;
}

void wy_batch_destroy(wy_batch *batch) {
  if (!batch)
    return;
  destroy_machines(batch);
  wy_arena arena = batch->arena;
  wy_arena_release(&arena);
}

wy_batch_info wy_batch_describe(const wy_batch *batch) {
  if (!batch)
    return (wy_batch_info){.machine = "", .reason = "", .choice = ""};
  return (wy_batch_info){.count = batch->kind.count,
                         .segments = batch->kind.segments,
                         .substeps = batch->now,
                         .lanes = batch->backend->device == WY_BATCH_GPU ? 0 : batch->lanes,
                         .integrator = !batch->wanted ? batch->def.integrator
                                       : batch->leaps ? WY_BATCH_EXPLICIT
                                                      : WY_BATCH_BDF2,
                         .precision = batch->kind.precision,
                         .device = batch->backend->device,
                         .machine = batch->machine_name,
                         .reason = batch->reason,
                         .choice = batch->choice};
}

size_t wy_batch_memory(const wy_batch *batch) {
  return batch ? batch->arena.capacity + machine_memory(batch) : 0;
}

double wy_batch_memory_estimate(const wy_model *model, const wy_batch_def *def) {
  wy_batch_def own;
  if (!model || !def || read_def(model, def, &own, &def, NULL))
    return NAN;
  wy_batch counted = {.lanes = 0};
  prepare(&counted, model, def);
  layout(&counted);
  return (double)(counted.arena.used + sizeof counted + machine_memory(&counted));
}
