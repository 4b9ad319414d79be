// SPDX-License-Identifier: MIT
// The page of a run: reads what `withy view` put into it, and joins scene, clock, charts and controls.
import 'uplot/dist/uPlot.min.css';
import './style.css';
import { loadRun } from './run.js';
import { createScene } from './scene/scene.js';
import { createCharts } from './ui/charts.js';
import { Clock } from './ui/clock.js';
import { addTitles, byId } from './ui/dom.js';
import { createHover } from './ui/hover.js';
import { createInfo } from './ui/info.js';
import { createKeyboard } from './ui/keyboard.js';
import { createLayout } from './ui/layout.js';
import { createModes, swingTimes } from './ui/modes.js';
import { createOptions } from './ui/options.js';
import { createQuantity } from './ui/quantity.js';
import { createTheme } from './ui/theme.js';
import { createTransport } from './ui/transport.js';

const errors = [];

function complain(text) {
  errors.push(text);
  byId('message').textContent = text;
  byId('message').hidden = false;
}

// The run, or what can be told of one whose arrays are damaged.
async function readRun() {
  const header = byId('withy-scene')?.textContent;
  if (!header) {
    complain('There is no run in this page. "withy view DIR" writes one.');
    return null;
  }
  try {
    return await loadRun(header, byId('withy-data')?.textContent ?? '');
  } catch (error) {
    complain(error.message);
  }
  try {
    return { ...JSON.parse(header), time: [0], rods: [], strands: [], bodies: [], joints: [], springs: [], obstacles: [], modes: [], charts: [], damaged: true };
  } catch {
    return null;
  }
}

function makeScene(run, theme) {
  if (run.damaged) {
    return null;
  }
  try {
    return createScene(byId('canvas'), run, { theme: theme.name });
  } catch (error) {
    complain(error.message);
    return null;
  }
}

const TURN = 0.1; // radians that a key turns the picture
const ZOOM = 1.1;

function keys({ scene, clock, transport, quantity, options, layout, theme, info, modes }) {
  const far = (event) => (event.shiftKey ? 10 : 1);
  const moving = [
    [[[' ', 'space']], () => clock.toggle(), 'play or pause'],
    [[['ArrowLeft', '\u2190'], ['ArrowRight', '\u2192']],
      (event) => clock.step((event.key === 'ArrowLeft' ? -1 : 1) * far(event)),
      'one frame back, forward; with shift ten'],
    [[['Home', 'home'], ['End', 'end']],
      (event) => clock.seek(event.key === 'Home' ? clock.start : clock.end), 'first, last frame'],
    [[['ArrowDown', '\u2193'], ['ArrowUp', '\u2191'], ['-', '-'], ['+', '+']],
      (event) => transport.faster(['ArrowUp', '+'].includes(event.key) ? 1 : -1), 'slower, faster'],
    [[['l', 'l']], () => clock.setLoop(!clock.loop), 'repeat'],
  ];
  const swinging = [
    [[[' ', 'space']], () => clock.toggle(), 'swing or stop'],
    [[['ArrowLeft', '\u2190'], ['ArrowRight', '\u2192']],
      (event) => modes.next(event.key === 'ArrowLeft' ? -1 : 1), 'previous, next mode'],
  ];
  const turn = { a: [-TURN, 0], d: [TURN, 0], w: [0, TURN], s: [0, -TURN] };
  const drawing = [
    [[...'adws'].map((key) => [key, key]), (event) => scene.turn(...turn[event.key.toLowerCase()]),
      'look from farther left, right, above, below'],
    [[['z', 'z'], ['x', 'x']], (event) => scene.zoom(event.key.toLowerCase() === 'z' ? 1 / ZOOM : ZOOM),
      'nearer, farther'],
    [[['f', 'f']], () => options.fit(), 'fit the run into the picture'],
    [['0', '1', '2', '3', '4', '5'].map((key) => [key, key]), (event) => quantity.choose(Number(event.key)),
      'colour: plain, or the quantities in the order of the menu'],
    [[['v', 'v']], () => options.toggleFollow(), 'follow the rods, or the body that is chosen'],
    [[['g', 'g']], () => options.toggle('grid'), 'ground'],
    [[['r', 'r']], () => options.toggle('rest'), 'undeformed rod'],
    [[['o', 'o']], () => options.toggleOpen(), 'options'],
  ];
  return [
    ...(modes ? swinging : clock.frames > 1 ? moving : []),
    ...(options ? drawing : []),
    [[['c', 'c']], () => layout.toggleCharts(), 'charts'],
    [[['i', 'i']], () => info.toggle(), 'about the run'],
    [[['t', 't']], () => theme.toggle(), 'dark or light'],
  ];
}

// Draws when something changed, and goes on while the clock runs.
function createLoop(clock, draw) {
  let requested = false;
  let last = 0;

  function turn(now) {
    requested = false;
    if (clock.playing) {
      // A slow browser may tell an earlier time.
      clock.advance(Math.min(0.25, Math.max(0, now - last) / 1000));
      request();
    }
    last = now;
    draw();
  }
  function request() {
    if (!requested) {
      requested = true;
      requestAnimationFrame(turn);
    }
  }
  return () => {
    if (!requested) {
      last = performance.now();
    }
    request();
  };
}

// Everything that needs a picture in 3D.
function sceneControls(scene, run, theme, redraw) {
  const quantity = createQuantity(scene, run, redraw);
  const options = createOptions(scene, run, redraw);
  createHover(byId('canvas'), scene, run, quantity);
  scene.onChange(redraw);
  theme.onChange((name) => { scene.setTheme(name); redraw(); });
  new ResizeObserver(() => { scene.resize(); redraw(); }).observe(byId('scene'));
  const modes = run.modes.length > 0 ? createModes(run, scene, redraw) : null;
  return { quantity, options, modes };
}

function fullScreen() {
  const button = byId('screen');
  button.hidden = !document.fullscreenEnabled;
  button.addEventListener('click', () => (
    document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()));
}

// What scripts and the browser's console can use; docs/guide/view.md describes it.
function publish(run, clock, scene, quantity, draw) {
  Object.defineProperties(window.withy, {
    time: { get: () => clock.time },
    frame: { get: () => clock.frame },
    playing: { get: () => clock.playing },
  });
  Object.assign(window.withy, {
    run,
    play: () => clock.play(),
    pause: () => clock.pause(),
    seek: (time) => clock.seek(time),
    step: (n = 1) => clock.step(n),
    point(rod, index) {
      draw(); // the time may just have changed
      return run.rods[rod] && scene?.point(rod, index);
    },
    setQuantity: (name) => quantity?.set(name),
  });
}

async function start() {
  const theme = createTheme();
  const run = await readRun();
  if (!run) {
    return;
  }
  const info = createInfo(run);
  const swings = run.modes.length > 0;
  const clock = new Clock(swings ? swingTimes() : run.time);
  const layout = createLayout(run.charts.length > 0);
  const charts = createCharts(run, clock, theme);
  const transport = clock.frames > 1 ? createTransport(clock, { analysis: run.analysis, swings }) : null;
  const scene = makeScene(run, theme); // last, when the room that is left for it is known
  let modes = null;

  function draw() {
    if (modes) {
      modes.show(clock.time);
    } else {
      scene?.show(clock.frame);
    }
    scene?.render();
    charts.update();
  }
  const redraw = createLoop(clock, draw);
  const controls = scene ? sceneControls(scene, run, theme, redraw) : {};
  modes = controls.modes ?? null;
  clock.onChange(redraw);
  createKeyboard(keys({ scene, clock, transport, layout, theme, info, ...controls }));
  fullScreen();
  addTitles();
  publish(run, clock, scene, controls.quantity, draw);
  draw();
  if (transport && !window.matchMedia('(prefers-reduced-motion: reduce)').matches) {
    clock.play();
  }
}

window.withy = { errors };
window.addEventListener('error', (event) => errors.push(event.message));
window.addEventListener('unhandledrejection', (event) => errors.push(String(event.reason)));
window.withy.ready = start().catch((error) => complain(`The page could not be shown: ${error.message}`));
