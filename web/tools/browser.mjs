// SPDX-License-Identifier: MIT
// A headless Chromium for tests and pictures: software rendering, no network.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';

const FLAGS = [
  '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
  '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
  '--disable-sync',
];

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

// The browser that CHROMIUM names, or one on the path.
function findBrowser() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const places = process.env.CHROMIUM
    ? [process.env.CHROMIUM] : NAMES.flatMap((name) => folders.map((path) => join(path, name)));
  const found = places.find(isProgram);
  if (!found) {
    throw new Error(process.env.CHROMIUM ? `CHROMIUM=${process.env.CHROMIUM}: there is no such program`
      : `none of ${NAMES.join(', ')} is there: install Debian's chromium, or set CHROMIUM to the browser`);
  }
  return found;
}

export async function openBrowser() {
  return chromium.launch({ executablePath: findBrowser(), args: FLAGS });
}

// Opens a file as a page, after running `script` in it, and waits until it is ready. Errors, warnings and
// requests to anywhere are in page.complaints, the time it took (ms) in page.opened.
export async function openPage(browser, file, { script, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.complaints = [];
  page.on('pageerror', (error) => page.complaints.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) {
      page.complaints.push(`${message.type()}: ${message.text()}`);
    }
  });
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && request.url() !== `file://${file}`) {
      page.complaints.push(`request: ${request.url().slice(0, 200)}`);
    }
  });
  if (script) {
    await page.addInitScript(script);
  }
  const start = performance.now();
  await page.goto(`file://${file}`, { waitUntil: 'commit' });
  await page.waitForFunction(() => window.withy, null, { polling: 20 });
  await page.evaluate(() => window.withy.ready);
  page.opened = performance.now() - start;
  return page;
}
