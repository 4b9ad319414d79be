// SPDX-License-Identifier: MIT
// Measures how long the graphics hardware needs for a picture, so that slow ones can draw fewer pixels.

const SLOW = 50; // milliseconds
const OFTEN = 6; // that many slow pictures in a row

export class Speed {
  constructor(context) {
    this.context = context;
    this.pending = false;
    this.slow = 0;
  }

  // Call after a picture was drawn; calls whenSlow after several slow ones.
  watch(whenSlow) {
    if (this.pending) return;
    const { context } = this;
    const fence = context.fenceSync(context.SYNC_GPU_COMMANDS_COMPLETE, 0);
    if (!fence) return;
    context.flush();
    this.pending = true;
    const start = performance.now();
    const look = () => {
      const took = performance.now() - start;
      if (context.getSyncParameter(fence, context.SYNC_STATUS) !== context.SIGNALED && took < 1000) {
        requestAnimationFrame(look);
        return;
      }
      context.deleteSync(fence);
      this.pending = false;
      this.slow = took > SLOW ? this.slow + 1 : 0;
      if (this.slow >= OFTEN) whenSlow();
    };
    requestAnimationFrame(look);
  }
}
