// SPDX-License-Identifier: MIT
// How finely rods are drawn, by how many points they have and what draws them.

import { spread } from './extent.js';

const SIDES = [6, 24];
const PIECES = 160; // of a rod, so that it looks smooth
const FINEST = 8; // pieces of a segment

// Triangles that are drawn without a delay, and the most that are drawn at all; a software renderer draws
// about a million in a second.
const HARDWARE = { easy: 400000, most: 4000000 };
const SOFTWARE = { easy: 40000, most: 120000 };

// sides of a tube; refine: pieces of which a segment is drawn; skip: 1, or every skip-th point is drawn.
export function detailFor(points, rods, software) {
  const { easy, most } = software ? SOFTWARE : HARDWARE;
  const sides = Math.min(Math.max(4 * Math.round(easy / (4 * points)), SIDES[0]), SIDES[1]);
  const triangles = 2 * sides * points;
  const wanted = Math.ceil((PIECES * rods) / points);
  return {
    sides,
    refine: Math.max(Math.min(wanted, Math.floor(easy / triangles), FINEST), 1),
    skip: Math.max(Math.ceil(triangles / most), 1),
  };
}

// The places along a rod, in numbers of its points, at which it is drawn.
export function placesAlong(points, { refine, skip }) {
  if (skip > 1) return spread(points, Math.ceil(points / skip));
  return Array.from({ length: (points - 1) * refine + 1 }, (_, k) => k / refine);
}
