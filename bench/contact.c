/* SPDX-License-Identifier: MIT */
/* Timing of contact with obstacles: right-hand side and Jacobian of a rod that has nothing to touch, has an obstacle
   out of reach, lies close above it, or lies in it with all stations; and of a rod that is dropped. */
#include <math.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/timing.h"
#include "scheme/contacts.h"

static const double radius = 5e-3;

static wy_rod_def soft_rod(int segments, double length) {
  wy_rod_def rod = wy_bench_rod(segments, 5e6);
  rod.length = length;
  rod.section.radius = wy_constant(radius);
  return rod;
}

/* ---- One evaluation ---- */

enum { WORK = 100000 };

static const char *const names[WY_CONTACT_SHAPES] = {"plane", "sphere", "cylinder"};

/* An obstacle whose surface is `gap` below the skin of a rod along x at z = 0, all along it. */
static wy_obstacle_def obstacle_below(int shape, double gap) {
  static const wy_obstacle_shape shapes[WY_CONTACT_SHAPES] = {WY_OBSTACLE_PLANE, WY_OBSTACLE_SPHERE,
                                                              WY_OBSTACLE_CYLINDER};
  wy_obstacle_def def = wy_default_obstacle_def();
  def.shape = shapes[shape];
  def.radius = shape == WY_CONTACT_SPHERE ? 1e5 : shape == WY_CONTACT_CYLINDER ? 0.1 : 0;
  def.length = shape == WY_CONTACT_CYLINDER ? INFINITY : 0;
  if (shape == WY_CONTACT_CYLINDER)
    def.axis[0] = 1, def.axis[1] = def.axis[2] = 0;
  def.position[2] = wy_constant(-def.radius - radius - gap);
  return def;
}

typedef struct subject {
  wy_system *system;
  double *u, *f;
} subject;

static void run_rhs(void *context) {
  subject *s = context;
  s->system->type->rhs(s->system, 0, s->u, s->f, NULL);
}

static void run_jacobian(void *context) {
  subject *s = context;
  s->system->type->jacobian(s->system, 0, s->u);
}

static int stations_of(const wy_system *system) {
  int count = 0;
  for (int i = 0; system->contacts && i < system->contacts->cap; i++)
    count += system->contacts->weight[i] > 0;
  return count;
}

/* The same rod for any obstacle, or for none. */
static int measure(const wy_obstacle_def *obstacle, double friction, int segments, wy_contact_times *times) {
  wy_model *model = NULL;
  wy_memory memory = {0};
  wy_arena vectors = {0};
  subject s = {0};
  wy_model_def def = wy_default_model_def();
  wy_contact_def contact = wy_default_contact_def();
  wy_solver_def solver = wy_default_solver_def();
  const wy_scheme *scheme = wy_scheme_find("staggered");
  const wy_factor_needs needs = {.real = 1};
  const wy_rod_def rod = soft_rod(segments, 0.01 * segments);
  contact.friction = friction;
  def.rods = &rod, def.rod_count = 1, def.gravity[2] = -9.81;
  def.obstacles = obstacle, def.obstacle_count = obstacle != NULL;
  def.contact = &contact;
  int status = wy_model_create(&def, &model, NULL);
  if (status)
    return status;
  scheme->create(model, 0, &solver, needs, &memory, &s.system, NULL);
  for (int pass = 0; pass < 2 && !status; pass++) {
    const size_t size = (size_t)scheme->size(model, 0, &solver);
    s.u = wy_arena_doubles(&vectors, size);
    s.f = wy_arena_doubles(&vectors, size);
    if (pass == 0)
      status = wy_arena_allocate(&vectors) || wy_arena_allocate(&memory.saved) || wy_arena_allocate(&memory.scratch)
                   ? WY_ERROR_MEMORY
                   : WY_OK;
  }
  if (!status) {
    scheme->create(model, 0, &solver, needs, &memory, &s.system, NULL);
    s.system->type->initial(s.system, s.u);
    if (s.system->contacts)
      wy_system_start_contact(s.system, 0, s.u);
    times->stations = stations_of(s.system);
    times->rhs = segments * wy_bench_time(run_rhs, &s, segments, WORK);
    times->jacobian = segments * wy_bench_time(run_jacobian, &s, segments, WORK);
  }
  wy_arena_release(&vectors);
  wy_arena_release(&memory.saved);
  wy_arena_release(&memory.scratch);
  wy_model_destroy(model);
  return status;
}

int wy_bench_contact(int shape, int segments, wy_contact_figures *figures) {
  const wy_obstacle_def far = obstacle_below(shape, 50), near = obstacle_below(shape, radius),
                        touching = obstacle_below(shape, -0.02 * radius);
  *figures = (wy_contact_figures){.shape = names[shape], .segments = segments};
  int status = measure(NULL, 0, segments, &figures->none);
  if (!status)
    status = measure(&far, 0, segments, &figures->far);
  if (!status)
    status = measure(&near, 0, segments, &figures->near);
  if (!status)
    status = measure(&touching, 0, segments, &figures->touching);
  if (!status)
    status = measure(&touching, 0.3, segments, &figures->rubbing);
  return status;
}

/* ---- A drop ---- */

/* Askew on a floor, for a second, with a tolerance of 1e-3; `floor` false: it falls and meets nothing. */
int wy_bench_drop(bool floor, double friction, wy_drop_figures *figures) {
  wy_model *model = NULL;
  wy_sim *sim = NULL;
  wy_model_def def = wy_default_model_def();
  wy_sim_def sim_def = wy_default_sim_def();
  wy_contact_def contact = wy_default_contact_def();
  const wy_obstacle_def obstacle = wy_default_obstacle_def();
  wy_rod_def rod = soft_rod(20, 0.5);
  rod.shape.origin[2] = 0.03;
  rod.shape.direction[0] = cos(0.2), rod.shape.direction[2] = sin(0.2);
  rod.damping.kind = WY_DAMPING_TIME;
  rod.damping.time = wy_constant(1e-3);
  contact.friction = friction;
  def.rods = &rod, def.rod_count = 1, def.gravity[2] = -9.81;
  def.obstacles = &obstacle, def.obstacle_count = floor;
  def.contact = &contact;
  sim_def.solver.relative_tolerance = sim_def.solver.absolute_tolerance = 1e-3;
  sim_def.end = 1;
  *figures = (wy_drop_figures){.floor = floor, .friction = friction};
  int status = wy_model_create(&def, &model, NULL);
  if (!status)
    status = wy_sim_create(model, &sim_def, &sim, NULL);
  if (!status)
    status = wy_bench_way(sim, 1, 5, &figures->milliseconds);
  if (!status) {
    const wy_statistics s = wy_sim_statistics(sim, 0);
    figures->steps = s.steps, figures->rejected = s.rejected, figures->rhs = s.rhs, figures->jacobians = s.jacobians;
    figures->integrator = wy_sim_describe(sim, 0).integrator;
  }
  wy_sim_destroy(sim);
  wy_model_destroy(model);
  return status;
}
