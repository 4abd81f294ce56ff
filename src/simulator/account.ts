import type { Clock } from '../runtime/clock.ts';
import type { CallRecord } from './calls/timeline.ts';

export interface AgentRecord {
  id: string;
  name: string;
  systemPrompt: string;
  /** Stored and returned unchanged. */
  voice: Record<string, unknown> | null;
  createdAt: number;
}

/** The agents and calls of one API key. Nothing is ever removed. */
export class Account {
  /** A hash of the key: the key itself is never written to a file. */
  readonly id: string;
  /**
   * Counts a request toward the rate limit and returns 0, or returns how many ms to wait until a request is allowed.
   */
  readonly takeRequest: () => number;
  /** By id, the oldest agent first. */
  readonly agents = new Map<string, AgentRecord>();
  readonly calls = new Map<string, CallRecord>();
  readonly callsByKey = new Map<string, CallRecord>();
  /**
   * By phone number: the number's calls, the oldest first, and how many dials were requested, with or without a call.
   */
  readonly phones = new Map<string, { rings: CallRecord[]; dials: number }>();
  /** Highest number of calls in progress at once. */
  peak = 0;
  readonly #reads = new Map<string, number>();
  /**
   * When the calls in progress end, the earliest first. There are thousands at most, so a sorted array is fast enough.
   */
  readonly #ends: number[] = [];

  /** @param rate requests per second, above 0; null: no limit */
  constructor(id: string, rate: number | null, clock: Clock) {
    this.id = id;
    this.takeRequest = rate === null ? () => 0 : tokenBucket(rate, clock);
  }

  agentOf(call: CallRecord): AgentRecord {
    const agent = this.agents.get(call.agentId);
    if (agent === undefined) throw new Error(`${call.id} has no agent`);
    return agent;
  }

  /** Adds an agent, unless its id is already known. */
  addAgent(agent: AgentRecord): void {
    if (!this.agents.has(agent.id)) this.agents.set(agent.id, agent);
  }

  /** Adds a call, unless its id is already known. */
  addCall(call: CallRecord): void {
    if (this.calls.has(call.id)) return;
    this.calls.set(call.id, call);
    if (call.attemptKey !== null) this.callsByKey.set(call.attemptKey, call);
    const line = this.phone(call.phone);
    line.rings.push(call);
    line.dials = Math.max(line.dials, line.rings.length);
    this.inProgressAt(call.placedAt);
    const before = this.#ends.findLastIndex((end) => end <= call.endedAt);
    this.#ends.splice(before + 1, 0, call.endedAt);
    this.peak = Math.max(this.peak, this.#ends.length);
  }

  phone(number: string) {
    const line = this.phones.get(number) ?? { rings: [], dials: 0 };
    this.phones.set(number, line);
    return line;
  }

  /** How often `what` has been read, this time included; the count decides which injected fault each read gets. */
  countRead(what: string): number {
    const count = (this.#reads.get(what) ?? 0) + 1;
    this.#reads.set(what, count);
    return count;
  }

  /** @param now must not be earlier than in a previous call */
  inProgressAt(now: number): { count: number; nextEndAt: number | undefined } {
    const next = this.#ends.findIndex((end) => end > now);
    this.#ends.splice(0, next < 0 ? this.#ends.length : next);
    return { count: this.#ends.length, nextEndAt: this.#ends[0] };
  }
}

/** Rate limiter: `rate` requests per second, and a burst of at most one second's worth. */
function tokenBucket(rate: number, clock: Clock): () => number {
  const size = Math.max(1, rate);
  let tokens = size;
  let filledAt = clock.monotonic();
  return () => {
    const now = clock.monotonic();
    tokens = Math.min(size, tokens + ((now - filledAt) / 1_000) * rate);
    filledAt = now;
    if (tokens < 1) return ((1 - tokens) / rate) * 1_000;
    tokens -= 1;
    return 0;
  };
}
