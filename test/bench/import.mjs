// npm run bench:import: how long the import of a long list takes, with how much memory, what an interruption
// costs, and how long a runner's commits wait beside it. The numbers are made up and nobody is dialled: the
// service is the embedded one, and the campaign is never run. Exit 1 when a goal is missed.
//
//   node test/bench/import.mjs [--part alone,resumed,beside] [--rows 1000000] [--rounds 3] [--order random|list]
//     [--gigabytes 0]
//
// alone: in turn with import-plain.mjs; beside: a runner, which takes some minutes for a million rows.
import { createHash } from 'node:crypto';
import {
  createWriteStream,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import Sqlite from 'better-sqlite3';
import {
  begin,
  callsheet,
  CALLSHEET,
  check,
  heading,
  inTurn,
  load,
  measure,
  quantile,
} from './measure.mjs';

/** Time compared with import-plain.mjs; MB, of a check of a huge list, too; ms of 99 % of a runner's commits. */
const GOALS = { time: 1.05, memory: 150, hugeMemory: 300, commitMs: 20 };
const { values } = parseArgs({
  options: {
    part: { type: 'string', default: 'alone,resumed,beside' },
    rows: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
    order: { type: 'string', default: 'random' },
    gigabytes: { type: 'string', default: '0' },
  },
});
const rows = Number(values.rows);
const parts = values.part.split(',');
const here = fileURLToPath(new URL('.', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'callsheet-import-'));

try {
  const list = join(folder, 'list.csv');
  await writeList(list, (n) => n < rows);
  console.log(`${rows} rows, numbers in ${values.order} order; load ${load()}`);
  if (parts.includes('alone')) await alone(list);
  if (parts.includes('resumed')) await brokenOff(list);
  if (parts.includes('beside')) await besideRunner(list);
  if (Number(values.gigabytes) > 0) await large(Number(values.gigabytes) * 1e9);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function alone(list) {
  heading(`import of ${rows.toLocaleString('en')} rows`);
  const found = await inTurn(Number(values.rounds), {
    callsheet: (round) => callsheet(importOf(list, `alone-${round}.db`)),
    plain: () => measure([join(here, 'import-plain.mjs'), list, String(rows)]),
  });
  const { seconds, cpuS, peakMb } = found.callsheet;
  check(
    'time / that of csv-parse and libphonenumber-js',
    seconds / found.plain.seconds,
    GOALS.time,
    {
      baseline: `${seconds.toFixed(1)} s, the libraries alone ${found.plain.seconds.toFixed(1)} s`,
    },
  );
  console.log(`  processor time: ${(cpuS / found.plain.cpuS).toFixed(2)}`);
  check('peak memory', peakMb, GOALS.memory, {
    unit: 'MB',
    baseline: `the libraries alone ${found.plain.peakMb.toFixed(0)} MB`,
  });
}

async function brokenOff(list) {
  const path = join(folder, 'resumed.db');
  const { child, ended } = begin([CALLSHEET, ...importOf(list, 'resumed.db')]);
  const broken = ended.catch(() => undefined);
  await until(() => existsSync(path) && countIn(path) >= rows / 2);
  child.kill('SIGINT');
  await broken;
  heading(`an import interrupted with ${countIn(path)} rows`);
  const { seconds } = await callsheet(importOf(list, 'resumed.db'));
  console.log(`  resumed: ${seconds.toFixed(1)} s`);
  const whole = join(folder, 'alone-1.db');
  if (!existsSync(whole)) await callsheet(importOf(list, 'alone-1.db'));
  check('rows that differ after it (0: none)', contentOf(path) === contentOf(whole) ? 0 : 1, 0);
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

  heading('a runner’s commits beside an import');
  const quiet = await commits(store, id, owner, (n) => n < 200);
  say('alone', quiet);
  const { child, ended } = begin([CALLSHEET, ...importOf(list, 'beside.db')]);
  await until(() => countIn(path) > 0);
  const busy = await commits(store, id, owner, () => child.exitCode === null);
  await ended;
  await store.close();
  say(`beside an import of ${countIn(path)} rows`, busy);
  check('99 % of the commits beside the import', quantile(busy, 0.99), GOALS.commitMs, {
    unit: 'ms',
  });
}

/** As an import stores them. */
async function settingsOfImport() {
  const one = join(folder, 'one.csv');
  const path = join(folder, 'one.db');
  writeFileSync(one, 'Phone\n+12015550100\n');
  await callsheet(importOf(one, 'one.db'));
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
  return took;
}

/** What `check` makes of a list that fits into no memory. */
async function large(bytes) {
  const list = join(folder, 'large.csv');
  const written = await writeList(list, (_, size) => size < bytes, 'x'.repeat(400));
  heading(`check of ${written} rows, ${(bytes / 1e9).toFixed(1)} GB`);
  const { seconds, peakMb } = await callsheet(['check', list, ...flags('large.db')]);
  console.log(`  ${seconds.toFixed(1)} s`);
  check('peak memory', peakMb, GOALS.hugeMemory, { unit: 'MB' });
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

function say(what, took) {
  const figures = [0.5, 0.99, 1].map((part) => quantile(took, part).toFixed(1)).join(' / ');
  console.log(
    `  ${what}: ${took.length} commits, ${figures} ms (half / 99 % / longest); load ${load()}`,
  );
}
