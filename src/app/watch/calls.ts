import type { CallEvidence } from '../../domain/calling/caps.ts';
import { placeOf } from '../../domain/calling/zone-key.ts';
import { nameIn, resultOf } from '../../results/columns.ts';
import type { Campaign, ExportRow, List } from '../../store/port.ts';
import { timesIn } from '../../text/times.ts';
import type { Call, CalledPerson } from '../../views/calls.ts';
import { withCampaign, type CampaignRequest, type OpenCampaign } from '../places/databases.ts';
import { whoWorks } from '../run/run-events.ts';
import type { World } from '../world.ts';

/** A function that makes the view of the call of a row; null: the row has none. @param timezone IANA name */
export function callViews(timezone: string): (row: ExportRow) => Call | null {
  const time = timesIn(timezone);
  return ({ attempt, analytics, capturedLeads }) => {
    if (attempt === null) return null;
    const { said, intentAt, endedAt, settledAt, evidence, ...rest } = attempt;
    const { turns = [], durationMs = null, cost = null, costCurrency = null } = analytics ?? {};
    return {
      ...rest,
      result: resultOf(attempt),
      intentAt: time(intentAt),
      endedAt: time(endedAt),
      settledAt: time(settledAt),
      durationSeconds: durationMs === null ? null : durationMs / 1_000,
      sentiment: analytics?.sentiment ?? null,
      cost: cost === null ? null : { amount: cost, currency: costCurrency ?? '' },
      outcome: said,
      summary: analytics?.summary ?? null,
      transcript: analytics?.transcript ?? null,
      turns,
      recordingUrl: webAddress(analytics?.recordingUrl ?? null),
      capturedLeads,
      extracted: analytics?.extracted ?? null,
      raw: analytics?.raw ?? null,
      evidence: evidence && evidenceView(evidence),
    };
  };
}

/** Names of files and columns are values, so that they are masked. */
function evidenceView({ again, ...first }: CallEvidence): NonNullable<Call['evidence']> {
  const shown = <T extends Omit<CallEvidence, 'again'>>(one: T) => ({
    ...one,
    ...{ regions: [...one.regions], caps: [...one.caps] },
    consent: Object.entries(one.consent).map(([column, value]) => ({ column, value })),
    registries: Object.entries(one.registries).map(([file, day]) => ({ file, day })),
  });
  return { ...shown(first), ...(again && { again: again.map(shown) }) };
}

/** The address if a browser may open it: it comes from the service, and could be one that runs something. */
function webAddress(text: string | null): string | null {
  const url = text === null ? null : URL.parse(text);
  return url !== null && ['http:', 'https:'].includes(url.protocol) ? url.href : null;
}

/** A function that makes the view of a row: the person, and the call that it is about. */
export function calledPeople(
  { settings }: Pick<Campaign, 'settings'>,
  lists: readonly List[],
): (row: ExportRow) => CalledPerson {
  const call = callViews(settings.timezone);
  const byNumber = new Map(lists.map((list) => [list.number, list]));
  return (row) => {
    const { phone, cells, cursor, zoneKey, state, result, resultSource, reason } = row;
    return {
      ...{ phone, name: nameIn(byNumber.get(cursor.list), cells), list: cursor.list },
      ...{ line: cursor.line, zones: [...placeOf(zoneKey).zones] },
      ...{ state, result, resultSource, reason, call: call(row) },
    };
  };
}

const LOOK_EVERY_MS = 1_000;

interface FollowRequest extends CampaignRequest {
  /** How many of the newest calls are shown first. */
  newest: number;
  /** Ends after those, without waiting for more. */
  once: boolean;
  /** Aborts when nobody wants to see more. */
  stop: AbortSignal;
}

/** Reports every call when it ends, in order, until the campaign is over. @returns false when it was stopped */
export function followCalls(
  request: FollowRequest,
  onCalls: (finished: CalledPerson[]) => void,
  world: World,
): Promise<boolean> {
  const { newest, once, stop } = request;
  return withCampaign(request, world, 'read', async (open) => {
    const { store, campaign } = open;
    // The lists are read again each time, because one may have been added.
    const report = async (calls: ExportRow[]) =>
      onCalls(calls.map(calledPeople(campaign, await store.lists(campaign.id))));
    const first = await store.finishedCalls(campaign.id, null, newest);
    let { cursor } = first;
    await report(first.calls);
    let isWaiting = false;
    while (!once) {
      // Asked before the calls are read, so that a call that ends in between is not missed.
      const over = await isOver(open);
      const { calls, ...found } = await store.finishedCalls(campaign.id, cursor, 0);
      ({ cursor } = found);
      if (calls.length > 0) await report(calls);
      if (over) break;
      if (!isWaiting && whoWorks(await store.runners(campaign.id), world).runner === null) {
        isWaiting = true;
        world.tell(`No run of "${campaign.name}" is going on; waiting for calls (Ctrl-C ends).`);
      }
      await world.clock.sleep(LOOK_EVERY_MS, stop);
      if (stop.aborted) return false;
    }
    return true;
  });
}

async function isOver({ store, campaign: { id, name }, world }: OpenCampaign): Promise<boolean> {
  const state = (await store.findCampaign(name))?.state;
  if (state !== 'completed' && state !== 'cancelled') return false;
  return (await store.progress(id, world.clock.now())).calling === 0;
}
