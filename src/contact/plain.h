/* SPDX-License-Identifier: MIT */
/* The law of a skin for loops over many stations: load and stiffness alone, without branches, with reciprocals at hand.
   docs/theory/contact.md, (K1) to (K3). */
#ifndef WY_CONTACT_PLAIN_H
#define WY_CONTACT_PLAIN_H

#include "contact/law.h"

/* Skins of stations, [count] each: k', b and c with 1/b (0 where there is no onset) and 1/c. */
typedef struct wy_skins {
  double *stiffness, *onset, *per_onset, *core, *per_core;
} wy_skins;

static inline void wy_skins_set(const wy_skins *skins, int i, const wy_skin *skin) {
  skins->stiffness[i] = skin->stiffness;
  skins->onset[i] = skin->onset, skins->per_onset[i] = skin->onset > 0 ? 1 / skin->onset : 0;
  skins->core[i] = skin->core, skins->per_core[i] = 1 / skin->core;
}

/* p and p' at a depth >= 0 (K1), (K2); p' at a depth of 0 is that of the skin behind it. */
typedef struct wy_skin_slope {
  double load, slope;
} wy_skin_slope;

WY_INLINE wy_skin_slope wy_skins_at(const wy_skins *skins, int i, double depth) {
  const double k = skins->stiffness[i], b = skins->onset[i], c = skins->core[i];
  const double z = depth * skins->per_onset[i], ratio = depth * skins->per_core[i];
  const double x = ratio < WY_CORE_END ? ratio : WY_CORE_END, y = x * x, rest = 1 / (1 - y);
  const double steep = (3 - y) * y * rest * rest, core = x * y * rest + (ratio - x) * steep;
  const bool soft = depth < b;
  const double own = soft ? b * z * z * z * (1 - 0.5 * z) : depth - 0.5 * b, own_slope = soft ? z * z * (3 - 2 * z) : 1;
  return (wy_skin_slope){k * (own + c * core), k * (own_slope + steep)};
}

/* phi of (K3) and its slope. */
typedef struct wy_phi {
  double value, slope;
} wy_phi;

WY_INLINE wy_phi wy_phi_at(double s) {
  const double size = fabs(s), sign = s > 0 ? 1 : -1;
  return (wy_phi){size < 1 ? s * (2 - size) : sign, size < 1 ? 2 * (1 - size) : 0};
}

#endif
