/* SPDX-License-Identifier: MIT */
/* Lang, Linn, Arnold, "Multibody dynamics simulation of geometrically exact Cosserat rods" (2011). */
#include "experiments/lang_linn_arnold/common.h"

static wy_status order(wy_findings *findings, wy_message *message) {
  return wy_swing_convergence(findings, "lang-linn-arnold-order", "Differences under bisection, damped rubber rod",
                              "section 4, Test 2, text", message);
}

const wy_experiment wy_lang_linn_arnold = {
    .name = "lang-linn-arnold",
    .title = "Swinging rubber rod and steel string: solver statistics, work and precision, comparison tests",
    .source =
        "H. Lang, J. Linn, M. Arnold: Multi-body dynamics simulation of geometrically exact Cosserat rods. Multibody "
        "System Dynamics 25 (2011) 285-312; preprint: Berichte des Fraunhofer ITWM 209 (2011)",
    .remark =
        {"Some printed parameters contradict the printed tables. DOPRI5 works at its limit of stability, so its steps "
         "measure the largest eigenvalue: 1.83e4 per second for rubber, 5.08e5 for steel. The printed damping of "
         "extension, c3 = 2.0E+2, with the printed inertia of discs gives 1.84e6 and 5.75e7; with the inertia of "
         "cylinders "
         "1.84e6 and 6.4e6; c3 = 2.0 with discs 6.6e5 and 5.75e7. Only c3 = 2.0 with cylinders gives both, 1.8307e4 "
         "and "
         "5.07094e5. These are used here, with viscous forces 2 c rate, since the paper's dissipation potential has no "
         "factor 1/2.",
         "With these constants extension and shear are not damped \"more than critically\", as the text says: the "
         "first "
         "mode of extension of the rubber rod has the eigenvalues -57 +- 89i per second. The damping of bending is "
         "confirmed by the implicit methods: RADAU5 with TOL = 1e-2 takes 1635 steps (published: 1645), and 1498 or "
         "1359 "
         "with 1.5 or 2 times the damping. Where a published row contradicts itself, its note says so.",
         "Settings of the tables: absolute coordinates, Baumgarte with omega = r = 100, curvature (iii), N = 10, "
         "scalar "
         "tolerances TOL for both kinds of error, RMS norm, the codes' own transformation of tolerances, first step "
         "1e-6 "
         "for RADAU5, SEULEX and RODAS. Steps are all attempts (IDA: accepted ones). Evaluations that only serve the "
         "integrals of work and dissipation, which the published codes do not form, are counted apart. Errors: largest "
         "difference of vertices and quaternions at t = 10 from a solution with tolerance 1e-11. Times are of the "
         "processor, one core, the smallest of up to 7 runs."},
    .part = {{"rubber", "Rubber rod: Table 2 and Figure 7", "rubber-pendulum", wy_lla_rubber},
             {"steel", "Steel string: Table 3 and Figure 7", "steel-string", wy_lla_steel},
             {"motion", "Step sizes and reference solutions: Figures 8 and 9", "five-integrators", wy_lla_motion},
             {"test-1", "Test 1, swinging undamped: Figures 3 and 4", "rubber-pendulum-undamped", wy_lla_test_1},
             {"test-2", "Test 2, pushed and twisted in balance: Figures 5 and 6", "cable-push", wy_lla_test_2},
             {"order", "Second order in the number of segments", "rubber-pendulum", order},
             {"measures", "Curvature measures: Figure 11", NULL, wy_lla_measures}},
    .omitted = {
        {"Figures 1, 2 and 10", "drawings of the rod, the grid and the interpolation of quaternions, without results."},
        {"Table 1",
         "operations of the authors' own code for the right-hand side; other code needs other numbers. What ours "
         "costs is the time of a right-hand side above, and what `withy bench` measures."},
        {"ABAQUS curves in Figures 4 and 6, stresses in Figure 5",
         "another program; its solutions are not printed as numbers, and a rod has no Mises stress. Independent "
         "programs that solve the same equations stand in their place."},
        {"Figure 4 beyond t = 2.7", "the undamped motion amplifies round-off: no two programs agree there."},
        {"Shares of time of f and Jacobian (38 %, 43 %, 61 %), 1.02e-4 s for a Jacobian",
         "they measure a code and a machine of 2008; `withy bench` times ours."},
        {"Remark 3.4: the damped Cosserat rod outperforms Kirchhoff rods",
         "no test is described. The models are compared in the part \"steps\" of lang-arnold."},
        {"Condition numbers and bandwidths of section 3",
         "properties of matrices that withy does not form in that order of unknowns."}}};
