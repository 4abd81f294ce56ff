// npm run night-soak: a campaign of three nights by its schedule, in real processes whose time passes quickly, with
// two `serve` that are killed at random. The service has a process of its own and is never killed: it is the ledger.
//
//   node test/soak/nights/run.mjs [--nights 3] [--leads 5000] [--kills 60] [--seed N]
//
// Takes 5 to 6 minutes. Exit 1, and the folder is kept, when a promise did not hold. The seed decides when
// somebody is killed; what the processes do then also depends on the machine.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MOST_PHONES } from '../phones.mjs';
import { killAll } from '../processes.mjs';
import { playNights } from './campaign.mjs';
import { unusedOf, violationsOf } from './judge.mjs';
import { makeDisk } from './troubles.mjs';

const { values } = parseArgs({
  options: {
    nights: { type: 'string', default: '3' },
    leads: { type: 'string', default: '5000' },
    kills: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const [nights, leads, kills, seed] = ['nights', 'leads', 'kills', 'seed'].map((name) => {
  const number = Number(values[name]);
  if (Number.isInteger(number) && number >= (name === 'kills' ? 0 : 1)) return number;
  throw new Error(`--${name} is a whole number, not "${values[name]}"`);
});
if (leads > MOST_PHONES) throw new Error(`--leads is ${MOST_PHONES} at most`);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));
process.on('exit', killAll);

const folder = mkdtempSync(join(tmpdir(), 'callsheet-nights-'));
const startedAt = Date.now();
/** Some are left over in the end, so that each night ends by its budget. */
const budget = Math.max(1, Math.floor((leads * 0.96) / nights));
console.log(`${leads} leads, ${nights} nights of ${budget} calls, seed ${seed}, in ${folder}`);
const options = { nights, leads, kills, budget, chance: (stream) => seeded(seed * 100 + stream) };
const disk = makeDisk(folder);
process.on('exit', disk.give);
if (!disk.isSmall) console.log('no disk is full: nobody may mount one here');
const found = await playNights(folder, { ...options, disk }, tell);
const violations = [...found.problems, ...violationsOf(found)];
if (found.kills < kills) violations.push(`${found.kills} processes were killed, not ${kills}`);
report(found);
for (const violation of violations.slice(0, 50)) console.log(`VIOLATION ${violation}`);
if (violations.length > 0) {
  console.log(`${violations.length} violations; everything is kept in ${folder}`);
  process.exitCode = 1;
} else {
  disk.give();
  process.off('exit', disk.give);
  rmSync(folder, { recursive: true });
  console.log(
    'each schedule fired once, nobody was called twice, no budget was passed, notices and results are all there',
  );
}
process.exit();

function report({ plan, ledger, rows, told, failed, ...rest }) {
  const times = ledger.numbers.flatMap(({ rings }) =>
    rings.map(({ rang_at }) => Date.parse(rang_at)),
  );
  for (const { date, opensAt, closesAt } of plan.nights) {
    const own = times.filter((at) => at >= opensAt && at < closesAt);
    const last = own.reduce((one, other) => Math.max(one, other), opensAt);
    console.log(
      `${date}: ${own.length} calls, the last one ${Math.round((last - opensAt) / 60_000)} min after the opening`,
    );
  }
  for (const { date, unused, doubted } of unusedOf({ plan, ledger, rows, ...rest }))
    console.log(`${date}: ${unused} calls of the budget unused, ${doubted} of them in doubt`);
  tell(`troubles: ${JSON.stringify(rest.troubles)}`);
  const count = (wanted) => rows.filter(wanted).length;
  const ids = (got) => `${new Set(got.map(({ id }) => id)).size} of ${got.length}`;
  tell(
    `${rest.kills} kills; ${count((row) => row.call_state === 'done')} leads final ` +
      `(${count((row) => row.call_result === 'unconfirmed')} unconfirmed), ` +
      `${count((row) => row.call_state === 'waiting')} waiting; ${rest.firings.length} firings; notices: ` +
      `${ids(told.webhook)} deliveries by webhook (${failed} failed), ${ids(told.command)} by command`,
  );
}

function tell(sentence) {
  console.log(`${Math.round((Date.now() - startedAt) / 1_000)} s: ${sentence}`);
}

/** Mulberry32: small, and the same everywhere. */
function seeded(start) {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
