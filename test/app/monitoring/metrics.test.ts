import { readFileSync } from 'node:fs';
import { request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createMetrics, serveMetrics } from '../../../src/app/monitoring/metrics-listener.ts';
import type { Health } from '../../../src/collect/inbox/receiver-options.ts';
import type {
  CallListing,
  Dial,
  DialAnswer,
  PollResult,
  VoiceService,
} from '../../../src/service/port.ts';
import type {
  Campaign,
  Delivery,
  DialRecord,
  PollRecord,
  Progress,
  Recorded,
  Store,
  SweepRequest,
} from '../../../src/store/port.ts';
import { VirtualClock } from '../../helpers/clock.ts';
import { aCampaign, someAnalytics } from '../../helpers/factory.ts';
import { lintMetrics } from '../../helpers/metrics-lint.ts';

const PROGRESS: Progress = {
  ...{ total: 9, waiting: 4, calling: 3, unknown: 1, done: 2, results: {}, held: 3, open: 2 },
  ...{
    doubts: 1,
    dials: { made: 5, refused: 0, inDoubt: 1, notMade: 0 },
    answered: 0,
    lastCallAt: null,
    nextDueAt: null,
  },
};

interface Kept {
  campaign: Partial<Campaign>;
  progress?: Partial<Progress>;
}

/** Metrics of a store that holds these campaigns; `recorded` is what it answers to every poll. */
function someMetrics(kept: Kept[] = [], health: Health = () => null) {
  const clock = new VirtualClock();
  const campaigns = kept.map(({ campaign }, i): Campaign => ({
    ...{ state: 'running', pauseReason: null, pauseDetail: null, version: 1 },
    ...aCampaign({ id: `c${i}`, name: `c${i}` }),
    ...campaign,
  }));
  const answers: { recorded: Recorded } = { recorded: 'moved' };
  const given: Partial<Store> = {
    listCampaigns: async () => campaigns,
    progress: async (id) => ({ ...PROGRESS, ...kept[Number(id.slice(1))]?.progress }),
    recordDial: async () => 'moved',
    recordPoll: async () => answers.recorded,
    sweep: async () => ({ orphaned: 3, presumedDown: 2, noResult: 2, unconfirmed: 1 }),
    inboxPut: async () => true,
  };
  const metrics = createMetrics({ store: given as Store, health, clock });
  const read = async () => {
    const { problems, samples } = lintMetrics(await metrics.text());
    // The library's own names are not ours to mend.
    expect(problems.filter((problem) => !problem.startsWith('nodejs_'))).toEqual([]);
    return (name: string, labels: Record<string, string> = {}) =>
      samples.find(
        (each) =>
          each.name === name &&
          Object.entries(labels).every(([key, value]) => each.labels[key] === value),
      )?.value;
  };
  return { clock, metrics, read, campaigns, answers, store: metrics.store };
}

const dial = (record: Partial<DialRecord>) => ({ at: 0, detail: '', ...record }) as DialRecord;
const settled = (callId: string, at: number): PollRecord => ({
  ...{ kind: 'settled', at, callId, analytics: someAnalytics() },
  ...{ result: 'answered', source: 'service' },
});

describe('metrics of calls', () => {
  it('count a call once, also one whose answer was lost and then found', async () => {
    const { store, read } = someMetrics();
    await store.recordDial('a', dial({ kind: 'placed' }));
    await store.recordDial('b', dial({ kind: 'unknown' }));
    const replay = { spent: true, backoffMs: null };
    await store.recordDial('b', dial({ kind: 'unknown', replay }));
    await store.recordDial('b', dial({ kind: 'placed' }));
    expect((await read())('callsheet_calls_started_total')).toBe(2);
  });

  it('count ends by result, and what was recorded before not again', async () => {
    const { store, answers, read } = someMetrics();
    await store.recordPoll('a', settled('call_a', 5_000));
    answers.recorded = 'stayed';
    await store.recordPoll('a', settled('call_a', 6_000));
    answers.recorded = 'moved';
    await store.recordPoll('b', { kind: 'never_began', at: 0, detail: '' });
    await store.sweep({} as SweepRequest);
    const value = await read();
    const ended = (result: string) => value('callsheet_calls_ended_total', { result });
    expect(['answered', 'no_result', 'unconfirmed', 'busy'].map(ended)).toEqual([1, 3, 1, 0]);
  });

  it('count refusals by kind', async () => {
    const { store, read } = someMetrics();
    await store.recordDial('a', dial({ kind: 'rejected' }));
    await store.recordDial('b', dial({ kind: 'rejected', invalidNumber: true }));
    await store.recordDial('c', dial({ kind: 'released', reason: 'never_sent', notBefore: 0 }));
    const reason = 'refused_without_effect';
    await store.recordDial('d', dial({ kind: 'released', reason, notBefore: 0 }));
    const freed = { at: 0, callId: 'x', detail: '', notBefore: 0, refusal: '', pause: false };
    await store.recordPoll('e', { kind: 'not_called', ...freed });
    const value = await read();
    for (const kind of ['rejected', 'invalid_number', 'never_sent', 'refused', 'not_called'])
      expect(value('callsheet_dials_refused_total', { kind })).toBe(1);
    expect(value('callsheet_calls_started_total')).toBe(0);
  });
});

describe('metrics of a service', () => {
  const at = { status: null, detail: '' };
  const FAILED = { kind: 'failed', detail: '', retryAfterMs: null, keyRefused: false } as const;
  const LISTED: CallListing = { kind: 'listed', calls: [], complete: true };

  /** A service that answers each request with the next of these. */
  function aService(answers: (DialAnswer | PollResult | CallListing)[]) {
    const next = async () => answers.shift();
    const callList = { read: next, tellsOfDials: false };
    const asked = { name: 'main', startCall: next, readAnalytics: next, callList };
    const { metrics, clock, read } = someMetrics();
    const observed = metrics.observed(asked as unknown as VoiceService);
    const errors = async (request: string) =>
      (await read())('callsheet_service_errors_total', { service: 'main', request });
    const lastPoll = async () =>
      (await read())('callsheet_last_poll_timestamp_seconds', { service: 'main' });
    return { observed, clock, errors, lastPoll };
  }

  it('count dials without an answer, and none that the service took or refused', async () => {
    const { observed, errors } = aService([
      { kind: 'placed', callId: 'x', ...at },
      { kind: 'refused', retryAfterMs: null, ...at },
      { kind: 'neverSent', cause: 'permit', ...at },
      { kind: 'neverSent', cause: 'connection', ...at },
      { kind: 'unknown', ...at },
    ]);
    for (let dials = 0; dials < 5; dials++) await observed.startCall({} as Dial, () => true);
    expect([await errors('dial'), await errors('poll')]).toEqual([2, 0]);
  });

  it('count polls that failed or could not be read, and keep the time of the last good one', async () => {
    const { observed, clock, errors, lastPoll } = aService([
      FAILED,
      { kind: 'unreadable', detail: '', raw: '' },
      FAILED,
      LISTED,
      FAILED,
      { kind: 'pending' },
      FAILED,
    ]);
    await observed.readAnalytics('a');
    await observed.readAnalytics('a');
    await observed.callList?.read({ since: 0 });
    expect([await errors('poll'), await lastPoll()]).toEqual([3, undefined]);
    await observed.callList?.read({ since: 0 });
    const listedAt = clock.now() / 1_000;
    await clock.advance(60_000);
    await observed.callList?.read({ since: 0 });
    expect([await errors('poll'), await lastPoll()]).toEqual([4, listedAt]);
    await observed.readAnalytics('a');
    expect(await lastPoll()).toBe(listedAt + 60);
    // Nobody needs the answer any more: it was cut off, and did not fail.
    await observed.readAnalytics('a', AbortSignal.abort());
    expect(await errors('poll')).toBe(4);
  });

  it('keep the time of the last delivery', async () => {
    const { store, clock, read } = someMetrics();
    await store.inboxPut({ service: 'main' } as Delivery);
    const last = (await read())('callsheet_last_delivery_timestamp_seconds', { service: 'main' });
    expect(last).toBe(clock.now() / 1_000);
  });
});

describe('metrics of what is stored', () => {
  it('tell how each campaign stands that is called, and none that was archived or never started', async () => {
    const { read, campaigns } = someMetrics([
      { campaign: {} },
      { campaign: { state: 'draft' } },
      { campaign: { archivedAt: 1 } },
      { campaign: { name: 'odd "name"\\ \n' } },
    ]);
    const value = await read();
    const of = (name: string, campaign = 'c0') => value(`callsheet_${name}`, { campaign });
    expect([of('calls_in_progress'), of('calls_in_doubt'), of('leads_waiting')]).toEqual([3, 1, 4]);
    expect(of('leads_waiting', 'odd "name"\\ \n')).toBe(4);
    expect([of('leads_waiting', 'c1'), of('leads_waiting', 'c2')]).toEqual([undefined, undefined]);

    // Its doubts are to be seen when it is over, too.
    const [first, second] = campaigns;
    if (first !== undefined) first.state = 'completed';
    if (second !== undefined) second.state = 'completed';
    const later = await read();
    expect(later('callsheet_calls_in_doubt', { campaign: 'c0' })).toBe(1);
    expect(later('callsheet_calls_in_doubt', { campaign: 'c1' })).toBeUndefined();
  });

  it('tell whether serve is well, and what this process uses', async () => {
    const value = await someMetrics().read();
    expect(value('callsheet_healthy')).toBe(1);
    expect((await someMetrics([], () => 'store').read())('callsheet_healthy')).toBe(0);
    expect(value('process_cpu_seconds_total')).toBeGreaterThan(0);
    expect(value('process_resident_memory_bytes')).toBeGreaterThan(1e6);
    expect(value('process_start_time_seconds')).toBeLessThan(Date.now() / 1_000);
  });
});

it('the page of monitoring lists every metric of callsheet, with its labels, and no other', async () => {
  const { metrics, store } = someMetrics([{ campaign: {} }]);
  await store.inboxPut({ service: 'main' } as Delivery);
  const asked = { name: 'main', callList: null, readAnalytics: async () => ({ kind: 'pending' }) };
  await metrics.observed(asked as unknown as VoiceService).readAnalytics('a');
  const text = await metrics.text();
  const { samples } = lintMetrics(text);
  const told = [...text.matchAll(/^# TYPE (callsheet_\S+) /gm)].map(([, name = '']) => {
    const labels = Object.keys(samples.find((each) => each.name === name)?.labels ?? {});
    return `\`${name}${labels.length === 0 ? '' : `{${labels.join(',')}}`}\``;
  });
  const page = readFileSync(
    new URL('../../../src/app/monitoring/README.md', import.meta.url),
    'utf8',
  );
  const [, table = ''] = page.split('| metric');
  const listed = table.match(/`callsheet_[^`]+`(?=[^|]*\|[^|]*\|$)/gm);
  expect(listed?.toSorted()).toEqual(told.toSorted());
});

describe('where metrics are told', () => {
  async function aListener() {
    const store: Partial<Store> = { listCampaigns: async () => [] };
    const sources = { store: store as Store, health: () => null, clock: new VirtualClock() };
    const listener = await serveMetrics({ host: '127.0.0.1', port: 0 }, sources);
    onTestFinished(() => listener.close());
    const ask = async (path: string, host?: string, method: 'GET' | 'POST' | 'HEAD' = 'GET') => {
      const headers = host === undefined ? {} : { host };
      const answer = await request(new URL(path, listener.url), { method, headers });
      const body = await answer.body.text();
      return { status: answer.statusCode, type: answer.headers['content-type'], body };
    };
    return { ask, listener, sources };
  }

  it('answers what Prometheus asks for, and nothing else', async () => {
    const { ask } = await aListener();
    expect(await ask('/metrics')).toMatchObject({
      status: 200,
      type: 'text/plain; version=0.0.4; charset=utf-8',
      body: expect.stringContaining('# TYPE callsheet_calls_started_total counter') as string,
    });
    expect(await ask('/metrics?x=1', undefined, 'HEAD')).toMatchObject({ status: 200, body: '' });
    expect((await ask('/')).status).toBe(404);
    expect((await ask('/metrics', undefined, 'POST')).status).toBe(404);
  });

  it('answers no web page that has its own name lead here', async () => {
    const { ask } = await aListener();
    expect((await ask('/metrics', 'evil.example:80')).status).toBe(403);
    expect((await ask('/metrics', 'localhost:9464')).status).toBe(200);
  });

  it('says with 503 that the database cannot be read', async () => {
    const { ask, sources } = await aListener();
    sources.store.listCampaigns = async () => Promise.reject(new Error('locked'));
    expect(await ask('/metrics')).toMatchObject({ status: 503, body: 'locked' });
  });

  it('is refused where the port is taken', async () => {
    const { listener, sources } = await aListener();
    const port = Number(new URL(listener.url).port);
    await expect(serveMetrics({ host: '127.0.0.1', port }, sources)).rejects.toMatchObject({
      code: 'METRICS_PORT_UNAVAILABLE',
      exitCode: 2,
    });
  });
});
