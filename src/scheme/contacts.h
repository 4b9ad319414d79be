/* SPDX-License-Identifier: MIT */
/* The contact of one rod with obstacles, for all schemes: which obstacles it may touch and how they move, its stations,
   what friction remembers. A scheme tells where its stations are and spreads the pushes that it gets here; the search,
   the energy, and what steps in time may do are the same for all. docs/theory/contact.md.

   Positions are from the rod's origin, as in states. */
#ifndef WY_SCHEME_CONTACTS_H
#define WY_SCHEME_CONTACTS_H

#include "contact/station.h"
#include "scheme/scheme.h"
#include "scheme/supports.h"

enum { WY_MOST_STATIONS = 8 }; /* on a segment */

/* What a scheme does for its contacts. A station is a number below `count`; those of weight 0 are padding. The last two
   are the caps of the ends. */
typedef struct wy_station_type {
  /* Places of all stations in a state, [3][count]. */
  void (*places)(wy_system *system, const double *u, double *x);
  /* The motion of one station; of a cap also where the vertex next to it is. */
  void (*spot)(wy_system *system, const double *u, int station, wy_spot *spot);
  wy_v3 (*beside)(wy_system *system, const double *u, int cap);
  /* The acceleration of one station by the f of a state. NULL: steps in time are fixed. */
  wy_v3 (*acceleration)(wy_system *system, const double *f, int station);
  /* A box around all places, and a bound of the speeds of stations: cheap, for what is far from all obstacles. */
  void (*box)(wy_system *system, const double *u, wy_v3 *low, wy_v3 *high);
  double (*speed)(wy_system *system, const double *u);
} wy_station_type;

/* Bodies that rods push are part of the state: their obstacles are asked for at three of its times. */
typedef enum wy_moment { WY_NOW, WY_BEFORE, WY_AFTER, WY_MOMENTS } wy_moment;

/* What is saved of an obstacle: where it was at the last accepted step. */
typedef struct wy_obstacle_before {
  double t, x[3], frame[4];
} wy_obstacle_before;

/* An obstacle as the rod meets it. */
/* The groups of stations that may touch an obstacle that stands where it stood when they were found. */
typedef struct wy_near_groups {
  bool made;
  wy_v3 x;
  wy_q4 frame;
  int count, *group;
  unsigned char *near; /* [groups] */
} wy_near_groups;

typedef struct wy_meeting {
  int obstacle;
  wy_form_of form;
  wy_end end; /* its motion, or that of the body that carries it, as that of an end */
  wy_supports supports;
  wy_v3 mount; /* its position and axes seen from what moves: 0 and 1 without a body */
  wy_q4 mount_frame;
  /* On a body that rods push the group says how it moves, by wy_contacts_carry; from the rod's origin. */
  bool pushed;
  int body; /* -1: none */
  wy_spot bodies[WY_MOMENTS];
  wy_touch_law law;                        /* but for radius and skin, which are the station's */
  double slip_moving, slip_rest, friction; /* of the law, in motions and equilibria; while it rubs */
  bool moves;
  wy_v3 belt;         /* in its own axes */
  wy_carrier carrier; /* by wy_contacts_place */
  bool near;          /* by wy_contacts_search: some station may touch */
  wy_near_groups groups;
  /* By wy_contacts_find_between: the obstacle at the beginning and in the middle of a step, and the distances of the
     stations at its beginning, [count], where any of them touched. */
  wy_carrier before_step, between;
  bool touched_before;
  double *from_distance;
  /* Saved. `stretch` [3][count] where friction has a spring, else NULL. */
  wy_obstacle_before *before;
  double *stretch;
  /* Equilibria: where it stands at the beginning of a ramp, beside its own place (contact.settle). */
  wy_v3 shift;
} wy_meeting;

/* Why a step was not allowed. */
typedef struct wy_contact_trouble {
  enum { WY_STEP_ALLOWED, WY_CORE_REACHED, WY_PASSED_THROUGH } kind;
  int obstacle;
  double s, load, step;
} wy_contact_trouble;

/* What a run reports of a rod's contact; saved. */
typedef struct wy_contact_record {
  double deepest, deepest_over_radius, first_time;
  double put_down; /* how far contact.settle brought rod and obstacles together or apart */
  bool touched;
} wy_contact_record;

/* Stations by WY_LANES neighbours: with many obstacles most of these groups are far from most of them. Which ones are
   near is found for places that are `slack` away from where it is asked for, and holds until then. */
typedef struct wy_station_groups {
  int count;
  double slack;
  double *seen;              /* [3][stations]: where the lists of groups were made */
  double moved;              /* the furthest way of a station from there */
  bool known;                /* `moved` is that of the places in self->x */
  double *centre, *size;     /* a ball around each group there, [3][count], [count] */
  double *local, *clearance; /* scratch: seen from an obstacle */
  unsigned char *all;        /* [count]: 1 */
  /* Of the obstacle that was looked at last: may some station of a group touch it, [count]; the groups whose distances
     were found, while all others are INFINITY, or NULL: all were. */
  const unsigned char *near;
  const struct wy_near_groups *found;
} wy_station_groups;

typedef struct wy_contacts {
  const wy_station_type *type;
  int count, cap;     /* stations with padding; the first of the two caps */
  double *weight, *s; /* [count]; of caps 1, or 0 where there is none */
  wy_skin *skin;      /* [count] */
  double *radius;     /* [count] */
  double *mass;       /* [count] per length */
  double largest_radius;
  wy_meeting *meetings;
  int meeting_count, near_count;   /* near_count: by wy_contacts_search */
  bool rest;                       /* equilibria */
  wy_moment moment;                /* of the state that is looked at: WY_NOW but within a step */
  double *x, *local, *distance;    /* scratch: places, and seen from an obstacle */
  wy_station_groups groups;        /* of stations at these places */
  double *other;                   /* scratch: places of another state */
  double *anchor_x, *anchor_frame; /* saved, [3][count] and [4][count]: stations at the last accepted step; or NULL */
  /* What friction remembered when a Jacobian was taken, for the same bits after a restart; saved, or NULL. */
  double *kept;
  size_t kept_size;
  bool recalled; /* wy_contacts_recall has put it in the place of what friction remembers now */
  double *stiff; /* saved, [count]: p' over k' at the last accepted step */
  /* By wy_system_between: the two ends of a step whose mean forces are asked for, and its length; or NULL. */
  const double *before, *after;
  double step;
  wy_contact_record *record;
  /* Which stations touched which obstacle at the last accepted equilibrium; saved, [meeting_count][count]. */
  unsigned char *touched;
  wy_contact_trouble trouble; /* by wy_contacts_allow */
} wy_contacts;

/* Does the rod touch anything? Room for its stations; runs twice, first counting. */
void wy_contacts_layout(wy_contacts *self, wy_memory *memory, const wy_model *model, int rod, int count);
/* Obstacles and laws, once memory is there and the scheme has set weight and s of its stations. */
void wy_contacts_begin(wy_contacts *self, const wy_model *model, int rod, const wy_station_type *type);
/* How the obstacle of a meeting moves, seen from an origin; `length` is that of the rod. */
void wy_meeting_begin(wy_meeting *at, const wy_model *model, const double origin[3], double length);
/* The laws that depend on how long the simulation may last. */
void wy_contacts_set_end(wy_contacts *self, const wy_model *model, int rod, double end);
/* Gauss's points and weights on [0, 1]. */
void wy_contacts_gauss(int count, double *x, double *w);
/* Stations a segment of length h near the obstacles of a rod. */
int wy_contacts_stations(const wy_model *model, int rod, double h);

/* Equilibria: obstacles stand, on a share of their way. */
void wy_contacts_rest(wy_contacts *self, bool rest, double share);
/* Do pushes depend on time explicitly: does an obstacle move, or its surface? */
bool wy_contacts_depend_on_time(const wy_contacts *self);
/* Is an obstacle on a body that rods push? */
bool wy_obstacle_is_pushed(const wy_model *model, int obstacle);
/* The motion of a body that rods push, for the obstacles on it. */
void wy_contacts_carry(wy_contacts *self, int body, wy_moment moment, const wy_spot *motion);
/* Steps begin from where an obstacle is at t. */
void wy_contacts_note(wy_meeting *at, double t);
/* Place, frame and velocities of an obstacle at t; on a body that rods push at one of the moments, or on the straight
   way from the one before to the one after a step. */
void wy_meeting_carrier(const wy_meeting *at, double t, wy_moment moment, wy_carrier *out);
void wy_meeting_carrier_between(const wy_meeting *at, double t, double h, double share, wy_carrier *out);
/* Obstacles at t. */
void wy_contacts_place(wy_contacts *self, double t);
/* Obstacles that come closer than `margin` to a rod inside of a box; true: some. */
bool wy_contacts_search(wy_contacts *self, wy_v3 low, wy_v3 high, double margin);
/* Is any obstacle within reach of a state at t? If so, the places of its stations are in self->x. */
bool wy_contacts_find(wy_system *system, double t, const double *u, double margin);
/* The same for a step from `before` at t to `after` at t + h, whose places are in self->x; obstacles are at its end. */
bool wy_contacts_find_between(wy_system *system, double t, double h, const double *before, const double *after);
/* The places of all stations in a state, into self->x. */
void wy_contacts_look_at(wy_system *system, const double *u);
/* Room for groups of stations, and the radius that they go by. */
void wy_contacts_lay_out_groups(wy_contacts *self, wy_arena *scratch);
void wy_contacts_begin_groups(wy_contacts *self);
/* The largest distance of a station in self->x from where it was; NAN: some place is no number. */
double wy_contacts_farthest(const wy_contacts *self, const double *from);
/* The distances of all places in self->x from an obstacle, into self->distance. */
void wy_contacts_distances(wy_contacts *self, const wy_meeting *at);
/* The same for those that may be closer than `margin` to the skin of the rod; others may be INFINITY. */
void wy_contacts_close_distances(wy_contacts *self, wy_meeting *at, double margin);

/* May any station of a group, WY_LANES neighbours from this one on, touch the obstacle that was looked at last? */
static inline bool wy_contacts_group_near(const wy_contacts *self, int first) {
  return self->groups.near[first / WY_LANES];
}

static inline bool wy_contacts_touches(const wy_contacts *self, int station) {
  return self->distance[station] < self->radius[station] && self->weight[station] > 0;
}

/* Stations that touch, one after the other, at the places in self->x. Begins with {0}; with .between, those that touch
   at any of the two ends of a step. */
typedef struct wy_contact_walk {
  int meeting, next; /* next: the station to look at, of the present meeting */
  bool between;
  bool seen; /* distances of the present meeting are there */
  /* What was found: */
  wy_meeting *at;
  int station;
} wy_contact_walk;

bool wy_contacts_walk(wy_contacts *self, wy_contact_walk *walk);

/* Does friction take away the potential of what an obstacle does? */
static inline bool wy_meeting_rubs(const wy_meeting *at) {
  return at->law.friction > 0 && at->law.stick && !at->law.held;
}

/* The law and the memory of friction of a station. */
wy_touch_law wy_contacts_law(const wy_contacts *self, const wy_meeting *at, int station);
wy_anchor wy_contacts_anchor(const wy_contacts *self, const wy_meeting *at, int station);

/* The mean push of an obstacle on a station over the step of wy_system_between, with the state in its middle; of a cap
   also its weight and what acts beside the weighted push, with the work that the obstacle does by it. */
typedef struct wy_mean_push {
  wy_push push;
  wy_push_slopes slopes; /* by the middle, with the end moving twice as far */
  double weight;
  wy_cap cap;               /* derivatives of the weight by the end of the step */
  wy_cap_slopes cap_slopes; /* by the end of the step */
  double cap_work;
} wy_mean_push;

void wy_contacts_push_between(wy_system *system, const double *middle, const wy_contact_walk *walk, bool slopes,
                              wy_mean_push *out);

/* The energy in the skin. */
double wy_contacts_energy(wy_system *system, double t, const double *u);

/* May a step from `before` at t to `after` at t + h be accepted? No core reached, nothing passed through. */
bool wy_contacts_allow(wy_system *system, double t, double h, const double *before, const double *after);
/* A motion begins: friction has nothing to remember but where everything is. */
void wy_contacts_start(wy_system *system, double t, const double *u);
/* Friction and the record take note of an accepted state. Returns what has changed by it: f at this state is out of
   date; the skin of a station is suddenly stiff or soft, which no history of smooth steps foresees. */
enum { WY_CONTACT_SLID = 1, WY_CONTACT_HIT = 2 };
int wy_contacts_accept(wy_system *system, double t, const double *u);
/* The longest step from a state, at most h; with its f, which may be NULL, hits are foreseen to turn, too. */
double wy_contacts_step_limit(wy_system *system, double t, const double *u, const double *f, double h);
/* Friction as it was when the Jacobian was taken, and back. */
void wy_contacts_keep(wy_contacts *self);
void wy_contacts_recall(wy_contacts *self);

/* Does the undeformed rod start inside of an obstacle by more than the onset of its skin? Motions are not put down by
   contact.settle, equilibria that they start from are. */
wy_status wy_contacts_check_start(wy_system *system, const double *u, bool statics, wy_message *message);

/* ---- Equilibria (contact_rest.c); configurations begin with the state ---- */

/* The stations that touch at a configuration: a number that differs for different sets, how many there are, and how
   many do at this configuration only, or did only at the last accepted one. */
typedef struct wy_touching {
  uint64_t set;
  int count, changed;
} wy_touching;

/* A ramp begins: friction remembers nothing but where the rod is. With contact.settle obstacles are put where the rod
   just touches them; they move back with their share of the way. */
void wy_contacts_rest_begin(wy_system *system, double t, const double *u);
/* The spring of friction for a motion, with the force that it has at rest. */
void wy_contacts_depart(wy_contacts *self);
/* What all obstacles do to a rod: force, moment about its origin, space axes, and the sum of the sizes of all forces.
 */
typedef struct wy_resultant {
  wy_v3 force, moment;
  double size;
} wy_resultant;

wy_resultant wy_contacts_resultant(wy_system *system, double t, const double *u);
/* The lengths of a rod that touch in an equilibrium, and that friction holds. */
typedef struct wy_grip {
  double touching, sticking;
} wy_grip;

wy_grip wy_contacts_grip(wy_system *system, double t, const double *u);
/* The smallest gap to an obstacle, which is then *meeting; INFINITY: there is none. */
double wy_contacts_gap(wy_system *system, double t, const double *u, int *meeting);

/* ---- The same for a system, whose parts may touch obstacles ---- */

void wy_system_rest_begin(wy_system *system, double t, const double *config);
/* Does friction make equilibria depend on those before? It then takes note of those that are accepted. */
bool wy_system_remembers(wy_system *system);
void wy_system_rest_accepted(wy_system *system, double t, const double *config);
/* The share of the way between two configurations on which no station is carried deep into an obstacle. */
double wy_system_rest_reach(wy_system *system, double t, const double *from, const double *to);
wy_touching wy_system_touching(wy_system *system, double t, const double *config);
void wy_system_depart(wy_system *system);
/* Takes friction away, and gives it back. */
void wy_system_smooth(wy_system *system, bool smooth);
/* Tangents become those about an equilibrium, with a potential: what sticks is held by its spring, what slides by
   nothing. And back. */
void wy_system_hold(wy_system *system, bool hold);
/* Does nothing but contact hold a rod, which is above all obstacles? If so, says what to do. */
bool wy_system_floats(wy_system *system, double t, const double *config, char *text, size_t size);

bool wy_system_touches(const wy_system *system);
/* A rod, or piece of one, that touches, from *index on, and where its state is in that of the whole; NULL: no more. For
   loops that add its size to *offset. */
wy_system *wy_contacts_part(wy_system *system, int *index, int *offset);
/* Groups put obstacles on bodies that rods push to where a state has them; t NAN: all of them as the state has them. */
void wy_system_carry(wy_system *system, double t, const double *u, wy_moment moment);
bool wy_system_allows(wy_system *system, double t, double h, const double *before, const double *after);
void wy_system_start_contact(wy_system *system, double t, const double *u);
int wy_system_accepted(wy_system *system, double t, const double *u);
double wy_system_step_limit(wy_system *system, double t, const double *u, const double *f, double h);
/* Friction as it is now, and as it was then, and back. */
void wy_system_keep(wy_system *system);
void wy_system_recall(wy_system *system);
/* From now on forces and derivatives of contact are those of a step of length h from the accepted state `before` to
   `after`, with the state asked for in the middle of both: a discrete gradient (K8). NULL: those of states again. */
void wy_system_between(wy_system *system, double h, const double *before, const double *after);
/* Why the last step was not allowed, and what to try; false: no contact is the reason. */
bool wy_system_explain(const wy_system *system, double t, char *text, size_t size);

#endif
