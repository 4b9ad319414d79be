/* SPDX-License-Identifier: MIT */
/* What is noted while a rod moves, for the judgement of the run: the balance of energy, how far pieces turn. */
#ifndef WY_INTEGRATE_BALANCE_H
#define WY_INTEGRATE_BALANCE_H

#include "integrate/integrator.h"

/* Notes how far the pieces of the rod turn. */
void wy_books_turns(wy_integrator *self);

/* Before a step: the balance begins with the first one, and anew after a rest. */
void wy_books_start(wy_integrator *self);
/* After a step. WY_ERROR_RESULT: the rod has come apart. */
wy_status wy_books_step(wy_integrator *self, wy_message *message);
/* The rod stands in an equilibrium, the first one or a later one: there is no balance to follow. */
void wy_books_rest(wy_integrator *self, bool first);

/* The energies of the state u at time t about the rod's origin, work and dissipation with it. */
wy_energy wy_books_energy(const wy_integrator *self, double t, const double *u);
/* Adds a look at energies to a balance. */
void wy_balance_look(wy_balance *balance, double t, const wy_energy *energy);

#endif
