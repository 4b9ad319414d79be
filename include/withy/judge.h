/* Judgement: what the library itself knows of a simulation before it runs, and of its result. Findings are data with
   texts; command, bindings and programs show the same ones.

   A result is wrong where the library knows that it does not solve what was asked: a rod that has come apart, energy
   that a conserving method has lost, ends that are not where they were asked to be. It is doubtful, a warning, where
   the figures are larger than they should be. Limits and their reasons: docs/theory/judgement.md. */
#ifndef WITHY_JUDGE_H
#define WITHY_JUDGE_H

#include "withy/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How much a finding matters, in ascending order. */
typedef enum wy_severity {
  WY_FINE,    /* nothing was found */
  WY_NOTE,    /* worth knowing */
  WY_WARNING, /* doubtful */
  WY_WRONG    /* known to be wrong */
} wy_severity;

/* One thing that was found, before a run or after it. */
typedef struct wy_finding {
  wy_severity severity;
  const char *code;    /* a short word that stays the same: "energy_drift", "torn", ... */
  int rod;             /* or WY_ALL_RODS */
  double where, when;  /* arc length and time, NAN where they are not known */
  double value, limit; /* what was found, and what would have been in order */
  char path[96];       /* the part of the definition that it concerns, in the words of a scenario file, or "" */
  char text[480];      /* what is wrong, for people */
  char remedy[240];    /* what to do about it */
  bool expected;       /* before a run: wy_sim_verify sees the same afterwards, or that it did not come to that */
} wy_finding;

/* A finding in one line, "path: text; remedy": as snprintf, the length that it has. */
WY_API int wy_finding_line(const wy_finding *finding, char *out, size_t size);

/* ---- Before a run ---- */

/* What a simulation is for. */
typedef enum wy_analysis {
  WY_DYNAMICS,     /* the motion in time; where the definition has room for equilibria, from one */
  WY_QUASISTATICS, /* equilibria from time 0 to the end */
  WY_STATICS,      /* the equilibrium at the end */
  WY_MODES,        /* and vibrations about it */
  WY_BUCKLING      /* and the factors of its loads at which it becomes unstable */
} wy_analysis;

/* Looks for mistakes in a model and in the definition of its simulation before anything is computed: values that look
   like other units than SI, grids that are too coarse, steps that are too long, options that do less than they seem to.
   Everything found is a warning; what is refused, wy_model_create and wy_sim_create refuse. The first `room` findings
   are put into `findings` (may be NULL with room 0); `*count` (may be NULL) is how many there are in all. */
WY_API wy_status wy_check(const wy_model *model, const wy_sim_def *def, wy_analysis analysis, wy_finding *findings,
                          int room, int *count, wy_message *message);

/* One line of the report on a rod: what it is made of, its frequencies, its sag, how fine its grid is. */
typedef struct wy_report_line {
  char name[24];  /* what the line is about, "" where it goes on */
  char text[256]; /* with units: estimates for a straight rod of the section at mid-length, SI units assumed */
} wy_report_line;

/* The report on rod number `rod`: the first `room` lines (may be NULL with room 0), and how many there are in all. */
WY_API wy_status wy_check_report(const wy_model *model, const wy_sim_def *def, wy_analysis analysis, int rod,
                                 wy_report_line *lines, int room, int *count, wy_message *message);

/* The period of the slowest vibration of a rod, by the estimates of the report: what rows of output should be compared
   with. 0 where there is no estimate, since the undeformed rod is curved; NAN where there is no such rod. */
WY_API double wy_check_period(const wy_model *model, const wy_sim_def *def, int rod);

/* ---- After a run, or while it goes on ---- */

/* Verifies the simulation as it stands: energy balance since it began to move, how far pieces of rods have turned,
   constraints and held strains, the ends' poses, and of equilibria the balance of loads and reactions.
   WY_OK, or WY_ERROR_RESULT: the result is known to be wrong, and `message` says why. The worst `room` findings are put
   into `findings` (may be NULL with room 0), worst first; `*count` (may be NULL) is how many there are in all.
   Done by the library itself after every equilibrium and when the end of the simulation's definition is reached; these
   calls then return WY_ERROR_RESULT, with the state that was found. */
WY_API wy_status wy_sim_verify(wy_sim *sim, wy_finding *findings, int room, int *count, wy_message *message);

/* The severity of the worst finding. */
WY_API wy_severity wy_sim_verdict(wy_sim *sim);

/* The balance of energy of a rod since it began to move: energy - start = work - dissipated, if all were exact. It is
   looked at every few steps, and is part of a saved state. */
typedef struct wy_balance {
  double start;            /* energy at the beginning */
  double end;              /* energy at present */
  double work, dissipated; /* up to now */
  double violation;        /* largest |energy - start - work + dissipated| met */
  double violation_time;   /* when that was */
  /* What energies have been met: kinetic and total energies of the loads at most, elastic and gravity from, to. */
  double kinetic, most_work, most_dissipated;
  double elastic[2], gravity[2];
  long looks; /* how often; 0: the rod has not moved */
} wy_balance;

/* The balance of one rod, up to the state that is shown. */
WY_API wy_balance wy_sim_balance(wy_sim *sim, int rod);

/* The largest violation over the largest energy that has changed hands: kinetic energy, range of elastic and gravity
   energy, work, dissipation, or what errors of the size of the tolerance amount to. Of one rod, or the worst of
   WY_ALL_RODS; 0 where nothing has moved. */
WY_API double wy_sim_drift(wy_sim *sim, int rod);

/* Up to which drift a result is in order: a warning comes above `doubtful`, and it is wrong above `wrong`. */
typedef struct wy_drift_limits {
  double doubtful, wrong;
  bool conserves; /* by construction: scheme, integrator and law of the rod */
} wy_drift_limits;

/* The limits of one rod. */
WY_API wy_drift_limits wy_sim_drift_limits(const wy_sim *sim, int rod);

#ifdef __cplusplus
}
#endif
#endif
