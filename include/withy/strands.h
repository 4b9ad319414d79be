/* Hair: many strands drawn after a few rods that are simulated, their guides. Strands follow; they have no mechanics of
   their own.

   One guide: copies of it, each at a fixed place (d1, d2) of its sections, spread evenly over a disc. Two guides:
   strands on the straight line between them. Three and more: the roots of the guides are joined to triangles, and the
   strands within a triangle are weighted means of its corners. */
#ifndef WITHY_STRANDS_H
#define WITHY_STRANDS_H

#include "withy/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wy_strands_def {
  uint32_t cookie;
  const char *name;
  const int *guides; /* indices of rods */
  int guide_count;
  int count;     /* strands */
  double radius; /* of the disc about a single guide; with more guides: of a disc about each strand, 0 for none */
} wy_strands_def;

WY_API wy_strands_def wy_default_strands_def(void);

typedef struct wy_strands wy_strands;

/* The model must outlive them. On failure *strands is NULL and the message names the wrong part. */
WY_API wy_status wy_strands_create(const wy_model *model, const wy_strands_def *def, wy_strands **strands,
                                   wy_message *message);
WY_API void wy_strands_destroy(wy_strands *strands);

WY_API int wy_strands_count(const wy_strands *strands);
/* Points of one strand, evenly spaced from root to tip: as many as the finest guide has nodes. */
WY_API int wy_strands_points(const wy_strands *strands);
WY_API const char *wy_strands_name(const wy_strands *strands);

/* Positions now, [count][points][3]. No allocation. */
WY_API void wy_strands_place(const wy_strands *strands, wy_sim *sim, double *positions);

#ifdef __cplusplus
}
#endif
#endif
