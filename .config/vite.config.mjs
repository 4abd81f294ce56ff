// Builds the pages of the console into dist/console/pages: files whose names change with their content, and beside
// each its compressed forms, so that the server compresses nothing.
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { defineConfig } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const pages = join(root, 'src/console/pages');
const outDir = join(root, 'dist/console/pages');

export default defineConfig({
  root: pages,
  base: '/',
  publicDir: false,
  cacheDir: join(root, 'dist/.vite'),
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2023',
    // Nothing inline: the Content-Security-Policy allows files of the console alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
  },
  plugins: [{ name: 'compressed', closeBundle: finish }],
});

/** Files that are compressed already, such as fonts, stay as they are. The font's licence goes where the font goes. */
function finish() {
  const font = join(root, 'node_modules/@fontsource-variable/inter');
  copyFileSync(join(font, 'LICENSE'), join(outDir, 'assets/inter-LICENSE.txt'));
  for (const name of readdirSync(outDir, { recursive: true })) {
    if (!/\.(js|css|html|svg)$/.test(name)) continue;
    const path = join(outDir, name);
    const bytes = readFileSync(path);
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
  }
}
