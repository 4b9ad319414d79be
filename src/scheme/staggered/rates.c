/* SPDX-License-Identifier: MIT */
/* The scheme's rates: those of its grid, whose shortest wave alternates from one vertex to the next, and of Baumgarte's
   terms. */
#include "scheme/rates.h"

#include <math.h>

#include "scheme/staggered/staggered.h"

void wy_staggered_rates(const wy_model *model, int rod, const wy_solver_def *solver, wy_rates *rates) {
  const wy_staggered_options *options = &solver->staggered;
  wy_rates_of_rod(model, rod, 2, options->segment_inertia == WY_CYLINDER, rates);
  if (options->stabilisation == WY_BAUMGARTE)
    rates->decay = fmax(rates->decay, 2 * fmax(options->baumgarte_r, options->baumgarte_omega));
  rates->null_space = wy_staggered_is_chain(model, rod, solver);
}
