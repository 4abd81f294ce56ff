// A night of one campaign in virtual time: the built program with a database of its own, and a service that has no wire.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settle } from '../../../dist/collect/settle.js';
import { runCampaign } from '../../../dist/run-campaign.js';
import { FastClock, FastTime } from '../../../dist/runtime/fast-time.js';
import { seededRandom } from '../../../dist/runtime/random.js';
import { createRateLimiter } from '../../../dist/service/http/send-permit.js';
import { openSqliteStore } from '../../../dist/store/sqlite/open.js';

const START = Date.UTC(2026, 0, 5, 15);
const OWNER = { host: 'bench', boot: 'bench', pid: 1 };
const ENTRY = { at: START, who: 'bench', what: 'bench', detail: {} };

/**
 * Calls everybody of a list once.
 * @param plan `slots`: calls at once; `lengthMs(random)`: from the ring to the analytics; `perSecond`: requests in any
 *   second that are answered, the others get a 429; `webhooksMs`: how late each end is told; `hasList`: one request
 *   reads all calls; `capacity`: how many calls the service takes at once; `tripMs`: from a request to its answer
 * @returns of the time in which all slots could be in use: the share that was, requests a second; of the whole night:
 *   polls, refusals, how late ends were found on average, slots in use in each minute, and whom it has harmed
 */
export async function night({ slots, calls, seed, floorMs = 1_000, ...kind }) {
  const folder = mkdtempSync(
    join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'callsheet-slots-'),
  );
  const time = new FastTime(new FastClock(START), null);
  const { clock } = time;
  const store = time.watch(openSqliteStore({ path: join(folder, 'slots.db'), mode: 'dial' }));
  try {
    const service = createService({ ...kind, clock, random: seededRandom(seed) });
    const campaign = await makeCampaign(store, { slots, calls, floorMs });
    const feed = new Map();
    if (kind.webhooksMs !== undefined)
      service.onEnd = (call) => void tell(call, { store, clock, feed, lateMs: kind.webhooksMs });
    const { signal } = new AbortController();
    await time.pass(
      runCampaign({
        ...{ store, campaign, dialAt: { service, maxCalls: null }, collectFrom: [service], clock },
        ...{ owner: OWNER, isGone: () => false, limit: null, until: null, waitUntil: null, feed },
        ...{ notify: () => undefined, stopDialling: signal, stop: signal },
      }),
    );
    return { ...service.found(slots), calls, ...harm(service, calls) };
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function makeCampaign(store, { slots, calls, floorMs }) {
  const settings = {
    ...{ agent: 'ag_1', country: 'US', timezone: 'America/New_York', concurrency: slots },
    ...{ pace: null, requests: Math.min(slots, 16), rules: ['always'] },
    polling: { floorMs, ceilingMs: 60_000, deadlineMs: 7_200_000 },
    ...{ longestCallMs: 900_000, reconcileForMs: 600_000 },
    results: { file: null, format: 'csv' },
  };
  const of = { id: 'bench', name: 'bench', kind: 'list', service: 'main', simulated: false };
  await store.createCampaign({ ...of, createdAt: START, settings }, ENTRY);
  const list = { path: 'list.csv', sha256: 'list', headers: ['phone'], at: START, id: 'list' };
  const { id } = await store.beginList('bench', list);
  const people = Array.from({ length: calls }, (_, n) => ({
    phone: phoneOf(n),
    line: n + 2,
    cells: [phoneOf(n)],
  }));
  for (let n = 0; n < calls; n += 1_000) await store.addLeads(id, people.slice(n, n + 1_000));
  await store.finishList(id, { good: calls, rejected: 0, duplicates: 0 });
  return store.changeCampaign('bench', { state: 'running' }, ENTRY);
}

/** Fictional: 555-0100 to 555-0199 of one area code after the other. */
function phoneOf(n) {
  return `+1${200 + Math.floor(n / 100)}55501${String(n % 100).padStart(2, '0')}`;
}

function createService(kind) {
  const { clock, random, lengthMs, perSecond, hasList, capacity = Infinity, tripMs = 100 } = kind;
  const calls = [];
  const byId = new Map();
  /** When each request came, ms of the monotonic clock. */
  const [requests, reads] = [[], []];
  let refusals = 0;
  // As over the wire.
  const limiter = createRateLimiter(undefined, clock, new AbortController().signal);
  const service = {
    ...{ roomWithin: limiter.within, requestRate: limiter.rate, isTooFast: limiter.isTooFast },
    ...{ name: 'main', url: 'http://127.0.0.1', fingerprint: 'main', onEnd: undefined },
    startCall: async ({ phone }, permit) => {
      await limiter.take();
      await clock.sleep(tripMs / 2);
      if (!permit()) return { kind: 'neverSent', cause: 'permit', status: null, detail: 'late' };
      const at = clock.monotonic();
      const isFull = calls.filter(({ endsAt }) => endsAt > at).length >= capacity;
      const is429 = isRefused();
      if (is429 || isFull) limiter.refused('dial');
      const call = !is429 && !isFull && ring(phone, at);
      await clock.sleep(tripMs / 2);
      return call
        ? { kind: 'placed', callId: call.callId, status: 200, detail: 'placed' }
        : { kind: 'refused', retryAfterMs: 1_000, status: 429, detail: 'too many' };
    },
    readAnalytics: async (callId) => {
      await limiter.take();
      await clock.sleep(tripMs / 2);
      reads.push(clock.monotonic());
      const is429 = isRefused();
      if (is429) limiter.refused('read');
      const found = is429
        ? {
            kind: 'failed',
            detail: 'too many',
            retryAfterMs: 1_000,
            keyRefused: false,
            works: true,
          }
        : stateOf(byId.get(callId));
      await clock.sleep(tripMs / 2);
      return found;
    },
    callList: hasList ? { read: listOf, tellsOfDials: false } : null,
    listAgents: async () => ({ agents: [], complete: true }),
    probe: async () => ({ ok: true }),
    close: async () => undefined,
    calls,
    found,
  };

  /** One request more. */
  function isRefused() {
    const at = clock.monotonic();
    const before = requests.length - 1;
    requests.push(at);
    if (perSecond === undefined || !(requests[before + 1 - perSecond] > at - 1_000)) return false;
    refusals += 1;
    requests.pop();
    return true;
  }

  function ring(phone, at) {
    const call = {
      callId: `call_${calls.length}`,
      phone,
      at,
      endsAt: at + Math.round(lengthMs(random)),
    };
    calls.push(call);
    byId.set(call.callId, call);
    clock.after(call.endsAt - at, () => service.onEnd?.(call));
    return call;
  }

  function stateOf(call) {
    const at = clock.monotonic();
    if (at < call.endsAt) return { kind: 'pending' };
    call.foundAt ??= at;
    return settledOf(call);
  }

  async function listOf({ since }) {
    await limiter.take();
    await clock.sleep(tripMs / 2);
    reads.push(clock.monotonic());
    requests.push(clock.monotonic());
    const from = since - START;
    const listed = calls
      .filter(({ at }) => at >= from)
      .map((call) => ({
        ...{ callId: call.callId, phone: call.phone, attemptKey: null, agent: null },
        ...{ startedAt: START + call.at, found: stateOf(call) },
      }));
    await clock.sleep(tripMs / 2);
    return { kind: 'listed', calls: listed, complete: true };
  }

  /** From when all slots were first in use to when the last person was called. */
  function found(slots) {
    const from = calls[Math.min(slots, calls.length) - 1].at;
    const to = calls.at(-1).at;
    const within = (at) => at >= from && at <= to;
    const inUseMs = calls.reduce(
      (sum, { at, endsAt }) => sum + Math.max(0, Math.min(endsAt, to) - Math.max(at, from)),
      0,
    );
    const seconds = (to - from) / 1_000;
    const late = calls.filter(({ foundAt = -1 }) => within(foundAt));
    const ended = calls.filter(({ endsAt }) => within(endsAt)).length;
    return {
      used: inUseMs / (slots * (to - from)),
      inUse: inUseByMinute(calls),
      perSecond: requests.filter(within).length / seconds,
      readsPerSecond: reads.filter(within).length / seconds,
      // Of a slot between two calls: until the end is found, and then until the next call rings.
      idleMs: (slots * (to - from) - inUseMs) / ended,
      polls: reads.length,
      refusals,
      delayMs: late.reduce((sum, call) => sum + call.foundAt - call.endsAt, 0) / late.length,
      tookMs: Math.max(...calls.map(({ endsAt }) => endsAt)) - calls[0].at,
    };
  }
  return service;
}

/** Slots in use in each minute of the whole night, on average. */
function inUseByMinute(calls) {
  const ms = [];
  for (const { at, endsAt } of calls) {
    for (let minute = Math.floor(at / 60_000); minute * 60_000 < endsAt; minute++) {
      const [from, to] = [Math.max(at, minute * 60_000), Math.min(endsAt, (minute + 1) * 60_000)];
      ms[minute] = (ms[minute] ?? 0) + to - from;
    }
  }
  return Array.from(ms, (sum = 0) => sum / 60_000);
}

function settledOf({ at, endsAt }) {
  const analytics = {
    ...{ transcript: 'agent: Hello.', turns: [{ speaker: 'agent', text: 'Hello.' }] },
    durationMs: Math.floor(endsAt - at),
    ...{ sentiment: null, summary: null, recordingUrl: null, cost: null, costCurrency: null },
    ...{ extracted: null, raw: { status: 'completed' } },
  };
  return { kind: 'settled', analytics, result: 'answered' };
}

/** What a delivery does, once it is in the inbox. */
async function tell(call, { store, clock, feed, lateMs }) {
  await clock.sleep(lateMs);
  const listener = feed.get('bench');
  const due = { service: 'main', campaignId: 'bench', after: 0, now: Number.MAX_SAFE_INTEGER };
  const open = await store.duePolls({ ...due, limit: 1_000 });
  const found = open.find(({ callId }) => callId === call.callId);
  if (listener === undefined || found === undefined) return;
  call.foundAt ??= clock.monotonic();
  await settle(found, settledOf(call), {
    ...{ store, scheduler: listener.scheduler, onLineDown: listener.onLineDown },
    ...{ now: clock.now(), notify: () => undefined, by: 'delivery' },
  });
}

function harm({ calls }, wanted) {
  const rang = new Map();
  for (const { phone } of calls) rang.set(phone, (rang.get(phone) ?? 0) + 1);
  return {
    rangTwice: [...rang.values()].filter((times) => times > 1).length,
    notCalled: wanted - rang.size,
    doubts: 0,
  };
}
