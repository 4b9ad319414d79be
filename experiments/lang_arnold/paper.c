/* SPDX-License-Identifier: MIT */
/* Lang, Arnold, "Numerical aspects in the dynamic simulation of geometrically exact rods". */
#include "experiments/lang_arnold/common.h"

static wy_status order(wy_findings *findings, wy_message *message) {
  return wy_swing_convergence(findings, "lang-arnold-order", "Figure 2: quadratic convergence, damped rubber rod",
                              "Figure 2", message);
}

const wy_experiment wy_lang_arnold = {
    .name = "lang-arnold",
    .title = "Three models of a rod: stiffness, drift; null space against absolute coordinates",
    .source = "H. Lang, M. Arnold: Numerical aspects in the dynamic simulation of geometrically exact rods. Applied "
              "Numerical Mathematics 62 (2012) 1411-1427",
    .remark =
        {"The paper prints four frequencies; everything else is a picture without numbers, and what it must show is "
         "checked. Its damping is not printed: the damped rod is that of Table 2 of Lang, Linn and Arnold, whose test "
         "it refers to. The undamped one has the constants of its text."},
    .part = {{"frequencies", "Frequencies of extension, bending, torsion and shear (section 4 d)", NULL,
              wy_la_frequencies},
             {"steps", "Stiffness of the three models: Figure 6", "rubber-pendulum-undamped", wy_la_steps},
             {"drift", "Drift, projection and Baumgarte's method (section 4 c)", "rubber-pendulum-undamped",
              wy_la_drift},
             {"order", "Quadratic convergence: Figure 2", "rubber-pendulum", order},
             {"accuracy", "Absolute and null-space coordinates: Figure 3", "rubber-pendulum", wy_la_accuracy},
             {"projection", "Energy added by projection: Figure 5", "rubber-pendulum", wy_la_projection},
             {"solvers", "Step sizes of several solvers: Figure 7", "five-integrators", wy_la_solvers},
             {"null-space", "Null space of the constraints, which the paper leaves open", NULL, wy_la_null_space}},
    .omitted = {
        {"Figure 1", "a drawing of the discrete rod, without results."},
        {"Table 1", "degrees of freedom and unknowns of the three models: definitions, no results."},
        {"Table 2, and the ratios 13/14 and 12",
         "operations of the authors' own code; other code needs other numbers."},
        {"Figure 4 and bandwidths 9 and 10",
         "pictures of where matrices have entries, in the authors' order of unknowns, which is not withy's. That "
         "Jacobians are right and their structure is used is tested (tests/contract)."},
        {"Ode15s, Ode45 and Ode23 in Figure 7",
         "MATLAB codes; NDF (of the kind of Ode15s), DOPRI5 (Ode45) and BS23 (Ode23) stand for them."},
        {"\"Two or three iterations\" of the projection", "withy does not count them."}}};
