// SPDX-License-Identifier: MIT
// Builds the page that `withy view` fills: one file, dist/view.html, with script and style inside, no
// reference to any other file, and the same bytes wherever it is built. docs/dev/scene.md says what
// replaces its mark.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const MARK = '<!--withy-scene-->';
const root = fileURLToPath(new URL('.', import.meta.url));

// The licence of the packages inside: both are MIT, which wants its text in every copy.
function licences() {
  const file = (name) => `${root}/node_modules/${name}/LICENSE`;
  const read = (name) => readFileSync(file(name), 'utf8').replace(/\r/g, '').trim();
  const copyright = (text) => text.match(/^Copyright.*$/m)[0].replace('\u00a9', '(c)');
  const [three, uplot] = [read('three'), read('uplot')];
  const terms = uplot.slice(uplot.indexOf('Permission is hereby granted'));
  return `<!--\nInside: three.js, ${copyright(three)}\n        uPlot, ${copyright(uplot)}\n`
    + `both under the MIT License:\n\n${terms}\n-->\n`;
}

// A closing tag in a string must not end the script; "<!--" would change how a browser reads it.
function insideScript(code) {
  if (code.includes('<!--')) {
    throw new Error('the script contains "<!--", which cannot stand in a page');
  }
  return code.replace(/<\/(script|style)/gi, '<\\/$1').trim();
}

// Takes the page, the one script and the one style sheet, and leaves the page alone.
function oneFile() {
  return {
    name: 'one-file',
    enforce: 'post',
    generateBundle(options, bundle) {
      const files = Object.values(bundle);
      const html = files.find((file) => file.fileName === 'index.html').source;
      const code = files.filter((file) => file.type === 'chunk').map((file) => file.code);
      const sheets = files.filter((file) => file.fileName.endsWith('.css'));
      if (files.length !== 3 || code.length !== 1 || sheets.length !== 1) {
        throw new Error(`wanted a page, a script and a style sheet, got ${Object.keys(bundle)}`);
      }
      const page = html
        .replace(/[ \t]*<script\b[^>]*\bsrc=[^>]*><\/script>\s*?\n/g, '')
        .replace(/[ \t]*<link\b[^>]*rel="stylesheet"[^>]*>\s*?\n/g, '')
        .replace('</head>', () => `<style>${String(sheets[0].source).trim()}</style>\n</head>`)
        .replace('</body>', () => `<script type="module">${insideScript(code[0])}</script>\n</body>`)
        .replace('</html>', () => `</html>\n${licences().trim()}`);
      const markup = page.split('<script type="module">')[0];
      if (page.split(MARK).length !== 2 || /\b(src|href)="(?!#|data:)/.test(markup)) {
        throw new Error('the page must contain the mark of the run once, and refer to no other file');
      }
      files.forEach((file) => delete bundle[file.fileName]);
      this.emitFile({ type: 'asset', fileName: 'view.html', source: page });
    },
  };
}

export default defineConfig({
  root,
  base: './',
  publicDir: false,
  logLevel: 'warn',
  build: {
    target: 'es2020',
    emptyOutDir: false, // withy's build reads the file: it must not be missing for a moment
    assetsInlineLimit: Infinity,
    cssCodeSplit: false,
    modulePreload: false,
    sourcemap: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: Infinity,
    rollupOptions: {
      output: { inlineDynamicImports: true, entryFileNames: 'view.js', assetFileNames: '[name][extname]' },
    },
  },
  esbuild: { charset: 'ascii', legalComments: 'none' },
  plugins: [oneFile()],
});
