/* SPDX-License-Identifier: MIT */
/* Judgement: checks of a simulation before it runs, and of its result. A finding is a struct with numbers and texts.
   The command, bindings and other programs all show the same findings.

   A result is wrong if the library knows that it is not a solution of the problem: for example a rod has come apart, a
   conserving method has lost energy, or an end is not at its prescribed position. A result is doubtful, which is a
   warning, if an error measure exceeds its usual limit. docs/theory/judgement.md explains the limits. */
#ifndef WITHY_JUDGE_H
#define WITHY_JUDGE_H

#include "withy/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The severity of a finding, in ascending order. */
typedef enum wy_severity {
  WY_FINE,    /* nothing was found */
  WY_NOTE,    /* worth knowing */
  WY_WARNING, /* doubtful */
  WY_WRONG    /* known to be wrong */
} wy_severity;

/* One finding, before a run or after it. */
typedef struct wy_finding {
  wy_severity severity;
  const char *code;    /* a short name that does not change between versions: "energy_drift", "torn", ... */
  int rod;             /* index of the rod, or WY_ALL_RODS */
  double where, when;  /* arc length and time; NAN if they are not known */
  double value, limit; /* the number that was found, and the largest acceptable one */
  char path[96];       /* the key of a scenario file to which the finding refers, or "" */
  char text[480];      /* what is wrong, for people */
  char remedy[240];    /* what to do about it */
  bool expected;       /* before a run: the finding is a prediction, and wy_sim_verify checks it after the run */
} wy_finding;

/* Writes a finding as one line, "path: text; remedy". Like snprintf, it returns the length of the whole line. */
WY_API int wy_finding_line(const wy_finding *finding, char *out, size_t size);

/* ---- Before a run ---- */

/* What is computed. */
typedef enum wy_analysis {
  WY_DYNAMICS,     /* the motion in time; it begins at an equilibrium if wy_sim_def.statics is set */
  WY_QUASISTATICS, /* equilibria from time 0 to the end */
  WY_STATICS,      /* the equilibrium at the end */
  WY_MODES,        /* vibrations about the equilibrium at the end */
  WY_BUCKLING      /* factors of the loads at which the equilibrium becomes unstable */
} wy_analysis;

/* Looks for mistakes in a model and in the definition of its simulation before anything is computed: values that seem
   to be in other units than SI, grids that are too coarse, steps that are too long, options without the expected
   effect. All findings are warnings; definitions that are impossible are refused by wy_model_create and wy_sim_create.
   The first `room` findings are copied into `findings`, which may be NULL if `room` is 0. `*count` is set to the number
   of all findings; `count` may be NULL. */
WY_API wy_status wy_check(const wy_model *model, const wy_sim_def *def, wy_analysis analysis, wy_finding *findings,
                          int room, int *count, wy_message *message);

/* One line of the report on a rod: its section and material, frequencies, sag, resolution of the grid. */
typedef struct wy_report_line {
  char name[24];  /* the subject of the line; "" if the line continues the preceding one */
  char text[256]; /* with SI units; estimates are for a straight rod with the section at mid-length */
} wy_report_line;

/* The report on one rod, or for WY_ALL_RODS on what connects rods: bodies, joints, springs and groups with their
   freedoms; no lines where there is none of them. The first `room` lines are copied into `lines`, which may be NULL if
   `room` is 0. `*count` is set to the number of all lines. */
WY_API wy_status wy_check_report(const wy_model *model, const wy_sim_def *def, wy_analysis analysis, int rod,
                                 wy_report_line *lines, int room, int *count, wy_message *message);

/* An estimate of the longest vibration period of a rod, the same as in the report. The time between two rows of output
   should be compared with it. 0 if there is no estimate, because the undeformed rod is curved; NAN if there is no such
   rod. */
WY_API double wy_check_period(const wy_model *model, const wy_sim_def *def, int rod);

/* ---- During and after a run ---- */

/* Checks the present state of the simulation: the energy balance since the start of the motion, the rotation across
   each segment, the constraints, the positions and rotations of the ends, and for equilibria the balance of loads and
   reactions. Returns WY_OK, or WY_ERROR_RESULT if the result is known to be wrong; `message` then says why. The worst
   `room` findings are copied into `findings`, worst first; `findings` may be NULL if `room` is 0. `*count` is set to
   the number of all findings; `count` may be NULL.
   The library performs this check itself after every equilibrium and at the end time of wy_sim_def. The function that
   was called then returns WY_ERROR_RESULT if the result is wrong, and the state remains available. */
WY_API wy_status wy_sim_verify(wy_sim *sim, wy_finding *findings, int room, int *count, wy_message *message);

/* The severity of the worst finding. */
WY_API wy_severity wy_sim_verdict(wy_sim *sim);

/* The energy balance of a rod since the start of the motion. The exact solution satisfies energy - start = work -
   dissipated. The balance is evaluated every few steps and is part of a saved state. */
typedef struct wy_balance {
  double start;            /* energy at the beginning */
  double end;              /* energy at present */
  double work, dissipated; /* up to now */
  double violation;        /* largest |energy - start - work + dissipated| so far */
  double violation_time;   /* the time of the largest violation */
  /* Extremes so far: the largest kinetic energy, work and dissipation; the smallest and largest elastic energy and
     gravity energy. */
  double kinetic, most_work, most_dissipated;
  double elastic[2], gravity[2];
  long looks; /* number of evaluations of the balance; 0 if the rod has not moved */
} wy_balance;

/* The balance of one rod, with all that is joined to it, up to wy_sim_time. For WY_ALL_RODS: sums over all groups
   (withy/sim.h), and the largest of their violations. */
WY_API wy_balance wy_sim_balance(wy_sim *sim, int rod);

/* The energy drift: the largest violation of the energy balance, divided by the largest of these energies: kinetic
   energy, range of the elastic energy, range of the gravity energy, work, dissipation, and the energy of errors of the
   size of the tolerance. For one rod, or the largest drift for WY_ALL_RODS. 0 if nothing has moved. */
WY_API double wy_sim_drift(wy_sim *sim, int rod);

/* The limits of the energy drift: above `doubtful` there is a warning, above `wrong` the result is wrong. */
typedef struct wy_drift_limits {
  double doubtful, wrong;
  bool conserves; /* scheme and integrator conserve the energy of this rod and its material law by construction */
} wy_drift_limits;

/* The limits of one rod. */
WY_API wy_drift_limits wy_sim_drift_limits(const wy_sim *sim, int rod);

#ifdef __cplusplus
}
#endif
#endif
