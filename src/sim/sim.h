/* The inside of a simulation, shared by its parts: running in time (sim.c) and equilibria (statics.c). */
#ifndef WY_SIM_SIM_H
#define WY_SIM_SIM_H

#include "equilibrium/equilibrium.h"
#include "integrate/choose.h"
#include "integrate/driver.h"

typedef struct wy_sim_rod {
  wy_system *system;
  wy_integrator *integrator;
  wy_equilibrium *equilibrium; /* NULL without statics */
  const char *scheme;
  char reason[WY_REASON_SIZE];  /* why `auto` picked the integrator, or "" */
  wy_staggered_options options; /* what tells snapshots apart */
  wy_mixed_options mixed;
  wy_conserving_options conserving;
  wy_box_options box;
  wy_statics_options statics;
  double *shown; /* the state at the time that the simulation shows */
  bool shown_ready, view_ready;
} wy_sim_rod;

struct wy_sim {
  const wy_model *model;
  double end;
  wy_memory memory;
  double *time; /* saved */
  int rod_count;
  wy_sim_rod *rods;
};

/* Views show time t from now on. */
void wy_sim_show(wy_sim *sim, double t);
wy_status wy_sim_check_time(const wy_sim *sim, double t, wy_message *message);
/* Is there such a rod, with room for equilibria, and in one? */
wy_status wy_sim_check_statics(const wy_sim *sim, int rod, bool settled, wy_message *message);

/* What statics adds to the life of a simulation; all do nothing where there is no statics. */
void wy_sim_lay_out_statics(wy_sim *sim, int index, const wy_solver_def *solver);
/* Before every step in time: rods that stand in equilibrium move from there on; others begin where they are undeformed.
 */
wy_status wy_sim_leave_rest(wy_sim *sim, wy_message *message);
void wy_sim_disturb(wy_sim *sim, int rod);
void wy_sim_resume_statics(wy_sim *sim, int rod);

#endif
