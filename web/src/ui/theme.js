// SPDX-License-Identifier: MIT
// Dark or light: as the system says, until somebody chooses otherwise on this page.
import { byId } from './dom.js';

// The colours of the charts' lines, in this order; the dark ones are the same hues, lighter.
const SERIES = {
  light: ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9'],
  dark: ['#4ba3dd', '#f08a3c', '#2fc298', '#dd98bd', '#edb637', '#93d2f5'],
};

export function createTheme() {
  const system = window.matchMedia('(prefers-color-scheme: dark)');
  const listeners = [];
  let chosen = null;

  const theme = {
    get name() {
      return chosen ?? (system.matches ? 'dark' : 'light');
    },
    series(index) {
      const colours = SERIES[theme.name];
      return colours[index % colours.length];
    },
    // A colour of the style sheet, for canvases.
    variable: (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim(),
    toggle() {
      chosen = theme.name === 'dark' ? 'light' : 'dark';
      apply();
    },
    onChange: (listener) => listeners.push(listener),
  };

  function apply() {
    document.documentElement.dataset.theme = theme.name;
    listeners.forEach((listener) => listener(theme.name));
  }

  system.addEventListener('change', apply);
  byId('theme').addEventListener('click', theme.toggle);
  apply();
  return theme;
}
