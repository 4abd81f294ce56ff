import type { Sql } from '../sql.ts';

/** Assignments that let a lead wait again after it was done or calling; `reason` is set separately. */
export const WAITING_AGAIN = "state = 'waiting', result = NULL, result_source = NULL";

/** Assignments for a lead that no cap or gap holds back any more. */
export const NOT_HELD = 'held_under = NULL, held_from = NULL';

/** A claim that has not asked for longer than this many leads reads all places anew. */
const MOST_NEWS = 256;
/** At most this many leads are judged anew in one transaction after a change of the policy. */
const RELEASED_AT_ONCE = 1_000;

/** Lets leads of the table `leads` wait: again after a call, or longer because something holds them back. */
export function waitStatements(sql: Sql) {
  // A list that came during the call may have named a later day.
  const later = (at: string) => `iif(state = 'calling', max(not_before, ${at}), ${at})`;
  const reason = (at: string) =>
    `iif(state = 'calling' AND not_before > ${at}, coalesce(reason, @reason), @reason)`;
  const update = sql.run<[{ notBefore: number; reason: string; row: number }]>(
    `UPDATE leads SET ${WAITING_AGAIN}, not_before = ${later('@notBefore')}, reason = ${reason('@notBefore')}, ${NOT_HELD}
     WHERE row = @row`,
  );
  const updateForRetry = sql.run<[HeldLead & { from: number }]>(
    `UPDATE leads SET ${WAITING_AGAIN}, not_before = ${later('@until')}, reason = ${reason('@until')},
       held_from = ${later('@from')}, held_under = @version WHERE row = @row`,
  );
  const updateHeld = sql.run<[HeldLead]>(
    `UPDATE leads SET held_under = @version, held_from = coalesce(held_from, not_before),
       not_before = max(not_before, @until), reason = @reason WHERE row = @row AND state = 'waiting'`,
  );
  const updateReleased = sql.run<[campaignId: string, version: number]>(
    // People who have ended meanwhile are no longer held, and keep their reason.
    `UPDATE leads SET not_before = iif(state = 'waiting', held_from, not_before),
       reason = iif(state = 'waiting', NULL, reason), ${NOT_HELD} WHERE row IN
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

export interface HeldLead {
  row: number;
  /** Epoch ms. */
  until: number;
  reason: string;
  /** See `CampaignRow.policyVersion`. */
  version: number;
}
