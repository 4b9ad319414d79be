/* SPDX-License-Identifier: MIT */
/* How the ends of a rod are held, as beam theory sees it, and the bending frequencies that follow: one home for the
   time scale of a model and for estimates before a run. What a joint holds counts as held, as if its hub did not move.
 */
#ifndef WY_MODEL_BEAM_H
#define WY_MODEL_BEAM_H

#include "model/model.h"

/* What an end holds in one bending plane: its deflection, its slope, both or nothing. */
typedef enum wy_beam_end {
  WY_BEAM_FREE = 0,
  WY_BEAM_PINNED = 1, /* deflection */
  WY_BEAM_GUIDED = 2, /* slope */
  WY_BEAM_CLAMPED = 3
} wy_beam_end;

/* "free", "pinned", "guided" or "clamped". */
const char *wy_beam_end_name(wy_beam_end end);

/* Does the end of a rod (0 start, 1 end) hold the direction of its director number 0, 1 or 2? */
bool wy_end_holds(const wy_model *model, int rod, int end, int director);
/* How it holds the deflection along d1 (plane 0) or d2 (plane 1), and the slope in that plane. */
wy_beam_end wy_end_in_plane(const wy_model *model, int rod, int end, int plane);

/* Root number n = 1, 2, ... of the frequency equation of a bending beam (beta L > 0; rigid motions are left out). */
double wy_bending_root(wy_beam_end start, wy_beam_end end, int n);
/* The equation itself, for people: "cos(x)*cosh(x) = -1". */
const char *wy_bending_equation(wy_beam_end start, wy_beam_end end);

/* Does anything prescribe how the end moves? */
static inline bool wy_end_is_driven(const wy_end *end) {
  return end->rotation == WY_DRIVEN || end->position[0] == WY_DRIVEN || end->position[1] == WY_DRIVEN ||
         end->position[2] == WY_DRIVEN;
}

#endif
