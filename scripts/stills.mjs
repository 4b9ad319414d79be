// SPDX-License-Identifier: MIT
// Pictures of the gallery: a frame of the 3D page of scenarios that are worth it, light and dark, as
// docs/figures/NAME.webp and NAME-dark.webp. Needs what the tests of web/ need.
//   WITHY=build/withy node scripts/stills.mjs docs/figures [NAME...]
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBrowser, openPage } from '../web/tools/browser.mjs';
import { folder, makePage } from '../web/tools/runs.mjs';

const SIZE = { width: 640, height: 400 };
const TOP = 76; // what the page leaves free at the top, for its legend: cut off
const VIEWPORT = { width: SIZE.width, height: SIZE.height + TOP };
const QUALITY = 0.86;
const PAPER = { light: '#ffffff', dark: '#14171a' }; // of the documentation

// Of each scenario the time to show, and where wanted: settings, colour, thickness (a power of two), the
// earlier shapes, a point of view, how much closer to go (turns of the wheel).
const STILLS = {
  'flying-spaghetti': { set: ['time.end=7'], time: 6.2, colour: 'curvature', thickness: 1, earlier: true },
  'rubber-pendulum': {
    set: ['time.end=0.9', 'time.frames=0.02'], time: 0.62, colour: 'curvature', thickness: 1, earlier: true,
  },
  'rubber-pendulum-undamped': {
    set: ['time.end=1.8', 'time.frames=0.02'], time: 1.6, colour: 'speed', thickness: 1, earlier: true,
  },
  'hanging-hose': { set: ['time.end=1.2', 'time.frames=0.02'], time: 0.9, earlier: true },
  'hanging-cable': { set: ['time.end=1.2', 'time.frames=0.02'], time: 0.45, earlier: true },
  'hose-path': { time: 3.1, colour: 'curvature', earlier: true },
  'twisted-falling-rod': { set: ['time.end=80'], time: 80, colour: 'torsion', thickness: 1, earlier: true },
  'cantilever-release': { set: ['time.end=0.8'], time: 0.6, earlier: true },
  'steel-string': { set: ['time.end=1', 'time.frames=0.02'], time: 0.3, thickness: 2, earlier: true },
  'five-integrators': { set: ['time.end=0.9'], time: 0.7, colour: 'plain', thickness: 1, earlier: true },
  'hair-tress': { time: 0.14 },
  'coil-spring': { set: ['time.end=0.4', 'time.frames=0.01'], time: 0.1, thickness: 0.5 },
  'helix-spring': { set: ['rods.spring.segments=200'], time: 1, colour: 'plain' },
  'soft-arm-circle': { time: 2.6, colour: 'plain', earlier: true },
  'soft-arm-heart': { time: 2, colour: 'moment', earlier: true },
  'tendon-finger': { time: 1, colour: 'curvature', earlier: true },
  elastica: { time: 10, colour: 'moment', thickness: 1, earlier: true },
  'rolled-up': { set: ['time.end=5'], time: 5, thickness: 1, earlier: true },
  'bent-cantilever': { time: 1, colour: 'moment', earlier: true },
  'cable-push': {
    set: ['rods.cable.segments=40'], time: 1, colour: 'curvature', thickness: 1, earlier: true,
  },
  'buckling-strut': { time: 2, colour: 'moment', thickness: 1, earlier: true },
  'line-in-wind': { set: ['time.end=4', 'time.frames=0.1'], time: 4, colour: 'speed', thickness: 1, earlier: true },
  riser: { time: 0, colour: 'moment', thickness: 3 },
  'ring-twisted': { set: ['time.frames=0.02'], time: 0.66, colour: 'moment', earlier: true },
  'right-angle-frame': { time: 1.6, colour: 'moment', earlier: true },
  net: { time: 2, colour: 'force', thickness: 1 },
  gridshell: { time: 1, colour: 'moment' },
  'lee-frame': { time: 32, colour: 'moment', earlier: true },
  gripper: { time: 1, colour: 'plain', earlier: true },
  'double-pendulum': { set: ['time.end=1.2'], time: 0.55, earlier: true },
  'slider-crank': { set: ['time.end=1.2'], time: 1.09, colour: 'curvature', thickness: 0.5 },
  mobile: { set: ['time.end=2.5'], time: 2.2, colour: 'plain', thickness: 0.5 },
  'wind-chime': { set: ['time.end=1.5'], time: 1, colour: 'plain' },
  'rod-on-floor': { set: ['time.end=0.8'], time: 0.6, earlier: true },
  'bouncing-rod': { set: ['time.end=0.3'], time: 0.28, earlier: true },
  'rope-over-peg': { set: ['time.end=0.6'], time: 0.45, colour: 'plain', earlier: true },
  'drum-winding': { time: 2.2, colour: 'contact' },
  capstan: { time: 1, colour: 'force' },
  'hose-in-tube': { time: 3, colour: 'curvature' },
  'hair-on-head': { time: 1.2, colour: 'plain' },
  conveyor: { set: ['time.end=1.6'], time: 1.5, earlier: true },
  catheter: { time: 2.2, colour: 'moment' },
  'hair-head': { set: ['batches.hair.count=4000', 'batches.hair.record.every=4'], time: 1.1, colour: 'plain' },
  'grass-in-wind': { set: ['time.end=0.6', 'batches.lawn.record.every=5'], time: 0.5, colour: 'plain' },
  brush: { set: ['batches.bristles.record.every=2'], time: 0.75, colour: 'plain' },
  ensemble: { set: ['time.end=0.6', 'batches.samples.record.every=16'], time: 0.5, colour: 'plain' },
  template: { time: 1, earlier: true },
};

// Nothing but the scene is left of the page.
const BARE = `
  header, footer, #banner, #charts, #splitter, #scene > :not(canvas) { display: none !important; }
  html, body, main, #scene, #canvas { position: fixed !important; inset: 0 !important;
    width: 100vw !important; height: 100vh !important; margin: 0 !important; border: 0 !important; }`;

// Sets a box of the options by its label, and the thickness; runs in the page.
function arrange({ time, colour, thickness, earlier, view }) {
  const boxes = [...document.querySelectorAll('#options label.check')];
  const set = (label, on) => {
    const input = boxes.find((box) => box.textContent.includes(label))?.querySelector('input');
    if (input && input.checked !== on) input.click();
  };
  set('Earlier shapes', Boolean(earlier));
  set('Gravity', false);
  set('Axes', false);
  set('Follow', false);
  if (thickness !== undefined) {
    const slider = document.querySelector('#options input[type=range]');
    slider.value = thickness;
    slider.dispatchEvent(new Event('input'));
  }
  if (view) {
    [...document.querySelectorAll('#options button')].find((button) => button.textContent === view)?.click();
  }
  if (colour) window.withy.setQuantity(colour);
  window.withy.pause();
  if (time !== undefined) window.withy.seek(time);
}

// Turns the wheel; runs in the page.
function approach(turns) {
  const canvas = document.querySelector('#canvas');
  const place = { clientX: window.innerWidth / 2, clientY: window.innerHeight / 2 };
  for (let k = 0; k < turns; k++) {
    canvas.dispatchEvent(new WheelEvent('wheel', { ...place, deltaY: -120, bubbles: true }));
  }
}

// The picture as it is now, as WebP; runs in the page. It is read in the turn in which it is
// drawn (asking for a point draws), before the browser clears it.
function takePicture({ width, height, top, quality, paper }) {
  const canvas = document.querySelector('#canvas');
  const pixels = canvas.width / width;
  const small = document.createElement('canvas');
  Object.assign(small, { width, height });
  const context = small.getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.fillStyle = paper;
  context.fillRect(0, 0, width, height);
  window.withy.point(0, 0);
  const part = [0, top, width, height].map((length) => length * pixels);
  context.drawImage(canvas, ...part, 0, 0, width, height);
  return small.toDataURL('image/webp', quality).split(',')[1];
}

const [target = 'docs/figures', ...names] = process.argv.slice(2);
const out = folder();
const browser = await openBrowser();
try {
  for (const name of names.length ? names : Object.keys(STILLS)) {
    const { page: source } = makePage(out, name, { set: STILLS[name].set });
    for (const colorScheme of ['light', 'dark']) {
      const options = { viewport: VIEWPORT, colorScheme, reducedMotion: 'reduce', deviceScaleFactor: 2 };
      const page = await openPage(browser, source, options);
      await page.addStyleTag({ content: BARE });
      await page.waitForFunction(({ width, height }) => {
        const canvas = document.querySelector('#canvas');
        return canvas.width >= width && Math.abs(canvas.width / canvas.height - width / height) < 0.01;
      }, VIEWPORT);
      await page.evaluate(arrange, STILLS[name]);
      await page.keyboard.press('f');
      await page.evaluate(approach, STILLS[name].zoom ?? 0);
      await page.waitForTimeout(500); // the camera comes to rest
      const paper = PAPER[colorScheme];
      const text = await page.evaluate(takePicture, { ...SIZE, top: TOP, quality: QUALITY, paper });
      const webp = Buffer.from(text, 'base64');
      const file = join(target, colorScheme === 'dark' ? `${name}-dark.webp` : `${name}.webp`);
      writeFileSync(file, webp);
      console.log(`${file} ${webp.length}`);
      await page.context().close();
    }
  }
} finally {
  await browser.close();
}
