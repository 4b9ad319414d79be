// SPDX-License-Identifier: MIT
// The column of charts: energies and probes, drawn when they come into view.
import { createChart } from './chart.js';
import { byId } from './dom.js';

const PAUSE = 100; // milliseconds: numbers that change faster cannot be read

export function createCharts(run, clock, theme) {
  const column = byId('charts');
  const charts = run.charts.map((chart) => createChart(chart, clock, theme));
  const byRoot = new Map(charts.map((chart) => [chart.root, chart]));

  const views = new IntersectionObserver((entries) => {
    entries.forEach((entry) => byRoot.get(entry.target).setVisible(entry.isIntersecting));
  }, { root: column, rootMargin: '400px 0px' });
  const sizes = new ResizeObserver(() => charts.forEach((chart) => chart.resize()));

  column.append(...byRoot.keys());
  charts.forEach((chart) => views.observe(chart.root));
  sizes.observe(column);
  theme.onChange(() => charts.forEach((chart) => chart.repaint()));

  let waiting = null;
  let written = 0;
  function write() {
    waiting = null;
    written = performance.now();
    charts.forEach((chart) => chart.writeValues());
  }
  return {
    update() {
      charts.forEach((chart) => chart.moveCursor());
      const since = performance.now() - written;
      if (waiting === null && since >= PAUSE) {
        write();
      } else {
        waiting ??= setTimeout(write, PAUSE - since);
      }
    },
  };
}
