// SPDX-License-Identifier: MIT
// Shapes of vibration and buckling: which one swings, and how far.
import { byId, element } from './dom.js';

const PERIOD = 2; // seconds

export function swingTimes() {
  return [0, PERIOD];
}

export function createModes(run, scene, changed) {
  const menu = byId('mode');
  const amplitude = byId('amplitude');
  let phase = Math.PI / 2;

  function apply() {
    scene.setMode(Number(menu.value), Number(amplitude.value), phase);
  }

  const several = run.modes.some((mode) => mode.shapes.length < run.rods.length + run.bodies.length);
  const nameOf = ({ rod, body }) => (body === undefined ? run.rods[rod] : run.bodies[body]).name;
  const names = ({ shapes }) => nameOf(shapes[0]) + (shapes.length > 1 ? ', \u2026' : '');
  menu.append(...run.modes.map((mode, index) => element('option', { value: index },
    `${several ? `${names(mode)}, ` : ''}${mode.number}: ${mode.label}`)));
  menu.addEventListener('change', () => { apply(); changed(); });
  amplitude.addEventListener('input', () => { apply(); changed(); });
  return {
    // Starts at the largest amplitude, so that a still picture shows the shape.
    show(time) {
      phase = Math.PI / 2 + 2 * Math.PI * time / PERIOD;
      apply();
    },
    next(direction) {
      const count = run.modes.length;
      menu.value = String((Number(menu.value) + direction + count) % count);
      apply();
      changed();
    },
  };
}
