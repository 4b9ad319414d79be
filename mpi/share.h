/* SPDX-License-Identifier: MIT */
/* One plan on all ranks: rank 0 has read it, the others get its texts. */
#ifndef WY_MPI_SHARE_H
#define WY_MPI_SHARE_H

#include <mpi.h>

#include "withy/sweep.h"

/* What rank 0 tells the others. They get `plan`, a plan of their own, `threads` and `status`. */
typedef struct wy_shared {
  wy_plan *plan;               /* NULL: there is nothing to do */
  const char *label;           /* of the plan, as rank 0 has read it */
  const char *const *settings; /* [setting_count], of the command line */
  int setting_count;
  int threads; /* of each rank */
  int status;  /* the exit status where there is nothing to do */
} wy_shared;

/* Called by all ranks, by those above 0 with *shared empty. Returns on all ranks whether all have the same plan now. If
   not, `status` is the exit status, and the message of rank 0 says which rank has another plan and why; it is "" where
   there was nothing to do. The plans of the other ranks are theirs to destroy. */
bool wy_share(MPI_Comm comm, wy_shared *shared, wy_message *message);

#endif
