/* SPDX-License-Identifier: MIT */
/* A rod beside obstacles whose equilibria are sought. */
#ifndef WY_TESTS_SUPPORT_CONTACT_SCENE_H
#define WY_TESTS_SUPPORT_CONTACT_SCENE_H

#include "support/rods.h"

enum { MOST_OBSTACLES = 3, MOST_KNOTS = 8 };

/* A function of time, straight between knots at t = 0, 1, 2, ... */
typedef struct knots {
  int count;
  double at[MOST_KNOTS];
} knots;

wy_signal signal_of(const knots *k);

typedef struct scene {
  wy_rod_def rod;
  wy_obstacle_def obstacles[MOST_OBSTACLES];
  wy_contact_def contact;
  wy_load_def loads[2];
  int obstacle_count, load_count;
  double gravity[3], end;
  const char *scheme;
  int order; /* of scheme `mixed` */
  wy_model *model;
  wy_sim *sim;
} scene;

static const double radius = 5e-3;

/* The standard rod along x on the floor z = 0. */
scene on_floor(int segments, double length, wy_rod_kind kind);
/* The rod gets stiffnesses of its own, for bending and for twist alike, and forgets its section. */
void make_slender(scene *at, double bending);
/* A weightless, slender, inextensible rod of radius r over a drum about y, whose top is where the rod is; `round`: the
   radius of the drum's surface and r. */
scene over_drum(int segments, double length, double bending, double r, double round);

/* With the scheme box the rod is inextensible. */
void use_scheme(scene *at, const char *scheme);

/* A simulation; with `statics` one that may be settled. */
void create(scene *at, bool statics);
void settle(scene *at);
void follow(const scene *at, double t);
void destroy(const scene *at);

/* One component of a quantity at s, or of an obstacle's force on the rod. */
double probe_at(const scene *at, wy_quantity quantity, double s, int component);
double push_of(const scene *at, int obstacle, int component);

#endif
