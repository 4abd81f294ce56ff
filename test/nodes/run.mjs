// npm run nodes: under each supported Node, with the npm that comes with it, runs what the root page says in a fresh
// clone of HEAD: `npm ci`, `npm run demo`, and the quick tests. Node and npm are installed from the npm registry.
//
//   node test/nodes/run.mjs [--only 26 ...]      --only 22.13.0 takes that version instead of the newest
//
// Takes 3 to 10 minutes for each Node. Exit 1, and the output is kept, when a step fails or prints a warning.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, stripVTControlCharacters } from 'node:util';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The oldest version that `engines` allows, and the newest of each later major. */
const NODES = ['20.19.0', '22', '24', '26'];
const STEPS = [
  { name: 'install', argv: ['ci'], minutes: 20 },
  { name: 'demo', argv: ['run', 'demo'], minutes: 5 },
  { name: 'quick tests', argv: ['run', 'test:quick'], minutes: 30 },
];
const SET_UP_MINUTES = 10;
/** Of settings of this machine that a newer npm does not know, `nodedir` among them, the program is no cause. */
const WARNING =
  /^npm warn (?!Unknown (?:env|user|global|builtin) config )|\(node:\d+\)|(?:Deprecation|Experimental|MaxListenersExceeded)Warning/i;
/** What `npm run` says to this script about this folder; the clones are others. */
const OF_THIS_FOLDER =
  /^npm_(?!config_)|^npm_config_(?:local_prefix|global_prefix|prefix|node_gyp)$/;

const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } });
const nodes = values.only?.map(chosen) ?? NODES;
const folder = mkdtempSync(join(tmpdir(), 'callsheet-nodes-'));
// As the folders in which people keep clones: a test of root's becomes a plain user.
chmodSync(folder, 0o755);
let running;
let isKept = false;
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));
process.on('exit', () => {
  endRunning();
  if (!isKept) rmSync(folder, { recursive: true, force: true });
});

const rows = [];
for (const node of nodes) rows.push(await tryOut(node));
isKept = rows.some(({ isGreen }) => !isGreen);
console.table(Object.fromEntries(rows.map(({ title, cells }) => [title, cells])));
for (const { title, warnings } of rows) {
  for (const line of new Set(warnings)) console.log(`WARNING ${title}: ${line}`);
}
if (isKept) console.log(`The output of each step is in ${folder}`);
process.exitCode = isKept ? 1 : 0;

function chosen(only) {
  const known = NODES.find((node) => node.split('.')[0] === only.split('.')[0]);
  if (known === undefined) throw new Error(`--only takes a version of ${NODES.join(', ')}`);
  return only.includes('.') ? only : known;
}

/** @returns a row of the table; a step that fails is the last one */
async function tryOut(node) {
  const place = join(folder, node);
  const clone = join(place, 'clone');
  mkdirSync(place);
  writeFileSync(join(place, 'package.json'), '{ "private": true }');
  const env = environment(place);
  await mustRun('npm', ['install', `${nodePackage()}@${node}`], { cwd: place, env });
  await mustRun('npm', ['install', `npm@${bundledNpm(place)}`], { cwd: place, env });
  await mustRun('git', ['clone', '--quiet', ROOT, clone], { cwd: place, env });
  const versions = [
    await mustRun('node', ['--version'], { cwd: clone, env }),
    await mustRun('npm', ['--version'], { cwd: clone, env }),
  ];
  const title = `Node ${versions[0].slice(1)}, npm ${versions[1]}`;
  const cells = {};
  const warnings = [];
  let isGreen = true;
  for (const { name, argv, minutes } of STEPS) {
    const step = await run('npm', argv, { cwd: clone, env, minutes });
    writeFileSync(join(folder, `${node}-${name.replace(' ', '-')}.log`), step.printed);
    const lines = step.printed.split('\n').map((line) => line.trim());
    warnings.push(...lines.filter((line) => WARNING.test(line)));
    const [, counted] = /^ *Tests +(.+?)(?: \(\d+\))?$/m.exec(step.printed) ?? [];
    cells[name] =
      `${counted ?? (step.failed === undefined ? 'passed' : step.failed)} (${step.seconds} s)`;
    console.log(`${title}: ${name} ${cells[name]}`);
    isGreen = step.failed === undefined;
    if (!isGreen) break;
  }
  rmSync(place, { recursive: true, force: true });
  cells.warnings = warnings.length;
  return { title, cells, warnings, isGreen: isGreen && warnings.length === 0 };
}

function nodePackage() {
  return `node-${process.platform}-${process.arch}`;
}

/** Node's package has no npm; its list of changes says which one belongs to it. */
function bundledNpm(place) {
  const changes = readFileSync(join(place, 'node_modules', nodePackage(), 'CHANGELOG.md'), 'utf8');
  return /deps\W+(?:upgrade|update) npm to (\d+\.\d+\.\d+)/.exec(changes)[1];
}

function environment(place) {
  const modules = join(place, 'node_modules');
  const kept = Object.entries(process.env).filter(([name]) => !OF_THIS_FOLDER.test(name));
  const path = process.env.PATH.split(delimiter).filter((entry) => !entry.startsWith(ROOT));
  return {
    ...Object.fromEntries(kept),
    PATH: [join(modules, '.bin'), ...path].join(delimiter),
    // The package brings the headers, too, against which the SQLite driver is compiled.
    npm_config_nodedir: join(modules, nodePackage()),
  };
}

async function mustRun(command, argv, options) {
  const { failed, printed } = await run(command, argv, { minutes: SET_UP_MINUTES, ...options });
  if (failed !== undefined) throw new Error(`${command} ${argv.join(' ')} ${failed}:\n${printed}`);
  return printed.trim();
}

/** @returns all that it printed, and how it `failed` unless it ended with 0 */
async function run(command, argv, { cwd, env, minutes }) {
  const startedAt = performance.now();
  // A group of its own, so that nothing that it has started is left.
  running = spawn(command, argv, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks = [];
  for (const stream of [running.stdout, running.stderr]) {
    stream.on('data', (chunk) => chunks.push(chunk));
  }
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    endRunning();
  }, minutes * 60_000);
  const [code] = await once(running, 'close');
  clearTimeout(timer);
  running = undefined;
  const failed = isLate
    ? `not done in ${minutes} minutes`
    : code === 0
      ? undefined
      : `exit ${code}`;
  const printed = stripVTControlCharacters(Buffer.concat(chunks).toString());
  return { failed, printed, seconds: Math.round((performance.now() - startedAt) / 1000) };
}

function endRunning() {
  if (running?.pid === undefined) return;
  try {
    process.kill(-running.pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
