/* SPDX-License-Identifier: MIT */
/* Ports of a staggered rod (scheme/port.h): ends that a hub holds. To everything else in here such an end is held, with
   a support whose pose comes from `move`. Null-space form of Cosserat rods, and constrained rods (ports_constrained.c).
   docs/theory/network.md, (N1)-(N9). */
#ifndef WY_SCHEME_STAGGERED_PORTS_H
#define WY_SCHEME_STAGGERED_PORTS_H

#include "scheme/port.h"
#include "scheme/staggered/linearisation.h"
#include "scheme/supports.h"

/* What the hub holds of an end: nothing, then it is no port; its place (ball); its frame too (weld). */
typedef enum wy_port_hold { WY_NO_PORT, WY_PORT_PLACE, WY_PORT_FRAME } wy_port_hold;

/* Derivatives at a port of what comes from outside: of the force on the next vertex and the torque on the end segment
   by the end vertex, and of the force on the end vertex by the next one, by the segment and by itself. */
typedef struct wy_port_outside {
  wy_m3 next_by_end, segment_by_end, end_by_next, end_by_segment, end_by_end;
} wy_port_outside;

typedef struct wy_staggered_port {
  wy_port_hold holds;
  double mass, weighed, share[3], drag_share[3]; /* by wy_staggered_give_to_hubs: what the hub gets (N6) */
  wy_end_pose pose;                              /* by `move` */
  double torque[3];                              /* by the evaluation: (1 + Rt^T) tau_g, axes of the support (N4) */
  double reaction_force[3], reaction_moment[3];  /* by `react` */
  /* By the last Jacobian or tangent, of the ghost: derivatives of the torque on the end segment and of that on the
     support by the rotations (turn) and angular velocities (spin) of both. */
  wy_m3 inner_by_turn, inner_by_spin, support_by_turn, support_by_spin, support_by_inner_turn, support_by_inner_spin;
  wy_m3 frame, force_skew; /* where section forces are unknowns: R and [F]x of the end segment */
  /* Constrained rods: minus the columns of the end vertex, of places, velocities and accelerations, in the rows of the
     end segment's strain; of places in those of its torque. */
  wy_m3 strain_by_x, strain_by_v, strain_by_a, torque_by_x;
  wy_m3 force_by_turn; /* force on the end vertex by the rotation of the end segment: of loads; all of it where section
                          forces are unknowns */
  wy_port_outside contact, contact_rate; /* of obstacles, by displacements and by velocities; 0 where there are none */
  /* W, [row][WY_PORT_COLUMNS], of the slots and of statics. */
  double *real[WY_MAX_SLOTS], *complex[WY_MAX_SLOTS], *complex_im[WY_MAX_SLOTS], *rest;
} wy_staggered_port;

typedef struct wy_staggered_ports {
  bool any;
  bool joined; /* the rod is part of a group: by ports, or because it pushes a body */
  wy_staggered_port ends[2];
  double *seated;                           /* a state with its end vertices where the supports are */
  double *known, *known_im;                 /* right-hand sides between condense_rhs and expand */
  const double (*loads)[6], (*loads_im)[6]; /* by `load`: on the cells of the rod, for the next right-hand side */
} wy_staggered_ports;

extern const wy_port_type wy_staggered_port_type;

/* staggered.c: a system with ports as given, whatever the joints of the model are. */
wy_status wy_staggered_create(const wy_model *model, int rod, const wy_solver_def *solver, wy_factor_needs needs,
                              const wy_port_hold holds[2], wy_memory *memory, wy_system **system, wy_message *message);
/* staggered.c: the verbs of port.h for pieces, by their numbers in the network. */
int wy_staggered_piece_size(const wy_model *model, int piece, const wy_solver_def *solver);
void wy_staggered_piece_config_size(const wy_model *model, int piece, const wy_solver_def *solver, int *config_size,
                                    int *dofs);
wy_status wy_staggered_create_piece(const wy_model *model, int piece, const wy_solver_def *solver,
                                    wy_factor_needs needs, wy_memory *memory, wy_system **system, wy_message *message);

/* Creation. Refuses what has no ports; memory; masses and shares from the rod to its hubs, after they are set. */
wy_status wy_staggered_check_ports(const wy_staggered *self, wy_message *message);
void wy_staggered_begin_ports(wy_staggered *self);
void wy_staggered_layout_ports(wy_staggered *self, wy_arena *arena, wy_factor_needs needs);
void wy_staggered_give_to_hubs(wy_staggered *self);

/* Where the support of an end stands at t, whoever holds it: into eval.pose. */
void wy_staggered_find_pose(wy_staggered *self, int end, double t);
/* The state, or configuration, with end vertices at ports where their supports are; u itself where they are there, or
   without ports. */
const double *wy_staggered_seat(wy_staggered *self, const double *u, bool at_rest);
/* Power of the moments that loads put straight into hubs; of drag on what belongs to them. */
double wy_staggered_port_load_power(const wy_staggered *self);
double wy_staggered_port_drag_power(const wy_staggered *self);

/* ports_linear.c: the verbs after `jacobian`; what loads at a port do to the support, by its turn. */
void wy_staggered_support_load_blocks(const wy_staggered *self, int end, wy_m3 *force, wy_m3 *torque);
void wy_staggered_port_blocks(wy_system *system, int piece, wy_end_name end, wy_port_blocks *out);
void wy_staggered_condense(wy_system *system, int index, int piece, wy_end_name end,
                           wy_port_row forces_re[WY_PORT_FORCES], wy_port_row forces_im[WY_PORT_FORCES],
                           wy_port_row inner_re[2][WY_PORT_MOTION], wy_port_row inner_im[2][WY_PORT_MOTION]);
void wy_staggered_condense_rhs(wy_system *system, int index, const double *re, const double *im,
                               double forces_re[][2][WY_PORT_FORCES], double forces_im[][2][WY_PORT_FORCES],
                               double inner_re[][2][WY_PORT_MOTION], double inner_im[][2][WY_PORT_MOTION]);
void wy_staggered_expand(wy_system *system, int index, wy_port_row hubs_re[][2], wy_port_row hubs_im[][2], double *re,
                         double *im);
/* packed += W times the unknowns of a hub, W with `order` rows. */
void wy_staggered_add_columns(int order, const double *w, const wy_port_row hub, double *packed);

/* bodies.c: obstacles on bodies that the rod pushes. */
int wy_staggered_cells(const wy_system *system);
void wy_staggered_press(wy_system *system, const double *u, int body, wy_v3 about, wy_v3 *force, wy_v3 *moment);
bool wy_staggered_touch_blocks(wy_system *system, const double *u, int body, const wy_spot *at, wy_touched_cell *cells,
                               double own[6][12]);
void wy_staggered_load(wy_system *system, const double (*re)[6], const double (*im)[6]);
void wy_staggered_motion(const wy_system *system, const double *b, double (*out)[12]);
void wy_staggered_rest_motion(const wy_system *system, const double *d, double (*out)[12]);
void wy_staggered_rest_load(const wy_system *system, const double (*loads)[6], double *d);
/* Adds the loads on cells to a packed right-hand side. */
void wy_staggered_add_loads(const wy_staggered *self, const double (*loads)[6], double *packed);

/* What the frame of a support and the end segment do to each other, and loads on the support. */
void wy_staggered_ghost_blocks(const wy_staggered *self, int end, wy_port_blocks *out);
/* Minus a block of a band. */
wy_m3 wy_minus_block(const double *band, int half, int row, int column);

/* ports_constrained.c: what constrained rods have of these verbs in their own way. Blocks; what is kept of a
   Jacobian. */
void wy_staggered_constrained_blocks(const wy_staggered *self, int end, wy_port_blocks *out);
void wy_staggered_keep_end_columns(wy_staggered *self, int end);
void wy_staggered_articulate(wy_system *system, const double *u, double masses[][6][6]);
int wy_staggered_restrain_port(wy_system *system, wy_level level, double *u, double *f, double pull[][2][3],
                               wy_port_miss *miss);
int wy_staggered_respond_port(wy_system *system, wy_level level, double *u, double *f, double moved[][2][3],
                              double pull[][2][3], double *power);

/* ports_rest.c: the verbs of equilibria; and what they keep of a tangent, beside the blocks of the ghost. */
void wy_staggered_rest_blocks(wy_system *system, int piece, wy_end_name end, wy_port_rest_blocks *out);
void wy_staggered_rest_condense(wy_system *system, int piece, wy_end_name end, wy_port_row forces[9],
                                wy_port_row inner[2][9]);
void wy_staggered_rest_condense_rhs(wy_system *system, double *b, double inner[][2][9]);
void wy_staggered_rest_expand(wy_system *system, wy_port_row hubs[][2], double *b);
void wy_staggered_rest_write(wy_system *system, int piece, wy_end_name end, const double dx[3], double *d);

/* Rows row .. row + 2 of a matrix with `width` columns, from `column` on. */
static inline void wy_put_block(double *rows, int width, int row, int column, double factor, wy_m3 m) {
  const wy_m3 t = wy_mtransposed(wy_mtimes(factor, m));
  wy_put3(rows + (size_t)row * (size_t)width + column, t.a);
  wy_put3(rows + (size_t)(row + 1) * (size_t)width + column, t.b);
  wy_put3(rows + (size_t)(row + 2) * (size_t)width + column, t.c);
}

/* Blocks of the ghost by both sides, before they are folded into the segment's; rows of end vertices, before they are
   made those of held components. */
void wy_staggered_keep_ghost(wy_staggered *self, int end);
void wy_staggered_keep_end_rows(wy_staggered *self, bool statics);

#endif
