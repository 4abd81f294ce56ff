import { EndTimes } from './calls/end-times.ts';
import type { CallRecord } from './calls/timeline.ts';
import type { TokenBucket } from './wire/token-bucket.ts';

export interface AgentRecord {
  id: string;
  name: string;
  systemPrompt: string;
  /** Stored and returned unchanged. */
  voice: Record<string, unknown> | null;
  createdAt: number;
}

/** One phone number and its calls from this account. */
export interface PhoneLine {
  /** Its calls, the oldest first. */
  rings: CallRecord[];
  /** Dials requested, including those that placed no call. */
  dials: number;
}

/** The agents and calls of one API key. Nothing is ever removed. */
export class Account {
  /** A hash of the key: the key itself is never written to a file. */
  readonly id: string;
  readonly limiter: TokenBucket | null;
  readonly agents: AgentRecord[] = [];
  readonly phones = new Map<string, PhoneLine>();
  /** Highest number of calls in progress at once. */
  peak = 0;
  /** How many pages of agents were read; the count picks the injected fault of each. */
  listings = 0;
  readonly #agentIndex = new Map<string, number>();
  readonly #calls = new Map<string, CallRecord>();
  readonly #callsByKey = new Map<string, CallRecord>();
  readonly #reads = new Map<string, number>();
  readonly #inProgress = new EndTimes();

  constructor(id: string, limiter: TokenBucket | null) {
    this.id = id;
    this.limiter = limiter;
  }

  get callCount(): number {
    return this.#calls.size;
  }

  /** Adds an agent, unless it is known. */
  addAgent(agent: AgentRecord): void {
    if (this.#agentIndex.has(agent.id)) return;
    this.#agentIndex.set(agent.id, this.agents.push(agent) - 1);
  }

  /** Its place in `agents`. */
  agentIndex(id: string): number | undefined {
    return this.#agentIndex.get(id);
  }

  agent(id: string): AgentRecord | undefined {
    const index = this.#agentIndex.get(id);
    return index === undefined ? undefined : this.agents[index];
  }

  agentOf(call: CallRecord): AgentRecord {
    const agent = this.agent(call.agentId);
    if (agent === undefined) throw new Error(`${call.id} has no agent`);
    return agent;
  }

  /** Adds a call, unless it is known. */
  addCall(call: CallRecord): void {
    if (this.#calls.has(call.id)) return;
    this.#calls.set(call.id, call);
    if (call.attemptKey !== null) this.#callsByKey.set(call.attemptKey, call);
    const line = this.phone(call.phone);
    line.rings.push(call);
    line.dials = Math.max(line.dials, line.rings.length);
    this.#inProgress.dropUntil(call.placedAt);
    this.#inProgress.add(call.endedAt);
    this.peak = Math.max(this.peak, this.#inProgress.size);
  }

  call(id: string): CallRecord | undefined {
    return this.#calls.get(id);
  }

  callOfKey(attemptKey: string): CallRecord | undefined {
    return this.#callsByKey.get(attemptKey);
  }

  phone(number: string): PhoneLine {
    let line = this.phones.get(number);
    if (line === undefined) {
      line = { rings: [], dials: 0 };
      this.phones.set(number, line);
    }
    return line;
  }

  /** How often this call's analytics have been asked for, this time included. */
  countRead(callId: string): number {
    const count = (this.#reads.get(callId) ?? 0) + 1;
    this.#reads.set(callId, count);
    return count;
  }

  inProgressAt(now: number): { count: number; nextEndAt: number | undefined } {
    this.#inProgress.dropUntil(now);
    return { count: this.#inProgress.size, nextEndAt: this.#inProgress.earliest };
  }
}
