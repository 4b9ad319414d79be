/* SPDX-License-Identifier: MIT */
/* What processes that share batches (wy_ranks of withy/run.h) tell each other, on MPI. */
#ifndef WY_MPI_RANKS_H
#define WY_MPI_RANKS_H

#include <mpi.h>

#include "withy/run.h"

/* Those of a communicator, which must outlive them. Waiting ranks sleep. */
wy_ranks wy_ranks_on(MPI_Comm *comm);

#endif
