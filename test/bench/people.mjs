// npm run bench:people: how long the table of a campaign's people takes with a million of them: the first page, a jump
// to the middle, the end, filters, a search by number and by a part of a name, and with how much memory. The numbers are
// made up and nobody is dialled: the rows are imported, and some of them ended at once. Exit 1 when a goal is missed.
//
//   node test/bench/people.mjs [--leads 1000000] [--times 9]
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Sqlite from 'better-sqlite3';

const { values } = parseArgs({
  options: {
    leads: { type: 'string', default: '1000000' },
    times: { type: 'string', default: '9' },
  },
});
const [leads, times] = [values.leads, values.times].map(Number);
const { openSqliteStore } = await import('../../dist/store/sqlite/open.js');
const { peoplePage, campaignFilters } = await import('../../dist/app/watch/people.js');
const { systemClock } = await import('../../dist/runtime/clock.js');

const START = Date.UTC(2026, 0, 5, 17);
/** Neighbours in the list are in different zones. */
const ZONES = ['New_York', 'Chicago', 'Denver', 'Los_Angeles', 'Phoenix', 'Detroit'];
const folder = mkdtempSync(join(tmpdir(), 'callsheet-people-'));
const db = join(folder, 'people.db');
const world = { clock: systemClock, env: {}, cwd: folder, userId: undefined };
let missed = 0;

try {
  await fill();
  console.log(`${leads} leads; load ${loadavg()[0].toFixed(1)}`);
  const before = process.memoryUsage.rss();
  let peak = before;
  const page = (more) => peoplePage({ db, campaign: 'bench', ...more }, world);
  const measure = async (what, goal, work) => {
    const took = [];
    for (let time = 0; time < times; time++) {
      const began = performance.now();
      await work();
      took.push(performance.now() - began);
      peak = Math.max(peak, process.memoryUsage.rss());
    }
    const sorted = took.toSorted((a, b) => a - b);
    check(`${what}, ms (first ${took[0].toFixed(0)})`, sorted[Math.floor(times / 2)], goal);
  };

  const { total } = await campaignFilters({ db, campaign: 'bench' }, world);
  const found = await Promise.all(
    [`x${leads - 1}Z`, 'qqqq', '+12015550100'].map(
      async (text) => (await page({ text })).rows.length,
    ),
  );
  if (total !== leads || found.join() !== '1,0,1') throw new Error(`wrong: ${total}, ${found}`);
  const middle = Math.floor(leads / 2);
  await measure('first page', 300, () => page({}));
  await measure('jump to the middle', 300, () => page({ at: middle }));
  await measure('the end', 300, () => page({ at: leads - 100 }));
  const { next } = await page({ at: middle });
  await measure('the page after one in the middle', 300, () => page({ after: next }));
  await measure('the page before it', 300, () => page({ before: next }));
  await measure('who waits, the middle', 300, () =>
    page({ state: 'waiting', at: Math.floor(middle / 2) }),
  );
  await measure('who is called now', 300, () => page({ state: 'calling' }));
  await measure('a result, the middle', 300, () => page({ result: 'busy', at: 10 }));
  await measure('a zone, the middle', 300, () =>
    page({ zone: 'America/Denver', at: Math.floor(leads / 12) }),
  );
  await measure('who waits in a zone', 300, () =>
    page({ state: 'waiting', zone: 'America/Denver' }),
  );
  await measure('a sentiment that few have', 1_000, () => page({ sentiment: 'negative' }));
  await measure('a number', 100, () => page({ text: '+12015550100' }));
  await measure('a number that nobody has', 100, () => page({ text: '+12015550199' }));
  await measure('the first digits of a number', 100, () => page({ text: '+1201555' }));
  await measure('a part of a name that one has', 1_000, () => page({ text: `x${leads - 1}Z` }));
  await measure('a part of a name that nobody has', 1_000, () => page({ text: 'qqqq' }));
  await measure('filters with their counts', 300, () =>
    campaignFilters({ db, campaign: 'bench' }, world),
  );
  check('memory, MB more', (peak - before) / 1e6, 200);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = missed > 0 ? 1 : 0;

/** Imported as lists are; then the first half has ended, a few are called now. */
async function fill() {
  const store = openSqliteStore({ path: db, mode: 'write' });
  const entry = { at: START, who: 'bench', what: 'bench.begun', detail: {} };
  const campaign = { id: 'bench', name: 'bench', kind: 'list', service: 'bench', simulated: false };
  await store.createCampaign({ ...campaign, settings: settings(), createdAt: START }, entry);
  const headers = ['first', 'last', 'company', 'phone', 'email', 'notes', 'zone'];
  const list = { id: 'list', path: 'bench.csv', sha256: 'bench', headers, at: START };
  await store.beginList('bench', list);
  const began = performance.now();
  for (let from = 0; from < leads; from += 1_000) {
    const some = Array.from({ length: Math.min(1_000, leads - from) }, (_, i) => lead(from + i));
    await store.addLeads('list', some);
  }
  await store.finishList('list', { good: leads, rejected: 0, duplicates: 0 });
  console.log(`filled in ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  await store.close();
  end();
}

function lead(n) {
  const at = n === 0 ? 5_550_100 : (n * 3_333_337) % 7_990_000;
  const phone = n === 0 ? '+12015550100' : `+1${212 + (n % 9)}${String(at).padStart(7, '0')}`;
  const zone = `America/${ZONES[n % ZONES.length]}`;
  const cells = [
    `Ada${n}`,
    `Ex${n}Z`,
    `Acme ${n % 1_000}`,
    phone,
    `a${n}@example.com`,
    `n ${n}`,
    zone,
  ];
  return { phone, line: n + 2, cells, zoneKey: `${zone};US` };
}

/** Ends half of the leads in the order of the list, with calls of which one in a thousand was of bad cheer. */
function end() {
  const connection = new Sqlite(db);
  connection.pragma('synchronous = OFF');
  const half = Math.floor(leads / 2);
  const transcript = 'agent: Hello. '.repeat(100);
  connection.exec(`INSERT INTO attempts (key, campaign_id, lead_row, phone, service, agent, ordinal, state, intent_at,
      holds_until, slot_until, owner_host, owner_boot, owner_pid, answered_at, call_id, ended_at, settled_at,
      result, result_source)
    SELECT 'key_' || row, 'bench', row, phone, 'bench', 'ag', 1, 'settled', ${START} + row, ${START}, NULL, 'bench',
      'bench', 1, ${START}, 'call_' || row, ${START}, ${START}, iif(row % 4 = 0, 'busy', 'answered'), 'service'
    FROM leads WHERE row <= ${half};
    INSERT INTO analytics (attempt_seq, received_at, transcript, duration_ms, sentiment_label, raw)
      SELECT seq, ${START}, '${transcript}', 30000, iif(seq % 1000 = 0, 'negative', 'neutral'), '{}' FROM attempts;
    UPDATE leads SET state = 'done', result = iif(row % 4 = 0, 'busy', 'answered'), result_source = 'service', spent = 1
      WHERE row <= ${half};
    UPDATE leads SET state = 'calling' WHERE row > ${half} AND row <= ${half} + 500`);
  connection.close();
}

function settings() {
  return {
    agent: 'ag_bench',
    country: 'US',
    timezone: 'UTC',
    concurrency: 500,
    pace: null,
    requests: 256,
    rules: ['always'],
    polling: { floorMs: 1_000, ceilingMs: 60_000, deadlineMs: 7_200_000 },
    longestCallMs: 900_000,
    reconcileForMs: 600_000,
    results: { file: null, format: 'csv' },
  };
}

function check(what, found, goal) {
  const holds = found <= goal;
  if (!holds) missed += 1;
  console.log(`  ${holds ? 'holds ' : 'MISSED'} ${what}: ${found.toFixed(1)} (goal ${goal})`);
}
