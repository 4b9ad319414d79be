/* SPDX-License-Identifier: MIT */
/* One rod before a run: what the estimates and checks of a model share. Each check looks at the subject, says what it
   finds in lines of a report, and warns of what looks like a mistake. */
#ifndef WY_JUDGE_SUBJECT_H
#define WY_JUDGE_SUBJECT_H

#include "judge/beam.h"
#include "judge/judge.h"

/* Where lines and warnings go; either may be left out. */
typedef struct wy_audience {
  wy_judgement *findings;
  bool reads; /* lines */
  wy_report_line *lines;
  int room, count; /* of lines; those beyond `room` are counted only */
} wy_audience;

typedef struct wy_subject {
  const wy_model *model;
  const wy_sim_def *def;
  wy_analysis analysis;
  int index;
  const wy_rod_def *rod;
  wy_audience *audience;
  const wy_solver_def *solver;
  const wy_scheme *scheme;
  const wy_integrator_type *type; /* of the integrator, or NULL */
  wy_scheme_info info;
  bool fixed_step;
  double end;                /* of the run; without one, a time in which something happens */
  wy_section_values section; /* at mid-length */
  double long_term;          /* share of the stiffness that Maxwell branches leave */
  double length, mass, spacing;
  double rest[2][3];         /* [start, end]: where they are undeformed */
  double frame[3][3];        /* d1, d2, d3 at mid-length */
  wy_beam_end plane[2][2];   /* [plane of d1, of d2][start, end] */
  bool axial[2], turning[2]; /* [start, end]: held along d3, held against torsion */
  double turn;               /* angle of the undeformed rod over its length */
  double slack;              /* length over the distance of held ends, less 1; 0 where they are free or taut */
  bool cable;                /* slack, and so soft that its weight shapes it */
  double across, strength;   /* horizontal distance of its ends; gravity */
  double weighed;            /* mass per length that gravity seems to pull at, in a fluid that lifts; its size */
  wy_catenary line;          /* of a cable */
  /* Found by the checks, in their order: */
  double slowest; /* longest period (frequencies) */
  double sag;     /* curvature that gravity bends the rod to (sag) */
  double swing;   /* curvature by which gravity bends a rod that swings from where it begins; 0: it does not (sag) */
  double pull;    /* curvature that actuators bend the rod to (actuators) */
} wy_subject;

/* Definitions have been read (scheme/solver.h); they and the audience must outlive the subject. */
wy_subject wy_subject_of(const wy_model *model, const wy_sim_def *def, const wy_solver_def *solver,
                         wy_analysis analysis, int rod, wy_audience *audience);

/* Does time pass, or is there one state at the end? */
bool wy_subject_has_course(const wy_subject *in);
/* Times at which signals are looked at: from 0 to the end, or the end alone. */
enum { WY_SUBJECT_TIMES = 1000 };
int wy_subject_time_count(const wy_subject *in);
double wy_subject_time(const wy_subject *in, int k);
/* Where the held ends are at a time, against each other; false where a component of one is free. */
bool wy_ends_apart(const wy_subject *in, double time, double difference[3]);

/* The largest moment that loads can make at any output time, roughly: |M| + |F| lever, anywhere in the rod with its
   length as lever, and by moments alone with none. */
double wy_subject_load_moment(const wy_subject *in, double lever);

/* A line of the report. */
void wy_say(const wy_subject *in, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* What a warning is about. */
typedef struct wy_doubt {
  const char *code, *remedy;
  const char *key;  /* of the rod, such as ".segments"; "": the rod itself */
  const char *path; /* in place of rod and key where set */
  double value, limit;
  bool expected; /* a run sees whether it comes to that */
} wy_doubt;
void wy_warn(const wy_subject *in, const wy_doubt *doubt, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The checks, in the order of the report. */
void wy_check_section(wy_subject *in);
void wy_check_shape(wy_subject *in);
void wy_check_frequencies(wy_subject *in);
void wy_check_sag(wy_subject *in);
void wy_check_fluid(wy_subject *in);
void wy_check_contact(wy_subject *in);
void wy_check_actuators(wy_subject *in);
void wy_check_resolution(wy_subject *in);
void wy_check_motion(wy_subject *in);
void wy_check_options(wy_subject *in);
/* Where equilibria are wanted. */
void wy_check_equilibria(wy_subject *in);
/* What concerns the model as a whole; the rod of the subject does not matter. */
void wy_check_gravity(wy_subject *in);

#endif
