/* SPDX-License-Identifier: MIT */
/* withy-mpi batch: `withy run` of a scenario whose batches are divided over the ranks. */
#ifndef WY_MPI_BATCH_H
#define WY_MPI_BATCH_H

/* Rank 0, with the arguments of `withy run`, and room for argc settings; any other rank. Both return the exit status.
 */
int wy_batch_lead(int argc, char **argv, const char **settings);
int wy_batch_follow(void);

#endif
