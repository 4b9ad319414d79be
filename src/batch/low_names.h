/* SPDX-License-Identifier: MIT */
/* The algebra and the forces of batch/rod.h once more, with lower precision: every name begins with low_. */
#pragma push_macro("RS")
#pragma push_macro("REAL")
#pragma push_macro("SPLAT")
#pragma push_macro("INV")
#pragma push_macro("SQRT")
#pragma push_macro("INV_SQRT")
#pragma push_macro("STEP")
#undef RS
#undef REAL
#undef SPLAT
#undef INV
#undef SQRT
#undef INV_SQRT
#undef STEP
#define RS LOW_RS
#define REAL LOW_REAL
#define SPLAT LOW_SPLAT
#define INV LOW_INV
#define SQRT LOW_SQRT
#define INV_SQRT LOW_INV_SQRT
#define STEP LOW_STEP

#define add_diagonal low_add_diagonal
#define angle_series low_angle_series
#define angle_zeta low_angle_zeta
#define apply low_apply
#define apply_transposed low_apply_transposed
#define bend_at low_bend_at
#define bend_torques low_bend_torques
#define bent low_bent
#define between low_between
#define clamp_at low_clamp_at
#define clamped low_clamped
#define conjugate low_conjugate
#define cross low_cross
#define diagonal low_diagonal
#define each low_each
#define elastic_force low_elastic_force
#define inner low_inner
#define known low_known
#define mat low_mat
#define mat_minus low_mat_minus
#define mat_of low_mat_of
#define mat_plus low_mat_plus
#define mat_scaled low_mat_scaled
#define mat_times low_mat_times
#define minus low_minus
#define no_mat low_no_mat
#define no_vec low_no_vec
#define node low_node
#define outer low_outer
#define plus low_plus
#define product low_product
#define pulled low_pulled
#define pure low_pure
#define quat low_quat
#define quat_inner low_quat_inner
#define quat_minus low_quat_minus
#define quat_of low_quat_of
#define quat_plus low_quat_plus
#define quat_product low_quat_product
#define quat_scaled low_quat_scaled
#define quat_times low_quat_times
#define rotation low_rotation
#define rows_scaled low_rows_scaled
#define scaled low_scaled
#define segment_by low_segment_by
#define segment_derivatives low_segment_derivatives
#define segment_forces low_segment_forces
#define skew low_skew
#define skew_times low_skew_times
#define split low_split
#define stiff low_stiff
#define strain_at low_strain_at
#define strained low_strained
#define times low_times
#define times_skew low_times_skew
#define times_turn low_times_turn
#define transposed low_transposed
#define transposed_product low_transposed_product
#define twisted low_twisted
#define unit low_unit
#define varied low_varied
#define vary low_vary
#define vary_across low_vary_across
#define vary_along low_vary_along
#define vec low_vec
#define vec_of low_vec_of
#define vertex_all low_vertex_all
#define vertex_at low_vertex_at
#define vertex_by low_vertex_by
#define vertex_derivatives low_vertex_derivatives
#define vertex_forces low_vertex_forces
#define zeta low_zeta
#define zeta_at low_zeta_at

#include "batch/algebra.h"
#include "batch/section.h"

#undef add_diagonal
#undef angle_series
#undef angle_zeta
#undef apply
#undef apply_transposed
#undef bend_at
#undef bend_torques
#undef bent
#undef between
#undef clamp_at
#undef clamped
#undef conjugate
#undef cross
#undef diagonal
#undef each
#undef elastic_force
#undef inner
#undef known
#undef mat
#undef mat_minus
#undef mat_of
#undef mat_plus
#undef mat_scaled
#undef mat_times
#undef minus
#undef no_mat
#undef no_vec
#undef node
#undef outer
#undef plus
#undef product
#undef pulled
#undef pure
#undef quat
#undef quat_inner
#undef quat_minus
#undef quat_of
#undef quat_plus
#undef quat_product
#undef quat_scaled
#undef quat_times
#undef rotation
#undef rows_scaled
#undef scaled
#undef segment_by
#undef segment_derivatives
#undef segment_forces
#undef skew
#undef skew_times
#undef split
#undef stiff
#undef strain_at
#undef strained
#undef times
#undef times_skew
#undef times_turn
#undef transposed
#undef transposed_product
#undef twisted
#undef unit
#undef varied
#undef vary
#undef vary_across
#undef vary_along
#undef vec
#undef vec_of
#undef vertex_all
#undef vertex_at
#undef vertex_by
#undef vertex_derivatives
#undef vertex_forces
#undef zeta
#undef zeta_at

#pragma pop_macro("RS")
#pragma pop_macro("REAL")
#pragma pop_macro("SPLAT")
#pragma pop_macro("INV")
#pragma pop_macro("SQRT")
#pragma pop_macro("INV_SQRT")
#pragma pop_macro("STEP")
