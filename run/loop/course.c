/* SPDX-License-Identifier: MIT */
/* Runs with a course in time, dynamics and quasistatics: from one output time to the next, with a checkpoint now and
   then. */
#include <math.h>

#include "run/loop/loop.h"
#include "run/results/clock.h"

/* Checkpoints come at most so often, in seconds, and take at most this part of the time; the first one is expected to
   write so many bytes a second. */
static const double checkpoint_interval = 0.5, checkpoint_share = 0.02, checkpoint_speed = 2e8;
/* How long one call of the simulation should last, in seconds, so that the caller's callbacks are asked soon. */
static const double shortest_call = 0.02, longest_call = 0.1;

/* The next one, where one takes so many seconds. */
static void expect_checkpoint(wy_loop *loop, double duration) {
  loop->next_checkpoint = wy_wall_time() + fmax(checkpoint_interval, duration / checkpoint_share);
}

static wy_status checkpoint_if_due(wy_loop *loop, wy_message *message) {
  double before = wy_wall_time();
  if (before < loop->next_checkpoint)
    return WY_OK;
  wy_status status = wy_results_checkpoint(loop->results, message);
  expect_checkpoint(loop, wy_wall_time() - before);
  return status;
}

/* A result that is wrong is written down all the same, where its time was reached. */
static bool is_there(const wy_sim *sim, double t, wy_status status) {
  return status == WY_ERROR_RESULT && wy_sim_time(sim) == t;
}

/* Takes the simulation to time t; *arrived stays false where an interruption or a failure came between. */
typedef wy_status taking(wy_loop *loop, double t, bool *arrived, wy_message *message);

/* To time t in pieces of bounded wall time. Sampling does not change the steps of the simulation, so neither do the
   pieces. */
static wy_status advance(wy_loop *loop, double t, bool *arrived, wy_message *message) {
  wy_sim *sim = loop->def->sim;
  wy_status status = WY_OK;
  while (status == WY_OK && !*arrived && !wy_loop_stopped(loop)) {
    double now = wy_sim_time(sim);
    bool last = !(now + loop->stride < t);
    double before = wy_wall_time();
    status = wy_sim_sample(sim, last ? t : now + loop->stride, message);
    double duration = wy_wall_time() - before;
    if (duration < shortest_call && !last)
      loop->stride *= 2;
    else if (duration > longest_call)
      loop->stride = fmax(loop->stride / 2, 1e-9 * loop->def->scenario->end);
    wy_loop_progress(loop);
    if (status == WY_OK && !last)
      status = checkpoint_if_due(loop, message);
    *arrived = last && (status == WY_OK || is_there(sim, t, status));
  }
  return status;
}

/* A path by arc length may turn round and never come to a later time. */
static wy_status check_path(const wy_loop *loop, double t, long increments, wy_message *message) {
  enum { MOST_INCREMENTS = 20000 };
  const wy_model *model = loop->def->model;
  const bool rods = wy_model_rod_count(model) > 0;
  const char *noun = rods ? "rod" : "body", *name = rods ? wy_model_rod(model, 0)->name : wy_model_body(model, 0)->name;
  double now = wy_sim_time(loop->def->sim);
  if (now < 0)
    return wy_results_fail(message, WY_ERROR_SOLVER,
                           "%s '%s': the path of equilibria runs back beyond its start before it reaches t = %.9g",
                           noun, name, t);
  if (increments >= MOST_INCREMENTS)
    return wy_results_fail(message, WY_ERROR_SOLVER,
                           "%s '%s': the path of equilibria is still at t = %.9g after %d increments towards t = %.9g",
                           noun, name, now, MOST_INCREMENTS, t);
  return WY_OK;
}

/* To the equilibrium at time t. A single rod or group goes there increment by increment, so that its path can be
   written down and interruptions are answered. */
static wy_status follow(wy_loop *loop, double t, bool *arrived, wy_message *message) {
  wy_sim *sim = loop->def->sim;
  wy_status status = WY_OK;
  bool single = wy_sim_group_count(sim) == 1;
  *arrived = wy_sim_time(sim) == t;
  for (long increments = 1; status == WY_OK && !*arrived && !wy_loop_stopped(loop); ++increments) {
    status = single ? wy_sim_follow_step(sim, t, message) : wy_sim_follow(sim, t, message);
    if (status == WY_OK && loop->def->scenario->follows_path)
      status = wy_results_record_path(loop->results, message);
    wy_loop_progress(loop);
    *arrived = (status == WY_OK && wy_sim_time(sim) == t) || is_there(sim, t, status);
    if (status == WY_OK && !*arrived)
      status = check_path(loop, t, increments, message);
    if (status == WY_OK && !*arrived)
      status = checkpoint_if_due(loop, message);
  }
  return status;
}

/* To where the simulation is. Nothing is left to do once a whole batch is lost. */
static wy_status move_batches(wy_loop *loop, double t, wy_message *message) {
  wy_batches *batches = loop->def->batches;
  wy_status status = wy_batches_move(batches, t, loop->def->sim, message);
  return status == WY_OK && wy_batches_lost(batches) ? wy_batches_verify(batches, message) : status;
}

/* From one row or snapshot to the next. */
static wy_status run_course(wy_loop *loop, taking *take, wy_message *message) {
  wy_status status = WY_OK;
  double due = wy_results_due(loop->results);
  loop->stride = loop->def->scenario->end / 1000;
  expect_checkpoint(loop, (double)wy_sim_save_size(loop->def->sim) / checkpoint_speed);
  while (status == WY_OK && isfinite(due) && !wy_loop_stopped(loop)) {
    bool arrived = false;
    status = take(loop, due, &arrived, message);
    if (arrived && status == WY_OK)
      status = move_batches(loop, due, message);
    arrived = arrived && (status == WY_OK || status == WY_ERROR_RESULT);
    if (arrived) {
      status = wy_loop_record(loop, status, message);
      due = wy_results_due(loop->results);
      if (status == WY_OK && isfinite(due))
        status = checkpoint_if_due(loop, message);
    }
  }
  loop->complete = status == WY_OK && !isfinite(due);
  if (status == WY_OK && !loop->complete)
    status = wy_results_checkpoint(loop->results, message);
  return status;
}

wy_status wy_loop_dynamics(wy_loop *loop, wy_message *message) {
  wy_status status = WY_OK;
  if (loop->def->scenario->from_statics && wy_results_empty(loop->results))
    status = wy_sim_settle(loop->def->sim, 0, message);
  return status == WY_OK ? run_course(loop, advance, message) : status;
}

/* The first equilibrium and its rows belong together: a checkpoint between them would repeat one of them. */
wy_status wy_loop_quasistatics(wy_loop *loop, wy_message *message) {
  wy_status status = WY_OK;
  if (wy_results_empty(loop->results)) {
    status = wy_sim_settle(loop->def->sim, 0, message);
    if (status == WY_OK && loop->def->scenario->follows_path)
      status = wy_results_record_path(loop->results, message);
    if (status == WY_OK)
      status = wy_results_record(loop->results, message);
  }
  return status == WY_OK ? run_course(loop, follow, message) : status;
}
