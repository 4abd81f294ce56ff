import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';

import type { Health } from '../../collect/inbox/receiver-options.ts';
import { LEAD_RESULTS } from '../../domain/lead.ts';
import type { Clock } from '../../runtime/clock.ts';
import { messageOf, usageError } from '../../runtime/errors.ts';
import { isLoopback } from '../../runtime/process.ts';
import type { VoiceService } from '../../service/port.ts';
import type { Campaign, DialRecord, PollRecord, Progress, Store } from '../../store/port.ts';

interface MetricsSources {
  store: Store;
  health: Health;
  clock: Clock;
}

/** Results that a call can have; the others are those of people who were not called. */
const OF_CALLS = LEAD_RESULTS.filter(
  (result) =>
    !['suppressed', 'expired', 'cancelled', 'rejected', 'invalid_number'].includes(result),
);
/** Why a dial did not become a call. */
const REFUSALS = ['rejected', 'invalid_number', 'refused', 'never_sent', 'not_called'] as const;
/** Gauges of a campaign, read from the database. */
const BY_CAMPAIGN = [
  ['callsheet_calls_in_progress', 'Slots that calls hold now.', 'held'],
  [
    'callsheet_calls_in_doubt',
    'Calls that may or may not have been made, and that nobody has settled.',
    'doubts',
  ],
  ['callsheet_leads_waiting', 'People who are still to be called.', 'waiting'],
] as const;

/**
 * The metrics of a `serve`, in a registry of its own. Counters begin at 0 with the process and count what is durable in
 * the database: `store` and `observed` take the places of the store and of a service, so that no stage knows of metrics.
 */
export function createMetrics({ store, health, clock }: MetricsSources) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ registers, name, help, labelNames });
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ registers, name, help, labelNames });
  const started = counter(
    'callsheet_calls_started_total',
    'Calls begun: the service took the dial, or its answer was lost and it may have.',
  );
  const ended = counter(
    'callsheet_calls_ended_total',
    'Calls that have ended, by the result that was kept.',
    'result',
  );
  const refused = counter(
    'callsheet_dials_refused_total',
    'Dials that became no call: rejected (this number), invalid_number (nobody has it), refused (not now), never_sent, not_called (taken, then ended without ringing).',
    'kind',
  );
  const errors = counter(
    'callsheet_service_errors_total',
    'Requests (dial, poll) that the service did not answer, or not as its profile expects.',
    'service',
    'request',
  );
  const lastPoll = gauge(
    'callsheet_last_poll_timestamp_seconds',
    'When the service last answered a poll as its profile expects.',
    'service',
  );
  const lastDelivery = gauge(
    'callsheet_last_delivery_timestamp_seconds',
    'When a webhook delivery of the service was last kept.',
    'service',
  );
  const healthy = gauge('callsheet_healthy', '1 while /healthz says ok.');
  const byCampaign = BY_CAMPAIGN.map(
    ([name, help, field]) => [gauge(name, help, 'campaign'), field] as const,
  );
  // A series that begins at 0 shows its first increase.
  for (const result of OF_CALLS) ended.inc({ result }, 0);
  for (const kind of REFUSALS) refused.inc({ kind }, 0);

  const now = () => clock.now() / 1_000;
  /** Attempts whose call was counted while its answer was lost. */
  const doubted = new Set<string>();
  const dialled = (attemptId: string, record: DialRecord) => {
    switch (record.kind) {
      case 'placed':
        if (!doubted.delete(attemptId)) started.inc();
        return;
      case 'unknown':
        // A replay decides nothing about the first dial, which was counted.
        if (record.replay !== undefined) return;
        started.inc();
        doubted.add(attemptId);
        return;
      case 'rejected':
        refused.inc({ kind: record.invalidNumber === true ? 'invalid_number' : 'rejected' });
        return;
      case 'released':
        refused.inc({ kind: record.reason === 'never_sent' ? 'never_sent' : 'refused' });
    }
  };
  const found = (record: PollRecord) => {
    if (record.kind === 'never_began') ended.inc({ result: 'no_result' });
    else if (record.kind === 'not_called') refused.inc({ kind: 'not_called' });
    else if (record.kind === 'settled') ended.inc({ result: record.result });
  };

  /** Campaigns that were called or paused in the time of this process: they stay when they are over. */
  const seen = new Set<string>();
  const isShown = ({ id, kind, state, archivedAt }: Campaign): boolean => {
    if (kind !== 'list' || archivedAt !== undefined) return false;
    if (state === 'running' || state === 'paused') seen.add(id);
    return seen.has(id);
  };
  const readCampaigns = async () => {
    const read: [name: string, Progress][] = [];
    for (const { id, name } of (await store.listCampaigns()).filter(isShown))
      read.push([name, await store.progress(id, clock.now())]);
    for (const [metric, field] of byCampaign) {
      // A campaign that was archived or renamed goes.
      metric.reset();
      for (const [campaign, progress] of read) metric.set({ campaign }, progress[field]);
    }
  };

  return {
    contentType: registry.contentType,
    /** In the text format of Prometheus, version 0.0.4. @throws the store's errors */
    text: async (): Promise<string> => {
      healthy.set(health() === null ? 1 : 0);
      await readCampaigns();
      return registry.metrics();
    },
    store: {
      ...store,
      recordDial: async (attemptId, record) => {
        const recorded = await store.recordDial(attemptId, record);
        dialled(attemptId, record);
        return recorded;
      },
      recordPoll: async (attemptId, record) => {
        const recorded = await store.recordPoll(attemptId, record);
        if (recorded === 'moved') found(record);
        return recorded;
      },
      sweep: async (request) => {
        const counts = await store.sweep(request);
        ended.inc({ result: 'no_result' }, counts.noResult);
        ended.inc({ result: 'unconfirmed' }, counts.unconfirmed);
        return counts;
      },
      inboxPut: async (delivery) => {
        const isNew = await store.inboxPut(delivery);
        lastDelivery.set({ service: delivery.service }, now());
        return isNew;
      },
    } satisfies Store,
    observed: (given: VoiceService): VoiceService => {
      const { name: service, callList } = given;
      for (const request of ['dial', 'poll']) errors.inc({ service, request }, 0);
      const polled = <A extends { kind: string }>(answer: A, signal?: AbortSignal): A => {
        if (answer.kind !== 'failed' && answer.kind !== 'unreadable')
          lastPoll.set({ service }, now());
        else if (signal?.aborted !== true) errors.inc({ service, request: 'poll' });
        return answer;
      };
      return {
        ...given,
        startCall: async (dial, permit) => {
          const answer = await given.startCall(dial, permit);
          const isLost = answer.kind === 'neverSent' && answer.cause === 'connection';
          if (answer.kind === 'unknown' || isLost) errors.inc({ service, request: 'dial' });
          return answer;
        },
        readAnalytics: async (callId, signal, of) =>
          polled(await given.readAnalytics(callId, signal, of), signal),
        callList: callList && {
          ...callList,
          read: async (query) => polled(await callList.read(query), query.signal),
        },
      };
    },
  };
}

/** Where metrics are served: an address of this machine alone. */
export interface MetricsAt {
  /** Without brackets, e.g. `127.0.0.1` or `::1`. */
  host: string;
  /** 0 takes any free port. */
  port: number;
}

/** Serves metrics at /metrics. @throws AppError `METRICS_PORT_UNAVAILABLE` (exit 2) */
export async function serveMetrics({ host, port }: MetricsAt, sources: MetricsSources) {
  const metrics = createMetrics(sources);
  const server = createServer((request, response) => {
    void answer(request, metrics).then(({ status, type = 'text/plain', text }) => {
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ host, port }, resolve);
  }).catch((error: unknown) => {
    throw usageError(
      'METRICS_PORT_UNAVAILABLE',
      `Metrics cannot be told on ${host}:${port} (${messageOf(error)}); allowed is a free port.`,
      'give another port with --metrics; another `callsheet serve` may be running',
      error,
    );
  });
  const shown = host.includes(':') ? `[${host}]` : host;
  return {
    store: metrics.store,
    observed: metrics.observed,
    url: `http://${shown}:${(server.address() as AddressInfo).port}/metrics`,
    close: async (): Promise<void> => {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
}

async function answer(
  { method = '', url = '', headers }: IncomingMessage,
  metrics: Pick<ReturnType<typeof createMetrics>, 'text' | 'contentType'>,
): Promise<{ status: number; type?: string; text: string }> {
  const address = `http://${headers.host ?? ''}`;
  // A web page can make a browser on this machine ask under the page's own name; metrics name campaigns.
  if (!URL.canParse(address) || !isLoopback(new URL(address).hostname))
    return { status: 403, text: 'ask under a name of this machine' };
  if (!['GET', 'HEAD'].includes(method) || url.split('?')[0] !== '/metrics')
    return { status: 404, text: 'there is only GET /metrics' };
  try {
    return { status: 200, type: metrics.contentType, text: await metrics.text() };
  } catch (error) {
    return { status: 503, text: messageOf(error) };
  }
}
