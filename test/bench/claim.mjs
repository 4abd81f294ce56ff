// npm run bench:claim: what a claimed lead costs where a million people wait in three hundred places, under calling
// hours, caps and silences, in a database with ten million old attempts; compared with ten thousand people without
// rules and without history. Claims are taken from both databases in turn, each durable before the next. Nobody is
// dialled: the rows are written at once, as campaigns that are over leave them. Exit 1 when the goal is missed.
//
//   node test/bench/claim.mjs [--leads 1000000] [--attempts 10000000] [--places 300] [--claims 1900] [--want 5]
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Sqlite from 'better-sqlite3';
import { check, heading, load, median } from './measure.mjs';

/** How long a claimed lead takes, compared with the small database. */
const GOALS = { time: 1.1 };
/** Monday noon in New York. */
const START = Date.UTC(2026, 0, 5, 17);
const DAY_MS = 86_400_000;
/** Claims that are taken from one database before it is the other's turn. */
const IN_TURN = 50;

const { values } = parseArgs({
  options: {
    leads: { type: 'string', default: '1000000' },
    attempts: { type: 'string', default: '10000000' },
    places: { type: 'string', default: '300' },
    claims: { type: 'string', default: '1900' },
    want: { type: 'string', default: '5' },
  },
});
const [claims, want, places] = [values.claims, values.want, values.places].map(Number);
const REQUEST = {
  campaignId: 'bench',
  slots: 10_000,
  serviceSlots: null,
  service: 'bench',
  fingerprint: 'bench',
  owner: { host: 'bench', boot: 'bench', pid: process.pid },
};
const folder = mkdtempSync(join(tmpdir(), 'callsheet-claim-'));
const { openSqliteStore } = await import('../../dist/store/sqlite/open.js');

try {
  const small = await database('small', { leads: 10_000, attempts: 0, policy: undefined });
  const large = await database('large', {
    leads: Number(values.leads),
    attempts: Number(values.attempts),
    policy: policy(),
  });
  heading(
    `claim among ${inThousands(values.leads)} leads in ${places} places, ${inThousands(values.attempts)} old attempts`,
    `; load ${load()}`,
  );
  // The first claims read the files and compile the code.
  for (const each of [small, large]) await take(each, IN_TURN);
  for (const each of [small, large]) each.turns = [];
  for (let taken = 0; taken < claims; taken += IN_TURN) {
    await take(small, IN_TURN);
    await take(large, IN_TURN);
  }
  for (const each of [small, large]) say(each);
  const [of, beside] = [large, small].map(perLead);
  check('time / that of one among 10,000', of.ms / beside.ms, GOALS.time, {
    baseline: `${inMicroseconds(of.ms)}, among 10,000 ${inMicroseconds(beside.ms)}`,
  });
  // For information: rules are computed where there were none, which a claim's sync outweighs.
  console.log(`  processor time: ${(of.cpuMs / beside.cpuMs).toFixed(2)}`);
  await Promise.all([small.store.close(), large.store.close()]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Claims and refuses what was claimed, so that slots are free again; only the claims are measured. */
async function take(each, count) {
  const { store } = each;
  const spent = { ms: 0, cpuMs: 0, leads: 0 };
  for (let i = 0; i < count; i++) {
    each.now += 50;
    const request = { ...REQUEST, want, now: each.now };
    const [cpu, began] = [process.cpuUsage(), performance.now()];
    const { intents, shortfall } = await store.claim(request);
    spent.ms += performance.now() - began;
    const { user, system } = process.cpuUsage(cpu);
    spent.cpuMs += (user + system) / 1_000;
    spent.leads += intents.length;
    if (intents.length < want) throw new Error(`${each.name}: ${shortfall}`);
    const answer = { kind: 'rejected', at: each.now, detail: 'bench' };
    await Promise.all(intents.map(({ attemptId }) => store.recordDial(attemptId, answer)));
  }
  each.turns.push({ ms: spent.ms / spent.leads, cpuMs: spent.cpuMs / spent.leads });
}

async function database(name, { leads, attempts, policy }) {
  const path = join(folder, `${name}.db`);
  const store = openSqliteStore({ path, mode: 'dial' });
  const entry = { at: START, who: 'bench', what: 'bench.begun', detail: {} };
  for (const id of ['bench', 'old']) {
    const campaign = { id, name: id, kind: 'list', service: 'bench', simulated: false };
    await store.createCampaign(
      { ...campaign, settings: settings(policy), createdAt: START },
      entry,
    );
    const list = { id: `list-${id}`, path: 'bench.csv', sha256: id, headers: ['phone'], at: START };
    await store.beginList(id, list);
    await store.finishList(list.id, { good: leads, rejected: 0, duplicates: 0 });
  }
  await store.changeCampaign('bench', { state: 'running' }, entry);
  fill(path, { leads, attempts });
  return { name, store, now: START, turns: [] };
}

/** People in the order of the list, their places mixed; each number was called as often as any other before. */
function fill(path, { leads, attempts }) {
  const db = new Sqlite(path);
  db.pragma('synchronous = OFF');
  const zones = Intl.supportedValuesOf('timeZone').slice(0, places);
  db.function('zone_of', { deterministic: true }, (n) => `${zones[n % zones.length]};`);
  // Numbers of the exchange 555, in no order.
  db.function('phone_of', { deterministic: true }, (n) => {
    const mixed = (n * 7_919) % 8_000_000;
    return `+1${200 + (mixed % 800)}555${String(Math.floor(mixed / 800)).padStart(4, '0')}`;
  });
  const numbers = (count) =>
    `WITH RECURSIVE number (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n + 1 < ${count})`;
  const indexes = db
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'attempts'")
    .all()
    .filter(({ sql }) => sql !== null);
  for (const id of ['bench', ...(attempts > 0 ? ['old'] : [])]) {
    const end = id === 'old' ? "'done', 'no_answer', 'service'" : "'waiting', NULL, NULL";
    db.exec(`INSERT INTO leads (campaign_id, list_id, position, line, phone, cells, zone_key, state, result, result_source)
      ${numbers(leads)} SELECT '${id}', 'list-${id}', 10000000000 + n, n + 2, phone_of(n), '["x"]', zone_of(n), ${end}
      FROM number`);
  }
  if (attempts > 0) {
    for (const { name } of indexes) db.exec(`DROP INDEX ${name}`);
    db.exec(`INSERT INTO attempts (key, campaign_id, lead_row, phone, service, agent, ordinal, state, intent_at,
        holds_until, slot_until, owner_host, owner_boot, owner_pid, answered_at, call_id, ended_at, settled_at,
        result, result_source)
      ${numbers(attempts)} SELECT 'key_' || n, 'old', ${leads} + 1 + n % ${leads}, phone_of(n % ${leads}), 'bench',
        'ag', 1 + n / ${leads}, 'settled', at, at + 900000, NULL, 'bench', 'bench', 1, at + 200,
        printf('call_%09d', n), at + 95000, at + 99000, iif(n % 5 = 0, 'answered', 'no_answer'), 'service'
      FROM (SELECT n, ${START - 400 * DAY_MS} + n * ${360 * DAY_MS} / ${attempts} AS at FROM number)`);
    for (const { sql } of indexes) db.exec(sql);
  }
  db.exec("INSERT INTO proven_services (fingerprint, at) VALUES ('bench', 1)");
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
  // Else the first checkpoint of a claim waits for the gigabytes that were written here.
  const file = openSync(path, 'r+');
  fsyncSync(file);
  closeSync(file);
}

/** Hours, caps and a silence as rules have them: the week from 08:00 to 21:00, three calls a day, seven a week. */
function policy() {
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  const week = Object.fromEntries(days.map((day) => [day, [[480, 1_260]]]));
  const caps = [
    { calls: 3, perMs: DAY_MS },
    { calls: 7, perMs: 7 * DAY_MS },
  ];
  const limits = { hours: { week, holidays: null }, caps };
  const rule = { name: 'bench', ...limits, afterConversationMs: 7 * DAY_MS, afterRefusalMs: null };
  return {
    rules: [{ ...rule, regions: {} }],
    hours: null,
    holidays: [],
    unknownZones: 'skip',
    zoneOverrides: [],
    marginMs: 120_000,
  };
}

function settings(policy) {
  return {
    agent: 'ag_bench',
    country: 'US',
    timezone: 'UTC',
    concurrency: 10_000,
    pace: null,
    requests: 256,
    rules: ['bench'],
    polling: { floorMs: 1_000, ceilingMs: 60_000, deadlineMs: 7_200_000 },
    longestCallMs: 900_000,
    reconcileForMs: 600_000,
    results: { file: null, format: 'csv' },
    ...(policy && { policy }),
  };
}

function say(each) {
  const { ms, cpuMs } = perLead(each);
  console.log(
    `  ${each.name}: ${inMicroseconds(ms)} a claimed lead, ${inMicroseconds(cpuMs)} of them CPU (median of ${each.turns.length} turns)`,
  );
}

/** The median of all turns. */
function perLead({ turns }) {
  return { ms: median(turns.map(({ ms }) => ms)), cpuMs: median(turns.map(({ cpuMs }) => cpuMs)) };
}

function inThousands(count) {
  return Number(count).toLocaleString('en');
}

function inMicroseconds(ms) {
  return `${(ms * 1_000).toFixed(0)} µs`;
}
