import { FINAL_RESULTS } from '../../../domain/calling/standing.ts';
import type { CallsAskedFor, PastCalls } from '../../../domain/calling/caps.ts';
import type { E164 } from '../../../domain/phone.ts';
import type { Sql } from '../sql.ts';
import type { LeadPerson } from './persons.ts';
import { COUNTS, DIAL_PERIOD_MS, NEWEST_PERIOD } from '../tables/attempt-rows.ts';

const DAY_MS = 86_400_000;
/** A call that began longer ago than a silence and this is over, and its end is known. */
const LONGEST_OPEN_MS = 7 * DAY_MS;
/**
 * Silences up to this are found among the recent calls, which are read anyway; longer ones by an index of their own.
 * With that index for all of them a claim among a million people took 1.26 times its usual time instead of 1.18
 * (`npm run bench:claim`).
 */
const LONGEST_RECENT_MS = 28 * DAY_MS;

/**
 * Reads the calls to one person that count for limits, over all campaigns, single calls and services; rehearsals and
 * real calls apart. Few rows of an index each, however many calls there were.
 */
export function pastCallStatements(sql: Sql) {
  const from = (index: string) =>
    `attempts INDEXED BY ${index} CROSS JOIN campaigns ON campaigns.id = attempts.campaign_id
     WHERE campaigns.simulated = @simulated AND phone = @phone`;
  const whose = '(SELECT leads.phone FROM leads WHERE leads.row = lead_row)';
  // When a call whose result is not known yet is over at the latest; whose it is only where that is asked for: a million
  // leads are too many to have them at hand.
  const columns = `seq, max(intent_at, coalesce(begins_at, 0)), CASE WHEN attempts.state = 'intent' OR attempts.state = 'placed'
      OR attempts.state = 'ended' OR attempts.state = 'unknown' THEN holds_until END,
    result, ended_at, CASE WHEN @isNamed = 1 THEN ${whose} END`;
  const selectRecent = sql.tuples<[AskedRecent & { period: number }], RecentCall>(
    `SELECT ${columns} FROM ${from('attempts_of_phone')}
       AND dial_period = @period AND intent_at > @since AND attempts.${COUNTS} ORDER BY intent_at DESC`,
  );
  // A call that was put off may begin within a period before which it was dialled.
  const selectPostponed = sql.tuples<[AskedRecent], RecentCall>(
    `SELECT ${columns} FROM ${from('attempts_postponed')}
       AND begins_at > @since AND attempts.${COUNTS} ORDER BY begins_at DESC`,
  );
  const selectIsAnyPostponed = sql.value<[], number>(
    "SELECT 1 FROM attempts INDEXED BY attempts_postponed WHERE phone > '' AND begins_at IS NOT NULL LIMIT 1",
  );
  const ofWhom = `(@own IS NULL OR ${whose} IN (SELECT value FROM json_each(@own)))`;
  const talked = FINAL_RESULTS.map((result) => `result = '${result}'`).join(' OR ');
  const selectTalked = sql.value<[AskedOf], number | null>(
    `SELECT max(ended_at) FROM ${from('attempts_with_silence')} AND (${talked}) AND ${ofWhom}`,
  );
  // Services call a conversation with a refusal one or the other; an opt-out is one in whatever words.
  const selectRefused = sql.value<[AskedOf], number | null>(
    `SELECT max(ended_at) FROM ${from('attempts_with_silence')} AND (${talked} OR result = 'declined')
       AND (result = 'opted_out' OR (SELECT refusal FROM analytics WHERE attempt_seq = attempts.seq) <> '') AND ${ofWhom}`,
  );
  const selectNewestPeriod = sql.value<[], number | null>(NEWEST_PERIOD);

  /** Asks within one transaction, in which the number of a call may be asked for again after it is made at `now`. */
  return function begin(campaign: { simulated: boolean }, now: number) {
    const simulated = campaign.simulated ? 1 : 0;
    // Calls in the future count too: the clock was set back since then.
    const newest = Math.max(selectNewestPeriod() ?? 0, Math.floor(now / DIAL_PERIOD_MS));
    const isAnyPostponed = selectIsAnyPostponed() !== undefined;

    /** Calls to one number without attempt `seq`; @param own of these leads only, null: of everybody */
    function readOne(
      { phone, seq }: { phone: E164; seq: number | undefined },
      ask: CallsAskedFor,
      own: ReadonlySet<string> | null,
    ): PastCalls {
      const { withinMs, conversationMs, refusalMs } = ask;
      const asked: Asked = { phone, simulated };
      const withOpen = conversationMs !== null || refusalMs !== null;
      const silenceMs = Math.max(conversationMs ?? 0, refusalMs ?? 0);
      const isRecent = silenceMs <= LONGEST_RECENT_MS;
      const openMs = withOpen ? LONGEST_OPEN_MS + (isRecent ? silenceMs : 0) : 0;
      const since = now - Math.max(withinMs, openMs);
      const recent: AskedRecent = { ...asked, since, isNamed: own === null ? 0 : 1 };
      let calls: RecentCall[] = [];
      for (let period = newest; period >= Math.floor(since / DIAL_PERIOD_MS); period--) {
        calls.push(...selectRecent({ ...recent, period }));
      }
      if (isAnyPostponed) {
        const known = new Set(calls.map(([seq]) => seq));
        const postponed = selectPostponed(recent);
        calls.push(...postponed.filter(([seq]) => !known.has(seq)));
      }
      if (seq !== undefined) calls = calls.filter((call) => call[0] !== seq);
      if (own !== null) calls = calls.filter(([, , , , , theirs]) => own.has(theirs ?? ''));
      const opens = calls.flatMap(([, beganAt, openUntil]) =>
        beganAt > now - LONGEST_OPEN_MS ? (openUntil ?? []) : [],
      );
      const askedOf = { ...asked, own: own === null ? null : JSON.stringify([...own]) };
      const answeredUntil = () => {
        if (!isRecent) return selectTalked(askedOf) ?? null;
        return latest(
          calls.flatMap(([, , , result, endedAt]) =>
            FINAL_RESULTS.some((each) => each === result) ? (endedAt ?? []) : [],
          ),
        );
      };
      return {
        beganAt: calls.map(([, beganAt]) => beganAt).sort((a, b) => b - a),
        answeredUntil: conversationMs === null ? null : answeredUntil(),
        refusedUntil: refusalMs === null ? null : (selectRefused(askedOf) ?? null),
        openUntil: withOpen ? latest(opens) : null,
      };
    }

    /** Calls to a number by anybody, and to the person's other numbers for this person. */
    return (
      { dial, seq }: { dial: E164; seq?: number },
      { own, phones }: LeadPerson,
      ask: CallsAskedFor,
    ): PastCalls => {
      const others = phones.filter((phone) => phone !== dial);
      const all = [
        readOne({ phone: dial, seq }, ask, null),
        ...others.map((phone) => readOne({ phone, seq }, ask, own)),
      ];
      const last = (of: (past: PastCalls) => number | null) =>
        latest(all.flatMap((past) => of(past) ?? []));
      return {
        beganAt: all.flatMap(({ beganAt }) => beganAt).sort((a, b) => b - a),
        answeredUntil: last(({ answeredUntil }) => answeredUntil),
        refusedUntil: last(({ refusedUntil }) => refusedUntil),
        openUntil: last(({ openUntil }) => openUntil),
        isOfPerson: others.length > 0,
      };
    };
  };
}

interface Asked {
  phone: string;
  simulated: 0 | 1;
}

interface AskedRecent extends Asked {
  since: number;
  /** Whether it is asked whose calls they are. */
  isNamed: 0 | 1;
}

/** `own`: the numbers by which campaigns know the person, as JSON; null: calls for anybody. */
type AskedOf = Asked & { own: string | null };

/** `openUntil`, epoch ms; null: its result is known. */
type RecentCall = [
  seq: number,
  beganAt: number,
  openUntil: number | null,
  result: string | null,
  endedAt: number | null,
  /** The number by which the campaign knows the person; null: not asked for. */
  whose: string | null,
];

function latest(times: readonly number[]): number | null {
  return times.length === 0 ? null : Math.max(...times);
}
