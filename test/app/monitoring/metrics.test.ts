import { readFileSync } from 'node:fs';
import { request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listenForMetrics } from '../../../src/app/monitoring/metrics-listener.ts';
import { createMetrics } from '../../../src/app/monitoring/metrics.ts';
import type { StateSources } from '../../../src/app/monitoring/state-metrics.ts';
import { WebhookCounts } from '../../../src/collect/inbox/webhook-counts.ts';
import type { Condition } from '../../../src/domain/monitoring/health.ts';
import type { Campaign, DialRecord, PollRecord, Progress } from '../../../src/store/port.ts';
import { VirtualClock } from '../../helpers/clock.ts';
import { aCampaign, someAnalytics } from '../../helpers/factory.ts';
import { lintMetrics } from '../../helpers/metrics-lint.ts';

const PROGRESS: Progress = {
  ...{ total: 9, waiting: 4, calling: 3, unknown: 1, done: 2, results: {}, held: 3, open: 2 },
  ...{ doubts: 1, dials: 5, nextDueAt: null },
};

interface Kept {
  campaign: Partial<Campaign>;
  progress?: Partial<Progress>;
}

function someMetrics(kept: Kept[] = [], sources: Partial<StateSources> = {}) {
  const clock = new VirtualClock();
  let reads = 0;
  const campaigns = kept.map(({ campaign }, i): Campaign => ({
    ...{ state: 'running', pauseReason: null, pauseDetail: null, version: 1 },
    ...aCampaign({ id: `c${i}`, name: `c${i}` }),
    ...campaign,
  }));
  const store: StateSources['store'] = {
    listCampaigns: async () => {
      reads += 1;
      return campaigns;
    },
    progress: async (id) => ({ ...PROGRESS, ...kept[Number(id.slice(1))]?.progress }),
    inboxDepth: async () => [{ service: 'main', waiting: 7 }],
  };
  const well: Condition = { unwell: null };
  const health = { healthz: () => well, readyz: () => well };
  const counts = new WebhookCounts();
  const all = { store, health, deliveries: () => counts, clock, ...sources };
  const metrics = createMetrics(all, '1.2.3');
  onTestFinished(() => {
    metrics.stop();
  });
  const read = async () => {
    const { problems, samples } = lintMetrics(await metrics.text());
    expect(problems).toEqual([]);
    return (name: string, labels: Record<string, string> = {}) =>
      samples.find(
        (each) =>
          each.name === name &&
          Object.entries(labels).every(([key, value]) => each.labels[key] === value),
      )?.value;
  };
  return { clock, metrics, read, campaigns, counts, health, reads: () => reads };
}

const dial = (record: Partial<DialRecord>) => ({ at: 0, detail: '', ...record }) as DialRecord;
const settled = (callId: string, at: number): PollRecord => ({
  ...{ kind: 'settled', at, callId, analytics: someAnalytics() },
  ...{ result: 'answered', source: 'service' },
});

describe('metrics of calls', () => {
  it('count a call once, also one whose answer was lost and then found', async () => {
    const { metrics, read } = someMetrics();
    const { calls } = metrics;
    calls.dialled('a', dial({ kind: 'placed' }));
    calls.dialled('b', dial({ kind: 'unknown' }));
    calls.dialled('b', dial({ kind: 'unknown', replay: { spent: true, backoffMs: null } }));
    calls.dialled('b', dial({ kind: 'placed' }));
    expect((await read())('callsheet_calls_started_total')).toBe(2);
  });

  it('count ends by result, and what was recorded before not again', async () => {
    const { metrics, read } = someMetrics();
    const { calls } = metrics;
    calls.found('a', settled('call_a', 5_000), 'moved');
    calls.found('a', settled('call_a', 6_000), 'stayed');
    calls.found('b', { kind: 'never_began', at: 0, detail: '' }, 'moved');
    calls.swept({ orphaned: 3, presumedDown: 2, noResult: 2, unconfirmed: 1 });
    const value = await read();
    const ended = (result: string) => value('callsheet_calls_ended_total', { result });
    expect(['answered', 'no_result', 'unconfirmed', 'busy'].map(ended)).toEqual([1, 3, 1, 0]);
  });

  it('count refusals by kind', async () => {
    const { metrics, read } = someMetrics();
    const { calls } = metrics;
    calls.dialled('a', dial({ kind: 'rejected' }));
    calls.dialled('b', dial({ kind: 'rejected', invalidNumber: true }));
    calls.dialled('c', dial({ kind: 'released', reason: 'never_sent', notBefore: 0 }));
    calls.dialled('d', dial({ kind: 'released', reason: 'refused_without_effect', notBefore: 0 }));
    const freed = { at: 0, callId: 'x', detail: '', notBefore: 0, refusal: '', pause: false };
    calls.found('e', { kind: 'not_called', ...freed }, 'moved');
    const value = await read();
    for (const kind of ['rejected', 'invalid_number', 'never_sent', 'refused', 'not_called'])
      expect(value('callsheet_dials_refused_total', { kind })).toBe(1);
    expect(value('callsheet_calls_started_total')).toBe(0);
  });

  it('measure polls of a call, and the time from its end to its result', async () => {
    const { metrics, read } = someMetrics();
    const { calls } = metrics;
    for (let poll = 0; poll < 3; poll++) calls.polls('call_a');
    calls.found('a', { kind: 'ended', at: 10_000, nextPollAt: 0 }, 'moved');
    calls.found('a', settled('call_a', 12_500), 'moved');
    calls.found('b', settled('call_b', 99_000), 'moved');
    const value = await read();
    expect(value('callsheet_polls_per_call_sum')).toBe(3);
    expect(value('callsheet_polls_per_call_count')).toBe(2);
    expect(value('callsheet_call_result_delay_seconds_sum')).toBe(2.5);
    expect(value('callsheet_call_result_delay_seconds_bucket', { le: '0' })).toBe(1);
  });

  it('measure commits in seconds, and count those that failed', async () => {
    const { metrics, read } = someMetrics();
    metrics.calls.committed({ ms: 20, writes: 3, failed: false });
    metrics.calls.committed({ ms: 5_000, writes: 1, failed: true });
    const value = await read();
    expect(value('callsheet_store_commit_seconds_sum')).toBe(5.02);
    expect(value('callsheet_store_commit_failures_total')).toBe(1);
  });
});

describe('metrics of what is stored', () => {
  it('tell how each campaign stands that is called, and none that was archived or never started', async () => {
    const { read, campaigns, clock } = someMetrics([
      { campaign: {}, progress: { nextDueAt: 1_767_625_200_000 } },
      { campaign: { state: 'draft' } },
      { campaign: { archivedAt: 1 } },
      { campaign: { name: 'odd "name"\\ \n' } },
    ]);
    const value = await read();
    const of = (name: string, campaign = 'c0') => value(`callsheet_${name}`, { campaign });
    expect([of('calls_in_progress'), of('results_awaited'), of('calls_in_doubt')]).toEqual([
      3, 2, 1,
    ]);
    expect(of('next_opening_timestamp_seconds')).toBe(1_767_625_200);
    expect(of('leads_waiting', 'odd "name"\\ \n')).toBe(4);
    expect([of('leads_waiting', 'c1'), of('leads_waiting', 'c2')]).toEqual([undefined, undefined]);
    expect(value('callsheet_inbox_deliveries', { service: 'main' })).toBe(7);

    // Its doubts are to be seen when it is over, too.
    const [first] = campaigns;
    if (first !== undefined) first.state = 'completed';
    await clock.advance(1_000);
    const later = await read();
    expect(later('callsheet_calls_in_doubt', { campaign: 'c0' })).toBe(1);
    expect(later('callsheet_next_opening_timestamp_seconds', { campaign: 'c0' })).toBeUndefined();
  });

  it('tell the next time of a schedule', async () => {
    const settings = { ...aCampaign().settings, schedule: '0 18 * * *', timezone: 'UTC' };
    const value = await someMetrics([{ campaign: { settings } }]).read();
    expect(value('callsheet_next_opening_timestamp_seconds')).toBe(
      Date.UTC(2026, 0, 5, 18) / 1_000,
    );
  });

  it('read the database once a second at most, however many ask', async () => {
    const { read, clock, reads } = someMetrics([{ campaign: {} }]);
    await Promise.all([read(), read(), read()]);
    expect(reads()).toBe(1);
    await clock.advance(999);
    await read();
    expect(reads()).toBe(1);
    await clock.advance(1);
    await read();
    expect(reads()).toBe(2);
  });

  it('tell whether serve is well, what came to its address, and what this process is', async () => {
    const unwell: Condition = { unwell: 'stopping' };
    const health = { healthz: () => ({ unwell: null }), readyz: () => unwell };
    const { read, counts } = someMetrics([], { health });
    counts.add('kept');
    const value = await read();
    expect([value('callsheet_healthy'), value('callsheet_ready')]).toEqual([1, 0]);
    expect(value('callsheet_webhook_requests_total', { outcome: 'kept' })).toBe(1);
    expect(value('callsheet_build_info', { version: '1.2.3', node: process.version })).toBe(1);
    expect(value('process_cpu_seconds_total')).toBeGreaterThan(0);
    expect(value('process_resident_memory_bytes')).toBeGreaterThan(1e6);
    expect(value('process_start_time_seconds')).toBeLessThan(Date.now() / 1_000);
    expect(value('callsheet_event_loop_delay_max_seconds')).toBeGreaterThanOrEqual(0);
  });
});

it('the page of monitoring lists every metric, with its labels, and no other', async () => {
  const { metrics } = someMetrics([{ campaign: {}, progress: { nextDueAt: 1 } }]);
  const text = await metrics.text();
  const { samples } = lintMetrics(text);
  const told = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => {
    const labels = Object.keys(samples.find((each) => each.name === name)?.labels ?? {});
    const shown = type === 'histogram' || labels.length === 0 ? '' : `{${labels.join(',')}}`;
    return `\`${name}${shown}\``;
  });
  const page = readFileSync(
    new URL('../../../src/app/monitoring/README.md', import.meta.url),
    'utf8',
  );
  const [, table = ''] = page.split('| metric');
  const listed = table.match(/`(callsheet|process)_[^`]+`(?=[^|]*\|[^|]*\|$)/gm);
  expect(listed?.toSorted()).toEqual(told.toSorted());
});

describe('where metrics are told', () => {
  async function aListener() {
    const { metrics, health } = someMetrics();
    const listener = await listenForMetrics({ host: '127.0.0.1', port: 0 }, metrics, health);
    onTestFinished(() => listener.close());
    return async (path: string, host?: string, method: 'GET' | 'POST' | 'HEAD' = 'GET') => {
      const headers = host === undefined ? {} : { host };
      const answer = await request(listener.url + path, { method, headers });
      const body = await answer.body.text();
      return { status: answer.statusCode, type: answer.headers['content-type'], body };
    };
  }

  it('answers what Prometheus and monitors ask for, and nothing else', async () => {
    const ask = await aListener();
    expect(await ask('/metrics')).toMatchObject({
      status: 200,
      type: 'text/plain; version=0.0.4; charset=utf-8',
      body: expect.stringContaining('# TYPE callsheet_calls_started_total counter') as string,
    });
    expect(await ask('/metrics?x=1', undefined, 'HEAD')).toMatchObject({ status: 200, body: '' });
    expect(await ask('/healthz')).toMatchObject({ status: 200, body: '{"status":"ok"}' });
    expect(await ask('/readyz')).toMatchObject({ status: 200 });
    expect((await ask('/')).status).toBe(404);
    expect((await ask('/metrics', undefined, 'POST')).status).toBe(405);
  });

  it('answers no web page that has its own name lead here', async () => {
    const ask = await aListener();
    expect((await ask('/metrics', 'evil.example:80')).status).toBe(403);
    expect((await ask('/metrics', 'localhost:9464')).status).toBe(200);
  });

  it('is refused where the port is taken', async () => {
    const { metrics, health } = someMetrics();
    const first = await listenForMetrics({ host: '127.0.0.1', port: 0 }, metrics, health);
    onTestFinished(() => first.close());
    const port = Number(new URL(first.url).port);
    await expect(
      listenForMetrics({ host: '127.0.0.1', port }, metrics, health),
    ).rejects.toMatchObject({
      code: 'METRICS_PORT_UNAVAILABLE',
      exitCode: 2,
    });
  });
});
