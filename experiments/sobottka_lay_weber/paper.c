/* SPDX-License-Identifier: MIT */
/* Sobottka, Lay, Weber: Stable integration of the dynamic Cosserat equations with application to hair modeling. The
   slides show pictures and few numbers; beside these stand closed forms, solutions by shooting and an independent
   program. docs/theory/box.md lists what is wrong in the slides. */
#include "experiments/sobottka_lay_weber/common.h"

const wy_experiment wy_sobottka_lay_weber = {
    .name = "sobottka-lay-weber",
    .title = "The box scheme: coefficients, cantilever, circle, buckling, coil spring, hair",
    .source =
        "G. Sobottka, T. Lay, A. Weber: Stable integration of the dynamic Cosserat equations with application to hair "
        "modeling. Journal of WSCG 16 (2008) 73-80, and its slides",
    .remark =
        {"The slides are pictures: sizes, stiffness and damping of their rods are not printed. The pictures are remade "
         "with rods of our own choice, and what they must show is compared with closed forms, shooting and an "
         "independent program. The numbers that are printed are coefficients, 14 iterations and 135 ms.",
         "Both printed sets of coefficients break the printed condition of second order, and have order 1; the set "
         "0.3, "
         "0, 0.7 is backward Euler. withy's cells carry vectors into the frame of their middle (\"transported\"); the "
         "cells of the slides (\"plain\") are there, too."},
    .part = {{"sets", "Coefficients and order in time", NULL, wy_slw_sets},
             {"falling", "Falling cantilever: two schemes, order in space, long runs", NULL, wy_slw_falling},
             {"resting", "Rods under gravity and under an end torque: first figure (1, 3)", "rolled-up",
              wy_slw_resting},
             {"buckling", "Buckling: third figure", "buckling-strut", wy_slw_buckling},
             {"spring", "Helical rod and coil spring: first figure (2) and second figure", "coil-spring",
              wy_slw_spring},
             {"hair", "Hair tress: fourth and fifth figure", "hair-tress", wy_slw_hair}},
    .omitted = {
        {"Rendering of the hair tress",
         "photographs of rendered strands; 12 of the 180 strands are drawn as lines. `withy view` shows all of "
         "hair-tress in 3D."},
        {"Spectral radius of the amplification matrix",
         "stated for Dahlquist's equation, without numbers; the slides add that it does not apply to the rod. The "
         "long runs of the falling cantilever stand in its place."},
        {"Band width 17+1+17, 12 unknowns a node",
         "the structure of the authors' matrix; withy's is block bidiagonal."}}};
