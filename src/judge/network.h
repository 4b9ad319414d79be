/* SPDX-License-Identifier: MIT */
/* The report on bodies, joints, springs and groups, and the warnings about them. */
#ifndef WY_JUDGE_NETWORK_H
#define WY_JUDGE_NETWORK_H

#include "judge/subject.h"

/* Nothing is said of models without bodies, joints and springs. The definition has been read (scheme/solver.h).
   WY_ERROR_MEMORY is the only failure. */
wy_status wy_check_network(const wy_model *model, const wy_sim_def *def, wy_analysis analysis, wy_audience *audience,
                           wy_message *message);

#endif
