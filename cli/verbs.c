/* SPDX-License-Identifier: MIT */
/* The verbs of the command, in the order of its help. */
#include "cli/cli.h"

const wy_verb wy_whole_command = {
    .name = "withy",
    .summary = "dynamics and statics of slender rods",
    .text = "withy computes dynamics, statics, vibrations and buckling of slender rods. A scenario (a YAML file) "
            "describes the rods, their supports, loads and actuators.\n",
    .exits = {"done", "the run failed, was interrupted, or its result is wrong; the results so far are on disk",
              "the input is wrong; nothing was computed"},
};

const wy_verb *const wy_verbs[] = {&wy_verb_run,
                                   &wy_verb_sweep,
                                   &wy_verb_check,
                                   &wy_verb_list,
                                   &wy_verb_show,
                                   &wy_verb_keys,
                                   &wy_verb_methods,
                                   &wy_verb_plot,
                                   &wy_verb_view,
                                   &wy_verb_export,
                                   &wy_verb_compare,
                                   &wy_verb_converge,
                                   &wy_verb_reproduce,
                                   &wy_verb_bench,
                                   &wy_verb_completion,
                                   &wy_verb_man,
                                   NULL};
