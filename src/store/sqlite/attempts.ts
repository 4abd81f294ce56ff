import type { Database } from 'better-sqlite3';
import {
  transition,
  type AttemptEvent,
  type AttemptState,
  type Transition,
} from '../../domain/attempt.ts';
import { leadAfter, type LeadResult, type ResultSource } from '../../domain/lead.ts';
import type { Recorded } from '../port.ts';
import type { CampaignTable } from './campaigns.ts';
import type { LeadTable } from './leads.ts';

/** What goes along with an event, as far as its new state keeps it. */
export interface Facts {
  at: number;
  detail: string | null;
  /** For `placed` and `ended`: when to look next. */
  nextLookAt?: number;
  /** For `released`: when the lead may be claimed again. */
  notBefore?: number;
  /** For `settled`: what the lead becomes. */
  outcome?: { result: LeadResult; source: ResultSource };
}

/** The table `attempts`: rows, and the one way in which a fact changes them. */
export function attemptTable(db: Database, tables: { campaigns: CampaignTable; leads: LeadTable }) {
  const selectAttempt = db.prepare<[string], AttemptRow>('SELECT * FROM attempts WHERE id = ?');
  const selectByCall = db
    .prepare<[string, string], string>('SELECT id FROM attempts WHERE service = ? AND call_id = ?')
    .pluck();
  // The precondition is in the WHERE: whoever was first has moved it, and this changes nothing.
  const updateState = db.prepare(
    `UPDATE attempts SET state = @to, call_id = coalesce(@callId, call_id), answered_at = coalesce(answered_at, @at),
       detail = @detail, next_look_at = @nextLookAt,
       ended_at = CASE WHEN @to IN ('ended', 'settled', 'no_result') THEN coalesce(ended_at, @at) ELSE ended_at END,
       settled_at = CASE WHEN @to = 'settled' THEN @at END
     WHERE seq = @seq AND state = @from`,
  );
  const updateLook = db.prepare(
    `UPDATE attempts SET next_look_at = ?, looks = looks + 1, unreadable = coalesce(?, unreadable),
       detail = coalesce(?, detail) WHERE id = ? AND state IN ('placed', 'ended')`,
  );
  const selectOtherOpen = db
    .prepare<[number, number], number>(
      `SELECT 1 FROM attempts WHERE lead_row = ? AND seq <> ?
       AND state IN ('intent', 'unknown', 'placed', 'ended')`,
    )
    .pluck();

  function get(id: string): AttemptRow {
    const row = selectAttempt.get(id);
    if (row === undefined) throw new Error(`no attempt has the id ${id}`);
    return row;
  }

  /** Decides by `transition`, writes attempt and lead, and keeps a contradiction in the history. */
  function apply(attempt: AttemptRow, event: AttemptEvent, facts: Facts): Recorded {
    const decided = decide(attempt, event);
    if (decided.kind === 'stay') return 'stayed';
    if (decided.kind === 'conflict') {
      tables.campaigns.addHistory(attempt.campaign_id, {
        at: facts.at,
        who: 'callsheet',
        what: 'attempt.contradicted',
        detail: { attempt: attempt.id, why: decided.why, event, detail: facts.detail },
      });
      return 'conflict';
    }
    move(attempt, decided.to, event, facts);
    return 'moved';
  }

  function decide(attempt: AttemptRow, event: AttemptEvent): Transition {
    if ('callId' in event) {
      const holder = selectByCall.get(attempt.service, event.callId);
      if (holder !== undefined && holder !== attempt.id) {
        return { kind: 'conflict', why: `call ${event.callId} is attempt ${holder} already` };
      }
    }
    return transition({ state: attempt.state, callId: attempt.call_id }, event);
  }

  function move(attempt: AttemptRow, to: AttemptState, event: AttemptEvent, facts: Facts): void {
    const isOpen = to === 'placed' || to === 'ended';
    const { changes } = updateState.run({
      seq: attempt.seq,
      from: attempt.state,
      to,
      at: facts.at,
      callId: 'callId' in event ? event.callId : null,
      detail: facts.detail ?? (isOpen ? attempt.detail : null),
      nextLookAt: isOpen ? (facts.nextLookAt ?? attempt.next_look_at ?? facts.at) : null,
    });
    if (changes !== 1) throw new Error(`attempt ${attempt.id} was not ${attempt.state} any more`);
    moveLead(attempt, to, facts);
  }

  function moveLead(attempt: AttemptRow, to: AttemptState, facts: Facts): void {
    const after = leadAfter(to);
    const { lead_row: row } = attempt;
    if (after.state === 'calling') {
      // Nothing to write unless late evidence takes the lead out of waiting or done.
      if (leadAfter(attempt.state).state !== 'calling') tables.leads.markCalling(row);
    } else if (selectOtherOpen.get(row, attempt.seq) !== undefined) {
      // A later attempt of the same person is open: it decides what the lead becomes.
      return;
    } else if (after.state === 'waiting') {
      tables.leads.markReleased(row, facts.notBefore ?? 0, facts.detail ?? '');
    } else if (after.result === 'of_the_call') {
      if (facts.outcome === undefined) throw new Error('a settled call needs its outcome');
      tables.leads.markDone(row, facts.outcome.result, facts.outcome.source, null);
    } else {
      tables.leads.markDone(row, after.result, 'callsheet', facts.detail);
    }
  }

  return {
    get,
    apply,
    postponeLook(id: string, nextLookAt: number, detail: string | null, raw: string | null): void {
      updateLook.run(nextLookAt, raw, detail, id);
    },
  };
}

export type AttemptTable = ReturnType<typeof attemptTable>;

export interface AttemptRow {
  seq: number;
  id: string;
  key: string;
  campaign_id: string;
  lead_row: number;
  phone: string;
  service: string;
  agent: string;
  ordinal: number;
  state: AttemptState;
  intent_at: number;
  holds_until: number;
  owner_host: string;
  owner_boot: string;
  owner_pid: number;
  detail: string | null;
  call_id: string | null;
  ended_at: number | null;
  next_look_at: number | null;
  looks: number;
}
