/* The staggered rod from inside: grid, parameters, workspace. Equation labels (S..) are those of
   docs/theory/staggered.md.

   Grid: vertices n = 0..N carry positions x and velocities v; segments i = 0..N-1 (between vertices i and i+1) carry
   quaternions p and body angular velocities (null-space form) or quaternion velocities (absolute form). Every array is
   structure of arrays with one common stride, a multiple of the vector width and at least N + 1. Padding has no
   stiffness and no inverse mass: it never moves.

   Workspace arrays have a halo: index -1 is valid, so that the ghost segment of a clamped end needs no special case in
   the loops. */
#ifndef WY_SCHEME_STAGGERED_ROD_H
#define WY_SCHEME_STAGGERED_ROD_H

#include "linalg/band.h"
#include "math/lane.h"
#include "scheme/applied.h"
#include "scheme/scheme.h"
#include "scheme/supports.h"

enum { WY_HALO = WY_LANES, WY_MAX_SLOTS = 4, WY_BLOCK = 9 };

/* Half bandwidths of the null-space and the absolute form; unknowns a segment and half bandwidth where section forces
   are kept (saddle.c). A tendon couples the strain of a segment with the curvatures at its ends: that reaches further
   (A8). */
enum {
  WY_NULLSPACE_HALF = 8,
  WY_NULLSPACE_HALF_TENDONS = 11,
  WY_ABSOLUTE_HALF = 10,
  WY_ABSOLUTE_HALF_TENDONS = 13,
  WY_SADDLE_CELL = 9,
  WY_SADDLE_HALF = 11,
  WY_SADDLE_HALF_TENDONS = 17
};

/* 3x3 blocks of the Jacobian kept per segment: derivative of the section force n = R F (space) and of the torque h X x
   F on the segment (body) with respect to Dx, Dv, the rotation theta and the angular velocity (S30)-(S33). */
enum {
  WY_FORCE_X,
  WY_FORCE_V,
  WY_FORCE_T,
  WY_FORCE_W,
  WY_TORQUE_X,
  WY_TORQUE_V,
  WY_TORQUE_T,
  WY_TORQUE_W,
  WY_SEGMENT_BLOCKS
};

/* ... and per vertex: torque on the segment before (MINUS) and after (PLUS) it, with respect to theta and angular
 * velocity of both. */
enum {
  WY_MINUS_T_MINUS,
  WY_MINUS_T_PLUS,
  WY_PLUS_T_MINUS,
  WY_PLUS_T_PLUS,
  WY_MINUS_W_MINUS,
  WY_MINUS_W_PLUS,
  WY_PLUS_W_MINUS,
  WY_PLUS_W_PLUS,
  WY_VERTEX_BLOCKS
};

/* Blocks after elimination of x and p: per segment force and torque by velocity difference and angular velocity, per
   vertex the torque on the segment before and after by the angular velocity of both. */
enum { WY_FORCE_VELOCITY, WY_FORCE_SPIN, WY_TORQUE_VELOCITY, WY_TORQUE_SPIN, WY_SEGMENT_REDUCED };
enum { WY_MINUS_MINUS, WY_MINUS_PLUS, WY_PLUS_MINUS, WY_PLUS_PLUS, WY_VERTEX_REDUCED };

/* A body-axes force: the force on a vertex depends on the rotation of a neighbouring segment outside the regular
 * pattern. */
typedef struct wy_extra_block {
  int vertex, segment;
  int next;    /* the next one on the same vertex, or -1 */
  double m[9]; /* row by row */
} wy_extra_block;

/* Where a load acts: on a vertex (point force), or on a segment (moment, line load). `weight` is a share or a length;
   `held_weight` stands for it while the rotation of the end nearby is held, the rest then goes into the support. A
   moment `at_end` acts with the frame of the end itself while it turns freely. */
typedef struct wy_load_site {
  int load; /* its number on the rod */
  int index;
  double weight, held_weight, s;
  bool at_end;
  enum { WY_SITE_VERTEX_FORCE, WY_SITE_SEGMENT_FORCE, WY_SITE_SEGMENT_MOMENT } kind;
} wy_load_site;

/* What loads add up to. Forces on vertices and torques on segments, in the axes named; a body-axes line load acts on
   the vertex before and after its segment. A moment close to an end whose rotation is held goes in part straight into
   the support; one at an end that turns freely acts by way of the half cell beyond the last midpoint (S24a). */
typedef struct wy_load_arrays {
  double *force;                    /* space, on vertices, gravity included */
  double *torque;                   /* body, on segments */
  double *space_moment;             /* space, on segments */
  double *body_before, *body_after; /* body, on the vertices of a segment */
  double *vertex_body_force;        /* body, on vertices */
  struct wy_end_moments {
    double support_space[3], support_body[3]; /* into the supports */
    double space[3], body[3];                 /* at ends that turn freely */
  } ends[2];
} wy_load_arrays;

/* The curvature beyond the last midpoint at an end whose rotation is free: that with which its section carries no more
   than the moment of loads (A6). Its derivatives by the rotation and by Dx of the end segment, row by row. */
typedef struct wy_free_end {
  double curvature[3], by_turn[9], by_x[9];
} wy_free_end;

/* The stiffness that tendons give to one half cell (A8): 3x3 blocks by Dx of its segment and by the rotations it
   depends on, and to which vertices (Dx, with their signs) and segments these belong. */
typedef struct wy_tendon_cell {
  int count; /* of places */
  struct wy_tendon_place {
    int kind, index;
    double sign;
  } places[4];
  wy_m3 stiffness[3][3]; /* by the kinds of places: 0 for Dx, else a rotation */
} wy_tendon_cell;

typedef struct wy_slot {
  bool is_complex;
  double re, im; /* the shift */
  wy_band band;
  wy_band_complex band_complex;
} wy_slot;

/* L D L^T of the diagonal block of a segment whose constraints depend on those before it: one over each pivot, or 0. */
typedef struct wy_link_pivots {
  double l21, l31, l32, inv[3];
} wy_link_pivots;

/* Material part of the Jacobian's blocks: force and torque of a segment by Dx and theta; torques at a vertex. */
enum { WY_MATERIAL_FORCE_X, WY_MATERIAL_FORCE_T, WY_MATERIAL_TORQUE_X, WY_MATERIAL_TORQUE_T, WY_SEGMENT_MATERIAL };
enum {
  WY_MATERIAL_MINUS_MINUS,
  WY_MATERIAL_MINUS_PLUS,
  WY_MATERIAL_PLUS_MINUS,
  WY_MATERIAL_PLUS_PLUS,
  WY_VERTEX_MATERIAL
};
/* How the strain of a segment depends on Dx and theta, and the curvature of a vertex on theta before and after it. */
enum { WY_STRAIN_X, WY_STRAIN_T, WY_SEGMENT_STRAIN };
enum { WY_BEND_MINUS, WY_BEND_PLUS, WY_VERTEX_STRAIN };

/* Maxwell branches (maxwell.c). Arrays of strains have six components: those of segments, then those of vertices. */
typedef struct wy_branches {
  int count;
  const wy_maxwell *list;
  double long_term;  /* what the branches leave of the stiffness */
  double share;      /* what c_gamma, c_kappa, m_rest are of the whole now: 1, or long_term at rest */
  int gamma, kappa;  /* offsets in u of the viscous strains: [count][3][stride] each */
  double *whole;     /* [9][stride]: c_gamma, c_kappa, m_rest with share 1 */
  double *relaxed;   /* [6][stride]: sum of share times viscous strain */
  double *strain[2]; /* [6][stride], and the imaginary part */
  double *stress[2]; /* the same, scaled as c_gamma and c_kappa are */
  /* Of the Jacobian kept. */
  double *segment_strain, *vertex_strain, *segment_material, *vertex_material;
  double *band; /* material part of stiffness_band or saddle_statics */
} wy_branches;

typedef struct wy_staggered {
  wy_system base;
  const wy_rod_def *rod;
  wy_staggered_options options;
  int n, stride;    /* segments; common stride of all arrays */
  int x, p, v, w;   /* offsets of the fields in u */
  int constrained;  /* strains that are zero: 0 (cosserat), 2 (kirchhoff), 3 (inextensible) */
  int dependent_at; /* the segment whose constraints depend on those before it, or -1 */
  bool damped;
  int saddle_half, absolute_half;
  bool chain; /* inextensible, and only root and frames are unknown: positions and velocities follow (C8) */
  bool taut;  /* no forces can meet the constraints */
  /* Equilibria: ends stand still; the undeformed rod, or the configuration of the last tangent, leaves its ends no
   * slack. */
  bool starts_taut, straight;
  double drag_translation, drag_rotation;
  double gravity[3];

  /* Constant parameters. Segments: length and its inverse, shear and extension stiffness and damping, inertia and its
   * inverse. */
  double *h, *inv_h, *c_gamma, *d_gamma, *inertia, *inv_inertia, *drag_inertia;
  /* Vertices: 2 / (difference length), bending and torsion stiffness and damping times weight / length, the stress-free
     moment in the same scaling, quadrature weight, natural curvature, mass and its inverse; for a law that stiffens
     wy_law_stiffening, else NULL. */
  double *twice_inv_l, *c_kappa, *d_kappa, *m_zero, *weight, *k_zero, *mass, *inv_mass, *stiffening;
  wy_branches branches;
  double *s_vertex, *s_segment;
  double end_natural[2][3], end_stiffness[2][6];      /* natural curvature at the ends; of the stiffness bending */
  double clamp_c[2][3], clamp_d[2][3], clamp_m[2][3]; /* vertex parameters of an end while its rotation is held */

  /* Loads now, and the part that does not depend on time. What depends on the frames is used only where the flag is
     set. */
  wy_load_site *sites;
  size_t site_count;
  bool loads_change, has_space_moment, has_body_moment, has_end_moment, has_body_force, has_vertex_body_force;
  wy_load_arrays now, still;
  double *total_force, *total_buffer; /* force plus what depends on the frames: the buffer, or `force` itself */
  double end_torque[2][3];            /* body, on the end segments, of moments at ends that turn freely */

  /* Actuators: offset and its slope of each at the vertices ([count][4][stride]), forces
     now. What they add to the section forces of segments (directors) and, times weight, to the moments at vertices;
     m_zero is m_rest less the latter, and with what branches have relaxed. */
  int actuator_count;
  bool has_tendons;
  double *offsets, *actuator_value, *actuator_force, *actuator_moment, *m_rest;
  double *half_force[2], *half_moment[2], *tendon_strain, *tendon_bend; /* sums in half cells; X and K for tendons */
  wy_free_end free_ends[2];

  /* Workspace of one evaluation. Segments: unit quaternion, angular velocity, section force (space), torque; vertices:
     torque on the segment before and after. Halo arrays. */
  int halo_stride;
  double *unit, *omega, *section_force, *segment_torque, *torque_minus, *torque_plus, *acceleration;
  wy_end_pose pose[2];
  double ghost_turn[2][9]; /* R(conj(p_support) p_inner), the ghost's derivative is minus this (S22) */
  double support_force[2][3], support_moment[2][3];

  /* Constraints: X = R^T Dx / h, the block tridiagonal matrix in the section forces and its factors, the forces on the
     way through it, what they do to vertices (space, halo array) and segments; the state with the positions of a chain
     filled in. */
  double *tangent, *link_diagonal, *link_next, *link, *link_force, *link_spin, *full;
  wy_link_pivots dependent_pivots; /* of segment dependent_at */

  /* The Jacobian kept: blocks, where they were taken, body-axes extras. */
  double *segment_blocks, *vertex_blocks;
  double *jac_p, *jac_omega;
  bool jac_held[2][3];
  wy_extra_block *extras;
  int extra_count, *extra_first; /* by vertex: the first of its list, or -1 */
  double *tendon_band;           /* stiffness of tendons in the order of the null-space form (A8) */
  double end_force_x[2][9];      /* body-axes force at an end by Dx of its segment, row by row; with tendons only */
  /* The factorisations. Null space: the scalars beta, gamma of theta = beta dOm - gamma Om x dOm (S41) for one shift,
     halo arrays. Absolute: the two bands of (S45). */
  double *beta, *gamma, *beta_im, *gamma_im;
  double *stiffness_band, *damping_band;
  wy_slot real_slots[WY_MAX_SLOTS], complex_slots[WY_MAX_SLOTS];
  /* With section forces kept: three bands by what they act on, work space of four right-hand sides (saddle.c). For
     equilibria: the band to factor, in which saddle_statics then stands, and its diagonal; the weights of degrees of
     freedom, the stiffness that stands for a held component. */
  double *saddle_statics, *saddle_rate, *saddle_acceleration, *saddle_work;
  wy_band statics_band;
  double *statics_diagonal, *dof_weight, hold_stiffness;
  double foundation[2]; /* weak stiffness of rotations, and weak compliance of constrained strains, of a segment */
  /* Right-hand sides on their way through elimination: full size, packed for the band, theta (halo arrays). */
  double *work, *packed, *packed_im, *theta, *theta_im;

  double load_factor;   /* equilibria: loads are multiplied by it */
  double slack;         /* compliance that constrained strains have for the time being */
  double rod_stiffness; /* bending stiffness over the square of the length: the scale of forces */

  /* Ends; their state and what the user has put on are in the snapshot. */
  wy_supports supports;
  wy_end_state *ends; /* supports.state */
} wy_staggered;

/* kernels.c: loops over segments or vertices [from, to), multiples of WY_LANES. `power` receives the dissipation, or
 * NULL. */
void wy_staggered_segments(const wy_staggered *self, const double *u, int from, int to, double *power);
void wy_staggered_vertices(const wy_staggered *self, int from, int to, double *power);
void wy_staggered_assemble(const wy_staggered *self, const double *u, double *f, int from, int to);

/* Curvature at a vertex and its rate, from the frames of the last evaluation. */
wy_v3 wy_staggered_curvature(const wy_staggered *self, int vertex);
wy_v3 wy_staggered_curvature_rate(const wy_staggered *self, int vertex);

/* rhs.c: everything up to the assembled accelerations; also used by the Jacobian and the view. */
void wy_staggered_set_ghost(wy_staggered *self, int end);
int wy_staggered_evaluate(wy_staggered *self, double t, const double *u, double *f, double *power);

/* The same for a rod at rest with given section forces (directors, [3][stride]), up to the torques. */
void wy_staggered_evaluate_rest(wy_staggered *self, double t, const double *u, const double *force);

/* constraint.c: adds the reactions to accelerations f that were found without them; WY_RETRY where none can do it. */
int wy_staggered_constrain(wy_staggered *self, const double *u, double *f);
/* Positions and velocities back to the constraints; how far they are from them, and whether that is more than
   projection leaves. */
void wy_staggered_project_constraints(wy_staggered *self, double *u);
bool wy_staggered_constraints_missed(wy_staggered *self, const double *u, double *strain, double *rate);
/* Fills in the positions and velocities of a chain from its root and frames. */
void wy_staggered_chain(const wy_staggered *self, double *u);

/* loads.c */
size_t wy_staggered_count_sites(const wy_model *model, int rod);
void wy_staggered_place_loads(wy_staggered *self);
void wy_staggered_refresh_loads(wy_staggered *self);
void wy_staggered_update_loads(wy_staggered *self, double t);
void wy_staggered_frame_loads(wy_staggered *self);
void wy_staggered_frame_load_blocks(wy_staggered *self); /* with the derivatives, into the Jacobian's blocks */
double wy_staggered_load_power(const wy_staggered *self, const double *u);
/* The moment of loads at an end that turns freely, in the frame of its segment, and of it what has space axes. */
wy_v3 wy_staggered_end_moment(const wy_staggered *self, int end, wy_v3 *from_space);
/* What the half cell at an end that turns freely stores, from the frames of the last evaluation (S24b). */
double wy_staggered_end_energy(const wy_staggered *self, int end);

/* actuators.c: all actuators of the rod, from its frames and ghosts, into section forces, torques and m_zero. */
int wy_staggered_count_actuators(const wy_model *model, int rod, bool *tendons);
void wy_staggered_place_actuators(wy_staggered *self);
void wy_staggered_actuate(wy_staggered *self, double t, const double *u);
double wy_staggered_actuator_power(const wy_staggered *self, const double *u);
/* What their section forces add to the Jacobian's blocks as they turn with the frames (A7), and the stiffness of
   tendons in the half of segment i before (0) or after (1) its midpoint. */
void wy_staggered_actuator_blocks(wy_staggered *self, const double *u);
void wy_staggered_tendon_cell(const wy_staggered *self, const double *u, int i, int side, wy_tendon_cell *cell);
/* All of it in the order (x_0, theta_0, x_1, ...) of the null-space form, without rows of held components; y -= it x.
 */
void wy_staggered_tendon_band(wy_staggered *self, const double *u);
void wy_staggered_tendon_pull(const wy_staggered *self, const double *x, double *y);

/* jacobian.c */
int wy_staggered_jacobian(wy_system *system, double t, const double *u);
/* The blocks that do not come from section forces: torques at vertices, ghosts, loads. */
void wy_staggered_torque_blocks(wy_staggered *self);

/* saddle.c: u and the last evaluation; f are the accelerations, or NULL for an equilibrium. */
void wy_staggered_saddle_fill(wy_staggered *self, const double *u, const double *f);
void wy_staggered_saddle_hold(wy_staggered *self, double spring);
void wy_staggered_saddle_combine(wy_staggered *self, wy_slot *slot);
void wy_staggered_saddle_solve(wy_staggered *self, wy_slot *slot, double *re, double *im);

/* staggered.c: the undeformed rod's positions and frames into a state. */
void wy_staggered_reference(wy_staggered *self, double *u);

/* statics.c */
extern const wy_statics_type wy_staggered_statics;

/* absolute.c: the absolute form on the same blocks. */
void wy_staggered_absolute_jacobian(wy_staggered *self, const double *u);
void wy_staggered_absolute_multiply(wy_staggered *self, const double *x, double *y);
void wy_staggered_absolute_combine(wy_staggered *self, wy_slot *slot);
void wy_staggered_absolute_solve(wy_staggered *self, wy_slot *slot, double *re, double *im);

/* maxwell.c. Creation: */
void wy_staggered_branch_fields(wy_staggered *self);
void wy_staggered_branch_layout(wy_staggered *self, wy_arena *arena, wy_factor_needs needs);
void wy_staggered_branch_begin(wy_staggered *self);
bool wy_staggered_branch_counts(const wy_staggered *self, const wy_field *field, int component, int i);
/* Evaluation: what has relaxed, before the loops; rates of the branches after them, `power` receives their dissipation.
   Energy after an evaluation. */
void wy_staggered_branch_relaxed(wy_staggered *self, const double *u);
void wy_staggered_branch_rates(wy_staggered *self, const double *u, double *f, double *power);
double wy_staggered_branch_energy(wy_staggered *self, const double *u);
/* Equilibria: the stiffness in use, and branches that carry nothing. */
void wy_staggered_branch_rest(wy_staggered *self, bool rest);
void wy_staggered_branch_relax(wy_system *system, double t, double *u);
/* Linear systems: what a shift makes of the material part beyond its whole, the operators of the Jacobian. */
void wy_staggered_branch_factor(const wy_branches *self, double re, double im, double *factor_re, double *factor_im);
void wy_staggered_branch_blocks(wy_staggered *self, const double *u);
/* Strains of displacements x and rotations theta (halo array); theta of quaternion increments. */
void wy_staggered_branch_strain(const wy_staggered *self, const double *x, const double *theta, double *strain);
void wy_staggered_branch_turns(const wy_staggered *self, const double *dp, double *theta);
/* The known stress, of the known strain in `strain` and of the right-hand sides of the branches; adds what a stress
   does to section_force, segment_torque, torque_minus and torque_plus; the increments of the branches. */
void wy_staggered_branch_known(wy_staggered *self, const wy_slot *slot, const double *re, const double *im);
void wy_staggered_branch_forces(wy_staggered *self, const double *stress);
void wy_staggered_branch_back(wy_staggered *self, const wy_slot *slot, double *re, double *im);
/* The part of J x: rates of the branches into y, forces as above, on cleared arrays. */
void wy_staggered_branch_multiply(wy_staggered *self, const double *x, double *y);
void wy_staggered_clear_forces(wy_staggered *self);
/* Adds what the four arrays amount to, to forces on vertices and torques on segments. */
void wy_staggered_gather_forces(const wy_staggered *self, double *force, double *torque);

/* linear.c */
void wy_staggered_multiply(wy_system *system, const double *x, double *y);
void wy_staggered_solve_held(const wy_staggered *self, const wy_slot *slot, int cell, const double *re,
                             const double *im, double *packed, double *packed_im);
int wy_staggered_factor(wy_system *system, int index, double sigma);
int wy_staggered_factor_complex(wy_system *system, int index, double re, double im);
void wy_staggered_solve(wy_system *system, int index, double *b);
void wy_staggered_solve_complex(wy_system *system, int index, double *re, double *im);

/* output.c */
void wy_staggered_energy(wy_system *system, double t, const double *u, wy_energy *energy);
void wy_staggered_momentum(wy_system *system, double t, const double *u, wy_momentum *momentum);
void wy_staggered_place_view(wy_staggered *self); /* arc lengths of the view's points */
void wy_staggered_view(wy_system *system, double t, const double *u, wy_view *view);
/* Is it an inextensible rod between two held ends whose distance is more than `share` of its length? */
bool wy_staggered_is_taut(const wy_staggered *self, const double *u, double share);
bool wy_staggered_diagnose(wy_system *system, double t, const double *u, char *text, size_t size);

#endif
