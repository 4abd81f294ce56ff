import type { EndSeen } from './duration-histogram.ts';
import type { Polling } from './poll-schedule.ts';
import { PollPhase } from './poll-phase.ts';
import type { ToldBy } from './webhook-reliability.ts';

/** The most open calls that are remembered: as many as a campaign can have at once. */
const REMEMBERED_CALLS = 10_000;

/** What the scheduler needs to know about an open call. */
export interface PolledCall {
  attemptId: string;
  /** How often the call was polled before, by any process. */
  polls: number;
}

/** When a call of another run ended. */
export interface RecentEnd {
  call: EndSeen;
  /** From the line being down to the analytics; null when both were found at once. */
  analytics: EndSeen | null;
}

/**
 * Plans when calls are polled: from the times at which earlier calls ended and, once the line is known to be down, from
 * how long their analytics took. There is one scheduler per agent, as the calls of another agent last differently.
 */
export class PollScheduler {
  readonly #polling: Polling;
  /** From the intent until the line is down, or until analytics are there without such news before. */
  readonly #call: PollPhase;
  /** From the line being down to the analytics. */
  readonly #analytics: PollPhase;
  /** Open calls of which there was news from a poll or a delivery; first the one with the oldest news. */
  readonly #open = new Map<string, LastSeen>();

  /** @param onDeliveriesStopped called once when webhooks came and then stopped coming */
  constructor(polling: Polling, onDeliveriesStopped: () => void = () => undefined) {
    this.#polling = polling;
    this.#call = new PollPhase(isOverBy, polling, onDeliveriesStopped);
    this.#analytics = new PollPhase(isAnalysedBy, polling, onDeliveriesStopped);
  }

  get floorMs(): number {
    return this.#polling.floorMs;
  }

  /** How many whole ms until the next poll of a call of this age. */
  nextIn(attemptId: string, ageMs: number): number {
    const downMs = this.#open.get(attemptId)?.downMs ?? null;
    return downMs === null ? this.#call.nextIn(ageMs, 0) : this.#analytics.nextIn(ageMs, downMs);
  }

  /** Records that the call was not over at this age. `said`: what an answer said that may be of a call in progress. */
  pending({ attemptId }: PolledCall, ageMs: number, said?: string): void {
    const downMs = said === undefined ? null : (this.#open.get(attemptId)?.downMs ?? null);
    this.#keep(attemptId, { ageMs, downMs, said });
  }

  /** True when the poll before said the same. */
  hasSaid(attemptId: string, said: string): boolean {
    return this.#open.get(attemptId)?.said === said;
  }

  /** Records that the line was down at this age, with analytics still to come. */
  lineDown(call: PolledCall, ageMs: number, by: ToldBy): void {
    const seen = this.#open.get(call.attemptId);
    const downMs = seen?.downMs ?? ageMs;
    if (seen?.downMs == null) this.#call.learn(endOf(call, seen, ageMs, by), by);
    this.#keep(call.attemptId, { ageMs, downMs });
  }

  /** Records that the analytics were there at this age; the call lasted at least `talkedMs` (null: not known). */
  settled(call: PolledCall, ageMs: number, by: ToldBy, talkedMs: number | null = null): void {
    const seen = this.#open.get(call.attemptId);
    this.#open.delete(call.attemptId);
    const end = endOf(call, seen, ageMs, by);
    if (seen?.downMs == null) this.#call.learn(talkedAtLeast(talkedMs, end), by);
    else this.#analytics.learn(end === null ? null : since(seen.downMs, end), by);
  }

  /** Learns from calls of other runs. */
  remember(ends: readonly RecentEnd[]): void {
    this.#call.remember(ends.map(({ call }) => call));
    this.#analytics.remember(ends.flatMap(({ analytics }) => analytics ?? []));
  }

  #keep(attemptId: string, seen: LastSeen): void {
    this.#open.delete(attemptId);
    this.#open.set(attemptId, seen);
    if (this.#open.size <= REMEMBERED_CALLS) return;
    // A campaign cannot have more open calls, so another process must have settled the oldest one.
    const [oldest = ''] = this.#open.keys();
    this.#open.delete(oldest);
  }
}

/** Ages in ms. */
interface LastSeen {
  ageMs: number;
  /** When the line was first known to be down; null: not yet. */
  downMs: number | null;
  said?: string | undefined;
}

/** @returns null if another process made the last poll, so that the last time in progress is not known here */
function endOf(
  { polls }: PolledCall,
  seen: LastSeen | undefined,
  byMs: number,
  by: ToldBy,
): EndSeen | null {
  if (by === 'delivery') return { afterMs: byMs, byMs };
  if (seen === undefined && polls > 0) return null;
  return { afterMs: Math.min(seen?.ageMs ?? 0, byMs), byMs };
}

/** The call did not end before it had lasted `talkedMs`; ignored where this contradicts the time of its end. */
function talkedAtLeast(talkedMs: number | null, end: EndSeen | null): EndSeen | null {
  if (end === null || talkedMs === null || talkedMs >= end.byMs) return end;
  return { ...end, afterMs: Math.max(end.afterMs, talkedMs) };
}

function since(startMs: number, { afterMs, byMs }: EndSeen): EndSeen {
  return { afterMs: Math.max(0, afterMs - startMs), byMs: Math.max(0, byMs - startMs) };
}

/**
 * The assumed share of calls that are over at this age (ms), used before any call of the agent is known: some ring out
 * after half a minute, some are conversations, and some end at any time.
 */
function isOverBy(ageMs: number): number {
  const rungOut = logLogistic(ageMs, 30_000, 15);
  const talked = logLogistic(ageMs, 90_000, 2.5);
  const atAnyTime = Math.log(ageMs / 1_000) / Math.log(900);
  return 0.4 * rungOut + 0.4 * talked + 0.2 * Math.min(Math.max(atAnyTime, 0), 1);
}

/** The assumed share of ended calls whose analytics are there this many ms after the end. */
function isAnalysedBy(ageMs: number): number {
  return logLogistic(ageMs, 6_000, 1.2);
}

/** The log-logistic distribution function: 0.5 at the median; a larger steepness means a smaller spread. */
function logLogistic(ms: number, medianMs: number, steepness: number): number {
  return 1 / (1 + (ms / medianMs) ** -steepness);
}
