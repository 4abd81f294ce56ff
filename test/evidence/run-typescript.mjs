// node --import ./test/evidence/run-typescript.mjs script.ts: runs a script of the tests as it lies there, with
// the program as it was compiled last (dist/).
import { readFileSync } from 'node:fs';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

const SOURCE = new URL('../../src/', import.meta.url).href;
const COMPILED = new URL('../../dist/', import.meta.url).href;

// Hooks live in a thread of their own, which loads this file again; only there the compiler is needed.
const typescript = isMainThread ? undefined : (await import('typescript')).default;
if (isMainThread) register(import.meta.url);

/** Called by Node for every import. */
export async function resolve(specifier, context, nextResolve) {
  const found = await nextResolve(specifier, context);
  if (!found.url.startsWith(SOURCE)) return found;
  const script = found.url.slice(SOURCE.length).replace(/\.ts$/, '.js');
  return { ...found, url: `${COMPILED}${script}`, format: 'module' };
}

/** Called by Node for every module. */
export async function load(url, context, nextLoad) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return nextLoad(url, context);
  const fileName = fileURLToPath(url);
  const { ModuleKind, ScriptTarget } = typescript;
  const { outputText } = typescript.transpileModule(readFileSync(fileName, 'utf8'), {
    fileName,
    compilerOptions: {
      module: ModuleKind.ESNext,
      target: ScriptTarget.ES2023,
      verbatimModuleSyntax: true,
      inlineSourceMap: true,
    },
  });
  return { format: 'module', source: outputText, shortCircuit: true };
}
