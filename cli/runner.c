#define _POSIX_C_SOURCE 200809L
#include "cli/runner.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>

/* Snapshots for --resume: at most so often in seconds, and never more than a small part of the time. */
static const double checkpoint_interval = 0.5, checkpoint_share = 0.02;
/* How long one call of the simulation should last, so that Ctrl-C and the progress line are answered soon. */
static const double shortest_call = 0.02, longest_call = 0.1;

static volatile sig_atomic_t signal_seen;

static void on_signal(int number) {
  signal_seen = number;
}

/* A file that becomes too large is an error, not a signal. */
void wy_watch_signals(void) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART | (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  struct sigaction hangup;
  if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
    sigaction(SIGHUP, &action, NULL);
  signal(SIGXFSZ, SIG_IGN);
}

static wy_status checkpoint_if_due(wy_runner *r, wy_message *message) {
  double before = wy_wall_time();
  if (before < r->next_checkpoint)
    return WY_OK;
  wy_status status = wy_results_checkpoint(r->results, message);
  double after = wy_wall_time();
  r->next_checkpoint = after + fmax(checkpoint_interval, (after - before) / checkpoint_share);
  return status;
}

/* ---- Runs with a course in time ---- */

/* Takes the simulation to time t; *arrived stays false where a signal or a failure came between. */
typedef wy_status taking(wy_runner *r, double t, bool *arrived, wy_message *message);

/* A result that is wrong is written down all the same, where its time was reached. */
static bool is_there(const wy_sim *sim, double t, wy_status status) {
  return status == WY_ERROR_RESULT && wy_sim_time(sim) == t;
}

/* Writes the row or frame that is due; what was wrong before remains to be said. */
static wy_status record(wy_runner *r, wy_status before, wy_message *message) {
  wy_message written = {{0}, {0}};
  wy_status status = wy_results_record(r->results, &written);
  if (status != WY_OK)
    *message = written;
  return status != WY_OK ? status : before;
}

/* To time t in pieces of bounded wall time. Sampling does not change the steps of the simulation, so neither do the
 * pieces. */
static wy_status advance(wy_runner *r, double t, bool *arrived, wy_message *message) {
  wy_sim *sim = r->def->sim;
  wy_status status = WY_OK;
  while (status == WY_OK && !*arrived && !signal_seen) {
    double now = wy_sim_time(sim);
    bool last = !(now + r->stride < t);
    double before = wy_wall_time();
    status = wy_sim_sample(sim, last ? t : now + r->stride, message);
    double duration = wy_wall_time() - before;
    if (duration < shortest_call && !last)
      r->stride *= 2;
    else if (duration > longest_call)
      r->stride = fmax(r->stride / 2, 1e-9 * r->progress.end);
    wy_progress_update(&r->progress, wy_sim_time(sim));
    if (status == WY_OK && !last)
      status = checkpoint_if_due(r, message);
    *arrived = last && (status == WY_OK || is_there(sim, t, status));
  }
  return status;
}

/* A path by arc length may turn round and never come to a later time. */
static wy_status check_path(const wy_runner *r, double t, long increments, wy_message *message) {
  enum { MOST_INCREMENTS = 20000 };
  const char *name = wy_model_rod(r->def->model, 0)->name;
  double now = wy_sim_time(r->def->sim);
  if (now < 0)
    return wy_results_fail(message, WY_ERROR_SOLVER,
                           "rod '%s': the path of equilibria runs back beyond its start before it reaches t = %.9g",
                           name, t);
  if (increments >= MOST_INCREMENTS)
    return wy_results_fail(message, WY_ERROR_SOLVER,
                           "rod '%s': the path of equilibria is still at t = %.9g after %d increments towards t = %.9g",
                           name, now, MOST_INCREMENTS, t);
  return WY_OK;
}

/* To the equilibrium at time t. A single rod goes there increment by increment, so that its path can be written down
   and signals are answered. */
static wy_status follow(wy_runner *r, double t, bool *arrived, wy_message *message) {
  wy_sim *sim = r->def->sim;
  wy_status status = WY_OK;
  bool single = wy_model_rod_count(r->def->model) == 1;
  *arrived = wy_sim_time(sim) == t;
  for (long increments = 1; status == WY_OK && !*arrived && !signal_seen; ++increments) {
    status = single ? wy_sim_follow_step(sim, t, message) : wy_sim_follow(sim, t, message);
    if (status == WY_OK && r->def->scenario->follows_path)
      status = wy_results_record_path(r->results, message);
    wy_progress_update(&r->progress, wy_sim_time(sim));
    *arrived = (status == WY_OK && wy_sim_time(sim) == t) || is_there(sim, t, status);
    if (status == WY_OK && !*arrived)
      status = check_path(r, t, increments, message);
    if (status == WY_OK && !*arrived)
      status = checkpoint_if_due(r, message);
  }
  return status;
}

/* From one row or frame to the next. */
static wy_status run_course(wy_runner *r, taking *take, wy_message *message) {
  wy_status status = WY_OK;
  double due = wy_results_due(r->results);
  while (status == WY_OK && isfinite(due) && !signal_seen) {
    bool arrived = false;
    status = take(r, due, &arrived, message);
    if (arrived) {
      status = record(r, status, message);
      due = wy_results_due(r->results);
      if (status == WY_OK && isfinite(due))
        status = checkpoint_if_due(r, message);
    }
  }
  r->complete = status == WY_OK && !isfinite(due);
  if (status == WY_OK && !r->complete)
    status = wy_results_checkpoint(r->results, message);
  return status;
}

static wy_status run_dynamics(wy_runner *r, wy_message *message) {
  wy_status status = WY_OK;
  if (r->def->scenario->from_statics && wy_results_empty(r->results))
    status = wy_sim_settle(r->def->sim, 0, message);
  return status == WY_OK ? run_course(r, advance, message) : status;
}

/* The first equilibrium and its rows belong together: a checkpoint between them would repeat one of them. */
static wy_status run_quasistatics(wy_runner *r, wy_message *message) {
  wy_status status = WY_OK;
  if (wy_results_empty(r->results)) {
    status = wy_sim_settle(r->def->sim, 0, message);
    if (status == WY_OK && r->def->scenario->follows_path)
      status = wy_results_record_path(r->results, message);
    if (status == WY_OK)
      status = wy_results_record(r->results, message);
  }
  return status == WY_OK ? run_course(r, follow, message) : status;
}

/* ---- One state ---- */

static wy_status settle(wy_runner *r, wy_message *message) {
  wy_status status = wy_sim_settle(r->def->sim, r->def->scenario->end, message);
  return status == WY_OK || status == WY_ERROR_RESULT ? record(r, status, message) : status;
}

static wy_status find_modes(wy_runner *r, wy_message *message) {
  const wy_scenario *scenario = r->def->scenario;
  bool buckling = scenario->analysis == WY_BUCKLING;
  int rods = wy_model_rod_count(r->def->model);
  wy_mode_table *table = r->modes = wy_mode_table_create(buckling, rods);
  wy_status status = WY_OK;
  int left = rods; /* of several rods some may not buckle at all */
  for (int rod = 0; rod < rods && status == WY_OK && !signal_seen; ++rod) {
    status = buckling ? wy_sim_buckling(r->def->sim, rod, scenario->end, scenario->modes, &table->sets[rod], message)
                      : wy_sim_modes(r->def->sim, rod, scenario->modes, &table->sets[rod], message);
    if (buckling && status == WY_ERROR_SOLVER && --left > 0)
      status = WY_OK;
  }
  if (status == WY_OK && !signal_seen)
    status = wy_mode_table_sort(table, scenario->modes, r->def->model, message);
  return status;
}

static wy_status run_modes(wy_runner *r, wy_message *message) {
  wy_status status = settle(r, message);
  if (status == WY_OK && !signal_seen)
    status = find_modes(r, message);
  r->complete = status == WY_OK && !signal_seen;
  return r->complete ? wy_results_add_modes(r->results, r->modes, message) : status;
}

/* The state under the loads themselves comes last: where they are beyond what the rod can carry there may be none,
   which takes nothing from the factors. */
static wy_status run_buckling(wy_runner *r, wy_message *message) {
  wy_status status = find_modes(r, message);
  if (status != WY_OK || signal_seen)
    return status;
  wy_message reason = {{0}, {0}};
  status = wy_sim_settle(r->def->sim, r->def->scenario->end, &reason);
  if (status == WY_OK)
    status = wy_results_record(r->results, message);
  else
    snprintf(r->note, sizeof r->note, "there is no frame of the state under the loads themselves: %.700s", reason.text);
  if (status == WY_ERROR_FILE)
    return status;
  r->complete = true;
  return wy_results_add_modes(r->results, r->modes, message);
}

static wy_status run_statics(wy_runner *r, wy_message *message) {
  wy_status status = settle(r, message);
  r->complete = status == WY_OK;
  return status;
}

/* ---- What should be known ---- */

/* A bifurcation at the very start of the loads is that of a rod too slender to feel its own stiffness, a line that
   hangs: no news where the rod is stable in the end. */
static bool is_news(const wy_equilibrium_info *info) {
  const double start = 1e-3;
  return info->bifurcations > 0 && !(info->first_while_settling && info->first_bifurcation < start);
}

/* Of an equilibrium that nothing in reality would stay at, or that others exist beside. */
static int describe_rod(const wy_runner *r, int rod, char *text, size_t size) {
  wy_equilibrium_info info = wy_results_equilibrium(r->def, rod);
  bool switches = wy_results_solver(r->def->scenario, rod)->statics.branch == WY_SWITCH_BRANCH;
  bool unstable = info.unstable > 0 || (info.unstable < 0 && info.odd);
  if (!unstable && (switches || !is_news(&info)))
    return 0;
  char state[80] = "is stable, but not the only one", first[160] = "";
  if (info.unstable > 0)
    snprintf(state, sizeof state, "is unstable in %d direction%s", info.unstable, info.unstable > 1 ? "s" : "");
  else if (unstable)
    snprintf(state, sizeof state, "is unstable in an odd number of directions");
  const char *in = info.first_while_settling ? "load factor" : "t =";
  if (info.bifurcations > 1)
    snprintf(first, sizeof first,
             "; the first of %d bifurcations, where it may go to either side, was passed at %s %.6g", info.bifurcations,
             in, info.first_bifurcation);
  else if (info.bifurcations == 1)
    snprintf(first, sizeof first, "; a bifurcation, where it may go to either side, was passed at %s %.6g", in,
             info.first_bifurcation);
  return snprintf(text, size, "rod '%s': the equilibrium found %s%s%s", wy_model_rod(r->def->model, rod)->name, state,
                  first,
                  switches ? ""
                           : "; solver.branch: switch goes over to a stable branch there, a small load across decides "
                             "which");
}

static void describe_equilibrium(wy_runner *r) {
  int others = 0, used = 0;
  for (int rod = 0; rod < wy_model_rod_count(r->def->model); ++rod) {
    char unread[sizeof r->note];
    int length = used ? describe_rod(r, rod, unread, sizeof unread) : describe_rod(r, rod, r->note, sizeof r->note);
    others += used > 0 && length > 0;
    used = used ? used : length;
  }
  if (others > 0 && used < (int)sizeof r->note)
    snprintf(r->note + used, sizeof r->note - (size_t)used, " (and %d more rods alike)", others);
}

wy_status wy_run_analysis(wy_runner *r, wy_message *message) {
  static wy_status (*const run[])(wy_runner *, wy_message *) = {[WY_DYNAMICS] = run_dynamics,
                                                                [WY_QUASISTATICS] = run_quasistatics,
                                                                [WY_STATICS] = run_statics,
                                                                [WY_MODES] = run_modes,
                                                                [WY_BUCKLING] = run_buckling};
  const wy_scenario *scenario = r->def->scenario;
  r->stride = scenario->end / 1000;
  r->next_checkpoint = wy_wall_time() + checkpoint_interval;
  wy_status status = run[scenario->analysis](r, message);
  if (r->complete && scenario->sim.statics && scenario->analysis != WY_BUCKLING)
    describe_equilibrium(r);
  return status;
}
