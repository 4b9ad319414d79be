// SPDX-License-Identifier: MIT
// What is under the pointer: the name of the rod, the arc length, and the value by which it is coloured; the number of
// a rod in its batch; or the name of a body, or of an obstacle with its force.
import { byId } from './dom.js';
import { short } from './format.js';

const PAUSE = 60; // milliseconds between two looks

export function createHover(canvas, scene, run, quantity) {
  const tip = byId('tip');
  let waiting = null;
  let last = null;

  function hide() {
    tip.hidden = true;
    clearTimeout(waiting);
    waiting = null;
  }

  function describe(hit) {
    if (hit.body !== undefined) return run.bodies[hit.body].name;
    if (hit.obstacle !== undefined) return `${run.obstacles[hit.obstacle].name}, force = ${short(hit.force)}`;
    if (hit.strand !== undefined) return withValue([`${hit.strand} ${hit.number}`], hit.value);
    const name = typeof hit.rod === 'number' ? run.rods[hit.rod]?.name : hit.rod;
    return withValue([name, `s = ${short(hit.s)}`], hit.value);
  }

  function withValue(parts, value) {
    return [...parts, ...(quantity.name && Number.isFinite(value) ? [`${quantity.name} = ${short(value)}`] : [])].join(', ');
  }

  function look() {
    waiting = null;
    const box = canvas.getBoundingClientRect();
    const [x, y] = [last.clientX - box.left, last.clientY - box.top];
    const hit = scene.pick(x, y);
    tip.hidden = !hit;
    if (hit) {
      tip.textContent = describe(hit);
      tip.style.left = `${Math.max(4, Math.min(x + 14, box.width - tip.offsetWidth - 4))}px`;
      tip.style.top = `${y > 48 ? y - 14 - tip.offsetHeight : y + 18}px`;
    }
  }

  canvas.addEventListener('pointermove', (event) => {
    if (event.buttons !== 0) {
      hide();
      return;
    }
    last = event;
    waiting ??= setTimeout(look, PAUSE);
  });
  canvas.addEventListener('click', (event) => { // a tap
    last = event;
    look();
  });
  canvas.addEventListener('pointerleave', (event) => event.pointerType === 'mouse' && hide());
}
