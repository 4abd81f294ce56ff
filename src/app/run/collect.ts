import { askedSince } from '../../collect/settle.ts';
import { databasePlaces, withCampaign, withStore } from '../places/databases.ts';
import { withNotices } from '../notices/with-notices.ts';
import { openCollectors } from '../services/collectors.ts';
import type { ServiceRequest } from '../services/service.ts';
import type { Campaign, Store } from '../../store/port.ts';
import type { World } from '../world.ts';
import { applyLeftovers } from '../webhooks/inbox.ts';
import { runAndReport, type RunReport } from './run-and-report.ts';
import type { RunWatch } from './run-events.ts';
import { runSingleCall, type CallReport } from './call-one-number.ts';
import type { WatchedRun } from './watched-run.ts';

export interface CollectRequest extends ServiceRequest {
  /** The campaign's name; undefined: all campaigns with open calls. */
  campaign: string | undefined;
  /** Calls without a result are asked for again however old they are, and however lately they were asked for. */
  all: boolean;
}

interface CollectWatch extends Pick<WatchedRun, 'log'> {
  /** Makes the watch of one campaign; the campaigns are collected one after the other. */
  watch: () => RunWatch;
  onReport: (report: Collected) => void;
}

/** What was collected; null: the operator left at once. */
export type Collected =
  { kind: 'list'; report: RunReport | null } | { kind: 'call'; report: CallReport | null };

/** Fetches outstanding analytics and writes the results again; never dials. */
export async function collectCalls(
  request: CollectRequest,
  watch: CollectWatch,
  world: World,
): Promise<void> {
  if (request.campaign !== undefined) {
    const named = { ...request, campaign: request.campaign };
    return withCampaign(named, world, 'write', async ({ store, campaign }) => {
      await applyLeftovers(store, request, world);
      watch.onReport(await collectOne(store, campaign, request, watch, world));
    });
  }
  let found = 0;
  for (const { path } of databasePlaces(request, world)) {
    await withStore(path, 'write', world, async (store) => {
      await applyLeftovers(store, request, world);
      for (const campaign of await store.listCampaigns()) {
        if (!(await hasOpenCalls(store, campaign, request, world))) continue;
        found += 1;
        world.tell(`Collecting "${campaign.name}".`);
        watch.onReport(await collectOne(store, campaign, request, watch, world));
      }
    });
  }
  if (found === 0) world.tell('No call is open.');
}

async function hasOpenCalls(
  store: Store,
  { id }: Campaign,
  request: CollectRequest,
  { clock }: World,
): Promise<boolean> {
  const now = clock.now();
  if ((await store.progress(id, now)).calling > 0) return true;
  return (await store.servicesWithOpenCalls(id, Infinity, lateSince(request, now))).length > 0;
}

function lateSince({ all }: CollectRequest, now: number): number {
  return askedSince(all ? 'all' : 'due', now);
}

async function collectOne(
  store: Store,
  campaign: Campaign,
  request: CollectRequest,
  { log, watch }: CollectWatch,
  world: World,
): Promise<Collected> {
  const since = lateSince(request, world.clock.now());
  const collectors = await openCollectors(store, campaign, undefined, request, world, since);
  const bounds = { limit: null, until: null, waitUntil: null };
  const askAgain = request.all ? ('all' as const) : ('due' as const);
  const run = { dialAt: null, askAgain, collectFrom: collectors.services, ...bounds };
  const options = { store, campaign, run, log, watch: watch() };
  const desk = { store, flags: request, log, stop: options.watch.stop };
  try {
    if (campaign.kind === 'call')
      return { kind: 'call', report: await runSingleCall(options, world) };
    const report = await withNotices(desk, world, (noticeWatch) =>
      runAndReport({ ...options, noticeWatch }, world),
    );
    return { kind: 'list', report };
  } finally {
    await collectors.close();
  }
}
