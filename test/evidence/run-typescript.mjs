// node --import ./test/evidence/run-typescript.mjs script.ts: runs a script of the tests as it lies there, with
// the program as it was compiled last (dist/).
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { register } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

const SOURCE = new URL('../../src/', import.meta.url).href;
const COMPILED = new URL('../../dist/', import.meta.url).href;
/** The database library, with a simulated machine under it. */
const SQLITE = new URL('sqlite.ts', import.meta.url).href;
/** The way to a PostgreSQL server, with a simulated machine on it. */
const [WIRE, HOSTED_WIRE] = [
  `${COMPILED}store/postgres/wire.js`,
  new URL('world/wire.ts', import.meta.url).href,
];

/** What was compiled before: loading the compiler takes longer than a hundred nights. */
const KEPT = fileURLToPath(new URL('../../node_modules/.cache/callsheet-scripts', import.meta.url));

// Hooks live in a thread of their own, which loads this file again.
if (isMainThread) register(import.meta.url);

/** Called by Node for every import. */
export async function resolve(specifier, context, nextResolve) {
  if (specifier === 'better-sqlite3') return { url: SQLITE, format: 'module', shortCircuit: true };
  const found = await nextResolve(specifier, context);
  if (found.url === WIRE) return { ...found, url: HOSTED_WIRE, format: 'module' };
  if (!found.url.startsWith(SOURCE)) return found;
  const script = found.url.slice(SOURCE.length).replace(/\.ts$/, '.js');
  return { ...found, url: `${COMPILED}${script}`, format: 'module' };
}

/** Called by Node for every module. */
export async function load(url, context, nextLoad) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return nextLoad(url, context);
  return { format: 'module', source: await compiled(fileURLToPath(url)), shortCircuit: true };
}

async function compiled(fileName) {
  const text = readFileSync(fileName, 'utf8');
  const name = createHash('sha256').update(`${fileName}\n${text}`).digest('hex');
  const kept = join(KEPT, `${name}.mjs`);
  try {
    return readFileSync(kept, 'utf8');
  } catch {
    const { outputText } = await compile(text, fileName);
    mkdirSync(KEPT, { recursive: true });
    writeFileSync(`${kept}.${process.pid}`, outputText);
    renameSync(`${kept}.${process.pid}`, kept);
    return outputText;
  }
}

async function compile(text, fileName) {
  const { default: typescript } = await import('typescript');
  const { ModuleKind, ScriptTarget } = typescript;
  return typescript.transpileModule(text, {
    fileName,
    compilerOptions: {
      module: ModuleKind.ESNext,
      target: ScriptTarget.ES2023,
      verbatimModuleSyntax: true,
      inlineSourceMap: true,
    },
  });
}
