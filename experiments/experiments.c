/* SPDX-License-Identifier: MIT */
/* The papers, in the order of the report. */
#include "experiments/experiments.h"

const wy_experiment *const wy_experiments[WY_EXPERIMENTS] = {&wy_lang_linn_arnold, &wy_lang_arnold,
                                                             &wy_kinon_eugster_betsch, &wy_fuetterer_klar_wegener,
                                                             &wy_sobottka_lay_weber};
