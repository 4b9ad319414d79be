/* SPDX-License-Identifier: MIT */
/* A batch in parts, in several processes: what all rods decide. */
#include "batch/inside.h"

static void combine(const wy_batch *self, double *sums, int count, double *least) {
  const wy_batch_share *share = &self->def.share;
  if (share->total)
    share->combine(share->context, sums, count, least);
}

static wy_status fail_elsewhere(wy_message *message) {
  return wy_fail(message, WY_ERROR_SUPPORT, "another part of the batch cannot be moved");
}

/* Before a frame: may all parts begin? Substeps of leapfrog are as long as the fastest rod of all allows. */
wy_status wy_batch_agree_to_begin(wy_batch *self, wy_status status, wy_message *message) {
  double refused = status != WY_OK;
  self->stable_of_all = self->stable;
  combine(self, &refused, 1, &self->stable_of_all);
  return status == WY_OK && refused > 0 ? fail_elsewhere(message) : status;
}

/* After a frame: the tally of all parts. */
wy_status wy_batch_agree_on_frame(const wy_batch *self, double tally[WY_TALLIES], wy_message *message) {
  const bool broken = tally[WY_TALLY_BROKEN] > 0;
  double least = 0;
  for (int i = 0; i < WY_TALLY_BROKEN && self->def.share.spare; i++)
    tally[i] = 0;
  combine(self, tally, WY_TALLIES, &least);
  if (tally[WY_TALLY_BROKEN] == 0)
    return WY_OK;
  return broken ? wy_batch_check_machine(self, message) : fail_elsewhere(message);
}
