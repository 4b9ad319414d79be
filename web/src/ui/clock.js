// SPDX-License-Identifier: MIT
// The player's clock: which time of the run is shown, whether it moves, and how fast.
import { nice } from './format.js';

// Real time where the run lasts 2 to 60 (seconds), else what plays it in about ten.
export function usualRate(duration) {
  return duration === 0 || (duration >= 2 && duration <= 60) ? 1 : nice(duration / 10);
}

// The place of time t among ascending times, as a fraction: 2.5 is halfway between the third and the fourth.
export function placeOf(times, t) {
  let low = 0;
  let high = times.length - 1;
  if (!(t > times[low])) {
    return 0;
  }
  if (t >= times[high]) {
    return high;
  }
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low + (t - times[low]) / (times[high] - times[low]);
}

export class Clock {
  #times;
  #listeners = [];

  constructor(times) {
    this.#times = times;
    this.start = times[0];
    this.end = times[times.length - 1];
    this.time = this.start;
    this.rate = usualRate(this.end - this.start);
    this.loop = true;
    this.playing = false;
    this.held = false; // by a finger on the slider or a chart: the time stands still until it is let go
  }

  get frames() {
    return this.#times.length;
  }

  get frame() {
    return placeOf(this.#times, this.time);
  }

  onChange(listener) {
    this.#listeners.push(listener);
  }

  #changed() {
    this.#listeners.forEach((listener) => listener(this));
  }

  play() {
    if (this.end > this.start) {
      this.playing = true;
      if (this.time >= this.end) {
        this.time = this.start;
      }
      this.#changed();
    }
  }

  pause() {
    this.playing = false;
    this.#changed();
  }

  toggle() {
    if (this.playing) {
      this.pause();
    } else {
      this.play();
    }
  }

  seek(time) {
    if (Number.isFinite(time)) {
      this.time = Math.min(this.end, Math.max(this.start, time));
      this.#changed();
    }
  }

  // To the n-th frame from here; from between two frames the first step goes to the nearer end.
  step(n) {
    const here = this.frame;
    const from = n > 0 ? Math.floor(here + 1e-9) : Math.ceil(here - 1e-9);
    this.playing = false;
    this.seek(this.#times[Math.min(this.frames - 1, Math.max(0, from + n))]);
  }

  setRate(rate) {
    this.rate = rate;
    this.#changed();
  }

  setLoop(on) {
    this.loop = on;
    this.#changed();
  }

  // Moves on by some seconds of the viewer's time.
  advance(seconds) {
    if (!this.playing || this.held) {
      return;
    }
    let next = this.time + seconds * this.rate;
    if (next >= this.end) {
      if (this.loop) {
        next = this.start + ((next - this.start) % (this.end - this.start));
      } else {
        next = this.end;
        this.playing = false;
      }
    }
    this.time = next;
    this.#changed();
  }
}
