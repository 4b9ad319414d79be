// SPDX-License-Identifier: MIT
// Makes the pictures of docs/guide/view.md.
//   WITHY=build/withy node web/tools/pictures.mjs docs/figures
import { join, resolve } from 'node:path';
import { openBrowser, openPage } from './browser.mjs';
import { folder, makePage } from './runs.mjs';

const PICTURES = [
  { file: 'view.png', viewport: { width: 1200, height: 720 } },
  { file: 'view-phone.png', viewport: { width: 390, height: 780 }, isMobile: true, hasTouch: true },
];

const target = resolve(process.argv[2] ?? 'docs/figures');
const { page: source } = makePage(folder(), 'flying-spaghetti', { set: ['rods.0.segments=20'] });
const browser = await openBrowser();
try {
  for (const { file, ...options } of PICTURES) {
    const page = await openPage(browser, source, { reducedMotion: 'reduce', ...options });
    await page.evaluate(() => window.withy.seek(3.6));
    await page.waitForTimeout(1000); // for the charts
    await page.screenshot({ path: join(target, file) });
    await page.context().close();
  }
} finally {
  await browser.close();
}
