/* SPDX-License-Identifier: MIT */
/* The scenes of the papers, each defined once: where a built-in scenario shows it, its file is the definition. What
   experiments, tests and benchmarks vary are the grid (segments, elements, cells), the method, and what their own
   comments say. */
#ifndef WY_SCENES_PUBLISHED_H
#define WY_SCENES_PUBLISHED_H

#include "scenes/case.h"

/* ---- Lang, Linn, Arnold: docs/theory/staggered.md, "Constants of the published examples" ---- */

/* rubber-pendulum, steel-string: the performance examples. */
wy_case wy_scene_rubber(int segments);
wy_case wy_scene_steel(int segments);
/* Their rods alone, which point to nothing that has to be kept. */
wy_rod_def wy_scene_rubber_rod(int segments);
wy_rod_def wy_scene_steel_rod(int segments);
/* rubber-pendulum-undamped: test 1. */
wy_case wy_scene_undamped(int segments);
/* cable-push: test 2, clamped at both ends, which are pushed together and turned; equilibria. */
wy_case wy_scene_pushed(int segments);

/* ---- Lang, Arnold ---- */

/* The undamped rubber rod with the constants of that paper's text, which has a shear modulus and factor of its own. */
wy_case wy_scene_pendulum(wy_rod_kind kind, int segments);

/* ---- Kinon, Eugster, Betsch, section 6 ---- */

/* 6.1, flying-spaghetti: a free rod, kicked by a force and a moment at its end until t = 5. */
wy_case wy_scene_spaghetti(int elements);
/* 6.2, aluminium-cantilever and aluminium-cantilever-viscoelastic: clamped, a pulse at the tip. */
wy_case wy_scene_aluminium(int elements, bool maxwell);
/* 6.3, bent-cantilever: force and moment at the tip grow with t; the rod that only bends, or the one that shears. */
wy_case wy_scene_bent(int elements, bool constrained);
/* 6.4, soft-arm-circle and soft-arm-heart; at rest without its chambers. */
typedef enum wy_manoeuvre { WY_ARM_CIRCLE, WY_ARM_HEART, WY_ARM_AT_REST } wy_manoeuvre;
wy_case wy_scene_arm(int elements, wy_manoeuvre path);

/* ---- Fuetterer, Klar, Wegener, section 5: docs/theory/conserving.md ---- */

/* Figure 1, without dimensions: a straight cylinder of slenderness delta along x, clamped, under the gravity number
   gamma along -y. EA = mass = 1, EI = delta^2/16 (printed: pi/16 delta^2). Example 5.2, transversal-oscillation. */
wy_case wy_scene_cylinder(int segments, double delta, double gamma);
/* 5.1, torsional-wave, and 5.3, twisted-falling-rod: the same rod, twisted at the start. */
wy_case wy_scene_torsion(int segments);
wy_case wy_scene_twisted(int segments);

/* ---- Sobottka, Lay, Weber: docs/theory/box.md. The slides do not print sizes; those of the rods are our choice ----
 */

/* A cantilever of length 1 and mass 1 along x without shear and extension, EI = GJ = 0.02; its weight acts along -y. No
   scenario shows it. */
wy_case wy_scene_cantilever(int cells);
/* buckling-strut: a dead force of t times Euler's critical one. */
wy_case wy_scene_strut(int cells);
/* coil-spring: five turns about z, length 1, clamped, pulled by 0.02 until t = 0.1; drag 0.2. */
wy_case wy_scene_coil(int cells);
/* The height of its end without load. */
double wy_scene_coil_height(const wy_case *c);
/* hair-tress: its guide, drawn out until t = 0.05. */
wy_case wy_scene_tress(int cells);

#endif
