// npm run bench:export: how long the results of a long campaign take to write, with how much memory, in each format.
// The list is imported by the real command; the calls are put into its database at once, as a campaign that is over
// leaves them: an attempt each, and a conversation for three in ten. Nobody is dialled. What is written is counted.
// Exit 1 when a goal is missed, or a row.
//
//   node test/bench/export.mjs [--rows 1000000] [--formats csv,excel,jsonl,xlsx]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  createReadStream,
  createWriteStream,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import Sqlite from 'better-sqlite3';
import { openPromise } from 'yauzl';

/** For csv of a million leads on two cores that do nothing else, a second of it the start; the others are told. */
const GOALS = { seconds: 20, peakMb: 200 };
/** When the first call of the campaign began. */
const BEGAN_AT = Date.UTC(2026, 0, 5, 15);

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    formats: { type: 'string', default: 'csv,excel,jsonl,xlsx' },
  },
});
const rows = Number(values.rows);
const here = fileURLToPath(new URL('.', import.meta.url));
const bin = join(here, '../../dist/bin/callsheet.js');
const folder = mkdtempSync(join(tmpdir(), 'callsheet-export-'));
const database = join(folder, 'callsheet.db');
let missed = 0;

try {
  const list = join(folder, 'list.csv');
  await writeList(list);
  const flags = ['--service', 'simulated', '--rules', 'always', '--country', 'US'];
  await callsheet(['import', 'bench', list, '--agent', 'ag_demo', ...flags, '--db', database]);
  rmSync(list);
  addCalls();
  console.log(
    `${rows} leads with a call each, three in ten of them a conversation; load ${load()}`,
  );
  for (const format of values.formats.split(',')) await measure(format);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = missed > 0 ? 1 : 0;

async function measure(format) {
  const path = join(folder, `results.${format}`);
  const argv = ['export', 'bench', '--format', format, '-o', path, '--db', database];
  const { seconds, cpuS, peakMb } = await callsheet(argv);
  const megabytes = statSync(path).size / 1e6;
  console.log(
    `${format.padEnd(5)} ${seconds.toFixed(1)} s, ${cpuS.toFixed(1)} s CPU, peak ${peakMb.toFixed(0)} MB; ${megabytes.toFixed(0)} MB written; load ${load()}`,
  );
  check('rows missing', rows - (await rowsIn(path, format)), 0);
  if (format === 'csv') check('time, s', seconds, 1 + ((GOALS.seconds - 1) * rows) / 1_000_000);
  if (format === 'csv') check('peak memory, MB', peakMb, GOALS.peakMb);
  rmSync(path);
}

/** Cells as lists have them: numbers as people write them, a note with commas, now and then a sign in front. */
async function writeList(path) {
  const file = createWriteStream(path);
  file.write('First name,Last name,Company,Phone,Email,Notes,Balance\n');
  for (let n = 0; n < rows; n++) {
    const area = [201, 212, 303, 312, 404, 415, 503, 512, 602, 617][n % 10];
    const local = 2_000_000 + Math.floor(n / 10);
    const exchange = Math.floor(local / 10_000);
    const phone = `+1 (${area}) ${exchange}-${String(local % 10_000).padStart(4, '0')}`;
    const note = n % 50 === 0 ? `- asked twice; call after ${n % 12}:30` : `note ${n}, by mail`;
    const line = `Ada${n},Example,Acme ${n % 1_000},"${phone}",ada${n}@example.com,"${note}",-${n % 90}.50\n`;
    if (!file.write(line)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
}

/** As the store leaves a call whose analytics are there; see src/store/sqlite/migrations. */
function addCalls() {
  const db = new Sqlite(database);
  db.pragma('synchronous = OFF');
  db.function('turns_of', { deterministic: true }, (n) => JSON.stringify(turnsOf(n)));
  db.function('transcript_of', { deterministic: true }, (n) =>
    turnsOf(n)
      .map(({ speaker, text }) => `${speaker}: ${text}`)
      .join('\n'),
  );
  db.exec(`
    BEGIN;
    INSERT INTO attempts (key, campaign_id, lead_row, phone, service, agent, ordinal, state, intent_at,
        holds_until, owner_host, owner_boot, owner_pid, answered_at, call_id, ended_at, settled_at, accepted,
        result, result_source, slot_until)
      SELECT 'key_' || row, campaign_id, row, phone, 'simulated', 'ag_demo', 1, 'settled', at, at + 900000,
        'bench', 'bench', 1, at + 200, 'call_' || row, at + 95000, at + 99000, 1,
        CASE WHEN row % 10 < 3 THEN 'answered' ELSE 'no_answer' END, 'service', NULL
      FROM (SELECT row, campaign_id, phone, ${BEGAN_AT} + row * 300 AS at FROM leads ORDER BY row);
    INSERT INTO analytics (attempt_seq, received_at, transcript, turns, duration_ms, sentiment_label,
        sentiment_score, summary, recording_url, cost_currency, cost, raw)
      SELECT seq, settled_at,
        CASE WHEN lead_row % 10 < 3 THEN transcript_of(lead_row) END,
        CASE WHEN lead_row % 10 < 3 THEN turns_of(lead_row) END,
        CASE WHEN lead_row % 10 < 3 THEN 40000 + lead_row % 90000 ELSE 0 END,
        CASE WHEN lead_row % 10 < 3 THEN 'positive' END, CASE WHEN lead_row % 10 < 3 THEN 0.8 END,
        CASE WHEN lead_row % 10 < 3 THEN 'Asked about the price, and wants an offer by mail.' END,
        'https://recordings.example.com/' || call_id || '.mp3', 'USD', '0.12',
        json_object('id', call_id, 'status', 'completed', 'duration', 95)
      FROM attempts ORDER BY seq;
    UPDATE leads SET state = 'done', spent = 1, result_source = 'service',
      result = CASE WHEN row % 10 < 3 THEN 'answered' ELSE 'no_answer' END;
    UPDATE campaigns SET state = 'completed';
    COMMIT`);
  db.close();
}

/** Six to seventeen of them, some 900 characters in all. */
function turnsOf(n) {
  const said = [
    ['agent', 'Good afternoon, this is the renewal desk of Example Energy. Do you have a minute?'],
    ['person', 'Well - yes, but be quick; I am on my way out.'],
    [
      'agent',
      `Your contract number ends in ${n % 10_000}, and it runs until the end of the month.`,
    ],
    ['person', 'I know. What would it cost me, if I stayed?'],
    ['agent', 'The same as now: 42.50 a month, and the first two months are free of charge.'],
    ['person', 'Hm. "Free", you say?'],
  ];
  const count = 6 + (n % 12);
  return Array.from({ length: count }, (_, i) => {
    const [speaker, text] = said[i % said.length];
    return { speaker, text };
  });
}

/** Rows below the column names, counted by another reader than the writer's. */
async function rowsIn(path, format) {
  if (format === 'xlsx') return (await rowsInWorkbook(path)) - 1;
  const isCsv = format !== 'jsonl';
  let ends = 0;
  let quoted = false;
  for await (const bytes of createReadStream(path, { highWaterMark: 1 << 20 })) {
    for (const byte of bytes) {
      if (byte === 0x22 && isCsv) quoted = !quoted;
      else if (byte === 0x0a && !quoted) ends += 1;
    }
  }
  return isCsv ? ends - 1 : ends;
}

async function rowsInWorkbook(path) {
  const zip = await openPromise(path);
  let found = 0;
  for await (const entry of zip.eachEntry()) {
    if (!entry.fileName.startsWith('xl/worksheets/')) continue;
    let rest = '';
    for await (const bytes of await zip.openReadStreamPromise(entry)) {
      const pieces = (rest + bytes.toString('latin1')).split('<row ');
      found += pieces.length - 1;
      rest = (pieces.at(-1) ?? '').slice(-4);
    }
  }
  return found;
}

async function callsheet(argv) {
  const usage = join(folder, 'usage.json');
  const before = performance.now();
  const preload = ['--import', pathToFileURL(join(here, 'usage.mjs')).href];
  const child = spawn(process.execPath, [...preload, bin, ...argv], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, BENCH_USAGE: usage },
  });
  let said = '';
  child.stderr.on('data', (chunk) => (said = (said + chunk).slice(-2_000)));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`callsheet ${argv.join(' ')} ended with ${code}\n${said}`);
  const { peakMb, cpuS } = JSON.parse(readFileSync(usage, 'utf8'));
  const seconds = (performance.now() - before) / 1_000;
  return { seconds, cpuS, peakMb: peakMb * 1.048576 };
}

function load() {
  return loadavg()[0].toFixed(1);
}

function check(what, found, goal) {
  const holds = found <= goal;
  if (!holds) missed += 1;
  console.log(`  ${holds ? 'holds ' : 'MISSED'} ${what}: ${found.toFixed(1)} (goal ${goal})`);
}
