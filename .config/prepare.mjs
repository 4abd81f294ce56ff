// Builds dist/: compiles src, and packs the command with its libraries into dist/bin, since reading a hundred
// files from one folder takes half as long as finding two thousand in node_modules. Builds the pages of the
// console beside them. Run by `npm ci`;
// with --omit=dev there is no compiler, and dist/ must have been built already.
import { deepStrictEqual } from 'node:assert';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { postgresFiles } from './postgres-schema.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const compiler = findCompiler();
if (compiler === undefined) process.exit(0);

const { status } = spawnSync(process.execPath, [compiler, '-p', '.config/tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
});
if (status !== 0) process.exit(status ?? 1);
await pack();
for (const folder of ['dist/store/postgres', 'dist/bin'])
  for (const [name, text] of Object.entries(postgresFiles()))
    writeFileSync(`${root}${folder}/${name}`, text);
for (const folder of ['dist/store/sqlite', 'dist/bin']) {
  // One that has another name now must not stay.
  rmSync(`${root}${folder}/migrations`, { recursive: true, force: true });
  for (const sql of ['migrations', 'schema.sql', 'console.sql'])
    cpSync(`${root}src/store/sqlite/${sql}`, `${root}${folder}/${sql}`, { recursive: true });
}
await readShipped();
cpSync(`${root}.config/start.cjs`, `${root}dist/bin/callsheet.js`);
chmodSync(`${root}dist/bin/callsheet.js`, 0o755);
await Promise.all([keepCode(), buildPages()]);

async function pack() {
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    cwd: root,
    input: {
      callsheet: 'dist/cli/bin.js',
      // Threads, which are started by their names.
      'store-thread': 'dist/store/postgres/store-thread.js',
      'wire-thread': 'dist/store/postgres/wire-thread.js',
    },
    platform: 'node',
    // Has a compiled part that it looks for beside itself; the other one is not installed, and pg does without.
    external: ['better-sqlite3', 'pg-native'],
    // Only yargs has it, to extend files of settings.
    transform: { define: { 'import.meta.resolve': 'undefined' } },
    logLevel: 'warn',
  });
  // As CommonJS, which Node loads 100 ms faster than modules.
  const [entryFileNames, banner] = ['[name].cjs', "'use strict';"];
  const form = { format: 'cjs', banner, entryFileNames, chunkFileNames: entryFileNames };
  await bundle.write({ dir: 'dist/bin', cleanDir: true, ...form });
  await bundle.close();
  writeFileSync(`${root}dist/bin/package.json`, '{ "type": "commonjs" }\n');
  for (const thread of ['store-thread', 'wire-thread'])
    writeFileSync(`${root}dist/bin/${thread}.js`, `require('./${thread}.cjs');\n`);
}

/** The profiles and rules that come with callsheet, as the program reads them, so that no run has to parse them. */
async function readShipped() {
  const { loadRule, ruleNames } = await import('../dist/config/rules/load-rule.js');
  const { readYaml } = await import('../dist/service/profile/profile.js');
  const { loadZoneCorrections } = await import('../dist/config/rules/zone-overrides.js');
  const { textKey } = await import('../dist/runtime/yaml.js');
  const textOf = (path) => readFileSync(`${root}campaigns/${path}`, 'utf8');
  const rules = ruleNames().map((name) => [`rules/${name}.yaml`, { ...loadRule(name), path: '' }]);
  const profiles = readdirSync(`${root}campaigns/profiles`)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => [`profiles/${file}`, readYaml(textOf(`profiles/${file}`), file).value]);
  const zones = ['rules/zone-overrides.yaml', loadZoneCorrections()];
  const read = [...rules, ...profiles, zones].map(([path, value]) => [
    textKey(textOf(path)),
    value,
  ]);
  const json = JSON.stringify(Object.fromEntries(read));
  deepStrictEqual(JSON.parse(json), Object.fromEntries(read));
  writeFileSync(`${root}dist/bin/read-at-build.json`, json);
}

/** By a run with the embedded service, in a folder of its own; without it, the program only starts more slowly. */
async function keepCode() {
  const cwd = mkdtempSync(join(tmpdir(), 'callsheet-code-'));
  const env = { ...process.env, CALLSHEET_HOME: cwd, CALLSHEET_DB: '' };
  const list = `${root}data/samples/leads.csv`;
  const run = ['run', list, '--service', 'simulated', '--country', 'US', '--yes', '--limit', '1'];
  const before = ['--require', `${root}.config/keep-code.cjs`, `${root}dist/bin/callsheet.js`];
  for (const words of [run, ['status', 'leads']]) {
    const how = { cwd, env, stdio: 'ignore', timeout: 60_000 };
    const [code] = await once(spawn(process.execPath, [...before, ...words], how), 'exit');
    if (words === run && ![0, 3].includes(code))
      console.error('Not all code is kept: starts may be slower.');
  }
  rmSync(cwd, { recursive: true });
}

async function buildPages() {
  const { build } = await import('vite');
  await build({ configFile: `${root}.config/vite.config.mjs` });
}

function findCompiler() {
  try {
    return createRequire(import.meta.url).resolve('typescript/bin/tsc');
  } catch {
    return undefined;
  }
}
