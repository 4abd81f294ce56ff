import { Counter, Gauge, type Registry } from 'prom-client';
import type { HealthAnswers } from '../../domain/monitoring/health.ts';
import { WEBHOOK_ENDS, type WebhookCounts } from '../../collect/inbox/webhook-counts.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Campaign, Progress, Store } from '../../store/port.ts';
import { nextScheduled } from '../serve/schedules.ts';

/** Several who ask at once get the same answer, and make the database work once. */
const KEPT_FOR_MS = 1_000;

/** What `stateMetrics` reads when somebody asks. */
export interface StateSources {
  store: Pick<Store, 'listCampaigns' | 'progress' | 'inboxDepth'>;
  health: HealthAnswers;
  /** Undefined until webhooks are received. */
  deliveries: () => WebhookCounts | undefined;
  clock: Clock;
}

/** Gauges of how campaigns, inbox and `serve` stand. @returns reads them; to be called before each answer */
export function stateMetrics(registry: Registry, sources: StateSources): () => Promise<void> {
  const { store, health, deliveries, clock } = sources;
  const registers = [registry];
  const gauge = (name: string, help: string, label?: string) =>
    new Gauge({ registers, name, help, labelNames: label === undefined ? [] : [label] });
  const byCampaign: [Gauge, (progress: Progress, campaign: Campaign) => number | null][] = [
    [
      gauge('callsheet_calls_in_progress', 'Slots that calls hold now.', 'campaign'),
      ({ held }) => held,
    ],
    [
      gauge('callsheet_results_awaited', 'Calls whose result is still to come.', 'campaign'),
      ({ open }) => open,
    ],
    [
      gauge(
        'callsheet_calls_in_doubt',
        'Calls of which nobody knows whether they were made, and that nobody has settled.',
        'campaign',
      ),
      ({ doubts }) => doubts,
    ],
    [
      gauge('callsheet_leads_waiting', 'People who are still to be called.', 'campaign'),
      ({ waiting }) => waiting,
    ],
    [
      gauge(
        'callsheet_next_opening_timestamp_seconds',
        'When calling may begin or go on: the next time of the schedule, else when somebody who waits may be called.',
        'campaign',
      ),
      (progress, campaign) => nextOpening(progress, campaign, clock.now()),
    ],
  ];
  const inbox = gauge(
    'callsheet_inbox_deliveries',
    'Deliveries that wait to be applied, or for their call to become known.',
    'service',
  );
  const healthy = gauge('callsheet_healthy', '1 while /healthz says ok.');
  const ready = gauge('callsheet_ready', '1 while /readyz says ok.');
  const received = new Counter({
    registers,
    name: 'callsheet_webhook_requests_total',
    help: 'Requests to the webhook address, by what became of them.',
    labelNames: ['outcome'],
  });

  /** Campaigns that were called or paused in the time of this process: they stay when they are over. */
  const seen = new Set<string>();
  let kept: { at: number; reading: Promise<void> } | undefined;

  const read = async (): Promise<void> => {
    const campaigns = (await store.listCampaigns()).filter(isShown);
    const rows: [Campaign, Progress][] = [];
    for (const campaign of campaigns)
      rows.push([campaign, await store.progress(campaign.id, clock.now())]);
    const depths = await store.inboxDepth();
    for (const [metric, valueOf] of byCampaign) {
      // One that was archived or renamed is gone.
      metric.reset();
      for (const [campaign, progress] of rows) {
        const value = valueOf(progress, campaign);
        if (value !== null) metric.set({ campaign: campaign.name }, value);
      }
    }
    inbox.reset();
    for (const { service, waiting } of depths) inbox.set({ service }, waiting);
  };
  const isShown = ({ id, kind, state, archivedAt }: Campaign): boolean => {
    if (kind !== 'list' || archivedAt !== undefined) return false;
    if (state === 'running' || state === 'paused') seen.add(id);
    return seen.has(id);
  };

  return async () => {
    healthy.set(health.healthz().unwell === null ? 1 : 0);
    ready.set(health.readyz().unwell === null ? 1 : 0);
    received.reset();
    for (const outcome of WEBHOOK_ENDS) received.inc({ outcome }, deliveries()?.of(outcome) ?? 0);
    if (kept === undefined || clock.monotonic() - kept.at >= KEPT_FOR_MS)
      kept = { at: clock.monotonic(), reading: read() };
    await kept.reading;
  };
}

/** Epoch seconds; null: it never opens as things stand, or nobody waits. */
function nextOpening(
  { nextDueAt, waiting }: Progress,
  { state, settings }: Campaign,
  now: number,
): number | null {
  if (state !== 'running' || waiting === 0) return null;
  const at = settings.schedule === undefined ? nextDueAt : nextScheduled(settings, now);
  return at === null || at === Infinity ? null : at / 1_000;
}
