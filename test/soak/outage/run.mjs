// npm run outage: how many people an outage of the service leaves in doubt. A list of 200 people at concurrency 20, in
// real processes whose time passes quickly; when half of them have been dialled, the service is away for an hour.
//
//   node test/soak/outage/run.mjs [--kinds 503,reset,hang,410,409,500] [--people 200] [--concurrency 20] [--jobs 2]
//
// Takes 3 to 5 minutes. Exit 1 when a kind leaves more in doubt than one beside the dials that were in flight when it
// began, or somebody rang twice or was never called; then the folder is kept.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';
import { timetableOf } from '../nights/timetable.mjs';
import { phoneOf } from '../phones.mjs';
import { callsheet, killAll, startService } from '../processes.mjs';
import { KINDS, startWire } from './wire.mjs';

const { values } = parseArgs({
  options: {
    kinds: { type: 'string', default: KINDS.join(',') },
    people: { type: 'string', default: '200' },
    concurrency: { type: 'string', default: '20' },
    jobs: { type: 'string', default: '2' },
  },
});
const [people, concurrency, jobs] = ['people', 'concurrency', 'jobs'].map((name) => {
  const number = Number(values[name]);
  if (Number.isInteger(number) && number >= 1) return number;
  throw new Error(`--${name} is a whole number from 1 on, not "${values[name]}"`);
});
const kinds = values.kinds.split(',');
const strange = kinds.find((kind) => !KINDS.includes(kind));
if (strange !== undefined)
  throw new Error(`--kinds are some of ${KINDS.join(', ')}, not "${strange}"`);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));
process.on('exit', killAll);

/** A minute passes in a second. */
const SPEED = 60;
const OUTAGE_MS = 3_600_000;
/** Monday, 10:00 in New York. */
const BEGINS_AT = Date.parse('2026-01-05T10:00:00-05:00');
const FAST = [
  ...['--import', fileURLToPath(new URL('../nights/fast-clock.mjs', import.meta.url))],
  fileURLToPath(new URL('../../../dist/cli/bin.js', import.meta.url)),
];

const folder = mkdtempSync(join(tmpdir(), 'callsheet-outage-'));
console.log(`${people} people, ${concurrency} calls at once, an hour of outage; in ${folder}`);
console.log(
  'kind    met it  in doubt  in flight  later  limit  reads  rang twice  not called  exit',
);
const queue = [...kinds];
let problems = 0;
await Promise.all(Array.from({ length: jobs }, work));
if (problems > 0) {
  console.log(`FAILED ${problems} of ${kinds.length} kinds; everything is kept in ${folder}`);
  process.exitCode = 1;
} else {
  rmSync(folder, { recursive: true });
  console.log('no outage left more than one person in doubt beside the dials that were in flight');
}
process.exit();

async function work() {
  for (let kind = queue.shift(); kind !== undefined; kind = queue.shift()) {
    const { inFlight, later, dialled, reads, doubts, twice, missed, code } = await play(kind);
    const limit = 1 + inFlight;
    const isGood = doubts <= limit && twice === 0 && missed === 0;
    if (!isGood) problems += 1;
    const cells = [kind.padEnd(6), pad(dialled, 6), pad(doubts, 8), pad(inFlight, 9)];
    const rest = [pad(later, 5), pad(limit, 5)];
    const more = [pad(reads, 5), pad(twice, 10), pad(missed, 10), pad(code, 4)];
    console.log(`${[...cells, ...rest, ...more].join('  ')}${isGood ? '' : '  FAILED'}`);
  }
}

/** One campaign with one outage. */
async function play(kind) {
  const place = join(folder, kind);
  mkdirSync(place);
  const phones = Array.from({ length: people }, (_, i) => phoneOf(i));
  writeFileSync(join(place, 'leads.csv'), `phone\n${phones.join('\n')}\n`);
  const timetable = { realAt: Date.now(), pieces: [{ at: BEGINS_AT, speed: SPEED }] };
  const how = { env: { SOAK_TIMETABLE: JSON.stringify(timetable) }, program: FAST };
  const service = await startService(place, [], how);
  const after = Math.floor(people / 2);
  const wire = await startWire(service.url, { kind, after, forMs: OUTAGE_MS / SPEED });
  const db = ['--db', 'outage.db'];
  const run = callsheet(place, 'run', [...argvOf(wire.url), ...db, '--new-db'], how);
  let { code } = await run.ended;
  // Where the campaign was paused for it, a person resumes it once the service is back.
  await wire.isOver;
  const isOpen = !run.said.err.includes(', 0 waiting\n');
  for (const command of isOpen ? ['resume', 'run'] : []) {
    const again = callsheet(place, 'again', [command, 'spring', '--yes', ...db], how);
    code = `${code}, ${(await again.ended).code}`;
  }
  const exported = callsheet(
    place,
    'export',
    ['export', 'spring', '-o', '-', '--format', 'jsonl', ...db],
    how,
  );
  await exported.ended;
  const { numbers } = await service.ledger();
  await service.stop();
  wire.stop();
  const rows = exported.said.out.trim().split('\n').map(JSON.parse);
  const doubted = doubtsOf(place, rows);
  const beganAt = timetableOf(timetable).at(wire.beganAt());
  const inFlight = doubted.filter((claimedAt) => claimedAt <= beganAt).length;
  const found = { doubts: doubted.length, inFlight, later: doubted.length - inFlight };
  const rang = new Set(numbers.filter(({ rings }) => rings.length > 0).map((n) => n.phone_number));
  const twice = numbers.filter(({ rings }) => rings.length > 1).length;
  const missed = rows.filter(
    (row) => row.call_result !== 'unconfirmed' && !rang.has(row.call_phone),
  ).length;
  return { ...wire.counts, ...found, twice, missed, code };
}

/** When the dials in doubt were claimed, epoch ms: with one claim several are on their way, whatever the first comes to. */
function doubtsOf(place, rows) {
  const phones = rows
    .filter((row) => row.call_result === 'unconfirmed')
    .map((row) => row.call_phone);
  const db = new Database(join(place, 'outage.db'), { readonly: true });
  const claimed = db.prepare('SELECT max(intent_at) FROM attempts WHERE phone = ?').pluck();
  const times = phones.map((phone) => claimed.get(phone));
  db.close();
  return times;
}

function argvOf(url) {
  return [
    ...['run', 'leads.csv', '--name', 'spring', '--agent', 'ag_demo', '--service-url', url],
    ...['--rules', 'always', '--yes', '--wait', '4h', '--log-level', 'info'],
    ...['--concurrency', String(concurrency), '--set', 'unknown.reconcileFor=5m'],
  ];
}

function pad(value, width) {
  return String(value).padStart(width);
}
