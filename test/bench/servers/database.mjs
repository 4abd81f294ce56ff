// The schema of `servers.mjs`: a campaign with caps, retries, a budget and skipCalled, and calls that are held.
import { join } from 'node:path';
import pg from 'pg';
import { migrateServer, openServerStore } from '../../../dist/store/postgres/open.js';

export const SERVICE = 'bench';
const DAY_MS = 86_400_000;
const PLACES = ['America/New_York;', 'America/Chicago;', 'America/Los_Angeles;'];

export function placeOn(server, schema, folder, name) {
  const { host, port, user, password, database } = server;
  const address = { hosts: [{ host, port }], user, password, database, application_name: name };
  const disk = {
    fileSystemType: () => 0,
    freeBytes: () => 1e12,
    isMountPoint: () => false,
    ballastBytes: 0,
  };
  return { address, schema, name: 'bench', folder, journal: join(folder, `${name}.dials`), disk };
}

export async function makeDatabase(server, schema, folder, { leads, held }) {
  const place = placeOn(server, schema, folder, 'made');
  await migrateServer(place);
  const store = await openServerStore({ ...place, mode: 'write' });
  const entry = { at: Date.now(), who: 'bench', what: 'bench.begun', detail: {} };
  for (const id of ['bench', 'import']) {
    const campaign = { id, name: id, kind: 'list', service: SERVICE, simulated: false };
    await store.createCampaign({ ...campaign, settings: settings(), createdAt: Date.now() }, entry);
  }
  const list = {
    id: 'list',
    path: 'bench.csv',
    sha256: 'bench',
    headers: ['name', 'phone', 'city'],
    at: Date.now(),
  };
  await store.beginList('bench', list);
  for (let n = 0; n < leads; n += 1_000)
    await store.addLeads('list', leadsFrom(n, Math.min(1_000, leads - n), 'list'));
  await store.finishList('list', { good: leads, rejected: 0, duplicates: 0 });
  await store.changeCampaign('bench', { state: 'running' }, entry);
  await store.close();
  const client = await clientOf(server);
  const now = Date.now();
  await client.query(`SET search_path = "${schema}"; INSERT INTO proven_services VALUES ('${SERVICE}', 1);
    INSERT INTO leads (campaign_id, list_id, position, line, phone, cells, zone_key, state, spent)
      SELECT 'bench', 'list', 19000000000 + n, n, '+1917' || lpad(n::text, 7, '0'), '[]', '${PLACES[0]}', 'calling', 1 FROM generate_series(1, ${held}) AS n;
    INSERT INTO attempts (key, campaign_id, lead_row, phone, service, agent, ordinal, state, intent_at, holds_until, slot_until,
        owner_host, owner_boot, owner_pid, answered_at, call_id, next_poll_at)
      SELECT 'held_' || row, 'bench', row, phone, '${SERVICE}', 'ag', 1, 'placed', ${now}, ${now + DAY_MS}, ${now + DAY_MS},
        'held', 'held', 1, ${now}, 'held_' || row, ${now + DAY_MS} FROM leads WHERE phone LIKE '+1917%';
    ANALYZE`);
  await client.end();
}

export async function clientOf({ host, port, user, password, database }) {
  const client = new pg.Client({ host, port, user, password, database });
  await client.connect();
  return client;
}

/** Rows of a made-up list. @returns `count` of them, from number `first` on */
export function leadsFrom(first, count, list) {
  return Array.from({ length: count }, (_, i) => {
    const n = first + i;
    const area = (list === 'list' ? 200 : 500) + (n % 300);
    const phone = `+1${area}${555_0000 + Math.floor(n / 300)}`;
    return {
      phone,
      line: n + 2,
      cells: [`Person ${n}`, phone, 'Springfield'],
      zoneKey: PLACES[n % 3],
    };
  });
}

function settings() {
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  const week = Object.fromEntries(days.map((day) => [day, [[0, 1_440]]]));
  const caps = [
    { calls: 3, perMs: DAY_MS },
    { calls: 7, perMs: 7 * DAY_MS },
  ];
  const limits = { hours: { week, holidays: null }, caps };
  const rule = { name: 'bench', ...limits, afterConversationMs: 7 * DAY_MS, afterRefusalMs: null };
  const retry = { attempts: 3, perDay: null, gapMs: 0, after: { no_answer: 3_600_000 } };
  return {
    ...{
      agent: 'ag',
      country: 'US',
      timezone: 'UTC',
      concurrency: 20_000,
      pace: null,
      requests: 256,
    },
    rules: ['bench'],
    polling: { floorMs: 1_000, ceilingMs: 60_000, deadlineMs: 7_200_000 },
    ...{ longestCallMs: 900_000, reconcileForMs: 600_000, results: { file: null, format: 'csv' } },
    policy: {
      rules: [{ ...rule, regions: {} }],
      ...{ hours: null, holidays: [], unknownZones: 'skip', zoneOverrides: [], marginMs: 0 },
    },
    retry: { ...retry, otherTimeOfDay: false, lastDay: null, alternatives: null },
    stop: { calls: 100_000 },
    skipCalled: 30 * DAY_MS,
  };
}
