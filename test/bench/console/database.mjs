// A database with one campaign of many people on two lists, of whom some were called. It takes half a minute, so it is
// kept in the temporary folder and each benchmark works on a copy. Nobody is dialled: rows are imported, and some ended.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';

export const CAMPAIGN = 'million';
/** Who has the rarest of all names, near the end of the lists. */
export const RAREST = 'Quillfeather';
const START = Date.UTC(2026, 0, 5, 17);
const ZONES = ['New_York', 'Chicago', 'Denver', 'Los_Angeles', 'Phoenix', 'Detroit'];
const CITIES = 'Boston,Chicago,Denver,Los Angeles,Phoenix,Detroit'.split(',');
const FIRST =
  'Maria,James,Linda,Robert,Susan,David,Karen,Paul,Nancy,Mark,Zoë,José,Anna,Peter'.split(',');
const HEADS = 'Ash,Black,Brook,Clark,Dun,East,Fair,Green,Hart,Hol,Kirk,Lang,Nor,Oak,Pem,Rad'.split(
  ',',
);
const TAILS = 'ley,ton,ford,man,field,by,well,son,worth,ham,stone,more,wick'.split(',');
const AGENTS = ['retention', 'renewal', 'survey'];

/** The database, and its dial journal. */
const ENDS = ['', '.dials'];

/** The path of the database, made if it is not there; `again`: made anew. */
export async function keptDatabase({ leads, calls, again }) {
  const folder = join(tmpdir(), 'callsheet-bench-console');
  const { latestVersion } = await import('../../../dist/store/sqlite/migrate.js');
  const path = join(folder, `${leads}-${calls}-v${latestVersion()}.db`);
  console.log(`database: ${path}`);
  if (existsSync(path) && !again) return path;
  mkdirSync(folder, { recursive: true });
  const unfinished = join(mkdtempSync(join(folder, 'new-')), 'database');
  const began = performance.now();
  await fill(unfinished, leads);
  call(unfinished, calls);
  for (const end of ENDS) renameSync(`${unfinished}${end}`, `${path}${end}`);
  rmSync(dirname(unfinished), { recursive: true });
  console.log(`  filled in ${((performance.now() - began) / 1_000).toFixed(0)} s`);
  return path;
}

export function copyOf(path, copy) {
  for (const end of ENDS) copyFileSync(`${path}${end}`, `${copy}${end}`);
  return copy;
}

async function fill(db, leads) {
  const { openSqliteStore } = await import('../../../dist/store/sqlite/open.js');
  const store = openSqliteStore({ path: db, mode: 'dial' });
  const entry = { at: START, who: 'bench', what: 'bench.begun', detail: {} };
  const campaign = {
    id: 'bench',
    name: CAMPAIGN,
    kind: 'list',
    service: 'bench',
    simulated: false,
  };
  await store.createCampaign({ ...campaign, settings: settings(), createdAt: START }, entry);
  const headers = ['first name', 'last name', 'company', 'city', 'phone', 'email', 'product'];
  const half = Math.floor(leads * 0.6);
  for (const [name, from, to] of [
    ['spring', 0, half],
    ['summer', half, leads],
  ]) {
    const list = { id: name, path: `${name}.csv`, sha256: name, headers, at: START };
    await store.beginList('bench', list);
    for (let at = from; at < to; at += 1_000) {
      const some = Array.from({ length: Math.min(1_000, to - at) }, (_, i) => at + i);
      await store.addLeads(
        name,
        some.map((n) => lead(n, n - from + 2, leads)),
      );
    }
    await store.finishList(name, { good: to - from, rejected: 0, duplicates: 0 });
  }
  await store.close();
}

/** Neighbours in a list are in different zones. Numbers are of the exchange 555. */
function lead(n, line, leads) {
  const phone = numberOf(n);
  const zone = n % ZONES.length;
  const last = n === leads - 1_000 ? RAREST : nth(HEADS, n * 7) + nth(TAILS, Math.floor(n / 3));
  const cells = [
    nth(FIRST, n * 5),
    last,
    `Example Company ${n % 5_000}`,
    CITIES[zone],
    phone,
    `person${n}@example.com`,
    nth(AGENTS, n),
  ];
  return { phone, line, cells, zoneKey: `America/${ZONES[zone]};US` };
}

export function numberOf(n) {
  return `+1${200 + (n % 600)}555${String(Math.floor(n / 600)).padStart(4, '0')}`;
}

function nth(all, n) {
  return all[n % all.length];
}

/** The first of the list have been called: a fifth was busy, one call in two hundred was of bad cheer. */
function call(db, calls) {
  const connection = new Sqlite(db);
  connection.pragma('synchronous = OFF');
  const transcript = 'agent: Good morning.\nperson: Good morning, who is it?\n'.repeat(25);
  const result = "iif(row % 5 = 0, 'busy', 'answered')";
  connection.exec(`INSERT INTO attempts (key, campaign_id, lead_row, phone, service, agent, ordinal, state, intent_at,
      holds_until, slot_until, owner_host, owner_boot, owner_pid, answered_at, call_id, ended_at, settled_at,
      result, result_source)
    SELECT 'key_' || row, 'bench', row, phone, 'bench', 'ag', 1, 'settled', ${START} + row, ${START}, NULL, 'bench',
      'bench', 1, ${START}, 'call_' || row, ${START} + row, ${START} + row, ${result}, 'service'
    FROM leads WHERE row <= ${calls};
    INSERT INTO analytics (attempt_seq, received_at, transcript, duration_ms, sentiment_label, raw)
      SELECT seq, ${START}, '${transcript}', 30000,
        CASE WHEN seq % 200 = 1 THEN 'negative' WHEN seq % 3 = 0 THEN 'positive' ELSE 'neutral' END, '{}'
      FROM attempts WHERE result = 'answered';
    INSERT INTO nights (campaign_id, night, began_at, last_at, calls, answered)
      SELECT 'bench', '', min(intent_at), max(intent_at), count(*), count(*) FILTER (WHERE result = 'answered')
      FROM attempts;
    UPDATE leads SET state = 'done', result = ${result}, result_source = 'service', spent = 1 WHERE row <= ${calls}`);
  connection.pragma('wal_checkpoint(TRUNCATE)');
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
