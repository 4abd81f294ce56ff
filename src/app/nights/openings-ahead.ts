import type { Interval } from '../../domain/calling/local-days.ts';
import { openSpans, type PeopleAt } from '../../domain/calling/openings.ts';
import { peopleAhead } from '../../domain/nights/night.ts';
import type { Campaign } from '../../store/port.ts';
import { zonedTime } from '../../text/times.ts';
import { dayIn, momentsOf } from '../../text/wall-clock.ts';
import type { CampaignSchedule, DaysAhead, Schedules } from '../../views/campaigns.ts';
import { databasePlaces, withStore } from '../places/databases.ts';
import type { DatabaseRequest } from '../places/home.ts';
import { firstCall } from '../plan/planned-hours.ts';
import { calledSince, callableTimes, nextScheduled } from '../plan/schedule-times.ts';
import { viewOf } from '../run/situation.ts';
import { statusOf } from '../sentences/situations.ts';
import { awaiting, beginsOf, type IsAwaited } from '../watch/begins.ts';
import type { World } from '../world.ts';

/** People may be at thousands of places; beyond these there are few of them. */
const MOST_PLACES = 50;
/** A schedule may come every minute. */
const MOST_FIRINGS_A_DAY = 48;

interface AheadRequest extends DatabaseRequest {
  days: number;
  /** Of this campaign alone. Default: of all. */
  campaign?: string | undefined;
  isAwaited: IsAwaited;
}

/** The days ahead of every campaign that is not over, rehearsals too; first the one in which calls begin first. */
export async function openingsAhead(
  { days, campaign: only, isAwaited, ...request }: AheadRequest,
  world: World,
): Promise<Schedules> {
  const found: [begins: number, item: CampaignSchedule][] = [];
  const now = world.clock.now();
  for (const place of databasePlaces(request, world)) {
    await withStore(place, 'read', world, async (store) => {
      const isCalledBy = awaiting(isAwaited, store);
      for (const campaign of await store.listCampaigns()) {
        if (!isAhead(campaign) || campaign.name !== (only ?? campaign.name)) continue;
        const places = await store.placesOf(campaign.id, now);
        const view = await viewOf({ store, campaign, world });
        const { works, situation } = view;
        const isLater = works.calls === null && isCalledBy(campaign);
        const history = await store.history(campaign.id);
        const begins = beginsOf(view, history, places, isLater);
        const since = calledSince(campaign, history, now);
        const status = statusOf(view, situation, begins);
        const { name, state, simulated, settings } = campaign;
        const item = {
          ...{ campaign: name, state, simulated, shown: situation.shown, status },
          ...aheadOf(settings, places, now, days, since),
        };
        found.push([works.calls === null ? beginOf(item) : now, item]);
        // Others are answered in between: a campaign may take some tens of milliseconds.
        await world.clock.sleep(0);
      }
    });
  }
  // Infinity less Infinity is no order.
  found.sort(([a], [b]) => (a === b ? 0 : a - b));
  const items = found.map(([, item]) => item);
  return { items, next: null, now: zonedTime(world.timezone)(now) };
}

/** When calls may begin next, epoch ms. Infinity: nobody waits, or not in these days. */
function beginOf({ days }: CampaignSchedule): number {
  const first = days.flatMap(({ spans }) => spans)[0];
  return first === undefined ? Infinity : Date.parse(first.from);
}

/** @param days how many, from the day of `now` on; `since` see `firingAt` */
export function aheadOf(
  settings: Campaign['settings'],
  places: readonly PeopleAt[],
  now: number,
  days: number,
  since: number,
): DaysAhead {
  const { timezone, schedule = null } = settings;
  const iso = zonedTime(timezone);
  const dates = Array.from({ length: days + 1 }, (_, n) => dayIn(timezone, now, n)).map((date) => ({
    date,
    at: momentsOf(`${date}T00:00`, timezone)[0] ?? NaN,
  }));
  const most = places.toSorted((a, b) => b.waiting - a.waiting).slice(0, MOST_PLACES);
  const times = callableTimes(settings, since, now);
  const opensAt = firstCall(times, places, now);
  return {
    ...{ timezone, schedule },
    waiting: sumOf(places),
    counted: sumOf(most),
    nextOpeningAt: now < opensAt && opensAt < Infinity ? iso(opensAt) : null,
    days: dates.slice(0, -1).map(({ date, at: from }, index) => {
      const to = dates[index + 1]?.at ?? from;
      const rest = [Math.max(from, now), to] as const;
      const open = most.map(({ zoneKey, waiting: people, firstNotBefore }) => {
        const span = [Math.max(rest[0], firstNotBefore), to] as const;
        return { people, spans: openSpans((at) => times.hoursAt(zoneKey, at), span) };
      });
      const spans = peopleAhead(open).map((span) => {
        return { from: iso(span.from), to: iso(span.to), people: span.people };
      });
      const firings = firingsIn(settings, rest).map(iso);
      return { date, from: iso(from), to: iso(to), spans, firings };
    }),
  };
}

function isAhead({ kind, state, archivedAt }: Campaign): boolean {
  const isOver = state === 'completed' || state === 'cancelled';
  return kind === 'list' && !isOver && archivedAt === undefined;
}

function sumOf(places: readonly PeopleAt[]): number {
  return places.reduce((sum, { waiting }) => sum + waiting, 0);
}

function firingsIn(settings: Campaign['settings'], [from, to]: Interval): number[] {
  const firings: number[] = [];
  if (settings.schedule === undefined) return firings;
  for (let at = nextScheduled(settings, from - 1); at < to; at = nextScheduled(settings, at)) {
    firings.push(at);
    if (firings.length >= MOST_FIRINGS_A_DAY) break;
  }
  return firings;
}
