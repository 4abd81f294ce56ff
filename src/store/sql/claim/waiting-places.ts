import type { CallingPolicy } from '../../../domain/calling/policy.ts';
import type { Sql } from '../sql.ts';
import type { CampaignRow } from '../tables/campaigns.ts';
import { firstOpen, type CallingTimes } from './calling-times.ts';

/** A place where leads of a campaign wait, with the time and the position of its first lead. */
export interface WaitingPlace {
  zoneKey: string;
  /** Epoch ms. */
  notBefore: number;
  position: number;
}

/** When somebody may be called next, and what there is to wait for until then. */
export interface NextCallable {
  why: 'none_waiting' | 'not_yet_due' | 'outside_hours';
  /** Epoch ms, perhaps in the past; null: never, as things stand. */
  at: number | null;
}

/** The places where leads of a campaign wait: as many searches of the index as there are places. */
export function waitingPlaces(sql: Sql) {
  const columns = 'zone_key AS zoneKey, not_before AS notBefore, position';
  const ofCampaign =
    "FROM leads INDEXED BY leads_waiting WHERE campaign_id = ? AND state = 'waiting'";
  const select = (after: '>' | '>=') =>
    sql.row<[campaignId: string, zoneKey: string], WaitingPlace>(
      `SELECT ${columns} ${ofCampaign} AND zone_key ${after} ?
       ORDER BY zone_key, not_before, position LIMIT 1`,
    );
  const selectFirst = select('>=');
  const selectNext = select('>');
  const selectCounts = sql.tuples<[campaignId: string], [zoneKey: string, leads: number]>(
    'SELECT zone_key, leads FROM waiting_counts WHERE campaign_id = ?',
  );

  function read(campaignId: string): WaitingPlace[] {
    const places: WaitingPlace[] = [];
    let place = selectFirst(campaignId, '');
    while (place !== undefined) {
      places.push(place);
      place = selectNext(campaignId, place.zoneKey);
    }
    return places;
  }

  return {
    read,
    /** False when no lead of the campaign waits. */
    isAny: (campaignId: string): boolean => selectFirst(campaignId, '') !== undefined,
    counted: sql.atOneMoment((campaignId: string) => {
      const counts = new Map(selectCounts(campaignId));
      return read(campaignId).map(({ zoneKey, notBefore }) => ({
        zoneKey,
        waiting: counts.get(zoneKey) ?? 0,
        firstNotBefore: notBefore,
      }));
    }),
  };
}

export type WaitingPlaces = ReturnType<typeof waitingPlaces>;

/** When the first of the leads that wait at these places may be called, by time and hours. */
export function nextCallable(
  places: readonly WaitingPlace[],
  times: CallingTimes,
  now: number,
): NextCallable {
  if (places.length === 0) return { why: 'none_waiting', at: null };
  let at: number | null = null;
  let isAnyOpen = false;
  let isAnyDue = false;
  for (const { zoneKey, notBefore } of places) {
    const isOpen = times.hoursNow(zoneKey, now).open;
    isAnyOpen ||= isOpen;
    isAnyDue ||= notBefore <= now;
    const isFree = isOpen && notBefore <= now;
    const from = Math.max(notBefore, now);
    const free = isFree ? notBefore : firstOpen(times, zoneKey, from);
    if (free !== null && (at === null || free < at)) at = free;
  }
  const isForHours = at === null || (isAnyDue && !isAnyOpen);
  return { why: isForHours ? 'outside_hours' : 'not_yet_due', at };
}

/** How long places are remembered, ms: other processes let leads wait again, and import lists. */
const REMEMBERED_MS = 1_000;

/** The open places of a campaign by their first lead; what is remembered is a hint, and never later than the truth. */
export interface OpenPlaces {
  readAt: number;
  /** From then on hours have opened or closed somewhere. */
  until: number;
  policy: CallingPolicy | undefined;
  /** The place with the first lead comes first. */
  places: WaitingPlace[];
}

/** True while an answer of `openPlaces` may be used again. */
export function isFresh(open: OpenPlaces, { settings }: CampaignRow, now: number): boolean {
  if (open.policy !== settings.policy || now >= open.until) return false;
  return now >= open.readAt && now <= open.readAt + REMEMBERED_MS;
}

export function openPlaces(
  all: readonly WaitingPlace[],
  policy: CallingPolicy | undefined,
  times: CallingTimes,
  now: number,
): OpenPlaces {
  let until = Infinity;
  const places = all.filter(({ zoneKey }) => {
    const hours = times.hoursNow(zoneKey, now);
    until = Math.min(until, (hours.open ? hours.until : hours.opensAt) ?? Infinity);
    return hours.open;
  });
  return { readAt: now, until: Math.max(until, now + 1), policy, places: places.toSorted(inOrder) };
}

/** Replaces the first lead of a place, or (undefined) removes the place. */
export function placeAgain(
  { places }: OpenPlaces,
  index: number,
  first: WaitingPlace | undefined,
): void {
  places.splice(index, 1);
  if (first === undefined) return;
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (inOrder(places[middle] as WaitingPlace, first) < 0) low = middle + 1;
    else high = middle;
  }
  places.splice(low, 0, first);
}

/** The order in which leads are called. */
export function inOrder(
  a: Pick<WaitingPlace, 'notBefore' | 'position'>,
  b: Pick<WaitingPlace, 'notBefore' | 'position'>,
): number {
  return a.notBefore - b.notBefore || a.position - b.position;
}
