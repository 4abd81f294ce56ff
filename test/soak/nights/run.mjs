// npm run night-soak: two campaigns of three nights by their schedules, in real processes whose time passes quickly,
// with two `serve` that are killed at random. One has a budget of calls, the other, with fewer people, of money. The service has a process of its own and is never killed: it is the ledger.
//
//   node test/soak/nights/run.mjs [--nights 3] [--leads N] [--kills N] [--seed N] [--server]
//
// With --server the campaigns are on a server of PostgreSQL, and the two `serve --console` are two machines.
// Takes 5 to 6 minutes, with --server 9. Exit 1, and the folder is kept, when a promise did not hold. The seed decides when
// somebody is killed; what the processes do then also depends on the machine.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MOST_PHONES } from '../phones.mjs';
import { killAll } from '../processes.mjs';
import { playNights } from './campaign.mjs';
import { text, usedOf, violationsOf } from './judge.mjs';
import { filePlace, serverPlace } from './places.mjs';
import { makeDisk } from './troubles.mjs';

const type = 'string';
const { values: given } = parseArgs({
  options: {
    ...{ nights: { type }, leads: { type }, kills: { type }, seed: { type } },
    server: { type: 'boolean' },
  },
});
const usual = given.server ? { leads: 1_500, kills: 40 } : { leads: 5_000, kills: 60 };
const values = { nights: 3, seed: Date.now() % 1_000_000, ...usual, ...given };
const [nights, leads, kills, seed] = ['nights', 'leads', 'kills', 'seed'].map((name) => {
  const number = Number(values[name]);
  if (Number.isInteger(number) && number >= (name === 'kills' ? 0 : 1)) return number;
  throw new Error(`--${name} is a whole number, not "${values[name]}"`);
});
/** A call costs some 0.43 EUR on average: here, too, some people are left over. */
const MONEY = { leadsPerNight: 70, cost: '25 EUR' };
const others = MONEY.leadsPerNight * nights;
if (leads + others > MOST_PHONES)
  throw new Error(`--leads is ${MOST_PHONES - others} at most for ${nights} nights`);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));
process.on('exit', killAll);

const folder = mkdtempSync(join(tmpdir(), 'callsheet-nights-'));
const startedAt = Date.now();
/** Some are left over in the end, so that each night ends by its budget. */
const calls = Math.max(1, Math.floor((leads * 0.96) / nights));
const campaigns = [
  { name: 'spring', leads, stop: { calls }, concurrency: 90 },
  { name: 'summer', leads: others, stop: { cost: MONEY.cost }, concurrency: 30 },
];
console.log(
  `${leads} leads, ${nights} nights of ${calls} calls; ${others} leads, nights of ${MONEY.cost}; seed ${seed}, in ${folder}`,
);
const options = { nights, campaigns, kills, chance: (stream) => seeded(seed * 100 + stream) };
const disk = values.server ? undefined : makeDisk(folder);
if (disk) process.on('exit', disk.give);
const place = disk ? filePlace(folder, disk) : await serverPlace(folder);
if (disk?.isSmall === false) console.log('no disk is full: nobody may mount one here');
const { found, problems, failed, troubles, ...played } = await playNights(
  folder,
  { ...options, place },
  tell,
);
const violations = [
  ...problems,
  ...found.flatMap((each) => violationsOf(each).map((sentence) => `${each.name}: ${sentence}`)),
];
if (played.kills < kills) violations.push(`${played.kills} processes were killed, not ${kills}`);
tell(`${played.kills} kills, ${failed} failed deliveries; troubles: ${JSON.stringify(troubles)}`);
for (const each of found) report(each);
for (const violation of violations.slice(0, 50)) console.log(`VIOLATION ${violation}`);
if (violations.length > 0) {
  // Its own disk goes with this process.
  if (disk) cpSync(join(folder, 'disk'), join(folder, 'kept'), { recursive: true });
  console.log(`${violations.length} violations; everything is kept in ${folder}`);
  process.exitCode = 1;
} else {
  disk?.give();
  if (disk) process.off('exit', disk.give);
  await place.stop();
  rmSync(folder, { recursive: true });
  console.log(
    'each schedule fired once, nobody was called twice, no budget was passed or left for a call, notices and results are all there',
  );
}
process.exit();

function report(campaign) {
  const { name, plan, stop, ledger, rows, told, firings } = campaign;
  const times = ledger.numbers.flatMap(({ rings }) =>
    rings.map(({ rang_at }) => Date.parse(rang_at)),
  );
  const nights = usedOf(campaign);
  for (const [n, { opensAt, closesAt }] of plan.nights.entries()) {
    const { date, calls: own, used, budget, left, doubts, held, isFull } = nights[n];
    const last = Math.max(opensAt, ...times.filter((at) => at >= opensAt && at < closesAt));
    console.log(
      `${name} ${date}: ${own} calls, the last one ${Math.round((last - opensAt) / 60_000)} min after the opening` +
        `${isFull ? ', until the hours closed' : ''}; used ${text(used)} of ${budget}${stop.cost ? ' EUR' : ''}, ` +
        `${text(left)} left, ${text(held)} of it held by ${doubts} calls in doubt of this night`,
    );
  }
  const count = (wanted) => rows.filter(wanted).length;
  const ids = (got) => `${new Set(got.map(({ id }) => id)).size} of ${got.length}`;
  console.log(
    `${name}: ${count((row) => row.call_state === 'done')} leads final ` +
      `(${count((row) => row.call_result === 'unconfirmed')} unconfirmed), ` +
      `${count((row) => row.call_state === 'waiting')} waiting; ${firings.length} firings; notices: ` +
      `${ids(told.webhook)} deliveries by webhook, ${ids(told.command)} by command`,
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
