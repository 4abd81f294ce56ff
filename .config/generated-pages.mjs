// What pages say of commands and settings, from the compiled program, and of error codes, from the source:
// `--write` puts it in, without it the pages are only compared.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { EXIT } from '../dist/runtime/errors.js';
import { commandOverview, commandReference, MODULES, withCommands } from './command-pages.mjs';
import { raisedCodes, withErrorCodes } from './error-table.mjs';
import { exampleFile, withSettings } from './setting-pages.mjs';

const pathOf = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const modules = await Promise.all(MODULES.map((name) => import(`../dist/cli/${name}.js`)));
const program = Object.assign({}, ...modules);
const reference = await commandReference(program);
const PAGES = {
  'README.md': (page) => withCommands(page, commandOverview(program)),
  'src/cli/README.md': (page) => withCommands(page, reference),
  'campaigns/README.md': withSettings,
  'campaigns/example.yaml': exampleFile,
  'src/cli/errors.md': (page) => withErrorCodes(page, raisedCodes(pathOf('src'), EXIT)),
};

for (const [name, generate] of Object.entries(PAGES)) {
  const before = readFileSync(pathOf(name), 'utf8');
  const after = generate(before);
  if (process.argv.includes('--write')) {
    writeFileSync(pathOf(name), after);
  } else if (before !== after) {
    console.error(`${name} is not what the program says: run \`npm run docs\`.`);
    process.exitCode = 1;
  }
}
