import { PollScheduler } from '../../../src/domain/polling/poll-scheduler.ts';
import { POLL_WORTH_FLOORS, type Polling } from '../../../src/domain/polling/poll-schedule.ts';
import { seededRandom } from '../../../src/runtime/random.ts';
import { callMs } from './mixture.ts';
import { bestCost } from './optimum.ts';

/** The defaults of a campaign. */
const POLLING: Polling = { floorMs: 1_000, ceilingMs: 60_000, deadlineMs: 7_200_000 };
const AT_ONCE = 100;

export interface Night {
  calls: number;
  seed: string;
  /** The share of calls of which a webhook tells, and how long it takes on average; null: none. */
  webhooks: { share: number; meanMs: number } | null;
}

/** Per call, but the cost of the best schedule is that for polls alone. */
export interface Figures {
  polls: number;
  meanDelayMs: number;
  p95DelayMs: number;
  p99DelayMs: number;
  /** Polls plus weighted delay, in polls. */
  cost: number;
  bestCost: number;
}

/**
 * A night of calls, a hundred at once, in virtual time: the product's scheduler polls them and learns from
 * nothing on, or a webhook is there first.
 */
export function play({ calls, seed, webhooks }: Night): Figures {
  const random = seededRandom(seed);
  const plan = new PollScheduler(POLLING);
  const steps = new Steps();
  const lengths: number[] = [];
  const delays: number[] = [];
  let polls = 0;

  const place = (at: number) => {
    const lengthMs = Math.round(callMs(random));
    const attemptId = `a${lengths.push(lengthMs)}`;
    const isTold = webhooks !== null && random() < webhooks.share;
    // Whole ms, like everything the plan is told, so that no age is rounded on its way through the clock.
    const waitMs = isTold ? Math.round(-Math.log(1 - random()) * webhooks.meanMs) : Infinity;
    const call: Call = {
      attemptId,
      polls: 0,
      placedAt: at,
      lengthMs,
      toldMs: lengthMs + waitMs,
      at: 0,
    };
    planNext(call, 0);
  };
  const planNext = (call: Call, ageMs: number) => {
    const pollMs = ageMs + plan.nextIn(call.attemptId, ageMs);
    steps.add({ ...call, at: call.placedAt + Math.min(pollMs, call.toldMs) });
  };

  for (let i = 0; i < Math.min(AT_ONCE, calls); i++) place(i * 100);
  for (let call = steps.next(); call !== undefined; call = steps.next()) {
    const ageMs = call.at - call.placedAt;
    const isTold = ageMs === call.toldMs;
    if (!isTold) polls += 1;
    if (ageMs < call.lengthMs) {
      plan.pending(call, ageMs);
      planNext({ ...call, polls: call.polls + 1 }, ageMs);
      continue;
    }
    plan.settled(call, ageMs, isTold ? 'delivery' : 'poll');
    delays.push(ageMs - call.lengthMs);
    if (lengths.length < calls) place(call.at);
  }
  return figures(polls, delays, lengths);
}

function figures(polls: number, delays: number[], lengths: number[]): Figures {
  const sorted = delays.toSorted((a, b) => a - b);
  const meanDelayMs = sorted.reduce((sum, delay) => sum + delay, 0) / sorted.length;
  const quantile = (share: number) => sorted[Math.floor(sorted.length * share)] ?? NaN;
  const worthMs = POLL_WORTH_FLOORS * POLLING.floorMs;
  return {
    polls: polls / lengths.length,
    meanDelayMs,
    p95DelayMs: quantile(0.95),
    p99DelayMs: quantile(0.99),
    cost: polls / lengths.length + meanDelayMs / worthMs,
    bestCost: bestCost(lengths, worthMs),
  };
}

interface Call {
  attemptId: string;
  polls: number;
  placedAt: number;
  lengthMs: number;
  /** Its age when a webhook tells that it is over; Infinity: none comes. */
  toldMs: number;
  /** When something happens to it next. */
  at: number;
}

/** What happens next, as a binary heap. */
class Steps {
  readonly #heap: Call[] = [];

  add(call: Call): void {
    const heap = this.#heap;
    let child = heap.push(call) - 1;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (this.#at(parent) <= call.at) break;
      this.#swap(parent, child);
      child = parent;
    }
  }

  next(): Call | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    heap[0] = last;
    let parent = 0;
    for (;;) {
      let child = 2 * parent + 1;
      if (this.#at(child + 1) < this.#at(child)) child += 1;
      if (last.at <= this.#at(child)) return first;
      this.#swap(parent, child);
      parent = child;
    }
  }

  #at(index: number): number {
    return this.#heap[index]?.at ?? Infinity;
  }

  #swap(a: number, b: number): void {
    const heap = this.#heap;
    [heap[a], heap[b]] = [heap[b] as Call, heap[a] as Call];
  }
}
