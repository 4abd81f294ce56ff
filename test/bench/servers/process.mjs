// One process of `servers.mjs`: a runner, a receiver of webhooks or an import, on a schema of its own store.
import { randomUUID } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { openServerStore } from '../../../dist/store/postgres/open.js';
import { SERVICE, placeOn, leadsFrom } from './database.mjs';
import { slowWay } from './proxy.mjs';

const MS = 1_000;

process.once('message', async ({ work, server, ms, schema, folder, name, ...options }) => {
  const way = await slowWay({ ...server, ms });
  const place = placeOn({ ...server, port: way.port }, schema, folder, name);
  const store = await openServerStore({ ...place, mode: work === 'run' ? 'dial' : 'write' });
  const works = { run, receive, importRows, idle };
  process.send('ready');
  process.once('message', async () => {
    const loop = monitorEventLoopDelay({ resolution: 1 });
    loop.enable();
    const found = await works[work](store, { way, name, ...options });
    loop.disable();
    await store.close();
    process.send({ ...found, counts: way.counts(), blockedMs: loop.max / 1e6 }, () =>
      process.exit(),
    );
  });
});

/** Does nothing: how late its thread is, so late is any on this machine at that time. */
async function idle(_, { seconds }) {
  await sleep(seconds * MS);
}

/** Whole lives of calls: claimed, placed, asked for once, settled; each durable before the next. */
async function run(store, { way, name, seconds, want, most = Infinity, until }) {
  const claims = [];
  const parts = { claim: 0, placed: 0, poll: 0, settled: 0 };
  const part = async (which, work) => {
    way.at(which);
    const from = performance.now();
    const done = await work();
    parts[which] += performance.now() - from;
    way.at('else');
    return done;
  };
  const owner = { host: 'bench', boot: 'bench', pid: process.pid };
  let lives = 0;
  const began = performance.now();
  const end = began + seconds * MS;
  while (performance.now() < end && lives < most) {
    const now = Date.now();
    const from = performance.now();
    const request = {
      ...{ campaignId: 'bench', want, slots: 20_000, serviceSlots: 20_000 },
      service: SERVICE,
      fingerprint: SERVICE,
      now,
      owner,
    };
    const { intents, shortfall } = await part('claim', () => store.claim(request));
    claims.push(performance.now() - from);
    if (intents.length === 0) throw new Error(`nobody was claimed: ${shortfall}`);
    const each = (which, method, of) =>
      part(which, () =>
        Promise.all(
          intents.map(({ attemptId }, n) =>
            store[method](attemptId, of(`${name}-${attemptId}`, n)),
          ),
        ),
      );
    await each('placed', 'recordDial', (callId) => ({
      kind: 'placed',
      callId,
      at: Date.now(),
      nextPollAt: Date.now() + 60_000,
      detail: 'placed',
      fingerprint: SERVICE,
    }));
    await each('poll', 'recordPoll', () => ({
      kind: 'pending',
      at: Date.now(),
      nextPollAt: Date.now() + 60_000,
    }));
    await each('settled', 'recordPoll', (callId, n) => ({
      kind: 'settled',
      callId,
      at: Date.now(),
      analytics: ANALYTICS,
      source: 'service',
      result: n % 2 ? 'answered' : 'no_answer',
    }));
    lives += intents.length;
  }
  return { lives, claims, parts, seconds: (performance.now() - began) / MS };
}

/** Deliveries at an even rate, however long each takes. */
async function receive(store, { name, seconds, perSecond }) {
  const waits = [];
  const began = performance.now();
  const all = [];
  for (let n = 0; n < seconds * perSecond;) {
    const due = Math.floor(((performance.now() - began) / MS) * perSecond);
    for (; n <= due && n < seconds * perSecond; n++) {
      const dueAt = began + (n / perSecond) * MS;
      const body = Buffer.from(
        JSON.stringify({
          event: 'call.ended',
          call_id: `${name}-${n}`,
          transcript: 'Hello. '.repeat(100),
        }),
      );
      const delivery = {
        id: randomUUID(),
        service: SERVICE,
        key: `${name}-${n}`,
        receivedAt: Date.now(),
        headers: { 'content-type': 'application/json' },
        body,
        signed: true,
      };
      all.push(store.inboxPut(delivery).then(() => waits.push(performance.now() - dueAt)));
    }
    await sleep(1);
  }
  await Promise.all(all);
  return { waits, taken: waits.length, seconds: (performance.now() - began) / MS };
}

async function importRows(store, { rows, atOnce, list }) {
  const began = performance.now();
  const commits = [];
  await store.beginList('import', {
    id: list,
    path: `${list}.csv`,
    sha256: list,
    headers: ['name', 'phone', 'city'],
    at: Date.now(),
  });
  for (let n = 0; n < rows; n += atOnce) {
    const from = performance.now();
    await store.addLeads(list, leadsFrom(n, Math.min(atOnce, rows - n), list));
    commits.push(performance.now() - from);
  }
  return { rows, commits, seconds: (performance.now() - began) / MS };
}

const ANALYTICS = {
  transcript: 'Agent: Hello. Person: Hi. '.repeat(40),
  turns: [{ speaker: 'agent', text: 'Hello' }],
  durationMs: 42_000,
  sentiment: { label: 'positive', score: 0.8 },
  summary: 'A short call.',
  recordingUrl: null,
  cost: '0.12',
  costCurrency: 'USD',
  extracted: null,
  raw: { status: 'completed' },
};
