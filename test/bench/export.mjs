// npm run bench:export: how long the results of a long campaign take to write, with how much memory, in each format.
// The list is imported by the real command; the calls are put into its database at once, as a campaign that is over
// leaves them: an attempt each, and a conversation of 2 kB. Nobody is dialled. csv is measured in turn with
// export-plain.mjs; what is written is counted. Exit 1 when a goal is missed, or a row.
//
//   node test/bench/export.mjs [--rows 1000000] [--rounds 3] [--formats csv,excel,jsonl,xlsx]
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import Sqlite from 'better-sqlite3';
import { openPromise } from 'yauzl';
import { callsheet, check, heading, inTurn, load, measure, shownUsage } from './measure.mjs';

/** For csv, compared with export-plain.mjs; MB. The other formats are told. */
const GOALS = { time: 1.1, memory: 200 };
/** When the first call of the campaign began. */
const BEGAN_AT = Date.UTC(2026, 0, 5, 15);

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
    formats: { type: 'string', default: 'csv,excel,jsonl,xlsx' },
  },
});
const rows = Number(values.rows);
const folder = mkdtempSync(join(tmpdir(), 'callsheet-export-'));
const database = join(folder, 'callsheet.db');

try {
  const list = join(folder, 'list.csv');
  await writeList(list);
  const flags = ['--service', 'simulated', '--rules', 'always', '--country', 'US'];
  await callsheet(['import', 'bench', list, '--agent', 'ag_demo', ...flags, '--db', database]);
  rmSync(list);
  addCalls();
  heading(
    `export of ${rows.toLocaleString('en')} leads with a conversation of 2 kB each`,
    `; load ${load()}`,
  );
  for (const format of values.formats.split(',')) {
    if (format === 'csv') await compared();
    else await one(format);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function compared() {
  const [path, other] = [pathOf('csv'), join(folder, 'plain.csv')];
  const plain = fileURLToPath(new URL('export-plain.mjs', import.meta.url));
  const found = await inTurn(Number(values.rounds), {
    callsheet: () => callsheet(exportOf('csv')),
    plain: () => measure([plain, database, other]),
  });
  const { seconds, cpuS, peakMb } = found.callsheet;
  const [written, beside] = [path, other].map((name) => (statSync(name).size / 1e6).toFixed(0));
  console.log(`  ${written} MB written, plainly ${beside} MB`);
  check('csv: time / that of a plain read and write', seconds / found.plain.seconds, GOALS.time, {
    baseline: `${seconds.toFixed(2)} s, plainly ${found.plain.seconds.toFixed(2)} s`,
  });
  console.log(`  processor time: ${(cpuS / found.plain.cpuS).toFixed(2)}`);
  check('csv: peak memory', peakMb, GOALS.memory, {
    unit: 'MB',
    baseline: `plainly ${found.plain.peakMb.toFixed(0)} MB`,
  });
  check('csv: rows missing', rows - (await rowsIn(path, 'csv')), 0);
  for (const name of [path, other]) rmSync(name);
}

async function one(format) {
  const path = pathOf(format);
  const usage = await callsheet(exportOf(format));
  const megabytes = (statSync(path).size / 1e6).toFixed(0);
  console.log(`  ${format}: ${shownUsage(usage)}; ${megabytes} MB written; load ${load()}`);
  check(`${format}: rows missing`, rows - (await rowsIn(path, format)), 0);
  rmSync(path);
}

function pathOf(format) {
  return join(folder, `results.${format}`);
}

function exportOf(format) {
  return ['export', 'bench', '--format', format, '-o', pathOf(format), '--db', database];
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
        'bench', 'bench', 1, at + 200, 'call_' || row, at + 95000, at + 99000, 1, 'answered', 'service', NULL
      FROM (SELECT row, campaign_id, phone, ${BEGAN_AT} + row * 300 AS at FROM leads ORDER BY row);
    INSERT INTO analytics (attempt_seq, received_at, transcript, turns, duration_ms, sentiment_label,
        sentiment_score, summary, recording_url, cost_currency, cost, raw, refusal)
      SELECT seq, settled_at, transcript_of(lead_row), turns_of(lead_row), 40000 + lead_row % 90000, 'positive', 0.8,
        'Asked about the price, and wants an offer by mail.',
        'https://recordings.example.com/' || call_id || '.mp3', 'USD', '0.12',
        json_object('id', call_id, 'status', 'completed', 'duration', 95), ''
      FROM attempts ORDER BY seq;
    UPDATE leads SET state = 'done', spent = 1, result_source = 'service', result = 'answered';
    UPDATE campaigns SET state = 'completed';
    COMMIT`);
  db.close();
}

/** 30 to 35 of them, some 2,000 characters in all. */
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
  const count = 30 + (n % 6);
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
