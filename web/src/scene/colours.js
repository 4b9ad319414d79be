// SPDX-License-Identifier: MIT
// Colours: maps of values (viridis, and a diverging one for signed torsion), series, and the two themes of
// the scene.

// Viridis at nine places, sRGB.
const VIRIDIS = [
  '#440154',
  '#472d7b',
  '#3b528b',
  '#2c728e',
  '#21918c',
  '#28ae80',
  '#5ec962',
  '#addc30',
  '#fde725',
];

// Blue, grey, orange: signed values, zero in the middle; ends are those of the series colours.
const DIVERGING = [
  '#00436b',
  '#0072b2',
  '#5aa9d6',
  '#8dbbd8',
  '#b5b5b0',
  '#dfad7d',
  '#e58a45',
  '#d55e00',
  '#8a3c00',
];

export const SERIES = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9'];

const SIGNED = new Set(['torsion']);

// True where zero belongs to the middle of the map of the quantity.
export function isSigned(name) {
  return SIGNED.has(name);
}

// The colours of a quantity's map from smallest to largest, evenly spaced (for a legend).
export function stops(name) {
  return isSigned(name) ? DIVERGING : VIRIDIS;
}

// Red, green, blue (0 to 255) of a text like #0072b2.
export function rgb(text) {
  const n = parseInt(text.slice(1), 16);
  return [n >> 16, (n >> 8) & 255, n & 255];
}

// The css colour of the quantity's map at t = 0 (smallest) to 1 (largest).
export function colourOf(name, t) {
  const [r, g, b] = mix(stops(name), t).map(Math.round);
  return `rgb(${r}, ${g}, ${b})`;
}

function mix(colours, t) {
  const at = Math.min(Math.max(t || 0, 0), 1) * (colours.length - 1);
  const i = Math.min(Math.floor(at), colours.length - 2);
  const from = rgb(colours[i]);
  const to = rgb(colours[i + 1]);
  return from.map((c, k) => c + (at - i) * (to[k] - c));
}

// The map as bytes of a row of pixels.
export function mapBytes(name, width = 256) {
  const bytes = new Uint8Array(4 * width);
  for (let i = 0; i < width; i++)
    bytes.set([...mix(stops(name), i / (width - 1)).map(Math.round), 255], 4 * i);
  return bytes;
}

// What the scene looks like; colours of rods are lifted a little on dark ground.
export const THEMES = {
  light: {
    background: ['#ffffff', '#e6eaee'],
    grid: '#8a949e',
    gridStrength: 0.5,
    shadow: 0.2,
    sky: '#ffffff',
    ground: '#b9b4ad',
    key: 1.0,
    rim: 0.1,
    stripe: '#ffffff',
    ghost: '#5b6670',
    support: '#59636d',
    driven: '#e69f00',
    body: '#8d98a3',
    obstacle: '#7a9bb5',
    joint: '#3a434c',
    spring: '#4a545e',
    force: '#d9480f',
    ink: '#222222',
    gravity: '#d9480f',
    hair: ['#5b3a22', '#8a5a34'],
    tip: '#d55e00',
    tendon: ['#8d8f92', '#c8102e'],
    chamber: ['#f2cf63', '#e0570b'],
    lift: 0,
    glow: 0,
  },
  dark: {
    background: ['#1d2227', '#0f1113'],
    grid: '#77828c',
    gridStrength: 0.5,
    shadow: 0.45,
    sky: '#dfe8f2',
    ground: '#4c4a4a',
    key: 1.0,
    rim: 0.28,
    stripe: '#ffffff',
    ghost: '#a9b4bf',
    support: '#6b757e',
    driven: '#e69f00',
    body: '#8b96a1',
    obstacle: '#5d7f9c',
    joint: '#c3ccd4',
    spring: '#b4bdc6',
    force: '#ff8a4c',
    ink: '#ddddee',
    gravity: '#ff8a4c',
    hair: ['#7d5230', '#b98552'],
    tip: '#ff8a4c',
    tendon: ['#a5a9ad', '#ff4d5e'],
    chamber: ['#f2cf63', '#ff6a1a'],
    lift: 0.14,
    glow: 1,
  },
};
