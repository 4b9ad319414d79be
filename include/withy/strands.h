/* Hair: many strands drawn after a few rods that are simulated, their guides. Strands follow; they have no mechanics of
   their own.

   A strand is a weighted mean of its guides at the same share of their lengths. One guide: all strands are after it.
   Two guides, or more whose roots are on a line: strands on the straight lines between neighbours. Three and more: the
   roots (s = 0, undeformed) are joined to triangles, and the strands within a triangle are means of its corners.
   Strands are spread evenly; with a radius, each has a place of its own (d1, d2) in the sections of its guides, on a
   disc of that radius, so that it turns with them. A single guide needs one. Equal definitions make equal strands. */
#ifndef WITHY_STRANDS_H
#define WITHY_STRANDS_H

#include "withy/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Strands, and the rods that they follow. */
typedef struct wy_strands_def {
  uint32_t cookie;
  const char *name;
  const int *guides; /* indices of rods, each once */
  int guide_count;
  int count;     /* of strands */
  double radius; /* of the disc; 0: strands are on and between the guides */
} wy_strands_def;

/* One strand; guides are to be set, and for a single guide the radius. */
WY_API wy_strands_def wy_default_strands_def(void);

/* Strands of a simulation: they move as it moves. */
typedef struct wy_strands wy_strands;

/* The simulation and its model must outlive them. On failure *strands is NULL and the message names the wrong part. */
WY_API wy_status wy_strands_create(const wy_model *model, wy_sim *sim, const wy_strands_def *def, wy_strands **strands,
                                   wy_message *message);
WY_API void wy_strands_destroy(wy_strands *strands);

/* The name in the definition, and how many strands there are. */
WY_API const char *wy_strands_name(const wy_strands *strands);
WY_API int wy_strands_count(const wy_strands *strands);

/* Points of one strand, evenly spaced from root to tip: as many as the positions of the finest guide. */
WY_API int wy_strands_points(const wy_strands *strands);
/* The guides that strand number k is a mean of, and how much each counts: 1 to 3, which is returned. Weights are not
   negative and add up to 1. */
WY_API int wy_strands_weights(const wy_strands *strands, int k, int rods[3], double weights[3]);

/* Positions at wy_sim_time, [count][points][3]. No allocation. */
WY_API void wy_strands_place(wy_strands *strands, double *positions);

#ifdef __cplusplus
}
#endif
#endif
