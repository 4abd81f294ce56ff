// The command reference of README.md, from the help of the compiled program: `--write` puts it in,
// without it the file is only compared.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { withCommandReference } from '../dist/cli/args/reference.js';

const path = fileURLToPath(new URL('../README.md', import.meta.url));
const before = readFileSync(path, 'utf8');
const after = await withCommandReference(before);

if (process.argv.includes('--write')) {
  writeFileSync(path, after);
} else if (before !== after) {
  console.error('The command reference of README.md differs from the help: run `npm run docs`.');
  process.exitCode = 1;
}
