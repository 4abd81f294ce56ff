// npm run servers: real processes of callsheet on several machines with one schema of a real server, each through a proxy,
// and faults of all kinds. After each round the service's own ledger and the exports must agree. Needs Debian's PostgreSQL.
//
//   npm run servers -- --kills 2000 --stops 500 --restarts 200 --cuts 5000 --partitions 200 --failovers 100 --copies 100
//   ... [--seed 1] [--machines 3] [--people 3000] [--minutes 10] [--only-together]
//
// Kills, stops, restarts, cuts and partitions come together in the same rounds; failovers and copies have rounds of their
// own, because nobody is called for half a minute after each. Exit 1, and the folder is kept, when a promise did not hold.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { killAll } from '../../soak/processes.mjs';
import { isInstalled, startPrimary, stopAll } from './cluster.mjs';
import { playRound } from './round.mjs';

const KINDS = [
  'kills',
  'stops',
  'restarts',
  'cuts',
  'partitions',
  'forgets',
  'failovers',
  'copies',
  'arrivals',
];
/** Kinds that share their rounds. */
const GROUPS = [
  ['kills', 'stops', 'restarts', 'cuts', 'partitions'],
  ['forgets'],
  ['failovers'],
  ['copies'],
  ['arrivals'],
];

const { values } = parseArgs({
  options: {
    ...Object.fromEntries(KINDS.map((kind) => [kind, { type: 'string', default: '0' }])),
    minutes: { type: 'string', default: '600' },
    seed: { type: 'string', default: '1' },
    machines: { type: 'string', default: '3' },
    people: { type: 'string', default: '3000' },
    keep: { type: 'boolean', default: false },
  },
});
if (!isInstalled) {
  console.log("skipped: Debian's PostgreSQL is not installed (apt-get install postgresql)");
  process.exit(0);
}
process.on('unhandledRejection', async (error) => {
  console.error(error);
  killAll();
  await stopAll();
  process.exit(1);
});
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    killAll();
    void stopAll().finally(() => process.exit(130));
  });
}
process.on('exit', killAll);

const planned = Object.fromEntries(KINDS.map((kind) => [kind, Number(values[kind])]));
const end = Date.now() + Number(values.minutes) * 60_000;
/** Journals have to be on a disk. */
const folder = mkdtempSync(join(tmpdir(), 'callsheet-servers-'));
const serversFolder = mkdtempSync(
  join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'callsheet-servers-'),
);
chmodSync(serversFolder, 0o711);
const sums = Object.fromEntries(KINDS.map((kind) => [kind, emptySum()]));
const exits = new Map();
let violations = 0;
let rounds = 0;
console.log(`in ${folder}, seed ${values.seed}`);

try {
  for (const group of GROUPS) await playGroup(group);
} finally {
  killAll();
  await stopAll();
  rmSync(serversFolder, { recursive: true, force: true });
}
report();
if (violations === 0 && !values.keep) rmSync(folder, { recursive: true });
else console.log(`everything is kept in ${folder}`);
process.exit(violations === 0 ? 0 : 1);

async function playGroup(kinds) {
  const open = () => kinds.filter((kind) => sums[kind].done < planned[kind]);
  if (open().length === 0) return;
  mkdirSync(join(serversFolder, kinds[0]), { recursive: true });
  let server = await startPrimary(join(serversFolder, kinds[0], 'first'));
  while (open().length > 0 && Date.now() < end) {
    rounds += 1;
    const wanted = Object.fromEntries(
      open().map((kind) => [kind, planned[kind] - sums[kind].done]),
    );
    const startedAt = Date.now();
    const round = await playRound({
      ...{ folder: join(folder, `round-${rounds}`), serversFolder: join(serversFolder, kinds[0]) },
      ...{ seed: `${values.seed}/${rounds}`, server, wanted, end, tally: { exits } },
      ...{ machines: Number(values.machines), people: Number(values.people) },
    });
    server = round.server;
    const seconds = Math.round((Date.now() - startedAt) / 1_000);
    for (const kind of Object.keys(wanted)) add(sums[kind], round, round.done[kind], seconds);
    tell(round, wanted, seconds);
    if (round.violations.length === 0 && !values.keep)
      rmSync(join(folder, `round-${rounds}`), { recursive: true });
  }
  await server.drop();
}

function tell({ done, violations: found, ...round }, wanted, seconds) {
  const did = Object.keys(wanted).map((kind) => `${done[kind]} ${kind}`);
  const { dials, tail, double, above, lost, doubts, forgotten } = round;
  console.log(
    `round ${rounds}, ${seconds} s: ${did.join(', ')}; ${dials} dials (${tail} in lost tails), ${double.length} double, ${above.length} above a limit, ` +
      `${lost.length} lost, ${doubts} in doubt, ${forgotten} of a forgotten machine`,
  );
  violations += found.length;
  for (const violation of found.slice(0, 12))
    console.log(`VIOLATION round ${rounds}: ${violation}`);
}

function emptySum() {
  return { done: 0, dials: 0, double: 0, above: 0, lost: 0, doubts: 0, seconds: 0, tail: 0 };
}

function add(sum, round, done, seconds) {
  sum.done += done;
  sum.dials += round.dials;
  for (const kind of ['double', 'above', 'lost']) sum[kind] += round[kind].length;
  sum.doubts += round.doubts;
  sum.tail += round.tail;
  sum.seconds += seconds;
}

/** A row a kind; kinds that share their rounds share their dials and what was found. */
function report() {
  const head = [
    'kind',
    'planned',
    'done',
    'dials',
    'tail',
    'double',
    'above',
    'lost',
    'doubt',
    'seconds',
  ];
  const rows = KINDS.filter((kind) => planned[kind] > 0).map((kind) => {
    const { done, dials, tail, double, above, lost, doubts, seconds } = sums[kind];
    return [kind, planned[kind], done, dials, tail, double, above, lost, doubts, seconds];
  });
  for (const row of [head, ...rows])
    console.log(
      row.map((cell, n) => (n === 0 ? cell.padEnd(11) : String(cell).padStart(8))).join(''),
    );
  for (const [why, times] of [...exits].toSorted(([, a], [, b]) => b - a).slice(0, 12))
    console.log(`${times} processes ended by themselves: ${why}`);
  const all = GROUPS.map(([first, ...more]) => [first, ...more].find((kind) => planned[kind] > 0));
  const dials = all.reduce((sum, kind) => sum + (kind === undefined ? 0 : sums[kind].dials), 0);
  console.log(`${dials} dials in ${rounds} rounds: ${violations} violations`);
}
