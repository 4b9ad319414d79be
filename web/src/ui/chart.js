// SPDX-License-Identifier: MIT
// One chart: lines over time with a cursor at the time shown, and the values there. Dragging moves the time.
import uPlot from 'uplot';
import { placeOf } from './clock.js';
import { element } from './dom.js';
import { tick, value } from './format.js';

const HEIGHT = 132;
const ENERGIES = ['kinetic', 'elastic', 'gravity', 'dissipated', 'work'];

// Value of a column at time t, between rows on the straight line.
function valueAt(chart, column, t) {
  const place = placeOf(chart.time, t);
  const low = Math.floor(place);
  const part = place - low;
  const values = chart.values[column];
  return part === 0 ? values[low] : values[low] + part * (values[low + 1] - values[low]);
}

// Largest value of all columns: what is 1e-12 of it or less is round-off.
function largestOf(chart) {
  let largest = 0;
  for (const x of chart.values.flatMap((column) => Array.from(column))) {
    largest = Math.max(largest, Number.isFinite(x) ? Math.abs(x) : 0);
  }
  return largest;
}

// uPlot takes null for a missing value, and no NaN.
const plottable = (values) => Array.from(values, (x) => (Number.isFinite(x) ? x : null));

// Energies have the colours that `withy plot` gives them, their sum the colour of text.
function columnColour(chart, column, theme) {
  if (chart.bands) {
    return theme.series(0);
  }
  const name = chart.columns[column];
  if (chart.quantity === 'energy' && name === 'total') {
    return theme.variable('--ink');
  }
  const known = chart.quantity === 'energy' ? ENERGIES.indexOf(name) : -1;
  return theme.series(known >= 0 ? known : column);
}

// From the smallest to the largest value with some room; a line that is level but for round-off stays level.
function valueRange(plot, low, high) {
  if (low === null) {
    return [0, 1];
  }
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low <= 1e-9 * size) {
    return [low - (0.5 * size || 1), high + (0.5 * size || 1)];
  }
  return uPlot.rangeNum(low, high, 0.1, true);
}

// Quantiles are drawn as two bands about their median: fills between columns (series of uPlot are counted from 1), and
// how wide the lines are.
const BANDS = [{ series: [5, 1], alpha: '33' }, { series: [4, 2], alpha: '66' }];
const BAND_LINES = [0, 0, 2, 0, 0];
const BAND_MARKS = [0.35, 0.65, 1, 0.65, 0.35]; // how opaque they are in the legend

function lineWidth(chart, i) {
  if (chart.bands) return BAND_LINES[i];
  return chart.columns[i] === 'total' ? 2 : 1.5;
}

function plotOptions(chart, width, colour, theme) {
  const line = () => theme.variable('--line');
  const axis = {
    stroke: () => theme.variable('--soft'),
    font: '11px system-ui, sans-serif',
    grid: { stroke: line, width: 1 },
    ticks: { show: false },
    values: (plot, splits) => splits.map((x) => tick(x, splits.length > 1 ? splits[1] - splits[0] : 1)),
  };
  return {
    width,
    height: HEIGHT,
    padding: [8, 16, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: false, range: (plot, low, high) => [low, high] }, y: { range: valueRange } },
    axes: [{ ...axis, size: 20, gap: 3, space: 50 }, { ...axis, size: 54, gap: 4, space: 26 }],
    bands: chart.bands ? BANDS.map(({ series, alpha }) => ({ series, fill: () => `${theme.series(0)}${alpha}` })) : [],
    series: [{}, ...chart.columns.map((label, i) => ({
      label,
      stroke: () => colour(i),
      width: lineWidth(chart, i),
      points: { show: false },
      pxAlign: 0,
    }))],
  };
}

// What a chart is called: a probe by its name, with what it measures where the name does not say it.
function heading(chart) {
  if (chart.quantity === 'energy' && chart.columns.length > 1) {
    return ['energies'];
  }
  return chart.quantity && chart.quantity !== 'energy' && chart.quantity !== chart.title
    ? [chart.title, element('small', {}, ` ${chart.quantity}`)] : [chart.title];
}

export function createChart(chart, clock, theme) {
  const colour = (i) => columnColour(chart, i, theme);
  const alone = chart.columns.length === 1 && (!chart.columns[0] || chart.columns[0] === chart.title);
  const marks = chart.columns.map(() => element('i', {}));
  const values = chart.columns.map(() => element('b', {}));
  const legend = element('span', { class: 'values' }, ...chart.columns.map((name, i) => (
    element('span', { class: 'value' }, marks[i], alone ? '' : `${name} `, values[i]))));
  const area = element('div', { class: 'plot' });
  const cursor = element('div', { class: 'cursor' });
  const root = element('details', { class: 'chart', open: true },
    element('summary', {}, element('span', { class: 'name' }, ...heading(chart)), legend), area);
  const rows = chart.time.length;
  const nothing = 1e-12 * largestOf(chart);
  let plot = null;
  let visible = false;

  function paintMarks() {
    marks.forEach((mark, i) => {
      mark.style.background = colour(i);
      if (chart.bands) mark.style.opacity = BAND_MARKS[i];
    });
  }

  function writeValues() {
    if (visible) {
      values.forEach((text, i) => {
        const x = valueAt(chart, i, clock.time);
        text.textContent = value(Math.abs(x) <= nothing ? 0 : x);
      });
    }
  }

  function moveCursor() {
    if (visible && plot) {
      const left = plot.valToPos(clock.time, 'x');
      cursor.hidden = !(left >= 0 && left <= plot.over.clientWidth);
      cursor.style.transform = `translateX(${left}px)`;
    }
  }

  function seek(event) {
    const box = plot.over.getBoundingClientRect();
    clock.seek(plot.posToVal(event.clientX - box.left, 'x'));
  }

  function listen(over) {
    over.addEventListener('pointerdown', (event) => {
      if (event.button === 0) {
        over.setPointerCapture(event.pointerId);
        clock.held = true;
        seek(event);
      }
    });
    over.addEventListener('pointermove', (event) => {
      if (over.hasPointerCapture(event.pointerId)) {
        seek(event);
      }
    });
    over.addEventListener('lostpointercapture', () => { clock.held = false; });
  }

  // Drawn when it comes into view for the first time: a run may have hundreds of probes.
  function draw() {
    const width = area.clientWidth;
    if (rows < 2 || width === 0) {
      return;
    }
    if (plot) {
      plot.setSize({ width, height: HEIGHT });
    } else {
      const data = [Array.from(chart.time), ...chart.values.map(plottable)];
      const options = plotOptions(chart, width, colour, theme);
      options.hooks = { draw: [moveCursor] }; // the cursor moves when scales do
      plot = new uPlot(options, data, area);
      plot.over.append(cursor);
      listen(plot.over);
    }
  }

  function show(on) {
    visible = on;
    if (on) {
      draw();
      moveCursor();
      writeValues();
    }
  }

  root.classList.toggle('single', rows < 2);
  root.addEventListener('toggle', () => show(visible));
  paintMarks();
  return {
    root,
    moveCursor,
    writeValues,
    setVisible: show,
    resize() {
      if (plot && plot.width !== area.clientWidth) {
        draw();
      }
    },
    repaint() {
      paintMarks();
      plot?.redraw(false);
    },
  };
}
