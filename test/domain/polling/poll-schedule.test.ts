import { describe, expect, it } from 'vitest';
import {
  nextPollIn,
  pollSchedule,
  type Ends,
  type Polling,
} from '../../../src/domain/polling/poll-schedule.ts';
import { seededRandom } from '../../../src/runtime/random.ts';

const polling: Polling = { floorMs: 1_000, ceilingMs: 60_000, deadlineMs: 7_200_000 };
const WORTH_MS = 2_500;

/** Ten calls: four end between 20 and 30 s, three between 50 and 60 s, three between 60 and 70 s. */
const TEN_CALLS: Ends = {
  edgesMs: Float64Array.from([0, 10, 20, 30, 40, 50, 60, 70, 80], (s) => s * 1_000),
  calls: Float64Array.of(0, 0, 4, 0, 0, 3, 3, 0, 0),
};

interface Example {
  ageMs: number;
  startMs: number;
  seen: number;
  untold: number;
  expected: number;
}

describe('the next poll', () => {
  it.each`
    ageMs        | startMs   | seen  | untold  | expected  | because
    ${0}         | ${0}      | ${10} | ${1}    | ${30_000} | ${'nobody is done before 20 s, and at 30 s four are'}
    ${10_000}    | ${0}      | ${10} | ${1}    | ${20_000} | ${'a poll at 10 s found nothing out'}
    ${30_000}    | ${0}      | ${10} | ${1}    | ${30_000} | ${'nobody ends in the next 20 s, and three soon after'}
    ${33_000}    | ${0}      | ${10} | ${1}    | ${27_000} | ${'a poll that came late changes nothing'}
    ${60_000}    | ${0}      | ${10} | ${1}    | ${10_000} | ${'the last three end now'}
    ${300_000}   | ${0}      | ${10} | ${1}    | ${60_000} | ${'no call was ever so long: the ceiling holds'}
    ${50_000}    | ${50_000} | ${10} | ${1}    | ${30_000} | ${'this wait began with the end of the line'}
    ${20_000}    | ${0}      | ${10} | ${0.01} | ${50_000} | ${'webhooks tell of 99 %: one poll for the others'}
    ${0}         | ${0}      | ${10} | ${0.01} | ${60_000} | ${'the same, but the ceiling holds'}
    ${0}         | ${0}      | ${9}  | ${1}    | ${1_000}  | ${'too little is known: polls begin with the floor'}
    ${32_000}    | ${0}      | ${9}  | ${1}    | ${8_000}  | ${'too little is known: a quarter of the age'}
    ${32_000}    | ${20_000} | ${9}  | ${1}    | ${3_000}  | ${'too little is known: a quarter of this wait'}
    ${7_190_000} | ${0}      | ${10} | ${1}    | ${10_000} | ${'a last poll is made at the deadline'}
    ${7_199_900} | ${0}      | ${10} | ${1}    | ${1_000}  | ${'the floor holds at the deadline, too'}
    ${7_200_000} | ${0}      | ${10} | ${1}    | ${60_000} | ${'the deadline has passed'}
    ${-5_000}    | ${0}      | ${10} | ${1}    | ${30_000} | ${'a clock that was set back makes no call younger than new'}
  `(
    'at $ageMs ms comes after $expected ms: $because',
    ({ ageMs, startMs, seen, untold, expected }: Example) => {
      const schedule = pollSchedule(TEN_CALLS, { worthMs: WORTH_MS, untold });
      expect(nextPollIn(ageMs, { schedule, startMs, seen, polling })).toBe(expected);
    },
  );

  it('never comes sooner than the floor, and in whole milliseconds', () => {
    const close: Ends = {
      edgesMs: Float64Array.of(0, 10.1, 20.2, 1_500.3, 1_510),
      calls: Float64Array.of(1, 500, 500, 0, 0),
    };
    const schedule = pollSchedule(close, { worthMs: 1, untold: 1 });
    const question = { schedule, startMs: 0, seen: 10, polling };
    expect(nextPollIn(10.1, question)).toBe(1_000);
    expect(nextPollIn(20.2, question)).toBe(1_480);
  });
});

describe('a schedule of polls', () => {
  it('has the least polls plus delay of all, and fewer polls the more one is worth', () => {
    const pollsAt = (worthMs: number) => {
      const { nextMs } = pollSchedule(TEN_CALLS, { worthMs, untold: 1 });
      const ages: number[] = [];
      for (let bin = 0; bin < 7; bin = (ages.at(-1) ?? 0) / 10_000) ages.push(nextMs[bin] ?? NaN);
      return ages;
    };
    // 20 s late for three calls is worth less than a poll of ten.
    expect(pollsAt(20_000)).toEqual([30_000, 70_000]);
    expect(pollsAt(WORTH_MS)).toEqual([30_000, 60_000, 70_000]);
    expect(pollsAt(100_000)).toEqual([70_000]);
  });

  it.each([1, 2, 3, 4, 5, 6])('is the best of all next polls for ends at random: %i', (n) => {
    const random = seededRandom(`schedule ${n}`);
    const ends: Ends = {
      edgesMs: Float64Array.from({ length: 60 }, (_, bin) => 200 * 1.1 ** bin),
      calls: Float64Array.from({ length: 60 }, () => (random() < 0.3 ? random() * 9 : 0.01)),
    };
    const question = { worthMs: 50 * 4 ** n, untold: n / 6 };
    expect(pollSchedule(ends, question).nextMs).toEqual(bestOfAll(ends, question));
  });
});

/** Every next poll of every age is tried. */
function bestOfAll(
  { edgesMs, calls }: Ends,
  { worthMs, untold }: { worthMs: number; untold: number },
): Float64Array {
  const last = edgesMs.length - 1;
  const cost = new Float64Array(edgesMs.length);
  const next = new Float64Array(edgesMs.length).fill(Infinity);
  for (let from = last - 1; from >= 0; from--) {
    const costs = edgesMs.map((edge, to) => {
      if (to <= from) return Infinity;
      const ended = calls.slice(from, to).reduce((sum, each) => sum + each, 0);
      const open = calls.slice(to).reduce((sum, each) => sum + each, 0);
      const delay = calls
        .slice(from, to)
        .reduce((sum, each, bin) => sum + each * (edge - middle(edgesMs, from + bin)), 0);
      return (untold * delay) / worthMs + open + untold * ended + (cost[to] ?? 0);
    });
    cost[from] = Math.min(...costs);
    next[from] = edgesMs[costs.findIndex((each) => each <= (cost[from] ?? 0) + 1e-9)] ?? NaN;
  }
  return next;
}

function middle(edgesMs: Float64Array, bin: number): number {
  return ((edgesMs[bin] ?? 0) + (edgesMs[bin + 1] ?? 0)) / 2;
}
