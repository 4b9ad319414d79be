/* SPDX-License-Identifier: MIT */
/* Kinon, Eugster, Betsch: director-based mixed finite elements for Cosserat rods as port-Hamiltonian systems. Every
   figure of the numerical examples (section 6), beside the invariants that must hold and the converged solution. Where
   the paper is known to be wrong the notes say so; docs/theory/mixed.md lists its errata. */
#include "experiments/kinon_eugster_betsch/common.h"

const wy_experiment wy_kinon_eugster_betsch = {
    .name = "kinon-eugster-betsch",
    .title = "Mixed finite elements: energy and momentum, viscoelasticity, statics, soft robots",
    .source = "P. L. Kinon, S. R. Eugster, P. Betsch: Cosserat rod dynamics in a mixed port-Hamiltonian framework "
              "(running title); "
              "director-based mixed finite elements",
    .remark =
        {"The paper has figures and few numbers; its tables are parameters, which are used as printed. Beside what the "
         "text says stand the values of an independent program (same mesh, same step: \"specified\"), closed forms "
         "and invariants.",
         "Three misprints matter: the end moment of the midpoint rule misses angular momentum (as printed and "
         "corrected are both run), the dissipated energy has the wrong sign in the balance of section 6.2, and the "
         "chambers of section 6.4 are at 6.5e-3, not 6.5e-2."},
    .part = {{"spaghetti", "Section 6.1, flying spaghetti: Figures 4 to 8", "flying-spaghetti", wy_keb_spaghetti},
             {"cantilever", "Section 6.2, knocked cantilever: Figures 9 to 13", "aluminium-cantilever",
              wy_keb_cantilever},
             {"bent", "Section 6.3, bent cantilever: Figure 14", "bent-cantilever", wy_keb_bent},
             {"arm", "Section 6.4, soft arm: Figures 15 and 16", "soft-arm-circle", wy_keb_arm}},
    .omitted = {
        {"Figures 1, 2 and 3", "drawings of the rod, of the rheological model and of a tendon, without results."},
        {"Tables 1 to 4", "parameters: they are what the examples are run with."},
        {"Reference curves in Figures 9, 10 and 14",
         "solutions of other papers, not printed as numbers. An independent program, the elastica and an "
         "integration to round-off stand in their place."},
        {"Time steps of other authors (0.01, 0.02, 4e-5)", "limits of other programs."}}};
