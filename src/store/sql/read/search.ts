import type { AttemptState } from '../../../domain/attempt.ts';
import type { E164 } from '../../../domain/phone.ts';
import { MINUTE_MS } from '../../../domain/time-units.ts';
import type { CallSpan, EndedCall, ExportRow, FoundLead, TailCursor } from '../../port.ts';
import type { Methods, Sql } from '../sql.ts';
import {
  attemptId,
  ATTEMPTS_WITH_SLOT,
  HAS_SLOT,
  IS_OPEN_CALL,
  MAY_HAVE_RUNG,
  seqOf,
} from '../tables/attempt-rows.ts';
import { FROM_ATTEMPTS } from './export-rows.ts';
import { attemptRowStatements } from './export.ts';

/** A text with fewer digits than this is a line or an id, not a phone number. */
export const SHORTEST_NUMBER = 7;

/**
 * Finds people in all campaigns, or in one. Kinds of match are tried from the surest to the weakest, and the first kind that
 * finds a lead is the answer. A whole number, from its `+` on, is looked up in indexes; everything else reads whole
 * tables, so it suits a person's single question, not a loop.
 */
export function searchStatements(sql: Sql) {
  const select = `SELECT leads.campaign_id AS campaignId, campaigns.name AS campaign, leads.phone, lists.number AS list,
      leads.line, leads.cells, leads.zone_key AS zoneKey, leads.state, leads.result, leads.reason, leads.spent AS attempts,
      coalesce(leads.dial_phone, leads.phone) AS dial,
      (SELECT json_group_array(phone) FROM (SELECT phone FROM lead_numbers WHERE lead_row = leads.row ORDER BY ordinal) AS further)
        AS furtherNumbers
    FROM leads JOIN campaigns ON campaigns.id = leads.campaign_id JOIN lists ON lists.id = leads.list_id`;
  const where = `${select} WHERE (@campaignId IS NULL OR leads.campaign_id = @campaignId) AND`;
  const order = 'campaigns.created_at DESC, leads.campaign_id, leads.position';
  const byWholeNumber = sql.rows<[Asked & { number: string }], Row>(
    `${where} leads.row IN (SELECT leads.row FROM campaigns CROSS JOIN leads
         ON leads.campaign_id = campaigns.id AND leads.phone = @number
       UNION SELECT lead_row FROM lead_numbers WHERE phone = @number)
       ORDER BY leads.phone = @number DESC, ${order} LIMIT @limit + 0`,
  );
  const byEndOfNumber = sql.rows<[Asked & { number: string }], Row>(
    `${where} leads.row IN (SELECT row FROM leads WHERE phone LIKE '%' || @number
       UNION SELECT lead_row FROM lead_numbers WHERE phone LIKE '%' || @number) ORDER BY ${order} LIMIT @limit`,
  );
  const byCall = sql.rows<[Asked & { text: string; seq: number }], Row>(
    `${where} leads.row IN (SELECT lead_row FROM attempts
       WHERE call_id = @text OR key = @text OR seq = @seq) ORDER BY ${order} LIMIT @limit`,
  );
  const byLine = sql.rows<[Asked & { line: number }], Row>(
    `${where} leads.line = @line ORDER BY ${order} LIMIT @limit`,
  );
  const byCells = sql.iterate<[Pick<Asked, 'campaignId'> & { pattern: string }], Row>(
    `${where} leads.cells LIKE @pattern ESCAPE '\\' ORDER BY ${order}`,
  );

  function inCells(text: string, { campaignId, limit }: Asked, by: 'cell' | 'part'): FoundLead[] {
    const words = by === 'cell' ? [text] : text.split(/\s+/);
    const [longest = ''] = words.toSorted((a, b) => b.length - a.length);
    const found: FoundLead[] = [];
    for (const row of byCells({ campaignId, pattern: patternOf(longest) })) {
      const cells = (JSON.parse(row.cells) as string[]).map(comparable);
      const matches =
        by === 'cell'
          ? cells.includes(comparable(text))
          : words.every((word) => cells.some((cell) => cell.includes(comparable(word))));
      if (matches) found.push(toFound(row, by));
      if (found.length === limit) break;
    }
    return found;
  }

  return (
    given: string,
    limit: number,
    campaignId: string | null = null,
    isNumber = false,
  ): FoundLead[] => {
    const asked = { campaignId, limit };
    const text = given.trim();
    if (text === '') return [];
    const digits = digitsOf(text);
    if (digits.length >= SHORTEST_NUMBER) {
      // Matched by the last digits: the number may lack its country code, perhaps with a leading zero instead.
      const rows = text.startsWith('+')
        ? byWholeNumber({ number: `+${digits}`, ...asked })
        : byEndOfNumber({ number: digits.replace(/^0+/, ''), ...asked });
      if (rows.length > 0 || isNumber) return rows.map((row) => toFound(row, 'number'));
    }
    const seq = /^a\d{1,15}$/.test(text) ? Number(text.slice(1)) : -1;
    const called = byCall({ text, seq, ...asked });
    if (called.length > 0) return called.map((row) => toFound(row, 'call'));
    const cells = inCells(text, asked, 'cell');
    const lines = /^\d{1,10}$/.test(text) ? byLine({ line: Number(text), ...asked }) : [];
    const exact = [...cells, ...lines.map((row) => toFound(row, 'line'))].slice(0, limit);
    return exact.length > 0 ? exact : inCells(text, asked, 'part');
  };
}

interface Asked {
  /** Null: of all campaigns. */
  campaignId: string | null;
  limit: number;
}

interface Row extends Omit<FoundLead, 'cells' | 'furtherNumbers' | 'by'> {
  cells: string;
  furtherNumbers: string;
}

function toFound(row: Row, by: FoundLead['by']): FoundLead {
  const cells = JSON.parse(row.cells) as string[];
  return { ...row, cells, furtherNumbers: JSON.parse(row.furtherNumbers) as E164[], by };
}

/** The digits of a text that has only signs of phone numbers; empty for any other text. */
export function digitsOf(text: string): string {
  return /^[+\d\s()./-]+$/.test(text) ? text.replaceAll(/\D/g, '') : '';
}

/** Cells are JSON text with several spellings for non-ASCII characters: `%` matches these; compare them afterwards. */
export function patternOf(word: string): string {
  const inJson = JSON.stringify(word).slice(1, -1);
  // eslint-disable-next-line no-control-regex -- must match everything outside of ASCII
  return `%${inJson.replaceAll(/[\\%_]/g, '\\$&').replaceAll(/[^\x00-\x7f]+/g, '%')}%`;
}

/** The spelling in which cells and searched words are compared. */
export function comparable(text: string): string {
  return text.normalize('NFC').trim().toLowerCase();
}

/** True when each of the words is in one of the cells; the words are `comparable`. */
export function haveWords(cells: readonly string[], words: readonly string[]): boolean {
  const texts = cells.map(comparable);
  return words.every((word) => texts.some((text) => text.includes(word)));
}

/** States of ended calls that are shown; a released attempt was not a call. */
const SHOWN: readonly AttemptState[] = ['settled', 'rejected', 'unconfirmed', 'no_result'];

/** Attempts of all campaigns, back from a campaign's last one, that are searched for its newest calls. */
const LOOKED_THROUGH = 10_000;

/** Attempts of all campaigns, back from the newest one, that are counted by minute. */
const COUNTED = 200_000;

const FINAL: readonly AttemptState[] = ['settled', 'rejected', 'released'];

/**
 * Finds calls that have ended since the last request. An index by end time would cost time at every call, so the cursor
 * holds the attempts that were open instead, and these and newer attempts are read.
 */
export function tailStatements(sql: Sql) {
  const rows = attemptRowStatements(sql);
  const selectNewest = sql.values<[campaignId: string, limit: number], number>(
    `SELECT seq FROM attempts WHERE campaign_id = ? AND state IN (${SHOWN.map((s) => `'${s}'`).join()})
     ORDER BY coalesce(settled_at, ended_at, answered_at, intent_at) DESC, seq DESC LIMIT ?`,
  );
  const selectLately = sql.values<[{ campaignId: string; upTo: number; limit: number }], number>(
    `SELECT seq FROM (
       SELECT seq, campaign_id, state, coalesce(settled_at, ended_at, answered_at, intent_at) AS ended
       FROM attempts WHERE seq <= @upTo ORDER BY seq DESC LIMIT ${LOOKED_THROUGH}) AS lately
     WHERE campaign_id = @campaignId AND state IN (${SHOWN.map((s) => `'${s}'`).join()})
     ORDER BY ended DESC, seq DESC LIMIT @limit`,
  );
  // A call holds its slot until its line is down, or as long as the longest call.
  const selectMinutes = sql.rows<[Record<string, string | number>], MinuteRow>(
    `SELECT intent_at / ${MINUTE_MS} AS began,
       min(holds_until, coalesce(nullif(slot_until, 0), ended_at, answered_at, intent_at)) / ${MINUTE_MS} AS ended,
       count(*) AS slots, sum(CASE WHEN ${MAY_HAVE_RUNG} THEN 1 ELSE 0 END) AS calls
     FROM attempts WHERE seq > @after AND seq <= @upTo AND campaign_id = @campaignId AND intent_at < @now
     GROUP BY 1, 2`,
  );
  const selectLastDial = sql.value<[campaignId: string], number | null>(
    'SELECT max(last_at) FROM nights WHERE campaign_id = ?',
  );
  const selectFrom = sql.row<[seq: number], { seq: number; intentAt: number }>(
    'SELECT seq, intent_at AS intentAt FROM attempts WHERE seq >= ? ORDER BY seq LIMIT 1',
  );
  const selectLast = sql.value<[], number | null>('SELECT max(seq) AS seq FROM attempts');
  const selectOpen = sql.rows<[{ campaignId: string }], State>(
    `SELECT seq, state FROM ${ATTEMPTS_WITH_SLOT} WHERE campaign_id = @campaignId AND ${HAS_SLOT}
     UNION SELECT seq, state FROM attempts INDEXED BY attempts_to_poll
       WHERE campaign_id = @campaignId AND ${IS_OPEN_CALL}`,
  );
  const selectNewer = sql.rows<[campaignId: string, after: number], State>(
    'SELECT seq, state FROM attempts WHERE campaign_id = ? AND seq > ?',
  );
  const selectState = sql.row<[seq: number], State>(
    'SELECT seq, state FROM attempts WHERE seq = ?',
  );

  // Without transcripts, which would take most of the time.
  const selectInShort = sql.rows<[seqs: string], EndedCall>(
    `SELECT leads.phone, lists.number AS list, leads.line, leads.cells, lists.mapping, coalesce(last.result, leads.result) AS result,
       analytics.sentiment_label AS sentiment, analytics.duration_ms AS durationMs,
       coalesce(last.ended_at, last.settled_at) AS endedAt
     ${FROM_ATTEMPTS} JOIN lists ON lists.id = leads.list_id
     WHERE last.seq IN (SELECT CAST(value AS BIGINT) FROM json_each(?))
     ORDER BY coalesce(last.settled_at, last.ended_at, last.intent_at) DESC, last.seq DESC`,
    { json: ['cells', 'mapping'] },
  );

  /** The last attempt until a moment, by halving: attempts are in the order of time. */
  function lastUntil(at: number, newest: number): number {
    let [low, high] = [0, newest];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const found = selectFrom(middle);
      if (found !== undefined && found.intentAt <= at) low = found.seq;
      else high = middle - 1;
    }
    return low;
  }

  /** The newest calls of a campaign that ended, also of one that was called long before others. */
  function lately(campaignId: string, limit: number): number[] {
    const at = selectLastDial(campaignId);
    const newest = selectLast();
    if (at == null || newest == null) return [];
    return selectLately({ campaignId, upTo: lastUntil(at, newest), limit });
  }

  function callsByMinute(campaignId: string, { from, now, longestMs }: CallSpan) {
    const upTo = selectLast();
    if (upTo == null) return null;
    const inTime = lastUntil(from - longestMs, upTo);
    const after = Math.max(inTime, upTo - COUNTED);
    // Before calls that were not counted, nothing is told.
    const since = after === inTime ? from : (selectFrom(after)?.intentAt ?? from) + longestMs;
    const over = Math.floor(now / MINUTE_MS);
    const rows = selectMinutes({ campaignId, after, upTo, now: over * MINUTE_MS });
    const began = rows.reduce((first, row) => Math.min(first, row.began), Infinity);
    const first = Math.max(began, Math.floor(since / MINUTE_MS));
    if (first >= over) return null;
    const begun = Array<number>(over - first).fill(0);
    const held = begun.slice();
    for (const { began: at, ended, slots, calls } of rows) {
      if (at >= first) begun[at - first] = (begun[at - first] ?? 0) + calls;
      for (let minute = Math.max(at, first); minute < Math.min(ended, over); minute += 1)
        held[minute - first] = (held[minute - first] ?? 0) + slots;
    }
    return { from: first * MINUTE_MS, begun, held };
  }

  /** Calls ended since the cursor; without one, the newest. */
  function endedSince(campaignId: string, after: TailCursor | null, limit: number) {
    const newest = selectLast() ?? null;
    const toCursor = (open: readonly State[]): TailCursor => ({
      newest: newest === null ? null : attemptId(newest),
      open: open
        .filter(({ state }) => !FINAL.includes(state))
        .map(({ seq, state }) => ({ attemptId: attemptId(seq), state })),
    });
    if (after === null) {
      const ended = limit === 0 ? [] : selectNewest(campaignId, limit).toReversed();
      return { ended, cursor: toCursor(selectOpen({ campaignId })) };
    }
    const before = new Map(after.open.map((open) => [seqOf(open.attemptId), open.state]));
    const known = [...before.keys()].flatMap((seq) => selectState(seq) ?? []);
    const newer = selectNewer(campaignId, after.newest === null ? 0 : seqOf(after.newest));
    const seen = [...known, ...newer];
    const ended = seen
      .filter(({ seq, state }) => SHOWN.includes(state) && before.get(seq) !== state)
      .map(({ seq }) => seq);
    return { ended, cursor: toCursor(seen) };
  }

  return {
    finishedCalls: sql.atOneMoment(
      (campaignId: string, after: TailCursor | null, limit: number) => {
        const { ended, cursor } = endedSince(campaignId, after, limit);
        const calls = rows.bySeq(campaignId, ended);
        return {
          calls: after === null ? calls : calls.toSorted((a, b) => endOf(a) - endOf(b)),
          cursor,
        };
      },
    ),
    endedCalls: sql.atOneMoment((campaignId: string, newest: number) =>
      selectInShort(JSON.stringify(lately(campaignId, newest))),
    ),
    callsByMinute: sql.atOneMoment(callsByMinute),
  } satisfies Pick<Methods, 'finishedCalls' | 'endedCalls' | 'callsByMinute'>;
}

/** `began` and `ended` as numbers of minutes. */
type MinuteRow = Record<'began' | 'ended' | 'slots' | 'calls', number>;

interface State {
  seq: number;
  state: AttemptState;
}

function endOf({ attempt }: ExportRow): number {
  return attempt?.settledAt ?? attempt?.endedAt ?? attempt?.intentAt ?? 0;
}
