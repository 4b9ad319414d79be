/* SPDX-License-Identifier: MIT */
/* A simulation moves in time, and what the user changes while it does: loads, actuators, ends. */
#include <math.h>
#include <time.h>

#include "base/message.h"
#include "model/network.h"
#include "network/group.h"
#include "sim/sim.h"

void wy_sim_outdate(wy_sim_group *group) {
  group->shown_ready = false;
  for (int i = 0; i < group->rod_count; i++) {
    wy_sim_rod *rod = &group->sim->rods[group->rods[i]];
    rod->view_ready = rod->contact_ready = rod->energy_ready = rod->momentum_ready = false;
  }
}

void wy_sim_show(wy_sim *sim, double t) {
  *sim->time = t;
  for (int i = 0; i < sim->group_count; i++)
    wy_sim_outdate(&sim->groups[i]);
}

static double earliest_time(const wy_sim *sim) {
  double earliest = INFINITY;
  for (int i = 0; i < sim->group_count; i++)
    earliest = fmin(earliest, sim->groups[i].integrator->now->t);
  return earliest;
}

/* A simulation whose end is known is verified there. */
static wy_status verify_at_end(wy_sim *sim, wy_message *message) {
  return *sim->time >= sim->end ? wy_sim_verify(sim, NULL, 0, NULL, message) : WY_OK;
}

static wy_status step_group(wy_sim *sim, wy_integrator *integrator, double limit, wy_message *message) {
  wy_status status = wy_sim_leave_rest(sim, message);
  if (!status)
    status = wy_drive_step(integrator, limit, message);
  wy_sim_show(sim, earliest_time(sim));
  return status ? status : verify_at_end(sim, message);
}

wy_status wy_sim_step(wy_sim *sim, wy_message *message) {
  if (!sim)
    return wy_fail_missing(message, "sim");
  if (sim->group_count == 0)
    return wy_fail(message, WY_ERROR_INPUT, "nothing moves by steps: there are neither rods nor bodies");
  wy_integrator *behind = sim->groups[0].integrator;
  for (int i = 1; i < sim->group_count; i++)
    if (sim->groups[i].integrator->now->t < behind->now->t)
      behind = sim->groups[i].integrator;
  if (behind->now->t >= sim->end)
    return wy_fail(message, WY_ERROR_INPUT, "the simulation has reached its end at t = %g", sim->end);
  return step_group(sim, behind, sim->end, message);
}

wy_status wy_sim_check_time(const wy_sim *sim, double t, wy_message *message) {
  if (!sim)
    return wy_fail_missing(message, "sim");
  if (!(t >= *sim->time) || t > sim->end || !isfinite(t))
    return wy_fail(message, WY_ERROR_INPUT, "time %.9g lies outside %.9g (now) to %.9g (end)", t, *sim->time, sim->end);
  return WY_OK;
}

/* Nanoseconds of the way to time t: a step takes about a microsecond for a segment, 13 numbers. */
static double work_until(const wy_sim *sim, double t) {
  double work = 0;
  for (int i = 0; i < sim->group_count; i++) {
    const wy_progress *now = sim->groups[i].integrator->now;
    if (now->t < t)
      work += (1 + (t - now->t) / now->h) * sim->groups[i].system->size * (1000. / 13);
  }
  return work;
}

static wy_status advance_group(wy_sim_group *group, double t, wy_message *message) {
  return wy_drive_to(group->integrator, t, t, message);
}

static wy_status sample_group(wy_sim_group *group, double t, wy_message *message) {
  return wy_drive_to(group->integrator, t, group->sim->end, message);
}

static wy_status drive_all(wy_sim *sim, double t, wy_sim_task *drive, wy_message *message) {
  wy_status status = wy_sim_check_time(sim, t, message);
  if (status || (earliest_time(sim) == t && *sim->time == t)) /* what is at rest stays so */
    return status;
  status = wy_sim_leave_rest(sim, message);
  if (!status)
    status = wy_sim_each(sim, work_until(sim, t), drive, t, WY_ALL_GROUPS, message);
  /* After a failure: the time that all have reached. */
  wy_sim_show(sim, status ? earliest_time(sim) : t);
  return status ? status : verify_at_end(sim, message);
}

/* Can all rods go exactly to t? Those that are there up to round-off are there. */
static wy_status aim_at(wy_sim *sim, double t, wy_message *message) {
  for (int i = 0; i < sim->group_count; i++) {
    wy_drive_snap(sim->groups[i].integrator, t);
    if (sim->groups[i].integrator->now->t > t)
      return wy_fail(
          message, WY_ERROR_INPUT,
          "a rod has already been taken to t = %.9g: wy_sim_advance cannot follow wy_sim_sample to a time before that",
          sim->groups[i].integrator->now->t);
  }
  if (earliest_time(sim) == t)
    *sim->time = t;
  return WY_OK;
}

wy_status wy_sim_advance(wy_sim *sim, double t, wy_message *message) {
  wy_status status = sim ? aim_at(sim, t, message) : wy_fail_missing(message, "sim");
  if (status)
    return status;
  status = drive_all(sim, t, advance_group, message);
  for (int i = 0; (!status || *sim->time == t) && i < sim->group_count; i++)
    wy_drive_snap(sim->groups[i].integrator, t);
  return status;
}

wy_status wy_sim_sample(wy_sim *sim, double t, wy_message *message) {
  return sim ? drive_all(sim, t, sample_group, message) : wy_fail_missing(message, "sim");
}

/* ---- On time ---- */

/* A round of steps may take so much longer than the one before. */
static const double round_margin = 1.2;

static double clock_of(const wy_sim *sim) {
  if (sim->clock.seconds)
    return sim->clock.seconds(sim->clock.context);
#if defined(TIME_MONOTONIC)
  const int base = TIME_MONOTONIC;
#elif defined(TIME_UTC)
  const int base = TIME_UTC;
#endif
#ifdef TIME_UTC
  struct timespec at = {0};
  timespec_get(&at, base);
  return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
#else /* the C library of Windows: its clock is that on the wall */
  return (double)clock() / CLOCKS_PER_SEC;
#endif
}

/* One step; of several groups, so many that all are at the same time again, and none has taken more than it needs. */
static wy_status take_round(wy_sim *sim, double t, wy_message *message) {
  if (sim->group_count == 1)
    return step_group(sim, sim->groups[0].integrator, t, message);
  double next = 0;
  for (int i = 0; i < sim->group_count; i++) {
    const wy_integrator *it = sim->groups[i].integrator;
    next = fmax(next, it->type->info->fixed_step ? wy_try_grid_step(it, t).t_stop : it->now->t + it->now->h);
  }
  return wy_sim_advance(sim, fmin(next, t), message);
}

/* Up at once, and down by halves. */
static void expect(wy_sim *sim, double seconds) {
  sim->round_seconds = fmax(seconds, 0.5 * (sim->round_seconds + seconds));
}

wy_status wy_sim_advance_within(wy_sim *sim, double t, double seconds, double *reached, wy_message *message) {
  if (reached)
    *reached = wy_sim_time(sim);
  if (!sim)
    return wy_fail_missing(message, "sim");
  if (isnan(seconds))
    return wy_fail(message, WY_ERROR_INPUT, "found seconds %g; expected a number", seconds);
  const double begin = clock_of(sim);
  wy_status status = wy_sim_check_time(sim, t, message);
  if (!status)
    status = aim_at(sim, t, message);
  double spent = 0;
  bool moved = false;
  while (!status && *sim->time < t && seconds > 0 && spent + round_margin * sim->round_seconds <= seconds) {
    status = take_round(sim, t, message);
    if (!status)
      status = aim_at(sim, t, message);
    const double now = fmax(clock_of(sim) - begin, spent); /* a clock that was set back stands still */
    expect(sim, now - spent);
    spent = now, moved = true;
  }
  if (!moved && seconds > 0) /* a round that was held up says little about the next one */
    sim->round_seconds *= 0.5;
  if (reached)
    *reached = *sim->time;
  return status;
}

double wy_sim_time(const wy_sim *sim) {
  return sim ? *sim->time : (double)NAN;
}

static wy_status check_now(const wy_sim_group *group, wy_message *message) {
  const wy_system *system = group->system;
  if (group->integrator->now->t != *group->sim->time)
    return wy_fail(message, WY_ERROR_INPUT,
                   "%s '%s' is ahead of the time shown (%.9g): use wy_sim_advance before changing loads or ends",
                   wy_system_noun(system), wy_system_name(system), *group->sim->time);
  return WY_OK;
}

static void changed(wy_sim_group *group) {
  wy_integrator *integrator = group->integrator;
  if (group->system->parts) /* which do not tell it */
    group->system->type->refresh(group->system);
  integrator->type->invalidate(integrator, false);
  integrator->now->clear = 0; /* what acts again has not been looked at */
  wy_sim_disturb(group);
  wy_sim_outdate(group);
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
    if (!isfinite(force[i]) || !isfinite(moment[i])) {
      char path[WY_ENTRY_PATH];
      wy_model_load_path(sim->model, load, path);
      return wy_fail(message, WY_ERROR_INPUT, "component %d of %s is not a finite number", i + 1, path);
    }
  const wy_load_def *def = wy_model_load(sim->model, load);
  wy_sim_group *group = def->place == WY_AT_BODY ? &sim->groups[wy_model_network(sim->model)->hubs[def->body].group]
                                                 : sim->rods[def->rod].group;
  wy_status status = check_now(group, message);
  if (status)
    return status;
  if (def->place == WY_AT_BODY) {
    wy_group_set_load(group->system, load, back_to_model ? NULL : force, moment);
  } else {
    wy_system *system = sim->rods[def->rod].system;
    system->type->set_load(system, load, back_to_model ? NULL : force, moment);
  }
  changed(group);
  return WY_OK;
}

wy_status wy_sim_set_actuator(wy_sim *sim, int actuator, const double *force, wy_message *message) {
  if (!sim)
    return wy_fail_missing(message, "sim");
  if (actuator < 0 || actuator >= wy_model_actuator_count(sim->model))
    return wy_fail(message, WY_ERROR_INPUT, "there is no actuator number %d", actuator);
  const wy_actuator_def *def = wy_model_actuator(sim->model, actuator);
  char path[WY_ENTRY_PATH];
  wy_model_actuator_path(sim->model, actuator, path);
  if (force && !isfinite(*force))
    return wy_fail(message, WY_ERROR_INPUT, "the force of %s is not a finite number", path);
  if (force && def->kind == WY_TENDON && *force < 0)
    return wy_fail(message, WY_ERROR_INPUT,
                   "%s: found tension %g; expected one that is not negative: a tendon cannot push", path, *force);
  wy_status status = check_now(sim->rods[def->rod].group, message);
  if (status)
    return status;
  wy_system *system = sim->rods[def->rod].system;
  system->type->set_actuator(system, actuator, force);
  changed(sim->rods[def->rod].group);
  return WY_OK;
}

static wy_status check_target(const wy_pose *target, double duration, wy_message *message) {
  if (!target)
    return wy_fail_missing(message, "target");
  if (!(duration > 0) || !isfinite(duration))
    return wy_fail(message, WY_ERROR_INPUT, "found duration %g; expected a positive number", duration);
  return WY_OK;
}

wy_status wy_sim_move_end(wy_sim *sim, int rod, wy_end_name end, const wy_pose *target, double duration,
                          wy_message *message) {
  if (!sim)
    return wy_fail_missing(message, "sim");
  if (rod < 0 || rod >= sim->rod_count)
    return wy_fail(message, WY_ERROR_INPUT, "there is no rod number %d", rod);
  wy_status status = check_now(sim->rods[rod].group, message);
  if (status)
    return status;
  if (end != WY_START && end != WY_END)
    return wy_fail(message, WY_ERROR_INPUT, "there is no end number %d", (int)end);
  if (wy_network_end(sim->model, rod, end) >= 0)
    return wy_fail(message, WY_ERROR_INPUT, "rod '%s': its %s has a joint or a spring, which move it",
                   wy_model_rod(sim->model, rod)->name, end == WY_START ? "start" : "end");
  status = check_target(target, duration, message);
  if (status)
    return status;
  wy_system *system = sim->rods[rod].system;
  status = system->type->move_end(system, end, *sim->time, target, duration, message);
  if (!status)
    changed(sim->rods[rod].group);
  return status;
}

static bool carries_obstacles(const wy_sim *sim, int body) {
  bool any = false;
  for (int i = 0; i < wy_model_obstacle_count(sim->model); i++)
    any = any || wy_model_obstacle(sim->model, i)->body == body;
  return any;
}

/* What all rods may touch moves for all of them. */
static wy_status check_all_now(const wy_sim *sim, wy_message *message) {
  wy_status status = WY_OK;
  for (int i = 0; !status && i < sim->group_count; i++)
    status = check_now(&sim->groups[i], message);
  return status;
}

wy_status wy_sim_move_body(wy_sim *sim, int body, const wy_pose *target, double duration, wy_message *message) {
  if (!sim)
    return wy_fail_missing(message, "sim");
  if (body < 0 || body >= wy_model_body_count(sim->model))
    return wy_fail(message, WY_ERROR_INPUT, "there is no body number %d", body);
  wy_sim_group *group = &sim->groups[wy_model_network(sim->model)->hubs[body].group];
  wy_status status = carries_obstacles(sim, body) ? check_all_now(sim, message) : check_now(group, message);
  if (!status)
    status = check_target(target, duration, message);
  if (!status)
    status = wy_group_move_body(group->system, body, *sim->time, target, duration, message);
  if (status)
    return status;
  group->system->type->refresh(group->system);
  changed(group);
  if (carries_obstacles(sim, body)) {
    wy_sim_move_carried(sim, body, target, duration);
    for (int i = 0; i < sim->group_count; i++)
      changed(&sim->groups[i]);
  }
  return WY_OK;
}

wy_status wy_sim_move_obstacle(wy_sim *sim, int obstacle, const wy_pose *target, double duration, wy_message *message) {
  if (!sim)
    return wy_fail_missing(message, "sim");
  if (obstacle < 0 || obstacle >= wy_model_obstacle_count(sim->model))
    return wy_fail(message, WY_ERROR_INPUT, "there is no obstacle number %d", obstacle);
  wy_status status = check_target(target, duration, message);
  if (!status && !target->position && !target->frame)
    status = wy_fail(message, WY_ERROR_INPUT, "the target has neither a position nor a frame");
  if (!status && !wy_sim_meets(sim))
    status = wy_fail(message, WY_ERROR_INPUT, "no rod of the simulation can touch obstacle '%s'",
                     wy_model_obstacle(sim->model, obstacle)->name);
  if (!status && wy_model_obstacle(sim->model, obstacle)->body >= 0)
    status = wy_fail(message, WY_ERROR_INPUT, "obstacle '%s' is carried by a body: move the body, by wy_sim_move_body",
                     wy_model_obstacle(sim->model, obstacle)->name);
  if (!status)
    status = check_all_now(sim, message);
  for (int i = 0; !status && i < sim->group_count; i++) {
    status = wy_sim_move_met(&sim->groups[i], obstacle, target, duration, message);
    if (!status)
      changed(&sim->groups[i]);
  }
  return status;
}

wy_status wy_sim_set_joint_angle(wy_sim *sim, int joint, double angle, double rate, double duration,
                                 wy_message *message) {
  if (!sim)
    return wy_fail_missing(message, "sim");
  wy_sim_group *group;
  wy_status status = wy_sim_hinge(sim, joint, &group, message);
  if (!status)
    status = check_now(group, message);
  if (status)
    return status;
  if (!wy_model_joint(sim->model, joint)->has_angle)
    return wy_fail(message, WY_ERROR_INPUT, "joint %d is not driven; expected a hinge that has an angle", joint);
  if (!isfinite(angle) || !isfinite(rate))
    return wy_fail(message, WY_ERROR_INPUT, "found angle %g and rate %g; expected finite numbers", angle, rate);
  if (!(duration > 0) || !isfinite(duration))
    return wy_fail(message, WY_ERROR_INPUT, "found duration %g; expected a positive number", duration);
  wy_group_set_angle(group->system, joint, *sim->time, angle, rate, duration);
  group->system->type->refresh(group->system);
  changed(group);
  return WY_OK;
}
