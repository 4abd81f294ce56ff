// What pages say of the commands, from the help of the compiled program: `--write` puts it in, without it the
// pages are only compared.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { commandOverview, commandReference, withCommands } from '../dist/cli/args/reference.js';

const PAGES = { 'README.md': commandOverview(), 'src/cli/README.md': await commandReference() };

for (const [name, text] of Object.entries(PAGES)) {
  const path = fileURLToPath(new URL(`../${name}`, import.meta.url));
  const before = readFileSync(path, 'utf8');
  const after = withCommands(before, text);
  if (process.argv.includes('--write')) {
    writeFileSync(path, after);
  } else if (before !== after) {
    console.error(`${name} differs from the help of the commands: run \`npm run docs\`.`);
    process.exitCode = 1;
  }
}
