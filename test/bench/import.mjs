// npm run bench:import: how long the import of a long list takes, with how much memory, what an interruption
// costs, and how long a runner's commits wait beside it. The numbers are made up and nobody is dialled: the
// service is the embedded one, and the campaign is never run. Exit 1 when a goal is missed.
//
//   node test/bench/import.mjs [--rows 1000000] [--order random|list] [--gigabytes 0] [--beside]
//
// --beside: only the part beside a runner, which takes some minutes for a million rows.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  createWriteStream,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import Sqlite from 'better-sqlite3';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    order: { type: 'string', default: 'random' },
    gigabytes: { type: 'string', default: '0' },
    beside: { type: 'boolean', default: false },
  },
});
const rows = Number(values.rows);
const share = rows / 1_000_000;
const here = fileURLToPath(new URL('.', import.meta.url));
const bin = join(here, '../../dist/bin/callsheet.js');
const folder = mkdtempSync(join(tmpdir(), 'callsheet-import-'));
let missed = 0;

try {
  const list = join(folder, 'list.csv');
  await writeList(list, (n) => n < rows);
  console.log(`${rows} rows, numbers in ${values.order} order; load ${load()}`);
  if (!values.beside) {
    await alone(list);
    await brokenOff(list);
  }
  await besideRunner(list);
  if (Number(values.gigabytes) > 0) await large(Number(values.gigabytes) * 1e9);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = missed > 0 ? 1 : 0;

async function alone(list) {
  const { seconds, peakMb, cpuS } = await callsheet('alone', importOf(list, 'alone.db'));
  console.log(
    `import: ${seconds.toFixed(1)} s, ${cpuS.toFixed(1)} s CPU, peak ${(peakMb * 1.048576).toFixed(0)} MB`,
  );
  check('import, s', seconds, 35 * share);
  check('peak memory, MB', peakMb * 1.048576, 200);
}

async function brokenOff(list) {
  const path = join(folder, 'resumed.db');
  const begun = start('begun', importOf(list, 'resumed.db'));
  await until(() => existsSync(path) && countIn(path) >= rows / 2);
  begun.kill('SIGINT');
  await once(begun, 'exit');
  console.log(`interrupted with ${countIn(path)} rows`);
  const { seconds } = await callsheet('resumed', importOf(list, 'resumed.db'));
  console.log(`resumed: ${seconds.toFixed(1)} s`);
  const same = contentOf(path) === contentOf(join(folder, 'alone.db'));
  check('rows that differ after it (0: none)', same ? 0 : 1, 0);
}

/** A runner of another campaign in the same database commits as runners do, fifty times a second. */
async function besideRunner(list) {
  const dist = (path) => import(pathToFileURL(join(here, '../../dist', path)).href);
  const { openSqliteStore } = await dist('store/sqlite/open.js');
  const path = join(folder, 'beside.db');
  rmSync(join(folder, 'resumed.db'), { force: true });
  const store = openSqliteStore({ path, mode: 'dial' });
  const at = Date.now();
  const entry = { at, who: 'bench', what: 'campaign.created', detail: {} };
  const settings = await settingsOfImport();
  const id = 'cmp_running';
  const campaign = { id, name: 'running', kind: 'list', service: 'simulated', simulated: true };
  await store.createCampaign({ ...campaign, settings, createdAt: at }, entry);
  await store.changeCampaign(id, { state: 'running' }, entry);
  const owner = { host: 'bench', boot: 'bench', pid: process.pid };
  await store.runnerSeen(id, owner, Date.now());

  const quiet = await commits(store, id, owner, (n) => n < 200);
  say('a runner’s commits alone', quiet);
  const importing = start('beside', importOf(list, 'beside.db'));
  const ended = once(importing, 'exit');
  await until(() => countIn(path) > 0);
  const busy = await commits(store, id, owner, () => importing.exitCode === null);
  await ended;
  await store.close();
  say(`beside an import of ${countIn(path)} rows`, busy);
  check('commits beside the import, ms (99 %)', at99(busy), 20);
}

/** As an import stores them. */
async function settingsOfImport() {
  const one = join(folder, 'one.csv');
  const path = join(folder, 'one.db');
  writeFileSync(one, 'Phone\n+12015550100\n');
  await callsheet('one', importOf(one, 'one.db'));
  return JSON.parse(read(path, (db) => db.prepare('SELECT settings FROM campaigns').pluck().get()));
}

async function commits(store, id, owner, goOn) {
  const took = [];
  for (let n = 0; goOn(n); n++) {
    if (n % 150 === 0) await store.runnerSeen(id, owner, Date.now());
    const before = performance.now();
    await store.addHistory(id, { at: Date.now(), who: 'bench', what: 'bench.written', detail: {} });
    took.push(performance.now() - before);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return took.sort((a, b) => a - b);
}

/** What `check` makes of a list that fits into no memory. */
async function large(bytes) {
  const list = join(folder, 'large.csv');
  const written = await writeList(list, (_, size) => size < bytes, 'x'.repeat(400));
  const { seconds, peakMb } = await callsheet('large', ['check', list, ...flags('large.db')]);
  console.log(`check of ${written} rows, ${(bytes / 1e9).toFixed(1)} GB: ${seconds.toFixed(1)} s`);
  check('peak memory, MB', peakMb, 300);
}

/** Numbers of ten area codes, each once: a step that is prime to their count visits them in no order. */
async function writeList(path, goOn, padding = '') {
  const file = createWriteStream(path);
  file.write('First name,Last name,Company,Phone,Email,Notes,Timezone\n');
  const areas = [201, 212, 303, 312, 404, 415, 503, 512, 602, 617];
  const count = 7_990_000;
  let piece = '';
  let size = 0;
  let n = 0;
  for (; goOn(n, size) && n < count * 2; n++) {
    const at = values.order === 'random' ? (n * 3_333_337) % count : n % count;
    const area = areas[Math.floor(at / 799_000) % 10];
    const exchange = 200 + (Math.floor(at / 1_000) % 799);
    const number = `+1 (${area}) ${exchange}-${Math.floor(at / 7_990_00) % 10}${String(at % 1_000).padStart(3, '0')}`;
    piece += `Ada${n},Example,Acme ${n % 1_000},"${number}",ada${n}@example.com,"note ${n} ${padding}",America/New_York\n`;
    if (piece.length < 1_000_000) continue;
    size += piece.length;
    if (!file.write(piece)) await once(file, 'drain');
    piece = '';
  }
  file.end(piece);
  await once(file, 'close');
  return n;
}

function importOf(list, database) {
  return ['import', 'bench', list, '--agent', 'ag_demo', ...flags(database)];
}

function flags(database) {
  const where = ['--db', join(folder, database)];
  return ['--service', 'simulated', '--rules', 'always', '--country', 'US', ...where];
}

function start(name, argv) {
  const env = { ...process.env, BENCH_USAGE: join(folder, `${name}.json`) };
  const usage = pathToFileURL(join(here, 'usage.mjs')).href;
  return spawn(process.execPath, ['--import', usage, bin, ...argv], { stdio: 'ignore', env });
}

async function callsheet(name, argv) {
  const before = performance.now();
  const [code] = await once(start(name, argv), 'exit');
  if (code !== 0) throw new Error(`callsheet ${argv.join(' ')} ended with ${code}`);
  const seconds = (performance.now() - before) / 1_000;
  return { seconds, ...JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) };
}

function countIn(path) {
  return read(path, (db) => db.prepare('SELECT count(*) FROM leads').pluck().get());
}

function contentOf(path) {
  return read(path, (db) => {
    const hash = createHash('sha256');
    const all = db.prepare('SELECT line, phone, cells, state FROM leads ORDER BY position');
    for (const row of all.raw().iterate()) hash.update(JSON.stringify(row));
    return hash.digest('hex');
  });
}

function read(path, work) {
  const db = new Sqlite(path, { readonly: true });
  try {
    return work(db);
  } catch {
    return 0;
  } finally {
    db.close();
  }
}

async function until(isSo) {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 200));
}

function at99(sorted) {
  return sorted[Math.floor(sorted.length * 0.99)] ?? 0;
}

function say(what, sorted) {
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const last = sorted.at(-1) ?? 0;
  const figures = [middle, at99(sorted), last].map((ms) => ms.toFixed(1)).join(' / ');
  console.log(
    `${what}: ${sorted.length} commits, ${figures} ms (half / 99 % / longest); load ${load()}`,
  );
}

function load() {
  return loadavg()[0].toFixed(1);
}

function check(what, found, goal) {
  const holds = found <= goal;
  if (!holds) missed += 1;
  console.log(`  ${holds ? 'holds ' : 'MISSED'} ${what}: ${found.toFixed(1)} (goal ${goal})`);
}
