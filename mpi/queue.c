/* SPDX-License-Identifier: MIT */
#include "mpi/queue.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

#include "run/results/clock.h"

static const double quick = 0.1, stock = 0.01; /* s: shorter tasks are sent in advance, as many as take this long */
enum { MOST_AHEAD = 32 };                      /* for each thread */
static const double pause = 5e-4;              /* s between two looks for messages */
static const double patience = 0.75;           /* s for the ranks to end; mpirun kills them a second after its signal */
enum { PIECE = 1 << 30 };                      /* bytes of one message */

enum { ORDER = 1, REPORT, BYTES }; /* tags */
enum { STOP = -1, FINISH = -2 };   /* orders that are not tasks; FINISH is followed by a status */

/* From a rank to rank 0, followed by the bytes of the row. */
typedef struct message {
  enum { ROW, MEMORY, INTERRUPTED } kind;
  int task; /* of a row */
  double seconds;
  uint64_t size; /* 0: the task was given up, there is no row */
} message;

/* Tasks that a rank may have. */
static int capacity(const wy_queue_def *def) {
  return (1 + MOST_AHEAD) * def->threads;
}

/* ---- Rank 0 ---- */

/* What rank 0 knows of a rank, itself included. */
typedef struct worker {
  int tasks;        /* that it has */
  int ahead;        /* tasks that wait for each of its threads */
  bool told;        /* it knows that it must stop */
  MPI_Request sent; /* the last order */
  int *order;       /* [capacity], of the last order; NULL for rank 0 */
} worker;

typedef struct server {
  const wy_queue_def *def;
  wy_crew *crew; /* of rank 0 */
  int ranks;
  worker *workers; /* [ranks] */
  int next;        /* the task that is handed out next, or -1 */
  int tasks;       /* that the ranks have */
  double mean;     /* s: what the last tasks took; 0: nobody knows yet */
  wy_queue_end end;
  double deadline; /* s, for the ranks to stop, where `end` is not DONE */
  void *bytes;     /* of the row that was received last */
  size_t room;
} server;

static void stop(server *s, wy_queue_end end) {
  if (s->end != WY_QUEUE_DONE)
    return;
  s->end = end;
  s->next = -1;
  s->deadline = wy_wall_time() + patience;
  wy_crew_stop(s->crew);
}

/* How many tasks wait for a thread if one takes so long: a message may take a while, but at the end nobody should wait
   for a rank that has too many. */
static int tasks_ahead(double seconds) {
  if (seconds >= quick)
    return 0;
  return seconds * MOST_AHEAD < stock ? MOST_AHEAD : seconds < stock ? (int)(stock / seconds) : 1;
}

/* A rank has given back a task, with a row if there are bytes. */
static void take_row(server *s, int rank, double seconds, const void *bytes, size_t size) {
  worker *w = &s->workers[rank];
  w->tasks--;
  s->tasks--;
  w->ahead = tasks_ahead(seconds);
  s->mean = s->mean > 0 ? s->mean + 0.05 * (seconds - s->mean) : seconds;
  if (size > 0 && s->end != WY_QUEUE_UNRECORDED && !s->def->record(s->def->context, bytes, size))
    stop(s, WY_QUEUE_UNRECORDED);
}

static bool make_room(server *s, size_t size) {
  if (size <= s->room)
    return true;
  free(s->bytes);
  s->bytes = malloc(size);
  s->room = s->bytes ? size : 0;
  return s->bytes != NULL;
}

static void receive_bytes(const server *s, int rank, size_t size) {
  for (size_t done = 0, part; done < size; done += part) {
    part = size - done < PIECE ? size - done : PIECE;
    MPI_Recv((char *)s->bytes + done, (int)part, MPI_BYTE, rank, BYTES, s->def->comm, MPI_STATUS_IGNORE);
  }
}

static bool receive_report(server *s) {
  int there;
  message report;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, REPORT, s->def->comm, &there, &status);
  if (!there)
    return false;
  const int rank = status.MPI_SOURCE;
  MPI_Recv(&report, sizeof report, MPI_BYTE, rank, REPORT, s->def->comm, MPI_STATUS_IGNORE);
  if (report.kind == INTERRUPTED) {
    stop(s, WY_QUEUE_INTERRUPTED);
  } else if (!make_room(s, (size_t)report.size)) {
    stop(s, WY_QUEUE_MEMORY);
    s->deadline = 0; /* its bytes are on their way, and nobody can take them */
  } else {
    receive_bytes(s, rank, (size_t)report.size);
    take_row(s, rank, report.seconds, s->bytes, (size_t)report.size);
    if (report.kind == MEMORY)
      stop(s, WY_QUEUE_MEMORY);
  }
  return true;
}

static bool take_own_row(server *s) {
  wy_crew_row row;
  if (!wy_crew_take(s->crew, &row))
    return false;
  take_row(s, 0, row.seconds, row.bytes, row.size);
  free(row.bytes);
  if (row.failed)
    stop(s, WY_QUEUE_MEMORY);
  return true;
}

/* Do the other ranks keep rank 0 busy? */
static bool is_busy(const server *s) {
  return s->ranks > 1 && (s->ranks - 1) * s->def->threads > s->mean * s->def->busy && s->mean > 0;
}

/* Fills up the tasks of a rank, or tells it to stop. */
static void send_order(server *s, int rank) {
  worker *w = &s->workers[rank];
  const bool rests = s->next < 0 || (rank == 0 && is_busy(s));
  const int wanted = rests ? 0 : (1 + w->ahead) * s->def->threads - w->tasks;
  const bool ends = s->end != WY_QUEUE_DONE && !w->told;
  int free_to_send = 1, count = 0;
  if (wanted <= 0 && !ends)
    return;
  if (w->order)
    MPI_Test(&w->sent, &free_to_send, MPI_STATUS_IGNORE);
  if (!free_to_send)
    return;
  for (; count < wanted && s->next >= 0; count++, s->next = s->def->next(s->def->context)) {
    w->tasks++;
    s->tasks++;
    if (w->order)
      w->order[count] = s->next;
    else
      wy_crew_give(s->crew, s->next);
  }
  if (ends && w->order)
    w->order[count++] = STOP;
  w->told = w->told || ends;
  if (w->order)
    MPI_Isend(w->order, count, MPI_INT, rank, ORDER, s->def->comm, &w->sent);
}

static void serve(server *s, bool *lost) {
  while (s->next >= 0 || s->tasks > 0) {
    if (s->def->interrupted(s->def->context))
      stop(s, WY_QUEUE_INTERRUPTED);
    for (int rank = 0; rank < s->ranks; rank++)
      send_order(s, rank);
    const bool own = take_own_row(s), other = receive_report(s);
    s->def->progress(s->def->context);
    if (s->end != WY_QUEUE_DONE && s->tasks > 0 && wy_wall_time() > s->deadline) {
      *lost = true;
      return;
    }
    if (!own && !other)
      wy_crew_wait(s->crew, pause);
  }
}

/* Makes room for orders to the other ranks. */
static bool prepare(server *s) {
  MPI_Comm_size(s->def->comm, &s->ranks);
  s->workers = calloc((size_t)s->ranks, sizeof *s->workers);
  bool good = s->workers && s->crew;
  for (int rank = 0; good && rank < s->ranks; rank++) {
    worker *w = &s->workers[rank];
    w->sent = MPI_REQUEST_NULL;
    w->order = rank > 0 ? calloc((size_t)capacity(s->def), sizeof *w->order) : NULL;
    good = rank == 0 || w->order;
  }
  return good;
}

static void release(server *s) {
  for (int rank = 0; s->workers && rank < s->ranks; rank++) {
    if (s->workers[rank].order)
      MPI_Wait(&s->workers[rank].sent, MPI_STATUS_IGNORE);
    free(s->workers[rank].order);
  }
  free(s->workers);
  free(s->bytes);
  wy_crew_destroy(s->crew);
}

wy_queue_end wy_queue_serve(const wy_queue_def *def, bool *lost) {
  assert(def->threads > 0);
  server s = {.def = def,
              .end = WY_QUEUE_MEMORY,
              .crew = wy_crew_create(def->threads, capacity(def), def->compute, def->context)};
  *lost = false;
  if (prepare(&s)) {
    s.end = WY_QUEUE_DONE;
    s.next = def->next(def->context);
    serve(&s, lost);
  }
  if (!*lost) /* else threads and messages still use it all, until MPI_Abort */
    release(&s);
  return s.end; // NOLINT(clang-analyzer-unix.Malloc)
}

void wy_queue_finish(MPI_Comm comm, int status) {
  int ranks;
  const int order[] = {FINISH, status};
  MPI_Comm_size(comm, &ranks);
  for (int rank = 1; rank < ranks; rank++)
    MPI_Send(order, 2, MPI_INT, rank, ORDER, comm);
}

/* ---- The other ranks ---- */

static void send_report(const wy_queue_def *def, message report, const void *bytes) {
  MPI_Send(&report, sizeof report, MPI_BYTE, 0, REPORT, def->comm);
  for (size_t done = 0, part; done < report.size; done += part) {
    part = report.size - done < PIECE ? report.size - done : PIECE;
    MPI_Send((const char *)bytes + done, (int)part, MPI_BYTE, 0, BYTES, def->comm);
  }
}

static bool send_row(const wy_queue_def *def, wy_crew *crew) {
  wy_crew_row row;
  if (!wy_crew_take(crew, &row))
    return false;
  send_report(def, (message){row.failed ? MEMORY : ROW, row.task, row.seconds, row.size}, row.bytes);
  free(row.bytes);
  return true;
}

/* Returns whether there was an order; FINISH sets *status. */
static bool receive_order(const wy_queue_def *def, wy_crew *crew, int *order, int *status) {
  int there, count;
  MPI_Status envelope;
  MPI_Iprobe(0, ORDER, def->comm, &there, &envelope);
  if (!there)
    return false;
  MPI_Get_count(&envelope, MPI_INT, &count);
  assert(count <= capacity(def));
  MPI_Recv(order, count, MPI_INT, 0, ORDER, def->comm, MPI_STATUS_IGNORE);
  if (order[0] == FINISH)
    *status = order[1];
  else if (order[0] == STOP)
    wy_crew_stop(crew);
  for (int i = 0; i < count && order[0] >= 0; i++)
    wy_crew_give(crew, order[i]);
  return true;
}

int wy_queue_work(const wy_queue_def *def) {
  assert(def->threads > 0);
  int status = -1;
  bool told = false;
  wy_crew *crew = wy_crew_create(def->threads, capacity(def), def->compute, def->context);
  int *order = crew ? calloc((size_t)capacity(def), sizeof *order) : NULL;
  if (!order)
    return MPI_Abort(def->comm, 1); /* which does not return */
  while (status < 0) {
    if (!told && def->interrupted(def->context)) {
      told = true;
      wy_crew_stop(crew);
      send_report(def, (message){INTERRUPTED, -1, 0, 0}, NULL);
    }
    const bool ordered = receive_order(def, crew, order, &status);
    const bool sent = send_row(def, crew);
    if (!ordered && !sent)
      wy_crew_wait(crew, pause);
  }
  wy_crew_destroy(crew);
  free(order);
  return status;
}
