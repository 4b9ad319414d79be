// SPDX-License-Identifier: MIT
// By what the rods are coloured: the menu, and the scale of colours with its numbers, or the rods' names.
import { SERIES, colourOf, isSigned, stops } from '../scene/colours.js';
import { byId, element } from './dom.js';
import { short, tick, ticks } from './format.js';

// Ends of the scale and round numbers between them, as far as they have room.
function labels(low, high) {
  if (!(high > low)) {
    return [[0.5, short(low)]];
  }
  const { step, at } = ticks(low, high, 3);
  const place = (x) => (x - low) / (high - low);
  const inner = at.filter((x) => place(x) > 0.3 && place(x) < 0.7).map((x) => [place(x), tick(x, step)]);
  const unit = 10 ** (Math.floor(Math.log10(high - low)) - 2); // finer than that is of no use at the ends
  const end = (x) => short(Math.round(x / unit) * unit);
  return [[0, end(low)], ...inner, [1, end(high)]];
}

// What people see first: how the rods bend or twist, where that says something and hides nothing.
function usual(scene, run, named) {
  const longest = Math.max(0, ...run.rods.map((rod) => rod.length));
  const actuated = run.rods.some((rod) => rod.actuators.length > 0);
  const [bent, twisted] = ['curvature', 'torsion'].map((name) => scene.range(name).max * longest);
  if (named || run.modes.length > 0 || run.strands.length > 0 || actuated || Math.max(bent, twisted) < 1e-6) {
    return null;
  }
  return twisted > 3 * bent ? 'torsion' : 'curvature';
}

// The names of the rods in their colours, as long as each has its own.
function rodNames(scene, run) {
  return run.rods.map((rod, r) => (
    element('li', {}, element('i', { style: `background: ${scene.rodColour(r)}` }), rod.name)));
}

// The scale, or the one colour of a value that is the same everywhere.
function barColours(name, { min, max }) {
  return max > min ? `linear-gradient(to right, ${stops(name).join(', ')})`
    : colourOf(name, isSigned(name) ? 0.5 : 0);
}

export function createQuantity(scene, run, changed) {
  const menu = byId('quantity');
  const names = scene.quantities();
  const named = run.rods.length > 1 && run.rods.length <= SERIES.length && run.strands.length === 0;
  let current = null;

  function set(name) {
    current = names.includes(name) ? name : null;
    scene.setQuantity(current);
    menu.value = current ?? '';
    byId('legend').hidden = current === null;
    byId('rods').hidden = current !== null || !named;
    if (current !== null) {
      const range = scene.range(current);
      const { min: low, max: high } = range;
      byId('legend-bar').style.background = barColours(current, range);
      byId('legend-bar').setAttribute('aria-label', `${current} from ${short(low)} to ${short(high)}`);
      byId('legend-ticks').replaceChildren(...labels(low, high).map(([place, text]) => {
        const side = { 0: 'low', 1: 'high' }[place] ?? '';
        return element('span', { style: `left: ${100 * place}%`, class: side }, text);
      }));
    }
    changed();
  }

  menu.append(element('option', { value: '' }, 'plain'));
  menu.append(...names.map((name) => element('option', { value: name }, name)));
  menu.addEventListener('change', () => set(menu.value || null));
  byId('colour').hidden = names.length === 0 && !named;
  if (named) {
    byId('rods').append(...rodNames(scene, run));
  }
  set(usual(scene, run, named));
  return {
    set,
    get name() {
      return current;
    },
    choose: (index) => set(index === 0 ? null : names[index - 1] ?? current),
  };
}
