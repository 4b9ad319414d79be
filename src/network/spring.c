/* SPDX-License-Identifier: MIT */
#include "network/spring.h"

wy_spring_pull wy_spring_at(const wy_spring_def *def, wy_v3 line, wy_v3 rate) {
  wy_spring_pull pull = {.line = line, .rate = rate, .length = wy_norm(line)};
  pull.along = pull.length > 0 ? wy_times(1 / pull.length, line) : (wy_v3){0, 0, 0};
  pull.lengthening = wy_inner(pull.along, rate);
  pull.acts = def->kind != WY_CABLE || pull.length > def->length;
  if (pull.acts)
    pull.tension = def->stiffness * (pull.length - def->length) + def->damping * pull.lengthening;
  return pull;
}

wy_v3 wy_spring_force(const wy_spring_pull *pull) {
  return wy_times(pull->tension, pull->along);
}

double wy_spring_energy(const wy_spring_def *def, const wy_spring_pull *pull) {
  const double longer = pull->length - def->length;
  return pull->acts ? 0.5 * def->stiffness * longer * longer : 0;
}

double wy_spring_dissipation(const wy_spring_def *def, const wy_spring_pull *pull) {
  return pull->acts ? def->damping * pull->lengthening * pull->lengthening : 0;
}

/* k e e^T + (tension/l)(1 - e e^T) + d e (y' - l' e)^T / l, and d e e^T. */
void wy_spring_blocks(const wy_spring_def *def, const wy_spring_pull *pull, wy_m3 *by_line, wy_m3 *by_rate) {
  *by_line = *by_rate = wy_diagonal(0);
  if (!pull->acts)
    return;
  if (!(pull->length > 0)) { /* without length of its own: else refused */
    *by_line = wy_diagonal(def->stiffness);
    return;
  }
  const wy_v3 e = pull->along, across = wy_minus(pull->rate, wy_times(pull->lengthening, e));
  const wy_m3 both = wy_outer(e, e);
  *by_line = wy_mplus(wy_mtimes(def->stiffness, both),
                      wy_mtimes(pull->tension / pull->length, wy_mminus(wy_diagonal(1), both)));
  *by_line = wy_mplus(*by_line, wy_outer(wy_times(def->damping / pull->length, e), across));
  *by_rate = wy_mtimes(def->damping, both);
}
