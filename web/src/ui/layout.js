// SPDX-License-Identifier: MIT
// The window's parts: the column of charts can be hidden, and changed in width by pointer or arrow keys.
import { byId, setPressed } from './dom.js';

const SMALLEST = 220;

export function createLayout(hasCharts) {
  const splitter = byId('splitter');
  const column = byId('charts');
  const toggle = byId('charts-toggle');
  let shown = hasCharts;

  function apply() {
    document.body.classList.toggle('no-charts', !shown);
    setPressed(toggle, shown);
  }

  function setWidth(pixels) {
    const largest = Math.max(SMALLEST, 0.7 * window.innerWidth);
    const width = Math.round(Math.min(largest, Math.max(SMALLEST, pixels)));
    document.body.style.setProperty('--charts', `${width}px`);
    splitter.setAttribute('aria-valuenow', width);
  }

  const layout = {
    toggleCharts() {
      shown = hasCharts && !shown;
      apply();
    },
  };

  toggle.hidden = !hasCharts;
  toggle.addEventListener('click', layout.toggleCharts);
  splitter.addEventListener('pointerdown', (event) => splitter.setPointerCapture(event.pointerId));
  splitter.addEventListener('pointermove', (event) => {
    if (splitter.hasPointerCapture(event.pointerId)) {
      setWidth(document.body.clientWidth - event.clientX);
    }
  });
  splitter.addEventListener('keydown', (event) => {
    const direction = { ArrowLeft: 1, ArrowRight: -1 }[event.key];
    if (direction) {
      setWidth(column.clientWidth + 20 * direction);
      event.preventDefault();
      event.stopPropagation();
    }
  });
  apply();
  splitter.setAttribute('aria-valuemin', SMALLEST);
  splitter.setAttribute('aria-valuenow', column.clientWidth);
  return layout;
}
