// Measures the page of a large run: 1000 strands of 25 segments, about 300 frames, with software rendering.
//   WITHY=build/withy OUT=folder node web/tools/large.mjs
// Prints what it measured, and fails where a limit is passed: 60 MB, 10 s to open, 100 ms a frame (median).
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { openBrowser, openPage } from './browser.mjs';
import { folder, makePage } from './runs.mjs';

const SETTINGS = ['strands.0.count=1000', 'time.frames=2.5e-3', 'time.output=2.5e-3', 'time.end=0.7475'];

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
const { page: file } = makePage(out, 'large', { scenario: 'hair-tress', set: SETTINGS });
const browser = await openBrowser();
try {
  const page = await openPage(browser, file);
  const frames = await page.evaluate(() => window.withy.run.time.length);
  const times = await scrub(page, 60);
  const [median, slow] = [times[30], times[54]];
  await page.screenshot({ path: join(out, 'large.png') });
  const megabytes = statSync(file).size / 1e6;
  console.log(`1000 strands of 25 segments, ${frames} frames: page ${megabytes.toFixed(1)} MB (limit 60), `
    + `opens in ${(page.opened / 1000).toFixed(2)} s (limit 10), `
    + `a frame takes ${median.toFixed(0)} ms (median, limit 100), one in ten ${slow.toFixed(0)} ms or more`);
  if (page.complaints.length > 0) {
    throw new Error(page.complaints.join('\n'));
  }
  if (megabytes >= 60 || page.opened >= 10000 || median >= 100) {
    process.exitCode = 1;
  }
} finally {
  await browser.close();
}
