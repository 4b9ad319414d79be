/* SPDX-License-Identifier: MIT */
#include "run/results/parts.h"

#include <math.h>
#include <stdint.h>

void wy_parts_order(const wy_ranks *ranks, wy_order order) {
  if (ranks && ranks->rank == 0)
    ranks->tell(ranks->context, &order, sizeof order);
}

wy_order wy_parts_await(const wy_ranks *ranks) {
  wy_order order = {.what = WY_ORDER_END};
  ranks->tell(ranks->context, &order, sizeof order);
  return order;
}

static int first_of(const wy_ranks *ranks, int rank, int count) {
  return ranks ? (int)((int64_t)rank * count / ranks->count) : rank * count;
}

void wy_parts_range(const wy_ranks *ranks, int rank, int count, int *first, int *own) {
  *first = first_of(ranks, rank, count);
  *own = first_of(ranks, rank + 1, count) - *first;
}

/* Where one rank refuses a frame, the others fail with WY_ERROR_SUPPORT: they come last. */
wy_status wy_parts_agree(const wy_ranks *ranks, wy_status status, bool *stop, wy_message *message) {
  if (!ranks)
    return status;
  double sums[2] = {status < 0, stop && *stop}, first = INFINITY;
  if (status < 0)
    first = ranks->rank + (status == WY_ERROR_SUPPORT ? ranks->count : 0);
  ranks->combine(ranks->context, sums, 2, &first);
  if (stop)
    *stop = sums[1] > 0;
  if (sums[0] == 0)
    return status;
  struct {
    wy_status status;
    wy_message message;
  } reason = {status, *message};
  const int guilty = (int)first % ranks->count;
  if (guilty > 0 && ranks->rank == guilty)
    ranks->send(ranks->context, 0, &reason, sizeof reason);
  if (guilty > 0 && ranks->rank == 0)
    ranks->receive(ranks->context, guilty, &reason, sizeof reason);
  *message = reason.message;
  return reason.status < 0 ? reason.status : WY_ERROR_SUPPORT;
}

int wy_parts_chosen(const wy_ranks *ranks, int rank, int count, const int *chosen, int chosen_count, int *from) {
  int first, own, many = 0;
  wy_parts_range(ranks, rank, count, &first, &own);
  *from = 0;
  for (int i = 0; i < chosen_count; i++) {
    *from += chosen[i] < first;
    many += chosen[i] >= first && chosen[i] < first + own;
  }
  return many;
}

void wy_parts_gather(const wy_ranks *ranks, int count, const int *chosen, int chosen_count, size_t size, void *values) {
  for (int rank = 1; ranks && rank < ranks->count; rank++) {
    int first, many;
    if (chosen)
      many = wy_parts_chosen(ranks, rank, count, chosen, chosen_count, &first);
    else
      wy_parts_range(ranks, rank, count, &first, &many);
    if (many > 0 && ranks->rank == 0)
      ranks->receive(ranks->context, rank, (char *)values + (size_t)first * size, (size_t)many * size);
    else if (many > 0 && ranks->rank == rank)
      ranks->send(ranks->context, 0, values, (size_t)many * size);
  }
}

int wy_parts_at_least_one(const wy_ranks *ranks, int rank, int count, int *many) {
  int first;
  wy_parts_range(ranks, rank, count, &first, many);
  *many = *many > 0 ? *many : 1;
  return first;
}

void wy_parts_hand_out(const wy_ranks *ranks, int count, size_t size, void *rows) {
  for (int rank = 1; ranks && rank < ranks->count; rank++) {
    int many;
    const int first = wy_parts_at_least_one(ranks, rank, count, &many);
    if (ranks->rank == 0)
      ranks->send(ranks->context, rank, (const char *)rows + (size_t)first * size, (size_t)many * size);
    else if (ranks->rank == rank)
      ranks->receive(ranks->context, 0, rows, (size_t)many * size);
  }
}
