// SPDX-License-Identifier: MIT
// Runs of the command, for tests and pictures: WITHY is the command, OUT the folder for what they leave.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export function command() {
  if (!process.env.WITHY) {
    throw new Error('set WITHY to the command, for example WITHY=build/withy');
  }
  return resolve(process.env.WITHY);
}

export function folder() {
  const path = process.env.OUT ? resolve(process.env.OUT) : mkdtempSync(join(tmpdir(), 'withy-web-'));
  mkdirSync(path, { recursive: true });
  return path;
}

// Runs a scenario (a built-in name, or YAML text) with settings and writes its page; `fails`: the run has to.
export function makePage(out, name, { scenario = name, set = [], fails = false } = {}) {
  const directory = join(out, `${name}.out`);
  const page = join(out, `${name}.html`);
  let source = scenario;
  if (scenario.includes('\n')) {
    source = join(out, `${name}.yaml`);
    writeFileSync(source, scenario);
  }
  const run = ['run', source, '-o', directory, '--quiet', ...set.flatMap((text) => ['--set', text])];
  const done = spawnSync(command(), run, { encoding: 'utf8' });
  if (done.status !== (fails ? 1 : 0)) {
    throw new Error(`withy run ${name}: exit status ${done.status}\n${done.error ?? done.stderr}`);
  }
  execFileSync(command(), ['view', directory, '-o', page]);
  return { directory, page };
}

// Columns of a file of comma-separated numbers, by name.
export function readTable(file) {
  const [head, ...rows] = readFileSync(file, 'utf8').trim().split('\n').map((line) => line.split(','));
  return Object.fromEntries(head.map((name, i) => [name, rows.map((row) => Number(row[i]))]));
}
