import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import type { CampaignDetail } from '../../../../src/views/campaigns.ts';
import type { Simulator } from '../../../../src/simulator/server.ts';

export const PEOPLE = 60;
export const AT_ONCE = 8;
export const BUDGET = 500;
export const CALL_MS = 400;
/** Whose drawer is open, by the name of `a-campaign.ts`: "Person 20" of line 22. */
export const WATCHED = 20;
const MINUTE_MS = 60_000;

/** What really happened so far, by the service's ledger. */
function ledgerOf(service: Pick<Simulator, 'ledger'>) {
  const rings = service
    .ledger()
    .flatMap(({ phone_number: phone, rings: all }) => all.map((ring) => ({ ...ring, phone })));
  const ended = rings.filter(({ ended_at: at }) => at !== null);
  const isFelt = (word: string) =>
    ended.filter(({ sentiment }) => sentiment?.label === word).length;
  return {
    rings: rings.length,
    people: new Set(rings.map(({ phone }) => phone)).size,
    ended: ended.length,
    endedPeople: new Set(ended.map(({ phone }) => phone)).size,
    answered: ended.filter(({ outcome }) => outcome === 'answered').length,
    live: rings.filter(({ ended_at: at }) => at === null).map(({ call_id: id }) => id),
    felt: {
      positive: isFelt('positive'),
      neutral: isFelt('neutral'),
      negative: isFelt('negative'),
    },
    /** The calls of the one person whose drawer is open. */
    theirs: rings.filter(({ phone }) => phone === `+121255501${WATCHED}`),
    /** How many rang in each minute. */
    minutes: countBy(rings.map(({ rang_at: at }) => Math.floor(Date.parse(at) / MINUTE_MS))),
  };
}
const countBy = (keys: readonly number[]) =>
  keys.reduce(
    (counts, key) => counts.set(key, (counts.get(key) ?? 0) + 1),
    new Map<number, number>(),
  );
export type Ledger = ReturnType<typeof ledgerOf>;

/** Counts the calls that were ever in doubt, by callsheet's own table: the ledger knows no doubts. */
export function everInDoubt(path: string): () => number {
  const db = new Database(path, { readonly: true });
  onTestFinished(() => {
    db.close();
  });
  const count = db.prepare<[], number>(
    "SELECT count(*) FROM attempts WHERE unknown_at IS NOT NULL OR state IN ('unknown', 'unconfirmed')",
  );
  return () => count.pluck().get() ?? NaN;
}

/** The ledger, and right after it what `status` says. */
export interface Look extends Ledger {
  at: number;
  /** What was counted when the process began that runs now: its metrics begin there. */
  base: { begun: number; ended: number };
  /** Requests that a killed process may have left in doubt though no phone rang. */
  lost: number;
  /** Calls that were ever in doubt, before and after `status` was asked: between two looks, some may come and go. */
  everInDoubt: readonly [before: number, after: number];
  /** When the oldest call that holds a slot was sent, or when `status` was asked; epoch ms. */
  oldest: number;
  status: Pick<CampaignDetail, 'waiting' | 'calling' | 'unknown' | 'done' | 'held' | 'doubts'> &
    CampaignDetail['dials'] & { answered: number; unconfirmed: number; ended: number };
}

export function lookAt(
  of: CampaignDetail,
  given: Pick<Look, 'lost' | 'base' | 'everInDoubt'>,
  ledger: Ledger,
): Look {
  const { waiting, calling, unknown, done, held, doubts, dials, results } = of;
  const all = Object.values(results).reduce((sum, one) => sum + one, 0);
  const { answered = 0, unconfirmed = 0, rejected = 0 } = results;
  const ended = all - unconfirmed - rejected;
  const counts = { waiting, calling, unknown, done, held, doubts, answered, unconfirmed, ended };
  const at = Date.now();
  const oldest = Math.min(at, ...of.heldSlots.map(({ sentAt }) => Date.parse(sentAt)));
  return { ...ledger, at, oldest, ...given, status: { ...counts, ...dials } };
}
export { ledgerOf };

/** What of `status` cannot be true, when the ledger was `before` that it was asked and `after` it was. */
export function liesOfStatus({ status, lost, ...before }: Look, after: Ledger): string[] {
  const { waiting, calling, unknown, done, held, doubts, made, inDoubt, refused, answered } =
    status;
  const both = before.live.filter((id) => after.live.includes(id)).length;
  const facts: readonly [isTrue: boolean, what: string][] = [
    [waiting + calling + done === PEOPLE, 'everybody is somewhere once'],
    [PEOPLE - waiting >= before.people, 'who was called waits no more'],
    [PEOPLE - waiting <= after.people + AT_ONCE + lost, 'nobody else waits no more'],
    [done <= after.endedPeople + lost, 'only those are done whose call is over'],
    [answered <= after.answered, 'nobody else answered'],
    [refused === 0, 'the service refused nobody'],
    [made <= after.rings, 'no other call was made'],
    [made + inDoubt + held >= before.rings, 'each call that rang is counted'],
    [made + inDoubt <= after.rings + lost, 'only calls that rang are in doubt'],
    [unknown <= inDoubt, 'who waits for an answer is in doubt'],
    [doubts <= inDoubt, 'what is in doubt is not counted as made'],
    [both <= held && held <= AT_ONCE, 'calls on the line hold slots, and no others'],
  ];
  return facts
    .filter(([isTrue]) => !isTrue)
    .map(([, what]) => `status: ${what}: ${JSON.stringify({ status, before, after })}`);
}

/** The least and the most that a number may be. @param span all looks from the last one that must be seen to the next */
type Bounds = (span: { then: Look; now: Look; all: readonly Look[] }) => readonly number[];

/** The number was so in one of these looks, or between two of them: it only grows, or `status` says it often enough. */
const said =
  (of: (look: Look) => number): Bounds =>
  ({ all }) => {
    const values = all.map(of);
    return [Math.min(...values), Math.max(...values)];
  };
const upTo =
  (of: (now: Look) => number): Bounds =>
  ({ now }) => [0, of(now)];
/** It grows and shrinks: between two looks, it may have been so many more or fewer as calls came in doubt meanwhile. */
const doubted =
  (of: (look: Look) => number): Bounds =>
  (span) => {
    const [least = NaN, most = NaN] = said(of)(span);
    const more = span.now.everInDoubt[1] - span.then.everInDoubt[0];
    return [Math.max(0, least - more), most + more];
  };
const doubts = doubted(({ status }) => status.doubts);
const atMost =
  (bounds: Bounds, of: (most: number) => number): Bounds =>
  (span) => [0, of(bounds(span)[1] ?? NaN)];
const just =
  (value: number): Bounds =>
  () => [value, value];
const slots = upTo(() => AT_ONCE);

/** Calls that rang in minutes which are over. @param of all of these, or the most of one */
const inMinutes =
  (of: (calls: number[]) => number): Bounds =>
  ({ then, now }) => {
    const over = ({ minutes, at }: Look) =>
      [...minutes].flatMap(([minute, calls]) => ((minute + 1) * MINUTE_MS <= at ? calls : []));
    return [of(over(then)), of(over(now)) + (over(now).length === 0 ? 0 : AT_ONCE + now.lost)];
  };
const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0);

const percent: Bounds = ({ then, now }) => [
  (100 * then.status.answered) / Math.max(1, now.status.ended) - 1,
  Math.min(100, (100 * now.status.answered) / Math.max(1, then.status.ended) + 1),
];
/** Since the process began that runs now; it counts no request that one before it left open. */
const since =
  (of: (look: Look) => number, from: (base: Look['base']) => number): Bounds =>
  ({ all, now: { base, lost } }) => {
    const values = all.map((look) => of(look) - from(base));
    return [Math.max(0, Math.min(...values) - lost), Math.max(...values)];
  };
export const begun = ({ status: { made, inDoubt } }: Look) => made + inDoubt;

/** What each number that is shown may be, by the names that it has in PLACES. */
export const FACTS: Readonly<Record<string, Bounds>> = {
  total: just(PEOPLE),
  limit: just(AT_ONCE),
  budget: just(BUDGET),
  one: just(1),
  zero: just(0),
  hundred: just(100),
  waiting: ({ then, now }) => [PEOPLE - now.people - AT_ONCE - now.lost, PEOPLE - then.people],
  /** Of those who wait. */
  some: ({ then }) => [0, PEOPLE - then.people],
  calling: atMost(doubts, (most) => AT_ONCE + most),
  doneBar: said(({ status }) => (100 * status.done) / PEOPLE),
  callingBar: atMost(doubts, (most) => (100 * (AT_ONCE + most)) / PEOPLE),
  onTheLine: slots,
  held: slots,
  unknown: atMost(doubts, (most) => most),
  done: said(({ status }) => status.done),
  ended: said(({ status }) => status.ended),
  answered: said(({ status }) => status.answered),
  unconfirmed: said(({ status }) => status.unconfirmed),
  made: said(({ status }) => status.made),
  inDoubt: doubted(({ status }) => status.inDoubt),
  notMade: said(({ status }) => status.notMade),
  doubts,
  begun: ({ then, now }) => [begun(then), begun(now) + AT_ONCE],
  left: ({ then, now }) => [BUDGET - begun(now) - AT_ONCE, BUDGET - begun(then)],
  open: atMost(doubts, (most) => AT_ONCE + most),
  optOuts: upTo(({ answered }) => answered),
  positive: upTo(({ felt }) => felt.positive),
  neutral: upTo(({ felt }) => felt.neutral),
  negative: upTo(({ felt }) => felt.negative),
  felt: upTo(({ ended }) => ended),
  score: () => [-1, 1],
  rate: percent,
  share: ({ then, now }) => percent({ then, now, all: [] }).map((value) => value / 100),
  perMinute: upTo(({ rings, lost }) => 12 * (rings + lost)),
  talkMs: ({ then, now }) => [then.status.ended * CALL_MS, now.status.ended * CALL_MS],
  talk: ({ then, now }) =>
    [then, now].map(({ status }) => Math.round((status.ended * CALL_MS) / 1_000)),
  callMs: () => [0, CALL_MS],
  /** Seconds since a call was sent that may be on the line, by a clock that is known to a second. */
  age: ({ now, all }) => [0, (now.at - Math.min(...all.map(({ oldest }) => oldest))) / 1_000 + 1.5],
  theirLine: just(WATCHED + 2),
  /** The person whose drawer is open: rang once, and is asked for once more while an answer is awaited. */
  theirCall: ({ now }) => [1, now.theirs.length + 1],
  theirCalls: ({ then, now }) => [then.theirs.length, now.theirs.length + 1],
  theirResults: ({ then, now: { theirs } }) => [
    then.status.done < PEOPLE ? 0 : then.theirs.length,
    theirs.filter(({ ended_at: at }) => at !== null).length,
  ],
  theirScore: ({ now: { theirs } }) =>
    theirs.flatMap(({ sentiment }) => sentiment?.score ?? []).flatMap((score) => [score, score]),
  line: () => [2, PEOPLE + 1],
  once: () => [0, 1],
  started: since(begun, (base) => base.begun),
  collected: since(
    ({ status }) => status.ended,
    (base) => base.ended,
  ),
  given_up: upTo(({ status }) => status.unconfirmed),
  released: upTo(({ status }) => status.notMade),
  any: () => [0, Infinity],
  /** Of the minutes that are over, and now. A call may have been asked for in the minute before it rang. */
  mostAMinute: (span) => [
    (inMinutes((calls) => Math.max(0, ...calls))(span)[0] ?? 0) - AT_ONCE,
    12 * (span.now.rings + span.now.lost),
  ],
  openOrWaiting: ({ then }) => [0, PEOPLE - then.status.done],
};

/** Numbers that are shown in parts, and what they must be together. */
export const SUMS: Readonly<Record<string, Bounds>> = {
  endedInHours: said(({ status }) => status.ended),
  answeredInHours: said(({ status }) => status.answered),
  endedByLength: said(({ status }) => status.ended),
  endedInDays: said(({ status }) => status.ended),
  answeredInDays: said(({ status }) => status.answered),
  titleCalls: said(({ status }) => status.ended),
  titleAnswered: said(({ status }) => status.answered),
  begunInMinutes: inMinutes(sum),
  callsOfPeople: ({ then, now }) => [begun(then), begun(now) + AT_ONCE],
};
