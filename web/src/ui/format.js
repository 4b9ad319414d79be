// SPDX-License-Identifier: MIT
// Numbers as people read them.

const MINUS = '\u2212';

const withMinus = (text) => text.replace(/-/g, MINUS);

// A value to the given number of digits; keeps its zeros, so that a changing number does not jump about.
export function value(x, digits = 4) {
  if (!Number.isFinite(x)) {
    return '\u2013';
  }
  const size = Math.abs(x);
  if (size === 0) {
    return '0';
  }
  const text = size >= 1e5 || size < 1e-3 ? x.toExponential(digits - 1) : x.toPrecision(digits);
  return withMinus(text.replace(/e\+?/, 'e'));
}

// The same without zeros at the end: for ticks, ranges and speeds.
export function short(x, digits = 3) {
  if (!Number.isFinite(x)) {
    return '\u2013';
  }
  const size = Math.abs(x);
  const number = Number(x.toPrecision(digits));
  return withMinus(size !== 0 && (size >= 1e5 || size < 1e-3)
    ? number.toExponential().replace(/e\+?/, 'e') : String(number));
}

// Ticks of an axis or a legend: multiples of `step` with as many decimals as the step has.
export function tick(x, step) {
  const size = Math.abs(x);
  if (size < 1e-9 * step) {
    return '0';
  }
  return size >= 1e5 || step < 1e-4 ? short(x, 4) : withMinus(x.toFixed(decimals(step)));
}

// How many decimals tell multiples of `step` apart.
export function decimals(step) {
  for (let digits = 0; digits < 12; digits++) {
    const scaled = step * 10 ** digits;
    if (Math.abs(scaled - Math.round(scaled)) < 1e-6 * scaled) {
      return digits;
    }
  }
  return 12;
}

// 1, 2 or 5 times a power of ten, the nearest one.
export function nice(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  const away = (step) => Math.abs(Math.log(step * power / x));
  const best = [1, 2, 5, 10].reduce((a, b) => (away(b) < away(a) ? b : a));
  return Number((best * power).toPrecision(1));
}

// About `count` round numbers from `low` to `high`.
export function ticks(low, high, count = 4) {
  if (!(high > low)) {
    return { step: 1, at: [] };
  }
  const step = nice((high - low) / count);
  const at = [];
  for (let i = Math.ceil(low / step - 1e-9); i <= Math.floor(high / step + 1e-9); i++) {
    at.push(i * step);
  }
  return { step, at };
}
