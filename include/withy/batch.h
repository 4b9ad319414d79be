/* SPDX-License-Identifier: MIT */
/* Batches: many rods of one kind at once. All rods of a batch have the same model, ends, number of segments and
   options, and differ in numbers: stiffness, radius, length, natural curvature, root, size of loads, start. They do not
   touch each other. All move with one clock, in frames: wy_batch_advance moves every rod by one frame time, in fixed
   substeps. A rod whose error estimate is above the tolerance is moved again from the start of the frame, with 2, 4, 8
   and 16 times the substeps; one that still fails keeps its last good state, and wy_batch_status says so.
   docs/theory/batch.md has the equations.

   The pattern is a rod of a model, with its ends, loads and obstacles. What a batch cannot do (constrained strains,
   Maxwell branches, actuators, joints, fluids, ends that are released; obstacles but planes, spheres, capsules,
   endless cylinders and grids of distances) is refused with the reason. Rods are numbered from 0. Arrays of
   numbers are ordered by rod. No call but wy_batch_create allocates memory. One batch may be used by one thread at a
   time; it uses more threads by the tasks of its caller (wy_tasks of withy/sim.h). */
#ifndef WITHY_BATCH_H
#define WITHY_BATCH_H

#include "withy/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers with which a batch calculates. Mixed: states and forces are double, derivatives and the elimination single.
 */
typedef enum wy_batch_precision { WY_BATCH_DOUBLE, WY_BATCH_MIXED, WY_BATCH_SINGLE } wy_batch_precision;

/* The machine. Auto: the GPU where there is one (`gpu`) and the batch is large, else the CPU. A batch for which a GPU
   is asked but not found is calculated on the CPU: see wy_batch_describe. */
typedef enum wy_batch_device { WY_BATCH_AUTO_DEVICE, WY_BATCH_CPU, WY_BATCH_GPU } wy_batch_device;

/* Two-step backward differences of order 2, with a linear solve in each substep, or leapfrog, of order 2 and without,
   whose substeps the fastest vibration limits: it takes as many as are stable, at least those that are asked for. Auto:
   the one that takes less time, see wy_batch_describe. */
typedef enum wy_batch_integrator { WY_BATCH_AUTO, WY_BATCH_BDF2, WY_BATCH_EXPLICIT } wy_batch_integrator;

/* A GPU for batches, or why there is none: from wy_gpu of withy/gpu.h. */
typedef struct wy_batch_gpu {
  const struct wy_batch_backend *backend; /* NULL: there is none */
  const char *reason;
} wy_batch_gpu;

/* A part of a larger batch, of which other processes have the other parts: the rods from `first` on, of `total`. What
   all rods decide, such as the number of substeps, all parts decide together: each rod moves as in a batch that is
   whole, bit for bit. The parts have the same definition but for `count`, `first` and `context`, and all make the same
   calls of wy_batch_advance. Rods in messages have their numbers in the whole. */
typedef struct wy_batch_share {
  int first, total; /* total 0: the batch is whole */
  bool spare;       /* another part has these rods, too, and counts them */
  void *context;
  /* Makes each of the numbers its sum over all parts, and `least` the least of them. All parts call it together. */
  void (*combine)(void *context, double *sums, int count, double *least);
} wy_batch_share;

/* A batch. */
typedef struct wy_batch_def {
  uint32_t cookie, size; /* set by wy_default_batch_def */
  int rod;               /* the pattern: a rod of the model */
  int count;             /* of rods */
  int substeps;          /* of a frame; 0: chosen while it runs, so that less than 1 % of the rods are moved again */
  int retries;           /* how often a rod is moved again with twice the substeps, 0 to 4 */
  wy_batch_integrator integrator;
  wy_batch_precision precision;
  wy_batch_device device;
  int lanes;        /* of the CPU's vectors: 0: the most that the processor has; or 1, 4, 8, 16 of them, for tests */
  double tolerance; /* of the estimate: the largest error of a segment's direction in a substep's prediction */
  wy_staggered_options staggered; /* measure of curvature and rotary inertia; else as wy_default_solver_def has it */
  wy_tasks tasks;                 /* optional: threads of the caller */
  wy_batch_gpu gpu;               /* optional: wy_gpu() of withy/gpu.h; without it there is the CPU alone */
  wy_batch_share share;           /* optional: it is a part of a larger batch */
} wy_batch_def;

/* Fills the first `size` bytes of a definition with defaults (withy/definition.h). */
WY_API void wy_init_batch_def(wy_batch_def *def, size_t size);
/* One rod like the first of the model, double precision, integrator and device `auto`, substeps chosen. */
static inline wy_batch_def wy_default_batch_def(void) {
  wy_batch_def def;
  wy_init_batch_def(&def, sizeof def);
  return def;
}

/* Many rods. */
typedef struct wy_batch wy_batch;

/* The model must outlive the batch. All rods begin as the pattern does. On failure *batch is NULL and the message names
   the wrong part. */
WY_API wy_status wy_batch_create(const wy_model *model, const wy_batch_def *def, wy_batch **batch, wy_message *message);
WY_API void wy_batch_destroy(wy_batch *batch);

/* What runs. */
typedef struct wy_batch_info {
  int count, segments, substeps;  /* substeps: of the last frame; before the first, as given */
  int lanes;                      /* rods side by side in a vector of the CPU; 0 on a GPU */
  wy_batch_integrator integrator; /* auto: it is chosen in the first frame */
  wy_batch_precision precision;
  wy_batch_device device;
  const char *machine; /* "cpu, AVX-512", ... */
  const char *reason;  /* why it is not the device that was asked for, or "" */
  const char *choice;  /* by what the integrator was chosen, or "" */
} wy_batch_info;

/* What runs, and where. */
WY_API wy_batch_info wy_batch_describe(const wy_batch *batch);

/* The bytes that a batch holds. */
WY_API size_t wy_batch_memory(const wy_batch *batch);
/* The same before it is created; NAN where the definition is wrong. */
WY_API double wy_batch_memory_estimate(const wy_model *model, const wy_batch_def *def);

/* ---- Numbers of the rods ---- */

/* A number that differs from rod to rod. The pattern's own is the value until it is set. Those up to WY_BATCH_LOADS may
   change at any time; the others belong to the undeformed rods and are set before the first frame, and before rods are
   placed or their ends moved. */
typedef enum wy_batch_number {
  WY_BATCH_YOUNG,     /* 1: Young's modulus; the shear modulus and damping by a time change in proportion */
  WY_BATCH_DENSITY,   /* 1 */
  WY_BATCH_RADIUS,    /* 1: of a circle */
  WY_BATCH_DAMPING,   /* 1: factor on the pattern's damping coefficients or time */
  WY_BATCH_DRAG,      /* 1: translation of wy_drag */
  WY_BATCH_LOADS,     /* 1: factor on all loads */
  WY_BATCH_LENGTH,    /* 1 */
  WY_BATCH_CURVATURE, /* 3: natural curvature, the same along the rod, instead of the pattern's */
  WY_BATCH_ROOT,      /* 7: origin and frame of the undeformed rod at s = 0 */
  WY_BATCH_VELOCITY   /* 3: of the whole rod at the start, added to the pattern's */
} wy_batch_number;

/* The name in scenarios ("young", ...), and how many values a rod has of it; NULL and 0 for another number. */
WY_API const char *wy_batch_number_name(wy_batch_number number);
WY_API int wy_batch_number_size(wy_batch_number number);

/* Sets a number of all rods: [count][size]. The message names the first rod with a value that is not possible; then
   nothing has changed. */
WY_API wy_status wy_batch_set(wy_batch *batch, wy_batch_number number, const double *values, wy_message *message);
/* Reads it. */
WY_API wy_status wy_batch_get(const wy_batch *batch, wy_batch_number number, double *values, wy_message *message);

/* ---- Motion ---- */

/* Moves an end of all rods: where it will be at the end of the next frame, [count][7]: position and unit quaternion of
   the support, and its velocities there, [count][6]: velocity and angular velocity, space axes; NULL: at rest. In
   between it moves by a cubic, and turns the shorter way. Only held and driven components move. Without a call an end
   goes on with the velocities that it has, or as the pattern's signals say, by a cubic from frame to frame, too. */
WY_API wy_status wy_batch_move(wy_batch *batch, wy_end_name end, const double *poses, const double *velocities,
                               wy_message *message);
/* The same for the start of the rods. */
WY_API wy_status wy_batch_roots(wy_batch *batch, const double *poses, const double *velocities, wy_message *message);

/* Moves all rods on by a frame time > 0. 0: done; 1: some rods failed in this frame, see wy_batch_status; negative:
   nothing was done, and the message says why. So it is where rods begin inside of obstacles, or driven ends away from
   the undeformed rods, unless rods were placed; where a table ends; where signals move an end further from the cubic of
   the frame than the tolerance, in segments and radians. Of a batch in parts all fail together; those that are not to
   blame return WY_ERROR_SUPPORT. */
WY_API wy_status wy_batch_advance(wy_batch *batch, double frame_time, wy_message *message);

/* The clock of the batch; NAN if it is NULL. */
WY_API double wy_batch_time(const wy_batch *batch);

/* How a rod fared. */
typedef struct wy_batch_rod {
  int refined;     /* how often its last frame was moved again, with twice the substeps each time */
  bool failed;     /* it stays as it was at `time` */
  double time;     /* the clock of its state */
  double estimate; /* the error estimate of its last frame, to be compared with the tolerance */
} wy_batch_rod;

/* Of `count` rods from `first` on. */
WY_API wy_status wy_batch_status(const wy_batch *batch, int first, int count, wy_batch_rod *out, wy_message *message);

/* Work so far; that of a part is the work of all parts. */
typedef struct wy_batch_statistics {
  long frames;
  double solves;  /* linear solves, or substeps of leapfrog, of a rod, summed over all rods */
  double refined; /* frames of rods that were moved again, summed over all rods */
  long failed;    /* rods that have failed */
} wy_batch_statistics;

/* The work of all frames so far. */
WY_API wy_batch_statistics wy_batch_work(const wy_batch *batch);

/* ---- States ---- */

/* Of `count` rods from `first` on, at wy_batch_time: positions of the vertices [count][segments + 1][3], frames of the
   segments [count][segments][4], velocities of the vertices, angular velocities of the segments (directors) [..][3]. */
WY_API wy_status wy_batch_positions(wy_batch *batch, int first, int count, double *out, wy_message *message);
WY_API wy_status wy_batch_frames(wy_batch *batch, int first, int count, double *out, wy_message *message);
WY_API wy_status wy_batch_velocities(wy_batch *batch, int first, int count, double *out, wy_message *message);
WY_API wy_status wy_batch_spins(wy_batch *batch, int first, int count, double *out, wy_message *message);
/* Strains and section forces (directors) of the segments [count][segments][3]; curvatures and moments of the vertices
   [count][segments + 1][3], 0 at ends that turn freely. Any of them may be NULL. */
WY_API wy_status wy_batch_sections(wy_batch *batch, int first, int count, double *strains, double *forces,
                                   double *curvatures, double *moments, wy_message *message);

/* Puts rods where they are to begin, or to go on: arrays as those that are read. NULL: velocities are 0. Held ends are
   where their supports are. A rod that has failed goes on. */
WY_API wy_status wy_batch_place(wy_batch *batch, int first, int count, const double *positions, const double *frames,
                                const double *velocities, const double *spins, wy_message *message);

/* The positions on the GPU, for those who draw them there: [count][segments + 1][3], float where the precision is
   single, else double. They stay until the batch moves on; the first call takes the memory. WY_ERROR_SUPPORT on a CPU.
 */
WY_API wy_status wy_batch_device_positions(wy_batch *batch, const void **positions, wy_message *message);

/* A batch continues from a saved state bit for bit, with the same model, definition and binary. That of another batch
   is refused. It ends with wy_batch_save_row bytes for each rod, in order; what is before them is the same in all parts
   of a larger batch, so that saved states of parts can be put together and divided otherwise. */
WY_API size_t wy_batch_save_size(const wy_batch *batch);
WY_API size_t wy_batch_save_row(const wy_batch *batch);
WY_API wy_status wy_batch_save(wy_batch *batch, void *buffer, size_t size, wy_message *message);
WY_API wy_status wy_batch_restore(wy_batch *batch, const void *buffer, size_t size, wy_message *message);

#ifdef __cplusplus
}
#endif
#endif
