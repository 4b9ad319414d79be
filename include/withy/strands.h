/* SPDX-License-Identifier: MIT */
/* Hair: a few rods, the guides, are simulated, and many strands follow them. Strands have no mechanics of their own.

   A strand is a weighted mean of its guides at the same fraction of their lengths. With one guide, all strands follow
   it. With two guides, or with more guides whose roots are on a line, the strands lie between neighbouring guides. With
   three or more guides, the roots (s = 0, undeformed) are the corners of triangles, and a strand in a triangle is a
   weighted mean of its three corners. Strands are spread evenly. If a radius is given, each strand has an offset (d1,
   d2) in the sections of its guides, within a disc of that radius, so that it rotates with them. A single guide needs a
   radius. Equal definitions give equal strands. */
#ifndef WITHY_STRANDS_H
#define WITHY_STRANDS_H

#include "withy/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Strands, and the rods that they follow. */
typedef struct wy_strands_def {
  uint32_t cookie, size; /* set by wy_default_strands_def */
  const char *name;
  const int *guides; /* indices of rods, all different */
  int guide_count;
  int count;     /* number of strands */
  double radius; /* of the disc; 0: strands have no offset */
} wy_strands_def;

/* Fills the first `size` bytes of a definition with defaults (withy/definition.h). */
WY_API void wy_init_strands_def(wy_strands_def *def, size_t size);
/* One strand. Set the guides, and for a single guide the radius. */
static inline wy_strands_def wy_default_strands_def(void) {
  wy_strands_def def;
  wy_init_strands_def(&def, sizeof def);
  return def;
}

/* The strands of a simulation. */
typedef struct wy_strands wy_strands;

/* The simulation and its model must outlive them. On failure *strands is NULL and the message names the wrong part. */
WY_API wy_status wy_strands_create(const wy_model *model, wy_sim *sim, const wy_strands_def *def, wy_strands **strands,
                                   wy_message *message);
WY_API void wy_strands_destroy(wy_strands *strands);

/* The name in the definition, and the number of strands. */
WY_API const char *wy_strands_name(const wy_strands *strands);
WY_API int wy_strands_count(const wy_strands *strands);

/* The number of points of a strand. They are evenly spaced from root to tip. It is the largest number of positions that
   a guide has. */
WY_API int wy_strands_points(const wy_strands *strands);
/* The guides of strand k and their weights, which are not negative and add up to 1. Returns the number of guides, 1 to
   3. */
WY_API int wy_strands_weights(const wy_strands *strands, int k, int rods[3], double weights[3]);

/* Computes the positions at wy_sim_time, [count][points][3]. It does not allocate. */
WY_API void wy_strands_place(wy_strands *strands, double *positions);

#ifdef __cplusplus
}
#endif
#endif
