import { DAY_MS } from '../time-units.ts';

/** When open calls are polled; all in ms. */
export interface Polling {
  /**
   * The least time between two polls of a call. In the schedule, a poll costs as much as a delay of 2.5 times this
   * (less below 1,000). Default 1,000.
   */
  floorMs: number;
  /** The most time between two polls of a call. Default 60,000. */
  ceilingMs: number;
  /** After this long without readable analytics the call is `no_result`. Default 7,200,000 (2 h). */
  deadlineMs: number;
}

/** A service may postpone a call by at most this; a later time is taken for a misread field. */
export const LONGEST_POSTPONED_MS = 14 * DAY_MS;

/**
 * The cost of a poll, as the delay of a result that costs as much, in units of `floorMs`; the schedule follows from
 * this number. With a floor of a second, calls of ordinary length take four polls, and their end is found eight to nine
 * seconds late.
 */
export const POLL_WORTH_FLOORS = 2.5;

/** The schedule alone decides once this many ends were observed ... */
const ENOUGH_SEEN = 10;
/** ... before that, a call is also polled each time its age has grown by this share, as calls may have any length. */
const SHARE_OF_AGE = 0.25;

/** A histogram of ends over age; see `DurationHistogram`. */
export interface Ends {
  readonly edgesMs: Float64Array;
  readonly calls: Float64Array;
}

/** For a call that was still in progress at `agesMs[i]`, `nextMs[i]` is the best age for the next poll. */
export interface PollSchedule {
  readonly agesMs: Float64Array;
  readonly nextMs: Float64Array;
}

/** How polls of a schedule come in, on average of calls that follow it from their beginning. */
interface Expected {
  polls: number;
  /** From the beginning of the call until a poll has found its end, ms. */
  heldMs: number;
}

/**
 * The schedule with the least cost for calls that end as in the histogram: polls plus delay, where a delay of `worthMs`
 * costs as much as a poll. Found by dynamic programming from the oldest age back (Bellman 1957). Where webhooks report
 * most ends, only the other ends (`untold`, a share above 0) wait for a poll.
 */
export function pollSchedule(
  { edgesMs, calls }: Ends,
  { worthMs, untold }: { worthMs: number; untold: number },
): PollSchedule {
  const last = edgesMs.length - 1;
  const { open, endedMs } = sums({ edgesMs, calls });
  const cost = new Float64Array(edgesMs.length);
  const nextMs = new Float64Array(edgesMs.length).fill(Infinity);
  let best = last;
  for (let from = last - 1; from >= 0; from--) {
    let least = Infinity;
    // No later than the next poll of an older call: the costs have the quadrangle inequality (Yao 1980).
    for (let to = from + 1, latest = best; to <= latest; to++) {
      const ended = at(open, from) - at(open, to);
      const delayMs = ended * at(edgesMs, to) - (at(endedMs, to) - at(endedMs, from));
      const delay = (untold * delayMs) / worthMs;
      // The delay only grows with `to`, so no later age can cost less.
      if (delay >= least) break;
      const sum = delay + at(open, to) + untold * ended + at(cost, to);
      if (sum < least) {
        least = sum;
        best = to;
      }
    }
    cost[from] = least;
    nextMs[from] = at(edgesMs, best);
  }
  return { agesMs: edgesMs, nextMs };
}

/** A free slot is worth at most a thousand polls a second of waiting. */
const LEAST_WORTH_MS = 1;
/** ... and a poll that must be saved at most ten minutes. */
const MOST_WORTH_MS = 600_000;
/** Halvings of the distance between these, on a scale of logarithms: the rate is met within 2 %. */
const HALVINGS = 12;

/**
 * The cost of a poll with which calls are polled as often as a number of requests a second allows.
 * @param perSecond requests a second for each call in progress, its dial included
 * @param mostMs the most that a poll may cost
 */
export function worthFor(ends: Ends, perSecond: number, mostMs = MOST_WORTH_MS): number {
  const isTooDear = (worthMs: number) => {
    const { polls, heldMs } = expectedOf(ends, worthMs);
    return polls + 1 > (perSecond * heldMs) / 1_000;
  };
  if (isTooDear(mostMs)) return mostMs;
  let [low, high] = [Math.log(Math.min(LEAST_WORTH_MS, mostMs)), Math.log(mostMs)];
  for (let n = 0; n < HALVINGS; n++) {
    const middle = (low + high) / 2;
    if (isTooDear(Math.exp(middle))) low = middle;
    else high = middle;
  }
  return Math.exp(high);
}

/** What the best schedule at this cost of a poll brings, where no delivery tells of ends. */
export function expectedOf(ends: Ends, worthMs: number): Expected {
  const { nextMs } = pollSchedule(ends, { worthMs, untold: 1 });
  const { edgesMs } = ends;
  const { open } = sums(ends);
  const last = edgesMs.length - 1;
  let [polls, heldMs] = [0, 0];
  for (let from = 0, to = 0; from < last; from = to) {
    polls += at(open, from);
    while (to < last && at(edgesMs, to) < at(nextMs, from)) to++;
    heldMs += (at(open, from) - at(open, to)) * at(edgesMs, to);
  }
  return { polls: polls / at(open, 0), heldMs: heldMs / (at(open, 0) - at(open, last)) };
}

/** The same ends, each bin cut into `parts` equal ones. */
export function finer({ edgesMs, calls }: Ends, parts: number): Ends {
  const last = edgesMs.length - 1;
  const length = last * parts + 1;
  const part = (index: number) => Math.min(last, Math.floor(index / parts));
  const step = (bin: number) =>
    bin === last ? 0 : (at(edgesMs, bin + 1) - at(edgesMs, bin)) / parts;
  return {
    edgesMs: Float64Array.from(
      { length },
      (_, n) => at(edgesMs, part(n)) + (n % parts) * step(part(n)),
    ),
    calls: Float64Array.from(
      { length },
      (_, n) => at(calls, part(n)) / (part(n) === last ? 1 : parts),
    ),
  };
}

/** The facts that decide when a call is polled next. */
interface PollQuestion {
  schedule: PollSchedule;
  /** The call's age when the poll phase began: 0, or the age at which the line was found to be down. */
  startMs: number;
  /** How many ends of this agent's calls were observed. */
  seen: number;
  polling: Polling;
}

/**
 * How many whole ms until the next poll of a call of this age: between floor and ceiling, and with the last poll at the
 * deadline.
 */
export function nextPollIn(ageMs: number, question: PollQuestion): number {
  const { schedule, startMs, seen, polling } = question;
  const { floorMs, ceilingMs, deadlineMs } = polling;
  const sinceMs = Math.max(0, ageMs - startMs);
  const dueMs = at(schedule.nextMs, nearest(schedule.agesMs, sinceMs)) - sinceMs;
  const closelyMs = seen < ENOUGH_SEEN ? sinceMs * SHARE_OF_AGE : Infinity;
  const leftMs = ageMs < deadlineMs ? deadlineMs - ageMs : Infinity;
  return Math.round(Math.max(floorMs, Math.min(dueMs, closelyMs, ceilingMs, leftMs)));
}

/** At each edge: how many calls are still in progress, and the sum of the ages at which the other calls ended. */
function sums({ edgesMs, calls }: Ends): { open: Float64Array; endedMs: Float64Array } {
  const open = new Float64Array(edgesMs.length);
  const endedMs = new Float64Array(edgesMs.length);
  let later = 0;
  for (let bin = edgesMs.length - 1; bin >= 0; bin--) open[bin] = later += at(calls, bin);
  for (let bin = 1; bin < edgesMs.length; bin++) {
    const middleMs = (at(edgesMs, bin - 1) + at(edgesMs, bin)) / 2;
    endedMs[bin] = at(endedMs, bin - 1) + at(calls, bin - 1) * middleMs;
  }
  return { open, endedMs };
}

function nearest(agesMs: Float64Array, ageMs: number): number {
  let low = 0;
  let high = agesMs.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (at(agesMs, middle) <= ageMs) low = middle;
    else high = middle;
  }
  return ageMs - at(agesMs, low) < at(agesMs, high) - ageMs ? low : high;
}

function at(values: Float64Array, index: number): number {
  return values[index] ?? NaN;
}

/** Two ages of a call, in ms: at `afterMs` it was last known to be in progress, at `byMs` it was found to be over. */
export interface EndSeen {
  afterMs: number;
  byMs: number;
}

/** Where the first bin ends, for calls of ordinary length. */
const FIRST_EDGE_MS = 200;
/** The last bin begins here and has no end. */
const LAST_EDGE_MS = 7_200_000;
const BINS_TO_A_DOUBLING = 16;
/** The assumed distribution weighs as much as this many observed calls ... */
const ASSUMED_CALLS = 6;
/** ... and all observed calls together weigh as much as this many at most: older calls fade. */
const REMEMBERED_CALLS = 700;
/** The share of an inexact end that is spread evenly over its interval, so that the histogram can follow changes. */
const SPREAD_EVENLY = 0.1;

/**
 * When calls end: a histogram over the age of calls, with bins that grow with the age. An end is only known to lie
 * between two polls. The end is distributed over the bins between these polls in proportion to their counts so far (a
 * step of expectation maximisation), so that rare polls do not blur the histogram.
 */
export class DurationHistogram {
  /** Bin i reaches from edge i to edge i + 1, ages in ms; the first edge is 0, the last bin has no end. */
  readonly edgesMs: Float64Array;
  /** The number of calls in each bin, including the assumed calls. */
  readonly calls: Float64Array;
  readonly #assumed: Float64Array;
  readonly #scale: number;
  #seen = 0;

  /**
   * @param assumed the assumed share of calls that are over at an age (ms), used before any call was observed
   * @param scale factor on the assumed durations, e.g. 0.1 in a rehearsal with short calls; at most 1
   */
  constructor(assumed: (ageMs: number) => number, scale: number) {
    this.#scale = scale;
    this.edgesMs = edges(FIRST_EDGE_MS * scale);
    const over = this.edgesMs.map((edgeMs) => assumed(edgeMs / scale));
    this.#assumed = this.edgesMs.map(
      (_, bin) => ASSUMED_CALLS * ((over[bin + 1] ?? 1) - (over[bin] ?? 1)),
    );
    this.calls = Float64Array.from(this.#assumed);
  }

  learn({ afterMs, byMs }: EndSeen): void {
    const { calls } = this;
    this.#seen += 1;
    const first = this.binOf(afterMs);
    const last = this.binOf(byMs);
    if (first === last) {
      calls[first] = (calls[first] ?? 0) + 1;
      return;
    }
    let known = 0;
    for (let bin = first; bin <= last; bin++) known += this.#callsBetween(bin, afterMs, byMs);
    const evenly = known > 0 ? SPREAD_EVENLY : 1;
    const byKnown = known > 0 ? (1 - SPREAD_EVENLY) / known : 0;
    for (let bin = first; bin <= last; bin++) {
      const share = this.#callsBetween(bin, afterMs, byMs) * byKnown;
      const evenShare = (this.#spanMs(bin, afterMs, byMs) / (byMs - afterMs)) * evenly;
      calls[bin] = (calls[bin] ?? 0) + share + evenShare;
    }
  }

  /** The number of calls that the histogram has learned from; `fade` limits it to `REMEMBERED_CALLS`. */
  get seen(): number {
    return this.#seen;
  }

  /** Scales old calls down to `REMEMBERED_CALLS`; to be called every few calls. */
  fade(): void {
    if (this.#seen <= REMEMBERED_CALLS) return;
    const factor = REMEMBERED_CALLS / this.#seen;
    this.#seen = REMEMBERED_CALLS;
    for (const [bin, assumed] of this.#assumed.entries()) {
      this.calls[bin] = assumed + ((this.calls[bin] ?? 0) - assumed) * factor;
    }
  }

  binOf(ageMs: number): number {
    const ratio = ageMs / (FIRST_EDGE_MS * this.#scale);
    if (ratio < 1) return 0;
    const bin = 1 + Math.floor(Math.log2(ratio) * BINS_TO_A_DOUBLING);
    return Math.min(bin, this.edgesMs.length - 1);
  }

  /** How many of a bin's calls ended between two ages, if they are spread evenly over the bin. */
  #callsBetween(bin: number, fromMs: number, toMs: number): number {
    const from = this.edgesMs[bin] ?? 0;
    // The last bin has no end, so it is taken to end at `toMs`.
    const to = this.edgesMs[bin + 1] ?? toMs;
    return ((this.calls[bin] ?? 0) * this.#spanMs(bin, fromMs, toMs)) / (to - from);
  }

  #spanMs(bin: number, fromMs: number, toMs: number): number {
    const from = Math.max(this.edgesMs[bin] ?? 0, fromMs);
    return Math.max(0, Math.min(this.edgesMs[bin + 1] ?? Infinity, toMs) - from);
  }
}

function edges(firstMs: number): Float64Array {
  const ratio = 2 ** (1 / BINS_TO_A_DOUBLING);
  const all = [0];
  for (let i = 0, edgeMs = firstMs; edgeMs < LAST_EDGE_MS; edgeMs = firstMs * ratio ** ++i) {
    all.push(edgeMs);
  }
  return Float64Array.from(all);
}
