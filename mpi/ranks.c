/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "mpi/ranks.h"

#include <sched.h>
#include <time.h>

enum { PIECE = 1 << 30 /* bytes of one message */, LOOKS = 1000, PAUSE = 50000 /* ns */ };

/* Frames follow each other fast, and files take their time: a few looks, then one now and then, so that more ranks than
   cores do no harm. MPI_Wait has nothing to wait for afterwards. */
static void pause_for(MPI_Request request) {
  const struct timespec pause = {0, PAUSE};
  int done = 0, looks = 0;
  MPI_Request_get_status(request, &done, MPI_STATUS_IGNORE);
  while (!done) {
    if (looks++ < LOOKS)
      sched_yield();
    else
      nanosleep(&pause, NULL);
    MPI_Request_get_status(request, &done, MPI_STATUS_IGNORE);
  }
}

static int piece_of(size_t size, size_t done) {
  return size - done < PIECE ? (int)(size - done) : PIECE;
}

static void tell(void *context, void *bytes, size_t size) {
  MPI_Request request;
  for (size_t done = 0; done < size; done += (size_t)piece_of(size, done)) {
    MPI_Ibcast((char *)bytes + done, piece_of(size, done), MPI_BYTE, 0, *(MPI_Comm *)context, &request);
    pause_for(request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

static void combine(void *context, double *sums, int count, double *least) {
  MPI_Request sum, smallest;
  MPI_Iallreduce(MPI_IN_PLACE, sums, count, MPI_DOUBLE, MPI_SUM, *(MPI_Comm *)context, &sum);
  MPI_Iallreduce(MPI_IN_PLACE, least, 1, MPI_DOUBLE, MPI_MIN, *(MPI_Comm *)context, &smallest);
  pause_for(sum);
  MPI_Wait(&sum, MPI_STATUS_IGNORE);
  pause_for(smallest);
  MPI_Wait(&smallest, MPI_STATUS_IGNORE);
}

static void send(void *context, int to, const void *bytes, size_t size) {
  MPI_Request request;
  for (size_t done = 0; done < size; done += (size_t)piece_of(size, done)) {
    MPI_Isend((const char *)bytes + done, piece_of(size, done), MPI_BYTE, to, 0, *(MPI_Comm *)context, &request);
    pause_for(request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

static void receive(void *context, int from, void *bytes, size_t size) {
  MPI_Request request;
  for (size_t done = 0; done < size; done += (size_t)piece_of(size, done)) {
    MPI_Irecv((char *)bytes + done, piece_of(size, done), MPI_BYTE, from, 0, *(MPI_Comm *)context, &request);
    pause_for(request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

wy_ranks wy_ranks_on(MPI_Comm *comm) {
  wy_ranks ranks = {.context = comm, .tell = tell, .combine = combine, .send = send, .receive = receive};
  MPI_Comm_rank(*comm, &ranks.rank);
  MPI_Comm_size(*comm, &ranks.count);
  return ranks;
}
