// npm run planted-postgres: plants the mistakes of postgres-faults.mjs one at a time into a copy of the program as it was built
// last, and runs the tests on a real server that must catch them. Exit 1 when one is not caught.
//
//   node test/planted/runner/postgres.mjs [part-of-a-title]
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import typescript from 'typescript';
import { POSTGRES_FAULTS } from './postgres-faults.mjs';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const COPIED = ['src', 'dist', 'test', 'campaigns', 'package.json', 'tsconfig.json'];
const CONFIG = 'test/store/postgres/vitest.config.ts';
const { ModuleKind, ScriptTarget } = typescript;
const compilerOptions = {
  module: ModuleKind.ESNext,
  target: ScriptTarget.ES2023,
  rewriteRelativeImportExtensions: true,
};

const [part = ''] = process.argv.slice(2);
const faults = POSTGRES_FAULTS.filter(({ title }) => title.includes(part));
const copy = mkdtempSync(join(tmpdir(), 'callsheet-planted-'));
process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));

const missed = faults.filter((fault) => !isCaught(fault)).map(({ title }) => title);
console.log(`${faults.length - missed.length} of ${faults.length} planted faults caught`);
for (const title of missed) console.log(`FAILED ${title}`);
process.exitCode = missed.length === 0 && faults.length > 0 ? 0 : 1;

function isCaught({ title, file, text, replacement, tests, named = '' }) {
  const compiled = file.replace(/^src/, 'dist').replace(/ts$/, 'js');
  const [source, before] = [file, compiled].map((name) => readFileSync(join(copy, name), 'utf8'));
  if (!source.includes(text)) throw new Error(`${file} has no ${text}`);
  const faulty = source.replace(text, () => replacement);
  write(file, faulty);
  write(compiled, typescript.transpileModule(faulty, { compilerOptions }).outputText);
  const fails = !pass(tests, named);
  write(file, source);
  write(compiled, before);
  // The same tests must pass without it.
  const caught = faulty !== source && fails && pass(tests, named);
  console.log(`${caught ? 'ok ' : 'NOT'} ${title}`);
  return caught;
}

function pass(tests, named) {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const args = ['run', '--config', CONFIG, '--bail', '1', '-t', named, ...tests];
  return spawnSync(process.execPath, [vitest, ...args], { cwd: copy }).status === 0;
}

function write(name, text) {
  writeFileSync(join(copy, name), text);
}
