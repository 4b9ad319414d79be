// SPDX-License-Identifier: MIT
// The player's clock and the way numbers are written, without a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Clock, placeOf, usualRate } from '../src/ui/clock.js';
import { decimals, nice, short, tick, ticks, value } from '../src/ui/format.js';
import { warning } from '../src/ui/info.js';

test('a time has its place among the frames', () => {
  const times = [0, 1, 1.5, 4];
  assert.deepEqual([-1, 0, 0.5, 1, 1.25, 1.5, 2.75, 4, 9, NaN].map((t) => placeOf(times, t)),
    [0, 0, 0.5, 1, 1.5, 2, 2.5, 3, 3, 0]);
  assert.equal(placeOf([7], 7), 0);
});

test('runs of 2 to 60 seconds play in real time, others in about ten seconds', () => {
  assert.deepEqual([2, 15, 60, 0].map(usualRate), [1, 1, 1, 1]);
  for (const duration of [1e-4, 0.03, 1.9, 61, 5000]) {
    const seconds = duration / usualRate(duration);
    // Rates are 1, 2 or 5 times a power of ten: at most sqrt(2.5) from any number.
    assert.ok(seconds > 10 / 1.6 && seconds < 10 * 1.6, `${duration}: ${seconds} s`);
  }
});

test('the clock plays, repeats or stops, and stands still while held', () => {
  const clock = new Clock([0, 1, 2, 3, 4]);
  clock.advance(1);
  assert.equal(clock.time, 0);
  clock.play();
  clock.advance(1.5);
  assert.equal(clock.time, 1.5);
  clock.held = true;
  clock.advance(1);
  assert.equal(clock.time, 1.5);
  clock.held = false;
  clock.advance(3);
  assert.deepEqual([clock.time, clock.playing], [0.5, true]);
  clock.setLoop(false);
  clock.advance(10);
  assert.deepEqual([clock.time, clock.playing], [4, false]);
  clock.play();
  assert.deepEqual([clock.time, clock.playing], [0, true]);
});

test('steps go from frame to frame, and end at the ends', () => {
  const clock = new Clock([0, 1, 2, 3, 4]);
  const after = (time, n) => {
    clock.seek(time);
    clock.step(n);
    return clock.time;
  };
  assert.deepEqual([after(1, 1), after(1.5, 1), after(1.5, -1), after(2, -1), after(0, -1), after(3.5, 10)],
    [2, 2, 1, 1, 0, 4]);
  clock.seek(NaN);
  assert.equal(clock.time, 4);
});

test('a single frame does not play', () => {
  const clock = new Clock([0]);
  clock.play();
  clock.advance(1);
  assert.deepEqual([clock.playing, clock.time, clock.frame], [false, 0, 0]);
});

test('numbers are short and keep their digits', () => {
  assert.deepEqual([0, 1.5, -12.3456, 123456, 1.23456e-5, NaN].map((x) => value(x)),
    ['0', '1.500', '\u221212.35', '1.235e5', '1.235e\u22125', '\u2013']);
  assert.deepEqual([0, 1.5, -0.25, 2e6, 1e-4].map((x) => short(x)),
    ['0', '1.5', '\u22120.25', '2e6', '1e\u22124']);
  assert.deepEqual([1, 0.5, 0.25, 2e-3].map(decimals), [0, 1, 2, 3]);
  assert.deepEqual([0.9, 1.3, 3, 4, 8, 0.03].map(nice), [1, 1, 2, 5, 10, 0.02]);
});

test('ticks are round', () => {
  const { step, at } = ticks(-0.13, 0.92, 4);
  assert.deepEqual(at.map((x) => tick(x, step)), ['0', '0.2', '0.4', '0.6', '0.8']);
  assert.deepEqual(ticks(1, 1).at, []);
});

test('what did not end well is said, with its message', () => {
  const said = (status, message = '') => warning({ status, message });
  assert.equal(said('done', 'all is well'), '');
  assert.equal(said('failed', 'no step fits'), 'The run failed: no step fits');
  assert.equal(said('failed'), 'The run failed.');
  assert.equal(said('wrong', 'the energy has drifted'), 'The result is wrong: the energy has drifted');
  assert.equal(said('wrong'), 'The result is wrong.');
  assert.match(said('interrupted'), /interrupted/);
  for (const none of [null, undefined]) assert.match(said(none), /no summary/);
});
