import { startCampaign } from '../../app/campaigns/start-pause-resume.ts';
import { draftRequest, nameOf } from '../../app/drafts/draft-request.ts';
import { withNames, type OpenDraft } from '../../app/drafts/draft.ts';
import { removeDraft } from '../../app/drafts/drafts.ts';
import { isServed } from '../../app/places/campaign-place.ts';
import { importInto } from '../../app/plan/import-into.ts';
import type { PlanRequest } from '../../app/plan/plan.ts';
import { collectCalls, type CollectRequest } from '../../app/run/collect.ts';
import type { RunReport } from '../../app/run/run-and-report.ts';
import type { RunEvent, RunWatch, StopSignals } from '../../app/run/run-events.ts';
import { runList } from '../../app/run/run.ts';
import { tellNotice } from '../../app/sentences/notices.ts';
import type { World } from '../../app/world.ts';
import { DAY_MS } from '../../domain/time-units.ts';
import type { StartedDraft } from '../contract/drafts.ts';
import type { Desk } from '../desk.ts';

interface CallOrder extends PlanRequest {
  yes: boolean;
  again: boolean;
  /** The version of the campaign that was looked at; default: whichever it is. */
  ifVersion?: number | undefined;
  /** Called at once, whatever its schedule. */
  now: boolean;
  /** Calls at most; null: no limit. */
  limit: number | null;
  /** Called when the campaign is stored as it was approved. */
  onCommitted?: (() => void) | undefined;
}

/** A console that stays open goes on by itself when hours open again. */
const WAIT_MS = 30 * DAY_MS;
const COUNT_EVERY_MS = 1_000;

/** How a run ended, for its job. */
interface CallEnd {
  state: string;
  why: string;
  code: number;
  results: string | null;
}

/**
 * Calls a campaign from this process: at once or, with a schedule, at its times. Beside `serve`, only lets `serve` call it,
 * if it sees it and shall not call at once.
 *
 * @returns null when the console was left at once
 */
export async function callCampaign(
  { now, limit, onCommitted, ...request }: CallOrder,
  desk: Desk,
  world: World,
  stop: StopSignals,
): Promise<CallEnd | { state: string } | null> {
  if (!now && desk.dials === 'serve' && (await isServed(request, world))) {
    const { state } = await startCampaign({ ...request, limit, served: true }, world);
    onCommitted?.();
    return { state };
  }
  const bounds = {
    add: request.lists !== undefined,
    force: false,
    atSchedule: !now,
    limit,
    waitMs: limit === null ? WAIT_MS : null,
  };
  const watch = watchOf(request.list, stop, world, onCommitted);
  const extras = { log: desk.log, watch, listenAt: null };
  return endOf(await runList({ ...request, ...bounds }, extras, world));
}

/** Fetches what is outstanding; nobody is called. */
export async function collectCampaign(
  request: CollectRequest,
  desk: Desk,
  world: World,
  stop: StopSignals,
): Promise<CallEnd | null> {
  let end: CallEnd | null = null;
  const watch = {
    log: desk.log,
    watch: () => watchOf(request.campaign ?? '', stop, world),
    onReport: ({ kind, report }: { kind: string; report: unknown }) => {
      if (kind === 'list') end = endOf(report as RunReport | null);
    },
  };
  await collectCalls(request, watch, world);
  return end;
}

function endOf(report: RunReport | null): CallEnd | null {
  if (report === null) return null;
  const { campaign, exit, results } = report;
  return { state: campaign.state, why: exit.why, code: exit.code, results: results.path };
}

/** Notices of a run become sentences of its job. */
function watchOf(
  campaign: string,
  stop: StopSignals,
  world: World,
  onCommitted?: () => void,
): RunWatch {
  const onEvent = (event: RunEvent) => {
    if (event.is === 'committed') onCommitted?.();
    if (event.is === 'notice')
      tellNotice(event, campaign, (sentence, kind) => {
        world.tell(sentence, kind);
      });
  };
  return { stop, everyMs: COUNT_EVERY_MS, onEvent };
}

interface DraftOrder {
  draft: OpenDraft;
  /** The id of the campaign that is made of it; see `beginOwn`. */
  campaignId: string;
  /** False: its lists are imported, and nobody is called. */
  start: boolean;
  again: boolean;
  yes: boolean;
  /** Called at once, whatever its schedule. */
  now: boolean;
  /** Calls at most; null: no limit. */
  limit: number | null;
  /** The campaign's name if its import was broken off: its own settings hold. Default: those of the draft do. */
  begun?: string;
  ifVersion?: number | undefined;
}

/**
 * Makes the campaign of a draft and calls it. As soon as the campaign has taken the lists, the draft and its uploads are
 * deleted, and `show` gets the campaign's name.
 */
export function callDraft(
  { draft, campaignId, start, again, yes, now, limit, begun, ifVersion }: DraftOrder,
  desk: Desk,
  world: World,
  stop: StopSignals,
  show: (result: StartedDraft) => void,
): Promise<StartedDraft> {
  const campaign = begun ?? nameOf(draft);
  let removing: Promise<void> | undefined;
  const onCommitted = () => {
    show({ campaign });
    // A list that was deleted has to be sent again.
    if (draft.gone.length > 0) return;
    removing ??= removeDraft(desk.access, draft.id).catch(world.keepStack);
  };
  return withNames(draft.uploads, async () => {
    const whole = await draftRequest(draft, desk.files, world);
    const own = { ...desk.files, list: campaign, lists: whole.lists };
    const request = { ...(begun === undefined ? whole : own), campaignId, ifVersion };
    if (start) {
      const order = { ...request, yes, again, now, limit, onCommitted };
      const end = await callCampaign(order, desk, world, stop);
      return { campaign, ...end };
    }
    const { campaign: made } = await importInto({ ...request, yes, again, sync: false }, world);
    onCommitted();
    return { campaign, state: made.state };
  }).finally(() => removing);
}
