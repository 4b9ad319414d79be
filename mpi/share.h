/* SPDX-License-Identifier: MIT */
/* One plan or one scenario on all ranks: rank 0 has read it, the others get its texts. */
#ifndef WY_MPI_SHARE_H
#define WY_MPI_SHARE_H

#include <mpi.h>

#include "withy/sweep.h"

/* What rank 0 tells the others. They get `plan` or `scenario` of their own, `threads` and `status`. */
typedef struct wy_shared {
  wy_plan *plan; /* or a scenario; neither of them: there is nothing to do */
  wy_scenario *scenario;
  const char *label;           /* of the plan or scenario, as rank 0 has read it */
  const char *const *settings; /* [setting_count], of the command line */
  int setting_count;
  int threads; /* of each rank */
  int status;  /* the exit status where there is nothing to do */
} wy_shared;

/* Called by all ranks, by those above 0 with *shared empty. Returns on all ranks whether all have the same plan or
   scenario now. If not, `status` is the exit status, and the message of rank 0 says which rank has another one and why;
   it is "" where there was nothing to do. What the other ranks have got is theirs to destroy. */
bool wy_share(MPI_Comm comm, wy_shared *shared, wy_message *message);

#endif
