/* SPDX-License-Identifier: MIT */
/* The inside of a group: what its files share once it is made (create.h). */
#ifndef WY_NETWORK_INSIDE_H
#define WY_NETWORK_INSIDE_H

#include "linalg/hubs.h"
#include "network/carriers.h"
#include "network/conditions.h"
#include "network/drive.h"
#include "network/group.h"
#include "network/sub.h"
#include "network/turn.h"
#include "scheme/applied.h"

enum {
  WY_HUB_PLACE = 0,
  WY_HUB_FRAME = 3,
  WY_HUB_VELOCITY = 7,
  WY_HUB_SPIN = 10,
  WY_HUB_ENTRIES = 13,
  WY_GROUP_BATCH = 128 /* rods that are condensed before their sums are made */
};

/* A rod, or one piece of a rod that inner points on hubs cut. */
typedef struct wy_group_rod_part {
  wy_system *system;
  const wy_port_type *ports;
  int rod, number;                     /* in the model; among the pieces of its network */
  int offset;                          /* of its state */
  int config, dof;                     /* statics: of what it adds to its state, and of its degrees of freedom */
  int port[2];                         /* in `ports`; -1: the end is none */
  double origin[3];                    /* from that of the group */
  bool constrained;                    /* its forces depend on the accelerations of hubs */
  double masses[1][6][6];              /* then, by `articulate` */
  double power[WY_INTEGRALS];          /* by the last evaluation */
  int negative;                        /* by the last count */
  int cells, first_touch, touch_count; /* with bodies that carry obstacles (carriers.h) */
  double (*loads[2])[6];               /* on its cells, in a linear system: real and imaginary parts */
} wy_group_rod_part;

/* An end of a rod or piece on a hub. */
typedef struct wy_group_port {
  int rod, hub; /* in `rods` and `hubs` */
  int piece;    /* of the system: 0 */
  wy_end_name end;
  const wy_hub_end *def;
  double s; /* arc length on the rod */
  wy_hold_on hold;
  double mass, weighed, share[3]; /* what the hub has of the rod */
  wy_port_wrench wrench;          /* by the last evaluation */
  double reaction[2][3];          /* what the hub exerts: force, moment, in space; by the last one that is shown */
  /* By the last Jacobian: inner forces by the motion of the hub; load on the hub by the inner motion. */
  double inner_by_hub[WY_PORT_FORCES][12], hub_by_inner[6][WY_PORT_MOTION];
  double inner_by_rate[WY_PORT_FORCES][6]; /* of constrained rods: inner forces by the accelerations of the hub */
  /* By the last tangent. */
  double rest_inner_by_hub[9][6], rest_hub_by_inner[6][9];
} wy_group_port;

/* The hubs whose unknowns a hub moves with, itself or itself and its parent, and where these unknowns stand in a row of
   a port. */
typedef struct wy_hub_reach {
  int count, hub[2], first[2], width[2];
} wy_hub_reach;

/* Of a hub with a parent, by the last Jacobian or tangent: how it moves with its parent and by itself; and what its
   balance lacks, carried to its parent (p) and to its own unknowns (o), by the motion of both. */
typedef struct wy_sub_blocks {
  double by_parent[12][12], by_own[12][6];
  double pp[6][12], po[6][6], op[3][12], oo[3][6];
  double mass_pp[6][6], mass_po[6][3], mass_oo[3][3];
  double a_by_parent[6][12], a_by_own[6][6]; /* its accelerations by the motion of both */
} wy_sub_blocks;

/* How a hub moves with the unknowns that it reaches: velocities by those of each, [6] a row. */
typedef struct wy_hub_reached {
  double by[2][6][6];
} wy_hub_reached;

typedef struct wy_group_hub {
  const wy_hub *def;
  int number;         /* in the model */
  int block;          /* in the matrix of hubs; -1: it has no unknowns of its own */
  int order;          /* how many it has */
  int parent;         /* in `hubs`; -1: none */
  int angle;          /* of a hinge: which one of the state's angles */
  int drive;          /* in `drives`; -1: nothing holds it */
  wy_hub_reach reach; /* of a hub whose motion is known: none */
  wy_sub_hub sub;     /* of a hub with a parent */
  wy_sub_blocks *blocks;
  wy_hub_inertia inertia;
  /* By the last evaluation. */
  wy_hub_motion at;
  wy_hub_load load;
  wy_v3 a, alpha;
  wy_v3 a_before, alpha_before; /* articulated.c: what its rods know of them */
  /* By the last Jacobian: where it was taken, and what balance lacks by the motion, at fixed accelerations. By the last
     tangent: mass, and the stiffness by dx and theta. */
  wy_hub_motion kept;
  wy_v3 kept_alpha;
  double mass[6][6], by_motion[6][12], stiffness[6][6];
  /* On their way through a solve: real and imaginary parts. */
  wy_hub_known known[2];
} wy_group_hub;

typedef struct wy_group_spring {
  const wy_spring_def *def;
  int hub[2];       /* -1: on the ground */
  wy_hold_on at[2]; /* on the ground: from the origin of the group */
  wy_spring_pull pull;
  double by_motion[2][2][6][12]; /* load on one hub by the motion of another, by the last Jacobian */
} wy_group_spring;

/* A rod of the group: its pieces in `rods`, and the system that stands for them if they are several. */
typedef struct wy_whole wy_whole;
typedef struct wy_group_part {
  int first, count;
  wy_whole *whole;
} wy_group_part;

/* The spring of a joint, between its first part and another one. */
typedef struct wy_group_joint_spring {
  const wy_joint_def *def;
  int hub[2];
  double angle, rate;            /* of a hinge */
  wy_ball_turn turn;             /* of a ball */
  double by_motion[2][2][6][12]; /* of a ball: as that of springs between points */
} wy_group_joint_spring;

/* What the memory of the factors of statics holds. */
typedef enum wy_rest_state { WY_REST_TANGENT, WY_REST_FACTORED, WY_REST_COUNTED } wy_rest_state;

/* A load on a body. */
typedef struct wy_group_load {
  const wy_load_def *def;
  int number, hub;
} wy_group_load;

/* Rows by the unknowns that a hub reaches, real and imaginary parts. */
typedef struct wy_reach_rows {
  wy_port_row re[6], im[6];
} wy_reach_rows;

/* What a rod leaves to be summed: what the hub at `on` feels of that at `by`; inner motions, real and imaginary. */
typedef struct wy_rod_felt {
  wy_reach_rows rows[2][2];           /* [by][on] */
  double inner[2][2][WY_PORT_MOTION]; /* [part][end] */
} wy_rod_felt;

struct wy_group {
  wy_system base;
  const wy_group_def *def;
  double origin[3];
  int rod_count, port_count, hub_count, spring_count, load_count, block_count;
  wy_group_part *parts; /* [base.part_count] */
  wy_group_rod_part *rods;
  wy_group_port *ports;
  wy_group_hub *hubs;
  wy_group_spring *springs;
  int joint_spring_count, sub_count, drive_count;
  int angle_count; /* of hinges */
  wy_group_joint_spring *joint_springs;
  wy_sub_blocks *subs; /* of hubs with a parent */
  wy_group_load *loads;
  wy_load_override *overrides; /* of the loads; saved */
  wy_drive *drives;
  wy_end_state *drive_states;     /* saved */
  int hub_offset, hub_stride;     /* of the state */
  int angle_offset, angle_stride; /* of the state: angles of hinges, then their rates */
  double time;                    /* of the last wy_group_place */
  double load_factor;             /* statics: share of loads and gravity */
  double gravity[3];              /* with it */
  double foundation;              /* statics: weak stiffness of the rotations of hubs */
  int hub_dof;                    /* statics: first degree of freedom of the hubs */
  wy_rest_state rest_state;
  double rest_mu;               /* the shift of the last factors */
  double length;                /* statics: of the longest rod; 0 without rods */
  wy_angle_state *angle_states; /* of the hinges; saved */
  double *rest_config;          /* the configurations of rods, each in one piece */
  double *work;                 /* a right-hand side that is not kept */
  double *assembly;             /* the configuration that counts as undeformed; NULL: no joints bring parts together */
  double end_factor;            /* statics: share of driven angles */
  bool at_rest;                 /* statics: they stand still */
  bool assembled;               /* joints have brought parts together */
  bool shows;                   /* the ports of all rods stand where `shown` has them, and know its reactions */
  double shown_time, *shown;
  double *dof_weight;
  wy_hub_pattern pattern;
  wy_hub_matrix real[WY_HUB_SLOTS], rest;
  wy_hub_matrix_complex complex[WY_HUB_SLOTS];
  wy_hub_shift *shifts[2][WY_HUB_SLOTS]; /* of the hubs, by slots: real, complex */
  double *y, *y_im;                      /* [6 blocks] unknowns of the hubs */
  wy_rod_felt *felt;                     /* of the rods of a batch */
  /* mass.c: accelerations of hubs that depend on each other. */
  bool has_mass;     /* they do */
  bool articulated;  /* some by constrained rods */
  bool inextensible; /* with rods that give way while they are eliminated (N9) */
  bool projects;     /* increments are sought in place of accelerations: conditions stay met */
  double *y_before;  /* accelerations found before more of them are */
  wy_hub_pattern mass_pattern;
  wy_hub_matrix mass;
  /* conditions.c */
  int condition_count, multipliers; /* sets of conditions, and the sum of their numbers */
  wy_group_condition *conditions;
  wy_joint_state *joint_states; /* of them; saved */
  double span;                  /* the length that gaps are measured by: of the longest rod or arm */
  double weight;                /* of all bodies and rods on hubs */
  double penalty;               /* statics: stiffness rho */
  int dropped;                  /* conditions that follow from others, by the last evaluation */
  bool contradicts;             /* they do not */
  double gap;                   /* after the last projection, over `span` */
  int worst;                    /* the condition that has it, or that contradicts others */
  wy_carriers carriers;
};

static inline const double *wy_group_hubs(const wy_group *self, const double *u) {
  return u + self->hub_offset;
}

static inline bool wy_is_known(const wy_group *self, int hub) {
  return hub < 0 || self->hubs[hub].reach.count == 0;
}

/* Unknowns of its own of a hub, and where they stand in a vector of the hub matrix. */
static inline int wy_hub_order(const wy_group *self, int hub) {
  return self->hubs[hub].order;
}

static inline double *wy_hub_entries(const wy_group *self, int hub, double *y) {
  return y + self->pattern.offset[self->hubs[hub].block];
}

static inline double *wy_condition_entries(const wy_group *self, const wy_group_condition *condition, double *y) {
  return y + self->pattern.offset[condition->block];
}

/* tasks.c: does something with rods first ... first + count - 1, at the same time if the group has tasks and `work`,
   nanoseconds a segment, makes it pay. Stops at rods that return a status other than 0, and returns that of the first
   such rod. What is summed over rods is summed afterwards, in their order. */
typedef int wy_rod_task(wy_group *self, int rod, void *context);
int wy_group_each(wy_group *self, int first, int count, double work, wy_rod_task *task, void *context);
/* How many rods to take at a time where each leaves something to be summed. */
int wy_group_batch(const wy_group *self, double work);

/* group.c: a hub where u has it and, in what is held or driven, where it is at t; NAN: as u has it. */
wy_hub_motion wy_group_hub_at(const wy_group *self, double t, const double *u, int index);
/* All hubs, and the ends of rods on them. */
void wy_group_place(wy_group *self, double t, const double *u);
/* After all rods have been evaluated: what acts on the hubs; and with it their accelerations. `power` may be NULL. */
void wy_group_sum_loads(wy_group *self, double t, double *power);
void wy_group_gather(wy_group *self, double t, double *power);
/* Writes into u where the last wy_group_place has put held components of hubs, and the ends of rods. */
void wy_group_seat(wy_group *self, double *u);
void wy_group_refresh(wy_system *system);
extern const wy_system_type wy_group_type;
/* Springs between the places of the last wy_group_place. */
void wy_group_stretch_springs(wy_group *self);
/* What holds or drives a hub exerts on it: what is lacking, there and on the hubs that stand on it, in held components.
 */
void wy_group_hub_holding(const wy_group *self, int index, wy_v3 *force, wy_v3 *torque);

/* group_start.c: the initial state; and the hubs of the undeformed model at rest, into a state or configuration, with
   the ends of rods. */
void wy_group_initial(wy_system *system, double *u);
void wy_group_rest_hubs(wy_group *self, double *u);

/* group_shown.c, as in wy_system_type. */
void wy_group_place_ports(wy_system *system, int part, double t, const double *u);
void wy_group_energy(wy_system *system, double t, const double *u, wy_energy *energy);
bool wy_group_diagnose(wy_system *system, double t, const double *u, char *text, size_t size);

/* joint.c: springs of joints and driven angles. */
void wy_group_drive(const wy_group *self, const wy_group_hub *hub, double t, wy_sub_hub *sub);
void wy_group_turn_sub(const wy_group *self, const wy_group_hub *hub, double t, const double *u, wy_sub_hub *sub);
double wy_group_drive_power(const wy_group *self);
void wy_group_add_joint_springs(wy_group *self, double *power);
double wy_group_joint_energy(wy_group *self);
double wy_group_joint_dissipation(wy_group *self);
void wy_group_joint_blocks(wy_group *self);
/* What inertia and loads of a hub lack of a balance: force in space axes, torque in those of the hub. */
void wy_group_lacking(const wy_group_hub *hub, wy_v3 *force, wy_v3 *torque);

/* reach.c: after a Jacobian or tangent. What the balance of hubs with a parent lacks. */
void wy_reach_linearise(wy_group *self);
/* Loads on a hub, 6 rows, as loads on the unknowns of the hub that is number n in its reach. */
void wy_reach_carry(const wy_group *self, int index, int n, int columns, const double *load, double *out);
/* Rows by displacement and rotation of a hub, as rows by the unknowns that it reaches. */
void wy_reach_rest(const wy_group *self, int index, int rows, const double *by_hub, wy_port_row *out);

/* The same for a shift, from rows by its motion. */
void wy_reach_reduce(const wy_group *self, int index, const wy_hub_shift *shifts, double by_motion[6][12],
                     wy_reach_rows *out);
/* Adds to them rows by the accelerations of the hub. The part of these that is known. */
void wy_reach_add_rates(const wy_group *self, int index, const wy_hub_shift *shifts, double by_rate[6][6],
                        wy_reach_rows *out);
void wy_reach_known_rates(const wy_group *self, int index, int part, const double *b, double rates[6]);
/* `rows` rows by the own motion of a hub with a parent, as rows by its own unknowns. */
void wy_reach_reduce_own(const wy_group *self, int index, const wy_hub_shift *shift, int rows, const double *by_own,
                         double re[6][6], double im[6][6]);
/* The known motion of a hub, and the own one of a hub with a parent; part 1 is the imaginary one. */
void wy_reach_motion(const wy_group *self, int index, int part, double motion[12]);
void wy_reach_own_motion(const wy_group *self, int index, int part, double motion[6]);
/* The motion of a hub that goes with those of its parent and its own. */
void wy_reach_move(const wy_group_hub *hub, const double parent[12], const double own[6], double motion[12]);
/* Solves. The known part of an angle; the right-hand sides of a hub with a parent, and what springs of joints do by
   known motions; loads on a hub, and the unknowns of all that it reaches; increments of a hub with a parent, after
   those of the parent. */
void wy_reach_know_angle(wy_group *self, int index, const wy_hub_shift *shift, const double *re, const double *im);
void wy_reach_pack(wy_group *self, int index, int part, const double *b, double *y);
void wy_reach_pack_springs(wy_group *self, int part, double *y);
void wy_reach_add(const wy_group *self, int index, const double load[6], double *y);
void wy_reach_take(const wy_group *self, int index, const double *y, wy_port_row out);
void wy_reach_find(const wy_group *self, int index, int part, const wy_hub_shift *shift, double *b);
/* Accelerations of hubs into f, with the ends of rods on them. */
void wy_group_write_rates(wy_group *self, double *f);

/* mass.c: accelerations of all hubs, from the loads on them. */
void wy_group_accelerate(wy_group *self);
/* What loads that have changed since, and accelerations, lack of a balance, is made up for: with the factors of the
   last wy_group_accelerate. */
void wy_group_accelerate_more(wy_group *self);
/* Velocities of a hub by those of the unknowns it reaches; its accelerations while these do not accelerate. */
void wy_group_reach(const wy_group *self, const wy_group_hub *hub, wy_hub_reached *out);
void wy_group_bias(const wy_group *self, const wy_group_hub *hub, double out[6]);
/* The same for velocities at the start, while all hubs are placed without any: loads are momenta, or the velocities of
   bodies, which are given; accelerations become velocities, the nearest ones in the metric of the mass. */
void wy_group_project_start(wy_group *self);

/* articulated.c, of groups with constrained rods (N9). How their forces fall with accelerations of hubs: for the state
   of the last f, or for u; into the mass matrix. */
void wy_group_articulate(wy_group *self, double *u);
void wy_group_add_articulated(wy_group *self);
/* Supports at ports with the accelerations that hubs have while their unknowns have none; with all of them. */
void wy_group_start_ends(wy_group *self);
void wy_group_swing_ends(wy_group *self);
/* Accelerations of hubs, which are in f, to the rods, and what the rods do then back to the hubs. */
int wy_group_restrain(wy_group *self, double t, const double *u, double *f, double *power);
/* Places and velocities back to the constraints, of rods and hubs together (C7). */
int wy_group_project_constraints(wy_group *self, double t, double *u, double drift[WY_DRIFTS]);

/* carriers.c: bodies that carry obstacles. Where hubs are now, for the obstacles on them; what a rod does to its bodies
   after an evaluation at u, the part of the state that is its own, and with derivatives; the sum of that, on hubs. */
void wy_group_carry(wy_system *system, double t, const double *u, int moment);
void wy_carriers_begin(wy_group *self);
void wy_carriers_place(const wy_group *self);
void wy_carriers_press(wy_group *self, int rod, const double *u);
void wy_carriers_linearise_rod(wy_group *self, int rod, const double *u);
void wy_carriers_add_loads(wy_group *self, double *power);
void wy_carriers_linearise(wy_group *self);
/* Loads on cells and hubs of the solution that is asked for, once the known motion of hubs is there and y filled. */
void wy_carriers_push(wy_group *self, const wy_hub_shift *shifts, int parts);
int wy_carriers_factor(wy_group *self, int index, bool is_complex);
void wy_carriers_solve(wy_group *self, int index, double *re, double *im);

/* linear.c */
int wy_group_jacobian(wy_system *system, double t, const double *u);
/* wy_stride_type.linearise; and the rest of it (stride.c). */
int wy_group_linearise(wy_system *system, double t, const double *u, const double *held, double *f);
extern const wy_stride_type wy_group_stride;
int wy_group_factor(wy_system *system, int index, double sigma);
int wy_group_factor_complex(wy_system *system, int index, double re, double im);
void wy_group_solve(wy_system *system, int index, double *b);
void wy_group_solve_complex(wy_system *system, int index, double *re, double *im);
/* Without what bodies with obstacles and rods do to each other. `im` NULL: a real slot. */
void wy_group_solve_apart(wy_group *self, int index, double *re, double *im);
/* Derivatives of the loads of springs and of body loads on hubs, by motion of hubs: springs into their blocks, what is
   by the hub's own motion subtracted from by_motion. */
void wy_group_outside_blocks(wy_group *self, double t);

/* whole.c: memory; its system, once its pieces are there; what follows from them, and they from it, after changes. */
wy_whole *wy_whole_layout(const wy_model *model, int rod, wy_arena *arena);
wy_system *wy_whole_begin(wy_whole *self, wy_group *group, int first, int count);
void wy_whole_refresh(wy_whole *self);

/* statics.c */
extern const wy_statics_type wy_group_statics;
void wy_group_begin_statics(wy_group *self);
/* Displacements of hubs count over the length of the longest rod, if they are free. */
void wy_group_weigh_hubs(wy_group *self);

#endif
