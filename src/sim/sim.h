/* SPDX-License-Identifier: MIT */
/* The inside of a simulation, shared by its parts: how to solve (method.c), making it (sim.c), running in time (run.c),
   equilibria (statics.c, modes.c), groups at the same time (tasks.c), what it shows (read.c, network.c,
   contact_read.c), its judgement (verify.c), saved states (save.c). */
#ifndef WY_SIM_SIM_H
#define WY_SIM_SIM_H

#include "equilibrium/equilibrium.h"
#include "integrate/balance.h"
#include "integrate/choose.h"
#include "integrate/driver.h"
#include "judge/judge.h"
#include "scheme/contact_view.h"

/* Rods that are joined are moved together: they share one system, one integrator and one solver for equilibria. A rod
   alone is a group of its own, whose system is the rod's. */
typedef struct wy_sim_group {
  struct wy_sim *sim;
  const int *rods; /* [rod_count] in the order of their states in the group's */
  int rod_count;
  wy_system *system;
  wy_integrator *integrator;
  wy_equilibrium *equilibrium; /* NULL without statics */
  const wy_scheme *method;
  const wy_integrator_type *type; /* of the integrator, chosen when memory is counted */
  const char *scheme;
  wy_solver_def solver;        /* that of the first rod, with names that live as long as the library */
  char reason[WY_REASON_SIZE]; /* why `auto` picked the integrator, or "" */
  double *shown;               /* the state at the time that the simulation shows */
  double time_scale;           /* the shortest wy_model_time_scale of its rods */
  bool shown_ready;
} wy_sim_group;

typedef struct wy_sim_rod {
  wy_system *system; /* its part of the group's */
  wy_sim_group *group;
  int part, offset; /* number of its system, and place of its state, in the group's */
  bool view_ready;
  wy_energy energy; /* in the shown state, as its system says, and its momentum */
  wy_momentum momentum;
  bool energy_ready, momentum_ready;
  /* Of a rod that may touch something; its arrays are NULL of others. */
  wy_contact_line contact_line;
  wy_contact_view contact;
  bool contact_ready;
  wy_extreme_value *extremes; /* [WY_EXTREME_COUNT] so far; saved */
} wy_sim_rod;

/* What a saved state must agree with: the parts of the model, and these. */
enum { WY_SIM_SOLVER = WY_MODEL_PARTS, WY_SIM_END, WY_SIM_PARTS };

struct wy_sim {
  const wy_model *model;
  double end;
  wy_tasks tasks;
  wy_clock clock;
  double round_seconds; /* what wy_sim_advance_within expects of a round of steps; 0: nothing is known */
  wy_memory memory;
  double *time; /* saved */
  void *before; /* what is saved as it was before an equilibrium was looked for; NULL without statics */
  int rod_count, group_count;
  wy_sim_rod *rods;
  wy_sim_group *groups; /* as in wy_network */
  uint64_t identity[WY_SIM_PARTS];
};

/* Do the options of the rod's solver make sense, with steps that can be taken until the end? Rod -1: of bodies
   that no rods are joined to. */
wy_status wy_sim_check_solver(const wy_model *model, int rod, const wy_sim_def *def, wy_message *message);

/* Do two solvers the same? But for the drift that they allow. */
/* contact.c: can the rod touch what it may touch? The solver has been checked. */
wy_status wy_sim_check_contact(const wy_model *model, int rod, const wy_solver_def *solver, wy_message *message);
bool wy_sim_same_solver(const wy_solver_def *one, const wy_solver_def *other);

/* Tells the simulation apart from others, once it is built. Signals are asked now: one that reads what the user changes
   later says the same in a simulation that is made anew. */
void wy_sim_identify(wy_sim *sim, const wy_sim_def *def);
/* Or else what differs. */
bool wy_sim_is_same(const wy_sim *sim, const uint64_t parts[WY_SIM_PARTS], char *differs, size_t size);

/* The group has had no work done on it so far. */
void wy_sim_begin_work(const wy_sim_group *group);

/* The verdict on all rods, or on one: WY_OK or WY_ERROR_RESULT. */
wy_status wy_sim_judge(wy_sim *sim, int rod, wy_judgement *findings, wy_message *message);

/* The state of a group at the time that is shown. */
const double *wy_sim_shown(wy_sim_group *group);
/* The state of a rod in the state u of its group, for energy, momentum or view of the rod's system. */
static inline const double *wy_sim_part(const wy_sim_rod *rod, double t, const double *u) {
  wy_system *system = rod->group->system;
  if (system->type->place_ports)
    system->type->place_ports(system, rod->part, t, u);
  return u + rod->offset;
}
/* A rod, or what inner points of joints cut it into: number `index`, NULL after the last one; where its state is in
   that of the rod. */
wy_system *wy_sim_piece(const wy_sim_rod *rod, int index, int *offset);
/* What the group shows is out of date. */
void wy_sim_outdate(wy_sim_group *group);
/* Views show time t from now on. */
void wy_sim_show(wy_sim *sim, double t);
wy_status wy_sim_check_time(const wy_sim *sim, double t, wy_message *message);
/* Has the group room for equilibria, and is it in one? */
wy_status wy_sim_check_statics(const wy_sim_group *group, bool settled, wy_message *message);

/* What statics adds to the life of a simulation; all but the first do nothing where there is no statics. */
void wy_sim_lay_out_statics(wy_sim_group *group, int config_size, int dofs, const wy_solver_def *solver);
/* Brings the parts of joints of a group together, before it has a state; needs memory for equilibria. */
wy_status wy_sim_assemble(wy_sim_group *group, wy_message *message);
/* Before every step in time: groups that stand in equilibrium move from there on; others begin where they are
 * undeformed.
 */
wy_status wy_sim_leave_rest(wy_sim *sim, wy_message *message);
void wy_sim_disturb(const wy_sim_group *group);
void wy_sim_resume_statics(const wy_sim_group *group);

/* contact_read.c: room for what is shown of contact, in the two passes of lay_out; moving an obstacle of a group's
 * rods. */
void wy_sim_lay_out_contact(wy_sim *sim);
bool wy_sim_meets(const wy_sim *sim); /* may any rod touch anything? */
void wy_sim_move_carried(const wy_sim *sim, int body, const wy_pose *target, double duration);
wy_status wy_sim_move_met(const wy_sim_group *group, int obstacle, const wy_pose *target, double duration,
                          wy_message *message);

/* tasks.c: does something with each group; at the same time if the simulation has tasks and `work`, nanoseconds of all
   together, makes it pay. Returns the failure of the first group, in their order, that has one. */
typedef wy_status wy_sim_task(wy_sim_group *group, double t, wy_message *message);
/* After a failure all others have their turn, so that how far a group comes depends on no other; or some may not. */
typedef enum wy_sim_turns { WY_ALL_GROUPS, WY_UNTIL_FAILURE } wy_sim_turns;
wy_status wy_sim_each(wy_sim *sim, double work, wy_sim_task *task, double t, wy_sim_turns turns, wy_message *message);
/* Which groups use the tasks for their rods, once there are systems. */
void wy_sim_share_tasks(wy_sim *sim);

/* network.c: the group of a hinge. */
wy_status wy_sim_hinge(const wy_sim *sim, int joint, wy_sim_group **group, wy_message *message);

#endif
