import { everyPlace } from '../../../../domain/calling/zone-key.ts';
import type { LeadState } from '../../../../domain/lead.ts';
import { mergeColumns, type MergedColumns } from '../../../../domain/lists/list-mapping.ts';
import type { E164 } from '../../../../domain/phone.ts';
import type { List, NewLead, StoppedLead } from '../../../port.ts';
import type { Sql } from '../../sql.ts';
import { COUNTS, MAY_BE_RETRIED, MAY_HAVE_RUNG, MAY_TURN_OUT } from '../attempt-rows.ts';
import type { LeadEnd } from '../lead-ends.ts';

/** Assignments that let a lead wait again after it was done or calling; `reason` is set separately. */
export const WAITING_AGAIN =
  "state = 'waiting', result = NULL, result_source = NULL, was_done = NULL";

/** Assignments for a lead that no cap or gap holds back any more. */
export const NOT_HELD = 'held_under = NULL, held_from = NULL';

/** A claim that has not asked for longer than this many leads reads all places anew. */
const MOST_NEWS = 256;
/** At most this many leads are judged anew in one transaction after a change of the policy. */
const RELEASED_AT_ONCE = 1_000;

/** Lets leads of the table `leads` wait: again after a call, or longer because something holds them back. */
export function waitStatements(sql: Sql) {
  // A list that came during the call may have named a later day.
  const later = (at: string) =>
    `CASE WHEN state = 'calling' THEN max(not_before, ${at}) ELSE ${at} END`;
  const reason = (at: string) =>
    `CASE WHEN state = 'calling' AND not_before > ${at} THEN coalesce(reason, @reason) ELSE @reason END`;
  const update = sql.later<[{ notBefore: number; reason: string; row: number }]>(
    `UPDATE leads SET ${WAITING_AGAIN}, not_before = ${later('@notBefore')}, reason = ${reason('@notBefore')}, ${NOT_HELD}
     WHERE row = @row`,
  );
  const updateForRetry = sql.later<[HeldLead & { from: number }]>(
    `UPDATE leads SET ${WAITING_AGAIN}, not_before = ${later('@until')}, reason = ${reason('@until')},
       held_from = ${later('@from')}, held_under = @version WHERE row = @row`,
  );
  const updateHeld = sql.later<[HeldLead]>(
    `UPDATE leads SET held_under = @version, held_from = coalesce(held_from, not_before),
       not_before = max(not_before, @until), reason = @reason WHERE row = @row AND state = 'waiting'`,
  );
  const updateReleased = sql.run<[campaignId: string, version: number]>(
    // People who have ended meanwhile are no longer held, and keep their reason.
    `UPDATE leads SET not_before = CASE WHEN state = 'waiting' THEN held_from ELSE not_before END,
       reason = CASE WHEN state = 'waiting' THEN NULL ELSE reason END, ${NOT_HELD} WHERE row IN
       (SELECT row FROM leads INDEXED BY leads_held WHERE campaign_id = ? AND held_under < ?
        LIMIT ${RELEASED_AT_ONCE})`,
  );
  /** Leads that began to wait since the claim asked last; null: more than are worth remembering. */
  let news: number[] | null = [];

  function note(row: number): void {
    news = news === null || news.length === MOST_NEWS ? null : [...news, row];
  }

  return {
    markWaiting: (notBefore: number, reason: string, row: number): void => {
      update({ notBefore, reason, row });
      note(row);
    },
    /** The same for a delay of the policy as it is now: under another policy the lead is judged anew, as of `from`. */
    waitForRetry: (lead: HeldLead & { from: number }): void => {
      updateForRetry(lead);
      note(lead.row);
    },
    /** Leads that this process has let wait again since the last call of this; null: very many. */
    whoWaitAgain: (): readonly number[] | null => {
      const rows = news;
      if (rows === null || rows.length > 0) news = [];
      return rows;
    },
    /** A waiting lead is held back by the policy as it is now. */
    hold: (lead: HeldLead): void => {
      updateHeld(lead);
    },
    /**
     * Leads that an earlier policy held back have their own time again, some of them.
     * @returns true when there may be more
     */
    releaseHeld: (campaignId: string, version: number): boolean =>
      updateReleased(campaignId, version) === RELEASED_AT_ONCE,
  };
}

interface HeldLead {
  row: number;
  /** Epoch ms. */
  until: number;
  reason: string;
  /** See `CampaignRow.policyVersion`. */
  version: number;
}

/** Why a lead is not called that the operator has withdrawn (`cancelled_after`), whatever lists say. */
export const WITHDRAWN = 'withdrawn by the operator';

/**
 * Corrects leads by a later list, also those that are in doubt, rejected or cancelled. Other leads that are done stay as
 * they are. What a lead was when it was called is kept in `lead_before`.
 */
export function correctionStatements(sql: Sql, ends: { end: (row: number, own: LeadEnd) => void }) {
  const selectKnown = sql.row<[campaignId: string, phone: E164], KnownLead>(
    `SELECT row, list_id AS list, line, state, cells, zone_key AS zoneKey, zones_disagree AS disagree,
       dial_phone AS dial, stopped_by AS stoppedBy,
       (SELECT max(seq) FROM attempts WHERE lead_row = leads.row AND ${COUNTS}) AS lastSeq,
       state = 'done' AND result <> 'cancelled' AND NOT ${MAY_TURN_OUT} AS isOver,
       ${MAY_BE_RETRIED} AS isMissed FROM leads WHERE campaign_id = ? AND phone = ?`,
    { flags: ['isOver', 'isMissed'] },
  );
  const selectColumns = sql.row<[listId: string], MergedColumns>(
    'SELECT headers, mapping, added FROM lists WHERE id = ?',
    { json: ['headers', 'mapping', 'added'] },
  );
  const updateAdded = sql.run<[added: string, listId: string]>(
    'UPDATE lists SET added = ? WHERE id = ?',
  );
  const insertBefore = sql.run<[{ row: number; lastSeq: number }]>(
    `INSERT INTO lead_before (lead_row, last_seq, cells, zone_key)
     SELECT row, @lastSeq, cells, zone_key FROM leads WHERE row = @row ON CONFLICT (lead_row, last_seq) DO NOTHING`,
  );
  // At a new place caps and gaps are judged anew; with new cells, whether one that is needed is blank. Who has ended
  // meanwhile keeps the reason for that.
  const updateLead = sql.run<
    [Pick<KnownLead, 'row' | 'cells' | 'zoneKey' | 'disagree' | 'dial' | 'list' | 'line'>]
  >(
    `UPDATE leads SET not_before = coalesce(held_from, not_before), ${NOT_HELD},
       reason = CASE WHEN state = 'waiting' AND held_from IS NOT NULL THEN NULL ELSE reason END, cells = @cells, zone_key = @zoneKey,
       zones_disagree = @disagree, dial_phone = @dial, corrected_by = @list, corrected_line = @line WHERE row = @row`,
  );
  const updatePerson = sql.run<[key: string, name: string, row: number]>(
    'UPDATE leads SET person = ?, person_name = ? WHERE row = ?',
  );
  const updateGoesOn = sql.run<[row: number]>(
    'UPDATE leads SET stopped = NULL, stopped_by = NULL WHERE row = ?',
  );
  const updateBack = sql.run<[row: number]>(
    `UPDATE leads SET ${WAITING_AGAIN}, reason = NULL, ${NOT_HELD}
     WHERE row = ? AND result = 'cancelled' AND reason = stopped AND NOT EXISTS (SELECT 1 FROM attempts
       WHERE lead_row = leads.row AND ${MAY_HAVE_RUNG})`,
  );
  const updateStopped = sql.run<[why: string, by: string, row: number]>(
    'UPDATE leads SET stopped = ?, stopped_by = ? WHERE row = ?',
  );
  // What a list says of the person stays: the next list that has them decides.
  const updateTakenBack = sql.run<[why: string, by: string, row: number]>(
    'UPDATE leads SET stopped = ?, stopped_by = ? WHERE row = ? AND stopped IS NULL',
  );
  const selectNumbers = sql.rows<[row: number], KnownNumber>(
    `SELECT ordinal, phone, zone_key AS zoneKey, EXISTS (SELECT 1 FROM attempts
       WHERE attempts.lead_row = lead_numbers.lead_row AND attempts.phone = lead_numbers.phone AND ${COUNTS}) AS called
     FROM lead_numbers WHERE lead_row = ? ORDER BY ordinal`,
    { flags: ['called'] },
  );
  const updateNumber = sql.run<[zoneKey: string, row: number, phone: E164]>(
    'UPDATE lead_numbers SET zone_key = ? WHERE lead_row = ? AND phone = ?',
  );
  const deleteNumber = sql.run<[row: number, phone: E164]>(
    'DELETE FROM lead_numbers WHERE lead_row = ? AND phone = ?',
  );
  const insertNumber = sql.run<[row: number, ordinal: number, phone: E164, zoneKey: string]>(
    'INSERT INTO lead_numbers (lead_row, ordinal, phone, zone_key) VALUES (?, ?, ?, ?)',
  );

  /** Corrects the further numbers of a lead. @returns whether one has changed */
  function correctNumbers(row: number, { mapping }: List, lead: NewLead): boolean {
    const known = selectNumbers(row);
    const wanted = new Map((lead.alternatives ?? []).map((one) => [one.phone, one.zoneKey]));
    // A list with one column of numbers says nothing about further ones, only where the person is.
    const saysAll = (mapping?.phones.length ?? 0) > 1;
    let isChanged = false;
    for (const { phone, zoneKey, called } of known) {
      const place = wanted.get(phone);
      wanted.delete(phone);
      if (place === undefined && saysAll && !called) {
        isChanged = deleteNumber(row, phone) > 0;
        continue;
      }
      const next = place ?? everyPlace([zoneKey, lead.zoneKey ?? zoneKey]);
      if (next !== zoneKey) isChanged = updateNumber(next, row, phone) > 0;
    }
    let ordinal = known.at(-1)?.ordinal ?? 0;
    for (const [phone, zoneKey] of wanted)
      isChanged = insertNumber(row, (ordinal += 1), phone, zoneKey) > 0;
    return isChanged;
  }

  /** The number that is dialled next, and its place: where the list has taken that number away, the first after it. */
  function dialOf({ row, dial, zoneKey }: KnownLead, lead: NewLead, before: KnownNumber[]) {
    const own = { dial: null, zoneKey: lead.zoneKey ?? zoneKey };
    if (dial === null) return own;
    const ordinal = before.find(({ phone }) => phone === dial)?.ordinal ?? 0;
    const next = selectNumbers(row).find((one) => one.ordinal >= ordinal);
    return next === undefined ? own : { dial: next.phone, zoneKey: next.zoneKey };
  }

  /** @returns whether the lead could still have been called */
  function stopKnown(known: KnownLead, by: string, why: string): boolean {
    const { row, state } = known;
    if (known.isOver && !known.isMissed) return false;
    updateStopped(why, by, row);
    if (state === 'waiting')
      ends.end(row, { result: 'cancelled', source: 'callsheet', reason: why });
    return state !== 'done';
  }

  /** A lead that another list had stopped waits again. @returns whether it had ended by that */
  function goOn({ row, stoppedBy }: KnownLead, list: List): boolean {
    if (stoppedBy === null || stoppedBy === list.sha256) return false;
    const isBack = updateBack(row) === 1;
    updateGoesOn(row);
    return isBack;
  }

  return {
    /**
     * A lead in a call is not called again, until a list has it: the dial in doubt is not sent again, and nothing is
     * retried.
     */
    takeBack: (row: number, why: string): void => {
      updateTakenBack(why, why, row);
    },
    /** The lead is not called any more until a later list says so. @returns whether it could still have been called */
    stop: (campaignId: string, by: string, { phone, why }: StoppedLead): boolean => {
      const known = selectKnown(campaignId, phone);
      return known !== undefined && stopKnown(known, by, why);
    },
    /** Begins to correct leads of a campaign by rows of this list, in one transaction. */
    by: (campaignId: string, list: List) => {
      const merges = new Map<string, ReturnType<typeof mergeColumns>>();

      function mergeInto(earlier: string) {
        const known = merges.get(earlier);
        if (known !== undefined) return known;
        const columns = selectColumns(earlier) ?? { headers: [], mapping: null, added: [] };
        const merge = mergeColumns(columns, list);
        if (merge.added.length > columns.added.length)
          updateAdded(JSON.stringify(merge.added), earlier);
        merges.set(earlier, merge);
        return merge;
      }

      /** Corrects the lead of the row's number; null: the row changes nothing. */
      return (lead: NewLead): 'corrected' | 'stopped' | null => {
        const known = selectKnown(campaignId, lead.phone);
        if (known === undefined || (known.list === list.id && known.line !== lead.line))
          return null;
        // Also of those who are done: other leads may turn out to be the same person.
        if (lead.person !== undefined) updatePerson(lead.person.key, lead.person.name, known.row);
        const { correct, emptiedConsent } = mergeInto(known.list);
        const before = JSON.parse(known.cells) as string[];
        const corrected = correct(before, lead.cells);
        const emptied = emptiedConsent(before, corrected);
        if (emptied !== undefined) {
          // The cell stays as it was, so that it is empty for the next list, too.
          const why = `${list.path} line ${lead.line}: "${emptied}" is empty now`;
          return stopKnown(known, list.sha256, why) ? 'stopped' : null;
        }
        const isBack = lead.doNotCall === undefined && goOn(known, list);
        if (known.isOver && !known.isMissed) return null;
        const { row, lastSeq } = known;
        const cells = JSON.stringify(corrected);
        const numbers = selectNumbers(row);
        const isOther = correctNumbers(row, list, lead);
        const { dial, zoneKey } = dialOf(known, lead, numbers);
        const disagree = lead.zonesDisagree === true ? 1 : 0;
        const isSame = cells === known.cells && zoneKey === known.zoneKey && dial === known.dial;
        if (isSame && disagree === known.disagree) return isBack || isOther ? 'corrected' : null;
        if (lastSeq !== null) insertBefore({ row, lastSeq });
        updateLead({ row, cells, zoneKey, disagree, dial, list: list.id, line: lead.line });
        return 'corrected';
      };
    },
  };
}

interface KnownLead {
  row: number;
  list: string;
  line: number;
  state: LeadState;
  /** Only `retryLeads` may let it wait again: no `waitAgain`, no undo, and nothing that turns out about a call. */
  isOver: boolean;
  /** `retryLeads` may. */
  isMissed: boolean;
  /** JSON. */
  cells: string;
  zoneKey: string;
  disagree: 0 | 1;
  /** Null: the lead's own number. */
  dial: E164 | null;
  /** The sha256 of the list that stopped it, or `left_list`; null: lists let it be called. */
  stoppedBy: string | null;
  /** Its last attempt that counts; null: it was never called. */
  lastSeq: number | null;
}

interface KnownNumber {
  ordinal: number;
  phone: E164;
  zoneKey: string;
  /** An attempt to it counts, so it stays. */
  called: boolean;
}
