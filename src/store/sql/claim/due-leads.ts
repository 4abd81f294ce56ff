import type { E164 } from '../../../domain/phone.ts';
import type { Sql } from '../sql.ts';
import type { CampaignRow } from '../tables/campaigns.ts';
import type { LeadTable } from '../tables/leads.ts';
import { WITHDRAWN } from '../tables/people/corrections.ts';
import type { CallingTimes } from './calling-times.ts';
import {
  inOrder,
  isFresh,
  nextCallable,
  openPlaces,
  placeAgain,
  type NextCallable,
  type OpenPlaces,
  type WaitingPlace,
  type WaitingPlaces,
} from './waiting-places.ts';

/** A waiting lead, with the counts that go into the idempotency key of its next attempt. */
export interface DueLead extends WaitingPlace {
  row: number;
  /** The number by which the campaign knows the person. */
  phone: E164;
  /** The number that is dialled next; `zoneKey` is its place. */
  dial: E164;
  spent: number;
  notCalled: number;
  /** When the person asked to be called again, epoch ms; null: they did not. */
  callbackAt: number | null;
  /** Until when the person consents to calls, epoch ms; null: no end is known. */
  consentUntil: number | null;
  /** See ConsentTimes. */
  consentGiven: number | null;
  /** Why the operator, or a later list, does not let the person be called; null: they do. */
  stopped: string | null;
  /** See PersonKey; null: the list does not say who the person is. */
  person: string | null;
  personName: string;
}

/** The column `stopped` of a `DueLead`. */
export const STOPPED = `CASE WHEN leads.cancelled_after IS NULL THEN stopped ELSE '${WITHDRAWN}' END AS stopped`;

/** The columns of `leads` that make a `DueLead`. */
export const DUE_LEAD_COLUMNS = `row, phone, coalesce(dial_phone, phone) AS dial, zone_key AS zoneKey,
  not_before AS notBefore, position, spent, not_called AS notCalled, callback_at AS callbackAt, ${STOPPED},
  consent_until AS consentUntil, consent_given AS consentGiven, person, person_name AS personName`;

/** The leads of one campaign that are due in open places, for the length of one claim. */
export interface DueLeads {
  /** True when somebody is due where calls may begin now. */
  isAny: () => boolean;
  /** The first of them, which has to be called, ended or put to rest before the next one is asked for. */
  take: () => DueLead | undefined;
  /** Perhaps the lead that is taken next; undefined: it is still to be read. */
  first: () => DueLead | undefined;
  /** When somebody may be called, once nobody is due any more. */
  next: () => NextCallable;
}

/** The first leads that wait at a place. */
export function firstLeads(sql: Sql) {
  // `+ 0`: with a bare parameter as its limit SQLite compiles the statement again at every use, at ten times the cost.
  return sql.rows<[campaignId: string, zoneKey: string, limit: number], DueLead>(
    `SELECT ${DUE_LEAD_COLUMNS} FROM leads INDEXED BY leads_waiting
       WHERE campaign_id = ? AND zone_key = ? AND state = 'waiting'
       ORDER BY not_before, position LIMIT ? + 0`,
  );
}

/**
 * Finds due leads in the order of time and position over all open places. The first leads of the places are remembered
 * from claim to claim, so that a claim searches the index once or twice and not once per place; every lead that is
 * given was read in the transaction that asks, and before it is said that nobody is due all places are read anew.
 */
export function dueLeads(sql: Sql, leads: LeadTable, waiting: WaitingPlaces) {
  const selectFirst = firstLeads(sql);
  const selectWaiting = sql.row<[row: number], WaitingPlace & { campaignId: string }>(
    `SELECT campaign_id AS campaignId, zone_key AS zoneKey, not_before AS notBefore, position
     FROM leads WHERE row = ? AND state = 'waiting'`,
  );
  const remembered = new Map<string, OpenPlaces>();

  /** Leads that this process has let wait again come before those that were remembered. */
  function noteNews(): void {
    const rows = leads.whoWaitAgain();
    if (rows === null) remembered.clear();
    sql.ahead(() => rows?.forEach((row) => selectWaiting(row)));
    for (const row of rows ?? []) {
      const lead = selectWaiting(row);
      const open = lead && remembered.get(lead.campaignId);
      if (lead === undefined || open === undefined) continue;
      const index = open.places.findIndex(({ zoneKey }) => zoneKey === lead.zoneKey);
      const known = open.places[index];
      if (known === undefined) remembered.delete(lead.campaignId);
      else if (inOrder(lead, known) < 0) placeAgain(open, index, lead);
    }
  }

  return function begin(campaign: CampaignRow, times: CallingTimes, now: number): DueLeads {
    noteNews();
    const { id, settings } = campaign;
    const read = new Map<string, { leads: DueLead[]; size: number }>();
    let isAnew = false;
    let isReleasing = false;

    function open(): OpenPlaces {
      const known = remembered.get(id);
      if (known !== undefined && isFresh(known, campaign, now)) return known;
      isAnew = true;
      isReleasing = leads.releaseHeld(id, campaign.policyVersion);
      read.clear();
      const anew = openPlaces(waiting.read(id), settings.policy, times, now);
      remembered.set(id, anew);
      return anew;
    }

    /** More of them each time that a place is read. */
    const sizeOf = (known?: { size: number }) => Math.min(2 * (known?.size ?? 1), MOST_READ);

    /** The leads of a place that are still to be decided. */
    function leadsOf(zoneKey: string): DueLead[] {
      const known = read.get(zoneKey);
      if (known !== undefined && known.leads.length > 0) return known.leads;
      const size = sizeOf(known);
      const found = selectFirst(id, zoneKey, size);
      read.set(zoneKey, { leads: found, size });
      return found;
    }

    /** The place whose first lead is due before all others. */
    function firstPlace(): DueLead[] | undefined {
      for (;;) {
        const places = open();
        const [place] = places.places;
        if (place === undefined || place.notBefore > now) {
          if (isAnew) return undefined;
          remembered.delete(id);
          continue;
        }
        const found = leadsOf(place.zoneKey);
        const [lead] = found;
        if (lead !== undefined && inOrder(lead, place) <= 0 && lead.notBefore <= now) return found;
        placeAgain(places, 0, lead && firstOf(lead));
      }
    }

    return {
      isAny: () => firstPlace() !== undefined,
      take: () => {
        const found = firstPlace();
        const lead = found?.shift();
        const next = found?.[0];
        // Without a next lead the place keeps its old time, which is a hint that is not too late.
        if (next !== undefined) placeAgain(open(), 0, firstOf(next));
        return lead;
      },
      first: () => {
        const [place] = remembered.get(id)?.places ?? [];
        const known = place && read.get(place.zoneKey);
        const [lead] = known?.leads ?? [];
        if (place !== undefined && lead === undefined)
          sql.ahead(() => selectFirst(id, place.zoneKey, sizeOf(known)));
        return lead;
      },
      next: () => {
        remembered.delete(id);
        // More leads may be let go than one claim lets go: they are judged anew by the next one.
        if (isReleasing) return { why: 'not_yet_due', at: now };
        return nextCallable(waiting.read(id), times, now);
      },
    };
  };
}

/** At most this many leads of a place are read at once. */
const MOST_READ = 128;

function firstOf({ zoneKey, notBefore, position }: DueLead): WaitingPlace {
  return { zoneKey, notBefore, position };
}
