// SPDX-License-Identifier: MIT
// The drawing context of the browser, and whether it is a software renderer, for which less is drawn.

export function isSoftware(context) {
  const info = context.getExtension('WEBGL_debug_renderer_info');
  const name = info ? context.getParameter(info.UNMASKED_RENDERER_WEBGL) : '';
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

// Whether smooth edges are affordable must be known before there is a context: a second one is asked.
function canSmooth(run) {
  const strands = run.strands.reduce((sum, group) => sum + group.count * group.points, 0);
  const rods = run.rods.reduce((sum, rod) => sum + rod.points, 0);
  if (strands < 4000 && rods < 2000) return true;
  const probe = document.createElement('canvas').getContext('webgl2');
  if (!probe) return false;
  const software = isSoftware(probe);
  const end = probe.getExtension('WEBGL_lose_context');
  if (end) end.loseContext();
  return !software;
}

export function openContext(canvas, run) {
  const context = canvas.getContext('webgl2', {
    antialias: canSmooth(run),
    stencil: true,
    alpha: true,
    powerPreference: 'high-performance',
  });
  if (!context) {
    throw new Error('This browser cannot draw in 3D: WebGL 2 is missing or off. The charts work without it.');
  }
  return context;
}
