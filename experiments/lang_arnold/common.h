/* SPDX-License-Identifier: MIT */
/* The parts of the experiment on Lang and Arnold. */
#ifndef WY_EXPERIMENTS_LANG_ARNOLD_COMMON_H
#define WY_EXPERIMENTS_LANG_ARNOLD_COMMON_H

#include "experiments/swing.h"

void wy_la_solve(wy_case *c, const char *integrator, double tolerance, wy_coordinates coordinates);

/* models.c: the three models: frequencies in the text, step sizes, drift. */
wy_status wy_la_frequencies(wy_findings *findings, wy_message *message);
wy_status wy_la_steps(wy_findings *findings, wy_message *message);
wy_status wy_la_drift(wy_findings *findings, wy_message *message);
/* coordinates.c: a Cosserat rod in absolute and in null-space coordinates; step sizes of several solvers. */
wy_status wy_la_accuracy(wy_findings *findings, wy_message *message);
wy_status wy_la_projection(wy_findings *findings, wy_message *message);
wy_status wy_la_solvers(wy_findings *findings, wy_message *message);
/* null_space.c: the null space of the constraints of both models against the index-1 form. */
wy_status wy_la_null_space(wy_findings *findings, wy_message *message);

#endif
