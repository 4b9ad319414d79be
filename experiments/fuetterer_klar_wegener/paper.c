/* SPDX-License-Identifier: MIT */
/* Fütterer, Klar, Wegener: An energy conserving numerical scheme for the dynamics of hyperelastic rods. The examples of
   section 5 with their figures, and what an independent program and closed forms say of them; a material beyond the
   linear law, which the paper leaves open. docs/theory/conserving.md lists the errata of the paper. */
#include "experiments/fuetterer_klar_wegener/common.h"

const wy_experiment wy_fuetterer_klar_wegener = {
    .name = "fuetterer-klar-wegener",
    .title = "Energy-conserving differences: torsion, bending, a twisted falling rod, materials",
    .source = "T. Fütterer, A. Klar, R. Wegener: An energy conserving numerical scheme for the dynamics of "
              "hyperelastic rods. "
              "International Journal of Differential Equations 2012",
    .remark =
        {"All examples are without dimensions; CFL number 1 and the midpoint rule, as published, where nothing else is "
         "said. EI = delta^2/16 is used: the printed pi/16 delta^2 contradicts the printed frequencies.",
         "The paper judges by energy and frequencies. Both are right here, too, and yet an even number of segments "
         "leaves a sawtooth in the shape, and coarse grids lose the falling rod while its energy stays constant: these "
         "rows and charts are additions."},
    .part = {{"torsion", "Example 5.1, torsional oscillation: Figure 2", "torsional-wave", wy_fkw_torsion},
             {"transversal", "Example 5.2, transversal oscillation: Figure 3", "transversal-oscillation",
              wy_fkw_transversal},
             {"falling", "Example 5.3, twisted falling rod: Figure 4", "twisted-falling-rod", wy_fkw_falling},
             {"material", "Materials beyond the linear law, and order in time", NULL, wy_fkw_material},
             {"orders", "Order in space", NULL, wy_fkw_orders}},
    .omitted = {{"Figure 1", "a drawing of the initial situation; it is the curve of t = 0 in Figure 4."}}};
