import { calledBeforeReason } from '../../../domain/campaign.ts';
import { capHolds, type PastCalls, type TimedHold } from '../../../domain/calling/caps.ts';
import { consentEnd } from '../../../domain/calling/limits.ts';
import { retryHold } from '../../../domain/calling/retry-hold.ts';
import { placeOf } from '../../../domain/calling/zone-key.ts';
import { blankReason } from '../../../domain/lists/person.ts';
import type { E164 } from '../../../domain/phone.ts';
import type { LeadResult } from '../../../domain/lead.ts';
import { DAY_MS, MINUTE_MS } from '../../../domain/time-units.ts';
import { dayIn } from '../../../text/wall-clock.ts';
import type { Sql } from '../sql.ts';
import type { CampaignRow } from '../tables/campaigns.ts';
import { MAY_HAVE_RUNG } from '../tables/attempt-rows.ts';
import { reasonOf } from '../tables/suppression.ts';
import type { Tables } from '../tables/tables.ts';
import { closedAt, firstFree, type CallingTimes } from './calling-times.ts';
import type { DueLead } from './due-leads.ts';
import { earlierCallOf } from './earlier-calls.ts';
import { knownPlaces, leadCellsStatement, personStatements, wishStatements } from './persons.ts';
import { pastCallStatements } from './past-calls.ts';

/** Why a lead that is due, at a place whose hours are open, is not called. */
export type Obstacle =
  /** The lead ends. `by`: the key of the campaign file that decides, or `suppression`. */
  | { kind: 'end'; by: string; result: LeadResult; reason: string }
  /** The number that would be dialled must not be, and the person has another one that may be. */
  | { kind: 'next_number'; by: string; reason: string }
  /** `open`: it lasts until somebody changes something; at `hold.until` the lead is only judged again. */
  | { kind: 'hold'; hold: TimedHold; open?: true };

/** The person a lead is about, as far as obstacles are concerned. */
export interface Judged extends Omit<DueLead, 'notBefore' | 'position' | 'notCalled'> {
  /** The attempt that is dialled again: it is none of the earlier calls. Default: a first dial is judged. */
  seq?: number;
}

type Check = (lead: Judged, at: number) => Obstacle | null;

interface Checks {
  checks: readonly Check[];
  knownOf: (lead: Judged) => KnownOfLead;
}

/** `place`: see `zoneKey`; `past`: null where no cap looks at earlier calls. */
export interface KnownOfLead {
  place: string;
  past: PastCalls | null;
}

/**
 * Judges leads, the last thing before an intent. The list of checks is all there is: what a claim decides by, and what
 * people are told of a lead that waits, come from the same functions; so does what may be dialled again. The first
 * obstacle decides.
 */
export function obstacleStatements(sql: Sql, { attempts, numbers, suppression }: Tables) {
  const findEarlierCall = earlierCallOf(sql);
  const pastCalls = pastCallStatements(sql);
  const places = knownPlaces(sql);
  const persons = personStatements(sql);
  const wishes = wishStatements(sql, suppression);
  const cellsOf = leadCellsStatement(sql);
  const selectOtherCall = sql.row<[OtherCallQuery], { phone: E164; isOpen: boolean }>(
    `SELECT leads.phone, min(attempts.state = 'intent' OR attempts.state = 'unknown') AS isOpen
     FROM json_each(@phones) AS theirs CROSS JOIN leads ON leads.campaign_id = @campaignId AND leads.phone = theirs.value
       CROSS JOIN attempts ON attempts.lead_row = leads.row
     WHERE leads.row <> @row AND ${MAY_HAVE_RUNG}
       AND NOT EXISTS (SELECT 1 FROM attempts WHERE lead_row = @row AND seq IS DISTINCT FROM @seq AND ${MAY_HAVE_RUNG}) GROUP BY leads.phone ORDER BY isOpen LIMIT 1`,
    { flags: ['isOpen'] },
  );

  /** @param now what is in the database is read as it is at this moment */
  return function checksOf(campaign: CampaignRow, times: CallingTimes, now: number): Checks {
    const entryOf = suppression.at(now);
    const { skipCalled, retry, timezone, policy, variables } = campaign.settings;
    const wishOf = wishes(campaign, now);
    const personOf = persons(campaign);
    const placeAt = places(campaign);
    const dayOf = (at: number) => dayIn(timezone, at);
    let readPastCalls: ReturnType<typeof pastCalls> | undefined;
    /** The key of all places where the number is known to be. */
    const everyPlaceOf = ofLast((lead) => placeAt(lead.dial, lead.zoneKey));
    /** Beside these places, the earlier calls to the person that the caps there count. */
    const knownOf = ofLast((lead): KnownOfLead => {
      const place = everyPlaceOf(lead);
      const caps = times.capsAt(place);
      if (caps === null) return { place, past: null };
      readPastCalls ??= pastCalls(campaign, now);
      return { place, past: readPastCalls(lead, personOf(lead), caps.ask) };
    });

    function suppressed(lead: Judged): Obstacle | null {
      const { row, phone, dial } = lead;
      const own = entryOf(phone) ?? wishOf(personOf(lead), phone);
      const entry = own ?? (dial === phone ? undefined : entryOf(dial));
      if (entry === undefined) return null;
      const reason = reasonOf(entry);
      const isSkipped = own === undefined && numbers.further(row, now).length > 0;
      if (isSkipped) return { kind: 'next_number', by: 'suppression', reason };
      return { kind: 'end', by: 'suppression', result: 'suppressed', reason };
    }

    function withoutConsent(lead: Judged, at: number): Obstacle | null {
      const end = consentEnd(policy, () => placeOf(everyPlaceOf(lead)), lead);
      if (end === null || at < end.at) return null;
      const reason = `the consent in the list ${end.why}`;
      return { kind: 'end', by: 'list', result: 'expired', reason };
    }

    function stoppedByList({ stopped, spent }: Judged): Obstacle | null {
      if (stopped === null) return null;
      const result = spent === 0 ? 'cancelled' : 'expired';
      return { kind: 'end', by: 'list', result, reason: stopped };
    }

    /** Somebody else's number, which a list has brought since it was chosen for this person, before it rang for them. */
    function taken({ row, phone, dial, seq }: Judged): Obstacle | null {
      if (dial === phone || !numbers.isTaken(row, dial, seq)) return null;
      const reason = `${dial} is now the number of another person of the campaign`;
      if (numbers.further(row, now).length > 0) return { kind: 'next_number', by: 'list', reason };
      return { kind: 'end', by: 'list', result: 'expired', reason };
    }

    /** A phone that a call for another person of the campaign has rung: nobody is rung twice through two rows. */
    function rung({ row, dial }: Judged, at: number): Obstacle | null {
      const other = numbers.otherCall(row, dial);
      if (other === null) return null;
      if (other === 'open') {
        const why = `${dial} is being called for another person of the campaign`;
        return { kind: 'hold', hold: { until: at + MINUTE_MS, by: 'list', why } };
      }
      const reason = `${dial} was called for another person of the campaign`;
      if (numbers.further(row, now).length > 0) return { kind: 'next_number', by: 'list', reason };
      return { kind: 'end', by: 'list', result: 'expired', reason };
    }

    /** Where other lists of the database know the number at other places, hours have to be open at all of them. */
    function closedElsewhere(lead: Judged, at: number): Obstacle | null {
      const place = everyPlaceOf(lead);
      const hold = place === lead.zoneKey ? null : closedAt(times, [place], at);
      if (hold === null) return null;
      return { kind: 'hold', hold: { ...hold, until: hold.until ?? at + DAY_MS } };
    }

    /**
     * The person was called as another lead of the campaign: another row, or a number that a list has corrected. Nobody
     * was reached by a number that does not exist.
     */
    function rungAsOther(lead: Judged, at: number): Obstacle | null {
      const { own } = personOf(lead);
      if (own.size === 1) return null;
      const phones = JSON.stringify([...own]);
      const { row, seq = null } = lead;
      const other = selectOtherCall({ campaignId: campaign.id, row, seq, phones });
      if (other === undefined) return null;
      if (other.isOpen) {
        const why = `the same person is being called on ${other.phone}`;
        return { kind: 'hold', hold: { until: at + MINUTE_MS, by: 'list', why } };
      }
      const reason = `the same person was called on ${other.phone}`;
      const result = lead.spent === 0 ? 'cancelled' : 'expired';
      return { kind: 'end', by: 'list', result, reason };
    }

    function retried(lead: Judged, at: number): Obstacle | null {
      const { row, seq, spent, callbackAt } = lead;
      if (spent === 0) return null;
      const past = attempts.past(row, seq ?? null);
      const isNextNumber = () => attempts.hadNoNumber(row);
      const places = [lead.zoneKey, everyPlaceOf(lead)];
      // A part of the day in which one of the places is always closed is none.
      const nextOpen = (from: number) => firstFree(from, (open) => closedAt(times, places, open));
      const place = { ...times.clocksAt(...places), dayOf, callbackAt, isNextNumber, nextOpen };
      const hold = retryHold(retry, past, place, at);
      if (hold === null) return null;
      const { until, by, why } = hold;
      if (until === null) return { kind: 'end', by, result: 'expired', reason: why };
      return { kind: 'hold', hold: { until, by, why } };
    }

    function calledBefore(lead: Judged): Obstacle | null {
      if (skipCalled === undefined) return null;
      const { own } = personOf(lead);
      const call = findEarlierCall(campaign, { own, dial: lead.dial }, skipCalled, now);
      if (call === undefined) return null;
      const reason = calledBeforeReason(call);
      return { kind: 'end', by: 'skipCalled', result: 'cancelled', reason };
    }

    function capped(lead: Judged, at: number): Obstacle | null {
      const { place, past } = knownOf(lead);
      if (past === null) return null;
      const [hold] = capHolds(times.capsAt(place)?.limits ?? [], past, at);
      return hold === undefined ? null : { kind: 'hold', hold };
    }

    /** The agent would speak without a word that its prompt needs. */
    function blank({ row, seq }: Judged, at: number): Obstacle | null {
      if (variables === undefined || variables.columns?.length === 0) return null;
      const { variables: cells } = cellsOf(row, seq);
      const why = blankReason(variables.columns, cells);
      if (why === null) return null;
      return { kind: 'hold', hold: { until: at + DAY_MS, by: 'variables', why }, open: true };
    }

    const whoMay = [suppressed, stoppedByList, withoutConsent, taken];
    const notTwice = [rung, rungAsOther, calledBefore];
    return { checks: [...whoMay, ...notTwice, closedElsewhere, retried, capped, blank], knownOf };
  };
}

interface OtherCallQuery {
  campaignId: string;
  row: number;
  seq: number | null;
  /** JSON. */
  phones: string;
}

/** The first obstacle at a moment, epoch ms; null: the lead may be called. */
export function firstObstacle(checks: readonly Check[], lead: Judged, at: number): Obstacle | null {
  for (const check of checks) {
    const obstacle = check(lead, at);
    if (obstacle !== null) return obstacle;
  }
  return null;
}

/** Finds something of a lead once, as several checks and the evidence ask for it one after the other. */
function ofLast<T>(find: (lead: Judged) => T): (lead: Judged) => T {
  let last: { lead: Judged; found: T } | undefined;
  return (lead) => {
    if (last?.lead !== lead) last = { lead, found: find(lead) };
    return last.found;
  };
}
