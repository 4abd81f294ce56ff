import { DAY_MS } from '../time-units.ts';
import { intersection, type Interval } from './intervals.ts';
import type { OffsetAt } from './offsets.ts';
import { LONGEST_LOOK_MS, openingTimesOf, type OpeningTimes } from './opening-times.ts';
import type { CallingPolicy, Hold } from './policy.ts';
import { placeOf } from './zone-key.ts';

export type { OffsetAt } from './offsets.ts';

/**
 * `until`: the first moment at which no call may begin any more, epoch ms; Infinity: the hours never close. `opensAt`: the
 * same as `hold.until`, for who needs no words.
 */
export type HoursAt =
  { open: true; until: number } | { open: false; opensAt: number | null; hold: Hold };

/** Most questions are answered by the next two days; holidays and weekends by ten. */
const LOOKS_MS = [2 * DAY_MS, 10 * DAY_MS, LONGEST_LOOK_MS];
/** So many answers are remembered of a place: those of today and of the days on which its leads are due again. */
const ANSWERS_KEPT = 4;
/** That nothing opens within the longest look is asked again after this. */
const NEVER_ASKED_AGAIN_MS = DAY_MS;

/**
 * Decides at which moments calls to people at a place may begin: at those of which the whole margin that follows lies
 * within the hours of every rule in every zone of the place, and within the operator's own. The function that is
 * returned remembers its answers until they change, so that asking for the same few hundred places at every claim
 * costs next to nothing.
 */
export function callingHours(
  policy: CallingPolicy,
  offsetAt: OffsetAt,
): (zoneKey: string, at: number) => HoursAt {
  const places = new Map<string, ReturnType<typeof openingTimesOf>>();
  const answers = new Map<string, readonly Answer[]>();

  return (zoneKey, at) => {
    const times = places.get(zoneKey) ?? openingTimesOf(policy, placeOf(zoneKey), offsetAt);
    places.set(zoneKey, times);
    if ('unknown' in times) {
      return { open: false, opensAt: null, hold: { until: null, ...times.unknown } };
    }
    if (times.length === 0) return { open: true, until: Infinity };
    const known = answers.get(zoneKey) ?? [];
    let answer = known.find(({ from, to }) => at >= from && at < to);
    if (answer === undefined) {
      answer = lookFrom(at, times, policy.marginMs);
      answers.set(zoneKey, [answer, ...known.slice(0, ANSWERS_KEPT - 1)]);
    }
    const { open } = answer;
    if (open !== undefined && at >= open[0]) return { open: true, until: open[1] };
    return {
      open: false,
      opensAt: open?.[0] ?? null,
      // Worked out only for who asks: its words cost a hundred times as much as the decision.
      get hold() {
        return holdAt(at, open?.[0] ?? null, times, policy.marginMs);
      },
    };
  };
}

/** What is known for the moments `[from, to)`: the interval that is open then, or opens at their end. */
interface Answer {
  from: number;
  to: number;
  open: Interval | undefined;
}

function lookFrom(at: number, times: readonly OpeningTimes[], marginMs: number): Answer {
  for (const look of LOOKS_MS) {
    const end = at + look;
    const next = openIn(at, end, times, marginMs).find(([, to]) => to > at);
    if (next === undefined) continue;
    const [from, to] = next;
    // What is still open where the look ends is open for longer, as far as is known.
    if (to >= end && look < LONGEST_LOOK_MS) continue;
    return from <= at ? { from: at, to, open: next } : { from: at, to: from, open: next };
  }
  return { from: at, to: at + NEVER_ASKED_AGAIN_MS, open: undefined };
}

/** When calls may begin from a day before `from` to about `to`. */
function openIn(
  from: number,
  to: number,
  times: readonly OpeningTimes[],
  marginMs: number,
): Interval[] {
  const [first = [], ...rest] = times.map((each) => each.in(from - DAY_MS, to + marginMs));
  const all = rest.reduce(intersection, first);
  return all.flatMap(([start, end]) => {
    const lastStart = end - marginMs;
    return start < lastStart ? [[start, lastStart] as const] : [];
  });
}

/** What decides is what opens last at the next opening, which may be something that is open now and closes until then. */
function holdAt(
  at: number,
  until: number | null,
  times: readonly OpeningTimes[],
  marginMs: number,
): Hold {
  const isClosed = (each: OpeningTimes) => !covers(each.in(at, at + marginMs), at, at + marginMs);
  const closed = times.filter(isClosed);
  if (until === null) {
    const by = [...new Set(times.map((each) => each.by))].join(' + ');
    // Without the clock of the moment: people in many zones are shut out for one and the same reason.
    const why = [...new Set(times.map((each) => each.why(at).replace(/^outside /, '')))];
    const never = why.length === 1 ? 'are never open' : 'are never open together';
    return { until, by, why: `these hours ${never}: ${why.join('; ')}` };
  }
  const opening = (each: OpeningTimes) =>
    each.in(at, until + marginMs).find(([from, to]) => from <= until && until < to)?.[0] ?? until;
  // Of those that open at the same time the narrowest is named: a state's own hours come after those of its rule.
  const closedFirst = [
    ...closed.toReversed(),
    ...times.filter((each) => !closed.includes(each)).toReversed(),
  ];
  const [last] = closedFirst.toSorted((a, b) => opening(b) - opening(a));
  if (last === undefined || closed.includes(last)) {
    return { until, by: last?.by ?? '', why: last === undefined ? '' : whyAt(last, at) };
  }
  return { until, by: last.by, why: `just before it opens: ${whyAt(last, opening(last) - 1)}` };
}

function whyAt({ why, clock }: OpeningTimes, at: number): string {
  return `${why(at)} (${clock(at)})`;
}

function covers(open: readonly Interval[], from: number, to: number): boolean {
  return open.some(([start, end]) => start <= from && to < end);
}
