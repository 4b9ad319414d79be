// SPDX-License-Identifier: MIT
// What is drawn and from where one looks: the panel of options and the buttons of the picture.
import { byId, element } from './dom.js';
import { short } from './format.js';

// Parts of the scene: name, label, shown at first (null: where rods travel far), and whether the run has it.
const PARTS = [
  ['grid', 'Ground', true, () => true],
  ['axes', 'Axes', true, () => true],
  ['gravity', 'Gravity', true, (run) => run.gravity.some((g) => g !== 0)],
  ['supports', 'Supports', true, (run, scene) => scene.supports.some],
  ['bodies', 'Bodies', true, (run) => run.bodies.length > 0],
  ['joints', 'Joints', true, (run) => run.joints.some((joint) => joint.kind !== 'weld')],
  ['springs', 'Springs', true, (run) => run.springs.length > 0],
  ['forces', 'Forces of joints', false, (run) => run.joints.some((joint) => joint.force)],
  ['obstacles', 'Obstacles', true, (run) => run.obstacles.length > 0],
  ['pushes', 'Forces of obstacles', false, (run, scene) => scene.obstacles.arrows !== null],
  ['stripe', 'Stripe along the rod', true, (run) => run.rods.length > 0],
  ['actuators', 'Actuators', true, (run) => run.rods.some((rod) => rod.actuators.length > 0)],
  ['strands', 'Strands', true, (run) => run.strands.length > 0],
  ['tips', 'Tips of all rods', false, (run) => run.strands.some(({ batch }) => batch?.tips)],
  ['guides', 'Guide strands', true, (run) => run.strands.some(({ batch }) => !batch) && run.rods.length > 0],
  ['traces', 'Earlier shapes', null, (run) => run.frames > 1],
  ['rest', 'Undeformed', false, (run) => run.rods.some((rod) => rod.rest)],
];
const VIEWS = ['iso', 'front', 'side', 'top'];

function checkBox(label, on, apply) {
  const input = element('input', { type: 'checkbox' });
  input.checked = on;
  input.addEventListener('change', () => apply(input.checked));
  return { input, row: element('label', { class: 'check' }, input, label) };
}

// One box for each part that the run has, by name.
function partBoxes(scene, run, changed) {
  const boxes = new Map();
  for (const [part, label, first, present] of PARTS) {
    if (present(run, scene)) {
      const on = first ?? scene.wanders;
      const text = part === 'grid' ? `${label}, squares of ${short(scene.pitch)}` : label;
      boxes.set(part, checkBox(text, on, (shown) => { scene.setVisible(part, shown); changed(); }));
      scene.setVisible(part, on);
    }
  }
  return boxes;
}

// Thickness by factors of two, from a quarter to sixteen times.
function thickness(scene, changed) {
  const factor = element('output', {}, '1\u00d7');
  const range = { min: -2, max: 4, step: 0.25, value: 0 };
  const slider = element('input', { type: 'range', 'aria-label': 'Thickness', ...range });
  slider.addEventListener('input', () => {
    const scale = 2 ** Number(slider.value);
    factor.textContent = `${short(scale, 2)}\u00d7`;
    scene.setRadiusScale(scale);
    changed();
  });
  return [element('h2', {}, 'Thickness ', factor), slider];
}

// What is followed: the rods, or one of the bodies.
function followMenu(scene, run, follow) {
  if (run.bodies.length === 0) return [];
  const options = [['', run.rods.length > 0 ? 'all rods' : 'all bodies'], ...run.bodies.map(({ name }, i) => [i, name])];
  const menu = element('select', { 'aria-label': 'What is followed' },
    ...options.map(([value, text]) => element('option', { value }, text)));
  menu.addEventListener('change', () => {
    scene.chooseFollowed(menu.value === '' ? null : Number(menu.value));
    if (follow.input.checked) scene.follow(true);
    else follow.input.click();
  });
  return [menu];
}

function savePicture(scene, name) {
  scene.render();
  byId('canvas').toBlob((blob) => {
    const link = element('a', { href: URL.createObjectURL(blob), download: `${name}.png` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
}

export function createOptions(scene, run, changed) {
  const panel = byId('options');
  const opener = byId('options-open');
  const boxes = partBoxes(scene, run, changed);
  const follow = checkBox(run.bodies.length > 0 ? 'Follow' : 'Follow the rods', scene.wanders, (on) => { scene.follow(on); changed(); });
  const views = VIEWS.map((view) => element('button', {
    class: 'text',
    onclick: () => { scene.look(view); changed(); },
  }, view[0].toUpperCase() + view.slice(1)));

  function fit() {
    scene.fit();
    changed();
  }
  function setOpen(on) {
    panel.hidden = !on;
    opener.setAttribute('aria-expanded', String(on));
  }

  panel.append(
    element('h2', {}, 'View'), element('div', { class: 'row' }, ...views), follow.row,
    ...followMenu(scene, run, follow),
    element('h2', {}, 'Show'), ...Array.from(boxes.values(), (box) => box.row),
    ...thickness(scene, changed),
  );
  scene.follow(scene.wanders);
  byId('tools').hidden = false;
  byId('fit').addEventListener('click', fit);
  byId('picture').addEventListener('click', () => savePicture(scene, run.name));
  opener.addEventListener('click', () => setOpen(panel.hidden));
  document.addEventListener('pointerdown', (event) => {
    if (!panel.contains(event.target) && !opener.contains(event.target)) {
      setOpen(false);
    }
  });
  document.addEventListener('keydown', (event) => event.key === 'Escape' && setOpen(false));
  return {
    fit,
    toggle: (part) => boxes.get(part)?.input.click(),
    toggleFollow: () => follow.input.click(),
    toggleOpen: () => setOpen(panel.hidden),
  };
}
