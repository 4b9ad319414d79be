// SPDX-License-Identifier: MIT
// Looks at pictures of a page, pixel by pixel; the browser itself decodes them.

// The colours of all pixels go to compute(images, argument), which runs in the page.
function withImages(page, pictures, compute, argument) {
  return page.evaluate(async ([list, source, extra]) => {
    const images = [];
    for (const data of list) {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = document.createElement('canvas');
      Object.assign(canvas, { width: image.width, height: image.height });
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      images.push(context.getImageData(0, 0, image.width, image.height).data);
    }
    return new Function(`return (${source})`)()(images, extra);
  }, [pictures.map((picture) => picture.toString('base64')), compute.toString(), argument]);
}

// How many pixels of two pictures of the same size differ by more than `threshold` in any colour.
export function differing(page, one, two, threshold = 24) {
  return withImages(page, [one, two], ([a, b], limit) => {
    let count = 0;
    for (let i = 0; i < a.length; i += 4) {
      count += [0, 1, 2].some((c) => Math.abs(a[i + c] - b[i + c]) > limit) ? 1 : 0;
    }
    return count;
  }, threshold);
}

// Mean brightness, from 0 to 255.
export function brightness(page, picture) {
  return withImages(page, [picture], ([a]) => {
    let sum = 0;
    for (let i = 0; i < a.length; i += 4) {
      sum += (a[i] + a[i + 1] + a[i + 2]) / 3;
    }
    return sum / (a.length / 4);
  });
}
