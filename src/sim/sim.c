/* A simulation: one system and one integrator per rod, in two arenas (what a snapshot holds, and the rest). */
#include "sim/sim.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "record/probe.h"
#include "record/statistics.h"
#include "scheme/system.h"

enum { SOLVER_COOKIE = 0x57590406, SIM_COOKIE = 0x57590505 };

wy_solver_def wy_default_solver_def(void) {
  wy_solver_def def = {.cookie = SOLVER_COOKIE,
                       .scheme = "staggered",
                       .integrator = "auto",
                       .relative_tolerance = 1e-6,
                       .absolute_tolerance = 1e-6,
                       .staggered = {.curvature_measure = WY_TAN2,
                                     .coordinates = WY_NULLSPACE,
                                     .segment_inertia = WY_DISC,
                                     .stabilisation = WY_PROJECTION,
                                     .baumgarte_omega = 100,
                                     .baumgarte_r = 100},
                       .mixed = {.order = 2, .end_moment = WY_CORRECTED_MOMENT},
                       .conserving = {.order = 2},
                       .box = {.rho_inf = 0.8, .transport = true, .force = WY_FORCE_HISTORY},
                       .newton = {.tolerance = 1e-11, .iterations = 20},
                       .statics = {.increments = 25, .newton_tolerance = 1e-10, .newton_iterations = 20}};
  return def;
}

wy_sim_def wy_default_sim_def(void) {
  wy_sim_def def = {.cookie = SIM_COOKIE, .solver = wy_default_solver_def(), .end = INFINITY};
  return def;
}

/* Integrators that exist, and go with the scheme where there is one. */
static void list_integrators(const wy_solver_def *solver, const wy_scheme *scheme, char *out, size_t size) {
  snprintf(out, size, "auto");
  for (int i = 0; wy_integrator_name(solver->more, i); i++) {
    wy_solver_def other = *solver;
    other.integrator = wy_integrator_name(solver->more, i);
    const wy_integrator_type *type = wy_integrator_find(&other, scheme);
    if (type && wy_integrator_fits(type, scheme))
      snprintf(out + strlen(out), size - strlen(out), ", %s", type->info->name);
  }
}

/* Why they do not go together. */
static const char *mismatch(const wy_integrator_type *type, const wy_scheme *scheme) {
  if (scheme->motion != WY_ODE)
    return "its steps are equations of its own, not a right-hand side";
  if (type->motion != WY_ODE)
    return "it drives steps that a scheme writes itself";
  return "it needs stresses of a whole step";
}

/* Is it a definition of a solver, with names? */
static wy_status check_names(const wy_solver_def *solver, wy_message *message) {
  if (!solver)
    return wy_fail_missing(message, "solver");
  if (solver->cookie != SOLVER_COOKIE)
    return wy_fail_at(message, "solver", "the definition was not made by wy_default_solver_def of this version");
  if (!solver->scheme || !solver->integrator)
    return wy_fail_at(message, "solver", "found no %s; expected a name", solver->scheme ? "integrator" : "scheme");
  return WY_OK;
}

wy_status wy_method_possible(const wy_solver_def *solver, wy_rod_kind kind, wy_message *message) {
  char known[256] = "";
  wy_status named = check_names(solver, message);
  if (named)
    return named;
  const wy_scheme *scheme = wy_scheme_find(solver->scheme);
  if (!scheme) {
    for (int i = 0; wy_scheme_at(i); i++)
      snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i ? ", " : "", wy_scheme_at(i)->name);
    return wy_fail(message, WY_ERROR_SUPPORT, "there is no scheme '%s' in this version; available: %s", solver->scheme,
                   known);
  }
  if (kind > WY_INEXTENSIBLE)
    return wy_fail(message, WY_ERROR_INPUT, "there is no kind of rod number %d", (int)kind);
  wy_status status = scheme->supports(kind, message);
  if (status)
    return status;
  const wy_integrator_type *type = wy_integrator_find(solver, scheme);
  if (type && wy_integrator_fits(type, scheme))
    return WY_OK;
  list_integrators(solver, scheme, known, sizeof known);
  for (int i = 0; !type && solver->more && solver->more->missing[i]; i++)
    if (strcmp(solver->more->missing[i]->name, solver->integrator) == 0)
      return wy_fail(message, WY_ERROR_SUPPORT, "the integrator '%s' is not part of this build: %s; possible: %s",
                     solver->integrator, solver->more->reason, known);
  if (!type)
    return wy_fail(message, WY_ERROR_SUPPORT, "there is no integrator '%s' in this version; possible: %s",
                   solver->integrator, known);
  return wy_fail(message, WY_ERROR_SUPPORT, "the integrator '%s' does not go with the scheme '%s'; possible: %s (%s)",
                 solver->integrator, scheme->name, known, mismatch(type, scheme));
}

static const wy_integrator_type *type_of(const wy_solver_def *solver) {
  const wy_scheme *scheme = check_names(solver, NULL) ? NULL : wy_scheme_find(solver->scheme);
  return scheme ? wy_integrator_find(solver, scheme) : NULL;
}

bool wy_method_has_fixed_step(const wy_solver_def *solver) {
  const wy_integrator_type *type = type_of(solver);
  return type && type->info->fixed_step;
}

bool wy_method_is_multistep(const wy_solver_def *solver) {
  const wy_integrator_type *type = type_of(solver);
  return type && type->info->multistep;
}

bool wy_scheme_has_equilibria(const char *scheme_name) {
  const wy_scheme *scheme = scheme_name ? wy_scheme_find(scheme_name) : NULL;
  return scheme && scheme->config_size;
}

static wy_status check_solver(const wy_model *model, int rod, const wy_solver_def *solver, wy_message *message) {
  wy_status named = check_names(solver, message);
  if (named)
    return named;
  if (!(solver->relative_tolerance > 0) || !(solver->absolute_tolerance > 0) || solver->relative_tolerance > 1 ||
      !isfinite(solver->absolute_tolerance))
    return wy_fail_at(message, "solver.tolerance",
                      "found relative %g, absolute %g; expected positive numbers, relative at most 1",
                      solver->relative_tolerance, solver->absolute_tolerance);
  if (solver->relative_tolerance < 1e-13)
    return wy_fail_at(message, "solver.tolerance",
                      "found %g; expected at least 1e-13, which double precision can carry",
                      solver->relative_tolerance);
  if (!(solver->first_step >= 0) || !isfinite(solver->first_step))
    return wy_fail_at(message, "solver.step", "found %g; expected a positive number", solver->first_step);
  if (!(solver->allow_drift >= 0))
    return wy_fail_at(message, "solver.allow_drift", "found %g; expected a positive number", solver->allow_drift);
  if (!(solver->largest_step >= 0))
    return wy_fail_at(message, "solver", "found largest step %g; expected a positive number", solver->largest_step);
  const wy_staggered_options *options = &solver->staggered;
  if (options->curvature_measure > WY_ANGLE || options->coordinates > WY_ABSOLUTE ||
      options->segment_inertia > WY_CYLINDER || options->stabilisation > WY_BAUMGARTE)
    return wy_fail_at(message, "solver", "found an option of the staggered scheme that does not exist");
  if (options->stabilisation == WY_BAUMGARTE && !(options->baumgarte_omega >= 0 && isfinite(options->baumgarte_omega)))
    return wy_fail_at(message, "solver.stabilisation.baumgarte.omega",
                      "found %g; expected a number that is not negative", options->baumgarte_omega);
  if (options->stabilisation == WY_BAUMGARTE && !(options->baumgarte_r >= 0 && isfinite(options->baumgarte_r)))
    return wy_fail_at(message, "solver.stabilisation.baumgarte.r", "found %g; expected a number that is not negative",
                      options->baumgarte_r);
  if (solver->mixed.order < 1 || solver->mixed.order > 2)
    return wy_fail_at(message, "solver.order", "found %d; expected 1 or 2", solver->mixed.order);
  if (solver->mixed.end_moment > WY_PRINTED_MOMENT)
    return wy_fail_at(message, "solver.end_moment", "found an option that does not exist");
  if (solver->conserving.order != 2 && solver->conserving.order != 4)
    return wy_fail_at(message, "solver.order", "found %d; expected 2 or 4", solver->conserving.order);
  if (!solver->box.coefficients_given && !(solver->box.rho_inf >= 0 && solver->box.rho_inf <= 1))
    return wy_fail_at(message, "solver.rho_inf", "found %g; expected a number from 0 to 1", solver->box.rho_inf);
  if (solver->box.force > WY_FORCE_STAGE)
    return wy_fail_at(message, "solver.contact_force", "found an option that does not exist");
  if (!(solver->newton.tolerance > 0) || solver->newton.tolerance > 0.1)
    return wy_fail_at(message, "solver.newton.tolerance", "found %g; expected a positive number, at most 0.1",
                      solver->newton.tolerance);
  if (solver->newton.iterations < 1)
    return wy_fail_at(message, "solver.newton.iterations", "found %d; expected at least 1", solver->newton.iterations);
  return wy_method_possible(solver, wy_model_rod(model, rod)->kind, message);
}

/* More steps than any run would finish. */
static const double most_steps = 1e10;

/* The shortest of steps that are all of one length, or no longer. Without an end: before the rod has swung once,
   shorter ones would no longer move the clock. */
static double shortest_step(double end, double period) {
  return isfinite(end) ? end / most_steps : isfinite(period) ? WY_GRID_RESOLUTION * period : 0;
}

/* A method that chooses its steps may begin with a shorter one, if the clock can show it. */
static wy_status check_steps(const wy_model *model, int rod, const wy_solver_def *solver, double end,
                             wy_message *message) {
  const double period = wy_model_period(model, rod), shortest = shortest_step(end, period);
  const double first = wy_method_has_fixed_step(solver) ? shortest : WY_GRID_RESOLUTION * fmin(period, end);
  const char *until = isfinite(end) ? "the end" : "the rod has swung once";
  if (solver->first_step > 0 && solver->first_step < first)
    return wy_fail_at(message, "solver.step",
                      "found %g, which makes %.3g steps until %s; expected at least %.3g, or 0: chosen by the method",
                      solver->first_step, (isfinite(end) ? end : period) / solver->first_step, until, first);
  if (solver->largest_step > 0 && solver->largest_step < shortest)
    return wy_fail_at(message, "solver",
                      "found largest step %g, which makes %.3g steps until %s; expected at least %.3g, or 0: no limit",
                      solver->largest_step, (isfinite(end) ? end : period) / solver->largest_step, until, shortest);
  return WY_OK;
}

static wy_status check_statics(const wy_solver_def *solver, wy_message *message) {
  const wy_statics_options *options = &solver->statics;
  if (options->continuation > WY_ARC_LENGTH || options->branch > WY_SWITCH_BRANCH)
    return wy_fail_at(message, "solver", "found an option of statics that does not exist");
  if (options->increments < 1)
    return wy_fail_at(message, "solver.increments", "found %d; expected at least 1", options->increments);
  if (!(options->newton_tolerance > 0) || options->newton_tolerance > 0.1)
    return wy_fail_at(message, "solver.newton.tolerance", "found %g; expected a positive number, at most 0.1",
                      options->newton_tolerance);
  if (options->newton_iterations < 1)
    return wy_fail_at(message, "solver.newton.iterations", "found %d; expected at least 1", options->newton_iterations);
  if (!wy_scheme_has_equilibria(solver->scheme))
    return wy_fail(message, WY_ERROR_SUPPORT, "the scheme '%s' finds no equilibria in this version", solver->scheme);
  return WY_OK;
}

static const wy_solver_def *solver_of(const wy_sim_def *def, int rod) {
  return def->rod_solvers ? &def->rod_solvers[rod] : &def->solver;
}

/* Found once: signals are asked for hundreds of values. */
static double time_scale_of(wy_sim *sim, int rod) {
  if (!(sim->rods[rod].time_scale > 0))
    sim->rods[rod].time_scale = wy_model_time_scale(sim->model, rod, sim->end);
  return sim->rods[rod].time_scale;
}

/* Lays out one rod; runs twice, first counting. */
static wy_status lay_out_rod(wy_sim *sim, int index, const wy_solver_def *given, bool statics, wy_message *message) {
  wy_memory *memory = &sim->memory;
  wy_sim_rod *rod = &sim->rods[index];
  wy_solver_def own = *given, *solver = &own;
  const wy_scheme *scheme = wy_scheme_find(solver->scheme);
  const wy_integrator_type *type = wy_integrator_choose(sim->model, index, solver, rod->reason);
  if (type->info->multistep)
    own.staggered.stabilisation = WY_BAUMGARTE;
  wy_factor_needs needs = type->needs;
  needs.equilibria = statics;
  wy_status status = scheme->create(sim->model, index, solver, needs, memory, &rod->system, message);
  if (!status && rod->system)
    status = wy_system_check_fields(rod->system, message);
  if (status)
    return status;
  rod->method = scheme;
  rod->scheme = scheme->name;
  rod->solver = own;
  rod->solver.scheme = scheme->name;
  rod->solver.integrator = type->info->name;
  rod->solver.more = NULL;
  wy_integrator counting = {0}, *integrator = wy_arena_take(&memory->scratch, sizeof *integrator);
  rod->integrator = integrator;
  if (!integrator)
    integrator = &counting;
  integrator->type = type;
  integrator->system = rod->system;
  integrator->relative = solver->relative_tolerance;
  integrator->absolute = solver->absolute_tolerance;
  integrator->first_step = solver->first_step;
  if (type->info->fixed_step && !(solver->first_step > 0))
    integrator->first_step = wy_default_step(time_scale_of(sim, index), sim->end);
  integrator->largest_step = solver->largest_step;
  integrator->end = sim->end;
  if (wy_watch_needed(sim->model, index))
    integrator->watched_scale = time_scale_of(sim, index);
  integrator->newton = solver->newton;
  integrator->size = scheme->size(sim->model, index, solver) + WY_LANES;
  integrator->now = wy_arena_take(&memory->saved, sizeof *integrator->now);
  integrator->u = wy_arena_doubles(&memory->saved, (size_t)integrator->size);
  rod->shown = wy_arena_doubles(&memory->scratch, (size_t)integrator->size);
  integrator->booked = rod->shown; /* steps are taken while nothing is shown */
  const double torn = scheme->turns ? scheme->turns(solver).torn : 0;
  integrator->torn = isfinite(torn) ? torn : 0;
  type->layout(integrator, memory);
  if (statics)
    wy_sim_lay_out_statics(sim, index, solver);
  return WY_OK;
}

static wy_status lay_out(wy_sim *sim, const wy_sim_def *def, wy_message *message) {
  sim->time = wy_arena_take(&sim->memory.saved, sizeof *sim->time);
  for (int i = 0; i < sim->rod_count; i++) {
    wy_status status = lay_out_rod(sim, i, solver_of(def, i), def->statics, message);
    if (status)
      return status;
  }
  if (def->statics)
    sim->before = wy_arena_take(&sim->memory.scratch, sim->memory.saved.used);
  return WY_OK;
}

/* Work is counted from now on, of what a scheme books by itself, too. */
void wy_sim_begin_work(const wy_sim_rod *rod) {
  wy_system *system = rod->system;
  wy_energy energy = {0};
  system->type->energy(system, rod->integrator->now->t, rod->integrator->u, &energy);
  rod->integrator->u[system->size + WY_WORK_INTEGRAL] = 0 - energy.work;
}

static wy_status build(wy_sim *sim, const wy_sim_def *def, wy_message *message) {
  for (int i = 0; i < sim->rod_count; i++) {
    wy_status status = check_solver(sim->model, i, solver_of(def, i), message);
    if (!status)
      status = check_steps(sim->model, i, solver_of(def, i), def->end, message);
    if (!status && def->statics)
      status = check_statics(solver_of(def, i), message);
    else if (!status) /* an equilibrium finds its way to wherever the ends are */
      status = wy_rod_check_start(wy_model_rod(sim->model, i), i, message);
    if (status)
      return status;
  }
  wy_status status = lay_out(sim, def, message);
  if (status)
    return status;
  if (wy_arena_allocate(&sim->memory.saved) || wy_arena_allocate(&sim->memory.scratch))
    return wy_fail(message, WY_ERROR_MEMORY, "out of memory: the simulation needs %zu MB",
                   (sim->memory.saved.used + sim->memory.scratch.used) >> 20);
  status = lay_out(sim, def, message);
  if (status)
    return status;
  for (int i = 0; i < sim->rod_count; i++) {
    wy_integrator *integrator = sim->rods[i].integrator;
    integrator->system->type->initial(integrator->system, integrator->u);
    wy_sim_begin_work(&sim->rods[i]);
    status = integrator->type->open ? integrator->type->open(integrator, message) : WY_OK;
    if (status)
      return status;
    integrator->type->start(integrator);
  }
  wy_sim_identify(sim, def);
  return WY_OK;
}

wy_status wy_sim_create(const wy_model *model, const wy_sim_def *def, wy_sim **out, wy_message *message) {
  if (!out)
    return wy_fail_missing(message, "sim");
  *out = NULL;
  if (!model || !def)
    return wy_fail_missing(message, model ? "def" : "model");
  if (def->cookie != SIM_COOKIE)
    return wy_fail_at(message, "solver", "the definition was not made by wy_default_sim_def of this version");
  if (!(def->end > 0))
    return wy_fail_at(message, "time.end", "found %g; expected a positive number", def->end);
  wy_sim *sim = calloc(1, sizeof *sim);
  if (sim)
    sim->rods = calloc((size_t)wy_model_rod_count(model), sizeof *sim->rods);
  if (!sim || !sim->rods) {
    free(sim);
    return wy_fail(message, WY_ERROR_MEMORY, "out of memory for the simulation");
  }
  sim->model = model;
  sim->end = def->end;
  sim->rod_count = wy_model_rod_count(model);
  wy_status status = build(sim, def, message);
  if (status) {
    wy_sim_destroy(sim);
    return status;
  }
  *out = sim;
  return WY_OK;
}

void wy_sim_destroy(wy_sim *sim) {
  if (!sim)
    return;
  for (int i = 0; sim->memory.scratch.block && i < sim->rod_count; i++) {
    wy_integrator *integrator = sim->rods[i].integrator;
    if (integrator && integrator->type && integrator->type->close)
      integrator->type->close(integrator);
  }
  wy_arena_release(&sim->memory.saved);
  wy_arena_release(&sim->memory.scratch);
  free(sim->rods);
  free(sim);
}

/* ---- Running ---- */

void wy_sim_show(wy_sim *sim, double t) {
  *sim->time = t;
  for (int i = 0; i < sim->rod_count; i++)
    sim->rods[i].shown_ready = sim->rods[i].view_ready = false;
}

static double earliest_time(const wy_sim *sim) {
  double earliest = INFINITY;
  for (int i = 0; i < sim->rod_count; i++)
    earliest = fmin(earliest, sim->rods[i].integrator->now->t);
  return earliest;
}

/* A simulation whose end is known is verified there. */
static wy_status verify_at_end(wy_sim *sim, wy_message *message) {
  return *sim->time >= sim->end ? wy_sim_verify(sim, NULL, 0, NULL, message) : WY_OK;
}

wy_status wy_sim_step(wy_sim *sim, wy_message *message) {
  if (!sim)
    return wy_fail_missing(message, "sim");
  int behind = 0;
  for (int i = 1; i < sim->rod_count; i++)
    if (sim->rods[i].integrator->now->t < sim->rods[behind].integrator->now->t)
      behind = i;
  if (sim->rods[behind].integrator->now->t >= sim->end)
    return wy_fail(message, WY_ERROR_INPUT, "the simulation has reached its end at t = %g", sim->end);
  wy_status status = wy_sim_leave_rest(sim, message);
  if (!status)
    status = wy_drive_step(sim->rods[behind].integrator, sim->end, message);
  wy_sim_show(sim, earliest_time(sim));
  return status ? status : verify_at_end(sim, message);
}

wy_status wy_sim_check_time(const wy_sim *sim, double t, wy_message *message) {
  if (!sim)
    return wy_fail_missing(message, "sim");
  if (!(t >= *sim->time) || t > sim->end || !isfinite(t))
    return wy_fail(message, WY_ERROR_INPUT, "time %.9g lies outside %.9g (now) to %.9g (end)", t, *sim->time, sim->end);
  return WY_OK;
}

static wy_status drive_all(wy_sim *sim, double t, double limit, wy_message *message) {
  wy_status status = wy_sim_check_time(sim, t, message);
  if (status || (earliest_time(sim) == t && *sim->time == t)) /* what is at rest stays so */
    return status;
  status = wy_sim_leave_rest(sim, message);
  for (int i = 0; !status && i < sim->rod_count; i++)
    status = wy_drive_to(sim->rods[i].integrator, t, limit, message);
  /* After a failure: the time that all rods have reached. */
  wy_sim_show(sim, status ? earliest_time(sim) : t);
  return status ? status : verify_at_end(sim, message);
}

wy_status wy_sim_advance(wy_sim *sim, double t, wy_message *message) {
  if (!sim)
    return wy_fail_missing(message, "sim");
  for (int i = 0; i < sim->rod_count; i++) {
    wy_drive_snap(sim->rods[i].integrator, t);
    if (sim->rods[i].integrator->now->t > t)
      return wy_fail(
          message, WY_ERROR_INPUT,
          "a rod has already been taken to t = %.9g: wy_sim_advance cannot follow wy_sim_sample to a time before that",
          sim->rods[i].integrator->now->t);
  }
  if (earliest_time(sim) == t)
    *sim->time = t;
  wy_status status = drive_all(sim, t, t, message);
  for (int i = 0; (!status || *sim->time == t) && i < sim->rod_count; i++)
    wy_drive_snap(sim->rods[i].integrator, t);
  return status;
}

wy_status wy_sim_sample(wy_sim *sim, double t, wy_message *message) {
  return sim ? drive_all(sim, t, sim->end, message) : wy_fail_missing(message, "sim");
}

double wy_sim_time(const wy_sim *sim) {
  return sim ? *sim->time : (double)NAN;
}

static wy_status check_now(const wy_sim *sim, int rod, wy_message *message) {
  if (!sim)
    return wy_fail_missing(message, "sim");
  if (rod < 0 || rod >= sim->rod_count)
    return wy_fail(message, WY_ERROR_INPUT, "there is no rod number %d", rod);
  if (sim->rods[rod].integrator->now->t != *sim->time)
    return wy_fail(message, WY_ERROR_INPUT,
                   "rod %d is ahead of the time shown (%.9g): use wy_sim_advance before changing loads or ends", rod,
                   *sim->time);
  return WY_OK;
}

static void changed(wy_sim *sim, int rod) {
  wy_integrator *integrator = sim->rods[rod].integrator;
  integrator->type->invalidate(integrator, false);
  integrator->now->clear = 0; /* what acts again has not been looked at */
  wy_sim_disturb(sim, rod);
  sim->rods[rod].shown_ready = sim->rods[rod].view_ready = false;
}

wy_status wy_sim_set_load(wy_sim *sim, int load, const double force[3], const double moment[3], wy_message *message) {
  if (!sim)
    return wy_fail_missing(message, "sim");
  if (load < 0 || load >= wy_model_load_count(sim->model))
    return wy_fail(message, WY_ERROR_INPUT, "there is no load number %d", load);
  static const double none[3] = {0, 0, 0};
  bool back_to_model = !force && !moment;
  force = force ? force : none;
  moment = moment ? moment : none;
  for (int i = 0; i < 3; i++)
    if (!isfinite(force[i]) || !isfinite(moment[i]))
      return wy_fail(message, WY_ERROR_INPUT, "component %d of load %d is not a finite number", i + 1, load);
  int rod = wy_model_load(sim->model, load)->rod;
  wy_status status = check_now(sim, rod, message);
  if (status)
    return status;
  wy_system *system = sim->rods[rod].system;
  system->type->set_load(system, load, back_to_model ? NULL : force, moment);
  changed(sim, rod);
  return WY_OK;
}

wy_status wy_sim_set_actuator(wy_sim *sim, int actuator, const double *force, wy_message *message) {
  if (!sim)
    return wy_fail_missing(message, "sim");
  if (actuator < 0 || actuator >= wy_model_actuator_count(sim->model))
    return wy_fail(message, WY_ERROR_INPUT, "there is no actuator number %d", actuator);
  const wy_actuator_def *def = wy_model_actuator(sim->model, actuator);
  if (force && !isfinite(*force))
    return wy_fail(message, WY_ERROR_INPUT, "the force of actuator %d is not a finite number", actuator);
  if (force && def->kind == WY_TENDON && *force < 0)
    return wy_fail(message, WY_ERROR_INPUT, "found tension %g; expected one that is not negative: a tendon cannot push",
                   *force);
  wy_status status = check_now(sim, def->rod, message);
  if (status)
    return status;
  wy_system *system = sim->rods[def->rod].system;
  system->type->set_actuator(system, actuator, force);
  changed(sim, def->rod);
  return WY_OK;
}

wy_status wy_sim_move_end(wy_sim *sim, int rod, wy_end_name end, const wy_pose *target, double duration,
                          wy_message *message) {
  wy_status status = check_now(sim, rod, message);
  if (status)
    return status;
  if (end != WY_START && end != WY_END)
    return wy_fail(message, WY_ERROR_INPUT, "there is no end number %d", (int)end);
  if (!target)
    return wy_fail_missing(message, "target");
  if (!(duration > 0) || !isfinite(duration))
    return wy_fail(message, WY_ERROR_INPUT, "found duration %g; expected a positive number", duration);
  wy_system *system = sim->rods[rod].system;
  status = system->type->move_end(system, end, *sim->time, target, duration, message);
  if (!status)
    changed(sim, rod);
  return status;
}

/* ---- Reading ---- */

const double *wy_sim_shown(wy_sim *sim, int rod) {
  wy_sim_rod *r = &sim->rods[rod];
  if (!r->shown_ready) {
    wy_drive_state(r->integrator, *sim->time, r->shown);
    r->shown_ready = true;
  }
  return r->shown;
}

const wy_view *wy_sim_view(wy_sim *sim, int rod) {
  if (!sim || rod < 0 || rod >= sim->rod_count)
    return NULL;
  wy_sim_rod *r = &sim->rods[rod];
  if (!r->view_ready) {
    wy_system_view(r->system, *sim->time, wy_sim_shown(sim, rod), &r->system->view);
    r->view_ready = true;
  }
  return &r->system->view;
}

/* False where there is no such rod. */
static bool rod_range(const wy_sim *sim, int rod, int *from, int *to) {
  if (!sim || rod < WY_ALL_RODS || rod >= sim->rod_count)
    return false;
  *from = rod == WY_ALL_RODS ? 0 : rod;
  *to = rod == WY_ALL_RODS ? sim->rod_count : rod + 1;
  return true;
}

wy_energy wy_sim_energy(wy_sim *sim, int rod) {
  wy_energy sum = {0};
  int from, to;
  if (!rod_range(sim, rod, &from, &to))
    return (wy_energy){NAN, NAN, NAN, NAN, NAN, NAN};
  for (int i = from; i < to; i++) {
    wy_system *system = sim->rods[i].system;
    const double *u = wy_sim_shown(sim, i);
    wy_energy part = {0};
    wy_system_energy(system, *sim->time, u, &part);
    sum.kinetic += part.kinetic;
    sum.elastic += part.elastic;
    sum.gravity += part.gravity;
    sum.work += part.work + u[system->size + WY_WORK_INTEGRAL];
    sum.dissipated += u[system->size + WY_DISSIPATION_INTEGRAL];
  }
  sum.total = sum.kinetic + sum.elastic + sum.gravity;
  return sum;
}

wy_momentum wy_sim_momentum(wy_sim *sim, int rod) {
  wy_momentum sum = {0};
  int from, to;
  if (!rod_range(sim, rod, &from, &to))
    return (wy_momentum){{NAN, NAN, NAN}, {NAN, NAN, NAN}, {NAN, NAN, NAN}, NAN};
  for (int i = from; i < to; i++) {
    wy_system *system = sim->rods[i].system;
    wy_momentum part;
    wy_system_momentum(system, *sim->time, wy_sim_shown(sim, i), &part);
    sum.mass += part.mass;
    for (int k = 0; k < 3; k++) {
      sum.linear[k] += part.linear[k];
      sum.angular[k] += part.angular[k];
      sum.centre_of_mass[k] += part.mass * part.centre_of_mass[k];
    }
  }
  for (int k = 0; k < 3; k++)
    sum.centre_of_mass[k] /= sum.mass;
  return sum;
}

/* Members of the sums over all rods. */
static void probe_sum(wy_sim *sim, const wy_quantity_info *info, double *out) {
  const wy_energy energy = info->home == WY_IN_ENERGY ? wy_sim_energy(sim, WY_ALL_RODS) : (wy_energy){0};
  const wy_momentum momentum = info->home == WY_IN_MOMENTUM ? wy_sim_momentum(sim, WY_ALL_RODS) : (wy_momentum){0};
  const void *home = info->home == WY_IN_ENERGY ? (const void *)&energy : (const void *)&momentum;
  assert(info->home == WY_IN_ENERGY || info->home == WY_IN_MOMENTUM);
  memcpy(out, (const char *)home + info->offset, (size_t)info->components * sizeof *out);
}

wy_status wy_sim_probe(wy_sim *sim, wy_quantity quantity, int rod, double s, double out[4], wy_message *message) {
  if (!sim || !out)
    return wy_fail_missing(message, sim ? "out" : "sim");
  if (quantity >= WY_QUANTITY_COUNT)
    return wy_fail(message, WY_ERROR_INPUT, "there is no quantity number %d that a probe can follow", (int)quantity);
  const wy_quantity_info *info = wy_quantity_describe(quantity);
  if (info->place == WY_OF_ALL) {
    probe_sum(sim, info, out);
    return WY_OK;
  }
  if (rod < 0 || rod >= sim->rod_count)
    return wy_fail(message, WY_ERROR_INPUT, "there is no rod number %d", rod);
  double length = wy_model_rod(sim->model, rod)->length;
  bool on_rod = s >= -WY_SAME_PLACE * length && s <= (1 + WY_SAME_PLACE) * length;
  if (info->place != WY_OF_ROD && !on_rod)
    return wy_fail(message, WY_ERROR_INPUT, "found arc length %g; expected 0 to the rod's length %g", s, length);
  return wy_probe_view(wy_sim_view(sim, rod), length, quantity, s, out, message);
}

/* What integrator and scheme have noted, as one struct. */
static wy_statistics statistics_of(const wy_integrator *integrator) {
  wy_statistics one = integrator->now->statistics;
  one.reached = integrator->now->t;
  wy_statistics_take_drifts(&one, integrator->now->drift);
  return one;
}

wy_statistics wy_sim_statistics(const wy_sim *sim, int rod) {
  wy_statistics sum = {0};
  int from, to;
  if (!rod_range(sim, rod, &from, &to))
    return sum;
  for (int i = from; i < to; i++) {
    wy_statistics one = statistics_of(sim->rods[i].integrator);
    wy_statistics_add(&sum, &one, i == from);
  }
  return sum;
}

wy_sim_info wy_sim_describe(const wy_sim *sim, int rod) {
  if (!sim || rod < 0 || rod >= sim->rod_count)
    return (wy_sim_info){"", "", "", 0};
  const wy_sim_rod *r = &sim->rods[rod];
  return (wy_sim_info){r->scheme, r->integrator->type->info->name, r->reason, r->system->unknowns};
}

/* ---- Saving ---- */

typedef struct snapshot_header {
  char magic[8];
  uint64_t bytes, identity[WY_SIM_PARTS];
} snapshot_header;

static const char snapshot_magic[8] = "withy 2";

size_t wy_sim_save_size(const wy_sim *sim) {
  return sim ? sizeof(snapshot_header) + sim->memory.saved.used : 0;
}

wy_status wy_sim_save(const wy_sim *sim, void *buffer, size_t size, wy_message *message) {
  if (!sim || !buffer)
    return wy_fail_missing(message, sim ? "buffer" : "sim");
  if (size < wy_sim_save_size(sim))
    return wy_fail(message, WY_ERROR_INPUT, "found room for %zu bytes; expected %zu", size, wy_sim_save_size(sim));
  snapshot_header header = {.bytes = sim->memory.saved.used};
  memcpy(header.identity, sim->identity, sizeof header.identity);
  memcpy(header.magic, snapshot_magic, sizeof header.magic);
  memcpy(buffer, &header, sizeof header);
  memcpy((char *)buffer + sizeof header, sim->memory.saved.block, sim->memory.saved.used);
  return WY_OK;
}

wy_status wy_sim_restore(wy_sim *sim, const void *buffer, size_t size, wy_message *message) {
  snapshot_header header;
  if (!sim || !buffer)
    return wy_fail_missing(message, sim ? "buffer" : "sim");
  if (size < sizeof header)
    return wy_fail(message, WY_ERROR_INPUT, "found a snapshot of %zu bytes; expected %zu", size, wy_sim_save_size(sim));
  memcpy(&header, buffer, sizeof header);
  if (memcmp(header.magic, snapshot_magic, sizeof header.magic) != 0)
    return wy_fail(message, WY_ERROR_INPUT, "this is no snapshot, or one of another version");
  char differs[128];
  if (!wy_sim_is_same(sim, header.identity, differs, sizeof differs))
    return wy_fail(message, WY_ERROR_INPUT, "the snapshot belongs to another simulation, which differs in: %s",
                   differs);
  if (header.bytes != sim->memory.saved.used || size < wy_sim_save_size(sim))
    return wy_fail(
        message, WY_ERROR_INPUT,
        "the snapshot is not whole, or of another build: found %zu bytes, %llu of them state; expected %zu, %zu", size,
        (unsigned long long)header.bytes, wy_sim_save_size(sim), sim->memory.saved.used);
  memcpy(sim->memory.saved.block, (const char *)buffer + sizeof header, sim->memory.saved.used);
  for (int i = 0; i < sim->rod_count; i++) {
    wy_sim_rod *rod = &sim->rods[i];
    rod->system->type->refresh(rod->system);
    wy_sim_resume_statics(sim, i);
    wy_integrator_resume(rod->integrator);
    rod->shown_ready = rod->view_ready = false;
  }
  return WY_OK;
}
