// SPDX-License-Identifier: MIT
// Measures pages of a small and a large run with software rendering: their size, how long they take to open, and
// how long a picture takes while scrubbing.
//   WITHY=build/withy OUT=folder node web/tools/speed.mjs
// Prints what it measured, and fails where a limit is passed.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { openBrowser, openPage } from './browser.mjs';
import { folder, makePage } from './runs.mjs';

// Limits: megabytes, seconds to open, milliseconds a picture (median).
const RUNS = {
  'flying-spaghetti': {
    what: '60 frames of 20 segments', set: ['rods.0.segments=20', 'time.end=5.9'], limits: [3, 2, Infinity],
  },
  'hair-tress': {
    what: '300 frames of 1000 strands of 25 segments',
    set: ['strands.0.count=1000', 'time.frames=2.5e-3', 'time.output=2.5e-3', 'time.end=0.7475'],
    limits: [60, 10, 100],
  },
};

// Milliseconds from the wish for a time to its finished picture; reading a pixel waits for the renderer.
function scrub(page, count) {
  return page.evaluate(async (n) => {
    const { withy } = window;
    const canvas = document.getElementById('canvas');
    const gl = canvas.getContext('webgl2');
    const pixel = new Uint8Array(4);
    const times = [];
    withy.pause();
    for (let i = 0; i < n; i++) {
      const start = performance.now();
      withy.seek(withy.run.time[(i * 97) % withy.run.time.length]); // 97: far apart
      await new Promise(requestAnimationFrame);
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
      times.push(performance.now() - start);
    }
    return times.sort((a, b) => a - b);
  }, count);
}

const out = folder();
const browser = await openBrowser();

async function measure(name, { what, set, limits }) {
  const { page: file } = makePage(out, name, { set });
  const page = await openPage(browser, file);
  const times = await scrub(page, 60);
  await page.screenshot({ path: join(out, `${name}.png`) });
  if (page.complaints.length > 0) {
    throw new Error(page.complaints.join('\n'));
  }
  await page.context().close();
  const figures = [statSync(file).size / 1e6, page.opened / 1000, times[30]];
  const texts = [`${figures[0].toFixed(1)} MB`, `opens in ${figures[1].toFixed(2)} s`, `${figures[2].toFixed(0)} ms`];
  console.log(`${name}, ${what}: ${texts[0]}, ${texts[1]}, a picture takes ${texts[2]} (median; one in ten `
    + `${times[54].toFixed(0)} ms or more)`);
  return figures.every((figure, k) => figure < limits[k]);
}

try {
  for (const [name, run] of Object.entries(RUNS)) {
    if (!(await measure(name, run))) {
      console.log(`${name}: beyond the limits: ${run.limits[0]} MB, ${run.limits[1]} s, ${run.limits[2]} ms`);
      process.exitCode = 1;
    }
  }
} finally {
  await browser.close();
}
