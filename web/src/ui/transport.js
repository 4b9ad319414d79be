// SPDX-License-Identifier: MIT
// Play, pause, steps, slider, speed and the readout of the time.
import { byId, element, setIcon, setPressed } from './dom.js';
import { decimals, nice, short, value } from './format.js';

const FACTORS = [0.1, 0.2, 0.5, 1, 2, 5, 10];

// Decimals of the clock: one more than neighbouring frames need.
function clockText(clock) {
  const spacing = (clock.end - clock.start) / Math.max(1, clock.frames - 1);
  if (clock.end >= 1e5 || spacing < 1e-7) {
    return (t) => value(t, 5);
  }
  const digits = decimals(nice(spacing)) + 1;
  return (t) => t.toFixed(digits);
}

export function createTransport(clock, { analysis, swings }) {
  const scrub = byId('scrub');
  const speed = byId('speed');
  const play = byId('play');
  const usual = clock.rate;
  const timeText = clockText(clock);
  byId('transport').hidden = false;

  play.addEventListener('click', () => clock.toggle());
  byId('back').addEventListener('click', () => clock.step(-1));
  byId('forward').addEventListener('click', () => clock.step(1));
  byId('loop').addEventListener('click', () => clock.setLoop(!clock.loop));

  Object.assign(scrub, { min: clock.start, max: clock.end, step: 'any' });
  scrub.addEventListener('pointerdown', () => { clock.held = true; });
  for (const end of ['pointerup', 'pointercancel', 'change']) {
    scrub.addEventListener(end, () => { clock.held = false; });
  }
  scrub.addEventListener('input', () => clock.seek(Number(scrub.value)));

  for (const factor of FACTORS) {
    const rate = Number((usual * factor).toPrecision(3));
    speed.append(element('option', { value: rate }, `${short(rate)}\u00d7`));
  }
  speed.addEventListener('change', () => clock.setRate(Number(speed.value)));
  byId('rate-unit').textContent = analysis === 'dynamics' ? 'real time' : '';
  byId('rate').title = 'Units of the run\'s time in a second of yours';

  if (swings) {
    byId('modes').hidden = false;
    for (const id of ['scrub', 'readout', 'back', 'forward', 'loop', 'rate']) {
      byId(id).hidden = true;
    }
  }

  function update() {
    const frame = Math.round(clock.frame) + 1;
    scrub.value = clock.time;
    const done = clock.end > clock.start ? (clock.time - clock.start) / (clock.end - clock.start) : 0;
    scrub.style.setProperty('--done', `${100 * done}%`);
    scrub.setAttribute('aria-valuetext', `t = ${timeText(clock.time)} of ${timeText(clock.end)}`);
    byId('clock').textContent = `t = ${timeText(clock.time)}`;
    byId('frame').textContent = `${frame} of ${clock.frames}`;
    setIcon(play, clock.playing ? 'pause' : 'play', clock.playing ? 'Pause (space)' : 'Play (space)');
    setPressed(byId('loop'), clock.loop);
    speed.value = String(clock.rate);
  }

  clock.onChange(update);
  update();

  // The next speed up or down in the list.
  return {
    faster(direction) {
      const index = Math.min(FACTORS.length - 1, Math.max(0, speed.selectedIndex + direction));
      clock.setRate(Number(speed.options[index].value));
    },
  };
}
