import type { CallingPolicy } from '../../../domain/calling/policy.ts';
import type { PeopleAt } from '../../../domain/calling/openings.ts';
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

/** Index entries that are counted in a millisecond. */
const FEW = 10_000;

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

  const here = `${ofCampaign} AND zone_key = ?`;
  const selectLater = sql.value<[campaignId: string, zoneKey: string, at: number], number>(
    `SELECT not_before ${here} AND not_before > ? ORDER BY not_before LIMIT 1`,
  );
  const count = (side: '<=' | '>') =>
    sql.value<[campaignId: string, zoneKey: string, at: number, most: number], number>(
      `SELECT count(*) FROM (SELECT 1 ${here} AND not_before ${side} ? LIMIT ? + 0) AS counted`,
    );
  const [countDue, countLater] = [count('<='), count('>')];
  const remembered = new Map<string, { at: number; due: number }>();

  /** How many of a place are due: counted on the side with fewer people, and of many once a second. */
  function dueOf(campaignId: string, { zoneKey, waiting }: PeopleAt, at: number): number {
    const key = `${campaignId} ${zoneKey}`;
    const known = remembered.get(key);
    if (known !== undefined && Math.abs(at - known.at) < REMEMBERED_MS)
      return Math.min(known.due, waiting);
    for (let most = FEW; ; most *= 10) {
      const due = countDue(campaignId, zoneKey, at, most) ?? 0;
      const later = due < most ? 0 : (countLater(campaignId, zoneKey, at, most) ?? 0);
      if (due >= most && later >= most) continue;
      const found = due < most ? due : waiting - later;
      if (most > FEW) remembered.set(key, { at, due: found });
      return found;
    }
  }

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
    counted: sql.atOneMoment((campaignId: string, at: number): PeopleAt[] => {
      const counts = new Map(selectCounts(campaignId));
      return read(campaignId).flatMap(({ zoneKey, notBefore }) => {
        const waiting = counts.get(zoneKey) ?? 0;
        const place = { zoneKey, waiting, firstNotBefore: notBefore };
        const later = notBefore > at ? undefined : selectLater(campaignId, zoneKey, at);
        if (later === undefined) return [place];
        const due = dueOf(campaignId, place, at);
        return [
          { ...place, waiting: due },
          { ...place, waiting: waiting - due, firstNotBefore: later },
        ];
      });
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
