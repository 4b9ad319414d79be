/* SPDX-License-Identifier: MIT */
/* What is known of the rods of Sobottka, Lay and Weber without any scheme, by shooting and by elliptic integrals, and
   what an independent program finds with the same cells. Each number stands here once: for the experiment and for
   tests. */
#ifndef WY_EXPERIMENTS_SOBOTTKA_LAY_WEBER_KNOWN_H
#define WY_EXPERIMENTS_SOBOTTKA_LAY_WEBER_KNOWN_H

/* Rest under gravity: the tip, and its error with 10, 20, 40, 80 plain cells (three digits, the last with two). */
enum { WY_SLW_RESTS = 4 };
extern const double wy_slw_rest[3], wy_slw_rest_error[WY_SLW_RESTS];

/* The strut under forces beyond Euler's: force over critical one, x and the size of y of the tip, and its error with 40
   plain cells (two digits). */
enum { WY_SLW_LOADS = 3 };
typedef struct wy_slw_buckled {
  double factor, tip[2], error;
} wy_slw_buckled;
extern const wy_slw_buckled wy_slw_elastica[WY_SLW_LOADS];

/* The coil under an axial force: the tip; its error under the larger one with 25, 50, 100 cells, plain and transported
   (two digits). */
enum { WY_SLW_PULLS = 2, WY_SLW_COILS = 3 };
typedef struct wy_slw_pulled {
  double force, tip[3];
} wy_slw_pulled;
extern const wy_slw_pulled wy_slw_coil_tip[WY_SLW_PULLS];
extern const double wy_slw_coil_error[2][WY_SLW_COILS];

/* The coil with both ends clamped, one moved along the axis by 30 % of the height: what the part of the rod beyond a
   section exerts on the part before it, as withy's probes `force` and `moment` do, in space axes: the force at the end
   and the couple at the start. The support at the end takes the place of what lies beyond, so that its reaction is
   this force; the support at the start carries the rod: its reaction is minus this couple. */
extern const double wy_slw_drawn, wy_slw_drawn_force[3], wy_slw_drawn_couple[3];

#endif
